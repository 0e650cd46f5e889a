"""Diagonals and bands of matrices."""

from typing import Annotated, Any, Literal

import jax.numpy as jnp
import numpy as np

from ...core.operators.quotients import exact_sum
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Prim, args
from ...core.spec import Array, Dtype, Ints, Number, Operand, Static
from ...core.spec.rules import AsValue, Rank
from ...core.values import dtype as mstype
from ...core.values.promote import kind_of, numpy_or, written
from ..shape.shaping import axis_of
from ..shapes import ANY, number_of_axes, same_shape


@op(prim=Prim("Diag", call=args("input_x"), to={"input_x": "input"}), ops=True)
def diag(input: Annotated[Array, Rank(at_least=1)]) -> Array:
    """Tensor of twice as many axes with the elements on its diagonal, zeros elsewhere.

    Example:
        >>> print(ops.diag(Tensor([1, 2, 3])))
        [[1 0 0]
         [0 2 0]
         [0 0 3]]
    """
    return jnp.diag(input.reshape(-1)).reshape(input.shape * 2)


@op(prim=Prim("DiagPart", call=args("input_x"), to={"input_x": "input"}), ops=False)
def diag_part(input: Array) -> Array:
    """The diagonal of a Tensor whose second half of axes equals the first."""
    number_of_axes("DiagPart", range(2, ANY), input_x=input.shape)
    half = input.ndim // 2
    if input.ndim % 2 or input.shape[:half] != input.shape[half:]:
        raise ValueError(f"For 'DiagPart', the second half of the shape must equal the first, but got {input.shape}.")
    count = int(np.prod(input.shape[:half]))
    return jnp.diagonal(input.reshape(count, count)).reshape(input.shape[:half])


@op(name="mint_diag", ops=False, mint="diag")
def mint_diag(input: Array, diagonal: int = 0) -> Array:
    """Matrix with a vector on its diagonal, or the diagonal of a matrix."""
    return jnp.diag(input, diagonal)


@composite(ops=False, tensor="diag", name="diag_method")
def diag_method(self: Array, diagonal: int = 0) -> Array:
    """As `ops.diag`; with a `diagonal` other than 0 as `mint.diag`, for vectors and matrices."""
    return records["mint_diag"](self, diagonal) if diagonal else records["diag"](self)


@op(ops=True)
def diagonal(input: Annotated[Array, Rank(at_least=2)], offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    """The diagonal in two axes, as the last axis.

    Example:
        >>> print(ops.diagonal(Tensor([[1, 2], [3, 4]])))
        [1 4]
    """
    return jnp.diagonal(input, offset, axis_of("diagonal", dim1, input.ndim), axis_of("diagonal", dim2, input.ndim))


@composite(ops=False, tensor="diagonal", name="diagonal_method")
def diagonal_method(self: Array, offset: int = 0, axis1: int = 0, axis2: int = 1):
    """The diagonal in two axes, as the last axis."""
    return records["diagonal"](self, offset, axis1, axis2)


@op(ops=True, mint="diag_embed")
def diag_embed(input: Array, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Array:
    """Matrices in two new axes with the last axis on their diagonal.

    Example:
        >>> print(ops.diag_embed(Tensor([[1, 2], [3, 4]])))
        [[[1 0]
          [0 2]]
        <BLANKLINE>
         [[3 0]
          [0 4]]]
    """
    count, i = input.shape[-1] + abs(offset), jnp.arange(input.shape[-1])
    out = (
        jnp.zeros((*input.shape[:-1], count, count), input.dtype)
        .at[..., i + max(-offset, 0), i + max(offset, 0)]
        .set(input)
    )
    return jnp.moveaxis(out, (-2, -1), (axis_of("diag_embed", dim1, out.ndim), axis_of("diag_embed", dim2, out.ndim)))


@op(ops=True, tensor="diagflat")
def diagflat(input: Array, offset: int = 0) -> Array:
    """Matrix with all elements on a diagonal.

    Example:
        >>> print(ops.diagflat(Tensor([[1, 2], [3, 4]])))
        [[1 0 0 0]
         [0 2 0 0]
         [0 0 3 0]
         [0 0 0 4]]
    """
    return jnp.diagflat(input, offset)


@op(prim=Prim("Trace"), ops=True)
def trace(input: Array) -> Array:
    """Sum of the diagonal of a matrix.

    Example:
        >>> print(ops.trace(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        5.0
    """
    number_of_axes("Trace", 2, RuntimeError, input=input.shape)
    return exact_sum(jnp.diagonal(input), -1)


@op(ops=False, mint="trace", name="trace_ext")
def trace_ext(input: Array) -> Array:
    """Sum of the diagonal of a matrix; integers and bools give int64."""
    number_of_axes("TraceExt", 2, RuntimeError, input=input.shape)
    return exact_sum(jnp.diagonal(input if kind_of(input.dtype) > 1 else input.astype(jnp.int64)), -1)


@op(ops=False, tensor="trace", name="trace_method")
def trace_method(self: Array, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Dtype | None = None) -> Array:
    """Sum of a diagonal in two axes; integers give int64, but uint64 stays."""
    if dtype is None and jnp.issubdtype(self.dtype, jnp.integer) and self.dtype != jnp.uint64:
        dtype = mstype.int64
    return exact_sum(jnp.diagonal(self, offset, axis1, axis2).astype(numpy_or(dtype, self.dtype)), -1)


@op(
    prim=Prim("FillDiagonal", init=args("fill_value", wrap=False), call=args("input_x"), to={"input_x": "input"}),
    ops=False,
    tensor="fill_diagonal",
)
def fill_diagonal(input: Array, fill_value: Number, wrap: bool = False) -> Array:
    """A Tensor with its main diagonal set to one value. wrap: in a tall matrix the diagonal begins again below its
    end, after one row.
    """
    number_of_axes("FillDiagonal", range(2, ANY), input_x=input.shape)
    value = written(fill_value, input.dtype)
    if input.ndim == 2 and wrap:
        flat = input.reshape(-1)
        return flat.at[jnp.arange(0, input.size, input.shape[1] + 1)].set(value).reshape(input.shape)
    if input.ndim > 2 and len(set(input.shape)) > 1:
        raise ValueError(
            f"For 'FillDiagonal', a Tensor of more than 2 axes must have equal lengths, but got shape {input.shape}."
        )
    i = jnp.arange(min(input.shape))
    return input.at[(i,) * input.ndim].set(value)


@op(prim=Prim("MatrixBandPart"), ops=True)
def matrix_band_part(x: Array, lower: Operand, upper: Operand) -> Array:
    """Matrices (..., M, N) with zeros outside a band of `lower` diagonals below and `upper` above the main one; negative means all.

    Example:
        >>> print(ops.matrix_band_part(ops.ones((3, 3)), 1, 0))
        [[1. 0. 0.]
         [1. 1. 0.]
         [0. 1. 1.]]
    """
    i, j = jnp.arange(x.shape[-2])[:, None], jnp.arange(x.shape[-1])[None, :]
    lower, upper = (jnp.asarray(v)[..., None, None] for v in (lower, upper))
    keep = ((lower < 0) | (i - j <= lower)) & ((upper < 0) | (j - i <= upper))
    return jnp.where(keep, x, jnp.zeros_like(x))


# --- several diagonals at once: the last two axes of `x` hold diagonals k[1] down to k[0], each aligned in its row
Align = AsValue[Literal["RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"]]


def _range(k):
    k = tuple(int(v) for v in np.atleast_1d(np.asarray(k)))
    low, high = (k[0], k[0]) if len(k) == 1 else k
    if low > high:
        raise ValueError(f"For 'matrix_diag', k[0] must not be greater than k[1], but got {k}.")
    return low, high


def _places(rows, columns, low, high, align):
    """(row, column, valid) of each entry of the table of diagonals; longest is the length of its rows."""
    diagonals = np.arange(high, low - 1, -1)
    lengths = np.maximum(np.minimum(rows + np.minimum(diagonals, 0), columns - np.maximum(diagonals, 0)), 0)
    longest = min(rows + min(high, 0), columns - max(low, 0))
    right = np.where(diagonals >= 0, align.startswith("RIGHT"), align.endswith("RIGHT"))
    shift = np.where(right, longest - lengths, 0)[:, None]
    step = np.arange(longest)[None, :] - shift
    row, column = step + np.maximum(-diagonals, 0)[:, None], step + np.maximum(diagonals, 0)[:, None]
    valid = (step >= 0) & (step < lengths[:, None])
    return np.where(valid, row, 0), np.where(valid, column, 0), valid


@op(
    prim=Prim(
        "MatrixDiagV3", init=args(align="RIGHT_LEFT"), call=args("x", "k", "num_rows", "num_cols", "padding_value")
    ),
    ops=True,
)
def matrix_diag(
    x: Array,
    k: Static[Ints] = 0,
    num_rows: Static[Ints] = -1,
    num_cols: Static[Ints] = -1,
    padding_value: Operand = 0,
    align: Align = "RIGHT_LEFT",
) -> Array:
    """Matrices (..., num_rows, num_cols) with the given diagonals, and padding_value elsewhere.

    Args:
        x: one diagonal (..., length), or several (..., k[1] - k[0] + 1, length), the highest first.
        k: number of the diagonal, positive above the main one, or (lowest, highest).
        num_rows, num_cols: size of the matrices; -1 takes the smallest that fits.
        align: at which end of its row a diagonal shorter than `length` lies, for those above and those below the main one: "RIGHT_LEFT",
            "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Example:
        >>> print(ops.matrix_diag(Tensor([1.0, 2.0])))
        [[1. 0.]
         [0. 2.]]
    """
    low, high = _range(k)
    many = low != high
    number_of_axes("MatrixDiagV3", range(2 if many else 1, ANY), x=x.shape)
    sizes = {"num_rows": num_rows, "num_cols": num_cols, "padding_value": padding_value}
    number_of_axes("MatrixDiagV3", 0, **{name: np.shape(value) for name, value in sizes.items()})
    table = x if many else x[..., None, :]
    longest = table.shape[-1]
    rows, columns = (int(np.asarray(n).reshape(-1)[0]) for n in (num_rows, num_cols))
    need_rows, need_columns = longest - min(high, 0), longest + max(low, 0)
    if rows == -1 and columns == -1:
        rows = columns = max(need_rows, need_columns)
    elif rows == -1:
        rows = need_rows
    elif columns == -1:
        columns = need_columns
    row, column, valid = _places(rows, columns, low, high, align)
    out = jnp.full((*table.shape[:-2], rows, columns), jnp.asarray(padding_value).reshape(()).astype(x.dtype))
    return out.at[..., row[valid], column[valid]].set(table[..., valid])


@op(prim=Prim("MatrixDiagPartV3", inputs=("x", "k", "padding_value")), ops=True)
def matrix_diag_part(x: Array, k: Static[Any], padding_value: Array, align: Align = "RIGHT_LEFT") -> Array:
    """The diagonals `k` of matrices, in the form that `matrix_diag` takes; short ones are filled with padding_value.

    Example:
        >>> print(ops.matrix_diag_part(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor(0), Tensor(0.0)))
        [1. 4.]
    """
    low, high = _range(k)
    number_of_axes("MatrixDiagPartV3", 0, padding_value=padding_value.shape)
    row, column, valid = _places(x.shape[-2], x.shape[-1], low, high, align)
    out = jnp.where(valid, x[..., row, column], jnp.asarray(padding_value).reshape(()).astype(x.dtype))
    return out if low != high else out[..., 0, :]


@op(prim=Prim("MatrixSetDiagV3", init=args(align="RIGHT_LEFT"), call=args("x", "diagonal", "k")), ops=True)
def matrix_set_diag(x: Array, diagonal: Array, k: Static[int] = 0, align: Align = "RIGHT_LEFT") -> Array:
    """Matrices with some diagonals replaced.

    Example:
        >>> print(ops.matrix_set_diag(ops.zeros((2, 2)), Tensor([1.0, 2.0])))
        [[1. 0.]
         [0. 2.]]
    """
    low, high = _range(k)
    row, column, valid = _places(x.shape[-2], x.shape[-1], low, high, align)
    number_of_axes("MatrixSetDiagV3", range(1, ANY), diagonal=diagonal.shape)
    table = diagonal if low != high else diagonal[..., None, :]
    same_shape("MatrixSetDiagV3", diagonals=(*x.shape[:-2], *row.shape), diagonal=table.shape)
    return x.at[..., row[valid], column[valid]].set(table[..., valid])
