"""Expressions whose str(), repr(), dtype and shape are recorded; evaluated by the recorder and by the test."""

import collections
import re

import mindspore as ms
import mindspore.dataset
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops

TENSORS = [
    *[
        f"Tensor({v})"
        for v in (
            "1",
            "-3",
            "1.5",
            "True",
            "1+2j",
            "[1, 2, 3]",
            "[1.5, -2.25, 3]",
            "[True, False]",
            "[1, 2.5]",
            "[[1, 2], [3, 4]]",
            "(1, 2)",
            "[]",
            "[[], []]",
            "[1+2j, 3]",
            "'abc'",
            "['a', 'bcd']",
            "2**40",
            "2**63 - 1",
            "[1, True]",
            "[True, 2.5]",
            "((1, 2), [3, 4])",
            "[[1], [2.5]]",
            "None",
        )
    ],
    *[
        f"Tensor({v})"
        for v in (
            "np.float32(1.5)",
            "np.float64(1.5)",
            "np.int32(3)",
            "np.bool_(True)",
            "np.array(5)",
            "np.array([1, 2], np.int16)",
            "np.array([1.5, 2])",
            "np.array([1.5, 2], np.float16)",
            "np.array(['a', 'b'])",
            "np.array([1, 2], np.uint64)",
            "np.zeros((2, 0, 3), np.float32)",
            "np.array([1+2j], np.complex64)",
            "[np.float32(1.5), np.float32(2)]",
            "[np.int32(1), 2]",
            "[np.array([1, 2]), np.array([3, 4])]",
            "range(3)",
            "np.array([1, 2], '>i4')",
            "np.arange(6).reshape(2, 3).T",
            "Tensor([1, 2], ms.int8)",
            "[Tensor(1), Tensor(2)]",
            "np.array([1, 'a'], object)",
            "{'a': 1}",
        )
    ],
    *[
        f"Tensor([1, 2, 3], ms.{d})"
        for d in (
            "bool_",
            "int8",
            "uint8",
            "int16",
            "uint16",
            "int32",
            "uint32",
            "int64",
            "uint64",
            "float16",
            "bfloat16",
            "float32",
            "float64",
            "complex64",
            "complex128",
        )
    ],
    *[
        f"Tensor([0.1, -2.5, 1e-3, 12345.678], ms.{d})"
        for d in ("float16", "bfloat16", "float32", "float64", "int32", "bool_")
    ],
    "Tensor(1.5, ms.float16)",
    "Tensor(1.5, ms.bfloat16)",
    "Tensor(0.1, ms.float32)",
    "Tensor(0.1, ms.float64)",
    "Tensor(3, ms.int8)",
    "Tensor([0.1, 1e10], ms.float32)",
    "Tensor([1e-10, 1], ms.float32)",
    "Tensor([1e20, 1], ms.float32)",
    "Tensor(1e-8, ms.float32)",
    "Tensor(123456789., ms.float32)",
    "Tensor([1/3, 2/3], ms.float32)",
    "Tensor([1/3, 2/3], ms.float64)",
    "Tensor([1/3], ms.float16)",
    "Tensor([1/3, 100], ms.bfloat16)",
    "Tensor([float('nan'), float('inf'), -float('inf'), 1.5], ms.float32)",
    "Tensor(float('nan'), ms.float32)",
    "Tensor([float('nan')], ms.float16)",
    "Tensor([float('inf'), 1], ms.bfloat16)",
    "Tensor([0., -0.], ms.float32)",
    "Tensor([1., 2., 3.], ms.float32)",
    "Tensor([100000., 2.], ms.float32)",
    "Tensor([1e8, 2.], ms.float32)",
    "Tensor([16777216.], ms.float32)",
    "Tensor([1.23456789], ms.float32)",
    "Tensor([1.23456789], ms.float64)",
    "Tensor([[1.5, 2], [3, -4]], ms.float32)",
    "Tensor(np.arange(24).reshape(2, 3, 4), ms.float32)",
    "Tensor(np.arange(24).reshape(2, 3, 4), ms.int32)",
    "Tensor([[[1]]], ms.int32)",
    "Tensor(np.arange(1000), ms.int32)",
    "Tensor(np.arange(1001), ms.int32)",
    "Tensor(np.arange(1001), ms.float32)",
    "Tensor(np.arange(2000).reshape(40, 50), ms.float32)",
    "Tensor(np.arange(1200).reshape(2, 3, 200), ms.int64)",
    "Tensor(np.arange(1200).reshape(200, 3, 2), ms.int64)",
    "Tensor(np.arange(20), ms.int32)",
    "Tensor(np.arange(40), ms.int64)",
    "Tensor(np.linspace(0, 1, 20), ms.float32)",
    "Tensor(np.linspace(-1, 1, 30).reshape(5, 6), ms.float16)",
    "Tensor(np.linspace(-1, 1, 20), ms.bfloat16)",
    "Tensor(np.arange(1200), ms.bfloat16)",
    "Tensor(np.zeros((0,)), ms.float32)",
    "Tensor(np.zeros((2, 0)), ms.int32)",
    "Tensor([1+2j, -1.5-0.25j], ms.complex64)",
    "Tensor(1e-3+1e5j, ms.complex128)",
    "Tensor([True, False, True])",
    "Tensor([[True], [False]])",
    "Tensor(False)",
    "Tensor([-1, 10, -100], ms.int64)",
    "Tensor([255], ms.uint8)",
    "Tensor([[-1.5, 0.333333], [1e-5, 1000]], ms.float32)",
    "Tensor([1e-5, 1e-6], ms.float32)",
    "Tensor([1e5, 1e-5], ms.float32)",
    *[
        f"Tensor(np.arange({n}), ms.{d})"
        for n in (11, 12, 13, 24, 25, 48, 100)
        for d in ("int32", "float32", "bool_", "bfloat16", "float16", "complex64")
    ],
    *[
        f"Tensor(np.arange(np.prod({s})).reshape({s}), ms.{d})"
        for s in ("(1, 6)", "(1, 7)", "(7, 1)", "(6, 6)", "(7, 2, 7)", "(1, 30)")
        for d in ("int32", "float32", "bfloat16")
    ],
    *[
        f"Tensor({v}, ms.{d})"
        for v in ("1e6", "123456", "1234567", "1e-4", "1e-5", "-0.0", "float('inf')")
        for d in ("float32", "float64", "bfloat16")
    ],
    "Tensor([1e-30, -1.23456789e-5, 3e38], ms.bfloat16)",
    "Tensor(np.array([1.23456789+1e-9j, 12345678-2.5e10j]))",
    "Tensor([-1.5, float('nan')], ms.bfloat16)",
    "Tensor([-1, float('inf')], ms.float64)",
    "Tensor(np.array([['a', 'bcd']] * 3))",
    "Tensor(np.array('abc'))",
    "Tensor(np.array([1.5, -22.25j, 300]), ms.complex64)",
    "Tensor([-1, 127], ms.int8)",
    "Tensor(shape=(2, 3), dtype=ms.float32)",
    "Tensor(dtype=ms.float32, shape=[2, None])",
    "Tensor(5, dtype=ms.float32).shape",
    "Tensor([1, 2, 3])[1]",
    "Tensor([1., 2.])[0:1]",
    "Tensor([1., 2.]) + 1",
    "Tensor([1., 2.]).sum()",
    "(Tensor(1), [Tensor(2.0)])",
    "{'a': Tensor([1, 2])}",
    "'%s' % Tensor(1.5)",
    "f'{Tensor(1.5)}'",
    "'{:.2f}'.format(Tensor(1.5).asnumpy())",
    "'{:.2f}'.format(Tensor(1.5))",
    "f'{Tensor([1.5, 2])}'",
    "f'{Tensor(3):d}'",
    "Tensor([1, 2]).dtype",
    "Tensor([1, 2]).shape",
    "Tensor([[1, 2]]).size",
    "Tensor([[1, 2]]).ndim",
    "Tensor([[1, 2]]).itemsize",
    "Tensor([[1, 2]]).nbytes",
    "Tensor([[1, 2]]).strides",
    "Tensor(1).shape",
    "Tensor([1.5]).item()",
    "Tensor([[1, 2]]).tolist()",
    "Tensor(2.5).tolist()",
    "type(Tensor([1.5]).item())",
    "type(Tensor([1]).item())",
    "Tensor([1, 2]).itemset(0, 5)",
    "Tensor([1., 2]).to(ms.int32)",
    "Tensor([1., 2]).half()",
    "Tensor([1., 2]).int()",
    "Tensor([1., 2]).long()",
    "Tensor([1., 2]).bool()",
    "Tensor([1, 2]).float()",
    "Tensor([1, 2]).astype('float32')",
    "Tensor([1, 2]).astype(np.float16)",
    "Tensor([1, 2]).astype(float)",
    "Tensor([1, 2]).is_floating_point()",
    "Tensor([1., 2]).has_init",
    "Tensor(np.ones(2), ms.float32).init",
    "ops.zeros((2, 2))",
    "ops.ones(3, ms.int32)",
    "ops.arange(5)",
    "ops.arange(0, 1, 0.25)",
    "ops.full((2,), 3)",
    "ops.eye(2)",
    "ops.linspace(0, 1, 5)",
    "ops.range(0, 5, 1)",
    "ops.shape(Tensor([1]))",
    "ops.max(Tensor([1., 3, 2]))",
    "ops.split(Tensor([1, 2, 3, 4]), 2)",
    "ops.unique(Tensor([1, 2, 1]))",
    "ms.mutable(3)",
    "ms.mutable((1, 2))",
    "ms.COOTensor(Tensor([[0, 1]]), Tensor([1.5]), (2, 2))",
    "ms.CSRTensor(Tensor([0, 1]), Tensor([0]), Tensor([1.5]), (1, 2))",
]

PARAMETERS = [
    "Parameter(Tensor([1., 2.], ms.float32), name='w')",
    "Parameter(Tensor(1, ms.int32), name='step')",
    "Parameter(Tensor([1., 2.], ms.float32), name='w', requires_grad=False)",
    "Parameter(1.5, name='x')",
    "Parameter(3, name='x')",
    "Parameter(np.ones((2, 2)), name='x')",
    "Parameter([1, 2], name='x')",
    "Parameter(True)",
    "Parameter(Tensor([1.]), name='w') + 1",
    "Parameter(Tensor(np.zeros((3, 400)), ms.float32), name='big')",
    "Parameter(Tensor(np.zeros((0,)), ms.float32), name='empty')",
    "Parameter(Tensor([1.5], ms.bfloat16), name='b')",
    "Parameter(Tensor([1.]), name='w').name",
    "Parameter(Tensor([1.]), name='w').value()",
    "Parameter(Tensor([1.]), name='w').data",
    "Parameter(Tensor([1.]), name='w').clone()",
    "Parameter(Tensor([1.]), name='w').clone('zeros')",
    "ParameterTuple([Parameter(Tensor([1.]), name='a'), Parameter(Tensor([2.]), name='b')])",
    "ParameterTuple((Parameter(Tensor([1.]), name='a'),)).clone('moments', 'zeros')",
    "ms.ParameterTuple([Parameter(Tensor([1.]), name='a'), Parameter(Tensor([1.]), name='a')])",
    "Parameter(ms.common.initializer.initializer('ones', [2, 2], ms.float32), name='i')",
    "Parameter('abc', name='s')",
    "Parameter(Tensor([1.]), name='w').requires_grad",
    "Parameter(Tensor([1.]), name='w').layerwise_parallel",
    "Parameter(Tensor([1.]), name=3)",
    "Parameter(None)",
    "list(nn.Dense(2, 1).parameters_dict())",
]

DTYPES = [
    *[
        f"ms.{d}"
        for d in (
            "bool_",
            "int8",
            "uint8",
            "int16",
            "uint16",
            "int32",
            "uint32",
            "int64",
            "uint64",
            "float16",
            "bfloat16",
            "float32",
            "float64",
            "complex64",
            "complex128",
            "int_",
            "float_",
            "uint",
            "number",
            "string",
            "tensor_type",
            "list_",
            "tuple_",
            "type_none",
            "half",
            "single",
            "double",
            "float",
            "int",
            "bool",
            "byte",
            "short",
            "long",
            "cfloat",
            "cdouble",
            "float8_e4m3fn",
            "int4",
        )
    ],
    "ms.float32 == ms.float32",
    "ms.float32 == np.float32",
    "ms.float32 == 'float32'",
    "ms.float32 is ms.single",
    "ms.bool_ == ms.bool",
    "{ms.float32: 1}[ms.float32]",
    "ms.dtype_to_nptype(ms.float32)",
    "ms.dtype_to_pytype(ms.float32)",
    "ms.dtype_to_pytype(ms.bool_)",
    "ms.pytype_to_dtype(float)",
    "ms.pytype_to_dtype(int)",
    "ms.pytype_to_dtype(bool)",
    "ms.pytype_to_dtype(np.float16)",
    "isinstance(ms.float32, ms.Type)",
    "ms.dtype._issubclass_(ms.float32, ms.number)",
    "ms.get_py_obj_dtype(1)",
    "ms.get_py_obj_dtype(1.5)",
    "ms.get_py_obj_dtype(Tensor([1.]))",
    "[ms.float32, ms.int32]",
    "Tensor([1.]).dtype == ms.float32",
    "Tensor([1.]).dtype in (ms.float32, ms.float16)",
    "ms.finfo(ms.float32)",
    "ms.iinfo(ms.int8)",
    "ms.GRAPH_MODE",
    "ms.PYNATIVE_MODE",
    "ms.get_context('mode')",
    "ms.__version__",
    "ms.QuantDtype",
    "ms.dtype.float32",
    "ms.common.dtype.float32",
    "ms.TensorType(ms.float32)",
]

CELLS = [
    "nn.Dense(3, 4)",
    "nn.Dense(3, 4, has_bias=False)",
    "nn.Dense(3, 4, activation='relu')",
    "nn.Dense(3, 4, activation=nn.Tanh())",
    "nn.Dense(3, 4, 'ones', 'zeros')",
    "nn.Conv2d(3, 4, 3)",
    "nn.Conv2d(3, 4, (3, 5), stride=2, pad_mode='pad', padding=1, has_bias=True)",
    "nn.Conv2d(4, 4, 3, group=2, dilation=2, pad_mode='valid')",
    "nn.Conv2d(3, 4, 3, weight_init='normal')",
    "nn.Conv2d(3, 4, 3, padding=(1, 1, 2, 2), pad_mode='pad')",
    "nn.Conv1d(3, 4, 3)",
    "nn.Conv3d(3, 4, 3)",
    "nn.Conv2dTranspose(3, 4, 3)",
    "nn.Conv1dTranspose(3, 4, 3)",
    "nn.Conv3dTranspose(3, 4, 3)",
    "nn.BatchNorm1d(4)",
    "nn.BatchNorm2d(4)",
    "nn.BatchNorm2d(4, eps=1e-3, momentum=0.99, affine=False, gamma_init='zeros')",
    "nn.BatchNorm3d(4)",
    "nn.SyncBatchNorm(4)",
    "nn.LayerNorm((3,))",
    "nn.LayerNorm([3, 4], 1, 1)",
    "nn.GroupNorm(2, 4)",
    "nn.InstanceNorm1d(4)",
    "nn.InstanceNorm2d(4)",
    "nn.Embedding(10, 4)",
    "nn.Embedding(10, 4, padding_idx=1)",
    "nn.EmbeddingLookup(10, 4)",
    "nn.Dropout()",
    "nn.Dropout(p=0.3)",
    "nn.Dropout(keep_prob=0.8)",
    "nn.Dropout1d()",
    "nn.Dropout2d(p=0.3)",
    "nn.Flatten()",
    "nn.Flatten(0)",
    "nn.MaxPool2d()",
    "nn.MaxPool2d(3, 2, 'same')",
    "nn.MaxPool2d(3, 2, pad_mode='pad', padding=1)",
    "nn.AvgPool2d()",
    "nn.AvgPool2d(3, 2, 'valid')",
    "nn.MaxPool1d(3)",
    "nn.AvgPool1d(3)",
    "nn.AdaptiveAvgPool2d(3)",
    "nn.AdaptiveAvgPool1d(3)",
    "nn.AdaptiveMaxPool2d(3)",
    "nn.MaxPool3d(3)",
    "nn.AvgPool3d(3)",
    "nn.AdaptiveAvgPool3d(3)",
    "nn.ReLU()",
    "nn.ReLU6()",
    "nn.Sigmoid()",
    "nn.Tanh()",
    "nn.GELU()",
    "nn.GELU(approximate=False)",
    "nn.LeakyReLU()",
    "nn.LeakyReLU(0.1)",
    "nn.PReLU()",
    "nn.ELU()",
    "nn.SeLU()",
    "nn.CELU()",
    "nn.HSwish()",
    "nn.HSigmoid()",
    "nn.Mish()",
    "nn.SiLU()",
    "nn.Softmax()",
    "nn.Softmax(axis=1)",
    "nn.LogSoftmax()",
    "nn.LogSigmoid()",
    "nn.FastGelu()",
    "nn.Softplus()",
    "nn.Softsign()",
    "nn.Hardtanh()",
    "nn.HShrink()",
    "nn.SoftShrink()",
    "nn.Threshold(0.1, 20)",
    "nn.GLU()",
    "nn.Identity()",
    "nn.Softmax2d()",
    "nn.Softmin()",
    "nn.Tanhshrink()",
    "nn.RReLU()",
    "nn.LRN()",
    "nn.LSTM(3, 4)",
    "nn.LSTM(3, 4, num_layers=2, bidirectional=True, batch_first=True)",
    "nn.GRU(3, 4)",
    "nn.RNN(3, 4)",
    "nn.LSTMCell(3, 4)",
    "nn.GRUCell(3, 4)",
    "nn.RNNCell(3, 4)",
    "nn.MSELoss()",
    "nn.L1Loss('sum')",
    "nn.CrossEntropyLoss()",
    "nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean')",
    "nn.BCELoss()",
    "nn.BCEWithLogitsLoss()",
    "nn.SmoothL1Loss()",
    "nn.NLLLoss()",
    "nn.KLDivLoss()",
    "nn.HuberLoss()",
    "nn.CosineEmbeddingLoss()",
    "nn.Pad(((1, 1), (2, 2)))",
    "nn.ZeroPad2d(1)",
    "nn.ConstantPad2d(1, 0.5)",
    "nn.ReflectionPad2d(1)",
    "nn.ReplicationPad2d(1)",
    "nn.PixelShuffle(2)",
    "nn.PixelUnshuffle(2)",
    "nn.Upsample(scale_factor=2)",
    "nn.Unfold([1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1])",
    "nn.Bilinear(2, 3, 4)",
    "nn.Unflatten(1, (2, 3))",
    "nn.ChannelShuffle(2)",
    "nn.MultiheadAttention(4, 2)",
    "nn.TransformerEncoderLayer(4, 2)",
    "nn.SequentialCell()",
    "nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())",
    "nn.SequentialCell([nn.Dense(2, 3), nn.SequentialCell(nn.ReLU(), nn.Dense(3, 1))])",
    "nn.SequentialCell(collections.OrderedDict([('fc', nn.Dense(2, 3)), ('act', nn.ReLU())]))",
    "nn.CellList()",
    "nn.CellList([nn.Dense(2, 3), nn.ReLU()])",
    "nn.CellList([nn.CellList([nn.ReLU()]), nn.Tanh()])",
    "nn.CellDict({'a': nn.ReLU(), 'b': nn.Dense(1, 1)})",
    "Net()",
    "Empty()",
    "Named()",
    "WithList()",
    "nn.WithLossCell(Net(), nn.MSELoss())",
    "nn.TrainOneStepCell(nn.WithLossCell(Net(), nn.MSELoss()), nn.SGD(Net().trainable_params()))",
    "nn.SGD(Net().trainable_params())",
    "nn.Adam(Net().trainable_params(), 0.1)",
    "nn.Momentum(Net().trainable_params(), 0.1, 0.9)",
    "nn.ExponentialDecayLR(0.1, 0.9, 4)",
    "nn.CosineDecayLR(0.1, 0.2, 4)",
    "nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5)",
    "nn.Accuracy()",
    "nn.get_activation('relu')",
    "nn.WithEvalCell(Net(), nn.MSELoss())",
    "ops.ReLU()",
    "ops.Softmax(1)",
    "ops.ReduceSum(True)",
    "ops.Conv2D(3, 2)",
    "ops.MatMul()",
    "ops.Concat(1)",
    "ops.Add()",
    "ops.Cast()",
    "ops.OneHot()",
    "ops.MaxPool(2, 2)",
    "ops.GradOperation(get_all=True)",
    "nn.ClipByNorm()",
    "nn.Moments()",
    "nn.Norm()",
    "nn.OneHot()",
    "nn.Range(1, 5)",
    "nn.ImageGradients()",
    "nn.SSIM()",
    "nn.DistributedGradReducer(Net().trainable_params())",
    "nn.FixedLossScaleUpdateCell(1024)",
    "nn.DynamicLossScaleUpdateCell(1024, 2, 10)",
    "nn.Dense(3, 4).to_float(ms.float16)",
    "nn.Dense(3, 4).cls_name",
    "Net().set_train()",
    "nn.Dense(3, 4).set_train(False)",
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 2)",
]


class Net(nn.Cell):
    """Two layers and an attribute that is no layer."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(2, 3)
        self.act = nn.ReLU()
        self.block = nn.SequentialCell(nn.Dense(3, 3), nn.Tanh())
        self.scale = 2.0
        self.op = ops.ReLU()

    def construct(self, x):
        return self.block(self.act(self.fc1(x))) * self.scale


class Empty(nn.Cell):
    """No layer at all, one Parameter."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0], ms.float32), name="w")

    def construct(self, x):
        return x * self.w


class Named(nn.Cell):
    """extend_repr is part of the text."""

    def __init__(self):
        super().__init__()
        self.inner = Empty()

    def extend_repr(self):
        return "size=3, kind='x'"

    def construct(self, x):
        return self.inner(x)


class WithList(nn.Cell):
    """CellList, a Python list of cells, the same cell twice."""

    def __init__(self):
        super().__init__()
        self.cells_ = nn.CellList([nn.ReLU() for _ in range(3)])
        self.plain = [nn.ReLU(), nn.Tanh()]
        shared = nn.Sigmoid()
        self.first = shared
        self.second = shared

    def construct(self, x):
        return self.second(self.first(x))


SHOWN_AS_ARRAYS = [
    *[
        f"Tensor.from_numpy(np.array({v}))"
        for v in (
            "1.5",
            "1.",
            "3",
            "1e20",
            "True",
            "1+2j",
            "[1, 2]",
            "[1., 0.1]",
            "[[1, 2.5], [3, -4e10]]",
            "[True, False]",
            "[1, 0.1], np.float16",
            "[200], np.uint8",
            "[np.nan, np.inf, 1.]",
            "[1+2j]",
            "[], np.float32",
            "[[], []], np.float32",
        )
    ],
    "Tensor.from_numpy(np.arange(2000.))",
    "Tensor.from_numpy(np.arange(27.).reshape(3, 3, 3))",
    "Tensor.from_numpy(np.arange(24.).reshape(2, 12) / 7)",
    "Tensor.from_numpy(np.ones(2)) + 0",
    "Tensor.from_numpy(np.ones(2)).copy()",
    "Tensor.from_numpy(np.ones((2, 2)))[0:1]",
    "Tensor(shape=(2,), dtype=ms.float32, init=ms.common.initializer.One()).init_data()",
    "Tensor(shape=(2,), dtype=ms.float32, init=ms.common.initializer.One()).init_data().copy()",
    "next(ms.dataset.NumpySlicesDataset([[1.0, 2.5]]).create_tuple_iterator())[0]",
    "next(ms.dataset.NumpySlicesDataset([[1.0, 2.5]]).create_dict_iterator())['column_0']",
]
GROUPS = {
    "tensors": TENSORS,
    "shown as arrays": SHOWN_AS_ARRAYS,
    "parameters": PARAMETERS,
    "dtypes": DTYPES,
    "cells": CELLS,
}
NAMESPACE = {
    "np": np,
    "ms": ms,
    "Tensor": Tensor,
    "Parameter": Parameter,
    "ParameterTuple": ParameterTuple,
    "nn": nn,
    "ops": ops,
    "collections": collections,
    "Net": Net,
    "Empty": Empty,
    "Named": Named,
    "WithList": WithList,
}


def describe(expression):
    """[str, repr, dtype, shape] of the value, or ["!Exception", message]."""
    try:
        value = eval(expression, NAMESPACE)
        text, representation = (
            re.sub(r"<[\w.]*?(\w+) object at 0x\w+>", r"<\1 object>", f(value)) for f in (str, repr)
        )
    except Exception as error:
        return ["!" + type(error).__name__, str(error).strip().split("\n")[0][:240]]
    found = [text, None if representation == text else representation]
    if isinstance(value, Tensor):
        found += [str(value.dtype), list(value.shape)]
    return found
