"""Ready ways to split layers: `parallelize_module(net, mesh, {"layers.*.mlp.up": ColwiseParallel()})`."""

import fnmatch
from typing import TYPE_CHECKING, Any

from ..core.values.tensor import Tensor
from ..nn.cell.cell import Cell
from .dtensor import DTensor, distribute_tensor, place_parameter
from .placements import Replicate, Shard

if TYPE_CHECKING:
    from .layout import Layout
    from .mesh import DeviceMesh
    from .placements import Placement

__all__ = [
    "ColwiseParallel",
    "ParallelStyle",
    "PrepareModuleInput",
    "PrepareModuleOutput",
    "RowwiseParallel",
    "SequenceParallel",
    "parallelize_module",
]


def _laid(value, mesh, given, wanted):
    """A Tensor that lies by `given` (if it does not tell itself), moved to lie by `wanted`."""
    if not isinstance(value, Tensor) or given is None and wanted is None:
        return value
    if not isinstance(value, DTensor):
        value = distribute_tensor(value, mesh, [given or Replicate()] * mesh.ndim)
    return value.redistribute(mesh, [wanted or given] * mesh.ndim)


class ParallelStyle:
    """Base class of the ways to lay out a Cell; a subclass writes `_apply(module, device_mesh)`, which returns the
    Cell.
    """

    def _apply(self, module, device_mesh):
        raise NotImplementedError(f"{type(self).__name__} must write _apply(module, device_mesh)")


class _Layer(ParallelStyle):
    """A layer whose Parameters are split by `placements`: name -> placement; all others are whole."""

    def __init__(self, given, wanted, output, use_local_output):
        self.given, self.wanted, self.output, self.use_local_output = given, wanted, output, use_local_output

    def _placement(self, module, name):
        return Replicate()

    def _apply(self, module, device_mesh):
        for name, parameter in module.parameters_and_names(expand=False):
            own = name.rpartition(".")[2]
            place_parameter(parameter, device_mesh, [self._placement(module, own)] * device_mesh.ndim)
        module.register_forward_pre_hook(
            lambda cell, args: (_laid(args[0], device_mesh, self.given, self.wanted), *args[1:])
        )
        module.register_forward_hook(
            lambda cell, args, out: self._ended(_laid(out, device_mesh, None, self.output), device_mesh)
        )
        return module

    def _ended(self, out, mesh):
        if not self.use_local_output or not isinstance(out, DTensor):
            return out
        return out.full_tensor() if all(p.is_replicate() for p in out.placements) else out


class ColwiseParallel(_Layer):
    """Splits the output features of a Dense or Embedding; each device computes its own features.

    input_layouts, output_layouts: placements of the input (Replicate) and of the output (Shard(-1)). use_local_output: a whole result is
    an ordinary Tensor; a split one stays a DTensor.
    """

    def __init__(
        self,
        *,
        input_layouts: "Placement | Layout | tuple | None" = None,
        output_layouts: "Placement | Layout | tuple | None" = None,
        use_local_output: bool = True,
    ):
        super().__init__(input_layouts or Replicate(), Replicate(), output_layouts or Shard(-1), use_local_output)

    def _placement(self, module, name):
        return Shard(1) if name == "embedding_table" else Shard(0)


class RowwiseParallel(_Layer):
    """Splits the input features of a Dense or Embedding; the devices' products are added. Arguments as for
    ColwiseParallel.
    """

    def __init__(
        self,
        *,
        input_layouts: "Placement | Layout | tuple | None" = None,
        output_layouts: "Placement | Layout | tuple | None" = None,
        use_local_output: bool = True,
    ):
        super().__init__(input_layouts or Shard(-1), Shard(-1), output_layouts or Replicate(), use_local_output)

    def _apply(self, module, device_mesh):
        if "embedding_table" in module._params:
            self.given = self.wanted = Replicate()
        return super()._apply(module, device_mesh)

    def _placement(self, module, name):
        if name == "embedding_table":
            return Shard(0)
        return Shard(1) if name == "weight" else Replicate()


class SequenceParallel(_Layer):
    """A layer of which each device computes some positions (axis `sequence_dim`); its Parameters are whole."""

    def __init__(self, *, sequence_dim: int = 1, use_local_output: bool = False):
        super().__init__(Shard(sequence_dim), Shard(sequence_dim), Shard(sequence_dim), use_local_output)


class PrepareModuleInput(ParallelStyle):
    """Lays out the inputs of a Cell before it is called.

    input_layouts: how they lie, one placement or None for each; input_kwarg_layouts: by name. desired_...: how they are to lie.
    """

    def __init__(
        self,
        *,
        input_layouts: "Placement | Layout | tuple | None" = None,
        desired_input_layouts: "Placement | Layout | tuple | None" = None,
        input_kwarg_layouts: dict[str, Any] | None = None,
        desired_input_kwarg_layouts: dict[str, Any] | None = None,
        use_local_output: bool = False,
    ):
        self.given, self.wanted = _tuple(input_layouts), _tuple(desired_input_layouts)
        self.named, self.wanted_named = input_kwarg_layouts or {}, desired_input_kwarg_layouts or {}
        if len(self.given) != len(self.wanted):
            raise AssertionError("input_layouts and desired_input_layouts should have same length!")

    def _apply(self, module, device_mesh):
        def before(cell, args, kwargs):
            pairs = list(zip(self.given, self.wanted)) + [(None, None)] * (len(args) - len(self.given))
            moved = tuple(_laid(a, device_mesh, *pair) for a, pair in zip(args, pairs))
            return moved, {
                k: _laid(v, device_mesh, self.named.get(k), self.wanted_named.get(k)) for k, v in kwargs.items()
            }

        module.register_forward_pre_hook(before, with_kwargs=True)
        return module


class PrepareModuleOutput(ParallelStyle):
    """Lays out the outputs of a Cell after the call: output_layouts, desired_output_layouts as for inputs."""

    def __init__(
        self,
        *,
        output_layouts: "Placement | Layout | tuple | None",
        desired_output_layouts: "Placement | Layout | tuple | None",
        use_local_output: bool = True,
    ):
        self.given, self.wanted, self.local = _tuple(output_layouts), _tuple(desired_output_layouts), use_local_output
        if len(self.given) != len(self.wanted):
            raise AssertionError("output_layouts and desired_output_layouts should have same length!")

    def _apply(self, module, device_mesh):
        def after(cell, args, outputs):
            found = outputs if isinstance(outputs, tuple) else (outputs,)
            if len(found) != len(self.given):
                raise ValueError("module outputs and output_layouts should have same length!")
            moved = tuple(_laid(o, device_mesh, *pair) for o, *pair in zip(found, self.given, self.wanted))
            return moved if isinstance(outputs, tuple) else moved[0]

        module.register_forward_hook(after)
        return module


def _tuple(value):
    return () if value is None else tuple(value) if isinstance(value, (tuple, list)) else (value,)


def parallelize_module(
    module: Cell,
    device_mesh: "DeviceMesh | None" = None,
    parallelize_plan: ParallelStyle | dict[str, ParallelStyle] | None = None,
    *,
    src_data_rank: int | None = 0,
):
    """Split the Cells inside a Cell, each in its way, and return it.

    Args:
        module: Cell.
        device_mesh: a mesh of one axis.
        parallelize_plan: a ParallelStyle for the Cell itself, or a dict from names of Cells (with `*` for any part) to ParallelStyles.

    Raises:
        TypeError: `module` or the plan is nothing of the kind. ValueError: no mesh, or a name that fits no Cell.

    Example:
        >>> from msjax.hyper_parallel import ColwiseParallel, init_device_mesh, parallelize_module
        >>> mesh = init_device_mesh("cpu", (1,), mesh_dim_names=("tp",))
        >>> net = parallelize_module(nn.SequentialCell(nn.Dense(2, 4)), mesh, {"0": ColwiseParallel()})
    """
    if not isinstance(module, Cell):
        raise TypeError(f"For 'parallelize_module', the 'module' must be a Cell, but got {type(module).__name__}.")
    if device_mesh is None:
        raise ValueError("For 'parallelize_module', a 'device_mesh' is needed.")
    if parallelize_plan is None:
        return module
    if isinstance(parallelize_plan, ParallelStyle):
        return parallelize_plan._apply(module, device_mesh)
    if not isinstance(parallelize_plan, dict):
        raise TypeError(
            f"For 'parallelize_module', the plan must be a ParallelStyle or a dict, but got {type(parallelize_plan).__name__}."
        )
    cells = dict(module.cells_and_names())
    for pattern, style in parallelize_plan.items():
        depth = pattern.count(".")
        found = [c for n, c in cells.items() if n.count(".") == depth and fnmatch.fnmatchcase(n, pattern)]
        if not found:
            raise ValueError(f"For 'parallelize_module', no Cell has the name '{pattern}'. There are {list(cells)}.")
        for cell in found:
            style._apply(cell, device_mesh)
    return module
