"""Functions whose intermediate values are not kept for the gradient: `jax.checkpoint` over frames."""

import jax

from ..trace.frame import Frame, commit, current
from ..trace.replay import Inside
from ..values.tensor import wrap
from ..values.tensor_trees import map_tensors, tensor_leaves

__all__ = ["recomputing"]


def recomputing(run):
    """`run` such that its intermediate values are computed again in the backward, instead of being kept. For use in a trace."""

    def call(*args, **kwargs):
        outer = current()
        tensors = tensor_leaves((args, kwargs))
        note = {}

        @jax.checkpoint
        def pure(arrays):
            frame = Frame(outer)
            note["effects"] = effects = Inside()
            with frame, effects:
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
