"""Record the tables of cases_ops/, cases_layers*.py, cases_initializers.py: python record_cases.py [family ...] [--errors].

The family `communication` needs a scheduler and is recorded only when it is named: msrun --worker_num=1 --local_worker_num=1
record_cases.py communication.
"""

import importlib
import sys

from oracle import HERE, set_mode, settle

# isort: split
from mindspore import communication

# isort: split
import golden_files
from golden_cases import NAMESPACE, Tensor, forward, gradients, recorded, table_names, table_of

LACKS = (
    "Select CPU op",
    "KernelMod",
    "this kernel",
    "unsupported reduce",
    "Unsupported op [",
    "not support in CPU",
    "does not exist in CPU",
    "only support on",
    "not supported on CPU",
    "unregistered",
    "only supports Ascend",
    "current backend: CPU",
    "support Ascend",
)


def outcome(error):
    """[type, first line]; the kernel's absence is told apart from a wrong argument."""
    settle()
    text = str(error).strip()
    lacks = any(word in text for word in LACKS)
    lines = [line for line in text.split("\n") if line.strip("- ") and not line.startswith("- ")] or [""]
    return {"lacks" if lacks else "error": [type(error).__name__, lines[0][:200]]}


def attempt(case, like):
    """The record of one case."""
    try:
        found = forward(case, like)
        if case.options.get("random"):
            found = {"out": describe(found["out"])}
        entry = {key: recorded(value) for key, value in found.items()}
    except Exception as error:
        return outcome(error)
    try:
        grads = gradients(case, like)
        if grads is not None:
            entry.update({key: recorded(value) for key, value in grads.items() if value})
    except Exception as error:
        failed = outcome(error)
        if "like" in case.options and not like:
            return attempt(case, True)
        entry["grad_error"] = next(iter(failed.values()))
    return entry


def record(module, name, show):
    found = {}
    for case in table_of(module):
        try:
            isinstance(case.expression, str) and eval(case.expression, dict(NAMESPACE))
        except AttributeError as error:  # a name of 1.x: only what has the same definition can be recorded
            if "like" not in case.options:
                print(f"  left out, no such name: {case.id}: {error}")
                continue
        except Exception:
            pass  # the case is about this error
        entry = attempt(case, case.options.get("force", False))
        if ("lacks" in entry or "error" in entry) and "like" in case.options:
            entry = attempt(case, True)
        unexpected = "error" in entry and case.options.get("raises") != entry["error"][0]
        # a fault of the CPU build binds nobody
        found[case.id] = {"lacks": entry["error"]} if unexpected else entry
        if show:
            for key in ("error", "lacks", "grad_error"):
                if key in entry and case.options.get("raises") != entry[key][0]:
                    print(f"  {key}: {case.id}: {entry[key][0]}: {entry[key][1][:130]}")
    golden_files.write(name, found)


def describe(value):
    """Only dtype and shape of what is random."""
    if isinstance(value, Tensor):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, (tuple, list)):
        return [describe(v) for v in value]
    return repr(value)


if __name__ == "__main__":
    set_mode(False)
    families = [a for a in sys.argv[1:] if not a.startswith("-")]
    names = {family: f"cases_ops.{family}" for family in table_names()}
    names.update({p.stem.removeprefix("cases_"): p.stem for p in sorted(HERE.parent.glob("cases_layers*.py"))})
    names["initializers"] = "cases_initializers"
    for family, module in names.items():
        if family in families or not families and family != "communication":
            target = f"ops_{family}" if module.startswith("cases_ops") else family
            if family == "communication":
                communication.init()
            record(importlib.import_module(module), target, "--errors" in sys.argv)
