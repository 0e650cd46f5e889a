"""Worker processes that take turns: each contender has a process of its own, and the parent asks for one burst of each in turn.

A worker is this Python or another one (`--mindspore-python`) running the same benchmark file with `--worker NAME --workload NAME`. It builds
the workload, runs the first step, and then answers each line `burst N` with the wall and CPU seconds of N steps. A worker that is given
`load` also answers lines `load NAME`: it builds another workload in the same process.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from typing import NamedTuple


def _first_step(build):
    started = time.perf_counter()
    step = build()
    built, cpu = time.perf_counter(), time.process_time()
    step(True)
    first, cpu = time.perf_counter() - built, time.process_time() - cpu
    print(json.dumps({"build": built - started, "first": first, "first_cpu": cpu}), flush=True)
    return step


def worker_loop(build, load=None):
    """Run in a worker: `build()` returns a function that makes one step and waits for it only when called with True.

    load: makes such a function of another workload's name. What it cannot build it answers with the reason.
    """
    step = _first_step(build)
    for line in sys.stdin:
        if line.strip() == "end":
            break
        order, argument = line.split()
        if order == "load":
            step = None  # its arrays go before the next ones come
            try:
                step = _first_step(lambda name=argument: load(name))
            except Exception as error:
                print(json.dumps({"failed": f"{type(error).__name__}: {error}".splitlines()[0]}), flush=True)
            continue
        count = int(argument)
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
    """A worker process. limit: seconds that it has for each answer; then it is stopped."""

    def __init__(self, name, python, file, workload, limit=None):
        self.name, self.limit = name, limit
        env = {**os.environ, "PYTHONUNBUFFERED": "1", "GLOG_v": "3", "MSJAX_CACHE_DIR": ""}  # first calls compile
        self.errors = errors = tempfile.TemporaryFile(
            "w+"
        )  # a file, for a pipe that nobody reads stops the worker when it is full
        self.process = subprocess.Popen(
            [python, file, "--worker", name, "--workload", workload],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=env,
        )
        self.walls, self.cpus, self.failed = [], [], None
        self.start = self._answer()

    def _answer(self):
        clock = threading.Timer(self.limit, self.process.kill) if self.limit else None
        if clock:
            clock.start()
        try:
            for line in self.process.stdout:
                if line.startswith("{"):
                    answer = json.loads(line)
                    self.failed = answer.get("failed")
                    return None if self.failed else answer
        finally:
            if clock:
                clock.cancel()
        if self.process.wait() == -9 and self.limit:
            self.failed = f"no answer within {self.limit:g} seconds"
            return None
        self.errors.seek(0)
        self.failed = (self.errors.read().strip().splitlines() or ["no message"])[-1][:100]
        return None

    def _ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:  # it is dead; _answer reads why
            pass
        return self._answer()

    @property
    def alive(self):
        return self.process.poll() is None

    def load(self, workload):
        """Another workload in the same process, which must have been given `load`."""
        self.walls, self.cpus = [], []
        self.start = self._ask(f"load {workload}")

    def burst(self, count):
        """One burst of `count` steps."""
        answer = self._ask(f"burst {count}")
        if answer:
            self.walls.append(answer["wall"])
            self.cpus.append(answer["cpu"])

    def end(self):
        """Stop the worker; its peak memory in MB."""
        answer = self._ask("end")
        self.process.wait()
        return answer["peak"] if answer else float("nan")


class Measured(NamedTuple):
    """Seconds a step: the median burst's, and each burst's wall and CPU time."""

    wall: float
    walls: list
    cpus: list


def ratio(ours, theirs):
    """Median over the pairs of bursts; of a contender that took one burst in three, each is paired with ours of the same turn."""
    fewer = min(len(ours), len(theirs))

    def of_turns(values):
        return values[:: -(-len(values) // fewer)]

    return statistics.median(a / b for a, b in zip(of_turns(ours), of_turns(theirs)))


def _rest(long, bursts):
    """One turn in how many a contender takes whose bursts are `long` times what they should be."""
    return 1 if long < 5 else 3 if long < 25 else bursts


def in_turn(file, workloads, contenders, bursts, seconds):
    """For each workload (name, {contender: Measured}, {contender: why it does not run}).

    One process a contender serves all workloads. seconds: about how long a burst is; each contender takes the steps that fill it, and those
    with steps of more than five times that take a third of the bursts, of more than 25 times a single one.
    """
    running = {}
    for workload in workloads:
        for name, python in contenders:
            if name in running and running[name].alive:
                running[name].load(workload)
            else:
                running[name] = Contender(name, python, file, workload)
        ready = [c for c in running.values() if not c.failed]
        counts, rests = {}, {}
        for c in ready:
            c.burst(1)  # warms up, and tells how many steps fill a burst
            if c.walls and c.walls[0] < 5 * seconds:
                c.burst(1)
            counts[c.name] = max(1, min(round(seconds / min(c.walls)), 500)) if c.walls else 1
            rests[c.name] = _rest(min(c.walls, default=0) / seconds, bursts)
            c.walls, c.cpus = [], []
        for turn in range(bursts):
            for c in ready:
                if turn % rests[c.name] == 0 and not c.failed:
                    c.burst(counts[c.name])
        measured = {c.name: Measured(statistics.median(c.walls), c.walls, c.cpus) for c in ready if c.walls}
        yield workload, measured, {c.name: c.failed for c in running.values() if c.failed}
    for c in running.values():
        if c.alive:
            c.end()


def compare(file, workload, steps, contenders, bursts, starts, limit=None):
    """Prints first call, time of a step, CPU time, peak memory and ratios to the first contender of one workload; the same as a list.

    contenders: [(name, python)]. starts: how often the first call is measured, each time in a fresh process. limit: seconds that a contender
    has for its first step, and for each burst.
    """
    firsts = {name: [] for name, _ in contenders}  # (wall, CPU) of each start
    for _ in range(starts - 1):
        for name, python in contenders:
            probe = Contender(name, python, file, workload, limit)
            if not probe.failed:
                firsts[name].append((probe.start["first"], probe.start["first_cpu"]))
                probe.end()
    running = [Contender(name, python, file, workload, limit) for name, python in contenders]
    for c in running:
        if c.failed:
            print(f"  {c.name}: does not run: {c.failed}")
    running = [c for c in running if not c.failed]
    if not running:
        return []
    for c in running:
        firsts[c.name].append((c.start["first"], c.start["first_cpu"]))
    for turn in range(bursts):
        for c in running:  # those that are much slower than the first take fewer turns
            if not c.failed and (turn == 0 or turn % _rest(min(c.walls) / min(running[0].walls), bursts) == 0):
                c.burst(steps)
    for c in running:
        if c.failed:
            print(f"  {c.name}: stopped: {c.failed}")
    running = [c for c in running if c.walls]
    if not running:
        return []
    base, rows = running[0], []
    print(f"{workload}: {'':14s} first call s   CPU s ratio | step ms (median)  ratio | CPU ms  ratio | peak MB  ratio")
    base_peak = None
    for c in running:
        peak = c.end()
        base_peak = base_peak or peak
        wall, cpu = ratio(c.walls, base.walls), ratio(c.cpus, base.cpus)
        first, first_cpu = map(statistics.median, zip(*firsts[c.name]))
        _, base_first = map(statistics.median, zip(*firsts[base.name]))
        row = {"workload": workload, "contender": c.name, "first": first, "first_cpu": first_cpu, "peak": peak}
        rows.append(row | {"wall": statistics.median(c.walls), "cpu": statistics.median(c.cpus)})
        print(
            f"  {c.name:24s} {first:8.2f} {first_cpu:7.2f} {first_cpu / base_first:5.2f} | {1000 * rows[-1]['wall']:14.3f} {wall:8.3f} | "
            f"{1000 * rows[-1]['cpu']:7.2f} {cpu:5.2f} | {peak:7.0f} {peak / base_peak:6.2f}",
            flush=True,
        )
    return rows


def add_torch(parser):
    parser.add_argument("--torch-python", metavar="PYTHON", help="a Python in which torch is installed: measure it too")


def torch_python(args):
    """The Python that torch runs in, or None: that of `--torch-python`, or this one where torch is installed."""
    return args.torch_python or (sys.executable if importlib.util.find_spec("torch") else None)


def options(doc, workloads):
    """The parser of the command line that all benchmarks of this kind share."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--mindspore-python", metavar="PYTHON", help="a Python in which MindSpore 2.10 is installed: measure it too"
    )
    add_torch(parser)
    parser.add_argument("--only", metavar="NAMES", help=f"workloads, by commas, of {', '.join(workloads)}")
    parser.add_argument("--bursts", type=int, default=9, help="bursts of each contender, in turn")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--workload", help=argparse.SUPPRESS)
    return parser


def arguments(doc, workloads, starts=3):
    """The command line of a benchmark that measures the first call as well (`compare`)."""
    parser = options(doc, workloads)
    parser.add_argument(
        "--starts", type=int, default=starts, help="how often the first call is measured, each time in a fresh process"
    )
    parser.add_argument(
        "--limit", type=float, help="seconds that a contender has for its first step, and for each burst"
    )
    parser.add_argument("--json", type=pathlib.Path, help="file for all figures")
    return parser.parse_args()


def mindspore_of(worker):
    """The module `mindspore` of a worker: the real one, or msjax under its name."""
    if worker.startswith("msjax"):
        import msjax

        msjax.install()
    import mindspore

    return mindspore


def main(
    file,
    description,
    steps,
    builders,
    starts=3,
    here=("jax", "msjax"),
    real=("mindspore",),
    real_first=False,
    torch=False,
):
    """The command line of a benchmark: runs its workloads in turn, or (in a worker) one of them.

    steps: workload -> steps of a burst. builders: a function of (contender, workload) that gives what `worker_loop` takes. here, real: the
    contenders of this Python, and those of `--mindspore-python`. real_first: whether ratios are to the latter, where there is one. torch:
    whether `builders` knows torch.
    """
    args = arguments(description, steps, starts)
    if args.worker:
        worker_loop(builders(args.worker, args.workload))
        return
    contenders = [(name, sys.executable) for name in here]
    others = [(name, args.mindspore_python) for name in real if args.mindspore_python]
    contenders = [*others, *contenders] if real_first else [*contenders, *others]
    if torch and torch_python(args):
        contenders.append(("torch", torch_python(args)))
    rows = []
    for workload in args.only.split(",") if args.only else steps:
        rows += compare(file, workload, steps[workload], contenders, args.bursts, args.starts, args.limit)
        if args.json:
            args.json.write_text(json.dumps(rows, indent=1) + "\n")  # what there is, should the rest be stopped
