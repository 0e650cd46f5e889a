"""Where the memory of a compiled program goes: which buffers live at once, in the order in which the program was scheduled."""

import dataclasses
import re
from typing import TYPE_CHECKING

from .counts import scopes

if TYPE_CHECKING:
    from .hlo import Instruction
    from .measure import Measured

_SAME = {"bitcast", "optimization-barrier", "opt-barrier", "while", "get-tuple-element", "tuple"}
_RUNS = {"while", "conditional", "call"}
_PLACED = {"dynamic-update-slice", "scatter"}


@dataclasses.dataclass(frozen=True)
class Buffer:
    """An array in the device's memory: its producer, its lifetime, and its purpose."""

    name: str
    nbytes: int
    elements: int
    dtype: str
    dims: tuple
    kind: str  # weight, optimizer, state, input, activation, temporary
    instruction: object
    first: int
    last: int


def buffers(measured: "Measured"):
    """(all buffers of the main computation and of the loops in it, the place in the schedule where most live at once)."""
    program = measured.program
    found = _Lifetimes(program, program.entry)
    kinds = {}
    for instruction in found.body:
        if instruction.opcode == "parameter" and instruction.arguments.strip().isdigit():
            number = int(instruction.arguments)
            if number < len(measured.inputs):
                kinds[instruction.name] = measured.inputs[number][:2]
    forward_end = max((i for i, x in enumerate(found.body) if _forward(x)), default=0)
    made = []
    for owner, (array, first, last) in found.spans.items():
        instruction = found.by_name[owner[0]]
        name, kind = kinds.get(instruction.name, (None, None))
        if instruction.opcode == "parameter":
            name, kind = name or instruction.name, kind or "input"
            last = len(found.body)
        elif _forward(instruction) and last > first + 1 and any(_backward(found.body[u]) for u in found.uses[owner]):
            kind = "activation"
        else:
            kind = "temporary"
        made.append(
            Buffer(
                name or where(program.origin(instruction)),
                array.held,
                array.elements,
                array.dtype,
                array.dims,
                kind,
                instruction,
                first,
                last,
            )
        )
    return made, _fullest(made, len(found.body)), forward_end


def held(measured: "Measured"):
    """Bytes of the device's memory that the step fills at once, arrays in the chip's own memory left out.

    The compiler's peak counts some of those, too, as soon as one number of the program is in the device's memory: two orders of the same instructions,
    each with less than 4 kB there, differed by 3.5 MB (JAX 0.10.2, v5e). What it loses between buffers is not in here.
    """
    state = measured.memory.get("peak", 0) - measured.memory.get("temporary", 0)
    return state + _most_at_once(measured.program, measured.program.entry)


def _most_at_once(program, name):
    """Bytes of what a computation makes and does not return, with what the computations that it calls make."""
    found = _Lifetimes(program, name)
    change = [0] * (len(found.body) + 1)
    for (maker, _), (array, first, last) in found.spans.items():
        if last < len(found.body) and found.by_name[maker].opcode not in ("parameter", "constant"):
            change[first] += array.held
            change[last + 1] -= array.held
    most = level = 0
    for instruction, delta in zip(found.body, change):
        level += delta
        called = instruction.called if instruction.opcode in _RUNS else ()
        most = max(most, level + max((_most_at_once(program, c) for c in called), default=0))
    return most


def _fullest(made, length):
    change = [0] * (length + 2)
    for buffer in made:
        if buffer.kind in ("activation", "temporary"):
            change[buffer.first] += buffer.nbytes
            change[min(buffer.last, length) + 1] -= buffer.nbytes
    best, level, at = -1, 0, 0
    for i, delta in enumerate(change):
        level += delta
        if level > best:
            best, at = level, i
    return at


def _forward(instruction):
    return "jvp(" in instruction.op_name and "transpose(" not in instruction.op_name


def _backward(instruction):
    return "transpose(" in instruction.op_name


def where(instruction: "Instruction"):
    """The Cell and operator of an instruction, as one reads it."""
    path, name, backward = scopes(instruction.op_name)
    title = (
        ".".join(part for part in (path, name) if part) or instruction.op_name.rsplit("/", 1)[-1] or instruction.opcode
    )
    return f"{title}{', backward' if backward else ''}"


class _Lifetimes:
    """First and last use of every buffer that one computation makes; a loop holds at most its body's buffers."""

    def __init__(self, program, name):
        self.program, self.body = program, program.computations[name]
        self.by_name = {i.name: i for i in self.body}
        self.spans, self.uses, self.owners = {}, {}, {}
        for place, instruction in enumerate(self.body):
            for operand in instruction.operands:
                for owner in self.owners.get(operand, ()):
                    if owner is not None:
                        array, first, _ = self.spans[owner]
                        self.spans[owner] = (array, first, place)
                        self.uses[owner].append(place)
            self.owners[instruction.name] = self._made(instruction, place)
        root = next((i for i in self.body if i.root), None)
        for owner in self.owners.get(root.name, ()) if root is not None else ():
            if owner is not None:
                array, first, _ = self.spans[owner]
                self.spans[owner] = (array, first, len(self.body))

    def _made(self, instruction, place):
        given = [self.owners.get(o, ()) for o in instruction.operands]
        opcode = instruction.opcode
        if opcode == "tuple":
            return tuple(owner for owners in given for owner in owners)
        if opcode == "get-tuple-element":
            number, owners = int(instruction.attribute("index") or 0), given[0] if given else ()
            return (owners[number],) if number < len(owners) else owners
        if opcode in _SAME and given:
            return given[0]
        if opcode in _PLACED and given:
            return given[0][:1]
        if opcode.endswith("-start"):  # (what is made, what it is made of, ...), or the other way about
            operand = 1 if opcode == "copy-start" else 0
            own = self._new(instruction, 1 - operand, place) if len(instruction.shape) > 1 else None
            pair = (own, *given[0][:1]) if operand else (*(given[0][:1] or (None,)), own)
            return (*pair, *[None] * (len(instruction.shape) - 2))
        if opcode.endswith("-done") and given and len(given[0]) > 1:
            return given[0][:1] if opcode == "copy-done" else given[0][1:2]
        in_place = _aliased(instruction)
        owners = []
        for number, array in enumerate(instruction.shape):
            source = in_place.get(number)
            old = given[source][0] if source is not None and source < len(given) and len(given[source]) == 1 else None
            if old is not None and self.spans[old][0].held == array.held and self.spans[old][0].space == array.space:
                owners.append(old)  # it is written over what it was made of
                self.spans[old] = (self.spans[old][0], self.spans[old][1], place)
            else:
                owners.append(self._new(instruction, number, place))
        return tuple(owners)

    def _new(self, instruction, number, place):
        """A buffer in the device's memory for one result; None where it lies elsewhere."""
        array = instruction.shape[number]
        if array.space != 0 or not array.nbytes:
            return None
        owner = (instruction.name, number)
        self.spans[owner], self.uses[owner] = (array, place, place), []
        return owner


def _aliased(instruction):
    """{number of a result: number of the operand whose memory it takes}, as the backend says of fusions."""
    found, count = {}, len(instruction.operands)
    for pair in re.findall(r'\{"indices":\["(\d+)","(\d+)"\]\}', instruction.attrs):
        a, b = sorted(map(int, pair))
        if b >= count > a:
            found[b - count] = a
    return found
