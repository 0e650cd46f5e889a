"""Layers in a list of a network's own are told: MindSpore trains without them and says nothing."""

import pytest

import msjax as ms
from msjax import Tensor, nn, ops


class Held(nn.Cell):
    def __init__(self, hold):
        super().__init__()
        self.layers = hold([nn.Dense(2, 2), nn.Dense(2, 2)])
        self.last = nn.Dense(2, 1)

    def construct(self, x):
        for layer in self.layers.values() if isinstance(self.layers, dict) else self.layers:
            x = layer(x)
        return self.last(x)


def by_name(layers):
    return {str(i): layer for i, layer in enumerate(layers)}


@pytest.mark.parametrize("hold, container", [(list, "CellList"), (tuple, "CellList"), (by_name, "CellDict")])
def test_hidden_layers_are_told_once(hold, container, capfd):
    net = Held(hold)
    assert [p.name for p in net.trainable_params()] == ["last.weight", "last.bias"]
    said = capfd.readouterr().err
    assert (
        said.count("[WARNING]") == 1
        and f"write self.layers = nn.{container}(...)" in said
        and "2 Cell(s) in 'layers' of Held" in said
    )
    ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())(Tensor([[1.0, 2.0]]))
    assert "WARNING" not in capfd.readouterr().err


def test_layers_that_are_children_as_well_are_not_told(capfd):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Dense(2, 2), nn.Dense(2, 2)
            self.both, self.without = [self.first, self.second], [nn.ReLU(), ops.ReLU(), 3]
            self.frozen = [nn.Dense(2, 2)]
            for p in self.frozen[0].get_parameters():
                p.requires_grad = False

        def __eq__(self, other):  # of a class that cannot be hashed
            return True

    assert len(Net().trainable_params()) == 4
    assert len(Held(nn.CellList).trainable_params()) == 6
    assert "WARNING" not in capfd.readouterr().err
