"""The interface between hyper_parallel and its framework, under the names that its code and its users call."""

import contextlib
import enum
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from .. import mint
from ..core.grad.no_gradient import no_gradient
from ..core.operators import random
from ..core.settings.context import present_device
from ..core.settings.seed import set_seed
from ..core.values import dtype as mstype
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor
from ..nn.cell.cell import Cell
from ..train.checkpoint_loading import load_checkpoint
from ..train.checkpoint_saving import save_checkpoint
from . import collectives
from .collectives import EXISTING_COMM_GROUPS

if TYPE_CHECKING:
    import os

    from ..core.values.dtype import Type

__all__ = ["EXISTING_COMM_GROUPS", "Platform", "PlatformType", "get_platform"]


class PlatformType(enum.Enum):
    """The frameworks that the package serves elsewhere; here it is always MINDSPORE."""

    MINDSPORE = 0
    PYTORCH = 1


class Platform:
    """MindSpore, as this package sees it. Ranks are devices: one process computes for all of them, and is rank 0."""

    platform_type = PlatformType.MINDSPORE
    Tensor, Parameter, Module = Tensor, Parameter, Cell
    tensor_dtype = mstype

    # --- devices and groups
    get_rank, get_world_size = staticmethod(collectives.get_rank), staticmethod(collectives.get_world_size)

    @staticmethod
    def get_global_rank(group: Any, group_rank: int):
        """Number among all of a member of a group."""
        return Platform.get_process_group_ranks(group)[group_rank]

    @staticmethod
    def device_type():
        """The kind of device: "cpu", "gpu", "ascend"."""
        return present_device().lower()

    @staticmethod
    def device_count(device_handle: Any = None):
        """Number of devices of this process."""
        return len(jax.local_devices())

    @staticmethod
    def init_process_group(backend: str | None = None, **options):
        """Take part in communication, if this process does not yet."""
        collectives.init_process_group(backend)

    destroy_process_group = staticmethod(collectives.destroy_process_group)
    get_process_group_ranks = staticmethod(collectives.get_process_group_ranks)
    get_backend, split_group = staticmethod(collectives.get_backend), staticmethod(collectives.split_group)
    create_group = staticmethod(collectives.create_group)

    @staticmethod
    def all_gather_object(object_list: list, obj: Any, group: Any = None):
        """Fill the list with the object of each member of the group: one process has the same for all."""
        object_list[:] = [obj] * len(object_list)

    @staticmethod
    def wait_grad_handle():
        """Nothing to wait for: XLA orders communication and use."""

    # --- Tensors
    ones, zeros, full, empty = (staticmethod(getattr(mint, name)) for name in ("ones", "zeros", "full", "empty"))
    full_like, empty_like = staticmethod(mint.full_like), staticmethod(mint.empty_like)

    @staticmethod
    def tensor_to_numpy(tensor: Tensor):
        """The content as a NumPy array."""
        return tensor.asnumpy()

    @staticmethod
    def tensor_type_cast(input_data: Tensor, cast_type: "Type"):
        """The Tensor in another dtype, given by its name ("float32")."""
        return input_data.astype(getattr(mstype, cast_type))

    @staticmethod
    def new_tensor(tensor_shape: Sequence[int], tensor_type: "Type", device: Any = None):
        """A Tensor of this shape and dtype, of zeros."""
        return mint.zeros(tensor_shape, dtype=tensor_type)

    @staticmethod
    def new_zero_parameter(param_shape: Sequence[int], param_type: "Type", requires_grad: bool, device: Any = None):
        """A Parameter of zeros."""
        return Parameter(mint.zeros(param_shape, dtype=param_type), requires_grad=requires_grad)

    def cast_fp_tensor(self, dtype: "Type", x: Any):
        """A Tensor of floating point in another dtype; anything else as it is."""
        is_float = isinstance(x, Tensor) and mstype.to_numpy(x.dtype).kind == "f"
        return x.astype(dtype) if is_float and x.dtype != dtype else x

    def apply_to_tensors(self, fn: Callable, container: Any):
        """`fn` of each Tensor in nested lists, tuples and dicts."""
        return self.tree_map(lambda v: fn(v) if isinstance(v, Tensor) else v, container)

    def tree_map(self, fn: Callable, tree: Any):
        """`fn` of each leaf of nested lists, tuples and dicts."""
        if isinstance(tree, dict):
            return type(tree)((k, self.tree_map(fn, v)) for k, v in tree.items())
        if isinstance(tree, tuple) and hasattr(tree, "_fields"):
            return type(tree)(*(self.tree_map(fn, v) for v in tree))
        if isinstance(tree, (list, tuple)):
            return type(tree)(self.tree_map(fn, v) for v in tree)
        return fn(tree)

    @staticmethod
    def no_grad():
        """A block without gradients."""
        return no_gradient()

    # --- random numbers
    @staticmethod
    def manual_seed(seed: int):
        """Seed all random numbers."""
        set_seed(seed)

    @staticmethod
    def get_rng_state(device: Any = None, device_handle: Any = None):
        """State of the default generator."""
        return random.get_rng_state()

    @staticmethod
    def set_rng_state(state: Tensor, device: Any = None, device_handle: Any = None):
        """Put a state of the default generator back."""
        random.set_rng_state(state)

    # --- Cells
    @staticmethod
    def get_cell_construct(cell: Cell):
        """The Cell's `construct`."""
        return cell.construct

    @staticmethod
    def get_cells_and_names(cell: Cell):
        """(name, Cell) of the Cell and of all inside it."""
        return cell.cells_and_names()

    @staticmethod
    def parameters_dict(cell: Cell):
        """(name, Parameter) pairs."""
        return cell.parameters_and_names()

    @staticmethod
    def search_parameter_by_name(cell: Cell, param_name: str):
        """(name of the owning Cell, its own name there, Parameter) for the name of an attribute; None if no Cell has
        it.
        """
        param_name = param_name.removeprefix("self.")
        owner, _, own = param_name.rpartition(".")
        for name, inner in cell.cells_and_names():
            found = inner._params.get(own) if name == owner else None
            if found is not None:
                return name, own, found
        for name, inner in cell.cells_and_names():
            for own, found in inner._params.items():
                if found is not None and found.name == param_name:
                    return name, own, found
        return None

    @staticmethod
    def save_checkpoint(cell: Cell, file_path: "str | os.PathLike"):
        """Save the Parameters of a Cell, or a dict, to a safetensors file."""
        save_checkpoint(cell, file_path, format="safetensors")

    @staticmethod
    def load_checkpoint(file_path: "str | os.PathLike"):
        """Dict from name to Parameter, of a safetensors file."""
        return load_checkpoint(file_path, format="safetensors")

    @staticmethod
    def get_param_local_shape(param: Parameter):
        """The shape of the part of a Parameter on one device."""
        return getattr(param, "local_shape", param.shape)

    @staticmethod
    def get_param_local_data(param: Parameter):
        """The part of a Parameter on the first device."""
        return param.to_local() if hasattr(param, "to_local") else param

    @staticmethod
    def get_param_type_size(param: Parameter):
        """Bytes of one element."""
        return param.itemsize

    @staticmethod
    def register_forward_pre_hook(module: Cell, hook: Callable, prepend: bool = False, with_kwargs: bool = False):
        """As `Cell.register_forward_pre_hook`."""
        return module.register_forward_pre_hook(hook, prepend=prepend, with_kwargs=with_kwargs)

    @staticmethod
    def register_full_backward_hook(module: Cell, hook: Callable, prepend: bool = False):
        """As `Cell.register_backward_hook`."""
        return module.register_backward_hook(hook)

    @staticmethod
    def register_full_backward_pre_hook(module: Cell, hook: Callable, prepend: bool = False):
        """As `Cell.register_backward_pre_hook`."""
        return module.register_backward_pre_hook(hook)

    @staticmethod
    def noop_context_fn():
        """Two blocks that do nothing, for the forward and for its recomputation."""
        return contextlib.nullcontext(), contextlib.nullcontext()

    @staticmethod
    def get_op_name(func: Callable):
        """Name of an operator."""
        return getattr(func, "name", None) or getattr(func, "__name__", type(func).__name__)


_platform = Platform()


def get_platform():
    """The one Platform.

    Example:
        >>> from msjax.hyper_parallel import get_platform
        >>> get_platform().get_rank()
        0
    """
    return _platform


def local_index(shape: Sequence[int], n_parts: int, index: int):
    """(start, stop) of a part along an axis: equal parts, or the ceiling of the length for all but the last ones."""
    step = -(-shape // n_parts)
    return min(index * step, shape), min((index + 1) * step, shape)


def ranks_of_rows(grid: np.ndarray, axis: int, rank: int):
    """The ranks along one axis of a grid of ranks through `rank`."""
    where = np.argwhere(grid == rank)
    if not len(where):
        raise ValueError(f"Rank {rank} not found in rank_list {grid.ravel().tolist()}")
    at = [slice(None) if i == axis else int(p) for i, p in enumerate(where[0])]
    return grid[tuple(at)].tolist()
