"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
gradient_accumulation_op: Any
gradient_clear_op: Any

from msjax.core.values.tensor import Tensor as Tensor
from msjax.nn.optim.optimizer import Optimizer as Optimizer
from msjax.nn import TrainOneStepCell as TrainOneStepCell
from msjax.nn import TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
from msjax.nn.cell.cell import Cell as Cell
class AdaSum(Cell):
    """RuntimeError: it combines the weights of groups of processes. `nn.AdaSumByGradWrapCell` is the form for"""
    def __init__(self, rank: int, device_number: int, group_number: int, parameter_tuple) -> None: ...
class AutoBoost:
    """The settings of automatic speed-ups; one for the whole program, the first counts."""
    def __init__(self, level: str='O0', boost_config_dict: dict | str='') -> None: ...
    def network_auto_process_eval(self, network: Cell) -> Any: """The network, as it is."""
    def network_auto_process_train(self, network: Cell, optimizer: Cell) -> tuple[Any, Any]: """(network, optimizer) unchanged; the log names the modes that have no effect."""
    level: Any
    boost_config_dict: Any
    grad_accumulation_step: Any
    boost_config: Any
class BoostTrainOneStepCell(TrainOneStepCell):
    """A training step as `nn.TrainOneStepCell`, with gradient accumulation if `AutoBoost` is set so."""
    def __init__(self, network: Cell, optimizer: Cell, sens=None) -> None: ...
    def adasum_process(self, loss, grads) -> Any: """Update with the gradients; returns the loss."""
    def check_adasum_enable(self) -> bool: """False: gradients are averaged by XLA."""
    def check_dim_reduce_enable(self) -> bool: """False."""
    def gradient_accumulation_process(self, loss, grads, sens=None, *inputs) -> Any: """Take in the gradients of a step; returns the loss."""
    def gradient_freeze_process(self, *inputs) -> Any: """A step of the whole network: no layer is frozen."""
class BoostTrainOneStepWithLossScaleCell(TrainOneStepWithLossScaleCell):
    """A training step as `nn.TrainOneStepWithLossScaleCell`, with gradient accumulation if `AutoBoost` is set so."""
    def __init__(self, network: Cell, optimizer: Cell, scale_sense) -> None: ...
    def adasum_process(self, loss, grads) -> Any: """Update with the gradients; returns the loss."""
    def check_adasum_enable(self) -> bool: """False: gradients are averaged by XLA."""
    def check_dim_reduce_enable(self) -> bool: """False."""
    def gradient_accumulation_process(self, loss, grads, sens=None, *inputs) -> Any: """Take in the gradients of a step; returns the loss."""
    def gradient_freeze_process(self, *inputs) -> tuple[Any, Tensor, Any]: """A step of the whole network: no layer is frozen."""
class DimReduce(Cell):
    """RuntimeError: training in a subspace needs Ascend's server processes."""
    def __init__(self, network: Cell, optimizer: Cell, weight, pca_mat_local, n_components: int, rho: float, gamma: float, alpha: float, sigma, rank: int, rank_size: int) -> None: ...
class FreezeOpt(Cell):
    """An optimizer for all parameters at every step; the groups and the strategy of freezing are kept, but not"""
    def __init__(self, opt: Optimizer, train_parameter_groups=None, train_strategy=None) -> None: ...
class GradientAccumulation(Cell):
    """Adds up gradients and updates with their mean at every `max_accumulation_step`-th call."""
    def __init__(self, max_accumulation_step: int, optimizer: Cell) -> None: ...
class GradientFreeze:
    """Makes a FreezeOpt around the optimizer; arguments are recorded."""
    def __init__(self, param_groups, freeze_type: int, freeze_p, total_steps: int) -> None: ...
    def freeze_generate(self, network: Cell, optimizer: Cell) -> tuple[Any, FreezeOpt]: """(network, FreezeOpt of the optimizer)"""
    def generate_freeze_index_sequence(self, parameter_groups_number, freeze_strategy, freeze_p, total_steps: int) -> Any: """Which group a step would freeze: 0, none, for every step."""
    def split_parameters_groups(self, net: Cell, freeze_para_groups_number) -> list[Any]: """The trainable parameters in groups of about equal count."""
class GroupLossScaleManager(Cell):
    """A loss scale for groups of layers, in mixed precision: one scale serves all here, since gradients are computed"""
    def __init__(self, init_loss_scale: float, loss_scale_groups) -> None: ...
    def get_loss_scale(self) -> Any: """The scale at the begin."""
    def get_update_cell(self) -> Self: """This Cell."""
    def set_loss_scale_status(self, loss_scale_number: int, init_loss_scale: float) -> None: """Set the number of groups and their scales (a number or a list)."""
    def update_loss_scale_status(self, layer, update_ratio) -> Any: """Multiply the scale of a group; returns it."""
class LessBN(Cell):
    """The network as it is: XLA fuses normalisation with its neighbours, and leaving it out would change the results."""
    def __init__(self, network: Cell, fn_flag: bool=False) -> None: ...
class OptimizerProcess:
    """Makes an optimizer again with gradient centralization."""
    def __init__(self, opt) -> None: ...
    def add_grad_centralization(self, network: Cell) -> None: """Centralize the gradients of weights; only where the optimizer has groups (said in the log)."""
    @staticmethod
    def build_gc_params_group(params_dict: dict, parameters) -> Any: """Groups split into weights, which are centralized, and biases and the like, which are not."""
    @staticmethod
    def build_params_dict(network: Cell) -> dict[Any, Any]: """{id of a Parameter: the Cell that owns it}"""
    def generate_new_optimizer(self) -> Any: """The optimizer, made again."""
    single_opt: Any
    opt_class: Any
    opt_init_args: Any
    learning_rate: Any
    origin_params: Any
class ParameterProcess:
    """Sorts parameters into groups."""
    def __init__(self) -> None: ...
    def assign_parameter_group(self, parameters, split_point=None) -> Any: """Number the parameters by fusion group, a new one from each index of `split_point`; returns them."""
    @staticmethod
    def generate_group_params(parameters, origin_params) -> Any: """Groups as in `origin_params` that hold the parameters of these names out of `parameters`."""
def freeze_cell(reducer_flag: bool, network: Cell, optimizer: Cell, sens, grad, use_grad_accumulation, mean=None, degree=None, max_accumulation_step: int=1) -> list[TrainOneStepCell]: """The training steps that a FreezeOpt takes in turn: one, of the whole network. Other arguments: accepted."""
