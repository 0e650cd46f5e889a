"""Names that Python code imports from MindSpore's C++ core (`_c_expression`) and its inner `common` modules, where they
have a meaning here.
"""

import enum
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import log
from ..core.settings import context
from ..core.settings.execution_state import within
from ..core.settings.seed import kernel_seeds
from ..core.values.initializer import fill_normal, fill_truncated_normal, fill_uniform
from ..core.values.tensor import Tensor
from .compile_options import _GraphExecutor as _CellGraphExecutor  # noqa: F401


class NoFallbackGuard(within):
    """A block in which operators read Tensors of a user's class (DTensors) as plain Tensors."""

    __slots__ = ()

    def __init__(self):
        super().__init__(plainly=True)


class _TensorPyMeta(type(Tensor)):
    def __instancecheck__(cls, instance):
        return isinstance(instance, Tensor) if cls is TensorPy else super().__instancecheck__(instance)

    def __call__(cls, *args, **kwargs):
        return Tensor(*args, **kwargs) if cls is TensorPy else super().__call__(*args, **kwargs)


_OWN = "__repr__ __str__ asnumpy dtype shape _data_ptr"


class TensorPy(Tensor, metaclass=_TensorPyMeta):
    """The C++ base class of Tensor: every Tensor is an instance, and its methods return Tensors. Its own members keep
    working when a library replaces members of Tensor, because the replacements call them.
    """

    locals().update({name: vars(Tensor)[name] for name in _OWN.split() if name in vars(Tensor)})


class StubTensor(Tensor):
    """A Tensor whose operator has not run yet, in MindSpore 2.1 to 2.5. In msjax no operator returns one; toolkits
    derive their own Tensors from it.

    Args:
        stub: not used, unless it is the Tensor. tensor: the Tensor that it stands for.
    """

    stub = None

    def __init__(self, stub: Any = None, tensor: Any = None):
        super().__init__(stub if tensor is None else tensor)

    tensor = property(
        lambda self: Tensor(self),
        lambda self, tensor: Tensor.__init__(self, tensor),
        doc="The Tensor that it stands for.",
    )

    def stub_sync(self):
        """The Tensor behind the placeholder."""
        return self.tensor


class MixedPrecisionType(enum.Enum):
    """The type that the inputs of a Cell are cast to."""

    NOTSET, FP16, FP32, BF16 = range(4)


class Cell_:
    """The C++ base of Cells."""

    def get_mixed_precision_type(self):
        """The type that `to_float`, amp or `set_mixed_precision_type` set for this Cell."""
        flags = self._flags_set
        return next((t for t in MixedPrecisionType if flags.get(t.name.lower())), MixedPrecisionType.NOTSET)

    def set_mixed_precision_type(self, mixed_type: Any):
        """Cast the inputs of this Cell, not of those below it, to another type."""
        kinds = list(MixedPrecisionType)[1:]
        self.add_flags(**{kind.name.lower(): kind is mixed_type for kind in kinds})


class ParamInfo:
    """The record of a Parameter about itself (`Parameter.param_info`)."""

    def __init__(self):
        self.name, self.requires_grad, self.layerwise_parallel = "", True, False
        self.parallel_optimizer, self.comm_fusion, self.init_in_server = True, 1, False


class CreationType(enum.IntEnum):
    """The origin of a Tensor, for the checks of in-place changes."""

    DEFAULT, NO_GRAD_DEFAULT, IN_CUSTOM_BPROP, MULTI_OUTPUT = range(4)


def _random_normal(seed, arr, mean, sigma):
    """Fill an array with normal draws; the same seed gives the same."""
    fill_normal(arr, mean, sigma, seed)


def _random_uniform(seed, arr, a, b):
    """Fill an array with uniform draws from [a, b)."""
    fill_uniform(arr, a, b, seed)


def _truncated_normal(seed, arr, a, b, mean, sigma):
    """Fill an array with normal draws between `a` and `b`."""
    fill_truncated_normal(arr, mean, sigma, a, b, seed)


random_normal, random_uniform, truncated_normal = _random_normal, _random_uniform, _truncated_normal  # until 2.2


def _get_graph_seed(op_seed, kernel_name):
    """The next (seed, second seed) for an operator whose own seed is `op_seed` (0 or None: none)."""
    return kernel_seeds(op_seed, kernel_name)


_get_seed = _get_graph_seed


def _set_prim_op_user_data(prim, key, value):
    """Keep an attribute of a Primitive, and give the Primitive back."""
    prim.add_prim_attr(key, value)
    return prim


def _run_op(obj, op_name, args):
    """Call a Primitive with a tuple of arguments."""
    return obj(*args)


def _stub_method(fn):
    """Decorator for functions of Tensors whose operator has not run yet; here every operator has run."""
    return fn


class MSContext:
    """The C++ side of `set_context`, for Python code that reads it."""

    _instance = None

    @classmethod
    def get_instance(cls):
        """The one instance."""
        cls._instance = cls._instance or cls()
        return cls._instance

    def get_param(self, key: Any):
        """The value of a setting, by its name (`ms_ctx_param.mode`)."""
        return context.get_context(key)

    def set_param(self, key: Any, value: Any):
        """Set a setting by its name."""
        context.set_context(**{key: value})

    def get_ascend_soc_version(self):
        """Name of the Ascend chip: None, because msjax does not run on Ascend."""
        return ""

    def is_ascend_plugin_loaded(self):
        """Whether Ascend devices can be used: no."""
        return False

    def is_pkg_support_device(self, device: str):
        """Whether programs run on a kind of device."""
        return device in ("CPU", "GPU")


class _ContextParameters:
    """`ms_ctx_param.mode` and the like: the names of settings."""

    def __getattr__(self, name):
        return name


ms_ctx_param = _ContextParameters()


def enable_security():
    """False: this is not a build without debugging functions."""
    return False


def get_security():
    """As `enable_security`."""
    return enable_security()


def _empty_instance(size, dtype=None, device=None):
    """A Tensor of that shape, whose content is not to be relied on."""
    from ..core.values import dtype as mstype

    return Tensor(np.empty(size, mstype.dtype_to_nptype(dtype or mstype.float32)))


def pyboost_empty(arguments: Any):
    """The same of `[size, dtype, device]`."""
    return _empty_instance(*arguments)


def jit_mode_pi_enable():
    """MindSpore's bytecode tracer: functions are traced as ever."""


def jit_mode_pi_disable():
    """MindSpore's bytecode tracer: functions are traced as ever."""


def update_pijit_default_config(**kwargs):
    """Settings of MindSpore's bytecode tracer: functions are traced as ever."""


def contiguous(input: Any):
    """The Tensor: all Tensors are contiguous."""
    return input


class PyNativeExecutor_:
    """The C++ executor of eager code."""

    @staticmethod
    def get_instance():
        """The object that `common.api` offers as `_pynative_executor`."""
        from .compile_options import _pynative_executor

        return _pynative_executor


class FileSystem:
    """How files are opened for writing and reading: the built-in `open`, until another is registered."""

    def __init__(self):
        self.create, self.create_args, self.open, self.open_args, self.backend = open, ("ab",), open, ("rb",), "basic"


def _register_basic_file_system(fs):
    """Let a FileSystem use the built-in `open`; True."""
    fs.__init__()
    return True


def _register_mindio_file_system(fs):
    """Let a FileSystem use MindIO; False, for it is not there."""
    return False


def jit_forbidden_register(fn: Callable):
    """Decorator of functions that MindSpore's compiler refuses; they are traced like any other here."""
    return fn


_deprecated_names = set()


def deprecated(version: str, substitute: str, use_substitute_name: bool = False, module_prefix: str = ""):
    """Decorator of functions and methods that will be removed: the first call logs since which version, and the
    replacement.

    use_substitute_name: for classes of operators; kept, it changes nothing here.
    """

    def decorate(fn):
        @functools.wraps(fn)
        def call(*args, **kwargs):
            of_tensor = fn.__qualname__.startswith(("Tensor.", "COOTensor.", "CSRTensor."))
            of_other = "." in fn.__qualname__ and args and not of_tensor
            name = type(args[0]).__name__ if of_other else fn.__qualname__ if of_tensor else fn.__name__
            if (name, version) not in _deprecated_names:
                _deprecated_names.add((name, version))
                advice = f", use '{substitute}' instead" if substitute else ""
                log.warning(
                    f"'{module_prefix}{name}' is deprecated from version {version} and will be removed in a future "
                    f"version{advice}."
                )
            return fn(*args, **kwargs)

        return call

    return decorate


cells_compile_cache = {}  # id of a Cell -> its compiled graphs, in MindSpore: entries here belong to the Cells themselves


class RecomputeRegistry:
    """Keeps the function that makes recomputing Cells for `Cell.recompute`.

    Tools register one of their own to bring random states back; `jax.checkpoint` computes again from the same keys by itself.
    """

    def __init__(self):
        self.recompute_generator = None

    def register(self, fn: Callable):
        """Keep a function from a Cell to a Cell; TypeError for a value that is not callable."""
        if not isinstance(fn, types.FunctionType):
            raise TypeError("Fn should be function type, but got", type(fn))
        self.recompute_generator = fn

    def get(self):
        """The function that was registered; TypeError before."""
        if self.recompute_generator is None:
            raise TypeError("Recompute generator should be initialised before get()!")
        return self.recompute_generator


recompute_registry = RecomputeRegistry()
