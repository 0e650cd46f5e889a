"""Record printed forms of Tensors, Parameters, dtypes and Cells, and the dtypes that Tensor() infers: printing.json."""

from oracle import set_mode, settle, write_json

# isort: split
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
write_json("printing.json", data)
