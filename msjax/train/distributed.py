"""Checkpoints of distributed training. One process writes whole files, so most functions are about files that others
wrote in slices: merging slices, and reading several files as one.
"""

import glob
import math
import os
import re
import shutil

import numpy as np

from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor
from .serialization import load_checkpoint, load_param_into_net, save_checkpoint

__all__ = [
    "build_searched_strategy",
    "convert_checkpoint_by_rank",
    "convert_checkpoints",
    "get_ckpt_path_with_strategy",
    "load_distributed_checkpoint",
    "load_segmented_checkpoints",
    "merge_pipeline_strategys",
    "merge_sliced_parameter",
    "rank_list_for_convert",
    "rank_list_for_transform",
    "restore_group_info_list",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
    "unified_safetensors",
]


def _strategy_file(function, *files):
    """RuntimeError: what to do instead of reading a strategy file."""
    if any(files):
        raise RuntimeError(
            f"For '{function}', strategy files describe slices that MindSpore's compiler made on several devices; "
            "checkpoints here are whole. Leave the strategy file out, or merge the slices of each Parameter with "
            "merge_sliced_parameter(slices, strategy)."
        )


def build_searched_strategy(strategy_filename):
    """RuntimeError: strategy files belong to MindSpore's compiler; `merge_sliced_parameter` takes strategies as dicts."""
    _strategy_file("build_searched_strategy", strategy_filename or "''")


def merge_pipeline_strategys(src_strategy_dirs, dst_strategy_file):
    """RuntimeError: strategy files belong to MindSpore's compiler."""
    _strategy_file("merge_pipeline_strategys", src_strategy_dirs or "''")


def restore_group_info_list(group_info_file_name):
    """Processes that hold the same Parameters: this one, [0].

    Raises:
        TypeError, ValueError: the name is no str, or does not end in ".pb".
    """
    if not isinstance(group_info_file_name, str):
        raise TypeError(
            "For 'restore_group_info_list', the argument 'group_info_file_name' should be str, but got "
            f"{type(group_info_file_name)}."
        )
    if not group_info_file_name.endswith(".pb"):
        raise ValueError(
            "For 'restore_group_info_list', the argument 'group_info_file_name' should end with .pb, but got "
            f"{group_info_file_name}."
        )
    return [0]


def merge_sliced_parameter(sliced_parameters, strategy=None):
    """One Parameter of its slices.

    Args:
        sliced_parameters: Parameters of one name, by rank. strategy: {name: [device matrix, tensor map, …]}, as
            MindSpore describes a layout: entry i of the tensor map is the axis of the device matrix, counted from the
            last, over which axis i of the Tensor is split, or -1; None: slices along axis 0.

    Raises:
        TypeError, ValueError: no list of Parameters of one name, or slices that do not fit the strategy. KeyError: the
        strategy does not have the name.

    Example:
        >>> merge_sliced_parameter([Parameter(Tensor([1.0]), "w"), Parameter(Tensor([2.0]), "w")])
    """
    if not isinstance(sliced_parameters, list):
        raise TypeError(
            f"For 'merge_sliced_parameter', the 'sliced_parameters' should be list, but got {type(sliced_parameters)}."
        )
    if not sliced_parameters:
        raise ValueError("For 'merge_sliced_parameter', the 'sliced_parameters' should not be empty.")
    for parameter in sliced_parameters:
        if not isinstance(parameter, Parameter):
            raise TypeError(
                "For 'merge_sliced_parameter', each element in 'sliced_parameters' should be Parameter, but got "
                f"{type(parameter)}."
            )
    first = sliced_parameters[0]
    if any(p.name != first.name for p in sliced_parameters):
        raise ValueError(
            "For 'merge_sliced_parameter', all elements in 'sliced_parameters' should have the same name, but got "
            f"{sorted({p.name for p in sliced_parameters})}."
        )
    arrays = [p.asnumpy() for p in sliced_parameters]
    if strategy is None:
        whole = np.concatenate(arrays) if arrays[0].ndim else arrays[0]
    else:
        if first.name not in strategy:
            raise KeyError(f"For 'merge_sliced_parameter', the parameter {first.name} should be one key of 'strategy'.")
        whole = _merged(arrays, *strategy[first.name][:2], first.name)
    return Parameter(Tensor(whole, first.dtype), first.name, first.requires_grad, first.layerwise_parallel)


def _merged(arrays, matrix, tensor_map, name):
    if math.prod(matrix) != len(arrays):
        raise ValueError(
            f"For 'merge_sliced_parameter', the strategy of {name} is for {math.prod(matrix)} slices, but got "
            f"{len(arrays)}."
        )
    grid = np.empty(len(arrays), object)
    for i, array in enumerate(arrays):
        grid[i] = array
    grid = grid.reshape(matrix)
    axes = [len(matrix) - 1 - m for m in tensor_map]

    def joined(place, axis):
        """The Tensor's part at one place of the device axes that are fixed so far."""
        if axis == len(axes):
            return grid[tuple(place)]
        if tensor_map[axis] == -1:
            return joined(place, axis + 1)
        parts = []
        for i in range(matrix[axes[axis]]):
            there = list(place)
            there[axes[axis]] = i
            parts.append(joined(there, axis + 1))
        return np.concatenate(parts, axis=axis)

    return joined([0] * len(matrix), 0)


def load_segmented_checkpoints(
    ckpt_file_dir,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
):
    """All `.ckpt` files of a folder as one dict of Parameters; arguments as for `load_checkpoint`.

    Raises:
        TypeError, ValueError: no folder, or none with checkpoints.
    """
    if not isinstance(ckpt_file_dir, str):
        raise TypeError(
            f"For 'load_segmented_checkpoints', the 'ckpt_file_dir' should be str, but got {type(ckpt_file_dir)}."
        )
    files = sorted(glob.glob(os.path.join(glob.escape(ckpt_file_dir), "*.ckpt")))
    if not files:
        raise ValueError(f"For 'load_segmented_checkpoints', there are no '.ckpt' files in {ckpt_file_dir}.")
    found = {}
    for file in files:
        found.update(
            load_checkpoint(file, None, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func)
        )
    if net is not None:
        load_param_into_net(net, found, strict_load)
    return found


def load_distributed_checkpoint(
    network,
    checkpoint_filenames=None,
    predict_strategy=None,
    train_strategy_filename=None,
    strict_load=False,
    dec_key=None,
    dec_mode="AES-GCM",
    format="ckpt",
    unified_safetensors_dir=None,
    dst_safetensors_dir=None,
    rank_id=None,
    output_format="safetensors",
    name_map=None,
    max_process_num=64,
    return_param_dict=False,
):
    """Load a network from the files of several processes, or from a folder of safetensors files.

    Args:
        network: Cell, or None with `return_param_dict`. checkpoint_filenames: list of files, by rank. A Parameter that
            is whole in each (of the network's shape) is taken from the first; slices are joined along the axis on which
            they add up to the network's shape. unified_safetensors_dir: folder instead. dec_key, dec_mode: as for
            `load_checkpoint`. name_map: {name in the files: name in the network}. return_param_dict: return the dict.
            Others: accepted.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, files that do not fit the network. RuntimeError: a strategy.
    """
    _strategy_file("load_distributed_checkpoint", predict_strategy, train_strategy_filename)
    if unified_safetensors_dir is not None:
        files = sorted(glob.glob(os.path.join(glob.escape(unified_safetensors_dir), "*.safetensors")))
        format = "safetensors"
    else:
        files = checkpoint_filenames
        if not isinstance(files, list):
            raise TypeError(
                "For 'load_distributed_checkpoint', the argument 'checkpoint_filenames' should be list, but got "
                f"{type(files)}."
            )
    if not files:
        raise ValueError("For 'load_distributed_checkpoint', there are no checkpoint files.")
    shapes = {p.name: p.shape for p in network.get_parameters()} if network is not None else {}
    slices = {}
    for file in files:
        for name, parameter in load_checkpoint(file, dec_key=dec_key, dec_mode=dec_mode, format=format).items():
            slices.setdefault((name_map or {}).get(name, name), []).append(parameter)
    whole = {name: _whole(name, parts, shapes.get(name)) for name, parts in slices.items()}
    if network is not None:
        load_param_into_net(network, whole, strict_load)
    return whole if return_param_dict else None


def _whole(name, parts, shape):
    first = parts[0]
    if len(parts) == 1 or shape is None or first.shape == shape:
        return first
    for axis in range(len(shape)):
        added = sum(p.shape[axis] for p in parts) if all(p.ndim == len(shape) for p in parts) else -1
        if added == shape[axis] and first.shape[:axis] + first.shape[axis + 1 :] == shape[:axis] + shape[axis + 1 :]:
            data = np.concatenate([p.asnumpy() for p in parts], axis=axis)
            return Parameter(Tensor(data, first.dtype), name)
    raise ValueError(
        f"For 'load_distributed_checkpoint', the slices of {name}, {[p.shape for p in parts]}, do not join to the "
        f"network's shape {shape}: use merge_sliced_parameter with the strategy."
    )


def rank_list_for_transform(rank_id, src_strategy_file=None, dst_strategy_file=None):
    """Files that a process needs: those of its own, [rank_id], since files are whole."""
    _strategy_file("rank_list_for_transform", src_strategy_file, dst_strategy_file)
    if isinstance(rank_id, bool) or not isinstance(rank_id, int):
        raise TypeError(f"The rank_id should be a int, but got {type(rank_id)}.")
    return [rank_id]


def transform_checkpoint_by_rank(
    rank_id, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file=None, dst_strategy_file=None
):
    """Write the file of a process again under another name; files are whole.

    Raises:
        TypeError, ValueError: no dict from rank to file, or none for this rank; a name without ".ckpt".
    """
    _strategy_file("transform_checkpoint_by_rank", src_strategy_file, dst_strategy_file)
    if not isinstance(checkpoint_files_map, dict):
        raise TypeError(f"The checkpoint_files_map should be a dict, but got {type(checkpoint_files_map)}.")
    if not isinstance(save_checkpoint_file_name, str):
        raise TypeError(f"The save_checkpoint_file_name should be a str, but got {type(save_checkpoint_file_name)}.")
    if not save_checkpoint_file_name.endswith(".ckpt"):
        raise ValueError(f"The save_checkpoint_file_name should end with .ckpt, but got {save_checkpoint_file_name}.")
    if rank_id not in checkpoint_files_map:
        raise ValueError(f"The checkpoint of rank {rank_id} is not in checkpoint_files_map.")
    found = load_checkpoint(checkpoint_files_map[rank_id])
    save_checkpoint([{"name": name, "data": p} for name, p in found.items()], save_checkpoint_file_name)


def transform_checkpoints(
    src_checkpoints_dir,
    dst_checkpoints_dir,
    ckpt_prefix,
    src_strategy_file=None,
    dst_strategy_file=None,
    process_num=1,
    output_format="ckpt",
):
    """Write the newest checkpoint of each folder `rank_<n>` to `rank_<n>/<ckpt_prefix><n>.<format>` in another folder.

    Raises:
        NotADirectoryError: there is no such folder. ValueError: it has no `rank_<n>`; another format. RuntimeError: a
        strategy.
    """
    _strategy_file("transform_checkpoints", src_strategy_file, dst_strategy_file)
    if not os.path.isdir(src_checkpoints_dir):
        raise NotADirectoryError(f"src_checkpoints_dir {src_checkpoints_dir} is not a directory.")
    if output_format not in ("ckpt", "safetensors"):
        raise ValueError(
            f"For 'transform_checkpoints', the output_format must be 'ckpt' or 'safetensors', but got {output_format}."
        )
    ranks = sorted(int(m[1]) for m in map(re.compile(r"rank_(\d+)").fullmatch, os.listdir(src_checkpoints_dir)) if m)
    if not ranks:
        raise ValueError(f"For 'transform_checkpoints', there are no folders rank_<number> in {src_checkpoints_dir}.")
    for rank in ranks:
        files = [
            f
            for kind in ("ckpt", "safetensors")
            for f in glob.glob(os.path.join(glob.escape(src_checkpoints_dir), f"rank_{rank}", f"*.{kind}"))
        ]
        if not files:
            continue
        newest = max(files, key=os.path.getmtime)
        target = os.path.join(dst_checkpoints_dir, f"rank_{rank}", f"{ckpt_prefix}{rank}.{output_format}")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        source_format = newest.rpartition(".")[2]
        if source_format == output_format:
            shutil.copyfile(newest, target)
        else:
            found = load_checkpoint(newest, format=source_format)
            save_checkpoint([{"name": name, "data": p} for name, p in found.items()], target, format=output_format)


def unified_safetensors(
    src_dir,
    src_strategy_file,
    dst_dir,
    merge_with_redundancy=True,
    file_suffix=None,
    max_process_num=64,
    choice_func=None,
    split_dst_file=(),
):
    """Write all Parameters of the safetensors files below a folder into one, `part0.safetensors`.

    Args:
        src_dir: folder with `rank_<n>/*.safetensors`. src_strategy_file: None: files are whole. dst_dir: folder.
        file_suffix: only files whose names end so. choice_func: function of a name: whether to keep it, or its new
            name.

    Raises:
        ValueError: there are no files. RuntimeError: a strategy.
    """
    _strategy_file("unified_safetensors", src_strategy_file)
    pattern = f"*{glob.escape(file_suffix or '')}.safetensors"
    files = sorted(glob.glob(os.path.join(glob.escape(src_dir), "**", pattern), recursive=True))
    if not files:
        raise ValueError(f"For 'unified_safetensors', the directory {src_dir} does not contain any files of {pattern}.")
    found = {}
    for file in files:
        for name, parameter in load_checkpoint(file, format="safetensors").items():
            chosen = choice_func(name) if choice_func is not None else True
            if chosen is not False:
                found.setdefault(chosen if isinstance(chosen, str) else name, parameter)
    os.makedirs(dst_dir, exist_ok=True)
    save_checkpoint(
        [{"name": name, "data": p} for name, p in found.items()],
        os.path.join(dst_dir, "part0.safetensors"),
        format="safetensors",
    )


def get_ckpt_path_with_strategy(cur_ckpt_path, cur_strategy_path):
    """The checkpoint to go on with after a failure: the process's own file, or None if it is not there."""
    return cur_ckpt_path if os.path.isfile(cur_ckpt_path) else None


rank_list_for_convert = rank_list_for_transform
convert_checkpoint_by_rank = transform_checkpoint_by_rank
convert_checkpoints = transform_checkpoints
