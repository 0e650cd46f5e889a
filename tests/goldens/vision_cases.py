"""The inputs and the table of image cases, shared by the recorder and by tests/dataset/test_vision.py."""

import io
import pathlib

import numpy as np

GROUPS = {"arrays": ("rgb", "gray", "gray1", "float"), "pils": ("pil", "pil_gray")}
GROUPS["both"] = GROUPS["arrays"] + GROUPS["pils"]


def make_inputs():
    """Return the arrays that the cases run on, smooth enough for interpolation and noisy enough to find a shift."""
    state = np.random.RandomState(7)
    rows, cols = np.mgrid[0:16, 0:20]
    waves = [128 + 90 * np.sin(rows / (2.5 + c)) * np.cos(cols / (3.0 - 0.5 * c)) for c in range(3)]
    rgb = np.clip(np.stack(waves, -1) + state.randint(-30, 30, (16, 20, 3)), 0, 255).astype(np.uint8)
    big = np.kron(rgb[:12, :14], np.ones((4, 4, 1), np.uint8))
    batch = np.stack([rgb[i : i + 8, i : i + 9] for i in range(4)])
    inputs = {
        "rgb": rgb,
        "gray": rgb[..., 0].copy(),
        "gray1": rgb[..., 1:2].copy(),
        "rgba": np.concatenate([rgb, rgb[..., :1][::-1]], -1),
        "float": (rgb / 255).astype(np.float32),
        "double": rgb[:6, :7] / 255,
        "int16": rgb[:6, :7].astype(np.int16) * 3,
        "int32": rgb[:6, :7].astype(np.int32),
        "half": (rgb[:6, :7] / 255).astype(np.float16),
        "bool": rgb[:6, :7] > 128,
        "uint16": rgb[:6, :7].astype(np.uint16) * 200,
        "chw": rgb.transpose(2, 0, 1).copy(),
        "chw_float": (rgb / 255).astype(np.float32).transpose(2, 0, 1).copy(),
        "two": rgb[..., :2].copy(),
        "six": np.concatenate([rgb[:6, :7]] * 2, -1),
        "one": rgb[0, :, 0].copy(),
        "narrow": rgb[:, :5].copy(),
        "wide": rgb[:6].copy(),
        "flat": np.full((6, 7, 3), 77, np.uint8),
        "batch": batch,
        "batch_float": (batch / 255).astype(np.float32),
        "batch_chw": batch.transpose(0, 3, 1, 2).copy(),
        "labels": np.eye(4, dtype=np.float32)[[1, 0, 3, 2]],
        "boxes": np.array([[2, 1, 9, 8], [5, 6, 11, 7]], np.float32),
        "boxes_int": np.array([[2, 1, 9, 8, 4]], np.int32),
        "string": np.array("text"),
        "large": np.random.RandomState(8).randint(0, 256, (37, 53, 3)).astype(np.uint8),
    }
    for name, form, options, image in (
        ("jpeg", "JPEG", {"quality": 80}, big),
        ("png", "PNG", {}, rgb),
        ("bmp", "BMP", {}, rgb),
        ("jpeg_gray", "JPEG", {"quality": 90}, big[..., 0]),
    ):
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
    """Return the call arguments that an input's name stands for: "a+b" two columns, "pil…" a Pillow image."""
    from PIL import Image

    columns = {
        "pil": lambda: Image.fromarray(inputs["rgb"]),
        "pil_gray": lambda: Image.fromarray(inputs["gray"]),
        "pil_rgba": lambda: Image.fromarray(inputs["rgba"]),
        "bytes": lambda: inputs["png"].tobytes(),
        "list": lambda: [1, 2],
    }
    return tuple(columns[n]() if n in columns else inputs[n].copy() for n in name.split("+"))


def read_cases():
    """Return the table: expression to the names of its inputs."""
    cases = {}
    for line in pathlib.Path(__file__).with_suffix(".txt").read_text().splitlines():
        if not line.startswith("#"):
            expression, inputs = line.rsplit(" @ ", 1)
            cases[expression] = [name for word in inputs.split() for name in GROUPS.get(word, (word,))]
    return cases


CASES = read_cases()
