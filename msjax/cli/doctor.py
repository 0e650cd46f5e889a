"""`python -m msjax doctor`: the installed versions, the devices, and the effect of MindSpore's settings on this
machine.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator

from msjax.alias.finder import VERSION
from msjax.core import host
from msjax.core.settings import compile_cache, context

from . import tables

_PACKAGES = ("jax", "jaxlib", "optax", "numpy", "ml_dtypes", "opencv-python-headless", "pillow", "cloudpickle")
_EXTRAS = {
    "matplotlib": "pictures of the examples",
    "safetensors": "checkpoints in format safetensors",
    "sentencepiece": "text: SentencePieceTokenizer",
    "jieba": "text: JiebaTokenizer",
    "cryptography": "encrypted checkpoints",
}


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _versions() -> Iterator[str]:
    yield f"msjax {_version('msjax') or '(not installed: run from its source tree)'}, API of MindSpore {VERSION}"
    yield f"python {platform.python_version()} ({sys.executable}) on {platform.platform()}"
    for package in _PACKAGES:
        yield f"{package} {_version(package) or 'MISSING: pip install ' + package}"
    for package, use in _EXTRAS.items():
        yield f"{package} {_version(package) or 'not installed'} (optional: {use})"


def _devices() -> Iterator[str]:
    import jax  # starts the devices, which is what this section is asked for

    for device in jax.devices():
        yield f"{device.platform}:{device.id} {device.device_kind}, process {device.process_index}"
    yield f"a device_target that is not present runs on {context.present_device()}"


def _cache() -> Iterator[str]:
    import jax

    folder = jax.config.jax_compilation_cache_dir
    if folder:
        yield f"compiled programs are kept in {folder} (at most {compile_cache.BOUND >> 20} MB there by default)"
    else:
        yield "compiled programs are not kept between runs"
    yield "MSJAX_CACHE_DIR=FOLDER names another folder, MSJAX_CACHE_DIR= none; set_context(enable_compile_cache=False) keeps none"


def _process() -> Iterator[str]:
    """The changes that msjax makes to a process: a summary of the table in docs/guide/guest.md."""
    yield f"this process is {'msjax' + chr(39) + 's own' if host.is_owned() else 'a host' + chr(39) + 's, in which msjax is a guest'}"
    yield "import msjax: nothing of the process; JAX has 64 bits within msjax's own calls alone"
    yield "msjax.install(): finders of imports, tracebacks, multiprocessing's start of processes, PYTHONPATH and MSJAX_PREFIX for them"
    yield "set_context(device_target=, device_id=, matmul_precision=, enable_compile_cache=): the settings of JAX of these names"
    yield "python -m msjax SCRIPT, %load_ext msjax, pytest -p msjax: besides, old names of NumPy, Python and Pillow, NumPy's printing"
    yield "python -m msjax SCRIPT: besides, 64 bits, compiled programs kept, JAX's tracebacks, garbage collector without what is imported"
    yield f"memory of large arrays in huge pages (Linux): {os.environ.get('GLIBC_TUNABLES', 'not asked for')}; MSJAX_HUGE_PAGES=0 prevents it"
    yield "msjax.uninstall() undoes the second and the fourth line"


_EFFECTS = {
    "mode": "GRAPH_MODE compiles a Cell with jax.jit, PYNATIVE_MODE runs operator by operator",
    "device_target": "'CPU', 'GPU', 'Ascend', 'Davinci', 'TPU'; the best device present where it is absent, said once",
    "device_id": "which of the devices of this process",
    "deterministic": "CPU and TPU are deterministic as they are; for a GPU start with "
    "XLA_FLAGS=--xla_gpu_deterministic_ops=true",
    "enable_compile_cache": "keep compiled programs between runs: by default in a folder of the user's, with True in ./rank_0",
    "check_indices": "compiled code raises for indices out of range, as eager code does",
    "fold_layers": "equal consecutive layers are compiled once, as the rounds of one loop",
    "compile_cache_path": "where",
    "matmul_precision": "of float32 products and convolutions on GPU and TPU: 'highest' for full float32",
    "matmul_allow_tf32": "True: float32 products on GPU from operands of 10 bits (TF32)",
    "conv_allow_tf32": "False: float32 convolutions on GPU in full, not from operands of 10 bits (TF32)",
}


def _settings() -> Iterator[str]:
    for keyword in context.MEANINGFUL:
        yield f"{keyword}: {_EFFECTS[keyword]}"
    yield "accepted, checked and remembered, without effect here:"
    yield from textwrap.wrap(
        ", ".join(context.meaningless(context.KEYWORDS)), 110, initial_indent="  ", subsequent_indent="  "
    )


def _speed() -> Iterator[str]:
    import jax
    import jax.numpy as jnp

    size = 1024
    x = jnp.ones((size, size), jnp.float32)
    product = jax.jit(jnp.matmul)
    product(x, x).block_until_ready()  # compiles
    seconds = []
    for _ in range(3):
        started = time.perf_counter()
        product(x, x).block_until_ready()
        seconds.append(time.perf_counter() - started)
    yield f"matmul of {size} x {size} float32: {min(seconds) * 1000:.2f} ms, {2e-9 * size**3 / min(seconds):.0f} GFLOP/s"


def _nvidia_gpus() -> list[str]:
    """The GPUs that the driver lists; [] without a driver."""
    try:
        done = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ["a GPU"] if os.path.exists("/dev/nvidia0") else []
    return [line.partition(" (")[0] for line in done.stdout.splitlines() if line.startswith("GPU ")]


def advice() -> list[str]:
    """Advice for using all of this machine, a list of sentences; [] if there is none."""
    import jax

    said, platform_name = [], jax.default_backend()
    gpus, pip = _nvidia_gpus(), f"{sys.executable} -m pip install --upgrade"
    if gpus and platform_name == "cpu":
        said.append(f"{gpus[0]} is here, but jaxlib is for the CPU alone: {pip} 'jax[cuda12]=={jax.__version__}'")
    elif gpus and platform_name == "gpu" and len(gpus) > jax.local_device_count():
        said.append(f"{len(gpus)} GPUs are here, {jax.local_device_count()} are visible: look at CUDA_VISIBLE_DEVICES")
    if platform_name == "cpu" and (os.path.exists("/dev/accel0") or os.path.exists("/dev/vfio/0")):
        said.append(f"a TPU seems to be here, but jaxlib is for the CPU alone: {pip} 'jax[tpu]=={jax.__version__}'")
    if jax.local_device_count() > 1:
        said.append(
            f"{jax.local_device_count()} devices are visible and a script uses one: "
            "python -m msjax --devices all SCRIPT uses them all"
        )
    for package in _PACKAGES:
        if _version(package) is None:
            said.append(f"{package} is missing: {pip} {package}")
    return said


_SECTIONS: dict[str, Callable[[], Iterator[str]]] = {
    "Versions": _versions,
    "Devices": _devices,
    "Speed": _speed,
    "Cache": _cache,
    "Process": _process,
    "set_context keywords": _settings,
    "Advice": lambda: iter(advice() or ["none: everything that was looked at is in order"]),
}


def main(argv: list[str]) -> int:
    """Print every section.

    The exit code is 0 if all is well, 1 if a section fails (it says why), 3 if everything works and there is advice.

    Args:
        argv: `--json` for {"sections": {title: lines}, "failed": titles, "advice": lines}.
    """
    parser = argparse.ArgumentParser(
        prog="msjax doctor", description="What runs here, on which devices, and what to mend."
    )
    parser.add_argument("--json", action="store_true", help="all of it, as JSON")
    given = parser.parse_args(argv)
    told, failed = {}, []
    for title, section in _SECTIONS.items():
        try:
            told[title] = list(section())
        except Exception as error:  # a broken driver must not hide the other sections
            told[title] = [f"FAILED: {type(error).__name__}: {error}"]
            failed.append(title)
    said = [] if "Advice" in failed else [line for line in told["Advice"] if not line.startswith("none: ")]
    if given.json:
        print(json.dumps({"sections": told, "failed": failed, "advice": said}, indent=1))
    else:
        for title, lines in told.items():
            tables.say(title, "bold")
            for line in lines:
                tables.say(f"  {line}", "red" if line.startswith("FAILED") else None)
    return 1 if failed else 3 if said else 0
