"""Install public toolkits that are written for MindSpore, import every module of each on msjax, and write docs/toolkits.md.

    python tools/toolkits.py [NAME ...] --scratch DIR [--with DIR] [--minutes 10]

NAME: toolkits of `TOOLKITS` (all, if none is named). --scratch: where they are installed (`pip install --no-deps --target`), each into
a folder of its own; one that is there is not installed again. --with: a folder of further packages that they import (transformers,
pandas, ...). It needs PyPI, a quarter of an hour and some gigabytes, so it is no part of the tests. Results are kept in
docs/toolkits.json, so that single toolkits can be run again.
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

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"

# name here -> (what pip installs, packages whose modules are imported)
TOOLKITS = {
    "mindcv": ("mindcv", "mindcv"),
    "mindyolo": ("mindyolo", "mindyolo"),
    "mindocr": ("mindocr", "mindocr"),
    "mindone": ("mindone", "mindone"),
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
    "torch-ms-adapter": ("torch-ms-adapter", "torch_ms_adapter"),
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
        install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder), spec]
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
    errors = collections.Counter(e for e in results.values() if e)
    foreign = sum(n for e, n in errors.items() if is_foreign(e))
    return {
        "version": version,
        "modules": len(results),
        "imported": sum(not e for e in results.values()),
        "foreign": foreign,
        "errors": errors.most_common(4),
        "date": datetime.date.today().isoformat(),
    }


def page(rows):
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
    given = parser.parse_args()
    kept = DOCS / "toolkits.json"
    rows = json.loads(kept.read_text()) if kept.exists() else {}
    for name in given.names or TOOLKITS:
        rows[name] = run(name, given.scratch, given.extra, given.minutes)
        print(name, {k: v for k, v in rows[name].items() if k != "errors"}, flush=True)
        kept.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n")
        (DOCS / "toolkits.md").write_text(page(rows))


if __name__ == "__main__":
    main()
