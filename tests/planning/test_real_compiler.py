"""By the compiler of TPUs, where it is installed (`pip install 'msjax[plan]'`): kernels are seen, and why one was not taken."""

import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, nn
from msjax.planning.measure import measure, planning
from msjax.planning.topology import Topology

pytest.importorskip("libtpu", reason="the compiler of TPUs is not installed: pip install 'msjax[plan]'")


def plan_of(dropout):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.attention = nn.MultiheadAttention(256, 2, dropout=dropout, batch_first=True)

        def construct(self, x):
            return self.attention(x, x, x, need_weights=False)[0].mean()

    with ms.planned("v5e"):
        net = Net()
        step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.1, 0.9)).set_train()
    return ms.plan(step, Tensor(np.ones((4, 256, 256), np.float32)), topology="v5e")


def test_a_kernel_is_seen():
    plan = plan_of(0.0)
    assert plan.work["kernels"] >= 2 and not [f for f in plan.findings if f["kind"] == "kernel"]
    assert plan.memory["weights"] == 4 * (4 * 256 * 256 + 1024 + 256)  # the bias of 768 elements fills a tile of 1,024
    assert plan.seconds["mfu with overlap"] <= 1


def test_a_kernel_that_dropout_prevents_is_told():
    plan = plan_of(0.2)
    assert [f for f in plan.findings if f["kind"] == "kernel" and "dropout" in f["text"]]


def test_padding_and_lost_recomputation_are_told_with_their_lines():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.points = ms.Parameter(np.ones((1 << 18, 5, 3), np.float32), name="points")
            self.up = nn.Dense(3, 256)
            self.up.recompute()

        def construct(self, x):
            return (self.up(x) * self.points.sum()).mean()

    with ms.planned("v5e"):
        net = Net()
        step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.1, 0.9)).set_train()
    plan = ms.plan(step, Tensor(np.ones((64, 3), np.float32)), topology="v5e")
    padded = next(f for f in plan.findings if f["kind"] == "padding")
    assert "points" in padded["text"] and padded["bytes"] > 1 << 20
    assert next(f for f in plan.findings if f["kind"] == "recompute")["line"][0] == __file__


def test_relu_keeps_a_bit_of_each_product():
    """Of rows, which `nn.Dense` with an activation makes of an array, the compiler kept the products themselves, in float32."""
    with planning(Topology("v5e")):
        net = nn.SequentialCell(nn.Dense(256, 1024, activation="relu"), nn.Dense(1024, 256))
        loss = nn.WithLossCell(net, nn.MSELoss())
        step = nn.TrainOneStepCell(loss, nn.SGD(net.trainable_params(), 0.1)).set_train()
    x = Tensor(np.ones((16, 128, 256), np.float32))
    made = measure(step, (x, x), Topology("v5e")).program
    arrays = [a for instruction, _ in made.running() for a in instruction.shape]
    assert not [a for a in arrays if a.dtype == "f32" and a.elements == 16 * 128 * 1024]
    assert any(a.dtype == "u16" and a.dims == (128, 1024) for a in arrays)  # 16 bits each


def test_what_a_table_needs_of_nothing_else_is_computed_late():
    """The gradient of the norm of a table that is the first Parameter was made before the forward pass, padded from 16 to 128 lanes."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.table = ms.Parameter(np.ones((20000, 16), np.float32), name="table")
            self.up, self.out = nn.Dense(128, 256, activation="relu"), nn.Dense(256, 1)

        def construct(self, x):
            rows = ms.ops.gather(self.table, x, 0)
            return self.out(self.up(rows.reshape(-1, 128))).mean() + 1e-4 * ms.ops.square(self.table).sum()

    with planning(Topology("v5e")):
        net = Net()
        step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params())).set_train()
    made = measure(step, (Tensor(np.ones((1024, 8), np.int32)),), Topology("v5e"))
    state = 3 * 4 * 20000 * 16
    assert state < made.memory["peak"] < 2 * state
    assert [row[0] for row in made.inputs if row[2] == (20000, 16)][-1] == "table"


def test_gathered_weights_are_not_copied_first():
    """With ZeRO-1 the old weight was copied when the step began, and the new one copied over it at its end."""
    topology = Topology("v5e:2x2")
    ms.set_auto_parallel_context(
        parallel_mode="semi_auto_parallel", full_batch=True, device_num=4, enable_parallel_optimizer=True
    )
    try:
        with planning(topology):
            net = nn.SequentialCell(nn.Dense(4096, 8192, activation="relu"), nn.Dense(8192, 4096))
            loss = nn.WithLossCell(net, nn.MSELoss())
            step = nn.TrainOneStepCell(loss, nn.AdamWeightDecay(net.trainable_params(), 1e-4)).set_train()
        x = Tensor(np.ones((64, 4096), np.float32))
        made = measure(step, (x, x), topology).program
    finally:
        ms.reset_auto_parallel_context()
    weight = lambda a: a.elements == 4096 * 8192 and not a.space  # noqa: E731  (a copy into the chip's own memory is the way to read it)
    whole = [i.opcode for i, _ in made.running() if any(map(weight, i.shape))]
    assert whole.count("all-gather") == 2 and "copy" not in whole
