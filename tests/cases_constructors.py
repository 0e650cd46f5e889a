"""Which values constructors take: each argument of each class of PACKAGES in turn is replaced by each of VALUES.

`outcomes()` runs on MindSpore and on msjax; `goldens/constructors.jsonl` holds what both answer (`goldens/record_constructors.py`):
for each argument one letter a value, in the order of VALUES: "." is taken, "T" TypeError, "V" ValueError; DIFFERENCES has the others.
"""

import inspect

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mindrecord, nn, train
from mindspore.nn import probability

PACKAGES = {
    "nn": nn,
    "train": train,
    "distribution": probability.distribution,
    "bijector": probability.bijector,
    "mindrecord": mindrecord,
}

VALUES = {
    "text": "abc",
    "bool": True,
    "zero": 0,
    "one": 1,
    "minus": -1,
    "two": 2,
    "half": 0.5,
    "real": 2.0,
    "real minus": -0.5,
    "nan": float("nan"),
    "real zero": 0.0,
    "real one": 1.0,
    "infinity": float("inf"),
    "None": None,
    "pair": (1, 2),
    "triple": (2, 2, 2),
    "empty": (),
    "list": [1, 2],
    "pair of reals": (0.5, 0.25),
    "numpy int": np.int64(2),
    "numpy real": np.float64(0.5),
    "Tensor": Tensor(np.ones((2, 2), np.float32)),
    "object": object(),
    "dtype": ms.float32,
    "integer dtype": ms.int32,
    "Cell": nn.ReLU(),
    "dict": {"a": 1},
}
_net = "nn.Dense(2, 2)"
_weights = "[Parameter(Tensor(np.ones((2, 2), np.float32)), name='w')]"
# class: what its required arguments are
REQUIRED = {
    "AdaptiveAvgPool1d": "2",
    "AdaptiveAvgPool2d": "2",
    "AdaptiveAvgPool3d": "2",
    "AdaptiveMaxPool1d": "2",
    "AdaptiveMaxPool2d": "2",
    "AdaptiveMaxPool3d": "2",
    "AvgPool1dExt": "2",
    "AvgPool2dExt": "2",
    "AvgPool3dExt": "2",
    "BatchNorm1d": "4",
    "BatchNorm2d": "4",
    "BatchNorm3d": "4",
    "BiDense": "3, 4, 2",
    "CentralCrop": "0.5",
    "ChannelShuffle": "2",
    "ConstantPad1d": "1, 0.5",
    "ConstantPad2d": "1, 0.5",
    "ConstantPad3d": "1, 0.5",
    "Conv1d": "4, 6, 3",
    "Conv1dTranspose": "4, 6, 3",
    "Conv2d": "4, 6, 3",
    "Conv2dBnAct": "4, 6, 3",
    "Conv2dThor": "4, 6, 3",
    "Conv2dTranspose": "4, 6, 3",
    "Conv3d": "4, 6, 3",
    "Conv3dTranspose": "4, 6, 3",
    "CosineDecayLR": "0.01, 0.1, 4",
    "Dense": "3, 4",
    "DenseBnAct": "3, 4",
    "DenseThor": "3, 4",
    "Embedding": "5, 3",
    "EmbeddingExt": "5, 3",
    "EmbeddingLookup": "5, 3",
    "EmbeddingThor": "5, 3",
    "EmbeddingLookupThor": "5, 3",
    "ExponentialDecayLR": "0.1, 0.9, 4",
    "FractionalMaxPool2d": "2, 2",
    "FractionalMaxPool3d": "2, 2",
    "GRU": "input_size=3, hidden_size=4",
    "GRUCell": "3, 4",
    "GroupNorm": "2, 4",
    "InstanceNorm1d": "4",
    "InstanceNorm2d": "4",
    "InstanceNorm3d": "4",
    "InverseDecayLR": "0.1, 0.9, 4",
    "L1Regularizer": "0.5",
    "LPPool1d": "2., 2",
    "LPPool2d": "2., 2",
    "LSTM": "input_size=3, hidden_size=4",
    "LSTMCell": "3, 4",
    "LayerNorm": "[4]",
    "LayerNormExt": "[4]",
    "Linear": "3, 4",
    "MaxUnpool1d": "2",
    "MaxUnpool2d": "2",
    "MaxUnpool3d": "2",
    "MultiFieldEmbeddingLookup": "5, 3, 2",
    "MultiheadAttention": "4, 2",
    "NaturalExpDecayLR": "0.1, 0.9, 4",
    "PixelShuffle": "2",
    "PixelUnshuffle": "2",
    "PolynomialDecayLR": "0.1, 0.01, 4, 0.5",
    "RNN": "input_size=3, hidden_size=4",
    "RNNCell": "3, 4",
    "Range": "0",
    "ReflectionPad1d": "1",
    "ReflectionPad2d": "1",
    "ReflectionPad3d": "1",
    "ReplicationPad1d": "1",
    "ReplicationPad2d": "1",
    "ReplicationPad3d": "1",
    "Roll": "1, 0",
    "SampledSoftmaxLoss": "2, 5",
    "SyncBatchNorm": "4",
    "Threshold": "0.5, 0.25",
    "TransformerDecoderLayer": "4, 2",
    "TransformerEncoderLayer": "4, 2",
    "Unflatten": "1, (2, 2)",
    "Unfold": "[1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1]",
    "WarmUpLR": "0.1, 4",
    "ZeroPad2d": "1",
    "SparseToDense": "",
    "Pad": "((1, 1), (0, 1))",
    "TransformerEncoder": "nn.TransformerEncoderLayer(4, 2), 2",
    "TransformerDecoder": "nn.TransformerDecoderLayer(4, 2), 2",
    "Top5CategoricalAccuracy": "",
    "TopKCategoricalAccuracy": "2",
    "Fbeta": "0.5",
    "ConfusionMatrix": "2",
    "MicroBatchInterleaved": _net,
    "PipelineCell": f"{_net}, 2",
    "GradAccumulationCell": f"{_net}, 2",
    "TimeDistributed": f"{_net}, 1",
    "WithLossCell": f"{_net}, nn.MSELoss()",
    "WithEvalCell": f"{_net}, nn.MSELoss()",
    "WithGradCell": _net,
    "ForwardValueAndGrad": _net,
    "TrainOneStepCell": f"{_net}, nn.Adam({_weights})",
    "Jvp": _net,
    "Vjp": _net,
    "DynamicLossScaleUpdateCell": "1024.0, 2, 100",
    "FixedLossScaleUpdateCell": "1024.0",
    "TrainOneStepWithLossScaleCell": f"{_net}, nn.Adam({_weights}), Tensor(1024.0, ms.float32)",
    "Momentum": f"{_weights}, 0.1, 0.9",
    "ProximalAdagrad": _weights,
    "LARS": f"nn.Momentum({_weights}, 0.1, 0.9)",
    "Transformer": "d_model=4, nhead=2",
    "OcclusionSensitivity": "",
    "VirtualDatasetCellTriple": _net,
    "ParameterUpdate": f"{_weights}[0]",
    "train.BackupAndRestore": "'backup'",
    "train.ConfusionMatrix": "2",
    "train.Fbeta": "0.5",
    "train.FlopsUtilizationCollector": "4",
    "train.LearningRateScheduler": "max",
    "train.Model": _net,
    "train.RunContext": "{}",
    "train.SummaryCollector": "'summary'",
    "train.SummaryLandscape": "'summary'",
    "train.SummaryRecord": "'summary'",
    "train.TopKCategoricalAccuracy": "2",
    "distribution.Gumbel": "0.5, 1.0",
    "distribution.TransformedDistribution": (
        "nn.probability.bijector.Exp(), nn.probability.distribution.Normal(0.0, 1.0, dtype=ms.float32)"
    ),
    "bijector.Invert": "nn.probability.bijector.Exp()",
    "mindrecord.CsvToMR": "'a.csv', 'a.mindrecord'",
    "mindrecord.FileWriter": "'a.mindrecord'",
}
for _name in (
    "ASGD",
    "AdaFactor",
    "AdaMax",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamOffload",
    "AdamWeightDecay",
    "FTRL",
    "Lamb",
    "LazyAdam",
    "RMSProp",
    "Rprop",
    "SGD",
):
    REQUIRED[_name] = _weights
_RNN = ("input_size", "hidden_size", "num_layers", "has_bias", "batch_first", "dropout", "bidirectional")
ARGUMENTS = {"LSTM": _RNN, "GRU": _RNN, "RNN": (*_RNN, "nonlinearity")}
REQUIRED["Lamb"] = f"{_weights}, 0.1"
REQUIRED["ReduceLogSumExp"] = "0"
_LEFT_OUT = {
    "Cell",
    "CellDict",
    "CellList",
    "GraphCell",
    "GetNextSingleOp",
    "Identity",
    "Optimizer",
    "OptTFTWrapper",
    "SequentialCell",  # take what a user defines
    "DistributedGradReducer",
    "PipelineGradReducer",
    "AdaSumByDeltaWeightWrapCell",
    "AdaSumByGradWrapCell",  # need processes
    "TransformerEncoder",
    "TransformerDecoder",
    "train.Callback",
    "train.Metric",
    "train.LossScaleManager",
    "train.ConvertModelUtils",
    "train.ConvertNetUtils",
    "train.DatasetHelper",  # take what a user defines
    "train.SummaryCollector",
    "train.SummaryLandscape",
    "train.SummaryRecord",
    "train.TrainFaultTolerance",  # need what this build of MindSpore lacks
}


def names():
    """The classes that are asked: those of `nn` by their names, others with that of their package."""
    found = [
        (f"{package}.{name}".removeprefix("nn."), value)
        for package, module in PACKAGES.items()
        for name, value in sorted(vars(module).items())
        if isinstance(value, type) and not name.startswith("_") and not issubclass(value, Exception)
    ]
    return [name for name, _ in found if name not in _LEFT_OUT]


# Where the two differ, and why.
DIFFERENCES = {
    "e": "refused here when the object is made: MindSpore takes it, and fails or computes NaN when it is called",
    "o": "refused by both, with other types than these two, or unlike ones: MindSpore computes with the value before it looks at its type",
    "m": "taken here alone: TAKEN_HERE says why",
}
TAKEN_HERE = {
    "Tensor": "a Tensor of several elements is compared with a number inside MindSpore, whose truth is ambiguous",
    "Cell": "a Cell is an activation here, whatever the class",
    "numpy int": "NumPy's integers are whole numbers",
    "numpy real": "NumPy's reals are numbers; MindSpore's distributions want one dtype of all, and float64 is another",
    ("Conv2dThor", "weight_init"): "None is the default of the other layers",
    ("DenseThor", "weight_init"): "None is the default of the other layers",
    ("DenseThor", "bias_init"): "None is the default of the other layers",
    ("ConstantPad1d", "padding"): "no axis is padded",
    ("Conv3dTranspose", "dilation"): "MindSpore's CPU build has no dilation; its documentation has it",
    ("EmbeddingThor", "padding_idx"): "MindSpore's CPU build fails in its own kernel",
    ("MultiMarginLoss", "p"): "True is 1",
    ("PReLUExt", "num_parameters"): "a shape of the Parameter",
    ("PipelineCell", "segment_config"): "what is empty is no configuration",
    ("PipelineCell", "stage_config"): "what is empty is no configuration",
}
LETTERS = {"ok": ".", "TypeError": "T", "ValueError": "V"}


def asked(rows, values, titles):
    """{(argument, title): letter} of what was recorded of one name and is the same in both."""
    return {
        (argument, title): letter
        for argument, row in rows.items()
        for title, letter in zip(values, row, strict=True)
        if title in titles and letter not in DIFFERENCES
    }


def letters_of(found, keys):
    """{(argument, title): letter} of what `outcomes` found."""
    return {key: LETTERS.get(found[key[0]][key[1]], found[key[0]][key[1]]) for key in keys}


def taken_here(golden, values):
    """(name, argument, title) of each value that was recorded as taken here alone."""
    for name, rows in golden.items():
        for argument, row in rows.items():
            yield from [(name, argument, title) for title, letter in zip(values, row, strict=True) if letter == "m"]


def outcomes(name, titles=tuple(VALUES)):
    """{argument: {title of a value: "ok", or the type of the exception}} of one class."""
    package, _, own = name.rpartition(".")
    cls = getattr(PACKAGES[package or "nn"], own)
    binder = dict if name in ARGUMENTS else _bound(cls)
    given = eval(
        f"dict_of({REQUIRED.get(name, '')})",
        {"dict_of": binder, "nn": nn, "ms": ms, "np": np, "Tensor": Tensor, "Parameter": Parameter},
    )
    cls(**given)
    made = {}
    for argument in ARGUMENTS.get(name) or list(parameters(cls).parameters)[1:]:
        if argument in ("args", "kwargs", "inputs"):
            continue
        made[argument] = answers(cls, given, argument, {title: VALUES[title] for title in titles})
    return made


def answers(call, given, argument, values):
    """{title: "ok", or the type of the exception} of a call, where one of the arguments that it is given is each of some values."""
    row = {}
    for title, value in values.items():
        try:
            call(**{**given, argument: value})
            row[title] = "ok"
        except Exception as error:
            row[title] = type(error).__name__
    return row


def parameters(cls):
    """The parameters of a constructor; MindSpore wraps some in functions of any arguments."""
    init = inspect.unwrap(cls.__init__)
    inner = [
        c.cell_contents
        for c in init.__closure__ or ()
        if inspect.isfunction(c.cell_contents) and c.cell_contents.__name__ == "__init__"
    ]
    return inspect.signature(inner[0] if inner else cls.__init__)


def _bound(cls):
    def bind(*args, **kwargs):
        call = parameters(cls).bind(None, *args, **kwargs)
        return dict(list(call.arguments.items())[1:])

    return bind
