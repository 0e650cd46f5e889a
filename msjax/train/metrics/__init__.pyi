"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload

import numpy as np
class Accuracy(EvaluationBase):
    """Share of correct predictions, for eval_type 'classification' or 'multilabel'."""
    def __init__(self, eval_type: str='classification') -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self) -> Any: """The share; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in a batch: predictions and labels."""
class BleuScore(Metric):
    """BLEU: how many word groups of a translation stand in one of its references, times a penalty for being short."""
    def __init__(self, n_gram: int=4, smooth: bool=False) -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self) -> Any: """The score from 0 to 1; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in a batch: translations (lists of words), and for each a list of references."""
    n_gram: Any
    smooth: Any
class ConfusionMatrix(Metric):
    """Table (true class, predicted class) of counts."""
    def __init__(self, num_classes: int, normalize: Literal['target', 'prediction', 'all', 'no_norm']='no_norm', threshold: float=0.5) -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self) -> Any: """The table; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in a batch: predictions (N, C, …), or classes or chances of class 1 in the shape of the labels; labels"""
    num_classes: Any
    normalize: Any
    threshold: Any
    confusion_matrix: Any
class ConfusionMatrixMetric(Metric):
    """A number of the confusion matrix of each class against the rest, for one-hot arrays (N, C, …) of 0 and 1."""
    def __init__(self, skip_channel: bool=True, metric_name: str='sensitivity', calculation_method: bool=False, decrease: Literal['none', 'mean', 'sum', 'mean_batch', 'sum_batch', 'mean_channel', 'sum_channel']='mean') -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self) -> Any: """The number; RuntimeError before any update where it is reduced over samples."""
    def update(self, *inputs) -> None: """Take in a batch: predictions and labels, both one-hot (N, C, …)."""
    skip_channel: Any
    metric_name: Any
    calculation_method: Any
    decrease: Any
class CosineSimilarity(Metric):
    """Table of the similarity of each row with each row."""
    def __init__(self, similarity: Literal['dot', 'cosine']='cosine', reduction: Literal['none', 'sum', 'mean']='none', zero_diagonal: bool=True) -> None: ...
    def clear(self) -> None: """Forget the batch."""
    def eval(self) -> Any: """The table (N, N), or reduced (N,); RuntimeError before any update."""
    def update(self, inputs) -> None: """Take in rows (N, D), in place of the ones before."""
    similarity: Any
    reduction: Any
    zero_diagonal: Any
    sqr_mtx_res: Any
class Dice(Metric):
    """Dice coefficient: twice the overlap over the sum of both sizes, summed over batches and divided by the number of"""
    def __init__(self, smooth: float=1e-05) -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self) -> Any: """The coefficient; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in a batch: predictions and labels of one shape."""
    smooth: Any
class EvaluationBase(Metric):
    """Base of metrics that compare predictions with labels, for 'classification' or 'multilabel'."""
    def __init__(self, eval_type: Literal['classification', 'multilabel']) -> None: ...
class F1(Fbeta):
    """F1: the harmonic mean of precision and recall."""
    def __init__(self) -> None: ...
class Fbeta(Metric):
    """F-beta: the harmonic mean of precision and recall in which recall weighs beta² as much."""
    def __init__(self, beta: float) -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self, average: bool=False) -> Any: """F-beta of each class, or with `average` the mean; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in a batch: predictions (N, C, …) and labels (N, …), or one-hot (N, C, …)."""
    beta: Any
class HausdorffDistance(Metric):
    """Hausdorff distance: the largest distance from an edge point to the other region's edge."""
    def __init__(self, distance_metric: Literal['euclidean', 'chessboard', 'taxicab']='euclidean', percentile: float | None=None, directed: bool | None=False, crop: bool | None=True) -> None: ...
    def clear(self) -> None: """Forget the batch."""
    def eval(self) -> Any: """The distance; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in predictions and labels of one shape, and the label of the region, in place of the ones before."""
    percentile: Any
    directed: Any
    crop: Any
    distance_metric: Any
class Loss(Metric):
    """Mean of the loss."""
    def __init__(self) -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self) -> Any: """The mean; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in the loss of a batch: a number, or a Tensor of one element."""
class MAE(Metric):
    """Mean absolute error: the sum of |y_pred - y| over the number of samples."""
    def __init__(self) -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self) -> Any: """The mean; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in a batch: predictions and true values of one shape (N, …)."""
class MSE(Metric):
    """Mean squared error: the sum of (y_pred - y)² over the number of samples."""
    def __init__(self) -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self) -> Any: """The mean; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in a batch: predictions and true values of one shape (N, …)."""
class MeanSurfaceDistance(Metric):
    """Mean distance from an edge point of the prediction to the truth's edge."""
    def __init__(self, symmetric: bool=False, distance_metric: Literal['euclidean', 'chessboard', 'taxicab']='euclidean') -> None: ...
    def clear(self) -> None: """Forget the batch."""
    def eval(self) -> Any: """The distance; inf for a region without edge, RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in predictions and labels of one shape, and the label of the region, in place of the ones before."""
    symmetric: Any
    distance_metric: Any
class Metric:
    """Base class: a subclass defines `clear`, `update(*inputs)` and `eval`."""
    def __call__(self, *inputs) -> Any: ...
    def __init__(self) -> None: ...
    def _convert_data(self, data) -> Any: """A Tensor, array or list as a NumPy array; TypeError for anything else."""
    def clear(self) -> Any: """Forget all batches."""
    def eval(self) -> Any: """The metric over all batches."""
    @property
    def indexes(self) -> Any: ...
    def set_indexes(self, indexes: list[int]) -> Self: """Choose which of the network's outputs `update` gets; returns the metric."""
    def update(self, *inputs) -> Any: """Take in a batch."""
class OcclusionSensitivity(Metric):
    """How much the chance of the label falls when a patch of the image is covered, for each place of the patch."""
    def __init__(self, pad_val: float=0.0, margin: int | list=2, n_batch: int=128, b_box: list | None=None) -> None: ...
    def clear(self) -> None: """Forget the image."""
    def eval(self) -> Any: """The decrease of the probability at each place; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in a network that gives (N, classes), an image (1, …) and its label."""
    pad_val: Any
    margin: Any
    n_batch: Any
    b_box: Any
class Perplexity(Metric):
    """exp of the mean negative log of the chance given to the true token."""
    def __init__(self, ignore_label: int | None=None) -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self) -> Any: """The perplexity; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in a batch: chances (N, C) and labels (N,)."""
    ignore_label: Any
class Precision(EvaluationBase):
    """Precision: the share of correct predictions of a class. eval_type 'classification' or 'multilabel'."""
    def __init__(self, eval_type: Any='classification') -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self, average: Any=False) -> Any: """The share for each class ('multilabel': for each sample), or with `average` the mean; RuntimeError before any"""
    def update(self, *inputs) -> None: """Take in a batch: predictions (N, C, …) and labels (N, …), or one-hot (N, C, …); 'multilabel': two arrays of 0"""
class ROC(Metric):
    """False and true positive rates at every threshold: (fpr, tpr, thresholds), for several classes a list of each."""
    def __init__(self, class_num: int | None=None, pos_label: int | None=None) -> None: ...
    def clear(self) -> None: """Forget the batch."""
    def eval(self) -> tuple[Any, ...]: """(fpr, tpr, thresholds); RuntimeError before any update, ValueError without positive or negative samples."""
    def update(self, *inputs) -> None: """Take in a batch in place of the one before: predictions (N, C, …) and labels (N, …), or both of one shape."""
    class_num: Any
    pos_label: Any
    y_pred: Any
    y: Any
    sample_weights: Any
class Recall(EvaluationBase):
    """Recall: the share of a class's samples that were predicted as it. eval_type 'classification' or 'multilabel'."""
    def __init__(self, eval_type: Any='classification') -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self, average: Any=False) -> Any: """The share for each class ('multilabel': for each sample), or with `average` the mean; RuntimeError before any"""
    def update(self, *inputs) -> None: """Take in a batch: predictions (N, C, …) and labels (N, …), or one-hot (N, C, …); 'multilabel': two arrays of 0"""
class RootMeanSquareDistance(Metric):
    """Mean squared distance from an edge point of the prediction to the truth's edge; symmetric: the root of the mean of both directions."""
    def __init__(self, symmetric: bool=False, distance_metric: Literal['euclidean', 'chessboard', 'taxicab']='euclidean') -> None: ...
    def clear(self) -> None: """Forget the batch."""
    def eval(self) -> Any: """The distance; inf for a region without edge, RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in predictions and labels of one shape, and the label of the region, in place of the ones before."""
    symmetric: Any
    distance_metric: Any
class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """Share of samples whose label is the largest prediction."""
    def __init__(self) -> None: ...
class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """Share of samples whose label is among the five largest predictions."""
    def __init__(self) -> None: ...
class TopKCategoricalAccuracy(Metric):
    """Share of samples whose label is among the k largest predictions."""
    def __init__(self, k: int) -> None: ...
    def clear(self) -> None: """Forget all batches."""
    def eval(self) -> Any: """The share; RuntimeError before any update."""
    def update(self, *inputs) -> None: """Take in a batch: predictions (N, C) and labels (N,) or one-hot (N, C)."""
    k: Any
def auc(x: np.ndarray, y: np.ndarray, reorder: bool=False) -> Any: """Area under a curve by the trapezoid rule."""
def get_metric_fn(name: Literal['accuracy', 'acc', 'precision', 'recall', 'F1', 'dice', 'roc', 'auc', 'bleu_score', 'cosine_similarity', 'occlusion_sensitivity', 'topk', 'hausdorff_distance', 'top_1_accuracy', 'top_5_accuracy', 'mae', 'mse', 'loss', 'mean_surface_distance', 'root_mean_square_distance', 'perplexity', 'confusion_matrix', 'confusion_matrix_metric'], *args, **kwargs) -> Any: """Metric made from its name and the arguments of its class; KeyError for an unknown name."""
def get_metrics(metrics) -> dict[Any, Any]: """dict from name to Metric, of None, a dict, or a collection of names."""
def names() -> list[Any]: """The names that `Model(metrics=…)` and `get_metric_fn` know."""
def rearrange_inputs(func: Callable[..., Any]) -> Callable[..., Any]: """Decorator for `update`: gives it the inputs that `set_indexes` chose, in that order."""
