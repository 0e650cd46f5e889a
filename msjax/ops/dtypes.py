"""Dtypes that operators refuse: MindSpore looks at them before it computes."""

from typing import TYPE_CHECKING

import jax.numpy as jnp

from ..core.values import dtype as mstype

if TYPE_CHECKING:
    import jax


def floats_only(name: str, **arrays: "jax.Array"):
    """Raises TypeError for arrays that are not of a float type.

    Args:
        name: The operator, for the message.
        arrays: The arrays, under the names that the message gives them.
    """
    for argument, array in arrays.items():
        if not jnp.issubdtype(array.dtype, jnp.floating):
            raise TypeError(
                f"For '{name}', the type of '{argument}' must be a float type, but got "
                f"Tensor[{mstype.from_numpy(array.dtype)}]."
            )


def only(name: str, taken: str, **arrays: "jax.Array"):
    """Raises TypeError for arrays of other types than those named.

    Args:
        name: The operator, for the message.
        taken: The types, as in "int32 int64".
        arrays: The arrays, under the names that the message gives them.
    """
    for argument, array in arrays.items():
        if array.dtype.name not in taken.split():
            raise TypeError(
                f"For '{name}', the type of '{argument}' must be one of {taken.split()}, but got "
                f"Tensor[{mstype.from_numpy(array.dtype)}]."
            )
