"""Products in the form that the compiler of CPUs has kernels for: the same numbers, and no copy of the weights in another dtype."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from msjax.generation.products import computed
from msjax.generation.weights import Weights, restored


class _Network:
    def __init__(self, **values):
        self._values = values

    def values(self):
        return self._values


def _stored(kind, turned=(), **values):
    values = {name: jnp.asarray(value, jnp.float32) for name, value in values.items()}
    return Weights(_Network(**values), kind, turned=turned).now()


def _random(*shape):
    return np.random.default_rng(len(shape) + shape[0]).normal(size=shape).astype(np.float32)


def _network(values, ids, x):
    """A table that is read in both directions, a matrix whose first axis is summed over, and one whose second is."""
    x = x + values["table"][ids]
    x = jax.nn.silu(x.astype(values["first"].dtype) @ values["first"])
    x = lax.dot_general(x, values["second"], (((2,), (1,)), ((), ())))
    return x @ values["table"].T


@pytest.mark.parametrize("rows", [(1, 1), (3, 1), (2, 5)])
@pytest.mark.parametrize("kind", [None, "bfloat16", "int8"])
def test_the_numbers_are_those_of_the_network(kind, rows):
    weights = _stored(kind, table=_random(200, 64), first=_random(64, 128), second=_random(64, 128))
    ids, x = np.arange(rows[0] * rows[1], dtype=np.int32).reshape(rows), jnp.asarray(_random(*rows, 64))
    x = x.astype(kind) if kind == "bfloat16" else x
    got = jax.jit(lambda *given: computed(_network, *given))(weights, ids, x)
    want = jax.jit(lambda weights, *given: _network(restored(weights), *given))(weights, ids, x)
    assert got.dtype == want.dtype and got.shape == want.shape
    largest = np.abs(np.asarray(want, np.float32)).max()
    allowed = {None: 1e-6, "bfloat16": 2e-2, "int8": 2e-4}[kind]
    assert np.abs(np.asarray(got, np.float32) - np.asarray(want, np.float32)).max() <= allowed * largest


def test_rows_are_taken_of_whole_numbers_elsewhere_too():
    """Where products stay as they are, a table that is also a factor of a product was made whole for its rows."""
    weights = _stored("int8", table=_random(200, 64), first=_random(64, 128), second=_random(64, 128))
    ids, x = np.int32([[3], [199]]), jnp.asarray(_random(2, 1, 64))
    got = computed(_network, weights, ids, x, by_cpu=False)
    np.testing.assert_array_equal(got, _network(restored(weights), ids, x))
    program = jax.make_jaxpr(lambda values: computed(lambda v: v["table"][ids], values, by_cpu=False))(weights)
    assert "f32[200,64]" not in str(program) and "i8[2,1,64]" in str(program)


def test_turned_matrices_of_whole_numbers():
    weights = _stored(
        "int8", ("first", "second"), table=_random(200, 64), first=_random(64, 128), second=_random(64, 128)
    )
    plain = _stored("int8", table=_random(200, 64), first=_random(64, 128), second=_random(64, 128))
    ids, x = np.zeros((2, 1), np.int32), jnp.asarray(_random(2, 1, 64))
    np.testing.assert_allclose(
        computed(_network, weights, ids, x), computed(_network, plain, ids, x), rtol=1e-4, atol=1e-2
    )


@pytest.mark.parametrize("dtype, limit", [("float32", 1e-6), ("bfloat16", 2e-2)])
@pytest.mark.parametrize("queries", [1, 3])
def test_attention_reads_keys_as_they_lie(dtype, limit, queries):
    def attend(values, query, keys):
        scores = jnp.matmul(query, keys.swapaxes(-1, -2))
        shares = jax.nn.softmax(scores.astype(jnp.float32), -1).astype(keys.dtype)
        turned = keys.transpose(2, 0, 1, 3)  # what is no product's factor alone is the array itself
        return jnp.matmul(shares, keys), turned + 1

    query, keys = (jnp.asarray(_random(2, 4, n, 16), dtype) for n in (queries, 8))
    got, want = computed(attend, {}, query, keys), attend({}, query, keys)
    program = str(jax.make_jaxpr(lambda *given: computed(attend, {}, *given)[0])(query, keys))
    assert "permutation=(0, 1, 3, 2)" not in program
    for a, b in zip(got, want):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(np.asarray(a, np.float32), np.asarray(b, np.float32), rtol=limit, atol=limit)


@pytest.mark.skipif(jax.default_backend() != "cpu", reason="about the compiler of CPUs")
@pytest.mark.parametrize("kind", ["bfloat16", "int8"])
@pytest.mark.parametrize("rows", [1, 4])
def test_no_copy_of_the_weights_is_made(kind, rows):
    weights = _stored(kind, first=_random(512, 1024), second=_random(512, 1024))

    def layers(values, x):
        x = jax.nn.silu(x.astype(values["first"].dtype) @ values["first"])
        return lax.dot_general(x, values["second"], (((1,), (1,)), ((), ())))

    compiled = jax.jit(lambda *given: computed(layers, *given)).lower(weights, jnp.ones((rows, 512))).compile()
    assert compiled.memory_analysis().temp_size_in_bytes < 512 * 1024  # of float32 each would be four times as much
