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
