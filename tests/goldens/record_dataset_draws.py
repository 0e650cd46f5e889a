"""Records what random operations of MindSpore give for dataset_draws_cases.py.

Run with a Python that has MindSpore 2.10: python tests/goldens/record_dataset_draws.py
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import golden_files  # noqa: E402
from dataset_draws_cases import CASES  # noqa: E402

if __name__ == "__main__":
    recorded = {name: function() for name, function in CASES.items()}
    golden_files.write("dataset_draws", recorded)
    print(len(recorded), "cases")
