"""`mindspore.scipy.fft`: cosine transforms."""

from .. import ops

__all__ = ["dct", "dctn", "idct", "idctn"]


def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    """The discrete cosine transform of type 2 along an axis.

    Example:
        >>> scipy.fft.dct(Tensor([1.0, 2.0]))
    """
    return ops.dct(x, type, n, axis, norm)


def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    """The inverse of `dct`."""
    return ops.idct(x, type, n, axis, norm)


def _along_axes(transform, x, s, axes, norm):
    axes = tuple(range(x.ndim))[-len(s) if s is not None else 0 :] if axes is None else axes
    for i, axis in enumerate(axes):
        x = transform(x, 2, None if s is None else s[i], axis, norm)
    return x


def dctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    """The discrete cosine transform of type 2 along several axes (all, if none are named), cut or padded to lengths `s`.

    Example:
        >>> scipy.fft.dctn(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    """
    return _along_axes(ops.dct, x, s, axes, norm)


def idctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    """The inverse of `dctn`."""
    return _along_axes(ops.idct, x, s, axes, norm)
