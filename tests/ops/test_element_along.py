"""One element of each row: for an accelerator a sum in a pass that is made anyway, with the values and gradients of a gather."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msjax.core.operators.record import records
from msjax.core.settings.context import computing_for
from msjax.ops.index.gathering import element_along


@pytest.mark.parametrize("axis", [-1, 0])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int32"])
def test_it_is_a_gather(axis, dtype):
    x = jnp.asarray(np.random.default_rng(0).normal(size=(4, 5)) * 10, dtype).at[0, 0].set(0)
    if dtype != "int32":
        x = x.at[1, 2].set(jnp.inf).at[2, 3].set(-jnp.inf)
    index = jnp.int32([[0], [2], [3], [9]]) if axis else jnp.int32([[0, 3, 1, 2, 9]])

    def picked(x):
        return element_along(x, index, axis)

    want, back = jax.vjp(picked, x) if dtype != "int32" else (picked(x), None)
    with computing_for("TPU"):
        got, other = jax.vjp(picked, x) if dtype != "int32" else (picked(x), None)
        program = str(jax.make_jaxpr(lambda x: picked(x))(x))
    np.testing.assert_array_equal(got.astype(float), want.astype(float))
    assert got.dtype == want.dtype and ("gather" in program) == (dtype == "int32")
    if back is not None:
        inside = jnp.where(index < x.shape[axis], 1, 0).astype(want.dtype)
        np.testing.assert_array_equal(other(inside)[0].astype(float), back(inside)[0].astype(float))


@pytest.mark.parametrize("name", ["max", "min", "median", "multi_margin_loss"])
def test_operators_that_take_one_element_of_each_row_gather_none(name):
    x = jnp.asarray(np.random.default_rng(1).normal(size=(4, 5)), jnp.float32).at[1, 2].set(jnp.inf)
    x = x.at[0, 1:3].set(3.0)  # two largest: the first gets the gradient
    run = {
        "max": lambda x: records["max_with_index"].fn(x, 1)[0],
        "min": lambda x: records["min_with_index"].fn(x, 1)[0],
        "median": lambda x: records["median"].fn(x, 1)[0],
        "multi_margin_loss": lambda x: records["multi_margin_loss"].fn(x, jnp.int32([1, 2, 0, 4]), reduction="none"),
    }[name]
    want, back = jax.vjp(run, x)
    with computing_for("TPU"):
        got, other = jax.vjp(run, x)
        program = str(jax.make_jaxpr(lambda x: jax.vjp(run, x)[1](want))(x))
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(other(jnp.ones_like(want))[0], back(jnp.ones_like(want))[0])
    assert "gather" not in program and "scatter" not in program
