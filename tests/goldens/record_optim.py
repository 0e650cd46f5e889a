"""Record 25-step trajectories of all optimizers: optim.xz."""

from oracle import HERE, set_mode, settle

# isort: split
from cases_optim import EXPRESSIONS, trajectory
from golden_cases import Store, Tensor

set_mode(False)
store = Store()
for expression in EXPRESSIONS:
    try:
        store.index[expression] = {"found": store.encode({k: Tensor(v) for k, v in trajectory(expression).items()})}
    except Exception as error:
        settle()
        line = [x for x in str(error).split("\n") if x.strip("- ")][0]
        print(f"  {expression}: {type(error).__name__}: {line[:150]}")
        store.index[expression] = {"lacks": [type(error).__name__, line[:200]]}
store.write(HERE / "optim.xz")
