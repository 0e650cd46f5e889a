"""Slices of Parameters put together and cut otherwise, without being read: what comes out reads from the slices what it is asked for."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.values.deferred import Deferred, of_array
from ..core.values.filled import Fill, Filled, everything, filler
from ..core.values.parameter import Parameter
from . import strategy_files

Place = tuple[slice, ...]


def merged(parts: Mapping[int, Parameter], layout: Sequence, name: str) -> Deferred:
    """The content of a whole Parameter.

    Args:
        parts: {rank: its slice}, of all ranks or of those that are needed.
        layout: A list as in `strategy_files`.
        name: Of the Parameter, for messages.

    Raises:
        ValueError: slices that do not fit the layout.
    """
    first = next(iter(parts.values()))
    cut = strategy_files.Cut(layout, first.ndim)
    if layout[2]:
        return of_array(_uneven({rank: p.asnumpy() for rank, p in parts.items()}, cut, layout[2]))
    shape, pieces = cut.whole(first.shape), {}
    for rank, part in parts.items():
        place = cut.where(rank, shape)
        if tuple(s.stop - s.start for s in place) != part.shape:
            raise ValueError(
                f"For 'merge_sliced_parameter', the slice of {name} of rank {rank} has the shape {part.shape}, that of another one has "
                f"{first.shape}: by their strategy all slices are of one shape."
            )
        pieces[tuple((s.start, s.stop) for s in place)] = place, part
    return _joined(shape, first, list(pieces.values()))


def merged_of_all(parts: Sequence[Parameter], layout: Sequence, name: str) -> Deferred:
    """As `merged`, of the slices of all ranks in their order.

    Raises:
        ValueError: slices that do not fit the layout, or not as many as it has.
    """
    count = strategy_files.Cut(layout, parts[0].ndim).devices
    if count != len(parts):
        raise ValueError(
            f"For 'merge_sliced_parameter', the strategy of {name} is for {count} slices, but got {len(parts)}."
        )
    return merged(dict(enumerate(parts)), layout, name)


def concatenated(parts: Sequence[Parameter], axis: int) -> Deferred:
    """The content of Parameters, one after the other along an axis."""
    pieces, at = [], 0
    for part in parts:
        place = list(everything(part.shape))
        place[axis] = slice(at, at := at + part.shape[axis])
        pieces.append((tuple(place), part))
    shape = list(parts[0].shape)
    shape[axis] = at
    return _joined(tuple(shape), parts[0], pieces)


def cut_out(whole: Parameter, place: Place) -> Deferred:
    """The content of a part of a Parameter."""
    fill = _fill_of(whole)

    def within(target, index):
        fill(target, tuple([slice(i.start + p.start, i.stop + p.start) for i, p in zip(index, place)]))

    return Deferred([p.stop - p.start for p in place], whole._raw.dtype, Filled(within))


def like(content: Deferred, other: Parameter) -> Parameter:
    """A Parameter with this content and the name and flags of another one."""
    return Parameter(content, other.name, other.requires_grad, other.layerwise_parallel)


def _fill_of(part: Parameter) -> Fill:
    return filler(part._raw) or filler(part._made())


def _joined(shape, first, pieces):
    fills = [(place, _fill_of(part)) for place, part in pieces]

    def fill(target, index):
        left = target.size
        for place, of_piece in fills:
            both = [slice(max(i.start, p.start), min(i.stop, p.stop)) for i, p in zip(index, place)]
            if all(b.start < b.stop for b in both):
                inside = tuple([slice(b.start - p.start, b.stop - p.start) for b, p in zip(both, place)])
                at = tuple([slice(b.start - i.start, b.stop - i.start) for b, i in zip(both, index)])
                of_piece(target[at] if at else target, inside)
                left -= math.prod(b.stop - b.start for b in both)
        if left:
            raise ValueError(
                f"Of the Parameter {first.name} of shape {shape} the slices of some ranks are missing: give the files of all."
            )

    return Deferred(shape, first._raw.dtype, Filled(fill))


def _uneven(arrays: dict, cut: Any, lengths: Sequence[int]) -> np.ndarray:
    """Slices of different lengths along axis 0, which the strategy gives."""
    rows = {}
    for rank, array in arrays.items():
        parts, _ = cut.place(rank)
        number = int(np.ravel_multi_index(parts, cut.parts))
        if array.shape[0] != lengths[number]:
            raise ValueError(
                f"For 'merge_sliced_parameter', the slice {number} should be {lengths[number]} in 0 axis, but got "
                f"{array.shape[0]}."
            )
        rows.setdefault(parts[0], {})[parts[1:]] = array
    joined = []
    for row in (rows[i] for i in sorted(rows)):
        grid = np.empty(cut.parts[1:], object)
        for place, array in row.items():
            grid[place] = array
        joined.append(np.block(grid.tolist()) if grid.ndim else grid.item())
    return np.concatenate(joined)
