"""The file of `set_context(ascend_config={"parallel_speed_up_json_path": ...})`: passes of MindSpore's compiler for Ascend, which XLA has in its own way.

`get_context` tells what the file says, because programs ask for it.
"""

import json
import os

# key of the file -> (what `get_context` calls it, the types that it may have)
_KEYS = {
    "recompute_comm_overlap": ("recompute_comm_overlap", (str, bool)),
    "recomputation_communication_overlap": ("recompute_comm_overlap", (str, bool)),
    "matmul_grad_comm_overlap": ("matmul_grad_comm_overlap", (bool, str)),
    "grad_matmul_communication_overlap": ("matmul_grad_comm_overlap", (bool, str)),
    "enable_task_opt": ("enable_task_opt", bool),
    "enable_communication_fusion": ("enable_task_opt", bool),
    "enable_grad_comm_opt": ("enable_grad_comm_opt", bool),
    "grad_computation_allreduce_overlap": ("enable_grad_comm_opt", bool),
    "recompute_allgather_overlap_fagrad": ("recompute_allgather_overlap_fagrad", bool),
    "grad_fa_allgather_overlap": ("recompute_allgather_overlap_fagrad", bool),
    "interleaved_matmul_comm": ("interleaved_matmul_comm", bool),
    "bias_add_comm_swap": ("bias_add_comm_swap", bool),
    "allreduce_and_biasadd_swap": ("bias_add_comm_swap", bool),
    "enable_opt_shard_comm_opt": ("enable_opt_shard_comm_opt", bool),
    "computation_allgather_overlap": ("enable_opt_shard_comm_opt", bool),
    "enable_begin_end_inline_opt": ("enable_begin_end_inline_opt", bool),
    "enable_concat_eliminate_opt": ("enable_concat_eliminate_opt", bool),
    "interleaved_layernorm_comm": ("interleaved_layernorm_comm", bool),
    "enable_allreduce_slice_to_reducescatter": ("enable_allreduce_slice_to_reducescatter", bool),
    "enable_interleave_split_concat_branch": ("enable_interleave_split_concat_branch", bool),
    "enable_interleave_parallel_branch": ("enable_interleave_parallel_branch", bool),
    "enable_offloading_packed_experts": ("enable_offloading_packed_experts", bool),
    "compute_communicate_fusion_level": ("compute_communicate_fusion_level", int),
    "computation_communication_fusion_level": ("compute_communicate_fusion_level", int),
    "enable_flash_attention_load_balance": ("enable_flash_attention_load_balance", bool),
    "pp_1f1b_overlap": ("pp_1f1b_overlap", str),
    "dataset_broadcast_opt_level": ("dataset_broadcast_opt_level", int),
}


def told(path: str):
    """{keyword of `get_context`: value} of such a file.

    Raises:
        ValueError: there is no such file, it is not a JSON object, or a key or value is not one that MindSpore takes.
    """
    if not os.path.exists(path):
        raise ValueError(
            f"For 'ascend_config', the path to parallel_speed_up_json: {path} does not exist, please check whether the "
            "'parallel_speed_up_json_path' is correct."
        )
    try:
        with open(path, encoding="utf-8") as file:
            content = json.loads(file.read(1 << 20))
    except (ValueError, RecursionError) as error:
        raise _wrong(path, error) from error
    if not isinstance(content, dict):
        raise _wrong(path, f"it holds a {type(content).__name__}, not an object")
    found = {}
    for key, value in content.items():
        if key not in _KEYS:
            raise _wrong(path, f"key {key} should be one of {list(_KEYS)}.")
        name, kinds = _KEYS[key]
        if not isinstance(value, kinds):
            raise _wrong(
                path, f"The value type of {key} must be {kinds}, but got value is {value} and type is {type(value)}."
            )
        found[name] = value
    return found


def _wrong(path, why):
    return ValueError(
        f"{why}\nFor 'context.set_context', open or load the 'speedup_config_path' file {path} failed, please check whether "
        "'speedup_config_path' is json file and correct, or may not have permission to read it."
    )
