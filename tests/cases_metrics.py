"""Cases of metrics: name -> (class, keywords, batches, keywords of eval).

Shared by the tests and by the script that records them.
"""

import numpy as np

_rng = np.random.RandomState(7)


def _f(*shape):
    return _rng.rand(*shape).astype(np.float32)


def _i(high, *shape):
    return _rng.randint(0, high, shape).astype(np.int32)


def _bits(*shape):
    return (_rng.rand(*shape) > 0.4).astype(np.float32)


def _one_hot(classes, *shape):
    return np.moveaxis(np.eye(classes, dtype=np.float32)[_i(classes, *shape)], -1, 1)


_CLASSES = [(_f(6, 3), _i(3, 6)), (_f(5, 3), _i(3, 5))]
_PIXELS = [(_f(2, 3, 4, 4), _i(3, 2, 4, 4))]
_HOT = [(_f(6, 3), _one_hot(3, 6))]
_LABELS = [(_bits(5, 4), _bits(5, 4)), (_bits(3, 4), _bits(3, 4))]
for _pair in _LABELS:  # a sample without a predicted class gives MindSpore 0 / 0 in float32
    _pair[0][:, 0] = 1
_VALUES = [(_f(4, 3), _f(4, 3)), (_f(2, 3), _f(2, 3))]
_BODIES = [(_i(2, 9, 9), _i(2, 9, 9), 1)]
_MASKS = [(_one_hot(3, 2, 5, 5), _one_hot(3, 2, 5, 5)), (_one_hot(3, 2, 5, 5), _one_hot(3, 2, 5, 5))]
_WORDS = [
    (
        [["a", "cat", "sat", "on", "the", "mat"], ["it", "rains", "a", "lot", "here"]],
        [
            [["a", "cat", "sat", "on", "a", "mat"], ["the", "cat", "sat", "on", "the", "mat"]],
            [["it", "rains", "a", "lot"], ["rain", "here"]],
        ],
    )
]

CASES = {}


def _case(name, batches, evaluate=None, **kwargs):
    CASES[f"{name}_{sum(k.startswith(name + '_') for k in CASES)}"] = (name, kwargs, batches, evaluate or {})


for _batches in (_CLASSES, _PIXELS, _HOT):
    for _average in ({}, {"average": True}):
        for _name in ("Precision", "Recall"):
            _case(_name, _batches, _average, eval_type="classification")
        _case("F1", _batches, _average)
        _case("Fbeta", _batches, _average, beta=0.5)
    _case("Accuracy", _batches)
    _case("TopKCategoricalAccuracy", _batches[:1] if _batches is not _PIXELS else _CLASSES, k=2)
for _average in ({}, {"average": True}):
    for _name in ("Precision", "Recall"):
        _case(_name, _LABELS, _average, eval_type="multilabel")
_case("Accuracy", _LABELS, eval_type="multilabel")
for _name in ("MAE", "MSE"):
    _case(_name, _VALUES)
for _normalize in ("no_norm", "target", "prediction", "all"):
    _case("ConfusionMatrix", [(_i(3, 20), _i(3, 20)), (_f(6, 3), _i(3, 6))], num_classes=3, normalize=_normalize)
_case("ConfusionMatrix", [(_f(20), _i(2, 20))], num_classes=2, threshold=0.3)
METRIC_NAMES = (
    "sensitivity specificity precision negative_predictive_value miss_rate fall_out false_discovery_rate "
    "false_omission_rate prevalence_threshold threat_score accuracy balanced_accuracy f1_score "
    "matthews_correlation_coefficient fowlkes_mallows_index informedness markedness"
).split()
for _name in METRIC_NAMES:
    _case("ConfusionMatrixMetric", _MASKS, metric_name=_name)
    _case("ConfusionMatrixMetric", _MASKS, metric_name=_name, calculation_method=True, skip_channel=False)
_case("ROC", [(_f(12), _i(2, 12))], pos_label=1)
_case("ROC", [(_f(4, 4), np.arange(4, dtype=np.int32))], class_num=4)
_case("Perplexity", [(_f(6, 4), _i(4, 6)), (_f(3, 4), _i(4, 3))])
for _kwargs in ({}, {"n_gram": 2}, {"n_gram": 3, "smooth": True}):
    _case("BleuScore", _WORDS, **_kwargs)
for _kwargs in ({}, {"similarity": "dot", "reduction": "sum"}, {"reduction": "mean", "zero_diagonal": False}):
    _case("CosineSimilarity", [(_f(4, 5),)], **_kwargs)
_case("Dice", [(_bits(3, 4), _bits(3, 4)), (_bits(3, 4), _bits(3, 4))])
for _kwargs in (
    {},
    {"distance_metric": "chessboard"},
    {"distance_metric": "taxicab", "directed": True},
    {"percentile": 60.0, "crop": False},
):
    _case("HausdorffDistance", _BODIES, **_kwargs)
for _kwargs in (
    {},
    {"symmetric": True},
    {"distance_metric": "chessboard"},
    {"distance_metric": "taxicab", "symmetric": True},
):
    _case("MeanSurfaceDistance", _BODIES, **_kwargs)
_case("Top1CategoricalAccuracy", _CLASSES)
_case("Top5CategoricalAccuracy", [(_f(20, 8), _i(8, 20))])
_case("Loss", [(_f(1),), (_f(1),)])


def evaluate(train, tensor, case):
    """What a metric gives, as a flat float64 array; `train` is the module with the classes, `tensor` makes a Tensor."""
    name, kwargs, batches, how = CASES[case]
    metric = getattr(train, name)(**kwargs)
    metric.clear()
    for batch in batches:
        metric.update(*(tensor(v) if isinstance(v, np.ndarray) else v for v in batch))
    result = metric.eval(**how)
    if name == "ROC":
        result = np.concatenate([np.ravel(part) for part in result])
    return np.ravel(np.asarray(result, dtype=np.float64))
