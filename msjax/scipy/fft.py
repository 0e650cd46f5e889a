"""`mindspore.scipy.fft`: cosine transforms."""

from .. import ops

__all__ = ["dct", "idct"]


def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    """The discrete cosine transform of type 2 along an axis.

    Example:
        >>> scipy.fft.dct(Tensor([1.0, 2.0]))
    """
    return ops.dct(x, type, n, axis, norm)


def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    """The inverse of `dct`."""
    return ops.idct(x, type, n, axis, norm)
