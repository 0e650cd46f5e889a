"""Whether the ranks of a MindSpore run call their communication operators in orders that can finish together.

MindSpore on Ascend writes what each rank calls into `rank_X/execute_order/comm_execute_order.csv`; the check reads these
files anywhere. Two ranks that wait for each other in opposite orders are a cycle in the graph of "called after". Programs
of msjax itself write no such files: all its devices run one program, which has one order.
"""

import csv
import dataclasses
import itertools
import os
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from .. import log
from ..core.spec.checking import checked

__all__ = [
    "CommExecOrderCheck",
    "ExecuteOrder",
    "RankFolderParser",
    "comm_exec_order_check",
    "detect_cycle_in_graph",
    "modify_execute_orders",
    "parse_and_validate",
    "runtime_execution_order_check",
]

_SENDS = ("Send", "DistCommIsend", "InnerCommIsend")
_RECEIVES = ("Receive", "DistCommIrecv", "InnerCommIrecv")
_RANK = "rank_"


class CommExecOrderCheck:
    """Records "start" and "end" of a check while the program runs; a singleton.

    Every device runs the same compiled program here, so the orders cannot differ and nothing is collected.
    """

    collecting = False

    def __call__(self, action: Callable):
        """Begin or end the check; an action out of turn is logged. ValueError: neither "start" nor "end"."""
        if action not in ("start", "end"):
            raise ValueError(f"For 'comm_exec_order_check', the 'action' must be 'start' or 'end', but got {action!r}.")
        starting = action == "start"
        if starting and self.collecting:
            log.error("The 'start' action cannot be called twice.")
        elif not starting and not self.collecting:
            log.error("The 'end' action cannot be called before the 'start' action.")
        type(self).collecting = starting


@checked
def comm_exec_order_check(action: str):
    """Check the order of communication between processes while a program runs: "start" or "end".

    Raises:
        TypeError, ValueError: `action` is neither.
    """
    CommExecOrderCheck()(action)


@dataclasses.dataclass
class ExecuteOrder:
    """One call of a communication operator, a row of a rank's file. `comm_rank`: the group's ranks, with blanks between."""

    index: str
    group: str
    comm_rank: str
    primitive: str
    src_rank: str = ""
    dest_rank: str = ""
    root_rank: str = ""
    input_shape: str = ""
    output_shape: str = ""

    def __post_init__(self):
        self.comm_rank = self.comm_rank.split()

    def generate_base_key(self, rank: int):
        """The name under which all ranks that take part know the call that `rank` makes, without its count."""
        ranks = ",".join(self.comm_rank)
        ends = {"srcRank": self.src_rank, "destRank": self.dest_rank, "rootRank": self.root_rank}
        if not any(ends.values()):
            return f"{self.primitive}_{self.group}_({ranks})"
        if self.primitive in _SENDS:
            return f"Send_Receive_{self.group}_({rank})->({self.dest_rank})_{self.input_shape}"
        if self.primitive in _RECEIVES:
            return f"Send_Receive_{self.group}_({self.src_rank})->({rank})_{self.output_shape}"
        parts = [f"{end}:({at})" for end, at in ends.items() if at]
        return "_".join([self.primitive, self.group, f"commRank:({ranks})", *parts])

    def generate_key(self, rank: int, count: int):
        """The name of the `count`-th of these calls."""
        return f"{self.generate_base_key(rank)}_{count}th"


class RankFolderParser:
    """Reads the files of folders that are called `rank_X`, or that hold such folders.

    Args:
        folders: an absolute path, or a list of them.

    Raises:
        ValueError: a path is not absolute, does not exist, holds no rank, or a rank is there twice.
    """

    REQUIRED_COLUMNS = (
        "index group comm_rank primitive src_rank dest_rank root_rank "
        "input_shape input_type output_shape output_type input_size output_size"
    ).split()
    FILE = "comm_execute_order.csv"

    def __init__(self, folders: Any):
        self.folders = [folders] if isinstance(folders, str) else folders
        self._ranks = [rank for path in self.folders for rank in self._folders_of_ranks(path)]
        twice = [name for name, count in Counter(map(os.path.basename, self._ranks)).items() if count > 1]
        if twice:
            raise ValueError(f"Duplicate rank folder detected: {twice[0]}. Each rank may be given once.")

    @staticmethod
    def _folders_of_ranks(path):
        if not os.path.isabs(path):
            raise ValueError(f"Invalid path: {path}. Give an absolute path of a 'rank_x' folder or of its parent.")
        if not os.path.exists(path):
            raise ValueError(f"Path does not exist: {path}.")
        if os.path.basename(path).startswith(_RANK):
            return [path]
        inside = (os.path.join(path, name) for name in sorted(os.listdir(path)) if name.startswith(_RANK))
        ranks = [folder for folder in inside if os.path.isdir(folder)]
        if not ranks:
            raise ValueError(f"No rank_x folders found in {path}; x is the number of a rank.")
        return ranks

    def parse(self):
        """{rank: its calls, or None where its file cannot be used}, ranks as strings. A folder that lacks its file is logged."""
        orders = {}
        for folder in self._ranks:
            rank, calls = self.parse_rank_folder(
                os.path.join(folder, "execute_order"), os.path.basename(folder).split("_")[1]
            )
            orders[rank] = calls
        return orders

    def parse_rank_folder(self, rank_folder_path: Any, rank_id: int):
        """(rank_id, its calls, or None where the file is not there or has other columns, which is logged)."""
        path = os.path.join(rank_folder_path, self.FILE)
        try:
            with open(path, encoding="utf-8", newline="") as file:
                rows = csv.DictReader(file)
                if rows.fieldnames != self.REQUIRED_COLUMNS:
                    log.error(f"{path} has the columns {rows.fieldnames}, expected {self.REQUIRED_COLUMNS}.")
                    return rank_id, None
                names = [field.name for field in dataclasses.fields(ExecuteOrder)]
                return rank_id, [ExecuteOrder(**{name: row[name] for name in names}) for row in rows]
        except FileNotFoundError as error:
            log.error(f"{path} is not there: {error}")
            return rank_id, None


def modify_execute_orders(execute_orders_map: dict):
    """{rank: names of its calls in their order}, counted: the second call of a kind ends in `_2th`."""
    named = {}
    for rank, orders in execute_orders_map.items():
        counts = Counter()
        named[rank] = []
        for order in orders or ():
            key = order.generate_base_key(rank)
            counts[key] += 1
            named[rank].append(order.generate_key(rank, counts[key]))
    return named


def parse_and_validate(data: Any, all_rank: bool = True):
    """Log each call that a rank makes and another rank that it names does not.

    Args:
        data: dict, {rank: names of its calls}.
        all_rank: whether all ranks are there, so that a missing one is an error.
    """
    if not isinstance(data, dict):
        log.error(f"The orders must be a dict of lists of strings, but got {type(data).__name__}.")
        return
    calls = {}
    for rank, names in data.items():
        if isinstance(names, list) and all(isinstance(name, str) for name in names):
            calls[rank] = set(names)
        else:
            log.error(f"The calls of rank {rank!r} must be a list of strings.")
    for names in calls.values():
        for name in sorted(names):
            # The first two brackets hold the ranks: (0,1), (0)->(1), commRank:(0,1)_rootRank:(0).
            taking_part = {rank.strip() for part in re.findall(r"\((.*?)\)", name)[:2] for rank in part.split(",")}
            missing = taking_part - calls.keys()
            if missing and all_rank:
                log.error(f"The call {name!r} names the ranks {sorted(missing)}, which are not there.")
                continue
            for rank in sorted(taking_part - missing):
                if name not in calls[rank]:
                    log.error(f"Rank {rank!r} does not make the call {name!r}.")


def detect_cycle_in_graph(ranks_map: dict):
    """(calls of a cycle, with the first once more at the end; "rank call -> call" for each step of it), or (None, None)."""
    following, whose = {}, {}
    for rank, calls in ranks_map.items():
        for pair in itertools.pairwise(calls):
            following.setdefault(pair[0], []).append(pair[1])
            whose[pair] = rank
    seen = set()
    for start in following:
        # Depth first, without recursion: a rank makes hundreds of thousands of calls.
        path, ahead = {}, []
        here = start
        while here is not None or path:
            if here in path:
                cycle = [*itertools.dropwhile(lambda call, first=here: call != first, path), here]
                return cycle, [f"{whose[pair]} {pair[0]} -> {pair[1]}" for pair in itertools.pairwise(cycle)]
            if here is not None and here not in seen:
                seen.add(here)
                path[here] = None
                ahead.append(iter(following.get(here, ())))
            here = next(ahead[-1], None) if ahead else None
            if here is None and path:
                path.popitem()
                ahead.pop()
    return None, None


def runtime_execution_order_check(folders_: Any, all_rank: Any = None):
    """Read the communication orders that the ranks of a MindSpore run wrote, and log those that would deadlock.

    Args:
        folders_: str or list of str, absolute: the parent of the folders `rank_X`, or these folders.
        all_rank: bool, whether these are all ranks of the run. Default: for one path yes, for several no.

    Raises:
        ValueError: a path is wrong, see `RankFolderParser`.
    """
    if not folders_:
        log.error("'folders_' must be a path or a list of paths.")
        return
    if all_rank is None:
        all_rank = isinstance(folders_, str) or len(folders_) == 1
    orders = RankFolderParser(folders_).parse()
    empty = [rank for rank, calls in orders.items() if not calls]
    if empty:
        log.error(f"Rank {empty[0]} has no valid execution orders. Please check its {RankFolderParser.FILE}.")
        return
    named = modify_execute_orders(orders)
    parse_and_validate(named, all_rank)
    cycle, steps = detect_cycle_in_graph(named)
    if cycle is None:
        log.warning("Cycle Check success. There is no cycle in the graph.")
        return
    log.error("Cycle detected: " + " -> ".join(cycle))
    for step in steps:
        log.error(f"Rank {step}")
