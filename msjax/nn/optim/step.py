"""What all optimizers share: running a Rule on Parameters, as one compiled and donated program."""

import jax.numpy as jnp
import numpy as np

from ...core.settings.execution_state import here, within
from ...core.trace.frame import Rollback
from ...core.values.tensor import Tensor, wrap
from ..cell.cell import Cell

_HOME = __name__.partition(".")[0] + "."


class CompiledStep(Cell):
    """A Cell whose call is one compiled program in both modes, unless a subclass outside this package has a
    `construct` of its own."""

    _own_construct = True
    _no_tuple, _no_shape = (
        RuntimeError,
        ValueError,
    )  # what MindSpore raises for gradients that are no tuple, or of another shape
    _broadcasts = False  # whether a gradient may be of a shape that spreads to that of its Parameter
    _takes_double = False  # whether a float64 gradient of a narrower Parameter is rounded

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "construct" in cls.__dict__:
            cls._own_construct = cls.__module__.startswith(_HOME)

    def __call__(self, gradients, *args):
        if self._own_construct and not isinstance(gradients, (tuple, list)):
            raise self._no_tuple(
                f"For '{type(self).__name__}', the gradients must be a tuple of Tensors, one for each Parameter, but got "
                f"{'a Tensor' if isinstance(gradients, Tensor) else type(gradients).__name__}."
            )
        if not all(isinstance(g, Tensor) for g in gradients):
            if self._own_construct:
                _check_kinds(self, gradients)
            # the Tensors of a sparse gradient become arguments of the compiled program
            gradients = tuple(g if isinstance(g, Tensor) else (g.indices, g.values) for g in gradients)
        if not self._own_construct:
            return super().__call__(gradients, *args)
        # A finished step stays, so the old arrays need not be kept for a failure after it.
        if here().rollback:
            Rollback.forget(self.get_parameters())
        self.__dict__["_always_compile"] = True
        with within(rollback=None):
            return super().__call__(gradients, *args)


def _check_kinds(optimizer, gradients):
    """Raise TypeError for a gradient that is neither a Tensor nor a sparse one."""
    for i, g in enumerate(gradients):
        if not isinstance(g, Tensor) and not (hasattr(g, "indices") and hasattr(g, "values")):
            got = "None: no gradient was computed for it" if g is None else type(g).__name__
            raise TypeError(f"For '{type(optimizer).__name__}', gradient {i} must be a Tensor, but got {got}.")


def check_fit(optimizer, gradients, parameters):
    """Refuse gradients that are not those of the Parameters, as MindSpore does.

    Raises:
        RuntimeError: not as many as Parameters. ValueError (SGD: RuntimeError): another shape. TypeError: float64 for a narrower one.
    """
    name = type(optimizer).__name__
    if len(gradients) != len(parameters):
        raise RuntimeError(
            f"For '{name}', the gradients must be as many as the Parameters, but got {len(gradients)} and {len(parameters)}."
        )
    for g, p in zip(gradients, parameters):
        if isinstance(g, tuple):  # a sparse one
            continue
        if g.shape != p.shape and not (optimizer._broadcasts and _spreads(g.shape, p.shape)):
            raise optimizer._no_shape(
                f"For '{name}', the gradient of '{p.name}' must have its shape {p.shape}, but got {g.shape}."
            )
        if not optimizer._takes_double and g.jax_array.dtype == np.float64 and p.jax_array.dtype.itemsize < 8:
            raise TypeError(f"For '{name}', the gradient of '{p.name}', which is {p.dtype}, must not be Float64.")


def _spreads(shape, wanted):
    return len(shape) <= len(wanted) and all(n in (1, m) for n, m in zip(shape[::-1], wanted[::-1]))


def run_rule(rule, boxes, parameters, gradients, rates):
    """New values of Parameters by a Rule: pairs (Parameter, array), which `write` puts there. State that stays is left out.

    `boxes` holds the rule's state: a tuple or list of Parameters for each list, one Parameter for each scalar.
    float16 and bfloat16 are computed in float32 and rounded once, when they are stored.
    """
    state = rule.state(
        *[[wide(p.jax_array) for p in b] if isinstance(b, (tuple, list)) else b.jax_array.reshape(()) for b in boxes]
    )
    values = [wide(p.jax_array) for p in parameters]
    new, after = rule.step(
        values, [wide(g.jax_array) for g in gradients], state, [r.jax_array.reshape(()) for r in rates]
    )
    pairs = list(zip(parameters, new))
    for box, value, given in zip(boxes, after, state):
        rows = zip(box, value, given) if isinstance(box, (tuple, list)) else [(box, value, given)]
        pairs += [(b, v) for b, v, before in rows if v is not before]
    return pairs


def write(pairs):
    """Assign arrays to Parameters, in their shape and dtype."""
    for box, value in pairs:
        box._assign(value.astype(box.jax_array.dtype).reshape(box.shape))


def wide(array):
    """float16 and bfloat16 as float32, other arrays as they are."""
    return array.astype(jnp.float32) if array.dtype.itemsize < 4 else array


def sparse_rows(gradient, parameter):
    """Which rows a sparse gradient, (indices, values), names: a bool array, or None for a dense gradient."""
    if not isinstance(gradient, tuple):
        return None
    return jnp.zeros(parameter.shape[:1], bool).at[gradient[0].jax_array].set(True)


def dense(gradient, parameter):
    """A gradient as one Tensor: rows of a sparse one are added up."""
    if not isinstance(gradient, tuple):
        return gradient
    indices, values = gradient[0].jax_array, gradient[1].jax_array
    return wrap(jnp.zeros(parameter.shape, values.dtype).at[indices].add(values))
