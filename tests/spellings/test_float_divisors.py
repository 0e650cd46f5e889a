"""gcd and lcm of floats, approximate_equal as a method, inner with a Tensor without axes: numbers and types of MindSpore 2.10."""

import mindspore as ms
import mindspore.numpy as mnp
import pytest
from mindspore import Tensor, ops

X = [4.0, 1.0, 0.5, 3.0, 0.2, 2.5, -1.5, 0.0]


@pytest.mark.parametrize(
    ("function", "y", "expected"),
    [
        (mnp.gcd, 2, [2.0, 1.0, 0.5, 1.0, 0.2, 0.5, 0.5, 2.0]),
        (mnp.gcd, 0, [4.0, 1.0, 0.5, 3.0, 0.2, 2.5, 1.5, 0.0]),
        (mnp.gcd, 2.5, [0.5, 0.5, 0.5, 0.5, 2**-26, 2.5, 0.5, 2.5]),
        (mnp.lcm, -1, [4.0, 1.0, 1.0, 3.0, 1.0, 5.0, 3.0, 0.0]),
        (mnp.lcm, 1.5, [12.0, 3.0, 1.5, 3.0, 20132660.0, 7.5, 1.5, 0.0]),
    ],
)
def test_divisors_of_floats(function, y, expected):
    assert function(Tensor(X, ms.float32), y).asnumpy().tolist() == pytest.approx(expected, rel=1e-6)
    if y in (2, -1):
        half = function(Tensor(X, ms.float16), y)
        assert half.dtype == ms.float16 and half.asnumpy()[[0, 1, 2, 3, 5]].tolist() == [
            expected[i] for i in (0, 1, 2, 3, 5)
        ]


def test_divisors_of_no_numbers():
    nothing = Tensor([float("nan"), float("inf"), 2.0], ms.float32)
    assert mnp.gcd(nothing, 4.0).asnumpy()[2] == 2 and mnp.lcm(
        Tensor([0.0, 0.0]), Tensor([0.0, 3.0])
    ).asnumpy().tolist() == [0, 0]


def test_approximate_equal():
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], ms.float32)
    assert x.approximate_equal(Tensor([1.0, 5.0, 3.0])).asnumpy().tolist() == [
        [True, False, True],
        [False, True, False],
    ]
    assert x.approximate_equal(Tensor(2, ms.int32)).asnumpy().sum() == 1
    wide = Tensor([4097], ms.int32)  # what is not float32 is compared as float16
    assert wide.approximate_equal(Tensor([4096], ms.int32)).asnumpy().tolist() == [True]
    with pytest.raises(RuntimeError):
        ops.approximate_equal(x, Tensor([1.0, 5.0, 3.0]))


@pytest.mark.parametrize(
    ("kinds", "found"),
    [
        ((ms.int32, ms.int64), ms.int32),
        ((ms.float16, ms.float32), ms.float16),
        ((ms.int32, ms.float32), ms.float32),
        ((ms.float16, ms.int64), ms.float16),
    ],
)
def test_inner_with_a_tensor_without_axes(kinds, found):
    x, one = Tensor([[3, 1, 2], [0, 4, 1]], kinds[0]), Tensor(2, kinds[1])
    for result in (ops.inner(x, one), ops.inner(one, x)):
        assert result.dtype == found and result.asnumpy().tolist() == [[6, 2, 4], [0, 8, 2]]
