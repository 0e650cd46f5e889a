"""One process with eight devices: layers whose operators have strategies, and weights behind casts and transposes, lie in parts."""

import io
import logging

import jax
import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

from msjax.core.values.deferred import Deferred

ms.set_context(mode=ms.GRAPH_MODE)
rng = np.random.default_rng(0)
IDS, IMAGES = (
    Tensor(rng.integers(0, 16, (8, 4)).astype(np.int32)),
    Tensor(rng.normal(size=(8, 4, 8, 8)).astype(np.float32)),
)


class Words(nn.Cell):
    def __init__(self, cut):
        super().__init__()
        self.table, self.up, self.down = nn.Embedding(16, 8), nn.Dense(8, 32, activation="relu"), nn.Dense(32, 8)
        self.norm, self.drop, self.softmax = nn.LayerNorm((8,)), nn.Dropout(p=0.1), nn.Softmax()
        if cut:
            self.table.gather.shard(((4, 1), (2,)))
            self.up.matmul.shard(((2, 1), (4, 1)))
            self.up.bias_add.shard(((2, 4), (4,)))
            self.down.matmul.shard(((2, 4), (1, 4)))
            self.norm.layer_norm.shard(((2, 1, 1), (1,), (1,)))
            self.drop.dropout.shard(((2, 1, 1),))
            self.softmax.softmax.shard(((2, 1, 1),))

    def construct(self, x):
        return self.softmax(self.drop(self.norm(self.down(self.up(self.table(x))))))


class Pictures(nn.Cell):
    def __init__(self, cut):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(4, 8, 3, has_bias=True), nn.BatchNorm2d(8)
        self.pool, self.line = nn.MaxPool2d(2, 2), nn.Conv1d(8, 8, 3)
        if cut:
            self.conv.conv2d.shard(((2, 1, 1, 1), (4, 1, 1, 1)))
            self.conv.bias_add.shard(((2, 4, 1, 1), (4,)))
            self.norm.bn_train.shard(((2, 4, 1, 1), (4,), (4,), (4,), (4,)))
            self.pool.max_pool.shard(((2, 1, 1, 1),))
            self.line.conv2d.shard(((2, 1, 1, 1), (4, 1, 1, 1)))

    def construct(self, x):
        x = self.pool(self.norm(self.conv(x)))
        return self.line(x.reshape(x.shape[0], 8, -1))


class Half(nn.Cell):
    """Weights that are cast, and one that is transposed, before the product that has the strategy."""

    def __init__(self, cut):
        super().__init__()
        self.up = Parameter(Tensor(rng_of(1).normal(size=(32, 8)).astype(np.float32)), name="up")
        self.down = Parameter(Tensor(rng_of(2).normal(size=(8, 32)).astype(np.float32)), name="down")
        self.first, self.second, self.cast = ops.MatMul(transpose_b=True), ops.MatMul(), ops.Cast()
        if cut:
            self.first.shard(((2, 1), (4, 1)))
            self.second.shard(((2, 4), (4, 1)))

    def construct(self, x):
        x = self.first(self.cast(x.reshape(8, -1)[:, :8], ms.bfloat16), self.cast(self.up, ms.bfloat16))
        return self.cast(self.second(x, self.cast(self.down, ms.bfloat16).T), ms.float32)


def rng_of(seed):
    return np.random.default_rng(seed)


def train(devices, kind, x, **parallel):
    """(losses, {name: the part of a device} of Parameters and state)"""
    ms.reset_auto_parallel_context()
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True, **parallel)
    ms.set_devices(devices)
    ms.set_seed(2)
    np.random.seed(0)
    net = kind(devices > 1).set_train()
    target = Tensor(np.zeros(net(x).shape, np.float32))
    optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    losses = [float(step(x, target).asnumpy()) for _ in range(3)]
    return losses, {p.name: p._raw.sharding.shard_shape(p.shape) for p in step.get_parameters()}


def check(kind, x, wanted, rtol=1e-5, **parallel):
    one, _ = train(1, kind, x)
    several, parts = train(8, kind, x, **parallel)
    np.testing.assert_allclose(several, one, rtol=rtol)
    assert {name: parts[name] for name in wanted} == wanted, parts


check(
    Words,
    IDS,
    {
        "table.embedding_table": (4, 8),
        "up.weight": (8, 8),
        "up.bias": (8,),
        "down.weight": (8, 8),
        "moments.up.weight": (8, 8),
    },
)


class Tied(nn.Cell):
    """A table that gives the words, by Gather, and takes them back, by MatMul: both split it alike, though other axes repeat its parts."""

    def __init__(self, cut):
        super().__init__()
        self.table = Parameter(Tensor(rng_of(3).normal(size=(16, 8)).astype(np.float32)), name="table")
        self.gather, self.product = ops.Gather(), ops.MatMul(transpose_b=True)
        if cut:
            self.gather.shard(((4, 1), (2, 1)))
            self.product.shard(((2, 1), (4, 1)))

    def construct(self, x):
        return self.product(self.gather(self.table, x, 0).reshape(-1, 8), self.table)


check(Tied, IDS, {"table": (4, 8), "moments.table": (4, 8)})
check(
    Pictures, IMAGES, {"conv.weight": (2, 4, 3, 3), "conv.bias": (2,), "norm.gamma": (2,), "line.weight": (2, 8, 1, 3)}
)
print("layers: as one device")
ZERO = {"enable_parallel_optimizer": True}
NONE = {"parallel_optimizer_threshold": 0}
check(Half, IMAGES, {"up": (8, 8), "down": (8, 8), "moments.up": (8, 8)}, 2e-2)
check(Half, IMAGES, {"up": (8, 8), "moments.up": (8, 4)}, 2e-2, parallel_optimizer_config=NONE, **ZERO)
check(
    Half,
    IMAGES,
    {"up": (8, 4), "down": (4, 8), "moments.down": (4, 8)},
    2e-2,
    parallel_optimizer_config={**NONE, "optimizer_level": "level3"},
    **ZERO,
)
print("casts and optimizer state: as one device")

# --- born in parts: no device ever has a whole weight, nor its state
made = []
make_array = jax.device_put
jax.device_put = lambda x, *where, **more: made.append(getattr(x, "shape", ())) or make_array(x, *where, **more)
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True)
ms.set_devices(8)
np.random.seed(7)
net = nn.Dense(72, 56)
net.matmul.shard(((1, 1), (8, 1)))
optimizer = nn.Adam(net.trainable_params(), 0.1)
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
x = Tensor(rng.normal(size=(8, 72)).astype(np.float32))
for _ in range(2):
    step(x, Tensor(np.zeros((8, 56), np.float32)))
assert (56, 72) not in made
lies = {p.name: p._raw.sharding.shard_shape(p.shape) for p in step.get_parameters() if p.shape == (56, 72)}
assert len(lies) == 3 and set(lies.values()) == {(7, 72)}, lies
jax.device_put = make_array

# --- what is loaded into a network that has run lies as it lay before the next step
net.weight.set_data(Tensor(np.ones((56, 72), np.float32)))
step(x, Tensor(np.zeros((8, 56), np.float32)))
assert net.weight._raw.sharding.shard_shape((56, 72)) == (7, 72), net.weight._raw.sharding
np.random.seed(7)
with nn.no_init_parameters():
    same = nn.Dense(72, 56)
assert all(type(Tensor._data.__get__(p)) is Deferred for p in same.get_parameters())
ms.set_devices(1)
ms.reset_auto_parallel_context()
np.random.seed(7)
one = nn.Dense(72, 56)
np.testing.assert_array_equal(same.weight.asnumpy(), one.weight.asnumpy())
print("born in parts")

# --- operators whose strategy is one of their result, and layouts with parts within a device
ms.set_devices(8)
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True)
layout = ms.Layout((2, 4, 2), ("dp", "mp", "interleaved_parallel"))


class Others(nn.Cell):
    def __init__(self):
        super().__init__()
        self.one_hot = ops.OneHot().shard(((2, 4), (), ()))
        self.add = ops.Add().shard(
            (layout("dp", ("mp", "interleaved_parallel")), layout("dp", ("mp", "interleaved_parallel")))
        )

    def construct(self, ids):
        made = self.one_hot(ids, 8, Tensor(1.0), Tensor(0.0))
        return ms.reshard(self.add(made, made), layout("dp", "None"))


ids = np.arange(8) % 5
np.testing.assert_array_equal(Others()(Tensor(ids.astype(np.int32))).asnumpy(), 2 * np.eye(8, dtype=np.float32)[ids])
print("one-hot, layouts: as one device")

# --- a weight that its strategy leaves whole comes out under another name of the same place: no reason to compile again
net = nn.Dense(16, 8)
net.matmul.shard(((8, 1), (1, 1)))
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params())).set_train()
given = Tensor(np.ones((8, 16), np.float32)), Tensor(np.ones((8, 8), np.float32))
heard = io.StringIO()
logging.getLogger("jax").addHandler(logging.StreamHandler(heard))
step(*given)
with jax.log_compiles():
    step(*given).asnumpy()
assert "TrainOneStepCell" not in heard.getvalue(), heard.getvalue()
print("second step: no new program")


# --- what MindSpore computes while it compiles: strategies of operators on constants are not looked at
class Places(nn.Cell):
    def __init__(self):
        super().__init__()
        self.places, self.tile = Tensor(np.arange(4, dtype=np.int32)), ops.Tile().shard(((2,),))

    def construct(self, x):
        return x + self.tile(self.places, (x.shape[0], 1))


class Tiled(Places):
    def construct(self, x):
        return self.tile(x, (1, 2))


x = Tensor(np.ones((8, 4), np.float32))
assert Places()(x).asnumpy().tolist() == [[1, 2, 3, 4]] * 8
try:
    Tiled()(x)
except RuntimeError as error:
    assert "Tile" in str(error)
else:
    raise AssertionError("the strategy of another length was taken")
print("constants")
