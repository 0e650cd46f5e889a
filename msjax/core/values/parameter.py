"""Parameter: a named Tensor that training changes; its value is read and written through the current frame."""

import copy
import inspect
import numbers
import weakref
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ..above import above
from ..compat import Tracer
from ..errors import Unstageable
from ..process import shared
from ..settings.context import get_ps_context, note_host_memory
from ..settings.execution_state import here
from . import dtype as mstype
from .buffer import _Buffer as _Buffer  # MindSpore has it here
from .copies import own_copy
from .deferred import SHAPES, Deferred, of_initializer, shape_alone, value_of
from .filled import try_to_fill
from .initializer import initializer
from .ownership import content, hand_out, keep, put
from .parameter_settings import Setting, checked_bool
from .rows import UNMADE, Row
from .tensor import NoAttribute, Tensor, converted, device_array, flatten, host_array, to_array, unflatten, wrap

if TYPE_CHECKING:
    from .dtype import Type

PARAMETER_NAME_DEFAULT = "Parameter"
PARAMETER_NAME_PREFIX_MAX_LEN = 1024

__all__ = ["Parameter", "ParameterTuple"]


@jax.jit
@jax.custom_jvp
def as_state(new: jax.Array, old: jax.Array):
    """`new`, with the derivative of `old`.

    What a Parameter is given is state: as in MindSpore no gradient flows into it, and a use of the Parameter after it is differentiated
    with respect to the Parameter itself.
    """
    return new


@as_state.__wrapped__.defjvp
def _as_state_jvp(primals, tangents):
    return primals[0], tangents[1]


class _Info:
    """The info object of a library's Parameter class: the attributes of Parameter itself, even if the library replaced them."""

    def __init__(self, box):
        object.__setattr__(self, "box", box)

    def __getattr__(self, name):
        found = inspect.getattr_static(Parameter, name, None)
        return found.__get__(self.box, Parameter) if hasattr(found, "__get__") else getattr(self.box, name)

    def __setattr__(self, name, value):
        found = inspect.getattr_static(Parameter, name, None)
        if hasattr(found, "__set__"):
            found.__set__(self.box, value)
        else:
            setattr(self.box, name, value)


class _ParameterMeta(type(Tensor)):
    """The class of the class Parameter."""

    def __dir__(cls):
        """For Parameter classes of libraries: names without the methods of Tensor, as before 2.5; a library adds its own Tensor's."""
        names = super().__dir__()
        if cls is Parameter or cls.__module__.partition(".")[0] == __name__.partition(".")[0]:
            return names
        own = {name for kind in cls.__mro__ if kind not in Tensor.__mro__ for name in vars(kind)}
        return [name for name in names if name in own or name in _CPP]


_CPP = {*dir(object), "asnumpy", "dtype", "shape", "_shape", "set_dtype", "data_sync", "assign_value", "init_flag"}


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A Tensor with a name, which optimizers update and checkpoints store.

    Args:
        default_input: Tensor, Parameter, NumPy array, number, bool, list, or a Tensor made by `initializer`.
        name: key in checkpoints; a Cell puts its own name before it. requires_grad: whether optimizers get it.
        layerwise_parallel, parallel_optimizer, storage_format, device: recorded for scripts that read them back.

    Raises:
        TypeError, ValueError: as MindSpore's, for a name or data of the wrong kind.

    Example:
        >>> print(Parameter(Tensor([1.0, 2.0]), name="w"))
        Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True)
    """

    _defined_in = "mindspore.common.parameter"
    _through_frames = True
    _of_engine = False  # whether the engine makes it when it is first needed, also in a trace

    layerwise_parallel, parallel_optimizer, cache_enable = Setting(bool), Setting(bool), Setting(bool)
    parallel_optimizer_comm_recompute, sliced = Setting(bool), Setting()
    comm_fusion, key = Setting(int, 0), Setting(int)

    def __init__(
        self,
        default_input: float | Tensor | np.ndarray | list,
        name: str | None = None,
        requires_grad: bool = True,
        layerwise_parallel: bool = False,
        parallel_optimizer: bool = True,
        storage_format: str = "",
        device: str | None = None,
    ):
        active = here().recorder
        if active is not None and active.is_frame and active.converting and not self._of_engine:
            raise Unstageable("a Parameter is made while the function is compiled: make Parameters in __init__")
        self._var = None
        if device is not None and device.upper() == "CPU":
            note_host_memory("Parameter(device='CPU')")
        self.__dict__.update(
            _name=_checked_name(name),
            _requires_grad=checked_bool("requires_grad", requires_grad),
            layerwise_parallel=checked_bool("layerwise_parallel", layerwise_parallel),
            parallel_optimizer=checked_bool("parallel_optimizer", parallel_optimizer),
            storage_format=storage_format,
            is_param_ps=False,
            init_in_server=False,
            cache_enable=False,
            _cache_shape=[],
            _pipeline_stages=[],
            comm_fusion=1,
            parallel_optimizer_comm_recompute=False,
            sliced=False,
            is_in_shard=False,
            requires_aggr=True,
            push_weight_to_server=False,
            pull_weight_from_server=False,
            key=-1,
            cast_type=None,
            unique=False,
            from_ckpt=False,
            init_mode=None,
            param_tuple=None,
        )
        if isinstance(default_input, (bool, np.bool_)):
            raise ValueError("Parameter data can not be `bool`")
        if isinstance(default_input, int):
            default_input = np.int32(default_input)
        if isinstance(
            default_input, (numbers.Number, np.ndarray, np.generic, list, tuple, Tensor, jax.Array, Deferred)
        ):
            data = _content(default_input)
        else:
            raise TypeError(
                "For 'Parameter', the type of the argument 'default_input' must be in ['Tensor', 'int', 'float', "
                f"'numpy.ndarray', 'list'], but got type {type(default_input)}."
            )
        if isinstance(data, Tracer):
            raise RuntimeError(
                f"Parameter '{self._name}' was made of a traced value. Make Parameters in __init__, not in construct or in a @jit function."
            )
        keep(self, data)
        if hasattr(default_input, "_lend_place"):  # a DTensor lies in a way of its own
            default_input._lend_place(self)

    def __getattr__(self, name):
        raise NoAttribute(type(self), name)

    # --- value
    @property
    def _raw(self):
        """The box's content as it is, for a reader that does not keep it: an array, or an uncomputed Deferred or Row."""
        return content(self)

    def _made(self):
        """As `_raw`, an array: content that was deferred is made; a row stays, and gives the present content."""
        array = content(self)
        if type(array) is Row:
            return array.make()
        if type(array) is Deferred:
            array = value_of(array, f"Parameter '{self.name}'")
            keep(self, array)
        return array

    @property
    def _lent(self):
        """The array as this code sees it, for a reader that lets go of it (see `ownership`)."""
        active = here().recorder
        if active is not None and active.is_frame:
            return active.read_box(self)
        array = content(self)
        return array if type(array) not in UNMADE else self._made()

    @property
    def _data(self):
        active = here().recorder
        if active is not None and active.is_frame:
            return active.read_box(self)
        array = hand_out(self)
        return array if type(array) not in UNMADE else self._made_for_others()

    def _made_for_others(self):
        """As `_made`, for a reader that may go on to hold it."""
        self._made()
        array = hand_out(self)
        return array.make() if type(array) is Row else array

    @_data.setter
    def _data(self, array):
        self._assign(array)

    def _rebind_raw(self, array, owner):
        put(self, array)
        self._var = None

    def _assign(self, array, var=None):
        """Make this Parameter hold `array`: state, so on a tape it stays the same variable, and a trace differentiates it as the Parameter."""
        active = here().recorder
        if active is not None and active.is_frame:
            if active.differentiated:
                present = active.read_box(self)
                array = as_state(array, present) if array.shape == present.shape else jax.lax.stop_gradient(array)
            active.write_box(self, array)
            return
        if isinstance(array, Tracer):
            raise RuntimeError(
                f"Parameter '{self.name}' was assigned a traced value outside any msjax transform; use ms.jit / ms.grad, not jax.jit / jax.grad."
            )
        log = here().rollback
        if log is not None and id(self) not in log:
            log[id(self)] = (self, self._made() if type(self._raw) is Row else self._raw)
        put(self, array)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the axes, as a tuple of ints."""
        return content(self).shape

    @property
    def dtype(self) -> mstype.Type:
        """MindSpore dtype of the elements."""
        return mstype.from_numpy(content(self).dtype)

    @property
    def data(self):
        """A Tensor that shares the content: `p.data[0] = 1` changes p. Assigning it replaces the content."""
        return above.sharing(self)

    @data.setter
    def data(self, value: Any):
        self.set_data(value)

    # --- name and flags
    @property
    def name(self) -> str:
        """Key of the Parameter in its Cell and in checkpoints."""
        return self._name

    @name.setter
    def name(self, value: str):
        self.__dict__["_name"] = _checked_name(value)

    @property
    def requires_grad(self):
        """Whether gradients are wanted for it."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool):
        if self._requires_grad != checked_bool("requires_grad", value):
            self.__dict__["_requires_grad"] = value
            shared.touch()
            if type(self._var) is int or "_held_token" in self.__dict__:
                self._hold_token(not value)

    # In eager code a Parameter that is frozen on the way forward is followed again from where it is not frozen: its token waits till then.
    def _hold_token(self, held):
        if held:
            self.__dict__["_held_token"], self._var = self._var, None
        else:
            self._var = self.__dict__.pop("_held_token", self._var)

    def _start_following(self, token, wanted):
        self._var = token
        if not wanted:
            self._hold_token(True)

    def _stop_following(self, token, before):
        """The token of before, where it was not re-bound since."""
        held = self.__dict__.pop("_held_token", None)
        if token in (self._var, held):
            self._var = before

    @property
    def has_init(self) -> bool:
        """False: content is made when the Parameter is."""
        return False

    @property
    def is_init(self):
        """Whether the content was sent to the device, as scripts recorded it; False at first."""
        return self.__dict__.get("_is_init", False)

    @is_init.setter
    def is_init(self, value: Any):
        self.__dict__["_is_init"] = value

    @property
    def inited_param(self):
        """None: there is no other Parameter that `init_data` made of this one."""
        return None

    @staticmethod
    def _get_parameter_new_args(data, rc=0, init_param=True):
        """(class, arguments) that a library's own Parameter makes its content with, before `__init__`."""
        return (Tensor, data) if isinstance(data, Tensor) else (Tensor, np.asarray(data))

    @staticmethod
    def _get_base_class(input_class):
        """The class of a Parameter whose content is of this class: Parameter, as every one is a Tensor."""
        return Parameter

    @property
    def param_info(self):
        """The Parameter itself serves as its info object (name, requires_grad, ...); assigning one takes those over."""
        return self if type(self) is Parameter else _Info(self)

    @param_info.setter
    def param_info(self, info: Any):
        self.name, self.requires_grad = info.name, info.requires_grad

    @property
    def cache_shape(self):
        """Sizes of the cache of an embedding table: recorded."""
        return self._cache_shape

    @cache_shape.setter
    def cache_shape(self, shape: Sequence[int]):
        if not isinstance(shape, (tuple, list)):
            raise TypeError(f"The argument `cache_shape` must be tuple or list type, but got {shape!r}.")
        self.__dict__["_cache_shape"] = list(shape)

    def add_pipeline_stage(self, stage: int):
        """Record a pipeline stage that uses the Parameter. TypeError for a value that is not an int, or negative."""
        if not isinstance(stage, int) or stage < 0:
            raise TypeError(f"`stage` must be a positive number of int type, but got {stage!r}")
        self._pipeline_stages.append(stage)

    # --- what MindSpore offers on it
    def set_data(self, data: Tensor | float, slice_shape: bool = False):
        """Replace the content; the dtype stays, the shape becomes that of `data` (with or without `slice_shape`).

        Raises:
            TypeError: `data` is not a Tensor, number or array.
        """
        if not isinstance(data, (Tensor, int, float, np.ndarray)):
            raise TypeError(
                f"Parameter data must be [`Tensor`, `int`, `float`] or a kind of `Tensor` (like `Tensor`). But with type {type(data)}."
            )
        old = content(self)
        new = _deferred_content(data) if type(old) is Deferred or here().contents is SHAPES else None
        if new is None and (waiting := _of_file(data)) is not None:
            if type(old) is not Row and waiting.shape == old.shape and here().rollback is None:
                lies, waiting = old.sharding, waiting.astype(old.dtype)
                del old
                return self._take(waiting, lies)
            new = waiting  # of a row of a stack: equal layers will be stacked anew
        if new is None:
            if isinstance(data, Tensor) and data.has_init:
                data.init_data()
            new = data._data if isinstance(data, Tensor) else to_array(data)
        if new.shape != old.shape:
            shared.touch()
        above.replaced(self)
        if new.dtype != old.dtype:
            new = _in_dtype(new, old.dtype)
        elif isinstance(data, Tensor) and isinstance(new, jax.Array) and not isinstance(new, Tracer):
            new = own_copy(new, old)
        self._assign(new := shape_alone(new))
        if content(self) is new:  # and not a Frame's: nobody else has it
            keep(self, new)
        return self

    def _take(self, waiting, lies):
        """Make content where the present one lies. That one is gone before, so that no device ever has both."""
        if waiting.fill is not None:
            try_to_fill(waiting.fill, waiting.shape, waiting.dtype)
        above.replaced(self)
        put(self, waiting)
        keep(self, waiting.make(lies))
        return self

    def assign_value(self, value: Any):
        """Replace the content by that of a Tensor of the same dtype, and return the Parameter."""
        return self.set_data(value)

    assign_value_cpp = assign_value

    def init_data(self, layout: Any = None, set_sliced: bool = False):
        """The Parameter itself: content exists since it was made."""
        return self

    def value(self) -> Tensor:
        """A Tensor with the present content."""
        return wrap(self._data, self._var)

    def asnumpy(self) -> np.ndarray:
        """Content as a NumPy array: a copy that may be written."""
        held = self._raw
        return held.host() if type(held) is Row and here().recorder is None else np.array(host_array(self._lent))

    def set_dtype(self, dtype: "Type"):
        """Change the dtype in place, and return the dtype."""
        present = content(self) if here().recorder is None else None
        present = present if type(present) is Deferred else self._data
        self._assign(_in_dtype(present, dtype))
        shared.touch()
        return self.dtype

    def set_param_fl(self, push_to_server: bool = False, pull_from_server: bool = False, requires_aggr: bool = True):
        """Record the federated-learning flags."""
        self.push_weight_to_server, self.pull_weight_from_server, self.requires_aggr = (
            push_to_server,
            pull_from_server,
            requires_aggr,
        )

    def set_param_ps(self, init_in_server: bool = False):
        """Record that a parameter server would keep it; see `set_ps_context`. RuntimeError without `enable_ps`."""
        if not get_ps_context("enable_ps"):
            raise RuntimeError(
                "Please complete following two steps before calling set_param_ps: 1. context.set_ps_context(enable_ps=True), "
                "2. export MS_ROLE environment variable."
            )
        self.is_param_ps, self.init_in_server = True, init_in_server

    def clone(self, init: Any = "same"):
        """A new Parameter of the same shape, dtype and flags.

        `init` is "same" (copy the content), or the name of an initializer, an Initializer, a number or a Tensor.
        """
        if isinstance(init, str) and init == "same":
            data = content(self)
            data = data if type(data) is Deferred else device_array(np.asarray(data))
        elif isinstance(init, Tensor):
            data = init
        else:
            data = initializer(init, self.shape, self.dtype)
        twin = Parameter(
            data,
            name=self.name,
            requires_grad=self.requires_grad,
            layerwise_parallel=self.layerwise_parallel,
            parallel_optimizer=self.parallel_optimizer,
        )
        twin.comm_fusion, twin.cache_enable, twin.unique = self.comm_fusion, self.cache_enable, self.unique
        return twin

    def __deepcopy__(self, memo):
        twin = self.clone()
        memo[id(self)] = twin
        own = {*twin.__dict__, "_accu_grad"}
        twin.__dict__.update({k: copy.deepcopy(v, memo) for k, v in self.__dict__.items() if k not in own})
        return twin

    def __copy__(self):
        return self.clone()

    def __reduce__(self):
        return _from_host, (np.array(np.asarray(self._made())), self.name, self.requires_grad)

    def __repr__(self):
        return f"Parameter (name={self.name}, shape={tuple(self.shape)}, dtype={self.dtype}, requires_grad={self.requires_grad})"

    __str__ = __repr__

    def __format__(self, spec):
        return format(wrap(self._data), spec) if spec else str(self)

    __hash__ = Tensor.__hash__


def _in_dtype(held, dtype):
    """The content of a box in another dtype; content that is still an initializer stays one."""
    return held.astype(mstype.to_numpy(dtype)) if type(held) is Deferred else converted(held, dtype)


class ParameterTuple(tuple[Parameter, ...]):
    """A tuple of Parameters whose names differ.

    Raises:
        TypeError: an element is not a Parameter.
        RuntimeError: one Parameter, or one name, occurs twice.
    """

    def __new__(cls, iterable: Iterable = ()):
        items = tuple(iterable)
        seen = {}
        for p in items:
            if not isinstance(p, Parameter):
                raise TypeError(
                    f"For ParameterTuple initialization, ParameterTuple input should be 'Parameter' collection, but got {type(p).__name__}: {p!r}."
                )
            if seen.setdefault(p.name, p) is not p:
                raise ValueError(
                    f"The value {p} , its name '{p.name}' already exists. Please set a unique name for the parameter."
                )
        return super().__new__(cls, items)

    def clone(self, prefix: str, init: Any = "same"):
        """Copies of all Parameters with `prefix.` before their names; `init` as for `Parameter.clone`."""
        if not isinstance(prefix, str):
            raise TypeError(f"For 'ParameterTuple.clone', the 'prefix' must be str, but got {type(prefix).__name__}.")
        twins = []
        for p in self:
            twin = p.clone(init)
            twin.name = f"{prefix}.{p.name}"
            if prefix == "accu_grads":  # by this name MindSpore knows the sums of gradients over the parts of a step
                p.__dict__["_accu_grad"] = weakref.ref(twin)
            twins.append(twin)
        return ParameterTuple(twins)

    def __parameter_tuple__(self):
        """Marks the type for code that asks for it."""


def _content(given):
    """The content of a new Parameter: an array of its own, or a Deferred."""
    found = given if type(given) is Deferred else _deferred_content(given)
    if found is None:
        if isinstance(given, Tensor) and given.has_init:
            given.init_data()
        found = shape_alone(to_array(given))
    return found


def _of_file(given):
    """Content of a Parameter that is still to be made, for one whose place is known; None while a gradient or a trace is recorded."""
    held = content(given) if isinstance(given, Parameter) and here().recorder is None else None
    return held if type(held) is Deferred else None


def _deferred_content(given):
    """The content of a Parameter or of a Tensor made with `init=`, if that can wait; else None."""
    if not isinstance(given, Tensor):
        return None
    if isinstance(given, Parameter):
        array = content(given)
        return array if type(array) is Deferred else None
    if not given.has_init:
        return None
    found = of_initializer(given.__dict__["init"], given.shape, mstype.to_numpy(given.dtype))
    if found is None:
        return None
    given.__dict__["init"] = found[1]  # a second Parameter of the same Tensor gets the same content
    return found[0]


def is_generated_name(name: str):
    """Whether a Parameter got its name by itself, because it was given none."""
    return name.startswith(f"{PARAMETER_NAME_DEFAULT}#")


_is_parameter_generated = is_generated_name  # MindSpore's name for it


def _get_unique_parameter_key():
    """The next number that identifies a table of a parameter server."""
    return next(shared.tables)


def _checked_name(name):
    if name is None or isinstance(name, str) and not name.strip():
        return f"{PARAMETER_NAME_DEFAULT}#{next(shared.unnamed)}"
    if not isinstance(name, str):
        raise ValueError(f"The type of the Parameter's name should be 'string' or 'None', but got {type(name)}.")
    if len(name) > PARAMETER_NAME_PREFIX_MAX_LEN:
        raise ValueError(
            f"The Parameter's name must have 1 to {PARAMETER_NAME_PREFIX_MAX_LEN} characters, but got {name!r}."
        )
    return name.strip()


def _from_host(array, name, requires_grad):
    return Parameter(array, name=name, requires_grad=requires_grad)


jax.tree_util.register_pytree_node(Parameter, flatten, unflatten)
