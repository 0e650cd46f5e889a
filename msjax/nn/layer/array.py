"""Layers that rearrange: matrices and their diagonals, rolling, patches, channels, resizing."""

from typing import TYPE_CHECKING, Annotated, Any

from ... import ops
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import Like, PositiveInt, Rank
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..cell.cell import Cell

if TYPE_CHECKING:
    pass


class Tril(Cell):
    """The lower triangle of the last two axes, up to the `k`-th diagonal; zeros elsewhere.

    Example:
        >>> print(nn.Tril()(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[1. 0.]
         [3. 4.]]
    """

    def __init__(self):
        super().__init__()

    def construct(self, x: "Tensor", k: int = 0):
        return ops.tril(x, check.check_is_int(k, "k", self.cls_name))


class Triu(Cell):
    """The upper triangle of the last two axes, from the `k`-th diagonal on; zeros elsewhere.

    Example:
        >>> print(nn.Triu()(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[1. 2.]
         [0. 4.]]
    """

    def __init__(self):
        super().__init__()

    def construct(self, x: "Tensor", k: int = 0):
        return ops.triu(x, check.check_is_int(k, "k", self.cls_name))


def _check_matrix(cell, x):
    if x.ndim < 2:
        raise ValueError(f"For '{cell.cls_name}', the input must have at least 2 axes, but got shape {x.shape}.")


class MatrixDiag(Cell):
    """Matrices with the last axis of x on their diagonal: (..., n) to (..., n, n).

    Example:
        >>> print(nn.MatrixDiag()(Tensor([1.0, 2.0])))
        [[1. 0.]
         [0. 2.]]
    """

    def __init__(self):
        super().__init__()

    def construct(self, input_x: "Tensor"):
        return ops.diag_embed(input_x)


class MatrixDiagPart(Cell):
    """The diagonals of matrices: (..., m, n) to (..., min(m, n)).

    Example:
        >>> print(nn.MatrixDiagPart()(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [1. 4.]
    """

    def __init__(self):
        super().__init__()

    @checked
    def construct(self, input_x: Annotated[Tensor, Rank(at_least=2)]):
        return ops.diagonal(input_x, 0, -2, -1)


class MatrixSetDiag(Cell):
    """Matrices with other diagonals: x (..., m, n), diagonal (..., min(m, n)).

    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> print(nn.MatrixSetDiag()(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([5.0, 6.0])))
        [[5. 2.]
         [3. 6.]]
    """

    def __init__(self):
        super().__init__()

    @checked
    def construct(self, input_x: Annotated[Tensor, Rank(at_least=2)], diagonal: "Tensor"):
        rows, columns = input_x.shape[-2:]
        if diagonal.shape != (*input_x.shape[:-2], min(rows, columns)):
            raise ValueError(
                f"For '{self.cls_name}', the shape of 'diagonal' must be {(*input_x.shape[:-2], min(rows, columns))}, "
                f"but got {diagonal.shape}."
            )
        spread = diagonal.expand_dims(-1 if rows <= columns else -2)
        return ops.where(ops.eye(rows, columns, mstype.bool_), spread, input_x)


class Roll(Cell):
    """Elements moved round along axes: `shift` and `axis` are ints, or lists of the same length.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, or of unequal length.

    Example:
        >>> print(nn.Roll(1, 0)(Tensor([1.0, 2.0, 3.0])))
        [3. 1. 2.]
    """

    @checked
    def __init__(self, shift: int | tuple | list, axis: int | tuple | list):
        super().__init__()
        self.shift = [shift] if isinstance(shift, int) else list(shift)
        self.axis = [axis] if isinstance(axis, int) else list(axis)
        if len(self.shift) != len(self.axis):
            raise ValueError(
                f"For '{self.cls_name}', the length of 'shift' and of 'axis' must be the same, but got "
                f"{len(self.shift)} and {len(self.axis)}."
            )

    def construct(self, input_x: "Tensor"):
        for axis in self.axis:
            check.check_int_range(axis, -input_x.ndim, input_x.ndim, check.INC_LEFT, "axis", self.cls_name)
        return ops.roll(input_x, tuple(self.shift), tuple(self.axis))


class Unfold(Cell):
    """Patches of (N, C, H, W) as channels: (N, kH * kW * C, rows, columns).

    Args:
        ksizes, strides, rates: [1, row, column, 1]: patch size, steps between patches and between the elements of a
        patch.
        padding: "same" or "valid".

    Raises:
        TypeError, ValueError: an argument of another form.

    Example:
        >>> nn.Unfold([1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1])(Tensor(np.ones((1, 1, 4, 4), np.float32))).shape
        (1, 4, 2, 2)
    """

    @checked
    def __init__(
        self, ksizes: Like[tuple | list], strides: Like[tuple | list], rates: Like[tuple | list], padding: str = "valid"
    ):
        super().__init__()
        for what, value in (("ksize", ksizes), ("stride", strides), ("rate", rates)):
            check.check_value_type(f"{what}s", value, [tuple, list], self.cls_name)
            if len(value) != 4 or value[0] != 1 or value[3] != 1:
                raise ValueError(
                    f"For '{self.cls_name}', the format of '{what}s' must be [1, {what}_row, {what}_col, "
                    f"1], but got {value}."
                )
            if not all(isinstance(v, int) and v > 0 for v in value[1:3]):
                raise ValueError(
                    f"For '{self.cls_name}', the {what}_row and {what}_col in '{what}s' must be positive "
                    f"int, but got {value}."
                )
        self.ksizes, self.strides, self.rates = tuple(ksizes[1:3]), tuple(strides[1:3]), tuple(rates[1:3])
        self.padding = check.check_string(padding.lower(), ["same", "valid"], "padding", self.cls_name)

    def construct(self, input_x: "Tensor"):
        n, channels, *size = input_x.shape
        spans = [(k - 1) * r + 1 for k, r in zip(self.ksizes, self.rates)]
        if self.padding == "same":
            lacks = [
                max((-(-length // s) - 1) * s + span - length, 0) for length, s, span in zip(size, self.strides, spans)
            ]
            sides = [(lack // 2, lack - lack // 2) for lack in lacks]
            if any(lacks):
                input_x = ops.Pad(((0, 0), (0, 0), *sides))(input_x)
                size = input_x.shape[2:]
        rows, columns = ((length - span) // s + 1 for length, span, s in zip(size, spans, self.strides))
        parts = []
        for i in range(self.ksizes[0]):
            for j in range(self.ksizes[1]):
                top, left = i * self.rates[0], j * self.rates[1]
                parts.append(
                    input_x[
                        :,
                        :,
                        top : top + (rows - 1) * self.strides[0] + 1 : self.strides[0],
                        left : left + (columns - 1) * self.strides[1] + 1 : self.strides[1],
                    ]
                )
        return ops.cat(parts, 1)


class UnfoldExt(Cell):
    """`mint.nn.Unfold`: patches of (N, C, H, W) as columns (N, C * kH * kW, L).

    Example:
        >>> mint.nn.Unfold(2)(Tensor(np.ones((1, 1, 4, 4), np.float32))).shape
        (1, 4, 9)
    """

    def __init__(
        self, kernel_size: int | tuple, dilation: int | tuple = 1, padding: int | tuple = 0, stride: int | tuple = 1
    ):
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def construct(self, input: "Tensor"):
        return ops.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)


class Fold(Cell):
    """`mint.nn.Fold`: sums columns (N, C * kH * kW, L) back to (N, C, *output_size).

    Example:
        >>> mint.nn.Fold((4, 4), (2, 2), stride=2)(Tensor(np.ones((1, 4, 4), np.float32))).shape
        (1, 1, 4, 4)
    """

    def __init__(
        self,
        output_size: Any,
        kernel_size: int | tuple,
        dilation: int | tuple = 1,
        padding: int | tuple = 0,
        stride: int | tuple = 1,
    ):
        super().__init__()
        self.output_size, self.kernel_size = output_size, kernel_size
        self.dilation, self.padding, self.stride = dilation, padding, stride

    def construct(self, input: "Tensor"):
        return ops.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)


class ChannelShuffle(Cell):
    """The channels of (N, C, ...) interleaved from `groups` groups (Zhang et al., 2018).

    Raises:
        TypeError, ValueError: `groups` is not a positive int.

    Example:
        >>> print(nn.ChannelShuffle(2)(Tensor(np.arange(4, dtype=np.float32).reshape(1, 4, 1, 1))))
        [[[[0.]]
        <BLANKLINE>
          [[2.]]
        <BLANKLINE>
          [[1.]]
        <BLANKLINE>
          [[3.]]]]
    """

    @checked
    def __init__(self, groups: PositiveInt):
        super().__init__()
        self.groups = groups

    def construct(self, x: "Tensor"):
        n, channels = x.shape[:2]
        return x.reshape(n, self.groups, channels // self.groups, -1).transpose(0, 2, 1, 3).reshape(x.shape)


class Upsample(Cell):
    """x resized to `size` or by `scale_factor`, by "nearest", "linear", "bilinear", "bicubic", "trilinear" or "area"
    interpolation.

    Example:
        >>> nn.Upsample(scale_factor=2.0, mode="nearest", recompute_scale_factor=True)(Tensor([[[1.0, 2.0]]]))
        Tensor(shape=[1, 1, 4], dtype=Float32, value=
        [[[ 1.00000000e+00,  1.00000000e+00,  2.00000000e+00,  2.00000000e+00]]])
    """

    @checked
    def __init__(
        self,
        size: Like[int | tuple | None] = None,
        scale_factor: Like[float | tuple | None] = None,
        mode: Like[str] = "nearest",
        align_corners: Like[bool | None] = None,
        recompute_scale_factor: Like[bool | None] = None,
    ):
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def construct(self, x: "Tensor"):
        return ops.interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )


class ResizeBilinear(Cell):
    """x (N, C, H, W) resized bilinearly to `size` (H', W') or by an int `scale_factor`; a layer of MindSpore 1.x.

    Args: half_pixel_centers: the centres of pixels are at half numbers.

    Raises:
        TypeError, ValueError: neither, or both, of `size` and `scale_factor`.

    Example:
        >>> nn.ResizeBilinear()(Tensor(np.ones((1, 1, 2, 2), np.float32)), size=(4, 4)).shape
        (1, 1, 4, 4)
    """

    def __init__(self, half_pixel_centers: bool = False):
        super().__init__()
        self.half_pixel_centers = half_pixel_centers

    def construct(
        self,
        x: "Tensor",
        size: tuple[int, int] | list[int] | None = None,
        scale_factor: int | None = None,
        align_corners: bool = False,
    ):
        name = self.cls_name
        if (size is None) == (scale_factor is None):
            raise ValueError(
                f"For '{name}', exactly one of 'size' and 'scale_factor' must be given, but got {size} "
                f"and {scale_factor}."
            )
        check.check_value_type("align_corners", align_corners, [bool], name)
        if size is None:
            check.check_int(scale_factor, 1, check.GE, "scale_factor", name)
            size = tuple(scale_factor * length for length in x.shape[2:])
        else:
            check.check_value_type("size", size, [tuple, list], name)
        return ops.ResizeBilinearV2(align_corners, self.half_pixel_centers)(x, tuple(size))


__all__ = [
    "ChannelShuffle",
    "MatrixDiag",
    "MatrixDiagPart",
    "MatrixSetDiag",
    "ResizeBilinear",
    "Roll",
    "Tril",
    "Triu",
    "Unfold",
    "Upsample",
]
