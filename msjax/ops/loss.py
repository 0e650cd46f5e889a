"""Losses as operators: cross entropy in its forms, squared and absolute errors."""
import jax
import jax.numpy as jnp
import numpy as np

from ..core.op import op


@jax.custom_vjp
def _cross_entropy_of_labels(logits, labels):
    """-log softmax(logits)[label] for each row; rows whose label is out of range give 0."""
    return _of_labels(logits, labels)[0]


def _of_labels(logits, labels):
    top = jnp.max(logits, -1, keepdims=True)
    shifted = jnp.exp(logits - top)
    total = jnp.sum(shifted, -1, keepdims=True)
    inside = (labels >= 0) & (labels < logits.shape[-1])
    picked = jnp.take_along_axis(logits, jnp.where(inside, labels, 0)[..., None], -1)
    loss = (jnp.log(total) + top - picked)[..., 0]
    return jnp.where(inside, loss, 0), shifted / total, inside


def _cross_entropy_forward(logits, labels):
    loss, probability, inside = _of_labels(logits, labels)
    return loss, (probability, labels, inside)


def _cross_entropy_backward(saved, g):
    probability, labels, inside = saved
    hit = labels[..., None] == jnp.arange(probability.shape[-1], dtype=labels.dtype)
    grad = (probability - hit.astype(probability.dtype)) * jnp.where(inside, g, 0)[..., None]
    return grad, np.zeros(labels.shape, jax.dtypes.float0)


_cross_entropy_of_labels.defvjp(_cross_entropy_forward, _cross_entropy_backward)


@op(ops=False, prim="SparseSoftmaxCrossEntropyWithLogits(is_grad=False)(logits, labels)")
def sparse_softmax_cross_entropy_with_logits(logits, labels, is_grad=False):
    """Mean over the rows of -log softmax(logits)[label]; with `is_grad` its gradient instead."""
    _check_rows("SparseSoftmaxCrossEntropyWithLogits", logits, labels)
    if is_grad:
        return jax.grad(lambda x: jnp.mean(_cross_entropy_of_labels(x, labels)))(logits)
    return jnp.mean(_cross_entropy_of_labels(logits, labels))


def _check_rows(name, logits, labels):
    if logits.ndim != 2 or labels.ndim != 1 or logits.shape[0] != labels.shape[0]:
        raise ValueError(f"For '{name}', the 'logits' must have shape (N, C) and the 'labels' (N,), but got {tuple(logits.shape)} and {tuple(labels.shape)}.")
    if labels.dtype.kind not in "iu":
        raise TypeError(f"For '{name}', the type of 'labels' must be int32 or int64, but got {labels.dtype}.")


@op(ops=False)
def cross_entropy_of_labels(logits, labels):
    """-log softmax(logits)[label] for each row of (N, C) logits."""
    _check_rows("SoftmaxCrossEntropyWithLogits", logits, labels)
    return _cross_entropy_of_labels(logits, labels)


@op(prim="SoftmaxCrossEntropyWithLogits()(logits, labels)", ops=False)
def softmax_cross_entropy_with_logits(logits, labels):
    """(-sum(labels * log softmax(logits)) for each row, its gradient with respect to the logits)."""
    if logits.shape != labels.shape or logits.ndim != 2:
        raise ValueError(f"For 'SoftmaxCrossEntropyWithLogits', the 'logits' and 'labels' must have one shape (N, C), but got {tuple(logits.shape)} "
                         f"and {tuple(labels.shape)}.")
    if logits.dtype != labels.dtype:
        raise TypeError(f"For 'SoftmaxCrossEntropyWithLogits', the type of 'labels' should be same as 'logits', but got {labels.dtype} and {logits.dtype}.")
    log_probability = jax.nn.log_softmax(logits, -1)
    return -jnp.sum(labels * log_probability, -1), jnp.exp(log_probability) - labels
