"""Values of 64 bits through whatever makes, moves or stores arrays; `test_guest.py` runs this in a process of msjax's own and in a host's."""

import copy
import pickle
import tempfile

import mindspore as ms
import mindspore.dataset as ds
import mindspore.experimental.optim as experimental
import mindspore.numpy as mnp
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops

import msjax

LARGE = 2**40
X, Y = Tensor(np.ones((2, 2))), Tensor(np.zeros((2, 2)))


def show(what, *values):
    print(what, *[(str(v.dtype), v.asnumpy().tolist()) if isinstance(v, Tensor) else v for v in values])


def dense():
    return nn.Dense(2, 2, weight_init="ones", bias_init="zeros", dtype=ms.float64)


class State(nn.Cell):
    """A count of 64 bits and a sum."""

    def __init__(self):
        super().__init__()
        self.count = Parameter(Tensor([LARGE], ms.int64), "count", requires_grad=False)
        self.sum = Parameter(Tensor([1.1], ms.float64), "sum")

    def construct(self, x, y):
        self.count += y.sum()
        self.sum += x.sum()
        return self.sum + 0


def optimizers():
    for name in ("Adam", "SGD", "RMSProp", "Lamb", "FTRL", "AdaFactor"):
        net = dense()
        fixed = {"relative_step": False, "scale_parameter": False} if name == "AdaFactor" else {}
        optimizer = getattr(nn, name)(net.trainable_params(), learning_rate=0.1, **fixed)
        show(name, nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)(X, Y), net.weight)
        print([(p.name, str(p.dtype)) for p in optimizer.get_parameters()])
    for module in (mint.optim, experimental):
        net = dense()
        optimizer = module.AdamW(net.trainable_params(), lr=0.1)
        loss, gradients = ms.value_and_grad(lambda x, y: ((net(x) - y) ** 2).mean(), None, net.trainable_params())(X, Y)
        optimizer(gradients)
        show(module.__name__, loss, net.weight)


def batches():
    rows = {"x": np.arange(8.0).reshape(4, 2) + 2**30, "y": np.array([LARGE, 1, 2, 3])}
    return ds.NumpySlicesDataset(rows, shuffle=False).batch(2)


def training():
    for sink in (True, False):
        net = State()
        ms.Model(net).train(2, batches(), dataset_sink_mode=sink)
        show("train", net.count, net.sum)
    net = State()
    show("data_sink", ms.data_sink(net, batches(), sink_size=2)(), net.count)
    for row in batches().create_tuple_iterator(num_epochs=1):
        show("row", *row)


def files():
    folder, net = tempfile.mkdtemp(), State()
    for format in ("ckpt", "safetensors"):
        ms.save_checkpoint(net, f"{folder}/a.{format}", format=format)
        found = ms.load_checkpoint(f"{folder}/a.{format}", format=format)
        other = State()
        other.count.set_data(Tensor([0], ms.int64))
        ms.load_param_into_net(other, found)
        show(format, found["count"], found["sum"], other.count, other.sum)
    ms.save_checkpoint(net, f"{folder}/b.ckpt", append_dict={"epoch": LARGE})
    show("append_dict", ms.load_checkpoint(f"{folder}/b.ckpt")["epoch"])
    msjax.save_run(f"{folder}/run", net)
    other = State()
    other.count.set_data(Tensor([0], ms.int64))
    msjax.load_run(f"{folder}/run", other)
    show("run", other.count, other.sum)
    ms.export(dense(), X, file_name=f"{folder}/net", file_format="MINDIR")
    show("export", nn.GraphCell(ms.load(f"{folder}/net.mindir"))(X))


def tensors():
    large, box = Tensor([LARGE]), Parameter(Tensor([1], ms.int64), name="box")
    show(
        "made",
        Tensor.from_numpy(np.array([LARGE])),
        ops.arange(3),
        mnp.full(2, LARGE, ms.int64),
        mint.ones(2, dtype=ms.float64),
    )
    show(
        "copies",
        pickle.loads(pickle.dumps(large)),
        copy.deepcopy(large),
        Parameter(large, name="p"),
        large.astype(ms.float64),
    )
    box.set_data(large)
    ops.assign_add(box, Tensor([1]))
    box[0] += 1
    show("written", box)
    show("unique", *ops.unique(Tensor([LARGE, 1, LARGE])))
    show("init", ms.common.initializer.initializer(ms.common.initializer.Constant(2**33), [1], ms.int64).init_data())
    show("sparse", ms.COOTensor(Tensor([[0, 1]], ms.int64), Tensor([1.5], ms.float64), (2, 2)).to_dense())
    half = Tensor([1.5], ms.float64)
    show(
        "gradients",
        ms.grad(lambda x: (x**2).sum())(half),
        *ms.jvp(lambda x: x * 2, half, half),
        ms.jacrev(lambda x: x * 2)(half),
    )
    show("loop", ops.ForiLoop()(0, 3, lambda i, x: x + i, Tensor(LARGE)))


for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
    ms.set_context(mode=mode)
    optimizers()
    training()
    files()
    tensors()
