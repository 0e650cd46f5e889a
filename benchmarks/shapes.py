"""Changing shapes, eagerly: what each new shape costs, forward and backward.

    python benchmarks/shapes.py [--mindspore-python PYTHON] [--only sequences,images] [--count N]

sequences: 50 lengths through embedding, LSTM and attention. images: 30 sizes through a small CNN, as a detector sees them. Each contender
runs in a process of its own, one after the other; compilations of earlier runs are not used. torch takes part where it is installed, or in
`--torch-python`.
CPU seconds in all and wall seconds in all; the first shape, which also starts the libraries' threads, is told apart.
"""

import argparse
import json
import os
import subprocess
import sys
import time

import numpy as np
from contenders import add_torch, mindspore_of, torch_python

COUNTS = {"sequences": 50, "images": 30}
WIDTH, VOCABULARY, HEADS, BATCH = 64, 200, 4, 4


def inputs(workload, count):
    rng = np.random.RandomState(0)
    if workload == "sequences":
        lengths = rng.permutation(np.arange(20, 20 + 2 * count, 2))
        return [rng.randint(0, VOCABULARY, (BATCH, n)).astype(np.int32) for n in lengths]
    sizes = [(64 + 8 * rng.randint(0, 12), 64 + 8 * rng.randint(0, 12)) for _ in range(count)]
    return [rng.randn(2, 3, *s).astype(np.float32) for s in sizes]


def jax_step(workload):
    import jax
    import jax.numpy as jnp

    rng = np.random.RandomState(1)

    def weight(*shape):
        return jnp.asarray(rng.randn(*shape) * 0.1, jnp.float32)

    if workload == "sequences":
        params = {"table": weight(VOCABULARY, WIDTH), "in": weight(WIDTH, 4 * WIDTH), "state": weight(WIDTH, 4 * WIDTH)}
        params |= {"qkv": weight(WIDTH, 3 * WIDTH), "head": weight(WIDTH, 2)}

        def loss(p, ids):
            x = p["table"][ids]
            zeros = jnp.zeros((x.shape[0], WIDTH))

            def step(state, z):
                h, c = state
                i, f, g, o = jnp.split(z + h @ p["state"], 4, 1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                return (h, c), h

            x = jax.lax.scan(step, (zeros, zeros), (x @ p["in"]).swapaxes(0, 1))[1].swapaxes(0, 1)
            q, k, v = (t.reshape(*x.shape[:2], HEADS, -1).swapaxes(1, 2) for t in jnp.split(x @ p["qkv"], 3, -1))
            weights = jax.nn.softmax(q @ k.swapaxes(2, 3) / (WIDTH // HEADS) ** 0.5)
            out = (weights @ v).swapaxes(1, 2).reshape(x.shape)
            return ((out.mean(1) @ p["head"]) ** 2).mean()
    else:
        params = [weight(16, 3, 3, 3), weight(32, 16, 3, 3), weight(32, 32, 3, 3), weight(32, 5)]

        def loss(p, x):
            for w in p[:3]:
                x = jax.lax.conv_general_dilated(x, w, (2, 2), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW"))
                x = jax.nn.relu(x)
            return ((x.mean((2, 3)) @ p[3]) ** 2).mean()

    gradient = jax.value_and_grad(loss)

    def run(x):
        value, grads = gradient(params, jnp.asarray(x))
        jax.block_until_ready(grads)
        return float(value)

    return run


def mindspore_step(worker, workload):
    ms = mindspore_of(worker)
    from mindspore import Tensor, nn

    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")

    class Sequences(nn.Cell):
        def __init__(self):
            super().__init__()
            self.embedding, self.lstm = nn.Embedding(VOCABULARY, WIDTH), nn.LSTM(WIDTH, WIDTH, batch_first=True)
            self.attention, self.head = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True), nn.Dense(WIDTH, 2)

        def construct(self, ids):
            x = self.lstm(self.embedding(ids))[0]
            x = self.attention(x, x, x, need_weights=False)[0]
            return (self.head(x.mean(1)) ** 2).mean()

    class Images(nn.Cell):
        def __init__(self):
            super().__init__()
            self.convs = nn.SequentialCell(
                [
                    nn.Conv2d(3, 16, 3, 2),
                    nn.ReLU(),
                    nn.Conv2d(16, 32, 3, 2),
                    nn.ReLU(),
                    nn.Conv2d(32, 32, 3, 2),
                    nn.ReLU(),
                ]
            )
            self.head = nn.Dense(32, 5)

        def construct(self, x):
            return (self.head(self.convs(x).mean((2, 3))) ** 2).mean()

    net = Sequences() if workload == "sequences" else Images()
    gradient = ms.value_and_grad(net, None, net.trainable_params())

    def run(x):
        value, grads = gradient(Tensor(x))
        grads[0].asnumpy()
        return float(value.asnumpy())

    return run


def torch_step(workload):
    import torch
    from torch import nn

    class Sequences(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding, self.lstm = nn.Embedding(VOCABULARY, WIDTH), nn.LSTM(WIDTH, WIDTH, batch_first=True)
            self.attention, self.head = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True), nn.Linear(WIDTH, 2)

        def forward(self, ids):
            x = self.lstm(self.embedding(ids))[0]
            x = self.attention(x, x, x, need_weights=False)[0]
            return (self.head(x.mean(1)) ** 2).mean()

    class Images(nn.Module):
        def __init__(self):
            super().__init__()
            sizes = [3, 16, 32, 32]
            self.convs = nn.ModuleList([nn.Conv2d(a, b, 3, 2, 1) for a, b in zip(sizes, sizes[1:])])
            self.head = nn.Linear(32, 5)

        def forward(self, x):
            for conv in self.convs:
                x = torch.relu(conv(x))
            return (self.head(x.mean((2, 3))) ** 2).mean()

    net = Sequences() if workload == "sequences" else Images()

    def run(x):
        net.zero_grad()
        value = net(torch.from_numpy(x))
        value.backward()
        return float(value)

    return run


def work(worker, workload, count):
    """Seconds (wall, CPU) of the first shape and of all."""
    step = {"jax": jax_step, "torch": torch_step}.get(worker, lambda name: mindspore_step(worker, name))(workload)
    clocks = time.perf_counter, time.process_time
    started, first = [c() for c in clocks], None
    for x in inputs(workload, count):
        assert np.isfinite(step(x))
        first = first or [c() - s for c, s in zip(clocks, started)]
    return {"first": first, "all": [c() - s for c, s in zip(clocks, started)]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mindspore-python", metavar="PYTHON", help="a Python with MindSpore 2.10: measure it too")
    add_torch(parser)
    parser.add_argument("--only", default=",".join(COUNTS))
    parser.add_argument("--count", type=int, help="how many shapes")
    parser.add_argument("--json", help="file for all figures")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        print(json.dumps(work(args.worker, args.only, args.count)))
        return
    contenders = [("mindspore", args.mindspore_python), ("jax", sys.executable), ("msjax", sys.executable)]
    contenders = [(name, python) for name, python in [*contenders, ("torch", torch_python(args))] if python]
    env = {**os.environ, "MSJAX_CACHE_DIR": "", "GLOG_v": "3"}
    rows = []
    for workload in args.only.split(","):
        count, base = args.count or COUNTS[workload], None
        print(f"{workload}, {count} shapes:   CPU s   ratio |  wall s | first shape: CPU s")
        for name, python in contenders:
            command = [python, __file__, "--worker", name, "--only", workload, "--count", str(count)]
            found = subprocess.run(command, env=env, capture_output=True, text=True)
            if found.returncode:
                print(f"  {name:12s} does not run: {(found.stderr.strip().splitlines() or ['?'])[-1][:100]}")
                continue
            row = json.loads(found.stdout.strip().splitlines()[-1])
            base = base or row["all"][1]
            rows.append({"workload": workload, "contender": name, "ratio": row["all"][1] / base, **row})
            wall, cpu = row["all"]
            print(f"  {name:20s} {cpu:8.2f} {cpu / base:7.2f} | {wall:7.1f} | {row['first'][1]:8.2f}", flush=True)
        if args.json:
            with open(args.json, "w") as file:
                json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
