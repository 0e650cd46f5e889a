"""Products of flattened rows become products of the arrays: same values, same gradients, fewer reshapes; what cannot, stays."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from msjax.core.compat import jaxpr_as_fun
from msjax.core.program.rows import of_arrays

X, W, B = np.random.RandomState(0).randn(2, 3, 4), np.random.RandomState(1).randn(4, 5), np.arange(5.0)


def dense(x, w, b):
    return (x.reshape(-1, 4) @ w + b).reshape(2, 3, 5)


def cast(x, w, b):
    rows = x.reshape(6, 4).astype(jnp.float32)
    return jax.nn.gelu(rows @ w.astype(jnp.float32) + b.astype(jnp.float32)).reshape(2, 3, 5)


def relu(x, w, b):
    rows = x.reshape(-1, 4) @ w + b
    return jnp.where(rows <= 0, 0, jnp.where(rows > 6, jnp.full_like(rows, 6), rows)).reshape(2, 3, 5)


def loss(x, w, b):
    """The labels' log probabilities, of rows that never become the array again."""
    logits = jax.nn.log_softmax((jnp.matmul(x, w) + b).reshape(-1, 5).astype(jnp.float32))
    labels = (x[..., 0] > 0).astype(jnp.int32).reshape(-1, 1)
    there = jax.lax.broadcasted_iota(jnp.int32, logits.shape, 1) == labels
    return -jnp.where(there, logits, 0.0).sum(1).mean()


def placed(x, w, b):
    mesh = Mesh(np.array(jax.devices()[:1]).reshape(1, 1), ("data", "model"))
    rows = jax.lax.with_sharding_constraint(x.reshape(-1, 4), NamedSharding(mesh, PartitionSpec("data", "model")))
    return jnp.tanh(rows @ w).reshape(x.shape[:-1] + (5,)) * b


def again(x, w, b):
    return jax.checkpoint(lambda x: dense(x, w, b) ** 2)(jnp.sin(x))


def rows_remain(x, w, b):
    rows = x.reshape(-1, 4)
    return (rows @ w + rows.sum(0)[0] + b).reshape(2, 3, 5), rows.reshape(3, 8)


def mixed(x, w, b):
    return ((x.reshape(-1, 4) @ w) * jnp.arange(6.0)[:, None] + jnp.ones((6, 5)) * b).reshape(2, 3, -1)


PROGRAMS = {f.__name__: f for f in (dense, cast, relu, loss, placed, again, rows_remain, mixed)}


@pytest.mark.parametrize("name", PROGRAMS)
def test_values_and_gradients_are_the_same(name):
    program = PROGRAMS[name]
    closed = jax.make_jaxpr(program)(X, W, B)
    made = of_arrays(closed)
    assert made is not closed

    def total(closed):
        return lambda *a: sum(jnp.sum(out * out) for out in jaxpr_as_fun(closed)(*a))

    for before, after in zip(
        jax.tree_util.tree_leaves(jax.value_and_grad(total(closed), (0, 1, 2))(X, W, B)),
        jax.tree_util.tree_leaves(jax.value_and_grad(total(made), (0, 1, 2))(X, W, B)),
    ):
        np.testing.assert_allclose(before, after, rtol=1e-5)
    assert [v.aval for v in made.jaxpr.outvars] == [v.aval for v in closed.jaxpr.outvars]


@pytest.mark.parametrize("name", ["dense", "cast", "relu", "placed"])
def test_a_layer_between_reshapes_has_none_left(name):
    made = of_arrays(jax.make_jaxpr(PROGRAMS[name])(X, W, B))
    numbers = [e.outvars[0] for e in made.jaxpr.eqns if e.primitive.name == "broadcast_in_dim"]  # the same in any shape
    reshapes = [e for e in made.jaxpr.eqns if e.primitive.name == "reshape" and e.invars[0] not in numbers]
    large = [e for e in reshapes if e.outvars[0].aval.size > 5]
    assert not large and next(e for e in made.jaxpr.eqns if e.primitive.name == "dot_general").outvars[0].aval.ndim == 3


def test_rows_that_are_computed_alone_are_computed_as_the_array():
    """Rows of logits are copied where their product is laid out in another order: only one number of each is made a row."""
    made = of_arrays(jax.make_jaxpr(loss)(X, W, B))
    numbers = [e for e in made.jaxpr.eqns if e.primitive.name == "broadcast_in_dim" and not e.invars[0].aval.shape]
    assert not any(e.outvars[0].aval.shape == (6, 5) for e in made.jaxpr.eqns if e not in numbers)
    both = of_arrays(jax.make_jaxpr(lambda x, w: (lambda r: (r.max(1), r.sum(0)))((x @ w).reshape(-1, 5)))(X, W))
    assert [e.outvars[0].aval.ndim for e in both.jaxpr.eqns] == [3, 2, 1, 1]  # the sum over rows needs them, so all are


def test_the_layout_of_rows_is_one_of_their_first_axis():
    made = of_arrays(jax.make_jaxpr(placed)(X, W, B))
    constraint = next(e for e in made.jaxpr.eqns if e.primitive.name == "sharding_constraint")
    assert constraint.params["sharding"].spec == PartitionSpec("data", None, "model")


def test_scopes_and_lines_are_kept():
    def scoped(x, w):
        with jax.named_scope("layer"):
            return (x.reshape(-1, 4) @ w).reshape(2, 3, 5)

    product = of_arrays(jax.make_jaxpr(scoped)(X, W)).jaxpr.eqns[0]
    assert str(product.source_info.name_stack) == "layer" and product.source_info.traceback is not None


def test_a_program_without_rows_is_itself():
    closed = jax.make_jaxpr(lambda x, w: jnp.matmul(x, w).reshape(-1, 5))(X, W)
    assert of_arrays(closed) is closed
    rows = jax.make_jaxpr(lambda x, w: (x.reshape(-1, 4) @ w).max(1))(X, W)  # what stays rows is computed as rows
    assert of_arrays(rows) is rows
