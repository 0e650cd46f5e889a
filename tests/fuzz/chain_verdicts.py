"""What the answers to a case of chains.py are to each other: the first stage that differs and is not explained."""

import re

import numpy as np
from chains import written

ALLOWED = ("equal", "raise", "lacks", "beyond", "python", "numpy")  # verdicts that need no look
SLACK = 8  # times the bound of a dtype: a chain carries its roundings on
LACKS = re.compile(
    r"(?i)unregistered|unsupported op \[|not support(ed)? on CPU|for CPU|kernel.*(not|un)support|select kernel|not found in .*kernel"
    r"|unsupported (data )?type|op info|kernel type|CPU.* not support|no kernel|device_target"
)
# (what a statement has, dtypes of its operands): lines of the deviations
EXPLAINED = (
    (r"\b(var|std|var_mean|std_mean|norm)\(", "int|bool"),
    (r"\bany\(", "int|bool|float"),
    (r"rounding_mode", "."),
)
DIVISIONS = (
    r"%|mod|remainder|//|\*\*|pow|div|round"  # of integers by 0 and beyond their dtype there is no value to rely on
)
ENDS = r"\b(0|0\.0|False|1e10|255|300)\b"
REDUCTIONS = r"\b(sum|prod|mean|nansum|count_nonzero|cumsum|max|min|any|all|amax|amin|argmax|argmin|std|var|norm|logsumexp|nanmean|cumprod)\("


class _Types:
    """NumPy's types by the names that they have in MindSpore."""

    def __getattr__(self, name):
        return np.dtype(name.rstrip("_"))


AS_NUMPY = {"np": np, "ms": _Types(), "Tensor": lambda values, dtype=None: np.array(values, dtype)}


def judge(case, theirs, ours, same):
    """The worst of all stages; what follows from a value that differs, or that one of the two lacks, is left out."""
    if isinstance(theirs, list) or isinstance(ours, list):
        return "equal" if theirs == ours else "beyond" if isinstance(theirs, list) else "refused: died"
    worst, broken = "equal", set()
    for stage, their in theirs.items():
        mine, line = ours.get(stage, ["!", "Missing", ""]), ""
        if stage.startswith("step"):
            line = case["lines"][int(stage[5:])]
            if set(re.findall(r"\b[vxy]\d*\b", line)) & broken:
                broken.add(written(line))
                continue
            verdict = _of_statement(case, int(stage[5:]), theirs, mine, same)
        elif broken:
            continue
        else:
            verdict = _of_whole(case, stage, theirs, ours, mine, same)
        if line and verdict not in ("equal", "raise"):
            broken.add(written(line))
        if verdict not in ALLOWED:
            head = re.sub(r"\b[vxyT]\d*\b", "v", line.partition(" = ")[2] or line)[:60]
            return f"{stage.rstrip('0123456789 ')} {verdict} {head}".strip()
        worst = max(worst, verdict, key=ALLOWED.index)
        if broken and line and not re.match(r"v\d+ = ", line) and verdict not in ("equal", "raise"):
            break  # other names may share what was written
    return worst


def _compared(theirs, ours, same):
    verdict = same(theirs, ours, SLACK)
    if verdict in ("raise", "beyond") and theirs[1] != ours[1]:
        return "lacks" if LACKS.search(theirs[2]) else "raises other" if verdict == "raise" else "beyond"
    return verdict


def _of_whole(case, stage, theirs, ours, mine, same):
    """Of a stage that runs all statements."""
    verdict = _compared(theirs[stage], mine, same)
    if verdict in ("equal", "raise") or not stage.startswith("graph"):
        return verdict
    eager = stage.replace("graph", "pynative") if "gradient" in stage else "end"
    if verdict in ("lacks", "beyond"):
        writes = any(not re.match(r"v\d+ = ", line) for line in case["lines"])  # views make the modes differ
        alike = writes or eager not in ours or same(ours[eager], mine, SLACK) == "equal"
        return verdict if alike else "graph is not pynative"
    return "python" if eager in theirs and _compared(theirs[eager], mine, same) == "equal" else verdict


def _of_statement(case, step, theirs, mine, same):
    verdict = _compared(theirs[f"step {step}"], mine, same)
    if verdict in ("value", "type", "shape", "refused") and _is_explained(case, step, theirs, mine, same):
        return "numpy"
    return verdict


def _is_explained(case, step, theirs, mine, same):
    """Whether a line of the deviations tells of the statement, or msjax gives what NumPy gives for an index."""
    line = case["lines"][step]
    values = {k: [dtype.capitalize(), shape, numbers] for k, (dtype, numbers, shape) in case["tensors"].items()}
    values |= {written(case["lines"][k]): theirs[f"step {k}"] for k in range(step) if theirs[f"step {k}"][0] != "!"}
    used = [values[k] for k in re.findall(r"\b[vxyT]\d*\b", line.partition(" = ")[2] or line) if k in values]
    has = lambda dtypes: any(re.search(dtypes, v[0], re.I) for v in used)  # noqa: E731
    if any(re.search(text, line) and has(dtypes) for text, dtypes in EXPLAINED):
        return True
    numbers = [n for v in used for n in v[2] if not isinstance(n, (complex, str))]
    if (
        has("int|bool")
        and re.search(DIVISIONS, line)
        and (re.search(ENDS, line) or any(n == 0 or abs(n) >= 2**7 for n in numbers))
    ):
        return True
    if re.search(REDUCTIONS, line) and any(0 in v[1] for v in used):
        return True
    if mine[0] == "!" and mine[1] != "IndexError" or "ops." in line or "mint." in line:
        return False
    try:
        arrays = {
            k: np.array(v[2]).astype(v[0].lower()).reshape(v[1])
            for k, v in values.items()
            if v[0].lower() != "bfloat16"
        }
        exec(line, names := {**AS_NUMPY, **arrays})
        found = names[written(line)]
    except Exception:
        return mine[0] == "!"
    return (
        mine[0] != "!"
        and same([mine[0], list(np.shape(found)), np.asarray(found).reshape(-1).tolist()], mine, SLACK) == "equal"
    )
