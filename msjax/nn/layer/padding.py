"""Padding layers: constants, reflection, replication."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from ... import ops
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Length, Like
from ...ops.shapes import number_of_axes
from ..cell.cell import Cell

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor


class Pad(Cell):
    """x with zeros, or with its reflection, on both sides of each axis.

    Args:
        paddings: tuple of pairs (before, after), one for each axis, at most 4.
        mode: "CONSTANT" (zeros), "REFLECT" (without the edge) or "SYMMETRIC" (with the edge).

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> print(nn.Pad(((0, 0), (1, 1)))(Tensor([[1.0, 2.0]])))
        [[0. 1. 2. 0.]]
    """

    @checked
    def __init__(
        self,
        paddings: Annotated[tuple[Annotated[Any, Length(2)], ...], Length(0, 1, 2, 3, 4)],
        mode: AsValue[Literal["CONSTANT", "REFLECT", "SYMMETRIC"]] = "CONSTANT",
    ):
        super().__init__()
        self.mode = mode
        self.paddings = paddings

    def construct(self, x: "Tensor"):
        return ops.Pad(self.paddings)(x) if self.mode == "CONSTANT" else ops.MirrorPad(self.mode)(x, self.paddings)


class _PadNd(Cell):
    """Padding of the last axes: an int for all sides, or a tuple (left, right, top, bottom, front, back) cut to the
    number of axes.
    """

    _n = 1
    _mode = "constant"
    _negative = True
    _value = None

    @checked
    def __init__(self, padding: bool | int | tuple[int, ...]):
        super().__init__()
        name, sides = self.cls_name, 2 * self._n
        if isinstance(padding, int):
            padding = (padding,) * sides
        if len(padding) % 2 or len(padding) > sides:
            raise ValueError(
                f"For '{name}', the length of 'padding' must be a multiple of 2 and at most {sides}, but "
                f"got {len(padding)}."
            )
        if not self._negative and any(p < 0 for p in padding):
            raise ValueError(f"For '{name}', every element of 'padding' must be >= 0, but got {padding}.")
        self.padding = padding

    def construct(self, x):
        if not self.padding:
            return x
        if x.ndim < len(self.padding) // 2:
            raise ValueError(
                f"For '{self.cls_name}', the input must have at least {len(self.padding) // 2} axes, but "
                f"got shape {x.shape}."
            )
        if self._mode == "constant":
            return ops.pad(x, self.padding, mode="constant", value=self.value)
        return self._along_edges(x)

    def _along_edges(self, x):
        """The last axes padded one by one with the operator's modes, which allow any number of axes."""
        pairs = [(0, 0)] * (x.ndim - len(self.padding) // 2) + [
            self.padding[i : i + 2] for i in range(len(self.padding) - 2, -1, -2)
        ]
        if self._mode == "replicate":
            count = len(self.padding) // 2
            number_of_axes(self.cls_name, range(count + 1, count + 3), x=x.shape)
        if self._mode == "reflect":
            return ops.MirrorPad("REFLECT")(x, tuple(pairs))
        for axis, (before, after) in enumerate(pairs):
            size = x.shape[axis]
            if size + before + after <= 0:
                raise ValueError(
                    f"For '{self.cls_name}', the shape of input after padding must be positive, but got "
                    f"shape {x.shape} with 'padding' {self.padding}."
                )
            if (before, after) != (0, 0):
                x = ops.gather(x, ops.clamp(ops.arange(-before, size + after), 0, size - 1), axis)
        return x


class _ConstantPadNd(_PadNd):
    @checked
    def __init__(self, padding: bool | int | tuple[int, ...], value: bool | int | float):
        super().__init__(padding)
        self.value = value


class ConstantPad1d(_ConstantPadNd):
    """`value` on both sides of the last axis; `padding` is an int or (left, right).

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> print(nn.ConstantPad1d(1, 0.5)(Tensor([[1.0, 2.0]])))
        [[0.5 1.  2.  0.5]]
    """


class ConstantPad2d(_ConstantPadNd):
    """`value` on the sides of the last two axes; `padding` is an int or (left, right, top, bottom).

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> print(nn.ConstantPad2d(1, 0.5)(Tensor([[1.0, 2.0]])))
        [[0.5 0.5 0.5 0.5]
         [0.5 1.  2.  0.5]
         [0.5 0.5 0.5 0.5]]
    """

    _n = 2


class ConstantPad3d(_ConstantPadNd):
    """`value` on the sides of the last three axes; `padding` is an int or (left, right, top, bottom, front, back).

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> nn.ConstantPad3d(1, 0.5)(Tensor([[[1.0, 2.0]]])).shape
        (3, 3, 4)
    """

    _n = 3


class ZeroPad2d(_ConstantPadNd):
    """Zeros on the sides of the last two axes; `padding` is an int or (left, right, top, bottom).

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> print(nn.ZeroPad2d(1)(Tensor([[1.0, 2.0]])))
        [[0. 0. 0. 0.]
         [0. 1. 2. 0.]
         [0. 0. 0. 0.]]
    """

    _n = 2

    @checked
    def __init__(self, padding: Like[int | tuple]):
        super().__init__(padding, 0)


class ReflectionPad1d(_PadNd):
    """The last axis mirrored at its ends, without repeating them; `padding` is an int or (left, right).

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> print(nn.ReflectionPad1d(1)(Tensor([[1.0, 2.0, 3.0]])))
        [[2. 1. 2. 3. 2.]]
    """

    _mode, _negative = "reflect", False


class ReflectionPad2d(ReflectionPad1d):
    """The last two axes mirrored at their ends; `padding` is an int or (left, right, top, bottom).

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> print(nn.ReflectionPad2d(1)(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[4. 3. 4. 3.]
         [2. 1. 2. 1.]
         [4. 3. 4. 3.]
         [2. 1. 2. 1.]]
    """

    _n = 2


class ReflectionPad3d(ReflectionPad1d):
    """The last three axes mirrored at their ends; `padding` is an int or (left, right, top, bottom, front, back).

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> nn.ReflectionPad3d(1)(Tensor(np.ones((2, 2, 2), np.float32))).shape
        (4, 4, 4)
    """

    _n = 3


class ReplicationPad1d(_PadNd):
    """The ends of the last axis repeated; `padding` is an int or (left, right), negative numbers cut off.

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> print(nn.ReplicationPad1d(1)(Tensor([[1.0, 2.0]])))
        [[1. 1. 2. 2.]]
    """

    _mode = "replicate"


class ReplicationPad2d(ReplicationPad1d):
    """The ends of the last two axes repeated; `padding` is an int or (left, right, top, bottom).

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> print(nn.ReplicationPad2d(1)(Tensor([[[1.0, 2.0]]])))
        [[[1. 1. 2. 2.]
          [1. 1. 2. 2.]
          [1. 1. 2. 2.]]]
    """

    _n = 2


class ReplicationPad3d(ReplicationPad1d):
    """The ends of the last three axes repeated; `padding` is an int or (left, right, top, bottom, front, back).

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> nn.ReplicationPad3d(1)(Tensor(np.ones((1, 2, 2, 2), np.float32))).shape
        (1, 4, 4, 4)
    """

    _n = 3


__all__ = [
    "ConstantPad1d",
    "ConstantPad2d",
    "ConstantPad3d",
    "Pad",
    "ReflectionPad1d",
    "ReflectionPad2d",
    "ReflectionPad3d",
    "ReplicationPad1d",
    "ReplicationPad2d",
    "ReplicationPad3d",
    "ZeroPad2d",
]
