"""Install public toolkits that are written for MindSpore, import every module of each on msjax, and write docs/toolkits.md.

    python tools/toolkits.py [NAME ...] --scratch DIR [--with DIR] [--minutes 10]
    python tools/toolkits.py [NAME ...] --train --mindspore-python PYTHON --scratch DIR [--only resnet18 ...] [--with DIR]
        [--proofs] [--torch-python PYTHON]

NAME: toolkits of `TOOLKITS` (all, if none is named). --scratch: where they are installed (`pip install --no-deps --target`), each into
a folder of its own; one that is there is not installed again. --with: a folder of further packages that they import (PyTorch, ...), which
come before `PACKAGES`. It needs PyPI, a quarter of an hour and some gigabytes, so it is no part of the tests. Results are kept in
docs/toolkits.json, so that single toolkits can be run again.

--train: the models of `toolkit_cases.py` are trained on MindSpore itself (PYTHON is one in which it is installed, with what the
toolkits require) and here in both modes, from the same weights, each run in a process of its own, and the largest differences are
noted as soon as they are known. --proofs: where one is above 1e-4 the model is trained on MindSpore from weights that are changed in
their last bit, and here in float64, which tells which of the two is nearer to the truth. --torch-python: one that has PyTorch and its
transformers; models of toolkits that write PyTorch's API on MindSpore are compared with it (`toolkit_modules.py`). Results that are in
the folder are not computed again; without any PYTHON only the page is made of them.
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

import numpy as np
import toolkit_cases
import toolkit_modules
from toolkit_paths import path_of, result_end

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CLOSE = 1e-4  # what differs by more needs a reason

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
    "mindnlp": ("mindnlp huggingface_hub<1 transformers<4.54 tokenizers<0.22 datasets<4", "mindnlp mindtorch"),
    "mindnlp 0.4": ("mindnlp<0.5", "mindnlp"),
    "mindnlp 0.2": ("mindnlp<0.3", "mindnlp"),
    "mindpet": ("mindpet", "mindpet"),
    "mindquantum": ("mindquantum", "mindquantum"),
    "mindarmour": ("mindarmour", "mindarmour"),
    "mindaudio": ("mindaudio", "mindaudio"),
    "mindflow": ("mindflow-ascend", "mindflow"),
    "mindearth": ("mindearth-ascend cartopy pyproj pyshp", "mindearth"),
    "mindchemistry": ("mindchemistry-ascend", "mindchemistry"),
    "mindsponge": ("mindsponge-gpu biopython rdkit", "mindsponge"),
    "mindmaster": ("mindmaster", "mindmaster"),
    "mindspore-gs": ("mindspore-gs", "mindspore_gs"),
    "mindspore-rec": ("mindspore-rec", "mindspore_rec"),
    "mindspore-rl": ("mindspore-rl", "mindspore_rl"),
    "mindspore-xai": ("mindspore-xai shap slicer", "mindspore_xai"),
    "mindspore-quaternion": ("mindspore-quaternion hadder", "quaternion"),
    "mindtorch": ("mindtorch", "mindtorch"),
    "msadapter": ("msadapter", "msadapter"),
    "troubleshooter": ("troubleshooter pysnooper", "troubleshooter"),
    "vllm-mindspore": ("vllm-mindspore", "vllm_mindspore"),
}

# what they import besides, installed once for all of them
PACKAGES = (
    "transformers<5 tokenizers<0.23 huggingface_hub<1 datasets<4 evaluate safetensors sentencepiece tiktoken jieba nltk ftfy regex "
    "seqeval jiwer rapidfuzz rouge-chinese python-levenshtein pandas scipy scikit-learn scikit-image matplotlib opencv-python-headless pillow "
    "shapely pyclipper pycocotools trimesh librosa soundfile sox kaldiio mir_eval pyannote.core h5py tables netCDF4 xarray lmdb msgpack msgspec "
    "sympy networkx openfermion numba shap slicer gym ml_collections pyyaml omegaconf einops addict easydict treelib prettytable tqdm rich fire "
    "click absl-py six wget download requests aiohttp fastapi uvicorn pydantic sqlalchemy pyzmq ijson ujson psutil pynvml setproctitle "
    "tensorboard tensorboardX deprecated wrapt decorator astor astunparse cloudpickle pysnooper mmengine pybind11 setuptools<81"
)

# toolkits that import others: those are installed first, and lie behind the toolkit's own folder and --with
BESIDE = {
    "mindformers": ("mindpet",),
    "mindformers 1.3": ("mindpet",),
    "mindformers 1.0": ("mindpet",),
    "mindspore-gs": ("mindformers", "mindone"),
    "troubleshooter": ("mindtorch",),
    "vllm-mindspore": ("msadapter",),
}

# Tests of the toolkits themselves, run with `pytest -p msjax` from a checkout (mindformers' start further processes: the environment must
# be the active one): (toolkit, commit, which, passed, failed or not collected, why those, seen). None of the causes is msjax's.
OWN_TESTS = (
    (
        "mindarmour",
        "88285e85e19e",
        "tests/ut/python",
        159,
        27,
        "18 data (test_images.npy is not in the checkout; with made images the 9 of them for CPU run: 8 pass, the other fails on "
        "MindSpore too), 6 newer releases of NumPy, 3 ask for another device than CPU",
        "2026-11-27",
    ),
    (
        "MindScience",
        "52902750f925",
        "tests/st/sciai (without networks), mindelec, mindflow/cell",
        177,
        28,
        "15 data, 7 MindSpore too (same assertions; there nine more of these files fail), 5 packages, 1 not done in a minute. "
        "Stood in for: a list for matplotlib's pgf.preamble, which its newer releases refuse, and mindelec's compiled extension",
        "2026-11-27",
    ),
    (
        "GammaGL",
        "dfad6e3d3da9",
        "tests/layers, models, utils, transforms, data; TL_BACKEND=mindspore",
        77,
        40,
        "all project or package: Python 3.11 refuses the pair that TensorLayerX hands random.seed (where a pair is taken, ten of those files' "
        "56 tests fail: tlx.transpose without axes, NHWC on CPU, a mean of no edges), torch",
        "2026-11-27",
    ),
    ("mindocr", "6dd7792388e2", "tests/ut", 25, 10, "10 data (downloads; a folder that is not there)", "2026-11-27"),
    (
        "mindpet",
        "caf8485bebcb",
        "test/unit_test",
        362,
        2,
        "1 package (mindformers), 1 patches a function of MindSpore's compile cache. 6 of those that pass read MNIST, which was made; the file "
        "that they are in is refused by MindSpore 2.10 (c_transforms)",
        "2026-11-28",
    ),
    ("mindaudio", "4c7b609f0921", "tests", 47, 0, "", "2026-11-28"),
    (
        "mindrl",
        "7f55a67",
        "tests/st",
        10,
        0,
        "MindSpore 2.10 has no PriorityReplayBufferCreate any more, and runs one of them. 4 more are skipped by themselves",
        "2026-11-28",
    ),
    (
        "mindyolo",
        "67288e5",
        "tests/modules: losses, groups, optimizers, models",
        20,
        4,
        "all MindSpore too: the same four of losses",
        "2026-11-28",
    ),
    (
        "mindcv",
        "51b0636",
        "tests/modules: optimizers, losses, schedules, utilities, as far as six minutes go",
        121,
        0,
        "the 66 of them that MindSpore did in the same minutes pass there, too",
        "2026-11-28",
    ),
    (
        "TensorLayerX",
        "3732d07110dc",
        "tests/layers; TL_BACKEND=mindspore",
        38,
        96,
        "MindSpore 2.10 imports none of them (Rel of _checkparam). 46 ask for NHWC, which MindSpore too refuses on CPU, 9 for other formats that "
        "TensorLayerX refuses itself, 15 for random.seed of a pair, 9 for get_shape of TensorFlow, 15 call its layers with what they do not take, "
        "2 tensorflow",
        "2026-11-28",
    ),
    (
        "mindquantum",
        "ae2ad1b56b75",
        "tests/st: the files that use MindSpore",
        32,
        16,
        "all package: mindquantum's simulator mqmps has no gradients, and says so. 6 more are skipped (openfermionpyscf)",
        "2026-11-28",
    ),
)

TOLD = {"mindsponge": "2.2.14"}  # MSJAX_VERSION for those that cannot read a release of two digits


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
    from msjax.alias import old_names

    msjax.install()
    old_names.give_back()  # as `python -m msjax` does
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


def installed(name, scratch):
    """The folder of a toolkit, or of `PACKAGES` with what they require for "packages", which is installed if it is not there."""
    folder = scratch / name.replace(" ", "-")
    if not folder.exists():
        spec = PACKAGES.split() if name == "packages" else ["--no-deps", *TOOLKITS[name][0].split()]
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), *spec], check=True)
    return folder


def run(name, scratch, extra, minutes):
    """The row of one toolkit."""
    packages = TOOLKITS[name][1]
    folder = installed(name, scratch)
    extra = [*extra, *(str(installed(other, scratch)) for other in (*BESIDE.get(name, ()), "packages"))]
    distribution = re.split("[<=>]", TOOLKITS[name][0].split()[0])[0].replace("-", "_")
    version = next(
        (p.name.split("-")[1].removesuffix(".dist") for p in folder.glob(f"{distribution}-*.dist-info")), "?"
    )
    command = [sys.executable, __file__, "--import", str(folder), *packages.split()]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "JAX_PLATFORMS": "cpu",
        "MSJAX_TOOLKIT_EXTRA": ":".join(extra),
        "MSJAX_VERSION": TOLD.get(name, ""),
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


def train(scratch, pythons, toolkit, name, minutes, extra, proofs):
    """Run one case where it has no results yet; its row, None without any. Extra folders come first on MindSpore's path.

    pythons: {back end: the Python that has it, or None}.
    """
    folder = scratch / "trained" / toolkit.replace(" ", "-")
    folder.mkdir(parents=True, exist_ok=True)
    modules = toolkit in toolkit_modules.CASES
    program = "toolkit_modules.py" if modules else "toolkit_cases.py"

    def run(backend, mode, *options):
        end = result_end(backend, mode, *(o.strip("-") for o in options if o.startswith("--")))
        path = path_of(folder, name, end)
        if path.exists() or path_of(folder, name, end + ".txt").exists() or not pythons[backend]:
            return path.exists()
        command = [pythons[backend], str(ROOT / "tools" / program), toolkit, str(folder), name]
        paths = [*(extra if backend == "mindspore" else [str(ROOT)]), str(scratch / toolkit.replace(" ", "-"))]
        paths = [] if backend == "torch" else paths
        environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": ":".join(paths)}
        environment["MSJAX_VERSION"] = TOLD.get(toolkit, "")
        try:
            command += ["--backend", backend, "--mode", mode, *options]
            subprocess.run(command, timeout=60 * minutes, env=environment, check=False)
        except subprocess.TimeoutExpired:
            print(f"{toolkit}, {name}, {end}: not done after {minutes} minutes", flush=True)
        return path.exists()

    if modules:
        run("torch", "pynative")
        run("msjax", "pynative")
        return trained_row(folder, name)
    there = next((m for m in ("pynative", "graph") if run("mindspore", m)), None)
    modes = [m for m in ("pynative", "graph") if run("msjax", m)]
    row = trained_row(folder, name)
    if proofs and row and there and max(row[m][kind] for m in modes for kind in ("loss", "gradient", "last")) > CLOSE:
        run("mindspore", there, "--nudged", str(max(row[m]["gradient"] for m in modes) / 2))
        run("msjax", "pynative", "--truth")
        row = trained_row(folder, name)
    return row


def differences(one, other, how=toolkit_cases.differences):
    """Of two files of results."""
    with np.load(one) as a, np.load(other) as b:
        return how(a, b)


def trained_row(folder, name):
    """{mode: {kind of value: largest difference}, "beside": what it was compared with, "date": ...} of the results of a case, or None."""

    def result(backend, mode, *options):
        return path_of(folder, name, result_end(backend, mode, *options))

    modes = [m for m in ("pynative", "graph") if result("msjax", m).exists()]
    if not modes:
        return None
    there = next((m for m in ("pynative", "graph") if result("mindspore", m).exists()), None)
    reference, beside = (
        (result("mindspore", there), f"MindSpore, {there}") if there else (result("msjax", modes[0]), "")
    )
    if result("torch", "pynative").exists():
        reference, beside, there = result("torch", "pynative"), "PyTorch", "pynative"
    row = {m: differences(reference, result("msjax", m)) for m in modes if there or m != modes[0]}
    if there:
        found = {m: differences(reference, result("msjax", m), toolkit_cases.beginning) for m in modes}
        row["begins"] = {m: f for m, f in found.items() if f and row[m]["gradient"] > CLOSE}
    # how far the same model is from itself when its weights change in their last bit: on MindSpore, if that was run
    for backend, mode in [*(("msjax", m) for m in modes), *([("mindspore", there)] if there else [])]:
        nudged = result(backend, mode, "nudged")
        if nudged.exists():
            row["nudged"] = differences(result(backend, mode), nudged)
    truth = result("msjax", "pynative", "truth")
    if truth.exists() and there:
        row["truth"] = {
            "MindSpore": differences(truth, reference),
            "here": differences(truth, result("msjax", modes[0])),
        }
    seen = datetime.date.fromtimestamp(result("msjax", modes[0]).stat().st_mtime).isoformat()
    return row | {"beside": beside, "date": seen}


def training(rows):
    """The lines about trained models."""
    if not rows:
        return []
    kinds = ("output", "loss", "gradient", "statistics", "after", "last", "generated")
    lines = [
        "",
        "## Models trained",
        "",
        "Small configurations of the toolkits' own models: the same weights, forward, loss, gradients, three steps of Momentum, a checkpoint",
        "written and read, and for models of language what they generate with their key-value cache. The numbers are the largest",
        "differences, relative to the largest value (of all gradients; of each Parameter after the first and the third step), first of",
        "PYNATIVE_MODE, then of GRAPH_MODE. Compared with MindSpore 2.10 on CPU (names that it no longer has stood in for by",
        "`tools/toolkit_stand_ins.py`), or, where it cannot run the model, PYNATIVE_MODE here with GRAPH_MODE here (*own modes*); toolkits",
        "that write PyTorch's API, which run in PYNATIVE_MODE only, with PyTorch 2.14 and its transformers 4.49.",
        "*last bit* is the difference of gradients, and of Parameters after the third step, when the weights change in their last bit",
        "only (on MindSpore, where that was run; the largest of up to a dozen such changes): where it is as large as the others, these",
        "are rounding that the model amplifies.",
        "*float64* is how far the same two are from what the model gives here in float64, first on MindSpore, then here.",
        "Models of MindCV: steps of 1e-4, four images of 64 x 64, or two of the size that the family needs; of Tensors with more than",
        "262,144 numbers that many, evenly spread, are compared. Where a ReLU stands, one element that rounding moves over zero changes",
        "the gradients of all layers before it, and of none behind it: the list below this table says where that happened.",
        "Names with a count of blocks are smaller members of families whose smallest is large; inception_v4 has one block of each kind.",
        "volo's fold has float32 weights there (MindCV's are float16, which it refuses beside float32, as MindSpore does), and its",
        "`nn.Unfold`, which MindSpore's CPU build lacks, is `ops.unfold` on MindSpore.",
        "mobilevit_xx_small: float64 tells that it is MindSpore whose gradients are off, by 8e-4; those here are within 5e-6.",
        "mindformers 1.0 computes attention in float16 whatever it is told: more than half of the gradients of BERT, GPT-2 and T5 are",
        "float16 numbers, on MindSpore and here, and the last bit of those is 5e-4; so float64 is no truth for them.",
        "rexnet_09, and dpn in GRAPH_MODE: one element of one row went over zero here, and in none of a dozen changes of the last bit there.",
        "mindformers 2.1: MindSpore's CPU build lacks OneHotExt and FlashAttentionScore, and its Morph runs in GRAPH_MODE only; what is for",
        "PYNATIVE_MODE there needs the package hyper_parallel. Shared experts fail in 2.1.0 itself (two of three values are unpacked).",
        "mindpet: ways of fine-tuning a Transformer of two layers; *generated* is what its checkpoint of trained Parameters holds.",
        "mindnlp 0.5 has no rows: its mindtorch fills Tensors by writing to their memory with ctypes, and JAX's cannot be written to.",
        "What is left of its modules asks for names that neither it nor MindSpore 2.10 has (`Tensor.grad`, `aten.all`,",
        "`_checkpoint_without_reentrant_generator`); of mindnlp 0.4, for `SyncBatchNorm` of its own `core.nn`, which has none.",
        "mindsponge 1.0.0rc1 cannot read 2.10 as a version of MindSpore, and stops there. One module of mindquantum puts its own gate of one",
        "qubit on two, which it refuses itself.",
        "mindone: MindSpore's CPU build lacks kernels that its models need (mint's Arange, Conv2DExt, Embedding). UNet2DConditionModel",
        "takes a slice of a CellList, which renames its Parameters, in MindSpore as here, so that their checkpoint is not found again.",
        "",
        "| toolkit | model | compared with | output | losses | gradients | statistics | first step | third step | generated | last bit "
        "| float64: MindSpore; here | seen |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for toolkit, cases in sorted(rows.items()):
        for name, row in cases.items():
            modes = [row[m] for m in ("pynative", "graph") if m in row]
            cells = [" / ".join(_number(m[kind]) for m in modes if kind in m) for kind in kinds]
            cells.append(_pair(row["nudged"]) if "nudged" in row else "")
            cells.append(
                "; ".join(_pair(row["truth"][side]) for side in ("MindSpore", "here")) if "truth" in row else ""
            )
            lines.append(
                f"| {toolkit} | {name} | {row['beside'] or 'own modes'} | {' | '.join(cells)} | {row['date']} |"
            )
    return lines + _beginnings(rows)


def _beginnings(rows):
    """The lines about where gradients begin to differ."""
    lines = [
        "",
        "### Where gradients begin to differ",
        "",
        "The last Parameter (on the way back the first) whose gradient differs by more than 5e-4 of its largest, and in how many of its",
        "rows. One row of many is one element that rounding moved over the kink of a ReLU: all behind it agrees, all before it differs.",
        "",
    ]
    for toolkit, cases in sorted(rows.items()):
        for name, row in cases.items():
            for mode, (parameter, count, rows_) in row.get("begins", {}).items():
                lines.append(f"- {toolkit} {name}, {mode}: {count} of {rows_} of `{parameter}`")
    return lines if len(lines) > 6 else []


def _pair(found):
    return ", ".join(_number(found[kind]) for kind in ("gradient", "last"))


def _number(value):
    return "0" if value == 0 else "not finite" if value == float("inf") else f"{value:.0e}"


def page(rows, trained):
    """docs/toolkits.md"""
    lines = [
        "# Toolkits",
        "",
        "Public toolkits written for MindSpore, every module imported on msjax by `tools/toolkits.py`. *other* counts modules that",
        "another package or a compiled extension stops, which is not there on any back end. Toolkits that import other toolkits, or small",
        "packages, or PyTorch, find those beside them. vllm-mindspore asks for an `msadapter.ops`, which PyPI's msadapter does not have;",
        "mindspore-gl is not on PyPI; its source, mindspore-ai/graphlearning, builds with `python setup.py build_ext --inplace`",
        "([tests](evidence/projects_by_lot.md)).",
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
    lines += [
        "",
        "## Their own tests",
        "",
        "Unit tests of the toolkits' repositories, unchanged, by `python -m pytest -p msjax`. Failures were compared with MindSpore 2.10 on CPU",
        "where it can import the toolkit.",
        "",
        "| toolkit | commit | tests | passed | others | why | seen |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in OWN_TESTS]
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
    parser.add_argument("--proofs", action="store_true")
    parser.add_argument("--mindspore-python")
    parser.add_argument("--torch-python")
    parser.add_argument("--only", nargs="*", default=[])
    given = parser.parse_args()
    kept = DOCS / "toolkits.json"

    def keep(kind, name, row, *below):
        known = json.loads(kept.read_text()) if kept.exists() else {}
        entries = known.setdefault(kind, {})
        for part in below:
            entries = entries.setdefault(part, {})
        entries[name] = row
        kept.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
        (DOCS / "toolkits.md").write_text(page(known.get("imports", {}), known.get("trained", {})))

    if given.train:
        cases = toolkit_cases.CASES | toolkit_modules.CASES
        pythons = {"mindspore": given.mindspore_python, "torch": given.torch_python}
        pythons["msjax"] = sys.executable if any(pythons.values()) else None
        for toolkit in given.names or list(cases):
            for name in given.only or cases[toolkit]:
                row = train(given.scratch, pythons, toolkit, name, given.minutes, given.extra, given.proofs)
                if row:
                    keep("trained", name, row, toolkit)
        return
    for name in given.names or TOOLKITS:
        row = run(name, given.scratch, given.extra, given.minutes)
        print(name, {k: v for k, v in row.items() if k != "errors"}, flush=True)
        keep("imports", name, row)


if __name__ == "__main__":
    main()
