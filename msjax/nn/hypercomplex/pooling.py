"""Pooling of numbers of two parts: each part is pooled as the layer of `nn` with the same name pools."""

from .. import layer
from .parts import get_x_and_y, to_2channel


class _BothParts:
    """(2, ...), or complex64."""

    def construct(self, u):
        x, y = get_x_and_y(u)
        return to_2channel(super().construct(x), super().construct(y), u.dtype)


class MaxPool1d(_BothParts, layer.MaxPool1d):
    __doc__ = layer.MaxPool1d.__doc__


class MaxPool2d(_BothParts, layer.MaxPool2d):
    __doc__ = layer.MaxPool2d.__doc__


class AvgPool1d(_BothParts, layer.AvgPool1d):
    __doc__ = layer.AvgPool1d.__doc__


class AvgPool2d(_BothParts, layer.AvgPool2d):
    __doc__ = layer.AvgPool2d.__doc__


class AdaptiveAvgPool1d(_BothParts, layer.AdaptiveAvgPool1d):
    __doc__ = layer.AdaptiveAvgPool1d.__doc__


class AdaptiveAvgPool2d(_BothParts, layer.AdaptiveAvgPool2d):
    __doc__ = layer.AdaptiveAvgPool2d.__doc__


class AdaptiveAvgPool3d(_BothParts, layer.AdaptiveAvgPool3d):
    __doc__ = layer.AdaptiveAvgPool3d.__doc__


class AdaptiveMaxPool1d(_BothParts, layer.AdaptiveMaxPool1d):
    __doc__ = layer.AdaptiveMaxPool1d.__doc__


class AdaptiveMaxPool2d(_BothParts, layer.AdaptiveMaxPool2d):
    __doc__ = layer.AdaptiveMaxPool2d.__doc__


__all__ = [
    "MaxPool1d",
    "MaxPool2d",
    "AvgPool1d",
    "AvgPool2d",
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
]
