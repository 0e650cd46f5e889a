"""Records what MindSpore does with the options of cases_checkpoints.py: run with a Python that has MindSpore 2.10.

python tests/goldens/record_checkpoints.py
"""

import json
import pathlib
import sys

import mindspore

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import cases_checkpoints  # noqa: E402

if __name__ == "__main__":
    mindspore.set_device("CPU")
    made = cases_checkpoints.runs(mindspore)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(note)}" for name, note in made.items())
    (HERE / "checkpoints.json").write_text("{\n" + lines + "\n}\n")
    print(f"{len(made)} calls of {mindspore.__version__}")
