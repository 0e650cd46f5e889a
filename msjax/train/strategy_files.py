"""Files that say how Parameters are cut over devices: MindSpore's strategy files (protobuf, or JSON), and its group files.

A layout is [device matrix, tensor map, split shape, field, step, size, stages]. Entry i of the tensor map names the axis of the
device matrix, counted from the last, over which axis i of the Tensor is cut (-1: none; a list: several). `size` > 0: the ranks that
then still hold the same cut it once more along axis 0 (sharded optimizers), `step` is their distance; -1: all of them.
"""

import dataclasses
import json
import math
import os
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.above import above
from ..core.settings.context import get_auto_parallel_context
from ..parallel import shardings
from ..parallel.processes import world
from .protobuf import Damaged, field, fields, integers, number_field, text


@dataclasses.dataclass
class Dims:
    """A list of numbers, `dim`."""

    dim: list


@dataclasses.dataclass
class ParallelLayouts:
    """How one Parameter is cut, as strategy files name it."""

    dev_matrix: list
    tensor_map: list
    param_split_shape: list = dataclasses.field(default_factory=lambda: [Dims([])])
    indices_offset: list = dataclasses.field(default_factory=lambda: [Dims([])])
    field: int = 0
    opt_weight_shard_step: int = 0
    opt_weight_shard_size: int = 0


STAGED = re.compile(r"\d+-")  # how names begin in a file of several stages
_LISTS = ("dev_matrix", "tensor_map", "param_split_shape", "indices_offset")  # fields 1 to 4
_NUMBERS = ("field", "opt_weight_shard_step", "opt_weight_shard_size")  # fields 5 to 7


@dataclasses.dataclass
class StrategyFile:
    """`strategies`: {operator: (stage, [parts of each input])}; `layouts`: {Parameter: ParallelLayouts}."""

    strategies: dict
    layouts: dict
    stage: int = 1

    @property
    def first_stage(self):
        """The stage of the pipeline that the file is of."""
        return next(iter(self.strategies.values()))[0]


# --- protobuf
def _signed(number):
    return number - (1 << 64) if number >> 63 else number


def _dims(content, where):
    return [_signed(number) for _, value in fields(content, where) for number in integers(value, where)]


def _list(number, values):
    return field(number, b"".join(number_field(1, v) for v in values))


def _parse_layout(content, where):
    found = {name: [] for name in _LISTS}
    for number, value in fields(content, where):
        if 1 <= number <= 4:
            found[_LISTS[number - 1]].append(Dims(_dims(value, where)))
        elif 5 <= number < 5 + len(_NUMBERS) and isinstance(value, int):
            found[_NUMBERS[number - 5]] = _signed(value)
        else:
            raise Damaged(f"The file is damaged in {where}: a layout has no field {number}.")
    return ParallelLayouts(**found)


def _parse(content, where):
    made = StrategyFile({}, {}, 0)
    for number, value in fields(content, where):
        if number == 1 and isinstance(value, int):
            made.stage = value
            continue
        parts = dict(fields(value, where))
        name = text(parts[1], where)
        if number == 2:
            inner = list(fields(parts[2], where))
            made.strategies[name] = (
                next((v for n, v in inner if n == 1), 0),
                [_dims(v, where) for n, v in inner if n == 2],
            )
        else:
            made.layouts[name] = _parse_layout(parts[2], where)
    return made


def _layout_bytes(layout):
    lists = (_list(n + 1, d.dim) for n, name in enumerate(_LISTS) for d in getattr(layout, name))
    return b"".join(lists) + b"".join(number_field(n + 5, getattr(layout, name)) for n, name in enumerate(_NUMBERS))


def _bytes(content):
    parts = [number_field(1, content.stage)]
    for name, (stage, strategies) in content.strategies.items():
        inner = number_field(1, stage) + b"".join(_list(2, s) for s in strategies)
        parts.append(field(2, field(1, name.encode()) + field(2, inner)))
    for name, layout in content.layouts.items():
        parts.append(field(3, field(1, name.encode()) + field(2, _layout_bytes(layout))))
    return b"".join(parts)


# --- files
def check(name: str):
    """TypeError, ValueError: no name of a file that is there and not empty."""
    if not isinstance(name, str):
        raise TypeError(
            f"For 'build_searched_strategy', the argument 'strategy_filename' should be string, but got {type(name)}."
        )
    if not os.path.isfile(name):
        raise ValueError(
            f"For 'build_searched_strategy', no such strategy file: {name}. Please check whether the "
            "'strategy_filename' exists."
        )
    if not os.path.getsize(name):
        raise ValueError(
            f"For 'build_searched_strategy', the strategy file {name} should not be empty. Please check whether the "
            "'strategy_filename' is correct."
        )


def read(name: str):
    """The StrategyFile of a file: JSON if its name ends so, else protobuf.

    Raises:
        TypeError, ValueError: see `check`; the content is of neither form.
    """
    check(name)
    if name.endswith(".json"):
        try:
            with open(name, encoding="utf-8") as file:
                return _of_json(json.load(file))
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"The strategy file {name} is damaged: {error!r}.") from error
    with open(name, "rb") as file:
        data = memoryview(file.read())
    try:
        return _parse(data, f"the strategy file {name}")
    except (ValueError, KeyError, TypeError, StopIteration):
        raise TypeError(
            "The strategy file type should be one of json or protobuf. When the file name extension is not '.json', "
            "the file is considered as a protobuf file."
        ) from None


def _of_json(content):
    layouts = {}
    for parameter, item in content.get("parallel_layout_item", {}).items():
        lists = {key: _dims_of(item.get(key, [])) for key in _LISTS}
        layouts[parameter] = ParallelLayouts(**lists, **{key: _integers([item.get(key) or 0])[0] for key in _NUMBERS})
    strategies = {
        node: (_integers([item.get("stage", 0)])[0], [_integers(part) for part in item.get("parallel_strategy", [])])
        for node, item in content.get("parallel_strategy_item", {}).items()
    }
    return StrategyFile(strategies, layouts, _integers([content.get("current_stage", 1)])[0])


def _listed_dims(dims):
    """What JSON has for lists of numbers: of one list its numbers, else the lists."""
    return dims[0].dim if len(dims) == 1 else [d.dim for d in dims]


def _dims_of(values):
    several = isinstance(values, list) and values and all(isinstance(value, list) for value in values)
    return [Dims(_integers(value)) for value in (values if several else [values])]


def _integers(values):
    """A list of integers, as it has to be."""
    if not isinstance(values, list) or not all(isinstance(value, int) for value in values):
        raise TypeError(f"{str(values)[:64]} is not a list of integers")
    return values


def write(name: str, content: Any):
    """Write a StrategyFile."""
    os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
    if name.endswith(".json"):
        layouts = {
            parameter: {
                **{key: _listed_dims(getattr(layout, key)) for key in _LISTS if getattr(layout, key)},
                **{key: getattr(layout, key) for key in _NUMBERS},
            }
            for parameter, layout in content.layouts.items()
        }
        strategies = {
            node: {"stage": stage, "parallel_strategy": parts} for node, (stage, parts) in content.strategies.items()
        }
        text = {
            "current_stage": content.stage, "parallel_strategy_item": strategies, "parallel_layout_item": layouts,
        }  # fmt: skip
        with open(name, "w", encoding="utf-8") as file:
            json.dump(text, file)
        return
    with open(name, "wb") as file:
        file.write(_bytes(content))


def read_groups(name: str):
    """The ranks that hold the same Parameters, of a group file."""
    with open(name, "rb") as file:
        data = memoryview(file.read())
    ranks = [_dims(v, f"the group file {name}") for n, v in fields(data, f"the group file {name}") if n == 2]
    if not ranks:
        raise ValueError("For 'restore_group_info_list', the group information file has no restore rank list.")
    return ranks[-1]


def write_groups(name: str, groups: Sequence, ranks: Sequence[int]):
    """Write a group file: {name of a group: its ranks}, and the ranks that hold the same Parameters."""
    os.makedirs(os.path.dirname(os.path.abspath(name)), exist_ok=True)
    items = b"".join(field(1, field(1, n.encode()) + _list(2, r)) for n, r in groups.items())
    with open(name, "wb") as file:
        file.write(items + _list(2, ranks))


# --- how the Parameters of this run lie
_written = {}  # name of a file -> {Parameter: (stage, ParallelLayouts)}
_alike = {}  # name of a file of groups -> {Parameter: ranks that hold the same part of it as this one}
_read = {}  # (name of a file, time) -> layouts


def _setting(which):
    config = get_auto_parallel_context("strategy_ckpt_config")
    return config.get(f"{which}_file") or get_auto_parallel_context(f"strategy_ckpt_{which}_file")


def of_sharding(sharding: Any, ndim: int):
    """ParallelLayouts of a sharding on a mesh."""
    names, sizes = list(sharding.mesh.axis_names), list(sharding.mesh.devices.shape)
    maps = []
    for axis in range(ndim):
        entry = sharding.spec[axis] if axis < len(sharding.spec) else None
        entry = (entry,) if isinstance(entry, str) else entry or ()
        maps.append([len(names) - 1 - names.index(n) for n in entry] or [-1])
    if all(len(m) == 1 for m in maps):
        maps = [[m for (m,) in maps]]
    elif ndim == 1:  # a single list would be one of several axes
        maps.append([])
    return ParallelLayouts([Dims(sizes)], [Dims(m) for m in maps])


def _holders(sharding, shape):
    """The ranks that hold the same part as this one: the devices in order, or the processes where there are several."""
    parts = {}
    for number, (device, index) in enumerate(sharding.devices_indices_map(tuple(shape)).items()):
        rank = device.process_index if world().size > 1 else number
        parts.setdefault(rank, set()).add(tuple((s.start, s.stop) for s in index))
    mine = parts.get(world().rank)
    return frozenset(rank for rank, held in parts.items() if held == mine)


def _of_stages(stage, layout):
    """(stage, layout) of a Parameter in each stage that has it: what lies on the devices of all stages, whole or alike in each, is in all of them."""
    count = get_auto_parallel_context("pipeline_stages")
    sizes = list(layout.dev_matrix[0].dim)
    first = next((i for i in range(len(sizes) + 1) if math.prod(sizes[:i]) == count), None)
    used = {m for part in layout.tensor_map for m in part.dim}
    if count < 2 or math.prod(sizes) != get_auto_parallel_context("device_num"):
        return [(stage, layout)]
    if used <= {-1}:
        sizes, first = [math.prod(sizes) // count], 0
    elif first is None or any(m >= len(sizes) - first for m in used):
        return [(stage, layout)]
    alike = ParallelLayouts([Dims(sizes[first:])], layout.tensor_map)
    return [(each, alike) for each in range(count)]


def save_layouts(lies: Any, stage: int):
    """Write how Parameters lie to the files that `set_auto_parallel_context` names, as they become known.

    These are `strategy_ckpt_save_file`, and `group_ckpt_save_file` for the ranks that hold the same Parameters as this one.
    """
    groups = get_auto_parallel_context("group_ckpt_save_file")
    if groups:
        known = _alike.setdefault(groups, {})
        found = {box.name: _holders(sharding, box.shape) for box, sharding in lies}
        if any(known.get(name) != ranks for name, ranks in found.items()):
            known.update(found)
            write_groups(groups, {}, sorted(frozenset.intersection(*known.values())))
    name = _setting("save")
    if not name:
        return
    known = _written.setdefault(name, {})
    trainable = get_auto_parallel_context("strategy_ckpt_config").get("only_trainable_params", True)
    found = {
        box.name: (stage, of_sharding(sharding, box.ndim))
        for box, sharding in lies
        if box.requires_grad or not trainable
    }
    if all(known.get(n) == entry for n, entry in found.items()):
        return
    known.update(found)
    several = len({s for s, _ in known.values()}) > 1
    layouts = {n: layout for n, (_, layout) in known.items()}
    if several:
        layouts = {f"{s}-{n}": layout for n, entry in known.items() for s, layout in _of_stages(*entry)}
    strategies = {n: (s, [Cut(listed({n: layout})[n], len(layout.tensor_map[0].dim)).parts])
                  for n, (s, layout) in known.items() if len(layout.tensor_map) == 1}  # fmt: skip
    write(name, StrategyFile(strategies, layouts))


def load_layout(box: Any, mesh: Any):
    """The sharding that the file of `strategy_ckpt_load_file` has for a Parameter, or None."""
    name = _setting("load")
    if not name:
        return None
    check(name)
    key = name, os.path.getmtime(name)
    if key not in _read:
        _read[key] = listed(read(name).layouts)
    layout = _read[key].get(box.name) or _read[key].get(
        box.name.partition(".")[2]
    )  # the state of an optimizer lies as its weight
    if layout is None or math.prod(layout[0]) != mesh.size:
        return None
    cut = Cut([*layout[:4], 0, 0], box.ndim)
    return shardings.on_grid(mesh, tuple(cut.matrix), cut.axes)


# --- layouts
def listed(layouts: Any, rank: int | None = None):
    """{Parameter: layout as a list}; names of merged files begin with their stage, `3-name`.

    rank: a Parameter of several stages has the layout of the one of this rank, as far as it is the first or a later one.
    """
    found = {}
    for key, layout in layouts.items():
        stage, name = (int(key.partition("-")[0]), key.partition("-")[2]) if "-" in key else (0, key)
        if isinstance(layout, (list, tuple)):
            found[name] = [*layout, *[[], [], [], 0, 0, 0, [stage]][len(layout) :]]
            continue
        maps = [d.dim for d in layout.tensor_map if d.dim] if len(layout.tensor_map) > 1 else layout.tensor_map[0].dim
        made = [
            list(layout.dev_matrix[0].dim), list(maps), list(layout.param_split_shape[0].dim if layout.param_split_shape else []),
            int(layout.field), int(layout.opt_weight_shard_step), int(layout.opt_weight_shard_size), [stage],
        ]  # fmt: skip
        if name not in found:
            found[name] = made
            continue
        stages = [*found[name][6], stage]
        later = rank is not None and rank // math.prod(made[0]) > 0
        if (later == (stage > 0)) if rank is not None else stage <= min(stages):
            found[name] = made
        found[name][6] = stages
    return found


def stages_of(layouts: Any):
    """How many stages the layouts of `listed` are for. ValueError: one is missing."""
    found = {stage for layout in (layouts or {}).values() for stage in layout[6]} or {0}
    if found != set(range(len(found))):
        raise ValueError("The strategy file for pipeline parallel does not contains all stages.")
    return len(found)


WHOLE = [[1], [], [], 0, 0, 0, [0]]


class Cut:
    """How a Tensor of some number of axes is cut by a layout."""

    def __init__(self, layout: Any, ndim: int):
        self.matrix = list(layout[0]) or [1]
        tensor_map = list(layout[1]) or [-1] * ndim
        if len(tensor_map) != ndim:
            raise ValueError(
                f"the tensor map {tensor_map} is not for a Tensor of {ndim} axes: check the strategy file."
            )
        self.axes = [
            [len(self.matrix) - 1 - a for a in (entry if isinstance(entry, (list, tuple)) else [entry]) if a != -1]
            for entry in tensor_map
        ]
        self.parts = [math.prod(self.matrix[a] for a in axes) for axes in self.axes]
        self.devices = math.prod(self.matrix)
        self.again = self._again(layout[5] if ndim else 0)
        self.size = math.prod(n for _, n in self.again)

    def _again(self, size):
        """[(axis of the matrix, ranks)] over which axis 0 is cut once more: repetitions, from the last on."""
        used = {a for axes in self.axes for a in axes}
        repeated = [a for a, n in enumerate(self.matrix) if a not in used and n > 1]
        left, found = math.prod(self.matrix[a] for a in repeated) if size == -1 else size, []
        for axis in reversed(repeated):
            if left <= 1:
                break
            take = min(left, self.matrix[axis])
            if left % take or self.matrix[axis] % take:
                raise ValueError(
                    f"the device matrix {self.matrix} can not be divided by the optimizer shard size {size}."
                )
            found.insert(0, (axis, take))
            left //= take
        return found

    def place(self, rank: int):
        """(number of the part along each axis, number of the part of that)"""
        at = np.unravel_index(rank % self.devices, self.matrix)
        parts = []
        for axes in self.axes:
            index = 0
            for a in axes:
                index = index * self.matrix[a] + int(at[a])
            parts.append(index)
        inner = 0
        for axis, n in self.again:
            inner = inner * n + int(at[axis]) % n
        return tuple(parts), inner

    def whole(self, shape: Any):
        """Shape of the Tensor of that of a slice."""
        parts = [*self.parts]
        if parts:
            parts[0] *= self.size
        return tuple(n * p for n, p in zip(shape, parts))

    def where(self, rank: int, shape: Any):
        """The slices of the whole Tensor (of this shape) that a rank holds."""
        parts, inner = self.place(rank)
        found = []
        for axis, (length, count, part) in enumerate(zip(shape, self.parts, parts)):
            more = self.size if axis == 0 else 1
            if length % (count * more):
                raise ValueError(f"the axis {axis} of length {length} can not be cut into {count * more} parts.")
            own = length // (count * more)
            found.append(
                slice(
                    (part * more + (inner if axis == 0 else 0)) * own,
                    (part * more + (inner if axis == 0 else 0) + 1) * own,
                )
            )
        return tuple(found)

    def holders(self, rank: int, other: Any, shape: Any, there: Any = None):
        """The ranks of this cut whose slices rank `rank` of the cut `other` needs, one rank for each slice.

        Several ranks may hold the same slice. The one whose place in the grid of devices is nearest to that of `rank` is named.
        there: the ranks that can be read. A rank that cannot is named only where no other rank holds its slice.
        """
        wanted = other.where(rank, shape)
        mine = np.unravel_index(rank % self.devices, self.matrix)
        found = {}
        for candidate in range(self.devices):
            held = self.where(candidate, shape)
            if all(a.start < b.stop and b.start < a.stop for a, b in zip(held, wanted)):
                at = np.unravel_index(candidate, self.matrix)
                unlike = [int(a != b) for a, b in zip(at, mine)]
                key = tuple((s.start, s.stop) for s in held)
                missing = there is not None and candidate not in there
                found[key] = min(found.get(key, (True, math.inf, 0)), (missing, sum(unlike), candidate))
        return sorted(candidate for *_, candidate in found.values())


above.tell_layout, above.kept_layout = save_layouts, load_layout
