"""Pooling where a slope does not exist."""

import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import pytest
from jax import lax
from mindspore import Tensor, ops

from msjax.core.settings.context import computing_for
from msjax.ops.pool.windows import max_pool


@pytest.mark.parametrize(
    "norm, expected", [(1.0, [0, 0, 1, 1]), (2.0, [0, 0, 0.4472136, 0.8944272]), (3.0, [0, 0, 0.23112045, 0.9244818])]
)
def test_the_slope_of_a_norm_at_zero_is_zero(norm, expected):
    x = Tensor([[[0.0, 0.0, 1.0, 2.0]]], ms.float32)
    for function in (ops.lp_pool1d, ms.jit(ops.lp_pool1d)):
        found = ms.grad(lambda v, f=function: f(v, norm, 2, 2).sum())(x)
        np.testing.assert_allclose(found.asnumpy()[0, 0], expected, rtol=1e-5)
    plane = Tensor([[[[0.0, 0.0], [0.0, 0.0]]]], ms.float32)
    assert not ms.grad(lambda v: ops.lp_pool2d(v, norm, 2).sum())(plane).asnumpy().any()


@pytest.mark.parametrize("device", ["CPU", "TPU"])
@pytest.mark.parametrize(
    ("shape", "kernel", "stride"),
    [
        ((2, 3, 9, 1), (9, 1), (1, 1)),
        ((2, 3, 4, 5), (4, 5), (2, 2)),
        ((2, 3, 4, 8), (1, 8), (1, 8)),
        ((2, 3, 60), (60,), (1,)),
    ],
)
def test_a_window_of_whole_axes_is_a_maximum_along_them(shape, kernel, stride, device):
    """The gradient of a window compares each element with all others of it anew, of 7x7 in 22 times the time on the CPU."""
    x = jnp.asarray(np.random.RandomState(0).randint(0, 3, shape).astype(np.float32))  # the first of equal ones wins
    pads = [(0, 0)] * len(kernel)

    def windows(x):
        return lax.reduce_window(x, -np.float32(np.inf), lax.max, (1, 1, *kernel), (1, 1, *stride), "VALID")

    def of(form):
        return jax.value_and_grad(lambda x: (form(x) * (1 + jnp.arange(form(x).size).reshape(form(x).shape))).sum())

    with computing_for(device):
        ours = of(lambda x: max_pool(x, kernel, stride, pads))
        program, got = str(jax.make_jaxpr(ours)(x)), ours(x)
    assert "window" not in program and "scatter" not in program
    for a, b in zip(got, of(windows)(x)):
        np.testing.assert_array_equal(a, b)
