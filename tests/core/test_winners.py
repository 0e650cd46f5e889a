"""Gradients of largest and smallest elements whose operand XLA computes twice, each time with another rounding."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msjax as ms
from msjax import Parameter, Tensor, mint, nn, ops
from msjax.core.grad.winners import winners


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("batched", [False, True])
def test_there_is_a_winner_where_no_element_equals_the_result(largest, batched):
    x = jnp.array([[1.0, 3.0, 3.0], [5.0, 2.0, 4.0]]) * (1 if largest else -1)
    top = jnp.nextafter(x.max(1, keepdims=True) if largest else x.min(1, keepdims=True), jnp.float32(0))
    if batched:
        wins, count = jax.vmap(lambda x, top: winners(x, top, (0,), largest))(x, top)
    else:
        wins, count = jax.jit(lambda x, top: winners(x, top, (1,), largest))(x, top)
    assert np.array_equal(wins, [[False, True, True], [True, False, False]])
    assert np.array_equal(np.ravel(count), [2, 1])


def test_the_first_of_several_axes_wins_alone_beside_results_that_are_found():
    x, top = jnp.arange(12.0).reshape(2, 3, 2), jnp.array([10.0, 11.5]).reshape(1, 1, 2)
    wins, count = winners(x, top, (0, 1), True)
    assert np.array_equal(np.argwhere(wins), [[1, 2, 0], [1, 2, 1]])
    assert np.array_equal(np.ravel(count), [1, 1])


def test_a_result_that_is_nan_has_no_winner():
    assert np.array_equal(winners(jnp.array([1.0, jnp.nan]), jnp.array([jnp.nan]), (0,), True)[1], [0])


_INFINITE = float("inf")
_TAKEN = {
    "amax": lambda v: ops.amax(v, 0, keepdims=True),
    "amin": lambda v: ops.amin(v, 0),
    "max": lambda v: ops.max(v)[0],
    "mint.min": lambda v: mint.min(v),
    "ptp": lambda v: v.ptp(0),
    "norm": lambda v: ops.vector_norm(v, _INFINITE, axis=0),
    "cdist": lambda v: ops.cdist(v, v * 0, _INFINITE),
    "numpy.amax": lambda v: ms.numpy.amax(v, 0),
    "nanmax": lambda v: ms.numpy.nanmax(v, 0),
    "maximum": lambda v: ops.maximum(v, v * 0.9),
    "clamp": lambda v: ops.clamp(v, 1.8, 2.1),
    "unsorted_segment_max": lambda v: ops.unsorted_segment_max(v, Tensor([0, 0]), 1),
    "unsorted_segment_min": lambda v: v.unsorted_segment_min(Tensor([[0, 1], [0, 1]]), 2),
    "tensor_scatter_max": lambda v: ops.tensor_scatter_max(
        Tensor(np.full((1, 2, 1), -9, np.float32)), Tensor([[0], [0]]), v
    ),
    "tensor_scatter_min": lambda v: ops.tensor_scatter_min(v, Tensor([[0], [0]]), v * 0.5),
    "tensor_scatter_elements": lambda v: ops.tensor_scatter_elements(v[0] - 9, Tensor([[0], [0]]), v[:, 0], 0, "max"),
    "max_pool2d": lambda v: ops.max_pool2d(v.reshape(1, 1, 2, 2), (2, 1), 1),
    "max_pool2d of overlapping windows": lambda v: ops.max_pool2d(ops.tile(v.reshape(1, 1, 2, 2), (1, 1, 2, 2)), 2, 1),
    "max_pool1d of overlapping windows": lambda v: ops.MaxPool(2, 1)(ops.tile(v.reshape(1, 1, 1, 4), (1, 1, 2, 1))),
}


class _Chain(nn.Cell):
    def __init__(self, take):
        super().__init__()
        self.layer = nn.GRU(5, 1, num_layers=1, bidirectional=True, batch_first=True)
        self.scale = Parameter(Tensor(np.float32(1.3)), name="scale")
        self.take = take

    def construct(self, x):
        return ops.sigmoid(self.take(self.layer(x)[1] * self.scale + self.scale**2)).mean() * 2


@pytest.mark.parametrize("name", _TAKEN)
def test_gradients_are_those_of_pynative_mode(name):
    x = Tensor(
        np.array(
            [[[0.81465, 2.9635, 1.12456, -0.12359, 0.43698]], [[-0.16367, -1.72054, 0.36183, 0.22771, 0.03631]]],
            np.float32,
        )
    )
    source, weights, found = np.random.RandomState(3), None, []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        net = _Chain(_TAKEN[name])
        weights = weights or [np.float32(source.randn(*p.shape)) for p in net.trainable_params()]
        for parameter, weight in zip(net.trainable_params(), weights):
            parameter.set_data(Tensor(weight))
        gradients = ms.value_and_grad(net, None, net.trainable_params())(x)[1]
        found.append(np.concatenate([g.asnumpy().ravel() for g in gradients]))
    assert np.allclose(*found, atol=1e-5)
