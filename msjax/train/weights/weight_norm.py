"""Products and kernels that a file keeps as a direction and a length (weight normalization), for networks that keep the product."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from .entries import Entry
from .names import LENGTHS, role, split

_BEFORE = ".parametrizations.weight"  # PyTorch's newer spelling


def composed(source: Mapping[str, Entry], target: Mapping[str, object]) -> Mapping[str, Entry]:
    """The file's entries, with each direction and its length as the weight that they make, if the network has no directions itself."""
    if any(role(name, target) == "direction" for name in target):
        return source
    found = dict(source)
    for name, entry in source.items():
        owner, last = split(name)
        whole = f"{owner.removesuffix(_BEFORE)}.weight"
        if role(name, source) == "direction" and whole not in source:
            length = f"{owner}.{LENGTHS[last]}"
            del found[name], found[length]
            found[whole] = Entry(entry.shape, entry.dtype, _product(entry, source[length]))
    return found


def _product(direction: Entry, length: Entry) -> Callable[[], np.ndarray]:
    def read():
        v, g = direction.read(), length.read()
        wide = np.promote_types(v.dtype, np.float32)
        v = v.astype(wide)
        g = g.astype(wide).reshape((-1, *(1,) * (v.ndim - 1)) if g.ndim < v.ndim else g.shape)
        axes = tuple(i for i in range(v.ndim) if g.shape[i] == 1 and g.size > 1 or g.size == 1)
        return (v * (g / np.sqrt((v * v).sum(axes, keepdims=True)))).astype(direction.dtype)

    return read
