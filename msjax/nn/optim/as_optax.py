"""Optimizers as optax transformations: the Cell's own step, on a pytree of arrays instead of its Parameters.

A twin of the optimizer takes the arrays in the places of the Parameters, so that groups, learning rates, decay filters,
centralization and the loss scale are computed by the same code as in the Cell.
"""

import jax
import jax.numpy as jnp
import optax

from ...core.values.tensor import Tensor, wrap
from .step import wide


def as_optax(optimizer, step, alike):
    """An `optax.GradientTransformation` of an optimizer.

    Args:
        optimizer: has `parameters`, the Parameters that it trains.
        step: function of (rows, names, count, values, gradients, state or None) that gives (new values, state); with `state` None the
            first state. `rows` tells for each value which Parameter it stands for.
        alike: whether all Parameters are treated alike, so that any pytree will do.

    Raises:
        ValueError: (from `init` and `update`) the pytree is not that of the Parameters, and they are not treated alike.
    """

    def init(params):
        rows, names = rows_of(params, optimizer, alike)
        return jnp.zeros((1,), jnp.int32), step(rows, names, None, jax.tree.leaves(params), None, None)[1]

    def update(gradients, state, params=None):
        if params is None:
            raise ValueError("The transformation needs the parameters: call update(gradients, state, params).")
        count, inner = state
        rows, names = rows_of(params, optimizer, alike)
        values, (grads, tree) = jax.tree.leaves(params), jax.tree.flatten(gradients)
        new, after = step(rows, names, count, values, grads, inner)
        after = jax.tree.map(
            lambda new, old: new.astype(old.dtype), after, inner
        )  # float16 state is rounded as in the Cell
        return jax.tree.unflatten(tree, [n - wide(v) for n, v in zip(new, values)]), (count + 1, after)

    return optax.GradientTransformation(init, update)


def twin_of(optimizer, rows, count, values):
    """The optimizer with arrays in the places of its Parameters, at a step (int32 of shape (1,)).

    rows: index of the Parameter that each array stands for.
    """
    twin = object.__new__(type(optimizer))
    twin.__dict__.update(optimizer.__dict__)
    boxes = tuple(map(wrap, values))
    twin.__dict__.update(_parameters=boxes, parameters=boxes, param_length=len(boxes), global_step=wrap(count))
    for name in ("decay_flags", "dynamic_decay_flags", "weight_decay", "grad_centralization_flags", "lars_flag"):
        whole = getattr(optimizer, name, None)
        if isinstance(whole, (tuple, list)) and len(whole) == len(optimizer.parameters):
            twin.__dict__[name] = tuple(whole[i] for i in rows)
    if optimizer.is_group_lr and not isinstance(optimizer.learning_rate, Tensor):
        rates = list(optimizer.learning_rate)
        twin.__dict__["learning_rate"] = tuple(rates[i] for i in rows)
    return twin


def stepped(twin, rule, values, gradients, state):
    """(new values, state) after a step by a Rule."""
    rates = twin.get_lr()
    rates = rates if isinstance(rates, tuple) else [rates] * len(values)
    rates = [(r if isinstance(r, Tensor) else Tensor(r)).jax_array.reshape(()) for r in rates]
    wide_state = jax.tree.map(wide, state)
    return rule.step([wide(v) for v in values], [wide(g.jax_array) for g in gradients], wide_state, rates)


def rows_of(params, optimizer, alike):
    """(index of the Parameter that each leaf stands for, names of the leaves)."""
    leaves = jax.tree_util.tree_flatten_with_path(params)[0]
    names = [
        ".".join(str(getattr(k, "key", getattr(k, "name", getattr(k, "idx", k)))) for k in path) for path, _ in leaves
    ]
    shapes = [leaf.shape for _, leaf in leaves]
    trained = list(optimizer.parameters)
    by_name = {p.name: i for i, p in enumerate(trained)}
    if all(name in by_name and trained[by_name[name]].shape == shape for name, shape in zip(names, shapes)):
        return [by_name[name] for name in names], names
    if isinstance(params, (tuple, list)) and shapes == [p.shape for p in trained]:
        return list(range(len(trained))), [p.name for p in trained]
    if alike:
        return [0] * len(leaves), names
    raise ValueError(
        f"'{type(optimizer).__name__}' treats its Parameters differently (groups, or a filter), so the pytree must be theirs: a dict "
        f"with the names {[p.name for p in trained]}, or a list or tuple in this order; got the leaves {names} of shapes {shapes}."
    )
