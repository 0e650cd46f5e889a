"""Tables of cases: an expression that gives a callable, its inputs, and what a golden file holds for them.

    C = Table()
    C("ops.softmax", arr(3, 4), axis=-1)           # a function
    C("ops.ReduceSum(True)", arr(3, 4), 1)         # a Primitive
    C("nn.Dense(4, 3)", arr(2, 4))                 # a Cell; its Parameters get fixed values
    C(some_function, arr(2, 4))                    # a function of the table's module, where an expression is too short
    C("Tensor.sum", arr(3, 4), _grad=False)        # keywords with an underscore are for the recorder and the test

_grad=False takes no gradient, _train=True sets a Cell to training and keeps its statistics, _steps=3 calls it thrice,
_random=True keeps dtypes and shapes only, _rtol and _atol loosen the comparison, _raises="ValueError" expects an error,
_like="ops.atan" names what has the same definition where the CPU build of MindSpore lacks the kernel or fails; with
_force=True it is recorded in any case, because the build answers wrongly. _out=False leaves the result aside: in-place
kernels return nothing of use, only the Parameters count.

Inputs are made from the case's own text, so that no golden file has to hold them. The same code runs on MindSpore
(when recording) and on msjax (in the tests).
"""

import importlib
import itertools
import pathlib
import zlib

import golden_files
import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

_NUMBERS = itertools.count()  # of the names of Parameters: a compiled function takes no two of one name


def optional(name):
    """The module of this name, or None where it cannot be imported: its cases then fail one by one."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


mint, mnp, msp = map(optional, ("mindspore.mint", "mindspore.numpy", "mindspore.scipy"))
NAMESPACE = {
    "ms": ms,
    "np": np,
    "mnp": mnp,
    "msp": msp,
    "mint": mint,
    "nn": nn,
    "ops": ops,
    "Tensor": Tensor,
    "Parameter": Parameter,
    "F": optional("mindspore.mint.nn.functional"),
    "G": optional("mindspore.ops.operations._grad_ops"),
    "A": optional("mindspore.ops.auto_generate"),
}
FLOATS = ("float16", "bfloat16", "float32", "float64")


class Spec:
    """One input Tensor: how its values are drawn."""

    def __init__(self, kind, shape, dtype, *more, parameter=False):
        self.kind, self.shape, self.dtype, self.more, self.parameter = kind, tuple(shape), dtype, more, parameter

    def __repr__(self):
        plain = {"ints": "int32", "bools": "bool", "lit": None}.get(self.kind, "float32")
        exact = self.kind == "lit"
        text = [str(self.more[0]).replace(" ", "")] if exact else [*map(str, self.shape), *map(str, self.more)]
        if self.dtype != plain:
            text.append(str(self.dtype))
        return ("par:" if self.parameter else "") + f"{self.kind}({','.join(text)})"

    def array(self, random):
        """The values as a NumPy array (floats are multiples of 1/64: small ones are exact in float16 and bfloat16)."""
        if self.kind == "arr":
            values = np.round(random.standard_normal(self.shape) * 64) / 64
        elif self.kind == "pos":
            values = np.round(random.uniform(0.5, 2.0, self.shape) * 64) / 64
        elif self.kind == "unit":
            values = np.round(random.uniform(-0.9, 0.9, self.shape) * 64) / 64
        elif self.kind == "perm":
            count = int(np.prod(self.shape))
            values = (random.permutation(count).reshape(self.shape) - count // 2) / 8
        elif self.kind == "ints":
            values = random.randint(*self.more, self.shape)
        elif self.kind == "bools":
            values = random.randint(0, 2, self.shape).astype(bool)
        else:
            values = np.array(self.more[0])
        return values

    def tensor(self, random):
        """The Tensor (or Parameter) for one call."""
        values = self.array(random)
        dtype = None if self.dtype is None else getattr(ms, "bool_" if self.dtype == "bool" else self.dtype)
        if self.kind == "lit":
            tensor = Tensor(self.more[0]) if dtype is None else Tensor(self.more[0], dtype)
        elif self.dtype == "bfloat16":
            tensor = Tensor(values.astype(np.float32)).astype(dtype)
        elif self.dtype.startswith("complex"):
            tensor = Tensor((values + 1j * np.round(random.standard_normal(self.shape) * 64) / 64).astype(self.dtype))
        else:
            tensor = Tensor(values.astype(self.dtype))
        return Parameter(tensor, name=f"p{next(_NUMBERS)}") if self.parameter else tensor


def arr(*shape, dtype="float32"):
    """Normally distributed values."""
    return Spec("arr", shape, dtype)


def pos(*shape, dtype="float32"):
    """Values in [0.5, 2)."""
    return Spec("pos", shape, dtype)


def unit(*shape, dtype="float32"):
    """Values in (-0.9, 0.9)."""
    return Spec("unit", shape, dtype)


def perm(*shape, dtype="float32"):
    """Values of which no two are equal."""
    return Spec("perm", shape, dtype)


def ints(*shape, low=0, high=10, dtype="int32"):
    """Integers in [low, high)."""
    return Spec("ints", shape, dtype, low, high)


def bools(*shape):
    """Truth values."""
    return Spec("bools", shape, "bool")


def lit(value, dtype=None):
    """The Tensor of exactly this value."""
    return Spec("lit", np.shape(value), dtype, value)


def par(spec):
    """The same as a Parameter; its value after the call is part of the golden."""
    return Spec(spec.kind, spec.shape, spec.dtype, *spec.more, parameter=True)


class Case:
    """One line of a table."""

    def __init__(self, expression, args, options):
        self.expression, self.args = expression, args
        self.options = {k[1:]: v for k, v in options.items() if k.startswith("_")}
        self.keywords = {k: v for k, v in options.items() if not k.startswith("_")}
        inside = [*map(repr, args), *(f"{k}={v!r}" for k, v in self.keywords.items())]
        self.id = f"{expression if isinstance(expression, str) else expression.__name__}|{', '.join(inside)}" + "".join(
            f" {k}" if v is True else f" {k}={v}" for k, v in self.options.items() if k in ("train", "steps")
        )

    def random(self, salt=""):
        return np.random.RandomState(zlib.crc32((self.id + salt).encode()))


class Table(list):
    """A list of cases that is filled by calling it."""

    def __call__(self, expression, *args, **options):
        case = Case(expression, args, options)
        assert all(case.id != other.id for other in self[-200:]), f"the case {case.id} is there twice"
        self.append(case)

    def each(self, pattern, names, *args, **options):
        """One case for each of the names (separated by blanks), which replace the {} of the pattern and of _like."""
        for name in names.split():
            like = {"_like": options["_like"].format(name)} if "_like" in options else {}
            self(pattern.format(name), *args, **{**options, **like})


def leaves(value):
    """All Tensors inside nested tuples, lists and dicts, in order."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, dict):
        return [x for v in value.values() for x in leaves(v)]
    if isinstance(value, (tuple, list)):
        return [x for v in value for x in leaves(v)]
    return []


def rebuild(value, new):
    """The same nesting with its Tensors taken from the iterator `new`."""
    if isinstance(value, Tensor):
        return next(new)
    if isinstance(value, dict):
        return {k: rebuild(v, new) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value)(rebuild(v, new) for v in value)
    return value


def is_float(tensor):
    return str(tensor.dtype).lower() in FLOATS


def make(case, like=False):
    """(callable, args, keywords) of a case, with fixed values in the inputs and in the Cell's Parameters."""
    function = case.options["like"] if like else case.expression
    function = eval(function, dict(NAMESPACE)) if isinstance(function, str) else function
    if isinstance(function, nn.Cell):
        random = case.random("weights")
        for _, parameter in function.parameters_and_names():
            values = random.uniform(-0.6, 0.6, parameter.shape)
            if "var" in parameter.name:  # moving variances
                values = np.abs(values) + 0.5
            parameter.set_data(Tensor(values.astype(np.float32)).astype(parameter.dtype))
        function.set_train(case.options.get("train", False))
    random = case.random()

    def materialise(value):
        if isinstance(value, Spec):
            return value.tensor(random)
        if isinstance(value, dict):
            return {k: materialise(v) for k, v in value.items()}
        if isinstance(value, (tuple, list)):
            return type(value)(map(materialise, value))
        return value

    return function, materialise(list(case.args)), materialise(case.keywords)


def differentiable(case, function, inputs, result):
    """(positions of inputs, Parameters, output positions) that a gradient is taken of; None when there is nothing."""
    outputs = [i for i, x in enumerate(leaves(result)) if is_float(x)]
    positions = tuple(i for i, x in enumerate(inputs) if is_float(x) and not isinstance(x, Parameter))
    weights = list(function.trainable_params()) if isinstance(function, nn.Cell) else []
    if not case.options.get("grad", True) or case.options.get("random") or not outputs or not (positions or weights):
        return None
    return positions, weights, outputs


def weighted(case, found, outputs):
    """The sum of those outputs, each element times a fixed number: what gradients are taken of."""
    random = case.random("sens")
    total = None
    for i in outputs:
        sens = Tensor((random.randint(-8, 9, found[i].shape) / 8).astype(np.float32)).astype(found[i].dtype)
        part = (found[i] * sens).sum()
        total = part if total is None else total + part.astype(total.dtype)
    return total


def gradients(case, like=False):
    """{"din": [...], "dw": {name: ...}} of sum(outputs * fixed numbers), or None when nothing is differentiable."""
    function, args, keywords = make(case, like)
    inputs = leaves((args, keywords))
    plan = differentiable(case, function, inputs, function(*args, **keywords))
    if plan is None:
        return None
    function, args, keywords = make(case, like)
    inputs = leaves((args, keywords))
    positions, weights, outputs = plan
    weights = list(function.trainable_params()) if isinstance(function, nn.Cell) else []

    def loss(*chosen):
        values = list(inputs)
        for i, x in zip(positions, chosen):
            values[i] = x
        a, k = rebuild((args, keywords), iter(values))
        return weighted(case, leaves(function(*a, **k)), outputs)

    of_positions = tuple(range(len(positions))) if positions else None
    grads = ops.grad(loss, of_positions, weights or None)(*[inputs[i] for i in positions])
    if positions and weights:
        din, dw = grads
    elif positions:
        din, dw = grads, ()
    else:
        din, dw = (), grads
    din, dw = ((x,) if isinstance(x, Tensor) else x for x in (din, dw))
    return {"din": list(din), "dw": {w.name: g for w, g in zip(weights, dw)}}


def forward(case, like=False):
    """{"out": nested Tensors, "after": Parameters passed in, "state": the Cell's Parameters that are not trained}."""
    function, args, keywords = make(case, like)
    for _ in range(case.options.get("steps", 1)):
        result = function(*args, **keywords)
    found = {"out": result} if case.options.get("out", True) else {}
    passed = [x for x in leaves((args, keywords)) if isinstance(x, Parameter)]
    if passed:
        found["after"] = [x.value() for x in passed]
    if isinstance(function, nn.Cell) and case.options.get("train"):
        found["state"] = {x.name: x.value() for x in function.untrainable_params()}
    return found


def as_numpy(tensor):
    """The values; bfloat16 as float32."""
    return (tensor.astype(ms.float32) if str(tensor.dtype) == "BFloat16" else tensor).asnumpy()


def recorded(value):
    """Nested Tensors as plain data of a golden file; what is no Tensor by its printed form."""
    if isinstance(value, Tensor):
        array = as_numpy(value)
        if array.dtype.kind in "US":
            return {"value": repr(array.tolist())}
        return golden_files.array_record(array, str(value.dtype))
    if isinstance(value, dict):
        return {str(k): recorded(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [recorded(v) for v in value]
    return {"value": repr(value)}


def table_names():
    """Names of the tables of operators, `cases_ops/*.py`."""
    return sorted(path.stem for path in (pathlib.Path(__file__).parent / "cases_ops").glob("[a-z]*.py"))


def table_of(module):
    """All cases of a table module: its Table objects, joined."""
    return [case for value in vars(module).values() if isinstance(value, Table) for case in value]
