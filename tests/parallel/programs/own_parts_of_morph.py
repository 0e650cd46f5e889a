"""A function of a user's own that each of eight devices runs with its parts: `ops.Morph` with Layouts, collectives and the rank's number.

With an argument: in two stages of four devices, by a step that reads `accu_grads`.
"""

import os
import sys

os.environ["MSJAX_AS_RANKS"] = "1"

import mindspore as ms
import numpy as np
from mindspore import Layout, Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.communication import create_group, get_group_size, get_rank, init

ms.set_context(mode=ms.GRAPH_MODE)
init()
rng = np.random.default_rng(0)
WORDS, WIDTH, DP, TP = 16, 8, 2, 2 if len(sys.argv) > 1 else 4
IDS = rng.integers(0, WORDS, (8, 6)).astype(np.int32)
TABLE, WEIGHT = (rng.normal(size=s).astype(np.float32) * 0.1 for s in ((WORDS, WIDTH), (WIDTH, WIDTH)))
lay = Layout((DP, TP), ("dp", "tp"))


def own_group():
    """The name of the group of the ranks along "tp" that this rank is in."""
    first = get_rank() // TP * TP
    create_group(f"tp of {first}", list(range(first, first + TP)))
    return f"tp of {first}"


def morph(own, shape, strategies):
    """A function of a user's own over the parts of each device."""
    made = ops.Morph(own, shape, lambda x, w: w).add_prim_attr("self_define_shard", True)
    return made.shard(in_strategy=strategies, out_strategy=(lay("dp", "None", "None"),))


class Embedding(nn.Cell):
    """The rows of a table that is split by words: each device looks up its own, and the sum over the group has all."""

    def __init__(self, split):
        super().__init__()
        self.table, self.split = Parameter(TABLE.copy(), name="table"), split
        if not split:
            return
        self.group = own_group()
        self.start, self.count = get_rank() % TP * (WORDS // TP), WORDS // TP
        self.look = morph(self.own, lambda i, w: [*i, w[-1]], (lay("dp", "None"), lay("tp", "None")))

    def own(self, ids, table):
        assert ids.shape == (len(IDS) // MICRO // DP, 6) and table.shape == (WORDS // TP, WIDTH)
        ids = ids - self.start
        inside = ops.logical_and(ids >= 0, ids < self.count)
        rows = ops.gather(table, ops.clamp(ids, 0, self.count - 1), 0) * inside.expand_dims(-1).astype(ms.float32)
        return ops.AllReduce(group=self.group)(rows)

    def construct(self, ids):
        return self.look(ids, self.table) if self.split else ops.gather(self.table, ids, 0)


class Net(nn.Cell):
    def __init__(self, split):
        super().__init__()
        self.embedding, self.layers = Embedding(split), nn.CellList([Layer(i, split) for i in range(2)])
        self.embedding.pipeline_stage, self.layers[0].pipeline_stage, self.layers[1].pipeline_stage = 0, 0, 1

    def construct(self, ids):
        x = self.embedding(ids)
        for layer in self.layers:
            x = layer(x)
        return ops.square(x).sum()


class Layer(nn.Cell):
    """A product whose weight is split by rows: each device has a part of the sum."""

    def __init__(self, number, split):
        super().__init__()
        self.weight, self.split = Parameter(WEIGHT * (number + 1), name=f"weight{number}"), split
        if split:
            self.group = own_group()
            self.product = morph(self.own, lambda x, w: x, (lay("dp", "None", "tp"), lay("tp", "None")))

    def own(self, x, weight):
        return ops.AllReduce(group=self.group)(ops.matmul(x, weight))

    def construct(self, x):
        return x + ops.tanh(self.product(x, self.weight) if self.split else ops.matmul(x, self.weight))


class Step(nn.Cell):
    """As programs for MindSpore write it: the gradients are those that were added to `accu_grads`."""

    def __init__(self, net, optimizer, accumulated):
        super().__init__(auto_prefix=False)
        self.network, self.optimizer, self.weights = net, optimizer, optimizer.parameters
        self.accumulated, self.grad = accumulated, ops.GradOperation(get_by_list=True)
        self.accu_grads = ParameterTuple(self.weights).clone(prefix="accu_grads", init="zeros")

    def construct(self, ids):
        loss = self.network(ids)
        grads = self.grad(self.network, self.weights)(ids)
        if self.accumulated:
            grads = tuple(ops.depend(a, g) * 1.0 for a, g in zip(self.accu_grads, grads))
            for a in self.accu_grads:
                ops.assign(a, ops.zeros_like(a))
        return ops.depend(loss, self.optimizer(grads)), grads


def trained(split):
    net = Net(split)
    if split and MICRO > 1:
        net = nn.PipelineCell(net, MICRO)
    step = Step(net, nn.SGD(net.trainable_params(), 0.05), split and MICRO > 1).set_train()
    results = [step(Tensor(IDS)) for _ in range(3)]
    return [float(loss.asnumpy()) for loss, _ in results], [g.asnumpy() for g in results[0][1]]


MICRO = 1
losses, grads = trained(False)
assert get_group_size() == 8 and get_rank() == 0
MICRO = 4 if len(sys.argv) > 1 else 1
stages = {"pipeline_stages": 2} if MICRO > 1 else {}
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, full_batch=True, **stages)
split_losses, split_grads = trained(True)
np.testing.assert_allclose(split_losses, losses, rtol=1e-5)
for one, other in zip(split_grads, grads):
    np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
print("as one device")
