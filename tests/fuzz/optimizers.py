"""Random optimizers: all of `nn`, `mint.optim` and `experimental.optim` with groups of parameters, schedules and loss scales.

A case is a dict: `expression` (makes the optimizer of `P`, a list of Parameters), `scheduler` (makes a schedule of `optimizer`, or
None), `dtype` of the Parameters, `steps` and `graph` (whether the updates are compiled).
"""

import zlib

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mint, nn
from mindspore.experimental import optim as experimental
from seeded import Seeded

BLOCK = 100  # cases of one seed
ALLOWED = ("equal", "raise", "lacks", "beyond")
SHAPES = {"fc.weight": (3, 2), "fc.bias": (3,), "bn.gamma": (4,), "conv.weight": (2, 1, 2, 2)}
RANKS = {
    "scale": (),
    "series.weight": (2, 1, 3),
    "solid.weight": (1, 2, 2, 1, 2),
}  # more shapes, of a third of the cases
LACKS = ("kernel", "unregistered", "CPU", "not support", "Unsupported", "Select kernel")

RATES = (
    "0.1", "0.05", "1e-3", "1", "0.0", "[0.1, 0.05, 0.02, 0.01]", "Tensor(0.05, ms.float32)", "Tensor([0.1, 0.2, 0.05, 0.3], ms.float32)",
    "nn.ExponentialDecayLR(0.1, 0.9, 2)", "nn.ExponentialDecayLR(0.1, 0.9, 2, is_stair=True)", "nn.CosineDecayLR(0.01, 0.1, 4)",
    "nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5)", "nn.InverseDecayLR(0.1, 0.5, 2)", "nn.NaturalExpDecayLR(0.1, 0.9, 2, True)",
    "nn.WarmUpLR(0.1, 3)", "nn.piecewise_constant_lr([2, 4], [0.1, 0.05])", "nn.cosine_decay_lr(0.01, 0.1, 4, 2, 2)",
    "nn.exponential_decay_lr(0.1, 0.9, 4, 2, 1)", "nn.warmup_lr(0.1, 4, 2, 1)", "iter([0.1, 0.2, 0.3, 0.4])", "-0.1", "'a'", "[0.1]",
    "np.array([0.1, 0.05, 0.2, 0.1], np.float32)", "2",
)  # fmt: skip
DECAYS = ("0.01", "0.1", "0.0", "nn.CosineDecayLR(0.01, 0.1, 4)", "1", "-0.1")
BETA = ("0.9", "0.8", "0.5", "0.99", "0.0", "1.0")
NN = {
    "SGD": {"momentum": ("0.9", "0.5", "0.0", "-1.0"), "dampening": ("0.1", "0.0", "0.5"), "nesterov": ("True", "False"),
            "weight_decay": DECAYS, "loss_scale": ("4.0", "1.0", "1024.0")},
    "Momentum": {"momentum": ("0.9", "0.5", "0.0"), "weight_decay": DECAYS, "loss_scale": ("4.0", "2.0"), "use_nesterov": ("True",)},
    "Adam": {"beta1": BETA, "beta2": BETA, "eps": ("1e-3", "1e-8"), "use_nesterov": ("True",), "use_amsgrad": ("True",),
             "weight_decay": DECAYS, "loss_scale": ("4.0",), "use_locking": ("True",)},
    "AdamWeightDecay": {"beta1": BETA, "beta2": BETA, "eps": ("1e-3",), "weight_decay": DECAYS},
    "AdaMax": {"beta1": BETA, "beta2": BETA, "eps": ("1e-3",), "weight_decay": DECAYS, "loss_scale": ("4.0",)},
    "Adagrad": {"accum": ("0.5",), "update_slots": ("True",), "loss_scale": ("4.0",), "weight_decay": DECAYS},
    "Adadelta": {"rho": ("0.5",), "epsilon": ("1e-3",), "loss_scale": ("4.0",), "weight_decay": DECAYS},
    "RMSProp": {"decay": ("0.5",), "momentum": ("0.9", "0.0"), "epsilon": ("1e-3",), "centered": ("True", "False"),
                "loss_scale": ("4.0",), "weight_decay": DECAYS},
    "FTRL": {"initial_accum": ("0.2",), "lr_power": ("-0.5", "-0.3"), "l1": ("0.01",), "l2": ("0.02",), "loss_scale": ("4.0",),
             "weight_decay": DECAYS},
    "LazyAdam": {"beta1": BETA, "beta2": BETA, "use_nesterov": ("True",), "weight_decay": DECAYS, "loss_scale": ("4.0",)},
    "Lamb": {"beta1": BETA, "beta2": BETA, "eps": ("1e-3",), "weight_decay": DECAYS},
    "ProximalAdagrad": {"accum": ("0.2",), "l1": ("0.01",), "l2": ("0.02",), "loss_scale": ("4.0",), "weight_decay": DECAYS},
    "ASGD": {"lambd": ("0.01",), "alpha": ("0.5",), "t0": ("2.0",), "weight_decay": DECAYS},
    "Rprop": {"etas": ("(0.4, 1.3)",), "step_sizes": ("(1e-3, 1.0)",), "weight_decay": DECAYS},
    "AdamOffload": {"beta1": BETA, "beta2": BETA, "use_nesterov": ("True",), "weight_decay": DECAYS, "loss_scale": ("4.0",)},
}  # fmt: skip
PLAIN = {
    "SGD": {"momentum": ("0.9", "0.0"), "dampening": ("0.1", "0"), "weight_decay": ("0.01", "0.0"), "nesterov": ("True",),
            "maximize": ("True",)},
    "Adam": {"betas": ("(0.8, 0.9)",), "eps": ("1e-3",), "weight_decay": ("0.01",), "amsgrad": ("True",), "maximize": ("True",)},
    "AdamW": {"betas": ("(0.8, 0.9)",), "eps": ("1e-3",), "weight_decay": ("0.1",), "amsgrad": ("True",), "maximize": ("True",)},
    "Adagrad": {"lr_decay": ("0.1",), "weight_decay": ("0.01",), "initial_accumulator_value": ("0.1",), "eps": ("1e-3",), "maximize": ("True",)},
    "Adadelta": {"rho": ("0.5",), "eps": ("1e-3",), "weight_decay": ("0.01",), "maximize": ("True",)},
    "Adamax": {"betas": ("(0.8, 0.9)",), "eps": ("1e-3",), "weight_decay": ("0.01",), "maximize": ("True",)},
    "ASGD": {"lambd": ("0.01",), "alpha": ("0.5",), "t0": ("2.0",), "weight_decay": ("0.01",), "maximize": ("True",)},
    "NAdam": {"betas": ("(0.8, 0.9)",), "eps": ("1e-3",), "weight_decay": ("0.01",), "momentum_decay": ("0.01",)},
    "RAdam": {"betas": ("(0.8, 0.9)",), "eps": ("1e-3",), "weight_decay": ("0.01",)},
    "RMSprop": {"alpha": ("0.5",), "eps": ("1e-3",), "momentum": ("0.9",), "centered": ("True",), "weight_decay": ("0.01",)},
    "Rprop": {"etas": ("(0.4, 1.3)",), "step_sizes": ("(1e-3, 1.0)",), "maximize": ("True",)},
}  # fmt: skip
SCHEDULERS = (
    "StepLR(optimizer, 2, 0.5)", "MultiStepLR(optimizer, [1, 3], 0.1)", "ExponentialLR(optimizer, 0.5)", "LinearLR(optimizer, 0.5, total_iters=2)",
    "ConstantLR(optimizer, 0.5, 2)", "PolynomialLR(optimizer, 3)", "CosineAnnealingLR(optimizer, 3)", "LambdaLR(optimizer, [lambda e: 0.9 ** e])",
    "MultiplicativeLR(optimizer, [lambda e: 0.9])", "CosineAnnealingWarmRestarts(optimizer, 2)", "CyclicLR(optimizer, 0.01, 0.1, 2)",
)  # fmt: skip


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        case = {
            "scheduler": None,
            "dtype": "float16" if r.random() < 0.12 else "float32",
            "steps": r.choice((2, 3, 4)),
            "graph": r.random() < 0.35,
            "ranks": r.random() < 0.35,
        }
        if r.random() < 0.72:
            name = r.choice(list(NN))
            options = self._options(NN[name])
            rate = f"learning_rate={r.choice(RATES)}" if r.random() < 0.9 else None
            text = f"nn.{name}({', '.join([self._groups(), *([rate] if rate else []), *options])})"
            if name == "Momentum" and "momentum=" not in text:
                text = (
                    text.replace("learning_rate", "momentum=0.9, learning_rate", 1)
                    if rate
                    else text[:-1] + ", 0.1, 0.9)"
                )
            if name in ("SGD", "Momentum") and r.random() < 0.08:
                text = f"nn.LARS({text}, epsilon=1e-3, coefficient=0.02, lars_filter=lambda x: 'bias' not in x.name)"
        else:
            house = r.choice(("experimental", "experimental", "mint.optim"))
            name = r.choice(list(PLAIN) if house == "experimental" else ["SGD", "Adam", "AdamW"])
            groups = "P"
            if r.random() < 0.4:
                more = r.choice(("'lr': 0.01", "'weight_decay': 0.1", "'lr': Tensor(0.02, ms.float32)"))
                groups = f"[{{'params': P[:2], {more}}}, {{'params': P[2:]}}]"
            rate = r.choice(("lr=0.1", "lr=0.05", "lr=1e-3", "lr=Tensor(0.1, ms.float32)", "lr=-1.0"))
            text = f"{house}.{name}({', '.join([groups, rate, *self._options(PLAIN[name])])})"
            if house == "experimental" and r.random() < 0.4:
                case["scheduler"] = "experimental.lr_scheduler." + r.choice(SCHEDULERS)
        return {**case, "expression": text}

    def _options(self, table):
        chosen = self.random.sample(list(table), min(len(table), self.random.choice((0, 1, 1, 2, 3))))
        return [f"{name}={self.random.choice(table[name])}" for name in chosen]

    def _groups(self):
        r = self.random
        if r.random() < 0.5:
            return "P"
        more = []
        if r.random() < 0.5:
            more.append(f"'lr': {r.choice(RATES)}")
        if r.random() < 0.5:
            more.append(f"'weight_decay': {r.choice(DECAYS)}")
        if r.random() < 0.3:
            more.append("'grad_centralization': True")
        first = ", ".join(["'params': [P[0], *P[3:]]", *more])
        rest = r.choice(("{'params': P[1:3]}", "{'params': P[1:3], 'weight_decay': 0.02}", "{'params': P[1:3]}, {'order_params': P}",
                         "{'params': P[1:3], 'lr': 0.03}", "{'params': P[1:2]}"))  # fmt: skip
        return f"[{{{first}}}, {rest}]"


def values(name, kind, shape):
    """Multiples of 1/64 that depend on the text alone."""
    return np.random.RandomState(zlib.crc32(f"{name} {kind}".encode())).randint(-64, 65, shape) / 64


def run(case):
    """["tuple", results]: the Parameters after each step, and the optimizer's state."""
    ms.set_context(mode=ms.GRAPH_MODE if case["graph"] else ms.PYNATIVE_MODE)
    dtype = getattr(ms, case["dtype"])
    shapes = SHAPES | RANKS if case.get("ranks") else SHAPES
    parameters = [Parameter(Tensor(values(n, "weight", s), dtype), name=n) for n, s in shapes.items()]
    names = {
        "nn": nn,
        "ms": ms,
        "np": np,
        "mint": mint,
        "experimental": experimental,
        "Tensor": Tensor,
        "P": parameters,
    }
    try:
        optimizer = names["optimizer"] = eval(case["expression"], names)
        scheduler = eval(case["scheduler"], names) if case["scheduler"] else None
        order = list(optimizer.parameters)
        found = [["str", repr([x.name for x in order])]]
        for step in range(case["steps"]):
            optimizer(tuple(Tensor(values(x.name, f"gradient {step}", x.shape), dtype) for x in order))
            if scheduler is not None:
                scheduler.step()
            found += [_plain(x) for x in order]
        if isinstance(optimizer, nn.Optimizer) and case["expression"].startswith("nn."):
            state = sorted(optimizer.get_parameters(), key=lambda x: x.name)
            found += [["str", repr([x.name for x in state])], *[_plain(x) for x in state]]
        else:
            found += [["float", [], [float(g["lr"])]] for g in optimizer.param_groups]
        return ["tuple", found]
    except Exception as error:
        kind = next(t for t in type(error).__mro__ if t.__module__ == "builtins")
        return ["!", kind.__name__, str(error)[:300]]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def _plain(x):
    return [str(x.dtype), list(x.shape), x.asnumpy().reshape(-1).tolist()]


def judge(case, theirs, ours, same):
    """Either "lacks" where MindSpore's CPU build has no kernel; "raises other" where the types of the exceptions differ."""
    if theirs[0] == "!" and len(theirs) > 2 and any(word in theirs[2] for word in LACKS):
        return "lacks"
    still = case["expression"].startswith("mint") and theirs[0] == "tuple"
    size = len(SHAPES | RANKS if case.get("ranks") else SHAPES)
    if still and all(x[2] == theirs[1][1][2] for x in theirs[1][1 : 1 + size * case["steps"] : size]):
        return "lacks"  # on CPU the optimizers of mint leave the Parameters as they are
    verdict = same(theirs, ours, 3)
    return "raises other" if verdict == "raise" and theirs[1] != ours[1] else verdict
