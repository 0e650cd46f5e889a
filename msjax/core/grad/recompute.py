"""Functions whose intermediate values are not kept for the gradient, or not on the device: `jax.checkpoint` over frames."""

import functools
import math
from collections.abc import Callable

import jax
from jax import lax

from ..trace.frame import Frame, commit, current
from ..trace.replay import Inside
from ..values.tensor import wrap
from ..values.tensor_trees import map_tensors, tensor_leaves

__all__ = ["offloading", "recomputing"]

_LEAST = 1 << 12  # elements: less than that is kept on the device


def offloading(run: Callable):
    """`run` with its intermediate values kept in the host's memory until the backward. For use in a trace."""
    return recomputing(run, _to_host)


@functools.cache
def _host():
    """The answer of a `jax.checkpoint` policy that sends a value to the host, taken from JAX's own policy for products."""
    policy = jax.checkpoint_policies.offload_dot_with_no_batch_dims("device", "pinned_host")
    return policy(lax.dot_general_p, dimension_numbers=(((1,), (0,)), ((), ())))


def _to_host(primitive, *inputs, **params):
    return _host() if any(math.prod(getattr(a, "shape", ())) >= _LEAST for a in inputs) else True


def recomputing(run: Callable, policy: Callable | None = None):
    """`run` with its intermediate values computed again in the backward, instead of being kept. For use in a trace.

    policy: JAX's, of what is kept nevertheless, and where.
    """

    def call(*args, **kwargs):
        outer = current()
        tensors = tensor_leaves((args, kwargs))
        note = {}

        @functools.partial(jax.checkpoint, policy=policy)
        def pure(arrays):
            frame = Frame(outer)
            note["effects"] = effects = Inside()
            with frame, effects:
                for box, array in zip(tensors, arrays):
                    frame.root.known.handed_on(box, array, frame.root.captured)
                boxes = iter([wrap(a, frame) for a in arrays])
                fresh_args, fresh_kwargs = map_tensors(lambda _: next(boxes), (args, kwargs))
                out = run(*fresh_args, **fresh_kwargs)
                leaves = [b._data for b in tensor_leaves(out)]
            written, new = frame.outputs()
            note.update(out=out, written=written)
            return leaves, new, effects.arrays

        leaves, new, changes = pure([t._data for t in tensors])
        commit(note["written"], new)
        note["effects"].redo(changes)
        arrays = iter(leaves)
        return map_tensors(lambda _: wrap(next(arrays), outer), note["out"])

    return call
