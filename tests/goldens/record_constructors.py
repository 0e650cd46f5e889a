"""Record which values constructors, and the calls of datasets, take: python record_constructors.py asked TABLE OUT, with each of the two
Pythons, then python record_constructors.py both TABLE MINDSPORE MSJAX, which writes TABLE.jsonl. Under msjax: python -m msjax
record_constructors.py asked TABLE OUT. TABLE: constructors or data_arguments.
"""

import importlib
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import golden_files  # noqa: E402


def asked(cases):
    """{class: {argument: {value: outcome}}} of the library that answers `import mindspore`."""
    found = {}
    for name in cases.names():
        try:
            found[name] = cases.outcomes(name)
        except Exception as error:
            print(f"  left out: {name}: {error}")
    return found


def alike(theirs, ours):
    """The rows of constructors.jsonl."""
    letters = {"ok": ".", "TypeError": "T", "ValueError": "V"}

    def letter(their, our):
        """The common answer, or how the two differ: the letters of `cases_constructors.DIFFERENCES`."""
        if their == our:
            return letters.get(their, "o")
        return "e" if their == "ok" else "m" if our == "ok" else "o"

    made = {}
    for name in sorted(theirs.keys() & ours.keys()):
        for argument in sorted(theirs[name].keys() & ours[name].keys()):
            pairs = [(kind, ours[name][argument][title]) for title, kind in theirs[name][argument].items()]
            row = "".join(letter(their, our) for their, our in pairs)
            made.setdefault(name, {})[argument] = row
    return made


if __name__ == "__main__":
    if sys.argv[1] == "asked":
        out = pathlib.Path(sys.argv[3]).resolve()
        os.chdir(tempfile.mkdtemp())  # some constructors make folders
        table = importlib.import_module(f"cases_{sys.argv[2]}")
        if hasattr(table, "files"):
            table.files()
        out.write_text(json.dumps(asked(table)))
    else:
        both = [json.loads(pathlib.Path(path).read_text()) for path in sys.argv[3:5]]
        golden_files.write(sys.argv[2], alike(*both), groups=1)
