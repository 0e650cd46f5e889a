"""A network that was loaded from a file, as a Cell."""

from typing import Annotated, Any

from ...core.spec.checking import checked
from ...core.spec.rules import That
from ...core.values.tensor import Tensor
from .cell import Cell

LoadedNetwork = Annotated[
    Any,
    That(
        "a network that load returned",
        lambda value: hasattr(value, "run") and hasattr(value, "parameters"),
        is_type=True,
    ),
]


class GraphCell(Cell):
    """A network that was loaded with `load`, as a Cell.

    Args:
        graph: what `load` returned. params_init: dict from name to Tensor, instead of the stored weights.

    Raises:
        TypeError: arguments of the wrong kind.
        ValueError: a Tensor of `params_init` has not the shape and type of the stored weight.
    """

    @checked
    def __init__(self, graph: LoadedNetwork, params_init: dict | None = None, obf_random_seed: Any = None):
        super().__init__(auto_prefix=False)
        for name, value in (params_init or {}).items():
            if not isinstance(name, str) or not isinstance(value, Tensor):
                raise TypeError(
                    "For 'GraphCell', the key of the 'params_init' must be str, and the value must be Tensor or Parameter, but got "
                    f"{type(name)} and {type(value)}."
                )
        self.__dict__["graph"] = graph
        for param in graph.parameters:
            if params_init and param.name in params_init:
                given = params_init[param.name]
                if (given.shape, given.dtype) != (param.shape, param.dtype):
                    raise ValueError(
                        f"For 'GraphCell', the Tensor of 'params_init' for {param.name!r} must have the shape {param.shape} and the type "
                        f"{param.dtype}, but got {given.shape} and {given.dtype}."
                    )
                param.set_data(given)
            self.insert_param_to_cell(param.name, param, check_name_contain_dot=False)

    def construct(self, *inputs):
        return self.graph(*inputs)
