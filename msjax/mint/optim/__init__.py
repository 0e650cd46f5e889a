"""`mindspore.mint.optim`: Adam, AdamW, FusedAdamW and SGD as PyTorch has them."""

from .optimizers import SGD, Adam, AdamW, FusedAdamW

__all__ = ["AdamW", "Adam", "SGD", "FusedAdamW"]
