"""Loops that run until a condition on their state, differentiated in reverse.

JAX has no reverse mode for `lax.while_loop`, because the number of rounds, and so the memory for what the backward needs, is not known
before it runs. Here the backward keeps a fixed number of checkpoints (states at some rounds) and computes the others again, on the
binomial schedule of Griewank and Walther's revolve (ACM TOMS 26, 2000): with `s` checkpoints and each round run at most `r` times,
C(s + r, s) rounds are reversed. 1024 checkpoints reverse 1,000 rounds without computing one again, and half a million with each computed twice.

The gradient of the backward is again a gradient of such a loop, that of the rounds' directional derivative, so any order works.
"""

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
from jax import lax

from ..program.sites import reverse_only
from .reals import along

__all__ = ["reversible_while"]

_BYTES = 1 << 26  # for the checkpoints of one loop
_FEWEST, _MOST = 16, 1024
_REPEATS = 12  # C(16 + 12, 16) is 30 million rounds; beyond, rounds are just computed more often


def reversible_while(go_on: Callable, step: Callable, fixed: list, state: Sequence, constants: Sequence = ()):
    """`lax.while_loop` that has gradients of any order in reverse mode.

    go_on(constants, state), step(fixed, state): the condition and one round. constants: what the condition reads; fixed: what the rounds read;
    state: what they change. All are lists of arrays; the floating ones among `fixed` and `state` are differentiated. Returns the final state.
    """
    return _Loop(go_on, step, len(state)).run(fixed, state, list(constants))


def _inexact(array):
    return jnp.issubdtype(array.dtype, jnp.inexact)


def _split(arrays):
    """(floating arrays, others, function that puts two such lists together again)"""
    marks = [_inexact(a) for a in arrays]

    def join(floating, others):
        floating, others = iter(floating), iter(others)
        return [next(floating) if mark else next(others) for mark in marks]

    return [a for a in arrays if _inexact(a)], [a for a in arrays if not _inexact(a)], join


class _Loop:
    """One loop. `run` is differentiated by `_pull_back`, which is differentiated by a loop over `_tangent_step`."""

    def __init__(self, go_on, step, width):
        self.go_on, self.step, self.width = go_on, step, width

    def run(self, fixed, state, constants):
        real_fixed, other_fixed, join_fixed = _split(fixed)
        real_state, other_state, join_state = _split(state)

        @jax.custom_vjp
        def loop(real_fixed, real_state, other_fixed, other_state, constants):
            return forward(real_fixed, real_state, other_fixed, other_state, constants)[0]

        def forward(real_fixed, real_state, other_fixed, other_state, constants):
            fixed = join_fixed(real_fixed, other_fixed)
            count, final = lax.while_loop(
                lambda carry: self.go_on(constants, carry[1]),
                lambda carry: (carry[0] + 1, self.step(fixed, carry[1])),
                (jnp.zeros((), jnp.int64), join_state(real_state, other_state)),
            )
            return _split(final)[:2], (real_fixed, real_state, other_fixed, other_state, count)

        def backward(saved, cotangents):
            real_fixed, real_state, other_fixed, other_state, count = saved
            pulled = self._pull_back(
                real_fixed, real_state, other_fixed, other_state, count, cotangents[0], join_fixed, join_state
            )
            return (*pulled, None, None, None)

        loop.defvjp(forward, backward)
        return join_state(*loop(real_fixed, real_state, other_fixed, other_state, constants))

    def _pull_back(self, real_fixed, real_state, other_fixed, other_state, count, cotangents, join_fixed, join_state):
        """Cotangents of the floating fixed arrays and of the floating initial state."""

        def one_round(other_fixed, other_state, real_fixed, real_state):
            """(new floating state, new other state)"""
            new = self.step(join_fixed(real_fixed, other_fixed), join_state(real_state, other_state))
            return _split(new)[:2]

        @jax.custom_vjp
        def pull_back(real_fixed, real_state, other_fixed, other_state, count, cotangents):
            return _reverse(one_round, real_fixed, real_state, other_fixed, other_state, count, cotangents)

        def forward(*args):
            return pull_back(*args), args

        def backward(saved, directions):
            # pull_back is the gradient of <cotangents, loop>, so its derivative in the directions u is that of <cotangents, J u>
            real_fixed, real_state, other_fixed, other_state, count, cotangents = saved
            fixed_tangents, state_tangents = directions

            def product(real_fixed, real_state):
                """J u: the loop's derivative in the directions, as a loop of the same rounds."""
                tangents = len(state_tangents)

                def step(fixed, carry):
                    mine, others = fixed[: len(real_fixed)], fixed[2 * len(real_fixed) :]
                    directions = fixed[len(real_fixed) : 2 * len(real_fixed)]
                    left, state, moved, rest = (
                        carry[0],
                        carry[1 : 1 + tangents],
                        carry[1 + tangents : 1 + 2 * tangents],
                        carry[1 + 2 * tangents :],
                    )
                    new, new_moved, new_rest = _directional(one_round, others, rest, mine, state, directions, moved)
                    return [left - 1, *new, *new_moved, *new_rest]

                carry = [count, *real_state, *state_tangents, *other_state]
                final = reversible_while(
                    lambda _, c: c[0] > 0, step, [*real_fixed, *fixed_tangents, *other_fixed], carry
                )
                return final[1 + tangents : 1 + 2 * tangents]

            moved, pull = jax.vjp(product, real_fixed, real_state)
            return (*pull(cotangents), None, None, None, moved)

        pull_back.defvjp(forward, backward)
        return pull_back(real_fixed, real_state, other_fixed, other_state, count, cotangents)


def _directional(one_round, other_fixed, other_state, real_fixed, real_state, fixed_tangents, state_tangents):
    """(new floating state, its derivative in the given directions, the other new state)"""

    def of_reals(real_fixed, real_state):
        return one_round(other_fixed, other_state, real_fixed, real_state)

    if not reverse_only(jax.make_jaxpr(of_reals)(real_fixed, real_state)):
        return jax.jvp(of_reals, (real_fixed, real_state), (fixed_tangents, state_tangents), has_aux=True)
    new, pull, rest = jax.vjp(of_reals, real_fixed, real_state, has_aux=True)
    return new, along(pull, new, (fixed_tangents, state_tangents)), rest


# --- running backwards
def _reverse(one_round, real_fixed, real_state, other_fixed, other_state, count, cotangents):
    """Cotangents of the floating fixed arrays and initial state: the rounds in reverse, each from a checkpoint."""
    state = [*real_state, *other_state]
    reals = len(real_state)
    size = sum(a.size * a.dtype.itemsize for a in state) + 1
    slots = int(min(max(_BYTES // size, _FEWEST), _MOST))

    def pull_round(state, found, cotangents):
        def of_reals(real_fixed, real_state):
            return one_round(other_fixed, state[reals:], real_fixed, real_state)

        _, pull, _ = jax.vjp(of_reals, real_fixed, state[:reals], has_aux=True)
        more, cotangents = pull(cotangents)
        return [a + b for a, b in zip(found, more)], cotangents

    def advance(state, found, cotangents):
        new, rest = one_round(other_fixed, state[reals:], real_fixed, state[:reals])
        return [*new, *rest], found, cotangents

    def reverse(state, found, cotangents):
        return state, *pull_round(state, found, cotangents)

    def body(carry):
        at, target, goal, depth, indices, stack, state, found, cotangents = carry
        last = at == target - 1  # the next round to reverse starts here
        state, found, cotangents = lax.cond(last, reverse, advance, state, found, cotangents)
        at, target = jnp.where(last, at, at + 1), jnp.where(last, target - 1, target)
        # after a reversed round go back to the latest checkpoint before its start; the first one stays
        depth = jnp.where(last & (indices[depth - 1] >= target) & (depth > 1), depth - 1, depth)
        at = jnp.where(last, indices[depth - 1], at)
        state = [jnp.where(last, s[depth - 1], a) for s, a in zip(stack, state)]
        # at the goal: keep a checkpoint, in the first free slot
        store = ~last & (at == goal) & (at < target - 1) & (depth < slots)
        slot = jnp.minimum(depth, slots - 1)
        indices = indices.at[slot].set(jnp.where(store, at, indices[slot]))
        stack = [s.at[slot].set(jnp.where(store, a, s[slot])) for s, a in zip(stack, state)]
        depth = jnp.where(store, depth + 1, depth)
        goal = jnp.where(last | store, _next_goal(at, target, slots - depth), goal)
        return at, target, goal, depth, indices, stack, state, found, cotangents

    zero, one = jnp.zeros((), jnp.int64), jnp.ones((), jnp.int64)
    carry = (
        zero,
        count,
        _next_goal(zero, count, slots - one),
        one,
        jnp.zeros((slots,), jnp.int64),
        [jnp.zeros((slots, *a.shape), a.dtype).at[0].set(a) for a in state],
        state,
        [jnp.zeros_like(a) for a in real_fixed],
        cotangents,
    )
    final = lax.while_loop(lambda carry: carry[1] > 0, body, carry)
    return final[-2], final[-1]


def _next_goal(at, target, free):
    """Where the next checkpoint is kept on the way from round `at` to `target`, with so many free slots."""
    length = target - at
    distance = jnp.ones((), jnp.float64)
    rounds = jnp.ones((), jnp.float64)  # C(free + r, free) for r = 0, 1, ...: the most rounds with r repeats
    for repeat in range(1, _REPEATS):
        rounds = rounds * (free + repeat) / repeat
        distance = jnp.where(rounds < length, rounds, distance)
    return jnp.where(free > 0, at + jnp.round(distance).astype(jnp.int64), -1)
