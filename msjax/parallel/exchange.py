"""Collectives on arrays, with MindSpore's gradients, on which `collectives` and `process_groups` are built.

Each takes a `Place` last. With one member they give what a group of one gives. The collectives of one traced program are put in the
order of their calls (see `launch.last`), those of its gradient in the reverse one.
"""

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from . import kernels, launch
from .processes import world

if TYPE_CHECKING:
    from .places import Place


def _ordered(count):
    """Decorator: from `run(x, order, *settings, place) -> (y, order)` and its `backward(..., saved, dy, order) -> (dx, order)` to the
    function of (x, *settings, place); `count` settings. `order` may be None, outside of traces.
    """

    def decorate(run):
        rule = jax.custom_vjp(run, nondiff_argnums=tuple(range(2, count + 3)))

        def call(x, *settings, place, order=None):
            if order is None and not launch.tracing(jax.tree_util.tree_leaves(x)):
                return rule(x, None, *settings, place)
            out, order = rule(x, launch.last(order), *settings, place)
            launch.note(order)
            return out, order

        @functools.wraps(run)
        def plain(x, *settings):
            *settings, place = settings
            return call(x, *settings, place=place)[0]

        def gradient(forward_saves, backward):
            def forward(x, order, *settings):
                *given, place = settings
                y, order = call(x, *given, place=place, order=order)
                return (y, order), forward_saves(x, y, *settings)

            def pull(*everything):
                *settings, saved, (dy, order) = everything
                return backward(*settings, saved, dy, order)

            rule.defvjp(forward, pull)
            return plain

        plain.call, plain.gradient = call, gradient
        return plain

    return decorate


def _nothing(x, y, *settings):
    return None


@_ordered(1)
def all_reduce(x: Any, order: Any, op: str, place: "Place"):
    """Reduction over the members: "sum", "max", "min", "prod", or for integers "band", "bor", "bxor"."""
    return (x, order) if place.size == 1 else launch.across(kernels.all_reduce, place, (x,), (op,), order)


def _all_reduce_backward(op, place, saved, dy, order):
    if op == "sum":
        return all_reduce.call(dy, "sum", place=place, order=order)
    x, y = saved
    total, order = all_reduce.call(dy * y if op == "prod" else dy, "sum", place=place, order=order)
    return (total / x if op == "prod" else total * (x == y).astype(dy.dtype)), order


all_reduce.gradient(lambda x, y, op, place: None if op == "sum" else (x, y), _all_reduce_backward)


@_ordered(0)
def all_gather(x: Any, order: Any, place: "Place"):
    """The arrays of all members, joined along the first axis."""
    if place.size == 1:
        return x, order
    out, order = launch.across(kernels.all_gather, place, (x,), (), order)
    return (out.reshape((-1, *x.shape[1:])) if x.ndim else out), order


def _all_gather_backward(place, template, dy, order):
    dx, order = reduce_scatter.call(dy, "sum", place=place, order=order)
    return dx.reshape(template.shape), order


all_gather.gradient(lambda x, y, place: jnp.zeros_like(x), _all_gather_backward)


@_ordered(1)
def reduce_scatter(x: Any, order: Any, op: str, place: "Place"):
    """The member's n-th of the first axis of the reduction."""
    if place.size == 1:
        return x, order
    if x.ndim == 0 or x.shape[0] % place.size:
        raise ValueError(
            f"For 'ReduceScatter', the first dimension of the input must be divisible by the size of the group, {place.size}, "
            f"but got the shape {tuple(x.shape)}."
        )
    return launch.across(kernels.reduce_scatter, place, (x,), (op,), order)


def _reduce_scatter_backward(op, place, saved, dy, order):
    if op != "sum" and place.size > 1:
        raise RuntimeError("The reducescatter bprop only support ReduceOp.SUM until now.")
    return all_gather.call(dy, place=place, order=order)


reduce_scatter.gradient(_nothing, _reduce_scatter_backward)


@_ordered(1)
def broadcast(x: Any, order: Any, root: int, place: "Place"):
    """The array of the member `root`. Its gradient is, as MindSpore's, that of the member's own output."""
    return (x, order) if place.size == 1 else launch.across(kernels.broadcast, place, (x,), (root,), order)


broadcast.gradient(_nothing, lambda root, place, saved, dy, order: (dy, order))


@_ordered(2)
def all_to_all(x: Any, order: Any, split_axis: int, concat_axis: int, place: "Place"):
    """Exchange of the pieces along one axis, joined along another."""
    if place.size == 1:
        return x, order
    return launch.across(kernels.all_to_all, place, (x,), (split_axis, concat_axis), order)


all_to_all.gradient(
    _nothing,
    lambda split, concat, place, saved, dy, order: all_to_all.call(dy, concat, split, place=place, order=order),
)


@_ordered(2)
def reduce(x: Any, order: Any, op: str, root: int, place: "Place"):
    """The reduction, for the member `root`; a zero of shape (1,) for the others."""
    whole, order = all_reduce.call(x, op, place=place, order=order)
    if place.inside:  # one program for all members: one shape
        return jnp.where(member(place) == root, whole, jnp.zeros_like(whole)), order
    return (whole if member(place) == root else jnp.zeros((1,), x.dtype)), order


def _reduce_backward(op, root, place, template, dy, order):
    given = dy if place.inside or member(place) == root else template
    return broadcast.call(given, root, place=place, order=order)


reduce.gradient(lambda x, y, op, root, place: jnp.zeros_like(x), _reduce_backward)


@_ordered(1)
def gather(x: Any, order: Any, root: int, place: "Place"):
    """The arrays of all, joined along the first axis, for the member `root`; a zero of shape (1,) for the others."""
    whole, order = all_gather.call(x, place=place, order=order)
    return (whole if member(place) == root else jnp.zeros((1,), x.dtype)), order


def _gather_backward(root, place, template, dy, order):
    given = dy if member(place) == root else jnp.zeros((template.shape[0] * place.size, *template.shape[1:]), dy.dtype)
    whole, order = broadcast.call(given, root, place=place, order=order)
    return own(whole, place), order


gather.gradient(lambda x, y, root, place: jnp.zeros_like(x), _gather_backward)


@_ordered(1)
def scatter(x: Any, order: Any, root: int, place: "Place"):
    """The member's n-th of the first axis of the array of the member `root`."""
    whole, order = broadcast.call(x, root, place=place, order=order)
    return own(whole, place), order


def _scatter_backward(root, place, saved, dy, order):
    whole, order = all_gather.call(dy, place=place, order=order)
    return (whole if member(place) == root else jnp.zeros_like(whole)), order


scatter.gradient(_nothing, _scatter_backward)


@_ordered(1)
def all_gather_pieces(x: Any, order: Any, sizes: Sequence[int], place: "Place"):
    """The one-dimensional arrays of all members, of `sizes` elements."""
    return (x, order) if place.size == 1 else launch.across(kernels.all_gather_pieces, place, (x,), (sizes,), order)


all_gather_pieces.gradient(
    _nothing,
    lambda sizes, place, saved, dy, order: reduce_scatter_pieces.call(dy, sizes, "sum", place=place, order=order),
)


@_ordered(2)
def reduce_scatter_pieces(x: Any, order: Any, sizes: Sequence[int], op: str, place: "Place"):
    """The member's part, of `sizes[member]` elements, of the reduction of one-dimensional arrays."""
    if place.size == 1:
        return x, order
    return launch.across(kernels.reduce_scatter_pieces, place, (x,), (sizes, op, member(place)), order)


def _pieces_backward(sizes, op, place, saved, dy, order):
    if op != "sum" and place.size > 1:
        raise RuntimeError("The reducescatterv bprop only support ReduceOp.SUM until now.")
    return all_gather_pieces.call(dy, sizes, place=place, order=order)


reduce_scatter_pieces.gradient(_nothing, _pieces_backward)


@_ordered(1)
def exchange(sent: Any, order: Any, plan: Any, place: "Place"):
    """Messages between pairs: see `kernels.exchange`. sent: tuple of arrays; returned: tuple of those that come in."""
    me = member(place)
    if all(source == target == me for source, target, _, _ in plan):
        return tuple(sent), order
    (_, *came), order = launch.across(kernels.exchange, place, (jnp.zeros((), jnp.float32), *sent), (plan, me), order)
    return tuple(came), order


def _exchange_backward(plan, place, saved, dys, order):
    back = tuple((target, source, *what) for source, target, *what in plan)
    return exchange.call(tuple(dys), back, place=place, order=order)


exchange.gradient(_nothing, _exchange_backward)


def member(place: "Place"):
    """Number of this process in the group; within a bound axis a traced one."""
    return place.index() if place.inside else place.ranks.index(world().rank)


def own(x: Any, place: "Place"):
    """The member's n-th of the first axis."""
    if place.size == 1:
        return x
    if x.shape[0] % place.size:
        raise ValueError(
            f"the first dimension must be divisible by the size of the group, {place.size}, but got the shape {tuple(x.shape)}."
        )
    if place.inside:
        return kernels.own_part(place, x)
    length = x.shape[0] // place.size
    start = member(place) * length
    return jax.lax.slice_in_dim(x, start, start + length)
