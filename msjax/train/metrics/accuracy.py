"""Accuracy, loss, and top-k accuracy."""

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import PositiveInt
from .metric import EvaluationBase, Metric, is_one_hot, rearrange_inputs


class Accuracy(EvaluationBase):
    """Share of correct predictions, for eval_type "classification" or "multilabel".

    Inputs of `update`: predictions (N, C, …) and labels (N, …) or one-hot (N, C, …); for "multilabel" two arrays of 0
    and 1.

    Example:
        >>> metric = nn.Accuracy("classification")
        >>> metric.update(Tensor([[0.2, 0.8], [0.6, 0.4], [0.3, 0.7]]), Tensor([1, 0, 0]))
        >>> metric.eval()
        0.6666666666666666
    """

    def __init__(self, eval_type: str = "classification"):
        super().__init__(eval_type)
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._correct_num = self._total_num = self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch: predictions and labels."""
        self._check_inputs(2, inputs)
        y_pred, y = (self._convert_data(v) for v in inputs)
        if self._type == "classification" and y.ndim == y_pred.ndim and is_one_hot(y):
            y = y.argmax(axis=1)
        self._check_shape(y_pred, y)
        self._check_value(y_pred, y)
        classes = y_pred.shape[1]
        if self._class_num == 0:
            self._class_num = classes
        elif classes != self._class_num:
            raise ValueError(
                f"For 'Accuracy.update', the number of classes must not change: it was {self._class_num}, now it is "
                f"{classes}."
            )
        if self._type == "classification":
            correct = np.equal(y_pred.argmax(axis=1), y).reshape(-1)
        else:
            order = (0, *range(2, y_pred.ndim), 1)
            correct = np.equal(y_pred.transpose(order), y.transpose(order)).reshape(-1, classes).all(axis=-1)
        self._correct_num += correct.sum()
        self._total_num += correct.size

    def eval(self):
        """The share; RuntimeError before any update."""
        self._check_updated(self._total_num)
        return self._correct_num / self._total_num


class Loss(Metric):
    """Mean of the loss."""

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._sum_loss, self._total_num = 0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take in the loss of a batch: a number, or a Tensor of one element."""
        self._check_inputs(1, inputs)
        loss = self._convert_data(inputs[0])
        if loss.ndim == 0:
            loss = loss.reshape(1)
        if loss.ndim != 1:
            raise ValueError(f"For 'Loss.update', the dimension of the loss must be 1, but got {loss.ndim}.")
        self._sum_loss += np.float64(loss.mean(-1))  # of a batch in its dtype, of all in float64
        self._total_num += 1

    def eval(self):
        """The mean; RuntimeError before any update."""
        self._check_updated(self._total_num)
        return self._sum_loss / self._total_num


class TopKCategoricalAccuracy(Metric):
    """Share of samples whose label is among the k largest predictions.

    Raises:
        TypeError, ValueError: `k` is not a positive int.
    """

    @checked
    def __init__(self, k: PositiveInt):
        super().__init__()
        self.k = k
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._correct_num = self._samples_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch: predictions (N, C) and labels (N,) or one-hot (N, C)."""
        self._check_inputs(2, inputs)
        y_pred, y = (self._convert_data(v) for v in inputs)
        if y_pred.ndim == y.ndim and is_one_hot(y):
            y = y.argmax(axis=1)
        best = np.argsort(-y_pred, axis=1, kind="stable")[:, : self.k]
        correct = (best == y.reshape(-1, 1)).any(axis=1)
        self._correct_num += correct.sum()
        self._samples_num += correct.size

    def eval(self):
        """The share; RuntimeError before any update."""
        self._check_updated(self._samples_num)
        return self._correct_num / self._samples_num


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """Share of samples whose label is the largest prediction."""

    def __init__(self):
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """Share of samples whose label is among the five largest predictions."""

    def __init__(self):
        super().__init__(5)
