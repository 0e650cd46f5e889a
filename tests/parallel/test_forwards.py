"""What a step computes apart from a gradient, and the gradient again, is computed once."""

import jax
import jax.numpy as jnp

from msjax.core.compat import jaxpr_as_fun
from msjax.parallel.forwards import computed_once, note


def loss(w, x):
    return jnp.tanh(x @ w).sum(), x * 2


def traced(of_step):
    def step(w, x):
        first = of_step(w, x)
        program = jax.make_jaxpr(loss)(w, x)
        (value, rest), grad = jax.value_and_grad(loss, has_aux=True)(w, x)
        note(program, [w, x], [value, rest])
        return first[0] + 1, first[1], grad

    shapes = jax.ShapeDtypeStruct((3, 3), "float32"), jax.ShapeDtypeStruct((2, 3), "float32")
    return step, jax.make_jaxpr(step)(*shapes)


def products(closed):
    return sum(e.primitive.name == "dot_general" for e in closed.eqns)


def test_the_results_of_the_gradients_forward_program_serve_both():
    step, closed = traced(loss)
    once = computed_once(closed)
    assert (products(closed), products(once)) == (3, 2)
    w, x = jnp.eye(3, dtype="float32") / 2, jnp.arange(6, dtype="float32").reshape(2, 3)
    for mine, wanted in zip(jaxpr_as_fun(once)(w, x), step(w, x)):
        assert jnp.array_equal(mine, wanted)


def test_another_program_stays():
    _, closed = traced(lambda w, x: loss(w, x * 3))
    assert products(computed_once(closed)) == 3
    plain = jax.make_jaxpr(loss)(jnp.eye(3), jnp.ones((2, 3)))
    assert computed_once(plain) is plain
