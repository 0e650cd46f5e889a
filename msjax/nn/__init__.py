"""Layers, losses, optimizers, schedules and the Cells that train: the names of `mindspore.nn`."""

import importlib as _importlib
import sys as _sys

from ..alias.names import MissingNames as _MissingNames
from ..core.spec import texts as _texts

# The modules whose public names are the package's. A submodule must not hide a name of the package, so they are not
# bound here.
_MODULES = (
    "cell.cell",
    "cell.graph_cell",
    "container",
    "layer.activation",
    "layer.array",
    "layer.basic",
    "layer.combined",
    "layer.conv",
    "layer.conv_transpose",
    "layer.embedding",
    "layer.image",
    "layer.math",
    "layer.normalization",
    "layer.padding",
    "layer.pooling",
    "layer.quant",
    "layer.quant_observer",
    "layer.adaptive_pooling",
    "layer.rnn_cells",
    "layer.rnns",
    "layer.thor_layer",
    "layer.transformer",
    "reinforcement",
    "loss.loss",
    "loss.distance",
    "layer.sparse",
    "wrap.jacobian",
    "utils",
    "schedule.dynamic_lr",
    "schedule.learning_rate_schedule",
    "optim.optimizer",
    "optim.adam",
    "optim.momentum",
    "optim.adaptive",
    "optim.adafactor",
    "optim.layerwise",
    "optim.signs",
    "optim.thor",
    "optim.adasum",
    "wrap.cell_wrapper",
    "wrap.grad_reducer",
    "wrap.loss_scale",
    "wrap.micro_batch",
)


def _public(module):
    """The public names of a module: its `__all__`, or the names that it defines itself."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return listed
    return [
        name
        for name, value in vars(module).items()
        if name[0] != "_" and getattr(value, "__module__", None) == module.__name__
    ]


__all__ = []
for _path in _MODULES:
    _module = _importlib.import_module(f".{_path}", __name__)
    for _name in _public(_module):
        globals()[_name] = getattr(_module, _name)
        __all__.append(_name)
        if "." in _path:  # `nn.layer.Dense`, `nn.optim.Adam`
            _package = vars(_sys.modules[f"{__name__}.{_path.partition('.')[0]}"])
            _package[_name] = getattr(_module, _name)
            _package.setdefault("__all__", []).append(_name)
__all__.sort()
_BatchNorm = _sys.modules[f"{__name__}.layer.normalization"]._BatchNorm  # bases that projects derive from
_Conv = _sys.modules[f"{__name__}.layer.conv_base"].ConvolutionBase
_Loss = _sys.modules[f"{__name__}.loss.loss"]._Loss
_activation = _sys.modules[f"{__name__}.layer.activation"]._activation

_importlib.import_module(".inner_operators", __name__).attach(globals())
_sys.modules[f"{__name__}.cell.calls"].in_parts = _importlib.import_module(".layer_strategies", __name__).in_parts

for _path, _names in (
    ("wrap.micro_batch", ("_BroadCastCell", "_MicroBatch", "_TrainGradAccuStepCell", "_VirtualDatasetCell")),
    ("wrap.loss_scale", ("_grad_overflow", "_grad_scale", "grad_scale", "shard_grad_scale")),
):
    for _name in _names:  # names that training cells copied from MindSpore's import
        globals()[_name] = getattr(_sys.modules[f"{__name__}.{_path}"], _name)

_texts.complete({_name: globals()[_name] for _name in __all__}, "nn")

__getattr__ = _MissingNames(__name__)
