"""Layers of `mindspore.nn` that cases_layers.py does not have: mathematics, images, sparse matrices, wrappers."""

from golden_cases import Table, arr, ints, lit, perm, pos, unit
from mindspore import nn, ops

C = Table()
SQUARE = lit([[2.0, 0.5, 0.25], [0.5, 3.0, -0.5], [0.25, -0.5, 1.5]])

# ---------------------------------------------------------------- mathematics
C("nn.LGamma()", pos(3, 4))
C("nn.LGamma()", lit([-0.5, -1.5, 0.25, 12.0]), _grad=False)
C("nn.DiGamma()", pos(3, 4), _grad=False)
C("nn.DiGamma()", lit([-0.5, -1.5, 0.25, 12.0]), _grad=False)
C("nn.IGamma()", pos(3, 4), pos(3, 4), _grad=False)
C("nn.LBeta()", pos(3, 4), pos(3, 4), _grad=False)
C("nn.MatMul()", arr(2, 3, 4), arr(2, 4, 5))
C("nn.MatMul(True, True)", arr(4, 3), arr(5, 4))
C("nn.MatDet()", SQUARE, _like="ops.det")
C("nn.MatInverse()", SQUARE, _like="ops.inverse", _grad=False)
C("nn.MatrixDiag()", arr(2, 3), _like="ops.matrix_diag")
C(
    "nn.MatrixDiagPart()",
    arr(2, 3, 3),
    _like="lambda x: ops.matrix_diag_part(x, ms.Tensor(0, ms.int32), ms.Tensor(0.0, ms.float32))",
)
C("nn.MatrixSetDiag()", arr(2, 3, 3), arr(2, 3), _like="ops.matrix_set_diag")
C("nn.ReduceLogSumExp(1)", arr(3, 4))
C("nn.ReduceLogSumExp(0, True)", arr(3, 4))
C("nn.Range(1, 8, 2)")
C("nn.Range(0.0, 1.0, 0.25)")

# ---------------------------------------------------------------- images
C("nn.PSNR()", unit(2, 1, 5, 6), unit(2, 1, 5, 6), _grad=False)  # these three fail in MindSpore 2.10
C("nn.SSIM(max_val=1.0, filter_size=3)", pos(1, 2, 8, 8), pos(1, 2, 8, 8))
C("nn.MSSSIM(max_val=1.0, power_factors=(0.4, 0.6), filter_size=3)", pos(1, 1, 16, 16), pos(1, 1, 16, 16), _grad=False)
C("nn.Unfold(ksizes=[1, 2, 2, 1], strides=[1, 2, 2, 1], rates=[1, 1, 1, 1])", arr(1, 2, 4, 6))  # no kernel there

# ---------------------------------------------------------------- combined, normalization, activation
C("nn.Conv2dBnAct(3, 4, 3, has_bn=True, activation='relu')", arr(1, 3, 6, 6))
C("nn.DenseBnAct(4, 3, has_bn=True, activation='relu')", arr(2, 4))
C("nn.InstanceNorm3d(2)", arr(2, 2, 3, 4, 4))
C("nn.RReLU(0.1, 0.3)", arr(3, 4), _random=True)

# ---------------------------------------------------------------- pooling with given random numbers
C(
    "nn.FractionalMaxPool2d(2, output_size=(2, 3), _random_samples=ms.Tensor([[[0.3, 0.7]]], ms.float32))",
    perm(1, 1, 5, 7),
)
C(
    "nn.FractionalMaxPool3d(2, output_size=(2, 2, 3), _random_samples=ms.Tensor([[[0.3, 0.7, 0.5]]], ms.float32))",
    perm(1, 1, 5, 5, 7),
)

# ---------------------------------------------------------------- losses
C("nn.TripletMarginWithDistanceLoss()", arr(3, 4), arr(3, 4), arr(3, 4))
C("nn.TripletMarginWithDistanceLoss(swap=True, margin=2.0, reduction='sum')", arr(3, 4), arr(3, 4), arr(3, 4))
C("nn.MultilabelMarginLoss()", arr(2, 4), lit([[1, 2, -1, 0], [3, -1, 1, 0]], "int32"))

# ---------------------------------------------------------------- sparse matrices
C("nn.SparseTensorDenseMatmul()", lit([[0, 1], [1, 2]]), pos(2), (3, 4), arr(4, 2))
C("nn.SparseTensorDenseMatmul(adjoint_st=True)", lit([[0, 1], [1, 2]]), pos(2), (3, 4), arr(3, 2))


def sparse_to_dense(indices, values):
    from mindspore import COOTensor

    return nn.SparseToDense()(COOTensor(indices, values, (3, 4)))


C(sparse_to_dense, lit([[0, 1], [1, 2]]), pos(2), _grad=False)


# ---------------------------------------------------------------- wrappers
def jvp(x, v):
    return nn.Jvp(nn.Tanh())(x, v)


def vjp(x, v):
    return nn.Vjp(nn.Tanh())(x, v)


C(jvp, unit(3, 4), arr(3, 4), _grad=False)
C(vjp, unit(3, 4), arr(3, 4), _grad=False)


class Scaled(nn.Cell):
    """x w, with a w of 3."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 3, weight_init=0.25, bias_init="ones")

    def construct(self, *inputs):
        return self.dense(sum(inputs[1:], inputs[0]))


def with_grad(x, label):
    return nn.WithGradCell(Scaled(), nn.MSELoss())(x, label)


def micro_batches(x):
    return nn.MicroBatchInterleaved(Scaled(), 2)(x)


def three_inputs(x, y, z):
    return nn.VirtualDatasetCellTriple(Scaled())(x, y, z)


def graph_of_values(x, label):
    net = nn.ForwardValueAndGrad(nn.WithLossCell(Scaled(), nn.MSELoss()), get_all=True)
    return net(x, label)


C(with_grad, arr(2, 4), arr(2, 3), _grad=False)
C(micro_batches, arr(4, 4), _grad=False)
C(three_inputs, arr(2, 4), arr(2, 4), arr(2, 4), _grad=False)
C(graph_of_values, arr(2, 4), arr(2, 3), _grad=False)


def fields(ids, values, field_ids):
    net = nn.MultiFieldEmbeddingLookup(6, 2, field_size=2, operator="SUM")
    net.embedding_table.set_data(ops.arange(12).reshape(6, 2).astype(net.embedding_table.dtype))
    return net(ids, values, field_ids)


C(fields, ints(2, 3, high=6), pos(2, 3), lit([[0, 1, 0], [1, 1, 0]], "int32"), _grad=False)

# ---------------------------------------------------------------- distributions that cases_layers.py does not have
for made in ("HalfNormal([0.2], [1.5])", "Laplace([0.2], [1.5])", "StudentT([3.0], [0.2], [1.5])"):
    C(f"lambda x: nn.probability.distribution.{made}.log_prob(x)", lit([0.4, 0.9, 2.5]), _grad=False)
C("lambda x: nn.probability.bijector.Invert(nn.probability.bijector.Exp()).forward(x)", pos(3), _grad=False)
C("lambda x: nn.probability.bijector.Invert(nn.probability.bijector.Exp()).inverse(x)", pos(3), _grad=False)
