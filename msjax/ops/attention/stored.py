"""Keys and values as inference stores them: in pages, as whole numbers of 8 bits, at the end of their arrays; attention of 8 bits throughout."""

import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from .fused import _heads


class Stored(NamedTuple):
    """How keys and values are stored, and what is of 8 bits.

    block_table: (B, pages) int32, the pages of each sequence; keys are then (blocks, block size, H), (blocks, block size, N, D) or, in the layout BNSD,
    (blocks, N, block size, D). key_scale, key_offset, value_scale, value_offset: what is stored is (whole number + offset) * scale; of 1, N * D or, with
    the modes key_mode and value_mode 1, B * S elements. kv_padding, query_padding: tokens behind those that count, which are then at the end.
    dequant_1, quant_1, dequant_2: scales of a query, keys and values of int8, one each. quant_2, offset_2: of an output of int8, 1 or N * D elements.
    """

    block_table: Any = None
    key_scale: Any = None
    key_offset: Any = None
    value_scale: Any = None
    value_offset: Any = None
    key_mode: int = 0
    value_mode: int = 0
    kv_padding: Any = None
    query_padding: Any = None
    dequant_1: Any = None
    quant_1: Any = None
    dequant_2: Any = None
    quant_2: Any = None
    offset_2: Any = None

    def read(self, name: str, key: jax.Array, value: jax.Array, layout: str, heads: int, dtype: Any):
        """Keys and values (B, N, S, D)."""
        found = []
        for what, array, scale, offset, mode in (
            ("key", key, self.key_scale, self.key_offset, self.key_mode),
            ("value", value, self.value_scale, self.value_offset, self.value_mode),
        ):
            array = _heads(array, layout, heads) if self.block_table is None else self._of_pages(array, layout, heads)
            found.append(_restored(name, what, array, scale, offset, mode, dtype))
        return found

    def _of_pages(self, array, layout, heads):
        blocks = jnp.maximum(self.block_table, 0)
        if array.ndim == 3 or layout != "BNSD":
            pages = array.reshape(*array.shape[:2], heads, -1)[blocks]
        else:
            pages = array.swapaxes(1, 2)[blocks]
        return pages.reshape(len(blocks), -1, *pages.shape[3:]).swapaxes(1, 2)

    def visible(self, count: int, lengths: Any, padding: Any):
        """bool (B, count) of the tokens that count; with a padding those before it, at the end."""
        place, lengths = jnp.arange(count), jnp.asarray(lengths).reshape(-1, 1)
        if padding is None:
            return place < lengths
        end = count - jnp.maximum(jnp.asarray(padding).reshape(-1, 1), 0)
        # A sequence that would begin before the array is none at all.
        return (place >= end - lengths) & (place < end) & (end - lengths >= 0)

    def whole_numbers(self, name: str, q: jax.Array, k: jax.Array, v: jax.Array, scale: float, bias: Any, hidden: Any):
        """Attention (B, N, S, D) of a query, keys and values of int8, in float32."""
        for what, given in (
            ("dequant_scale1", self.dequant_1),
            ("quant_scale1", self.quant_1),
            ("dequant_scale2", self.dequant_2),
        ):
            if given is None:
                raise ValueError(f"For '{name}', a query of int8 needs '{what}', but got None.")
        b, heads, queries, size = q.shape
        grouped = q.reshape(b, k.shape[1], -1, size)
        scores = jnp.einsum("bnqd,bnkd->bnqk", grouped, k, preferred_element_type=jnp.int32).astype(jnp.float32)
        scores = scores.reshape(b, heads, queries, -1) * _single(self.dequant_1) * scale
        scores = scores if bias is None else scores + bias
        scores = scores if hidden is None else jnp.where(hidden, -jnp.inf, scores)
        shares = jax.nn.softmax(scores, axis=-1)
        shares = jnp.where(jnp.isnan(shares), 0, shares)  # of a query that sees nothing
        whole = jnp.clip(jnp.round(shares * _single(self.quant_1)), -128, 127).astype(jnp.int8)
        whole = whole.reshape(b, k.shape[1], -1, whole.shape[-1])
        out = jnp.einsum("bnqk,bnkd->bnqd", whole, v, preferred_element_type=jnp.int32).astype(jnp.float32)
        return out.reshape(b, heads, queries, -1) * _single(self.dequant_2)

    def written(self, name: str, out: jax.Array):
        """The output (B, N, S, D), as int8 where it has a scale."""
        if self.quant_2 is None:
            if self.offset_2 is not None:
                raise ValueError(f"For '{name}', a 'quant_offset2' needs a 'quant_scale2', but got None.")
            return out
        scale, offset = (
            _channels(name, what, a, out)
            for what, a in (("quant_scale2", self.quant_2), ("quant_offset2", self.offset_2))
        )
        return jnp.clip(jnp.round(out.astype(jnp.float32) * scale + offset), -128, 127).astype(jnp.int8)


def pair(name: str, scale: Any, offset: Any):
    """The halves of `antiquant_scale` and `antiquant_offset` (2, ...): of keys and of values, as Stored takes them."""
    for what, given in (("antiquant_scale", scale), ("antiquant_offset", offset)):
        if given is not None and (given.ndim == 0 or given.shape[0] != 2):
            raise ValueError(
                f"For '{name}', the '{what}' must have a first axis of 2, for keys and values, but got shape {given.shape}."
            )
    halves = [(None, None) if given is None else (given[0], given[1]) for given in (scale, offset)]
    return {
        "key_scale": halves[0][0],
        "key_offset": halves[1][0],
        "value_scale": halves[0][1],
        "value_offset": halves[1][1],
    }


def _single(scale):
    """A scale of one element; uint64 holds the bits of a float32."""
    scale = jnp.asarray(scale)
    if scale.dtype in (jnp.uint64, jnp.int64):
        scale = lax.bitcast_convert_type(scale.astype(jnp.uint32), jnp.float32)
    return scale.astype(jnp.float32).reshape(-1)[0]


def _channels(name, what, given, out):
    if given is None:
        return 0.0
    heads, size = out.shape[1], out.shape[3]
    if given.size not in (1, heads * size):
        raise ValueError(
            f"For '{name}', the '{what}' must have 1 or {heads * size} elements, one for each element of all heads, but got shape {given.shape}."
        )
    shape = (1, heads, 1, size) if given.size > 1 else (1, 1, 1, 1)
    return given.astype(jnp.float32).reshape(shape)


def _restored(name, what, array, scale, offset, mode, dtype):
    """What whole numbers (B, N, S, D) stand for; other numbers as they are."""
    if scale is None:
        if offset is not None:
            raise ValueError(f"For '{name}', the offset of the {what} needs a scale, but got None.")
        return array
    b, heads, tokens, size = array.shape
    if mode not in (0, 1):
        raise ValueError(f"For '{name}', the antiquant mode of the {what} must be 0 or 1, but got {mode}.")
    shapes = [(b, 1, tokens, 1)] if mode == 1 else [(1, 1, 1, 1), (1, heads, 1, size)]

    def one(given):
        fitting = [shape for shape in shapes if math.prod(shape) == given.size]
        if not fitting:
            counts = " or ".join(str(math.prod(shape)) for shape in shapes)
            raise ValueError(
                f"For '{name}', the antiquant scale and offset of the {what} must have {counts} elements in the mode {mode}, but got shape {given.shape}."
            )
        return given.astype(jnp.float32).reshape(fitting[0])

    found = array.astype(jnp.float32)
    found = found if offset is None else found + one(offset)
    return (found * one(scale)).astype(dtype)
