"""Mixed precision: operators called with their float Tensors cast, by lists of operators (`amp`) or within a Cell (`to_float`)."""

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..settings.execution_state import here, within
from ..values import dtype as mstype
from ..values.cast_parameter import CastParameter
from ..values.parameter import Parameter
from ..values.tensor import Tensor
from .views import copies

if TYPE_CHECKING:
    from ..values.dtype import Type


@contextlib.contextmanager
def casting(policy: Callable):
    """Within this context, `policy(record)` tells how an operator is cast: the arguments of `call_in` after its own, or None."""
    with within(casts=(*here().casts, policy)):
        yield


def by_lists():
    """Whether operators are cast by lists of them here, and not all alike."""
    casts = here().casts
    return bool(casts) and not isinstance(casts[-1], WithinCell)


class WithinCell:
    """What a Cell of `to_float` casts, besides the Parameters that it reads.

    In PYNATIVE_MODE (`constants` is None) each operator casts all float Tensors that it gets, but one that only shows them in another
    shape. Compiled code casts the inputs of the Cell, and the Tensors that are there before the call: `constants`, by their `id`.
    statistics: whether the Cell keeps any; Parameters that are not trained are not cast then.
    """

    def __init__(self, dtype: "Type", statistics: bool, constants: frozenset | None = None):
        self.dtype, self.statistics, self.constants = dtype, statistics, constants

    def __call__(self, record):
        if record.writes or self.constants is None and (record.view or record.title in _AS_THEY_ARE or copies()):
            return None
        return self.dtype, None, self.takes

    def takes(self, value: Tensor):
        """Whether a float Tensor is cast."""
        if isinstance(value, Parameter) and not getattr(value, "is_buffer", False):
            return value._requires_grad or not self.statistics
        return self.constants is None or id(value) in self.constants


_AS_THEY_ARE = {"Cast", "ZerosLike", "OnesLike", "getitem"}
# one for equal arguments: compiled programs are kept by the policy that they were made under
within_cell = functools.cache(WithinCell)


def _all(value: Tensor):
    return True


def changes(args: Sequence, dtype: "Type", result_dtype: "Type | None", takes: Callable = _all):
    """Whether `call_in` casts anything."""

    def unlike(value):
        if isinstance(value, Tensor):
            return value.dtype != dtype and value.dtype in mstype.float_type and takes(value)
        return isinstance(value, (tuple, list)) and any(map(unlike, value))

    return result_dtype is not None or any(map(unlike, args))


def call_in(record: Any, args: Sequence, dtype: "Type", result_dtype: "Type | None", takes: Callable = _all):
    """Call an operator with its float Tensors cast, those that `takes` takes, and its results cast where a type for them is given."""

    def cast(value, dtype, takes):
        if isinstance(value, (tuple, list)):
            return type(value)(cast(v, dtype, takes) for v in value)
        return value.astype(dtype) if isinstance(value, Tensor) and changes([value], dtype, None, takes) else value

    with within(casts=()):  # neither the casts nor this call are cast again
        out = record(*[cast(a, dtype, takes) for a in args])
        return out if result_dtype is None else cast(out, result_dtype, _all)


def write_uncast(record: Any, args: Sequence):
    """Call an operator that writes to its arguments: `to_float` casts no Parameter that is written."""
    out = record(*[a.parameter if type(a) is CastParameter else a for a in args])
    for read in args:
        if type(read) is CastParameter:
            read.read_again()
    return out
