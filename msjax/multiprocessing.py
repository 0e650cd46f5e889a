"""`mindspore.multiprocessing`: Python's `multiprocessing`. Tensors are pickled between processes, as NumPy arrays.

A process in which JAX has computed must not be forked: call `set_start_method("spawn")` first.
"""

import multiprocessing as _python
from multiprocessing import *  # noqa: F403

__all__ = list(_python.__all__)
