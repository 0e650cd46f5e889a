"""`mindspore.train.serialization`: saving, loading, converting, merging and encrypting checkpoint files."""

import os
import re
from typing import Any

from ..core.spec.checking import checked
from ..core.spec.rules import Like, PositiveInt
from ..core.values import dtype as mstype
from . import checkpoint_format as files
from . import safetensors_format
from .checkpoint_loading import (  # noqa: F401  projects import the names that `__all__` leaves out
    ParamDictFuture,
    _load_dismatch_prefix_params,
    _update_param,
    existing_file,
    format_of,
    load_checkpoint,
    load_checkpoint_async,
    load_param_into_net,
)
from .checkpoint_saving import async_ckpt_thread_status, save_checkpoint

__all__ = [
    "async_ckpt_thread_status",
    "check_checkpoint",
    "ckpt_to_safetensors",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_param_into_net",
    "parse_print",
    "safetensors_to_ckpt",
    "save_checkpoint",
]


def init_ckpt_file_system(fs: Any):
    """Set how checkpoint files are opened on a file system object: by Python's own `open`."""
    fs.create, fs.create_args, fs.open, fs.open_args = open, ("ab",), open, ("rb",)


def check_checkpoint(ckpt_file_name: str):
    """Whether a file can be read as a checkpoint."""
    try:
        path = existing_file(ckpt_file_name, format_of(ckpt_file_name))
        (safetensors_format.read_safetensors if path.endswith("safetensors") else files.read)(path)
    except ValueError:
        return False
    return True


@checked
def ckpt_to_safetensors(
    file_path: Like[str],
    save_path: Like[str | None] = None,
    name_map: Like[dict | None] = None,
    file_name_regex: Any = None,
    processes_num: PositiveInt = 1,
):
    """Convert a `.ckpt` file, or those in the folders `rank_*` of a folder, to `.safetensors`, beside them or in `save_path`.

    Args:
        name_map: dict that renames Parameters.
        file_name_regex: which files.
        processes_num: accepted; it is done in this process.

    Raises:
        ValueError: no such file or folder, arguments of the wrong kind, no file whose name matches.
    """
    _convert_files("ckpt_to_safetensors", file_path, save_path, name_map, file_name_regex, "ckpt", "safetensors")


@checked
def safetensors_to_ckpt(
    file_path: Like[str],
    save_path: Like[str | None] = None,
    name_map: Like[dict | None] = None,
    file_name_regex: Any = None,
    processes_num: PositiveInt = 1,
):
    """As `ckpt_to_safetensors`, the other way."""
    _convert_files("safetensors_to_ckpt", file_path, save_path, name_map, file_name_regex, "safetensors", "ckpt")


def _convert_files(where, source, target, name_map, pattern, old, new):
    if not isinstance(source, (str, os.PathLike)) or not os.path.exists(source):
        raise ValueError(f"For {where}, the input path must be a valid path or file, but got {source}")
    if target and os.path.splitext(target)[1]:
        raise ValueError(f"For {where}, the save_path must be a directory, but got '{target}'")
    if name_map is not None and not isinstance(name_map, dict):
        raise ValueError(f"For {where}, the type of 'name_map' must be a dict, but got {type(name_map)}")
    wanted = re.compile(pattern or "")
    if os.path.isfile(source):
        if not source.endswith(f".{old}"):
            raise ValueError(f"For {where}, the input file must be a .{old} file, but got {source}")
        if not wanted.search(source):
            raise ValueError(f"For {where}, the input file does not match the regular expression.")
        found = [(source, target or os.path.dirname(source))]
    else:
        ranks = sorted(d for d in os.listdir(source) if d.startswith("rank") and os.path.isdir(os.path.join(source, d)))
        if not ranks:
            raise ValueError(f"For {where}, no directories starting with 'rank' found in {source}.")
        found = [
            (os.path.join(source, rank, name), os.path.join(target or source, rank))
            for rank in ranks
            for name in sorted(os.listdir(os.path.join(source, rank)))
            if name.endswith(f".{old}") and wanted.search(name)
        ]
    for file, folder in found:
        content = load_checkpoint(file, format=old)
        renamed = {(name_map or {}).get(k, k): v for k, v in content.items()}
        name = os.path.basename(file)[: -len(old)] + new
        save_checkpoint(renamed, os.path.join(folder, name), format=new)


def parse_print(print_file_name: Any):
    """Content of a file that `ops.Print` wrote: printing goes to the standard output here, so there is no such file to read."""
    raise ValueError(
        f"The file {print_file_name} can not be read: ops.Print writes to the standard output here. Redirect that to a file instead."
    )


# --- names of types in files, for scripts that read them themselves
tensor_to_ms_type = {name: mstype.from_numpy(kind) for name, kind in files.NUMPY_TYPES.items() if name != "Int4"}


def tensor_to_np_type(tensor_type_str: Any):
    """NumPy dtype of a type name in a checkpoint ("Float32"), or None."""
    return "U" if tensor_type_str == files.STRING else files.NUMPY_TYPES.get(tensor_type_str)
