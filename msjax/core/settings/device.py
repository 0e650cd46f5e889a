"""The device: choosing it, waiting for it, its memory, and MindSpore's streams and events on a device that orders its work by itself."""

import time

import jax

from . import context

__all__ = [
    "Event",
    "Stream",
    "StreamCtx",
    "communication_stream",
    "current_stream",
    "default_stream",
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
    "set_cur_stream",
    "set_deterministic",
    "set_device",
    "set_memory",
    "synchronize",
]


def set_device(device_target, device_id=None):
    """Choose the device: "CPU", "GPU" or "Ascend" (the best one there is), and its number."""
    context.set_context(device_target=device_target, **({} if device_id is None else {"device_id": device_id}))


class _Device(tuple):
    """(device_target, device_id), also by these names."""

    device_target = property(lambda self: self[0])
    device_id = property(lambda self: self[1])


def get_current_device():
    """(name, number) of the device that computes."""
    return _Device((context.get_context("device_target"), context.get_context("device_id")))


def set_deterministic(deterministic):
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
    """Operators wait for their result: said once; JAX reports errors at the operator anyway."""


# --- what there is
_PLATFORMS = {"CPU": ("cpu",), "GPU": ("gpu", "cuda", "rocm"), "Ascend": ("tpu",), "TPU": ("tpu",)}


def _devices(device_target=None):
    if device_target is None:
        return jax.local_devices()
    for platform in _PLATFORMS.get(device_target, ()):
        try:
            return jax.devices(platform)
        except RuntimeError:  # jax has no such platform
            continue
    return []


def device_count(device_target=None):
    """Number of devices of a kind."""
    return len(_devices(device_target))


def is_available(device_target):
    """Whether there is a device of a kind."""
    return bool(_devices(device_target))


def is_initialized(device_target):
    """Whether devices of a kind are in use."""
    return context.present_device() == device_target


def get_arch_list(device_target=None):
    """Kinds of devices: their names."""
    return [d.device_kind for d in _devices(device_target)] or None


def get_device_name(device_id, device_target=None):
    """Name of a device."""
    return _devices(device_target)[device_id].device_kind


def get_device_capability(device_id, device_target=None):
    """(major, minor) compute capability of a GPU, or None."""
    capability = getattr(_devices(device_target)[device_id], "compute_capability", None)
    return tuple(int(p) for p in str(capability).split(".")) if capability else None


def get_device_properties(device_id, device_target=None):
    """Dict with the name, kind and memory of a device."""
    device = _devices(device_target)[device_id]
    return {
        "name": device.device_kind,
        "platform": device.platform,
        "total_memory": _stats(device).get("bytes_limit", 0),
    }


# --- memory
def _stats(device=None):
    return (device or jax.local_devices()[0]).memory_stats() or {}


def _live_bytes():
    return sum(a.nbytes for a in jax.live_arrays())


def memory_allocated(device_target=None):
    """Bytes in use on the device."""
    return _stats().get("bytes_in_use", _live_bytes())


def max_memory_allocated(device_target=None):
    """Most bytes that were in use on the device."""
    return _stats().get("peak_bytes_in_use", _live_bytes())


def memory_reserved(device_target=None):
    """Bytes that are reserved on the device."""
    return _stats().get("bytes_reserved", memory_allocated())


def max_memory_reserved(device_target=None):
    """Most bytes that were reserved on the device."""
    return _stats().get("peak_bytes_reserved", max_memory_allocated())


def memory_stats(device_target=None):
    """Dict of what the device says of its memory, and the bytes of live Tensors."""
    return {
        **_stats(),
        "total_allocated_memory": memory_allocated(),
        "max_allocated_memory": max_memory_allocated(),
        "live_tensor_bytes": _live_bytes(),
    }


def memory_summary(device_target=None):
    """Text with `memory_stats`."""
    return "\n".join(f"|{name:<34}|{value:>20}|" for name, value in memory_stats().items())


def reset_peak_memory_stats(device_target=None):
    """Peaks are kept by the device and cannot be reset; RuntimeError where the device counts them."""
    if "peak_bytes_in_use" in _stats():
        raise RuntimeError(
            "The peak memory of a JAX device can not be reset; compare max_memory_allocated() before and after."
        )


reset_max_memory_allocated = reset_max_memory_reserved = reset_peak_memory_stats


def empty_cache():
    """Give unused memory back: garbage is collected; JAX frees arrays as soon as nothing holds them."""
    import gc

    gc.collect()


def set_memory(
    init_size="2GB", increase_size="2GB", max_size="1024GB", optimize_level="O0", huge_page_reserve_size="0GB"
):
    """Memory settings of Ascend: recorded. JAX's are environment variables (XLA_PYTHON_CLIENT_MEM_FRACTION)."""
    context.set_context(max_device_memory=max_size)


# --- streams: JAX orders work by what depends on what
class Stream:
    """A queue of work. There is one, and JAX orders the work in it; `synchronize` waits for all."""

    def __init__(self, priority=0, **kwargs):
        self.priority = priority
        self.id, self.device_name = 0, "default"

    def synchronize(self):
        """Wait for all work."""
        synchronize()

    def query(self):
        """Whether all work is done: waits for it, so True."""
        synchronize()
        return True

    def record_event(self, event=None):
        """Record an event now, and return it."""
        event = event or Event(enable_timing=True)
        event.record(self)
        return event

    def wait_event(self, event):
        """Work after this comes after the event: it does by itself."""

    def wait_stream(self, stream):
        """Work after this comes after the other stream's: it does by itself."""

    def __eq__(self, other):
        return isinstance(other, Stream)

    def __hash__(self):
        return 0


_STREAM = Stream()


def current_stream():
    """The one stream."""
    return _STREAM


default_stream = communication_stream = current_stream


def set_cur_stream(stream):
    """Choose the stream; there is one."""
    if not isinstance(stream, Stream):
        raise TypeError(f"For 'set_cur_stream', the 'stream' must be a Stream, but got {type(stream).__name__}.")


class StreamCtx:
    """`with StreamCtx(stream):` work inside goes to that stream; there is one."""

    def __init__(self, ctx_stream):
        self.stream = ctx_stream

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class Event:
    """A point in time: `record` waits for the work before it and notes the time."""

    def __init__(self, enable_timing=False, blocking=False):
        self.enable_timing, self.time = enable_timing, None

    def record(self, stream=None):
        """Wait for the work before it and note the time."""
        synchronize()
        self.time = time.perf_counter()

    def wait(self, stream=None):
        """Work after this comes after the event: it does by itself."""

    def synchronize(self):
        """Wait for the event: `record` did."""

    def query(self):
        """Whether the event has happened: always."""
        return True

    def elapsed_time(self, end_event):
        """Milliseconds from this event to another.

        Raises:
            RuntimeError: one of them was not recorded, or without timing.
        """
        if self.time is None or end_event.time is None or not (self.enable_timing and end_event.enable_timing):
            raise RuntimeError("Event.elapsed_time needs two recorded events with enable_timing=True.")
        return (end_event.time - self.time) * 1000
