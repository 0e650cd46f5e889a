"""Dtypes of all pairs and scalars, and the values of expressions where number systems differ."""
import operator  # noqa: F401  (used by the expressions)

import cases_promotion as cases
import helpers
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops  # noqa: F401

GOLDEN = helpers.golden_json("promotion")


def rows(table, name):
    found = GOLDEN[table][name]
    return rows(table, found[1:]) if isinstance(found, str) and found.startswith("=") else found


def outcome(function, *args):
    try:
        return cases.kind(function(*args))
    except Exception as error:
        return "!" + type(error).__name__


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    return cases.functions(tmp_path_factory.mktemp("promotion"))


def differences(table, name, row, arguments, function):
    expected = row.split()
    for (label, args), want in zip(arguments, expected):
        got = outcome(function, *args)
        if want.startswith("~") and not want.startswith("~!"):
            want = want[1:]
        # "~": no kernel in MindSpore's CPU build; without a dtype there is nothing to hold against
        if not want.startswith("~") and got != want:
            yield f"{name}({label}): {got}, MindSpore {want}"


@pytest.mark.parametrize("name", [*cases.OPERATORS, *cases.TENSOR_ONLY])
def test_tensor_with_tensor(name, functions):
    wrong = [text for a in cases.DTYPES for text in differences(
        "pynative", name, rows("pynative", name)[a], [(f"{a}, {b}", (cases.tensor(a),
        cases.tensor(b))) for b in cases.DTYPES], functions[name])]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", cases.OPERATORS)
@pytest.mark.parametrize("left", [False, True])
def test_tensor_with_scalar(name, left, functions):
    if left and name.startswith("i"):
        pytest.skip("x += y with a Python number x is no operator of Tensors")
    table = f"scalar {name}" if left else f"{name} scalar"
    wrong = []
    for label, scalar in cases.SCALARS.items():
        arguments = [(f"{label}, {a}" if left else f"{a}, {label}", (scalar,
            cases.tensor(a)) if left else (cases.tensor(a), scalar))
                     for a in cases.DTYPES]
        wrong += differences("pynative", name, rows("pynative", table)[label], arguments, functions[name])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", cases.UNARY)
def test_one_tensor(name, functions):
    wrong = list(differences("pynative", name, rows("pynative", name), [(a, (cases.tensor(a),)) for a in cases.DTYPES],
        functions[name]))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("key", cases.VALUES)
def test_values(key):
    expression, kind, shape, want = GOLDEN["values"][key]
    try:
        found = eval(expression)
    except Exception as error:
        assert kind == "!" + type(error).__name__, f"{expression}: {error!r}; MindSpore: {kind} {want}"
        return
    if shape is None:
        if kind.startswith("!"):
            pytest.fail(f"{expression} gave {found!r}; MindSpore: {kind} {want}")
        assert type(found).__name__ == kind, expression
        assert repr(found).replace("np.", "") == want or kind == "ndarray" and np.array_equal(found, eval(want,
            {"array": np.array, "float32": np.float32})), expression
        return
    assert cases.kind(found) == kind and list(found.shape) == shape, expression
    array = found.asnumpy().reshape(-1)
    np.testing.assert_array_equal(array, np.array([eval(v, {"nan": np.nan,
        "inf": np.inf}) for v in want]).astype(array.dtype), err_msg=expression)


assert ms
