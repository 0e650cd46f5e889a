"""Files of weights, read and written as dicts from names to NumPy arrays: checkpoints, safetensors, `.npz`, Orbax, and PyTorch's to read.

PyTorch's files are pickles. Only what tensors are made of is ever looked up in them; anything else is an error, nothing is executed.
"""

import collections
import os
import pickle
import zipfile

import ml_dtypes
import numpy as np

from . import checkpoint_format as files
from . import safetensors_format
from .mindir import is_mindir, read_mindir

__all__ = ["read_weights", "torch_to_mindspore", "write_weights"]

_TORCH = (".pth", ".pt", ".bin")


def read_weights(path):
    """The arrays of a file, in its order; what else is in it (strings) is left out.

    Raises:
        ValueError: an unknown kind of file, or a damaged one. ImportError: the package that reads it is missing.
    """
    path = os.fspath(path)
    if not os.path.exists(path):
        raise ValueError(f"There is no file {path}.")
    if os.path.isdir(path):
        return {name: np.asarray(value) for name, value in _flat(_orbax().restore(os.path.abspath(path)))}
    if path.endswith(".ckpt"):
        return {
            name: value for name, (value, kind) in files.read(path).items() if kind not in (files.STRING, files.MAP)
        }
    if path.endswith(".safetensors"):
        return {name: value for name, (value, _) in safetensors_format.read_safetensors(path)[0].items()}
    if path.endswith(".npz"):
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    if path.endswith(_TORCH):
        return _read_torch(path)
    if is_mindir(path):
        return read_mindir(path).weights
    raise ValueError(
        f"{path} is none of .ckpt, .safetensors, .npz, .pth, .pt, .bin, .mindir of MindSpore, and no folder of Orbax."
    )


def write_weights(path, arrays):
    """Write arrays to a file of the kind that its name says; a name without suffix is a folder of Orbax.

    Raises:
        ValueError: a kind that is only read.
    """
    path = os.fspath(path)
    entries = [(name, array, files.type_name(np.asarray(array))) for name, array in arrays.items()]
    if path.endswith(".ckpt"):
        files.write(path, entries)
    elif path.endswith(".safetensors"):
        safetensors_format.write_safetensors(path, entries)
    elif path.endswith(".npz"):
        for name, array, _ in entries:
            if array.dtype.kind == "V":
                raise ValueError(f"'{name}' is {array.dtype}, which .npz files do not know: write .safetensors.")
        np.savez(path, **arrays)
    elif not os.path.splitext(path)[1]:
        _orbax().save(os.path.abspath(path), dict(arrays))
    else:
        raise ValueError(
            f"{path} can not be written: use .ckpt, .safetensors, .npz, or a name without suffix for Orbax."
        )


def _orbax():
    try:
        import orbax.checkpoint  # only for its folders
    except ImportError as error:
        raise ImportError("Folders of Orbax need the package orbax-checkpoint: pip install 'msjax[orbax]'.") from error
    return orbax.checkpoint.PyTreeCheckpointer()


def _flat(tree, prefix=""):
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


# --- PyTorch
_STORAGES = {
    "FloatStorage": "float32", "DoubleStorage": "float64", "HalfStorage": "float16", "BFloat16Storage": "bfloat16",
    "LongStorage": "int64", "IntStorage": "int32", "ShortStorage": "int16", "CharStorage": "int8", "ByteStorage": "uint8",
    "BoolStorage": "bool", "ComplexFloatStorage": "complex64", "ComplexDoubleStorage": "complex128", "UntypedStorage": "uint8",
}  # fmt: skip


def _tensor(storage, offset, size, stride, *_):
    """torch._utils._rebuild_tensor_v2"""
    last = offset + sum((n - 1) * s for n, s in zip(size, stride)) if all(size) else offset - 1
    if offset < 0 or any(s < 0 for s in stride) or last >= len(storage):
        raise ValueError("a tensor reaches past its storage")
    strides = [s * storage.itemsize for s in stride]
    return np.lib.stride_tricks.as_strided(storage[offset:], tuple(size), strides).copy()


_ALLOWED = {
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("torch._utils", "_rebuild_parameter"): lambda data, *_: data,
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("collections", "defaultdict"): collections.defaultdict,
} | {("torch", name): np.dtype(getattr(ml_dtypes, kind, kind)) for name, kind in _STORAGES.items()}


class _TorchUnpickler(pickle.Unpickler):
    def __init__(self, stream, archive, folder):
        super().__init__(stream)
        self.archive, self.folder, self.storages = archive, folder, {}

    def find_class(self, module, name):
        try:
            return _ALLOWED[module, name]
        except KeyError:
            raise ValueError(
                f"it asks for {module}.{name}, which is no part of a tensor. Save the state_dict alone (torch.save(net.state_dict(), ...))"
            ) from None

    def persistent_load(self, about):
        kind, dtype, key = about[:3]
        if kind != "storage" or not isinstance(dtype, np.dtype):
            raise ValueError(f"it holds a {kind!r} of {dtype!r}")
        if key not in self.storages:
            self.storages[key] = np.frombuffer(self.archive.read(f"{self.folder}/data/{key}"), dtype)
        return self.storages[key]


def _read_torch(path):
    if not zipfile.is_zipfile(path):
        raise ValueError(
            f"{path} is no file of PyTorch 1.6 or later (a zip archive). Load it in PyTorch and save it again."
        )
    try:
        with zipfile.ZipFile(path) as archive:
            (name,) = [n for n in archive.namelist() if n.endswith("/data.pkl")]
            with archive.open(name) as stream:
                content = _TorchUnpickler(stream, archive, name.rpartition("/")[0]).load()
    except Exception as error:  # a pickle may fail in any way
        raise ValueError(f"{path} can not be read: {error}.") from error
    for wrapper in ("state_dict", "model", "model_state_dict"):
        if isinstance(content, dict) and isinstance(content.get(wrapper), dict):
            content = content[wrapper]
    found = (
        {name: value for name, value in _flat(content) if isinstance(value, np.ndarray)}
        if isinstance(content, dict)
        else {}
    )
    if not found:
        raise ValueError(f"{path} holds no dict of tensors.")
    return found


def torch_to_mindspore(arrays):
    """The same arrays under the names that MindSpore's layers give them.

    Weights and biases of normalizations (one axis) become gamma and beta, their statistics moving_mean and moving_variance, the table
    of an embedding embedding_table; counters of batches are left out.
    """
    renamed = {}
    for name, array in arrays.items():
        owner, _, last = name.rpartition(".")
        inside = f"{owner}." if owner else ""
        weight = arrays.get(f"{inside}weight")
        norm = weight is not None and weight.ndim == 1
        if last == "num_batches_tracked":
            continue
        if last in ("running_mean", "running_var"):
            last = {"running_mean": "moving_mean", "running_var": "moving_variance"}[last]
        elif norm and last in ("weight", "bias"):
            last = {"weight": "gamma", "bias": "beta"}[last]
        elif last == "weight" and array.ndim == 2 and f"{inside}bias" not in arrays and _is_embedding(owner):
            last = "embedding_table"
        renamed[inside + last] = array
    return renamed


def _is_embedding(owner):
    last = owner.rpartition(".")[2].lower()
    return "embed" in last or last in ("wte", "wpe", "word_embeddings", "shared")
