"""Settings of MindSpore's runtime (streams, kernel launches, memory pools, processor cores). Those that XLA's runtime
decides are checked and recorded; those that would change results or safety raise.
"""

import os
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from .. import log
from ..core.operators.check import check_positive_int
from ..core.settings import context
from ..core.spec.checking import checked
from ..core.spec.rules import AnyCase, AsValue, Like, PositiveInt, That
from .streams import Stream

__all__ = [
    "DeviceCtx",
    "MemPool",
    "PluggableAllocator",
    "StreamLimitCtx",
    "dispatch_threads_num",
    "get_device_limit",
    "get_stream_limit",
    "memory_replay",
    "reset_stream_limit",
    "set_cpu_affinity",
    "set_device_limit",
    "set_dump",
    "set_kernel_launch_capture",
    "set_kernel_launch_group",
    "set_stream_limit",
    "use_mem_pool",
]

_UNLIMITED = {"cube_core_num": -1, "vector_core_num": -1}
_device_limits, _stream_limits = {}, {}


def _limit(where, cube_num, vector_num):
    for name, value in (("cube_num", cube_num), ("vector_num", vector_num)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"For '{where}', the '{name}' must be int, but got {type(value).__name__}.")
        if value != -1 and value < 1:
            raise ValueError(f"For '{where}', the '{name}' must be positive or -1, but got {value}.")
    return {"cube_core_num": cube_num, "vector_core_num": vector_num}


def _stream(where, stream):
    if not isinstance(stream, Stream):
        raise TypeError(f"For '{where}', the argument 'stream' should be Stream, but got {type(stream)}.")
    return id(stream)


def set_device_limit(device: int, cube_num: int = -1, vector_num: int = -1):
    """How many cores of an Ascend device may be used: recorded."""
    _device_limits[device] = _limit("set_device_limit", cube_num, vector_num)


def get_device_limit(device: int):
    """The limit recorded by `set_device_limit`; -1 for no limit."""
    return dict(_device_limits.get(device, _UNLIMITED))


def set_stream_limit(stream: Any, cube_num: int = -1, vector_num: int = -1):
    """How many cores a stream may use: recorded."""
    _stream_limits[_stream("set_stream_limit", stream)] = _limit("set_stream_limit", cube_num, vector_num)


def get_stream_limit(stream: Any):
    """The limit recorded by `set_stream_limit`; -1 for no limit."""
    return dict(_stream_limits.get(_stream("get_stream_limit", stream), _UNLIMITED))


def reset_stream_limit(stream: Any):
    """Forget the limit of a stream."""
    _stream_limits.pop(_stream("reset_stream_limit", stream), None)


class StreamLimitCtx:
    """A limit on a stream's cores inside a `with`: recorded."""

    def __init__(self, stream: Any, cube_num: int = -1, vector_num: int = -1):
        self._key = _stream("StreamLimitCtx", stream)
        self._limit = _limit("StreamLimitCtx", cube_num, vector_num)

    def __enter__(self):
        self._before = _stream_limits.get(self._key, _UNLIMITED)
        _stream_limits[self._key] = self._limit
        return self

    def __exit__(self, *error):
        _stream_limits[self._key] = self._before


class DeviceCtx:
    """Choose a device inside a `with`.

    Args:
        name: "CPU", "GPU", "Ascend" or "meta" (Tensors without values are ordinary Tensors here). device_id: its
            number.

    Raises:
        TypeError: no str. ValueError: another name.
    """

    @checked
    def __init__(self, name: AnyCase[Literal["cpu", "gpu", "ascend", "meta"]], device_id: Like[int | None] = None):
        self.name, self.device_id = name, device_id

    def __enter__(self):
        self._before = context.get_context("device_target"), context.get_context("device_id")
        target = {"cpu": "CPU", "gpu": "GPU", "ascend": "Ascend"}.get(self.name.lower())
        if target is not None:
            context.set_context(device_target=target)
        if self.device_id is not None:
            context.set_context(device_id=self.device_id)
        return self

    def __exit__(self, *error):
        context.set_context(device_target=self._before[0], device_id=self._before[1])


@checked
def dispatch_threads_num(threads_num: PositiveInt):
    """Number of threads that start kernels: XLA's own, so recorded only."""


_operator_threads = []  # the number that `threads_num` recorded, if it was called


def threads_num(num: int):
    """Number of threads for CPU kernels: XLA has its own pool, so it is checked and recorded only, once.

    Raises:
        TypeError, ValueError: no int, or not positive. RuntimeError: it was given before.
    """
    check_positive_int(num, "num", "threads_num")
    if _operator_threads:
        raise RuntimeError(f"The 'threads_num' can not be set repeatedly: it is {_operator_threads[0]}.")
    _operator_threads.append(num)


@checked
def set_kernel_launch_group(thread_num: PositiveInt = 2, kernel_group_num: PositiveInt = 8):
    """Groups in which kernels are started: XLA starts a whole program at once."""


@checked
def set_kernel_launch_capture(enable_capture_graph: bool, op_capture_skip: list | tuple | None = None):
    """Recording kernel starts for replay: XLA compiles whole programs (on GPU with command buffers of its own)."""


@checked
def set_cpu_affinity(
    enable_affinity: bool,
    affinity_cpu_list: Like[Sequence[str] | None] = None,
    module_to_cpu_dict: Like[dict | None] = None,
    bind_file: Like[str | None] = None,
):
    """Bind the threads of this process to processor cores.

    Args:
        enable_affinity: bind, or give all cores back.
        affinity_cpu_list: list of ranges, ["0-3", "8"]; None: all.
        module_to_cpu_dict, bind_file: accepted.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, cores that there are not.
    """
    if not hasattr(os, "sched_setaffinity"):
        log.warning("For 'set_cpu_affinity', this system does not bind threads to cores.")
        return
    if not enable_affinity or not affinity_cpu_list:
        os.sched_setaffinity(0, range(os.cpu_count()))
        return
    cores = set()
    for part in affinity_cpu_list:
        first, _, last = str(part).partition("-")
        if not first.isdigit() or last and not last.isdigit():
            raise ValueError(f"For 'set_cpu_affinity', a range must look like '0-3', but got {part!r}.")
        cores.update(range(int(first), int(last or first) + 1))
    if max(cores) >= os.cpu_count():
        raise ValueError(f"For 'set_cpu_affinity', there are {os.cpu_count()} cores, but got {max(cores)}.")
    os.sched_setaffinity(0, cores)


def _own_memory(name):
    raise RuntimeError(
        f"'{name}' takes part in MindSpore's own memory manager; JAX manages the memory here: set "
        "XLA_PYTHON_CLIENT_MEM_FRACTION or XLA_PYTHON_CLIENT_ALLOCATOR before the start."
    )


def memory_replay(file_path: str):
    """RuntimeError: msjax has no trace of MindSpore's memory manager; use `jax.profiler.device_memory_profile`."""
    _own_memory("memory_replay")


class PluggableAllocator:
    """RuntimeError: memory is JAX's."""

    def __init__(self, path_to_so_file: str, alloc_fn_name: str, free_fn_name: str):
        _own_memory("PluggableAllocator")


class MemPool:
    """RuntimeError: memory is JAX's."""

    def __init__(self, allocator: Any):
        _own_memory("MemPool")


def use_mem_pool(pool: Any):
    """RuntimeError: memory is JAX's."""
    _own_memory("use_mem_pool")


CellOrPrimitive = AsValue[
    Annotated[
        Any, That("a Cell or Primitive", lambda value: hasattr(value, "construct") or hasattr(value, "add_prim_attr"))
    ]
]


@checked
def set_dump(target: CellOrPrimitive, enabled: bool = True):
    """Mark a Cell or Primitive whose inputs and outputs Ascend would dump: recorded as `target.dump`, with a notice.

    `ops.TensorDump` saves a Tensor on any device.

    Raises:
        ValueError: no Cell and no Primitive. TypeError: no bool.
    """
    log.warning("'set_dump' writes no files here: use ops.TensorDump()(file, tensor).")
    if hasattr(target, "add_prim_attr"):
        target.add_prim_attr("dump", "true" if enabled else "false")
    else:
        target.add_flags_recursive(dump=enabled)
        for _, cell in target.cells_and_names():
            for primitive in vars(cell).values():
                if hasattr(primitive, "add_prim_attr"):
                    primitive.add_prim_attr("dump", "true" if enabled else "false")


# --- device_context.ascend: options of Ascend's own compiler and runtime
def _recorded(name, parameter, kind, choices=None):
    def option(value):
        if not isinstance(value, kind) or isinstance(value, bool) and kind is int:
            raise TypeError(f"For '{name}', the '{parameter}' must be {kind.__name__}, but got {type(value).__name__}.")
        if choices is not None and value not in choices:
            raise ValueError(
                f"For '{name}', the value of {parameter} {value} must be one of {list(choices)}, but got {value}."
            )
        if kind is int and value < 0:
            raise ValueError(f"The num of {name} must bigger than or equal to 0.")
        ascend_options[name] = value

    option.__name__ = option.__qualname__ = name
    option.__doc__ = f"Recorded: it tells Ascend's compiler or runtime its '{name}', which does not take part here."
    return option


ascend_options = {}  # what was recorded
_PRECISIONS = (
    "force_fp16 allow_fp32_to_fp16 allow_mix_precision must_keep_origin_dtype force_fp32 allow_fp32_to_bf16 "
    "allow_mix_precision_fp16 allow_mix_precision_bf16"
).split()
precision_mode = _recorded("precision_mode", "mode", str, _PRECISIONS)
op_precision_mode = _recorded("op_precision_mode", "path", str)
matmul_allow_hf32 = _recorded("matmul_allow_hf32", "value", bool)
conv_allow_hf32 = _recorded("conv_allow_hf32", "value", bool)
execute_timeout = _recorded("execute_timeout", "op_timeout", int)
debug_option = _recorded("debug_option", "option_value", str, ("oom",))
aclinit_config = _recorded("aclinit_config", "config", dict)
op_compile = _recorded("op_compile", "value", bool)
aoe_tune_mode = _recorded("aoe_tune_mode", "tune_mode", str, ("online", "offline"))
aoe_job_type = _recorded("aoe_job_type", "config", str, ("1", "2"))
