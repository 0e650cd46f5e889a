"""The number of a rank where one process stands for several ranks."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..settings.execution_state import here


class RankNumber(int):
    """An int that differs among the ranks: it is that of rank 0, and knows the others'.

    Arithmetic keeps all of them. Where each device runs a function with its own part of the Tensors, an operator takes the number of
    that device; elsewhere it takes that of rank 0.

    Example:
        >>> from msjax.core.values.rank_number import RankNumber
        >>> number = RankNumber([0, 1, 2, 3]) % 2 * 10
        >>> number, number.values
        (0, (0, 10, 0, 10))
    """

    def __new__(cls, values: Any):
        made = super().__new__(cls, values[0])
        made.values = tuple(int(v) for v in values)
        return made

    def __getnewargs__(self):
        return (self.values,)

    def __reduce_ex__(self, protocol: Any):
        return RankNumber, (self.values,)

    def number(self):
        """An int, or within a function of parts a traced scalar: that of the device."""
        places = here().bound_groups
        if places is None or places.get("ranks") is None:
            return int(self)
        stage = places["ranks"]
        count = stage.size
        parts = [self.values[i : i + count] for i in range(0, len(self.values), count)]
        if any(part != parts[0] for part in parts):
            raise RuntimeError(
                f"a number that depends on the rank ({self.values}) differs between the stages of a pipeline, which run one program: "
                "start a process for each rank."
            )
        return _of_device(parts[0], jax.lax.axis_index(stage.axis))


def _of_device(values, index):
    """The number of the device with this index: by arithmetic where numbers repeat evenly, without an array of all of them."""
    first, count = values[0], len(set(values))
    step = next((i for i, v in enumerate(values) if v != first), 1)
    rise = values[step] - first if len(values) > step else 0
    if all(v == first + rise * (i // step % count) for i, v in enumerate(values)):
        index = index if max(abs(v) for v in values) < 2**31 else index.astype(np.int64)
        return index // step % count * rise + first
    return jnp.asarray(np.array(values))[index]


def _arithmetic(name):
    plain = getattr(int, name)

    def method(self, *others):
        others = [o.values if isinstance(o, RankNumber) else (o,) * len(self.values) for o in others]
        made = [plain(*row) for row in zip(self.values, *others)]
        return made[0] if any(type(m) is not int for m in made) else RankNumber(made)

    method.__name__ = name
    return method


for _name in "add sub mul floordiv mod".split():
    for _method in (f"__{_name}__", f"__r{_name}__"):
        setattr(RankNumber, _method, _arithmetic(_method))
RankNumber.__neg__ = _arithmetic("__neg__")

__all__ = ["RankNumber"]
