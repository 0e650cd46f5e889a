"""Dtypes of running sums and products, traces and differences over all dtypes, recorded from MindSpore 2.10."""

import mindspore as ms
import mindspore.numpy as mnp
import numpy as np
import pytest
from mindspore import Tensor, mint, ops

DTYPES = "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64".split()
SHORT = "Int32 Int32 Int32 Int32 Int64 Int32 UInt16 UInt32 UInt64 Float16 Float32 Float64".split()
LONG = ["Int64"] * 9 + ["Float16", "Float32", "Float64"]
CASES = {
    "Tensor.cumsum": (lambda x: x.cumsum(0), SHORT),
    "Tensor.cumsum of all": (lambda x: x.cumsum(), SHORT),
    "numpy.cumsum": (lambda x: mnp.cumsum(x, 0), SHORT),
    "ops.cumprod": (lambda x: ops.cumprod(x, 0), LONG),
    "Tensor.cumprod": (lambda x: x.cumprod(0), LONG),
    "mint.cumprod": (lambda x: mint.cumprod(x, 0), LONG),
    "numpy.cumprod": (
        lambda x: mnp.cumprod(x, 0),
        "Int32 Int32 Int32 Int32 Int64 UInt32 UInt32 UInt32 UInt64 Float16 Float32 Float64".split(),
    ),
    "Tensor.any": (lambda x: x.any(), ["Bool"] * 5 + ["UInt8"] + ["Bool"] * 6),
    "ops.ReduceAny": (lambda x: ops.ReduceAny()(x, 1), ["Bool"] * 5 + ["UInt8"] + ["Bool"] * 6),
    "mint.all": (lambda x: mint.all(x, 1), ["Bool"] * 12),
    "Tensor.trace": (lambda x: x.trace(), ["Bool"] + ["Int64"] * 7 + ["UInt64", "Float16", "Float32", "Float64"]),
}
VALUES = np.array([[1, 0, 3], [2, 5, 1]])


@pytest.mark.parametrize("name", CASES)
def test_dtypes(name):
    call, expected = CASES[name]
    found = {d: str(call(Tensor(VALUES.astype(getattr(np, d)))).dtype) for d in DTYPES}
    assert found == dict(zip(DTYPES, expected, strict=True))


def test_small_integers_do_not_overflow_on_the_way():
    x = Tensor(np.full(4, 200), ms.uint8)
    assert x.cumsum(0).asnumpy().tolist() == [200, 400, 600, 800]
    assert ops.cumprod(x, 0).asnumpy().tolist() == [200, 40000, 8000000, 1600000000]
    assert Tensor(np.full((2, 2), 100), ms.int8).trace() == 200


def test_no_difference_is_the_input():
    x = Tensor(VALUES, ms.int8)
    assert mint.diff(x, 0).asnumpy().tolist() == VALUES.tolist()
    with pytest.raises(RuntimeError, match="an int >= 1"):
        ops.diff(x, 0)


def test_histogram_of_float16_counts_in_float32():
    assert ops.histc(Tensor(VALUES, ms.float16), 4).dtype == ms.float32
