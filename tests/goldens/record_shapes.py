"""Record what MindSpore does with shapes that do not fit: shapes.jsonl."""

from oracle import set_mode, settle

# isort: split
import golden_files
from cases_shapes import EXPRESSIONS, outcome

set_mode(False)
found = {}
for expression in EXPRESSIONS:
    found[expression] = outcome(expression)
    settle()
golden_files.write("shapes", found)
