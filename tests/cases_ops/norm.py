"""Normalisation, losses, recurrent networks and attention."""

from golden_cases import Table, arr, ints, lit, pos, unit

C = Table()
T = {"_rtol": 2e-4, "_atol": 2e-5}

# ---------------------------------------------------------------- normalisation
C("ops.batch_norm", arr(3, 4), lit([0.1, 0.2, 0.3, 0.4], "float32"), pos(4), arr(4), arr(4), **T)
C("ops.batch_norm", arr(2, 3, 2, 2), arr(3), pos(3), arr(3), arr(3), training=False, eps=1e-3, **T)
C("lambda *a: ops.BatchNorm(is_training=True)(*a)[0]", arr(2, 3, 2, 2), arr(3), arr(3), arr(3), pos(3), **T)
C("lambda *a: ops.BatchNorm()(*a)[0]", arr(2, 3, 2, 2), arr(3), arr(3), arr(3), pos(3), **T)
C("ops.LayerNorm()", arr(3, 4), arr(4), arr(4), _grad=False, **T)
C("lambda *a: ops.LayerNorm()(*a)[0]", arr(3, 4), arr(4), arr(4), **T)
C("lambda *a: ops.LayerNorm()(*a)[:3]", arr(3, 4), arr(4), arr(4), **T)  # no gradient through the statistics
C("lambda *a: ops.LayerNorm(begin_norm_axis=1, begin_params_axis=1)(*a)[0]", arr(2, 3, 4), arr(3, 4), arr(3, 4), **T)
C(
    "ops.layer_norm",
    arr(3, 4),
    (4,),
    arr(4),
    arr(4),
    _like="lambda x, s, g, b: ops.LayerNorm(-1, -1, 1e-5)(x, g, b)[0]",
    **T,
)
C(
    "F.layer_norm",
    arr(3, 4),
    (4,),
    arr(4),
    arr(4),
    1e-5,
    _like="lambda x, s, g, b, e: ops.LayerNorm(-1, -1, e)(x, g, b)[0]",
    **T,
)
C("ops.group_norm", arr(2, 4, 3), 2, arr(4), arr(4), **T)
C("F.group_norm", arr(2, 4, 3), 2, arr(4), arr(4), _like="ops.group_norm", **T)
RMS = "lambda x, g: (lambda r: (x * r * g, r))(ops.rsqrt((x * x).mean(-1, keep_dims=True) + 1e-6))"
C("ops.rms_norm", arr(3, 4), arr(4), _like=RMS, **T)
C("ops.RmsNorm()", arr(3, 4), arr(4), _like=RMS, **T)
C("ops.LRN()", pos(1, 6, 2, 2), **T)
C("ops.lrn", pos(1, 6, 2, 2), 2, **T)
C("F.normalize", arr(3, 4), 2.0, 1, _like="lambda x, p, d: x / ops.norm(x, p, d, True)", **T)
C("ops.L2Normalize(-1)", arr(3, 4))
C("ops.L2Normalize(-1)", lit([[0.01, -0.004, 0.002]], "float16"), _rtol=4e-3)

# ---------------------------------------------------------------- losses
LABELS = lit([0, 2, 1], "int32")
C("ops.cross_entropy", arr(3, 4), LABELS, **T)
C("ops.cross_entropy", arr(3, 4), LABELS, reduction="sum", label_smoothing=0.1, **T)
C("ops.cross_entropy", arr(3, 4), LABELS, lit([1.0, 2.0, 0.5, 1.5], "float32"), 1, "none", **T)
C("ops.cross_entropy", arr(3, 4), pos(3, 4), **T)
C("ops.cross_entropy", arr(2, 3, 2, 2), ints(2, 2, 2, high=3), **T)
C("F.cross_entropy", arr(3, 4), lit([0, 2, 1]), _like="lambda x, y: ops.cross_entropy(x, y.astype(ms.int32))", **T)
C("ops.nll_loss", arr(3, 4), LABELS, **T)
C("ops.nll_loss", arr(3, 4), LABELS, lit([1.0, 2.0, 0.5, 1.5], "float32"), reduction="sum", **T)
for word in ("Mean", "SUM", "None"):  # these take the words in any case
    C(f"ops.NLLLoss('{word}')", arr(3, 4), LABELS, lit([1.0, 2.0, 0.5, 1.5], "float32"), **T)
    C(f"ops.SmoothL1Loss(1.0, '{word}')", arr(3, 4), arr(3, 4), **T)
    C("ops.smooth_l1_loss", arr(3, 4), arr(3, 4), 1.0, word, **T)
    C(f"ops.BinaryCrossEntropy('{word}')", lit([0.2, 0.7], "float32"), lit([0.0, 1.0], "float32"), **T)
    C("lambda *a: ops.binary_cross_entropy(*a, None, '" + word + "')", lit([0.2, 0.7]), lit([0.0, 1.0]), **T)
    C("lambda x, y: ops.binary_cross_entropy_with_logits(x, y, x, x, '" + word + "')", arr(3), arr(3), **T)
C("ops.NLLLoss('mean')", arr(3, 4), LABELS, lit([1.0, 2.0, 0.5, 1.5], "float32"), **T)
C.each("ops.{}", "mse_loss l1_loss smooth_l1_loss huber_loss", arr(3, 4), arr(3, 4), **T)
C(
    "ops.soft_margin_loss",
    arr(3, 4),
    lit([[1.0, -1.0, 1.0, -1.0]] * 3, "float32"),
    _like="lambda x, y: ops.log1p(ops.exp(-x * y)).mean()",
    **T,
)
for reduction in ("none", "sum"):
    C.each("ops.{}", "mse_loss l1_loss smooth_l1_loss huber_loss", arr(3, 4), arr(3, 4), reduction=reduction, **T)
C("ops.smooth_l1_loss", arr(3, 4), arr(3, 4), 0.5, "mean", **T)
C("ops.huber_loss", arr(3, 4), arr(3, 4), "mean", 0.5, **T)
C("ops.SmoothL1Loss()", arr(3, 4), arr(3, 4), **T)
C.each("F.{}", "mse_loss l1_loss smooth_l1_loss", arr(3, 4), arr(3, 4), _like="ops.{}", **T)
C("ops.binary_cross_entropy", lit([0.2, 0.7, 0.1], "float32"), lit([0.0, 1.0, 0.0], "float32"), **T)
C(
    "ops.binary_cross_entropy",
    lit([0.2, 0.7, 0.05], "float32"),
    lit([0.0, 1.0, 1.0], "float32"),
    lit([1.0, 2.0, 2.0], "float32"),
    "sum",
    **T,
)
C(
    "ops.BinaryCrossEntropy()",
    lit([0.2, 0.7, 0.1], "float32"),
    lit([0.0, 1.0, 0.0], "float32"),
    lit([1.0, 2.0, 2.0], "float32"),
    **T,
)
C("ops.binary_cross_entropy_with_logits", arr(3), lit([0.0, 1.0, 0.0], "float32"), pos(3), pos(3), **T)
C("ops.binary_cross_entropy_with_logits", arr(3), lit([0.0, 1.0, 0.0], "float32"), **T)
C("ops.BCEWithLogitsLoss()", arr(3), lit([0.0, 1.0, 0.0], "float32"), pos(3), pos(3), **T)
C(
    "F.binary_cross_entropy_with_logits",
    arr(3),
    lit([0.0, 1.0, 0.0], "float32"),
    _like="lambda x, y: ops.binary_cross_entropy_with_logits(x, y)",
    **T,
)
C(
    "F.binary_cross_entropy",
    lit([0.2, 0.7, 0.1], "float32"),
    lit([0.0, 1.0, 0.0], "float32"),
    _like="ops.binary_cross_entropy",
    **T,
)
C("ops.kl_div", arr(3, 4), pos(3, 4), **T)
C("ops.kl_div", arr(3, 4), pos(3, 4), "batchmean", **T)
C("ops.kl_div", arr(3, 4), arr(3, 4), "sum", **T)  # labels below 0
C("ops.KLDivLoss()", arr(3, 4), pos(3, 4), **T)
C("ops.cosine_embedding_loss", arr(3, 4), arr(3, 4), lit([1, -1, 1], "int32"), **T)
C("ops.hinge_embedding_loss", arr(3, 4), lit([[1.0, -1.0, 1.0, -1.0]] * 3, "float32"), **T)
C("ops.margin_ranking_loss", arr(3), arr(3), lit([1.0, -1.0, 1.0], "float32"), **T)
C(
    "ops.triplet_margin_loss",
    arr(3, 4),
    arr(3, 4),
    arr(3, 4),
    _like="lambda a, p, n: ops.relu(ops.norm(a - p + 1e-6, dim=1) - ops.norm(a - n + 1e-6, dim=1) + 1.0).mean()",
    **T,
)
C("ops.multi_margin_loss", arr(3, 4), lit([0, 2, 1]), **T)
C("ops.multilabel_margin_loss", arr(1, 4), lit([[3, 0, -1, 1]], "int32"), **T)
C("ops.multilabel_soft_margin_loss", arr(3, 4), lit([[0.0, 1.0, 1.0, 0.0]] * 3, "float32"), **T)
C("ops.gaussian_nll_loss", arr(3, 4), arr(3, 4), pos(3, 4), **T)
C("ops.SoftmaxCrossEntropyWithLogits()", arr(3, 4), pos(3, 4), **T)
C("ops.SparseSoftmaxCrossEntropyWithLogits()", arr(3, 4), LABELS, **T)
C("ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)", arr(3, 4), LABELS, _grad=False, **T)
C("ops.SigmoidCrossEntropyWithLogits()", arr(3, 4), unit(3, 4), **T)
C(
    "ops.ctc_loss",
    lit([[[-1.0, -0.5, -2.0]], [[-0.3, -1.4, -2.2]], [[-1.2, -0.9, -1.0]]], "float32"),
    lit([[1, 2]], "int32"),
    lit([3], "int32"),
    lit([2], "int32"),
    **T,
)
C("ops.CTCLoss()", arr(3, 1, 3), lit([[0, 0], [0, 1]], "int64"), lit([0, 1], "int32"), lit([3], "int32"), **T)
C("ops.CTCLoss()", arr(3, 1, 3), lit([[0, 0], [0, 1]], "int64"), lit([1, 2], "int32"), lit([3], "int32"), **T)
for places in ([[0, 1], [1, 1]], [[0, 2], [1, 0]], [[1, 0], [0, 0]]):
    C("ops.CTCLoss()", arr(3, 2, 3), lit(places, "int64"), lit([0, 1], "int32"), lit([3, 3], "int32"), **T)
C("ops.CTCLoss()", arr(3, 1, 3), lit([[0, 0], [0, 1]], "int64"), lit([-1, 5], "int32"), lit([3], "int32"), **T)
C("nn.DiceLoss()", unit(3, 4), unit(3, 4), **T)
C("nn.FocalLoss()", arr(3, 4), pos(3, 4), **T)
C("nn.RMSELoss()", arr(3), arr(3), **T)
C("nn.MAELoss()", arr(3), arr(3), **T)
C("nn.CosineEmbeddingLoss(0.1)", arr(3, 4), arr(3, 4), lit([1, -1, 1], "int32"), **T)

# ---------------------------------------------------------------- dropout in evaluation, recurrent cells, attention
C("ops.dropout", arr(3, 4), 0.5, False)
C("F.dropout", arr(3, 4), 0.5, False, _like="ops.dropout")
C("ops.Dropout(keep_prob=1.0)", arr(3, 4))
C("nn.LSTMCell(3, 4)", arr(2, 3), (arr(2, 4), arr(2, 4)), **T)
C("nn.GRUCell(3, 4)", arr(2, 3), arr(2, 4), **T)
C("nn.RNNCell(3, 4)", arr(2, 3), arr(2, 4), **T)
C("nn.RNNCell(3, 4, nonlinearity='relu')", arr(2, 3), arr(2, 4), **T)
C("ops.rotary_position_embedding", arr(1, 2, 2, 4), arr(1, 1, 2, 4), arr(1, 1, 2, 4), 0, **T)

# ---------------------------------------------------------------- whole numbers: the norm loses its fraction; the loss is float32
for kind in ("int32", "int64", "uint8", "bool"):
    WHOLE = lit([[3, 1, 2], [0, 4, 1]], kind)
    C("lambda x: ops.clip_by_norm(x, 1.0)", WHOLE, _grad=False)
    C("lambda x: ops.clip_by_norm(x, 1.0, norm_type=3.0)", WHOLE, _grad=False)
    C("lambda x: ops.clip_by_norm([x, x], 1.0)", WHOLE, _grad=False)
    if kind != "bool":
        C("lambda x: ops.cosine_embedding_loss(x, x * 2, Tensor([1, -1]), 0.5)", WHOLE, _grad=False)
