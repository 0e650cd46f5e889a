"""Records what callbacks of MindSpore's Model see in the runs of cases_model.py: run with a Python that has MindSpore 2.10.

python tests/goldens/record_model.py
"""

import pathlib
import sys

import mindspore
import mindspore.dataset
import mindspore.train

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import cases_model  # noqa: E402
import golden_files  # noqa: E402

if __name__ == "__main__":
    mindspore.set_device("CPU")
    cases_model.SEEDS = 40
    both = {str(mode): cases_model.runs(mindspore, mode) for mode in (mindspore.GRAPH_MODE, mindspore.PYNATIVE_MODE)}
    golden_files.write("model", both, groups=1)
    print(f"{sum(map(len, both.values()))} runs of {mindspore.__version__}")
