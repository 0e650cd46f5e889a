"""Records what MindSpore's callbacks print, save and change in the runs of cases_callbacks.py: run with a Python that has MindSpore 2.10.

python tests/goldens/record_callbacks.py
"""

import json
import pathlib
import sys

import mindspore
import mindspore.dataset
import mindspore.train

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import cases_callbacks  # noqa: E402

if __name__ == "__main__":
    mindspore.set_device("CPU")
    both = {str(m): cases_callbacks.runs(mindspore, m) for m in (mindspore.GRAPH_MODE, mindspore.PYNATIVE_MODE)}
    lines = [
        f'"{mode}": {{\n' + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in runs.items()) + "\n}"
        for mode, runs in both.items()
    ]
    (HERE / "callbacks.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{sum(map(len, both.values()))} runs of {mindspore.__version__}")
