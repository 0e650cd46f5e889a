"""Gradients through integers, hooks, users' own gradients, loops and state, in both modes, against MindSpore."""

import cases_gradients
import golden_files
import helpers
import mindspore as ms
import numpy as np
import pytest

# programs whose GRAPH_MODE is a program of its own in MindSpore too: it computes gradients of frozen weights, refuses such a bprop
PYNATIVE = {"weights_by_use", "state_freeze", "state_freeze_mid", "state_freeze_grad2", "state_csr", "state_step3"}
PYNATIVE |= {
    "same_captured",
    "same_twice",
    "same_in_list",
    "same_object",
    "write_to_stopped",
}  # a graph knows its inputs, not whose Tensors they are, and a function of it that writes to its argument has one of its own


@pytest.mark.filterwarnings("ignore:.*runs eagerly for this signature")
@pytest.mark.parametrize("expression", cases_gradients.EXPRESSIONS)
def test_gradient_of_expression(expression, mode):
    expected = golden_files.read("gradients")["expressions"][expression]
    rtol = 4e-3 if "float16" in cases_gradients.EXPRESSIONS[expression] else 1e-5
    helpers.assert_plain(cases_gradients.gradient_of(expression), expected, rtol)


@pytest.mark.filterwarnings("ignore:.*runs eagerly for this signature")
@pytest.mark.parametrize("name", cases_gradients.CASES)
def test_gradient_program(name, mode):
    if mode == "graph" and name in PYNATIVE:
        pytest.skip("GRAPH_MODE differs in MindSpore too")
    helpers.assert_plain(cases_gradients.run(name), golden_files.read("gradients")["cases"][name])


@pytest.mark.parametrize("loop", [cases_gradients.squares, cases_gradients.with_break])
def test_second_gradient_of_a_compiled_loop(loop):
    x = ms.Tensor(1.5, ms.float32)
    compiled = ms.jit(lambda x: ms.grad(ms.grad(loop))(x), fullgraph=True)
    assert np.allclose(compiled(x).asnumpy(), ms.grad(ms.grad(loop))(x).asnumpy(), rtol=1e-4)
