"""Experts on eight devices, each with its own: a capacity that drops tokens, none (grouped products), and a shared expert besides."""

import mindspore as ms
import numpy as np
from mindspore import Layout, Parameter, Tensor, nn, ops

ms.set_context(mode=ms.GRAPH_MODE)
EXPERTS, TOKENS, WIDTH, HIDDEN, CHOSEN, CAPACITY = 8, 64, 16, 32, 2, 12
rng = np.random.default_rng(0)
X, Y = (rng.normal(size=(TOKENS, WIDTH)).astype(np.float32) for _ in range(2))
LAYOUT = Layout((8,), ("ep",))


def parameter(name, *shape):
    return Parameter(Tensor(np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32) * 0.2), name=name)


class Experts(nn.Cell):
    def __init__(self, capacity, shared, parts):
        super().__init__()
        self.router, self.up = parameter("router", WIDTH, EXPERTS), parameter("up", EXPERTS, WIDTH, HIDDEN)
        self.down, self.capacity, self.shared, self.parts = (
            parameter("down", EXPERTS, HIDDEN, WIDTH),
            capacity,
            shared,
            parts,
        )
        if shared:
            self.shared_up, self.shared_down = (
                parameter("shared_up", WIDTH, HIDDEN),
                parameter("shared_down", HIDDEN, WIDTH),
            )

    def own(self, weight):
        return ops.reshard(weight, LAYOUT("ep", "None", "None")) if self.parts else weight

    def construct(self, x):
        weights, chosen = ops.topk(ops.softmax(x @ self.router), CHOSEN)
        out = self.with_capacity(x, weights, chosen) if self.capacity else self.dropless(x, weights, chosen)
        return out + ops.tanh(x @ self.shared_up) @ self.shared_down if self.shared else out

    def with_capacity(self, x, weights, chosen):
        """Tokens to (expert, place), as far as there are places."""
        of_expert = ops.one_hot(chosen.reshape(-1), EXPERTS, Tensor(1.0), Tensor(0.0))
        place = (ops.cumsum(of_expert, 0) * of_expert).sum(1).astype(ms.int32) - 1
        places = ops.one_hot(place, self.capacity, Tensor(1.0), Tensor(0.0))  # none beyond the capacity
        sent = of_expert.expand_dims(2) * places.expand_dims(1)
        tokens = ops.repeat_interleave(x, CHOSEN, 0)
        inside = ops.bmm(
            (sent.reshape(-1, EXPERTS * self.capacity).T @ tokens).reshape(EXPERTS, self.capacity, WIDTH),
            self.own(self.up),
        )
        done = ops.bmm(ops.tanh(inside), self.own(self.down)).reshape(EXPERTS * self.capacity, WIDTH)
        out = sent.reshape(-1, EXPERTS * self.capacity) @ done * weights.reshape(-1, 1)
        return out.reshape(TOKENS, CHOSEN, WIDTH).sum(1)

    def dropless(self, x, weights, chosen):
        """Tokens in the order of their experts."""
        flat = chosen.reshape(-1)
        order = ops.argsort(flat.astype(ms.float32) * TOKENS * CHOSEN + ops.arange(TOKENS * CHOSEN).astype(ms.float32))
        sizes = ops.one_hot(flat, EXPERTS, Tensor(1, ms.int64), Tensor(0, ms.int64)).sum(0)
        ends = ops.cumsum(sizes, 0)
        (inside,) = ops.gmm([x[order // CHOSEN]], [self.own(self.up)], group_list=ends)
        (done,) = ops.gmm([ops.tanh(inside)], [self.own(self.down)], group_list=ends)
        out = done * weights.reshape(-1)[order].expand_dims(1)
        return ops.index_add(ops.zeros((TOKENS, WIDTH)), (order // CHOSEN).astype(ms.int32), out, 0)


def run(capacity, shared, parts):
    ms.reset_auto_parallel_context()
    if parts:
        ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, full_batch=True)
    net = Experts(capacity, shared, parts)
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    losses = [float(step(Tensor(X), Tensor(Y))) for _ in range(5)]
    moment = next(p for p in optimizer.get_parameters() if p.name == "moment1.up")
    return losses, net, moment


for name, capacity, shared in (("capacity", CAPACITY, False), ("dropless", 0, False), ("shared expert", 0, True)):
    one, reference, _ = run(capacity, shared, False)
    found, net, moment = run(capacity, shared, True)
    np.testing.assert_allclose(found, one, rtol=1e-5)
    assert one[-1] < one[0], one
    for weight, other in zip(net.trainable_params(), reference.trainable_params()):
        np.testing.assert_allclose(weight.asnumpy(), other.asnumpy(), rtol=1e-3, atol=1e-5)
    for box in (net.up, moment):
        assert box._raw.sharding.shard_shape(box.shape) == (1, WIDTH, HIDDEN), (name, box._raw.sharding)
    print(f"{name}: as one device")
