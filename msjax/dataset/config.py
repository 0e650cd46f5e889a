"""Settings of the dataset package: `mindspore.dataset.config`.

A setting that steers MindSpore's C++ runtime and has no counterpart here (NUMA binding, shared memory, autotune) is
kept and given back, and changes nothing.
"""

import enum
import json
import logging
import os
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.above import above
from ..core.settings import seed as global_seed
from .check import INT32_MAX, check, check_choice, check_type
from .debug import DebugHook, PrintMetaDataHook

__all__ = [
    "ErrorSamplesMode",
    "get_auto_num_workers",
    "get_auto_offload",
    "get_autotune_interval",
    "get_callback_timeout",
    "get_debug_mode",
    "get_enable_autotune",
    "get_enable_shared_mem",
    "get_enable_watchdog",
    "get_error_samples_mode",
    "get_fast_recovery",
    "get_iterator_mode",
    "get_monitor_sampling_interval",
    "get_multiprocessing_start_method",
    "get_multiprocessing_timeout_interval",
    "get_num_parallel_workers",
    "get_numa_enable",
    "get_prefetch_size",
    "get_seed",
    "load",
    "set_auto_num_workers",
    "set_auto_offload",
    "set_autotune_interval",
    "set_callback_timeout",
    "set_debug_mode",
    "set_enable_autotune",
    "set_enable_progress",
    "get_enable_progress",
    "set_enable_shared_mem",
    "set_enable_watchdog",
    "set_error_samples_mode",
    "set_fast_recovery",
    "set_iterator_mode",
    "set_monitor_sampling_interval",
    "set_multiprocessing_start_method",
    "set_multiprocessing_timeout_interval",
    "set_num_parallel_workers",
    "set_numa_enable",
    "set_prefetch_size",
    "set_seed",
    "set_sending_batches",
]

_log = logging.getLogger("msjax.dataset")
_UINT32_MAX = 2**32 - 1
_UNSEEDED = 5489  # what get_seed() says before set_seed(): the default seed of a Mersenne twister


class ErrorSamplesMode(enum.IntEnum):
    """The handling of a row whose processing raises: RETURN the error, REPLACE the row by another, or SKIP it."""

    RETURN = 0
    REPLACE = 1
    SKIP = 2


_settings = {
    "seed": _UNSEEDED,
    "seed_version": 0,
    "prefetch_size": 16,
    "num_parallel_workers": min(8, os.cpu_count() or 1),
    "numa_enable": False,
    "monitor_sampling_interval": 1000,
    "auto_num_workers": False,
    "callback_timeout": 60,
    "autotune": False,
    "autotune_interval": 0,
    "shared_mem": True,
    "sending_batches": 0,
    "auto_offload": False,
    "watchdog": True,
    "multiprocessing_timeout_interval": 300,
    "dynamic_shape": False,
    "fast_recovery": True,
    "debug_mode": False,
    "debug_hooks": [],
    "error_samples_mode": ErrorSamplesMode.RETURN,
    "do_copy": False,
    "parallel_convert": False,
    "start_method": "fork",
    "video_backend": "CPU",
    "progress": False,
}


def _flag(key, value, message):
    check(isinstance(value, bool), message, TypeError)
    _settings[key] = value


def _number(key, value, name, low, message):
    check(isinstance(value, int) and not isinstance(value, bool), f"{name} isn't of type int.", TypeError)
    check(low <= value <= INT32_MAX, message)
    _settings[key] = value


def set_seed(seed: int):
    """Makes everything random in pipelines created from now on repeat; seeds Python's and NumPy's generators too.

    Args:
        seed (int): from 0 to 4294967295.

    Raises:
        TypeError: `seed` is not an int.
        ValueError: `seed` is out of range.

    Example:
        >>> import msjax.dataset as ds
        >>> ds.config.set_seed(1000)
        >>> ds.config.get_seed()
        1000
    """
    check(isinstance(seed, int) and not isinstance(seed, bool), "seed isn't of type int.", TypeError)
    check(0 <= seed <= _UINT32_MAX, "seed given is not within the required range [0, UINT32_MAX(4294967295)].")
    _settings["seed"] = seed
    _settings["seed_version"] += 1
    random.seed(seed)
    np.random.seed(seed)


def _follow(seed):
    """`mindspore.set_seed` seeds the dataset package too."""
    set_seed(seed % (_UINT32_MAX + 1))


above.seed_pipelines = _follow
if global_seed.get_seed() is not None:  # it was called before this package was imported
    _settings["seed"] = global_seed.get_seed() % (_UINT32_MAX + 1)


def get_seed():
    """The seed given to `set_seed`; 5489 while none was given."""
    return _settings["seed"]


def fixed_seed():
    """The seed given to `set_seed`, or None: then every pipeline draws a new one."""
    return None if _settings["seed"] == _UNSEEDED else _settings["seed"]


def seed_version():
    """Counts the calls of `set_seed`."""
    return _settings["seed_version"]


def set_prefetch_size(size: int | Sequence[int]):
    """Sets how many rows the pipeline may run ahead of its consumer (default 16)."""
    _number("prefetch_size", size, "size", 1, "size is not within the required range (0, INT32_MAX(2147483647)].")


def get_prefetch_size():
    """How many rows the pipeline may run ahead of its consumer."""
    return _settings["prefetch_size"]


def set_num_parallel_workers(num: Any):
    """Sets the number of workers of operations that are not given one (default: the cores, at most 8)."""
    _number(
        "num_parallel_workers",
        num,
        "num",
        1,
        "Number of parallel workers given is not within the required range (0, INT32_MAX(2147483647)].",
    )


def get_num_parallel_workers():
    """The number of workers of operations that are not given one."""
    return _settings["num_parallel_workers"]


def set_numa_enable(numa_enable: bool):
    """Accepted; workers are placed by the operating system."""
    _flag("numa_enable", numa_enable, "numa_enable must be a boolean dtype.")


def get_numa_enable():
    """The value of `set_numa_enable`."""
    return _settings["numa_enable"]


def set_monitor_sampling_interval(interval: Any):
    """Sets the sampling interval of pipeline monitoring, in milliseconds."""
    _number(
        "monitor_sampling_interval",
        interval,
        "interval",
        1,
        "Interval given is not within the required range (0, INT32_MAX(2147483647)].",
    )


def get_monitor_sampling_interval():
    """The sampling interval of pipeline monitoring, in milliseconds."""
    return _settings["monitor_sampling_interval"]


def set_auto_num_workers(enable: bool):
    """Accepted; the engine always decides from measured times how many of the allowed workers it uses."""
    _flag("auto_num_workers", enable, "enable must be of type bool.")


def get_auto_num_workers():
    """The value of `set_auto_num_workers`."""
    return _settings["auto_num_workers"]


def set_callback_timeout(timeout: float):
    """Sets how many seconds `sync_wait` and WaitedDSCallback wait for the training side (default 60)."""
    _number("callback_timeout", timeout, "timeout", 1, "Timeout given is not within the required range.")


def get_callback_timeout():
    """How many seconds `sync_wait` and WaitedDSCallback wait for the training side."""
    return _settings["callback_timeout"]


def set_enable_autotune(enable: bool, filepath_prefix: Any = None):
    """Accepted; workers and queue lengths adapt by themselves, so there is no result to write to `filepath_prefix`."""
    check(isinstance(enable, bool), "enable must be of type bool.", TypeError)
    if filepath_prefix is not None:
        check(
            isinstance(filepath_prefix, str),
            f"json_filepath must be a str value but was: {filepath_prefix}.",
            TypeError,
        )
        check(not enable or filepath_prefix, "The value of json_filepath cannot be the empty string.", RuntimeError)
        start = "Invalid json_filepath parameter."
        folder = os.path.dirname(filepath_prefix) or "."
        check(not enable or os.path.isdir(folder), f"{start}  Directory <{folder}> does not exist.", RuntimeError)
        check(
            not enable or not os.path.isdir(filepath_prefix),
            f"{start} <{filepath_prefix}> is a directory, not filename.",
            RuntimeError,
        )
        if not enable:
            _log.warning("The value of json_filepath is ignored when enable is False.")
    _settings["autotune"] = enable


def get_enable_autotune():
    """The value of `set_enable_autotune`."""
    return _settings["autotune"]


def set_autotune_interval(interval: Any):
    """Accepted, in steps; see `set_enable_autotune`."""
    _number(
        "autotune_interval",
        interval,
        "interval",
        0,
        "Interval given is not within the required range [0, INT32_MAX(2147483647)].",
    )


def get_autotune_interval():
    """The value of `set_autotune_interval`."""
    return _settings["autotune_interval"]


def set_enable_shared_mem(enable: bool):
    """Accepted; worker processes send arrays over sockets."""
    _flag("shared_mem", enable, "enable must be of type bool.")


def get_enable_shared_mem():
    """The value of `set_enable_shared_mem`."""
    return _settings["shared_mem"]


def set_sending_batches(batch_num: Any):
    """Accepted; batches are sent to the device one ahead."""
    check(isinstance(batch_num, int) and not isinstance(batch_num, bool), "batch_num must be an int dtype.", TypeError)
    _settings["sending_batches"] = batch_num


def set_auto_offload(offload: Any):
    """Accepted; transforms run on the host."""
    _flag("auto_offload", offload, "offload must be a bool dtype")


def get_auto_offload():
    """The value of `set_auto_offload`."""
    return _settings["auto_offload"]


def set_enable_watchdog(enable: bool):
    """Accepted; a worker process that dies is always noticed."""
    _flag("watchdog", enable, "enable must be a boolean dtype.")


def get_enable_watchdog():
    """The value of `set_enable_watchdog`."""
    return _settings["watchdog"]


def set_multiprocessing_timeout_interval(interval: Any):
    """Sets after how many seconds without a row from a worker process a warning is logged (default 300)."""
    _number(
        "multiprocessing_timeout_interval",
        interval,
        "interval",
        1,
        "Interval given is not within the required range (0, INT32_MAX(2147483647)).",
    )


def get_multiprocessing_timeout_interval():
    """After how many seconds without a row from a worker process a warning is logged."""
    return _settings["multiprocessing_timeout_interval"]


def set_dynamic_shape(is_dynamic: bool):
    """Accepted; shapes may always differ from row to row."""
    _flag("dynamic_shape", is_dynamic, "is_dynamic must be a boolean dtype.")


def get_dynamic_shape():
    """The value of `set_dynamic_shape`."""
    return _settings["dynamic_shape"]


def set_fast_recovery(fast_recovery: bool):
    """Accepted; a pipeline that is reset to a step replays the rows before it without converting them."""
    _flag("fast_recovery", fast_recovery, "fast_recovery must be a boolean dtype.")


def get_fast_recovery():
    """The value of `set_fast_recovery`."""
    return _settings["fast_recovery"]


def set_debug_mode(debug_mode_flag: bool, debug_hook_list: list | None = None):
    """Switches to a pipeline that runs in the calling thread, so that breakpoints stop in user functions.

    Args:
        debug_mode_flag (bool): whether to debug.
        debug_hook_list (list[DebugHook]): called before the first and after every operation of a map; by default one
            that prints shapes and dtypes.

    Raises:
        TypeError: an argument is of the wrong type.
    """
    check(isinstance(debug_mode_flag, bool), "debug_mode_flag isn't of type boolean.", TypeError)
    hooks = [PrintMetaDataHook()] if debug_hook_list is None else debug_hook_list
    check(isinstance(hooks, list), "debug_hook_list is not a list.", TypeError)
    check(
        all(isinstance(hook, DebugHook) for hook in hooks),
        "All items in debug_hook_list must be of type DebugHook.",
        TypeError,
    )
    if debug_mode_flag:
        _log.warning(
            "Dataset pipeline debug mode is enabled. Performance will be impacted because the pipeline will "
            "be running in a single thread."
        )
    _settings["debug_hooks"] = hooks
    _settings["debug_mode"] = debug_mode_flag


def get_debug_mode():
    """Whether debug mode is on."""
    return _settings["debug_mode"]


def debug_hooks():
    """The hooks given to `set_debug_mode`."""
    return _settings["debug_hooks"]


def set_error_samples_mode(error_samples_mode: Any):
    """Sets the handling of a row whose processing raises, see ErrorSamplesMode."""
    check_type(error_samples_mode, ErrorSamplesMode, "error_samples_mode")
    _settings["error_samples_mode"] = error_samples_mode


def get_error_samples_mode():
    """The handling of a row whose processing raises."""
    return _settings["error_samples_mode"]


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False):
    """Sets how iterators make Tensors; conversion always runs in the background here."""
    check_type(do_copy, bool, "do_copy")
    check_type(parallel_convert, bool, "parallel_convert")
    _settings["do_copy"], _settings["parallel_convert"] = do_copy, parallel_convert


def get_iterator_mode():
    """The arguments of `set_iterator_mode` as a dict."""
    return {"do_copy": _settings["do_copy"], "parallel_convert": _settings["parallel_convert"]}


def set_multiprocessing_start_method(start_method: str = "fork"):
    """Accepted ("fork" or "spawn"); worker processes are always started clean, since a fork of JAX may hang."""
    check_choice(start_method, ("fork", "spawn"), "start_method")
    _settings["start_method"] = start_method


def get_multiprocessing_start_method():
    """The value of `set_multiprocessing_start_method`."""
    return _settings["start_method"]


def set_video_backend(backend: Any):
    """Accepted ("CPU" or "Ascend"); video is decoded on the host."""
    check_choice(backend, ("CPU", "Ascend"), "backend")
    _settings["video_backend"] = backend


def get_video_backend():
    """The value of `set_video_backend`."""
    return _settings["video_backend"]


def _init_device_info():
    """Called by MindSpore to bind workers to a NUMA node; the operating system places them here."""


def set_enable_progress(enable: bool):
    """Shows a progress bar on the terminal while an iterator runs (default off); not part of MindSpore."""
    _flag("progress", enable, "enable must be of type bool.")


def get_enable_progress():
    """Whether iterators show a progress bar."""
    return _settings["progress"]


_FILE_KEYS = {
    "numParallelWorkers": set_num_parallel_workers,
    "opConnectorSize": set_prefetch_size,
    "seed": set_seed,
    "monitorSamplingInterval": set_monitor_sampling_interval,
    "callbackTimeout": set_callback_timeout,
}


def load(file: str):
    """Reads settings from a JSON file (numParallelWorkers, opConnectorSize, seed, monitorSamplingInterval,
    callbackTimeout).

    Raises:
        RuntimeError: the file is missing or is not JSON.
    """
    check(os.path.isfile(file), f"File is not found: {file}.", RuntimeError)
    with open(file, encoding="utf-8") as stream:
        try:
            values = json.load(stream)
        except (ValueError, RecursionError) as err:
            raise RuntimeError(f"Invalid file, failed to parse json file: {file}: {err}") from err
    check(
        isinstance(values, dict), f"Invalid file, failed to parse json file: {file}: it holds no object.", RuntimeError
    )
    for key, setter in _FILE_KEYS.items():
        if key in values:
            try:
                setter(values[key])
            except (TypeError, ValueError) as err:
                raise RuntimeError(f"Client file failed to load: {file}: {key}: {err}") from err
