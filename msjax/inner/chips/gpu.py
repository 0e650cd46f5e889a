"""`mindspore.device_context.gpu`: NVIDIA and AMD chips, as JAX sees them; how cuDNN computes is recorded, XLA chooses."""

from typing import Any

from ...core.settings import context, device
from .recorded import choice, typed

__all__ = ["device_count", "is_available"]


def is_available():
    """Whether JAX has a GPU."""
    return device.is_available("GPU")


def device_count():
    """Number of GPUs.

    Raises:
        RuntimeError: there is none.
    """
    if not is_available():
        raise RuntimeError("Device_target GPU not exist.")
    return device.device_count("GPU")


@typed("matmul_allow_tf32", "value", bool)
def matmul_allow_tf32(value: Any):
    """Set whether float32 products may be computed in TF32, 10 bits of each factor; by default they are not."""
    context.set_context(matmul_allow_tf32=value)


@typed("conv_allow_tf32", "value", bool)
def conv_allow_tf32(value: Any):
    """Set whether float32 convolutions may be computed in TF32, 10 bits of each factor; by default they are."""
    context.set_context(conv_allow_tf32=value)


_COMMON = ("normal", "performance")
conv_fprop_algo = choice(
    "conv_fprop_algo",
    "mode",
    (*_COMMON, "implicit_gemm", "precomp_gemm", "gemm", "direct", "fft", "fft_tiling", "winograd", "winograd_nonfused"),
)
conv_wgrad_algo = choice(
    "conv_wgrad_algo", "mode", (*_COMMON, "algo_0", "algo_1", "fft", "algo_3", "fft_tiling", "winograd_nonfused")
)
conv_dgrad_algo = choice(
    "conv_dgrad_algo", "mode", (*_COMMON, "algo_0", "algo_1", "fft", "fft_tiling", "winograd", "winograd_nonfused")
)
