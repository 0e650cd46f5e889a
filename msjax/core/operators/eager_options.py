"""Compiler options of the programs of single operators, as far as the installed XLA knows them: what is compiled fast."""

import functools

from ..compat import known_options

_WHOLE = {"xla_cpu_parallel_codegen_split_count": 1}
_CHEAP = {"xla_cpu_use_fusion_emitters": False, **_WHOLE}


@functools.cache
def whole():
    """Of programs whose run time counts."""
    return known_options(_WHOLE)


@functools.cache
def cheap():
    """Of library calls, and of programs that are over in no time."""
    return known_options(_CHEAP)


def emitters_are_off():
    """Whether products and what is around them are programs of their own under `cheap`, as they were before jaxlib 0.12."""
    return "xla_cpu_use_fusion_emitters" in (cheap() or ())
