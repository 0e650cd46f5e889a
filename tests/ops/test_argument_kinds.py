"""Kinds of arguments that MindSpore refuses: the samples in tests/goldens/fuzz_kinds.jsonl, and Python's operators in both modes."""

import operator

import mindspore as ms
import pytest
from mindspore import Parameter, Tensor, mint, ops

ALWAYS = ("add", "sub", "floordiv")
COMPILED = ("mul", "truediv", "mod")
NEVER = ("lt", "le", "gt", "ge", "and_", "matmul")


@pytest.mark.parametrize("name", (*ALWAYS, *COMPILED, *NEVER))
@pytest.mark.parametrize("items", ((1.0, 2.0), [1, 2]), ids=("tuple", "list"))
def test_lists_beside_an_operator_of_python(name, items):
    compute, x = getattr(operator, name), Tensor([1.0, 2.0])
    for call in (lambda x: compute(x, items), lambda x: compute(items, x)):
        for function, takes in ((call, name in ALWAYS), (ms.jit(call), name not in NEVER)):
            if takes:
                assert function(x).shape == (2,)
            else:
                with pytest.raises(TypeError):
                    function(x)


def test_lists_and_numbers_in_the_place_of_tensors():
    x = Tensor([1.0, 2.0])
    for call in (
        lambda: ops.mul(x, (1.0, 2.0)),
        lambda: ops.add((1.0, 2.0), x),
        lambda: mint.mul(x, (1.0, 2.0)),
        lambda: x.mul((1.0, 2.0)),
        lambda: ops.sum(x, 0.0),
        lambda: ops.full((2,), None),
    ):
        with pytest.raises(TypeError, match="must"):
            call()


@pytest.mark.parametrize("compiled", [False, True])
def test_what_an_annotation_names_is_taken(compiled):
    """The table tells what one right call refuses; another of the same operator may need it."""
    run = ms.jit if compiled else lambda fn: fn
    x = Tensor([[True, False], [True, True]])
    assert run(lambda x: x.any((0, 1)))(x).asnumpy()
    assert run(lambda x: ops.any(x, (0, 1)))(x).asnumpy()


def test_a_refused_call_writes_nothing():
    x, ones = Tensor([[1.0, 2.0], [3.0, 6.0]]), Tensor([1.0, 1.0])
    mean, variance = Parameter(Tensor([0.0, 0.0]), name="mean"), Parameter(Tensor([1.0, 1.0]), name="variance")
    with pytest.raises(TypeError):
        ops.batch_norm(x, mean, variance, 1.0, ones, True)
    assert mean.asnumpy().tolist() == [0, 0] and variance.asnumpy().tolist() == [1, 1]
