"""Gradients of tables get the layout of the optimizer's state where they are scattered, where that moves less; nothing else gets one."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AbstractMesh, AxisType, Mesh, NamedSharding, PartitionSpec

from msjax.core.compat import jaxpr_as_fun
from msjax.parallel.gradient_layout import as_state, number_of_parts

MESH = AbstractMesh((2, 4), ("data", "model"), axis_types=(AxisType.Auto,) * 2)
PARTS = NamedSharding(MESH, PartitionSpec("model", "data"))
ONE = NamedSharding(Mesh(np.array(jax.devices()[:1]).reshape(1, 1), ("data", "model")), PartitionSpec("model"))


def step(table, mean, square, rate, ids):
    gradient = jax.grad(lambda w: jnp.sum(jax.lax.with_sharding_constraint(w, ONE)[ids] ** 2))(table)
    gradient = jnp.where(jnp.isfinite(gradient), gradient, 0.0) + 0.01 * table
    mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient * gradient
    return table - rate * mean / jnp.sqrt(square), mean, square


def given(rows):
    rng = np.random.RandomState(0)
    table = rng.randn(16, 2), rng.randn(16, 2), rng.rand(16, 2) + 1
    return (*table, np.float64(0.1), rng.randint(0, 16, rows))


def constraints(closed):
    return [e.params["sharding"] for e in closed.jaxpr.eqns if e.primitive.name == "sharding_constraint"]


@pytest.mark.parametrize("rows, moved", [(4, True), (40, False)])
def test_rows_are_sent_to_the_state_where_they_are_few(rows, moved):
    closed = jax.make_jaxpr(step)(*given(rows))
    made = as_state(closed, {1: (PARTS, 4), 2: (PARTS, 4)})
    # of the table, of what is scattered, and where the layout of the table was its gradient's
    assert constraints(made) == ([ONE, PARTS, PARTS] if moved else [ONE, ONE])
    assert (made is closed) != moved
    if moved:
        made_by = {v: e.primitive.name for e in made.jaxpr.eqns for v in e.outvars}
        [first, *_] = [e for e in made.jaxpr.eqns if e.params.get("sharding") == PARTS]
        assert (
            made_by[first.invars[0]] == "scatter-add"
        )  # neither the decay nor what tests it for infinities comes before


def test_rows_are_sent_as_they_were_before_a_cast():
    """Half the bytes; there may be twice as many as sums, which would be moved twice."""

    def half(table, mean, ids):
        gradient = jax.grad(lambda w: jnp.sum((w[ids].astype(jnp.float16) ** 2).astype(jnp.float32)))(table)
        return table - 0.1 * (0.9 * mean + 0.1 * gradient)

    def made(count):
        table = np.ones((16, 2), np.float32)
        return as_state(jax.make_jaxpr(half)(table, table, np.zeros((2, count), int)), {1: (PARTS, 4)})

    eqns = [e for e in made(7).jaxpr.eqns if e.primitive.name == "sharding_constraint"]
    assert [e.outvars[0].aval.dtype for e in eqns] == [jnp.float16, jnp.float32]
    assert [e.params["sharding"].spec for e in eqns] == [PartitionSpec(None, None, "data"), PARTS.spec]
    assert constraints(made(8)) == []


def test_values_are_the_same():
    closed = jax.make_jaxpr(step)(*given(4))
    made = as_state(closed, {1: (ONE, 0.25), 2: (ONE, 0.25)})
    assert len(constraints(made)) == 3
    for before, after in zip(jaxpr_as_fun(closed)(*given(4)), jaxpr_as_fun(made)(*given(4))):
        np.testing.assert_array_equal(before, after)


def test_products_and_state_that_is_whole_have_none():
    def dense(w, mean, x):
        return 0.9 * mean + 0.1 * jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w)))(w)

    closed = jax.make_jaxpr(dense)(np.ones((4, 2)), np.ones((4, 2)), np.ones((3, 4)))
    assert as_state(closed, {1: (PARTS, 4)}) is closed and as_state(closed, {}) is closed
    assert number_of_parts(PARTS) == 8
