"""One process with eight devices: programs give what one device gives, and state lies where it was told to."""

import os
import tempfile

import jax
import mindspore as ms
import numpy as np
from jax.sharding import Mesh, PartitionSpec
from mindspore import Layout, Parameter, Tensor, nn, ops

from msjax.core.lowered import lowered
from msjax.parallel import devices, exchange
from msjax.parallel.places import Place
from msjax.train.dataset_helper import run_steps

rng = np.random.default_rng(0)
X, Y = rng.normal(size=(32, 16)).astype(np.float32), rng.integers(0, 4, 32).astype(np.int32)
ms.set_context(mode=ms.GRAPH_MODE)


class Block(nn.Cell):
    """Two layers, split by columns, then by rows, as transformers are; dropout and BatchNorm between them."""

    def __init__(self, strategy=None):
        super().__init__()
        ms.set_seed(3)
        np.random.seed(3)
        self.up = Parameter(Tensor(rng_weights(16, 64)), name="up")
        self.down = Parameter(Tensor(rng_weights(64, 4)), name="down")
        self.norm, self.drop = nn.BatchNorm1d(64), nn.Dropout(p=0.2)
        self.first, self.second = ops.MatMul(), ops.MatMul()
        if strategy:
            data, model = strategy
            self.first.shard(((data, 1), (1, model)))
            self.second.shard(((data, model), (model, 1)), ((data, 1),))

    def construct(self, x):
        return self.second(self.drop(self.norm(self.first(x, self.up))), self.down)


def rng_weights(*shape):
    return np.random.default_rng(5).normal(size=shape).astype(np.float32) * 0.1


def losses(strategy=None, steps=3, **parallel):
    ms.reset_auto_parallel_context()
    ms.set_auto_parallel_context(**parallel)
    net = Block(strategy)
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer).set_train()
    found = [float(step(Tensor(X), Tensor(Y)).asnumpy()) for _ in range(steps)]
    ms.reset_auto_parallel_context()
    return found, step, optimizer


ms.set_devices(1)
one, one_step, _ = losses()
following = [one_step(Tensor(X), Tensor(Y)).asnumpy() for _ in range(2)]
ms.set_devices("all")
all_devices, step, _ = losses()
np.testing.assert_allclose(all_devices, one, rtol=1e-5)
np.testing.assert_allclose(run_steps(step, [(X, Y)] * 2).asnumpy(), following[1], rtol=1e-5)
print("replicated: as one device")

# --- semi-automatic: the weights stay in parts, forward and in the update
FILE = os.path.join(tempfile.mkdtemp(), "strategy.ckpt")
lies, put = [], devices.Start._input
devices.Start._input = lambda start, array, sharding: lies.append(sharding.spec) or put(start, array, sharding)
split, step, optimizer = losses((2, 4), parallel_mode="semi_auto_parallel", strategy_ckpt_config={"save_file": FILE})
devices.Start._input = put
assert {spec[0] for spec in lies} == {"axis0"}, lies  # x as its first product takes it; y, of as many rows, likewise
np.testing.assert_allclose(split, one, rtol=1e-5)
net = step.network
up = {p.name: p for p in net.get_parameters()}["up"]
assert up._raw.sharding.shard_shape(up.shape) == (16, 16), up._raw.sharding
moment = next(p for p in optimizer.get_parameters() if p.name.endswith("moment1.up"))
assert moment._raw.sharding.shard_shape(moment.shape) == (16, 16)
assert up.asnumpy().shape == (16, 64) and (up + 1).shape == (16, 64)  # eager code sees the whole
layout = ms.build_searched_strategy(FILE)["up"]
assert (layout.dev_matrix[0].dim, layout.tensor_map[0].dim) == ([2, 1, 4, 1], [-1, 1]), layout
_, step, _ = losses(
    steps=1, parallel_mode="semi_auto_parallel", strategy_ckpt_load_file=FILE
)  # no strategy but the file's
up = {p.name: p for p in step.network.get_parameters()}["up"]
assert up._raw.sharding.shard_shape(up.shape) == (16, 16), up._raw.sharding
print("strategies: as one device, weights in parts")


# --- products by columns: each device computes its own, whatever the next operator wants; weights that are loaded lie as those before them
class Columns(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(64, 64, has_bias=False) for _ in range(3)])
        for layer in self.layers:
            layer.matmul.shard(((1, 1), (8, 1)))
        self.conv, self.whole = nn.Conv2d(1, 16, 3), ops.ReLU().shard(((1, 1, 1, 1),))
        self.conv.conv2d.shard(((1, 1, 1, 1), (8, 1, 1, 1)))

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x, self.whole(self.conv(x.reshape(8, 1, 8, 8)))


ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
columns, given = Columns(), Tensor(rng_weights(8, 64))
wanted = given.asnumpy()
for layer in columns.layers:
    wanted = wanted @ layer.weight.asnumpy().T
np.testing.assert_allclose(columns(given)[0].asnumpy(), wanted, rtol=1e-4, atol=1e-6)
entry = columns.entry_for(given)
start = getattr(entry.program.run, "inner", entry.program.run)
text = lowered(start, *entry.state.shapes(), [given.jax_array], ()).compile().as_text()
assert "f32[8,64]" in text and "f32[64,64]" not in text, text
assert "f32[2,1,3,3]" in text and "f32[16,1,3,3]" not in text, text
ms.save_checkpoint(columns, FILE)
ms.load_checkpoint(FILE, columns)
assert columns.layers[0].weight._raw.sharding.shard_shape((64, 64)) == (8, 64)
np.testing.assert_allclose(columns(given)[0].asnumpy(), wanted, rtol=1e-4, atol=1e-6)
ms.reset_auto_parallel_context()
print("columns: as NumPy, no weight is gathered")

# --- ZeRO: each device holds an eighth of the state, level 3 of the weights too
for level, weights in (("level3", 64 // 8),):
    config = {"parallel_optimizer_threshold": 0, "optimizer_level": level}
    found, step, optimizer = losses(enable_parallel_optimizer=True, parallel_optimizer_config=config)
    np.testing.assert_allclose(found, one, rtol=1e-5)
    moments = [p for p in optimizer.get_parameters() if "moment" in p.name and p.name.endswith("down")]
    assert [p._raw.sharding.shard_shape(p.shape) for p in moments] == [(8, 4)] * len(moments) and moments
    down = next(p for p in step.network.get_parameters() if p.name == "down")
    assert down._raw.sharding.shard_shape(down.shape)[0] == weights, level
print("sharded state: as one device, in eighths")

# --- layouts and functions
layout = Layout((2, 4), ("dp", "mp"))


@ms.jit
def placed(x, w):
    return ops.reshard(x, layout("dp", "None")) @ ops.reshard(w, layout("None", "mp"))


np.testing.assert_allclose(
    placed(Tensor(X), Tensor(rng_weights(16, 64))).asnumpy(), X @ rng_weights(16, 64), rtol=1e-5, atol=1e-6
)
product = ms.shard(lambda x, w: ops.matmul(x, w), ((2, 1), (1, 4)), ((2, 4),))
np.testing.assert_allclose(
    ms.jit(product)(Tensor(X), Tensor(rng_weights(16, 64))).asnumpy(), X @ rng_weights(16, 64), rtol=1e-5, atol=1e-6
)
block = nn.SequentialCell(nn.Dense(16, 64), nn.ReLU(), nn.Dense(64, 4))
plain = block(Tensor(X)).asnumpy()
block[0].shard(((2, 1),), ((2, 4),), {"self.0.weight": (4, 1), "0.bias": Layout((2, 4), ("dp", "mp"))("mp")})
for _ in range(2):  # what it compiled before does not hold any more
    np.testing.assert_allclose(block(Tensor(X)).asnumpy(), plain, rtol=1e-5, atol=1e-6)
laid = {p.name: p._raw.sharding.shard_shape(p.shape) for p in block.get_parameters()}
assert laid == {"0.weight": (16, 16), "0.bias": (16,), "2.weight": (4, 64), "2.bias": (4,)}, laid
print("layouts: as written")

# --- collectives over groups of unequal size, forward and gradient, against NumPy
mesh = Mesh(np.array(jax.devices()), ("rank",))
GROUPS = ((0, 1, 2), (3, 7, 4, 5, 6))
EVEN = ((0, 2, 4, 6), (7, 5, 3, 1))
V = rng.normal(size=(8, 8)).astype(np.float32)


def on_all(fns, groups):
    """For each function its value and gradient on all eight, for the cotangent rank + 1."""

    def all_of(row):
        place, out = Place(groups[0], groups, inside=True), []
        for fn in fns:
            value, pull = jax.vjp(lambda r, fn=fn: fn(r, place), row[0])
            (gradient,) = pull(value * 0 + 1 + jax.lax.axis_index("rank"))
            out += [value[None], gradient[None]]
        return out

    spec = PartitionSpec("rank")
    return [
        np.asarray(g)
        for g in jax.jit(jax.shard_map(all_of, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False))(V)
    ]


REDUCTIONS = {"sum": np.sum, "max": np.max, "min": np.min}
SAME = [lambda r, place, name=name: exchange.all_reduce(r, name, place) for name in REDUCTIONS]
SAME.append(lambda r, place: exchange.broadcast(r, 1, place))
MOVING = [
    exchange.all_gather,
    lambda r, place: exchange.reduce_scatter(r, "sum", place),
    lambda r, place: exchange.all_to_all(r, 0, 0, place),
]
for groups, fns in ((GROUPS, SAME), (EVEN, SAME + MOVING)):
    found = on_all(fns, groups)
    for group in map(list, groups):
        rows, cotangent = V[group], sum(r + 1 for r in group)
        for (name, reduce), value, gradient in zip(REDUCTIONS.items(), found[::2], found[1::2]):
            np.testing.assert_allclose(value[group], [reduce(rows, 0)] * len(group), rtol=1e-5, atol=1e-6)
            chosen = True if name == "sum" else rows == reduce(rows, 0)
            np.testing.assert_allclose(gradient[group], np.where(chosen, cotangent, 0.0) + 0 * rows, rtol=1e-5)
        np.testing.assert_array_equal(found[6][group], [V[group[1]]] * len(group))
        if fns is SAME:
            continue
        np.testing.assert_array_equal(found[8][group[0]], rows.reshape(-1))
        np.testing.assert_allclose(found[9][group[0]], np.full(8, cotangent))
        np.testing.assert_allclose(found[10][group].reshape(-1), rows.sum(0), rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(found[12][group].reshape(4, 4, 2), rows.reshape(4, 4, 2).swapaxes(0, 1))
print("collectives: as NumPy")
