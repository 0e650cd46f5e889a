"""`mindspore.scipy.fft`: cosine transforms."""

from typing import TYPE_CHECKING, Any

from .. import ops

if TYPE_CHECKING:
    from ..core.values.tensor import Tensor

__all__ = ["dct", "dctn", "idct", "idctn"]


def dct(x: "Tensor", type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None):
    """The discrete cosine transform of type 2 along an axis, cut or padded to length `n`.

    Example:
        >>> from mindspore import scipy
        >>> print(scipy.fft.dct(Tensor([1.0, 2.0])))
        [ 2.1213202  -0.70710677]
    """
    return ops.DCT()(x, type, n, axis, norm)


def idct(x: "Tensor", type: int = 2, n: int | None = None, axis: int = -1, norm: str | None = None):
    """The inverse of `dct`."""
    return ops.IDCT()(x, type, n, axis, norm)


def dctn(x: "Tensor", type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None):
    """The discrete cosine transform of type 2 along several axes (all, if none are named), cut or padded to lengths `s`.

    Example:
        >>> from mindspore import scipy
        >>> print(scipy.fft.dctn(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[ 5.        -0.9999999]
         [-1.9999999  0.       ]]
    """
    return ops.DCTN()(x, type, s, axes, norm)


def idctn(x: "Tensor", type: int = 2, s: Any = None, axes: Any = None, norm: str | None = None):
    """The inverse of `dctn`."""
    return ops.IDCTN()(x, type, s, axes, norm)
