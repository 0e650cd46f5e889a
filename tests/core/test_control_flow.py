"""Control flow on Tensors: compiled as one graph it gives what plain Python gives."""

import warnings

import mindspore as ms
import numpy as np
import pytest
from cases_control_flow import compiled, eager
from mindspore import Tensor

INPUTS = {
    "small": [0.5, 1.0, 0.25],
    "large": [1.0, 2.0, 3.0],
    "negative": [-1.0, -2.0, -3.0],
    "mixed": [4.0, -1.0, -2.5],
    "zero": [0.0, 0.0, 0.0],
    "nine": [9.0, 0.0, -8.0],
}


def same(got, expected):
    if isinstance(expected, (list, tuple)):
        return type(got) is type(expected) and len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(expected, dict):
        return got.keys() == expected.keys() and all(same(got[k], expected[k]) for k in expected)
    if isinstance(expected, Tensor):
        return (
            isinstance(got, Tensor)
            and got.dtype == expected.dtype
            and got.shape == expected.shape
            and np.allclose(got.asnumpy(), expected.asnumpy(), equal_nan=True)
        )
    if isinstance(got, Tensor):  # a Python number that depends on a Tensor comes out as a Tensor
        return got.shape == () and got.asnumpy().item() == expected
    return type(got) is type(expected) and got == expected


@pytest.mark.parametrize("fn", compiled, ids=lambda fn: fn.__name__)
def test_compiled_is_eager(fn):
    graph = ms.jit(fn, fullgraph=True)
    for values in INPUTS.values():
        expected = fn(Tensor(np.array(values, np.float32)))
        got = graph(Tensor(np.array(values, np.float32)))
        assert same(got, expected), f"{fn.__name__}({values}): compiled {got!r}, eager {expected!r}"


@pytest.mark.parametrize("fn, reason", eager, ids=lambda v: getattr(v, "__name__", ""))
def test_falls_back_with_one_warning(fn, reason):
    graph = ms.jit(fn)
    with pytest.warns(RuntimeWarning, match=reason) as caught:
        results = [graph(Tensor(np.array(v, np.float32))) for v in INPUTS.values()]
    assert len(caught) == 1 and "cases_control_flow.py:" in str(caught[0].message)
    assert all(same(got, fn(Tensor(np.array(v, np.float32)))) for got, v in zip(results, INPUTS.values()))
    with pytest.raises(RuntimeError, match="fullgraph"), warnings.catch_warnings():
        ms.jit(fn, fullgraph=True)(Tensor(np.array([1.0, 2.0, 3.0], np.float32)))
