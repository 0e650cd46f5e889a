"""Automatic augmentation: learned policies and random choices among operations."""

import functools
from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeAlias

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Length, NonNegativeInt, PositiveInt, That, Within
from ..check import check, check_interval
from ..operation import draws, inside, numpy_draws, python_draws
from ..transforms.compose import run_one
from . import tone, warp
from .modes import AutoAugmentPolicy, Implementation, Inter
from .operation import ALL_NUMBERS, ImageOperation, colour, is_pil
from .rules import Fill

# An operation of the policies: (image, magnitude, interpolation, fill) -> image. A move is in pixels. (MindSpore takes these pixels as shares
# of the image's sides, so that all but the least moves leave a black image.)


def _affine(image, inter, fill, *, move=(0, 0), shear=(0.0, 0.0)):
    return warp.affine(image, 0.0, move, 1.0, shear, inter, fill)


_OPERATIONS = {
    "Identity": lambda image, m, inter, fill: image,
    "ShearX": lambda image, m, inter, fill: _affine(image, inter, fill, shear=(np.degrees(m), 0.0)),
    "ShearY": lambda image, m, inter, fill: _affine(image, inter, fill, shear=(0.0, np.degrees(m))),
    "TranslateX": lambda image, m, inter, fill: _affine(image, inter, fill, move=(m, 0)),
    "TranslateY": lambda image, m, inter, fill: _affine(image, inter, fill, move=(0, m)),
    "Rotate": lambda image, m, inter, fill: warp.rotate(image, m, inter, False, (), fill),
    "Brightness": lambda image, m, inter, fill: tone.brightness(image, 1.0 + m),
    "Color": lambda image, m, inter, fill: tone.saturation(image, 1.0 + m),
    "Contrast": lambda image, m, inter, fill: tone.contrast(image, 1.0 + m),
    "Sharpness": lambda image, m, inter, fill: tone.sharpness(image, 1.0 + m),
    "Posterize": lambda image, m, inter, fill: tone.posterize(image, int(m)),
    "Solarize": lambda image, m, inter, fill: tone.solarize(image, m, m),
    "AutoContrast": lambda image, m, inter, fill: tone.by_channel(
        image, lambda channel: tone.stretch_table(channel, 0, ())
    ),
    "Equalize": lambda image, m, inter, fill: tone.equalize(image),
    "Invert": lambda image, m, inter, fill: tone.invert(image),
}
_SIGNED = {"ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate", "Brightness", "Color", "Contrast", "Sharpness"}


def _steps(start, end, count, scale=1.0, offset=0.0):
    """`count` magnitudes from `start` to `end`, as float32."""
    start, end = np.float32(start), np.float32(end)
    step = (end - start) / np.float32(count - 1)
    return (start + np.arange(count, dtype=np.float32) * step) * np.float32(scale) + np.float32(offset)


def _space(shape, count, shear, move, rotate, enhance, least_bits, most):
    """Return the `count` magnitudes of each operation, rising in strength."""
    height, width = (np.float32(side) for side in shape[:2])
    across, down = (move, move) if move >= 1 else (np.float32(move) * width, np.float32(move) * height)
    tops = {
        "ShearX": shear,
        "ShearY": shear,
        "TranslateX": across,
        "TranslateY": down,
        "Rotate": rotate,
        **dict.fromkeys(("Brightness", "Color", "Contrast", "Sharpness"), enhance),
    }
    space = {name: _steps(0.0, top, count) for name, top in tops.items()}
    space.update(dict.fromkeys(_PLAIN, np.zeros(count, np.float32)))
    bits = _steps(0.0, count - 1.0, count, np.float32(least_bits - 8) / np.float32(count - 1), 8.0)
    space["Posterize"] = np.floor(bits + np.float32(0.5))
    space["Solarize"] = _steps(most, 0.0, count)
    return space


def _wrapped(draw, count):
    """A whole number below `count`; as in MindSpore, 0 comes twice as often as the others."""
    return draw.below(count + 1) % count


# The papers' largest moves are 150 pixels of an image of 331.
_AUTO = {"shear": 0.3, "move": 150.0 / 331.0, "rotate": 30.0, "enhance": 0.9, "least_bits": 4, "most": 255}
_WIDE = {"shear": 0.99, "move": 32, "rotate": 135.0, "enhance": 0.99, "least_bits": 2, "most": 255}
_PLAIN = ("Identity", "AutoContrast", "Equalize", "Invert")  # have no magnitude
_CHOICES = sorted((*_SIGNED, "Identity", "Posterize", "Solarize", "AutoContrast", "Equalize"))

# Table 9 of "AutoAugment: Learning Augmentation Policies from Data" (arXiv:1805.09501): operation, probability and
# magnitude (tenths of the largest) of the two steps of each of the 25 sub-policies.
_POLICIES = {
    AutoAugmentPolicy.IMAGENET: """
        Posterize 0.4 8, Rotate 0.6 9; Solarize 0.6 5, AutoContrast 0.6 0; Equalize 0.8 0, Equalize 0.6 0;
        Posterize 0.6 7, Posterize 0.6 6; Equalize 0.4 0, Solarize 0.2 4; Equalize 0.4 0, Rotate 0.8 8;
        Solarize 0.6 3, Equalize 0.6 0; Posterize 0.8 5, Equalize 1.0 0; Rotate 0.2 3, Solarize 0.6 8;
        Equalize 0.6 0, Posterize 0.4 6; Rotate 0.8 8, Color 0.4 0; Rotate 0.4 9, Equalize 0.6 0;
        Equalize 0.0 0, Equalize 0.8 0; Invert 0.6 0, Equalize 1.0 0; Color 0.6 4, Contrast 1.0 8;
        Rotate 0.8 8, Color 1.0 2; Color 0.8 8, Solarize 0.8 7; Sharpness 0.4 7, Invert 0.6 0;
        ShearX 0.6 5, Equalize 1.0 0; Color 0.4 0, Equalize 0.6 0; Equalize 0.4 0, Solarize 0.2 4;
        Solarize 0.6 5, AutoContrast 0.6 0; Invert 0.6 0, Equalize 1.0 0; Color 0.6 4, Contrast 1.0 8;
        Equalize 0.8 0, Equalize 0.6 0""",
    AutoAugmentPolicy.CIFAR10: """
        Invert 0.1 0, Contrast 0.2 6; Rotate 0.7 2, TranslateX 0.3 9; Sharpness 0.8 1, Sharpness 0.9 3;
        ShearY 0.5 8, TranslateY 0.7 9; AutoContrast 0.5 0, Equalize 0.9 0; ShearY 0.2 7, Posterize 0.3 7;
        Color 0.4 3, Brightness 0.6 7; Sharpness 0.3 9, Brightness 0.7 9; Equalize 0.6 0, Equalize 0.5 0;
        Contrast 0.6 7, Sharpness 0.6 5; Color 0.7 7, TranslateX 0.5 8; Equalize 0.3 0, AutoContrast 0.4 0;
        TranslateY 0.4 3, Sharpness 0.2 6; Brightness 0.9 6, Color 0.2 8; Solarize 0.5 2, Invert 0.0 0;
        Equalize 0.2 0, AutoContrast 0.6 0; Equalize 0.2 0, Equalize 0.6 0; Color 0.9 9, Equalize 0.6 0;
        AutoContrast 0.8 0, Solarize 0.2 8; Brightness 0.1 3, Color 0.7 0; Solarize 0.4 5, AutoContrast 0.9 0;
        TranslateY 0.9 9, TranslateY 0.7 9; AutoContrast 0.9 0, Solarize 0.8 3; Equalize 0.8 0, Invert 0.1 0;
        TranslateY 0.7 9, AutoContrast 0.9 0""",
    AutoAugmentPolicy.SVHN: """
        ShearX 0.9 4, Invert 0.2 0; ShearY 0.9 8, Invert 0.7 0; Equalize 0.6 0, Solarize 0.6 6;
        Invert 0.9 0, Equalize 0.6 0; Equalize 0.6 0, Rotate 0.9 3; ShearX 0.9 4, AutoContrast 0.8 0;
        ShearY 0.9 8, Invert 0.4 0; ShearY 0.9 5, Solarize 0.2 6; Invert 0.9 0, AutoContrast 0.8 0;
        Equalize 0.6 0, Rotate 0.9 3; ShearX 0.9 4, Solarize 0.3 3; ShearY 0.8 8, Invert 0.7 0;
        Equalize 0.9 0, TranslateY 0.6 6; Invert 0.9 0, Equalize 0.6 0; Contrast 0.3 3, Rotate 0.8 4;
        Invert 0.8 0, TranslateY 0.0 2; ShearY 0.7 6, Solarize 0.4 8; Invert 0.6 0, Rotate 0.8 4;
        ShearY 0.3 7, TranslateX 0.9 3; ShearX 0.1 6, Invert 0.6 0; Solarize 0.7 2, TranslateY 0.6 7;
        ShearY 0.8 4, Invert 0.8 0; ShearX 0.7 9, TranslateY 0.8 3; ShearY 0.8 5, AutoContrast 0.7 0;
        ShearX 0.7 2, Invert 0.1 0""",
}


@functools.cache
def _sub_policies(policy):
    """Return the sub-policies of a table above: pairs of (operation, probability, magnitude)."""
    return [
        [
            (name, float(chance), int(magnitude))
            for name, chance, magnitude in (step.split() for step in pair.split(","))
        ]
        for pair in _POLICIES[policy].split(";")
    ]


Bins = Annotated[int, Within("[2, 16777216]")]


class _Policy(ImageOperation):
    """Base class of the augmentation policies, which share the interpolation and the fill colour."""

    deterministic = False
    implementation = Implementation.C
    ranks, channels, dtypes = (3,), (3,), ("uint8",)

    @checked
    def __init__(self, interpolation: Inter, fill_value: Fill):
        self.interpolation = interpolation
        self.fill_value = colour(fill_value)

    def _step(self, image, name, magnitude, negative):
        if name in _SIGNED and negative:
            magnitude = -magnitude
        return _OPERATIONS[name](image, float(magnitude), Inter.to_c_type(self.interpolation), self.fill_value)


class AutoAugment(_Policy):
    """Augment the image by one of the sub-policies that were learned for a data set.

    The policies are those of "AutoAugment: Learning Augmentation Policies from Data" (arXiv:1805.09501).

    Args:
        policy (AutoAugmentPolicy, optional): the data set. Default: ``AutoAugmentPolicy.IMAGENET``.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.NEAREST``.
        fill_value (Union[int, tuple[int]], optional): byte or (R, G, B) of what lies outside. Default: ``0``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `fill_value` is not a byte.
        RuntimeError: the array is not <H, W, 3> of uint8.

    Examples:
        >>> import functools
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10)(np.zeros((8, 9, 3), np.uint8)).shape
        (8, 9, 3)
    """

    @checked
    def __init__(
        self,
        policy: AutoAugmentPolicy = AutoAugmentPolicy.IMAGENET,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Fill = 0,
    ):
        super().__init__(interpolation, fill_value)
        self.policy = policy

    def _array(self, image):
        draw, pairs = draws(), _sub_policies(AutoAugmentPolicy(self.policy))
        pair = pairs[draw.below(len(pairs))]
        chances = [draw.canonical32() for _ in range(2)]
        signs = [draw.below(2) for _ in range(2)]
        space = _space(image.shape, 10, **{**_AUTO, "most": 256})
        for (name, probability, magnitude), chance, sign in zip(pair, chances, signs, strict=True):
            if chance <= np.float32(probability):
                image = self._step(image, name, space[name][magnitude], sign == 0)
        return image


class RandAugment(_Policy):
    """Augment the image by randomly chosen operations of one magnitude (arXiv:1909.13719).

    Args:
        num_ops (int, optional): the operations to run. Default: ``2``.
        magnitude (int, optional): their magnitude, from 0 to `num_magnitude_bins` - 1. Default: ``9``.
        num_magnitude_bins (int, optional): the steps of magnitude, 2 or more. Default: ``31``.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.NEAREST``.
        fill_value (Union[int, tuple[int]], optional): byte or (R, G, B) of what lies outside. Default: ``0``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the array is not <H, W, 3> of uint8.

    Examples:
        >>> import functools
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.RandAugment()(np.zeros((8, 9, 3), np.uint8)).shape
        (8, 9, 3)
    """

    @checked
    def __init__(
        self,
        num_ops: Annotated[int, Within("[0, 16777216]")] = 2,
        magnitude: NonNegativeInt = 9,
        num_magnitude_bins: Bins = 31,
        interpolation: Inter = Inter.NEAREST,
        fill_value: Fill = 0,
    ):
        check_interval(magnitude, 0, num_magnitude_bins, "magnitude", right_open=True)
        super().__init__(interpolation, fill_value)
        self.num_ops = num_ops
        self.magnitude = magnitude
        self.num_magnitude_bins = num_magnitude_bins

    def _array(self, image):
        draw, space = draws(), _space(image.shape, self.num_magnitude_bins, **_AUTO)
        for _ in range(self.num_ops):
            name = _CHOICES[_wrapped(draw, len(_CHOICES))]
            image = self._step(image, name, space[name][self.magnitude], _wrapped(draw, 2))
        return image


class TrivialAugmentWide(_Policy):
    """Augment the image by one randomly chosen operation of a random magnitude (arXiv:2103.10158).

    Args:
        num_magnitude_bins (int, optional): the steps of magnitude, 2 or more. Default: ``31``.
        interpolation (Inter, optional): how to sample between pixels. Default: ``Inter.NEAREST``.
        fill_value (Union[int, tuple[int]], optional): byte or (R, G, B) of what lies outside. Default: ``0``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the array is not <H, W, 3> of uint8.

    Examples:
        >>> import functools
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> vision.TrivialAugmentWide()(np.zeros((8, 9, 3), np.uint8)).shape
        (8, 9, 3)
    """

    @checked
    def __init__(self, num_magnitude_bins: Bins = 31, interpolation: Inter = Inter.NEAREST, fill_value: Fill = 0):
        super().__init__(interpolation, fill_value)
        self.num_magnitude_bins = num_magnitude_bins

    def _array(self, image):
        draw, space = draws(), _space(image.shape, self.num_magnitude_bins, **_WIDE)
        name = _CHOICES[_wrapped(draw, len(_CHOICES))]
        place = 0 if name in _PLAIN else _wrapped(draw, self.num_magnitude_bins)
        return self._step(image, name, space[name][place], _wrapped(draw, 2))


def _has_two(step):
    return isinstance(step, tuple) and len(step) == 2


Step: TypeAlias = Annotated[
    Any,
    That("(operation, probability)", _has_two),
    That("with a function", lambda step: callable(step[0]), is_type=True),
    That("with a probability in [0, 1]", lambda step: 0 <= step[1] <= 1),
]
Steps = Annotated[list[Step], Length(at_least=1)]


class RandomSelectSubpolicy(ImageOperation):
    """Run a randomly chosen sub-policy, each of its operations with its probability.

    Args:
        policy (list[list[tuple[TensorOperation, float]]]): the sub-policies: lists of (operation, probability).

    Raises:
        TypeError: `policy` is no such list.
        ValueError: a list is empty, an item is not a pair, or a probability is not between 0 and 1.

    Examples:
        >>> import functools
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> policy = vision.RandomSelectSubpolicy([[(vision.Invert(), 1.0)]])
        >>> policy(np.array([[[0, 100, 255]]], np.uint8)).tolist()
        [[[255, 155, 0]]]
    """

    deterministic = False
    implementation = Implementation.C

    @checked
    def __init__(self, policy: Annotated[list[Steps], Length(at_least=1)]):
        self.policy = policy

    def apply(self, *columns):
        draw = draws()
        chosen = draw.below(len(self.policy))
        for i, (transform, chance) in enumerate(self.policy[chosen]):
            if draw.uniform() <= chance:
                with inside((chosen, i)):
                    columns = run_one(transform, columns)
        return columns[0] if len(columns) == 1 else columns


class UniformAugment(ImageOperation):
    """Run some randomly chosen operations, each with probability 1/2.

    Args:
        transforms (Sequence): the operations to choose among.
        num_ops (int, optional): how many to choose. Default: ``2``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `num_ops` is not positive or more than there are operations.

    Examples:
        >>> import functools
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> augment = vision.UniformAugment([vision.HorizontalFlip(), vision.VerticalFlip()], 1)
        >>> augment(np.zeros((8, 9, 3), np.uint8)).shape
        (8, 9, 3)
    """

    deterministic = False

    dtypes = ALL_NUMBERS

    @checked
    def __init__(self, transforms: Sequence[Callable], num_ops: PositiveInt = 2):
        check(num_ops <= len(transforms), "num_ops is greater than transforms list size.")
        self.transforms = list(transforms)
        self.num_ops = num_ops

    def parse_transforms(self):
        """Return the operations to choose among."""
        return list(self.transforms)

    def apply(self, image: np.ndarray):
        if is_pil(image):
            random = python_draws()
            for i in numpy_draws().choice(len(self.transforms), size=self.num_ops, replace=False):
                probability = random.random()
                if random.random() < probability:
                    image = self.transforms[i](image)
            return image
        draw = draws()
        for i in draw.sample(range(len(self.transforms)), self.num_ops):
            if not draw.below(2):
                with inside(i):
                    (image,) = run_one(self.transforms[i], (image,))
        return image
