"""Cells around a network: loss, gradient, one training step, evaluation."""

import os
from typing import Annotated, Any

from ...core.grad.autodiff import differentiate
from ...core.grad.cotangents import fill_like
from ...core.spec.checking import checked
from ...core.spec.rules import Function, Like, That
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter, ParameterTuple
from ...core.values.tensor import Tensor
from ...ops.gradient.functions import GradOperation
from ...parallel.context import data_parallel, gradients_mean, group_size, parallel_mode
from ..cell.cell import Cell
from ..layer.basic import Identity
from .exit_request import ExitByRequest
from .grad_reducer import DistributedGradReducer


class WithLossCell(Cell):
    """Network and loss in one: `construct(data, label)` is `loss_fn(backbone(data), label)`.

    Example:
        >>> nn.WithLossCell(net, nn.MSELoss())(x, Tensor(np.zeros((2, 2), np.float32))).shape
        ()
    """

    @checked
    def __init__(self, backbone: Cell, loss_fn: Like[Function]):
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data: Tensor, label: Tensor):
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self):
        """The network without its loss."""
        return self._backbone


class WithGradCell(Cell):
    """Gradients of a network's loss with respect to its trainable Parameters; `sens` scales them."""

    @checked
    def __init__(self, network: Like[Cell], loss_fn: Like[Function | None] = None, sens: Any = None):
        super().__init__(auto_prefix=False)
        self.network = network
        self.loss_fn = loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.grad = GradOperation(get_by_list=True, sens_param=sens is not None)
        self.sens = sens
        self.network_with_loss = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.network_with_loss.set_train()

    def construct(self, *inputs):
        return self.grad(self.network_with_loss, self.weights)(*inputs, *(() if self.sens is None else (self.sens,)))


class ForwardValueAndGrad(Cell):
    """A network's value together with its gradients.

    Args:
        network: function or Cell. weights: Parameters. get_all, get_by_list, sens_param: as for `GradOperation`.

    Returns:
        (value, gradients)
    """

    @checked
    def __init__(
        self,
        network: Function,
        weights: Like[Any] = None,
        get_all: bool = False,
        get_by_list: bool = False,
        sens_param: bool = False,
    ):
        super().__init__(auto_prefix=False)
        if get_by_list and not isinstance(weights, (ParameterTuple, tuple, list)):
            raise TypeError(
                "For 'ForwardValueAndGrad', when 'get_by_list' is set to True, the argument 'weights' must be "
                f"Parameters array, but got '{type(weights)}'"
            )
        self.network = network
        if isinstance(network, Cell):
            self.network.set_grad()
        self.weights = weights
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param
        self.grad = GradOperation(get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)

    def construct(self, *inputs):
        args, sens = (inputs[:-1], inputs[-1]) if self.sens_param else (inputs, None)
        positions = tuple(range(len(args))) if self.get_all else () if self.get_by_list else (0,)
        found = differentiate(
            self.network, args, {}, positions, list(self.weights) if self.get_by_list else [], sens=sens
        )
        grads = tuple(found.inputs) if self.get_all else found.inputs[0] if positions else None
        if self.get_by_list:
            grads = (grads, tuple(found.weights)) if self.get_all else tuple(found.weights)
        return found.value, grads


class TrainOneStepCell(Cell):
    """One training step: loss, gradients, update. Returns the loss.

    Args:
        network: Cell that computes the loss. optimizer: Cell that takes the gradients. sens: factor on the gradients.
        return_grad: also return a dict from Parameter name to gradient.

    Example:
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.1, 0.9))
        >>> step.set_train()
        >>> value = step(x, label)
    """

    @checked
    def __init__(
        self,
        network: Like[Cell],
        optimizer: Like[Cell],
        sens: Annotated[Any, That("except 0", lambda sens: not (isinstance(sens, (int, float)) and sens == 0))] = None,
        return_grad: Like[bool] = False,
    ):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = self.optimizer.parameters
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = GradOperation(get_by_list=True)
        self.sense_flag = sens is not None
        self.sens = 1.0 if sens is None else sens
        self.return_grad = return_grad
        if return_grad:
            self.weights_name = [p.name for p in optimizer.parameters]
        self.parallel_mode = parallel_mode()
        self.reducer_flag = data_parallel()
        self.mean, self.degree = gradients_mean(), group_size()
        self.grad_reducer = (
            DistributedGradReducer(self.weights, self.mean, self.degree) if self.reducer_flag else Identity()
        )
        self.use_graceful_exit = os.environ.get("MS_ENABLE_GRACEFUL_EXIT") == "1"
        if self.use_graceful_exit:  # for steps of a user's own; the callback OnRequestExit needs none of them
            self.graceful_exit = ExitByRequest()
            self.exit_param = Parameter(Tensor(False, mstype.bool_), name="graceful_exit")
            self.init_param = Parameter(Tensor([0], mstype.int32), name="graceful_init")

    def construct(self, *inputs):
        loss, grads = self._value_and_grads(inputs, self.sens if self.sense_flag else None)
        loss = self._update(loss, self.grad_reducer(grads))
        return (loss, dict(zip(self.weights_name, grads))) if self.return_grad else loss

    def _value_and_grads(self, inputs, sens):
        """Loss and gradients from one run of the network; `sens` (number or Tensor) is the cotangent of every element
        of the loss.
        """
        found = differentiate(
            self.network, inputs, {}, (), list(self.weights), sens=None if sens is None else fill_like(sens)
        )
        return found.value, tuple(found.weights)

    def _update(self, loss, grads):
        self.optimizer(grads)
        return loss


class WithEvalCell(Cell):
    """Evaluation: `construct(data, label)` returns (loss, output, label) for metrics.

    Args:
        network: Cell. loss_fn: loss. add_cast_fp32: give the loss float32 outputs and labels.
    """

    @checked
    def __init__(self, network: Like[Cell], loss_fn: Like[Function], add_cast_fp32: bool = False):
        super().__init__(auto_prefix=False)
        self._network = network
        self._loss_fn = loss_fn
        self.add_cast_fp32 = add_cast_fp32

    def construct(self, data: Tensor, label: Tensor):
        outputs = self._network(data)
        if self.add_cast_fp32:
            label, outputs = self._to_float32(label), self._to_float32(outputs)
        return self._loss_fn(outputs, label), outputs, label

    @staticmethod
    def _to_float32(value):
        return value.astype(mstype.float32) if value.dtype in mstype.float_type else value


class ParameterUpdate(Cell):
    """Assigns its input to a Parameter, and returns the input."""

    @checked
    def __init__(self, param: Parameter):
        super().__init__(auto_prefix=False)
        self._param = param

    def construct(self, x: Tensor):
        self._param.set_data(x)
        return x
