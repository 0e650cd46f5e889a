"""Types that operators refuse, by the table recorded from MindSpore (tests/goldens/record_operand_types.py)."""

import mindspore as ms
import mindspore.mint
import mindspore.numpy
import mindspore.scipy  # noqa: F401 (their operators are in the table, too)
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

from msjax.core.operators import operand_types, record


def test_the_table_names_parameters():
    for name, row in operand_types._table().items():
        operator = record.records[name]
        operator.signature()
        assert {p for p in row if p not in (operand_types.SAME, operand_types.FIRST)} <= set(operator.names), name
        assert set(row.get(operand_types.SAME, "").split()) <= set(operator.names), name
        assert all(
            set(v.split()) <= set(operand_types.TRIED)
            for p, v in row.items()
            if p not in (operand_types.SAME, operand_types.FIRST)
        ), name


@pytest.mark.parametrize("compiled", [False, True])
def test_refused(compiled):
    run = ms.jit if compiled else lambda fn: fn
    x, whole = Tensor([2.0, 3.0]), Tensor([2, 3])
    with pytest.raises(
        TypeError, match=r"For 'Mvlgamma', the type of 'input' must be one of \[Tensor\[Float32\], Tensor\[Float64\]\]"
    ):
        run(lambda x: ops.mvlgamma(x, 2))(whole)
    with pytest.raises(
        TypeError, match="the types of 'input' and 'other' must be the same, but got 'input': Tensor.Float32."
    ):
        run(ops.zeta)(x, x.astype(ms.float64))
    with pytest.raises(TypeError, match="the type of 'input'"):
        ms.grad(run(lambda x, y: (ops.zeta(y, y) * x).sum()))(x, whole)
    assert run(lambda x: ops.zeta(x, 2.0))(x).dtype == ms.float32  # a number has no type of its own


def test_a_bool_of_pythons_is_a_number_and_a_tensor_of_bools_is_none():
    x = Tensor([1, 2])
    assert ops.bitwise_left_shift(x, True).asnumpy().tolist() == [2, 4]
    with pytest.raises(TypeError, match="the type of 'other'"):
        ops.bitwise_left_shift(x, Tensor(True))


@pytest.mark.parametrize("dtype", [ms.int32, ms.int16, ms.uint8, ms.float32, ms.bool_])
def test_classes_that_are_sampled_have_mindspores_types(dtype):
    known = Tensor([[1, 2]], dtype)
    with pytest.raises(TypeError, match="'true_classes' must be one of"):
        ops.log_uniform_candidate_sampler(known, 2, 3, True, 5)
    if dtype == ms.int32:
        assert ops.uniform_candidate_sampler(known, 2, 3, True, 5)[0].dtype == dtype
    else:
        with pytest.raises(TypeError, match="'true_classes' must be one of"):
            ops.UniformCandidateSampler(2, 3, True, 5)(known)


def test_bfloat16_is_taken_where_float16_is():
    x = Tensor(np.ones((1, 1, 4, 4), np.float32)).astype(ms.bfloat16)
    assert ops.avg_pool2d(x, 2).dtype == ms.bfloat16
    assert nn.SoftShrink()(x).dtype == ms.bfloat16


def test_inner_calls_are_not_checked():
    """An operator that computes with the function of another gives it what MindSpore's kernel would be given."""
    assert ops.softmax(Tensor([1.0, 2.0], ms.float64)).dtype == ms.float64
    assert ms.grad(lambda x: ops.relu6(x).sum())(Tensor([1.0, 7.0])).asnumpy().tolist() == [1, 0]


@pytest.mark.parametrize("dtype", [ms.int32, ms.float32, ms.int64])
def test_two_operands_may_have_a_type_that_neither_may_have_alone(dtype):
    indices, shape = Tensor([[0], [1]], ms.int64), Tensor([2], ms.int64)
    one, other = Tensor([1, 2], dtype), Tensor([1, 3], dtype)
    distance = ops.EditDistance(normalize=False)
    assert distance(indices, one, shape, indices, other, shape).asnumpy() == 1
    with pytest.raises(TypeError, match="must be the same"):
        distance(indices, one, shape, indices, other.astype(ms.float64), shape)
