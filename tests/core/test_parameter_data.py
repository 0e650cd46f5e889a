"""`p.data` shares p's content, as MindSpore 2.10 gives it; the values were taken from there."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops


def t(*values):
    return Tensor(np.array(values, np.float32))


def set_item(p, d):
    d[0] = 5


def set_item_of_parameter(p, d):
    p[0] = 5


def both(p, d):
    d[1] = 4
    p[0] = 5
    d[2] = 6


def part_of_data(p, d):
    part = d[0:2]
    part[0] = 9


def assign(p, d):
    ops.assign(d, t(7, 8, 9))


def assign_parameter_then_item(p, d):
    ops.assign(p, t(7, 8, 9))
    d[2] = 6


def step(p, d):
    nn.SGD([p], 0.5)((t(1, 1, 1),))


def compiled_step(p, d):
    optimizer = nn.SGD([p], 0.5)

    @ms.jit
    def run():
        optimizer((t(1, 1, 1),))
        return p.sum()

    run()
    run()


def compiled_assign_then_item(p, d):
    @ms.jit
    def run():
        ops.assign(p, p * 2)
        return p.sum()

    run()
    d[2] = 0


def new_memory(p, d):
    p.set_data(t(7, 8, 9))
    d[2] = 6


def new_object(p, d):
    d += 1


SHARED = [
    (set_item, [5, 2, 3], [5, 2, 3]),
    (set_item_of_parameter, [5, 2, 3], [5, 2, 3]),
    (both, [5, 4, 6], [5, 4, 6]),
    (part_of_data, [9, 2, 3], [9, 2, 3]),
    (lambda p, d: d.copy_(t(7, 8, 9)), [7, 8, 9], [7, 8, 9]),
    (assign, [7, 8, 9], [7, 8, 9]),
    (lambda p, d: ops.AssignAdd()(d, t(4, 4, 4)), [5, 6, 7], [5, 6, 7]),
    (lambda p, d: ops.ScatterUpdate()(d, Tensor([0]), t(4)), [4, 2, 3], [4, 2, 3]),
    (assign_parameter_then_item, [7, 8, 6], [7, 8, 6]),
    (step, [0.5, 1.5, 2.5], [0.5, 1.5, 2.5]),
    (compiled_step, [0, 1, 2], [0, 1, 2]),
    (compiled_assign_then_item, [2, 4, 0], [2, 4, 0]),
    (new_memory, [7, 8, 9], [1, 2, 6]),
    (new_object, [1, 2, 3], [1, 2, 3]),
]


@pytest.mark.parametrize(("change", "of_parameter", "of_data"), SHARED, ids=[str(i) for i in range(len(SHARED))])
def test_data_shares_the_content(change, of_parameter, of_data):
    p = Parameter(t(1, 2, 3), name="p")
    d = p.data
    assert type(d) is Tensor
    change(p, d)
    np.testing.assert_array_equal(p.asnumpy(), np.array(of_parameter, np.float32))
    np.testing.assert_array_equal(d.asnumpy(), np.array(of_data, np.float32))


@pytest.mark.parametrize("name", ["zero_", "normal_", "uniform_"])
def test_weights_are_initialized_through_data(name):
    net = nn.Dense(3, 2)
    before = net.weight.asnumpy()
    getattr(net.weight.data, name)()
    assert not np.array_equal(net.weight.asnumpy(), before)


def test_data_has_what_a_parameter_has():
    """Until MindSpore 2.2 `p.data` was p itself."""
    p = Parameter(t(1, 2), name="p", requires_grad=False)
    p.data.set_data(t(3, 4))
    assert p.asnumpy().tolist() == [3, 4]
    assert p.data.name == "p" and p.data.requires_grad is False
    with pytest.raises(AttributeError, match="set_data"):
        t(1, 2).set_data(t(3, 4))


def test_value_is_a_copy():
    p = Parameter(t(1, 2), name="p")
    value = p.value()
    value[0] = 5
    p[1] = 7
    assert p.asnumpy().tolist() == [1, 7] and value.asnumpy().tolist() == [5, 2]


def test_step_forgets_views_that_are_gone():
    from msjax.core.operators import views

    p = Parameter(t(1, 2), name="p")
    p.data[0] = 5
    assert p in views._seen
    nn.SGD([p], 0.5)((t(1, 1),))
    assert p not in views._seen
    assert p.asnumpy().tolist() == [4.5, 1.5]
