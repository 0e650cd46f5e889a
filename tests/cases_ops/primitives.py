"""Primitive classes that the other tables leave out, and functions that few projects use."""

from golden_cases import Table, arr, bools, ints, lit, par, perm, pos, unit

C = Table()
T = {"_rtol": 2e-4, "_atol": 2e-5}

# ---------------------------------------------------------------- elementwise
C.each(
    "ops.{}()",
    "BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 NanToNum Sinc FastGeLU CeLU HShrink SoftShrink",
    unit(3, 4),
    **T,
)
C.each("ops.{}()", "BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1", pos(3, 4), **T)
C("ops.PopulationCount()", ints(4, dtype="int16"))
C("ops.Angle()", arr(4, dtype="complex64"), _grad=False)
C("ops.FastGelu()", arr(3), _like="ops.fast_gelu")
C("ops.CeLU(2.0)", arr(3, 4))
C("ops.HShrink(0.2)", arr(3, 4))
C("ops.SoftShrink(0.2)", arr(3, 4))
C("ops.NanToNum(0.5, 2.0, -2.0)", lit([float("nan"), float("inf"), -float("inf"), 1.0], "float32"))
C("ops.Logit(0.1)", lit([0.05, 0.5, 0.9], "float32"))
C("ops.GLU()", arr(2, 4))
C.each("ops.{}()", "LogicalXor", bools(4), bools(4))
C.each("ops.{}()", "Gcd Lcm LeftShift RightShift", ints(4, low=1), ints(4, low=1, high=4))
C.each("ops.{}()", "Fmax NextAfter", arr(4), arr(4))
C("ops.Heaviside()", arr(4), arr(4), _grad=False)
C("ops.Fmin()", arr(4), arr(4), _like="ops.minimum")
C("ops.IsClose()", arr(3), arr(3))
C("ops.Polar()", pos(3), arr(3), _grad=False)
C("ops.Polygamma()", lit(1), pos(3), **T)
C("ops.polygamma", lit(2), pos(3), **T)
C("ops.Zeta()", lit([2.0, 3.0], "float32"), lit([1.0, 2.0], "float32"), _grad=False, **T)
C("ops.zeta", lit([2.0, 3.0], "float32"), lit([1.0, 2.0], "float32"), _grad=False, **T)
C.each("ops.{}()", "Igamma Igammac", pos(3), pos(3), **T)
C.each("ops.{}", "igamma igammac", pos(3), pos(3), **T)
C("ops.Betainc()", pos(3), pos(3), lit([0.2, 0.5, 0.8], "float32"), _grad=False, **T)
C("ops.Mvlgamma(2)", lit([3.0, 4.5], "float32"), **T)
C("ops.Eps()", arr(3))
C("ops.eps", arr(3))
C("ops.Addcdiv()", arr(3), arr(3), pos(3), lit([0.5], "float32"))
C("ops.Dense()", arr(2, 3), arr(4, 3), arr(4))
C("ops.arcsinh", arr(3))
C("ops.fmin", arr(3), arr(3), _like="ops.minimum")
C("ops.i0", arr(3), **T)
C("ops.isneginf", lit([1.0, -float("inf")], "float32"))
C("ops.isposinf", lit([1.0, float("inf")], "float32"))
C("ops.signbit", lit([1.0, -2.0], "float32"), _like="lambda x: Tensor(np.signbit(x.asnumpy()))")
C("ops.sgn", arr(3))
C("ops.invert", ints(3, dtype="int16"))
C("ops.approximate_equal", arr(3), arr(3))
C("ops.swiglu", arr(2, 4), _like="lambda x: ops.silu(x[:, :2]) * x[:, 2:]")
C.each("ops.{}", "floormod floordiv", ints(4, low=-9), ints(4, low=1))
C.each("ops.scalar_{}", "add sub mul div mod floordiv pow", 7, 2)
C.each("ops.scalar_{}", "eq lt gt le ge", 7, 2)
C.each("ops.scalar_{}", "uadd usub", 7)

# ---------------------------------------------------------------- shapes and creation
C("ops.stop_gradient", (arr(2), arr(2)))
C("ops.Pack(1)", (arr(2, 3), arr(2, 3)), _like="ops.Stack(1)")
C("ops.Unpack(1)", arr(2, 3), _like="ops.Unstack(1)")
C("ops.ParallelConcat()", (arr(1, 3), arr(1, 3)), _grad=False)
C("ops.identity", arr(2), _like="lambda x: x")
C("ops.InvertPermutation()", (2, 0, 1))
C("ops.SplitV([1, 3], 1, 2)", arr(2, 4))
C("ops.FillDiagonal(2.0)", arr(3, 3), _grad=False)
C("ops.Fills()", arr(2, 2), 1.5, _like="ops.full_like")
C("ops.fills", arr(2, 2), 1.5, _like="ops.full_like")
C("ops.Trace()", arr(3, 3))
C("ops.broadcast_to", arr(2, 1), (2, 3))
C("ops.expand", arr(2, 1), lit([2, 3]), _like="lambda x, s: ops.broadcast_to(x, (2, 3))")
C("ops.TrilIndices(3, 4)")
C("ops.TriuIndices(3, 4, 1)")
C("ops.LogSpace(3, 10)", lit(0.0), lit(2.0), _grad=False)
C.each("ops.{}()", "BartlettWindow BlackmanWindow", lit(5))
C("ops.HammingWindow()", lit([5]))
C("ops.UnravelIndex()", lit([3, 5]), lit([2, 3]))
C("ops.Roll(1, 0)", arr(4), _like="lambda x: mnp.roll(x, 1, 0)")
C("ops.DataFormatDimMap()", lit([0, 1, 2, 3], "int32"))
C("ops.DataFormatVecPermute()", lit([1, 2, 3, 4], "int32"))
C("ops.channel_shuffle", arr(1, 4, 2, 2), 2, _grad=False)
C("ops.padding", arr(3, 1), 4)
C("ops.SpaceToBatch(2, [[0, 0], [0, 0]])", arr(1, 1, 4, 4), _like="ops.SpaceToBatchND([2, 2], [[0, 0], [0, 0]])")
C("ops.BatchToSpace(2, [[0, 0], [0, 0]])", arr(4, 1, 2, 2), _like="ops.BatchToSpaceND([2, 2], [[0, 0], [0, 0]])")
C("ops.batch_to_space_nd", arr(4, 1, 2, 2), [2, 2], [[0, 0], [0, 0]])
C("ops.BatchToSpaceNDV2()", arr(4, 1, 2, 2), lit([2, 2], "int32"), lit([[0, 0], [0, 0]], "int32"))
C("ops.Im2Col((2, 2))", arr(1, 2, 4, 4))
C("ops.Col2Im((2, 2))", arr(1, 2, 4, 9), lit([4, 4], "int32"))
C("ops.Col2Im([2, 2], [2, 2], [2, 2], [2, 2])", arr(1, 2, 4, 25), lit([8, 8], "int32"), _jit=False)
C("ops.auto_generate.SliceExtView()", ints(3, 3), 1, 1, 3, 1, _like="lambda x, d, a, b, s: x[:, a:b]")
C("ops.auto_generate.slice_ext", ints(3, 3), 0, -2, 9, 1, _like="lambda x, d, a, b, s: x[1:]")
C("ops.auto_generate.sub_ext", arr(3), lit(1, "int32"), 0.5)
C("ops.auto_generate.NewZeros()", ints(3), (2, 3))
C("ops.pad", arr(3, 3), lit([1, 1]))
C("ops.dsplit", arr(1, 2, 4), 2)
C("ops.row_stack", (arr(3), arr(3)))
C("ops.vander", arr(3), 3, _like="lambda x, n: ops.stack((x * x, x, ops.ones_like(x)), 1)")
C("Tensor.expand_as", arr(1, 3), arr(2, 3))
C("ops.sequence_mask", lit([1, 3]), 4)
C("ops.cov", arr(2, 4))
C("ops.take", arr(3, 4), ints(2, high=12, dtype="int64"), _like="lambda x, i: mnp.take(x, i)")
C("ops.CheckNumerics()", arr(3))
C("ops.Identity()", arr(2))
C("ops.ExtractVolumePatches(1, 1, 'valid')", arr(1, 1, 3, 3, 3))
C("ops.Rint()", arr(2), _grad=False)
C("ops.Bucketize([0.75, 1.0, 1.5])", pos(5))
C("ops.LowerBound()", lit([[1.0, 2.0, 3.0]], "float32"), lit([[1.5, 3.0]], "float32"))
C("ops.UpperBound()", lit([[1.0, 2.0, 3.0]], "float32"), lit([[1.5, 3.0]], "float32"))
C("ops.NthElement()", perm(2, 5), 2)
C("ops.InTopK(2)", perm(2, 4), lit([1, 3], "int32"))
C("ops.intopk", perm(2, 4), lit([1, 3], "int32"), 2)
C("ops.NonZero()", lit([[1, 0, 2], [0, 0, 3]]))
C("ops.Median(False, 1)", perm(2, 5))
C("ops.CumulativeLogsumexp()", unit(4), lit(0, "int32"), **T)
C("ops.Renorm(2, 0, 1.0)", arr(3, 4), **T)
C("ops.EuclideanNorm(True)", arr(3, 4), lit([1]), _grad=False, **T)
C("ops.NuclearNorm()", arr(3, 4), _grad=False, _rtol=1e-3)
C("ops.Pdist()", arr(4, 3), **T)

# ---------------------------------------------------------------- indices
C("ops.IndexAdd(1)", par(arr(3, 4)), lit([0, 2], "int32"), arr(3, 2))
C("ops.IndexFill()", arr(3, 4), lit(1, "int32"), lit([0, 2], "int32"), lit(5.0, "float32"), _grad=False)
C("ops.IndexPut()", arr(3, 4), arr(2), (lit([0, 2]), lit([1, 3])))
C("ops.InplaceIndexAdd(0)", par(arr(3, 2)), lit([0, 2], "int32"), arr(2, 2))
C("ops.inplace_index_add", par(arr(3, 2)), lit([0, 2], "int32"), arr(2, 2), 0)
C("ops.InplaceUpdate(1)", arr(3, 2), arr(1, 2), _grad=False)
C("ops.MaskedScatter()", arr(2, 3), lit([[True, False, True], [False, True, False]]), arr(4))
C("ops.ScatterAddWithAxis(1)", arr(3, 4), lit([[0, 1], [2, 3], [1, 1]], "int32"), arr(3, 2), _grad=False)
C("ops.ScatterNonAliasingAdd()", par(arr(4)), lit([[1], [3]], "int32"), arr(2), _grad=False)
C.each("ops.ScatterNd{}()", "Max Min Mul", par(perm(3, 2)), lit([[0], [2]], "int32"), perm(2, 2), _grad=False)
C("ops.ScatterNdDiv()", par(perm(3, 2)), lit([[0], [2]], "int32"), pos(2, 2), _grad=False)
C("ops.scatter_nd_div", par(perm(3, 2)), lit([[0], [2]], "int32"), pos(2, 2), _grad=False)
C("ops.scatter_div", par(perm(3, 2)), lit([0, 2], "int32"), pos(2, 2), _grad=False)
C("ops.scatter_nd_update", par(perm(3, 2)), lit([[0], [2]], "int32"), pos(2, 2))
C.each("ops.Segment{}()", "Sum Max Min Prod Mean", perm(4, 2), lit([0, 0, 1, 2]))
C.each("ops.UnsortedSegment{}()", "Max Min Prod", perm(4, 2), lit([0, 1, 0, 2], "int32"), 3)
C("ops.MatrixDiagV3()", arr(2, 3), lit(0, "int32"), lit(3, "int32"), lit(3, "int32"), lit(0.0, "float32"), _grad=False)
C("ops.MatrixDiagPartV3()", arr(3, 3), lit(0, "int32"), lit(0.0, "float32"))
C("ops.MatrixSetDiagV3()", arr(3, 3), arr(3), lit(0, "int32"))
C("ops.MatrixBandPart()", arr(3, 4), 1, 0)

# ---------------------------------------------------------------- linear algebra
SPD = lit([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], "float32")
C("ops.Cholesky()", SPD, _grad=False, **T)
C("ops.CholeskyInverse()", lit([[2.0, 0.0], [0.5, 1.5]], "float32"), _grad=False, **T)
C("ops.CholeskySolve()", arr(3, 2), SPD, _grad=False, **T)
C("ops.Ger()", arr(3), arr(2))
C("ops.MatrixPower(3)", SPD, **T)
C("ops.LogMatrixDeterminant()", SPD, **T)
C.each("ops.{}", "matrix_determinant log_matrix_determinant", SPD, **T)
C("ops.ConjugateTranspose()", arr(2, 3), (1, 0))
C("ops.Lstsq()", arr(3, 2), arr(3, 1), _grad=False, _rtol=1e-3, _atol=1e-4)
C("ops.lstsq", arr(3, 2), arr(3, 1), _grad=False, _rtol=1e-3, _atol=1e-4)
C("ops.LuSolve()", arr(3, 2), SPD, lit([1, 2, 3], "int32"), _grad=False, **T)
C("lambda x: ops.Svd(compute_uv=False)(x)[0]", arr(3, 2), _rtol=1e-3)
C("lambda x: ops.abs(ops.Qr()(x)[1])", arr(3, 3), _grad=False, _rtol=1e-3, _atol=1e-4)
C("ops.ormqr", arr(3, 2), arr(2), arr(3, 2), _grad=False, **T)
C("ops.TridiagonalMatMul()", arr(1, 3), arr(1, 3), arr(1, 3), arr(3, 2), _grad=False, **T)
C("lambda x: ops.eigvals(x).abs().sum()", SPD, _grad=False, **T)
C("ops.hfft2", arr(4, 4), _atol=1e-3)
C("ops.irfftn", arr(4, 3, dtype="complex64"), _grad=False, _atol=1e-4)

# ---------------------------------------------------------------- images, pooling, losses
C("ops.AdaptiveAvgPool3D(2)", arr(1, 1, 4, 4, 4))
C("ops.adaptive_max_pool3d", perm(1, 1, 4, 4, 4), 2)
C("ops.MaxPoolWithArgmax(2, 2)", perm(1, 1, 4, 4), _like="ops.MaxPoolWithArgmaxV2(2, 2)")
C("ops.MaxUnpool2D(2, 2)", lit([[[[6.0, 8.0], [14.0, 16.0]]]], "float32"), lit([[[[5, 7], [13, 15]]]]))
C("ops.max_unpool1d", lit([[[2.0, 4.0]]], "float32"), lit([[[1, 3]]]), 2)
C("ops.max_unpool3d", arr(1, 1, 1, 1, 1), lit([[[[[7]]]]]), 2)
C("ops.AffineGrid()", arr(1, 2, 3), (1, 1, 3, 4))
C("ops.GridSampler2D()", arr(1, 1, 3, 3), unit(1, 2, 2, 2), _rtol=1e-3, _atol=1e-4)
C("ops.GridSampler3D()", arr(1, 1, 3, 3, 3), unit(1, 2, 2, 2, 3), _rtol=1e-3, _atol=1e-4)
C(
    "ops.conv_transpose2d",
    arr(1, 2, 3, 3),
    arr(2, 3, 3, 3),
    _like="lambda x, w: ops.Conv2DTranspose(2, 3)(x, w, (1, 3, 5, 5))",
    **T,
)
C("ops.Conv3DTranspose(2, 3, 2)", arr(1, 2, 3, 3, 3), arr(2, 3, 2, 2, 2), **T)
C("ops.Conv3DTranspose(2, 3, 2, stride=3)", arr(1, 2, 2, 3, 2), arr(2, 3, 2, 2, 2), **T)
C("ops.ResizeBicubic()", arr(1, 2, 4, 4), lit([5, 7], "int32"), **T)
C("ops.ResizeLinear1D()", arr(1, 2, 5), lit([8]), **T)
C("ops.ResizeArea()", arr(1, 4, 4, 1), lit([2, 2], "int32"), _grad=False, **T)
C("ops.UpsampleNearest3D()", arr(1, 1, 2, 2, 2), (3, 4, 4), None, **T)
C("ops.UpsampleTrilinear3D()", arr(1, 1, 2, 2, 2), (3, 4, 4), None, **T)
C("ops.upsample", arr(1, 2, 3, 3), size=(5, 5), mode="bilinear", **T)
C("ops.RGBToHSV()", pos(1, 2, 2, 3), **T)
C(
    "ops.bounding_box_encode",
    lit([[0.0, 0.0, 4.0, 4.0]], "float32"),
    lit([[1.0, 1.0, 3.0, 5.0]], "float32"),
    (0.0, 0.0, 0.0, 0.0),
    (1.0, 1.0, 1.0, 1.0),
    _grad=False,
    **T,
)
C(
    "ops.bounding_box_decode",
    lit([[0.0, 0.0, 4.0, 4.0]], "float32"),
    lit([[0.1, 0.1, 0.2, 0.3]], "float32"),
    (8, 8),
    _grad=False,
    **T,
)
C(
    "ops.NonMaxSuppressionV3()",
    lit([[0.0, 0.0, 4.0, 4.0], [0.5, 0.5, 4.0, 4.0], [5.0, 5.0, 8.0, 8.0]], "float32"),
    lit([0.9, 0.8, 0.7], "float32"),
    lit(3, "int32"),
    lit(0.3, "float32"),
    lit(0.0, "float32"),
    _grad=False,
)
C("ops.RNNTLoss()", arr(1, 2, 3, 3), lit([[1, 2]], "int32"), lit([2], "int32"), lit([2], "int32"), _grad=False, **T)
C(
    "ops.CTCLossV2()",
    lit([[[-1.0, -0.5, -2.0]], [[-0.3, -1.4, -2.2]], [[-1.2, -0.9, -1.0]]], "float32"),
    lit([[1, 2]], "int32"),
    lit([3], "int32"),
    lit([2], "int32"),
    **T,
)
C("ops.CTCGreedyDecoder()", arr(4, 1, 3), lit([4], "int32"), _grad=False, **T)
C("ops.ctc_greedy_decoder", arr(4, 1, 3), lit([4], "int32"), _grad=False, **T)
C(
    "ops.LARSUpdate()",
    arr(3),
    arr(3),
    lit(2.0, "float32"),
    lit(1.5, "float32"),
    lit(0.01, "float32"),
    lit(0.1, "float32"),
    _grad=False,
)
C(
    "ops.ApplyAdagradDA()",
    par(arr(3)),
    par(arr(3)),
    par(pos(3)),
    arr(3),
    lit(0.1, "float32"),
    lit(0.01, "float32"),
    lit(0.02, "float32"),
    lit(2, "int32"),
    _grad=False,
    **T,
)
C(
    "ops.ApplyAdamWithAmsgrad()",
    par(arr(3)),
    par(arr(3)),
    par(pos(3)),
    par(pos(3)),
    lit(0.9, "float32"),
    lit(0.999, "float32"),
    lit(0.1, "float32"),
    arr(3),
    _grad=False,
    **T,
)
C("ops.SparseApplyAdagrad(0.1)", par(arr(3, 2)), par(pos(3, 2)), arr(2, 2), lit([0, 2], "int32"), _grad=False, **T)
C(
    "ops.SparseApplyFtrl(0.1, 0.01, 0.02, -0.5)",
    par(arr(3, 2)),
    par(pos(3, 2)),
    par(arr(3, 2)),
    arr(2, 2),
    lit([0, 2], "int32"),
    _grad=False,
    **T,
)
C(
    "ops.SparseApplyFtrl(0.1, 0.01, 0.02, -0.5)",
    par(arr(3, 2)),
    par(pos(3, 2)),
    par(arr(3, 2)),
    arr(4, 2),
    lit([2, 0, 2, 1], "int32"),
    _grad=False,
    **T,
)
C(
    "ops.SparseApplyProximalAdagrad()",
    par(arr(3, 2)),
    par(pos(3, 2)),
    lit(0.1, "float32"),
    lit(0.01, "float32"),
    lit(0.02, "float32"),
    arr(2, 2),
    lit([0, 2], "int32"),
    _grad=False,
    **T,
)
C(
    "ops.FusedSparseLazyAdam()",
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
    **T,
)
C(
    "ops.FusedSparseFtrl(0.1, 0.01, 0.02, -0.5)",
    par(arr(3, 1, 2)),
    par(pos(3, 1, 2)),
    par(arr(3, 1, 2)),
    arr(2, 1, 2),
    lit([0, 2], "int32"),
    _out=False,
    _grad=False,
    **T,
)
C(
    "ops.FusedSparseProximalAdagrad()",
    par(arr(3, 1, 2)),
    par(pos(3, 1, 2)),
    lit(0.1, "float32"),
    lit(0.01, "float32"),
    lit(0.02, "float32"),
    arr(2, 1, 2),
    lit([0, 2], "int32"),
    _out=False,
    _grad=False,
    **T,
)

# ---------------------------------------------------------------- the rest of mint and mindspore.numpy
C.each("mint.{}", "acosh arccosh", lit([1.5, 2.0], "float32"), _like="ops.{}")
C.each("mint.{}", "arcsinh arctan sinc ravel nansum isneginf", arr(3, 4), _like="ops.{}")
C("mint.addbmm", arr(3, 2), arr(2, 3, 4), arr(2, 4, 2), _like="ops.addbmm")
C("mint.addcdiv", arr(3), arr(3), pos(3), value=0.5, _like="ops.addcdiv")
C("mint.addcmul", arr(3), arr(3), pos(3), value=0.5, _like="ops.addcmul")
C("mint.addmv", arr(3), arr(3, 4), arr(4), _like="ops.addmv")
C("mint.allclose", arr(3), arr(3), _like="lambda x, y: False")
C.each("mint.{}", "arctan2 divide float_power logaddexp2", pos(3), pos(3), _like="ops.{}")
C("mint.bitwise_not", ints(3), _like="lambda x: -x - 1")
C("mint.clone", arr(3), _like="lambda x: x * 1.0")
C("mint.cross", arr(2, 3), arr(2, 3), dim=1, _like="lambda x, y, dim: ops.cross(x, y, dim)")
C.each(
    "mint.{}",
    "cummax cummin",
    perm(2, 3),
    1,
    _grad=False,
    _force=True,
    _like="lambda x, d: (lambda r: (r[0], r[1].astype(ms.int64)))(ops.{}(x, d))",
)
C.each("mint.{}", "mv dot", arr(3, 4), arr(4), _like="ops.mv")
C("mint.dot", arr(4), arr(4), _like="lambda x, y: (x * y).sum()")
C.each("mint.{}", "hstack dstack", (arr(2, 3), arr(2, 3)), _like="ops.{}")
C("mint.empty_like", arr(2, 3), _random=True, _like="ops.zeros_like")
C("mint.gcd", ints(3, low=1), ints(3, low=1), _like="ops.gcd")
C("mint.inverse", SPD, _like="ops.inverse", **T)
C("mint.item", lit([1.5], "float32"), _like="lambda x: 1.5")
C(
    "mint.kthvalue",
    perm(2, 5),
    2,
    _like="lambda x, k: (lambda i: (ops.gather_elements(x, 1, i)[:, 0], i[:, 0].astype(ms.int64)))"
    "(ops.argsort(x, 1)[:, k - 1:k])",
)
C.each("mint.{}", "std_mean var_mean", arr(3, 4), 1, _like="lambda x, d: (ops.{}(x, d, 1))")
C("mint.swapaxes", arr(2, 3), 0, 1, _like="ops.swapaxes")
C("mint.select", arr(3, 4), 1, 2, _like="lambda x, d, i: x[:, i]")
C("mint.t", arr(2, 3), _like="lambda x: x.T")
C("mint.take", arr(3, 4), ints(2, high=12, dtype="int64"), _like="lambda x, i: mnp.take(x, i)")
C("mint.trace", arr(3, 3), _like="ops.trace")
C(
    "mint.index_add",
    arr(3, 4),
    1,
    lit([0, 2]),
    arr(3, 2),
    _like="lambda x, d, i, s: ops.tensor_scatter_elements(x, ops.broadcast_to(i, s.shape), s, d, 'add')",
)
C("F.conv1d", arr(1, 2, 5), arr(3, 2, 3), _like="ops.conv1d", **T)
C(
    "F.batch_norm",
    arr(3, 4),
    arr(4),
    pos(4),
    arr(4),
    arr(4),
    False,
    0.1,
    1e-5,
    _like="lambda x, m, v, w, b, t, mo, e: ops.batch_norm(x, m, v, w, b, t, mo, e)",
    **T,
)
C("F.nll_loss", arr(3, 4), lit([0, 2, 1]), _like="lambda x, y: ops.nll_loss(x, y.astype(ms.int32))", **T)
C("F.kl_div", arr(3, 4), pos(3, 4), _like="ops.kl_div", **T)
C("F.glu", arr(2, 4), _like="ops.glu")
C("F.hardtanh", arr(3), _like="ops.hardtanh")
C("F.threshold", arr(3), 0.1, 20.0, _like="ops.threshold")
C("F.prelu", arr(2, 3), lit([0.25], "float32"), _like="ops.prelu")
C("F.pixel_shuffle", arr(1, 4, 2, 2), 2, _like="ops.pixel_shuffle")
C("F.unfold", arr(1, 2, 4, 4), 2, _like="ops.unfold")
C("F.cosine_embedding_loss", arr(3, 4), arr(3, 4), lit([1, -1, 1], "int32"), _like="ops.cosine_embedding_loss", **T)
C.each("mnp.{}", "arccosh", lit([1.5, 2.0], "float32"))
C.each("mnp.{}", "atleast_3d rad2deg radians isneginf isposinf nanstd nanvar nancumsum", arr(3, 4))
C.each("mnp.{}", "fliplr flipud", arr(3, 4), _grad=False)  # the gradient of MindSpore's flip loses a column
C.each("mnp.{}", "bitwise_and bitwise_or bitwise_xor gcd lcm", ints(3, low=1), ints(3, low=1))
C("mnp.invert", ints(3))
C("mnp.array_equiv", lit([1, 2]), lit([[1, 2], [1, 2]]))
C("mnp.convolve", arr(4), arr(2), _grad=False)
C("mnp.correlate", arr(4), arr(2))
C("mnp.diag_indices", 3)
C("mnp.divmod", lit([7.0, -7.0], "float32"), lit([2.0, 2.0], "float32"))
C("mnp.dsplit", arr(1, 2, 4), 2)
C("mnp.hsplit", arr(2, 4), 2)
C("mnp.vsplit", arr(4, 2), 2)
C("mnp.ediff1d", arr(4))
C(
    "mnp.interp",
    lit([0.5, 1.5], "float32"),
    lit([0.0, 1.0, 2.0], "float32"),
    lit([1.0, 3.0, 2.0], "float32"),
    _grad=False,
)
C("mnp.intersect1d", lit([1, 2, 3]), lit([3, 1]))
C("mnp.ix_", lit([0, 1]), lit([1, 2]))
C("mnp.histogram_bin_edges", pos(5), 4, (0.0, 2.0))
C("mnp.histogram2d", pos(5), pos(5), 2, [[0.0, 2.0], [0.0, 2.0]])
C("mnp.matrix_power", arr(2, 2), 3, **T)
C("mnp.polyadd", arr(3), arr(2))
C("mnp.polysub", arr(3), arr(2))
C("mnp.polymul", arr(3), arr(2), _grad=False)
C("mnp.polyval", arr(3), arr(2))
C("mnp.polyder", arr(4))
C("mnp.polyint", arr(3))
C("mnp.ravel_multi_index", lit([[0, 1], [1, 2]]), (2, 3))
C("mnp.signbit", arr(3))
C("mnp.sometrue", bools(3))
C("mnp.tril_indices_from", arr(3, 3))
C("mnp.triu_indices_from", arr(3, 3))
C("mnp.unwrap", lit([0.0, 6.0, 12.0], "float32"))
C("lambda: mnp.mgrid[0:3, 0:2]")
C("lambda: mnp.ogrid[0:3, 0:2]")
C("mnp.isscalar", 3.0)
C("lambda x: mnp.apply_along_axis(mnp.sum, 0, x)", arr(2, 3))
C("lambda x: mnp.apply_over_axes(mnp.sum, x, [0])", arr(2, 3))
C("lambda x: mnp.piecewise(x, [x < 0, x >= 0], [-1.0, 1.0])", arr(4))
C("msp.linalg.cholesky", SPD, lower=True, _grad=False, **T)
C("msp.linalg.lu_factor", SPD, _grad=False, **T)
C("lambda a, b: msp.linalg.cho_solve((ops.cholesky(a), True), b)", SPD, arr(3), _grad=False, **T)
