"""All benchmarks in turn; writes docs/benchmarks.md with a picture.

    python benchmarks/run_all.py [--quick] [--mindspore-python PYTHON] [--only train_step,eager,...] [--out docs/benchmarks.md]

Each part has a time limit; what it has printed by then is kept, with a word that it was stopped. `--quick` takes fewer bursts, shapes and
workloads: a quarter of an hour at most. What stands in the file from the line `## Tried` on is kept.
"""

import argparse
import datetime
import importlib.metadata
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# part -> (arguments, limit in seconds) of a quick run, and of a whole one
PARTS = {
    "train_step": (("--bursts 3 --starts 1 --only mlp,mlp_sgd,lenet,gpt", 180), ("--bursts 5 --starts 3", 1800)),
    "eager": (("--bursts 3 --starts 1", 90), ("--bursts 7 --starts 1", 600)),
    "layers": (("--bursts 3 --starts 1", 150), ("--bursts 5 --starts 1", 900)),
    "model_train": (("--bursts 3 --starts 1", 60), ("--bursts 7 --starts 1", 600)),
    "first_step": (("--starts 1 --only resnet18,bert", 180), ("--starts 3", 2400)),
    "shapes": (("--count 8", 150), ("", 1800)),
    "data": (("--rounds 1 --samples 4000 --pictures 60", 90), ("", 1200)),
}
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


def printed(command, seconds):
    """What a command prints within so many seconds; then it and all that it started is stopped."""
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE.parent), env.get("PYTHONPATH")]))
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, env=env, start_new_session=True)
        stopped = ""
        try:
            if process.wait(seconds):
                stopped = f"(ended with {process.returncode})\n"
        except subprocess.TimeoutExpired:
            stopped = f"(stopped after {seconds} seconds)\n"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        out.seek(0)
        return out.read() + stopped


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--mindspore-python", metavar="PYTHON")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "docs/benchmarks.md")
    args = parser.parse_args()
    about, parts, rows = machine(), [], []
    for name in args.only.split(","):
        options, seconds = PARTS[name][0 if args.quick else 1]
        command = [sys.executable, str(HERE / f"{name}.py"), *options.split()]
        if args.mindspore_python:
            command += ["--mindspore-python", args.mindspore_python]
        text = printed(command, seconds)
        print(text, flush=True)
        rows += ratios(text)
        title = (HERE / f"{name}.py").read_text().split('"""')[1].splitlines()[0]
        parts.append(f"## {name}\n\n{title}\n\n```\n{text.rstrip()}\n```\n")
    drawn = args.out.with_suffix(".svg")
    drawn.write_text(picture(rows))
    old = args.out.read_text() if args.out.exists() else ""
    kept = old[old.index("## Tried") :] if "## Tried" in old else ""
    how = "python benchmarks/run_all.py" + (" --quick" if args.quick else "")
    head = (
        f"# Benchmarks\n\nMade by `{how}` on {datetime.date.today()}: {about}\n\n"
        "Contenders run in turn in one run. CPU time is that of all threads; wall time means little on a busy machine, and differences "
        f"under 20 % mean nothing. Ratios are to the first contender of each table.\n\n![CPU time of a step]({drawn.name})\n\n"
    )
    args.out.write_text(head + "\n".join(parts) + ("\n" + kept if kept else ""))


if __name__ == "__main__":
    main()
