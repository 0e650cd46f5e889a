"""One program for many lengths: the axes that `Cell.set_inputs(Tensor(shape=[None, 3]))` leaves open.

XLA compiles for whole shapes. Where it can be shown that a program of another length gives the same elements, inputs are padded to the
next power of two, one program serves all lengths up to it, and its results are cut. `form.py` finds what in a traced program depends on
the open lengths; `padded.py` evaluates it on longer arrays; `buckets.py` pads, calls and cuts.
"""

from .buckets import Buckets
from .form import Declined

__all__ = ["Buckets", "Declined"]
