"""Random programs (grammar.py), each step of which is run in both modes; results, Parameters and attributes are compared.

A case is a dict: `source` (the text of a module) and `steps` (texts of expressions and statements that are run after it, one by one).
The result of a mode is one [result, state] for each step; the last of them is an exception where one was raised.
"""

import contextlib
import io
import itertools
import linecache
import sys
import types
import warnings

import mindspore as ms
import numpy as np
from grammar import Generator
from mindspore import Parameter, Tensor, mint, nn, ops
from shrink import shrink as shrunken
from texts import settle

__all__ = ["ALLOWED", "Generator", "judge", "run", "script", "shrink"]
LIMIT = 90  # seconds a case
BLOCK = 50  # cases of one seed
ALLOWED = ("equal", "raise", "beyond", "python")  # verdicts that need no look
NAMES = {"ms": ms, "np": np, "nn": nn, "ops": ops, "mint": mint, "Tensor": Tensor, "Parameter": Parameter}
MODES = {"pynative": ms.PYNATIVE_MODE, "graph": ms.GRAPH_MODE}
_numbers = itertools.count()


def script(case):
    """The case as a file that can be run with either package."""
    imports = "import mindspore as ms\nimport numpy as np\nfrom mindspore import Parameter, Tensor, mint, nn, ops\n\n"
    mode = "ms.set_context(mode=ms.PYNATIVE_MODE)  # and ms.GRAPH_MODE\n"
    steps = "".join(f"print({s})\n" if _is_expression(s) else f"{s}\n" for s in case["steps"])
    return imports + mode + case["source"] + steps


def _is_expression(text):
    try:
        compile(text, "step", "eval")
        return True
    except SyntaxError:
        return False


def run(case):
    """{"pynative": [[result, state], ...], "graph": ...} as plain data."""
    return {name: _run(case, mode) for name, mode in MODES.items() if name in case.get("modes", MODES)}


def _run(case, mode):
    ms.set_context(mode=mode)
    module = types.ModuleType(
        f"program_{next(_numbers)}"
    )  # MindSpore's compiler asks for the function's module and file
    module.__file__ = f"<{module.__name__}>"
    module.__dict__.update(NAMES)
    sys.modules[module.__name__] = module
    linecache.cache[module.__file__] = len(case["source"]), None, case["source"].splitlines(True), module.__file__
    found = []
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(case["source"], module.__file__, "exec"), module.__dict__)
            for step in case["steps"]:
                if _is_expression(step):
                    result = plain(eval(step, module.__dict__))
                else:
                    exec(step, module.__dict__)
                    result = ["NoneType", "None"]
                found.append([result, _state(module)])
    except Exception as error:
        settle()
        kind = next(t for t in type(error).__mro__ if t.__module__ == "builtins")
        found.append([["!", kind.__name__, str(error)[:300]], []])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
        del sys.modules[module.__name__], linecache.cache[module.__file__]
    return found


def _state(module):
    """Parameters and attributes of the Cell, and the inputs."""
    names = module.__dict__
    found = [[k, plain(names[k])] for k in ("x", "z", "y")]
    if "net" in names:
        found += [[p.name, plain(p.value())] for p in names["net"].get_parameters()]
        for cell_name, cell in names["net"].cells_and_names():
            for k in ("n", "q", "t", "seen", "kept", "d"):
                if k in cell.__dict__ or hasattr(cell, k):
                    found.append([f"{cell_name}.{k}", plain(getattr(cell, k))])
    return found


def plain(value):
    """A result as plain data."""
    if isinstance(value, dict):
        return ["dict", [["tuple", [["str", repr(k)], plain(v)]] for k, v in value.items()]]
    if isinstance(value, (tuple, list)):
        return ["list" if isinstance(value, list) else "tuple", [plain(v) for v in value]]
    if isinstance(value, Tensor):
        return [str(value.dtype), list(value.shape), value.asnumpy().reshape(-1).tolist()]
    if isinstance(value, float):
        return ["float", [], [value]]
    if isinstance(value, nn.Cell) or callable(value) or "Handle" in type(value).__name__:
        return ["object", "object"]
    return [type(value).__name__, repr(value)]


def _compare(case, theirs, ours, same, compiled):
    """What the steps of one mode are to each other, up to the first exception: a verdict and the number of the step."""
    for number, (a, b) in enumerate(zip(theirs, ours)):
        verdict = same(a[0], b[0], 20)
        if verdict == "raise" and a[0][1] != b[0][1]:
            verdict = "raises other"
        if verdict == "raise":
            return "raise", number
        if verdict != "equal":
            return verdict, number
        for (name, x), (_, y) in zip(a[1], b[1]):
            verdict = same(x, y, 20)
            if verdict != "equal":
                dropped = compiled or "jit" in case["steps"][number]
                if dropped and name.rpartition(".")[2] in ("seen", "kept", "d", "x", "y", "z"):
                    return "python", number  # MindSpore drops what compiled code does to lists, dicts and its arguments
                return f"state {verdict}", number
    return "equal", len(theirs)


def judge(case, theirs, ours, same):
    """The worst of both modes: "python" where MindSpore's modes differ and msjax does in GRAPH_MODE as it does in PYNATIVE_MODE."""
    if isinstance(theirs, list) or isinstance(ours, list):  # a side died
        return "equal" if theirs == ours else "beyond" if isinstance(theirs, list) else "refused"
    verdicts = []
    for mode in theirs:
        verdict, _ = _compare(case, theirs[mode], ours[mode], same, mode == "graph")
        if verdict not in ALLOWED and mode == "graph" and "pynative" in theirs:
            as_python = _compare(case, theirs["pynative"], ours[mode], same, False)[0]
            if as_python in ("equal", "raise", "beyond"):
                verdict = "python"
        verdicts.append(verdict if verdict in ALLOWED else f"{mode} {verdict}")
    return max(verdicts, key=lambda v: (v not in ALLOWED, ALLOWED.index(v) if v in ALLOWED else 0))


def shrink(case, verdict, mindspore, ours, same):
    """(a smaller case of the same verdict, MindSpore's answer, msjax's answer)"""

    def ask(smaller):
        return smaller, mindspore.ask(smaller), ours.ask(smaller)

    case = shrunken(case, lambda smaller: judge(*ask(smaller), same) == verdict)
    return ask(case)
