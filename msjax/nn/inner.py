"""Helpers of MindSpore's layers and optimizers that libraries import from `nn.layer.*` and `experimental.optim.*`."""

from typing import TYPE_CHECKING, Any

from ..ops.graph_api.inner import _deconv_output_length as _deconv_output_length
from .cell.cell import Cell

if TYPE_CHECKING:
    from ..core.values.tensor import Tensor


def _subject(op_name, what):
    return f"For '{op_name}', the {what}" if op_name else f"The {what}"


def _valid_index(cell_num, index, op_name=None):
    """The index, counted from 0, of one of `cell_num` Cells; IndexError if there is none."""
    if not isinstance(index, int):
        raise TypeError(f"{_subject(op_name, 'type of index')} must be int, but got {type(index).__name__}.")
    if not -cell_num <= index < cell_num:
        raise IndexError(f"{_subject(op_name, 'index')} must be in [{-cell_num}, {cell_num}), but got {index}.")
    return index % cell_num


def _valid_index_for_inserting(cell_num, index, op_name=None):
    """The same for a place to insert at: `cell_num` is one too."""
    return index if index == cell_num else _valid_index(cell_num, index, op_name)


def _valid_cell(cell, op_name=None):
    """True; TypeError for a value that is not a Cell."""
    if not isinstance(cell, Cell):
        raise TypeError(f"{_subject(op_name, 'element')} must be a Cell, but got {type(cell).__name__}.")
    return True


def _get_prefix_and_index(cells):
    """(common prefix of the Parameters' names, position of the Cell's key in them) in a container {key: Cell}."""
    named = [(key, next((p.name for _, p in cell.parameters_and_names()), None)) for key, cell in cells.items()]
    named = [(key, name.split(".")) for key, name in named if name is not None]
    if not named:
        return "", 0
    key, parts = named[0]
    if len(named) > 1:
        other_key, other = named[1]
        for at, (a, b) in enumerate(zip(parts, other)):
            if a == key and b == other_key:
                return ".".join([*parts[:at], ""]) if at else "", at
        return "", 0
    at = parts.index(key) if key in parts else 0
    return ".".join([*parts[:at], ""]) if at else "", at


def prepare_func(lr: float, weight_decay: Any, state_step: Any, beta1: Any, beta2: Any):
    """(factor of the decay, size of the step, root of the second bias correction) of an AdamW step."""
    return 1 - lr * weight_decay, lr / (1 - beta1**state_step), (1 - beta2**state_step) ** 0.5


def check_dense_input_shape(x: "Tensor", prim_name: str | None = None):
    """ValueError for a shape of fewer than two axes, the input check of `nn.Dense` in 1.x."""
    if len(x) < 2:
        raise ValueError(f"For '{prim_name}', the dimension of 'x' should not be less than 2, but got {len(x)}.")


_check_dense_input_shape = check_dense_input_shape


def _check_input_3d(input_shape):
    """ValueError for a shape that does not have three axes, the input check of `nn.Conv1d` in 1.x."""
    _check_axes(input_shape, 3, "Conv1d")


def _check_input_5dims(input_shape, prim_name=None):
    """ValueError for a shape that does not have five axes, the input check of `nn.Conv3d` in 1.x."""
    _check_axes(input_shape, 5, prim_name or "Conv3d")


def _check_axes(shape, count, prim_name):
    if len(shape) != count:
        raise ValueError(
            f"For '{prim_name}', the dimension of input should be {count}d, but got {len(shape)}d: {shape}."
        )


def _shape_check(in_shape, prim_name=None):
    """ValueError for a shape that does not have four axes, the input check of `nn.GroupNorm` in 1.x."""
    _check_axes(in_shape, 4, prim_name or "GroupNorm")


def _shape_check_bn(in_shape, in_dims, prim_name=None):
    """ValueError for a shape with other axes than a batch norm of `in_dims` ("1d", "2d", "3d" or "both") takes, as in 1.x."""
    allowed = {"1d": (2,), "2d": (4,), "3d": (5,), "both": (2, 4)}[in_dims]
    if len(in_shape) not in allowed:
        raise ValueError(
            f"For '{prim_name or 'BatchNorm'}', the dimension of input should be {' or '.join(f'{n}d' for n in allowed)}, "
            f"but got {len(in_shape)}d: {in_shape}."
        )


def _channel_check(channel, num_channel, prim_name=None):
    """ValueError for another number of channels than a layer was made for, as in 1.x."""
    if channel != num_channel:
        raise ValueError(
            f"For '{prim_name or 'GroupNorm'}', the number of channels of the input must be {num_channel}, but got {channel}."
        )


def _shape_infer(x_shape, num_feature):
    """(axes that a batch norm reduces, shape of its statistics) for an input of 2 or 4 axes, as in 1.x."""
    return ((0, 2, 3), (1, num_feature, 1, 1)) if len(x_shape) == 4 else ((0,), (1, num_feature))
