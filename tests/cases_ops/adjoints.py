"""The gradient operators of MindSpore's own backward (`_grad_ops`, `auto_generate`), called as public code calls them."""

from golden_cases import Table, arr, ints, lit, perm, pos, unit

C = Table()
T = {"_rtol": 2e-4, "_atol": 2e-5}
N = {"_grad": False, **T}  # a second derivative that the CPU build does not have

# ---------------------------------------------------------------- of one input
C.each("G.{}()", "ACosGrad AbsGrad", unit(3, 4), arr(3, 4), **N)
C("G.AtanGrad()", unit(3, 4), arr(3, 4), **T)
C.each("G.{}()", "AcoshGrad AsinhGrad", pos(3, 4), arr(3, 4), **N)
EDGES = lit([-2.0, 0.0, 3.0, 6.0, 8.0], "float32")
C.each("G.{}()", "ReluGrad ReLU6Grad HSwishGrad HSigmoidGrad", lit([1.0, 2.0, 3.0, 4.0, 5.0], "float32"), EDGES, **N)
C.each("G.{}()", "EluGrad ReluGrad ReLU6Grad SiLUGrad HSwishGrad FastGeLUGrad", arr(3, 4), arr(3, 4), **N)
C.each("G.{}()", "HSigmoidGrad SoftplusGrad", arr(3, 4), arr(3, 4), **N)
C.each("G.{}()", "SigmoidGrad TanhGrad ReciprocalGrad InvGrad", unit(3, 4), arr(3, 4), **N)
C.each("G.{}()", "SqrtGrad RsqrtGrad", pos(3, 4), pos(3, 4), **N)
Z = arr(2, 3, dtype="complex64"), arr(2, 3, dtype="complex64")
C.each(
    "G.{}()",
    "ACosGrad AtanGrad AsinGrad AcoshGrad AsinhGrad SigmoidGrad TanhGrad ReciprocalGrad InvGrad SqrtGrad",
    *Z,
    **N,
)
C("G.RsqrtGrad()", *Z, **N)
C.each("G.{}(0.4)", "HShrinkGrad SoftShrinkGrad", arr(3, 4), arr(3, 4), **N)
C.each("G.LogSoftmaxGrad({})", "0 -1", arr(3, 4), arr(3, 4), **N)
C("G.GeLUGrad()", arr(3, 4), arr(3, 4), arr(3, 4), **N)
C("G.GluGrad(-1)", arr(2, 3), arr(2, 6), **N)
C("G.LogitGrad(0.1)", arr(3), lit([0.05, 0.5, 0.92], "float32"), **N)
C("G.MvlgammaGrad(2)", arr(3), pos(3), **N)
C("G.L2NormalizeGrad(1)", arr(2, 3), arr(2, 3), arr(2, 3), **N)
C("G.LRNGrad()", arr(1, 6, 2, 2), arr(1, 6, 2, 2), arr(1, 6, 2, 2), **N)
C("G.DropoutGrad(0.5)", arr(3, 4), lit([[1.0, 0.0, 1.0, 1.0]] * 3, "float32"), **N)

# ---------------------------------------------------------------- of several inputs
C("G.CdistGrad(2.0)", arr(3, 2), arr(3, 4), arr(2, 4), pos(3, 2), _like="A.CdistGrad(2.0)", **N)
C("A.CdistGrad(1.0)", arr(3, 2), arr(3, 4), arr(2, 4), pos(3, 2), **N)
C("G.GatherDGradV2()", arr(2, 3), 1, ints(2, 4, high=3, dtype="int64"), arr(2, 4), **N)
C("G.IgammaGradA()", pos(3), pos(3), **N)
C("G.MaskedSelectGrad()", arr(2, 3), lit([[True, False, True], [False, True, True]]), arr(4), **N)
C.each("G.{}()", "MaximumGrad MinimumGrad", ints(3, 4, dtype="float32"), ints(4, dtype="float32"), arr(3, 4), **N)
C.each("G.{}()", "MaximumGradGrad MinimumGradGrad", arr(3, 4), arr(3, 4), arr(3, 4), arr(3, 4), **N)
C("G.MedianGrad(False, 1, False)", arr(2), perm(2, 3), arr(2), ints(2, high=3, dtype="int64"), **N)
C("G.MedianGrad(True)", lit(2.0, "float32"), lit([1.0, 2.0, 3.0], "float32"), lit(2.0, "float32"), lit(1), **N)
C("G.PReLUGrad()", arr(2, 3, 4), arr(2, 3, 4), arr(3), **N)
C.each(
    "G.BinaryCrossEntropyGrad('{}')",
    "mean sum",
    lit([0.2, 0.5, 0.7], "float32"),
    lit([0.0, 1.0, 1.0], "float32"),
    lit(0.5, "float32"),
    pos(3),
    **N,
)
C("G.BinaryCrossEntropyGrad('none')", lit([0.2, 0.7], "float32"), lit([0.0, 1.0], "float32"), arr(2), **N)
C("G.KLDivLossGrad('mean')", lit(0.5, "float32"), arr(2, 3), pos(2, 3), **N)
C("G.KLDivLossGrad('sum')", lit([0.5], "float32"), arr(2, 3), pos(2, 3), **N)
C("G.StridedSliceGrad()", arr(4, 2), (2, 4, 2), (0, 0, 0), (1, 4, 2), (1, 1, 1), **N)
C("G.StridedSliceGrad()", lit([[True, False], [True, True]]), (2, 2, 2), (0, 0, 0), (1, 2, 2), (1, 1, 1), **N)
C("G.StridedSliceGrad()", ints(2, 2), (2, 2, 2), (0, 0, 0), (1, 2, 2), (1, 1, 1), **N)
C(
    "G.FractionalAvgPoolGrad()",
    lit([1, 4, 4, 1], "int64"),
    ints(1, 2, 2, 1, low=4, high=40),
    lit([0, 2, 4], "int64"),
    lit([0, 2, 4], "int64"),
    **N,
)
C("G.MultiMarginLossGrad()", lit(0.5, "float32"), arr(3, 4), ints(3, high=4, dtype="int64"), pos(4), **N)
C("G.NLLLossGrad('mean')", arr(3, 4), lit(0.5, "float32"), ints(3, high=4), pos(4), lit(3.0, "float32"), **N)
C("G.SigmoidCrossEntropyWithLogitsGrad()", arr(3), arr(3), arr(3), **N)
C("G.SmoothL1LossGrad(0.5)", arr(3, 4), arr(3, 4), arr(3, 4), **N)

S = {"_jit": False, **N}  # the shape is given as a Tensor, so it is needed while tracing

# ---------------------------------------------------------------- where a shape matters
C("G.AffineGridGrad(True)", arr(1, 2, 2, 2), (1, 2, 2, 2), **N)
C("G.AffineGridGrad()", arr(1, 2, 2, 2), (1, 2, 2, 2), **N)
C("G.BiasAddGrad()", arr(2, 3, 4, 4), **N)
C("G.BiasAddGrad('NHWC')", arr(2, 3, 4, 4), **N)
C("G.BiasAddGrad('nchw')", arr(2, 3, 4, 5), **N)
C("G.BiasAddGrad('Nhwc')", arr(2, 3, 4, 5), **N)
C("G.NLLLossGrad('Mean')", arr(3, 4), lit(0.5, "float32"), ints(3, high=4), pos(4), lit(3.0, "float32"), **N)
C("G.ConcatOffset(2, 1)", (arr(2, 3), arr(2, 5)), _grad=False)
C("G.FlattenGrad()", arr(2, 12), (2, 3, 4), **N)
C("G.LuUnpackGrad(True, True)", arr(3, 2), arr(2, 2), arr(3, 2), **N)
C.each("G.MirrorPadGrad('{}')", "REFLECT SYMMETRIC", arr(5, 6), lit([[1, 1], [2, 1]]), **S)
C("G.PadV3Grad()", arr(1, 2, 6, 7), lit([1, 2, 2, 1]), **S)
C("G.PadV3Grad('edge')", arr(1, 2, 6, 7), lit([1, 2, 2, 1]), **S)
C("G.SliceGrad()", arr(2, 2), arr(3, 4), (1, 1), (2, 2), **N)
C("G.StridedSliceGrad()", arr(2, 2), (4, 5), (0, 1), (4, 5), (2, 2), **N)
C("G.TraceGrad()", lit(2.0, "float32"), lit([3, 3]), **S)

# ---------------------------------------------------------------- of pooling
C("G.AdaptiveAvgPool2DGrad()", arr(1, 2, 2, 3), lit([1, 2, 5, 6]), **S)
C("G.AdaptiveAvgPool3DGrad()", arr(1, 2, 2, 2, 3), lit([1, 2, 4, 5, 6], "int32"), **S)
C("G.AdaptiveMaxPool2DGrad()", arr(1, 2, 2, 2), perm(1, 2, 4, 4), lit([[[[0, 2], [9, 15]], [[4, 7], [8, 10]]]]), **N)
C("G.AdaptiveMaxPool3DGrad()", arr(1, 1, 1, 2, 2), perm(1, 1, 2, 4, 4), ints(1, 1, 1, 2, 2, high=32), **N)
C("G.AvgPoolGrad(2, 2, 'VALID')", arr(1, 2, 4, 4), arr(1, 2, 2, 2), arr(1, 2, 2, 2), **N)
C(
    "G.MaxPoolGradWithArgmax(2, 2, 'VALID')",
    perm(1, 2, 4, 4),
    arr(1, 2, 2, 2),
    lit([[[[0, 2], [9, 15]], [[20, 23], [24, 26]]]], "int32"),
    **N,
)
C(
    "G.MaxPoolGradWithArgmaxV2((2, 2), (2, 2))",
    perm(1, 2, 4, 4),
    arr(1, 2, 2, 2),
    lit([[[[0, 2], [9, 15]], [[4, 7], [8, 10]]]]),
    **N,
)
C(
    "G.MaxPoolGradGradWithArgmax(2, 2, 'VALID')",
    perm(1, 2, 4, 4),
    arr(1, 2, 4, 4),
    lit([[[[0, 2], [9, 15]], [[20, 23], [24, 26]]]], "int32"),
    **N,
)
C(
    "G.MaxPool3DGradWithArgmax((2, 2, 2), (2, 2, 2), (0, 0, 0))",
    arr(1, 1, 2, 4, 4),
    arr(1, 1, 1, 2, 2),
    ints(1, 1, 1, 2, 2, high=32),
    **N,
)
C.each(
    "G.FractionalAvgPoolGrad({})", "False True", lit([1, 4, 5, 2]), arr(1, 2, 2, 2), lit([0, 2, 4]), lit([0, 3, 5]), **S
)
C(
    "G.FractionalMaxPool3DGradWithFixedKsize()",
    perm(1, 1, 2, 4, 4),
    arr(1, 1, 1, 2, 2),
    ints(1, 1, 1, 2, 2, high=32, dtype="int64"),
    **N,
)

# ---------------------------------------------------------------- of convolution
C("G.Conv2DBackpropFilter(3, 2, 'valid')", arr(1, 3, 3, 3), arr(1, 2, 4, 4), (3, 2, 2, 2), **N)
C(
    "G.Conv2DBackpropFilter(4, 3, 'pad', 1, (1, 1, 1, 1), stride=(2, 2))",
    arr(1, 4, 3, 3),
    arr(1, 2, 5, 5),
    (4, 2, 3, 3),
    **N,
)
C("ops.operations.nn_ops.Conv3DBackpropInput(2, 2)", arr(2, 2, 2, 2, 2), arr(1, 2, 2, 2, 2), (1, 2, 3, 3, 3), **N)
TILES = arr(1, 4, 4, 2), arr(1, 6, 6, 2), unit(1, 2, 2, 12)
C("G.DeformableOffsetsGrad((1, 1, 1, 1), (0, 0, 0, 0), (2, 2), (1, 1, 2, 2), 'NHWC')", *TILES, **N)
C("G.DeformableOffsetsGrad((1, 2, 2, 1), (0, 0, 0, 0), (2, 2), (1, 2, 2, 1), 'NHWC')", *TILES, **N)
C(
    "G.DeformableOffsetsGrad((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))",
    arr(1, 2, 4, 4, dtype="float16"),
    arr(1, 2, 6, 6, dtype="float16"),
    unit(1, 12, 2, 2, dtype="float16"),
    _grad=False,
    _rtol=2e-3,
    _atol=2e-3,
)

# ---------------------------------------------------------------- of normalization
C.each("G.BatchNormGrad({})", "False True", arr(2, 3, 4, 4), arr(2, 3, 4, 4), pos(3), arr(3), pos(3), pos(3), **N)
C(
    "G.LayerNormGrad()",
    lit([[0.0, 1.0, 2.0, 5.0]], "float32"),
    arr(1, 4),
    pos(1, 1),
    lit([[2.0]], "float32"),
    pos(4),
    **N,
)

# ---------------------------------------------------------------- of images
C("G.GridSampler2DGrad()", arr(1, 2, 3, 3), arr(1, 2, 4, 4), unit(1, 3, 3, 2), **N)
C(
    "G.PSROIPoolingGrad((5, 4), 1.0 / 16, 2, 2)",
    arr(4, 2, 2, 2),
    lit(
        [
            [[0.0, 0.0], [15.0, 8.0], [20.0, 2.0], [57.9, 24.0], [60.2, 70.0]],
            [[1.0, 0.0], [6.5, 1.0], [3.0, 9.0], [40.0, 30.0], [56.8, 33.0]],
        ],
        "float32",
    ),
    **N,
)
C("G.ROIAlignGrad(2, 2, 0.5, 2)", arr(1, 2, 2, 2), lit([[0.0, 1.0, 1.0, 5.0, 6.0]], "float32"), (1, 2, 4, 4), **N)
C.each("G.ResizeBilinearGrad({})", "False True", arr(1, 2, 6, 5), arr(1, 2, 3, 3), **N)
C.each("G.ResizeBicubicGrad({})", "False True", arr(1, 2, 6, 5), arr(1, 2, 3, 3), **N)
C.each("G.ResizeNearestNeighbor{}", "Grad() V2Grad(True)", arr(1, 2, 6, 4), (3, 2), **N)
C("G.UpsampleNearest3DGrad()", arr(1, 2, 4, 4, 4), (1, 2, 2, 2, 2), (4, 4, 4), **N)
C(
    "G.ScaleAndTranslateGrad('triangle')",
    arr(1, 2, 2, 1),
    arr(1, 3, 3, 1),
    lit([1.0, 1.0], "float32"),
    lit([0.0, 0.0], "float32"),
    **N,
)

# ---------------------------------------------------------------- of sparse Tensors
C("G.SparseFillEmptyRowsGrad()", lit([0, 2, 3]), arr(4), **N)
C.each(
    "G.SparseSegment{}Grad()",
    "Mean SqrtN",
    arr(2, 3),
    lit([0, 2, 1], "int32"),
    lit([0, 0, 1], "int32"),
    lit(4, "int32"),
    **S,
)
C("G.SparseSliceGrad()", arr(2), lit([[0, 0], [1, 2], [2, 1]]), lit([1, 0]), lit([[0, 2], [1, 1]]), **N)
