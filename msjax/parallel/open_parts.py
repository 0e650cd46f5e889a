"""Exchanges whose lengths the program computes, `ops.AlltoAllV` in a function of parts: tokens that go to the devices of their experts.

XLA's arrays have fixed lengths. What comes in gets the length that is the most that can come, and how much of it counts is found when the program
runs. The function is traced at several lengths, and evaluated on the longer arrays as functions of open lengths are (`core/trace/lengths`): what
has no rule there is refused. Counts that are sent add up to what is sent, so a device that gets back what it has sent knows its length.
"""

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from ..core.trace.lengths import Declined
from ..core.trace.lengths.form import Given, Open, fit, unite, write
from ..core.trace.lengths.padded import Padded
from . import kernels

if TYPE_CHECKING:
    from .places import Place

_NAME = "exchange_of_counts"
_ASSUMED = (24, 28, 32, 36, 40, 44, 48, 52)  # lengths of the first trace, for one open length after the other
_WHY = (
    "For 'AlltoAllV', the counts are computed by the program (an expert parallel of more than one, say), and programs of XLA have "
    "fixed shapes: use experts with a capacity, or expert_parallel 1"
)


class Opens(NotImplementedError):
    """The function of parts has an exchange whose counts the program computes."""

    def __init__(self, why: str = ""):
        super().__init__(f"{_WHY}.{why and f' ({why})'}")


class Exchanges:
    """The exchanges of one trace, at lengths that are assumed where the program computes them."""

    def __init__(self, assumed: Sequence[int]):
        self.assumed, self.opened, self._sums = assumed, 0, []

    def run(self, x: jax.Array, send: jax.Array, receive: jax.Array, place: "Place", block: int):
        """What comes in: blocks of the members in their order.

        Raises:
            ValueError: `send` are the counts of an earlier exchange, and other ones than those of this `x`.
        """
        rows = x.size // block
        if self._sum(send) is None:
            self._sums.append((send, rows))
        elif self._sum(send) != rows or x.size % block:
            raise ValueError(
                f"For 'AlltoAllV', 'send_numel_list' counts {self._sum(send)} blocks of {block}, but got {x.size} elements."
            )
        if self._sum(receive) is None:
            if self.opened == len(_ASSUMED):
                raise Opens(f"more than {len(_ASSUMED)} lengths are computed")
            self._sums.append((receive, self.assumed[self.opened]))
            self.opened += 1
        return _exchanged(x, send, receive, place, block, rows, self._sum(receive))

    def _sum(self, counts):
        return next((total for known, total in self._sums if known is counts), None)


@functools.cache
def _primitive():
    from jax.extend.core import Primitive  # Pallas comes with it: not for those who only import

    made = Primitive(_NAME)
    made.def_abstract_eval(lambda x, send, receive, *, place, block, rows: x.update(shape=(rows * block,)))
    return made


@functools.partial(jax.custom_vjp, nondiff_argnums=(3, 4, 5, 6))
def _exchanged(x, send, receive, place, block, sent, rows):
    return _primitive().bind(x, send, receive, place=place, block=block, rows=rows)


_exchanged.defvjp(
    lambda x, send, receive, *settings: (_exchanged(x, send, receive, *settings), (send, receive)),
    lambda place, block, sent, rows, counts, dy: (_exchanged(dy, *counts[::-1], place, block, rows, sent), None, None),
)


def dealt(x: jax.Array, send: jax.Array, receive: jax.Array, place: "Place", block: int, rows: int):
    """(rows * block,): blocks from all members, one behind the other, then zeros.

    x: blocks for the members in their order, and elements of no meaning behind them. send, receive: blocks for and from each member.
    Each pair exchanges the most that there can be.
    """
    blocks = x.reshape(-1, block)
    most = min(blocks.shape[0], rows)
    send, receive, number = send.astype(jnp.int32), receive.astype(jnp.int32), jnp.arange(most, dtype=jnp.int32)
    at = (jnp.cumsum(send) - send)[:, None] + number
    mine = jnp.where((number < send[:, None])[..., None], jnp.take(blocks, at, axis=0, mode="clip"), 0)
    came = kernels.all_to_all(place, mine, 0, 0).reshape(-1, block)
    ends, row = jnp.cumsum(receive), jnp.arange(rows, dtype=jnp.int32)
    source = jnp.sum(row[:, None] >= ends, 1, dtype=jnp.int32)  # the member that it comes from
    first = jnp.take(ends - receive, source, mode="clip")
    out = jnp.take(came, source * most + row - first, axis=0, mode="clip")
    return jnp.where((row < ends[-1])[:, None], out, 0).reshape(-1)


class _Parts(Padded):
    """Evaluates a form whose lengths are found on the way: by the exchanges that they come from.

    Where counts do not add up to what is sent and comes in, what comes in is NaN: a running program can not raise.
    lengths: how much counts, None where that is not known yet. sizes: the most that there can be, 0 as well. given: what `_numbers` gives.
    """

    def literal(self, atom):
        if type(atom) is not Given:
            return atom.val
        offset, scales = self.given[atom.index]
        if any(scale and n is None for scale, n in zip(scales, self.lengths)):
            raise Declined("a number depends on a length that comes later")
        return sum((s * n for s, n in zip(scales, self.lengths) if s), jnp.int32(offset)).astype(atom.dtype)

    def outputs(self, step, arrays):
        if step.primitive.name != _NAME:
            return super().outputs(step, arrays)
        (x, send, receive), params = arrays, step.params
        rows, place = params["rows"], params["place"]
        if type(rows) is Open and self.lengths[rows.which] is None:
            if (rows.scale, rows.offset) != (1, 0):
                raise Declined("a received length is not an open length of its own")
            self.lengths[rows.which] = jnp.sum(receive.astype(jnp.int32))
            self.sizes[rows.which] = place.size * (x.size // params["block"])
        made = dealt(x, send, receive, place, params["block"], self.sized(rows))
        if not jnp.issubdtype(made.dtype, jnp.inexact):
            return [made]
        sent, came = self.count(step.shapes[0][0]), self.count(rows) * params["block"]
        fits = (jnp.sum(send) * params["block"] == sent) & (jnp.sum(receive) * params["block"] == came)
        return [jnp.where(fits, made, jnp.asarray(jnp.nan, made.dtype))]


def _numbers(constants, lengths):
    """(offset, factors of the open lengths) of a whole number that has other values at other lengths: the last one is the proof."""
    if any(c.shape or not jnp.issubdtype(c.dtype, jnp.integer) for c in constants):
        raise Declined("a constant depends on the length")
    base, *values = (int(c.val) for c in constants)
    scales = [value - base for value in values[:-1]]
    offset = base - sum(s * n for s, n in zip(scales, lengths[0]))
    if offset + sum(s * n for s, n in zip(scales, lengths[-1])) != values[-1]:
        raise Declined("a number depends on the length in no simple form")
    return offset, scales


class _Form:
    """A function that makes exchanges, for any lengths of them. trace: function of the lengths -> closed jaxpr."""

    def __init__(self, trace: Callable, lengths: Sequence[int]):
        others = [(*lengths[:i], n + 1, *lengths[i + 1 :]) for i, n in enumerate(lengths)]
        further = tuple(2 * n + 5 for n in lengths)
        tried = [lengths, *others, further]
        programs = [write(trace(each)) for each in tried]
        self.form, _ = unite(programs[:-1], tried[:-1])
        constants = [fit(self.form, program, each) for program, each in zip(programs, tried)]
        if None in constants:
            raise Declined("a value depends on the length in no simple form")
        self.given = [_numbers(same, tried) for same in zip(*constants)]

    def run(self, arrays: Sequence, sizes: list, lengths: list):
        """The outputs on longer arrays. sizes, lengths: of the open lengths, which are filled in where they are not known yet."""
        return _Parts(sizes, lengths, self.given).run(self.form, list(arrays))

    def open_outputs(self, count: int):
        """Whether one of the first outputs has an open length."""
        return any(type(n) is Open for shape in self.form.out_shapes[:count] for n in shape)


def run(body: Callable, parts: Sequence[jax.Array]):
    """`body(*parts)`, a tuple of arrays, with its exchanges. body: function of the arrays and of `Exchanges`.

    Raises:
        Opens: what the function computes has no form for arrays of open lengths.
    """
    like = [jax.ShapeDtypeStruct(p.shape, p.dtype) for p in parts]
    reals = [i for i, p in enumerate(parts) if jnp.issubdtype(p.dtype, jnp.inexact)]
    first = Exchanges(_ASSUMED)
    outs = jax.eval_shape(lambda *given: tuple(body(given, first)), *like)
    lengths = _ASSUMED[: first.opened]

    def plain(assumed):
        return jax.make_jaxpr(lambda *given: tuple(body(given, Exchanges(assumed))))(*like)

    def forward(assumed):
        """The results, and what the way back needs."""
        kept = {}

        def of_reals(given, *taken):
            whole = dict(enumerate(given)) | dict(zip(reals, taken))
            return tuple(body([whole[i] for i in range(len(given))], Exchanges(assumed)))

        def both(*given):
            made, back = jax.vjp(functools.partial(of_reals, given), *[given[i] for i in reals])
            saved, kept["tree"] = jax.tree_util.tree_flatten(back)
            return (*made, *saved)

        return jax.make_jaxpr(both)(*like), kept["tree"]

    def backward(assumed):
        there, tree = forward(assumed)
        saved = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in there.out_avals[len(outs) :]]
        return jax.make_jaxpr(lambda saved, d: jax.tree_util.tree_unflatten(tree, saved)(tuple(d)))(saved, list(outs))

    def once(trace):
        try:
            form = _Form(trace, lengths)
            if trace is not backward and form.open_outputs(len(outs)):
                raise Declined("a result has a length that the program computes")
        except Declined as error:
            raise Opens(str(error)) from error
        return form

    def evaluated(form, arrays, sizes, counts):
        try:
            return form.run(arrays, sizes, counts)
        except Declined as error:
            raise Opens(str(error)) from error

    def unknown():
        return [0] * len(lengths), [None] * len(lengths)

    @jax.custom_vjp
    def call(*given):
        return tuple(evaluated(once(plain), given, *unknown()))

    shared = {}

    def there(*given):
        sizes, counts = unknown()
        made = evaluated(once(lambda assumed: forward(assumed)[0]), given, sizes, counts)
        shared["sizes"] = sizes
        return tuple(made[: len(outs)]), (made[len(outs) :], counts)

    def back(saved, d):
        leaves, counts = saved
        d = [jnp.zeros(o.shape, o.dtype) if x.dtype == jax.dtypes.float0 else x for x, o in zip(d, outs)]
        found = dict(zip(reals, evaluated(once(backward), (*leaves, *d), list(shared["sizes"]), list(counts))))
        return tuple(found.get(i, np.zeros(p.shape, jax.dtypes.float0)) for i, p in enumerate(like))

    call.defvjp(there, back)
    return call(*parts)
