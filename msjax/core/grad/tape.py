"""The gradient tape of eager code.

While a gradient is computed in PYNATIVE_MODE, each operator is run as its cached jitted forward and noted here; then the notes
are replayed in reverse with cached jitted backwards. The values are concrete all the time: `print`, `if`, `asnumpy` work inside.
A backward is itself an operator and is noted on the tapes outside, so any order of gradient works.

A value is known by a token (an int) that its Tensor carries in `_var`; re-binding a Tensor gives it the token of its new value.
"""

import concurrent.futures
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp

from ..compat import TRACED_VALUE_ERRORS
from ..operators.eager_jit import compile_ahead
from ..operators.forward import Forward, wrap_tree
from ..process import shared
from ..settings import context
from ..settings.execution_state import change, here
from ..values import ranges
from ..values.ownership import holds
from ..values.tensor import Tensor, wrap
from .integers import reaching, vjp
from .reals import conjugate, is_inexact


class Tape:
    """Notes of one gradient. `parent` is the tape (never a frame) of the gradient around it."""

    is_frame = False
    __slots__ = ("parent", "nodes", "tracked", "leaves", "hooks", "outside", "__weakref__")

    def __init__(self, parent: "Tape | None"):
        self.parent, self.nodes, self.tracked = parent, [], set()
        self.leaves = set()  # tokens of what gradients are wanted for
        self.hooks = {}  # token -> the hooks on the gradient of that value
        holds(self)

    def __enter__(self):
        self.outside = here().recorder
        change(recorder=self)
        return self

    def __exit__(self, *error):
        change(recorder=self.outside)
        return False

    def arrays(self):
        """The arrays that the tape holds and did not create: no program may write over them (see `values.ownership`)."""
        return [array for node in list(self.nodes) for array in node.arrays]

    def watch(self, box: Tensor):
        """A fresh token for a Tensor that gradients are wanted for."""
        box._var = next(shared.values)
        self.tracked.add(box._var)
        self.leaves.add(box._var)
        return box._var

    def follows(self, box: Tensor):
        """Whether a running gradient recording depends on a Tensor's present value."""
        token = box._var
        return token is not None and any(token in tape.tracked for tape in self.chain())

    def chain(self):
        """The tape, and the tapes of the enclosing gradients."""
        tape = self
        while tape is not None:
            yield tape
            tape = tape.parent

    def run(self, forward: Callable, arrays: Sequence, boxes: Sequence):
        """Run an operator, note it on every tape that follows one of its inputs, and return its outputs as Tensors."""
        # Each tape decides for itself. One that follows no input of this call needs no note, and if none does, the operator runs as without
        # a gradient: most operators of a step (the data, the metrics) are such. What is `wanted` is the same for all tapes that follow
        # something, since the backward of an outer tape goes through that of an inner one. Integers are asked about (`_reach`): they have
        # gradients in MindSpore, but only where the outputs depend on them by arithmetic, not as indices.
        tokens = tuple([None if b is None else b._var for b in boxes])
        tapes, tape = [], self
        while tape is not None:
            if not tape.tracked.isdisjoint(tokens):
                tapes.append(tape)
            tape = tape.parent
        if not tapes:
            out = forward.call(*arrays)
            return wrap_tree(ranges.settle(out) if type(out) is ranges.Checked else out)
        if len(tapes) == 1:
            tracked = tapes[0].tracked
            wanted = tuple([i for i, t in enumerate(tokens) if t in tracked])
        else:
            wanted = tuple([i for i, t in enumerate(tokens) if any(t in tape.tracked for tape in tapes)])
        if not all([is_inexact(arrays[i]) for i in wanted]):
            wanted = _reach(forward, arrays, wanted)[0]
        if not wanted:
            out = forward.call(*arrays)
            return wrap_tree(ranges.settle(out) if type(out) is ranges.Checked else out)
        # Two ways to a backward. Cheap operators note their inputs, and the backward computes the forward again within one fused program:
        # nothing is kept that was not there anyway. Where the forward is dear (products, convolutions, norms, recurrent layers) it returns
        # what its derivative needs, and the backward starts from that. JAX gives these residuals as a function that is a pytree, so one
        # compiled program takes them as plain arrays.
        saved = None
        if forward.residuals:
            out, saved = saving_forward(forward, wanted)(*arrays)
        else:
            out = forward.call(*arrays)
        if type(out) is ranges.Checked:
            out = ranges.settle(out)
        node = OperatorNode(forward, arrays, tokens, wanted, saved)
        result = self.note(tapes, node, out)
        if forward.fresh:
            forward.fresh = False
            if len(tapes) == 1:
                node.compile_ahead(result)
        return result

    def note(self, tapes: "list[Tape]", node: "OperatorNode", out: Any):
        """Give the outputs tokens and put the node on the tapes."""
        result = wrap_tree(out)
        followed = node.set_outputs(result)
        for tape in tapes:
            if any(t in tape.tracked for t in node.tokens):
                tape.nodes.append(node)
                tape.tracked.update(followed)
        return result


def _reach(forward, arrays, wanted):
    """(the wanted inputs that differentiable outputs depend on, those outputs): asked where integers are among either."""
    key = ("reach", wanted, tuple([getattr(a, "dtype", None) for a in arrays]))
    found = forward.backwards.get(key)
    if found is None:
        try:
            found = reaching(forward.pure, arrays, wanted)
        except TRACED_VALUE_ERRORS:  # the shape of the result depends on values: its integers have no gradient
            found = tuple([i for i in wanted if is_inexact(arrays[i])]), ()
        forward.backwards[key] = found
    return found


class OperatorNode:
    """One call of an operator."""

    __slots__ = ("forward", "arrays", "tokens", "wanted", "saved", "outputs", "outs")

    def __init__(self, forward: Callable, arrays: Sequence, tokens: tuple, wanted: tuple[int, ...], saved: Any):
        self.forward, self.arrays, self.tokens, self.wanted, self.saved = forward, arrays, tokens, wanted, saved

    def set_outputs(self, result: Tensor | tuple[Tensor, ...]):
        """Give tokens to the differentiable outputs (an integer output only if it depends differentiably on an input)."""
        boxes = (
            [result]
            if type(result) is Tensor
            else [b for b in jax.tree_util.tree_leaves(result, is_leaf=_is_box) if _is_box(b)]
        )
        self.outputs = []
        for box in boxes:
            box._var = next(shared.values)
            self.outputs.append(box._var)
        self.outs = tuple([(b._data.shape, b._data.dtype) for b in boxes]) if self.saved is not None else None
        if all([is_inexact(b._data) for b in boxes]):
            return self.outputs
        live = _reach(self.forward, self.arrays, self.wanted)[1]
        return [t for i, (t, b) in enumerate(zip(self.outputs, boxes)) if i in live or is_inexact(b._data)]

    def compile_ahead(self, result: Tensor | tuple[Tensor, ...]):
        """Begin to compile the backward, for a cotangent of the first result that is not written to an argument.

        Further results of a heavy operator (statistics, last states) are rarely differentiated; those of others (parts) often.
        """
        forward = self.forward
        outs = [b._data for b in jax.tree_util.tree_leaves(result, is_leaf=_is_box) if _is_box(b)]
        at = forward.written
        if (
            not forward.traceable
            or len(outs) <= at
            or len(outs) > at + 1
            and self.saved is None
            or not is_inexact(outs[at])
        ):
            return
        present = tuple([i == at for i in range(len(outs))])
        if self.saved is not None:
            backward, arrays = saved_backward(forward, self.wanted, present, self.outs), [self.saved, outs[at]]
        else:
            backward = recomputing_backward(forward, self.wanted, present).call
            arrays = [*self.arrays, outs[at]]
        future = compile_ahead(backward, arrays)
        if future is not None:
            forward.ahead = forward.ahead or {}
            forward.ahead[self._shapes()] = future

    def _shapes(self):
        return tuple([getattr(a, "shape", ()) for a in self.arrays])

    def _wait(self):
        """Wait until the backward is compiled; an error of that compilation is raised again at the call."""
        future = self.forward.ahead.pop(self._shapes(), None)
        if future is not None:
            concurrent.futures.wait([future])

    def pull(self, cotangents: list[Tensor]):
        """[(token, cotangent Tensor)] of the inputs, given the cotangents (Tensor or None) of the outputs."""
        present = tuple([c is not None for c in cotangents])
        given = [c for c in cotangents if c is not None]
        outside = here().recorder
        if self.forward.ahead:
            self._wait()
        if self.saved is not None and (outside is None or not _followed(outside, self.tokens, given)):
            grads = saved_backward(self.forward, self.wanted, present, self.outs)(self.saved, *[c._data for c in given])
            boxes = [wrap(g) for g in grads]
        else:
            backward = recomputing_backward(self.forward, self.wanted, present)
            arrays = [*self.arrays, *[c._data for c in given]]
            if outside is None:
                boxes = [wrap(g) for g in backward.call(*arrays)]
            else:
                inputs = [wrap(a, t) if t is not None else None for a, t in zip(self.arrays, self.tokens)]
                boxes = list(outside.run(backward, arrays, [*inputs, *given]))
        if context.is_strict():
            ranges.refuse_nan(
                f"gradient of {self.forward.name}", [*self.arrays, *[c._data for c in given]], [b._data for b in boxes]
            )
        return [(self.tokens[i], b) for i, b in zip(self.wanted, boxes)]


def _is_box(value):
    return isinstance(value, Tensor)


def _followed(tape, tokens, boxes):
    return any(t in outer.tracked for outer in tape.chain() for t in (*tokens, *[b._var for b in boxes]))


def _split(forward, wanted, arrays):
    """(function of the wanted inputs alone, their arrays); outputs are the inexact leaves of the result."""

    def part(*given):
        full = list(arrays)
        for i, g in zip(wanted, given):
            full[i] = g
        return jax.tree_util.tree_leaves(forward.pure(*full))

    return part, [arrays[i] for i in wanted]


def _cotangents(outs, differentiable, present, given):
    """Cotangents of the differentiable outputs: the given ones (of the outputs that are `present`), zeros for the others."""
    given = iter(given)
    made = []
    for out, use, given_here in zip(outs, differentiable, present):
        cotangent = next(given) if given_here else jnp.zeros(out.shape, out.dtype)
        if use:
            made.append(jnp.broadcast_to(cotangent, out.shape))
    return made


def recomputing_backward(forward: Callable, wanted: tuple[int, ...], present: tuple[bool, ...]):
    """Backward that computes the forward again: for cheap operators this is faster than saving intermediate values."""
    key = (wanted, present)
    found = forward.backwards.get(key)
    if found is None:

        def pure(*arrays):
            count = len(arrays) - sum(present)
            part, given = _split(forward, wanted, arrays[:count])
            outs, differentiable, pull, _ = _pull(forward, lambda *a: (part(*a), None), given)
            return tuple(pull(_cotangents(outs, differentiable, present, arrays[count:])))

        pure.__name__ = f"{forward.name}_grad"
        found = forward.backwards[key] = Forward(
            pure.__name__, pure, traceable=forward.traceable, jit=forward.jit, check=False
        )
    return found


def _pull(forward, part, given):
    """(outputs, which are differentiable, function from their cotangents to those of `given`, rest); `part` gives (outputs, rest)."""
    if forward.traceable:
        return vjp(part, given)
    outs, pull, rest = jax.vjp(part, *given, has_aux=True)
    differentiable = [is_inexact(o) for o in outs]
    zeros = [np.zeros(o.shape, jax.dtypes.float0) for o in outs]

    def pull_all(cotangents):
        cotangents = iter(cotangents)
        found = pull([conjugate(next(cotangents)) if use else zero for use, zero in zip(differentiable, zeros)])
        return [g if g.dtype == jax.dtypes.float0 else conjugate(g) for g in found]

    return outs, differentiable, pull_all, rest


def saving_forward(forward: Callable, wanted: tuple[int, ...]):
    """Forward that also returns the saved values of the backward: (outputs, vjp function as a pytree)."""
    found = forward.saving.get(wanted)
    if found is None:

        def pure(*arrays):
            shape = []

            def leaves(*given):
                full = list(arrays)
                for i, g in zip(wanted, given):
                    full[i] = g
                out = noted(*full)
                distances = None
                if type(out) is ranges.Checked:
                    checks.append(out.checks)
                    out, distances = out.out, out.distances
                shape.append(jax.tree_util.tree_structure(out))
                return jax.tree_util.tree_leaves(out), distances

            checks, noted = [], ranges.checked(forward.noted(forward.pure), forward.name)
            outs, differentiable, pull, distances = _pull(forward, leaves, [arrays[i] for i in wanted])
            forward.backwards["differentiable", wanted] = differentiable
            out = jax.tree_util.tree_unflatten(shape[0], outs)
            return out if distances is None else ranges.Checked(out, distances, checks[0]), pull

        pure.__name__ = f"{forward.name}_saving"
        found = forward.saving[wanted] = forward.jit(pure)
    return found


def saved_backward(forward: Callable, wanted: tuple[int, ...], present: tuple[bool, ...], outs: Sequence):
    """Backward from saved residuals; `outs` are the (shape, dtype) of the outputs."""
    key = ("saved", wanted, present, outs)
    found = forward.backwards.get(key)
    if found is None:
        templates = [jax.ShapeDtypeStruct(*o) for o in outs]
        differentiable = forward.backwards["differentiable", wanted]

        def pure(pull, *given):
            return pull(_cotangents(templates, differentiable, present, given))

        pure.__name__ = f"{forward.name}_grad"
        found = forward.backwards[key] = forward.jit(pure)
    return found


def backward(tape: Tape, outputs: Sequence, cotangents: list[Tensor], through_hooks: Callable):
    """Replay a closed tape in reverse: dict token -> cotangent Tensor.

    outputs, cotangents: Tensors of equal shapes; outputs that the tape does not follow are left out. through_hooks: what passes a
    complete cotangent through the hooks on its value.
    """
    # Tokens stand for values, not for Tensors: a Tensor that was written in place has another token for its new value, so the cotangents of
    # both are kept apart without a look at the order of the writes. A node is dropped as soon as its cotangents are passed on, and its arrays
    # with it: memory falls while the backward runs, as it does in MindSpore.
    found = {}
    for out, cotangent in zip(outputs, cotangents):
        if out._var in tape.tracked:
            found[out._var] = _add(found.get(out._var), cotangent)
    nodes = tape.nodes
    while nodes:
        node = nodes.pop()  # frees what the node holds as soon as it is used
        if not any(t in found for t in node.outputs):
            continue
        given = [found.pop(t, None) for t in node.outputs]
        if tape.hooks:
            given = [
                through_hooks(tape.hooks[t], c) if c is not None and t in tape.hooks else c
                for t, c in zip(node.outputs, given)
            ]
        for token, cotangent in node.pull(given):
            if token in tape.tracked:
                found[token] = _add(found.get(token), cotangent)
    for token, hooks in tape.hooks.items():
        if token in found:  # a leaf
            found[token] = through_hooks(hooks, found[token])
    return found


_add_forward = Forward("accumulate_grad", lambda x, y: x + y, check=False)  # what makes its NaN is named before


def _add(a, b):
    """Sum of two cotangents, noted on the tape outside."""
    if a is None:
        return b
    outside = here().recorder
    if outside is None:
        return wrap(_add_forward.call(a._data, b._data))
    return outside.run(_add_forward, [a._data, b._data], [a, b])
