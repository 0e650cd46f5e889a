"""Ranks that hold the same slices of Parameters: which of them saves, and whose file can stand for another's."""

import os
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..nn.cell.cell import Cell
from ..parallel import get_process_group_ranks, get_rank
from . import strategy_files


def _groups(layout: Sequence, first: int):
    """The ranks from `first` on in groups that hold the same slice, in the order of the slices."""
    matrix = list(layout[0]) or [1]
    maps = [entry if isinstance(entry, (list, tuple)) else [entry] for entry in layout[1]]
    cuts = {axis for entry in maps for axis in entry if axis != -1}  # counted from the last axis of the matrix
    cut = strategy_files.Cut([*layout, 0, 0, 0, 0][:6], len(maps))
    found = {}
    for rank in range(cut.devices):
        at = np.unravel_index(rank, matrix)[::-1]
        place = tuple(int(n) if axis in cuts else 0 for axis, n in enumerate(at))
        found.setdefault((place, cut.place(rank)[1]), []).append(first + rank)
    return tuple(tuple(group) for _, group in sorted(found.items()))


def get_parameter_redundancy(layout_obj: Any, initial_rank: int | None = None):
    """{Parameter: groups of ranks that hold the same of it}, by name.

    Args:
        layout_obj: A strategy file; {name: [device matrix, tensor map, ...]}; or a Cell, which each process holds whole.
        initial_rank: The first rank of the pipeline's stage; by default that of the stage of this process.

    Example:
        >>> from msjax.train.redundancy import get_parameter_redundancy
        >>> get_parameter_redundancy({"weight": [[2, 2], [0, -1]]}, initial_rank=0)
        {'weight': ((0, 2), (1, 3))}
    """
    if isinstance(layout_obj, Cell):
        held = {p.name: (tuple(get_process_group_ranks()),) for p in layout_obj.get_parameters()}
        return dict(sorted(held.items()))
    if isinstance(layout_obj, str):
        layouts = strategy_files.listed(strategy_files.read(layout_obj).layouts)
    else:
        layouts = {name: list(layout[:2]) for name, layout in layout_obj.items()}
    if initial_rank is None:
        count = np.prod(next(iter(layouts.values()))[0] or [1], dtype=int) if layouts else 1
        initial_rank = get_rank() // count * count
    return {name: _groups(layouts[name], int(initial_rank)) for name in sorted(layouts)}


def get_ckpt_path_with_strategy(cur_ckpt_path: str, cur_strategy_path: str):
    """The checkpoint to go on with after a failure: the process's own file, or that of a rank that holds the same; None if there is none.

    Args:
        cur_ckpt_path: The process's own file; `rank_<n>` in its path is exchanged for other ranks.
        cur_strategy_path: The strategy file of this process: how Parameters are cut.
    """
    rank = get_rank()
    if f"rank_{rank}" in cur_ckpt_path and os.path.isfile(cur_ckpt_path):
        return cur_ckpt_path
    alike = None
    for name, groups in get_parameter_redundancy(cur_strategy_path).items():
        if not name.startswith(("accu_grads", "inputs")):
            own = next((set(group) for group in groups if rank in group), {rank})
            alike = own if alike is None else alike & own
    paths = [re.sub(r"rank_\d+", f"rank_{other}", cur_ckpt_path) for other in sorted(alike or {rank})]
    return next((path for path in paths if os.path.isfile(path)), None)
