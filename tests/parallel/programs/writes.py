"""What an operator, a function or a Cell with a strategy writes is written to the Parameter that was given, over eight devices as on one.

And eager code computes with state wherever a program left it.
"""

import mindspore as ms
import numpy as np
from mindspore import Layout, Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.ops import functional as F

ms.set_context(mode=ms.GRAPH_MODE)
X = np.random.default_rng(0).normal(size=(8, 8)).astype(np.float32)
lay = Layout((2, 4), ("dp", "tp"))


def state(name, *shape):
    return Parameter(Tensor(np.zeros(shape, np.float32)), name=name, requires_grad=False)


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.seen = state("seen", 8, 8)

    def construct(self, x):
        self.seen += x
        return x * 2


class Net(nn.Cell):
    """As MindFormers' router, which counts in the forward pass how many tokens each expert gets."""

    def __init__(self, split):
        super().__init__()
        self.weight = Parameter(Tensor(np.eye(8, dtype=np.float32)), name="weight")
        self.load, self.counts, self.rows, self.bias = (
            state("load", 8),
            state("counts", 8, 8),
            state("rows", 8, 8),
            state("bias", 8),
        )
        self.matmul, self.add, self.assign, self.scatter = (
            ops.MatMul(),
            ops.AssignAdd(),
            ops.Assign(),
            ops.ScatterUpdate(),
        )
        self.with_bias, self.inner, self.function, self.in_place = ops.Add(), Inner(), ops.assign_add, Tensor.add_
        if split:
            self.matmul.shard(((2, 1), (1, 4)))
            self.add.shard((lay("None"), lay("None")))
            self.assign.shard(((2, 4), (2, 4)))
            self.scatter.shard(((1, 4), (1,), (1, 4)))
            self.with_bias.shard((lay("dp", "None"), lay("None")))
            self.inner.shard(((2, 4),), ((2, 4),))
            self.function = ms.shard(ops.assign_add, in_strategy=((2, 4), (2, 4)))
            self.in_place = ms.shard(lambda x, y: x.add_(y), in_strategy=((2, 4), (2, 4)))

    def construct(self, x):
        y = self.with_bias(self.matmul(x, self.weight), self.bias)
        self.add(self.load, y.mean(0))
        self.function(self.counts, y)
        self.assign(self.counts, self.counts + 1)
        self.scatter(self.rows, Tensor([1]), y[:1])
        z = y * 1
        view = z[0]
        same = self.in_place(z, y)
        return self.inner(z).sum() + view.sum() + same.sum()


class Step(nn.Cell):
    def __init__(self, net):
        super().__init__(auto_prefix=False)
        self.network, self.weights = net, ParameterTuple(net.trainable_params())
        self.grad = ops.GradOperation(get_by_list=True)

    def construct(self, x):
        return self.network(x), self.grad(self.network, self.weights)(x)


def after_two_steps(split):
    if split:
        ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, full_batch=True)
    net = Net(split)
    step, found = Step(net), []
    for _ in range(2):
        loss, (gradient,) = step(Tensor(X))
        err = F.sub(0.1, net.load.value())  # in eager code, as MindFormers' callback does
        ops.Assign()(net.bias, F.add(net.bias.value(), F.mul(F.sign(err), 0.01)))
        mixed = ops.concat([net.bias.value(), net.load.value(), net.counts.value()[0], Tensor(X)[0] + 1])
        found += [loss.asnumpy(), gradient.asnumpy(), mixed.asnumpy()]
    ms.reset_auto_parallel_context()
    return found + [p.asnumpy() for p in net.get_parameters()]


wanted, got = after_two_steps(False), after_two_steps(True)
for mine, right in zip(got, wanted):
    np.testing.assert_allclose(mine, right, rtol=1e-5, atol=1e-5)
assert all(np.abs(p).sum() > 0 for p in got)
print("what is written: as one device")


# --- a function of parts has its own Tensors: what it writes to them would be lost, and is refused
class Own(nn.Cell):
    def __init__(self):
        super().__init__()
        self.load = state("load", 8)
        self.own = ops.Morph(lambda x, y: x.add_(y), lambda x, y: x, lambda x, y: x)
        self.own.add_prim_attr("self_define_shard", True)
        self.own.shard(in_strategy=(lay("None"), lay("None")), out_strategy=(lay("None"),))

    def construct(self, x):
        return self.own(self.load, x)


ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, full_batch=True)
try:
    Own()(Tensor(X[0]))
except RuntimeError as error:
    assert "assigns a Parameter or a Tensor" in str(error), error
    print("a function of parts: refused")

# --- classes as MindFormers' routers count them: Layouts are of the indices
ids = Tensor(np.arange(32).reshape(8, 4) % 5, ms.int32)
for names in (("dp", "None"), ("dp", "tp")):
    one_hot = ms.ops.auto_generate.OneHotExt(-1).add_prim_attr("self_define_shard", True)
    one_hot.shard(in_strategy=(lay(*names), lay(), lay()), out_strategy=(lay(*names, "None"),))
    found = ms.jit(lambda x, one_hot=one_hot: one_hot(x, 5, Tensor(1, ms.int32), Tensor(0, ms.int32)))(ids)
    assert found.asnumpy().tolist() == np.eye(5, dtype=int)[ids.asnumpy()].tolist()
print("classes: as NumPy")
