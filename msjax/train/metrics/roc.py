"""The receiver operating characteristic, and the area under a curve."""

from typing import Annotated

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Length, Like
from .metric import Metric, rearrange_inputs


class ROC(Metric):
    """False and true positive rates at every threshold: (fpr, tpr, thresholds), for several classes a list of each.

    Args:
        class_num: number of classes; None or 1 for predictions in the shape of the labels. pos_label: label of what is
            positive; default 1.

    Raises:
        TypeError: an argument that is not an int.

    Example:
        >>> from mindspore.train import ROC
        >>> metric = ROC(pos_label=1)
        >>> metric.update(Tensor([0.9, 0.2, 0.6]), Tensor([1, 0, 1]))
        >>> fpr, tpr, thresholds = metric.eval()
    """

    @checked
    def __init__(self, class_num: int | None = None, pos_label: int | None = None):
        super().__init__()
        self.class_num, self.pos_label = class_num, pos_label
        self.clear()

    def clear(self):
        """Forget the batch."""
        self.y_pred, self.y, self.sample_weights, self._is_update = 0, 0, None, False

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch in place of the one before: predictions (N, C, …) and labels (N, …), or both of one shape."""
        self._check_inputs(2, inputs)
        y_pred, y = (self._convert_data(v) for v in inputs)
        if y_pred.ndim == y.ndim:
            if self.class_num not in (None, 1):
                raise ValueError(
                    "For 'ROC', when predicted value (input[0]) and true value (input[1]) have the same shape, the "
                    f"'class_num' must be 1, but got {self.class_num}."
                )
            self.class_num = 1
            self.pos_label = 1 if self.pos_label is None else self.pos_label
            y_pred = y_pred.reshape(-1)
        elif y_pred.ndim == y.ndim + 1:
            if self.pos_label is not None:
                raise ValueError(
                    "For 'ROC', when the dimension of predicted value (input[0]) equals the dimension of true value "
                    f"(input[1]) add 1, the 'pos_label' must be None, but got {self.pos_label}."
                )
            if self.class_num != y_pred.shape[1]:
                raise ValueError(
                    "For 'ROC', the 'class_num' must equal the number of classes from predicted value (input[0]), but "
                    f"got 'class_num' {self.class_num}, the number of classes from predicted value {y_pred.shape[1]}."
                )
            y_pred = np.moveaxis(y_pred, 1, -1).reshape(-1, self.class_num)
        else:
            raise ValueError(
                "For 'ROC', predicted value (input[0]) and true value (input[1]) must have same dimensions, or the "
                "dimension of predicted value equal the dimension of true value add 1, but got predicted value ndim: "
                f"{y_pred.ndim}, true value ndim: {y.ndim}."
            )
        self.y_pred, self.y, self._is_update = y_pred, y.reshape(-1), True

    def eval(self):
        """(fpr, tpr, thresholds); RuntimeError before any update, ValueError without positive or negative samples."""
        self._require_update()
        if self.class_num == 1:
            return _curve(self.y_pred.reshape(-1), self.y == self.pos_label)
        curves = [_curve(self.y_pred[:, c], self.y == c) for c in range(self.class_num)]
        return tuple(list(part) for part in zip(*curves, strict=True))


def _curve(scores, positive):
    order = np.argsort(-scores)
    scores, positive = scores[order], positive[order].astype(np.int64)
    last = np.append(np.flatnonzero(np.diff(scores)), len(scores) - 1)  # the last sample of each distinct score
    tps = np.cumsum(positive)[last]
    fps = 1 + last - tps
    for counts, what in ((fps, "negative"), (tps, "positive")):
        if counts[-1] <= 0:
            kind = "false" if what == "negative" else "true"
            raise ValueError(
                f"For 'ROC.eval', there is no {what} samples in true value, {kind} positive value is meaningless."
            )
    first = scores[last[:1]] + 1  # above every score: nothing is called positive
    return (*(np.append(0, counts) / counts[-1] for counts in (fps, tps)), np.append(first, scores[last]))


@checked
def auc(x: Annotated[np.ndarray, Length(at_least=2)], y: np.ndarray, reorder: Like[bool] = False):
    """Area under a curve by the trapezoid rule.

    Args:
        x, y: arrays of one length: the points.
        reorder: sort them by x first; else x must rise or fall throughout.

    Raises:
        TypeError: no arrays. ValueError: fewer than two points, lengths that differ, or x neither rises nor falls.
    """
    for values in (x, y):
        if not (values.ndim == 1 or values.ndim == 2 and values.shape[1] == 1):
            raise ValueError(
                "For 'auc', the input must be a 1-dimensional array, or a 2-dimensional array with the second "
                f"dimension of 1, but got shape {values.shape}."
            )
    if len(x) != len(y):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[len(x), len(y)]}.")
    x, y = x.ravel(), y.ravel()
    if reorder:
        order = np.lexsort((y, x))
        x, y = x[order], y[order]
    steps = np.diff(x)
    if (steps < 0).any() and not (steps <= 0).all():
        raise ValueError(
            "For 'auc', if the argument 'reorder' is False, the argument 'x' array must be increasing or decreasing, "
            f"but got 'x': {x}"
        )
    area = (steps * (y[1:] + y[:-1]) / 2).sum()
    return -area if (steps < 0).any() else area
