"""hyper_parallel on eight forced devices: each part says what it compared."""

import tempfile

import hyper_parallel
import mindspore as ms
import numpy as np
from hyper_parallel import (
    ColwiseParallel,
    DTensor,
    HSDPModule,
    PipelineStage,
    RowwiseParallel,
    Schedule1F1B,
    ScheduleGPipe,
    ScheduleInterleaved1F1B,
    ShardingPlan,
    SkipDTensorDispatch,
    custom_shard,
    distribute_tensor,
    fully_shard,
    hsdp,
    init_device_mesh,
    init_parameters,
    parallelize_module,
    parallelize_value_and_grad,
    shard_module,
)
from hyper_parallel.core.activation_checkpoint import checkpoint_wrapper
from hyper_parallel.core.checkpoint.api import load, save
from hyper_parallel.core.dtensor import zeros
from hyper_parallel.core.dtensor.placement_types import Partial, Replicate, Shard
from hyper_parallel.core.placement_types import Shard as AsBefore
from mindspore import Tensor, mint, nn, ops
from mindspore.communication import comm_func

assert AsBefore is Shard and hyper_parallel.get_platform().get_world_size() == 8
rng = np.random.default_rng(0)
mesh = init_device_mesh("npu", (2, 4), mesh_dim_names=("dp", "tp"))
X = rng.normal(size=(8, 16)).astype(np.float32)


def whole(tensor):
    return tensor.full_tensor().asnumpy() if isinstance(tensor, DTensor) else tensor.asnumpy()


def equal(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def raises(kind, call, words):
    try:
        call()
    except kind as error:
        assert words in str(error), error
        return
    raise AssertionError(f"no {kind.__name__}")


# --- DTensor
x = distribute_tensor(Tensor(X), mesh, (Shard(0), Shard(1)))
assert x.shape == (8, 16) and x.local_shape == (4, 4) and x.layout.tensor_map == (1, 0) and x.asnumpy().shape == (4, 4)
equal(x.to_local().asnumpy(), X[:4, :4])
y = ops.exp(x) + 1
assert isinstance(y, DTensor) and y.placements == (Shard(0), Shard(1))
equal(whole(y), np.exp(X) + 1)
assert isinstance(mint.cat([x, Tensor(X)], 0), DTensor) and isinstance(mint.chunk(x, 2, 0)[1], DTensor)
moved = x.redistribute(mesh, (Replicate(), Shard(0)))
assert moved.placements == (Replicate(), Shard(0)) and moved.local_shape == (2, 16)
equal(whole(moved), X)
part = DTensor.from_local(Tensor(np.ones((2, 2), np.float32)), mesh, (Replicate(), Partial()))
assert part.placements[1] == Partial() and part.shape == (2, 2)
equal(part.to_local().asnumpy(), np.ones((2, 2)))
equal(whole(part.reduce_partial()), np.full((2, 2), 4.0))
assert DTensor.from_local(Tensor(X), mesh, (Shard(0), Shard(-1))).shape == (16, 64)
uneven = zeros((5, 3), mesh, (Shard(0), Replicate()))
assert uneven.placements[0] == Shard(0) and uneven.local_shape == (3, 3) and uneven.shape == (5, 3)
with SkipDTensorDispatch():
    assert type(x + 1) is Tensor
raises(ValueError, lambda: DTensor.from_local(Tensor(X), mesh, [Shard(0)]), "a placement for each of the 2 axes")
raises(ValueError, lambda: distribute_tensor(Tensor(X), mesh, (Shard(3), Replicate())), "out of bounds")
raises(RuntimeError, lambda: ms.grad(lambda v: v.to_local().sum())(x), "custom_shard")
before = x.placements
x2 = x + 0
x2[0] = 7.0
assert x2.placements == before and whole(x2)[0, 0] == 7.0
print("DTensor: as one device")


# --- a sharded Cell
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Dense(16, 32, weight_init="normal"), nn.Dense(32, 16, weight_init="normal")

    def construct(self, x):
        return self.down(ops.tanh(self.up(x)))


def fresh(**options):
    ms.set_seed(3)
    np.random.seed(3)
    return Net(**options)


def trained(net, data, steps=3):
    opt = nn.Adam(net.trainable_params(), 0.01)
    step = parallelize_value_and_grad(lambda d: ops.square(net(d)).mean(), opt.parameters)
    losses = []
    for _ in range(steps):
        loss, grads = step(data)
        opt(grads)
        losses.append(float(whole(loss)))
    return (
        losses,
        [whole(p) for p in net.trainable_params()],
        [tuple(p._data.sharding.spec) for p in net.trainable_params()] if isinstance(net.up.weight, DTensor) else None,
    )


expected, weights, _ = trained(fresh(), Tensor(X))
with nn.no_init_parameters():
    net = fresh()
plan = ShardingPlan(
    plan={"up.weight": ("tp", "None"), "down.weight": (Replicate(), Shard(1))},
    input_plan={"input": (Shard(0), Replicate()), "down.input": {"x": ("dp", "tp")}},
    output_plan={"output": (("dp", "None"),)},
)
net = init_parameters(hsdp(shard_module(net, mesh, plan), shard_size=2, threshold=0))
assert isinstance(net, HSDPModule) and isinstance(net, Net) and net.up.weight.local_shape == (4, 16)
found, split, lies = trained(net, x)
equal(found, expected)
for one, other in zip(split, weights):
    equal(one, other)
assert lies[0] == (("tp", "dp"), None) and lies[2][1] == "tp", lies
print("shard_module: as one device")

tensor_parallel = parallelize_module(fresh(), mesh["tp"], {"up": ColwiseParallel(), "down": RowwiseParallel()})
fully_shard(tensor_parallel, mesh=mesh["dp"])
found, split, lies = trained(tensor_parallel, Tensor(X))
equal(found, expected)
assert tensor_parallel.up.weight.placements == (Shard(0),) and "dp" in str(lies[0]), lies
raises(ValueError, lambda: parallelize_module(fresh(), mesh["tp"], {"sideways": ColwiseParallel()}), "sideways")
whole_again = fully_shard(checkpoint_wrapper(fresh()))
equal(trained(whole_again, Tensor(X))[0], expected)
whole_again.unshard()
assert whole_again.up.weight.local_shape == (32, 16)
whole_again.reshard()
assert whole_again.up.weight.local_shape == (4, 16)
print("fully_shard: as one device")

# --- functions of parts
group = mesh.get_group("tp")


def product(a, b, name):
    assert a.shape == (4, 4)
    return comm_func.all_reduce(mint.matmul(a, b), "sum", group)[0], name


W = rng.normal(size=(16, 4)).astype(np.float32)
w = distribute_tensor(Tensor(W), mesh, (Replicate(), Shard(0)))
local = custom_shard(
    product, mesh, ((Shard(0), Replicate()), None), ((Shard(0), Shard(1)), (Replicate(), Shard(0)), None)
)
out, name = local(x, w, "name")
assert name == "name" and out.placements == (Shard(0), Replicate())
equal(whole(out), X @ W)
grads = parallelize_value_and_grad(lambda d: ops.square(local(d, p, "n")[0]).sum(), [p := ms.Parameter(w, name="w")])(
    x
)[1]
equal(whole(grads[0]), 2 * X.T @ (X @ W))
raises(AssertionError, lambda: local(x, w), "number of input args 2")
partial = custom_shard(lambda a: a.sum(), mesh, ((Partial(), Partial()),), ((Shard(0), Shard(1)),))
equal(whole(partial(x)), X.sum())
print("custom_shard: as one device")


# --- pipelines
class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(16, 16, activation="tanh")

    def construct(self, x):
        return self.dense(x)


for schedule, options in ((ScheduleGPipe, {}), (Schedule1F1B, {}), (ScheduleInterleaved1F1B, {"ranks": 2})):
    blocks = [Block() for _ in range(4)]
    line = nn.SequentialCell(*blocks)
    loss, grads = ms.value_and_grad(lambda d, line=line: line(d).sum(), None, line.trainable_params())(Tensor(X))
    run = schedule([PipelineStage(b, i, 4) for i, b in enumerate(blocks)], 4, **options)
    outs = run.run(Tensor(X))
    equal(sum(float(o.sum()) for o in outs), float(loss))
    for parameter, grad in zip(line.trainable_params(), grads):
        equal(parameter.grad.asnumpy(), grad.asnumpy())
    assert len({frozenset(p._data.devices()) for p in line.trainable_params()}) == (2 if options else 4)
raises(RuntimeError, lambda: Schedule1F1B(PipelineStage(Block(), 0, 2), 2).run(Tensor(X)), "all stages in one list")
raises(ValueError, lambda: ScheduleGPipe(PipelineStage(Block(), 0, 1), 3).run(Tensor(X)), "does not divide")
print("pipelines: as one device")

# --- checkpoints from one layout to another
with tempfile.TemporaryDirectory() as folder:
    save({"model": dict(tensor_parallel.parameters_dict()), "step": 3}, checkpoint_id=folder)
    other = hsdp(fresh(), threshold=0)
    state = {"model": dict(other.parameters_dict()), "step": 0}
    load(state, checkpoint_id=folder)
    assert state["step"] == 3 and other.up.weight.local_shape == (4, 16)
    equal(whole(other.up.weight), whole(tensor_parallel.up.weight))
    raises(ValueError, lambda: load({"model": {"none": Tensor(X)}}, checkpoint_id=folder), "model.none")
print("checkpoint: as one device")
