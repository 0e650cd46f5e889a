"""The user's own operators: `ops.Custom`, `ops.PyFunc`, and the registration calls around them (see also
`ops.custom.register`).
"""

import inspect
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...core import host_calls
from ...core.errors import note_host_error
from ...core.grad.own_gradient import call_with_gradient
from ...core.operators.primitive import Primitive, prim_attr_register
from ...core.operators.record import Record
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from .hybrid import kernel, ms_kernel

__all__ = [
    "AiCPURegOp",
    "AkgAscendRegOp",
    "AkgGpuRegOp",
    "CpuRegOp",
    "Custom",
    "CustomRegOp",
    "DataType",
    "PyExecute",
    "PyFunc",
    "TBERegOp",
    "_get_cache_prim",
    "custom_info_register",
    "kernel",
    "ms_kernel",
    "op_info_register",
    "prim_arg_register",
]


def _shape_dtypes(name, out_shape, out_dtype, arrays):
    """The outputs that the user promises, from values or from functions of the inputs' shapes and dtypes."""
    shapes, dtypes = [a.shape for a in arrays], [mstype.from_numpy(a.dtype) for a in arrays]
    shape = out_shape(*shapes) if callable(out_shape) else out_shape
    dtype = out_dtype(*dtypes) if callable(out_dtype) else out_dtype
    several = isinstance(dtype, (tuple, list))
    if not several:
        shape, dtype = (shape,), (dtype,)
    if len(shape) != len(dtype):
        raise ValueError(
            f"For '{name}', the output shapes and dtypes must be of the same number, but got {len(shape)} and "
            f"{len(dtype)}."
        )
    made = tuple(
        jax.ShapeDtypeStruct(tuple(s) if isinstance(s, (tuple, list)) else (s,), mstype.to_numpy(d))
        for s, d in zip(shape, dtype)
    )
    return made if several else made[0]


def _on_host(name, fn, promise, attributes=()):
    """A function of arrays that runs `fn` of NumPy arrays on the host."""

    def call(*arrays):
        out = promise(arrays)

        def host(*values):
            try:
                result = fn(*[np.asarray(v) for v in values], *attributes)
            except Exception as error:
                note_host_error(error)
                raise
            results = result if isinstance(out, tuple) else (result,)
            wanted = out if isinstance(out, tuple) else (out,)
            made = tuple(np.asarray(r, w.dtype).reshape(w.shape) for r, w in zip(results, wanted))
            return made if isinstance(out, tuple) else made[0]

        return host_calls.ask(host, out, *arrays)

    call.__name__ = name
    return call


class Custom(Primitive):
    """An operator of the user's own function.

    Args:
        func: function of NumPy arrays ("pyfunc": it runs on the host) or of Tensors and arrays ("hybrid": it is traced
        where JAX can). One that `ops.kernel` made runs on the host, and needs no `out_shape` and `out_dtype`.
        out_shape, out_dtype: shapes and dtypes of the outputs, or functions that compute them from those of the inputs.
        func_type: "pyfunc" or "hybrid"; other kinds are compiled for one vendor's devices and refused.
        bprop: function (inputs..., output, gradient) that gives the gradients. reg_info: accepted; nothing is to be
        registered here.

    Raises:
        TypeError: `func` is not a function; no `out_shape`, `out_dtype`. ValueError: another func_type.

    Example:
        >>> ops.Custom(lambda x, y: x + y, lambda a, b: a, lambda a, b: a, "pyfunc")(Tensor([1.0]), Tensor([2.0]))
        Tensor(shape=[1], dtype=Float32, value= [ 3.00000000e+00])
    """

    def __init__(
        self,
        func: Callable,
        out_shape: Any = None,
        out_dtype: Any = None,
        func_type: str = "pyfunc",
        bprop: Any = None,
        reg_info: Any = None,
    ):
        super().__init__("Custom")
        if func_type not in ("pyfunc", "hybrid", "julia", "tbe", "aicpu", "aot", "akg"):
            raise ValueError(f"For 'Custom', the 'func_type' must be 'pyfunc' or 'hybrid', but got {func_type!r}.")
        if func_type not in ("pyfunc", "hybrid"):
            raise ValueError(
                f"For 'Custom', the 'func_type' {func_type!r} is compiled code for one vendor's device, which JAX can "
                "not run. Write the function in Python (func_type='pyfunc'), or in JAX with msjax.register_op."
            )
        if not callable(func):
            raise TypeError(
                f"For 'Custom' with func_type {func_type!r}, the 'func' must be a function, but got "
                f"{type(func).__name__}."
            )
        self.func, self.func_type, self.bprop = func, func_type, bprop
        self.out_shape, self.out_dtype = out_shape, out_dtype
        self.func_name = getattr(func, "__name__", "custom")
        self._record = self._make_record()

    def _make_record(self):
        written = getattr(self.func, "ms_kernel_flag", False)
        if self.func_type == "hybrid" and not written:
            inner = inspect.unwrap(self.func)

            def traced(*arrays):
                return inner(*arrays)

            return Record(traced, self.func_name)
        told = self.out_shape is not None and self.out_dtype is not None
        if not told and not written:
            raise TypeError(
                "For 'Custom' with func_type 'pyfunc', 'out_shape' and 'out_dtype' must be given, but got None."
            )

        def promise(arrays):
            if told:
                return _shape_dtypes("Custom", self.out_shape, self.out_dtype, arrays)
            out = self.func(*[np.zeros(a.shape, a.dtype) for a in arrays])
            return jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), out)

        def function(*arrays):
            return self.func(*map(np.array, arrays))  # it may write to its inputs

        host = _on_host(self.func_name, function if written else self.func, promise)

        def called(*arrays):
            return host(*arrays)

        return Record(called, self.func_name)

    def __call__(self, *inputs):
        inputs = [v if isinstance(v, Tensor) else Tensor(v) for v in inputs]
        if self.bprop is None:
            return self._record(*inputs)
        return call_with_gradient(lambda *args: self._record(*args), self._pull, inputs)

    def _pull(self, inputs, out, gradient):
        """Gradients of the inputs, one each (None where `bprop` gives none)."""
        grads = self.bprop(*inputs, out, gradient)
        grads = list(grads) if isinstance(grads, (tuple, list)) else [grads]
        return grads + [None] * (len(inputs) - len(grads))

    def get_bprop(self):
        """The function given for the gradient."""
        return self.bprop


class PyFunc(Primitive):
    """Runs a function of NumPy arrays, or numbers where a shape is (), on the host.

    Args:
        fn: the function. in_types, in_shapes: dtypes and shapes of the inputs. out_types, out_shapes: those of the
        outputs. stateful: accepted.

    Raises:
        ValueError: `in_types` and `in_shapes` of unlike lengths.
        RuntimeError: inputs of other sizes, or another number of them.

    Example:
        >>> ops.PyFunc(lambda x: (x + 1,), [mindspore.float32], [(1,)], [mindspore.float32], [(1,)])((Tensor([1.0]),))
        (Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00]),)
    """

    def __init__(
        self, fn: Callable, in_types: Any, in_shapes: Any, out_types: Any, out_shapes: Any, stateful: bool = True
    ):
        super().__init__("PyFunc")
        if not callable(fn):
            raise TypeError(f"For 'PyFunc', the 'fn' must be a function, but got {type(fn).__name__}.")
        if len(in_types) != len(in_shapes):
            raise ValueError(
                f"For 'PyFunc', the length of 'in_types' must be that of 'in_shapes', {len(in_shapes)}, but got {len(in_types)}."
            )
        self.in_shapes = [tuple(s) for s in in_shapes]
        out = tuple(jax.ShapeDtypeStruct(tuple(s), mstype.to_numpy(t)) for s, t in zip(out_shapes, out_types))
        self.fn = fn
        host = _on_host(getattr(fn, "__name__", "py_func"), self._run, lambda arrays: out)

        def called(*arrays):
            return host(*arrays)

        self._record = Record(called, "PyFunc")

    def _run(self, *values):
        result = self.fn(*[_in_shape(value, shape) for value, shape in zip(values, self.in_shapes)])
        return result if isinstance(result, (tuple, list)) else (result,)

    def __call__(self, *inputs):
        if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)):
            inputs = inputs[0]
        given = [tuple(jnp.shape(v)) for v in inputs]
        if [math.prod(shape) for shape in given] != [math.prod(shape) for shape in self.in_shapes]:
            raise RuntimeError(f"For 'PyFunc', the inputs must have the shapes {self.in_shapes}, but got {given}.")
        return self._record(*inputs)


def _in_shape(value, shape):
    """An input as the function gets it: the elements in the shape that was promised, a number where that is ()."""
    return np.reshape(value, shape) if shape else np.reshape(value, ()).item()


class PyExecute(Primitive):
    """Evaluates a Python expression with named values: `ops.PyExecute()("x + 1", ("x",), (x,))`."""

    def __call__(self, script: Any, names: Any, values: Any):
        return eval(script, {}, dict(zip(names, values)))


# --- registration: says for which vendor's devices a kernel exists; here it is only kept
class _Pairs(type):
    def __getattr__(cls, name: str) -> tuple[str, ...]:
        raise AttributeError(f"'DataType' has no '{name}': names are such as F32_Default and I8_NCHW.")


class DataType(metaclass=_Pairs):
    """Names of dtypes with layouts, as registration calls use them: `DataType.F32_Default` is ("float32",
    "DefaultFormat").
    """


_KINDS = {
    "BOOL": "bool",
    "I8": "int8",
    "U8": "uint8",
    "I16": "int16",
    "U16": "uint16",
    "I32": "int32",
    "U32": "uint32",
    "I64": "int64",
    "U64": "uint64",
    "F16": "float16",
    "F32": "float32",
    "F64": "float64",
    "BF16": "bfloat16",
    "C64": "complex64",
    "C128": "complex128",
}
_LAYOUTS = {  # those that are not called as they are
    "None": ("",),
    "Default": ("DefaultFormat",),
    "Default_Tuple": ("DefaultFormat", "tuple"),
    "Default_List": ("DefaultFormat", "list"),
    "5HD": ("NC1HWC0",),
    "FracZ": ("FRACTAL_Z",),
    "FracNZ": ("FRACTAL_NZ",),
    "FracZNLSTM": ("FRACTAL_ZN_LSTM",),
    "FracZNRNN": ("FRACTAL_ZN_RNN",),
    "ND_RNNBIAS": ("ND_RNN_BIAS",),
}
_REAL = "None Default Default_Tuple Default_List 5HD FracZ FracNZ C1HWNCoC0 NCHW NHWC HWCN NDHWC ChannelLast "
_BYTES, _FLOATS = "NCDHW NDC1HWC0 NC1HWC0", "NCDHW NDC1HWC0 DHWCN FRACTAL_Z_3D FracZNLSTM FracZNRNN ND_RNNBIAS"
_MORE = {"I8": _BYTES, "U8": _BYTES, "I32": "NCDHW NDC1HWC0", "F16": _FLOATS, "F32": _FLOATS, "BF16": _FLOATS}
DataType.None_None, DataType.None_Default = ("", ""), ("", "DefaultFormat")
for _kind, _word in _KINDS.items():
    for _layout in ("Default Default_Tuple" if _kind in ("C64", "C128") else _REAL + _MORE.get(_kind, "")).split():
        setattr(DataType, f"{_kind}_{_layout}", (_word, *_LAYOUTS.get(_layout, (_layout,))))


class _Registration:
    """Collects the registration of a kernel; every call returns the object itself, `get_op_info` the collection."""

    def __init__(self, op_name="Custom"):
        self.op_name = op_name
        self.info = {"op_name": op_name, "inputs": [], "outputs": [], "attr": [], "dtype_format": []}

    def input(self, *args, **kwargs):
        """Describe an input."""
        self.info["inputs"].append((args, kwargs))
        return self

    def output(self, *args, **kwargs):
        """Describe an output."""
        self.info["outputs"].append((args, kwargs))
        return self

    def attr(self, *args, **kwargs):
        """Describe an attribute."""
        self.info["attr"].append((args, kwargs))
        return self

    def dtype_format(self, *args):
        """Describe one combination of dtypes and layouts."""
        self.info["dtype_format"].append(args)
        return self

    def target(self, target=None):
        """Name the device."""
        self.info["target"] = target
        return self

    def get_op_info(self):
        """The collected registration."""
        return self.info

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def keep(value=None, *rest):
            self.info[name] = value
            return self

        return keep


class CustomRegOp(_Registration):
    """Registration of a custom operator: chained calls that are checked and kept, and change nothing else here.

    Raises:
        ValueError: the name is not a str or empty, or the dtypes and layouts are not one for each input and output.
        TypeError: an argument of another call has the wrong type.

    Example:
        >>> ops.CustomRegOp("double").input(0, "x").output(0, "y").target("CPU").get_op_info()["inputs"]
        [{'index': 0, 'name': 'x', 'paramType': 'required'}]
    """

    def __init__(self, op_name: str = "Custom"):
        if not isinstance(op_name, str) or not op_name:
            raise ValueError(f"For 'CustomRegOp', the 'op_name' must be a str that is not empty, but got {op_name!r}.")
        super().__init__(op_name)
        self.info |= {"fusion_type": "", "target": "UnKnown"}

    def _keep(self, where, kinds, **given):
        """Add one description; `kinds` are the types of the first values, all others are str."""
        entry = {name: value for name, value in given.items() if value is not None}
        for name, value in entry.items():
            kind = kinds.get(name, str)
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise TypeError(
                    f"For 'CustomRegOp', the '{name}' of '{where}' must be of type {kind.__name__}, but got {value!r}."
                )
        self.info[where].append(entry)
        return self

    def input(self, index: Any = None, name: str | None = None, param_type: str = "required", **kwargs):
        """Describe an input; param_type is "required" or "optional"."""
        return self._keep("inputs", {"index": int}, index=index, name=name, paramType=param_type, **kwargs)

    def output(self, index: Any = None, name: str | None = None, param_type: str = "required", **kwargs):
        """Describe an output."""
        return self._keep("outputs", {"index": int}, index=index, name=name, paramType=param_type, **kwargs)

    def attr(
        self,
        name: str | None = None,
        param_type: str | None = None,
        value_type: str | None = None,
        default_value: Any = None,
        **kwargs,
    ):
        """Describe an attribute; `value=` is the value that it takes."""
        kinds = dict.fromkeys(kwargs, object)
        return self._keep(
            "attr", kinds, name=name, paramType=param_type, type=value_type, defaultValue=default_value, **kwargs
        )

    def dtype_format(self, *args):
        """Describe one combination of dtypes and layouts (`ops.DataType`): one for each input, then each output."""
        wanted = len(self.info["inputs"]) + len(self.info["outputs"])
        if len(args) != wanted:
            raise ValueError(
                f"For 'CustomRegOp', 'dtype_format' must get one dtype for each input and output, {wanted}, but got {len(args)}."
            )
        return super().dtype_format(*args)

    def fusion_type(self, fusion_type: str):
        """Name the kind of fusion."""
        if not isinstance(fusion_type, str):
            raise TypeError(f"For 'CustomRegOp', the 'fusion_type' must be a str, but got {fusion_type!r}.")
        self.info["fusion_type"] = fusion_type
        return self

    def target(self, target: str | None = None):
        """Name the device: "Ascend", "GPU" or "CPU"."""
        if not isinstance(target, (str, type(None))):
            raise TypeError(f"For 'CustomRegOp', the 'target' must be a str, but got {target!r}.")
        return super().target(target)


class CpuRegOp(_Registration):
    """Registration of a CPU kernel: chained calls that are kept and change nothing here."""


class AiCPURegOp(_Registration):
    """Registration of an AI CPU kernel: chained calls that are kept and change nothing here."""


class TBERegOp(_Registration):
    """Registration of a TBE kernel: chained calls that are kept and change nothing here."""


class AkgGpuRegOp(_Registration):
    """Registration of an AKG kernel for GPUs: chained calls that are kept and change nothing here."""


class AkgAscendRegOp(_Registration):
    """Registration of an AKG kernel for Ascend: chained calls that are kept and change nothing here."""


def custom_info_register(*reg_info):
    """Decorator that keeps registration information on a function, which stays as it is."""

    def keep(fn):
        fn.reg_info = reg_info
        return fn

    return keep


def op_info_register(op_info: Any):
    """Decorator that keeps registration information on a function, which stays as it is."""
    return custom_info_register(op_info)


def prim_arg_register(fn: Callable):
    """Decorator of a Primitive's `__init__`: keeps every argument as an attribute."""
    return prim_attr_register(fn)


_made = {}  # (class, arguments) -> Primitive


def _get_cache_prim(cls):
    """A function that makes a Primitive of this class, once for equal arguments.

    Example:
        >>> _get_cache_prim(ops.ReduceSum)(True)(Tensor([1.0, 2.0]), 0)
    """

    def make(*args, **kwargs):
        key = cls, repr(args), repr(sorted(kwargs.items()))
        if key not in _made:
            _made[key] = cls(*args, **kwargs)
        return _made[key]

    return make
