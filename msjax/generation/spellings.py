"""How networks keep the keys and values of earlier tokens, each spelling as two pure functions: of a prompt, and of one token a row.

A spelling has `cache(slots, length)`, the arrays that it keeps; `prefill` and `decode`, which give scores (rows, vocabulary) float32 and the
arrays afterwards; `reordered`, for beams. Which one a network has is told by what its `construct` takes, and then tried:
`choose` in `trial.py`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ..core.program.interpreter import Forward
from .last import scored
from .network import last_scores, scores_of

if TYPE_CHECKING:
    import jax.extend

    from .network import Network

I32 = jnp.int32


class Spelling:
    """Base class of the spellings. network: a Network; kind: the storage of keys and values, see `Store`."""

    per_row = True  # whether one row can be prefilled alone
    slots = None  # how many rows the network is bound to; None for any
    width = None  # how many tokens its prompts are bound to; None for any
    limit = None  # how many tokens a slot can hold at most; None for any
    source = None  # what stands for the input of an encoder: see `Encoded`
    alone = False  # whether the network scores the last token alone, as the programs found

    def __init__(self, network: "Network", kind: Any = None):
        self.network, self.kind = network, kind

    def _masks(self, rows, width, valid):
        """The keywords in which networks take which tokens count. valid: (rows, width) bool."""
        mask = valid.astype(I32)
        return {"attention_mask": mask, "input_mask": mask}

    def unpadded(self, values: Any, ids: Any):
        """Scores (rows, vocabulary) of prompts of one length without padding; None where the trial needs none: the network is told the lengths."""
        return None

    def reordered(self, cache: Any, slots: Any):
        """The cache with slot i holding the former content of slot `slots[i]`."""
        raise NotImplementedError

    def renewed(self, cache: Any):
        """The cache with what the network has changed since of the weights that stand in it."""
        return cache

    def _need_no_kind(self, reason):
        """Raises ValueError if keys and values shall be stored as another kind, which this spelling cannot do."""
        if self.kind is not None:
            raise ValueError(f"{self.network.name} {reason}, so they cannot be stored as {self.kind}")


class Padded(Spelling):
    """Without a cache: the network sees all tokens at each step, padded at the end to one of few lengths."""

    name = "padded lengths"

    def __init__(self, network: "Network", kind: Any = None, whole: bool = False):
        super().__init__(network, kind)
        self.whole = network.said("seq_length") if whole else None  # the only length that the network takes
        if self.whole:
            self.limit, self.name = self.whole, "its whole length"

    def cache(self, slots: int, length: int):
        self._need_no_kind("keeps no keys and values")
        return ()

    def prefill(self, values: Any, cache: Any, ids: Any, lengths: Any, slots: Any):
        return self._scores(values, ids, lengths), cache

    def decode(self, values: Any, cache: Any, tokens: jax.Array, places: jax.Array, alive: jax.Array, view: int | None):
        return self._scores(values, tokens[:, :view], places + 1), cache

    def _scores(self, values, ids, lengths):
        if self.whole:
            ids = jnp.pad(ids, ((0, 0), (0, self.whole - ids.shape[1])))
        rows, width = ids.shape
        span = jnp.broadcast_to(jnp.arange(width, dtype=I32), (rows, width))

        def called(values, ids):
            scores, _ = self.network.call(
                values,
                True,
                scores_of,
                input_ids=ids,
                position_ids=span,
                batch_valid_length=lengths,
                use_cache=False,
                return_dict=True,
                **self._masks(rows, width, span < lengths[:, None]),
            )
            return scores, ()

        scores, _, self.alone = scored(called, values, ids, lengths - 1)
        return scores

    def unpadded(self, values: Any, ids: Any):
        rows, width = ids.shape
        return self._scores(values, ids, jnp.full(rows, width, I32))

    def reordered(self, cache: Any, slots: Any):
        return cache


class Kept(Spelling):
    """A cache in the network's own Parameters, one row for each sequence of a fixed batch (`use_past`, `is_first_iteration`).

    The arrays of the cache are those that the network writes. Some it writes whatever the tokens are, such as a matrix that the first call divides by
    the norms of its rows: these are weights, so they begin as they are, where keys and values begin empty.

    count: whether `batch_valid_length` counts the new token too, as MindFormers has it, or is its place, as `nn.transformer` has it.
    """

    per_row = False

    def __init__(self, network: "Network", kind: Any = None, count: bool = True):
        super().__init__(network, kind)
        self.count = count
        self.slots = network.said("batch_size")
        self.width = self.limit = network.said("seq_length", "src_seq_length")
        self.name = f"batch_valid_length as a {'count' if count else 'place'}"
        self._weights = {}  # name -> the Parameter's array that the cache took

    def cache(self, slots: int, length: int):
        self._need_no_kind("stores its keys and values itself")
        values = self.network.values()
        width = self.width or length

        def both(values, ids):
            ones = jnp.ones(slots, I32)
            _, first = self._call(values, True, ids, ones)
            _, later = self._call(values, False, ids[:, :1], ones)
            return first, later

        with _Writes() as writes:
            program, made = jax.make_jaxpr(both, return_shape=True)(values, jnp.zeros((slots, width), I32))
        names = sorted(writes.names)
        if not names:
            raise ValueError(f"{self.network.name} writes no Parameter, so it keeps no keys and values")
        facts = [False] * len(jax.tree_util.tree_leaves(values)) + [True]
        first, later = jax.tree_util.tree_unflatten(
            jax.tree_util.tree_structure(made), _OfTokens().flow(program, facts)[0]
        )
        self._weights = {name: values[name] for name in names if not first[name] and not later[name]}
        empty = {name: jnp.zeros(values[name].shape, values[name].dtype) for name in names if name not in self._weights}
        return empty | {name: jnp.copy(array) for name, array in self._weights.items()}

    def renewed(self, cache: Any):
        if not self._weights:
            return cache
        values = self.network.values()
        changed = {name: values[name] for name, array in self._weights.items() if values[name] is not array}
        self._weights |= changed
        return {**cache, **{name: jnp.copy(array) for name, array in changed.items()}}

    def _call(self, values, first, ids, lengths, **more):
        rows, width = ids.shape
        position = jnp.arange(rows, dtype=I32) * width + (lengths - 1 if first else 0)
        result, after = self.network.call(
            values,
            first,
            scores_of,
            input_ids=ids,
            batch_valid_length=lengths,
            input_position=position,
            current_index=position,
            init_reset=jnp.asarray([not first]),
            use_past=True,
            **more,
        )
        _Writes.note(values, after)
        return result, after

    def prefill(self, values: Any, cache: Any, ids: Any, lengths: Any, slots: Any):
        rows, width = ids.shape
        valid = jnp.arange(width, dtype=I32) < lengths[:, None]
        scores, after = self._call({**values, **cache}, True, ids, lengths, **self._masks(rows, width, valid))
        # The rows that have no new prompt keep what they have.
        taken = jnp.zeros(rows, bool).at[slots].set(True)
        new = {
            name: jnp.where(taken.reshape(-1, *[1] * (a.ndim - 1)), after[name], a)
            if a.shape[:1] == (rows,) and name not in self._weights
            else after[name]
            for name, a in cache.items()
        }
        return last_scores(scores, rows, width, lengths - 1), new

    def decode(self, values: Any, cache: Any, tokens: Any, places: Any, alive: Any, view: int | None):
        ids = jnp.take_along_axis(tokens, places[:, None], axis=1)
        rows = ids.shape[0]
        width = self.width or view
        mask = jnp.arange(width, dtype=I32) <= places[:, None]
        scores, after = self._call(
            {**values, **cache}, False, ids, places + (1 if self.count else 0), **self._masks(rows, width, mask)
        )
        return last_scores(scores, rows, 1, places * 0), {name: after[name] for name in cache}

    def reordered(self, cache: Any, slots: Any):
        return {name: a if name in self._weights else jnp.take(a, slots, axis=0) for name, a in cache.items()}


class Paged(Kept):
    """A cache in pages (`block_tables`, `slot_mapping`): Parameters of the network, (pages, tokens of a page, heads, size of a head).

    Slot i owns the pages i * n + 1 to (i + 1) * n; page 0 stays free, for what is padded.
    """

    per_row = True

    def __init__(self, network: "Network", kind: Any = None):
        super().__init__(network, kind)
        self.name = "block tables"
        self.slots = self.width = self.limit = None
        self.block_size = network.said("block_size") or 16
        self.pages = network.said("num_blocks")
        self.each = None

    def cache(self, slots: int, length: int):
        self.each = -(-length // self.block_size)
        if self.pages is not None and self.each * slots + 1 > self.pages:
            raise ValueError(
                f"{self.network.name} has {self.pages} pages of {self.block_size} tokens, but {slots} slots of {length} tokens need "
                f"{self.each * slots + 1}: use fewer slots or a smaller length, or make the network with more 'num_blocks'"
            )
        return super().cache(slots, length)

    def _tables(self, slots):
        return (slots[:, None] * self.each + 1 + jnp.arange(self.each, dtype=I32)).astype(I32)

    def _places(self, slots, places):
        return (slots[:, None] * self.each + 1) * self.block_size + places

    def _call(self, values, first, ids, lengths, slots=None, counts=None, places=None, view=None, **more):
        rows, width = ids.shape
        tables = self.each if view is None else min(self.each, -(-view // self.block_size))
        slots = jnp.arange(rows, dtype=I32) if slots is None else slots
        places = jnp.zeros((rows, width), I32) if places is None else places
        mapping = self._places(slots, places)
        if counts is not None:
            mapping = jnp.where(counts, mapping, -1)
        return super()._call(
            values,
            first,
            ids,
            lengths,
            block_tables=self._tables(slots)[:, :tables],
            slot_mapping=mapping.reshape(-1).astype(I32),
            **more,
        )

    def prefill(self, values: Any, cache: Any, ids: Any, lengths: Any, slots: Any):
        rows, width = ids.shape
        span = jnp.broadcast_to(jnp.arange(width, dtype=I32), (rows, width))
        scores, after = self._call(
            {**values, **cache}, True, ids, lengths, slots=slots, counts=span < lengths[:, None], places=span
        )
        return last_scores(scores, rows, width, lengths - 1), {name: after[name] for name in cache}

    def decode(self, values: Any, cache: Any, tokens: Any, places: Any, alive: Any, view: int | None):
        ids = jnp.take_along_axis(tokens, places[:, None], axis=1)
        scores, after = self._call(
            {**values, **cache}, False, ids, places + 1, counts=alive[:, None], places=places[:, None], view=view
        )
        return last_scores(scores, ids.shape[0], 1, places * 0), {name: after[name] for name in cache}

    def reordered(self, cache: Any, slots: Any):
        pages = jnp.concatenate([jnp.zeros(1, I32), self._tables(slots).reshape(-1)])
        own = jnp.concatenate([jnp.zeros(1, I32), self._tables(jnp.arange(len(slots), dtype=I32)).reshape(-1)])
        return {name: a if name in self._weights else a.at[own].set(a[pages]) for name, a in cache.items()}


class _Writes:
    """Within `with _Writes() as w:`, `w.names` gathers the Parameters that calls write."""

    current = None

    def __enter__(self):
        self.names = set()
        self.before, _Writes.current = _Writes.current, self
        return self

    def __exit__(self, *error):
        _Writes.current = self.before

    @staticmethod
    def note(before, after):
        if _Writes.current is not None:
            _Writes.current.names |= {name for name in after if after[name] is not before[name]}


class _OfTokens(Forward):
    """Which values of a program depend on the tokens."""

    def equation(self, eqn: "jax.extend.core.JaxprEqn", facts: Sequence):
        return [any(facts)] * len(eqn.outvars), 0
