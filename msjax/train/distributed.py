"""Checkpoints of distributed training: files in slices merged, read as one, and cut otherwise, as strategy files say."""

import glob
import math
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

from ..core.settings.context import get_auto_parallel_context
from ..core.spec.checking import checked
from ..core.spec.rules import Like, NonEmpty
from ..core.values.deferred import of_array
from ..core.values.parameter import Parameter
from ..parallel import get_rank
from . import redistribution, strategy_files
from .checkpoint_loading import load_checkpoint, load_param_into_net
from .checkpoint_saving import save_checkpoint
from .joined_arrays import concatenated, cut_out, like, merged, merged_of_all
from .redundancy import get_ckpt_path_with_strategy as get_ckpt_path_with_strategy
from .unified import load_unified

if TYPE_CHECKING:
    from ..nn.cell.cell import Cell

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


_FORMATS = ("ckpt", "safetensors")


def build_searched_strategy(strategy_filename: Any):
    """How Parameters are cut, read from a strategy file: {name: ParallelLayouts}, or None for None.

    Raises:
        TypeError, ValueError: no name of a file, no such file, or one of another kind.
    """
    return None if strategy_filename is None else strategy_files.read(strategy_filename).layouts


def merge_pipeline_strategys(src_strategy_dirs: Any, dst_strategy_file: str | None):
    """Write the strategy files of a folder, one for each stage of a pipeline, as one; names get their stage in front.

    Raises:
        NotADirectoryError: there is no such folder. ValueError: it has files of both kinds, or one without strategies.
    """
    if not os.path.isdir(src_strategy_dirs):
        raise NotADirectoryError(f"src_strategy_dirs {src_strategy_dirs} is not a directory.")
    found = {
        kind: sorted(glob.glob(os.path.join(glob.escape(src_strategy_dirs), f"*.{kind}"))) for kind in ("ckpt", "json")
    }
    if all(found.values()):
        raise ValueError("The strategys format should be all '.ckpt' or all '.json'")
    merged, stages = strategy_files.StrategyFile({}, {}), set()
    for name in found["ckpt"] or found["json"]:
        content = strategy_files.read(name)
        if not content.strategies or not content.layouts:
            raise ValueError(f"The strategy file {name} is empty")
        if content.first_stage in stages:
            continue
        stages.add(content.first_stage)
        merged.strategies.update(content.strategies)
        staged = all(strategy_files.STAGED.match(key) for key in content.layouts)  # a file of all stages
        merged.layouts.update(
            (key if staged else f"{content.first_stage}-{key}", layout) for key, layout in content.layouts.items()
        )
    strategy_files.write(dst_strategy_file, merged)


@checked
def restore_group_info_list(group_info_file_name: str):
    """The ranks that hold the same Parameters, read from a group file.

    Raises:
        TypeError, ValueError: no name of a file, no such file, or an empty one.
    """
    if not os.path.isfile(group_info_file_name):
        raise ValueError(f"For 'restore_group_info_list', no such group information file: {group_info_file_name}.")
    if not os.path.getsize(group_info_file_name):
        raise ValueError("For 'restore_group_info_list', the group information file should not be empty.")
    return strategy_files.read_groups(group_info_file_name)


@checked
def merge_sliced_parameter(sliced_parameters: Annotated[list, NonEmpty], strategy: Any = None):
    """One Parameter of its slices.

    Args:
        sliced_parameters: Parameters of one name, by rank.
        strategy: {name: layout} of `build_searched_strategy`, or with lists (see `strategy_files.py`); None: slices along axis 0.

    Raises:
        TypeError, ValueError: no list of Parameters of one name, or slices that do not fit the strategy. KeyError: the
        strategy does not have the name.

    Example:
        >>> from mindspore import merge_sliced_parameter
        >>> print(merge_sliced_parameter([Parameter(Tensor([1.0]), "w"), Parameter(Tensor([2.0]), "w")]))
        Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True)
    """
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
    if strategy is None:
        whole = concatenated(sliced_parameters, 0) if first.ndim else of_array(first._made())
    else:
        if first.name not in strategy:
            raise KeyError(f"For 'merge_sliced_parameter', the parameter {first.name} should be one key of 'strategy'.")
        layout = strategy_files.listed({first.name: strategy[first.name]})[first.name]
        whole = merged_of_all(sliced_parameters, layout, first.name)
    made = like(whole, first)
    made._made()  # before the slices change
    return made


@checked
def load_segmented_checkpoints(
    ckpt_file_dir: str,
    net: "Cell | None" = None,
    strict_load: Like[bool] = False,
    filter_prefix: Any = None,
    dec_key: Like[bytes | None] = None,
    dec_mode: Any = "AES-GCM",
    specify_prefix: Any = None,
    choice_func: Like[Callable | None] = None,
):
    """All `.ckpt` files of a folder as one dict of Parameters; arguments as for `load_checkpoint`.

    Raises:
        TypeError, ValueError: no folder, or none with checkpoints.
    """
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


def _check_safetensors(folder, of_ckpt_files):
    """Raise ValueError without a folder of safetensors files, or for an argument that means something for "ckpt" files only."""
    for name, value in of_ckpt_files.items():
        if value is not None:
            raise ValueError(
                f"For 'load_distributed_checkpoint', '{name}' must have its default when the format is 'safetensors', but got {value}."
            )
    if folder is None:
        raise ValueError(
            "For 'load_distributed_checkpoint', 'unified_safetensors_dir' can not be None when the format is 'safetensors'."
        )


def _check_files(files):
    if not isinstance(files, list):
        raise TypeError(
            f"For 'load_distributed_checkpoint', the argument 'checkpoint_filenames' should be list, but got {type(files)}."
        )
    if not files:
        raise ValueError("For 'load_distributed_checkpoint', there are no checkpoint files.")


def _layouts_of_training(strategy_file, count):
    """{name: layout} of the run that wrote `count` files, by its strategy file; None if there is none."""
    strategy_file = strategy_file or get_auto_parallel_context("strategy_ckpt_load_file") or None
    layouts = strategy_files.listed(build_searched_strategy(strategy_file)) if strategy_file else None
    if not layouts:
        return layouts
    first = next(iter(layouts.values()))
    devices = strategy_files.Cut(first, len(first[1])).devices
    if devices != count:
        raise ValueError(
            "For 'Load_distributed_checkpoint', the length of 'checkpoint_filenames' should be equal to the device "
            f"count of training process. But got the length of 'checkpoint_filenames' is {count} and the device "
            f"count is {devices}."
        )
    return layouts


def load_distributed_checkpoint(
    network: "Cell",
    checkpoint_filenames: Any = None,
    predict_strategy: Any = None,
    train_strategy_filename: Any = None,
    strict_load: bool = False,
    dec_key: bytes | None = None,
    dec_mode: Any = "AES-GCM",
    format: str = "ckpt",
    unified_safetensors_dir: Any = None,
    dst_safetensors_dir: Any = None,
    rank_id: int | None = None,
    output_format: str = "safetensors",
    name_map: dict | None = None,
    max_process_num: int = 64,
    return_param_dict: bool = False,
):
    """Load a network from the files of several processes, or from a folder of safetensors files.

    Args:
        network: Cell; None for safetensors files: then they are written again as each rank holds them.
        checkpoint_filenames: list of files, by rank. A Parameter that is whole in each (of the network's shape) is taken from the first; slices are
            joined along the axis on which they add up to the network's shape.
        predict_strategy: how the network is cut: a strategy file, or {name: layout}.
        train_strategy_filename: how the files are cut.
        strict_load, dec_key, dec_mode: as for `load_checkpoint`; of files of the format "ckpt".
        format: "ckpt" or "safetensors".
        unified_safetensors_dir: folder of safetensors files that hold the Parameters whole, for the format "safetensors".
        dst_safetensors_dir: folder to write to where there is no network: `rank_<n>/net.<output_format>`.
        rank_id: the rank that is written, or whose slices are loaded; by default all, or this process's own.
        output_format: "safetensors" or "ckpt", of the files that are written.
        name_map: {name in the files: name in the network}; for safetensors files {name in the network: name in the files}, as in MindSpore.
        max_process_num: accepted.
        return_param_dict: return {name: Parameter}; of safetensors files instead of loading them.

    Returns:
        True; for a network and safetensors files the names that were not loaded, of the network and of the files.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, files that do not fit the network or the strategy.
    """
    if format not in _FORMATS or output_format not in _FORMATS:
        raise ValueError(
            f"For 'load_distributed_checkpoint', 'format' and 'output_format' must be 'ckpt' or 'safetensors', but got {format} and {output_format}."
        )
    if format == "safetensors":
        of_ckpt_files = {
            "checkpoint_filenames": checkpoint_filenames,
            "train_strategy_filename": train_strategy_filename,
            "dec_key": dec_key,
            "strict_load": strict_load or None,
            "dec_mode": None if dec_mode == "AES-GCM" else dec_mode,
        }
        _check_safetensors(unified_safetensors_dir, of_ckpt_files)
        return load_unified(
            network,
            unified_safetensors_dir,
            _read_predicted(predict_strategy),
            dst_safetensors_dir,
            rank_id,
            output_format,
            name_map,
            return_param_dict,
        )
    files = checkpoint_filenames
    _check_files(files)
    layouts = _layouts_of_training(train_strategy_filename, len(files))
    shapes = {p.name: p.shape for p in network.get_parameters()} if network is not None else {}
    slices = {}
    for file in files:
        for name, parameter in load_checkpoint(file, dec_key=dec_key, dec_mode=dec_mode, format=format).items():
            slices.setdefault((name_map or {}).get(name, name), []).append(parameter)
    wanted = _read_predicted(predict_strategy)
    found = {}
    for name, parts in slices.items():
        if layouts and name in layouts:
            found[name] = like(merged_of_all(parts, layouts[name], name), parts[0])
        else:
            found[name] = _whole(name, parts, shapes.get(name))
        layout = wanted.get(name)
        if layout is not None and shapes.get(name) != found[name].shape:  # a network of slices
            cut = strategy_files.Cut(layout, found[name].ndim)
            own = cut.where(get_rank() if rank_id is None else rank_id, found[name].shape)
            found[name] = like(cut_out(found[name], own), parts[0])
    if network is not None:
        load_param_into_net(network, found, strict_load)
    return found if return_param_dict else True


def _read_predicted(strategy):
    """{name: layout} of the network that predicts: a dict of lists, a strategy file, or None."""
    if isinstance(strategy, str):
        return strategy_files.listed(build_searched_strategy(strategy))
    for layout in (strategy or {}).values():
        if not isinstance(layout, (list, tuple)) or len(layout) < 4:
            raise ValueError(
                "For 'load_distributed_checkpoint', the argument 'predict_strategy' is dict, the key of it must be "
                "string, and the value of it must be list or tuple that the first four elements must be dev_matrix "
                "(list[int]), tensor_map (list[int]), param_split_shape (list[int]) and field_size (int, which value is 0)."
            )
    return {name: [*layout[:4], 0, 0, [0]] for name, layout in (strategy or {}).items()}


def _whole(name, parts, shape):
    first = parts[0]
    if len(parts) == 1 or shape is None or first.shape == shape:
        return first
    for axis in range(len(shape)):
        added = sum(p.shape[axis] for p in parts) if all(p.ndim == len(shape) for p in parts) else -1
        if added == shape[axis] and first.shape[:axis] + first.shape[axis + 1 :] == shape[:axis] + shape[axis + 1 :]:
            return Parameter(concatenated(parts, axis), name)
    raise ValueError(
        f"For 'load_distributed_checkpoint', the slices of {name}, {[p.shape for p in parts]}, do not join to the "
        f"network's shape {shape}: use merge_sliced_parameter with the strategy."
    )


# --- other cuts
class _Change:
    """From the cut of one strategy file to that of another (None: whole), for one rank of the latter."""

    def __init__(self, source, target, rank):
        self.every = [
            None if f is None else strategy_files.listed(build_searched_strategy(f)) for f in (source, target)
        ]
        self.source = None if source is None else strategy_files.listed(build_searched_strategy(source))
        self.target = None if target is None else strategy_files.listed(build_searched_strategy(target), rank)
        if self.source is not None and not self.source:
            raise ValueError("The src_strategy_file is empty.")
        self.count = self._count(self.target)  # before Parameters of other stages go
        self.rank = rank % self.count if self.count > 1 else (rank if target is None else 0)
        for name in list(self.target or ()):
            if rank // self.count not in self.target[name][6]:
                del self.target[name]
                (self.source or {}).pop(name, None)
        self.from_count = self._count(self.source)

    @staticmethod
    def _count(layouts):
        return math.prod(next(iter(layouts.values()))[0] or [1]) if layouts else 1

    def needed(self):
        """The ranks whose files MindSpore needs for this one."""
        if self.source is None:
            return [0]
        local, stages = set(), set()
        for name, layout in self.source.items():
            stages.update(layout[6])
            if self.target is not None and name not in self.target:
                continue
            old, new = self._cuts(name, len(layout[1]))
            passed = redistribution.ranks(old, new, self.rank)
            if passed is None:
                shape = [max(old.devices, new.devices) ** 2] * len(layout[1])
                passed = old.holders(self.rank, new, shape)
            local.update(passed)
        return sorted((stage * self.from_count + rank for stage in stages for rank in local), reverse=True)

    def _cuts(self, name, ndim):
        layouts = [strategy_files.WHOLE if f is None else f[name] for f in (self.source, self.target)]
        return [strategy_files.Cut(layout, ndim) for layout in layouts]

    def elsewhere(self, name):
        """Whether a Parameter belongs to another stage."""
        return self.every != [None, None] and all(
            every is None or (name in every and name not in own)
            for every, own in zip(self.every, (self.source, self.target))
        )

    def made(self, name, parts):
        """The Parameter of this rank, of {rank of the source: Parameter}."""
        own = parts.get(self.rank % self.from_count)
        both = all(layouts is None or name in layouts for layouts in (self.source, self.target))
        if not both:  # a learning rate, a counter: as it is
            if own is None:
                raise ValueError(f"The checkpoint of rank {self.rank % self.from_count} is missing.")
            return own
        first = next(iter(parts.values()))
        old, new = self._cuts(name, first.ndim)
        shape = old.whole(first.shape)
        needed = old.holders(self.rank, new, shape, parts)
        missing = [r for r in needed if r not in parts]
        if missing:
            raise ValueError(f"The checkpoint of rank {missing[0]} is missing.")
        layout = strategy_files.WHOLE if self.source is None else self.source[name]
        whole = like(merged({r: parts[r] for r in needed}, layout, name), first)
        return like(cut_out(whole, new.where(self.rank, shape)), first)


def _save_rank(change, files, target, format="ckpt"):
    """Write the file of one rank, of {rank: file}."""
    parts = {}
    for rank, file in files.items():
        for name, parameter in load_checkpoint(file, format=file.rpartition(".")[2]).items():
            if not change.elsewhere(name):
                parts.setdefault(name, {})[rank % change.from_count] = parameter
    os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    if not parts:
        raise ValueError(
            f"Nothing is left for {target}: all Parameters of {', '.join(map(str, files.values()))} belong to other stages, as the strategy files say."
        )
    made = [{"name": name, "data": change.made(name, found)} for name, found in parts.items()]
    save_checkpoint(made, target, format=format)


@checked
def rank_list_for_transform(
    rank_id: int, src_strategy_file: Like[str | None] = None, dst_strategy_file: Like[str | None] = None
):
    """The ranks whose files MindSpore needs to make that of `rank_id` under another strategy; `transform_checkpoint_by_rank` reads
    some of them only.

    Raises:
        TypeError: `rank_id` is not an int. TypeError, ValueError: see `build_searched_strategy`.
    """
    return [0] if src_strategy_file is None else _Change(src_strategy_file, dst_strategy_file, rank_id).needed()


def transform_checkpoint_by_rank(
    rank_id: int,
    checkpoint_files_map: Any,
    save_checkpoint_file_name: Any,
    src_strategy_file: str | None = None,
    dst_strategy_file: str | None = None,
):
    """Write the file of one rank under another strategy, of the files that `rank_list_for_transform` names.

    Raises:
        TypeError, ValueError: no dict from rank to file, a file that is not there; a name without ".ckpt".
    """
    if not isinstance(checkpoint_files_map, dict):
        raise TypeError("The checkpoint_files_map should be a dict.")
    if not isinstance(rank_id, int):
        raise TypeError("The rank_id should be a int.")
    if not isinstance(save_checkpoint_file_name, str):
        raise TypeError("The save_checkpoint_file_name should be a str.")
    if not save_checkpoint_file_name.endswith(".ckpt"):
        raise ValueError(f"The save_checkpoint_file_name {save_checkpoint_file_name} should end with .ckpt")
    for rank, file in checkpoint_files_map.items():
        if not os.path.exists(file):
            raise ValueError(f"Checkpoint file {file} in rank {rank} not exits: ")
    _save_rank(_Change(src_strategy_file, dst_strategy_file, rank_id), checkpoint_files_map, save_checkpoint_file_name)


def transform_checkpoints(
    src_checkpoints_dir: Any,
    dst_checkpoints_dir: Any,
    ckpt_prefix: Any,
    src_strategy_file: str | None = None,
    dst_strategy_file: str | None = None,
    process_num: int = 1,
    output_format: str = "ckpt",
):
    """Write the last file of each folder `rank_<n>` under another strategy, to `rank_<n>/<ckpt_prefix><n>.<format>` elsewhere.

    Without strategies there is one rank, whose file is copied. Where the source has only some of the Parameters of the
    target (one stage of a pipeline), the names end in `_part<stage>`.

    Raises:
        ValueError: no files, files of both kinds, or one that is needed is missing; another format. TypeError: `ckpt_prefix` is not a str.
    """
    files, kind = _files_of_ranks(src_checkpoints_dir)
    if kind == "ckpt" and output_format == "safetensors":
        raise ValueError(
            "For 'transform_checkpoints', 'output_format' can not be 'safetensors' when 'src_checkpoints_dir' only contains "
            "ckpt file."
        )
    if not isinstance(ckpt_prefix, str):
        raise TypeError("The ckpt_prefix should be a str.")
    if output_format not in ("ckpt", "safetensors"):
        raise ValueError(
            f"For 'transform_checkpoints', the output_format must be 'ckpt' or 'safetensors', but got {output_format}."
        )
    layouts = [
        None if f is None else strategy_files.listed(build_searched_strategy(f))
        for f in (src_strategy_file, dst_strategy_file)
    ]
    stages = [strategy_files.stages_of(each) for each in layouts]
    count = math.prod(next(iter(layouts[1].values()))[0] or [1]) if layouts[1] else 1
    part = _part(layouts, stages, src_strategy_file)
    for rank in range(count * stages[1]):
        change = _Change(src_strategy_file, dst_strategy_file, rank)
        needed = change.needed()
        if part is not None:
            needed = [part * change.from_count + r % change.from_count for r in range(change.from_count)]
        for other in needed:
            if other not in files:
                raise ValueError(
                    f"The checkpoint file of rank{other} is needed for converting rank{rank}'s checkpoint, but it is missing."
                )
        ending = "" if part is None else f"_part{part}"
        target = os.path.join(dst_checkpoints_dir, f"rank_{rank}", f"{ckpt_prefix}{rank}{ending}.{output_format}")
        _save_rank(change, {r: files[r] for r in needed}, target, output_format)


def _files_of_ranks(folder):
    """({rank: its last file}, their format)"""
    found = {"ckpt": {}, "safetensors": {}}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        number = re.fullmatch(r"rank_(\d+)", name)
        for kind, files in found.items():
            inside = sorted(glob.glob(os.path.join(glob.escape(folder), name, f"*.{kind}"))) if number else ()
            if inside:
                files[int(number[1])] = inside[-1]
    if all(found.values()):
        raise ValueError(
            "For 'transform_checkpoints', the 'src_checkpoints_dir' cannot contain both ckpt file and safetensors file "
            "simultaneously"
        )
    if not any(found.values()):
        raise ValueError("For 'transform_checkpoints', the 'src_checkpoints_dir' can not be empty.")
    return next((files, kind) for kind, files in found.items() if files)


def _part(layouts, stages, source):
    """The stage of a source that has only some of the Parameters of the target; else None."""
    if not all(layouts) or stages != [1, 1]:
        return None
    names = [{n for n in each if not n.startswith(("accu_grads", "adam_v", "adam_m"))} for each in layouts]
    return strategy_files.read(source).first_stage if names[0] < names[1] else None


def unified_safetensors(
    src_dir: Any,
    src_strategy_file: str | None,
    dst_dir: str,
    merge_with_redundancy: bool = True,
    file_suffix: Any = None,
    max_process_num: int = 64,
    choice_func: Callable | None = None,
    split_dst_file: tuple = (),
):
    """Write all Parameters of the safetensors files below a folder into one, `part0.safetensors`.

    Args:
        src_dir: folder with `rank_<n>/*.safetensors`.
        src_strategy_file: how they are cut; None: they are whole.
        dst_dir: folder.
        file_suffix: only files whose names end so.
        choice_func: function of a name: whether to keep it, or its new name.

    Raises:
        ValueError: there are no files. TypeError, ValueError: see `build_searched_strategy`.
    """
    pattern = f"*{glob.escape(file_suffix or '')}.safetensors"
    files = sorted(glob.glob(os.path.join(glob.escape(src_dir), "**", pattern), recursive=True))
    if not files:
        raise ValueError(f"For 'unified_safetensors', the directory {src_dir} does not contain any files of {pattern}.")
    layouts = strategy_files.listed(build_searched_strategy(src_strategy_file)) if src_strategy_file else {}
    parts = {}
    for number, file in enumerate(files):
        folder = re.fullmatch(r"rank_(\d+)", os.path.basename(os.path.dirname(file)))
        for name, parameter in load_checkpoint(file, format="safetensors").items():
            parts.setdefault(name, {})[int(folder[1]) if folder else number] = parameter
    found = {}
    for name, held in parts.items():
        chosen = choice_func(name) if choice_func is not None else True
        if chosen is False:
            continue
        first = held[min(held)]
        if name in layouts:
            count = math.prod(layouts[name][0] or [1])
            first = like(merged({rank % count: p for rank, p in held.items()}, layouts[name], name), first)
        found.setdefault(chosen if isinstance(chosen, str) else name, first)
    os.makedirs(dst_dir, exist_ok=True)
    save_checkpoint(
        [{"name": name, "data": p} for name, p in found.items()],
        os.path.join(dst_dir, "part0.safetensors"),
        format="safetensors",
    )


rank_list_for_convert = rank_list_for_transform
convert_checkpoint_by_rank = transform_checkpoint_by_rank
convert_checkpoints = transform_checkpoints
