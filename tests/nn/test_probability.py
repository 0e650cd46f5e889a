"""Samples, divergences and arguments of distributions; their functions stand in cases_layers.py."""

import mindspore as ms
import mindspore.nn.probability.bijector as msb
import mindspore.nn.probability.distribution as msd
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops

DISTRIBUTIONS = [
    "Normal(0.5, 2.0)",
    "LogNormal(0.1, 0.4)",
    "Uniform(-1.0, 3.0)",
    "Exponential(1.5)",
    "Gumbel(0.5, 2.0)",
    "Logistic(0.5, 2.0)",
    "Gamma([2.0], [1.5])",
    "Beta([2.0], [1.5])",
    "Bernoulli(0.3)",
    "Geometric(0.3)",
    "Poisson([1.5])",
    "Categorical([0.2, 0.3, 0.5])",
]


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
    assert (
        again.shape[0] == 3 and not np.array_equal(again, dist.sample((3,)).asnumpy()) or text[:2] in ("Be", "Ca", "Ge")
    )


def test_cauchy_samples_have_the_quartiles():
    values = msd.Cauchy(0.5, 2.0).sample((20000,)).asnumpy()
    np.testing.assert_allclose(np.quantile(values, [0.25, 0.5, 0.75]), [-1.5, 0.5, 2.5], atol=0.15)


@pytest.mark.parametrize(
    "name, other",
    [
        ("Normal(0.5, 2.0)", (1.0, 1.5)),
        ("LogNormal(0.5, 1.0)", (0.0, 1.5)),
        ("Exponential(1.5)", (0.5,)),
        ("Gumbel(0.5, 2.0)", (0.0, 2.5)),
        ("Gamma([2.0], [1.5])", (1.0, 1.0)),
        ("Beta([2.0], [1.5])", (1.0, 1.0)),
        ("Bernoulli(0.3)", (0.6,)),
        ("Geometric(0.3)", (0.6,)),
        ("Cauchy(0.5, 2.0)", (0.0, 1.0)),
    ],
)
def test_divergence_is_the_integral(name, other):
    """kl_loss against sum of p log(p / q) over a fine grid."""
    kind = name.split("(")[0]
    one, two = eval(f"msd.{name}"), getattr(msd, kind)(*([v] if kind in ("Gamma", "Beta") else v for v in other))
    if one.dtype == ms.int32:
        grid, width = np.arange(0, 2 if kind == "Bernoulli" else 200), 1.0
    else:
        low, high = {"Beta": (1e-6, 1 - 1e-6), "Normal": (-20, 20), "Gumbel": (-15, 60), "Cauchy": (-40000, 40000)}.get(
            kind, (1e-6, 200)
        )
        grid = np.linspace(low, high, 4_000_001)
        width = grid[1] - grid[0]
    x = Tensor(grid, ms.float32 if one.dtype != ms.int32 else ms.int32)
    p, q = one.log_prob(x).asnumpy().astype(np.float64), two.log_prob(x).asnumpy().astype(np.float64)
    expected = (np.exp(p) * np.where(np.exp(p) > 0, p - q, 0)).sum() * width
    found = one.kl_loss(kind, *[Tensor(v, ms.float32) for v in other]).asnumpy().reshape(())
    np.testing.assert_allclose(found, expected, rtol=0.02, atol=2e-3)


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


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: msd.Normal(0.0, -1.0), ValueError),
        (lambda: msd.Normal().mean(), TypeError),
        (lambda: msd.Normal(0.0, 1.0).prob(1.0), TypeError),
        (lambda: msd.Normal(0.0, 1.0).kl_loss("Uniform", Tensor(0.0), Tensor(1.0)), ValueError),
        (lambda: msd.Normal(0.0, 1.0, dtype=ms.int32), TypeError),
        (lambda: msd.Uniform(1.0, 0.0), ValueError),
        (lambda: msd.Bernoulli(2.0), ValueError),
        (lambda: msd.Categorical([0.2, 0.2]), ValueError),
        (lambda: msd.Cauchy(0.0, 1.0).mean(), ValueError),
        (lambda: msd.Normal("a", 1.0), TypeError),
        (lambda: msd.Normal(0.0, 1.0, seed=-1), ValueError),
        (lambda: msd.Normal(True, 1.0), TypeError),
        (lambda: msd.Normal(np.zeros(2, np.float32), Tensor([1.0, 2.0], ms.float16)), TypeError),
        (lambda: msd.Normal(0.0, [1.0, 2.0]).mean(Tensor(1.0, ms.float16)), TypeError),
        (lambda: msd.Normal(0.0, 1.0).sample([2]), TypeError),
        (lambda: msd.Normal(0.0, 1.0)("no"), NotImplementedError),
        (lambda: msd.Normal(0.0, 1.0).kl_loss("Normal", 1.0, Tensor(1.0)), TypeError),
        (lambda: msd.Normal(0.0, 1.0).log_prob(Tensor([1.0]), no=1), TypeError),
        (lambda: msd.Laplace(0.0, 1.0).mean(), NotImplementedError),
        (lambda: msd.Laplace(0.0, 1.0).cdf(Tensor(1.0)), NotImplementedError),
        (lambda: msd.Categorical(0.2), ValueError),
        (lambda: msd.Gamma(1.0, 2.0), TypeError),
        (lambda: msd.TransformedDistribution(msb.Exp(), msd.Normal(0.0, 1.0)).mean(), ValueError),
        (lambda: msb.PowerTransform(1), TypeError),
        (lambda: msb.PowerTransform(None), TypeError),
        (lambda: msb.Exp().forward(Tensor([1])), TypeError),
        (lambda: msb.Invert(3), TypeError),
        (lambda: msb.PowerTransform(-1.0), ValueError),
        (lambda: msb.Exp().forward(1.0), TypeError),
    ],
)
def test_wrong_argument(call, error):
    with pytest.raises(error):
        call()


@pytest.mark.parametrize(
    "text",
    [
        "Exp()",
        "Softplus(2.0)",
        "ScalarAffine(2.0, 0.5)",
        "PowerTransform(0.5)",
        "GumbelCDF(0.5, 2.0)",
        "Invert(msb.Exp())",
    ],
)
def test_bijector_and_its_inverse(text):
    bijector = eval(f"msb.{text}", {"msb": msb, **vars(msb)})
    x = Tensor([0.3, 0.8, 1.5])
    y = bijector.forward(x)
    np.testing.assert_allclose(bijector.inverse(y).asnumpy(), x.asnumpy(), rtol=1e-4)
    slope = np.log(np.abs(ms.grad(lambda x: bijector.forward(x).sum())(x).asnumpy()))
    np.testing.assert_allclose(
        np.broadcast_to(bijector.forward_log_jacobian(x).asnumpy(), 3), slope, rtol=1e-4, atol=1e-5
    )
    np.testing.assert_allclose(
        np.broadcast_to(bijector.inverse_log_jacobian(y).asnumpy(), 3), -slope, rtol=1e-4, atol=1e-5
    )


def test_transformed():
    log_normal = msd.TransformedDistribution(msb.Exp(), msd.Normal(0.5, 1.0))
    x = Tensor([0.5, 2.0])
    for what in ("prob", "log_prob", "cdf", "log_cdf", "survival_function"):
        np.testing.assert_allclose(
            getattr(log_normal, what)(x).asnumpy(), getattr(msd.LogNormal(0.5, 1.0), what)(x).asnumpy(), rtol=1e-5
        )
    assert log_normal.sample((5,)).shape == (5,)


@pytest.mark.parametrize(
    "text, x",
    [
        ("DenseReparam(3, 2, activation='relu')", np.ones((4, 3))),
        ("DenseLocalReparam(3, 2)", np.ones((4, 3))),
        ("ConvReparam(3, 2, 3, has_bias=True)", np.ones((1, 3, 4, 4))),
    ],
)
def test_bayesian_layers(text, x, mode):
    from mindspore.nn.probability import bnn_layers

    net, x = eval(f"bnn_layers.{text}"), Tensor(x.astype(np.float32))
    out = net(x).asnumpy()
    assert not np.array_equal(out, net(x).asnumpy())  # weights are drawn at each call
    names = [p.name for p in net.trainable_params()]
    assert names == [
        f"{part}_posterior.{what}" for part in ("weight", "bias") for what in ("mean", "untransformed_std")
    ]
    loss = bnn_layers.WithBNNLossCell(net, nn.MSELoss(), 0, 0.5)
    value, grads = ms.value_and_grad(loss, None, net.trainable_params())(x, Tensor(np.zeros(out.shape, np.float32)))
    np.testing.assert_allclose(float(value), 0.5 * float(net.compute_kl_loss()), rtol=1e-4)
    assert all(g.asnumpy().any() for g in grads)


class Own(msd.Distribution):
    """As projects write one: with MindSpore's inner methods."""

    def __init__(self, rate=None, seed=None, dtype=ms.float32, name="Own"):
        param = dict(locals())
        param["param_dict"] = {"rate": rate}
        super().__init__(seed, dtype, name, param)
        self._rate = self._add_parameter(rate, "rate")

    def _mean(self, rate=None):
        return 1.0 / self._check_param_type(rate)

    def _var(self, rate=None):
        return self.sq_base(self._mean(rate))

    def _log_prob(self, value, rate=None):
        value = self.cast_base(self._check_value(value, "value"), self.dtype)
        rate = self._check_param_type(rate)
        return self.log_base(rate) - rate * value

    def _survival_function(self, value, rate=None):
        return self.exp_base(-self._check_param_type(rate) * value)


class Flip(msb.Bijector):
    def __init__(self, s=2.0, name="Flip"):
        param = dict(locals())
        param["param_dict"] = {"s": s}
        super().__init__(name=name, dtype=None, param=param)
        self._s = self._add_parameter(s, "s")

    def _forward(self, x):
        return -self._check_value_dtype(x) * self.cast_param_by_value(x, self._s)

    def _inverse(self, y):
        return -y / self._s

    def _inverse_log_jacobian(self, y):
        return -ops.log(self._s)


X, NAN = Tensor([0.5, 1.5]), float("nan")
ROWS = [[0.2, 0.8], [0.4, 0.6]]
RECORDED = [  # what MindSpore 2.10 itself gives
    ("Own(2.0).prob(X)", [0.7358, 0.0996]),
    ("Own(2.0)('prob', X, Tensor([1.0]))", [0.6065, 0.2231]),
    ("Own(2.0).cdf(X)", [0.6321, 0.9502]),
    ("Own(2.0).log_cdf(X)", [-0.4587, -0.0511]),
    ("Own(2.0)('log_survival', X)", [-1.0, -3.0]),
    ("Own(2.0)('sd')", 0.5),
    ("Flip()(msd.Normal(0.5, 1.0)).prob(X)", [0.1506, 0.0913]),
    ("Flip()(msd.Normal(0.5, 1.0))('cdf', X)", [0.2266, 0.1056]),
    ("msd.Bernoulli().mean(probs1=Tensor([0.3]))", [0.3]),
    ("msd.Geometric(0.5).prob(Tensor([1.5, -1.0]))", [0.25, 0.0]),
    ("msd.Beta([1.0], [2.0]).kl_loss('Beta', Tensor([2.0]), Tensor([2.0]), concentration1_a=Tensor([3.0]))", [0.1098]),
    ("msd.Categorical(ROWS).log_prob(Tensor([1, 5]))", [-0.2231, NAN]),
    ("msd.Categorical(ROWS).log_prob(Tensor(1))", [-0.2231, -0.5108]),
    ("msd.Categorical(ROWS[:1]).entropy()", 0.5004),
    ("msd.Categorical(ROWS[0]).cdf(Tensor([-1.0, -0.5, 0.5, 1.5]))", [0.0, 0.2, 0.2, 1.0]),
    ("msd.Categorical(ROWS[0]).kl_loss('Categorical', Tensor([1.0, 3.0]))", 0.007),
    ("msd.Uniform(0.0, 1.0).cross_entropy('Uniform', Tensor(0.5), Tensor(2.0))", np.inf),
    ("msd.Exponential([1.0, 2.0]).log_survival(Tensor([-1.0, 1.0]))", [0.0, -2.0]),
    ("msd.Logistic(0.0, 1.0).log_cdf(Tensor([-20.0, 0.0, 20.0]))", [-20.0, -0.6931, 0.0]),
    ("msd.LogNormal(0.0, 1.0).cdf(Tensor([-1.0, 2.0]))", [0.0, 0.7559]),
    ("msd.Gumbel([0.0, 1.0], [1.0, 2.0]).kl_loss('Gumbel', Tensor([1.0]), Tensor([2.0]))", [0.3657, 0.0]),
    ("msd.Gumbel(0.0, [1.0, 2.0]).sd()", [1.2825, 2.5651]),
    ("msd.HalfNormal(0.0, 1.0).log_prob(Tensor([0.5]))", [-0.3508]),
    ("msd.StudentT(3.0, 0.0, 2.0).prob(Tensor([0.5]))", [0.1764]),
    ("msd.Poisson([2.0]).cdf(Tensor([1.0, -1.0]))", [0.406, 0.0]),
    ("msd.Poisson([2.0]).log_prob(Tensor([1.0, -1.0]))", [-1.3069, -np.inf]),
    ("msb.PowerTransform(0.5).forward_log_jacobian(Tensor([1.0, 2.0]))", [0.4055, 0.6931]),
    ("msb.Softplus(2.0).inverse(Tensor([1e-8, 1.0, 30.0]))", [-8.8638, 0.9273, 30.0]),
]


@pytest.mark.parametrize("text, expected", RECORDED, ids=[text for text, _ in RECORDED])
def test_recorded(text, expected):
    found = eval(text)
    assert found.dtype == ms.float32 and found.shape == np.shape(expected)
    np.testing.assert_allclose(found.asnumpy(), expected, atol=1e-4)


def test_types():
    half = msd.Normal(Tensor([0.0, 1.0], ms.float16), Tensor(2.0, ms.float16), dtype=ms.float16)
    assert half.log_prob(X).dtype == half.sample().dtype == ms.float16 and half.entropy().dtype == ms.float32
    assert msd.Bernoulli([0.3]).sample((2, 3)).shape == (2, 3, 1)
    rows = msd.Categorical(ROWS)
    assert (rows.batch_shape, rows.broadcast_shape, rows.is_scalar_batch) == ((2, 2), (2,), False)
    assert rows.sample((5,)).shape == (5, 2) and msd.Categorical(ROWS[0]).sample().shape == ()
    assert list(msd.Poisson([1.5]).parameters) == ["rate", "seed", "dtype", "name", "param_dict"]
    text = "LogNormal(\n  loc = 0.0, scale = 1.0\n  (_bijector): Exp(exp)\n  (_distribution): "
    assert repr(msd.LogNormal(0.0, 1.0)) == text + "Normal(mean = 0.0, standard deviation = 1.0)\n)"


def test_parameters_are_trained(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dist = msd.Normal(Parameter(Tensor([0.1, 0.2]), name="m"), 1.0)

        def construct(self, x):
            return self.dist("log_prob", x).sum()

    net = Net()
    assert [p.name for p in net.trainable_params()] == ["dist._mean_value"]
    _, (grad,) = ms.value_and_grad(net, None, net.trainable_params())(X)
    np.testing.assert_allclose(grad.asnumpy(), [0.4, 1.3], rtol=1e-5)
