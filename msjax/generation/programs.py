"""The compiled programs of a network's generation: prompts of few lengths, and steps over few lengths of the cache.

What a program changes, the tokens and the cache, it is given for good (donated), and changes in place.
"""

import copy
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..core.host import wide
from ..core.lowered import lowered
from ..core.operators import random
from ..core.settings.context import computing_for
from . import sampling
from .products import computed

if TYPE_CHECKING:
    from .spellings import Spelling

SHORTEST = 16  # tokens: no prompt is padded to less
I32 = jnp.int32


def prompt_lengths(length: int):
    """The lengths to which prompts are padded: halves of the whole, at most five."""
    return sorted({max(SHORTEST, -(-length // 2**i)) for i in range(5)} | {length}) if length > SHORTEST else [length]


def view_lengths(length: int):
    """The cache lengths that a step can use: the whole, half and a quarter."""
    return sorted({max(min(SHORTEST, length), -(-length // 2**i)) for i in range(3)})


class Programs:
    """The programs for `slots` rows of `length` tokens.

    Args:
        spelling: a Spelling, whose `cache` was made for these slots. steps: tokens that one call of the decode program makes at most.
    """

    def __init__(self, spelling: "Spelling", slots: int, length: int, steps: int):
        self.spelling, self.slots, self.length, self.steps = spelling, slots, length, steps
        width = spelling.width
        self.prompts = [width] if width else prompt_lengths(length)
        self.views = view_lengths(length)
        self.by_cpu = jax.default_backend() == "cpu"
        self._jit()
        self.used = set()  # what was compiled: ("prefill", rows, width) and ("decode", view)

    def _jit(self):
        self._prefill = jax.jit(self.prefill, donate_argnums=(1, 2))
        self._decode = jax.jit(self.decode, static_argnums=0, donate_argnums=(2, 3))

    def state(self):
        """The arrays besides the cache: tokens, how many, which rows are alive, settings."""
        rows = sampling.rows_of([{}] * self.slots)
        return {
            "tokens": np.zeros((self.slots, self.length), np.int32),
            "lengths": np.ones(self.slots, np.int32),
            "alive": np.zeros(self.slots, bool),
            "rows": rows,
        }

    # --- as functions of arrays
    def computed(self, function: Callable, weights: dict, *given: Any, step: jax.Array | None = None) -> Any:
        """`function(values, *given)` of the weights' values, as it is best computed where the programs run. step: as for `restored`."""
        return computed(function, weights, *given, step=step, by_cpu=self.by_cpu)

    def prefill(
        self,
        weights: Any,
        state: Any,
        cache: tuple | list[tuple],
        ids: jax.Array,
        lengths: jax.Array,
        slots: jax.Array,
        rows: dict,
        alive: jax.Array,
        source: dict | None = None,
    ):
        """(state, cache, report, scores) of new prompts. report (R, 3) int32: first token, whether alive, the bits of its log-probability.

        ids: (R, S) int32. lengths, slots, alive: (R,). rows: their settings. source: what an encoder sees, as `Encoded` says.
        """
        given = (ids, lengths, slots) if source is None else (ids, lengths, slots, source)
        scores, cache = self.computed(self.spelling.prefill, weights, cache, *given)
        chosen, shares = sampling.next_tokens(scores, ids, lengths, rows)
        tokens = state["tokens"].at[slots, : ids.shape[1]].set(ids[:, : self.length])
        tokens = tokens.at[slots, lengths].set(chosen, mode="drop")
        alive = alive & ~sampling.ends(chosen, lengths + 1, rows)
        state = {
            "tokens": tokens,
            "lengths": state["lengths"].at[slots].set(lengths + 1),
            "alive": state["alive"].at[slots].set(alive),
            "rows": {name: a.at[slots].set(rows[name]) for name, a in state["rows"].items()},
        }
        report = jnp.stack([chosen, alive.astype(I32), lax.bitcast_convert_type(shares, I32)], axis=1)
        return state, cache, report, scores

    def decode(self, view: int, weights: Any, state: Any, cache: tuple | list[tuple], going: jax.Array, count: Any):
        """(state, cache, report) of up to `count` tokens for each row that is alive and `going` (slots,).

        view: how many tokens of the cache a step goes over, static. report (slots, 1 + 2 * steps) int32: whether alive, the
        tokens (-1 where there is none), the bits of their log-probabilities.
        """
        fixed = state["rows"]
        spots = jnp.arange(self.slots)

        def step(carried):
            i, tokens, lengths, alive, cache, made, shares = carried
            network = functools.partial(self.spelling.decode, view=view)
            scores, cache = self.computed(network, weights, cache, tokens, lengths - 1, alive, step=i)
            chosen, share = sampling.next_tokens(scores, tokens, lengths, fixed)
            place = jnp.where(alive, lengths, self.length)
            tokens = tokens.at[spots, place].set(chosen, mode="drop")
            made = made.at[:, i].set(jnp.where(alive, chosen, -1))
            shares = shares.at[:, i].set(lax.bitcast_convert_type(share, I32))
            lengths = jnp.where(alive, lengths + 1, lengths)
            alive = alive & ~sampling.ends(chosen, lengths, fixed)
            return i + 1, tokens, lengths, alive, cache, made, shares

        def more(carried):
            # The next step must find its token within the view.
            i, _, lengths, alive, *_ = carried
            return (i < count) & jnp.any(alive) & jnp.all(~alive | (lengths <= view))

        start = (
            jnp.zeros((), I32),
            state["tokens"],
            state["lengths"],
            state["alive"] & going,
            cache,
            jnp.full((self.slots, self.steps), -1, I32),
            jnp.zeros((self.slots, self.steps), I32),
        )
        _, tokens, lengths, alive, cache, made, shares = lax.while_loop(more, step, start)
        state = {"tokens": tokens, "lengths": lengths, "alive": alive, "rows": fixed}
        return state, cache, jnp.concatenate([alive[:, None].astype(I32), made, shares], axis=1)

    # --- as compiled
    @wide
    def run_prefill(
        self,
        weights: dict,
        state: Any,
        cache: tuple | list[tuple],
        ids: np.ndarray,
        lengths: np.ndarray,
        slots: np.ndarray,
        rows: dict,
        alive: np.ndarray,
        source: dict | None = None,
    ):
        """`prefill`, compiled once for each number of rows and width, and width of the source."""
        random.streams().get().box()  # this thread's, which can not be made within a trace
        more = () if source is None else (source,)
        self.used.add(("prefill", *ids.shape, *(source["source"].shape[1:] if source else ())))
        return self._prefill(weights, state, cache, ids, lengths, slots, rows, alive, *more)

    @wide
    def run_decode(
        self, view: int, weights: dict, state: Any, cache: tuple | list[tuple], going: np.ndarray, count: Any
    ):
        """`decode`, compiled once for each view."""
        random.streams().get().box()
        self.used.add(("decode", view))
        return self._decode(view, weights, state, cache, going, count)

    @wide
    def lowered(
        self,
        weights: Any,
        view: int | None = None,
        kind: Any = "decode",
        rows: int = 1,
        device: jax.Device | None = None,
    ):
        """The lowered program; `compile()` gives its compiled form for inspection.

        kind: "decode", over `view` tokens of the cache, or "prefill", of `rows` prompts of `view` tokens. device: one that may not be there.
        """
        random.streams().get().box()
        if device is not None and self.by_cpu != (device.platform == "cpu"):
            other = copy.copy(self)
            other.by_cpu = not self.by_cpu
            other._jit()
            with computing_for("CPU" if other.by_cpu else "TPU" if device.platform == "tpu" else "GPU"):
                return other.lowered(weights, view, kind, rows, device)
        cache = jax.eval_shape(functools.partial(self.spelling.cache, self.slots, self.length))
        if kind == "decode":
            more = np.ones(self.slots, bool), np.int32(self.steps)
        else:
            ids, ones = np.zeros((rows, view or self.prompts[0]), np.int32), np.ones(rows, np.int32)
            more = ids, ones, ones * 0, sampling.rows_of([{}] * rows), np.ones(rows, bool)
            more += () if self.spelling.source is None else (self.spelling.given(rows),)
        given = weights, self.state(), cache, *more
        if device is not None:
            where = jax.sharding.SingleDeviceSharding(device)
            given = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=where), given)
        if kind == "decode":
            return lowered(self._decode, view or self.length, *given)
        return lowered(self._prefill, *given)

    def source_length(self, count: int):
        """The shortest length to which an encoder's `count` tokens can be padded."""
        return next(n for n in prompt_lengths(self.spelling.source.shape[1]) if n >= count)

    def prompt_length(self, count: int):
        """The shortest length to which a prompt of `count` tokens can be padded."""
        return next(n for n in self.prompts if n >= count)

    def view_length(self, count: int):
        """The shortest length of the cache that holds `count` tokens."""
        return next(n for n in self.views if n >= count)
