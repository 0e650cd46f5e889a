"""Loading a checkpoint against reading its bytes: time in turn, and the memory that it takes.

    python benchmarks/checkpoint.py [--gigabytes 1] [--turns 7] [--format ckpt]

One process does both in turn, after one loading that does not count. Ratios are medians over pairs. The memory
is the peak of the first loading, over the weights' size.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np


def timed(action):
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gigabytes", type=float, default=1)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--format", choices=["ckpt", "safetensors"], default="ckpt")
    parser.add_argument("--write", metavar="FILE", help=argparse.SUPPRESS)
    args = parser.parse_args()

    import msjax

    msjax.install()
    import mindspore as ms

    count = max(1, round(100 * args.gigabytes))
    size = count * 10_000_000
    if args.write:
        weights = {f"w{i}": np.full(2_500_000, i, np.float32) for i in range(count)}
        ms.save_checkpoint(weights, args.write, format=args.format)
        return

    def read():
        with open(path, "rb") as file:
            file.read()

    def load():
        loaded.update(ms.load_checkpoint(path, format=args.format))

    with tempfile.TemporaryDirectory() as folder:
        path, loaded = os.path.join(folder, f"net.{args.format}"), {}
        small = os.path.join(folder, f"small.{args.format}")
        ms.save_checkpoint({"w": np.ones(3, np.float32)}, small, format=args.format)
        ms.load_checkpoint(small, format=args.format)
        command = [
            sys.executable,
            __file__,
            "--write",
            path,
            "--format",
            args.format,
            "--gigabytes",
            str(args.gigabytes),
        ]
        subprocess.run(command, check=True)  # its memory is not this process's
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        load()
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(f"peak memory: {1024 * max(after - before, 0) / size:.2f} of the weights' size")
        pairs = []
        for _ in range(args.turns):
            loaded.clear()
            first = timed(read)
            pairs.append((first, timed(load)))
        for what, i in (("wall", 0), ("CPU", 1)):
            ratio = statistics.median(ours[i] / theirs[i] for theirs, ours in pairs)
            medians = [statistics.median(pair[k][i] for pair in pairs) for k in (0, 1)]
            print(f"{what}: read {medians[0]:.2f} s, load {medians[1]:.2f} s, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
