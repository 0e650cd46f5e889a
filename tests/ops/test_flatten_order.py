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


def test_a_number_is_an_axis_only_by_position():
    x = Tensor([[[1.0, 2.0]]])
    assert x.flatten(1).shape == x.flatten(1, -1).shape == x.flatten(start_dim=1).shape == (1, 2)
    assert x.flatten("F", start_dim=0, end_dim=1).shape == (2, 1)
    for wrong in (lambda: x.flatten(order=1), lambda: x.flatten("C", 1), lambda: x.flatten(True)):
        with pytest.raises(TypeError):
            wrong()
