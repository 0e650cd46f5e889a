"""Operands of an eager call that lie on different devices.

What a program over several devices leaves behind lies on all of them where it is in parts, and on one where it is whole. JAX computes with
arrays of the same devices only, so those of fewer devices go to the others: their content stays what it is.
"""

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ..compat import Tracer
from ..values.ownership import put


def meet(boxes: Sequence[Any]):
    """Put the content of Tensors where the one of most devices lies, whole on each of these; whether that changed anything.

    boxes: Tensors, or None. Arrays with parts on other processes stay.
    """
    boxes = [b for b in boxes if b is not None]
    arrays = [b._lent for b in boxes]
    if any(isinstance(a, Tracer) or not isinstance(a, jax.Array) or not a.is_fully_addressable for a in arrays):
        return False
    most = max((a.sharding for a in arrays), key=lambda s: len(s.device_set), default=None)
    if most is None or len(most.device_set) < 2 or all(a.sharding.device_set == most.device_set for a in arrays):
        return False
    devices = sorted(most.device_set, key=lambda d: d.id)
    mesh = most.mesh if isinstance(most, NamedSharding) else Mesh(np.array(devices), ("devices",))
    whole = NamedSharding(mesh, PartitionSpec())
    for box, array in zip(boxes, arrays):
        if array.sharding.device_set != most.device_set:
            moved = jax.device_put(array, whole)
            put(box, moved) if box._through_frames else box._rebind_raw(moved, box._var)
    return True
