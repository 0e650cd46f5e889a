"""`mindspore.scipy.fft`: cosine transforms."""

from .. import ops

__all__ = ["dct", "dctn", "idct", "idctn"]


def dct(x, type=2, n=None, axis=-1, norm=None):
    """The discrete cosine transform of type 2 along an axis, cut or padded to length `n`.

    Example:
        >>> from mindspore import scipy
        >>> scipy.fft.dct(Tensor([1.0, 2.0]))
    """
    return ops.DCT()(x, type, n, axis, norm)


def idct(x, type=2, n=None, axis=-1, norm=None):
    """The inverse of `dct`."""
    return ops.IDCT()(x, type, n, axis, norm)


def dctn(x, type=2, s=None, axes=None, norm=None):
    """The discrete cosine transform of type 2 along several axes (all, if none are named), cut or padded to lengths `s`.

    Example:
        >>> from mindspore import scipy
        >>> scipy.fft.dctn(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    """
    return ops.DCTN()(x, type, s, axes, norm)


def idctn(x, type=2, s=None, axes=None, norm=None):
    """The inverse of `dctn`."""
    return ops.IDCTN()(x, type, s, axes, norm)
