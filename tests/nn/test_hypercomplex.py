"""Layers of numbers with two parts: products against matrices of the numbers, normalization as MindSpore's own layers gave it."""

import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, nn
from msjax.nn.hypercomplex import complex, double, dual

KINDS = {"complex": (complex, -1, {}), "double": (double, 1, {}), "dual": (dual, 0, {})}
KINDS |= {"karatsuba": (complex, -1, {"use_karatsuba": True}), "diagonal": (double, None, {"has_diagonal_form": True})}


def numbers(*shape):
    return np.sin(np.arange(np.prod(shape), dtype=np.float32) * 1.7).reshape(shape)


def times(square, x, y, a, b):
    """(x + y u) (a + b u) in float64, where u * u is the square; None: the diagonal form."""
    x, y, a, b = (part.astype(np.float64) for part in (x, y, a, b))
    return (x @ a, y @ b) if square is None else (x @ a + square * (y @ b), x @ b + y @ a)


def weights(net, square):
    """Both parts of the weight of a dense layer or a convolution, as a matrix to multiply with."""
    kept = {p.name.rpartition(".")[2]: p.asnumpy() for p in net.get_parameters()}
    a, b = (kept[name].reshape(len(kept[name]), -1).T for name in ("weight_x", "weight_y"))
    # MindSpore keeps the weights of double numbers in their diagonal form
    return (a + b, a - b) if square == 1 else (a, b)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize("kind", KINDS)
def test_products(kind, mode):
    ms.set_context(mode=mode)
    module, square, options = KINDS[kind]
    u = numbers(2, 3, 4)
    dense = module.Dense(4, 5, numbers_tensor(2, 5, 4), has_bias=False, **options)
    np.testing.assert_allclose(dense(Tensor(u)).asnumpy(), times(square, *u, *weights(dense, square)), atol=1e-5)
    images = numbers(2, 2, 4, 1, 3)
    conv = module.Conv2d(4, 5, 1, weight_init=numbers_tensor(2, 5, 4, 1, 1), **options)
    flat = images.transpose(0, 1, 3, 4, 2).reshape(2, 6, 4)
    wanted = np.stack(times(square, *flat, *weights(conv, square))).reshape(2, 2, 1, 3, 5).transpose(0, 1, 4, 2, 3)
    np.testing.assert_allclose(conv(Tensor(images)).asnumpy(), wanted, atol=1e-5)


def numbers_tensor(*shape):
    return Tensor(numbers(*shape) * 0.5 + 0.1)


# of sin(1.7 i): the first outputs, the first gradients of the sum of cubes, the variances kept
NORMALIZED = {
    "complex": ((-0.812369, 1.66271, 0.549905, -1.63841), (-2.00252, 2.32994, -1.68875, 2.52769), (0.998511, 0.996729)),
    "double": ((0.658477, 0.277215, -0.842554, -0.172741), (0.513374, -1.12501, 1.65651, -1.69068), (1.05407, 1.07797)),
    "diagonal": (
        (0.00604037, 1.09059, -0.273437, -1.00649),
        (-1.83789, 2.29754, -1.59269, 1.27058),
        (0.983604, 0.970352),
    ),
    "dual": (
        (0.00515737, 0.931166, -0.233465, -0.859361),
        (-0.807563, 0.407833, 0.337868, -0.38393),
        (1.01468, 1.02167),
    ),
}


@pytest.mark.parametrize("kind", NORMALIZED)
def test_normalization(kind):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    module, _, options = KINDS[kind]
    net = module.BatchNorm2d(2, **(options if module is double else {}))
    net.set_train()
    u = Tensor(numbers(2, 2, 2, 2, 2))
    out = net(u).asnumpy().ravel()
    kept = net.op.moving_sigma2.asnumpy()
    gradient = ms.grad(lambda t: (net(t) ** 3).sum())(u).asnumpy().ravel()
    for found, wanted in zip((out[:4], gradient[:4], kept), NORMALIZED[kind]):
        np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=1e-5)
    net.set_train(False)
    assert net(u).shape == u.shape


def test_complex64_and_other_layers():
    z = Tensor(numbers(3, 4) + 1j * numbers(3, 4)[::-1])
    both = ms.ops.stack((ms.ops.real(z), ms.ops.imag(z)))
    net = complex.Dense(4, 2)
    np.testing.assert_allclose(net(z).asnumpy().imag, net(both).asnumpy()[1], rtol=1e-6)
    assert complex.ReLU()(z).asnumpy().real.min() == 0
    assert double.ReLU(has_diagonal_form=True)(both).shape == (2, 3, 4)
    assert dual.ReLU is nn.ReLU
    assert str(complex.MaxPool2d(2, 2)) == "MaxPool2d(kernel_size=2, stride=2, pad_mode=VALID)"
    assert complex.MaxPool2d(2, 2)(Tensor(numbers(2, 1, 1, 4, 4))).shape == (2, 1, 1, 2, 2)
    a, b = numbers(2, 3, 4), numbers(2, 4, 2)
    np.testing.assert_allclose(dual.matmul(Tensor(a), Tensor(b)).asnumpy(), times(0, *a, *b), atol=1e-5)
    with pytest.raises(ValueError, match="first dimension should be 2"):
        net(Tensor(numbers(3, 4)))
    with pytest.raises(ValueError, match="must have 5 dims"):
        dual.BatchNorm2d(2)(Tensor(numbers(2, 2, 2, 2)))
    with pytest.raises(TypeError, match="dtype must be equal"):
        complex.Dense(4, 2, Tensor(np.zeros((2, 4), np.complex64)))(both)


def test_they_train():
    """A small convolutional network of dual numbers learns which half of a picture is bright."""
    ms.set_seed(1)
    labels = np.arange(16) % 2
    pictures = np.random.default_rng(0).normal(size=(2, 16, 1, 8, 8), scale=0.3).astype(np.float32)
    pictures[0, labels == 1, :, 4:] += 1

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.body = nn.SequentialCell(
                dual.Conv2d(1, 4, 3, has_bias=True), dual.BatchNorm2d(4), dual.ReLU(), dual.AvgPool2d(4, 4)
            )
            self.head = dual.Dense(16, 2)

        def construct(self, u):
            return self.head(self.body(u).reshape(2, -1, 16)).sum(axis=0)

    net = Net()
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")),
        nn.Adam(net.trainable_params(), 0.05),
    ).set_train()
    losses = [float(step(Tensor(pictures), Tensor(labels.astype(np.int32)))) for _ in range(20)]
    assert losses[-1] < 0.3 * losses[0]


def test_old_paths():
    import mindspore.hypercomplex.hypercomplex.hc_pool as pools
    from mindspore.hypercomplex.complex.complex_operators import Conv1d
    from mindspore.hypercomplex.dual.dual_functions import matmul
    from mindspore.hypercomplex.dual.dual_operators import Dense
    from mindspore.hypercomplex.utils import get_x_and_y

    assert (Conv1d, matmul, Dense) == (complex.Conv1d, dual.matmul, dual.Dense)
    assert pools.MaxPool1d is dual.MaxPool1d
    assert [int(part) for part in get_x_and_y(Tensor([3, 4]))] == [3, 4]
