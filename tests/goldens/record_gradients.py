"""Record the gradients of cases_gradients.py in PYNATIVE_MODE: gradients.jsonl, {"expressions": {...}, "cases": {...}}."""

from oracle import set_mode, settle

# isort: split
import golden_files
from cases_gradients import CASES, EXPRESSIONS, gradient_of, run

set_mode(False)
expressions, cases = {}, {}
for expression in EXPRESSIONS:
    expressions[expression] = gradient_of(expression)
for name in CASES:
    cases[name] = run(name)
    settle()
golden_files.write("gradients", {"expressions": expressions, "cases": cases}, groups=1)
