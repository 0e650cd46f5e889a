"""Cells whose Parameters, inputs and outputs lie by a plan: `shard_module`."""

import dataclasses
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..core.compat import Tracer
from ..core.grad.autodiff import differentiate
from ..core.operators.layouts import moved
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor
from ..nn.cell.cell import Cell
from .dtensor import DTensor, _boxed, place_parameter
from .layout import Layout, as_layout
from .placements import Placement
from .platform import get_platform

if TYPE_CHECKING:
    from .mesh import DeviceMesh

__all__ = ["ShardingPlan", "parallelize_value_and_grad", "shard_module"]


@dataclasses.dataclass
class ShardingPlan:
    """How a Cell is split.

    plan: name of a Parameter -> its layout. input_plan, output_plan: "input", "output", or with the name of a Cell inside before it
    ("relu.input") -> a layout, several of them in a list, or a dict from names of arguments. return_local_tensor: names of Cells that give
    ordinary Tensors. A layout is a tuple of placements, or of names of the mesh's axes.
    """

    plan: dict | None = None
    input_plan: dict | None = None
    output_plan: dict | None = None
    return_local_tensor: list | None = None


def _is_layout(value):
    """Whether a tuple says one layout, and not several."""
    if isinstance(value, Layout):
        return True
    if not isinstance(value, tuple) or not value:
        return False
    return all(
        isinstance(v, (Placement, str)) or isinstance(v, tuple) and v and all(isinstance(x, str) for x in v)
        for v in value
    )


def _layouts(value, mesh):
    """The value with Layouts in the place of tuples of placements and names."""
    if value is None:
        return None
    if _is_layout(value):
        return as_layout(value, mesh)
    if isinstance(value, dict):
        return {k: _layouts(v, mesh) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_layouts(v, mesh) for v in value]
    return value


def _several(value, mesh):
    found = _layouts(value, mesh)
    return [found] if isinstance(found, Layout) else found


def _moved(value, layout):
    return (
        value.redistribute(layout.mesh, layout.placements)
        if isinstance(value, DTensor) and layout is not None
        else value
    )


def _inputs(function, args, kwargs, layouts):
    """The arguments, moved; `layouts` is a list in their order or a dict by their names."""
    if isinstance(layouts, dict):
        names = list(inspect.signature(function).parameters)
        if names and names[0] == "self":
            names = names[1:]
        args = [_moved(a, layouts.get(name)) for a, name in zip(args, names)] + list(args[len(names) :])
        return tuple(args), {k: _moved(v, layouts.get(k)) for k, v in kwargs.items()}
    if not isinstance(layouts, (list, tuple)):
        raise ValueError(f"The in_layout must be a list, tuple or dict, but got {type(layouts)}.")
    if len(args) > len(layouts):
        raise ValueError(f"The size of inputs and in_layout must be equal, but got {len(args)} and {len(layouts)}")
    return tuple(_moved(a, layout) for a, layout in zip(args, layouts)), kwargs


def _outputs(outputs, layouts):
    if not isinstance(layouts, (list, tuple)):
        raise ValueError(f"The out_layout must be a list or tuple, but got {type(layouts)}.")
    found = outputs if isinstance(outputs, (tuple, list)) else (outputs,)
    if len(found) != len(layouts):
        raise ValueError(f"The size of outputs and out_layout must be equal, but got {len(found)} and {len(layouts)}")
    moved = tuple(_moved(o, layout) for o, layout in zip(found, layouts))
    return moved if isinstance(outputs, (tuple, list)) else moved[0]


def _local(outputs):
    if isinstance(outputs, (tuple, list)):
        return type(outputs)(_local(o) for o in outputs)
    return outputs.to_local() if isinstance(outputs, DTensor) else outputs


def shard_module(model: Cell, device_mesh: "DeviceMesh", sharding_plan: ShardingPlan):
    """Split a Cell (or a function) by a plan, and return it.

    Args:
        model: Cell or function of DTensors.
        device_mesh: the mesh.
        sharding_plan: a ShardingPlan.

    Raises:
        TypeError: the plan is none, or its parts are not dicts. ValueError: a name that the Cell does not have.

    Example:
        >>> from msjax.hyper_parallel import Shard, ShardingPlan, init_device_mesh, shard_module
        >>> mesh = init_device_mesh("cpu", (1,), mesh_dim_names=("tp",))
        >>> net = shard_module(nn.Dense(2, 4), mesh, ShardingPlan(plan={"weight": (Shard(0),)}))
        >>> net.weight.placements
        (Shard(dim=0),)
    """
    if not isinstance(sharding_plan, ShardingPlan):
        raise TypeError(
            f"The 'sharding_plan' must be an instance of ShardingPlan, but got {type(sharding_plan)}. "
            "Direct dict input is not supported."
        )
    for name in ("input_plan", "output_plan"):
        value = getattr(sharding_plan, name)
        if value and not isinstance(value, dict):
            raise TypeError(f"{name} must be a dict, but got {type(value)}")
    forward = {**(sharding_plan.input_plan or {}), **(sharding_plan.output_plan or {})}
    forward = {key: _several(value, device_mesh) for key, value in forward.items() if value is not None}
    if not isinstance(model, Cell):
        return _sharded_function(model, forward)
    for name, wanted in (sharding_plan.plan or {}).items():
        layout = _layouts(wanted, device_mesh)
        if not isinstance(layout, Layout):
            raise ValueError(
                f"In python shard_module, the type of setting in parameter_plan must be Layout, but got type {type(layout)}"
            )
        found = get_platform().search_parameter_by_name(model, name)
        if found is None:
            raise ValueError(f"{name} is configured with a layout, but no instance was found.")
        place_parameter(found[2], layout.mesh, layout.placements)
    _add_hooks(model, forward)
    cells = dict(model.cells_and_names())
    for name in sharding_plan.return_local_tensor or ():
        cells[name].register_forward_hook(lambda cell, inputs, outputs: _local(outputs))
    return model


def _add_hooks(model, forward):
    cells = dict(model.cells_and_names())
    for key, layouts in forward.items():
        name, _, end = key.rpartition(".")
        if end not in ("input", "output"):
            raise ValueError(
                f"In python shard_module, sharding_plan's forward key must end with input or output, but got type {end}"
            )
        if name not in cells:
            raise ValueError(
                f"{key} is configured with a layout, but there is no Cell '{name}'. There are {list(cells)}."
            )
        cell = cells[name]
        if end == "input":
            cell.in_layout = layouts
            cell.register_forward_pre_hook(_before, with_kwargs=True)
        else:
            cell.out_layout = layouts
            cell.register_forward_hook(_after)


def _before(cell, args, kwargs):
    return _inputs(cell.construct, args, kwargs, cell.in_layout)


def _after(cell, inputs, outputs):
    return _outputs(outputs, cell.out_layout)


def _sharded_function(function, forward):
    ins, outs = forward.get("input"), forward.get("output")

    @functools.wraps(function)
    def call(*args, **kwargs):
        if ins is not None:
            args, kwargs = _inputs(function, args, kwargs, ins)
        found = function(*args, **kwargs)
        return found if outs is None else _outputs(found, outs)

    return call


def parallelize_value_and_grad(fn: Callable, weights: Sequence[Parameter], sens: Any = None):
    """Function that returns (result of `fn`, gradients of the weights).

    Args:
        fn: Cell or function.
        weights: Parameters.
        sens: with several outputs a float for each; without it the first output alone is differentiated.

    Raises:
        TypeError: (from the function) `sens` with one output, or not a float for each of several.

    Example:
        >>> from msjax.hyper_parallel import parallelize_value_and_grad
        >>> loss, grads = parallelize_value_and_grad(lambda x: net(x).sum(), net.trainable_params())(x)
    """
    weights = [weights] if isinstance(weights, Parameter) else list(weights)

    def objective(*args, **kwargs):
        found = fn(*args, **kwargs)
        if not isinstance(found, (list, tuple)):
            if sens is not None:
                raise TypeError(f"the fn only have one output, the sens must be None, but it is {sens}")
            return found.sum(), found
        scales = sens
        if scales is None:
            return found[0].sum(), found
        if not isinstance(scales, (list, tuple)):
            raise TypeError("if the loss is list or tuple, the sens must be None or list or tuple")
        if not all(isinstance(s, float) for s in scales):
            raise TypeError("if sens is not None, it should be list of float or tuple of float")
        if len(scales) != len(found):
            raise TypeError(f"the len of loss is {len(found)}, but the len of sens is {len(scales)}")
        total = 0.0
        for value, scale in zip(found, scales):
            total = total + value.sum() * scale
        return total, found

    def call(*args, **kwargs):
        for weight in weights:
            if isinstance(weight, DTensor) and weight._raw.sharding != weight.__dict__["_place"]:
                weight._assign(weight._raw)  # a compiled step may have left it elsewhere
        made = differentiate(objective, args, kwargs, (), weights, has_aux=True)
        return made.value[1], tuple(_lying(g, w) for g, w in zip(made.weights, weights))

    return call


def _lying(grad, weight):
    """The gradient as a DTensor where the weight is one."""
    if not isinstance(weight, DTensor) or type(grad) is not Tensor:
        return grad
    if not isinstance(grad.jax_array, Tracer):
        grad._rebind_raw(moved(grad.jax_array, weight._raw.sharding), grad._var)
    return _boxed(grad, weight.device_mesh, weight.__dict__["_said"])
