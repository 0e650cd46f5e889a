"""Where keys and values are stored: as each device orders them, they are the same."""

import decoders
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msjax
from msjax.core.settings.context import computing_for
from msjax.generation.store import Store, put_late


@pytest.mark.parametrize("kind, size, token_axis", [(None, 8, 2), (None, 128, 2), ("int8", 8, 1)])
def test_the_order_of_a_tpu_holds_the_same_keys(kind, size, token_axis):
    store = Store((2, 2, 2, size), jnp.float32, 0, token_axis, kind)
    random = np.random.default_rng(0)

    def keys(rows, tokens):
        shape = [rows, 2, 2, size]
        shape[token_axis] = tokens
        return jnp.asarray(random.normal(size=shape).astype(np.float32))

    prompts, tokens, others = keys(2, 4), keys(3, 1), keys(3, 1)

    def results():
        arrays = store.put(store.empty(3, 7), prompts, jnp.int32([2, 0]), jnp.int32([0, 0]))
        new = tokens, jnp.arange(3, dtype=jnp.int32), jnp.int32([4, 0, 6])
        seen, arrays = store.step(arrays, *new, 5)[1], store.put(arrays, *new)
        arrays = store.reordered(arrays, jnp.int32([1, 2, 0]))
        alone = [jnp.expand_dims(a, 1) for a in arrays]
        _, last = jax.vmap(store.step_alone(7))(tuple(alone), jnp.expand_dims(others, 1), jnp.int32([1, 6, 0]))
        return seen, last, store.view(arrays, 7, jnp.int32(0))

    here = results()
    with computing_for("TPU"):
        there = results()
        # The last axis in a TPU's memory is not padded.
        assert store.empty(3, 200)[0].shape[-1] == (200 if size < 128 else size)
    for one, other in zip(here, there):
        np.testing.assert_array_equal(one, other)
    assert all(np.count_nonzero(one) for one in here)


@pytest.mark.parametrize("kind", [None, "int8"])
@pytest.mark.parametrize("size", [8, 128])
@pytest.mark.parametrize("rows", [1, 3])
def test_what_is_stored_after_it_was_read_is_what_is_stored_before(kind, size, rows):
    """A step of a TPU reads first; the arrays and what the network sees are those of a step that stores first."""
    stores = [Store((2, 2, 2, size), jnp.float32, 0, 2, kind), Store((2, 2, 2, size), jnp.float32, 0, 2, kind)]
    random = np.random.default_rng(1)
    prompts, tokens = (
        [jnp.asarray(random.normal(size=(rows, 2, n, size)).astype(np.float32)) for _ in stores] for n in (4, 1)
    )
    slots, places = jnp.arange(rows, dtype=jnp.int32), jnp.int32([4, 0, 5][:rows])
    with computing_for("TPU"):
        cache = [s.put(s.empty(rows, 7), p, slots, slots * 0) for s, p in zip(stores, prompts)]
        first = [s.put(arrays, new, slots, places) for s, arrays, new in zip(stores, cache, tokens)]
        views = [s.view(arrays, 6, jnp.int32(0)) for s, arrays in zip(stores, first)]
        steps = [s.step(arrays, new, slots, places, 6) for s, arrays, new in zip(stores, cache, tokens)]
        scores, late = put_late(stores, cache, dict(enumerate(tokens)), slots, places, jnp.ones(2))
    for one, other, before, (same, seen), view in zip(first, late, cache, steps, views):
        np.testing.assert_array_equal(seen, view)
        assert all(a is b for a, b in zip(same, before))
        for array, stored in zip(one, other):
            np.testing.assert_array_equal(array, stored)
    assert scores.tolist() == [1, 1]


@pytest.mark.parametrize(
    "kind, cached, sizes",
    [
        ("tuples", None, {}),
        ("tuples", "int8", {}),
        ("objects", None, {}),
        ("objects", None, {"sliding_window": 8}),
        ("objects", "int8", {"sliding_window": 8}),
    ],
)
def test_texts_are_the_same_in_the_order_of_a_tpu(kind, cached, sizes):
    net = decoders.make(kind, num_layers=2, **sizes)

    def texts():
        generator = msjax.TextGenerator(net, 2, 32, check=False, cache=cached)
        prompts = [1, 2, 3], [5, 6, 7, 8, 9], [4]
        return [r.result().tolist() for r in [generator.submit(p, max_new_tokens=12) for p in prompts]]

    here = texts()
    with computing_for("TPU"):
        assert texts() == here
