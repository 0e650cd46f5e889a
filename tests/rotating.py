"""Which long tests take turns: a run of the whole suite takes a part of them, chosen by the commit; the runs of a repository go through all.

A run of files or folders that are named, of `-k`, or with MSJAX_TEST_ALL=1 takes each case. `turns.json` says into how many parts the
cases of a test are divided. It is made from the CPU seconds of a run of all cases, and made again where the suite has become slow:

    MSJAX_TEST_SECONDS=seconds.tsv MSJAX_TEST_ALL=1 python -m pytest -n auto && python tests/rotating.py seconds.tsv

A run of all cases takes hours; that of a part (without MSJAX_TEST_ALL) does, too: the seconds of its cases are multiplied by the parts that the
table has now, and a test of which no case ran keeps its parts (`python tests/rotating.py --part seconds.tsv`).
"""

import collections
import functools
import json
import os
import pathlib
import subprocess
import sys
import zlib

ROOT = pathlib.Path(__file__).parent.parent
TURNS = pathlib.Path(__file__).with_name("turns.json")

# CPU seconds of all cases of a test together, from which on they are divided -> into how many parts
LONG = {1.5: 3, 4: 4, 10: 6, 40: 10}
EACH_TIME = ("tests/tools/test_generated.py::test_up_to_date",)  # what a change leaves behind is found at once


@functools.cache
def turns():
    """Test without its parameters -> number of parts."""
    return json.loads(TURNS.read_text(encoding="utf-8"))


@functools.cache
def commit():
    """A number that is the same for all workers of a run and another for another commit; of the sources where there is no git."""
    told = (
        os.environ.get("GITHUB_SHA")
        or subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
        ).stdout.strip()
    )
    return int(told, 16) if told else sum(path.stat().st_size for path in (ROOT / "msjax").rglob("*.py"))


def is_whole(config):
    """Whether a run was asked for no files and no names, and not for all cases."""
    return not (config.option.file_or_dir or config.option.keyword or os.environ.get("MSJAX_TEST_ALL"))


def runs(nodeid, number):
    """Whether a case belongs to the part of a commit's number."""
    parts = turns().get(nodeid.partition("[")[0], 1)
    return zlib.crc32(nodeid.encode()) % parts == number % parts


def seconds():
    """CPU seconds of this process and of its ended children."""
    told = os.times()
    return told.user + told.system + told.children_user + told.children_system


def main():
    """Make turns.json of a file with lines of CPU seconds, a tab and the name of a case."""
    *options, path = sys.argv[1:]
    kept = turns() if options == ["--part"] else {}
    total = collections.Counter()
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        spent, _, nodeid = line.partition("\t")
        test = nodeid.partition("[")[0]
        total[test] += float(spent) * kept.get(test, 1)
    measured = {
        test: max(parts for least, parts in LONG.items() if spent >= least)
        for test, spent in total.items()
        if spent >= min(LONG) and test not in EACH_TIME
    }
    made = {**{test: parts for test, parts in kept.items() if test not in total}, **measured}
    TURNS.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    run = sum(spent / made.get(test, 1) for test, spent in total.items())
    print(f"{len(made)} tests take turns: {run:.0f} of {total.total():.0f} seconds of CPU a run")


if __name__ == "__main__":
    main()
