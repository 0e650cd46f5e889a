"""Record which types of Tensors MindSpore's operators refuse: msjax/core/operators/operand_types.json.

    python tests/goldens/record_operand_types.py --mindspore-python PYTHON      with the Python that has msjax

MindSpore is asked the cases of `tests/fuzz/dtypes.py` (50,000 calls, some minutes). A type counts as refused where MindSpore raises
TypeError before it looks for a kernel, in every spelling of the operator, and with no other types beside it. bfloat16 counts as taken where
float16 is, and float64 where float32 is: what MindSpore leaves to Ascend's kernels is computed here (a row of the deviations).
"""

import argparse
import collections
import copy
import inspect
import itertools
import json
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS / "fuzz"), str(TESTS), str(TESTS.parent)]
import msjax  # noqa: E402

msjax.install()
import dtypes  # noqa: E402
import wrong  # noqa: E402
from golden_cases import NAMESPACE  # noqa: E402
from sides import Side  # noqa: E402

from msjax.core.operators import operand_types, record  # noqa: E402

BATCH = 50  # calls a message
SHAPES = ([2], [2, 2], [2, 3, 4, 5, 6])  # of a Tensor that fits no call
NO_KERNEL = ("ernel", "unregistered", "CPU", "Unsupported op", "not support", "not implemented", "Unimplemented")
NAMED = re.compile(r"must be a type of \{([^}]*)\}")
FUNCTIONS = {"ops": record.functions, "mint": record.mint_functions, "mnp": record.numpy_functions}


def parameters(expression):
    """(record, names of its parameters by the place of a call's argument, by its keyword); None for what is no operator's spelling."""
    head, made, _ = expression.partition("(")
    package, _, name = head.partition(".")
    try:
        eval(head, dict(NAMESPACE))
    except Exception:  # it is asked for its registration alone
        return None
    if package == "F":
        package, name = "mint", f"nn.functional.{name}"
    if package in ("ops", "G", "A") and made:
        table = record.primitives
    else:
        table = record.tensor_methods if package == "Tensor" else FUNCTIONS.get(package, {})
    if name not in table:
        return None
    operator, row = table[name]
    own = operator.signature()
    given = row.inputs(own) if made else row._parameters(own)
    names = [None if p.kind is inspect.Parameter.VAR_POSITIONAL else row.to.get(p.name, p.name) for p in given]
    return (
        operator,
        [own[0].name, *names] if row.is_method else names,
        {p.name: row.to.get(p.name, p.name) for p in given},
    )


def operands(case, names, keywords):
    """[(parameter, dtype)] of the Tensors of a call."""
    found = [
        (names[place] if place < len(names) else None, spec)
        for place, argument in enumerate(case["args"])
        for spec in dtypes.specs(argument)
    ]
    found += [
        (keywords.get(key), spec) for key, argument in case["keywords"].items() for spec in dtypes.specs(argument)
    ]
    return [(name, dtypes.dtype_of(spec)) for name, spec in found]


def verdict(answer):
    """Either "takes" (a result, or no kernel for what was let through), "refuses", or "fails" for another exception."""
    if answer[0] != "!":
        return "takes"
    text = answer[2] if len(answer) > 2 else ""
    of_inference = answer[1] == "TypeError" and "For primitive[" in text and "must be" in text
    if any(word in text for word in NO_KERNEL) and not (of_inference and "CPU" not in text and "ernel" not in text):
        return "takes"
    return "refuses" if answer[1] == "TypeError" else "fails"


class Found:
    """What is known of one record: types taken and refused by parameter, and in each spelling which parameters go together."""

    def __init__(self):
        self.takes, self.refuses = collections.defaultdict(set), collections.defaultdict(set)
        self.together = []

    def note(self, rows):
        """rows: [(operands of a call, MindSpore's answer)] of one spelling, the call as it is first."""
        base = rows[0][0]
        alone, grouped = collections.defaultdict(dict), collections.defaultdict(dict)
        for found, answer in rows[1:]:
            changed = [i for i, (one, other) in enumerate(zip(base, found)) if one != other]
            if changed:
                dtype = found[changed[0]][1]
                for i in changed:
                    (alone if len(changed) == 1 else grouped)[i][dtype] = (verdict(answer), answer)
        joined = set()
        for i, (name, dtype) in enumerate(base):
            one, many = alone[i], grouped[i]
            takes, refuses = ({d for d, (v, _) in one.items() if (v == "refuses") is no} for no in (False, True))
            takes_many = {d for d, (v, _) in many.items() if v != "refuses"}
            self.takes[name] |= takes | takes_many | {dtype}
            self.refuses[name] |= refuses - takes_many
            if not many:
                named = [NAMED.search(a[2]) for d, (v, a) in one.items() if v == "refuses"]
                self.refuses[name] |= _not_named([m.group(1) for m in named if m]) - set(one)
            if takes_many - {dtype} and not takes & takes_many and refuses & takes_many:
                joined.add(name)
        if len(base) > 1:
            self.together.append(joined)

    def row(self):
        """The row of the table; empty where nothing is refused."""
        made = {}
        for name, refused in self.refuses.items():
            refused = refused - self.takes[name]
            if "float16" in self.takes[name]:
                refused -= {"bfloat16"}
            if "float32" in self.takes[name]:
                refused -= {"float64"}
            if refused:
                made[name] = " ".join(d for d in dtypes.DTYPES if d not in refused)
        same = set.intersection(*self.together) if self.together else set()
        alike = [
            list(g)
            for _, g in itertools.groupby(sorted(same, key=lambda n: (made.get(n, ""), n)), lambda n: made.get(n, ""))
        ]
        longest = max(alike, key=len, default=[])
        if len(longest) > 1:
            made[operand_types.SAME] = " ".join(longest)
        return made


def _not_named(lists):
    """The types that none of the texts `{Tensor[Float32], ...}` names; none without a text."""
    named = {
        word.strip().removeprefix("Tensor[").removesuffix("]").lower() for text in lists for word in text.split(",")
    }
    return set(dtypes.DTYPES) - named if named else set()


def pairs(case, names, keywords, row):
    """(parameters, dtype, call) where two of three or more operands have a type that the row refuses to each of them."""
    found = operands(case, names, keywords)
    for i, j in itertools.combinations(range(len(found)), 2) if len(found) > 2 else ():
        (one, dtype), (other, also) = found[i], found[j]
        if dtype == also and one in row and other in row:
            for new in dtypes.DTYPES:
                if new not in row[one].split() + row[other].split():
                    changed = copy.deepcopy(case)
                    specs = list(dtypes.specs([changed["args"], changed["keywords"]]))
                    dtypes.turn(specs[i], new)
                    dtypes.turn(specs[j], new)
                    yield (one, other), new, changed


def allow_pairs(mindspore, case, names, keywords, row):
    """Add to a row the types that two operands may have together, though neither may have them alone."""
    asked = list(pairs(case, names, keywords, row))
    answers = mindspore.ask_all([call for _, _, call in asked]) if asked else []
    for (both, dtype, _), answer in zip(asked, answers):
        if answer[0] != "!":
            for name in both:
                row[name] = " ".join(d for d in dtypes.DTYPES if d == dtype or d in row[name].split())
            row.setdefault(operand_types.SAME, " ".join(both))


def misfits(case, names, keywords, row):
    """Calls that are wrong twice: a type that the row refuses, and a Tensor of another number of axes or other lengths."""
    for i, (name, _) in enumerate(operands(case, names, keywords)):
        refused = [d for d in dtypes.DTYPES if name in row and d not in row[name].split()]
        for dtype, shape in itertools.product(refused[:1], SHAPES):
            for j in range(len(list(dtypes.specs([case["args"], case["keywords"]])))):
                wrong_twice = copy.deepcopy(case)
                found = list(dtypes.specs([wrong_twice["args"], wrong_twice["keywords"]]))
                found[j][:4] = ["ints", shape, dtypes.dtype_of(found[j]), [0, 3]]
                dtypes.turn(found[i], dtype)
                yield wrong_twice


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mindspore-python", required=True, help="a Python in which MindSpore 2.10 is installed")
    table, spellings = collections.defaultdict(Found), collections.defaultdict(list)
    with Side(parser.parse_args().mindspore_python, "dtypes") as mindspore:
        for expression, args, keywords in wrong.first_of_each():
            known = parameters(expression)
            if known is None:
                continue
            cases = list(dtypes.variants(expression, args, keywords))
            answers = [a for i in range(0, len(cases), BATCH) for a in mindspore.ask_all(cases[i : i + BATCH])]
            rows = [(operands(case, *known[1:]), answer) for case, answer in zip(cases, answers)]
            if verdict(answers[0]) == "takes" and all(name is not None for name, _ in rows[0][0]):
                table[known[0].name].note(rows)
                spellings[known[0].name].append((cases[0], *known[1:]))
        made = {name: row for name, found in sorted(table.items()) if (row := found.row())}
        for name, row in made.items():
            for spelling in spellings[name]:
                allow_pairs(mindspore, *spelling, row)
            twice = [call for spelling in spellings[name] for call in misfits(*spelling, row)]
            kinds = {answer[1] for answer in mindspore.ask_all(twice) if answer[0] == "!"} if twice else set()
            if "ValueError" in kinds and "TypeError" not in kinds:
                row[operand_types.FIRST] = "shapes"
    lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in made.items()]
    operand_types.TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(len(lines), "operators refuse types")


if __name__ == "__main__":
    main()
