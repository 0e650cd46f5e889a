"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.core.errors import Unstageable as Unstageable
from msjax.core.hints import check_keywords as check_keywords
from msjax.core.hints import instead_of_construct as instead_of_construct
from msjax.core.operators.primitive import Primitive as Primitive
from msjax.core.spec.checking import checked as checked
from msjax.core.spec.rules import Raises as Raises
from msjax.core.spec.rules import That as That
from msjax.core.spec.texts import ClassSignature as ClassSignature
from msjax.core.trace.frame import current as current
from msjax.core.values.cast_parameter import CastParameter as CastParameter
from msjax.core.values.parameter import Parameter as Parameter
from msjax.core.values.parameter import ParameterTuple as ParameterTuple
from msjax.core.values.parameter import is_generated_name as is_generated_name
from msjax.core.values.tensor import Tensor as Tensor
from msjax.inner.common import Cell_ as Cell_
from msjax.nn.cell.calls import CellCalls as CellCalls
from msjax.nn.cell.hidden import tell_of_hidden_cells as tell_of_hidden_cells
from msjax.nn.cell.services import CellServices as CellServices
from msjax.nn.cell.state import Buffer as Buffer

from msjax.nn.cell.services import HookHandle as HookHandle
from msjax.nn.cell.state import IncompatibleKeys as IncompatibleKeys
from msjax.nn.cell.state import StateHandle as StateHandle
from typing import ParamSpec, Protocol, TypeVar
_Inputs = ParamSpec("_Inputs")
_Result = TypeVar("_Result", covariant=True)
class _Constructs(Protocol[_Inputs, _Result]):
    def construct(self, *args: _Inputs.args, **kwargs: _Inputs.kwargs) -> _Result: ...
class Cell:
    """Base class of networks: make sub-Cells and Parameters in `__init__`, compute in `construct`."""
    def __call__(self: _Constructs[_Inputs, _Result], *args: _Inputs.args, **kwargs: _Inputs.kwargs) -> _Result: ...
    def __getattr__(self, name: str) -> Any: ...
    def __init__(self, auto_prefix: bool=True, flags=None) -> None: ...
    def __setattr__(self, name: str, value: Any) -> None: ...
    def add_flags(self, **flags) -> Self: """Set flags, readable as attributes, on this Cell; returns the Cell."""
    def add_flags_recursive(self, **flags) -> Self: """Set flags on this Cell and all below it; returns the Cell."""
    @property
    def amp_strategy(self) -> Any: ...
    @amp_strategy.setter
    def amp_strategy(self, value) -> None: ...
    def apply(self, fn: Callable[..., Any]) -> Self: """Call `fn` with every Cell, children first, this Cell last; returns the Cell."""
    @property
    def bprop_debug(self) -> Any: ...
    @bprop_debug.setter
    def bprop_debug(self, value) -> None: ...
    def buffers(self, recurse: bool=True) -> Iterator[Any]: """The buffers of this Cell and, if `recurse`, of those below it."""
    cast: Any
    def cast_inputs(self, inputs, dst_type) -> Any: """The inputs with their Tensors in another dtype."""
    @property
    def cell_init_args(self) -> Any: ...
    @cell_init_args.setter
    def cell_init_args(self, value) -> None: ...
    def cells(self) -> ValuesView[Cell]: """The direct sub-Cells."""
    def cells_and_names(self, cells=None, name_prefix: str='') -> Iterator[tuple[str, Cell]]: """Pairs (path, Cell) of this Cell and all below it, each once, depth first."""
    def check_names(self) -> None: """ValueError if two Parameters have one name."""
    def check_names_and_refresh_name(self) -> None: """Rename the Parameters to their paths if two have one name; ValueError if two still have."""
    @property
    def cls_name(self) -> str: ...
    def compile(self, *args, **kwargs) -> None: """Trace and compile the Cell for these arguments, without running it."""
    def compile_and_run(self, *args, **kwargs) -> Any: """Compile the Cell for these arguments and run it, in any mode."""
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
    def entry_for(self, *args, **kwargs) -> Any: """The compiled variant for these arguments, without running it (see `core.trace.entry.Entry`)."""
    @property
    def exist_names(self) -> Any: ...
    @property
    def exist_objs(self) -> Any: ...
    def extend_repr(self) -> str: """The text between the brackets of the printed form, before the sub-Cells; subclasses override it."""
    def flatten_weights(self, fusion_size: int=0) -> None: """Accepted: compiled steps update all Parameters at once anyway. ValueError for a negative size."""
    def generate_scope(self) -> None: """Give each Cell below a scope: the path of class names to it."""
    def get_buffer(self, target) -> Any: """The buffer of a path such as 'block.count'."""
    def get_extra_state(self) -> Any: """Override it (and `set_extra_state`) to add something to the state dict."""
    def get_flags(self) -> dict: """Dict of the flags that were set."""
    def get_func_graph_proto(self) -> Any: """RuntimeError: a Cell has no MindSpore graph; the message names the alternative."""
    def get_inputs(self) -> Any: """The inputs declared by `set_inputs`, or None."""
    def get_mixed_precision_type(self) -> Any: """The type that `to_float`, amp or `set_mixed_precision_type` set for this Cell."""
    def get_parameters(self, expand: bool=True) -> Iterator[Parameter]: """All Parameters, as an iterator; `expand=False` leaves those of sub-Cells out."""
    def get_scope(self) -> Any: """Scope that `generate_scope` gave, or None."""
    def get_sub_cell(self, target) -> Any: """The Cell of a path such as 'layers.0.conv'; this one for ''."""
    has_bprop: Any
    def infer_param_pipeline_stage(self) -> list[Any]: """List of the trainable Parameters of the pipeline stage of this process; one process has all stages."""
    def init_parameters_data(self, auto_parallel_mode: bool=False) -> dict[Any, Any]: """Parameters have their content from the start: returns the dict {Parameter: itself}."""
    def insert_child_to_cell(self, child_name: str, child_cell: Cell | None) -> None: """Register a sub-Cell under a name, without renaming its Parameters."""
    def insert_param_to_cell(self, param_name, param: Parameter | None, check_name_contain_dot: bool=True) -> None: """Register a Parameter under a name (or None, a Parameter that is left out)."""
    @property
    def jit_config_dict(self) -> Any: ...
    def load_parameter_slice(self, params) -> None: """Nothing to take: Parameters are whole on each process. TypeError unless `params` is a dict or None."""
    def load_state_dict(self, state_dict: dict, strict: bool=True) -> IncompatibleKeys: """Copy the content of a state dict into this Cell and its sub-Cells; returns the missing and the unexpected"""
    mixed_precision_type: Any
    def name_cells(self) -> dict[str, Cell]: """Dict from attribute name to direct sub-Cell, each Cell once."""
    def named_buffers(self, prefix: str='', recurse: bool=True, remove_duplicate: bool=True) -> Iterator[Any]: """Pairs (path, buffer) of this Cell and, if `recurse`, of those below it."""
    def offload(self, backward_prefetch: str | int='Auto') -> None: """Let the intermediate values of the Cell wait for the backward in the host's memory, in compiled code."""
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
    def parameters_and_names(self, name_prefix: str='', expand: bool=True) -> Iterator[tuple[str, Parameter]]: """Pairs (path, Parameter), each Parameter once, this Cell's own first."""
    def parameters_broadcast_dict(self, recurse: bool=True) -> Any: """OrderedDict of the Parameters that are broadcast (those not `layerwise_parallel`), or None if there are"""
    def parameters_dict(self, recurse: bool=True) -> dict[str, Parameter]: """Dict from Parameter name to Parameter."""
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
    def place(self, role, rank_id: int) -> None: """Record the process that the Cell is to run in."""
    def recompute(self, *, mp_comm_recompute: bool=..., parallel_optimizer_comm_recompute: bool=..., recompute_slice_activation: bool=..., use_reentrant: bool=..., output_recompute: bool=..., early_stop: bool=..., context_fn: Any=...) -> None: """Compute the Cell's intermediate values again in the backward, instead of keeping them (less memory, more time)."""
    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle: """Call `hook_fn(cell, grad_input, grad_output)` in the backward; it may return another grad_input. Returns a handle."""
    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle: """Call `hook_fn(cell, grad_output)` in the backward, before the gradients of the Cell; it may return another grad_output."""
    def register_buffer(self, name: str, tensor: Tensor, persistent: bool=True) -> None: """Keep a Tensor (or None) under a name; it is part of state dicts if `persistent`."""
    def register_forward_hook(self, hook_fn: Callable[..., Any], *, prepend: bool=False, with_kwargs: bool=False, always_call: bool=False) -> HookHandle: """Call `hook_fn(cell, inputs, output)` after `construct`; a result other than None replaces the output. Returns"""
    def register_forward_pre_hook(self, hook_fn: Callable[..., Any], *, prepend: bool=False, with_kwargs: bool=False) -> HookHandle: """Call `hook_fn(cell, inputs)` before `construct`; a result other than None replaces the inputs. Returns a"""
    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> StateHandle: """Call `hook(cell, incompatible_keys)` after loading; it must return None. Returns a handle."""
    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> StateHandle: """Call `hook(cell, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)`"""
    def register_parameter_forward_hook(self, hook: Callable[..., Any] | list[dict]) -> None: """In compiled code, let `hook(param)` take the place of Parameters where `construct` reads them."""
    def register_saved_tensors_hooks(self, pack_hook: Callable[..., Any], unpack_hook: Callable[..., Any]) -> Any: """RuntimeError: XLA keeps the values for the backward, where hooks cannot reach them; `recompute` saves memory"""
    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> StateHandle: """Call `hook(cell, state_dict, prefix, local_metadata)` after `state_dict` collected; it must return None."""
    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> StateHandle: """Call `hook(cell, prefix, keep_vars)` before `state_dict` collects; returns a handle."""
    def remove_redundant_parameters(self) -> None: """Accepted: nothing is kept twice."""
    def run_construct(self, cast_inputs, kwargs: dict) -> Any: """`construct(*cast_inputs, **kwargs)`."""
    def set_boost(self, boost_type) -> Self: """Record the boost 'less_bn'; returns the Cell. ValueError for another."""
    def set_broadcast_flag(self, mode: bool=True) -> Self: """Record whether Parameters are broadcast at the start; returns the Cell."""
    def set_comm_fusion(self, fusion_type, recurse: bool=True) -> Self: """Record the communication fusion type on all trainable Parameters; returns the Cell."""
    def set_data_parallel(self) -> None: """Record the wish for data parallel training; returns None."""
    def set_extra_state(self, state) -> Any: """Override it to restore the value of `get_extra_state`."""
    def set_grad(self, requires_grad: bool=True) -> Self: """Mark the Cell as one that gradients are taken of; returns the Cell."""
    def set_inputs(self, *inputs, **kwargs) -> None: """Declare the inputs of a compiled Cell: a Tensor with open lengths, or the value of a constant."""
    def set_jit_config(self, jit_config) -> None: """Record a JitConfig; XLA has its own settings. Returns None."""
    def set_mixed_precision_type(self, mixed_type) -> None: """Cast the inputs of this Cell, not of those below it, to another type."""
    def set_parallel_input_with_inputs(self, *inputs) -> None: """Record the inputs of a parallel graph."""
    def set_param_fl(self, push_to_server: bool=False, pull_from_server: bool=False, requires_aggr: bool=True) -> None: """Record the federated-learning flags on all Parameters."""
    def set_param_ps(self, recurse: bool=True, init_in_server: bool=False) -> None: """Record that a parameter server would keep the trainable Parameters; see `set_ps_context`."""
    def set_train(self, mode: bool=True) -> Self: """Training mode (Dropout drops, BatchNorm uses the batch) for this Cell and all below it; returns the Cell."""
    def shard(self, in_strategy: tuple | None, out_strategy: tuple | None=None, parameter_plan=None, device: Any='Ascend', level: int=0) -> Callable[..., Any]: """Split inputs, outputs and Parameters over the devices from now on; see `mindspore.shard`."""
    def state_dict(self, *args, destination=None, prefix: str='', keep_vars: bool=False) -> dict: """OrderedDict from path to Parameter or buffer, of this Cell and those below it."""
    def to(self, *args, **kwargs) -> Self: """Convert the floating Parameters and buffers to a dtype, in place: `to(dtype)`, `to(device)`, `to(device,"""
    def to_empty(self, *, device=None, recurse: bool=True) -> Self: """Let go of the content of Parameters and buffers (it becomes zeros); returns the Cell."""
    def to_float(self, dst_type) -> Self: """Compute in another float type: inputs, and Parameters where they are used, are cast on the fly; returns the Cell."""
    def trainable_params(self, recurse: bool=True) -> list[Parameter]: """List of the Parameters with `requires_grad`."""
    def untrainable_params(self, recurse: bool=True) -> list[Parameter]: """List of the Parameters without `requires_grad`."""
    def update_cell_prefix(self) -> None: """Note on each Cell below the path to it."""
    def update_cell_type(self, cell_type: str) -> None: """Record the kind of this Cell."""
    def update_parameters_name(self, prefix: str='', recurse: bool=True) -> None: """Rename all Parameters to `prefix` and the path to them."""
    def __getitem__(self, index: Any) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
def __getattr__(name: str) -> Any: ...
