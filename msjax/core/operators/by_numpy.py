"""Runs small programs in NumPy where NumPy gives the same bits, for shapes that an operator sees only a few times.

To compile an operator for one more shape takes XLA 15 to 30 ms of processor time, be it a transposition. Where a program only moves elements,
or rounds each of them at most once (an addition, a product, a comparison), NumPy gives the same bits at once. `plan` turns the jaxpr of such
a program into a list of NumPy calls, and gives None for any other.

XLA takes denormal numbers for zeros, on the way in and out; fuses a product with the sum that follows it (one rounding instead of two); and
divides by a scalar by way of its reciprocal. So a result that was rounded is not rounded again here, quotients are those of two arrays,
and arithmetic goes through `_flushed`.
"""

import dataclasses
import functools
import math
from typing import Any

import jax
import numpy as np

from ..compat import Literal
from ..program.interpreter import Interpreter
from ..program.parts import scan_of
from ..program.primitives import name_of
from ..program.tables import Table
from ..values.tensor import on_device
from . import eager_options

MOST_ELEMENTS = 1 << 20  # of an array: beyond, XLA's threads gain more than its compiler takes
_MOST_STEPS, _MOST_ROUNDS = 64, 16


def _flushed(x):
    """Denormal numbers as zeros of their sign."""
    if x.dtype.kind != "f" or x.dtype.itemsize < 4:
        return x
    small = np.abs(x) < np.finfo(x.dtype).tiny
    return x * ~small if small.any() else x


def _arithmetic(function):
    def run(*arrays):
        return _flushed(np.asarray(function(*map(_flushed, arrays))))

    return lambda params: run


def _comparison(function):
    return lambda params: lambda x, y: function(_flushed(x), _flushed(y))


def _extreme(function, one_negative):
    """Maximum or minimum with the signs of zeros by IEEE 754-2019, which NumPy leaves open."""

    def run(x, y):
        x, y = _flushed(x), _flushed(y)
        out = np.asarray(function(x, y))
        zero = out == 0
        if out.dtype.kind == "f" and zero.any():
            sign = np.where(one_negative(np.signbit(x), np.signbit(y)), -1, 1).astype(out.dtype)
            out = np.where(zero, np.copysign(np.zeros((), out.dtype), sign), out)
        return out

    return lambda params: run


def _select(params):
    def run(which, *cases):
        if which.dtype != bool:
            return np.choose(which, cases)
        return np.where(which, cases[1], cases[0])

    return run


def _broadcast(params):
    shape, places = params["shape"], params["broadcast_dimensions"]

    def run(x):
        spread = [1] * len(shape)
        for at, size in zip(places, x.shape):
            spread[at] = size
        return np.broadcast_to(x.reshape(spread), shape)

    return run


def _slice(params):
    steps = params["strides"] or [1] * len(params["start_indices"])
    index = tuple([slice(*s) for s in zip(params["start_indices"], params["limit_indices"], steps)])
    return lambda x: x[index]


def _dynamic_slice(params):
    sizes = params["slice_sizes"]

    def run(x, *starts):
        at = [min(max(int(s), 0), n - size) for s, n, size in zip(starts, x.shape, sizes)]
        return x[tuple([slice(s, s + size) for s, size in zip(at, sizes)])]

    return run


def _pad(params):
    config = params["padding_config"]
    if any(low < 0 or high < 0 or inner for low, high, inner in config):
        return None

    def run(x, value):
        out = np.full([n + low + high for n, (low, high, _) in zip(x.shape, config)], value, x.dtype)
        out[tuple([slice(low, low + n) for n, (low, _, _) in zip(x.shape, config)])] = x
        return out

    return run


def _split(params):
    ends = np.cumsum(params["sizes"])[:-1]
    return lambda x: np.split(x, ends, params["axis"])


def _convert(params):
    wanted = np.dtype(params["new_dtype"])

    def run(x):
        return _flushed(_flushed(x).astype(wanted))

    return run


def _rows(params):
    """Rows of a table: `table[indices]` along the first axis."""
    numbers, (table, indices) = params["dimension_numbers"], params["inputs"]
    places, mode = tuple(range(indices.ndim - 1, indices.ndim + table.ndim - 2)), params["mode"]
    plain = numbers.collapsed_slice_dims == numbers.start_index_map == (0,) and numbers.offset_dims == places
    if not plain or params["slice_sizes"] != (1, *table.shape[1:]) or numbers.operand_batching_dims:
        return None
    if mode != jax.lax.GatherScatterMode.FILL_OR_DROP or params["fill_value"] != 0:
        return None

    def run(table, indices):
        at = indices[..., 0]
        inside = (at >= 0) & (at < table.shape[0])
        out = table[np.where(inside, at, 0)]
        if not inside.all():
            out[~inside] = 0
        return out

    return run


def _add_to_rows(params):
    """Rows added to rows of a table, one after the other: the gradient of `_rows`."""
    numbers, (table, indices, rows) = params["dimension_numbers"], params["inputs"]
    places = tuple(range(indices.ndim - 1, rows.ndim))
    plain = numbers.inserted_window_dims == numbers.scatter_dims_to_operand_dims == (0,)
    if not plain or numbers.update_window_dims != places or rows.shape[indices.ndim - 1 :] != table.shape[1:]:
        return None
    if numbers.operand_batching_dims or params["mode"] != jax.lax.GatherScatterMode.FILL_OR_DROP:
        return None

    def run(table, indices, rows):
        at = indices[..., 0]
        inside = (at >= 0) & (at < table.shape[0])
        out = _flushed(table).copy()
        np.add.at(out, at[inside], _flushed(rows)[inside])
        return _flushed(out)

    return run


def _reduction(function):
    return lambda params: lambda x: function(x, axis=tuple(params["axes"]))


def _iota(params):
    shape, axis = params["shape"], params["dimension"]
    spread = [n if i == axis else 1 for i, n in enumerate(shape)]
    return np.broadcast_to(np.arange(shape[axis], dtype=params["dtype"]).reshape(spread), shape)


# --- the table: a rule gives, for the parameters of an equation, the function of NumPy arrays or None
NUMPY = Table("programs of NumPy")


@dataclasses.dataclass(frozen=True)
class _Row:
    """make: a function of the parameters. kind: "moves" elements of any type; "computes" without a rounding; "rounds" each element once;
    "integers": computes, of these alone; "library": a compiled call, or a loop.
    """

    make: object
    kind: str


def _numpy(kind, **makes):
    for name, make in makes.items():
        NUMPY.put(_Row(make, kind), name.removesuffix("_"))


_numpy(
    "moves",
    broadcast_in_dim=_broadcast,
    concatenate=lambda params: lambda *x: np.concatenate(x, params["dimension"]),
    copy=lambda params: lambda x: x,
    dynamic_slice=_dynamic_slice,
    expand_dims=lambda params: lambda x: np.expand_dims(x, tuple(params["dimensions"])),
    gather=_rows,
    iota=lambda params: functools.partial(_iota, params),
    pad=_pad,
    reduce_and=_reduction(np.logical_and.reduce),
    reduce_or=_reduction(np.logical_or.reduce),
    reshape=lambda params: lambda x: x.reshape(params["new_sizes"]),
    rev=lambda params: lambda x: np.flip(x, tuple(params["dimensions"])),
    select_n=_select,
    slice=_slice,
    split=_split,
    squeeze=lambda params: lambda x: np.squeeze(x, tuple(params["dimensions"])),
    stack=lambda params: lambda *x: np.stack(x, params["axis"]),
    stop_gradient=lambda params: lambda x: x,
    transpose=lambda params: lambda x: x.transpose(params["permutation"]),
)
_numpy(
    "computes",
    abs=lambda params: np.abs,
    and_=lambda params: np.bitwise_and,
    convert_element_type=_convert,
    eq=_comparison(np.equal),
    ge=_comparison(np.greater_equal),
    gt=_comparison(np.greater),
    le=_comparison(np.less_equal),
    lt=_comparison(np.less),
    max=_extreme(np.maximum, np.logical_and),
    min=_extreme(np.minimum, np.logical_or),
    ne=_comparison(np.not_equal),
    neg=lambda params: np.negative,
    not_=lambda params: np.invert,
    or_=lambda params: np.bitwise_or,
    xor=lambda params: np.bitwise_xor,
)
_numpy(
    "rounds",
    add=_arithmetic(np.add),
    add_any=_arithmetic(np.add),
    div=_arithmetic(np.divide),
    integer_pow=lambda params: _arithmetic(np.square)(params) if params["y"] == 2 else None,
    mul=_arithmetic(np.multiply),
    scatter_add=_add_to_rows,
    square=_arithmetic(np.square),
    sub=_arithmetic(np.subtract),
)
_numpy("integers", reduce_max=_reduction(np.max), reduce_min=_reduction(np.min))
NUMPY.leave(
    "NumPy rounds otherwise than XLA, or has no such function",
    "elementwise",
    "matrices",
    "transforms",
    "attention",
    "solvers",
)
NUMPY.leave("NumPy adds in another order than XLA", "reducing", "cumulative", "windows", "products")
NUMPY.leave("written out where it is called", "own", "calls")
NUMPY.leave(
    "not among the first calls of eager programs, where a compilation was measured to cost more",
    "moving",
    "indexing",
    "ordering",
)
NUMPY.leave(
    "not among the first calls of eager programs",
    "making",
    "sparse",
    "random",
    "loops",
    "branches",
    "extended types",
    "shapes",
)
NUMPY.leave(
    "of several devices, or of one that is no processor",
    "placing",
    "collectives",
    "split collectives",
    "mapped",
    "places",
)
NUMPY.leave(
    "does more than to compute, or NumPy cannot look into it", "host", "tokens", "references", "opaque", "kernels"
)

_PLAIN = "?bhilqBHILQfd"  # types that NumPy computes with as XLA does; others are moved only


def _function(eqn, rounded):
    """(function that computes an equation or None, whether its results are rounded). rounded: which of its inputs were."""
    row, params = NUMPY.of(eqn), {**eqn.params, "inputs": [v.aval for v in eqn.invars]}
    if row is None:
        return None, False
    if row.kind == "moves":
        return row.make(params), any(rounded)
    if row.kind == "library":
        return None if any(rounded) else row.make(params), name_of(eqn) == "scan"
    avals = [*params["inputs"], *[v.aval for v in eqn.outvars]]
    if any(a.dtype.char not in _PLAIN for a in avals):
        return None, False
    real = any(a.dtype.kind == "f" for a in avals)
    if row.kind == "integers":
        return None if real else row.make(params), False
    if row.kind == "computes":
        if name_of(eqn) == "convert_element_type" and avals[0].dtype.kind == "f" and avals[1].dtype.kind != "f":
            return None, False  # what lies beyond the range of whole numbers is XLA's own
        return row.make(params), any(rounded)
    if real and any(rounded):
        return None, False
    if any(isinstance(v, Literal) and v.val in (-1, 0, 1) for v in eqn.invars) and real:
        return None, False  # XLA leaves such an operation out, with what it does to -0 and to denormal numbers
    if name_of(eqn) == "div" and (not real or eqn.invars[1].aval.ndim == 0):
        return None, False
    return row.make(params), real


def _fits(aval):
    """Whether NumPy has arrays of this kind (of random keys it has none), and they are not too large."""
    return isinstance(aval.dtype, np.dtype) and math.prod(aval.shape) <= MOST_ELEMENTS


# --- library calls: convolutions and products
@functools.cache
def _library_call(function, options):
    """The compiled core of a call of XLA's library (convolution, product) with these parameters, without surrounding
    operations.
    """
    return jax.jit(functools.partial(function, **dict(options)), compiler_options=eager_options.cheap())


def _convolution(params):
    """A convolution in the layout of the library that XLA calls (channels last), between transpositions by NumPy.

    XLA compiles a kernel for each of the three transpositions; they take four fifths of the 50 ms for a convolution.
    """
    names, inputs = params["dimension_numbers"], params["inputs"]
    plain = params["feature_group_count"] == params["batch_group_count"] == 1 and len(inputs[0].shape) == 4
    if (
        not plain
        or any(a.dtype != np.float32 for a in inputs)
        or params["preferred_element_type"] not in (None, np.float32)
    ):
        return None
    lhs, rhs, out = names.lhs_spec, names.rhs_spec, names.out_spec
    given = [(lhs[0], *lhs[2:], lhs[1]), (*rhs[2:], rhs[1], rhs[0])]
    back = np.argsort([out[0], *out[2:], out[1]])
    kept = ("window_strides", "padding", "lhs_dilation", "rhs_dilation", "precision", "preferred_element_type")
    options = (("dimension_numbers", ("NHWC", "HWIO", "NHWC")), *[(name, params[name]) for name in kept])
    program = _library_call(jax.lax.conv_general_dilated, options)

    def run(x, weight):
        arrays = [on_device(np.array(a.transpose(order), order="C")) for a, order in zip((x, weight), given)]
        return np.asarray(program(*arrays)).transpose(back)

    return run


def _product(params):
    """The function for a product of two matrices. None for a product with a vector, and where XLA fuses the product with
    other operations: both add in another order.
    """
    if not eager_options.emitters_are_off():
        return None
    plain = all(a.dtype == np.float32 and a.ndim == 2 and min(a.shape) > 3 for a in params["inputs"])
    if not plain or params["preferred_element_type"] not in (None, np.float32) or params["out_sharding"] is not None:
        return None
    options = tuple([(name, params[name]) for name in ("dimension_numbers", "precision", "preferred_element_type")])
    program = _library_call(jax.lax.dot_general, options)
    return lambda x, y: np.asarray(program(*[on_device(np.array(a, order="C")) for a in (x, y)]))


def _scan(params):
    """A short loop, run round by round; the values carried to the next round are not rounded together with it."""
    body, length = params["jaxpr"], params["length"]
    if length > _MOST_ROUNDS or params["reverse"]:
        return None
    run_body = _program(body)
    if run_body is None:
        return None
    scan = scan_of(params)

    def run(*arrays):
        consts, carry, rows = scan.inputs(arrays)
        made = []
        for i in range(length):
            carry, out = scan.outputs(run_body(*consts, *carry, *[r[i] for r in rows]))
            made.append(out)
        return [*carry, *map(np.stack, zip(*made))]

    return run


_numpy("library", conv_general_dilated=_convolution, dot_general=_product, scan=_scan)


class _Unable(Exception):
    """NumPy does not give the bits of an equation."""


class _Builder(Interpreter):
    """Collects the steps of a program: (function, places of its inputs, place of its first result, how many). Values are places."""

    def __init__(self):
        self.steps, self.constants, self.rounded, self.library, self.count = [], {}, set(), set(), 0

    def place(self):
        self.count += 1
        return self.count - 1

    def literal(self, atom):
        return self.kept(atom.val, atom.aval.dtype)

    def constant(self, value, variable):
        return self.kept(value, value.dtype)

    def kept(self, value, dtype):
        at = self.place()
        self.constants[at] = np.asarray(value, dtype)
        return at

    def enters(self, eqn, given, around):
        return True

    def equation(self, eqn, given, around):
        """Add an equation that is one NumPy call, or one of the library's."""
        if eqn.effects or len(self.steps) == _MOST_STEPS or any(not _fits(v.aval) for v in (*eqn.invars, *eqn.outvars)):
            raise _Unable
        function, rounds = _function(eqn, [at in self.rounded for at in given])
        if function is None:
            raise _Unable
        outs = [self.place() for _ in eqn.outvars]
        if rounds:
            self.rounded.update(outs)
        if name_of(eqn) == "dot_general":
            self.library.add(function)
        self.steps.append((function, given, outs[0], len(outs)))
        return outs


def _program(closed):
    """Function from NumPy arrays to the list of a closed jaxpr's results, or None."""
    builder = _Builder()
    inputs = [builder.place() for _ in closed.jaxpr.invars]
    try:
        outputs = builder.run(closed, inputs, wanted=[True] * len(closed.jaxpr.outvars))
    except _Unable:
        return None
    if all(function in builder.library for function, *_ in builder.steps) and builder.library:
        return None  # nothing would be left out
    steps, blank = builder.steps, [None] * (builder.count - len(inputs))
    for at, value in builder.constants.items():
        blank[at - len(inputs)] = value

    def run(*arrays):
        found = [*arrays, *blank]
        for function, given, at, count in steps:
            out = function(*[found[i] for i in given])
            if count == 1:
                found[at] = np.asarray(out[0] if type(out) is list else out)
            else:
                found[at : at + count] = out
        return [found[at] for at in outputs]

    return run


def plan(traced: Any):
    """Function from the arrays of a traced call to its result, or None if NumPy does not give the same bits.

    traced: what `jax.jit(f).trace(*arrays)` gave, for arrays on one device.
    """
    closed = traced.jaxpr
    types = [v.aval.dtype for v in closed.jaxpr.invars]
    results = [v.aval.dtype for v in closed.jaxpr.outvars]
    compute = _program(closed) if all(isinstance(t, np.dtype) for t in types) else None
    if compute is None:
        return None
    tree = jax.tree.structure(traced.out_info)

    def run(*arrays):
        arrays = jax.tree.leaves(arrays)
        with np.errstate(all="ignore"):
            found = compute(*map(np.asarray, arrays, types))
        return tree.unflatten([_as_array(value, dtype) for value, dtype in zip(found, results)])

    return run


def _as_array(value, dtype):
    """A jax.Array of memory that nobody else has."""
    if value.base is not None or value.dtype != dtype or not value.flags.writeable:
        value = np.array(value, dtype, order="C")
    return on_device(value)
