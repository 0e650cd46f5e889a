"""as_optax: the trajectory of each optimizer's own Cell, with groups, schedules, decay filters; or a refusal."""

import os

import cases_optim as cases
import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import optax
import pytest
from mindspore import Parameter, Tensor, nn

STEPS = 4
# one Parameter has "beta" in its name: weight decay without groups passes over it
RENAMED = {"fc.weight": "fc.weight", "fc.bias": "fc.beta", "conv.weight": "conv.weight"}
MORE = [
    "nn.LARS(nn.Momentum(g(lr=0.01), 0.1, 0.9, weight_decay=0.1), use_clip=True)",
    "nn.LARS(nn.Adam(g(weight_decay=0.1), SCHEDULE(), loss_scale=2.0))",
    "nn.Adam(g(lr=RATES, weight_decay=0.1, grad_centralization=True), 0.1, loss_scale=4.0)",
    "nn.Lamb(g(weight_decay=SCHEDULE(), lr=0.01), 0.1)",
    "nn.AdamWeightDecay(g(weight_decay=SCHEDULE()), RATES)",
    "nn.Momentum(g(order=True, lr=SCHEDULE(), weight_decay=0.1), 0.1, 0.9)",
    "nn.ASGD(g(lr=0.01), 0.1, weight_decay=0.01)",
    "nn.Rprop(g(lr=0.01), 0.1)",
    "experimental.SGD([{'params': p()[:1], 'lr': 0.01, 'weight_decay': 0.1}, {'params': p()[1:]}], lr=0.1, momentum=0.9, maximize=True)",
]


@pytest.fixture
def renamed(monkeypatch):
    make = cases.p
    made = {}

    def parameters():
        params = made.setdefault(len(made), make())
        for param in params:
            param.name = RENAMED[param.name]
        return params

    monkeypatch.setattr(cases, "p", parameters)
    monkeypatch.setitem(cases.NAMESPACE, "p", parameters)


def gradient(step, shape, name):
    return cases.values(name, f"gradient {step}", shape)


EVERY = cases.EXPRESSIONS if os.environ.get("MSJAX_TEST_ALL") else cases.EXPRESSIONS[5::9]


@pytest.mark.parametrize("expression", [*EVERY, *MORE])
def test_trajectory_is_that_of_the_cell(expression, renamed):
    cell, twin = eval(expression, cases.NAMESPACE), eval(expression, cases.NAMESPACE)
    transformation = twin.as_optax()
    params = {p.name: jnp.asarray(p.asnumpy()) for p in twin.parameters}

    @jax.jit
    def update(params, state, gradients):
        updates, state = transformation.update(gradients, state, params)
        return optax.apply_updates(params, updates), state

    state = transformation.init(params)
    for step in range(STEPS):
        gradients = {p.name: gradient(step, p.shape, p.name) for p in cell.parameters}
        cell(tuple(map(Tensor, gradients.values())))
        params, state = update(params, state, gradients)
        for p in cell.parameters:
            np.testing.assert_allclose(params[p.name], p.asnumpy(), rtol=2e-5, atol=2e-6, err_msg=f"{p.name} at {step}")
    assert all(a.dtype == jnp.float32 for a in params.values())


def test_a_tuple_in_the_order_of_the_parameters():
    optimizer = nn.Momentum(cases.g(lr=0.5, weight_decay=0.1), 0.1, 0.9)
    params = tuple(jnp.ones(p.shape) for p in optimizer.parameters)
    transformation = optimizer.as_optax()
    updates, _ = transformation.update(params, transformation.init(params), params)
    assert [float(u.ravel()[0]) for u in updates] == pytest.approx([-0.55, -0.1, -0.1])


def test_what_is_not_the_parameters_is_refused_where_they_differ():
    optimizer = nn.Momentum(cases.g(lr=0.5), 0.1, 0.9)
    with pytest.raises(ValueError, match="treats its Parameters differently"):
        optimizer.as_optax().init({"w": jnp.ones(3)})
    any_tree = nn.Momentum(cases.p(), 0.1, 0.9, weight_decay=0.5).as_optax()
    tree = {"norm": {"gamma": jnp.ones(2), "scale": jnp.ones(2)}}
    updates, _ = any_tree.update(tree, any_tree.init(tree), tree)
    assert float(updates["norm"]["gamma"][0]) == pytest.approx(-0.1)
    assert float(updates["norm"]["scale"][0]) == pytest.approx(-0.15)


def test_steps_that_are_no_function_of_their_inputs_are_refused():
    class Own(nn.Optimizer):
        def construct(self, gradients):
            return gradients

    with pytest.raises(NotImplementedError, match="no optax form"):
        Own(0.1, cases.p()).as_optax()
    net = nn.Dense(2, 2)
    damping = Tensor(np.ones(3, np.float32))
    thor = nn.thor(net, Tensor(np.full(3, 0.1, np.float32)), damping, 0.9)
    with pytest.raises(NotImplementedError, match="no optax form"):
        thor.as_optax()


def test_half_precision_is_the_cells():
    def param():
        return [Parameter(Tensor(np.linspace(-1, 1, 8), ms.float16), name="w")]

    cell, transformation = nn.Adam(param(), 0.1), nn.Adam(param(), 0.1).as_optax()
    params = {"w": jnp.linspace(-1, 1, 8).astype(jnp.float16)}
    state = transformation.init(params)
    for step in range(3):
        gradients = {"w": jnp.asarray(np.linspace(1, -2, 8) * (step + 1), jnp.float16)}
        cell((Tensor(np.asarray(gradients["w"])),))
        updates, state = transformation.update(gradients, state, params)
        params = optax.apply_updates(params, updates)
    assert params["w"].dtype == jnp.float16
    np.testing.assert_allclose(params["w"], cell.parameters[0].asnumpy(), rtol=2e-3)
