"""Precision, recall and their weighted mean F-beta, for each class or averaged."""

import sys
from typing import Annotated

import numpy as np

from ...core.operators.check import check_value_type
from ...core.spec.checking import checked
from ...core.spec.rules import Like, Within
from .metric import EvaluationBase, Metric, is_one_hot, rearrange_inputs

_TINY = sys.float_info.min


class _ClassCounts:
    """Reads a batch as 0/1 arrays (samples, classes), and holds on to the number of classes."""

    def _one_hot_pair(self, inputs):
        self._check_inputs(2, inputs)
        y_pred, y = (self._convert_data(v) for v in inputs)
        name, kind = type(self).__name__, getattr(self, "_type", "classification")
        if kind == "classification" and y_pred.ndim == y.ndim and is_one_hot(y):
            y = y.argmax(axis=1)
        self._check_pair(y_pred, y)
        classes = y_pred.shape[1]
        if self._class_num not in (0, classes):
            raise ValueError(
                f"For '{name}.update', class number not match, last input predicted data contain {self._class_num} "
                f"classes, but current predicted data contain {classes} classes, please check your predicted "
                "value(inputs[0])."
            )
        if kind == "multilabel":
            self._class_num = classes
            return tuple(v.swapaxes(1, 0).reshape(classes, -1) for v in (y_pred, y))
        if y.max() >= classes:
            raise ValueError(
                f"For '{name}.update', predicted value (inputs[0]) and true value (inputs[1]) should contain same "
                f"classes, but got predicted value contains {classes} classes and true value contains {y.max() + 1} "
                "classes."
            )
        self._class_num = classes
        one_hot = np.eye(classes)
        return one_hot[y_pred.argmax(axis=1).reshape(-1)], one_hot[y.reshape(-1)]

    def _check_pair(self, y_pred, y):
        """Raise for arrays that do not belong together."""


class _Share(_ClassCounts, EvaluationBase):
    """True positives over a count of positives: `_counted` says which."""

    def __init__(self, eval_type="classification"):
        super().__init__(eval_type)
        self.clear()

    def _check_pair(self, y_pred, y):
        self._check_shape(y_pred, y)
        self._check_value(y_pred, y)

    def clear(self):
        """Forget all batches."""
        self._class_num = 0
        empty = np.empty(0) if self._type == "multilabel" else 0
        self._true_positives, self._positives = empty, empty

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch: predictions (N, C, …) and labels (N, …), or one-hot (N, C, …); "multilabel": two arrays of 0
        and 1.
        """
        y_pred, y = self._one_hot_pair(inputs)
        positives = (y_pred, y)[self._counted].sum(axis=0)
        true_positives = (y * y_pred).sum(axis=0)
        if self._type == "multilabel":  # one share for each sample
            self._true_positives = np.concatenate((self._true_positives, true_positives))
            self._positives = np.concatenate((self._positives, positives))
        else:
            self._true_positives = self._true_positives + true_positives
            self._positives = self._positives + positives

    def eval(self, average=False):
        """The share for each class ("multilabel": for each sample), or with `average` the mean; RuntimeError before any
        update.
        """
        self._check_updated(self._class_num)
        check_value_type("average", average, [bool], type(self).__name__)
        shares = self._true_positives / (self._positives + _TINY)
        return shares.mean() if average else shares


class Precision(_Share):
    """Precision: the share of correct predictions of a class. eval_type "classification" or "multilabel".

    Example:
        >>> from mindspore.train import Precision
        >>> metric = Precision("classification")
        >>> metric.update(Tensor([[0.2, 0.8], [0.6, 0.4], [0.3, 0.7]]), Tensor([1, 0, 0]))
        >>> metric.eval()
        array([1. , 0.5])
    """

    _counted = 0


class Recall(_Share):
    """Recall: the share of a class's samples that were predicted as it. eval_type "classification" or "multilabel"."""

    _counted = 1


class Fbeta(_ClassCounts, Metric):
    """F-beta: the harmonic mean of precision and recall in which recall weighs beta² as much.

    Raises:
        ValueError: `beta` is not above 0.
    """

    @checked
    def __init__(self, beta: Annotated[Like[float], Within("(0, inf]")]):
        super().__init__()
        self.beta = beta
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._true_positives = self._actual_positives = self._positives = self._class_num = 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch: predictions (N, C, …) and labels (N, …), or one-hot (N, C, …)."""
        y_pred, y = self._one_hot_pair(inputs)
        self._true_positives = self._true_positives + (y * y_pred).sum(axis=0)
        self._positives = self._positives + y_pred.sum(axis=0)
        self._actual_positives = self._actual_positives + y.sum(axis=0)

    @checked
    def eval(self, average: bool = False):
        """F-beta of each class, or with `average` the mean; RuntimeError before any update."""
        self._check_updated(self._class_num)
        weight = self.beta**2
        scores = (1 + weight) * self._true_positives / (weight * self._actual_positives + self._positives + _TINY)
        return scores.mean() if average else scores


class F1(Fbeta):
    """F1: the harmonic mean of precision and recall."""

    def __init__(self):
        super().__init__(1.0)
