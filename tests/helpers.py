"""Comparison with goldens: what the test files of all areas share."""

import inspect

import golden_cases
import numpy as np
from mindspore import Tensor

# Recorded on another CPU with other summation orders: what rounding may differ by, for values near 1.
TOLERANCE = {"Float16": 2e-3, "BFloat16": 2e-2, "Float32": 2e-5, "Float64": 1e-9, "Complex64": 2e-5, "Complex128": 1e-9}


def signature_text(function):
    """The parameters of a function with their defaults, as MindSpore, which has no annotations, shows them."""
    signature = inspect.signature(function)
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return str(signature.replace(parameters=plain, return_annotation=signature.empty))


def assert_array(found, expected, dtype, rtol=None, atol=None, where=""):
    """Values of one Tensor against an array recorded with this dtype name."""
    base = TOLERANCE.get(dtype, 0)
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{where}: shape {found.shape}, expected {expected.shape}"
    if base == 0 and rtol is None:
        np.testing.assert_array_equal(found, expected, err_msg=where)
    else:
        np.testing.assert_allclose(
            found, expected, rtol=rtol or base * 5, atol=atol or rtol or base, equal_nan=True, err_msg=where
        )


def assert_recorded(found, expected, rtol=None, atol=None, where="result"):
    """Nested Tensors against a decoded record: structure, dtypes, shapes, values."""
    if isinstance(expected, tuple):  # (dtype, array)
        dtype, array = expected
        assert isinstance(found, Tensor), f"{where}: {type(found).__name__} instead of a Tensor"
        assert str(found.dtype) == dtype, f"{where}: dtype {found.dtype}, expected {dtype}"
        assert_array(golden_cases.as_numpy(found), array, dtype, rtol, atol, where)
    elif isinstance(expected, list):
        assert isinstance(found, (tuple, list)), f"{where}: {type(found).__name__} instead of a tuple"
        assert len(found) == len(expected), f"{where}: {len(found)} items, expected {len(expected)}"
        for i, (f, e) in enumerate(zip(found, expected)):
            assert_recorded(f, e, rtol, atol, f"{where}[{i}]")
    elif set(expected) == {"value"}:
        assert repr(found) == expected["value"] or repr(found) == repr(
            eval(expected["value"], {"inf": np.inf, "nan": np.nan})
        ), where
    else:
        assert set(found) == set(expected), f"{where}: keys {sorted(found)}, expected {sorted(expected)}"
        for key, value in expected.items():
            assert_recorded(found[key], value, rtol, atol, f"{where}[{key!r}]")


def assert_plain(found, expected, rtol=1e-5, where="result"):
    """Plain data (see cases_autodiff.plain) against recorded plain data; numbers nearly equal, all else equal."""
    if isinstance(expected, float) and isinstance(found, (int, float)):
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=1e-6, equal_nan=True, err_msg=where)
    elif isinstance(expected, dict) and isinstance(found, dict):
        assert found.keys() == expected.keys(), f"{where}: {list(found)}, expected {list(expected)}"
        for key in expected:
            assert_plain(found[key], expected[key], rtol, f"{where}[{key!r}]")
    elif isinstance(expected, list) and isinstance(found, list):
        assert len(found) == len(expected), f"{where}: {found}, expected {expected}"
        for i, (f, e) in enumerate(zip(found, expected)):
            assert_plain(f, e, rtol, f"{where}[{i}]")
    else:
        assert found == expected, f"{where}: {found!r}, expected {expected!r}"


def check_case(case, record):
    """One line of a table against its golden: values, dtypes, shapes, state, gradients, or the exception's type."""
    if "error" in record:
        expected = record["error"][0]
        try:
            golden_cases.leaves(golden_cases.forward(case))
        except Exception as error:
            assert expected in [c.__name__ for c in type(error).__mro__], f"{error!r}, expected {record['error']}"
            return
        raise AssertionError(f"no exception, expected {record['error']}")
    options = case.options
    found = golden_cases.forward(case)
    if "lacks" in record:  # the CPU build of MindSpore has no kernel for it: the gradient fits the values at least
        check_gradient(case)
        return
    if options.get("random"):
        assert describe(found["out"]) == undescribe(record["out"])
        return
    for key in ("out", "after", "state"):
        if key in record:
            assert_recorded(found[key], record[key], options.get("rtol"), options.get("atol"), key)
    if ("din" in record or "dw" in record) and options.get("grad", True):
        grads = golden_cases.gradients(case)
        for key in ("din", "dw"):
            if key in record:
                assert_recorded(
                    grads[key], record[key], options.get("grad_rtol", options.get("rtol")), options.get("atol"), key
                )


def check_gradient(case, step=2.0**-7):
    """The gradient along a random direction against the difference of values (each output weighted as in goldens)."""
    function, args, keywords = golden_cases.make(case)
    inputs = golden_cases.leaves((args, keywords))
    plan = golden_cases.differentiable(case, function, inputs, function(*args, **keywords))
    if plan is None or not plan[0]:
        return
    grads = golden_cases.gradients(case)["din"]
    random = case.random("direction")
    ways = {i: random.standard_normal(inputs[i].shape).astype(np.float32) for i in plan[0]}

    def value(t):
        function, args, keywords = golden_cases.make(case)
        moved = [
            x + t * Tensor(ways[i]).astype(x.dtype) if i in ways else x
            for i, x in enumerate(golden_cases.leaves((args, keywords)))
        ]
        a, k = golden_cases.rebuild((args, keywords), iter(moved))
        return golden_cases.weighted(case, golden_cases.leaves(function(*a, **k)), plan[2]).asnumpy()

    expected = (value(step) - value(-step)) / (2 * step)
    found = sum(float((g.asnumpy() * w).sum()) for g, w in zip(grads, ways.values()))
    np.testing.assert_allclose(found, expected, rtol=0.02, atol=0.02, err_msg="gradient")


def describe(value):
    """dtype and shape of what is random."""
    if isinstance(value, Tensor):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, (tuple, list)):
        return [describe(v) for v in value]
    return repr(value)


def undescribe(value):
    """The recorded form of describe()."""
    if isinstance(value, list):
        return [undescribe(v) for v in value]
    return eval(value["value"])
