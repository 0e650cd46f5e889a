"""Worker processes that take turns: each contender has a process of its own, and the parent asks for one burst of each in turn.

A worker is this Python or another one (`--mindspore-python`) running the same benchmark file with `--worker NAME --workload NAME`. It builds
the workload, runs the first step, and then answers each line `burst N` with the wall and CPU seconds of N steps.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time


def worker_loop(build):
    """Run in a worker: `build()` returns a function that makes one step and waits for it only when called with True."""
    started = time.perf_counter()
    step = build()
    built = time.perf_counter()
    step(True)
    first = time.perf_counter() - built
    print(json.dumps({"build": built - started, "first": first}), flush=True)
    for line in sys.stdin:
        if line.strip() == "end":
            break
        count = int(line.split()[1])
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(count - 1):
            step(False)
        step(True)
        print(
            json.dumps({"wall": (time.perf_counter() - wall) / count, "cpu": (time.process_time() - cpu) / count}),
            flush=True,
        )
    print(json.dumps({"peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}), flush=True)


class Contender:
    """A worker process."""

    def __init__(self, name, python, file, workload):
        self.name = name
        env = {**os.environ, "PYTHONUNBUFFERED": "1", "GLOG_v": "3"}
        self.process = subprocess.Popen(
            [python, file, "--worker", name, "--workload", workload],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=env,
        )
        self.walls, self.cpus, self.failed = [], [], None
        self.start = self._answer()

    def _answer(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        self.failed = (self.process.stderr.read().strip().splitlines() or ["no message"])[-1][:100]
        return None

    def burst(self, count):
        """One burst of `count` steps."""
        self.process.stdin.write(f"burst {count}\n")
        self.process.stdin.flush()
        answer = self._answer()
        if answer:
            self.walls.append(answer["wall"])
            self.cpus.append(answer["cpu"])

    def end(self):
        """Stop the worker; its peak memory in MB."""
        self.process.stdin.write("end\n")
        self.process.stdin.flush()
        answer = self._answer()
        self.process.wait()
        return answer["peak"] if answer else float("nan")


def compare(file, workload, steps, contenders, bursts, starts):
    """Rows (name, first call s, step ms, CPU ms, peak MB, ratios to the first contender) of one workload.

    contenders: [(name, python)]. starts: how often the first call is measured, each time in a fresh process.
    """
    firsts = {name: [] for name, _ in contenders}
    for _ in range(starts - 1):
        for name, python in contenders:
            probe = Contender(name, python, file, workload)
            if not probe.failed:
                firsts[name].append(probe.start["first"])
                probe.end()
    running = [Contender(name, python, file, workload) for name, python in contenders]
    for c in running:
        if c.failed:
            print(f"  {c.name}: does not run: {c.failed}")
    running = [c for c in running if not c.failed]
    for c in running:
        firsts[c.name].append(c.start["first"])
    for _ in range(bursts):
        for c in running:
            c.burst(steps)
    base = running[0]
    print(f"{workload}: {'':14s} first call s  ratio | step ms (median)  ratio | CPU ms  ratio | peak MB  ratio")
    base_peak = None
    for c in running:
        peak = c.end()
        base_peak = base_peak or peak
        ratio = statistics.median(w / b for w, b in zip(c.walls, base.walls))
        cpu = statistics.median(w / b for w, b in zip(c.cpus, base.cpus))
        first, base_first = statistics.median(firsts[c.name]), statistics.median(firsts[base.name])
        print(
            f"  {c.name:24s} {first:8.2f}  {first / base_first:7.2f} | {1000 * statistics.median(c.walls):14.3f} {ratio:8.3f} | "
            f"{1000 * statistics.median(c.cpus):7.2f} {cpu:5.2f} | {peak:7.0f} {peak / base_peak:6.2f}",
            flush=True,
        )


def arguments(doc, workloads):
    """The command line that all benchmarks of this kind share."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--mindspore-python", metavar="PYTHON", help="a Python in which MindSpore 2.10 is installed: measure it too"
    )
    parser.add_argument("--only", metavar="NAMES", help=f"workloads, by commas, of {', '.join(workloads)}")
    parser.add_argument("--bursts", type=int, default=9, help="bursts of each contender, in turn")
    parser.add_argument(
        "--starts", type=int, default=3, help="how often the first call is measured, each time in a fresh process"
    )
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--workload", help=argparse.SUPPRESS)
    return parser.parse_args()


def mindspore_of(worker):
    """The module `mindspore` of a worker: the real one, or msjax under its name."""
    if worker.startswith("msjax"):
        import msjax

        msjax.install()
    import mindspore

    return mindspore
