"""Records the rows that MindSpore gives for dataset_orders_cases.py.

Run with a Python that has MindSpore 2.10: python tests/goldens/record_dataset_orders.py
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import golden_files  # noqa: E402
from dataset_orders_cases import CASES  # noqa: E402

if __name__ == "__main__":
    recorded = {}
    for name, function in CASES.items():
        print(name, file=sys.stderr, flush=True)
        recorded[name] = function()
    golden_files.write("dataset_orders", recorded)
    print(len(recorded), "cases")
