"""Record which kinds of arguments MindSpore's operators refuse: msjax/core/operators/argument_kinds.json, and a sample of the calls (fuzz_kinds.jsonl).

    python tests/goldens/record_argument_kinds.py --mindspore-python PYTHON [--answers FILE]      with the Python that has msjax

MindSpore is asked the cases of `tests/fuzz/kinds.py` that tell something of a kind (40,000 calls). A kind counts as refused where MindSpore
raises TypeError for such a value in every spelling of the operator. What a default is, and what the annotation of the parameter names, is
not refused: one call does not tell what others take (`axis=(0, 1)` of a vector). NumPy
arrays are taken for Tensors: functions that are called with arrays by other packages (`msjax.functional`) hand them on (a row of the
deviations). Which Tensors are refused is another table. Calls that fail for want of a kernel, or with another exception, say nothing.
`--answers` keeps what MindSpore said, and goes on with it.
"""

import argparse
import collections
import collections.abc
import json
import pathlib
import types as types_of_python
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import jax
import record_operand_types as types
from record_operand_types import Side

from msjax import Tensor
from msjax.core.operators import argument_kinds
from msjax.core.spec.kinds import ArrayLike, plain_types

import golden_files  # isort: skip
import kinds  # isort: skip
import wrong  # isort: skip
from drive import same  # isort: skip
from golden_cases import Spec  # isort: skip
from operators import decode  # isort: skip

BATCH = 400  # calls a message
NUMBER_FIRST = {("pad", "padding")}  # how many items there are is told before what they are
# asked with a complex Tensor alone, as the axis is None in all calls; of a whole number it is taken
WHOLE_TENSORS = {("numpy.argmax", "axis"), ("numpy.argmin", "axis")}
# MindSpore asks the shapes of its operands on the CPU alone; elsewhere it takes numbers and lists, as numpy.add does
CPU_ALONE = {"numpy.multiply": {"text", "None", "dict"}}


def kind_of(argument):
    """The kind of an argument of a case."""
    made = decode(argument)

    def plain(value):
        if isinstance(value, (tuple, list)):
            return type(value)(map(plain, value))
        return Tensor(0) if isinstance(value, Spec) else value

    return argument_kinds.kind_of(plain(made))


def answers_of(side, cases, kept, file):
    """MindSpore's answers, of those that are kept or asked now."""
    new = [c for c in cases if json.dumps(c) not in kept]
    for i in range(0, len(new), BATCH):
        for case, answer in zip(new[i : i + BATCH], side.ask_all(new[i : i + BATCH])):
            kept[json.dumps(case)] = answer
            if file:
                file.write(json.dumps([json.dumps(case), answer], default=str) + "\n")
    return [kept[json.dumps(c)] for c in cases]


def telling(cases):
    """Of the variants of a call one for each kind of each argument, the call as it is first."""
    base, chosen = places(cases[0]), {}
    for case in cases[1:]:
        for (container, key, argument), (_, _, before) in zip(places(case), base):
            kind = None if argument == before else kind_of(argument)
            if kind is not None and kind != kind_of(before):
                chosen[container, key, kind] = case  # the last is the most like the right one
    return [cases[0], *chosen.values()]


def named(annotation):
    """The kinds that an annotation names; a number's type names what Python counts to it."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if annotation is Any:
        return set(argument_kinds.LETTERS)
    if annotation is ArrayLike:  # what is like an array is told by MindSpore, function by function
        return set()
    if origin is Annotated:
        return named(parts[0])
    if origin in (Union, types_of_python.UnionType):
        return set().union(*map(named, parts))
    if origin is Literal:
        return {argument_kinds.kind_of(value) for value in parts}
    if annotation in (tuple, list) or origin in (tuple, list, collections.abc.Sequence):
        containers = ("tuple", "list") if origin is collections.abc.Sequence else ((origin or annotation).__name__,)
        items = [item for item in parts if item is not Ellipsis] or [Any]
        kinds_of_items = set().union(*(named(item) | ({"Tensor"} if item is jax.Array else set()) for item in items))
        return {f"{c} of {k}{'' if k == 'Any' else 's'}" for c in containers for k in kinds_of_items}
    return _OF_TYPES.get(annotation, set())


_OF_TYPES = {
    bool: {"bool"},
    int: {"int"},
    float: {"int", "float"},
    complex: {"bool", "int", "float", "complex"},
    str: {"text"},
    dict: {"dict"},
    type(None): {"None"},
}


class Found:
    """What is known of one record: (parameter, kind) taken and refused."""

    def __init__(self):
        self.takes, self.refuses = collections.defaultdict(set), collections.defaultdict(set)

    def note(self, cases, answers, names, keywords):
        """One spelling: the call as it is first."""
        if types.verdict(answers[0]) != "takes":
            return
        for container, key, argument in places(cases[0]):
            name = parameter(container, key, names, keywords)
            self.takes[name].add(kind_of(argument))
        for case, answer in zip(cases[1:], answers[1:]):
            for (container, key, argument), (_, _, before) in zip(places(case), places(cases[0])):
                if argument != before:
                    self._take(parameter(container, key, names, keywords), kind_of(argument), types.verdict(answer))

    def _take(self, name, kind, verdict):
        if name is not None and kind is not None:
            if verdict == "refuses":
                self.refuses[name].add(kind)
            elif verdict == "takes":
                self.takes[name].add(kind)

    def row(self, operator):
        """The row of the table; empty where nothing is refused."""
        defaults = collections.defaultdict(set)
        own = operator.signature()
        for p in own:
            defaults[p.name].add(argument_kinds.kind_of(p.default))
        for row in operator.rows:
            for target, value in row.fixed.items():
                defaults[target].add(argument_kinds.kind_of(value))
            for p in row._parameters(own):
                defaults[row.to.get(p.name, p.name)].add(argument_kinds.kind_of(p.default))
        made = {}
        for p in own:
            refused = self.refuses[p.name] - self.takes[p.name] - defaults[p.name] - {"numpy"} - named(p.annotation)
            whole = (operator.name, p.name) in WHOLE_TENSORS
            if whole or not operator.name.startswith("numpy.") or jax.Array in plain_types(p.annotation):
                refused -= {"Tensor"}
            if (operator.name, p.name) in NUMBER_FIRST:
                refused = {kind for kind in refused if " of " not in kind}
            if jax.Array not in plain_types(p.annotation):  # in compiled code a number of the program is a Tensor
                refused -= {"tuple of Tensors", "list of Tensors"}
            refused &= CPU_ALONE.get(operator.name, refused)
            if refused and p.kind is not p.VAR_POSITIONAL:
                made[p.name] = "".join(letter for kind, letter in argument_kinds.LETTERS.items() if kind in refused)
        return made


def places(case):
    """[("args" or "keywords", place or name, argument)] of a call."""
    found = [("args", i, a) for i, a in enumerate(case["args"])]
    return found + [("keywords", k, a) for k, a in case["keywords"].items()]


def parameter(container, key, names, keywords):
    """The record's parameter for an argument."""
    if container == "keywords":
        return keywords.get(key)
    return names[key] if key < len(names) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mindspore-python", required=True, help="a Python in which MindSpore 2.10 is installed")
    parser.add_argument("--answers", help="file that keeps MindSpore's answers")
    options = parser.parse_args()
    kept, file, table_as_it_is = {}, None, argument_kinds._table
    argument_kinds._table = dict  # of the table that is to be renewed nothing is asked
    if options.answers:
        if pathlib.Path(options.answers).exists():
            kept = dict(map(json.loads, open(options.answers)))
        file = open(options.answers, "a")
    table, operators, asked = collections.defaultdict(Found), {}, []
    with Side(options.mindspore_python, "kinds") as mindspore:
        for expression, args, keywords in (*wrong.first_of_each(), *kinds.of_numpy()):
            known = types.parameters(expression)
            if known is None:
                continue
            cases = telling(list(kinds.variants(expression, args, keywords)))
            operators[known[0].name] = known[0]
            answers = answers_of(mindspore, cases, kept, file)
            table[known[0].name].note(cases, answers, *known[1:])
            asked.append((known[0], cases, answers, *known[1:]))
    lines = [
        f"{json.dumps(name)}: {json.dumps(row)}"
        for name, found in sorted(table.items())
        if (row := found.row(operators[name]))
    ]
    argument_kinds.TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(len(lines), "operators refuse kinds of arguments")
    argument_kinds._table = table_as_it_is
    argument_kinds._table.cache_clear()
    for operator in operators.values():
        operator.kinds = argument_kinds.kinds_of(operator.name, operator.names)
    record_sample(asked)


def record_sample(asked):
    """`fuzz_kinds.jsonl`: a refused call for each parameter of each operator, where msjax agrees. asked: [(record, cases, answers, names, keywords)]."""
    sample, seen = {}, set()
    for operator, cases, answers, names, keywords in asked:
        for case, answer in zip(cases[1:], answers[1:]):
            if types.verdict(answer) != "refuses":
                continue
            for (container, key, argument), (_, _, before) in zip(places(case), places(cases[0])):
                name, kind = parameter(container, key, names, keywords), argument_kinds.LETTERS.get(kind_of(argument))
                row = argument_kinds._table().get(operator.name, {}).get(name, "")
                if argument == before or kind is None or kind not in row or (operator.name, name) in seen:
                    continue
                if kinds.judge(case, answer, kinds.run(case), same) in kinds.ALLOWED:
                    seen.add((operator.name, name))
                    sample[json.dumps(case)] = [*answer[:2], answer[2].split("\n")[0][:120]]
    golden_files.write("fuzz_kinds", sample)
    print(len(sample), "calls recorded")


if __name__ == "__main__":
    main()
