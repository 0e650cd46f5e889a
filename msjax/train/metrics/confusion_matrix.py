"""The confusion matrix, and the numbers that are computed from one of two classes."""

from typing import Literal

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import AsValue
from .metric import Metric, rearrange_inputs


class ConfusionMatrix(Metric):
    """Table (true class, predicted class) of counts.

    Args:
        num_classes: int. normalize: "no_norm" counts; "target", "prediction", "all": shares of the row, the column,
            everything.
        threshold: from where on a float prediction of two classes counts as class 1.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.

    Example:
        >>> from mindspore.train import ConfusionMatrix
        >>> metric = ConfusionMatrix(2)
        >>> metric.update(Tensor([1, 0, 1]), Tensor([1, 0, 0]))
        >>> metric.eval()
        array([[1., 1.],
               [0., 1.]])
    """

    @checked
    def __init__(
        self,
        num_classes: int,
        normalize: AsValue[Literal["target", "prediction", "all", "no_norm"]] = "no_norm",
        threshold: float = 0.5,
    ):
        super().__init__()
        self.num_classes, self.normalize, self.threshold = num_classes, normalize, threshold
        self.clear()

    def clear(self):
        """Forget all batches."""
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch: predictions (N, C, …), or classes or chances of class 1 in the shape of the labels; labels
        (N, …).
        """
        self._check_inputs(2, inputs)
        y_pred, y = (self._convert_data(v) for v in inputs)
        if y_pred.ndim not in (y.ndim, y.ndim + 1):
            raise ValueError(
                "For 'ConfusionMatrix.update', predicted value (input[0]) and true value (input[1]) should have same "
                "dimensions, or the dimension of predicted value equals the dimension of true value add 1, but got "
                f"predicted value ndim: {y_pred.ndim}, true value ndim: {y.ndim}."
            )
        if y_pred.ndim == y.ndim + 1:
            y_pred = y_pred.argmax(axis=1)
        if np.issubdtype(y_pred.dtype, np.floating):
            y_pred = y_pred >= self.threshold
        pairs = (y.reshape(-1) * self.num_classes + y_pred.reshape(-1)).astype(int)
        counts = np.bincount(pairs, minlength=self.num_classes**2)
        self.confusion_matrix += counts.reshape(self.num_classes, self.num_classes)
        self._is_update = True

    def eval(self):
        """The table; RuntimeError before any update."""
        self._require_update()
        counts = self.confusion_matrix.astype(float)
        if self.normalize == "no_norm":
            return counts
        axis = {"target": 1, "prediction": 0, "all": None}[self.normalize]
        total = counts.sum(axis=axis, keepdims=True)
        return np.divide(counts, total, out=np.zeros_like(counts), where=total != 0)


def _ratio(above, below):
    """above / below, nan where `below` is 0."""
    above, below = np.broadcast_arrays(np.asarray(above, float), np.asarray(below, float))
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below != 0)


def _rates(tp, fp, tn, fn):
    return _ratio(tp, tp + fn), _ratio(tn, fp + tn)


def _prevalence_threshold(tp, fp, tn, fn):
    tpr, tnr = _rates(tp, fp, tn, fn)
    return _ratio(np.sqrt(tpr * (1 - tnr)) + tnr - 1, tpr + tnr - 1)


_FORMULAS = {
    "tpr": lambda tp, fp, tn, fn: _ratio(tp, tp + fn),
    "tnr": lambda tp, fp, tn, fn: _ratio(tn, fp + tn),
    "ppv": lambda tp, fp, tn, fn: _ratio(tp, tp + fp),
    "npv": lambda tp, fp, tn, fn: _ratio(tn, tn + fn),
    "fnr": lambda tp, fp, tn, fn: _ratio(fn, tp + fn),
    "fpr": lambda tp, fp, tn, fn: _ratio(fp, fp + tn),
    "fdr": lambda tp, fp, tn, fn: _ratio(fp, fp + tp),
    "for": lambda tp, fp, tn, fn: _ratio(fn, fn + tn),
    "pt": _prevalence_threshold,
    "ts": lambda tp, fp, tn, fn: _ratio(tp, tp + fn + fp),
    "acc": lambda tp, fp, tn, fn: _ratio(tp + tn, tp + fp + tn + fn),
    "ba": lambda tp, fp, tn, fn: sum(_rates(tp, fp, tn, fn)) / 2,
    "f1": lambda tp, fp, tn, fn: _ratio(2 * tp, 2 * tp + fn + fp),
    "mcc": lambda tp, fp, tn, fn: _ratio(tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))),
    "fm": lambda tp, fp, tn, fn: np.sqrt(_ratio(tp, tp + fp) * _ratio(tp, tp + fn)),
    "bm": lambda tp, fp, tn, fn: sum(_rates(tp, fp, tn, fn)) - 1,
    "mk": lambda tp, fp, tn, fn: _ratio(tp, tp + fp) + _ratio(tn, tn + fn) - 1,
}
_SPELLINGS = {
    "tpr": "sensitivity recall hit_rate true_positive_rate",
    "tnr": "specificity selectivity true_negative_rate",
    "ppv": "precision positive_predictive_value",
    "npv": "negative_predictive_value",
    "fnr": "miss_rate false_negative_rate",
    "fpr": "fall_out false_positive_rate",
    "fdr": "false_discovery_rate",
    "for": "false_omission_rate",
    "pt": "prevalence_threshold",
    "ts": "threat_score critical_success_index csi",
    "acc": "accuracy",
    "ba": "balanced_accuracy",
    "f1": "f1_score",
    "mcc": "matthews_correlation_coefficient",
    "fm": "fowlkes_mallows_index",
    "bm": "informedness bookmaker_informedness",
    "mk": "markedness deltap",
}
_SHORT = {long: short for short, names in _SPELLINGS.items() for long in (short, *names.split())}


def _mean(values, valid, axis):
    count = valid.sum(axis=axis)
    return np.divide(values.sum(axis=axis), count, out=np.zeros(np.shape(count)), where=count > 0), count


def _decrease(values, decrease):
    """(values reduced over batch and channel with nan left out, how many were not nan)."""
    valid = ~np.isnan(values)
    values = np.where(valid, values, 0)
    if decrease == "none":
        return values, valid.astype(float)
    if decrease == "mean":  # over channels, then over the batch
        values, count = _mean(values, valid, 1)
        return _mean(values, count > 0, 0)
    how, _, where = decrease.partition("_")
    axis = {"": (0, 1), "batch": 0, "channel": 1}[where]
    return _mean(values, valid, axis) if how == "mean" else (values.sum(axis=axis), valid.sum(axis=axis))


class ConfusionMatrixMetric(Metric):
    """A number of the confusion matrix of each class against the rest, for one-hot arrays (N, C, …) of 0 and 1.

    Args:
        skip_channel: keep class 0 (False leaves it out, if there are others). metric_name: "sensitivity", "accuracy",
            "f1_score", … or their short names. calculation_method: True computes the number for each sample and reduces
            it by `decrease`, False computes it once from all counts. decrease: "none", "mean", "sum", "mean_batch",
            "sum_batch", "mean_channel" or "sum_channel".

    Raises:
        TypeError, ValueError: arguments of the wrong kind. NotImplementedError: there is no number of that name.
    """

    @checked
    def __init__(
        self,
        skip_channel: bool = True,
        metric_name: str = "sensitivity",
        calculation_method: bool = False,
        decrease: Literal["none", "mean", "sum", "mean_batch", "sum_batch", "mean_channel", "sum_channel"] = "mean",
    ):
        super().__init__()
        self.skip_channel, self.metric_name = skip_channel, metric_name
        self.calculation_method, self.decrease = calculation_method, decrease
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._total_num = self._class_num = 0
        self._counts = np.zeros(4)

    def _formula(self):
        short = _SHORT.get(self.metric_name.replace(" ", "_").lower())
        if short is None:
            raise NotImplementedError(
                f"For 'ConfusionMatrixMetric', there is no metric '{self.metric_name}'; there are {', '.join(_SHORT)}."
            )
        return _FORMULAS[short]

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch: predictions and labels, both one-hot (N, C, …)."""
        self._check_inputs(2, inputs)
        y_pred, y = (self._convert_data(v) for v in inputs)
        counts = self._count(y_pred, y)
        per_sample = self.calculation_method and not (y_pred.ndim == 2 or y_pred.ndim == 3 and y_pred.shape[-1] == 1)
        if not self.calculation_method:
            self._counts += counts.sum(axis=(0, 1))
            return
        values = self._formula()(*np.moveaxis(counts if per_sample else counts.sum(axis=(0, 1), keepdims=True), -1, 0))
        value, count = _decrease(values, self.decrease)
        self._total_num = self._total_num + value * count
        self._class_num = self._class_num + count

    def _count(self, y_pred, y):
        if not np.isin(y, (0, 1)).all():
            raise ValueError(
                "For 'ConfusionMatrixMetric.update', the true value (input[1]) must be a binarized ndarray."
            )
        if y_pred.ndim < 2:
            raise ValueError(
                "For 'ConfusionMatrixMetric.update', the predicted value (input[0]) must have at least 2 dimensions, "
                f"but got {y_pred.ndim}."
            )
        if y_pred.shape != y.shape:
            raise ValueError(
                f"For 'ConfusionMatrixMetric.update', the y_shape must be = {y_pred.shape}, but got {y.shape}."
            )
        if not self.skip_channel and y.shape[1] > 1:
            y_pred, y = y_pred[:, 1:], y[:, 1:]
        y_pred, y = (v.astype(float).reshape(*v.shape[:2], -1) for v in (y_pred, y))
        tp, tn = ((y_pred + y == both).sum(axis=2) for both in (2, 0))
        positives = y.sum(axis=2)
        return np.stack([tp, y.shape[2] - positives - tn, tn, positives - tp], axis=-1)

    def eval(self):
        """The number; RuntimeError before any update where it is reduced over samples."""
        if self.calculation_method:
            self._check_updated(np.any(self._class_num))
            return _ratio(self._total_num, self._class_num)
        return self._formula()(*self._counts[:, None])
