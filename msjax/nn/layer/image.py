"""Image layers: gradients, similarity measures, cropping, pixel shuffling."""

from typing import Annotated

import numpy as np

from ... import ops
from ...core.spec.checking import checked
from ...core.spec.rules import Holding, Like, PositiveFloat, PositiveInt, PositiveReal, Rank, Within
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from ..container import CellList
from .conv import Conv2d


def _check_images(cell, **images):
    """Tensors of four axes each, and of one shape and dtype."""
    for what, image in images.items():
        if not isinstance(image, Tensor):
            raise TypeError(
                f"For '{cell.cls_name}', the '{what}' must be a Tensor, but got type '{type(image).__name__}'."
            )
        if image.ndim != 4:
            raise ValueError(f"For '{cell.cls_name}', the dimension of '{what}' must be 4d, but got {image.ndim}.")
    first, *others = images.values()
    for other in others:
        if other.dtype != first.dtype:
            raise TypeError(
                f"For '{cell.cls_name}', the dtypes of {' and '.join(images)} must be the same, but got "
                f"{first.dtype} and {other.dtype}."
            )
        if other.shape != first.shape:
            raise ValueError(
                f"For '{cell.cls_name}', the shapes of {' and '.join(images)} must be the same, but got "
                f"{first.shape} and {other.shape}."
            )


class ImageGradients(Cell):
    """Differences (dy, dx) of neighbouring pixels of (N, C, H, W); the last row and column are 0.

    Raises:
        ValueError: the input does not have 4 axes.

    Example:
        >>> nn.ImageGradients()(Tensor([[[[1.0, 2.0], [4.0, 8.0]]]]))
        (Tensor(shape=[1, 1, 2, 2], dtype=Float32, value=
        [[[[ 3.00000000e+00,  6.00000000e+00],
           [ 0.00000000e+00,  0.00000000e+00]]]]), Tensor(shape=[1, 1, 2, 2], dtype=Float32, value=
        [[[[ 1.00000000e+00,  0.00000000e+00],
           [ 4.00000000e+00,  0.00000000e+00]]]]))
    """

    def __init__(self):
        super().__init__()

    @checked
    def construct(self, images: Annotated[Tensor, Rank(4)]):
        dy = ops.cat((images[:, :, 1:] - images[:, :, :-1], ops.zeros_like(images[:, :, :1])), 2)
        dx = ops.cat((images[:, :, :, 1:] - images[:, :, :, :-1], ops.zeros_like(images[:, :, :, :1])), 3)
        return dy, dx


def _gaussian_window(size, sigma):
    """(1, 1, size, size), with sum 1."""
    x = np.arange(-(size // 2) + (1 - size % 2), size // 2 + 1, dtype=np.float32) ** 2
    window = np.exp(-(x[:, None] + x[None, :]) / (2 * sigma**2)).astype(np.float32)
    return Tensor((window / window.sum())[None, None])


class _Similarity(Cell):
    """Arguments and measures of SSIM and MSSSIM."""

    def _set(self, max_val, filter_size, filter_sigma, k1, k2):
        self.max_val, self.k1, self.k2 = max_val, k1, k2
        self.filter_size, self.filter_sigma = filter_size, filter_sigma

    def _window(self):
        conv = Conv2d(
            1, 1, self.filter_size, pad_mode="valid", weight_init=_gaussian_window(self.filter_size, self.filter_sigma)
        )
        conv.weight.requires_grad = False
        return conv

    def _prepared(self, img1, img2):
        """The images as float32 in [0, 1] for integer dtypes, and the constants of the formula."""
        top = _top(img1.dtype)
        c1, c2 = (self.k1 * self.max_val / top) ** 2, (self.k2 * self.max_val / top) ** 2
        return _scaled(img1, top), _scaled(img2, top), c1, c2

    @staticmethod
    def _measures(x, y, c1, c2, conv):
        """(similarity, contrast) of (N, C, H, W), means over the image: (N, C)."""
        n, channels, *size = x.shape

        def smooth(image):
            return conv(image.reshape(n * channels, 1, *size))

        mean_x, mean_y = smooth(x), smooth(y)
        product, squares = mean_x * mean_y, mean_x * mean_x + mean_y * mean_y
        covariance = 2 * (smooth(x * y) - product) + c2
        variances = smooth(x * x) + smooth(y * y) - squares + c2
        contrast = covariance / variances
        similarity = (2 * product + c1) * contrast / (squares + c1)
        return tuple(m.mean((1, 2, 3)).reshape(n, channels) for m in (similarity, contrast))


def _top(dtype):
    """The largest value of an image's dtype; 1 for floats."""
    return float(np.iinfo(mstype.to_numpy(dtype)).max) if dtype in mstype.int_type or dtype in mstype.uint_type else 1.0


def _scaled(image, top):
    image = image.astype(mstype.float32)
    return image * (1.0 / top) if top > 1 else image


class SSIM(_Similarity):
    """Structural similarity of two images (N, C, H, W), a number for each (Wang et al., 2004).

    Args:
        max_val: largest possible pixel value.
        filter_size, filter_sigma: size and standard deviation of the Gaussian window.
        k1, k2: constants of the formula.

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind, or images smaller than the window.

    Example:
        >>> image = Tensor(np.ones((1, 3, 16, 16), np.float32))
        >>> print(nn.SSIM()(image, image))
        [1.]
    """

    @checked
    def __init__(
        self,
        max_val: PositiveReal = 1.0,
        filter_size: PositiveInt = 11,
        filter_sigma: PositiveFloat = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ):
        super().__init__()
        self._set(max_val, filter_size, filter_sigma, k1, k2)
        self.conv = self._window()

    @checked
    def construct(self, img1: Annotated[Tensor, Holding("float16", "float32")], img2: Tensor):
        _check_images(self, img1=img1, img2=img2)
        if min(img1.shape[2:]) < self.filter_size:
            raise ValueError(
                f"For '{self.cls_name}', the height and width of the images must be at least 'filter_size' "
                f"{self.filter_size}, but got shape {img1.shape}."
            )
        x, y, c1, c2 = self._prepared(img1, img2)
        return self._measures(x, y, c1, c2, self.conv)[0].mean(-1)


class MSSSIM(_Similarity):
    """Structural similarity over several scales (Wang et al., 2003), one for each of `power_factors`; other arguments
    as for SSIM.

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind.

    Example:
        >>> image = Tensor(np.ones((1, 3, 128, 128), np.float32))
        >>> print(nn.MSSSIM(filter_size=3)(image, image))
        [1.]
    """

    @checked
    def __init__(
        self,
        max_val: PositiveReal = 1.0,
        power_factors: tuple | list = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: PositiveInt = 11,
        filter_sigma: PositiveFloat = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ):
        super().__init__()
        self._set(max_val, filter_size, filter_sigma, k1, k2)
        self.level = len(power_factors)
        self.multi_convs_list = CellList([self._window() for _ in range(self.level)])
        self.weight_tensor = Tensor(list(power_factors), mstype.float32)

    @checked
    def construct(self, img1: Annotated[Tensor, Holding("float16", "float32", "float64", "uint8")], img2: Tensor):
        _check_images(self, img1=img1, img2=img2)
        x, y, c1, c2 = self._prepared(img1, img2)
        factors = []
        for level, conv in enumerate(self.multi_convs_list):
            if level:
                x, y = ops.AvgPool(2, 2)(x), ops.AvgPool(2, 2)(y)
            similarity, contrast = self._measures(x, y, c1, c2, conv)
            factors.append(ops.relu(contrast if level < self.level - 1 else similarity))
        return ops.pow(ops.stack(factors, -1), self.weight_tensor).prod(-1).mean(-1)


class PSNR(Cell):
    """Peak signal-to-noise ratio of two images (N, C, H, W) in decibels, a number for each.

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind.

    Example:
        >>> print(nn.PSNR()(Tensor(np.zeros((1, 1, 2, 2), np.float32)), Tensor(np.ones((1, 1, 2, 2), np.float32))))
        [0.]
    """

    @checked
    def __init__(self, max_val: PositiveReal = 1.0):
        super().__init__()
        self.max_val = max_val

    def construct(self, img1: Tensor, img2: Tensor):
        _check_images(self, img1=img1, img2=img2)
        top = _top(img1.dtype)
        error = ops.square(_scaled(img1, top) - _scaled(img2, top)).mean((1, 2, 3))
        return ops.log((self.max_val / top) ** 2 / error) * (10.0 / float(np.log(10.0)))


class CentralCrop(Cell):
    """The middle of (C, H, W) or (N, C, H, W): `central_fraction` of height and width.

    Raises:
        TypeError: `central_fraction` is not a float. ValueError: it is not in (0, 1], or the input has neither 3 nor 4
        axes.

    Example:
        >>> nn.CentralCrop(0.5)(Tensor(np.ones((3, 4, 4), np.float32))).shape
        (3, 2, 2)
    """

    @checked
    def __init__(self, central_fraction: Annotated[float, Within("(0, 1]")]):
        super().__init__()
        self.central_fraction = central_fraction

    @checked
    def construct(self, image: Annotated[Tensor, Rank(3, 4)]):
        top, left = (int((length - length * self.central_fraction) / 2) for length in image.shape[-2:])
        return image[..., top : image.shape[-2] - top, left : image.shape[-1] - left]


class PixelShuffle(Cell):
    """Channels made into pixels: (..., C * r * r, H, W) to (..., C, H * r, W * r) (Shi et al., 2016).

    Example:
        >>> nn.PixelShuffle(2)(Tensor(np.ones((1, 4, 2, 2), np.float32))).shape
        (1, 1, 4, 4)
    """

    @checked
    def __init__(self, upscale_factor: Like[int]):
        super().__init__()
        self.upscale_factor = upscale_factor

    def construct(self, input: Tensor) -> Tensor:
        return ops.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """Pixels made into channels: (..., C, H * r, W * r) to (..., C * r * r, H, W).

    Example:
        >>> nn.PixelUnshuffle(2)(Tensor(np.ones((1, 1, 4, 4), np.float32))).shape
        (1, 4, 2, 2)
    """

    @checked
    def __init__(self, downscale_factor: Like[int]):
        super().__init__()
        self.downscale_factor = downscale_factor

    def construct(self, input: Tensor) -> Tensor:
        return ops.pixel_unshuffle(input, self.downscale_factor)


__all__ = ["CentralCrop", "ImageGradients", "MSSSIM", "PSNR", "PixelShuffle", "PixelUnshuffle", "SSIM"]
