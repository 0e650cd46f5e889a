"""Numbers recorded from MindSpore 2.10: regions larger than the image, norms of high order, positions of maxima, channels of integers."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops

PIXELS = np.arange(1, 37, dtype=np.float32).reshape(1, 1, 6, 6)


@pytest.mark.parametrize("region, end, wanted", [
    ([0, -2.0, -2.0, 22.0, 22.0], 0, [6.295139, 0, 0, 0]),
    ([0, -2.0, -2.0, 22.0, 22.0], 1, [6.614149, 0, 0, 0]),
    ([0, 1.0, 1.0, 4.0, 5.0], 1, [16.5, 18.5, 30.375, 32.375]),
    ([0, 0.0, 0.0, 5.0, 5.0], 1, [11.5, 14.333333, 28.5, 31.333334]),
    ([0, -2.0, -2.0, 23.0, 23.0], 1, [5.3639054, 0, 0, 0]),
])  # fmt: skip
@pytest.mark.parametrize("samples", [0, -1])
def test_as_many_samples_as_pixels(region, end, wanted, samples):
    found = ops.ROIAlign(2, 2, 1.0, samples, end)(Tensor(PIXELS), Tensor(np.array([region], np.float32)))
    np.testing.assert_allclose(found.asnumpy().ravel(), wanted, rtol=1e-6)


@pytest.mark.parametrize("order, epsilon, wanted", [
    (2, 0.5, [0.5, 0.5, 3.6055512]), (20, 1e-12, [0.33854103, 0.01, 3.000045]), (90, 1e-12, [0.33854103, 0.01, 3.0]),
])  # fmt: skip
def test_epsilon_is_the_least_norm(order, epsilon, wanted):
    x = Tensor(np.array([[0.33854103, 0.01, 2.0], [-0.13209231, 0.0, -3.0]], np.float32))
    np.testing.assert_allclose(ops.LpNorm(0, order, epsilon=epsilon)(x).asnumpy(), wanted, rtol=1e-6)
    gradient = ops.grad(lambda x: ops.LpNorm(0, order, epsilon=epsilon)(x).sum())(Tensor(np.zeros((2, 2), np.float32)))
    assert not gradient.asnumpy().any()


def test_positions_count_from_the_first_channel():
    x = Tensor(
        np.array(
            [[[[80, 70, -19], [14, 46, -67], [15, -41, -80]], [[-80, 62, 85], [-3, -68, 35], [84, 54, 32]]]], np.float32
        )
    )
    found = ops.MaxPoolWithArgmax(kernel_size=2, strides=1, pad_mode="valid")(x)[1]
    assert found.asnumpy().ravel().tolist() == [0, 1, 4, 4, 10, 11, 15, 16]


def test_whole_channels_of_integers():
    x = Tensor(np.arange(1, 65, dtype=np.int32).reshape(4, 16, 1, 1))
    out = ops.Dropout2D(0.4)(x)[0]
    found, given = out.asnumpy().ravel(), x.asnumpy().ravel()
    kept = found != 0
    assert (
        kept.any()
        and found.dtype == np.int32
        and (found[kept] == np.trunc(given[kept].astype(np.float32) * (np.float32(1) / np.float32(0.4)))).all()
    )


@pytest.mark.parametrize("given, dtype", [
    ((Tensor(12.0, ms.float64), 2, Tensor(-1.0, ms.float32)), ms.float32), ((Tensor(0, ms.int32), 5), ms.int64),
    ((Tensor(0, ms.int32), 5.0), ms.float32), ((Tensor(3.0, ms.float64),), ms.float32),
])  # fmt: skip
def test_arange_is_of_int64_or_float32(given, dtype):
    assert ops.arange(*given).dtype == dtype


def test_arange_takes_no_half_precision():
    with pytest.raises(TypeError, match="must be of int32, int64, float32 or float64"):
        ops.arange(Tensor(3.0, ms.float16))


def test_the_inverse_of_integers_is_whole():
    found = ops.Inv()(Tensor(np.array([1, -1, 2, -100], np.int32)))
    assert found.dtype == ms.int32 and found.asnumpy().tolist() == [1, -1, 0, 0]
    assert ops.reciprocal(Tensor(np.array([2, 4], np.int32))).asnumpy().tolist() == [0.5, 0.25]


def test_all_elements_without_an_order_stay_where_they_are():
    x = Tensor(np.array([[3, 1, 2, 5], [9, 8, 7, 6]], np.float32))
    values, places = ops.TopK(sorted=False)(x, 4)
    assert values.asnumpy().tolist() == x.asnumpy().tolist() and places.asnumpy().tolist() == [[0, 1, 2, 3]] * 2
