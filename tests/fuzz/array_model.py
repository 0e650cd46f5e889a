"""Tensors by NumPy, for programs of views and writes: a third opinion beside MindSpore and msjax.

The model knows what shares memory, and that a Tensor gets a new memory where it is written whole or at places that are looked up.
`run(source, ...)` runs the text of a function in which `x`, `y`, `ms`, `np`, `ops`, `mint` and `Tensor` mean what they mean in MindSpore:
in PYNATIVE_MODE (parts are views), or compiled (`copies`: parts are copies, and the statement `x[i][j] = v` alone writes through).
"""

import ast
import types

import numpy as np

IN_PLACE = {"add_": np.add, "sub_": np.subtract, "mul_": np.multiply, "div_": np.divide}


class Array:
    """A Tensor.

    copies: whether its parts are copies. parent: (Tensor, index) of an item, which writes to that Tensor. stays: it never gets a new memory.
    shares: whether it lies in the memory of another.
    """

    def __init__(self, array, copies=False, parent=None, stays=False, shares=False):
        self.array, self.copies, self.parent, self.stays, self.shares = array, copies, parent, stays, shares

    def _part(self, array):
        return Array(array.copy() if self.copies else array, self.copies, shares=np.may_share_memory(array, self.array))

    def _new(self, array):
        return Array(np.array(array), self.copies)

    # --- parts
    def __getitem__(self, key):
        key = bare(key)
        found = self.array[key]
        whole = not isinstance(key, slice) and _is_whole(key)
        if whole and found.shape == self.array.shape and not self.copies:
            return self
        if isinstance(found, np.generic):  # NumPy gives a number that is no part
            found = self.array[(*(key if isinstance(key, tuple) else (key,)), ...)]
        shares = np.may_share_memory(found, self.array)
        return self._part(found) if self.copies else Array(found, False, key is not None and (self, key), shares=shares)

    def reshape(self, *shape):
        return self._part(self.array.reshape(shape[0] if isinstance(shape[0], tuple) else shape))

    view = reshape

    def transpose(self, *axes):
        return self._part(self.array.transpose(axes[0] if axes and isinstance(axes[0], tuple) else axes or None))

    permute = transpose

    @property
    def T(self):
        return self if self.array.ndim < 2 and not self.copies else self._part(self.array.T)

    def swapaxes(self, a, b):
        same = self.array.ndim and not (a - b) % self.array.ndim
        return self if same and not self.copies else self.exchanged(a, b)

    def exchanged(self, a, b):
        return self._part(self.array.swapaxes(a, b))

    def expand_dims(self, axis):
        return self._part(np.expand_dims(self.array, axis))

    def squeeze(self, axis=None):
        return self._part(self.array.squeeze(axis))

    def flatten(self):
        return self._part(self.array.reshape(-1))

    ravel = flatten

    def narrow(self, axis, start, length):
        return self._part(self.array[(slice(None),) * (axis % self.array.ndim) + (slice(start, start + length),)])

    def select(self, axis, index):
        return self._part(self.array[(slice(None),) * (axis % self.array.ndim) + (index, ...)])

    def diagonal(self, offset=0, a=0, b=1):
        found = self.array.diagonal(offset, a, b)
        found.setflags(write=True)
        return self._part(found)

    def split(self, size, axis=0):
        length = self.array.shape[axis]
        return tuple(self.narrow(axis, i, min(size, length - i)) for i in range(0, length, size))

    def chunk(self, count, axis=0):
        return self.split(-(-self.array.shape[axis] // count), axis)

    def unbind(self, axis=0):
        return tuple(self.select(axis, i) for i in range(self.array.shape[axis]))

    def broadcast_to(self, shape):
        found = np.lib.stride_tricks.as_strided(self.array, *_broadcast(self.array, shape), writeable=True)
        return self._part(found)

    def __iter__(self):
        return (self[i] for i in range(len(self.array)))

    def __len__(self):
        return len(self.array)

    # --- new Tensors
    def copy(self):
        return self._new(self.array)

    def sum(self, axis=None):
        return self._new(self.array.sum(axis))

    def astype(self, dtype):
        return self._new(self.array) if self.copies or self.shares or self.array.dtype != dtype else self

    def float(self):
        return self._new(self.array) if self.copies or self.shares else self

    def item(self):
        return self.array.item()

    @property
    def shape(self):
        return self.array.shape

    def __bool__(self):
        return bool(self.array)

    # --- writes
    def __setitem__(self, key, value):
        itself = isinstance(value, Array) and value.shares and np.may_share_memory(value.array, self.array)
        nothing = isinstance(key, tuple) and any(isinstance(k, slice) for k in key) and not self.array[bare(key)].size
        if _replaces(key) and not nothing and not self.stays and not (itself and (key is None or key is Ellipsis)):
            self.array, self.shares = self.array.copy(), False
        self.array[bare(key)] = bare(value)
        if self.parent:
            above, index = self.parent
            above[index] = self

    def copy_(self, value):
        self.array[...] = bare(value)
        return self

    fill_ = copy_

    def zero_(self):
        return self.copy_(0)

    def masked_fill_(self, mask, value):
        return self.copy_(np.where(bare(mask), bare(value), self.array))


def _replaces(key):
    """Whether `x[key] = v` gives x a new memory."""
    if key is Ellipsis or key is None:
        return True
    return any(
        k is True or isinstance(k, (Array, np.ndarray, list)) for k in (key if isinstance(key, tuple) else (key,))
    )


def _is_whole(key):
    return all(
        k is Ellipsis or isinstance(k, slice) and k.step in (None, 1)
        for k in (key if isinstance(key, tuple) else (key,))
    )


def _broadcast(array, shape):
    """(shape, strides) of an array broadcast to a shape in which -1 keeps an axis."""
    more = len(shape) - array.ndim
    kept = [array.shape[i - more] if n == -1 else n for i, n in enumerate(shape)]
    return kept, np.broadcast_to(array, kept).strides


def _operator(name):
    return lambda self, *other: self._new(getattr(self.array, name)(*map(bare, other)))


for _name in (
    "add sub mul truediv floordiv mod pow radd rsub rmul rtruediv neg gt lt ge le eq ne and or invert matmul"
).split():
    setattr(Array, f"__{_name}__", _operator(f"__{_name}__"))
for _name, _ufunc in IN_PLACE.items():
    setattr(Array, _name, lambda self, value, f=_ufunc: self.copy_(f(self.array, bare(value))))


def bare(value):
    """What NumPy takes for a value, an index or a nest of them."""
    if isinstance(value, Array):
        return value.array
    if isinstance(value, (tuple, list)):
        return type(value)(map(bare, value))
    return value


def _method(name):
    return lambda x, *args: getattr(x, name)(*args)


_shared = {
    n: _method(n) for n in "reshape permute swapaxes squeeze narrow select split chunk unbind broadcast_to".split()
}
OPS = types.SimpleNamespace(
    **_shared,
    transpose=_method("transpose"),
    expand_dims=_method("expand_dims"),
    unstack=_method("unbind"),
    diagonal=_method("diagonal"),
    tanh=lambda x: x._new(np.tanh(x.array)),
    flip=lambda x, axes: x._new(np.flip(x.array, axes)),
    stop_gradient=lambda x: x.float(),
)
MINT = types.SimpleNamespace(**_shared, transpose=_method("exchanged"), unsqueeze=_method("expand_dims"))
MS = types.SimpleNamespace(float32=np.float32, float16=np.float16, int32=np.int32, int64=np.int64, bool_=np.bool_)
NAMES = {"ms": MS, "np": np, "ops": OPS, "mint": MINT, "Tensor": lambda value, dtype=None: np.array(value, dtype)}


class _Through(ast.NodeTransformer):
    """The target `x[i][j]` of an assignment becomes `THROUGH(x)[i][j]`."""

    def visit_Assign(self, node):
        node.targets = [self._through(t) for t in node.targets]
        return node

    def visit_AugAssign(self, node):
        node.target = self._through(node.target)
        return node

    @staticmethod
    def _through(target):
        inner = target
        while isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Subscript):
            inner = inner.value
        if inner is not target:
            inner.value = ast.Call(ast.Name("THROUGH", ast.Load()), [inner.value], [])
        return target


def compiled(source, copies):
    """The code of a source text."""
    tree = ast.parse(source)
    if copies:
        tree = ast.fix_missing_locations(_Through().visit(tree))
    return compile(tree, "<model>", "exec")


def names():
    """The names that a program sees."""
    return {**NAMES, "THROUGH": lambda x: Array(x.array, stays=True) if isinstance(x, Array) else x}


def run(source, x, y, copies):
    """What `f(x, y)` of a source text gives, and the x that it leaves behind, as arrays."""
    with np.errstate(all="ignore"):
        space = names()
        exec(compiled(source, copies), space)
        x = Array(np.array(x), copies)
        found = space["f"](x, Array(np.array(y), copies))
    return [v.array for v in found], x.array
