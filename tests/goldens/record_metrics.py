"""Records what MindSpore's metrics give for the cases of cases_metrics.py: run with a Python that has MindSpore 2.10.

python tests/goldens/record_metrics.py
"""

import pathlib
import sys

import mindspore

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import cases_metrics  # noqa: E402
import golden_files  # noqa: E402

if __name__ == "__main__":
    values = {case: cases_metrics.evaluate(mindspore.train, mindspore.Tensor, case) for case in cases_metrics.CASES}
    golden_files.write("metrics", values)
    print(f"{len(values)} cases of {mindspore.__version__}")
