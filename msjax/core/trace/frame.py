"""Frames: the layer through which a transform (a jit trace, a grad, a branch, a loop body, vmap) reads and writes
state.

State lives in boxes: Parameters, and plain Tensors that are mutated in place. While JAX traces, a box must not be changed
for real, so each transform lays one Frame over the boxes: reads look from the innermost frame outwards, writes stay in the
innermost one. What was written leaves the transform as extra outputs, and is written again in the frame outside. A trace
that fails drops its frame, and nothing has happened.

Parameters read and write through `Frame.read` / `Frame.write`. A plain Tensor keeps its array in the box itself (operators
unwrap it without a look-up), so a plain Tensor from outside that is re-bound inside a frame is noted with its old array,
and put back when the frame closes.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp

from ..compat import Tracer, trace_state
from ..operators.known import Known
from ..settings.execution_state import change, here, put, within
from ..values.deferred import Deferred
from ..values.ownership import hand_out
from ..values.parameter import Parameter
from ..values.tensor_trees import tensor_leaves

if TYPE_CHECKING:
    import jax

    from ..values.tensor import Tensor


class Frame:
    """Overlay of box values for one transform.

    `vals` maps id(box) to its array, `written` the ids of boxes written here, `read` the ids read here, `missing` (root
    frames only) the boxes that were read although the transform was not given them as inputs. `differentiated`: a gradient is
    taken of this trace, so functions with a gradient of their own must carry it; `plain` (root frames only): one left it out. `calling` (root frames only):
    the Cell whose `construct` runs; `known` (root frames only): arrays whose content is known; `divided` (root frames only): how operators with
    strategies split the Parameters that they take.

    Boxes are known by `id` within a frame, which keeps each of them alive (in `read`, `written` or `missing`), so no id is used twice. A read
    walks outwards to the first frame that has a value: a branch sees what the trace around it wrote before, and never the other way round.
    Nothing is copied when a frame is laid. A write is a read first, because a box that is written is an input of the program, too: under a
    condition that does not hold, it must come out as it went in.
    """

    is_frame = True
    __slots__ = (
        "parent",
        "root",
        "vals",
        "read",
        "written",
        "missing",
        "rebound",
        "captured",
        "known",
        "noted",
        "cells",
        "stored",
        "outside",
        "_state",
        "converting",
        "log",
        "calls",
        "gradients",
        "differentiated",
        "plain",
        "calling",
        "divided",
    )

    def __init__(self, parent: "Frame | None" = None):
        self.parent = parent
        self.root = parent.root if parent is not None else self
        self.vals, self.read, self.written = {}, {}, {}
        self.rebound = {}
        self.log, self.calls, self.gradients = [], {}, None
        self.converting = parent.converting if parent is not None else False
        self.differentiated = parent.differentiated if parent is not None else False
        if parent is None:
            self.missing, self.captured, self.cells, self.stored, self.plain = {}, {}, {}, [], False
            self.calling, self.known, self.divided = None, Known(), {}

    # --- entering and leaving
    def __enter__(self):
        self._state = trace_state()
        self.outside, self.noted = here().recorder, self.root.known.noted()
        change(recorder=self)
        return self

    def __exit__(self, kind, error, traceback):
        change(recorder=self.outside)
        self.outside = None
        if self.parent is not None:
            self.root.known.forget_after(self.noted)
        for box, outside, owner, unchanged in self.rebound.values():
            if kind is None and box._data is not unchanged:
                self.vals[id(box)] = box._data
                self.written[id(box)] = box
            box._rebind_raw(outside, owner)
        self.rebound = {}
        return False

    # --- state
    def given(self, box: "Tensor", array: "jax.Array"):
        """Make `array` (an input tracer of this transform) the value of `box` in here."""
        if box._through_frames:
            self.vals[id(box)] = array
        else:
            self.rebound[id(box)] = (box, box._data, box._var, array)
            self.vals[id(box)] = array
            box._rebind_raw(array, self)

    def read_box(self, box: "Tensor"):
        """Array of a Parameter as seen from this frame."""
        key = id(box)
        frame = self
        while frame is not None:
            array = frame.vals.get(key)
            if array is not None:
                root_read = self.root.read
                if key not in root_read:
                    root_read[key] = box
                return array
            if frame.parent is None:
                frame.missing[key] = box
                # what is not made yet stays so: the function is traced again with the box given
                raw = box._raw if frame.converting else hand_out(box)
                return raw if not isinstance(raw, Deferred) else jnp.zeros(raw.shape, raw.dtype)
            frame = frame.parent

    def write_box(self, box: "Tensor", array: "jax.Array"):
        """Write a Parameter in this frame."""
        if trace_state() != self._state:
            raise RuntimeError(
                f"Parameter '{box.name}' was assigned inside a jax transform that MindSpore code cannot see (jax.jit, jax.lax.scan, "
                "jax.vmap, ... called by hand). Return the new value from that function and assign it outside, or use the mindspore "
                "form of the transform (ms.jit, ms.grad, ops.vmap, a Python loop)."
            )
        key = id(box)
        if key not in self.vals:
            self.read_box(box)  # a written box is an input too: the root must know it
        self.log.append((box, self.read_box(box)))
        self.vals[key] = array
        self.written[key] = box

    def forget_values(self):
        """Release all traced values; the results have been taken out."""
        self.vals, self.log, self.calls, self.gradients = {}, [], {}, None
        if self.parent is None:
            self.known = Known()

    # --- calls of Cells, for `replay`
    def note_call(self, cell: Any, arrays: Sequence, start: int, out: Any = None):
        """A Cell was called with these arrays and returned `out`; `start` is the length of `log` at its start."""
        made = [(b, b._data) for b in tensor_leaves(out) if not isinstance(b, Parameter)]
        self.calls[(id(cell), *map(id, arrays))] = (cell, arrays, start, len(self.log), made)

    def replay(self, cell: Any, arrays: Sequence):
        """State before an earlier call of the same Cell with the same arrays, as [(box, array)], if nothing was written since; else None.

        A train step computes `loss = net(x)` and then differentiates `net` at the same `x`. MindSpore's graph runs the network once, so
        BatchNorm statistics must move once, and dropout must draw the same mask in both.
        """
        found = self.calls.get((id(cell), *map(id, arrays)))
        if found is None or found[3] != len(self.log):
            return None
        before = {}
        for box, array in self.log[found[2] : found[3]]:
            before.setdefault(id(box), (box, array))
        return list(before.values())

    def replayed(self, cell: Any, arrays: Sequence, results: Sequence):
        """What the earlier call returned is from now on what its gradient computed, so that nothing needs the earlier call.

        XLA would find most of it to be the same, but not a loop: an LSTM read its input twice.
        """
        _, given, _, _, made = self.calls[(id(cell), *map(id, arrays))]
        if self.differentiated or len(made) != len(results):
            return
        for (box, array), new in zip(made, results):
            own = box._data is array and isinstance(array, Tracer) and not any(array is a for a in given)
            if own and (array.shape, array.dtype) == (new.shape, new.dtype):
                box._data = new

    def note_rebind(self, box: "Tensor"):
        """Remember the content of a plain Tensor from outside this frame that is about to be re-bound."""
        key = id(box)
        if key not in self.rebound:
            self.rebound[key] = (box, box._data, box._var, box._data)
            if self.parent is None and not isinstance(box._data, Tracer):
                self.missing[key] = box  # it must become an input, or its old content would be baked in

    def outputs(self):
        """(boxes, arrays) written in this frame, in the order of the first write."""
        boxes = list(self.written.values())
        return boxes, [self.vals[id(b)] for b in boxes]


def current():
    """The innermost Frame, or None when no transform is being traced."""
    r = here().recorder
    return r if r is not None and r.is_frame else None


def known_zero(box: "Tensor"):
    """Whether a Parameter has the constant value 0, which allows simpler code; False if the trace itself computes the
    value.

    What is traced on the strength of a True holds for this 0: another value traces it again.
    """
    frame = innermost = current()
    while frame is not None:
        if id(box) in frame.written:
            return False
        frame = frame.parent
    array = box._made()
    zero = array.item() == 0
    if zero and innermost is not None:
        innermost.root.captured[id(box)] = (box, array)
    return zero


class Rollback:
    """Eager code in a `with Rollback():` either finishes, or leaves every Parameter as it was. Only the outermost one acts.

    The log, `here().rollback`: id -> (box, array at entry), while one is open.
    """

    __slots__ = ("before", "inside")

    def __enter__(self):
        self.before = before = here()
        if before.rollback is None:
            self.inside = before.but(rollback={})
            put(self.inside)
        return self

    def __exit__(self, kind, error, traceback):
        if self.before.rollback is None:
            now = here()
            if now is self.inside:  # the usual case, without a copy
                put(self.before)
            else:
                change(rollback=None)
            if kind is not None:
                for box, array in now.rollback.values():
                    box._rebind_raw(array, None)
        return False

    @staticmethod
    def noting(run: Callable):
        """(result of `run()`, [(box, array before)] of the Parameters that it wrote), within an open Rollback."""
        outside, written = here().rollback, {}
        try:
            with within(rollback=written):
                return run(), list(written.values())
        finally:
            for key, before in written.items():
                outside.setdefault(key, before)

    @staticmethod
    def forget(boxes: Sequence):
        """A finished optimizer step stays: its old arrays were given back to the device."""
        log = here().rollback
        if log:
            for box in boxes:
                log.pop(id(box), None)


def commit(boxes: Sequence, arrays: Sequence):
    """Write arrays to boxes in the frame (or eager code) that is current now."""
    for box, array in zip(boxes, arrays):
        box._assign(array)
