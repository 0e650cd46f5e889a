"""Indices in compiled code, where MindSpore's compiler has other errors than its eager code: it makes a Tensor of a list, for example."""

import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, nn

# (shape, index, what reading gives: an exception or a shape, what writing raises or None)
CASES = (
    ((), "0", TypeError, ValueError),
    ((), "-1", TypeError, ValueError),
    ((), ":", TypeError, IndexError),
    ((), "0:1", TypeError, IndexError),
    ((), "Tensor(0)", ValueError, ValueError),
    ((), "[0]", ValueError, ValueError),
    ((), "[False, False]", ValueError, ValueError),
    ((2,), "[False, False]", (0,), None),
    ((2, 2), "[False, False]", (0, 2), None),
    ((2, 2), "[False, False], 0", IndexError, None),
    ((2,), "[]", IndexError, None),
    ((2,), "[5]", RuntimeError, ValueError),
    ((2, 2), "[0, 5]", RuntimeError, ValueError),
    ((2, 2), "[5], 0", IndexError, IndexError),
    ((2, 2), "[[0], [5]]", IndexError, IndexError),
    ((2,), "np.array([5])", IndexError, IndexError),
    ((0, 3), "[0]", RuntimeError, RuntimeError),
    ((0, 3), "Tensor(0)", RuntimeError, RuntimeError),
    ((0,), "Tensor([0])", RuntimeError, RuntimeError),
    ((0,), "0", IndexError, IndexError),
)
NET = """
class Read(nn.Cell):
    def construct(self, x):
        return x[{0}]


class Write(nn.Cell):
    def construct(self, x):
        x[{0}] = 2.0
        return x
"""


@pytest.mark.parametrize("shape, index, read, write", CASES)
def test_errors_of_compiled_code(shape, index, read, write):
    names = {"nn": nn, "np": np, "Tensor": Tensor}
    exec(NET.format(index), names)
    ms.set_context(mode=ms.GRAPH_MODE)
    x = Tensor(np.ones(shape, np.float32))
    if isinstance(read, tuple):
        assert names["Read"]()(x).shape == read
    else:
        with pytest.raises(read) as found:
            names["Read"]()(x)
        assert found.type is read
    if write is None:
        assert np.array_equal(names["Write"]()(x).asnumpy(), np.ones(shape))
    else:
        with pytest.raises(write) as found:
            names["Write"]()(x)
        assert found.type is write


@pytest.mark.parametrize("index", (0, [0]))
def test_places_on_an_axis_without_elements(index):
    x, places = Tensor(np.ones((0, 3), np.float32)), Tensor(index)
    for key in (places, (places, places)):
        with pytest.raises(RuntimeError):
            x[key]
        with pytest.raises(RuntimeError):
            x[key] = 1.0


def test_a_list_without_true_is_refused_eagerly():
    x = Tensor(np.ones((2,), np.float32))
    with pytest.raises(IndexError):
        x[[False, False]]
    x[[False, False]] = 2.0
    assert np.array_equal(x.asnumpy(), [1, 1])
    with pytest.raises(ValueError):
        Tensor(1.0)[[False]]
