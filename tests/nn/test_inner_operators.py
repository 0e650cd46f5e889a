"""The operators that MindSpore's layers keep as attributes: names recorded from MindSpore 2.10."""

import golden_files
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

# constructor -> attribute=Primitive, made by tests/goldens/record_layer_operators.py
RECORDED = golden_files.read("layer_operators")


@pytest.mark.parametrize("constructor", RECORDED)
def test_layers_keep_their_operators(constructor):
    layer = eval(f"nn.{constructor}")
    for entry in RECORDED[constructor].split():
        attribute, primitive = entry.split("=")
        operator = getattr(layer, attribute)
        assert getattr(operator, "name", type(operator).__name__) == primitive
        assert getattr(layer, attribute) is operator


def test_an_inner_operator_knows_the_layers_arguments():
    x = Tensor(np.arange(6).reshape(2, 3), ms.float32)
    np.testing.assert_allclose(nn.Softmax(axis=0).softmax(x).asnumpy(), ops.softmax(x, 0).asnumpy())
    assert nn.Dropout(p=0.25).dropout.keep_prob == 0.75
    assert nn.MaxPool2d(2, 3).max_pool(ops.ones((1, 1, 5, 5))).shape == (1, 1, 2, 2)


def test_inner_operators_take_a_sharding_and_can_be_replaced():
    dropout = nn.Dropout(p=0.5)
    dropout.dropout.shard(((1, 1),))
    layer = nn.Softmax()
    layer.softmax = ops.LogSoftmax()
    assert isinstance(layer.softmax, ops.LogSoftmax)


class _Own(nn.Cell):
    """MindSpore up to 2.2: every Cell has `cast`; a child of the name of an inner operator is the child."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2)

    def construct(self, x):
        return self.cast(self.dense(x), ms.float16)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_every_cell_casts(mode):
    ms.set_context(mode=mode)
    assert _Own()(ops.ones((1, 2))).dtype == ms.float16


class _Child(nn.Dense):
    def __init__(self):
        super().__init__(2, 2)
        self.matmul = nn.ReLU()


def test_a_child_of_that_name_is_the_child():
    assert isinstance(_Child().matmul, nn.ReLU)


class _Diagonal(nn.probability.distribution.Normal):
    """A distribution of a program: it draws with the operators that MindSpore's Normal keeps."""

    def _sample(self, shape=(), mean=None, sd=None):
        shape = self.checktuple(shape, "shape")
        mean, sd = self._check_param_type(mean, sd)
        drawn = shape + self.shape(mean + sd)
        value = self.cast(ops.normal(drawn or (1,), mean, sd, self.seed), self.dtype)
        return value if drawn else self.squeeze(value)

    def _entropy(self, mean=None, sd=None):
        mean, sd = self._check_param_type(mean, sd)
        return self.log(self.sq(sd)) + self.exp(mean)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_distributions_keep_their_operators(mode):
    ms.set_context(mode=mode)
    assert _Diagonal(0.0, 1.0).sample().shape == ()
    assert _Diagonal([0.0, 1.0], [1.0, 2.0]).sample((3,)).shape == (3, 2)
    np.testing.assert_allclose(_Diagonal(1.0, 1.0).entropy().asnumpy(), np.e, rtol=1e-6)


def test_cells_are_named_and_cast_by_inner_methods():
    from mindspore._c_expression import Cell_, MixedPrecisionType

    net = nn.SequentialCell(nn.Dense(2, 3), nn.SequentialCell(nn.ReLU()))
    net._update_local_parameters_name(prefix="actor.")
    assert [p.name for p in net.get_parameters()] == ["actor.0.weight", "actor.0.bias"]
    scopes = [path for path, _ in net._children_scope_recursive()]
    assert scopes == ["Default/0-Dense", "Default/1-SequentialCell", "Default/1-SequentialCell/0-ReLU"]
    assert isinstance(net, Cell_) and net.get_mixed_precision_type() is MixedPrecisionType.NOTSET
    Cell_.set_mixed_precision_type(net[0], MixedPrecisionType.FP16)
    assert net[0].get_mixed_precision_type() is MixedPrecisionType.FP16
    assert net(ops.ones((1, 2))).dtype == ms.float16
    net[0].set_mixed_precision_type(MixedPrecisionType.NOTSET)
    assert net(ops.ones((1, 2))).dtype == ms.float32


class _Loss(nn.Cell):
    def __init__(self, box, cls, self_made=1):
        super().__init__()
        self.cls = cls


def test_a_cell_takes_an_argument_named_cls():
    assert _Loss(box=1, cls=2).cls == 2


class _Operator(ops.Primitive):
    def __init__(self, cls):
        super().__init__("own")
        self.cls = cls


def test_a_primitive_takes_an_argument_named_cls():
    assert _Operator(cls=3).cls == 3


def test_optimizers_keep_the_primitive_of_their_step():
    """For subclasses with a `construct` of their own; names recorded from MindSpore 2.10."""

    def weights():
        return nn.Dense(2, 2).trainable_params()

    for optimizer, name in (
        (nn.Momentum(weights(), 0.1, 0.9), "ApplyMomentum"),
        (nn.Adam(weights()), "Adam"),
        (nn.Adam(weights(), use_amsgrad=True), "ApplyAdamWithAmsgradV2"),
        (nn.LazyAdam(weights()), "Adam"),
        (nn.Adagrad(weights()), "ApplyAdagrad"),
        (nn.RMSProp(weights()), "ApplyRMSProp"),
        (nn.RMSProp(weights(), centered=True), "ApplyCenteredRMSProp"),
        (nn.FTRL(weights()), "ApplyFtrl"),
        (nn.AdaMax(weights()), "ApplyAdaMax"),
        (nn.Adadelta(weights()), "ApplyAdadelta"),
        (nn.ProximalAdagrad(weights()), "ApplyProximalAdagrad"),
        (nn.AdamOffload(weights()), "AdamNoUpdateParam"),
    ):
        assert optimizer.opt.name == name and optimizer.opt is optimizer.opt
    assert [step.name for step in nn.SGD(weights()).opt] == ["SGD", "SGD"]


_step = ops.MultitypeFuncGraph("step")


@_step.register("Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Function")
def _one_parameter(momentum, rate, gradient, weight, accum, stat, opt):
    return ops.depend(True, opt(weight, gradient, rate, accum, momentum, stat))


class _OwnStep(nn.SGD):
    def construct(self, gradients):
        gradients = self.scale_grad(self._grad_sparse_indices_deduplicate(self.decay_weight(gradients)))
        step = ops.partial(_step, self.momentum, self.get_lr())
        return self.hyper_map(step, gradients, self.parameters, self.accum, self.stat, self.opt)


class _CountsItself(nn.SGD):
    """As toolkits' optimizers write it, for MindSpore before 2.0."""

    def construct(self, gradients):
        rate = self.get_lr()
        if self._is_dynamic_lr_or_weight_decay():
            self.assignadd(self.global_step, self.global_step_increase_tensor)
        step = ops.partial(_step, self.momentum, rate)
        return self.hyper_map(step, gradients, self.parameters, self.accum, self.stat, self.opt)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_optimizers_that_count_their_steps_themselves(mode):
    ms.set_context(mode=mode)
    for rate, steps, value in ((0.5, 0, -0.5), ([0.5, 0.25, 0.0], 3, 0.25)):  # MindSpore 2.10
        weight = ms.Parameter(np.ones(2, np.float32), name="w")
        optimizer = _CountsItself([weight], rate)
        for _ in range(3):
            optimizer((ops.ones(2),))
        assert int(optimizer.global_step[0]) == steps
        np.testing.assert_allclose(weight.asnumpy(), value, rtol=1e-6)


class _OwnNorm(nn.GroupNorm):
    """As programs of MindSpore 1.x write it."""

    def _cal_output(self, x):
        grouped = self.reshape(x, (self.shape(x)[0], self.num_groups, -1))
        mean = self.reduce_mean(grouped, 2)
        spread = self.sqrt(self.reduce_mean(self.square(grouped - mean), 2) + self.eps)
        return 2 * self.reshape((grouped - mean) / spread, self.shape(x))


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_subclasses_compute_with_what_the_class_above_keeps(mode):
    ms.set_context(mode=mode)
    for cls in (nn.SGD, _OwnStep):
        net = nn.Dense(2, 2, weight_init="ones", bias_init="ones")
        optimizer = cls(net.trainable_params(), 0.1, 0.9, weight_decay=0.01)
        for _ in range(3):
            optimizer((ops.ones((2, 2)), ops.ones((2,))))
        np.testing.assert_allclose(net.weight.asnumpy(), 0.4338747, rtol=1e-5)  # MindSpore 2.10
    x = Tensor(np.arange(8).reshape(1, 4, 2, 1), ms.float32)
    np.testing.assert_allclose(_OwnNorm(2, 4)(x).asnumpy(), 2 * nn.GroupNorm(2, 4)(x).asnumpy(), rtol=1e-5)
