"""A network that was loaded from a file, as a Cell."""

from typing import Any

from ...core.values.tensor import Tensor
from .cell import Cell


class GraphCell(Cell):
    """A network that was loaded with `load`, as a Cell.

    Args:
        graph: what `load` returned. params_init: dict from name to Tensor, instead of the stored weights.

    Raises:
        TypeError: arguments of the wrong kind.
        ValueError: a Tensor of `params_init` has not the shape and type of the stored weight.
    """

    def __init__(self, graph: Any, params_init: Any = None, obf_random_seed: Any = None):
        super().__init__(auto_prefix=False)
        if not hasattr(graph, "run") or not hasattr(graph, "parameters"):
            raise TypeError(
                f"For 'GraphCell', the argument 'graph' must be a network that load returned, but got {type(graph)}."
            )
        if params_init is not None and not isinstance(params_init, dict):
            raise TypeError(f"For 'GraphCell', the argument 'params_init' must be a dict, but got {type(params_init)}.")
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
