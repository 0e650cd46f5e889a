"""Metrics: values of MindSpore, of formulas where MindSpore's differ from its documentation, names, errors."""

import cases_metrics
import golden_files
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, train

GOLDENS = golden_files.read("metrics")


@pytest.mark.parametrize("case", cases_metrics.CASES)
def test_value_is_mindspores(case):
    np.testing.assert_allclose(cases_metrics.evaluate(train, Tensor, case), GOLDENS[case], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("case", cases_metrics.CASES)
def test_clear_forgets(case):
    name, kwargs, batches, how = cases_metrics.CASES[case]
    metric = getattr(train, name)(**kwargs)
    if name != "ConfusionMatrixMetric":
        with pytest.raises(RuntimeError, match="update|samples"):
            metric.eval(**how)
    metric.update(*batches[0])
    first = metric.eval(**how)
    metric.clear()
    metric.update(*batches[0])
    again = metric.eval(**how)
    for a, b in zip(first, again, strict=True) if isinstance(first, tuple) else [(first, again)]:
        np.testing.assert_array_equal(a, b)


def test_perplexity_leaves_out_the_ignored_label():
    chances = np.array([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.6, 0.3, 0.1]])
    metric = train.Perplexity(ignore_label=2)
    metric.update(Tensor(chances), Tensor([1, 2, 0]))
    assert metric.eval() == pytest.approx(np.exp(-(np.log(0.5) + np.log(0.6)) / 2))


# MindSpore's numbers: one direction without the root, and both directions alike, however many points each has
@pytest.mark.parametrize("symmetric, there, back", [(False, 2 / 3, 0), (True, 3**-0.5, 3**-0.5)])
def test_root_mean_square_distance_of_unequal_sets(symmetric, there, back):
    a, b = np.zeros((5, 5), int), np.zeros((5, 5), int)
    a[0, 0:3] = 1
    b[0, 1] = 1
    metric = train.RootMeanSquareDistance(symmetric=symmetric)
    metric.update(Tensor(a), Tensor(b), 1)
    first = metric.eval()
    metric.clear()
    metric.update(Tensor(b), Tensor(a), 1)
    assert (first, metric.eval()) == pytest.approx((there, back))


def test_occlusion_sensitivity_shows_where_the_network_looks():
    class Corner(nn.Cell):
        def construct(self, x):
            return ms.ops.stack([x[:, 0, 0, 0], x[:, 0, 1, 1] * 2], 1)

    metric = train.OcclusionSensitivity(margin=1, n_batch=4)
    metric.update(Corner(), Tensor(np.ones((1, 1, 3, 3), np.float32)), Tensor([1]))
    expected = np.zeros((1, 3, 3), np.float32)
    expected[0, 1:, 1:] = 2
    np.testing.assert_array_equal(metric.eval(), expected[0])


@pytest.mark.parametrize(
    "decrease, shape",
    [
        ("none", (2, 3)),
        ("mean_batch", (3,)),
        ("sum_batch", (3,)),
        ("mean_channel", (2,)),
        ("sum_channel", (2,)),
        ("mean", ()),
        ("sum", ()),
    ],
)
def test_confusion_matrix_metric_reduces(decrease, shape):
    metric = train.ConfusionMatrixMetric(metric_name="accuracy", calculation_method=True, decrease=decrease)
    metric.update(*map(Tensor, cases_metrics._MASKS[0]))
    assert np.shape(metric.eval()) == shape


def test_auc():
    fpr, tpr = np.array([0.0, 0.25, 1.0]), np.array([0.0, 0.5, 1.0])
    assert train.auc(fpr, tpr) == train.auc(fpr[::-1], tpr[::-1]) == 0.0625 + 0.5625
    assert train.auc(fpr[[1, 0, 2]], tpr[[1, 0, 2]], reorder=True) == 0.625
    with pytest.raises(ValueError, match="increasing or decreasing"):
        train.auc(fpr[[1, 0, 2]], tpr)


def test_all_names_make_a_metric():
    needs = {"confusion_matrix": {"num_classes": 2}, "topk": {"k": 2}}
    for name in set(train.names()) - {"auc"}:
        assert isinstance(train.get_metric_fn(name, **needs.get(name, {})), train.Metric)
    with pytest.raises(KeyError, match="'name' must be one of 'accuracy'"):
        train.get_metric_fn("no")


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda: train.Fbeta(0), ValueError, "'beta' must be a number > 0"),
        (lambda: train.Precision("both"), TypeError, "eval_type"),
        (lambda: train.ConfusionMatrix(2, normalize="rows"), ValueError, "normalize"),
        (lambda: train.BleuScore(5), ValueError, r"must be an int in \[1, 4\]"),
        (lambda: train.Dice(-1.0), ValueError, "smooth"),
        (lambda: train.HausdorffDistance("l3"), ValueError, "distance_metric"),
        (lambda: train.ConfusionMatrixMetric(metric_name="luck").eval(), NotImplementedError, "luck"),
        (lambda: train.MAE().update(Tensor([1.0])), ValueError, "needs 2 inputs"),
        (lambda: train.Top1CategoricalAccuracy().update(Tensor([[0.2, 0.8]]), 3), TypeError, "list or numpy.ndarray"),
        (lambda: train.Loss().update(3.0), TypeError, "list or numpy.ndarray"),
        (lambda: train.Recall().update(Tensor([[1.0, 2.0]]), Tensor([2])), ValueError, "contain same classes"),
        (lambda: train.ROC(class_num=3).update(Tensor([[1.0, 2.0]]), Tensor([1])), ValueError, "class_num"),
    ],
)
def test_wrong_arguments(make, error, text):
    with pytest.raises(error, match=text):
        make()
