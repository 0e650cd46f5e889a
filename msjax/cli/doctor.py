"""`python -m msjax doctor`: what runs here, on which devices, and what the settings of MindSpore mean for it."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
import textwrap
from collections.abc import Callable, Iterator

from msjax.alias.finder import VERSION
from msjax.core.settings import context

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
    folder = os.environ.get("JAX_COMPILATION_CACHE_DIR")
    if folder:
        yield f"compiled programs are kept in {folder}"
    else:
        yield "compiled programs are not kept between runs"
        yield "set_context(enable_compile_cache=True) keeps them, and so does JAX_COMPILATION_CACHE_DIR=FOLDER"


_EFFECTS = {
    "mode": "GRAPH_MODE compiles a Cell with jax.jit, PYNATIVE_MODE runs operator by operator",
    "device_target": "'CPU', 'GPU', 'Ascend', 'Davinci', 'TPU'; the best device present where it is absent, said once",
    "device_id": "which of the devices of this process",
    "deterministic": "CPU and TPU are deterministic as they are; for a GPU start with "
    "XLA_FLAGS=--xla_gpu_deterministic_ops=true",
    "enable_compile_cache": "keep compiled programs between runs",
    "compile_cache_path": "where; default ./rank_0",
}


def _settings() -> Iterator[str]:
    for keyword in context.MEANINGFUL:
        yield f"{keyword}: {_EFFECTS[keyword]}"
    yield "accepted, checked and remembered, without effect here:"
    yield from textwrap.wrap(
        ", ".join(context.meaningless(context.KEYWORDS)), 110, initial_indent="  ", subsequent_indent="  "
    )


_SECTIONS: dict[str, Callable[[], Iterator[str]]] = {
    "Versions": _versions,
    "Devices": _devices,
    "Cache": _cache,
    "set_context keywords": _settings,
}


def main(argv: list[str]) -> int:
    """Print every section; a section that fails says why, and the exit code is then 1.

    Args:
        argv: Nothing is accepted.
    """
    if argv:
        sys.stderr.write(f"msjax doctor takes no arguments, but got: {' '.join(argv)}\n")
        return 2
    failed = 0
    for title, section in _SECTIONS.items():
        try:
            lines = list(section())
        except Exception as error:  # a broken driver must not hide the other sections
            lines = [f"FAILED: {type(error).__name__}: {error}"]
            failed = 1
        print("\n  ".join([title, *lines]))
    return failed
