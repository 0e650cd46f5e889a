"""Loss scalers for training loops of one's own: `scale`, `unscale`, `adjust`, and `all_finite`."""

import abc
from typing import Any

import jax.numpy as jnp

from ..core.keywords import old_keywords
from ..core.values import dtype as mstype
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor, wrap
from ..core.values.tensor_trees import map_tensors, tensor_leaves

__all__ = ["DynamicLossScaler", "LossScaler", "StaticLossScaler", "all_finite"]


@old_keywords(status=lambda given: {})
def all_finite(inputs: Any):
    """Whether no element of the given Tensors (a tuple, list or Tensor) is infinite or NaN: a bool Tensor."""
    finite = [jnp.isfinite(b.jax_array).all() for b in tensor_leaves(inputs)]
    return wrap(jnp.stack(finite).all())


class LossScaler(abc.ABC):
    """Base class of loss scalers."""

    @abc.abstractmethod
    def scale(self, inputs: Any):
        """Inputs times the scale."""

    @abc.abstractmethod
    def unscale(self, inputs: Any):
        """Inputs divided by the scale."""

    @abc.abstractmethod
    def adjust(self, grads_finite: bool):
        """Adapt the scale to whether the gradients were finite; returns whether it may have changed."""


def _checked(name, scale_value):
    if isinstance(scale_value, bool) or not isinstance(scale_value, (int, float)):
        raise TypeError(
            f"For '{name}', the type of 'scale_value' must be int or float, but got {type(scale_value).__name__}."
        )
    if scale_value < 1.0:
        raise ValueError(f"For '{name}', the argument 'scale_value' must be > 1, but got {scale_value}.")


class StaticLossScaler(LossScaler):
    """A scale that never changes."""

    def __init__(self, scale_value: Any):
        _checked("StaticLossScaler", scale_value)
        self.scale_value = Parameter(Tensor(scale_value, mstype.float32), name="scale_value", requires_grad=False)

    def scale(self, inputs: Any):
        """Inputs times the scale."""
        return map_tensors(lambda b: b * self.scale_value.astype(b.dtype), inputs)

    def unscale(self, inputs: Any):
        """Inputs divided by the scale."""
        return map_tensors(lambda b: b / self.scale_value.astype(b.dtype), inputs)

    def adjust(self, grads_finite: bool):
        """Nothing: the scale is fixed. Returns False."""
        return False


class DynamicLossScaler(StaticLossScaler):
    """A scale that grows after `scale_window` good steps, and is divided by `scale_factor` when gradients overflow.

    Example:
        >>> scaler = amp.DynamicLossScaler(2**10, scale_factor=2, scale_window=1)
        >>> grads = scaler.unscale((Tensor([1.0]), Tensor([2.0])))
        >>> scaler.adjust(amp.all_finite(grads))
        True
    """

    def __init__(self, scale_value: Any, scale_factor: Any, scale_window: int):
        _checked("DynamicLossScaler", scale_value)
        for name, value in (("scale_window", scale_window), ("scale_factor", scale_factor)):
            if isinstance(value, bool) or not isinstance(value, (int, float) if name == "scale_factor" else int):
                raise TypeError(
                    f"For 'DynamicLossScaler', the type of '{name}' must be int, but got {type(value).__name__}."
                )
            if value <= 0:
                raise ValueError(f"For 'DynamicLossScaler', the '{name}' must be > 0, but got {value}.")
        super().__init__(scale_value)
        self.scale_window, self.scale_factor = scale_window, scale_factor
        self.counter = Parameter(Tensor(0, mstype.int32), name="counter", requires_grad=False)

    def adjust(self, grads_finite: bool):
        """Adapt the scale; returns True."""
        finite = grads_finite.jax_array if isinstance(grads_finite, Tensor) else jnp.asarray(bool(grads_finite))
        scale, count = self.scale_value.jax_array, self.counter.jax_array
        grows = finite & (count + 1 >= self.scale_window)
        scale = jnp.where(
            finite, jnp.where(grows, scale * self.scale_factor, scale), jnp.maximum(scale / self.scale_factor, 1)
        )
        self.scale_value._assign(scale.astype(jnp.float32))
        self.counter._assign(jnp.where(finite & ~grows, count + 1, 0).astype(jnp.int32))
        return True
