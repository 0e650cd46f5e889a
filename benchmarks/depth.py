"""What depth costs: the first training step, and a later one, of networks of 2, 16 and 64 equal layers.

    python benchmarks/depth.py [--mindspore-python PYTHON] [--only decoder,mlp] [--layers 2,16,64] [--contenders jax,msjax,msjax-folded]

Each start is a process of its own with an empty folder of kept programs, and the contenders take turns. first: wall and CPU seconds of the
first step, without imports and the making of the network; trace, lower, compile: seconds that JAX says it spent in each. step: the median of
later steps. `msjax-folded`: with `set_context(fold_layers=True)`, `msjax-unfolded`: with False, `msjax`: with what is set by default.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time

import numpy as np
from contenders import mindspore_of
from first_step import Counts, start

NETS = ("decoder", "mlp")
CONTENDERS = ("mindspore", "jax", "msjax", "msjax-unfolded", "msjax-folded")
VOCABULARY, LENGTH, BATCH = 1000, 128, 8


def sizes(layers, width):
    """The arguments of a decoder."""
    return dict(vocabulary=VOCABULARY, width=width, layers=layers, heads=4, length=LENGTH, causal=True)


def batch(net, width):
    """Inputs and labels."""
    rng = np.random.RandomState(0)
    if net == "decoder":
        tokens = rng.randint(0, VOCABULARY, (BATCH, LENGTH + 1)).astype(np.int32)
        return tokens[:, :-1], tokens[:, 1:]
    return rng.randn(64, width).astype(np.float32), rng.randn(64, width).astype(np.float32)


def jax_step(net, layers, width):
    import jax
    import jax.numpy as jnp
    import nets_jax
    import optax

    def mlp():
        rng = np.random.RandomState(1)
        params = [
            {
                "norm": nets_jax.scale(width),
                "up": nets_jax.dense(rng, width, width),
                "down": nets_jax.dense(rng, width, width),
            }
            for _ in range(layers)
        ]

        def loss(params, x, y):
            for p in params:
                up = jax.nn.gelu(nets_jax.linear(p["up"], nets_jax.layer_norm(p["norm"], x)), approximate=False)
                x = x + nets_jax.linear(p["down"], up)
            return ((x - y) ** 2).mean()

        return params, loss

    made = nets_jax.transformer(**sizes(layers, width)) if net == "decoder" else mlp()
    fed = nets_jax.training(*made, optax.adam(1e-3))
    x, y = map(jnp.asarray, batch(net, width))
    return lambda: float(fed(x, y))


def mindspore_step(worker, net, layers, width):
    ms = mindspore_of(worker)
    import nets_mindspore
    from mindspore import Tensor, nn

    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    if worker.endswith("folded"):
        ms.set_context(fold_layers=worker == "msjax-folded")

    class Layer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.norm = nn.LayerNorm((width,))
            self.up, self.down, self.act = nn.Dense(width, width), nn.Dense(width, width), nn.GELU()

        def construct(self, x):
            return x + self.down(self.act(self.up(self.norm(x))))

    if net == "decoder":
        training = nets_mindspore.Transformer(**sizes(layers, width))
    else:
        training = nn.WithLossCell(nn.SequentialCell([Layer() for _ in range(layers)]), nn.MSELoss())
    step = nn.TrainOneStepCell(training, nn.Adam(training.trainable_params(), 1e-3)).set_train()
    x, y = map(Tensor, batch(net, width))
    return lambda: float(step(x, y).asnumpy())


def work(worker, net, layers, width, steps):
    """Figures of one start."""
    counts = None if worker == "mindspore" else Counts()
    step = jax_step(net, layers, width) if worker == "jax" else mindspore_step(worker, net, layers, width)
    before = counts.told() if counts else {}
    wall, cpu = time.perf_counter(), time.process_time()
    step()
    found = {"first": time.perf_counter() - wall, "first_cpu": time.process_time() - cpu}
    found |= {name: counts.told()[name] - value for name, value in before.items()}
    later = []
    for _ in range(steps):
        wall, cpu = time.perf_counter(), time.process_time()
        found["loss"] = step()
        later.append((time.perf_counter() - wall, time.process_time() - cpu))
    found["step"], found["step_cpu"] = (statistics.median(times) for times in zip(*later))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mindspore-python", metavar="PYTHON", help="a Python with MindSpore 2.10: measure it too")
    parser.add_argument("--only", default=",".join(NETS))
    parser.add_argument("--layers", default="2,16,64")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--starts", type=int, default=1)
    parser.add_argument("--contenders", default=",".join(CONTENDERS[1:]))
    parser.add_argument("--json", help="file for all figures")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        print(json.dumps(work(args.worker, args.only, int(args.layers), args.width, args.steps)))
        return
    names = args.contenders.split(",") + (["mindspore"] if args.mindspore_python else [])
    kept = []
    print(
        "net      layers contender       | first: wall s  CPU s  trace  lower  compile | step: wall ms  CPU ms",
        flush=True,
    )
    for net in args.only.split(","):
        for layers in args.layers.split(","):
            found = {name: [] for name in names}
            options = ["--layers", layers, "--width", str(args.width), "--steps", str(args.steps)]
            for _ in range(args.starts):
                for name in names:
                    python = args.mindspore_python if name == "mindspore" else sys.executable
                    with tempfile.TemporaryDirectory() as folder:
                        found[name].append(start(name, python, net, folder, None, file=__file__, options=options))
            for name, runs in found.items():
                failed = [run for run in runs if isinstance(run, str)]
                if failed:
                    print(f"{net:8s} {layers:>6s} {name:15s} | does not run: {failed[0]}", flush=True)
                    continue
                row = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
                kept.append({"net": net, "layers": int(layers), "contender": name, **row})
                parts = "".join(f" {row.get(part, float('nan')):6.2f}" for part in ("trace", "lower", "compile"))
                print(
                    f"{net:8s} {layers:>6s} {name:15s} | {row['first']:13.2f} {row['first_cpu']:6.2f}{parts}  | "
                    f"{1000 * row['step']:13.1f} {1000 * row['step_cpu']:7.1f}",
                    flush=True,
                )
    if args.json:
        with open(args.json, "w") as file:
            json.dump(kept, file, indent=1)


if __name__ == "__main__":
    main()
