"""The user's own operators: `ops.Custom`, `ops.PyFunc`, and the registration calls around them (see also
`core.register`)."""

import inspect

import jax
import numpy as np

from ..core import dtype as mstype
from ..core.autodiff import call_with_gradient
from ..core.op import Record
from ..core.primitive import Primitive, prim_attr_register
from ..core.tensor import Tensor

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
            result = fn(*[np.asarray(v) for v in values], *attributes)
            results = result if isinstance(out, tuple) else (result,)
            wanted = out if isinstance(out, tuple) else (out,)
            made = tuple(np.asarray(r, w.dtype).reshape(w.shape) for r, w in zip(results, wanted))
            return made if isinstance(out, tuple) else made[0]

        return jax.pure_callback(host, out, *arrays, vmap_method="sequential")

    call.__name__ = name
    return call


class Custom(Primitive):
    """An operator of the user's own function.

    Args:
        func: function of NumPy arrays ("pyfunc": it runs on the host) or of Tensors and arrays ("hybrid": it is traced
        where JAX can).
        out_shape, out_dtype: shapes and dtypes of the outputs, or functions that compute them from those of the inputs.
        func_type: "pyfunc" or "hybrid"; other kinds are compiled for one vendor's devices and refused.
        bprop: function (inputs..., output, gradient) that gives the gradients. reg_info: accepted; nothing is to be
        registered here.

    Raises:
        TypeError: `func` is no function. ValueError: another func_type.

    Example:
        >>> ops.Custom(lambda x, y: x + y, lambda a, b: a, lambda a, b: a, "pyfunc")(Tensor([1.0]), Tensor([2.0]))
    """

    def __init__(self, func, out_shape=None, out_dtype=None, func_type="pyfunc", bprop=None, reg_info=None):
        super().__init__("Custom")
        if func_type not in ("pyfunc", "hybrid", "julia", "tbe", "aicpu", "aot", "akg"):
            raise ValueError(f"For 'Custom', the 'func_type' must be 'pyfunc' or 'hybrid', but got {func_type!r}.")
        if func_type not in ("pyfunc", "hybrid"):
            raise ValueError(
                f"For 'Custom', the 'func_type' {func_type!r} is compiled code for one vendor's device, which JAX can "
                "not run. Write the "
                "function in Python (func_type='pyfunc'), or in JAX with msjax.register_op."
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
        if self.func_type == "hybrid":
            inner = inspect.unwrap(self.func)

            def traced(*arrays):
                return inner(*arrays)

            return Record(traced, self.func_name)
        if self.out_shape is None or self.out_dtype is None:
            raise ValueError(
                "For 'Custom' with func_type 'pyfunc', 'out_shape' and 'out_dtype' must be given, but got None."
            )

        def promise(arrays):
            return _shape_dtypes("Custom", self.out_shape, self.out_dtype, arrays)

        host = _on_host(self.func_name, self.func, promise)

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
    """Runs a function of NumPy arrays on the host.

    Args:
        fn: the function. in_types, in_shapes: dtypes and shapes of the inputs. out_types, out_shapes: those of the
        outputs. stateful: accepted.

    Example:
        >>> ops.PyFunc(lambda x: (x + 1,), [mindspore.float32], [(1,)], [mindspore.float32], [(1,)])((Tensor([1.0]),))
    """

    def __init__(self, fn, in_types, in_shapes, out_types, out_shapes, stateful=True):
        super().__init__("PyFunc")
        if not callable(fn):
            raise TypeError(f"For 'PyFunc', the 'fn' must be a function, but got {type(fn).__name__}.")
        out = tuple(jax.ShapeDtypeStruct(tuple(s), mstype.to_numpy(t)) for s, t in zip(out_shapes, out_types))
        self.fn = fn
        host = _on_host(getattr(fn, "__name__", "py_func"), self._run, lambda arrays: out)

        def called(*arrays):
            return host(*arrays)

        self._record = Record(called, "PyFunc")

    def _run(self, *values):
        result = self.fn(*values)
        return result if isinstance(result, (tuple, list)) else (result,)

    def __call__(self, *inputs):
        if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)):
            inputs = inputs[0]
        return self._record(*inputs)


class PyExecute(Primitive):
    """Evaluates a Python expression with named values: `ops.PyExecute()("x + 1", ("x",), (x,))`."""

    def __call__(self, script, names, values):
        return eval(script, {}, dict(zip(names, values)))


# --- registration: says for which vendor's devices a kernel exists; here it is only kept
class DataType:
    """Names of dtypes with layouts, as registration calls use them: `DataType.F32_Default` is ("float32",
    "DefaultFormat")."""


_KINDS = {
    "None": "",
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
    "C64": "complex64",
    "C128": "complex128",
}
_LAYOUTS = {
    "None": "",
    "Default": "DefaultFormat",
    "5HD": "NC1HWC0",
    "FracZ": "FracZ",
    "FracNZ": "FRACTAL_NZ",
    "NCHW": "NCHW",
    "NHWC": "NHWC",
    "HWCN": "HWCN",
    "C1HWNCoC0": "C1HWNCoC0",
    "NDHWC": "NDHWC",
    "ChannelLast": "ChannelLast",
    "NCDHW": "NCDHW",
}
for _kind, _word in _KINDS.items():
    for _layout, _format in _LAYOUTS.items():
        setattr(DataType, f"{_kind}_{_layout}", (_word, _format))


class _Registration:
    """Collects what a kernel is registered with; every call returns the object itself, `get_op_info` the collection."""

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
        """What was collected."""
        return self.info

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def keep(value=None, *rest):
            self.info[name] = value
            return self

        return keep


class CustomRegOp(_Registration):
    """Registration of a custom operator: chained calls that are kept and change nothing here."""


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


def op_info_register(op_info):
    """Decorator that keeps registration information on a function, which stays as it is."""
    return custom_info_register(op_info)


def kernel(fn=None, reg_info=None, compile_attrs=None):
    """Decorator of hybrid functions: the function stays Python, and JAX traces it."""

    def keep(f):
        return f

    return keep if fn is None else keep(fn)


ms_kernel = kernel


def prim_arg_register(fn):
    """Decorator of a Primitive's `__init__`: keeps every argument as an attribute."""
    return prim_attr_register(fn)
