"""Runs documented examples of communication, one after the other on each process: python documented.py EXAMPLES_JSON FOLDER.

EXAMPLES_JSON: {name: source}. Each process writes {name: [what it printed, error or None]} to FOLDER/RANK.json.
"""

import ast
import contextlib
import io
import json
import pathlib
import sys
import traceback

import mindspore as ms
from mindspore.communication import get_rank, init

init()
ms.set_device("Ascend")  # said once, before the examples do
found = {}
for name, source in json.loads(pathlib.Path(sys.argv[1]).read_text()).items():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    said, error = io.StringIO(), None
    with contextlib.redirect_stdout(said):
        try:
            space = {"__name__": "__main__"}
            for statement in ast.parse(source).body:
                if isinstance(statement, ast.Expr):  # shows its value, as at the prompt
                    exec(compile(ast.Interactive([statement]), name, "single"), space)
                else:
                    exec(compile(ast.Module([statement], []), name, "exec"), space)
        except Exception:
            error = traceback.format_exc()
    found[name] = [said.getvalue(), error]
    print(name, "error" if error else "ran", flush=True)
    pathlib.Path(sys.argv[2], f"{get_rank()}.json").write_text(json.dumps(found))
