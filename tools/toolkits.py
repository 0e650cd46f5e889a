"""Install public toolkits that are written for MindSpore, import every module of each on msjax, and write docs/toolkits.md.

    python tools/toolkits.py [NAME ...] --scratch DIR [--with DIR] [--minutes 10]
    python tools/toolkits.py --train --mindspore-python PYTHON --scratch DIR [--only resnet18 ...]

NAME: toolkits of `TOOLKITS` (all, if none is named). --scratch: where they are installed (`pip install --no-deps --target`), each into
a folder of its own; one that is there is not installed again. --with: a folder of further packages that they import (transformers,
pandas, ...). It needs PyPI, a quarter of an hour and some gigabytes, so it is no part of the tests. Results are kept in
docs/toolkits.json, so that single toolkits can be run again.

--train: one model of each family of MindCV is trained for a step on MindSpore itself (PYTHON is one in which it is installed, with
MindCV's own requirements) and here, from the same weights, and the largest differences are noted. Results that are in the folder are
not computed again.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

import toolkit_cases

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

# name here -> (what pip installs, packages whose modules are imported). torch-ms-adapter is not here: its import runs `pip install numpy<2`
# in the environment that imports it.
TOOLKITS = {
    "mindcv": ("mindcv", "mindcv"),
    "mindyolo": ("mindyolo", "mindyolo"),
    "mindocr": ("mindocr huggingface_hub<1 transformers<4.54 tokenizers<0.22", "mindocr"),
    "mindone": ("mindone huggingface_hub<1 transformers<5", "mindone"),
    "mindformers": ("mindformers", "mindformers"),
    "mindformers 1.3": ("mindformers<1.4", "mindformers"),
    "mindformers 1.0": ("mindformers<1.1", "mindformers"),
    "mindnlp": ("mindnlp", "mindnlp mindtorch"),
    "mindnlp 0.4": ("mindnlp<0.5", "mindnlp"),
    "mindnlp 0.2": ("mindnlp<0.3", "mindnlp"),
    "mindpet": ("mindpet", "mindpet"),
    "mindarmour": ("mindarmour", "mindarmour"),
    "mindaudio": ("mindaudio", "mindaudio"),
    "mindflow": ("mindflow-ascend", "mindflow"),
    "mindearth": ("mindearth-ascend", "mindearth"),
    "mindchemistry": ("mindchemistry-ascend", "mindchemistry"),
    "mindsponge": ("mindsponge-gpu", "mindsponge"),
    "mindmaster": ("mindmaster", "mindmaster"),
    "mindspore-gs": ("mindspore-gs", "mindspore_gs"),
    "mindspore-rec": ("mindspore-rec", "mindspore_rec"),
    "mindspore-rl": ("mindspore-rl", "mindspore_rl"),
    "mindspore-xai": ("mindspore-xai", "mindspore_xai"),
    "mindspore-quaternion": ("mindspore-quaternion", "quaternion"),
    "mindtorch": ("mindtorch", "mindtorch"),
    "msadapter": ("msadapter", "msadapter"),
    "troubleshooter": ("troubleshooter", "troubleshooter"),
    "vllm-mindspore": ("vllm-mindspore", "vllm_mindspore"),
}


def modules(folder, packages):
    """Names of all modules of the packages, parents first."""
    found = set()
    for package in packages:
        for path in (folder / package).rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            if all(p.isidentifier() for p in parts) and parts[-1] != "__main__":
                found.add(".".join(parts))
    return sorted(found)


def import_all(folder, packages, extra):
    """In a process of its own: {module: "" or the error that stopped it}, as one JSON line."""
    import importlib
    import warnings

    warnings.simplefilter("ignore")
    import msjax
    from msjax.alias import old_numpy

    msjax.install()
    old_numpy.give_back()  # as `python -m msjax` does
    sys.path[1:1] = [str(folder)]
    sys.path += extra
    sys.argv = sys.argv[:1]
    results, broken = {}, {}
    for name in modules(folder, packages):
        above = next((b for b in broken if name.startswith(f"{b}.")), None)
        try:
            results[name] = broken[above] if above else ""
            if not above:
                importlib.import_module(name)
        except BaseException as error:
            text = re.sub(r" \(/.*", "", f"{type(error).__name__}: {error}".split("\n")[0])  # no path of this machine
            results[name] = text[:200]
            if "." not in name:  # each module below would run the package again, to the same end
                broken[name] = results[name]
    print("\n" + json.dumps(results), flush=True)
    os._exit(0)  # toolkits leave threads behind


def is_foreign(error):
    """Whether something else than msjax is missing: another package, or a compiled extension."""
    missing = error.startswith("ModuleNotFoundError") and "mindspore" not in error
    compiled = "undefined symbol" in error or "cannot open shared object" in error or ".so" in error
    return missing or compiled or ("ImportError" in error and "mindspore" not in error)


def run(name, scratch, extra, minutes):
    """The row of one toolkit."""
    spec, packages = TOOLKITS[name]
    folder = scratch / name.replace(" ", "-")
    if not folder.exists():
        install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder), *spec.split()]
        subprocess.run(install, check=True)
    version = next((p.name.split("-")[1].removesuffix(".dist") for p in folder.glob("*.dist-info")), "?")
    command = [sys.executable, __file__, "--import", str(folder), *packages.split()]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "JAX_PLATFORMS": "cpu",
        "MSJAX_TOOLKIT_EXTRA": ":".join(extra),
        "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),  # some read it
        "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python",  # their generated code is older than today's protobuf
    }
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60 * minutes, env=environment)
        results = json.loads(done.stdout.strip().split("\n")[-1])
    except subprocess.TimeoutExpired:
        return {"version": version, "stopped": f"not done after {minutes} minutes"}
    except (json.JSONDecodeError, IndexError):
        return {"version": version, "stopped": done.stderr.strip().split("\n")[-1][:200]}
    return row_of(results, version)


def row_of(results, version):
    """The row of what `import_all` found."""
    own = re.compile(r"/[\w./-]+/(?=[\w.-]+)")  # no path of this machine
    errors = collections.Counter(own.sub("", e) for e in results.values() if e)
    foreign = sum(n for e, n in errors.items() if is_foreign(e))
    return {
        "version": version,
        "modules": len(results),
        "imported": sum(not e for e in results.values()),
        "foreign": foreign,
        "errors": errors.most_common(4),
        "date": datetime.date.today().isoformat(),
    }


def train(scratch, python, only, minutes):
    """{case: {kind of value: largest difference}} of one training step of models of MindCV, here and on MindSpore."""
    rows = {}
    (scratch / "steps").mkdir(exist_ok=True)
    paths = [str(scratch / "mindcv")]
    for size, names in toolkit_cases.MINDCV.items():
        for name in names.split():
            if only and name not in only:
                continue
            case, stem = f"mindcv:{name}:{size}", str(scratch / "steps" / f"mindcv_{name}_{size}")
            for backend, end, mode, executable in (
                ("mindspore", ".o.npz", "pynative", python),
                ("msjax", ".g.npz", "graph", sys.executable),
            ):
                if pathlib.Path(stem + end).exists():
                    continue
                path = ":".join([*paths, *([str(ROOT)] if backend == "msjax" else [])])
                command = [executable, str(ROOT / "tools" / "toolkit_cases.py"), case, f"{stem}.w.npz", stem + end]
                command += ["--backend", backend, "--mode", mode]
                environment = {
                    **os.environ,
                    "JAX_PLATFORMS": "cpu",
                    "PYTHONPATH": path + ":" + os.environ.get("PYTHONPATH", ""),
                }
                try:
                    subprocess.run(command, timeout=60 * minutes, env=environment, capture_output=True, check=False)
                except subprocess.TimeoutExpired:
                    break
            if pathlib.Path(stem + ".o.npz").exists() and pathlib.Path(stem + ".g.npz").exists():
                rows[name] = toolkit_cases.differences(stem + ".o.npz", stem + ".g.npz")
                rows[name]["date"] = datetime.date.today().isoformat()
                print(name, rows[name], flush=True)
    return rows


def training(rows):
    """The lines about trained models."""
    if not rows:
        return []
    kinds = ("output", "loss", "gradient", "statistics", "after")
    lines = [
        "",
        "## One training step of models of MindCV",
        "",
        "From the same weights, GRAPH_MODE here beside PYNATIVE_MODE of MindSpore 2.10 (CPU): the largest difference, relative to the",
        "largest value (of all gradients; of each Parameter after the step; of the running statistics).",
        "",
        "| model | output | loss | gradients | statistics | Parameters after | seen |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, row in sorted(rows.items()):
        values = [f"{row[kind]:.0e}" if kind in row else "" for kind in kinds]
        lines.append(f"| {name} | {' | '.join(values)} | {row['date']} |")
    return lines


def page(rows, trained):
    """docs/toolkits.md"""
    lines = [
        "# Toolkits",
        "",
        "Public toolkits written for MindSpore, every module imported on msjax by `tools/toolkits.py`. *other* counts modules that",
        "another package or a compiled extension stops, which is not there on any back end.",
        "",
        "| toolkit | version | modules | imported | other | left | seen |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, row in sorted(rows.items()):
        if "stopped" in row:
            lines.append(f"| {name} | {row['version']} | | | | {row['stopped']} | |")
            continue
        left = row["modules"] - row["imported"] - row["foreign"]
        lines.append(
            f"| {name} | {row['version']} | {row['modules']} | {row['imported']} | {row['foreign']} | {left} | {row['date']} |"
        )
    lines += training(trained)
    lines += ["", "## What stopped the others", ""]
    for name, row in sorted(rows.items()):
        for error, count in row.get("errors", ()):
            lines.append(f"- {name}: {count} × `{error[:150]}`")
    return "\n".join(lines) + "\n"


def main():
    if sys.argv[1:2] == ["--import"]:
        extra = [p for p in os.environ.get("MSJAX_TOOLKIT_EXTRA", "").split(":") if p]
        return import_all(pathlib.Path(sys.argv[2]), sys.argv[3:], extra)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*TOOLKITS, []])
    parser.add_argument("--scratch", type=pathlib.Path, required=True)
    parser.add_argument("--with", dest="extra", action="append", default=[])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--mindspore-python")
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    kept = DOCS / "toolkits.json"

    def keep(kind, found):
        known = json.loads(kept.read_text()) if kept.exists() else {}
        known.setdefault(kind, {}).update(found)
        kept.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
        (DOCS / "toolkits.md").write_text(page(known.get("imports", {}), known.get("trained", {})))

    if given.train:
        return keep("trained", train(given.scratch, given.mindspore_python, given.only, given.minutes))
    for name in given.names or TOOLKITS:
        row = run(name, given.scratch, given.extra, given.minutes)
        print(name, {k: v for k, v in row.items() if k != "errors"}, flush=True)
        keep("imports", {name: row})


if __name__ == "__main__":
    main()
