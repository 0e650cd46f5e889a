"""Equal consecutive layers as the rounds of one loop: the same results, and what ends a repetition."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msjax.core.program.folding import folded
from msjax.core.program.repetitions import repetitions
from msjax.core.program.sharing import opened, shared
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


def test_what_is_cheap_is_computed_again_and_not_kept():
    def training(x, weights):
        def loss(weights):
            y = x
            for w in weights:
                y = jnp.tanh((y * 2.0 + 1.0) @ w.T)
            return (y * y).sum()

        return jax.value_and_grad(loss)(weights)

    assert loops(training, X, WEIGHTS) in ([12, 11], [11, 11], [11, 12], [12, 12])
    program = jax.make_jaxpr(folded(jax.make_jaxpr(training)(X, WEIGHTS)))(X, *WEIGHTS)
    forward, _ = [e for e in program.eqns if e.primitive.name == "scan"]
    kept = [v.aval.shape for v in forward.outvars]
    assert not any(shape[1:] == (3, 3) for shape in kept)  # w.T is no further stack


def test_equal_layers_of_a_repeated_kind_are_found():
    def update(arrays):  # v, m, m, v, m, m: no equation stands once in a part
        return [a * 2.0 + 1.0 for a in arrays]

    vectors = [np.ones(3, np.float32), np.ones((3, 3), np.float32), np.ones((3, 3), np.float32), np.ones(3, np.float32)]
    found = repetitions(jax.make_jaxpr(update)(vectors * 6).eqns)
    assert [(length, end - begin) for begin, length, end in found] == [(8, 48)]


def test_what_comes_into_a_layer_is_kept_where_the_way_back_needs_it():
    def training(x, weights):
        def loss(weights):
            y = x
            for w in weights:
                y = jnp.tanh(y @ w)
            return (y * y).sum()

        return jax.value_and_grad(loss)(weights)

    assert loops(training, X, WEIGHTS) in ([12, 11], [11, 11], [11, 12], [12, 12])
    program = jax.make_jaxpr(folded(jax.make_jaxpr(training)(X, WEIGHTS)))(X, *WEIGHTS)
    joined = [e for e in program.eqns if e.primitive.name == "concatenate"]
    assert {e.outvars[0].aval.shape[1:] for e in joined} == {(3, 3)}  # weights alone: not what the layers took


def test_rules_of_derivatives_do_not_tell_layers_apart():
    def collecting(x, weights):
        for w in weights:
            own = jax.custom_jvp(lambda y: jnp.sin(y) * 2.0)
            own.defjvp(lambda p, t: (own(*p), t[0] * 2.0 * jnp.cos(p[0])))
            x = own(x @ w) + x
        return x

    assert loops(collecting, X, WEIGHTS) == [12]


# --- parts that are differentiated once
def loss_of(x, weights):
    y = x
    for i, w in enumerate(weights):
        with jax.named_scope(f"layers.{i}"):
            y = layer(y, w)
    return (y * y).sum()


def differentiated_once(function, *args):
    """The gradient of a function of flat arguments, with its equal parts shared, and the program that computes it."""
    run = shared(jax.make_jaxpr(function)(*args))
    leaves = jax.tree.leaves(args)
    closed = jax.make_jaxpr(jax.grad(lambda *given: run(*given)[0], argnums=tuple(range(len(leaves)))))(*leaves)
    return opened(closed), closed, leaves


def test_parts_that_are_shared_have_the_same_gradients():
    program, calls, leaves = differentiated_once(loss_of, X, WEIGHTS)
    found = jax.jit(jax.extend.core.jaxpr_as_fun(program))(*leaves)
    wanted = jax.tree.leaves(jax.jit(jax.grad(loss_of, argnums=(0, 1)))(X, WEIGHTS))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=2e-5)
    names = [eqn.params.get("name") for eqn in calls.eqns]
    assert names.count("equal_part") == 24  # 12 forward and 12 backward
    assert len({id(eqn.params["jaxpr"]) for eqn in calls.eqns if eqn.params.get("name") == "equal_part"}) == 2
    assert "equal_part" not in str(program)


def test_each_shared_part_keeps_its_own_name():
    program, _, _ = differentiated_once(loss_of, X, WEIGHTS)
    scopes = [site.scope for site in sites(program) if site.name == "dot_general"]
    counts = [sum(scope.rstrip(")").endswith(f"layers.{i}") for scope in scopes) for i in range(12)]
    assert counts == [3] * 12  # one forward and two backward


def test_a_shared_part_with_numbers_and_constants_of_its_own():
    table = jnp.arange(3.0)

    def scaled(x, weights):
        for i, w in enumerate(weights):
            x = layer(x, w, 1.0 + i) * table
        return (x * x).sum()

    program, _, leaves = differentiated_once(scaled, X, WEIGHTS)
    found = jax.jit(jax.extend.core.jaxpr_as_fun(program))(*leaves)
    wanted = jax.tree.leaves(jax.jit(jax.grad(scaled, argnums=(0, 1)))(X, WEIGHTS))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=2e-5)


def test_a_program_without_equal_parts_is_not_shared():
    assert shared(jax.make_jaxpr(loss_of)(X, WEIGHTS[:3])) is None
    closed = jax.make_jaxpr(loss_of)(X, WEIGHTS[:3])
    assert opened(closed) is closed


def test_parts_with_rules_of_derivatives_of_their_own_are_not_shared():
    def training(x, weights):
        for i, w in enumerate(weights):
            own = jax.custom_jvp(lambda y: jnp.sin(y) * 2.0)
            own.defjvp(lambda p, t, i=i, own=own: (own(*p), t[0] * (i + 1.0)))
            x = own(layer(x, w)) + x
        return (x * x).sum()

    def nested(x, weights):
        for i, w in enumerate(weights):
            own = jax.custom_jvp(lambda y: jnp.sin(y) * 2.0)
            own.defjvp(lambda p, t, i=i, own=own: (own(*p), t[0] * (i + 1.0)))
            x = jax.jit(lambda y, own=own: own(y) + 1.0)(layer(x, w)) + x
        return (x * x).sum()

    for function in (training, nested):
        closed = jax.make_jaxpr(function)(X, WEIGHTS)
        assert len(repetitions(closed.jaxpr.eqns)) == 1  # the values are equal
        run = shared(closed) or jax.extend.core.jaxpr_as_fun(closed)
        found = jax.grad(lambda x: run(x, *WEIGHTS)[0])(X)  # noqa: B023
        np.testing.assert_allclose(found, jax.grad(function)(X, WEIGHTS), rtol=1e-4)


def test_constants_within_programs_tell_parts_apart():
    tables = [np.arange(3.0) + i for i in range(12)]

    def function(x, weights):
        for w, table in zip(weights, tables):
            x = jax.jit(lambda x, w, t=table: jax.jit(lambda y: y * jnp.asarray(t))(layer(x, w)))(x, w)
        return x

    assert loops(function, X, WEIGHTS) in ([], [12])
