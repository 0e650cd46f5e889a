"""Records what MindSpore's pipelines, samplers and transforms give for dataset_engine_cases.py.

Run with a Python that has MindSpore 2.10: python tests/goldens/record_dataset_engine.py
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import golden_files  # noqa: E402
from dataset_engine_cases import CASES, outcome  # noqa: E402

if __name__ == "__main__":
    recorded = {name: outcome(function) for name, function in CASES.items()}
    golden_files.write("dataset_engine", recorded)
    print(len(recorded), "cases")
