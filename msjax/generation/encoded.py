"""Networks of an encoder and a decoder (T5, BART, Whisper): the source is encoded once, in the program of prompts; steps are the decoder's.

The prompt of such a network is what its decoder begins with, `decoder_input_ids`. What the encoder made, keys and values of it, and which of its
tokens count are part of the cache, so each slot has a source of its own, of any length up to the largest.
"""

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from ..core.values.tensor import Tensor, wrap
from .network import last_scores, scores_of
from .past import NAMES, arrays_of, base_of, held_of, past_of, without_init
from .spellings import I32, Spelling
from .store import Store, each_alone, store_of

if TYPE_CHECKING:
    from .network import Network


class Encoded(Spelling):
    """What all spellings of networks with an encoder share.

    source: the array that stands for any input of the encoder, (1, tokens) int32 or (1, ...) of floats, which do not differ in shape; its length
    in tokens is the largest. The encoder's input of a request goes with its prompt: {"source": (rows, ...), "mask": (rows, tokens) int32},
    the second for tokens alone.
    """

    def __init__(self, network: "Network", kind: Any, source: Any):
        super().__init__(network, kind)
        self.source = source
        self.counted = jnp.issubdtype(source.dtype, jnp.integer)  # whether it is tokens, of which there may be fewer

    def cache(self, slots: int, length: int):
        shapes = self._kept(slots, self.source.shape[1] if self.counted else None)
        kept = jax.tree.map(lambda a: jnp.zeros(a.shape, a.dtype), shapes)
        if self.counted:  # a row that all is hidden from has no softmax
            return {**kept, "mask": jnp.ones((slots, self.source.shape[1]), I32)}
        return kept

    def given(self, rows: int, width: int | None = None):
        """A source of the largest length, or of `width` tokens, in which nothing is hidden."""
        width = width or self.source.shape[1]
        if not self.counted:
            return {"source": jnp.zeros((rows, *self.source.shape[1:]), self.source.dtype)}
        return {"source": jnp.zeros((rows, width), I32), "mask": jnp.ones((rows, width), I32)}

    def _kept(self, rows, width):
        """The shapes of what is kept of a source besides its mask, as a dict of arrays whose first axis is the rows."""
        raise NotImplementedError

    def _stored(self, cache, name, new, slots):
        """The array `name` of the cache with the rows `new` in `slots`."""
        return Store(new.shape, cache[name].dtype, 0, 1, written=False).put(
            (cache[name],), new, slots, jnp.zeros_like(slots)
        )[0]

    def _with_mask(self, cache, source, slots):
        if not self.counted:
            return {}
        mask = jnp.pad(source["mask"], ((0, 0), (0, self.source.shape[1] - source["mask"].shape[1])))
        return {"mask": self._stored(cache, "mask", mask.astype(I32), slots)}

    def _call(self, values, take, ids, valid, **more):
        """One call of the decoder; more: the rest of its arguments."""
        rows, width = ids.shape
        given = {
            "decoder_input_ids": ids,
            "decoder_attention_mask": valid.astype(I32),
            "decoder_position_ids": jnp.broadcast_to(jnp.arange(width, dtype=I32), (rows, width)),
            "use_cache": False,
            "return_dict": True,
        }
        given = {name: value for name, value in {**given, **more}.items() if value is not None}
        return self.network.call(values, True, take, **given)[0]

    def reordered(self, cache: Any, slots: Any):
        return jax.tree.map(lambda a: jnp.take(a, slots, axis=0), cache)


class Memory(NamedTuple):
    """What an encoder gave, as a decoder reads it: the first of a tuple, or by name."""

    last_hidden_state: Any


class WholeNetwork(Encoded):
    """No cache and no encoder of its own: the whole network sees the source and all tokens at each step."""

    name = "source and padded lengths"

    def _kept(self, rows, width):
        return {"source": jax.eval_shape(lambda: self.given(rows, width))["source"]}

    def prefill(self, values: Any, cache: Any, ids: Any, lengths: Any, slots: Any, source: Any = None):
        scores = self._scores(values, ids, lengths, source["source"], source.get("mask"))
        return scores, {
            "source": self._stored(cache, "source", source["source"], slots),
            **self._with_mask(cache, source, slots),
        }

    def decode(self, values: Any, cache: Any, tokens: Any, places: Any, alive: Any, view: int | None):
        return self._scores(values, tokens[:, :view], places + 1, cache["source"], cache.get("mask")), cache

    def _scores(self, values, ids, lengths, source, mask):
        rows, width = ids.shape
        valid = jnp.arange(width, dtype=I32) < lengths[:, None]
        scores = self._call(values, scores_of, ids, valid, **{self.network.source: source}, attention_mask=mask)
        return last_scores(scores, rows, width, lengths - 1)


class EncodedOnce(Encoded):
    """The encoder runs once; without a cache the decoder sees all its tokens at each step, padded to few lengths."""

    name = "encoded once and padded lengths"

    def _encoded(self, values, source):
        return self.network.encode(values, _memory_of, source["source"], source.get("mask"))[0]

    def _kept(self, rows, width):
        values = self.network.shapes()
        return {"memory": jax.eval_shape(lambda v: self._encoded(v, self.given(rows, width)), values)}

    def _seen(self, memory, mask):
        """The arguments by which the decoder sees what the encoder made."""
        return {"encoder_outputs": Memory(memory), "attention_mask": mask}

    def prefill(self, values: Any, cache: Any, ids: Any, lengths: Any, slots: Any, source: Any = None):
        memory = self._encoded(values, source)
        scores = self._scores(values, ids, lengths, memory, source.get("mask"))
        return scores, {"memory": self._stored(cache, "memory", memory, slots), **self._with_mask(cache, source, slots)}

    def decode(self, values: Any, cache: Any, tokens: Any, places: Any, alive: Any, view: int | None):
        return self._scores(values, tokens[:, :view], places + 1, cache["memory"], cache.get("mask")), cache

    def _scores(self, values, ids, lengths, memory, mask):
        rows, width = ids.shape
        valid = jnp.arange(width, dtype=I32) < lengths[:, None]
        scores = self._call(values, scores_of, ids, valid, **self._seen(memory, mask))
        return last_scores(scores, rows, width, lengths - 1)


class EncodedPast(EncodedOnce):
    """The encoder runs once, and the decoder has a cache object with one half for its own tokens and one for the encoder's (`EncoderDecoderCache`).

    In a step each row is a batch of one, so that `cache_position` is its own place: distances between tokens are counted from it.
    """

    name = "encoded once, past_key_values with update"

    def __init__(self, network: "Network", kind: Any, source: Any):
        super().__init__(network, kind, source)
        self.argument = next(name for name in NAMES if name in network.takes)
        self.own = self.cross = self.base = None

    def _prompt(self, values, ids, lengths, source):
        rows, width = ids.shape
        memory, span = self._encoded(values, source), jnp.arange(width, dtype=I32)

        def taken(result):
            past = past_of(result)
            if not hasattr(past, "self_attention_cache"):
                raise TypeError(f"the network gave a {type(past).__name__}, which has no 'self_attention_cache'")
            self.base = base_of(past), base_of(past.self_attention_cache)
            return scores_of(result), arrays_of(past)

        more = {**self._seen(memory, source.get("mask")), "use_cache": True, "cache_position": span}
        scores, (own, cross) = self._call(values, taken, ids, span < lengths[:, None], **more)
        return last_scores(scores, rows, width, lengths - 1), memory, jax.tree.leaves(own), jax.tree.leaves(cross)

    def cache(self, slots: int, length: int):
        values, widest = self.network.shapes(), self.source.shape[1] if self.counted else None

        def given(rows, width, wide):
            ids = jnp.zeros((rows, width), I32), jnp.full(rows, width, I32)
            return jax.eval_shape(lambda v: self._prompt(v, *ids, self.given(rows, wide))[1:], values)

        one, rows, tokens = given(2, 5, widest), given(3, 5, widest), given(2, 7, widest)
        self.own = [store_of(*arrays, self.kind) for arrays in zip(one[1], rows[1], tokens[1])]
        fewer = given(2, 5, max(1, widest // 2)) if self.counted else one
        self.cross = [
            store_of(*arrays, None, fixed=not self.counted, written=False) for arrays in zip(one[2], rows[2], fewer[2])
        ]
        kept = super().cache(slots, length)
        wide = [a.shape[s.token_axis] for a, s in zip(one[2], self.cross)]
        return {
            **kept,
            "own": [store.empty(slots, length) for store in self.own],
            "cross": [store.empty(slots, n) for store, n in zip(self.cross, wide)],
        }

    def prefill(self, values: Any, cache: Any, ids: Any, lengths: Any, slots: Any, source: Any = None):
        scores, memory, own, cross = self._prompt(values, ids, lengths, source)
        starts = jnp.zeros_like(slots)
        return scores, {
            "memory": self._stored(cache, "memory", memory, slots),
            **self._with_mask(cache, source, slots),
            "own": [s.put(a, new, slots, starts) for s, a, new in zip(self.own, cache["own"], own)],
            "cross": [s.put(a, new, slots, starts) for s, a, new in zip(self.cross, cache["cross"], cross)],
        }

    def decode(self, values: Any, cache: Any, tokens: Any, places: Any, alive: Any, view: int | None):
        ids = jnp.take_along_axis(tokens, places[:, None], axis=1)
        places = jnp.minimum(places, view - 1)  # a slot that is full has ended: what it computes is not used
        still = {name: cache[name] for name in ("memory", "mask") if name in cache}
        cross_axes = [tuple(s.slot_axis for _ in arrays) for s, arrays in zip(self.cross, cache["cross"])]

        def row(alone, place, put, ids, cross, still):
            seen = [jnp.expand_dims(arrays[0], s.slot_axis) for s, arrays in zip(self.cross, cross)]
            still = {name: a[None] for name, a in still.items()}
            return self._step(values, alone, seen, still, ids[None], place, view, put)

        given, axes = (ids, cache["cross"], still), (0, cross_axes, dict.fromkeys(still, 0))
        scores, own = each_alone(self.own, cache["own"], places, view, row, given, axes)
        return scores, {**cache, "own": own}

    def _step(self, values, own, cross, still, ids, place, view, put):
        held = held_of(self.base[1], own, view, put)
        both = _both_of(self.base[0], held, [*zip(map(wrap, cross[::2]), map(wrap, cross[1::2]))])

        def taken(result):
            return scores_of(result), held._now()

        scores, kept = self._call(
            values,
            taken,
            ids,
            (jnp.arange(view, dtype=I32) <= place[:, None]),
            **self._seen(still["memory"], still.get("mask")),
            **{self.argument: both},
            decoder_position_ids=place[:, None],
            use_cache=True,
            cache_position=place,
        )
        return last_scores(scores, 1, 1, place * 0), kept

    def reordered(self, cache: Any, slots: Any):
        moved = {name: jnp.take(a, slots, axis=0) for name, a in cache.items() if name in ("memory", "mask")}
        for name, stores in (("own", self.own), ("cross", self.cross)):
            moved[name] = [store.reordered(arrays, slots) for store, arrays in zip(stores, cache[name])]
        return moved


class _Both:
    """A cache of two halves as networks see it in a step; what is asked of the whole is the decoder's own."""

    is_compileable = True

    def get_seq_length(self, layer_idx: int = 0):
        return self.self_attention_cache.get_seq_length(layer_idx)

    def get_max_cache_shape(self, layer_idx: int = 0):
        return self.self_attention_cache.get_max_cache_shape(layer_idx)

    get_max_length = get_max_cache_shape

    def get_mask_sizes(self, *given: Any, **more: Any):
        return self.self_attention_cache.get_mask_sizes(*given, **more)

    def __len__(self):
        return len(self.self_attention_cache)

    def __bool__(self):
        return True


def _both_of(base, held, layers):
    """A `_Both`, of a class that is a subclass of the network's own class of caches, for its `isinstance`. layers: (keys, values) of the encoder's."""
    made = without_init(_Both, base)
    updated = dict.fromkeys(range(len(layers)), True)
    vars(made).update(self_attention_cache=held, cross_attention_cache=_Cross(layers), is_updated=updated)
    return made


class _Cross:
    """Keys and values of what the encoder made, all of which are there."""

    def __init__(self, layers):
        self.layers = [SimpleNamespace(keys=keys, values=values) for keys, values in layers]
        self.key_cache, self.value_cache = ([pair[i] for pair in layers] for i in range(2))

    def get_seq_length(self, layer_idx: int = 0):
        return self.key_cache[layer_idx].shape[-2]

    def __len__(self):
        return len(self.layers)


def _memory_of(result):
    """What the decoder sees, in what an encoder gave."""
    found = getattr(result, "last_hidden_state", None)
    if found is None and isinstance(result, dict):
        found = result.get("last_hidden_state")
    if found is None:
        found = result[0] if isinstance(result, (tuple, list)) else result
    if not isinstance(found, Tensor):
        raise TypeError(f"the encoder must give a Tensor (batch, tokens, size), but gave a {type(found).__name__}")
    return found.jax_array
