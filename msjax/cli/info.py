"""`python -m msjax info ops.ReduceSum`: parameters, spellings, differences from MindSpore, source and example of a
name.
"""

import argparse
import doctest
import inspect
import json

from ..core.hints import nearest
from ..core.operators.record import Record
from ..core.spec.texts import written
from . import tables
from .inventory import inventory, refusal, resolve, status
from .known_differences import differences
from .matrix import spellings
from .parameters import plain_signature, rows


def _path(name):
    """The full path of a name that may leave out `mindspore.`, or its package where only one has it."""
    path = name if name.startswith("mindspore") else f"mindspore.{name}"
    if resolve(path) is not None or "." in name:
        return path
    homes = [module for module, names in inventory()["modules"].items() if name in names and not names[name][0]]
    return f"{homes[0]}.{name}" if homes else path


def _nearest(module, leaf):
    """The name that reads most like a missing one, in its module or else in any; "" if none is near."""
    modules = inventory()["modules"]
    near = nearest(leaf, modules.get(module, ()))
    if not near:
        near = nearest(leaf, {name for names in modules.values() for name in names})
        module = min((home for home, names in modules.items() if near in names), key=len, default="")
    return f"{module}.{near}" if near and near != leaf else ""


def describe(name: str):
    """All facts about a MindSpore name, as a dict.

    Keys: path, status ("supported", "partial", "refused", "missing"), reason, signature, parameters ((name, what it may be,
    default)), documented (MindSpore's parameters),
    faces (other spellings), differences, source ("file:line"), text, example.

    Example:
        >>> from msjax.cli.info import describe
        >>> describe("ops.ReduceSum")["faces"][0]
        'ops.reduce_sum'
    """
    path = _path(name)
    module, _, leaf = path.rpartition(".")
    row = inventory()["modules"].get(module, {}).get(leaf, [None, "", []])
    state, reason = status(path, row[1])
    found = resolve(path)
    short = path.removeprefix("mindspore.")
    told = {"path": path, "status": state, "reason": reason, "documented": row[1], "faces": spellings().get(short, [])}
    told["differences"] = differences(leaf)
    if found is None:
        near = _nearest(module, leaf)
        return {**told, "reason": f"the nearest name is {near}" if near else reason}
    value = found[0]
    if refusal(value):
        told |= {"status": "refused", "reason": refusal(value)}
    record = getattr(value, "_record", None)
    home = inspect.unwrap(record.fn) if isinstance(record, Record) else value
    told["signature"], told["parameters"] = plain_signature(value), rows(value)
    try:
        told["source"] = f"{inspect.getsourcefile(home)}:{inspect.getsourcelines(home)[1]}"
    except (TypeError, OSError):
        told["source"] = ""
    text = written(value)
    told["text"] = text
    told["example"] = "".join(f">>> {e.source}{e.want}" for e in doctest.DocTestParser().get_examples(text))
    return told


def main(argv: list[str] | None):
    """Print the facts about a name; the exit code is 1 for a name that is missing or refused."""
    parser = argparse.ArgumentParser(prog="msjax info", description=__doc__)
    parser.add_argument("name", help="ops.ReduceSum, nn.Dense, mindspore.Tensor.abs, ReduceSum")
    parser.add_argument("--json", action="store_true", help="as JSON")
    given = parser.parse_args(argv)
    from msjax import install

    install()
    told = describe(given.name)
    if given.json:
        print(json.dumps(told, indent=1))
    else:
        colour = {"supported": "green", "partial": "yellow"}.get(told["status"], "red")
        tables.say(f"{told['path']}{told.get('signature', '')}", "bold")
        tables.say(f"{told['status']}{': ' + told['reason'] if told['reason'] else ''}", colour)
        for title, key in (
            ("MindSpore's parameters", "documented"),
            ("also spelled", "faces"),
            ("implemented in", "source"),
        ):
            value = told.get(key)
            if value:
                print(f"{title}: {', '.join(value) if isinstance(value, list) else value.replace(' ', ', ')}")
        if any(words for _, words, _ in told.get("parameters", ())):
            tables.show(["parameter", "what it may be", "default"], told["parameters"])
        for line in told["differences"]:
            tables.say(f"differs: {line}", "yellow")
        if told.get("text"):
            print(f"\n{told['text']}")
    return 0 if told["status"] in ("supported", "partial") else 1
