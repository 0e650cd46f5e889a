r"""Regular expressions in ICU's syntax, which MindSpore uses, for Python's `re`.

Translated: properties (``\p{Han}``, ``\P{L}``, ``[:punct:]``), sets in sets with ``&&`` and ``--``, ``\x{4E00}``,
``\h``, ``\R``, ``\Q..\E``, ``\z`` and ``\Z``, named groups, and ``$1`` in replacements. Everything else means the
same in both.
"""

import functools
import re
import sys
import unicodedata
from typing import Any

from .scripts import script_ranges

_LAST = sys.maxunicode
_LONG_CATEGORIES = {
    "letter": "L",
    "mark": "M",
    "number": "N",
    "punctuation": "P",
    "symbol": "S",
    "separator": "Z",
    "other": "C",
    "lowercase_letter": "Ll",
    "uppercase_letter": "Lu",
    "decimal_number": "Nd",
    "nonspacing_mark": "Mn",
    "control": "Cc",
    "format": "Cf",
    "space_separator": "Zs",
    "dash_punctuation": "Pd",
    "open_punctuation": "Ps",
    "close_punctuation": "Pe",
    "connector_punctuation": "Pc",
    "currency_symbol": "Sc",
    "math_symbol": "Sm",
    "other_letter": "Lo",
    "punct": "P",
    "digit": "Nd",
    "alphabetic": "L Nl",
    "alpha": "L Nl",
    "upper": "Lu",
    "lower": "Ll",
    "uppercase": "Lu",
    "lowercase": "Ll",
    "alnum": "L Nl Nd",
    "cntrl": "Cc",
    "any": "C L M N P S Z",
}
_WORD = "L Nl M Nd Pc"
_SPACES = (
    (9, 13),
    (28, 32),
    (0x85, 0x85),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
_HORIZONTAL = (
    (9, 9),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
_NAMED = {
    "whitespace": _SPACES,
    "white_space": _SPACES,
    "space": _SPACES,
    "blank": _HORIZONTAL,
    "ascii": ((0, 127),),
    "xdigit": ((48, 57), (65, 70), (97, 102)),
}
_ESCAPED = {"n": 10, "t": 9, "r": 13, "f": 12, "a": 7, "e": 27, "v": 11, "0": 0}


@functools.cache
def _categories():
    """Ranges of each two-letter general category; half a second, once, and only for patterns with properties."""
    runs, previous, start = {}, None, 0
    for code in range(_LAST + 2):
        category = unicodedata.category(chr(code)) if code <= _LAST else None
        if category != previous:
            if previous is not None:
                runs.setdefault(previous, []).append((start, code - 1))
            previous, start = category, code
    return runs


@functools.cache
def _property(name):
    """The ranges of a Unicode property; ValueError where the name means nothing."""
    name = name.strip().split("=")[-1].replace(" ", "_")
    if name.lower() in _NAMED:
        return _NAMED[name.lower()]
    wanted = _LONG_CATEGORIES.get(name.lower(), name).split()
    found = [
        run for category, runs in _categories().items() for run in runs if any(category.startswith(w) for w in wanted)
    ]
    found = found or script_ranges(name.removeprefix("Is"))
    if not found:
        raise ValueError(f"unknown property {name!r}")
    return _union(found)


def _union(runs):
    merged = []
    for low, high in sorted(runs):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def _invert(runs):
    result, start = [], 0
    for low, high in _union(runs):
        if low > start:
            result.append((start, low - 1))
        start = high + 1
    return tuple(result + [(start, _LAST)]) if start <= _LAST else tuple(result)


def _intersect(one, other):
    return _invert(_union(_invert(one) + _invert(other)))


def _class(runs):
    """A set of code points in Python's syntax."""
    if not runs:
        return "(?!)"

    def show(code):
        return f"\\U{code:08x}"

    return "[" + "".join(show(low) if low == high else f"{show(low)}-{show(high)}" for low, high in runs) + "]"


class _Translator:
    """One pass over a pattern."""

    def __init__(self, pattern: str):
        self.pattern, self.at = pattern, 0

    def take(self, count: int = 1):
        piece = self.pattern[self.at : self.at + count]
        self.at += count
        return piece

    def braces(self):
        """The text between braces, or the next character."""
        if self.pattern[self.at : self.at + 1] != "{":
            return self.take()
        end = self.pattern.index("}", self.at)
        inside = self.pattern[self.at + 1 : end]
        self.at = end + 1
        return inside

    def escape(self):
        """The ranges of the escape after a backslash, or None where Python reads it alike."""
        kind = self.pattern[self.at : self.at + 1]
        if kind in ("p", "P"):
            self.take()
            name = self.braces()
            inverse = (kind == "P") != name.startswith("^")
            runs = _property(name.lstrip("^"))
            return _invert(runs) if inverse else runs
        if kind in ("h", "H"):
            self.take()
            return _HORIZONTAL if kind == "h" else _invert(_HORIZONTAL)
        if kind == "x" and self.pattern[self.at + 1 : self.at + 2] == "{":
            self.take()
            code = int(self.braces(), 16)
            return ((code, code),)
        return None

    def set_escape(self):
        """The ranges of the escape after a backslash in a set."""
        runs = self.escape()
        if runs is not None:
            return runs
        kind = self.take()
        if kind in "dDwWsS":
            runs = (
                _SPACES
                if kind in "sS"
                else _property("Nd")
                if kind in "dD"
                else _union(r for c in _WORD.split() for r in _property(c))
            )
            return runs if kind.islower() else _invert(runs)
        if kind in "xuU":
            code = int(self.take({"x": 2, "u": 4, "U": 8}[kind]), 16)
        else:
            code = _ESCAPED.get(kind, ord(kind))
        return ((code, code),)

    def set(self):
        """The ranges of a set, after its opening bracket."""
        inverse = self.pattern[self.at : self.at + 1] == "^" and bool(self.take())
        runs, first = (), True
        while first or self.pattern[self.at] != "]":
            ahead = self.pattern[self.at : self.at + 2]
            if ahead in ("&&", "--") and not first:
                self.take(2)
                other = self.operand()
                runs = _intersect(runs, other if ahead == "&&" else _invert(other))
            else:
                runs = _union(runs + tuple(self.item()))
            first = False
        self.take()
        return _invert(runs) if inverse else runs

    def operand(self):
        """The operand of && or --: all up to the next operator or the end of the set."""
        runs = ()
        while self.pattern[self.at] != "]" and self.pattern[self.at : self.at + 2] not in ("&&", "--"):
            runs = _union(runs + tuple(self.item()))
        return runs

    def item(self):
        """One character, range, escape or inner set."""
        character = self.take()
        if character == "[":
            if self.pattern[self.at : self.at + 1] == ":":
                end = self.pattern.index(":]", self.at)
                name = self.pattern[self.at + 1 : end]
                self.at = end + 2
                return _invert(_property(name[1:])) if name.startswith("^") else _property(name)
            return self.set()
        runs = self.set_escape() if character == "\\" else ((ord(character), ord(character)),)
        if (
            len(runs) == 1
            and runs[0][0] == runs[0][1]
            and self.pattern[self.at : self.at + 1] == "-"
            and self.pattern[self.at + 1 : self.at + 2] not in ("]", "-", "")
        ):
            self.take()
            end = self.take()
            high = self.set_escape()[0][0] if end == "\\" else ord(end)
            if high < runs[0][0]:
                raise ValueError("range out of order")
            return ((runs[0][0], high),)
        return runs

    def translate(self):
        """The whole pattern for `re`."""
        result = []
        while self.at < len(self.pattern):
            character = self.take()
            if character == "[":
                result.append(_class(self.set()))
            elif character == "\\":
                result.append(self.outer_escape())
            elif character == "(" and re.match(r"\?<[A-Za-z]", self.pattern[self.at :]):
                self.take(2)
                result.append("(?P<")
            else:
                result.append(character)
        return "".join(result)

    def outer_escape(self):
        """An escape outside sets."""
        runs = self.escape()
        if runs is not None:
            return _class(runs)
        kind = self.take()
        if kind == "Q":
            end = self.pattern.find("\\E", self.at)
            end = len(self.pattern) if end < 0 else end
            quoted, self.at = self.pattern[self.at : end], end + 2
            return re.escape(quoted)
        if kind == "k":
            name = self.pattern[self.at + 1 : self.pattern.index(">", self.at)]
            self.at += len(name) + 2
            return f"(?P={name})"
        alike = {"z": r"\Z", "Z": r"(?=\n?\Z)", "R": r"(?:\r\n|[\n-\r\x85\u2028\u2029])", "e": r"\x1b"}
        if kind in alike:
            return alike[kind]
        return "\\" + kind if kind in "AbBdDsSwWntrfavxuUN0123456789" else re.escape(kind)


@functools.lru_cache(256)
def compile_pattern(pattern: str, operation: Any):
    """A compiled pattern; RuntimeError, in the name of `operation`, where ICU would refuse it."""
    try:
        return re.compile(_Translator(pattern).translate())
    except (re.error, ValueError, IndexError, KeyError) as error:
        raise RuntimeError(
            f"{operation}: create icu RegexMatcher failed, you may input one error pattern {pattern!r}: {error}"
        ) from error


@functools.lru_cache(256)
def replacement(template: str, groups: int):
    """The parts of an ICU replacement: strings, and ints or names of groups. ValueError where it is wrong.

    Args:
        template (str): text with ``$1``, ``${name}`` and backslash escapes.
        groups (int): number of groups of the pattern.
    """
    parts, at = [], 0
    while at < len(template):
        character = template[at]
        at += 1
        if character == "\\" and at < len(template):
            parts.append(template[at])
            at += 1
        elif character == "$":
            named = re.compile(r"\{(\w+)\}").match(template, at)
            if named:
                parts.append((named[1],))
                at = named.end()
                continue
            number, start = 0, at
            while (
                at < len(template)
                and template[at].isdecimal()
                and (at == start or number * 10 + int(template[at]) <= groups)
            ):
                number = number * 10 + int(template[at])
                at += 1
            if at == start or number > groups:
                raise ValueError(f"no group at position {start} of {template!r}")
            parts.append((number,))
        else:
            parts.append(character)
    return parts
