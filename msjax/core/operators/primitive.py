"""Primitive: the class form of an operator, `ops.ReduceSum(keep_dims=True)(x, axis)`.

The classes are made by `faces.py` from the records; this is what they have in common, and what user code may ask of them.
"""

import contextlib
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast, overload

from ..above import above
from ..hints import check_keywords
from ..spec.texts import ClassSignature

_F = TypeVar("_F", bound=Callable)
_NESTED = (
    "GroupedMatmul",
    "FusedInferAttentionScore",
    "Custom",
    "Index",
)  # their strategies may hold tuples and Layouts


@functools.cache
def _sharded(kind):
    """The class of a Primitive that has strategies: the same, with its Tensors placed."""
    signature = inspect.signature(kind.__call__)

    def call(self, *args, **kwargs):
        if kwargs:  # strategies are by position
            with contextlib.suppress(
                TypeError
            ):  # names of another face; the call itself knows them, or tells the error
                bound = signature.bind(self, *args, **kwargs)
                args, kwargs = bound.args[1:], bound.kwargs
        return above.call_with_strategies(self, functools.partial(kind.__call__, self, **kwargs), args)

    return type(
        kind.__name__,
        (kind,),
        {"__call__": call, "_unsharded": kind, "__module__": kind.__module__, "__doc__": kind.__doc__},
    )


def _told(strategy):
    """Layouts, also in tuples, as dictionaries."""
    return tuple(
        _told(one) if isinstance(one, tuple) else {k: v for k, v in one.to_dict().items() if k != "rank_list"}
        for one in strategy
        if isinstance(one, tuple) or hasattr(one, "to_dict")
    )


_TARGETS = ("", "CPU", "GPU", "Ascend")  # of an operator; "": wherever the others are


class Primitive:
    """Base of all operator classes: attributes are given when it is made, Tensors when it is called."""

    __signature__ = ClassSignature()
    _attributes = ()  # names of the constructor's parameters
    const_value = None

    def __new__(cls, /, *args, **kwargs):
        if kwargs:
            check_keywords(cls, kwargs)
        return super().__new__(cls)

    def __init__(self, name: str | None = None):
        self.name = name or type(self).__name__
        self.attrs = {}
        self.instance_name = self.name

    def __call__(self, *args):
        raise RuntimeError(
            f"The operator '{self.name}' has no implementation: it was declared by name only. Define it as a function of "
            "JAX arrays with msjax.register_op, or as a Cell."
        )

    @property
    def init_attrs(self):
        """The constructor's arguments by name, defaults included."""
        return self._settings() or dict(self.__dict__.get("_given", {}))

    def _settings(self):
        return {k: getattr(self, k) for k in self._attributes if k in self.__dict__}

    def __repr__(self):
        settings = {**self._settings(), **self.attrs}
        settings = {k: v for k, v in settings.items() if k not in ("input_names", "output_names")}
        inside = ", ".join(f"{k}={v}" for k, v in settings.items())
        return f"Prim[{self.name}]<{inside}>" if inside else f"Prim[{self.name}]"

    def __deepcopy__(self, memo):
        return self._again()

    def _again(self):
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.attrs = dict(self.attrs)
        return twin

    clone = _again

    def add_prim_attr(self, name: str, value: Any):
        """Record an attribute (readable as `prim.name` and in `prim.attrs`) and return the Primitive.

        Raises:
            RuntimeError: a `primitive_target` that is not a device.
        """
        if name == "primitive_target" and value not in _TARGETS:
            raise RuntimeError(
                f"Call 'add_attr' to add attribute to primitive '{self.name}' failed, value of attribute 'primitive_target' "
                f"must be CPU|GPU|Ascend but got {value}"
            )
        self.__dict__[name] = value
        self.attrs[name] = value
        return self

    def del_prim_attr(self, name: str):
        """Remove a recorded attribute and return the Primitive."""
        self.attrs.pop(name, None)
        self.__dict__.pop(name, None)
        return self

    def set_prim_instance_name(self, instance_name: str):
        """Record a name for this instance and return the Primitive."""
        self.instance_name = instance_name
        return self

    def init_prim_io_names(self, inputs: Sequence[str], outputs: Sequence[str]):
        """Record the names of inputs and outputs."""
        self.add_prim_attr("input_names", inputs)
        self.add_prim_attr("output_names", outputs)

    def shard(self, in_strategy: tuple | None = None, out_strategy: tuple | None = None):
        """Split the inputs (and outputs) over several devices, and return the Primitive.

        A strategy has a tuple for each Tensor, with the number of parts along each axis, or a Layout. It holds in compiled programs
        that run on several devices (see `msjax.parallel`).

        Example:
            >>> ops.MatMul().shard(((2, 1), (1, 4))).in_strategy
            ((2, 1), (1, 4))
        """
        kinds = {}
        for what, strategy in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
            if strategy is not None:
                kinds[what] = self._check_strategy(what, strategy)
        if len(set(kinds.values())) > 1 and not self._takes_nested():
            raise ValueError(
                "The in_strategy type must equal to the out_strategy type, one using tuple(tuple) and the other using "
                "tuple(Layout) is not allowed."
            )
        if in_strategy is None and out_strategy is not None:
            raise ValueError(
                f"The out_strategy of {self.name} is {out_strategy}, need to set in_strategy, but got none"
            )
        self.in_strategy, self.out_strategy = in_strategy, out_strategy
        for what, layouts in kinds.items():
            value = getattr(self, what)
            if layouts:  # as MindSpore tells it
                self.add_prim_attr(what.replace("strategy", "layout"), _told(value))
            else:
                self.add_prim_attr(what, value)
        if (in_strategy or out_strategy) and not hasattr(type(self), "_unsharded"):
            self.__class__ = _sharded(type(self))
        return self

    def _takes_nested(self):
        return self.name in _NESTED or getattr(self, "self_define_shard", False)

    def _check_strategy(self, what, strategy):
        """Whether a strategy is one of Layouts; TypeError if it is of neither kind."""
        if not isinstance(strategy, tuple):
            raise TypeError(f"{what} must be tuple type, but got:{type(strategy)}")
        layouts = False
        for i, one in enumerate(strategy):
            is_layout = hasattr(one, "to_dict")
            if not isinstance(one, tuple) and not is_layout:
                raise TypeError(f"The element of strategy must be tuple/Layout type, but got:{type(one)}")
            layouts = is_layout if i == 0 else layouts
            if self._takes_nested():
                layouts = layouts or i == 0 and any(hasattr(part, "to_dict") for part in one)
                continue
            for parts in () if is_layout else one:
                if not isinstance(parts, int):
                    raise TypeError(
                        f"The {what}: {strategy} of {self.name} is not valid, the value of strategy must be int type, "
                        f"but got:{type(parts)}"
                    )
            if layouts and not is_layout:
                raise TypeError(f"The {what} item should be a object of class Layout.")
        return layouts

    def set_device(self, device_target: str):
        """Record a device wish and return the Primitive; placement is JAX's."""
        return self.add_prim_attr("primitive_target", device_target)

    def place(self, role: str, rank_id: int, group: str = "hccl_world_group"):
        """Record a placement for several processes."""
        if role != "MS_WORKER":
            raise ValueError(
                f"For 'Primitive.place', the 'role' must be str and must be in 'MS_WORKER', but got '{role}'."
            )
        if not isinstance(rank_id, int):
            raise TypeError(f"For 'Primitive.place', the 'rank_id' must be int, but got '{type(rank_id).__name__}'")
        self.add_prim_attr("ms_role", role)
        self.add_prim_attr("rank_id", rank_id)

    def set_stage(self, stage: int):
        """Record a pipeline stage and return the Primitive."""
        return self.add_prim_attr("stage", stage)

    def recompute(self, mode: bool = True):
        """Record that the result is to be computed again in the backward; XLA decides for single operators."""
        if not isinstance(mode, bool):
            raise TypeError(f"For 'Primitive.recompute', the 'mode' must be bool, but got {type(mode).__name__}.")
        return self.add_prim_attr("recompute", mode)

    def check_elim(self, *args):
        """(whether the call can be left out, its value): never here."""
        return False, None

    @property
    def update_parameter(self):
        """Whether the operator changes a Parameter."""
        return bool(getattr(self, "_writes", ()))


class PrimitiveWithInfer(Primitive):
    """Base of Primitives that state their own shapes. One that computes nothing can be compiled, as in MindSpore, and fails when it runs."""

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        own = vars(cls).get("__call__")
        if not hasattr(cls, "infer_shape") and not hasattr(cls, "__infer__") or "_unsharded" in vars(cls):
            return
        if own is None and cls.__call__ is not Primitive.__call__:
            return

        def call(self, *args):
            if own is not None:
                with contextlib.suppress(NotImplementedError):
                    return own(self, *args)
            return above.call_declared(self, args)

        cls.__call__ = functools.wraps(own)(call) if own is not None else call


class PrimitiveWithCheck(Primitive):
    """Base of Primitives that check their own arguments."""


def prim_attr_register(fn: _F) -> _F:
    """Decorator of a Primitive's `__init__`: keeps every argument as an attribute."""
    import functools
    import inspect

    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def init(self, *args, **kwargs):
        Primitive.__init__(self, type(self).__name__)
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        self._given = dict(list(bound.arguments.items())[1:])
        for name, value in self._given.items():
            self.add_prim_attr(name, value)
        fn(self, *args, **kwargs)

    return cast(_F, init)


@overload
def constexpr(
    fn: _F, get_instance: bool = True, name: str | None = None, reuse_result: bool = True, check: bool = True
) -> _F: ...


@overload
def constexpr(
    fn: None = None, get_instance: bool = True, name: str | None = None, reuse_result: bool = True, check: bool = True
) -> Callable[[_F], _F]: ...


def constexpr(
    fn: Callable | None = None,
    get_instance: bool = True,
    name: str | None = None,
    reuse_result: bool = True,
    check: bool = True,
) -> Any:
    """Decorator for a function that runs in Python while a graph is traced. All Python does here, so the function stays as it is.

    get_instance: without it, what is decorated gives the function when it is called, as a class gives an instance.
    """
    if fn is None:
        return lambda f: constexpr(f, get_instance)
    return fn if get_instance else lambda: fn


_primexpr = constexpr
