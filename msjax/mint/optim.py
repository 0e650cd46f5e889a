"""`mindspore.mint.optim`: optimizers with PyTorch's arguments, those of `mindspore.experimental.optim`."""
from ..experimental.optim import SGD, Adam, AdamW

__all__ = ["SGD", "Adam", "AdamW", "FusedAdamW"]


class FusedAdamW(AdamW):
    """AdamW; a jitted step updates all Parameters in one program anyhow.

    Example:
        >>> mint.optim.FusedAdamW(net.trainable_params(), lr=0.001)  # doctest: +SKIP
    """
