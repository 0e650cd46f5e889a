"""Indices at the edges of their range and outside it: which negative ones count from the end, and what raises."""

from golden_cases import Table, arr, lit, par

C = Table()
R, V = {"_raises": "RuntimeError"}, {"_raises": "ValueError"}
ONES = lit([[1.0] * 4, [1.0] * 4], "float32")


def edges(expression, before, make, length, *after, wraps=True, below=R, above=R, lost=False, **options):
    """The last index, -1, and the first ones outside: `make(i)` is the index argument that holds i.

    lost: the build's gradient leaves out what -1 took.
    """
    if any(str(x).startswith("par:") for x in before):
        options["_jit"] = False
    C(expression, *before, make(length - 1), *after, **options)
    first = {"_grad": False} if lost else {} if wraps else below
    C(expression, *before, make(-1), *after, **{**options, **first})
    C(expression, *before, make(-length - 1), *after, **{**options, **below})
    C(expression, *before, make(length), *after, **{**options, **above})


def two(i):
    return lit([0, i], "int32")


def rows(i):
    return lit([[0, 0], [i, 0]], "int32")


def labels(i):
    return lit([0, 1, i], "int32")


X, ROW = arr(3, 4), arr(1, 4)  # one row, where threads that raise together abort MindSpore
edges("ops.gather", (X,), two, 3, 0, lost=True)
edges("ops.gather", (ROW,), lambda i: lit([[1, i]], "int64"), 4, 1, lost=True)
edges("lambda x, i: ops.gather(x, i, 1, 1)", (X,), lambda i: lit([[0], [1], [i]], "int32"), 4, lost=True)
edges("ops.gather_nd", (X,), rows, 3, wraps=False)
edges("ops.gather_elements", (X, 1), lambda i: lit([[i], [0], [0]], "int32"), 4)
edges("ops.index_select", (X, 0), two, 3, lost=True)
edges("Tensor.index_select", (ROW, 1), two, 4, lost=True)
edges("nn.Embedding(3, 2, embedding_table='ones')", (), two, 3, lost=True)
edges("ops.tensor_scatter_elements", (X,), lambda i: lit([[0], [i]], "int32"), 3, lit([[1.0], [2.0]], "float32"))
C[-2:] = []  # what lies outside is left out, as documented; the CPU build writes somewhere
for name in ("update", "add", "sub", "mul", "max", "min"):
    above = V if name == "update" else R
    edges(
        f"ops.tensor_scatter_{name}" if name != "update" else "ops.TensorScatterUpdate()",
        (X,),
        rows,
        3,
        lit([1.0, 2.0], "float32"),
        wraps=False,
        above=above,
    )
for name in ("update", "add", "max"):
    edges(f"ops.scatter_{name}", (par(X),), two, 3, ONES, wraps=False, _grad=False)
edges("ops.scatter_nd_update", (par(X),), rows, 3, lit([1.0, 2.0], "float32"), wraps=False, above=V, _grad=False)
edges("ops.scatter_nd", (), lambda i: lit([[0], [i]], "int32"), 3, lit([1.0, 2.0], "float32"), (3,), wraps=False)
edges("ops.index_add", (par(X),), two, 3, ONES, 0, wraps=False, _grad=False)
edges("ops.index_fill", (X, 0), two, 3, 5.0)
edges("lambda x, i: x.index_put((i,), Tensor([9.0], ms.float32))", (X,), two, 3, below=V, above=V)
edges("ops.inplace_update", (X, lit([[1.0] * 4], "float32")), lambda i: (i,), 3, _grad=False)
edges("lambda x, i: x[i]", (X,), two, 3, lost=True)
edges("lambda x, i: x[:, i]", (ROW,), lambda i: lit(i, "int32"), 4)
edges("ops.nll_loss", (X,), labels, 4)
edges("lambda x, y: ops.nll_loss(x, y, reduction='none')", (X,), labels, 4)
edges("mint.nn.functional.nll_loss", (X,), lambda i: lit([0, 1, i], "int64"), 4, wraps=False, below=V, above=V)
edges("ops.cross_entropy", (X,), labels, 4)
edges("lambda x, y: ops.cross_entropy(x, y, label_smoothing=0.1)", (X,), labels, 4)
edges("lambda x, y: ops.cross_entropy(x, y, ignore_index=7)", (X,), lambda i: lit([7, 1, i], "int32"), 4)
edges("lambda x, y, w: ops.cross_entropy(x, y, w)", (X,), labels, 4, lit([1.0, 2.0, 3.0, 4.0], "float32"))
edges("nn.CrossEntropyLoss()", (X,), labels, 4)
edges("ops.multi_margin_loss", (X,), lambda i: lit([0, 1, i], "int64"), 4, wraps=False, below=V, above=V)
edges("Tensor.take", (X,), lambda i: lit([i], "int32"), 3, 0)
C[-2:] = []  # cut to the axis; below it the CPU build reads somewhere
edges("mnp.take_along_axis", (X,), lambda i: lit([[i], [0], [0]], "int32"), 4, 1)
C("lambda i, d: ops.UnravelIndex()(i, d)", lit([3, 12], "int32"), lit([3, 4], "int32"), **V)
C("lambda i, d: ops.UnravelIndex()(i, d)", lit([3, -1], "int32"), lit([3, 4], "int32"), **V)
C("ops.unsorted_segment_sum", X, labels(3), 3, **R)
C("ops.unsorted_segment_sum", X, labels(2), 3)
C("ops.one_hot", two(3), 3, lit(1.0, "float32"), lit(0.0, "float32"))
C("ops.one_hot", two(-1), 3, lit(1.0, "float32"), lit(0.0, "float32"))
C("nn.EmbeddingLookup(3, 2, param_init='ones')", two(3), _grad=False)
C("nn.EmbeddingLookup(3, 2, param_init='ones')", two(-1), _grad=False)
C("lambda x, i: ops.max_unpool2d(x, i, 2)", lit([[[[1.0]]]], "float32"), lit([[[[4]]]], "int64"), **R)
C("lambda i, v: ms.COOTensor(i, v, (3, 4)).to_dense()", rows(3), lit([1.0, 2.0], "float32"), **R)
C("lambda i, v: ms.COOTensor(i, v, (3, 4)).to_dense()", rows(-1), lit([1.0, 2.0], "float32"), **R)
