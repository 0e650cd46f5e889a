"""What a call of an optimizer returns, as in MindSpore 2.10: True for each Parameter, or one True."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, mint, nn
from mindspore.experimental import optim as experimental

EACH = [nn.SGD, nn.Adam, nn.AdamWeightDecay, nn.RMSProp, nn.FTRL, nn.LazyAdam, nn.AdaFactor, nn.Adadelta]
ONE = {
    "ASGD": (nn.ASGD, {}),
    "Rprop": (nn.Rprop, {}),
    "mint.SGD": (mint.optim.SGD, {"lr": 0.1}),
    "mint.Adam": (mint.optim.Adam, {"lr": 0.1}),
    "experimental.SGD": (experimental.SGD, {"lr": 0.1}),
    "experimental.AdamW": (experimental.AdamW, {"lr": 0.1}),
}


def _answer(kind, **arguments):
    weights = [Parameter(Tensor(np.ones((2, 2), np.float32)), name=name) for name in "ab"]
    return kind(weights, **arguments)((Tensor(np.ones((2, 2), np.float32)),) * 2)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("kind", EACH, ids=lambda kind: kind.__name__)
def test_one_for_each_parameter(kind, mode):
    ms.set_context(mode=mode)
    assert _answer(kind) == (True, True)


@pytest.mark.parametrize("kind, arguments", ONE.values(), ids=ONE)
def test_one_for_all(kind, arguments):
    assert _answer(kind, **arguments) is True
