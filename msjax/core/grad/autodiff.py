"""Gradients in all of MindSpore's forms, from one function over frames and tapes.

Inside a trace a gradient is `jax.vjp` over frames; in eager code it is the tape (`tape.py`), where every value is concrete.
What is differentiated, and how the result is packed, is the same for both and stands here once.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ..host import Wide, wide
from ..operators import views
from ..settings import context
from ..settings.execution_state import here
from ..trace import control_flow
from ..trace.call_structure import Mutable
from ..trace.frame import Frame, Rollback, commit, current
from ..trace.numbers import TracedNumber, number
from ..trace.replay import Inside
from ..values import dtype as mstype
from ..values.promote import cast
from ..values.tensor import wrap
from ..values.tensor_trees import described, is_tensor, map_tensors, tensor_leaves
from . import overflow
from .cotangents import check_nested, eager_cotangents, output_cotangents, zeros_like
from .hooks import hooked, through_hooks
from .integers import vjp
from .reals import is_inexact
from .tape import Tape, backward

if TYPE_CHECKING:
    from ..values.tensor import Tensor


class Derivative:
    """Result of `differentiate`: the function's value, and gradients on demand.

    value: what the function returned. inputs: gradients of the inputs, nested as the inputs are; weights: list of Tensors.
    used: places of the weights that the result depends on, in the order of their first use; None where a trace does not tell.
    """

    __slots__ = ("value", "inputs", "weights", "used")

    def __init__(self, value: Any, inputs: Sequence, weights: list, used: list | None = None):
        self.value, self.inputs, self.weights, self.used = value, inputs, weights, used


@wide
def differentiate(
    fn: Callable,
    args: Sequence,
    kwargs: dict,
    positions: tuple,
    weights: list,
    sens: "Tensor | None" = None,
    has_aux: bool = False,
):
    """Run `fn(*args, **kwargs)` and pull cotangents back to the arguments at `positions` and to `weights` (Parameters).

    positions: the keywords count as well, after the other arguments and in the order in which they were given.
    sens: structure of cotangents like the differentiated output, or a function that makes one from it; None means ones.
    """
    run = _traced if current() is not None else _eager
    if kwargs and any(p >= len(args) for p in positions):
        fn, args, kwargs = _by_position(fn, args, kwargs)
    _check_differentiable(args, positions)
    sparse = {p: args[p] for p in positions if hasattr(args[p], "_tensor_parts")}
    if sparse:
        found = _by_values(run, sparse, fn, args, kwargs, positions, weights, sens, has_aux)
    else:
        found = run(fn, args, kwargs, positions, weights, sens, has_aux)
    overflow.note([b._data for b in tensor_leaves((found.inputs, found.weights)) if is_inexact(b._data)])
    return found


def _by_position(fn, args, kwargs):
    """(function, arguments, no keywords): the same call with the keywords as further arguments."""
    count, names = len(args), tuple(kwargs)

    def called(*values):
        return control_flow.resolve(fn)(*values[:count], **dict(zip(names, values[count:])))

    return called, (*args, *kwargs.values()), {}


def _by_values(run, sparse, fn, args, kwargs, positions, *rest):
    """`run` with sparse Tensors among the differentiated arguments: their values are differentiated. A trace gives sparse gradients."""

    def over_values(*args, **kwargs):
        args = list(args)
        for position, given in sparse.items():
            args[position] = given._with(args[position])
        return control_flow.resolve(fn)(*args, **kwargs)

    dense = [a.values if i in sparse else a for i, a in enumerate(args)]
    found = run(over_values, dense, kwargs, positions, *rest)
    if current() is not None:
        found.inputs = [sparse[p]._with(g) if p in sparse else g for p, g in zip(positions, found.inputs)]
    return found


def _primary(value, has_aux):
    """The part of a function's value that is differentiated."""
    if has_aux:
        if not isinstance(value, tuple) or len(value) < 2:
            raise ValueError(
                "For 'has_aux=True', the function must return a tuple of at least two values, the first of which is "
                f"differentiated, but it returned {type(value).__name__}."
            )
        return value[0]
    return value


def _gradients(of, inputs):
    """Gradients nested as the inputs are: `of` each Tensor; a number that `mutable` made has none in eager code: 0, as in MindSpore."""
    found = map_tensors(of, inputs)
    return jax.tree_util.tree_map(lambda v: type(v.value)(0) if isinstance(v, Mutable) else v, found, is_leaf=is_tensor)


def _check_differentiable(args, positions):
    for position in positions:
        if position >= len(args):
            kind = IndexError if context.is_graph_mode() else RuntimeError
            raise kind(
                f"Position index {position} is exceed input size: the differentiated function was called with {len(args)} inputs."
            )


# --- inside a trace
def _traced(fn, args, kwargs, positions, weights, sens, has_aux):
    outer = current()
    given = [args[p] for p in positions]
    boxes = tensor_leaves(given)
    inputs, numbers = [b._data for b in boxes], [type(b) is TracedNumber for b in boxes]
    note = {}
    called = [b._data for b in tensor_leaves(args)]
    again = None if kwargs else outer.replay(fn, called)

    def inner(*arrays):
        frame = Frame(outer)
        frame.differentiated = True
        note["effects"] = effects = Inside()
        with frame, effects:
            for box, array in again or ():
                frame.given(box, array)
            for box, array in zip(weights, arrays):
                frame.given(box, array)
            leaves = iter([number(a) if n else wrap(a, frame) for n, a in zip(numbers, arrays[len(weights) :])])
            fresh = map_tensors(lambda _: next(leaves), given)
            call = list(args)
            for position, value in zip(positions, fresh):
                call[position] = value
            value = control_flow.resolve(fn)(*call, **kwargs)
            outs = [b._data for b in tensor_leaves(_primary(value, has_aux))]
            rest = [b._data for b in tensor_leaves(value)]
        # the differentiated inputs themselves may have been re-bound inside: their writes end here
        written, arrays = frame.outputs()
        note.update(value=described(value), written=written)
        return outs, (rest, arrays, effects.arrays)

    outs, differentiable, pull, (rest, arrays, changes) = vjp(inner, [*[w._data for w in weights], *inputs], weights)
    if again is None:
        commit(note["written"], arrays)
        note["effects"].redo(changes)
    else:
        outer.replayed(fn, called, rest)
    if callable(sens):
        sens = sens(_primary(note["value"], has_aux))
    elif sens is not None:
        check_nested(_primary(note["value"], has_aux), sens)
    grads = [wrap(g, outer) for g in pull(output_cotangents(differentiable, outs, sens, compiled=True))]
    values = iter([wrap(a, outer) for a in rest])
    value = map_tensors(lambda _: next(values), note["value"])
    packed = [
        wrap(cast(g._data, np.dtype(np.float32)), outer) if n and g.dtype == mstype.float64 else g
        for n, g in zip(numbers, grads[len(weights) :])
    ]
    packed = iter(hooked(boxes, packed))
    return Derivative(value, _gradients(lambda _: next(packed), given), hooked(weights, grads[: len(weights)]))


# --- in eager code
def _eager(fn, args, kwargs, positions, weights, sens, has_aux):
    if views.copies():  # in compiled code that runs eagerly each differentiated input is a variable of its own, as in a trace, and writes to it end here
        args = [map_tensors(_apart, a) if i in positions else a for i, a in enumerate(args)]
    return run_forward(fn, args, kwargs, positions, weights, has_aux)[1](sens)


def _apart(box):
    """Another Tensor of the same content and with the same hooks."""
    if box._through_frames:  # a Parameter: `run_forward` does so itself
        return box
    made = wrap(box._data, box._var)
    if "_grad_hooks" in box.__dict__:
        made.__dict__["_grad_hooks"] = box.__dict__["_grad_hooks"]
    return made


class Contents:
    """What Tensors hold at one time, but Parameters."""

    __slots__ = ("held",)

    def __init__(self, tensors: Any):
        self.held = {id(b): (b, b._data, b._var) for b in tensor_leaves(tensors) if not b._through_frames}

    def of_written(self):
        """Keep those alone that were written since."""
        self.held = {key: held for key, held in self.held.items() if held[0]._data is not held[1]}
        return self

    def as_they_were(self, value: Any):
        """`value` with other Tensors, of the content of that time, in their places."""
        return map_tensors(lambda b: wrap(*self.held[id(b)][1:]) if id(b) in self.held else b, value)


@wide
def run_forward(fn: Callable, args: Sequence, kwargs: dict, positions: tuple, weights: list, has_aux: bool):
    """(value of `fn` in eager code, function that pulls cotangents back: sens -> Derivative)"""
    outside = here().recorder
    tape = Tape(outside)
    given = [args[p] for p in positions]
    leaves = {}  # id -> (an input, its token before): a Tensor is the same variable wherever the function meets it
    fresh = map_tensors(lambda b: _input_leaf(tape, b, outside, leaves), given)
    first = [wrap(b._data, b._var) for b in tensor_leaves(fresh)]
    starts = {key: box._var for key, (box, _) in leaves.items()}
    call = list(args)
    for position, value in zip(positions, fresh):
        call[position] = value
    before = [(w, w._var) for w in weights]
    links = {id(w): _leaf(tape, w, outside, described(w)) for w in weights}
    try:
        for w in weights:
            w._start_following(links[id(w)]._var, _wanted(w))
        with Rollback(), tape:
            put_back = fn._undo_forward(args) if outside is None and hasattr(fn, "_undo_forward") else None
            value = fn(*call, **kwargs)
            if put_back is not None:
                put_back()
            # known by their present tokens: a Parameter that is returned, and what is changed before `pull` is called
            primary = [wrap(b._data, b._var) for b in tensor_leaves(_primary(value, has_aux))]
    finally:
        for (w, var), link in zip(before, links.values()):
            w._stop_following(link._var, var)
        for key, (box, var) in leaves.items():
            if box._var == starts[key]:
                box._var = var
    differentiable = [is_inexact(b._data) or b._var in tape.tracked for b in primary]
    outs = [b for b, use in zip(primary, differentiable) if use]

    def pull(sens):
        with Wide():  # a decorator would be applied in each gradient, which costs more than it does
            if callable(sens):
                sens = sens(_primary(value, has_aux))
            cotangents = eager_cotangents(primary, differentiable, sens)
            places = {links[id(w)]._var: i for i, w in enumerate(weights)}
            met = dict.fromkeys(t for node in tape.nodes for t in node.tokens if t in places)
            found = backward(tape, outs, cotangents, through_hooks)

            def gradient(leaf):
                grad = found.get(leaf._var)
                return zeros_like(leaf) if grad is None else grad

            tokens = iter(first)  # a leaf that was re-bound inside (x[0] = 1) has another token by now
            return Derivative(
                value,
                _gradients(lambda b: gradient(next(tokens)), given),
                hooked(weights, [gradient(links[id(w)]) if _wanted(w) else zeros_like(w) for w in weights]),
                [
                    places[t] for t in (*met, *(t for t in places if t not in met)) if t in found
                ],  # last those returned as they are
            )

    return value, pull


def _wanted(weight):
    """In PYNATIVE_MODE a Parameter without requires_grad, before or after the forward, has no gradient, also if it is asked for."""
    return weight.requires_grad or context.is_graph_mode()


def _input_leaf(tape, box, outside, leaves):
    """The input that the function gets: the Tensor itself, as a variable of the tape; for a Parameter a Tensor of the
    same value.
    """
    if box._through_frames:
        return _leaf(tape, box, outside)
    if id(box) not in leaves:
        leaves[id(box)] = box, box._var
        _link(outside, box._var, tape.watch(box))
        if "_grad_hooks" in box.__dict__:
            tape.hooks[box._var] = box.__dict__["_grad_hooks"]
    return box


def _leaf(tape, box, outside, leaf=None):
    """A Tensor with the content of `box` that this tape watches (`leaf`, or a new one); outer tapes treat it as `box`."""
    leaf = wrap(box._data) if leaf is None else leaf
    _link(outside, box._var, tape.watch(leaf))
    return leaf


def _link(outside, source, token):
    """Tell the tapes outside that a token stands for another one that they follow."""
    if source is not None and outside is not None:
        for outer in outside.chain():
            if source in outer.tracked:
                outer.nodes.append(_Link(source, token))
                outer.tracked.add(token)


class _Link:
    """A node that passes the cotangent of a token on to the token that it stands for."""

    __slots__ = ("tokens", "outputs")
    arrays = ()

    def __init__(self, source, token):
        self.tokens, self.outputs = (source,), [token]

    def pull(self, cotangents):
        return [(self.tokens[0], cotangents[0])]
