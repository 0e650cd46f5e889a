"""Image operations: every deterministic call against MindSpore's result, distributions and seeds of the random ones."""

import doctest
import importlib
import json
import pkgutil
import subprocess
import sys
from collections import Counter

import golden_files
import numpy as np
import pytest
from helpers import signature_text
from PIL import Image
from rows_of_maps import in_a_map
from vision_cases import CASES, fetch

import msjax.dataset as ds
from msjax.dataset import config, vision
from msjax.dataset.operation import Operation
from msjax.dataset.vision import augment, c_transforms, py_transforms
from msjax.dataset.vision.modes import Implementation
from msjax.dataset.vision.operation import opencv

INPUTS, OUTPUTS, ERRORS, SIGNATURES = map(
    golden_files.read("vision").get, ("inputs", "outputs", "errors", "signatures")
)
NAMES = {**vars(vision), "np": np}
RGB = INPUTS["rgb"]


@pytest.fixture(autouse=True)
def seeded():
    """A seed for each test, and the one before it restored."""
    before = config.get_seed()
    config.set_seed(11)
    yield
    config.set_seed(before)


def levels(which, expression):
    """How far a byte may be off: versions of Pillow round otherwise, and OpenCV 4.14 the hue."""
    return int(which.startswith("pil") or "hue" in expression.lower())


@pytest.mark.parametrize("expression", CASES)
def test_equals_mindspore(expression):
    for which in CASES[expression]:
        key = f"{which}|{expression}"
        if key in ERRORS:
            kind, message = ERRORS[key]
            with pytest.raises(Exception) as info:
                eval(expression, dict(NAMES))(*fetch(INPUTS, which))
            assert type(info.value).__name__ == kind, key
            if message.startswith("Argument"):
                assert message.split()[1].split("[")[0] in str(info.value)  # the argument is named
            continue
        out = eval(expression, dict(NAMES))(*fetch(INPUTS, which))
        out = out if isinstance(out, tuple) else (out,)
        for got, want in zip(out, OUTPUTS[key], strict=True):
            got = np.asarray(got)
            assert (got.dtype, got.shape) == (want.dtype, want.shape), key
            if want.dtype.kind == "f":
                np.testing.assert_allclose(got, want, rtol=2e-6, atol=1e-6, err_msg=key)
            else:
                assert np.abs(got.astype(int) - want.astype(int)).max() <= levels(which, expression), key


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature(name):
    assert signature_text(getattr(vision, name)) == SIGNATURES[name]


@pytest.mark.parametrize("module", [f"msjax.dataset.vision.{m.name}" for m in pkgutil.iter_modules(vision.__path__)])
def test_examples(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # examples write files
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def test_import_is_light():
    code = "import sys, msjax.dataset.vision; sys.exit(bool({'cv2', 'PIL'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- blocks -----------------------------------------------------------------------------------------------------------

IMAGES = {"rgb": RGB, "gray": RGB[..., 0], "one": RGB[..., :1], "float": RGB / np.float32(3)}
BLOCKS = ["Rescale(1 / 255, 0.5)", "Normalize([1], [4])", "HWC2CHW()", "ToTensor()", "ToTensor('uint8')"]
BLOCKS_OF_RGB = ["Normalize([1, 2, 3], [4, 5, 6])"]


@pytest.mark.parametrize(
    "which, expression",
    [(which, e) for which in IMAGES for e in BLOCKS]
    + [(which, e) for which in ("rgb", "float") for e in BLOCKS_OF_RGB],
)
def test_block_equals_rows(which, expression):
    image = IMAGES[which]
    operation, rows = eval(expression, dict(NAMES)), np.stack([image, image[::-1], image[:, ::-1]])
    assert operation.elementwise
    block = operation.apply_block(rows)
    np.testing.assert_array_equal(block, np.stack([operation.apply(row) for row in rows]), strict=True)


def test_elementwise_is_deterministic():
    for name in vision.__all__:
        kind = getattr(vision, name)
        if isinstance(kind, type) and issubclass(kind, Operation):
            assert kind.deterministic or not kind.elementwise
            assert kind.deterministic is not (
                name.startswith("Random") or "Augment" in name or "Mix" in name or name == "CutOut"
            )


# --- chance -----------------------------------------------------------------------------------------------------------

RANDOM = [
    "RandomResize(7)",
    "RandomHorizontalFlip()",
    "RandomVerticalFlip()",
    "RandomRotation(90)",
    "RandomAffine(30, (-.2, .2))",
    "RandomCrop(5)",
    "RandomResizedCrop(5)",
    "CutOut(4)",
    "RandomPosterize((1, 8))",
    "RandomSolarize()",
    "RandomInvert()",
    "RandomAutoContrast()",
    "RandomEqualize()",
    "RandomAdjustSharpness(3)",
    "RandomColor()",
    "RandomSharpness()",
    "RandomColorAdjust(.5, .5, .5, .2)",
    "RandomLighting(1.0)",
    "AutoAugment()",
    "AutoAugment(AutoAugmentPolicy.SVHN)",
    "AutoAugment(AutoAugmentPolicy.CIFAR10)",
    "RandAugment()",
    "TrivialAugmentWide()",
    "UniformAugment([Invert(), VerticalFlip()], 2)",
    "RandomSelectSubpolicy([[(Invert(), .5)], [(VerticalFlip(), .5)]])",
]
ON_PIL = [
    "RandomPerspective()",
    "RandomGrayscale(.5)",
    "RandomHorizontalFlip()",
    "RandomRotation(90)",
    "RandomCrop(5)",
    "RandomResizedCrop(5)",
    "RandomColorAdjust(.5, .5, .5, .2)",
    "RandomAffine(30)",
    "RandomLighting(1.0)",
]


@pytest.mark.parametrize("expression", RANDOM + [e + " on Pillow" for e in ON_PIL])
def test_seed_repeats_and_draws_differ(expression):
    operation = eval(expression.removesuffix(" on Pillow"), dict(NAMES))
    image = Image.fromarray(RGB) if expression.endswith("Pillow") else RGB
    runs = []
    for _ in range(2):
        config.set_seed(5)
        runs.append(in_a_map(operation, 24, image))
    assert all(np.array_equal(a, b) for a, b in zip(*runs, strict=True))
    assert len({r.tobytes() for r in runs[0]}) > 1
    assert not operation.deterministic and np.array_equal(RGB, INPUTS["rgb"])


@pytest.mark.parametrize(
    "expression", ["RandomErasing(1.0)", "RandomErasing(1.0, value='random')", "RandomErasing(1.0, value=(1, 2, 3))"]
)
def test_random_erasing(expression):
    image = np.full((3, 16, 20), 0.5, np.float32)
    operation, shares = eval(expression, dict(NAMES)), []
    for _ in range(200):
        out = operation(image)
        gone = out != 0.5
        assert (gone == gone[:1]).all()
        shares.append(gone[0].mean())
        rows, columns = np.nonzero(gone[0])
        if len(rows):
            assert (np.ptp(rows) + 1) * (np.ptp(columns) + 1) == len(rows)
            if "(1, 2" in expression:
                assert out[gone].reshape(3, -1)[:, 0].tolist() == [1, 2, 3]
    assert 0.1 < np.mean(shares) < 0.24 and max(shares) < 0.42
    assert operation(image) is not image and (image == 0.5).all()


def test_probability_of_flip():
    image = np.array([[0, 1]], np.uint8)
    flips = sum(int(flipped[0, 0]) for flipped in in_a_map(vision.RandomHorizontalFlip(0.3), 2000, image))
    assert 520 < flips < 680


def test_crop_is_uniform():
    image = np.arange(12, dtype=np.uint8).reshape(3, 4)
    first = Counter(int(crop[0, 0]) for crop in in_a_map(vision.RandomCrop(2), 3000, image))
    assert sorted(first) == [0, 1, 2, 4, 5, 6] and min(first.values()) > 400
    padded = Counter(vision.RandomCrop((4, 6), pad_if_needed=True, fill_value=9)(image[:, :3]).shape for _ in range(20))
    assert set(padded) == {(4, 6)}


@pytest.mark.parametrize(
    "expression, shape",
    [
        ("RandomResize(7)", (4, 7, 8, 3)),
        ("RandomResizedCrop(6)", (4, 6, 6, 3)),
        ("RandomHorizontalFlip()", (4, 16, 20, 3)),
        ("AdjustGamma(2.0)", (4, 16, 20, 3)),
    ],
)
def test_a_stack_is_treated_alike(expression, shape):
    stack = np.stack([RGB] * 4)
    for _ in range(5):
        out = eval(expression, dict(NAMES))(stack)
        assert out.shape == shape and (out == out[:1]).all()


@pytest.mark.parametrize(
    "expression", ["RandomRotation(9)", "RandomAffine(9)", "Affine(9, (0, 0), 1, 0)", "Equalize()", "SlicePatches(2)"]
)
def test_a_stack_is_refused(expression):
    with pytest.raises(RuntimeError, match="dimensions"):
        eval(expression, dict(NAMES))(np.stack([RGB] * 4))


@pytest.mark.parametrize(
    "layout",
    [np.asfortranarray, lambda a: a[::-1].copy()[::-1], lambda a: np.frombuffer(a.tobytes(), a.dtype).reshape(a.shape)],
    ids=["fortran", "reversed", "read-only"],
)
def test_layout_does_not_matter(layout):
    for expression in CASES:
        if f"rgb|{expression}" in OUTPUTS and "True)" not in expression:
            image = layout(RGB)
            got, want = (eval(expression, dict(NAMES))(i) for i in (image, RGB.copy()))
            assert np.array_equal(np.asarray(got), np.asarray(want)), expression
            assert np.array_equal(image, RGB), expression


def test_resized_crop_window():
    class Window(vision.RandomResizedCrop):
        def apply(self, image):
            return np.array(self.window(image.shape))

    windows = in_a_map(Window(4, (0.25, 0.5), (0.5, 2.0)), 500, np.zeros((100, 120), np.uint8))
    shares = [h * w / 12000 for _, _, h, w in windows]
    aspects = [w / h for _, _, h, w in windows]
    assert 0.24 < min(shares) and max(shares) < 0.51 and abs(np.mean(shares) - 0.37) < 0.02
    assert 0.49 < min(aspects) and max(aspects) < 2.03 and abs(np.mean(np.log(aspects))) < 0.1
    assert all(t >= 0 and x >= 0 and t + h <= 100 and x + w <= 120 for t, x, h, w in windows)


def test_cut_out_area():
    image = np.ones((10, 12, 3), np.uint8)
    shares = [(cut[..., 0] == 0).sum() for cut in in_a_map(vision.CutOut(4), 3000, image)]
    assert abs(np.mean(shares) - 16 * (10 / 15) * (12 / 17)) < 0.3  # starts from -4 to 10 and from -4 to 12


def test_mixing():
    images = np.stack([np.full((20, 20, 3), 50 * i, np.uint8) for i in range(4)])
    labels = np.eye(4)
    mixed, shares = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)(images, labels)
    parts = [[(one[..., 0] == 50 * i).mean() for i in range(4)] for one in mixed]
    np.testing.assert_allclose(parts, shares, atol=1e-6)
    turned = vision.CutMixBatch(vision.ImageBatchFormat.NCHW)(images.transpose(0, 3, 1, 2), labels)
    assert turned[0].shape == (4, 3, 20, 20) and turned[1].dtype == np.float32
    mixed, shares = vision.MixUpBatch()(images, labels)
    np.testing.assert_allclose(mixed[:, 0, 0, 0], shares @ [0, 50, 100, 150], atol=0.51)
    mixed, shares = vision.MixUp(4, 0.5)(images.astype(float), labels)
    np.testing.assert_allclose(mixed[:, 0, 0, 0], shares @ [0, 50, 100, 150])
    across = vision.MixUp(4, 0.5, is_single=False)
    first, second = across(images.astype(float), labels), across(images[::-1].astype(float), labels[::-1])
    np.testing.assert_array_equal(first[0], images)
    assert second[1].shape == (4, 4) and not np.array_equal(second[0], images[::-1])


def test_boxes_follow_the_crop():
    boxes = np.array([[4, 4, 6, 6, 7]], np.float32)
    for _ in range(100):
        image, kept = vision.RandomCropWithBBox(8)(np.pad(np.full((6, 6), 255, np.uint8), ((4, 6), (4, 10))), boxes)
        rows, columns = np.nonzero(image)
        if len(rows):
            want = [columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1, 7]
            assert kept.tolist() == [want]
        else:
            assert kept.size == 0 or kept[0, 2] * kept[0, 3] == 0


@pytest.mark.parametrize("policy", list(vision.AutoAugmentPolicy))
def test_policies_have_25_pairs(policy):
    pairs = augment._sub_policies(policy)
    assert len(pairs) == 25 and all(len(pair) == 2 for pair in pairs)
    assert all(0 <= chance <= 1 and 0 <= magnitude <= 9 for pair in pairs for _, chance, magnitude in pair)


# --- where MindSpore 2.10 differs from its documentation, which is followed -------------------------------------------


def test_normalize_pad_adds_a_channel_of_zeros():
    mean, std = [121.0, 115.0, 100.0], [70.0, 68.0, 71.0]
    out = vision.NormalizePad(mean, std, "float16")(RGB)
    assert out.dtype == np.float16 and not out[..., 3].any()
    np.testing.assert_allclose(out[..., :3], vision.Normalize(mean, std)(RGB), atol=2e-3)


@pytest.mark.parametrize("operation", [vision.Rotate, vision.RandomRotation])
def test_fill_is_rgb(operation):
    degrees = 45 if operation is vision.Rotate else (45, 45)
    assert operation(degrees, fill_value=(1, 2, 3))(RGB)[0, 0].tolist() == [1, 2, 3]


def test_gamma_of_floats_is_scaled_once():
    np.testing.assert_allclose(vision.AdjustGamma(2, 0.5)(INPUTS["float"]), INPUTS["float"] ** 2 / 2, rtol=1e-6)


def test_calls_of_the_user_keep_their_ipp():
    import cv2

    before = cv2.ipp.useIPP()
    vision.AdjustHue(0.2)(RGB)
    with pytest.raises(RuntimeError):
        vision.AdjustHue(0.2)(RGB[..., 0])
    assert cv2.ipp.useIPP() == before


def test_hue_of_floats_is_that_of_bytes():
    out = vision.AdjustHue(0.25)(INPUTS["float"])
    assert np.abs(out * 255 - vision.AdjustHue(0.25)(RGB)).max() < 6


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_crop_of_a_file_is_that_of_the_picture():
    """As in MindSpore, to the bit, however much smaller the result is."""
    rows, columns = np.mgrid[0:256, 0:320]
    image = np.stack([rows, columns * 0.8, 128 + 60 * np.sin(rows / 20)], -1).astype(np.uint8)
    file = vision.encode_jpeg(image, 95)
    for size in (200, 64, 16):
        options = size, (1.0, 1.0), (1.25, 1.25)
        out, want = (
            vision.RandomCropDecodeResize(*options)(file),
            vision.RandomResizedCrop(*options)(vision.Decode()(file)),
        )
        np.testing.assert_array_equal(out, want)


def test_cut_short_jpeg():
    with pytest.raises(RuntimeError, match="failed to decode"):
        vision.RandomCropDecodeResize(4)(INPUTS["jpeg"][:30])


def test_orientation(tmp_path):
    image = Image.fromarray(RGB)
    exif = image.getexif()
    exif[0x112] = 6  # turned by a quarter
    image.save(tmp_path / "turned.jpg", exif=exif)
    path = str(tmp_path / "turned.jpg")
    assert vision.Decode()(vision.read_file(path)).shape == vision.read_image(path).shape == (16, 20, 3)
    assert vision.read_image(path, vision.ImageReadMode.COLOR).shape == (20, 16, 3)
    assert vision.read_image(path, vision.ImageReadMode.GRAYSCALE).shape == (20, 16, 1)


def test_files(tmp_path):
    path = str(tmp_path / "image.png")
    vision.write_png(path, RGB)
    np.testing.assert_array_equal(vision.read_image(path), RGB)
    np.testing.assert_array_equal(vision.Decode()(vision.read_file(path)), RGB)
    assert vision.read_image(path, vision.ImageReadMode.GRAYSCALE).shape == (16, 20, 1)
    vision.write_png(path, RGB[..., 0], 0)
    assert vision.read_image(path).shape == (16, 20, 1)
    assert vision.read_image(path, vision.ImageReadMode.COLOR).shape == (16, 20, 3)
    smooth = np.add.outer(np.arange(24), 4 * np.arange(32))[..., None] + np.arange(3)
    vision.write_jpeg(path, smooth.astype(np.uint8), 100)
    assert np.abs(vision.read_image(path) - smooth).max() < 4
    assert len(vision.encode_jpeg(RGB, 10)) < len(vision.encode_jpeg(RGB, 95))
    wide = np.arange(6, dtype=np.uint16).reshape(2, 3) * 9000
    Image.fromarray(wide).save(path)
    np.testing.assert_array_equal(vision.read_image(path)[..., 0], wide, strict=True)


@pytest.mark.parametrize(
    "call, kind",
    [
        ("read_file(3)", TypeError),
        ("read_file('missing')", RuntimeError),
        ("read_file('/')", RuntimeError),
        ("read_image('missing')", RuntimeError),
        ("read_image(3)", TypeError),
        ("read_image('missing', 1)", TypeError),
        ("write_file(3, RGB)", TypeError),
        ("write_file('x', [1])", TypeError),
        ("write_file('x', RGB)", RuntimeError),
        ("write_file('/missing/x', RGB[0, :, 0])", RuntimeError),
        ("write_file('x', np.ones(3))", RuntimeError),
        ("encode_jpeg(RGB, '9')", TypeError),
        ("encode_jpeg(RGB, 101)", RuntimeError),
        ("encode_jpeg(RGB, 0)", RuntimeError),
        ("encode_jpeg([1])", TypeError),
        ("encode_jpeg(np.ones((2, 2)))", RuntimeError),
        ("encode_jpeg(RGB[0, 0])", RuntimeError),
        ("encode_png(RGB, 10)", RuntimeError),
        ("encode_png(RGB[..., :2])", RuntimeError),
        ("encode_png(RGB, 1.5)", TypeError),
        ("write_jpeg(3, RGB)", TypeError),
        ("write_png('/missing/x', RGB)", RuntimeError),
        ("read_video(3)", TypeError),
        ("read_video('missing')", ValueError),
        ("read_video('x', -1)", ValueError),
        ("read_video('x', 3, 2)", ValueError),
        ("read_video('x', '1')", TypeError),
        ("read_video('x', pts_unit='ms')", ValueError),
        ("read_video_timestamps('missing')", RuntimeError),
        ("VideoDecoder('missing')", ValueError),
        ("DecodeVideo()(np.zeros(9, np.uint8))", RuntimeError),
        ("DecodeVideo()(3)", TypeError),
    ],
)
def test_file_errors(call, kind):
    with pytest.raises(kind):
        eval(call, {**NAMES, "RGB": RGB})


@pytest.mark.parametrize("call", [vision.read_file, vision.read_image, vision.read_video, vision.read_video_timestamps])
def test_a_missing_file_and_a_folder_are_told_apart(call, tmp_path):
    with pytest.raises((RuntimeError, ValueError), match="Invalid file path, missing does not exist."):
        call("missing")
    with pytest.raises((RuntimeError, ValueError), match="Invalid file path, .* is not a regular file."):
        call(str(tmp_path))


def test_video(tmp_path):
    cv2 = opencv()
    path = str(tmp_path / "clip.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"MJPG"), 10, (32, 24))
    if not writer.isOpened():
        pytest.skip("this OpenCV writes no videos")
    for i in range(7):
        writer.write(np.full((24, 32, 3), 30 * i, np.uint8))
    writer.release()
    frames, sound, info = vision.read_video(path)
    assert (frames.shape, frames.dtype, sound.shape, info) == ((7, 24, 32, 3), np.uint8, (1, 0), {"video_fps": 10.0})
    assert np.abs(frames[:, 0, 0, 0].astype(int) - 30 * np.arange(7)).max() < 4
    assert vision.read_video_timestamps(path) == (list(range(7)), 10.0)
    np.testing.assert_allclose(vision.read_video_timestamps(path, "sec")[0], np.arange(7) / 10)
    assert len(vision.read_video(path, 0.2, 0.4, "sec")[0]) == len(vision.read_video(path, 2, 4)[0]) == 3
    np.testing.assert_array_equal(vision.DecodeVideo()(np.fromfile(path, np.uint8))[0], frames)
    decoder = vision.VideoDecoder(path)
    assert decoder.metadata == {
        "width": 32,
        "height": 24,
        "duration_seconds": 0.7,
        "num_frames": 7,
        "average_fps": 10.0,
    }
    np.testing.assert_array_equal(decoder.get_frames_at([3, 1]), frames[[3, 1]])
    with pytest.raises(ValueError):
        decoder.get_frames_at([7])


# --- names and forms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "expression",
    [
        "Resize((3, 4), Inter.CUBIC)",
        "RandomCrop(3, 1)",
        "RandomColorAdjust(.3)",
        "Decode()",
        "Pad(1, 2, Border.EDGE)",
        "UniformAugment([Invert(), VerticalFlip()])",
        "ToPIL()",
        "AutoAugment()",
        "RandomSelectSubpolicy([[(Invert(), .5), (VerticalFlip(), 1)]])",
    ],
)
def test_json(expression):
    operation = eval(expression, dict(NAMES))
    text = json.loads(operation.to_json())
    assert text["tensor_op_name"] == type(operation).__name__
    again = type(operation).from_json(json.dumps(text["tensor_op_params"]))
    assert json.loads(again.to_json()) == text
    image = INPUTS["png"] if expression == "Decode()" else RGB
    config.set_seed(3)
    want = np.asarray(operation(image))
    config.set_seed(3)
    np.testing.assert_array_equal(np.asarray(again(image)), want)


def test_old_modules():
    for module in (c_transforms, py_transforms):
        assert set(importlib.import_module("msjax.dataset.vision.transforms").__all__) <= set(module.__all__)
        assert all(hasattr(module, name) for name in module.__all__)
    assert c_transforms.Decode(rgb=True)(INPUTS["png"]).shape == (16, 20, 3)
    with pytest.raises(RuntimeError, match="rgb"):
        c_transforms.Decode(False)
    assert c_transforms.SoftDvppDecodeResizeJpeg(24)(INPUTS["jpeg"]).shape == (24, 28, 3)
    assert c_transforms.SoftDvppDecodeRandomCropResizeJpeg((5, 6))(INPUTS["jpeg"]).shape == (5, 6, 3)
    image = py_transforms.Decode()(INPUTS["png"])
    tensor = py_transforms.ToTensor()(image)
    np.testing.assert_allclose(tensor, RGB.transpose(2, 0, 1) / 255, rtol=1e-6)
    out = py_transforms.Normalize((0.5,), (0.25,))(tensor)
    np.testing.assert_allclose(out, (tensor - 0.5) / 0.25, rtol=1e-5)
    assert py_transforms.NormalizePad([0.5] * 3, [0.25] * 3, "float16")(tensor).shape == (4, 16, 20)
    with pytest.raises(NotImplementedError):
        py_transforms.Normalize([0.5], [0.5])(INPUTS["chw"])
    with pytest.raises(ValueError):
        py_transforms.Normalize([2.0], [0.5])
    assert py_transforms.Cutout(4)(tensor).shape == tensor.shape
    np.testing.assert_array_equal(py_transforms.RgbToBgr()(tensor), tensor[::-1])
    assert py_transforms.ToType("float16")(tensor).dtype == np.float16


def test_operations_of_old_pillow_pipelines_take_pillow_images_from_functions():
    def opened(array):
        return Image.fromarray(array)

    seen = []

    def kind(image):
        seen.append(isinstance(image, Image.Image))
        return np.asarray(image)

    P = py_transforms
    operations = [
        opened,
        P.Pad(2),
        P.RandomCrop(8),
        P.RandomGrayscale(1.0),
        P.Resize((6, 7)),
        P.CenterCrop(4),
        kind,
        P.ToTensor(),
    ]
    for steps in (operations, P.Compose(operations)):
        data = ds.NumpySlicesDataset(RGB[None], ["image"]).map(steps, ["image"])
        assert next(data.create_tuple_iterator(output_numpy=True))[0].shape == (3, 4, 4)
    assert seen == [True, True]
    assert P.Resize((6, 7))(Image.fromarray(RGB)).size == (7, 6)
    with pytest.raises(TypeError):
        P.Resize((6, 7))(RGB)
    np.testing.assert_array_equal(c_transforms.Resize((6, 7))(Image.fromarray(RGB)), vision.Resize((6, 7))(RGB))


def test_a_pillow_chain_stays_pillow():
    image = vision.Decode(to_pil=True)(INPUTS["png"])
    for step in (
        vision.Resize(12),
        vision.RandomCrop(8),
        vision.RandomHorizontalFlip(1.0),
        vision.AdjustBrightness(1.2),
    ):
        image = step(image)
        assert isinstance(image, Image.Image)
    assert vision.ToTensor()(image).shape == (3, 8, 8)


def test_device():
    assert vision.Resize(3).device("Ascend").device_target == "Ascend"
    for bad in (
        lambda: vision.Resize(3, vision.Inter.AREA).device("Ascend"),
        lambda: vision.GaussianBlur(7).device("Ascend"),
        lambda: vision.Rotate(3, vision.Inter.CUBIC).device("Ascend"),
    ):
        with pytest.raises(RuntimeError, match="only support"):
            bad()
    with pytest.raises(ValueError):
        vision.Decode(to_pil=True).device("Ascend")


def test_enumerations():
    assert vision.Inter.LINEAR is vision.Inter.BILINEAR and str(vision.Border.EDGE) == "Border.EDGE"
    assert vision.Inter.to_python_type(vision.Inter.CUBIC) == Image.Resampling.BICUBIC
    assert vision.Border.to_python_type(vision.Border.REFLECT) == "reflect"
    with pytest.raises(RuntimeError, match="only support NEAREST, ANTIALIAS, LINEAR and CUBIC"):
        vision.Inter.to_python_type(vision.Inter.AREA)
    with pytest.raises(RuntimeError, match="Unsupported ConvertMode"):
        vision.ConvertMode.to_c_type(77)
    assert (Implementation.C, Implementation.PY) == (0, 1)


def test_deviation_of_a_blur_that_is_not_square():
    """Recorded from MindSpore: of one number, or None, both directions take the deviation of the width; of two each takes its own."""
    image = np.zeros((7, 7), np.uint8)
    image[3, 3] = 200
    narrow, own = vision.GaussianBlur((1, 7))(image), vision.GaussianBlur((1, 7), (0, 0))(image)
    assert narrow[:, 3].tolist() == [0, 0, 21, 158, 21, 0, 0] and own[3, 3] < 70
    assert (vision.GaussianBlur((1, 7), 0)(image) == narrow).all()


@pytest.mark.parametrize("channels, mean, std", [(3, [120.5, 3.0, 77.25], [60.1, 2.0, 1.7]), (1, [120.5], [60.1])])
def test_normalized_planes_are_the_same_bits(channels, mean, std, monkeypatch):
    """Large images are turned before they are normalized: a third of the time, and what the operations give one by one."""
    images = [np.random.RandomState(i).randint(0, 256, (300, 290, channels)).astype(np.uint8) for i in range(5)]
    one, other = vision.Normalize(mean, std), vision.HWC2CHW()
    turned = []
    whole = vision.Normalize._planes
    monkeypatch.setattr(vision.Normalize, "_planes", lambda self, image: turned.append(1) or whole(self, image))
    data = ds.GeneratorDataset([(image,) for image in images], ["image"], shuffle=False).map([one, other], "image")
    found = [row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert len(turned) == len(images)
    for image, row in zip(images, found, strict=True):
        np.testing.assert_array_equal(row, other(one(image)), strict=True)


def test_wrong_images_name_the_operation_in_a_pair():
    data = ds.GeneratorDataset([(np.zeros((300, 300, 2), np.uint8),)] * 3, ["image"])
    data = data.map([vision.Normalize([1.0] * 3, [2.0] * 3), vision.HWC2CHW()], "image")
    with pytest.raises(RuntimeError, match="Normalize"):
        next(data.create_tuple_iterator(output_numpy=True))


@pytest.mark.parametrize(
    "kind", [vision.RandomVerticalFlip, vision.RandomHorizontalFlip, vision.RandomInvert, vision.RandomEqualize]
)
@pytest.mark.parametrize("image", [np.zeros((3, 3, 3), np.uint32), np.zeros(9, np.float32), np.full((2, 2, 3), "a")])
def test_an_image_that_is_left_as_it_is_must_be_one_that_could_be_changed(kind, image):
    """Recorded from MindSpore: RuntimeError, whatever was drawn."""
    with pytest.raises(RuntimeError):
        kind(0.0)(image)


@pytest.mark.parametrize(
    "operation", [vision.HWC2CHW(), vision.Resize(3), vision.Normalize([1.0] * 3, [1.0] * 3), vision.CutOut(3)]
)
def test_two_images_at_once(operation):
    image = np.zeros((9, 9, 3), np.uint8)
    with pytest.raises(RuntimeError, match="OneToOne"):
        operation(image, image)


@pytest.mark.parametrize("dtype, total", [(np.uint8, 0x347459), (np.float64, 0x347459), (np.int32, 0x347459)])
def test_rescale_rounds_once(dtype, total):
    """Recorded from MindSpore: the sum of the bytes of what it gives."""
    image = np.random.RandomState(0).randint(0, 256, (50, 60, 3)).astype(np.uint8).astype(dtype)
    assert int(vision.Rescale(0.3, 0.7)(image).view(np.uint8).astype(np.int64).sum()) == total
