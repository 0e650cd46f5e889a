"""Training steps with a scaled loss: small float16 gradients survive, and a step whose gradients overflow is left out.

All happens on the device: whether to skip the update is a `lax.cond` (of small weights on an accelerator a select), and the scale is a Parameter.
"""

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp

from ...core.keywords import old_keywords
from ...core.settings.context import ParallelMode
from ...core.settings.execution_state import within
from ...core.spec.checking import checked
from ...core.spec.rules import Like
from ...core.trace import control_flow
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor, wrap
from ...core.values.tensor_trees import tensor_leaves
from ..cell.cell import Cell
from .cell_wrapper import TrainOneStepCell


class DynamicLossScaleUpdateCell(Cell):
    """Grows the loss scale after `scale_window` good steps, and divides it when gradients overflow.

    Args:
        loss_scale_value: first scale. scale_factor: factor up and down. scale_window: good steps before the scale
        grows.

    Inputs of a call: the scale (a Parameter, which is updated) and whether this step overflowed; returns the latter.

    Example:
        >>> manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**12, scale_factor=2, scale_window=1000)
        >>> step = nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(net, loss), optimizer, scale_sense=manager)
    """

    @checked
    def __init__(self, loss_scale_value: Like[float], scale_factor: Like[int], scale_window: Like[int]):
        super().__init__()
        self.scale_window = Tensor(scale_window, mstype.int32)
        self.scale_factor = Tensor(scale_factor, mstype.float32)
        self.loss_scale_value = loss_scale_value
        self.cur_iter = Parameter(Tensor(1, mstype.int32), name="current_iterator_step")
        self.last_overflow_iter = Parameter(Tensor(0, mstype.int32), name="last_overflow_iterator_step")
        self.minimum_loss_scale = Tensor(1.0, mstype.float32)

    def get_loss_scale(self):
        """The first scale."""
        return self.loss_scale_value

    def construct(self, loss_scale: float, overflow: Tensor):
        scale, over = loss_scale.jax_array, overflow.jax_array.reshape(())
        now, last = self.cur_iter.jax_array, self.last_overflow_iter.jax_array
        factor = self.scale_factor.jax_array
        grows = (now - last) >= self.scale_window.jax_array
        reduced = jnp.where(over, jnp.maximum(scale / factor, self.minimum_loss_scale.jax_array), scale)
        loss_scale._assign(jnp.where(grows & ~over, reduced * factor, reduced).astype(scale.dtype))
        self.last_overflow_iter._assign(jnp.where(over | grows, now, last))
        self.cur_iter._assign(now + jnp.int32(1))
        return overflow


class FixedLossScaleUpdateCell(Cell):
    """A loss scale that never changes; returns whether the step overflowed."""

    @checked
    def __init__(self, loss_scale_value: Like[float]):
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self):
        """The scale."""
        return self.loss_scale_value

    def construct(self, _: Tensor, overflow: Tensor):
        return overflow


def overflow_of(gradients: Sequence[Tensor]):
    """Whether any element of any gradient is infinite or NaN: a bool Tensor without axes."""
    finite = [jnp.isfinite(g.jax_array).all() for g in tensor_leaves(gradients)]
    return wrap(~jnp.stack(finite).all())


def unscaled(gradient: Tensor, scale: Tensor):
    """The gradient divided by the scale, by its inverse: float16 has no number for the usual scales, but one for their inverses."""
    array = gradient.jax_array
    return wrap(array * (1 / scale.jax_array.reshape(())).astype(array.dtype), gradient._var)


# --- what training cells copied from MindSpore's import
def _grad_scale(scale, grad):
    return unscaled(grad, scale)


def _grad_overflow(grad):
    """float32 Tensor of one element: 1 where the gradient holds an infinity or a NaN."""
    return wrap((~jnp.isfinite(grad.jax_array).all()).astype(jnp.float32).reshape(1))


def grad_scale(scale: Any, grad: Tensor, accu_grad: Any):
    """The accumulated gradient divided by the scale; the accumulator starts over."""
    scaled = _grad_scale(scale, accu_grad)
    accu_grad._assign(jnp.zeros_like(accu_grad.jax_array))
    return scaled


def shard_grad_scale(scale: Any, grad: Tensor, accu_grad: Any):
    """The gradient divided by the scale; the accumulator starts over."""
    accu_grad._assign(jnp.zeros_like(accu_grad.jax_array))
    return _grad_scale(scale, grad)


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One training step with a scaled loss; a step whose gradients overflow leaves the weights as they are.

    Args:
        network: Cell that computes the loss. optimizer: Cell. scale_sense: Tensor of shape () or (1,), or a Cell that
        manages the scale.

    Returns:
        (loss, whether it overflowed, scale after the step's update)

    Raises:
        TypeError: `scale_sense` is neither Cell nor Tensor. ValueError: its shape is another.
    """

    @old_keywords(scale_update_cell="scale_sense")
    @checked
    def __init__(self, network: Like[Cell], optimizer: Like[Cell], scale_sense: Tensor | Cell):
        super().__init__(network, optimizer, sens=None)
        self.is_distributed = self.parallel_mode != ParallelMode.STAND_ALONE
        self.loss_scaling_manager = None
        self.base = Tensor(1, mstype.float32)
        self.hyper_map = _hyper_map()
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            self.scale_sense = Parameter(Tensor(scale_sense.get_loss_scale(), mstype.float32), name="scale_sense")
        else:
            if scale_sense.shape not in ((1,), ()):
                raise ValueError(
                    "For 'TrainOneStepWithLossScaleCell', the shape of 'scale_sense' must be (1,) or (), "
                    f"but got {scale_sense.shape}."
                )
            self.scale_sense = Parameter(scale_sense, name="scale_sense")

    def construct(self, *inputs):
        scale = self.scale_sense
        with within(may_overflow=True):
            loss, grads = self._value_and_grads(inputs, scale)
        grads = tuple(unscaled(g, scale) for g in grads)
        grads = self.grad_reducer(grads)
        cond = self.get_overflow_status(None, grads)
        overflow = self.process_loss_scale(cond)
        control_flow.cond(overflow, lambda: None, lambda: self._do_update(grads), both=True)
        return loss, cond, scale.value()

    def _do_update(self, grads):
        self.optimizer(grads)

    @checked
    def set_sense_scale(self, sens: Tensor):
        """Set the scale, if it is a Tensor that the host manages."""
        self.scale_sense.set_data(sens)

    def start_overflow_check(self, pre_cond: Any, compute_input: Any):
        """(status, compute_input): nothing to clear, because overflow is detected from infinities and NaNs."""
        return Tensor([0] * 8, mstype.int32), compute_input

    def get_overflow_status(self, status: Any, compute_output: Any):
        """Whether the gradients contain an infinity or a NaN: a bool Tensor."""
        return overflow_of(compute_output)

    def process_loss_scale(self, overflow: Tensor | bool):
        """Let the manager update the scale; returns whether the step overflowed."""
        if self.loss_scaling_manager is not None:
            return self.loss_scaling_manager(self.scale_sense, overflow)
        return overflow


def _hyper_map():
    from ...ops import HyperMap  # a face that is made on first use

    return HyperMap()


__all__ = ["DynamicLossScaleUpdateCell", "FixedLossScaleUpdateCell", "TrainOneStepWithLossScaleCell"]
