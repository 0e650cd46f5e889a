"""Loss scalers for training loops of one's own: `scale`, `unscale`, `adjust`, and `all_finite`."""

import abc
from typing import Annotated, Any

import jax.numpy as jnp

from ..core.keywords import old_keywords
from ..core.spec.checking import checked
from ..core.spec.rules import PositiveInt, PositiveReal, Within
from ..core.values import dtype as mstype
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor, wrap
from ..core.values.tensor_trees import map_tensors, tensor_leaves

__all__ = ["DynamicLossScaler", "LossScaler", "StaticLossScaler", "all_finite"]

_Scale = Annotated[int | float, Within("[1, inf)")]


@old_keywords(status=None)
def all_finite(inputs: Any):
    """Whether no element of the given Tensors (a tuple, list or Tensor) is infinite or NaN: a bool Tensor."""
    tensors = list(tensor_leaves(inputs))
    if not tensors and inputs not in ((), []):
        raise TypeError(f"For 'all_finite', the 'inputs' must be Tensors, but got {inputs!r}.")
    return wrap(jnp.stack([jnp.isfinite(b.jax_array).all() for b in tensors]).all())


class LossScaler(abc.ABC):
    """Base class of loss scalers."""

    @abc.abstractmethod
    def scale(self, inputs: Any):
        """Inputs times the scale."""

    @abc.abstractmethod
    def unscale(self, inputs: Any):
        """Inputs divided by the scale."""

    @abc.abstractmethod
    def adjust(self, grads_finite: Tensor | bool):
        """Adapt the scale to whether the gradients were finite; returns whether it may have changed."""


class StaticLossScaler(LossScaler):
    """A scale that never changes."""

    @checked
    def __init__(self, scale_value: _Scale):
        self.scale_value = Parameter(Tensor(scale_value, mstype.float32), name="scale_value", requires_grad=False)

    def scale(self, inputs: Any):
        """Inputs times the scale."""
        return map_tensors(lambda b: b * self.scale_value.astype(b.dtype), inputs)

    def unscale(self, inputs: Any):
        """Inputs divided by the scale."""
        inverse = 1 / self.scale_value
        return map_tensors(lambda b: b * inverse.astype(b.dtype), inputs)  # float16 has no number for most scales

    def adjust(self, grads_finite: Tensor | bool):
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

    @checked
    def __init__(self, scale_value: _Scale, scale_factor: PositiveReal, scale_window: PositiveInt):
        super().__init__(scale_value)
        self.scale_window, self.scale_factor = scale_window, scale_factor
        self.counter = Parameter(Tensor(0, mstype.int32), name="counter", requires_grad=False)

    def adjust(self, grads_finite: Tensor | bool):
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
