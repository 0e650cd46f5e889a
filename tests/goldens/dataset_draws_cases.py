"""Random operations with a seed: pipelines and calls that MindSpore's numbers were recorded of. A name to a function without arguments.

The same code runs on MindSpore (record_dataset_draws.py) and on msjax (tests/dataset/test_draws.py). An array is told by its shape, its sum
and its sum with rising weights.
"""

import random

import mindspore.dataset as ds
import mindspore.dataset.audio as A
import mindspore.dataset.transforms as T
import mindspore.dataset.vision as V
import numpy as np
from PIL import Image

CASES = {}
STATE = np.random.RandomState(0)
IMAGES = STATE.randint(0, 256, (9, 20, 18, 3)).astype(np.uint8)
LABELS = np.eye(5, dtype=np.float32)[STATE.randint(0, 5, 9)]
BOXES = np.array([[2, 3, 10, 12], [5, 6, 11, 11], [1, 1, 4, 5]], np.float32)
SPECTRUM, WAVE = STATE.rand(2, 9, 12).astype(np.float32), STATE.rand(2, 40).astype(np.float32)
NAMES = {"V": V, "T": T, "A": A, "np": np, "random": random}
ON_ARRAYS = """
V.RandomHorizontalFlip(0.3)  V.RandomVerticalFlip()  V.RandomCrop((12, 9), padding=(3, 1))
V.RandomCrop(21, pad_if_needed=True, padding_mode=V.Border.REFLECT)  V.RandomResizedCrop((9, 7), (0.2, 0.9), (0.5, 3))
V.RandomResizedCrop(9, (0.9, 1.0), (2.5, 3), max_attempts=3)  V.RandomRotation((10, 80), expand=True)
V.RandomRotation(45, center=(3, 4), fill_value=7)  V.RandomColorAdjust(0.4, (0.5, 0.9), 0.3)  V.RandomColor((0.3, 1.2))
V.RandomSharpness((0.2, 1.4))  V.RandomPosterize((3, 7))  V.RandomSolarize((20, 200))  V.RandomLighting(0.6)
V.RandomAffine(15, (0.1, 0.3, -0.2, 0.4), (0.7, 1.4), (1, 9, 2, 8))  V.RandAugment(4, 12)  V.TrivialAugmentWide(11)  V.AutoAugment()
V.AutoAugment(V.AutoAugmentPolicy.CIFAR10)  V.CutOut(9, 3)  V.RandomAdjustSharpness(3, 0.4)  V.RandomAutoContrast(2.0, [1, 200], 0.6)
V.RandomEqualize(0.4)  V.RandomInvert(0.7)  T.RandomApply([V.RandomHorizontalFlip(), V.RandomVerticalFlip()], 0.7)
T.RandomChoice([V.RandomHorizontalFlip(), T.Compose([V.RandomVerticalFlip(), V.RandomPosterize((2, 6))])])
T.Compose([V.RandomHorizontalFlip(), V.RandomPosterize((2, 6))])
V.UniformAugment([V.RandomHorizontalFlip(), V.RandomVerticalFlip(), V.RandomPosterize((2, 6)), V.Invert()], 3)
V.RandomSelectSubpolicy([[(V.RandomHorizontalFlip(), 0.5), (V.Invert(), 0.5)], [(V.RandomPosterize((1, 7)), 0.8)]])
"""
IN_PYTHON = """
V.RandomErasing(0.8)  V.RandomErasing(0.8, value="random")
T.RandomOrder([lambda x: x // 2, lambda x: x + 3, V.RandomHorizontalFlip()])  T.RandomApply([lambda x: x + 1], 0.5)
T.RandomChoice([lambda x: x + 3, lambda x: x * 2])  T.Compose([lambda x: x + random.randint(0, 9), lambda x: x + np.random.randint(0, 9)])
T.Compose([lambda x: x + np.random.randint(0, 3), V.Rescale(1.0, 0.0), lambda x: x * np.random.rand()])
"""
ON_PILLOW = """
V.RandomHorizontalFlip(0.3)  V.RandomCrop((12, 9), padding=(3, 1))  V.RandomResizedCrop((9, 7), (0.2, 0.9), (0.5, 3))
V.RandomRotation(45)  V.RandomColorAdjust(0.4, 0.4, 0.4)  V.RandomColor((0.3, 1.2))  V.RandomSharpness((0.2, 1.4))
V.RandomAffine(15, (0.1, 0.3), (0.7, 1.4), (1, 9, 2, 8))  V.RandomLighting(0.6)  V.RandomGrayscale(0.5)  V.RandomPerspective(0.4, 0.8)
T.RandomApply([V.RandomHorizontalFlip(), V.RandomVerticalFlip()], 0.7)  T.RandomChoice([V.RandomHorizontalFlip(0.9), V.RandomVerticalFlip()])
T.RandomOrder([V.RandomHorizontalFlip(), V.RandomRotation(30)])  V.RandomInvert(0.4)
V.UniformAugment([V.RandomHorizontalFlip(), V.RandomVerticalFlip(), V.RandomColor(), V.Invert()], 3)
"""
ON_BOXES = """
V.RandomHorizontalFlipWithBBox()  V.RandomVerticalFlipWithBBox()  V.RandomCropWithBBox((10, 11), padding=2)
V.RandomResizedCropWithBBox((9, 7))  V.BoundingBoxAugment(V.RandomHorizontalFlip(0.6), 0.6)
"""
ON_BATCHES = """
V.MixUpBatch(0.4)  V.MixUpBatch(3.5)  V.CutMixBatch(V.ImageBatchFormat.NHWC)  V.CutMixBatch(V.ImageBatchFormat.NHWC, 0.5, 0.7)
V.MixUp(3, 0.3)
"""
ON_SOUND = """
A.FrequencyMasking(True, 3)  A.TimeMasking(True, 4)  A.MaskAlongAxisIID(4, 1.0, 2)  A.GriffinLim(16, 3)
A.InverseMelScale(9, 9, max_iter=3)
"""


def split(text):
    return [part for line in text.strip().splitlines() for part in line.split("  ") if part]


def told(value):
    array = np.asarray(value, np.float64)
    weights = np.arange(array.size) % 97 + 1
    return [list(array.shape), float(array.sum()), float(array.ravel() @ weights)]


def rows(data, epochs=2):
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [[[told(value) for value in row] for row in iterator] for _ in range(epochs)]


class Rows:
    """Images and their numbers; `change` is called for each image."""

    def __init__(self, change=None):
        self.change = change

    def __getitem__(self, i):
        return (self.change(IMAGES[i]) if self.change else IMAGES[i]), np.int32(i)

    def __len__(self):
        return len(IMAGES)


def images(change=None, **options):
    return ds.GeneratorDataset(Rows(change), ["image", "label"], shuffle=False, **options)


def case(name, function):
    def run():
        ds.config.set_seed(21)
        return function()

    CASES[name] = run


def map_of(data, operations, workers, columns=("image",), **options):
    return data.map(operations, list(columns), num_parallel_workers=workers, **options)


def made(expression):
    return eval(expression, dict(NAMES))


for text in split(ON_ARRAYS):
    case(
        f"{text} called",
        lambda text=text: [told(made(text)(image)) for image in (IMAGES[0], IMAGES[1][:, :12], IMAGES[0])],
    )
    case(
        f"{text} of 2",
        lambda text=text: rows(map_of(ds.NumpySlicesDataset({"image": IMAGES[:3]}, shuffle=False), made(text), 2)),
    )
for text in split(IN_PYTHON):
    case(f"{text} called", lambda text=text: (lambda op: [told(op(image)) for image in IMAGES[:4]])(made(text)))
    case(f"{text} of 1", lambda text=text: rows(map_of(images(), made(text), 1)))
for text in split(ON_PILLOW):
    case(
        f"{text} on Pillow",
        lambda text=text: (lambda op: [told(op(Image.fromarray(i))) for i in IMAGES[:4]])(made(text)),
    )
    case(
        f"{text} on Pillow of 1",
        lambda text=text: rows(map_of(images(), [V.ToPIL(), made(text), lambda x: np.asarray(x)], 1), 1),
    )
for text in split(ON_BOXES):
    case(
        text,
        lambda text=text: rows(
            map_of(
                ds.NumpySlicesDataset({"image": IMAGES[:5], "boxes": np.stack([BOXES] * 5)}, shuffle=False),
                made(text),
                2,
                ("image", "boxes"),
            ),
            1,  # MindSpore writes into the source's boxes, so that the next epoch would begin with others
        ),
    )
for text in split(ON_BATCHES):
    case(
        text,
        lambda text=text: rows(
            map_of(
                ds.NumpySlicesDataset({"image": IMAGES, "label": LABELS}, shuffle=False).batch(3),
                made(text),
                1,
                ("image", "label"),
            )
        ),
    )
for text in split(ON_SOUND):
    case(text, lambda text=text: [told(made(text)(SPECTRUM)) for _ in range(2)])
case("A.Dither RPDF", lambda: [told(A.Dither(A.DensityFunction.RPDF)(WAVE))])
case("A.Dither GPDF", lambda: [told(A.Dither(A.DensityFunction.GPDF, shaping)(WAVE)) for shaping in (False, True)])

CROP = "V.RandomCrop(12)"
PIPELINES = {
    "functions between": lambda: map_of(
        images(), [lambda x: x + 1, made(CROP), lambda x: x, V.RandomHorizontalFlip()], 2
    ),
    "two maps": lambda: map_of(map_of(images(), made(CROP), 2), [V.RandomVerticalFlip(), V.RandomPosterize((2, 7))], 1),
    "repeat": lambda: map_of(images(), made(CROP), 2).repeat(2).batch(5),
    "take": lambda: map_of(images(), made(CROP), 2).take(4),
    "take of repeats": lambda: map_of(images().shuffle(3), made(CROP), 2).repeat(2).take(3),
    "skip": lambda: map_of(images(), made(CROP), 2).skip(4),
    "zip": lambda: ds.zip((map_of(images(), made(CROP), 2), images().rename(["image", "label"], ["a", "b"]).take(3))),
    "concat": lambda: map_of(images(), made(CROP), 2) + map_of(images(), made(CROP), 2),
    "filter": lambda: map_of(images().filter(lambda label: label % 2 == 0, ["label"]), made(CROP), 2),
    "shuffle": lambda: map_of(images().shuffle(4), made(CROP), 2).batch(2, drop_remainder=True),
    "several columns": lambda: map_of(
        map_of(images(), lambda x: (x, 255 - x), 1, output_columns=["image", "mask"]),
        [V.RandomCrop(12, padding=2), V.RandomHorizontalFlip(), V.RandomVerticalFlip(), V.RandomResizedCrop(8)],
        2,
        ("image", "mask"),
    ),
    "several columns of batches": lambda: map_of(
        map_of(images().batch(3), lambda x: (x, 255 - x), 1, output_columns=["image", "mask"]),
        [V.RandomCrop(12, padding=2)],
        2,
        ("image", "mask"),
    ),
    "flips of batches": lambda: map_of(images().batch(3), [V.RandomHorizontalFlip(), V.RandomResizedCrop(9)], 2),
    "called by the source": lambda: images(made(CROP)).batch(3),
    "called by a function": lambda: map_of(images(), lambda x: V.RandomCrop(12)(x), 2),
    "a chain for Pillow called by the source": lambda: images(
        T.Compose([V.ToPIL(), V.RandomHorizontalFlip(), V.RandomCrop(9), V.ToTensor()])
    ).batch(2),
    "a chain called by the source": lambda: images(T.Compose([V.RandomHorizontalFlip(), V.RandomCrop(9), V.HWC2CHW()])),
    "1 process": lambda: map_of(
        images(), [lambda x: x + np.random.randint(0, 9), made(CROP)], 1, python_multiprocessing=True
    ),
    "2 processes": lambda: map_of(
        images(), [lambda x: x + np.random.randint(0, 9), made(CROP)], 2, python_multiprocessing=True
    ),
    "2 processes, operations only": lambda: map_of(images(), made(CROP), 2, python_multiprocessing=True),
    "2 processes of the source": lambda: images(
        lambda x: x + np.random.randint(0, 9) + random.randint(0, 3), num_parallel_workers=2
    ),
    "called by 2 processes of the source": lambda: images(made(CROP), num_parallel_workers=2),
    "2 processes of batches": lambda: images().batch(
        3,
        per_batch_map=lambda a, b, info: ([x + np.random.randint(0, 9) for x in a], b),
        num_parallel_workers=2,
        python_multiprocessing=True,
    ),
}
# Behind a function that gives an image of Pillow an operation works on the array, behind an operation for Pillow on the image.
for behind in (
    "V.Resize((25, 23))  V.RandomHorizontalFlip(0.4)  V.RandomCrop(12)  V.RandomResizedCrop(9)  V.RandomRotation(30)  V.RandomAffine(20)  "
    "V.Resize((25,23),V.Inter.AREA)  V.AutoContrast()  T.RandomApply([V.Resize((25,23))],0.6)  T.RandomChoice([V.Resize((20,18)),V.Invert()])"
).split("  "):
    PIPELINES[f"{behind} behind a function for Pillow"] = lambda text=behind: map_of(
        images(), [Image.fromarray, made(text)], 1
    )
    PIPELINES[f"{behind} behind two"] = lambda text=behind: map_of(
        images(), [V.ToPIL(), np.array, Image.fromarray, made(text), V.ToTensor()], 1
    )
    if "AREA" in behind or "Resize((25, 23))" in behind or "Auto" in behind:
        PIPELINES[f"{behind} behind ToPIL"] = lambda text=behind: map_of(images(), [V.ToPIL(), made(text)], 1)
for name, make in PIPELINES.items():
    case(name, lambda make=make: [rows(make(), 3), round(random.random(), 6), round(float(np.random.rand()), 6)])
