"""Mixed precision: which Cells and operators compute in float16 or bfloat16, and training steps around it.

Levels: "O0" nothing; "O1" only Cells and operators of the white list; "O2" everything but those of the black list; "O3"
everything; "auto" each operator by its kind.
"""

import collections
import contextlib
import inspect
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from ..alias.names import MissingNames
from ..core.operators.check import check_type_name, check_value_type
from ..core.spec.checking import checked
from ..core.spec.rules import AsValue, Like
from ..core.values import dtype as mstype
from ..core.values.tensor_trees import map_tensors
from ..nn.cell.cell import Cell
from ..nn.wrap.cell_wrapper import TrainOneStepCell, WithLossCell
from ..nn.wrap.loss_scale import TrainOneStepWithLossScaleCell
from ..nn.wrap.micro_batch import GradAccumulationCell, PipelineCell, _TrainGradAccuStepCell
from . import amp_lists
from .amp_strategy import AmpDecorator as AmpDecorator  # projects import it here
from .amp_strategy import create_amp_strategy as create_amp_strategy
from .amp_strategy import operator_policy as operator_policy
from .amp_strategy import with_operators as with_operators
from .loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from .loss_scaler import DynamicLossScaler, LossScaler, StaticLossScaler, all_finite

if TYPE_CHECKING:
    from ..core.values.dtype import Type

__all__ = [
    "DynamicLossScaleManager",
    "DynamicLossScaler",
    "FixedLossScaleManager",
    "LossScaleManager",
    "LossScaler",
    "StaticLossScaler",
    "all_finite",
    "auto_mixed_precision",
    "build_train_network",
    "custom_mixed_precision",
    "get_black_list",
    "get_white_list",
]


def _to(dtype, value):
    """All float Tensors of a nested value in another float type."""
    return map_tensors(lambda b: b.astype(dtype) if b.dtype in mstype.float_type and b.dtype != dtype else b, value)


class _OutputTo(Cell):
    """A Cell whose outputs are cast to one float type; transparent for Parameter names."""

    def __init__(self, backbone, dtype):
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self.__dict__["_dtype"] = dtype

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:  # `net.conv.weight` goes on as before
            if name.startswith("_"):
                raise
            return getattr(self._backbone, name)

    def construct(self, *args, **kwargs):
        return _to(self._dtype, self._backbone(*args, **kwargs))


class _OutputTo32(_OutputTo):
    """Casts the outputs of a Cell to float32."""

    def __init__(self, backbone, cast_type=mstype.float32):
        super().__init__(backbone, cast_type)


class _OutputTo16(_OutputTo):
    """Casts the outputs of a Cell to float16."""

    def __init__(self, backbone, dtype=mstype.float16):
        super().__init__(backbone, dtype)


class _ListedTo32(_OutputTo32):
    """A Cell of the white list: MindSpore casts around its call, so that no path or name of a Parameter has this Cell in it."""

    def cells_and_names(self, cells=None, name_prefix=""):
        return self._backbone.cells_and_names(cells, name_prefix)


def _is_set_by_user(cell):
    return any(cell._flags_set.get(flag) for flag in ("fp16", "bf16", "fp32"))


def _replace(network, name, cell):
    network._cells[name] = cell
    network._note_change()


def _all_but(network, black_list, dtype):
    """Everything in `dtype`, but Cells of the black list in float32."""
    network.to_float(dtype)
    _keep_float32(network, black_list, dtype)


def _keep_float32(network, black_list, dtype):
    for name, cell in network.name_cells().items():
        if isinstance(cell, black_list):
            _replace(network, name, _OutputTo16(cell.to_float(mstype.float32), dtype))
        else:
            _keep_float32(cell, black_list, dtype)


def _only(network, white_list, dtype):
    """Only Cells of the white list in `dtype`; operators of the white list too, wherever they are called."""
    cells = tuple(c for c in white_list if issubclass(c, Cell))
    for name, cell in network.name_cells().items():
        if isinstance(cell, cells) and not _is_set_by_user(cell):
            _replace(network, name, _ListedTo32(cell.to_float(dtype)))
        elif not _is_set_by_user(cell):
            _only(cell, white_list, dtype)


def _auto_mixed_precision_rewrite(network, dtype, *, white_list=None, black_list=None):
    """Cast the operators of the white list, or all but those of the black list, to `dtype`; the outputs are float32."""
    if white_list is not None:
        _only(network, white_list, dtype)
        return with_operators(network, operator_policy(amp_lists.names(white_list), (), dtype, mstype.float32))
    _all_but(network, tuple(black_list), dtype)
    return _OutputTo32(network)


def auto_mixed_precision(network: Cell, amp_level: str = "O0", dtype: "Type" = mstype.float16):
    """Make a network (for "auto" also a function) compute in mixed precision, and return it.

    Raises:
        TypeError: `network` is not a Cell. ValueError: an unknown level, or a dtype other than float16 and bfloat16.

    Example:
        >>> net = amp.auto_mixed_precision(net, "O2")
    """
    if not isinstance(network, Cell) and not (
        amp_level == "auto" and (inspect.isfunction(network) or inspect.ismethod(network))
    ):
        what = "Cell or function" if amp_level == "auto" else "Cell"
        raise TypeError(f"For amp_level '{amp_level}', the network type should be {what}.")
    if dtype not in (mstype.float16, mstype.bfloat16):
        raise ValueError(f"The dtype should be one of (mstype.float16, mstype.bfloat16), but got {dtype}.")
    if amp_level == "O0":
        return network
    if amp_level == "O1":
        network = _auto_mixed_precision_rewrite(network, dtype, white_list=amp_lists.white_list())
    elif amp_level == "O2":
        network = _auto_mixed_precision_rewrite(network, dtype, black_list=amp_lists.black_list())
    elif amp_level == "O3":
        network = _OutputTo32(network.to_float(dtype))
    elif amp_level == "auto":
        network = with_operators(network, operator_policy(amp_lists.AUTO_LOW, amp_lists.AUTO_HIGH, dtype))
    else:
        raise ValueError(f"The amp level {amp_level} is not supported")
    with contextlib.suppress(AttributeError):  # a bound method takes no attributes
        network._amp_level = amp_level
    return network


@checked
def custom_mixed_precision(
    network: Cell, *, white_list: Any = None, black_list: Any = None, dtype: "Type" = mstype.float16
):
    """Make a network compute in `dtype`: either only the Cells and operators of the white list, or all but those of the
    black list. Returns it.

    Raises:
        TypeError: no Cell, or lists of the wrong kind. ValueError: not exactly one list.
    """
    if (white_list is None) == (black_list is None):
        if white_list is None:
            raise ValueError("For custom_mixed_precision, one of white_list and black_list must be provided.")
        raise ValueError(
            "For custom_mixed_precision, the white_list or black_list cannot be provided at the same "
            "time, please provide one or the other."
        )
    if dtype not in (mstype.float16, mstype.bfloat16):
        raise ValueError(f"The dtype should be one of (mstype.float16, mstype.bfloat16), but got {dtype}.")
    if white_list is not None:
        amp_lists.check(white_list, "white_list")
    else:
        amp_lists.check(black_list, "black_list")
    return _auto_mixed_precision_rewrite(network, dtype, white_list=white_list, black_list=black_list)


def get_white_list():
    """A copy of the list of Cells and operators that level O1 computes in lower precision."""
    return list(amp_lists.white_list())


def get_black_list():
    """A copy of the list of Cells that level O2 keeps in float32."""
    return list(amp_lists.black_list())


AMP_WHITE_LIST: list[type]
AMP_BLACK_LIST: list[type]
AMP_AUTO_WHITE_LIST: list[type]
AMP_AUTO_BLACK_LIST: list[type]


def __getattr__(name):  # the lists load every layer
    if name in ("AMP_WHITE_LIST", "AMP_BLACK_LIST", "AMP_AUTO_WHITE_LIST", "AMP_AUTO_BLACK_LIST"):
        return getattr(amp_lists, name[4:].lower())()
    return _missing(name)


_missing = MissingNames(__name__)
_LEVELS = {
    "O0": (False, mstype.float32, None),
    "O1": (False, mstype.float32, None),
    "O2": (True, mstype.float16, DynamicLossScaleManager),
    "O3": (False, mstype.float16, None),
    "auto": (False, mstype.float32, None),
}


_INNER_AMP_BLACK_LIST: list = []  # operators that adapters keep from being cast


def _config_amp(*, enable_rewrite=None, cast_op=None):
    """How MindSpore changes networks for mixed precision: casts happen where operators run here, so there is nothing to choose."""


# What training loops that were copied out of MindSpore import.
AMP_PRIM_ARG_TABLE = collections.defaultdict(list)  # operator: the arguments to cast, where it is not all of them
_config_level = {
    level: {"keep_batchnorm_fp32": keep, "cast_model_type": cast, "loss_scale_manager": manager and manager()}
    for level, (keep, cast, manager) in _LEVELS.items()
}


def _do_keep_batchnorm_fp32(network):
    _keep_float32(network, tuple(amp_lists.black_list()), mstype.float16)


def _set_amp_decorator(obj, amp_level, amp_dtype, white_list, black_list):
    return create_amp_strategy(amp_level, amp_dtype, white_list, black_list).apply_to(obj)


def _auto_black_list(network, black_list, dtype):
    _all_but(network, tuple(black_list), dtype)
    return network


def _add_loss_network(network, loss_fn, cast_model_type):
    check_value_type("loss_fn", loss_fn, Cell)
    lower = cast_model_type in (mstype.float16, mstype.bfloat16) or getattr(network, "_amp_level", None) in (
        "O2",
        "O3",
        "auto",
    )
    return (_WithLossInFloat32 if lower else WithLossCell)(network, loss_fn)


class _WithLossInFloat32(WithLossCell):
    """Network and loss; the loss gets float32."""

    def construct(self, data, label):
        return self._loss_fn(_to(mstype.float32, self._backbone(data)), _to(mstype.float32, label))


_WithLossInFloat32.__name__ = _WithLossInFloat32.__qualname__ = "WithLossCell"  # as it is printed


class BuildOptions(TypedDict, total=False):
    """The keywords of `build_train_network` that set its `level` more closely."""

    cast_model_type: Any
    keep_batchnorm_fp32: bool
    loss_scale_manager: LossScaleManager | None


@checked
def build_train_network(
    network: Like[Cell],
    optimizer: Cell,
    loss_fn: Any = None,
    level: Literal["O0", "O1", "O2", "O3", "auto"] = "O0",
    boost_level: AsValue[Literal["O0", "O1", "O2"]] = "O0",
    **kwargs: Unpack[BuildOptions],
):
    """A training step in mixed precision.

    Args:
        network: Cell.
        optimizer: Optimizer.
        loss_fn: loss, if it is not inside the network.
        level: see the module.
        boost_level: accepted. Keywords: cast_model_type, keep_batchnorm_fp32, loss_scale_manager, instead of the level's own.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, an unknown level or keyword.
    """
    keep, cast, manager = _options(level, kwargs)
    network = _mixed(network, level, keep, cast)
    if loss_fn:
        network = _add_loss_network(network, loss_fn, cast)
    scale = None
    if manager is not None:
        update = manager.get_update_cell()
        if update is not None:
            return TrainOneStepWithLossScaleCell(network, optimizer, scale_sense=update).set_train()
        scale = manager.get_loss_scale()
    return step_cell(network)(network, optimizer, scale).set_train()


def step_cell(network: Cell):
    """The class of the training step around a network: another one where the network adds up the parts of a batch."""
    parts = any(isinstance(cell, (GradAccumulationCell, PipelineCell)) for _, cell in network.cells_and_names())
    return _TrainGradAccuStepCell if parts else TrainOneStepCell


def _options(level, kwargs):
    keep, cast, manager = _LEVELS[level]
    for name, value in kwargs.items():
        if name == "cast_model_type":
            check_type_name(name, value, [mstype.float16, mstype.float32], "build_train_network")
            cast = value
        elif name == "keep_batchnorm_fp32":
            keep = check_value_type(name, value, bool)
        elif name == "loss_scale_manager":
            if value is not None:
                check_value_type(name, value, [LossScaleManager])
        else:
            raise ValueError(f"Unsupported arg '{name}'")
    if "loss_scale_manager" in kwargs:
        manager = kwargs["loss_scale_manager"]
    else:
        manager = manager() if manager else None
    return keep, cast, manager


def _mixed(network, level, keep_batchnorm_fp32, cast):
    if cast == mstype.float16:
        network.to_float(mstype.float16)
        if keep_batchnorm_fp32:
            _keep_float32(network, tuple(amp_lists.black_list()), mstype.float16)
    elif level == "O2" and not keep_batchnorm_fp32:
        network.to_float(mstype.float16)
    elif level not in ("O2", "O3"):
        network = auto_mixed_precision(network, level)
    return network
