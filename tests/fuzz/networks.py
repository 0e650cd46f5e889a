"""Random small networks: layers with random options, gradients, steps of every optimizer, float16 and bfloat16, amp levels, both modes.

A case is a dict: `layers` ([text of a Cell or "", text of the line of `construct`]), `input` and `label` ([dtype, shape, upper bound of
integers]), `loss` (text of an expression of y and t), `optimizer` (text, of `P`), `cast` (text of what is done to the network), `train`,
`step` (text of the Cell that makes a step, of the network N and the optimizer O), `frozen` (whether every third Parameter takes no part),
`sizes` (of the batches of the draws), `dynamic` (whether `set_inputs` tells that batches have any size), `modes`, `draws`. Weights, inputs and
labels depend on names and the number of the draw alone, so both sides have the same. A form is built once and runs with each of its `draws`:
what was compiled for the first serves the others, which have other weights, inputs and labels (small and large ones, many equal ones, zeros),
and start from the optimizer's first state.

msjax runs a third of the forms in GRAPH_MODE, and some in `check` mode, too, and its modes are compared with each other: they compute one
program in three ways, so that a compiler that errs is seen also where MindSpore has no answer.
"""

import contextlib
import tempfile
import textwrap
import warnings
import zlib

import mindspore as ms
import numpy as np
from layers import Layers
from mindspore import Tensor, mint, nn, ops
from mindspore.experimental import optim as experimental
from rare_layers import CLASSES
from seeded import Seeded
from texts import module_of, settle

LIMIT = 120  # seconds a case
BLOCK = 10  # cases of one seed
ALLOWED = ("equal", "raise", "lacks", "beyond", "theirs", "steep")  # verdicts that need no look
LACKS = (
    "kernel", "Kernel", "unregistered", "CPU", "not support", "Unsupported", "unsupported", "does not exist", "Select",
    "only support", "dtype must be", "data type must be", "type must be", "must be one of", "is not implemented",
)  # fmt: skip
IMPORTS = "import mindspore as ms\nimport numpy as np\nfrom mindspore import Tensor, mint, nn, ops\n"
FOLDER = tempfile.TemporaryDirectory()  # MindSpore's `rewrite` wants the texts as files
NAMES = {"ms": ms, "np": np, "nn": nn, "ops": ops, "mint": mint, "experimental": experimental, "Tensor": Tensor}
STEPS = 3
DRAWS = 10  # sets of numbers that a form runs with
FACES = ("normal", "normal", "normal", "halves", "small", "large", "equal", "sparse")  # of the inputs of a draw
PAIRS = (("pynative", "graph"), ("graph", "check"))
NUDGE = 2e-7  # some roundings: what they change (kinks, ties, sums that cancel out) cannot be compared

# every optimizer; epsilons are large enough that a gradient of rounding errors alone makes no step
OPTIMIZERS = (
    "nn.SGD(P, 0.05)", "nn.SGD(P, 0.05, momentum=0.9, weight_decay=0.01)", "nn.SGD(P, 0.05, momentum=0.9, nesterov=True)",
    "nn.SGD(P, nn.ExponentialDecayLR(0.05, 0.9, 1), dampening=0.1, momentum=0.5)",
    "nn.Momentum(P, 0.05, 0.9)", "nn.Momentum(P, [0.05, 0.02, 0.01], 0.9)", "nn.Momentum(P, 0.05, 0.9, weight_decay=0.1)",
    "nn.Adam(P, 0.01, eps=1e-2)", "nn.Adam(P, 0.01, eps=1e-2, use_nesterov=True)", "nn.Adam(P, 0.01, eps=1e-2, use_amsgrad=True)",
    "nn.Adam(P, nn.CosineDecayLR(0.001, 0.02, 3), eps=1e-2, weight_decay=0.1)", "nn.AdamWeightDecay(P, 0.01, eps=1e-2, weight_decay=0.1)",
    "nn.AdaMax(P, 0.01, eps=1e-2)", "nn.Adagrad(P, accum=0.5, learning_rate=0.05)", "nn.Adadelta(P, 0.5, epsilon=1e-2)",
    "nn.RMSProp(P, 0.01, epsilon=1e-2)", "nn.RMSProp(P, 0.01, epsilon=1e-1, centered=True, momentum=0.5)",
    "nn.FTRL(P, learning_rate=0.05)", "nn.FTRL(P, learning_rate=0.05, l2=0.02)", "nn.LazyAdam(P, 0.01, eps=1e-2)",
    "nn.Lamb(P, 0.01, eps=1e-2)", "nn.Lamb(P, 0.01, eps=1e-2, weight_decay=0.1)", "nn.ProximalAdagrad(P, 0.5, learning_rate=0.05)",
    "nn.ASGD(P, 0.05, t0=2.0)", "nn.Rprop(P, 0.01)", "nn.AdamOffload(P, 0.01, eps=1e-2)",
    "nn.LARS(nn.Momentum(P, 0.05, 0.9), epsilon=1e-2, coefficient=0.02)",
    "nn.Adam([{'params': P[::2], 'lr': 0.02, 'weight_decay': 0.01}, {'params': P[1::2]}], 0.01, eps=1e-2)",
    "nn.SGD([{'params': P[::2], 'grad_centralization': True}, {'params': P[1::2], 'lr': 0.1}], 0.05)",
    "experimental.SGD(P, lr=0.05, momentum=0.9)", "experimental.Adam(P, lr=0.01, eps=1e-2)", "experimental.AdamW(P, lr=0.01, eps=1e-2)",
    "experimental.Adagrad(P, lr=0.05, eps=1e-2)", "experimental.Adadelta(P, lr=0.5, eps=1e-2)", "experimental.Adamax(P, lr=0.01, eps=1e-2)",
    "experimental.NAdam(P, lr=0.01, eps=1e-2)", "experimental.RAdam(P, lr=0.01, eps=1e-2)", "experimental.RMSprop(P, lr=0.01, eps=1e-2)",
    "experimental.ASGD(P, lr=0.05)", "experimental.Rprop(P, lr=0.01)",
)  # fmt: skip
CASTS = (
    "N.to_float(ms.float16)", "N.to_float(ms.float16)", "N.to_float(ms.bfloat16)", "N.to_float(ms.float32)",
    "ms.amp.auto_mixed_precision(N, 'O0')", "ms.amp.auto_mixed_precision(N, 'O2')", "ms.amp.auto_mixed_precision(N, 'O3')",
    "ms.amp.auto_mixed_precision(N, 'O1')", "ms.amp.auto_mixed_precision(N, 'auto')", "ms.amp.auto_mixed_precision(N, 'O2', ms.bfloat16)",
)  # fmt: skip
# MindSpore's CPU build has no kernel for the last: there the modes of msjax are compared with each other
STEP_CELLS = (
    "nn.TrainOneStepCell(N, O, 0.5)", "nn.TrainOneStepCell(N, O, 2.0)", "Accumulating(N, O)", "Accumulating(N, O)",
    "nn.TrainOneStepWithLossScaleCell(N, O, nn.DynamicLossScaleUpdateCell(64, 2, 1))",
)  # fmt: skip


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        made = Layers(r, measured)
        for _ in range(r.choice((1, 2, 2, 3, 3, 4, 5, 6))):
            made.grow()
        loss, label = made.loss()
        sizes = r.choice(([2, 3, 2], [3, 5, 2], [4, 4, 3])) if made.any_batch() and r.random() < 0.25 else None
        return {
            "layers": made.lines,
            "input": made.input,
            "label": label,
            "loss": loss,
            "optimizer": r.choice(OPTIMIZERS),
            "cast": r.choice(CASTS) if r.random() < 0.15 else None,
            "train": r.random() < 0.7,
            "step": r.choice(STEP_CELLS) if r.random() < 0.3 else "nn.TrainOneStepCell(N, O)",
            "frozen": r.random() < 0.1,
            "sizes": sizes,
            "dynamic": bool(sizes) and r.random() < 0.5,
            "modes": ["pynative", "graph"] if r.random() < 0.12 else ["pynative"],
            "draws": DRAWS,
        }


class _Loss(nn.Cell):
    """(loss, result of the network)"""

    def __init__(self, net, loss, measure):
        super().__init__()
        self.net, self.measure, self.loss = net, measure, loss

    def construct(self, x, t):
        y = self.net(x)
        return self.measure(self.loss, y, t), y


class _Gradients(nn.Cell):
    """((loss, result), gradients)"""

    def __init__(self, net, position):
        super().__init__()
        self.net, self.weights = net, ms.ParameterTuple(net.trainable_params())
        self.gradient = ms.value_and_grad(net, position, self.weights if len(self.weights) else None, has_aux=True)

    def construct(self, x, t):
        return self.gradient(x, t)


class Accumulating(nn.Cell):
    """Gradients of two calls, then a step."""

    def __init__(self, network, optimizer):
        super().__init__(auto_prefix=False)
        self.network, self.optimizer, self.weights = network, optimizer, optimizer.parameters
        self.kept = self.weights.clone(prefix="kept", init="zeros")
        self.calls = ms.Parameter(Tensor(0, ms.int32), name="calls", requires_grad=False)
        self.gradient = ops.value_and_grad(network, None, self.weights)

    def construct(self, x, t):
        loss, grads = self.gradient(x, t)
        for kept, grad in zip(self.kept, grads):
            ops.assign_add(kept, grad.astype(kept.dtype) / 2)
        self.calls += 1
        if self.calls % 2 == 0:
            self.optimizer(self.kept)
            for kept in self.kept:
                ops.assign(kept, ops.zeros_like(kept))
        return loss


class _First(nn.Cell):
    """The loss alone."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x, t):
        return self.net(x, t)[0]


def values(name, dtype, shape, high=None, draw=0):
    """Numbers that depend on the name, the shape and the draw alone: normal ones, or integers below `high`."""
    r = np.random.RandomState(zlib.crc32(f"{name} {tuple(shape)}{f' {draw}' if draw else ''}".encode()))
    if high is not None:
        return r.randint(0, high, shape).astype(dtype)
    return np.asarray(r.randn(*shape), np.float32)


def faced(drawn, face):
    """Normal numbers as another kind of numbers."""
    if face == "halves":
        return np.round(drawn * 2) / 2
    if face == "equal":
        return np.full_like(drawn, drawn.flat[0] if drawn.size else 0)
    if face == "sparse":
        return np.where(np.abs(drawn) > 0.7, drawn, 0).astype(np.float32)
    return drawn * np.float32({"normal": 1, "small": 1e-3, "large": 30}[face])


def tensor(name, dtype, shape, high, nudge=0, draw=0):
    drawn = values(name, dtype if high is not None else "float32", shape, high, draw)
    if high is None and draw and name == "input":
        drawn = faced(drawn, FACES[zlib.crc32(f"{draw} {tuple(shape)}".encode()) % len(FACES)])
    return Tensor(drawn if high is not None else _nudged(drawn, nudge), getattr(ms, dtype))


def _nudged(drawn, nudge):
    """The numbers, every other one larger and smaller by a part of itself."""
    signs = 1 - 2.0 * (np.arange(drawn.size).reshape(drawn.shape) % 2)
    return np.asarray(drawn * (1 + nudge * signs), np.float32)


def fill(parameter, nudge, draw=0):
    """The Parameter gets its numbers; scales and variances are positive."""
    drawn = values(parameter.name, "float32", parameter.shape, draw=draw)
    last = parameter.name.rpartition(".")[2]
    if "variance" in last or "gamma" in last or parameter.name.endswith("norm.weight"):
        drawn = np.abs(drawn) + 0.5
    elif len(parameter.shape) > 1:
        drawn = drawn * min(1, 1.5 / np.sqrt(max(1, np.prod(parameter.shape[1:]))))
    put(parameter, _nudged(drawn, nudge))


def put(parameter, numbers):
    """The Parameter gets the numbers in its own memory: MindSpore's compiled optimizers go on with the memory that they know."""
    ops.assign(parameter, Tensor(numbers, parameter.dtype))


def source(case):
    """The text of a module with the class of the network and the loss, as users write it: MindSpore's `rewrite` (amp level O1) reads it."""
    cells = [f"self.c{i} = {text}" for i, (text, _) in enumerate(case["layers"]) if text]
    lines = [text.replace("CELL", f"self.c{i}") for i, (_, text) in enumerate(case["layers"])]
    made, body = (textwrap.indent("\n".join(part), " " * 8) for part in (cells, [*lines, "return x"]))
    return f"""{IMPORTS}{CLASSES}

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
{made}

    def construct(self, x):
{body}


def measure(loss, y, t):
    return {case["loss"][1]}
"""


def measured(cell, line, shape):
    """The shape that msjax gives for one layer; that of x where it refuses, since MindSpore may not."""
    import jax  # MindSpore's side draws nothing

    x = Tensor(values("input", "float32", shape))
    for run in (
        lambda net: jax.eval_shape(net, x),
        lambda net: net(x),
    ):  # the first is fast, but state cannot change in it
        with contextlib.suppress(Exception):
            net = module_of(source({"layers": [[cell, line]], "loss": ["", "y"]}), {}).Net()
            return tuple(run(net).shape)
    return shape


def build(case):
    """The Cell of (loss, result)."""
    module = module_of(source(case), {}, None if hasattr(ms, "explain") else FOLDER.name)
    net = module.Net()
    if case.get("frozen"):
        for parameter in net.trainable_params()[::3]:
            parameter.requires_grad = False
    if case["cast"]:
        net = eval(case["cast"], {**NAMES, "N": net}) or net
    loss = eval(case["loss"][0], dict(NAMES)) if case["loss"][0] else None
    return _Loss(net, loss, module.measure).set_train(case["train"])


def run(case):
    """{mode: [[[stage, result], ...] of each draw]} as plain data."""
    number = zlib.crc32(repr(case["layers"]).encode())
    return in_all_modes(case, _run, number, ("pynative", "graph") if number % 3 == 0 else ("pynative",))


def in_all_modes(case, run, number, modes=("pynative", "graph")):
    """What `run(case, mode)` gives in each mode of the case; msjax runs `modes`, and an eighth of all numbers in check mode, too."""
    found = {mode: run(case, mode) for mode in case["modes"]}
    if hasattr(ms, "explain"):  # msjax
        found |= {mode: run(case, mode) for mode in modes if mode not in found}
        if number % 8 == 0:
            ms.set_context(check_indices=True)
            found["check"] = run(case, "graph" if number % 16 else "pynative")
            ms.set_context(check_indices=False)
    return found


def _run(case, mode):
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
        ms.set_seed(1)
        try:
            form = _Form(case)
            for draw in case.get("numbers", range(case["draws"])):
                found.append([])
                for stage, result in form.stages(draw):
                    found[-1].append([stage, plain(result)])
        except Exception as error:
            settle()
            kind = next(t for t in type(error).__mro__ if t.__module__ == "builtins")
            found = found or [[]]
            found[-1].append(["raise", ["!", kind.__name__, str(error)[:300]]])
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
    return found


def _of_size(described, draw, case):
    """[dtype, shape, bound] of the input or the label of a draw, with its size of the batch."""
    dtype, (_, *rest), high = described
    return (dtype, [case["sizes"][draw % len(case["sizes"])], *rest], high) if case.get("sizes") else described


def _of_any_size(case):
    """The Tensors for `set_inputs`."""
    return [Tensor(shape=[None, *case[part][1][1:]], dtype=getattr(ms, case[part][0])) for part in ("input", "label")]


class _Form:
    """The network of a case with its gradient and its optimizer, built once; `stages(draw)` runs it with the numbers of a draw."""

    def __init__(self, case):
        self.case, self.nudge = case, case.get("nudge", 0)
        self.whole = build(case)
        self.trainable = self.whole.trainable_params()
        self.real = "float" in case["input"][0]
        self.gradients = _Gradients(self.whole, 0 if self.real else None) if self.real or self.trainable else None
        self.step = None
        for cell in (self.whole, self.gradients):
            if case.get("dynamic") and cell is not None:
                cell.set_inputs(*_of_any_size(case))

    def fill(self, draw):
        """The weights of the draw, and the moving statistics as they were."""
        for parameter in self.whole.get_parameters():
            fill(parameter, self.nudge, draw)

    def stages(self, draw):
        """(stage, result), one after the other."""
        case = self.case
        given, label = (_of_size(case[part], draw, case) for part in ("input", "label"))
        x, t = tensor("input", *given, self.nudge, draw), tensor("label", *label, draw=draw)
        whole, trainable = self.whole, self.trainable
        self.fill(draw)
        yield "names", "; ".join(f"{p.name} {p.dtype} {p.shape}" for p in whole.get_parameters())
        if self.gradients is None:
            yield "result", whole(x, t)
            return
        both = self.real and trainable
        (loss, y), grads = self.gradients(x, t)
        yield "loss", loss
        yield "result", y
        if self.real:
            yield "gradient of the input", grads[0] if both else grads
        if not trainable:
            return
        yield "gradients of Parameters", list(grads[1] if both else grads)
        self.fill(draw)
        yield "losses of steps", self.steps(x, t)
        yield "Parameters", [p.value() for p in whole.get_parameters()]

    def steps(self, x, t):
        """The losses of some steps of the optimizer, which starts from its first state."""
        case = self.case
        if self.step is None:
            optimizer = eval(case["optimizer"], {**NAMES, "P": list(self.trainable)})
            first = _First(self.whole)
            if case["optimizer"].startswith("nn."):
                names = {**NAMES, "Accumulating": Accumulating, "N": first, "O": optimizer}
                self.step = eval(case.get("step", "nn.TrainOneStepCell(N, O)"), names).set_train(case["train"])
                if case.get("dynamic"):
                    self.step.set_inputs(*_of_any_size(case))
            else:
                gradient = ms.value_and_grad(first, None, optimizer.parameters)

                def step(x, t):
                    loss, grads = gradient(x, t)
                    optimizer(grads)
                    return loss

                self.step = step
            weights = {id(p) for p in self.whole.get_parameters()}
            owners = [optimizer, self.step] if isinstance(self.step, nn.Cell) else [optimizer]
            state = {id(p): p for owner in owners for p in _parameters_of(owner) if id(p) not in weights}
            self.state = [(p, p.asnumpy().copy()) for p in state.values()]
        else:
            for parameter, start in self.state:
                put(parameter, start)
        return [self.step(x, t) for _ in range(STEPS)]


def _parameters_of(optimizer):
    """Its Parameters, and those in plain lists, which are not its own for MindSpore (`mu_product` of NAdam)."""
    lists = [value for value in vars(optimizer).values() if isinstance(value, list)]
    return [*optimizer.get_parameters(), *(v for listed in lists for v in listed if isinstance(v, ms.Parameter))]


def plain(value):
    """A result as plain data: Tensors as [dtype, shape, bytes of float64 or integers]."""
    if isinstance(value, (tuple, list)):
        return ["list", [plain(v) for v in value]]
    if isinstance(value, Tensor):
        whole = value.astype(ms.float32).asnumpy() if "Float" in str(value.dtype) else value.asnumpy()
        return [str(value.dtype), list(value.shape), whole.reshape(-1).tolist()]
    return [type(value).__name__, str(value)]


def _bound(kind, stage):
    """The relative bound of a dtype; what went through a gradient and steps has more rounding behind it."""
    bound = {"Float16": 2e-2, "BFloat16": 1e-1, "Float32": 3e-4, "Float64": 3e-4}.get(kind, 0)
    return bound if stage in ("loss", "result") else 5 * bound


def _compare(a, b, stage, scale, low):
    """What two results of one stage are to each other: "equal", "type", "shape" or "value"."""
    if a[0] in ("list", "str") or b[0] in ("list", "str"):
        if a[0] != b[0] or len(a[1]) != len(b[1]):
            return "type"
        if a[0] == "str":
            return "equal" if a[1] == b[1] else "type"
        return next(
            (v for v in (_compare(x, y, stage, scale, low) for x, y in zip(a[1], b[1])) if v != "equal"), "equal"
        )
    if a[0] != b[0] or len(a) != len(b):
        return "type"
    if len(a) == 2:  # neither Tensor nor text
        return "equal" if a[1] == b[1] else "value"
    if a[1] != b[1]:
        return "shape"
    x, y = np.asarray(a[2], np.float64), np.asarray(b[2], np.float64)
    finite = np.isfinite(x) & np.isfinite(y)
    if not np.array_equal(x[~finite], y[~finite], equal_nan=True):
        return "value"
    bound = max(_bound(a[0], stage), low)
    size = max(np.abs(x[finite]).max(initial=0), scale)
    return "equal" if np.abs(x - y)[finite].max(initial=0) <= bound * size else "value"


def _largest(value):
    """The largest finite magnitude among the numbers of a result."""
    if value[0] == "list":
        return max(map(_largest, value[1]), default=0)
    numbers = np.asarray(value[2], np.float64) if len(value) > 2 else np.zeros(0)
    return np.abs(numbers[np.isfinite(numbers)]).max(initial=0)


def compare(a, b, low):
    """(verdict, stage) of two lists of stages, up to the first that differs; low: the relative bound that low precision leaves."""
    return first_difference(a, b, low)[:2]


def first_difference(a, b, low):
    """(verdict, stage, number of the stage) as in `compare`."""
    for number, ((stage, x), (other, y)) in enumerate(zip(a, b)):
        if "raise" in (stage, other):
            if stage == other:
                named = (x[1], y[1]) == ("AttributeError", "TypeError")  # a layer says what it was given
                return ("raise" if x[1] == y[1] or named else "raises other"), stage, number
            return ("beyond" if stage == "raise" else "refused"), other if stage == "raise" else stage, number
        scale = max(1e-2, 0.05 * _largest(x)) if "gradients" in stage else 1e-2
        verdict = _compare(x, y, stage, scale, 5 * low if stage not in ("loss", "result") else low)
        if verdict != "equal":
            return verdict, stage, number
    return "equal", "", 0


def again(case):
    """The case as it is asked when it differs: MindSpore's modes may differ, too."""
    return {**case, "modes": ["pynative", "graph"]}


def _low(case):
    """The relative bound that the low precision inside of a network leaves."""
    low = 0 if case["cast"] is None or "O0" in case["cast"] else 1e-1 if "bfloat16" in case["cast"] else 2e-2
    texts = " ".join(cell + line for cell, line in case["layers"])
    return max(low, 1e-1 if "bfloat16" in texts else 2e-2 if "to_float" in texts else 1e-2 if "float16" in texts else 0)


def _lacks(found):
    """Whether MindSpore's build has no kernel for something in the network."""
    return found and found[-1][0] == "raise" and any(word in found[-1][1][2] for word in LACKS)


def judge(case, theirs, ours, same):
    """The worst of all comparisons, with the modes and the stage that it is about."""
    if isinstance(ours, list):  # it died
        return judge_modes(theirs, ours, 0, None)
    verdicts = []
    for draw in range(max(map(len, ours.values()))):

        def nudged(draw=draw):
            return _run({**case, "nudge": NUDGE, "numbers": [draw]}, "pynative")[0]

        sides = [
            side
            if isinstance(side, list)  # it died
            else {m: found[draw] for m, found in side.items() if draw < len(found)}
            for side in (theirs, ours)
        ]
        verdicts.append(judge_modes(*sides, _low(case), nudged))
    verdict = worst(verdicts)
    if "value" in verdict and " and " not in verdict and any("Mish" in cell for cell, _ in case["layers"]):
        verdict = "theirs" if _is_nan_alone(theirs, ours) else verdict  # its kernel is NaN from 45 on
    no_elements = 0 in case["input"][1] and "value" in verdict and " and " not in verdict
    return "theirs" if no_elements else verdict  # its reductions of empty Tensors read other memory


def _is_nan_alone(theirs, ours):
    """Whether a loss of MindSpore is NaN, and that of msjax is not."""
    losses = zip(theirs["pynative"], ours["pynative"])
    return any(
        a[1][0] == b[1][0] == "loss" and _has_nan([a[1]]) and not _has_nan([b[1]])
        for a, b in losses
        if len(a) > 1 < len(b)
    )


def worst(verdicts):
    """The one that needs a look most."""
    return max(verdicts, key=lambda v: (v not in ALLOWED, ALLOWED.index(v) if v in ALLOWED else 0), default="equal")


def judge_modes(theirs, ours, low, nudged, pairs=PAIRS):
    """The worst of all comparisons of modes, of msjax's own and with MindSpore's.

    nudged: gives the results of msjax for numbers that are changed in their seventh digit. pairs: its modes that must agree.
    """

    def is_steep(found):
        return compare(found, nudged(), low)[0] == "value"

    if isinstance(ours, list):  # our side died
        return "equal" if theirs == ours else "refused: died"
    verdicts = []
    for a, b in pairs:
        if a in ours and b in ours:
            verdict, stage, number = first_difference(ours[a], ours[b], low)
            seen = number + 1  # stages up to the difference
            if not isinstance(theirs, list) and all(
                len(theirs.get(m, ())) >= seen
                and compare(theirs[m][:seen], ours[m][:seen], low)[0] in ("equal", "raise")
                for m in (a, b)
            ):
                verdict = "equal"  # MindSpore's modes differ as these do
            if b == "check" and verdict == "refused" and _has_nan(ours[a]):
                verdict = "equal"  # check mode raises at the first NaN
            if verdict not in ALLOWED and not (verdict == "value" and is_steep(ours[a])):
                verdicts.append(f"{a} and {b}: {verdict}, {stage}")
    if isinstance(theirs, list):
        return verdicts[0] if verdicts else "beyond"
    for mode, found in theirs.items():
        if mode not in ours:  # one of the modes has raised at an earlier draw, which was judged
            continue
        verdict, stage, number = first_difference(found, ours[mode], low)
        if verdict not in ("equal", "raise") and _lacks(found):
            verdict = "lacks"
        other = theirs.get("pynative" if mode == "graph" else "graph")
        seen = number + 1  # stages up to the difference
        if (
            verdict not in ALLOWED
            and other
            and len(other) >= seen
            and compare(other[:seen], ours[mode][:seen], low)[0] in ("equal", "raise")
        ):
            verdict = "theirs"  # MindSpore's modes differ, and msjax gives what one of them gives
        if verdict == "value" and is_steep(ours[mode]):
            verdict = "steep"
        verdicts.append(verdict if verdict in ALLOWED else f"{mode} {verdict}, {stage}")
    return worst(verdicts)


def _has_nan(found):
    return any("nan" in str(result) or "inf" in str(result) for _, result in found)
