"""One process with eight devices: a pipeline of equal stages is one program, and gives what one device gives."""

import re
import sys

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.ops.operations.nn_ops import FlashAttentionScore

ms.set_context(mode=ms.GRAPH_MODE)
HIDDEN, WORDS, LENGTH, BATCH = 16, 40, 6, 8
rng = np.random.default_rng(0)
X, Y = (rng.integers(0, WORDS, (BATCH, LENGTH)).astype(np.int32) for _ in range(2))
GATHERED = re.compile(r"= (?:f32|f16|bf16)\[([\d,]*)\]\S* all-gather")
GPIPE = {"pipeline_interleave": True, "pipeline_scheduler": "gpipe"}


class Attention(nn.Cell):
    """Attention that each device computes for its own sequences and heads."""

    def __init__(self, strategy):
        super().__init__()
        self.heads = nn.Dense(HIDDEN, 3 * HIDDEN, has_bias=False)  # keys have a bias without a gradient
        self.attend = FlashAttentionScore(4, scale_value=0.5, input_layout="BSH", sparse_mode=2)
        self.attend.shard((*[(strategy[0], 1, strategy[1])] * 3, (1, 1)))
        self.mask = Tensor(np.triu(np.ones((2048, 2048), np.uint8), 1))  # told by sparse_mode: nothing computes with it

    def construct(self, x):
        query, key, value = self.heads(x).astype(ms.float16).split(HIDDEN, -1)
        return self.attend(query, key, value, None, None, None, self.mask)[3].astype(ms.float32)


class Block(nn.Cell):
    def __init__(self, drop, strategy, attention):
        super().__init__()
        self.attention = Attention(strategy) if attention else None
        self.norm, self.drop = nn.LayerNorm((HIDDEN,)), nn.Dropout(p=drop)
        self.up, self.down = nn.Dense(HIDDEN, 2 * HIDDEN), nn.Dense(2 * HIDDEN, HIDDEN)
        if strategy:
            data, model = strategy
            self.up.matmul.shard(((data, 1), (model, 1)))
            self.up.bias_add.shard(((data, model), (model,)))
            self.down.matmul.shard(((data, model), (1, model)))

    def construct(self, x):
        if self.attention is not None:
            x = x + self.attention(x)
        return x + self.drop(self.down(ops.tanh(self.up(self.norm(x)))))


class Entropy(nn.Cell):
    """The loss of language models as MindFormers writes it: with strategies, and a gradient of its own."""

    def __init__(self, data, model):
        super().__init__()
        self.softmax = ops.LogSoftmax()
        self.mul = ops.Mul().shard(((data, model), (data, model)))
        self.sum, self.parts = ops.ReduceSum().shard(((data, model),)), model

    def construct(self, x, y):
        return -self.picked(self.softmax(x), ops.one_hot(y, WORDS).astype(ms.float32)).mean()

    def picked(self, x, y):
        return _Picked(self)(x, y)


class _Picked(nn.Cell):
    def __init__(self, of):
        super().__init__(auto_prefix=False)
        self.mul, self.sum, self.parts = of.mul, of.sum, of.parts

    def construct(self, x, y):
        return self.sum(self.mul(x, y), -1)

    def bprop(self, x, y, out, dout):
        return self.mul(y, ops.BroadcastTo(y.shape)(ops.ExpandDims()(dout, -1))) * self.parts, ops.ZerosLike()(y)


class Step(nn.Cell):
    """A step that asks for the loss apart from its gradients, as MindFormers' does."""

    def __init__(self, network, optimizer, sens):
        super().__init__(auto_prefix=False)
        self.network, self.optimizer, self.sens = network, optimizer, sens
        self.network.set_grad()
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)

    def construct(self, *inputs):
        loss = self.network(*inputs)
        grads = self.grad(self.network, self.optimizer.parameters)(*inputs, ops.ones_like(loss) * self.sens)
        return ops.depend(loss, self.optimizer(grads))


class Gathered(nn.Cell):
    """The loss as the logarithms of chances, looked up."""

    def construct(self, x, y):
        return -ops.GatherD()(ops.LogSoftmax(-1)(x), 1, y.reshape(-1, 1)).mean()


class Net(nn.Cell):
    """An embedding, layers in equal stages, each of which may be visited several times, a norm and a head."""

    def __init__(
        self,
        stages,
        layers,
        visits=1,
        drop=0.0,
        strategy=None,
        recompute=(),
        own_loss=False,
        attention=False,
        gathered=False,
    ):
        super().__init__()
        self.embed = nn.Embedding(WORDS, HIDDEN, embedding_table="normal")
        self.layers = nn.CellList([Block(drop, strategy, attention) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm((HIDDEN,)), nn.Dense(HIDDEN, WORDS)
        self.loss = Entropy(*strategy) if own_loss else Gathered() if gathered else nn.CrossEntropyLoss()
        self.embed.pipeline_stage = 0
        for i, layer in enumerate(self.layers):
            layer.pipeline_stage = i * stages * visits // layers % stages
            if i in recompute:
                layer.recompute()
        self.norm.pipeline_stage = self.head.pipeline_stage = stages - 1

    def construct(self, x, y):
        h = self.embed(x)
        for layer in self.layers:
            h = layer(h)
        return self.loss(self.head(self.norm(h)).reshape(-1, WORDS), y.reshape(-1))


def adam(parameters):
    return nn.Adam(parameters, 0.01)


def decayed(parameters):
    """AdamW as language models are trained with it: no decay of biases and norms."""
    kept = [p for p in parameters if p.ndim < 2]
    rest = [p for p in parameters if p.ndim >= 2]
    return nn.AdamWeightDecay([{"params": rest, "weight_decay": 0.1}, {"params": kept, "weight_decay": 0.0}], 0.01)


def train(devices, stages, parts, optimizer=adam, settings=None, scaled=False, apart=False, **net):
    """(losses of three steps, the step, the net)"""
    ms.set_devices(devices)
    ms.reset_auto_parallel_context()
    if devices != 1:
        ms.set_auto_parallel_context(
            parallel_mode="semi_auto_parallel", pipeline_stages=stages, full_batch=True, **(settings or {})
        )
    np.random.seed(0)
    ms.set_seed(1)
    net = Net(stages, **net)
    cell, optimizer = nn.PipelineCell(net, parts), optimizer(net.trainable_params())
    if scaled:
        step = nn.TrainOneStepWithLossScaleCell(cell, optimizer, nn.DynamicLossScaleUpdateCell(64.0, 2, 2))
    elif apart:
        step = Step(cell, optimizer, 1 / parts)
    else:
        step = nn.TrainOneStepCell(cell, optimizer, sens=1 / parts)
    step.set_train()
    losses = []
    for _ in range(3):
        out = step(Tensor(X), Tensor(Y))
        losses.append(float((out[0] if scaled else out).asnumpy()))
    return losses, step, net


def check(name, stages, parts, collectives=(), shard=None, **wanted):
    one = train(1, stages, parts, **wanted)
    several = train("all", stages, parts, **wanted)
    np.testing.assert_allclose(several[0], one[0], rtol=1e-5)
    for mine, other in zip(several[2].get_parameters(), one[2].get_parameters()):
        np.testing.assert_allclose(mine.asnumpy(), other.asnumpy(), rtol=1e-4, atol=5e-4, err_msg=mine.name)  # Adam
    entry = several[1].entry_for(Tensor(X), Tensor(Y))
    arrays = [[Tensor(X)._data, Tensor(Y)._data], ()]
    text = entry.program.run.lower(*entry.state.shapes(), *arrays).compile().as_text()
    for collective in ("collective-permute", *collectives):
        assert f" {collective}(" in text or f" {collective}-start(" in text, (name, collective)
    if (wanted.get("strategy") or (0, 1))[1] == 1:  # devices of a stage divide the rows alone
        sums = [line.strip()[:300] for body in loops(text) for line in body.splitlines() if " all-reduce" in line]
        assert not sums, (name, "gradients are summed over the devices of a stage in each tick", sums)
    stacks = {}
    for packing, boxes in zip(entry.state.packings, (entry.state.written, entry.state.read)):
        for group in packing.groups:
            for i in group:
                stacks[boxes[i].name] = boxes[i]._raw.stack.array
    layers = [n for n in stacks if ".layers." in f".{n}"]
    per = 2 if optimizer_states(wanted) else 0
    assert len(layers) == (1 + per) * sum(1 for p in several[2].trainable_params() if ".layers." in f".{p.name}"), (
        layers
    )
    for key in layers:  # each device has the layers of its stage alone
        array = stacks[key]
        own = len(several[2].layers) // stages
        assert array.sharding.shard_shape(array.shape)[0] == own, (key, array.sharding)
    if shard:
        array = stacks["layers.0.up.weight"]
        assert array.sharding.shard_shape(array.shape)[1:] == shard, array.sharding
    whole = {",".join(map(str, stacks[key].shape)) for key in layers if stacks[key].ndim > 2}
    whole |= {shape.partition(",")[2] for shape in whole}
    assert not whole & set(GATHERED.findall(text)), (name, whole & set(GATHERED.findall(text)))
    print(f"{name}: as one device, in one program", flush=True)


def loops(text):
    """The bodies of a compiled program's loops."""
    names = set(re.findall(r"body=%([\w.-]+)", text))
    return [body for body in text.split("\n\n") if body.lstrip().startswith(tuple(f"%{name} (" for name in names))]


def optimizer_states(wanted):
    return wanted.get("optimizer", adam) in (adam, decayed)


if __name__ == "__main__":
    check(
        "stage 2, data 2, model 2, recomputation of some layers, dropout", 2, 4, ["all-reduce"], (HIDDEN, HIDDEN),
        layers=4, strategy=(2, 2), drop=0.1, recompute=(0, 2), optimizer=decayed,
    )  # fmt: skip
    check(
        "a loss with a gradient of its own, computed apart from the gradients too", 2, 4, ["all-reduce"],
        layers=4, strategy=(2, 2), own_loss=True, apart=True,
    )  # fmt: skip
    check("attention on each device", 2, 4, layers=4, strategy=(2, 2), attention=True, gathered=True)
    check(
        "stage 2, data 4, all layers computed again", 2, 2, layers=4, strategy=(4, 1), drop=0.1, recompute=(0, 1, 2, 3)
    )
    check("stage 4, each visited twice, GPipe", 4, 4, layers=8, visits=2, settings={"pipeline_config": GPIPE})
    if "all" in sys.argv:
        check("stage 4, 2 parts", 4, 2, layers=4)
        check("stage 2, nine layers each, three at a time", 2, 2, layers=18)
        check("stage 2, 1 part, other lists of what is computed again", 2, 1, layers=4, recompute=(0, 3), drop=0.1)
        check("stage 2, each visited twice, 8 parts", 2, 8, layers=8, visits=2, strategy=(2, 2))
        check("stage 4, ZeRO", 4, 4, layers=4, settings={
            "enable_parallel_optimizer": True, "parallel_optimizer_config": {"parallel_optimizer_threshold": 0},
        })  # fmt: skip
        check(
            "attention on each device, computed again, in one part",
            2,
            1,
            layers=4,
            strategy=(2, 2),
            attention=True,
            recompute=(0, 1, 2, 3),
        )
        check(
            "attention on each device, GPipe",
            2,
            4,
            layers=4,
            strategy=(2, 2),
            attention=True,
            settings={"pipeline_config": GPIPE},
        )
        check("stage 2, loss scale", 2, 4, layers=4, scaled=True)
