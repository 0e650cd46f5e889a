"""Shapes that must agree: MindSpore's kernels of these operators do not broadcast."""

from collections.abc import Sequence


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
