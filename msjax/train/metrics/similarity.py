"""Likeness of vectors and of masks: cosine similarity and the Dice coefficient."""

from typing import Any, Literal

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import PositiveFloat
from .metric import Metric, rearrange_inputs


class CosineSimilarity(Metric):
    """Table of the similarity of each row with each row.

    Args:
        similarity: "cosine" or "dot". reduction: "none", "sum" or "mean" of each row. zero_diagonal: a row's likeness
            with itself counts as 0.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.
    """

    @checked
    def __init__(
        self,
        similarity: Literal["dot", "cosine"] = "cosine",
        reduction: Literal["none", "sum", "mean"] = "none",
        zero_diagonal: bool = True,
    ):
        super().__init__()
        self.similarity, self.reduction, self.zero_diagonal = similarity, reduction, zero_diagonal
        self.clear()

    def clear(self):
        """Forget the batch."""
        self.sqr_mtx_res, self._is_update = 0, False

    @rearrange_inputs
    def update(self, inputs: Any):
        """Take in rows (N, D), in place of the ones before."""
        rows = self._convert_data(inputs)
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self.sqr_mtx_res = rows @ rows.T
        self._is_update = True

    def eval(self):
        """The table (N, N), or reduced (N,); RuntimeError before any update."""
        self._require_update()
        table = self.sqr_mtx_res.copy()
        if self.zero_diagonal:
            np.fill_diagonal(table, 0)
        return table if self.reduction == "none" else getattr(table, self.reduction)(axis=-1)


class Dice(Metric):
    """Dice coefficient: twice the overlap over the sum of both sizes, summed over batches and divided by the number of
    samples.

    Args:
        smooth: float > 0, added below the line.
    """

    @checked
    def __init__(self, smooth: PositiveFloat = 1e-5):
        super().__init__()
        self.smooth = smooth
        self.clear()

    def clear(self):
        """Forget all batches."""
        self._dice_coeff_sum, self._samples_num = 0, 0

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a batch: predictions and labels of one shape."""
        self._check_inputs(2, inputs)
        y_pred, y = (self._convert_data(v) for v in inputs)
        if y_pred.shape != y.shape:
            raise ValueError(
                "For 'Dice.update', predicted value (input[0]) and true value (input[1]) should have same shape, but "
                f"got predicted value shape: {y_pred.shape}, true value shape: {y.shape}."
            )
        self._samples_num += y.shape[0]
        a, b = y_pred.reshape(-1), y.reshape(-1)
        self._dice_coeff_sum += 2 * float(a @ b) / float(a @ a + b @ b + self.smooth)

    def eval(self):
        """The coefficient; RuntimeError before any update."""
        self._check_updated(self._samples_num)
        return self._dice_coeff_sum / float(self._samples_num)
