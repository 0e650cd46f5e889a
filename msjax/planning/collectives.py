"""Collectives of a compiled program: their kinds, groups and bytes, also within fusions."""

import math
import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .hlo import Instruction, Program

KINDS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute", "ragged-all-to-all")


def collective(program: "Program", instruction: "Instruction"):
    """The kind of a collective, or None; that of an async pair, or of one that runs beside several fusions, is told at its start."""
    found = carried(program, instruction)
    return None if found is None or _goes_on(program, instruction) else kind_of(found)


def carried(program: "Program", instruction: "Instruction"):
    """The collective that an instruction is, or runs within it; None if there is none."""
    if kind_of(instruction):
        return instruction
    if instruction.opcode not in ("async-start", "async", "fusion", "call"):
        return None
    inner = program.fused(instruction)
    if instruction.opcode.startswith("async"):
        inner = [i for name in instruction.called for i in program.computations.get(name, ())]
    return next((i for i in inner if kind_of(i)), None)


def kind_of(instruction: "Instruction"):
    """The kind of an instruction that is a collective itself; None of any other."""
    opcode = instruction.opcode.removesuffix("-start")
    return opcode if opcode in KINDS else None


def beside(program: "Program", fusion: "Instruction"):
    """Whether a collective runs beside a fusion: one that begins, goes on or ends there."""
    found = carried(program, fusion)
    return found is not None and "async_collective_fusion_config" in found.attrs


def _goes_on(program, instruction):
    """Whether a collective continues one that an earlier fusion started: both have the same channel and count once."""
    if instruction.opcode != "fusion":
        return False
    begun = program.__dict__.get("_begun")
    if begun is None:
        begun = program._begun = {}
        for name in program.times:
            for i in program.computations.get(name, ()):
                if i.opcode == "fusion" and beside(program, i):
                    begun.setdefault(carried(program, i).attribute("channel_id"), i.name)  # it may go on within a loop
    channel = carried(program, instruction).attribute("channel_id")
    return begun.get(channel, instruction.name) != instruction.name


def payload(program: "Program", instruction: "Instruction"):
    """Bytes of the result of a collective; of an async pair, whose first half has its operands in front of it, of the largest array."""
    found = carried(program, instruction)
    if found.opcode.endswith("-start"):
        return max((a.nbytes for a in found.shape), default=0)
    return found.nbytes


def groups(program: "Program", instruction: "Instruction"):
    """[[device numbers]] of the groups of a collective; None where the text does not say them."""
    instruction = carried(program, instruction)
    if found := re.search(r"source_target_pairs=\{((?:\{\d+,\d+\},?)*)\}", instruction.attrs):
        return [[int(a), int(b)] for a, b in re.findall(r"\{(\d+),(\d+)\}", found[1])]
    if found := re.search(r"replica_groups=\{((?:\{[\d,]*\},?)+)\}", instruction.attrs):
        return [[int(n) for n in part.split(",") if n] for part in re.findall(r"\{([\d,]*)\}", found[1])]
    if found := re.search(r"replica_groups=\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?", instruction.attrs):
        shape, dims, order = ([int(n) for n in part.split(",")] if part else None for part in found.groups())
        return _iota(dims, order).reshape(shape).tolist()
    if found := re.search(
        r"replica_groups=mesh\[([^\]]*)\](?:, device_ids=\(\[([\d,]+)\](?:T\(([\d,]+)\))?\))? \{([^}]*)\}",
        instruction.attrs,
    ):
        axes = re.findall(r"'([^']+)'=(\d+)", found[1])
        names, shape = [a for a, _ in axes], [int(n) for _, n in axes]
        dims, order = ([int(n) for n in part.split(",")] if part else None for part in (found[2], found[3]))
        numbers = _iota(dims or shape, order).reshape(shape)
        over = [names.index(a) for a in re.findall(r"'([^']+)'", found[4]) if a in names]
        rest = [i for i in range(len(shape)) if i not in over]
        return numbers.transpose(*rest, *over).reshape(-1, math.prod(shape[i] for i in over)).tolist()
    return None


def _iota(dims, order):
    numbers = np.arange(math.prod(dims)).reshape(dims)
    return numbers.transpose(order) if order else numbers
