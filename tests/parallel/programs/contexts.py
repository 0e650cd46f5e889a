"""One process with eight devices: sequences divided over the devices, by a ring of keys and by all-to-all, give what one device gives."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

from msjax.ops.attention import kernels

ms.set_context(mode=ms.GRAPH_MODE)
BATCH, HEADS, LENGTH, WIDTH = 2, 4, 32, 8
rng = np.random.default_rng(0)
QUERY, KEY, VALUE = (Tensor(rng.normal(size=(BATCH, HEADS, LENGTH, WIDTH)).astype(np.float32)) for _ in range(3))
LATER = Tensor(np.triu(np.ones((LENGTH, LENGTH), np.uint8), 1))
SOME = Tensor(rng.random((BATCH, 1, LENGTH, LENGTH)) < 0.2)
BIAS = Tensor(rng.normal(size=(BATCH, HEADS, LENGTH, LENGTH)).astype(np.float32))


class Scores(nn.Cell):
    """Attention as MindFormers calls it, with a scaling before and behind it that is divided along the sequence."""

    def __init__(self, strategy, mode, ring, sequence):
        super().__init__()
        self.attention = ops.auto_generate.FlashAttentionScore(
            HEADS, 1.0, WIDTH**-0.5, 2147483647, 0 if mode == 0 else 2147483647, 0, "BNSD", mode
        )
        self.before, self.behind = ops.Mul(), ops.Mul()
        if ring:
            self.attention.add_prim_attr("enable_ring_attention", True)
        if strategy:
            self.attention.shard(strategy)
            self.before.shard((sequence, ()))
            self.behind.shard((sequence, ()))

    def construct(self, query, key, value, *others):
        query, key, value = (self.before(x, 1.1) for x in (query, key, value))
        return self.behind(self.attention(query, key, value, *others)[3], 0.9)


class Both(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, *inputs):
        def loss(*inputs):
            out = self.net(*inputs)
            return (out * ops.cos(out)).sum(), out

        (_, out), gradients = ms.value_and_grad(loss, (0, 1, 2), None, has_aux=True)(*inputs)
        return out, *gradients


def check(name, strategy, collective, inputs=(), mode=0, ring=False, sequence=(1, 1, 8, 1)):
    inputs = (QUERY, KEY, VALUE, *inputs)
    ms.set_devices(1)
    one = Both(Scores(None, mode, ring, None))(*inputs)
    ms.set_devices(8)
    both = Both(Scores(strategy, mode, ring, sequence))
    for found, wanted in zip(both(*inputs), one, strict=True):
        np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), rtol=2e-4, atol=1e-5, err_msg=name)
    entry = both.entry_for(*inputs)
    arrays = [x._data for x in inputs if x is not None]
    text = entry.program.run.lower(*entry.state.shapes(), arrays, ()).compile().as_text()
    assert f" {collective}(" in text or f" {collective}-start(" in text, name
    gathered = [line for line in text.splitlines() if " all-gather(" in line]
    assert len(gathered) <= 8, (name, gathered)  # the four results alone, along two axes
    if collective == "collective-permute" and all(
        x is not BIAS for x in inputs
    ):  # no device has all scores of its queries
        assert f",{LENGTH // sequence[2]},{LENGTH}]" not in text, name
    print(f"{name}: as one device", flush=True)


ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", full_batch=True)
RING = ((1, 1, 8, 1),) * 3
check("ring", RING, "collective-permute")
check("causal ring, heads divided too", (*((1, 2, 4, 1),) * 3, (4, 1)), "collective-permute",
      (None, None, None, LATER), 2, True, (1, 2, 4, 1))  # fmt: skip
check("ring with a bias and a mask", (*((2, 1, 4, 1),) * 3, (2, 1, 4, 1), (2, 1, 4, 1)), "collective-permute",
      (BIAS, None, None, SOME), 0, False, (2, 1, 4, 1))  # fmt: skip
kernels._MOST, kernels._BLOCK, kernels._ROWS = 0, 1 << 10, 8  # as long sequences are computed
check("ring in blocks", RING, "collective-permute")
check("all-to-all", ((2, 4, 1, 1),) * 3, "all-to-all", sequence=(2, 1, 4, 1))
