"""State that lies as the compiler of a TPU chooses; here the CPU's is told to lay it the other way round than usual."""

import jax
import mindspore as ms
import numpy as np
import pytest
from jax.experimental.layout import Format, Layout
from jax.sharding import SingleDeviceSharding
from mindspore import Tensor, nn

from msjax.core.operators import layouts


@pytest.fixture
def turned(monkeypatch):
    """Each array of two or more axes lies with its axes in the opposite order."""

    def lies(self, state):
        here = SingleDeviceSharding(jax.devices()[0])
        return [Format(Layout(tuple(reversed(range(a.ndim)))), here) if a.ndim > 1 else None for a in state]

    ms.set_context(mode=ms.GRAPH_MODE)
    monkeypatch.setattr(layouts, "present_device", lambda: "TPU")
    monkeypatch.setattr(layouts.AsCompiled, "lies", lies)


def _network():
    ms.set_seed(1)
    np.random.seed(1)
    return nn.SequentialCell(nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 25, 3))


def _inputs():
    rng = np.random.RandomState(0)
    return Tensor(rng.randn(6, 2, 5, 5).astype(np.float32)), Tensor(rng.randint(0, 3, 6).astype(np.int32))


def _trained(net, steps=3):
    loss = nn.WithLossCell(net, nn.CrossEntropyLoss())
    step = nn.TrainOneStepCell(loss, nn.Adam(net.trainable_params(), 1e-2)).set_train()
    return step, [float(step(*_inputs()).asnumpy()) for _ in range(steps)]


def _order(parameter):
    return parameter.value().jax_array.format.layout.major_to_minor


@pytest.fixture
def plain():
    """(network, losses) of the same steps with arrays as usual."""
    ms.set_context(mode=ms.GRAPH_MODE)
    net = _network()
    return net, _trained(net)[1]


def test_a_step_trains_weights_that_lie_otherwise(plain, turned):
    net = _network()
    _, losses = _trained(net)
    assert losses == pytest.approx(plain[1], rel=1e-5)
    assert _order(net[0].weight) == (3, 2, 1, 0)
    for mine, usual in zip(net.get_parameters(), plain[0].get_parameters()):
        np.testing.assert_allclose(mine.asnumpy(), usual.asnumpy(), rtol=1e-4, atol=1e-5)


def test_a_weight_that_is_set_is_laid_as_the_step_takes_it(turned):
    net = _network()
    step, _ = _trained(net)
    net[0].weight.set_data(Tensor(np.ones((4, 2, 3, 3), np.float32)))
    assert _order(net[0].weight) == (0, 1, 2, 3)
    assert np.isfinite(float(step(*_inputs()).asnumpy()))
    assert _order(net[0].weight) == (3, 2, 1, 0)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def test_other_programs_read_weights_that_lie_otherwise(plain, turned, mode):
    net = _network()
    _trained(net)
    ms.set_context(mode=mode)
    x = _inputs()[0]
    for train in (False, True):
        mine, usual = (n.set_train(train)(x).asnumpy() for n in (net, plain[0]))
        np.testing.assert_allclose(mine, usual, rtol=1e-3, atol=1e-4)
    weight = net[4].weight
    np.testing.assert_array_equal((weight * 2).asnumpy(), 2 * weight.asnumpy())


def test_a_checkpoint_holds_weights_that_lie_otherwise(turned, tmp_path):
    net = _network()
    _trained(net)
    ms.save_checkpoint(net, str(tmp_path / "net.ckpt"))
    other = _network()
    ms.load_param_into_net(other, ms.load_checkpoint(str(tmp_path / "net.ckpt")))
    for mine, loaded in zip(net.get_parameters(), other.get_parameters()):
        np.testing.assert_array_equal(mine.asnumpy(), loaded.asnumpy())


def test_a_result_of_a_weights_shape_does_not_take_its_place(monkeypatch):
    """The new weight is written over the old one, and not the result that has the same shape."""
    monkeypatch.setattr(layouts, "present_device", lambda: "TPU")
    kept = jax.numpy.ones((2, 3))
    run = layouts.of_state(lambda state, x: ((x @ x.T @ state[0],), [s + 1 for s in state]), (0,))
    (result,), (new,) = run([kept], jax.numpy.ones((2, 2)))
    assert kept.is_deleted()
    np.testing.assert_array_equal(np.asarray(result), np.full((2, 3), 4.0))
    np.testing.assert_array_equal(np.asarray(new), np.full((2, 3), 2.0))


def test_state_with_a_place_of_its_own_is_compiled(monkeypatch):
    monkeypatch.setattr(layouts, "present_device", lambda: "TPU")
    run, state = layouts.of_state(lambda state, x: ((x,), [s + x for s in state]), (0,)), np.ones((2, 3))
    state = [jax.device_put(state, jax.devices()[0])]
    for _ in range(2):
        _, state = run(state, 1.0)
    np.testing.assert_array_equal(np.asarray(state[0]), np.full((2, 3), 3.0))


@pytest.mark.parametrize(
    "shape, chosen",
    [
        ((63001, 64), False),  # by rows twice its size
        ((64, 63001), False),
        ((30000, 192), False),
        ((50257, 768), True),
        ((512, 64), True),  # small
        ((512, 512, 3, 3), True),
    ],
)
def test_the_compiler_does_not_choose_where_a_table_would_take_more_memory(shape, chosen):
    lies = layouts.AsCompiled(None).lies([jax.ShapeDtypeStruct(shape, np.float32)])
    assert lies == [Format(Layout.AUTO) if chosen else None]
