"""`mindspore.compression` of MindSpore 1.x: quantization-aware training."""

from .ranges import (
    cal_quantization_params,
    compute_kl_threshold,
    fold_batchnorm,
    get_quant_min_max,
    load_nonquant_param_into_quant_net,
    query_quant_layers,
    scale_zp_max_min_from_fake_quant_cell,
    weight2int,
    without_fold_batchnorm,
)
from .training import (
    OptimizeOption,
    QuantizationAwareTraining,
    Quantizer,
    _AddFakeQuantAfterSubCell,
    _AddFakeQuantInput,
    create_quant_config,
)

__all__ = [
    "OptimizeOption",
    "QuantizationAwareTraining",
    "Quantizer",
    "_AddFakeQuantAfterSubCell",
    "_AddFakeQuantInput",
    "cal_quantization_params",
    "compute_kl_threshold",
    "create_quant_config",
    "fold_batchnorm",
    "get_quant_min_max",
    "load_nonquant_param_into_quant_net",
    "query_quant_layers",
    "scale_zp_max_min_from_fake_quant_cell",
    "weight2int",
    "without_fold_batchnorm",
]
