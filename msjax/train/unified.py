"""Folders of safetensors files that hold each Parameter whole: each rank takes its own slices, into a network or into a file."""

import glob
import math
import os
from typing import TYPE_CHECKING, Any

from ..parallel import get_rank
from . import strategy_files
from .checkpoint_loading import load_checkpoint, load_param_into_net
from .checkpoint_saving import save_checkpoint
from .joined_arrays import cut_out, like

if TYPE_CHECKING:
    from ..nn.cell.cell import Cell


def load_unified(
    network: "Cell | None",
    folder: str,
    layouts: dict,
    into: str | None,
    rank_id: int | None,
    output_format: str,
    name_map: dict | None,
    return_param_dict: bool,
):
    """What `load_distributed_checkpoint` does with a folder of safetensors files.

    Args:
        network: The network to load; None: files are written, `rank_<n>/net.<output_format>` below `into`.
        folder: Where the files are.
        layouts: {name: layout as a list}; empty: each rank takes all Parameters whole.
        into: The folder to write to.
        rank_id: The rank whose file is written; None: those of all ranks.
        output_format: "safetensors" or "ckpt".
        name_map: {name of a Parameter: its name in the files}.
        return_param_dict: Give the Parameters, and load nothing.

    Returns:
        The names that were not loaded, of the network and of the files; or {name: Parameter}; or True where files are written.

    Raises:
        ValueError: there are no files, or neither a network nor a folder to write to.
    """
    whole = _whole_parameters(folder, name_map or {})
    if network is not None:
        found = _of_rank(whole, layouts, get_rank())
        return found if return_param_dict else load_param_into_net(network, found)
    if into is None:
        raise ValueError(
            "For 'load_distributed_checkpoint', 'dst_safetensors_dir' can not be None when network is None."
        )
    ranks = range(_count(layouts)) if rank_id is None else [rank_id]
    for rank in ranks:
        target = os.path.join(into, f"rank_{rank}")
        os.makedirs(target, exist_ok=True)
        rows = [{"name": name, "data": p} for name, p in _of_rank(whole, layouts, rank).items()]
        save_checkpoint(rows, os.path.join(target, f"net.{output_format}"), format=output_format)
    return True


def _whole_parameters(folder, name_map):
    """{name: Parameter} of all files; a name that the map gives to another Parameter is left out, as MindSpore does."""
    files = sorted(glob.glob(os.path.join(glob.escape(folder), "*.safetensors")))
    if not files:
        raise ValueError(
            f"For 'load_distributed_checkpoint', weight files must be included in the 'unified_safetensors_dir', but {folder} has none."
        )
    held = {name: p for file in files for name, p in load_checkpoint(file, format="safetensors").items()}
    new = {given: name for name, given in name_map.items()}
    named = {new.get(name, name): p for name, p in held.items()}
    return {name: p for name, p in named.items() if name_map.get(name, name) in held}


def _of_rank(whole, layouts, rank):
    """{name: Parameter} as one rank holds them: slices, and with layouts only what its stage has."""
    if not layouts:
        return whole
    found = {}
    for name, layout in layouts.items():
        if name in whole and rank // math.prod(layout[0] or [1]) in layout[6]:
            cut = strategy_files.Cut(layout, whole[name].ndim)
            found[name] = like(cut_out(whole[name], cut.where(rank, whole[name].shape)), whole[name])
    return found


def _count(layouts: dict[str, Any]):
    """How many ranks the layouts are for."""
    if not layouts:
        return 1
    return strategy_files.stages_of(layouts) * math.prod(next(iter(layouts.values()))[0] or [1])
