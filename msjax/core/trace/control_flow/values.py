"""Take Python values apart into arrays and the rest, and join the values of two branches.

A value is a tree of tuples, lists and dicts. Its leaves are Tensors and arrays, which a staged branch returns; Python
numbers, which stay as they are while both branches agree and become Tensors when they do not; and everything else,
which must agree.
"""

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...compat import Tracer
from ...values.promote import kind_of, result_dtype
from ...values.tensor import Tensor, wrap
from ..effects import current as current_journal
from ..effects import made
from ..frame import current as current_frame
from ..numbers import number

if TYPE_CHECKING:
    from ..frame import Frame

    pass

_NUMBERS = (bool, int, float, complex, np.generic)


class Mismatch(Exception):
    """Two values cannot be joined."""


class UnlikeTypes(Mismatch):
    """Two values are of types that MindSpore does not join: a Tensor and a number, Tensors of two dtypes, a list and a tuple."""


class Array:
    """A leaf that is the `index`-th array of a branch (or, outside, the array itself)."""

    __slots__ = ("index", "array", "origin", "boxed", "shape", "dtype", "weak")

    def __init__(
        self,
        index: int | None,
        array: jax.Array | None,
        origin: Tensor | None,
        boxed: bool,
        like: jax.ShapeDtypeStruct | jax.Array,
    ):
        self.index, self.array, self.origin, self.boxed = index, array, origin, boxed
        self.shape, self.dtype, self.weak = tuple(like.shape), like.dtype, bool(getattr(like, "weak_type", False))

    def __str__(self):
        return f"a Tensor of shape {self.shape} and dtype {self.dtype}"


class Fixed:
    """A leaf that is not an array, or an array that is the same object in every branch."""

    __slots__ = ("origin",)

    def __init__(self, value: Any):
        self.origin = value

    def __str__(self):
        text = repr(self.origin)
        return text if len(text) < 60 else f"a {type(self.origin).__name__}"


class Node:
    """A tuple, list, named tuple, dict (with `keys`), or an object that `rebuild` makes again of its parts.

    `origin` is the container itself where it was not made in the branch: it stays that one if both sides have it.
    """

    __slots__ = ("kind", "keys", "children", "rebuild", "origin")

    def __init__(self, kind: type, keys: Any, children: list, rebuild: Callable | None = None, origin: Any = None):
        self.kind, self.keys, self.children, self.rebuild, self.origin = kind, keys, children, rebuild, origin

    def __str__(self):
        return f"a {self.kind.__name__} of {len(self.children)}"


class Choice:
    """One array of the joined value: its array on each side, and its joined shape and dtype."""

    __slots__ = ("sides", "shape", "dtype", "weak")

    def __init__(self, sides: tuple, shape: tuple, dtype: Any, weak: bool):
        self.sides, self.shape, self.dtype, self.weak = sides, shape, dtype, weak

    def spec(self):
        return self.shape, self.dtype, self.weak

    def pick(self, side: int, arrays: Sequence):
        """The array of one side, in the joined dtype; zeros where the side has none."""
        leaf = self.sides[side]
        if leaf is None:
            return jnp.broadcast_to(number_array(0, self.dtype) if self.weak else jnp.zeros((), self.dtype), self.shape)
        if isinstance(leaf, Fixed):
            return number_array(leaf.origin, self.dtype) if self.weak else jnp.asarray(leaf.origin, self.dtype)
        array = arrays[leaf.index] if leaf.array is None else leaf.array
        if leaf.dtype == self.dtype and leaf.weak == self.weak:
            return array
        return lax.convert_element_type(array, self.dtype)


def flatten(value: Any, arrays: Sequence | None = None, frame: "Frame | None" = None, changes: dict | None = None):
    """Tree of a value. With `arrays` (a list) its arrays are appended there; without, the leaves hold them.

    `frame` is the branch's frame: a Tensor that was made in it is not kept. `changes` are those of a branch that has
    been traced: what it changed in place is taken from there, so the tree shows what the value is after that branch.
    """
    if isinstance(value, Tensor):
        if value._through_frames or not isinstance(value._data, jax.Array):
            return Fixed(value)
        if changes and ("box", id(value)) in changes:
            inside = changes["box", id(value)][1]
            return Array(inside.index, None, value, True, inside)
        return _array_leaf(value._data, arrays, None if frame is not None and _made_in(frame, value) else value, True)
    if isinstance(value, jax.Array):
        return _array_leaf(value, arrays, None if arrays is not None and isinstance(value, Tracer) else value, False)
    if changes and ("content", id(value)) in changes:
        return changes["content", id(value)][1]
    kind = type(value)
    if kind is dict or kind is list or kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        keys = tuple(value) if kind is dict else None
        parts = [flatten(v, arrays, frame, changes) for v in (value.values() if kind is dict else value)]
        return Node(kind, keys, parts, origin=None if kind not in (dict, list) or _is_new(value, frame) else value)
    if hasattr(kind, "_tensor_parts"):  # a sparse Tensor
        parts, rebuild = value._tensor_parts()
        return Node(kind, None, [flatten(p, arrays, frame, changes) for p in parts], rebuild)
    return Fixed(value)


def holds_any_of(value: Any, frame: "Frame"):
    """Whether a value contains a Tensor that was made in a frame."""
    if isinstance(value, Tensor):
        return _made_in(frame, value)
    if isinstance(value, dict):
        value = value.values()
    return isinstance(value, (list, tuple, type({}.values()))) and any(holds_any_of(v, frame) for v in value)


def _is_new(container, frame):
    return frame is not None and (id(container) in current_journal().born or holds_any_of(container, frame))


def _made_in(frame, box):
    return box._var is frame and id(box) not in frame.rebound


def _array_leaf(array, arrays, origin, boxed):
    if arrays is None:
        return Array(None, array, origin, boxed, array)
    arrays.append(array)
    return Array(len(arrays) - 1, None, origin, boxed, array)


def check_types(a: Fixed | jax.Array, b: Fixed | jax.Array):
    """Raise UnlikeTypes where MindSpore does not join the trees of two branches. (Shapes, lengths and None are another matter.)"""
    if isinstance(a, Node) and isinstance(b, Node) and a.kind is b.kind:
        for x, y in zip(a.children, b.children):
            check_types(x, y)
        return
    kinds = [_type_of(x) for x in (a, b)]
    if None not in kinds and kinds[0] != kinds[1]:
        raise UnlikeTypes(f"it is {a} on one side and {b} on the other")


def _type_of(tree):
    """The type that both sides must share, or None if any is allowed."""
    if isinstance(tree, Node):
        return tree.kind
    if isinstance(tree, Array):
        return kind_of(tree.dtype) if tree.weak else _type_of_tensor(tree.dtype)
    value = tree.origin
    if isinstance(value, Tensor) and isinstance(value._data, jax.Array):
        return _type_of_tensor(value._data.dtype)
    return kind_of(np.dtype(type(value))) if type(value) in (bool, int, float, complex) else None


def _type_of_tensor(dtype):
    """A bool passes for a number: arrays of bools are never weakly typed, so one of True and False looks like a Tensor."""
    return ("Tensor", dtype) if kind_of(dtype) else 0


def merge(a: Fixed | jax.Array, b: Fixed | jax.Array, choices: list):
    """Join the trees of two sides; each array of the result is appended to `choices`. Raises Mismatch."""
    if isinstance(a, Node) and isinstance(b, Node):
        if a.origin is not None and a.origin is b.origin:
            return Fixed(a.origin)  # what it holds is joined as a change of its own
        if a.kind is not b.kind or a.keys != b.keys or len(a.children) != len(b.children):
            raise Mismatch(f"it is {a} on one side and {b} on the other")
        return Node(a.kind, a.keys, [merge(x, y, choices) for x, y in zip(a.children, b.children)], a.rebuild)
    if isinstance(a, Node) or isinstance(b, Node):
        raise Mismatch(f"it is {a} on one side and {b} on the other")
    if (
        a.origin is not None
        and a.origin is b.origin
        or isinstance(a, Fixed)
        and isinstance(b, Fixed)
        and _same(a.origin, b.origin)
    ):
        return Fixed(a.origin)
    for leaf in (a, b):
        if (
            isinstance(leaf, Fixed)
            and not isinstance(leaf.origin, _NUMBERS)
            and not getattr(leaf.origin, "_through_frames", False)
        ):
            raise Mismatch(f"it is {a} on one side and {b} on the other")
    a, b = (
        flatten(wrap(x.origin._data)) if isinstance(x, Fixed) and isinstance(x.origin, Tensor) else x for x in (a, b)
    )
    shapes = [x.shape if isinstance(x, Array) else () for x in (a, b)]
    if shapes[0] != shapes[1]:
        raise Mismatch(f"its shape is {shapes[0]} on one side and {shapes[1]} on the other")
    boxed = any(x.boxed if isinstance(x, Array) else False for x in (a, b)) or not any(
        isinstance(x, Array) for x in (a, b)
    )
    dtype, weak = _joined_dtype(a, b)
    return _chosen(choices, Choice((a, b), shapes[0], dtype, weak), boxed)


def fill(tree: Any, side: int, choices: Any):
    """Join the tree of a side (0 or 1) with another side that has no value at all: zeros there, which nobody reads."""
    if isinstance(tree, Node):
        return Node(tree.kind, tree.keys, [fill(c, side, choices) for c in tree.children], tree.rebuild)
    if isinstance(tree, Fixed):
        return tree
    return _chosen(
        choices, Choice((tree, None) if side == 0 else (None, tree), tree.shape, tree.dtype, tree.weak), tree.boxed
    )


def _chosen(choices, choice, boxed):
    choices.append(choice)
    return Array(
        len(choices) - 1, None, None, boxed, jax.ShapeDtypeStruct(choice.shape, choice.dtype, weak_type=choice.weak)
    )


def _joined_dtype(a, b):
    """(dtype, weak). A Python number stays a weakly typed array, so it still does not decide between float widths."""
    if isinstance(a, Array) and isinstance(b, Array) and a.dtype == b.dtype:
        return a.dtype, a.weak and b.weak
    operands = [
        x.origin if isinstance(x, Fixed) else jax.ShapeDtypeStruct(x.shape, x.dtype, weak_type=x.weak) for x in (a, b)
    ]
    try:
        dtype = result_dtype(*operands)
    except TypeError as error:
        raise Mismatch(str(error)) from None
    weak = all(_stays_weak(x, dtype) for x in (a, b)) and kind_of(dtype) > 0
    return dtype, weak


def _stays_weak(leaf, dtype):
    if isinstance(leaf, Fixed):
        return isinstance(leaf.origin, (bool, int, float, complex))
    return leaf.weak and leaf.dtype == dtype


def _same(a, b):
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, Tensor):
        return False
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and bool((a == b).all())
    try:
        return bool(a == b) and (not isinstance(a, float) or str(a) == str(b))  # -0.0 is not 0.0
    except Exception:  # a comparison that does not give a truth value
        return False


@functools.lru_cache(512)
def _weak(kind, value, text):
    with jax.ensure_compile_time_eval(), jax.enable_x64(kind is int):
        return jnp.asarray(kind(value))


def number_array(value: Any, dtype: Any):
    """Weakly typed array of a Python number, with int64, float32 or complex64 inside."""
    return _weak(
        (bool, int, float, complex)[kind_of(np.dtype(dtype))], value, str(value)
    )  # -0.0 == 0.0, but not its text


def build(tree: Any, arrays: Sequence):
    """Value of a joined tree."""
    if isinstance(tree, Fixed):
        return tree.origin
    if isinstance(tree, Array):
        array = arrays[tree.index]
        if not tree.boxed:
            return array
        return number(array) if tree.weak and not tree.shape else wrap(array, current_frame())
    children = [build(c, arrays) for c in tree.children]
    if tree.kind is dict:
        return made(dict(zip(tree.keys, children)))
    if tree.rebuild is not None:
        return tree.rebuild(*children)
    if tree.kind in (list, tuple):
        return made(children) if tree.kind is list else tuple(children)
    return tree.kind._make(children)
