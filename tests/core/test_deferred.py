"""Parameters whose content is made later, or never: the same numbers, in the same order, and no bytes where shapes are enough."""

import jax
import numpy as np
import pytest
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import msjax as ms
from msjax import Parameter, Tensor, nn
from msjax.core.settings.execution_state import within
from msjax.core.values import deferred
from msjax.core.values.deferred import DEFERRED, SHAPES, Deferred, NoContent
from msjax.core.values.initializer import (
    HeUniform,
    Initializer,
    Normal,
    Orthogonal,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    initializer,
)


class Own(Initializer):
    """One of a user, who draws as he likes."""

    def _initialize(self, arr):
        arr[...] = np.random.rand(*arr.shape)


KINDS = [
    *("zeros", "ones", 0.5, Normal(0.1), Uniform(0.2), TruncatedNormal(0.1), XavierNormal(), HeUniform()),
    *(VarianceScaling(), Orthogonal(), Own(), TruncatedNormal(0.0, mean=2.0)),
]


def _made(how):
    np.random.seed(3)
    with within(contents=how):
        made = [Parameter(initializer(kind, (4, 6)), name=f"p{i}") for i, kind in enumerate(KINDS)]
        after = np.random.rand(2)
    return made, after


def test_deferred_content_is_that_of_a_run():
    """Whether content is made at once or later, backwards even, decides no number, and none that the script draws itself."""
    (now, after), (later, after_later) = _made(None), _made(DEFERRED)
    assert (
        sum(type(p._raw) is Deferred for p in later) == len(KINDS) - 2
    )  # Orthogonal and the user's own are made at once
    np.testing.assert_array_equal(after, after_later)
    for a, b in reversed(list(zip(now, later))):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


@pytest.mark.parametrize(
    "kind",
    [Normal(0.1), Uniform(0.2), TruncatedNormal(0.1), XavierNormal(), HeUniform()],
    ids=lambda k: type(k).__name__,
)
def test_rows_that_are_drawn_some_at_a_time_are_those_of_the_whole(kind, monkeypatch):
    """Also in parts: of an array that lies in slices only these are kept."""

    def drawn():
        np.random.seed(3)
        with within(contents=DEFERRED):
            return Parameter(initializer(kind, (7, 6)), name="p")._raw

    whole = drawn().host()
    monkeypatch.setattr(deferred, "_BLOCK", 13)
    np.testing.assert_array_equal(drawn().host(), whole)
    sharding = NamedSharding(Mesh(np.array(jax.devices()[:1]), "a"), PartitionSpec(None, "a"))
    made = drawn().make(sharding)
    assert made.sharding == sharding
    np.testing.assert_array_equal(made, whole)


def test_a_step_of_deferred_parameters_is_that_of_made_ones():
    """A network, its optimizer, clones, casts and set_data: one train step gives the same bits."""

    def step(how):
        ms.set_seed(1)
        with within(contents=how):
            net = nn.SequentialCell(nn.Embedding(9, 4, padding_idx=2, embedding_table="normal"), nn.Dense(4, 3))
            net[1].weight.set_data(initializer("xavier_uniform", net[1].weight.shape))
            net[1].bias.set_dtype(ms.float32)
            twin = net[1].weight.clone()
            train = nn.TrainOneStepCell(
                nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.1)
            ).set_train()
            if how is DEFERRED:
                assert {type(p._raw) for p in net.get_parameters()} == {Deferred}
            loss = train(Tensor([[1, 2]], ms.int32), Tensor(np.ones((1, 2, 3), np.float32)))
        return [loss.asnumpy(), twin.asnumpy(), *[p.asnumpy() for p in train.get_parameters()]]

    for a, b in zip(step(None), step(DEFERRED), strict=True):
        np.testing.assert_array_equal(a, b)


def test_two_parameters_of_one_tensor_are_equal():
    with within(contents=DEFERRED):
        made = initializer("normal", (3, 3))
        first, second = Parameter(made, name="a"), Parameter(made, name="b")
    np.testing.assert_array_equal(first.asnumpy(), second.asnumpy())


def test_a_wrong_shape_is_refused_at_once():
    with within(contents=DEFERRED), pytest.raises(ValueError, match="fan_in"):
        Parameter(initializer("xavier_uniform", (3,)))


def test_shapes_alone_make_no_large_content():
    """70 G numbers in a Parameter, and the moments of an optimizer beside them; who asks for a value is told."""
    with within(contents=SHAPES):
        w = Parameter(initializer("normal", (70000, 1000000), ms.float32), name="w")
        optimizer = nn.Adam([w], 0.1)
        assert {type(p._raw) for p in (w, *optimizer.moment1, *optimizer.moment2)} == {Deferred}
        assert w.nbytes == 280 * 10**9
        assert int(optimizer.global_step.asnumpy()[0]) == 0
        with pytest.raises(NoContent, match=r"Parameter 'w' \(shape \[70000, 1000000\]"):
            w.asnumpy()
        big = Parameter(Tensor(np.zeros((1024, 1024), np.float32)), name="big")
        assert type(big._raw) is Deferred and big.shape == (1024, 1024)


def test_a_constant_is_made_in_parts():
    """Only the parts that lie on these devices are filled."""
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    one = NamedSharding(Mesh(np.array(jax.devices()[:1]), ("x",)), PartitionSpec("x"))
    with within(contents=DEFERRED):
        p = Parameter(initializer(0.5, (6, 2)), name="p")
    made = p._raw.make(one)
    assert made.sharding == one
    np.testing.assert_array_equal(made, np.full((6, 2), 0.5, np.float32))
