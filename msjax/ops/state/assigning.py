"""Operators that change a Parameter (or Tensor): assignment."""

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.values import dtype as mstype
from ...core.values.parameter import as_state


def stored(name, variable, value):
    """A value in the dtype and shape of the variable that receives it."""
    value = jnp.asarray(value)
    if (
        value.shape != variable.shape
        and not (value.size == 1 and variable.size == 1 and value.ndim <= 1)
        and value.ndim
    ):
        raise ValueError(
            f"For '{name}', the shape of 'value' must be that of 'variable', {variable.shape}, but got {value.shape}."
        )
    if (
        value.dtype != variable.dtype
        and jnp.issubdtype(value.dtype, jnp.inexact)
        and not jnp.issubdtype(variable.dtype, jnp.inexact)
        and not getattr(value, "weak_type", False)
    ):
        raise TypeError(
            f"For '{name}', the type of 'value' must be convertible to that of 'variable', "
            f"{mstype.from_numpy(variable.dtype)}, but got {mstype.from_numpy(value.dtype)}."
        )
    return jnp.broadcast_to(
        value.astype(variable.dtype).reshape(())
        if value.size == 1 and value.shape != variable.shape
        else value.astype(variable.dtype),
        variable.shape,
    )


@op(prim="Assign()(variable, value)", ops="assign(variable, value)", writes=(0,))
def assign(variable, value):
    """Give a Parameter new content; the Parameter is returned.

    No gradient flows to the value, as in MindSpore: what a Parameter holds is state, not a result.

    Raises:
        ValueError: another shape. TypeError: a float for an integer Parameter.

    Example:
        >>> ops.assign(Parameter(Tensor([1.0]), name="p"), Tensor([2.0]))
    """
    return as_state(stored("Assign", variable, value), variable)


@op(prim="AssignAdd()(variable, value)", ops="assign_add(variable, value)", writes=(0,))
def assign_add(variable, value):
    """Add to a Parameter; its new value is returned, and only that passes gradients on to `value`.

    Example:
        >>> ops.assign_add(Parameter(Tensor([1.0]), name="p"), Tensor([2.0]))
    """
    total = variable + stored("AssignAdd", variable, value)
    return as_state(total, variable), total


@op(prim="AssignSub()(variable, value)", ops="assign_sub(variable, value)", writes=(0,))
def assign_sub(variable, value):
    """Subtract from a Parameter; its new value is returned, and only that passes gradients on to `value`.

    Example:
        >>> ops.assign_sub(Parameter(Tensor([1.0]), name="p"), Tensor([2.0]))
    """
    rest = variable - stored("AssignSub", variable, value)
    return as_state(rest, variable), rest
