"""`set_context` and its relatives: execution mode, device, and every keyword of MindSpore 1.x and 2.x.

Only `mode`, `device_target`, `device_id`, `deterministic`, `enable_compile_cache` and `compile_cache_path` change anything here, and
`check_indices`, `fold_layers` and `matmul_precision`, which MindSpore does not have.
The others steer Ascend hardware or MindSpore's own compiler; they are accepted, checked and remembered.
"""

import math
import os
import threading
from collections.abc import Mapping

import jax

from ... import log
from ..hints import nearest
from ..process import shared
from . import compile_cache, parallel_context, speed_up
from .execution_state import change, here, within
from .parallel_context import (
    ParallelMode,
    get_auto_parallel_context,
    reset_auto_parallel_context,
    set_auto_parallel_context,
)

GRAPH_MODE = 0
PYNATIVE_MODE = 1
STRICT, COMPATIBLE, LAX = 0, 1, 2
K_CONTEXT = None


# keyword -> (default, accepted types). The last group is the 1.x keywords that 2.10 has dropped.
KEYWORDS = {
    "mode": (PYNATIVE_MODE, int),
    "device_target": (None, str),
    "device_id": (0, int),
    "max_call_depth": (1000, int),
    "deterministic": ("OFF", str),
    "enable_compile_cache": (None, bool),
    "compile_cache_path": ("", str),
    "matmul_precision": (None, str),
    "matmul_allow_tf32": (False, bool),
    "conv_allow_tf32": (True, bool),
    "save_graphs": (0, (bool, int)),
    "save_graphs_path": (".", str),
    "jit_config": ({}, dict),
    "jit_level": ("", str),
    "jit_syntax_level": (LAX, int),
    "debug_level": (0, int),
    "memory_optimize_level": ("O0", (str, int)),
    "memory_offload": ("OFF", str),
    "ascend_config": ({}, dict),
    "gpu_config": ({}, dict),
    "enable_reduce_precision": (True, bool),
    "variable_memory_max_size": ("0", str),
    "enable_profiling": (False, bool),
    "profiling_options": ("training_trace", str),
    "enable_auto_mixed_precision": (False, bool),
    "enable_graph_kernel": (False, bool),
    "reserve_class_name_in_scope": (True, bool),
    "check_bprop": (False, bool),
    "max_device_memory": ("1024GB", str),
    "print_file_path": ("", str),
    "env_config_path": ("", str),
    "graph_kernel_flags": ("", str),
    "save_compile_cache": (False, bool),
    "load_compile_cache": (False, bool),
    "runtime_num_threads": (30, int),
    "inter_op_parallel_num": (0, int),
    "pynative_synchronize": (False, bool),
    "mempool_block_size": ("1GB", str),
    "disable_format_transform": (False, bool),
    "op_timeout": (900, int),
    "aoe_tune_mode": ("", str),
    "aoe_config": ({}, dict),
    "jit_enable_inplace_ops": (True, bool),
    "support_binary": (False, bool),
    "exec_order": ("bfs", str),
    "host_scheduling_max_threshold": ("", str),
    "hccl_connect_timeout": ("600", str),
    "precompile_only": (False, bool),
    "conv_fprop_algo": ("normal", str),
    "enable_debug_runtime": (False, bool),
    "enable_parallel_split": (False, bool),
    "enable_sparse": (False, bool),
    "grad_for_scalar": (False, bool),
    "auto_tune_mode": ("NO_TUNE", str),
    "enable_dump": (False, bool),
    "save_dump_path": (".", str),
    "enable_mem_reuse": (True, bool),
    "enable_loop_sink": (True, bool),
    "enable_task_sink": (True, bool),
    "enable_hccl": (False, bool),
    "enable_gpu_summary": (True, bool),
    "enable_dynamic_memory": (True, bool),
    "enable_ps": (False, bool),
    "parallel_mode": (ParallelMode.STAND_ALONE, str),
    "check_indices": (False, bool),  # ours: check mode, see core/operators/ranges.py
    "fold_layers": (False, bool),  # ours: equal layers are one loop, see core/program/folding.py
}
# what `get_context` tells besides, of MindSpore's other devices and passes
_TOLD = {
    "aoe_job_type": "2",
    "atomic_clean_policy": "",
    "bias_add_comm_swap": False,
    "compute_communicate_fusion_level": 0,
    "conv_allow_hf32": "",
    "conv_dgrad_algo": "normal",
    "conv_wgrad_algo": "normal",
    "cur_step_num": 0,
    "dataset_broadcast_opt_level": 0,
    "enable_allreduce_slice_to_reducescatter": False,
    "enable_begin_end_inline_opt": False,
    "enable_concat_eliminate_opt": False,
    "enable_flash_attention_load_balance": False,
    "enable_fused_cast_add_opt": False,
    "enable_ge": False,
    "enable_grad_comm_opt": False,
    "enable_interleave_parallel_branch": False,
    "enable_interleave_split_concat_branch": False,
    "enable_offloading_packed_experts": True,
    "enable_opt_shard_comm_opt": False,
    "enable_task_opt": False,
    "ge_options": "",
    "hccl_watchdog": True,
    "infer_boost": "off",
    "interleaved_layernorm_comm": False,
    "interleaved_matmul_comm": False,
    "jit_compile": "",
    "last_triggered_step": 0,
    "matmul_allow_hf32": "",
    "matmul_grad_comm_overlap": "",
    "need_ckpt": False,
    "op_debug_option": "",
    "op_precision_mode": "",
    "pp_1f1b_overlap": "",
    "precision_mode": "",
    "recompute_allgather_overlap_fagrad": False,
    "recompute_comm_overlap": "",
    "save_checkpoint_steps": 0,
    "topo_order": "",
}
_ONLY_TOLD = frozenset(
    """atomic_clean_policy conv_allow_hf32 enable_ge ge_options jit_compile matmul_allow_hf32 op_debug_option op_precision_mode
    precision_mode""".split()
)
KEYWORDS |= {name: (value, type(value)) for name, value in _TOLD.items() if name not in _ONLY_TOLD}
MEANINGFUL = (
    "mode",
    "device_target",
    "device_id",
    "deterministic",
    "enable_compile_cache",
    "matmul_precision",
    "matmul_allow_tf32",
    "conv_allow_tf32",
    "compile_cache_path",
    "check_indices",
    "fold_layers",
)
_OF_PROCESS = {
    "device_target",
    "device_id",
    "deterministic",
    "enable_compile_cache",
    "matmul_precision",
    "matmul_allow_tf32",
    "conv_allow_tf32",
    "compile_cache_path",
    "fold_layers",
}
# of float32 products on devices that have less for more speed: TPU multiplies in bfloat16 by default, GPU in TensorFloat-32
_PRECISIONS = ("default", "high", "highest", "bfloat16", "tensorfloat32", "float32")
_DEVICE_TARGETS = ("CPU", "GPU", "Ascend", "Davinci", "TPU")


def _among(*values):
    return (lambda value: value in values), f"one of {list(values)}"


def _from(least, most=math.inf):
    text = f"in range [{least}, {most}]" if most < math.inf else f"{least} or greater"
    return (lambda value: least <= value <= most), text


# keyword -> (whether it takes a value, what it must be)
_VALUES = {
    "mode": ((GRAPH_MODE, PYNATIVE_MODE).__contains__, "context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1)"),
    "device_target": (_DEVICE_TARGETS.__contains__, "one of ['CPU', 'GPU', 'Ascend', 'Davinci']"),
    "deterministic": _among("ON", "OFF"),
    "matmul_precision": _among(*_PRECISIONS),
    "device_id": _from(0, 4095),
    "max_call_depth": _from(1),
    "op_timeout": _from(0),
    "runtime_num_threads": _from(0),
    "inter_op_parallel_num": _from(0),
    "jit_syntax_level": _among(STRICT, COMPATIBLE, LAX),
    "debug_level": _among(0, 1),
    "memory_optimize_level": _among("O0", "O1"),
    "save_graphs": (lambda value: value <= 3, "from 0 to 3"),
    "aoe_tune_mode": _among("online", "offline"),
    "exec_order": _among("bfs", "dfs"),
    "save_graphs_path": (bool, "a path that is not empty"),
}
_MAY_BE_NONE = _VALUES.keys() - {"mode", "device_target", "deterministic"}


class Settings:
    """The settings of `set_context`: keyword -> value. `graph` and `strict` (check mode) have fields of their own,
    because every call reads them.
    """

    __slots__ = ("values", "graph", "strict")

    def __init__(self, values: Mapping = ()):
        self.values, self.graph, self.strict = {}, False, False
        self.update(values)

    def update(self, values: Mapping):
        self.values.update(values)
        self.graph = self.values.get("mode", PYNATIVE_MODE) == GRAPH_MODE
        self.strict = bool(self.values.get("check_indices"))


# The settings of the process. The main thread sets these. Another thread sees them until it sets something itself: then it has a copy of its
# own, so that threads may run in different modes. Devices, precision of products and cache are JAX's, and so the process's, whoever sets them.
process = Settings()
_noticed = set()


_devices = {"count": 1}  # that compiled programs run on


def set_device_count(count: int):
    """Set the number of devices of compiled programs; programs for another number are compiled again."""
    _devices["count"] = count


def snapshot():
    """The settings that a compiled function depends on, besides its arguments and the active casts and modes. It
    changes with `shared.touch`.
    """
    precision = process.values.get("matmul_precision"), _tf32()
    return _devices["count"], precision, folds_layers(), parallel_context.snapshot()


def allows_tf32(kind: str) -> bool:
    """Whether float32 products (`kind` "matmul") or convolutions ("conv") may be computed from operands of 10 bits on GPU."""
    return process.values.get(f"{kind}_allow_tf32", kind == "conv")


def _tf32():
    return allows_tf32("matmul"), allows_tf32("conv")


def folds_layers():
    """Whether equal consecutive layers of a compiled program become one loop."""
    return process.values.get("fold_layers", False)


def settings():
    """The settings in force."""
    return here().settings or process


def _settings_to_change():
    if here().settings is not None or threading.current_thread() is not threading.main_thread():
        change(
            settings=Settings(settings().values)
        )  # a new one: another thread may have begun with a copy of this context
    return settings()


def _check(name, value, kinds, where):
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise TypeError(
            f"For '{where}', the type of argument '{name}' must be {' or '.join(k.__name__ for k in kinds)}, "
            f"but got {value!r} of type {type(value).__name__}."
        )


def _unknown(where, name, known):
    near = nearest(name, known)
    hint = f" Did you mean '{near}'?" if near else ""
    return ValueError(
        f"For '{where}', the argument {name} is not recognized!{hint} Accepted are: {', '.join(sorted(known))}."
    )


def set_context(**kwargs):
    """Set how scripts run: `mode` (GRAPH_MODE or PYNATIVE_MODE), `device_target`, and every other keyword of MindSpore.

    A device that is not there is replaced by the best one that is, which is said once.

    Raises:
        ValueError: a keyword or a value that MindSpore does not know.
        TypeError: a value of the wrong type.

    Example:
        >>> mindspore.set_context(mode=mindspore.GRAPH_MODE, device_target="CPU")
        >>> mindspore.get_context("device_target")
        'CPU'
    """
    for name, value in kwargs.items():
        if name not in KEYWORDS:
            raise _unknown("context.set_context", name, KEYWORDS)
        if value is not None:
            _check(name, value, KEYWORDS[name][1], "context.set_context")
        fits, wanted = _VALUES.get(name, (None, ""))
        if fits is not None and not (fits(value) if value is not None else name in _MAY_BE_NONE):
            raise ValueError(f"For 'context.set_context', the argument '{name}' must be {wanted}, but got {value}.")
    for name in ("matmul_allow_tf32", "conv_allow_tf32"):
        if name in (kwargs.get("gpu_config") or {}):
            kwargs[name] = kwargs["gpu_config"][name]
            _check(name, kwargs[name], bool, "context.set_context")
    before = _tf32()
    own = _settings_to_change()
    path = (kwargs.get("ascend_config") or {}).get("parallel_speed_up_json_path")
    if (
        path and kwargs.get("device_target", own.values.get("device_target")) == "Ascend"
    ):  # others leave `ascend_config` alone, as in MindSpore
        own.update(speed_up.told(path))
    own.update(kwargs)
    if own is not process:
        process.update({name: kwargs[name] for name in _OF_PROCESS & kwargs.keys()})
    if _tf32() != before and present_device() == "GPU":
        jax.clear_caches()  # programs of single operators do not ask for these again
    if "matmul_precision" in kwargs:
        jax.config.update("jax_default_matmul_precision", kwargs["matmul_precision"])
    if "device_target" in kwargs or "device_id" in kwargs:
        _choose_device()
    if "enable_compile_cache" in kwargs or kwargs.get("compile_cache_path"):
        _use_compile_cache()
    if "deterministic" in kwargs:
        _tell_deterministic(kwargs["deterministic"] == "ON")
    shared.touch()


def get_context(attr_key: str):
    """Value of one keyword of `set_context`; ValueError for one that does not exist."""
    _values = settings().values
    if attr_key == "device_target" and _values.get(attr_key) is None:
        return present_device()
    if attr_key in ("device_target",):
        return _resolved_device(_values[attr_key])
    if attr_key in _values:
        return _values[attr_key]
    if attr_key in KEYWORDS:
        return KEYWORDS[attr_key][0]
    if attr_key in parallel_context.SETTINGS:
        return get_auto_parallel_context(attr_key)
    if attr_key in _TOLD:
        return _TOLD[attr_key]
    raise _unknown("context.get_context", attr_key, KEYWORDS)


def is_graph_mode():
    """Whether Cells are compiled when they are called."""
    return (here().settings or process).graph


def is_strict():
    """Whether check mode is on (see `core/values/ranges.py`)."""
    return (here().settings or process).strict


_PLATFORM_TARGET = {"cpu": "CPU", "gpu": "GPU", "cuda": "GPU", "rocm": "GPU", "tpu": "TPU"}


def computing_for(device: str):
    """Within this context operators take the forms that they have on `device` (CPU, GPU, TPU): a program for it is being made."""
    return within(device=device)


def present_device():
    """MindSpore's name of the device that JAX computes on: CPU, GPU, or TPU."""
    chosen = here().device
    if chosen is not None:
        return chosen
    platform = jax.default_backend()
    return _PLATFORM_TARGET.get(platform, platform.upper())


def _get_mode():
    """GRAPH_MODE or PYNATIVE_MODE, whichever is set."""
    return get_context("mode")


def _resolved_device(target):
    """The device that serves `target`: itself where it is present, else the best one."""
    return "CPU" if target == "CPU" else present_device() if target != present_device() else target


def written_for():
    """The device that the script asked for, present or not; where it asked for none, the present one."""
    return settings().values.get("device_target") or present_device()


def _choose_device():
    target = process.values.get("device_target")
    if target is None:
        return
    if target == "CPU":
        if present_device() != "CPU":
            jax.config.update("jax_default_device", jax.devices("cpu")[0])
        return
    best = present_device()
    if target != best and target not in _noticed:
        _noticed.add(target)
        print(
            f"[msjax] device_target '{target}' is not present here; running on {best} ({jax.devices()[0].device_kind}).",
            flush=True,
        )
    index = process.values.get("device_id", 0)
    devices = jax.local_devices()
    jax.config.update("jax_default_device", devices[index] if index < len(devices) and index else None)


def _use_compile_cache():
    """Apply `enable_compile_cache` and `compile_cache_path`: a cache folder named as MindSpore names it, or none."""
    wanted, path = process.values.get("enable_compile_cache"), process.values.get("compile_cache_path")
    if wanted or path and wanted is not False:
        compile_cache.use(os.path.abspath(path or "rank_0"))
    elif wanted is False:
        compile_cache.use(None)


# --- parameter servers
_PS_DEFAULTS = {
    "enable_ps": False,
    "config_file_path": "",
    "enable_ssl": False,
    "client_password": "",
    "server_password": "",
    "server_mode": "",
    "ms_role": "MS_WORKER",
    "worker_num": 0,
    "server_num": 0,
    "scheduler_ip": "",
    "scheduler_port": 0,
}
_ps = dict(_PS_DEFAULTS)


def set_ps_context(**kwargs):
    """Settings of parameter servers, recorded only: weights stay with the workers, whose gradients DATA_PARALLEL
    combines.

    A server adds the gradients of all workers up before it updates, so this gives the same weights.

    Raises:
        ValueError: there is no such setting. TypeError: a value of another type.
    """
    for key, value in kwargs.items():
        if key not in _PS_DEFAULTS or key in ("server_mode", "ms_role"):
            raise ValueError(f"Set PS context keyword {key} is not recognized!")
        if key.startswith("enable_") and not isinstance(value, bool):
            raise TypeError(f"For 'set_ps_context', the type of '{key}' must be bool, but got {type(value).__name__}.")
    if kwargs.get("enable_ps") and "parameter server" not in _noticed:
        _noticed.add("parameter server")
        log.warning(
            "There is no parameter server here: weights stay with the workers. With several of them, "
            "set_auto_parallel_context(parallel_mode='data_parallel') combines their gradients as a server would."
        )
    _ps.update(kwargs)


def get_ps_context(attr_key: str):
    """Value of one keyword of `set_ps_context`; ValueError for an unknown name."""
    if attr_key not in _PS_DEFAULTS:
        raise ValueError(f"Get PS context keyword {attr_key} is not recognized!")
    return _ps[attr_key]


def reset_ps_context():
    """Back to the defaults of `set_ps_context`."""
    _ps.update(_PS_DEFAULTS)


# --- state in the host's memory, in MindSpore 2.0 to 2.5: the settings and their types
_OFFLOAD = {
    str: "offload_param offload_path offload_checkpoint offload_cpu_size offload_disk_size host_mem_block_size aio_block_size",
    bool: "auto_offload enable_aio enable_pinned_mem",
    int: "aio_queue_depth",
    (int, float): "hbm_ratio cpu_ratio",
}
_OFFLOAD = {name: kinds for kinds, names in _OFFLOAD.items() for name in names.split()}
_offload = {}


def set_offload_context(offload_config: dict):
    """Settings of `set_context(memory_offload="ON")`, recorded only: state stays in the device's memory.

    Raises:
        ValueError: there is no such setting. TypeError: a value of another type.
    """
    _check("offload_config", offload_config, dict, "set_offload_context")
    for name, value in offload_config.items():
        if name not in _OFFLOAD:
            raise _unknown("set_offload_context", name, _OFFLOAD)
        _check(name, value, _OFFLOAD[name], "set_offload_context")
    note_host_memory("set_offload_context")
    _offload.update(offload_config)


def get_offload_context():
    """The settings given to `set_offload_context`."""
    return dict(_offload)


def note_host_memory(what: str):
    """Tell once, where it makes a difference, that state which a script wants in the host's memory stays on the device."""
    if "host memory" not in _noticed and present_device() != "CPU":
        _noticed.add("host memory")
        log.warning(
            f"{what}: state stays in the device's memory. Over several devices, enable_parallel_optimizer divides it; "
            "recompute() and Cell.offload() make room of intermediate values."
        )


def get_jit_config():
    """The `jit_config` given to `set_context`."""
    return dict(settings().values.get("jit_config", {}))


def reset():
    """Restore the defaults of all settings, and allow once-only warnings again."""
    _offload.clear()
    own = _settings_to_change()
    own.values.clear()
    own.update({})
    _noticed.clear()
    reset_auto_parallel_context()


def meaningless(values: Mapping | None = None):
    """Keywords that were set by the script and change nothing here; `msjax doctor` lists them."""
    return sorted(k for k in (settings().values if values is None else values) if k not in MEANINGFUL)


__all__ = [
    "COMPATIBLE",
    "GRAPH_MODE",
    "LAX",
    "PYNATIVE_MODE",
    "STRICT",
    "ParallelMode",
    "get_auto_parallel_context",
    "get_context",
    "get_jit_config",
    "get_offload_context",
    "get_ps_context",
    "reset_auto_parallel_context",
    "reset_ps_context",
    "set_auto_parallel_context",
    "set_context",
    "set_offload_context",
    "set_ps_context",
]


def _tell_deterministic(wanted):
    """Write `deterministic` into the variables of the environment that MindSpore writes: scripts, and processes that they start, read them."""
    for name, on, off in (("HCCL_DETERMINISTIC", ("true", "strict"), "false"), ("TE_PARALLEL_COMPILER", ("1",), "0")):
        value = os.environ.get(name)
        if wanted and value not in on:
            os.environ[name] = on[0]
        elif not wanted and value and value != off:
            del os.environ[name]
