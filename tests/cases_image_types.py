"""Image operations on images of every type and number of channels: what comes out, or the exception."""

import mindspore.dataset.vision as vision
import numpy as np

Border, ConvertMode, Inter = vision.Border, vision.ConvertMode, vision.Inter

CORNERS = "[[0, 0], [8, 0], [8, 6], [0, 6]], [[1, 1], [8, 0], [7, 6], [0, 5]]"
OPERATIONS = [
    *("AutoContrast(1.0)", "Equalize()", "Invert()", "Posterize(3)", "Solarize((10, 200))", "AdjustBrightness(1.5)"),
    *("AdjustContrast(0.5)", "AdjustSaturation(1.7)", "AdjustSharpness(2.0)", "GaussianBlur(3, 1.2)", "Resize(5)"),
    *(
        "Resize((4, 4), Inter.NEAREST)",
        "Resize((4, 6), Inter.AREA)",
        "Pad((1, 2), (5, 6, 7))",
        "PadToSize((12, 12), fill_value=3)",
    ),
    *(
        "Pad([1, 2, 3, 4], 0, Border.REFLECT)",
        "Crop((1, 2), (3, 4))",
        "CenterCrop((3, 5))",
        "Rotate(30)",
        "Rotate(90, expand=True)",
    ),
    *(
        "HorizontalFlip()",
        "VerticalFlip()",
        "Affine(10., [0.1, 0.2], 1.2, [3., 5.])",
        f"Perspective({CORNERS}, Inter.NEAREST)",
    ),
    *(
        "Erase(1, 1, 3, 3, 9)",
        "ResizedCrop(1, 1, 4, 4, (3, 3), Inter.NEAREST)",
        "Rescale(1 / 255., -1.)",
        "Normalize([120.], [50.])",
    ),
    *("Normalize([120., 121., 122.], [50., 51., 52.])", "NormalizePad([120., 121., 122.], [50., 51., 52.], 'float16')"),
    *("HWC2CHW()", "ConvertColor(ConvertMode.COLOR_RGB2GRAY)", "ConvertColor(ConvertMode.COLOR_RGB2BGR)", "ToTensor()"),
    *(
        "ToType(np.float32)",
        "SlicePatches(2, 3)",
        "RandomPosterize((3, 3))",
        "RandomSolarize((5, 5))",
        "RandomInvert(1.0)",
    ),
    *(
        "RandomEqualize(1.0)",
        "RandomAutoContrast(0., None, 1.0)",
        "RandomAdjustSharpness(2., 1.0)",
        "RandomHorizontalFlip(1.0)",
    ),
    *(
        "RandomCrop((7, 9))",
        "RandomRotation((90, 90), expand=True)",
        "RandomSharpness((1.5, 1.5))",
        "RandomColor((1.5, 1.5))",
    ),
    *("ResizeWithBBox((4, 5))", "RandomHorizontalFlipWithBBox(1.0)", "RandomCropWithBBox((7, 9))"),
]
CHANNELS = {"<H, W>": (7, 9), "<H, W, 1>": (7, 9, 1), "<H, W, 4>": (7, 9, 4), "<2, H, W, 3>": (2, 7, 9, 3), "<W>": (9,)}
TYPES = [
    "bool",
    "uint8",
    "int8",
    "uint16",
    "int16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "float32",
    "float64",
]
BOXES = np.array([[0, 0, 3, 3]], np.float32)


def images():
    """{its name: an image}"""
    numbers = np.random.RandomState(0).randint(0, 100, (2, 7, 9, 4))
    made = {kind: (numbers[0, ..., :3] % 2 if kind == "bool" else numbers[0, ..., :3]).astype(kind) for kind in TYPES}
    return made | {
        name: numbers.ravel()[: np.prod(shape)].reshape(shape).astype(np.uint8) for name, shape in CHANNELS.items()
    }


CASES = [(operation, name) for operation in OPERATIONS for name in images()]


def outcome(operation, image):
    """[type, shape, sum] of each array that comes out, or the name of the exception."""
    try:
        made = eval(f"vision.{operation}", {"vision": vision, "np": np, **vars(vision)})
        out = made(image, BOXES.copy()) if "BBox" in operation else made(image)
    except Exception as error:
        return type(error).__name__
    arrays = map(np.asarray, out if isinstance(out, (tuple, list)) else [out])
    return [[str(a.dtype), list(a.shape), round(float(a.astype(np.float64).sum()), 1)] for a in arrays]
