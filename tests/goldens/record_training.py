"""Record the losses of whole training runs: training.json."""

from oracle import set_mode, write_json

# isort: split
from cases_training import NETS, losses

found = {}
for name in NETS:
    runs = []
    for graph in (False, True):
        set_mode(graph)
        runs.append(losses(name))
    assert all(abs(a - b) <= 1e-5 * abs(a) for a, b in zip(*runs)), f"the modes disagree about {name}"
    found[name] = runs[0]
write_json("training.json", {"losses": found})
