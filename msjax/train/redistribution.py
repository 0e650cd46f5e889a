"""Which ranks a redistribution from one cut to another passes through, as MindSpore counts them.

It changes a layout step by step: a cut along an axis, or a concatenation over the ranks that differ in one dimension of the device
matrix. Whoever takes part in a concatenation that the wanted rank needs is named, though its slice may not be used in the end.
"""

import math
from typing import Any

from ..parallel.device_axes import prime_factors

_WHOLE = -1


def ranks(old: Any, new: Any, rank: int):
    """The ranks of the cut `old` that MindSpore needs for a rank of the cut `new` (see `strategy_files.Cut`); None if the
    device matrices have no common refinement.

    Raises:
        ValueError: the number of devices of one is not a multiple of that of the other.
    """
    total = max(old.devices, new.devices)
    if total % old.devices or total % new.devices:
        raise ValueError(f"Cannot transform device_num from {old.devices} to {new.devices}")
    sizes, held = _refined(old, total)
    others, wanted = _refined(new, total)
    if sizes != others:
        return None
    before, after = [], []
    for one, other in zip(held, wanted):
        for i in range(max(len(one), len(other), 1)):
            before.append(one[i] if i < len(one) else _WHOLE)
            after.append(other[i] if i < len(other) else _WHOLE)
    over = _concatenations(before, after)
    strides = [math.prod(sizes[i + 1 :]) for i in range(len(sizes))]

    def together(rank, dimension):
        stride, size = strides[dimension], sizes[dimension]
        first = rank - rank // stride % size * stride
        return range(first, first + size * stride, stride)

    found = {rank}
    left = [(step, together(rank, dimension)) for step, dimension in enumerate(over)]
    while left:
        step, group = left.pop()
        for other in group:
            if other not in found:
                found.add(other)
                left[:0] = [(i, together(other, dimension)) for i, dimension in enumerate(over[:step])][::-1]
    return {r % old.devices for r in found}


def _refined(cut, total):
    """(sizes of the dimensions of the device matrix, cut into primes, [those over which each axis is split])."""
    sizes, places = [], []
    for count in (total // cut.devices, *cut.matrix):  # more devices repeat what the first ones have
        factors = prime_factors(count)
        places.append(list(range(len(sizes), len(sizes) + len(factors))))
        sizes += factors
    split = [[place for axis in axes for place in places[axis + 1]] for axes in cut.axes]
    for axis, taken in cut.again:
        own, product = [], 1
        for place in reversed(places[axis + 1]):
            if product < taken:
                own.insert(0, place)
                product *= sizes[place]
        split[0] += own
    return sizes, split


def _concatenations(before, after):
    """The dimensions over which slices are concatenated, in order, to come from one map of axes to another."""
    left = {axis: place for axis, place in enumerate(before) if place != after[axis]}
    made, steps = [], 0
    while left:
        at_first = steps
        while left:
            steps_before = steps
            for axis in list(left):
                if left[axis] == after[axis]:
                    del left[axis]
                elif left[axis] == _WHOLE and after[axis] not in left.values():  # a cut, which needs nobody
                    del left[axis]
                    steps += 1
            for axis in list(left):
                if axis not in left:
                    continue
                if left[axis] == after[axis]:
                    del left[axis]
                elif (
                    left[axis] == _WHOLE and after[axis] in left.values()
                ):  # what another axis is cut over goes to this one
                    other = next(a for a, place in left.items() if place == after[axis])
                    made.append(after[axis])
                    del left[axis]
                    left[other] = _WHOLE
                    steps += 1
            if steps == steps_before:
                break
        for axis in list(left):
            if left[axis] != _WHOLE and left[axis] not in after:
                made.append(left[axis])
                steps += 1
                if after[axis] == _WHOLE:
                    del left[axis]
                else:
                    left[axis] = _WHOLE
        if steps == at_first and left:  # a circle: one axis is made whole
            axis = next(iter(left))
            made.append(left[axis])
            left[axis] = _WHOLE
            steps += 1
    return made
