"""Losses by class indices on a TPU: the label's log probability is a masked sum there, with the numbers of the gather that the CPU takes."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msjax.ops.loss import classification

LOGITS = np.random.RandomState(0).randn(6, 5).astype(np.float32)
IMAGES = np.random.RandomState(1).randn(2, 3, 2, 2).astype(np.float32)
LABELS, PIXELS = np.array([0, 4, 2, -100, 1, 3], np.int32), np.array([[[0, 2], [1, 1]], [[2, 2], [-100, 0]]], np.int32)
WEIGHTS = np.array([1, 2, 0.5, 3, 1.5], np.float32)
CASES = {
    "smoothed": (LOGITS, LABELS, dict(label_smoothing=0.1)),
    "weighted": (LOGITS, LABELS, dict(weight=WEIGHTS)),
    "both": (LOGITS, LABELS, dict(weight=WEIGHTS, label_smoothing=0.2, reduction="sum")),
    "images": (IMAGES, PIXELS, dict(reduction="none")),
}


def loss_and_gradient(logits, labels, options):
    options = {k: jnp.asarray(v) if k == "weight" else v for k, v in options.items()}
    loss = lambda x: jnp.sum(classification.cross_entropy(x, jnp.asarray(labels), **options))  # noqa: E731
    return jax.make_jaxpr(jax.grad(loss))(logits), *jax.value_and_grad(loss)(logits)


@pytest.mark.parametrize("name", CASES)
def test_no_gather_and_the_same_numbers(name, monkeypatch):
    _, *wanted = loss_and_gradient(*CASES[name])
    monkeypatch.setattr(classification, "present_device", lambda: "TPU")
    program, *found = loss_and_gradient(*CASES[name])
    for a, b in zip(found, wanted):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7)
    assert "scatter" not in str(program)


def test_a_label_out_of_range_is_not_a_number(monkeypatch):
    monkeypatch.setattr(classification, "present_device", lambda: "TPU")
    value = jax.jit(lambda x, y: classification.cross_entropy(x, y, label_smoothing=0.1))(LOGITS, LABELS + 1)
    assert np.isnan(value)
