"""Which values `order` of flatten refuses, and how."""

import pytest

from msjax import Tensor, ops


@pytest.mark.parametrize(
    ("order", "error"), [(None, TypeError), (1.5, TypeError), (True, TypeError), (["C"], TypeError), ("X", ValueError)]
)
def test_a_wrong_order_raises_what_mindspore_raises(order, error):
    for call in (ops.flatten, Tensor.flatten):
        with pytest.raises(error, match="order"):
            call(Tensor([[1.0, 2.0]]), order=order)
