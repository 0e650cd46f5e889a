"""Where keys and values are stored: as each device orders them, they are the same."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msjax.core.settings.context import computing_for
from msjax.generation.store import Store


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
        arrays, seen = store.step(arrays, tokens, jnp.arange(3, dtype=jnp.int32), jnp.int32([4, 0, 6]), 5)
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
