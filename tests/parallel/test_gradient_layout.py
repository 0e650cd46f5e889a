"""Gradients get the layout of the optimizer's state where they are made; weights, numbers and what is no gradient get none."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from msjax.core.compat import jaxpr_as_fun
from msjax.parallel.gradient_layout import as_state


def step(weight, mean, square, rate, x):
    gradient = jax.grad(lambda w: jnp.sum(jnp.tanh(x @ w) ** 2))(weight)
    gradient = jnp.where(jnp.isfinite(gradient), gradient, 0.0) + 0.01 * weight
    mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient * gradient
    return weight - rate * mean / jnp.sqrt(square), mean, square


def constraints(closed):
    return [e for e in closed.jaxpr.eqns if e.primitive.name == "sharding_constraint"]


def test_a_gradient_lies_as_the_state_it_is_added_to():
    rng = np.random.RandomState(0)
    given = (rng.randn(4, 2), rng.randn(4, 2), rng.rand(4, 2), np.float64(0.1), rng.randn(3, 4))
    closed = jax.make_jaxpr(step)(*given)
    sharding = NamedSharding(Mesh(np.array(jax.devices()[:1]), ("data",)), PartitionSpec("data"))
    made = as_state(closed, {1: sharding, 2: sharding})
    [constraint] = constraints(made)
    assert constraint.params["sharding"] == sharding and constraint.outvars[0].aval.shape == (4, 2)
    made_by = {v: e.primitive.name for e in made.jaxpr.eqns for v in e.outvars}
    assert (
        made_by[constraint.invars[0]] == "transpose"
    )  # of the product: neither the decay nor what tests it for infinities comes before
    for before, after in zip(jaxpr_as_fun(closed)(*given), jaxpr_as_fun(made)(*given)):
        np.testing.assert_array_equal(before, after)


def test_without_state_in_parts_nothing_changes():
    closed = jax.make_jaxpr(step)(np.ones((4, 2)), np.ones((4, 2)), np.ones((4, 2)), 0.1, np.ones((3, 4)))
    assert as_state(closed, {}) is closed


def test_the_layout_of_the_weight_gives_way():
    mesh = Mesh(np.array(jax.devices()[:1]).reshape(1, 1), ("data", "model"))
    weight, parts = (NamedSharding(mesh, PartitionSpec(*spec)) for spec in (("model",), ("model", "data")))

    def table(w, mean, ids):
        gradient = jax.grad(lambda w: jnp.sum(jax.lax.with_sharding_constraint(w, weight)[ids] ** 2))(w)
        return 0.9 * mean + 0.1 * gradient

    closed = jax.make_jaxpr(table)(np.ones((8, 2)), np.ones((8, 2)), np.array([1, 3]))
    found = [e.params["sharding"].spec for e in constraints(as_state(closed, {1: parts}))]
    assert found == [
        weight.spec,
        parts.spec,
        parts.spec,
    ]  # of the weight, of what is scattered, and where the weight's stood
