"""Matrix products of groups of rows, each group with a matrix of its own: the experts of a mixture of experts.

One `lax.ragged_dot` serves them all. Rows beyond the last group have the result 0.
"""

import functools
from typing import Any, Literal

import jax
import jax.numpy as jnp
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Number, Operand, Tensors
from ...core.spec.rules import AsValue
from ...core.values.dtype import to_numpy
from ..activation.functions import fast_gelu, gelu, relu, silu, swiglu


def _gated(activation, x):
    """activation of the first half of the last axis, times the second."""
    first, second = jnp.split(x, 2, -1)
    return activation(first) * second


_ACTIVATIONS = {
    "relu": relu,
    "gelu": functools.partial(gelu, approximate="none"),
    "fastgelu": fast_gelu,
    "silu": silu,
    "swiglu": swiglu,
    "geglu": lambda x: _gated(functools.partial(gelu, approximate="none"), x),
    "reglu": lambda x: _gated(relu, x),
}


def _sizes(group_list, counts):
    """int32 rows of each group, from their last rows (exclusive), or from the `counts` themselves."""
    given = jnp.asarray(group_list).astype(jnp.int32)
    return given if counts else jnp.diff(given, prepend=jnp.zeros(1, jnp.int32))


def _sums(x):
    """The dtype in which products of x are summed."""
    return jnp.int32 if x.dtype == jnp.int8 else jnp.promote_types(x.dtype, jnp.float32)


# Each is the other's gradient; JAX itself cannot differentiate the second one again.
@jax.custom_vjp
def grouped_rows(x: jax.Array, weight: jax.Array, sizes: jax.Array):
    """x (M, K) @ weight (E, K, N), rows taken group by group -> (M, N) in the dtype of the sums."""
    return lax.ragged_dot(x, weight, sizes, preferred_element_type=_sums(x))


@jax.custom_vjp
def grouped_columns(x: jax.Array, weight: jax.Array, sizes: jax.Array):
    """For each group of the shared axis, x (M, K)[:, group] @ weight (K, N)[group] -> (E, M, N) in the dtype of the sums."""
    shape = jax.ShapeDtypeStruct((sizes.shape[0], x.shape[0], weight.shape[1]), _sums(x))
    transposed = jax.linear_transpose(lambda w: lax.ragged_dot(x.T.astype(w.dtype), w, sizes), shape)
    return transposed(weight.astype(shape.dtype))[0]


def _rows_back(grad, weight, sizes):
    return grouped_rows(grad, jnp.swapaxes(weight, 1, 2), sizes).astype(grad.dtype)


def _of_rows(saved, d):
    x, weight, sizes = saved
    d = d.astype(x.dtype)
    return _rows_back(d, weight, sizes), grouped_columns(x.T, d, sizes).astype(weight.dtype), None


def _of_columns(saved, d):
    x, weight, sizes = saved
    d = d.astype(x.dtype)
    of_x = grouped_rows(weight, jnp.swapaxes(d, 1, 2), sizes).T
    return of_x.astype(x.dtype), grouped_rows(x.T, d, sizes).astype(weight.dtype), None


grouped_rows.defvjp(lambda *inputs: (grouped_rows(*inputs), inputs), _of_rows)
grouped_columns.defvjp(lambda *inputs: (grouped_columns(*inputs), inputs), _of_columns)


def _one(tensors, i):
    """The i-th Tensor of a list, None where there is no list or the Tensor is empty (MindSpore's way to leave one out)."""
    if tensors is None:
        return None
    tensor = tensors[i] if isinstance(tensors, (tuple, list)) else tensors
    return None if tensor is None or tensor.size == 0 else tensor


def _each(values, rank):
    """(N,) or (E, N) so that it stands over the columns of a weight of that rank."""
    return values[:, None] if rank == 3 and values.ndim == 2 else values


def dequantized(weight: jax.Array, scale: jax.Array, offset: jax.Array):
    """(weight + offset) * scale, one number of each a column; the weight itself without a scale."""
    if scale is None:
        return weight
    weight = weight.astype(scale.dtype)
    if offset is not None:
        weight = weight + _each(offset, weight.ndim)
    return weight * _each(scale, weight.ndim)


def _of_groups(per_group, sizes, rows):
    """(E, N), a row for each group, as (rows, N), a row for each row of the product; 0 for rows beyond the last group."""
    spread = jnp.repeat(per_group, sizes, axis=0, total_repeat_length=rows)
    return jnp.where((jnp.arange(rows) < sizes.sum())[:, None], spread, 0)


def _grouped_matmul(
    name, x, weight, bias, scale, antiquant_scale, antiquant_offset, token_scale, groups, split_item, group_type, dtype
):
    if split_item not in (0, 3) or group_type not in (-1, 0) or (split_item == 3) != (group_type == 0):
        raise TypeError(
            f"For '{name}', 'split_item' and 'group_type' must be 0 and -1 (a product for each pair) or 3 and 0 (groups of rows), but "
            f"got {split_item} and {group_type}."
        )
    if group_type == 0 and groups is None:
        raise TypeError(f"For '{name}', 'group_list' must be given when 'split_item' is 3, but got None.")

    def finished(out, i, spread):
        columns, tokens, added = _one(scale, i), _one(token_scale, i), _one(bias, i)
        if columns is not None:
            out = out * spread(columns)
        if tokens is not None:
            out = out * tokens[:, None]
        if added is not None:
            out = out + spread(added)
        quantized = x[i].dtype == jnp.int8
        return out.astype(to_numpy(dtype) if dtype is not None else jnp.float16 if quantized else x[i].dtype)

    if group_type == -1:
        pairs = []
        for i, (a, w) in enumerate(zip(x, weight, strict=True)):
            w = dequantized(w, _one(antiquant_scale, i), _one(antiquant_offset, i))
            pairs.append(finished(jnp.matmul(a, w, preferred_element_type=_sums(a)), i, lambda values: values))
        return tuple(pairs)
    w = weight[0] if len(weight) == 1 else jnp.stack(weight)
    w = dequantized(w, _one(antiquant_scale, 0), _one(antiquant_offset, 0))
    a = x[0].astype(w.dtype) if x[0].dtype != jnp.int8 else x[0]
    rows = a.shape[0]

    def spread(values):
        return _of_groups(values, groups, rows) if values.ndim == 2 else values

    return (finished(grouped_rows(a, w, groups), 0, spread),)


_LISTS = "x, weight, bias=None, scale=None, offset=None, antiquant_scale=None, antiquant_offset=None, group_list=None"
_CHOICES, _TURNS = "split_item=0, group_type=-1", "transpose_a=False, transpose_b=False"


@op(
    ops=(
        "grouped_matmul",
        Face(
            "grouped_matmul_v2",
            args(
                "x",
                "weight",
                bias=None,
                scale=None,
                offset=None,
                antiquant_scale=None,
                antiquant_offset=None,
                group_list=None,
                split_item=0,
                group_type=-1,
            ),
        ),
    ),
    prim=(
        Prim(
            "GroupedMatmul",
            inputs=("x", "weight", "bias", "scale", "offset", "antiquant_scale", "antiquant_offset", "group_list"),
        ),
        Prim(
            "GroupedMatmulV2",
            call=args(
                "x",
                "weight",
                bias=None,
                scale=None,
                offset=None,
                antiquant_scale=None,
                antiquant_offset=None,
                group_list=None,
                split_item=0,
                group_type=-1,
            ),
        ),
    ),
)
def grouped_matmul(
    x: Tensors,
    weight: Tensors,
    bias: Any = None,
    scale: Any = None,
    offset: Any = None,
    antiquant_scale: Any = None,
    antiquant_offset: Any = None,
    group_list: Any = None,
    split_item: int = 0,
    group_type: int = -1,
    transpose_a: bool = False,
    transpose_b: bool = False,
):
    """A tuple of products of lists of Tensors: x[i] @ weight[i] + bias[i], or of groups of rows of x[0] (M, K) with weight[0] (E, K, N).

    split_item, group_type: 0 and -1, a product for each pair; 3 and 0, one Tensor, whose rows are grouped by `group_list` (E,): the row
    after the last of each group. antiquant_scale, antiquant_offset: a weight of int8 stands for (weight + offset) * scale.

    Raises:
        TypeError: other values of split_item and group_type, or no group_list with 3.
    """
    if transpose_a:
        x = [jnp.swapaxes(a, -1, -2) for a in x]
    if transpose_b:
        weight = [jnp.swapaxes(w, -1, -2) for w in weight]
    groups = None if group_list is None else _sizes(group_list, False)
    return _grouped_matmul(
        "grouped_matmul",
        x,
        weight,
        bias,
        scale,
        antiquant_scale,
        antiquant_offset,
        None,
        groups,
        split_item,
        group_type,
        None,
    )


_V4 = (
    "x, weight, bias=None, scale=None, offset=None, antiquant_scale=None, antiquant_offset=None, pre_token_scale=None, group_list=None, "
    "activation_input=None, activation_quant_scale=None, activation_quant_offset=None, split_item=0, group_type=-1, group_list_type=0, "
    "act_type=0, output_dtype=None"
)


@op(ops=True, prim=Prim("GroupedMatmulV4"))
def grouped_matmul_v4(
    x: Tensors,
    weight: Tensors,
    bias: Any = None,
    scale: Any = None,
    offset: Any = None,
    antiquant_scale: Any = None,
    antiquant_offset: Any = None,
    pre_token_scale: Any = None,
    group_list: Any = None,
    activation_input: Any = None,
    activation_quant_scale: Any = None,
    activation_quant_offset: Any = None,
    split_item: int = 0,
    group_type: int = -1,
    group_list_type: int = 0,
    act_type: int = 0,
    output_dtype: Any = None,
):
    """`grouped_matmul` of numbers of 8 bits, too: the product of int8 times `scale` (a column) and `pre_token_scale` (a row).

    group_list_type: 0, `group_list` holds the row after the last of each group; 1, it holds how many rows each group has.

    Raises:
        ValueError: act_type is not 0, which MindSpore does not take either.
    """
    if act_type or activation_input is not None:
        raise ValueError(
            f"For 'grouped_matmul_v4', 'act_type' must be 0 and the arguments of an activation None, but got {act_type}."
        )
    groups = None if group_list is None else _sizes(group_list, group_list_type == 1)
    return _grouped_matmul(
        "grouped_matmul_v4",
        x,
        weight,
        bias,
        scale,
        antiquant_scale,
        antiquant_offset,
        pre_token_scale,
        groups,
        split_item,
        group_type,
        output_dtype,
    )


_GMM = "x, weight, bias=None, group_list=None, group_type=0, group_list_type=0"


@op(ops=("gmm", "gmm_v2"), prim=(Prim("Gmm"), Prim("GmmV2")))
def gmm(
    x: Tensors,
    weight: Tensors,
    bias: Any = None,
    group_list: Any = None,
    group_type: AsValue[Literal[0, 2]] = 0,
    group_list_type: int = 0,
):
    """(product,) of one Tensor in each list: groups of rows, x (M, K) and weight (E, K, N) -> (M, N), or with group_type 2 groups of
    columns, x (M, K) and weight (K, N) -> (E, M, N).

    group_list: ints or a Tensor (E,): the row after the last of each group (group_list_type 0) or the rows of each group (1).

    Raises:
        ValueError: group_type is neither 0 nor 2.
    """
    sizes = _sizes(group_list, group_list_type == 1)
    x, weight = x[0], weight[0]
    if group_type == 2:
        return (grouped_columns(x, weight, sizes).astype(x.dtype),)
    out = grouped_rows(x, weight, sizes)
    if bias is not None:
        out = out + _of_groups(bias[0], sizes, x.shape[0])
    return (out.astype(x.dtype),)


_BACK = "grad, x, weight, group_list=None, group_list_type=0"


@op(ops=False, prim=(Prim("GmmBackward"), Prim("GmmV2Backward")), name="gmm_adjoints")
def gmm_adjoints(grad: Array, x: Operand, weight: Array, group_list: Any = None, group_list_type: int = 0):
    """(gradient of x, gradient of the weight) of `gmm` over groups of rows, for one Tensor in each list."""
    return _of_rows((x[0], weight[0], _sizes(group_list, group_list_type == 1)), grad[0])[:2]


@op(ops=("gmm_backward", "gmm_v2_backward"))
def gmm_backward(grad: Array, x: Operand, weight: Array, group_list: Any = None, group_list_type: int = 0):
    """((gradient of x,), (gradient of the weight,), ()) of `gmm` over groups of rows, for one Tensor in each list."""
    of_x, of_weight = gmm_adjoints(grad, x, weight, group_list, group_list_type)
    return (of_x,), (of_weight,), ()


@op(ops=True)
def gmm_backward_fusion(grad: Array, weight: Array, group_list: Any = None, group_list_type: int = 0):
    """((gradient of x,), (), ()) of `gmm` over groups of rows."""
    return (_rows_back(grad[0], weight[0], _sizes(group_list, group_list_type == 1)),), (), ()


@op(ops=True, prim=Prim("InplaceGroupedMatmulAdd"), writes=(3,))
def grouped_matmul_add_(x: Array, weight: Array, group_list: Operand, out: Operand):
    """`out` (E, K, N) or (E * K, N), changed itself: plus x[group].T @ weight[group] for each group of rows of x (M, K) and weight (M, N)."""
    product = grouped_columns(x.T, weight, _sizes(group_list, False))
    return out + product.reshape(out.shape).astype(out.dtype)


@op(ops=True, prim=Prim("InplaceMatmulAdd"), writes=(2,))
def matmul_add_(x: Array, weight: Array, C: Operand):  # noqa: N803 - MindSpore's name
    """`C` (..., M, N), changed itself: plus x.T @ weight, for x (..., K, M) and weight (..., K, N)."""
    return C + jnp.matmul(jnp.swapaxes(x, -1, -2), weight, preferred_element_type=C.dtype)


_FFN = (
    "x, weight1, weight2, expertTokens=None, bias1=None, bias2=None, scale=None, offset=None, deqScale1=None, deqScale2=None, "
    "antiquant_scale1=None, antiquant_scale2=None, antiquant_offset1=None, antiquant_offset2=None"
)


@op(
    ops=True,
    prim=Prim(
        "FFNExt",
        inputs=(
            "x",
            "weight1",
            "weight2",
            "expertTokens",
            "bias1",
            "bias2",
            "scale",
            "offset",
            "deqScale1",
            "deqScale2",
            "antiquant_scale1",
            "antiquant_scale2",
            "antiquant_offset1",
            "antiquant_offset2",
        ),
    ),
)
def ffn(
    x: Array,
    weight1: Operand,
    weight2: Operand,
    expertTokens: Any = None,  # noqa: N803 - MindSpore's names
    bias1: Any = None,
    bias2: Any = None,
    scale: Number | None = None,
    offset: Any = None,
    deqScale1: Any = None,  # noqa: N803
    deqScale2: Any = None,  # noqa: N803
    antiquant_scale1: Any = None,
    antiquant_scale2: Any = None,
    antiquant_offset1: Any = None,
    antiquant_offset2: Any = None,
    activation: AsValue[Literal[tuple(sorted(_ACTIVATIONS))]] = "fastgelu",
    inner_precise: int = 0,
):
    """activation(x @ weight1 + bias1) @ weight2 + bias2; `expertTokens` (E,) are the numbers of rows for each of the E
    experts.

    x: (..., H). weight1: (H, F) or (E, H, F), weight2: (F, H) or (E, F, H); of int8 with `antiquant_scale*`: (weight + offset) * scale.

    Raises:
        ValueError: an unknown activation, or int8 activations (scale, offset, deqScale*).
    """
    if any(s is not None for s in (scale, offset, deqScale1, deqScale2)):
        raise ValueError("For 'ffn', activations are not quantized: 'scale', 'offset' and 'deqScale*' must be None.")
    first = dequantized(weight1, antiquant_scale1, antiquant_offset1)
    second = dequantized(weight2, antiquant_scale2, antiquant_offset2)
    rows = x.reshape(-1, x.shape[-1])
    sizes = None if expertTokens is None else jnp.asarray(expertTokens).astype(jnp.int32)

    def layer(a, w, b):
        if sizes is None:
            out = jnp.matmul(a, w, preferred_element_type=_sums(a))
            return out if b is None else out + b
        out = grouped_rows(a, w, sizes)
        return out if b is None else out + _of_groups(b, sizes, a.shape[0])

    hidden = _ACTIVATIONS[activation](layer(rows, first, bias1)).astype(x.dtype)
    return layer(hidden, second, bias2).astype(x.dtype).reshape(*x.shape[:-1], second.shape[-1])
