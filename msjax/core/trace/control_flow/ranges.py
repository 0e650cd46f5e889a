"""`range` over Tensors: a plain range while the bounds are concrete."""

import operator
from typing import Any

from ...values.tensor import Tensor, is_tracing, wrap
from ..frame import current as current_frame
from . import values
from .errors import Unstageable


class TracedRange:
    """`range(...)` with a traced bound: a `for` over it becomes a `lax.while_loop`."""

    no_result = "For 'range', the input should be a int scalar but got a Tensor, whose value a graph does not know."

    def __init__(self, *bounds):
        start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
        self.stop, self.step = _array(stop), _array(step)
        first = _array(start)
        dtype = next((b.dtype for b in (self.stop, first, self.step) if not b.weak_type), self.stop.dtype)
        self.start = wrap(first.astype(dtype), current_frame())

    def contains(self, value: Any):
        """Whether a value of the counter is inside the range."""
        now = value._data
        return wrap(((self.step > 0) & (now < self.stop)) | ((self.step < 0) & (now > self.stop)), current_frame())

    def after(self, value: Any):
        """The value of the counter after this one."""
        return wrap(value._data + self.step.astype(value._data.dtype), current_frame())

    def _refuse(self, *_):
        raise Unstageable(
            "range() with a traced bound is only possible as `for i in range(...)`, since its length is not known"
        )

    __iter__ = __len__ = __getitem__ = __contains__ = __reversed__ = _refuse


def _array(bound):
    if isinstance(bound, Tensor):
        if bound.size != 1 or bound._data.dtype.kind not in "iu":
            raise TypeError(
                "For 'range', a bound must be an int or an integer Tensor of one element, "
                f"but got shape {bound.shape}, dtype {bound.dtype}."
            )
        return bound._data.reshape(())
    return values.number_array(operator.index(bound), int)


def range_(*bounds):
    """`range`, or a TracedRange where a bound is traced."""
    if any(is_tracing(b) for b in bounds):
        return TracedRange(*bounds)
    return range(*[operator.index(b) if isinstance(b, Tensor) else b for b in bounds])
