"""Pooling to a given size, over windows of random sizes, and back."""

import numpy as np

from ... import ops
from ...core.spec.checking import checked
from ...core.spec.rules import Like, NonNegativeInt, PositiveInt
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..cell.cell import Cell


# --- adaptive
class _AdaptivePool1d(Cell):
    """Pooling of (N, C, L) to a length that divides L.

    Raises:
        TypeError: `output_size` is not an int, or x neither float16 nor float32. ValueError: x does not have 3 axes, or L is no
        multiple of `output_size`.
    """

    @checked
    def __init__(self, output_size: PositiveInt):
        super().__init__()
        self.output_size = output_size

    def _windows(self, x):
        """(x with an axis of height 1, kernel and stride)."""
        if x.ndim != 3:
            raise ValueError(f"For '{self.cls_name}', the input must has 3 dim, but got {x.ndim}.")
        if x.shape[2] < self.output_size or x.shape[2] % self.output_size:
            raise ValueError(
                f"For '{self.cls_name}', the input's last dimension must be divisible by output size "
                f"{self.output_size}, but got {x.shape[2]}."
            )
        if x.dtype not in (mstype.float16, mstype.float32):
            raise TypeError(
                f"For '{self.cls_name}', the dtype of the input must be float16 or float32, but got {x.dtype}."
            )
        size = x.shape[2] // self.output_size
        return x.expand_dims(2), (1, size)


class AdaptiveAvgPool1d(_AdaptivePool1d):
    __doc__ = (
        _AdaptivePool1d.__doc__.replace("Pooling", "Mean pooling")
        + """
    Example:
        >>> nn.AdaptiveAvgPool1d(2)(Tensor(np.ones((1, 3, 6), np.float32))).shape
        (1, 3, 2)
    """
    )

    def construct(self, input: Tensor):
        x, size = self._windows(input)
        return ops.AvgPool(size, size)(x).squeeze(2)


class AdaptiveMaxPool1d(_AdaptivePool1d):
    __doc__ = (
        _AdaptivePool1d.__doc__.replace("Pooling", "Maximum pooling")
        + """
    Example:
        >>> nn.AdaptiveMaxPool1d(2)(Tensor(np.ones((1, 3, 6), np.float32))).shape
        (1, 3, 2)
    """
    )

    def construct(self, x: Tensor):
        x, size = self._windows(x)
        return ops.MaxPool(size, size)(x).squeeze(2)


class AdaptiveAvgPool2d(Cell):
    """Mean pooling of (..., H, W) to the sizes `output_size`: an int, or two ints of which None keeps the input's.

    Example:
        >>> nn.AdaptiveAvgPool2d((2, None))(Tensor(np.ones((1, 3, 5, 7), np.float32))).shape
        (1, 3, 2, 7)
    """

    @checked
    def __init__(self, output_size: NonNegativeInt | tuple[int | None, int | None]):
        super().__init__()
        self.output_size = output_size

    def construct(self, input: Tensor):
        return ops.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(Cell):
    """Mean pooling of (..., D, H, W) to the sizes `output_size`: an int, or three ints of which None keeps the input's.

    Example:
        >>> nn.AdaptiveAvgPool3d(2)(Tensor(np.ones((1, 3, 4, 5, 7), np.float32))).shape
        (1, 3, 2, 2, 2)
    """

    @checked
    def __init__(self, output_size: NonNegativeInt | tuple[int | None, ...]):
        super().__init__()
        self.output_size = output_size

    def construct(self, input: Tensor):
        return ops.adaptive_avg_pool3d(input, self.output_size)


class AdaptiveMaxPool2d(Cell):
    """Maximum pooling of (..., H, W) to the sizes `output_size`; with `return_indices` also where the maxima are.

    Example:
        >>> nn.AdaptiveMaxPool2d((2, 3))(Tensor(np.ones((1, 3, 5, 7), np.float32))).shape
        (1, 3, 2, 3)
    """

    @checked
    def __init__(self, output_size: Like[int | tuple], return_indices: Like[bool] = False):
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def construct(self, input: Tensor):
        return ops.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(Cell):
    """Maximum pooling of (..., D, H, W) to the sizes `output_size`; with `return_indices` also where the maxima are.

    Example:
        >>> nn.AdaptiveMaxPool3d(2)(Tensor(np.ones((1, 3, 4, 5, 7), np.float32))).shape
        (1, 3, 2, 2, 2)
    """

    @checked
    def __init__(
        self,
        output_size: bool | int | float | tuple | list | np.generic | Tensor | None,
        return_indices: Like[bool] = False,
    ):
        super().__init__()
        self.output_size = (output_size,) * 3 if isinstance(output_size, int) else output_size
        self.return_indices = return_indices

    def construct(self, input: Tensor):
        return ops.adaptive_max_pool3d(input, self.output_size, self.return_indices)


# --- fractional
class FractionalMaxPool2d(Cell):
    """Maximum pooling with windows at random places (Graham, 2014), to `output_size` or `output_ratio` times the
    input's sizes.

    `_random_samples` (N, C, 2) in [0, 1) fixes the places.

    Example:
        >>> nn.FractionalMaxPool2d(2, output_size=2)(Tensor(np.ones((1, 1, 4, 4), np.float32))).shape
        (1, 1, 2, 2)
    """

    @checked
    def __init__(
        self,
        kernel_size: Like[int | tuple],
        output_size: Like[int | tuple | None] = None,
        output_ratio: Like[float | tuple | None] = None,
        return_indices: Like[bool] = False,
        _random_samples: Like[Tensor | None] = None,
    ):
        super().__init__()
        self.kernel_size, self.output_size, self.output_ratio = kernel_size, output_size, output_ratio
        self.return_indices, self._random_samples = return_indices, _random_samples

    def construct(self, input: Tensor):
        return ops.fractional_max_pool2d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


class FractionalMaxPool3d(FractionalMaxPool2d):
    """Maximum pooling of (N, C, D, H, W) with windows at random places; arguments as for FractionalMaxPool2d, three
    sizes each.

    Example:
        >>> nn.FractionalMaxPool3d(2, output_size=2)(Tensor(np.ones((1, 1, 4, 4, 4), np.float32))).shape
        (1, 1, 2, 2, 2)
    """

    def construct(self, input: Tensor):
        return ops.fractional_max_pool3d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


# --- inverse of maximum
class _MaxUnpool(Cell):
    """Puts values back to where maximum pooling took them from; zeros elsewhere. `stride` is the kernel's size by
    default.

    Raises:
        ValueError: `output_size` is not a tuple, or an empty one.
    """

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, kernel_size if stride is None else stride, padding

    def construct(self, x, indices, output_size=None) -> Tensor:
        if output_size is not None and (not isinstance(output_size, tuple) or not output_size):
            raise ValueError(
                f"For '{self.cls_name}', the 'output_size' must be a tuple with at least one element, "
                f"but got {output_size!r}."
            )
        unpool = getattr(ops, self._operator)
        return unpool(
            x, indices, self.kernel_size, stride=self.stride, padding=self.padding, output_size=output_size or ()
        )


class MaxUnpool1d(_MaxUnpool):
    __doc__ = (
        _MaxUnpool.__doc__
        + """
    Example:
        >>> nn.MaxUnpool1d(2)(Tensor([[[2.0, 4.0]]]), Tensor([[[1, 3]]]))
    """
    )
    _operator = "max_unpool1d"


class MaxUnpool2d(_MaxUnpool):
    __doc__ = (
        _MaxUnpool.__doc__
        + """
    Example:
        >>> nn.MaxUnpool2d(2)(Tensor([[[[4.0]]]]), Tensor([[[[3]]]]))
    """
    )
    _operator = "max_unpool2d"


class MaxUnpool3d(_MaxUnpool):
    __doc__ = (
        _MaxUnpool.__doc__
        + """
    Example:
        >>> nn.MaxUnpool3d(2)(Tensor([[[[[8.0]]]]]), Tensor([[[[[7]]]]]))
    """
    )
    _operator = "max_unpool3d"


__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d",
    "AdaptiveMaxPool1d",
    "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d",
    "FractionalMaxPool2d",
    "FractionalMaxPool3d",
    "MaxUnpool1d",
    "MaxUnpool2d",
    "MaxUnpool3d",
]
