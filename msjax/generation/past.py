"""Caches that go in and out as `past_key_values`, as mindnlp and Hugging Face have them: tuples that grow, and objects with `update`.

The network sees keys of a fixed length, of which a mask says which count; each new one is put into its place, in the arrays that
were there, so nothing grows and nothing is copied. What a network does to tuples, `ops.cat((past, new))`, is found in the traced
program, and is that change in place.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ..core.compat import evaluate_equation
from ..core.program.interpreter import Interpreter
from ..core.program.primitives import name_of
from ..core.settings.context import present_device
from ..core.values.tensor import Tensor, wrap
from ..nn.cell.cell import Cell
from .last import scored
from .network import last_scores, scores_of
from .spellings import I32, Spelling
from .store import each_alone, put_late, stores_of

if TYPE_CHECKING:
    import jax.extend

    from ..core.values.dtype import Type
    from .network import Network

_LISTS = (
    ("key_cache", "value_cache"),
    ("keys", "values"),
    ("k_cache", "v_cache"),
    ("key", "value"),
    ("k", "v"),
)  # of the layers, in objects
NAMES = ("past_key_values", "past_key_value", "layer_past", "past")  # what `construct` calls it


class Past(Spelling):
    """Base of the tuple and object spellings: the prompt's keys come from the network; where they are stored.

    The prompt is one call without a past; what the network gives for it says how many arrays there are, of which shapes.
    """

    def __init__(self, network: "Network", kind: Any = None, each: bool = False):
        super().__init__(network, kind)
        self.each = each  # whether each row is computed with its own place, from which a window is counted
        self.name += ", each row alone" * each
        self.argument = next(name for name in NAMES if name in network.takes)
        self.window = network.said("sliding_window")
        self.steps_alone = "cache_position" in network.takes
        self.stores = self.layout = None

    def cache(self, slots: Any, length: int):
        values = self.network.shapes()

        def given(rows, width):
            def prompt(values):
                parts = self._prompt(values, jnp.zeros((rows, width), I32), jnp.full(rows, width, I32))[1]
                return jax.tree.leaves(parts)

            return jax.eval_shape(prompt, values)

        one = given(2, 5)
        if not one:
            raise ValueError(f"{self.network.name} gave no keys and values for a prompt")
        self.stores = stores_of(one, given(3, 5), given(2, 7), self.kind)
        if self.window and not self.steps_alone and length > self.window:
            raise ValueError(
                f"{self.network.name} has a sliding window of {self.window} tokens and does not take 'cache_position', so a cache of "
                f"{length} tokens can not tell it where the window is"
            )
        # A step over the whole of a single row would be changed and read as one, which the compiler of CPUs does in a copy for each reader.
        unused = 1 if slots == 1 and present_device() == "CPU" else 0
        return [store.empty(slots, length + unused) for store in self.stores]

    def _arguments(self, ids, mask, positions, **more):
        return {
            "input_ids": ids,
            "attention_mask": mask,
            "position_ids": positions,
            "use_cache": True,
            "return_dict": True,
            **more,
        }

    def _prompt(self, values, ids, lengths):
        rows, width = ids.shape
        span = jnp.arange(width, dtype=I32)
        mask = (span < lengths[:, None]).astype(I32)
        # Scores of a place for each row, where a network can do with fewer than all: the product with the vocabulary is the largest of all.
        few = "logits_to_keep" in self.network.takes and rows < width
        positions = jnp.broadcast_to(span, (rows, width))
        more = {"logits_to_keep": lengths - 1} if few else {}

        def called(values, ids):
            given = self._arguments(ids, mask, positions, cache_position=span, **more)
            return self.network.call(values, True, self._taken, **given)[0]

        if few:
            scores, kept = called(values, ids)
            if scores.shape[:2] == (rows, rows):
                return scores[jnp.arange(rows), jnp.arange(rows)].astype(jnp.float32), kept
        scores, kept, self.alone = scored(called, values, ids, lengths - 1)
        return scores, kept

    def unpadded(self, values: Any, ids: Any):
        rows, width = ids.shape
        return self._prompt(values, ids, jnp.full(rows, width, I32))[0] if self.alone else None

    def _taken(self, result):
        return scores_of(result), arrays_of(past_of(result))

    def prefill(self, values: Any, cache: Any, ids: Any, lengths: Any, slots: Any):
        scores, kept = self._prompt(values, ids, lengths)
        starts = jnp.zeros_like(slots)
        return scores, [s.put(a, new, slots, starts) for s, a, new in zip(self.stores, cache, jax.tree.leaves(kept))]

    def decode(self, values: Any, cache: Any, tokens: Any, places: Any, alive: Any, view: int | None):
        ids = jnp.take_along_axis(tokens, places[:, None], axis=1)
        # A slot that is full has ended: what it computes is not used.
        places = jnp.minimum(places, view - 1)
        rows = ids.shape[0]
        if rows > 1 and (self.each or self.window and self.window < view):
            return self._each_alone(values, cache, ids, places, view)
        slots = jnp.arange(rows, dtype=I32)
        late = {}  # the new keys that are stored when all is read

        def put(index, arrays, new):
            if self.stores[index].late:
                late[index] = new
            return self.stores[index].step(arrays, new, slots, places, view)

        # One place for all rows: past all of them, so that the mask alone tells which tokens count.
        where = places[:1] if rows == 1 else jnp.full(1, view - 1, I32)
        scores, cache = self._step(values, cache, ids, places, where, view, put)
        return put_late(self.stores, cache, late, slots, places, scores)

    def _each_alone(self, values, cache, ids, places, view):
        """A step in which each row is a batch of one: `cache_position` is then its own place, from which a window is counted."""

        def row(alone, place, put, ids):
            return self._step(values, alone, ids[None], place, place, view, put)

        return each_alone(self.stores, cache, places, view, row, (ids,), (0,))

    def _step(self, values, cache, ids, places, where, view, put):
        """(scores, cache) of one token a row. where: `cache_position`. put: function(number of a key or value array,
        stored array, new entries) that returns (stored array, visible part).
        """
        raise NotImplementedError

    def _step_arguments(self, ids, places, where, view):
        mask = (jnp.arange(view, dtype=I32) <= places[:, None]).astype(I32)
        return self._arguments(ids, mask, places[:, None], cache_position=where)

    def reordered(self, cache: Any, slots: Any):
        return [store.reordered(arrays, slots) for store, arrays in zip(self.stores, cache)]


class Objects(Past):
    """`past_key_values` as an object whose `update(keys, values, layer)` gives all keys so far (Hugging Face's `Cache`)."""

    name = "past_key_values with update"

    def cache(self, slots: Any, length: int):
        cache = super().cache(slots, length)
        if len(cache) % 2:
            raise ValueError(f"{self.network.name} keeps {len(cache)} arrays, which are not keys and values")
        return cache

    def _taken(self, result):
        past = past_of(result)
        self.base = base_of(past)
        return scores_of(result), arrays_of(past)

    def _step(self, values, cache, ids, places, where, view, put):
        held = held_of(self.base, cache, view, put)
        arguments = self._step_arguments(ids, places, where, view)

        def taken(result):
            return scores_of(result), held._now()

        (scores, kept), _ = self.network.call(values, False, taken, **{self.argument: held}, **arguments)
        return last_scores(scores, ids.shape[0], 1, places * 0), kept


class Tuples(Past):
    """`past_key_values` as a tuple of (keys, values), to which the network appends the new ones."""

    name = "past_key_values as tuples"

    def _taken(self, result):
        past = past_of(result)
        if not isinstance(past, (tuple, list)):
            raise TypeError(f"the network gave a {type(past).__name__}, not tuples of keys and values")
        arrays = arrays_of(past)
        self.layout = jax.tree.structure(arrays)
        return scores_of(result), arrays

    def _step(self, values, cache, ids, places, where, view, put):
        arguments = self._step_arguments(ids, places, where, view)
        shapes = []
        for store in self.stores:
            shape = list(store.shape)
            shape[store.slot_axis], shape[store.token_axis] = ids.shape[0], view - 1
            shapes.append(jax.ShapeDtypeStruct(tuple(shape), store.dtype))

        def scores(past, values, arguments):
            fixed = {
                name: value for name, value in self._arguments(None, None, None).items() if isinstance(value, bool)
            }
            given = jax.tree.unflatten(self.layout, past)
            return self.network.call(values, False, scores_of, **{self.argument: given}, **fixed, **arguments)[0]

        arrays = {name: value for name, value in arguments.items() if isinstance(value, jax.Array)}
        closed, out = jax.make_jaxpr(scores, return_shape=True)(shapes, values, arrays)
        growing = Growing(self.stores, cache, put)
        inputs = [Appended(i) for i in range(len(shapes))] + jax.tree.leaves((values, arrays))
        (result,) = growing.run(closed, inputs)
        if len(growing.grown) != len(shapes):
            raise ValueError(f"{self.network.name} does not append to all keys and values of its past")
        return last_scores(result, ids.shape[0], 1, places * 0), growing.cache


class Appended:
    """An array of the past to which the program appends; dtype: the dtype that it was cast to, if any."""

    def __init__(self, index: int, dtype: "Type | None" = None):
        self.index, self.dtype = index, dtype


class Growing(Interpreter):
    """Evaluates a step of a network with tuples: `concatenate(past, new)` puts the new keys into their place."""

    def __init__(self, stores: Any, cache: Any, put: Callable):
        self.stores, self.cache, self.put, self.grown = stores, list(cache), put, set()

    def enters(self, eqn: "jax.extend.core.JaxprEqn", given: Sequence, around: Any):
        return any(isinstance(value, Appended) for value in given)

    def equation(self, eqn: "jax.extend.core.JaxprEqn", given: Sequence, around: Any):
        past = next((value for value in given if isinstance(value, Appended)), None)
        if past is None:
            return evaluate_equation(eqn, given)
        store, name = self.stores[past.index], name_of(eqn)
        if name == "convert_element_type" and past.dtype is None:
            return [Appended(past.index, eqn.params["new_dtype"])]
        if (
            name != "concatenate"
            or given[0] is not past
            or len(given) != 2
            or eqn.params["dimension"] != store.token_axis
        ):
            raise ValueError(
                f"the network uses its past in '{name}' before it appends the new keys, so the past can not lie in one place"
            )
        if past.index in self.grown:
            raise ValueError("the network appends twice to the same keys")
        self.grown.add(past.index)
        self.cache[past.index], seen = self.put(past.index, self.cache[past.index], given[1])
        return [seen if past.dtype is None else seen.astype(past.dtype)]


class Held:
    """A cache as networks see it in a step: `update` puts the new keys into their place and gives all; the lengths are fixed."""

    is_compileable = True
    is_sliding = (False,)

    def update(self, key_states: Any, value_states: Any, layer_idx: int = 0, cache_kwargs: Any = None, **others):
        """(keys, values) of the layer, with the new ones (batch, heads, 1, size) in their place."""
        return tuple(
            wrap(self._put(2 * layer_idx + i, new.jax_array)) for i, new in enumerate((key_states, value_states))
        )

    def _put(self, index, new):
        held = vars(self)["_held"]
        held["cache"][index], seen = held["put"](index, held["cache"][index], new)
        held["grown"].add(index)
        return seen

    def _now(self):
        held = vars(self)["_held"]
        if len(held["grown"]) < len(held["cache"]):
            raise ValueError("the network did not update the keys and values of all layers")
        return held["cache"]

    def get_seq_length(self, layer_idx: int = 0):
        """How many tokens are before the new one, for shapes."""
        return vars(self)["_held"]["view"] - 1

    seen_tokens = property(get_seq_length)
    _seen_tokens = seen_tokens

    def get_max_cache_shape(self, layer_idx: int = 0):
        """How many tokens the keys of a step have."""
        return vars(self)["_held"]["view"]

    get_max_length = get_max_cache_shape

    def get_usable_length(self, new_seq_length: int = 1, layer_idx: int = 0):
        """How many tokens are before the new one."""
        return vars(self)["_held"]["view"] - 1

    def get_mask_sizes(self, cache_position: Any = None, layer_idx: int = 0):
        """(how many keys, from which place on)."""
        return vars(self)["_held"]["view"], 0

    def __len__(self):
        return len(vars(self)["_held"]["cache"]) // 2

    def __bool__(self):
        return True


def held_of(base, cache, view, put):
    """A `Held`, of a class that is a subclass of the network's own class of caches, for its `isinstance`."""
    made = without_init(Held, base)
    vars(made)["_held"] = {"cache": list(cache), "view": view, "put": put, "grown": set()}
    return made


def without_init(kind, base):
    """An instance of `kind` that is one of `base`, too, whose `__init__` would ask for arguments that only the network knows."""
    if base is not None:
        kind = type(kind.__name__.lstrip("_"), (kind, base), {})
    made = kind.__new__(kind)
    if isinstance(made, Cell):
        Cell.__init__(made)
    return made


def base_of(past):
    """The most general class of caches of a network's cache; None where it has none of its own."""
    found = [kind for kind in type(past).__mro__ if kind.__name__.endswith("Cache")]
    return found[-1] if found else None


def past_of(result):
    """The keys and values in a network's result."""
    for name in NAMES:
        found = result.get(name) if isinstance(result, dict) else getattr(result, name, None)
        if found is not None:
            return found
    if isinstance(result, (tuple, list)):
        for part in result[1:]:
            if isinstance(part, (tuple, list)) and part or hasattr(part, "update") and not isinstance(part, Tensor):
                return part
    raise TypeError(f"the network gave no keys and values with use_cache=True, but a {type(result).__name__}")


def arrays_of(past):
    """The arrays of a network's cache, as nested tuples: keys and values of each layer."""
    if isinstance(past, Tensor):
        return past.jax_array
    if isinstance(past, (tuple, list)):
        return tuple(arrays_of(part) for part in past)
    if hasattr(past, "self_attention_cache"):
        return arrays_of(past.self_attention_cache), arrays_of(past.cross_attention_cache)
    for both in _LISTS:
        keys, values = (getattr(past, name, None) for name in both)
        if isinstance(keys, (tuple, list)) and isinstance(values, (tuple, list)):
            return tuple(arrays_of(pair) for pair in zip(keys, values))
    if hasattr(past, "layers"):
        return tuple((arrays_of(layer.keys), arrays_of(layer.values)) for layer in past.layers)
    if hasattr(past, "to_legacy_cache"):
        return arrays_of(past.to_legacy_cache())
    raise TypeError(f"a {type(past).__name__} holds no keys and values that are known")
