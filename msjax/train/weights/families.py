"""Families of networks whose names are known: which weight of Hugging Face's is which of MindFormers', as data.

A file of `families/` is `{"family", "sides", "rules"}`. A rule is `[names on the first side, names on the second side]`, or with "T" as
the third element where the last two axes are exchanged. `{}` stands for a number, `{+1}` for that number counted from 1. A list of names
is one matrix, cut along its first axis, on the other side. Where a file holds one value under several names, each has a rule.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from importlib import resources

import numpy as np

from .entries import Entry
from .matching import Pair
from .names import role
from .templates import squeezed


@functools.cache
def families() -> dict[str, dict]:
    """{name of a family: its content}"""
    folder = resources.files(__package__).joinpath("families")
    found = [json.loads(file.read_text(encoding="utf-8")) for file in folder.iterdir() if file.name.endswith(".json")]
    return {family["family"]: family for family in sorted(found, key=lambda f: f["family"])}


def family_of(source: Mapping[str, Entry], target: Mapping[str, Entry]) -> tuple[str, list[Pair]] | None:
    """The family that gives every Parameter its value, with the pairs; None where there is none."""
    for name, family in families().items():
        for forward in (True, False):
            pairs = _pairs(family["rules"], forward, name, source, target)
            if pairs is not None:
                return name, pairs
    return None


def _list(names):
    return names if isinstance(names, list) else [names]


def _pairs(rules, forward, why, source, target):
    """Pairs by the rules of one family, or None if a Parameter or a weight has no rule or a shape does not fit."""
    found, used = {}, set()
    for name in target:
        pair = next((p for rule in rules if (p := _by_rule(rule, forward, why, name, source, target))), None)
        if pair is None or _shape(pair, source) != squeezed(target[name].shape):
            return None
        found[name] = pair
        used.update(pair.sources)
    left = [n for n in source if n not in used and role(n, source) != "counter"]
    if not found or not all(_said_before(n, rules, forward, source, found) for n in left):
        return None
    return list(found.values())


def _said_before(name, rules, forward, source, found):
    """Whether a weight that no Parameter takes is the value of one by a rule, which that has from another name already."""
    for rule in rules:
        theirs, ours = (rule[0], rule[1]) if forward else (rule[1], rule[0])
        if isinstance(theirs, str) and isinstance(ours, str) and (numbers := _numbers(theirs, name)) is not None:
            pair = found.get(_filled(ours, numbers))
            if pair and len(pair.sources) == 1 and pair.part is None:
                return np.array_equal(source[name].read(), source[pair.sources[0]].read())
    return False


def _by_rule(rule, forward, why, name, source, target):
    theirs, ours = (rule[0], rule[1]) if forward else (rule[1], rule[0])
    turned = "T" in rule[2:]
    for i, pattern in enumerate(_list(ours)):
        numbers = _numbers(pattern, name)
        if numbers is None:
            continue
        sources = tuple(_filled(p, numbers) for p in _list(theirs))
        if not all(n in source for n in sources):
            continue
        part = None
        if len(_list(ours)) > 1:
            together = [_filled(p, numbers) for p in _list(ours)]
            if not all(n in target for n in together):
                continue
            sizes = [target[n].shape[0] for n in together]
            part = (sum(sizes[:i]), sum(sizes[: i + 1]))
        return Pair(name, sources, turned, part, why)
    return None


_NUMBER = re.compile(r"\{(\+\d+)?\}")


def _numbers(pattern, name):
    """The numbers that stand in a name of this pattern, counted from 0; None for another name."""
    if not name.startswith(pattern.partition("{")[0]):  # the large families have a thousand patterns
        return None
    found = _expression(pattern).fullmatch(name)
    counted_from = [int(first or 0) for first in _NUMBER.findall(pattern)]
    return found and tuple(int(n) - first for n, first in zip(found.groups(), counted_from))


@functools.cache
def _expression(pattern):
    return re.compile(r"(\d+)".join(re.escape(text) for text in _NUMBER.split(pattern)[::2]))


def _filled(pattern, numbers):
    left = iter(numbers)
    return _NUMBER.sub(lambda found: str(next(left) + int(found[1] or 0)), pattern)


def _shape(pair, source):
    """The shape of a pair's value, without axes of one element."""
    shapes = [tuple(source[n].shape) for n in pair.sources]
    shape = (sum(s[0] for s in shapes), *shapes[0][1:]) if len(shapes) > 1 else shapes[0]
    if pair.transposed and len(shape) > 1:
        shape = (*shape[:-2], shape[-1], shape[-2])
    if pair.part is not None:
        if pair.part[1] > shape[0]:
            return None
        shape = (pair.part[1] - pair.part[0], *shape[1:])
    return squeezed(shape)
