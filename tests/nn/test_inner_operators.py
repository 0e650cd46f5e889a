"""The operators that MindSpore's layers keep as attributes: names recorded from MindSpore 2.10."""

import json
import pathlib

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

# constructor -> attribute=Primitive, made by tests/goldens/record_layer_operators.py
RECORDED = json.loads((pathlib.Path(__file__).parent.parent / "goldens" / "layer_operators.json").read_text())


@pytest.mark.parametrize("constructor", RECORDED)
def test_layers_keep_their_operators(constructor):
    layer = eval(f"nn.{constructor}")
    for entry in RECORDED[constructor].split():
        attribute, primitive = entry.split("=")
        operator = getattr(layer, attribute)
        assert getattr(operator, "name", type(operator).__name__) == primitive
        assert getattr(layer, attribute) is operator


def test_an_inner_operator_knows_the_layers_arguments():
    x = Tensor(np.arange(6).reshape(2, 3), ms.float32)
    np.testing.assert_allclose(nn.Softmax(axis=0).softmax(x).asnumpy(), ops.softmax(x, 0).asnumpy())
    assert nn.Dropout(p=0.25).dropout.keep_prob == 0.75
    assert nn.MaxPool2d(2, 3).max_pool(ops.ones((1, 1, 5, 5))).shape == (1, 1, 2, 2)


def test_inner_operators_take_a_sharding_and_can_be_replaced():
    dropout = nn.Dropout(p=0.5)
    dropout.dropout.shard(((1, 1),))
    layer = nn.Softmax()
    layer.softmax = ops.LogSoftmax()
    assert isinstance(layer.softmax, ops.LogSoftmax)


class _Own(nn.Cell):
    """MindSpore up to 2.2: every Cell has `cast`; a child of the name of an inner operator is the child."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2)

    def construct(self, x):
        return self.cast(self.dense(x), ms.float16)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_every_cell_casts(mode):
    ms.set_context(mode=mode)
    assert _Own()(ops.ones((1, 2))).dtype == ms.float16


class _Child(nn.Dense):
    def __init__(self):
        super().__init__(2, 2)
        self.matmul = nn.ReLU()


def test_a_child_of_that_name_is_the_child():
    assert isinstance(_Child().matmul, nn.ReLU)


class _Loss(nn.Cell):
    def __init__(self, box, cls, self_made=1):
        super().__init__()
        self.cls = cls


def test_a_cell_takes_an_argument_named_cls():
    assert _Loss(box=1, cls=2).cls == 2


class _Operator(ops.Primitive):
    def __init__(self, cls):
        super().__init__("own")
        self.cls = cls


def test_a_primitive_takes_an_argument_named_cls():
    assert _Operator(cls=3).cls == 3
