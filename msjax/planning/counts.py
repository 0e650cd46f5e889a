"""The operations and bytes of a compiled program: totals, and shares of Cells and operators."""

import collections
import re
from typing import TYPE_CHECKING

from .collectives import collective, payload
from .hlo import bytes_moved, operations

if TYPE_CHECKING:
    from .hlo import Instruction
    from .measure import Measured

# Names of scopes that are JAX's, or a transform's, and no part of the network.
_WRAP = re.compile(
    r"^(?:jit|jvp|transpose|vmap|checkpoint|remat|custom_vjp_call|custom_jvp_call|shard_map|closed_call|pjit)$"
)
_CELL = re.compile(r"^(.+)-([A-Za-z_]\w*)$")


def totals(measured: "Measured"):
    """{operations, bytes, accessed, peak, kernels, collective, collectives, by_operator}: exact counts of one device.

    bytes: moved to and from the device's memory. by_operator: bytes of each operator. collective: bytes of all collectives, by kind in
    `collectives`. accessed: as the compiler counts, memory on the chip included, bodies of loops once.
    """
    program, found = measured.program, collections.Counter()
    kinds, operators = collections.Counter(), collections.Counter()
    for instruction, times in program.running():
        moved = bytes_moved(program, instruction) * times
        found["operations"] += operations(program, instruction) * times
        found["bytes"] += moved
        if moved:
            operators[operator(program.origin(instruction)) or instruction.opcode] += moved
        found["kernels"] += times if is_kernel(instruction) else 0
        if kind := collective(program, instruction):
            kinds[kind] += payload(program, instruction) * times
    return {
        "operations": found["operations"],
        "bytes": found["bytes"],
        "accessed": int(measured.cost.get("bytes accessed", 0)),
        "flops": int(measured.cost.get("flops", 0)),
        "peak": measured.memory.get("peak", 0),
        "kernels": found["kernels"],
        "collective": sum(kinds.values()),
        "collectives": dict(kinds),
        "by_operator": dict(operators.most_common(40)),
    }


def is_kernel(instruction: "Instruction"):
    """Whether an instruction is a kernel that was written by hand: Pallas's on TPU, a library's on GPU."""
    return instruction.opcode == "custom-call" and any(
        f'custom_call_target="{name}' in instruction.attrs
        for name in ("tpu_custom_call", "__cudnn$fmha", "triton", "__gpu$xla.gpu.triton")
    )


def scopes(op_name: str):
    """(path of the Cell, MindSpore's name of the operator or None, whether it is of the backward pass) of a path of scopes."""
    op_name = re.split(r"[:;]", op_name.lstrip("("))[0]  # of instructions that were joined, the first
    backward, path, last = "transpose(" in op_name, [], None
    for part in re.sub(r"\b(?:jit|jvp|transpose|vmap)\(|\)", "", op_name).split("/"):
        if not part or _WRAP.match(part):
            continue
        if found := _CELL.match(part):
            path.append(found[1])
            last = None
        elif last is None and path:
            last = part
    return ".".join(p for p in path if p not in ("network", "_backbone", "cell")), last, backward


def operator(instruction: "Instruction"):
    """The operator that an instruction belongs to, with the kind of the Cell around it: `Dense`, `layer_norm`, `Adam`."""
    cells = re.findall(r"-([A-Za-z_]\w*)", instruction.op_name)
    _, name, backward = scopes(instruction.op_name)
    title = name or (cells[-1] if cells else instruction.op_name.rsplit("/", 1)[-1])
    return f"{title} (backward)" if backward and title else title


__all__ = ["is_kernel", "operator", "scopes", "totals"]
