"""Writes the calls of the golden cases as Python modules, for type checkers: a call that MindSpore takes must be no error.

    python tests/goldens/typed_calls.py FOLDER && pyright FOLDER

`.ci/types` runs both.
"""

import importlib
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))

import msjax  # noqa: E402

msjax.install()

import golden_cases  # noqa: E402

HEAD = """import numpy as np
import mindspore as ms
import mindspore.mint.nn.functional as F
import mindspore.numpy as mnp
import mindspore.ops.auto_generate as A
import mindspore.ops.operations._grad_ops as G
import mindspore.scipy as msp
from mindspore import Parameter, Tensor, mint, nn, ops
from typing import Any
def tensor() -> Tensor: ...
def parameter() -> Parameter: ...
def any_value() -> Any: ...
T, P, V = tensor(), parameter(), any_value()
"""
MODULES = [f"cases_ops.{path.stem}" for path in sorted((TESTS / "cases_ops").glob("*.py"))]
MODULES += [
    "cases_layers",
    "cases_layers_mint",
    "cases_layers_old",
    "cases_layers_wrappers",
    "cases_names",
    "cases_numpy",
]
# What a type cannot say, or what no program writes: the word is part of the call.
LEFT_OUT = {
    "in_dict": "works on plain values, while its siblings take numbers",
    "ConcatOffset": "an inner operator that takes a tuple of Tensors",
    "Broadcast": "a Primitive that takes a tuple of Tensors",
    "MoeFinalizeRouting": "an inner operator whose bias is a Tensor",
    "F.tanh": "is served where it is asked for, and is in no list",
    "COOTensor": "the operators of Tensors and sparse Tensors",
    "(*ops.qr(": "pyright takes the first parameter of a lambda for the tuple that is unpacked into its parameters",
}


def text(value):
    """A value of a case as a checker reads it: Tensors and Parameters by a name of their type."""
    if isinstance(value, golden_cases.Spec):
        return "P" if value.parameter else "T"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + "".join(f"{text(item)}, " for item in value) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(text, value)) + "]"
    plain = isinstance(value, (bool, int, float, complex, str)) or value is None
    return repr(value) if plain and repr(value) not in ("nan", "inf", "-inf") else "V"


def call(case):
    """The source of a case's call."""
    given = [text(value) for value in case.args]
    expression = case.expression
    if expression.startswith("Tensor."):
        expression, given = f"{given[0]}.{expression.removeprefix('Tensor.')}", given[1:]
    if expression.startswith("lambda"):
        expression = f"({expression})"
    return f"_ = {expression}({', '.join([*given, *(f'{k}={text(v)}' for k, v in case.keywords.items())])})\n"


def written(case):
    """Whether a checker can be asked: the case is an expression, and MindSpore computes it."""
    return (
        isinstance(case.expression, str)
        and "raises" not in case.options
        and not any(word in case.expression for word in LEFT_OUT)
    )


def main(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for name in MODULES:
        calls = [call(case) for case in golden_cases.table_of(importlib.import_module(name)) if written(case)]
        count += len(calls)
        (folder / f"calls_{name.replace('.', '_')}.py").write_text(HEAD + "".join(calls))
    print(f"{count} calls in {folder}")


if __name__ == "__main__":
    main(sys.argv[1])
