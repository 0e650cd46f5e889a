"""Overloads of Tensor methods and the types they refuse; NumPy, numbers and sparse Tensors beside a Tensor."""

from golden_cases import Table, arr, lit, perm

C = Table()
T = {"_raises": "TypeError"}
X = perm(2, 3)
EVEN = "Tensor([True, False, True])"

# ---------------------------------------------------------------- extremes
for name in ("max", "min"):
    C(f"lambda x: x.{name}(axis=1, initial=0.1)", X)
    C(f"lambda x: x.{name}(1, initial=0.1, where={EVEN})", X)
    C(f"lambda x: x.{name}(axis=0, keepdims=True, initial=-1.0)", X)
    C(f"lambda x: x.{name}(axis=None, keepdims=True, initial=-30.0)", X)
    C(f"lambda x: x.{name}(axis=1, return_indices=True, initial=9.0)", X)
    C(f"lambda x: x.{name}(0, True)", X, _jit=False)  # compiled code reads positions as (axis, keepdims)
    C(f"lambda x: x.{name}(0, 1, initial=None)", X, **T)
    C(f"lambda x: x.arg{name}_with_value(axis=None)", X, _grad=False)
    C(f"lambda x: x.arg{name}_with_value(axis=1)", X, _grad=False)
    C(f"lambda x: x.arg{name}_with_value(0, True)", X, _grad=False)

# ---------------------------------------------------------------- types
for call in (
    "add('a')",
    "add(1, alpha='a')",
    "sum('a')",
    "sum(0, keepdims=1)",
    "mean(1.5)",
    "reshape(1, 1.1)",
    "reshape('a')",
    "view(1.5)",
    "tile(1.5)",
    "permute(0, 1.0)",
    "broadcast_to(1.5)",
    "new_zeros('a')",
    "transpose(0, 1.5)",
    "expand_dims(1.5)",
    "squeeze(1.0)",
    "argmax(1.0)",
    "cumsum(1.0)",
    "any('a')",
    "split('a')",
    "chunk(1.5)",
    "clip('a', 1)",
    "mul(None)",
):
    C(f"lambda x: x.{call}", X, **T)
C("lambda x: Tensor.add([1], [2])", X, **T)
C("lambda x: Tensor.max([1])", X, **T)
C("lambda x: bool(Tensor([]))", X, _raises="ValueError")
C("lambda x: nn.CellList([nn.CellDict()])", X, **T)
C("lambda x: [len(c) for c in [nn.CellList([nn.ReLU()])] for c in [c.__iadd__([nn.Tanh()])]]", X, _jit=False)

# ---------------------------------------------------------------- operators with options, rounding
C("lambda x: x.__add__(1, alpha=2)", X)
C("lambda x: x.__sub__(1, alpha=2)", X)
C("round", arr(2, 3))
C("lambda x: round(x)", lit([2.5], "float32"))

# ---------------------------------------------------------------- NumPy
for expression in (
    "np.ones((2, 3), np.float32) * x",
    "np.ones((2, 3), np.float32) == x",
    "np.ones((2, 3), np.int64) - x",
    "np.float32(2) * x",
    "np.float64(2) + x",
    "np.array(2.5) * x",
    "x - np.array(2.5)",
    "np.array(300) * x.astype(ms.float16)",
    "np.array(300) + x.astype(ms.int8)",
    "np.maximum(x, np.float64(0.5))",
    "np.arctan2(x, np.int64(2))",
    "np.ones(2, np.float32) * Tensor(3.0, ms.float64)",
    "np.ones(2, np.int8) + Tensor(3, ms.int64)",
    "np.clip(x, np.float64(-0.5), np.array(0.5))",
    "np.where(x > 0, x, np.float64(2))",
    "np.int64(3) * x",
    "np.exp(x)",
    "np.multiply(2, x)",
    "np.add(x, np.ones((2, 3), np.float32))",
    "np.repeat(x, 2)",
    "np.transpose(x)",
    "np.squeeze(x)",
    "np.concatenate([x, x])",
    "np.clip(x, 0, 1)",
    "np.argmax(x)",
    "np.cumsum(x)",
    "np.take(x, 1)",
    "np.reshape(x, (3, 2))",
):
    C(f"lambda x: (type({expression}).__name__, Tensor({expression}))", X, _grad=False, _jit=False)
C("lambda x: np.ones((2, 3), np.float32) * x", X, _out=False, _jit=False, _like="lambda x: ops.ones((2, 3)) * x")

# ---------------------------------------------------------------- sparse Tensors beside dense ones
COO = "ms.COOTensor(Tensor([[0, 1], [1, 2]]), Tensor([2.0, 3.0], ms.float32), (2, 3))"
for expression in (f"(x * {COO}).to_dense()", f"x + {COO}", f"x - {COO}", f"({COO} * x).to_dense()"):
    C(f"lambda x: {expression}", X, _grad=False, _jit=False)
C(f"lambda x: x / {COO}", X, **T)

# ---------------------------------------------------------------- tuples
for arguments in ("(4, 6), 2", "[4], [2]", "'a', 1"):
    C(f"lambda x: __import__('mindspore.ops.functional').ops.functional.tuple_div({arguments})", X, **T)
for arguments in ("(4, 6), (2,)", "(4, 5), (2, 3)", "(4, 6), (0, 3)"):
    C(
        f"lambda x: __import__('mindspore.ops.functional').ops.functional.tuple_div({arguments})",
        X,
        _raises="RuntimeError",
    )
C(
    "lambda x: __import__('mindspore.ops.functional').ops.functional.tuple_div((4, 6), (2, 3))",
    X,
    _grad=False,
    _jit=False,
)

# ---------------------------------------------------------------- the rest
C("ops.ROIAlign(2, 2, 0.5, 2)", arr(1, 2, 4, 4), lit([[0, 0.2, 0.3, 2.5, 3.0], [0, 1, 1, 1, 1]], "float32"))
C(
    "ops.ROIAlign(2, 2, 0.5, 2, 0)",
    arr(1, 2, 4, 4),
    lit([[0, 0.2, 0.3, 2.5, 3.0], [0, 1, 1, 1, 1]], "float32"),
    _grad=False,
)
C("lambda x: mnp.pad(x, ((1, 1), (0, 1)), mode='mean', reflect_type='odd', other=3)", X, _grad=False)
C("lambda x: mnp.pad(x, 1, mode='edge', constant_values=3)", X, _grad=False)

# ---------------------------------------------------------------- bits read as another dtype
BITS = lit([[1, 2**20, -3, 4], [-5, 6, 2**30, 8]], "int32")
for kind in ("int8", "uint8", "int16", "float16", "float32", "int64", "complex64", "bool_"):
    C(f"lambda x: x.view(ms.{kind})", BITS, _grad=False)
for kind in ("float32", "int16", "uint8"):
    C(f"lambda x: x.view(ms.{kind})", lit([[1.0, -2.0], [0.5, 3.0]], "float16"), _grad=False)
C("lambda x: x.view(ms.float32)", lit([[1 + 2j], [3 - 4j]], "complex64"), _grad=False)
C("lambda x: x.view(ms.float64)", lit([1.0, 2.0, 3.0], "float32"), _raises="ValueError")
C("lambda x: x.view(ms.int16)", lit(3.0, "float32"), _raises="ValueError")

# ---------------------------------------------------------------- choices, sums, axes
TWO = lit([[0, 1], [1, 0]], "int32")
for choices in (
    "Tensor([[1, 2], [5, 6]])",
    "Tensor([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])",
    "[[1, 2], [5, 6]]",
    "[10, 20]",
):
    C(f"lambda x: x.choose({choices})", TWO, _grad=False, _jit=False)
C("lambda x: x.choose([10, 20, 30], 'wrap')", lit([3, 1, -1], "int32"), _grad=False, _jit=False)
C("lambda x: x.choose([1, 2], mode='raise')", TWO, _raises="NotImplementedError", _jit=False)
for kind in ("int8", "int32", "bool"):
    C("lambda x: x.sum_to_size((1, 2))", lit([[1, 0], [1, 1]], kind), _grad=False)
C("lambda x: x.cross(Tensor([[4, 5, 6]], ms.int64), 1)", lit([[1, 2, 3]], "int32"), _grad=False)
for arguments in ("", "None"):
    C(f"lambda x: x.permute({arguments})", X)
    C(f"lambda x: x.transpose({arguments})", X)
C("lambda x: x.subtract(1, 2)", X)
for call in ("tile((1, 2), 1)", "reshape((6,), 'a')", "reshape([6], 1)", "view((3, 2), 1)", "expand((2, 2, 3), 1)", "broadcast_to((2, 2, 3), 1)",
             "permute((1, 0), 7)", "ptp(True)", "ptp(False)"):  # fmt: skip
    C(f"lambda x: x.{call}", X)
C("lambda x: x.dim(True, 1)", X, _grad=False)
for name in ("nansum", "nanmean"):
    C(f"lambda x: x.{name}(Tensor([0, 1]))", X, _jit=False)
C("lambda x: x.nansum(Tensor(1))", X, _jit=False)
for name in ("igamma", "igammac"):
    C(f"lambda x: x.{name}(Tensor([0.0, 0.5, 2.0, 0.0]))", lit([0.0, 0.0, 0.0, 1.0], "float32"), _grad=False)

# ---------------------------------------------------------------- norms of whole numbers; a Tensor where several may stand
for kind in ("int8", "int32", "float32"):
    C("ops.clip_by_norm", lit([3, 4], kind), 1.0, _grad=False)
C("ops.clip_by_norm", lit([3, 4], "int32"), 100.0, _grad=False, _jit=False)
C("ops.clip_by_norm", lit([False, True]), 0.5, _grad=False)
C("ops.clip_by_global_norm", lit([3.0, 4.0], "float32"), 1.0, _grad=False)
C("ops.clip_by_global_norm", lit([3, 4], "int32"), 1.0, _grad=False)
C("ops.hardtanh", lit([False, True]), _grad=False)
BELOW = [-2.0, -0.5, 0.0, 0.5]
for name in ("k0", "k0e", "k1", "k1e", "y0", "y1"):
    for kind in ("float32", "float64"):
        C(f"ops.bessel_{name}", lit(BELOW, kind))
for axes in ("(0, 1)", "[0]", "(1,)", "1", "None"):
    C(f"lambda x: ops.prod(x, {axes})", lit([[3, 1, 2], [1, 4, 1]], "int32"), _grad=False)
C("lambda x: ops.prod(x, (1,))", lit([[True, False], [True, True]]), _grad=False)
C("lambda x: ops.count_nonzero(x, Tensor([0, 1]))", lit([[3, 0], [1, 4]], "int32"), _grad=False, _jit=False)
C(
    "lambda x: ops.hinge_embedding_loss(x, Tensor([1.5, -2, 3, 0, 5, -1]), reduction='none')",
    lit([1.5, -2, 3, 0, 5, -1], "float32"),
)
for kind in ("int32", "bool", "float32"):
    C("lambda x: ops.subtract(x, Tensor([True, False]))", lit([1, 0], kind), _grad=False)
    C("lambda x: ops.subtract(x, Tensor([3, 2]), alpha=2)", lit([1, 0], kind), _grad=False)
    C("lambda x: ops.subtract(x, Tensor([3, 2]), alpha=0.5)", lit([1, 0], kind), _grad=False)

# ---------------------------------------------------------------- mindspore.numpy beside numbers; one array where several may stand
FLAGS, WHOLE = lit([[True, False], [False, True]]), lit([[3, 1], [0, 2]], "int32")
for expression in (
    "maximum(x, 3)",
    "maximum(0, x)",
    "minimum(x, 3)",
    "maximum(x, Tensor(2.5))",
    "maximum(x, [3, 2])",
    "clip(x, 3, 2)",
):
    C(f"lambda x: mnp.{expression}", FLAGS, _grad=False)
for name in ("column_stack", "hstack", "vstack", "dstack"):
    C(f"lambda x: mnp.{name}(x)", WHOLE, _grad=False)
for arguments in (
    "weights=Tensor([[1, 2], [3, 4]])",
    "axis=0, weights=Tensor([1, 2]), returned=True",
    "axis=1, returned=True",
):
    C(f"lambda x: mnp.average(x, {arguments})", WHOLE, _grad=False)
C("lambda x: mnp.average(x, 1, Tensor([[1, 2], [3, 4]]), True)", lit([[1.5, -2.0], [0.0, 4.0]], "float32"), _grad=False)

# ---------------------------------------------------------------- numbers where axes stand, and Tensors without axes where numbers stand
for kind in ("int32", "float16", "bool"):
    for name in ("mint.fmod", "ops.fmod", "Tensor.fmod"):
        C(f"lambda x: {name}(x, Tensor(2))", lit([3, 1], kind), _grad=False)
C("lambda x: mint.fmod(x, Tensor([2]))", WHOLE, _grad=False)
C("lambda x: mint.fmod(x, Tensor(2.5))", WHOLE, _grad=False)
C("lambda x: ops.Mod()(x, Tensor(2))", WHOLE, _grad=False)
for name in ("max", "min"):
    for number in ("2.5", "True", "other=1"):
        for x in (FLAGS, WHOLE, lit([[1.5, -2.0], [0.0, 4.0]], "float32")):
            C(f"lambda x: mint.{name}(x, {number})", x, _grad=False)
C("lambda x: ops.bmm(x, x)", WHOLE, _grad=False)
for other in ("Tensor([1]).astype(ms.int8)", "Tensor(1)", "True", "2"):
    C(f"lambda x: x.bitwise_right_shift({other})", lit([9, -4, 2], "int32"), _grad=False)
for other in ("x", "Tensor([3, 2])"):
    C(f"lambda x: ops.kron(x, {other})", FLAGS, _grad=False)
for arguments in ("-1", "-2, prepend=x", "0, prepend=x"):
    C(f"lambda x: mint.diff(x, {arguments})", WHOLE, _grad=False)
for call in (
    "ops.clamp(x, True)",
    "mint.clamp(x, 0, True)",
    "x.clip(x > 0)",
    "ops.meshgrid(x, Tensor([1.5]))",
    "mint.meshgrid(x, Tensor([1.5]))",
    "mint.full_like(x, x)",
    "mint.repeat_interleave(x, x)",
    "mint.bmm(x, x)",
    "mnp.split(x, [0, 1])",
    "mnp.hsplit(x, [2])",
):
    C(f"lambda x: {call}", WHOLE, _grad=False, _raises="RuntimeError" if "repeat" in call else "ValueError")

# ---------------------------------------------------------------- remainders of hard quotients, and numbers that do not fit the Tensor's type
HARD = lit([1.5, -2.0, 3.0, -0.7, 16384.0, 0.0, 1000.0], "float32")
for kind in ("float32", "float16"):
    x = lit([1.5, -2.0, 3.0, -0.7, 16384.0, 0.0, 1000.0], kind)
    for call in (
        "x % 0.1",
        "x % float('inf')",
        "ops.remainder(x, 0.1)",
        "ops.fmod(x, 0.1)",
        "x.remainder(-7)",
        "ops.truncate_mod(x, 0.1)",
    ):
        C(f"lambda x: {call}", x, _grad=False)
    for call in ("mod(x, y)", "remainder(x, y)", "fmod(x, y)", "divmod(x, y)"):
        C(f"lambda x, y: mnp.{call}", x, lit([0.1], kind), _grad=False)
for call in ("10000000000.0 % x", "1000000.5 % x", "2**30 % x", "ops.floor_mod(-1e10, x)"):
    C(f"lambda x: {call}", lit([1.5, -2.0, 3.0, 7.0], "float32"), _grad=False)
C("lambda x: x % 0.4", HARD)
C("lambda x, y: x.remainder(y)", HARD, lit([1.0, 0.3, -2.0, 0.4, 7.0, 1.0, 3.0], "float32"))
for kind, numbers in (
    ("uint8", (300, -3, 2**40)),
    ("int8", (300, -300)),
    ("int32", (2**40, -(2**40))),
    ("float16", (0.1, 70000)),
):
    for number in numbers:
        C(f"lambda x: x < {number}", lit([0.1, 2, 100], kind), _grad=False)
        C(f"lambda x: ops.less(x, {number})", lit([0.1, 2, 100], kind), _grad=False)
for call in ("ops.xlogy(x, 0.1)", "ops.xlogy(2, x)", "x.xlogy(3)"):
    C(f"lambda x: {call}", lit([1.5, 2.0], "float16"), _grad=False)
for value in ("1", "2.7"):
    C(
        f"lambda x: ops.addcdiv(x, Tensor([7, -7, 7]), Tensor([2, 2, -2]), {value})",
        lit([1, 2, -3], "int64"),
        _grad=False,
    )
C("lambda x: x.mT", lit([1, 2, -3], "int64"), _grad=False, _raises="ValueError")
for kind, number in (("int8", 300), ("uint8", -3), ("int8", "float('inf')"), ("int32", 2**40)):
    for call in (f"ops.hardtanh(x, -1, {number})", f"ops.threshold(x, 1, {number})"):
        C(f"lambda x: {call}", lit([1, 2, 100], kind), _grad=False)
for kind, number in (("int8", 300), ("uint8", -3), ("int8", "float('inf')")):
    C(f"lambda x: ops.leaky_relu(x, {number})", lit([1, 2, 100], kind), _grad=False)
for call in (
    "x.max(axis=0, initial=300)",
    "x.min(axis=0, initial=-300)",
    "ops.amax(x, initial=300)",
    "x.sum(initial=2**40)",
):
    C(f"lambda x: {call}", lit([1, 2, 100], "int8"), _grad=False)
for call in ("x ** 3", "x ** -2", "ops.pow(x, -3)", "ops.pow(x, 5)", "mnp.divide(x, 3)", "mnp.true_divide(x, -7)"):
    C(f"lambda x: {call}", lit([0.37, 1.7, 100.0, 299.5, -41.3], "float16"), _grad=False)
