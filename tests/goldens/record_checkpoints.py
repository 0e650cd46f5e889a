"""Records what MindSpore does with the options of cases_checkpoints.py: run with a Python that has MindSpore 2.10.

python tests/goldens/record_checkpoints.py
"""

import pathlib
import sys

import mindspore

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import cases_checkpoints  # noqa: E402
import golden_files  # noqa: E402

if __name__ == "__main__":
    mindspore.set_device("CPU")
    made = cases_checkpoints.runs(mindspore)
    golden_files.write("checkpoints", made)
    print(f"{len(made)} calls of {mindspore.__version__}")
