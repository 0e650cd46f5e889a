"""Functional tools, 1.x spellings, fused optimizer operators and recurrent Primitives."""

import mindspore as ms
from golden_cases import Table, arr, ints, lit, par, perm, pos
from mindspore import Tensor, ops

C = Table()

add_any = ops.MultitypeFuncGraph("add_any")


@add_any.register("Tensor", "Tensor")
def add_tensors(x, y):
    return x + y


@add_any.register("Number", "Tensor")
def add_number(x, y):
    return x * 10 + y


scale = ops.MultitypeFuncGraph("scale")


@scale.register("Tensor", "Tensor")
def scale_tensor(factor, x):
    return x * ops.cast(factor, x.dtype)


def multitype(x, y):
    return add_any(x, y), add_any(2, y)


def hyper_map(x, y):
    return ops.HyperMap()(add_any, (x, y), (y, x))


def hyper_map_leaf(x, y):
    return ops.HyperMap(add_any)((x, (y, x)), (y, (x, x)))


def hyper_map_partial(x, y):
    return ops.HyperMap()(ops.partial(scale, Tensor(0.5, ms.float32)), (x, y))


def map_operator(x, y):
    return ops.Map()(ops.square, (x, y))


def primitive_partial(x, y):
    return ops.Partial()(ops.mul, x)(y)


@ops.constexpr
def constant(n):
    return n * 2 + 1


def uses_constexpr(x):
    return x * constant(3)


C(multitype, arr(3), arr(3))
C(hyper_map, arr(3), arr(3))
C(hyper_map_leaf, arr(3), arr(3))
C(hyper_map_partial, arr(3), arr(2, 2))
C(map_operator, arr(3), arr(2, 2))
C(primitive_partial, arr(3), arr(3))
C(uses_constexpr, arr(3))
C("lambda: isinstance(ops.Primitive('Add'), ops.Primitive)")
C("lambda x: ops.identity(x)", arr(3), _like="lambda x: x")
C("ops.make_range", 5, _like="lambda n: (0, 1, 2, 3, 4)")
C("ops.make_range", 2, 5, _like="lambda a, b: (2, 3, 4)")
C("ops.tuple_len", (1, 2, 3), _like="len")
C("ops.pow", arr(3), 2)
C("ops.TensorAdd()", arr(3), arr(3), _like="ops.Add()")
C("ops.GatherV2()", arr(4, 3), ints(2, high=4), 0, _like="ops.Gather()")
C("ops.Gelu()", arr(3), _like="ops.GeLU()")
C("ops.ScalarToTensor()", 1.5)
C("lambda: ops.ScalarCast()(1.5, ms.int64)")
C("ops.ScalarToTensor()", 2)
C("ops.operations._inner_ops.SiLU()", arr(3), _like="ops.silu")
C("ops.tensor_scatter_update", arr(3, 2), lit([[0], [2]], "int32"), arr(2, 2), _like="ops.TensorScatterUpdate()")
C("ops.ReLU()", arr(2, 2))
C("lambda x: ops.mixed_precision_cast(ms.float16, x)", arr(3))
C("lambda x: ops.add_flags(lambda y: y, flag=True)(x)", arr(3))
C("lambda x, y: (ops.Depend()(x, y), ops.depend(y, x))", arr(2), arr(2))
STATUS = "lambda x: ops.logical_not(ops.isfinite(x)).any().astype(ms.float32).reshape(1)"
C("ops.FloatStatus()", lit([1.0, float("inf")], "float32"), _like=STATUS)
C("ops.FloatStatus()", arr(3), _like=STATUS)
C("lambda: ops.NPUAllocFloatStatus()()", _like="lambda: ops.zeros((8,), ms.float32)")
C("lambda: ops.NPUGetFloatStatus()(ops.zeros((8,), ms.float32))", _like="lambda: ops.zeros((8,), ms.float32)")
C("lambda: ops.NPUClearFloatStatus()(ops.zeros((8,), ms.float32))", _like="lambda: ops.zeros((8,), ms.float32)")
C("lambda x: ops.isinf(x).any()", lit([1.0, float("inf")], "float32"))
C("lambda x, y: ops.tensor_dot(x, y, 1)", arr(2, 3), arr(3, 2))
C("lambda x: ops.dtype(x)", arr(1))
C("lambda x: ops.tuple_to_array((1, 2, 3)) + x", ints(3))
C("ops.in_dict", "a", {"a": 1})
C("ops.isconstant", 1)
C("lambda x: ops.Print()('values', x)", arr(2))
C.each("lambda x: ops.{}()('x', x)", "TensorSummary HistogramSummary", arr(2))
C("lambda x: ops.ScalarSummary()('x', x)", lit(1.5))
C("lambda x: ops.ImageSummary()('x', x)", pos(1, 3, 2, 2))
C("lambda: sorted((k, v) for k, v in vars(ops.DataType).items() if not k.startswith('__'))")
REGISTERED = "ops.CustomRegOp('scaled').input(0, 'x').input(1, 'y', 'optional').output(0, 'z').attr('n', 'required', 'int', value=[1, 2])"
C(f"lambda: {REGISTERED}.dtype_format(*[ops.DataType.F16_Default] * 3).target('CPU').get_op_info()")
C("lambda: ops.CustomRegOp().fusion_type('all').get_op_info()")
C("lambda: ops.CustomRegOp(3)", _raises="ValueError")
C(
    "lambda: ops.CustomRegOp().input(0, 'x').dtype_format(ops.DataType.F32_Default, ops.DataType.F32_Default)",
    _raises="ValueError",
)


def attributes(first):
    """What a Primitive of a user's keeps of its arguments."""

    class Scaled(ops.PrimitiveWithInfer):
        @ops.prim_attr_register
        def __init__(self, first, second=2):
            self.init_prim_io_names(inputs=["x"], outputs=["y"])
            self.total = first + second

    made = Scaled(first, second=5)
    return made.name, made.attrs["first"], made.attrs["second"], made.first, made.second, made.total


C(attributes, 3)


def squared_sum(x, y):
    return x * x + y


def squared_sum_gradient(x, y, out, grad):
    return 2 * x * grad, grad


def with_custom(x, y):
    """A user's function of NumPy arrays, with a gradient of its own."""
    made = ops.Custom(squared_sum, lambda a, b: a, lambda a, b: a, "pyfunc", bprop=squared_sum_gradient)
    return made(x, y)


def many_heads(query, key, value, weight, bias, out_weight, out_bias, more=None, **keywords):
    """The function behind nn.MultiheadAttention."""
    forward = ops.function.nn_func.multi_head_attention_forward
    extra = (None, None) if more is None else (more, more * 2)
    return forward(
        query, key, value, 4, 2, weight, bias, *extra, more is not None, 0.0, out_weight, out_bias, **keywords
    )


WEIGHTS = arr(12, 4), arr(12), arr(4, 4), arr(4)
H = {"_rtol": 2e-4, "_atol": 2e-5}
C(many_heads, arr(3, 2, 4), arr(5, 2, 4), arr(5, 2, 4), *WEIGHTS, **H)
C(many_heads, arr(3, 4), arr(5, 4), arr(5, 4), *WEIGHTS, average_attn_weights=False, **H)
C(many_heads, arr(3, 2, 4), arr(5, 2, 4), arr(5, 2, 4), *WEIGHTS, arr(1, 1, 4), attn_mask=arr(3, 5), **H)
C(
    many_heads,
    arr(3, 2, 4),
    arr(3, 2, 4),
    arr(3, 2, 4),
    *WEIGHTS,
    key_padding_mask=lit([[False, True, False], [True, False, False]]),
    **H,
)
STATIC = {"static_k": arr(4, 5, 2), "static_v": arr(4, 5, 2)}
C(many_heads, arr(3, 2, 4), arr(3, 2, 4), arr(3, 2, 4), *WEIGHTS, **STATIC, **H)
APART = {"q_proj_weight": arr(4, 4), "k_proj_weight": arr(4, 3), "v_proj_weight": arr(4, 2)}
C(many_heads, arr(3, 2, 4), arr(5, 2, 3), arr(5, 2, 2), None, *WEIGHTS[1:], use_separate_proj_weight=True, **APART, **H)
C(many_heads, arr(3, 2, 4), arr(3, 2, 4), arr(3, 2, 5), *WEIGHTS, _raises="ValueError", **H)
C(with_custom, arr(2, 3), arr(2, 3))


@ops.constexpr
def ramp(length):
    return Tensor(list(range(length)), ms.float32)


def scaled_by_ramp(x):
    return x * ramp(x.shape[-1])


C(scaled_by_ramp, arr(2, 3))
C("lambda: ops.Tensor([1.0, 2.0], ms.float16)")
C("lambda: Tensor.from_numpy(np.arange(6, dtype=np.float32).reshape(2, 3))")
C(
    "lambda x: (ops.control_depend(x, x), ops.ControlDepend(1)(x, x), ops.depend(x, None))[2]",
    arr(2),
    _like="lambda x: ops.depend(x, x)",
)
C("lambda x: ms.ops._primitive_cache._get_cache_prim(ops.ReduceSum)(True)(x, 1)", arr(2, 3))

# ---------------------------------------------------------------- fused optimizer operators
P, M, V, G = par(arr(3)), par(arr(3)), par(pos(3)), arr(3)
C("ops.ApplyMomentum()", P, M, 0.1, G, 0.9, _grad=False)
C("ops.Adam()", P, M, V, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, G, _out=False, _grad=False)
C("ops.Adam(use_nesterov=True)", P, M, V, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, G, _out=False, _grad=False)
C("ops.AdamWeightDecay()", P, M, V, 0.1, 0.9, 0.999, 1e-8, 0.01, G, _out=False, _grad=False)
C("ops.SGD(0.0, 0.01)", P, G, lit(0.1, "float32"), par(arr(3)), lit(0.9, "float32"), par(pos(3)), _grad=False)
C("ops.ApplyAdagrad()", P, V, 0.1, G, _grad=False)
C("ops.ApplyAdagradV2(1e-6)", P, V, 0.1, G, _grad=False)
C("ops.ApplyAdadelta()", P, V, par(pos(3)), 0.1, 0.9, 1e-6, G, _grad=False)
C("ops.ApplyAdaMax()", P, M, V, 0.9, 0.1, 0.9, 0.999, 1e-8, G, _grad=False)
C("ops.ApplyRMSProp()", P, V, M, 0.1, G, 0.9, 0.1, 1e-6, _out=False, _grad=False)
C(
    "ops.ApplyCenteredRMSProp()",
    P,
    par(lit([0.1, 0.1, 0.1], "float32")),
    V,
    M,
    G,
    0.1,
    0.9,
    0.1,
    1e-6,
    _out=False,
    _grad=False,
)
C("ops.ApplyFtrl()", P, V, M, G, 0.1, 0.0, 0.02, -0.5, _grad=False)
C("ops.ApplyGradientDescent()", P, 0.1, G, _grad=False)
C("ops.ApplyProximalGradientDescent()", P, 0.1, 0.01, 0.02, G, _grad=False)
C("ops.ApplyProximalAdagrad()", P, V, 0.1, 0.01, 0.02, G, _grad=False)
C("ops.ApplyAddSign()", P, M, 0.1, 2.0, 0.5, 0.9, G, _grad=False)
C("ops.ApplyPowerSign()", P, M, 0.1, 2.718, 0.5, 0.9, G, _grad=False)
C("ops.ApplyKerasMomentum()", P, M, lit(0.1, "float32"), G, lit(0.9, "float32"), _grad=False)
C(
    "ops.ApplyAdamWithAmsgradV2()",
    P,
    M,
    V,
    par(pos(3)),
    lit(0.9, "float32"),
    lit(0.999, "float32"),
    lit(0.1, "float32"),
    lit(0.9, "float32"),
    lit(0.999, "float32"),
    lit(1e-8, "float32"),
    G,
    _grad=False,
)
C("ops.SparseApplyAdagradV2(0.1, 1e-6)", par(arr(3, 2)), par(pos(3, 2)), arr(2, 2), lit([0, 2], "int32"), _grad=False)
C("ops.SparseApplyAdagradV2(0.1, 1e-6)", par(arr(3, 2)), par(pos(3, 2)), arr(2, 2), lit([1, 1], "int32"), _grad=False)
C(
    "ops.SparseApplyRMSProp(0.2, 0.01, 1e-6)",
    par(arr(2, 2)),
    par(pos(2, 2)),
    par(arr(2, 2)),
    lit(0.1, "float32"),
    lit([[0, 1], [2, 0]], "float32"),
    lit([1, 0], "int32"),
    _grad=False,
)
C(
    "ops.FusedSparseAdam()",
    par(arr(3, 1, 2)),
    par(arr(3, 1, 2)),
    par(pos(3, 1, 2)),
    0.9,
    0.999,
    0.1,
    0.9,
    0.999,
    1e-8,
    arr(2, 1, 2),
    lit([0, 2], "int32"),
    _out=False,
    _grad=False,
)

# ---------------------------------------------------------------- recurrent Primitives and others
C(
    "lambda *a: ops.LSTM(3, 4, 1, True, False, 0.0)(*a)[:3]",
    arr(5, 2, 3),
    arr(1, 2, 4),
    arr(1, 2, 4),
    arr(128, 1, 1),
    _rtol=1e-3,
    _atol=1e-4,
)
# a projected layer: weights of 4 * 4 * (3 + 2) + 2 * 4 elements a direction, and 4 * 4 of a bias
C(
    "lambda *a: ops.LSTM(3, 4, 1, False, False, 0.0, 2)(*a)[:3]",
    *(arr(5, 2, 3), arr(1, 2, 2), arr(1, 2, 4), arr(88, 1, 1)),
    _rtol=1e-3,
    _atol=1e-4,
)
C(
    "lambda *a: ops.LSTM(3, 4, 1, True, True, 0.0, 2)(*a)[:3]",
    *(arr(5, 2, 3), arr(2, 2, 2), arr(2, 2, 4), arr(208, 1, 1)),
    _rtol=1e-3,
    _atol=1e-4,
)
C("ops.Lerp()", arr(3), arr(3), 0.25)
C("ops.MultiMarginLoss()", arr(3, 4), lit([0, 2, 1]), _rtol=1e-4)
C("ops.Unique()", perm(4))
C("ops.UniqueWithPad()", lit([3, 1, 3, 2], "int32"), 0)
C("ops.SubAndFilter()", lit([1, 5, 3], "int32"), 4, 1)
C("ops.NoRepeatNGram(ngram_size=2)", lit([[[1, 2, 1]]], "int32"), arr(1, 1, 4), _grad=False)
C("ops.ComputeAccidentalHits()", lit([[1], [2]]), lit([2, 0, 1]))
C("ops.ComputeAccidentalHits()", lit([[1, 2], [0, 2]]), lit([2, 0, 1]), _raises="ValueError")
C("ops.Tril()", arr(3, 3, dtype="float16"))
C(
    "ops.SearchSorted()",
    lit([0.5, 1.0, 1.5], "float32"),
    pos(3),
    _like="lambda s, v: Tensor(np.searchsorted(s.asnumpy(), v.asnumpy()))",
)
C("ops.ListDiff()", lit([1, 2, 3], "int32"), lit([2], "int32"))
C("ops.SparseGatherV2()", arr(4, 3), ints(2, high=4), 0, _like="ops.Gather()")
C("ops.Padding(4)", arr(3, 1))
C("ops.Range()", lit(0), lit(5), lit(2))
C("ops.range", lit(0, "int32"), lit(10, "int32"), lit(4, "int32"))
C("ops.range", lit(0, "float16"), lit(10, "float16"), lit(4, "float16"))
C("ops.Range()", lit(0, "float64"), lit(5, "float64"), lit(2, "float64"))
C("ops.Coalesce()", lit([[0, 0, 1], [1, 1, 2]]), lit([1.0, 2.0, 3.0], "float32"), lit([3, 3]))
C("ops.InplaceAdd(1)", arr(3, 2), arr(1, 2), _grad=False)
C("ops.InplaceSub(1)", arr(3, 2), arr(1, 2), _grad=False)
C(
    "ops.EditDistance()",
    lit([[0, 0], [0, 1]]),
    lit([1, 2]),
    lit([1, 2]),
    lit([[0, 0]]),
    lit([1]),
    lit([1, 2]),
    _grad=False,
)
C("ops.Bincount()", ints(5, high=3), lit(3, "int32"), lit([1.0] * 5, "float32"))
C("ops.Histogram(4)", pos(8), _grad=False)
C("ops.HistogramFixedWidth(4)", pos(8), lit([0.0, 2.0], "float32"), _grad=False)

C("lambda: (mint.distributed.get_rank(), mint.distributed.get_world_size())", _grad=False)  # before `init`
