"""Kinds of arguments that MindSpore refuses: the samples in tests/goldens/fuzz_kinds.jsonl, and Python's operators in both modes."""

import operator

import mindspore as ms
import pytest
from mindspore import Parameter, Tensor, mint, ops

from msjax.core.operators import argument_kinds
from msjax.core.operators.record import records

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
    """The parts of an operator of other operators are not tried: one may write before another fails."""
    seen = Parameter(Tensor(0), name="seen")
    kinds = argument_kinds.Kinds(("x",), {"x": "s"})  # refuses a text
    call = argument_kinds.checking(lambda x: ops.assign_add(seen, Tensor(1)), kinds, None, records["batch_norm"])
    with pytest.raises(TypeError, match="the type of 'x' must not be string, but got 'a'"):
        call("a")
    assert seen.asnumpy() == 0
    call(Tensor(1.0))
    assert seen.asnumpy() == 1


def test_numbers_and_lists_as_factors():
    """MindSpore refuses them on the CPU alone, where it asks for their shapes."""
    import mindspore.numpy as mnp

    x = mnp.arange(3)
    for call in (lambda x: mnp.multiply(x, 2), lambda x: mnp.multiply(2, x), lambda x: mnp.multiply(x, [2, 2, 2])):
        for function in (call, ms.jit(call)):
            assert function(x).asnumpy().tolist() == [0, 2, 4]
            assert function(x).dtype == mnp.add(x, 2).dtype
    with pytest.raises(TypeError):
        mnp.multiply(x, "2")
