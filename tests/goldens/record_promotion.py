"""Record the dtypes and exceptions of operators over all pairs of dtypes: promotion.jsonl."""

import json
import operator  # noqa: F401  (used by the expressions)
import sys
import tempfile

from oracle import as_numpy, ms, set_mode, settle

# isort: split
import golden_files
from cases_promotion import (
    CODES,
    DTYPES,
    GRAPH,
    GRAPH_SCALARS,
    OPERATORS,
    SCALARS,
    TENSOR_ONLY,
    UNARY,
    VALUES,
    functions,
    kind,
    tensor,
)
from mindspore import Tensor, ops  # noqa: F401

CRASH = {"float16", "bfloat16"}  # MindSpore dies of a 0-d one with the other
messages = {}
graph = False


def outcome(f, *args):
    try:
        result = f(*args)
        if isinstance(result, Tensor) and not graph:
            as_numpy(result)
        return kind(result)
    except Exception as error:
        settle()
        text = str(error).split("\n")[0]
        if any(w in str(error) for w in ("Select CPU op", "KernelMod", "this kernel", "unsupported reduce")):
            return "~" if graph else "~" + inferred(f, *args)
        messages.setdefault(type(error).__name__, {}).setdefault(text[:160], 0)
        return "!" + type(error).__name__


def inferred(f, *args):
    """The dtype that is known before the CPU build finds that it lacks the kernel."""
    ms.set_context(pynative_synchronize=False)
    try:
        return kind(f(*args))
    except Exception as error:
        return "!" + type(error).__name__
    finally:
        settle()
        ms.set_context(pynative_synchronize=True)


def value(expression):
    try:
        result = eval(expression)
        if isinstance(result, Tensor):
            a = as_numpy(result)
            return [kind(result), list(a.shape), [str(v) for v in a.reshape(-1).tolist()]]
        return [type(result).__name__, None, repr(result)]
    except Exception as error:
        settle()
        return ["!" + type(error).__name__, None, str(error).strip().split("\n")[0][:200]]


def table(operators, tensor_only, scalars, unary, wrap):
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        F = {name: wrap(f) for name, f in functions(folder).items()}
        T = {d: tensor(d) for d in DTYPES}
        out = {}
        for name in (*operators, *tensor_only):  # x += y changes x: a fresh one each time
            out[name] = {
                a: " ".join(
                    "~" if "0d" in name and {a, b} == CRASH else outcome(F[name], tensor(a), T[b]) for b in DTYPES
                )
                for a in DTYPES
            }
        for name in operators:
            out[name + " scalar"] = {
                s: " ".join(outcome(F[name], tensor(a), SCALARS[s]) for a in DTYPES) for s in scalars
            }
            if name[0] != "i":
                out["scalar " + name] = {
                    s: " ".join(outcome(F[name], SCALARS[s], T[a]) for a in DTYPES) for s in scalars
                }
        for name in unary:
            out[name] = " ".join(outcome(F[name], T[a]) for a in DTYPES)
    seen = {}
    for name, rows in out.items():
        first = seen.setdefault(json.dumps(rows), name)
        out[name] = rows if first == name else "=" + first
    return out


set_mode(False)
data = {
    "dtypes": " ".join(DTYPES),
    "codes": CODES,
    "pynative": table(OPERATORS, TENSOR_ONLY, SCALARS, UNARY, lambda f: f),
}
data["values"] = {k: [e, *value(e)] for k, e in VALUES.items()}
if "--no-graph" not in sys.argv:
    set_mode(True)
    graph = True
    data["graph"] = table(
        [g for g in GRAPH if g in OPERATORS], [g for g in GRAPH if g in TENSOR_ONLY], GRAPH_SCALARS, (), ms.jit
    )
for kind_, texts in messages.items():
    print(kind_, *texts, sep="\n   ")
golden_files.write("promotion", data, groups=1)
