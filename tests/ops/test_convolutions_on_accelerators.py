"""On accelerators an axis that a window covers whole is more channels: a text's convolution slides along the words alone."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msjax.core.settings.context import computing_for
from msjax.ops.conv.kernels import _plain, convolve


@pytest.mark.parametrize(
    ("x", "weight", "stride", "pads", "dilation", "groups", "slides"),
    [
        ((2, 1, 9, 8), (6, 1, 3, 8), (1, 1), [(0, 0)] * 2, (1, 1), 1, 1),
        ((2, 4, 8, 9), (6, 2, 8, 3), (2, 2), [(0, 0), (1, 2)], (1, 2), 2, 1),
        ((2, 3, 4, 6, 5), (6, 3, 4, 2, 5), (1, 2, 1), [(0, 0)] * 3, (1, 1, 1), 1, 1),
        ((2, 3, 4, 6, 5), (6, 3, 2, 2, 5), (1, 2, 1), [(0, 0)] * 3, (1, 1, 1), 1, 2),
        ((2, 3, 4, 4), (6, 3, 4, 4), (1, 1), [(0, 0)] * 2, (1, 1), 1, 2),  # nothing slides: left to the compiler
        ((2, 3, 1, 9), (6, 3, 1, 3), (1, 1), [(0, 0)] * 2, (1, 1), 1, 2),
        ((2, 3, 4, 9), (6, 3, 4, 3), (1, 1), [(1, 0), (0, 0)], (1, 1), 1, 2),
    ],
)
def test_axes_that_a_window_covers_are_channels(x, weight, stride, pads, dilation, groups, slides):
    rng = np.random.default_rng(0)
    x, weight = (jnp.asarray(rng.normal(size=shape).astype(np.float32)) for shape in (x, weight))
    options = (stride, pads, dilation, groups)

    def of(form):
        return jax.value_and_grad(lambda x, w: (jnp.sin(form(x, w, *options)) ** 2).sum(), (0, 1))

    with computing_for("TPU"):
        program = jax.make_jaxpr(lambda x, w: convolve(x, w, *options))(x, weight)
        got = of(convolve)(x, weight)
    assert [len(e.params["window_strides"]) for e in program.eqns if "conv" in e.primitive.name] == [slides]
    assert program.out_avals[0].shape == _plain(x, weight, *options).shape
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(of(_plain)(x, weight))):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-4)
