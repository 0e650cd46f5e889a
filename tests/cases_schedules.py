"""Learning-rate schedules, both kinds; every step is recorded."""

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.experimental import optim as experimental
from mindspore.experimental.optim import lr_scheduler

STEPS = 25
LISTS = [
    "nn.piecewise_constant_lr([5, 10, 25], [0.1, 0.05, 0.01])",
    "nn.exponential_decay_lr(0.1, 0.9, 25, 5, 3)",
    "nn.exponential_decay_lr(0.1, 0.9, 25, 5, 3, True)",
    "nn.natural_exp_decay_lr(0.1, 0.9, 25, 5, 3)",
    "nn.natural_exp_decay_lr(0.1, 0.9, 25, 5, 3, True)",
    "nn.inverse_decay_lr(0.1, 0.5, 25, 5, 3)",
    "nn.inverse_decay_lr(0.1, 0.5, 25, 5, 3, True)",
    "nn.cosine_decay_lr(0.01, 0.1, 25, 5, 3)",
    "nn.polynomial_decay_lr(0.1, 0.01, 25, 5, 3, 0.5)",
    "nn.polynomial_decay_lr(0.1, 0.01, 25, 5, 2, 2.0, True)",
    "nn.warmup_lr(0.1, 25, 5, 3)",
    "nn.piecewise_constant_lr([5, 3], [0.1, 0.05])",
    "nn.exponential_decay_lr(-0.1, 0.9, 25, 5, 3)",
    "nn.cosine_decay_lr(0.1, 0.01, 25, 5, 3)",
    "nn.warmup_lr(0.1, 25, 5, 0)",
]
CELLS = [
    "nn.ExponentialDecayLR(0.1, 0.9, 4)",
    "nn.ExponentialDecayLR(0.1, 0.9, 4, True)",
    "nn.NaturalExpDecayLR(0.1, 0.9, 4)",
    "nn.NaturalExpDecayLR(0.1, 0.9, 4, True)",
    "nn.InverseDecayLR(0.1, 0.9, 4)",
    "nn.InverseDecayLR(0.1, 0.9, 4, True)",
    "nn.CosineDecayLR(0.01, 0.1, 10)",
    "nn.PolynomialDecayLR(0.1, 0.01, 10, 0.5)",
    "nn.PolynomialDecayLR(0.1, 0.01, 10, 2.0, True)",
    "nn.WarmUpLR(0.1, 10)",
    "nn.ExponentialDecayLR(0.1, 2.0, 4)",
    "nn.CosineDecayLR(0.1, 0.01, 10)",
    "nn.WarmUpLR(0.1, 0)",
    "nn.ExponentialDecayLR('x', 0.9, 4)",
]
SCHEDULERS = [
    "LambdaLR(o(), lambda epoch: 0.9 ** epoch)",
    "MultiplicativeLR(o(), lambda epoch: 0.95)",
    "StepLR(o(), 5, 0.5)",
    "MultiStepLR(o(), [5, 12], 0.1)",
    "ConstantLR(o(), 0.5, 4)",
    "LinearLR(o(), 0.3, 1.0, 6)",
    "ExponentialLR(o(), 0.9)",
    "PolynomialLR(o(), 10, 2.0)",
    "CosineAnnealingLR(o(), 10, 0.01)",
    "CosineAnnealingWarmRestarts(o(), 5, 2, 0.01)",
    "CyclicLR(o(), 0.01, 0.1, 4, 6)",
    "CyclicLR(o(), 0.01, 0.1, 4, mode='triangular2')",
    "SequentialLR(opt, [ConstantLR(opt, 0.1, 2), ExponentialLR(opt, 0.9)], [4])",
    "ReduceLROnPlateau(o(), patience=2)",
    "ReduceLROnPlateau(o(), 'max', 0.5, 3, 0.1, 'abs', cooldown=2, min_lr=0.01)",
]
METRICS = [1.0, 0.8, 0.7, 0.7, 0.71, 0.7, 0.69, 0.69, 0.69, 0.69, 0.69, 0.3, 0.35, 0.4, 0.5, 0.6] + [
    0.65
] * 9  # of each epoch


def o():
    """An optimizer whose only Parameter is one number."""
    return experimental.SGD([Parameter(Tensor([1.0], ms.float32), name="w")], lr=0.1)


def values(expression):
    """The learning rates of the first steps as a list of float."""
    if expression in LISTS:
        return eval(expression, {"nn": nn})
    if expression in CELLS:
        schedule = eval(expression, {"nn": nn})
        return [float(schedule(Tensor(step, ms.int32)).asnumpy()) for step in range(STEPS)]
    opt = o()
    scheduler = eval(expression, {**vars(lr_scheduler), "o": lambda: opt, "opt": opt})
    found = []
    for _ in range(STEPS):
        found.append(
            float(opt.param_groups[0]["lr"].asnumpy())
            if hasattr(opt.param_groups[0]["lr"], "asnumpy")
            else float(opt.param_groups[0]["lr"])
        )
        scheduler.step(*([METRICS[len(found) - 1]] if expression.startswith("ReduceLROnPlateau") else ()))
    return found


def attempt(expression):
    """The values, or the exception's type and first line."""
    try:
        return values(expression)
    except Exception as error:
        return ["!" + type(error).__name__, str(error).strip().split("\n")[0][:200]]
