"""What attributes an object of a Cell has, for stubs: objects are made, and looked at."""

import contextlib
import functools
import inspect
import io
import warnings
from collections.abc import Callable
from typing import Any

from ..core.values.parameter import Parameter
from ..nn.cell.cell import Cell

_GIVEN = (4, 2, (4,), (2, 2), 0.5)  # for required parameters, all the same: the first with which an object can be made
_PLAIN = (bool, int, float, str)


def attribute_lines(cls: type, base: type | None, text_of: Callable, names: Callable):
    """Lines `name: type` for the Parameters, the Cells and the plain settings that `cls` has beyond its base class.

    text_of: the text of a constructor's annotation. names: the name of a class in the stub, or None.
    """
    found, above = _attributes(cls), _attributes(base) if base is not None else {}
    init = inspect.signature(cls.__init__).parameters
    lines = []
    for name, value in sorted(found.items()):
        if hasattr(cls, name) or name.startswith("_") or type(above.get(name)) is type(value):
            continue
        if isinstance(value, Parameter):
            lines.append(f"{name}: {names(Parameter)}")
        elif isinstance(value, Cell):
            lines.append(f"{name}: {names(Cell)}")
        elif isinstance(value, _PLAIN) and name in init:
            told = text_of(init[name].annotation)
            lines += [f"{name}: {told}"] if told in {kind.__name__ for kind in _PLAIN} else []
    return lines


@functools.cache
def _attributes(cls) -> dict[str, Any]:
    """{name: value} of an object that is made with simple arguments; {} where none can be made."""
    if not issubclass(cls, Cell) or cls is Cell or inspect.isabstract(cls):
        return {}
    own = [
        p for p in list(inspect.signature(cls.__init__).parameters.values())[1:] if p.kind is p.POSITIONAL_OR_KEYWORD
    ]
    required = [p.name for p in own if p.default is p.empty]
    options = {p.name: True for p in own if p.name in ("has_bias", "bias") and p.default is not p.empty}
    for value in _GIVEN if required else (None,):
        with (
            contextlib.suppress(Exception),
            warnings.catch_warnings(action="ignore"),
        ):  # whatever a class says of such arguments
            with contextlib.redirect_stdout(io.StringIO()):
                made = cls(**dict.fromkeys(required, value), **options)
            return {**made._params, **made._cells, **{n: v for n, v in vars(made).items() if isinstance(v, _PLAIN)}}
    return {}
