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
            weights[s, n], top[s, n], total[s, n] = softmax_of(key[:, n // group] @ query[s, n] * scale, counts(s, n // group))
            out[s, n] = weights[s, n] @ value[:, n // group]
    return out, top, total, weights


def numeric_gradient(fn, x, step=1e-5):
    """Gradient of a scalar function of one float64 array, by differences."""
    grad = np.zeros_like(x)
    for i in np.ndindex(*x.shape):
        up, down = x.copy(), x.copy()
        up[i] += step
        down[i] -= step
        grad[i] = (fn(up) - fn(down)) / (2 * step)
    return grad
