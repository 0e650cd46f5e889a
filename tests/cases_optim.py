"""Optimizers: 25 steps from fixed weights with fixed gradients; the recorder and the test run them.

`p()` gives three Parameters, `g()` the same in two groups (the bias first), `steps` is how many updates are made.
"""

import zlib

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mint, nn
from mindspore.experimental import optim as experimental

STEPS = 25
KEPT = (1, 2, 3, 5, 10, 25)
SHAPES = {"fc.weight": (3, 2), "fc.bias": (3,), "conv.weight": (2, 1, 2, 2)}

EXPRESSIONS = [
    "nn.SGD(p(), 0.1)",
    "nn.SGD(p(), 0.1, momentum=0.9)",
    "nn.SGD(p(), 0.1, momentum=0.9, nesterov=True)",
    "nn.SGD(p(), 0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)",
    "nn.SGD(p(), 0.1, momentum=0.9, loss_scale=4.0)",
    "nn.SGD(g(weight_decay=0.1, lr=0.05), 0.1, momentum=0.9)",
    "nn.SGD(p(), RATES, momentum=0.9)",
    "nn.SGD(p(), SCHEDULE())",
    "nn.Momentum(p(), 0.1, 0.9)",
    "nn.Momentum(p(), 0.1, 0.9, weight_decay=0.01, loss_scale=4.0)",
    "nn.Momentum(p(), 0.1, 0.9, use_nesterov=True)",
    "nn.Momentum(g(weight_decay=0.1), 0.1, 0.9, weight_decay=0.01)",
    "nn.Momentum(g(lr=0.01), 0.1, 0.9)",
    "nn.Momentum(g(lr=RATES), 0.1, 0.9)",
    "nn.Momentum(g(lr=SCHEDULE()), 0.1, 0.9)",
    "nn.Momentum(p(), RATES, 0.9)",
    "nn.Momentum(p(), SCHEDULE(), 0.9)",
    "nn.Momentum(g(grad_centralization=True), 0.1, 0.9)",
    "nn.Momentum(g(order=True, lr=0.01), 0.1, 0.9)",
    "nn.Momentum(p(), Tensor(RATES, ms.float32), 0.9)",
    "nn.Momentum(p(), 0.1, 0.9, weight_decay=SCHEDULE())",
    "nn.Momentum(g(weight_decay=SCHEDULE()), 0.1, 0.9)",
    "nn.Momentum(p(), iter(RATES), 0.9)",
    "nn.Momentum(p(), OwnSchedule(), 0.9)",
    "nn.Adam(p(), 0.1)",
    "nn.Adam(p(), 0.1, 0.8, 0.99, 1e-3, weight_decay=0.01)",
    "nn.Adam(p(), 0.1, use_nesterov=True)",
    "nn.Adam(p(), 0.1, use_amsgrad=True)",
    "nn.Adam(p(), 0.1, loss_scale=4.0)",
    "nn.Adam(p(), RATES)",
    "nn.Adam(g(lr=0.01, weight_decay=0.1), 0.1)",
    "nn.Adam(p(), SCHEDULE(), weight_decay=0.01)",
    "nn.Adam(p(), 0.1, use_lazy=True)",
    "nn.Adam(p(), 0.1, use_locking=True)",
    "nn.AdamWeightDecay(p(), 0.1)",
    "nn.AdamWeightDecay(p(), 0.1, 0.8, 0.99, 1e-3, 0.1)",
    "nn.AdamWeightDecay(g(weight_decay=0.1, lr=0.01), 0.1)",
    "nn.AdamWeightDecay(p(), SCHEDULE(), weight_decay=0.01)",
    "nn.AdamOffload(p(), 0.1)",
    "nn.AdaMax(p(), 0.1)",
    "nn.AdaMax(p(), 0.1, weight_decay=0.01)",
    "nn.Adagrad(p())",
    "nn.Adagrad(p(), 0.2, 0.1, weight_decay=0.01)",
    "nn.Adagrad(p(), 0.2, 0.1, False)",
    "nn.Adadelta(p(), 0.5)",
    "nn.Adadelta(p(), 0.5, 0.8, 1e-4, weight_decay=0.01)",
    "nn.RMSProp(p(), 0.1)",
    "nn.RMSProp(p(), 0.1, 0.8, 0.5, 1e-4)",
    "nn.RMSProp(p(), 0.1, centered=True)",
    "nn.RMSProp(g(lr=0.01), 0.1, momentum=0.9)",
    "nn.FTRL(p())",
    "nn.FTRL(p(), 0.2, 0.1, -0.5, 0.0, 0.02, weight_decay=0.01)",
    "nn.FTRL(p(), 0.2, 0.1, -0.5, 0.01, 0.02)",
    "nn.LARS(nn.Momentum(p(), 0.1, 0.9), epsilon=1e-8, coefficient=0.02)",
    "nn.LARS(nn.Momentum(p(), 0.1, 0.9), lars_filter=lambda x: 'bias' not in x.name, use_clip=True)",
    "nn.Lamb(p(), 0.1)",
    "nn.Lamb(p(), 0.1, weight_decay=0.1)",
    "nn.Lamb(g(weight_decay=0.1, lr=0.01), 0.1)",
    "nn.Lamb(p(), SCHEDULE(), weight_decay=0.01)",
    "nn.LazyAdam(p(), 0.1)",
    "nn.LazyAdam(p(), 0.1, weight_decay=0.01, loss_scale=2.0)",
    "nn.ProximalAdagrad(p())",
    "nn.ProximalAdagrad(p(), 0.2, 0.1, 0.01, 0.02)",
    "nn.Rprop(p(), 0.1)",
    "nn.Rprop(p(), 0.1, (0.4, 1.3), (1e-4, 2.0), weight_decay=0.01)",
    "nn.ASGD(p(), 0.1)",
    "nn.ASGD(p(), 0.1, weight_decay=0.01, t0=5.0)",
    "nn.AdaFactor(p(), 0.1, scale_parameter=False, relative_step=False)",
    "nn.AdaFactor(p(), None)",
    "nn.AdaFactor(p(), 0.1, beta1=0.9, scale_parameter=False, relative_step=False)",
    "nn.AdaFactor(p(), 0.1, scale_parameter=True, relative_step=False, weight_decay=0.01)",
    "experimental.SGD(p(), lr=0.1)",
    "experimental.SGD(p(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)",
    "experimental.Adam(p(), lr=0.1)",
    "experimental.Adam(p(), lr=0.1, weight_decay=0.01, amsgrad=True)",
    "experimental.AdamW(p(), lr=0.1)",
    "experimental.AdamW(p(), lr=0.1, weight_decay=0.1, amsgrad=True)",
    "experimental.AdamW([{'params': p()[:1], 'lr': 0.01}, {'params': p()[1:]}], lr=0.1)",
    "experimental.Adagrad(p(), lr=0.1)",
    "experimental.Adadelta(p(), lr=0.5)",
    "experimental.Adamax(p(), lr=0.1)",
    "experimental.ASGD(p(), lr=0.1)",
    "experimental.NAdam(p(), lr=0.1)",
    "experimental.RAdam(p(), lr=0.1)",
    "experimental.RMSprop(p(), lr=0.1)",
    "experimental.RMSprop(p(), lr=0.1, momentum=0.9, centered=True)",
    "experimental.Rprop(p(), lr=0.1)",
    "mint.optim.SGD(p(), lr=0.1)",
    "mint.optim.SGD(p(), lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)",
    "mint.optim.SGD(p(), lr=0.1, momentum=0.9, nesterov=True)",
    "mint.optim.Adam(p(), lr=0.1)",
    "mint.optim.Adam(p(), lr=0.1, weight_decay=0.01, amsgrad=True)",
    "mint.optim.AdamW(p(), lr=0.1, weight_decay=0.1)",
    "mint.optim.FusedAdamW(p(), lr=0.1, weight_decay=0.1)",
]
RATES = [0.1 - 0.003 * i for i in range(STEPS)]


class OwnSchedule(nn.learning_rate_schedule.LearningRateSchedule):
    """A schedule as users write it."""

    def construct(self, global_step):
        return 0.1 / (1.0 + global_step.astype(ms.float32) * 0.1)


def p():
    """Fresh Parameters with fixed values."""
    return [Parameter(Tensor(values(name, "weight", shape)), name=name) for name, shape in SHAPES.items()]


def g(order=False, **options):
    """The same in two groups: the bias with these options, then the others."""
    params = p()
    groups = [{"params": params[1:2], **options}, {"params": [params[0], params[2]]}]
    return groups + [{"order_params": params}] if order else groups


def values(name, kind, shape):
    """float32 values that depend on nothing but the name and kind."""
    return (np.random.RandomState(zlib.crc32(f"{name} {kind}".encode())).randint(-64, 65, shape) / 64).astype(
        np.float32
    )


NAMESPACE = {
    "nn": nn,
    "ms": ms,
    "mint": mint,
    "Tensor": Tensor,
    "p": p,
    "g": g,
    "RATES": RATES,
    "SCHEDULE": lambda: nn.ExponentialDecayLR(0.1, 0.9, 4),
    "OwnSchedule": OwnSchedule,
    "experimental": experimental,
}


def trajectory(expression):
    """{"<parameter>@<step>": array, "state:<name>": array} of one optimizer."""
    optimizer = eval(expression, NAMESPACE)
    parameters = list(optimizer.parameters)
    found = {}
    for step in range(1, STEPS + 1):
        optimizer(tuple(Tensor(values(x.name, f"gradient {step}", x.shape)) for x in parameters))
        if step in KEPT:
            found.update({f"{x.name}@{step}": np.array(x.asnumpy()) for x in parameters})
    if expression.startswith("nn."):
        state = [x for x in optimizer.get_parameters() if x.name not in SHAPES]
        found.update({f"state:{x.name}": np.array(x.asnumpy()) for x in state})
    return found


def formula(rule):
    """A trajectory in float64: rule(weight, gradient, state dict, step) gives the new weight."""
    found = {}
    for name, shape in SHAPES.items():
        weight, state = values(name, "weight", shape).astype(np.float64), {}
        for step in range(1, STEPS + 1):
            weight = rule(weight, values(name, f"gradient {step}", shape).astype(np.float64), state, step)
            if step in KEPT:
                found[f"{name}@{step}"] = weight.astype(np.float32)
    return found


def lamb(weight_decay):
    def rule(w, gradient, state, step):
        state["m"] = 0.9 * state.get("m", 0.0) + 0.1 * gradient
        state["v"] = 0.999 * state.get("v", 0.0) + 0.001 * gradient**2
        update = state["m"] / (1 - 0.9**step) / (np.sqrt(state["v"] / (1 - 0.999**step)) + 1e-6) + weight_decay * w
        return w - 0.1 * np.linalg.norm(w) / np.linalg.norm(update) * update

    return rule


def nesterov(w, gradient, state, step):
    state["v"] = 0.9 * state.get("v", 0.0) + gradient
    return w - 0.1 * (gradient + 0.9 * state["v"])


def adagrad_of_fixed_slots(w, gradient, state, step):
    return w - 0.1 * gradient / np.sqrt(0.2)


def ftrl(w, gradient, state, step):
    old = state.get("n", 0.2)
    state["n"] = old + gradient**2
    state["z"] = state.get("z", 0.0) + gradient - (np.sqrt(state["n"]) - np.sqrt(old)) / 0.1 * w
    z = state["z"]
    return np.where(np.abs(z) > 0.01, (np.sign(z) * 0.01 - z) / (np.sqrt(state["n"]) / 0.1 + 0.04), 0.0)


BETA1, BETA2 = (float(np.float32(x)) for x in (0.9, 0.999))  # as kernels take them: 1 - 0.999 is 1.3e-5 off


def adam_moments(gradient, state):
    state["m"] = BETA1 * state.get("m", 0.0) + (1 - BETA1) * gradient
    state["v"] = BETA2 * state.get("v", 0.0) + (1 - BETA2) * gradient**2
    state["top"] = np.maximum(state.get("top", 0.0), state["v"])
    return state["m"], state["v"], state["top"]


def amsgrad(w, gradient, state, step):
    m, _, top = adam_moments(gradient + 0.01 * w, state)
    power1, power2 = (float(np.float32(beta**step)) for beta in (BETA1, BETA2))
    return w - 0.1 * np.sqrt(1 - power2) / (1 - power1) * m / (np.sqrt(top) + 1e-8)


def published_adam(decay=0.0, shrink=0.0, largest=False):
    """Adam with epsilon after the bias correction; `shrink` is AdamW's weight decay."""

    def rule(w, gradient, state, step):
        m, v, top = adam_moments(gradient + decay * w, state)
        below = np.sqrt(top if largest else v) / np.sqrt(1 - np.float32(BETA2**step)) + 1e-8
        return w * (1 - 0.1 * shrink) - 0.1 / (1 - np.float32(BETA1**step)) * m / below

    return rule


def sgd_of_mint(momentum=0.0, dampening=0.0, decay=0.0, nesterov=False):
    def rule(w, gradient, state, step):
        g = gradient + decay * w
        state["b"] = momentum * state["b"] + (1 - dampening) * g if step > 1 else g
        return w - 0.1 * (g + momentum * state["b"] if nesterov else state["b"])

    return rule


def radam(w, gradient, state, step):
    m, v, _ = adam_moments(gradient, state)
    limit, missing = 2 / (1 - 0.999) - 1, 1 - 0.999**step
    rho, mean = limit - 2 * step * 0.999**step / missing, m / (1 - BETA1**step)
    if rho <= 5:
        return w - 0.1 * mean
    rectified = np.sqrt((rho - 4) * (rho - 2) * limit / ((limit - 4) * (limit - 2) * rho))
    return w - 0.1 * mean * rectified * np.sqrt(missing) / (np.sqrt(v) + 1e-8)


def rmsprop_with_momentum(w, gradient, state, step):
    state["n"] = 0.8 * state.get("n", 1.0) + 0.2 * gradient**2
    state["m"] = 0.5 * state.get("m", 0.0) + 0.1 * gradient / np.sqrt(state["n"] + 1e-4)
    return w - state["m"]


# The documented formulas, where the CPU build of MindSpore has no kernel (Lamb) or a wrong one: nesterov is ignored,
# slots that should stay are updated, l1 loses the sign of the linear term, amsgrad is ignored, eight elements at once
# have epsilon outside RMSProp's root (one at a time has it inside), RAdam's rho loses three digits in float32, and
# mint.optim, whose steps are in place, changes nothing.
REFERENCES = {
    "nn.Lamb(p(), 0.1)": lamb(0.0),
    "nn.Lamb(p(), 0.1, weight_decay=0.1)": lamb(0.1),
    "nn.Momentum(p(), 0.1, 0.9, use_nesterov=True)": nesterov,
    "nn.Adagrad(p(), 0.2, 0.1, False)": adagrad_of_fixed_slots,
    "nn.FTRL(p(), 0.2, 0.1, -0.5, 0.01, 0.02)": ftrl,
    "nn.RMSProp(p(), 0.1, 0.8, 0.5, 1e-4)": rmsprop_with_momentum,
    "experimental.Adam(p(), lr=0.1, weight_decay=0.01, amsgrad=True)": amsgrad,
    "experimental.RAdam(p(), lr=0.1)": radam,
    "mint.optim.SGD(p(), lr=0.1)": sgd_of_mint(),
    "mint.optim.SGD(p(), lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)": sgd_of_mint(0.9, 0.1, 0.01),
    "mint.optim.SGD(p(), lr=0.1, momentum=0.9, nesterov=True)": sgd_of_mint(0.9, nesterov=True),
    "mint.optim.Adam(p(), lr=0.1)": published_adam(),
    "mint.optim.Adam(p(), lr=0.1, weight_decay=0.01, amsgrad=True)": published_adam(0.01, largest=True),
    "mint.optim.AdamW(p(), lr=0.1, weight_decay=0.1)": published_adam(shrink=0.1),
    "mint.optim.FusedAdamW(p(), lr=0.1, weight_decay=0.1)": published_adam(shrink=0.1),
}
