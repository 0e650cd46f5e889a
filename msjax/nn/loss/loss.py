"""Losses. Subclasses of LossBase compute a loss for each element and leave the reduction to `get_loss`."""

from typing import Annotated, Any, Literal

from ... import ops
from ...core.keywords import Only, old_keywords
from ...core.operators import check
from ...core.operators.record import records
from ...core.spec.checking import checked
from ...core.spec.kinds import Shown
from ...core.spec.rules import Like, Rank, Reduction, Within
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from ..lazy_operator import Served

_REDUCTIONS = ("mean", "sum", "none")


def check_tensor(name: str, value: Any, cell: Cell):
    """TypeError for an argument that is not a Tensor."""
    if value is not None and not isinstance(value, Tensor):
        raise TypeError(f"For '{cell.cls_name}', the '{name}' must be Tensor, but got '{type(value).__name__}'.")


def check_tensors(cell: Cell, **named):
    """TypeError unless all the named arguments are Tensors."""
    for name, value in named.items():
        check_tensor(name, value, cell)


class LossBase(Cell):
    """Base class of losses: `get_loss(x, weights)` gives weights * x, reduced by "mean", "sum" or "none".

    Raises:
        ValueError: another `reduction`.

    Example:
        >>> class Absolute(nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss((logits - labels).abs())
        >>> print(Absolute()(Tensor([1.0, 2.0]), Tensor([0.0, 0.0])))
        1.5
    """

    reduce_mean = Served(lambda self: ops.ReduceMean())
    reduce_sum = Served(lambda self: ops.ReduceSum())
    mul = Served(lambda self: ops.Mul())
    cast = Served(lambda self: ops.Cast())

    @checked
    def __init__(self, reduction: Annotated[Reduction, Shown("str")] = "mean"):  # subclasses hand on a str of their own
        super().__init__()
        self.reduction = reduction
        self.average, self.reduce = reduction != "sum", reduction != "none"

    def get_axis(self, x: Tensor):
        """All axes of x, as a tuple."""
        return tuple(range(x.ndim))

    def get_loss(self, x: Tensor, weights: Any = 1.0):
        """weights * x in float32, reduced, in the dtype of x."""
        dtype = x.dtype
        if dtype != mstype.float32:
            x = x.astype(mstype.float32)
        if isinstance(weights, Tensor):
            x = weights.astype(mstype.float32) * x
        elif weights != 1.0:
            x = x * float(weights)
        if self.reduce:
            x = x.mean() if self.average else x.sum()
        return x if dtype == mstype.float32 else x.astype(dtype)

    def construct(self, logits: Tensor, labels: Tensor):
        raise NotImplementedError(f"'{self.cls_name}' must define 'construct'.")


_Loss = LossBase  # the name in MindSpore before 1.3


# --- differences
class ReducedLoss(LossBase):
    """Base of losses whose constructor takes the reduction alone. Its type names the words, which a subclass of a user need not do."""

    @checked
    def __init__(self, reduction: Reduction = "mean"):
        super().__init__(reduction)


class L1Loss(ReducedLoss):
    """|logits - labels|, reduced.

    Example:
        >>> print(nn.L1Loss()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])))
        1.5
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.l1_loss(logits, labels, self.reduction)


class L1LossExt(L1Loss):
    """`mint.nn.L1Loss`: |input - target|, reduced; the two broadcast.

    Example:
        >>> print(mint.nn.L1Loss()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])))
        1.5
    """


class MSELoss(ReducedLoss):
    """(logits - labels) ** 2, reduced.

    Example:
        >>> print(nn.MSELoss()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])))
        2.5
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        check_tensors(self, logits=logits, labels=labels)
        return self.get_loss(ops.square(logits - labels))


class RMSELoss(LossBase):
    """Square root of the mean of (logits - label) ** 2.

    Raises:
        TypeError: an input is unsigned.

    Example:
        >>> print(nn.RMSELoss()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])))
        1.5811388
    """

    def __init__(self):
        super().__init__()

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        for what, value in (("logits", logits), ("label", label)):
            if value.dtype in (mstype.uint8, mstype.uint16, mstype.uint32, mstype.uint64):
                raise TypeError(
                    f"For '{self.cls_name}', the dtype of '{what}' must not be unsigned, but got {value.dtype}."
                )
        return ops.sqrt(self.get_loss(ops.square(logits - label)))


class MAELoss(ReducedLoss):
    """|logits - label|, reduced.

    Example:
        >>> print(nn.MAELoss()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])))
        1.5
    """

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        check_tensors(self, logits=logits, label=label)
        return self.get_loss(ops.abs(logits - label))


class SmoothL1Loss(LossBase):
    """d ** 2 / (2 * beta) where d = |logits - labels| is less than beta, d - beta / 2 elsewhere; not reduced by
    default.

    Example:
        >>> print(nn.SmoothL1Loss()(Tensor([1.0, 2.0]), Tensor([0.5, 4.0])))
        [0.125 1.5  ]
    """

    @old_keywords(sigma="beta")
    @checked
    def __init__(self, beta: bool | int | float | None = 1.0, reduction: Reduction = "none"):
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """d ** 2 / 2 where d = |logits - labels| is at most delta, delta * (d - delta / 2) elsewhere, reduced.

    Example:
        >>> print(nn.HuberLoss()(Tensor([1.0, 2.0]), Tensor([0.5, 4.0])))
        0.8125
    """

    @checked
    def __init__(self, reduction: Reduction = "mean", delta: Like[float] = 1.0):
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.huber_loss(logits, labels, self.reduction, self.delta)


# --- classes
class SoftmaxCrossEntropyWithLogits(LossBase):
    """Cross entropy of softmax(logits) for each row of (N, C); not reduced by default. With `sparse` and the mean, logits may be
    (N, ..., C) and labels (N, ...).

    Args:
        sparse: labels are class numbers (N,) instead of distributions (N, C).
        reduction: "none", "mean" or "sum".

    Raises:
        TypeError: an argument of the wrong kind. ValueError: another `reduction`, or shapes that do not fit.

    Example:
        >>> loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        >>> loss(Tensor([[1.0, 2.0]]), Tensor([1], mindspore.int32))
        Tensor(shape=[], dtype=Float32, value= 0.313262)
    """

    @old_keywords(is_grad=Only(True, False), smooth_factor=Only(0, None), num_classes=None)
    @checked
    def __init__(self, sparse: bool = False, reduction: Reduction = "none"):
        super().__init__(reduction)
        self.sparse = sparse

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        check_tensors(self, logits=logits, labels=labels)
        if self.sparse:
            if logits.ndim > 2 and self.reduction != "mean":  # MindSpore takes the mean alone over more axes
                raise ValueError(
                    f"For '{self.cls_name}', the 'logits' must have shape (N, C) unless the reduction is 'mean', but got {logits.shape} "
                    f"with reduction '{self.reduction}'."
                )
            # in MindSpore the mean refuses labels that are not classes; "none" and "sum" count them 0
            return self.get_loss(records["cross_entropy_of_labels"](logits, labels, self.reduction == "mean"))
        return self.get_loss(ops.SoftmaxCrossEntropyWithLogits()(logits, labels)[0])


class CrossEntropyLoss(LossBase):
    """Cross entropy of softmax(logits), with class numbers or probabilities as labels.

    Args:
        weight: weight of each class, a Tensor (C,).
        ignore_index: label that counts for nothing.
        reduction: "none", "mean" or "sum".
        label_smoothing: part of each label that is spread over all classes, in [0, 1].

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind, range or shape.

    Example:
        >>> print(nn.CrossEntropyLoss()(Tensor([[1.0, 2.0]]), Tensor([1], mindspore.int32)))
        0.3132615
    """

    @checked
    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: Reduction = "mean",
        label_smoothing: Annotated[float, Within("[0, 1]")] = 0.0,
    ):
        super().__init__(reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        self.weight = _class_weight(weight, self.cls_name)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        check_tensors(self, logits=logits, labels=labels)
        self._check(logits, labels)
        return ops.cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)

    def _check(self, logits, labels):
        name, floats = self.cls_name, (mstype.float16, mstype.float32, mstype.bfloat16)
        check.check_type_name("logits", logits.dtype, floats, name)
        if logits.ndim == labels.ndim:
            check.check_type_name("labels", labels.dtype, floats, name)
            wanted, form = logits.shape, "(N, C, d_0, d_1, ...)"
        elif labels.ndim == logits.ndim - 1:
            check.check_type_name("labels", labels.dtype, (mstype.int32, mstype.int64), name)
            wanted, form = (*logits.shape[:1], *logits.shape[2:]) if logits.ndim > 1 else (), "(N, d_0, d_1, ...)"
        else:
            raise ValueError(
                f"For '{name}', the 'labels' must have as many axes as 'logits' (probabilities) or one less (class "
                f"numbers), but got 'logits' rank: {logits.ndim} and 'labels' rank: {labels.ndim}."
            )
        if labels.shape != wanted:
            raise ValueError(
                f"For '{name}', the shape of 'logits' should be (N, C, d_0, d_1, ...), and the shape of 'labels' "
                f"should be {form}, but got 'logits' shape: {logits.shape} and 'labels' shape: {labels.shape}."
            )


def _class_weight(weight, cell_name):
    if weight is not None:
        check.check_value_type("weight", weight, [Tensor], cell_name)
        check.check_type_name("weight", weight.dtype, [mstype.float16, mstype.float32], cell_name)
    return weight


class NLLLoss(LossBase):
    """-weight[label] * logits[label]: the negative log-likelihood, for logits that are log-probabilities.

    Args:
        weight: weight of each class, a Tensor (C,).
        ignore_index: label that counts for nothing.
        reduction: "none", "mean" (weighted) or "sum".

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> print(nn.NLLLoss()(Tensor([[-1.0, -0.5]]), Tensor([1], mindspore.int32)))
        0.5
    """

    @checked
    def __init__(self, weight: Tensor | None = None, ignore_index: int = -100, reduction: Reduction = "mean"):
        super().__init__(reduction)
        self.ignore_index = ignore_index
        self.weight = _class_weight(weight, self.cls_name)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class BCELoss(LossBase):
    """Binary cross entropy of probabilities: -weight * (labels * log(logits) + (1 - labels) * log(1 - logits)),
    reduced.

    Example:
        >>> print(nn.BCELoss()(Tensor([0.2, 0.8]), Tensor([0.0, 1.0])))
        0.22314353
    """

    @checked
    def __init__(self, weight: Like[Tensor | None] = None, reduction: Reduction = "mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """Binary cross entropy of sigmoid(input), without overflow, reduced.

    Args:
        reduction: "none", "mean" or "sum".
        weight, pos_weight: Tensors that broadcast with the input: weight of each element, and of its positive part.

    Raises:
        TypeError: a weight is a Parameter, or an input no Tensor.

    Example:
        >>> print(nn.BCEWithLogitsLoss()(Tensor([-1.0, 2.0]), Tensor([0.0, 1.0])))
        0.22009484
    """

    @checked
    def __init__(
        self, reduction: Reduction = "mean", weight: Like[Tensor | None] = None, pos_weight: Like[Tensor | None] = None
    ):
        super().__init__(reduction)
        for what, value in (("weight", weight), ("pos_weight", pos_weight)):
            if isinstance(value, Parameter):
                raise TypeError(f"For '{self.cls_name}', the '{what}' can not be a Parameter.")
        self.weight, self.pos_weight = weight, pos_weight

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        check_tensors(self, input=input, target=target)
        return ops.binary_cross_entropy_with_logits(input, target, self.weight, self.pos_weight, self.reduction)


class KLDivLoss(LossBase):
    """labels * (log(labels) - logits): the Kullback-Leibler divergence of log-probabilities, reduced ("batchmean" too).

    Example:
        >>> print(nn.KLDivLoss("sum")(Tensor([-1.0, -0.5]), Tensor([0.4, 0.6])))
        0.026988376
    """

    @checked
    def __init__(self, reduction: Like[Literal["none", "mean", "batchmean", "sum"]] = "mean"):
        super().__init__()
        self.reduction = reduction

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        check_tensors(self, logits=logits, labels=labels)
        return ops.kl_div(logits, labels, self.reduction)


class FocalLoss(LossBase):
    """Cross entropy times (1 - probability) ** gamma (Lin et al., 2017), of (N, C, ...) logits.

    Args:
        weight: weight of each class, a Tensor (C,).
        gamma: how much easy elements lose weight.
        reduction: "none", "mean" or "sum".

    Labels are class numbers (N, 1, ...) or one-hot (N, C, ...).

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind or shape.

    Example:
        >>> print(nn.FocalLoss()(Tensor([[1.0, 2.0]]), Tensor([[1]], mindspore.int32)))
        0.02265805
    """

    @checked
    def __init__(
        self, weight: Annotated[Tensor, Rank(1)] | None = None, gamma: float = 2.0, reduction: Reduction = "mean"
    ):
        super().__init__(reduction)
        self.gamma = gamma
        self.weight = weight

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        check_tensors(self, logits=logits, labels=labels)
        name = self.cls_name
        if logits.ndim not in (2, 3, 4) or labels.ndim != logits.ndim:
            raise ValueError(
                f"For '{name}', the 'logits' and 'labels' must have the same number of axes, 2, 3 or 4, "
                f"but got {logits.ndim} and {labels.ndim}."
            )
        if logits.shape[1] == 1:
            raise ValueError(f"For '{name}', the 'logits'.shape[1] cannot be one, but got shape {logits.shape}.")
        if labels.shape[1] not in (1, logits.shape[1]):
            raise ValueError(
                f"For '{name}', the 'labels'.shape[1] must be one or equal to 'logits'.shape[1]: "
                f"{logits.shape[1]}, but got {labels.shape[1]}."
            )
        check.check_type_name(
            "labels", labels.dtype, [mstype.int32, mstype.int64, mstype.float16, mstype.float32], name
        )
        rows, classes = logits.shape[:2]
        log_probability = ops.log_softmax(logits.reshape(rows, classes, -1), 1)
        target = labels.reshape(*labels.shape[:2], -1)
        weight = None if self.weight is None else ops.broadcast_to(self.weight.reshape(1, -1, 1), log_probability.shape)
        if labels.shape[1] == 1:
            index = target.astype(mstype.int32)
            log_probability = ops.gather_elements(log_probability, 1, index).squeeze(1)
            weight = None if weight is None else ops.gather_elements(weight, 1, index).squeeze(1)
            target = None
        factor = ops.pow(1.0 - ops.exp(log_probability), self.gamma)
        loss = -factor * log_probability if weight is None else -factor * (log_probability * weight)
        return self.get_loss(loss.mean(1) if target is None else (loss * target).mean(-1))


__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CrossEntropyLoss",
    "FocalLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "L1LossExt",
    "LossBase",
    "MAELoss",
    "MSELoss",
    "NLLLoss",
    "RMSELoss",
    "SmoothL1Loss",
    "SoftmaxCrossEntropyWithLogits",
]
