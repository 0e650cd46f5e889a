"""`set_inputs(Tensor(shape=[None, 3]))`: lengths that share a program give what each gives by itself."""

import warnings

import numpy as np
import pytest

import msjax
import msjax as ms
from msjax import Tensor, nn, ops
from msjax.core.trace.lengths import buckets
from msjax.core.values.tensor import on_device

LENGTHS = (13, 11, 16)  # all are padded to 16


class Function(nn.Cell):
    """A function as a Cell."""

    def __init__(self, function, **cells):
        super().__init__()
        self.function = function
        for name, cell in cells.items():
            setattr(self, name, cell)

    def construct(self, *inputs):
        return self.function(self, *inputs)


def numbers(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def whole(*shape):
    return np.random.default_rng(sum(shape)).integers(0, 7, shape)


def labels(n):
    return whole(n).astype(np.int32)


def trained(net, loss):
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Adam(net.trainable_params(), 0.01)).set_train()
    return step


def steps(self, x):
    total, i = x.sum(0), 0
    while total.sum() < 50 and i < 4:
        total, i = total + ops.abs(x).max(0), i + 1
    return total


def image_net():
    return nn.SequentialCell(
        nn.Conv2d(2, 3, 3),
        nn.BatchNorm2d(3),
        nn.ReLU(),
        nn.MaxPool2d(2, 2),
        nn.AvgPool2d(2),
        nn.Flatten(),
        nn.Dense(27, 4),
    )


def recomputed_net():
    net = nn.SequentialCell(nn.Dense(3, 8), nn.Tanh(), nn.Dense(8, 2))
    net.recompute()
    return net


F, L = (
    (lambda f, **cells: lambda: Function(f, **cells)),
    lambda *shape: lambda n: numbers(*[n if s is None else s for s in shape]),
)
# name -> (network, its inputs at a length)
CASES = {
    "rows": (lambda: nn.SequentialCell(nn.Dense(3, 8), nn.LayerNorm((8,)), nn.GELU(), nn.Dense(8, 2)), [L(None, 3)]),
    "moments": (F(lambda s, x: (x.mean(0), x.std(0), x.var(), x.max(), x.argmin(0), ops.prod(x, 0), (x > 0).all())), [L(None, 3)]),
    "softmax": (F(lambda s, x: (ops.softmax(x, 0), ops.logsumexp(x, 0), ops.log_softmax(x, 0))), [L(None, 3)]),
    "products": (F(lambda s, x: (ops.matmul(x.T, x), ops.matmul(x, x.T), ops.einsum("ij,kj->ik", x, x))), [L(None, 3)]),
    "pieces": (F(lambda s, x: (x[1:], x[:-2], x[-1], x[-3:], x[2], x[:5], x[::-1], x[:, :, None])), [L(None, 3)]),
    "joined": (F(lambda s, x: (ops.cat((x, x)), ops.cat((x[:2], x, x[1:])), ops.stack((x, x)), ops.cat((x, x), 1))), [L(None, 3)]),
    "padded": (F(lambda s, x: (ops.pad(x, (0, 0, 1, 2), value=7.0), ops.flip(x, (0,)), ops.roll(x, 2, 0))), [L(None, 3)]),
    "sums along": (F(lambda s, x: (x.cumsum(0), ops.cumprod(x, 0), ops.flip(ops.cumsum(ops.flip(x, (0,)), 0), (0,)))), [L(None, 3)]),
    "sorted": (F(lambda s, x: (ops.sort(x, 0)[0], x.argsort(0), ops.topk(x.T, 4)[0], ops.topk(x.T, 4)[1])), [L(None, 3)]),
    "its length": (F(lambda s, x: (x / x.shape[0], ops.arange(x.shape[0]), ops.ones_like(x), x.shape[0], x * len(x))), [L(None, 3)]),
    "reshaped": (F(lambda s, x: (x.reshape(-1), x.view(-1, 3, 1), x.reshape(x.shape[0], 1, 3).swapaxes(0, 2))), [L(None, 3)]),
    "a table": (lambda: Function(lambda s, i: s.e(i), e=nn.Embedding(7, 4)), [lambda n: whole(n)]),
    "taken": (F(lambda s, x: (ops.gather(x, Tensor([0, 5, 3]), 0), x[Tensor([1, -1])], x[-4], ops.gather(x, ops.argmax(x, 0), 0))), [L(None, 3)]),
    "written": (F(lambda s, x, i: (ops.one_hot(i, 7), ops.zeros((7,)).index_add(0, i, x))), [L(None), lambda n: whole(n)]),
    "losses": (F(lambda s, x, i: (ops.cross_entropy(x, i), ops.nll_loss(x, i), ops.mse_loss(x, x * 2), ops.l1_loss(x, x + 1))), [L(None, 7), labels]),
    "images": (image_net, [L(None, 2, 8, 8)]),
    "along images": (lambda: nn.Conv1d(3, 4, 3, pad_mode="pad", padding=1), [L(2, 3, None)]),
    "attention": (lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True).set_train(False), [L(2, None, 8)]),
    "two lengths": (F(lambda s, q, k: ops.matmul(ops.softmax(ops.matmul(q, k.swapaxes(1, 2)), -1), k)), [L(2, None, 8), lambda n: numbers(2, n - 2, 8)]),
    "recurrent": (lambda: nn.LSTM(3, 4, batch_first=True, bidirectional=True), [L(2, None, 3)]),
    "recurrent batch": (lambda: nn.GRU(3, 4), [L(5, None, 3)]),
    "a loop": (F(steps), [L(None, 3)]),
    "a training step": (lambda: trained(nn.SequentialCell(nn.Dense(3, 8), nn.Tanh(), nn.Dense(8, 7)), nn.CrossEntropyLoss()), [L(None, 3), labels]),
    "a training step computed again": (lambda: trained(recomputed_net(), nn.MSELoss()), [L(None, 3), L(None, 2)]),
    "a training step of images": (lambda: trained(image_net(), nn.MSELoss()), [L(None, 2, 8, 8), L(None, 4)]),
    "a training step of a table": (lambda: trained(nn.SequentialCell(nn.Embedding(7, 4), nn.Dense(4, 1)), nn.MSELoss()), [lambda n: whole(n), L(None, 1)]),
    "batches of rows": (F(lambda s, x: (x.reshape(-1, 2), x.reshape(-1, 2).reshape(4, -1, 2), x.swapaxes(0, 1).reshape(-1))), [L(4, None, 2)]),
    "dropout": (lambda: nn.SequentialCell(nn.Dense(3, 8), nn.Dropout(p=0.5)).set_train(), [L(None, 3)]),
}  # fmt: skip


def arrays(result, found=None):
    """The arrays of a result."""
    found = [] if found is None else found
    for part in result if isinstance(result, (list, tuple)) else [result]:
        if isinstance(part, (list, tuple)):
            arrays(part, found)
        else:
            found.append(part.asnumpy() if isinstance(part, Tensor) else np.array(part))
    return found


def run(name, open_lengths):
    """(results of the calls, Parameters after them, the network)"""
    make, builders = CASES[name]
    ms.set_seed(1)
    net = make()
    if open_lengths:
        shapes = [[[a, b] for a, b in zip(f(13).shape, f(14).shape)] for f in builders]
        net.set_inputs(
            *[
                Tensor(shape=[a if a == b else None for a, b in shape], dtype=Tensor(f(13)).dtype)
                for shape, f in zip(shapes, builders)
            ]
        )
    results = [arrays(net(*[Tensor(f(n)) for f in builders])) for n in LENGTHS]
    return results, [p.asnumpy() for p in net.get_parameters()], net


def garbage(array, shape, sizes):
    """What is behind is of no meaning: it is something else each time."""
    if not buckets.is_open(shape):
        return array
    wanted = buckets._sized(shape, sizes)
    fill = np.full(wanted, 3 if np.asarray(array).dtype.kind in "iu" else 1e4, np.asarray(array).dtype)
    fill[tuple(slice(n) for n in array.shape)] = np.asarray(array)
    return on_device(fill)


@pytest.fixture
def graph():
    mode = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=mode)


@pytest.mark.parametrize("name", CASES)
def test_lengths_that_share_a_program(graph, monkeypatch, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, kept, net = run(name, True)
    reasons = msjax.explain(net).reasons
    assert sum(not r.endswith("of other lengths") for r in reasons) == 1 and len(reasons) == len(LENGTHS), reasons
    wanted, state, _ = run(name, False)
    for one, other in zip([*sum(found, []), *kept], [*sum(wanted, []), *state], strict=True):
        assert one.shape == other.shape and one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-6)
    monkeypatch.setattr(buckets, "_padded", garbage)
    for one, other in zip([*sum(found, []), *kept], [*sum(run(name, True)[0], []), *kept]):
        np.testing.assert_array_equal(one, other)


def test_what_is_declined_is_said(graph):
    net = Function(lambda self, x: ops.fft(x))
    net.set_inputs(Tensor(shape=[None], dtype=ms.float32))
    with pytest.warns(RuntimeWarning, match="a program for length 11 alone.*no rule"):
        one = net(Tensor(numbers(11)))
    other = net(Tensor(numbers(13)))  # said once
    np.testing.assert_allclose(one.asnumpy(), np.fft.fft(numbers(11)), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(other.asnumpy(), np.fft.fft(numbers(13)), rtol=1e-4, atol=1e-5)


def test_python_that_looks_at_the_length(graph):
    net = Function(
        lambda self, x: x.sum() * 10 if x.shape[0] == 13 else x.sum() / x.shape[0] if x.shape[0] > 13 else x.sum()
    )
    net.set_inputs(Tensor(shape=[None], dtype=ms.float32))
    found = [float(net(Tensor(np.ones(n, np.float32)))) for n in (9, 10, 1, 14, 15, 12)]
    assert found == [9, 10, 1, 1, 1, 12]
    with pytest.warns(RuntimeWarning, match="for length 13 alone"):
        assert float(net(Tensor(np.ones(13, np.float32)))) == 130


def test_a_length_that_grows_beyond_is_another_program(graph):
    net = nn.Dense(3, 2)
    net.set_inputs(Tensor(shape=[None, 3], dtype=ms.float32))
    for n in (3, 8, 9, 16, 17):
        assert net(Tensor(numbers(n, 3))).shape == (n, 2)
    shared = [reason.endswith("of other lengths") for reason in msjax.explain(net).reasons]
    assert shared == [False, True, False, True, False]


def test_decorators(graph):
    @ms.enable_dynamic(x=Tensor(shape=[None, 3], dtype=ms.float32))
    @ms.jit
    def total(x, k):
        return x.sum() * k

    assert [float(total(Tensor(np.ones((n, 3), np.float32)), 2)) for n in (9, 12)] == [54, 72]
    assert len(total.__wrapped__._compiled.buckets.forms) == 1

    @ms.jit(input_signature=(Tensor(shape=[None, 3], dtype=ms.float32),))
    def mean(x):
        return x.mean()

    assert [float(mean(Tensor(np.ones((n, 3), np.float32)))) for n in (9, 12)] == [1, 1]
    assert len(mean._compiled.buckets.forms) == 1


def test_gradients_from_outside(graph):
    """A tape asks for the program of the length itself."""
    net = nn.Dense(3, 2)
    net.set_inputs(Tensor(shape=[None, 3], dtype=ms.float32))
    x = Tensor(numbers(11, 3))
    net(x)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net._always_compile = True
    gradient = ms.grad(lambda x: net(x).sum())(x)
    np.testing.assert_allclose(gradient.asnumpy(), np.tile(net.weight.asnumpy().sum(0), (11, 1)), rtol=1e-5)
