"""Dtypes, operators and scalars of the promotion table; run on MindSpore by the recorder and on msjax by the test."""

import importlib.util
import pathlib
import sys

import mindspore as ms
import numpy as np
from mindspore import Tensor

DTYPES = (
    "bool",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)

# Bodies of functions of x and y: strings, because GRAPH_MODE reads a function's source from a file.
OPERATORS = {
    **{
        name: f"return x {sign} y"
        for name, sign in {
            "add": "+",
            "sub": "-",
            "mul": "*",
            "truediv": "/",
            "floordiv": "//",
            "mod": "%",
            "pow": "**",
            "eq": "==",
            "ne": "!=",
            "lt": "<",
            "ge": ">=",
            "and": "&",
            "or": "|",
            "xor": "^",
        }.items()
    },
    **{name: f"x {sign}= y; return x" for name, sign in {"iadd": "+", "itruediv": "/", "imul": "*"}.items()},
    **{
        f"ops.{name}": f"return ops.{name}(x, y)"
        for name in ("maximum", "add", "mul", "pow", "equal", "less", "logical_and")
    },
    "ops.where": "return ops.where(x == x, x, y)",
}
TENSOR_ONLY = {
    "ops.matmul": "return ops.matmul(x.reshape(1, 3), y.reshape(3, 1))",
    "at": "return x.reshape(1, 3) @ y.reshape(3, 1)",
    "ops.cat": "return ops.cat((x, y))",
    "ops.stack": "return ops.stack((x, y))",
    "add 0d": "return x + y[0]",
    "mul 0d": "return x * y[0]",
    "0d mul": "return y[0] * x",
    "truediv 0d": "return x / y[0]",
    "pow 0d": "return x ** y[0]",
    "both 0d": "return x[0] * y[0]",
}

SCALARS = {
    "True": True,
    "2": 2,
    "-1": -1,
    "300": 300,
    "2**40": 2**40,
    "2.5": 2.5,
    "1e300": 1e300,
    "1+2j": 1 + 2j,
    "np.float32": np.float32(2),
    "np.float64": np.float64(2),
    "np.int32": np.int32(2),
    "np.int64": np.int64(2),
    "np.bool_": np.bool_(True),
    "np.array": np.array([1, 2, 3], np.float64),
    "list": [1, 2, 3],
    "tuple": (1, 2, 3),
    "None": None,
    "str": "a",
}

UNARY = {
    "neg": "return -x",
    "pos": "return +x",
    "abs": "return abs(x)",
    "invert": "return ~x",
    **{
        f"ops.{name}": f"return ops.{name}(x)"
        for name in (
            "exp",
            "sqrt",
            "sin",
            "tanh",
            "sigmoid",
            "relu",
            "log",
            "square",
            "rsqrt",
            "reciprocal",
            "erf",
            "floor",
            "round",
            "sign",
            "softmax",
            "sum",
            "mean",
            "prod",
            "argmax",
            "any",
            "all",
            "logical_not",
            "isnan",
            "zeros_like",
            "ones_like",
            "std",
            "var",
        )
    },
    "ops.max": "return ops.max(x)[0]",
    "ops.cumsum": "return ops.cumsum(x, 0)",
    **{f"Tensor.{name}": f"return x.{name}()" for name in ("sum", "mean", "max", "std", "prod", "abs", "argmax")},
}

# Expressions whose *values* differ between number systems: signs, zero divisors, wrap-around, ties, NaN.
VALUES = {
    "i7//2": "Tensor([7, -7, 7, -7], ms.int32) // Tensor([2, 2, -2, -2], ms.int32)",
    "i7%2": "Tensor([7, -7, 7, -7], ms.int32) % Tensor([2, 2, -2, -2], ms.int32)",
    "f7//2": "Tensor([7., -7, 7, -7], ms.float32) // Tensor([2., 2, -2, -2], ms.float32)",
    "f7%2": "Tensor([7.5, -7.5, 7.5, -7.5], ms.float32) % Tensor([2., 2, -2, -2], ms.float32)",
    "f//0": "Tensor([1., -1, 0], ms.float32) // 0",
    "f%0": "Tensor([1., -1, 0], ms.float32) % 0",
    "f/0": "Tensor([1., -1, 0], ms.float32) / 0",
    "i/0": "Tensor([1, -1, 0], ms.int32) / 0",
    "f%inf": "Tensor([1., -1, 0], ms.float32) % float('inf')",
    "i**2": "Tensor([2, -3, 0], ms.int32) ** 2",
    "i**-1": "Tensor([2, -3, 1], ms.int32) ** -1",
    "2**i": "2 ** Tensor([2, 3, 0], ms.int32)",
    "i**f": "Tensor([2, 3, 0], ms.int32) ** 0.5",
    "f**f": "Tensor([2., -3, 0], ms.float32) ** Tensor([0.5, 0.5, -1], ms.float32)",
    "0**0": "Tensor([0., 0], ms.float32) ** Tensor([0., -1], ms.float32)",
    "u8 wrap +": "Tensor([250, 5], ms.uint8) + Tensor([10, 1], ms.uint8)",
    "u8 wrap -": "Tensor([5, 5], ms.uint8) - Tensor([10, 1], ms.uint8)",
    "u8 + 300": "Tensor([250, 5], ms.uint8) + 300",
    "u8 + -1": "Tensor([250, 5], ms.uint8) + -1",
    "-u8": "-Tensor([250, 5], ms.uint8)",
    "i8 wrap *": "Tensor([100, 5], ms.int8) * Tensor([2, 1], ms.int8)",
    "i32 wrap": "Tensor([2147483647], ms.int32) + 1",
    "i32 + 2**40": "Tensor([1], ms.int32) + 2**40",
    "f16 + 1e5": "Tensor([1.], ms.float16) + 1e5",
    "f16 * f32 0d": "Tensor([1.], ms.float16) * Tensor(2.0, ms.float32)",
    "i32 * f32 0d": "Tensor([1], ms.int32) * Tensor(2.0, ms.float32)",
    "bool + bool": "Tensor([True, False]) + Tensor([True, True])",
    "bool - bool": "Tensor([True, False]) - Tensor([True, True])",
    "bool * True": "Tensor([True, False]) * True",
    "bool * 2": "Tensor([True, False]) * 2",
    "bool * 2.5": "Tensor([True, False]) * 2.5",
    "bool / bool": "Tensor([True, False]) / Tensor([True, True])",
    "~bool": "~Tensor([True, False])",
    "~i32": "~Tensor([1, 0], ms.int32)",
    "i<<2": "Tensor([1, 3], ms.int32) << 2",
    "i>>1": "Tensor([8, -3], ms.int32) >> 1",
    "nan==nan": "Tensor([float('nan'), 1], ms.float32) == Tensor([float('nan'), 1], ms.float32)",
    "nan<1": "Tensor([float('nan'), 1], ms.float32) < 2",
    "max nan": "ops.maximum(Tensor([float('nan'), 1], ms.float32), Tensor([0., 2], ms.float32))",
    "round half": "ops.round(Tensor([0.5, 1.5, 2.5, -0.5], ms.float32))",
    "f2i": "Tensor([1.9, -1.9, 0.5], ms.float32).astype(ms.int32)",
    "f2u8": "Tensor([255.0, 3.7], ms.float32).astype(ms.uint8)",
    "i2u8": "Tensor([256, -1, 5], ms.int32).astype(ms.uint8)",
    "f2bool": "Tensor([0.0, 0.5, -1], ms.float32).astype(ms.bool_)",
    "f2f16": "Tensor([1e5, 1e-8, 0.1], ms.float32).astype(ms.float16)",
    "1-x": "1 - Tensor([1., 2], ms.float32)",
    "1/x": "1 / Tensor([1, 2], ms.int32)",
    "7//x": "7 // Tensor([2, -2], ms.int32)",
    "7%x": "7 % Tensor([2, -2], ms.int32)",
    "np+T": "np.array([1., 2]) + Tensor([1., 2], ms.float32)",
    "T+np": "Tensor([1., 2], ms.float32) + np.array([1., 2])",
    "npf64*T": "np.float64(2) * Tensor([1., 2], ms.float32)",
    "npf32*T": "np.float32(2) * Tensor([1., 2], ms.float32)",
    "T==None": "Tensor([1., 2], ms.float32) == None",
    "T!=None": "Tensor([1., 2], ms.float32) != None",
    "T==str": "Tensor([1., 2], ms.float32) == 'a'",
    "list+T": "[1, 2] + Tensor([1., 2], ms.float32)",
    "T+list": "Tensor([1., 2], ms.float32) + [1, 2]",
    "T+tuple": "Tensor([1., 2], ms.float32) + (1, 2)",
    "T*list": "Tensor([1., 2], ms.float32) * [1, 2]",
    "T+[T]": "Tensor([1., 2], ms.float32) + [Tensor(1.0), Tensor(2.0)]",
    "x in": "2.0 in Tensor([1., 2], ms.float32)",
    "bool(T)": "bool(Tensor([1.]))",
    "bool(T2)": "bool(Tensor([1., 2]))",
    "int(T)": "int(Tensor([1.7]))",
    "float(T)": "float(Tensor(1.5))",
    "float(T1)": "float(Tensor([1.5]))",
    "float(T2)": "float(Tensor([1.5, 2]))",
    "index": "[1, 2, 3][Tensor(1)]",
    "len": "len(Tensor([[1, 2, 3]]))",
    "len0": "len(Tensor(1))",
    "iter": "[x.shape for x in Tensor([[1, 2, 3]])]",
    "iter0": "list(Tensor(1))",
    "hash": "isinstance(hash(Tensor(1)), int)",
    "round()": "round(Tensor(1.6), 0)",
    "broadcast": "Tensor([[1, 2]]) + Tensor([[1], [2]])",
    "bad shapes": "Tensor([1, 2]) + Tensor([1, 2, 3])",
    "divmod": "divmod(Tensor([7]), 2)",
    "complex()": "complex(Tensor(1.5))",
    "x.T": "Tensor([[1, 2]]).T",
    "+=": "operator.iadd(Tensor([1, 2], ms.int32), 1.5)",
    "+=f": "operator.iadd(Tensor([1, 2], ms.float16), Tensor([1, 2], ms.float32))",
    "@1d": "Tensor([1., 2]) @ Tensor([1., 2])",
    "@int": "Tensor([1, 2]) @ Tensor([1, 2])",
    "rmatmul": "np.array([1., 2], np.float32) @ Tensor([1., 2], ms.float32)",
}


def functions(folder):
    """{name: function} of all bodies above, from a module written into this folder."""
    bodies = {**OPERATORS, **TENSOR_ONLY, **UNARY}
    names = {name: f"f{i}" for i, name in enumerate(bodies)}
    text = "".join(f"def {names[k]}({'x' if k in UNARY else 'x, y'}):\n    {body}\n\n\n" for k, body in bodies.items())
    path = pathlib.Path(folder) / "promotion_functions.py"
    path.write_text("from mindspore import ops\n\n\n" + text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # GRAPH_MODE imports it by its name
    spec.loader.exec_module(module)
    return {name: getattr(module, f) for name, f in names.items()}


def tensor(dtype):
    """[1, 2, 3] in the dtype of this name."""
    return Tensor(np.array([1, 2, 3], np.int32)).astype(getattr(ms, "bool_" if dtype == "bool" else dtype))


CODES = dict(zip(DTYPES, "b i1 u1 i2 u2 i4 u4 i8 u8 f2 bf f4 f8 c8 c16".split()))

# Compiling each pair takes a while: GRAPH_MODE is recorded for these operators and scalars only.
GRAPH = (
    "add",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "eq",
    "lt",
    "and",
    "iadd",
    "ops.maximum",
    "ops.add",
    "ops.matmul",
)
GRAPH_SCALARS = ("True", "2", "2.5")


def kind(result):
    """The code of a result's dtype, or the name of its Python type."""
    if isinstance(result, Tensor):
        return CODES[str(result.dtype).lower()]
    return type(result).__name__
