"""One element of each row: for an accelerator a sum in a pass that is made anyway, with the values and gradients of a gather."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

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
