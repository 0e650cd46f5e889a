"""Operations on audio, for `dataset.map` and for single arrays: filters, effects, spectrograms, features, masks.

An operation takes a NumPy array whose last dimension is time (or, for spectrograms, frequency and time) and returns one
of the same kind; float64 stays float64, other numbers become float32.
"""

from . import transforms, utils  # noqa: F401
from .transforms import *  # noqa: F403
