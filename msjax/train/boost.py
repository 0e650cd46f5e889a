"""`mindspore.boost`: training cells that accumulate gradients, and MindSpore's automatic speed-ups.

Gradient accumulation is real. The speed-ups are tricks for Ascend that change what is computed (`less_bn` drops
normalisation, `grad_freeze` skips layers, `dim_reduce` and `adasum` change the update): they are accepted, and the
network trains as it was written.
"""

from typing import Any

from .. import log
from ..alias.names import MissingNames
from ..core.operators.check import check_positive_int
from ..core.settings import context
from ..core.spec.checking import checked
from ..core.spec.rules import AsValue
from ..core.trace import control_flow
from ..core.values import dtype as mstype
from ..core.values.parameter import Parameter, ParameterTuple
from ..core.values.tensor import Tensor
from ..nn.cell.cell import Cell
from ..nn.optim.optimizer import Optimizer
from ..nn.wrap.cell_wrapper import TrainOneStepCell
from ..nn.wrap.loss_scale import TrainOneStepWithLossScaleCell
from ..ops import MultitypeFuncGraph

__all__ = [
    "AdaSum",
    "AutoBoost",
    "BoostTrainOneStepCell",
    "BoostTrainOneStepWithLossScaleCell",
    "DimReduce",
    "FreezeOpt",
    "GradientAccumulation",
    "GradientFreeze",
    "GroupLossScaleManager",
    "LessBN",
    "OptimizerProcess",
    "ParameterProcess",
    "freeze_cell",
    "gradient_accumulation_op",
    "gradient_clear_op",
]
__getattr__ = MissingNames(__name__)

gradient_accumulation_op = MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op = MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Number", "Tensor", "Tensor")
def _accumulate(steps, total, gradient):
    total.assign_value(total + gradient / steps)
    return total


@gradient_clear_op.register("Tensor")
def _clear(total):
    total.assign_value(total * 0)
    return total


class GradientAccumulation(Cell):
    """Adds up gradients and updates with their mean at every `max_accumulation_step`-th call.

    Args:
        max_accumulation_step: int. optimizer: Optimizer.

    Example:
        >>> from mindspore.boost import GradientAccumulation
        >>> accumulate = GradientAccumulation(4, optimizer)
        >>> grads = tuple(ops.ones_like(p) for p in optimizer.parameters)
        >>> value = accumulate(Tensor(1.0), grads)
        >>> print(value)
        1.0
    """

    def __init__(self, max_accumulation_step: int, optimizer: Cell):
        super().__init__()
        self._max_accumulation_step = check_positive_int(
            max_accumulation_step, "max_accumulation_step", "GradientAccumulation"
        )
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self._grad_accumulation = ParameterTuple(self.weights).clone(prefix="grad_accumulation", init="zeros")
        self._accumulation_step = Parameter(Tensor(0, mstype.int32), name="accumulation_step")

    def construct(self, loss: Tensor, grads: Tensor):
        for total, gradient in zip(self._grad_accumulation, grads, strict=True):
            _accumulate(self._max_accumulation_step, total, gradient)
        self._accumulation_step.assign_value(self._accumulation_step + 1)
        control_flow.cond(self._accumulation_step >= self._max_accumulation_step, self._step, lambda: None)
        return loss

    def _step(self):
        self.optimizer(self._grad_accumulation)
        self._accumulation_step.assign_value(self._accumulation_step * 0)
        for total in self._grad_accumulation:
            _clear(total)


_LEVELS = {"O0": (), "O1": ("less_bn", "grad_freeze"), "O2": ("less_bn", "grad_freeze", "adasum")}
_FEATURES = ("less_bn", "grad_freeze", "adasum", "grad_accumulation", "dim_reduce", "loss_scale_group")


class AutoBoost:
    """The settings of automatic speed-ups; one for the whole program, the first counts.

    Args:
        level: "O0", "O1" or "O2". boost_config_dict: {"boost": {"mode": "auto" | "manual" | "enable_all" |
            "disable_all", feature: bool, …}, "grad_accumulation": {"grad_accumulation_step": 4}, …}.

    Example:
        >>> from mindspore.boost import AutoBoost
        >>> network, optimizer = AutoBoost("O1").network_auto_process_train(net, optimizer)
    """

    _instance = None

    def __new__(cls, /, *args, **kwargs):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.level = None
        return cls._instance

    def __init__(self, level: str = "O0", boost_config_dict: dict | str = ""):
        if self.level is not None:
            return
        self.level = level if level in _LEVELS else "O0"
        self.boost_config_dict = boost_config_dict
        self.grad_accumulation_step = 1
        self.boost_config = self._configured(boost_config_dict or {})

    def _configured(self, config):
        if not isinstance(config, dict):
            raise ValueError(f"For 'AutoBoost', the 'boost_config_dict' must be dict, but got {type(config).__name__}.")
        boost = config.get("boost", {})
        mode = boost.get("mode", "auto")
        if mode not in ("auto", "manual", "enable_all", "disable_all"):
            raise ValueError(
                f"For 'AutoBoost', the mode must be one of auto, manual, enable_all, disable_all, but got {mode}."
            )
        chosen = {
            "auto": _LEVELS[self.level],
            "enable_all": _FEATURES,
            "disable_all": (),
            "manual": [name for name in _FEATURES if boost.get(name)],
        }[mode]
        self.grad_accumulation_step = config.get("grad_accumulation", {}).get("grad_accumulation_step", 1)
        return {name: name in chosen for name in _FEATURES}

    def network_auto_process_train(self, network: Cell, optimizer: Cell):
        """(network, optimizer) unchanged; the log names the modes that have no effect."""
        left = [
            name
            for name, on in self.boost_config.items()
            if on and name not in ("grad_accumulation", "loss_scale_group")
        ]
        if left:
            log.info(f"AutoBoost: {', '.join(left)} would change results, and are left out.")
        return network, optimizer

    def network_auto_process_eval(self, network: Cell):
        """The network, as it is."""
        return network


class _Accumulating:
    """Base of both training cells: one update every few steps, if AutoBoost is set so."""

    def _set_up(self):
        boost = AutoBoost()
        alone = self.parallel_mode in (context.ParallelMode.STAND_ALONE, context.ParallelMode.DATA_PARALLEL)
        steps = boost.grad_accumulation_step if alone and boost.boost_config["grad_accumulation"] else 1
        self.use_grad_accumulation, self.max_accumulation_step = steps > 1, max(steps, 1)
        self.gradient_accumulation = GradientAccumulation(steps, self.optimizer) if steps > 1 else None

    def gradient_accumulation_process(self, loss, grads, sens=None, *inputs):
        """Take in the gradients of a step; returns the loss.

        Raises:
            RuntimeError: AutoBoost is not set to accumulate.
        """
        if self.gradient_accumulation is None:
            raise RuntimeError(
                'Gradient accumulation is off: AutoBoost(boost_config_dict={"boost": {"mode": "manual", '
                '"grad_accumulation": True}, "grad_accumulation": {"grad_accumulation_step": 4}}).'
            )
        return self.gradient_accumulation(loss, grads)

    def gradient_freeze_process(self, *inputs):
        """A step of the whole network: no layer is frozen."""
        return self.construct(*inputs)

    def check_adasum_enable(self):
        """False: gradients are averaged by XLA."""
        return False

    def check_dim_reduce_enable(self):
        """False."""
        return False

    def adasum_process(self, loss, grads):
        """Update with the gradients; returns the loss."""
        self.optimizer(grads)
        return loss


class BoostTrainOneStepCell(_Accumulating, TrainOneStepCell):
    """A training step as `nn.TrainOneStepCell`, with gradient accumulation if `AutoBoost` is set so.

    Args:
        network: Cell that computes the loss. optimizer: Cell. sens: factor on the gradients.
    """

    def __init__(self, network: Cell, optimizer: Cell, sens: Any = None):
        super().__init__(network, optimizer, sens)
        self._set_up()

    def _update(self, loss, grads):
        if self.use_grad_accumulation:
            return self.gradient_accumulation(loss, grads)
        return super()._update(loss, grads)


class BoostTrainOneStepWithLossScaleCell(_Accumulating, TrainOneStepWithLossScaleCell):
    """A training step as `nn.TrainOneStepWithLossScaleCell`, with gradient accumulation if `AutoBoost` is set so.

    Args:
        network: Cell that computes the loss. optimizer: Cell. scale_sense: Tensor, or Cell that manages the scale.
    """

    def __init__(self, network: Cell, optimizer: Cell, scale_sense: Any):
        super().__init__(network, optimizer, scale_sense)
        self._set_up()

    def _do_update(self, grads):
        if self.use_grad_accumulation:
            self.gradient_accumulation(None, grads)
        else:
            super()._do_update(grads)


class LessBN(Cell):
    """The network as it is: XLA fuses normalisation with its neighbours, and leaving it out would change the results.

    Args:
        network: Cell. fn_flag: accepted.
    """

    def __init__(self, network: Cell, fn_flag: bool = False):
        super().__init__(auto_prefix=False)
        self.network = network

    def construct(self, *inputs):
        return self.network(*inputs)


class FreezeOpt(Cell):
    """An optimizer for all parameters at every step; the groups and the strategy of freezing are kept, but not
    followed.

    Args:
        opt: Optimizer. train_parameter_groups, train_strategy: recorded.

    Raises:
        ValueError: `opt` is not an Optimizer.
    """

    @checked
    def __init__(self, opt: AsValue[Optimizer], train_parameter_groups: Any = None, train_strategy: Any = None):
        super().__init__(auto_prefix=False)
        self.opt, self.parameters = opt, opt.parameters
        self.learning_rate, self.dynamic_lr = opt.learning_rate, opt.dynamic_lr
        self.train_parameter_groups, self.train_strategy = train_parameter_groups, train_strategy

    def construct(self, grads: Tensor):
        return self.opt(grads)


class GradientFreeze:
    """Makes a FreezeOpt around the optimizer; arguments are recorded.

    Args:
        param_groups: number of groups. freeze_type: 0 or 1. freeze_p: chance of freezing. total_steps: of the training.
    """

    def __init__(self, param_groups: Any, freeze_type: int, freeze_p: Any, total_steps: int):
        self._param_groups, self._freeze_type = param_groups, freeze_type
        self._freeze_p, self._total_steps = freeze_p, total_steps

    def split_parameters_groups(self, net: Cell, freeze_para_groups_number: Any):
        """The trainable parameters in groups of about equal count."""
        parameters = list(net.trainable_params())
        size = -(-len(parameters) // check_positive_int(freeze_para_groups_number, "freeze_para_groups_number"))
        return [parameters[i : i + size] for i in range(0, len(parameters), size)]

    def generate_freeze_index_sequence(
        self, parameter_groups_number: Any, freeze_strategy: Any, freeze_p: Any, total_steps: int
    ):
        """Which group a step would freeze: 0, none, for every step."""
        return [0] * total_steps

    def freeze_generate(self, network: Cell, optimizer: Cell):
        """(network, FreezeOpt of the optimizer)"""
        return network, FreezeOpt(optimizer)


def freeze_cell(
    reducer_flag: bool,
    network: Cell,
    optimizer: Cell,
    sens: Any,
    grad: Any,
    use_grad_accumulation: Any,
    mean: Any = None,
    degree: Any = None,
    max_accumulation_step: int = 1,
):
    """The training steps that a FreezeOpt takes in turn: one, of the whole network. Other arguments: accepted."""
    return [TrainOneStepCell(network, optimizer, sens)]


class OptimizerProcess:
    """Makes an optimizer again with gradient centralization.

    Args:
        opt: Optimizer.
    """

    def __init__(self, opt: Any):
        self.single_opt, self.opt_class = opt, type(opt)
        self.opt_init_args, self.learning_rate = opt.init_args, opt.init_learning_rate
        self.origin_params = opt.init_params["params"]

    @staticmethod
    def build_params_dict(network: Cell):
        """{id of a Parameter: the Cell that owns it}"""
        return {id(p): cell for _, cell in network.cells_and_names() for p in cell.get_parameters(expand=False)}

    @staticmethod
    def build_gc_params_group(params_dict: dict, parameters: Any):
        """Groups split into weights, which are centralized, and biases and the like, which are not."""
        made = []
        for group in parameters:
            if "order_params" in group:
                made.append(group)
                continue
            plain = [
                p
                for p in group["params"]
                if any(word in p.name for word in ("beta", "gamma", "bias"))
                or getattr(params_dict[id(p)], "group", 1) > 1
            ]
            weights = [p for p in group["params"] if all(p is not q for q in plain)]
            made += [{**group, "params": weights, "grad_centralization": True}] if weights else []
            made += [{**group, "params": plain}] if plain else []
        return made

    def add_grad_centralization(self, network: Cell):
        """Centralize the gradients of weights; only where the optimizer has groups (said in the log)."""
        parameters = list(self.origin_params or ())
        if not parameters:
            raise ValueError("Optimizer got an empty parameter list.")
        if not isinstance(parameters[0], (dict, Parameter)):
            raise TypeError("Only a list of Parameter or dict can be supported.")
        if isinstance(parameters[0], Parameter):
            log.warning("Only group parameters support gradient centralization.")
            return
        self.origin_params = self.build_gc_params_group(self.build_params_dict(network), parameters)

    def generate_new_optimizer(self):
        """The optimizer, made again."""
        rate = self.single_opt.learning_rate if self.learning_rate is None else self.learning_rate
        return self.opt_class(params=self.origin_params, learning_rate=rate, **self.opt_init_args)


class ParameterProcess:
    """Sorts parameters into groups."""

    def __init__(self):
        self._parameter_indices = 1

    def assign_parameter_group(self, parameters: Any, split_point: Any = None):
        """Number the parameters by fusion group, a new one from each index of `split_point`; returns them."""
        if not isinstance(parameters, (list, tuple)) or not parameters:
            return parameters
        for i, parameter in enumerate(parameters):
            self._parameter_indices += i in (split_point or [len(parameters) // 2])
            parameter.comm_fusion = self._parameter_indices
        return parameters

    @staticmethod
    def generate_group_params(parameters: Any, origin_params: Any):
        """Groups as in `origin_params` that hold the parameters of these names out of `parameters`."""
        groups = list(origin_params or ())
        if not groups:
            raise ValueError("Optimizer got an empty parameter list.")
        if not isinstance(groups[0], (dict, Parameter)):
            raise TypeError("Only a list of Parameter or dict can be supported.")
        if isinstance(groups[0], Parameter):
            return [{"params": parameters}]
        by_name, made = {p.name: p for p in parameters}, []
        for group in groups:
            if "order_params" in group:
                made.append({**group, "order_params": parameters})
            else:
                made.append({**group, "params": [by_name.pop(p.name) for p in group["params"] if p.name in by_name]})
        if by_name:
            made.append({**max(groups, key=len), "params": list(by_name.values())})
        return made


class GroupLossScaleManager(Cell):
    """A loss scale for groups of layers, in mixed precision: one scale serves all here, since gradients are computed
    with the range of float32 or bfloat16 between layers.

    Args:
        init_loss_scale: number. loss_scale_groups: lists of layers.
    """

    def __init__(self, init_loss_scale: float, loss_scale_groups: Any):
        super().__init__()
        self._loss_scale, self.loss_scale_groups = init_loss_scale, loss_scale_groups
        self.loss_scale_number, self.dynamic_loss_scale = 0, None

    def set_loss_scale_status(self, loss_scale_number: int, init_loss_scale: float):
        """Set the number of groups and their scales (a number or a list)."""
        given = init_loss_scale if isinstance(init_loss_scale, list) else [init_loss_scale] * loss_scale_number
        self.loss_scale_number = loss_scale_number
        self.dynamic_loss_scale = ParameterTuple(
            Parameter(Tensor(value, mstype.float32), name=f"layer_loss_scale_{i}", requires_grad=False)
            for i, value in enumerate([1, *given, 1])
        )

    def update_loss_scale_status(self, layer: Any, update_ratio: Any):
        """Multiply the scale of a group; returns it."""
        scale = self.dynamic_loss_scale[layer + 1]
        scale.assign_value(scale * update_ratio)
        return scale

    def construct(self, x: Tensor, layer1: Tensor, layer2: Tensor):
        return x

    def get_loss_scale(self):
        """The scale at the begin."""
        return self._loss_scale

    def get_update_cell(self):
        """This Cell."""
        return self


def _several_groups(name, instead):
    raise RuntimeError(
        f"'{name}' combines the updates of several groups of Ascend processes; here one program computes on all "
        f"devices. {instead}"
    )


class AdaSum(Cell):
    """RuntimeError: it combines the weights of groups of processes. `nn.AdaSumByGradWrapCell` is the form for
    gradients.
    """

    def __init__(self, rank: int, device_number: int, group_number: int, parameter_tuple: Any):
        _several_groups("AdaSum", "Use nn.AdaSumByGradWrapCell(optimizer).")


class DimReduce(Cell):
    """RuntimeError: training in a subspace needs Ascend's server processes."""

    def __init__(
        self,
        network: Cell,
        optimizer: Cell,
        weight: Any,
        pca_mat_local: Any,
        n_components: int,
        rho: float,
        gamma: float,
        alpha: float,
        sigma: Any,
        rank: int,
        rank_size: int,
    ):
        _several_groups("DimReduce", "Train with the optimizer itself.")
