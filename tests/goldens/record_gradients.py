"""Record the gradients of cases_gradients.py in PYNATIVE_MODE: gradients.json, {"expressions": {...}, "cases": {...}}."""

from oracle import set_mode, settle, write_json

# isort: split
from cases_gradients import CASES, EXPRESSIONS, gradient_of, run

set_mode(False)
expressions, cases = {}, {}
for expression in EXPRESSIONS:
    expressions[expression] = gradient_of(expression)
for name in CASES:
    cases[name] = run(name)
    settle()
write_json("gradients.json", {"expressions": expressions, "cases": cases})
