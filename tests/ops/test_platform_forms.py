"""The forms that operators have for the CPU give what the plain ones give, which GPU and TPU run: values and gradients."""

import importlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest

# by path: as attributes of `msjax.ops` these names are operators
conv, convolution, dropout, pool, recurrent = [
    importlib.import_module(f"msjax.ops.{name}")
    for name in ("conv.kernels", "conv.functions", "random.dropout", "pool.windows", "recurrent.layers")
]


def normal(*shape, seed=0):
    return jnp.asarray(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def convolution_of(x, weight, stride, groups):
    return lambda: (
        lambda a, w: conv.convolve(
            a, w, (stride, stride), [(1, 0), (0, 1)] if weight[2] > 1 else [(0, 0)] * 2, (1, 1), groups
        ),
        (normal(*x), normal(*weight, seed=1)),
    )


def pool_of(run, kernel, stride, pads):
    return lambda: (lambda a: run(a, kernel, stride, pads), (normal(2, 3, 9, 10),))


def lstm(masked):
    mask = jnp.arange(5)[:, None, None] < jnp.asarray([5, 2, 1])[None, :, None] if masked else None
    arrays = [normal(*s, seed=i) for i, s in enumerate([(5, 3, 4), (3, 6), (3, 6), (24, 4), (24, 6), (24,)])]
    return lambda *a: recurrent._lstm(*a, mask), arrays


CASES = {
    "conv 1x1": convolution_of((2, 4, 5, 6), (3, 4, 1, 1), 1, 1),
    "conv depthwise": convolution_of((2, 4, 7, 8), (4, 1, 3, 3), 1, 4),
    "conv depthwise, stride 2": convolution_of((2, 4, 7, 8), (4, 1, 3, 3), 2, 4),
    "conv in groups": convolution_of((2, 6, 7, 8), (9, 2, 3, 3), 2, 3),
    "conv over many pixels": convolution_of((2, 16, 14, 13), (17, 16, 3, 3), 1, 1),
    "conv over many pixels, stride 2": convolution_of((2, 16, 30, 27), (16, 16, 3, 3), 2, 1),
    "conv transposed, in groups": lambda: (
        lambda a, w: convolution.transposed(a, w, (2, 2), [(1, 0), (0, 1)], (1, 1), 2, (9, 10)),
        (normal(2, 4, 5, 5), normal(4, 3, 2, 2, seed=1)),
    ),
    "conv transposed": lambda: (  # one row behind the image, and a column that is in no window
        lambda a, w: convolution.transposed(a, w, (2, 2), [(1, 1), (0, 0)], (1, 1), 1, (10, 12)),
        (normal(2, 4, 5, 5), normal(4, 3, 4, 3, seed=1)),
    ),
    "conv transposed, one axis, dilated": lambda: (
        lambda a, w: convolution.transposed(a, w, (3,), [(2, 2)], (2,), 1, (13,)),
        (normal(2, 4, 5), normal(4, 3, 3, seed=1)),
    ),
    "max pool": pool_of(pool.max_pool, (2, 2), (2, 2), [(0, 0), (0, 0)]),
    "max pool, overlapping": pool_of(pool.max_pool, (3, 3), (2, 2), [(1, 1), (0, 1)]),
    "sum over windows": pool_of(pool.window_sum, (2, 3), (2, 1), [(1, 1), (0, 1)]),
    "lstm": lambda: lstm(False),
    "lstm with lengths": lambda: lstm(True),
}


def values_and_gradients(run, arrays):
    def both(*arrays):
        out, pull = jax.vjp(run, *arrays)
        return out, pull(jax.tree.map(lambda v: jnp.cos(jnp.arange(v.size, dtype=v.dtype)).reshape(v.shape), out))

    return jax.tree.leaves(jax.jit(both)(*arrays))


def elsewhere(monkeypatch):
    for module in (conv, convolution, pool, recurrent):
        monkeypatch.setattr(module, "present_device", lambda: "GPU")


@pytest.mark.parametrize("name", CASES)
def test_same_as_the_plain_form(name, monkeypatch):
    run, arrays = CASES[name]()
    here = values_and_gradients(run, arrays)
    elsewhere(monkeypatch)
    for ours, plain in zip(here, values_and_gradients(run, arrays), strict=True):
        np.testing.assert_allclose(ours, plain, rtol=1e-4, atol=1e-4)


def test_dropout_keeps_the_right_part():
    share = float(dropout.keep_mask(jax.random.key(3), 0.8, (400, 400)).mean())
    np.testing.assert_allclose(share, 0.8, atol=0.005)  # five standard deviations


@pytest.mark.parametrize(
    "name, primitive", [("conv over many pixels", "convolution_large"), ("conv transposed", "convolution_transposed")]
)
def test_primitives_of_convolutions_batch_and_go_forward(name, primitive):
    run, (x, weight) = CASES[name]()
    assert primitive in str(jax.make_jaxpr(run)(x, weight))
    both = jax.vmap(run, (0, None))(jnp.stack([x, 2 * x]), weight)
    np.testing.assert_allclose(both[1], 2 * run(x, weight), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(jax.jvp(run, (x, weight), (x, weight))[1], both[1], rtol=1e-5, atol=1e-5)


def test_the_weight_of_a_transposed_convolution_takes_no_window_of_the_whole_image():
    run, (x, weight) = CASES["conv transposed"]()
    program = jax.make_jaxpr(lambda w, g: jax.vjp(lambda w: run(x, w), w)[1](g))(weight, run(x, weight))
    last = [e for e in program.jaxpr.eqns if e.primitive.name == "conv_general_dilated"][-1]
    assert last.params["lhs_dilation"] == (1, 1), program
