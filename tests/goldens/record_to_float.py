"""Record in which types a Cell of `to_float` computes: to_float.jsonl."""

import oracle  # noqa: F401

# isort: split
import golden_files
from cases_to_float import CASES, outcome

golden_files.write(
    "to_float", {mode: {case: outcome(mode, case) for case in CASES} for mode in ("graph", "pynative")}, groups=1
)
