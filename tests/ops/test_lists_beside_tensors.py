"""A list or tuple beside a Tensor: some operators make a Tensor of it, whose items must have one type; the others refuse it, as in MindSpore 2.10."""

import operator

import mindspore as ms
import pytest
from mindspore import Tensor, ops

F, I, H = Tensor([1.0, 2.0], ms.float32), Tensor([1, 2], ms.int64), Tensor([1.0, 2.0], ms.float16)
ONE, TWO = Tensor(1.0, ms.float32), Tensor(2, ms.int32)
STACKING = (operator.add, operator.sub, operator.floordiv)
UNLIKE = [(F, I), (F, H), (F, Tensor([True, False])), (ONE, TWO), (TWO, 2), (2, TWO), (TWO, 2.5), (TWO, True)]


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], autouse=True)
def mode(request):
    ms.set_context(mode=request.param)


@pytest.mark.parametrize("items", UNLIKE)
@pytest.mark.parametrize("made", [tuple, list])
@pytest.mark.parametrize("function", STACKING)
def test_items_of_several_types(function, made, items):
    with pytest.raises(TypeError):
        function(F, made(items))
    with pytest.raises(TypeError):
        function(made(items), F)


@pytest.mark.parametrize("items", [(ONE, 2.5), (ONE, 2), (True, ONE), (1, 2.5), (F, F)])
@pytest.mark.parametrize("function", STACKING)
def test_items_of_one_type(function, items):
    found = function(F, items)
    assert found.dtype == ms.float32 and found.shape == ((2, 2) if items[0] is F else (2,))


@pytest.mark.parametrize("items", [(ONE, 2.5), (TWO, 2), (True, ONE), (1, 2.5), (True, 2)])
@pytest.mark.parametrize(
    "function",
    [
        operator.mul,
        operator.truediv,
        operator.mod,
        operator.lt,
        ops.maximum,
        ops.atan2,
        lambda x, y: ops.where(x > 1, x, y),
    ],
)
def test_items_of_several_kinds_are_refused_as_those_of_one_are(function, items):
    with pytest.raises(TypeError):
        function(F, items)


def test_values_with_their_indices():
    x = Tensor([[1.0, 3.0], [4.0, 2.0]], ms.float32)
    if ms.get_context("mode") == ms.PYNATIVE_MODE:  # in compiled code x.max(1) gives the values alone
        with pytest.raises(TypeError, match="name the one that is meant"):
            x.max(1) + F
    assert (x.max(axis=1) + F).asnumpy().tolist() == [4.0, 6.0]
