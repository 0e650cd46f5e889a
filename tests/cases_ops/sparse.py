"""COO, CSR and row Tensors."""

import mindspore as ms
from golden_cases import Table, arr, pos
from mindspore import Tensor, nn, ops

C = Table()


def coo():
    return ms.COOTensor(Tensor([[0, 1], [1, 2]], ms.int64), Tensor([1.5, -2.0], ms.float32), (2, 3))


def csr():
    return ms.CSRTensor(
        Tensor([0, 1, 3], ms.int32), Tensor([1, 0, 2], ms.int32), Tensor([1.5, -2.0, 0.5], ms.float32), (2, 3)
    )


def parts(sparse):
    if isinstance(sparse, ms.COOTensor):
        return sparse.indices, sparse.values, tuple(sparse.shape)
    return sparse.indptr, sparse.indices, sparse.values, tuple(sparse.shape)


def unary(name):
    def run():
        return parts(getattr(ops, f"coo_{name}")(coo())), parts(getattr(ops, f"csr_{name}")(csr()))

    run.__name__ = name
    return run


for function in (
    "abs asinh atan ceil cos cosh exp expm1 floor inv isfinite isinf isnan neg relu relu6 round sigmoid sin sinh "
    "softsign sqrt square tan tanh"
).split():
    C(unary(function))


def attributes():
    x, y = coo(), csr()
    return (
        x.shape,
        x.dtype == ms.float32,
        x.ndim,
        x.size,
        x.itemsize,
        x.astype(ms.float16).values,
        y.shape,
        y.ndim,
        y.size,
        y.itemsize,
        y.astype(ms.float16).values,
        x.to_tuple(),
        y.to_tuple(),
    )


def conversions():
    x = ms.COOTensor(Tensor([[0, 1], [1, 2]], ms.int32), Tensor([1.5, -2.0], ms.float32), (2, 3))
    return x.to_dense(), csr().to_dense(), parts(x.to_csr()), parts(csr().to_coo())


def from_dense(x):
    return parts(ops.dense_to_sparse_coo(x)), parts(ops.dense_to_sparse_csr(x))


def multiply(x):
    return csr().mv(x[:, :1]), csr().mm(x), csr().sum(1)


def multiply_dense(x):
    dense = Tensor([[0.0, 1.5, 0.0], [-2.0, 0.0, 0.5]], ms.float32)
    return dense @ x[:, :1], dense @ x, dense.sum(1, keepdims=True)


def add_coo():
    return parts(ops.coo_add(coo(), coo(), Tensor(0.0, ms.float32))), parts(coo() + coo())


def add_csr():
    return parts(ops.csr_add(csr(), csr(), Tensor(2.0, ms.float32), Tensor(1.0, ms.float32)))


def concat_coo():
    return parts(ops.coo_concat((coo(), coo()), 0))


def coalesce():
    x = ms.COOTensor(Tensor([[0, 1], [0, 1]], ms.int64), Tensor([1.5, -2.0], ms.float32), (2, 3))
    return parts(x.coalesce())


def row():
    x = ms.RowTensor(Tensor([0, 2], ms.int32), Tensor([[1.0, 2.0], [3.0, 4.0]], ms.float32), (3, 2))
    return x.indices, x.values, tuple(x.dense_shape)


def matmul(x):
    return ops.SparseTensorDenseMatmul()(Tensor([[0, 1], [1, 2]], ms.int64), Tensor([1.5, -2.0], ms.float32), (2, 3), x)


def to_dense():
    return ops.SparseToDense()(Tensor([[0, 1], [1, 2]], ms.int64), Tensor([1.5, -2.0], ms.float32), (2, 3))


def of_positions():
    """Gradients by positions and values: positions have none."""
    i, v = Tensor([[0, 1], [1, 2]], ms.int32), Tensor([1.5, -2.0], ms.float32)
    grad = ops.GradOperation(get_all=True)
    return (
        grad(lambda i, v: ms.COOTensor(i, v, (2, 3)).to_tuple()[:2])(i, v),
        grad(lambda i, v: ms.COOTensor(i, v, (2, 3)).indices)(i, v),
        grad(lambda i, v: ms.COOTensor(i, v, (2, 3)).abs().values)(i, v),
        grad(lambda p, i, v: ms.CSRTensor(p, i, v, (2, 3)).to_tuple()[:3])(
            Tensor([0, 1, 2], ms.int32), Tensor([1, 2], ms.int32), v
        ),
    )


class ToDense(nn.Cell):
    def construct(self, i, v):
        return ops.SparseToDense()(i, v, (2, 3))


def to_dense_of_bools():
    i, v = Tensor([[0, 1], [1, 2]], ms.int32), Tensor([True, False])
    sens = Tensor([[True, True, False], [False, True, True]])
    return ToDense()(i, v), ops.GradOperation(get_all=True, sens_param=True)(ToDense())(i, v, sens)


for function in (
    of_positions,
    to_dense_of_bools,
    attributes,
    conversions,
    add_coo,
    add_csr,
    concat_coo,
    coalesce,
    row,
    to_dense,
):
    C(function)
C(from_dense, arr(2, 3))
C(multiply, arr(3, 2), _like=multiply_dense)
C(matmul, arr(3, 2))


def csr_times_and_over_dense(x):
    return parts(ops.csr_mul(csr(), x)), parts(ops.csr_div(csr(), x)), parts(csr() * x)


C(csr_times_and_over_dense, pos(2, 3), _grad=False)
