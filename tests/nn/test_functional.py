"""The door to plain JAX: Cells as pure functions, pure functions as Cells, Cells inside jax's transforms, DLPack."""

import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import optax
import pytest
from mindspore import Tensor, nn, ops

import msjax


def mlp():
    ms.set_seed(1)
    return nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))


X = np.random.RandomState(0).randn(5, 4).astype(np.float32)


def test_values_and_gradients_are_those_of_the_cell(mode):
    net = mlp()
    function, values = msjax.functional(net)
    assert list(values) == [p.name for p in net.get_parameters()]
    np.testing.assert_allclose(jax.jit(function)(values, X), net(Tensor(X)).asnumpy(), rtol=1e-6, atol=1e-6)
    mine = jax.jit(jax.grad(lambda values: (function(values, X) ** 2).sum()))(values)
    theirs = ms.grad(lambda x: (net(x) ** 2).sum(), None, net.trainable_params())(Tensor(X))
    for p, b in zip(net.trainable_params(), theirs):
        np.testing.assert_allclose(mine[p.name], b.asnumpy(), rtol=1e-5, atol=1e-6, err_msg=p.name)
    many = jax.vmap(function, (None, 0))(values, X)
    np.testing.assert_allclose(many, net(Tensor(X)).asnumpy(), rtol=1e-6, atol=1e-6)
    assert all(p._raw is values[p.name] for p in net.get_parameters()), "nothing was written"


def test_training_with_optax_reaches_the_same_weights():
    net, twin = mlp(), mlp()
    optimizer = nn.Adam(twin.trainable_params(), 0.1, weight_decay=0.01)
    step = nn.TrainOneStepCell(nn.WithLossCell(twin, nn.MSELoss()), optimizer)
    step.set_train()
    function, values = msjax.functional(net)
    transformation = nn.Adam(net.trainable_params(), 0.1, weight_decay=0.01).as_optax()
    state, y = transformation.init(values), np.ones((5, 2), np.float32)

    @jax.jit
    def update(values, state):
        loss, gradients = jax.value_and_grad(lambda values: ((function(values, X) - y) ** 2).mean())(values)
        updates, state = transformation.update(gradients, state, values)
        return optax.apply_updates(values, updates), state, loss

    for _ in range(5):
        values, state, loss = update(values, state)
        np.testing.assert_allclose(loss, step(Tensor(X), Tensor(y)).asnumpy(), rtol=1e-5)
    for p in twin.get_parameters():
        np.testing.assert_allclose(values[p.name], p.asnumpy(), rtol=1e-4, atol=1e-5)


def test_state_that_is_written_comes_out_or_is_refused(mode):
    net = nn.SequentialCell(nn.Dense(4, 3), nn.BatchNorm1d(3, momentum=0.5))
    net.set_train()
    function, values = msjax.functional(net)
    with pytest.raises(RuntimeError, match="writes .*moving_mean.*mutable=True"):
        function(values, X)
    function, values = msjax.functional(net, mutable=True)
    _, after = jax.jit(function)(values, X)
    net(Tensor(X))
    for p in net.get_parameters():
        np.testing.assert_allclose(after[p.name], p.asnumpy(), rtol=1e-6, atol=1e-6)


def test_random_numbers_need_a_key(mode):
    net = nn.Dropout(p=0.5)
    net.set_train()
    function, values = msjax.functional(net)
    with pytest.raises(RuntimeError, match="rng=jax.random.key"):
        function(values, X)
    first, again, other = (function(values, X, rng=jax.random.key(k)) for k in (1, 1, 2))
    assert (first == again).all() and (first != other).any()
    before = ms.get_rng_state().asnumpy()
    jax.jit(function)(values, X, rng=jax.random.key(0))
    assert (ms.get_rng_state().asnumpy() == before).all()


def test_wrong_values_are_named():
    function, values = msjax.functional(nn.Dense(4, 2))
    with pytest.raises(ValueError, match="'bias'"):
        function({"weight": values["weight"]}, X)


def test_a_jax_function_is_a_cell(mode):
    params = {
        "layer": {"w": jnp.ones((4, 2), jnp.float32), "b": jnp.zeros(2, jnp.float32)},
        "steps": jnp.zeros((), jnp.int32),
    }
    net = msjax.from_jax(lambda p, x: x @ p["layer"]["w"] + p["layer"]["b"], params, name="Linear")
    assert sorted(p.name for p in net.trainable_params()) == ["layer.b", "layer.w"] and type(net).__name__ == "Linear"
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), X.sum(1, keepdims=True).repeat(2, 1), rtol=1e-5, atol=1e-6)
    optimizer = nn.SGD(net.trainable_params(), 0.01)
    grad = ms.value_and_grad(lambda x: (net(x) ** 2).mean(), None, optimizer.parameters)
    losses = []
    for _ in range(5):
        loss, gradients = grad(Tensor(X))
        optimizer(gradients)
        losses.append(float(loss))
    assert losses == sorted(losses, reverse=True)
    outer = nn.SequentialCell(net, nn.Dense(2, 1))
    assert [p.name for p in outer.get_parameters()][:2] == ["0.layer.b", "0.layer.w"]
    assert outer(Tensor(X)).shape == (5, 1)
    twice = msjax.from_jax(lambda x: (x, {"double": 2 * x}))(Tensor(X))
    assert (twice[1]["double"].asnumpy() == 2 * X).all()


def test_cells_inside_transforms_of_jax(mode):
    net = mlp()
    many = jax.vmap(lambda x: net(x))(Tensor(X))
    np.testing.assert_allclose(many.asnumpy(), net(Tensor(X)).asnumpy(), rtol=1e-5, atol=1e-6)
    one = jax.grad(lambda x: ops.sum(net(Tensor(x)) ** 2).__jax_array__())(X)
    theirs = ms.grad(lambda x: (net(x) ** 2).sum())(Tensor(X))
    np.testing.assert_allclose(one, theirs.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", ["float32", "int64", "bool", "float16", "uint8", "complex64"])
def test_dlpack_both_ways(kind):
    host = np.arange(6).reshape(2, 3).astype(kind)
    tensor = ms.from_dlpack(host)
    assert tensor.asnumpy().dtype == host.dtype and (tensor.asnumpy() == host).all()
    host[0, 0] = 1
    assert tensor.asnumpy()[0, 0] == 0, "a copy: the other owner may write"
    assert (np.from_dlpack(tensor) == tensor.asnumpy()).all() and (
        np.from_dlpack(ms.to_dlpack(tensor)) == tensor.asnumpy()
    ).all()


def test_dlpack_with_torch():
    torch = pytest.importorskip("torch")
    for kind in (torch.float32, torch.bfloat16, torch.int64, torch.bool):
        theirs = torch.arange(6).reshape(2, 3).to(kind).T  # not contiguous
        mine = ms.from_dlpack(theirs)
        back = torch.from_dlpack(mine)
        assert back.dtype == kind and torch.equal(back, theirs)


def test_sparse_results_keep_their_arrays():
    """Also when JAX takes the result apart again."""
    function, values = msjax.functional(lambda x: ms.CSRTensor(Tensor([0, 1, 2]), Tensor([0, 1]), x, (2, 4)))
    found = jax.tree.leaves(function(values, jnp.array([1.0, 2.0])))
    assert [np.asarray(a).tolist() for a in found] == [[0, 1, 2], [0, 1], [1, 2]]
