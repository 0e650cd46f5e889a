"""Random kernels that take a seed and an offset of `Generator._step`, as MindSpore's generated code calls them."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops
from mindspore.ops import auto_generate

import msjax

ONE = Tensor(1, ms.int64)
ONES = Tensor(np.ones((4, 50), np.float32))


def _told(pair):
    return [(int(t), str(t.dtype)) for t in pair]


def test_a_generator_steps_as_mindspores():
    generator = ms.Generator()
    assert _told(generator._step(ONE)) == [(0, "Int64"), (0, "Int64")]  # as recorded
    assert _told(generator._step(Tensor(12, ms.int64))) == [(0, "Int64"), (1, "Int64")]
    assert _told(generator._step(ONE)) == [(0, "Int64"), (13, "Int64")]
    generator.manual_seed(7)
    assert _told(generator._step(ONE)) == [(7, "Int64"), (0, "Int64")]
    state = generator.get_state()
    assert _told(generator._step(ONE)) == [(7, "Int64"), (1, "Int64")]
    generator.manual_seed(8)
    generator.set_state(state)
    assert _told(generator._step(ONE)) == [(7, "Int64"), (1, "Int64")]


class _Dropout(nn.Cell):
    """As mindformers has it, with a step in each call."""

    def __init__(self, generator):
        super().__init__()
        self.generator, self.dropout = generator, auto_generate.DropoutExt()

    def construct(self, x):
        seed, offset = self.generator._step(ONE)
        out, mask = self.dropout(input=x, p=0.25, seed=seed, offset=offset)
        return out, mask, seed, offset


def test_a_compiled_network_steps_too(mode):
    generator = ms.Generator()
    net = _Dropout(generator)
    found = []
    for seed in (3, 4, 3):
        generator.manual_seed(seed)
        for offset in (0, 1):
            out, mask, *told = net(ONES)
            assert [int(t) for t in told] == [seed, offset]
            np.testing.assert_allclose(out.asnumpy(), mask.asnumpy() / 0.75, rtol=1e-6)
            found.append(out.asnumpy())
    np.testing.assert_array_equal(found[0], found[4])
    np.testing.assert_array_equal(found[1], found[5])
    assert not np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])
    assert 0.6 < (found[0] > 0).mean() < 0.9


@pytest.mark.parametrize("name", ["dropout", "dropout1d", "dropout2d", "dropout3d"])
def test_without_training_no_random_numbers_are_drawn(name, mode):
    """So networks that call dropout as a function are pure functions outside of training, and a run with evaluations draws as one without."""
    x = Tensor(np.ones((2, 3, 4, 4, 4)[: 2 if name == "dropout" else int(name[-2]) + 2], np.float32))
    drop = getattr(ops, name)
    drawn = []
    for calls in (0, 2):
        ms.set_seed(3)
        for _ in range(calls):
            assert drop(x, 0.5, training=False).asnumpy().all()
        drawn.append(ops.standard_normal((3,)).asnumpy().tolist())
    assert drawn[0] == drawn[1]
    function, values = msjax.functional(lambda x: drop(x, 0.5, training=False))
    assert np.asarray(function(values, x.jax_array)).all()


def test_dropouts_gradient_is_its_mask(mode):
    seed, offset = ms.Generator()._step(ONE)
    kernel = auto_generate.DropoutExt()
    mask = kernel(ONES, 0.5, seed, offset)[1]
    gradient = ms.grad(lambda x: kernel(x, 0.5, seed, offset)[0].sum())(ONES)
    np.testing.assert_array_equal(gradient.asnumpy(), mask.asnumpy() * 2.0)


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("BernoulliExt", (ONES * 0.5,)),
        ("DropoutGenMaskExt", ((4, 5), 0.5)),
        ("FuncDropoutExt", (ONES, 0.5, True, False)),
        ("MultinomialExt", (ONES, 2, False)),
        ("NormalFloatFloat", (0.0, 1.0, (3, 2))),
        ("NormalFloatTensor", (0.0, ONES)),
        ("NormalTensorFloat", (ONES, 2.0)),
        ("NormalTensorTensor", (ONES, ONES)),
        ("RandExt", ((2, 3),)),
        ("RandInt", (0, 5, (2, 3))),
        ("RandIntLike", (ONES, 0, 5)),
        ("RandLikeExt", (ONES,)),
        ("Randn", ((2, 3),)),
        ("RandnLike", (ONES,)),
        ("RandpermExt", (20,)),
        ("UniformExt", (ONES, Tensor(1.0), Tensor(2.0))),
    ],
)
def test_the_same_place_gives_the_same_numbers(name, arguments):
    kernel, generator = getattr(auto_generate, name)(), ms.Generator()
    seed, offset = generator._step(ONE)

    def drawn(*place):
        out = kernel(*arguments, *place, *([ms.float32] if name == "DropoutGenMaskExt" else []))
        return out.asnumpy()

    np.testing.assert_array_equal(drawn(seed, offset), drawn(seed, offset))
    others = [drawn(*generator._step(ONE)) for _ in range(4)]
    assert any(not np.array_equal(drawn(seed, offset), other) for other in others)


@pytest.mark.parametrize(
    "name, numbers",
    [
        ("InplaceUniform", (2.0, 3.0)),
        ("InplaceNormal", (0.0, 1.0)),
        ("InplaceRandom", (0, 5)),
        ("InplaceExponential", (1.0,)),
    ],
)
def test_tensors_are_filled(name, numbers):
    x, seed, offset = ops.ones((3, 4), ms.float32), *ms.Generator()._step(ONE)
    out = getattr(auto_generate, name)()(x, *numbers, seed, offset)
    assert out is x
    assert not np.array_equal(x.asnumpy(), np.ones((3, 4)))
