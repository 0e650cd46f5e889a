"""The tasks of a pipeline: who computes what, in which order; without a device."""

import jax
import jax.numpy as jnp
import pytest

from msjax.parallel import stage_ring, stages
from msjax.parallel.stage_ring import over_all_stages

PARTS, STAGES = 4, 3


def step(weights, x):
    """Loss and new weights of a net of three stages; the first weight is used by the last stage too."""

    def loss(weights):
        total = 0.0
        for i in range(PARTS):
            with stages.in_part(i):
                y = x[2 * i : 2 * i + 2]
                for number in range(STAGES):
                    with stages.in_stage(number):
                        y = jnp.tanh(y @ weights[number])
                        y = y @ weights[0] if number == STAGES - 1 else y
                total = total + y.sum()
        return total

    value, gradients = jax.value_and_grad(loss)(weights)
    return [value, *(w - 0.1 * g for w, g in zip(weights, gradients))]


def plan(schedule):
    weights, x = [jnp.eye(4) * (i + 1) for i in range(STAGES)], jnp.ones((2 * PARTS, 4))
    program = stages.Program(jax.make_jaxpr(step)(weights, x))
    state = program.inputs[:STAGES]
    where = stages.place(program, state, stages.first_uses(program, state))
    assert [where[v] for v in state] == [0, 1, 2]
    made = stages.Plan(program, where, STAGES, schedule)
    held = {**dict(zip(state, weights)), program.inputs[STAGES]: x}
    seen = []
    for at in made.order:
        task = made.tasks[at]
        outs = made.function(task, lambda a: a)(*[held[v] for v in task.inputs])
        held.update(zip(task.outputs, outs))
        seen.append((task.stage, task.kind, task.part))
    for value, wanted in zip(made.results, step(weights, x)):
        assert jnp.allclose(held[value], wanted, rtol=1e-5)
    return seen


def of_stage(seen, stage):
    return [f"{kind[0]}{part}" for number, kind, part in seen if number == stage and part is not None]


def test_one_forward_one_backward():
    seen = plan("1f1b")
    assert of_stage(seen, 2) == ["f0", "b0", "f1", "b1", "f2", "b2", "f3", "b3"]
    assert of_stage(seen, 0)[:4] == ["f0", "f1", "f2", "b0"]
    running = [0] * STAGES
    for number, kind, part in seen:
        running[number] += {"forward": 1, "backward": -1}.get(kind, 0)
        assert running[number] <= STAGES - number


def test_all_forward_then_backward():
    for stage in range(STAGES):
        assert of_stage(plan("gpipe"), stage) == ["f0", "f1", "f2", "f3", "b3", "b2", "b1", "b0"]


@pytest.mark.parametrize("schedule", ("1f1b", "gpipe"))
def test_each_task_once(schedule):
    seen = [task for task in plan(schedule) if task[2] is not None]
    assert len(seen) == len(set(seen)) == 2 * PARTS * STAGES


def test_casts_back_in_a_gradient_are_laid_nowhere():
    """JAX notes a mesh without axes at them, as a net of `to_float(ms.float16)` has them in each stage."""
    narrow = jax.grad(lambda w: (w.astype(jnp.float16) * 2).astype(jnp.float32).sum())
    program = jax.make_jaxpr(narrow)(jnp.ones(3, jnp.float32))
    assert str(over_all_stages(program, None, 2)) == str(program)


@pytest.mark.parametrize("begins, cut", (((0, 2, 4), True), ((2, 4, 6), True), ((0, 4, 2), False), ((0, 1, 2), False)))
def test_parts_that_follow_each_other_in_one_array_are_that_array(monkeypatch, begins, cut):
    monkeypatch.setattr(stage_ring, "_LARGE", 0)
    x = jnp.arange(24.0).reshape(8, 3)
    closed = jax.make_jaxpr(lambda x: [jax.lax.slice_in_dim(x, at, at + 2) for at in begins])(x)
    values = stage_ring._Values(closed, [x], 4)
    assert (values._cut_from(closed.jaxpr.outvars) is not None) == cut
    values.run(closed.jaxpr.eqns)
    wanted = jnp.stack([x[at : at + 2] for at in (*begins, begins[-1])])
    assert (values.stacked(closed.jaxpr.outvars) == wanted).all()
