"""Lowering of a JAX program apart from a call: for a picture, a plan, a graph file, a count, or a device that is not there."""

from collections.abc import Sequence
from typing import Any

from .host import Wide


def lowered(program: Any, *given: Any, platforms: Sequence[str] = ()):
    """The `jax.stages.Lowered` of a program for such inputs, with JAX's types of 64 bits, as every call of msjax has them.

    A program is traced when it is lowered. In a host process, whose JAX has 32-bit types, the trace would differ from the program that
    runs. So no other function of msjax lowers a program without calling it (`tests/core/test_lowering.py` checks that).

    Args:
        program: what `jax.jit` gave, or what starts a program on several devices.
        given: its inputs, or their shapes.
        platforms: names of JAX's platforms to lower for; by default the one that is there.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from msjax.core.lowered import lowered
        >>> "stablehlo.add" in lowered(jax.jit(lambda x: x + x), jnp.ones(2)).as_text()
        True
    """
    with Wide():
        if not platforms:
            return program.lower(*given)
        return program.trace(*given).lower(lowering_platforms=tuple(platforms))
