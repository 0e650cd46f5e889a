"""`python -m msjax record train.py`: a recorded run on msjax, and the file that records one under MindSpore."""

import os
import shutil

from . import msjax_record
from .scripts import split_arguments, start


def main(argv: list[str] | None):
    """Record a script's run, or write the recorder for MindSpore; the exit code is 2 for wrong arguments."""
    parser = msjax_record.options("msjax record")
    parser.add_argument("--copy", metavar="FILE", help="write the recorder: one file that runs under MindSpore")
    given, rest = split_arguments(parser, argv)
    if given.copy:
        shutil.copyfile(msjax_record.__file__, given.copy)
        print(f"wrote {given.copy}; where MindSpore is: python {os.path.basename(given.copy)} train.py --out run.npz")
        return 0
    if given.script is None or not os.path.exists(given.script):
        parser.error("which script?" if given.script is None else f"there is no {given.script}")
    from .compiled_values import CompiledValues

    session = msjax_record.Session(None, given.steps, not given.graph, given.sample, given.formula, CompiledValues())
    msjax_record.record(given, session, start(given.script, rest))
    return 0
