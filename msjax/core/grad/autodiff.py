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

from ..compat import hoisted, jaxpr_as_fun
from ..operators.dispatch import MsDispatchMode
from ..settings import context
from ..settings.execution_state import here, within
from ..trace import control_flow
from ..trace import invalidation as versions
from ..trace.frame import Frame, Rollback, commit, current
from ..trace.replay import Inside
from ..values.tensor import Tensor, to_array, wrap
from . import overflow
from .integers import as_integer, as_real, is_inexact, is_integral, vjp
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
    _check_differentiable(args, positions)
    sparse = {p: args[p] for p in positions if hasattr(args[p], "_tensor_parts")}
    if sparse:
        found = _by_values(run, sparse, fn, args, kwargs, positions, weights, sens, has_aux)
    else:
        found = run(fn, args, kwargs, positions, weights, sens, has_aux)
    overflow.note([b._data for b in tensor_leaves((found.inputs, found.weights)) if is_inexact(b._data)])
    return found


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
    inputs = [b._data for b in boxes]
    note = {}
    again = None if kwargs else outer.replay(fn, [b._data for b in tensor_leaves(args)])

    def inner(*arrays):
        frame = Frame(outer)
        frame.differentiated = True
        note["effects"] = effects = Inside()
        with frame, effects:
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
        return outs, (rest, arrays, effects.arrays)

    outs, differentiable, pull, (rest, arrays, changes) = vjp(inner, [*[w._data for w in weights], *inputs])
    if again is None:
        commit(note["written"], arrays)
        note["effects"].redo(changes)
    if callable(sens):
        sens = sens(_primary(note["value"], has_aux))
    grads = [wrap(g, outer) for g in pull(_output_cotangents(differentiable, outs, sens))]
    values = iter([wrap(a, outer) for a in rest])
    value = map_tensors(lambda _: next(values), note["value"])
    packed = iter(_hooked(boxes, grads[len(weights) :]))
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
    return run_forward(fn, args, kwargs, positions, weights, has_aux)[1](sens)


def run_forward(fn, args, kwargs, positions, weights, has_aux):
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
    # in PYNATIVE_MODE a Parameter without requires_grad has no gradient, also if it is asked for
    followed = [w for w in weights if w.requires_grad or context.is_graph_mode()]
    before = [(w, w._var) for w in followed]
    links = {id(w): _leaf(tape, w, outside) for w in followed}
    try:
        for w in followed:
            w._var = links[id(w)]._var
        with Rollback(), tape:
            if outside is None and hasattr(fn, "_undo_forward"):
                fn._undo_forward(args)
            value = fn(*call, **kwargs)
            # known by their present tokens: a Parameter that is returned, and what is changed before `pull` is called
            primary = [wrap(b._data, b._var) for b in tensor_leaves(_primary(value, has_aux))]
    finally:
        for (w, var), link in zip(before, links.values()):
            if w._var == link._var:  # not re-bound inside
                w._var = var
        for key, (box, var) in leaves.items():
            if box._var == starts[key]:
                box._var = var
    differentiable = [is_inexact(b._data) or b._var in tape.tracked for b in primary]
    outs = [b for b, use in zip(primary, differentiable) if use]

    def pull(sens):
        if callable(sens):
            sens = sens(_primary(value, has_aux))
        cotangents = _eager_cotangents(primary, differentiable, sens)
        found = backward(tape, outs, cotangents, _through_hooks)

        def gradient(leaf):
            grad = found.get(leaf._var)
            return _zeros_like(leaf) if grad is None else grad

        tokens = iter(first)  # a leaf that was re-bound inside (x[0] = 1) has another token by now
        return Derivative(
            value,
            map_tensors(lambda b: gradient(next(tokens)), given),
            _hooked(weights, [gradient(links[id(w)]) if id(w) in links else _zeros_like(w) for w in weights]),
        )

    return value, pull


def _input_leaf(tape, box, outside, leaves):
    """What the function gets for an input: the Tensor itself, as a variable of the tape; for a Parameter a Tensor of the same value."""
    if box._through_frames:
        return _leaf(tape, box, outside)
    if id(box) not in leaves:
        leaves[id(box)] = box, box._var
        _link(outside, box._var, tape.watch(box))
        if "_grad_hooks" in box.__dict__:
            tape.hooks[box._var] = box.__dict__["_grad_hooks"]
    return box


def _leaf(tape, box, outside):
    """A Tensor of the same value that the tape watches; tapes outside are told that it stands for `box`."""
    leaf = wrap(box._data)
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
    traced = False  # it was registered while its function was traced
    _known = weakref.WeakValueDictionary()  # id -> handle, for Tensor.remove_hook

    def __init__(self, hooks=None):
        self._hooks = hooks
        self.id = next(HookHandle._numbers)
        HookHandle._known[self.id] = self

    def remove(self):
        """Take the hook away; a second time does nothing."""
        if self.traced and current() is not None:
            raise control_flow.Unstageable("a hook is removed by the function that registers it")
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
    if box._through_frames and not box.requires_grad:
        raise RuntimeError(
            f"The tensor requires grad is false, which can not register tensor hook: the Parameter '{box.name}'."
        )
    active = here().recorder
    hooks = _hooks_on_value(box, active)
    handle = HookHandle(hooks)
    hooks[id(handle)] = (hook_fn, handle)
    if box._through_frames:
        versions.touch()
    elif active is not None and not active.is_frame:
        for tape in active.chain():
            if box._var in tape.tracked:
                tape.hooks[box._var] = hooks
    elif active is not None:
        if len(hooks) > 1:
            raise control_flow.Unstageable("several hooks are registered on one Tensor")
        handle.traced = True
        out = call_with_gradient(
            lambda b: wrap(b._data, b._var), lambda _, out, grad: [_through_hooks(hooks, grad)], [box]
        )
        box._assign(out._data, out._var)
        box.__dict__["_hook_point"] = box._data
    return handle


def _hooks_on_value(box, active):
    """The hooks of what a Tensor holds now: a Tensor that is re-bound starts anew, a leaf (outside gradients) keeps its hooks."""
    own = box.__dict__
    if active is None or box._through_frames:
        point = None
    elif active.is_frame:
        point = box._data
    else:
        point = None if any(box._var in tape.leaves for tape in active.chain()) else box._var
    if (
        own.get("_hook_point") not in (None, point)
        if not isinstance(point, jax.Array)
        else own.get("_hook_point") is not point
    ):
        own.pop("_grad_hooks", None)
    own["_hook_point"] = point
    return own.setdefault("_grad_hooks", {})


def _through_hooks(hooks, grad):
    for hook_fn, _ in list(hooks.values()):
        changed = control_flow.resolve(hook_fn)(grad)
        if changed is not None and not is_tensor(changed):
            raise RuntimeError(f"Tensor hook should be return Tensor, but get type: {type(changed).__name__}.")
        grad = grad if changed is None else changed
    return grad


def _hooked(boxes, grads):
    return [
        _through_hooks(b.__dict__["_grad_hooks"], g) if "_grad_hooks" in b.__dict__ else g for b, g in zip(boxes, grads)
    ]


def has_hooks(values):
    """Whether one of the values is a Tensor with hooks on its gradient."""
    return any([is_tensor(v) and "_grad_hooks" in v.__dict__ for v in values])


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
def call_with_gradient(forward, pull, tensors, kept=None, late=False):
    """Run `forward(*tensors)` so that its gradient is `pull(tensors, out, cotangents)`.

    tensors: flat list of Tensors. forward returns a nested structure of Tensors. pull gets the inputs, the output and a structure of
    cotangents like the output, and returns one cotangent (Tensor or None) for each input. Works in traces and on tapes.
    kept: a dict into which `forward` puts Tensors that `pull` needs. late: `pull` uses what the pulls of later calls leave, so inside
    a trace it is traced when the backward comes to it.
    """
    outer = here().recorder
    if outer is None:
        return forward(*tensors)
    if not outer.is_frame:
        return _eager_with_gradient(outer, forward, pull, tensors)
    if not outer.differentiated:
        outer.root.plain = True
        return forward(*tensors)
    return _CustomCall(outer, forward, pull, tensors, kept if kept is not None else {}, late).run()


class _CustomCall:
    """A call inside a trace whose gradient the user wrote: both directions are traced at once, where all that they refer to is known."""

    def __init__(self, outer, forward, pull, tensors, kept, late):
        self.outer, self.user_forward, self.user_pull, self.kept, self.late = outer, forward, pull, kept, late
        self.arrays = [t._data for t in tensors]

    def run(self):
        forward, leaves, state = self.trace_forward()
        backward = self.trace_backward(leaves, state)
        count, constants = len(leaves), len(forward.consts)
        integers = [a for a in self.arrays if is_integral(a)]
        call, pull = forward.call, backward.call

        @jax.custom_vjp
        def apply(arrays, reals, constants):
            return run(arrays, constants)[:2]

        def run(arrays, constants):
            values = call(*constants[: len(forward.consts)], *arrays)
            outs, written = values[:count], values[count : count + len(self.written)]
            return ([as_real(o) for o in outs], outs), written, values[count + len(self.written) :]

        def apply_forward(arrays, reals, constants):
            outs, written, state = run(arrays, constants)
            return (outs, written), (arrays, outs[1], state, constants)

        def apply_backward(saved, cotangents):
            arrays, outs, state, constants = saved
            given = [as_integer(c, o.dtype) if is_integral(o) else c for c, o in zip(cotangents[0][0], outs)]
            found = pull(*constants[len(forward.consts) :], *arrays, *outs, *state, *given)
            grads, new = found[: len(arrays)], found[len(arrays) :]
            if (
                new and current() is not None
            ):  # Parameters that the user's backward wrote: in the frame that takes the gradient
                commit(self.written_back, new)
            exact = [np.zeros(a.shape, jax.dtypes.float0) if is_integral(a) else g for a, g in zip(arrays, grads)]
            return exact, [as_real(g) for a, g in zip(arrays, grads) if is_integral(a)], None

        apply.defvjp(apply_forward, apply_backward)
        constants = [*forward.consts, *backward.consts]
        (reals, exact), written = apply(self.arrays, [as_real(a) for a in integers], constants)
        commit(self.written, written)
        outs = iter([wrap(_with_real(o, r), self.outer) for o, r in zip(exact, reals)])
        return map_tensors(lambda _: next(outs), self.out)

    def trace_forward(self):
        """(traced function from the arrays to outputs, written and kept arrays; avals of the outputs; those of the kept arrays)"""
        note = {}

        def run(*arrays):
            frame = Frame(self.outer)
            with frame:
                out = self.user_forward(*[wrap(a, frame) for a in arrays])
                leaves = [b._data for b in tensor_leaves(out)]
                state = [b._data for b in tensor_leaves(self.kept)]
            self.written, values = frame.outputs()
            self.out = described(out)
            self.kept.update(described(self.kept))
            note.update(leaves=[_aval(a) for a in leaves], state=[_aval(a) for a in state])
            return [*leaves, *values, *state]

        return _Hoisted(run, self.arrays), note["leaves"], note["state"]

    def trace_backward(self, leaves, state):
        """Traced function from inputs, outputs, kept arrays and cotangents of the outputs to cotangents of the inputs and written arrays."""
        counts = len(self.arrays), len(leaves), len(state), len(leaves)

        def run(*arrays):
            frame = Frame(current() or self.outer)
            with frame:
                boxes = iter([wrap(a, frame) for a in arrays])
                inputs, outs, kept, cotangents = [[next(boxes) for _ in range(n)] for n in counts]
                outs, kept, cotangents = iter(outs), iter(kept), iter(cotangents)
                self.kept.update(map_tensors(lambda _: next(kept), self.kept))
                out = map_tensors(lambda _: next(outs), self.out)
                grads = self.user_pull(inputs, out, map_tensors(lambda _: next(cotangents), self.out))
                found = [_cotangent_for(a, g) for a, g in zip(self.arrays, grads)]
                self.kept.update(described(self.kept))
            self.written_back, values = frame.outputs()
            return [*found, *values]

        return _Hoisted(run, None if self.late else [*self.arrays, *leaves, *state, *leaves])


class _Hoisted:
    """A function traced to a jaxpr; the traced values that it refers to are inputs of it, before the others. arrays None: as it is."""

    def __init__(self, fn, arrays):
        if arrays is None:
            self.consts, self.call = [], fn
        else:
            closed = jax.make_jaxpr(fn)(*arrays)
            self.consts, self.call = closed.consts, jaxpr_as_fun(hoisted(closed))


def _aval(array):
    return jax.ShapeDtypeStruct(array.shape, array.dtype)


def _with_real(exact, real):
    """An output of a custom call; the gradient of an integer one comes by the real that stands for it."""
    return exact + (real - jax.lax.stop_gradient(real)).astype(exact.dtype) if is_integral(exact) else real


def _cotangent_for(array, grad):
    if grad is None:
        return jnp.zeros(array.shape, array.dtype)
    grad = grad._data if is_tensor(grad) else jnp.asarray(grad)
    grad = jnp.broadcast_to(grad, array.shape)
    return as_integer(as_real(grad), array.dtype) if is_integral(array) else grad.astype(array.dtype)


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
    with within(recorder=None):  # the operators inside are not noted: the user's gradient replaces theirs
        out = forward(*tensors)
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
        active = here().recorder
        if active is not None and active.is_frame:
            inside = _Detached()
        else:
            inside = within(recorder=None)
        inside.__enter__()
        self.ends.append(inside.__exit__)

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
