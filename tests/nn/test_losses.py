"""Reductions, wrong arguments and the base class of losses; values and gradients stand in cases_layers.py."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, mint, nn, ops  # noqa: F401  the expressions use them

random = np.random.RandomState(0)
P, Q = (Tensor(random.uniform(0.1, 0.9, (3, 4)).astype(np.float32)) for _ in range(2))
LABELS, SIGNS = Tensor([0, 2, 1], ms.int32), Tensor([[1.0, -1, 1, -1]] * 3, ms.float32)

LOSSES = {  # class: (arguments, keywords, number of values without reduction)
    "L1Loss": ((P, Q), {}),
    "MSELoss": ((P, Q), {}),
    "MAELoss": ((P, Q), {}),
    "SmoothL1Loss": ((P, Q), {}),
    "HuberLoss": ((P, Q), {}),
    "SoftMarginLoss": ((P, SIGNS), {}),
    "HingeEmbeddingLoss": ((P, SIGNS), {}),
    "BCELoss": ((P, Q), {}),
    "BCEWithLogitsLoss": ((P, Q), {}),
    "KLDivLoss": ((P, Q), {}),
    "CrossEntropyLoss": ((P, LABELS), {}),
    "NLLLoss": ((P, LABELS), {}),
    "PoissonNLLLoss": ((P, Q), {"full": True}),
    "SoftmaxCrossEntropyWithLogits": ((P, Q), {}),
    "FocalLoss": ((P, LABELS.reshape(3, 1)), {}),
    "MultiMarginLoss": ((P, LABELS.astype(ms.int64)), {}),
    "MultilabelMarginLoss": ((P, Tensor([[3, 0, -1, 1]] * 3, ms.int32)), {}),
    "MultiLabelSoftMarginLoss": ((P, Q), {}),
    "MarginRankingLoss": ((P, Q, SIGNS), {}),
    "CosineEmbeddingLoss": ((P, Q, Tensor([1, -1, 1], ms.int32)), {}),
    "TripletMarginLoss": ((P, Q, P + 0.1), {}),
    "TripletMarginWithDistanceLoss": ((P, Q, P + 0.1), {"swap": True}),
    "GaussianNLLLoss": ((P, Q, Q), {}),
}


@pytest.mark.parametrize("name", LOSSES)
def test_reductions(name, mode):
    """The reductions "sum" and "mean" are those of "none"; and the gradient exists."""
    args, keywords = LOSSES[name]
    each, total, mean = (getattr(nn, name)(reduction=r, **keywords) for r in ("none", "sum", "mean"))
    values = each(*args)
    assert values.ndim > 0 and values.dtype == ms.float32
    np.testing.assert_allclose(float(total(*args)), values.asnumpy().sum(), rtol=1e-5)
    np.testing.assert_allclose(float(mean(*args)), values.asnumpy().mean(), rtol=1e-5)
    grad = ops.grad(total)(*args)
    assert grad.shape == P.shape and np.isfinite(grad.asnumpy()).all() and grad.asnumpy().any()
    with pytest.raises(ValueError, match="reduction"):
        loss = getattr(nn, name)(reduction="product", **keywords)
        loss(*args)


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16], ids=str)
@pytest.mark.parametrize(
    "name", ["L1Loss", "MSELoss", "SmoothL1Loss", "HuberLoss", "CrossEntropyLoss", "SoftmaxCrossEntropyWithLogits"]
)
def test_half_precision(name, dtype):
    args = LOSSES[name][0]
    exact = float(getattr(nn, name)(reduction="mean")(*args))
    half = [a.astype(dtype) if a.dtype == ms.float32 else a for a in args]
    out = getattr(nn, name)(reduction="mean")(*half)
    assert out.dtype == dtype
    np.testing.assert_allclose(float(out), exact, rtol=0.03)


WRONG = [
    ("nn.MSELoss()(P, 3)", "TypeError", "'labels' must be Tensor"),
    ("nn.MSELoss('x')", "ValueError", "'reduction' must be one of 'none', 'mean', 'sum'"),
    ("nn.CrossEntropyLoss()(P, LABELS.reshape(1, 3, 1))", "ValueError", "rank"),
    ("nn.CrossEntropyLoss()(P, Tensor([1, 2], ms.int32))", "ValueError", "shape"),
    ("nn.CrossEntropyLoss(label_smoothing=2.0)", "ValueError", "'label_smoothing'"),
    ("nn.CrossEntropyLoss(ignore_index='a')", "TypeError", "'ignore_index'"),
    ("nn.CrossEntropyLoss(weight=[1, 2])", "TypeError", "'weight'"),
    ("nn.SoftmaxCrossEntropyWithLogits(1)", "TypeError", "'sparse' must be a bool"),
    ("nn.CosineEmbeddingLoss(2.0)", "ValueError", "'margin'"),
    ("nn.CosineEmbeddingLoss()(P, Q[:2], LABELS)", "ValueError", ""),
    ("nn.BCEWithLogitsLoss(weight=Parameter(P))", "TypeError", "Parameter"),
    ("nn.FocalLoss(gamma=1)", "TypeError", "'gamma'"),
    ("nn.FocalLoss()(P, LABELS)", "ValueError", ""),
    ("nn.DiceLoss(0.0)", "ValueError", "'smooth'"),
    ("nn.DiceLoss()(P, P[:2])", "ValueError", "shape"),
    ("nn.MultiClassDiceLoss(activation='swish')", "ValueError", "'activation'"),
    ("nn.GaussianNLLLoss(eps=0.0)", "ValueError", "'eps'"),
    ("nn.HingeEmbeddingLoss('a')", "TypeError", "'margin'"),
    ("nn.SampledSoftmaxLoss(5, 3)", "ValueError", "'num_sampled'"),
    ("nn.RMSELoss()(P, LABELS.astype(ms.uint8))", "TypeError", ""),
    ("nn.TripletMarginWithDistanceLoss(margin=1)", "TypeError", "'margin'"),
]


@pytest.mark.parametrize("expression, error, text", WRONG, ids=[w[0] for w in WRONG])
def test_wrong_argument(expression, error, text):
    with pytest.raises(Exception) as caught:
        eval(expression)
    assert type(caught.value).__name__ == error, repr(caught.value)
    assert text in str(caught.value)


class Weighted(nn.LossBase):
    def construct(self, logits, labels, weights=1.0):
        return self.get_loss(self.reduce_sum(ops.abs(logits - labels), self.get_axis(logits)[1:]), weights)


def test_own_loss(mode):
    each = np.abs((P - Q).asnumpy()).sum(1)
    weights = Tensor([1.0, 2.0, 3.0])
    for reduction, reduce in (("mean", np.mean), ("sum", np.sum), ("none", lambda x: x)):
        np.testing.assert_allclose(Weighted(reduction)(P, Q).asnumpy(), reduce(each), rtol=1e-5)
        np.testing.assert_allclose(Weighted(reduction)(P, Q, weights).asnumpy(), reduce(each * [1, 2, 3]), rtol=1e-5)
    assert nn.loss.loss._Loss is nn.LossBase


def test_triplet_distance_function(mode):
    own = nn.TripletMarginWithDistanceLoss(lambda x, y: ops.abs(x - y).sum(1), margin=0.5)
    p, q = P.asnumpy(), Q.asnumpy()
    expected = np.maximum(np.abs(p - q).sum(1) - np.abs(p - 2 * q).sum(1) + 0.5, 0).mean()
    np.testing.assert_allclose(float(own(P, Q, Q * 2)), expected, rtol=1e-5)


def test_sampled_softmax_equals_the_full_one():
    """With all classes sampled once, and counts of 1, it is the cross entropy over the true class and all others."""
    weights, biases = Tensor(random.randn(4, 3).astype(np.float32)), Tensor(random.randn(4).astype(np.float32))
    logits, labels = Tensor(random.randn(2, 3).astype(np.float32)), Tensor([[1], [2]], ms.int32)
    sampled = Tensor([0, 3], ms.int32), Tensor(np.ones((2, 1), np.float32)), Tensor(np.ones(2, np.float32))
    loss = nn.SampledSoftmaxLoss(2, 4, sampled_values=sampled)(weights, biases, labels, logits).asnumpy()
    scores = logits.asnumpy() @ weights.asnumpy().T + biases.asnumpy()
    for row, label, value in zip(scores, (1, 2), loss):
        chosen = row[[label, 0, 3]]
        np.testing.assert_allclose(value, np.log(np.exp(chosen).sum()) - chosen[0], rtol=1e-5)


_F = np.ones((2, 3))
CHECKS = [  # recorded from MindSpore 2.10: the check, its arguments, the error
    ("_check_is_tensor", ("x", None, "A"), None),
    ("_check_is_tensor", ("x", 1, "A"), TypeError),
    ("_check_rmseloss_dtype", (ms.int32, (ms.int32, ms.int64), "A"), TypeError),
    ("_check_rmseloss_dtype", (ms.float32, (ms.int32,), "A"), None),
    ("_check_dice_shape", ((2, 3), (2, 3), "A"), None),
    ("_check_shape", ((2,), (3,), "A"), ValueError),
    ("_check_label_dtype", (ms.int32, "A"), None),
    ("_check_label_dtype", (ms.int8, "A"), TypeError),
    ("_check_input_dtype", (ms.float16, "A"), None),
    ("_check_input_dtype", (ms.float64, "A"), TypeError),
    ("_check_ndim_multi", (2, 2), None),
    ("_check_ndim_multi", (2, 1, "A"), ValueError),
    ("_check_weights", (3, 4, "A"), ValueError),
    ("_check_ndim", (4, 4), None),
    ("_check_ndim", (5, 5), ValueError),
    ("_check_ndim", (3, 2, "A"), ValueError),
    ("_check_channel_and_shape", (3, 1), None),
    ("_check_channel_and_shape", (1, 1), ValueError),
    ("_check_channel_and_shape", (3, 2), ValueError),
    ("_check_ctcloss_targets_shape", (Tensor(_F[:1]),), None),
    ("_check_ctcloss_targets_shape", (Tensor(_F),), ValueError),
    ("_check_cross_entropy_inputs", ((2, 3), (2, 3), 2, 2, ms.float32, ms.float32), None),
    ("_check_cross_entropy_inputs", ((2, 3, 4), (2, 4), 3, 2, ms.float32, ms.int32), None),
    ("_check_cross_entropy_inputs", ((3,), (), 1, 0, ms.float32, ms.int32), None),
    ("_check_cross_entropy_inputs", ((2, 3), (2,), 2, 1, ms.float32, ms.int64), TypeError),
    ("_check_cross_entropy_inputs", ((2, 3, 4), (2,), 3, 1, ms.float32, ms.int32), ValueError),
]


@pytest.mark.parametrize("name, arguments, error", CHECKS)
def test_checks_that_losses_import(name, arguments, error):
    from mindspore.nn.loss import loss

    if error is None:
        assert getattr(loss, name)(*arguments) is None
    else:
        with pytest.raises(error):
            getattr(loss, name)(*arguments)


@pytest.mark.parametrize("label", [5, -1])
def test_a_label_that_is_no_class_has_no_mean(label):
    """As in MindSpore: the mean refuses it, "none" counts it 0."""
    logits, labels = Tensor(np.ones((3, 4), np.float32)), Tensor([label, 0, 1], ms.int32)
    with pytest.raises(RuntimeError, match="'labels' must be in range"):
        nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")(logits, labels).asnumpy()
    assert nn.SoftmaxCrossEntropyWithLogits(sparse=True)(logits, labels).asnumpy()[0] == 0


@pytest.mark.parametrize("make", [nn.BCELoss, mint.nn.BCELoss])
def test_a_probability_that_is_sure_and_wrong_has_a_gradient(make):
    p = Tensor(np.float32([0, 1e-30, 1, 0.5]))
    grad = ms.grad(make(reduction="sum"))(p, Tensor(np.full(4, 0.3, np.float32))).asnumpy()
    np.testing.assert_allclose(grad, [-3e11, -3e11, 7e11, 0.8], rtol=1e-6)  # MindSpore's numbers
