"""`python -m msjax new-op NAME`: writes the skeleton of an operator and its test case, and prints the next steps of
CONTRIBUTING.md.
"""

import argparse
import keyword
import pathlib
import re

from msjax.core.operators import record as registry

from .source_tree import ROOT, need

_MODULE = '''"""{title}: in one sentence, what these operators do."""

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.spec import Array


@op(prim="{primitive}", tensor="{name}")
def {name}(input: Array):
    """What it gives, in one sentence; where the formula comes from.

    Args:
        input: Tensor of real numbers, any shape.

    Returns:
        Tensor of the same shape and dtype.

    Raises:
        TypeError: `input` is not a Tensor of real numbers.

    Example:
        >>> ops.{name}(ops.ones((2, 3))).shape
        (2, 3)
    """
    return jnp.sign(input) * jnp.sqrt(jnp.abs(input))
'''
_STEPS = """\
wrote {module}
wrote {cases}: the line of its case

1. Write the function: it sees arrays, not Tensors, and is pure. Its record gives ops.{name}, ops.{primitive} and Tensor.{name};
   other parameter names and defaults of a face stand in the decorator.
2. Name its module under {family} in _FAMILIES of msjax/ops/__init__.py.
3. Ask MindSpore for what is right: python tests/goldens/record_cases.py {table}   (a Python that has MindSpore 2.10)
4. python -m pytest -q tests/ops -k {name}
5. python tools/renew.py   (the stubs, the matrix and every other generated file)
"""


def main(argv: list[str] | None):
    """Write the skeleton; the exit code is 2 if the name is taken or is not a valid name."""
    parser = argparse.ArgumentParser(prog="msjax new-op", description=__doc__)
    parser.add_argument("name", help="the function's name, such as signed_root")
    parser.add_argument("--family", default="elementwise", help="folder of msjax/ops (elementwise)")
    parser.add_argument("--root", default=str(ROOT), help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    name, root = given.name, pathlib.Path(given.root)
    need(parser, root)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        parser.error(f"{name!r} is not the name of a function: small letters, digits and _")
    if name in registry.functions:
        parser.error(f"ops.{name} is there already: python -m msjax info ops.{name}")
    folder = root / "msjax" / "ops" / given.family
    if not folder.is_dir():
        families = sorted(p.name for p in folder.parent.iterdir() if (p / "__init__.py").exists())
        parser.error(f"there is no folder {folder}; the families are {', '.join(families)}")
    primitive = "".join(part.capitalize() for part in name.split("_"))
    module = folder / f"{name}.py"
    if module.exists():
        parser.error(f"{module} is there already")
    cases = _table(root, given.family)
    module.write_text(_MODULE.format(title=primitive, name=name, primitive=primitive), encoding="utf-8")
    line = f'C("ops.{name}", arr(2, 3))\n'
    cases.write_text(cases.read_text(encoding="utf-8") + line, encoding="utf-8")
    steps = _STEPS.format(
        module=module.relative_to(root),
        cases=cases.relative_to(root),
        name=name,
        primitive=primitive,
        family=given.family,
        table=cases.stem,
    )
    print(steps, end="")
    return 0


def _table(root, family):
    """The case table of a family: the one with its name, else the one that names most of its operators."""
    folder = root / "tests" / "cases_ops"
    if (folder / f"{family}.py").exists():
        return folder / f"{family}.py"
    module = f"msjax.ops.{family}"
    own = {
        name for name, (record, _) in registry.functions.items() if f"{record.fn.__module__}.".startswith(f"{module}.")
    }

    def named(path):
        return len(own.intersection(re.findall(r"\w+", path.read_text(encoding="utf-8"))))

    return max(sorted(folder.glob("*.py")), key=named)
