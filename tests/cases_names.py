"""Nets and optimizers whose Parameter names, order, shapes and dtypes are recorded and held against."""

import collections

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops


def vector(n=1, name=None, **keywords):
    return Parameter(Tensor(np.ones(n), ms.float32), name=name, **keywords)


class Leaf(nn.Cell):
    def __init__(self, name="w"):
        super().__init__()
        self.weight = vector(2, name)

    def construct(self, x):
        return x * self.weight


class Unnamed(nn.Cell):
    """Parameters without a name take the attribute's."""

    def __init__(self):
        super().__init__()
        self.alpha = vector()
        self.beta = Parameter(Tensor(1.0, ms.float32))


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, has_bias=True)
        self.bn = nn.BatchNorm2d(2)
        self.scale = vector(1, "scale")


class Deep(nn.Cell):
    """Own Parameter declared before, between and after the cells."""

    def __init__(self):
        super().__init__()
        self.first = vector(1, "first")
        self.block = Block()
        self.middle = vector(3, "middle", requires_grad=False)
        self.layers = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU(), nn.SequentialCell([Leaf(), Leaf("v")]))
        self.last = vector(1, "last")


class Lists(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cells_ = nn.CellList([nn.Dense(1, 1), nn.Dense(1, 2)])
        self.plain = [nn.Dense(1, 3)]
        self.tuple_ = (vector(1, "a"), vector(2, "b"))
        self.params = ParameterTuple([vector(1, "p0"), vector(2, "p1")])
        self.dict_ = nn.CellDict({"x": Leaf(), "y": nn.Dense(1, 1)})


class Shared(nn.Cell):
    """One cell under two names, one Parameter in two cells."""

    def __init__(self):
        super().__init__()
        self.a = Leaf()
        self.b = self.a
        self.c = Leaf("other")
        self.c.weight = self.a.weight


class Tied(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(4, 2)
        self.head = nn.Dense(2, 4, has_bias=False)
        self.head.weight = self.embedding.embedding_table


class NoPrefix(nn.Cell):
    def __init__(self):
        super().__init__(auto_prefix=False)
        self.dense = nn.Dense(1, 2)
        self.leaf = Leaf()


class HoldsNoPrefix(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = NoPrefix()
        self.dense = nn.Dense(1, 1)


class Frozen(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2)
        self.dense.weight.requires_grad = False
        self.leaf = Leaf()


class SetAttr(nn.Cell):
    """Replaced and deleted attributes."""

    def __init__(self):
        super().__init__()
        self.a = nn.Dense(1, 1)
        self.b = nn.Dense(1, 2)
        self.a = nn.Dense(1, 3)
        self.c = nn.Dense(1, 4)
        del self.b


class Inserted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.insert_param_to_cell("extra", vector(1, "extra"))
        self.insert_child_to_cell("kid", nn.Dense(1, 1))
        self.dense = nn.Dense(1, 2)
        self.insert_param_to_cell("late", vector(2, "late_name"))


class Wrapper(nn.Cell):
    def __init__(self, network):
        super().__init__(auto_prefix=False)
        self.network = network
        self.params = ParameterTuple(network.trainable_params())
        self.step = vector(1, "step")


def appended():
    cells = nn.CellList([nn.Dense(1, 1)])
    cells.append(nn.Dense(1, 2))
    cells.insert(0, nn.Dense(1, 3))
    cells.extend([nn.Dense(1, 4)])
    return cells


def deleted():
    cells = nn.CellList([nn.Dense(1, n) for n in range(1, 5)])
    del cells[1]
    cells[0] = nn.Dense(1, 9)
    return cells


def sequential_changed():
    cells = nn.SequentialCell([nn.Dense(1, 1), nn.Dense(1, 2)])
    cells.append(nn.Dense(1, 3))
    cells.insert(1, nn.ReLU())
    cells[0] = nn.Dense(1, 5)
    return cells


def updated_names():
    net = Deep()
    net.update_parameters_name("net.")
    return net


def renamed_non_recursive():
    net = Deep()
    net.update_parameters_name("p.", recurse=False)
    return net


def renamed():
    net = nn.Dense(1, 1)
    net.weight.name = "kernel"
    return nn.SequentialCell(net)


class Outer(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner


def row(n=2):
    return nn.SequentialCell(*[nn.Dense(2, 2, has_bias=False) for _ in range(n)])


class Grown(nn.Cell):
    """A CellList that is empty when it is set and grows by `change`."""

    def __init__(self, change):
        super().__init__()
        self.stages = nn.CellList()
        change(self.stages)


class Nested(nn.Cell):
    """Containers in containers, which grow after they were set."""

    def __init__(self):
        super().__init__()
        self.list_ = nn.CellList([row(), row()])
        self.row = nn.SequentialCell([row()])
        self.list_.append(row())
        self.row.append(row())
        self.row.append(nn.Dense(2, 2))


class Named(nn.Cell):
    """A CellDict that grows after it was set."""

    def __init__(self, **cells):
        super().__init__()
        self.held = nn.CellDict(cells)
        self.held["more"] = nn.Dense(2, 2)
        self.held.update([["last", nn.Dense(2, 2)]])


def nested_changed():
    net = Nested()
    net.list_.append(row())
    net.list_.insert(1, row())
    del net.row[0]
    return net


def named_changed():
    net = nn.SequentialCell(collections.OrderedDict([("a", nn.Dense(2, 2)), ("b", nn.Dense(2, 2)), ("c", row())]))
    net.append(nn.Dense(2, 2))
    net.append(row())
    del net[1]
    return net


def grow(*cells):
    return lambda held: [held.append(cell) for cell in cells]


def insert(held):
    grow(nn.ReLU(), row(), row())(held)
    held.insert(1, nn.Dense(2, 2))
    held.insert(0, row())


def replace(held):
    held.extend([row(), row(), row(), row()])
    del held[1:3]
    held[0] = nn.Dense(2, 2)
    held[1] = row()


NETS = {
    name: build
    for name, build in {
        "Leaf": Leaf,
        "Unnamed": Unnamed,
        "Block": Block,
        "Deep": Deep,
        "Lists": Lists,
        "Shared": Shared,
        "Tied": Tied,
        "NoPrefix": NoPrefix,
        "HoldsNoPrefix": HoldsNoPrefix,
        "Frozen": Frozen,
        "SetAttr": SetAttr,
        "Inserted": Inserted,
        "appended": appended,
        "deleted": deleted,
        "sequential_changed": sequential_changed,
        "updated_names": updated_names,
        "renamed": renamed,
        "renamed_non_recursive": renamed_non_recursive,
        "outer deep": lambda: Outer(Outer(Deep())),
        "outer appended": lambda: Outer(appended()),
        "outer list": lambda: Outer(nn.CellList([Block(), Block()])),
        "wrapper": lambda: Wrapper(Deep()),
        "ordered": lambda: nn.SequentialCell(
            collections.OrderedDict([("fc1", nn.Dense(1, 2)), ("act", nn.ReLU()), ("fc2", nn.Dense(2, 1))])
        ),
        "slice": lambda: nn.SequentialCell(nn.Dense(1, 1), nn.Dense(1, 2), nn.Dense(1, 3))[1:],
        "list slice": lambda: nn.CellList([nn.Dense(1, 1), nn.Dense(1, 2), nn.Dense(1, 3)])[1:],
        "list no prefix": lambda: nn.CellList([nn.Dense(1, 1), nn.Dense(1, 2)], auto_prefix=False),
        "grown rows": lambda: Grown(grow(row(), row(), row())),
        "grown mixed": lambda: Grown(grow(row(1), nn.Dense(2, 2), row(3))),
        "grown deep": lambda: Grown(
            grow(nn.SequentialCell(row(), row()), nn.ReLU(), nn.SequentialCell(nn.ReLU(), row()))
        ),
        "grown extended": lambda: Grown(lambda held: held.extend([row(), row(), row()])),
        "grown inserted": lambda: Grown(insert),
        "grown replaced": lambda: Grown(replace),
        "nested": Nested,
        "nested changed": nested_changed,
        "named changed": named_changed,
        "named grown": lambda: Named(a=nn.Dense(2, 2)),
        "named grown twice": lambda: Named(a=nn.Dense(2, 2), b=nn.Dense(2, 2)),
        "named grown from nothing": Named,
        "named grown without weights": lambda: Named(a=nn.ReLU()),
        "loss cell": lambda: nn.WithLossCell(Deep(), nn.MSELoss()),
        "train cell": lambda: (
            lambda net: nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
        )(Deep()),
        "train scale cell": lambda: (
            lambda net: nn.TrainOneStepWithLossScaleCell(
                nn.WithLossCell(net, nn.MSELoss()),
                nn.Momentum(net.trainable_params(), 0.1, 0.9),
                nn.DynamicLossScaleUpdateCell(1024, 2, 10),
            )
        )(Deep()),
        "train fixed": lambda: (
            lambda net: nn.TrainOneStepWithLossScaleCell(
                nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), Tensor(1024.0, ms.float32)
            )
        )(Leaf()),
        "forward value grad": lambda: nn.ForwardValueAndGrad(Leaf()),
    }.items()
}

LAYERS = [
    "nn.Dense(2, 3)",
    "nn.Dense(2, 3, activation=nn.PReLU())",
    "nn.Conv2d(2, 4, 3, has_bias=True, group=2)",
    "nn.Conv1d(2, 4, 3, has_bias=True)",
    "nn.Conv3d(2, 4, 3, has_bias=True)",
    "nn.Conv2dTranspose(2, 4, 3, has_bias=True)",
    "nn.Conv1dTranspose(2, 4, 3, has_bias=True)",
    "nn.Conv3dTranspose(2, 4, 3, has_bias=True)",
    "nn.BatchNorm1d(3)",
    "nn.BatchNorm2d(3)",
    "nn.BatchNorm2d(3, affine=False)",
    "nn.BatchNorm2d(3, use_batch_statistics=False)",
    "nn.BatchNorm3d(3)",
    "nn.SyncBatchNorm(3)",
    "nn.LayerNorm((3,))",
    "nn.LayerNorm((2, 3), 1, 1)",
    "nn.GroupNorm(2, 4)",
    "nn.GroupNorm(2, 4, affine=False)",
    "nn.InstanceNorm1d(3)",
    "nn.InstanceNorm2d(3)",
    "nn.InstanceNorm3d(3)",
    "nn.Embedding(5, 2)",
    "nn.EmbeddingLookup(5, 2)",
    "nn.MultiFieldEmbeddingLookup(5, 2, 3)",
    "nn.LSTM(2, 3)",
    "nn.LSTM(2, 3, 2, bidirectional=True)",
    "nn.LSTM(2, 3, has_bias=False)",
    "nn.GRU(2, 3, 2)",
    "nn.RNN(2, 3, bidirectional=True)",
    "nn.LSTMCell(2, 3)",
    "nn.GRUCell(2, 3)",
    "nn.RNNCell(2, 3)",
    "nn.PReLU(3)",
    "nn.PReLU()",
    "nn.MultiheadAttention(4, 2)",
    "nn.MultiheadAttention(4, 2, kdim=3, vdim=5)",
    "nn.TransformerEncoderLayer(4, 2, 8)",
    "nn.TransformerDecoderLayer(4, 2, 8)",
    "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)",
    "nn.Transformer(4, 2, 1, 1, 8)",
    "nn.BiDense(2, 3, 4)",
    "nn.SparseToDense()",
    "nn.Dropout(p=0.3)",
    "nn.CentralizedConv()",
    "nn.DenseThor(2, 3)",
    "nn.Conv2dThor(2, 4, 3)",
    "nn.EmbeddingThor(5, 2)",
    "nn.TimeDistributed(nn.Dense(2, 3), time_axis=1, reshape_with_axis=0)",
    "nn.SequentialCell(nn.BatchNorm2d(3), nn.LayerNorm((3,)))",
    "nn.SequentialCell(nn.LSTM(2, 3), nn.Embedding(5, 2))",
    "nn.SequentialCell(nn.SyncBatchNorm(3), nn.BatchNorm1d(2), nn.GroupNorm(2, 4), nn.InstanceNorm2d(3), nn.PReLU())",
    "nn.CrossEntropyLoss(weight=Tensor([1., 2.], ms.float32))",
    "nn.NLLLoss(weight=Tensor([1., 2.], ms.float32))",
    "nn.BCELoss()",
    "nn.BCEWithLogitsLoss()",
    "nn.SampledSoftmaxLoss(2, 3)",
    "nn.DistributedGradReducer(Deep().trainable_params())",
    "nn.DynamicLossScaleUpdateCell(1024, 2, 10)",
    "nn.FixedLossScaleUpdateCell(1024)",
    "nn.ExponentialDecayLR(0.1, 0.9, 4)",
]

OPTIMIZERS = [
    "nn.SGD(p(), 0.1)",
    "nn.SGD(p(), 0.1, momentum=0.9)",
    "nn.SGD(p(), 0.1, momentum=0.9, nesterov=True)",
    "nn.Momentum(p(), 0.1, 0.9)",
    "nn.Momentum(p(), 0.1, 0.9, weight_decay=0.1, loss_scale=2.0)",
    "nn.Adam(p())",
    "nn.Adam(p(), use_amsgrad=True)",
    "nn.Adam(p(), use_lazy=True)",
    "nn.AdamWeightDecay(p())",
    "nn.AdamOffload(p())",
    "nn.AdaMax(p())",
    "nn.Adagrad(p())",
    "nn.Adadelta(p())",
    "nn.RMSProp(p())",
    "nn.RMSProp(p(), centered=True)",
    "nn.FTRL(p())",
    "nn.LARS(nn.Momentum(p(), 0.1, 0.9))",
    "nn.Lamb(p(), 0.1)",
    "nn.LazyAdam(p())",
    "nn.ProximalAdagrad(p())",
    "nn.Rprop(p())",
    "nn.ASGD(p())",
    "nn.AdaFactor(p())",
    "nn.AdaFactor(p(), beta1=0.9)",
    "nn.AdaSumByGradWrapCell(nn.SGD(p(), 0.1))",
    "nn.AdaSumByDeltaWeightWrapCell(nn.SGD(p(), 0.1))",
    "nn.thor(Thor(), Tensor([0.1, 0.1]), Tensor([0.1, 0.1]), 0.9)",
    "nn.SGD(p(), [0.1, 0.2, 0.3])",
    "nn.Adam(p(), Tensor([0.1, 0.2], ms.float32))",
    "nn.Adam(p(), nn.ExponentialDecayLR(0.1, 0.9, 4))",
    "nn.Momentum(g(), 0.1, 0.9)",
    "nn.Adam(g(), 0.1)",
    "nn.Adam(g(lr=[0.1, 0.2]), 0.1)",
    "nn.AdamWeightDecay(g(weight_decay=0.1), 0.1)",
    "nn.Momentum(g(lr=nn.ExponentialDecayLR(0.1, 0.9, 4)), 0.1, 0.9)",
    "nn.SGD(g(order=True), 0.1, momentum=0.9)",
    "nn.Adam(g(order=True), 0.1)",
    "nn.Momentum(g(lr=0.5), [0.1, 0.2], 0.9)",
    "nn.SGD(g(grad_centralization=True), 0.1)",
    "nn.Adam(p(), weight_decay=nn.ExponentialDecayLR(0.1, 0.9, 4))",
    "nn.Adam([vector(2, 'a'), vector(3, 'b')], 0.1)",
    "nn.Adam(Leaf().get_parameters(), 0.1)",
    "nn.Adam([], 0.1)",
    "nn.Adam([vector(1, 'a'), vector(1, 'a')], 0.1)",
    "nn.Adam(p(), 'x')",
    "nn.Adam(p(), -0.1)",
    "nn.Momentum(p(), 0.1, -0.9)",
    "nn.Momentum(p(), 0.1, 2)",
    "nn.Adam(p(), beta1=2.0)",
    "nn.Adam(p(), weight_decay=-1.0)",
    "nn.SGD(p(), 0.1, nesterov=True)",
    "nn.Adam(p(), 1)",
    "nn.Adam(p(), learning_rate=Tensor(0.1))",
    "nn.Adam([Tensor([1.0])])",
    "nn.Adam([{'params': p(), 'foo': 1}])",
    "nn.Adam([{'lr': 0.1}])",
    "nn.Adam([{'params': []}])",
    "nn.Adam([{'params': p()}, {'params': p()}])",
    "nn.Adam(None)",
    "nn.Adam(p()[0])",
]


class Thor(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.DenseThor(2, 3)


class Small(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(2, 3)
        self.bn = nn.BatchNorm1d(3)
        self.fc2 = nn.Dense(3, 1)


def p():
    """The trainable Parameters of a small net."""
    return Small().trainable_params()


def g(order=False, **options):
    """The same in two groups: the biases first."""
    params = p()
    biases = [x for x in params if x.name.endswith("bias")]
    groups = [{"params": biases, **options}, {"params": [x for x in params if not x.name.endswith("bias")]}]
    return groups + [{"order_params": params}] if order else groups


NAMESPACE = {**globals(), "np": np, "ops": ops}


def about(params):
    return [[x.name, list(x.shape), str(x.dtype), bool(x.requires_grad)] for x in params]


def describe_net(net):
    """All lists of names that a Cell gives."""
    return {
        "parameters_and_names": [[n, *about([x])[0]] for n, x in net.parameters_and_names()],
        "get_parameters": [x.name for x in net.get_parameters()],
        "get_parameters(False)": [x.name for x in net.get_parameters(expand=False)],
        "trainable": [x.name for x in net.trainable_params()],
        "untrainable": [x.name for x in net.untrainable_params()],
        "parameters_dict": list(net.parameters_dict()),
        "parameters_dict(False)": list(net.parameters_dict(recurse=False)),
        "cells_and_names": [[n, type(c).__name__] for n, c in net.cells_and_names()],
        "name_cells": list(net.name_cells()),
        "param_prefix": [c.param_prefix for _, c in net.cells_and_names()],
        "bprop_debug": net.bprop_debug,
        "cls_name": net.cls_name,
        "training": net.training,
    }


def describe_optimizer(optimizer):
    """The state's names in order, and how the groups were read."""
    return {
        "state": about(optimizer.get_parameters()),
        "parameters": [x.name for x in optimizer.parameters],
        "dict": list(optimizer.parameters_dict()),
        "is_group": bool(getattr(optimizer, "is_group", False)),
        "is_group_lr": bool(getattr(optimizer, "is_group_lr", False)),
        "dynamic_lr": bool(getattr(optimizer, "dynamic_lr", False)),
        "learning_rate": type(optimizer.learning_rate).__name__,
        "weight_decay": str(getattr(optimizer, "weight_decay", None))[:60],
    }


def attempt(describe, build):
    """describe(build()), or the exception's type and first line."""
    try:
        return describe(build())
    except Exception as error:
        return ["!" + type(error).__name__, str(error).strip().split("\n")[0][:240]]


def collect():
    """Everything this module describes, as plain data."""
    return {
        "nets": {name: attempt(describe_net, build) for name, build in NETS.items()},
        "layers": {e: attempt(describe_net, lambda e=e: eval(e, NAMESPACE)) for e in LAYERS},
        "optimizers": {e: attempt(describe_optimizer, lambda e=e: eval(e, NAMESPACE)) for e in OPTIMIZERS},
    }
