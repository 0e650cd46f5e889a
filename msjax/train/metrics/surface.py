"""Distances between the surfaces of two segmented bodies."""

from typing import Literal

import numpy as np

from ...core.spec.checking import checked
from .metric import Metric, rearrange_inputs

Distance = Literal["euclidean", "chessboard", "taxicab"]


class _SurfaceDistance(Metric):
    """Keeps the edges of one labelled region in the prediction and in the truth; `_directed_distance` is measured
    between them.
    """

    _crop = False

    def __init__(self, distance_metric):
        super().__init__()
        self.distance_metric = distance_metric
        self.clear()

    def clear(self):
        """Forget the batch."""
        self._y_pred_edges = self._y_edges = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Take in predictions and labels of one shape, and the label of the region, in place of the ones before."""
        self._check_inputs(3, inputs)
        name = type(self).__name__
        y_pred, y = (self._convert_data(v) for v in inputs[:2])
        label = inputs[2]
        if not isinstance(label, (int, float)):
            kind = TypeError if name == "RootMeanSquareDistance" else ValueError
            raise kind(f"For '{name}.update', the label index (input[2]) must be int or float, but got {type(label)}.")
        if label not in y_pred and label not in y:
            raise ValueError(
                f"For '{name}.update', the label index (input[2]) must be in predicted value (input[0]) or true value "
                f"(input[1]), but {label} is not."
            )
        if y_pred.size == 0 or y_pred.shape != y.shape:
            raise ValueError(
                f"For '{name}.update', the size of predicted value (input[0]) and true value (input[1]) must be "
                "greater than 0, in addition to that, predicted value and true value must have the same shape, but "
                f"got predicted value size: {y_pred.size}, shape: {y_pred.shape}, true value size: {y.size}, shape: "
                f"{y.shape}."
            )
        masks = [v if v.dtype == bool else v == label for v in (y_pred, y)]
        if self._crop:
            masks = _cropped(*masks)
        self._y_pred_edges, self._y_edges = (_edges(mask) for mask in masks)
        self._is_update = True

    def _distances(self, start, to):
        """Distance from each edge point of `start` to the nearest of `to`; empty if `start` has none."""
        from scipy import ndimage  # takes 0.1 s to load

        if not start.any():
            return np.array([])
        if not to.any():
            far = np.full(to.shape, np.inf)
        elif self.distance_metric == "euclidean":
            far = ndimage.distance_transform_edt(~to)
        else:
            far = ndimage.distance_transform_cdt(~to, metric=self.distance_metric)
        return far[start]

    def _both(self):
        self._require_update()
        return [self._distances(self._y_pred_edges, self._y_edges), self._distances(self._y_edges, self._y_pred_edges)]


def _edges(mask):
    from scipy import ndimage  # takes 0.1 s to load

    return ndimage.binary_erosion(mask) ^ mask


def _cropped(*masks):
    """Both masks cut to the bounding box of their union; axes of length one are dropped."""
    where = np.nonzero(np.logical_or(*masks))
    if not where[0].size:
        return masks
    box = tuple(slice(w.min(), w.max() + 1) for w in where)
    return [np.squeeze(mask[box]) for mask in masks]


class HausdorffDistance(_SurfaceDistance):
    """Hausdorff distance: the largest distance from an edge point to the other region's edge.

    Args:
        distance_metric: "euclidean", "chessboard" or "taxicab". percentile: float 0 to 100: that percentile in place of
            the largest.
        directed: only from the prediction to the truth. crop: look only at the box around both regions.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.

    Example:
        >>> from mindspore.train import HausdorffDistance
        >>> metric = HausdorffDistance()
        >>> metric.update(Tensor([[1, 0], [0, 0]]), Tensor([[1, 0], [0, 1]]), 1)
        >>> metric.eval()
        1.4142135623730951
    """

    @checked
    def __init__(
        self,
        distance_metric: Distance = "euclidean",
        percentile: float | None = None,
        directed: bool | None = False,
        crop: bool | None = True,
    ):
        self.percentile, self.directed, self.crop = percentile, directed, crop
        self._crop = bool(crop)
        super().__init__(distance_metric)

    def eval(self):
        """The distance; RuntimeError before any update."""
        there, back = (self._largest(d) for d in self._both())
        return there if self.directed else max(there, back)

    def _largest(self, distances):
        if not distances.size:
            return np.inf
        if not self.percentile:
            return distances.max()
        if not 0 <= self.percentile <= 100:
            raise ValueError(
                "For 'HausdorffDistance', the value of the argument 'percentile' must be [0, 100], but got "
                f"{self.percentile}."
            )
        return np.percentile(distances, self.percentile)


class MeanSurfaceDistance(_SurfaceDistance):
    """Mean distance from an edge point of the prediction to the truth's edge.

    Args:
        symmetric: the mean of both directions. distance_metric: "euclidean", "chessboard" or "taxicab".
    """

    @checked
    def __init__(self, symmetric: bool = False, distance_metric: Distance = "euclidean"):
        self.symmetric = symmetric
        super().__init__(distance_metric)

    def eval(self):
        """The distance; inf for a region without edge, RuntimeError before any update."""
        sides = self._both()[: 2 if self.symmetric else 1]
        return np.mean([d.mean() for d in sides]) if all(d.size for d in sides) else np.inf


class RootMeanSquareDistance(_SurfaceDistance):
    """Mean squared distance from an edge point of the prediction to the truth's edge; symmetric: the root of the mean of both directions.

    As in MindSpore, one direction is given without the root, and both directions count alike, however many points each has.

    Args:
        symmetric: both directions. distance_metric: "euclidean", "chessboard" or "taxicab".
    """

    @checked
    def __init__(self, symmetric: bool = False, distance_metric: Distance = "euclidean"):
        self.symmetric = symmetric
        super().__init__(distance_metric)

    def eval(self):
        """The distance; inf for a region without edge, RuntimeError before any update."""
        sides = self._both()[: 2 if self.symmetric else 1]
        if not all(d.size for d in sides):
            return np.inf
        squares = [(d**2).mean() for d in sides]
        return np.sqrt(np.mean(squares)) if self.symmetric else squares[0]
