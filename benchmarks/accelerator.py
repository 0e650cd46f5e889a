"""Training on a GPU or TPU: GPT-2 (124 M), BERT-base, ResNet-50 and an LSTM, msjax against hand-written JAX.

    python benchmarks/accelerator.py --device gpu|tpu|cpu [--only gpt2,lstm] [--tiny] [--seconds 10] [--json FILE]

Each contender has the device to itself in a process of its own, one after the other. The table gives samples (tokens, images, sequences) a
second, the ratio of throughputs, and which share of the device's peak of half-precision products the network's products are. `--tiny`
takes small sizes, to try the command anywhere.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

# Peak of half-precision products with float32 sums (dense), by what JAX calls the device; from the makers' data sheets.
PEAKS = {
    "H200": 989e12, "H100": 989e12, "A100": 312e12, "L40S": 362e12, "L4": 121e12, "V100": 125e12, "T4": 65e12,
    "TPU v6": 918e12, "TPU v5p": 459e12, "TPU v5 lite": 197e12, "TPU v5": 459e12, "TPU v4": 275e12, "TPU v3": 123e12,
}  # fmt: skip
PLATFORMS = {"gpu": "cuda", "tpu": "tpu", "cpu": "cpu"}
FULL = {
    "gpt2": dict(vocabulary=50257, width=768, layers=12, heads=12, length=1024, batch=8),
    "bert": dict(vocabulary=30522, width=768, layers=12, heads=12, length=512, batch=16),
    "resnet50": dict(blocks=(3, 4, 6, 3), size=224, classes=1000, batch=64),
    "lstm": dict(width=1024, layers=2, length=128, classes=10, batch=64),
}
TINY = {
    "gpt2": dict(vocabulary=100, width=32, layers=2, heads=2, length=128, batch=2),
    "bert": dict(vocabulary=100, width=32, layers=2, heads=2, length=128, batch=2),
    "resnet50": dict(blocks=(1, 1, 1, 1), size=32, classes=10, batch=2),
    "lstm": dict(width=16, layers=2, length=8, classes=10, batch=2),
}


def batch_of(workload, sizes):
    rng, batch = np.random.RandomState(0), sizes["batch"]
    if workload in ("gpt2", "bert"):
        tokens = rng.randint(0, sizes["vocabulary"], (batch, sizes["length"] + 1)).astype(np.int32)
        return np.ascontiguousarray(tokens[:, :-1]), np.ascontiguousarray(tokens[:, 1:])
    if workload == "resnet50":
        x = rng.randn(batch, 3, sizes["size"], sizes["size"])
    else:
        x = rng.randn(sizes["length"], batch, sizes["width"])
    return x.astype(np.float32), rng.randint(0, sizes["classes"], batch).astype(np.int32)


def work(workload, sizes):
    """(samples a step, what they are, floating-point operations of the products a step, forward and backward)"""
    batch = sizes["batch"]
    if workload in ("gpt2", "bert"):
        width, length, tokens = sizes["width"], sizes["length"], batch * sizes["length"]
        weights = 12 * sizes["layers"] * width**2 + sizes["vocabulary"] * width
        seen = length / 2 if workload == "gpt2" else length
        return tokens, "tokens", 6 * weights * tokens + 12 * sizes["layers"] * width * seen * tokens
    if workload == "resnet50":  # 4.1 G multiplications and additions an image of 224 pixels, as the authors count
        return batch, "images", 6 * 4.1e9 * batch * (sizes["size"] / 224) ** 2 * sum(sizes["blocks"]) / 16
    steps = batch * sizes["length"]
    return batch, "sequences", 6 * steps * sizes["layers"] * 8 * sizes["width"] ** 2


def net_of(workload, sizes):
    """The arguments of the network in `nets_jax` and `nets_mindspore`."""
    if workload in ("gpt2", "bert"):
        return {k: v for k, v in sizes.items() if k != "batch"} | {"causal": workload == "gpt2"}
    if workload == "resnet50":
        return dict(blocks=sizes["blocks"], bottleneck=True, classes=sizes["classes"], small=sizes["size"] < 100)
    return {k: sizes[k] for k in ("width", "layers", "classes")}


def jax_step(workload, sizes):
    import jax.numpy as jnp
    import nets_jax as nets
    import optax

    options = net_of(workload, sizes)
    x, y = batch_of(workload, sizes)
    if workload == "resnet50":
        made, x = nets.resnet(**options, layout="NHWC", dtype=jnp.bfloat16), x.transpose(0, 2, 3, 1)
    else:
        half = workload != "lstm"
        made = nets.transformer(**options, dtype=jnp.bfloat16) if half else nets.lstm(**options)
    step = nets.training(*made, optax.sgd(0.01, momentum=0.9) if workload == "resnet50" else optax.adam(1e-4))
    x, y = jnp.asarray(x), jnp.asarray(y)
    return (lambda: step(x, y)), lambda value: value.block_until_ready()


def train_cell(workload, sizes):
    """The step of msjax as a Cell, and its inputs as Tensors."""
    import mindspore as ms
    import nets_mindspore as nets
    from mindspore import Tensor, amp, nn

    options = net_of(workload, sizes)
    if workload == "resnet50":
        net = amp.auto_mixed_precision(nets.ResNet(**options), "O2", ms.bfloat16)
        step = nets.training(net, lambda p: nn.Momentum(p, 0.01, 0.9))
    elif workload == "lstm":
        step = nets.training(nets.Recurrent(**options), lambda p: nn.Adam(p, 1e-4))
    else:
        net = nets.Transformer(**options)
        for parameter in net.get_parameters():
            parameter.set_dtype(ms.bfloat16)
        step = nets.training(net, lambda p: nn.Adam(p, 1e-4))
    return step, [Tensor(a) for a in batch_of(workload, sizes)]


def msjax_step(workload, sizes):
    import msjax

    msjax.install()
    import mindspore as ms

    ms.set_context(mode=ms.GRAPH_MODE)
    step, (x, y) = train_cell(workload, sizes)
    return (lambda: step(x, y)), lambda value: value.asnumpy()


def measure(contender, workload, sizes, seconds):
    """{"device", "first": seconds of the first call, "step": of a later one, "loss": the last, "peak": bytes on the device}"""
    import jax

    step, wait = (jax_step if contender == "jax" else msjax_step)(workload, sizes)
    started = time.perf_counter()
    wait(step())
    first = time.perf_counter() - started
    wait(step())
    counts, walls = 1, []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or len(walls) < 3:
        started = time.perf_counter()
        for _ in range(counts):
            value = step()
        wait(value)
        walls.append((time.perf_counter() - started) / counts)
        counts = max(1, min(round(seconds / 10 / walls[-1]), 500))
    device = jax.devices()[0]
    peak = (device.memory_stats() or {}).get("peak_bytes_in_use")
    loss = float(np.asarray(value._data if contender == "msjax" else value, np.float32))
    return {"device": device.device_kind, "first": first, "step": float(np.median(walls)), "loss": loss, "peak": peak}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=PLATFORMS, required=True)
    parser.add_argument("--only", default=",".join(FULL), help="workloads, by commas")
    parser.add_argument("--tiny", action="store_true", help="small sizes, to try the command")
    parser.add_argument("--seconds", type=float, default=10, help="how long each is measured")
    parser.add_argument("--json", help="file for all figures")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    args = parser.parse_args()
    table = TINY if args.tiny else FULL
    if args.worker:
        print(json.dumps(measure(args.worker, args.only, table[args.only], args.seconds)))
        return
    env = {**os.environ, "JAX_PLATFORMS": PLATFORMS[args.device]}
    env["PYTHONPATH"] = os.pathsep.join(
        [str(pathlib.Path(__file__).resolve().parents[1]), *filter(None, [env.get("PYTHONPATH")])]
    )
    rows = []
    print(
        f"{'':10s} {'':6s} {'first call s':>12s} {'step ms':>10s} {'a second':>18s} {'of peak':>8s} {'ratio':>6s} {'peak MB':>8s} loss"
    )
    for workload in args.only.split(","):
        samples, what, flops = work(workload, table[workload])
        base = None
        for contender in ("jax", "msjax"):
            command = [
                sys.executable,
                __file__,
                "--device",
                args.device,
                "--only",
                workload,
                "--seconds",
                str(args.seconds),
            ]
            found = subprocess.run(
                [*command, "--worker", contender, *["--tiny"] * args.tiny], env=env, capture_output=True, text=True
            )
            if found.returncode:
                print(f"{workload:10s} {contender:6s} does not run: {found.stderr.strip().splitlines()[-1][:120]}")
                continue
            row = json.loads(found.stdout.strip().splitlines()[-1])
            peak = next((v for k, v in PEAKS.items() if k in row["device"]), None)
            row |= {"workload": workload, "contender": contender, "rate": samples / row["step"], "unit": what}
            row["share"] = flops / row["step"] / peak if peak else None
            base = base or row["rate"]
            row["ratio"] = row["rate"] / base
            rows.append(row)
            share = f"{100 * row['share']:6.1f} %" if peak else "       -"
            memory = f"{row['peak'] / 2**20:8.0f}" if row["peak"] else "       -"
            print(
                f"{workload:10s} {contender:6s} {row['first']:12.2f} {1000 * row['step']:10.2f} {row['rate']:10.0f} {what:7.7s} "
                f"{share} {row['ratio']:6.2f} {memory} {row['loss']:.3f}",
                flush=True,
            )
    if rows:
        print(f"device: {rows[0]['device']}")
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
