"""The table of image cases, shared by the recorder (which runs them on MindSpore) and by tests/dataset/test_vision.py.

A case is an expression, evaluated with the names of `mindspore.dataset.vision` and `np`, and the inputs that it is called on.
Random operations appear here with the arguments that leave nothing to chance.
"""
import io

import numpy as np

ARRAYS = ("rgb", "gray", "gray1", "float")
PILS = ("pil", "pil_gray")
BOTH = ARRAYS + PILS


def make_inputs():
    """Return the arrays that the cases run on, smooth enough for interpolation and noisy enough to find a shift."""
    state = np.random.RandomState(7)
    rows, cols = np.mgrid[0:16, 0:20]
    waves = [128 + 90 * np.sin(rows / (2.5 + c)) * np.cos(cols / (3.0 - 0.5 * c)) for c in range(3)]
    rgb = np.clip(np.stack(waves, -1) + state.randint(-30, 30, (16, 20, 3)), 0, 255).astype(np.uint8)
    big = np.kron(rgb[:12, :14], np.ones((4, 4, 1), np.uint8))
    batch = np.stack([rgb[i:i + 8, i:i + 9] for i in range(4)])
    inputs = {
        "rgb": rgb, "gray": rgb[..., 0].copy(), "gray1": rgb[..., 1:2].copy(),
        "rgba": np.concatenate([rgb, rgb[..., :1][::-1]], -1), "float": (rgb / 255).astype(np.float32),
        "double": rgb[:6, :7] / 255, "int16": rgb[:6, :7].astype(np.int16) * 3, "int32": rgb[:6, :7].astype(np.int32),
        "half": (rgb[:6, :7] / 255).astype(np.float16), "bool": rgb[:6, :7] > 128, "uint16": rgb[:6, :7].astype(np.uint16) * 200,
        "chw": rgb.transpose(2, 0, 1).copy(), "chw_float": (rgb / 255).astype(np.float32).transpose(2, 0, 1).copy(),
        "two": rgb[..., :2].copy(), "six": np.concatenate([rgb[:6, :7]] * 2, -1), "one": rgb[0, :, 0].copy(),
        "narrow": rgb[:, :5].copy(), "wide": rgb[:6].copy(), "flat": np.full((6, 7, 3), 77, np.uint8),
        "batch": batch, "batch_float": (batch / 255).astype(np.float32), "batch_chw": batch.transpose(0, 3, 1, 2).copy(),
        "labels": np.eye(4, dtype=np.float32)[[1, 0, 3, 2]],
        "boxes": np.array([[2, 1, 9, 8], [5, 6, 11, 7]], np.float32), "boxes_int": np.array([[2, 1, 9, 8, 4]], np.int32),
        "string": np.array("text"),
    }
    for name, form, options, image in (("jpeg", "JPEG", {"quality": 80}, big), ("png", "PNG", {}, rgb), ("bmp", "BMP", {}, rgb),
                                       ("jpeg_gray", "JPEG", {"quality": 90}, big[..., 0])):
        inputs[name] = np.frombuffer(encode(image, form, **options), np.uint8).copy()
    inputs["not_image"] = np.arange(40, dtype=np.uint8)
    return inputs


def encode(image, form, **options):
    """Return `image` as the bytes of a file in the given Pillow format."""
    from PIL import Image
    out = io.BytesIO()
    Image.fromarray(image).save(out, form, **options)
    return out.getvalue()


def fetch(inputs, name):
    """Return the call arguments that a case input's name stands for; "a+b" passes two columns, "pil…" a Pillow image."""
    from PIL import Image
    columns = {"pil": lambda: Image.fromarray(inputs["rgb"]), "pil_gray": lambda: Image.fromarray(inputs["gray"]),
               "pil_rgba": lambda: Image.fromarray(inputs["rgba"]), "bytes": lambda: inputs["png"].tobytes(), "list": lambda: [1, 2]}
    return tuple(columns[n]() if n in columns else inputs[n].copy() for n in name.split("+"))


RESIZES = [f"Resize({size}, Inter.{mode})" for size in ("(9, 13)", "30", "(40, 25)", "6")
           for mode in ("NEAREST", "LINEAR", "CUBIC", "AREA", "PILCUBIC", "ANTIALIAS")]
POINTS = "[[1, 2], [18, 0], [19, 15], [0, 12]], [[0, 0], [19, 0], [19, 15], [0, 15]]"
CONVERSIONS = {"rgb": ("BGR2BGRA", "BGR2RGBA", "BGR2RGB", "BGR2GRAY", "RGB2GRAY", "GRAY2BGR"),
               "rgba": ("BGRA2BGR", "RGBA2BGR", "BGRA2RGBA", "BGRA2GRAY", "RGBA2GRAY"), "gray": ("GRAY2BGR", "GRAY2BGRA"),
               "gray1": ("GRAY2RGB",), "float": ("RGB2GRAY", "BGR2RGB")}

# expression -> inputs
CASES = {
    # geometry
    **{e: (("rgb", *PILS) if "PILCUBIC" in e else BOTH) if "(9, 13)" in e else ("rgb", "pil") for e in RESIZES},
    "Resize((9, 13))": ("int16", "int32", "double", "half", "bool", "uint16", "rgba", "two", "six", "one", "batch", "batch_float"),
    "Resize(5)": ("narrow", "wide", "pil"), "Resize((0, 3))": ("rgb",), "Resize('3')": ("rgb",), "Resize((3, 4), 'LINEAR')": ("rgb",),
    "Resize((16, 20))": ("rgb", "pil"), "Resize((20000, 4))": ("rgb",),
    "Resize((3.0, 4))": ("rgb",), "Resize((1, 2, 3))": ("rgb",), "Resize(7, None)": ("rgb",),
    "CenterCrop(7)": (*BOTH, "int32", "chw", "one"), "CenterCrop((8, 30))": BOTH, "CenterCrop((41, 33))": ("rgb", "pil"),
    "CenterCrop((5, 8))": ("rgb", "pil", "narrow", "batch"), "CenterCrop(0)": ("rgb",), "CenterCrop('a')": ("rgb",),
    "Crop((2, 3), (5, 6))": (*BOTH, "batch"), "Crop((2, 3), 40)": ("rgb",), "Crop((0, 0), 10)": ("rgb", "gray", "one"),
    "Crop((-1, 0), 10)": ("rgb",), "Crop(3, 10)": ("rgb",),
    "ResizedCrop(1, 2, 9, 10, (6, 7))": BOTH, "ResizedCrop(1, 2, 9, 10, 12, Inter.CUBIC)": ("rgb", "float"),
    "ResizedCrop(1, 2, 19, 10, 12, Inter.AREA)": ("rgb",), "ResizedCrop(1, 2, 9, 10, 12, Inter.AREA)": ("rgb",),
    "ResizedCrop(1, 2, 9, 10, (7, 5), Inter.NEAREST)": ("rgb", "gray"), "ResizedCrop(1, 2, 9, 10, (7, 5), Inter.PILCUBIC)": ("rgb",),
    "ResizedCrop(1, 2, 0, 10, 12)": ("rgb",), "ResizedCrop(-1, 2, 3, 10, 12)": ("rgb",),
    "RandomCrop(16)": ("narrow",), "RandomCrop((16, 20))": (*BOTH, "batch"), "RandomCrop((18, 22), (1, 1))": ("rgb", "pil"),
    "RandomCrop((20, 24), [1, 3, 3, 1], fill_value=(1, 2, 3))": ("rgb", "pil"), "RandomCrop((17, 23), (1, 0, 2, 1), padding_mode=Border.REFLECT)": ("rgb", "pil"),
    "RandomCrop((40, 30))": ("rgb", "pil"),
    "RandomCrop(-3)": ("rgb",), "RandomCrop(3, padding=(1, 2, 3))": ("rgb",), "RandomCrop(3, fill_value=300)": ("rgb",), "RandomCrop(3, padding_mode='edge')": ("rgb",),
    "RandomCrop(3, -2)": ("rgb",), "RandomCrop(3, pad_if_needed=1)": ("rgb",), "RandomCrop([16, 20], fill_value=[1, 2, 3])": ("rgb",),
    "RandomResizedCrop((8, 9), (1.0, 1.0), (1.25, 1.25))": BOTH, "RandomResizedCrop(9, (1, 1), (1.25, 1.25), Inter.CUBIC)": ("rgb", "pil"),
    "RandomResizedCrop(9, (1, 1), (1.25, 1.25), Inter.AREA)": ("rgb", "pil"), "RandomResizedCrop(9, (1, 1), (1.25, 1.25), Inter.ANTIALIAS)": ("rgb", "pil"),
    "RandomResizedCrop(8, (4.0, 5.0), (1.0, 1.0))": ("rgb", "pil"), "RandomResizedCrop(8, (4.0, 5.0), (3.0, 3.0))": ("rgb", "pil"), "RandomResizedCrop(8, (4.0, 5.0), (.5, .6))": ("rgb", "pil"),
    "RandomResizedCrop(9, (1, 0.5))": ("rgb",), "RandomResizedCrop(9, (1, 2), (0, 1))": ("rgb",), "RandomResizedCrop(9, max_attempts=0)": ("rgb",), "RandomResizedCrop(9, 3)": ("rgb",),
    "RandomCropDecodeResize((8, 9), (4.0, 5.0), (1.25, 1.25))": ("png", "bmp"),
    "RandomCropDecodeResize(40, (4.0, 5.0), (1.1666666, 1.1666667))": ("jpeg",), "RandomCropDecodeResize(8)": ("rgb", "not_image", "string", "pil"),
    "HorizontalFlip()": (*BOTH, "chw", "one", "batch", "double"), "VerticalFlip()": (*BOTH, "chw", "one", "batch"),
    "RandomHorizontalFlip(1.0)": (*BOTH, "int32", "one", "batch"), "RandomVerticalFlip(1.0)": (*BOTH, "one", "batch"), "RandomHorizontalFlip(0.0)": ("rgb", "pil"),
    "RandomHorizontalFlip(1.5)": ("rgb",), "RandomHorizontalFlip('a')": ("rgb",), "RandomVerticalFlip(-1)": ("rgb",), "RandomVerticalFlip(True)": ("rgb",),
    "Pad(3)": (*BOTH, "batch", "rgba", "two"), "Pad((1, 2))": ("rgb", "pil"), "Pad([1, 2, 3, 4], (9, 8, 7))": ("rgb", "pil", "gray", "gray1"),
    "Pad((2, 3, 1, 4), 5, Border.EDGE)": BOTH, "Pad((2, 3, 1, 4), 5, Border.REFLECT)": ("rgb", "pil", "gray"), "Pad((2, 3, 1, 4), 5, Border.SYMMETRIC)": ("rgb", "pil", "pil_gray"),
    "Pad('3')": ("rgb",), "Pad((1, 2, 3))": ("rgb",), "Pad(-1)": ("rgb",), "Pad(1, 256)": ("rgb",), "Pad(1, padding_mode='constant')": ("rgb",), "Pad(1, '3')": ("rgb",),
    "PadToSize((20, 25))": BOTH, "PadToSize(25, 2, 9)": ("rgb",), "PadToSize((20, 25), (1, 2), (1, 2, 3), Border.EDGE)": ("rgb",), "PadToSize((4, 25))": ("rgb",),
    "PadToSize((20, 25), (10, 2))": ("rgb",), "PadToSize((1, 2, 3))": ("rgb",), "PadToSize((20, 25), -1)": ("rgb",), "PadToSize((23, 25), None, 3, Border.REFLECT)": ("rgb", "gray"),
    "Rotate(30)": BOTH, "Rotate(30, Inter.LINEAR, True)": ("rgb", "float"), "Rotate(30.5, Inter.CUBIC, False, (3, 4), 9)": ("rgb",), "Rotate(90, expand=True)": ("rgb", "gray"),
    "Rotate(-45, Inter.BILINEAR, fill_value=5)": ("rgb",), "Rotate(400, Inter.AREA)": ("rgb",), "Rotate('3')": ("rgb",), "Rotate(3, center=(1,))": ("rgb",), "Rotate(3, Inter.ANTIALIAS)": ("rgb",),
    "Rotate(180)": ("rgb", "chw", "batch"), "Rotate(33, Inter.PILCUBIC)": ("rgb",),
    "RandomRotation((30, 30))": (*ARRAYS, "pil"), "RandomRotation((30, 30), Inter.LINEAR, True, fill_value=7)": ("rgb", "pil"), "RandomRotation((30, 30), Inter.CUBIC, False, (3, 4))": ("rgb", "pil"),
    "RandomRotation(0)": ("rgb", "pil"), "RandomRotation((90, 90), expand=True)": ("rgb", "pil"), "RandomRotation((3, 2))": ("rgb",), "RandomRotation(-1)": ("rgb",),
    "RandomRotation((1, 2, 3))": ("rgb",), "RandomRotation((30, 30), Inter.ANTIALIAS)": ("rgb", "pil"), "RandomRotation((30, 30), Inter.AREA)": ("rgb", "pil"),
    "Affine(15, [0.1, -0.2], 1.1, [1, 2])": BOTH, "Affine(15, [0.1, -0.2], 0.9, 5, Inter.BILINEAR, 9)": ("rgb", "float"), "Affine(-30, (0, 0), 1, 0, Inter.CUBIC)": ("rgb",), "Affine(15, (0.1, 0), 1.1, 2.5, Inter.AREA)": ("rgb",),
    "Affine(0, (0, 0), 1, 0)": ("rgb",), "Affine(200, (0, 0), 1, 0)": ("rgb",), "Affine(0, (0, 2), 1, 0)": ("rgb",), "Affine(0, (0, 0), 0, 0)": ("rgb",), "Affine(0, (0, 0), 1, (1, 2, 3))": ("rgb",),
    "RandomAffine((15, 15), scale=(1.1, 1.1), shear=(2, 2, 3, 3))": BOTH, "RandomAffine((15, 15), scale=(.9, .9), shear=(2, 2), resample=Inter.LINEAR, fill_value=(1, 2, 3))": ("rgb",),
    "RandomAffine(0)": ("rgb", "pil"), "RandomAffine((15, 15), (0.1, 0.1, 0.2, 0.2), resample=Inter.BICUBIC)": ("rgb",), "RandomAffine(-1)": ("rgb",), "RandomAffine(1, (2, 0))": ("rgb",),
    "RandomAffine(1, (0, 0, 0))": ("rgb",), "RandomAffine(1, scale=(2, 1))": ("rgb",), "RandomAffine(1, shear=-2)": ("rgb",), "RandomAffine(1, shear=(2, 1))": ("rgb",), "RandomAffine(1, shear=(2, 3, 1))": ("rgb",),
    "RandomAffine((5, 5), resample=Inter.ANTIALIAS)": ("rgb", "pil"), "RandomAffine((5, 5), resample=Inter.AREA)": ("rgb", "pil"),
    f"Perspective({POINTS})": BOTH, f"Perspective({POINTS}, Inter.NEAREST)": ("rgb", "pil"), f"Perspective({POINTS}, Inter.CUBIC)": ("rgb", "pil"), f"Perspective({POINTS}, Inter.AREA)": ("rgb", "pil"),
    f"Perspective({POINTS}, Inter.ANTIALIAS)": ("rgb", "pil"), "Perspective([[1, 2]], [[1, 2]])": ("rgb",), "Perspective(3, 4)": ("rgb",),
    "RandomPerspective(0.0, 1.0)": ("rgb", "pil"), "RandomPerspective(0.0, 1.0, Inter.NEAREST)": ("pil", "pil_gray"), "RandomPerspective(2.0)": ("pil",), "RandomPerspective(1)": ("pil",),
    "FiveCrop(5)": BOTH, "FiveCrop((4, 6))": ("pil",), "FiveCrop(40)": ("pil",), "TenCrop(5)": ("rgb", "pil"), "TenCrop((4, 6), True)": ("pil", "pil_gray"), "TenCrop(5, 1)": ("pil",),
    "SlicePatches(2, 3)": BOTH, "SlicePatches(3, 3, SliceMode.DROP)": ("rgb", "gray"), "SlicePatches(3, 3, SliceMode.PAD, 9)": ("rgb", "float"), "SlicePatches(0)": ("rgb",), "SlicePatches(40)": ("rgb",), "SlicePatches(2, 3, 1)": ("rgb",),
    "SlicePatches()": ("rgb",),
    # colour
    **{f"Adjust{what}({factor})": BOTH if factor in (0.3, 1.7) else ("rgb", "pil") for what, factors in {
        "Brightness": (0.3, 1.7, 0, 1, 40), "Contrast": (0.3, 1.7, 0, 5), "Saturation": (0.3, 1.7, 0, 5), "Sharpness": (0.3, 1.7, 0, 1, 4), "Hue": (0.3, -0.2, 0.5, 0)}.items() for factor in factors},
    "AdjustHue(0.6)": ("rgb",), "AdjustHue(-0.1)": BOTH, "AdjustBrightness(-1)": ("rgb",), "AdjustBrightness('a')": ("rgb",), "AdjustContrast(1.5)": ("int16", "rgba", "double"), "AdjustSaturation(1.5)": ("rgba", "double"), "AdjustSharpness(1.5)": ("rgba", "double", "batch"),
    "AdjustBrightness(1.5)": ("rgba", "double", "int32", "batch"), "AdjustGamma(0.7)": (*BOTH, "double"), "AdjustGamma(2, 0.5)": BOTH, "AdjustGamma(1.0, 1.0)": ("rgb", "pil", "rgba", "pil_rgba"), "AdjustGamma(-1)": ("rgb",), "AdjustGamma(2, 3.0)": ("rgb", "float", "pil"),
    "AutoContrast()": (*BOTH, "flat"), "AutoContrast(10.0)": BOTH, "AutoContrast(5, [10, 20, 128])": BOTH, "AutoContrast(2, 77)": ("rgb", "flat", "pil"), "AutoContrast(50)": ("rgb",), "AutoContrast(1, 300)": ("rgb",), "AutoContrast(1, 'a')": ("rgb",),
    "Equalize()": (*BOTH, "flat"), "Invert()": (*BOTH, "rgba", "batch"), "Posterize(3)": BOTH, "Posterize(0)": ("rgb",), "Posterize(8)": ("rgb",), "Posterize(9)": ("rgb",), "Solarize(100)": BOTH, "Solarize((50, 150))": BOTH, "Solarize((150, 50))": ("rgb",), "Solarize([10.0, 90.5])": ("rgb",),
    "RandomPosterize((3, 3))": BOTH, "RandomPosterize(5)": ("rgb",), "RandomPosterize((5, 3))": ("rgb",), "RandomPosterize(0)": ("rgb",), "RandomSolarize((100, 100))": BOTH, "RandomSolarize((10, 5))": ("rgb",), "RandomSolarize(10)": ("rgb",),
    "RandomColor((0.3, 0.3))": BOTH, "RandomColor((1, 1))": ("rgb", "pil"), "RandomColor((2, 1))": ("rgb",), "RandomColor(1)": ("rgb",), "RandomSharpness((0.4, 0.4))": BOTH, "RandomSharpness((1, 1))": ("rgb", "pil"), "RandomSharpness((1, 2, 3))": ("rgb",),
    "RandomAdjustSharpness(1.7, 1.0)": BOTH, "RandomAdjustSharpness(-1)": ("rgb",), "RandomAutoContrast(5, [10], 1.0)": BOTH, "RandomAutoContrast(0.0, None, 0.0)": ("rgb",), "RandomEqualize(1.0)": BOTH, "RandomInvert(1.0)": BOTH, "RandomInvert(2)": ("rgb",),
    "RandomColorAdjust((1.3, 1.3))": BOTH, "RandomColorAdjust(contrast=(0.6, 0.6))": BOTH, "RandomColorAdjust(saturation=(1.4, 1.4))": BOTH, "RandomColorAdjust(hue=(0.1, 0.1))": BOTH, "RandomColorAdjust(-1)": ("rgb",), "RandomColorAdjust((2, 1))": ("rgb",), "RandomColorAdjust(hue=0.7)": ("rgb",),
    "RandomColorAdjust(brightness='a')": ("rgb",), "RandomColorAdjust(hue=(-0.7, 0))": ("rgb",), "RandomColorAdjust((1, 2, 3))": ("rgb",), "RandomColorAdjust()": ("rgb", "pil", "gray"), "RandomLighting(0)": BOTH, "RandomLighting(-1)": ("rgb",), "RandomLighting('a')": ("rgb",),
    "Grayscale()": BOTH, "Grayscale(3)": ("pil", "pil_gray", "rgb"), "Grayscale(2)": ("pil",), "RandomGrayscale(1.0)": ("pil", "pil_gray", "rgb"), "RandomGrayscale(0.0)": ("pil",), "RandomGrayscale(3)": ("pil",),
    **{f"ConvertColor(ConvertMode.COLOR_{mode})": tuple(k for k in CONVERSIONS if mode in CONVERSIONS[k]) for modes in CONVERSIONS.values() for mode in modes}, "ConvertColor(3)": ("rgb",), "ConvertColor(ConvertMode.COLOR_RGB2RGBA)": ("gray", "rgba", "pil"),
    "RgbToHsv(True)": ("rgb", "float", "batch", "gray", "rgba", "pil"), "RgbToHsv()": ("chw_float", "chw", "batch_chw", "rgb"), "RgbToHsv(1)": ("rgb",), "HsvToRgb(True)": ("float", "batch_float", "rgb"), "HsvToRgb()": ("chw_float", "rgb"),
    # values
    "Rescale(1.0 / 255.0, 0.0)": (*BOTH, "int16", "int32", "double", "half", "bool", "uint16", "rgba", "batch", "one"), "Rescale(2, -1)": ("rgb", "float"), "Rescale('a', 1)": ("rgb",), "Rescale(1, 1 << 30)": ("rgb",),
    "Normalize([121.0, 115.0, 100.0], [70.0, 68.0, 71.0])": (*BOTH, "int16", "int32", "double", "half", "bool", "uint16", "chw", "batch", "batch_float", "one", "rgba"),
    "Normalize([0.5], [0.25])": (*BOTH, "chw_float", "batch_float"), "Normalize((0.5, 0.4, 0.3), (0.2, 0.3, 0.4), False)": ("chw_float", "chw", "rgb", "gray"), "Normalize([0.5], [0.25], is_hwc=False)": ("chw_float", "gray", "float", "gray1"),
    "Normalize([1, 2], [3, 4, 5])": ("rgb",), "Normalize([1], [0])": ("rgb",), "Normalize([300], [1])": ("rgb",), "Normalize(1, 2)": ("rgb",), "Normalize([1], [1], 1)": ("rgb",), "Normalize(['a'], [1])": ("rgb",), "Normalize([0.1, 0.2], [1, 2])": ("two", "rgb"),
    "NormalizePad([121.0, 115.0, 100.0], [70.0, 68.0, 71.0])": ("gray", "gray1"), "NormalizePad([0.5] * 3, [0.25] * 3, is_hwc=False)": ("chw_float", "chw", "rgb"),
    "NormalizePad([1], [1], 'int8')": ("rgb",), "NormalizePad([1], [1], 3)": ("rgb",), 
    "HWC2CHW()": (*BOTH, "int16", "double", "batch", "one", "rgba"), "ToTensor()": (*BOTH, "int32", "double", "rgba", "batch", "one", "pil_rgba", "bool", "half", "list"), "ToTensor('float64')": ("rgb", "pil", "gray"), "ToTensor(np.float16)": ("rgb", "float"), "ToTensor(np.uint8)": ("rgb",),
    "ToTensor(np.int32)": ("rgb", "pil"), "ToTensor(None)": ("rgb",), "ToTensor('abc')": ("rgb",), "ToPIL()": (*BOTH, "rgba", "two", "six", "int16", "chw", "batch", "list", "gray1", "double"), "ToNumpy()": ("rgb", "pil", "pil_gray"),
    "ToType(np.float32)": ("rgb", "bool", "gray"), "ToType('int32')": ("double",),
    "Decode()": ("jpeg", "png", "bmp", "jpeg_gray", "not_image", "rgb", "string", "bytes", "pil"), "Decode(True)": ("jpeg", "png", "jpeg_gray", "not_image", "rgb", "bytes"), "Decode(1)": ("jpeg",),
    "Erase(2, 3, 4, 5)": (*BOTH, "batch"), "Erase(2, 3, 4, 5, (9, 8, 7))": ("rgb", "float", "gray"), "Erase(2, 3, 4, 5, 7, True)": ("rgb",), "Erase(12, 3, 40, 5, 7.6)": ("rgb",), "Erase(40, 3, 4, 5)": ("rgb",), "Erase(-1, 3, 4, 5)": ("rgb",), "Erase(1, 3, 0, 5)": ("rgb",), "Erase(1, 3, 4, 5, 300)": ("rgb",), "Erase(1, 3, 4, 5, (1, 2))": ("rgb",),
    "RandomErasing(0.0)": ("chw", "rgb"), "RandomErasing(1.0, (1.0, 1.0), (1.0, 1.0), 3, max_attempts=1)": ("rgb", "pil", "gray"), "RandomErasing(1.0, (1.0, 0.5))": ("chw",), "RandomErasing(value='abc')": ("chw",), "RandomErasing(value=300)": ("chw",), "RandomErasing(max_attempts=0)": ("chw",), "RandomErasing(2)": ("chw",),
    "CutOut(0)": ("rgb",), "CutOut(3, 0)": ("rgb",), "CutOut(3, 1, 1)": ("rgb",), "CutOut(60)": ("rgb", "gray"), "LinearTransformation(np.eye(6), np.ones(6))": ("rgb",), "LinearTransformation(np.arange(15876.).reshape(126, 126), np.ones(126))": ("double",), "LinearTransformation(np.ones((2, 3)), np.ones(2))": ("rgb",),
    "LinearTransformation(np.ones((2, 2)), np.ones(3))": ("rgb",), "LinearTransformation(3, np.ones(3))": ("rgb",),
    # filters
    "GaussianBlur(3)": (*BOTH, "batch"), "GaussianBlur(5, 1.5)": ("rgb", "float", "gray"), "GaussianBlur((3, 7), (0.8, 2))": ("rgb", "double"), "GaussianBlur((1, 3), 3)": ("rgb",), "GaussianBlur(4)": ("rgb",), "GaussianBlur(0)": ("rgb",), "GaussianBlur((1, 2, 3))": ("rgb",), "GaussianBlur(3, -1)": ("rgb",), "GaussianBlur(3, 'a')": ("rgb",),
    # boxes
    "ResizeWithBBox((9, 13))": ("rgb+boxes", "rgb+boxes_int", "rgb"), "ResizeWithBBox(8, Inter.NEAREST)": ("rgb+boxes",), "ResizeWithBBox(8, Inter.PILCUBIC)": ("rgb+boxes",), "RandomHorizontalFlipWithBBox(1.0)": ("rgb+boxes", "rgb+boxes_int", "gray+boxes"), "RandomVerticalFlipWithBBox(1.0)": ("rgb+boxes", "rgb+boxes_int"),
    "RandomCropWithBBox((16, 20))": ("rgb+boxes", "rgb+boxes_int"), "RandomCropWithBBox((18, 24), (2, 1), fill_value=(1, 2, 3))": ("rgb+boxes",), "RandomCropWithBBox((60, 24))": ("rgb+boxes",), "RandomResizedCropWithBBox(8, (4.0, 5.0), (1.25, 1.25))": ("rgb+boxes", "rgb+boxes_int"),
    "RandomHorizontalFlipWithBBox(3)": ("rgb+boxes",), "BoundingBoxAugment(VerticalFlip(), 1.0)": ("rgb+boxes", "rgb+boxes_int"), "BoundingBoxAugment(Invert(), 1)": ("rgb+boxes",), "BoundingBoxAugment(VerticalFlip(), 2)": ("rgb+boxes",), "BoundingBoxAugment(3)": ("rgb+boxes",), "BoundingBoxAugment(Invert(), 0)": ("rgb+boxes",),
    "RandomResizeWithBBox((3, 'a'))": ("rgb+boxes",), "RandomResize(0)": ("rgb",),
    # batches and policies
    "CutMixBatch(ImageBatchFormat.NHWC, 1.0, 0.0)": ("batch+labels", "rgb+labels"), "CutMixBatch(ImageBatchFormat.NCHW, 1.0, 2.0)": ("batch+labels",), "CutMixBatch(0)": ("batch+labels",), "CutMixBatch(ImageBatchFormat.NHWC, 0)": ("batch+labels",), "CutMixBatch(ImageBatchFormat.NCHW)": ("batch+labels",),
    "MixUpBatch(0)": ("batch+labels",), "MixUpBatch('a')": ("batch+labels",), "MixUpBatch()": ("rgb+labels", "batch"), "MixUp(0, 1.0)": ("batch+labels",), "MixUp(4, 0)": ("batch+labels",), "MixUp(4, 1, 1)": ("batch+labels",),
    "AutoAugment('a')": ("rgb",), "AutoAugment(fill_value=300)": ("rgb",), "RandAugment(-1)": ("rgb",), "RandAugment(1, 31)": ("rgb",), "RandAugment(1, 1, 1)": ("rgb",), "RandAugment(0)": ("rgb", "gray", "float"), "TrivialAugmentWide(1)": ("rgb",), "TrivialAugmentWide(31, 3)": ("rgb",),
    "RandomSelectSubpolicy([[(Invert(), 1.0), (VerticalFlip(), 1)]])": ("rgb",), "RandomSelectSubpolicy([])": ("rgb",), "RandomSelectSubpolicy([[(Invert(), 2)]])": ("rgb",), "RandomSelectSubpolicy([[(3, 1)]])": ("rgb",), "RandomSelectSubpolicy(3)": ("rgb",), "RandomSelectSubpolicy([[Invert()]])": ("rgb",),
    "UniformAugment([])": ("rgb",), "UniformAugment([Invert()], 2)": ("rgb",), "UniformAugment(3)": ("rgb",), "UniformAugment([Invert(), VerticalFlip()], 0)": ("rgb",), "UniformAugment([3, 4])": ("rgb",),
    # functions
    "get_image_size": ("rgb", "gray", "chw", "pil", "one", "list", "batch"), "get_image_num_channels": ("rgb", "gray", "chw", "pil", "pil_gray", "one", "list", "batch"),
    "Resize((3, 4)).device('GPU')": ("rgb",), "Resize((3, 4)).device('CPU')": ("rgb",), "Resize((3, 4)).device(3)": ("rgb",),
}
