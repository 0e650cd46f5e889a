"""Datasets and pipelines: `mindspore.dataset`. NumPy only; an iterator alone makes Tensors.

Example:
    >>> import numpy as np
    >>> import msjax.dataset as ds
    >>> data = ds.NumpySlicesDataset({"x": np.arange(4)}, shuffle=False)
    >>> data = data.map(lambda x: x * x, "x").batch(2)
    >>> [row["x"].tolist() for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
    [[0, 1], [4, 9]]
"""

import importlib as _importlib
from typing import TYPE_CHECKING, Annotated

from ..alias.names import MissingNames as _MissingNames
from ..core.spec.checking import checked
from ..core.spec.rules import Length
from . import config, debug, engine, transforms
from .check import check_type as _check_type
from .engine import *  # noqa: F403
from .engine import ZipDataset as _ZipDataset
from .engine import samplers
from .engine.recovery import _get_training_dataset, _reset_training_dataset, _set_training_dataset
from .sources import *  # noqa: F403
from .sources import __all__ as _sources
from .utils import LineReader

if TYPE_CHECKING:
    from .engine.dataset import Dataset

_ON_DEMAND = ("audio", "dataloader", "text", "utils", "vision")  # parts that not every program needs

__all__ = [*engine.__all__, *_sources, *_ON_DEMAND, "LineReader", "config", "debug", "samplers", "transforms", "zip"]

for _name in _sources:  # MindSpore's `dataset.engine` has them too
    setattr(engine, _name, globals()[_name])
engine.__all__ += _sources
_missing = _MissingNames(__name__)


def __getattr__(name):
    if name in _ON_DEMAND:
        return _importlib.import_module(f"{__name__}.{name}")
    if name == "Implementation":
        return _importlib.import_module(f"{__name__}.vision.modes").Implementation
    # Scripts of MindSpore 1.x say `mindspore.dataset.context`, because its dataset module happened to import it.
    if name == "context":
        return _importlib.import_module("msjax").context
    return _missing(name)


@checked
def zip(datasets: Annotated[tuple, Length(at_least=2)]):
    """Puts the columns of several datasets side by side.

    Args:
        datasets (tuple[Dataset]): two or more.

    Returns:
        Dataset with the columns of all; it ends with the shortest.

    Raises:
        TypeError: `datasets` is not a tuple of datasets.
        ValueError: there are fewer than two.
    """
    return _ZipDataset(datasets)
