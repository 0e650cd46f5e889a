"""Functions with a custom gradient, on which `Cell.bprop`, hooks and custom functions are built."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from ..compat import hoisted, jaxpr_as_fun
from ..process import shared
from ..settings.execution_state import here, within
from ..trace.frame import Frame, commit, current
from ..values.tensor import wrap
from ..values.tensor_trees import described, is_tensor, map_tensors, tensor_leaves
from .cotangents import zeros_like
from .reals import as_integer, as_real, conjugate, is_integral

if TYPE_CHECKING:
    from ..values.tensor import Tensor


def call_with_gradient(
    forward: Callable,
    pull: Callable,
    tensors: "list[Tensor]",
    kept: Any = None,
    late: bool = False,
    note: Callable | None = None,
):
    """Run `forward(*tensors)` so that its gradient is `pull(tensors, out, cotangents)`.

    tensors: flat list of Tensors. forward returns a nested structure of Tensors. pull gets the inputs, the output and a structure of
    cotangents like the output, and returns one cotangent (Tensor or None) for each input. Works in traces and on tapes.
    kept: a dict into which `forward` puts Tensors that `pull` needs. late: `pull` uses what the pulls of later calls leave, so inside
    a trace it is traced when the backward comes to it. note: a dict that `forward` may fill for tapes: "constant", a bool for each
    output, whether nothing flows back through it; "zeros", whether `pull` gets zeros (the default) or None for unused outputs.
    """
    outer = here().recorder
    if outer is None:
        return forward(*tensors)
    if not outer.is_frame:
        return _eager_with_gradient(outer, forward, pull, tensors, {} if note is None else note)
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
            if not state:  # for the second derivative: what `pull` gets as the output has the user's gradient, too
                outs, written = apply(arrays, reals, constants)
            return (outs, written), (arrays, [_with_real(o, r) for r, o in zip(*outs)], state, constants)

        def apply_backward(saved, cotangents):
            arrays, outs, state, constants = saved
            given = [as_integer(c, o.dtype) if is_integral(o) else conjugate(c) for c, o in zip(cotangents[0][0], outs)]
            found = pull(*constants[len(forward.consts) :], *arrays, *outs, *state, *given)
            grads, new = [conjugate(g) for g in found[: len(arrays)]], found[len(arrays) :]
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
                with within(own_backward=True):
                    grads = self.user_pull(inputs, out, map_tensors(lambda _: next(cotangents), self.out))
                found = [_cotangent_for(a, g) for a, g in zip(self.arrays, grads)]
                self.kept.update(described(self.kept))
            self.written_back, values = frame.outputs()
            return [*found, *values]

        return _Hoisted(run, None if self.late else [*self.arrays, *leaves, *state, *leaves])


class _Hoisted:
    """A function traced to a jaxpr, with the traced values it closes over as its first inputs. arrays None: `fn` itself is called."""

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

    __slots__ = ("tokens", "outputs", "inputs", "out", "user_pull", "note")
    arrays = ()  # its Tensors hold what was handed out

    def __init__(self, inputs, out, user_pull, note):
        self.inputs, self.out, self.user_pull, self.note = inputs, out, user_pull, note
        self.tokens = tuple(b._var for b in inputs)

    def set_outputs(self, result):
        boxes = tensor_leaves(result)
        self.outputs = [next(shared.values) for _ in boxes]
        constant = self.note.get("constant") or [False] * len(boxes)
        for box, token, alone in zip(boxes, self.outputs, constant):
            box._var = None if alone else token
        self.out = result

    def pull(self, cotangents):
        given = iter(cotangents)

        def cotangent(box):
            ct = next(given)
            return zeros_like(box) if ct is None and self.note.get("zeros", True) else ct

        grads = self.user_pull(self.inputs, self.out, map_tensors(cotangent, self.out))
        return [(b._var, g) for b, g in zip(self.inputs, grads) if g is not None and b._var is not None]


def _eager_with_gradient(tape, forward, pull, tensors, note):
    tapes = [t for t in tape.chain() if any(b._var in t.tracked for b in tensors)]
    inputs = [wrap(b._data, b._var) for b in tensors]  # as they are now: `forward` may change them in place
    with within(recorder=None):  # the operators inside are not noted: the user's gradient replaces theirs
        out = forward(*tensors)
    out = map_tensors(lambda b: wrap(b._data), out)
    if not tapes:
        return out
    node = _CustomNode(inputs, out, pull, note)
    node.set_outputs(out)
    for t in tapes:
        t.nodes.append(node)
        t.tracked.update(node.outputs)
    return out
