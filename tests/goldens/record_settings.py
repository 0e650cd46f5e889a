"""Record which settings MindSpore's Primitives refuse when they are made.

    python tests/goldens/record_settings.py NAMES.json [--formats]      with the Python that has MindSpore

NAMES.json: Primitive -> names of its settings (`faces.primitive(name)._attributes` of each). Writes `msjax/core/operators/primitive_settings.json`:
Primitive -> setting -> a letter for each kind of value ("T": TypeError, "V": ValueError), only where every value of that kind was refused
with every variant of the other settings, up to two of them changed. A format of images that another device would take is not refused here. The
rows of Primitives that NAMES.json does not name stay; with --formats only the settings that are formats are recorded, and the others stay.
"""

import inspect
import itertools
import json
import pathlib
import re
import sys
import warnings

import mindspore.ops.operations as operations
from mindspore.ops.auto_generate import gen_ops_prim
from mindspore.ops.operations import _grad_ops, _inner_ops

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "msjax" / "core" / "operators"))
import primitive_settings as kinds  # beside the code that reads the table: the kinds of values are defined once

NEEDED = (
    1,
    2,
    0.5,
    True,
    "zeros",
    (1, 1),
    (2, 2, 2),
    (1, 1, 1, 1),
    [1, 1],
    "sum",
    "mean",
    "same",
    None,
    "NCHW",
    "bilinear",
    "valid",
    "constant",
)
MANY = (2, True, 0.5, -0.5)  # for each of many settings
MIXED = (True, 2, 3, 0.5, (2, 2, 2), [0, 1])
FORMATS = ("NCHW", "NHWC", "NCDHW", "NDHWC", "CHWN", "NWHC")
DEVICE = "Ascend|GPU|CPU|platform|device"
MODULES = (operations, operations.array_ops, operations.math_ops, operations.nn_ops, operations.image_ops, operations.other_ops,
           operations.random_ops, operations.sparse_ops, operations.inner_ops, operations.custom_ops, _grad_ops, _inner_ops, gen_ops_prim)  # fmt: skip


def outcome(make):
    """(letter, text): "" where nothing is raised."""
    try:
        make()
    except TypeError as e:
        return "T", str(e)
    except ValueError as e:
        return "V", str(e)
    except Exception as e:
        return "?", str(e)
    return "", ""


def base_of(cls, needed):
    """Values of the settings that have no default with which the Primitive can be made; None where none was found."""
    few = itertools.product(NEEDED, repeat=len(needed)) if len(needed) < 5 else ()
    for values in itertools.chain(few, itertools.product(MANY, repeat=len(needed)) if len(needed) > 3 else ()):
        found = dict(zip(needed, values))
        if outcome(lambda: cls(**found))[0] == "":
            return found
    same = [v for v in NEEDED if outcome(lambda: cls(**dict.fromkeys(needed, v)))[0] == ""]
    return dict.fromkeys(needed, same[0]) if same else None


def words_of(cls, base, name):
    """The strings that a setting takes, as far as the message that refuses another one names them."""
    letter, text = outcome(lambda: cls(**{**base, name: "neither"}))
    if letter != "V" or re.search(DEVICE, text):
        return []
    named = re.findall(r"\[[^\]]*\]|\{[^}]*\}|\([^)]*\)", text.split("must be", 1)[-1].split("but got")[0])
    words = re.findall(r"['\"]([\w-]+)['\"]", named[0]) if named else []
    words = dict.fromkeys(form for w in words for form in (w, w.lower(), w.upper(), w.capitalize()))
    return [w for w in words if outcome(lambda: cls(**{**base, name: w}))[0] == ""]


def format_row(cls, base, name):
    """The row of a format: the letters by kind, and the formats that some device takes; None where any text is taken."""
    found = {word: outcome(lambda: cls(**{**base, name: word})) for word in (*FORMATS, *map(str.lower, FORMATS))}
    words = [w for w, (letter, text) in found.items() if letter != "V" or re.search(DEVICE, text)]
    if outcome(lambda: cls(**{**base, name: "neither"}))[0] != "V" or not words:
        return None
    letters = {kind: letter_of(cls, [base], name, values) for kind, values in kinds.PROBES.items()}
    return ["".join({**letters, "str": "V"}.values()), *words]


def letter_of(cls, bases, name, values):
    """Either "T" or "V" where every value is refused with any of the other settings, else "."."""
    letters = {outcome(lambda v=v, b=b: cls(**{**b, name: v}))[0] for b in bases for v in values}
    return letters.pop() if len(letters) == 1 and letters <= {"T", "V"} else "."


def allowed_somewhere(cls, base, name, values, words):
    """Whether some choice of the other settings, any two of them changed, makes the Primitive take one of the values."""
    pools = {k: [w for w in words[k] if w == w.lower()] or MIXED for k in words if k != name}
    for first, second in itertools.combinations(pools, 2):
        for one, two, value in itertools.product(pools[first], pools[second], values):
            if outcome(lambda: cls(**{**base, first: one, second: two, name: value}))[0] == "":
                return True
    return False


def refused(cls, base, name, words):
    """The row of one setting: letters by kind, and the words that a str may be."""
    others = [{**base, k: w} for k, options in words.items() if k != name for w in options or (True, False)]
    bases = [base, *(b for b in others if outcome(lambda: cls(**b))[0] == "")]
    letters = {kind: letter_of(cls, bases, name, values) for kind, values in kinds.PROBES.items()}
    for kind, letter in letters.items():
        if letter == "V" and kind != "str" and allowed_somewhere(cls, base, name, kinds.PROBES[kind], words):
            letters[kind] = "."
    if letters["str"] == "V" and not words.get(name):
        letters["str"] = "."
    row = "".join(letters.values())
    return row if letters["str"] != "V" else [row, *words[name]]


def main(path, formats_only=False):
    warnings.simplefilter("ignore")
    named, unmade = json.loads(pathlib.Path(path).read_text()), []
    before = json.loads(kinds.TABLE.read_text())
    table = {k: row for k, row in before.items() if k not in named}
    for primitive, settings in sorted(named.items()):
        cls = next((vars(m)[primitive] for m in MODULES if primitive in vars(m)), None)
        if not settings or not isinstance(cls, type):
            continue
        parameters = inspect.signature(cls.__init__).parameters
        parameters = (
            inspect.signature(getattr(cls.__init__, "__wrapped__", cls.__init__)).parameters
            if "self" not in parameters
            else parameters
        )
        ours = [s for s in settings if s in parameters]
        base = base_of(
            cls,
            [n for n, p in list(parameters.items())[1:] if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD],
        )
        if base is None:
            unmade.append(primitive)
            continue
        if formats_only:
            rows = before.get(primitive, {})
        else:
            words = {name: words_of(cls, base, name) for name in parameters if name != "self"}
            rows = {name: refused(cls, base, name, words) for name in ours if not name.endswith("format")}
            rows = {name: row for name, row in rows.items() if set(row) != {"."}}
        formats = {name: format_row(cls, base, name) for name in ours if name.endswith("format")}
        rows = {**rows, **{name: row for name, row in formats.items() if row}}
        if rows:
            table[primitive] = rows
    print(len(table), "Primitives;", "not made:", " ".join(unmade))
    lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v, sort_keys=True)}" for k, v in sorted(table.items()))
    kinds.TABLE.write_text("{\n" + lines + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], "--formats" in sys.argv)
