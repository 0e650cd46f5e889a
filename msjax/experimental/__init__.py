"""`mindspore.experimental`: optimizers whose groups are dicts, the schedulers that steer them, and tables that grow."""

from . import optim
from .map_parameter import MapParameter

__all__ = ["MapParameter", "optim"]
