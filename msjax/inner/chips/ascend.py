"""`mindspore.device_context.ascend`: there is no Ascend chip here; a program's settings for one are checked and recorded."""

import os
from typing import Any

from .recorded import choice, typed, values

__all__ = ["device_count", "is_available"]

_SWITCH = (True, False)


def is_available():
    """False: JAX has no Ascend chips."""
    return False


def device_count():
    """Number of Ascend chips.

    Raises:
        RuntimeError: there is none.
    """
    raise RuntimeError("Device_target Ascend not exist.")


precision_mode = choice(
    "precision_mode",
    "mode",
    (
        "force_fp16",
        "allow_fp32_to_fp16",
        "allow_mix_precision",
        "must_keep_origin_dtype",
        "force_fp32",
        "allow_fp32_to_bf16",
        "allow_mix_precision_fp16",
        "allow_mix_precision_bf16",
    ),
)
matmul_allow_hf32 = choice("matmul_allow_hf32", "value", _SWITCH)
conv_allow_hf32 = choice("conv_allow_hf32", "value", _SWITCH)
op_compile = choice("op_compile", "value", _SWITCH, TypeError)
aoe_tune_mode = choice("aoe_tune_mode", "tune_mode", ("online", "offline"))
aoe_job_type = choice("aoe_job_type", "config", ("1", "2"))


@typed("op_precision_mode", "path", str)
def op_precision_mode(path: str):
    """Record the file that says how operators round."""
    if values.get("op_precision_mode") not in (None, path) and not os.path.exists(os.path.realpath(path)):
        raise ValueError(f"For 'op_precision_mode', the 'path' is invalid, got '{path}'.")


@typed("execute_timeout", "op_timeout", int)
def execute_timeout(op_timeout: int):
    """Record after how many seconds an operator is given up."""
    if op_timeout < 0:
        raise ValueError("The num of execute_timeout must bigger than or equal to 0.")


@typed("debug_option", "option_value", str)
def debug_option(option_value: str):
    """Record the debugging option: "oom"."""
    if option_value != "oom":
        raise ValueError(f"For 'debug_option', the 'option_value' can only be 'oom', but got {option_value!r}.")


def aclnn_cache(enable_global_cache: bool = False, cache_queue_length: int = 10000):
    """Record the size of the cache of compiled operators."""
    if enable_global_cache not in _SWITCH:
        raise ValueError(
            f"For 'aclnn_cache', 'enable_global_cache' must be True or False, but got {enable_global_cache!r}."
        )
    if cache_queue_length < 0:
        raise ValueError(f"For 'aclnn_cache', 'cache_queue_length' must not be negative, but got {cache_queue_length}.")
    values["aclnn_cache"] = (enable_global_cache, cache_queue_length)


_ACL = {
    "max_opqueue_num": str,
    "err_msg_mode": ("0", "1"),
    "dump": ({"dump_scene": "lite_exception"}, {"dump_scene": "lite_exception:disable"}),
}


def aclinit_config(config: Any):
    """Check and record the settings that the runtime starts with."""
    for key, value in config.items():
        if key not in _ACL:
            raise ValueError(f"For 'aclinit_config', the key must be one of {tuple(_ACL)}, but got {key}.")
        allowed = _ACL[key]
        if isinstance(allowed, tuple) and value not in allowed:
            raise ValueError(f"For 'aclinit_config', the value of {key} must be one of {allowed}, but got {value}.")
        if allowed is str and not isinstance(value, str):
            raise TypeError(f"For 'aclinit_config', the type of {key} must be str, but got {type(value).__name__}.")
    values["aclinit_config"] = dict(config)
