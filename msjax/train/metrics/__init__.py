"""Metrics: what `Model.eval` computes over a dataset."""
from .accuracy import Accuracy, Loss, Top1CategoricalAccuracy, Top5CategoricalAccuracy, TopKCategoricalAccuracy
from .metric import EvaluationBase, Metric, rearrange_inputs

_BY_NAME = {
    "accuracy": Accuracy, "acc": Accuracy, "loss": Loss, "top_1_accuracy": Top1CategoricalAccuracy, "top_5_accuracy": Top5CategoricalAccuracy,
    "topk": TopKCategoricalAccuracy,
}


def names():
    """The names that `Model(metrics=…)` and `get_metric_fn` know."""
    return list(_BY_NAME)


def get_metric_fn(name, *args, **kwargs):
    """Metric made from its name; None for an unknown name's class is a KeyError."""
    if name not in _BY_NAME:
        raise KeyError(f"For 'get_metric_fn', unsupported metric {name}. The metrics are {', '.join(_BY_NAME)}.")
    return _BY_NAME[name](*args, **kwargs)


def get_metrics(metrics):
    """dict from name to Metric, of None, a dict, or a collection of names."""
    if metrics is None:
        return {}
    if isinstance(metrics, dict):
        for name, metric in metrics.items():
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise TypeError(f"For 'get_metrics', if the argument 'metrics' is dict, the key in 'metrics' must be string and the value in 'metrics' "
                                f"must be Metric, but got key:{name}, value:{metric}.")
        return dict(metrics)
    if isinstance(metrics, (set, list, tuple)):
        return {name: get_metric_fn(name) for name in metrics}
    raise TypeError(f"For 'get_metrics', the argument 'metrics' must be None, dict or set, but got {metrics}.")


__all__ = ["Accuracy", "EvaluationBase", "Loss", "Metric", "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy",
           "get_metric_fn", "names", "rearrange_inputs"]
