"""Losses as operators: cross entropy in its forms, squared and absolute errors."""

from typing import Annotated, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.quotients import exact_mean
from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, MaybeArray, Number
from ...core.spec.rules import LOOSE, OfType, That, Within
from ...core.values.promote import promote_float
from ...core.values.ranges import check_range
from ..elementwise.math import to_float
from ..index.gathering import element_along
from ..shapes import any_case, fits_into, same_shape

_LEAST_PROBABILITY = 1e-12


@jax.custom_vjp
def _cross_entropy_of_labels(logits, labels, smoothing=None):
    """-log softmax(logits)[label] of each row, of which `smoothing` is the mean over all classes; 0 where the label is out of range."""
    return _of_labels(logits, labels, smoothing)[0]


def _of_labels(logits, labels, smoothing):
    top = jnp.max(logits, -1, keepdims=True)
    shifted = jnp.exp(logits - top)
    total = jnp.sum(shifted, -1, keepdims=True)
    inside = (labels >= 0) & (labels < logits.shape[-1])
    score = element_along(logits, jnp.where(inside, labels, 0)[..., None], -1) - top
    if smoothing is not None:
        score = (1 - smoothing) * score + smoothing * jnp.mean(logits - top, -1, keepdims=True)
    loss = (jnp.log(total) - score)[..., 0]
    return jnp.where(inside, loss, 0), shifted / total, inside


def _cross_entropy_forward(logits, labels, smoothing):
    loss, probability, inside = _of_labels(logits, labels, smoothing)
    return loss, (probability, labels, inside, smoothing)


def _cross_entropy_backward(saved, g):
    probability, labels, inside, smoothing = saved
    hit = labels[..., None] == jnp.arange(probability.shape[-1], dtype=labels.dtype)
    wanted = hit.astype(probability.dtype)
    if smoothing is not None:
        wanted = (1 - smoothing) * wanted + smoothing / wanted.shape[-1]
    grad = (probability - wanted) * jnp.where(inside, g, 0)[..., None]
    return grad, np.zeros(labels.shape, jax.dtypes.float0), None if smoothing is None else jnp.zeros_like(smoothing)


_cross_entropy_of_labels.defvjp(_cross_entropy_forward, _cross_entropy_backward)


@op(ops=False, prim=Prim("SparseSoftmaxCrossEntropyWithLogits", inputs=("logits", "labels")))
def sparse_softmax_cross_entropy_with_logits(logits: Array, labels: Array, is_grad: bool = False) -> Array:
    """Mean over all rows of (N, ..., C) logits of -log softmax(logits)[label]; with `is_grad` its gradient instead."""
    _check_rows("SparseSoftmaxCrossEntropyWithLogits", logits, labels)
    check_range(labels, 0, logits.shape[-1], "SparseSoftmaxCrossEntropyWithLogits", "labels")
    if is_grad:
        return jax.grad(lambda x: exact_mean(_cross_entropy_of_labels(x, labels)))(logits)
    return exact_mean(_cross_entropy_of_labels(logits, labels))


def _check_rows(name, logits, labels):
    if logits.ndim < 2 or logits.shape[:-1] != labels.shape:
        raise ValueError(
            f"For '{name}', the 'logits' must have shape (N, ..., C) and the 'labels' (N, ...), but got {tuple(logits.shape)} and {tuple(labels.shape)}."
        )
    if labels.dtype.kind not in "iu":
        raise TypeError(f"For '{name}', the type of 'labels' must be int32 or int64, but got {labels.dtype}.")


@op(ops=False)
def cross_entropy_of_labels(logits: Array, labels: Array, refuses: bool = False):
    """-log softmax(logits)[label] for each row of (N, ..., C) logits; a label that is not a class gives 0, or (refuses) an error."""
    _check_rows("SoftmaxCrossEntropyWithLogits", logits, labels)
    if refuses:
        check_range(labels, 0, logits.shape[-1], "SparseSoftmaxCrossEntropyWithLogits", "labels")
    return _cross_entropy_of_labels(logits, labels)


@op(prim=Prim("SoftmaxCrossEntropyWithLogits"), ops=False)
def softmax_cross_entropy_with_logits(logits: Array, labels: Array):
    """(-sum(labels * log softmax(logits)) for each row, its gradient with respect to the logits)."""
    if logits.dtype != labels.dtype:
        raise TypeError(
            f"For 'SoftmaxCrossEntropyWithLogits', the type of 'labels' should be same as 'logits', but got {labels.dtype} and {logits.dtype}."
        )
    if logits.shape != labels.shape or logits.ndim != 2:
        raise ValueError(
            f"For 'SoftmaxCrossEntropyWithLogits', the 'logits' and 'labels' must have one shape (N, C), but got {tuple(logits.shape)} "
            f"and {tuple(labels.shape)}."
        )
    return _cross_entropy_of_distributions(logits, lax.stop_gradient(labels))


@jax.custom_vjp
def _cross_entropy_of_distributions(logits, labels):
    log_probability = jax.nn.log_softmax(logits, -1)
    return -jnp.sum(labels * log_probability, -1), jnp.exp(log_probability) - labels


def _distributions_forward(logits, labels):
    loss, grad = _cross_entropy_of_distributions(logits, labels)
    return (loss, grad), grad


def _distributions_backward(grad, cotangents):
    """MindSpore's: the second output times that of the loss, also for labels whose sum is not 1; labels get none."""
    return grad * cotangents[0][:, None], jnp.zeros_like(grad)


_cross_entropy_of_distributions.defvjp(_distributions_forward, _distributions_backward)


_GENERATED = (  # of these MindSpore checks the type first, and takes the words in any case
    "NLLLoss",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "smooth_l1_loss",
    "soft_margin_loss",
)


def reduce(loss: Any, reduction: str, name: str, weight: Any = None):
    """Mean (by the sum of `weight` if given), sum, or the losses themselves."""
    if name in _GENERATED:
        reduction = any_case(reduction)
    if reduction == "none":
        return loss
    if reduction == "sum":
        return jnp.sum(loss)
    if reduction == "mean":
        return exact_mean(loss) if weight is None else jnp.sum(loss) / jnp.sum(weight)
    kind = TypeError if name in _GENERATED and not isinstance(reduction, str) else ValueError
    raise kind(f"For '{name}', the 'reduction' must be in ['none', 'mean', 'sum'], but got {reduction!r}.")


def _class_axis(x):
    """Logits (C,), (N, C) or (N, C, d1, …) with the classes moved to the end."""
    return x if x.ndim <= 2 else jnp.moveaxis(x, 1, -1)


@op(mint="nn.functional.cross_entropy", residuals=True)
def cross_entropy(
    input: Array,
    target: Array,
    weight: MaybeArray = None,
    ignore_index: OfType[int] = -100,
    reduction: str = "mean",
    label_smoothing: Annotated[Number, LOOSE, Within("[0, 1]")] = 0.0,
) -> Array:
    """Cross entropy of logits (C,), (N, C) or (N, C, d1, …) with class indices, or with probabilities of the logits' shape.

    weight: of each class. ignore_index: class that does not count (indices only). label_smoothing: part of the probability that is spread
    evenly over the classes. A mean over indices is weighted by the classes' weights.

    Example:
        >>> ops.cross_entropy(Tensor([[1.0, 2.0], [2.0, 1.0]]), Tensor([1, 0], mindspore.int32))
        Tensor(shape=[], dtype=Float32, value= 0.313262)
    """
    if target.dtype.kind not in "iu":
        return _probability_cross_entropy(input, target, weight, reduction, label_smoothing)
    return _nll(
        _class_axis(input), target, weight, ignore_index, reduction, label_smoothing, "cross_entropy", of_logits=True
    )


_RUNTIME, _VALUE = (RuntimeError, RuntimeError), (ValueError, ValueError)


def _probability_cross_entropy(logits, target, weight, reduction, label_smoothing):
    if logits.shape != target.shape:
        raise ValueError(
            f"For 'cross_entropy', probabilities as 'target' must have the shape of the logits {tuple(logits.shape)}, "
            f"but got {tuple(target.shape)}."
        )
    log_probability, target = jax.nn.log_softmax(_class_axis(logits), -1), _class_axis(target)
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / target.shape[-1]
    if weight is not None:
        target = target * weight
    loss = -jnp.sum(log_probability * target, -1)
    if reduction == "mean":
        return jnp.sum(loss) / (loss.size if loss.ndim else 1)
    return reduce(loss, reduction, "cross_entropy")


def _nll(
    rows, target, weight, ignore_index, reduction, label_smoothing, name, wraps=True, errors=_RUNTIME, of_logits=False
):
    """Negative log likelihood of rows of log probabilities, or (of_logits) of logits; classes are the last axis.

    wraps, errors: as for `positions` of the indexing operators.
    """
    if rows.ndim == 1 and target.shape == (1,):  # of one example without a batch
        target = target[0]
    if rows.shape[:-1] != target.shape:
        raise ValueError(
            f"For '{name}', the shape of 'target' must be that of the input without its class axis, {tuple(rows.shape[:-1])}, "
            f"but got {tuple(target.shape)}."
        )
    if weight is not None:
        same_shape(name, classes=rows.shape[-1:], weight=weight.shape)
    counted, length = target != ignore_index, rows.shape[-1]
    check_range(target, -length if wraps else 0, length, name, "target", errors, unless=~counted)
    safe = jnp.where(counted, jnp.where(target < 0, target + length, target), 0)
    rows = to_float(rows)
    if of_logits and (weight is None or not label_smoothing):
        smoothing = label_smoothing * jnp.ones((), rows.dtype) if label_smoothing else None
        loss, smooth = _cross_entropy_of_labels(rows, jnp.where(counted, safe, -1), smoothing), None
    else:  # with the logarithms of all classes, which are written out
        rows = jax.nn.log_softmax(rows, -1) if of_logits else rows
        loss = jnp.where(counted, -element_along(rows, safe[..., None], -1)[..., 0], 0)
        smooth = (
            jnp.where(counted, -jnp.sum(rows if weight is None else rows * weight, -1), 0) if label_smoothing else None
        )
    if weight is None:
        w = counted.astype(loss.dtype)
    else:
        loss, weight = promote_float(loss, weight)
        w = jnp.where(counted, weight[safe], 0)
        loss = loss * w
    if smooth is None:
        return reduce(loss, reduction, name, w)
    parts = [reduce(part, reduction, name, w) for part in (loss, smooth)]
    return (1 - label_smoothing) * parts[0] + label_smoothing / length * parts[1]


@op
def nll_loss(
    inputs: Array,
    target: Array,
    weight: MaybeArray = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: Number = 0.0,
) -> Array:
    """Negative log likelihood of log probabilities (N, C) or (N, C, d1, …) at class indices; arguments as for `cross_entropy`."""
    return _nll(_class_axis(inputs), target, weight, ignore_index, reduction, label_smoothing, "nll_loss")


@op(ops=False, mint="nn.functional.nll_loss")
def nll_loss_of_classes(
    input: Array, target: Array, weight: MaybeArray = None, ignore_index: int = -100, reduction: str = "mean"
) -> Array:
    """As `nll_loss`; negative class indices are outside."""
    return _nll(_class_axis(input), target, weight, ignore_index, reduction, 0.0, "NLLLoss", False, _VALUE)


@op(prim=Prim("NLLLoss", inputs=("logits", "labels", "weight")), ops=False)
def nll_loss_with_weight(
    logits: Array, labels: Array, weight: Array, reduction: str = "mean", ignore_index: int = -100
):
    """(negative log likelihood, sum of the weights); the weights get no gradient."""
    weight = jax.lax.stop_gradient(weight)
    counted = labels != ignore_index
    total = jnp.sum(jnp.where(counted, weight[jnp.where(counted, labels, 0)], 0))
    return _nll(logits, labels, weight, ignore_index, reduction, 0.0, "NLLLoss", False, _VALUE), total


@op(
    prim=Prim("BinaryCrossEntropy", inputs=("logits", "labels", "weight")),
    mint=Face(
        "nn.functional.binary_cross_entropy",
        args("input", "target", weight=None, reduction="mean"),
        to={"input": "logits", "target": "labels"},
    ),
)
def binary_cross_entropy(logits: Array, labels: Array, weight: MaybeArray = None, reduction: str = "mean") -> Array:
    """-(y log p + (1 - y) log(1 - p)) for probabilities p, which are clipped at 1e-12. The weight gets no gradient."""
    weight = None if weight is None else jax.lax.stop_gradient(weight)
    if logits.dtype != labels.dtype:
        raise TypeError(
            f"For 'BinaryCrossEntropy', the 'logits' and 'labels' must have one type, but got {logits.dtype} and {labels.dtype}."
        )
    same_shape("binary_cross_entropy", logits=logits.shape, labels=labels.shape)
    fits_into("binary_cross_entropy", logits=logits.shape, weight=() if weight is None else weight.shape)
    outside = jnp.sum((logits < 0) | (logits > 1), dtype=jnp.int32)
    check_range(outside, 0, 1, "BinaryCrossEntropy", "number of probabilities outside of 0 to 1")
    # float16 has no number for 1e-12: nothing is clipped, and the slope at a sure and wrong probability is that of the logarithm
    loss = _entropy_of_two(logits, labels) if logits.dtype == jnp.float16 else _clipped_entropy_of_two(logits, labels)
    return reduce(loss if weight is None else loss * weight, reduction, "binary_cross_entropy")


def _entropy_of_two(p, y, tiny=0.0):
    tiny = jnp.asarray(tiny, p.dtype)
    return -(y * jnp.log(jnp.maximum(p, tiny)) + (1 - y) * jnp.log(jnp.maximum(1 - p, tiny)))


@jax.custom_jvp
def _clipped_entropy_of_two(p, y):
    return _entropy_of_two(p, y, _LEAST_PROBABILITY)


@_clipped_entropy_of_two.defjvp
def _clipped_entropy_of_two_jvp(primals, tangents):
    """Clipped logarithms have no gradient, by which a sure and wrong probability would never be left: MindSpore's clips the slope."""
    p, y = primals
    tiny = jnp.asarray(_LEAST_PROBABILITY, p.dtype)
    of_p = (p - y) / jnp.maximum(p * (1 - p), tiny)
    of_y = jnp.log(jnp.maximum(1 - p, tiny)) - jnp.log(jnp.maximum(p, tiny))
    return _clipped_entropy_of_two(p, y), of_p * tangents[0] + of_y * tangents[1]


def _of_two_classes(logits, positive, negative):
    """-(positive log sigmoid(x) + negative log(1 - sigmoid(x))), elementwise."""
    return _logistic(*promote_float(logits, positive, negative))


@jax.custom_jvp
def _logistic(x, positive, negative):
    tail = jnp.log1p(jnp.exp(-jnp.abs(x)))
    return positive * (jnp.maximum(-x, 0) + tail) + negative * (jnp.maximum(x, 0) + tail)


@_logistic.defjvp
def _logistic_jvp(primals, tangents):
    """The slope of x is MindSpore's: one sigmoid, so little that a compiler may compute it wherever it is read. Two slopes of
    logarithms are written out.
    """
    x, positive, negative = primals
    of_x, of_positive, of_negative = tangents
    slope = (positive + negative) * jax.nn.sigmoid(x) - positive
    return _logistic(*primals), of_x * slope + of_positive * jax.nn.softplus(-x) + of_negative * jax.nn.softplus(x)


@op(
    prim=Prim("BCEWithLogitsLoss", inputs=("input", "target", "weight", "pos_weight")),
    mint=Face(
        "nn.functional.binary_cross_entropy_with_logits",
        args("input", "target", weight=None, reduction="mean", pos_weight=None),
    ),
)
def binary_cross_entropy_with_logits(
    input: Array, target: Array, weight: MaybeArray = None, pos_weight: MaybeArray = None, reduction: str = "mean"
) -> Array:
    """Binary cross entropy of logits: weight * (-pos_weight y log sigmoid(x) - (1 - y) log(1 - sigmoid(x))). The
    weights get no gradient.
    """
    weight, pos_weight = (None if w is None else jax.lax.stop_gradient(w) for w in (weight, pos_weight))
    same_shape("binary_cross_entropy_with_logits", input=input.shape, target=target.shape)
    for what, given in (("weight", weight), ("pos_weight", pos_weight)):
        fits_into(
            "binary_cross_entropy_with_logits", **{"input": input.shape, what: () if given is None else given.shape}
        )
    if jnp.issubdtype(target.dtype, jnp.floating):  # MindSpore computes in the type of the target
        input, weight, pos_weight = (None if x is None else x.astype(target.dtype) for x in (input, weight, pos_weight))
    loss = _of_two_classes(input, target if pos_weight is None else target * pos_weight, 1 - target)
    return reduce(loss if weight is None else loss * weight, reduction, "binary_cross_entropy_with_logits")


@op(prim=Prim("SigmoidCrossEntropyWithLogits"), ops=False)
def sigmoid_cross_entropy_with_logits(logits: Array, label: Array) -> Array:
    """-(y log sigmoid(x) + (1 - y) log(1 - sigmoid(x))), elementwise. The label gets no gradient."""
    same_shape("SigmoidCrossEntropyWithLogits", logits=logits.shape, label=label.shape)
    label = jax.lax.stop_gradient(label)
    return _of_two_classes(logits, label, 1 - label)


@op(prim=Prim("KLDivLoss", inputs=("logits", "labels")))
def kl_div(logits: Array, labels: Array, reduction: str = "mean") -> Array:
    """labels * (log labels - logits); 0 where labels are 0 or less. `reduction` is "none", "mean", "batchmean" or "sum".

    The gradient is that of -labels * logits everywhere, as in MindSpore; none flows to the labels.
    """
    same_shape("KLDivLoss", logits=logits.shape, labels=labels.shape)
    labels = lax.stop_gradient(labels)
    loss = jnp.where(labels > 0, labels * (jnp.log(jnp.where(labels > 0, labels, 1)) - logits), 0)
    nothing = jnp.where(jnp.isfinite(logits), lax.stop_gradient(logits) - logits, 0)
    return _kl(loss + jnp.where(labels < 0, labels * nothing, 0), reduction)


@op(ops=False, mint="nn.functional.kl_div")
def kl_div_of_logs(input: Array, target: Array, reduction: str = "mean", log_target: bool = False) -> Array:
    """Like `kl_div`; with `log_target` the target is given as its logarithm. The target gets no gradient."""
    target = jax.lax.stop_gradient(target)
    if log_target:
        return _kl(jnp.exp(target) * (target - input), reduction)
    return _kl(jnp.where(target > 0, target * (jnp.log(jnp.where(target > 0, target, 1)) - input), 0), reduction)


def _kl(loss, reduction):
    if reduction == "batchmean":
        return jnp.sum(loss) / loss.shape[0]
    return reduce(loss, reduction, "kl_div")


@op(
    prim=Prim(
        "SoftMarginLoss",
        init=args(reduction="mean"),
        call=args("logits", "labels"),
        to={"logits": "input", "labels": "target"},
    ),
    mint="nn.functional.soft_margin_loss",
)
def soft_margin_loss(input: Array, target: Array, reduction: str = "mean") -> Array:
    """log(1 + exp(-y x)) for labels y of 1 and -1."""
    same_shape("SoftMarginLoss", input=input.shape, target=target.shape)
    return reduce(jax.nn.softplus(-target * input), reduction, "soft_margin_loss")


@op
def hinge_embedding_loss(inputs: Array, targets: Array, margin: Number = 1.0, reduction: str = "mean") -> Array:
    """x where the label is positive, max(0, margin - x) where it is negative."""
    x = jnp.where(targets > 0, inputs, 0) + jnp.where(targets < 0, jnp.maximum(margin - inputs, 0), 0)
    return reduce(x, reduction, "hinge_embedding_loss")


@op
def multilabel_soft_margin_loss(input: Array, target: Array, weight: Any = None, reduction: str = "mean") -> Array:
    """Mean over the classes of the binary cross entropy of logits (N, C)."""
    loss = _of_two_classes(input, target, 1 - target)
    loss = loss if weight is None else loss * weight
    axis = input.ndim - 1  # the classes of the input, also where the target has more axes
    return reduce(jnp.sum(loss, axis) / input.shape[axis], reduction, "multilabel_soft_margin_loss")


@op(
    prim=Prim(
        "MultiMarginLoss",
        init=args(p=1, margin=1.0, reduction="mean"),
        call=args("inputs", "target", weight=None),
        to={"inputs": "input"},
    )
)
def multi_margin_loss(
    input: Array,
    target: Array,
    p: Annotated[int, LOOSE, That("1 or 2", lambda p: p in (1, 2))] = 1,
    margin: Number = 1,
    weight: MaybeArray = None,
    reduction: str = "mean",
) -> Array:
    """sum over classes i != y of max(0, margin - x[y] + x[i]) ** p / C, for (N, C) inputs."""
    if input.ndim != 2 or target.ndim != 1:
        raise ValueError(
            f"For 'MultiMarginLoss', the 'inputs' must have 2 axes and the 'target' one, but got shapes {input.shape} and {target.shape}."
        )
    x, y = input, target
    same_shape("MultiMarginLoss", rows=x.shape[:1], target=y.shape)
    if weight is not None:
        same_shape("MultiMarginLoss", classes=x.shape[1:], weight=weight.shape)
    check_range(y, 0, x.shape[1], "MultiMarginLoss", "target", _VALUE)
    gap = margin - element_along(x, y[:, None], 1) + x
    gap = jnp.where(gap > 0, gap, 0) ** p
    if weight is not None:
        gap = gap * weight[y][:, None]
    gap = jnp.where(jnp.arange(x.shape[1]) == y[:, None], 0, gap)
    return reduce(jnp.sum(gap, 1) / x.shape[1], reduction, "multi_margin_loss")


def _multilabel_margin(x, target):
    """(loss for each row, whether each class is a target)"""
    n = x.shape[1]
    valid = jnp.cumprod(target >= 0, axis=1).astype(bool)  # labels up to the first -1
    check_range(target, 0, n, "MultilabelMarginLoss", "target", unless=~valid)
    is_target = jnp.any((jnp.arange(n)[None, None] == target[:, :, None]) & valid[:, :, None], 1)
    at_label = jnp.take_along_axis(x, jnp.where(valid, target, 0), 1)
    gap = jnp.maximum(1 - (at_label[:, :, None] - x[:, None, :]), 0)
    gap = jnp.where(valid[:, :, None] & ~is_target[:, None, :], gap, 0)
    return jnp.sum(gap, (1, 2)) / n, is_target


@op
def multilabel_margin_loss(input: Array, target: Array, reduction: str = "mean"):
    """sum over targets j and non-targets i of max(0, 1 - (x[j] - x[i])) / C; targets end at the first -1."""
    same_shape("MultilabelMarginLoss", x=input.shape, target=target.shape)
    loss, _ = _multilabel_margin(jnp.atleast_2d(input), jnp.atleast_2d(target))
    return reduce(loss if input.ndim > 1 else loss[0], reduction, "multilabel_margin_loss")


@op(prim=Prim("MultilabelMarginLoss", inputs=("x", "target")), ops=False)
def multilabel_margin_loss_with_targets(x: Array, target: Array, reduction: str = "mean"):
    """(multilabel margin loss, int32 array that is 1 at the targets)"""
    same_shape("MultilabelMarginLoss", x=x.shape, target=target.shape)
    loss, is_target = _multilabel_margin(jnp.atleast_2d(x), jnp.atleast_2d(target))
    return reduce(loss if x.ndim > 1 else loss[0], reduction, "MultilabelMarginLoss"), is_target.reshape(
        target.shape
    ).astype(jnp.int32)
