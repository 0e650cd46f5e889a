"""MindSpore's compiler options: decorators and settings for the compiler, and the old names of `jit`.

XLA compiles here, so most of these change nothing; they are accepted so that code runs, and say so in their docstrings.
"""

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any, TypeVar, overload

from ..core.grad.autodiff import differentiate
from ..core.grad.no_gradient import no_gradient
from ..core.keywords import old_keywords
from ..core.operators.primitive import constexpr
from ..core.settings.execution_state import change, here
from ..core.spec.checking import checked
from ..core.spec.rules import PositiveInt
from ..core.trace.compile import Compiled, jit
from ..core.trace.declared import Declared
from ..core.traceable import is_traceable
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor
from ..core.values.tensor_trees import tensor_leaves

__all__ = [
    "JitConfig",
    "_no_grad",
    "_no_recursive",
    "enable_dynamic",
    "is_invalid_or_jit_forbidden_method",
    "jit_class",
    "lazy_inline",
    "ms_class",
    "ms_function",
    "ms_hybrid",
    "ms_kernel",
    "ms_memory_recycle",
    "no_inline",
    "run_check",
    "set_recursion_limit",
]


class JitConfig:
    """Settings of a compilation (`jit_level`, `exc_mode`, ...), kept as `jit_config_dict`. XLA has its own; these change nothing.

    Raises:
        ValueError: a value that MindSpore does not know.
    """

    def __init__(
        self,
        jit_level: str = "",
        exc_mode: str = "auto",
        jit_syntax_level: str = "",
        debug_level: str = "RELEASE",
        infer_boost: str = "off",
        **kwargs,
    ):
        for name, value, known in (
            ("jit_level", jit_level, ("", "O0", "O1", "O2", "O3")),
            ("exc_mode", exc_mode, ("auto", "sink", "no_sink")),
            ("jit_syntax_level", jit_syntax_level, ("", "STRICT", "COMPATIBLE", "LAX")),
            ("debug_level", debug_level, ("RELEASE", "DEBUG")),
            ("infer_boost", infer_boost, ("on", "off")),
        ):
            if value not in known:
                raise ValueError(f"For 'JitConfig', the '{name}' must be one of {list(known)}, but got {value!r}.")
        self.jit_config_dict = {
            "jit_level": jit_level,
            "exc_mode": exc_mode,
            "jit_syntax_level": jit_syntax_level,
            "debug_level": debug_level,
            "infer_boost": infer_boost,
            **kwargs,
        }


_F = TypeVar("_F", bound=Callable)


@overload
def ms_function(fn: _F, input_signature: Any = None, hash_args: Any = None, jit_config: Any = None) -> _F: ...


@overload
def ms_function(
    fn: None = None, input_signature: Any = None, hash_args: Any = None, jit_config: Any = None, *, obj: Any = None
) -> Callable[[_F], _F]: ...


@old_keywords(obj="fn")
def ms_function(  # pyright: ignore[reportInconsistentOverload]  the decorator takes `obj`
    fn: Callable | None = None, input_signature: Any = None, hash_args: Any = None, jit_config: Any = None
) -> Any:
    """The MindSpore 1.x name of `jit`."""
    return jit(fn, input_signature=input_signature, hash_args=hash_args, jit_config=jit_config)


def jit_class(cls: _F) -> _F:
    """Mark a class as usable in compiled functions: any class is. Returns it.

    Raises:
        TypeError: `cls` is not a class, or is a Cell.
    """
    if not isinstance(cls, type):
        raise TypeError(f"Decorator jit_class can only be used for class type, but got {cls}.")
    if hasattr(cls, "construct"):
        raise TypeError(f"Decorator jit_class is used for user-defined classes and cannot be used for nn.Cell: {cls}.")
    return cls


ms_class = jit_class


def lazy_inline(fn: Callable | None = None, attrs: Any = None, policy: Any = None):
    """Mark a Cell's `__init__` so that the Cell is compiled once: XLA finds equal parts by itself. Returns the function."""
    return (lambda f: f) if fn is None or isinstance(fn, (list, tuple, str)) else fn


def no_inline(fn: Callable | None = None):
    """Mark a function that is to be compiled by itself: XLA decides. Returns the function."""
    return constexpr(fn)


def _no_recursive(callable_obj):
    """Mark a function or a class of Cells as not recursive: no program here is searched for recursion. Returns it."""
    if not (isinstance(callable_obj, type) and hasattr(callable_obj, "construct")) and not inspect.isroutine(
        callable_obj
    ):
        raise TypeError(f"Decorator no_recursive is used for callable object, but got {callable_obj}.")
    return callable_obj


def ms_hybrid(fn: Callable | None = None, reg_info: Any = None, compile_attrs: Any = None):
    """Decorator of a hybrid kernel: Python over Tensors here. Returns the function."""
    return constexpr(fn)


def ms_kernel(fn: Callable | None = None, reg_info: Any = None, compile_attrs: Any = None):
    """Decorator of a kernel in Python: it runs as Python here. Returns the function."""
    return constexpr(fn)


_function_forbid_reuse = constexpr  # marks a function that is not to be compiled twice


def enable_dynamic(**kwargs):
    """Decorator that declares Tensors with lengths left open for arguments, by name; lengths share programs as with `Cell.set_inputs`.

    Raises:
        TypeError: something else than a Tensor, or a tuple or list of these. ValueError: the function has no such argument; when it is
            called, Tensors that do not fit.

    Example:
        >>> @mindspore.enable_dynamic(x=Tensor(shape=[None, 3], dtype=mindspore.float32))
        ... @mindspore.jit
        ... def total(x):
        ...     return x.sum()
        >>> total(Tensor(np.ones((2, 3), np.float32)))
        Tensor(shape=[], dtype=Float32, value= 6)
    """
    for name, tensor in kwargs.items():
        if not all(isinstance(t, Tensor) for t in (tensor if isinstance(tensor, (list, tuple)) else (tensor,))):
            raise TypeError(
                f"The decorator enable_dynamic only supports Tensor or a tuple/list of Tensor, but the argument : {name} is "
                f"type of:{type(tensor)}."
            )

    def decorate(fn):
        declared = Declared(fn, kwargs, "enable_dynamic")
        compiled = getattr(fn, "_compiled", None)
        if compiled is not None:
            compiled.declared = declared

        @functools.wraps(fn)
        def checked(*args, **named):
            declared.check(args, named)
            return fn(*args, **named)

        return checked

    return decorate


def is_invalid_or_jit_forbidden_method(obj: Any, obj_type: Any, attr: Any):
    """Whether a method must not be called in compiled functions: none is forbidden."""
    return False


def ms_memory_recycle():
    """Release memory of compiled functions: drops all compiled variants that nothing refers to."""
    import gc

    gc.collect()


@checked
def set_recursion_limit(recursion_limit: PositiveInt = 1000):
    """Set how deep calls in compiled functions may nest.

    Raises:
        TypeError, ValueError: no positive int.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), recursion_limit))


def run_check():
    """Multiply two small matrices, and print whether the result is right."""
    import jax.numpy as jnp
    import numpy as np

    from ..core.settings.context import present_device

    right = bool(np.array_equal(np.asarray(jnp.ones((2, 3)) @ jnp.ones((3, 2))), np.full((2, 2), 3.0)))
    print(
        f"MindSpore version: 2.10.0 (msjax, on JAX)\nThe result of multiplication calculation is {'correct' if right else 'wrong'}, "
        f"MindSpore has been installed on platform [{present_device()}] {'successfully' if right else 'with errors'}!"
    )


_no_grad = no_gradient


class _GraphExecutor:
    """`_cell_graph_executor`: `compile(net, *inputs)` traces and compiles ahead of the first call."""

    def compile(self, obj, *args, phase="predict", **kwargs):
        """Compile a Cell or function for these arguments; returns (a graph id, True).

        Where one of them only describes an input, its first call compiles: programs are of known shapes.
        """
        if any(-1 in (box.shape or ()) for box in tensor_leaves(args)):
            return id(obj), True
        form = obj._compiled_form() if is_traceable(obj) else getattr(obj, "_compiled", None) or Compiled(obj)
        return id(form.entry_of_all(args)), True

    def __call__(self, obj, *args, phase="predict"):
        return obj(*args)

    def set_queue_name(self, name):
        """Data queues are not used: nothing to be set."""


class _PynativeExecutor:
    """`_pynative_executor`: eager code needs no executor. `sync()` waits for the device, gradients can be switched off, and `grad` takes
    the gradient of a function, as toolkits do it that have training loops of their own.
    """

    def new_graph(self, obj, *args, **kwargs):
        """A gradient records by itself: nothing to be begun."""

    def end_graph(self, obj, output, *args, **kwargs):
        """A gradient records by itself: nothing to be ended."""

    def clear_res(self):
        """A gradient that raised leaves nothing behind: nothing to be cleared."""

    def check_run(self, grad, obj, *args, **kwargs):
        """False: nothing has run ahead of the gradient."""
        return False

    def grad(self, obj, grad, weights, grad_position, *args):
        """The gradients of obj(*args) with respect to its inputs and `weights`, as `grad` (a GradOperation) defines. A
        bool before the inputs tells whether obj returns extra values. Weights: Tensors, also of a library's own
        classes.
        """
        has_aux, args = (args[0], args[1:]) if args and isinstance(args[0], bool) else (False, args)
        args, sens = (args[:-1], args[-1]) if grad.sens_param else (args, None)
        boxes = list(weights) if isinstance(weights, (tuple, list)) else [] if weights is None else [weights]
        by_inputs = grad.get_all or not grad.get_by_list
        count = len(args) if grad.get_all else min(1, len(args)) if by_inputs else 0
        own = [box for box in boxes if isinstance(box, Parameter)]
        others = [box for box in boxes if not isinstance(box, Parameter)]  # are followed as inputs are

        def run(*given):
            return obj(*given[len(others) :])

        positions = (*range(len(others) + count),)
        found = differentiate(run, (*others, *args), {}, positions, own, sens=sens, has_aux=has_aux)
        grads = list(found.inputs[len(others) :])
        inputs = tuple(grads) if grad.get_all else grads[0] if grads else ()
        left = {True: iter(found.weights), False: iter(found.inputs)}
        found.weights = [next(left[isinstance(box, Parameter)]) for box in boxes]
        both = (inputs, tuple(found.weights))
        self._last = (both if by_inputs else both[1]) if grad.get_by_list else inputs
        return self._last

    def __call__(self):
        """The last result of `grad`, which old releases of MindSpore returned by a separate call."""
        return self._last

    def sync(self):
        """Wait until everything that was started is done."""
        import jax

        jax.effects_barrier()

    def grad_flag(self):
        """Whether a gradient is being recorded."""
        return here().recorder is not None

    def set_grad_flag(self, flag):
        """Recording starts and ends with the gradient functions: nothing to be set."""

    def enable_grad(self):
        """Whether operators take part in gradients now: not after `set_enable_grad(False)`."""
        return not here().switched_off

    def requires_grad(self):
        """Whether operators are being recorded for a gradient now."""
        return self.enable_grad() and self.grad_flag()

    def set_enable_grad(self, flag):
        """Set whether results of the following operators take part in gradients, or are constants for them."""
        off = here().switched_off
        if flag and off is not None:
            change(switched_off=None)
            off.__exit__(None, None, None)
        elif not flag and off is None:
            off = no_gradient()
            off.__enter__()
            change(switched_off=off)

    def set_async_for_graph(self, flag):
        """Compiled functions are always started without waiting: nothing to be set."""

    def set_is_run_recompute(self, status):
        """Recomputation is part of the gradient: nothing to be set."""


def cell_attr_register(fn: Callable | None = None, attrs: Any = None):
    """Decorator that MindSpore puts on a Cell's `__init__` to keep its arguments for its compiler; here `fn` stays as it is."""
    return constexpr(fn)


_cell_graph_executor = _executor = _GraphExecutor()
_pynative_executor = _PynativeExecutor()
