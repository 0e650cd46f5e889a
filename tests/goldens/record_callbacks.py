"""Records what MindSpore's callbacks print, save and change in the runs of cases_callbacks.py: run with a Python that has MindSpore 2.10.

python tests/goldens/record_callbacks.py
"""

import pathlib
import sys

import mindspore
import mindspore.dataset
import mindspore.train

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import cases_callbacks  # noqa: E402
import golden_files  # noqa: E402

if __name__ == "__main__":
    mindspore.set_device("CPU")
    both = {str(m): cases_callbacks.runs(mindspore, m) for m in (mindspore.GRAPH_MODE, mindspore.PYNATIVE_MODE)}
    golden_files.write("callbacks", both, groups=1)
    print(f"{sum(map(len, both.values()))} runs of {mindspore.__version__}")
