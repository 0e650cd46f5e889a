"""Spellings that the tables of the families leave out: methods in place, old names, and names that few programs use."""

from golden_cases import Table, arr, ints, lit, par, perm, pos, unit

C = Table()

# --- methods of Tensor
C.each("Tensor.{}", "arcsin arccos arctan arctanh arcsinh adjoint sgn sinc", unit(3, 4))
C.each("Tensor.{}", "acosh arccosh", lit([1.5, 2.0, 7.25]))
C.each("Tensor.{}", "fliplr flipud isneginf isposinf nanmean logdet", arr(3, 3))
C("Tensor.addbmm", arr(3, 5), arr(2, 3, 4), arr(2, 4, 5))
C("Tensor.addbmm", arr(3, 5), arr(2, 3, 4), arr(2, 4, 5), beta=0.5, alpha=2)
C("Tensor.approximate_equal", lit([1.0, 2.0, 3.0]), lit([1.00001, 2.1, 3.0]), _grad=False)
C("Tensor.approximate_equal", lit([1.0, 2.0, 3.0]), lit([1.3, 2.1, 3.0]), tolerance=0.2, _grad=False)
C.each("Tensor.{}", "argmax_with_value argmin_with_value", perm(3, 4), _grad=False)
C.each("Tensor.{}", "argmax_with_value argmin_with_value", perm(3, 4), axis=1, keep_dims=True, _grad=False)
C("Tensor.invert", ints(2, 3))
C("Tensor.bitwise_right_shift", ints(2, 3, high=64), ints(2, 3, high=4))
C("Tensor.bitwise_left_shift", ints(2, 3, high=64), ints(2, 3, high=4))
C("Tensor.cholesky_inverse", lit([[2.0, 0.0], [1.0, 3.0]]), _grad=False)  # its gradient is a listed deviation
C("Tensor.cholesky_inverse", lit([[2.0, 1.0], [0.0, 3.0]]), upper=True)
C("Tensor.col2im", arr(1, 2, 4, 9), lit([4, 4], "int32"), [2, 2], [1, 1], [0, 0], [1, 1])
C("Tensor.diagonal_scatter", arr(3, 3), arr(2), offset=1)
C("Tensor.select_scatter", arr(3, 4), arr(4), 0, 1)
C("Tensor.slice_scatter", arr(4, 4), arr(4, 2), 1, 0, 4, 2)
C("Tensor.dsplit", arr(2, 3, 4), 2)
C("Tensor.dsplit", arr(2, 3, 4), (1, 3))
C.each("Tensor.{}", "exp_", unit(3, 4), _grad=False)
C.each("Tensor.{}", "div_ floor_divide_ remainder_ sub_", arr(3, 4), pos(3, 4), _grad=False)
C.each("Tensor.{}", "fmax logaddexp2 nextafter", arr(3, 4), perm(3, 4))
C("Tensor.float_power", pos(3, 4), 2.5)
C("Tensor.float_power", pos(3, 4), arr(4))
C.each("Tensor.{}", "igamma igammac", pos(3), pos(3), _grad=False)
C("Tensor.ldexp", arr(3), ints(3, high=4))
C("Tensor.fill_diagonal", arr(4, 3), 2.0)
C("Tensor.fill_diagonal", arr(7, 3), 2.0, wrap=True)
C("Tensor.index_put", arr(4, 3), (lit([1, 2]), lit([0, 2])), arr(2))
C("Tensor.inplace_update", arr(4, 3), arr(2, 3), (2, 0), _grad=False)
C.each("Tensor.scatter_{}", "div max min mul sub", arr(4, 3), lit([[0], [2], [0]]), pos(3, 3), _grad=False)
C("Tensor.itemset", arr(3, 4), 5, 2.5, _grad=False)
C("Tensor.itemset", arr(3, 4), (1, 2), 2.5, _grad=False)
C("Tensor.matrix_determinant", arr(2, 3, 3))
C("Tensor.log_matrix_determinant", arr(2, 3, 3))
C("Tensor.matrix_power", arr(3, 3), 3)
C("Tensor.matrix_power", arr(3, 3), -1)
C("Tensor.orgqr", arr(4, 3), unit(3))
C("Tensor.ormqr", arr(3, 3), unit(3), arr(3, 2))
C("Tensor.ormqr", arr(3, 3), unit(3), arr(2, 3), False, True)
C("Tensor.reverse_sequence", arr(3, 4), lit([1, 2, 4]), 1)
C("Tensor.soft_shrink", arr(3, 4))
C("Tensor.soft_shrink", arr(3, 4), 0.25)
C("Tensor.sum_to_size", arr(2, 3, 4), (3, 1))
C("Tensor.sum_to_size", arr(2, 3, 4), 2, 1, 4)
C("Tensor.type_as", arr(3), ints(2))
C("Tensor.unique_with_pad", lit([1, 2, 5, 2, 3, 2]), 0)
C.each("Tensor.unsorted_segment_{}", "max min prod", perm(4, 2), lit([0, 1, 1, 0]), 3)

# --- functions of ops
C("ops.AdaptiveMaxPool3D()", perm(2, 4, 5, 6), lit([2, 2, 3], "int32"), _grad=False)
C("ops.CompareAndBitpack()", lit([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), lit(4.0))
C("ops.Eig(True)", lit([[2.0, 0.0], [0.0, 3.0]]), _grad=False)
C("ops.EqualCount()", ints(6, high=3), ints(6, high=3))
C("ops.Expand()", arr(3, 1), lit([3, 4]))
C("ops.Gelu()", arr(3, 4))
C("ops.Geqrf()", arr(3, 3), _grad=False)
C("ops.InplaceUpdateV2()", arr(4, 3), (0, 2), arr(2, 3), _grad=False)  # MindSpore gives none
C("ops.MatrixLogarithm()", lit([[2.0 + 0j, 0.5 + 0j], [0.5 + 0j, 3.0 + 0j]], "complex64"), _grad=False)
C("ops.NonMaxSuppressionWithOverlaps()", arr(3, 3), arr(3), lit(2, "int32"), lit(0.5), lit(0.0))
C("ops.Orgqr()", arr(4, 3), unit(3))
C("ops.Ormqr()", arr(3, 3), unit(3), arr(3, 2))
C("ops.ormqr", arr(3, 3), unit(3), arr(3, 2))
C("ops.Pack()", (arr(3), arr(3)))
C("ops.Pack(1)", (arr(3), arr(3)))
C("ops.Unpack()", arr(2, 3))
C("ops.Unpack(1)", arr(2, 3))
C("ops.Qr()", arr(3, 3), _grad=False)
C("ops.ReduceStd()", arr(3, 4))
C("ops.ReduceStd([1], False, True)", arr(3, 4))
C("ops.SquareSumAll()", arr(3), arr(3))
C("ops.StopGradient()", arr(3))
C("ops.TensorAdd()", arr(3), arr(3))
C("ops.UniqueConsecutive(True, True)", lit([1, 1, 2, 2, 3, 1]))
C("ops.UniqueConsecutive(True, True, 1)", lit([[1, 1, 2], [3, 3, 4]]))
C("ops.coo2csr", lit([0, 0, 1, 2], "int32"), 3)
C("ops.expand_as", arr(3, 1), arr(3, 4))
C("ops.view_as", arr(3, 4), arr(2, 6))
C("ops.hfftn", arr(3, 4), _grad=False)
C("ops.ihfft2", arr(3, 4), _grad=False)
C("ops.ihfftn", arr(3, 4), _grad=False)
C("ops.mirror_pad", arr(3, 4), lit([[1, 1], [2, 1]]), "REFLECT")
C("ops.pows", pos(3), arr(3))
C("ops.soft_shrink", arr(3, 4), 0.25)
C("ops.scalar_log", 2.0)
C.each("ops.scalar_{}", "max min", 2.0, 3.0)
C("ops.tensor_exp", unit(3))
C("ops.tensor_expm1", unit(3))
C("ops.tensor_range", lit(1), lit(9), lit(3))
C("ops.tensor_scatter_update", arr(4, 3), lit([[0], [2]]), arr(2, 3))
C("ops.vander", arr(3))
C("ops.vander", arr(3), 2)
C("ops.sparse_segment_mean", arr(4, 3), lit([0, 2, 3], "int32"), lit([0, 0, 1], "int32"))
C("ops.conv3d_transpose", arr(1, 2, 3, 3, 3), arr(2, 2, 2, 2, 2))
C("ops.col2im", arr(1, 2, 4, 9), lit([4, 4], "int32"), [2, 2], [1, 1], [0, 0], [1, 1])
C(
    "ops.FusedCastAdamWeightDecay()",
    par(arr(3)),
    par(arr(3)),
    par(pos(3)),
    lit(0.1),
    lit(0.9),
    lit(0.99),
    lit(1e-6),
    lit(0.0),
    arr(3, dtype="float16"),
    lit(1.0),
    _grad=False,
    _out=False,
)
C("ops.standard_laplace", (2, 3), _random=True, _grad=False)
C("ops.random_categorical", arr(2, 3), 4, _random=True, _grad=False)

# --- mint
C.each("mint.{}", "not_equal greater_equal eq", arr(3, 4), perm(3, 4))
C.each("mint.{}", "cummax", perm(3, 4), 1)
C("mint.empty_like", arr(3, 4), _random=True, _grad=False)
C("mint.floor_divide", arr(3, 4), pos(3, 4))
C("mint.unbind", arr(2, 3), 1)
C("mint.unique_consecutive", lit([1, 1, 2, 2, 3, 1]))
C("mint.unique_consecutive", lit([1, 1, 2, 2, 3, 1]), True, True)
C("F.binary_cross_entropy", lit([0.2, 0.5, 0.9]), lit([0.0, 1.0, 1.0]))
C("mint.nn.PixelShuffle(2)", arr(1, 8, 2, 3))
C("mint.nn.SiLU()", arr(3, 4))

# --- nn
C("nn.SyncBatchNorm(3)", arr(2, 3, 4, 4))
