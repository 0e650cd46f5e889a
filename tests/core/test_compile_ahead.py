"""Programs of eager code: backwards are compiled in other threads ahead of need, none twice, and a second start compiles none."""

import json
import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

from msjax.core.compat import shares_compilation
from msjax.core.operators import eager_jit


@pytest.mark.skipif(not shares_compilation(), reason="this JAX compiles again what was compiled ahead")
def test_backwards_are_compiled_ahead_and_once(compiled):
    x = Tensor(np.ones((3, 4, 9, 7), np.float32))
    net = nn.SequentialCell(nn.Conv2d(4, 5, 3), nn.BatchNorm2d(5), nn.ReLU()).set_train()
    gradient = ms.value_and_grad(lambda x: net(x).sum(), 0, net.trainable_params())
    first = gradient(x)
    ahead = [name for name, thread in compiled if thread.startswith("msjax-compile")]
    assert len(ahead) == 1, compiled  # of the normalization; NumPy does the others, with a convolution of XLA
    count = len(compiled)
    second = gradient(x)
    assert len(compiled) == count, compiled[count:]
    np.testing.assert_array_equal(first[1][0].asnumpy(), second[1][0].asnumpy())


def test_a_function_without_gradient_raises_in_its_backward_alone():
    """What cannot be compiled ahead is left to the call."""

    def unable(*arrays):
        raise TypeError("no gradient")

    assert eager_jit.compile_ahead(eager_jit.eager_jit(unable, heavy=True), [jnp.ones(3)]) is None


def test_within_transforms_of_jax():
    """Programs with options of their own exist outside of JAX's transforms only; operators are called inside all the same."""

    def probabilities(a):
        return ops.softmax(Tensor(a) * 2).jax_array

    a = jnp.arange(4.0, dtype=jnp.float32)
    expected = probabilities(a)
    np.testing.assert_allclose(jax.jit(probabilities)(a), expected, rtol=1e-6)
    np.testing.assert_allclose(jax.vmap(probabilities)(a[None])[0], expected, rtol=1e-6)
    assert jax.grad(lambda a: probabilities(a)[0])(a).shape == (4,)


@pytest.mark.parametrize(
    "function, moves",
    [
        (lambda x: x + 1, False),
        (lambda x: x.T, False),
        (lambda x: x.T + 1, True),
        (lambda x: jnp.zeros_like(x).at[0].add(1), True),
        (lambda x: jax.jit(lambda x: jnp.zeros_like(x).at[0].add(1))(x), True),
    ],
)
def test_programs_that_move_elements(function, moves):
    assert eager_jit._moves_elements(jax.make_jaxpr(function)(np.ones((3, 3), np.float32))) == moves


TRAINING = """
import json, sys
import jax
counts = {}
jax.monitoring.register_event_listener(lambda name, **_: counts.__setitem__(name, counts.get(name, 0) + 1))
import msjax; msjax.install()
import mindspore as ms, numpy as np
from mindspore import nn
sys.path.insert(0, sys.argv[1])
import nets_mindspore
ms.set_seed(0), np.random.seed(0)
net = nets_mindspore.ResNet(blocks=(1, 1), bottleneck=False, classes=3, small=False).set_train()
optimizer = nn.Momentum(net.trainable_params(), 0.01, 0.9)
gradient = ms.value_and_grad(net, None, optimizer.parameters)
x, y = ms.Tensor(np.random.rand(2, 3, 16, 16).astype(np.float32)), ms.Tensor(np.array([0, 2], np.int32))
losses = []
for _ in range(3):
    loss, grads = gradient(x, y)
    optimizer(grads)
    losses.append(float(loss.asnumpy()))
print(json.dumps({"losses": losses, **{n.rsplit("/", 1)[-1]: c for n, c in counts.items()}}))
"""


def test_the_second_start_of_a_residual_network_compiles_nothing(tmp_path):
    benchmarks = os.path.join(os.path.dirname(__file__), "..", "..", "benchmarks")
    env = {**os.environ, "MSJAX_CACHE_DIR": str(tmp_path)}
    found = []
    for _ in range(2):
        command = [sys.executable, "-c", TRAINING, benchmarks]
        ran = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
        found.append(json.loads(ran.stdout.splitlines()[-1]))
    first, second = found
    assert first["cache_misses"] > 20 and "cache_misses" not in second
    assert second["cache_hits"] >= first["cache_misses"]
    assert second["losses"] == first["losses"]
