"""Settings of the dataset package: `mindspore.dataset.config`.

A setting that steers MindSpore's C++ runtime and has no counterpart here (NUMA binding, shared memory, autotune) is
kept and given back, and changes nothing.
"""

import enum
import json
import logging
import os
import random
from typing import Literal

import numpy as np

from ..core.above import above
from ..core.settings import seed as global_seed
from ..core.spec.checking import checked
from .check import check
from .debug import DebugHook, PrintMetaDataHook
from .rules import NaturalInt32, PositiveInt32, UInt32

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


@checked
def set_seed(seed: UInt32):
    """Makes everything random in pipelines created from now on repeat; seeds Python's and NumPy's generators too.

    Rows are shuffled and augmented as MindSpore does it with the seed and as many workers (`num_parallel_workers`). As in MindSpore, a random
    operation that is called outside of a map, also in a function of the user, begins anew with the seed each time: it gives the same each time.

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
    _settings["seed"] = seed
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
    """The seed given to `set_seed`, or None: then every pipeline draws a new one. Debug mode takes 1 from the first pipeline on."""
    if _settings["debug_mode"] and _settings["seed"] == _UNSEEDED:
        _settings["seed"] = 1
    return None if _settings["seed"] == _UNSEEDED else _settings["seed"]


@checked
def set_prefetch_size(size: PositiveInt32):
    """Sets how many rows the pipeline may run ahead of its consumer (default 16)."""
    _settings["prefetch_size"] = size


def get_prefetch_size():
    """How many rows the pipeline may run ahead of its consumer."""
    return _settings["prefetch_size"]


@checked
def set_num_parallel_workers(num: PositiveInt32):
    """Sets the number of workers of operations that are not given one (default: the cores, at most 8)."""
    _settings["num_parallel_workers"] = num


def get_num_parallel_workers():
    """The number of workers of operations that are not given one."""
    return _settings["num_parallel_workers"]


@checked
def set_numa_enable(numa_enable: bool):
    """Accepted; workers are placed by the operating system."""
    _settings["numa_enable"] = numa_enable


def get_numa_enable():
    """The value of `set_numa_enable`."""
    return _settings["numa_enable"]


@checked
def set_monitor_sampling_interval(interval: PositiveInt32):
    """Sets the sampling interval of pipeline monitoring, in milliseconds."""
    _settings["monitor_sampling_interval"] = interval


def get_monitor_sampling_interval():
    """The sampling interval of pipeline monitoring, in milliseconds."""
    return _settings["monitor_sampling_interval"]


@checked
def set_auto_num_workers(enable: bool):
    """Accepted; the engine always decides from measured times how many of the allowed workers it uses."""
    _settings["auto_num_workers"] = enable


def get_auto_num_workers():
    """The value of `set_auto_num_workers`."""
    return _settings["auto_num_workers"]


@checked
def set_callback_timeout(timeout: PositiveInt32):
    """Sets how many seconds `sync_wait` and WaitedDSCallback wait for the training side (default 60)."""
    _settings["callback_timeout"] = timeout


def get_callback_timeout():
    """How many seconds `sync_wait` and WaitedDSCallback wait for the training side."""
    return _settings["callback_timeout"]


@checked
def set_enable_autotune(enable: bool, filepath_prefix: str | None = None):
    """Accepted; workers and queue lengths adapt by themselves, so there is no result to write to `filepath_prefix`."""
    if filepath_prefix is not None:
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


@checked
def set_autotune_interval(interval: NaturalInt32):
    """Accepted, in steps; see `set_enable_autotune`."""
    _settings["autotune_interval"] = interval


def get_autotune_interval():
    """The value of `set_autotune_interval`."""
    return _settings["autotune_interval"]


@checked
def set_enable_shared_mem(enable: bool):
    """Accepted; worker processes send arrays over sockets."""
    _settings["shared_mem"] = enable


def get_enable_shared_mem():
    """The value of `set_enable_shared_mem`."""
    return _settings["shared_mem"]


@checked
def set_sending_batches(batch_num: int):
    """Accepted; batches are sent to the device one ahead."""
    _settings["sending_batches"] = batch_num


@checked
def set_auto_offload(offload: bool):
    """Accepted; transforms run on the host."""
    _settings["auto_offload"] = offload


def get_auto_offload():
    """The value of `set_auto_offload`."""
    return _settings["auto_offload"]


@checked
def set_enable_watchdog(enable: bool):
    """Accepted; a worker process that dies is always noticed."""
    _settings["watchdog"] = enable


def get_enable_watchdog():
    """The value of `set_enable_watchdog`."""
    return _settings["watchdog"]


@checked
def set_multiprocessing_timeout_interval(interval: PositiveInt32):
    """Sets after how many seconds without a row from a worker process a warning is logged (default 300)."""
    _settings["multiprocessing_timeout_interval"] = interval


def get_multiprocessing_timeout_interval():
    """After how many seconds without a row from a worker process a warning is logged."""
    return _settings["multiprocessing_timeout_interval"]


@checked
def set_dynamic_shape(is_dynamic: bool):
    """Accepted; shapes may always differ from row to row."""
    _settings["dynamic_shape"] = is_dynamic


def get_dynamic_shape():
    """The value of `set_dynamic_shape`."""
    return _settings["dynamic_shape"]


@checked
def set_fast_recovery(fast_recovery: bool):
    """Whether a pipeline that starts at a later step leaves out the epochs before it; without, it runs them, so that random
    operations give what they would have given.
    """
    _settings["fast_recovery"] = fast_recovery


def get_fast_recovery():
    """The value of `set_fast_recovery`."""
    return _settings["fast_recovery"]


@checked
def set_debug_mode(debug_mode_flag: bool, debug_hook_list: list[DebugHook] | None = None):
    """Switches to a pipeline that runs in the calling thread, so that breakpoints stop in user functions. The rows' order and what is drawn
    repeat: where no seed was set, the first pipeline sets 1.

    Args:
        debug_mode_flag (bool): whether to debug.
        debug_hook_list (list[DebugHook]): called before the first and after every operation of a map; by default one
            that prints shapes and dtypes.

    Raises:
        TypeError: an argument is of the wrong type.
    """
    hooks = [PrintMetaDataHook()] if debug_hook_list is None else debug_hook_list
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


@checked
def set_error_samples_mode(error_samples_mode: ErrorSamplesMode):
    """Sets the handling of a row whose processing raises, see ErrorSamplesMode."""
    _settings["error_samples_mode"] = error_samples_mode


def get_error_samples_mode():
    """The handling of a row whose processing raises."""
    return _settings["error_samples_mode"]


@checked
def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False):
    """Sets how iterators make Tensors; conversion always runs in the background here."""
    _settings["do_copy"], _settings["parallel_convert"] = do_copy, parallel_convert


def get_iterator_mode():
    """The arguments of `set_iterator_mode` as a dict."""
    return {"do_copy": _settings["do_copy"], "parallel_convert": _settings["parallel_convert"]}


@checked
def set_multiprocessing_start_method(start_method: Literal["fork", "spawn"] = "fork"):
    """Accepted ("fork" or "spawn"); worker processes are always started clean, since a fork of JAX may hang."""
    _settings["start_method"] = start_method


def get_multiprocessing_start_method():
    """The value of `set_multiprocessing_start_method`."""
    return _settings["start_method"]


@checked
def set_video_backend(backend: Literal["CPU", "Ascend"]):
    """Accepted ("CPU" or "Ascend"); video is decoded on the host."""
    _settings["video_backend"] = backend


def get_video_backend():
    """The value of `set_video_backend`."""
    return _settings["video_backend"]


def _init_device_info():
    """Called by MindSpore to bind workers to a NUMA node; the operating system places them here."""


@checked
def set_enable_progress(enable: bool):
    """Shows a progress bar on the terminal while an iterator runs (default off); not part of MindSpore."""
    _settings["progress"] = enable


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
