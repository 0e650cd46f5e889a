"""Equal consecutive layers as the rounds of one loop: the same results, and what ends a repetition."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msjax as ms
from msjax import Tensor, nn
from msjax.core.program.folding import folded
from msjax.core.program.sites import sites


def numbers(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32) * 0.2


def layer(x, w, factor=2.0):
    y = jnp.tanh(x @ w) * factor + 1.0
    return x + jnp.sin(y) / (1.0 + jnp.exp(y)) - jnp.cos(y)


def loops(function, *args):
    """The lengths of the loops that a function is folded to; what it computes stays the same."""
    closed = jax.make_jaxpr(function)(*args)
    run, leaves = folded(closed), jax.tree.leaves(args)
    if run is None:
        return []
    found, wanted = jax.jit(run)(*leaves), jax.tree.leaves(jax.jit(function)(*args))
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=2e-5)
    program = jax.make_jaxpr(run)(*leaves)
    return [eqn.params["length"] for eqn in program.eqns if eqn.primitive.name == "scan"]


WEIGHTS = [numbers(3, 3) * (i + 1) for i in range(12)]
X = numbers(2, 3)


def in_turn(x, weights):
    for w in weights:
        x = layer(x, w)
    return x


def test_layers_in_turn():
    assert loops(in_turn, X, WEIGHTS) == [12]


def test_too_few_layers_stay_as_they_are():
    assert loops(in_turn, X, WEIGHTS[:3]) == []


def test_a_layer_that_differs_ends_the_loop():
    def with_another(x, weights):
        return in_turn(
            layer(in_turn(x, weights[:6]) * 2.0, weights[6].astype(np.float64)).astype(np.float32), weights[7:]
        )

    assert sorted(loops(with_another, X, WEIGHTS)) == [5, 6]


def test_numbers_that_differ_are_rows():
    def scaled(x, weights):
        for i, w in enumerate(weights):
            x = layer(x, w, 1.0 + i)
        return x

    assert loops(scaled, X, WEIGHTS) == [12]


def test_what_each_layer_gives():
    def collecting(x, weights):
        found = []
        for w in weights:
            x = layer(x, w)
            found.append(x.sum(0))
        return x, found[::2], found[3]

    assert loops(collecting, X, WEIGHTS) == [12]


def test_crosstalk_over_two_layers_is_left_alone():
    def skipping(x, weights):
        before = x
        for w in weights:
            x, before = layer(x, w) + before.sum(), x
        return x

    assert loops(skipping, X, WEIGHTS) in ([], [12], [11])
    far = [X] * 3

    def further(x, weights):
        kept = list(far)
        for w in weights:
            x = layer(x, w) + kept[-3].sum()
            kept.append(x)
        return x

    assert loops(further, X, WEIGHTS) == []


def test_layers_that_print_are_left_alone():
    def printing(x, weights):
        for w in weights:
            jax.debug.callback(lambda s: None, x.sum())
            x = layer(x, w)
        return x

    assert folded(jax.make_jaxpr(printing)(X, WEIGHTS)) is None


@pytest.mark.parametrize("recomputed", [False, True])
def test_a_gradient_is_a_loop_backwards(recomputed):
    one = jax.checkpoint(layer) if recomputed else layer

    def training(x, weights):
        def loss(weights):
            y = x
            for w in weights:
                y = one(y, w)
            return (y * y).sum()

        value, gradients = jax.value_and_grad(loss)(weights)
        return value, [w - 0.1 * g for w, g in zip(weights, gradients)]

    found = loops(training, X, WEIGHTS)
    assert len(found) == 2 and min(found) >= 11
    program = jax.make_jaxpr(folded(jax.make_jaxpr(training)(X, WEIGHTS)))(X, *WEIGHTS)
    assert [e.params["reverse"] for e in program.eqns if e.primitive.name == "scan"] == [False, True]
    joined = [len(e.invars) for e in program.eqns if e.primitive.name == "concatenate"]
    assert (
        sorted(joined)[-1] == len(WEIGHTS) and joined.count(len(WEIGHTS)) == 1
    )  # the weights alone, once; the rest in whole pieces


def test_names_and_lines_stay():
    def named(x, weights):
        for w in weights:
            with jax.named_scope("a_layer"):
                x = layer(x, w)
        return x

    program = jax.make_jaxpr(folded(jax.make_jaxpr(named)(X, WEIGHTS)))(X, *WEIGHTS)
    found = [site for site in sites(program) if site.name == "dot_general"]
    assert [site.times for site in found] == [12] and "a_layer" in found[0].scope


class Block(nn.Cell):
    def __init__(self, dropout):
        super().__init__()
        self.norm, self.dense, self.act = nn.LayerNorm((4,)), nn.Dense(4, 4), nn.GELU()
        self.dropout = nn.Dropout(p=0.5) if dropout else None

    def construct(self, x):
        y = self.act(self.dense(self.norm(x)))
        return x + (y if self.dropout is None else self.dropout(y))


def trained(fold, dropout=False, recompute=False):
    ms.set_context(mode=ms.GRAPH_MODE, fold_layers=fold)
    ms.set_seed(3)
    net = nn.SequentialCell(*[Block(dropout) for _ in range(6)], nn.Dense(4, 2))
    if recompute:
        for i in range(6):
            net[i].recompute()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.01)).set_train()
    losses = [step(Tensor(numbers(5, 4)), Tensor(numbers(5, 2))).asnumpy() for _ in range(3)]
    entry = step.entry_for(Tensor(numbers(5, 4)), Tensor(numbers(5, 2)))
    boxes = [[b.jax_array for b in some] for some in (entry.mut, entry.ro)]
    program = jax.make_jaxpr(entry.pure)(*boxes, [jnp.asarray(numbers(5, 4)), jnp.asarray(numbers(5, 2))])
    lengths = [e.params["length"] for e in program.jaxpr.eqns if e.primitive.name == "scan"]
    return losses, {p.name: p.asnumpy() for p in step.get_parameters()}, lengths


@pytest.fixture
def as_before():
    mode = ms.get_context("mode")
    yield
    ms.set_context(mode=mode, fold_layers=False)


@pytest.mark.parametrize("kind", ["plain", "recompute", "dropout"])
def test_cells_in_a_sequence_train_as_before(as_before, kind):
    losses, kept, lengths = trained(True, dropout=kind == "dropout", recompute=kind == "recompute")
    assert [n >= 5 for n in lengths] == [True, True] or kind == "dropout"
    wanted, state, none = trained(False, dropout=kind == "dropout", recompute=kind == "recompute")
    assert none == [] and list(kept) == list(state)
    np.testing.assert_allclose(losses, wanted, rtol=1e-5)
    for name, value in state.items():
        np.testing.assert_allclose(kept[name], value, rtol=2e-4, atol=1e-5, err_msg=name)
