"""Methods of Tensor that the other tables do not have, above all those that change it in place, and attributes."""

from golden_cases import Table, arr, bools, ints, lit, perm, pos

C = Table()


def changed(method):
    """Expression: call the method in place and give the Tensor."""
    return f"lambda x, *a, **k: (x.{method}(*a, **k), x)[1]"


# ---------------------------------------------------------------- in place
C(changed("add_"), arr(3, 4), arr(4), _force=True, _like="ops.add")
C(changed("sub_"), arr(3, 4), arr(4), _force=True, _like="ops.sub")
C(changed("mul_"), arr(3, 4), 2.0, _force=True, _like="ops.mul")
C(changed("div_"), arr(3, 4), pos(4), _force=True, _like="ops.div")
C(changed("floor_"), arr(3, 4), _force=True, _like="ops.floor")
C(changed("exp_"), arr(3, 4), _force=True, _like="ops.exp")
C(changed("log_"), pos(3, 4), _force=True, _like="ops.log")
C(changed("sigmoid_"), arr(3, 4), _force=True, _like="ops.sigmoid")
C(changed("clamp_"), arr(3, 4), -0.5, 0.5, _force=True, _like="ops.clamp")
C(changed("copy_"), arr(3, 4), arr(3, 4), _like="lambda x, y: y")
C(changed("copy_"), arr(3, 4), arr(4), _like="lambda x, y: ops.broadcast_to(y, x.shape)")
C(changed("copy_"), arr(3, dtype="float16"), arr(3), _like="lambda x, y: y.astype(ms.float16)")
C(changed("zero_"), arr(3, 4), _force=True, _like="ops.zeros_like")
C(changed("fill_"), arr(3, 4), 1.5, _force=True, _like="ops.full_like")
C(changed("masked_fill_"), arr(3, 4), bools(3, 4), 2.0, _force=True, _like="ops.masked_fill")
C(changed("fill_diagonal_"), arr(3, 4), 2.0, _grad=False, _like="lambda x, v: x.fill_diagonal(v)")
C(
    changed("index_add_"),
    arr(3, 4),
    1,
    lit([0, 2, 2]),
    arr(3, 3),
    _like="lambda x, d, i, s: ops.tensor_scatter_elements(x, ops.broadcast_to(i, s.shape), s, d, 'add')",
)
C(
    changed("index_fill_"),
    arr(3, 4),
    1,
    lit([0, 2]),
    5.0,
    _like="lambda x, d, i, v: ops.index_fill(x, d, i.astype(ms.int32), v)",
)
C(
    changed("scatter_"),
    arr(3, 4),
    1,
    lit([[0, 1], [2, 3], [1, 0]]),
    arr(3, 2),
    _like="lambda x, d, i, s: ops.tensor_scatter_elements(x, i, s, d)",
)
C(
    changed("scatter_add_"),
    arr(3, 4),
    1,
    lit([[0, 1], [2, 2], [1, 0]]),
    arr(3, 2),
    _like="lambda x, d, i, s: ops.tensor_scatter_elements(x, i, s, d, 'add')",
)
C(changed("itemset"), arr(3), 1, 5.0, _like="lambda x, i, v: x")
C(changed("requires_grad_"), arr(3), _like="lambda x: x")
C(changed("assign_value"), arr(3), arr(3), _grad=False)
C.each(
    "lambda x: (x.{}, x)[1]",
    "normal_() uniform_() bernoulli_() random_() exponential_()",
    arr(3),
    _random=True,
    _like="lambda x: x",
)

# ---------------------------------------------------------------- methods
C("Tensor.item", lit([1.5], "float32"))
C("Tensor.item", lit(7))
C("Tensor.item", arr(2), _raises="ValueError")
C("lambda x: x.numpy().tolist()", ints(2, 2))
C("lambda x: x.asnumpy().tolist()", arr(2, 2))
C("Tensor.expand", arr(3, 1), (3, 4), _like="ops.broadcast_to")
C("lambda x: x.expand(2, 3, 4)", arr(3, 1), _like="lambda x: ops.broadcast_to(x, (2, 3, 4))")
C("lambda x: x.expand(-1, 4)", arr(3, 1), _like="lambda x: ops.broadcast_to(x, (-1, 4))")
C("Tensor.repeat_interleave", arr(2, 3), 2, 1, _like="ops.repeat_interleave")
C("lambda x: x.size", arr(2, 3))
C("lambda x: x.size", lit(1.5))
C("lambda x: (x.shape, x.ndim, x.itemsize, x.nbytes, x.strides)", arr(2, 3))
C("lambda x: x.new_zeros((2, 2))", arr(3, dtype="float16"))
C("lambda x: x.new_ones((2, 2))", ints(3))
C("lambda x: x.new_ones((2, 2), dtype=ms.float32)", ints(3))
C("lambda x: x.new_full((2, 2), 2)", arr(3), _like="lambda x: ops.full((2, 2), 2, dtype=ms.float32)")
C("lambda x: x.new_empty((2, 2))", arr(3), _random=True, _like="lambda x: ops.zeros((2, 2))")
C("lambda x: x.new_tensor([1, 2])", arr(3), _like="lambda x: Tensor([1, 2], ms.float32)")
C("Tensor.t", arr(2, 3), _like="lambda x: x.T")
C("Tensor.type", arr(2))
C("lambda x: x.type(ms.int32)", arr(2), _grad=False)
C("Tensor.softmax", arr(2, 3), -1, _like="ops.softmax")
C("lambda x: ops.softmax(x)", arr(2, 3))
C("Tensor.fill", arr(2, 3), 1.5, _like="ops.full_like")
C("Tensor.flip", arr(2, 3), (1,), _like="ops.flip")
C("Tensor.flip", arr(2, 3), 0, 1, _like="lambda x, *d: ops.flip(x, d)")
C("Tensor.masked_scatter", arr(2, 3), lit([[True, False, True], [False, True, False]]), arr(4))
C("Tensor.reverse", arr(2, 3), [1], _like="ops.reverse")
C("Tensor.dot", arr(2, 3), arr(3, 4))
C("Tensor.diff", arr(2, 4), _like="ops.diff")
C("Tensor.tensor_split", arr(5, 2), 3)
C("Tensor.select", arr(3, 4), 1, 2, _like="lambda x, d, i: x[:, i]")
C(
    "Tensor.index_add",
    arr(3, 4),
    lit([0, 2], "int32"),
    arr(3, 2),
    1,
    _like="lambda x, i, s, d: ops.tensor_scatter_elements(x, ops.broadcast_to(i, s.shape), s, d, 'add')",
)
C("Tensor.is_floating_point", arr(2))
C("Tensor.is_complex", arr(2))
C("Tensor.is_signed", arr(2))
C("Tensor.mm", arr(2, 3), arr(3, 2))
C("Tensor.bmm", arr(2, 2, 3), arr(2, 3, 2))
C("Tensor.baddbmm", arr(2, 2, 2), arr(2, 2, 3), arr(2, 3, 2))
C("Tensor.addmm", arr(2, 2), arr(2, 3), arr(3, 2))
C("Tensor.addmv", arr(2), arr(2, 3), arr(3))
C("Tensor.unique", lit([3, 1, 3, 2], "int32"), _like="lambda x: Tensor(np.unique(x.asnumpy()))")
C("Tensor.double", arr(2, 3))
C("Tensor.byte", pos(2, 3), _like="lambda x: x.astype(ms.uint8)")
C("Tensor.short", arr(2, 3))
C("Tensor.bfloat16", arr(2, 3))
C("Tensor.roll", arr(2, 3), 1, 0, _like="lambda x, s, d: mnp.roll(x, s, d)")
C("Tensor.nelement", arr(2, 3))
C("Tensor.numel", arr(2, 3, 4))
C("Tensor.inverse", lit([[2.0, 1.0], [0.5, 3.0]], "float32"), _grad_rtol=1e-3)
C("Tensor.det", lit([[2.0, 1.0], [0.5, 3.0]], "float32"), _grad_rtol=1e-3)
C("Tensor.equal", ints(3), ints(3), _like="ops.equal")
C("Tensor.movedim", arr(2, 3, 4), 0, 2)
C("Tensor.moveaxis", arr(2, 3, 4), 0, 2)
C("Tensor.swapdims", arr(2, 3, 4), 0, 2)
C("Tensor.unfold", arr(2, 6), 1, 3, 2, _like="lambda x, d, size, step: ops.stack((x[:, 0:3], x[:, 2:5]), 1)")
C("Tensor.lerp", arr(2, 3), arr(2, 3), 0.25)
C(
    "Tensor.searchsorted",
    lit([0.5, 1.0, 1.5], "float32"),
    pos(5),
    _like="lambda s, v: Tensor(np.searchsorted(s.asnumpy(), v.asnumpy()).astype(np.int32))",
)
C("Tensor.real", arr(2, dtype="complex64"), _grad=False)
C("Tensor.imag", arr(2, dtype="complex64"), _grad=False)
C("Tensor.conj", arr(2, dtype="complex64"), _grad=False)
C("Tensor.angle", arr(2, dtype="complex64"), _grad=False)
C("Tensor.value", arr(2))
C("Tensor.hypot", arr(2), arr(2))
C("Tensor.heaviside", arr(2), arr(2), _grad=False)
C("Tensor.frac", arr(2))
C("Tensor.cummax", perm(2, 3), 1, _grad=False)
C("Tensor.cummin", perm(2, 3), 1, _grad=False)
C("Tensor.isclose", arr(3), arr(3))
C("Tensor.allclose", arr(3), arr(3), _like="lambda x, y: False")
C("Tensor.minimum", arr(3), arr(3))
C("Tensor.outer", arr(3), arr(2))
C("Tensor.ger", arr(3), arr(2))
C("Tensor.inner", arr(2, 3), arr(4, 3))
C("Tensor.xdivy", arr(3), pos(3))
C("Tensor.rot90", arr(2, 3), 1, (0, 1))
C("Tensor.addcmul", arr(2, 3), arr(2, 3), arr(2, 3), 0.5)
C("Tensor.addcdiv", arr(2, 3), arr(2, 3), pos(2, 3), value=0.5)
C("Tensor.argwhere", lit([[1, 0], [0, 2]]))
C("Tensor.unsqueeze", arr(3), 0)
C("Tensor.bincount", ints(6, high=4))
C("Tensor.hsplit", arr(2, 4), 2)
C("Tensor.vsplit", arr(4, 2), 2)
C("Tensor.diag", arr(3))
C("Tensor.diagflat", arr(2, 2))
C("Tensor.erfc", arr(3))
C("Tensor.expand_as", arr(1, 3), arr(2, 3))
C("Tensor.fold", arr(1, 8, 9), lit([4, 4], "int32"), 2, 1, 0, 1)
C("Tensor.lcm", ints(3, low=1), ints(3, low=1))
C("Tensor.gcd", ints(3, low=1), ints(3, low=1))
C("Tensor.nansum", lit([1.0, float("nan")], "float32"))
C(
    "Tensor.quantile",
    perm(5),
    0.5,
    _like="lambda x, q: Tensor(np.quantile(x.asnumpy(), q).astype(np.float32))",
    _grad=False,
)
C("Tensor.renorm", arr(3, 4), 2, 0, 1.0)
C("Tensor.rad2deg", arr(3))
C("Tensor.deg2rad", arr(3))
C("Tensor.slogdet", lit([[2.0, 1.0], [0.5, 3.0]], "float32"))
C("Tensor.std", arr(3, 4), 1, 1, True)
C("Tensor.take", arr(3, 4), ints(2, 2, high=12))
C("Tensor.true_divide", arr(3), pos(3))
C("Tensor.view_as", arr(2, 3), arr(3, 2))
C("lambda x: x.init_data()", arr(2, 2), _raises="TypeError")
C("lambda x: x.set_dtype(ms.float16)", arr(2, 2), _grad=False)
C("lambda x: x.is_contiguous()", arr(2, 2))
C("lambda x: x.device", arr(2))
C("lambda x: x.data_sync(True)", arr(2))
C("lambda x: x.flush_from_cache()", arr(2))
C("lambda x: bool((x == x).all())", arr(2, 3))
C("lambda x: [float(v) for v in x]", arr(3))
C("lambda x: len(x)", arr(3, 2))
C("lambda x: -x + abs(x) * 2 - x / 3 + x ** 2", pos(3))
C("lambda x: (x > 0).astype(ms.float32) * x", arr(3))
C("lambda x: x.sum(axis=0, keepdims=True).squeeze().reshape(-1)", arr(3, 4))
