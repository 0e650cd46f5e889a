"""Elementwise operators: functions, Primitives, Tensor methods, mint and mindspore.numpy names."""

from golden_cases import Table, arr, bools, ints, lit, pos, unit

C = Table()
EDGE = lit([0.0, -0.0, 1.0, -1.0, float("inf"), -float("inf"), float("nan"), 0.5], "float32")

# ---------------------------------------------------------------- one input
C.each(
    "ops.{}",
    "abs neg exp expm1 sin cos tanh sigmoid square sign floor ceil round trunc erf erfc atan asinh relu silu",
    arr(3, 4),
)
C.each(
    "ops.{}",
    "absolute negative arctan sinh cosh tan softsign relu6 gelu mish elu celu leaky_relu hardswish softplus "
    "hardsigmoid hardtanh hardshrink softshrink tanhshrink logsigmoid log_softmax softmax softmin deg2rad rad2deg "
    "positive frac exp2 sinc bessel_i0 bessel_i1 bessel_i0e bessel_i1e bessel_j0 bessel_j1 fast_gelu nan_to_num",
    unit(3, 4),
)
C.each(
    "ops.{}",
    "log log2 log10 log1p sqrt rsqrt reciprocal inv digamma lgamma bessel_k0 bessel_k1 bessel_k0e "
    "bessel_k1e bessel_y0 bessel_y1",
    pos(3, 4),
)
C.each("ops.{}", "acos asin atanh erfinv arccos arcsin arctanh logit", unit(3, 4))
C.each("ops.{}", "acosh arccosh", lit([1.5, 2.0, 10.0], "float32"))
C.each(
    "ops.{}",
    "exp log sqrt rsqrt reciprocal abs sign floor ceil round sin tanh sigmoid relu gelu erf square isnan isinf "
    "isfinite logical_not nan_to_num log1p",
    EDGE,
)
C.each(
    "ops.{}",
    "exp log sqrt tanh sigmoid relu abs square sin gelu silu erf reciprocal floor softmax log_softmax",
    pos(2, 3, dtype="float16"),
    _rtol=4e-3,
)
C.each("ops.{}", "exp log sqrt tanh sin abs square erf reciprocal floor", pos(2, 3, dtype="float64"))
C.each("ops.{}", "abs neg square sign relu", ints(2, 3, low=-5, high=5))
C.each(
    "ops.{}",
    "abs exp sin cos sqrt square conj real imag angle tanh log reciprocal neg",
    arr(2, 3, dtype="complex64"),
    _grad=False,
)
C.each(
    "lambda z: ms.grad(ops.{})(z)",
    "exp sin cos sqrt tanh log reciprocal neg asin acos atan asinh acosh atanh",
    arr(2, 3, dtype="complex64"),
    _grad=False,
    _rtol=1e-5,
)
C.each("ops.{}", "exp tanh sin relu abs", lit(0.5, "float32"))
C.each("ops.{}", "exp tanh relu", arr(0, 3))
C.each(
    "ops.{}()",
    "Abs Exp Expm1 Sin Cos Tan Tanh Sigmoid Square Sign Floor Ceil Round Rint Erf Erfc Atan Sinh Cosh Neg ReLU ReLU6 "
    "Elu Softplus Softsign GeLU Mish HSwish HSigmoid Identity ZerosLike OnesLike IsNan IsInf IsFinite LogSoftmax "
    "Softmax L2Loss Asinh Trunc",
    arr(3, 4),
)
C.each("ops.{}()", "Log Log1p Sqrt Rsqrt Reciprocal Inv Lgamma Digamma", pos(3, 4))
C.each("ops.{}()", "ACos Asin Atanh Erfinv", unit(3, 4))
C("ops.Acosh()", lit([1.5, 2.0, 10.0], "float32"))
C("ops.Elu(0.5)", arr(3, 4), _raises="ValueError")
C("nn.LeakyReLU(0.1)", arr(3, 4))
C("ops.LogicalNot()", bools(3, 4))
C.each("ops.{}()", "Real Imag Conj ComplexAbs", arr(2, 3, dtype="complex64"), _grad=False)
C("ops.Complex()", arr(2, 3), arr(2, 3), _grad=False)
C("ops.Invert()", ints(5, dtype="int16", low=-9))
C.each(
    "Tensor.{}",
    "abs exp sin cos tanh sigmoid square sign floor ceil round erf neg negative isnan isinf isfinite isreal trunc "
    "tan atan expm1 sinh cosh absolute float half int long bool nan_to_num asinh erfc hardshrink copy",
    arr(3, 4),
)
C("Tensor.clone", arr(3, 4), _like="Tensor.copy")
C.each("Tensor.{}", "log sqrt rsqrt reciprocal log2 log10 log1p inv lgamma digamma", pos(3, 4))
C.each("Tensor.{}", "asin acos atanh erfinv", unit(3, 4))
C("Tensor.logical_not", bools(4))
C.each(
    "mint.{}",
    "abs exp expm1 sin cos tan tanh sigmoid square sign floor ceil round trunc erf erfc atan asinh neg negative sinh "
    "cosh isfinite isinf isnan nan_to_num fix logical_not",
    arr(3, 4),
    _like="ops.{}",
)
C.each("mint.{}", "log log2 log10 log1p sqrt rsqrt reciprocal", pos(3, 4), _like="ops.{}")
C.each("mint.{}", "acos asin atanh erfinv arccos arcsin arctanh exp2 frac", unit(3, 4), _like="ops.{}")
C.each(
    "F.{}",
    "relu silu sigmoid tanh hardswish hardsigmoid softshrink hardshrink relu6 elu mish logsigmoid softplus",
    arr(3, 4),
    _like="ops.{}",
)
# The build takes the gradient of selu from elu, without its factors.
for name in ("ops.selu", "ops.SeLU()", "F.selu"):
    C(name, arr(3, 4), _force=True, _like="lambda x: 1.05070098 * ops.where(x > 0, x, 1.67326324 * (ops.exp(x) - 1.0))")
C("F.softmax", arr(3, 4), -1, _like="ops.softmax")
C("F.gelu", arr(3, 4), _like="lambda x: ops.gelu(x, 'none')")
C("F.leaky_relu", arr(3, 4), _like="lambda x: ops.leaky_relu(x, 0.01)")
C("F.log_softmax", arr(3, 4), _like="lambda x: ops.log_softmax(x, 1)")
C.each(
    "mnp.{}",
    "abs exp sin cos tanh square sign floor ceil arctan isnan isinf isfinite expm1 negative rint trunc fix deg2rad "
    "positive sinh cosh tan arcsinh exp2 absolute logical_not",
    arr(3, 4),
)
C.each("mnp.{}", "log log2 log10 log1p sqrt reciprocal cbrt", pos(3, 4))
C.each("mnp.{}", "arcsin arccos arctanh", unit(3, 4))
C("mnp.round", arr(3, 4))
C("mnp.around", arr(3, 4), 1)
C("ops.gelu", arr(3, 4), approximate="tanh")
C("ops.gelu", lit([-4.0, -3.25, -2.5, -1.0, 0.5, 3.0], "float16"), approximate="tanh")
C("ops.gelu", arr(3, 4), approximate="none")
C("F.gelu", arr(3, 4), approximate="tanh", _like="ops.gelu")
C("ops.elu", arr(3, 4), alpha=1.0)
C("F.elu", arr(3, 4), 0.5, _like="lambda x, a: ops.relu(x) + a * (ops.exp(ops.minimum(x, 0.0)) - 1.0)")
C("ops.leaky_relu", arr(3, 4), 0.1)
C("F.leaky_relu", arr(3, 4), 0.1, _like="ops.leaky_relu")
C("ops.celu", arr(3, 4), 2.0)
C("ops.softplus", arr(3, 4), beta=2, threshold=1)
C("ops.softplus", lit([-2, 0, 1, 9], "int32"), 2.5, _grad=False)
C("ops.softplus", lit([True, False], "bool"), beta=0.5, _grad=False)
C("F.softplus", arr(3, 4), 2, 1, _like="ops.softplus")
C("ops.hardshrink", arr(3, 4), 0.3)
C("ops.softshrink", arr(3, 4), 0.3)
C("ops.hardtanh", arr(3, 4), -0.5, 0.7)
C("ops.threshold", arr(3, 4), 0.1, 20.0)
C("ops.prelu", arr(2, 3, 4), lit([0.25, 0.5, 0.1], "float32"))
C("ops.PReLU()", arr(2, 3, 4), lit([0.25, 0.5, 0.1], "float32"))
C("ops.prelu", arr(2, 3), lit([0.25], "float32"))
C("ops.prelu", lit([[float("inf"), -1.0, 2.0]], "float32"), lit([0.25], "float32"))
C("ops.glu", arr(3, 4))
C("ops.glu", arr(4, 3), 0)
C("ops.glu", arr(2, 6, 3), axis=1)
C("ops.softmax", arr(3, 4), axis=0)
C("ops.softmax", arr(2, 3, 4), axis=1)
C("ops.Softmax(0)", arr(3, 4))
C("ops.LogSoftmax(0)", arr(3, 4))
C("ops.log_softmax", arr(3, 4), axis=0)
C("F.softmax", arr(3, 4), 0)
C("F.log_softmax", arr(3, 4), 0, _like="ops.log_softmax")
C("mint.softmax", arr(3, 4), 0)
C("ops.nan_to_num", EDGE, 1.0, 2.0, 3.0)
C("ops.logit", lit([0.1, 0.5, 0.9, 0.0], "float32"), eps=1e-3)
C("ops.logit", lit([0.1, 0.5, 0.9], "float32"))
C("ops.clamp", arr(3, 4), -0.5, 0.5)
C("ops.clamp", arr(3, 4), min=0.1)
C("ops.clamp", arr(3, 4), max=0.1)
C("ops.clamp", arr(3, 4), arr(3, 1), lit([2.0], "float32"))
C("ops.clip", arr(3, 4), -0.5, 0.5)
C("mint.clamp", arr(3, 4), -0.5, 0.5)
C("mint.clip", arr(3, 4), None, 0.5)
C("mnp.clip", arr(3, 4), -0.5, 0.5)
C("Tensor.clamp", arr(3, 4), -0.5, 0.5)
C("Tensor.clip", arr(3, 4), -0.5, 0.5)
C("ops.clip_by_value", arr(3, 4), -0.5, 0.5)
C("ops.clip_by_value", arr(3, 4), lit(-0.5, "float32"), lit(0.5, "float32"))
C("ops.clip_by_value", ints(3, 4), 2, 7)
C("ops.clip_by_value", ints(3, 4), 2.5, 6.5)
C("ops.clip_by_value", arr(3, 4, dtype="float16"), lit(-0.5, "float32"), lit(0.5, "float32"))
C("ops.clip_by_value", [ints(3, 4), arr(2)], -0.5, 0.5)
C("ops.clip_by_value", arr(3, 4), None, 0.25)
C("ops.clip_by_norm", arr(3, 4), 1.0)
C("ops.clip_by_norm", [arr(3, 4), arr(2)], 1.0)
C("ops.clip_by_global_norm", (arr(3, 4), arr(2)), 1.0)
C("ops.clip_by_global_norm", (arr(3, 4), arr(2)), 100.0)
C("ops.clip_by_global_norm", (arr(3, 4), arr(2)), 1.0, True, _raises="ValueError")
C("nn.ClipByNorm()", arr(3, 4), lit(1.0, "float32"))
C("ops.mvlgamma", lit([3.0, 4.5], "float32"), 2)
for dtype in ("float16", "float64", "int32", "int64", "uint8", "bool_", "bfloat16", "complex64"):
    C(f"lambda x: ops.cast(x, ms.{dtype})", arr(2, 3), _grad=dtype.startswith("float"))
    C(f"lambda x: x.astype(ms.{dtype})", ints(2, 3, low=-3), _grad=False)
    C(f"lambda x: ops.Cast()(x, ms.{dtype})", pos(2, 3, dtype="float16"), _grad=dtype.startswith("float"))
C("lambda x: x.to(ms.float16)", arr(2, 3), _rtol=1e-3)
C('lambda x: x.to("CPU", dtype=ms.float16)', arr(2, 3), _rtol=1e-3)
C('lambda x: x.to("CPU", ms.float16, False, True)', arr(2, 3), _rtol=1e-3)
C("lambda x: x.type_as(Tensor([1], ms.int32))", arr(2, 3), _grad=False)

# ---------------------------------------------------------------- two inputs
for a, b in [(arr(3, 4), arr(3, 4)), (arr(3, 4), arr(4)), (arr(2, 1, 3), arr(4, 1)), (arr(3, 4), lit(0.5, "float32"))]:
    C.each("ops.{}", "add sub mul maximum minimum atan2 less equal hypot", a, b)
C.each(
    "ops.{}",
    "add sub mul div maximum minimum pow floor_div floor_mod true_divide divide multiply subtract fmax ne eq gt ge "
    "lt le greater greater_equal less less_equal not_equal xdivy xlogy logaddexp logaddexp2 hypot atan2 arctan2 "
    "remainder fmod float_power truncate_div truncate_mod floor_divide tensor_add tensor_sub tensor_mul tensor_div "
    "tensor_pow tensor_gt tensor_lt tensor_ge tensor_le tensor_floordiv tensor_mod",
    pos(3, 4),
    pos(3, 4),
)
C("ops.copysign", arr(3, 4), arr(3, 4))
C("ops.heaviside", lit([-1.0, 0.0, 2.0], "float32"), lit([0.5, 0.25, 1.0], "float32"), _grad=False)
C("ops.nextafter", arr(3), arr(3))
C("ops.ldexp", arr(3), lit([1, 2, 3], "int32"))
C("ops.ldexp", lit([1, 2, 3], "float16"), lit([1, 2, 14], "int32"))
C("ops.ldexp", lit([1, 2, 3], "int32"), lit([1, 2, 14], "float16"))
C.each(
    "ops.{}()",
    "Add Sub Mul Div RealDiv Maximum Minimum Pow FloorDiv Mod FloorMod Atan2 SquaredDifference TruncateDiv "
    "TruncateMod DivNoNan MulNoNan Xdivy Xlogy Equal NotEqual Greater GreaterEqual Less LessEqual ApproximateEqual "
    "Hypot",
    pos(3, 4),
    pos(3, 4),
)
C.each(
    "ops.{}()",
    "Add Sub Mul Div RealDiv Maximum Minimum Pow FloorDiv Mod FloorMod TruncateDiv Equal NotEqual "
    "Greater GreaterEqual Less LessEqual",
    ints(2, 3, low=-9),
    ints(3, low=1),
)
C("ops.Add()", arr(3, 4), 2.5)
for pattern in ("ops.logical_{}", "mint.logical_{}", "mnp.logical_{}", "Tensor.logical_{}"):
    C.each(pattern, "and or xor", bools(2, 3), bools(2, 3))
C.each("ops.{}()", "LogicalAnd LogicalOr", bools(2, 3), bools(2, 3))
C.each(
    "ops.{}",
    "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift gcd lcm",
    ints(2, 3),
    ints(2, 3, high=5),
)
C.each("ops.{}()", "BitwiseAnd BitwiseOr BitwiseXor", ints(2, 3), ints(2, 3, high=5))
for truth in (True, False):  # a bool of Python's is a number
    C.each("ops.{}", "bitwise_left_shift bitwise_right_shift", ints(2, 3), truth)
    C.each("ops.{}", "bitwise_left_shift bitwise_right_shift", truth, ints(2, 3, low=0))
C("ops.zeta", pos(4), True, _grad=False)
C.each("mint.{}", "bitwise_and bitwise_or bitwise_xor", ints(2, 3), ints(2, 3, high=5), _like="ops.{}")
C.each("Tensor.{}", "bitwise_and bitwise_or bitwise_xor", ints(2, 3), ints(2, 3, high=5))
for sign in "+ - * / // % **".split():
    C(f"lambda x, y: x {sign} y", pos(3, 4), pos(4))
    C(f"lambda x, y: x {sign} y", arr(3, 4), 2)
    C(f"lambda x, y: y {sign} x", pos(3, 4), 1.5)
    C(f"lambda x, y: x {sign} y", ints(4, low=1), ints(4, low=1, high=4))
    C(f"lambda x, y: x {sign} y", pos(4, dtype="float16"), pos(4), _rtol=2e-3)
for sign in "== != < <= > >=".split():
    C(f"lambda x, y: x {sign} y", ints(6, high=3), ints(6, high=3))
    C(f"lambda x, y: x {sign} y", EDGE, 0)
for sign in "& | ^".split():
    C(f"lambda x, y: x {sign} y", bools(6), bools(6))
C.each(
    "mint.{}",
    "add sub mul div pow maximum minimum remainder fmod floor_divide atan2 eq ne lt le gt ge greater greater_equal "
    "less less_equal not_equal logaddexp xlogy",
    pos(3, 4),
    pos(3, 4),
    _like="ops.{}",
)
C("mint.add", arr(3, 4), arr(4), alpha=2)
C("mint.sub", arr(3, 4), arr(4), alpha=2)
C("mint.div", arr(3, 4), pos(4), rounding_mode="floor")
C("mint.div", arr(3, 4), pos(4), rounding_mode="trunc")
C("ops.div", arr(3, 4), pos(4), rounding_mode="floor")
C("ops.div", arr(3, 4), pos(4), rounding_mode="trunc")
C("mint.equal", arr(3, 4), arr(3, 4), _like="lambda x, y: bool(ops.equal(x, y).all())")
C("ops.equal", arr(3), 0.5)
C.each(
    "Tensor.{}",
    "add sub mul div pow maximum minimum remainder floor_divide atan2 eq ne lt le gt ge greater greater_equal less "
    "less_equal not_equal subtract multiply divide true_divide fmod hypot xlogy logaddexp arctan2",
    pos(3, 4),
    pos(3, 4),
)
C.each(
    "mnp.{}",
    "add subtract multiply divide true_divide power float_power maximum minimum mod remainder floor_divide arctan2 "
    "equal not_equal less less_equal greater greater_equal logaddexp logaddexp2 hypot fmod copysign heaviside",
    pos(3, 4),
    pos(3, 4),
)
C("ops.polygamma", lit(1), pos(3))
C("ops.addn", [arr(3), arr(3), arr(3)])
C("ops.AddN()", [arr(3), arr(3)])
C("ops.accumulate_n", [arr(3), arr(3)])
C("ops.addcmul", arr(3, 4), arr(3, 4), arr(4), 0.5)
C("ops.xlogy", lit([0.0, 0.0, 2.0], "float32"), lit([2.0, 0.5, 3.0], "float32"))
for name in ("ops.div", "ops.DivNoNan()", "lambda x, y: x / y"):
    small = lit([0.01, 0.0, 2.0, 0.002], "float16"), lit([0.003, 0.001, 300.0, 0.001], "float16")
    C(name, *small, _rtol=2e-3)
C("ops.addcdiv", arr(3, 4), arr(3, 4), pos(4), 0.5)
C("ops.Addcmul()", arr(3, 4), arr(3, 4), arr(4), lit([0.5], "float32"))
C("ops.lerp", arr(3, 4), arr(3, 4), 0.3)
C("ops.lerp", arr(3, 4), arr(3, 4), unit(3, 4))
C("mint.lerp", arr(3, 4), arr(3, 4), 0.3)
C("ops.where", bools(3, 4), arr(3, 4), arr(4))
C("ops.where", bools(3, 4), arr(3, 4), 0.0)
C("ops.where", bools(3, 4), 1.0, arr(3, 4))
C("ops.select", bools(3, 4), arr(3, 4), arr(3, 4))
C("ops.select", bools(3, 4), arr(3, 4), 2.0)
C("ops.Select()", bools(3, 4), arr(3, 4), arr(3, 4))
C("mint.where", bools(3, 4), arr(3, 4), arr(3, 4))
C("mint.where", bools(3, 4), _like="lambda c: tuple(ops.nonzero(c).T)")
C("mnp.where", bools(3, 4), arr(3, 4), arr(3, 4))
C("Tensor.where", arr(3, 4), bools(3, 4), 2.0)
C("ops.isclose", arr(3), arr(3), 1e-5, 1e-8, False)
C("ops.isclose", EDGE, EDGE, equal_nan=True)
C("mint.isclose", EDGE, EDGE)
C("mnp.isclose", EDGE, EDGE)
# gradients through complex numbers, between real ends
C("lambda a, b: (lambda z: ops.Real()(z) * ops.Imag()(z))(ops.Complex()(a, b))", arr(3), arr(3))
C("lambda a, b: (lambda z: ops.real(z) - 2 * ops.imag(z))(ops.Complex()(a, b) * ops.Complex()(b, a))", arr(3), arr(3))
C("lambda a, b: (lambda z: z.real() + z.imag() * 2)(ops.Complex()(a, b))", arr(3), arr(3))
C("lambda a, b: ops.ComplexAbs()(ops.Complex()(a, b))", arr(3), arr(3))
C("lambda a, b: ops.view_as_real(ops.Complex()(a, b))", arr(2, 3), arr(2, 3))
C("lambda a, b: ops.real(ops.polar(a, b)) - ops.imag(ops.Polar()(a, b))", pos(3), arr(3))
C("lambda a, b: ops.real(mint.polar(a, b))", pos(3), arr(3), _like="lambda a, b: ops.real(ops.polar(a, b))")
for name in ("exp", "sin", "sqrt", "square", "conj", "log", "reciprocal", "neg"):
    C(f"lambda a, b: (lambda z: ops.real(z) + ops.imag(z) * 2)(ops.{name}(ops.Complex()(a, b)))", pos(3), arr(3))
C("ops.polar", pos(3), arr(3), _grad=False)
C("mint.polar", pos(3), arr(3), _grad=False)
C("ops.view_as_real", arr(2, 3, dtype="complex64"), _grad=False)
C("ops.is_floating_point", arr(3))
C("ops.is_tensor", arr(3))
C("ops.is_complex", arr(3))
C("ops.isreal", arr(3))
C("ops.zeros_like", arr(2, 3))
C("ops.ones_like", ints(2, 3))
C("ops.full_like", arr(2, 3), 2.5)
C("ops.full_like", ints(2, 3), 2)
C("lambda x: ops.zeros_like(x, dtype=ms.int32)", arr(2, 3))
C.each("mnp.{}", "zeros_like ones_like", arr(2, 3))
C("mint.zeros_like", arr(2, 3), _like="ops.zeros_like")
C("mint.ones_like", arr(2, 3), _like="ops.ones_like")
C("mint.full_like", arr(2, 3), 2.5, _like="ops.full_like")
C("mnp.full_like", arr(2, 3), 2.5)
for sign, name in {"+": "add", "-": "sub", "*": "mul", "/": "div"}.items():
    C(f"lambda x, y: x.{name}_(y)", arr(3, 4), pos(4), _like=f"ops.{name}", _force=True)
C("lambda x: (x.zero_(), x)[1]", arr(3), _like="ops.zeros_like")
C("lambda x: (x.fill_(2.0), x)[1]", arr(3), _like="lambda x: ops.full_like(x, 2.0)")
