"""Gradients in all of MindSpore's forms, from one function over frames and tapes.

Inside a trace a gradient is `jax.vjp` over frames; in eager code it is the tape (`tape.py`), where every value is concrete.
What is differentiated, and how the result is packed, is the same for both and stands here once.
"""

import contextlib
import functools
import itertools
import weakref

import jax
import jax.numpy as jnp
import numpy as np

from ..operators.dispatch import MsDispatchMode
from ..trace import control_flow
from ..trace import invalidation as versions
from ..trace.frame import Frame, Rollback, commit, current, recorder
from ..values.tensor import Tensor, to_array, wrap
from . import overflow
from .integers import is_inexact, vjp
from .tape import Tape, _tokens, backward


def is_tensor(value):
    """Whether a pytree leaf is a Tensor (Parameters too)."""
    return isinstance(value, Tensor)


def tensor_leaves(tree):
    """All Tensors of a nested structure, in order."""
    return [v for v in jax.tree_util.tree_leaves(tree, is_leaf=is_tensor) if is_tensor(v)]


def map_tensors(fn, tree):
    """The structure with `fn` applied to its Tensors."""
    return jax.tree_util.tree_map(lambda v: fn(v) if is_tensor(v) else v, tree, is_leaf=is_tensor)


def described(tree):
    """The structure with Tensors that have a shape and dtype only: traced values end with their trace."""
    return map_tensors(lambda b: wrap(jax.ShapeDtypeStruct(b._data.shape, b._data.dtype)), tree)


class Derivative:
    """Result of `differentiate`: the function's value, and gradients on demand.

    value: what the function returned. inputs: gradients of the inputs, nested as the inputs are; weights: list of Tensors.
    """

    __slots__ = ("value", "inputs", "weights")

    def __init__(self, value, inputs, weights):
        self.value, self.inputs, self.weights = value, inputs, weights


def differentiate(fn, args, kwargs, positions, weights, sens=None, has_aux=False):
    """Run `fn(*args, **kwargs)` and pull cotangents back to the arguments at `positions` and to `weights` (Parameters).

    sens: structure of cotangents like the differentiated output, or a function that makes one from it; None means ones.
    """
    run = _traced if current() is not None else _eager
    found = run(fn, args, kwargs, positions, weights, sens, has_aux)
    overflow.note([b._data for b in tensor_leaves((found.inputs, found.weights)) if is_inexact(b._data)])
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


def _check_differentiable(args, positions):
    for position in positions:
        if position >= len(args):
            raise RuntimeError(
                f"Position index {position} is exceed input size: the differentiated function was called with {len(args)} inputs."
            )


# --- inside a trace
def _traced(fn, args, kwargs, positions, weights, sens, has_aux):
    _check_differentiable(args, positions)
    outer = current()
    given = [args[p] for p in positions]
    boxes = tensor_leaves(given)
    inputs = [b._data for b in boxes]
    note = {}
    again = None if kwargs else outer.replay(fn, [b._data for b in tensor_leaves(args)])

    def inner(*arrays):
        frame = Frame(outer)
        with frame:
            for box, array in again or ():
                frame.given(box, array)
            for box, array in zip(weights, arrays):
                frame.given(box, array)
            leaves = iter([wrap(a, frame) for a in arrays[len(weights) :]])
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
        return outs, (rest, arrays)

    outs, differentiable, pull, (rest, arrays) = vjp(inner, [*[w._data for w in weights], *inputs])
    if again is None:
        commit(note["written"], arrays)
    if callable(sens):
        sens = sens(_primary(note["value"], has_aux))
    grads = [wrap(g, outer) for g in pull(_output_cotangents(differentiable, outs, sens))]
    values = iter([wrap(a, outer) for a in rest])
    value = map_tensors(lambda _: next(values), note["value"])
    packed = iter(grads[len(weights) :])
    return Derivative(value, map_tensors(lambda _: next(packed), given), _hooked(weights, grads[: len(weights)]))


def _output_cotangents(differentiable, outs, sens):
    """Cotangents of the differentiable outputs: ones, or the given ones converted to the outputs' types."""
    count, outs = len(outs), [o for o, use in zip(outs, differentiable) if use]
    if sens is None:
        return [jnp.ones(o.shape, o.dtype) for o in outs]
    given = [b._data for b in tensor_leaves(jax.tree_util.tree_map(_as_tensor, sens, is_leaf=is_tensor))]
    if len(given) == count:
        given = [g for g, use in zip(given, differentiable) if use]
    if len(given) != len(outs):
        raise ValueError(
            f"For 'grad', 'sens' must have one Tensor for each of the {len(outs)} outputs, but got {len(given)}."
        )
    for g, o in zip(given, outs):
        if g.shape != o.shape and g.size != 1:
            raise ValueError(
                f"For 'grad', the shape of 'sens' must be that of the output, {tuple(o.shape)}, but got {tuple(g.shape)}."
            )
    return [
        jnp.broadcast_to(g.reshape(o.shape) if g.size == o.size else g.reshape(()), o.shape).astype(o.dtype)
        for g, o in zip(given, outs)
    ]


def _as_tensor(value):
    return value if is_tensor(value) else Tensor(value)


# --- in eager code
def _eager(fn, args, kwargs, positions, weights, sens, has_aux):
    _check_differentiable(args, positions)
    outside = recorder.get()
    tape = Tape(outside)
    given = [args[p] for p in positions]
    fresh = map_tensors(lambda b: _leaf(tape, b, outside), given)
    tokens = iter([wrap(b._data, b._var) for b in tensor_leaves(fresh)])
    call = list(args)
    for position, value in zip(positions, fresh):
        call[position] = value
    before = [(w, w._var) for w in weights]
    links = [_leaf(tape, w, outside) for w in weights]
    try:
        for w, link in zip(weights, links):
            w._var = link._var
        with Rollback(), tape:
            value = fn(*call, **kwargs)
            primary = tensor_leaves(_primary(value, has_aux))
    finally:
        for (w, var), link in zip(before, links):
            if w._var == link._var:  # not re-bound inside
                w._var = var
    differentiable = [is_inexact(b._data) or b._var in tape.tracked for b in primary]
    outs = [b for b, use in zip(primary, differentiable) if use]
    if callable(sens):
        sens = sens(_primary(value, has_aux))
    cotangents = _eager_cotangents(primary, differentiable, sens)
    found = backward(tape, outs, cotangents)

    def gradient(leaf):
        grad = found.get(leaf._var)
        return _zeros_like(leaf) if grad is None else grad

    # a leaf that was re-bound inside (x[0] = 1) has another token by now: remember the first ones
    return Derivative(
        value,
        map_tensors(lambda b: gradient(next(tokens)), given),
        _hooked(weights, [gradient(link) for link in links]),
    )


def _leaf(tape, box, outside):
    """A Tensor of the same value that the tape watches; tapes outside are told that it stands for `box`."""
    leaf = wrap(box._data)
    token = tape.watch(leaf)
    if box._var is not None and outside is not None:
        for outer in outside.chain():
            if box._var in outer.tracked:
                outer.nodes.append(_Link(box._var, token))
                outer.tracked.add(token)
    return leaf


class _Link:
    """A node that passes the cotangent of a token on to the token that it stands for."""

    __slots__ = ("tokens", "outputs")

    def __init__(self, source, token):
        self.tokens, self.outputs = (source,), [token]

    def pull(self, cotangents):
        return [(self.tokens[0], cotangents[0])]


@functools.cache
def _ones():
    return jax.jit(lambda x: jnp.ones(x.shape, x.dtype))


@functools.cache
def _zeros():
    return jax.jit(lambda x: jnp.zeros(x.shape, x.dtype))


def _zeros_like(box):
    return wrap(_zeros()(box._data))


def _eager_cotangents(primary, differentiable, sens):
    if sens is None:
        return [wrap(_ones()(b._data)) for b, use in zip(primary, differentiable) if use]
    arrays = _output_cotangents(differentiable, [b._data for b in primary], sens)
    given = tensor_leaves(jax.tree_util.tree_map(_as_tensor, sens, is_leaf=is_tensor))
    if len(given) == len(arrays) and all(
        g._data.shape == a.shape and g._data.dtype == a.dtype for g, a in zip(given, arrays)
    ):
        return given  # keeps the tokens: gradients with respect to sens
    return [wrap(a) for a in arrays]


# --- hooks on Tensors
class HookHandle:
    """Handle of a hook: `remove()` takes it away."""

    _numbers = itertools.count()
    _known = weakref.WeakValueDictionary()  # id -> handle, for Tensor.remove_hook

    def __init__(self, hooks=None):
        self._hooks = hooks
        self.id = next(HookHandle._numbers)
        HookHandle._known[self.id] = self

    def remove(self):
        """Take the hook away; a second time does nothing."""
        if self._hooks is not None:
            self._hooks.pop(id(self), None)
            versions.touch()
        self._hooks = None


def register_hook(box, hook=None, *, hook_fn=None):
    """Call `hook(gradient)` with the gradient of a Tensor in the backward; what it returns, if not None, replaces the gradient.

    The hook of a Parameter stays until its handle is removed; that of another Tensor lives as long as the Tensor. Until MindSpore 2.4
    the argument was called `hook_fn`.
    """
    hook_fn = hook if hook_fn is None else hook_fn
    if not callable(hook_fn):
        raise TypeError(f"For 'register_hook', the 'hook' must be a function, but got {type(hook_fn).__name__}.")
    hooks = box.__dict__.setdefault("_grad_hooks", {})
    handle = HookHandle(hooks)
    hooks[id(handle)] = (hook_fn, handle)
    if box._through_frames:
        versions.touch()
        return handle

    def pull(_, out, grad):
        return [_through_hooks(hooks, grad)]

    out = call_with_gradient(lambda b: wrap(b._data, b._var), pull, [box])
    box._assign(out._data, out._var)
    return handle


def _through_hooks(hooks, grad):
    for hook_fn, _ in list(hooks.values()):
        changed = hook_fn(grad)
        grad = grad if changed is None else changed
    return grad


def _hooked(weights, grads):
    return [
        _through_hooks(w.__dict__["_grad_hooks"], g) if "_grad_hooks" in w.__dict__ else g
        for w, g in zip(weights, grads)
    ]


def hooks_of(box):
    """The functions that `register_hook` has attached to a Tensor, in order."""
    return [hook_fn for hook_fn, _ in box.__dict__.get("_grad_hooks", {}).values()]


def remove_hook(handle_id):
    """Take away the hook whose handle has this `id`; an unknown one does nothing."""
    handle = HookHandle._known.get(handle_id)
    if handle is not None:
        handle.remove()


Tensor.register_hook, Tensor.hooks, Tensor.remove_hook = register_hook, hooks_of, staticmethod(remove_hook)


# --- functions with a gradient of their own (Cell.bprop, hooks)
def call_with_gradient(forward, pull, tensors, kept=None):
    """Run `forward(*tensors)` so that its gradient is `pull(tensors, out, cotangents)`.

    tensors: flat list of Tensors. forward returns a nested structure of Tensors. pull gets the inputs, the output and a structure of
    cotangents like the output, and returns one cotangent (Tensor or None) for each input. Works in traces and on tapes.
    kept: a dict into which `forward` puts Tensors that `pull` needs.
    """
    outer = recorder.get()
    if outer is None:
        return forward(*tensors)
    if not outer.is_frame:
        return _eager_with_gradient(outer, forward, pull, tensors)
    shape = {}

    def run(*arrays):
        frame = Frame(outer)
        with frame:
            out = forward(*[wrap(a, frame) for a in arrays])
            leaves = [b._data for b in tensor_leaves(out)]
            state = [b._data for b in tensor_leaves(kept)]
        written, values = frame.outputs()
        shape.update(out=out, written=written)
        return leaves, values, state

    @jax.custom_vjp
    def apply(*arrays):
        return run(*arrays)[:2]

    def apply_forward(*arrays):
        leaves, values, state = run(*arrays)
        return (leaves, values), (arrays, leaves, state)

    def apply_backward(saved, cotangents):
        arrays, leaves, state = saved
        frame = Frame(outer)
        with frame:
            if kept:
                values = iter(state)
                kept.update(map_tensors(lambda _: wrap(next(values), frame), kept))
            boxes = [wrap(a, frame) for a in arrays]
            outs, cts = iter(leaves), iter(cotangents[0])
            out = map_tensors(lambda _: wrap(next(outs), frame), shape["out"])

            # cotangents of integer outputs are float0 arrays: user code gets zeros
            def cotangent(box):
                ct = next(cts)
                return wrap(jnp.zeros(ct.shape, jnp.float32) if ct.dtype == jax.dtypes.float0 else ct, frame)

            grads = pull(boxes, out, map_tensors(cotangent, shape["out"]))
        if (
            frame.written and current() is not None
        ):  # Parameters that the user's backward wrote: in the frame that takes the gradient
            commit(*frame.outputs())
        return tuple(_cotangent_for(a, g) for a, g in zip(arrays, grads))

    apply.defvjp(apply_forward, apply_backward)
    leaves, values = apply(*[t._data for t in tensors])
    commit(shape["written"], values)
    outs = iter(leaves)
    return map_tensors(lambda _: wrap(next(outs), outer), shape["out"])


def _cotangent_for(array, grad):
    if not is_inexact(array):
        return np.zeros(array.shape, jax.dtypes.float0)
    if grad is None:
        return jnp.zeros(array.shape, array.dtype)
    return jnp.broadcast_to(grad._data if is_tensor(grad) else jnp.asarray(grad), array.shape).astype(array.dtype)


class _CustomNode:
    """A call whose gradient the user wrote."""

    __slots__ = ("tokens", "outputs", "inputs", "out", "user_pull")

    def __init__(self, inputs, out, user_pull):
        self.inputs, self.out, self.user_pull = inputs, out, user_pull
        self.tokens = tuple(b._var for b in inputs)

    def set_outputs(self, result):
        self.outputs = []
        for box in tensor_leaves(result):
            box._var = next(_tokens)
            self.outputs.append(box._var)
        self.out = result

    def pull(self, cotangents):
        given = iter(cotangents)

        def cotangent(box):
            ct = next(given)
            return ct if ct is not None else _zeros_like(box)

        grads = self.user_pull(self.inputs, self.out, map_tensors(cotangent, self.out))
        return [(b._var, g) for b, g in zip(self.inputs, grads) if g is not None and b._var is not None]


def _eager_with_gradient(tape, forward, pull, tensors):
    tapes = [t for t in tape.chain() if any(b._var in t.tracked for b in tensors)]
    inputs = [wrap(b._data, b._var) for b in tensors]  # as they are now: `forward` may change them in place
    token = recorder.set(None)  # the operators inside are not noted: the user's gradient replaces theirs
    try:
        out = forward(*tensors)
    finally:
        recorder.reset(token)
    out = map_tensors(lambda b: wrap(b._data), out)
    if not tapes:
        return out
    node = _CustomNode(inputs, out, pull)
    node.set_outputs(out)
    for t in tapes:
        t.nodes.append(node)
        t.tracked.update(node.outputs)
    return out


class _Detached(MsDispatchMode):
    """Inside a trace: what an operator gives is a constant for gradients."""

    def __ms_dispatch__(self, func, args, kwargs=None):
        given = {id(a) for a in args}
        return map_tensors(lambda box: box if id(box) in given else wrap(jax.lax.stop_gradient(box._data)), func(*args))


class no_gradient(contextlib.ContextDecorator):
    """`with no_gradient():` what operators inside give is a constant for gradients, eagerly and compiled. A decorator, too."""

    def __init__(self):
        self.ends = []  # one for each time it is entered: a decorated function may call itself

    def __enter__(self):
        active = recorder.get()
        if active is not None and active.is_frame:
            mode = _Detached().__enter__()
            self.ends.append(mode.__exit__)
        else:
            token = recorder.set(None)
            self.ends.append(lambda *error: recorder.reset(token))

    def __exit__(self, *error):
        self.ends.pop()(*error)
        return False


def as_tensors(args):
    """Arguments of a differentiated call: arrays become Tensors, numbers stay."""
    return [wrap(to_array(a)) if isinstance(a, (np.ndarray, jax.Array)) else a for a in args]


def fill_like(factor):
    """For `sens`: a cotangent that is `factor` (number or Tensor of one element) in every element."""

    def fill(value):
        def one(box):
            number = factor._data.reshape(()) if is_tensor(factor) else factor
            return wrap(jnp.broadcast_to(jnp.asarray(number, box._data.dtype), box.shape))

        return map_tensors(one, value)

    return fill


__all__ = [
    "Derivative",
    "as_tensors",
    "call_with_gradient",
    "differentiate",
    "fill_like",
    "is_tensor",
    "map_tensors",
    "no_gradient",
    "tensor_leaves",
]
