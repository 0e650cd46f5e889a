"""Services of a Cell besides computing: hooks, recomputation, and operations on all sub-Cells at once."""

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack

from ...core.grad.own_gradient import call_with_gradient
from ...core.grad.recompute import recomputing
from ...core.process import shared
from ...core.settings.execution_state import here
from ...core.trace import control_flow
from ...core.values.tensor import wrap
from ...core.values.tensor_trees import is_tensor, map_tensors, tensor_leaves
from .settings import CellSettings
from .state import CellState

if TYPE_CHECKING:
    from .cell import Cell


class HookHandle:
    """Handle of a registered hook: `remove()` takes the hook away."""

    def __init__(self, table: Any = None, cell: "Cell | None" = None):
        self._table, self._cell = table, cell

    def remove(self):
        """Take the hook away; a second time does nothing."""
        if self._table is not None:
            self._table.pop(id(self), None)
            self._table = None
            self._cell._note_change()


class _Hooks:
    __slots__ = ("forward_pre", "forward", "backward_pre", "backward")

    def __init__(self):
        self.forward_pre, self.forward, self.backward_pre, self.backward = (
            OrderedDict(),
            OrderedDict(),
            OrderedDict(),
            OrderedDict(),
        )


def _as_many(what, changed, of, count):
    """A hook's result as a tuple with one gradient for each input."""
    changed = changed if isinstance(changed, tuple) else (changed,)
    if len(changed) != count:
        raise TypeError(f"The {what} return value size is {len(changed)} not equal to expect {of} size {count}.")
    for new in changed:
        if new is not None and not is_tensor(new):
            raise TypeError(f"The output type of the {what} should be a tensor but got {type(new).__name__}.")
    return changed


class RecomputeOptions(TypedDict, total=False):
    """The keywords of `Cell.recompute`."""

    mp_comm_recompute: bool
    parallel_optimizer_comm_recompute: bool
    recompute_slice_activation: bool
    use_reentrant: bool
    output_recompute: bool
    early_stop: bool
    context_fn: Any


class CellServices(CellSettings, CellState):
    """Mixin of Cell."""

    # --- hooks
    def _register_hook(self, kind, hook_fn, prepend=False, **options):
        if not callable(hook_fn):
            raise TypeError(
                f"When using 'hook_type(hook_fn)', the type of 'hook_fn' must be function, but got {type(hook_fn)}."
            )
        if self._held_hooks is None:
            self.__dict__["_held_hooks"] = _Hooks()
        table = getattr(self._held_hooks, kind)
        handle = HookHandle(table, self)
        table[id(handle)] = (hook_fn, options)
        if prepend:
            table.move_to_end(id(handle), last=False)
        self.__dict__.setdefault("_handles", []).append(handle)  # keeps the ids unique
        self._note_change()
        return handle

    def register_forward_pre_hook(self, hook_fn: Callable, *, prepend: bool = False, with_kwargs: bool = False):
        """Call `hook_fn(cell, inputs)` before `construct`; a result other than None replaces the inputs. Returns a
        handle.
        """
        return self._register_hook("forward_pre", hook_fn, prepend, with_kwargs=with_kwargs)

    def register_forward_hook(
        self, hook_fn: Callable, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ):
        """Call `hook_fn(cell, inputs, output)` after `construct`; a result other than None replaces the output. Returns
        a handle. A Cell with a `bprop` takes none, as in MindSpore: its gradient is that of the output without the hook.
        """
        if self._has_bprop:
            return HookHandle()
        return self._register_hook("forward", hook_fn, prepend, with_kwargs=with_kwargs, always_call=always_call)

    def register_backward_pre_hook(self, hook_fn: Callable):
        """Call `hook_fn(cell, grad_output)` in the backward, before the gradients of the Cell; it may return another grad_output."""
        return self._register_hook("backward_pre", hook_fn)

    def register_backward_hook(self, hook_fn: Callable):
        """Call `hook_fn(cell, grad_input, grad_output)` in the backward; it may return another grad_input. Returns a handle."""
        return self._register_hook("backward", hook_fn)

    def _call_hooks(self, run, args, kwargs):
        hooks = self._held_hooks
        for hook, options in list(hooks.forward_pre.values()):
            if options["with_kwargs"]:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    args, kwargs = changed
            else:
                changed = hook(self, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        grad_output = []
        alone = False  # whether no gradient comes to the inputs: the hooks are called all the same, as in MindSpore
        if hooks.backward:
            tape = here().recorder
            followed = [tape is None or tape.is_frame or tape.follows(b) for b in tensor_leaves(args)]
            alone = not any(followed)
            if not alone:
                args = self._watch_inputs(args, grad_output, followed)
        try:
            out = run(*args, **kwargs)
        except Exception:
            for hook, options in list(hooks.forward.values()):
                if options["always_call"]:
                    hook(self, args, kwargs, None) if options["with_kwargs"] else hook(self, args, None)
            raise
        for hook, options in list(hooks.forward.values()):
            changed = hook(self, args, kwargs, out) if options["with_kwargs"] else hook(self, args, out)
            if changed is not None:
                out = changed
        if hooks.backward or hooks.backward_pre:
            out = self._watch_output(out, grad_output, alone)
        return out

    def _watch_output(self, out, grad_output, alone):
        """Identity on the outputs that notes their cotangents and lets the backward-pre hooks change them; alone: it calls the
        backward hooks, too.
        """
        flat = tensor_leaves(out)

        def pull(inputs, _, cotangents):
            grads = tuple(cotangents)
            for hook, _options in list(self._held_hooks.backward_pre.values()):
                changed = control_flow.resolve(hook)(self, grads)
                if changed is not None:
                    grads = _as_many("backward pre hook", changed, "output", len(grads))
            grad_output[:] = grads
            if alone:
                self._call_backward_hooks((None,), grad_output)
            return grads

        values = iter(
            tensor_leaves(
                call_with_gradient(
                    lambda *t: tuple(wrap(b.jax_array, b._var) for b in t),
                    pull,
                    flat,
                    late=bool(self._held_hooks.backward),
                    note={"zeros": False},
                )
            )
        )
        return map_tensors(lambda _: next(values), out)

    def _call_backward_hooks(self, grads, grad_output):
        for hook, _options in list(self._held_hooks.backward.values()):
            changed = control_flow.resolve(hook)(self, grads, tuple(grad_output))
            if changed is not None:
                grads = _as_many("backward hook", changed, "grad input", len(grads))
        return grads

    def _watch_inputs(self, args, grad_output, followed):
        """Identity on the inputs that calls the backward hooks with their cotangents, None for those that no gradient comes to."""
        flat = tensor_leaves(args)

        def pull(inputs, _, cotangents):
            grads = tuple([g if f else None for g, f in zip(cotangents, followed)])
            return self._call_backward_hooks(grads, grad_output)

        values = iter(
            tensor_leaves(
                call_with_gradient(
                    lambda *t: tuple(wrap(b.jax_array, b._var) for b in t),
                    pull,
                    flat,
                    late=bool(self._held_hooks.backward),
                )
            )
        )
        return map_tensors(lambda _: next(values), args)

    # --- settings
    def recompute(self, **kwargs: Unpack[RecomputeOptions]) -> None:
        """Compute the Cell's intermediate values again in the backward, instead of keeping them (less memory, more time)."""
        for key in kwargs:
            if key not in RecomputeOptions.__annotations__:
                raise ValueError(
                    f"For 'recompute', keyword '{key}' is not recognized! The keywords are {', '.join(sorted(RecomputeOptions.__annotations__))}."
                )
        self.__dict__["_residual_policy"] = recomputing
        self.__dict__["_scope"] = "recompute_"
        self._note_change()

    def set_jit_config(self, jit_config: Any) -> None:
        """Record a JitConfig; XLA has its own settings. Returns None."""
        self.__dict__["_jit_config"] = jit_config

    def set_comm_fusion(self, fusion_type: Any, recurse: bool = True):
        """Record the communication fusion type on all trainable Parameters; returns the Cell."""
        for param in self.trainable_params(recurse):
            param.comm_fusion = fusion_type
        return self

    def set_data_parallel(self):
        """Record the wish for data parallel training; returns None."""
        self.__dict__["_data_parallel"] = True

    def set_broadcast_flag(self, mode: bool = True):
        """Record whether Parameters are broadcast at the start; returns the Cell."""
        return self.add_flags_recursive(broadcast_flag=mode)

    def apply(self, fn: Callable) -> Self:
        """Call `fn` with every Cell, children first, this Cell last; returns the Cell."""
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    def init_parameters_data(self, auto_parallel_mode: bool = False):
        """Parameters have their content from the start: returns the dict {Parameter: itself}."""
        return {p: p for p in self.get_parameters()}

    @property
    def phase(self):
        """Either "train" or "predict"."""
        return self._phase

    @phase.setter
    def phase(self, value: Any):
        self.__dict__["_phase"] = value
        shared.touch()

    @property
    def cls_name(self) -> str:
        """Name of the class."""
        return type(self).__name__

    def _get_name(self):
        return type(self).__name__

    def _add_init_args(self, **args):
        self.__dict__.setdefault("_init_args", {}).update(args)
