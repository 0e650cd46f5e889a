"""The options of `@ms.jit`: which there are, and which values they take.

Only `fullgraph` and `input_signature` change what happens. The others steer MindSpore's own compiler; their values are checked as there, and an
option that nobody knows is said, not refused.
"""

from typing import Any, Literal, TypedDict

from ... import log
from ..operators.check import INC_BOTH, check_bool, check_int_range, check_string


class Options(TypedDict, total=False):
    """The options of `jit`, for editors."""

    capture_mode: Literal["ast", "bytecode", "trace"]
    jit_level: Literal["O0", "O1"]
    dynamic: Literal[0, 1]
    fullgraph: bool
    backend: str
    disable_format_transform: bool
    exec_order: Literal["bfs", "dfs"]
    infer_boost: Literal["on", "off"]
    ge_options: dict
    auto_offload: Literal["weight", "activation", "all"]
    fn: Any
    obj: Any
    mode: str | None
    input_signature: Any
    hash_args: Any
    jit_config: Any
    compile_once: bool


_CHECKS = {
    "capture_mode": lambda value: check_string(value, ["ast", "bytecode", "trace"], "capture_mode", "jit"),
    "jit_level": lambda value: check_string(value, ["O0", "O1"], "jit_level", "jit"),
    "dynamic": lambda value: check_int_range(value, 0, 1, INC_BOTH, "dynamic", "jit"),
    "fullgraph": lambda value: check_bool(value, "fullgraph", "jit"),
    "disable_format_transform": lambda value: _of_type("disable_format_transform", value, bool),
    "exec_order": lambda value: _one_of("exec_order", value, ("bfs", "dfs")),
    "infer_boost": lambda value: _one_of("infer_boost", value, ("on", "off")),
    "ge_options": lambda value: _ge_options(value),
    "auto_offload": lambda value: _one_of("auto_offload", value, ("weight", "activation", "all")),
}
# Taken without a check: the first argument by its name, and the options of MindSpore before 2.6.
_OTHERS = frozenset(("fn", "obj", "backend", "mode", "input_signature", "hash_args", "jit_config", "compile_once"))


def _of_type(name, value, kind):
    if not isinstance(value, kind):
        raise TypeError(f"For 'jit(options)', the type of '{name}' must be {kind.__name__}, but got {type(value)}.")


def _one_of(name, value, allowed):
    _of_type(name, value, str)
    if value not in allowed:
        raise ValueError(f"For '{name}', the value of '{name}' must be one of {list(allowed)}, but got '{value}'.")


def _ge_options(value):
    _of_type("ge_options", value, dict)
    for level, options in value.items():
        if level not in ("global", "session"):
            raise ValueError(
                f"For 'ge_options', the key of 'ge_options' must be one of ['global', 'session'], but got '{level}'."
            )
        _of_type(f"ge_options['{level}']", options, dict)
        for text in (*options, *options.values()):
            _of_type(f"ge_options['{level}']'s keys and values", text, str)


def check(options: dict[str, Any]):
    """Refuse values that MindSpore refuses.

    Raises:
        TypeError, ValueError: an option of a wrong type or value.
    """
    for name, value in options.items():
        if name in _CHECKS:
            _CHECKS[name](value)
        elif name not in _OTHERS:
            log.warning(f"For 'jit', the option '{name}' is not known, and changes nothing.")
