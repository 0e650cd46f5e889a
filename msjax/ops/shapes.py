"""Shapes that must agree: MindSpore's kernels of these operators do not broadcast. And words that name an order of axes."""

import sys
from collections.abc import Sequence
from typing import Any

ANY = sys.maxsize  # no upper limit of a number of axes


def any_case(word: Any):
    """A word in small letters: some operators of MindSpore take "Mean" and "MEAN" for "mean". Other values stay."""
    return word.lower() if isinstance(word, str) else word


def channels_last(data_format: str):
    """Whether the channels are the last axis ("NHWC", "NDHWC"); MindSpore takes "nhwc", too."""
    return any_case(data_format) in ("nhwc", "ndhwc")


def same_shape(name: str, kind: type[Exception] = ValueError, **shapes: Sequence[int]):
    """Raises where two shapes differ.

    Args:
        name: The operator, for the message.
        kind: The type of the exception.
        shapes: Two shapes, under the names that the message gives them.

    Example:
        >>> from msjax.ops.shapes import same_shape
        >>> same_shape("KLDivLoss", logits=(3, 2), labels=(2,))
        Traceback (most recent call last):
        ValueError: For 'KLDivLoss', the shape of 'labels' must be that of 'logits', (3, 2), but got (2,).
    """
    (first, wanted), (second, found) = shapes.items()
    if tuple(wanted) != tuple(found):
        raise kind(
            f"For '{name}', the shape of '{second}' must be that of '{first}', {tuple(wanted)}, but got {tuple(found)}."
        )


def fits_into(name: str, **shapes: Sequence[int]):
    """Raises ValueError where the second shape, broadcast to the first, does not give the first."""
    (first, wanted), (second, found) = shapes.items()
    if len(found) > len(wanted) or any(n not in (1, m) for n, m in zip(found[::-1], wanted[::-1])):
        raise ValueError(
            f"For '{name}', '{second}' must be broadcast to the shape of '{first}', {tuple(wanted)}, but got {tuple(found)}."
        )


def no_longer_beside(name: str, index: Sequence[int], array: Sequence[int], axis: int, kind: type[Exception]):
    """Raises where an index along one axis has more places than the array in another.

    Args:
        name: The operator, for the message.
        index: Its shape.
        array: The shape of what it is an index of.
        axis: The axis along which it counts; there it may have any length.
        kind: The type of the exception. Another number of axes is a ValueError.
    """
    if len(index) != len(array):
        raise ValueError(
            f"For '{name}', the input and the index must have the same number of axes, but got {len(array)} and {len(index)}."
        )
    if any(n > m for d, (n, m) in enumerate(zip(index, array)) if d != axis):
        raise kind(
            f"For '{name}', the index must not be longer than the input in other axes than {axis}, but got shapes "
            f"{tuple(index)} and {tuple(array)}."
        )


def one_value(name: str, value: object):
    """Raises ValueError for a Tensor with axes where one value is asked."""
    shape = getattr(value, "shape", ())
    if shape:
        raise ValueError(f"For '{name}', the 'value' must be a number or a Tensor without axes, but got shape {shape}.")


def number_of_axes(
    name: str, wanted: int | Sequence[int], kind: type[Exception] = ValueError, /, **shapes: Sequence[int]
):
    """Raises where a shape has another number of axes.

    Args:
        name: The operator, for the message.
        wanted: The number, or several that are allowed; `range(2, ANY)` for two or more.
        kind: The type of the exception.
        shapes: Shapes, under the names that the message gives them.

    Example:
        >>> from msjax.ops.shapes import number_of_axes
        >>> number_of_axes("HSVToRGB", 4, x=(2, 3))
        Traceback (most recent call last):
        ValueError: For 'HSVToRGB', 'x' must have 4 axes, but got shape (2, 3).
    """
    for argument, shape in shapes.items():
        if len(shape) == wanted if isinstance(wanted, int) else len(shape) in wanted:
            continue
        if isinstance(wanted, range) and wanted.stop == ANY:
            text = f"at least {wanted.start} {'axis' if wanted.start == 1 else 'axes'}"
        elif wanted == 0:
            text = "no axes"
        elif wanted == 1:
            text = "1 axis"
        else:
            text = f"{wanted if isinstance(wanted, int) else ' or '.join(map(str, wanted))} axes"
        raise kind(f"For '{name}', '{argument}' must have {text}, but got shape {tuple(shape)}.")


def last_axis(name: str, wanted: int, kind: type[Exception] = ValueError, /, **shapes: Sequence[int]):
    """Raises where the last axis has another length."""
    for argument, shape in shapes.items():
        if not shape or shape[-1] != wanted:
            raise kind(
                f"For '{name}', the last axis of '{argument}' must have length {wanted}, but got {tuple(shape)}."
            )
