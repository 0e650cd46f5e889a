"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload

class Layout:
    """Names for the axes of a grid of devices; called with a name for each axis of a Tensor it tells how that is split."""
    def __call__(self, *tensor_map) -> Any: ...
    def __init__(self, device_matrix: tuple, alias_name: tuple[str, ...], rank_list: Sequence[int] | None=None) -> None: ...
    def to_dict(self) -> dict[str, Any]: """The layout as a dict; ValueError before it was called with the axes of a Tensor."""
def data_parallel() -> bool: """Whether gradients are to be averaged over processes."""
def get_algo_parameters(attr_key: Literal['fully_use_devices', 'elementwise_op_strategy_follow', 'tensor_slice_align_enable', 'tensor_slice_align_size', 'enable_algo_approxi', 'algo_approxi_epsilon']) -> Any: """A setting of the search for layouts; ValueError for an unknown name."""
def parameter_broadcast(net, layout, cur_rank: int=0, initial_rank: int=0) -> None: """Parameters are whole and the same wherever the program runs: only the arguments are checked."""
def reset_algo_parameters() -> None: """Set all settings of the search for layouts back."""
def set_algo_parameters(*, fully_use_devices: bool=..., elementwise_op_strategy_follow: bool=..., tensor_slice_align_enable: bool=..., tensor_slice_align_size: int=..., enable_algo_approxi: bool=..., algo_approxi_epsilon: float=...) -> None: """Settings of MindSpore's search for layouts: recorded, for `get_algo_parameters`."""
def shard(fn: Callable[..., Any], in_strategy, out_strategy=None, parameter_plan=None, *, device: Any=..., level: Any=...) -> Callable[..., Any]: """The function or Cell with its Tensors split over the devices: a strategy changes where they are, not the result."""
def sync_pipeline_shared_parameters(net) -> None: """Nothing to do: a Parameter that several stages use goes from the one that keeps it to the others in each step."""
