"""Functions of MindSpore's compiler and storage services: accepted if nothing is lost, else refused with the
alternative.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import log
from ..core.spec.checking import checked

if TYPE_CHECKING:
    from ..core.values.tensor import Tensor

__all__ = [
    "export_split_mindir",
    "flops_collection",
    "load_obf_params_into_net",
    "mindio_preload",
    "obfuscate_ckpt",
    "register_saved_tensors_hooks",
    "saved_tensors_hooks",
    "set_mindio_server_info",
]


@checked
def set_mindio_server_info(data_block_pool_capacity_in_gb: int | float = 100):
    """Size of MindIO's cache of checkpoint files: files are read directly here."""


def mindio_preload(ckpt_file_name: str):
    """Whether MindIO has read a checkpoint ahead: False; `load_checkpoint` reads it."""
    log.info("There is no MindIO here; load_checkpoint reads the file itself.")
    return False


def export_split_mindir(file_name: str, device_num: int = 8, rank_id: int = 0, dynamic: bool = True, sapp: bool = True):
    """RuntimeError: a graph is not cut for several devices."""
    raise RuntimeError(
        "'export_split_mindir' cuts a MindIR graph for several Ascend devices; one program here computes on all "
        "devices: use mindspore.export(net, *inputs, file_name=…, file_format='MINDIR')."
    )


def flops_collection(phase: str = "train"):
    """RuntimeError: graphs have no phases to count."""
    raise RuntimeError(
        "'flops_collection' counts a graph of MindSpore's compiler: use the callback "
        "train.FlopsUtilizationCollector, or jax.jit(f).lower(*args).cost_analysis()['flops']."
    )


def _no_hooks(name):
    raise RuntimeError(
        f"For '{name}': what the backward needs is kept by XLA, where hooks cannot reach it. Use "
        "cell.recompute() or mindspore.recompute(block, *args) to save memory."
    )


def register_saved_tensors_hooks(pack_hook: Callable, unpack_hook: Callable):
    """RuntimeError: hooks cannot reach the values that XLA keeps."""
    _no_hooks("register_saved_tensors_hooks")


class saved_tensors_hooks:
    """RuntimeError: hooks cannot reach the values that XLA keeps."""

    def __init__(self, pack_hook: Callable, unpack_hook: Callable):
        _no_hooks("saved_tensors_hooks")


def _no_obfuscation(name):
    raise RuntimeError(
        f"For '{name}': obfuscated weights are rewritten by random factors that MindSpore's rewritten network undoes. "
        "Encrypt the file instead: mindspore.save_checkpoint(net, path, enc_key=key), "
        "mindspore.load_checkpoint(path, dec_key=key)."
    )


def obfuscate_ckpt(
    network: Any,
    ckpt_files: str,
    target_modules: list[str] | None = None,
    obf_config: dict | None = None,
    saved_path: str = "./",
    obfuscate_scale: int = 100,
):
    """RuntimeError: encrypt the file instead."""
    _no_obfuscation("obfuscate_ckpt")


def load_obf_params_into_net(
    network: Any,
    target_modules: list[str] | None = None,
    obf_ratios: "Tensor | None" = None,
    obf_config: dict | None = None,
    data_parallel_num: int = 1,
    **kwargs,
):
    """RuntimeError: encrypt the file instead."""
    _no_obfuscation("load_obf_params_into_net")
