"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Sequence
from typing import Any

class ASGD(Optimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992); the averages are the Parameters `ax`."""
    def __init__(self, params, learning_rate: Any=0.1, lambd: Any=0.0001, alpha: Any=0.75, t0: Any=1000000.0, weight_decay: Any=0.0) -> None: ...
    def transformation(self, learning_rate): ...
class ActQuant(Cell):
    """An activation, then rounding."""
    def __init__(self, activation, ema: Any=False, ema_decay: Any=0.999, fake_before: Any=False, quant_config: Any=..., quant_dtype: Any=...) -> None: ...
    def get_origin(self): """The activation itself."""
class AdaFactor(Optimizer):
    """AdaFactor (Shazeer and Stern, 2018): adaptive learning rates with sublinear memory."""
    def __init__(self, params, learning_rate=None, eps: Any=..., clip_threshold: Any=1.0, decay_rate: Any=0.8, beta1: Any=0.9, weight_decay: Any=0.0, scale_parameter: Any=True, relative_step: Any=True, warmup_init: Any=False, compression: Any=False, loss_scale: Any=1.0) -> None: ...
    def decay_weight(self, gradients): """The gradients as they are: the Parameters are decayed."""
    def init_ada_factor_state(self, beta1): """Make the Parameters of the state; `beta1` 0 keeps no first moment."""
    @property
    def supports_flat_params(self) -> Any: ...
    @property
    def supports_memory_efficient_fp16(self) -> Any: ...
    def transformation(self, learning_rate): ...
class AdaMax(Optimizer):
    """AdaMax (Kingma and Ba, 2015): Adam whose second moment is a decaying maximum of |g|."""
    def __init__(self, params, learning_rate: Any=0.001, beta1: Any=0.9, beta2: Any=0.999, eps: Any=1e-08, weight_decay: Any=0.0, loss_scale: Any=1.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
class AdaSumByDeltaWeightWrapCell(Cell):
    """AdaSum of the changes of the Parameters around an optimizer."""
    def __init__(self, optimizer) -> None: ...
class AdaSumByGradWrapCell(Cell):
    """AdaSum of gradients around an optimizer."""
    def __init__(self, optimizer) -> None: ...
class Adadelta(Optimizer):
    """Adadelta (Zeiler, 2012): steps in the proportion of past changes to past gradients."""
    def __init__(self, params, learning_rate: Any=1.0, rho: Any=0.9, epsilon: Any=1e-06, loss_scale: Any=1.0, weight_decay: Any=0.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
class Adagrad(Optimizer):
    """Adagrad (Duchi et al., 2011): accum += g^2; p -= lr g / sqrt(accum)."""
    def __init__(self, params, accum: Any=0.1, learning_rate: Any=0.001, update_slots: Any=True, loss_scale: Any=1.0, weight_decay: Any=0.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015): lr_t = lr sqrt(1 - beta2^t) / (1 - beta1^t); p -= lr_t m / (sqrt(v) + eps)."""
    def __init__(self, params, learning_rate: Any=0.001, beta1: Any=0.9, beta2: Any=0.999, eps: Any=1e-08, use_locking: Any=False, use_nesterov: Any=False, weight_decay: Any=0.0, loss_scale: Any=1.0, use_amsgrad: Any=False, **kwargs) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
    use_amsgrad: Any
class AdamOffload(Optimizer):
    """Adam as it runs on the host in MindSpore; here memory is managed by XLA, and the step is Adam's."""
    def __init__(self, params, learning_rate: Any=0.001, beta1: Any=0.9, beta2: Any=0.999, eps: Any=1e-08, use_locking: Any=False, use_nesterov: Any=False, weight_decay: Any=0.0, loss_scale: Any=1.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
    use_amsgrad: Any
class AdamWeightDecay(Optimizer):
    """Adam without bias correction and with decoupled weight decay, as BERT trains (Loshchilov and Hutter, 2019)."""
    def __init__(self, params, learning_rate: Any=0.001, beta1: Any=0.9, beta2: Any=0.999, eps: Any=1e-06, weight_decay: Any=0.0) -> None: ...
    def decay_weight(self, gradients): """The gradients as they are: the Parameters are decayed."""
    fused_opt: Any
    def transformation(self, learning_rate, weight_decay, mask): ...
class AdaptiveAvgPool1d(Cell):
    """Mean pooling of (N, C, L) to a length that divides L."""
    def __init__(self, output_size) -> None: ...
    dtype: Any
    expand: Any
    squeeze: Any
class AdaptiveAvgPool2d(Cell):
    """Mean pooling of (..., H, W) to the sizes `output_size`: an int, or two ints of which None keeps the input's."""
    def __init__(self, output_size) -> None: ...
class AdaptiveAvgPool3d(Cell):
    """Mean pooling of (..., D, H, W) to the sizes `output_size`: an int, or three ints of which None keeps the input's."""
    def __init__(self, output_size) -> None: ...
class AdaptiveMaxPool1d(Cell):
    """Maximum pooling of (N, C, L) to a length that divides L."""
    def __init__(self, output_size) -> None: ...
    dtype: Any
    expand: Any
    squeeze: Any
class AdaptiveMaxPool2d(Cell):
    """Maximum pooling of (..., H, W) to the sizes `output_size`; with `return_indices` also where the maxima are."""
    def __init__(self, output_size, return_indices: Any=False) -> None: ...
class AdaptiveMaxPool3d(Cell):
    """Maximum pooling of (..., D, H, W) to the sizes `output_size`; with `return_indices` also where the maxima are."""
    def __init__(self, output_size, return_indices: Any=False) -> None: ...
class AllreduceGraph(Cell):
    """Parameters summed over the processes of a group: with one process as they are."""
    def __init__(self, inputs, group_name) -> None: ...
class AvgPool1d(Cell):
    """Mean over windows of (N, C, L) or (C, L)."""
    def __init__(self, kernel_size: Any=1, stride: Any=1, pad_mode: Any='valid', padding: Any=0, ceil_mode: Any=False, count_include_pad: Any=True) -> None: ...
    avg_pool: Any
    expand: Any
    def extend_repr(self): ...
    reduce_mean: Any
    slice: Any
    squeeze: Any
class AvgPool1dExt(Cell):
    """`mint.nn.AvgPool1d`: mean over windows of (N, C, L)."""
    def __init__(self, kernel_size, stride=None, padding: Any=0, ceil_mode: Any=False, count_include_pad: Any=True) -> None: ...
class AvgPool2d(Cell):
    """Mean over windows of (N, C, H, W) or (C, H, W)."""
    def __init__(self, kernel_size: Any=1, stride: Any=1, pad_mode: Any='valid', padding: Any=0, ceil_mode: Any=False, count_include_pad: Any=True, divisor_override=None, data_format: Any='NCHW') -> None: ...
    avg_pool: Any
    def extend_repr(self): ...
class AvgPool2dExt(Cell):
    """`mint.nn.AvgPool2d`: mean over windows of (N, C, H, W)."""
    def __init__(self, kernel_size, stride=None, padding: Any=0, ceil_mode: Any=False, count_include_pad: Any=True, divisor_override=None) -> None: ...
class AvgPool3d(Cell):
    """Mean over windows of (N, C, D, H, W) or (C, D, H, W)."""
    def __init__(self, kernel_size: Any=1, stride: Any=1, pad_mode: Any='valid', padding: Any=0, ceil_mode: Any=False, count_include_pad: Any=True, divisor_override=None) -> None: ...
    def extend_repr(self): ...
class AvgPool3dExt(Cell):
    """`mint.nn.AvgPool3d`: mean over windows of (N, C, D, H, W)."""
    def __init__(self, kernel_size, stride=None, padding: Any=0, ceil_mode: Any=False, count_include_pad: Any=True, divisor_override=None) -> None: ...
class BCELoss(LossBase):
    """Binary cross entropy of probabilities: -weight * (labels * log(logits) + (1 - labels) * log(1 - logits)),"""
    def __init__(self, weight=None, reduction: Any='mean') -> None: ...
class BCEWithLogitsLoss(LossBase):
    """Binary cross entropy of sigmoid(input), without overflow, reduced."""
    def __init__(self, reduction: Any='mean', weight=None, pos_weight=None) -> None: ...
class BatchNorm1d(Cell):
    """Batch normalization (Ioffe and Szegedy, 2015) per channel: (x - mean) / sqrt(variance + eps) * gamma + beta."""
    def __init__(self, num_features, eps: Any=1e-05, momentum: Any=0.9, affine: Any=True, gamma_init: Any='ones', beta_init: Any='zeros', moving_mean_init: Any='zeros', moving_var_init: Any='ones', use_batch_statistics=None, data_format: Any='NCHW', dtype: Any=...) -> None: ...
    assign_sub_mean: Any
    assign_sub_var: Any
    bn_infer: Any
    bn_train: Any
    dtype: Any
    def extend_repr(self): ...
    mul_mean: Any
    mul_var: Any
    reduce_mean: Any
    reshape: Any
    shape: Any
    sqrt: Any
    square: Any
    sub_mean: Any
    sub_var: Any
class BatchNorm2d(Cell):
    """Batch normalization (Ioffe and Szegedy, 2015) per channel: (x - mean) / sqrt(variance + eps) * gamma + beta."""
    def __init__(self, num_features, eps: Any=1e-05, momentum: Any=0.9, affine: Any=True, gamma_init: Any='ones', beta_init: Any='zeros', moving_mean_init: Any='zeros', moving_var_init: Any='ones', use_batch_statistics=None, data_format: Any='NCHW', dtype: Any=...) -> None: ...
    assign_sub_mean: Any
    assign_sub_var: Any
    bn_infer: Any
    bn_train: Any
    dtype: Any
    def extend_repr(self): ...
    mul_mean: Any
    mul_var: Any
    reduce_mean: Any
    reshape: Any
    shape: Any
    sqrt: Any
    square: Any
    sub_mean: Any
    sub_var: Any
class BatchNorm3d(Cell):
    """Batch normalization of (N, C, D, H, W); arguments as for BatchNorm2d, which it holds as `bn2d`."""
    def __init__(self, num_features, eps: Any=1e-05, momentum: Any=0.9, affine: Any=True, gamma_init: Any='ones', beta_init: Any='zeros', moving_mean_init: Any='zeros', moving_var_init: Any='ones', use_batch_statistics=None, dtype: Any=...) -> None: ...
    reshape: Any
    shape: Any
class BatchRead(BatchWrite):
    """(targets, sources): each Parameter of the first tuple takes the value of the one in the second; True."""
class BatchWrite(Cell):
    """(targets, sources): each Parameter of the first tuple takes the value of the one in the second; True."""
class BiDense(Cell):
    """input1 A input2 + bias, with a matrix A for each output channel."""
    def __init__(self, in1_channels, in2_channels, out_channels, weight_init=None, bias_init=None, has_bias: Any=True, dtype: Any=...) -> None: ...
    bias_add: Any
    def extend_repr(self): ...
    matmul: Any
class CELU(Cell):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    def __init__(self, alpha: Any=1.0) -> None: ...
    celu: Any
class CTCLoss(LossBase):
    """Connectionist temporal classification (Graves et al., 2006): -log of the probability of `targets` over all"""
    def __init__(self, blank: Any=0, reduction: Any='mean', zero_infinity: Any=False) -> None: ...
class Cell:
    """Base class of networks: make sub-Cells and Parameters in `__init__`, compute in `construct`."""
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __getattr__(self, name: str) -> Any: ...
    def __init__(self, auto_prefix: Any=True, flags=None) -> None: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def add_flags(self, **flags): """Set flags, readable as attributes, on this Cell; returns the Cell."""
    def add_flags_recursive(self, **flags): """Set flags on this Cell and all below it; returns the Cell."""
    @property
    def amp_strategy(self) -> Any: ...
    @amp_strategy.setter
    def amp_strategy(self, value) -> None: ...
    def apply(self, fn): """Call `fn` with every Cell, children first, this Cell last; returns the Cell."""
    @property
    def bprop_debug(self) -> Any: ...
    @bprop_debug.setter
    def bprop_debug(self, value) -> None: ...
    def buffers(self, recurse: Any=True): """The buffers of this Cell and, if `recurse`, of those below it."""
    cast: Any
    def cast_inputs(self, inputs, dst_type): """The inputs with their Tensors in another dtype."""
    @property
    def cell_init_args(self) -> Any: ...
    @cell_init_args.setter
    def cell_init_args(self, value) -> None: ...
    def cells(self): """The direct sub-Cells."""
    def cells_and_names(self, cells=None, name_prefix: Any=''): """Pairs (path, Cell) of this Cell and all below it, each once, depth first."""
    def check_names(self): """ValueError if two Parameters have one name."""
    def check_names_and_refresh_name(self): """Rename the Parameters to their paths if two have one name; ValueError if two still have."""
    @property
    def cls_name(self) -> Any: ...
    def compile(self, *args, **kwargs): """Trace and compile the Cell for such arguments, without running it."""
    def compile_and_run(self, *args, **kwargs): """Compile the Cell for these arguments and run it, in any mode."""
    @property
    def compile_cache(self) -> Any: ...
    @property
    def compile_phase(self) -> Any: ...
    @compile_phase.setter
    def compile_phase(self, value) -> None: ...
    @property
    def compiled(self) -> Any: ...
    def construct(self, *args: Any, **kwargs: Any) -> Any: ...
    @property
    def create_time(self) -> Any: ...
    @property
    def enable_backward_hook(self) -> Any: ...
    def entry_for(self, *args, **kwargs): """The compiled variant for these arguments, without running it (see `core.trace.entry.Entry`)."""
    @property
    def exist_names(self) -> Any: ...
    @property
    def exist_objs(self) -> Any: ...
    def extend_repr(self): """What stands between the brackets of the printed form, before the sub-Cells; subclasses override it."""
    def flatten_weights(self, fusion_size: Any=0): """Accepted: compiled steps update all Parameters at once anyway. ValueError for a negative size."""
    def generate_scope(self): """Give each Cell below a scope: the path of class names to it."""
    def get_buffer(self, target): """The buffer of a path such as 'block.count'."""
    def get_extra_state(self): """Override it (and `set_extra_state`) to add something to the state dict."""
    def get_flags(self): """Dict of the flags that were set."""
    def get_func_graph_proto(self): """There is no MindSpore graph: RuntimeError that says where to look instead."""
    def get_inputs(self): """What `set_inputs` declared, or None."""
    def get_parameters(self, expand: Any=True): """All Parameters, as an iterator; `expand=False` leaves those of sub-Cells out."""
    def get_scope(self): """Scope that `generate_scope` gave, or None."""
    def get_sub_cell(self, target): """The Cell of a path such as 'layers.0.conv'; this one for ''."""
    has_bprop: Any
    def infer_param_pipeline_stage(self): """List of the trainable Parameters of the pipeline stage of this process; one process has all stages."""
    def init_parameters_data(self, auto_parallel_mode: Any=False): """Parameters have their content from the start: returns the dict {Parameter: itself}."""
    def insert_child_to_cell(self, child_name, child_cell): """Register a sub-Cell under a name, without renaming its Parameters."""
    def insert_param_to_cell(self, param_name, param, check_name_contain_dot: Any=True): """Register a Parameter under a name (or None, a Parameter that is left out)."""
    @property
    def jit_config_dict(self) -> Any: ...
    def load_parameter_slice(self, params): """Parameters are whole on each process, so there is no slice to take. TypeError unless `params` is a dict or"""
    def load_state_dict(self, state_dict, strict: Any=True): """Copy the content of a state dict into this Cell and those below it; returns what was missing and what was"""
    mixed_precision_type: Any
    def name_cells(self): """Dict from attribute name to direct sub-Cell, each Cell once."""
    def named_buffers(self, prefix: Any='', recurse: Any=True, remove_duplicate: Any=True): """Pairs (path, buffer) of this Cell and, if `recurse`, of those below it."""
    def offload(self, backward_prefetch: Any='Auto'): """Let the intermediate values of the Cell wait for the backward in the host's memory, in compiled code."""
    @property
    def parallel_parameter_merge_net_dict(self) -> Any: ...
    @parallel_parameter_merge_net_dict.setter
    def parallel_parameter_merge_net_dict(self, value) -> None: ...
    @property
    def parallel_parameter_name_list(self) -> Any: ...
    @parallel_parameter_name_list.setter
    def parallel_parameter_name_list(self, value) -> None: ...
    @property
    def param_prefix(self) -> Any: ...
    @property
    def parameter_layout_dict(self) -> Any: ...
    @parameter_layout_dict.setter
    def parameter_layout_dict(self, value) -> None: ...
    def parameters_and_names(self, name_prefix: Any='', expand: Any=True): """Pairs (path, Parameter), each Parameter once, this Cell's own first."""
    def parameters_broadcast_dict(self, recurse: Any=True): """OrderedDict of the Parameters that are broadcast (those not `layerwise_parallel`), or None if there are"""
    def parameters_dict(self, recurse: Any=True): """Dict from Parameter name to Parameter."""
    @property
    def phase(self) -> Any: ...
    @phase.setter
    def phase(self, value) -> None: ...
    @property
    def phase_cache(self) -> Any: ...
    @property
    def pipeline_segment(self) -> Any: ...
    @pipeline_segment.setter
    def pipeline_segment(self, value) -> None: ...
    @property
    def pipeline_stage(self) -> Any: ...
    @pipeline_stage.setter
    def pipeline_stage(self, value) -> None: ...
    def place(self, role, rank_id): """Record the process that the Cell is to run in."""
    def recompute(self, **kwargs): """Compute the Cell's intermediate values again in the backward, instead of keeping them (less memory, more time)."""
    def register_backward_hook(self, hook_fn): """Call `hook_fn(cell, grad_input, grad_output)` in the backward; it may return another grad_input. Returns a handle."""
    def register_backward_pre_hook(self, hook_fn): """Call `hook_fn(cell, grad_output)` in the backward, before the gradients of the Cell; it may return another grad_output."""
    def register_buffer(self, name, tensor, persistent: Any=True): """Keep a Tensor (or None) under a name; it is part of state dicts if `persistent`."""
    def register_forward_hook(self, hook_fn, *, prepend: Any=False, with_kwargs: Any=False, always_call: Any=False): """Call `hook_fn(cell, inputs, output)` after `construct`; what it returns (if not None) replaces the output. Returns a handle."""
    def register_forward_pre_hook(self, hook_fn, *, prepend: Any=False, with_kwargs: Any=False): """Call `hook_fn(cell, inputs)` before `construct`; what it returns (if not None) replaces the inputs. Returns a handle."""
    def register_load_state_dict_post_hook(self, hook): """Call `hook(cell, incompatible_keys)` after loading; it must return None. Returns a handle."""
    def register_load_state_dict_pre_hook(self, hook): """Call `hook(cell, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)`"""
    def register_parameter_forward_hook(self, hook): """In compiled code, let `hook(param)` take the place of Parameters where `construct` reads them."""
    def register_saved_tensors_hooks(self, pack_hook, unpack_hook): """RuntimeError: what the backward needs is kept by XLA, where hooks cannot reach it; `recompute` saves memory"""
    def register_state_dict_post_hook(self, hook): """Call `hook(cell, state_dict, prefix, local_metadata)` after `state_dict` collected; it must return None."""
    def register_state_dict_pre_hook(self, hook): """Call `hook(cell, prefix, keep_vars)` before `state_dict` collects; returns a handle."""
    def remove_redundant_parameters(self): """Accepted: nothing is kept twice."""
    def run_construct(self, cast_inputs, kwargs): """`construct(*cast_inputs, **kwargs)`."""
    def set_boost(self, boost_type): """Record the boost 'less_bn'; returns the Cell. ValueError for another."""
    def set_broadcast_flag(self, mode: Any=True): """Record whether Parameters are broadcast at the start; returns the Cell."""
    def set_comm_fusion(self, fusion_type, recurse: Any=True): """Record the communication fusion type on all trainable Parameters; returns the Cell."""
    def set_data_parallel(self): """Record the wish for data parallel training; returns None."""
    def set_extra_state(self, state): """Override it to take back what `get_extra_state` gave."""
    def set_grad(self, requires_grad: Any=True): """Mark the Cell as one that gradients are taken of; returns the Cell."""
    def set_inputs(self, *inputs, **kwargs): """Declare the inputs of a compiled Cell: a Tensor with lengths left open, or what a constant has to be."""
    def set_jit_config(self, jit_config): """Record a JitConfig; XLA has its own settings. Returns None."""
    def set_parallel_input_with_inputs(self, *inputs): """Record the inputs of a parallel graph."""
    def set_param_fl(self, push_to_server: Any=False, pull_from_server: Any=False, requires_aggr: Any=True): """Record the federated-learning flags on all Parameters."""
    def set_param_ps(self, recurse: Any=True, init_in_server: Any=False): """Record that a parameter server would hold the trainable Parameters; see `set_ps_context`."""
    def set_train(self, mode: Any=True): """Training mode (Dropout drops, BatchNorm uses the batch) for this Cell and all below it; returns the Cell."""
    def shard(self, in_strategy, out_strategy=None, parameter_plan=None, device: Any='Ascend', level: Any=0): """Split inputs, outputs and Parameters over the devices from now on; see `mindspore.shard`."""
    def state_dict(self, *args, destination=None, prefix: Any='', keep_vars: Any=False): """OrderedDict from path to Parameter or buffer, of this Cell and those below it."""
    def to(self, *args, **kwargs): """Convert the floating Parameters and buffers to a dtype, in place: `to(dtype)`, `to(device)`, `to(device,"""
    def to_empty(self, *, device=None, recurse: Any=True): """Let go of the content of Parameters and buffers (it becomes zeros); returns the Cell."""
    def to_float(self, dst_type): """Compute in another float type: inputs, and Parameters where they are used, are cast on the fly; returns the Cell."""
    def trainable_params(self, recurse: Any=True): """List of the Parameters with `requires_grad`."""
    def untrainable_params(self, recurse: Any=True): """List of the Parameters without `requires_grad`."""
    def update_cell_prefix(self): """Note on each Cell below the path to it."""
    def update_cell_type(self, cell_type): """Record what kind of Cell this is."""
    def update_parameters_name(self, prefix: Any='', recurse: Any=True): """Rename all Parameters to `prefix` and the path to them."""
class CellDict(Cell):
    """A dict of Cells; it cannot be called."""
    def __contains__(self, key): ...
    def __getitem__(self, key): ...
    def __init__(self, *args, **kwargs) -> None: ...
    def __iter__(self): ...
    def __len__(self): ...
    def __setitem__(self, key, cell): ...
    def clear(self): """Take all Cells out."""
    def items(self): """Pairs (name, Cell)."""
    def keys(self): """The names."""
    def pop(self, key): """Take one Cell out and return it."""
    def update(self, cells): """Add Cells from a mapping or from (name, Cell) pairs."""
    def values(self): """The Cells."""
class CellList(Cell):
    """A list of Cells whose Parameters are named '0.…', '1.…'; it cannot be called."""
    def __getitem__(self, index): ...
    def __init__(self, *args, **kwargs) -> None: ...
    def __iter__(self): ...
    def __len__(self): ...
    def __setitem__(self, index, cell): ...
    def append(self, cell): """Add a Cell at the end; returns the container."""
    def extend(self, cells): """Add several Cells at the end; returns the container."""
    def insert(self, index, cell): """Put a Cell before position `index`."""
    def set_grad(self, flag: Any=True): """Mark the container and its Cells as ones that gradients are taken of."""
class CentralCrop(Cell):
    """The middle of (C, H, W) or (N, C, H, W): `central_fraction` of height and width."""
    def __init__(self, central_fraction) -> None: ...
    slice: Any
class ChannelShuffle(Cell):
    """The channels of (N, C, ...) interleaved from `groups` groups (Zhang et al., 2018)."""
    def __init__(self, groups) -> None: ...
    reshape: Any
    shape: Any
    transpose: Any
class ClipByNorm(Cell):
    """x scaled down so that its L2 norm over `axis` is at most `clip_norm`."""
    def __init__(self, axis=None) -> None: ...
class ConstantPad1d(Cell):
    """`value` on both sides of the last axis; `padding` is an int or (left, right)."""
    def __init__(self, padding, value) -> None: ...
class ConstantPad2d(Cell):
    """`value` on the sides of the last two axes; `padding` is an int or (left, right, top, bottom)."""
    def __init__(self, padding, value) -> None: ...
class ConstantPad3d(Cell):
    """`value` on the sides of the last three axes; `padding` is an int or (left, right, top, bottom, front, back)."""
    def __init__(self, padding, value) -> None: ...
class Conv1d(Cell):
    """Convolution of (N, C_in, L); the weight is (C_out, C_in / group, 1, k)."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, has_bias: Any=False, weight_init=None, bias_init=None, dtype: Any=...) -> None: ...
    bias_add: Any
    conv2d: Any
    expand_dims: Any
    def extend_repr(self): ...
    shape: Any
    squeeze: Any
class Conv1dTranspose(Cell):
    """Transposed convolution of (N, C_in, L), with a weight of (C_in, C_out / group, 1, k)."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, has_bias: Any=False, weight_init=None, bias_init=None, dtype: Any=...) -> None: ...
    bias_add: Any
    conv2d_transpose: Any
    expand_dims: Any
    def extend_repr(self): ...
    shape: Any
    squeeze: Any
class Conv2d(Cell):
    """Convolution of (N, C_in, H, W) with a weight of (C_out, C_in / group, kH, kW)."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, has_bias: Any=False, weight_init=None, bias_init=None, data_format: Any='NCHW', dtype: Any=...) -> None: ...
    bias_add: Any
    conv2d: Any
    def extend_repr(self): ...
class Conv2dBnAct(Cell):
    """Conv2d, then BatchNorm2d (`has_bn`) and an activation (a name, a Cell or a Primitive); arguments as for these."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, has_bias: Any=False, weight_init: Any='normal', bias_init: Any='zeros', has_bn: Any=False, momentum: Any=0.997, eps: Any=1e-05, activation=None, alpha: Any=0.2, after_fake: Any=True) -> None: ...
class Conv2dBnFoldQuant(Cell):
    """A convolution and its batch normalization as one, with the rounded weight `weight * gamma / sqrt(variance + eps)` of the moving variance. A first convolution gives the batch's"""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, eps: Any=1e-05, momentum: Any=0.997, has_bias: Any=False, weight_init: Any='normal', bias_init: Any='zeros', beta_init: Any='zeros', gamma_init: Any='ones', mean_init: Any='zeros', var_init: Any='ones', fake: Any=True, quant_config: Any=..., quant_dtype: Any=..., freeze_bn: Any=100000) -> None: ...
    def extend_repr(self): ...
    @classmethod
    def from_float(cls, convbn, quant_config, extra_args): """A new layer of the sizes of a Conv2dBnAct; extra_args: more arguments, as a dict."""
class Conv2dBnFoldQuantOneConv(Cell):
    """A convolution and its batch normalization as one, with the rounded weight `weight * gamma / sqrt(variance + eps)` of the moving variance; the normalization then has the batch's statistics in training."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, eps: Any=1e-05, momentum: Any=0.997, has_bias: Any=False, weight_init: Any='normal', bias_init: Any='zeros', beta_init: Any='zeros', gamma_init: Any='ones', mean_init: Any='zeros', var_init: Any='ones', fake: Any=True, quant_config: Any=..., quant_dtype: Any=...) -> None: ...
    def extend_repr(self): ...
    @classmethod
    def from_float(cls, convbn, quant_config): """A new layer of the sizes of a Conv2dBnAct."""
class Conv2dBnWithoutFoldQuant(Cell):
    """A 2-D convolution whose weight is rounded, then BatchNorm2d."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, has_bias: Any=False, eps: Any=1e-05, momentum: Any=0.997, weight_init: Any='normal', bias_init: Any='zeros', quant_config: Any=...) -> None: ...
    def extend_repr(self): ...
    @classmethod
    def from_float(cls, convbn, quant_config): """A new layer of the sizes of a Conv2dBnAct."""
class Conv2dQuant(Cell):
    """A 2-D convolution whose weight is rounded."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, has_bias: Any=False, weight_init: Any='normal', bias_init: Any='zeros', quant_config: Any=..., quant_dtype: Any=...) -> None: ...
    def extend_repr(self): ...
    @classmethod
    def from_float(cls, conv, quant_config): """A new layer of the sizes of a Conv2d."""
class Conv2dThor(Cell):
    """Conv2d that keeps the factors of patches and output gradients for `nn.thor`; arguments as for Conv2d."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, has_bias: Any=False, weight_init: Any='normal', bias_init: Any='zeros') -> None: ...
    def extend_repr(self): ...
    def save_gradient(self, dout): """Note the second moment of the output's gradient (its mean over the batch), and pass it on."""
    thor: Any
class Conv2dTranspose(Cell):
    """Transposed convolution of (N, C_in, H, W), with a weight of (C_in, C_out / group, kH, kW)."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, output_padding: Any=0, dilation: Any=1, group: Any=1, has_bias: Any=False, weight_init=None, bias_init=None, dtype: Any=...) -> None: ...
    bias_add: Any
    conv2d_transpose: Any
    def extend_repr(self): ...
    shape: Any
class Conv3d(Cell):
    """Convolution of (N, C_in, D, H, W) with a weight of (C_out, C_in / group, kD, kH, kW)."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, has_bias: Any=False, weight_init=None, bias_init=None, data_format: Any='NCDHW', dtype: Any=...) -> None: ...
    bias_add: Any
    conv3d: Any
    def extend_repr(self): ...
    shape: Any
class Conv3dTranspose(Cell):
    """Transposed convolution of (N, C_in, D, H, W), with a weight of (C_in, C_out / group, kD, kH, kW)."""
    def __init__(self, in_channels, out_channels, kernel_size, stride: Any=1, pad_mode: Any='same', padding: Any=0, dilation: Any=1, group: Any=1, output_padding: Any=0, has_bias: Any=False, weight_init=None, bias_init=None, data_format: Any='NCDHW', dtype: Any=...) -> None: ...
    bias_add: Any
    conv3d_transpose: Any
    def extend_repr(self): ...
    shape: Any
class CosineDecayLR(LearningRateSchedule):
    """From max_lr to min_lr along half a cosine of `decay_steps` steps (Loshchilov and Hutter, 2017)."""
    def __init__(self, min_lr, max_lr, decay_steps) -> None: ...
class CosineEmbeddingLoss(LossBase):
    """1 - cos(x1, x2) where labels are 1, max(0, cos(x1, x2) - margin) where they are -1, reduced."""
    def __init__(self, margin: Any=0.0, reduction: Any='mean') -> None: ...
    maximum: Any
class CrossEntropyLoss(LossBase):
    """Cross entropy of softmax(logits), with class numbers or probabilities as labels."""
    def __init__(self, weight=None, ignore_index: Any=-100, reduction: Any='mean', label_smoothing: Any=0.0) -> None: ...
class Dense(Cell):
    """activation(x @ weight.T + bias) over the last axis."""
    def __init__(self, in_channels, out_channels, weight_init=None, bias_init=None, has_bias: Any=True, activation=None, dtype: Any=...) -> None: ...
    bias_add: Any
    def extend_repr(self): ...
    matmul: Any
    reshape: Any
    shape_op: Any
class DenseBnAct(Cell):
    """Dense, then BatchNorm1d (`has_bn`) and an activation (a name, a Cell or a Primitive); arguments as for these."""
    def __init__(self, in_channels, out_channels, weight_init: Any='normal', bias_init: Any='zeros', has_bias: Any=True, has_bn: Any=False, momentum: Any=0.9, eps: Any=1e-05, activation=None, alpha: Any=0.2, after_fake: Any=True) -> None: ...
class DenseQuant(Cell):
    """A fully connected layer whose weight is rounded."""
    def __init__(self, in_channels, out_channels, weight_init: Any='normal', bias_init: Any='zeros', has_bias: Any=True, activation=None, quant_config: Any=..., quant_dtype: Any=...) -> None: ...
    def extend_repr(self): ...
    @classmethod
    def from_float(cls, dense, quant_config): """A new layer with the values and the activation of a Dense."""
class DenseThor(Dense):
    """Dense that keeps `matrix_a` (in, in) and `matrix_g` (out, out) for `nn.thor`; arguments as for Dense."""
    def __init__(self, in_channels, out_channels, weight_init: Any='normal', bias_init: Any='zeros', has_bias: Any=True, activation=None) -> None: ...
    def extend_repr(self): ...
    def save_gradient(self, dout): """Note the second moment of the output's gradient, and pass it on."""
class DiGamma(Cell):
    """Derivative of the logarithm of the gamma function."""
    def __init__(self) -> None: ...
class DiceLoss(LossBase):
    """1 - 2 sum(logits * label) / (sum(logits ** 2) + sum(label ** 2) + smooth)."""
    def __init__(self, smooth: Any=1e-05) -> None: ...
    reshape: Any
class DistributedGradReducer(Cell):
    """Sum or mean of the gradients of all processes, in few large collectives; with one process the gradients as they are."""
    def __init__(self, parameters, mean=None, degree=None, fusion_type: Any=1, group: Any='hccl_world_group') -> None: ...
    map_: Any
class Dropout(Cell):
    """In training, sets each element to 0 with probability `p` and divides the others by 1 - p; otherwise the identity."""
    def __init__(self, keep_prob: Any=0.5, p=None, dtype: Any=...) -> None: ...
    dropout: Any
    def extend_repr(self): ...
class Dropout1d(Cell):
    """In training, sets whole channels of (N, C, L) or (C, L) to 0 with probability `p`."""
    def __init__(self, p: Any=0.5) -> None: ...
class Dropout2d(Cell):
    """In training, sets whole channels of (N, C, H, W) to 0 with probability `p`."""
    def __init__(self, p: Any=0.5) -> None: ...
    dropout2d: Any
    def extend_repr(self): ...
class Dropout2dExt(DropoutExt):
    """`mint.nn.Dropout2d`: whole channels of (N, C, ...) are dropped."""
class Dropout3d(Dropout2d):
    """In training, sets whole channels of (N, C, D, H, W) to 0 with probability `p`."""
    dropout3d: Any
class DropoutExt(Cell):
    """`mint.nn.Dropout`: as Dropout(p=p)."""
    def __init__(self, p: Any=0.5, inplace: Any=False) -> None: ...
class DynamicLossScaleUpdateCell(Cell):
    """Grows the loss scale after `scale_window` good steps, and divides it when gradients overflow."""
    def __init__(self, loss_scale_value, scale_factor, scale_window) -> None: ...
    def get_loss_scale(self): """The first scale."""
    less_equal: Any
    logic_and: Any
    logic_not: Any
    logic_or: Any
    max: Any
    reciprocal: Any
    select: Any
class ELU(Cell):
    """x where it is positive, alpha * (exp(x) - 1) elsewhere."""
    def __init__(self, alpha: Any=1.0) -> None: ...
    elu: Any
class Embedding(Cell):
    """Rows of a trained table: ids of any shape give (*ids.shape, embedding_size); an id out of range gives zeros."""
    def __init__(self, vocab_size, embedding_size, use_one_hot: Any=False, embedding_table: Any='normal', dtype: Any=..., padding_idx=None) -> None: ...
    array_mul: Any
    concat: Any
    expand: Any
    def extend_repr(self): ...
    gather: Any
    get_shp: Any
    one_hot: Any
    reshape: Any
    reshape_flat: Any
class EmbeddingExt(Cell):
    """`mint.nn.Embedding`: rows of a trained table."""
    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type: Any=2.0, scale_grad_by_freq: Any=False, sparse: Any=False, _weight=None, _freeze: Any=False, dtype=None) -> None: ...
    def extend_repr(self): ...
class EmbeddingLookup(Cell):
    """Rows of a trained table; the arguments that place the table on a parameter server are recorded."""
    BATCH_SLICE: Any
    FIELD_SLICE: Any
    TABLE_COLUMN_SLICE: Any
    TABLE_ROW_SLICE: Any
    def __init__(self, vocab_size, embedding_size, param_init: Any='normal', target: Any='CPU', slice_mode: Any='batch_slice', manual_shapes=None, max_norm=None, sparse: Any=True, dtype: Any=...) -> None: ...
    embeddinglookup: Any
    gather_revert: Any
    gatherv2: Any
    reshape: Any
    reshape_first: Any
    shape: Any
    unique: Any
class EmbeddingLookupThor(EmbeddingLookup):
    """EmbeddingLookup with a float16 table that keeps the factors for `nn.thor` with target 'DEVICE'; arguments as"""
    def __init__(self, vocab_size, embedding_size, param_init: Any='normal', target: Any='CPU', slice_mode: Any='batch_slice', manual_shapes=None, max_norm=None, sparse: Any=True) -> None: ...
class EmbeddingThor(Embedding):
    """Embedding that keeps the factors for `nn.thor`; arguments as for Embedding."""
    def __init__(self, vocab_size, embedding_size, use_one_hot: Any=False, embedding_table: Any='normal', dtype: Any=..., padding_idx=None) -> None: ...
class ExponentialDecayLR(LearningRateSchedule):
    """learning_rate * decay_rate ** (step / decay_steps); with `is_stair` the exponent is rounded down."""
    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair: Any=False) -> None: ...
class FTRL(Optimizer):
    """FTRL-proximal (McMahan et al., 2013), for sparse linear models."""
    def __init__(self, params, initial_accum: Any=0.1, learning_rate: Any=0.001, lr_power: Any=-0.5, l1: Any=0.0, l2: Any=0.0, use_locking: Any=False, loss_scale: Any=1.0, weight_decay: Any=0.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
class FakeQuantWithMinMaxObserver(Cell):
    """Rounds x to the numbers of `quant_dtype` between a lowest and a highest one."""
    def __init__(self, min_init: Any=-6, max_init: Any=6, ema: Any=False, ema_decay: Any=0.999, per_channel: Any=False, channel_axis: Any=1, num_channels: Any=1, quant_dtype: Any=..., symmetric: Any=False, narrow_range: Any=False, quant_delay: Any=0, neg_trunc: Any=False, mode: Any='DEFAULT') -> None: ...
    def extend_repr(self): ...
    min_max_map: Any
    @classmethod
    def partial_init(cls, **kwargs): """The class with some of its arguments given."""
    def reset(self, quant_dtype: Any=..., min_init: Any=-6, max_init: Any=6): """Start again with another range; ValueError in another mode than 'LEARNED_SCALE'."""
class FastGelu(Cell):
    """A cheap approximation of GELU."""
    def __init__(self) -> None: ...
    fast_gelu: Any
class FixedLossScaleUpdateCell(Cell):
    """A loss scale that never changes; returns whether the step overflowed."""
    def __init__(self, loss_scale_value) -> None: ...
    def get_loss_scale(self): """The scale."""
class Flatten(Cell):
    """The axes from `start_dim` to `end_dim` made into one."""
    def __init__(self, start_dim: Any=1, end_dim: Any=-1) -> None: ...
class FocalLoss(LossBase):
    """Cross entropy times (1 - probability) ** gamma (Lin et al., 2017), of (N, C, ...) logits."""
    def __init__(self, weight=None, gamma: Any=2.0, reduction: Any='mean') -> None: ...
    dtype: Any
    expand_dims: Any
    gather_d: Any
    squeeze: Any
    tile: Any
class ForwardValueAndGrad(Cell):
    """A network's value together with its gradients."""
    def __init__(self, network, weights=None, get_all: Any=False, get_by_list: Any=False, sens_param: Any=False) -> None: ...
    grad: Any
class FractionalMaxPool2d(Cell):
    """Maximum pooling with windows at random places (Graham, 2014), to `output_size` or `output_ratio` times the"""
    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices: Any=False, _random_samples=None) -> None: ...
class FractionalMaxPool3d(FractionalMaxPool2d):
    """Maximum pooling of (N, C, D, H, W) with windows at random places; arguments as for FractionalMaxPool2d, three"""
class GELU(Cell):
    """Gaussian error linear unit, by tanh (`approximate=True`) or exact."""
    def __init__(self, approximate: Any=True) -> None: ...
class GLU(Cell):
    """The first half of x along `axis` times sigmoid of the second half."""
    def __init__(self, axis: Any=-1) -> None: ...
    sigmoid: Any
    spilt: Any
class GRU(Cell):
    """Layers of a recurrent network, one on the other."""
    def __init__(self, *args, **kwargs) -> None: ...
class GRUCell(Cell):
    """One step of a GRU: x (B, input_size) and h (B, hidden_size) give the new h."""
    def __init__(self, input_size, hidden_size, has_bias: Any=True, dtype: Any=...) -> None: ...
    def reset_parameters(self, dtype: Any=...): """Draw all Parameters again."""
class GaussianNLLLoss(LossBase):
    """(log(max(var, eps)) + (logits - labels) ** 2 / max(var, eps)) / 2, with the constant log(2 pi) / 2 if `full`,"""
    def __init__(self, *, full: Any=False, eps: Any=1e-06, reduction: Any='mean') -> None: ...
class GetNextSingleOp(Cell):
    """The next batch of a dataset that is sunk under a queue name."""
    def __call__(self): """Runs on the host in both modes: a compiled program cannot wait for data."""
    def __init__(self, dataset_types, dataset_shapes, queue_name) -> None: ...
class GradAccumulationCell(Cell):
    """A network with its loss, run on `micro_size` parts of the batch; the losses are added up, and so are the"""
    def __init__(self, network, micro_size) -> None: ...
class GraphCell(Cell):
    """A network that was loaded with `load`, as a Cell."""
    def __init__(self, graph, params_init=None, obf_random_seed=None) -> None: ...
class GroupNorm(Cell):
    """Group normalization (Wu and He, 2018): statistics over groups of channels."""
    def __init__(self, num_groups, num_channels, eps: Any=1e-05, affine: Any=True, gamma_init: Any='ones', beta_init: Any='zeros', dtype: Any=...) -> None: ...
    def extend_repr(self): ...
    reduce_mean: Any
    reduce_sum: Any
    reshape: Any
    shape: Any
    sqrt: Any
    square: Any
class HShrink(Cell):
    """x where |x| is greater than `lambd`, 0 elsewhere."""
    def __init__(self, lambd: Any=0.5) -> None: ...
    hshrink: Any
class HSigmoid(Cell):
    """min(max((x + 3) / 6, 0), 1)."""
    def __init__(self) -> None: ...
    hsigmoid: Any
class HSwish(Cell):
    """x * relu6(x + 3) / 6."""
    def __init__(self) -> None: ...
    hswish: Any
class Hardtanh(Cell):
    """x clipped to [min_val, max_val]."""
    def __init__(self, min_val: Any=-1.0, max_val: Any=1.0) -> None: ...
class HingeEmbeddingLoss(LossBase):
    """logits where labels are 1, max(0, margin - logits) where they are -1, reduced."""
    def __init__(self, margin: Any=1.0, reduction: Any='mean') -> None: ...
class HuberLoss(LossBase):
    """d ** 2 / 2 where d = |logits - labels| is at most delta, delta * (d - delta / 2) elsewhere, reduced."""
    def __init__(self, reduction: Any='mean', delta: Any=1.0) -> None: ...
class IGamma(Cell):
    """Lower regularized incomplete gamma function P(a, x)."""
    def __init__(self) -> None: ...
class Identity(Cell):
    """Returns its input; any arguments of the constructor are ignored."""
    def __init__(self, *args, **kwargs) -> None: ...
class ImageGradients(Cell):
    """Differences (dy, dx) of neighbouring pixels of (N, C, H, W); the last row and column are 0."""
    def __init__(self) -> None: ...
class InstanceNorm1d(Cell):
    """Instance normalization (Ulyanov et al., 2017): statistics of each channel of each sample."""
    def __init__(self, num_features, eps: Any=1e-05, momentum: Any=0.1, affine: Any=True, gamma_init: Any='ones', beta_init: Any='zeros', dtype: Any=...) -> None: ...
    def extend_repr(self): ...
    instance_bn: Any
class InstanceNorm2d(Cell):
    """Instance normalization (Ulyanov et al., 2017): statistics of each channel of each sample."""
    def __init__(self, num_features, eps: Any=1e-05, momentum: Any=0.1, affine: Any=True, gamma_init: Any='ones', beta_init: Any='zeros', dtype: Any=...) -> None: ...
    def extend_repr(self): ...
    instance_bn: Any
class InstanceNorm3d(Cell):
    """Instance normalization (Ulyanov et al., 2017): statistics of each channel of each sample."""
    def __init__(self, num_features, eps: Any=1e-05, momentum: Any=0.1, affine: Any=True, gamma_init: Any='ones', beta_init: Any='zeros', dtype: Any=...) -> None: ...
    def extend_repr(self): ...
    instance_bn: Any
class InverseDecayLR(LearningRateSchedule):
    """learning_rate / (1 + decay_rate * step / decay_steps); with `is_stair` the quotient is rounded down."""
    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair: Any=False) -> None: ...
class Jvp(Cell):
    """(fn(x, ...), its Jacobian times v): the last argument of the call is v, with the structure of the inputs."""
    def __init__(self, fn) -> None: ...
class KLDivLoss(LossBase):
    """labels * (log(labels) - logits): the Kullback-Leibler divergence of log-probabilities, reduced ('batchmean' too)."""
    def __init__(self, reduction: Any='mean') -> None: ...
class L1Loss(LossBase):
    """|logits - labels|, reduced."""
class L1LossExt(L1Loss):
    """`mint.nn.L1Loss`: |input - target|, reduced; the two broadcast."""
class L1Regularizer(Cell):
    """scale * sum(|weights|)."""
    def __init__(self, scale) -> None: ...
    abs: Any
    reduce_sum: Any
class LARS(Optimizer):
    """LARS (You et al., 2017) around another optimizer: gradients are scaled with the ratio of the norms of Parameter"""
    def __init__(self, optimizer, epsilon: Any=1e-05, coefficient: Any=0.001, use_clip: Any=False, lars_filter: Any=...) -> None: ...
    def as_optax(self): """As `Optimizer.as_optax`: the scaling, then the inner optimizer. The pytree must be that of the Parameters."""
    def get_lr(self): """Learning rate of the inner optimizer; with groups a tuple."""
class LBeta(Cell):
    """log(gamma(x) gamma(y) / gamma(x + y)): the logarithm of the beta function, for positive x and y."""
    def __init__(self) -> None: ...
class LGamma(Cell):
    """Logarithm of the absolute value of the gamma function."""
    def __init__(self) -> None: ...
class LPPool1d(Cell):
    """(sum of x ** norm_type) ** (1 / norm_type) over windows of (N, C, L) or (C, L)."""
    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode: Any=False) -> None: ...
class LPPool2d(LPPool1d):
    """(sum of x ** norm_type) ** (1 / norm_type) over windows of (N, C, H, W)."""
class LRN(Cell):
    """Local response normalization over neighbouring channels (Krizhevsky et al., 2012)."""
    def __init__(self, depth_radius: Any=5, bias: Any=1.0, alpha: Any=1.0, beta: Any=0.5, norm_region: Any='ACROSS_CHANNELS') -> None: ...
class LSTM(Cell):
    """Layers of a recurrent network, one on the other."""
    def __init__(self, *args, **kwargs) -> None: ...
class LSTMCell(Cell):
    """One step of an LSTM: x (B, input_size) and the pair (h, c), each (B, hidden_size), give the new pair."""
    def __init__(self, input_size, hidden_size, has_bias: Any=True, dtype: Any=..., **old) -> None: ...
    def reset_parameters(self, dtype: Any=...): """Draw all Parameters again."""
class Lamb(Optimizer):
    """LAMB (You et al., 2020): Adam's direction plus weight decay, with the norm of the Parameter."""
    def __init__(self, params, learning_rate, beta1: Any=0.9, beta2: Any=0.999, eps: Any=1e-06, weight_decay: Any=0.0) -> None: ...
    def decay_weight(self, gradients): """The gradients as they are: the Parameters are decayed."""
    def transformation(self, learning_rate, weight_decay, mask): ...
class LayerNorm(Cell):
    """Layer normalization (Ba et al., 2016) over the axes from `begin_norm_axis` on."""
    def __init__(self, normalized_shape, begin_norm_axis: Any=-1, begin_params_axis: Any=-1, gamma_init: Any='ones', beta_init: Any='zeros', epsilon: Any=1e-07, dtype: Any=...) -> None: ...
    def extend_repr(self): ...
    layer_norm: Any
class LayerNormExt(Cell):
    """`mint.nn.LayerNorm`: layer normalization over the last axes, whose sizes are `normalized_shape`."""
    def __init__(self, normalized_shape, eps: Any=1e-05, elementwise_affine: Any=True, bias: Any=True, dtype=None) -> None: ...
    def extend_repr(self): ...
class LazyAdam(Optimizer):
    """Adam that leaves the rows which a sparse gradient does not name as they are, moments too."""
    def __init__(self, params, learning_rate: Any=0.001, beta1: Any=0.9, beta2: Any=0.999, eps: Any=1e-08, use_locking: Any=False, use_nesterov: Any=False, weight_decay: Any=0.0, loss_scale: Any=1.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
    use_amsgrad: Any
class LeakyReLU(Cell):
    """x where it is positive, `alpha` * x elsewhere."""
    def __init__(self, alpha: Any=0.2) -> None: ...
class LearningRateSchedule(Cell):
    """Base class: a subclass computes the learning rate of a step in `construct(global_step)`."""
class Linear(Cell):
    """`mint.nn.Linear`: x @ weight.T + bias over the last axis."""
    def __init__(self, in_features, out_features, bias: Any=True, weight_init=None, bias_init=None, dtype=None) -> None: ...
    def extend_repr(self): ...
class LogSigmoid(Cell):
    """log(sigmoid(x))."""
    def __init__(self) -> None: ...
    add: Any
    exp: Any
    log: Any
    mul: Any
    rec: Any
class LogSoftmax(Cell):
    """log(softmax(x)) along `axis`."""
    def __init__(self, axis: Any=-1) -> None: ...
    log_softmax: Any
class LogSoftmaxExt(Cell):
    """`mint.nn.LogSoftmax`: log(softmax(x)) along `dim`; None is 0 for 0, 1 and 3 axes, else 1."""
    def __init__(self, dim=None) -> None: ...
class LossBase(Cell):
    """Base class of losses: `get_loss(x, weights)` gives weights * x, reduced by 'mean', 'sum' or 'none'."""
    def __init__(self, reduction: Any='mean') -> None: ...
    cast: Any
    def get_axis(self, x): """All axes of x, as a tuple."""
    def get_loss(self, x, weights: Any=1.0): """weights * x in float32, reduced, in the dtype of x."""
    mul: Any
    reduce_mean: Any
    reduce_sum: Any
class MAELoss(LossBase):
    """|logits - label|, reduced."""
    abs: Any
class MSELoss(LossBase):
    """(logits - labels) ** 2, reduced."""
class MSSSIM(Cell):
    """Structural similarity over several scales (Wang et al., 2003), one for each of `power_factors`; other arguments"""
    def __init__(self, max_val: Any=1.0, power_factors: Any=..., filter_size: Any=11, filter_sigma: Any=1.5, k1: Any=0.01, k2: Any=0.03) -> None: ...
    concat: Any
    pow: Any
    prod: Any
    reduce_mean: Any
    stack: Any
class MarginRankingLoss(LossBase):
    """max(0, -target * (input1 - input2) + margin), reduced; target is 1 or -1."""
    def __init__(self, margin: Any=0.0, reduction: Any='mean') -> None: ...
class MatDet(Cell):
    """Determinants of symmetric positive definite matrices."""
    def __init__(self) -> None: ...
class MatInverse(Cell):
    """Inverses of symmetric positive definite matrices."""
    def __init__(self) -> None: ...
class MatMul(Cell):
    """Matrix product with broadcast batch axes; `transpose_x1` and `transpose_x2` swap the last two axes first."""
    def __init__(self, transpose_x1: Any=False, transpose_x2: Any=False) -> None: ...
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
    def __init__(self, kernel_size: Any=1, stride: Any=1, pad_mode: Any='valid', padding: Any=0, dilation: Any=1, return_indices: Any=False, ceil_mode: Any=False) -> None: ...
    expand: Any
    def extend_repr(self): ...
    max_pool: Any
    reduce_mean: Any
    squeeze: Any
class MaxPool2d(Cell):
    """Maximum over windows of (N, C, H, W) or (C, H, W)."""
    def __init__(self, kernel_size: Any=1, stride: Any=1, pad_mode: Any='valid', padding: Any=0, dilation: Any=1, return_indices: Any=False, ceil_mode: Any=False, data_format: Any='NCHW') -> None: ...
    def extend_repr(self): ...
    max_pool: Any
class MaxPool2dExt(Cell):
    """`mint.nn.MaxPool2d`: maximum over windows; `stride` is the kernel's size by default."""
    def __init__(self, kernel_size: Any=1, stride=None, padding: Any=0, dilation: Any=1, return_indices: Any=False, ceil_mode: Any=False) -> None: ...
class MaxPool3d(Cell):
    """Maximum over windows of (N, C, D, H, W) or (C, D, H, W)."""
    def __init__(self, kernel_size: Any=1, stride: Any=1, pad_mode: Any='valid', padding: Any=0, dilation: Any=1, return_indices: Any=False, ceil_mode: Any=False) -> None: ...
    def extend_repr(self): ...
class MaxUnpool1d(Cell):
    """Puts values back to where maximum pooling took them from; zeros elsewhere. `stride` is the kernel's size by"""
    def __init__(self, kernel_size, stride=None, padding: Any=0) -> None: ...
class MaxUnpool2d(Cell):
    """Puts values back to where maximum pooling took them from; zeros elsewhere. `stride` is the kernel's size by"""
    def __init__(self, kernel_size, stride=None, padding: Any=0) -> None: ...
class MaxUnpool3d(Cell):
    """Puts values back to where maximum pooling took them from; zeros elsewhere. `stride` is the kernel's size by"""
    def __init__(self, kernel_size, stride=None, padding: Any=0) -> None: ...
class MicroBatchInterleaved(Cell):
    """A network run on `interleave_num` parts of the batch, the outputs added up. XLA overlaps computation and"""
    def __init__(self, network, interleave_num: Any=2) -> None: ...
class Mish(Cell):
    """x * tanh(log(1 + exp(x)))."""
    def __init__(self) -> None: ...
class Moments(Cell):
    """(mean, variance) over `axis`, all axes by default."""
    def __init__(self, axis=None, keep_dims=None) -> None: ...
    reduce_mean: Any
    square_diff: Any
class Momentum(Optimizer):
    """Stochastic gradient descent with momentum: v = momentum v + g; p -= lr v (Sutskever et al., 2013)."""
    def __init__(self, params, learning_rate, momentum, weight_decay: Any=0.0, loss_scale: Any=1.0, use_nesterov: Any=False) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
class MulQuant(Cell):
    """A product whose values are rounded; the range is a moving average."""
    def __init__(self, ema_decay: Any=0.999, quant_config: Any=..., quant_dtype: Any=...) -> None: ...
class MultiClassDiceLoss(LossBase):
    """Mean over the classes (axis 1) of their dice losses."""
    def __init__(self, weights=None, ignore_indiex=None, activation: Any='softmax') -> None: ...
    reshape: Any
class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """Rows of a table times values, merged per field: indices, values and field ids (N, k) give (N, field_size,"""
    OPERATOR_MAX: Any
    OPERATOR_MEAN: Any
    OPERATOR_SUM: Any
    def __init__(self, vocab_size, embedding_size, field_size, param_init: Any='normal', target: Any='CPU', slice_mode: Any='batch_slice', feature_num_list=None, max_norm=None, sparse: Any=True, operator: Any='SUM', dtype: Any=...) -> None: ...
class MultiLabelSoftMarginLoss(LossBase):
    """Mean over the classes of the binary cross entropy of sigmoid(x), times `weight` of each class, reduced."""
    def __init__(self, weight=None, reduction: Any='mean') -> None: ...
class MultiMarginLoss(LossBase):
    """Mean over the other classes of max(0, margin - x[target] + x[class]) ** p, times `weight` of the target's"""
    def __init__(self, p: Any=1, margin: Any=1.0, reduction: Any='mean', weight=None) -> None: ...
class MultiheadAttention(Cell):
    """softmax(q k^T / sqrt(head_dim)) v in `num_heads` parts, with projections before and after."""
    def __init__(self, embed_dim, num_heads, dropout: Any=0.0, has_bias: Any=True, add_bias_kv: Any=False, add_zero_attn: Any=False, kdim=None, vdim=None, batch_first: Any=False, dtype: Any=...) -> None: ...
class MultilabelMarginLoss(LossBase):
    """Margin loss with several target classes for each row; a row's targets end at the first -1."""
class NLLLoss(LossBase):
    """-weight[label] * logits[label]: the negative log-likelihood, for logits that are log-probabilities."""
    def __init__(self, weight=None, ignore_index: Any=-100, reduction: Any='mean') -> None: ...
class NaturalExpDecayLR(LearningRateSchedule):
    """learning_rate * e ** (-decay_rate * step); with `is_stair` the step is rounded down to a multiple of"""
    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair: Any=False) -> None: ...
class Norm(Cell):
    """Square root of the sum of squares over `axis`."""
    def __init__(self, axis: Any=(), keep_dims: Any=False) -> None: ...
    def extend_repr(self): ...
    reduce_sum: Any
    sqrt: Any
    squeeze: Any
class OneHot(Cell):
    """`on_value` at the position that each index names on a new axis of size `depth`, `off_value` elsewhere."""
    def __init__(self, axis: Any=-1, depth: Any=1, on_value: Any=1.0, off_value: Any=0.0, dtype: Any=...) -> None: ...
    onehot: Any
class OptTFTWrapper(Optimizer):
    """MindSpore's hook for MindIO, which saves the state of a failing Ascend cluster; there is none here."""
    def __init__(self, opt, **kwargs) -> None: ...
class Optimizer(Cell):
    """Base class of optimizers."""
    def __call__(self, gradients, *args): ...
    def __init__(self, learning_rate, parameters, weight_decay: Any=0.0, loss_scale: Any=1.0) -> None: ...
    def as_optax(self): """The transformation that this optimizer runs, an `optax.GradientTransformationExtraArgs`."""
    assignadd: Any
    def broadcast_params(self, optim_result): """Parameters are the same on every device already: returns them, in one tuple."""
    def decay_weight(self, gradients): """Gradients plus weight decay times the Parameters."""
    def flatten_gradients(self, gradients): """The gradients as they are: memory is not flattened here."""
    def get_lr(self): """Learning rate of this step: a Tensor, or with group rates a tuple with one for each Parameter."""
    def get_lr_parameter(self, param): """The learning rate Parameter (or schedule) that one Parameter, or each of a list, is trained with."""
    def get_weight_decay(self): """Weight decay of this step: a Tensor, or with groups a tuple with one for each Parameter."""
    def gradients_centralization(self, gradients): """Gradients of groups with `grad_centralization`, minus their mean over all axes but the first (Yong et al.,"""
    hyper_map: Any
    hyper_map_reverse: Any
    map_: Any
    map_reverse: Any
    def scale_grad(self, gradients): """Gradients divided by the loss scale."""
    @property
    def target(self) -> Any: ...
    @target.setter
    def target(self, value) -> None: ...
    def transformation(self, learning_rate): """The optax transformation of a group of Parameters at a learning rate (a function of the count); with `_decoupled` its weight"""
    @property
    def unique(self) -> Any: ...
    @unique.setter
    def unique(self, value) -> None: ...
class PReLU(Cell):
    """x where it is positive, w * x elsewhere; w is a Parameter with one element or one for each channel (axis 1)."""
    def __init__(self, channel: Any=1, w: Any=0.25) -> None: ...
    prelu: Any
class PReLUExt(Cell):
    """`mint.nn.PReLU`: x where it is positive, weight * x elsewhere."""
    def __init__(self, num_parameters: Any=1, init: Any=0.25, dtype=None) -> None: ...
class PSNR(Cell):
    """Peak signal-to-noise ratio of two images (N, C, H, W) in decibels, a number for each."""
    def __init__(self, max_val: Any=1.0) -> None: ...
class Pad(Cell):
    """x with zeros, or with its reflection, on both sides of each axis."""
    def __init__(self, paddings, mode: Any='CONSTANT') -> None: ...
class ParameterUpdate(Cell):
    """Assigns its input to a Parameter, and returns the input."""
    def __init__(self, param) -> None: ...
class PipelineCell(Cell):
    """As GradAccumulationCell, as a pipeline: with `set_auto_parallel_context(pipeline_stages=)` and several devices or"""
    def __init__(self, network, micro_size, stage_config=None, segment_config=None) -> None: ...
    def shard(self, in_strategy, out_strategy=None, parameter_plan=None, device: Any='Ascend', level: Any=0): """ValueError: a pipeline is not sharded as a whole."""
class PipelineGradReducer(Cell):
    """Gradients divided by `scale_sense`; the sums over the parts of a batch are made already."""
    def __init__(self, parameters, scale_sense: Any=1.0, opt_shard=None) -> None: ...
    hyper_map: Any
class PixelShuffle(Cell):
    """Channels made into pixels: (..., C * r * r, H, W) to (..., C, H * r, W * r) (Shi et al., 2016)."""
    def __init__(self, upscale_factor) -> None: ...
class PixelUnshuffle(Cell):
    """Pixels made into channels: (..., C, H * r, W * r) to (..., C * r * r, H, W)."""
    def __init__(self, downscale_factor) -> None: ...
class PoissonNLLLoss(LossBase):
    """exp(input) - target * input (`log_input`), or input - target * log(input + eps), reduced; `full` adds"""
    def __init__(self, log_input: Any=True, full: Any=False, eps: Any=1e-08, reduction: Any='mean') -> None: ...
    maximum: Any
class PolynomialDecayLR(LearningRateSchedule):
    """(learning_rate - end) * (1 - step / decay_steps) ** power + end; with `update_decay_steps` the decay starts"""
    def __init__(self, learning_rate, end_learning_rate, decay_steps, power, update_decay_steps: Any=False) -> None: ...
class ProximalAdagrad(Optimizer):
    """Proximal Adagrad (Duchi and Singer, 2009): Adagrad's step, then shrinkage by L1 and L2 regularization."""
    def __init__(self, params, accum: Any=0.1, learning_rate: Any=0.001, l1: Any=0.0, l2: Any=0.0, use_locking: Any=False, loss_scale: Any=1.0, weight_decay: Any=0.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
class RMSELoss(LossBase):
    """Square root of the mean of (logits - label) ** 2."""
    def __init__(self) -> None: ...
    dtype: Any
class RMSProp(Optimizer):
    """RMSProp (Hinton, 2012) with momentum: ms = decay ms + (1 - decay) g^2; v = momentum v + lr g / sqrt(ms +"""
    def __init__(self, params, learning_rate: Any=0.1, decay: Any=0.9, momentum: Any=0.0, epsilon: Any=1e-10, use_locking: Any=False, centered: Any=False, loss_scale: Any=1.0, weight_decay: Any=0.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
class RNN(Cell):
    """Layers of a recurrent network, one on the other."""
    def __init__(self, *args, **kwargs) -> None: ...
class RNNCell(Cell):
    """h' = tanh(x weight_ih^T + bias_ih + h weight_hh^T + bias_hh), or relu."""
    def __init__(self, input_size, hidden_size, has_bias: Any=True, nonlinearity: Any='tanh', dtype: Any=...) -> None: ...
    def reset_parameters(self, dtype: Any=...): """Draw all Parameters again."""
class RReLU(Cell):
    """x where it is positive, x times a random number of [lower, upper) elsewhere."""
    def __init__(self, lower: Any=0.125, upper: Any=0.3333333333333333) -> None: ...
    sign: Any
class Range(Cell):
    """The numbers start, start + delta, ... below `limit`, made once; from 0 to `start` without `limit`."""
    def __init__(self, start, limit=None, delta: Any=1) -> None: ...
class ReLU(Cell):
    """max(x, 0), elementwise."""
    def __init__(self) -> None: ...
    relu: Any
class ReLU6(Cell):
    """min(max(x, 0), 6), elementwise."""
    def __init__(self) -> None: ...
    relu6: Any
class ReduceLogSumExp(Cell):
    """log(sum(exp(x))) over `axis`, without overflow."""
    def __init__(self, axis, keep_dims: Any=False) -> None: ...
    exp: Any
    log: Any
    max: Any
class ReflectionPad1d(Cell):
    """The last axis mirrored at its ends, without repeating them; `padding` is an int or (left, right)."""
    def __init__(self, padding) -> None: ...
class ReflectionPad2d(ReflectionPad1d):
    """The last two axes mirrored at their ends; `padding` is an int or (left, right, top, bottom)."""
class ReflectionPad3d(ReflectionPad1d):
    """The last three axes mirrored at their ends; `padding` is an int or (left, right, top, bottom, front, back)."""
class ReplicationPad1d(Cell):
    """The ends of the last axis repeated; `padding` is an int or (left, right), negative numbers cut off."""
    def __init__(self, padding) -> None: ...
class ReplicationPad2d(ReplicationPad1d):
    """The ends of the last two axes repeated; `padding` is an int or (left, right, top, bottom)."""
class ReplicationPad3d(ReplicationPad1d):
    """The ends of the last three axes repeated; `padding` is an int or (left, right, top, bottom, front, back)."""
class ResizeBilinear(Cell):
    """x (N, C, H, W) resized bilinearly to `size` (H', W') or by an int `scale_factor`; a layer of MindSpore 1.x."""
    def __init__(self, half_pixel_centers: Any=False) -> None: ...
class Roll(Cell):
    """Elements moved round along axes: `shift` and `axis` are ints, or lists of the same length."""
    def __init__(self, shift, axis) -> None: ...
class Rprop(Optimizer):
    """Resilient backpropagation (Riedmiller and Braun, 1993): each element has its own step, which grows while the"""
    def __init__(self, params, learning_rate: Any=0.1, etas: Any=..., step_sizes: Any=..., weight_decay: Any=0.0) -> None: ...
    def transformation(self, learning_rate): ...
class SGD(Optimizer):
    """Stochastic gradient descent, with momentum, dampening and Nesterov momentum if wanted."""
    def __init__(self, params, learning_rate: Any=0.1, momentum: Any=0.0, dampening: Any=0.0, weight_decay: Any=0.0, nesterov: Any=False, loss_scale: Any=1.0) -> None: ...
    opt: Any
    def transformation(self, learning_rate): ...
class SSIM(Cell):
    """Structural similarity of two images (N, C, H, W), a number for each (Wang et al., 2004)."""
    def __init__(self, max_val: Any=1.0, filter_size: Any=11, filter_sigma: Any=1.5, k1: Any=0.01, k2: Any=0.03) -> None: ...
    concat: Any
    reduce_mean: Any
class SampledSoftmaxLoss(LossBase):
    """Softmax cross entropy over the true classes and `num_sampled` random ones, instead of all (Jean et al., 2014)."""
    def __init__(self, num_sampled, num_classes, num_true: Any=1, sampled_values=None, remove_accidental_hits: Any=True, seed: Any=0, reduction: Any='none') -> None: ...
class SeLU(Cell):
    """Self-normalizing exponential linear unit."""
    def __init__(self) -> None: ...
    selu: Any
class SequentialCell(Cell):
    """Runs Cells in turn, each on the output of the one before."""
    def __getitem__(self, index): ...
    def __init__(self, *args) -> None: ...
    def __iter__(self): ...
    def __len__(self): ...
    def __setitem__(self, index, cell): ...
    def append(self, cell): """Add a Cell at the end; returns the container."""
    def extend(self, cells): """Add several Cells at the end; returns the container."""
    def set_grad(self, flag: Any=True): """Mark the container and its Cells as ones that gradients are taken of."""
class SiLU(Cell):
    """x * sigmoid(x)."""
    def __init__(self) -> None: ...
class Sigmoid(Cell):
    """1 / (1 + exp(-x))."""
    def __init__(self) -> None: ...
    sigmoid: Any
class SmoothL1Loss(LossBase):
    """d ** 2 / (2 * beta) where d = |logits - labels| is less than beta, d - beta / 2 elsewhere; not reduced by"""
    def __init__(self, beta: Any=1.0, reduction: Any='none') -> None: ...
    smooth_l1_loss: Any
class SoftMarginLoss(LossBase):
    """log(1 + exp(-labels * logits)), reduced; labels are 1 or -1."""
class SoftShrink(Cell):
    """x moved towards 0 by `lambd`; 0 where |x| is at most `lambd`."""
    def __init__(self, lambd: Any=0.5) -> None: ...
    softshrink: Any
class Softmax(Cell):
    """exp(x) / sum(exp(x)) along `axis` (an int, or a tuple of them)."""
    def __init__(self, axis: Any=-1) -> None: ...
    softmax: Any
class Softmax2d(Cell):
    """softmax over the channels of (N, C, H, W) or (C, H, W)."""
    def __init__(self) -> None: ...
    shape: Any
    softmax: Any
class SoftmaxCrossEntropyWithLogits(LossBase):
    """Cross entropy of softmax(logits) for each row of (N, C); not reduced by default. With `sparse` and the mean, logits may be"""
    def __init__(self, sparse: Any=False, reduction: Any='none') -> None: ...
    one_hot: Any
    softmax_cross_entropy: Any
    sparse_softmax_cross_entropy: Any
class Softmin(Cell):
    """softmax(-x) along `axis`."""
    def __init__(self, axis: Any=-1) -> None: ...
class Softsign(Cell):
    """x / (1 + |x|)."""
    def __init__(self) -> None: ...
    softsign: Any
class SparseTensorDenseMatmul(Cell):
    """Product of a sparse matrix, given as indices (n, 2), values (n,) and its shape, with a dense one."""
    def __init__(self, adjoint_st: Any=False, adjoint_dt: Any=False) -> None: ...
class SparseToDense(Cell):
    """The dense Tensor of a COOTensor."""
    def __init__(self) -> None: ...
class SyncBatchNorm(Cell):
    """Batch normalization with the statistics of all processes of a group; for one process as BatchNorm2d."""
    def __init__(self, num_features, eps: Any=1e-05, momentum: Any=0.9, affine: Any=True, gamma_init: Any='ones', beta_init: Any='zeros', moving_mean_init: Any='zeros', moving_var_init: Any='ones', use_batch_statistics=None, process_groups=None, dtype: Any=...) -> None: ...
    assign_sub_mean: Any
    assign_sub_var: Any
    bn_infer: Any
    bn_train: Any
    dtype: Any
    def extend_repr(self): ...
    mul_mean: Any
    mul_var: Any
    reduce_mean: Any
    reshape: Any
    shape: Any
    sqrt: Any
    square: Any
    sub_mean: Any
    sub_var: Any
class Tanh(Cell):
    """Hyperbolic tangent."""
    def __init__(self) -> None: ...
    tanh: Any
class Tanhshrink(Cell):
    """x - tanh(x)."""
    def __init__(self) -> None: ...
class TensorAddQuant(Cell):
    """A sum whose values are rounded; the range is a moving average."""
    def __init__(self, ema_decay: Any=0.999, quant_config: Any=..., quant_dtype: Any=...) -> None: ...
class TensorArray(Cell):
    """An array of Tensors of one shape, on the host."""
    def __init__(self, dtype, element_shape, dynamic_size: Any=True, size: Any=0, name: Any='TA') -> None: ...
    def clear(self): """Take everything out; True."""
    def close(self): """End the array; True."""
    def read(self, index): """The element at a place."""
    def size(self): """How many elements there are."""
    def stack(self): """All elements as one Tensor."""
    def write(self, index, value): """Put a value at a place; True."""
class TensorsQueue(Cell):
    """A queue of tuples of Tensors, on the host."""
    def __init__(self, dtype, shapes, size: Any=0, name: Any='TQ') -> None: ...
    def clear(self): """Take everything out; True."""
    def close(self): """End the queue; True."""
    def get(self): """The first tuple."""
    def pop(self): """The first tuple, which leaves the queue."""
    def put(self, element): """Put a tuple at the end; True."""
    def size(self): """How many tuples there are."""
class Threshold(Cell):
    """x where it is greater than `threshold`, `value` elsewhere."""
    def __init__(self, threshold, value) -> None: ...
class TimeDistributed(Cell):
    """Applies a layer to each step of an axis of time."""
    def __init__(self, layer, time_axis, reshape_with_axis=None) -> None: ...
    reshape: Any
    transpose: Any
class TrainOneStepCell(Cell):
    """One training step: loss, gradients, update. Returns the loss."""
    def __init__(self, network, optimizer, sens=None, return_grad: Any=False) -> None: ...
    grad: Any
    grad_no_sens: Any
class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One training step with a scaled loss; a step whose gradients overflow leaves the weights as they are."""
    def __init__(self, network, optimizer, scale_sense) -> None: ...
    allreduce: Any
    equal: Any
    def get_overflow_status(self, status, compute_output): """Whether the gradients hold an infinity or a NaN: a bool Tensor."""
    hyper_map: Any
    less_equal: Any
    logic_not: Any
    def process_loss_scale(self, overflow): """Let the manager update the scale; returns whether the step overflowed."""
    reduce_all: Any
    reduce_sum: Any
    def set_sense_scale(self, sens): """Set the scale, where it is a Tensor that the host manages."""
    def start_overflow_check(self, pre_cond, compute_input): """(status, compute_input): there is no overflow register to clear here, infinities and NaNs tell."""
class Transformer(Cell):
    """Encoder and decoder; matrices are initialized with xavier_uniform."""
    def __init__(self, d_model: Any=512, nhead: Any=8, num_encoder_layers: Any=6, num_decoder_layers: Any=6, dim_feedforward: Any=2048, dropout: Any=0.1, activation: Any='relu', custom_encoder=None, custom_decoder=None, layer_norm_eps: Any=1e-05, batch_first: Any=False, norm_first: Any=False, dtype: Any=...) -> None: ...
class TransformerDecoder(Cell):
    """`num_layers` layers like `decoder_layer`, one on the other, and a last normalization if `norm` is given."""
    def __init__(self, decoder_layer, num_layers, norm=None) -> None: ...
class TransformerDecoderLayer(Cell):
    """Self-attention, attention to the encoder's result, and a feed-forward block; arguments as for"""
    def __init__(self, d_model, nhead, dim_feedforward: Any=2048, dropout: Any=0.1, activation: Any='relu', layer_norm_eps: Any=1e-05, batch_first: Any=False, norm_first: Any=False, dtype: Any=...) -> None: ...
class TransformerEncoder(Cell):
    """`num_layers` layers like `encoder_layer`, one on the other, and a last normalization if `norm` is given."""
    def __init__(self, encoder_layer, num_layers, norm=None) -> None: ...
class TransformerEncoderLayer(Cell):
    """Self-attention and a feed-forward block, each with a residual connection and layer normalization."""
    def __init__(self, d_model, nhead, dim_feedforward: Any=2048, dropout: Any=0.1, activation: Any='relu', layer_norm_eps: Any=1e-05, batch_first: Any=False, norm_first: Any=False, dtype: Any=...) -> None: ...
class Tril(Cell):
    """The lower triangle of the last two axes, up to the `k`-th diagonal; zeros elsewhere."""
    def __init__(self) -> None: ...
    dtype: Any
    mul: Any
class TripletMarginLoss(LossBase):
    """max(0, d(x, positive) - d(x, negative) + margin) with the p-norm as distance d, reduced."""
    def __init__(self, p: Any=2, swap: Any=False, eps: Any=1e-06, reduction: Any='mean', margin: Any=1.0) -> None: ...
class TripletMarginWithDistanceLoss(LossBase):
    """max(0, d(x, positive) - d(x, negative) + margin), reduced."""
    def __init__(self, distance_function=None, swap: Any=False, reduction: Any='mean', margin: Any=1.0) -> None: ...
    maximum: Any
    minimum: Any
class Triu(Cell):
    """The upper triangle of the last two axes, from the `k`-th diagonal on; zeros elsewhere."""
    def __init__(self) -> None: ...
    dtype: Any
    mul: Any
class Unflatten(Cell):
    """One axis made into several: `unflattened_size` (a tuple or list of ints) stands in the place of `axis`."""
    def __init__(self, axis, unflattened_size) -> None: ...
    reshape: Any
    shape: Any
class Unfold(Cell):
    """Patches of (N, C, H, W) as channels: (N, kH * kW * C, rows, columns)."""
    def __init__(self, ksizes, strides, rates, padding: Any='valid') -> None: ...
class Upsample(Cell):
    """x resized to `size` or by `scale_factor`, by 'nearest', 'linear', 'bilinear', 'bicubic', 'trilinear' or 'area'"""
    def __init__(self, size=None, scale_factor=None, mode: Any='nearest', align_corners=None, recompute_scale_factor=None) -> None: ...
class VirtualDatasetCellTriple(Cell):
    """A network of three inputs, as it is."""
    def __init__(self, backbone) -> None: ...
class Vjp(Cell):
    """(fn(x, ...), v times its Jacobian): the last argument of the call is v, with the structure of the output."""
    def __init__(self, fn) -> None: ...
class WarmUpLR(LearningRateSchedule):
    """From 0 to learning_rate in equal steps over `warmup_steps` steps."""
    def __init__(self, learning_rate, warmup_steps) -> None: ...
class WithEvalCell(Cell):
    """Evaluation: `construct(data, label)` returns (loss, output, label) for metrics."""
    def __init__(self, network, loss_fn, add_cast_fp32: Any=False) -> None: ...
class WithGradCell(Cell):
    """Gradients of a network's loss with respect to its trainable Parameters; `sens` scales them."""
    def __init__(self, network, loss_fn=None, sens=None) -> None: ...
class WithLossCell(Cell):
    """Network and loss in one: `construct(data, label)` is `loss_fn(backbone(data), label)`."""
    def __init__(self, backbone, loss_fn) -> None: ...
    @property
    def backbone_network(self) -> Any: ...
class ZeroPad2d(Cell):
    """Zeros on the sides of the last two axes; `padding` is an int or (left, right, top, bottom)."""
    def __init__(self, padding) -> None: ...
def cosine_decay_lr(min_lr, max_lr, total_step, step_per_epoch, decay_epoch): """From max_lr to min_lr along half a cosine of `decay_epoch` epochs (Loshchilov and Hutter, 2017)."""
def exponential_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair: Any=False): """learning_rate * decay_rate ** (epoch / decay_epoch); with `is_stair` the exponent is rounded down."""
def get_activation(name, prim_name=None): """Activation Cell of a name such as 'relu' or 'softmax'; None for None."""
def inverse_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair: Any=False): """learning_rate / (1 + decay_rate * epoch / decay_epoch); with `is_stair` the quotient is rounded down."""
def natural_exp_decay_lr(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair: Any=False): """learning_rate * e ** (-decay_rate * epoch); with `is_stair` the epoch is rounded down to a multiple of"""
def no_init_parameters(): """Parameters made inside get no content before it is asked for, so that none is made where a checkpoint gives it."""
def opt_init_args_register(fn): """Decorator of an optimizer's `__init__`: keeps its arguments as `init_params`, `init_learning_rate` and"""
def piecewise_constant_lr(milestone, learning_rates): """`learning_rates[i]` up to step `milestone[i]`."""
def polynomial_decay_lr(learning_rate, end_learning_rate, total_step, step_per_epoch, decay_epoch, power, update_decay_epoch: Any=False): """(learning_rate - end) * (1 - epoch / decay_epoch) ** power + end; with `update_decay_epoch` the decay starts"""
def thor(net, learning_rate, damping, momentum, weight_decay: Any=0.0, loss_scale: Any=1.0, batch_size: Any=32, use_nesterov: Any=False, decay_filter: Any=..., split_indices=None, enable_clip_grad: Any=False, frequency: Any=100): """Second-order optimizer for networks of Dense, Conv2d and Embedding layers; turns these into their Thor forms,"""
def warmup_lr(learning_rate, total_step, step_per_epoch, warmup_epoch): """From 0 to learning_rate in equal steps over `warmup_epoch` epochs."""
