"""Elements moved between channels, places and batch: pixel shuffle, space to depth, space to batch."""

import math
from typing import Annotated, Any

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Prim, args
from ...core.spec import Array, Ints, Nested, Static
from ...core.spec.rules import Rank
from ..shapes import ANY, number_of_axes


def _divided(name, what, value, by):
    if isinstance(by, bool) or not isinstance(by, int):
        raise TypeError(f"For '{name}', the factor must be int, but got {type(by).__name__}.")
    if by < 1 or value % by:
        raise ValueError(f"For '{name}', {what} must be divisible by the factor, but got {value} and {by}.")
    return value // by


@op(ops=True, mint="nn.functional.pixel_shuffle")
def pixel_shuffle(input: Annotated[Array, Rank(at_least=3)], upscale_factor: Static[int]) -> Array:
    """(..., C r^2, H, W) to (..., C, H r, W r): each r x r block of pixels comes from r^2 channels."""
    r = upscale_factor
    *front, c, h, w = input.shape
    c = _divided("pixel_shuffle", "the channels", c, r) and _divided("pixel_shuffle", "the channels", c, r * r)
    n = len(front)
    x = input.reshape(*front, c, r, r, h, w).transpose(*range(n), n, n + 3, n + 1, n + 4, n + 2)
    return x.reshape(*front, c, h * r, w * r)


@op(ops=True)
def pixel_unshuffle(input: Annotated[Array, Rank(at_least=3)], downscale_factor: Static[int]) -> Array:
    """(..., C, H r, W r) to (..., C r^2, H, W), the inverse of `pixel_shuffle`."""
    r = downscale_factor
    *front, c, h, w = input.shape
    h, w = _divided("pixel_unshuffle", "the height", h, r), _divided("pixel_unshuffle", "the width", w, r)
    n = len(front)
    x = input.reshape(*front, c, h, r, w, r).transpose(*range(n), n, n + 2, n + 4, n + 1, n + 3)
    return x.reshape(*front, c * r * r, h, w)


@op(ops=True, prim=Prim("ChannelShuffle", init=args("group"), call=args("x"), to={"group": "groups"}))
def channel_shuffle(x: Array, groups: Static[int]) -> Array:
    """(N, g C, ...): the channels in the order that takes one of each of g groups in turn."""
    number_of_axes("ChannelShuffle", range(4, ANY), TypeError, x=x.shape)
    each = _divided("channel_shuffle", "the channels", x.shape[1], groups)
    return jnp.swapaxes(x.reshape(x.shape[0], groups, each, *x.shape[2:]), 1, 2).reshape(x.shape)


@op(prim=Prim("SpaceToDepth", inputs=("x",)), ops=True)
def space_to_depth(x: Array, block_size: Static[int]) -> Array:
    """(N, C, H b, W b) to (N, b^2 C, H, W), the place in the block before the channel."""
    n, c, h, w = x.shape
    b = block_size
    h, w = _divided("SpaceToDepth", "the height", h, b), _divided("SpaceToDepth", "the width", w, b)
    return x.reshape(n, c, h, b, w, b).transpose(0, 3, 5, 1, 2, 4).reshape(n, b * b * c, h, w)


@op(prim=Prim("DepthToSpace", inputs=("x",)), ops=True)
def depth_to_space(x: Array, block_size: Static[int]) -> Array:
    """(N, b^2 C, H, W) to (N, C, H b, W b), the inverse of `space_to_depth`."""
    n, c, h, w = x.shape
    b = block_size
    c = _divided("DepthToSpace", "the channels", c, b * b)
    return x.reshape(n, b, b, c, h, w).transpose(0, 3, 4, 1, 5, 2).reshape(n, c, h * b, w * b)


def _pairs(values):
    if isinstance(values, (tuple, list)) and len(values) and not isinstance(values[0], (tuple, list)):
        raise ValueError(f"pairs of numbers are needed for each axis, but got {values}.")
    return [tuple(int(v) for v in pair) for pair in values]


def _to_batch(name, x, blocks, pads, first):
    """Blocks of the axes from `first` on become part of the batch."""
    if any(p < 0 for pair in pads for p in pair):
        raise ValueError(f"For '{name}', the 'paddings' must be non-negative, but got {pads}.")
    x = jnp.pad(x, [(0, 0)] * first + pads + [(0, 0)] * (x.ndim - first - len(pads)))
    split, order = list(x.shape[:first]), []
    for i, b in enumerate(blocks):
        split += [_divided(name, "each padded axis", x.shape[first + i], b), b]
        order.append(first + 2 * i + 1)
    rest = x.shape[first + len(blocks) :]
    kept = [i for i in range(first + 2 * len(blocks) + len(rest)) if i not in order]
    sizes = [split[first + 2 * i] for i in range(len(blocks))]
    moved = x.reshape(*split, *rest).transpose(*order, *kept)
    return moved.reshape(x.shape[0] * math.prod(blocks), *x.shape[1:first], *sizes, *rest)


def _to_space(name, x, blocks, crops, first):
    """The inverse of `_to_batch`."""
    count, n = math.prod(blocks), len(blocks)
    batch = _divided(name, "the batch", x.shape[0], count)
    split = x.reshape(*blocks, batch, *x.shape[1:])
    order = [n, *range(n + 1, n + first)]
    for i in range(n):
        order += [n + first + i, i]
    order += list(range(n + first + n, split.ndim))
    sizes = [x.shape[first + i] * b for i, b in enumerate(blocks)]
    out = split.transpose(order).reshape(batch, *x.shape[1:first], *sizes, *x.shape[first + n :])
    cut = [slice(a, size - b) for (a, b), size in zip(crops, sizes)]
    if any(a < 0 or b < 0 or a + b > size for (a, b), size in zip(crops, sizes)):
        raise ValueError(
            f"For '{name}', the 'crops' must be non-negative and smaller than the axes {sizes}, but got {crops}."
        )
    return out[(slice(None),) * first + tuple(cut)]


def _blocks(block, pairs):
    return [block] * len(pairs) if isinstance(block, int) else [int(b) for b in block]


@op(prim=Prim("SpaceToBatch", inputs=("input_x",)), ops=False)
def space_to_batch(input_x: Array, block_size: Static[int], paddings: Static[Nested]) -> Array:
    """(N, C, H, W), padded, with blocks of pixels moved to the batch: (N b^2, C, H / b, W / b)."""
    number_of_axes("SpaceToBatch", 4, input_x=input_x.shape)
    pads = _pairs(paddings)
    return _to_batch("SpaceToBatch", input_x, _blocks(block_size, pads), pads, 2)


@op(prim=Prim("BatchToSpace", inputs=("input_x",)), ops=False)
def batch_to_space(input_x: Array, block_size: Static[int], crops: Static[Nested]) -> Array:
    """(N b^2, C, H, W) to (N, C, H b, W b), cropped: the inverse of `SpaceToBatch`."""
    number_of_axes("BatchToSpace", 4, input_x=input_x.shape)
    pairs = _pairs(crops)
    return _to_space("BatchToSpace", input_x, _blocks(block_size, pairs), pairs, 2)


@op(
    prim=Prim(
        "SpaceToBatchND", init=args("block_shape", "paddings"), call=args("input_x"), to={"block_shape": "block_size"}
    ),
    ops=True,
)
def space_to_batch_nd(input_x: Array, block_size: Static[Ints], paddings: Static[Nested]) -> Array:
    """Blocks of the last axes, padded, moved to the batch."""
    pads = _pairs(paddings)
    return _to_batch("SpaceToBatchND", input_x, _blocks(block_size, pads), pads, input_x.ndim - len(pads))


@op(prim=Prim("BatchToSpaceND", inputs=("input_x",)), ops=True)
def batch_to_space_nd(input_x: Array, block_shape: Static[Ints], crops: Static[Nested]) -> Array:
    """The inverse of `space_to_batch_nd`; the result is cropped."""
    pairs = _pairs(crops)
    return _to_space("BatchToSpaceND", input_x, _blocks(block_shape, pairs), pairs, input_x.ndim - len(pairs))


@op(prim=Prim("BatchToSpaceNDV2"), ops=False)
def batch_to_space_nd_v2(input_x: Array, block_shape: Static[Any], crops: Static[Nested]) -> Array:
    """As `batch_to_space_nd`, but for the axes behind the batch."""
    pairs = _pairs(crops)
    return _to_space("BatchToSpaceNDV2", input_x, _blocks(block_shape, pairs), pairs, 1)
