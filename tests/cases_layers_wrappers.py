"""Containers, wrappers, training cells, bases that users derive from, and layers of second-order and Bayesian training."""

import mindspore as ms
import numpy as np
from golden_cases import Table, arr, ints, lit
from mindspore import Parameter, ParameterTuple, Tensor, experimental, nn, ops
from mindspore.common import initializer
from mindspore.nn.probability import bijector, bnn_layers, distribution

C = Table()


def dense(seed=0, inputs=4, outputs=3):
    """A Dense layer with fixed weights."""
    layer = nn.Dense(inputs, outputs)
    random = np.random.RandomState(seed)
    for parameter in layer.get_parameters():
        parameter.set_data(Tensor(random.uniform(-0.6, 0.6, parameter.shape).astype(np.float32)))
    return layer


def weights(net):
    return {p.name: p.value() for p in net.get_parameters()}


# ---------------------------------------------------------------- containers
def cell_list(x):
    cells = nn.CellList([dense(0), nn.ReLU()])
    cells.append(dense(1, 3, 2))
    cells.insert(1, nn.Tanh())
    for cell in cells:
        x = cell(x)
    return x, list(weights(cells)), len(cells)


def cell_dict(x):
    cells = nn.CellDict({"first": dense(0), "act": nn.ReLU()})
    cells["second"] = dense(1, 3, 2)
    for cell in cells.values():
        x = cell(x)
    return x, list(weights(cells)), list(cells.keys())


C(cell_list, arr(2, 4), _grad=False)
C(cell_dict, arr(2, 4), _grad=False)


# ---------------------------------------------------------------- layers
C("nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0), 2)", arr(5, 2, 8), arr(4, 2, 8))
C(
    "nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, norm_first=True), 1, norm=nn.LayerNorm((8,)))",
    arr(5, 2, 8),
    arr(4, 2, 8),
)
C("nn.DenseThor(4, 3)", arr(2, 4), _like="nn.Dense(4, 3)")
C("nn.Conv2dThor(3, 4, 3)", arr(1, 3, 5, 5), _like="nn.Conv2d(3, 4, 3)")
C("nn.EmbeddingThor(5, 3)", ints(2, 4, high=5), _like="nn.Embedding(5, 3)")
C("nn.EmbeddingLookupThor(5, 3)", ints(2, 4, high=5), _like="nn.EmbeddingLookup(5, 3)", _grad=False)
C("mint.nn.SyncBatchNorm(3)", arr(2, 3, 4), _train=True, _like="mint.nn.BatchNorm1d(3)")
C(
    "nn.SampledSoftmaxLoss(2, 5, sampled_values=(ms.Tensor([1, 3], ms.int32), ms.Tensor([[0.3], [0.2]], ms.float32), ms.Tensor([0.4, 0.2], ms.float32)))",
    arr(5, 4),
    arr(5),
    lit([[0], [3]], "int32"),
    arr(2, 4),
)
C("nn.ParameterUpdate(ms.Parameter(ms.Tensor([1.0, 2.0]), name='p'))", arr(2), _grad=False)
for made in ("ConvReparam(3, 4, 3)", "DenseReparam(3, 2)", "DenseLocalReparam(3, 2, activation='relu')"):
    C(f"nn.probability.bnn_layers.{made}", arr(1, 3, 5, 5) if "Conv" in made else arr(2, 3), _random=True)
C(
    "lambda: nn.probability.bnn_layers.NormalPrior(mean=1, std=2)('log_prob', ms.Tensor([0.5, 3.0], ms.float32))",
    _grad=False,
)


def posterior(values):
    net = bnn_layers.NormalPosterior(
        "w", (2, 3), loc_mean=1, loc_std=0, untransformed_scale_mean=-1, untransformed_scale_std=0
    )
    return net("log_prob", values), weights(net)


def bayesian_loss(x, label):
    """A layer's own divergence counts beside the loss."""
    return bnn_layers.WithBNNLossCell(bnn_layers.DenseReparam(4, 2, has_bias=False), nn.MSELoss(), 1, 0.5)(x, label)


C(posterior, arr(2, 3), _grad=False)
C(bayesian_loss, arr(2, 4), arr(2, 2), _random=True)


# ---------------------------------------------------------------- bases of what users write
class Absolute(nn.LossBase):
    def construct(self, prediction, label):
        return self.get_loss(ops.abs(prediction - label), 0.5)


def user_loss(prediction, label, reduction):
    return Absolute(reduction)(prediction, label)


for how in ("mean", "sum", "none"):
    C(user_loss, arr(2, 3), arr(2, 3), how)


class Twice(nn.Cell):
    """2 x, with a gradient of its own: 5 for each element."""

    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        return (dout * 5,)


def user_cell(x):
    return Twice()(x) * x


C(user_cell, arr(2, 3))


class Shift(bijector.Bijector):
    """x + 1.5"""

    def __init__(self):
        super().__init__(is_constant_jacobian=True, is_injective=True, name="Shift", dtype=None, param={})

    def _forward(self, x):
        return x + 1.5

    def _inverse(self, y):
        return y - 1.5

    def _forward_log_jacobian(self, x):
        return ops.zeros_like(x)

    def _inverse_log_jacobian(self, y):
        return ops.zeros_like(y)


def shifted(x):
    """A distribution from a user's bijector."""
    made = distribution.TransformedDistribution(Shift(), distribution.Normal(0.0, 2.0), seed=0, name="shifted")
    return made.log_prob(x), made.prob(x), made.cdf(x), made.survival_function(x)


class Triangle(distribution.Distribution):
    """Density 2 x on [0, 1]."""

    def __init__(self):
        super().__init__(0, ms.float32, "Triangle", {"param_dict": {"scale": Tensor(1.0)}})

    def _log_prob(self, x):
        return ops.log(2 * x)

    def _cdf(self, x):
        return x * x


def triangle(x):
    made = Triangle()
    return made.log_prob(x), made.prob(x), made.cdf(x), made.log_cdf(x), made.survival_function(x), made.log_survival(x)


C(shifted, arr(3), _grad=False)
C(triangle, lit([0.25, 0.5, 0.75]), _grad=False)


class Stripes(initializer.Initializer):
    """0, 1, 2, ... in turn."""

    def _initialize(self, arr):
        arr[:] = np.arange(arr.size).reshape(arr.shape) % 3


def user_initializer():
    return nn.Dense(4, 3, weight_init=Stripes(), has_bias=False).weight.value(), initializer.initializer(
        Stripes(), (2, 2)
    )


C(user_initializer, _grad=False)


# ---------------------------------------------------------------- optimizers and schedulers of the user's own
class SignDescent(nn.Optimizer):
    def __init__(self, params, learning_rate):
        super().__init__(learning_rate, params, weight_decay=0.1)

    def construct(self, gradients):
        gradients = self.flatten_gradients(gradients)
        gradients = self.decay_weight(gradients)
        rate = self.get_lr()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        for parameter, gradient in zip(self.parameters, gradients):
            ops.assign(parameter, parameter - rate * ops.sign(gradient))
        return ()


class Halved(experimental.optim.Optimizer):
    def __init__(self, params, lr):
        super().__init__(params, {"lr": lr})

    def construct(self, gradients):
        for group in self.param_groups:
            for parameter, gradient in zip(group["params"], gradients):
                ops.assign(parameter, parameter - group["lr"] * 0.5 * gradient)
        return True


class Doubling(experimental.optim.lr_scheduler.LRScheduler):
    def get_lr(self):
        return [group["lr"] * 2.0 for group in self.optimizer.param_groups]


def user_optimizer(*gradients):
    parameters = ParameterTuple(
        [Parameter(Tensor(np.arange(1, 4, dtype=np.float32)), name="a"), Parameter(Tensor([[0.5, -0.5]]), name="b")]
    )
    optimizer = SignDescent(parameters, nn.ExponentialDecayLR(0.1, 0.5, 2))
    for _ in range(3):
        optimizer(gradients)
    return [p.value() for p in parameters], optimizer.global_step.value()


def user_scheduler(gradient):
    parameter = Parameter(Tensor(np.arange(1, 4, dtype=np.float32)), name="a")
    optimizer = Halved([parameter], 0.1)
    scheduler = Doubling(optimizer)
    rates = []
    for _ in range(3):
        optimizer((gradient,))
        scheduler.step()
        rates.append(float(scheduler.get_last_lr()[0]))
    return parameter.value(), Tensor(np.array(rates, np.float32))


C(user_optimizer, arr(3), arr(1, 2), _grad=False)
C(user_scheduler, arr(3), _grad=False)


# ---------------------------------------------------------------- cells that train
def steps_of(wrap, x, label):
    """Three steps: what they return, and the weights behind them."""
    net = nn.WithLossCell(dense(), nn.MSELoss())
    cell = wrap(net, nn.Momentum(net.trainable_params(), 0.1, 0.9)).set_train()
    return [cell(x, label) for _ in range(3)], weights(net)


def one_step(x, label):
    return steps_of(nn.TrainOneStepCell, x, label)


def one_step_with_sens(x, label):
    return steps_of(lambda net, optimizer: nn.TrainOneStepCell(net, optimizer, sens=8.0), x, label)


def dynamic_loss_scale(x, label):
    return steps_of(
        lambda net, optimizer: nn.TrainOneStepWithLossScaleCell(
            net, optimizer, nn.DynamicLossScaleUpdateCell(64, 2, 2)
        ),
        x,
        label,
    )


def fixed_loss_scale(x, label):
    return steps_of(
        lambda net, optimizer: nn.TrainOneStepWithLossScaleCell(net, optimizer, nn.FixedLossScaleUpdateCell(64)),
        x,
        label,
    )


def unscaled(grows):
    """What the cells with a loss scale, which MindSpore's CPU build lacks, give without overflow."""

    def like(x, label):
        losses, after = one_step(x, label)
        scales = (64.0, 128.0, 128.0) if grows else (64.0,) * 3
        return [(loss, Tensor(False), Tensor(scale, ms.float32)) for loss, scale in zip(losses, scales)], after

    return like


def loss_scale_of_updates():
    """The scale after steps with and without overflow."""
    update, scale, found = nn.DynamicLossScaleUpdateCell(64, 2, 2), Parameter(Tensor(64.0), name="scale"), []
    for overflow in (False, False, True, False, True, False, False):
        update(scale, Tensor(overflow))
        found.append(scale.value() * 1)
    return found, update.get_loss_scale()


def fixed_scale_of_updates():
    update, scale = nn.FixedLossScaleUpdateCell(64), Parameter(Tensor(64.0), name="scale")
    return [update(scale, Tensor(overflow)) for overflow in (False, True)], scale.value(), update.get_loss_scale()


for train in (one_step, one_step_with_sens):
    C(train, arr(2, 4), arr(2, 3), _grad=False)
for train in (dynamic_loss_scale, fixed_loss_scale):
    C(train, arr(2, 4), arr(2, 3), _grad=False, _like=unscaled(train is dynamic_loss_scale))
C(loss_scale_of_updates, _grad=False)
C(fixed_scale_of_updates, _grad=False)


# ---------------------------------------------------------------- micro batches, and what else users derive from
def pipeline(x, label):
    return nn.PipelineCell(nn.WithLossCell(dense(), nn.MSELoss()), 2)(x, label)


def accumulated(x, label):
    return nn.GradAccumulationCell(nn.WithLossCell(dense(), nn.MSELoss()), 2)(x, label)


class Largest(nn.Metric):
    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self.found = -1.0

    def update(self, *inputs):
        self.found = max(self.found, float(self._convert_data(inputs[0]).max()))

    def eval(self):
        return self.found


def user_metric(first, second):
    metric = Largest()
    metric.update(first)
    metric.update(second)
    return Tensor(metric.eval(), ms.float32)


for run in (pipeline, accumulated):
    C(run, arr(4, 4), arr(4, 3), _grad=False)
C(user_metric, arr(4), arr(4), _grad=False)
C("nn.Linear(4, 3)", arr(2, 4))
