"""Convolutions, pooling, interpolation and other image operators."""

from golden_cases import Table, arr, lit, perm, pos, unit

C = Table()
T = {"_rtol": 1e-4, "_atol": 1e-4}

# ---------------------------------------------------------------- convolution
C("ops.conv2d", arr(1, 2, 5, 5), arr(3, 2, 3, 3), **T)
C("ops.conv2d", arr(1, 2, 5, 5), arr(3, 2, 3, 3), arr(3), 2, "same", **T)
C("ops.conv2d", arr(1, 2, 6, 5), arr(3, 2, 3, 2), None, (2, 1), "same", **T)
C("ops.conv2d", arr(1, 2, 5, 5), arr(3, 2, 3, 3), pad_mode="pad", padding=1, **T)
C("ops.conv2d", arr(1, 2, 5, 5), arr(3, 2, 3, 3), pad_mode="pad", padding=(1, 2), dilation=2, **T)
C("ops.conv2d", arr(1, 4, 5, 5), arr(4, 2, 3, 3), groups=2, **T)
C("ops.conv2d", arr(1, 3, 5, 5), arr(6, 1, 3, 3), groups=3, pad_mode="same", **T)
C("ops.conv1d", arr(2, 2, 6), arr(3, 2, 3), **T)
C("ops.conv1d", arr(2, 2, 6), arr(3, 2, 3), arr(3), 2, "pad", 1, **T)
C("ops.conv3d", arr(1, 2, 4, 4, 4), arr(3, 2, 2, 2, 2), **T)
C("ops.conv3d", arr(1, 2, 4, 4, 4), arr(3, 2, 2, 2, 2), arr(3), 2, "same", **T)
C(
    "F.conv2d",
    arr(1, 2, 5, 5),
    arr(3, 2, 3, 3),
    arr(3),
    1,
    1,
    _like="lambda x, w, b, s, p: ops.conv2d(x, w, b, s, 'pad', p)",
    **T,
)
C(
    "F.conv3d",
    arr(1, 2, 4, 4, 4),
    arr(3, 2, 2, 2, 2),
    arr(3),
    1,
    0,
    _like="lambda x, w, b, s, p: ops.conv3d(x, w, b, s)",
    **T,
)
C(
    "F.conv_transpose2d",
    arr(1, 2, 3, 3),
    arr(2, 3, 3, 3),
    None,
    2,
    1,
    _like="lambda x, w, b, s, p: ops.Conv2DTranspose(2, 3, pad_mode='pad', pad=1, stride=2)(x, w, (1, 3, 5, 5))",
    **T,
)
C("ops.Conv2D(3, 3)", arr(1, 2, 5, 5), arr(3, 2, 3, 3), **T)
C("ops.Conv2D(3, 3, pad_mode='same', stride=2)", arr(1, 2, 5, 5), arr(3, 2, 3, 3), **T)
C("ops.Conv2D(3, (3, 2), pad_mode='pad', pad=(1, 0, 2, 1), dilation=2)", arr(1, 2, 6, 6), arr(3, 2, 3, 2), **T)
C("ops.Conv2D(4, 3, group=2)", arr(1, 4, 5, 5), arr(4, 2, 3, 3), **T)
C("ops.Conv3D(3, 2)", arr(1, 2, 4, 4, 4), arr(3, 2, 2, 2, 2), **T)
C("ops.Conv2DTranspose(2, 3)", arr(1, 2, 3, 3), arr(2, 3, 3, 3), (1, 3, 5, 5), **T)
C("ops.Conv2DBackpropInput(2, 3)", arr(1, 2, 3, 3), arr(2, 3, 3, 3), (1, 3, 5, 5), **T)
C("ops.deformable_conv2d", arr(1, 1, 5, 5), arr(1, 1, 3, 3), arr(1, 27, 3, 3), (3, 3), (1, 1, 1, 1), (0, 0, 0, 0), **T)

# ---------------------------------------------------------------- pooling
C("ops.max_pool2d", perm(1, 2, 6, 6), 2)
C("ops.max_pool2d", perm(1, 2, 5, 5), 3, 2, 1)
C("ops.max_pool2d", perm(1, 2, 5, 5), 3, 2, 1, ceil_mode=True)
C("ops.max_pool2d", perm(1, 2, 7, 7), 3, 2, 0, 2)
C("ops.max_pool2d", perm(1, 2, 6, 6), 2, 2, return_indices=True)
C("ops.max_pool3d", perm(1, 1, 4, 4, 4), 2)
C("ops.max_pool3d", perm(1, 1, 1, 3, 3), 2, 1, 1, 2)  # every window lies within the padding
C("nn.MaxPool2d(2, stride=1, pad_mode='pad', padding=1, dilation=2)", perm(1, 1, 1, 3))
C("ops.avg_pool2d", arr(1, 1, 2, 3), (2, 5), 1, _raises="RuntimeError")
C("mint.nn.functional.avg_pool2d", arr(1, 1, 2, 3), (2, 4), 1, _raises="ValueError")
C("ops.avg_pool1d", arr(1, 1, 3), 5, _raises="RuntimeError")
C("ops.avg_pool3d", arr(1, 1, 2, 2, 2), 3, _raises="RuntimeError")
C("ops.lp_pool2d", arr(1, 1, 2, 3), 1.0, 5, _raises="RuntimeError")
C("ops.AvgPool(5, 1)", arr(1, 1, 2, 3), _raises="RuntimeError")
C("ops.AvgPool3D(5, 1)", arr(1, 1, 2, 3, 3), _raises="RuntimeError")
C("ops.max_pool2d", perm(1, 1, 2, 3), 5, _raises="ValueError")
C("ops.avg_pool1d", arr(1, 2, 6), 2, 2)
C("ops.avg_pool2d", arr(1, 2, 6, 6), 2, 2)
C("ops.avg_pool2d", arr(1, 2, 5, 5), 3, 2, 1)
C("ops.avg_pool2d", arr(1, 2, 5, 5), 3, 2, 1, True, False)
C("ops.avg_pool2d", arr(1, 2, 5, 5), 3, 2, 0, True, True, 4)
C("ops.avg_pool3d", arr(1, 1, 4, 4, 4), 2, 2)
C("F.max_pool2d", perm(1, 2, 6, 6), 2, _like="ops.max_pool2d")
C("F.avg_pool2d", arr(1, 2, 6, 6), 2, 2, _like="ops.avg_pool2d")
C("ops.MaxPool(2, 2)", perm(1, 2, 6, 6))
C("ops.MaxPool(3, 2, 'same')", perm(1, 2, 6, 6))
C("ops.MaxPool(3, 2, 'valid')", perm(1, 2, 6, 6))
C("ops.MaxPool((2, 3), (1, 2), 'same')", perm(1, 2, 5, 5))
C("ops.AvgPool(2, 2)", arr(1, 2, 6, 6))
C("ops.AvgPool(3, 2, 'same')", arr(1, 2, 6, 6))
C("ops.AvgPool((2, 3), (1, 2), 'same')", arr(1, 2, 5, 5))
C("ops.AvgPool(2, 2, data_format='nchw')", arr(1, 2, 6, 6))
C("ops.MaxPool3D(2, 2)", perm(1, 1, 4, 4, 4))
C("ops.AvgPool3D(2, 2)", arr(1, 1, 4, 4, 4))
C("ops.AvgPool3D(3, 2, 'same')", arr(1, 1, 4, 4, 4))
C("ops.MaxPoolWithArgmaxV2(2, 2)", perm(1, 1, 4, 4))
C("ops.MaxPool3DWithArgmax(2, 2, (0, 0, 0))", perm(1, 1, 4, 4, 4))
C("ops.adaptive_avg_pool1d", arr(1, 2, 6), 3)
C("ops.adaptive_avg_pool2d", arr(1, 2, 5, 7), (2, 3))
C("ops.adaptive_avg_pool2d", arr(1, 2, 4, 4), (None, 2))
C("ops.adaptive_avg_pool3d", arr(1, 1, 4, 4, 4), 2)
C("ops.adaptive_max_pool1d", perm(1, 2, 6), 3)
C("ops.adaptive_max_pool2d", perm(1, 2, 5, 7), (2, 3))
C("ops.AdaptiveAvgPool2D((2, 3))", arr(1, 2, 5, 7))
C("ops.AdaptiveMaxPool2D((2, 3))", perm(1, 2, 5, 7))
C("F.adaptive_avg_pool2d", arr(1, 2, 5, 7), (2, 3), _like="ops.adaptive_avg_pool2d")
C("ops.lp_pool1d", pos(1, 2, 6), 2.0, 2)
C("ops.lp_pool2d", pos(1, 2, 4, 4), 2.0, 2)
C("ops.max_unpool2d", lit([[[[6.0, 8.0], [14.0, 16.0]]]], "float32"), lit([[[[5, 7], [13, 15]]]], "int64"), 2)
C("ops.fractional_max_pool2d", perm(1, 2, 6, 6), 2, (3, 3), _random=True)

# ---------------------------------------------------------------- interpolation and sampling
for mode, size in (
    ("nearest", (4, 6)),
    ("bilinear", (5, 7)),
    ("bicubic", (5, 7)),
    ("area", (2, 2)),
    ("nearest-exact", (5, 7)),
):
    C("ops.interpolate", arr(1, 2, 4, 4), size=size, mode=mode, **T)
C("ops.interpolate", arr(1, 2, 4, 4), size=(7, 5), mode="bilinear", align_corners=True, **T)
C("ops.interpolate", arr(1, 2, 4, 4), size=(7, 5), mode="bicubic", align_corners=True, **T)
C("ops.interpolate", arr(1, 2, 4, 4), scale_factor=2.0, recompute_scale_factor=True, mode="nearest", **T)
C("ops.interpolate", arr(1, 2, 5), size=(8,), mode="linear", **T)
C("ops.interpolate", arr(1, 2, 5), size=(8,), mode="linear", align_corners=True, **T)
C("ops.interpolate", arr(1, 1, 3, 3, 3), size=(4, 5, 6), mode="trilinear", **T)
C(
    "F.interpolate",
    arr(1, 2, 4, 4),
    (8, 8),
    mode="bilinear",
    align_corners=False,
    _like="lambda x, s, mode, align_corners: ops.interpolate(x, s, mode=mode)",
    **T,
)
C(
    "F.interpolate",
    arr(1, 2, 4, 4),
    (8, 8),
    mode="nearest",
    _like="lambda x, s, mode: ops.interpolate(x, s, mode=mode)",
    **T,
)
C("ops.ResizeBilinearV2()", arr(1, 2, 4, 4), (5, 7), **T)
C("ops.ResizeBilinearV2(True)", arr(1, 2, 4, 4), (5, 7), **T)
C("ops.ResizeBilinearV2(half_pixel_centers=True)", arr(1, 2, 4, 4), (5, 7), **T)
C("ops.ResizeBilinear((5, 7))", arr(1, 2, 4, 4), _like="lambda x: ops.ResizeBilinearV2()(x, (5, 7))", **T)
C("ops.ResizeNearestNeighbor((5, 7))", arr(1, 2, 4, 4), **T)
C("ops.ResizeNearestNeighbor((7, 7), align_corners=True)", arr(1, 2, 4, 4), **T)
C("ops.ResizeNearestNeighborV2()", arr(1, 2, 4, 4), lit([5, 7], "int32"), _jit=False, **T)
C("nn.ResizeBilinear()", arr(1, 2, 4, 4), (5, 7), _like="lambda x, s: ops.ResizeBilinearV2()(x, s)", **T)
C("nn.Upsample(scale_factor=2.0, mode='nearest', recompute_scale_factor=True)", arr(1, 2, 3, 3), **T)
C("nn.Upsample(size=(5, 5), mode='bilinear', align_corners=True)", arr(1, 2, 3, 3), **T)
for mode in ("bilinear", "nearest"):
    for padding in ("zeros", "border", "reflection"):
        for corners in (False, True):
            C(
                "ops.grid_sample",
                arr(1, 2, 4, 4),
                arr(1, 3, 3, 2),
                mode=mode,
                padding_mode=padding,
                _grad=(mode, padding, corners)
                != ("nearest", "zeros", False),  # MindSpore's gradient there is not that of its forward
                align_corners=corners,
                _rtol=1e-3,
                _atol=1e-4,
            )
for mode, padding in (("Bilinear", "BORDER"), ("NEAREST", "Reflection")):
    C("ops.grid_sample", arr(1, 2, 4, 4), unit(1, 3, 3, 2), mode=mode, padding_mode=padding, _grad=False, **T)
C(
    "F.grid_sample",
    arr(1, 2, 4, 4),
    unit(1, 3, 3, 2),
    align_corners=True,
    _like="ops.grid_sample",
    _rtol=1e-3,
    _atol=1e-4,
)
C("ops.affine_grid", arr(1, 2, 3), (1, 1, 3, 4))
C("ops.affine_grid", arr(1, 2, 3), (1, 1, 3, 4), align_corners=True)
C("ops.CropAndResize()", arr(1, 5, 5, 2), lit([[0.1, 0.2, 0.8, 0.9]], "float32"), lit([0], "int32"), (3, 3), **T)
C("ops.crop_and_resize", arr(1, 5, 5, 2), lit([[0.1, 0.2, 0.8, 0.9]], "float32"), lit([0], "int32"), (3, 3), **T)
C("ops.ROIAlign(2, 2, 0.5, 2)", arr(1, 2, 6, 6), lit([[0, 1.0, 1.0, 8.0, 9.0]], "float32"), **T)
C(
    "ops.IOU()",
    lit([[0.0, 0.0, 4.0, 4.0], [1.0, 1.0, 3.0, 5.0]], "float32"),
    lit([[0.0, 0.0, 2.0, 2.0], [2.0, 2.0, 6.0, 6.0]], "float32"),
)
C("ops.IOU('iof')", lit([[0.0, 0.0, 4.0, 4.0]], "float32"), lit([[0.0, 0.0, 2.0, 2.0]], "float32"))
C("ops.iou", lit([[0.0, 0.0, 4.0, 4.0]], "float32"), lit([[0.0, 0.0, 2.0, 2.0]], "float32"))
C(
    "ops.NMSWithMask(0.3)",
    lit([[0.0, 0.0, 4.0, 4.0, 0.9], [0.5, 0.5, 4.0, 4.0, 0.8], [5.0, 5.0, 8.0, 8.0, 0.7]], "float32"),
    _grad=False,
)
C(
    "ops.CheckValid()",
    lit([[0.0, 0.0, 4.0, 4.0], [1.0, 1.0, 30.0, 5.0]], "float32"),
    lit([8.0, 8.0, 1.0], "float32"),
    _grad=False,
)
C(
    "ops.check_valid",
    lit([[0.0, 0.0, 4.0, 4.0], [1.0, 1.0, 30.0, 5.0]], "float32"),
    lit([8.0, 8.0, 1.0], "float32"),
    _grad=False,
)
C(
    "ops.BoundingBoxEncode()",
    lit([[0.0, 0.0, 4.0, 4.0]], "float32"),
    lit([[1.0, 1.0, 3.0, 5.0]], "float32"),
    _grad=False,
    **T,
)
C(
    "ops.BoundingBoxDecode(max_shape=(8, 8))",
    lit([[0.0, 0.0, 4.0, 4.0]], "float32"),
    lit([[0.1, 0.1, 0.2, 0.3]], "float32"),
    _grad=False,
    **T,
)
C("ops.HSVToRGB()", pos(1, 2, 2, 3), _grad=False)
C("ops.AdjustSaturation()", unit(2, 2, 3), lit(0.5, "float32"), _grad=False, **T)
C("ops.AdjustHue()", unit(2, 2, 3), lit(0.2, "float32"), _grad=False, **T)
C("nn.ImageGradients()", arr(1, 1, 4, 4))
C("nn.CentralCrop(0.5)", arr(1, 4, 4))
