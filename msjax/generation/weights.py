"""Weights of a network as its programs take them: as they are, in another dtype, or as whole numbers of 8 bits with a scale a row."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from ..core.host import wide
from ..core.program.interpreter import Forward
from ..core.program.parts import opened
from ..core.program.primitives import name_of

if TYPE_CHECKING:
    import jax.extend

    from .network import Network
    from .spellings import Spelling

KINDS = (None, "float32", "bfloat16", "float16", "int8")
_SMALLEST = 4096  # elements: what is smaller (biases, scales of normalization) stays as it is


class Rounded(NamedTuple):
    """A matrix as whole numbers of 8 bits with a scale for each row; `like` is empty, of the matrix's dtype."""

    whole: jax.Array
    scale: jax.Array
    like: jax.Array


class Turned(NamedTuple):
    """A matrix stored with its axes exchanged."""

    value: jax.Array | Rounded


class Weights:
    """The present weights of a network, each array converted once; after more training the next call reads the new
    ones.

    Args:
        network: a Network. kind: None (as they are), "float32", "bfloat16", "float16" or "int8" (matrices alone; the error of each row is
            that of rounding to 255 steps). left: names that are not weights but the cache. turned: names of matrices that lie turned.

    Raises:
        ValueError: an unknown kind.
    """

    def __init__(self, network: "Network", kind: str | None = None, left: Sequence = (), turned: Sequence = ()):
        if kind not in KINDS:
            raise ValueError(f"For 'generate', the 'weights' must be one of {KINDS}, but got {kind!r}.")
        self.network, self.kind, self.left, self.turned = network, kind, frozenset(left), frozenset(turned)
        self._made = {}

    def now(self):
        """dict from names to the programs' weights: arrays, Rounded or Turned."""
        found = {}
        for name, array in self.network.values().items():
            if name in self.left:
                continue
            plain = self.kind is None or not jnp.issubdtype(array.dtype, jnp.floating)
            if plain and name not in self.turned:
                found[name] = array
                continue
            known = self._made.get(name)
            if known is None or known[0] is not array:
                made = array if plain else self._converted(array)
                known = self._made[name] = (array, _turned(made) if name in self.turned else made)
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
    return Rounded(whole, scale, jnp.zeros(0, array.dtype))


@jax.jit
def _turned(value):
    if isinstance(value, Rounded):
        return Turned(Rounded(value.whole.T, value.scale.T, value.like))
    return Turned(value.T)


def restored(values: Mapping, step: Any = None):
    """The arrays that the network computes with; within a trace. step: the loop's counter, which keeps the compiler from
    restoring all weights before the loop, where they would take their full size.
    """

    def one(value):
        if isinstance(value, Turned):
            return one(value.value).T
        if not isinstance(value, Rounded):
            return value
        whole = value.whole
        if step is not None:
            whole, _ = jax.lax.optimization_barrier((whole, step))
        return (whole.astype(jnp.float32) * value.scale).astype(value.like.dtype)

    return {name: one(value) for name, value in values.items()}


@wide
def read_across(spelling: "Spelling", slots: int, length: int):
    """The names of the matrices that a step multiplies along their second axis only, as `nn.Dense` does.

    The compiler of CPUs multiplies with matrices of float32 whose first axis is summed over, and copies each that is not so, in every call. These lie
    turned, so there is nothing to copy. For bfloat16 and whole numbers its kernels read both orders.
    """
    values = spelling.network.shapes()
    cache = jax.eval_shape(lambda: spelling.cache(slots, length))
    int32 = jax.ShapeDtypeStruct((slots,), jnp.int32)
    tokens, alive = jax.ShapeDtypeStruct((slots, length), jnp.int32), jax.ShapeDtypeStruct((slots,), jnp.bool_)
    program = jax.make_jaxpr(lambda values, *given: spelling.decode(values, *given, length))(
        values, cache, tokens, int32, alive
    )
    names = sorted(values)
    matrices = [
        number
        for number, name in enumerate(names)
        if values[name].ndim == 2 and values[name].size >= _SMALLEST and values[name].dtype == jnp.float32
    ]
    return [names[number] for number in _across(program, matrices)]


def _across(program, numbers):
    """Those of a program's inputs that all equations read as a second factor's last axis, or turn over."""
    bits = {number: 1 << at for at, number in enumerate(numbers)}
    facts = [bits.get(number, 0) for number in range(len(opened(program)[0].invars))]
    outs, found = _Readers(len(numbers)).flow(program, facts)
    across = found & ~(found >> len(numbers))
    for out in outs:  # a result is read by others
        across &= ~out
    return [number for number, bit in bits.items() if across & bit]


class _Readers(Forward):
    """How a program reads matrices. A fact: which of them a value is, as bits. Notes: those that are read across, and from bit `count` on those
    that are read in another way.
    """

    nothing = 0

    def __init__(self, count: int):
        super().__init__()
        self.count = count

    def join(self, one: int, other: int):
        return one | other

    def equation(self, eqn: "jax.extend.core.JaxprEqn", facts: Sequence):
        notes = 0
        for position, fact in enumerate(facts):
            notes |= fact if _is_across(eqn, position) else fact << self.count
        return [0] * len(eqn.outvars), notes


def _is_across(eqn, position):
    """Whether an equation reads this input by products over its second axis alone, or exchanges its axes."""
    if name_of(eqn) == "transpose":
        return tuple(eqn.params["permutation"]) == (1, 0)
    return name_of(eqn) == "dot_general" and position == 1 and eqn.params["dimension_numbers"][0][1] == (1,)
