"""The overflow register that Ascend has and JAX does not: infinities and NaNs in gradients, noted from when it is cleared.

MindSpore code for Ascend clears the register, computes gradients, and asks it (`NPUClearFloatStatus`, `NPUGetFloatStatus`). Here the
gradients that were computed since the last clearing are kept, and looked at when the register is asked.
"""

from collections.abc import Sequence

import jax.numpy as jnp

from ..settings.execution_state import change, here
from ..trace.frame import current


def _notes():
    frame = current()
    return frame.root.gradients if frame is not None else here().overflow


def clear():
    """Start noting gradients."""
    frame = current()
    if frame is not None:
        frame.root.gradients = []
    else:
        change(overflow=[])


def note(arrays: Sequence):
    """Gradients were computed."""
    notes = _notes()
    if notes is not None:
        notes.extend(arrays)


def status():
    """Whether a gradient since the last clearing contains an infinity or NaN: a bool array. False if the register was
    never cleared.
    """
    notes = _notes() or []
    finite = [jnp.isfinite(a).all() for a in notes]
    if current() is None and notes:
        change(overflow=None)  # keeps no gradient alive longer than needed
    return ~jnp.stack(finite).all() if finite else jnp.asarray(False)
