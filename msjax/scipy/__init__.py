"""`mindspore.scipy`: linear algebra, Fourier transforms and optimization under SciPy's names."""

from . import fft, linalg, optimize

__all__ = ["fft", "linalg", "optimize"]
