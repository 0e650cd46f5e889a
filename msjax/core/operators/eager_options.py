"""Compiler options for programs of single operators, for fast compilation, as far as the installed XLA has them."""

import functools

from ..compat import known_options

_WHOLE = {"xla_cpu_parallel_codegen_split_count": 1}
_CHEAP = {"xla_cpu_use_fusion_emitters": False, **_WHOLE}


@functools.cache
def whole():
    """XLA's options for programs whose run time matters."""
    return known_options(_WHOLE)


@functools.cache
def cheap():
    """XLA's options for calls of libraries and for very short programs, which must compile quickly."""
    return known_options(_CHEAP)


def emitters_are_off():
    """Whether, under the `cheap` options, products and their neighbouring operations are separate programs, as before
    jaxlib 0.12.
    """
    return "xla_cpu_use_fusion_emitters" in (cheap() or ())
