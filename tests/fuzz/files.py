"""Changed files over all formats that the package reads: each gives a clear error or content, in bounded time and memory, and runs nothing.

python tests/fuzz/files.py --count 200000 --seed 1 --out faults.jsonl

Each block of cases is read by a process of its own, so that a crash is one of the faults. A case is its block's seed and number: it is the
same on every machine. Faults are exceptions that MindSpore's loaders do not raise, errors without a text, more than 4 times the file and
64 MiB of memory (600 MiB where pictures are decoded), more than `SECONDS`, processes, connections and foreign files opened while reading, and crashes.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "goldens"), str(HERE.parent.parent)]

SECONDS, BLOCK = 20, 250
BESIDE, PICTURES = (
    64 << 20,
    600 << 20,
)  # bytes besides 4 times the file; a picture may claim 89 million pixels, and is turned once
_RUNS = (
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "subprocess.Popen",
    "ctypes.dlopen",
    "socket.connect",
    "socket.bind",
)
_seen = {"watched": False, "events": [], "folder": ""}


def _watch(event, args):
    """Audit hook: notes what reading a file must not do."""
    if not _seen["watched"]:
        return
    if event == "subprocess.Popen" and str(args[1][-1]).endswith("matlab_process.py"):
        return  # the reader of MATLAB's files, which the last one has crashed
    if event in _RUNS:
        _seen["events"].append(f"{event} {args!r:.200}")
    elif event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+") and isinstance(args[0], str):
        if not args[0].startswith((_seen["folder"], tempfile.gettempdir(), "/dev/")):
            _seen["events"].append(f"open {args[0]} {args[1]}")


class Slow(BaseException):
    """The bound of time has passed."""


def _too_slow(*_):
    raise Slow


class Reading:
    """The files of one loader in a folder of their own, changed and read."""

    def __init__(self, loader, others):
        from file_loaders import files_of

        self.loader, self.others = loader, others
        self.kept, self.folder = (pathlib.Path(tempfile.mkdtemp(prefix="msjax-files-")) for _ in range(2))
        loader.make(self.kept)
        self.whole = loader.read(self.kept)
        self.names = [p.relative_to(self.kept) for p in files_of(self.kept) if p.stat().st_size < 1 << 20]

    def close(self):
        """Remove the folders."""
        for folder in (self.kept, self.folder):
            shutil.rmtree(folder, ignore_errors=True)

    def case(self, seed):
        """(verdict, details) of one changed file: "error", "read", or a fault."""
        from file_loaders import ERRORS
        from file_mutations import mutated

        rng = random.Random(seed)
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.kept, self.folder)
        path = self.folder / rng.choice(self.names)
        content = mutated(path.read_bytes(), rng, self.others)
        path.chmod(0o600)
        path.write_bytes(content)
        before, _seen["folder"] = _peak(), str(self.folder)
        _seen["events"].clear()
        _seen["watched"] = True
        try:
            signal.alarm(SECONDS)
            try:
                found = self.loader.read(self.folder)
                verdict = "read", ""
                if self.loader.sealed and len(content) and repr(found) != repr(self.whole):
                    verdict = "other content", repr(found)[:200]
            finally:
                signal.alarm(0)
        except ERRORS as error:
            verdict = ("error", str(error)[:200]) if str(error) else ("no text", repr(error))
        except Slow:
            verdict = "slow", ""
        except Exception as error:
            verdict = "exception", f"{error!r:.300}\n{''.join(traceback.format_tb(error.__traceback__)[-3:])}"
        finally:
            _seen["watched"] = False
        if _seen["events"]:
            verdict = "executed", str(_seen["events"][:3])
        grown = _peak() - before
        beside = PICTURES if self.loader.name.startswith("Files of") else BESIDE
        if grown > 4 * len(content) + beside:
            verdict = "memory", f"{grown} bytes for a file of {len(content)}"
        return verdict


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _samples():
    """Short files of several formats, to take parts from."""
    from file_loaders import LOADERS, files_of

    made = []
    for loader in LOADERS[:20]:
        with tempfile.TemporaryDirectory() as folder:
            loader.make(pathlib.Path(folder))
            made += [path.read_bytes()[:5000] for path in files_of(folder)]
    return made


def prepare():
    """What a process does before its first case."""
    import msjax

    msjax.install()
    warnings.simplefilter("ignore")
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGALRM, _too_slow)


def work():
    """The process of the cases: blocks come as lines [loader, seed, numbers], results go back as lines."""
    results = os.fdopen(os.dup(1), "w")
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    prepare()
    sys.addaudithook(_watch)
    from file_loaders import LOADERS

    others = _samples()
    for line in sys.stdin:
        which, seed, numbers = json.loads(line)
        reading = Reading(LOADERS[which], others)
        for number in numbers:
            results.write(json.dumps(["begin", number]) + "\n")
            results.flush()
            verdict = reading.case(f"{seed} {which} {number}")
            results.write(json.dumps(["end", number, *verdict]) + "\n")
            results.flush()
        reading.close()
        results.write('["done"]\n')
        results.flush()


class Worker:
    """A process of cases; a new one after a crash, a hang, or much memory."""

    def __init__(self):
        self.process = None

    def run(self, which, seed, numbers):
        """Yield (number, verdict, details)."""
        left = list(numbers)
        while left:
            if self.process is None:
                self.process = subprocess.Popen(
                    [sys.executable, __file__, "--work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
                )
            self.process.stdin.write(json.dumps([which, seed, left]) + "\n")
            self.process.stdin.flush()
            number, ended = None, False
            while line := self._line():
                told = json.loads(line)
                if told[0] == "begin":
                    number = told[1]
                elif told[0] == "end":
                    left.remove(told[1])
                    yield tuple(told[1:])
                    number = None
                else:
                    ended = True
                    break
            if not ended:
                code = self.close()
                if number is None:
                    raise RuntimeError(f"the process of the cases ended with {code} between two cases")
                left.remove(number)
                yield number, "crash", f"exit code {code}"

    def _line(self):
        """A line of the process; "" where it has ended or hangs in the library, for which it is ended."""
        timer = threading.Timer(3 * SECONDS + 120, self.process.kill)
        timer.start()
        try:
            return self.process.stdout.readline()
        finally:
            timer.cancel()

    def close(self):
        """End the process; its exit code."""
        if self.process is None:
            return 0
        self.process.kill()
        code = self.process.wait()
        self.process = None
        return code


FINE = ("error", "read")


def main():
    prepare()  # the table of loaders imports mindspore
    from file_loaders import LOADERS

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", help="file that gets a JSON line for each fault and finished block; its blocks are not run again"
    )
    parser.add_argument("--only", default="", help="loaders whose name contains this")
    options = parser.parse_args()
    chosen = [i for i, loader in enumerate(LOADERS) if options.only.lower() in loader.name.lower()]
    done, counts = set(), collections.Counter()
    if options.out and os.path.exists(options.out):
        for line in map(json.loads, open(options.out)):
            if "block" in line:
                done.add(line["block"])
                counts.update(line["counts"])
    out = open(options.out, "a") if options.out else None
    worker, started = Worker(), time.monotonic()
    for block in range(-(-options.count // BLOCK)):
        if block in done:
            continue
        which = chosen[block % len(chosen)]
        numbers = range(block * BLOCK, min(options.count, (block + 1) * BLOCK))
        here = collections.Counter()
        for number, verdict, details in worker.run(which, options.seed, numbers):
            here[verdict] += 1
            if verdict not in FINE:
                fault = {
                    "loader": LOADERS[which].name,
                    "seed": f"{options.seed} {which} {number}",
                    "verdict": verdict,
                    "details": details,
                }
                print(fault["loader"], fault["seed"], verdict, details.partition("\n")[0][:150], sep=" | ", flush=True)
                if out:
                    out.write(json.dumps(fault) + "\n")
        counts += here
        if out:
            out.write(json.dumps({"block": block, "counts": here}) + "\n")
            out.flush()
    worker.close()
    print(f"{sum(counts.values())} files in {time.monotonic() - started:.0f} s: {dict(counts)}")
    return any(verdict not in FINE for verdict in counts)


if __name__ == "__main__":
    if "--work" in sys.argv:
        work()
    else:
        sys.exit(main())
