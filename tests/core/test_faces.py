"""Faces: what a call of an operator under one of its names gives to its record."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mint, ops

from msjax.core.operators import record as registry
from msjax.core.operators.rows import Face, Reflected, args


def x():
    return Tensor(np.array([[-1.0, 2.0], [3.0, 0.5]], np.float32))


def test_a_keyword_that_is_left_out_has_the_default_of_the_face():
    exact, other = mint.nn.functional.gelu(x()).asnumpy(), mint.nn.functional.gelu(x(), approximate="tanh").asnumpy()
    assert abs(exact - other).max() > 1e-5  # the record's own default is the other one
    np.testing.assert_array_equal(mint.nn.functional.gelu(x(), approximate="none").asnumpy(), exact)


def test_any_number_of_arguments_may_be_none():
    assert x().max().asnumpy() == 3 and x().min().asnumpy() == -1


def test_keywords_come_in_any_order_again_and_again():
    for _ in range(3):
        first = ops.sum(x(), dim=1, keepdim=True)
        second = ops.sum(keepdim=True, input=x(), dim=1)
        assert first.shape == second.shape == (2, 1) and first.asnumpy().tolist() == second.asnumpy().tolist()
    assert ops.sum(x(), 1, dtype=ms.float64).dtype == ms.float64
    with pytest.raises(TypeError, match="multiple values"):
        ops.sum(x(), 1, dim=1)
    with pytest.raises(TypeError, match="required"):
        ops.sum(dim=1)
    with pytest.raises(TypeError, match="keepdim"):
        ops.sum(x(), 1, keepdim="yes")


def test_what_takes_any_number_of_arguments_takes_them_under_their_name():
    assert ms.mint.ones(size=(2, 3)).shape == ms.mint.empty(size=(2, 3)).shape == (2, 3)
    assert x().permute(dims=(1, 0)).shape == x().permute(1, 0).shape
    with pytest.raises(TypeError, match="multiple values"):
        ms.mint.ones(2, size=(3,))


@pytest.mark.parametrize("table", ["functions", "primitives", "tensor_methods", "mint_functions", "numpy_functions"])
def test_each_row_fits_its_record(table):
    for record, row in getattr(registry, table).values():
        own = record.signature()
        if not isinstance(row, Reflected):
            params, taken, _ = row.resolved(own[1:] if row.is_method else own)
            assert set(taken.values()) <= {p.name for p in params}


def test_a_row_that_does_not_fit_is_an_error():
    own = registry.records["relu"].signature()
    with pytest.raises(RuntimeError, match="'other'"):
        Face("wrong", args("input", "other")).resolved(own)
    with pytest.raises(RuntimeError, match="no value for 'input'"):
        Face("wrong", args()).resolved(own)
