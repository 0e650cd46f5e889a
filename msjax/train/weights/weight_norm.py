"""Weights that a file keeps as what they are made of, for networks that keep the weights: a direction and its length (weight
normalization), a matrix and its singular vectors (spectral normalization), a weight and what is left of it (pruning).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from .entries import Entry
from .names import LENGTHS, role, split

_NEWER = ".parametrizations."  # PyTorch's newer spelling: layer.parametrizations.weight.original, ....weight.0._u
_VECTORS = (("_orig", "_u", "_v"), (".original", ".0._u", ".0._v"))


def composed(source: Mapping[str, Entry], target: Mapping[str, object]) -> Mapping[str, Entry]:
    """The file's entries, with the weight in place of what it is made of, if the network has no such parts itself.

    Raises:
        ValueError: a weight is made of its parts in a way that is not known here.
    """
    found = dict(source)
    if not any(role(name, target) == "direction" for name in target):
        for name, entry in source.items():
            owner, last = split(name)
            whole = owner.replace(_NEWER, ".") if _NEWER in owner else f"{owner}.weight"
            if role(name, source) == "direction" and whole not in source:
                length = f"{owner}.{LENGTHS[last]}"
                del found[name], found[length]
                found[whole] = Entry(entry.shape, entry.dtype, _product(entry, source[length]))
    for name, entry in source.items():
        for kept, left, right in _VECTORS:
            stem = name.removesuffix(kept)
            whole = stem.replace(_NEWER, ".")
            if not name.endswith(kept) or whole in source or name in target:
                continue
            vectors, mask = [stem + left, stem + right], f"{stem}_mask"
            if all(vector in source for vector in vectors):
                parts, made = vectors, _normalized(entry, *(source[vector] for vector in vectors))
            elif mask in source:
                parts, made = [mask], _masked(entry, source[mask])
            elif _NEWER in name:
                raise ValueError(
                    f"'{name}' is not the weight of its layer but what a parametrization makes it of, and neither weight_norm nor spectral_norm: "
                    "call torch.nn.utils.parametrize.remove_parametrizations in PyTorch, and save again."
                )
            else:
                continue
            for part in (name, *parts):
                del found[part]
            found[whole] = Entry(entry.shape, entry.dtype, made)
    return found


def _wide(value: np.ndarray) -> np.ndarray:
    return value.astype(np.promote_types(value.dtype, np.float32))


def _product(direction: Entry, length: Entry) -> Callable[[], np.ndarray]:
    def read():
        v, g = _wide(direction.read()), _wide(length.read())
        g = g.reshape((-1, *(1,) * (v.ndim - 1)) if g.ndim < v.ndim else g.shape)
        axes = tuple(i for i in range(v.ndim) if g.shape[i] == 1 and g.size > 1 or g.size == 1)
        return (v * (g / np.sqrt((v * v).sum(axes, keepdims=True)))).astype(direction.dtype)

    return read


def _normalized(weight: Entry, left: Entry, right: Entry) -> Callable[[], np.ndarray]:
    """Divided by its largest singular value. Kernels of transposed convolutions have the axis of `left` second; where both axes fit, it is
    the one whose vectors give the larger value.
    """

    def read():
        value, u, v = (_wide(part.read()) for part in (weight, left, right))
        turned = [np.moveaxis(value, axis, 0).reshape(value.shape[axis], -1) for axis in range(min(value.ndim, 2))]
        norms = [u @ matrix @ v for matrix in turned if matrix.shape == (u.size, v.size)]
        if not norms:
            raise ValueError(
                f"A weight of the shape {weight.shape} has no singular vectors of {u.size} and {v.size} elements."
            )
        return (value / max(norms)).astype(weight.dtype)

    return read


def _masked(weight: Entry, mask: Entry) -> Callable[[], np.ndarray]:
    return lambda: (weight.read() * mask.read()).astype(weight.dtype)
