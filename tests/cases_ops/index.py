"""Gather, scatter and everything else that takes indices or masks."""

from golden_cases import Table, arr, bools, ints, lit, par, perm, pos

C = Table()

C("ops.gather", arr(4, 3), ints(2, 2, high=4), 0)
C("ops.gather", arr(4, 3), ints(2, high=3), 1)
C("ops.gather", arr(2, 4, 3), ints(2, 2, high=4), 1, 1)
C("ops.gather", arr(4, 3), lit([0, -1], "int32"), 0, _grad=False)
C("ops.Gather()", arr(4, 3), ints(3, high=4), 0)
C("ops.Gather(1)", arr(2, 4, 3), ints(2, 2, high=4), 1)
C("ops.GatherD()", arr(3, 4), 1, ints(3, 2, high=4))
C("ops.gather_d", arr(3, 4), 0, ints(2, 4, high=3))
C("ops.gather_elements", arr(3, 4), 1, ints(3, 2, high=4, dtype="int64"))
C("Tensor.gather_elements", arr(3, 4), 1, ints(3, 2, high=4))
C("mint.gather", arr(3, 4), 1, ints(3, 2, high=4, dtype="int64"))
C("Tensor.gather", arr(4, 3), ints(2, high=4), 0)
C("ops.gather_nd", arr(3, 4), ints(2, 2, high=3))
C("ops.gather_nd", arr(3, 4, 2), ints(2, 1, high=3))
C("ops.GatherNd()", arr(3, 4), ints(2, 2, high=3))
C("Tensor.gather_nd", arr(3, 4), ints(2, 2, high=3))
C("ops.index_select", arr(3, 4), 1, ints(2, high=4))
C("mint.index_select", arr(3, 4), 1, ints(2, high=4), _like="ops.index_select")
C("Tensor.index_select", arr(3, 4), 0, ints(2, high=3))
C("mnp.take", arr(3, 4), ints(2, high=3), 0)
C("mnp.take", arr(3, 4), ints(5, high=12))
C("Tensor.take", arr(3, 4), ints(2, high=3), 0)
C("mnp.choose", ints(4, high=2), [arr(4), arr(4)])
C("mnp.select", [bools(4), bools(4)], [arr(4), arr(4)], 0.5, _grad=False)
C("ops.masked_select", arr(3, 4), lit([[True, False, True, False]] * 3))
C("ops.MaskedSelect()", arr(3, 4), lit([True, False, True, False]))
C("Tensor.masked_select", arr(4), lit([True, False, True, False]))
C("mint.masked_select", arr(4), lit([True, False, True, False]))
C("ops.masked_fill", arr(3, 4), bools(3, 4), 2.5)
C("ops.masked_fill", arr(3, 4), bools(4), lit(2.5, "float32"))
C("ops.MaskedFill()", arr(3, 4), bools(3, 4), 2.5)
C("Tensor.masked_fill", arr(3, 4), bools(3, 4), -1.0)
C("Tensor.masked_fill", arr(3, 4), bools(3, 1), -2.0)
C("ops.nonzero", lit([[1, 0, 2], [0, 0, 3]]))
C("Tensor.nonzero", lit([[1, 0, 2], [0, 0, 3]]))
C("ops.nonzero", lit([[1, 0, 2], [0, 0, 3]]), as_tuple=True, _like="lambda x, as_tuple: tuple(ops.nonzero(x).T)")
C("mint.nonzero", lit([[1, 0, 2], [0, 0, 3]]), _like="ops.nonzero")
C("ops.argwhere", lit([[1, 0, 2], [0, 0, 3]]))
C("mnp.argwhere", lit([[1, 0, 2], [0, 0, 3]]))
C("ops.argwhere", lit([True, False, True]))
C("ops.one_hot", ints(4, high=3), 3, lit(1.0, "float32"), lit(0.0, "float32"))
C("ops.one_hot", ints(4, high=3), 3, 1, 0)
C("ops.one_hot", ints(2, 2, high=3), 3, lit(1.0, "float32"), lit(-1.0, "float32"), axis=0)
C("ops.one_hot", lit([0, 5, -1], "int32"), 3, lit(1.0, "float32"), lit(0.0, "float32"))
C("ops.OneHot()", ints(4, high=3), 3, lit(1.0, "float32"), lit(0.0, "float32"))
C("ops.OneHot(0)", ints(4, high=3), 3, lit(1.0, "float32"), lit(0.0, "float32"))
C("nn.OneHot(depth=4)", ints(4, high=4))
C(
    "F.one_hot",
    ints(4, high=3, dtype="int64"),
    4,
    _like="lambda x, n: ops.one_hot(x, n, Tensor(1, ms.int64), Tensor(0, ms.int64))",
)
C("mint.nn.functional.embedding", ints(2, 3, high=5), arr(5, 2), _like="lambda i, w: ops.gather(w, i, 0)")
C("ops.EmbeddingLookup()", arr(5, 2), ints(3, high=5), 0, _grad=False)
C(
    "lambda i, p: ops.EmbeddingLookup()(p, i, 0)",
    ints(3, high=5),
    arr(5, 2),
    _force=True,
    _like="lambda i, p: ops.gather(p, i, 0)",
)
C("ops.EmbeddingLookup()", arr(3, 2), lit([2, 3, 9], "int32"), 2, _grad=False)

# ---------------------------------------------------------------- scatter into a new Tensor
UPDATES = {
    "tensor_scatter_add": "TensorScatterAdd",
    "tensor_scatter_sub": "TensorScatterSub",
    "tensor_scatter_max": "TensorScatterMax",
    "tensor_scatter_min": "TensorScatterMin",
    "tensor_scatter_mul": "TensorScatterMul",
    "tensor_scatter_div": "TensorScatterDiv",
    "tensor_scatter_update": "TensorScatterUpdate",
}
for function, primitive in UPDATES.items():
    if function != "tensor_scatter_update":
        C(f"ops.{function}", perm(3, 4), lit([[0, 1], [2, 3]], "int32"), pos(2))
        C(
            f"ops.{function}",
            perm(3, 4),
            lit([[0], [0]], "int32"),
            perm(2, 4),
            _grad=function in ("tensor_scatter_add", "tensor_scatter_sub", "tensor_scatter_max", "tensor_scatter_min"),
        )
    C(f"ops.{primitive}()", perm(3, 4), lit([[0, 1], [2, 3]], "int32"), pos(2))
    nd = primitive.replace("TensorScatter", "ScatterNd")
    C(f"ops.{primitive}()", perm(4), lit([1], "int32"), lit(2.0, "float32"), _raises="ValueError")
    C(f"ops.{nd}()", par(perm(4)), lit([1], "int32"), lit(2.0, "float32"), _raises="ValueError")
C("ops.scatter_nd", lit([1], "int32"), lit(2.0, "float32"), (5,), _raises="ValueError")
# MindSpore's gradients of products and quotients hold for indices that occur once
C(
    "ops.tensor_scatter_mul",
    perm(3, 4),
    lit([[1], [1]], "int32"),
    perm(2, 4),
    _force=True,
    _like="lambda x, i, u: ops.cat((x[:1], x[1:2] * u[:1] * u[1:], x[2:]), 0)",
)
C(
    "ops.tensor_scatter_div",
    perm(3, 4),
    lit([[1], [1]], "int32"),
    pos(2, 4),
    _force=True,
    _like="lambda x, i, u: ops.cat((x[:1], x[1:2] / (u[:1] * u[1:]), x[2:]), 0)",
)
C("ops.tensor_scatter_elements", arr(3, 4), ints(3, 2, high=4), arr(3, 2), 1, "add")
C("ops.tensor_scatter_elements", arr(3, 4), ints(3, 2, high=4), arr(3, 2), 1, "Add")
C("ops.tensor_scatter_elements", arr(3, 4), lit([[0, 1], [2, 3], [1, 0]], "int32"), arr(3, 2), 1)
C("ops.TensorScatterElements(1)", arr(3, 4), lit([[0, 1], [2, 3], [1, 0]], "int32"), arr(3, 2))
C("ops.scatter", arr(3, 4), 1, lit([[0, 1], [2, 3], [1, 0]], "int64"), arr(3, 2))
C("ops.scatter", arr(3, 4), 0, lit([[0, 1], [2, 2]], "int64"), arr(2, 2))
C("Tensor.scatter", arr(3, 4), 1, lit([[0, 1], [2, 3], [1, 0]], "int64"), arr(3, 2))
C("mint.scatter", arr(3, 4), 1, lit([[0, 1], [2, 3], [1, 0]], "int64"), arr(3, 2), _like="ops.scatter")
C(
    "mint.scatter_add",
    arr(3, 4),
    1,
    lit([[0, 1], [2, 3], [1, 1]], "int64"),
    arr(3, 2),
    _like="lambda x, d, i, s: ops.tensor_scatter_elements(x, i, s, d, 'add')",
)
C(
    "Tensor.scatter_add",
    arr(3, 4),
    1,
    lit([[0, 1], [2, 3], [1, 1]], "int64"),
    arr(3, 2),
    _like="lambda x, d, i, s: ops.tensor_scatter_elements(x, i, s, d, 'add')",
)
C("ops.scatter_nd", lit([[0], [2], [0]], "int32"), arr(3, 2), (4, 2))
C("ops.scatter_nd", lit([[0], [2], [0]], "int32"), lit([True, False, True], "bool"), (4,))
C("ops.scatter_nd", lit([[0], [2]], "int32"), arr(2, 2), [4, 2], _raises="TypeError")
C("ops.scatter_nd", lit([[0], [2]], "int32"), arr(2, 2), lit([4, 2], "int64"), _raises="TypeError")
C("ops.scatter_nd", lit([[0], [2]], "int32"), arr(2), 4, _raises="TypeError")
C("ops.ScatterNd()", lit([[0, 1], [2, 0]], "int32"), arr(2), (3, 3))
C("ops.index_add", par(arr(3, 4)), lit([0, 2], "int32"), arr(3, 2), 1)
C("ops.index_fill", arr(3, 4), 1, lit([0, 2], "int32"), 5.0)
C("Tensor.index_fill", arr(3, 4), 0, lit([1], "int32"), 5.0)
C("ops.unsorted_segment_sum", arr(4, 2), lit([0, 1, 0, 2], "int32"), 3)
C("ops.unsorted_segment_max", perm(4, 2), lit([0, 1, 0, 2], "int32"), 3)
C("ops.unsorted_segment_min", perm(4, 2), lit([0, 1, 0, 2], "int32"), 3)
C("ops.unsorted_segment_prod", perm(4, 2), lit([0, 1, 0, 2], "int32"), 3)
C("ops.UnsortedSegmentSum()", arr(4, 2), lit([0, 1, 0, -1], "int32"), 3)
C("ops.select_scatter", arr(3, 4), arr(3), 1, 2)
C("ops.diagonal_scatter", arr(3, 3), arr(3), 0)
C("ops.slice_scatter", arr(3, 4), arr(3, 2), 1, 1, 3, 1)
C("ops.select_scatter", arr(3, 4), arr(1), 1, 2, _raises="ValueError")  # what is written is not broadcast
C("ops.select_scatter", arr(3, 4), arr(3), 1, 4, _raises="ValueError")  # indices outside
C("Tensor.select_scatter", arr(3, 4), arr(3), 1, 7, _raises="ValueError")
C("ops.select_scatter", arr(3, 4), arr(3), 1, -5, _raises="ValueError")
C("ops.select_scatter", arr(3, 0), arr(3), 1, 0, _raises="ValueError")
C("ops.select_scatter", arr(), arr(), 0, 0, _raises="IndexError")
C("ops.slice_scatter", arr(3, 4), arr(3, 4), 2, _raises="IndexError")
C("ops.slice_scatter", arr(), arr(), -1, 0, 1, _raises="IndexError")
C("ops.slice_scatter", arr(3, 4), arr(2), 1, 1, 3, 1, _raises="ValueError")
C("ops.slice_scatter", arr(3, 4), arr(3, 1), 1, 1, 1, 1, _raises="ValueError")
C("ops.diagonal_scatter", arr(2, 3, 2), arr(2, 2), 0, 1, 2)
C("ops.diagonal_scatter", arr(2, 3, 2), arr(2, 3), 0, 1, 2, _raises="ValueError")
C("ops.diagonal_scatter", arr(3, 3), arr(1), 1, _raises="ValueError")
C("ops.diagonal_scatter", arr(3, 3), arr(0), 3, _raises="ValueError")
C("ops.population_count", ints(4, dtype="int16"))

# ---------------------------------------------------------------- Parameters changed in place
C("ops.assign", par(arr(2, 3)), arr(2, 3))
C("ops.Assign()", par(arr(2, 3)), arr(2, 3))
C("ops.assign_add", par(arr(2, 3)), arr(2, 3))
C("ops.AssignAdd()", par(ints(1)), lit([1], "int32"), _grad=False)
C("ops.assign_sub", par(arr(2, 3)), arr(2, 3))
C("ops.AssignSub()", par(arr(2, 3)), arr(2, 3))
C.each("ops.{}", "ScatterUpdate() scatter_update", par(perm(3, 2)), lit([0, 2], "int32"), perm(2, 2))
C.each("ops.Scatter{}()", "Add Sub Mul Max Min", par(perm(3, 2)), lit([0, 2], "int32"), perm(2, 2), _grad=False)
C.each("ops.scatter_{}", "add max min mul", par(perm(3, 2)), lit([0, 2], "int32"), perm(2, 2), _grad=False)
C("ops.ScatterDiv()", par(perm(3, 2)), lit([0, 2], "int32"), lit([[1.0, 2.0], [-4.0, 0.5]], "float32"), _grad=False)
C("ops.ScatterNdUpdate()", par(perm(3, 2)), lit([[0], [2]], "int32"), perm(2, 2))
C.each("ops.ScatterNd{}()", "Add Sub", par(perm(3, 2)), lit([[0], [2]], "int32"), perm(2, 2), _grad=False)
C.each("ops.scatter_nd_{}", "add sub mul max min", par(perm(3, 2)), lit([[0], [2]], "int32"), perm(2, 2), _grad=False)
C("ops.ScatterAdd()", par(perm(3)), lit([0, 0, 2], "int32"), perm(3), _grad=False)
C("ops.inplace_update", arr(3, 2), arr(1, 2), 1, _grad=False)
C("ops.inplace_add", arr(3, 2), arr(1, 2), 1, _grad=False)
C("ops.inplace_sub", arr(3, 2), arr(1, 2), 1, _grad=False)

# ---------------------------------------------------------------- sorting and searching
C("ops.sort", perm(3, 4))
C("ops.sort", perm(3, 4), 0, True)
C("ops.sort", lit([2.0, 1.0, 2.0, float("nan")], "float32"))
C("ops.Sort()", perm(3, 4))
C("ops.Sort(0, True)", perm(3, 4))
C("Tensor.sort", perm(3, 4))
C(
    "mint.sort",
    perm(3, 4),
    dim=1,
    descending=True,
    _like="lambda x, dim, descending: (lambda r: (r[0], r[1].astype(ms.int64)))(ops.sort(x, dim, descending))",
)
C("ops.argsort", perm(3, 4))
C("ops.argsort", perm(3, 4), 0, True)
C("Tensor.argsort", perm(3, 4))
C("mint.argsort", perm(3, 4), _like="lambda x: ops.argsort(x).astype(ms.int64)")
C("ops.topk", perm(3, 5), 2)
C("ops.topk", perm(3, 5), 2, 0)
C("ops.topk", perm(3, 5), lit([2], "int32"))
C("ops.topk", perm(3, 5), 2, largest=False)
C("ops.TopK(True)", perm(3, 5), 3)
C("Tensor.topk", perm(3, 5), 2)
C("mint.topk", perm(3, 5), 2, _like="lambda x, k: (lambda r: (r[0], r[1].astype(ms.int64)))(ops.topk(x, k))")
C("ops.top_k", perm(3, 5), 2)
C("ops.unique", lit([3, 1, 3, 2], "int32"))
C("ops.Unique()", lit([3, 1, 3, 2], "int32"))
C("Tensor.unique_consecutive", lit([1, 1, 2, 2, 1]))
C("ops.unique_consecutive", lit([1, 1, 2, 2, 1]), True, True)
C("ops.unique_consecutive", lit([1, 1, 2, 2, 1], "int32"), True, True)
C("mint.unique", lit([3, 1, 3, 2]), _like="lambda x: Tensor(np.unique(x.asnumpy()))")
C("mint.unique_consecutive", lit([1, 1, 2, 2, 1]), _like="ops.unique_consecutive")
C("ops.unique_with_pad", lit([3, 1, 3, 2], "int32"), 0)
C("ops.msort", perm(3, 4))
C("mnp.isin", ints(2, 3), lit([1, 2]))
C("mnp.in1d", ints(3), lit([1, 2]), True)
