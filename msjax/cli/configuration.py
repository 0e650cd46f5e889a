"""Configuration files of MindFormers: their keys that change nothing here, with their lines. `python -m msjax SCRIPT --config FILE` tells them."""

import re
import sys
from collections.abc import Sequence

from msjax.core.settings.context import meaningless

_DEVICE = "settings of Ascend's compiler and kernels; XLA compiles"
_MEMORY = "XLA plans memory; the environment variable XLA_PYTHON_CLIENT_MEM_FRACTION limits it on a GPU"
_MESSAGES = "XLA chooses how collectives are merged, and what runs beside them"
# (section, key) -> why it changes nothing; a section's None is all of its keys
REASONS = {
    ("context", "ascend_config"): _DEVICE,
    ("context", "enable_graph_kernel"): _DEVICE,
    ("context", "graph_kernel_flags"): _DEVICE,
    ("context", "memory_optimize_level"): _MEMORY,
    ("context", "max_device_memory"): _MEMORY,
    ("context", "mempool_block_size"): _MEMORY,
    ("context", "variable_memory_max_size"): _MEMORY,
    ("context", "jit_config.jit_level"): "XLA compiles each graph whole, on every device",
    ("context", "jit_level"): "XLA compiles each graph whole, on every device",
    ("context", "max_call_depth"): "there is no limit of calls but Python's",
    ("parallel", "enable_alltoall"): _MESSAGES,
    ("parallel", "comm_fusion"): _MESSAGES,
    ("parallel", "all_reduce_fusion_config"): _MESSAGES,
    ("parallel", "communi_parallel_mode"): _MESSAGES,
    ("parallel", "gradient_fp32_sync"): "gradients are summed in their own dtype",
    ("parallel", "force_fp32_communication"): "values are sent in their own dtype",
    ("parallel", "auto_pipeline"): "stages are those of `pipeline_stage`",
    ("parallel", "pipeline_segments"): "layers visit the stages as `pp_interleave_num` says",
    (
        "parallel",
        "optimizer_weight_shard_size",
    ): "with enable_parallel_optimizer state is divided by all devices that would repeat it",
    (
        "parallel",
        "optimizer_weight_shard_aggregated_save",
    ): "checkpoints are whole, or slices with integrated_save=False",
    ("parallel_config", "gradient_aggregation_group"): _MESSAGES,
    ("recompute_config", "mp_comm_recompute"): "XLA chooses which collectives a recomputation repeats",
    ("recompute_config", "parallel_optimizer_comm_recompute"): "XLA chooses when divided weights are gathered",
    ("recompute_config", "select_comm_recompute"): "XLA chooses which collectives a recomputation repeats",
    ("optimizer", "swap"): "state stays on the device; enable_parallel_optimizer divides it",
}
_WHERE_OFF = ("False", "false", "None", "null", "''", '""', "")  # of a switch that is off nothing needs to be told
_SECTIONS = {"context", "parallel", "parallel_config", "recompute_config", "optimizer"}
_KEY = re.compile(r"( *)([A-Za-z_]\w*)\s*:(?:\s+(.*))?$")


def unserved(text: str):
    r"""[(line, section, key, why)] of the keys of a configuration that change nothing here.

    Example:
        >>> from msjax.cli.configuration import unserved
        >>> unserved("context:\n  max_call_depth: 10000")[0][:3]
        (2, 'context', 'max_call_depth')
    """
    above, found = [], []  # (indent, key) of the sections that a line stands in
    for number, line in enumerate(text.splitlines(), 1):
        matched = _KEY.match(line.split(" #")[0].rstrip())
        if matched is None:
            continue
        indent, key, value = len(matched[1]), matched[2], (matched[3] or "").strip()
        while above and above[-1][0] >= indent:
            above.pop()
        section, path = above[0][1] if above else None, ".".join([*(k for _, k in above[1:]), key])
        above.append((indent, key))
        if section not in _SECTIONS:
            continue
        why = REASONS.get((section, path))
        if (
            why is None
            and section == "context"
            and path == key
            and meaningless([key])
            and path not in _SERVED_ELSEWHERE
        ):
            why = _DEVICE
        if why is not None and (
            value not in _WHERE_OFF or value == "" and (section, path) == ("context", "ascend_config")
        ):
            found.append((number, section, path, why))
    return found


# keywords of set_context that other parts read
_SERVED_ELSEWHERE = ("save_graphs", "save_graphs_path", "jit_config", "jit_syntax_level", "pynative_synchronize")


def _is_configuration(text):
    heads = set(re.findall(r"^(\w+):", text, re.MULTILINE))
    return "context" in heads and bool({"parallel", "parallel_config", "trainer"} & heads)


def tell(arguments: Sequence[str]):
    """Write to stderr what keys of the configuration files among a script's arguments change nothing here."""
    for word in arguments:
        path = word.partition("=")[2] or word
        if not path.endswith((".yaml", ".yml")):
            continue
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read(1 << 20)
        except (OSError, UnicodeDecodeError):
            continue  # the script tells
        found = unserved(text) if _is_configuration(text) else []
        if found:
            sys.stderr.write(f"msjax: keys of {path} that change nothing here:\n")
            sys.stderr.writelines(f"  line {line}: {section}.{key}: {why}\n" for line, section, key, why in found)
