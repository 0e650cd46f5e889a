"""Dtypes of all pairs and scalars, and the values of expressions where number systems differ."""

import operator  # noqa: F401  (used by the expressions)

import cases_promotion as cases
import golden_files
import jax
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops  # noqa: F401

GOLDEN = golden_files.read("promotion")


def rows(table, name):
    found = GOLDEN[table][name]
    return rows(table, found[1:]) if isinstance(found, str) and found.startswith("=") else found


def outcome(function, *args):
    """The result's dtype, by tracing alone: compiling each of some 10,000 programs would take minutes."""
    found = []

    def trace(*args):
        found.append(cases.kind(function(*args)))
        return 0

    boxes = [i for i, x in enumerate(args) if isinstance(x, Tensor)]
    try:
        jax.eval_shape(
            lambda *tensors: trace(*[tensors[boxes.index(i)] if i in boxes else x for i, x in enumerate(args)]),
            *[args[i] for i in boxes],
        )
    except jax.errors.JAXTypeError:  # NumPy asked the Tensor for its values
        return outcome_of_values(function, *args)
    except Exception as error:
        return "!" + type(error).__name__
    return found[0]


def outcome_of_values(function, *args):
    try:
        return cases.kind(function(*args))
    except Exception as error:
        return "!" + type(error).__name__


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    return cases.functions(tmp_path_factory.mktemp("promotion"))


# Where msjax differs on purpose. MindSpore's documentation takes any number.Number and bool for these operators.
DTYPES = set(cases.CODES.values())
SKIPPED = ("-1", "300", "2**40", "1e300", "np.float64", "np.int32", "tuple")  # the same as a scalar that is tested


def agrees(got, want, strict):
    """Whether an outcome counts as MindSpore's own."""
    if want.startswith("~"):
        want = want[1:]
        if not want or want.startswith("!"):  # no kernel in MindSpore's CPU build, and nothing known of its dtype
            return True
    if got == want:
        return True
    if want == "ndarray":  # numpy scalar on the left: numpy 1 asked the Tensor for its values; a Tensor serves better
        return got in DTYPES or got == "!TypeError"
    if want == "bool":  # == with a numpy scalar is Python's False there
        return got == "b"
    return want == "!TypeError" and not strict and got in DTYPES


def differences(name, row, arguments, function, strict=lambda label: False):
    for (label, args), want in zip(arguments, row.split()):
        got = outcome(function, *args)
        if not agrees(got, want, strict(label)):
            yield f"{name}({label}): {got}, MindSpore {want}"


@pytest.mark.parametrize("name", [*cases.OPERATORS, *cases.TENSOR_ONLY])
def test_tensor_with_tensor(name, functions):
    def strict(label):  # types that do not mix are refused; MindSpore itself is of two minds about bool
        return "bool" not in label and name != "ops.logical_and"

    wrong = [
        text
        for a in cases.DTYPES
        for text in differences(
            name,
            rows("pynative", name)[a],
            [(f"{a}, {b}", (cases.tensor(a), cases.tensor(b))) for b in cases.DTYPES],
            functions[name],
            strict,
        )
    ]
    if name == "floordiv":  # of complex numbers: MindSpore floors both parts, which is no division
        wrong = [text for text in wrong if "complex" not in text]
    if name == "mod":  # uint16 and wider with themselves: documented, only the build refuses
        wrong = [text for text in wrong if "MindSpore !TypeError" not in text]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", cases.OPERATORS)
@pytest.mark.parametrize("left", [False, True])
def test_tensor_with_scalar(name, left, functions):
    if left and name.startswith("i"):
        pytest.skip("x += y with a Python number x is no operator of Tensors")
    table = f"scalar {name}" if left else f"{name} scalar"
    wrong = []
    for label, scalar in cases.SCALARS.items():
        if label not in SKIPPED:
            arguments = [
                (f"{label}, {a}", (scalar, cases.tensor(a)) if left else (cases.tensor(a), scalar))
                for a in cases.DTYPES
            ]
            wrong += differences(name, rows("pynative", table)[label], arguments, functions[name])
    wrong = [text for text in wrong if not (name == "floordiv" and "complex" in text)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", cases.UNARY)
def test_one_tensor(name, functions):
    wrong = list(
        differences(
            name,
            rows("pynative", name),
            [(a, (cases.tensor(a),)) for a in cases.DTYPES],
            functions[name],
            lambda label: False,
        )
    )
    wrong = [text for text in wrong if "ops.any(uint8)" not in text]  # MindSpore gives uint8 back for that one
    assert not wrong, "\n".join(wrong)


# What msjax does better than the CPU build, or NumPy 2 than NumPy 1.
BETTER = {
    "max nan": "NaN propagates",
    "T+np": "an array counts as a Tensor",
    "T*list": "a list counts as for +",
    "np+T": "a Tensor",
    "npf64*T": "a Tensor",
    "npf32*T": "a Tensor",
    "rmatmul": "a Tensor",
}


@pytest.mark.parametrize("key", [key for key in cases.VALUES if key not in BETTER])
def test_values(key):
    expression, kind, shape, want = GOLDEN["values"][key]
    try:
        found = eval(expression)
    except Exception as error:
        assert kind == "!" + type(error).__name__, f"{expression}: {error!r}; MindSpore: {kind} {want}"
        return
    if shape is None:
        assert not kind.startswith("!"), f"{expression} gave {found!r}; MindSpore: {kind} {want}"
        assert type(found).__name__ == kind and repr(found) == want, expression
        return
    assert cases.kind(found) == kind and list(found.shape) == shape, expression
    array = found.asnumpy().reshape(-1)
    expected = np.array([eval(v, {"nan": np.nan, "inf": np.inf}) for v in want]).astype(array.dtype)
    np.testing.assert_array_equal(array, expected, err_msg=expression)


assert ms
