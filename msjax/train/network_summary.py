"""The structure of a network: its layers, the shapes of their outputs, Parameters, operations and memory."""

import math
from typing import Any, NamedTuple

import jax

from ..core.lowered import lowered
from ..core.spec.checking import checked
from ..core.values.tensor import Tensor
from ..nn.cell.cell import Cell
from ..nn.cell.functional import functional

__all__ = ["summary"]


class Layer(NamedTuple):
    """One call of a Cell."""

    name: str
    kind: str
    shape: str
    parameters: int
    flops: float | None


class NetworkSummary:
    """The result of `summary`: `layers`, a list of (name, kind, shape, parameters, flops); the sums; `print` shows a
    table.

    parameters, trainable: numbers of elements. flops: operations of one call, as XLA counts them. weight_bytes, output_bytes: memory of the
    Parameters, and of all outputs of layers together (what a training step keeps, at most).
    """

    def __init__(self, layers: Any, parameters: Any, trainable: Any, flops: Any, weight_bytes: Any, output_bytes: Any):
        self.layers, self.parameters, self.trainable = layers, parameters, trainable
        self.flops, self.weight_bytes, self.output_bytes = flops, weight_bytes, output_bytes

    def __str__(self):
        head = ("layer", "kind", "output", "parameters", "operations")
        rows = [
            (x.name, x.kind, x.shape, f"{x.parameters:,}" if x.parameters else "", _count(x.flops)) for x in self.layers
        ]
        widths = [max(map(len, column)) for column in zip(head, *rows)]
        line = "  ".join("-" * w for w in widths)

        def text(row):
            return "  ".join(v.ljust(w) if i < 3 else v.rjust(w) for i, (v, w) in enumerate(zip(row, widths))).rstrip()

        return "\n".join(
            [
                text(head),
                line,
                *map(text, rows),
                line,
                f"parameters: {self.parameters:,} ({self.trainable:,} trainable), {_size(self.weight_bytes)}",
                f"outputs of all layers: {_size(self.output_bytes)}; operations of one call: {_count(self.flops)}",
            ]
        )

    __repr__ = __str__


def _count(number):
    if not number:
        return ""
    power = min(int(math.log10(number)) // 3, 5) if number >= 1 else 0
    return f"{number / 1000**power:.4g}{('', ' k', ' M', ' G', ' T', ' P')[power]}"


def _size(count):
    return f"{count / 2**20:.2f} MiB" if count >= 1 << 20 else f"{count / 1024:.2f} KiB"


@checked
def summary(net: Cell, *inputs):
    """The layers of a network for inputs like these; nothing is computed, and the network stays as it is.

    Args:
        net: Cell.
        inputs: Tensors, or arrays; their content does not count.

    Returns:
        NetworkSummary; print it.

    Raises:
        TypeError: `net` is not a Cell.

    Example:
        >>> print(msjax.summary(net, x))
        layer  kind   output  parameters  operations
        -----  -----  ------  ----------  ----------
        dense  Dense  (2, 4)          16          56
        relu   ReLU   (2, 4)                      16
        head   Dense  (2, 2)          10          36
        (all)  Net    (2, 2)
        -----  -----  ------  ----------  ----------
        parameters: 26 (26 trainable), 0.10 KiB
        outputs of all layers: 0.08 KiB; operations of one call: 108
    """
    arrays = [jax.ShapeDtypeStruct(b.shape, b.jax_array.dtype) if isinstance(b, Tensor) else b for b in inputs]
    calls, handles = [], []
    names = {id(cell): name for name, cell in net.cells_and_names()}

    def note(cell, args, output):
        calls.append((cell, *(jax.tree.map(_spec, v, is_leaf=lambda v: isinstance(v, Tensor)) for v in (args, output))))

    for _, cell in net.cells_and_names():
        handles.append(cell.register_forward_hook(note))
    try:
        flops = _flops(net, arrays)
    finally:
        for handle in handles:
            handle.remove()
    layers, output_bytes = [], 0
    for cell, args, output in calls:
        inside = bool(cell._cells)
        outs = [s for s in jax.tree.leaves(output) if isinstance(s, jax.ShapeDtypeStruct)]
        own = sum(p.size for p in cell.get_parameters(expand=False))
        layers.append(
            Layer(
                names.get(id(cell)) or "(all)",
                type(cell).__name__,
                ", ".join(str(tuple(s.shape)) for s in outs),
                own,
                None if inside else _flops(cell, args),
            )
        )
        output_bytes += 0 if inside else sum(math.prod(s.shape) * s.dtype.itemsize for s in outs)
    params = list(net.get_parameters())
    return NetworkSummary(
        layers,
        sum(p.size for p in params),
        sum(p.size for p in params if p.requires_grad),
        flops,
        sum(p.nbytes for p in params),
        output_bytes,
    )


def _spec(value):
    return jax.ShapeDtypeStruct(value.shape, value.jax_array.dtype) if isinstance(value, Tensor) else value


def _flops(cell, args):
    """Operations of one call as XLA counts them, or None where a Cell takes something else than Tensors."""
    function, values = functional(cell, mutable=True)
    specs = {name: jax.ShapeDtypeStruct(a.shape, a.dtype) for name, a in values.items()}
    if not all(hasattr(a, "shape") for a in args):
        return None
    program = jax.jit(lambda values, key, *args: function(values, *args, rng=key))
    return (lowered(program, specs, jax.random.key(0), *args).cost_analysis() or {}).get("flops")
