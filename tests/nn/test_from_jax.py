"""Functions and modules of JAX as Cells: weights trained, state kept, keys drawn, and nothing hidden."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn

import msjax

X = np.random.RandomState(0).standard_normal((6, 4)).astype(np.float32)


def trained(net, steps=3):
    """Losses of a few steps, and whether each Parameter has changed."""
    before = {p.name: p.asnumpy().copy() for p in net.get_parameters()}
    optimizer = nn.SGD(net.trainable_params(), 0.05)
    gradient = ms.value_and_grad(lambda x: (net(x) ** 2).mean(), None, optimizer.parameters)
    losses = []
    for _ in range(steps):
        loss, gradients = gradient(Tensor(X))
        optimizer(gradients)
        losses.append(float(loss))
    return losses, {p.name: bool((p.asnumpy() != before[p.name]).any()) for p in net.get_parameters()}


def test_state_changes_and_has_no_gradient(mode):
    def mean(params, state, x):
        new = {"mean": 0.5 * state["mean"] + 0.5 * x.mean(0), "count": state["count"] + 1}
        return (x - state["mean"]) * params, new

    net = msjax.from_jax(
        mean, jnp.ones(4, jnp.float32), state={"mean": jnp.zeros(4, jnp.float32), "count": jnp.zeros((), jnp.int32)}
    )
    assert [p.name for p in net.trainable_params()] == ["param"]
    for _ in range(2):
        net(Tensor(X))
    held = {p.name: p.asnumpy() for p in net.get_parameters()}
    assert held["count"] == 2
    np.testing.assert_allclose(held["mean"], 0.75 * X.mean(0), rtol=1e-5)
    with pytest.raises(TypeError, match="result, new state"):
        msjax.from_jax(lambda p, s, x: x, jnp.ones(4), state=jnp.ones(4))(Tensor(X))


@pytest.mark.parametrize("rng", ["key", True])
def test_keys_come_from_the_seed(rng, mode):
    def noise(key, x):
        return x + jax.random.normal(key, x.shape, x.dtype)

    net = msjax.from_jax(noise if rng is True else lambda x, key: noise(key, x), rng=rng)
    ms.set_seed(5)
    first, second = (net(Tensor(X)).asnumpy() for _ in range(2))
    ms.set_seed(5)
    assert (net(Tensor(X)).asnumpy() == first).all() and (first != second).any()


@functools.partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=[])
@dataclasses.dataclass
class Module:
    """A callable pytree with arrays, as Equinox's modules are."""

    w: jax.Array

    def __call__(self, x):
        return x * self.w


@pytest.mark.parametrize("wrapped", [jax.vmap, jax.jit, functools.partial, lambda f: lambda x: f(x)])
def test_a_hidden_module_is_an_error(wrapped):
    with pytest.raises(ValueError, match="holds a Module, whose weights would not be trained"):
        msjax.from_jax(wrapped(Module(jnp.ones(4))))


def test_a_callable_pytree_is_its_own_parameters(mode):
    losses, changed = trained(msjax.from_jax(Module(jnp.ones(4, jnp.float32))))
    assert losses == sorted(losses, reverse=True) and changed == {"w": True}


# --- libraries on JAX
def test_equinox(mode):
    eqx = pytest.importorskip("equinox")
    module = eqx.nn.MLP(4, 2, 8, 1, activation=jax.nn.tanh, key=jax.random.key(0))
    net = msjax.from_jax(lambda m, x: jax.vmap(m)(x), module)
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), jax.vmap(module)(X), rtol=1e-5, atol=1e-6)
    losses, changed = trained(net)
    assert losses == sorted(losses, reverse=True) and len(changed) == 4 and all(changed.values())
    one = msjax.from_jax(module)
    np.testing.assert_allclose(one(Tensor(X[0])).asnumpy(), module(X[0]), rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="MLP"):
        msjax.from_jax(jax.vmap(module))


def test_flax_linen_statistics_and_dropout(mode):
    linen = pytest.importorskip("flax.linen")

    class Net(linen.Module):
        @linen.compact
        def __call__(self, x, train=False):
            x = linen.BatchNorm(use_running_average=not train, momentum=0.5)(linen.Dense(3)(x))
            return linen.Dropout(0.5, deterministic=not train)(x)

    module = Net()
    variables = module.init(jax.random.key(0), X)
    for function in (module, module.apply):
        net = msjax.from_jax(function, variables, rng=("dropout",))
        assert sorted(p.name for p in net.trainable_params()) == [
            "BatchNorm_0.bias", "BatchNorm_0.scale", "Dense_0.bias", "Dense_0.kernel",
        ]  # fmt: skip
        np.testing.assert_allclose(net(Tensor(X)).asnumpy(), module.apply(variables, X), rtol=1e-5, atol=1e-6)
        net.set_train()
        one, other = (net(Tensor(X), train=True).asnumpy() for _ in range(2))
        assert ((one == 0) != (other == 0)).any(), "dropout differs"
        wanted = variables
        for _ in range(2):
            _, new = module.apply(wanted, X, train=True, mutable=["batch_stats"], rngs={"dropout": jax.random.key(1)})
            wanted = {**wanted, **new}
        mean = next(p for p in net.get_parameters() if p.name.endswith("mean"))
        assert not mean.requires_grad
        np.testing.assert_allclose(mean.asnumpy(), wanted["batch_stats"]["BatchNorm_0"]["mean"], rtol=1e-5, atol=1e-6)
    with pytest.raises(TypeError, match="needs its variables"):
        msjax.from_jax(module)


def test_flax_nnx(mode):
    nnx = pytest.importorskip("flax.nnx")

    class Net(nnx.Module):
        def __init__(self, rngs):
            self.dense, self.norm = nnx.Linear(4, 3, rngs=rngs), nnx.BatchNorm(3, rngs=rngs)
            self.drop = nnx.Dropout(0.5, rngs=rngs)

        def __call__(self, x):
            return self.drop(self.norm(self.dense(x)))

    module = Net(nnx.Rngs(0))
    net = msjax.from_jax(module)
    module.eval()
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), module(jnp.asarray(X)), rtol=1e-5, atol=1e-6)
    assert (
        all("mean" not in p.name and "var" not in p.name for p in net.trainable_params())
        and len(net.trainable_params()) == 4
    )
    net.set_train()
    one, other = (net(Tensor(X)).asnumpy() for _ in range(2))
    assert ((one == 0) != (other == 0)).any(), "dropout differs"
    mean = next(p for p in net.get_parameters() if p.name.endswith("mean"))
    assert np.abs(mean.asnumpy()).max() > 0
    losses, changed = trained(net)
    assert changed["dense.kernel"], changed


def test_haiku(mode):
    hk = pytest.importorskip("haiku")
    transformed = hk.transform_with_state(
        lambda x: hk.dropout(hk.next_rng_key(), 0.5, hk.Linear(3)(x)) + hk.get_state("n", (), init=jnp.zeros)
    )
    params, state = transformed.init(jax.random.key(0), X)

    def apply(params, state, key, x):
        return transformed.apply(params, state, key, x)

    net = msjax.from_jax(apply, params, state=state, rng=True)
    one, other = (net(Tensor(X)).asnumpy() for _ in range(2))
    assert ((one == 0) != (other == 0)).any()
    losses, changed = trained(net)
    assert any(changed.values())


def test_there_and_back():
    net = nn.Dense(4, 2)
    function, values = msjax.functional(net)
    again = msjax.from_jax(function, values)
    np.testing.assert_allclose(again(Tensor(X)).asnumpy(), net(Tensor(X)).asnumpy(), rtol=1e-6)
