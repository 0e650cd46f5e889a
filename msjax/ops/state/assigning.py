"""Operators that change a Parameter (or Tensor): assignment."""

from typing import Annotated, Any

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.spec import Array, Operand
from ...core.spec.rules import Holding
from ...core.values.parameter import as_state
from ...core.values.promote import cast, check_stays


def stored(name: str, variable: Any, value: Any):
    """A value in the dtype and shape of the variable that receives it."""
    value = jnp.asarray(value)
    check_stays(variable, value, "variable", "value")
    if value.shape != variable.shape and not {value.shape, variable.shape} <= {(), (1,)}:
        raise ValueError(
            f"For '{name}', the shape of 'value' must be that of 'variable', {variable.shape}, but got {value.shape}."
        )
    return cast(value, variable.dtype).reshape(variable.shape)


@op(prim=Prim("Assign"), ops=True, writes=(0,))
def assign(variable: Array, value: Operand) -> Array:
    """Give a Parameter new content; the Parameter is returned.

    No gradient flows to the value, as in MindSpore: what a Parameter holds is state, not a result.

    Raises:
        ValueError: another shape. TypeError: a type that the Parameter's would be promoted to, as a float for an integer.

    Example:
        >>> print(ops.assign(Parameter(Tensor([1.0]), name="p"), Tensor([2.0])))
        [2.]
    """
    return as_state(stored("Assign", variable, value), variable)


@op(prim=Prim("AssignAdd"), ops=True, writes=(0,))
def assign_add(variable: Annotated[Array, Holding(but="bool")], value: Operand):
    """Add to a Parameter; its new value is returned, and only that passes gradients on to `value`.

    Example:
        >>> print(ops.assign_add(Parameter(Tensor([1.0]), name="p"), Tensor([2.0])))
        [3.]
    """
    total = variable + stored("AssignAdd", variable, value)
    return as_state(total, variable), total


@op(prim=Prim("AssignSub"), ops=True, writes=(0,))
def assign_sub(variable: Array, value: Operand):
    """Subtract from a Parameter; its new value is returned, and only that passes gradients on to `value`.

    Example:
        >>> print(ops.assign_sub(Parameter(Tensor([1.0]), name="p"), Tensor([2.0])))
        [-1.]
    """
    rest = variable - stored("AssignSub", variable, value)
    return as_state(rest, variable), rest
