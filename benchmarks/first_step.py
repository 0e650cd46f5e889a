"""The first step of training: what it costs, cold and with programs kept from an earlier start, and where that goes.

    python benchmarks/first_step.py [--mindspore-python PYTHON] [--only resnet18,bert] [--contenders jax,msjax-pynative] [--starts 3]

Each start is a process of its own, and the contenders take turns. `cold`: a start with an empty folder of kept programs; `warm`: the next
one with the same folder. Imports and the making of the network are not counted. Programs: how many were compiled, and how many read from
the folder; trace, lower, compile: seconds that JAX says it spent in each (threads added up, so it may be more than the wall time). step:
the fastest of three later steps. Hand-written JAX keeps nothing, and torch takes part where it is installed, or in `--torch-python`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from contenders import add_torch, mindspore_of, torch_python

_B0 = "1 16 1 3 1, 6 24 2 3 2, 6 40 2 5 2, 6 80 3 3 2, 6 112 3 5 1, 6 192 4 5 2, 6 320 1 3 1"
SIZES = {
    "resnet18": dict(blocks=(2, 2, 2, 2), bottleneck=False, classes=10, small=False),
    "efficientnet_b0": dict(stages=[[int(n) for n in s.split()] for s in _B0.split(",")], head=1280, classes=10),
    "bert": dict(vocabulary=1000, width=128, layers=1, heads=4, length=128, causal=False),
    "lstm": dict(width=64, layers=2, classes=5),
}
NETS = {
    "resnet18": ("resnet", "ResNet"),
    "efficientnet_b0": ("efficientnet", "EfficientNet"),
    "bert": ("transformer", "Transformer"),
    "lstm": ("lstm", "Recurrent"),
}
CONTENDERS = ("mindspore-pynative", "mindspore-graph", "jax", "msjax-pynative", "msjax-graph", "torch")
DURATIONS = {"jaxpr_trace": "trace", "jaxpr_to_mlir_module": "lower", "backend_compile": "compile"}


def batch(workload):
    rng = np.random.RandomState(0)
    if workload == "bert":
        tokens = rng.randint(0, 1000, (8, 129)).astype(np.int32)
        return tokens[:, :-1], tokens[:, 1:]
    if workload == "lstm":
        return rng.randn(32, 8, 64).astype(np.float32), rng.randint(0, 5, 8).astype(np.int32)
    return rng.randn(4, 3, 64, 64).astype(np.float32), rng.randint(0, 10, 4).astype(np.int32)


def jax_step(workload):
    import jax.numpy as jnp
    import nets_jax
    import optax

    made = getattr(nets_jax, NETS[workload][0])(**SIZES[workload])
    fed = nets_jax.training(*made, optax.sgd(0.01, momentum=0.9))
    x, y = map(jnp.asarray, batch(workload))
    return lambda: float(fed(x, y))


def mindspore_step(worker, workload):
    ms = mindspore_of(worker)
    import nets_mindspore
    from mindspore import Tensor, nn

    graph = worker.endswith("graph")
    ms.set_context(mode=ms.GRAPH_MODE if graph else ms.PYNATIVE_MODE, device_target="CPU")
    net = getattr(nets_mindspore, NETS[workload][1])(**SIZES[workload]).set_train()
    x, y = map(Tensor, batch(workload))
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    if graph:
        train = nn.TrainOneStepCell(net, optimizer).set_train()
        return lambda: float(train(x, y).asnumpy())
    gradient = ms.value_and_grad(net, None, optimizer.parameters)

    def step():
        loss, grads = gradient(x, y)
        optimizer(grads)
        return float(loss.asnumpy())

    return step


def torch_step(workload):
    import nets_torch
    import torch

    net = getattr(nets_torch, NETS[workload][1])(**SIZES[workload])
    x, y = map(torch.from_numpy, map(np.ascontiguousarray, batch(workload)))
    step = nets_torch.training(net, torch.optim.SGD(net.parameters(), 0.01, momentum=0.9))
    return lambda: float(step(x, y))


class Counts:
    """What JAX tells of its compilations."""

    def __init__(self):
        import jax

        self.seconds, self.programs, self.kept = dict.fromkeys(DURATIONS.values(), 0.0), 0, 0
        jax.monitoring.register_event_duration_secs_listener(self._duration)
        jax.monitoring.register_event_listener(self._event)

    def _duration(self, event, seconds, **options):
        for name, short in DURATIONS.items():
            if event == f"/jax/core/compile/{name}_duration":
                self.seconds[short] += seconds
                self.programs += short == "compile"

    def _event(self, event, **options):
        self.kept += event == "/jax/compilation_cache/cache_hits"

    def told(self):
        return {**self.seconds, "compiled": self.programs - self.kept, "kept": self.kept}


def work(worker, workload):
    """Figures of one start: seconds of wall and CPU time of the first step, and the counts."""
    makers = {"jax": jax_step, "torch": torch_step}
    counts = Counts() if worker.startswith(("jax", "msjax")) else None
    step = makers[worker](workload) if worker in makers else mindspore_step(worker, workload)
    if counts:
        before = counts.told()
    wall, cpu = time.perf_counter(), time.process_time()
    loss = step()
    found = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "loss": loss}
    if counts:
        found |= {name: value - before[name] for name, value in counts.told().items()}
    later = []
    for _ in range(3):
        wall, cpu = time.perf_counter(), time.process_time()
        assert np.isfinite(step())
        later.append((time.process_time() - cpu, time.perf_counter() - wall))
    if counts:
        found["second"] = counts.told()["compiled"] + counts.told()["kept"] - found["compiled"] - found["kept"]
        found["second"] -= before["compiled"] + before["kept"]
    found["step_cpu"], found["step_wall"] = min(later)
    return found


def start(worker, python, workload, folder, limit, file=__file__, options=()):
    """A start in a process of its own: its figures, or why it did not run. file: the benchmark, with options of its own."""
    env = {**os.environ, "MSJAX_CACHE_DIR": folder, "GLOG_v": "3"}
    command = [python, file, "--worker", worker, "--only", workload, *options]
    try:
        found = subprocess.run(command, env=env, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return f"not four steps within {limit:g} seconds"
    if found.returncode:
        return (found.stderr.strip().splitlines() or ["?"])[-1][:100]
    return json.loads(found.stdout.strip().splitlines()[-1])


def starts(contenders, workload, count, limit=None):
    """(name, cold or warm) -> figures of each start."""
    rows, failed = {}, {}
    for _ in range(count):
        for name, python in contenders:
            keeps = name.startswith("msjax")
            if name in failed:
                continue
            with tempfile.TemporaryDirectory() as folder:
                for state in ("cold", "warm") if keeps else ("cold",):
                    found = start(name, python, workload, folder if keeps else "", limit)
                    if isinstance(found, str):
                        failed[name] = found
                    else:
                        rows.setdefault((name, state), []).append(found)
    return rows, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mindspore-python", metavar="PYTHON", help="a Python with MindSpore 2.10: measure it too")
    add_torch(parser)
    parser.add_argument("--only", default=",".join(SIZES))
    parser.add_argument("--contenders", default=",".join(CONTENDERS))
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--limit", type=float, help="seconds that a start may take")
    parser.add_argument("--json", help="file for all figures")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        print(json.dumps(work(args.worker, args.only)))
        return
    others = {"mindspore": args.mindspore_python, "torch": torch_python(args)}
    pythons = [(n, others.get(n.partition("-")[0], sys.executable)) for n in args.contenders.split(",")]
    pythons = [(name, python) for name, python in pythons if python]
    kept = []
    for workload in args.only.split(","):
        print(
            f"{workload:24s} first: wall s  CPU s | programs (kept)  trace  lower  compile | step: wall ms  CPU ms",
            flush=True,
        )
        rows, failed = starts(pythons, workload, args.starts, args.limit)
        for name, why in failed.items():
            print(f"  {name}: does not run: {why}")
        for (name, state), found in rows.items():
            row = {key: statistics.median(f[key] for f in found) for key in found[0]}
            kept.append({"workload": workload, "contender": name, "state": state, **row})
            counts = ""
            if "trace" in row:
                counts = f"{row['compiled']:5.0f} ({row['kept']:3.0f}) {row['second']:3.0f}"
                counts += "".join(f" {row[part]:7.2f}" for part in DURATIONS.values())
            print(
                f"  {name + ' ' + state:24s} {row['wall']:10.2f} {row['cpu']:6.2f} | {counts:38s} | "
                f"{1000 * row['step_wall']:9.1f} {1000 * row['step_cpu']:7.1f}",
                flush=True,
            )
        if args.json:
            with open(args.json, "w") as file:
                json.dump(kept, file, indent=1)


if __name__ == "__main__":
    main()
