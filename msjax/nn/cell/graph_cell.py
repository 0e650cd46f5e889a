"""A network that was loaded from a file, as a Cell."""

from typing import Any

from .cell import Cell


class GraphCell(Cell):
    """A network that was loaded with `load`, as a Cell.

    Args:
        graph: what `load` returned. params_init: dict from name to Tensor, instead of the stored weights.

    Raises:
        TypeError: arguments of the wrong kind.
    """

    def __init__(self, graph: Any, params_init: Any = None, obf_random_seed: Any = None):
        super().__init__(auto_prefix=False)
        if not hasattr(graph, "run") or not hasattr(graph, "parameters"):
            raise TypeError(
                f"For 'GraphCell', the argument 'graph' must be a network that load returned, but got {type(graph)}."
            )
        if params_init is not None and not isinstance(params_init, dict):
            raise TypeError(f"For 'GraphCell', the argument 'params_init' must be dict, but got {type(params_init)}.")
        self.__dict__["graph"] = graph
        for param in graph.parameters:
            if params_init and param.name in params_init:
                param.set_data(params_init[param.name])
            self.insert_param_to_cell(param.name, param, check_name_contain_dot=False)

    def construct(self, *inputs):
        return self.graph(*inputs)
