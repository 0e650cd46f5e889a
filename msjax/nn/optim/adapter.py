"""A Cell around an optax transformation: the base of the optimizers of `nn`, `experimental.optim` and `mint.optim`.

The mathematics are the transformations of `msjax.optim`. The Cell keeps their state as Parameters, feeds them learning rates and options
that change, and runs a step as one compiled and donated program.
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from ...core.host import wide
from ...core.program.halves import in_float32
from ...core.settings.execution_state import here, within
from ...core.trace.frame import Rollback
from ...core.values.tensor import Tensor, wrap
from ...optim.parts import path_name
from ..cell.cell import Cell

_HOME = __name__.partition(".")[0] + "."


class CompiledStep(Cell):
    """A Cell whose call is one compiled program in both modes, unless a subclass outside this package overrides
    `construct`.
    """

    _own_construct = True
    _no_tuple, _no_shape = (
        RuntimeError,
        ValueError,
    )  # what MindSpore raises for gradients that are not a tuple, or of another shape
    _broadcasts = False  # whether a gradient may be of a shape that spreads to that of its Parameter
    _takes_double = False  # whether a float64 gradient of a narrower Parameter is rounded

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "construct" in cls.__dict__:
            cls._own_construct = cls.__module__.startswith(_HOME)

    def _compile_state(self):
        version, training, *more = super()._compile_state()
        # a step is the same in and out of training: set_train() of a Cell around it compiles nothing anew
        return (version, training and not self._own_construct, *more)

    def __call__(self, gradients: tuple, *args):
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


class OptaxCell(CompiledStep):
    """A compiled step that is an optax transformation.

    Each field of the transformation's state is a Parameter (a number that all share), or a list with one for each parameter: the attribute
    of the same name, or the one that `_state_fields` names. State without such an attribute is not kept.
    """

    _state_fields = {"count": "global_step"}
    _first_count = 0  # what the Parameter of `count` holds before the first step

    def _by_group(self, transformations):
        """One transformation of all parameters from those of the groups; `_group_numbers` holds the number of the group of each parameter."""
        if len(transformations) == 1:
            return optax.with_extra_args_support(transformations[0])

        def labels(params):
            rows, _ = rows_of(params, self, alike=False)
            return jax.tree.unflatten(jax.tree.structure(params), [self._group_numbers[i] for i in rows])

        # without groups that lost all their parameters: a label that no parameter has is no error
        return optax.partition(dict(enumerate(transformations)), labels, mask_compatible_extra_args=True)

    @wide
    def _state_of(self, transformation, values):
        """(state, its boxes) of a transformation of the parameters: arrays of the Cell's Parameters in the form of its state."""
        leaves, tree = jax.tree_util.tree_flatten_with_path(jax.eval_shape(transformation.init, values))
        boxes = [self._state_box(path) for path, _ in leaves]
        arrays = []
        for box, (path, leaf) in zip(boxes, leaves):
            if box is None:
                array = jnp.zeros(leaf.shape, leaf.dtype)
            else:
                array = box.jax_array.reshape(leaf.shape)
                if _field(path)[0] == "count":
                    array = (array - self._first_count if self._first_count else array).astype(leaf.dtype)
            arrays.append(array)
        return tree.unflatten(arrays), boxes

    def _state_box(self, path):
        """The Parameter of a leaf of the state, or None where it is not kept."""
        field, index = _field(path)
        found = getattr(self, self._state_fields.get(field, field), None)
        return found[index] if isinstance(found, (tuple, list)) else found

    def _transformed(self, transformation, gradients):
        """Gradients after a transformation that keeps no state but the number of the step."""
        values = [p.jax_array for p in self.parameters]
        state, _ = self._state_of(transformation, values)
        updates, _ = transformation.update([g.jax_array for g in gradients], state, values)
        return tuple(wrap(u.astype(g.jax_array.dtype), g._var) for g, u in zip(gradients, updates))

    def _run_transformation(self, transformation, gradients, **extra):
        """Write the parameters and the state after a step. State that stays is not written."""
        values = [p.jax_array for p in self.parameters]
        state, boxes = self._state_of(transformation, values)
        updates, after = transformation.update([g.jax_array for g in gradients], state, values, **extra)
        written = dict(zip(map(id, self.parameters), zip(self.parameters, optax.apply_updates(values, updates))))
        for (path, new), given, box in zip(
            jax.tree_util.tree_flatten_with_path(after)[0], jax.tree.leaves(state), boxes
        ):
            if box is not None and new is not given:
                if _field(path)[0] == "count" and self._first_count:
                    new = new + self._first_count
                written.setdefault(id(box), (box, new))
        for box, value in written.values():
            box._assign(value.astype(box.jax_array.dtype).reshape(box.shape))

    def as_optax(self):
        """This optimizer as an `optax.GradientTransformationExtraArgs`; subclasses give it."""
        raise NotImplementedError(
            f"'{type(self).__name__}' has a step of its own (`construct`), which is not a function of gradients, state and "
            "parameters alone: it has no optax form. Call the optimizer itself."
        )


def _field(path):
    """(name, index or None) of the innermost field that a path in a state leads through."""
    at = max(i for i, key in enumerate(path) if isinstance(key, jax.tree_util.GetAttrKey))
    rest = path[at + 1 :]
    return path[at].name, rest[0].idx if rest else None


def _check_kinds(optimizer, gradients):
    """Raise TypeError for a gradient that is neither a Tensor nor a sparse one."""
    for i, g in enumerate(gradients):
        if not isinstance(g, Tensor) and not (hasattr(g, "indices") and hasattr(g, "values")):
            got = "None: no gradient was computed for it" if g is None else type(g).__name__
            raise TypeError(f"For '{type(optimizer).__name__}', gradient {i} must be a Tensor, but got {got}.")


def check_fit(optimizer: Cell, gradients: Sequence[Tensor], parameters: Any):
    """Refuse gradients that do not belong to the Parameters, as MindSpore does.

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


def sparse_rows(gradient: Tensor, parameter: Any):
    """Which rows a sparse gradient, (indices, values), names: a bool array, or True for a dense gradient."""
    if not isinstance(gradient, tuple):
        return True
    return jnp.zeros(parameter.shape[:1], bool).at[gradient[0].jax_array].set(True)


def dense(gradient: Tensor, parameter: Any):
    """A gradient as one Tensor: rows of a sparse one are added up."""
    if not isinstance(gradient, tuple):
        return gradient
    indices, values = gradient[0].jax_array, gradient[1].jax_array
    return wrap(in_float32(lambda v: jnp.zeros(parameter.shape, v.dtype).at[indices].add(v), values))


def rows_of(params: Any, optimizer: Cell, alike: Any):
    """(index of the Parameter of each leaf, names of the leaves).

    alike: all Parameters are treated alike, so any pytree will do.

    Raises:
        ValueError: the pytree is not that of the Parameters, and they are not alike.
    """
    leaves = jax.tree_util.tree_flatten_with_path(params)[0]
    names, shapes = [path_name(path) for path, _ in leaves], [leaf.shape for _, leaf in leaves]
    trained = list(optimizer.parameters)
    by_name = {p.name: i for i, p in enumerate(trained)}
    if all(name in by_name and trained[by_name[name]].shape == shape for name, shape in zip(names, shapes)):
        return [by_name[name] for name in names], names
    if isinstance(params, (tuple, list)) and len(shapes) == len(trained):
        if optimizer._broadcasts or shapes == [p.shape for p in trained]:
            return list(range(len(trained))), [p.name for p in trained]
    if alike:
        return [0] * len(leaves), names
    raise ValueError(
        f"'{type(optimizer).__name__}' treats its Parameters differently (groups, or a filter), so the pytree must be theirs: a dict "
        f"with the names {[p.name for p in trained]}, or a list or tuple in this order; got the leaves {names} of shapes {shapes}."
    )
