"""Layers and losses: values, gradients of inputs and Parameters, moving statistics, training against evaluation."""

from golden_cases import Table, arr, ints, lit, perm, pos, unit

C = Table()
X = arr(2, 3, 8, 8)

# ---------------------------------------------------------------- Dense, Embedding
C("nn.Dense(4, 3)", arr(2, 4))
C("nn.Dense(4, 3, has_bias=False)", arr(2, 5, 4))
C("nn.Dense(4, 3, activation='relu')", arr(2, 4))
C("nn.Dense(4, 3, activation=nn.Sigmoid())", arr(2, 4))
C("nn.Dense(4, 3).to_float(ms.float16)", arr(2, 4), _rtol=4e-3, _atol=4e-3)
C("nn.Dense(4, 3)", arr(2, 5), _raises="ValueError")
C("nn.BiDense(3, 4, 2)", arr(2, 3), arr(2, 4))
C("nn.Embedding(5, 3)", ints(2, 4, high=5))
C("nn.Embedding(5, 3, True)", ints(2, 4, high=5))
C("nn.Embedding(5, 3, padding_idx=1)", ints(2, 4, high=5))
C("nn.EmbeddingLookup(5, 3)", ints(2, 4, high=5), _grad=False)  # MindSpore gives the rows of the gradient, not a Tensor
C("mint.nn.Linear(4, 3)", arr(2, 4), _like="nn.Dense(4, 3)")

# ---------------------------------------------------------------- convolutions
for options in (
    "",
    ", has_bias=True",
    ", stride=2",
    ", pad_mode='valid'",
    ", pad_mode='valid', stride=(2, 1)",
    ", pad_mode='pad', padding=1",
    ", pad_mode='pad', padding=(1, 0, 2, 1)",
    ", dilation=2",
    ", pad_mode='pad', padding=2, dilation=2, stride=2",
    ", pad_mode='same', stride=3",
):
    C(f"nn.Conv2d(3, 4, 3{options})", X)
C("nn.Conv2d(3, 4, (3, 2), stride=(1, 2), has_bias=True)", arr(1, 3, 7, 6))
C("nn.Conv2d(3, 6, 3, group=3)", X)
C("nn.Conv2d(4, 6, 3, group=2, pad_mode='valid')", arr(1, 4, 6, 6))
C("nn.Conv2d(3, 4, 1)", X)
C("nn.Conv2d(3, 4, 1, stride=2)", X)
C("nn.Conv2d(3, 4, 3).to_float(ms.float16)", arr(1, 3, 6, 6), _rtol=1e-2, _atol=2e-2)
C("nn.Conv2d(3, 4, 3)", arr(1, 2, 6, 6), _raises="RuntimeError")
C("nn.Conv2d(3, 4, 9, pad_mode='valid')", arr(1, 3, 6, 6), _raises="ValueError")
for sizes in ("(3, 3, 3)", "[3, 3]", "3, stride=(1,)", "3, dilation=(1, 1, 1)"):
    C(f"nn.Conv2d(3, 4, {sizes})", arr(1, 3, 6, 6), _raises="TypeError")
C("nn.Conv3dTranspose(2, 3, 3, stride=2, pad_mode='pad', padding=1, output_padding=(1, 0, 1))", arr(1, 2, 3, 3, 3))
for options in ("'valid', output_padding=1", "'pad', output_padding=2"):
    C(f"nn.Conv3dTranspose(2, 3, 3, 2, {options})", arr(1, 2, 3, 3, 3), _raises="ValueError")
C("nn.AvgPool2d(2, 2, 'pad', 2)", arr(1, 2, 6, 6), _raises="ValueError")
C("nn.MaxPool3d(2, 2, 'same', ceil_mode=True)", arr(1, 2, 4, 4, 4), _raises="ValueError")
C("nn.LayerNorm([3, 4], -2, -2)", arr(2, 3, 4), _raises="RuntimeError")
for options in (
    "",
    ", has_bias=True, stride=2",
    ", pad_mode='valid'",
    ", pad_mode='pad', padding=2, dilation=2",
    ", group=2",
):
    C(f"nn.Conv1d(2, 4, 3{options})", arr(2, 2, 9))
for options in ("", ", has_bias=True, stride=2", ", pad_mode='valid'", ", pad_mode='pad', padding=1"):
    C(f"nn.Conv3d(2, 3, 3{options})", arr(1, 2, 5, 5, 5))
for options in (
    "",
    ", stride=2",
    ", pad_mode='valid', has_bias=True",
    ", pad_mode='pad', padding=1, stride=2",
    ", pad_mode='pad', padding=1, stride=2, output_padding=1",
    ", pad_mode='pad', padding=(1, 0, 1, 2)",
    ", dilation=2, pad_mode='valid'",
):
    C(f"nn.Conv2dTranspose(3, 4, 3{options})", arr(1, 3, 5, 5))
C("nn.Conv2dTranspose(4, 6, 3, group=2, pad_mode='valid')", arr(1, 4, 4, 4))
C("nn.Conv1dTranspose(2, 3, 3, stride=2)", arr(1, 2, 5))
C("nn.Conv1dTranspose(2, 3, 3, pad_mode='valid', has_bias=True)", arr(1, 2, 5))
C("nn.Conv3dTranspose(2, 3, 3, stride=2)", arr(1, 2, 3, 3, 3))
C("nn.Conv3dTranspose(2, 3, 2, pad_mode='valid', has_bias=True)", arr(1, 2, 3, 3, 3))
C("nn.Conv3dTranspose(2, 3, (2, 1, 3), stride=(3, 2, 2), pad_mode='valid')", arr(1, 2, 3, 2, 2))

# ---------------------------------------------------------------- pooling
for options in (
    "2, 2",
    "3, 2",
    "3, 2, 'same'",
    "3, 2, pad_mode='pad', padding=1",
    "(2, 3), (1, 2)",
    "3, 1, 'same'",
    "2, 2, pad_mode='pad', ceil_mode=True",
    "3, 2, pad_mode='pad', padding=1, ceil_mode=True",
    "2, 1, pad_mode='pad', dilation=2",
):
    C(f"nn.MaxPool2d({options})", perm(1, 2, 7, 7))
for options in (
    "2, 2",
    "3, 2",
    "3, 2, 'same'",
    "3, 2, pad_mode='pad', padding=1",
    "(2, 3), (1, 2)",
    "3, 1, 'same'",
    "2, 2, pad_mode='pad', ceil_mode=True",
    "3, 2, pad_mode='pad', padding=1, count_include_pad=False",
    "2, 2, pad_mode='pad', divisor_override=3",
):
    C(f"nn.AvgPool2d({options})", arr(1, 2, 7, 7))
for options in ("2, 2", "3, 2, 'same'", "3, 2, pad_mode='pad', padding=1"):
    C(f"nn.MaxPool1d({options})", perm(1, 2, 7))
    C(f"nn.AvgPool1d({options})", arr(1, 2, 7))
C("nn.MaxPool3d(2, 2)", perm(1, 1, 4, 4, 4))
C("nn.AvgPool3d(2, 2)", arr(1, 1, 4, 4, 4))
C("nn.AvgPool3d(3, 2, 'same')", arr(1, 1, 4, 4, 4))
C("nn.AdaptiveAvgPool1d(3)", arr(1, 2, 6))
C("nn.AdaptiveAvgPool2d((2, 3))", arr(1, 2, 5, 7))
C("nn.AdaptiveAvgPool2d(1)", arr(1, 2, 5, 7))
C("nn.AdaptiveAvgPool2d((None, 2))", arr(1, 2, 5, 6))
C("nn.AdaptiveAvgPool3d(2)", arr(1, 1, 4, 4, 4))
C("nn.AdaptiveMaxPool1d(3)", perm(1, 2, 6))
C("nn.AdaptiveMaxPool2d((2, 3))", perm(1, 2, 5, 7))
C("nn.LPPool1d(2, 2)", pos(1, 2, 6))
C("nn.LPPool2d(2, 2)", pos(1, 2, 4, 4))
C(
    "nn.MaxUnpool2d(2)",
    lit([[[[6.0, 8.0], [14.0, 16.0]]]], "float32"),
    lit([[[[5, 7], [13, 15]]]], "int64"),
    _grad=False,
)

# ---------------------------------------------------------------- normalisation
for train in (False, True):
    O = {"_train": True, "_steps": 2} if train else {}
    C("nn.BatchNorm1d(4)", arr(6, 4), **O)
    C("nn.BatchNorm2d(3)", arr(2, 3, 4, 4), **O)
    C("nn.BatchNorm2d(3, eps=1e-3, momentum=0.5)", arr(2, 3, 4, 4), **O)
    C("nn.BatchNorm2d(3, affine=False)", arr(2, 3, 4, 4), **O)
    C("nn.BatchNorm2d(3, use_batch_statistics=True)", arr(2, 3, 4, 4), **O)
    C("nn.BatchNorm2d(3, use_batch_statistics=False)", arr(2, 3, 4, 4), **O)
    C("nn.BatchNorm3d(2)", arr(2, 2, 3, 3, 3), **O)
    C("nn.SyncBatchNorm(3)", arr(2, 3, 4, 4), **O, _like="nn.BatchNorm2d(3)")
    C("nn.InstanceNorm1d(3)", arr(2, 3, 4), **O)
    C("nn.InstanceNorm2d(3)", arr(2, 3, 4, 4), **O)
    C(
        "nn.SequentialCell(nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(), "
        "nn.Dense(12, 2))",
        arr(2, 2, 4, 4),
        **O,
    )
C("nn.LayerNorm((4,))", arr(3, 4))
C("nn.LayerNorm((3, 4), 1, 1)", arr(2, 3, 4))
C("nn.LayerNorm((4,), epsilon=1e-3)", arr(2, 3, 4))
C("nn.LayerNorm((4,), dtype=ms.float16)", arr(2, 4, dtype="float16"), _rtol=1e-2, _atol=1e-2)
C("nn.GroupNorm(2, 4)", arr(2, 4, 3, 3))
C("nn.GroupNorm(2, 4, affine=False)", arr(2, 4, 3, 3))
C("nn.LRN()", pos(1, 6, 2, 2))

# ---------------------------------------------------------------- activations
for name in (
    "ReLU() ReLU6() Sigmoid() Tanh() GELU() GELU(False) FastGelu() LeakyReLU() LeakyReLU(0.1) PReLU() PReLU(3) ELU() "
    "CELU() CELU(2.0) HSwish() HSigmoid() Mish() SiLU() Softmax() Softmax(1) LogSoftmax() LogSoftmax(0) LogSigmoid() "
    "Softsign() Hardtanh() Hardtanh(-0.5,0.5) HShrink() HShrink(0.2) SoftShrink() SoftShrink(0.2) Threshold(0.1,20.0) "
    "Softmin() Tanhshrink() Identity()"
).split():
    C(f"nn.{name}", arr(2, 3, 4))
C("nn.SeLU()", arr(2, 3, 4), _grad=False)  # the CPU build's gradient of the negative part is wrong
C("nn.GLU()", arr(2, 4))
C("nn.GLU(0)", arr(4, 2))
C("nn.Softmax2d()", arr(1, 2, 2, 2))
C.each(
    "nn.get_activation('{}')",
    "relu relu6 sigmoid tanh gelu leakyrelu softmax logsoftmax hswish hsigmoid softsign elu",
    arr(2, 3),
)
for module in (
    "Dropout(p=0.5)",
    "Dropout(keep_prob=0.5)",
    "Dropout()",
    "Dropout1d(0.5)",
    "Dropout2d(0.5)",
    "Dropout3d(0.5)",
):
    C(f"nn.{module}", arr(1, 2, 2, 2, 2) if "3d" in module else arr(1, 2, 2, 2) if "2d" in module else arr(1, 2, 2))
C("nn.Dropout(p=0.0)", arr(2, 3), _train=True)

# ---------------------------------------------------------------- recurrent layers, attention
for name, state in (("LSTM", 2), ("GRU", 1), ("RNN", 1)):
    for options, directions, layers in (
        ("", 1, 1),
        (", num_layers=2", 1, 2),
        (", bidirectional=True", 2, 1),
        (", has_bias=False", 1, 1),
    ):
        h = arr(directions * layers, 2, 4)
        C(f"nn.{name}(3, 4{options})", arr(5, 2, 3), (h, h) if state == 2 else h)
    C(f"nn.{name}(3, 4, batch_first=True)", arr(2, 5, 3))
    h = arr(1, 2, 4)
    C(f"nn.{name}(3, 4)", arr(5, 2, 3), (h, h) if state == 2 else h, lit([3, 5], "int32"))
    # float64 only where the layer makes the state; MindSpore's kernel for LSTM computes it in float32, and its gradient is zeros
    C(f"nn.{name}(3, 4)", arr(5, 2, 3, dtype="float64"), _rtol=1e-5, _atol=1e-6, _grad=name != "LSTM")
    h = arr(1, 2, 4, dtype="float64")
    C(f"nn.{name}(3, 4)", arr(5, 2, 3, dtype="float64"), (h, h) if state == 2 else h, _raises="TypeError")
C("nn.RNN(3, 4, nonlinearity='relu')", arr(5, 2, 3), arr(1, 2, 4))
C("nn.LSTMCell(3, 4)", arr(2, 3), (arr(2, 4), arr(2, 4)))
C("nn.GRUCell(3, 4, has_bias=False)", arr(2, 3), arr(2, 4))
C("nn.RNNCell(3, 4)", arr(2, 3), arr(2, 4))
C("nn.MultiheadAttention(4, 2)", arr(3, 2, 4), arr(5, 2, 4), arr(5, 2, 4))
C("nn.MultiheadAttention(4, 2, batch_first=True)", arr(2, 3, 4), arr(2, 5, 4), arr(2, 5, 4), need_weights=False)
C("nn.MultiheadAttention(4, 2, kdim=3, vdim=5)", arr(3, 2, 4), arr(5, 2, 3), arr(5, 2, 5))
C(
    "nn.MultiheadAttention(4, 2)",
    arr(3, 2, 4),
    arr(3, 2, 4),
    arr(3, 2, 4),
    attn_mask=lit([[False, True, True], [False, False, True], [False, False, False]]),
)
C("nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)", arr(3, 2, 4))
C(
    "nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, norm_first=True, activation='gelu', batch_first=True)",
    arr(2, 3, 4),
)
C("nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0)", arr(3, 2, 4), arr(5, 2, 4))
C("nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), 2)", arr(3, 2, 4))
C("nn.Transformer(4, 2, 1, 1, 8, dropout=0.0)", arr(3, 2, 4), arr(2, 2, 4))

# ---------------------------------------------------------------- padding, upsampling, others
C("nn.Pad(((1, 2), (0, 1)))", arr(2, 3))
C("nn.Pad(((1, 1), (2, 1)), mode='REFLECT')", arr(3, 4))
C("nn.ZeroPad2d(1)", arr(1, 1, 3, 3))
C("nn.ReflectionPad2d((1, 2, 1, 0))", arr(1, 1, 4, 4))
C("nn.ReplicationPad2d((1, 2, 1, 0))", arr(1, 1, 4, 4))
C("nn.ConstantPad2d((1, 2, 1, 0), 0.5)", arr(1, 1, 4, 4))
C("nn.PixelShuffle(2)", arr(1, 4, 3, 3))
C("nn.PixelUnshuffle(3)", arr(1, 1, 6, 6))
C("nn.Upsample((5, 7), mode='nearest')", arr(1, 1, 3, 3))
C("nn.Upsample((5, 7), mode='bilinear')", arr(1, 1, 3, 3))
C("nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 2))", arr(2, 3))
C("nn.TimeDistributed(nn.Dense(3, 2), time_axis=1, reshape_with_axis=0)", arr(2, 4, 3))
C("nn.Identity()", arr(2, 3))

# ---------------------------------------------------------------- losses
P, Q, LABELS = arr(3, 4), arr(3, 4), lit([0, 2, 1], "int32")
PROBABILITY, BINARY = lit([[0.2, 0.7, 0.1, 0.5]], "float32"), lit([[0.0, 1.0, 1.0, 0.0]], "float32")
for reduction in ("mean", "sum", "none"):
    C.each("nn.{}Loss(reduction='" + reduction + "')", "MSE L1 SmoothL1 Huber", P, Q)
    C(f"nn.SmoothL1Loss(0.5, '{reduction}')", P, Q)
    C(f"nn.HuberLoss('{reduction}', 0.5)", P, Q)
    C(f"nn.CrossEntropyLoss(reduction='{reduction}')", P, LABELS)
    C(f"nn.NLLLoss(reduction='{reduction}')", P, LABELS)
    C(f"nn.BCELoss(reduction='{reduction}')", PROBABILITY, BINARY)
    C(f"nn.BCEWithLogitsLoss('{reduction}')", arr(1, 4), BINARY)
    C(f"nn.SoftmaxCrossEntropyWithLogits(True, '{reduction}')", P, LABELS)
    C(f"nn.SoftmaxCrossEntropyWithLogits(reduction='{reduction}')", P, pos(3, 4))
    rows = {} if reduction == "mean" else {"_raises": "ValueError"}  # more axes than two have a mean alone
    C(f"nn.SoftmaxCrossEntropyWithLogits(True, '{reduction}')", arr(2, 3, 4), ints(2, 3, high=4, dtype="int32"), **rows)
    C(f"nn.KLDivLoss('{reduction}')", P, pos(3, 4))
    C(f"nn.CosineEmbeddingLoss(0.1, '{reduction}')", P, Q, lit([1, -1, 1], "int32"))
    C(f"nn.MarginRankingLoss(0.1, '{reduction}')", arr(3), arr(3), lit([1.0, -1.0, 1.0], "float32"))
    C(
        f"nn.TripletMarginLoss(reduction='{reduction}')",
        P,
        Q,
        arr(3, 4),
        1.0,
        _like="lambda a, p, n, m: (lambda x: "
        + {"mean": "x.mean()", "sum": "x.sum()", "none": "x"}[reduction]
        + ")(ops.relu(ops.norm(a - p + 1e-6, dim=1) - ops.norm(a - n + 1e-6, dim=1) + m))",
    )
C("nn.MSELoss()", P, arr(4))
C("nn.MSELoss()", P, arr(3), _raises="ValueError")
C("nn.CrossEntropyLoss()", P, pos(3, 4))
C("nn.CrossEntropyLoss(label_smoothing=0.1)", P, LABELS)
C("nn.CrossEntropyLoss(weight=Tensor([1., 2., .5, 1.5], ms.float32))", P, LABELS)
C("nn.CrossEntropyLoss(ignore_index=2)", P, LABELS)
C("nn.CrossEntropyLoss(ignore_index=2, weight=Tensor([1., 2., .5, 1.5], ms.float32), label_smoothing=0.1)", P, LABELS)
C("nn.CrossEntropyLoss()", arr(2, 3, 2, 2), ints(2, 2, 2, high=3))
C("nn.NLLLoss(weight=Tensor([1., 2., .5, 1.5], ms.float32), ignore_index=1)", P, LABELS)
C("nn.BCELoss(weight=Tensor([[1., 2., .5, 1.5]], ms.float32))", PROBABILITY, BINARY)
C(
    "nn.BCEWithLogitsLoss(weight=Tensor([1., 2., .5, 1.5], ms.float32), "
    "pos_weight=Tensor([2., 1., 3., 1.], ms.float32))",
    arr(1, 4),
    BINARY,
)
C("nn.CTCLoss()", arr(5, 2, 3), lit([[1, 2], [2, 1]], "int32"), lit([5, 4], "int32"), lit([2, 1], "int32"))
C("nn.HingeEmbeddingLoss()", P, lit([[1.0, -1.0, 1.0, -1.0]] * 3, "float32"), _grad=False)
C("nn.GaussianNLLLoss()", P, Q, pos(3, 4))
C("nn.PoissonNLLLoss()", unit(3, 4), pos(3, 4))
C("nn.MultiMarginLoss()", P, lit([0, 2, 1]))
C("nn.MultilabelMarginLoss()", arr(1, 4), lit([[3, 0, -1, 1]], "int32"))
C("nn.MultiLabelSoftMarginLoss()", P, lit([[0.0, 1.0, 1.0, 0.0]] * 3, "float32"))
C(
    "nn.SoftMarginLoss()",
    P,
    lit([[1.0, -1.0, 1.0, -1.0]] * 3, "float32"),
    _like="lambda x, y: ops.log1p(ops.exp(-x * y)).mean()",
)
C("nn.DiceLoss()", pos(3, 4), pos(3, 4))
C("nn.MultiClassDiceLoss()", pos(3, 4), pos(3, 4))
C("nn.FocalLoss()", P, lit([[0], [2], [1]], "int32"))
C("nn.FocalLoss(gamma=1.0, reduction='sum')", P, pos(3, 4))
C("nn.FocalLoss(reduction='none')", P, lit([[1], [3]], "int32"))  # fewer rows of labels
C("nn.RMSELoss()", arr(3), arr(3))
C("nn.MAELoss()", arr(3), arr(3))
C("nn.WithLossCell(nn.Dense(3, 2), nn.MSELoss())", arr(4, 3), arr(4, 2))
C("nn.WithEvalCell(nn.Dense(3, 2), nn.MSELoss())", arr(4, 3), arr(4, 2))

# ---------------------------------------------------------------- mint.nn
C("mint.nn.Linear(4, 3, bias=False)", arr(2, 4), _like="nn.Dense(4, 3, has_bias=False)")
C("mint.nn.Conv2d(2, 3, 3)", arr(1, 2, 5, 5), _like="nn.Conv2d(2, 3, 3, pad_mode='valid', has_bias=True)")
C("mint.nn.Conv2d(2, 3, 3, stride=2, padding=1, bias=False)", arr(1, 2, 5, 5), _like="nn.Conv2d(2, 3, 3, 2, 'pad', 1)")
C("mint.nn.Conv1d(2, 3, 3)", arr(1, 2, 5))
C("mint.nn.Conv3d(2, 3, 3)", arr(1, 2, 5, 5, 5), _like="nn.Conv3d(2, 3, 3, pad_mode='valid', has_bias=True)")
C(
    "mint.nn.ConvTranspose2d(2, 3, 3)",
    arr(1, 2, 5, 5),
    _like="nn.Conv2dTranspose(2, 3, 3, pad_mode='valid', has_bias=True)",
)
C("mint.nn.Embedding(5, 3)", ints(2, 4, high=5, dtype="int64"))
C("mint.nn.LayerNorm((4,))", arr(3, 4))
C("mint.nn.GroupNorm(2, 4)", arr(2, 4, 3, 3))
C("mint.nn.BatchNorm2d(3)", arr(2, 3, 4, 4))
C("mint.nn.BatchNorm1d(3)", arr(4, 3))
C.each(
    "mint.nn.{}()",
    "ReLU Sigmoid Tanh SiLU Hardswish Hardsigmoid ReLU6 ELU Mish LogSigmoid Identity",
    arr(2, 3),
    _like="nn.{}()",
)
C("mint.nn.GELU()", arr(2, 3), _like="nn.GELU(False)")
C("mint.nn.Softmax(1)", arr(2, 3), _like="nn.Softmax(1)")
C("mint.nn.LogSoftmax(1)", arr(2, 3), _like="nn.LogSoftmax(1)")
C("mint.nn.AvgPool2d(2)", arr(1, 2, 6, 6), _like="nn.AvgPool2d(2, 2)")
C("mint.nn.MaxPool2d(2)", perm(1, 2, 6, 6), _like="nn.MaxPool2d(2, 2)")
C("mint.nn.AdaptiveAvgPool2d((2, 3))", arr(1, 2, 5, 7), _like="nn.AdaptiveAvgPool2d((2, 3))")
C("mint.nn.Dropout(0.5)", arr(2, 3), _like="lambda x: x")
C("mint.nn.CrossEntropyLoss()", P, lit([0, 2, 1]), _like="lambda x, y: nn.CrossEntropyLoss()(x, y.astype(ms.int32))")
C("mint.nn.BCEWithLogitsLoss()", arr(1, 4), BINARY, _like="nn.BCEWithLogitsLoss()")
C("mint.nn.MSELoss()", P, Q, _like="nn.MSELoss()")
C("mint.nn.L1Loss()", P, Q, _like="nn.L1Loss()")
C("mint.nn.SmoothL1Loss()", P, Q, _like="nn.SmoothL1Loss()")

# ---------------------------------------------------------------- distributions (fixed arguments: no weights)
for line in (
    "Normal(0.5, 2.0)",
    "Uniform(-1.0, 3.0)",
    "Exponential(1.5)",
    "Gumbel(0.5, 2.0)",
    "Logistic(0.5, 2.0)",
    "Cauchy(0.5, 2.0)",
    "LogNormal(0.5, 1.0)",
    "Gamma([2.0], [1.5])",
    "Beta([2.0], [1.5])",
):
    for method in ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival"):
        C(f"lambda x: nn.probability.distribution.{line}.{method}(x)", lit([0.2, 0.5, 0.9], "float32"), _grad=False)
    for method in ("mean", "mode", "sd", "var", "entropy") if "Cauchy" not in line else ("mode", "entropy"):
        if (line[:7], method) == ("Uniform", "mode"):
            continue  # MindSpore defines none
        C(f"lambda: nn.probability.distribution.{line}.{method}()", _grad=False)
    C(f"lambda: nn.probability.distribution.{line}.sample((2, 3))", _random=True)
for line, value in (
    ("Bernoulli(0.3)", lit([0, 1], "int32")),
    ("Categorical([0.2, 0.3, 0.5])", lit([0, 2], "int32")),
    ("Geometric(0.3)", lit([0, 2], "int32")),
    ("Poisson([1.5])", lit([0, 2], "int32")),
):
    for method in ("prob", "log_prob", "cdf"):
        C(f"lambda x: nn.probability.distribution.{line}.{method}(x)", value, _grad=False)
    for method in ("mean", "mode", "sd", "var") + (("entropy",) if "Poisson" not in line else ()):
        C(f"lambda: nn.probability.distribution.{line}.{method}()", _grad=False)
C("lambda: nn.probability.distribution.Normal(0.5, 2.0).kl_loss('Normal', Tensor(0.0), Tensor(1.0))", _grad=False)
C("lambda: nn.probability.distribution.Normal(0.5, 2.0).cross_entropy('Normal', Tensor(0.0), Tensor(1.0))", _grad=False)
C("lambda: nn.probability.distribution.Bernoulli(0.3).kl_loss('Bernoulli', Tensor(0.5))", _grad=False)
C("lambda: nn.probability.distribution.Uniform(0.0, 1.0).kl_loss('Uniform', Tensor(-1.0), Tensor(2.0))", _grad=False)
C(
    "lambda: nn.probability.distribution.Categorical([0.2, 0.3, 0.5]).kl_loss('Categorical', Tensor([0.3, 0.3, 0.4]))",
    _grad=False,
)
for line in ("Exp()", "Softplus(2.0)", "ScalarAffine(2.0, 0.5)", "PowerTransform(0.5)", "GumbelCDF(0.5, 2.0)"):
    for method in ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian"):
        C(f"lambda x: nn.probability.bijector.{line}.{method}(x)", lit([0.2, 0.5, 0.9], "float32"), _grad=False)

# ---------------------------------------------------------------- one window fits: its mean alone, also where "same" has more places
for length in (3, 4, 5):
    C('nn.AvgPool1d(3, 2, "same")', arr(1, 2, length))
C('nn.AvgPool1d(3, 3, "same")', arr(2, 3))
