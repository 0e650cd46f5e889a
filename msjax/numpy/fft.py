"""`mindspore.numpy.fft`: discrete Fourier transforms with NumPy's argument names."""

import inspect as _inspect

from .. import ops as _ops

__all__ = """
fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2 irfftn rfft
rfft2 rfftfreq rfftn
""".split()


def _one(name, function):
    def transform(a, n=None, axis=-1, norm=None):
        return function(a, n, axis, norm)

    return transform


def _several(name, function):
    last = (-2, -1) if name.endswith("2") else None

    def transform(a, s=None, axes=last, norm=None):
        return function(a, s, axes, norm)

    return transform


def _shift(name, function):
    def shift(x, axes=None):
        return function(x, axes)

    return shift


def _frequencies(name, function):
    def frequencies(n, d=1.0, dtype=None):
        return function(n, d, dtype=dtype)

    return frequencies


for _name in __all__:
    _make = _shift if "shift" in _name else _frequencies if "freq" in _name else _several if _name[-1] in "2n" else _one
    _made = _make(_name, getattr(_ops, _name))
    _made.__name__ = _made.__qualname__ = _name
    _made.__doc__ = _inspect.getdoc(getattr(_ops, _name))
    globals()[_name] = _made
