"""`mindspore.device_context.gpu`: NVIDIA and AMD chips, as JAX sees them; how cuDNN computes is recorded, XLA chooses."""

from typing import Literal

from ...core.settings import context, device
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue
from .recorded import recorded

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


@checked
def matmul_allow_tf32(value: bool):
    """Set whether float32 products may be computed in TF32, 10 bits of each factor; by default they are not."""
    context.set_context(matmul_allow_tf32=value)


@checked
def conv_allow_tf32(value: bool):
    """Set whether float32 convolutions may be computed in TF32, 10 bits of each factor; by default they are."""
    context.set_context(conv_allow_tf32=value)


@recorded
def conv_fprop_algo(
    mode: AsValue[
        Literal[
            "normal",
            "performance",
            "implicit_gemm",
            "precomp_gemm",
            "gemm",
            "direct",
            "fft",
            "fft_tiling",
            "winograd",
            "winograd_nonfused",
        ]
    ],
):
    """Record cuDNN's algorithm for convolutions. XLA chooses its own."""


@recorded
def conv_wgrad_algo(
    mode: AsValue[
        Literal["normal", "performance", "algo_0", "algo_1", "fft", "algo_3", "fft_tiling", "winograd_nonfused"]
    ],
):
    """Record cuDNN's algorithm for the gradients of a convolution's weights. XLA chooses its own."""


@recorded
def conv_dgrad_algo(
    mode: AsValue[
        Literal["normal", "performance", "algo_0", "algo_1", "fft", "fft_tiling", "winograd", "winograd_nonfused"]
    ],
):
    """Record cuDNN's algorithm for the gradients of a convolution's input. XLA chooses its own."""
