"""Losses of margins, distances, sequences and distributions, dice and sampled softmax."""

from typing import Annotated, Literal

from ... import ops
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import (
    FiniteFloat,
    Function,
    Holding,
    Length,
    Like,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    Rank,
    Reduction,
    Within,
)
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from ..layer.activation import get_activation
from .loss import LossBase, ReducedLoss, check_tensor, check_tensors


# --- margins
class MarginRankingLoss(LossBase):
    """max(0, -target * (input1 - input2) + margin), reduced; target is 1 or -1.

    Example:
        >>> print(nn.MarginRankingLoss()(Tensor([1.0]), Tensor([2.0]), Tensor([1.0])))
        1.0
    """

    @checked
    def __init__(self, margin: Like[float] = 0.0, reduction: Reduction = "mean"):
        super().__init__(reduction)
        self.margin = margin

    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return ops.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class SoftMarginLoss(ReducedLoss):
    """log(1 + exp(-labels * logits)), reduced; labels are 1 or -1.

    Example:
        >>> print(nn.SoftMarginLoss()(Tensor([0.5, -1.0]), Tensor([1.0, -1.0])))
        0.39366934
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.soft_margin_loss(logits, labels, self.reduction)


class MultiLabelSoftMarginLoss(LossBase):
    """Mean over the classes of the binary cross entropy of sigmoid(x), times `weight` of each class, reduced.

    Example:
        >>> print(nn.MultiLabelSoftMarginLoss()(Tensor([[0.5, -1.0]]), Tensor([[1.0, 0.0]])))
        0.39366934
    """

    @checked
    def __init__(self, weight: Like[float | Tensor | None] = None, reduction: Reduction = "mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        return ops.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class MultiMarginLoss(LossBase):
    """Mean over the other classes of max(0, margin - x[target] + x[class]) ** p, times `weight` of the target's
    class, reduced.

    Args:
        p: 1 or 2. margin: float. reduction: "none", "mean" or "sum". weight: Tensor (C,).

    Raises:
        TypeError: an input is not a Tensor.

    Example:
        >>> print(nn.MultiMarginLoss()(Tensor([[0.5, -1.0, 0.2]]), Tensor([1])))
        1.5666666
    """

    @checked
    def __init__(
        self,
        p: Literal[1, 2] = 1,
        margin: float = 1.0,
        reduction: Reduction = "mean",
        weight: Like[Tensor | None] = None,
    ):
        super().__init__(reduction)
        self.p, self.margin, self.weight = (p, margin, weight)

    def construct(self, x: Tensor, target: Tensor, weight: Tensor | None = None) -> Tensor:
        check_tensors(self, x=x, target=target, weight=weight)
        return ops.MultiMarginLoss(self.p, self.margin, self.reduction)(
            x, target, weight if self.weight is None else self.weight
        )


class MultilabelMarginLoss(ReducedLoss):
    """Margin loss with several target classes for each row; a row's targets end at the first -1.

    Example:
        >>> nn.MultilabelMarginLoss()(Tensor([[0.1, 0.2, 0.4, 0.8]]), Tensor([[3, 0, -1, 1]], mindspore.int32))
        Tensor(shape=[], dtype=Float32, value= 0.85)
    """

    def construct(self, x: Tensor, target: Tensor):
        return ops.MultilabelMarginLoss(self.reduction)(x, target)[0]


class HingeEmbeddingLoss(LossBase):
    """logits where labels are 1, max(0, margin - logits) where they are -1, reduced.

    Raises:
        TypeError: `margin` is not a number.

    Example:
        >>> print(nn.HingeEmbeddingLoss()(Tensor([0.5, 0.2]), Tensor([1.0, -1.0])))
        0.65
    """

    @checked
    def __init__(self, margin: int | float = 1.0, reduction: Reduction = "mean"):
        super().__init__(reduction)
        self.margin = margin

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.hinge_embedding_loss(logits, labels, self.margin, self.reduction)


# --- distances
class CosineEmbeddingLoss(LossBase):
    """1 - cos(x1, x2) where labels are 1, max(0, cos(x1, x2) - margin) where they are -1, reduced.

    Raises:
        TypeError: `margin` is not a float, or an input is not a Tensor. ValueError: `margin` is outside [-1, 1], or the
        inputs' shapes differ.

    Example:
        >>> nn.CosineEmbeddingLoss()(Tensor([[1.0, 2.0]]), Tensor([[2.0, 1.0]]), Tensor([1], mindspore.int32))
        Tensor(shape=[], dtype=Float32, value= 0.2)
    """

    @checked
    def __init__(self, margin: Annotated[float, Within("[-1, 1]")] = 0.0, reduction: Reduction = "mean"):
        super().__init__(reduction)
        self.margin = margin

    def construct(self, logits_x1: Tensor, logits_x2: Tensor, labels: Tensor) -> Tensor:
        check_tensors(self, logits_x1=logits_x1, logits_x2=logits_x2, labels=labels)
        if logits_x1.dtype != logits_x2.dtype:
            raise TypeError(
                f"For '{self.cls_name}', the dtypes of 'logits_x1' and 'logits_x2' must be the same, but "
                f"got {logits_x1.dtype} and {logits_x2.dtype}."
            )
        if logits_x1.shape != logits_x2.shape:
            raise ValueError(
                f"For '{self.cls_name}', the shapes of 'logits_x1' and 'logits_x2' must be the same, but "
                f"got {logits_x1.shape} and {logits_x2.shape}."
            )
        norms = ops.sqrt((logits_x1 * logits_x1).sum(1)) * ops.sqrt((logits_x2 * logits_x2).sum(1))
        cosine = (logits_x1 * logits_x2).sum(1) / norms
        zeros = ops.zeros_like(cosine)
        apart = ops.where(labels == -1, ops.maximum(cosine - self.margin, zeros), zeros)
        return self.get_loss(ops.where(labels == 1, 1.0 - cosine, apart))


class TripletMarginLoss(LossBase):
    """max(0, d(x, positive) - d(x, negative) + margin) with the p-norm as distance d, reduced.

    Args:
        p: degree of the norm. swap: use the smaller of d(x, negative) and d(positive, negative). eps: added to
        differences.
        reduction: "none", "mean" or "sum". margin: float.

    Example:
        >>> print(nn.TripletMarginLoss()(Tensor([[1.0, 2.0]]), Tensor([[1.0, 1.0]]), Tensor([[0.0, 2.0]])))
        1.0
    """

    @checked
    def __init__(
        self,
        p: Like[int] = 2,
        swap: Like[bool] = False,
        eps: Like[float] = 1e-6,
        reduction: Reduction = "mean",
        margin: Like[float | Tensor] = 1.0,
    ):
        super().__init__(reduction)
        self.p, self.swap, self.eps, self.margin = p, swap, eps, margin

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor, margin: Tensor | float = 1.0) -> Tensor:
        margin = self.margin if self.margin != 1.0 else margin
        margin = float(margin) if isinstance(margin, Tensor) else margin
        return ops.triplet_margin_loss(
            x, positive, negative, margin=margin, p=self.p, eps=self.eps, swap=self.swap, reduction=self.reduction
        )


class TripletMarginWithDistanceLoss(LossBase):
    """max(0, d(x, positive) - d(x, negative) + margin), reduced.

    Args:
        distance_function: d, a function of two Tensors; the Euclidean distance along axis 1 by default.
        swap: use the smaller of d(x, negative) and d(positive, negative).
        reduction: "none", "mean" or "sum". margin: float.

    Raises:
        TypeError: an argument of the wrong kind, or an input that is not a Tensor.

    Example:
        >>> nn.TripletMarginWithDistanceLoss()(Tensor([[1.0, 2.0]]), Tensor([[1.0, 1.0]]), Tensor([[0.0, 2.0]]))
        Tensor(shape=[], dtype=Float32, value= 1)
    """

    @checked
    def __init__(
        self,
        distance_function: Like[Function | None] = None,
        swap: bool = False,
        reduction: Reduction = "mean",
        margin: FiniteFloat = 1.0,
    ):
        super().__init__(reduction)
        self.margin, self.swap = (margin, swap)
        self.distance_function = distance_function or _euclidean

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        check_tensors(self, x=x, positive=positive, negative=negative)
        near, far = self.distance_function(x, positive), self.distance_function(x, negative)
        if self.swap:
            far = ops.minimum(far, self.distance_function(positive, negative))
        return self.get_loss(ops.relu(near - far + self.margin))


def _euclidean(x, y):
    if x.ndim == 0:
        raise ValueError(
            "For 'TripletMarginWithDistanceLoss', the inputs must have at least one axis, but got a "
            "Tensor without axes."
        )
    return ops.LpNorm(1, 2)(ops.abs(x - y))


# --- distributions and sequences
class GaussianNLLLoss(LossBase):
    """(log(max(var, eps)) + (logits - labels) ** 2 / max(var, eps)) / 2, with the constant log(2 pi) / 2 if `full`,
    reduced.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range.

    Example:
        >>> print(nn.GaussianNLLLoss()(Tensor([1.0]), Tensor([1.5]), Tensor([0.5])))
        -0.09657359
    """

    def __init__(self, *, full: bool = False, eps: PositiveFloat = 1e-6, reduction: Reduction = "mean"):
        super().__init__(reduction)
        self.eps = check.check_float_range(eps, 0, float("inf"), check.INC_NEITHER, "eps", self.cls_name)
        self.full = check.check_value_type("full", full, [bool], self.cls_name)

    def construct(self, logits: Tensor, labels: Tensor, var: Tensor) -> Tensor:
        check_tensors(self, logits=logits, labels=labels, var=var)
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)


class PoissonNLLLoss(LossBase):
    """exp(input) - target * input (`log_input`), or input - target * log(input + eps), reduced; `full` adds
    Stirling's term.

    Example:
        >>> print(nn.PoissonNLLLoss()(Tensor([0.5]), Tensor([1.0])))
        1.1487212
    """

    @checked
    def __init__(
        self,
        log_input: Like[bool] = True,
        full: Like[bool] = False,
        eps: Like[float] = 1e-8,
        reduction: Reduction = "mean",
    ):
        super().__init__(reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        check_tensors(self, input=input, target=target)
        target = target.astype(input.dtype)
        loss = ops.exp(input) - target * input if self.log_input else input - target * ops.log(input + self.eps)
        if self.full:
            safe = ops.clamp(target, min=self.eps)
            stirling = (safe + 0.5) * ops.log(safe) - safe + 0.9189385332046727  # log(2 pi) / 2
            loss = loss + ops.where(safe > 1, stirling, ops.zeros_like(stirling))
        return self.get_loss(loss)


class CTCLoss(LossBase):
    """Connectionist temporal classification (Graves et al., 2006): -log of the probability of `targets` over all
    alignments.

    Args:
        blank: class of the blank. reduction: "none", "mean" (each loss divided by its target's length first) or "sum".
        zero_infinity: infinite losses count as 0.

    Inputs: log_probs (T, N, C) or (T, C); targets (N, S) or (sum of lengths,); input_lengths and target_lengths (N,).

    Raises:
        TypeError: an input is not a Tensor. ValueError: shapes that do not fit.

    Example:
        >>> log_probs = ops.log_softmax(Tensor(np.ones((5, 1, 3), np.float32)))
        >>> targets, input_lengths, target_lengths = Tensor([[1, 2]]), Tensor([5]), Tensor([2])
        >>> print(nn.CTCLoss()(log_probs, targets, input_lengths, target_lengths))
        0.9688567
    """

    @checked
    def __init__(self, blank: Like[int] = 0, reduction: Reduction = "mean", zero_infinity: Like[bool] = False):
        super().__init__(reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def construct(self, log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor) -> Tensor:
        check_tensors(self, log_probs=log_probs, targets=targets)
        single = log_probs.ndim == 2
        if single:
            if targets.ndim > 2 or (targets.ndim == 2 and targets.shape[0] != 1):
                raise ValueError(
                    f"For '{self.cls_name}', the 'targets' must have shape (S,) or (1, S) when "
                    f"'log_probs' has 2 axes, but got {targets.shape}."
                )
            targets = targets.expand_dims(0) if targets.ndim == 1 else targets
            log_probs = log_probs.expand_dims(-2)
        loss = ops.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )[0]
        return loss.squeeze(0) if single and loss.ndim else loss


# --- dice
class DiceLoss(LossBase):
    """1 - 2 sum(logits * label) / (sum(logits ** 2) + sum(label ** 2) + smooth).

    Raises:
        TypeError: an input is not a Tensor, or uint8. ValueError: the shapes differ.

    Example:
        >>> print(nn.DiceLoss()(Tensor([0.5, 1.0]), Tensor([0.0, 1.0])))
        0.11111504
    """

    @checked
    def __init__(self, smooth: PositiveFloat = 1e-5):
        super().__init__()
        self.smooth = smooth

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        check_tensors(self, logits=logits, labels=label)
        _check_same_shape(self, logits, label)
        for what, value in (("logits", logits), ("labels", label)):
            if value.dtype == mstype.uint8:
                raise TypeError(f"For '{self.cls_name}', the dtype of '{what}' can not be uint8.")
        union = (logits * logits).sum() + (label * label).sum() + self.smooth
        return 1 - 2 * (logits * label).sum() / union


def _check_same_shape(cell, logits, label):
    if logits.shape != label.shape:
        raise ValueError(
            f"For '{cell.cls_name}', the shapes of 'logits' and 'label' must be the same, but got "
            f"{logits.shape} and {label.shape}."
        )


class MultiClassDiceLoss(LossBase):
    """Mean over the classes (axis 1) of their dice losses.

    Args:
        weights: weight of each class, a Tensor with 2 axes, or None.
        ignore_indiex: class that is left out.
        activation: name of an activation, Cell or None, applied to the logits first.

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind or shape.

    Example:
        >>> print(nn.MultiClassDiceLoss()(Tensor([[0.5, 1.0]]), Tensor([[0.0, 1.0]])))
        0.55136955
    """

    @checked
    def __init__(
        self,
        weights: Annotated[Tensor, Rank(2)] | None = None,
        ignore_indiex: int | None = None,
        activation: Like[str | Cell | None] = "softmax",
    ):
        super().__init__()
        name, known = self.cls_name, ["softmax", "logsoftmax", "relu", "relu6", "tanh", "sigmoid"]
        self.binarydiceloss = DiceLoss(smooth=1e-5)
        self.weights, self.ignore_indiex = weights, ignore_indiex
        if isinstance(activation, str) and activation not in known:
            raise ValueError(f"For '{name}', the 'activation' must be in {known}, but got {activation}.")
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        if self.activation is not None and not isinstance(self.activation, Cell):
            raise TypeError(f"For '{name}', the 'activation' must be str or Cell, but got {type(self.activation)}.")

    @checked
    def construct(self, logits: Annotated[Tensor, Rank(at_least=2)], label: Tensor) -> Tensor:
        check_tensors(self, logits=logits, labels=label)
        _check_same_shape(self, logits, label)
        classes = label.shape[1]
        if self.weights is not None and self.weights.shape[0] != classes:
            raise ValueError(
                f"For '{self.cls_name}', the length of 'weights' must be {classes}, but got {self.weights.shape[0]}."
            )
        logits = logits if self.activation is None else self.activation(logits)
        total = 0
        for i in range(classes):
            if i != self.ignore_indiex:
                loss = self.binarydiceloss(logits[:, i], label[:, i])
                total = total + (loss if self.weights is None else loss * self.weights[i])
        return total / classes


# --- sampled softmax
class SampledSoftmaxLoss(LossBase):
    """Softmax cross entropy over the true classes and `num_sampled` random ones, instead of all (Jean et al., 2014).

    Args:
        num_sampled: how many classes are drawn. num_classes: how many there are. num_true: true classes of each row.
        sampled_values: (classes, expected counts of the true ones, expected counts of the drawn ones), drawn
        uniformly by default.
        remove_accidental_hits: drawn classes never are true ones. seed: of the draw. reduction: "none", "mean" or
        "sum".

    Inputs: weights (num_classes, D), biases (num_classes,), labels (N, num_true), logits (N, D).

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range.

    Example:
        >>> loss = nn.SampledSoftmaxLoss(num_sampled=2, num_classes=5)
        >>> weights, biases = Tensor(np.ones((5, 3), np.float32)), Tensor(np.ones(5, np.float32))
        >>> print(loss(weights, biases, Tensor([[1]]), Tensor(np.ones((1, 3), np.float32))))
        [1.0986123]
    """

    @checked
    def __init__(
        self,
        num_sampled: PositiveInt,
        num_classes: PositiveInt,
        num_true: PositiveInt = 1,
        sampled_values: Annotated[tuple | list, Length(3)] | None = None,
        remove_accidental_hits: bool = True,
        seed: NonNegativeInt = 0,
        reduction: Reduction = "none",
    ):
        super().__init__(reduction)
        name = self.cls_name
        for what, value in (("num_sampled", num_sampled), ("num_true", num_true)):
            if value > num_classes:
                raise ValueError(
                    f"For '{name}', the '{what}' must be smaller than or equal to 'num_classes', but got "
                    f"{value} and {num_classes}."
                )
        self.num_sampled, self.num_classes = num_sampled, num_classes
        self.num_true, self.sampled_values = num_true, sampled_values
        self.remove_accidental_hits, self.seed = remove_accidental_hits, seed

    @checked
    def construct(
        self, weights: Tensor, biases: Tensor, labels: Annotated[Tensor, Holding("int32", "int64")], logits: Tensor
    ):
        for what, value in (("weights", weights), ("biases", biases), ("labels", labels), ("logits", logits)):
            check_tensor(what, value, self)
        labels = labels.astype(mstype.int32).reshape(-1, self.num_true)
        sampled = self.sampled_values or ops.UniformCandidateSampler(
            self.num_true, self.num_sampled, True, self.num_classes, self.seed, self.remove_accidental_hits
        )(labels)
        drawn, true_count, drawn_count = sampled
        drawn = drawn.astype(mstype.int32)
        true_weights = ops.gather(weights, labels, 0)  # (N, num_true, D)
        true = (logits.expand_dims(1) * true_weights).sum(2) + ops.gather(biases, labels, 0) - ops.log(true_count)
        other = (
            ops.matmul(logits, ops.gather(weights, drawn, 0).swapaxes(0, 1))
            + ops.gather(biases, drawn, 0)
            - ops.log(drawn_count)
        )
        scores = ops.cat((true, other), 1)
        targets = ops.cat((ops.ones_like(true) / self.num_true, ops.zeros_like(other)), 1)
        return -(targets * ops.log_softmax(scores, 1)).sum(1)


__all__ = [
    "CTCLoss",
    "CosineEmbeddingLoss",
    "DiceLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "MarginRankingLoss",
    "MultiClassDiceLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "MultilabelMarginLoss",
    "PoissonNLLLoss",
    "SampledSoftmaxLoss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]
