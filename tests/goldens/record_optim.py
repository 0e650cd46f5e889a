"""Record 25-step trajectories of all optimizers: optim.jsonl."""

from oracle import set_mode, settle

# isort: split
import golden_files
from cases_optim import EXPRESSIONS, trajectory
from golden_cases import Tensor, recorded

set_mode(False)
found = {}
for expression in EXPRESSIONS:
    try:
        found[expression] = {"found": recorded({k: Tensor(v) for k, v in trajectory(expression).items()})}
    except Exception as error:
        settle()
        line = [x for x in str(error).split("\n") if x.strip("- ")][0]
        print(f"  {expression}: {type(error).__name__}: {line[:150]}")
        found[expression] = {"lacks": [type(error).__name__, line[:200]]}
golden_files.write("optim", found)
