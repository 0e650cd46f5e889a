"""Attention of plain operators behind a causal mask goes to the device's kernel, and nothing else does."""

import importlib

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

accelerators, chains, kernels = (
    importlib.import_module(f"msjax.ops.attention.{n}") for n in ("accelerators", "chains", "kernels")
)
S, D = 128, 8
LOWER = np.tril(np.ones((S, S), np.float32))


class Net(nn.Cell):
    """Attention whose weights `weigh` makes of the Cell and the scores."""

    def __init__(self, weigh):
        super().__init__()
        self.weigh = weigh
        self.lower, self.bias = Tensor(LOWER), Tensor(np.tril(np.ones((1, 1, 2 * S, 2 * S))), ms.bool_)
        self.trained, self.root = Parameter(Tensor(LOWER), name="trained"), Tensor(8**0.5, ms.float32)
        self.softmax, self.product, self.turned = nn.Softmax(-1), ops.BatchMatMul(), ops.BatchMatMul(transpose_b=True)
        self.dropout = nn.Dropout(p=0.5)

    def construct(self, q, k, v):
        return self.weigh(self, q, k, v)


def scores(q, k):
    return ops.matmul(q, k.swapaxes(2, 3)) / D**0.5


def later():
    return ops.triu(ops.ones((S, S)), 1)


def softmax(x):
    return ops.softmax(x, axis=-1)


TAKEN = {
    "added": lambda n, q, k, v: ops.matmul(softmax(scores(q, k) + (1 - ops.tril(ops.ones((S, S)))) * -10000.0), v),
    "masked_fill": lambda n, q, k, v: ops.bmm(softmax(scores(q, k).masked_fill(later() == 1, float("-inf"))), v),
    "where": lambda n, q, k, v: ops.matmul(
        softmax(ops.where(n.bias[:, :, :S, :S], scores(q, k), Tensor(np.finfo(np.float32).min, ms.float32))), v
    ),
    "layers": lambda n, q, k, v: n.product(n.softmax(n.turned(q, k) / n.root + (n.lower - 1) * 1e9), v),
    "GPT-2 of 2019": lambda n, q, k, v: ops.matmul(softmax(scores(q, k) * n.lower - 1e10 * (1 - n.lower)), v),
    "casts": lambda n, q, k, v: ops.matmul(
        n.softmax(scores(q, k).astype(ms.float32) + later() * -1e9).astype(q.dtype), v
    ),
    "casts to the same": lambda n, q, k, v: ops.matmul(
        ops.cast(softmax(ops.cast(scores(q, k), ms.float32) + later() * -1e9), ms.float32), v
    ),
    "scaled before": lambda n, q, k, v: (softmax(ops.mul(q @ (k * 0.5).swapaxes(-1, -2), 0.5) + later() * -1e5)) @ v,
    "three axes": lambda n, q, k, v: ops.bmm(
        softmax(ops.bmm(q[:, 0], k[:, 0].swapaxes(1, 2)) + later() * -1e9), v[:, 0]
    ),
}
LEFT = {
    "no mask": lambda n, q, k, v: ops.matmul(softmax(scores(q, k)), v),
    "scaled behind the mask": lambda n, q, k, v: ops.matmul(softmax((scores(q, k) + later() * -1e4) * 0.01), v),
    "one key more": lambda n, q, k, v: ops.matmul(softmax(scores(q, k) + ops.triu(ops.ones((S, S)), 2) * -1e9), v),
    "trained mask": lambda n, q, k, v: ops.matmul(softmax(scores(q, k).masked_fill(n.trained == 0, -1e9)), v),
    "not low": lambda n, q, k, v: ops.matmul(softmax(scores(q, k).masked_fill(later() == 1, -5.0)), v),
    "shown later": lambda n, q, k, v: ops.matmul(softmax(scores(q, k).masked_fill(n.lower == 1, -1e9)), v),
    "where the other way": lambda n, q, k, v: ops.matmul(
        softmax(ops.where(n.lower == 1, Tensor(-1e9), scores(q, k))), v
    ),
    "factor alone": lambda n, q, k, v: ops.matmul(softmax(scores(q, k) * n.lower), v),
    "something added": lambda n, q, k, v: ops.matmul(softmax(scores(q, k) + k[:, :, :1] @ q[:, :, :1].swapaxes(2, 3) + later() * -1e9), v),
    "alpha": lambda n, q, k, v: ops.matmul(softmax(ms.mint.add(scores(q, k), later() * -1e4, alpha=0.01)), v),
    "another axis": lambda n, q, k, v: ops.matmul(ops.softmax(scores(q, k) + later() * -1e9, axis=2), v),
    "transposed weights": lambda n, q, k, v: ops.bmm(softmax(scores(q, k) + later() * -1e9).swapaxes(2, 3), v),
    "dropout": lambda n, q, k, v: ops.matmul(n.dropout(softmax(scores(q, k) + later() * -1e9)), v) * 0 + v,
    "weights times two": lambda n, q, k, v: ops.matmul(softmax(scores(q, k) + later() * -1e9) * 2, v),
    "the second factor": lambda n, q, k, v: ops.matmul(v.swapaxes(2, 3), softmax(scores(q, k) + later() * -1e9)),
}  # fmt: skip


@pytest.fixture
def taken(monkeypatch):
    """How often the kernel of a device was taken, which is the plain formula here."""
    found = []

    def kernel(query, key, value, scale, biases, hidden):
        found.append(hidden.causal)
        return kernels._attend(query, key, value, scale, biases, hidden, None)[0]

    monkeypatch.setattr(chains, "present_device", lambda: "TPU")
    monkeypatch.setattr(accelerators, "kernel", lambda *a: kernel)
    ms.set_context(mode=ms.GRAPH_MODE)
    return found


def values(weigh):
    q, k, v = (Tensor(np.random.RandomState(i).randn(1, 2, S, D).astype(np.float32)) for i in range(3))
    net = Net(weigh)
    net.set_train()
    out, gradients = ms.value_and_grad(lambda q, k, v: (net(q, k, v) ** 2).sum(), (0, 1, 2))(q, k, v)
    return [out.asnumpy(), *(g.asnumpy() for g in gradients)]


@pytest.mark.parametrize("name", [*TAKEN, *LEFT])
def test_chains(name, taken, monkeypatch):
    weigh = {**TAKEN, **LEFT}[name]
    found = values(weigh)
    assert set(taken) == ({True} if name in TAKEN else set())
    if name in TAKEN:
        monkeypatch.undo()
        for ours, plain in zip(found, values(weigh), strict=True):
            np.testing.assert_allclose(ours, plain, rtol=2e-4, atol=2e-4)
