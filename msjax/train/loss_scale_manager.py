"""Loss scale managers for `Model`: a fixed scale, or one that follows overflows."""

from typing import Annotated, Any

from ..core.spec.checking import checked
from ..core.spec.rules import Like, NotBelow1, NotTo0, PositiveInt
from ..nn.wrap.loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell

__all__ = ["DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"]


class LossScaleManager:
    """Base class: a subclass defines the scale, and is told about overflows."""

    def get_loss_scale(self):
        """The present scale."""
        raise NotImplementedError(f"'{type(self).__name__}' must define 'get_loss_scale'.")

    def update_loss_scale(self, overflow: Any):
        """Learn whether a step overflowed."""
        raise NotImplementedError(f"'{type(self).__name__}' must define 'update_loss_scale(overflow)'.")

    def get_update_cell(self):
        """Cell that updates the scale on the device, or None."""
        raise NotImplementedError(f"'{type(self).__name__}' must define 'get_update_cell'.")

    def get_drop_overflow_update(self):
        """Whether steps that overflow are left out."""
        return True


class FixedLossScaleManager(LossScaleManager):
    """A scale that never changes.

    Args:
        loss_scale: the scale, at least 1. drop_overflow_update: leave out steps whose gradients overflow; without,
        the optimizer must
            be given the scale.

    Raises:
        ValueError: a scale below 1.
    """

    @checked
    def __init__(self, loss_scale: Annotated[Like[float], NotBelow1] = 128.0, drop_overflow_update: bool = True):
        self._loss_scale, self._drop_overflow_update = loss_scale, drop_overflow_update

    def get_loss_scale(self):
        """The scale."""
        return self._loss_scale

    def get_drop_overflow_update(self):
        """Whether steps that overflow are left out."""
        return self._drop_overflow_update

    def update_loss_scale(self, overflow: Any):
        """Nothing: the scale is fixed."""

    def get_update_cell(self):
        """A FixedLossScaleUpdateCell, or None where overflowing steps are not left out."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A scale that grows after `scale_window` good steps, and is divided by `scale_factor` at an overflow.

    Raises:
        ValueError: a scale below 1, or a window or factor that is not positive.
    """

    @checked
    def __init__(
        self,
        init_loss_scale: Annotated[Like[float], NotBelow1] = 2**24,
        scale_factor: Annotated[Like[int], NotTo0] = 2,
        scale_window: PositiveInt = 2000,
    ):
        self.loss_scale, self.scale_window = init_loss_scale, scale_window
        self.scale_factor = scale_factor
        self.increase_ratio, self.decrease_ratio = scale_factor, 1 / scale_factor
        self.cur_iter = 1
        self.last_overflow_iter = 0
        self.bad_step_max, self.bad_step = 1000, 0

    def get_loss_scale(self):
        """The present scale."""
        return self.loss_scale

    def update_loss_scale(self, overflow: Any):
        """Learn whether a step overflowed; RuntimeError after 1000 overflows in a row."""
        if overflow:
            self.loss_scale = max(self.loss_scale * self.decrease_ratio, 1)
            self.last_overflow_iter = self.cur_iter
            self.bad_step += 1
        else:
            self.bad_step = 0
            if (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
                self.loss_scale *= self.increase_ratio
        if self.bad_step > self.bad_step_max:
            raise RuntimeError(
                f"Dynamic loss scale continues to overflow for {self.bad_step} steps: the loss or the "
                "learning rate is too large."
            )
        self.cur_iter += 1

    def get_update_cell(self):
        """A DynamicLossScaleUpdateCell with these settings."""
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
