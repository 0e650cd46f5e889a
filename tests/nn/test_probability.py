"""Samples, divergences and arguments of distributions; their functions stand in cases_layers.py."""
import mindspore as ms
import mindspore.nn.probability.bijector as msb
import mindspore.nn.probability.distribution as msd
import numpy as np
import pytest
from mindspore import Tensor, nn

DISTRIBUTIONS = ["Normal(0.5, 2.0)", "LogNormal(0.1, 0.4)", "Uniform(-1.0, 3.0)", "Exponential(1.5)", "Gumbel(0.5, "
                                                                                                      "2.0)",
                 "Logistic(0.5, 2.0)", "Gamma([2.0], [1.5])", "Beta([2.0], [1.5])", "Bernoulli(0.3)", "Geometric(0.3)",
                 "Poisson([1.5])", "Categorical([0.2, 0.3, 0.5])"]


@pytest.mark.parametrize("text", DISTRIBUTIONS)
def test_samples_have_the_moments(text):
    dist = eval(f"msd.{text}")
    values = dist.sample((20000,))
    assert values.dtype == dist.dtype
    values = values.asnumpy().astype(np.float64)
    mean, sd = (float(f().asnumpy().reshape(())) for f in (dist.mean, dist.sd))
    assert abs(values.mean() - mean) < 5 * sd / np.sqrt(20000)
    np.testing.assert_allclose(values.std(), sd, rtol=0.06)
    again = dist.sample((3,)).asnumpy()
    assert again.shape[0] == 3 and not np.array_equal(again, dist.sample((3,)).asnumpy()) or text[:2] in ("Be", "Ca",
                                                                                                          "Ge")


def test_cauchy_samples_have_the_quartiles():
    values = msd.Cauchy(0.5, 2.0).sample((20000,)).asnumpy()
    np.testing.assert_allclose(np.quantile(values, [0.25, 0.5, 0.75]), [-1.5, 0.5, 2.5], atol=0.15)


@pytest.mark.parametrize("name, other", [("Normal(0.5, 2.0)", (1.0, 1.5)), ("LogNormal(0.5, 1.0)", (0.0, 1.5)),
                                         ("Exponential(1.5)", (0.5,)),
                                         ("Gumbel(0.5, 2.0)", (0.0, 2.5)), ("Gamma(2.0, 1.5)", (1.0, 1.0)),
                                         ("Beta(2.0, 1.5)", (1.0, 1.0)),
                                         ("Bernoulli(0.3)", (0.6,)), ("Geometric(0.3)", (0.6,)),
                                         ("Cauchy(0.5, 2.0)", (0.0, 1.0))])
def test_divergence_is_the_integral(name, other):
    """kl_loss against sum of p log(p / q) over a fine grid."""
    kind = name.split("(")[0]
    one, two = eval(f"msd.{name}"), getattr(msd, kind)(*other)
    if one.dtype == ms.int32:
        grid, width = np.arange(0, 2 if kind == "Bernoulli" else 200), 1.0
    else:
        low, high = {"Beta": (1e-6, 1 - 1e-6), "Normal": (-20, 20), "Gumbel": (-15, 60),
                     "Cauchy": (-40000, 40000)}.get(kind, (1e-6, 200))
        grid = np.linspace(low, high, 4_000_001)
        width = grid[1] - grid[0]
    x = Tensor(grid, ms.float32 if one.dtype != ms.int32 else ms.int32)
    p, q = one.log_prob(x).asnumpy().astype(np.float64), two.log_prob(x).asnumpy().astype(np.float64)
    expected = (np.exp(p) * np.where(np.exp(p) > 0, p - q, 0)).sum() * width
    np.testing.assert_allclose(float(one.kl_loss(kind, *[Tensor(v, ms.float32) for v in other])), expected, rtol=0.02,
                               atol=2e-3)


def test_parameters_of_the_call(mode):
    dist = msd.Normal(dtype=ms.float32)
    x, mean, sd = Tensor([1.0, 2.0]), Tensor([0.0, 1.0]), Tensor(2.0)
    np.testing.assert_array_equal(dist.log_prob(x, mean, sd).asnumpy(), msd.Normal(mean, sd).log_prob(x).asnumpy())

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dist = dist

        def construct(self, x, mean, sd):
            return self.dist("prob", x, mean, sd), self.dist.mean(mean, sd)
    prob, found = Net()(x, mean, sd)
    np.testing.assert_allclose(prob.asnumpy(), msd.Normal(mean, sd).prob(x).asnumpy(), rtol=1e-6)
    np.testing.assert_array_equal(found.asnumpy(), mean.asnumpy())


@pytest.mark.parametrize("call, error", [
    (lambda: msd.Normal(0.0, -1.0), ValueError), (lambda: msd.Normal().mean(), TypeError),
    (lambda: msd.Normal(0.0, 1.0).prob(1.0), TypeError),
    (lambda: msd.Normal(0.0, 1.0).kl_loss("Uniform", Tensor(0.0), Tensor(1.0)), ValueError),
    (lambda: msd.Normal(0.0, 1.0, dtype=ms.int32), TypeError),
    (lambda: msd.Uniform(1.0, 0.0), ValueError), (lambda: msd.Bernoulli(2.0), ValueError),
    (lambda: msd.Categorical([0.2, 0.2]), ValueError),
    (lambda: msd.Cauchy(0.0, 1.0).mean(), ValueError), (lambda: msd.Normal("a", 1.0), TypeError),
    (lambda: msb.Invert(3), TypeError),
    (lambda: msb.PowerTransform(-1.0), ValueError), (lambda: msb.Exp().forward(1.0), TypeError)])
def test_wrong_argument(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize("text", ["Exp()", "Softplus(2.0)", "ScalarAffine(2.0, 0.5)", "PowerTransform(0.5)",
                                  "GumbelCDF(0.5, 2.0)", "Invert(msb.Exp())"])
def test_bijector_and_its_inverse(text):
    bijector = eval(f"msb.{text}", {"msb": msb, **vars(msb)})
    x = Tensor([0.3, 0.8, 1.5])
    y = bijector.forward(x)
    np.testing.assert_allclose(bijector.inverse(y).asnumpy(), x.asnumpy(), rtol=1e-4)
    slope = np.log(np.abs(ms.grad(lambda x: bijector.forward(x).sum())(x).asnumpy()))
    np.testing.assert_allclose(np.broadcast_to(bijector.forward_log_jacobian(x).asnumpy(), 3), slope, rtol=1e-4,
                               atol=1e-5)
    np.testing.assert_allclose(np.broadcast_to(bijector.inverse_log_jacobian(y).asnumpy(), 3), -slope, rtol=1e-4,
                               atol=1e-5)


def test_transformed():
    log_normal = msd.TransformedDistribution(msb.Exp(), msd.Normal(0.5, 1.0))
    x = Tensor([0.5, 2.0])
    for what in ("prob", "log_prob", "cdf", "log_cdf", "survival_function"):
        np.testing.assert_allclose(getattr(log_normal, what)(x).asnumpy(),
                                   getattr(msd.LogNormal(0.5, 1.0), what)(x).asnumpy(), rtol=1e-5)
    assert log_normal.sample((5,)).shape == (5,)


@pytest.mark.parametrize("text, x", [("DenseReparam(3, 2, activation='relu')", np.ones((4, 3))),
                                     ("DenseLocalReparam(3, 2)", np.ones((4, 3))),
                                     ("ConvReparam(3, 2, 3, has_bias=True)", np.ones((1, 3, 4, 4)))])
def test_bayesian_layers(text, x, mode):
    from mindspore.nn.probability import bnn_layers
    net, x = eval(f"bnn_layers.{text}"), Tensor(x.astype(np.float32))
    out = net(x).asnumpy()
    assert not np.array_equal(out, net(x).asnumpy())                                   # weights are drawn at each call
    names = [p.name for p in net.trainable_params()]
    assert names == [f"{part}_posterior.{what}" for part in ("weight", "bias")
                     for what in ("mean", "untransformed_std")]
    loss = bnn_layers.WithBNNLossCell(net, nn.MSELoss(), 0, 0.5)
    value, grads = ms.value_and_grad(loss, None, net.trainable_params())(x, Tensor(np.zeros(out.shape, np.float32)))
    np.testing.assert_allclose(float(value), 0.5 * float(net.compute_kl_loss()), rtol=1e-4)
    assert all(g.asnumpy().any() for g in grads)
