"""Names that a user's network may take: MindSpore's Cell has none of these, though the engine's Cell once had."""

import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn

METHODS_OF_OLD_CELLS = ("place", "cast", "flatten_weights", "load_parameter_slice", "set_param_ps")
ENGINES_ONCE = (
    "_run",
    "_load",
    "_register",
    "_construct",
    "_hooks",
    "_flags",
    "_family",
    "_version",
    "_changed",
    "_cast_tensor",
)
MINDSPORES = {
    "_apply",
    "_buffers",
    "_cells",
    "_compiled",
    "_id",
    "_params",
    "_phase",
    "_predict",
    "_primitives",
    "_recompute",
    "_scope",
}


def trained(make):
    """A network that was trained for two steps, and run once in evaluation."""
    net = make()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)).set_train()
    x = Tensor(np.ones((2, 2), np.float32))
    first, second = (float(step(x, x).asnumpy()) for _ in range(2))
    assert second < first
    return net.set_train(False), net(x).asnumpy()


@pytest.mark.parametrize("name", METHODS_OF_OLD_CELLS + ENGINES_ONCE)
def test_a_child_and_a_parameter_may_have_the_name(name, mode):
    class WithChild(nn.Cell):
        def __init__(self):
            super().__init__()
            setattr(self, name, nn.Dense(2, 2))

        def construct(self, x):
            return getattr(self, name)(x)

    class WithParameter(nn.Cell):
        def __init__(self):
            super().__init__()
            setattr(self, name, Parameter(Tensor(np.full((2,), 3, np.float32)), name="scale"))

        def construct(self, x):
            return x * getattr(self, name)

    net, out = trained(WithChild)
    assert [p.name for p in net.get_parameters()] == [f"{name}.weight", f"{name}.bias"] and out.shape == (2, 2)
    np.testing.assert_allclose(
        out,
        nn.Dense(2, 2, *(p.value() for p in net.get_parameters()))(Tensor(np.ones((2, 2), np.float32))).asnumpy(),
        rtol=1e-6,
    )
    net, out = trained(WithParameter)
    np.testing.assert_allclose(out, np.ones((2, 1), np.float32) * getattr(net, name).asnumpy(), rtol=1e-6)
    delattr(net, name)
    assert not list(net.get_parameters())


@pytest.mark.parametrize("name", ENGINES_ONCE)
def test_a_method_and_an_attribute_may_have_the_name(name, mode):
    class Net(nn.Cell):
        def __init__(self, factor=None):
            super().__init__()
            self.dense = nn.Dense(2, 2)
            if factor is not None:
                setattr(self, name, factor)

        def construct(self, x):
            found = getattr(self, name)
            return self.dense(x) * (found() if callable(found) else found)

    for make in (lambda: Net(2.0), type("WithMethod", (Net,), {name: lambda self: 2.0})):
        net, out = trained(make)
        np.testing.assert_allclose(out, 2 * net.dense(Tensor(np.ones((2, 2), np.float32))).asnumpy(), rtol=1e-6)


def test_the_engine_takes_no_name_of_one_word():
    taken = {n for n in dir(nn.Cell()) if n.startswith("_") and not n.startswith("__") and "_" not in n[1:]}
    assert taken <= MINDSPORES


@pytest.mark.parametrize("name", ["shard", "cells", "name_cells"])
def test_a_method_of_mindspores_cells_is_no_name_for_a_child(name):
    with pytest.raises(KeyError, match="already exists"):
        setattr(nn.Cell(), name, nn.Dense(2, 2))
    with pytest.raises(KeyError, match="already exists"):
        setattr(nn.Cell(), name, Parameter(Tensor([1.0])))
