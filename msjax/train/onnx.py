"""`mindspore.onnx`: networks as ONNX files, by the converter jax2onnx."""

import os
import types
from typing import Any

import numpy as np

from ..alias.names import MissingNames
from ..core.operators.check import check_isinstance
from ..core.settings import context
from ..core.spec.checking import checked
from ..core.spec.rules import AsValue, Like
from ..core.values.tensor import Tensor
from ..nn.cell.cell import Cell
from ..nn.cell.functional import functional

__all__ = ["export"]

_LARGEST = 2**31 - 1  # bytes of one protobuf message


@checked
def export(
    net: AsValue[Cell],
    *inputs,
    file_name: Like[str],
    input_names: Any = None,
    output_names: Any = None,
    export_params: Like[bool] = True,
    keep_initializers_as_inputs: Like[bool] = False,
    dynamic_axes: Any = None,
) -> None:
    """Write a network as an ONNX file.

    Args:
        net: Cell.
        inputs: Tensors, arrays or numbers.
        file_name: path; `.onnx` is added.
        input_names, output_names: lists of str.
        dynamic_axes: axes of any size, dict from the name of an input to a dict from the axis to its name.
        export_params, keep_initializers_as_inputs: weights are constants of the file: other values are refused.

    Raises:
        ValueError: arguments of the wrong kind. ImportError: jax2onnx is missing.

    Example:
        >>> mindspore.onnx.export(net, x, file_name="net", input_names=["x"])  # doctest: +SKIP
    """
    for name, value, kind in (
        ("input_names", input_names, list),
        ("output_names", output_names, list),
        ("dynamic_axes", dynamic_axes, dict),
    ):
        check_isinstance(name, value, (kind, type(None)))
    if not export_params or keep_initializers_as_inputs:
        raise ValueError(
            "For 'onnx.export', the weights are constants of the file: 'export_params' must be True and 'keep_initializers_as_inputs' "
            "False."
        )
    unknown = sorted(set(dynamic_axes or ()) - set(input_names or ()))
    if unknown:
        raise ValueError(f"For 'onnx.export', 'dynamic_axes' names inputs that 'input_names' does not have: {unknown}.")
    shapes = []
    for i, given in enumerate(inputs):
        array = np.asarray(given.asnumpy() if isinstance(given, Tensor) else given)
        axes = (dynamic_axes or {}).get(input_names[i], {}) if i < len(input_names or ()) else {}
        shapes.append((tuple(axes.get(axis, size) for axis, size in enumerate(array.shape)), array.dtype))
    path = file_name if file_name.endswith(".onnx") else f"{file_name}.onnx"
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    training = net.training
    net.set_train(False)
    try:
        write_onnx(net, shapes, path, input_names, output_names)
    finally:
        net.set_train(training)


def write_onnx(
    net: Cell, shapes: Any, path: Any, input_names: Any = None, output_names: Any = None, filled: Any = tuple
):
    """Write a network as an ONNX file, its weights as constants (beside the file where they take more than 2 GB).

    Args:
        shapes: (sizes, dtype) of each input; a size that is not an int is the name of an axis of any size.
        input_names, output_names: lists of str, or None for names of the converter.
        filled: what makes the network's arguments of the arrays of the inputs.

    Raises:
        ImportError: jax2onnx is missing.
    """
    try:
        import jax2onnx  # an extra
        import onnx  # what it writes with
    except ImportError as error:
        raise ImportError("Writing ONNX files needs the package jax2onnx: pip install 'msjax[onnx]'.") from error
    function, values = functional(net)
    with context.computing_for("GPU"):  # the plain forms of operators: those of the CPU are not operators of ONNX
        model = jax2onnx.to_onnx(
            lambda *given: function(values, *filled(given)),
            inputs=[types.SimpleNamespace(shape=tuple(map(_size, sizes)), dtype=dtype) for sizes, dtype in shapes],
            model_name=type(net).__name__,
            input_names=input_names,
            output_names=output_names,
        )
    _pool_over_pixels(model.graph)
    if model.ByteSize() < _LARGEST:
        onnx.save(model, path)
    else:
        onnx.save(model, path, save_as_external_data=True, location=os.path.basename(path) + ".data")


def _size(number):
    """An int, or the name of an axis of any size."""
    return number if isinstance(number, int) else str(number)


def _pool_over_pixels(graph):
    """Pools over all axes, which the converter wraps in two more, become pools over the pixels: onnxruntime has at most three axes."""
    makers = {output: node for node in graph.node for output in node.output}
    users = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    dropped = []
    for pool in [node for node in graph.node if node.op_type == "MaxPool"]:
        options = {a.name: a for a in pool.attribute}
        rank = len(options["kernel_shape"].ints)
        second = makers.get(pool.input[0])
        first = makers.get(second.input[0]) if second is not None and second.op_type == "Unsqueeze" else None
        after = users.get(pool.output[0], [])
        plain = all(list(options[n].ints[:2]) == [1, 1] for n in ("kernel_shape", "strides") if n in options)
        pads = list(options["pads"].ints) if "pads" in options else [0] * 2 * rank
        outside = pads[:2] + pads[rank : rank + 2]
        chain = rank > 3 and first is not None and first.op_type == "Unsqueeze" and plain and not any(outside)
        if not chain or any(len(users[n.output[0]]) != 1 for n in (first, second, pool)):
            continue
        for name in ("kernel_shape", "strides", "dilations"):
            if name in options:
                options[name].ints[:] = options[name].ints[2:]
        if "pads" in options:
            options["pads"].ints[:] = pads[2:rank] + pads[rank + 2 :]
        pool.input[0], pool.output[0] = first.input[0], after[0].output[0]
        dropped += [first, second, after[0]]
    for node in dropped:
        graph.node.remove(node)
    used = {name for node in graph.node for name in node.input}
    for constant in [c for c in graph.initializer if c.name not in used]:
        graph.initializer.remove(constant)


__getattr__ = MissingNames(__name__)
