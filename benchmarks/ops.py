"""Forward and backward of the operators that matter: msjax against plain lax / hand-written JAX, torch and MindSpore.

    python benchmarks/ops.py [--torch-python PYTHON] [--mindspore-python PYTHON] [--only conv1x1,lstm] [--bursts 15]

Each operator runs compiled on float32; "forward" is the operator, "backward" its gradients with respect to all float inputs with the
forward they need ("adam" is the update of 10 M parameters). Every contender has a process of its own, which serves all operators, and they
run in turn. The columns: milliseconds a call (the median burst) and, in brackets, msjax's time as a part of theirs (the median over pairs
of neighbouring bursts; below 1 msjax is faster); last the same against plain JAX in CPU time, which a busy machine moves less. An
operator counts as slower than plain JAX where both ratios say so, as the median over five starts: where the arrays of a process lie in
memory makes 20 % of a difference, so what is slower in the first round is measured again in new processes. On a busy machine torch's and
MindSpore's threads wait for each other actively: trust their columns on a quiet one only.
"""

import importlib.util
import pathlib
import statistics
import sys
import tempfile
from typing import NamedTuple

import numpy as np
import optimizers
from contenders import in_turn, mindspore_of, options, ratio, worker_loop


class Ints(NamedTuple):
    """An input of integers below a bound."""

    bound: int
    shape: tuple


class Case(NamedTuple):
    """inputs: shapes, or Ints. jax, torch: functions of (module, inputs); mindspore: an expression of x0, x1, ...; key: jax gets a PRNG key, too."""

    inputs: tuple
    jax: object
    mindspore: str
    torch: object
    key: bool = False


def _conv(x, w, stride=1, groups=1):
    def with_jax(j, x, w):
        return j.lax.conv_general_dilated(
            x, w, (stride, stride), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW"), feature_group_count=groups
        )

    def with_torch(t, x, w):
        return t.nn.functional.conv2d(x, w, None, stride, w.shape[2] // 2, 1, groups)

    return Case((x, w), with_jax, f"ops.conv2d(x0, x1, None, {stride}, 'same', 0, 1, {groups})", with_torch)


def _pool(shape, kernel, mode, stride, kind):
    def with_jax(j, x):
        window, strides = (1, 1, kernel, kernel), (1, 1, stride, stride)
        if kind == "Max":
            return j.lax.reduce_window(x, -j.numpy.inf, j.lax.max, window, strides, mode.upper())
        return j.lax.reduce_window(x, 0.0, j.lax.add, window, strides, mode.upper()) / kernel**2

    def with_torch(t, x):
        pool = t.nn.functional.max_pool2d if kind == "Max" else t.nn.functional.avg_pool2d
        return pool(x, kernel, stride, kernel // 2 if mode == "same" else 0)

    return Case((shape,), with_jax, f"ops.{kind}Pool({kernel}, {stride}, '{mode}')(x0)", with_torch)


def _batch_norm(j, x, g, b):
    mean, var = x.mean((0, 2, 3), keepdims=True), x.var((0, 2, 3), keepdims=True)
    return (x - mean) * j.lax.rsqrt(var + 1e-5) * g[:, None, None] + b[:, None, None]


def _layer_norm(j, x, g, b):
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * j.lax.rsqrt(var + 1e-5) * g + b


def _cross_entropy(j, x, y):
    return -j.numpy.take_along_axis(j.nn.log_softmax(x), y[:, None], 1).mean()


def _lstm(j, x, w, r, b):
    """A scan, as one writes it."""

    def step(state, x):
        h, c = state
        i, f, g, o = j.numpy.split(x @ w.T + h @ r.T + b, 4, 1)
        c = j.nn.sigmoid(f) * c + j.nn.sigmoid(i) * j.numpy.tanh(g)
        h = j.nn.sigmoid(o) * j.numpy.tanh(c)
        return (h, c), h

    zero = j.numpy.zeros((x.shape[1], r.shape[1]))
    return j.lax.scan(step, (zero, zero), x)[1]


_ZERO = "ops.zeros((1, 32, 256), ms.float32)"
_MINDSPORE_LSTM = (
    f"ops.LSTM(256, 256, 1, True, False, 0.0)(x0, {_ZERO}, {_ZERO}, ops.concat((x1.reshape(-1, 1, 1), x2.reshape(-1, "
    "1, 1), x3.reshape(-1, 1, 1))))[0]"
)


def _torch_lstm(t, x, w, r, b):
    zero = t.zeros(1, 32, 256)
    return t._VF.lstm(x, (zero, zero), (w, r, b, t.zeros_like(b)), True, 1, 0.0, False, False, False)[0]


def _dropout(j, x, key):
    return j.numpy.where(j.random.bernoulli(key, 0.9, x.shape), x / 0.9, 0)


CASES = {
    "conv1x1": _conv((8, 64, 32, 32), (256, 64, 1, 1)),
    "conv3x3_64": _conv((8, 64, 32, 32), (64, 64, 3, 3)),
    "conv3x3_256": _conv((8, 256, 8, 8), (256, 256, 3, 3)),
    "conv3x3_s2": _conv((8, 64, 32, 32), (128, 64, 3, 3), 2),
    "conv5x5_1_6": _conv((32, 1, 32, 32), (6, 1, 5, 5)),
    "conv5x5_6_16": _conv((32, 6, 14, 14), (16, 6, 5, 5)),
    "conv5x5_s2": _conv((8, 32, 32, 32), (64, 32, 5, 5), 2),
    "conv7x7_s2": _conv((1, 3, 224, 224), (64, 3, 7, 7), 2),
    "depthwise_s1": _conv((8, 64, 32, 32), (64, 1, 3, 3), 1, 64),
    "depthwise_s2": _conv((8, 64, 32, 32), (64, 1, 3, 3), 2, 64),
    "grouped_8": _conv((8, 64, 32, 32), (64, 8, 3, 3), 1, 8),
    "maxpool_2x2": _pool((8, 64, 32, 32), 2, "valid", 2, "Max"),
    "maxpool_3x3_s2": _pool((8, 64, 32, 32), 3, "same", 2, "Max"),
    "avgpool_2x2": _pool((8, 64, 32, 32), 2, "valid", 2, "Avg"),
    "batchnorm": Case(
        ((8, 64, 32, 32), (64,), (64,)),
        _batch_norm,
        "ops.BatchNorm(True)(x0, x1, x2, ops.zeros_like(x1), ops.ones_like(x1))[0]",
        lambda t, x, g, b: t.nn.functional.batch_norm(x, None, None, g, b, True),
    ),
    "matmul_512": Case(((512, 512), (512, 512)), lambda j, a, b: a @ b, "ops.MatMul()(x0, x1)", lambda t, a, b: a @ b),
    "dense": Case(
        ((64, 784), (512, 784), (512,)),
        lambda j, x, w, b: x @ w.T + b,
        "ops.dense(x0, x1, x2)",
        lambda t, x, w, b: t.nn.functional.linear(x, w, b),
    ),
    "layernorm": Case(
        ((1024, 768), (768,), (768,)),
        _layer_norm,
        "ops.LayerNorm(-1, -1, 1e-5)(x0, x1, x2)[0]",
        lambda t, x, g, b: t.nn.functional.layer_norm(x, (768,), g, b),
    ),
    "softmax": Case(
        ((8, 4, 128, 128),), lambda j, x: j.nn.softmax(x), "ops.Softmax()(x0)", lambda t, x: t.softmax(x, -1)
    ),
    "cross_entropy": Case(
        ((1024, 2000), Ints(2000, (1024,))),
        _cross_entropy,
        "ops.cross_entropy(x0, x1)",
        lambda t, x, y: t.nn.functional.cross_entropy(x, y),
    ),
    "gelu": Case(
        ((1024, 3072),),
        lambda j, x: j.nn.gelu(x, approximate=False),
        "ops.gelu(x0)",
        lambda t, x: t.nn.functional.gelu(x),
    ),
    "embedding": Case(
        ((20000, 256), Ints(20000, (1024,))),
        lambda j, w, i: w[i],
        "ops.Gather()(x0, x1, 0)",
        lambda t, w, i: t.nn.functional.embedding(i, w),
    ),
    "lstm": Case(((64, 32, 256), (1024, 256), (1024, 256), (1024,)), _lstm, _MINDSPORE_LSTM, _torch_lstm),
    "dropout": Case(
        ((1024, 1024),), _dropout, "ops.Dropout(0.9)(x0)[0]", lambda t, x: t.nn.functional.dropout(x, 0.1), True
    ),
}
OPERATORS = (*CASES, "adam")
LIMIT, ROUNDS_AGAIN = 1.05, 4


def arrays(case):
    """The inputs as NumPy arrays."""
    rng = np.random.RandomState(0)
    return [
        rng.randint(0, i.bound, i.shape).astype(np.int32)
        if isinstance(i, Ints)
        else (rng.randn(*i) * 0.1).astype(np.float32)
        for i in case.inputs
    ]


def jax_step(case, backward):
    import jax

    inputs = [jax.numpy.asarray(a) for a in arrays(case)]
    if case.key:
        inputs.append(jax.random.key(0))
    floats = [i for i, a in enumerate(inputs) if a.dtype == np.float32]

    def forward(*inputs):
        return case.jax(jax, *inputs)

    def gradients(*inputs):
        *inputs, sens = inputs

        def of_floats(*values):
            full = list(inputs)
            for i, v in zip(floats, values):
                full[i] = v
            return forward(*full)

        return jax.vjp(of_floats, *(inputs[i] for i in floats))[1](sens)

    if backward:
        shape = jax.eval_shape(forward, *inputs)
        inputs.append(
            jax.numpy.ones(shape.shape, shape.dtype)
        )  # last, as for MindSpore: XLA schedules by the order of the arguments
    compiled = jax.jit(gradients if backward else forward)

    def step(wait):
        out = compiled(*inputs)
        if wait:
            jax.block_until_ready(out)

    return step


_CELLS = """import mindspore as ms
from mindspore import nn, ops


class Net(nn.Cell):
    def construct(self, {names}):
        return {expression}


class Gradients(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net, self.grad = net, ops.GradOperation(get_all=True, sens_param=True)

    def construct(self, {names}, sens):
        return self.grad(self.net)({names}, sens)
"""


_folder = tempfile.TemporaryDirectory()  # lives as long as the process


def cells(case):
    """The module with the operator's Cells, from a file: MindSpore's compiler reads the source."""
    path = pathlib.Path(_folder.name) / "benchmark_cells.py"
    path.write_text(_CELLS.format(names=", ".join(f"x{i}" for i in range(len(case.inputs))), expression=case.mindspore))
    spec = importlib.util.spec_from_file_location("benchmark_cells", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["benchmark_cells"] = module
    spec.loader.exec_module(module)
    return module


def mindspore_step(case, backward, worker):
    """The operator in a Cell of GRAPH_MODE, with `mindspore` real or ours."""
    ms = mindspore_of(worker)
    from mindspore import ops

    ms.set_context(mode=ms.GRAPH_MODE)
    module = cells(case)
    inputs = [ms.Tensor(a) for a in arrays(case)]
    net = module.Net()
    if backward:
        inputs.append(ops.ones_like(net(*inputs)))
        net = module.Gradients(net)

    def step(wait):
        out = net(*inputs)
        if (
            wait and worker == "msjax"
        ):  # MindSpore has finished when it returns: reading a large output would only add a copy
            import jax

            jax.block_until_ready(out)

    return step


def torch_step(case, backward):
    import torch

    torch.set_num_threads(2)
    inputs = [torch.from_numpy(a) for a in arrays(case)]
    inputs = [x.long() if x.dtype == torch.int32 else x.requires_grad_(backward) for x in inputs]
    floats = [x for x in inputs if x.is_floating_point()]

    def step(wait):
        out = case.torch(torch, *inputs)
        if backward:
            torch.autograd.grad(out, floats, torch.ones_like(out))

    return step


def torch_adam():
    import torch

    torch.set_num_threads(2)
    parameters = [torch.nn.Parameter(torch.from_numpy(a)) for a in optimizers.arrays(0)]
    for parameter, gradient in zip(parameters, optimizers.arrays(1)):
        parameter.grad = torch.from_numpy(gradient)
    optimizer = torch.optim.Adam(parameters, 1e-3, fused=True)
    return lambda wait: optimizer.step()


def build(worker, workload):
    name, direction = workload.split(":")
    if name == "adam":
        if worker == "jax":
            return optimizers.optax_step(name)
        return torch_adam() if worker == "torch" else optimizers.mindspore_step(name, worker)
    case, backward = CASES[name], direction == "backward"
    if worker == "jax":
        return jax_step(case, backward)
    return torch_step(case, backward) if worker == "torch" else mindspore_step(case, backward, worker)


def directions(name):
    return ("update",) if name == "adam" else ("forward", "backward")


def against(measured):
    """msjax's (wall, CPU) time as a part of JAX's."""
    ours, jax = measured["msjax"], measured["jax"]
    return ratio(ours.walls, jax.walls), ratio(ours.cpus, jax.cpus)


def report(rows, rivals):
    """Print a line for each row of `in_turn`; returns {workload: msjax's (wall, CPU) time as a part of JAX's}."""
    print(
        f"{'':24s}{'msjax ms':>10s}" + "".join(f"{name:>18s}" for name in rivals) + f"{'CPU, of jax':>13s}", flush=True
    )
    against_jax = {}
    for workload, measured, failed in rows:
        ours = measured.get("msjax")
        line = f"{workload:24s}" + (f"{1000 * ours.wall:10.3f}" if ours else f"{'fails':>10s}")
        for name in rivals:
            rival = measured.get(name)
            share = f"({ratio(ours.walls, rival.walls):.2f})" if ours and rival else ""
            line += f"{1000 * rival.wall:10.3f} {share:7s}" if rival else f"{'fails':>10s}{'':8s}"
        if ours and "jax" in measured:
            against_jax[workload] = against(measured)
            line += f"{against_jax[workload][1]:13.2f}"
        print(line, flush=True)
        for name, reason in failed.items():
            print(f"    {name}: {reason}")
    return against_jax


if __name__ == "__main__":
    parser = options(__doc__, OPERATORS)
    parser.add_argument(
        "--torch-python",
        metavar="PYTHON",
        default=sys.executable if importlib.util.find_spec("torch") else None,
        help="a Python in which torch is installed (this one, if it has it): measure it too",
    )
    parser.add_argument("--seconds", type=float, default=0.04, help="about how long a burst takes")
    parser.set_defaults(bursts=15)
    args = parser.parse_args()
    if args.worker:
        worker_loop(lambda: build(args.worker, args.workload), lambda workload: build(args.worker, workload))
    else:
        contenders = [("msjax", sys.executable), ("jax", sys.executable)]
        contenders += [("torch", args.torch_python)] if args.torch_python else []
        contenders += [("MindSpore", args.mindspore_python)] if args.mindspore_python else []
        workloads = [
            f"{name}:{direction}"
            for name in (args.only.split(",") if args.only else OPERATORS)
            for direction in directions(name)
        ]
        shares = report(
            in_turn(__file__, workloads, contenders, args.bursts, args.seconds), [name for name, _ in contenders[1:]]
        )
        shares = {workload: [share] for workload, share in shares.items()}
        for _ in range(ROUNDS_AGAIN):
            rows = in_turn(
                __file__,
                [w for w, of_rounds in shares.items() if min(of_rounds[0]) > LIMIT],
                contenders[:2],
                args.bursts,
                args.seconds,
            )
            for workload, measured, _ in rows:
                shares[workload].append(against(measured))
        medians = {workload: tuple(map(statistics.median, zip(*of_rounds))) for workload, of_rounds in shares.items()}
        slower = [
            f"{workload} {wall:.2f} (CPU {cpu:.2f})"
            for workload, (wall, cpu) in medians.items()
            if min(wall, cpu) > LIMIT
        ]
        print(f"slower than {LIMIT} x plain JAX: {', '.join(slower) or 'none'} of {len(shares)}")
