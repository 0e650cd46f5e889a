"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax import COOTensor
from msjax.nn.cell.cell import Cell as Cell
from msjax.nn.optim.optimizer import Optimizer as Optimizer

from msjax import QuantDtype as QuantDtype
from msjax.core.operators.primitive import Primitive as Primitive
from msjax.core.values.dtype import Type as Type
from msjax.core.values.initializer import Initializer as Initializer
from msjax.core.values.parameter import Parameter as Parameter
from msjax.core.values.tensor import Tensor as Tensor
from msjax.nn.optim.thor import ThorGpu as ThorGpu
import numpy as np
from msjax.nn.cell.cell import Cell as Cell
from msjax.nn.optim.optimizer import Optimizer as Optimizer
class ASGD(Optimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992); the averages are the Parameters `ax`."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell=0.1, lambd: float=0.0001, alpha: float=0.75, t0: float=1000000.0, weight_decay: float | Cell=0.0) -> None: ...
    def transformation(self, learning_rate) -> Any: ...
class ActQuant(Cell):
    """An activation, then rounding."""
    def __init__(self, activation, ema: bool=False, ema_decay: float=0.999, fake_before: bool=False, quant_config: Any=..., quant_dtype: QuantDtype=...) -> None: ...
    def get_origin(self) -> Any: """The activation itself."""
class AdaFactor(Optimizer):
    """AdaFactor (Shazeer and Stern, 2018): adaptive learning rates with sublinear memory."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | None=None, eps: tuple[float, ...] | list[Any]=..., clip_threshold: float=1.0, decay_rate: float=0.8, beta1: float | None=0.9, weight_decay: float=0.0, scale_parameter: bool=True, relative_step: bool=True, warmup_init: bool=False, compression: bool=False, loss_scale: float=1.0) -> None: ...
    def decay_weight(self, gradients: Sequence[Tensor]) -> Any: """The gradients as they are: the Parameters are decayed."""
    def init_ada_factor_state(self, beta1) -> None: """Make the Parameters of the state; `beta1` 0 keeps no first moment."""
    @property
    def supports_flat_params(self) -> bool: ...
    @property
    def supports_memory_efficient_fp16(self) -> bool: ...
    def transformation(self, learning_rate) -> Any: ...
class AdaMax(Optimizer):
    """AdaMax (Kingma and Ba, 2015): Adam whose second moment is a decaying maximum of |g|."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell=0.001, beta1: float=0.9, beta2: float=0.999, eps: float=1e-08, weight_decay: float | Cell=0.0, loss_scale: float=1.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
class AdaSumByDeltaWeightWrapCell(Cell):
    """AdaSum of the changes of the Parameters around an optimizer."""
    def __init__(self, optimizer) -> None: ...
class AdaSumByGradWrapCell(Cell):
    """AdaSum of gradients around an optimizer."""
    def __init__(self, optimizer) -> None: ...
class Adadelta(Optimizer):
    """Adadelta (Zeiler, 2012): steps in the proportion of past changes to past gradients."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell=1.0, rho: float=0.9, epsilon: float=1e-06, loss_scale: float=1.0, weight_decay: float | Cell=0.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
class Adagrad(Optimizer):
    """Adagrad (Duchi et al., 2011): accum += g^2; p -= lr g / sqrt(accum)."""
    def __init__(self, params: Iterable[Any], accum: float=0.1, learning_rate: float | Tensor | Iterable[float] | Cell=0.001, update_slots: bool=True, loss_scale: float=1.0, weight_decay: float | Cell=0.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015): lr_t = lr sqrt(1 - beta2^t) / (1 - beta1^t); p -= lr_t m / (sqrt(v) + eps)."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell=0.001, beta1: float=0.9, beta2: float=0.999, eps: float=1e-08, use_locking: bool=False, use_nesterov: bool=False, weight_decay: float | Cell=0.0, loss_scale: float=1.0, use_amsgrad: bool=False, *, use_lazy: bool=..., use_offload: bool=...) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
    use_amsgrad: Any
class AdamOffload(Optimizer):
    """Adam as it runs on the host in MindSpore; here memory is managed by XLA, and the step is Adam's."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell=0.001, beta1: float=0.9, beta2: float=0.999, eps: float=1e-08, use_locking: bool=False, use_nesterov: bool=False, weight_decay: float | Cell=0.0, loss_scale: float=1.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
    use_amsgrad: Any
class AdamWeightDecay(Optimizer):
    """Adam without bias correction and with decoupled weight decay, as BERT trains (Loshchilov and Hutter, 2019)."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell=0.001, beta1: float=0.9, beta2: float=0.999, eps: float=1e-06, weight_decay: float | Cell=0.0) -> None: ...
    def decay_weight(self, gradients: Sequence[Tensor]) -> Any: """The gradients as they are: the Parameters are decayed."""
    fused_opt: Any
    def transformation(self, learning_rate, weight_decay, mask: Tensor) -> Any: ...
class AdaptiveAvgPool1d(Cell):
    """Mean pooling of (N, C, L) to a length that divides L."""
    def __init__(self, output_size: int) -> None: ...
    dtype: Any
    expand: Any
    squeeze: Any
    output_size: int
class AdaptiveAvgPool2d(Cell):
    """Mean pooling of (..., H, W) to the sizes `output_size`: an int, or two ints of which None keeps the input's."""
    def __init__(self, output_size: int | tuple[int | None, int | None]) -> None: ...
class AdaptiveAvgPool3d(Cell):
    """Mean pooling of (..., D, H, W) to the sizes `output_size`: an int, or three ints of which None keeps the input's."""
    def __init__(self, output_size: int | tuple[int | None, ...]) -> None: ...
class AdaptiveMaxPool1d(Cell):
    """Maximum pooling of (N, C, L) to a length that divides L."""
    def __init__(self, output_size: int) -> None: ...
    dtype: Any
    expand: Any
    squeeze: Any
    output_size: int
class AdaptiveMaxPool2d(Cell):
    """Maximum pooling of (..., H, W) to the sizes `output_size`; with `return_indices` also where the maxima are."""
    def __init__(self, output_size: int | tuple, return_indices: bool=False) -> None: ...
    return_indices: bool
class AdaptiveMaxPool3d(Cell):
    """Maximum pooling of (..., D, H, W) to the sizes `output_size`; with `return_indices` also where the maxima are."""
    def __init__(self, output_size, return_indices: bool=False) -> None: ...
    return_indices: bool
class AllreduceGraph(Cell):
    """Parameters summed over the processes of a group: with one process as they are."""
    def __init__(self, inputs, group_name: str) -> None: ...
class AvgPool1d(Cell):
    """Mean over windows of (N, C, L) or (C, L)."""
    def __init__(self, kernel_size: int=1, stride: int=1, pad_mode: str='valid', padding: int | tuple | list=0, ceil_mode: bool=False, count_include_pad: bool=True) -> None: ...
    avg_pool: Any
    expand: Any
    def extend_repr(self) -> str: ...
    reduce_mean: Any
    slice: Any
    squeeze: Any
    ceil_mode: bool
    count_include_pad: bool
    pad_mode: str
class AvgPool1dExt(Cell):
    """`mint.nn.AvgPool1d`: mean over windows of (N, C, L)."""
    def __init__(self, kernel_size: int | tuple, stride: int | tuple | None=None, padding: int | tuple=0, ceil_mode: bool=False, count_include_pad: bool=True) -> None: ...
    ceil_mode: bool
    count_include_pad: bool
class AvgPool2d(Cell):
    """Mean over windows of (N, C, H, W) or (C, H, W)."""
    def __init__(self, kernel_size: int | tuple=1, stride: int | tuple=1, pad_mode: str='valid', padding: int | tuple | list=0, ceil_mode: bool=False, count_include_pad: bool=True, divisor_override: int | None=None, data_format: Literal['NCHW', 'NHWC']='NCHW') -> None: ...
    avg_pool: Any
    def extend_repr(self) -> str: ...
    ceil_mode: bool
    count_include_pad: bool
    pad_mode: str
class AvgPool2dExt(Cell):
    """`mint.nn.AvgPool2d`: mean over windows of (N, C, H, W)."""
    def __init__(self, kernel_size, stride=None, padding: Any=0, ceil_mode: Any=False, count_include_pad: Any=True, divisor_override=None) -> None: ...
class AvgPool3d(Cell):
    """Mean over windows of (N, C, D, H, W) or (C, D, H, W)."""
    def __init__(self, kernel_size: int | tuple[int, int, int]=1, stride: int | tuple[int, int, int]=1, pad_mode: str='valid', padding: int | tuple | list=0, ceil_mode: bool=False, count_include_pad: bool=True, divisor_override: int | None=None) -> None: ...
    def extend_repr(self) -> str: ...
    ceil_mode: bool
    count_include_pad: bool
    pad_mode: str
class AvgPool3dExt(Cell):
    """`mint.nn.AvgPool3d`: mean over windows of (N, C, D, H, W)."""
    def __init__(self, kernel_size, stride=None, padding: Any=0, ceil_mode: Any=False, count_include_pad: Any=True, divisor_override=None) -> None: ...
class BCELoss(LossBase):
    """Binary cross entropy of probabilities: -weight * (labels * log(logits) + (1 - labels) * log(1 - logits)),"""
    def __init__(self, weight: Tensor | None=None, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class BCEWithLogitsLoss(LossBase):
    """Binary cross entropy of sigmoid(input), without overflow, reduced."""
    def __init__(self, reduction: Literal['none', 'mean', 'sum']='mean', weight: Tensor | None=None, pos_weight: Tensor | None=None) -> None: ...
    def construct(self, input: Tensor, target: Tensor) -> Tensor: ...
class BatchNorm1d(Cell):
    """Batch normalization (Ioffe and Szegedy, 2015) per channel: (x - mean) / sqrt(variance + eps) * gamma + beta."""
    def __init__(self, num_features: int, eps: float=1e-05, momentum: float=0.9, affine: bool=True, gamma_init: Initializer | Tensor | str | float | None='ones', beta_init: Initializer | Tensor | str | float | None='zeros', moving_mean_init: Initializer | Tensor | str | float | None='zeros', moving_var_init: Initializer | Tensor | str | float | None='ones', use_batch_statistics: bool | None=None, data_format: Literal['NCHW', 'NHWC']='NCHW', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    assign_sub_mean: Any
    assign_sub_var: Any
    bn_infer: Any
    bn_train: Any
    dtype: Any
    def extend_repr(self) -> str: ...
    mul_mean: Any
    mul_var: Any
    reduce_mean: Any
    reshape: Any
    shape: Any
    sqrt: Any
    square: Any
    sub_mean: Any
    sub_var: Any
    beta: Parameter
    eps: float
    gamma: Parameter
    momentum: float
    moving_mean: Parameter
    moving_variance: Parameter
    num_features: int
class BatchNorm2d(Cell):
    """Batch normalization (Ioffe and Szegedy, 2015) per channel: (x - mean) / sqrt(variance + eps) * gamma + beta."""
    def __init__(self, num_features: int, eps: float=1e-05, momentum: float=0.9, affine: bool=True, gamma_init: Initializer | Tensor | str | float | None='ones', beta_init: Initializer | Tensor | str | float | None='zeros', moving_mean_init: Initializer | Tensor | str | float | None='zeros', moving_var_init: Initializer | Tensor | str | float | None='ones', use_batch_statistics: bool | None=None, data_format: Literal['NCHW', 'NHWC']='NCHW', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    assign_sub_mean: Any
    assign_sub_var: Any
    bn_infer: Any
    bn_train: Any
    dtype: Any
    def extend_repr(self) -> str: ...
    mul_mean: Any
    mul_var: Any
    reduce_mean: Any
    reshape: Any
    shape: Any
    sqrt: Any
    square: Any
    sub_mean: Any
    sub_var: Any
    beta: Parameter
    eps: float
    gamma: Parameter
    momentum: float
    moving_mean: Parameter
    moving_variance: Parameter
    num_features: int
class BatchNorm3d(Cell):
    """Batch normalization of (N, C, D, H, W); arguments as for BatchNorm2d, which it holds as `bn2d`."""
    def __init__(self, num_features: int, eps: float=1e-05, momentum: float=0.9, affine: bool=True, gamma_init: Initializer | Tensor | str | float | None='ones', beta_init: Initializer | Tensor | str | float | None='zeros', moving_mean_init: Initializer | Tensor | str | float | None='zeros', moving_var_init: Initializer | Tensor | str | float | None='ones', use_batch_statistics: bool | None=None, dtype: Type | type | str | np.dtype | None=..., *, data_format: Any=...) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    reshape: Any
    shape: Any
    bn2d: Cell
class BatchRead(BatchWrite):
    """(targets, sources): each Parameter of the first tuple takes the value of the one in the second; True."""
class BatchWrite(Cell):
    """(targets, sources): each Parameter of the first tuple takes the value of the one in the second; True."""
class BiDense(Cell):
    """input1 A input2 + bias, with a matrix A for each output channel."""
    def __init__(self, in1_channels: int, in2_channels: int, out_channels: int, weight_init: Initializer | Tensor | str | float | None=None, bias_init: Initializer | Tensor | str | float | None=None, has_bias: bool=True, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    bias_add: Any
    def construct(self, input1: Tensor, input2: Tensor) -> Tensor: ...
    def extend_repr(self) -> str: ...
    matmul: Any
    bias: Parameter
    has_bias: bool
    in1_channels: int
    in2_channels: int
    out_channels: int
    weight: Parameter
class CELU(Cell):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    def __init__(self, alpha: float=1.0) -> None: ...
    celu: Any
    def construct(self, x: Tensor) -> Tensor: ...
    alpha: float
class CTCLoss(LossBase):
    """Connectionist temporal classification (Graves et al., 2006): -log of the probability of `targets` over all"""
    def __init__(self, blank: int=0, reduction: Literal['none', 'mean', 'sum']='mean', zero_infinity: bool=False) -> None: ...
    def construct(self, log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor) -> Tensor: ...
    blank: int
    zero_infinity: bool
class CellDict(Cell):
    """A dict of Cells; it cannot be called."""
    def __contains__(self, key) -> bool: ...
    def __getitem__(self, key) -> Cell: ...
    def __init__(self, *args, **kwargs) -> None: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __setitem__(self, key, cell) -> None: ...
    def clear(self) -> None: """Take all Cells out."""
    def items(self) -> Any: """Pairs (name, Cell)."""
    def keys(self) -> Any: """The names."""
    def pop(self, key: str) -> Any: """Take one Cell out and return it."""
    def update(self, cells) -> None: """Add Cells from a mapping or from (name, Cell) pairs."""
    def values(self) -> Any: """The Cells."""
class CellList(Cell):
    """A list of Cells whose Parameters are named '0.…', '1.…'; it cannot be called."""
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    @overload
    def __getitem__(self, index: int | str) -> Cell: ...
    def __init__(self, *args, **kwargs) -> None: ...
    def __iter__(self) -> Iterator[Cell]: ...
    def __len__(self) -> int: ...
    def __setitem__(self, index, cell) -> None: ...
    def append(self, cell) -> Self: """Add a Cell at the end; returns the container."""
    def extend(self, cells) -> Self: """Add several Cells at the end; returns the container."""
    def insert(self, index: int, cell: Cell) -> None: """Put a Cell before position `index`."""
    def set_grad(self, flag: Any=True) -> Self: """Mark the container and its Cells for gradients."""
class CentralCrop(Cell):
    """The middle of (C, H, W) or (N, C, H, W): `central_fraction` of height and width."""
    def __init__(self, central_fraction: float) -> None: ...
    slice: Any
    central_fraction: float
class ChannelShuffle(Cell):
    """The channels of (N, C, ...) interleaved from `groups` groups (Zhang et al., 2018)."""
    def __init__(self, groups: int) -> None: ...
    reshape: Any
    shape: Any
    transpose: Any
    groups: int
class ClipByNorm(Cell):
    """x scaled down so that its L2 norm over `axis` is at most `clip_norm`."""
    def __init__(self, axis: int | tuple[int, ...] | list | None=None) -> None: ...
class ConstantPad1d(Cell):
    """`value` on both sides of the last axis; `padding` is an int or (left, right)."""
    def __init__(self, padding: bool | int | tuple[int, ...], value: bool | int | float) -> None: ...
class ConstantPad2d(Cell):
    """`value` on the sides of the last two axes; `padding` is an int or (left, right, top, bottom)."""
    def __init__(self, padding: bool | int | tuple[int, ...], value: bool | int | float) -> None: ...
class ConstantPad3d(Cell):
    """`value` on the sides of the last three axes; `padding` is an int or (left, right, top, bottom, front, back)."""
    def __init__(self, padding: bool | int | tuple[int, ...], value: bool | int | float) -> None: ...
class Conv1d(Cell):
    """Convolution of (N, C_in, L); the weight is (C_out, C_in / group, 1, k)."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, stride: int=1, pad_mode: Literal['valid', 'same', 'pad']='same', padding: int=0, dilation: int=1, group: int=1, has_bias: bool=False, weight_init: Initializer | Tensor | str | float | None=None, bias_init: Initializer | Tensor | str | float | None=None, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    bias_add: Any
    conv2d: Any
    expand_dims: Any
    def extend_repr(self) -> str: ...
    shape: Any
    squeeze: Any
    bias: Parameter
    group: int
    has_bias: bool
    in_channels: int
    out_channels: int
    weight: Parameter
class Conv1dTranspose(Cell):
    """Transposed convolution of (N, C_in, L), with a weight of (C_in, C_out / group, 1, k)."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, stride: int=1, pad_mode: Literal['valid', 'same', 'pad']='same', padding: int=0, dilation: int=1, group: int=1, has_bias: bool=False, weight_init: Initializer | Tensor | str | float | None=None, bias_init: Initializer | Tensor | str | float | None=None, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    bias_add: Any
    conv2d_transpose: Any
    expand_dims: Any
    def extend_repr(self) -> str: ...
    shape: Any
    squeeze: Any
    bias: Parameter
    group: int
    has_bias: bool
    in_channels: int
    out_channels: int
    weight: Parameter
class Conv2d(Cell):
    """Convolution of (N, C_in, H, W) with a weight of (C_out, C_in / group, kH, kW)."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple[int, int], stride: int | tuple[int, int]=1, pad_mode: Literal['valid', 'same', 'pad']='same', padding: int | tuple[int, int, int, int]=0, dilation: int | tuple[int, int]=1, group: int=1, has_bias: bool=False, weight_init: Initializer | Tensor | str | float | None=None, bias_init: Initializer | Tensor | str | float | None=None, data_format: Literal['NCHW', 'NHWC', 'NCDHW']='NCHW', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    bias_add: Any
    conv2d: Any
    def extend_repr(self) -> str: ...
    bias: Parameter
    group: int
    has_bias: bool
    in_channels: int
    out_channels: int
    weight: Parameter
class Conv2dBnAct(Cell):
    """Conv2d, then BatchNorm2d (`has_bn`) and an activation (a name, a Cell or a Primitive); arguments as for these."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple[int, int], stride: int | tuple[int, int]=1, pad_mode: Literal['valid', 'same', 'pad']='same', padding: int | tuple=0, dilation: int | tuple[int, int]=1, group: int=1, has_bias: bool=False, weight_init: Initializer | Tensor | str | float | None='normal', bias_init: Initializer | Tensor | str | float | None='zeros', has_bn: bool=False, momentum: float=0.997, eps: float=1e-05, activation: str | Cell | type[Cell] | None=None, alpha: float=0.2, after_fake: bool=True) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    after_fake: bool
    conv: Cell
    has_bn: bool
class Conv2dBnFoldQuant(Cell):
    """A convolution and its batch normalization as one, with the rounded weight `weight * gamma / sqrt(variance + eps)` of the moving variance. A first convolution gives the batch's"""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple, stride: int | tuple=1, pad_mode: str='same', padding: int | tuple=0, dilation: int | tuple=1, group: int=1, eps: float=1e-05, momentum: float=0.997, has_bias: bool=False, weight_init: Any='normal', bias_init: Any='zeros', beta_init: str='zeros', gamma_init: str='ones', mean_init: str='zeros', var_init: str='ones', fake: bool=True, quant_config: Any=..., quant_dtype: QuantDtype=..., freeze_bn: int=100000) -> None: ...
    def extend_repr(self) -> str: ...
    @classmethod
    def from_float(cls, convbn, quant_config, extra_args) -> Self: """A new layer of the sizes of a Conv2dBnAct; extra_args: more arguments, as a dict."""
    beta: Parameter
    bias: Parameter
    eps: float
    fake: bool
    fake_quant_weight: Cell
    freeze_bn: int
    gamma: Parameter
    group: int
    has_bias: bool
    in_channels: int
    momentum: float
    moving_mean: Parameter
    moving_variance: Parameter
    out_channels: int
    pad_mode: str
    step: Parameter
    weight: Parameter
class Conv2dBnFoldQuantOneConv(Cell):
    """A convolution and its batch normalization as one, with the rounded weight `weight * gamma / sqrt(variance + eps)` of the moving variance; the normalization then has the batch's statistics in training."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple, stride: int | tuple=1, pad_mode: str='same', padding: int | tuple=0, dilation: int | tuple=1, group: int=1, eps: float=1e-05, momentum: float=0.997, has_bias: bool=False, weight_init: Any='normal', bias_init: Any='zeros', beta_init: str='zeros', gamma_init: str='ones', mean_init: str='zeros', var_init: str='ones', fake: bool=True, quant_config: Any=..., quant_dtype: QuantDtype=...) -> None: ...
    def extend_repr(self) -> str: ...
    @classmethod
    def from_float(cls, convbn, quant_config) -> Self: """A new layer of the sizes of a Conv2dBnAct."""
    beta: Parameter
    bias: Parameter
    eps: float
    fake: bool
    fake_quant_weight: Cell
    gamma: Parameter
    group: int
    has_bias: bool
    in_channels: int
    momentum: float
    moving_mean: Parameter
    moving_variance: Parameter
    out_channels: int
    pad_mode: str
    weight: Parameter
class Conv2dBnWithoutFoldQuant(Cell):
    """A 2-D convolution whose weight is rounded, then BatchNorm2d."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple, stride: int | tuple=1, pad_mode: str='same', padding: int | tuple=0, dilation: int | tuple=1, group: int=1, has_bias: bool=False, eps: float=1e-05, momentum: float=0.997, weight_init: Any='normal', bias_init: Any='zeros', quant_config: Any=...) -> None: ...
    def extend_repr(self) -> str: ...
    @classmethod
    def from_float(cls, convbn, quant_config) -> Self: """A new layer of the sizes of a Conv2dBnAct."""
    batchnorm: Cell
    bias: Parameter
    fake_quant_weight: Cell
    group: int
    has_bias: bool
    in_channels: int
    out_channels: int
    pad_mode: str
    weight: Parameter
class Conv2dQuant(Cell):
    """A 2-D convolution whose weight is rounded."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple, stride: int | tuple=1, pad_mode: str='same', padding: int | tuple=0, dilation: int | tuple=1, group: int=1, has_bias: bool=False, weight_init: Any='normal', bias_init: Any='zeros', quant_config: Any=..., quant_dtype: QuantDtype=...) -> None: ...
    def extend_repr(self) -> str: ...
    @classmethod
    def from_float(cls, conv, quant_config) -> Self: """A new layer of the sizes of a Conv2d."""
    bias: Parameter
    fake_quant_weight: Cell
    group: int
    has_bias: bool
    in_channels: int
    out_channels: int
    pad_mode: str
    weight: Parameter
class Conv2dThor(Cell):
    """Conv2d that keeps the factors of patches and output gradients for `nn.thor`; arguments as for Conv2d."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple[int, int], stride: int | tuple[int, int]=1, pad_mode: Literal['valid', 'same', 'pad']='same', padding: int | tuple=0, dilation: int | tuple[int, int]=1, group: int=1, has_bias: bool=False, weight_init: Initializer | Tensor | str | float | None='normal', bias_init: Initializer | Tensor | str | float | None='zeros') -> None: ...
    def extend_repr(self) -> str: ...
    def save_gradient(self, dout: Tensor) -> Tensor: """Note the second moment of the output's gradient (its mean over the batch), and pass it on."""
    thor: Any
    a_normalizer: Parameter
    bias: Parameter
    g_normalizer: Parameter
    group: int
    has_bias: bool
    in_channels: int
    matrix_a_cov: Parameter
    matrix_g_cov: Parameter
    out_channels: int
    weight: Parameter
class Conv2dTranspose(Cell):
    """Transposed convolution of (N, C_in, H, W), with a weight of (C_in, C_out / group, kH, kW)."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple[int, int], stride: int | tuple[int, int]=1, pad_mode: Literal['valid', 'same', 'pad']='same', padding: int | tuple[int, int, int, int]=0, output_padding: int | tuple[int, int]=0, dilation: int | tuple[int, int]=1, group: int=1, has_bias: bool=False, weight_init: Initializer | Tensor | str | float | None=None, bias_init: Initializer | Tensor | str | float | None=None, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    bias_add: Any
    conv2d_transpose: Any
    def extend_repr(self) -> str: ...
    shape: Any
    bias: Parameter
    group: int
    has_bias: bool
    in_channels: int
    out_channels: int
    weight: Parameter
class Conv3d(Cell):
    """Convolution of (N, C_in, D, H, W) with a weight of (C_out, C_in / group, kD, kH, kW)."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple[int, int, int], stride: int | tuple[int, int, int]=1, pad_mode: Literal['valid', 'same', 'pad']='same', padding: int | tuple[int, int, int, int, int, int]=0, dilation: int | tuple[int, int, int]=1, group: int=1, has_bias: bool=False, weight_init: Initializer | Tensor | str | float | None=None, bias_init: Initializer | Tensor | str | float | None=None, data_format: Literal['NCHW', 'NHWC', 'NCDHW']='NCDHW', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    bias_add: Any
    conv3d: Any
    def extend_repr(self) -> str: ...
    shape: Any
    bias: Parameter
    group: int
    has_bias: bool
    in_channels: int
    out_channels: int
    weight: Parameter
class Conv3dTranspose(Cell):
    """Transposed convolution of (N, C_in, D, H, W), with a weight of (C_in, C_out / group, kD, kH, kW)."""
    def __init__(self, in_channels: int, out_channels: int, kernel_size: int | tuple[int, int, int], stride: int | tuple[int, int, int]=1, pad_mode: Literal['valid', 'same', 'pad']='same', padding: int | tuple[int, int, int, int, int, int]=0, dilation: int | tuple[int, int, int]=1, group: int=1, output_padding: int | tuple[int, int, int]=0, has_bias: bool=False, weight_init: Initializer | Tensor | str | float | None=None, bias_init: Initializer | Tensor | str | float | None=None, data_format: Literal['NCHW', 'NHWC', 'NCDHW']='NCDHW', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    bias_add: Any
    conv3d_transpose: Any
    def extend_repr(self) -> str: ...
    shape: Any
    bias: Parameter
    group: int
    has_bias: bool
    in_channels: int
    out_channels: int
    weight: Parameter
class CosineDecayLR(LearningRateSchedule):
    """From max_lr to min_lr along half a cosine of `decay_steps` steps (Loshchilov and Hutter, 2017)."""
    def __init__(self, min_lr: float, max_lr: float, decay_steps: int) -> None: ...
class CosineEmbeddingLoss(LossBase):
    """1 - cos(x1, x2) where labels are 1, max(0, cos(x1, x2) - margin) where they are -1, reduced."""
    def __init__(self, margin: float=0.0, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, logits_x1: Tensor, logits_x2: Tensor, labels: Tensor) -> Tensor: ...
    maximum: Any
    margin: float
class CrossEntropyLoss(LossBase):
    """Cross entropy of softmax(logits), with class numbers or probabilities as labels."""
    def __init__(self, weight: Tensor | None=None, ignore_index: int=-100, reduction: Literal['none', 'mean', 'sum']='mean', label_smoothing: float=0.0) -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
    ignore_index: int
    label_smoothing: float
class Dense(Cell):
    """activation(x @ weight.T + bias) over the last axis."""
    def __init__(self, in_channels: int, out_channels: int, weight_init: Initializer | Tensor | str | float | None=None, bias_init: Initializer | Tensor | str | float | None=None, has_bias: bool=True, activation: str | Cell | type[Cell] | None=None, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    bias_add: Any
    def construct(self, x: Tensor) -> Tensor: ...
    def extend_repr(self) -> str: ...
    matmul: Any
    reshape: Any
    shape_op: Any
    bias: Parameter
    has_bias: bool
    in_channels: int
    out_channels: int
    weight: Parameter
class DenseBnAct(Cell):
    """Dense, then BatchNorm1d (`has_bn`) and an activation (a name, a Cell or a Primitive); arguments as for these."""
    def __init__(self, in_channels: int, out_channels: int, weight_init: Initializer | Tensor | str | float | None='normal', bias_init: Initializer | Tensor | str | float | None='zeros', has_bias: bool=True, has_bn: bool=False, momentum: float=0.9, eps: float=1e-05, activation: str | Cell | type[Cell] | None=None, alpha: float=0.2, after_fake: bool=True) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    after_fake: bool
    dense: Cell
    has_bn: bool
class DenseQuant(Cell):
    """A fully connected layer whose weight is rounded."""
    def __init__(self, in_channels: int, out_channels: int, weight_init: Any='normal', bias_init: Any='zeros', has_bias: bool=True, activation=None, quant_config: Any=..., quant_dtype: QuantDtype=...) -> None: ...
    def extend_repr(self) -> str: ...
    @classmethod
    def from_float(cls, dense, quant_config) -> Self: """A new layer with the values and the activation of a Dense."""
    bias: Parameter
    fake_quant_weight: Cell
    has_bias: bool
    in_channels: int
    out_channels: int
    weight: Parameter
class DenseThor(Dense):
    """Dense that keeps `matrix_a` (in, in) and `matrix_g` (out, out) for `nn.thor`; arguments as for Dense."""
    def __init__(self, in_channels: int, out_channels: int, weight_init: Initializer | Tensor | str | float | None='normal', bias_init: Initializer | Tensor | str | float | None='zeros', has_bias: bool=True, activation: str | Cell | None=None) -> None: ...
    def extend_repr(self) -> str: ...
    def save_gradient(self, dout: Tensor) -> Tensor: """Note the second moment of the output's gradient, and pass it on."""
    matrix_a: Parameter
    matrix_g: Parameter
class DiGamma(Cell):
    """Derivative of the logarithm of the gamma function."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
class DiceLoss(LossBase):
    """1 - 2 sum(logits * label) / (sum(logits ** 2) + sum(label ** 2) + smooth)."""
    def __init__(self, smooth: float=1e-05) -> None: ...
    def construct(self, logits: Tensor, label: Tensor) -> Tensor: ...
    reshape: Any
    smooth: float
class DistributedGradReducer(Cell):
    """Sum or mean of the gradients of all processes, in few large collectives; with one process the gradients as they are."""
    def __init__(self, parameters, mean=None, degree: int | None=None, fusion_type: int=1, group: str='hccl_world_group') -> None: ...
    map_: Any
class Dropout(Cell):
    """In training, sets each element to 0 with probability `p` and divides the others by 1 - p; otherwise the identity."""
    def __init__(self, keep_prob: float=0.5, p: int | float | None=None, dtype: Type=..., *, seed0: Any=..., seed1: Any=...) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    dropout: Any
    def extend_repr(self) -> str: ...
    keep_prob: float
class Dropout1d(Cell):
    """In training, sets whole channels of (N, C, L) or (C, L) to 0 with probability `p`."""
    def __init__(self, p: float=0.5) -> None: ...
    def construct(self, x) -> Tensor: ...
class Dropout2d(Cell):
    """In training, sets whole channels of (N, C, H, W) to 0 with probability `p`."""
    def __init__(self, p: float=0.5) -> None: ...
    def construct(self, x) -> Tensor: ...
    dropout2d: Any
    def extend_repr(self) -> str: ...
class Dropout2dExt(DropoutExt):
    """`mint.nn.Dropout2d`: whole channels of (N, C, ...) are dropped."""
class Dropout3d(Dropout2d):
    """In training, sets whole channels of (N, C, D, H, W) to 0 with probability `p`."""
    dropout3d: Any
class DropoutExt(Cell):
    """`mint.nn.Dropout`: as Dropout(p=p)."""
    def __init__(self, p: float=0.5, inplace: bool=False) -> None: ...
    inplace: bool
    p: float
class DynamicLossScaleUpdateCell(Cell):
    """Grows the loss scale after `scale_window` good steps, and divides it when gradients overflow."""
    def __init__(self, loss_scale_value: float, scale_factor: int, scale_window: int) -> None: ...
    def get_loss_scale(self) -> Any: """The first scale."""
    less_equal: Any
    logic_and: Any
    logic_not: Any
    logic_or: Any
    max: Any
    reciprocal: Any
    select: Any
    cur_iter: Parameter
    last_overflow_iter: Parameter
    loss_scale_value: float
class ELU(Cell):
    """x if it is positive, else alpha * (exp(x) - 1)."""
    def __init__(self, alpha: float=1.0) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    elu: Any
    alpha: float
class Embedding(Cell):
    """Rows of a trained table: ids of any shape give (*ids.shape, embedding_size); an id out of range gives zeros."""
    def __init__(self, vocab_size: int, embedding_size: int, use_one_hot: bool=False, embedding_table: Initializer | Tensor | str | float | None='normal', dtype: Type | type | str | np.dtype | None=..., padding_idx=None) -> None: ...
    array_mul: Any
    concat: Any
    def construct(self, ids: Tensor) -> Tensor: ...
    expand: Any
    def extend_repr(self) -> str: ...
    gather: Any
    get_shp: Any
    one_hot: Any
    reshape: Any
    reshape_flat: Any
    embedding_size: int
    embedding_table: Parameter
    use_one_hot: bool
    vocab_size: int
class EmbeddingExt(Cell):
    """`mint.nn.Embedding`: rows of a trained table."""
    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx=None, max_norm: float | None=None, norm_type: float | None=2.0, scale_grad_by_freq: bool | None=False, sparse: bool=False, _weight: Tensor | None=None, _freeze: bool=False, dtype: Type | type | str | np.dtype | None=None) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    def extend_repr(self) -> str: ...
    embedding_dim: int
    num_embeddings: int
    sparse: bool
    weight: Parameter
class EmbeddingLookup(Cell):
    """Rows of a trained table; the arguments that place the table on a parameter server are recorded."""
    BATCH_SLICE: Any
    FIELD_SLICE: Any
    TABLE_COLUMN_SLICE: Any
    TABLE_ROW_SLICE: Any
    def __init__(self, vocab_size: int, embedding_size: int, param_init: Initializer | Tensor | str | float | None='normal', target: Literal['CPU', 'DEVICE']='CPU', slice_mode: str='batch_slice', manual_shapes: tuple | None=None, max_norm: float | None=None, sparse: bool=True, dtype: Type | type | str | np.dtype | None=..., *, vocab_cache_size: Any=...) -> None: ...
    embeddinglookup: Any
    gather_revert: Any
    gatherv2: Any
    reshape: Any
    reshape_first: Any
    shape: Any
    unique: Any
    embedding_size: int
    embedding_table: Parameter
    slice_mode: str
    sparse: bool
    vocab_size: int
class EmbeddingLookupThor(EmbeddingLookup):
    """EmbeddingLookup with a float16 table that keeps the factors for `nn.thor` with target 'DEVICE'; arguments as"""
    def __init__(self, vocab_size: int, embedding_size: int, param_init: Initializer | Tensor | str | float | None='normal', target: Literal['CPU', 'DEVICE']='CPU', slice_mode: str='batch_slice', manual_shapes: tuple | None=None, max_norm: float | None=None, sparse: bool=True, *, vocab_cache_size: Any=...) -> None: ...
    matrix_a: Parameter
    matrix_g: Parameter
class EmbeddingThor(Embedding):
    """Embedding that keeps the factors for `nn.thor`; arguments as for Embedding."""
    def __init__(self, vocab_size: int, embedding_size: int, use_one_hot: bool=False, embedding_table: Initializer | Tensor | str | float | None='normal', dtype: Type | type | str | np.dtype | None=..., padding_idx: int | None=None) -> None: ...
    matrix_a: Parameter
    matrix_g: Parameter
class ExponentialDecayLR(LearningRateSchedule):
    """learning_rate * decay_rate ** (step / decay_steps); with `is_stair` the exponent is rounded down."""
    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool=False) -> None: ...
class FTRL(Optimizer):
    """FTRL-proximal (McMahan et al., 2013), for sparse linear models."""
    def __init__(self, params: Iterable[Any], initial_accum: float=0.1, learning_rate: int | float | Tensor | Iterable[float] | Cell=0.001, lr_power: float=-0.5, l1: float=0.0, l2: float=0.0, use_locking: bool=False, loss_scale: float=1.0, weight_decay: float | Cell=0.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
class FakeQuantWithMinMaxObserver(Cell):
    """Rounds x to the numbers of `quant_dtype` between a lowest and a highest one."""
    def __init__(self, min_init: int | float | list=-6, max_init: int | float | list=6, ema: bool=False, ema_decay: float=0.999, per_channel: bool=False, channel_axis: int=1, num_channels: int=1, quant_dtype: QuantDtype=..., symmetric: bool=False, narrow_range: bool=False, quant_delay: int=0, neg_trunc: bool=False, mode: Any='DEFAULT') -> None: ...
    def extend_repr(self) -> str: ...
    min_max_map: Any
    @classmethod
    def partial_init(cls, **kwargs) -> Any: """The class with some of its arguments given."""
    def reset(self, quant_dtype: QuantDtype=..., min_init: float=-6, max_init: float=6) -> None: """Start again with another range; ValueError in another mode than 'LEARNED_SCALE'."""
    channel_axis: int
    ema: bool
    ema_decay: float
    maxq: Parameter
    minq: Parameter
    narrow_range: bool
    neg_trunc: bool
    num_channels: int
    per_channel: bool
    quant_delay: int
    symmetric: bool
class FastGelu(Cell):
    """A cheap approximation of GELU."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    fast_gelu: Any
class FixedLossScaleUpdateCell(Cell):
    """A loss scale that never changes; returns whether the step overflowed."""
    def __init__(self, loss_scale_value: float) -> None: ...
    def get_loss_scale(self) -> Any: """The scale."""
    loss_scale_value: float
class Flatten(Cell):
    """The axes from `start_dim` to `end_dim` made into one."""
    def __init__(self, start_dim: int=1, end_dim: int=-1) -> None: ...
    end_dim: int
    start_dim: int
class FocalLoss(LossBase):
    """Cross entropy times (1 - probability) ** gamma (Lin et al., 2017), of (N, C, ...) logits."""
    def __init__(self, weight: Tensor | None=None, gamma: float=2.0, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
    dtype: Any
    expand_dims: Any
    gather_d: Any
    squeeze: Any
    tile: Any
    gamma: float
class ForwardValueAndGrad(Cell):
    """A network's value together with its gradients."""
    def __init__(self, network: Callable[..., Any], weights=None, get_all: bool=False, get_by_list: bool=False, sens_param: bool=False) -> None: ...
    grad: Any
class FractionalMaxPool2d(Cell):
    """Maximum pooling with windows at random places (Graham, 2014), to `output_size` or `output_ratio` times the"""
    def __init__(self, kernel_size: int | tuple, output_size: int | tuple | None=None, output_ratio: float | tuple | None=None, return_indices: bool=False, _random_samples: Tensor | None=None) -> None: ...
    return_indices: bool
class FractionalMaxPool3d(FractionalMaxPool2d):
    """Maximum pooling of (N, C, D, H, W) with windows at random places; arguments as for FractionalMaxPool2d, three"""
class GELU(Cell):
    """Gaussian error linear unit, by tanh (`approximate=True`) or exact."""
    def __init__(self, approximate: bool=True) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    approximate: bool
class GLU(Cell):
    """The first half of x along `axis` times sigmoid of the second half."""
    def __init__(self, axis: int=-1) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    sigmoid: Any
    spilt: Any
    axis: int
class GRU(Cell):
    """Layers of a recurrent network, one on the other."""
    def __init__(self, input_size: int, hidden_size: int, num_layers: int=1, has_bias: bool=True, batch_first: bool=False, dropout: float=0.0, bidirectional: bool=False, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    batch_first: bool
    bias_hh_l0: Parameter
    bias_ih_l0: Parameter
    bidirectional: bool
    dropout: float
    dropout_op: Cell
    has_bias: bool
    hidden_size: int
    input_size: int
    num_layers: int
    rnn: Cell
    weight_hh_l0: Parameter
    weight_ih_l0: Parameter
class GRUCell(Cell):
    """One step of a GRU: x (B, input_size) and h (B, hidden_size) give the new h."""
    def __init__(self, input_size: int, hidden_size: int, has_bias: bool=True, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    def construct(self, x: Tensor, hx: Tensor) -> Tensor: ...
    def reset_parameters(self, dtype: Type=...) -> None: """Draw all Parameters again."""
    bias_hh: Parameter
    bias_ih: Parameter
    has_bias: bool
    hidden_size: int
    input_size: int
    weight_hh: Parameter
    weight_ih: Parameter
class GaussianNLLLoss(LossBase):
    """(log(max(var, eps)) + (logits - labels) ** 2 / max(var, eps)) / 2, with the constant log(2 pi) / 2 if `full`,"""
    def __init__(self, *, full: bool=False, eps: float=1e-06, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, logits: Tensor, labels: Tensor, var: Tensor) -> Tensor: ...
    eps: float
    full: bool
class GetNextSingleOp(Cell):
    """The next batch of a dataset that is sunk under a queue name."""
    def __call__(self) -> tuple[Any, ...]: """Runs on the host in both modes: a compiled program cannot wait for data."""
    def __init__(self, dataset_types, dataset_shapes, queue_name: str) -> None: ...
    queue_name: str
class GradAccumulationCell(Cell):
    """A network with its loss, run on `micro_size` parts of the batch; the losses are added up, and so are the"""
    def __init__(self, network: Cell, micro_size: int) -> None: ...
class GraphCell(Cell):
    """A network that was loaded with `load`, as a Cell."""
    def __init__(self, graph, params_init: dict | None=None, obf_random_seed=None) -> None: ...
class GroupNorm(Cell):
    """Group normalization (Wu and He, 2018): statistics over groups of channels."""
    def __init__(self, num_groups: int, num_channels: int, eps: float=1e-05, affine: bool=True, gamma_init: Initializer | Tensor | str | float | None='ones', beta_init: Initializer | Tensor | str | float | None='zeros', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    def extend_repr(self) -> str: ...
    reduce_mean: Any
    reduce_sum: Any
    reshape: Any
    shape: Any
    sqrt: Any
    square: Any
    affine: bool
    beta: Parameter
    eps: float
    gamma: Parameter
    num_channels: int
    num_groups: int
class HShrink(Cell):
    """x where |x| is greater than `lambd`, 0 elsewhere."""
    def __init__(self, lambd: bool | int | float | None=0.5) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    hshrink: Any
class HSigmoid(Cell):
    """min(max((x + 3) / 6, 0), 1)."""
    def __init__(self) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    hsigmoid: Any
class HSwish(Cell):
    """x * relu6(x + 3) / 6."""
    def __init__(self) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    hswish: Any
class Hardtanh(Cell):
    """x clipped to [min_val, max_val]."""
    def __init__(self, min_val: float=-1.0, max_val: float=1.0) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    max_val: float
    min_val: float
class HingeEmbeddingLoss(LossBase):
    """logits where labels are 1, max(0, margin - logits) where they are -1, reduced."""
    def __init__(self, margin: int | float=1.0, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class HuberLoss(LossBase):
    """d ** 2 / 2 where d = |logits - labels| is at most delta, delta * (d - delta / 2) elsewhere, reduced."""
    def __init__(self, reduction: Literal['none', 'mean', 'sum']='mean', delta: float=1.0) -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
    delta: float
class IGamma(Cell):
    """Lower regularized incomplete gamma function P(a, x)."""
    def __init__(self) -> None: ...
    def construct(self, a: Tensor, x: Tensor) -> Tensor: ...
class Identity(Cell):
    """Returns its input; any arguments of the constructor are ignored."""
    def __init__(self, *args, **kwargs) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
class ImageGradients(Cell):
    """Differences (dy, dx) of neighbouring pixels of (N, C, H, W); the last row and column are 0."""
    def __init__(self) -> None: ...
class InstanceNorm1d(Cell):
    """Instance normalization (Ulyanov et al., 2017): statistics of each channel of each sample."""
    def __init__(self, num_features: int, eps: float=1e-05, momentum: float=0.1, affine: bool=True, gamma_init: Any='ones', beta_init: Any='zeros', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    def extend_repr(self) -> str: ...
    instance_bn: Any
    beta: Parameter
    eps: float
    gamma: Parameter
    momentum: float
    moving_mean: Parameter
    moving_variance: Parameter
    num_features: int
class InstanceNorm2d(Cell):
    """Instance normalization (Ulyanov et al., 2017): statistics of each channel of each sample."""
    def __init__(self, num_features: int, eps: float=1e-05, momentum: float=0.1, affine: bool=True, gamma_init: Any='ones', beta_init: Any='zeros', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    def extend_repr(self) -> str: ...
    instance_bn: Any
    beta: Parameter
    eps: float
    gamma: Parameter
    momentum: float
    moving_mean: Parameter
    moving_variance: Parameter
    num_features: int
class InstanceNorm3d(Cell):
    """Instance normalization (Ulyanov et al., 2017): statistics of each channel of each sample."""
    def __init__(self, num_features: int, eps: float=1e-05, momentum: float=0.1, affine: bool=True, gamma_init: Any='ones', beta_init: Any='zeros', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    def extend_repr(self) -> str: ...
    instance_bn: Any
    beta: Parameter
    eps: float
    gamma: Parameter
    momentum: float
    moving_mean: Parameter
    moving_variance: Parameter
    num_features: int
class InverseDecayLR(LearningRateSchedule):
    """learning_rate / (1 + decay_rate * step / decay_steps); with `is_stair` the quotient is rounded down."""
    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool=False) -> None: ...
class Jvp(Cell):
    """(fn(x, ...), its Jacobian times v): the last argument of the call is v, with the structure of the inputs."""
    def __init__(self, fn: Callable[..., Any]) -> None: ...
class KLDivLoss(LossBase):
    """labels * (log(labels) - logits): the Kullback-Leibler divergence of log-probabilities, reduced ('batchmean' too)."""
    def __init__(self, reduction: Literal['none', 'mean', 'batchmean', 'sum']='mean') -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class L1Loss(LossBase):
    """|logits - labels|, reduced."""
    def __init__(self, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class L1LossExt(L1Loss):
    """`mint.nn.L1Loss`: |input - target|, reduced; the two broadcast."""
class L1Regularizer(Cell):
    """scale * sum(|weights|)."""
    def __init__(self, scale: int | float) -> None: ...
    abs: Any
    reduce_sum: Any
class LARS(Optimizer):
    """LARS (You et al., 2017) around another optimizer: gradients are scaled with the ratio of the norms of Parameter"""
    def __init__(self, optimizer: Optimizer, epsilon: float=1e-05, coefficient: float=0.001, use_clip: bool=False, lars_filter: Callable[..., Any]=...) -> None: ...
    def as_optax(self) -> Any: """As `Optimizer.as_optax`: the scaling, then the inner optimizer. The pytree must be that of the Parameters."""
    def get_lr(self) -> Any: """Learning rate of the inner optimizer; with groups a tuple."""
class LBeta(Cell):
    """log(gamma(x) gamma(y) / gamma(x + y)): the logarithm of the beta function, for positive x and y."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor, y: Tensor) -> Tensor: ...
class LGamma(Cell):
    """Logarithm of the absolute value of the gamma function."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
class LPPool1d(Cell):
    """(sum of x ** norm_type) ** (1 / norm_type) over windows of (N, C, L) or (C, L)."""
    def __init__(self, norm_type: float, kernel_size: int | tuple, stride: int | tuple | None=None, ceil_mode: bool=False) -> None: ...
    ceil_mode: bool
    norm_type: float
class LPPool2d(LPPool1d):
    """(sum of x ** norm_type) ** (1 / norm_type) over windows of (N, C, H, W)."""
class LRN(Cell):
    """Local response normalization over neighbouring channels (Krizhevsky et al., 2012)."""
    def __init__(self, depth_radius: int=5, bias: float=1.0, alpha: float=1.0, beta: float=0.5, norm_region: Literal['ACROSS_CHANNELS']='ACROSS_CHANNELS') -> None: ...
    def construct(self, input_x: Tensor) -> Tensor: ...
class LSTM(Cell):
    """Layers of a recurrent network, one on the other."""
    def __init__(self, input_size: int, hidden_size: int, num_layers: int=1, has_bias: bool=True, batch_first: bool=False, dropout: float=0.0, bidirectional: bool=False, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    batch_first: bool
    bias_hh_l0: Parameter
    bias_ih_l0: Parameter
    bidirectional: bool
    dropout: float
    dropout_op: Cell
    has_bias: bool
    hidden_size: int
    input_size: int
    num_layers: int
    rnn: Cell
    weight_hh_l0: Parameter
    weight_ih_l0: Parameter
class LSTMCell(Cell):
    """One step of an LSTM: x (B, input_size) and the pair (h, c), each (B, hidden_size), give the new pair."""
    def __init__(self, input_size: int, hidden_size: int, has_bias: bool=True, dtype: Type | type | str | np.dtype | None=..., **old) -> None: ...
    def reset_parameters(self, dtype: Type=...) -> None: """Draw all Parameters again."""
    bias_hh: Parameter
    bias_ih: Parameter
    has_bias: bool
    hidden_size: int
    input_size: int
    weight_hh: Parameter
    weight_ih: Parameter
class Lamb(Optimizer):
    """LAMB (You et al., 2020): Adam's direction plus weight decay, with the norm of the Parameter."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell, beta1: float=0.9, beta2: float=0.999, eps: float=1e-06, weight_decay: float | Cell=0.0) -> None: ...
    def decay_weight(self, gradients: Sequence[Tensor]) -> Any: """The gradients as they are: the Parameters are decayed."""
    def transformation(self, learning_rate, weight_decay, mask: Tensor) -> Any: ...
class LayerNorm(Cell):
    """Layer normalization (Ba et al., 2016) over the axes from `begin_norm_axis` on."""
    def __init__(self, normalized_shape: tuple | list, begin_norm_axis: int=-1, begin_params_axis: int=-1, gamma_init: Initializer | Tensor | str | float | None='ones', beta_init: Initializer | Tensor | str | float | None='zeros', epsilon: float=1e-07, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    def construct(self, input_x: Tensor) -> Tensor: ...
    def extend_repr(self) -> str: ...
    layer_norm: Any
    begin_norm_axis: int
    begin_params_axis: int
    beta: Parameter
    epsilon: float
    gamma: Parameter
class LayerNormExt(Cell):
    """`mint.nn.LayerNorm`: layer normalization over the last axes, whose sizes are `normalized_shape`."""
    def __init__(self, normalized_shape, eps: float=1e-05, elementwise_affine: bool=True, bias: bool=True, dtype: Type | type | str | np.dtype | None=None) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    def extend_repr(self) -> str: ...
    bias: Parameter
    elementwise_affine: bool
    eps: float
    weight: Parameter
class LazyAdam(Optimizer):
    """Adam that leaves the rows which a sparse gradient does not name as they are, moments too."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell=0.001, beta1: float=0.9, beta2: float=0.999, eps: float=1e-08, use_locking: bool=False, use_nesterov: bool=False, weight_decay: int | float | Cell=0.0, loss_scale: float=1.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
    use_amsgrad: Any
class LeakyReLU(Cell):
    """x if it is positive, else `alpha` * x."""
    def __init__(self, alpha: float=0.2) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    alpha: float
class LearningRateSchedule(Cell):
    """Base class: a subclass computes the learning rate of a step in `construct(global_step)`."""
class Linear(Cell):
    """`mint.nn.Linear`: x @ weight.T + bias over the last axis."""
    def __init__(self, in_features: int, out_features: int, bias: bool=True, weight_init: Initializer | Tensor | str | float | None=None, bias_init: Initializer | Tensor | str | float | None=None, dtype: Type | type | str | np.dtype | None=None) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    def extend_repr(self) -> str: ...
    bias: Parameter
    in_features: int
    out_features: int
    weight: Parameter
class LogSigmoid(Cell):
    """log(sigmoid(x))."""
    def __init__(self) -> None: ...
    add: Any
    def construct(self, input_x: Tensor) -> Tensor: ...
    exp: Any
    log: Any
    mul: Any
    rec: Any
class LogSoftmax(Cell):
    """log(softmax(x)) along `axis`."""
    def __init__(self, axis: int=-1) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    log_softmax: Any
    axis: int
class LogSoftmaxExt(Cell):
    """`mint.nn.LogSoftmax`: log(softmax(x)) along `dim`; None is 0 for 0, 1 and 3 axes, else 1."""
    def __init__(self, dim: int | None=None) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
class LossBase(Cell):
    """Base class of losses: `get_loss(x, weights)` gives weights * x, reduced by 'mean', 'sum' or 'none'."""
    def __init__(self, reduction: str='mean') -> None: ...
    cast: Any
    def get_axis(self, x: Tensor) -> tuple[Any, ...]: """All axes of x, as a tuple."""
    def get_loss(self, x: Tensor, weights: Any=1.0) -> Any: """weights * x in float32, reduced, in the dtype of x."""
    mul: Any
    reduce_mean: Any
    reduce_sum: Any
    reduction: str
class MAELoss(LossBase):
    """|logits - label|, reduced."""
    def __init__(self, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    abs: Any
    def construct(self, logits: Tensor, label: Tensor) -> Tensor: ...
class MSELoss(LossBase):
    """(logits - labels) ** 2, reduced."""
    def __init__(self, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class MSSSIM(Cell):
    """Structural similarity over several scales (Wang et al., 2003), one for each of `power_factors`; other arguments"""
    def __init__(self, max_val: int | float=1.0, power_factors: tuple | list=..., filter_size: int=11, filter_sigma: float=1.5, k1: float=0.01, k2: float=0.03) -> None: ...
    concat: Any
    pow: Any
    prod: Any
    reduce_mean: Any
    stack: Any
    filter_sigma: float
    filter_size: int
    k1: float
    k2: float
    multi_convs_list: Cell
class MarginRankingLoss(LossBase):
    """max(0, -target * (input1 - input2) + margin), reduced; target is 1 or -1."""
    def __init__(self, margin: float=0.0, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor: ...
    margin: float
class MatDet(Cell):
    """Determinants of symmetric positive definite matrices."""
    def __init__(self) -> None: ...
    def construct(self, a: Tensor) -> Tensor: ...
class MatInverse(Cell):
    """Inverses of symmetric positive definite matrices."""
    def __init__(self) -> None: ...
    def construct(self, a: Tensor) -> Tensor: ...
class MatMul(Cell):
    """Matrix product with broadcast batch axes; `transpose_x1` and `transpose_x2` swap the last two axes first."""
    def __init__(self, transpose_x1: bool=False, transpose_x2: bool=False) -> None: ...
    def construct(self, x1: Tensor, x2: Tensor) -> Tensor: ...
    transpose_x1: bool
    transpose_x2: bool
class MatrixDiag(Cell):
    """Matrices with the last axis of x on their diagonal: (..., n) to (..., n, n)."""
    def __init__(self) -> None: ...
class MatrixDiagPart(Cell):
    """The diagonals of matrices: (..., m, n) to (..., min(m, n))."""
    def __init__(self) -> None: ...
class MatrixSetDiag(Cell):
    """Matrices with other diagonals: x (..., m, n), diagonal (..., min(m, n))."""
    def __init__(self) -> None: ...
class MaxPool1d(Cell):
    """Maximum over windows of (N, C, L) or (C, L)."""
    def __init__(self, kernel_size: int=1, stride: int=1, pad_mode: str='valid', padding: int | tuple | list=0, dilation: int | tuple=1, return_indices: bool=False, ceil_mode: bool=False) -> None: ...
    expand: Any
    def extend_repr(self) -> str: ...
    max_pool: Any
    reduce_mean: Any
    squeeze: Any
    ceil_mode: bool
    pad_mode: str
    return_indices: bool
class MaxPool2d(Cell):
    """Maximum over windows of (N, C, H, W) or (C, H, W)."""
    def __init__(self, kernel_size: int | tuple[int, int] | tuple[int]=1, stride: int | tuple[int, int] | tuple[int]=1, pad_mode: str='valid', padding: int | tuple | list=0, dilation: int | tuple=1, return_indices: bool=False, ceil_mode: bool=False, data_format: Literal['NCHW', 'NHWC']='NCHW') -> None: ...
    def extend_repr(self) -> str: ...
    max_pool: Any
    ceil_mode: bool
    pad_mode: str
    return_indices: bool
class MaxPool2dExt(Cell):
    """`mint.nn.MaxPool2d`: maximum over windows; `stride` is the kernel's size by default."""
    def __init__(self, kernel_size: int | tuple=1, stride: int | tuple | None=None, padding: int | tuple=0, dilation: int | tuple=1, return_indices: bool=False, ceil_mode: bool=False) -> None: ...
    ceil_mode: bool
    return_indices: bool
class MaxPool3d(Cell):
    """Maximum over windows of (N, C, D, H, W) or (C, D, H, W)."""
    def __init__(self, kernel_size: int | tuple[int, int, int]=1, stride: int | tuple[int, int, int]=1, pad_mode: str='valid', padding: int | tuple | list=0, dilation: int | tuple=1, return_indices: bool=False, ceil_mode: bool=False) -> None: ...
    def extend_repr(self) -> str: ...
    ceil_mode: bool
    pad_mode: str
    return_indices: bool
class MaxUnpool1d(Cell):
    """Puts values back to where maximum pooling took them from; zeros elsewhere. `stride` is the kernel's size by"""
    def __init__(self, kernel_size, stride=None, padding: Any=0) -> None: ...
    def construct(self, x, indices, output_size=None) -> Tensor: ...
class MaxUnpool2d(Cell):
    """Puts values back to where maximum pooling took them from; zeros elsewhere. `stride` is the kernel's size by"""
    def __init__(self, kernel_size, stride=None, padding: Any=0) -> None: ...
    def construct(self, x, indices, output_size=None) -> Tensor: ...
class MaxUnpool3d(Cell):
    """Puts values back to where maximum pooling took them from; zeros elsewhere. `stride` is the kernel's size by"""
    def __init__(self, kernel_size, stride=None, padding: Any=0) -> None: ...
    def construct(self, x, indices, output_size=None) -> Tensor: ...
class MicroBatchInterleaved(Cell):
    """A network run on `interleave_num` parts of the batch, the outputs added up. XLA overlaps computation and"""
    def __init__(self, network: Cell, interleave_num: int=2) -> None: ...
class Mish(Cell):
    """x * tanh(log(1 + exp(x)))."""
    def __init__(self) -> None: ...
    def construct(self, input_x: Tensor) -> Tensor: ...
class Moments(Cell):
    """(mean, variance) over `axis`, all axes by default."""
    def __init__(self, axis: int | tuple[int, ...] | None=None, keep_dims: bool | None=None) -> None: ...
    reduce_mean: Any
    square_diff: Any
class Momentum(Optimizer):
    """Stochastic gradient descent with momentum: v = momentum v + g; p -= lr v (Sutskever et al., 2013)."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell, momentum: float | Tensor, weight_decay: float | Cell=0.0, loss_scale: float=1.0, use_nesterov: bool=False) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
class MulQuant(Cell):
    """A product whose values are rounded; the range is a moving average."""
    def __init__(self, ema_decay: float=0.999, quant_config: Any=..., quant_dtype: QuantDtype=...) -> None: ...
    fake_quant_act: Cell
class MultiClassDiceLoss(LossBase):
    """Mean over the classes (axis 1) of their dice losses."""
    def __init__(self, weights: Tensor | None=None, ignore_indiex: int | None=None, activation: str | Cell | None='softmax') -> None: ...
    def construct(self, logits: Tensor, label: Tensor) -> Tensor: ...
    reshape: Any
    activation: Cell
    binarydiceloss: Cell
class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """Rows of a table times values, merged per field: indices, values and field ids (N, k) give (N, field_size,"""
    OPERATOR_MAX: Any
    OPERATOR_MEAN: Any
    OPERATOR_SUM: Any
    def __init__(self, vocab_size: int, embedding_size: int, field_size: int, param_init: Initializer | Tensor | str | float | None='normal', target: Literal['CPU', 'DEVICE']='CPU', slice_mode: str='batch_slice', feature_num_list: tuple | None=None, max_norm: float | None=None, sparse: bool=True, operator: Literal['SUM', 'MEAN', 'MAX']='SUM', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    field_size: int
class MultiLabelSoftMarginLoss(LossBase):
    """Mean over the classes of the binary cross entropy of sigmoid(x), times `weight` of each class, reduced."""
    def __init__(self, weight: float | Tensor | None=None, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, x: Tensor, target: Tensor) -> Tensor: ...
class MultiMarginLoss(LossBase):
    """Mean over the other classes of max(0, margin - x[target] + x[class]) ** p, times `weight` of the target's"""
    def __init__(self, p: Literal[1, 2]=1, margin: float=1.0, reduction: Literal['none', 'mean', 'sum']='mean', weight: Tensor | None=None) -> None: ...
    def construct(self, x: Tensor, target: Tensor, weight: Tensor | None=None) -> Tensor: ...
    margin: float
class MultiheadAttention(Cell):
    """softmax(q k^T / sqrt(head_dim)) v in `num_heads` parts, with projections before and after."""
    def __init__(self, embed_dim: int, num_heads: int, dropout: float=0.0, has_bias: bool=True, add_bias_kv: bool=False, add_zero_attn: bool=False, kdim: int | None=None, vdim: int | None=None, batch_first: bool=False, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    add_zero_attn: bool
    batch_first: bool
    dropout: float
    embed_dim: int
    in_proj_bias: Parameter
    in_proj_weight: Parameter
    num_heads: int
    out_proj: Cell
class MultilabelMarginLoss(LossBase):
    """Margin loss with several target classes for each row; a row's targets end at the first -1."""
    def __init__(self, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
class NLLLoss(LossBase):
    """-weight[label] * logits[label]: the negative log-likelihood, for logits that are log-probabilities."""
    def __init__(self, weight: Tensor | None=None, ignore_index: int=-100, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
    ignore_index: int
class NaturalExpDecayLR(LearningRateSchedule):
    """learning_rate * e ** (-decay_rate * step); with `is_stair` the step is rounded down to a multiple of"""
    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool=False) -> None: ...
class Norm(Cell):
    """Square root of the sum of squares over `axis`."""
    def __init__(self, axis: bool | int | tuple | list | None=(), keep_dims: bool=False) -> None: ...
    def extend_repr(self) -> str: ...
    reduce_sum: Any
    sqrt: Any
    squeeze: Any
    keep_dims: bool
class OneHot(Cell):
    """`on_value` at the position that each index names on a new axis of size `depth`, `off_value` elsewhere."""
    def __init__(self, axis: int=-1, depth: int=1, on_value: float=1.0, off_value: float=0.0, dtype: Type=...) -> None: ...
    onehot: Any
    axis: int
    depth: int
    off_value: float
    on_value: float
class OptTFTWrapper(Optimizer):
    """MindSpore's hook for MindIO, which saves the state of a failing Ascend cluster; msjax has no such cluster, so it"""
    def __init__(self, opt: Optimizer, **kwargs) -> None: ...
class PReLU(Cell):
    """x if it is positive, else w * x; w is a Parameter with one element, or one for each channel (axis 1)."""
    def __init__(self, channel: int=1, w: float | list | Tensor=0.25) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    prelu: Any
    w: Parameter
class PReLUExt(Cell):
    """`mint.nn.PReLU`: x if it is positive, else weight * x."""
    def __init__(self, num_parameters: int=1, init: Initializer | Tensor | str | float | None=0.25, dtype: Type | type | str | np.dtype | None=None) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    weight: Parameter
class PSNR(Cell):
    """Peak signal-to-noise ratio of two images (N, C, H, W) in decibels, a number for each."""
    def __init__(self, max_val: int | float=1.0) -> None: ...
class Pad(Cell):
    """x with zeros, or with its reflection, on both sides of each axis."""
    def __init__(self, paddings: tuple[Any, ...], mode: Literal['CONSTANT', 'REFLECT', 'SYMMETRIC']='CONSTANT') -> None: ...
class ParameterUpdate(Cell):
    """Assigns its input to a Parameter, and returns the input."""
    def __init__(self, param: Parameter) -> None: ...
class PipelineCell(Cell):
    """As GradAccumulationCell, as a pipeline: with `set_auto_parallel_context(pipeline_stages=)` and several devices or"""
    def __init__(self, network: Cell, micro_size: int, stage_config: dict | None=None, segment_config: dict | None=None) -> None: ...
    def shard(self, in_strategy: tuple | None, out_strategy: tuple | None=None, parameter_plan=None, device: Any='Ascend', level: int=0) -> Any: """ValueError: a pipeline is not sharded as a whole."""
class PipelineGradReducer(Cell):
    """Gradients divided by `scale_sense`; the sums over the parts of a batch are made already."""
    def __init__(self, parameters, scale_sense: float=1.0, opt_shard=None) -> None: ...
    hyper_map: Any
    scale_sense: Parameter
class PixelShuffle(Cell):
    """Channels made into pixels: (..., C * r * r, H, W) to (..., C, H * r, W * r) (Shi et al., 2016)."""
    def __init__(self, upscale_factor: int) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    upscale_factor: int
class PixelUnshuffle(Cell):
    """Pixels made into channels: (..., C, H * r, W * r) to (..., C * r * r, H, W)."""
    def __init__(self, downscale_factor: int) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    downscale_factor: int
class PoissonNLLLoss(LossBase):
    """exp(input) - target * input (`log_input`), or input - target * log(input + eps), reduced; `full` adds"""
    def __init__(self, log_input: bool=True, full: bool=False, eps: float=1e-08, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, input: Tensor, target: Tensor) -> Tensor: ...
    maximum: Any
    eps: float
    full: bool
    log_input: bool
class PolynomialDecayLR(LearningRateSchedule):
    """(learning_rate - end) * (1 - step / decay_steps) ** power + end; with `update_decay_steps` the decay starts"""
    def __init__(self, learning_rate: float, end_learning_rate: float, decay_steps: int, power: float, update_decay_steps: bool=False) -> None: ...
class ProximalAdagrad(Optimizer):
    """Proximal Adagrad (Duchi and Singer, 2009): Adagrad's step, then shrinkage by L1 and L2 regularization."""
    def __init__(self, params: Iterable[Any], accum: float=0.1, learning_rate: float | Tensor | Iterable[float] | Cell=0.001, l1: float=0.0, l2: float=0.0, use_locking: bool=False, loss_scale: float=1.0, weight_decay: float | Cell=0.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
class RMSELoss(LossBase):
    """Square root of the mean of (logits - label) ** 2."""
    def __init__(self) -> None: ...
    def construct(self, logits: Tensor, label: Tensor) -> Tensor: ...
    dtype: Any
class RMSProp(Optimizer):
    """RMSProp (Hinton, 2012) with momentum: ms = decay ms + (1 - decay) g^2; v = momentum v + lr g / sqrt(ms +"""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell=0.1, decay: float=0.9, momentum: float=0.0, epsilon: float=1e-10, use_locking: bool=False, centered: bool=False, loss_scale: float=1.0, weight_decay: float | Cell=0.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
class RNN(Cell):
    """Layers of a recurrent network, one on the other."""
    def __init__(self, input_size: int, hidden_size: int, num_layers: int=1, has_bias: bool=True, batch_first: bool=False, dropout: float=0.0, bidirectional: bool=False, dtype: Type | type | str | np.dtype | None=..., *, nonlinearity: Literal['tanh', 'relu']='tanh') -> None: ...
    batch_first: bool
    bias_hh_l0: Parameter
    bias_ih_l0: Parameter
    bidirectional: bool
    dropout: float
    dropout_op: Cell
    has_bias: bool
    hidden_size: int
    input_size: int
    num_layers: int
    rnn: Cell
    weight_hh_l0: Parameter
    weight_ih_l0: Parameter
class RNNCell(Cell):
    """h' = tanh(x weight_ih^T + bias_ih + h weight_hh^T + bias_hh), or relu."""
    def __init__(self, input_size: int, hidden_size: int, has_bias: bool=True, nonlinearity: Literal['tanh', 'relu']='tanh', dtype: Type | type | str | np.dtype | None=...) -> None: ...
    def construct(self, x: Tensor, hx: Tensor) -> Tensor: ...
    def reset_parameters(self, dtype: Type=...) -> None: """Draw all Parameters again."""
    bias_hh: Parameter
    bias_ih: Parameter
    has_bias: bool
    hidden_size: int
    input_size: int
    weight_hh: Parameter
    weight_ih: Parameter
class RReLU(Cell):
    """x if it is positive, else x times a random number of [lower, upper)."""
    def __init__(self, lower: int | float=0.125, upper: int | float=0.3333333333333333) -> None: ...
    sign: Any
class Range(Cell):
    """The numbers start, start + delta, ... below `limit`, made once; from 0 to `start` without `limit`."""
    def __init__(self, start: float, limit: float | None=None, delta: float | None=1) -> None: ...
    def construct(self) -> Tensor: ...
class ReLU(Cell):
    """max(x, 0), elementwise."""
    def __init__(self) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    relu: Any
class ReLU6(Cell):
    """min(max(x, 0), 6), elementwise."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    relu6: Any
class ReduceLogSumExp(Cell):
    """log(sum(exp(x))) over `axis`, without overflow."""
    def __init__(self, axis: int | tuple | list, keep_dims: bool=False) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    exp: Any
    log: Any
    max: Any
    keep_dims: bool
class ReflectionPad1d(Cell):
    """The last axis mirrored at its ends, without repeating them; `padding` is an int or (left, right)."""
    def __init__(self, padding: bool | int | tuple[int, ...]) -> None: ...
class ReflectionPad2d(ReflectionPad1d):
    """The last two axes mirrored at their ends; `padding` is an int or (left, right, top, bottom)."""
class ReflectionPad3d(ReflectionPad1d):
    """The last three axes mirrored at their ends; `padding` is an int or (left, right, top, bottom, front, back)."""
class ReplicationPad1d(Cell):
    """The ends of the last axis repeated; `padding` is an int or (left, right), negative numbers cut off."""
    def __init__(self, padding: bool | int | tuple[int, ...]) -> None: ...
class ReplicationPad2d(ReplicationPad1d):
    """The ends of the last two axes repeated; `padding` is an int or (left, right, top, bottom)."""
class ReplicationPad3d(ReplicationPad1d):
    """The ends of the last three axes repeated; `padding` is an int or (left, right, top, bottom, front, back)."""
class ResizeBilinear(Cell):
    """x (N, C, H, W) resized bilinearly to `size` (H', W') or by an int `scale_factor`; a layer of MindSpore 1.x."""
    def __init__(self, half_pixel_centers: bool=False) -> None: ...
    half_pixel_centers: bool
class Roll(Cell):
    """Elements moved round along axes: `shift` and `axis` are ints, or lists of the same length."""
    def __init__(self, shift: int | tuple | list, axis: int | tuple | list) -> None: ...
class Rprop(Optimizer):
    """Resilient backpropagation (Riedmiller and Braun, 1993): each element has its own step, which grows while the"""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell=0.1, etas: tuple[float, float]=..., step_sizes: tuple[float, float]=..., weight_decay: float | Cell=0.0) -> None: ...
    def transformation(self, learning_rate) -> Any: ...
class SGD(Optimizer):
    """Stochastic gradient descent, with momentum, dampening and Nesterov momentum if wanted."""
    def __init__(self, params: Iterable[Any], learning_rate: float | Tensor | Iterable[float] | Cell=0.1, momentum: float=0.0, dampening: float=0.0, weight_decay: float | Cell=0.0, nesterov: bool=False, loss_scale: float=1.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate) -> Any: ...
class SSIM(Cell):
    """Structural similarity of two images (N, C, H, W), a number for each (Wang et al., 2004)."""
    def __init__(self, max_val: int | float=1.0, filter_size: int=11, filter_sigma: float=1.5, k1: float=0.01, k2: float=0.03) -> None: ...
    concat: Any
    reduce_mean: Any
    conv: Cell
    filter_sigma: float
    filter_size: int
    k1: float
    k2: float
class SampledSoftmaxLoss(LossBase):
    """Softmax cross entropy over the true classes and `num_sampled` random ones, instead of all (Jean et al., 2014)."""
    def __init__(self, num_sampled: int, num_classes: int, num_true: int=1, sampled_values: tuple | list | None=None, remove_accidental_hits: bool=True, seed: int=0, reduction: Literal['none', 'mean', 'sum']='none') -> None: ...
    num_classes: int
    num_sampled: int
    num_true: int
    remove_accidental_hits: bool
    seed: int
class SeLU(Cell):
    """Self-normalizing exponential linear unit."""
    def __init__(self) -> None: ...
    def construct(self, input_x: Tensor) -> Tensor: ...
    selu: Any
class SequentialCell(Cell):
    """Runs Cells in turn, each on the output of the one before."""
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    @overload
    def __getitem__(self, index: int | str) -> Cell: ...
    def __init__(self, *args) -> None: ...
    def __iter__(self) -> Iterator[Cell]: ...
    def __len__(self) -> int: ...
    def __setitem__(self, index, cell) -> None: ...
    def append(self, cell) -> Self: """Add a Cell at the end; returns the container."""
    def extend(self, cells) -> Self: """Add several Cells at the end; returns the container."""
    def set_grad(self, flag: Any=True) -> Self: """Mark the container and its Cells for gradients."""
class SiLU(Cell):
    """x * sigmoid(x)."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
class Sigmoid(Cell):
    """1 / (1 + exp(-x))."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    sigmoid: Any
class SmoothL1Loss(LossBase):
    """d ** 2 / (2 * beta) where d = |logits - labels| is less than beta, d - beta / 2 elsewhere; not reduced by"""
    def __init__(self, beta: bool | int | float | None=1.0, reduction: Literal['none', 'mean', 'sum']='none', *, sigma: bool | int | float | None=...) -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
    smooth_l1_loss: Any
class SoftMarginLoss(LossBase):
    """log(1 + exp(-labels * logits)), reduced; labels are 1 or -1."""
    def __init__(self, reduction: Literal['none', 'mean', 'sum']='mean') -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
class SoftShrink(Cell):
    """x moved towards 0 by `lambd`; 0 where |x| is at most `lambd`."""
    def __init__(self, lambd: bool | int | float | None=0.5) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    softshrink: Any
class Softmax(Cell):
    """exp(x) / sum(exp(x)) along `axis` (an int, or a tuple of them)."""
    def __init__(self, axis: int | tuple | None=-1) -> None: ...
    def construct(self, input: Tensor) -> Tensor: ...
    softmax: Any
class Softmax2d(Cell):
    """softmax over the channels of (N, C, H, W) or (C, H, W)."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    shape: Any
    softmax: Any
class SoftmaxCrossEntropyWithLogits(LossBase):
    """Cross entropy of softmax(logits) for each row of (N, C); not reduced by default. With `sparse` and the mean, logits may be"""
    def __init__(self, sparse: bool=False, reduction: Literal['none', 'mean', 'sum']='none', *, is_grad: Any=..., smooth_factor: Any=..., num_classes: Any=...) -> None: ...
    def construct(self, logits: Tensor, labels: Tensor) -> Tensor: ...
    one_hot: Any
    softmax_cross_entropy: Any
    sparse_softmax_cross_entropy: Any
    sparse: bool
class Softmin(Cell):
    """softmax(-x) along `axis`."""
    def __init__(self, axis: int | tuple[int, ...]=-1) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
class Softsign(Cell):
    """x / (1 + |x|)."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    softsign: Any
class SparseTensorDenseMatmul(Cell):
    """Product of a sparse matrix, given as indices (n, 2), values (n,) and its shape, with a dense one."""
    def __init__(self, adjoint_st: bool=False, adjoint_dt: bool=False) -> None: ...
    def construct(self, indices: Tensor, values: Tensor, sparse_shape, dense: Tensor) -> Tensor: ...
class SparseToDense(Cell):
    """The dense Tensor of a COOTensor."""
    def __init__(self) -> None: ...
class SyncBatchNorm(Cell):
    """Batch normalization with the statistics of all processes of a group; for one process as BatchNorm2d."""
    def __init__(self, num_features: int, eps: float=1e-05, momentum: float=0.9, affine: bool=True, gamma_init: Initializer | Tensor | str | float | None='ones', beta_init: Initializer | Tensor | str | float | None='zeros', moving_mean_init: Initializer | Tensor | str | float | None='zeros', moving_var_init: Initializer | Tensor | str | float | None='ones', use_batch_statistics: bool | None=None, process_groups: list | None=None, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    assign_sub_mean: Any
    assign_sub_var: Any
    bn_infer: Any
    bn_train: Any
    dtype: Any
    def extend_repr(self) -> str: ...
    mul_mean: Any
    mul_var: Any
    reduce_mean: Any
    reshape: Any
    shape: Any
    sqrt: Any
    square: Any
    sub_mean: Any
    sub_var: Any
    beta: Parameter
    eps: float
    gamma: Parameter
    momentum: float
    moving_mean: Parameter
    moving_variance: Parameter
    num_features: int
class Tanh(Cell):
    """Hyperbolic tangent."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
    tanh: Any
class Tanhshrink(Cell):
    """x - tanh(x)."""
    def __init__(self) -> None: ...
    def construct(self, x: Tensor) -> Tensor: ...
class TensorAddQuant(Cell):
    """A sum whose values are rounded; the range is a moving average."""
    def __init__(self, ema_decay: float=0.999, quant_config: Any=..., quant_dtype: QuantDtype=...) -> None: ...
    fake_quant_act: Cell
class TensorArray(Cell):
    """An array of Tensors of one shape, on the host."""
    def __init__(self, dtype: Type, element_shape, dynamic_size: bool=True, size: int=0, name: str='TA') -> None: ...
    def clear(self) -> bool: """Take everything out; True."""
    def close(self) -> bool: """End the array; True."""
    def read(self, index) -> Any: """The element at a place."""
    def size(self) -> Any: """The number of elements."""
    def stack(self) -> Any: """All elements as one Tensor."""
    def write(self, index, value) -> bool: """Put a value at a place; True."""
class TensorsQueue(Cell):
    """A queue of tuples of Tensors, on the host."""
    def __init__(self, dtype: Type, shapes, size: int=0, name: str='TQ') -> None: ...
    def clear(self) -> bool: """Take everything out; True."""
    def close(self) -> bool: """End the queue; True."""
    def get(self) -> Any: """The first tuple."""
    def pop(self) -> Any: """The first tuple, which leaves the queue."""
    def put(self, element) -> bool: """Put a tuple at the end; True."""
    def size(self) -> Any: """The number of tuples."""
class Threshold(Cell):
    """x if it is greater than `threshold`, else `value`."""
    def __init__(self, threshold: float, value: float) -> None: ...
    def construct(self, input_x: Tensor) -> Tensor: ...
    threshold: float
    value: float
class TimeDistributed(Cell):
    """Applies a layer to each step of an axis of time."""
    def __init__(self, layer: Cell | Primitive, time_axis: int, reshape_with_axis: int | None=None) -> None: ...
    def construct(self, inputs: Tensor) -> Tensor: ...
    reshape: Any
    transpose: Any
class TrainOneStepCell(Cell):
    """One training step: loss, gradients, update. Returns the loss."""
    def __init__(self, network: Cell, optimizer: Cell, sens=None, return_grad: bool=False) -> None: ...
    grad: Any
    grad_no_sens: Any
class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One training step with a scaled loss; a step whose gradients overflow leaves the weights as they are."""
    @overload
    def __init__(self, network: Cell, optimizer: Cell, scale_sense: Tensor | Cell) -> None: ...
    @overload
    def __init__(self, network: Cell, optimizer: Cell, *, scale_update_cell: Tensor | Cell) -> None: ...
    allreduce: Any
    equal: Any
    def get_overflow_status(self, status, compute_output) -> Tensor: """Whether the gradients contain an infinity or a NaN: a bool Tensor."""
    hyper_map: Any
    less_equal: Any
    logic_not: Any
    def process_loss_scale(self, overflow: Tensor | bool) -> Any: """Let the manager update the scale; returns whether the step overflowed."""
    reduce_all: Any
    reduce_sum: Any
    def set_sense_scale(self, sens: Tensor) -> None: """Set the scale, if it is a Tensor that the host manages."""
    def start_overflow_check(self, pre_cond, compute_input) -> tuple[Any, Any]: """(status, compute_input): nothing to clear, because overflow is detected from infinities and NaNs."""
class Transformer(Cell):
    """Encoder and decoder; matrices are initialized with xavier_uniform."""
    def __init__(self, d_model: int=512, nhead: int=8, num_encoder_layers: int=6, num_decoder_layers: int=6, dim_feedforward: int=2048, dropout: float=0.1, activation: str | Cell | Callable[..., Any]='relu', custom_encoder: Cell | None=None, custom_decoder: Cell | None=None, layer_norm_eps: float=1e-05, batch_first: bool=False, norm_first: bool=False, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    def construct(self, src: Tensor, tgt: Tensor, src_mask: Tensor | None=None, tgt_mask: Tensor | None=None, memory_mask: Tensor | None=None, src_key_padding_mask: Tensor | None=None, tgt_key_padding_mask: Tensor | None=None, memory_key_padding_mask: Tensor | None=None) -> Tensor: ...
    batch_first: bool
    d_model: int
    decoder: Cell
    encoder: Cell
    nhead: int
class TransformerDecoder(Cell):
    """`num_layers` layers like `decoder_layer` in sequence, and a final normalization if `norm` is given."""
    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Cell | None=None) -> None: ...
class TransformerDecoderLayer(Cell):
    """Self-attention, attention to the encoder's result, and a feed-forward block; arguments as for"""
    def __init__(self, d_model: int, nhead: int, dim_feedforward: int=2048, dropout: float=0.1, activation: str | Cell | Callable[..., Any]='relu', layer_norm_eps: float=1e-05, batch_first: bool=False, norm_first: bool=False, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    def construct(self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None=None, memory_mask: Tensor | None=None, tgt_key_padding_mask: Tensor | None=None, memory_key_padding_mask: Tensor | None=None) -> Tensor: ...
    batch_first: bool
    d_model: int
    dense1: Cell
    dense2: Cell
    dim_feedforward: int
    dropout: Cell
    dropout1: Cell
    dropout2: Cell
    dropout3: Cell
    multihead_attn: Cell
    nhead: int
    norm1: Cell
    norm2: Cell
    norm3: Cell
    norm_first: bool
    self_attn: Cell
class TransformerEncoder(Cell):
    """`num_layers` layers like `encoder_layer` in sequence, and a final normalization if `norm` is given."""
    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Cell | None=None) -> None: ...
    def construct(self, src: Tensor, src_mask: Tensor | None=None, src_key_padding_mask: Tensor | None=None) -> Tensor: ...
class TransformerEncoderLayer(Cell):
    """Self-attention and a feed-forward block, each with a residual connection and layer normalization."""
    def __init__(self, d_model: int, nhead: int, dim_feedforward: int=2048, dropout: float=0.1, activation: str | Cell | Callable[..., Any]='relu', layer_norm_eps: float=1e-05, batch_first: bool=False, norm_first: bool=False, dtype: Type | type | str | np.dtype | None=...) -> None: ...
    def construct(self, src: Tensor, src_mask: Tensor | None=None, src_key_padding_mask: Tensor | None=None) -> Tensor: ...
    batch_first: bool
    d_model: int
    dense1: Cell
    dense2: Cell
    dim_feedforward: int
    dropout: Cell
    dropout1: Cell
    dropout2: Cell
    nhead: int
    norm1: Cell
    norm2: Cell
    norm_first: bool
    self_attn: Cell
class Tril(Cell):
    """The lower triangle of the last two axes, up to the `k`-th diagonal; zeros elsewhere."""
    def __init__(self) -> None: ...
    dtype: Any
    mul: Any
class TripletMarginLoss(LossBase):
    """max(0, d(x, positive) - d(x, negative) + margin) with the p-norm as distance d, reduced."""
    def __init__(self, p: int=2, swap: bool=False, eps: float=1e-06, reduction: Literal['none', 'mean', 'sum']='mean', margin: float | Tensor=1.0) -> None: ...
    def construct(self, x: Tensor, positive: Tensor, negative: Tensor, margin: Tensor | float=1.0) -> Tensor: ...
    eps: float
    p: int
    swap: bool
class TripletMarginWithDistanceLoss(LossBase):
    """max(0, d(x, positive) - d(x, negative) + margin), reduced."""
    def __init__(self, distance_function: Callable[..., Any] | None=None, swap: bool=False, reduction: Literal['none', 'mean', 'sum']='mean', margin: float=1.0) -> None: ...
    def construct(self, x: Tensor, positive: Tensor, negative: Tensor) -> Tensor: ...
    maximum: Any
    minimum: Any
    margin: float
    swap: bool
class Triu(Cell):
    """The upper triangle of the last two axes, from the `k`-th diagonal on; zeros elsewhere."""
    def __init__(self) -> None: ...
    dtype: Any
    mul: Any
class Unflatten(Cell):
    """Splits one axis into several: `unflattened_size` (a tuple or list of ints) replaces the length of `axis`."""
    def __init__(self, axis: int, unflattened_size: tuple | list) -> None: ...
    reshape: Any
    shape: Any
class Unfold(Cell):
    """Patches of (N, C, H, W) as channels: (N, kH * kW * C, rows, columns)."""
    def __init__(self, ksizes: tuple | list, strides: tuple | list, rates: tuple | list, padding: str='valid') -> None: ...
class Upsample(Cell):
    """x resized to `size` or by `scale_factor`, by 'nearest', 'linear', 'bilinear', 'bicubic', 'trilinear' or 'area'"""
    def __init__(self, size: int | tuple | None=None, scale_factor: float | tuple | None=None, mode: str='nearest', align_corners: bool | None=None, recompute_scale_factor: bool | None=None) -> None: ...
    mode: str
class VirtualDatasetCellTriple(Cell):
    """A network of three inputs, as it is."""
    def __init__(self, backbone: Cell) -> None: ...
class Vjp(Cell):
    """(fn(x, ...), v times its Jacobian): the last argument of the call is v, with the structure of the output."""
    def __init__(self, fn: Callable[..., Any]) -> None: ...
class WarmUpLR(LearningRateSchedule):
    """From 0 to learning_rate in equal steps over `warmup_steps` steps."""
    def __init__(self, learning_rate: float, warmup_steps: int) -> None: ...
class WithEvalCell(Cell):
    """Evaluation: `construct(data, label)` returns (loss, output, label) for metrics."""
    def __init__(self, network: Cell, loss_fn: Callable[..., Any], add_cast_fp32: bool=False) -> None: ...
    add_cast_fp32: bool
class WithGradCell(Cell):
    """Gradients of a network's loss with respect to its trainable Parameters; `sens` scales them."""
    def __init__(self, network: Cell, loss_fn: Callable[..., Any] | None=None, sens=None) -> None: ...
class WithLossCell(Cell):
    """Network and loss in one: `construct(data, label)` is `loss_fn(backbone(data), label)`."""
    def __init__(self, backbone: Cell, loss_fn: Callable[..., Any]) -> None: ...
    @property
    def backbone_network(self) -> Any: ...
class ZeroPad2d(Cell):
    """Zeros on the sides of the last two axes; `padding` is an int or (left, right, top, bottom)."""
    def __init__(self, padding: int | tuple) -> None: ...
def cosine_decay_lr(min_lr: float, max_lr: float, total_step: int, step_per_epoch: int, decay_epoch: int) -> list[Any]: """From max_lr to min_lr along half a cosine of `decay_epoch` epochs (Loshchilov and Hutter, 2017)."""
def exponential_decay_lr(learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int, is_stair: bool=False) -> list[Any]: """learning_rate * decay_rate ** (epoch / decay_epoch); with `is_stair` the exponent is rounded down."""
def get_activation(name: str, prim_name: str | None=None) -> Any: """The activation Cell for a name such as 'relu' or 'softmax'; None for None."""
def inverse_decay_lr(learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int, is_stair: bool=False) -> list[Any]: """learning_rate / (1 + decay_rate * epoch / decay_epoch); with `is_stair` the quotient is rounded down."""
def natural_exp_decay_lr(learning_rate: float, decay_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int, is_stair: bool=False) -> list[Any]: """learning_rate * e ** (-decay_rate * epoch); with `is_stair` the epoch is rounded down to a multiple of"""
def no_init_parameters() -> Any: """Parameters made inside get no content before it is asked for, so that none is made where a checkpoint gives it."""
def opt_init_args_register(fn: Callable[..., Any]) -> Callable[..., Any]: """Decorator of an optimizer's `__init__`: keeps its arguments as `init_params`, `init_learning_rate` and"""
def piecewise_constant_lr(milestone: tuple | list, learning_rates: tuple | list) -> list[Any]: """`learning_rates[i]` up to step `milestone[i]`."""
def polynomial_decay_lr(learning_rate: float, end_learning_rate: float, total_step: int, step_per_epoch: int, decay_epoch: int, power: float, update_decay_epoch: bool=False) -> list[Any]: """(learning_rate - end) * (1 - epoch / decay_epoch) ** power + end; with `update_decay_epoch` the decay starts"""
def thor(net: Cell, learning_rate, damping, momentum: float, weight_decay: Any=0.0, loss_scale: float=1.0, batch_size: int=32, use_nesterov: bool=False, decay_filter: Any=..., split_indices=None, enable_clip_grad: bool=False, frequency: int=100) -> ThorGpu: """Second-order optimizer for networks of Dense, Conv2d and Embedding layers; turns these into their Thor forms,"""
def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int) -> list[Any]: """From 0 to learning_rate in equal steps over `warmup_epoch` epochs."""
