"""The protocol of objects that are compiled with their state. Cells implement it; the engine knows nothing else of
Cells.
"""

import typing
from typing import Any


class Traceable(typing.Protocol):
    """A callable with state of its own (Parameters, other Traceables, flags) whose call is compiled in GRAPH_MODE."""

    _is_traceable: typing.ClassVar[bool]  # True: how `is_traceable` knows it
    construct: typing.Callable  # the user's computation
    _declared: Any  # the inputs that `set_inputs` declared (`trace.declared`); missing where it was not called

    def _compile_state(self) -> tuple:
        """The facts that a compiled function depends on, besides attributes and values of Parameters: version, flags."""

    def _state_parts(self) -> typing.Iterable:
        """The parts that hold state: Parameters, other Traceables, lists and dicts of them, functions."""

    def _keeps_name(self, name: str) -> bool:
        """Whether the attribute is registered state (a Parameter, another Traceable, a buffer), not a plain attribute."""

    def _compiled_form(self):
        """The `Compiled` that holds its compiled variants."""

    def _run_call(self, args: tuple, kwargs: dict, frame):
        """Run `construct`, with its casts and hooks, in a frame (None: eagerly)."""


def is_traceable(value: Any):
    """Whether a value is a Traceable. Only its class is asked, because an object may answer to any attribute name."""
    return getattr(type(value), "_is_traceable", False) is True
