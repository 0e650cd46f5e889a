"""What users see of an error is MindSpore's words and their own lines: nothing that JAX says, in any mode; the type is MindSpore's."""

import os
import re
import subprocess
import sys
import traceback

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mint, nn, ops

X, Y = Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((4, 5), np.float32))
OF_JAX = re.compile(
    r"\bJAX\b|\bjax\.|\bjnp\b|\bXLA\b|\blax\b|[Tt]racer|ShapedArray|concretiz|pytree|\bjit\b|RESOURCE_EXHAUSTED|has removed its internal"
)
CALLS = {
    "add": lambda x, y: x + y,
    "matmul": lambda x, y: ops.matmul(x, y),
    "mint.matmul": lambda x, y: mint.matmul(x, y),
    "cat": lambda x, y: ops.cat((x, y)),
    "where": lambda x, y: ops.where(x > 0, x, y),
    "einsum": lambda x, y: ops.einsum("ij,jk->ik", x, y),
    "reshape": lambda x, y: x.reshape(7),
    "dense": lambda x, y: nn.Dense(9, 2)(x),
    "text": lambda x, y: ops.mish("s"),
    "none": lambda x, y: ops.matmul(x, None),
    "axis": lambda x, y: ops.softmax(x, y),
    "setitem": lambda x, y: x.__setitem__(slice(None), y),
    "broadcast": lambda x, y: ops.broadcast_to(x, (5, 5)),
    "cross entropy": lambda x, y: ops.cross_entropy(x, y),
}


def branch(call):
    def run(x, y):
        if x.sum() > 0:
            return call(x, y)
        return x

    return ms.jit(run)


MODES = {
    "eager": lambda call: call(X, Y),
    "jit": lambda call: ms.jit(call)(X, Y),
    "gradient": lambda call: ms.grad(lambda x: call(x, Y).sum())(X),
    "compiled gradient": lambda call: ms.jit(ms.grad(lambda x: call(x, Y).sum()))(X),
    "vmap": lambda call: ops.vmap(call)(ops.stack((X, X)), ops.stack((Y, Y))),
    "branch": lambda call: branch(call)(X, Y),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore:.*runs eagerly")
def test_nothing_of_jax_is_said(name, mode):
    with pytest.raises((TypeError, ValueError, IndexError, RuntimeError)) as found:
        MODES[mode](lambda x, y: CALLS[name](x, y))
    assert type(found.value).__module__ == "builtins"
    text = "".join(traceback.format_exception_only(found.value))
    assert not OF_JAX.search(text), text


class Own(Exception):
    """An error of the user's."""


def fails(*args):
    raise Own("mine")


@pytest.mark.parametrize(
    "call",
    [
        lambda: ms.jit(fails)(X),
        lambda: ms.grad(fails)(X),
        lambda: ops.vmap(fails)(X),
        lambda: ms.jvp(fails, X, X),
        lambda: ops.Custom(fails, lambda s: s, lambda d: d, func_type="pyfunc")(X).asnumpy(),
        lambda: ms.jit(lambda x: ops.Custom(fails, lambda s: s, lambda d: d, func_type="pyfunc")(x))(X).asnumpy(),
    ],
)
def test_the_users_own_error_is_what_is_raised(call, capfd):
    with pytest.raises(Own, match="^mine$") as found:
        call()
    assert getattr(found.value, "__notes__", []) == [] and found.value.__cause__ is None
    assert "jax" not in capfd.readouterr().err


def test_memory_that_is_not_there():
    with pytest.raises(RuntimeError, match="out of memory: 4503599627370496 bytes"):
        ops.zeros((1 << 50,))


def test_all_frames_on_demand(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import mindspore as ms\nms.jit(lambda x: x @ ms.Tensor([1.0, 2.0]))(ms.Tensor([1.0]))\n")
    command = [sys.executable, "-m", "msjax", str(script)]
    shown = [
        subprocess.run(command, capture_output=True, text=True, env={**os.environ, **extra}).stderr
        for extra in ({}, {"MSJAX_TRACEBACK": "full"})
    ]
    assert "jax" not in shown[0]
    assert shown[0].count("  File ") == 2 and "Error: For 'matmul'" in shown[0]
    assert "jax/_src" in shown[1] and "compile.py" in shown[1]


def test_a_large_value_does_not_fill_the_message():
    with pytest.raises(TypeError) as found:
        ops.reshape(X, (Tensor(np.arange(5000.0)),))
    text = str(found.value)
    assert len(text) < 2500 and text.startswith("For 'Reshape', the 'shape' must be") and "4999.0" in text, text
