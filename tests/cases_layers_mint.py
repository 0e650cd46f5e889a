"""Layers of `mint.nn` that cases_layers.py does not have, and those of `mindspore.nn` that serve them (...Ext)."""

from golden_cases import Table, arr, ints, lit, perm, pos, unit

C = Table()
IMAGE, CUBE, LINE = perm(1, 2, 4, 6), perm(1, 2, 4, 4, 6), perm(2, 3, 8)

# ---------------------------------------------------------------- pooling
C("mint.nn.AdaptiveAvgPool1d(4)", LINE, _like="nn.AdaptiveAvgPool1d(4)")
C("mint.nn.AdaptiveAvgPool2d((2, 3))", IMAGE, _like="nn.AdaptiveAvgPool2d((2, 3))")
C("mint.nn.AdaptiveAvgPool3d((2, 2, 3))", CUBE, _like="nn.AdaptiveAvgPool3d((2, 2, 3))")
C("mint.nn.AdaptiveMaxPool1d(4)", LINE, _like="nn.AdaptiveMaxPool1d(4)")
C("mint.nn.AdaptiveMaxPool2d((2, 3))", IMAGE, _like="nn.AdaptiveMaxPool2d((2, 3))")
C("nn.AdaptiveMaxPool3d((2, 2, 3))", CUBE)
for space in ("mint.nn.{}", "nn.{}Ext"):
    C(space.format("AvgPool1d") + "(2)", LINE, _like="nn.AvgPool1d(2, 2)")
    C(space.format("AvgPool2d") + "(2)", IMAGE, _like="nn.AvgPool2d(2, 2)")
    C(space.format("AvgPool3d") + "(2)", CUBE, _like="nn.AvgPool3d(2, 2)")
    C(space.format("MaxPool2d") + "(2)", IMAGE, _like="nn.MaxPool2d(2, 2)")
C("mint.nn.MaxUnpool2d(2)", pos(1, 1, 2, 2), lit([[[[0, 3], [9, 10]]]], "int64"), _like="nn.MaxUnpool2d(2)")
C("nn.MaxUnpool1d(2)", pos(1, 2, 3), lit([[[0, 3, 4], [1, 2, 5]]], "int64"))
C("nn.MaxUnpool3d(2)", pos(1, 1, 1, 2, 2), lit([[[[[0, 3], [9, 31]]]]], "int64"))

# ---------------------------------------------------------------- padding, folding, resizing
for axes, x in ((1, LINE), (2, IMAGE), (3, CUBE)):
    C(f"mint.nn.ReflectionPad{axes}d(1)", x, _like=f"nn.ReflectionPad{axes}d(1)")
    C(f"mint.nn.ReplicationPad{axes}d(1)", x, _like=f"nn.ReplicationPad{axes}d(1)")
    C(f"mint.nn.ConstantPad{axes}d(1, 0.5)", x, _like=f"nn.ConstantPad{axes}d(1, 0.5)")
    C(f"mint.nn.ZeroPad{axes}d(1)", x, _like=f"nn.ConstantPad{axes}d(1, 0)")
C("mint.nn.ReflectionPad2d((1, 0, 2, 1))", IMAGE, _like="nn.ReflectionPad2d((1, 0, 2, 1))")
C("mint.nn.Unfold(2, stride=2)", IMAGE, _like="lambda x: ops.Im2Col((2, 2), (2, 2))(x).reshape(1, 8, 6)")
C("mint.nn.Fold((4, 6), 2, stride=2)", arr(1, 8, 6))
C("mint.nn.PixelShuffle(2)", arr(1, 4, 2, 3), _like="nn.PixelShuffle(2)")
C("mint.nn.Upsample(scale_factor=2.0, mode='nearest')", IMAGE, _grad=False)
C("mint.nn.UpsamplingNearest2d(size=(8, 9))", IMAGE, _grad=False)
C("mint.nn.UpsamplingBilinear2d(size=(8, 9))", IMAGE, _grad=False)
C("mint.nn.Flatten(1, 2)", arr(2, 3, 4, 2))

# ---------------------------------------------------------------- activations
C("mint.nn.Hardshrink(0.3)", unit(3, 4), _like="nn.HShrink(0.3)")
C("mint.nn.Hardtanh(-0.5, 0.5)", unit(3, 4), _like="nn.Hardtanh(-0.5, 0.5)")
C("mint.nn.PReLU(3, 0.1)", arr(2, 3, 4))
C("nn.PReLUExt(3, 0.1)", arr(2, 3, 4))
C("mint.nn.SELU()", unit(3, 4), _like="ops.selu", _grad=False)  # whose gradient is wrong below 0
C("mint.nn.Threshold(0.1, 0.7)", unit(3, 4), _like="nn.Threshold(0.1, 0.7)")
C("nn.LogSoftmaxExt(1)", arr(3, 4), _like="nn.LogSoftmax(1)")

# ---------------------------------------------------------------- losses
for reduction in ("mean", "sum", "none"):
    C(
        f"mint.nn.BCELoss(reduction='{reduction}')",
        lit([[0.2, 0.7], [0.5, 0.9]]),
        lit([[0.0, 1.0], [1.0, 0.0]]),
        _like=f"nn.BCELoss(reduction='{reduction}')",
    )
    C(f"mint.nn.KLDivLoss('{reduction}')", unit(3, 4), pos(3, 4), _like=f"nn.KLDivLoss('{reduction}')")
    C(
        f"mint.nn.SoftMarginLoss('{reduction}')",
        arr(3, 4),
        lit([[1.0, -1.0, 1.0, 1.0]] * 3),
        _like=f"nn.SoftMarginLoss('{reduction}')",
    )  # no kernel in MindSpore's CPU build
    C(
        f"mint.nn.CosineEmbeddingLoss(0.2, '{reduction}')",
        arr(3, 4),
        arr(3, 4),
        lit([1, -1, 1]),
        _like=f"nn.CosineEmbeddingLoss(0.2, '{reduction}')",
    )
    C(f"nn.L1LossExt('{reduction}')", perm(3, 4), arr(3, 4), _like=f"nn.L1Loss('{reduction}')")

# ---------------------------------------------------------------- normalization, embedding, dropout
C("mint.nn.BatchNorm3d(2)", arr(2, 2, 3, 3, 2))
C("nn.LayerNormExt((4,))", arr(3, 4), _like="nn.LayerNorm((4,), epsilon=1e-5)", _grad=False)
C("nn.EmbeddingExt(5, 3)", ints(2, 4, high=5), _like="nn.Embedding(5, 3)", _grad=False)
C("nn.DropoutExt(0.5)", arr(4, 5), _train=True, _random=True, _like="nn.Dropout(p=0.5)")
C("nn.Dropout2dExt(0.5)", arr(2, 3, 4, 5), _train=True, _random=True, _like="nn.Dropout2d(0.5)")
