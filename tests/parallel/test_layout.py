"""Layouts and the settings of MindSpore's search for them; functions that one process has nothing to do for."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Layout, Tensor, nn
from mindspore.parallel.distributed import DistributedDataParallel
from mindspore.parallel.function import reshard
from mindspore.parallel.nn import GradAccumulation, Pipeline


def test_layout_maps_names_to_axes():
    layout = Layout((2, 4, 1), ("dp", "sp", "mp"), list(range(8)))
    assert layout("dp", "None", ("sp", "mp")).to_dict() == {
        "device_matrix": (2, 4, 1),
        "tensor_map": (2, -1, (1, 0)),
        "interleaved_parallel": False,
        "alias_name": ("dp", "sp", "mp"),
        "rank_list": list(range(8)),
    }


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda: Layout([2], ("a",)), TypeError, "device_matrix must be tuple"),
        (lambda: Layout((2,), ("a", "b")), ValueError, "length should be equal"),
        (lambda: Layout((2.0,), ("a",)), TypeError, "must be int"),
        (lambda: Layout((2,), ("",)), ValueError, "without ''"),
        (lambda: Layout((2, 2), ("a", "a")), ValueError, "whose items differ"),
        (lambda: Layout((2,), ("a",), [0]), ValueError, "product"),
        (lambda: Layout((2,), ("a",))("b"), ValueError, "not found"),
        (lambda: Layout((2,), ("a",))("a", "a"), ValueError, "more than one"),
        (lambda: Layout((2,), ("a",)).to_dict(), ValueError, "tensor_map"),
        (lambda: ms.shard(abs, [1]), TypeError, "in_strategy"),
        (lambda: reshard(Tensor(1), 3), TypeError, "Layout"),
        (lambda: ms.set_algo_parameters(speed=1), ValueError, "not recognized"),
        (lambda: ms.set_algo_parameters(fully_use_devices=1), TypeError, "fully_use_devices"),
        (lambda: ms.set_algo_parameters(algo_approxi_epsilon=2.0), ValueError, "epsilon"),
        (lambda: DistributedDataParallel(3), TypeError, "Cell"),
    ],
)
def test_wrong_arguments(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_algo_parameters_are_kept_and_reset():
    ms.set_algo_parameters(fully_use_devices=True, algo_approxi_epsilon=0.5)
    assert ms.get_algo_parameters("fully_use_devices") is True and ms.get_algo_parameters("algo_approxi_epsilon") == 0.5
    ms.reset_algo_parameters()
    assert (
        ms.get_algo_parameters("fully_use_devices") is False and ms.get_algo_parameters("algo_approxi_epsilon") == 0.1
    )


def test_one_process_computes_the_same(mode):
    net = nn.Dense(3, 2)
    x = Tensor(np.ones((4, 3), np.float32))
    expected = net(x).asnumpy()
    np.testing.assert_array_equal(ms.shard(net, ((1, 1),))(x).asnumpy(), expected)
    np.testing.assert_array_equal(DistributedDataParallel(net)(x).asnumpy(), expected)
    assert reshard(x, Layout((1,), ("a",))("a", "None")) is x
    loss = nn.WithLossCell(net, nn.MSELoss())
    for cell in (GradAccumulation, Pipeline):
        assert cell(loss, 2)(x, Tensor(expected)).asnumpy() == 0


def test_recompute_changes_no_gradient(mode):
    net = nn.SequentialCell(nn.Dense(3, 4), nn.Tanh())
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) / 5)
    plain = ms.grad(lambda x: net(x).sum())(x)
    again = ms.grad(lambda x: ms.recompute(net, x).sum())(x)
    np.testing.assert_allclose(plain.asnumpy(), again.asnumpy(), rtol=1e-6)
    with pytest.raises(TypeError, match="block"):
        ms.recompute(3)


def test_auto_parallel_calls_the_network_and_keeps_settings(mode):
    from mindspore.parallel.auto_parallel import AutoParallel

    net = nn.Dense(3, 2)
    x = Tensor(np.ones((4, 3), np.float32))
    spread = AutoParallel(net, parallel_mode="semi_auto")
    spread.pipeline(stages=2)
    spread.dataset_strategy("full_batch")
    np.testing.assert_array_equal(spread(x).asnumpy(), net(x).asnumpy())
    assert spread.settings["pipeline"] == ((), {"stages": 2})
    with pytest.raises(ValueError, match="parallel_mode"):
        AutoParallel(net, "auto")
