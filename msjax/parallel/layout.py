"""How Tensors are to lie on several devices, in MindSpore's words, and the settings of its search for the best layout.

One program computes on all devices of a process and XLA lays out what it computes, so layouts are checked and recorded.
"""

import copy
import math
import os
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from ..core.operators.check import args_type_check
from ..core.spec.checking import checked
from ..core.spec.rules import AsValue, Distinct, Like, Raises, That
from .communication import is_initialized

__all__ = [
    "Layout",
    "get_algo_parameters",
    "parameter_broadcast",
    "reset_algo_parameters",
    "set_algo_parameters",
    "set_op_strategy_config",
    "sync_pipeline_shared_parameters",
]


AxisNames = Annotated[
    tuple[str, ...],
    Distinct,
    That("without ''", lambda names: "" not in names),
    That("without 'None', which means no sharding", lambda names: "None" not in names),
    That("with 'interleaved_parallel' only as the last item", lambda names: "interleaved_parallel" not in names[:-1]),
]


class Layout:
    """Names for the axes of a grid of devices; called with a name for each axis of a Tensor it tells how that is split.

    Args:
        device_matrix: tuple of ints: the grid. alias_name: tuple of as many names. rank_list: devices, in order.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or length; an axis that does not exist or that is used twice.

    Example:
        >>> from mindspore import Layout
        >>> layout = Layout((2, 2), ("dp", "mp"))
        >>> layout("dp", "None").to_dict()["tensor_map"]
        (1, -1)
    """

    @checked
    def __init__(self, device_matrix: Like[tuple], alias_name: AxisNames, rank_list: Like[Sequence[int] | None] = None):
        for name, value in (("device_matrix", device_matrix), ("alias_name", alias_name)):
            if not isinstance(value, tuple):
                raise TypeError(f"{name} must be tuple type, but got:{type(value)}")
        if len(device_matrix) != len(alias_name):
            raise ValueError("device_matrix length should be equal to alias_name length")
        for name, values, kind in (("device_matrix", device_matrix, int), ("alias_name", alias_name, str)):
            for value in values:
                if not isinstance(value, kind):
                    raise TypeError(f"The element of {name} must be {kind.__name__} type, but got:{type(value)}")
        count = math.prod(device_matrix)
        if rank_list is not None:
            if not isinstance(rank_list, list):
                raise TypeError(f"The rank_list should be a list, but got {type(rank_list).__name__}.")
            for value in rank_list:
                if not isinstance(value, int):
                    raise TypeError(f"The element of rank_list should be int, but got {type(value).__name__}.")
            if len(rank_list) != count:
                raise ValueError(
                    "The length of rank_list should be equal to the product of device_matrix, "
                    f"but got {len(rank_list)} and {count}."
                )
        self._device_shape, self._alias_name, self._tensor_map = device_matrix, alias_name, None
        self._rank_list = list(range(count)) if rank_list is None else rank_list

    def __call__(self, *tensor_map):
        used = []

        def place(name):
            if isinstance(name, tuple):
                return tuple(place(part) for part in name)
            if name == "None":
                return -1
            if name not in self._alias_name:
                raise ValueError(f"The axis {name} is not found in {self._alias_name}")
            if name in used:
                raise ValueError(f"The axis {name} has been set more than one in {self._alias_name}")
            used.append(name)
            return len(self._alias_name) - 1 - self._alias_name.index(name)

        made = copy.deepcopy(self)
        made._tensor_map = self._tensor_map = tuple(place(name) for name in tensor_map)
        return made

    def to_dict(self):
        """The layout as a dict; ValueError before it was called with the axes of a Tensor."""
        if self._tensor_map is None:
            raise ValueError("The tensor_map of layout is None")
        return {
            "device_matrix": self._device_shape,
            "tensor_map": self._tensor_map,
            "interleaved_parallel": "interleaved_parallel" in self._alias_name,
            "alias_name": self._alias_name,
            "rank_list": self._rank_list,
        }


@checked
def parameter_broadcast(
    net: Any,
    layout: Annotated[Any, That("a layout that is not empty", bool)],
    cur_rank: Like[int] = 0,
    initial_rank: Like[int] = 0,
):
    """Parameters are whole and the same wherever the program runs: only the arguments are checked.

    Raises:
        ValueError: communication is not initialised; `layout` is empty, or a rank is negative.
    """
    if not is_initialized():
        raise ValueError(
            "For 'parameter_broadcast', distributed communication has not been inited: call "
            "mindspore.communication.init() first."
        )
    for name, rank in (("cur_rank", cur_rank), ("initial_rank", initial_rank)):
        if isinstance(rank, bool) or not isinstance(rank, int) or rank < 0:
            raise ValueError(f"For 'parameter_broadcast', the '{name}' must be an int >= 0, but got {rank}.")


@checked
def sync_pipeline_shared_parameters(
    net: Annotated[Any, That("a Cell", lambda net: hasattr(net, "parameters_and_names"), is_type=True)],
):
    """Nothing to do: a Parameter that several stages use goes from the one that keeps it to the others in each step."""


@checked
def set_op_strategy_config(
    mode: Annotated[Literal["SAVE", "LOAD"], Raises(KeyError, value=KeyError)] = "SAVE", path: Like[str] = ""
):
    """Where MindSpore's search would save or load the strategies of operators; recorded.

    Raises:
        KeyError: `mode` is neither "SAVE" nor "LOAD"; `path` is not absolute, or does not end in ".json".
    """
    if not os.path.isabs(path):
        raise KeyError("File path must be an absolute path")
    if not path.endswith(".json"):
        raise KeyError("File type must be .json")


_DEFAULTS = {
    "fully_use_devices": False,
    "elementwise_op_strategy_follow": False,
    "tensor_slice_align_enable": False,
    "tensor_slice_align_size": 16,
    "enable_algo_approxi": False,
    "algo_approxi_epsilon": 0.1,
}
_settings = dict(_DEFAULTS)


@args_type_check(
    tensor_slice_align_enable=bool,
    tensor_slice_align_size=int,
    fully_use_devices=bool,
    elementwise_op_strategy_follow=bool,
    enable_algo_approxi=bool,
    algo_approxi_epsilon=float,
)
def _checked(
    tensor_slice_align_enable=None,
    tensor_slice_align_size=None,
    fully_use_devices=None,
    elementwise_op_strategy_follow=None,
    enable_algo_approxi=None,
    algo_approxi_epsilon=None,
):
    if tensor_slice_align_size is not None and not 1 <= tensor_slice_align_size <= 1024:
        raise ValueError(f"Align_size must be in [1, 1024], but got {tensor_slice_align_size}")
    if algo_approxi_epsilon is not None and not 0 < algo_approxi_epsilon <= 1:
        raise ValueError(f"algo_approxi_epsilon must be in (0, 1], but got {algo_approxi_epsilon}")


def set_algo_parameters(**kwargs):
    """Settings of MindSpore's search for layouts: recorded, for `get_algo_parameters`.

    Raises:
        ValueError: there is no such setting. TypeError: its value is of another type.
    """
    for key in kwargs:
        if key not in _DEFAULTS:
            raise ValueError(f"Set context keyword {key} is not recognized!")
    _checked(**kwargs)
    _settings.update(kwargs)


@checked
def get_algo_parameters(attr_key: AsValue[Literal[tuple(_DEFAULTS)]]):
    """A setting of the search for layouts; ValueError for an unknown name."""
    return _settings[attr_key]


def reset_algo_parameters():
    """Set all settings of the search for layouts back."""
    _settings.update(_DEFAULTS)
