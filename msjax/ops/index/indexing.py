"""`x[index]` and `x[index] = value` with every form of index.

An index becomes a short text (its structure: which axes are taken whole, cut, counted or looked up) and the numbers in
it. The text selects the compiled variant, the numbers are its operands: `x[0]` and `x[1]` share one. Inside a trace the
numbers are Python numbers, so the compiled program has static slices.

Parts of the text: `:` whole axis, `i` one element, `s5` five elements from a start, `z1_5_2` start, length and step
(all static), `n` a new axis, `e` a new axis of length 0, `a` an array of positions, `t` and `f` a bool beside arrays: a new
axis of which one element or none is looked up.
"""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.compat import Tracer
from ...core.operators import views
from ...core.operators.record import composite, op, records
from ...core.settings.execution_state import here
from ...core.spec import Array, Operand
from ...core.values import dtype as mstype
from ...core.values.promote import written
from ...core.values.ranges import check_range
from ...core.values.tensor import Tensor, host_array, wrap
from .masks import fit, refuse_unlike, write_by_mask


@op(name="getitem", ops=False)
def _getitem(x: Array, structure: Operand, *numbers: Any):
    parts = _parsed(structure)
    # compiled, several numbers without an array are a StridedSlice of MindSpore's, whose constants are compared when the graph is built
    strided = len(parts) > 1 and not any(kind in "atf" for kind, _ in parts) and here().notes is None
    numbers = _checked_positions(x, parts, numbers, (IndexError if strided else RuntimeError,) * 2)
    if not any(kind in "atf" for kind, _ in parts):
        return _shaped(_cut(x, parts, numbers), parts)
    return jnp.reshape(x, _with_bool_axes(x.shape, parts))[_numpy_index(parts, numbers)]


@op(name="setitem", ops=False, writes=(0,))
def _setitem(x: Array, value: Operand, structure: Operand, *numbers: Any):
    parts = _parsed(structure)
    if any(kind in "ef" for kind, _ in parts):
        return x  # with a False among the indices nothing is chosen
    numbers = _checked_positions(x, parts, numbers, (RuntimeError, ValueError))
    value = written(value, x.dtype, IndexError)
    kinds = {kind for kind, _ in parts}
    if kinds & set("atf") or "z" in kinds and "s" not in kinds:
        index, wide = _numpy_index(parts, numbers), jnp.reshape(x, _with_bool_axes(x.shape, parts))
        target = jax.eval_shape(lambda wide: wide[index], wide).shape
        return wide.at[index].set(fit(value, target)).reshape(x.shape)
    starts, sizes, steps = _ranges(x, parts, numbers)
    value = fit(value, _result_shape(sizes, parts))
    if not value.size:  # an empty slice
        return x
    value = jnp.reshape(value, sizes)
    if (
        "z" in kinds
    ):  # beside slices that start where a number says: what a view was cut out by. First the box around it
        spans = [n if d == 1 else x.shape[i] for i, (n, d) in enumerate(zip(sizes, steps))]
        around = [s if d == 1 else 0 for s, d in zip(starts, steps)]
        inner = [slice(None) if d == 1 else _static_slice(s, n, d) for s, n, d in zip(starts, sizes, steps)]
        starts = around
        value = lax.dynamic_slice(x, _aligned(around), spans).at[tuple(inner)].set(value)
    return lax.dynamic_update_slice(x, value, _aligned(starts))


def _checked_positions(x, parts, numbers, errors):
    """The numbers of an index, traced ones as int32, or int64 where one is or an axis is that long: JAX wants one type.

    Asks for the ranges of those that are Tensors; Python numbers (weakly typed in eager code) were looked at before. errors: below and above
    the range.
    """
    axis, left = 0, iter(numbers)
    for kind, _ in parts:
        if kind in "ntef":
            continue
        number = next(left) if kind in "ias" else 0
        if kind in "ia" and not isinstance(number, int) and not number.weak_type:
            if not x.shape[axis] and number.size:
                raise RuntimeError("For 'tensor index', the axis has no elements, so that no position is in range.")
            check_range(number, -x.shape[axis], x.shape[axis], "tensor index", errors=errors)
        axis += 1
    traced = [n for n in numbers if not isinstance(n, int)]
    long = any(n.dtype.itemsize == 8 and not n.weak_type for n in traced) or max(x.shape, default=0) >= 1 << 31
    kind = jnp.int64 if long else jnp.int32
    return [n if isinstance(n, int) else n.astype(kind) for n in numbers]


def _aligned(starts):
    """Python numbers as the type of the traced ones."""
    kind = next((s.dtype for s in starts if not isinstance(s, int)), None)
    return starts if kind is None else [jnp.asarray(s, kind) for s in starts]


def _with_bool_axes(shape, parts):
    """The shape with an axis of length 1 for each `t` and `f`."""
    made, lengths = [], iter(shape)
    for kind, _ in parts:
        if kind in "tf":
            made.append(1)
        elif kind not in "ne":
            made.append(next(lengths))
    return (*made, *lengths)


@functools.lru_cache(4096)
def _parsed(structure):
    """[(kind, static numbers)] of the text."""
    return (
        [(p[0], tuple(int(v) for v in p[1:].split("_")) if len(p) > 1 else ()) for p in structure.split(",")]
        if structure
        else []
    )


def _ranges(x, parts, numbers):
    """(starts, sizes, steps) of the box that is cut out of x."""
    starts, sizes, steps = [], [], []
    numbers = iter(numbers)
    for kind, static in parts:
        if kind in "ne":
            continue
        length = x.shape[len(starts)]
        step = 1
        if kind == ":":
            start, size = 0, length
        elif kind == "i":
            start, size = next(numbers), 1
            if not isinstance(start, int):
                start = jnp.where(start < 0, start + length, start)
        elif kind == "s":
            start, size = next(numbers), static[0]
        else:
            start, size, step = static
        starts.append(start)
        sizes.append(size)
        steps.append(step)
    return (
        starts + [0] * (x.ndim - len(starts)),
        sizes + list(x.shape[len(sizes) :]),
        steps + [1] * (x.ndim - len(steps)),
    )


def _cut(x, parts, numbers):
    starts, sizes, steps = _ranges(x, parts, numbers)
    if all(isinstance(s, int) for s in starts):
        low = [s if d > 0 else s + (n - 1) * d for s, n, d in zip(starts, sizes, steps)]
        low = [s if n else 0 for s, n in zip(low, sizes)]
        strides = [abs(d) for d in steps]
        x = lax.slice(x, low, [a + (n - 1) * d + 1 if n else a for a, n, d in zip(low, sizes, strides)], strides)
    else:
        spans = [n if d == 1 else x.shape[i] for i, (n, d) in enumerate(zip(sizes, steps))]
        x = lax.dynamic_slice(x, _aligned([s if d == 1 else 0 for s, d in zip(starts, steps)]), spans)
        for i, (s, n, d) in enumerate(zip(starts, sizes, steps)):
            if d != 1:
                low = s if d > 0 else s + (n - 1) * d
                x = lax.slice_in_dim(x, low if n else 0, low + (n - 1) * abs(d) + 1 if n else 0, abs(d), i)
    turned = tuple(i for i, d in enumerate(steps) if d < 0)
    return lax.rev(x, turned) if turned else x


def _result_shape(sizes, parts):
    shape, axis = [], 0
    for kind, _ in parts:
        if kind in "ne":
            shape.append(1 if kind == "n" else 0)
            continue
        if kind != "i":
            shape.append(sizes[axis])
        axis += 1
    return (*shape, *sizes[axis:])


def _shaped(x, parts):
    shape = _result_shape(x.shape, parts)
    if 0 in shape:
        return jnp.zeros(shape, x.dtype)
    return x if shape == x.shape else lax.reshape(x, shape)


def _numpy_index(parts, numbers):
    """The index into x with its bool axes, as jnp takes it."""
    numbers, index = iter(numbers), []
    for kind, static in parts:
        if kind in "tf":
            index.append(jnp.zeros((kind == "t",), int))
            continue
        if kind in "ne":
            index.append(None if kind == "n" else jnp.zeros((0,), int))
            continue
        if kind == ":":
            index.append(slice(None))
        elif kind in "ia":
            index.append(next(numbers))
        elif kind == "s":
            start = next(numbers)  # a Python number: slices beside arrays are static in eager code too
            index.append(slice(start, start + static[0]))
        else:
            index.append(_static_slice(*static))
    return tuple(index)


def _static_slice(start, size, step):
    stop = start + size * step
    return slice(start, stop if stop >= 0 else None, step) if size else slice(0, 0)


# --- from a Python index to the text
def _slice_part(index, length, parts, numbers, fixed):
    start, stop, step = (v if v is None else _int(v) for v in (index.start, index.stop, index.step))
    if step == 0:
        raise ValueError("For 'tensor getitem', slice step cannot be zero.")
    start, stop, step = slice(start, stop, step).indices(length)
    size = len(range(start, stop, step))
    if size == length and step == 1:
        parts.append(":")
    elif step == 1 and not fixed:
        parts.append(f"s{size}")
        numbers.append(start if size else 0)
    else:
        parts.append(f"z{start if size else 0}_{size}_{step}")


def _int(value):
    if isinstance(value, Tensor):
        return int(value)
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(
            f"For 'tensor getitem', slice indices must be integers or None, but got {type(value).__name__}."
        )
    return value.__index__()


def _is_sequence_index(value):
    return isinstance(value, (list, tuple, range, np.ndarray, jax.Array)) and not isinstance(value, Tensor)


def _as_array(value):
    """A Tensor of positions, or of bools, of a list, range or NumPy array."""
    if isinstance(value, (np.ndarray, jax.Array)):
        box = wrap(value) if isinstance(value, jax.Array) else Tensor(value)
    elif isinstance(value, (list, tuple)) and any(isinstance(v, Tensor) for v in value):
        box = records["stack"]([v if isinstance(v, Tensor) else Tensor(v) for v in value], 0)
    else:
        box = Tensor(np.asarray(value, dtype=None if len(value) else np.int64))
    return box


def structure_of(x: Any, index: Any, writing: bool = False):
    """(text, numbers) of an index into x. `writing`: strided slices are arrays there, so that all slices must be static.

    The text is a key of the compiled program, one part an item; the numbers are its inputs, so that `x[3]` and `x[4]` run one program.
    MindSpore's compiler makes a Tensor of a list, which may then be a mask without True, and has a Tensor's errors.
    """
    if isinstance(index, list) and _means_a_tuple(index):
        index = tuple(index)
    alone = not isinstance(index, tuple)
    index = (index,) if alone else index
    items = [_as_array(v) if _is_sequence_index(v) else v for v in index]
    compiled_list = alone and isinstance(index[0], list) and _is_flat(index[0]) and views.copies()
    if not writing:
        _refuse_nothing(index, items, not x.ndim or compiled_list)
    _check_kinds(items, alone)
    items = [bool(v) if isinstance(v, Tensor) and not v.ndim and v.dtype == mstype.bool_ else v for v in items]
    used = sum(_axes_taken(v) for v in items)
    if used > x.ndim and alone and not x.ndim:
        raise _no_axis_to_index(index[0], writing)
    if used > x.ndim:
        raise IndexError(f"too many indices for tensor of dimension {x.ndim}: got {used}.")
    if sum(v is Ellipsis for v in items) > 1:
        raise IndexError("An index can only have a single ellipsis ('...').")
    arrays = _takes_elements(items)
    strided = any(isinstance(v, slice) and v.step not in (None, 1) for v in items)
    out_of_range = (ValueError if writing else RuntimeError) if compiled_list else IndexError
    structure = _Structure(x, used, arrays, arrays or writing and strided, out_of_range)
    for item, given in zip(items, index):
        structure.add(item, given)
    return ",".join(structure.parts), structure.numbers


def _means_a_tuple(index):
    """Whether a list is read as a tuple, as in old NumPy: x[[[0, 1], [1, 0]]] is x[[0, 1], [1, 0]]."""
    nested = any(v is None or v is Ellipsis or isinstance(v, (Tensor, slice, list, tuple, np.ndarray)) for v in index)
    return nested and not _of_bools(index)


def _check_kinds(items, alone):
    """IndexError for an item that is no index, TypeError for a float inside a tuple. alone: the index is no tuple."""
    for v in items:
        if isinstance(v, float) and not alone:
            raise TypeError("For 'tensor getitem', a number in a tuple index must be an int or a bool, but got float.")
        if not isinstance(v, (Tensor, slice, int, np.integer, bool, np.bool_)) and v is not None and v is not Ellipsis:
            raise IndexError(
                "For 'tensor getitem', the types only support 'Slice', 'Ellipsis', 'None', 'Tensor', 'int', 'List', "
                f"'Tuple', 'bool', but got type '{type(v).__name__}'."
            )


def _takes_elements(items):
    """Whether the items are looked up together, as NumPy's advanced indexing: arrays, and bools beside arrays, numbers or other bools."""
    if any(isinstance(v, Tensor) and v.ndim for v in items):
        return True
    bools = [v for v in items if isinstance(v, (bool, np.bool_))]
    return len(bools) > 1 or bool(bools) and any(_axes_taken(v) and not isinstance(v, slice) for v in items)


class _Structure:
    """Text and numbers of an index into x, made item by item.

    used: how many axes the items take, of which an ellipsis leaves the others. arrays: `_takes_elements`. fixed: the starts of slices are part of the text.
    out_of_range: the error for a list with a position that x does not have.
    """

    def __init__(self, x, used, arrays, fixed, out_of_range):
        self.x, self.used, self.arrays, self.fixed, self.out_of_range = x, used, arrays, fixed, out_of_range
        self.parts, self.numbers, self.axis = [], [], 0

    def add(self, item, given):
        """Note an item, which the user gave as `given`."""
        if item is None:
            self.parts.append("n")
        elif item is Ellipsis:
            rest = self.x.ndim - self.used
            self.parts.extend([":"] * rest)
            self.axis += rest
        elif isinstance(item, slice):
            _slice_part(item, self.x.shape[self.axis], self.parts, self.numbers, self.fixed)
            self.axis += 1
        elif isinstance(item, (bool, np.bool_)):
            self.parts.append(("t" if item else "f") if self.arrays else "n" if item else "e")
        elif not isinstance(item, Tensor):
            self._position("i", checked(int(item), self.x.shape[self.axis]))
        elif item.dtype == mstype.bool_:
            for place in _positions(item, self.x, self.axis):
                self._position("a" if place.ndim else "i", place)
        else:
            self._tensor(item, given)

    def _tensor(self, item, given):
        kind = item.jax_array.dtype.kind
        if kind not in "iu":
            floats_of_a_list = isinstance(given, (list, tuple)) and kind == "f"
            raise (TypeError if floats_of_a_list else IndexError)(
                f"For 'tensor getitem', Tensors used as indices must be of an integer type or bool, but got {item.dtype}."
            )
        if given is not item:
            _check_bounds(given, self.x.shape[self.axis], self.out_of_range)
        self._position("a" if item.ndim else "i", item)

    def _position(self, part, number):
        """A position along the next axis, or an array of them."""
        self.parts.append(part)
        self.numbers.append(number)
        self.axis += 1


def _holds_tensors(value):
    """Whether a list or tuple has a Tensor in it."""
    return isinstance(value, (list, tuple)) and any(isinstance(v, Tensor) or _holds_tensors(v) for v in value)


def _is_flat(index):
    return not any(isinstance(v, (list, tuple, np.ndarray, Tensor)) for v in index)


def _refuse_nothing(index, items, masks):
    """Reading by a list without positions or by False is an error; a Tensor of no positions gives no elements.

    masks: whether a list of bools without True gives none, too, or is refused later.
    """
    for given, item in zip(index, items):
        if isinstance(item, (bool, np.bool_)) and not item:
            raise IndexError("Bool element of an index must be 'True', but got 'False'.")
        if given is not item and isinstance(given, (list, tuple, range, np.ndarray)) and not _holds_tensors(given):
            array = np.asarray(given)
            if not array.size or array.dtype == bool and not array.any() and not masks:
                raise IndexError("When a Tensor is indexed by a list, the list can't be empty.")


def _check_bounds(given, length, error):
    """Positions that Python holds are looked at before anything runs. error: for one that is too large."""
    if isinstance(given, jax.Array) or _holds_tensors(given):
        return
    for i in (int(np.min(given)), int(np.max(given))) if np.size(given) else ():
        if not -length <= i < length:
            kind = error if error is IndexError or length and i > 0 else RuntimeError
            raise kind(f"index {i} is out of bounds for dimension with size {length}.")


def _of_bools(index):
    """Whether a nested list is a mask."""
    while isinstance(index, (list, tuple)) and len(index):
        index = index[0]
    return isinstance(index, (bool, np.bool_))


def _axes_taken(item):
    """How many axes one item of an index takes."""
    if item is None or item is Ellipsis or isinstance(item, (bool, np.bool_)):
        return 0
    return item.ndim if isinstance(item, Tensor) and item.dtype == mstype.bool_ else 1


def _positions(mask, x, axis):
    """Positions of the True elements, one Tensor for each axis of the mask. Traced masks have none: jax says so."""
    refuse_unlike(mask, x, IndexError, axis)
    array = mask.jax_array
    found = jnp.nonzero(array) if isinstance(array, Tracer) else np.nonzero(host_array(array))
    return [Tensor(f) for f in found]


def checked(i: int, length: int):
    """A place counted from the front; IndexError unless it is one of the axis."""
    if not -length <= i < length:
        raise IndexError(f"index {i} is out of bounds for dimension with size {length}.")
    return i + length if i < 0 else i


def _no_axis_to_index(index, writing):
    """MindSpore's error for an index of a Tensor without axes: it takes a number, and a write by one, as a step of an iteration."""
    kind = TypeError if isinstance(index, int) or writing else ValueError
    if views.copies() and isinstance(index, slice):
        kind = IndexError if writing else TypeError
    elif views.copies() and writing:
        kind = ValueError
    if kind is TypeError:
        return TypeError("Cannot iterate over a scalar tensor: it has no axis to index.")
    return kind("The input data's dim must be at least 1 to be indexed, but got 0.")


_get, _set = records["getitem"], records["setitem"]


@composite(ops=False, tensor="__getitem__")
def getitem_operator(self: Array, index: Any):
    """`x[index]`: integers, slices, `...`, None, bools, masks, Tensors, lists and tuples of them."""
    if type(index) is int:
        shape = self.shape
        if not shape:
            raise _no_axis_to_index(index, False)
        args = (self, "i", checked(index, shape[0]))
        return views.link(_get, args, _get(*args))
    eager = not views.copies()
    if eager and index is None:
        return records["expand_dims"](self, 0)  # a part, but not one that writes by its index
    if eager and isinstance(index, Tensor) and index.dtype == mstype.bool_ and index.ndim <= self.ndim:
        refuse_unlike(index, self, ValueError)
    structure, numbers = structure_of(self, index)
    if not structure or structure.count(":") * 2 - 1 == len(structure):
        if eager and type(index) is not slice:
            return self
        return views.link(_get, (self, structure), records["identity"](self), whole=_replaces(index))
    args = (self, structure, *numbers)
    # also what was looked up is written back, as MindSpore does it; but it does not see changes
    looked_up = any(isinstance(n, Tensor) for n in numbers)
    return views.link(_get, args, _get(*args), reads=not looked_up, whole=_replaces(index))


@composite(ops=False, tensor="index", name="index_by_tensors")
def index_by_tensors(self: Array, indices: Any):
    """The elements at positions given by one Tensor an axis, from the first axis on: `x[i, j]`.

    Raises:
        TypeError: `indices` is not a tuple or list of Tensors.

    Example:
        >>> Tensor([[1, 2], [3, 4]]).index([Tensor([0, 1]), Tensor([1, 0])])
        Tensor(shape=[2], dtype=Int64, value= [2, 3])
    """
    if not isinstance(indices, (tuple, list)) or not all(isinstance(i, Tensor) for i in indices):
        raise TypeError(
            f"index(): argument 'indices' (position 1) must be tuple of Tensor, not {type(indices).__name__}."
        )
    return self[tuple(indices)]


@composite(ops=False, tensor="__setitem__")
def setitem_operator(self: Array, index: Any, value: Any):
    """`x[index] = value`: the Tensor then holds the changed content; forms of index as for reading."""
    if isinstance(value, (list, tuple)):
        value = _stacked(value, self.dtype) if any(isinstance(v, Tensor) for v in value) else Tensor(value)
    elif value is None or isinstance(value, (str, bytes)):
        raise TypeError(
            "For 'tensor setitem', the value must be a number, bool, Tensor, list or tuple, but got "
            f"{type(value).__name__}."
        )
    if _replaces(index) and not _has_empty_slice(index, self.shape):
        views.replaced(self)
    if write_by_mask(self, index, value):
        return
    structure, numbers = structure_of(self, index, writing=True)
    _set(self, value, structure, *numbers)


def _stacked(values, dtype):
    """Tensors and numbers as one Tensor: what is no Tensor takes the type of the one that is written to."""
    return records["stack"]([v if isinstance(v, Tensor | np.ndarray) else Tensor(v, dtype) for v in values], 0)


def _replaces(index):
    """Whether `x[index] = v` gives x a new memory: the whole (x[:] = v writes into the old one), or places that are looked up."""
    if index is Ellipsis or index is None:
        return True
    parts = index if isinstance(index, tuple) else (index,)
    return any(v is True or isinstance(v, (Tensor, list, np.ndarray, range)) for v in parts)


def _has_empty_slice(index, shape):
    """Whether a slice of an index takes nothing: then nothing is written."""
    if not isinstance(index, tuple) or not any(isinstance(v, slice) for v in index):
        return False
    axis, rest = 0, len(shape) - sum(map(_axes_taken, index))
    for v in index:
        if (
            isinstance(v, slice)
            and axis < len(shape)
            and not any(isinstance(n, Tensor) for n in (v.start, v.stop, v.step))
        ):
            if not range(*v.indices(shape[axis])):
                return True
        axis += rest if v is Ellipsis else _axes_taken(v)
    return False
