"""Functions of JAX on Tensors: where a gradient is recorded they are refused, with the line; elsewhere they work, and JAX differentiates them."""

import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

import msjax

X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
DOORS = {
    "__jax_array__": lambda x: jnp.tanh(x),
    "and back in a Tensor": lambda x: Tensor(jnp.tanh(x)),
    "jax.nn": lambda x: jax.nn.relu(x),
    "vmap": jax.vmap(jnp.tanh),
    "jit": jax.jit(lambda x: jnp.tanh(x)),
    "in a list": lambda x: jnp.stack([x, x])[0],
    "an array on the left": lambda x: jnp.ones((2, 3), jnp.float32) * x,
    "jax_array": lambda x: jnp.tanh(x.jax_array),
    "value": lambda x: jnp.tanh(x.value()),
    "DLPack": lambda x: jnp.from_dlpack(x),
    "a gradient of JAX's": lambda x: jax.grad(lambda v: jnp.tanh(v).sum())(x),
}


class Net(nn.Cell):
    """Two layers, and a function between."""

    def __init__(self, between):
        super().__init__()
        self.before, self.between, self.after = nn.Dense(3, 3), between, nn.Dense(3, 1)

    def construct(self, x):
        return self.after(self.between(self.before(x))).sum()


def gradients(between):
    ms.set_seed(3)
    net = Net(between)
    _, found = ms.value_and_grad(net, None, net.trainable_params())(Tensor(X))
    return [g.asnumpy() for g in found]


@pytest.mark.parametrize("door", DOORS)
def test_what_would_cut_a_gradient_is_refused_at_its_line(door):
    with pytest.raises(
        RuntimeError, match=r"(?s)takes Tensor\(shape=\(2, 3\).* at .*test_jax_functions.py:\d+.*from_jax"
    ) as e:
        gradients(DOORS[door])
    assert "while a gradient is recorded" in str(e.value)


def test_a_parameter_is_refused_too():
    weight = ms.Parameter(Tensor(X), name="w")
    with pytest.raises(RuntimeError, match="takes Parameter 'w'"):
        ms.grad(lambda x: (x * Tensor(jnp.tanh(weight))).sum(), None, [weight])(Tensor(X))


def test_a_gradient_of_a_gradient_refuses_what_only_the_outer_one_follows():
    def inner(x):
        return ms.grad(lambda y: (y * Tensor(jnp.tanh(x))).sum())(Tensor(X)).sum()

    with pytest.raises(RuntimeError, match="while a gradient is recorded"):
        ms.grad(inner)(Tensor(X))


@pytest.mark.parametrize("function", [jnp.tanh, jax.vmap(jnp.tanh), jax.jit(jnp.tanh)], ids=["plain", "vmap", "jit"])
def test_from_jax_is_what_the_message_promises(function, mode):
    for one, other in zip(gradients(msjax.from_jax(function)), gradients(ops.tanh)):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_in_graph_mode_jax_differentiates_the_whole():
    expected = gradients(ops.tanh)
    msjax.set_context(mode=msjax.GRAPH_MODE)
    for one, other in zip(gradients(lambda x: jnp.tanh(x)), expected):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("free", [ops.stop_gradient, lambda x: x.detach()], ids=["stop_gradient", "detach"])
def test_where_no_gradient_is_wanted_the_array_may_leave(free):
    found = gradients(lambda x: x * jnp.tanh(free(x)))
    assert all(np.abs(g).sum() > 0 for g in found)


def test_numpy_ends_a_gradient_as_in_mindspore():
    found = gradients(lambda x: Tensor(np.tanh(np.asarray(x))))
    assert [bool(np.abs(g).sum() > 0) for g in found] == [False, False, True, True]


def test_outside_of_gradients_every_door_is_open():
    for door in DOORS.values():
        assert door(Tensor(X)).shape == (2, 3)
