"""Weights of a network as its programs take them: as they are, in another dtype, or as whole numbers of 8 bits with a scale a row."""

import jax
import jax.numpy as jnp

KINDS = (None, "float32", "bfloat16", "float16", "int8")
_SMALLEST = 4096  # elements: what is smaller (biases, scales of normalization) stays as it is


class Weights:
    """The present weights of a network, converted once for each array: training goes on, and the next call sees it.

    Args:
        network: a Network. kind: None (as they are), "float32", "bfloat16", "float16" or "int8" (matrices alone; the error of each row is
            that of rounding to 255 steps). left: names that are not weights but the cache.

    Raises:
        ValueError: an unknown kind.
    """

    def __init__(self, network, kind=None, left=()):
        if kind not in KINDS:
            raise ValueError(f"For 'generate', the 'weights' must be one of {KINDS}, but got {kind!r}.")
        self.network, self.kind, self.left = network, kind, frozenset(left)
        self._made = {}

    def now(self):
        """dict from names to what the programs take: arrays, or (whole numbers, scales, an empty array of the dtype)."""
        found = {}
        for name, array in self.network.values().items():
            if name in self.left:
                continue
            if self.kind is None or not jnp.issubdtype(array.dtype, jnp.floating):
                found[name] = array
                continue
            known = self._made.get(name)
            if known is None or known[0] is not array:
                known = self._made[name] = (array, self._converted(array))
            found[name] = known[1]
        return found

    def _converted(self, array):
        if self.kind != "int8":
            return array.astype(self.kind)
        return _rounded(array) if array.ndim == 2 and array.size >= _SMALLEST else array


@jax.jit
def _rounded(array):
    wide = array.astype(jnp.float32)
    scale = jnp.max(jnp.abs(wide), axis=-1, keepdims=True) / 127
    whole = jnp.round(wide / jnp.where(scale == 0, 1, scale)).astype(jnp.int8)
    return whole, scale, jnp.zeros(0, array.dtype)


def restored(values, step=None):
    """The arrays that the network computes with; within a trace. step: the loop's counter, which keeps the compiler from
    restoring all weights before the loop, where they would take their full size."""

    def one(value):
        if not isinstance(value, tuple):
            return value
        whole, scale, like = value
        if step is not None:
            whole, _ = jax.lax.optimization_barrier((whole, step))
        return (whole.astype(jnp.float32) * scale).astype(like.dtype)

    return {name: one(value) for name, value in values.items()}
