"""A mixture of experts whose tokens go to the devices of their experts, as programs for MindSpore write it: `AlltoAllV` in an `ops.Morph`.

How many go where the program computes. Two groups of four devices, eight experts, some of which get no token.
"""

import os

os.environ["MSJAX_AS_RANKS"] = "1"

import mindspore as ms
import numpy as np
from mindspore import Layout, Parameter, Tensor, nn, ops
from mindspore.communication import create_group, get_rank, init

ms.set_context(mode=ms.GRAPH_MODE)
init()
rng = np.random.default_rng(0)
TOKENS, WIDTH, HIDDEN, EXPERTS, CHOICES, DP, EP = 64, 8, 6, 8, 2, 8, 4
X = rng.normal(size=(TOKENS, WIDTH)).astype(np.float32)
ROUTER = rng.normal(size=(WIDTH, EXPERTS)).astype(np.float32)
FIRST = rng.normal(size=(EXPERTS, WIDTH, HIDDEN)).astype(np.float32) * 0.3
SECOND = rng.normal(size=(EXPERTS, HIDDEN, WIDTH)).astype(np.float32) * 0.3
lay = Layout((2, EP), ("outer", "ep"))


class Experts(nn.Cell):
    """Tokens (N, width), their experts (N, k) and the weights of these: each token's sum over its experts."""

    def __init__(self, split):
        super().__init__()
        self.first, self.second = Parameter(FIRST.copy(), name="first"), Parameter(SECOND.copy(), name="second")
        self.run = self.here
        if split:
            self.group = "experts"
            create_group(self.group, list(range(EP)))
            rows = lay(("outer", "ep"), "None")
            self.run = ops.Morph(self.there, lambda x, *rest: x, lambda x, *rest: x)
            self.run.add_prim_attr("self_define_shard", True)
            whole = lay("ep", "None", "None")
            self.run.shard(in_strategy=(rows, rows, rows, whole, whole), out_strategy=(rows,))

    def sorted(self, x, experts):
        """(tokens once for each choice in the order of their experts, these experts, the way back, how many for each expert)"""
        of, order = ops.sort(experts.reshape(-1).astype(ms.float32))
        _, back = ops.sort(order.astype(ms.float32))
        counts = ops.one_hot(experts.reshape(-1), EXPERTS, Tensor(1.0), Tensor(0.0)).sum(0)
        return ops.gather(x, order // CHOICES, 0), of, back, counts

    def products(self, x, ends, first, second):
        one = ops.auto_generate.GroupedMatmul(split_item=3, group_type=0)
        hidden = ops.silu(one([x], [first], None, None, None, None, None, ends)[0])
        return one([hidden], [second], None, None, None, None, None, ends)[0]

    def here(self, x, experts, weights, first, second):
        rows, _, back, counts = self.sorted(x, experts)
        out = self.products(rows, ops.cumsum(counts, 0).astype(ms.int64), first, second)
        return (ops.gather(out, back, 0).reshape(-1, CHOICES, WIDTH) * weights.expand_dims(-1)).sum(1)

    def there(self, x, experts, weights, first, second):
        rows, of, back, counts = self.sorted(x, experts)
        shape = rows.shape
        came = ops.AlltoAll(EP, -1, -2, self.group)(counts.expand_dims(0)).reshape(EP, -1)
        send = counts.reshape(EP, -1).sum(1).astype(ms.int64)
        receive = came.sum(1).astype(ms.int64)
        ends = ops.cumsum(came.sum(0), 0).astype(ms.int64)
        tokens = ops.AlltoAllV(self.group, WIDTH)(rows.reshape(-1), send, receive).reshape(-1, WIDTH)
        of = ops.AlltoAllV(self.group, 1)(of, send, receive)
        _, order = ops.sort(of)
        _, again = ops.sort(order.astype(ms.float32))
        out = self.products(ops.gather(tokens, order, 0), ends, first, second)
        out = ops.gather(out, again, 0)
        out = ops.AlltoAllV(self.group, WIDTH)(out.reshape(-1), receive, send).reshape(shape)
        return (ops.gather(out, back, 0).reshape(-1, CHOICES, WIDTH) * weights.expand_dims(-1)).sum(1)

    def construct(self, x, experts, weights):
        return self.run(x, experts, weights, self.first, self.second)


class Net(nn.Cell):
    def __init__(self, split):
        super().__init__()
        self.router, self.experts = Parameter(ROUTER.copy(), name="router"), Experts(split)

    def construct(self, x):
        scores = ops.softmax(ops.matmul(x, self.router), -1)
        weights, experts = ops.topk(scores, CHOICES)
        return ops.square(x + self.experts(x, experts.astype(ms.int32), weights)).mean()


def trained(split):
    net = Net(split)
    step = ms.value_and_grad(net, None, net.trainable_params())
    optimizer, losses, first = nn.SGD(net.trainable_params(), 0.1), [], None

    @ms.jit
    def train(x):
        loss, grads = step(x)
        optimizer(grads)
        return loss, grads

    for _ in range(4):
        loss, grads = train(Tensor(X))
        first = first or [g.asnumpy() for g in grads]
        losses.append(float(loss.asnumpy()))
    return losses, first


losses, grads = trained(False)
assert get_rank() == 0
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, full_batch=True)
split_losses, split_grads = trained(True)
assert len(set(losses)) == 4
np.testing.assert_allclose(split_losses, losses, rtol=1e-5)
for one, other in zip(split_grads, grads):
    assert np.abs(other).max() > 1e-3
    np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
print("as one device")


def unknown(x, experts, weights, first, second):
    """A result whose length the program computes."""
    n = ops.one_hot(experts[: x.shape[0], 0], EP, Tensor(1.0), Tensor(0.0)).sum(0).astype(ms.int64)
    return ops.AlltoAllV("experts", WIDTH)(x.reshape(-1), n, ops.AlltoAll(EP, 0, 0, "experts")(n)).reshape(-1, WIDTH)


def too_many(x, experts, weights, first, second):
    """More is sent than there is."""
    n = ops.one_hot(experts[: x.shape[0], 0], EP, Tensor(1.0), Tensor(0.0)).sum(0).astype(ms.int64) + 1
    return ops.AlltoAllV("experts", WIDTH)(x.reshape(-1), n, n).reshape(-1, WIDTH)


def result(function):
    """What the devices make of ones with a function of their parts."""
    net = Experts(True)
    rows, whole = lay(("outer", "ep"), "None"), lay("ep", "None", "None")
    net.run = ops.Morph(function, lambda x, *rest: x, lambda x, *rest: x).add_prim_attr("self_define_shard", True)
    net.run.shard(in_strategy=(rows, rows, rows, whole, whole), out_strategy=(rows,))
    choices = np.zeros((TOKENS, CHOICES), np.int32)
    return ms.jit(net)(Tensor(X), Tensor(choices), Tensor(choices.astype(np.float32))).asnumpy()


try:
    result(unknown)
except NotImplementedError as error:
    assert "a result has a length that the program computes" in str(error), error
    print("refused")
assert np.isnan(result(too_many)).all()
