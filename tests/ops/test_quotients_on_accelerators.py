"""A quotient by a constant is rounded once where the device can, and costs a TPU no select."""

import jax
import jax.numpy as jnp
import pytest

from msjax.core.operators.quotients import exact_mean
from msjax.core.settings.context import computing_for


@pytest.mark.parametrize(("device", "selects"), [("CPU", True), ("GPU", True), ("TPU", False)])
def test_only_a_device_that_divides_selects_a_divisor(device, selects):
    with computing_for(device):  # a function of its own, as JAX remembers traces
        program = str(jax.make_jaxpr(lambda x: exact_mean(x))(jnp.ones(41)))
    assert ("select_n" in program) == selects
