"""Cell: the base class of networks, layers, losses and optimizers.

Parameters and sub-Cells are registered by being assigned to attributes, and named by the path to them: these names are the keys of
every checkpoint. Calling a Cell in GRAPH_MODE compiles it; in PYNATIVE_MODE, and inside a trace, it runs as it stands.
"""

import types
from collections import OrderedDict
from collections.abc import Iterator, ValuesView
from typing import Annotated, Any, Self

from ...core.errors import Unstageable
from ...core.hints import check_keywords, instead_of_construct
from ...core.operators.primitive import Primitive
from ...core.operators.record import records
from ...core.process import shared
from ...core.settings.execution_state import here
from ...core.spec.checking import checked
from ...core.spec.rules import Like, Raises, That
from ...core.spec.texts import ClassSignature
from ...core.trace import effects
from ...core.trace.frame import current
from ...core.values import dtype as mstype
from ...core.values.cast_parameter import CastParameter
from ...core.values.parameter import Parameter, ParameterTuple, is_generated_name
from ...core.values.tensor import NoAttribute, Tensor
from ...inner.common import Cell_
from .calls import CellCalls
from .hidden import tell_of_hidden_cells
from .services import CellServices
from .state import Buffer

_PACKAGE = __name__.partition(".")[0] + "."
_SIMPLE = (bool, int, float, str, type(None), mstype.Type)
# Methods that Cells got in 2.5 and later, and methods of older Cells that 2.10 does not have: sub-Cells and Parameters may have these names.
_FREE_NAMES = frozenset(
    "buffers get_buffer get_sub_cell load_state_dict named_buffers offload state_dict to to_empty "
    "cast entry_for flatten_weights infer_param_pipeline_stage load_parameter_slice place "
    "set_parallel_input_with_inputs set_param_fl set_param_ps".split()
)


class Cell(CellCalls, CellServices, Cell_):
    """Base class of networks: make sub-Cells and Parameters in `__init__`, compute in `construct`.

    Args:
        auto_prefix: put the attribute name of a sub-Cell before the names of its Parameters.
        flags: dict of flags, as for `add_flags`.

    Example:
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.dense = nn.Dense(3, 4)
        ...
        ...     def construct(self, x):
        ...         return self.dense(x)
        >>> Net()(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 4)
    """

    _is_traceable = True
    _always_compile = False
    _jit_options = {}

    def __init__(self, auto_prefix: bool = True, flags: Any = None):
        self.__dict__.update(
            _params=OrderedDict(),
            _trained_at_first=set(),  # names under which a Parameter was trainable when it was set, also if it is frozen by now
            _cells=OrderedDict(),
            _buffers=OrderedDict(),
            _primitives=OrderedDict(),
            _tuples_held={},
            _auto_prefix=auto_prefix,
            _version_number=0,
            _compiled=None,
            _gradient_functions=[],  # programs of gradients, see ops.gradient.sharing
            _names_checked=False,
            _phase="predict",
            _flags_set={},
            training=False,
            requires_grad=False,
            _held_hooks=None,
            _param_prefix="",
            _residual_policy=None,
            _scope=None,
            _id=1,
            cell_type=None,
            _func_graph_flags={},
        )
        if flags:
            self.add_flags(**flags)

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._has_bprop = "bprop" in dir(cls)
        for name, value in list(vars(cls).items()):
            if isinstance(
                value, types.MemberDescriptorType
            ):  # of `__slots__`: attributes of Cells live in tables that are watched
                delattr(cls, name)

    def __new__(cls, /, *args, **kwargs):
        if kwargs:
            check_keywords(cls, kwargs)
        return effects.made(super().__new__(cls))

    __signature__ = ClassSignature()
    _has_bprop = False
    _names_family = ("Cell",)  # whose names of other frameworks are explained

    # --- attributes
    def __getattr__(self, name):
        own = self.__dict__
        if "_params" not in own:
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}': call super().__init__() first in its __init__."
            )
        found = own["_params"].get(name)
        if found is not None:
            casting = here().reading
            if (
                casting is not None
                and found.dtype != casting
                and found.dtype in mstype.float_type
                and (found._requires_grad or name in own["_trained_at_first"] or not self._keeps_statistics())
            ):
                return CastParameter.of(found, casting)
            hooks = own.get("_parameter_hooks")
            if hooks is not None and name in hooks and current() is not None:
                return hooks[name](found)
            return found
        for table in ("_cells", "_buffers"):
            if name in own[table]:
                return own[table][name]
        if name in own["_params"]:
            return None
        raise NoAttribute(type(self), name, self._names_family, "The '{kind}' object ")

    def __getstate__(self):
        # A copy compiles anew: a program is that of the Cell it was made for.
        return {**self.__dict__, "_compiled": None, "_gradient_functions": []}

    @classmethod
    def _keeps_statistics(cls):
        """Whether a layer of msjax computes: what it keeps beside its weights (moving statistics) is not cast."""
        return any("construct" in vars(c) and c is not Cell and c.__module__.startswith(_PACKAGE) for c in cls.__mro__)

    def __setattr__(self, name, value):
        own = self.__dict__
        if "_params" not in own:
            if isinstance(value, (Parameter, Cell)):
                raise AttributeError(f"For '{type(self).__name__}', call super().__init__() before assigning '{name}'.")
            object.__setattr__(self, name, value)
            return
        if isinstance(value, (Parameter, ParameterTuple, Cell)) and not isinstance(value, Buffer):
            self._check_registering(name)
        if isinstance(value, Parameter) and not isinstance(value, Buffer):
            own.pop(name, None)
            self.insert_param_to_cell(name, value)
            if name in _FREE_NAMES:
                own[name] = value
        elif isinstance(value, ParameterTuple):
            self._set_parameter_tuple(name, value)
        elif isinstance(value, Cell):
            own.pop(name, None)
            if self._auto_prefix:
                value.update_parameters_name(name + ".")
            self.insert_child_to_cell(name, value)
            if name in _FREE_NAMES:
                own[name] = value  # found before the method
        elif name in own["_params"]:
            self._set_parameter(name, value)
        elif name in own["_cells"] and value is not None:
            raise TypeError(
                f"Sub cell '{name}' already exists in network, can not assign this type: '{type(value)}' as a cell."
            )
        elif isinstance(value, (list, tuple)) and value and all(isinstance(v, Parameter) for v in value):
            self._check_listed_names(value)
            self._set_plain(name, value)
        elif isinstance(value, Tensor) and "_is_buffer" in value.__dict__:
            own.pop(name, None)
            self.register_buffer(name, value, value.persistent)
        else:
            self._set_plain(name, value)

    def _set_plain(self, name, value):
        own = self.__dict__
        if name in own["_cells"]:
            own["_cells"][name] = value
            self._note_change()
            return
        effects.note_attribute(self, name)
        if name in own["_buffers"]:
            self._set_buffer(name, value)
            return
        if name in own:
            old = own[name]
            if old is value or (isinstance(value, _SIMPLE) and type(old) is type(value) and old == value):
                return
        if isinstance(value, Primitive):
            value.set_prim_instance_name(name)
            own["_primitives"][name] = value
        descriptor = getattr(type(self), name, None)
        if isinstance(descriptor, property):
            object.__setattr__(self, name, value)
        else:
            own[name] = value
        self._attribute_set(name)

    def _check_listed_names(self, params):
        """Parameters in the lists and tuples of one Cell have different names, as in MindSpore."""
        listed = self.__dict__.setdefault("_listed_names", {})
        for param in params:
            if not is_generated_name(param.name) and listed.setdefault(param.name, param) is not param:
                raise ValueError(
                    f"The value {params} , its name '{param.name}' already exists. Please set a unique name for the parameter."
                )

    def _check_registering(self, name):
        """State that is registered while a function is traced would be another at each call: such code runs eagerly."""
        journal = effects.current()
        if journal is not None and not journal.made(self):
            raise Unstageable(
                f"'{name}' is registered in a {type(self).__name__}: make Parameters and Cells in __init__"
            )

    def _set_parameter(self, name, value):
        if value is None:
            self._params[name] = None
            self._note_change()
        elif effects.current() is not None and isinstance(value, (Tensor, int, float)):
            records["assign"](self._params[name], value)  # what a graph makes of it: shape and type stay
        elif isinstance(value, Tensor):
            self._params[name].set_data(value)
        else:
            raise TypeError(
                f"Parameter '{name}' already exists in network, can not assign this type: '{type(value)}' as a parameter."
            )

    def _set_parameter_tuple(self, name, value):
        for item in dict.fromkeys(value):
            if is_generated_name(item.name):
                item.name = f"Parameter${self._id}"
                self.__dict__["_id"] += 1
            self.insert_param_to_cell(item.name, item, check_name_contain_dot=False)
        self.__dict__[name] = value
        self._tuples_held[name] = value

    def __delattr__(self, name):
        for table in (self._params, self._cells, self._buffers):
            if name in table:
                del table[name]
                self.__dict__.pop(name, None)
                break
        else:
            object.__delattr__(self, name)
        self._note_change()

    def __bool__(self):
        return True

    @checked
    def insert_param_to_cell(
        self,
        param_name: Annotated[Any, That("a name", bool), Raises(value=KeyError)],
        param: Parameter | None,
        check_name_contain_dot: Like[bool] = True,
    ):
        """Register a Parameter under a name (or None, a Parameter that is left out).

        Raises:
            KeyError: the name is empty, has a dot in it, or is taken by something else.
            TypeError: `param` is not a Parameter.
        """
        if check_name_contain_dot and "." in param_name:
            raise KeyError("For 'insert_param_to_cell', the argument 'param_name' should not contain'.' ")
        if param_name not in self._params and (
            param_name in self.__dict__
            or param_name in self._cells
            or (hasattr(type(self), param_name) and param_name not in _FREE_NAMES)
        ):
            raise KeyError(
                f"For 'insert_param_to_cell', the {param_name} parameter already exists in the network."
                "Cannot insert another parameter with the same name."
            )
        if param is not None and is_generated_name(param.name):
            param.name = param_name
        self._params[param_name] = param
        if param is not None and param.requires_grad:
            self._trained_at_first.add(param_name)
        self._note_change()

    @checked
    def insert_child_to_cell(
        self,
        child_name: Annotated[
            str, That("that is not empty, without '.'", lambda name: name and "." not in name), Raises(value=KeyError)
        ],
        child_cell: "Cell | None",
    ):
        """Register a sub-Cell under a name, without renaming its Parameters.

        Raises:
            KeyError: the name is empty, has a dot in it, or is taken by something else.
            TypeError: `child_cell` is not a Cell, or the name is not a str.
        """
        if child_name not in self._cells and (
            child_name in self.__dict__
            or child_name in self._params
            or (hasattr(Cell, child_name) and child_name not in _FREE_NAMES)
        ):
            raise KeyError(
                f"For 'insert_child_to_cell', the {child_name} child cell already exists in the network."
                "Cannot insert another child cell with the same name."
            )
        self._cells[child_name] = child_cell
        self._note_change()

    # --- what compilation depends on
    def _note_change(self):
        self.__dict__["_version_number"] = shared.new_number()
        shared.touch()

    def _attribute_set(self, name):
        """Called when a plain attribute was set. Attributes that the user's code reads are guarded one by one; for
        classes of this package the version counts.
        """
        if name in self._package_names():
            self._note_change()
        else:
            shared.touch_attribute()

    @classmethod
    def _package_names(cls):
        """Attributes that classes of this package, of which this one is made, look at."""
        found = cls.__dict__.get("_names_of_package")
        if found is None:
            bases = [
                b for b in cls.__mro__ if b.__module__.startswith(_PACKAGE) and issubclass(b, Cell) and b is not Cell
            ]
            found = frozenset(name for base in bases for name in _names_in(base))
            cls._names_of_package = found
        return found

    def _keeps_name(self, name):
        own = self.__dict__
        return any(name in own[table] for table in ("_params", "_cells", "_buffers") if table in own)

    def _compile_state(self):
        own = self.__dict__
        return (
            own["_version_number"],
            own["training"],
            own["requires_grad"],
            own["_phase"],
            tuple(own["_flags_set"].items()),
        )

    def _state_parts(self):
        """The parts that hold state, found by `core.trace.state_discovery` when a function that uses this Cell is
        traced.
        """
        return [
            *self._params.values(),
            *self._buffers.values(),
            *self._cells.values(),
            *self._tuples_held.values(),
            *[v for k, v in self.__dict__.items() if isinstance(v, (list, tuple, dict)) and not k.startswith("_")],
            *[
                v
                for k, v in self.__dict__.items()
                if callable(v) and not isinstance(v, (type, Primitive)) and not k.startswith("_")
            ],
        ]

    # --- calling
    def construct(self, *args, **kwargs):
        """The computation; subclasses override it."""
        raise AttributeError(
            f"For 'Cell', the method 'construct' is not defined: '{type(self).__name__}' must define what it computes."
            + instead_of_construct(type(self), Cell)
        )

    # --- Parameters and Cells
    def parameters_and_names(self, name_prefix: str = "", expand: bool = True) -> Iterator[tuple[str, Parameter]]:
        """Pairs (path, Parameter), each Parameter once, this Cell's own first."""
        cells = self.cells_and_names(name_prefix=name_prefix) if expand else [(name_prefix, self)]
        seen = set()
        for cell_name, cell in cells:
            for name, param in cell._params.items():
                if param is not None and id(param) not in seen:
                    seen.add(id(param))
                    yield (f"{cell_name}.{name}" if cell_name else name), param

    def get_parameters(self, expand: bool = True) -> Iterator[Parameter]:
        """All Parameters, as an iterator; `expand=False` leaves those of sub-Cells out."""
        for _, param in self.parameters_and_names(expand=expand):
            yield param

    def trainable_params(self, recurse: bool = True) -> list[Parameter]:
        """List of the Parameters with `requires_grad`."""
        tell_of_hidden_cells(self)
        return [p for p in self.get_parameters(expand=recurse) if p.requires_grad]

    def untrainable_params(self, recurse: bool = True) -> list[Parameter]:
        """List of the Parameters without `requires_grad`."""
        return [p for p in self.get_parameters(expand=recurse) if not p.requires_grad]

    def parameters_dict(self, recurse: bool = True) -> dict[str, Parameter]:
        """Dict from Parameter name to Parameter."""
        return OrderedDict((p.name, p) for p in self.get_parameters(expand=recurse))

    def cells_and_names(self, cells: Any = None, name_prefix: str = "") -> "Iterator[tuple[str, Cell]]":
        """Pairs (path, Cell) of this Cell and all below it, each once, depth first."""
        seen = cells if cells else set()
        if id(self) in seen:
            return
        seen.add(id(self))
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell is not None:
                yield from cell.cells_and_names(seen, f"{name_prefix}.{name}" if name_prefix else name)

    def name_cells(self) -> "dict[str, Cell]":
        """Dict from attribute name to direct sub-Cell, each Cell once."""
        seen, found = set(), OrderedDict()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                found[name] = cell
        return found

    def cells(self) -> "ValuesView[Cell]":
        """The direct sub-Cells."""
        return self.name_cells().values()

    @checked
    def update_parameters_name(self, prefix: str = "", recurse: Like[bool] = True) -> None:
        """Rename all Parameters to `prefix` and the path to them."""
        for name, param in self.parameters_and_names(expand=recurse):
            param.name = prefix + name

    def _update_local_parameters_name(self, prefix="", recurse=True):
        """As `update_parameters_name`: networks of programs name their Parameters by it."""
        self.update_parameters_name(prefix, recurse)

    def check_names(self):
        """ValueError if two Parameters have one name."""
        names = set()
        for path, param in self.parameters_and_names():
            if param.name in names:
                raise ValueError(
                    f"The value of {path} is {param}, its name '{param.name}' already exists. Please set a unique name for the parameter."
                )
            names.add(param.name)

    # --- flags
    def set_train(self, mode: bool = True) -> Self:
        """Training mode (Dropout drops, BatchNorm uses the batch) for this Cell and all below it; returns the Cell."""
        self.__dict__["_phase"] = "train" if mode else "predict"
        self.add_flags_recursive(training=bool(mode))
        return self

    def set_grad(self, requires_grad: bool = True) -> Self:
        """Mark the Cell as one that gradients are taken of; returns the Cell."""
        if self.requires_grad != requires_grad:
            self.__dict__["requires_grad"] = requires_grad
            shared.touch()
        return self

    def add_flags(self, **flags):
        """Set flags, readable as attributes, on this Cell; returns the Cell."""
        own = self.__dict__
        changed = {k: v for k, v in flags.items() if k not in own or own[k] is not v}
        own.update(flags)
        own["_func_graph_flags"].update(flags)
        if changed:
            own["_flags_set"].update({k: v for k, v in flags.items() if k not in ("training", "defer_inline")})
            shared.touch()
        return self

    def add_flags_recursive(self, **flags):
        """Set flags on this Cell and all below it; returns the Cell."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict:
        """Dict of the flags that were set."""
        return dict(self._func_graph_flags)

    # --- printing
    def extend_repr(self) -> str:
        """The text between the brackets of the printed form, before the sub-Cells; subclasses override it."""
        return ""

    def __repr__(self):
        extra = self.extend_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): " + repr(cell).replace("\n", "\n  ") for name, cell in self._cells.items()]
        if len(lines) == 1 and not children:
            return f"{type(self).__name__}({lines[0]})"
        lines += children
        inside = "\n  " + "\n  ".join(lines) + "\n" if lines else ""
        return f"{type(self).__name__}({inside})"

    __str__ = __repr__


def _names_in(cls):
    """Names that the functions of a class use."""
    for found in vars(cls).values():
        for fn in (found, *(getattr(found, part, None) for part in ("fget", "fset", "__func__"))):
            if isinstance(fn, types.FunctionType):
                yield from fn.__code__.co_names
