"""How exact float32 products and convolutions are on a GPU.

NVIDIA's chips can compute a float32 product from operands of 10 bits (TF32), and JAX lets them. MindSpore computes products in full, and
convolutions in TF32, unless `matmul_allow_tf32` and `conv_allow_tf32` say otherwise
(https://www.mindspore.cn/docs/en/master/api_python/device_context/mindspore.device_context.gpu.html). What the user tells JAX,
`set_context(matmul_precision=...)` or `jax_default_matmul_precision`, comes first. On CPU float32 is in full; on TPU JAX's default holds.
"""

import contextlib

import jax
from jax import lax

from . import context
from .execution_state import here, within

_AS_JAX_DOES = contextlib.nullcontext()


def _is_decided_here():
    return context.present_device() == "GPU" and jax.config.jax_default_matmul_precision is None


def in_full() -> contextlib.AbstractContextManager:
    """A context around the trace of an operator. Its float32 products are computed in full where MindSpore's are."""
    return _full() if _is_decided_here() and not context.allows_tf32("matmul") else _AS_JAX_DOES


@contextlib.contextmanager
def _full():
    with within(exact=True), jax.default_matmul_precision("highest"):
        yield


def of_convolutions() -> lax.Precision | None:
    """The `precision` of a convolution in an operator that is traced now; None: JAX's."""
    if here().exact:
        return lax.Precision.DEFAULT if context.allows_tf32("conv") else None
    return lax.Precision.HIGHEST if _is_decided_here() and not context.allows_tf32("conv") else None
