"""Templates of names: weights that repeat along a number (`layers.0...`, `layers.1...`), and whether two of them can be the same values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .entries import Entry
from .experts import product_shape
from .names import role, split
from .words import pattern, ranked, words

_STATISTICS = ("running_mean", "moving_mean")


@dataclass
class Template:
    """Names that differ in numbers only."""

    pattern: str
    names: list[str] = field(default_factory=list)
    numbers: list[tuple[int, ...]] = field(default_factory=list)
    shapes: list[tuple[int, ...]] = field(default_factory=list)
    role: str = ""
    words: tuple[str, ...] = ()
    beside: list[tuple[int, ...] | None] = field(default_factory=list)  # see `_beside`
    batch: bool = False  # whether it is of a normalization with statistics

    @property
    def owner(self) -> str:
        return split(self.pattern)[0]


def templates(entries: Mapping[str, Entry], repeated: bool, around: Mapping[str, Entry]) -> list[Template]:
    """Templates in the order of the file. Not `repeated`: each name is a template of its own. `around`: all that the side has."""
    found: dict[tuple[str, str], Template] = {}
    plain = _counted(around)
    for name, entry in entries.items():
        parts, what = name.split("."), role(name, around)
        shown = pattern(name) if repeated else name
        # In a row of layers without names `{}.weight` is the kernel of one and the scale of another one.
        template = found.setdefault((shown, what), Template(shown))
        template.names.append(name)
        template.numbers.append(tuple(int(p) for p in parts if p.isdigit()))
        template.shapes.append(tuple(entry.shape))
        template.role = what
        counted = pattern(plain[name]) if repeated else plain[name]
        template.words = words(split(counted)[0] if template.role else counted)
        template.beside.append(_beside(split(name)[0], template.role, around))
        template.batch = (
            f"{split(name)[0]}.{_STATISTICS[0]}" in around or f"{split(name)[0]}.{_STATISTICS[1]}" in around
        )
    for template in found.values():
        order = sorted(range(len(template.names)), key=lambda i: template.numbers[i])
        for column in ("names", "numbers", "shapes", "beside"):
            values = getattr(template, column)
            setattr(template, column, [values[i] for i in order])
    return list(found.values())


def _counted(around: Mapping[str, Entry]) -> dict[str, str]:
    """{name: the name with numbers that say its rank among layers of its kind}.

    In a row of products and normalizations (`branch.0`, `.1`, `.3`, `.4`) each is counted among its own kind; else numbers are, as `ranked` has it.
    """
    rows: dict[str, dict[bool, list[str]]] = {}
    for name in around:
        owner = split(name)[0]
        row, last = split(owner)
        if last.isdigit() and (what := role(name, around)) in ("weight", "scale"):
            rows.setdefault(row, {}).setdefault(what == "scale", []).append(owner)
    placed = {}
    for row, kinds in rows.items():
        for owners in kinds.values() if len(kinds) > 1 else ():
            ordered = sorted(owners, key=lambda owner: int(split(owner)[1]))
            placed |= {owner: f"{row}.{at}" if row else str(at) for at, owner in enumerate(ordered)}
    renamed = {}
    for name in around:
        owner, last = split(name)
        renamed[name] = f"{placed[owner]}.{last}" if owner in placed else name
    counted = ranked(renamed.values())
    return {name: counted[other] for name, other in renamed.items()}


def _beside(owner: str, what: str, around: Mapping[str, Entry]) -> tuple[int, ...] | None:
    """The shape of the bias beside a product, or the sizes of the product beside a bias, which may be turned; None where there is none."""
    other = {"weight": "bias", "bias": "weight"}.get(what)
    entry = around.get(f"{owner}.{other}")
    if other is None or entry is None:
        return None
    return squeezed(entry.shape) if what == "weight" else tuple(sorted(squeezed(entry.shape)))


def squeezed(shape: Iterable[int]) -> tuple[int, ...]:
    """A shape without its axes of one element; a kernel that is high and one wide keeps its width, so that it is no flat one."""
    shape = tuple(shape)
    high = len(shape) == 4 and shape[-2] > 1 == shape[-1]
    return tuple(n for n in shape if n != 1) + (1,) * high


def fits(source: Template, target: Template, statistics: bool = True) -> str | None:
    """How values of one shape become another's: "" unchanged, "T" transposed, None if they cannot.

    `statistics`: a normalization with statistics is not one without. Those of single images have them in MindSpore, and not in PyTorch.
    """
    if len(source.names) != len(target.names) or not same_role(source.role, target.role):
        return None
    if statistics and {source.role, target.role} <= {"scale", "shift"} and source.batch != target.batch:
        return None
    if any(one != other for one, other in zip(source.beside, target.beside) if None not in (one, other)):
        return None
    pairs = list(zip(source.shapes, target.shapes))
    if all(squeezed(s) == squeezed(t) for s, t in pairs):
        return ""
    products = [(product_shape(source.names[0], s), product_shape(target.names[0], t)) for s, t in pairs]
    if source.role in ("weight", "") and all(s and s == t[::-1] for s, t in products):
        return "T" if all(s[:-2] == t[:-2] for s, t in pairs) else None
    return None


def same_role(one: str, other: str) -> bool:
    if one == other or not one or not other:
        return True
    return {one, other} in ({"weight", "table"}, {"bias", "shift"})
