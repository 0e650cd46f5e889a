"""Parameters whose content is made when their place is known."""

from ..core.values.deferred import Deferred
from ..nn.cell.cell import Cell

__all__ = ["init_parameters"]


def init_parameters(module: Cell, stage_index: int = 0):
    """Make the content of all Parameters of a Cell, each device its own part, and return the Cell.

    Args:
        module: Cell, made under `nn.no_init_parameters()`.
        stage_index: number of the pipeline stage.

    Raises:
        ValueError: `module` is not a Cell, `stage_index` is not an int.

    Example:
        >>> from msjax.hyper_parallel import init_parameters
        >>> init_parameters(nn.Dense(2, 3)).weight.shape
        (3, 2)
    """
    if not isinstance(module, Cell):
        raise ValueError(f"cell's type must be Cell but got {type(module)}.")
    if not isinstance(stage_index, int):
        raise ValueError(f"stage_index's type must be int but got {type(stage_index)}.")
    for parameter in module.get_parameters(expand=True):
        raw = parameter._raw
        if isinstance(raw, Deferred):
            parameter._assign(raw.make(raw.sharding))
    return module
