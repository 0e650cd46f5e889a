"""mindspore.boost: accumulation of gradients in both modes and through AutoBoost; what is accepted trains as written."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, boost, nn
from mindspore.boost.grad_accumulation import gradient_accumulation_op, gradient_clear_op
from mindspore.ops import composite as C
from mindspore.ops import functional as F


@pytest.fixture(autouse=True)
def fresh_boost(monkeypatch):
    monkeypatch.setattr(boost.AutoBoost, "_instance", None)


def parts():
    ms.set_seed(0)
    net = nn.Dense(3, 1)
    return nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)


def batches(count=4):
    rng = np.random.RandomState(0)
    return [
        (Tensor(rng.randn(2, 3).astype(np.float32)), Tensor(rng.randn(2, 1).astype(np.float32))) for _ in range(count)
    ]


def test_accumulation_is_the_step_of_the_mean(mode):
    net, opt = parts()
    accumulate = boost.GradientAccumulation(2, opt)
    before = [p.asnumpy().copy() for p in opt.parameters]
    grads = [tuple(Tensor(np.full(p.shape, value, np.float32)) for p in opt.parameters) for value in (1, 3)]
    for _ in range(2):
        assert float(accumulate(Tensor(7.0), grads[0])) == 7
        accumulate(Tensor(7.0), grads[1])
    for p, b in zip(opt.parameters, before, strict=True):
        np.testing.assert_allclose(p.asnumpy(), b - 2 * 0.1 * 2, rtol=1e-5)
    assert [p.name for p in accumulate._grad_accumulation] == [f"grad_accumulation.{p.name}" for p in opt.parameters]


def test_functions_for_ones_own_cell(mode):
    total, one = ms.Parameter(Tensor([1.0, 2.0]), name="t"), Tensor([4.0, 4.0])
    C.HyperMap()(F.partial(gradient_accumulation_op, 4), (total,), (one,))
    assert total.asnumpy().tolist() == [2, 3]
    C.HyperMap()(F.partial(gradient_clear_op), (total,))
    assert total.asnumpy().tolist() == [0, 0]


@pytest.mark.parametrize("scaled", [False, True])
def test_boost_cells_follow_autoboost(scaled, mode):
    def train(steps):
        boost.AutoBoost._instance = None
        boost.AutoBoost(
            "O0",
            {
                "boost": {"mode": "manual", "grad_accumulation": steps > 1},
                "grad_accumulation": {"grad_accumulation_step": steps},
            },
        )
        net, opt = parts()
        cell = (
            boost.BoostTrainOneStepWithLossScaleCell(net, opt, Tensor(8.0))
            if scaled
            else boost.BoostTrainOneStepCell(net, opt)
        ).set_train()
        seen = [opt.parameters[0].asnumpy().copy()]
        for x, y in batches():
            cell(x, y)
            seen.append(opt.parameters[0].asnumpy().copy())
        return seen

    single, double = train(1), train(2)
    assert all((a != b).any() for a, b in zip(single, single[1:], strict=False))
    assert (double[0] == double[1]).all() and (double[1] != double[2]).any() and (double[2] == double[3]).all()


def test_auto_boost_is_one_for_the_program_and_leaves_the_network():
    first = boost.AutoBoost("O2")
    net, opt = parts()
    assert boost.AutoBoost("O0") is first and first.level == "O2" and first.boost_config["adasum"]
    assert first.network_auto_process_train(net, opt) == (net, opt) and first.network_auto_process_eval(net) is net
    x, y = batches(1)[0]
    assert float(boost.LessBN(net)(x, y)) == float(net(x, y))


def test_grad_centralization_groups():
    net = nn.Dense(3, 1)
    opt = nn.Momentum([{"params": list(net.trainable_params())}], 0.1, 0.9)
    process = boost.OptimizerProcess(opt)
    process.add_grad_centralization(net)
    assert [[p.name for p in g["params"]] for g in process.origin_params] == [["weight"], ["bias"]]
    assert process.origin_params[0]["grad_centralization"] and isinstance(process.generate_new_optimizer(), nn.Momentum)


@pytest.mark.parametrize("make", [lambda: boost.AdaSum(0, 8, 2, ()), lambda: boost.DimReduce(*[None] * 11)])
def test_what_needs_groups_of_processes_says_what_to_do(make):
    with pytest.raises(RuntimeError, match="one program computes on all devices"):
        make()
