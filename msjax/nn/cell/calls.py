"""How a Cell is called: compiled or as it stands, with casts, hooks, recomputation and a gradient of its own around `construct`."""

import inspect
from typing import Any, Self

from ...core.foreign_messages import is_of_plain_object
from ...core.grad.custom_function import fitted
from ...core.grad.own_gradient import call_with_gradient
from ...core.host import Wide
from ...core.operators.casts import WithinCell, by_lists, within_cell
from ...core.settings import context
from ...core.settings.execution_state import here, within
from ...core.trace import control_flow
from ...core.trace.compile import Compiled
from ...core.trace.frame import Rollback, current
from ...core.values import dtype as mstype
from ...core.values.cast_parameter import CastParameter
from ...core.values.tensor import Tensor
from ...core.values.tensor_trees import is_tensor, map_tensors, tensor_leaves
from ...parallel import shares
from ...parallel.sharded_calls import call_placed
from ...parallel.stages import in_stage
from .scopes import named_call

in_parts = None  # (Cell, its construct) -> its construct with strategies: put here by `nn`, whose layers it knows


class CellCalls:
    """The calling of a Cell."""

    def __call__(self, *args, **kwargs):
        state = here()
        active = state.recorder
        if active is not None and active.is_frame:
            if state.journal is None or not state.journal.made(self):  # one that construct makes is made anew each time
                active.root.cells[id(self)] = self
            start = len(active.log)
            arrays = [b.jax_array for b in tensor_leaves(args)]
            with named_call(active.root, self):
                out = self._run_call(args, kwargs, active)
            active.note_call(self, arrays, start, out)
            return out
        if not self.__dict__.get(
            "_names_checked", True
        ):  # the first call: Cells that were appended one by one may share a name
            self.__dict__["_names_checked"] = True
            self.check_names_and_refresh_name()
        if self._always_compile or context.is_graph_mode():
            if "_declared" in self.__dict__:
                self._declared.check(args, kwargs)
            return self._compiled_form()(*args, **kwargs)
        if self.requires_grad and active is None and not kwargs:
            with Wide(), Rollback():
                return self._run_noted(args)
        if state.rollback is not None:
            return self._run_call(args, kwargs, None)
        with Wide(), Rollback():
            return self._run_call(args, kwargs, None)

    def _run_noted(self, args):
        """Run, and note the state that a gradient of the same call must start from (see `_undo_forward`)."""
        out, before = Rollback.noting(lambda: self._run_call(args, {}, None))
        arrays = [b.jax_array for b in tensor_leaves(args)]
        self.__dict__["_forward"] = (arrays, before) if before else None
        return out

    def _undo_forward(self, args):
        """Undo the changes of the last call if a gradient of that same call is asked for now; returns a function that
        restores them.

        A train step of 1.x runs `loss = net(x)` and then differentiates `net` at the same `x`. After `set_grad()` MindSpore runs
        the network once for both, so BatchNorm statistics move once, and dropout draws one mask; other networks may have run between.
        """
        noted, self.__dict__["_forward"] = self.__dict__.get("_forward"), None
        arrays, written = noted or ([], [])
        given = [b.jax_array for b in tensor_leaves(args)] if written else []
        if len(given) != len(arrays) or any(a is not b for a, b in zip(given, arrays)):
            written = []
        present = [(box, box.jax_array) for box, _ in written]
        for box, before in written:
            box._assign(before)
        return lambda: [box._assign(array) for box, array in present]

    def _compiled_form(self):
        compiled = self._compiled  # as an attribute: without super().__init__() that says what is wrong
        if compiled is None:
            compiled = self.__dict__["_compiled"] = Compiled(self, name=type(self).__name__, **self._jit_options)
            compiled.declared = self.__dict__.get("_declared")
        return compiled

    def entry_for(self, *args, **kwargs):
        """The compiled variant for these arguments, without running it (see `core.trace.entry.Entry`)."""
        return self._compiled_form().entry_for(*args, **kwargs)

    def _run_call(self, args, kwargs, frame):
        """Run `construct` with everything around it: strategies, stage, casts, hooks, recomputation, the user's own gradient."""
        if frame is None:
            return self._run_cast(args, kwargs, frame)
        strategies = self.__dict__.get("_strategies")
        if strategies is None:
            return self._run_in_stage(args, kwargs, frame)
        return call_placed(lambda *args, **kwargs: self._run_in_stage(args, kwargs, frame), *strategies, args, kwargs)

    def _run_in_stage(self, args, kwargs, frame):
        stage = self.__dict__.get("_recorded_pipeline_stage", -1)
        if stage < 0:
            return self._run_cast(args, kwargs, frame)
        with in_stage(stage):
            return self._run_cast(args, kwargs, frame)

    def _run_cast(self, args, kwargs, frame):
        own = self.__dict__
        if own["_flags_set"]:
            casting = self._cast_dtype()
            if casting is not None:
                state, lists = here(), by_lists()
                compiled = frame is not None or state.copying or lists
                args, kwargs = self._cast_inputs((args, kwargs), casting, compiled)
                casts = state.casts  # the lists of `amp` go on within the Cell
                if not lists:
                    casts = (*casts, self._cast_policy(casting, compiled))
                with within(reading=casting, casts=casts):
                    return self._run_hooked(args, kwargs, frame)
        try:
            if own["_held_hooks"] is None and own["_residual_policy"] is None and not self._has_bprop:
                return self._construct_of(frame)(*args, **kwargs)
            return self._run_hooked(args, kwargs, frame)
        except AttributeError as error:
            if type(self).__module__.startswith("msjax.") and is_of_plain_object(error):
                raise TypeError(f"For '{type(self).__name__}', the inputs must be Tensors, but {error}.") from error
            raise

    def _construct_of(self, frame):
        """`construct`; converted in a compiled function, so that control flow on Tensors is staged and effects are noted, and in one that runs
        operator by operator, so that it changes the same things.

        A layer whose inner operators have strategies is then computed with them (`in_parts`).
        """
        if frame is None:
            return control_flow.resolve(self.construct) if here().copying else self.construct
        run = control_flow.resolve(self.construct)
        return run if in_parts is None else in_parts(self, run)

    def _run_hooked(self, args, kwargs, frame):
        run = self._construct_of(frame)
        if self._residual_policy is not None and frame is not None:
            run = self._residual_policy(run)
        if self._has_bprop:
            run = self._with_bprop(run)
        return self._call_hooks(run, args, kwargs) if self._held_hooks is not None else run(*args, **kwargs)

    def _with_bprop(self, run):
        """`run` with the gradient that the Cell's `bprop(*inputs, out, dout)` gives."""

        def call(*args, **kwargs):
            if kwargs:
                bound = inspect.signature(self.construct).bind(*args, **kwargs)
                bound.apply_defaults()
                args = bound.args
            tensors, factors = tensor_leaves(args), []

            def forward(*flat):
                values = iter(flat)
                with shares.noting() as notes:
                    out = run(*map_tensors(lambda _: next(values), args))
                factors[:] = shares.factors(notes, flat, out)
                return out

            def pull(flat, out, dout):
                values = iter(flat)
                bprop = control_flow.resolve(self.bprop)
                grads = bprop(*map_tensors(lambda _: next(values), args), out, dout)
                if not isinstance(grads, tuple):
                    if current() is not None:
                        raise TypeError(
                            f"For bprop function, output should be a tuple, but that of '{type(self).__name__}' returned "
                            f"{type(grads).__name__}."
                        )
                    grads = tuple(grads) if isinstance(grads, list) else (grads,)
                if len(grads) < len(args):
                    raise RuntimeError(
                        f"The 'bprop' of '{type(self).__name__}' must return one gradient for each of the {len(args)} inputs, "
                        f"but returned {len(grads)}."
                    )
                found = []
                for i, (value, grad) in enumerate(zip(args, grads)):
                    boxes = tensor_leaves(value)
                    leaves = [grad] if len(boxes) == 1 and is_tensor(value) else tensor_leaves(grad)
                    leaves = leaves if len(leaves) == len(boxes) else [None] * len(boxes)
                    found += [fitted(g, b, f"argument {i} of '{type(self).__name__}'") for g, b in zip(leaves, boxes)]
                return [g if g is None or factor == 1 else g * factor for g, factor in zip(found, factors)]

            return call_with_gradient(forward, pull, tensors)

        return call

    def to_float(self, dst_type: Any) -> Self:
        """Compute in another float type: inputs, and Parameters where they are used, are cast on the fly; returns the Cell.

        Raises:
            ValueError: `dst_type` is not float16, float32 or bfloat16.
        """
        if dst_type not in (mstype.float16, mstype.float32, mstype.bfloat16):
            raise ValueError(
                "For 'to_float', the argument 'dst_type' must be mstype.float32, mstype.float16 or mstype.bfloat16, "
                f"but got type: {type(dst_type)} and value: {dst_type}."
            )
        self.add_flags_recursive(
            fp16=dst_type == mstype.float16, fp32=dst_type == mstype.float32, bf16=dst_type == mstype.bfloat16
        )
        return self

    def _cast_dtype(self):
        flags = self._flags_set
        return (
            mstype.float16
            if flags.get("fp16")
            else mstype.bfloat16
            if flags.get("bf16")
            else mstype.float32
            if flags.get("fp32")
            else None
        )

    def _cast_inputs(self, inputs, dtype, compiled):
        def cast(box):
            if box.dtype == dtype or box.dtype not in mstype.float_type:
                return box
            if compiled:
                return box.astype(dtype)
            return CastParameter.of(box, dtype) if box._through_frames else box  # others are cast where they are used

        return map_tensors(cast, inputs)

    def _cast_policy(self, dtype, compiled):
        """What operators within the Cell cast: see `WithinCell`. Constants are what `construct` finds as attributes, buffers or globals."""
        statistics = self._keeps_statistics()
        if not compiled:
            return within_cell(dtype, statistics)
        own, names = self.__dict__, getattr(self.construct, "__globals__", {})
        found = (*own.values(), *own["_buffers"].values(), *names.values())
        return WithinCell(dtype, statistics, frozenset(id(v) for v in found if isinstance(v, Tensor)))
