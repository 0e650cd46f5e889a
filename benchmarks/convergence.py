"""Trainings to the end, on msjax and on MindSpore from the same seeds: whether what they reach is the same.

    python benchmarks/convergence.py --mindspore-python PYTHON [--mnist FOLDER] [--tasks lenet,gpt,lstm] [--seeds 5]

Prints mean and spread (sample deviation) of what `convergence_tasks.py` reaches, and Welch's 95 % interval of the difference: means are
held to be the same if the interval holds 0 and is no wider than the margin, which is given before the runs.
"""

import argparse
import os
import pathlib
import subprocess
import sys

import numpy as np
import scipy.stats

HERE = pathlib.Path(__file__).resolve().parent
MARGIN = {"lenet": 0.01, "gpt": 0.05, "lstm": 0.05}


def reached(python, task, seed, data):
    """What one training reaches in a process of its own."""
    environment = os.environ | {
        "PYTHONPATH": str(HERE.parent) if "-m" in python else "",
        "GLOG_v": "3",
        "JAX_PLATFORMS": "cpu",
    }
    command = [*python, str(HERE / "convergence_tasks.py"), task, str(seed), *data]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("reached ")]
    if not lines:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout[-500:]}{done.stderr[-1500:]}")
    return float(lines[-1].split()[1])


def interval(one, other):
    """Welch's 95 % interval of the difference of two means."""
    found = scipy.stats.ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
    return found.low, found.high


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mindspore-python", required=True)
    parser.add_argument("--mnist")
    parser.add_argument("--tasks", default="gpt,lstm")
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    print("| training | msjax | MindSpore 2.10 | difference, 95 % | margin |\n|---|---|---|---|---|")
    for task in given.tasks.split(","):
        data = [given.mnist] if task == "lenet" else []
        sides = [[], []]
        for seed in range(1, given.seeds + 1):
            for side, python in zip(sides, ([sys.executable, "-m", "msjax"], [given.mindspore_python])):
                side.append(reached(python, task, seed, data))
            print(f"{task} seed {seed}: {sides[0][-1]:.4f} {sides[1][-1]:.4f}", file=sys.stderr, flush=True)
        cells = [f"{np.mean(s):.4f} ± {np.std(s, ddof=1):.4f}" for s in sides]
        low, high = interval(*sides)
        print(f"| {task} | {cells[0]} | {cells[1]} | {low:+.4f} to {high:+.4f} | {MARGIN[task]} |", flush=True)


if __name__ == "__main__":
    main()
