"""Problems of a program, in words: each finding names the Parameter or the Cell, and the user's line.

What the user asked for is looked up in the program before compilation (dtypes of products, recomputation), what the compiler made of it in
the compiled one (gathered arrays, kernels, layouts).
"""

import dataclasses
import math
import os
import re
from typing import TYPE_CHECKING

from .collectives import collective, payload
from .counts import is_kernel, scopes
from .hlo import Program, operations
from .memory import where

if TYPE_CHECKING:
    from .hlo import Instruction
    from .measure import Measured

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_LIBRARIES = re.compile(r"[/\\](?:jax|optax|runpy\.py|importlib)(?:[/\\]|$)")  # other packages' networks are the user's
_LARGE = 1 << 20  # bytes from which an array is worth a word
_SHORT = 128  # queries and keys from which attention has a kernel
_ATTENTION = re.compile(r"attention", re.IGNORECASE)
_PASSED = {
    "copy",
    "convert",
    "bitcast",
    "reshape",
    "transpose",
    "fusion",
    "get-tuple-element",
    "copy-start",
    "copy-done",
    "all-gather-done",
}
_MOVES = {"bitcast", "broadcast", "copy", "get-tuple-element", "reshape", "transpose", "tuple"}  # nothing is computed


@dataclasses.dataclass
class Finding:
    """One problem. kind: replicated, gathered, kernel, padding, float32 or recompute. line: (file, number) or None."""

    kind: str
    text: str
    where: str
    line: tuple | None
    bytes: int = 0

    def as_dict(self):
        return dataclasses.asdict(self)


def find(measured: "Measured", peak: int = 0):
    """All findings of a measured program, the largest first within each kind."""
    before = Program(measured.lowered) if measured.lowered else None
    found = [
        *replicated(measured),
        *gathered(measured.program),
        *lost_kernels(measured.program, before, len(measured.topology.devices), measured.topology.platform),
        *(float32_products(before) if before else ()),
        *padding(measured, peak),
        *(recomputed(before, measured.program) if before else ()),
    ]
    return found


# --- lines
def user_line(program: Program, instruction: "Instruction"):
    """(file, line) of the innermost frame that is the user's, or None."""
    for file, line, _ in program.frames(instruction):
        if not file.startswith(("<", _OWN)) and not _LIBRARIES.search(file):
            return file, line
    return None


def first_use(program: Program, parameter: str | int):
    """The user's line of the first instruction that takes an input, also through copies of it."""
    names = {parameter.name}
    for instruction in program.computations[parameter.computation]:
        if names.intersection(instruction.operands):
            if (instruction.op_name and instruction.opcode not in ("parameter",)) and (
                line := user_line(program, instruction)
            ):
                return line
            names.add(instruction.name)
    return None


# --- Parameters that are whole on each chip
def replicated(measured: "Measured"):
    """Parameters and optimizer state that lie whole on every chip although an axis of them could be split."""
    count, found = len(measured.topology.devices), []
    if count == 1:
        return found
    places = {
        int(i.arguments): i
        for i in measured.program.computations[measured.program.entry]
        if i.opcode == "parameter" and i.arguments.strip().isdigit()
    }
    state, large = {}, [row for row in measured.inputs if row[1] in ("weight", "optimizer")]
    for name, _, shape, dtype, sharding in large:
        if sharding is None or not sharding.is_fully_replicated:
            continue
        size = math.prod(shape) * _itemsize(dtype)
        if size >= _LARGE and any(length % 2 == 0 for length in shape):
            state.setdefault(
                name.partition(".")[2] if (name, "optimizer") in {r[:2] for r in large} else name, []
            ).append((name, shape, size))
    for weight, rows in state.items():
        size = sum(r[2] for r in rows)
        number = next((i for i, r in enumerate(measured.inputs) if r[0] == weight), None)
        instruction = places.get(number)
        line = first_use(measured.program, instruction) if instruction is not None else None
        names = ", ".join(r[0] for r in rows)
        only_state = all(r[0] != weight for r in rows)
        advice = (
            "enable_parallel_optimizer splits the state of an optimizer"
            if only_state
            else "a strategy of the operator that uses it (`shard`), or enable_parallel_optimizer, can split it"
        )
        found.append(
            Finding(
                "replicated",
                f"{names} {list(rows[0][1])}: {size / 1e6:.1f} MB lie whole on each of {count} chips; {advice}",
                weight,
                line,
                size,
            )
        )
    return sorted(found, key=lambda f: -f.bytes)


def _itemsize(dtype):
    return 2 if dtype in ("bfloat16", "float16") else int(re.sub(r"\D", "", dtype) or 8) // 8


# --- activations that are gathered
def gathered(program: Program):
    """Activations that every chip gathers whole, and those that are sliced again afterwards."""
    found, trained = {}, any(_in_network(i) for body in program.computations.values() for i in body)
    for name, body in program.computations.items():
        if name not in program.times:
            continue
        users = {}
        for instruction in body:
            for operand in instruction.operands:
                users.setdefault(operand, []).append(instruction)
        for instruction in body:
            if collective(program, instruction) != "all-gather" or instruction.opcode.endswith("-done"):
                continue
            size = payload(program, instruction)
            if size < _LARGE or _of_parameter(program, instruction) or (trained and _of_update(program, instruction)):
                continue
            cut = _cut_again(program, instruction, users)
            source = program.origin(instruction)
            key = (where(source), user_line(program, source), cut is not None)
            row = found.setdefault(key, [0, instruction, cut])
            row[0] += size * program.times[name]
    return sorted(
        (
            Finding(
                "gathered",
                f"an activation of {place} is gathered whole on each chip ({size / 1e6:.1f} MB a step)"
                + (f" and split again by {where(cut)}" if again else "")
                + ": give the operators around it one strategy",
                place,
                line,
                size,
            )
            for (place, line, again), (size, _, cut) in found.items()
        ),
        key=lambda f: -f.bytes,
    )


def _in_network(instruction):
    return "jvp(" in instruction.op_name


def _of_update(program, instruction):
    """Whether the optimizer makes an array: in a program that trains, by instructions of neither the forward nor the
    backward pass.
    """
    sources = [program.origin(s) for s in _sources(program, instruction)]
    return bool(sources) and all(s.op_name and not _in_network(s) for s in sources)


def _of_parameter(program, instruction):
    """Whether a gathered array is a weight: an input of the program, cast or copied."""
    sources = list(_sources(program, instruction))
    weights = [s.opcode == "parameter" and not s.op_name.startswith("leaves") for s in sources]
    return instruction.computation == program.entry and bool(weights) and all(weights)


def _sources(program, instruction, depth=12):
    """The instructions that produce an instruction's operands, behind mere moves and casts."""
    body = program.by_name[instruction.computation]
    for made in (body[name] for name in instruction.operands if name in body):
        moves = made.opcode in _PASSED and len(made.operands) == 1 or made.opcode in ("slice-start", "slice-done")
        if depth and (moves or made.opcode == "custom-call" and not is_kernel(made)):
            yield from _sources(program, made, depth - 1)
        else:
            yield made


def _cut_again(program, instruction, users, depth=4):
    """The slice of a gathered array by the chip's own number, within a few steps; or None."""
    for user in users.get(instruction.name, ()):
        inner = program.fused(user) if user.opcode == "fusion" else [user]
        sliced = any(i.opcode == "dynamic-slice" for i in inner)
        own = {i.name: i for i in program.computations[user.computation]}
        by_chip = any(_depends_on_chip(own, name) for name in user.operands) or any(
            i.opcode == "partition-id" for i in inner
        )
        if sliced and by_chip:
            return user
        if depth and user.opcode in (*_PASSED, "tuple") or user.opcode in ("maximum", "add", "multiply"):
            found = _cut_again(program, user, users, depth - 1)
            if found is not None:
                return found
    return None


def _depends_on_chip(body, name, depth=8):
    made = body.get(name)
    if made is None:
        return False
    if made.opcode in ("partition-id", "replica-id"):
        return True
    small = all(a.elements <= 64 for a in made.shape)
    return bool(depth) and small and any(_depends_on_chip(body, o, depth - 1) for o in made.operands)


# --- attention without its kernel
def lost_kernels(program: Program, before: Program, chips: int, platform: str):
    """Attention whose scores are written out, and why its kernel was not taken."""
    kernels = {scopes(i.op_name)[0] for i, _ in program.running() if is_kernel(i)}
    found = {}
    for i in before.running() if before is not None else program.running():
        instruction = i[0]
        if instruction.opcode not in ("dot", "exponential") or not instruction.shape:
            continue
        dims = instruction.shape[0].dims
        path, name, backward = scopes(instruction.op_name)
        if backward or path in kernels or len(dims) < 3 or min(dims[-2:]) < 8:
            continue
        of_operator = _ATTENTION.search(instruction.op_name) is not None
        by_hand = instruction.opcode == "exponential" and len(dims) == 4 and min(dims[-2:]) >= _SHORT
        if instruction.opcode == "exponential" and (of_operator or by_hand):
            size = instruction.shape[0].nbytes
            if size < _LARGE:
                continue
            key = (path, user_line(before or program, instruction))
            found.setdefault(key, (size, dims, instruction.shape[0].dtype, of_operator, instruction))
    return [
        Finding(
            "kernel",
            f"attention of {path or 'the step'} writes its scores {list(dims)} ({size / 1e6:.1f} MB), no kernel was taken: "
            + _why(dims, dtype, of_operator, chips, platform, instruction, before or program),
            path,
            line,
            size,
        )
        for (path, line), (size, dims, dtype, of_operator, instruction) in found.items()
    ]


def _why(dims, dtype, of_operator, chips, platform, instruction, program):
    if platform == "cpu":
        return "the CPU has none"
    if not of_operator:
        return "it is written of products and a softmax; FlashAttentionScore, scaled_dot_product_attention or nn.MultiheadAttention take it"
    if min(dims[-2:]) < _SHORT:
        return f"lengths below {_SHORT} have none"
    scope = instruction.op_name.rsplit("/", 1)[0]
    if "dropout" in instruction.op_name or any(
        "random" in i.op_name or i.opcode.startswith("rng") for i, _ in program.running() if i.op_name.startswith(scope)
    ):
        return "its weights have dropout"
    if chips > 1:
        return "the operator has no strategy that splits batch and heads over the chips (`shard`)"
    if dtype == "f64":
        return "it is float64"
    return "its dtypes, masks or heads are not what the kernel takes (heads of one width, masks below 2^28 elements)"


# --- products in float32
def float32_products(before: Program):
    """Products that run in float32 in a program whose other products are of half precision."""
    rows = [(operations(before, i) * n, i) for i, n in before.running() if i.opcode in ("dot", "convolution")]
    total = sum(count for count, _ in rows)
    half = sum(count for count, i in rows if _operands(before, i) & {"bf16", "f16"})
    if not half or not total:
        return []
    found = {}
    for count, instruction in rows:
        if _operands(before, instruction) != {"f32"} or count < total / 1000 or _ATTENTION.search(instruction.op_name):
            continue
        key = (where(instruction).removesuffix(", backward"), user_line(before, instruction))
        found[key] = found.get(key, 0) + count
    return [
        Finding(
            "float32",
            f"the product of {place} is of float32 ({100 * count / total:.1f} % of all products), where others are of half precision: "
            "cast its inputs, or let amp or to_float do it",
            place,
            line,
            count,
        )
        for (place, line), count in sorted(found.items(), key=lambda kv: -kv[1])
    ]


def _operands(program, instruction):
    return {a.dtype for n in range(2) if (made := program.operand(instruction, n)) is not None for a in made.shape[:1]}


# --- padding
def padding(measured: "Measured", peak: int = 0):
    """Buffers of which more than a tenth is padding of the layout's tiles, where that is a thousandth of the memory or more."""
    program, found = measured.program, {}
    for instruction in program.computations[program.entry]:
        for array in instruction.shape:
            wasted = array.held - array.nbytes
            if array.space or wasted * 10 <= array.held or wasted < max(_LARGE, peak / 1000):
                continue
            if instruction.opcode in ("tuple", "get-tuple-element", "bitcast", "while") or instruction.opcode.endswith(
                "-done"
            ):
                continue
            name = where(instruction)
            if instruction.opcode == "parameter" and instruction.arguments.strip().isdigit():
                number = int(instruction.arguments)
                name = measured.inputs[number][0] if number < len(measured.inputs) else name
            key = (name, array.dtype, array.dims)
            found.setdefault(key, (wasted, array, user_line(program, instruction)))
    return [
        Finding(
            "padding",
            f"{name} {dtype}{list(dims)} takes {array.held / 1e6:.1f} MB for {array.nbytes / 1e6:.1f} MB of content: "
            "lengths of its last axes are not multiples of the chip's tiles (8 x 128)",
            name,
            line,
            wasted,
        )
        for (name, dtype, dims), (wasted, array, line) in sorted(found.items(), key=lambda kv: -kv[1][0])[:10]
    ]


# --- recomputation
def recomputed(before: Program, after: Program):
    """Recomputation that was asked for and is not in the compiled program: its results are kept after all."""

    def products(program):
        bodies = [i for body in program.computations.values() for i in body]
        return sum(i.opcode in ("dot", "convolution") and "rematted_computation" in i.op_name for i in bodies)

    idle = _nothing_again(before)
    asked = products(before)
    if not asked or products(after):
        return idle
    first = next(
        i
        for body in before.computations.values()
        for i in body
        if i.opcode in ("dot", "convolution") and "rematted_computation" in i.op_name
    )
    return [
        Finding(
            "recompute",
            f"recompute() of {scopes(first.op_name)[0] or 'a Cell'} has no effect: the compiler computes its {asked} products once, and keeps what they give",
            scopes(first.op_name)[0],
            user_line(before, first),
        ),
        *idle,
    ]


def _nothing_again(before):
    """Cells with recompute() whose backward needs only the Cell's inputs."""
    first, again = {}, set()
    for body in before.computations.values():
        for instruction in body:
            cell, marked, rest = instruction.op_name.partition("/checkpoint/")
            if marked and "transpose(" in cell:
                first.setdefault(cell, instruction)
                computes = rest.startswith("rematted_computation") and instruction.opcode not in _MOVES
                again.update([cell] if computes else [])
    found = []
    for cell, instruction in first.items():
        if cell not in again:
            name = scopes(cell)[0] or "the network"
            text = f"recompute() of {name} has no effect: the backward needs nothing that it computes, its inputs alone"
            found.append(Finding("recompute", text, name, user_line(before, instruction)))
    return found


# --- what only moves
def movement(program: Program, instruction: "Instruction"):
    """copy, transposition or conversion: the kind of an instruction that computes nothing; None for all others."""
    kinds = {i.opcode for i in program.fused(instruction)} if instruction.opcode == "fusion" else {instruction.opcode}
    kinds -= {"parameter", "bitcast", "constant", "tuple", "get-tuple-element", "reshape", "broadcast"}
    if not kinds or kinds - {"copy", "transpose", "convert"}:
        return None
    return "conversion" if "convert" in kinds else "transposition" if "transpose" in kinds else "copy"


__all__ = ["Finding", "find", "first_use", "movement", "user_line"]
