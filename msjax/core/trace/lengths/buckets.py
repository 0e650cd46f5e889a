"""Serves calls of many lengths by one program: pads the inputs, and cuts the outputs."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from ...values.tensor import on_device
from .form import Declined, Open, fit, unite, write
from .padded import Padded

if TYPE_CHECKING:
    import jax.extend

_LEAST = 8  # padded lengths are powers of two from here on
_MOST_FORMS = 8


class Buckets:
    """The forms of one compiled function, each with its programs."""

    def __init__(self):
        self.forms, self.told = [], False  # told: the user knows why lengths are compiled one by one

    def serve(
        self,
        closed: "jax.extend.core.ClosedJaxpr",
        lengths: tuple[int, ...],
        meaning: Any,
        trace: Callable,
        make: Callable,
    ):
        """(whether the program existed, the function that runs in place of the traced program).

        closed: the trace. lengths: its open ones. meaning: what calls must have in common besides the form: which axes are open, and the
        arrangement of inputs and outputs. trace: function (lengths) -> the closed jaxpr at these. make: function (evaluation of all inputs,
        lengths and constants) -> compiled program.

        Raises:
            Declined: no program of other lengths can serve this one.
        """
        if closed.effects:
            raise Declined("it prints, or calls back")
        pattern, arrangement, *_ = meaning
        meaning = meaning, [(aval.dtype, aval.weak_type) for aval in closed.in_avals]
        found, constants = self._find(write(closed), lengths, meaning, trace)
        results, state = arrangement.groups(found.form.out_shapes)
        if any(map(is_open, state)):
            raise Declined("it keeps a Tensor of that length")
        sizes = tuple(max(_LEAST, 1 << (n - 1).bit_length()) for n in lengths)
        known = sizes in found.programs
        if not known:
            found.programs[sizes] = make(found.evaluation(sizes))
        given = [_padded(np.asarray(c.val), spec.shape, sizes) for c, spec in zip(constants, found.constants)]
        return known, Serving(
            found.programs[sizes], found.form.shapes[arrangement.state :], results, lengths, sizes, given
        )

    def _find(self, program, lengths, meaning, trace):
        """The form of a program, and the constants that it has at these lengths."""
        for one in self.forms:
            constants = fit(one.form, program, lengths) if one.meaning == meaning else None
            if constants is not None:
                return one, constants
        if len(self.forms) >= _MOST_FORMS:
            raise Declined("each length traces a program of another form")
        self.forms.append(_learn(program, lengths, meaning, trace))
        return self.forms[-1], fit(self.forms[-1].form, program, lengths)


class _Form:
    """A form, and the compiled programs of it: padded lengths -> program."""

    def __init__(self, form, constants, meaning):
        self.form, self.constants, self.meaning, self.programs = form, constants, meaning, {}

    def evaluation(self, sizes):
        """The form at padded lengths: a function (inputs, lengths, constants) -> outputs."""
        return lambda arrays, lengths, given: Padded(sizes, lengths, given).run(self.form, list(arrays))

    def try_out(self, lengths):
        """Raise Declined where a rule says no."""
        sizes = tuple(max(_LEAST, 1 << n.bit_length()) for n in lengths)
        inputs = zip(self.form.shapes, self.form.source.in_avals)
        shapes = [jax.ShapeDtypeStruct(_sized(shape, sizes), aval.dtype) for shape, aval in inputs]
        constants = [jax.ShapeDtypeStruct(_sized(c.shape, sizes), c.dtype) for c in self.constants]
        counts = tuple(jax.ShapeDtypeStruct((), np.int32) for _ in lengths)
        try:
            jax.eval_shape(self.evaluation(sizes), shapes, counts, constants)
        except (TypeError, ValueError) as error:
            raise Declined(f"padded, it does not fit ({str(error).splitlines()[0]})") from error


def _learn(program, lengths, meaning, trace):
    """The form of a program, from traces at other lengths."""
    others = []
    for i, n in enumerate(lengths):
        for other in (n + 1, n + 2, 2 * n):  # what Python does with it may need an even one, or a multiple
            changed = (*lengths[:i], other, *lengths[i + 1 :])
            try:
                others.append((changed, write(trace(changed))))
                break
            except Exception as error:  # whatever the function says of a length that nobody gave it
                reason = error
        else:
            raise Declined(f"with another length it raises {type(reason).__name__}")
    made = _Form(*unite([program, *[p for _, p in others]], [lengths, *[n for n, _ in others]]), meaning)
    if any(fit(made.form, p, n) is None for n, p in [(lengths, program), *others]):
        raise Declined("a value depends on the length in no simple form")
    made.try_out(lengths)
    return made


class Serving:
    """A program of padded lengths as the program of one length.

    program: takes (written state, read state, arrays of arguments, numbers, lengths, constants). shapes: of arguments, and of the groups of
    results.
    """

    def __init__(
        self,
        program: Any,
        shapes: list[tuple],
        out_shapes: tuple[list, ...],
        lengths: tuple[int, ...],
        sizes: tuple[int, ...],
        given: Sequence,
    ):
        self.program, self.shapes, self.out_shapes, self.sizes, self.given = program, shapes, out_shapes, sizes, given
        self.lengths, self.counts = lengths, tuple(np.int32(n) for n in lengths)

    def __call__(self, written: list, read: list, arrays: Sequence, numbers: tuple):
        """Results and new state, as the program of this length gives them."""
        arrays = [_padded(array, shape, self.sizes) for array, shape in zip(arrays, self.shapes)]
        groups, state = self.program(written, read, arrays, numbers, self.counts, self.given)
        cut = [[_cut(a, s, self.lengths) for a, s in zip(*group)] for group in zip(groups, self.out_shapes)]
        return cut, state


def is_open(shape: tuple):
    """Whether a shape has an open length."""
    return any(type(n) is Open for n in shape)


def _sized(shape, sizes):
    return tuple(n.at(sizes) if type(n) is Open else n for n in shape)


def _on_processor(array):
    return not isinstance(array, jax.Array) or all(d.platform == "cpu" for d in array.devices())


def _padded(array, shape, sizes):
    """An array with its last elements repeated along open axes: the padding has ordinary values, so it does not
    overflow by itself.
    """
    if not is_open(shape):
        return array
    widths = [(0, n - have) for n, have in zip(_sized(shape, sizes), array.shape)]
    if not _on_processor(array):
        return jnp.pad(array, widths, mode="edge")
    return on_device(np.pad(np.asarray(array), widths, mode="edge"))


def _cut(array, shape, lengths):
    """The elements that count, in an array of their own."""
    if not is_open(shape):
        return array
    index = tuple(slice(n.at(lengths)) if type(n) is Open else slice(None) for n in shape)
    return on_device(np.array(np.asarray(array)[index], order="C")) if _on_processor(array) else array[index]


__all__ = ["Buckets", "Serving", "is_open"]
