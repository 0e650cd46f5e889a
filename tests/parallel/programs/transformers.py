"""One process with eight devices: nn.transformer cut into data, model, stage and expert parts gives what one device gives."""

import re

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn
from mindspore.nn.transformer import MoEConfig, TransformerEncoder, TransformerOpParallelConfig

from msjax.core.values.rows import Row

ms.set_context(mode=ms.GRAPH_MODE)
BATCH, STEPS, HIDDEN, INNER = 8, 6, 16, 40
rng = np.random.default_rng(0)
X, Y = (rng.normal(size=(BATCH, STEPS, HIDDEN)).astype(np.float32) for _ in range(2))
GATHERED = re.compile(r"= (?:f32|f16|bf16)\[([\d,]*)\]\S* all-gather")


class Net(nn.Cell):
    def __init__(self, batch, config, experts):
        super().__init__()
        self.encoder = TransformerEncoder(
            batch, 2, HIDDEN, INNER, STEPS, 4, 0.0, 0.0, parallel_config=config,
            moe_config=MoEConfig(experts, capacity_factor=2.0),
        )  # fmt: skip
        self.mask = Tensor(np.tril(np.ones((batch, STEPS, STEPS), np.float32)))

    def construct(self, x, y):
        out, *rest = self.encoder(x, self.mask)
        loss = ((out - y) ** 2).mean()
        return loss + rest[-1] if self.encoder.use_moe else loss


def train(devices, parts, experts=1, **config):
    """(losses, gradients by name, texts of the programs) of three steps of SGD."""
    ms.set_devices(devices)
    ms.reset_auto_parallel_context()
    if devices != 1:
        ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
    np.random.seed(0)
    net = Net(BATCH // parts, TransformerOpParallelConfig(**config), experts)
    before = {p.name: p.asnumpy() for p in net.trainable_params()}
    cell = nn.PipelineCell(net, parts) if parts > 1 else net
    step = nn.TrainOneStepCell(cell, nn.SGD(net.trainable_params(), 0.5)).set_train()
    losses = [float(step(Tensor(X), Tensor(Y)).asnumpy())]
    gradients = {p.name: before[p.name] - p.asnumpy() for p in net.trainable_params()}
    losses += [float(step(Tensor(X), Tensor(Y)).asnumpy()) for _ in range(2)]
    entry = step.entry_for(Tensor(X), Tensor(Y))
    texts = []
    if devices != 1:
        arrays = [[Tensor(X)._data, Tensor(Y)._data], ()]
        texts = [entry.program.run.lower(*entry.state.shapes(), *arrays).compile().as_text()]
    return losses, gradients, texts, net


def check(name, one, several, collectives):
    np.testing.assert_allclose(several[0], one[0], rtol=1e-4)  # products are in float16
    for key, gradient in one[1].items():
        np.testing.assert_allclose(
            several[1][key], gradient, rtol=2e-2, atol=1e-2 * np.abs(gradient).max() + 1e-7, err_msg=key
        )
    text = "\n".join(several[2])
    for collective in collectives:
        assert f" {collective}(" in text or f" {collective}-start(" in text, (name, collective)
    lying = [(p, p._raw.stack.array if type(p._raw) is Row else p._raw) for p in several[3].trainable_params()]
    whole = {",".join(map(str, shape)) for p, a in lying if not a.sharding.is_fully_replicated and p.ndim > 1
             for shape in (p.shape, a.shape)}  # fmt: skip
    assert whole and not whole & set(GATHERED.findall(text)), (name, whole, set(GATHERED.findall(text)))
    print(f"{name}: as one device")


one = train(1, 2)
several = train("all", 2, data_parallel=2, model_parallel=2, pipeline_stage=2, micro_batch_num=2)
check("data 2, model 2, stage 2", one, several, ["all-reduce"])
weight = next(p for p in several[3].trainable_params() if p.name.endswith("blocks.1.output.mapping.weight"))
stack = weight._raw.stack.array
assert stack.sharding.shard_shape(stack.shape) == (1, HIDDEN, INNER // 2)
own = {d.id for d, index in stack.sharding.devices_indices_map(stack.shape).items() if index[0].start == 1}
assert own == {4, 5, 6, 7}  # the second layer

config = {
    "experts": 4,
    "data_parallel": 2,
    "expert_parallel": 2,
    "model_parallel": 2,
}  # the parts decide what an expert takes
check("experts 2, model 2", train(1, 1, **config), train("all", 1, **config), ["all-reduce", "all-to-all"])
