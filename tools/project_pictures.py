"""Small data of pictures for whole projects, in the formats that they read; what each function takes is as in `project_data.py`."""

import gzip
import pickle
import struct

import numpy as np
from PIL import Image


def _shapes(count, size, classes, channels, seed):
    """(images of uint8 (count, size, size, channels), labels): class k is a bright bar at angle pi k / classes, and noise."""
    draw = np.random.default_rng(seed)
    labels = np.arange(count) % classes
    draw.shuffle(labels)
    y, x = np.mgrid[:size, :size] / size - 0.5
    angle = np.pi * labels[:, None, None] / classes
    away = np.abs(x * np.sin(angle) - y * np.cos(angle) + draw.uniform(-0.1, 0.1, (count, 1, 1)))
    bar = np.clip(1.3 - 8 * away, 0, 1)[..., None] * draw.uniform(0.6, 1, (count, 1, 1, channels))
    return (255 * np.clip(bar + draw.normal(0, 0.05, (count, size, size, channels)), 0, 1)).astype(np.uint8), labels


def mnist(path, train=512, test=128, size=28, split=False, zipped=False, dotted=False, seed=1):
    """MNIST's four files of IDX format; split: in folders `train` and `test`; zipped: with .gz behind their names; dotted: images.idx3-ubyte."""
    for usage, name, count in (("train", "train", train), ("test", "t10k", test)):
        folder = path / usage if split else path
        folder.mkdir(parents=True, exist_ok=True)
        images, labels = _shapes(count, size, 10, 1, seed + (usage == "test"))
        for end, header, values in (
            ("images-idx3-ubyte", struct.pack(">4I", 2051, count, size, size), images),
            ("labels-idx1-ubyte", struct.pack(">2I", 2049, count), labels.astype(np.uint8)),
        ):
            content = header + values.tobytes()
            end = end.replace("-idx", ".idx") if dotted else end
            (folder / f"{name}-{end}{'.gz' if zipped else ''}").write_bytes(
                gzip.compress(content) if zipped else content
            )


def cifar10(path, train=500, test=100, split=False, seed=1):
    """CIFAR-10's binary files: five batches and one to test with; split: in folders `train` and `test`."""
    for usage, count in (("train", train), ("test", test)):
        folder = path / usage if split else path
        folder.mkdir(parents=True, exist_ok=True)
        images, labels = _shapes(count, 32, 10, 3, seed + (usage == "test"))
        rows = np.concatenate(
            [labels[:, None].astype(np.uint8), images.transpose(0, 3, 1, 2).reshape(count, -1)], axis=1
        )
        names = [f"data_batch_{i}.bin" for i in range(1, 6)] if usage == "train" else ["test_batch.bin"]
        for name, part in zip(names, np.array_split(rows, len(names)), strict=True):
            (folder / name).write_bytes(part.tobytes())
        (folder / "batches.meta.txt").write_text("\n".join(f"class{i}" for i in range(10)) + "\n")


def images(path, classes=("a", "b"), each=8, size=64, end="jpg", gray=False, seed=1):
    """A folder for each class with its images; `classes = []`: the images lie in the folder itself."""
    pictures, labels = _shapes(each * max(len(classes), 1), size, max(len(classes), 1), 1 if gray else 3, seed)
    for i, (picture, label) in enumerate(zip(pictures, labels, strict=True)):
        folder = path / classes[label] if classes else path
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray(picture[..., 0] if gray else picture).save(folder / f"{i:04d}.{end}")


def pickled_cifar10(path, train=500, test=100, seed=1):
    """CIFAR-10's files for Python: dicts of `data` (n, 3072) and `labels` with keys of bytes."""
    path.mkdir(parents=True, exist_ok=True)
    for names, count, usage in (([f"data_batch_{i}" for i in range(1, 6)], train, 0), (["test_batch"], test, 1)):
        pictures, labels = _shapes(count, 32, 10, 3, seed + usage)
        rows = pictures.transpose(0, 3, 1, 2).reshape(count, -1)
        for name, data, numbers in zip(
            names, np.array_split(rows, len(names)), np.array_split(labels, len(names)), strict=True
        ):
            (path / name).write_bytes(pickle.dumps({b"data": data, b"labels": numbers.tolist()}, protocol=2))


def voc(path, usages=("train", "eval"), classes=("person", "car"), each=8, size=300, seed=1):
    """PASCAL VOC's images with a bright box on each, and its annotations in XML; a folder for each usage."""
    draw = np.random.default_rng(seed)
    for usage in usages:
        for kind in ("Images", "Annotations"):
            (path / usage / kind).mkdir(parents=True)
        for i in range(each):
            x, y = draw.integers(0, size // 2, 2)
            wide, high = draw.integers(size // 4, size // 2, 2)
            pixels = draw.integers(0, 60, (size, size, 3)).astype(np.uint8)
            which = i % len(classes)
            pixels[y : y + high, x : x + wide, which] = 230
            Image.fromarray(pixels).save(path / usage / "Images" / f"{i}.jpg")
            (path / usage / "Annotations" / f"{i}.xml").write_text(
                f"<annotation><filename>{i}.jpg</filename><size><width>{size}</width><height>{size}</height><depth>3</depth></size>"
                f"<object><name>{classes[which]}</name><difficult>0</difficult><bndbox><xmin>{x + 1}</xmin><ymin>{y + 1}</ymin>"
                f"<xmax>{x + wide}</xmax><ymax>{y + high}</ymax></bndbox></object></annotation>"
            )


def boxed(path, count=16, classes=3, size=64, seed=1):
    """Images and YOLO's labels: `images/` with pictures of rectangles, `labels/` with a line `class x y width height` for each (parts of the size)."""
    draw = np.random.default_rng(seed)
    for name in ("images", "labels"):
        (path / name).mkdir(parents=True, exist_ok=True)
    for i in range(count):
        picture, lines = draw.integers(0, 60, (size, size, 3)).astype(np.uint8), []
        for _ in range(3):
            kind, (wide, high) = int(draw.integers(classes)), draw.integers(size // 5, size // 2, 2)
            left, top = draw.integers(0, size - wide), draw.integers(0, size - high)
            picture[top : top + high, left : left + wide] = 90 + 50 * np.eye(3)[kind % 3]
            middle = (left + wide / 2) / size, (top + high / 2) / size
            lines.append(f"{kind} {middle[0]:.6f} {middle[1]:.6f} {wide / size:.6f} {high / size:.6f}")
        Image.fromarray(picture).save(path / "images" / f"{i:04d}.jpg")
        (path / "labels" / f"{i:04d}.txt").write_text("\n".join(lines) + "\n")


def pickled_classes(path, classes=5, each=8, size=84, seed=1):
    """A pickle of a dict: a list of colour pictures for each class."""
    pictures, labels = _shapes(classes * each, size, classes, 3, seed)
    held = {f"n{k}": [p for p, label in zip(pictures, labels, strict=True) if label == k] for k in range(classes)}
    path.write_bytes(pickle.dumps(held, protocol=2))


def flat_digits(path, rows=96, seed=1):
    """Semeion's file: pictures of 16 x 16 as lines of 256 numbers, and ten more that say which digit it is."""
    pictures, labels = _shapes(rows, 16, 10, 1, seed)
    lines = np.concatenate([(pictures.reshape(rows, -1) > 100), np.eye(10)[labels]], axis=1)
    np.savetxt(path, lines, "%.4f")


def moving(path, steps=20, count=20, size=64, seed=1):
    """Moving MNIST's .npy file (steps, count, size, size) of uint8: a bright square that bounces from the edges."""
    draw = np.random.default_rng(seed)
    frames = np.zeros((steps, count, size, size), np.uint8)
    side = size // 4
    for n in range(count):
        at, speed = draw.integers(0, size - side, 2), draw.integers(1, 4, 2)
        for t in range(steps):
            frames[t, n, at[0] : at[0] + side, at[1] : at[1] + side] = 255
            speed = np.where((at + speed < 0) | (at + speed > size - side), -speed, speed)
            at = at + speed
    np.save(path, frames)
