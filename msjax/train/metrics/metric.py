"""Base class of metrics: cleared before, updated with each batch, evaluated at the end."""

import functools
from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Raises
from ...core.values.tensor import Tensor


def rearrange_inputs(func: Callable):
    """Decorator for `update`: gives it the inputs that `set_indexes` chose, in that order."""

    @functools.wraps(func)
    def update(self, *inputs):
        indexes = self.indexes
        return func(self, *([inputs[i] for i in indexes] if indexes is not None else inputs))

    return update


def is_one_hot(labels: Any):
    """Whether an array (N, C, …) holds one-hot labels."""
    return labels.ndim > 1 and np.isin(labels, (0, 1)).all() and (labels.sum(axis=1) == 1).all()


class Metric:
    """Base class: a subclass defines `clear`, `update(*inputs)` and `eval`.

    Example:
        >>> class Mean(nn.Metric):
        ...     def clear(self):
        ...         self.total = self.count = 0
        ...
        ...     def update(self, y):
        ...         self.total += self._convert_data(y).sum()
        ...         self.count += y.size
        ...
        ...     def eval(self):
        ...         return self.total / self.count
    """

    def __init__(self):
        self._indexes = None

    def _convert_data(self, data):
        """A Tensor, array or list as a NumPy array; TypeError for anything else."""
        if isinstance(data, Tensor):
            return data.asnumpy()
        if isinstance(data, list):
            return np.array([self._convert_data(d) if isinstance(d, Tensor) else d for d in data])
        if isinstance(data, np.ndarray):
            return data
        raise TypeError(f"For 'Metric', the input data must be tensor, list or numpy.ndarray, but got {type(data)}.")

    @property
    def indexes(self):
        """Positions of the inputs that `update` gets, or None for all."""
        return getattr(self, "_indexes", None)

    @checked
    def set_indexes(self, indexes: Annotated[list[int], Raises(ValueError)]):
        """Choose which of the network's outputs `update` gets; returns the metric."""
        self._indexes = indexes
        return self

    def __call__(self, *inputs):
        self.clear()
        self.update(*inputs)
        return self.eval()

    def clear(self):
        """Forget all batches."""
        raise NotImplementedError(f"'{type(self).__name__}' must define 'clear'.")

    def eval(self):
        """The metric over all batches."""
        raise NotImplementedError(f"'{type(self).__name__}' must define 'eval'.")

    def update(self, *inputs):
        """Take in a batch."""
        raise NotImplementedError(f"'{type(self).__name__}' must define 'update'.")

    def _check_inputs(self, count, inputs):
        if len(inputs) != count:
            raise ValueError(f"For '{type(self).__name__}.update', it needs {count} inputs, but got {len(inputs)}.")

    def _check_updated(self, seen):
        if not seen:
            raise RuntimeError(
                f"The '{type(self).__name__}' can not be calculated, because the number of samples is 0: call update "
                "first."
            )

    def _require_update(self):
        if not self._is_update:
            raise RuntimeError("Please call the 'update' method before calling 'eval' method.")


class EvaluationBase(Metric):
    """Base of metrics that compare predictions with labels, for "classification" or "multilabel"."""

    @checked
    def __init__(self, eval_type: Annotated[Literal["classification", "multilabel"], Raises(value=TypeError)]):
        super().__init__()
        self._type = eval_type

    def _check_shape(self, y_pred, y):
        if self._type == "classification":
            if y_pred.ndim != y.ndim + 1:
                raise ValueError(
                    "For 'EvaluationBase', in classification case, dimension of y_pred (predicted value) must be "
                    f"equal to the dimension of y (true value) add 1, but got y_pred dimension: {y_pred.ndim} and y "
                    f"dimension: {y.ndim}."
                )
            if y.shape != (y_pred.shape[0], *y_pred.shape[2:]):
                raise ValueError(
                    "For 'EvaluationBase', in classification case, y_pred (predicted value) and y (true value) can "
                    f"not be reconciled, but got y_pred shape: {y_pred.shape} and y shape: {y.shape}."
                )
        elif y_pred.shape != y.shape:
            raise ValueError(
                "For 'EvaluationBase', in case of multilabel, the 'y_pred' and 'y' must have the same shape, "
                f"but got y_pred shape: {y_pred.shape} and y shape: {y.shape}."
            )

    def _check_value(self, y_pred, y):
        if self._type == "multilabel" and not (np.equal(y_pred**2, y_pred).all() and np.equal(y**2, y).all()):
            raise ValueError(
                "For 'EvaluationBase', in case of multilabel, all elements in 'y_pred' and 'y' must be 0 or 1."
            )
