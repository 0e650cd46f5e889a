"""`msjax.lower(fn, *inputs)`: the StableHLO of a compiled call, for devices that need not be there."""

from collections.abc import Callable, Sequence

import jax

from ..lowered import lowered
from ..settings import context
from .call_structure import split
from .compile import Compiled

__all__ = ["lower"]

_PLATFORMS = {"cpu": "CPU", "cuda": "GPU", "rocm": "GPU", "tpu": "TPU"}


def lower(fn: Callable, *inputs, platforms: Sequence[str] = ("tpu", "cuda"), **kwargs):
    """The program that a call compiles to on other devices, as StableHLO text. Nothing runs, and no such device is needed.

    Operators choose their forms as they would there. A Cell's state (a train step's Parameters and moments, too) is an input of the
    program, and what it writes an output.

    Args:
        fn: Cell, function, or function made by `ms.jit`.
        inputs, kwargs: what it would be called with.
        platforms: one of "cpu", "cuda", "rocm" and "tpu", or several.

    Returns:
        str: one module a platform, each after a line `// platform: tpu`.

    Raises:
        ValueError: an unknown platform.
        RuntimeError: `fn` cannot be compiled as one program.

    Example:
        >>> "dot_general" in msjax.lower(nn.Dense(3, 4), Tensor(np.ones((2, 3), np.float32)), platforms="tpu")
        True
    """
    platforms = (platforms,) if isinstance(platforms, str) else tuple(platforms)
    unknown = [p for p in platforms if p not in _PLATFORMS]
    if unknown or not platforms:
        raise ValueError(f"For 'lower', the 'platforms' must be of {list(_PLATFORMS)}, but got {unknown or platforms}.")
    parts = []
    for platform in platforms:
        with context.computing_for(_PLATFORMS[platform]):
            parts.append(f"// platform: {platform}\n{_lowered(fn, inputs, kwargs, platform).as_text()}")
    return "\n".join(parts)


def compiled_anew(fn: Callable):
    """The `Compiled` of a Cell or function that has no variant yet: one for another device than those that it runs on."""
    known = fn._compiled_form() if hasattr(fn, "_compiled_form") else getattr(fn, "_compiled", None)
    return Compiled(fn if known is None else known.fn, fullgraph=True, name=known and known.name)


def _lowered(fn, inputs, kwargs, platform):
    """The call traced anew, since the forms of operators depend on the device, and lowered."""
    entry = compiled_anew(fn).entry_for(*inputs, **kwargs)
    leaves, _, _ = split(inputs, kwargs)
    jitted = jax.jit(entry.program.pure, donate_argnums=(0,) if entry.program.donate else ())
    numbers = tuple(slot.read() for slot in entry.state.numbers)
    return lowered(jitted, *entry.state.arrays(), [b._data for b in leaves], numbers, platforms=(platform,))
