"""The cross entropy with labels is one rule, with smoothing and with images too: no array of logarithms is scattered into."""

import jax
import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, ops


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("shape", [(6, 11), (2, 5, 3, 4)])
def test_nothing_is_scattered(shape, smoothing):
    """On an accelerator the scatter wrote the logits in float32 three times; on the CPU a step took three times as long."""
    target = Tensor(np.ones(shape[:1] + shape[2:], np.int32))

    def loss(x):
        return ops.cross_entropy(Tensor(x), target, label_smoothing=smoothing).jax_array

    program = str(jax.make_jaxpr(jax.grad(loss))(np.ones(shape, np.float32)))
    assert "scatter" not in program and "exp" in program


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("shape", [(5, 7), (2, 7, 3)])
def test_values_and_gradients_are_those_of_the_logarithms(shape, smoothing):
    rng = np.random.default_rng(0)
    x = Tensor((rng.normal(size=shape) + 1000).astype(np.float32))
    target = Tensor(rng.integers(0, 7, shape[:1] + shape[2:]).astype(np.int32))
    chances = ops.one_hot(target, 7, Tensor(1.0), Tensor(0.0), 1) * (1 - smoothing) + smoothing / 7

    def loss(x):
        return ops.cross_entropy(x, target, ignore_index=0, label_smoothing=smoothing)

    def plain(x):
        kept = (target != 0).astype(ms.float32)
        return ((-ops.log_softmax(x, 1) * chances).sum(1) * kept).sum() / kept.sum()

    for got, want in zip(ms.value_and_grad(loss)(x), ms.value_and_grad(plain)(x)):
        np.testing.assert_allclose(got.asnumpy(), want.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("smoothing", [Tensor(0.1), np.float32(0.1)])
def test_the_smoothing_is_any_number(smoothing):
    x, target = Tensor(np.arange(10, dtype=np.float32).reshape(2, 5) % 4), Tensor([1, 4])
    want = ops.cross_entropy(x, target, label_smoothing=0.1)
    np.testing.assert_allclose(ops.cross_entropy(x, target, label_smoothing=smoothing).asnumpy(), want.asnumpy(), 1e-6)


def test_labels_of_an_image_compile():
    """XLA's CPU compiler made a program that overwrites what it still reads, of the gather and the scatter, so the step was refused."""
    x = Tensor(np.random.default_rng(0).normal(size=(8, 21, 128, 128)).astype(np.float32))
    target = Tensor(np.full((8, 128, 128), 3, np.int32))
    value, grad = ms.jit(lambda x: ms.value_and_grad(lambda x: ops.cross_entropy(x, target))(x))(x)
    assert grad.shape == x.shape and 3 < float(value.asnumpy()) < 4


@pytest.mark.parametrize(
    "loss",
    [
        lambda x, y: ops.SigmoidCrossEntropyWithLogits()(x, y),
        lambda x, y: ops.binary_cross_entropy_with_logits(x, y, y + 1, y + 2),
        lambda x, y: ops.multilabel_soft_margin_loss(x, y),
    ],
)
def test_a_loss_of_two_classes_takes_one_logarithm_and_one_sigmoid(loss):
    """The compiler of TPUs fused four logarithms no more with what read them: a detector moved 1.30 times the bytes."""
    labels = Tensor(np.ones((3, 4), np.float32))

    def total(x):
        return loss(Tensor(x), labels).sum().jax_array

    program = jax.jit(jax.value_and_grad(total)).lower(np.ones((3, 4), np.float32)).compile().as_text()
    assert program.count(" log-plus-one(") == 1 and program.count(" exponential(") <= 2


def test_slopes_of_two_classes_are_mindspores_where_nothing_is_left():
    """sigmoid(x) - label is 0 in float32 from 17 on; of the logarithm it is -exp(-x). Slopes of slopes and of labels pass."""
    x, ones = Tensor([17.0, 20.0, 100.0]), Tensor(np.ones(3, np.float32))
    loss = ops.SigmoidCrossEntropyWithLogits()
    assert ms.grad(loss)(x, ones).asnumpy().tolist() == [0, 0, 0]
    both = ms.grad(lambda x, y: ops.binary_cross_entropy_with_logits(x, y, ones, ones, "none"), (0, 1))(x, ones)
    assert both[0].asnumpy().tolist() == [0, 0, 0] and both[1].asnumpy().tolist() == [-17, -20, -100]
    second = ms.grad(lambda x: ms.grad(loss)(x, ones).sum())(Tensor([0.0, 2.0, -2.0]))
    np.testing.assert_allclose(second.asnumpy(), [0.25, 0.10499358, 0.10499358], rtol=1e-6)


def test_ctc_loss_does_not_depend_on_what_follows_the_end_of_a_sequence():
    logits = Tensor(np.random.RandomState(0).uniform(-1, 1, (6, 2, 5)).astype(np.float32))
    places = Tensor([[0, 0], [0, 1], [1, 0], [1, 1]], ms.int64)

    def loss(x):
        return ops.CTCLoss()(x, places, Tensor([0, 2, 1, 3], ms.int32), Tensor([4, 6], ms.int32))[0].sum()

    gradient = ms.grad(loss)(logits).asnumpy()
    assert not gradient[4:, 0].any()
    assert gradient[:4, 0].any() and gradient[4:, 1].any()
