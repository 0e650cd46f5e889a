"""Slices of convolutions become less padding: same values, same gradients, no slice; what is no such cut, stays."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msjax.core.compat import jaxpr_as_fun
from msjax.core.grad import integers
from msjax.core.program.cuts import of_padding
from msjax.core.settings.execution_state import within

X, W = np.random.RandomState(0).randn(2, 4, 1, 12), np.random.RandomState(1).randn(4, 4, 1, 3)
B = np.arange(4.0)


def convolved(x, w, padding=((0, 0), (4, 4)), **options):
    return jax.lax.conv_general_dilated(x, w, (1, 1), padding, **options)


def causal(x, w, b):
    return convolved(x, w, rhs_dilation=(1, 2))[..., :-4]


def with_bias(x, w, b):
    made = convolved(x, w, rhs_dilation=(1, 2)) + b.reshape(1, 4, 1, 1)
    return jnp.tanh(jnp.squeeze(made, 2).astype(jnp.float32)[:, :, :12])


def in_strides(x, w, b):
    return jax.lax.conv_general_dilated(x, w, (1, 2), [(0, 0), (4, 4)])[..., 1:-2]


def recomputed(x, w, b):
    return jax.checkpoint(lambda x, w: jnp.tanh(causal(x, w, b)))(x, w)


def read_twice(x, w, b):
    made = convolved(x, w)
    return made[..., 4:] * made.sum()


def more_than_padding(x, w, b):
    return convolved(x, w)[..., 5:]


def channels(x, w, b):
    return convolved(x, w)[:, 1:]


def every_other(x, w, b):
    return convolved(x, w)[..., :10:2]


def of_two(x, w, b):
    return (convolved(x, w) + convolved(x + 1, w))[..., 4:]


@pytest.mark.parametrize("fn", [causal, with_bias, in_strides, recomputed])
def test_what_is_cut_is_not_computed(fn):
    before = jax.make_jaxpr(fn)(X, W, B)
    after = of_padding(before)
    assert "slice" in str(before) and "slice" not in str(after)
    np.testing.assert_allclose(jaxpr_as_fun(after)(X, W, B)[0], fn(X, W, B), rtol=1e-5, atol=1e-5)

    def slopes(fn):
        return jax.grad(lambda *given: (fn(*given) ** 2).sum(), argnums=(0, 1))(X, W, B)

    for mine, theirs in zip(slopes(lambda *given: jaxpr_as_fun(after)(*given)[0]), slopes(fn)):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("fn", [read_twice, more_than_padding, channels, every_other, of_two])
def test_what_is_no_such_cut_stays(fn):
    before = jax.make_jaxpr(fn)(X, W, B)
    assert of_padding(before) is before


def test_only_gradients_for_a_tpu_are_made_so():
    def texts(kind):
        with within(device=kind):
            return str(jax.make_jaxpr(lambda x: integers.vjp(lambda x: (causal(x, W, B), ()), [x])[0])(X))

    assert "slice" in texts("CPU") and "slice" not in texts("TPU")
