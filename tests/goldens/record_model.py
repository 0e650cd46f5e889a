"""Records what callbacks of MindSpore's Model see in the runs of cases_model.py: run with a Python that has MindSpore 2.10.

python tests/goldens/record_model.py
"""

import json
import pathlib
import sys

import mindspore
import mindspore.dataset
import mindspore.train

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import cases_model  # noqa: E402

if __name__ == "__main__":
    mindspore.set_device("CPU")
    cases_model.SEEDS = 40
    both = {str(mode): cases_model.runs(mindspore, mode) for mode in (mindspore.GRAPH_MODE, mindspore.PYNATIVE_MODE)}
    lines = [
        f'"{mode}": {{\n' + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in runs.items()) + "\n}"
        for mode, runs in both.items()
    ]
    (HERE / "model.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{sum(map(len, both.values()))} runs of {mindspore.__version__}")
