"""`mindspore.device_context.ascend`: there is no Ascend chip here; a program's settings for one are checked and recorded."""

import os
from typing import Any, Literal

from ...core.spec.rules import AsValue, NonNegativeInt
from .recorded import recorded, values

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


@recorded
def precision_mode(
    mode: AsValue[
        Literal[
            "force_fp16",
            "allow_fp32_to_fp16",
            "allow_mix_precision",
            "must_keep_origin_dtype",
            "force_fp32",
            "allow_fp32_to_bf16",
            "allow_mix_precision_fp16",
            "allow_mix_precision_bf16",
        ]
    ],
):
    """Record which dtypes operators are computed in."""


@recorded
def matmul_allow_hf32(value: AsValue[bool]):
    """Record whether float32 products may be computed in HF32."""


@recorded
def conv_allow_hf32(value: AsValue[bool]):
    """Record whether float32 convolutions may be computed in HF32."""


@recorded
def op_compile(value: bool):
    """Record whether operators are compiled when they are first called."""


@recorded
def aoe_tune_mode(tune_mode: AsValue[Literal["online", "offline"]]):
    """Record when Ascend's optimization engine tunes operators."""


@recorded
def aoe_job_type(config: AsValue[Literal["1", "2"]]):
    """Record what Ascend's optimization engine tunes: "1" whole graphs, "2" single operators."""


@recorded
def op_precision_mode(path: str):
    """Record the file that says how operators round."""
    if values.get("op_precision_mode") not in (None, path) and not os.path.exists(os.path.realpath(path)):
        raise ValueError(f"For 'op_precision_mode', the 'path' is invalid, got '{path}'.")


@recorded
def execute_timeout(op_timeout: NonNegativeInt):
    """Record after how many seconds an operator is given up."""


@recorded
def debug_option(option_value: Literal["oom"]):
    """Record the debugging option: "oom"."""


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
