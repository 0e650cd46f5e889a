"""Data parallel over processes: weak scaling of a train step, against hand-written JAX in the same processes and turns.

    python benchmarks/distributed.py [--workers 1 2] [--steps 30] [--mindspore PYTHON]

Each process has a batch of 64. The hand-written step is `jax.jit` over a mesh of all processes: parameters replicated, the batch
split, donated, Momentum. Both take turns of ten steps; printed are the medians, the CPU time a step of the first process, their ratios,
and what the collectives of both compiled steps move, which no load of the machine changes. With `--mindspore` the same program
runs under MindSpore's own msrun beside it. `--bytes` prints, for eight devices of one process, what the collectives of a compiled
step move in each mode, read from the HLO.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import time

import numpy as np

BATCH, WIDTH, LAYERS = 64, 512, 4


def weights(seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(WIDTH, WIDTH)).astype(np.float32) * WIDTH**-0.5 for _ in range(LAYERS)]


def batch(rank):
    rng = np.random.default_rng(rank + 1)
    return [rng.normal(size=(BATCH, WIDTH)).astype(np.float32) for _ in range(2)]


def framework_step(size):
    """A step of the program as its user writes it; runs under MindSpore too. Returns a function that makes one step."""
    import mindspore as ms
    from mindspore import Parameter, Tensor, nn, ops

    ms.set_context(mode=ms.GRAPH_MODE)
    if size > 1:
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, device_num=size)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.ParameterTuple([Parameter(Tensor(w), name=f"w{i}") for i, w in enumerate(weights())])
            self.product, self.relu = ops.MatMul(), ops.ReLU()

        def construct(self, x):
            for w in self.w:
                x = self.relu(self.product(x, w))
            return x

    net = Net()
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    step.set_train()
    from mindspore.communication import get_rank

    x, y = (Tensor(v) for v in batch(get_rank() if size > 1 else 0))

    def program():
        entry = step.entry_for(x, y)
        state = [[box._raw for box in boxes] for boxes in (entry.state.written, entry.state.read)]
        return entry.program.run.lower(*state, [x._data, y._data]).compile().as_text()

    def run():
        return step(x, y).asnumpy()

    run.program = program
    return run


def jax_step(size):
    """The same in JAX by hand, over a mesh of all processes."""
    import jax
    import jax.numpy as jnp
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    mesh = Mesh(np.array(sorted(jax.devices(), key=lambda d: d.process_index)), ("data",))
    split, whole = (NamedSharding(mesh, spec) for spec in (PartitionSpec("data"), PartitionSpec()))

    def loss(w, x, y):
        for one in w:
            x = jax.nn.relu(x @ one)
        return ((x - y) ** 2).mean()

    def step(w, m, x, y):
        value, gradients = jax.value_and_grad(loss)(w, x, y)
        m = [0.9 * a + g for a, g in zip(m, gradients)]
        return value, [a - 0.01 * b for a, b in zip(w, m)], m

    step = jax.jit(step, donate_argnums=(0, 1), out_shardings=whole)
    w = [jax.make_array_from_process_local_data(whole, v) for v in weights()]
    state = [w, [jax.make_array_from_process_local_data(whole, np.zeros_like(v)) for v in weights()]]
    x, y = (jax.make_array_from_process_local_data(split, v) for v in batch(jax.process_index()))
    jnp.zeros(()).block_until_ready()

    def run():
        value, *state[:] = step(*state, x, y)
        return np.asarray(value.addressable_data(0))

    run.program = lambda: step.lower(*state, x, y).compile().as_text()
    return run


def work(steps):
    """In one of the processes: the contenders in turns."""
    from mindspore.communication import get_group_size, get_rank, init

    init()
    rank, size = get_rank(), get_group_size()
    import mindspore

    contenders = {"this": framework_step(size)}
    if hasattr(mindspore, "install"):  # msjax
        contenders["jax"] = jax_step(size)
    times, cpu = ({name: [] for name in contenders} for _ in range(2))
    for step in contenders.values():
        for _ in range(3):
            last = step()
    for _ in range(max(1, steps // 10)):
        for name, step in contenders.items():
            for _ in range(10):
                started, used = time.perf_counter(), time.process_time()
                last = step()
                times[name].append(time.perf_counter() - started)
                cpu[name].append(time.process_time() - used)
    programs = {name: step.program() for name, step in contenders.items()} if "jax" in contenders else {}
    if rank == 0:
        wall, used = ({n: statistics.median(t) * 1e3 for n, t in found.items()} for found in (times, cpu))
        ratio = f"; {wall['this'] / wall['jax']:.3f} x, CPU {used['this'] / used['jax']:.3f} x" if programs else ""
        told = ", ".join(f"{n} {wall[n]:.2f} ms (CPU {used[n]:.2f})" for n in contenders)
        moved = "".join(f"; {name}: {_told(traffic(text))}" for name, text in programs.items())
        print(f"RESULT {size} processes: {told}{ratio}{moved}", flush=True)
    return last


SIZES = {"f32": 4, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f64": 8, "pred": 1, "s64": 8, "u64": 8, "s8": 1, "u8": 1}
COLLECTIVE = re.compile(r"= (.*?) (all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)(?:-start)?\(")


def traffic(text):
    """{collective: (how many, bytes of the results)} in an HLO text."""
    found = {}
    for shapes, kind in COLLECTIVE.findall(text):
        size = 0
        for dtype, shape in re.findall(r"(\w+)\[([\d,]*)\]", shapes):
            size += SIZES.get(dtype, 4) * int(np.prod([int(n) for n in shape.split(",") if n] or [1]))
        count, total = found.get(kind, (0, 0))
        found[kind] = (count + 1, total + size)
    return found


def _told(found):
    """What `traffic` has found, in words."""
    return ", ".join(f"{n} {kind} of {size / 1e6:.2f} MB" for kind, (n, size) in found.items()) or "no collective"


def count_bytes():
    """The collectives of a compiled step on eight devices, by mode."""
    import msjax
    from msjax import Parameter, Tensor, nn, ops

    msjax.set_context(mode=msjax.GRAPH_MODE)
    msjax.set_devices("all")
    zero = {"enable_parallel_optimizer": True}
    modes = {
        "data": (None, {}),
        "ZeRO-1": (None, zero | {"parallel_optimizer_config": {"optimizer_level": "level1"}}),
        "ZeRO-3": (None, zero | {"parallel_optimizer_config": {"optimizer_level": "level3"}}),
        "model 8": ((1, 8), {}),
        "data 2 x model 4": ((2, 4), {}),
    }
    for name, (strategy, settings) in modes.items():
        msjax.reset_auto_parallel_context()
        msjax.set_auto_parallel_context(**settings)

        class Net(nn.Cell):
            def __init__(self, strategy=strategy):
                super().__init__()
                self.w = msjax.ParameterTuple([Parameter(Tensor(w), name=f"w{i}") for i, w in enumerate(weights())])
                self.products, self.relu = [ops.MatMul() for _ in self.w], ops.ReLU()
                for i, product in enumerate(self.products if strategy else ()):
                    data, model = strategy
                    product.shard(((data, model), (model, 1)) if i % 2 else ((data, 1), (1, model)))

            def construct(self, x):
                for product, w in zip(self.products, self.w):
                    x = self.relu(product(x, w))
                return x

        net = Net()
        step = nn.TrainOneStepCell(
            nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.01)
        ).set_train()
        x, y = (Tensor(v) for v in batch(0))
        step(x, y)
        step(x, y)
        entry = step.entry_for(x, y)
        state = [[box._raw for box in boxes] for boxes in (entry.state.written, entry.state.read)]
        compiled = entry.program.run.lower(*state, [x._data, y._data]).compile()
        memory = compiled.memory_analysis()
        # XLA's own peak leaves out what it holds for a while on the CPU: all that it allocates for one step
        most = (
            memory.argument_size_in_bytes
            + memory.temp_size_in_bytes
            + memory.output_size_in_bytes
            - memory.alias_size_in_bytes
        )
        moved = _told(traffic(compiled.as_text()))
        print(
            f"{name:18} state {memory.argument_size_in_bytes / 1e6:6.2f} MB a device, with temporaries {most / 1e6:6.2f} MB; {moved}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--mindspore", help="a Python in which MindSpore is installed")
    parser.add_argument("--bytes", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        work(options.steps)
        return
    environment = {**os.environ, "JAX_PLATFORMS": os.environ.get("JAX_PLATFORMS", "cpu")}
    if options.bytes:
        if "host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
            environment["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=8"
            sys.exit(subprocess.run([sys.executable, *sys.argv], env=environment).returncode)
        count_bytes()
        return
    own = [os.path.abspath(__file__), "--inside", "--steps", str(options.steps)]
    for count in options.workers:
        words = ["run", f"--worker-num={count}", "--join", "--master-port=0", "--log-dir=/tmp/msjax_benchmark"]
        _show("msjax", [sys.executable, "-m", "msjax", *words, *own], environment)
        if options.mindspore:
            msrun = os.path.join(os.path.dirname(options.mindspore), "msrun")
            told = [
                f"--worker_num={count}",
                f"--local_worker_num={count}",
                "--join=True",
                "--log_dir=/tmp/mindspore_benchmark",
            ]
            path = (
                f"{os.path.dirname(options.mindspore)}{os.pathsep}{os.environ.get('PATH', '')}"  # msrun starts `python`
            )
            _show("MindSpore", [msrun, *told, *own], dict(os.environ, PYTHONPATH="", PATH=path))


def _show(name, command, environment):
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if "RESULT" in line]
    print(
        name,
        lines[-1] if lines else f"does not run: {(done.stdout + done.stderr).strip().splitlines()[-1:]}",
        flush=True,
    )


if __name__ == "__main__":
    main()
