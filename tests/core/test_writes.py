"""Values that do not fit where they are written give what MindSpore gives, or its exception."""

import cases_writes as cases
import golden_files
import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, ops

GOLDEN = golden_files.read("writes")


@pytest.mark.parametrize("site", cases.SITES)
def test_values_that_do_not_fit(site):
    differ = []
    for dtype in cases.DTYPES:
        for value, theirs in zip(cases.VALUES, GOLDEN[site][dtype], strict=True):
            wanted, found = cases.apart(site, dtype, value, theirs), cases.outcome(site, dtype, value)
            if found != wanted if wanted is not None else isinstance(found, str):
                differ.append((dtype, value, wanted, found))
    assert not differ


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint32", "int64", "uint64"])
def test_casts_are_the_same_compiled(dtype):
    x = Tensor([300.7, -1.5, 2.0**31, 3e9, 2.0**63, -(2.0**63), 2.0**64, np.nan, np.inf, -np.inf], ms.float32)
    target = getattr(ms, dtype)
    assert ms.jit(lambda x: x.astype(target))(x).asnumpy().tolist() == x.astype(target).asnumpy().tolist()
    assert Tensor(x.asnumpy(), target).asnumpy().tolist() == x.astype(target).asnumpy().tolist()


def test_a_parameter_keeps_its_64_bits():
    assert Parameter(Tensor([1, 2])).set_data(Tensor([1.5, 2.0], ms.float32)).dtype == ms.int64


def test_gradients_pass_casts_of_numbers_that_fit():
    x = Tensor([1.5, -2.5], ms.float32)
    assert ms.grad(lambda x: (x.astype(ms.int32).astype(ms.float32) * 3).sum())(x).asnumpy().tolist() == [3, 3]


@pytest.mark.parametrize("dtype", [ms.int8, ms.int32, ms.int64])
def test_quotients_by_zero(dtype):
    """Recorded: 5 // 0 is the largest number, -7 // 0 the least, 0 // 0 is 0; the remainder is the number."""
    x, zero, limits = Tensor([5, -7, 0], dtype), Tensor([0, 0, 0], dtype), np.iinfo(ms.dtype_to_nptype(dtype))
    assert (x // zero).asnumpy().tolist() == [limits.max, limits.min, 0]
    assert ops.remainder(x, zero).asnumpy().tolist() == [5, -7, 0]


def test_quotients_are_rounded_down_once():
    """Recorded: the quotient is not rounded to float32 before its floor is taken."""
    x = Tensor([1, 2, 3, 7, -7], ms.float32)
    assert (x // 0.1).asnumpy().tolist() == [9, 19, 29, 69, -70]
    assert (x // -0.1).asnumpy().tolist() == [-10, -20, -30, -70, 69]
    assert (x // 2.5).asnumpy().tolist() == [0, 0, 1, 2, -3]
    np.testing.assert_allclose((x % 0.1).asnumpy(), [0.1, 0.1, 0.1, 0.1, 1e-7], atol=2e-7)
    assert (Tensor([np.inf, 1.0, -1.0, 0.0]) // Tensor([2.0, np.inf, np.inf, 3.0])).asnumpy().tolist() == [
        np.inf,
        0,
        0,
        0,
    ]


def test_a_limit_of_nan():
    """Recorded: a limit that is NaN gives NaN."""
    found = ops.clamp(Tensor([1.0, 2.0]), Tensor([np.nan, 1.5])).asnumpy()
    assert np.isnan(found[0]) and found[1] == 2
