"""All benchmarks in turn; writes docs/benchmarks.md with a picture.

    python benchmarks/run_all.py [--mindspore-python PYTHON] [--only train_step,eager,...] [--bursts 5] [--out docs/benchmarks.md]

What stands in the file from the line `## Tried` on is kept.
"""

import argparse
import datetime
import importlib.metadata
import os
import pathlib
import platform
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
WITH_BURSTS = ("train_step", "eager", "layers")
SCRIPTS = (*WITH_BURSTS, "shapes")
_HEAD = re.compile(r"^(\w+): +first call")
_ROW = re.compile(r"^  (\w+) +([\d.]+) +([\d.]+) \| +([\d.]+) +([\d.]+) \| +([\d.]+) +([\d.]+) \| +([\d.]+) +([\d.]+)")


def machine():
    """One sentence: processor, cores, versions."""
    name = platform.machine()
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        name = next(
            (line.split(":")[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line), name
        )
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in ("jax", "optax", "numpy"))
    busy = os.getloadavg()[0]
    return f"{name}, {os.cpu_count()} cores (load {busy:.1f} at the start), Python {platform.python_version()}, {versions}."


def ratios(text):
    """[(workload, CPU time of a step of msjax as a part of the first contender's)] of what `contenders.compare` prints."""
    found, workload = [], None
    for line in text.splitlines():
        if head := _HEAD.match(line):
            workload = head.group(1)
        elif (row := _ROW.match(line)) and row.group(1) == "msjax":
            found.append((workload, float(row.group(7))))
    return found


def picture(rows):
    """An SVG of bars: CPU time of a step against hand-written JAX."""
    width, height, left = 420, 22, 150
    most = max([1.2, *(r for _, r in rows)])
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 60}" height="{height * (len(rows) + 2)}" font-family="sans-serif" '
        'font-size="13">',
        f'<text x="{left}" y="15">CPU time of a step, hand-written JAX = 1</text>',
    ]
    for i, (name, value) in enumerate(rows, 1):
        y = i * height + 4
        lines.append(f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{name}</text>')
        lines.append(
            f'<rect x="{left}" y="{y}" width="{value / most * width:.0f}" height="16" fill="{"#3a7" if value <= 1 else "#c73"}"/>'
        )
        lines.append(f'<text x="{left + value / most * width + 6:.0f}" y="{y + 13}">{value:.2f}</text>')
    x, bottom = left + width / most, height * (len(rows) + 1) + 4
    lines.append(f'<line x1="{x:.0f}" x2="{x:.0f}" y1="{height}" y2="{bottom}" stroke="black" stroke-dasharray="3 3"/>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mindspore-python", metavar="PYTHON")
    parser.add_argument("--only", default=",".join(SCRIPTS))
    parser.add_argument("--workloads", help="of the scripts, by commas")
    parser.add_argument("--bursts", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "docs/benchmarks.md")
    args = parser.parse_args()
    about, parts, rows = machine(), [], []
    for script in args.only.split(","):
        command = [sys.executable, str(HERE / f"{script}.py")]
        if script in WITH_BURSTS:
            command += ["--bursts", str(args.bursts), "--starts", "1"]
        if args.mindspore_python:
            command += ["--mindspore-python", args.mindspore_python]
        if args.workloads:
            command += ["--only", args.workloads]
        text = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout
        print(text, flush=True)
        rows += ratios(text)
        title = (HERE / f"{script}.py").read_text().split('"""')[1].splitlines()[0]
        parts.append(f"## {script}\n\n{title}\n\n```\n{text.rstrip()}\n```\n")
    drawn = args.out.with_suffix(".svg")
    drawn.write_text(picture(rows))
    old = args.out.read_text() if args.out.exists() else ""
    kept = old[old.index("## Tried") :] if "## Tried" in old else ""
    head = (
        f"# Benchmarks\n\nMade by `python benchmarks/run_all.py` on {datetime.date.today()}: {about}\n\n"
        "Contenders run in turn in one run. CPU time is that of all threads; wall time means little on a busy machine, and differences "
        f"under 20 % mean nothing. Ratios are to the first contender of each table.\n\n![CPU time of a step]({drawn.name})\n\n"
    )
    args.out.write_text(head + "\n".join(parts) + ("\n" + kept if kept else ""))


if __name__ == "__main__":
    main()
