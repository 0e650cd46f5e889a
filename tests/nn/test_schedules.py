"""Schedules beyond the goldens: own ones, jumps, plateaus, compiled steps, wrong arguments."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn
from mindspore.experimental import optim
from mindspore.experimental.optim import lr_scheduler as schedulers


def optimizer(*rates):
    return optim.SGD(
        [{"params": [Parameter(Tensor([1.0], ms.float32), name=f"w{i}")], "lr": r} for i, r in enumerate(rates)], lr=0.5
    )


def rates(opt):
    return [round(float(group["lr"]), 6) for group in opt.param_groups]


class Halving(schedulers.LRScheduler):
    """A scheduler as users write it."""

    def get_lr(self):
        return [rate * 0.5**self.last_epoch for rate in self.base_lrs]


def test_own_scheduler():
    opt = optimizer(0.8, 0.4)
    scheduler = Halving(opt)
    scheduler.step()
    scheduler.step()
    assert rates(opt) == [0.2, 0.1] and [round(float(r), 6) for r in scheduler.get_last_lr()] == [0.2, 0.1]
    opt(tuple(Tensor([1.0]) for _ in opt.parameters))
    np.testing.assert_allclose([float(p) for p in opt.parameters], [0.8, 0.9], rtol=1e-6)


# a scheduler that is told the epoch gives what it gives step by step
JUMPS = [
    "StepLR(opt, 3, 0.5)",
    "LinearLR(opt, 0.3, 1.0, 6)",
    "ExponentialLR(opt, 0.9)",
    "PolynomialLR(opt, 10, 2.0)",
    "MultiStepLR(opt, [2, 5], 0.1)",
    "ConstantLR(opt, 0.5, 4)",
    "CosineAnnealingLR(opt, 10, 0.01)",
    "CosineAnnealingWarmRestarts(opt, 3, 2, 0.01)",
    "CyclicLR(opt, 0.01, 0.1, 4)",
    "LambdaLR(opt, lambda e: 0.9 ** e)",
]


@pytest.mark.parametrize("expression", JUMPS)
def test_a_jump_is_many_steps(expression):
    found = []
    for jump in (False, True):
        opt = optimizer(0.1)
        scheduler = eval(expression, {**vars(schedulers), "opt": opt})
        for _ in range(0 if jump else 7):
            scheduler.step()
        if jump:
            scheduler.step(7)
        found.append(float(opt.lrs[0]))
    assert found[0] == pytest.approx(found[1], rel=1e-5)


def test_a_scheduler_in_a_compiled_step():
    opt = optimizer(0.1)
    scheduler = schedulers.StepLR(opt, 2, 0.5)

    @ms.jit(fullgraph=True)
    def step(gradient):
        opt((gradient,))
        scheduler.step()
        return gradient

    for _ in range(4):
        step(Tensor([1.0]))
    assert rates(opt) == [0.025] and float(opt.parameters[0]) == pytest.approx(1 - 0.1 - 0.1 - 0.05 - 0.05)


@pytest.mark.parametrize(
    "mode, metrics, want",
    [
        ("min", [1, 1, 1, 1, 0.5, 0.5], [0.1, 0.1, 0.01, 0.01, 0.01, 0.01]),
        ("max", [1, 2, 2, 2, 2, 3], [0.1, 0.1, 0.1, 0.01, 0.01, 0.01]),
    ],
)
def test_plateau(mode, metrics, want):
    opt = optimizer(0.1)
    scheduler = schedulers.ReduceLROnPlateau(opt, mode, patience=1, cooldown=1)
    found = []
    for metric in metrics:
        scheduler.step(Tensor(metric, ms.float32))
        found.append(round(float(opt.lrs[0]), 6))
    assert found == want and scheduler.in_cooldown().dtype == ms.bool_


def test_own_schedule_cell(mode):
    class Inverse(nn.LearningRateSchedule):
        def __init__(self, base):
            super().__init__()
            self.base, self.warm = base, nn.WarmUpLR(base, 2)

        def construct(self, global_step):
            return ms.ops.select(
                global_step < 2, self.warm(global_step), self.base / (global_step.astype(ms.float32) + 1)
            )

    w = Parameter(Tensor([0.0], ms.float32), name="w")
    sgd = nn.SGD([w], Inverse(0.6))
    positions = []
    for _ in range(4):
        sgd((Tensor([-1.0], ms.float32),))
        positions.append(round(float(w), 6))
    assert positions == [0.0, 0.3, 0.5, 0.65]
    assert float(sgd.get_lr()) == pytest.approx(0.12)


WRONG = [
    ("StepLR(opt, 1.5)", TypeError, "step_size"),
    ("LinearLR(opt, 2.0)", ValueError, "Starting multiplicative"),
    ("LambdaLR(opt, [1, 2, 3])", ValueError, "lr_lambdas"),
    ("StepLR(1, 2)", TypeError, "not an Optimizer"),
    ("StepLR(opt, 2, last_epoch=3)", KeyError, "initial_lr"),
    ("PolynomialLR(opt, 5, -1.0)", ValueError, "power"),
    ("ReduceLROnPlateau(opt, factor=1.0)", ValueError, "must be a number in"),
    ("CyclicLR(opt, 0.1, 0.2, mode='x')", ValueError, "mode"),
    ("SequentialLR(opt, [ConstantLR(opt)], [3])", ValueError, "milestone"),
    ("LRScheduler(opt)", NotImplementedError, "get_lr"),
]


@pytest.mark.parametrize("expression, kind, text", WRONG, ids=[w[0] for w in WRONG])
def test_wrong_arguments(expression, kind, text):
    with pytest.raises(kind, match=text):
        eval(expression, {**vars(schedulers), "opt": optimizer(0.1)})


@pytest.mark.parametrize("steps", [3, 7, 10, 30, 49])
def test_the_last_step_of_a_decay_is_its_end_in_compiled_programs(mode, steps):
    last = Tensor(steps, ms.int32)
    poly = nn.PolynomialDecayLR(0.1, 0.01, steps, 0.9)(last)
    stairs = [nn.ExponentialDecayLR(1.0, 0.5, steps, True), nn.InverseDecayLR(1.0, 1.0, steps, True)]
    falls = nn.NaturalExpDecayLR(1.0, 0.5, steps, True)(last)
    assert np.allclose(poly.asnumpy(), 0.01, rtol=1e-6)
    assert [float(one(last).asnumpy()) for one in stairs] == [0.5, 0.5]
    assert np.allclose(falls.asnumpy(), np.exp(-0.5 * steps), rtol=1e-5)


@pytest.mark.parametrize("shape", [(), (1,), (2,)])
def test_a_quotient_of_equal_numbers_is_one_in_a_users_schedule(mode, shape):
    for steps in (3, 7, 10, 30, 49):

        def decayed(step, steps=steps):
            return (1 - step / steps) ** 0.9

        held = Tensor(np.full((*shape, 3), steps, np.float32))
        for function, step in (
            (decayed, Tensor(np.full(shape, steps, np.float32))),
            (lambda x, y=held: decayed(x, y), held),
        ):
            found = (ms.jit(function) if mode == "graph" else function)(step)
            assert (found.asnumpy() == 0).all()
