"""Record all gradient forms in both modes: autodiff.jsonl, {case: [pynative, graph or null when equal]}."""

import sys

from oracle import set_mode, settle

# isort: split
import golden_files
from cases_autodiff import CASES, run


def agree(a, b):
    """Equal structure and nearly equal numbers."""
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= 1e-5 * max(abs(a), abs(b)) or (a != a and b != b)
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(agree(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(agree, a, b))
    return a == b


names = sys.argv[1:] or list(CASES)
found = {}
for name in names:
    both = []
    for graph in (False, True):
        set_mode(graph)
        both.append(run(name))
        settle()
    found[name] = [both[0], None if agree(*both) else both[1]]
if sys.argv[1:]:
    print(found)
else:
    golden_files.write("autodiff", {"cases": found}, groups=1)
