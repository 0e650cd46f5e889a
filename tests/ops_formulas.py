"""Formulas of attention and routing in NumPy float64, with loops: what the tests of these operators compare with."""

import numpy as np


def softmax_of(scores, counts=None):
    """(probabilities, maximum, sum) of a vector of scores; `counts` say how often each counts."""
    counts = np.ones(len(scores)) if counts is None else counts
    seen = counts > 0
    if not seen.any():
        return np.zeros(len(scores)), -1e38, 0.0
    top = scores[seen].max()
    weights = np.where(seen, np.exp(np.where(seen, scores - top, 0)) * counts, 0)
    return weights / weights.sum(), top, weights.sum()


def slices(ends):
    """Slices of running ends."""
    return [slice(a, b) for a, b in zip([0, *ends], ends)]


def attention_of(query, key, value, scale, counts):
    """(out (S, N, D), maximum, sum (S, N)) of (S, N, D) and keys with fewer heads; counts(row, head of key) gives a count for each key."""
    rows, heads, _ = query.shape
    group = heads // key.shape[1]
    out, top, total = np.zeros((rows, heads, value.shape[2])), np.zeros((rows, heads)), np.zeros((rows, heads))
    weights = np.zeros((rows, heads, key.shape[0]))
    for s in range(rows):
        for n in range(heads):
            weights[s, n], top[s, n], total[s, n] = softmax_of(
                key[:, n // group] @ query[s, n] * scale, counts(s, n // group)
            )
            out[s, n] = weights[s, n] @ value[:, n // group]
    return out, top, total, weights


def assert_gradient(found, fn, x, rtol=1e-3, atol=1e-4, step=1e-5):
    """The gradient of a scalar function of a float64 array against differences along random directions."""
    found = np.asarray(found.asnumpy(), np.float64)
    assert found.shape == x.shape
    for seed in range(4):
        way = np.random.RandomState(1000 + seed).randn(*x.shape)
        wanted = (fn(x + step * way) - fn(x - step * way)) / (2 * step)
        np.testing.assert_allclose((found * way).sum(), wanted, rtol=rtol, atol=atol * np.sqrt(x.size))
