"""Records what MindSpore's pipelines, samplers and transforms give for dataset_engine_cases.py.

Run with a Python that has MindSpore 2.10: python tests/goldens/record_dataset_engine.py
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from dataset_engine_cases import CASES, outcome  # noqa: E402

if __name__ == "__main__":
    recorded = {name: outcome(function) for name, function in CASES.items()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in recorded.items())
    (HERE / "dataset_engine.json").write_text("{\n" + lines + "\n}\n")
    print(len(recorded), "cases")
