"""A causal mask that a network builds is told from one that is nearly causal, and attention gives what the dense mask gives."""

import importlib

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

from msjax.core.operators.record import records

kernels = importlib.import_module("msjax.ops.attention.kernels")
S = 128
LOWER = np.tril(np.ones((S, S), np.float32))


class Attends(nn.Cell):
    """Attention behind a mask that `build` makes of the Cell and the query: added, or bool and True where hidden."""

    def __init__(self, build):
        super().__init__()
        self.build = build
        self.lower = Tensor(LOWER)
        self.long = Tensor(np.tril(np.ones((1, 1, 2 * S, 2 * S))), ms.bool_)
        self.fixed = Parameter(Tensor(LOWER), name="fixed", requires_grad=False)
        self.trained = Parameter(Tensor(LOWER), name="trained")
        self.tril = nn.Tril()

    def construct(self, x, given):
        mask = self.build(self, x, given)
        if mask.dtype != ms.bool_:
            return records["attention_of_heads"](x, x, x, (mask,), 0.5)
        return ops.flash_attention_score(x, x, x, 2, attn_mask=mask, scalar_value=0.5, input_layout="BNSD")


def changed():
    """A mask of an array that is changed behind its first use."""
    array = np.triu(np.ones((S, S), np.float32), 1)
    masks = [ops.logical_and(ones(ms.bool_), array == 1)]
    array[60, 70] = 0
    masks.append(ops.logical_and(ones(ms.bool_), array == 1))
    return ops.stack(masks).expand_dims(1)


def ones(dtype=ms.float32):
    return ops.ones((S, S), dtype)


HIDDEN = {
    "1 - tril": lambda net, x, given: (1 - ops.tril(ones())).astype(ms.bool_),
    "triu": lambda net, x, given: ops.triu(ones(), 1) == 1,
    "the layer": lambda net, x, given: ops.logical_not(net.tril(ones()).astype(ms.bool_)),
    "comparison": lambda net, x, given: ops.arange(S).expand_dims(0) > ops.arange(S).reshape(-1, 1),
    "attribute": lambda net, x, given: (1 - net.lower).astype(ms.bool_),
    "its part": lambda net, x, given: ops.logical_not(net.long[:, :, : x.shape[2], : x.shape[2]]),
    "fixed Parameter": lambda net, x, given: net.fixed == 0,
    "NumPy": lambda net, x, given: Tensor(np.triu(np.ones((S, S)), 1), ms.bool_).expand_dims(0),
    "where": lambda net, x, given: ops.where(ops.tril(ones(ms.int32)) == 1, 0.0, 1.0).astype(ms.bool_),
    "masked_fill": lambda net, x, given: ops.zeros((S, S)).masked_fill(ops.triu(ones(), 1).astype(ms.bool_), -1e9) != 0,
    "times -1e4": lambda net, x, given: (1 - ops.tril(ones())) * -10000.0,
    "times -1e4 of the layer, in half": lambda net, x, given: (1.0 - net.lower.astype(ms.bfloat16)) * -10000.0,
    "masked_fill -inf": lambda net, x, given: ops.zeros((S, S)).masked_fill(ops.triu(ones(), 1) == 1, float("-inf")),
    "where lowest": lambda net, x, given: ops.where(
        net.long[:, :, :S, :S], Tensor(0.0), Tensor(float(np.finfo(np.float32).min))
    ),
    "triu of -inf": lambda net, x, given: ops.triu(ops.full((S, S), float("-inf"), dtype=ms.float32), 1),
    "for each sequence": lambda net, x, given: ops.broadcast_to(
        ((1 - ops.tril(ones())) * -1e9)[None, None], (x.shape[0], 2, S, S)
    ),
    "a grid": lambda net, x, given: ops.greater(*ops.meshgrid(ops.arange(S), ops.arange(S), indexing="xy")),
    "a band": lambda net, x, given: ops.MatrixBandPart()(ones(), -1, 0) == 0,
    "like an input": lambda net, x, given: ops.triu(ops.ones_like(given), 1) == 1,
    "numpy's": lambda net, x, given: ms.numpy.tril(ms.numpy.ones((S, S))) == 0,
}
NEARLY = {
    "diagonal": lambda net, x, given: (1 - ops.tril(ones(), -1)).astype(ms.bool_),
    "one more": lambda net, x, given: ops.triu(ones(), 2) == 1,
    "transposed": lambda net, x, given: ops.tril(ones(), -1) == 1,
    "one element": lambda net, x, given: ops.triu(ones(), 1).astype(ms.bool_) & (ops.arange(S * S).reshape(S, S) != 5),
    "of the input": lambda net, x, given: (1 - given).astype(ms.bool_),
    "beside the input": lambda net, x, given: ops.logical_or(ops.triu(ones(), 1) == 1, x[:, :1, :, :1] > 9),
    "trained Parameter": lambda net, x, given: net.trained == 0,
    "of each sequence": lambda net, x, given: ops.stack((ops.triu(ones(), 1), ops.triu(ones(), 2))).expand_dims(1) == 1,
    "too little": lambda net, x, given: (1 - ops.tril(ones())) * -3.0,
    "the sign": lambda net, x, given: (1 - ops.tril(ones())) * 3.0,
    "tril of it": lambda net, x, given: ops.tril(ones()) * -10000.0,
    "more than 0": lambda net, x, given: (1 - ops.tril(ones())) * -10000.0 + 0.5,
    "slopes": lambda net, x, given: ops.triu(ones(), 1) * -1e9 + ops.arange(S).astype(ms.float32) * 0.01,
    "times the input": lambda net, x, given: (1 - ops.tril(ones())) * given.sum() * -10000.0,
    "like an input, times it": lambda net, x, given: ops.triu(ops.zeros_like(given) + given, 1) == 1,
    "an array that Python changes": lambda net, x, given: changed(),
    "random": lambda net, x, given: (ops.triu(ones(), 1) + ops.rand(S, S) * 0) == 1,
}


@pytest.fixture
def seen(monkeypatch):
    """Whether attention was causal, for each time that it was traced."""
    found, ready = [], kernels.Inputs.ready

    def noted(self):
        made = ready(self)
        found.append((made.hidden.causal, len(made.hidden.dense) + len(made.biases)))
        return made

    monkeypatch.setattr(kernels.Inputs, "ready", noted)
    return found


def values(build, mode):
    ms.set_context(mode=mode)
    x = Tensor(np.random.RandomState(0).randn(2, 2, S, 8).astype(np.float32))
    net = Attends(build)
    out, gradient = ms.value_and_grad(lambda x, m: (net(x, m) ** 2).sum())(x, Tensor(LOWER))
    return out.asnumpy(), gradient.asnumpy()


@pytest.mark.parametrize("name", [*HIDDEN, *NEARLY])
def test_masks_that_construct_builds(name, seen):
    build = {**HIDDEN, **NEARLY}[name]
    found = values(build, ms.GRAPH_MODE)
    assert {causal for causal, _ in seen} == {name in HIDDEN}
    if name in HIDDEN:
        assert all(left == 0 for _, left in seen)
    for ours, plain in zip(found, values(build, ms.PYNATIVE_MODE), strict=True):
        np.testing.assert_allclose(ours, plain, rtol=2e-5, atol=2e-5)


def test_a_changed_mask_is_traced_again(seen):
    ms.set_context(mode=ms.GRAPH_MODE)
    net, x = Attends(HIDDEN["attribute"]), Tensor(np.random.RandomState(0).randn(2, 2, S, 8).astype(np.float32))
    net(x, x)
    first = net(x, x).asnumpy()
    assert [causal for causal, _ in seen] == [True]
    net.lower[0, 5] = 1.0
    second = net(x, x).asnumpy()
    assert [causal for causal, _ in seen] == [True, False]
    assert abs(first - second)[:, :, 0].max() > 1e-4 and np.array_equal(first[:, :, 1:], second[:, :, 1:])


def test_equal_masks_of_layers_are_looked_at_once(monkeypatch):
    known = importlib.import_module("msjax.core.operators.known")
    looks, answer = [], known._answer
    monkeypatch.setattr(known, "_answer", lambda *a: looks.append(a) or answer(*a))
    ms.set_context(mode=ms.GRAPH_MODE)
    x = Tensor(np.ones((1, 2, S, 8), np.float32))
    net = nn.SequentialCell([Twice(HIDDEN["1 - tril"]), Twice(HIDDEN["1 - tril"])])
    net(x)
    assert len(looks) == 1


class Twice(Attends):
    def construct(self, x):
        return super().construct(super().construct(x, x), x)


@pytest.mark.parametrize("layer", ["nn.MultiheadAttention", "nn.transformer.MultiHeadAttention"])
def test_layers_with_masks_that_construct_builds(layer, seen, monkeypatch):
    monkeypatch.setattr(importlib.import_module("msjax.ops.attention.multi_head"), "better_fused", lambda *a: True)
    ms.set_context(mode=ms.GRAPH_MODE)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            if layer == "nn.MultiheadAttention":
                self.layer = nn.MultiheadAttention(16, 2, batch_first=True)
            else:
                self.layer = nn.transformer.MultiHeadAttention(2, S, S, 16, 2, 0.0, 0.0, ms.float32, ms.float32)

        def construct(self, x):
            lower = ops.tril(ops.ones((S, S)))
            if layer == "nn.MultiheadAttention":
                return self.layer(x, x, x, need_weights=False, attn_mask=lower == 0)[0]
            return self.layer(x, x, x, ops.broadcast_to(lower, (2, S, S)))[0]

    Net().set_train(False)(Tensor(np.ones((2, S, 16), np.float32)))
    assert seen == [(True, 0)]


@pytest.mark.parametrize("as_attribute", [True, False])
def test_a_mask_that_recomputed_layers_get_is_known(as_attribute, seen):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Outer(as_attribute)
    gradient = ms.jit(ms.grad(net))
    x = Tensor(np.random.RandomState(0).randn(1, 2, S, 8).astype(np.float32))
    first = gradient(x).asnumpy()
    assert {causal for causal, _ in seen} == {True}
    if as_attribute:
        net.later[60, 70] = 0
        second = gradient(x).asnumpy()
        assert abs(first - second).max() > 1e-4 and not seen[-1][0]


class Inner(nn.Cell):
    def construct(self, x, mask):
        return ops.flash_attention_score(x, x, x, 2, attn_mask=mask, scalar_value=0.5, input_layout="BNSD")


class Outer(nn.Cell):
    def __init__(self, as_attribute):
        super().__init__()
        self.inner, self.as_attribute = Inner(), as_attribute
        self.inner.recompute()
        self.later = Tensor(1 - LOWER)

    def construct(self, x):
        return self.inner(x, self.later if self.as_attribute else 1 - ops.tril(ones()))
