"""Record the losses of whole training runs: training.jsonl."""

from oracle import set_mode

# isort: split
import golden_files
from cases_training import NETS, losses

found = {}
for name in NETS:
    runs = []
    for graph in (False, True):
        set_mode(graph)
        runs.append(losses(name))
    assert all(abs(a - b) <= 1e-5 * abs(a) for a, b in zip(*runs)), f"the modes disagree about {name}"
    found[name] = runs[0]
golden_files.write("training", {"losses": found}, groups=1)
