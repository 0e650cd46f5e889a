"""Two Primitives with equal seeds draw the same numbers, each from the beginning (recorded by hand from MindSpore 2.10)."""

import gc

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mint, nn, ops

from msjax.core.operators import random

ONES = np.ones(16, np.float32)
DRAWS = {
    "UniformInt": (lambda: ops.UniformInt(10, 3), lambda op: op((9,), Tensor(0, ms.int32), Tensor(100, ms.int32))),
    "UniformReal": (lambda: ops.UniformReal(10), lambda op: op((9,))),
    "StandardNormal": (lambda: ops.StandardNormal(seed2=7), lambda op: op((9,))),
    "Multinomial": (lambda: ops.Multinomial(10, 10), lambda op: op(Tensor([0.1, 0.9, 0.5]), 30)),
    "Dropout": (lambda: ops.Dropout(0.5, 10, 10), lambda op: op(Tensor(ONES))[0]),
}


def network(name):
    made, draw = DRAWS[name]

    class Drawing(nn.Cell):
        def __init__(self):
            super().__init__()
            self.op = made()

        def construct(self):
            return draw(self.op)

    return Drawing()


@pytest.mark.parametrize("name", DRAWS)
@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_each_begins_anew(mode, name):
    ms.set_context(mode=mode)
    first, second = network(name), network(name)
    a, b = [first().asnumpy() for _ in range(2)], [second().asnumpy() for _ in range(2)]
    np.testing.assert_array_equal(a, b)
    assert (a[0] != a[1]).any()


def test_without_seeds_they_share_a_stream():
    first, second = ops.StandardNormal(), ops.StandardNormal()
    assert (first((9,)).asnumpy() != second((9,)).asnumpy()).any()


def test_set_seed_restarts_them():
    op = ops.UniformReal(5)
    ms.set_seed(1)
    found = op((9,)).asnumpy()
    ms.set_seed(1)
    np.testing.assert_array_equal(op((9,)).asnumpy(), found)


def test_a_stream_ends_with_its_primitive():
    gc.collect()
    before = len(random.streams().by_seeds)
    op = ops.UniformReal(5)
    op((9,))
    assert len(random.streams().by_seeds) == before + 1
    del op
    gc.collect()
    assert len(random.streams().by_seeds) == before


@pytest.mark.parametrize("made", [ms.Generator, lambda: random.default_generator], ids=["own", "default"])
def test_a_generator_takes_any_int(made):
    generator = made().manual_seed(-1)
    state = generator.get_state()
    first = mint.rand(4, generator=generator).asnumpy()
    generator.set_state(state)
    assert generator.initial_seed() == -1
    np.testing.assert_array_equal(mint.rand(4, generator=generator).asnumpy(), first)
    assert made().manual_seed(True).initial_seed() == 1
    ms.set_seed(1)
