"""mindspore.numpy against what MindSpore gives for the same expression (tests/goldens/numpy.jsonl)."""

import json
import math

import golden_files
import numpy
import pytest
from cases_numpy import EXPRESSIONS, namespace, shown

import msjax
import msjax.numpy as np

GOLDEN = golden_files.read("numpy")
# Where MindSpore's CPU kernel is at fault and ours follows its documentation; each with the reason.
DIFFERENT = {
    "np.cumprod([1, 2, 3])": "a list is int64 there, int32 in all other functions",
    "np.cbrt(s)": "0 gives NaN there",
    "np.divmod(h, 2.5)": "quotient and remainder have two dtypes there",
}
DIFFERENT |= {
    f"np.{name}({x})": "the mean of integers is cut to an integer there"
    for name in ("std", "var")
    for x in ("i", "[1, 2, 3]")
}
DIFFERENT |= {
    f"np.{name}(n)": "that kernel passes over NaN" for name in ("max", "min", "amax", "amin", "ptp", "argmax", "argmin")
}
DIFFERENT |= {
    e: "a common divisor of floats means nothing"
    for e in EXPRESSIONS
    if e.startswith(("np.gcd(", "np.lcm(")) and any(c in e for c in "fhs.")
}
SCOPE = namespace(msjax.Tensor, msjax, np, numpy)


def close(a, b, tolerance):
    if isinstance(a, dict) and isinstance(b, dict):
        (kind, left), (other, right) = a.popitem(), b.popitem()
        return kind == other and len(left) == len(right) and all(close(x, y, tolerance) for x, y in zip(left, right))
    if isinstance(a, list) and isinstance(b, list) and len(a) == 3 and isinstance(a[0], str):
        tolerance = 4e-3 if a[0] == "Float16" else 2e-5
        return a[:2] == b[:2] and len(a[2]) == len(b[2]) and all(close(x, y, tolerance) for x, y in zip(a[2], b[2]))
    if isinstance(a, float) or isinstance(b, float):
        return (math.isnan(a) and math.isnan(b)) or a == b or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
    return a == b


def test_golden_file_has_every_expression():
    assert list(GOLDEN) == sorted(set(EXPRESSIONS))


@pytest.mark.parametrize("part", range(8))
def test_as_mindspore(part):
    wrong = []
    for expression in EXPRESSIONS[part::8]:
        wanted = GOLDEN[expression]
        if isinstance(wanted, str) and wanted.startswith("!") or expression in DIFFERENT:
            continue
        try:
            got = json.loads(json.dumps(shown(eval(expression, dict(SCOPE)), numpy)))
        except Exception as error:
            got = f"!{type(error).__name__}: {error}"
        if not close(got, json.loads(json.dumps(wanted)), 2e-5):
            wrong.append(f"{expression}: {str(got)[:150]} instead of {str(wanted)[:150]}")
    assert not wrong, "\n" + "\n".join(wrong)
