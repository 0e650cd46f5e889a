"""Record printed forms of Tensors, Parameters, dtypes and Cells, and the dtypes that Tensor() infers: printing.jsonl."""

from oracle import set_mode, settle

# isort: split
import golden_files
from cases_printing import GROUPS, describe

set_mode(False)
data = {}
for group, expressions in GROUPS.items():
    data[group] = {}
    for expression in expressions:
        found = describe(expression)
        if found[0].startswith("!"):
            settle()
        data[group][expression] = found
golden_files.write("printing", data, groups=1)
