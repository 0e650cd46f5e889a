"""The device: choosing it, synchronizing with it, its properties and its memory."""

import functools
import gc

import jax

from . import context

__all__ = [
    "device_count",
    "empty_cache",
    "get_arch_list",
    "get_current_device",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "is_available",
    "is_initialized",
    "launch_blocking",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
    "set_deterministic",
    "set_device",
    "set_memory",
    "synchronize",
]


def set_device(device_target: str, device_id: int | None = None):
    """Choose the device: "CPU", "GPU" or "Ascend" (the best available one), and its number."""
    context.set_context(device_target=device_target, **({} if device_id is None else {"device_id": device_id}))


class DeviceInfo(tuple):
    """(device_target, device_id), also by these names."""

    device_target = property(lambda self: self[0])
    device_id = property(lambda self: self[1])


def get_current_device():
    """(name, number) of the device that computes."""
    return DeviceInfo((context.get_context("device_target"), context.get_context("device_id")))


def set_deterministic(deterministic: bool | str):
    """Ask for results that repeat bit by bit. XLA's do on CPU and TPU; on GPU set XLA_FLAGS=--xla_gpu_deterministic_ops=true before the start.

    Raises:
        TypeError: no bool.
    """
    if not isinstance(deterministic, bool):
        raise TypeError(
            f"For 'set_deterministic', the 'deterministic' must be bool, but got {type(deterministic).__name__}."
        )
    context.set_context(deterministic="ON" if deterministic else "OFF")


def synchronize():
    """Wait until everything that was started is done."""
    for array in jax.live_arrays():
        array.block_until_ready()
    jax.effects_barrier()


def launch_blocking():
    """Make operators wait for their result: accepted with one notice; JAX reports errors at the operator in any case."""


# --- what there is
_PLATFORMS = {"CPU": ("cpu",), "GPU": ("gpu", "cuda", "rocm"), "Ascend": ("tpu",), "TPU": ("tpu",)}
_TARGETS = ["CPU", "GPU", "Ascend"]
_used = set()


def _devices(device_target=None):
    if device_target is None:
        return jax.local_devices()
    for platform in _PLATFORMS[device_target]:
        try:
            return jax.devices(platform)
        except RuntimeError:  # jax has no such platform
            continue
    return []


def _checked(of_present):
    """Check the device_target of a function, its last argument; `of_present`: the device must be there."""

    def decorate(function):
        @functools.wraps(function)
        def call(*args, device_target=None):
            count = function.__code__.co_argcount - 1
            if len(args) > count + 1:
                raise TypeError("too many positional arguments")
            device_target = args[count] if len(args) > count else device_target
            if device_target is None:
                return function(*args[:count], None)
            if not isinstance(device_target, str):
                raise TypeError(
                    f"The argument 'device_target' must be str, but got {device_target}, type is {type(device_target)}."
                )
            if device_target not in _PLATFORMS:
                raise ValueError(f"The argument 'device_target' must be one of {_TARGETS}, but got {device_target}.")
            if of_present and not _devices(device_target):
                raise ValueError(
                    f"{device_target} backend is not available here: JAX has no such device. You can call hal.is_available first."
                )
            return function(*args[:count], device_target)

        return call

    return decorate


@_checked(True)
def device_count(device_target: str | None = None):
    """Number of devices of a kind."""
    return len(_devices(device_target))


def _named(where, device_target):
    if device_target not in _PLATFORMS:
        raise ValueError(
            f"For 'hal.{where}', the argument 'device_target' must be one of {_TARGETS}, but got {device_target}."
        )


def is_available(device_target: str):
    """Whether a device of a kind is available."""
    _named("is_available", device_target)
    return bool(_devices(device_target))


def is_initialized(device_target: str):
    """Whether a device of a kind is in use: something was put or computed there."""
    _named("is_initialized", device_target)
    if jax.live_arrays():
        _used.add(context.present_device())
    return device_target in _used


@_checked(True)
def get_arch_list(device_target: str | None = None):
    """Kinds of GPUs: their names; None for other devices."""
    found = _devices(device_target)
    return [d.device_kind for d in found] if found[0].platform == "gpu" else None


def _numbered(device_id, device_target):
    """The device of a number.

    Raises:
        TypeError: no int. ValueError: there is no such device.
    """
    if isinstance(device_id, bool) or not isinstance(device_id, int):
        raise TypeError(f"The argument 'device_id' must be int, but got {device_id}, type is {type(device_id)}.")
    found = _devices(device_target)
    if device_id < 0:
        raise ValueError(f"The argument 'device_id' should not be negative, but got {device_id}.")
    if device_id >= len(found):
        raise ValueError(f"The argument 'device_id' must be less than device count: {len(found)}, but got {device_id}.")
    return found[device_id]


@_checked(True)
def get_device_name(device_id: int, device_target: str | None = None) -> str:
    """Name of a device; "CPU" for a processor."""
    device = _numbered(device_id, device_target)
    return "CPU" if device.platform == "cpu" else device.device_kind


@_checked(True)
def get_device_capability(device_id: int, device_target: str | None = None):
    """(major, minor) compute capability of a GPU, or None."""
    capability = getattr(_numbered(device_id, device_target), "compute_capability", None)
    return tuple(int(p) for p in str(capability).split(".")) if capability else None


@_checked(True)
def get_device_properties(device_id: int, device_target: str | None = None):
    """Dict with the name, platform and memory of a device; None for a processor."""
    device = _numbered(device_id, device_target)
    if device.platform == "cpu":
        return None
    total = _stats(device).get("bytes_limit", 0)
    return {"name": device.device_kind, "platform": device.platform, "total_memory": total}


# --- memory
def _stats(device=None):
    return (device or jax.local_devices()[0]).memory_stats() or {}


def _memory(device_target):
    """MindSpore's numbers from those that the device counts; a processor counts nothing: 0, as in MindSpore."""
    found = _devices(device_target)
    told = _stats(found[0]) if found else {}
    used, most = told.get("bytes_in_use", 0), told.get("peak_bytes_in_use", 0)
    reserved = told.get("pool_bytes", told.get("bytes_reserved", used)) or used
    none = {"block_unit_size": 0, "block_counts": 0, "blocks_info": {}}
    return {
        "total_reserved_memory": reserved,
        "total_allocated_memory": used,
        "total_idle_memory": reserved - used,
        "total_eager_free_memory": 0,
        "max_reserved_memory": max(
            told.get("peak_pool_bytes", told.get("peak_bytes_reserved", most)) or most, reserved
        ),
        "max_allocated_memory": most,
        "common_mem_pool_stats": none,
        "persistent_mem_pool_stats": dict(none),
    }


@_checked(False)
def memory_stats(device_target: str | None = None):
    """The memory statistics of the device, a dict of bytes."""
    return _memory(device_target)


@_checked(False)
def memory_allocated(device_target: str | None = None) -> int:
    """Bytes in use on the device; 0 on a processor."""
    return _memory(device_target)["total_allocated_memory"]


@_checked(False)
def max_memory_allocated(device_target: str | None = None) -> int:
    """Most bytes that were in use on the device; 0 on a processor."""
    return _memory(device_target)["max_allocated_memory"]


@_checked(False)
def memory_reserved(device_target: str | None = None) -> int:
    """Bytes that are reserved on the device; 0 on a processor."""
    return _memory(device_target)["total_reserved_memory"]


@_checked(False)
def max_memory_reserved(device_target: str | None = None) -> int:
    """Most bytes that were reserved on the device; 0 on a processor."""
    return _memory(device_target)["max_reserved_memory"]


@_checked(False)
def memory_summary(device_target: str | None = None):
    """The numbers of `memory_stats` as a table."""
    stats, rule = _memory(device_target), "-" * 45
    lines = ["=" * 45, f" {'Memory summary':^43} ", "=" * 45, f" {'Metric':<20} | {'Data':<20} "]
    for name in (
        "total_reserved",
        "total_allocated",
        "total_idle",
        "total_eager_free",
        "max_reserved",
        "max_allocated",
    ):
        label = f"{name.removeprefix('total_').replace('_', ' ').capitalize()} memory"
        lines += [rule, f" {label:<20} | {_readable(stats[f'{name}_memory']):<20} "]
    return "|" + "|\n|".join([*lines, "=" * 45]) + "|\n"


def _readable(count):
    units = ["B  ", "KB", "MB", "GB", "TB", "PB"]
    exact = count
    while exact >= 768 * 1024 and len(units) > 1:
        units.pop(0)
        count, exact = count // 1024, exact / 1024
    return f"{count:6d} {units[0]}"


@_checked(False)
def reset_peak_memory_stats(device_target: str | None = None):
    """Peaks are kept by the device and cannot be reset.

    Raises:
        RuntimeError: the device counts them.
    """
    if "peak_bytes_in_use" in _stats():
        raise RuntimeError(
            "The peak memory of a JAX device can not be reset; compare max_memory_allocated() before and after."
        )


reset_max_memory_allocated = reset_max_memory_reserved = reset_peak_memory_stats


def empty_cache():
    """Release unused memory: runs the garbage collector; JAX frees an array as soon as nothing refers to it."""
    gc.collect()


def set_memory(
    init_size: str = "2GB",
    increase_size: str = "2GB",
    max_size: str = "1024GB",
    optimize_level: str = "O0",
    huge_page_reserve_size: str = "0GB",
):
    """Memory settings of Ascend: recorded. JAX's are environment variables (XLA_PYTHON_CLIENT_MEM_FRACTION)."""
    context.set_context(max_device_memory=max_size)
