"""Exporting networks: StableHLO with the weights, which runs on CPU, GPU and TPU without the network's Python code; and ONNX.

A file is a zip archive that plain JAX can run:

    archive = zipfile.ZipFile("net.stablehlo")
    about = json.loads(archive.read("network.json"))                    # names, shapes and dtypes of weights and inputs
    weights = np.load(io.BytesIO(archive.read("weights.npz")))          # w0, w1, ...
    program = jax.export.deserialize(bytearray(archive.read("program.stablehlo")))
    outputs = program.call([weights[f"w{i}"] for i in range(len(about["weights"]))], [x])

After the outputs of a network that writes Parameters (a training step) come their new values, in the order of about["writes"]["main"].
about["results"]["main"] is the form of the outputs (`stored_results.py`).

MindSpore's own formats need its compiler. `file_format="MINDIR"` writes the same content under the name `….mindir`, which `load` and
`nn.GraphCell` read back; MindSpore itself cannot read it, which is said. Of MindSpore's own MindIR files the weights can be read.
"""

import io
import json
import numbers
import os
import zipfile
from collections.abc import Callable
from typing import Any, TypedDict, Unpack

import jax
import numpy as np

from .. import log
from ..core.host import wide
from ..core.spec.checking import checked
from ..core.spec.rules import Like
from ..core.trace.control_flow import as_unstageable
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor, wrap
from ..files.archives import Unpacking, read_npz
from ..nn.cell.cell import Cell
from ..nn.cell.functional import functional
from .checkpoint_format import NUMPY_TYPES, replace_file
from .dataset_helper import as_inputs
from .mindir import is_mindir, read_mindir
from .onnx import write_onnx
from .stored_program import read_program
from .stored_results import described, number_of_arrays, rebuilt

__all__ = ["export", "load", "load_mindir", "save_mindir"]

_PLATFORMS = ("cpu", "cuda", "tpu")
_WEIGHT_TYPES = {kind.name: kind for kind in NUMPY_TYPES.values()}
_SUFFIX = {"MINDIR": ".mindir", "STABLEHLO": ".stablehlo", "ONNX": ".onnx"}


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


class ExportOptions(TypedDict, total=False):
    """Keywords of MindSpore's `export`."""

    enc_key: bytes
    enc_mode: str | Callable
    dataset: Any
    incremental: bool
    custom_func: Callable | None
    obf_config: dict
    quant_mode: str
    mean: float
    std_dev: float


class LoadOptions(TypedDict, total=False):
    """Keywords of MindSpore's `load`."""

    dec_key: bytes
    dec_mode: str | Callable
    obf_func: Callable


@checked
def export(
    net: Callable,
    *inputs,
    file_name: Like[str],
    file_format: Any,
    functions: Any = None,
    **kwargs: Unpack[ExportOptions],
) -> None:
    """Write a network with its weights to a file.

    Args:
        net: Cell or function.
        inputs: example Tensors, or a dataset whose first batch serves; numbers, str and None stand in the program as they are, and the loaded network
            is not given them. A Tensor without content whose shape has None, `Tensor(shape=[None, 3], dtype=mindspore.float32)`, stands for inputs of
            any size there; the first axes have one size.
        file_name: path; the suffix is added.
        file_format: "STABLEHLO", "MINDIR" (see the module) or "ONNX", a str or list of them.
        functions: further functions of the same weights (methods of the network, other Cells around it): dict from name to (function, inputs). Other
            keywords of MindSpore's are accepted.

    Raises:
        ValueError: AIR, or an unknown format. ImportError: flatbuffers, or for ONNX jax2onnx, is missing.
        RuntimeError: the network can not be written: it draws random numbers, or has no form with axes of any size.

    Example:
        >>> from mindspore import export
        >>> export(net, x, file_name="net", file_format="MINDIR")
    """
    formats = file_format.split(",") if isinstance(file_format, str) else file_format
    for name in formats:
        if name not in _SUFFIX:
            raise ValueError(
                f"For 'export', the 'file_format' must be one of ['ONNX', 'MINDIR', 'STABLEHLO'], but got {name}."
                + (" AIR files are for Ascend's own compiler." if name == "AIR" else "")
            )
    parts = {"main": (net, inputs)} | dict(functions or {})
    for part, (function, given) in parts.items():
        if len(given) == 1 and hasattr(given[0], "create_tuple_iterator"):
            parts[part] = function, as_inputs(next(iter(given[0].create_tuple_iterator(num_epochs=1))))
    training = getattr(net, "training", False)
    if isinstance(net, Cell):
        net.set_train(False)
    try:
        for name in formats:
            path = file_name if file_name.endswith(_SUFFIX[name]) else file_name + _SUFFIX[name]
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            (_write_onnx if name == "ONNX" else _write_stablehlo)(path, parts)
            if name == "MINDIR":
                log.warning(
                    f"'{path}' holds StableHLO and weights for msjax (load, nn.GraphCell); MindSpore itself can not read it."
                )
    finally:
        if training:
            net.set_train(True)


@wide
def _write_stablehlo(path, parts):
    jax_export = _exporter()
    programs, state, about, writes, results = {}, {}, {}, {}, {}
    pure = {name: functional(function, mutable=True) for name, (function, _) in parts.items()}
    for _, values in pure.values():
        state.update(values)
    specs = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in state.values()]
    for name, (_, inputs) in parts.items():
        function, values = pure[name]
        inputs, filled = _leaves(inputs)
        shapes = _shapes(inputs, jax_export)

        def run(weights, given, function=function, names=tuple(values), name=name, filled=filled):
            known = dict(zip(state, weights))
            result, after = function({n: known[n] for n in names}, *filled(given))
            changed = [n for n in after if after[n] is not known[n]]
            writes[name] = [list(state).index(n) for n in changed]
            results[name] = described(result, arrays := [])
            return [*arrays, *(after[n] for n in changed)]

        try:
            exported = jax_export.export(jax.jit(run), platforms=_PLATFORMS)(specs, shapes)
        except Exception as error:
            cause = as_unstageable(error)
            if cause is None and not isinstance(error, jax.errors.JaxRuntimeError):
                raise
            raise RuntimeError(f"For 'export', '{name}' can not be written: {cause or error}") from error
        programs[name] = bytes(exported.serialize())
        about[name] = [{"shape": list(map(str, s.shape)), "dtype": str(s.dtype)} for s in shapes]
    _write(path, programs, state, about, writes, results)


def _leaves(inputs, others=(numbers.Number, str, type(None))):
    """(the Tensors in the inputs, which may be tuples, lists and dicts of them; what puts other values in their places).

    `others` are the types of what else may be among them. It belongs to the program: it stands in it as it was, and a loaded network is not
    given it.

    Raises:
        TypeError: something else is among them.
    """
    leaves, structure = jax.tree.flatten(inputs, is_leaf=lambda v: v is None or isinstance(v, Tensor))
    for i, leaf in enumerate(leaves):
        if not isinstance(leaf, (Tensor, *others)):
            raise TypeError(
                f"The inputs of {'an exported' if others else 'a loaded'} network must be Tensors{', numbers, str or None' * bool(others)}, "
                f"but got {type(leaf).__name__} at position {i}."
            )
    places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]

    def filled(values):
        given = list(leaves)
        for i, value in zip(places, values, strict=True):
            given[i] = value
        return jax.tree.unflatten(structure, given)

    return [leaves[i] for i in places], filled


def _shapes(inputs, jax_export):
    """The shapes of inputs; axes of any size are symbols, those in front one symbol for all."""
    scope = jax_export.SymbolicScope()
    made = []
    for i, box in enumerate(inputs):
        names = [
            str(n) if isinstance(n, int) and n >= 0 else "batch" if axis == 0 else f"size_{i}_{axis}"
            for axis, n in enumerate(box.shape)
        ]
        shape = jax_export.symbolic_shape(", ".join(names), scope=scope) if names else ()
        made.append(jax.ShapeDtypeStruct(shape, box.jax_array.dtype))
    return made


def _write_onnx(path, parts):
    if len(parts) > 1:
        raise ValueError("For 'export', an ONNX file holds one function: give 'functions' to other formats.")
    net, inputs = parts["main"]
    inputs, filled = _leaves(inputs)
    write_onnx(net, [(tuple(s.shape), s.dtype) for s in _shapes(inputs, jax.export)], path, filled=filled)


def _write(path, programs, weights, inputs, writes, results):
    """The archive, under another name first."""
    arrays = {name: np.asarray(a) for name, a in weights.items()}
    about = {
        "made_by": "msjax",
        "weights": [{"name": n, "shape": list(a.shape), "dtype": a.dtype.name} for n, a in arrays.items()],
        "functions": inputs,
        "writes": writes,
        "results": results,
    }

    def write(out):
        with zipfile.ZipFile(out, "w") as file:
            file.writestr("network.json", json.dumps(about))
            for name, program in programs.items():
                file.writestr("program.stablehlo" if name == "main" else f"functions/{name}.stablehlo", program)
            content = io.BytesIO()
            # NumPy's files know no bfloat16 and float8: their bytes
            plain = [a.view(np.uint8) if a.dtype.kind == "V" and a.ndim else a for a in arrays.values()]
            np.savez(content, **{f"w{i}": a for i, a in enumerate(plain)})
            file.writestr("weights.npz", content.getvalue())

    replace_file(path, write)


class Graph:
    """A loaded network.

    `parameters` is a list of Parameters, `functions` a dict from name to the program of a function, `inputs` from name to the shapes
    and dtypes of what it takes, `writes` to the positions of the Parameters that it writes (a training step), `results` to the form of
    its outputs; `run(weights, inputs)` works on arrays, a call on Tensors, `call(name, ...)` on Tensors, too.
    """

    def __init__(self, functions: Any, parameters: Any, inputs: Any, writes: Any, results: Any):
        self.functions, self.parameters, self.inputs, self.writes = functions, parameters, inputs, writes
        self.results = results

    def run(self, weights: Any, inputs: Any, name: str = "main"):
        """Outputs of a function (a list of arrays), after them the new values of the Parameters that it writes."""
        if name not in self.functions:
            raise ValueError(f"The loaded network has no function '{name}'; it has {sorted(self.functions)}.")
        wanted = self.inputs[name]
        if len(inputs) != len(wanted):
            raise ValueError(f"The loaded network takes {len(wanted)} inputs, but got {len(inputs)}.")
        for i, (given, want) in enumerate(zip(inputs, wanted)):
            sizes = [int(n) if n.isdigit() else None for n in want["shape"]]
            if (
                str(given.dtype) != want["dtype"]
                or len(given.shape) != len(sizes)
                or any(n not in (None, m) for n, m in zip(sizes, given.shape))
            ):
                raise ValueError(
                    f"Input {i} of the loaded network must be {want['dtype']} of shape ({', '.join(want['shape'])}), but got "
                    f"{given.dtype} of shape {tuple(given.shape)}."
                )
        return self.functions[name].call(weights, inputs)

    def call(self, name: str, *inputs):
        """Outputs of a function, on Tensors; writes the Parameters that it writes."""
        arrays = [leaf.jax_array for leaf in _leaves(inputs, others=())[0]]
        outs = list(self.run([p.jax_array for p in self.parameters], arrays, name))
        written = self.writes.get(name, [])
        for position in reversed(written):
            self.parameters[position].assign_value(wrap(outs.pop()))
        if name in self.results:
            return rebuilt(self.results[name], iter(outs))
        outs = [wrap(o) for o in outs]  # a file that an older version wrote
        return outs[0] if len(outs) == 1 else tuple(outs)

    def __call__(self, *inputs):
        return self.call("main", *inputs)


def load(file_name: str, **kwargs: Unpack[LoadOptions]):
    """Read a network that `export` wrote, for `nn.GraphCell`.

    Raises:
        ValueError: no such file, or one that msjax did not write; of MindSpore's own files it is said what can be read.
    """
    if not os.path.exists(file_name):
        raise ValueError(f"For 'load', the file {file_name} does not exist.")
    if is_mindir(file_name):
        found = read_mindir(file_name)
        raise ValueError(
            f"For 'load', {file_name} is a MindIR file of MindSpore: its {len(found.operators)} operators can not be run "
            f"on JAX. Its {len(found.weights)} weights can be read with msjax.train.mindir.load_weights, or written to a checkpoint with "
            "`python -m msjax convert`. Build the network from its Python code and load them."
        )
    _exporter()
    try:
        about, programs, weights = _read(file_name)
        functions = {name: read_program(program) for name, program in programs.items()}
        results, writes = about.get("results", {}), about.get("writes", {})
        for name, form in results.items():
            wanted, given = number_of_arrays(form) + len(writes[name]), len(functions[name].out_avals)
            if wanted != given:
                raise ValueError(f"its function '{name}' gives {given} arrays, and {wanted} are described")
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise ValueError(
            f"For 'load', the file {file_name} was not written by msjax or is damaged, and is no MindIR file either: {error}"
        ) from error
    parameters = [Parameter(Tensor(array), name=name) for name, array in weights]
    return Graph(functions, parameters, about["functions"], writes, results)


def _read(file_name):
    """(the file's header, its programs by name, names and arrays of its weights)"""
    with Unpacking(file_name) as file:
        about = json.loads(file.read("network.json"))
        programs = {
            name: file.read("program.stablehlo" if name == "main" else f"functions/{name}.stablehlo")
            for name in about["functions"]
        }
        arrays = read_npz(io.BytesIO(file.read("weights.npz")), size=file.size)
    weights = []
    for i, weight in enumerate(about["weights"]):
        name, kind, array = weight["name"], weight["dtype"], arrays[f"w{i}"]
        if not isinstance(name, str) or kind not in _WEIGHT_TYPES:
            raise ValueError(f"its weight {i} is called {name!r} and is of the type {kind!r}")
        kind = _WEIGHT_TYPES[kind]
        array = array if array.dtype == kind else array.view(kind).reshape(weight["shape"])
        if list(array.shape) != weight["shape"]:
            raise ValueError(f"its weight '{name}' has the shape {array.shape}, not {weight['shape']}")
        weights.append((name, array))
    return about, programs, weights


def load_mindir(file_name: str):
    """As `load`."""
    return load(file_name)


@checked
def save_mindir(model: Graph, file_name: Like[str]):
    """Write a loaded network again.

    Raises:
        TypeError: `model` was not made by `load`.
    """
    path = file_name if file_name.endswith(".mindir") else file_name + ".mindir"
    programs = {name: bytes(exported.serialize()) for name, exported in model.functions.items()}
    _write(path, programs, {p.name: p._made() for p in model.parameters}, model.inputs, model.writes, model.results)
