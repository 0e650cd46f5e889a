"""Training: Model, callbacks, metrics, checkpoints, mixed precision."""

from ..core.spec.texts import complete as _complete
from ..unsupported import services as unserved
from ..unsupported.services import *  # noqa: F403
from . import amp, callback, distributed, metrics, serialization, summary
from .amp import build_train_network
from .callback import *  # noqa: F403
from .dataset_helper import DatasetHelper, connect_network_with_dataset, data_sink
from .distributed import *  # noqa: F403
from .export import export, load, load_mindir, save_mindir
from .loss_scale_manager import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from .metrics import *  # noqa: F403
from .model import Model
from .profiler import Profiler
from .run_state import load_run, save_run
from .serialization import *  # noqa: F403
from .summary import *  # noqa: F403
from .train_thor import ConvertModelUtils, ConvertNetUtils

__all__ = [
    "ConvertModelUtils",
    "ConvertNetUtils",
    "DatasetHelper",
    "DynamicLossScaleManager",
    "FixedLossScaleManager",
    "LossScaleManager",
    "Model",
    "Profiler",
    "amp",
    "build_train_network",
    "connect_network_with_dataset",
    "data_sink",
    "export",
    "load",
    "load_mindir",
    "load_run",
    "save_mindir",
    "save_run",
    *callback.__all__,
    *distributed.__all__,
    *metrics.__all__,
    *serialization.__all__,
    *summary.__all__,
    *unserved.__all__,
]
_complete({name: globals()[name] for name in __all__}, "train")
