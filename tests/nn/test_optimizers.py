"""Optimizers beyond the goldens: formulas in float64 where MindSpore's CPU build has none, state, optax, dtypes."""

import cases_optim as cases
import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import optax
import pytest
from mindspore import Parameter, Tensor, mint, nn
from mindspore.experimental import MapParameter
from mindspore.experimental import optim as experimental

NAMESPACE = {**cases.NAMESPACE, "mint": mint}


# --- formulas: rule(w, g, s, t, name) gives the new weight; s is a dict for state, t the step from 1
def adam_published(lr=0.1, eps=1e-8, decay=0.0, decoupled=False, largest=False, sign=1):
    def rule(w, g, s, t, name):
        g = sign * g + (0 if decoupled else decay * w)
        w = w * (1 - lr * decay) if decoupled else w
        s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
        s["v"] = 0.999 * s.get("v", 0) + 0.001 * g * g
        s["top"] = np.maximum(s.get("top", 0), s["v"]) if largest else s["v"]
        return w - lr * s["m"] / (1 - 0.9**t) / (np.sqrt(s["top"] / (1 - 0.999**t)) + eps)

    return rule


def adam_kernel_largest(w, g, s, t, name):
    g = g + 0.01 * w
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["v"] = 0.999 * s.get("v", 0) + 0.001 * g * g
    s["top"] = np.maximum(s.get("top", 0), s["v"])
    return w - 0.1 * np.sqrt(1 - 0.999**t) / (1 - 0.9**t) * s["m"] / (np.sqrt(s["top"]) + 1e-8)


def sgd_buffer(dampening=0.0, nesterov=False, decay=0.0):
    def rule(w, g, s, t, name):
        g = g + decay * w
        s["b"] = g if t == 1 else 0.9 * s["b"] + (1 - dampening) * g
        return w - 0.1 * (g + 0.9 * s["b"] if nesterov else s["b"])

    return rule


def radam(w, g, s, t, name):
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["v"] = 0.999 * s.get("v", 0) + 0.001 * g * g
    top = 2 / (1 - 0.999) - 1
    rho = top - 2 * t * 0.999**t / (1 - 0.999**t)
    mean = s["m"] / (1 - 0.9**t)
    if rho <= 5:
        return w - 0.1 * mean
    rect = np.sqrt((rho - 4) * (rho - 2) * top / ((top - 4) * (top - 2) * rho))
    return w - 0.1 * mean * rect * np.sqrt(1 - 0.999**t) / (np.sqrt(s["v"]) + 1e-8)


def rmsprop(w, g, s, t, name):
    s["n"] = 0.8 * s.get("n", 1) + 0.2 * g * g
    s["m"] = 0.5 * s.get("m", 0) + 0.1 * g / np.sqrt(s["n"] + 1e-4)
    return w - s["m"]


def momentum_nesterov_scaled(w, g, s, t, name):
    g = g / 4 + 0.01 * w
    s["v"] = 0.9 * s.get("v", 0) + g
    return w - 0.1 * (g + 0.9 * s["v"])


def lamb(rate, decay):
    def rule(w, g, s, t, name):
        s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
        s["v"] = 0.999 * s.get("v", 0) + 0.001 * g * g
        update = s["m"] / (1 - 0.9**t) / (np.sqrt(s["v"] / (1 - 0.999**t)) + 1e-6) + decay(name) * w
        return w - rate(name, t) * np.linalg.norm(w) / np.linalg.norm(update) * update

    return rule


def lars(coefficient, epsilon, clipped, skip=("LayerNorm", "bias"), decay=0.0):
    def rule(w, g, s, t, name):
        if not any(part in name for part in skip):
            wn, gn = np.linalg.norm(w), np.linalg.norm(g)
            ratio = coefficient * wn / (gn + decay * wn + epsilon)
            g = (min(max(ratio / 0.1, 0), 1) if clipped else ratio) * (g + decay * w)
        s["v"] = 0.9 * s.get("v", 0) + g
        return w - 0.1 * s["v"]

    return rule


def is_bias(name):
    return "bias" in name


FORMULAS = {
    "mint.optim.Adam(p(), lr=0.1)": adam_published(),
    "mint.optim.Adam(p(), lr=0.1, weight_decay=0.1)": adam_published(decay=0.1),
    "mint.optim.Adam(p(), lr=0.1, amsgrad=True)": adam_published(largest=True),
    "mint.optim.Adam(p(), lr=0.1, maximize=True)": adam_published(sign=-1),
    "mint.optim.AdamW(p(), lr=0.1)": adam_published(decay=0.01, decoupled=True),
    "mint.optim.AdamW(p(), lr=0.1, weight_decay=0.1, amsgrad=True)": adam_published(
        decay=0.1, decoupled=True, largest=True
    ),
    "mint.optim.FusedAdamW(p(), lr=0.1)": adam_published(decay=0.01, decoupled=True),
    "mint.optim.SGD(p(), lr=0.1, momentum=0.9)": sgd_buffer(),
    "mint.optim.SGD(p(), lr=0.1, momentum=0.9, dampening=0.5, weight_decay=0.1)": sgd_buffer(0.5, decay=0.1),
    "mint.optim.SGD(p(), lr=0.1, momentum=0.9, nesterov=True)": sgd_buffer(nesterov=True),
    "mint.optim.SGD(p(), lr=0.1)": lambda w, g, s, t, name: w - 0.1 * g,
    "experimental.Adam(p(), lr=0.1, weight_decay=0.01, amsgrad=True)": adam_kernel_largest,
    "experimental.RAdam(p(), lr=0.1)": radam,
    "nn.RMSProp(p(), 0.1, 0.8, 0.5, 1e-4)": rmsprop,
    "nn.Momentum(p(), 0.1, 0.9, weight_decay=0.01, loss_scale=4.0, use_nesterov=True)": momentum_nesterov_scaled,
    "nn.Lamb(p(), 0.1, weight_decay=0.1)": lamb(lambda name, t: 0.1, lambda name: 0.1),
    "nn.Lamb(g(weight_decay=0.1, lr=0.01), 0.1)": lamb(
        lambda name, t: 0.01 if is_bias(name) else 0.1, lambda name: 0.1 if is_bias(name) else 0.0
    ),
    "nn.Lamb(p(), SCHEDULE(), weight_decay=0.01)": lamb(lambda name, t: 0.1 * 0.9 ** ((t - 1) / 4), lambda name: 0.01),
    "nn.LARS(nn.Momentum(p(), 0.1, 0.9), epsilon=1e-8, coefficient=0.02)": lars(0.02, 1e-8, False),
    "nn.LARS(nn.Momentum(p(), 0.1, 0.9, weight_decay=0.1), coefficient=0.5)": lars(0.5, 1e-5, False, decay=0.1),
    "nn.LARS(nn.Momentum(p(), 0.1, 0.9), lars_filter=lambda x: 'bias' not in x.name, use_clip=True)": lars(
        0.001, 1e-5, True, skip=("bias",)
    ),
}


@pytest.mark.parametrize("expression", FORMULAS)
def test_formula(expression):
    optimizer = eval(expression, NAMESPACE)
    params = list(optimizer.parameters)
    want = {x.name: (cases.values(x.name, "weight", x.shape).astype(np.float64), {}) for x in params}
    for step in range(1, cases.STEPS + 1):
        grads = [cases.values(x.name, f"gradient {step}", x.shape) for x in params]
        optimizer(tuple(Tensor(g) for g in grads))
        for x, g in zip(params, grads):
            w, state = want[x.name]
            want[x.name] = FORMULAS[expression](w, g.astype(np.float64), state, step, x.name), state
    for x in params:
        np.testing.assert_allclose(x.asnumpy(), want[x.name][0], rtol=1e-5, atol=3e-6, err_msg=x.name)


# --- every optimizer through the same battery
EVERY = [
    "nn.SGD(P, 0.1, momentum=0.9)",
    "nn.Momentum(P, 0.1, 0.9)",
    "nn.Adam(P, 0.01)",
    "nn.Adam(P, 0.01, use_amsgrad=True)",
    "nn.Adam(P, 0.01, use_lazy=True)",
    "nn.Adam(P, 0.01, use_offload=True)",
    "nn.AdamWeightDecay(P, 0.01)",
    "nn.AdamOffload(P, 0.01)",
    "nn.LazyAdam(P, 0.01)",
    "nn.AdaMax(P, 0.01)",
    "nn.Adagrad(P, learning_rate=0.1)",
    "nn.Adadelta(P, 1.0)",
    "nn.RMSProp(P, 0.01)",
    "nn.RMSProp(P, 0.01, centered=True)",
    "nn.FTRL(P, learning_rate=0.1)",
    "nn.ProximalAdagrad(P, learning_rate=0.1)",
    "nn.Lamb(P, 0.01)",
    "nn.Rprop(P, 0.01)",
    "nn.ASGD(P, 0.1)",
    "nn.AdaFactor(P)",
    "nn.AdaFactor(P, compression=True)",
    *(f"experimental.{name}(P, lr=0.01)" for name in experimental.__all__ if name[0].isupper() and name != "Optimizer"),
    *(f"mint.optim.{name}(P, lr=0.01)" for name in mint.optim.__all__),
]


def make(expression, dtype=ms.float32):
    params = [Parameter(Tensor(cases.values(n, "weight", s)).astype(dtype), name=n) for n, s in cases.SHAPES.items()]
    return eval(expression, {**NAMESPACE, "P": params})


def gradients(optimizer, step, dtype=ms.float32):
    return tuple(Tensor(cases.values(x.name, f"gradient {step}", x.shape)).astype(dtype) for x in optimizer.parameters)


def everything(optimizer):
    return {x.name: x.asnumpy() for x in optimizer.get_parameters()}


@pytest.mark.parametrize("expression", EVERY)
def test_state_goes_through_a_checkpoint(expression, tmp_path):
    first = make(expression)
    for step in range(3):
        first(gradients(first, step))
    ms.save_checkpoint(first, str(tmp_path / "optimizer.ckpt"))
    second = make(expression)
    assert not ms.load_param_into_net(second, ms.load_checkpoint(str(tmp_path / "optimizer.ckpt")))[0]
    for name, extra in vars(first).items():  # lists of scalars that MindSpore keeps out of checkpoints
        if isinstance(extra, (list, tuple)) and extra and isinstance(extra[0], Parameter):
            for a, b in zip(extra, getattr(second, name)):
                b.set_data(a.value())
    for optimizer in (first, second):
        optimizer(gradients(optimizer, 7))
    for name, value in everything(first).items():
        np.testing.assert_array_equal(everything(second)[name], value, err_msg=name)


@pytest.mark.parametrize("expression", EVERY)
def test_optax_trains_a_plain_model(expression):
    transformation = make(expression).as_optax()
    params = {"w": jnp.array([[2.0, -1.0], [0.5, 1.0]], jnp.float32), "b": jnp.array([1.0, 3.0], jnp.float32)}

    def loss(params):
        return (params["w"] ** 2).sum() + (params["b"] ** 2).sum()

    @jax.jit
    def update(params, state):
        updates, state = transformation.update(jax.grad(loss)(params), state, params)
        return optax.apply_updates(params, updates), state

    state, start = transformation.init(params), loss(params)
    for _ in range(20):
        params, state = update(params, state)
    assert loss(params) < start and params["w"].dtype == jnp.float32
    assert "f64" not in str(jax.make_jaxpr(update)(params, state))


@pytest.mark.parametrize("expression", [e for e in EVERY if "FTRL" not in e][::3])
def test_half_precision_is_the_rounded_step(expression):
    """One step on float16 Parameters gives what float32 gives, rounded once; dtypes stay."""
    half, full = make(expression, ms.float16), make(expression)
    half(gradients(half, 1, ms.float16))
    full(gradients(full, 1))
    for a, b in zip(half.parameters, full.parameters):
        assert a.dtype == ms.float16
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize("expression", ["nn.Adam(P, 0.01)", "experimental.AdamW(P, lr=0.01)", "nn.Lamb(P, 0.01)"])
def test_no_float64_in_a_step(expression):
    optimizer = make(expression)
    entry = optimizer.entry_for(gradients(optimizer, 1))
    arrays = ([x._data for x in boxes] for boxes in (entry.state.written, entry.state.read, gradients(optimizer, 1)))
    assert "f64" not in str(jax.make_jaxpr(entry.program.pure)(*arrays))


# --- one thing each
def test_changed_options_count_from_the_next_step():
    optimizer = make("experimental.SGD(P, lr=0.1)")
    bias, group = optimizer.parameters[1], optimizer.param_groups[0]
    gradient = gradients(optimizer, 1)
    moved = []
    for key, value in ((None, None), ("lr", 0.01), ("weight_decay", 1.0)):
        if key:
            group[key] = value
        before = bias.asnumpy()
        optimizer(gradient)
        moved.append((before, bias.asnumpy() - before))
    g = gradient[1].asnumpy()
    np.testing.assert_allclose(moved[0][1], -0.1 * g, rtol=1e-5)
    np.testing.assert_allclose(moved[1][1], -0.01 * g, rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(moved[2][1], -0.01 * (g + moved[2][0]), rtol=1e-4, atol=1e-7)
    assert float(group["lr"]) == pytest.approx(0.01) and "weight_decay: 1.0" in repr(optimizer)


@pytest.mark.parametrize("given, text", [(0.125, "lr: 0.125"), (1, "lr: 1\n"), (Tensor(0.125), "lr: 0.125")])
def test_a_rate_reads_back_as_it_was_set(given, text):
    """As recorded from MindSpore 2.10: the rate's Parameter, which schedulers write, keeps its value and counts no more."""
    optimizer = make("experimental.SGD(P, lr=0.25)")
    group, bias, gradient = optimizer.param_groups[0], optimizer.parameters[1], gradients(optimizer, 1)
    scheduler = ms.experimental.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    optimizer(gradient)
    group["lr"] = given
    scheduler.step()
    before = bias.asnumpy()
    optimizer(gradient)
    assert group["lr"] is given and float(optimizer.lrs[0]) == 0.125 and text in repr(optimizer)
    np.testing.assert_allclose(bias.asnumpy() - before, -float(given) * gradient[1].asnumpy(), rtol=1e-4, atol=1e-7)


def test_a_group_is_added_later():
    optimizer = make("experimental.Adam(P, lr=0.1)")
    optimizer(gradients(optimizer, 1))
    extra = Parameter(Tensor(np.ones(2, np.float32)), name="extra")
    optimizer.add_param_group({"params": extra, "lr": 0.5})
    optimizer(gradients(optimizer, 2))
    assert optimizer.exp_avg[-1].name == "exp_avg.extra" and abs(extra.asnumpy() - 1).max() > 0.01
    with pytest.raises(ValueError, match="more than one parameter group"):
        optimizer.add_param_group({"params": [extra]})


class Rows:
    """A sparse gradient, as RowTensor is."""

    def __init__(self, indices, values, shape):
        self.indices, self.values, self.dense_shape = Tensor(indices, ms.int32), Tensor(values, ms.float32), shape


@pytest.mark.parametrize(
    "expression, lazy",
    [("nn.Adam([w], 0.1)", False), ("nn.Adam([w], 0.1, use_lazy=True)", True), ("nn.LazyAdam([w], 0.1)", True)],
)
def test_sparse_gradients(expression, lazy):
    w = Parameter(Tensor(np.ones((4, 2), np.float32)), name="w")
    optimizer = eval(expression, {"nn": nn, "w": w})
    optimizer((Rows([1, 3, 1], np.ones((3, 2), np.float32), (4, 2)),))
    optimizer((Rows([0], np.ones((1, 2), np.float32), (4, 2)),))
    touched = abs(w.asnumpy()[:, 0] - 1) > 1e-6
    assert touched.tolist() == [True, True, False, True]
    np.testing.assert_allclose(optimizer.moment1[0].asnumpy()[1], 0.2 if lazy else 0.18, rtol=1e-6)


class SignDescent(nn.Optimizer):
    """An optimizer as users write it."""

    def __init__(self, params, learning_rate, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.seen = self.parameters.clone(prefix="seen", init="zeros")

    def construct(self, gradients):
        gradients = self.decay_weight(gradients)
        rate = self.get_lr()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        for param, gradient, seen in zip(self.parameters, gradients, self.seen):
            ms.ops.assign(seen, seen + gradient)
            ms.ops.assign_sub(param, rate * ms.ops.sign(gradient))
        return True


def test_own_optimizer(mode):
    net = nn.Dense(2, 1)
    before = net.weight.asnumpy()
    optimizer = SignDescent(net.trainable_params(), nn.ExponentialDecayLR(0.1, 0.5, 1))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    x, y = Tensor(np.ones((3, 2), np.float32)), Tensor(np.full((3, 1), 50, np.float32))
    for _ in range(2):
        step(x, y)
    np.testing.assert_allclose(net.weight.asnumpy() - before, 0.15, rtol=1e-5)
    assert optimizer.global_step.asnumpy() == [2] and (optimizer.seen[0].asnumpy() < 0).all()


def test_learning_rates_are_told():
    params = cases.p()
    groups = [{"params": params[:1], "lr": [0.3, 0.2]}, {"params": params[1:]}]
    optimizer = nn.Momentum(groups, 0.1, 0.9)
    assert [round(float(r), 4) for r in optimizer.get_lr()] == [0.3, 0.1, 0.1]
    assert optimizer.get_lr_parameter(params[0]).shape == (2,)
    assert float(optimizer.get_lr_parameter([params[1]])[0]) == pytest.approx(0.1)
    with pytest.raises(ValueError, match="is not in optimizer"):
        optimizer.get_lr_parameter(Parameter(Tensor([1.0]), name="stranger"))
    with pytest.raises(TypeError, match="'Parameter'"):
        optimizer.get_lr_parameter([1, 2])
    with pytest.raises(RuntimeError, match="belongs to one group"):
        nn.Adam([{"params": params, "lr": 0.1}, {"params": params[:1]}])


def test_what_others_hold_is_not_donated(mode):
    optimizer = make("nn.Momentum(P, 0.1, 0.9)")
    held = optimizer.parameters[0].value()
    before = held.asnumpy()
    for step in range(2):
        optimizer(gradients(optimizer, step))
    np.testing.assert_array_equal(held.asnumpy(), before)


class Small(nn.Cell):
    """Layers that thor turns into its own."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, has_bias=True)
        self.flatten, self.norm, self.dense = nn.Flatten(), nn.LayerNorm((64,)), nn.Dense(64, 3)

    def construct(self, x):
        return self.dense(self.norm(self.flatten(ms.ops.relu(self.conv(x)))))


def test_thor_trains():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Small()
    rates = Tensor(np.full(40, 0.05, np.float32)), Tensor(np.full(40, 0.3, np.float32))
    optimizer = nn.thor(net, *rates, 0.9, batch_size=8, frequency=2)
    assert type(net.conv).__name__ == "Conv2dThor" and net.conv.weight.name == "conv.weight"
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), optimizer).set_train()
    x = Tensor(np.random.RandomState(0).randn(8, 1, 4, 4).astype(np.float32))
    y = Tensor(np.arange(8) % 3, ms.int32)
    losses = []
    for i in range(8):
        step.add_flags_recursive(thor=i % 2 == 0)
        losses.append(float(step(x, y)))
    assert losses[-1] < 0.7 * losses[0] and np.isfinite(losses).all()
    np.testing.assert_array_equal(optimizer.cov_step.asnumpy(), [8])


@pytest.mark.parametrize("sink", [False, True])
def test_model_of_thor_renews_the_inverses_as_often_as_it_should(sink):
    ms.set_context(mode=ms.GRAPH_MODE)
    net, loss = Small(), nn.CrossEntropyLoss()
    rates = Tensor(np.full(40, 0.05, np.float32)), Tensor(np.full(40, 0.3, np.float32))
    optimizer = nn.thor(net, *rates, 0.9, batch_size=8, frequency=2)
    model = ms.train.ConvertModelUtils.convert_to_thor_model(ms.Model(net), net, loss, optimizer, {"acc"})
    images, labels = np.random.RandomState(0).randn(16, 1, 4, 4).astype(np.float32), np.arange(16, dtype=np.int32) % 3
    data = ms.dataset.NumpySlicesDataset((images, labels), shuffle=False).batch(8)
    renewed, losses = [], []

    class Notes(ms.Callback):
        def on_train_step_end(self, run_context):
            seen = run_context.original_args()
            renewed.append(seen.train_network.thor)
            losses.append(float(seen.net_outputs))

    model.train(4, data, Notes(), dataset_sink_mode=sink)
    assert renewed == [True, False] * 4 and losses[-1] < losses[0]
    np.testing.assert_array_equal(optimizer.cov_step.asnumpy(), [8])


def test_thor_is_natural_gradient():
    """With momentum 0 and both factors known, a Dense layer moves by G^-1 g A^-1."""
    net = nn.SequentialCell(nn.Dense(3, 2, has_bias=False))
    optimizer = nn.thor(net, Tensor([0.1, 0.1]), Tensor([0.25, 0.25]), 0.0, batch_size=1)
    dense, rng = net[0], np.random.RandomState(3)
    a, g = (m @ m.T for m in (rng.randn(3, 3), rng.randn(2, 2)))
    dense.matrix_a.set_data(Tensor(a, ms.float32))
    dense.matrix_g.set_data(Tensor(g, ms.float32))
    gradient, before = rng.randn(2, 3), dense.weight.asnumpy()
    optimizer((Tensor(gradient, ms.float32),))
    want = np.linalg.inv(g + 0.5 * np.eye(2)) @ gradient @ np.linalg.inv(a + 0.5 * np.eye(3))
    np.testing.assert_allclose(before - dense.weight.asnumpy(), 0.1 * want, rtol=1e-4, atol=1e-6)


def test_adasum_needs_devices():
    with pytest.raises(RuntimeError, match="Stand alone mode is not supported to apply adasum"):
        nn.AdaSumByGradWrapCell(make("nn.Momentum(P, 0.1, 0.9)"))


def test_training_that_survives_faults_needs_ascend():
    with pytest.raises(ValueError, match="Ascend"):
        nn.OptTFTWrapper(make("nn.Momentum(P, 0.1, 0.9)"))
    with pytest.raises(TypeError, match="must be an Optimizer"):
        nn.OptTFTWrapper(nn.Dense(2, 2))


def test_gradients_of_micro_batches_are_scaled_back():
    parameter = Parameter(Tensor([1.0, 2.0]), name="p")
    (reduced,) = nn.PipelineGradReducer([parameter], scale_sense=4.0)((Tensor([2.0, 6.0]),))
    np.testing.assert_array_equal(reduced.asnumpy(), [0.5, 1.5])


def test_a_table_grows():
    m = MapParameter(ms.int32, ms.float32, 3, default_value="zeros", name="table")
    keys, rows = Tensor([1, 2, 3], ms.int32), Tensor([[1, 1, 1], [2, 2, 2]], ms.float32)
    assert m.get(keys).asnumpy().tolist() == [[0] * 3] * 3
    m.put(keys[:2], rows)
    m.erase(keys[1:])
    assert m.get_keys().asnumpy().tolist() == [1] and m[Tensor([1, 9], ms.int32)].asnumpy().tolist() == [
        [1] * 3,
        [0] * 3,
    ]
    twin = m.clone()
    twin.import_data(m.export_data())
    assert twin.get_data()[1].asnumpy().tolist() == m.get_values().asnumpy().tolist()
    with pytest.raises(KeyError, match="key 7"):
        m.get(Tensor([7], ms.int32), False)


WRONG = [
    ("nn.Adam(p(), foo=1)", KeyError, "supported keys are 'use_lazy' and'use_offload', but got dict_keys"),
    ("nn.Adam(p(), use_lazy=True, use_offload=True)", ValueError, "both"),
    ("nn.SGD(p(), 0.1, momentum=-1.0)", ValueError, "at least 0.0"),
    ("nn.SGD(p(), 0.1, momentum='a')", TypeError, "float"),
    ("nn.Rprop(p(), etas=(0.5,))", ValueError, "a tuple of 2 items"),
    ("nn.FTRL(p(), lr_power=1.0)", ValueError, "lr_power"),
    ("nn.AdaFactor(p(), 0.1)", ValueError, "relative_step"),
    ("nn.Lamb(p(), 0.1, eps=0.0)", ValueError, "eps"),
    ("nn.RMSProp(p(), decay=-0.5)", ValueError, "decay"),
    ("nn.ASGD(p(), lambd=1)", TypeError, "lambd"),
    ("nn.LARS(1)", TypeError, "optimizer"),
    ("experimental.SGD(p(), lr=-1.0)", ValueError, "Invalid learning rate"),
    ("experimental.Adam(p(), betas=(1.0, 0.9))", ValueError, "index 0"),
    ("experimental.RAdam(p(), lr=0.0)", ValueError, "lr"),
    ("mint.optim.AdamW(p(), lr=1)", TypeError, "lr"),
    ("mint.optim.SGD(p(), lr=0.1, nesterov=True)", ValueError, "nesterov"),
    ("experimental.SGD({1}, lr=0.1)", TypeError, "Parameter"),
    ("experimental.SGD([], lr=0.1)", ValueError, "empty"),
    ("nn.Momentum(p(), 0.1, 0.9, loss_scale=0.0)", ValueError, "loss_scale"),
    ("nn.SGD(p(), 0.1, weight_decay=SCHEDULE())", TypeError, "dynamic weight decay"),
]


@pytest.mark.parametrize("expression, kind, text", WRONG, ids=[w[0] for w in WRONG])
def test_wrong_arguments(expression, kind, text):
    with pytest.raises(kind, match=text):
        eval(expression, NAMESPACE)


def test_state_that_an_option_leaves_alone_is_not_carried(mode):
    def carried(make, steps=2):
        box = ms.Parameter(ms.Tensor([1.0, 2.0], ms.float32), name="w")
        optimizer = make([box])
        for _ in range(steps):
            optimizer((ms.Tensor([1.0, 1.0], ms.float32),))
        entries = [e for found in optimizer._compiled_form().entries.values() for e in found]
        return optimizer, [sorted(b.name for b in e.state.written) for e in entries]

    sgd, names = carried(lambda p: nn.SGD(p, 0.1))
    assert names == [["global_step", "w"]]
    sgd.momentum.set_data(ms.Tensor(0.5, ms.float32))  # what was compiled for 0 does not serve now
    sgd((ms.Tensor([1.0, 1.0], ms.float32),))
    assert sgd.accum[0].asnumpy().tolist() == [1, 1] and sgd.stat[0].asnumpy().tolist() == [0, 0]
    assert carried(lambda p: nn.Momentum(p, 0.1, 0.9))[1] == [["global_step", "moments.w", "w"]]
    assert carried(lambda p: nn.Adagrad(p, update_slots=False))[1] == [["global_step", "w"]]


@pytest.mark.parametrize("make", (lambda p: nn.Momentum(p, 0.1, 0.9), lambda p: ms.experimental.optim.Adam(p)))
def test_a_step_is_compiled_once_in_and_out_of_training(make):
    """A loop that evaluates calls set_train(False) of the Cell that holds the optimizer, and some never take it back."""
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    step = nn.CellList([make([weight])])
    for training in (True, False, True):
        step.set_train(training)
        step[0]((Tensor([1.0, 1.0]),))
    assert [reason for _, reason in step[0]._compiled_form().history] == ["first call"]


@pytest.mark.parametrize("length, moved", ((2, [[1.0, 2.0], [0.0, 5.0]]), (16, None)))
def test_gradients_are_centralized_in_blocks_of_16(length, moved):
    """MindSpore leaves a gradient as it is where the length of its second axis is no multiple of 16."""
    gradient = np.array([[1, 2], [0, 5]], np.float32).repeat(length // 2, 1)
    weight = Parameter(Tensor(np.zeros((2, length), np.float32)), name="w")
    optimizer = nn.SGD([{"params": [weight], "grad_centralization": True}], 1.0)
    optimizer((Tensor(gradient),))
    expected = gradient - gradient.mean(1, keepdims=True) if moved is None else np.array(moved)
    assert np.allclose(-weight.asnumpy(), expected)


def test_an_iterator_of_rates_in_a_group():
    one, other = Parameter(Tensor([1.0]), name="one"), Parameter(Tensor([1.0]), name="other")
    step = nn.SGD([{"params": [one], "lr": iter([0.5, 0.25])}, {"params": [other]}], [0.1, 0.2])
    for left in (0.5, 0.25):
        step((Tensor([1.0]), Tensor([1.0])))
        assert one.asnumpy().tolist() == [left]


def test_no_rates():
    weight = Parameter(Tensor([1.0]), name="weight")
    step = nn.SGD([weight], learning_rate=[])
    with pytest.raises(RuntimeError, match="no learning rate for the step"):
        step((Tensor([1.0]),))
