"""Losses of differences and distances: squared, absolute, Huber, cosine, margin and triplet losses."""

import math
from typing import Annotated

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Number
from ...core.spec.rules import LOOSE, OfType, Within
from ...core.values.promote import kind_of, promote, promote_float
from ..elementwise.math import absolute, to_float
from ..reduce.reduction import whole_mean
from ..shapes import ANY, number_of_axes, same_shape
from .classification import reduce


@op(mint="nn.functional.mse_loss", ops=("mse_loss", "mse_loss_ext"))
def mse_loss(input: Array, target: Array, reduction: str = "mean") -> Array:
    """(input - target) ** 2, with broadcasting."""
    x, y = promote_float(input, target)
    return reduce(jnp.square(x - y), reduction, "mse_loss")


@op(mint="nn.functional.l1_loss")
def l1_loss(input: Array, target: Array, reduction: str = "mean") -> Array:
    """|input - target|, with broadcasting."""
    x, y = promote(input, target)
    if kind_of(x.dtype) != 1:
        x, y = promote_float(x, y)
        return reduce(absolute(x - y), reduction, "l1_loss")
    loss = absolute(x - y)  # of integers everything is an integer, the mean too
    if reduction == "mean":  # of the whole sum
        return whole_mean(jnp.sum(loss, dtype=jnp.int64), loss.size).astype(loss.dtype)
    return jnp.sum(loss, dtype=loss.dtype) if reduction == "sum" else reduce(loss, reduction, "l1_loss")


@op(
    prim=Prim(
        "SmoothL1Loss",
        init=args(beta=1.0, reduction="none"),
        call=args("logits", "labels"),
        to={"logits": "input", "labels": "target"},
    ),
    mint=Face("nn.functional.smooth_l1_loss", args("input", "target", reduction="mean", beta=1.0)),
)
def smooth_l1_loss(
    input: Array, target: Array, beta: Annotated[Number, LOOSE, Within("[0, inf]")] = 1.0, reduction: str = "none"
) -> Array:
    """d^2 / (2 beta) where |d| < beta, |d| - beta / 2 elsewhere (Girshick, 2015)."""
    same_shape("smooth_l1_loss", input=input.shape, target=target.shape)
    x, y = promote_float(input, target)
    d = absolute(x - y)
    if beta != 0:
        far = d >= beta  # no NaN is: its gradient is NaN, which tells of an overflow
        near = jnp.where(far, jnp.zeros_like(d), d)  # the square of what is infinite would make the gradient NaN
        d = jnp.where(far, d - beta / 2, near * near / (2 * beta))
    return reduce(d, reduction, "smooth_l1_loss")


@op
def huber_loss(
    input: Array, target: Array, reduction: str = "mean", delta: Annotated[Number, LOOSE, Within("(0, inf]")] = 1.0
) -> Array:
    """d^2 / 2 where |d| <= delta, delta (|d| - delta / 2) elsewhere (Huber, 1964)."""
    x, y = promote(input, target)
    d = absolute(x - y if kind_of(x.dtype) else to_float(x) - to_float(y))
    d = to_float(d)  # the difference of integers is an integer
    return reduce(jnp.where(d < delta, d * d / 2, delta * (d - delta / 2)), reduction, "huber_loss")


@op
def gaussian_nll_loss(
    x: Array,
    target: Array,
    var: Array,
    full: OfType[bool] = False,
    eps: Annotated[Number, LOOSE, Within("[0, inf]")] = 1e-6,
    reduction: str = "mean",
) -> Array:
    """(log max(var, eps) + (x - target)^2 / max(var, eps)) / 2, plus log(2 pi) / 2 if `full`."""
    if x.ndim and x.shape != var.shape == x.shape[:-1]:  # one variance for each row
        var = var[..., None]
    x, target, var = to_float(x), to_float(target), jnp.maximum(to_float(var), eps)
    loss = (jnp.log(var) + jnp.square(x - target) / var) / 2
    return reduce(loss + 0.5 * math.log(2 * math.pi) if full else loss, reduction, "gaussian_nll_loss")


@op
def margin_ranking_loss(
    input1: Array, input2: Array, target: Array, margin: Number = 0.0, reduction: str = "mean"
) -> Array:
    """max(0, -y (x1 - x2) + margin)"""
    loss = to_float(-target * (input1 - input2)) + margin
    return reduce(jnp.where(loss < 0, 0, loss), reduction, "margin_ranking_loss")


@op(mint="nn.functional.cosine_embedding_loss")
def cosine_embedding_loss(
    input1: Array,
    input2: Array,
    target: Array,
    margin: Annotated[Number, LOOSE, Within("[-1, 1]")] = 0.0,
    reduction: str = "mean",
) -> Array:
    """1 - cos(x1, x2) if the label is 1, max(0, cos(x1, x2) - margin) if it is -1."""
    axis = input1.ndim - 1 if input1.ndim < 2 else 1
    same_shape("cosine_embedding_loss", distances=input1.shape[:axis] + input1.shape[axis + 1 :], target=target.shape)
    input1, input2, eps = to_float(input1), to_float(input2), 1e-12
    norm = jnp.sqrt((jnp.sum(input1 * input1, axis) + eps) * (jnp.sum(input2 * input2, axis) + eps))
    cosine = jnp.sum(input1 * input2, axis) / norm
    loss = jnp.where(target == 1, 1 - cosine, 0) + jnp.where(target == -1, jnp.maximum(cosine - margin, 0), 0)
    return reduce(loss, reduction, "cosine_embedding_loss")


@op(
    prim=Prim(
        "TripletMarginLoss",
        init=args(p=2, swap=False, eps=1e-06, reduction="mean"),
        call=args("x", "positive", "negative", "margin"),
        to={"x": "anchor"},
    )
)
def triplet_margin_loss(
    anchor: Array,
    positive: Array,
    negative: Array,
    margin: Number = 1.0,
    p: int = 2,
    eps: Number = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin) with the p-norm distance over the last axis; `swap`: the nearer of anchor and
    positive to the negative (Balntas et al., 2016).
    """
    number_of_axes("TripletMarginLoss", range(2, ANY), x=anchor.shape)
    for other in (positive, negative):
        same_shape("TripletMarginLoss", RuntimeError, x=anchor.shape, positive_or_negative=other.shape)

    def distance(a, b):
        return jnp.sum(jnp.abs(a - b + eps) ** p, -1) ** (1 / p)

    far = distance(anchor, negative)
    if swap:
        far = jnp.minimum(far, distance(positive, negative))
    return reduce(jnp.maximum(distance(anchor, positive) - far + margin, 0), reduction, "triplet_margin_loss")
