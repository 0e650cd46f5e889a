"""Devices that are not there: compile targets for the compiler of a TPU or a GPU, on any machine."""

import contextlib
import math
import os

import jax
import numpy as np

from .chips import known, shape_of

# What CUDA's compiler is told of an H100, since no driver tells it.
_H100 = """gpu_device_info { threads_per_block_limit: 1024 threads_per_warp: 32 shared_memory_per_block: 49152
 shared_memory_per_core: 233472 threads_per_core_limit: 2048 core_count: 132 fpus_per_core: 128 block_dim_limit_x: 2147483647
 block_dim_limit_y: 65535 block_dim_limit_z: 65535 memory_bandwidth: 3352320000000 l2_cache_size: 52428800 clock_rate_ghz: 1.98
 device_memory_size: 84929347584 shared_memory_per_block_optin: 232448 cuda_compute_capability { major: 9 minor: 0 }
 registers_per_core_limit: 65536 registers_per_block_limit: 65536 }
platform_name: "CUDA" dnn_version_info { major: 9 minor: 8 patch: 0 } runtime_version { major: 12 minor: 9 patch: 0 }
device_description_str: "NVIDIA H100 80GB HBM3"
"""
# libtpu asks the cloud's server for its machine, and locks the chips for one process, unless it is told what it is on.
_ENVIRONMENT = {
    "TPU_SKIP_MDS_QUERY": "1",
    "TPU_ACCELERATOR_TYPE": "v5litepod-4",
    "TPU_WORKER_HOSTNAMES": "localhost",
    "TPU_WORKER_ID": "0",
    "ALLOW_MULTIPLE_LIBTPU_LOAD": "1",  # several processes may plan at once
}


class NoCompiler(RuntimeError):
    """The compiler of a topology cannot be used here; the message tells the package to install, or why to wait."""


class Topology:
    """So many chips of a kind: `chip`, `shape`, `devices` (a compiler's, in its order)."""

    def __init__(self, topology: "Topology" = "v5e", count: int | None = None):
        self.chip, self.shape = shape_of(topology, count)
        size = math.prod(self.shape)
        self.name = f"{self.chip.name}:{'x'.join(map(str, self.shape))}" if size > 1 else self.chip.name
        if self.chip.platform == "tpu":
            opened = _tpu(self.chip, self.shape, self.name)
        else:
            opened = _cuda(size) if self.chip.platform == "cuda" else _cpu(size)
        self.devices = opened[:1] if size == 1 else opened

    @property
    def platform(self):
        """JAX's name of the platform that programs are lowered for."""
        return self.chip.platform

    @property
    def target(self):
        """MindSpore's name of the device."""
        return {"tpu": "TPU", "cuda": "GPU", "cpu": "CPU"}[self.chip.platform]

    def array(self):
        """The devices as a NumPy array of one axis."""
        return np.array(self.devices)


def _tpu(chip, shape, asked):
    from jax.experimental import topologies

    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    if math.prod(shape) == 1:  # the smallest that opens has four chips, of which one serves
        shape = (2, 2) if chip.axes == 2 else (2, 2, 1)
    name = f"{chip.name}:{'x'.join(map(str, shape))}"
    try:
        with no_cache():
            return list(topologies.get_topology_desc(platform="tpu", topology_name=name).devices)
    except Exception as error:
        raise _told(error, asked, "msjax[plan]", "libtpu") from error


def _cuda(size):
    from jax.experimental import topologies

    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    try:
        return list(topologies.get_topology_desc(platform="cuda", target_config=_H100, topology=f"1x1x{size}").devices)
    except Exception as error:
        raise _told(error, f"h100:{size}", "msjax[cuda]", "jax-cuda12-plugin") from error


def _cpu(size):
    found = jax.devices("cpu")
    if len(found) < size:
        raise ValueError(
            f"The topology cpu:{size} needs as many devices: set XLA_FLAGS=--xla_force_host_platform_device_count={size} before JAX starts."
        )
    return found[:size]


def _told(error, name, extra, package):
    text = f"{type(error).__name__}: {error}"
    if "lockfile" in text or "already in use" in text or "libtpu_lockfile" in text:
        return NoCompiler(
            f"Another process holds the TPU compiler (its lock is /tmp/libtpu_lockfile): wait for it, or start it with "
            f"ALLOW_MULTIPLE_LIBTPU_LOAD=1. ({text})"
        )
    if (
        any(sign in text for sign in ("divisible", "external name", "Invalid TPU", "opology"))
        and "INVALID_ARGUMENT" in text
    ):
        return ValueError(f"The compiler knows no topology {name!r}; known are {known()}. ({text})")
    return NoCompiler(
        f"To plan for {name!r}, the compiler must be installed: pip install '{extra}' (the package {package}; no device is needed). ({text})"
    )


@contextlib.contextmanager
def no_cache():
    """Programs of a topology cannot be read back from a compile cache: they are kept out of it."""
    before = jax.config.jax_enable_compilation_cache
    jax.config.update("jax_enable_compilation_cache", False)
    try:
        yield
    finally:
        jax.config.update("jax_enable_compilation_cache", before)
