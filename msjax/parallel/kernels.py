"""Collectives on arrays, by `jax.lax` over a bound axis: `kernel(place, *arrays, *settings)`.

Each position of the axis computes with its own arrays. XLA wants the groups of a gather to be of one size; where they are not,
the members write their parts into zeros, and those are added bit by bit.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

if TYPE_CHECKING:
    from .places import Place

_BITS = {1: jnp.uint8, 2: jnp.uint16, 4: jnp.uint32, 8: jnp.uint64}


def as_bits(x: Any):
    """(unsigned integers with the same bits, the way back): a sum of zeros and one such value leaves its bits
    unchanged.
    """
    dtype = x.dtype
    if dtype == jnp.bool_:
        return x.astype(jnp.uint8), lambda y: y.astype(jnp.bool_)
    if jnp.issubdtype(dtype, jnp.complexfloating):
        parts = jnp.stack([x.real, x.imag])
        bits, back = as_bits(parts)
        return bits, lambda y: lax.complex(*back(y))
    if jnp.issubdtype(dtype, jnp.unsignedinteger):
        return x, lambda y: y
    return lax.bitcast_convert_type(x, _BITS[dtype.itemsize]), lambda y: lax.bitcast_convert_type(y, dtype)


def broadcast(place: "Place", x: Any, root: int):
    """The array of the member `root`."""
    bits, back = as_bits(x)
    mine = jnp.where(place.index() == root, bits, jnp.zeros_like(bits))
    return back(lax.psum(mine, place.axis, axis_index_groups=place.index_groups))


def all_gather(place: "Place", x: Any):
    """The arrays of all members, along a new first axis."""
    if place.even:
        return lax.all_gather(x, place.axis, axis_index_groups=place.index_groups)
    if jnp.issubdtype(x.dtype, jnp.complexfloating):
        return lax.complex(all_gather(place, x.real), all_gather(place, x.imag))
    bits, back = as_bits(x)
    room = jnp.zeros((place.size, *bits.shape), bits.dtype)
    room = lax.dynamic_update_index_in_dim(room, bits, place.index(), 0)
    return back(lax.psum(room, place.axis, axis_index_groups=place.index_groups))


def all_reduce(place: "Place", x: Any, op: str):
    """Sum, maximum, minimum, product or bitwise combination over the members."""
    narrow = x.dtype == jnp.bool_
    if op in ("sum", "max", "min"):
        reduce = {"sum": lax.psum, "max": lax.pmax, "min": lax.pmin}[op]
        out = reduce(x.astype(jnp.int32) if narrow else x, place.axis, axis_index_groups=place.index_groups)
        return out.astype(x.dtype)
    gathered = all_gather(place, x)
    if op == "prod":
        return jnp.prod(gathered, axis=0, dtype=x.dtype)
    combine = {"band": jnp.bitwise_and, "bor": jnp.bitwise_or, "bxor": jnp.bitwise_xor}[op]
    out = gathered[0]
    for i in range(1, place.size):
        out = combine(out, gathered[i])
    return out


def reduce_scatter(place: "Place", x: Any, op: str):
    """The part of the reduction that belongs to each member: one n-th of the first axis."""
    if op == "sum" and place.even and x.dtype != jnp.bool_:
        return lax.psum_scatter(x, place.axis, axis_index_groups=place.index_groups, tiled=True)
    return own_part(place, all_reduce(place, x, op))


def own_part(place: "Place", x: Any):
    """The part of this member, if the first axis is cut into equal parts for all members of the group."""
    length = x.shape[0] // place.size
    return lax.dynamic_slice_in_dim(x, place.index() * length, length, 0)


def all_to_all(place: "Place", x: Any, split_axis: int, concat_axis: int):
    """The n pieces along `split_axis` go to the n members; those that come in are joined along `concat_axis`."""
    if place.even:
        return lax.all_to_all(x, place.axis, split_axis, concat_axis, axis_index_groups=place.index_groups, tiled=True)
    pieces = jnp.stack(jnp.split(x, place.size, split_axis))
    coming = lax.dynamic_index_in_dim(all_gather(place, pieces), place.index(), 1, keepdims=False)
    return jnp.concatenate(list(coming), concat_axis)


def all_gather_pieces(place: "Place", x: Any, sizes: Sequence[int]):
    """The one-dimensional arrays of all members, of `sizes` elements each, one behind the other."""
    longest = max(sizes)
    gathered = all_gather(place, jnp.pad(x, (0, longest - x.size)))
    return jnp.concatenate([gathered[i, :n] for i, n in enumerate(sizes)])


def reduce_scatter_pieces(place: "Place", x: Any, sizes: Sequence[int], op: str, mine: Any):
    """The part of `sizes[mine]` elements of the reduction of one-dimensional arrays that belongs to this member."""
    ends = np.cumsum(sizes)
    longest = max(sizes)
    parts = jnp.stack([jnp.pad(x[end - n : end], (0, longest - n)) for end, n in zip(ends, sizes)])
    return reduce_scatter(place, parts, op)[0, : sizes[mine]]


def exchange(place: "Place", order: Any, *given):
    """Messages between pairs of members: (a zero, the arrays that come in). given: the arrays to send, then `plan` and `mine`.

    `plan` lists (source, target, shape, dtype), those of member `mine` only. Messages from `mine` take the arrays in their order;
    returned are those to `mine`, in theirs. All pairs go in one order, the same for every member, so that nobody waits for somebody
    who waits for him. Members that are not of a pair have no part in it. The first waits for the zero `order`, each for the one
    before it; the zero that is returned comes after the last.
    """
    *sent, plan, mine = given
    out, queue = {}, []
    for number, (source, target, shape, dtype) in enumerate(plan):
        x = sent.pop(0) if source == mine else jnp.zeros(shape, dtype)
        queue.append((min(source, target), max(source, target), source, number, target, x))
    for low, high, source, number, target, x in sorted(queue, key=lambda q: q[:4]):
        if low == high:
            out[number] = x
            continue
        pair = (place.ranks[low], place.ranks[high])
        others = [[r] for g in place.groups for r in g if r not in pair]
        bits, back = as_bits(x)
        if source != mine:
            bits = jnp.zeros_like(bits)
        bits = lax.psum(after(bits, order), place.axis, axis_index_groups=[list(pair), *others])
        order = zero_of(bits, order)
        if target == mine:
            out[number] = back(bits)
    return (order, *[out[n] for n, (_, target, _, _) in enumerate(plan) if target == mine])


def zero_of(array: jax.Array, otherwise: Any = None):
    """A float32 zero that XLA can not know to be one: of the bits of an element, so that no NaN comes in.

    XLA orders by data: what takes it in by `after` comes after what made the array.
    """
    if array.size == 0:
        return otherwise
    bits, _ = as_bits(array.reshape(-1)[:1])
    return 0.0 * bits.reshape(-1)[0].astype(jnp.float32)


def after(array: jax.Array, zero: Any):
    """The array, which is there only when the zero is."""
    if array.dtype == jnp.bool_:
        return array ^ (zero != 0)
    return array - zero.astype(array.dtype)
