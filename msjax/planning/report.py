"""The report of a plan: figures, their shares by Cell, and problems, as a table, as JSON and as a picture."""

import collections
import dataclasses
import os
from typing import TYPE_CHECKING, Any

from . import findings
from .chips import collective_seconds
from .collectives import collective, groups, payload
from .counts import is_kernel, scopes, totals
from .hlo import bytes_moved, operations
from .memory import buffers, where

if TYPE_CHECKING:
    from .measure import Measured
    from .topology import Topology

_LARGE = 1 << 20  # bytes from which a copy, transposition or conversion is told


@dataclasses.dataclass
class Plan:
    """Memory, operations and time of one training step on the chips of a topology; `print(plan)` shows it.

    fits: whether the peak is within a chip's memory. memory: bytes a chip by use. work: exact counts of one chip. seconds: of one step by
    the roofline. cells: share of each. findings: what is wrong, in words.
    """

    name: str
    topology: str
    chips: int
    chip: dict
    fits: bool
    memory: dict
    largest: list
    work: dict
    collectives: list
    kernels: dict
    moves: list
    seconds: dict
    cells: list
    findings: list
    compile_seconds: dict

    def as_dict(self):
        """All of it, as JSON has it."""
        return dataclasses.asdict(self)

    def __str__(self):
        return text(self)

    __repr__ = __str__


def plan_of(measured: "Measured"):
    """The Plan of a program that was measured."""
    chip, size = measured.topology.chip, len(measured.topology.devices)
    work = totals(measured)
    memory, largest = _memory(measured, chip)
    collectives, kernels, moves, shares, seconds = _walk(measured, chip, size)
    return Plan(
        name=measured.name,
        topology=measured.topology.name,
        chips=size,
        chip=dataclasses.asdict(chip),
        fits=memory["peak"] <= chip.memory,
        memory=memory,
        largest=largest,
        work=work,
        collectives=collectives,
        kernels=kernels,
        moves=moves,
        seconds=seconds,
        cells=shares,
        findings=[f.as_dict() for f in findings.find(measured, memory["peak"])],
        compile_seconds=measured.seconds,
    )


def _memory(measured, chip):
    made, at, _ = buffers(measured)
    inputs = [b for b in made if b.kind in ("weight", "optimizer", "state", "input")]
    live = [b for b in made if b.kind in ("activation", "temporary") and b.first <= at <= b.last]
    by_kind = collections.Counter()
    for buffer in inputs:
        by_kind[buffer.kind] += buffer.nbytes
    kept = sum(b.nbytes for b in live if b.kind == "activation")
    temporary = measured.memory.get("temporary", 0)
    kept = min(kept, temporary)
    by_kind.update(activations=kept, temporaries=temporary - kept)
    memory = {
        "weights": by_kind["weight"],
        "optimizer state": by_kind["optimizer"],
        "other state and inputs": by_kind["state"] + by_kind["input"],
        "activations": by_kind["activations"],
        "temporaries": by_kind["temporaries"],
        "peak": measured.memory.get("peak", 0),
        "available": int(chip.memory),
    }
    largest = [
        {
            "bytes": b.nbytes,
            "what": b.name,
            "kind": b.kind,
            "array": f"{b.dtype}[{','.join(map(str, b.dims))}]",
            "line": findings.user_line(measured.program, measured.program.origin(b.instruction))
            if b.instruction.opcode != "parameter"
            else findings.first_use(measured.program, b.instruction),
        }
        for b in sorted([*inputs, *live], key=lambda b: -b.nbytes)[:10]
    ]
    return memory, largest


def _walk(measured, chip, size):
    program = measured.program
    found, kernels, moves, cells = {}, collections.Counter(), {}, collections.defaultdict(lambda: [0.0, 0, 0])
    compute = talk = 0.0
    useful = 0
    for instruction, times in program.running():
        flops, moved = operations(program, instruction), bytes_moved(program, instruction)
        kind = collective(program, instruction)
        origin = program.origin(instruction)
        path = scopes(origin.op_name)[0] or "(elsewhere)"
        line = None
        if kind:
            told = groups(program, instruction) or [list(range(size))]
            width = max(map(len, told)) if kind != "collective-permute" else 2
            took = collective_seconds(chip, kind, payload(program, instruction), width) * times
            talk += took
            line = findings.user_line(program, origin)
            key = (kind, axis_of(measured.topology, told), where(origin), line)
            row = found.setdefault(key, {"count": 0, "bytes": 0, "seconds": 0.0})
            row["count"] += times
            row["bytes"] += payload(program, instruction) * times
            row["seconds"] += took
        else:
            took = max(flops / chip.flops, moved / chip.bandwidth) * times
            compute += took
        share = cells[path]
        share[0] += took
        share[1] += flops * times
        share[2] += moved * times
        if "rematted_computation" not in instruction.op_name:
            useful += flops * times
        if is_kernel(instruction):
            kernels[where(origin)] += times
        what = findings.movement(program, instruction)
        if what and moved >= _LARGE:
            key = (what, where(origin), findings.user_line(program, origin))
            row = moves.setdefault(key, {"count": 0, "bytes": 0})
            row["count"] += times
            row["bytes"] += moved * times
    apart, together = compute + talk, max(compute, talk)
    seconds = {
        "compute": compute,
        "collectives": talk,
        "step without overlap": apart,
        "step with overlap": together,
        "mfu without overlap": useful / (apart * chip.flops) if apart else 0.0,
        "mfu with overlap": useful / (together * chip.flops) if together else 0.0,
    }
    return (
        [
            dict(zip(("kind", "over", "where", "line"), k)) | v
            for k, v in sorted(found.items(), key=lambda kv: -kv[1]["bytes"])
        ],
        dict(kernels),
        [dict(zip(("kind", "where", "line"), k)) | v for k, v in sorted(moves.items(), key=lambda kv: -kv[1]["bytes"])],
        [
            {"cell": k, "seconds": s, "share": s / apart if apart else 0.0, "operations": f, "bytes": b}
            for k, (s, f, b) in sorted(cells.items(), key=lambda kv: -kv[1][0])
        ],
        seconds,
    )


def axis_of(topology: "Topology", told: Any):
    """Which axes of the chips' torus the groups of a collective run along."""
    coordinates = [getattr(d, "coords", None) for d in topology.devices]
    if not told or any(c is None for c in coordinates):
        return f"{max(map(len, told), default=1)} chips"
    over = [
        name
        for axis, name in enumerate("xyz")
        if any(len({coordinates[n][axis] for n in group if n < len(coordinates)}) > 1 for group in told)
    ]
    return f"{max(map(len, told))} chips along {' and '.join(over) or 'none'}"


# --- as text
def _bytes(count):
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.2f} {unit}"
    return f"{count:.0f} B"


def _table(head, rows):
    rows = [[str(c) for c in row] for row in rows]
    wide = [max(len(r[i]) for r in [head, *rows]) for i in range(len(head))]
    return ["  " + "  ".join(c.ljust(w) for c, w in zip(row, wide)).rstrip() for row in [head, *rows]]


def _line(line):
    return "" if not line else f"{os.path.relpath(line[0]) if os.path.isabs(line[0]) else line[0]}:{line[1]}"


def text(plan: Plan):
    """The report as it stands in a terminal."""
    memory, chip = plan.memory, plan.chip
    fits = "fits" if plan.fits else "DOES NOT FIT"
    lines = [
        f"{plan.name} on {plan.topology} ({plan.chips} chip{'s' if plan.chips > 1 else ''}): {fits}, "
        f"{_bytes(memory['peak'])} of {_bytes(memory['available'])} a chip",
        "",
        "Memory a chip",
        *_table(["use", "bytes"], [[k, _bytes(v)] for k, v in memory.items() if k != "available"]),
        "",
        "Largest buffers",
        *_table(
            ["bytes", "kind", "array", "of", "line"],
            [[_bytes(b["bytes"]), b["kind"], b["array"], b["what"], _line(b["line"])] for b in plan.largest],
        ),
        "",
        "Work of one step on one chip",
        *_table(
            ["operations", "bytes moved", "collectives", "kernels"],
            [
                [
                    f"{plan.work['operations'] / 1e9:.1f} G",
                    _bytes(plan.work["bytes"]),
                    _bytes(sum(plan.work["collectives"].values())),
                    plan.work["kernels"],
                ]
            ],
        ),
    ]
    if plan.kernels:
        lines += ["", "Kernels", *_table(["times", "where"], [[n, k] for k, n in sorted(plan.kernels.items())][:20])]
    if plan.collectives:
        lines += [
            "",
            "Collectives",
            *_table(
                ["kind", "over", "times", "bytes", "ms", "where", "line"],
                [
                    [
                        c["kind"],
                        c["over"],
                        c["count"],
                        _bytes(c["bytes"]),
                        f"{c['seconds'] * 1e3:.3f}",
                        c["where"],
                        _line(c["line"]),
                    ]
                    for c in plan.collectives[:15]
                ],
            ),
        ]
    if plan.moves:
        lines += [
            "",
            "Copies, transpositions and conversions of 1 MB or more",
            *_table(
                ["kind", "times", "bytes", "where", "line"],
                [[m["kind"], m["count"], _bytes(m["bytes"]), m["where"], _line(m["line"])] for m in plan.moves[:10]],
            ),
        ]
    s = plan.seconds
    lines += [
        "",
        f"Time by the roofline ({chip['flops'] / 1e12:.0f} T operations, {chip['bandwidth'] / 1e9:.0f} GB of memory, "
        f"{chip['links']} x {chip['link'] / 1e9:.0f} GB of links a second)",
        *_table(
            ["", "ms a step", "MFU"],
            [
                [
                    "without overlap",
                    f"{s['step without overlap'] * 1e3:.3f}",
                    f"{100 * s['mfu without overlap']:.1f} %",
                ],
                ["with overlap", f"{s['step with overlap'] * 1e3:.3f}", f"{100 * s['mfu with overlap']:.1f} %"],
            ],
        ),
        "",
        "Share of each Cell",
        *_table(
            ["share", "ms", "operations", "bytes", "Cell"],
            [
                [
                    f"{100 * c['share']:.1f} %",
                    f"{c['seconds'] * 1e3:.3f}",
                    f"{c['operations'] / 1e9:.2f} G",
                    _bytes(c["bytes"]),
                    c["cell"],
                ]
                for c in plan.cells[:15]
            ],
        ),
        "",
        "What is wrong" if plan.findings else "Nothing was found that is wrong.",
    ]
    for finding in plan.findings:
        place = _line(finding["line"])
        lines.append(f"  - {finding['text']}{f' ({place})' if place else ''}")
    took = plan.compile_seconds
    lines += [
        "",
        "Traced in {:.1f} s, lowered in {:.1f} s, compiled in {:.1f} s.".format(
            *(took.get(k, 0.0) for k in ("trace", "lower", "compile"))
        ),
    ]
    return "\n".join(lines)


def picture(plan: Plan, path: str):
    """Memory and time by layer, drawn to a file whose ending says the format. ImportError: there is no matplotlib."""
    try:
        import matplotlib
    except ImportError as error:
        raise ImportError("A picture needs the package matplotlib: pip install 'msjax[plan]'.") from error
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
    uses = [(k, v) for k, v in plan.memory.items() if k not in ("peak", "available")]
    bottom = 0.0
    for use, count in uses:
        left.bar("memory a chip", count / 1e9, bottom=bottom, label=f"{use}: {_bytes(count)}")
        bottom += count / 1e9
    left.axhline(
        plan.memory["available"] / 1e9,
        color="black",
        linestyle="--",
        label=f"{plan.topology}: {_bytes(plan.memory['available'])}",
    )
    left.set_ylabel("GB")
    left.legend(fontsize=8)
    shown = plan.cells[:20][::-1]
    right.barh([c["cell"][-48:] for c in shown], [c["seconds"] * 1e3 for c in shown])
    right.set_xlabel("ms a step, by the roofline")
    right.tick_params(axis="y", labelsize=7)
    figure.suptitle(f"{plan.name} on {plan.topology}")
    figure.savefig(path, dpi=120)
    plt.close(figure)


__all__ = ["Plan", "picture", "plan_of", "text"]
