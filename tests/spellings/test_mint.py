"""mindspore.mint: layers, in-place forms, communication of one process, errors that name the nearest name."""

import doctest
import inspect

import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, mint, nn
from msjax.mint import distributed
from msjax.mint.nn import functional as F

X = Tensor(np.random.default_rng(0).standard_normal((2, 4, 6, 6)).astype(np.float32))
LAYERS = sorted(n for n in mint.nn.__all__ if n != "Cell")


@pytest.mark.parametrize(
    "name", [n for n in LAYERS if inspect.getmodule(getattr(mint.nn, n)).__name__.startswith("msjax.mint")]
)
def test_layer_has_an_example_and_a_signature(name):
    layer = getattr(mint.nn, name)
    assert any("mint.nn." in example.source for example in doctest.DocTestParser().get_examples(layer.__doc__)), name
    assert "args" not in inspect.signature(layer).parameters, name


@pytest.mark.parametrize(
    "name",
    [
        "AdaptiveAvgPool2d",
        "ConstantPad1d",
        "ELU",
        "Flatten",
        "MSELoss",
        "ReflectionPad2d",
        "Softmax",
        "UpsamplingNearest2d",
    ],
)
def test_example_runs(name):
    example = doctest.DocTestParser().get_examples(getattr(mint.nn, name).__doc__)[0].source
    assert isinstance(eval(example, {"mint": mint}), Tensor)


def test_parameters_have_the_names_of_checkpoints():
    net = nn.SequentialCell(mint.nn.Conv2d(4, 4, 3), mint.nn.BatchNorm2d(4), mint.nn.GroupNorm(2, 4))
    assert [p.name for p in net.get_parameters()] == [
        "0.weight",
        "0.bias",
        "1.weight",
        "1.bias",
        "1.running_mean",
        "1.running_var",
        "1.num_batches_tracked",
        "2.weight",
        "2.bias",
    ]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (lambda: mint.nn.Conv2d(4, 3, 3, 2, padding=1), lambda: nn.Conv2d(4, 3, 3, 2, "pad", 1, has_bias=True)),
        (lambda: mint.nn.Conv2d(4, 3, 3, padding="same"), lambda: nn.Conv2d(4, 3, 3, pad_mode="same", has_bias=True)),
        (lambda: mint.nn.ConvTranspose2d(4, 3, 2, 2), lambda: nn.Conv2dTranspose(4, 3, 2, 2, "pad", 0, has_bias=True)),
        (lambda: mint.nn.Linear(6, 5), lambda: nn.Dense(6, 5)),
        (lambda: mint.nn.GroupNorm(2, 4), lambda: nn.GroupNorm(2, 4)),
    ],
)
def test_same_as_the_layer_of_nn(mine, theirs):
    mine, theirs = mine(), theirs()
    for p, q in zip(theirs.trainable_params(), mine.trainable_params()):
        q.set_data(p.value().reshape(q.shape))
    np.testing.assert_allclose(mine(X).asnumpy(), theirs(X).asnumpy(), rtol=1e-5, atol=1e-5)


def test_padding_mode_of_convolution():
    net = mint.nn.Conv2d(4, 3, 3, padding=1, padding_mode="reflect")
    padded = Tensor(np.pad(X.asnumpy(), [(0, 0), (0, 0), (1, 1), (1, 1)], "reflect"))
    np.testing.assert_allclose(net(X).asnumpy(), F.conv2d(padded, net.weight, net.bias).asnumpy(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_batch_norm_follows_the_batches(mode):
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        net = mint.nn.BatchNorm2d(4).set_train()
        out = net(X).asnumpy()
        x = X.asnumpy()
        mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3))
        np.testing.assert_allclose(
            out, (x - mean[:, None, None]) / np.sqrt(var + 1e-5)[:, None, None], rtol=1e-4, atol=1e-4
        )
        count = x.size // 4
        np.testing.assert_allclose(net.running_mean.asnumpy(), 0.1 * mean, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(net.running_var.asnumpy(), 0.9 + 0.1 * var * count / (count - 1), rtol=1e-4)
        assert int(net.num_batches_tracked) == 1
        net.set_train(False)
        moved = (x - net.running_mean.asnumpy()[:, None, None]) / np.sqrt(net.running_var.asnumpy() + 1e-5)[
            :, None, None
        ]
        np.testing.assert_allclose(net(X).asnumpy(), moved, rtol=1e-4, atol=1e-4)
    finally:
        ms.set_context(mode=before)


@pytest.mark.parametrize(
    ("apply", "expected"),
    [
        (lambda x: F.relu(x, inplace=True), [0.0, 2.0]),
        (lambda x: F.relu_(x), [0.0, 2.0]),
        (lambda x: mint.nn.ReLU6(inplace=True)(x), [0.0, 2.0]),
        (lambda x: F.threshold_(x, 1.0, 7.0), [7.0, 2.0]),
        (lambda x: F.hardtanh_(x), [-1.0, 1.0]),
    ],
)
def test_in_place_forms_change_the_tensor(apply, expected):
    x = Tensor([-1.0, 2.0])
    assert apply(x) is x
    np.testing.assert_allclose(x.asnumpy(), expected)


def test_communication_of_one_process():
    distributed.init_process_group()
    try:
        x, out = Tensor([1.0, 2.0]), [Tensor([0.0, 0.0])]
        distributed.all_gather(out, x)
        np.testing.assert_array_equal(out[0].asnumpy(), [1.0, 2.0])
        assert (distributed.get_rank(), distributed.get_world_size()) == (0, 1)
        handle = distributed.all_reduce(x, async_op=True)
        handle.wait()
        objects = [None]
        distributed.all_gather_object(objects, {"a": 1})
        assert objects == [{"a": 1}]
        distributed.send(x)
        received = Tensor([0.0, 0.0])
        assert distributed.recv(received) == 0
        np.testing.assert_array_equal(received.asnumpy(), [1.0, 2.0])
        with pytest.raises(ValueError, match="must have the shape and dtype"):
            distributed.all_gather([Tensor([0.0])], x)
        with pytest.raises(ValueError, match="'op' must be one of"):
            distributed.all_reduce(x, op="mean")
    finally:
        distributed.destroy_process_group()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: mint.no_such_function, AttributeError, "no attribute 'no_such_function'"),
        (lambda: mint.nn.Linea, AttributeError, "nearest is 'Linear'"),
        (lambda: mint.nn.Conv2d(4, 3, 3, 2, padding="same"), ValueError, "strided"),
        (lambda: mint.nn.Conv2d(4, 3, 3, groups=3), ValueError, "divisible"),
        (lambda: mint.nn.Threshold(), TypeError, "takes"),
        (lambda: mint.nn.BatchNorm2d(4)(X[0]), ValueError, "expected 4D input"),
        (lambda: mint.nn.ConvTranspose2d(4, 3, 2, 2)(X, (20, 20)), ValueError, "'output_size' must be between"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()
