"""Primitives and functions that MindSpore has in its inner modules (`ops.operations.math_ops.AddV2`, `ops.function.array_func.new_ones`).

Most are second versions of an operator; what they compute is that operator.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..core.operators import faces
from ..core.operators import record as registry
from ..core.operators.primitive import Primitive
from ..core.operators.record import composite, op, records
from ..core.operators.rows import Prim, args
from ..core.spec import Array, Axis, Key, Number, Operand, Seed
from .gradient.adjoints import adjoint, of_shape, prim, pull
from .shapes import last_axis, number_of_axes


def _primitive(name, *settings):
    return faces.primitive(name)(*settings)


def _function(name):
    return faces.function(registry.functions, name, "mindspore.ops")


class _VirtualDataset(Primitive):
    """The inputs of a network, as they are: batches are whole here, wherever their parts lie."""

    def __call__(self, *args):
        return args


# --- second versions
@composite(prim=Prim("AddV2"), ops=False)
def add_v2(x: Any, y: Any):
    """Sum of two Tensors."""
    return _primitive("Add")(x, y)


@composite(prim=Prim("ReLUV3"), ops=False)
def relu_v3(x: Any):
    """max(x, 0)."""
    return _primitive("ReLU")(x)


@composite(prim=Prim("Unsqueeze", inputs=("x",)), ops=False)
def unsqueeze_primitive(x: Any, axis: Axis):
    """A new axis of length 1 at `axis`."""
    return _primitive("ExpandDims")(x, axis)


@composite(prim=Prim("ArgminV2"), ops=False)
def argmin_v2(x: Any, axis: Axis):
    """The index of the least element along an axis, int32."""
    return _primitive("Argmin", int(axis))(x)


@composite(prim=Prim("RangeV2", inputs=("start", "limit", "delta")), ops=False)
def range_v2(start: Any, limit: Any, delta: Number, maxlen: int = 1000000):
    """Numbers from `start` on, `delta` apart, below `limit`."""
    numbers = _primitive("Range", maxlen)(start, limit, delta)
    return (
        records["cast"](numbers, start.dtype) if hasattr(start, "dtype") else numbers
    )  # unlike Range it keeps the type of its Tensors


@composite(prim=Prim("MaxPoolV1", inputs=("x",)), ops=False)
def max_pool_v1(x: Any, kernel_size: int = 1, strides: int = 1, pad_mode: str = "valid", data_format: str = "NCHW"):
    """Maximum over 2-D windows."""
    return _primitive("MaxPool", kernel_size, strides, pad_mode, data_format)(x)


@composite(prim=Prim("AvgPoolV1", inputs=("x",)), ops=False)
def avg_pool_v1(x: Any, kernel_size: int = 1, strides: int = 1, pad_mode: str = "valid", data_format: str = "NCHW"):
    """Mean over 2-D windows."""
    return _primitive("AvgPool", kernel_size, strides, pad_mode, data_format)(x)


@composite(prim=Prim("DynamicBroadcastTo"), ops=False)
def dynamic_broadcast_to(x: Any, shape: Any):
    """x repeated to a shape."""
    return _function("broadcast_to")(x, tuple(int(n) for n in shape))


@op(prim=Prim("SparseSoftmaxCrossEntropyWithLogitsV2"), ops=False)
def sparse_softmax_cross_entropy_with_logits_v2(features: Array, labels: Array):
    """-log softmax(features)[label] of each row, and its gradient."""
    loss, back = jax.vjp(lambda x: registry.records["cross_entropy_of_labels"].fn(x, labels), features)
    return loss, back(jnp.ones_like(loss))[0]


@op(prim=Prim("ConcatOffsetV1"), ops=False)
def concat_offset_v1(axis: Array, x: Operand):
    """Where each of the shapes begins when Tensors of these shapes are joined along `axis`: one Tensor for each."""
    number_of_axes("ConcatOffsetV1", 0, axis=axis.shape)
    lengths = jnp.stack(x)
    before = jnp.concatenate([jnp.zeros_like(lengths[:1]), jnp.cumsum(lengths, 0)[:-1].astype(lengths.dtype)])
    return tuple(jnp.where(jnp.arange(lengths.shape[1]) == axis % lengths.shape[1], before, 0))


@op(random=True, prim=Prim("Uniform", inputs=("x",)), ops=False)
def uniform_primitive(key: Key, x: Array, minval: Number = 0.0, maxval: Number = 1.0, seed: Seed = 0, offset: int = 0):
    """Uniform draws in the shape and dtype of x."""
    if x.dtype.kind != "f":
        raise TypeError(f"For 'Uniform', the type of 'x' must be float16, float32 or float64, but got {x.dtype}.")
    return jax.random.uniform(key, x.shape, x.dtype, minval, maxval)


@op(prim=Prim("AdjustContrastv2"), ops=False)
def adjust_contrast_v2(images: Array, contrast_factor: Operand):
    """The distance of each pixel (..., height, width, channels) from its channel's mean, times a factor."""
    last_axis("AdjustContrastv2", 3, images=images.shape)
    number_of_axes("AdjustContrastv2", 0, contrast_factor=jnp.shape(contrast_factor))
    mean = images.astype(jnp.float32).mean((-3, -2), keepdims=True)
    return ((images - mean) * contrast_factor + mean).astype(images.dtype)


@op(prim=Prim("Shift", inputs=("x", "fill_value")), ops=False)
def shift_primitive(x: Array, fill_value: Operand, periods: int = 1, axis: int = -1) -> Array:
    """The elements moved by `periods` places along an axis; fill_value stands where none came from. MindSpore has the kernel and no name for it."""
    place = axis % x.ndim
    count = min(max(periods, -x.shape[place]), x.shape[place])
    filled = jnp.full_like(jax.lax.slice_in_dim(x, 0, abs(count), axis=place), fill_value)
    if count < 0:
        return jnp.concatenate([jax.lax.slice_in_dim(x, -count, None, axis=place), filled], place)
    return jnp.concatenate([filled, jax.lax.slice_in_dim(x, 0, x.shape[place] - count, axis=place)], place)


@op(prim=Prim("TridiagonalSolve", inputs=("diagonals", "rhs")), ops=False)
def tridiagonal_solve(diagonals: Array, rhs: Operand, partial_pivoting: bool = True):
    """Solution of systems whose matrices are given as upper, main and lower diagonal (..., 3, n)."""
    number_of_axes("TridiagonalSolve", diagonals.ndim, rhs=rhs.shape)
    upper, main, lower = (diagonals[..., i, :] for i in range(3))
    size = main.shape[-1]
    matrix = main[..., None] * jnp.eye(size, dtype=main.dtype)
    matrix += upper[..., None] * jnp.eye(size, k=1, dtype=main.dtype)
    matrix += lower[..., None] * jnp.eye(size, k=-1, dtype=main.dtype)
    return jnp.linalg.solve(matrix, rhs)


@op(prim=Prim("SelfAdjointEig", inputs=("x",)), ops=False)
def self_adjoint_eig(x: Array, compute_v: bool = True):
    """Eigenvalues of symmetric matrices, and their eigenvectors where asked."""
    if compute_v:
        return tuple(jnp.linalg.eigh(x))
    return jnp.linalg.eigvalsh(x), jnp.zeros((), x.dtype)


@op(prim=Prim("ClipByNorm", inputs=("x", "clip_norm")), ops=False)
def clip_by_norm_primitive(x: Array, clip_norm: Operand, axis: Axis = None):
    """x scaled so that its norm over some axes (or all) is at most `clip_norm`."""
    norm = jnp.sqrt(jnp.sum(jnp.square(x.astype(jnp.float32)), axis, keepdims=True))
    return (x * clip_norm / jnp.maximum(norm, clip_norm)).astype(jnp.result_type(x, np.float32))


@adjoint(
    Prim(
        "PSROIPoolingGrad", init=args("input_size", "spatial_scale", "group_size", "output_dim"), call=args("x", "rois")
    )
)
def _(dy, rois, *, input_size, group_size, output_dim, **settings):
    forward = prim("PSROIPooling", group_size=group_size, output_dim=output_dim, **settings)
    if dy.shape != (rois.shape[0] * rois.shape[2], output_dim, group_size, group_size):
        raise RuntimeError(
            f"For 'PSROIPoolingGrad', the gradient must have the shape {(rois.shape[0] * rois.shape[2], output_dim, group_size, group_size)}, "
            f"but got {dy.shape}."
        )
    sides = (input_size, input_size) if isinstance(input_size, int) else input_size
    size = (rois.shape[0], group_size**2 * output_dim, *sides)
    return pull(lambda a: forward(a, rois), of_shape(size, dy), dy)


# --- functions
def _filled(name):
    def of(x, size, dtype=None):
        return _function(name)(size, x.dtype if dtype is None else dtype)

    of.__doc__ = f"A Tensor of {name} of some size, by default in the dtype of x."
    return of


new_ones, new_zeros = _filled("ones"), _filled("zeros")


def arg_max_with_value_(x: Any, axis: Any = 0, keep_dims: bool = False):
    """The index of the largest element along an axis, and the element."""
    return records["arg_max_with_value"](x, axis, keep_dims)


def arg_min_with_value_(x: Any, axis: Any = 0, keep_dims: bool = False):
    """The index of the least element along an axis, and the element."""
    return records["arg_min_with_value"](x, axis, keep_dims)
