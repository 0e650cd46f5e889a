"""The forms that a convolution takes on the CPU: each gives XLA's own values and gradients, and is taken where it is the faster one."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from mindspore import Tensor, nn

from msjax.core.operators import by_numpy, eager_options
from msjax.ops.conv.kernels import convolve
from msjax.ops.norm import kernels as norm

# shape of the images, of the weight, stride, padding
FEW_WINDOWS = {
    "more taps than pixels": ((2, 5, 2, 2), (4, 5, 3, 3), (1, 1), 1),
    "fewer windows than channels": ((1, 6, 5, 4), (24, 6, 3, 3), (1, 1), 1),
    "fewer windows, strides": ((1, 6, 7, 8), (24, 6, 3, 2), (2, 3), 1),
    "one window": ((3, 4, 5, 5), (7, 4, 5, 5), (1, 1), 0),
    "patches": ((2, 3, 8, 12), (5, 3, 4, 4), (4, 4), 0),
    "patches with a rest": ((2, 3, 9, 14), (5, 3, 4, 4), (4, 4), 0),
    "patches apart": ((2, 3, 9, 9), (5, 3, 2, 2), (3, 3), 0),
    "every other pixel": ((2, 4, 8, 8), (5, 4, 1, 1), (2, 2), 0),
    "a kernel larger than the image": ((2, 3, 3, 3), (5, 3, 7, 7), (1, 1), 3),
    "long windows": ((1, 5, 1, 40), (60, 5, 3, 33), (1, 1), 1),
    "long windows, strides": ((1, 5, 1, 40), (60, 5, 3, 33), (1, 2), 1),
}
OTHERS = {
    "many windows": ((2, 3, 8, 8), (5, 3, 3, 3), (1, 1), 1),
    "many products": ((2, 16, 16, 16), (16, 16, 3, 3), (1, 1), 1),
    "many products, strides": ((2, 16, 31, 33), (17, 16, 5, 3), (2, 3), 2),
}


def arrays_of(image, weight):
    rng = np.random.RandomState(0)
    return rng.randn(*image).astype("f"), rng.randn(*weight).astype("f")


def forms(stride, padding):
    pads = [(padding, padding)] * 2

    def ours(x, weight):
        return convolve(x, weight, stride, pads, (1, 1), 1)

    def plain(x, weight):
        return jax.lax.conv_general_dilated(x, weight, stride, pads, dimension_numbers=("NCHW", "OIHW", "NCHW"))

    return ours, plain


@pytest.mark.parametrize("case", [*FEW_WINDOWS, *OTHERS])
def test_values_and_gradients(case):
    image, weight, stride, padding = (FEW_WINDOWS | OTHERS)[case]
    x, w = arrays_of(image, weight)
    ours, plain = forms(stride, padding)
    g = np.random.RandomState(1).randn(*jax.eval_shape(plain, x, w).shape).astype("f")
    out, pull = jax.vjp(ours, x, w)
    expected, expected_pull = jax.vjp(plain, x, w)
    for found, known in zip((out, *pull(g)), (expected, *expected_pull(g))):
        np.testing.assert_allclose(found, known, rtol=2e-4, atol=2e-4)


@pytest.mark.parametrize("case", [*FEW_WINDOWS, *OTHERS])
def test_few_windows_are_one_product(case):
    image, weight, stride, padding = (FEW_WINDOWS | OTHERS)[case]
    ours, _ = forms(stride, padding)
    program = str(jax.make_jaxpr(ours)(*arrays_of(image, weight)))
    assert ("conv_general_dilated" in program or "convolution_large" in program) == (case in OTHERS), program


# shape of the images, of the weight, stride, dilation, groups, convolutions in the program
MANY_GROUPS = {
    "as in ResNeXt": ((4, 64, 28, 28), (64, 2, 3, 3), (1, 1), (1, 1), 32, 1),
    "strides, other channels": ((2, 64, 33, 31), (96, 2, 3, 5), (2, 3), (1, 1), 32, 0),
    "as in MelGAN": ((2, 128, 1, 32), (256, 1, 1, 41), (1, 4), (1, 1), 128, 0),
    "some groups of long windows": ((2, 16, 1, 300), (32, 4, 1, 41), (1, 4), (1, 1), 4, 0),
    "some groups of long windows, a rest": ((2, 16, 1, 97), (32, 4, 1, 17), (1, 3), (1, 1), 4, 0),
    "some groups of long windows at each place": ((2, 16, 1, 60), (32, 4, 1, 31), (1, 1), (1, 1), 4, 4),
    "high windows": ((2, 64, 50, 3), (64, 2, 23, 1), (5, 1), (1, 1), 32, 0),
    "many channels in a group": ((4, 256, 12, 12), (256, 8, 3, 3), (1, 1), (1, 1), 32, 32),
    "dilated": ((2, 68, 9, 8), (34, 2, 3, 3), (1, 1), (2, 1), 34, 1),
}


@pytest.mark.parametrize("case", MANY_GROUPS)
def test_many_groups(case):
    """One program where one convolution a group would only take longer to compile."""
    image, weight, stride, dilation, groups, count = MANY_GROUPS[case]
    x, w = arrays_of(image, weight)
    pads = [(k // 2, k // 2) for k in weight[2:]]

    def ours(x, weight):
        return convolve(x, weight, stride, pads, dilation, groups)

    def plain(x, weight):
        return jax.lax.conv_general_dilated(
            x,
            weight,
            stride,
            pads,
            rhs_dilation=dilation,
            feature_group_count=groups,
            dimension_numbers=("NCHW", "OIHW", "NCHW"),
        )

    assert str(jax.make_jaxpr(ours)(x, w)).count("conv_general_dilated") == count
    out, pull = jax.vjp(ours, x, w)
    expected, expected_pull = jax.vjp(plain, x, w)
    g = np.random.RandomState(1).randn(*expected.shape).astype("f")
    for found, known in zip((out, *pull(g)), (expected, *expected_pull(g))):
        np.testing.assert_allclose(found, known, rtol=2e-4, atol=2e-4)


def test_windows_of_large_images_do_not_fill_the_memory():
    ours, _ = forms((1, 1), 15)
    image, weight = jax.ShapeDtypeStruct((64, 64, 30, 30), "float32"), jax.ShapeDtypeStruct((64, 64, 31, 31), "float32")
    assert "dot_general" not in str(jax.make_jaxpr(ours)(image, weight))


@pytest.mark.parametrize("case", ["fewer windows than channels", "patches", "every other pixel"])
def test_numpy_gives_the_same_bits(case):
    image, weight, stride, padding = FEW_WINDOWS[case]
    ours, _ = forms(stride, padding)
    x, w = arrays_of(image, weight)
    jitted = jax.jit(ours, compiler_options=eager_options.cheap())
    run = by_numpy.plan(jitted.trace(x, w))
    assert (run is not None) == eager_options.emitters_are_off()
    if run is not None:
        np.testing.assert_array_equal(run(x, w), jitted(x, w))


def test_layers_of_the_same_shapes_are_traced_once(monkeypatch):
    """In one program: what is traced for each layer anew makes a network's first call long."""
    traces = []
    whole = norm.moments
    monkeypatch.setattr(norm, "moments", lambda *given: traces.append(1) or whole(*given))

    def layers(x, scale):
        for _ in range(5):
            x = norm.batch_norm_train(x, scale, scale, 0.125)[0]
        return x

    jax.make_jaxpr(layers)(jnp.ones((3, 4, 5, 17)), jnp.ones(4))
    assert len(traces) == 1


@pytest.mark.parametrize(
    "layer", ["Conv1d", "Conv2d", "Conv3d", "Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose"]
)
@pytest.mark.parametrize("dtype", [np.float64, np.int32], ids=["float64", "int32"])
def test_an_input_of_another_type_than_the_weight_is_told_in_mindspores_words(layer, dtype, mode):
    n = int(layer[4])
    with pytest.raises(TypeError, match="the type of 'weight' should be same as 'input'|must be one of"):
        getattr(nn, layer)(2, 3, 2)(Tensor(np.ones((2, 2, *(4,) * n), dtype)))
