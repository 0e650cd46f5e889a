"""float32 products and convolutions on GPU are as exact as MindSpore's; on other devices they are as JAX has them."""

import re

import jax
import numpy as np
import pytest

import msjax
import msjax as ms
from msjax import Tensor, nn, ops

X = Tensor(np.ones((4, 6, 8, 8), np.float32))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.turned, self.dense = nn.Conv2d(6, 5, 3), nn.Conv2dTranspose(5, 4, 3), nn.Dense(8, 3)

    def construct(self, x):
        y = self.dense(self.turned(self.conv(x)))
        return ops.einsum("ncij,nckj->nik", y, ops.matmul(y, ops.swapaxes(y, 2, 3)) @ y).sum()


def precisions(platform, fn=None):
    """What the lowered program of a training step says of its products and of its convolutions."""
    net = Net()
    step = ms.value_and_grad(fn or net, 0, None if fn else net.trainable_params())
    text = msjax.lower(step, X, platforms=platform)
    kinds = {"products": "dot_general", "convolutions": "convolution"}
    found = {kind: [line for line in text.split("\n") if f"stablehlo.{name}" in line] for kind, name in kinds.items()}
    assert all(len(lines) > 2 for lines in found.values()) or fn
    return {
        kind: {word for line in lines for word in re.findall("DEFAULT|HIGHEST|HIGH", line)}
        for kind, lines in found.items()
    }


@pytest.fixture
def settings():
    before = {name: ms.get_context(name) for name in ("matmul_allow_tf32", "conv_allow_tf32", "matmul_precision")}
    yield
    ms.set_context(**before)


def test_products_are_in_full_and_convolutions_are_not():
    assert precisions("cuda") == {"products": {"HIGHEST"}, "convolutions": {"DEFAULT"}}


@pytest.mark.parametrize("platform", ["cpu", "tpu"])
def test_other_devices_compute_as_jax_does(platform):
    assert precisions(platform) == {"products": {"DEFAULT"}, "convolutions": {"DEFAULT"}}


@pytest.mark.parametrize(
    ("given", "products", "convolutions"),
    [
        ({"gpu_config": {"matmul_allow_tf32": True}}, "DEFAULT", "DEFAULT"),
        ({"gpu_config": {"conv_allow_tf32": False}}, "HIGHEST", "HIGHEST"),
        ({"matmul_allow_tf32": True, "conv_allow_tf32": False}, "DEFAULT", "HIGHEST"),
        ({"matmul_precision": "high"}, "HIGH", "HIGH"),
        ({"matmul_precision": "highest"}, "HIGHEST", "HIGHEST"),
    ],
)
def test_the_user_decides(settings, given, products, convolutions):
    assert precisions("cuda")["products"] == {"HIGHEST"}  # the setting comes after a program was made
    ms.set_context(**given)
    assert precisions("cuda") == {"products": {products}, "convolutions": {convolutions}}


def test_functions_of_the_device_set_the_same(settings):
    from mindspore.device_context.gpu import op_precision

    op_precision.matmul_allow_tf32(True)
    assert ms.get_context("matmul_allow_tf32") is True
    assert precisions("cuda")["products"] == {"DEFAULT"}
    with pytest.raises(TypeError, match="bool"):
        op_precision.conv_allow_tf32(1)
    with pytest.raises(TypeError, match="conv_allow_tf32"):
        ms.set_context(gpu_config={"conv_allow_tf32": 1})


def test_code_of_jax_in_a_network_is_the_users():
    def product(x):
        return Tensor(jax.numpy.matmul(x.jax_array, x.jax_array)).sum()

    assert precisions("cuda", product)["products"] == {"DEFAULT"}
