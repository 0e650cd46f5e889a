"""Mixed precision: operators called with their float Tensors cast."""

import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..settings.execution_state import here, within
from ..values import dtype as mstype
from ..values.cast_parameter import CastParameter
from ..values.tensor import Tensor

if TYPE_CHECKING:
    from ..values.dtype import Type


@contextlib.contextmanager
def casting(policy: Callable):
    """Within this context, `policy(operator's name)` gives the float types (of the inputs, of the outputs or None), or None: no cast."""
    with within(casts=(*here().casts, policy)):
        yield


def call_in(record: Any, args: Sequence, dtype: "Type", result_dtype: "Type | None"):
    """Call an operator with its float Tensors cast, and its results cast where a type for them is given."""

    def cast(value, dtype):
        if isinstance(value, (tuple, list)):
            return type(value)(cast(v, dtype) for v in value)
        return (
            value.astype(dtype)
            if isinstance(value, Tensor) and value.dtype in mstype.float_type and value.dtype != dtype
            else value
        )

    with within(casts=()):  # neither the casts nor this call are cast again
        out = record(*[cast(a, dtype) for a in args])
        return out if result_dtype is None else cast(out, result_dtype)


def write_uncast(record: Any, args: Sequence):
    """Call an operator that writes to its arguments: `to_float` casts no Parameter that is written."""
    out = record(*[a.parameter if type(a) is CastParameter else a for a in args])
    for read in args:
        if type(read) is CastParameter:
            read.read_again()
    return out
