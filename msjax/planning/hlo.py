"""Reads the text of a compiled program (HLO): computations, instructions, where each came from, and how often each runs."""

import dataclasses
import functools
import json
import math
import re

import numpy as np

from .collectives import beside, kind_of

SIZES = {
    **dict.fromkeys(
        ("pred", "s8", "u8", "f8e4m3fn", "f8e5m2", "f8e4m3", "f8e4m3b11fnuz", "f8e5m2fnuz", "f8e8m0fnu"), 1
    ),
    **dict.fromkeys(("s16", "u16", "f16", "bf16"), 2),
    **dict.fromkeys(("s32", "u32", "f32"), 4),
    **dict.fromkeys(("s64", "u64", "f64", "c64"), 8),
    **{"c128": 16, "s4": 0.5, "u4": 0.5, "s2": 0.25, "u2": 0.25},
}
_HEAD = re.compile(r"^(ENTRY )?%?([^\s({]+) (?:\(.*)?\{$")
_LINE = re.compile(r"^\s+(ROOT )?%?([^\s=]+) = ")
_OPCODE = re.compile(r"\s*([a-z][\w\-]*)\(")
_ARRAY = re.compile(r"([a-z]\w*)\[([\d,<=?]*)\](?:\{([^{}]*)\})?")
_NAME = re.compile(r"%([^\s,(){}]+)")
_CALLED = re.compile(r"(?:calls|to_apply|body|condition|true_computation|false_computation)=%?([^\s,}]+)")
_TILE = re.compile(r"T((?:\([\d,]*\))+)")
_SPACE = re.compile(r"S\((\d+)\)")


@dataclasses.dataclass(frozen=True)
class Array:
    """One array of a shape: dtype, lengths of the axes, how many elements the layout's tiles take, and the memory space (0: the device's memory)."""

    dtype: str
    dims: tuple
    padded: int
    space: int

    @property
    def elements(self):
        return math.prod(self.dims)

    @property
    def nbytes(self):
        """Bytes of the elements themselves."""
        return int(math.prod(self.dims) * SIZES.get(self.dtype, 0))

    @property
    def held(self):
        """Bytes that the array takes as it is laid out."""
        return int(self.padded * SIZES.get(self.dtype, 0))


@dataclasses.dataclass
class Instruction:
    """One instruction: `attrs` is the text after its operands."""

    name: str
    opcode: str
    shape: tuple
    operands: tuple
    attrs: str
    arguments: str
    root: bool
    computation: str = ""

    @functools.cached_property
    def op_name(self):
        """The path of named scopes that it was traced in."""
        found = re.search(r'metadata=\{[^}]*?op_name="((?:[^"\\]|\\.)*)"', self.attrs)
        return found[1] if found else ""

    @functools.cached_property
    def frame(self):
        """Number of its stack frame, or None."""
        found = re.search(r"stack_frame_id=(\d+)", self.attrs)
        return int(found[1]) if found else None

    @property
    def called(self):
        """Names of the computations that it runs."""
        names = _CALLED.findall(self.attrs)
        several = re.search(r"(?:branch_computations|called_computations)=\{([^}]*)\}", self.attrs)
        return names + (_NAME.findall(several[1]) if several else [])

    @property
    def nbytes(self):
        return sum(a.nbytes for a in self.shape)

    def attribute(self, name: str):
        """The text of an attribute like `dim_labels=bf_io->bf`; None without."""
        found = re.search(rf"[ ,]{name}=([^\s,{{]+|\{{[^}}]*\}})", self.attrs)
        return found[1] if found else None


class Program:
    """A compiled module: `computations` {name: [Instruction]} in their order, which is the schedule; `entry` is the name of the first."""

    def __init__(self, text: str):
        self.computations, self.entry, self.scheduled = {}, None, "is_scheduled=true" in text[:4096]
        self.head, self.tables = text.partition("\n")[0], {}
        lines, table, inside = text.splitlines(), None, None
        for line in lines:
            if inside is None:
                if line in ("FileNames", "FunctionNames", "FileLocations", "StackFrames"):
                    table = self.tables.setdefault(line, {})
                elif table is not None and line[:1].isdigit():
                    number, _, rest = line.partition(" ")
                    table[int(number)] = rest
                elif found := _HEAD.match(line):
                    table, inside = None, found[2]
                    self.computations[inside] = []
                    self.entry = inside if found[1] else self.entry
            elif line.startswith("}"):
                inside = None
            elif made := _instruction(line):
                made.computation = inside
                self.computations[inside].append(made)
        self.by_name = {name: {i.name: i for i in body} for name, body in self.computations.items()}

    @functools.cached_property
    def _first_parent(self):
        """The number of the outermost frame's parent in the text: 0, or 1 in some versions of XLA."""
        return _numbers(self.tables.get("StackFrames", {}).get(1, "")).get("parent_frame_id", 0)

    def frames(self, instruction: Instruction):
        """[(file, line, function)] of an instruction, innermost first."""
        found, number = [], instruction.frame
        while number:
            frame = _numbers(self.tables.get("StackFrames", {}).get(number, ""))
            place = _numbers(self.tables.get("FileLocations", {}).get(frame.get("file_location_id"), ""))
            if place:
                name = self.tables["FileNames"][place["file_name_id"]].strip('"')
                function = self.tables["FunctionNames"][place["function_name_id"]].strip('"')
                found.append((name, place["line"], function))
            number = frame.get("parent_frame_id", 0) - self._first_parent
        if not found and (old := re.search(r'source_file="([^"]*)" source_line=(\d+)', instruction.attrs)):
            found.append((old[1], int(old[2]), ""))
        return found

    @functools.cached_property
    def times(self):
        """{computation: number of runs} for computations outside of fusions; the body of a loop runs once a trip."""
        times = {}

        def visit(name, count):
            times[name] = times.get(name, 0) + count
            for instruction in self.computations.get(name, ()):
                if instruction.opcode == "while":
                    trips = self.trips(instruction)
                    body, condition = (instruction.attribute(a).lstrip("%") for a in ("body", "condition"))
                    visit(body, count * trips)
                    visit(condition, count * (trips + 1))
                elif instruction.opcode in ("call", "async-start", "conditional"):
                    for other in instruction.called:
                        visit(other, count)

        visit(self.entry, 1)
        return times

    def trips(self, loop: Instruction):
        """How often the body of a `while` runs, as the compiler or the condition says; 1 where neither does."""
        if found := re.search(r'known_trip_count"?:\{"n":"(\d+)"', loop.attrs):
            return int(found[1])
        condition = self.computations.get(loop.attribute("condition").lstrip("%"), ())
        constants = {i.name: int(i.arguments) for i in condition if i.opcode == "constant" and _is_int(i.arguments)}
        root = next((i for i in condition if i.root), None)
        if root is not None and root.opcode == "fusion":  # the comparison stands in a fusion
            inner = self.computations[root.called[0]]
            given = dict(zip([i.name for i in inner if i.opcode == "parameter"], root.operands))
            constants = {n: constants[o] for n, o in given.items() if o in constants} | {
                i.name: int(i.arguments) for i in inner if i.opcode == "constant" and _is_int(i.arguments)
            }
            root = next((i for i in inner if i.root), None)
        if (
            root is None or root.opcode != "compare"
        ):  # a counter of 64 bits is two of u32: the lower one is compared with the end
            body = {i.name: i for i in (condition if root is None or root in condition else inner)}
            ends = [
                o for i in body.values() if i.opcode == "compare" and "direction=LT" in i.attrs for o in i.operands[1:]
            ]
            return max([1, *(constants[o] for o in ends if o in constants and body[o].shape[0].dtype == "u32")])
        bound = next((constants[o] for o in root.operands if o in constants), None)
        return max(1, bound + ("direction=LE" in root.attrs)) if bound is not None else 1

    def running(self):
        """(instruction, times) of all that runs as a step of its own, in the order of the schedule."""
        for name, count in self.times.items():
            for instruction in self.computations.get(name, ()):
                yield instruction, count

    def fused(self, instruction: Instruction):
        """The instructions within a fusion, those of fusions in it too; the instruction alone if it is none."""
        if instruction.opcode != "fusion":
            return [instruction]
        return [
            i for name in instruction.called for inner in self.computations.get(name, ()) for i in self.fused(inner)
        ]

    def origin(self, instruction: Instruction, depth: int = 3):
        """The instruction that names the source line: this one, one inside its fusion, or its operand (for a copy)."""
        if instruction.op_name or instruction.opcode == "parameter":
            return instruction
        inner = (
            [i for name in instruction.called for i in self.computations.get(name, ())] if instruction.called else []
        )
        for other in reversed(inner):
            if (found := self.origin(other, depth - 1) if depth else other).op_name and found.opcode != "parameter":
                return found
        for name in instruction.operands if depth else ():
            made = self.by_name[instruction.computation].get(name)
            if made is not None and (found := self.origin(made, depth - 1)).op_name and found.opcode != "parameter":
                return found
        return instruction

    def operand(self, instruction: Instruction, number: int):
        """The instruction that makes an operand."""
        return self.by_name[instruction.computation].get(instruction.operands[number])


def _instruction(line):
    found = _LINE.match(line)
    if not found:
        return None
    at = found.end()
    end = _shape_end(line, at)
    opcode = _OPCODE.match(line, end)
    if not opcode:
        return None
    stop = _closing(line, opcode.end() - 1)
    arguments = line[opcode.end() : stop]
    return Instruction(
        found[2], opcode[1], _arrays(line[at:end]), _operands(arguments), line[stop + 1 :], arguments, bool(found[1])
    )


def _operands(arguments):
    """Names of the operands; a compiled program writes them with %, a lowered one without."""
    if "%" in arguments:
        return tuple(_NAME.findall(arguments))
    return tuple(part for part in arguments.split(", ") if re.fullmatch(r"[A-Za-z_][\w.\-]*", part))


def _shape_end(line, at):
    if line[at] == "(":
        return _closing(line, at) + 1
    end = line.index("]", at) + 1
    return _closing(line, end, "{", "}") + 1 if line[end : end + 1] == "{" else end


def _closing(line, at, opening="(", closing=")"):
    """Position of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(line)):
        if line[i] == opening:
            depth += 1
        elif line[i] == closing:
            depth -= 1
            if not depth:
                return i
    raise ValueError(f"a bracket is not closed in the program's text: {line[:200]}")


@functools.lru_cache(maxsize=65536)
def _arrays(text):
    return tuple(_array(*found) for found in _ARRAY.findall(text) if found[0] in SIZES)


def _array(dtype, dims, layout):
    dims = tuple(int(re.sub(r"\D", "", d)) for d in dims.split(",") if d)
    tile, space = _TILE.search(layout), _SPACE.search(layout)
    padded = math.prod(dims)
    if tile and dims:
        order = [int(n) for n in layout.partition(":")[0].split(",") if n]
        lengths = [dims[axis] for axis in reversed(order)]  # the last is the one that varies fastest
        sizes = [int(n) for n in tile[1][1:].partition(")")[0].split(",") if n]
        at = len(lengths) - len(sizes)
        if at >= 0:
            padded = math.prod(lengths[:at]) * math.prod(
                -(-length // size) * size for length, size in zip(lengths[at:], sizes)
            )
    return Array(dtype, dims, padded, int(space[1]) if space else 0)


def _numbers(text):
    return {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", text)}


def _is_int(text):
    return bool(re.fullmatch(r"-?\d+", text.strip()))


# --- how much an instruction computes
_FREE = {
    *("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "copy", "reshape", "transpose", "broadcast"),
    *("iota", "slice", "dynamic-slice", "dynamic-update-slice", "concatenate", "pad", "gather", "reverse", "convert"),
    *(
        "after-all",
        "custom-call",
        "while",
        "call",
        "conditional",
        "fusion",
        "copy-start",
        "copy-done",
        "rng-bit-generator",
    ),
    *("all-gather", "all-to-all", "collective-permute", "partition-id", "replica-id", "opt-barrier", "bitcast-convert"),
}


def operations(program: Program, instruction: Instruction):
    """Floating-point operations of one instruction: two for each product that is added; one for each element elsewhere."""
    if instruction.opcode == "fusion":
        return sum(operations(program, i) for i in program.fused(instruction))
    elements = sum(a.elements for a in instruction.shape)
    if instruction.opcode == "dot":
        left = program.operand(instruction, 0)
        axes = _axes(instruction.attribute("lhs_contracting_dims"))
        return 2 * elements * math.prod(left.shape[0].dims[a] for a in axes)
    if instruction.opcode == "convolution":
        return _convolution(program, instruction)
    if instruction.opcode == "custom-call":
        return _custom(instruction)
    if instruction.opcode in ("reduce", "reduce-window", "all-reduce", "reduce-scatter", "select-and-scatter"):
        made = program.operand(instruction, 0)
        if made is None or not made.shape:
            return elements * math.prod(_window(instruction).get("size", [1]))
        return max(elements * _reduced(instruction, made.shape[0].dims), made.shape[0].elements)
    if instruction.opcode in _FREE or instruction.opcode.endswith(("-start", "-done")):
        return 0
    return elements


def _custom(instruction):
    """The costs that a kernel declares; for JAX's backward flash attention, which declares none, its products."""
    if found := re.search(r'"cost_estimate":\{[^}]*?"flops":"?(\d+)', instruction.attrs):
        return int(found[1])
    products = next((n for part, n in (("bwd_dkv", 4), ("bwd_dq", 3)) if part in instruction.op_name), 0)
    given = [
        [int(n) for n in dims.split(",")]
        for dims in re.findall(r"[a-z]\w*\[([\d,]+)\]", instruction.attribute("operand_layout_constraints") or "")
    ]
    if not products or len(given) < 2 or len(given[0]) != 4:
        return 0
    return 2 * products * math.prod(given[0]) * given[1][2]


def _axes(text):
    return [int(n) for n in re.findall(r"\d+", text or "")]


def _reduced(instruction, lengths):
    """Elements that each result of a window is made of; an axis that all windows cover whole is reduced once, and its result is written to each place."""
    window = _window(instruction)
    sizes = window.get("size", [1])
    if instruction.opcode != "reduce-window" or "pad" not in window or len(sizes) != len(lengths):
        return math.prod(sizes)
    whole = [
        min(before, after) >= n - 1 and size >= 2 * n - 1
        for size, n, (before, after) in zip(sizes, lengths, window["pad"])
    ]
    return math.prod(1 if all_of_it else size for size, all_of_it in zip(sizes, whole))


def _window(instruction):
    found = re.search(r"window=\{([^}]*)\}", instruction.attrs)
    if not found:
        return {}
    parts = dict(p.split("=") for p in found[1].split() if "=" in p)
    return {
        key: [int(n) for n in value.split("x")] for key, value in parts.items() if key != "pad" and "_" not in value
    } | ({"pad": [[int(n) for n in pair.split("_")] for pair in parts["pad"].split("x")]} if "pad" in parts else {})


def _convolution(program, instruction):
    """Products of a convolution whose factors both lie within their arrays, twice: a matrix product on a TPU is one of these too."""
    labels = instruction.attribute("dim_labels")
    left, right = (program.operand(instruction, i).shape[0].dims for i in (0, 1))
    first, _, rest = labels.partition("_")
    second, _, third = rest.partition("->")
    out = instruction.shape[0].dims
    window, count = _window(instruction), 1
    groups, batches = (int(instruction.attribute(a) or 1) for a in ("feature_group_count", "batch_group_count"))
    for axis in (c for c in first if c.isdigit()):
        i = int(axis)
        count *= _valid(
            left[first.index(axis)],
            right[second.index(axis)],
            out[third.index(axis)],
            window.get("stride", [1] * (i + 1))[i],
            window["pad"][i][0] if "pad" in window else 0,
            window.get("lhs_dilate", [1] * (i + 1))[i],
            window.get("rhs_dilate", [1] * (i + 1))[i],
            bool(window.get("rhs_reversal", [0] * (i + 1))[i]),
        )
    return 2 * count * (left[first.index("b")] // batches) * (left[first.index("f")] // groups) * out[third.index("f")]


@functools.lru_cache(maxsize=4096)
def _valid(length, kernel, out, stride, low, dilate, spread, turned):
    at = np.arange(out)[:, None] * stride - low + np.arange(kernel)[None, :: -1 if turned else 1] * spread
    return int(((at >= 0) & (at < (length - 1) * dilate + 1) & (at % dilate == 0)).sum())


# --- bytes moved
def bytes_moved(program: Program, instruction: Instruction):
    """Bytes that an instruction reads and writes in the device's main memory; on-chip memory is not counted."""
    if instruction.opcode in _NO_TRAFFIC or instruction.opcode.endswith("-done"):
        return 0
    own = program.by_name[instruction.computation]
    if instruction.opcode == "async-start":
        return 0  # what it calls is counted as it runs
    if instruction.opcode.endswith("-start"):
        arrays = instruction.shape
        if "slice" in instruction.opcode:  # ((operand), result, ...): what is taken is read, and written
            return arrays[1].held * ((arrays[0].space == 0) + (arrays[1].space == 0))
        return sum(a.held for a in arrays[:2] if a.space == 0)
    made = [own[o] for o in instruction.operands if o in own]
    if instruction.opcode in ("dynamic-slice", "gather", "slice"):
        return 2 * _held(instruction.shape)
    if instruction.opcode == "dynamic-update-slice":
        return 2 * _held(made[1].shape)
    if instruction.opcode == "fusion":
        return _fusion_bytes(program, instruction, made)
    return _held(instruction.shape) + sum(_held(m.shape) for m in made)


_NO_TRAFFIC = {
    *("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "while", "call", "conditional", "after-all"),
    *("partition-id", "replica-id", "opt-barrier", "iota"),
}


def _held(shape):
    return sum(a.held for a in shape if a.space == 0)


def _fusion_bytes(program, instruction, made):
    """Operands of which a fusion takes slices alone count as these; a slice that is written into an operand counts as itself."""
    inner = _inside(program, instruction)
    if beside(program, instruction):
        return _beside_bytes(instruction, made, inner)
    users, parameters = _users(inner), _parameters(inner)
    total, in_place = 0, set()
    for number, operand in enumerate(made):
        full = _held(operand.shape)
        taken = users.get(parameters[number].name, []) if number in parameters else []
        slices = _slices(program, users, parameters[number].name) if number in parameters else []
        if slices:
            full = min(full, sum(s.shape[0].held for s in slices))
        elif taken and all(
            u.opcode == "dynamic-update-slice" and u.operands[0] == parameters[number].name for u in taken
        ):
            in_place.update(u.name for u in taken)
            full = 0
        total += full
    roots = [i for i in inner if i.root]
    written = [r for r in roots if r.name in in_place]
    if written:
        body = {i.name: i for i in inner}
        return total + sum(2 * body[r.operands[1]].shape[0].held for r in written)
    return total + _held(instruction.shape)


def _inside(program, fusion):
    """The instructions of what a fusion calls."""
    return [i for name in fusion.called for i in program.computations.get(name, ())]


def _users(inner):
    """{name: the instructions that take it}"""
    users = {}
    for i in inner:
        for name in i.operands:
            users.setdefault(name, []).append(i)
    return users


def _parameters(inner):
    """{number: the parameter} of a fused computation."""
    return {int(i.arguments): i for i in inner if i.opcode == "parameter" and _is_int(i.arguments)}


def _slices(program, users, name):
    """The slices that are taken of a fusion's parameter, also by fusions in it; [] if it is taken otherwise, too. users: of the fusion."""
    found = []
    for user in users.get(name, ()):
        if user.opcode in ("dynamic-slice", "slice", "gather") and user.operands[0] == name:
            found.append(user)
            continue
        inner = []
        if user.opcode == "bitcast" and not user.root:
            inner = _slices(program, users, user.name)
        elif user.opcode == "fusion" and user.operands.count(name) == 1:
            within = _inside(program, user)
            parameter = _parameters(within).get(user.operands.index(name))
            inner = _slices(program, _users(within), parameter.name) if parameter is not None else []
        if not inner:
            return []
        found += inner
    return found


def _beside_bytes(fusion, made, inner):
    """The own work of a fusion that a collective overlaps; the collective's bytes are counted at its start."""
    root = next(i for i in inner if i.root)
    if "AsyncCollectiveStart" in root.attrs:
        return sum(_held(m.shape) for m in made) + _held(next(i for i in inner if i.name == root.operands[0]).shape)
    body = {i.name: i for i in inner}
    its = {i.name for i in inner if kind_of(i)} | {i.name for i in inner if i.opcode == "parameter"}
    users, numbers = _users(inner), {number: i.name for number, i in _parameters(inner).items()}
    read = sum(
        _held(m.shape)
        for number, m in enumerate(made)
        if any(not u.root and u.name not in its for u in users.get(numbers.get(number), ()))
    )
    results = zip(root.operands, fusion.shape) if root.opcode == "tuple" else [(root.name, a) for a in fusion.shape]
    return read + sum(
        _held([a]) for name, a in results if name in body and name not in its and "Async" not in body[name].attrs
    )


def configuration(instruction: Instruction):
    """The backend's configuration of an instruction as a dict."""
    at = instruction.attrs.find("backend_config={")
    if at < 0:
        return {}
    text = instruction.attrs[at + len("backend_config=") :]
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except json.JSONDecodeError:
        return {}
