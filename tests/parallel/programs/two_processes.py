"""Two processes: collectives as NumPy computes them, eager and compiled, with gradients; data parallel as one process."""

import os

import mindspore as ms
import numpy as np
from mindspore import Tensor, mint, nn, ops
from mindspore.communication import comm_func, create_group, get_group_size, get_local_rank, get_rank, init
from mindspore.train import Callback

init()
RANK, SIZE = get_rank(), get_group_size()
assert (SIZE, get_local_rank()) == (2, RANK)
OTHER = 1 - RANK
ROWS = [np.arange(4, dtype=np.float32) + r for r in range(SIZE)]
MINE = ROWS[RANK]


def check(what, got, wanted):
    np.testing.assert_allclose(got.asnumpy(), wanted, rtol=1e-5, err_msg=f"{what} on rank {RANK}")


def collectives(x):
    """(name, operator on a Tensor, its result, the gradient for a cotangent of rank + 1)"""
    whole, total = np.concatenate(ROWS), sum(ROWS)
    part = slice(2 * RANK, 2 * RANK + 2)
    yield "AllReduce", ops.AllReduce(), total, np.full(4, 3.0)
    yield "AllReduce max", ops.AllReduce("max"), ROWS[1], np.full(4, 3.0 * RANK)
    yield "AllGather", ops.AllGather(), whole, np.full(4, 3.0)
    yield "ReduceScatter", ops.ReduceScatter(), total[part], [1, 1, 2, 2]
    yield "Broadcast", lambda x: ops.Broadcast(1)((x,))[0], ROWS[1], np.full(4, RANK + 1.0)
    turned = np.concatenate([row[part] for row in ROWS])
    yield "AlltoAll", ops.AlltoAll(2, 0, 0), turned, [1, 1, 2, 2]
    neighbour = ops.NeighborExchange([OTHER], [OTHER], ([4],), ([4],), ms.float32)
    yield "NeighborExchange", lambda x: neighbour((x,))[0], ROWS[OTHER], np.full(4, OTHER + 1.0)
    sizes = [[1, 3], [2, 2]]  # [from][to]
    uneven = np.concatenate([row[sum(sizes[i][:RANK]) :][: sizes[i][RANK]] for i, row in enumerate(ROWS)])
    back = np.repeat([1.0, 2.0], sizes[RANK])
    columns = [row[RANK] for row in sizes]
    yield "AlltoAllV", lambda x: ops.AlltoAllV()(x, sizes[RANK], columns), uneven, back


def one_way(x):
    """A message from 0 to 1 in programs that differ."""
    if RANK == 0:
        ops.Send(0, 1)(x * 3)
        return x
    return ops.Receive(0, 0, [4], ms.float32)()


cases = list(collectives(MINE))


def everything(x):
    return [operator(x) for _, operator, _, _ in cases]


for (name, _, wanted, _), got in zip(cases, ms.jit(everything)(Tensor(MINE))):
    check(f"compiled {name}", got, wanted)
both = [(operator, np.asarray(gradient)) for _, operator, _, gradient in cases]
total = ms.jit(ms.grad(lambda x: sum((10.0**-i * op(x) * (RANK + 1)).sum() for i, (op, _) in enumerate(both))))(
    Tensor(MINE)
)
check("compiled gradients", total, sum(10.0**-i * gradient for i, (_, gradient) in enumerate(both)))
eager = cases if os.environ.get("MSJAX_TEST_ALL") else [cases[0], cases[2], cases[6]]
for name, operator, wanted, gradient in eager:
    check(f"eager {name}", operator(Tensor(MINE)), wanted)
    pull = ms.grad(lambda x, operator=operator: (operator(x) * (RANK + 1)).sum())
    check(f"gradient of eager {name}", pull(Tensor(MINE)), gradient)
check("Send", ms.jit(one_way)(Tensor(MINE)), ROWS[0] * 3 if RANK else MINE)

tensor = Tensor(MINE)
handle = mint.distributed.all_reduce(tensor, async_op=True)
handle.wait()
check("all_reduce", tensor, sum(ROWS))
gathered = [None] * SIZE
mint.distributed.all_gather_object(gathered, {"rank": RANK, "text": "x" * RANK})
assert gathered == [{"rank": 0, "text": ""}, {"rank": 1, "text": "x"}]
create_group("alone", [RANK])
check("a group of one", comm_func.all_reduce(Tensor(MINE), group="alone")[0], MINE)
print("collectives: as NumPy", flush=True)

# --- data parallel: the losses of one process on the whole batch
ms.set_context(mode=ms.GRAPH_MODE)
rng = np.random.default_rng(0)
X, Y = rng.normal(size=(6, 16, 3, 4, 4)).astype(np.float32), rng.integers(0, 4, (6, 16)).astype(np.int32)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm, self.flat, self.dense = nn.SyncBatchNorm(3), nn.Flatten(), nn.Dense(48, 4)

    def construct(self, x):
        return self.dense(self.flat(self.norm(x)))


class Losses(Callback):
    def __init__(self):
        self.seen = []

    def on_train_step_end(self, run_context):
        out = run_context.original_args().net_outputs
        self.seen.append(float((out[0] if isinstance(out, tuple) else out).asnumpy()))


def train(part, seed, alone=False, **options):
    """Losses of the steps; `part` is the slice of each batch that this process has."""
    ms.set_seed(seed)
    net = Net()
    if alone:
        net.norm = nn.BatchNorm2d(3)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    data = ms.dataset.GeneratorDataset([(x[part], y[part]) for x, y in zip(X, Y)], ["x", "y"], shuffle=False)
    callback = Losses()
    ms.Model(net, nn.CrossEntropyLoss(), optimizer, **options).train(2, data, callbacks=callback)
    return callback.seen


scaled = {"loss_scale_manager": ms.DynamicLossScaleManager(1024, 2, 100)}
alone = train(slice(None), 1, alone=True)
sharded = {"enable_parallel_optimizer": True, "parallel_optimizer_config": {"parallel_optimizer_threshold": 0}}
for extra, options in (({}, {}), (sharded, scaled)):
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, parameter_broadcast=True, **extra)
    half = train(slice(8 * RANK, 8 * RANK + 8), 1 + RANK, **options)  # the broadcast makes the seeds alike
    ms.reset_auto_parallel_context()
    mean = comm_func.all_reduce(Tensor(np.array(half, np.float32)))[0].asnumpy() / SIZE
    np.testing.assert_allclose(mean, alone, rtol=1e-4)
print("data parallel: as one process", flush=True)
