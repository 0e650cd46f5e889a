"""`mindspore.experimental`: optimizers whose groups are dicts, and the schedulers that steer them."""
from . import optim

__all__ = ["optim"]
