"""Exporting networks: StableHLO with the weights, which runs on CPU, GPU and TPU without the network's Python code.

MindSpore's own formats need its compiler. `file_format="MINDIR"` writes the same content under the name `….mindir`, which `load` and
`nn.GraphCell` read back; MindSpore itself cannot read it, which is said. ONNX and AIR are refused.
"""

import io
import json
import os
import zipfile

import jax
import numpy as np

from .. import log
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor, wrap
from ..nn.cell.cell import Cell
from .dataset_helper import as_inputs

__all__ = ["export", "load", "load_mindir", "save_mindir"]

_PLATFORMS = ("cpu", "cuda", "tpu")
_SUFFIX = {"MINDIR": ".mindir", "STABLEHLO": ".stablehlo"}


def _exporter():
    """`jax.export`, with its serializer's dependency checked first."""
    try:
        import flatbuffers  # noqa: F401  what jax.export writes with
    except ImportError as error:
        raise ImportError(
            "Exporting and loading networks needs the package flatbuffers: pip install 'msjax[export]'."
        ) from error
    from jax import export as jax_export

    return jax_export


def export(net, *inputs, file_name, file_format, **kwargs):
    """Write a network with its weights to a file.

    Args:
        net: Cell or function. inputs: example Tensors, or a dataset whose first batch serves. file_name: path; the suffix is added.
        file_format: "MINDIR" or "STABLEHLO" (see the module), str or list of one. Keywords of MindSpore's are accepted.

    Raises:
        ValueError: ONNX, AIR, or an unknown format. ImportError: flatbuffers is missing.

    Example:
        >>> export(net, Tensor(np.zeros((1, 1, 32, 32), np.float32)), file_name="lenet", file_format="MINDIR")
    """
    for name in file_format.split(",") if isinstance(file_format, str) else file_format:
        if name in ("ONNX", "AIR"):
            raise ValueError(
                f"For 'export', the format {name} can not be written here; file_format can be 'STABLEHLO' or 'MINDIR'. An ONNX file can "
                "be made with jax2onnx from the function of the network."
            )
        if name not in _SUFFIX:
            raise ValueError(
                f"For 'export', the 'file_format' must be one of ['AIR', 'ONNX', 'MINDIR', 'STABLEHLO'], but got {name}."
            )
        _export(net, inputs, file_name, name)


def _export(net, inputs, file_name, file_format):
    if not callable(net):
        raise TypeError(f"For 'export', the 'net' must be a Cell or a function, but got {type(net).__name__}.")
    if len(inputs) == 1 and hasattr(inputs[0], "create_tuple_iterator"):
        inputs = as_inputs(next(iter(inputs[0].create_tuple_iterator(num_epochs=1))))
    jax_export = _exporter()
    training = getattr(net, "training", False)
    if isinstance(net, Cell):
        net.set_train(False)
    try:
        entry = net.entry_for(*inputs) if isinstance(net, Cell) else net._compiled.entry_for(*inputs)
    finally:
        if isinstance(net, Cell) and training:
            net.set_train(True)
    if entry.fallback:
        raise RuntimeError(f"For 'export', the network can not be compiled: {entry.reason}.")
    state = [*entry.mut, *entry.ro]
    arrays = [np.asarray(p._raw) for p in state]
    leaves = [b for b in jax.tree.leaves(inputs, is_leaf=lambda v: isinstance(v, Tensor)) if isinstance(b, Tensor)]

    def run(weights, values):
        outs, _, _ = entry.pure(weights[: len(entry.mut)], weights[len(entry.mut) :], values)
        return outs

    shapes = [
        [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in arrays],
        [jax.ShapeDtypeStruct(b.shape, b._data.dtype) for b in leaves],
    ]
    exported = jax_export.export(jax.jit(run), platforms=_PLATFORMS)(*shapes)
    suffix = _SUFFIX[file_format]
    path = file_name if file_name.endswith(suffix) else file_name + suffix
    _write(path, bytes(exported.serialize()), [p.name for p in state], arrays, len(leaves))
    if file_format == "MINDIR":
        log.warning(
            f"'{path}' holds StableHLO and weights for msjax (load, nn.GraphCell); MindSpore itself can not read it."
        )


def _write(path, program, names, arrays, inputs):
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    temporary = f"{path}.part"
    with zipfile.ZipFile(temporary, "w") as file:
        file.writestr("network.json", json.dumps({"made_by": "msjax", "inputs": inputs, "names": names}))
        file.writestr("program.stablehlo", program)
        content = io.BytesIO()
        np.savez(content, **{f"w{i}": a.view(np.uint8) if a.dtype.kind == "V" else a for i, a in enumerate(arrays)})
        file.writestr("weights.npz", content.getvalue())
    os.replace(temporary, path)


class Graph:
    """A loaded network: `parameters` (list of Parameters) and `run(weights, inputs)` on arrays."""

    def __init__(self, exported, parameters, inputs):
        self.exported, self.parameters, self.inputs = exported, parameters, inputs

    def run(self, weights, inputs):
        """Outputs (a list of arrays)."""
        if len(inputs) != self.inputs:
            raise ValueError(f"The loaded network takes {self.inputs} inputs, but got {len(inputs)}.")
        return self.exported.call(weights, inputs)

    def __call__(self, *inputs):
        outs = [wrap(o) for o in self.run([p._data for p in self.parameters], [b._data for b in inputs])]
        return outs[0] if len(outs) == 1 else tuple(outs)


def load(file_name, **kwargs):
    """Read a network that `export` wrote, for `nn.GraphCell`.

    Raises:
        ValueError: no such file, or one that msjax did not write.
    """
    if not os.path.exists(file_name):
        raise ValueError(f"For 'load', the file {file_name} does not exist.")
    try:
        with zipfile.ZipFile(file_name) as file:
            about = json.loads(file.read("network.json"))
            program, weights = file.read("program.stablehlo"), np.load(io.BytesIO(file.read("weights.npz")))
    except (zipfile.BadZipFile, KeyError) as error:
        raise ValueError(
            f"For 'load', the file {file_name} was not written by msjax: a MindIR file of MindSpore can not be run on JAX. Build the network "
            "from its Python code and load its checkpoint with load_checkpoint."
        ) from error
    exported = _exporter().deserialize(bytearray(program))
    arrays = [weights[f"w{i}"] for i in range(len(about["names"]))]
    wanted = jax.tree.leaves(exported.in_avals)[: len(arrays)]
    arrays = [a.view(w.dtype).reshape(w.shape) if a.dtype != w.dtype else a for a, w in zip(arrays, wanted)]
    return Graph(exported, [Parameter(Tensor(a), name=n) for n, a in zip(about["names"], arrays)], about["inputs"])


def load_mindir(file_name):
    """As `load`."""
    return load(file_name)


def save_mindir(model, file_name):
    """Write a loaded network again.

    Raises:
        TypeError: `model` was not made by `load`.
    """
    if not isinstance(model, Graph):
        raise TypeError(
            f"For 'save_mindir', the 'model' must be a network that load returned, but got {type(model).__name__}."
        )
    path = file_name if file_name.endswith(".mindir") else file_name + ".mindir"
    _write(
        path,
        bytes(model.exported.serialize()),
        [p.name for p in model.parameters],
        [np.asarray(p._raw) for p in model.parameters],
        model.inputs,
    )
