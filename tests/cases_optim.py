"""Optimizers: 25 steps from fixed weights with fixed gradients; the recorder and the test run them.

`p()` gives three Parameters, `g()` the same in two groups (the bias first), `steps` is how many updates are made.
"""
import zlib

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.experimental import optim as experimental

STEPS = 25
KEPT = (1, 2, 3, 5, 10, 25)
SHAPES = {"fc.weight": (3, 2), "fc.bias": (3,), "conv.weight": (2, 1, 2, 2)}

EXPRESSIONS = [
    "nn.SGD(p(), 0.1)", "nn.SGD(p(), 0.1, momentum=0.9)", "nn.SGD(p(), 0.1, momentum=0.9, nesterov=True)",
    "nn.SGD(p(), 0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)",
    "nn.SGD(p(), 0.1, momentum=0.9, loss_scale=4.0)", "nn.SGD(g(weight_decay=0.1, lr=0.05), 0.1, momentum=0.9)",
    "nn.SGD(p(), RATES, momentum=0.9)", "nn.SGD(p(), SCHEDULE())",
    "nn.Momentum(p(), 0.1, 0.9)", "nn.Momentum(p(), 0.1, 0.9, weight_decay=0.01, loss_scale=4.0, use_nesterov=True)",
    "nn.Momentum(g(weight_decay=0.1), 0.1, 0.9, weight_decay=0.01)",
    "nn.Momentum(g(lr=0.01), 0.1, 0.9)", "nn.Momentum(g(lr=RATES), 0.1, 0.9)",
    "nn.Momentum(g(lr=SCHEDULE()), 0.1, 0.9)",
    "nn.Momentum(p(), RATES, 0.9)", "nn.Momentum(p(), SCHEDULE(), 0.9)",
    "nn.Momentum(g(grad_centralization=True), 0.1, 0.9)", "nn.Momentum(g(order=True, lr=0.01), 0.1, 0.9)",
    "nn.Momentum(p(), Tensor(RATES, ms.float32), 0.9)", "nn.Momentum(p(), 0.1, 0.9, weight_decay=SCHEDULE())",
    "nn.Momentum(g(weight_decay=SCHEDULE()), 0.1, 0.9)", "nn.Momentum(p(), iter(RATES), 0.9)",
    "nn.Momentum(p(), OwnSchedule(), 0.9)",
    "nn.Adam(p(), 0.1)", "nn.Adam(p(), 0.1, 0.8, 0.99, 1e-3, weight_decay=0.01)",
    "nn.Adam(p(), 0.1, use_nesterov=True)",
    "nn.Adam(p(), 0.1, use_amsgrad=True)", "nn.Adam(p(), 0.1, loss_scale=4.0)",
    "nn.Adam(p(), RATES)", "nn.Adam(g(lr=0.01, weight_decay=0.1), 0.1)", "nn.Adam(p(), SCHEDULE(), weight_decay=0.01)",
    "nn.Adam(p(), 0.1, use_lazy=True)", "nn.Adam(p(), 0.1, use_locking=True)",
    "nn.AdamWeightDecay(p(), 0.1)", "nn.AdamWeightDecay(p(), 0.1, 0.8, 0.99, 1e-3, 0.1)",
    "nn.AdamWeightDecay(g(weight_decay=0.1, lr=0.01), 0.1)", "nn.AdamWeightDecay(p(), SCHEDULE(), weight_decay=0.01)",
    "nn.AdamOffload(p(), 0.1)", "nn.AdaMax(p(), 0.1)", "nn.AdaMax(p(), 0.1, weight_decay=0.01)", "nn.Adagrad(p())",
    "nn.Adagrad(p(), 0.2, 0.1, False, weight_decay=0.01)", "nn.Adadelta(p(), 0.5)",
    "nn.Adadelta(p(), 0.5, 0.8, 1e-4, weight_decay=0.01)", "nn.RMSProp(p(), 0.1)",
    "nn.RMSProp(p(), 0.1, 0.8, 0.5, 1e-4)", "nn.RMSProp(p(), 0.1, centered=True)",
    "nn.RMSProp(g(lr=0.01), 0.1, momentum=0.9)",
    "nn.FTRL(p())", "nn.FTRL(p(), 0.2, 0.1, -0.5, 0.01, 0.02, weight_decay=0.01)",
    "nn.LARS(nn.Momentum(p(), 0.1, 0.9), epsilon=1e-8, coefficient=0.02)",
    "nn.LARS(nn.Momentum(p(), 0.1, 0.9), lars_filter=lambda x: 'bias' not in x.name, use_clip=True)",
    "nn.Lamb(p(), 0.1)", "nn.Lamb(p(), 0.1, weight_decay=0.1)", "nn.Lamb(g(weight_decay=0.1, lr=0.01), 0.1)",
    "nn.Lamb(p(), SCHEDULE(), weight_decay=0.01)",
    "nn.LazyAdam(p(), 0.1)", "nn.LazyAdam(p(), 0.1, weight_decay=0.01, loss_scale=2.0)", "nn.ProximalAdagrad(p())",
    "nn.ProximalAdagrad(p(), 0.2, 0.1, 0.01, 0.02)",
    "nn.Rprop(p(), 0.1)", "nn.Rprop(p(), 0.1, (0.4, 1.3), (1e-4, 2.0), weight_decay=0.01)", "nn.ASGD(p(), 0.1)",
    "nn.ASGD(p(), 0.1, weight_decay=0.01, t0=5.0)", "nn.AdaFactor(p(), 0.1, scale_parameter=False, "
    "relative_step=False)",
    "nn.AdaFactor(p(), None)", "nn.AdaFactor(p(), 0.1, beta1=0.9, scale_parameter=False, relative_step=False)",
    "nn.AdaFactor(p(), 0.1, scale_parameter=True, relative_step=False, weight_decay=0.01)",
    "experimental.SGD(p(), lr=0.1)", "experimental.SGD(p(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)",
    "experimental.Adam(p(), lr=0.1)", "experimental.Adam(p(), lr=0.1, weight_decay=0.01, amsgrad=True)",
    "experimental.AdamW(p(), lr=0.1)", "experimental.AdamW(p(), lr=0.1, weight_decay=0.1, amsgrad=True)",
    "experimental.AdamW([{'params': p()[:1], 'lr': 0.01}, {'params': p()[1:]}], lr=0.1)",
    "experimental.Adagrad(p(), lr=0.1)",
    "experimental.Adadelta(p(), lr=0.5)", "experimental.Adamax(p(), lr=0.1)", "experimental.ASGD(p(), lr=0.1)",
    "experimental.NAdam(p(), lr=0.1)", "experimental.RAdam(p(), lr=0.1)", "experimental.RMSprop(p(), lr=0.1)",
    "experimental.RMSprop(p(), lr=0.1, momentum=0.9, centered=True)", "experimental.Rprop(p(), lr=0.1)",
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
    return (np.random.RandomState(zlib.crc32(f"{name} {kind}".encode())).randint(-64, 65,
        shape) / 64).astype(np.float32)


NAMESPACE = {"nn": nn, "ms": ms, "Tensor": Tensor, "p": p, "g": g, "RATES": RATES,
    "SCHEDULE": lambda: nn.ExponentialDecayLR(0.1, 0.9, 4),
             "OwnSchedule": OwnSchedule, "experimental": experimental}


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


def lamb_reference(learning_rate=0.1, weight_decay=0.0, beta1=0.9, beta2=0.999, eps=1e-6):
    """The documented formula of nn.Lamb in float64, for which the CPU build of MindSpore has no kernel."""
    found = {}
    for name, shape in SHAPES.items():
        w = values(name, "weight", shape).astype(np.float64)
        m, v = np.zeros(shape), np.zeros(shape)
        for step in range(1, STEPS + 1):
            gradient = values(name, f"gradient {step}", shape).astype(np.float64)
            m, v = beta1 * m + (1 - beta1) * gradient, beta2 * v + (1 - beta2) * gradient ** 2
            update = m / (1 - beta1 ** step) / (np.sqrt(v / (1 - beta2 ** step)) + eps) + weight_decay * w
            w = w - learning_rate * np.linalg.norm(w) / np.linalg.norm(update) * update
            if step in KEPT:
                found[f"{name}@{step}"] = w.astype(np.float32)
    return found


REFERENCES = {"nn.Lamb(p(), 0.1)": lamb_reference,
    "nn.Lamb(p(), 0.1, weight_decay=0.1)": lambda: lamb_reference(weight_decay=0.1)}
