"""Run one of the fuzzers: random cases, on MindSpore and on msjax; what differs is written down, and makes the exit code 1.

python tests/fuzz/drive.py indexing --mindspore-python PYTHON --count 20000 --seed 1 --out differences.jsonl
"""

import argparse
import collections
import contextlib
import importlib
import itertools
import json
import math
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent.parent)]
import golden_files  # noqa: E402

import msjax  # noqa: E402

msjax.install()
from sides import DEFAULT_FLAGS, Side  # noqa: E402

BOUND = {
    "Float16": 4e-3,
    "BFloat16": 3e-2,
    "Float32": 1e-4,
    "Float64": 1e-8,
    "Complex64": 1e-4,
    "Complex128": 1e-8,
    "float": 1e-5,
}
BATCH = 50  # cases a message
ROUNDED = ("networks", "training", "edits", "graphs")  # fuzzers whose chains end with what MindSpore's `tanh` leaves
NESTED = ("tuple", "list", "dict")


def near(a, b, bound):
    """Whether two nested lists of numbers agree within a relative and absolute bound."""
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(near(x, y, bound) for x, y in zip(a, b))
    if a == b:
        return True
    if not isinstance(a, (int, float, complex)) or not isinstance(b, (int, float, complex)):
        return False
    if isinstance(a, complex) or isinstance(b, complex):
        a, b = complex(a), complex(b)
        return near(a.real, b.real, bound) and near(a.imag, b.imag, bound)
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return abs(a - b) <= bound * max(1, abs(a), abs(b))


def same(theirs, ours, slack=1):
    """What two results are to each other: equal, raise (both), beyond (only MindSpore raises), refused (only msjax), ...

    slack: the bound of the dtype is multiplied with it.

    Returns:
        One of "equal", "raise", "beyond", "refused", "type", "shape", "value".
    """
    if theirs[0] == "!" or ours[0] == "!":
        if theirs[0] == ours[0]:
            return "raise" if ours[1] not in ("Crash", "Hang") or theirs[1] in ("Crash", "Hang") else "refused"
        return "beyond" if theirs[0] == "!" else "refused"
    if theirs[0] in NESTED or ours[0] in NESTED:
        if theirs[0] != ours[0] or len(theirs[1]) != len(ours[1]):
            return "type"
        return next((r for r in (same(a, b, slack) for a, b in zip(theirs[1], ours[1])) if r != "equal"), "equal")
    if theirs[0] != ours[0] or len(theirs) != len(ours):
        return "type"
    if len(theirs) < 3:
        return "equal" if theirs == ours else "value"
    if theirs[1] != ours[1]:
        return "shape"
    return "equal" if near(theirs[2], ours[2], slack * BOUND.get(theirs[0], 0)) else "value"


def answers(mindspore, ours, cases, size):
    """(case, MindSpore's answer, msjax's answer) for each case; both sides work at the same time, on `size` cases a message.

    Without MindSpore (None) its answer is {}: the modes of msjax are compared with each other.
    """
    cases = iter(cases)
    while batch := list(itertools.islice(cases, size)):
        if mindspore is not None:
            mindspore.send(batch)
        ours.send(batch)
        theirs = [{}] * len(batch) if mindspore is None else mindspore.receive(batch)
        yield from zip(batch, theirs, ours.receive(batch))


def blocks(options, module):
    """(number, cases) of each block that is not yet in the file of results; each has a seed of its own."""
    if options.again:
        cases = (line["case"] for line in map(json.loads, open(options.again)) if "case" in line)
        for number in itertools.count():
            if not (block := list(itertools.islice(cases, module.BLOCK))):
                return
            yield number, block
    done = set()
    if options.out and pathlib.Path(options.out).exists():
        done = {line["block"] for line in map(json.loads, open(options.out)) if "block" in line}
    size = module.BLOCK
    for number in range(-(-options.count // size)):
        if number not in done:
            generator = module.Generator(f"{options.seed} {number}")
            yield number, list(itertools.islice(generator, min(size, options.count - number * size)))


def steady(differ, options, judge, module):
    """What differs, asked once more of a fresh MindSpore, whose answer depends on no earlier case."""
    if not differ:
        return
    limit = getattr(module, "LIMIT", 30)
    rounded = Side(None, options.fuzzer, limit, rounded=True)  # starts when it is asked
    with Side(options.mindspore_python, options.fuzzer, limit) as fresh, rounded:
        for _, case, _, ours in differ:
            case = getattr(module, "again", dict)(case)
            theirs = fresh.ask(case)
            if judge(case, theirs, ours, same) not in module.ALLOWED:
                fresh.close()  # then the next has no earlier case at all
                theirs = fresh.ask(case)
            verdict = judge(case, theirs, ours, same)
            if "value" in verdict and " and " not in verdict and options.fuzzer in ROUNDED:
                verdict = "tanh" if judge(case, theirs, rounded.ask(case), same) in module.ALLOWED else verdict
            yield verdict, case, theirs, ours


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fuzzer", help="a module of this folder with Generator and run: indexing, operators, ...")
    parser.add_argument(
        "--mindspore-python",
        help="a Python in which MindSpore 2.10 is installed; without it networks compares the modes of msjax alone",
    )
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", default="1", help="a number or a word")
    parser.add_argument(
        "--out", help="file that gets a JSON line for each difference and block; what it has is not run again"
    )
    parser.add_argument(
        "--record",
        help="name of the golden file that gets the cases that need no look with MindSpore's answers, for test_samples.py",
    )
    parser.add_argument(
        "--shrink", action="store_true", help="make what differs smaller (the fuzzers that have `shrink`)"
    )
    parser.add_argument("--again", help="a file of differences: ask those cases again instead of random ones")
    options = parser.parse_args()
    if not options.mindspore_python and options.fuzzer not in DEFAULT_FLAGS:
        parser.error(f"{options.fuzzer} needs --mindspore-python")
    module = importlib.import_module(options.fuzzer)
    judge = getattr(module, "judge", lambda case, theirs, ours, same: same(theirs, ours))
    counts, start = collections.Counter(), time.time()
    out = open(options.out, "w" if options.again else "a") if options.out else sys.stdout
    agreed = {}
    limit = getattr(module, "LIMIT", 30)
    with contextlib.ExitStack() as stack:
        ours = stack.enter_context(Side(None, options.fuzzer, limit))
        mindspore = (
            stack.enter_context(Side(options.mindspore_python, options.fuzzer, limit))
            if options.mindspore_python
            else None
        )
        for block, cases in blocks(options, module):
            lines, found, differ = [], collections.Counter(), []
            for case, a, b in answers(mindspore, ours, cases, BATCH if module.BLOCK > BATCH else 5):
                verdict = judge(case, a, b, same)
                if options.shrink and verdict not in module.ALLOWED:
                    case, a, b = module.shrink(case, verdict, mindspore, ours, same)
                if verdict in module.ALLOWED:
                    found[verdict] += 1
                    agreed[json.dumps(case, ensure_ascii=False, default=str)] = a
                else:
                    differ.append((verdict, case, a, b))
            for verdict, case, a, b in differ if mindspore is None else steady(differ, options, judge, module):
                if verdict in (*module.ALLOWED, "tanh"):
                    found["tanh" if verdict == "tanh" else "unsteady"] += 1
                    continue
                found[verdict] += 1
                lines.append({"verdict": verdict, "case": case, "mindspore": a, "msjax": b})
            lines.append({"block": block, **found})
            out.write("".join(json.dumps(line, default=str) + "\n" for line in lines))
            out.flush()
            counts += found
            print(sum(counts.values()), dict(counts), f"{time.time() - start:.0f} s", file=sys.stderr)
    if options.record:
        golden_files.write(options.record, agreed)
    return int(any(verdict not in (*module.ALLOWED, "unsteady", "tanh") for verdict in counts))


if __name__ == "__main__":
    sys.exit(main())
