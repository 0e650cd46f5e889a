"""Mean absolute and mean squared error."""

import numpy as np

from .metric import Metric, rearrange_inputs


class _MeanError(Metric):
    """Sum of an error over all elements, divided by the number of samples (rows)."""

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._error_sum, self._samples_num = 0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch: predictions and true values of one shape (N, …)."""
        self._check_inputs(2, inputs)
        y_pred, y = (self._convert_data(v) for v in inputs)
        error = self._error(y.reshape(y_pred.shape) - y_pred).sum()
        self._error_sum += np.float64(error)  # of a batch in its dtype, of all in float64
        self._samples_num += y.shape[0]

    def eval(self):
        """The mean; RuntimeError before any update."""
        self._check_updated(self._samples_num)
        return self._error_sum / self._samples_num


class MAE(_MeanError):
    """Mean absolute error: the sum of |y_pred - y| over the number of samples.

    Example:
        >>> from mindspore.train import MAE
        >>> metric = MAE()
        >>> metric.update(Tensor([0.1, 0.2]), Tensor([0.0, 0.4]))
        >>> metric.eval()
        0.15000000596046448
    """

    _error = staticmethod(np.abs)


class MSE(_MeanError):
    """Mean squared error: the sum of (y_pred - y)² over the number of samples."""

    _error = staticmethod(np.square)
