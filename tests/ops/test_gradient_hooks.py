"""What operators that change gradients do with values that are not one Tensor."""

import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, jit, nn, ops


def doubled(gradient):
    return gradient * 2


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("value", [1.5, 2, True, "a", None, (1, 2), {"a": 1}])
def test_a_gradient_inserted_at_a_value_without_tensors_gives_the_value(value, compiled):
    def call(x):
        return ops.InsertGradientOf(doubled)(value), x

    out, _ = (jit(call) if compiled else call)(Tensor([1.0]))
    assert out == value and type(out) is type(value)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_number_passes_an_inserted_gradient_inside_of_a_gradient(compiled):
    def scaled(x):
        return ops.InsertGradientOf(doubled)(3.0) * ops.InsertGradientOf(doubled)(x)

    gradient = ops.grad(jit(scaled) if compiled else scaled)(Tensor([1.0, 5.0]))
    np.testing.assert_array_equal(gradient.asnumpy(), [6.0, 6.0])


@pytest.mark.parametrize("compiled", [False, True])
def test_the_inserted_function_gets_gradients_in_the_structure_of_the_value(compiled):
    def changed(gradients):
        return gradients[0] * 2, gradients[1] * 3

    def summed(a, b):
        c, d = ops.InsertGradientOf(changed)((a, b))
        return c + d

    first, second = ops.grad(jit(summed) if compiled else summed, (0, 1))(Tensor([1.0]), Tensor([4.0]))
    assert (first.asnumpy().item(), second.asnumpy().item()) == (2.0, 3.0)


@pytest.mark.parametrize("value", [1.5, 2, "a", None, (1, 2)])
def test_a_backward_hook_at_a_value_that_is_no_tensor_is_a_type_error(value):
    with pytest.raises(TypeError, match="For 'HookBackward', the element of 'input' must be Tensor"):
        ops.HookBackward(doubled)(value)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    "hook, count, expected",
    [
        (lambda g: g * 2, 1, TypeError),  # a tuple of two
        (lambda g: (), 1, TypeError),
        (lambda g: [g[0]], 1, TypeError),
        (lambda g: 3.0, 1, TypeError),
        (lambda g: g[0][:1], 1, ValueError),
        (lambda g: g[0].astype(ms.float16), 1, ValueError),
        (lambda g: g[0], 2, TypeError),
        (lambda g: (g[0],), 2, ValueError),
    ],
)
def test_a_backward_hook_gives_as_many_gradients_as_it_gets(hook, count, expected, compiled):
    """The types are those of MindSpore's PYNATIVE_MODE."""
    held = ops.HookBackward(hook)

    def summed(x, y):
        return held(x).sum() if count == 1 else sum(part.sum() for part in held(x, y))

    with pytest.raises(expected, match="[Oo]utput"):
        ops.grad(jit(summed) if compiled else summed)(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))


@pytest.mark.parametrize("changed", [[1.0], 1.0])
def test_a_hook_of_a_cell_gives_tensors(changed):
    cell = nn.ReLU()
    cell.register_backward_hook(lambda cell, inputs, outputs: changed)
    with pytest.raises(TypeError, match="should be a tensor but got"):
        ops.grad(lambda x: cell(x * 2))(Tensor([1.0]))
