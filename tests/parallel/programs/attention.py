"""One process with eight devices: attention is divided over them, gives what one device gives, and gathers nothing."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from msjax.ops.attention import kernels

ms.set_context(mode=ms.GRAPH_MODE)
kernels._MOST, kernels._BLOCK, kernels._ROWS = 0, 1 << 10, 8  # blocks at lengths that are quick
BATCH, HEADS, LENGTH, WIDTH = 4, 4, 20, 8
rng = np.random.default_rng(0)


def draw(*shape):
    return Tensor(rng.normal(size=shape).astype(np.float32))


LATER = np.triu(np.ones((LENGTH, LENGTH), np.uint8), 1)
QUERY, BIAS = draw(BATCH, HEADS, LENGTH, WIDTH), draw(BATCH, HEADS, LENGTH, LENGTH)
KEY, VALUE = draw(BATCH, 2, LENGTH, WIDTH), draw(BATCH, 2, LENGTH, WIDTH)  # heads in groups
BITS = Tensor(rng.integers(0, 256, (BATCH, HEADS, LENGTH, 8)).astype(np.uint8))
ROWS = Tensor(rng.random((BATCH, 1, LENGTH, LENGTH)) < 0.2)


class Scores(nn.Cell):
    """Attention as MindFormers calls it."""

    def __init__(self, strategy, mode=0, keep=1.0):
        super().__init__()
        self.attention = ops.auto_generate.FlashAttentionScore(
            HEADS, keep, WIDTH**-0.5, 2147483647, 0 if mode == 0 else 2147483647, 0, "BNSD", mode
        )
        if strategy:
            self.attention.shard(strategy)

    def construct(self, query, key, value, *others):
        return self.attention(query, key, value, *others)[3]


class Both(nn.Cell):
    """Values and gradients."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, *inputs):
        def loss(*inputs):
            out = self.net(*inputs)
            return (out * ops.cos(out)).sum(), out

        (_, out), gradients = ms.value_and_grad(loss, (0, 1, 2), None, has_aux=True)(*inputs)
        return out, *gradients


def text_of(function, inputs):
    entry = function.entry_for(*inputs)
    state = [[box._raw for box in boxes] for boxes in (entry.state.written, entry.state.read)]
    numbers = tuple(n.read() for n in entry.state.numbers)
    return entry.program.run.lower(*state, [x._data for x in inputs if x is not None], numbers).compile().as_text()


def check(name, inputs, strategy, **settings):
    ms.set_devices(1)
    one = Both(Scores(None, **settings))(*inputs)
    ms.set_devices(8)
    both = Both(Scores(strategy, **settings))
    for found, wanted in zip(both(*inputs), one, strict=True):
        np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), rtol=2e-4, atol=1e-5, err_msg=name)
    text = text_of(both, inputs)
    assert "f32[1,2,20,8]" in text, name  # a fourth of the batch, half of the heads
    found = [line for line in text.splitlines() if "all-gather(" in line]
    assert len(found) <= 8, (name, found)  # the four results alone, along two axes


ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True)
HEADS_AND_BATCH = ((4, 2, 1, 1),) * 3
check("no strategy", (QUERY, KEY, VALUE), None, mode=2)
check("causal", (QUERY, KEY, VALUE, None, None, None, Tensor(LATER)), (*HEADS_AND_BATCH, (1, 1)), mode=2)
check(
    "bias, dropout, mask",
    (QUERY, KEY, VALUE, BIAS, BITS, None, ROWS),
    (*HEADS_AND_BATCH, (4, 2, 1, 1), (4, 2, 1, 1), (4, 1, 1, 1)),
    keep=0.7,
)
print("strategies: as one device")


class Layer(nn.Cell):
    def __init__(self):
        super().__init__()
        np.random.seed(1)
        self.attention = nn.MultiheadAttention(32, 4, dropout=0.2, batch_first=True)
        self.later = Tensor(LATER.astype(bool))

    def construct(self, x):
        return self.attention(x, x, x, None, False, self.later)[0]


def dropped(devices):
    ms.set_devices(devices)
    ms.set_seed(4)
    return Layer().set_train()(X).asnumpy()


X = draw(8, LENGTH, 32)
one = dropped(1)
np.testing.assert_allclose(dropped(8), one, rtol=1e-4, atol=1e-5)
print("dropout: as one device")
