"""What NaN does: it goes through medians and distinct elements as in MindSpore, and a mask that leaves it out leaves none in gradients."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

NAN = float("nan")


def _masked(fn):
    return lambda x: ops.where(ops.isnan(x), ops.zeros_like(x), fn(x)).sum()


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize(
    "fn, gradient",
    [
        (lambda x: x / 3.0, 1 / 3),
        (ops.elu, 1.0),
        (ops.selu, 1.0507010),
        (ops.hardsigmoid, 1 / 6),
        (nn.ReLU6(), 1.0),
        (nn.LeakyReLU(), 1.0),
    ],
    ids=["quotient", "elu", "selu", "hardsigmoid", "relu6", "leaky_relu"],
)
def test_a_masked_nan_leaves_the_gradient_whole(fn, gradient, mode):
    ms.set_context(mode=mode)
    found = ms.grad(_masked(fn))(Tensor([NAN, 2.0])).asnumpy()
    np.testing.assert_allclose(found, [0.0, gradient], rtol=1e-6)


def test_the_gradient_of_smooth_l1_loss_at_infinity():
    found = ms.grad(lambda x: ops.smooth_l1_loss(x, Tensor([0.0, 0.0])).sum())(Tensor([np.inf, -np.inf]))
    assert found.asnumpy().tolist() == [1.0, -1.0]


def test_the_gradient_of_smooth_l1_loss_at_nan_is_nan():
    """Recorded from MindSpore: loss scaling sees the overflow."""
    found = ms.grad(lambda x, y: ops.smooth_l1_loss(x, y).sum(), (0, 1))(Tensor([NAN, 1.0]), Tensor([1.0, NAN]))
    assert np.isnan([gradient.asnumpy() for gradient in found]).all()


def test_the_median_is_the_first_nan():
    values, places = ops.median(Tensor([[1.0, NAN, 3.0], [3.0, 1.0, 2.0], [NAN, NAN, NAN]]), 1)
    np.testing.assert_array_equal(values.asnumpy(), [NAN, 2.0, NAN])
    assert places.asnumpy().tolist() == [1, 2, 0]
    assert np.isnan(ops.Median(True)(Tensor([1.0, NAN, 3.0]))[0].asnumpy())
    assert ops.nanmedian(Tensor([1.0, NAN, 3.0]))[0].asnumpy() == 1.0


def test_each_nan_is_distinct():
    values, places = ops.unique(Tensor([NAN, 2.0, NAN, 1.0, 2.0]))
    np.testing.assert_array_equal(values.asnumpy(), [NAN, 2.0, NAN, 1.0])
    assert places.asnumpy().tolist() == [0, 1, 2, 3, 1]
