"""`msjax.lower`: train steps and operators lower for GPU and TPU on a machine that has neither, in the types that these devices have."""

import ast
import os
import pathlib
import re

import jax
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn

import msjax

WHOLE = os.environ.get("MSJAX_TEST_LOWERING", "0") not in ("", "0")
PLATFORMS = ("tpu", "cuda")


def values(*shape):
    return Tensor(np.random.RandomState(0).standard_normal(shape).astype(np.float32))


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm, self.dense = nn.LSTM(8, 16, 1, batch_first=True), nn.Dense(16, 10)

    def construct(self, x):
        return self.dense(self.lstm(x)[0][:, -1])


class Attending(nn.Cell):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True)
        self.embedding, self.encoder, self.dense = (
            nn.Embedding(50, 32),
            nn.TransformerEncoder(layer, 1),
            nn.Dense(32, 10),
        )

    def construct(self, ids):
        return self.dense(self.encoder(self.embedding(ids))[:, 0])


def convolutional():
    return nn.SequentialCell(
        nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Conv2d(16, 16, 3, group=4),
        nn.AvgPool2d(2, 2), nn.Dropout(p=0.2), nn.Flatten(), nn.Dense(16 * 5 * 5, 10),
    )  # fmt: skip


NETS = {
    "dense": (lambda: nn.SequentialCell(nn.Dense(8, 16), nn.ReLU(), nn.Dense(16, 10)), lambda: values(4, 8)),
    "convolutional": (convolutional, lambda: values(4, 3, 20, 20)),
    "recurrent": (Recurrent, lambda: values(4, 5, 8)),
    "attending": (Attending, lambda: Tensor(np.ones((4, 6), np.int32))),
}
OPTIMIZERS = {
    "SGD": lambda p: nn.SGD(p, 0.1),
    "Momentum": lambda p: nn.Momentum(p, 0.1, 0.9),
    "Adam": lambda p: nn.Adam(p, 0.1),
    "AdamWeightDecay": lambda p: nn.AdamWeightDecay(p, 0.1),
    "Lamb": lambda p: nn.Lamb(p, 0.1),
    "RMSProp": lambda p: nn.RMSProp(p, 0.1),
    "Adagrad": lambda p: nn.Adagrad(p),
    "FTRL": lambda p: nn.FTRL(p),
    "Adadelta": lambda p: nn.Adadelta(p),
    "AdaMax": lambda p: nn.AdaMax(p),
    "ASGD": lambda p: nn.ASGD(p),
    "Rprop": lambda p: nn.Rprop(p),
    "AdaFactor": lambda p: nn.AdaFactor(p),
}


def wide(text):
    """64-bit types of a module's values: every float64, and int64 arrays (a loop counts in one int64, attributes are such)."""
    text = re.sub(r"dense<[^>]*> : tensor<[0-9x]*i64>|array<i64[^>]*>", "", text)
    return set(re.findall(r"tensor<(?:\d+x)*(?:complex<)?f64>+|tensor<(?:\d+x)+u?i64>", text))


def step(net, optimizer):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    made = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer(net.trainable_params()))
    return made.set_train()


@pytest.mark.parametrize(
    "net, optimizer",
    [(n, "Momentum") for n in NETS] + [("dense", o) for o in OPTIMIZERS if WHOLE or o in ("SGD", "Adam", "Lamb")],
)
def test_train_steps_lower_in_32_bits(net, optimizer):
    make, inputs = NETS[net]
    text = msjax.lower(step(make(), OPTIMIZERS[optimizer]), inputs(), Tensor(np.zeros(4, np.int32)))
    parts = text.split("// platform: ")[1:]
    assert [p.splitlines()[0] for p in parts] == list(PLATFORMS)
    for part in parts:
        assert "custom_call" not in part and "callback" not in part
        assert wide(part) == set()


def test_lower_takes_functions_and_says_what_it_cannot():
    def double(x):
        return x * 2

    assert "stablehlo" in msjax.lower(double, values(3), platforms="cpu")
    assert "stablehlo" in msjax.lower(ms.jit(double), values(3), platforms=("tpu",))
    with pytest.raises(ValueError, match="platforms"):
        msjax.lower(double, values(3), platforms="npu")
    with pytest.raises(RuntimeError, match="one graph"):
        msjax.lower(lambda x: x * float(x.sum().asnumpy()), values(3))


def test_operators_take_the_forms_of_the_device():
    pool, x = nn.MaxPool2d(3, 2), values(1, 2, 9, 9)
    assert "reduce_window" in msjax.lower(pool, x, platforms="tpu")
    assert "reduce_window" not in msjax.lower(pool, x, platforms="cpu")


def test_matmul_precision_is_part_of_the_program():
    net, x = nn.Dense(4, 3), values(2, 4)
    try:
        ms.set_context(mode=ms.GRAPH_MODE, matmul_precision="highest")
        assert "HIGHEST" in msjax.lower(net, x, platforms="tpu")
        net(x)
        ms.set_context(matmul_precision="default")
        net(x)
        assert len(net._compiled_form().history) == 2
        with pytest.raises(ValueError, match="matmul_precision"):
            ms.set_context(matmul_precision="exact")
    finally:
        ms.set_context(matmul_precision=None)
    assert jax.config.jax_default_matmul_precision is None


def test_what_is_offloaded_waits_in_the_memory_of_the_host():
    """Forward to the host and back for each large value that the gradient needs; nothing of it for small ones, nor without `offload`."""

    def moved(size, offload):
        block = nn.SequentialCell(nn.Dense(size, size), nn.Sigmoid(), nn.Dense(size, size), nn.Tanh())
        if offload:
            block.offload()
        net = nn.TrainOneStepCell(nn.SequentialCell(block, nn.Dense(size, 1)), nn.SGD(block.trainable_params()))
        text = msjax.lower(net, values(64, size), platforms="cuda")
        return [text.count(f'_xla_buffer_placement = "{kind}"') for kind in ("pinned_host", "device")]

    to_host, back = moved(64, True)
    assert to_host >= 2 and back >= 2
    assert moved(8, True) == moved(64, False) == [0, 0]


# What starts a program lowers it within its calls, where the types are of 64 bits already.
_STARTERS = {
    *("core/lowered.py", "core/operators/layouts.py", "core/operators/shared_buffers.py"),
    *("parallel/launch.py", "parallel/pipeline.py"),
}


def test_nothing_but_a_call_lowers_a_program_by_itself():
    """`core.lowered.lowered` gives the types of 64 bits that a host's process lacks: a program that is lowered past it would be another."""
    package, found = pathlib.Path(msjax.__file__).parent, set()
    for path in package.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if ".lower(" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "lower":
                if node.args or node.keywords:
                    found.add(path.relative_to(package).as_posix())
    assert found - _STARTERS == set() and "core/lowered.py" in found
