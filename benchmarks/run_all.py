"""All benchmarks in turn; writes their tables and a picture into docs/benchmarks.md.

    python benchmarks/run_all.py [--quick] [--mindspore-python PYTHON] [--torch-python PYTHON] [--only train_step,eager,...] [--out FILE]

Each part has a time limit, and so has each contender; what was measured by then is kept. `--quick` takes fewer bursts, shapes and workloads:
20 minutes at most. What stands in the file outside of the two marks is left as it is. The picture needs matplotlib.
"""

import argparse
import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BEGIN, END = "<!-- made by benchmarks/run_all.py: begin -->", "<!-- made by benchmarks/run_all.py: end -->"
# part -> (options, limit in seconds) of a quick run, and of a whole one
PARTS = {
    "train_step": (
        ("--bursts 3 --starts 1 --limit 40 --only mlp,mlp_sgd,lenet,resnet18,gpt", 300),
        ("--bursts 5", 2400),
    ),
    "eager": (("--bursts 5 --starts 1 --limit 20", 90), ("--bursts 7 --starts 1", 600)),
    "layers": (("--bursts 3 --starts 1 --limit 40", 150), ("--bursts 5 --starts 1", 900)),
    "model_train": (("--bursts 3 --starts 1 --limit 40", 90), ("--bursts 7 --starts 1", 600)),
    "first_step": (("--starts 1 --limit 60 --only resnet18,bert,lstm", 240), ("--starts 3", 2400)),
    "shapes": (("--count 8", 150), ("", 1800)),
    "data": (("--rounds 1 --samples 4000 --pictures 100", 120), ("", 1200)),
}
COLUMNS = {"msjax": "msjax", "jax": "hand-written JAX", "mindspore": "MindSpore 2.10", "torch": "torch"}
COLORS = {"jax": "#d1495b", "mindspore": "#2e6f95", "torch": "#e58c23"}
TOLD = ("does not run", "stopped")  # what benchmarks say of a contender


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
    return (
        f"{name}, {os.cpu_count()} cores (load {busy:.1f} at the start), Python {platform.python_version()}, {versions}"
    )


def of_modes(rows, modes):
    """{row label: {column: CPU time}}. modes: label -> {column: contender}."""
    found = {}
    for row in rows:
        for label, contenders in modes.items():
            for column, contender in contenders.items():
                if row["contender"] == contender:
                    found.setdefault((row["workload"], label), {})[column] = row["cpu"]
    return {f"{workload}, {label}" if label else workload: times for (workload, label), times in found.items()}


def figures(part, rows):
    """(what is measured, the factor from seconds to its unit, {label: {column: CPU time}}) of a part's figures."""
    alike = {column: column for column in COLUMNS}
    if part == "train_step":
        return "a GRAPH_MODE training step, CPU ms", 1e3, of_modes(rows, {"": alike})
    if part == "eager":
        return "PYNATIVE_MODE (JAX: not jitted), CPU ms", 1e3, of_modes(rows, {"": alike})
    if part == "layers":
        eager = {column: f"{column} pynative" for column in ("msjax", "mindspore")}
        modes = {"GRAPH_MODE": {**alike, "torch": ""}, "PYNATIVE_MODE": eager}
        return "a training step, CPU ms", 1e3, of_modes(rows, modes)
    if part == "model_train":
        return "an epoch of Model.train (30 steps), CPU ms", 1e3, of_modes(rows, {"": alike})
    if part == "first_step":
        rows = [{**row, "contender": f"{row['contender']} {row['state']}"} for row in rows]
        others = {"jax": "jax cold", "torch": "torch cold"}
        modes = {
            f"{mode.upper()}, {state}": {
                "msjax": f"msjax-{mode} {state}", "mindspore": f"mindspore-{mode} cold", **others,
            }
            for mode in ("pynative", "graph") for state in ("cold", "warm")
        }  # fmt: skip
        return (
            "the first step, CPU s (warm: with programs kept from an earlier start; the others have none)",
            1,
            of_modes(rows, modes),
        )
    if part == "shapes":
        rows = [{**row, "cpu": row["all"][1]} for row in rows]
        return "new shapes in PYNATIVE_MODE (JAX: not jitted), CPU s for all", 1, of_modes(rows, {"": alike})
    return "data pipelines, CPU us a sample", 1, of_modes(rows, {"": alike})


def shown(number):
    return f"{number:.3g}" if number < 1000 else f"{number:.0f}"


def table(titled):
    """The CPU times as Markdown; the least of a row in bold."""
    lines = [f"| CPU time | {' | '.join(COLUMNS.values())} |", "|---" * (1 + len(COLUMNS)) + "|"]
    for title, factor, found in titled:
        lines.append(f"| **{title}** |" + " |" * len(COLUMNS))
        for label, times in found.items():
            cells = [shown(times[c] * factor) if c in times else "" for c in COLUMNS]
            least = min(times, key=times.get)
            cells = [f"**{cell}**" if c == least else cell for c, cell in zip(COLUMNS, cells)]
            lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def starts_and_memory(rows):
    """First call and peak memory of `train_step`'s contenders as parts of hand-written JAX's, as Markdown."""
    base = {row["workload"]: row for row in rows if row["contender"] == "jax"}
    lines = ["| GRAPH_MODE step | first call, CPU: msjax / JAX | peak memory: msjax / JAX |", "|---|---|---|"]
    for row in rows:
        if row["contender"] == "msjax" and row["workload"] in base:
            other = base[row["workload"]]
            lines.append(
                f"| {row['workload']} | {row['first_cpu'] / other['first_cpu']:.2f} | {row['peak'] / other['peak']:.2f} |"
            )
    return "\n".join(lines) + "\n" if len(lines) > 2 else ""


def picture(titled, file):
    """One dot a contender: its CPU time as a multiple of msjax's."""
    import matplotlib  # is not needed to measure

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    rows = []
    for title, _, found in titled:
        rows.append((title.partition(" (")[0].partition(", CPU")[0], None))
        rows += [(label, times) for label, times in found.items() if "msjax" in times and len(times) > 1]
    figure, axes = plt.subplots(figsize=(8, 0.6 + 0.2 * len(rows)), layout="constrained")
    axes.axvline(1, color="#3a7d44", lw=2, label="msjax")
    for y, (_, times) in enumerate(rows):
        if times is None:
            axes.axhspan(y - 0.5, y + 0.5, color="#eeeeee")
            continue
        for column, color in COLORS.items():
            if column in times:
                known = axes.get_legend_handles_labels()[1]
                name = None if COLUMNS[column] in known else COLUMNS[column]
                axes.plot(times[column] / times["msjax"], y, "o", color=color, ms=6, label=name)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [label for label, _ in rows], fontsize=8)
    for tick, (_, times) in zip(axes.get_yticklabels(), rows):
        tick.set_fontweight("bold" if times is None else "normal")
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="x", which="major", color="#dddddd")
    axes.set_axisbelow(True)
    axes.set_xlabel("CPU time, as a multiple of msjax's (right of the line: msjax takes less)")
    figure.legend(loc="outside upper center", ncols=4, fontsize=8, frameon=False)
    figure.savefig(file, dpi=110)
    plt.close(figure)


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


def measured(names, quick, pythons, folder):
    """({part: its figures}, what could not be measured)"""
    parts, missing = {}, []
    for name in names:
        options, seconds = PARTS[name][0 if quick else 1]
        file = pathlib.Path(folder) / f"{name}.json"
        command = [sys.executable, str(HERE / f"{name}.py"), *options.split(), "--json", str(file)]
        for option, python in pythons.items():
            if python:
                command += [option, python]
        text = printed(command, seconds)
        print(f"--- {name}\n{text}", flush=True)
        missing += [f"{name}, {line.strip()}" for line in text.splitlines() if any(t in line for t in TOLD)]
        if file.exists():
            parts[name] = json.loads(file.read_text())
    return parts, missing


def inserted(page, made):
    """A page with what was made between the marks; a page without marks gets them below its title."""
    made = f"{BEGIN}\n{made.rstrip()}\n{END}"
    if BEGIN in page and END in page:
        return page[: page.index(BEGIN)] + made + page[page.index(END) + len(END) :]
    title, _, rest = page.partition("\n")
    return f"{title or '# Benchmarks'}\n\n{made}\n{rest}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--mindspore-python", metavar="PYTHON")
    parser.add_argument("--torch-python", metavar="PYTHON")
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "docs/benchmarks.md")
    args = parser.parse_args()
    about = machine()
    pythons = {"--mindspore-python": args.mindspore_python, "--torch-python": args.torch_python}
    with tempfile.TemporaryDirectory() as folder:
        parts, missing = measured(args.only.split(","), args.quick, pythons, folder)
    titled = [figures(name, rows) for name, rows in parts.items()]
    drawn = args.out.with_suffix(".png")
    picture(titled, drawn)
    made = (
        f"`python benchmarks/run_all.py{' --quick' * args.quick}` on {datetime.date.today()}: {about}.\n\n"
        "Contenders take turns in one run, each in a process of its own. CPU time is that of all threads; differences under 20 % mean "
        f"nothing.\n\n![CPU time of each contender as a multiple of msjax's]({drawn.name})\n\n{table(titled)}\n"
        f"{starts_and_memory(parts.get('train_step', []))}"
    )
    if missing:
        made += "\nNot measured: " + "; ".join(dict.fromkeys(missing)) + ".\n"
    args.out.write_text(inserted(args.out.read_text() if args.out.exists() else "", made))


if __name__ == "__main__":
    main()
