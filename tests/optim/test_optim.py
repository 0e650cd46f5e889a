"""msjax.optim without Cells: MindSpore's numbers in a plain loop, together with optax's own parts, sharded, saved and restored."""

import os
import pickle
import subprocess
import sys

import cases_optim
import cases_schedules
import golden_files
import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import optax
import pytest
from mindspore import nn

from msjax import optim

LONG = "MSJAX_TEST_ALL" in os.environ  # every transformation through every test; else a part of them
PARAMS = {name: cases_optim.values(name, "weight", shape) for name, shape in cases_optim.SHAPES.items()}
DECAYED = dict(weight_decay=0.01, mask=optim.without_beta_and_gamma)
RATES = optim.schedules.listed(cases_optim.RATES)
SCHEDULE = optim.schedules.exponential_decay(0.1, 0.9, 4)
LARS = dict(use_clip=True, learning_rate=0.1, mask=lambda tree: {name: "bias" not in name for name in tree})
# The expression of the golden, and the same without Cells
SAME = {
    "nn.SGD(p(), 0.1)": lambda: optim.sgd(0.1),
    "nn.SGD(p(), 0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)": lambda: optim.sgd(0.1, 0.9, 0.1, **DECAYED),
    "nn.Momentum(p(), 0.1, 0.9)": lambda: optim.momentum(0.1),
    "nn.Momentum(p(), RATES, 0.9)": lambda: optim.momentum(RATES),
    "nn.Momentum(p(), 0.1, 0.9, weight_decay=SCHEDULE())": lambda: optim.momentum(0.1, weight_decay=SCHEDULE),
    "nn.Adam(p(), 0.1, 0.8, 0.99, 1e-3, weight_decay=0.01)": lambda: optim.adam(0.1, 0.8, 0.99, 1e-3, **DECAYED),
    "nn.Adam(p(), 0.1, use_amsgrad=True)": lambda: optim.adam(0.1, use_amsgrad=True),
    "nn.AdamWeightDecay(p(), SCHEDULE(), weight_decay=0.01)": lambda: optim.adam_weight_decay(SCHEDULE, **DECAYED),
    "nn.AdaMax(p(), 0.1)": lambda: optim.adamax(0.1),
    "nn.Adagrad(p(), 0.2, 0.1, weight_decay=0.01)": lambda: optim.adagrad(0.1, 0.2, weight_decay=0.01),
    "nn.Adadelta(p(), 0.5)": lambda: optim.adadelta(0.5),
    "nn.RMSProp(p(), 0.1, 0.8, 0.5, 1e-4)": lambda: optim.rmsprop(0.1, 0.8, 0.5, 1e-4),
    "nn.RMSProp(p(), 0.1, centered=True)": lambda: optim.rmsprop(0.1, centered=True),
    "nn.FTRL(p(), 0.2, 0.1, -0.5, 0.01, 0.02)": lambda: optim.ftrl(0.1, 0.2, -0.5, 0.01, 0.02),
    "nn.ProximalAdagrad(p(), 0.2, 0.1, 0.01, 0.02)": lambda: optim.proximal_adagrad(0.1, 0.2, 0.01, 0.02),
    "nn.Lamb(p(), 0.1, weight_decay=0.1)": lambda: optim.lamb(0.1, weight_decay=0.1),
    "nn.LARS(nn.Momentum(p(), 0.1, 0.9), lars_filter=lambda x: 'bias' not in x.name, use_clip=True)": lambda: (
        optax.chain(optim.scale_by_lars(**LARS), optim.momentum(0.1))
    ),
    "nn.Rprop(p(), 0.1)": lambda: optim.rprop(0.1),
    "nn.ASGD(p(), 0.1, weight_decay=0.01, t0=5.0)": lambda: optim.asgd(0.1, t0=5.0, weight_decay=0.01),
    "nn.AdaFactor(p(), None)": lambda: optim.adafactor(),
    "experimental.Adam(p(), lr=0.1)": lambda: optim.experimental.adam(0.1),
    "experimental.AdamW(p(), lr=0.1, weight_decay=0.1, amsgrad=True)": lambda: optim.experimental.adamw(
        0.1, weight_decay=0.1, amsgrad=True
    ),
    "experimental.Adagrad(p(), lr=0.1)": lambda: optim.experimental.adagrad(0.1),
    "experimental.Adamax(p(), lr=0.1)": lambda: optim.experimental.adamax(0.1),
    "experimental.NAdam(p(), lr=0.1)": lambda: optim.experimental.nadam(0.1),
    "experimental.RAdam(p(), lr=0.1)": lambda: optim.experimental.radam(0.1),
    "experimental.RMSprop(p(), lr=0.1, momentum=0.9, centered=True)": lambda: optim.experimental.rmsprop(
        0.1, momentum=0.9, centered=True
    ),
    "mint.optim.SGD(p(), lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)": lambda: optim.mint.sgd(
        0.1, 0.9, 0.1, weight_decay=0.01
    ),
    "mint.optim.Adam(p(), lr=0.1)": lambda: optim.mint.adam(0.1),
    "mint.optim.AdamW(p(), lr=0.1, weight_decay=0.1)": lambda: optim.mint.adamw(0.1, weight_decay=0.1),
}


def gradients(step, params=PARAMS):
    return {
        name: jnp.asarray(cases_optim.values(name, f"gradient {step}", p.shape), p.dtype) for name, p in params.items()
    }


def assert_trees_equal(found, wanted, rtol=0.0):
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=rtol), found, wanted)


def trained(transformation, steps, params=PARAMS, first=1, state=None):
    """(parameters after each step, last state) of a plain loop."""
    params = jax.tree.map(jnp.asarray, params)
    state, found = transformation.init(params) if state is None else state, []

    @jax.jit
    def update(params, state, gradients):
        updates, state = transformation.update(gradients, state, params)
        return optax.apply_updates(params, updates), state

    for step in range(first, first + steps):
        params, state = update(params, state, gradients(step, params))
        found.append(params)
    return found, state


@pytest.mark.parametrize("expression", SAME if LONG else list(SAME)[1::4])
def test_a_plain_loop_gives_the_numbers_of_mindspore(expression):
    record = golden_files.read("optim")[expression]
    if expression in cases_optim.REFERENCES:
        expected = cases_optim.formula(cases_optim.REFERENCES[expression])
    elif "found" in record:
        expected = {key: array for key, (_, array) in record["found"].items() if not key.startswith("state:")}
    else:  # no kernel in MindSpore's CPU build
        expected = cases_optim.trajectory(expression)
        expected = {key: value for key, value in expected.items() if not key.startswith("state:")}
    found, _ = trained(SAME[expression](), cases_optim.STEPS)
    for key, value in expected.items():
        name, step = key.split("@")
        np.testing.assert_allclose(found[int(step) - 1][name], value, rtol=1e-4, atol=1e-6, err_msg=key)


FACTORIES = {
    "sgd": (optim.sgd, dict(momentum=0.9, dampening=0.1)),
    "momentum": (optim.momentum, dict(learning_rate=0.1)),
    "adam": (optim.adam, dict(learning_rate=0.1, weight_decay=0.1)),
    "adam_weight_decay": (optim.adam_weight_decay, dict(weight_decay=0.1)),
    "adamax": (optim.adamax, {}),
    "adagrad": (optim.adagrad, {}),
    "adadelta": (optim.adadelta, {}),
    "rmsprop": (optim.rmsprop, dict(momentum=0.5)),
    "ftrl": (optim.ftrl, dict(l1=0.01)),
    "proximal_adagrad": (optim.proximal_adagrad, {}),
    "lamb": (optim.lamb, dict(learning_rate=0.1)),
    "asgd": (optim.asgd, {}),
    "rprop": (optim.rprop, {}),
    "adafactor": (optim.adafactor, {}),
    "experimental.adam": (optim.experimental.adam, {}),
    "experimental.adagrad": (optim.experimental.adagrad, {}),
    "experimental.adamax": (optim.experimental.adamax, {}),
    "experimental.nadam": (optim.experimental.nadam, {}),
    "experimental.radam": (optim.experimental.radam, {}),
    "experimental.rmsprop": (optim.experimental.rmsprop, dict(momentum=0.5)),
    "mint.adam": (optim.mint.adam, dict(amsgrad=True)),
    "mint.adamw": (optim.mint.adamw, {}),
    "mint.sgd": (optim.mint.sgd, dict(learning_rate=0.1, momentum=0.9)),
}


@pytest.mark.parametrize("name", FACTORIES if LONG else list(FACTORIES)[1::6])
def test_hyperparameters_may_be_injected(name):
    factory, options = FACTORIES[name]
    plain, _ = trained(factory(**options), 3)
    injected, state = trained(optax.inject_hyperparams(factory)(**options), 3)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6), injected[-1], plain[-1])
    assert state.hyperparams.keys() >= options.keys() - {"amsgrad"}


FEW = FACTORIES if LONG else ("momentum", "adam_weight_decay")


def made(name):
    factory, options = FACTORIES[name]
    return factory(**options)


@pytest.mark.parametrize("name", FEW)
def test_under_multi_steps_and_apply_if_finite(name):
    """Two equal gradients make one step; gradients that are not finite make none."""
    once, _ = trained(made(name), 1)
    transformation = optax.apply_if_finite(optax.MultiSteps(made(name), 2), 3)
    params = jax.tree.map(jnp.asarray, PARAMS)
    state = transformation.init(params)
    update = jax.jit(transformation.update)
    for wrong in (False, True, False):
        grads = jax.tree.map(lambda g: g * jnp.float32(np.nan if wrong else 1), gradients(1))  # noqa: B023
        updates, state = update(grads, state, params)
        params = optax.apply_updates(params, updates)
    assert int(state.total_notfinite) == 1 and int(state.inner_state.gradient_step) == 1
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-6), params, once[0])


def test_chained_with_optaxs_own():
    """Clipped gradients, then Adam's step, then half of it, on some of the parameters; the others stand still."""
    labels = {"fc.weight": "trained", "fc.bias": "kept", "conv.weight": "trained"}
    inner = optax.chain(optax.clip_by_global_norm(0.5), optim.adam(0.1), optax.scale(0.5))
    transformation = optax.partition({"trained": inner, "kept": optax.set_to_zero()}, labels)
    (found,), _ = trained(transformation, 1)
    np.testing.assert_array_equal(found["fc.bias"], PARAMS["fc.bias"])
    moved = np.abs(np.asarray(found["fc.weight"]) - PARAMS["fc.weight"])
    np.testing.assert_allclose(moved[gradients(1)["fc.weight"] != 0], 0.05, rtol=1e-4)


@pytest.mark.parametrize("name", FEW)
def test_state_goes_through_a_file(name):
    whole, _ = trained(made(name), 4)
    half, state = trained(made(name), 2)
    state = pickle.loads(pickle.dumps(jax.tree.map(np.asarray, state)))
    rest, _ = trained(made(name), 2, half[-1], first=3, state=jax.tree.map(jnp.asarray, state))
    assert_trees_equal(rest[-1], whole[-1])


@pytest.mark.parametrize("name", FACTORIES if LONG else list(FACTORIES)[::3])
def test_nothing_is_64_bits_wide(name):
    transformation = made(name)
    params = jax.tree.map(jnp.asarray, PARAMS)
    text = str(jax.make_jaxpr(transformation.update)(params, transformation.init(params), params))
    assert "f64" not in text and "i64" not in text


@pytest.mark.parametrize("name", ["momentum", "adam", "adam_weight_decay", "lamb"] if LONG else ["adam"])
def test_half_precision_is_the_rounded_step(name):
    def rounded(params, dtype):
        return jax.tree.map(lambda p: jnp.asarray(p, dtype), params)

    params = rounded(PARAMS, jnp.bfloat16)
    (half,), state = trained(made(name), 1, params)
    (full,), _ = trained(made(name), 1, rounded(params, jnp.float32))
    jax.tree.map(lambda a, b: np.testing.assert_array_equal(a, b.astype(jnp.bfloat16)), half, full)
    assert {a.dtype for a in jax.tree.leaves(half)} == {jnp.dtype(jnp.bfloat16)}


@pytest.mark.parametrize("make", [optim.adam, optim.ftrl, optim.proximal_adagrad] if LONG else [optim.adam])
def test_rows_without_gradient_may_stand_still(make):
    params = {"table": jnp.ones((3, 2), jnp.float32), "w": jnp.ones(2, jnp.float32)}
    grads = {"table": jnp.zeros((3, 2), jnp.float32).at[1].set(1), "w": params["w"]}
    rows = {"table": jnp.array([False, True, False]), "w": True}
    transformation = optax.chain(optax.clip_by_global_norm(9.0), make(0.1))
    state = transformation.init(params)
    _, state = transformation.update(jax.tree.map(jnp.ones_like, params), state, params)
    updates, after = transformation.update(grads, state, params, rows=rows)
    assert (np.asarray(updates["table"]) != 0).any(1).tolist() == [False, True, False] and (updates["w"] != 0).all()
    fields = [f for f in after[1]._fields if isinstance(getattr(after[1], f), dict)]
    for field in fields:
        new, old = (np.asarray(getattr(s[1], field)["table"]) for s in (after, state))
        assert (new != old).any(1).tolist() == [False, True, False], field
    assert fields


@pytest.mark.parametrize("expression", [e for e in cases_schedules.CELLS if "'x'" not in e and "0)" not in e])
def test_schedules_are_those_of_the_cells(expression):
    names = {
        "ExponentialDecayLR": "exponential_decay",
        "NaturalExpDecayLR": "natural_exp_decay",
        "InverseDecayLR": "inverse_decay",
        "CosineDecayLR": "cosine_decay",
        "PolynomialDecayLR": "polynomial_decay",
        "WarmUpLR": "warmup",
    }
    cell = expression.split("(")[0].removeprefix("nn.")
    schedule = eval(expression.replace(f"nn.{cell}", f"optim.schedules.{names[cell]}"), {"optim": optim})
    counts = range(cases_schedules.STEPS)
    np.testing.assert_array_equal(
        np.float32([schedule(jnp.int32(i)) for i in counts]), cases_schedules.values(expression)
    )
    np.testing.assert_allclose([schedule(i) for i in counts], cases_schedules.values(expression), rtol=1e-5)


CLOSED = {
    "StepLR(o(), 5, 0.5)": lambda s: s.step_lr(0.1, 5, 0.5),
    "MultiStepLR(o(), [5, 12], 0.1)": lambda s: s.multi_step_lr(0.1, [5, 12], 0.1),
    "ConstantLR(o(), 0.5, 4)": lambda s: s.constant_lr(0.1, 0.5, 4),
    "LinearLR(o(), 0.3, 1.0, 6)": lambda s: s.linear_lr(0.1, 0.3, 1.0, 6),
    "ExponentialLR(o(), 0.9)": lambda s: s.exponential_lr(0.1, 0.9),
    "PolynomialLR(o(), 10, 2.0)": lambda s: s.polynomial_lr(0.1, 10, 2.0),
    "CosineAnnealingLR(o(), 10, 0.01)": lambda s: s.cosine_annealing_lr(0.1, 10, 0.01),
    "CosineAnnealingWarmRestarts(o(), 5, 2, 0.01)": lambda s: s.cosine_annealing_warm_restarts(0.1, 5, 2, 0.01),
    "CyclicLR(o(), 0.01, 0.1, 4, 6)": lambda s: s.cyclic_lr(0.01, 0.1, 4, 6),
    "CyclicLR(o(), 0.01, 0.1, 4, mode='triangular2')": lambda s: s.cyclic_lr(0.01, 0.1, 4, mode="triangular2"),
    "SequentialLR(opt, [ConstantLR(opt, 0.1, 2), ExponentialLR(opt, 0.9)], [4])": lambda s: optax.join_schedules(
        [s.constant_lr(0.1, 0.1, 2), s.exponential_lr(0.1, 0.9)], [4]
    ),
}


@pytest.mark.parametrize("expression", CLOSED if LONG else list(CLOSED)[1::3])
def test_closed_forms_are_those_of_the_schedulers(expression):
    schedule = jax.jit(CLOSED[expression](optim.schedules))
    found = [float(schedule(jnp.int32(i))) for i in range(cases_schedules.STEPS)]
    np.testing.assert_allclose(found, cases_schedules.values(expression), rtol=2e-5, atol=1e-7)


def test_a_schedule_of_ours_drives_an_optimizer_of_optax():
    schedule = optim.schedules.piecewise_constant([1], [0.5, 0.25])
    found, _ = trained(optax.sgd(schedule), 2)
    for step, rate in ((1, 0.5), (2, 0.25)):
        before = PARAMS if step == 1 else found[0]
        want = jax.tree.map(lambda p, g: p - rate * g, before, gradients(step))  # noqa: B023
        assert_trees_equal(found[step - 1], want, 1e-7)


def test_the_cell_runs_its_transformation():
    """Its state is that of the transformation, as Parameters under MindSpore's names."""
    optimizer = nn.Adam(cases_optim.p(), 0.1, weight_decay=0.01)
    transformation = optimizer.as_optax()
    assert isinstance(transformation, optax.GradientTransformationExtraArgs)
    found, state = trained(transformation, 3)
    for step in range(1, 4):
        optimizer(tuple(map(ms.Tensor, map(np.asarray, gradients(step).values()))))
    kept = {p.name: p.asnumpy() for p in optimizer.get_parameters()}
    for name in PARAMS:
        np.testing.assert_allclose(found[-1][name], kept[name], rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(state[1].moment2[name], kept[f"moment2.{name}"], rtol=1e-6)
    assert int(state[1].count) == kept["global_step"] == 3


WRONG = [
    (lambda: optim.adam(0.1, beta1=1.0), "beta1"),
    (lambda: optim.adam(0.1, use_nesterov=True, use_amsgrad=True), "use_amsgrad"),
    (lambda: optim.sgd(0.1, nesterov=True), "nesterov"),
    (lambda: optim.mint.sgd(0.1, 0.9, 0.5, nesterov=True), "dampening"),
    (lambda: optim.adafactor(0.1), "relative_step"),
    (lambda: optim.rprop(0.1, (1.5, 2.0)), "etas"),
    (lambda: optim.rmsprop(0.1, epsilon=0.0), "epsilon"),
    (lambda: optim.schedules.cyclic_lr(0.0, 1.0, 2, mode="sine"), "mode"),
    (lambda: optim.adam(0.1).update(jnp.ones(2), optim.adam(0.1).init(jnp.ones(2))), "parameters"),
]


@pytest.mark.parametrize("make, text", WRONG)
def test_wrong_arguments(make, text):
    with pytest.raises(ValueError, match=text):
        make()


def test_an_unknown_name_is_told():
    with pytest.raises(AttributeError, match="adam_weight_decay"):
        optim.adan  # noqa: B018


ON_EIGHT = """
import jax, jax.numpy as jnp, numpy as np, optax
from msjax import optim
mesh = jax.make_mesh((8,), ("shards",))
split = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("shards"))
whole = {"w": jnp.arange(48, dtype=jnp.float32).reshape(16, 3) / 16 - 1}
for make in (optim.adam, optim.momentum, optim.adam_weight_decay):
    transformation, found = make(0.1), []
    update = jax.jit(lambda params, state: transformation.update(params, state, params))
    for params in (whole, jax.device_put(whole, split)):
        state = transformation.init(params)
        for _ in range(2):
            updates, state = update(params, state)
            params = optax.apply_updates(params, updates)
        found.append(params["w"])
    rows = [a for a in jax.tree.leaves(state) if a.shape == (16, 3)]
    assert rows and all(a.sharding.is_equivalent_to(split, 2) for a in rows), make
    np.testing.assert_allclose(*found, rtol=1e-6)
print("split over", jax.device_count())
"""


def test_state_lies_as_the_parameters_on_eight_devices():
    environment = {**os.environ, "XLA_FLAGS": "--xla_force_host_platform_device_count=8", "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", ON_EIGHT], capture_output=True, text=True, env=environment)
    assert done.stdout.strip() == "split over 8", done.stderr
