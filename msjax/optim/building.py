"""Makes an optax transformation of a whole tree from a step on one array, and the shared code of all transformations
here.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from ..core.compat import INLINED

Transformation = optax.GradientTransformationExtraArgs
Rate = optax.ScalarOrSchedule
Number = float | jax.Array
Mask = Any  # a tree of bools, a prefix of one, or a function that makes one of the parameters; None is True everywhere


def f32(value: Number | np.ndarray) -> Any:
    """A number in float32, as MindSpore's kernels take it: 1 - 0.999 is 1.3e-5 off in float32, which shows after a few steps.

    A Python number stays a constant, so that code may branch on it.
    """
    return np.float32(value) if is_constant(value) else jnp.asarray(value).astype(jnp.float32)


def is_constant(value: Any) -> bool:
    """Whether a number is a Python one, and no array that may be traced (`optax.inject_hyperparams` gives such)."""
    return isinstance(value, (int, float, np.generic))


def is_zero(value: Any) -> bool:
    """Whether a number is known to be 0."""
    return is_constant(value) and value == 0


def ranges(
    name: str,
    *,
    positive: dict[str, Any] | None = None,
    not_negative: dict[str, Any] | None = None,
    below_one: dict[str, Any] | None = None,
) -> None:
    """ValueError for a constant outside its range. Arrays are not looked at: they may be traced.

    positive: above 0. not_negative: 0 or more. below_one: in [0, 1).
    """
    rules = (
        (positive, lambda x: x > 0, "must be above 0"),
        (not_negative, lambda x: x >= 0, "must be 0 or more"),
        (below_one, lambda x: 0 <= x < 1, "must be in the range [0.0, 1.0)"),
    )
    for values, holds, text in rules:
        for what, value in (values or {}).items():
            if is_constant(value) and not holds(value):
                raise ValueError(f"For 'optim.{name}', the '{what}' {text}, but got {value}.")


def check_nesterov(where: str, momentum: Number, dampening: Number) -> None:
    """ValueError for numbers with which Nesterov's momentum means nothing."""
    if is_zero(momentum) or not is_zero(dampening):
        raise ValueError(
            f"For 'optim.{where}', 'nesterov' needs a 'momentum' above 0 and a 'dampening' of 0, but got {momentum} and {dampening}."
        )


def rate_at(rate: Rate, count: jax.Array) -> Any:
    """The learning rate (or weight decay) of a step as a float32 scalar. count: steps made before this one."""
    value = rate(count) if callable(rate) else rate
    return f32(value) if is_constant(value) else f32(value).reshape(())


def wide(array: jax.Array) -> jax.Array:
    """float16 and bfloat16 as float32, other arrays as they are."""
    narrow = jnp.issubdtype(array.dtype, jnp.floating) and array.dtype.itemsize < 4
    return array.astype(jnp.float32) if narrow else array


def in_float32(inner: optax.GradientTransformation) -> Transformation:
    """A transformation whose arithmetic on float16 and bfloat16 is done in float32; the state is rounded once, when it is stored.

    The updates of such parameters are float32: `optax.apply_updates` rounds the sum once. Gradients get the dtype of their parameter.

    Example:
        >>> import jax.numpy as jnp, optax
        >>> from msjax import optim
        >>> transformation = optim.in_float32(optax.trace(0.9))
        >>> params = jnp.ones(2, jnp.float16)
        >>> updates, state = transformation.update(params, transformation.init(params), params)
        >>> print(updates.dtype, state.trace.dtype)
        float32 float16
    """
    inner = optax.with_extra_args_support(inner)

    def update(gradients: Any, state: Any, params: Any = None, **extra: Any) -> tuple[Any, Any]:
        if params is None:
            gradients = jax.tree.map(wide, gradients)
        else:
            params = jax.tree.map(wide, params)
            gradients = jax.tree.map(lambda g, p: g.astype(p.dtype), gradients, params)
        widened = jax.tree.map(wide, state)
        updates, after = inner.update(gradients, widened, params, **extra)
        return updates, jax.tree.map(_stored, after, widened, state)

    return Transformation(inner.init, update)


def _stored(new: jax.Array, given: jax.Array, before: jax.Array) -> jax.Array:
    """A new value of state in its dtype; state that was left alone is the very array that it was."""
    return before if new is given else jnp.asarray(new).astype(before.dtype)


def filled(value: float) -> Callable[[jax.Array], jax.Array]:
    """First state: an array like the parameter, full of one number."""
    return lambda param: jnp.full_like(param, value)


zeros, ones = filled(0), filled(1)


def scalar(value: float) -> Callable[[jax.Array], jax.Array]:
    """First state: one float32 number for each parameter."""
    return lambda param: jnp.float32(value)


def times(factor: np.generic) -> Callable[[jax.Array], jax.Array]:
    """The next one of a number's powers.

    A power is positive; abs has it rounded before 1 - power is taken, as MindSpore does. Without, LLVM contracts product and difference
    (past barriers and reduce_precision), and the step is up to 7e-6 off.
    """
    return lambda power: jnp.abs(power * factor)


def masked_numbers(number: np.generic | jax.Array, mask: Mask, params: list[jax.Array] | dict, tree: Any) -> list[Any]:
    """One number for each leaf: `number`, or 0 where the mask is False."""
    if mask is None:
        return [number] * tree.num_leaves
    chosen = mask(params) if callable(mask) else mask
    flags = jax.tree.leaves(jax.tree.map(lambda flag, part: jax.tree.map(lambda _: flag, part), chosen, params))
    return [number if flag else np.float32(0) for flag in flags]


def stepwise(
    state_class: type,
    step: Callable[..., tuple[jax.Array, ...]],
    learning_rate: Rate,
    first: dict[str, Callable[[jax.Array], jax.Array]],
    shared: dict[str, tuple[Any, Callable[[jax.Array], jax.Array]]] | None = None,
    decay: tuple[Rate, Mask] | None = None,
) -> Transformation:
    """The transformation of a step that treats each array by itself.

    Args:
        state_class: NamedTuple with the fields `count` (steps made so far), and those of `shared` and `first`.
        step: function of (param, gradient, rate, *state of this param, number=, **shared) that gives (update, *new state); `number` is that
            of the step, from 1. With `decay` the weight decay of the param is one more argument after the state.
        learning_rate: number, or function of the count.
        first: {field: its first value, a function of the param}.
        shared: {field: (first value, function to the next one)}, scalars that all params have in common and that advance before the step.
        decay: (weight decay: number or function of the count; mask).

    The `update` takes the keyword `rows`: a tree like the gradients whose leaves are True, or a bool array over the first axis. Rows that
    are False keep their parameters and state, as the rows that a sparse gradient does not name do in MindSpore's lazy optimizers.

    Raises:
        ValueError: (from `update`) the params are not given.
    """
    shared = shared or {}

    def init(params: Any) -> Any:
        leaves, tree = jax.tree.flatten(params)
        common = {name: jnp.asarray(value) for name, (value, _) in shared.items()}
        makers = {name: traced_once(make) for name, make in first.items()}
        own = {name: tree.unflatten([make(jnp.asarray(p)) for p in leaves]) for name, make in makers.items()}
        return state_class(count=jnp.zeros((), jnp.int32), **common, **own)

    def update(gradients: Any, state: Any, params: Any = None, *, rows: Any = None, **_: Any) -> tuple[Any, Any]:
        if params is None:
            raise ValueError("The transformation needs the parameters: call update(gradients, state, params).")
        leaves, tree = jax.tree.flatten(gradients)
        common = {name: move(getattr(state, name)) for name, (_, move) in shared.items()}
        number = optax.safe_increment(state.count)
        rate = rate_at(learning_rate, state.count)
        columns = [tree.flatten_up_to(getattr(state, name)) for name in first]
        if decay is not None:
            columns.append(masked_numbers(rate_at(decay[0], state.count), decay[1], params, tree))
        masks = [True] * len(leaves) if rows is None else tree.flatten_up_to(rows)
        results, step_once = [], traced_once(step)
        for g, p, mask, *rest in zip(leaves, tree.flatten_up_to(params), masks, *columns):
            p = wide(jnp.asarray(p))
            new = step_once(p, g.astype(p.dtype), rate.astype(p.dtype), *rest, number=number, **common)
            results.append(_only_rows(mask, new, (0, *rest)))
        new = [tree.unflatten(column) for column in zip(*results)] or [gradients] * (1 + len(first))
        return new[0], state_class(count=number, **common, **dict(zip(first, new[1:])))

    return in_float32(Transformation(init, update))


def traced_once(step: Callable[..., Any]) -> Callable[..., Any]:
    """A step whose trace for one array serves all of the same shape and dtype. Where nothing is traced it is called as it is."""
    made: dict[Any, Callable[..., Any]] = {}

    def call(*args: Any, **kwargs: Any) -> Any:
        values = (*args, *kwargs.values())
        if not any(isinstance(v, jax.core.Tracer) for v in values):
            return step(*args, **kwargs)
        # a Python number stays one: the step may branch on it
        key = tuple([(type(v), v) if is_constant(v) else None for v in values])
        if key not in made:

            def of_arrays(arrays: list[Any]) -> Any:
                given = iter(arrays)
                every = [next(given) if k is None else k[1] for k in key]
                return step(*every[: len(args)], **dict(zip(kwargs, every[len(args) :])))

            made[key] = jax.jit(of_arrays, inline=INLINED)
        return made[key]([v for v, k in zip(values, key) if k is None])

    return call


def _only_rows(mask: Any, new: Any, old: Any) -> Any:
    """New values in the rows where the mask is True, old ones elsewhere."""
    if mask is True:
        return new
    return [jnp.where(mask.reshape((-1,) + (1,) * (n.ndim - 1)), n, o) if n.ndim else n for n, o in zip(new, old)]
