"""A call after one of the same types gives what it gives alone: nothing that an operator remembers holds for other values.

A size or an axis in a Tensor is read for its value; a program that was compiled for one value must not serve another.
"""

import importlib

import golden_cases
import numpy as np
import pytest
from mindspore import Tensor

from msjax.core.operators.record import records

CHUNK = 40


def reads(case):
    """Whether a case has Tensors of whole numbers, of truth values or of one element: those that may be read."""
    if case.options.get("random") or case.options.get("train"):
        return False
    return any(
        isinstance(a, golden_cases.Spec) and (a.kind in ("ints", "bools", "lit") or a.shape in ((), (1,)))
        for a in (*case.args, *case.keywords.values())
    )


CHUNKS = {
    f"{family}-{i // CHUNK}": cases[i : i + CHUNK]
    for family in golden_cases.table_names()
    for cases in [[c for c in golden_cases.table_of(importlib.import_module(f"cases_ops.{family}")) if reads(c)]]
    for i in range(0, len(cases), CHUNK)
}


def other(tensor):
    """A Tensor of the same type and shape with other values that an operator takes: smaller ones, none of them below 0 that was not."""
    values = golden_cases.as_numpy(tensor)
    if values.dtype.kind == "b":
        return Tensor(~values)
    if values.dtype.kind in "iu":
        return Tensor(np.where(values > 1, values - 1, values[::-1] if values.ndim else values).astype(values.dtype))
    return tensor.copy()


def result(function, args, keywords):
    """What a call gives, as arrays, or the type of what it raises."""
    try:
        return [golden_cases.as_numpy(t) for t in golden_cases.leaves(function(*args, **keywords))]
    except Exception as error:
        return type(error)


def again(case):
    """A call of a case's function with other values."""
    function, args, keywords = golden_cases.make(case)
    tensors = [other(t) for t in golden_cases.leaves((args, keywords))]
    return result(function, *golden_cases.rebuild((args, keywords), iter(tensors)))


def same(one, two):
    if isinstance(one, type) or isinstance(two, type):
        return one is two
    return len(one) == len(two) and all(
        a.shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-5, equal_nan=True) for a, b in zip(one, two)
    )


@pytest.mark.filterwarnings("ignore")  # values that a case does not have may be beside the point
@pytest.mark.parametrize("chunk", CHUNKS)
def test_other_values_are_another_call(chunk):
    for case in CHUNKS[chunk]:
        result(*golden_cases.make(case))
    after = [again(case) for case in CHUNKS[chunk]]
    for record in list(records.values()):
        record.forget()
    wrong = [case.id for case, found in zip(CHUNKS[chunk], after) if not same(found, again(case))]
    assert not wrong
