"""Weights of experts: one of each (`experts.0.w1.weight`), or all in one stack (`experts.w1`, whose first axis is the experts)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from .entries import Entry

_BOTH = "gate_up"


def of_expert(name: str) -> bool:
    """Whether a weight belongs to experts that stand side by side; a router and shared experts do not."""
    return _place(name) is not None


def product_shape(name: str, shape: Sequence[int]) -> tuple[int, ...]:
    """The two axes of a product, or of each product of a stack of experts; () for anything else."""
    if len(shape) == 2 or len(shape) == 3 and of_expert(name) and not _numbered(name):
        return tuple(shape[-2:])
    return ()


def as_the_network(source: Mapping[str, Entry], target: Mapping[str, Entry]) -> Mapping[str, Entry]:
    """The file's entries, with the weights of experts in stacks where the network has stacks, and apart where it has them apart; so are gate and up
    of a stack.
    """
    source = _gate_and_up_apart(source, target)
    source = _as_many(source, target)
    return _gate_and_up_joined(source, target)


def _as_many(source, target):
    ours = [name for name in target if of_expert(name)]
    theirs = [name for name in source if of_expert(name)]
    if not ours or not theirs or any(_numbered(name) for name in ours) == any(_numbered(name) for name in theirs):
        return source
    return _stacked(source, theirs, target, ours) if _numbered(theirs[0]) else _apart(source, theirs, target, ours)


def _stacked(source, theirs, target, ours):
    groups = defaultdict(dict)
    for name in theirs:
        if _numbered(name):
            parts, at = name.split("."), _place(name) + 1
            groups[".".join(parts[:at] + parts[at + 1 :])][int(parts[at])] = name
    wanted = {_any_way(target[name].shape) for name in ours}
    found = dict(source)
    for name, members in groups.items():
        entries = [source[members[i]] for i in sorted(members)]
        shape = (len(entries), *entries[0].shape)
        whole = sorted(members) == list(range(len(entries))) and len({(e.shape, e.dtype) for e in entries}) == 1
        if whole and name not in source and _any_way(shape) in wanted:
            for member in members.values():
                del found[member]
            found[name] = Entry(shape, entries[0].dtype, lambda entries=entries: np.stack([e.read() for e in entries]))
    return found


def _apart(source, theirs, target, ours):
    wanted = {_any_way(target[name].shape) for name in ours if _numbered(name)}
    counts = {int(name.split(".")[_place(name) + 1]) for name in ours if _numbered(name)}
    found = dict(source)
    for name in theirs:
        entry, parts, at = source[name], name.split("."), _place(name) + 1
        count, *shape = entry.shape or (0,)
        if counts != set(range(count)) or _any_way(shape) not in wanted:
            continue
        del found[name]
        last = parts[at:]
        if last[1:] == ["weight"]:  # as a bare matrix it may be turned, as stacks are
            last = last[:1]
        for i in range(count):
            one = entry.rows(i, i + 1)
            found[".".join([*parts[:at], str(i), *last])] = Entry(
                tuple(shape), entry.dtype, lambda one=one: one.read()[0]
            )
    return found


def _gate_and_up_apart(source, target):
    """Stacks of gate and up in one array, cut where the network has arrays of half their size.

    Not where a bias stands beside: such networks (gpt-oss) keep a row of gate and a row of up in turn.
    """
    wanted = {_any_way(target[name].shape) for name in target if of_expert(name)}
    found = dict(source)
    for name, entry in source.items():
        bias = f"{name}_bias" in source or name.endswith("weight") and f"{name[:-6]}bias" in source
        if not of_expert(name) or _numbered(name) or _BOTH not in name or len(entry.shape) != 3 or bias:
            continue
        axes = [a for a in (1, 2) if entry.shape[a] % 2 == 0 and _fitting(_halved(entry.shape, a), wanted)]
        if _fitting(entry.shape, wanted) or len(axes) != 1:
            continue
        del found[name]
        for i, word in enumerate(_BOTH.split("_")):
            half = _halved(entry.shape, axes[0])
            found[name.replace(_BOTH, word)] = entry.changed(
                half, lambda a, i=i, axis=axes[0]: np.ascontiguousarray(np.split(a, 2, axis)[i])
            )
    return found


def _gate_and_up_joined(source, target):
    """Stacks of gate and of up, joined where the network has such a stack, along the axis of its shape."""
    shapes = [tuple(target[name].shape) for name in target if of_expert(name) and _BOTH in name]
    found = dict(source)
    for name, gate in source.items():
        up = source.get(name.replace("gate", "up"))
        if (
            not of_expert(name)
            or "gate" not in name
            or _BOTH in name
            or up is None
            or gate.shape != up.shape
            or len(gate.shape) != 3
        ):
            continue
        axes = [axis for axis in (1, 2) if _fitting(_doubled(gate.shape, axis), map(_any_way, shapes))]
        if len(axes) == 1:
            del found[name], found[name.replace("gate", "up")]
            found[name.replace("gate", _BOTH)] = gate.changed(
                _doubled(gate.shape, axes[0]), lambda a, up=up, axis=axes[0]: np.concatenate([a, up.read()], axis)
            )
    return found


def _halved(shape, axis):
    return (*shape[:axis], shape[axis] // 2, *shape[axis + 1 :])


def _doubled(shape, axis):
    return (*shape[:axis], 2 * shape[axis], *shape[axis + 1 :])


def _fitting(shape, wanted):
    """Whether a stack, or one product of it, has a shape that is wanted, whichever way."""
    wanted = set(wanted)
    return _any_way(shape) in wanted or _any_way(shape[1:]) in wanted


def _place(name):
    """Where among the parts of a name the one stands that says that experts follow."""
    parts = name.split(".")
    return next(
        (i for i, p in enumerate(parts[:-1]) if p.lower().endswith("experts") and "shared" not in p.lower()), None
    )


def _numbered(name):
    return name.split(".")[_place(name) + 1].isdigit()


def _any_way(shape):
    """A shape of which it does not count which way the last two axes are."""
    return (*shape[:-2], *sorted(shape[-2:]))
