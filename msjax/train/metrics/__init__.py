"""Metrics that `Model.eval` computes over a dataset."""

from typing import Annotated, Any, Literal

from ...core.spec.checking import checked
from ...core.spec.rules import Raises
from .accuracy import Accuracy, Loss, Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy
from .confusion_matrix import ConfusionMatrix, ConfusionMatrixMetric
from .error import MAE, MSE
from .metric import EvaluationBase, Metric, rearrange_inputs
from .occlusion_sensitivity import OcclusionSensitivity
from .precision import F1, Fbeta, Precision, Recall
from .roc import ROC, auc
from .similarity import CosineSimilarity, Dice
from .surface import HausdorffDistance, MeanSurfaceDistance, RootMeanSquareDistance
from .text import BleuScore, Perplexity

_BY_NAME = {
    "accuracy": Accuracy,
    "acc": Accuracy,
    "precision": Precision,
    "recall": Recall,
    "F1": F1,
    "dice": Dice,
    "roc": ROC,
    "auc": auc,
    "bleu_score": BleuScore,
    "cosine_similarity": CosineSimilarity,
    "occlusion_sensitivity": OcclusionSensitivity,
    "topk": TopKCategoricalAccuracy,
    "hausdorff_distance": HausdorffDistance,
    "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy,
    "mae": MAE,
    "mse": MSE,
    "loss": Loss,
    "mean_surface_distance": MeanSurfaceDistance,
    "root_mean_square_distance": RootMeanSquareDistance,
    "perplexity": Perplexity,
    "confusion_matrix": ConfusionMatrix,
    "confusion_matrix_metric": ConfusionMatrixMetric,
}


def names():
    """The names that `Model(metrics=…)` and `get_metric_fn` know."""
    return sorted(_BY_NAME)


@checked
def get_metric_fn(name: Annotated[Literal[tuple(_BY_NAME)], Raises(KeyError, value=KeyError)], *args, **kwargs):
    """Metric made from its name and the arguments of its class; KeyError for an unknown name."""
    return _BY_NAME[name](*args, **kwargs)


def get_metrics(metrics: Any):
    """dict from name to Metric, of None, a dict, or a collection of names."""
    if metrics is None:
        return {}
    if isinstance(metrics, dict):
        for name, metric in metrics.items():
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise TypeError(
                    "For 'get_metrics', if the argument 'metrics' is dict, the key in 'metrics' must be string and "
                    f"the value in 'metrics' must be Metric, but got key:{name}, value:{metric}."
                )
        return dict(metrics)
    if isinstance(metrics, set):
        return {name: get_metric_fn(name) for name in metrics}
    raise TypeError(f"For 'get_metrics', the argument 'metrics' must be None, dict or set, but got {metrics}.")


__all__ = [
    "Accuracy",
    "BleuScore",
    "ConfusionMatrix",
    "ConfusionMatrixMetric",
    "CosineSimilarity",
    "Dice",
    "EvaluationBase",
    "F1",
    "Fbeta",
    "HausdorffDistance",
    "Loss",
    "MAE",
    "MSE",
    "MeanSurfaceDistance",
    "Metric",
    "OcclusionSensitivity",
    "Perplexity",
    "Precision",
    "ROC",
    "Recall",
    "RootMeanSquareDistance",
    "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy",
    "auc",
    "get_metric_fn",
    "get_metrics",
    "names",
    "rearrange_inputs",
]
