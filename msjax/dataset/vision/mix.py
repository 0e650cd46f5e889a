"""Mixing the images of a batch, and their labels."""

from typing import Annotated, Any

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Within
from ..check import check
from ..operation import draws, numpy_draws
from ..rules import PositiveReal32, Probability
from ..twister import Gamma, MersenneTwister
from .modes import ImageBatchFormat, Implementation
from .operation import ImageOperation
from .rules import PositiveSize
from .tone import saturate


class _BatchOperation(ImageOperation):
    """Base of the operations on a batch of images and their one-hot labels of <N, C> or <N, L, C>."""

    deterministic = False
    implementation = Implementation.C

    def apply(self, *columns):
        name = type(self).__name__
        check(len(columns) == 2, f"{name}: needs two columns, images and labels, but got {len(columns)}.", RuntimeError)
        images, labels = (np.asarray(column) for column in columns)
        check(
            images.ndim == 4,
            f"{name}: the images should be a batch of <H,W,C> or <C,H,W>, but got shape {images.shape}. "
            "You may need to batch them first.",
            RuntimeError,
        )
        check(
            labels.ndim in (2, 3),
            f"{name}: the labels should be of shape <Batch,Class> or <Batch,Row,Class>, but got "
            f"shape {labels.shape}. You may need to perform OneHot and Batch first.",
            RuntimeError,
        )
        check(
            len(images) == len(labels),
            f"{name}: batch sizes of image and label must be the same, but got image size: "
            f"{len(images)} and label size: {len(labels)}.",
            RuntimeError,
        )
        check(
            labels.dtype.kind in "iuf", f"{name}: the labels should be numbers, but got {labels.dtype}.", RuntimeError
        )
        return self._mixed(images, labels.astype(np.float32), draws())


def _beta(first: Gamma, second: Gamma, draw: MersenneTwister):
    """A float32 of a beta distribution, from two of gamma distributions."""
    x, y = first(draw), second(draw)
    return x / (x + y)


class CutMixBatch(_BatchOperation):
    """Replace a window of each image of a batch by that of another, and mix the labels by the areas.

    Args:
        image_batch_format (ImageBatchFormat): order of the axes of the batch.
        alpha (float, optional): both parameters of the beta distribution of the kept area. Default: ``1.0``.
        prob (float, optional): the probability for each image. Default: ``1.0``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `alpha` is not positive or `prob` not between 0 and 1.
        RuntimeError: the columns are not a batch of images and one of one-hot labels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> images, labels = np.zeros((4, 8, 9, 3), np.uint8), np.eye(4)
        >>> [out.shape for out in vision.CutMixBatch(vision.ImageBatchFormat.NHWC)(images, labels)]
        [(4, 8, 9, 3), (4, 4)]
    """

    @checked
    def __init__(self, image_batch_format: ImageBatchFormat, alpha: PositiveReal32 = 1.0, prob: Probability = 1.0):
        self.image_batch_format = image_batch_format
        self.alpha = alpha
        self.prob = prob

    def _mixed(self, images, labels, draw):
        out = images.copy()
        nchw = self.image_batch_format == ImageBatchFormat.NCHW
        source, target = (a.transpose(0, 2, 3, 1) if nchw else a for a in (images, out))
        count, height, width, channels = source.shape
        check(
            channels in (1, 3),
            f"CutMixBatch: input image is not in channel of 1 or 3, but got channel: {channels}.",
            RuntimeError,
        )
        mixed, partners = labels.copy(), list(range(count))
        draw.shuffle(partners)
        first, second = Gamma(self.alpha), Gamma(self.alpha)
        for i, partner in enumerate(partners):
            share = _beta(first, second, draw)
            if draw.uniform() >= np.float32(self.prob):
                continue
            cut = np.sqrt(np.float32(1) - share)
            rows, columns = int(np.float32(height) * cut), int(np.float32(width) * cut)
            x, y = draw.between(0, width), draw.between(0, height)
            left, right = (min(max(v, 0), width - 1) for v in (x - columns // 2, x + columns // 2))
            top, bottom = (min(max(v, 0), height - 1) for v in (y - rows // 2, y + rows // 2))
            columns = min(max(right - left, 1), max(width - 1, 1))
            rows = min(max(bottom - top, 1), max(height - 1, 1))
            target[i, top : top + rows, left : left + columns] = source[
                partner, top : top + rows, left : left + columns
            ]
            share = np.float32(1) - np.float32(rows * columns) / np.float32(height * width)
            mixed[i] = share * labels[i] + (1 - share) * labels[partner]
        return out, mixed


class MixUpBatch(_BatchOperation):
    """Mix each image of a batch, and its label, with another one.

    Args:
        alpha (float, optional): both parameters of the beta distribution of the share. Default: ``1.0``.

    Raises:
        TypeError: `alpha` is not a number.
        ValueError: `alpha` is not positive.
        RuntimeError: the columns are not a batch of images and one of one-hot labels.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> images, labels = np.zeros((4, 8, 9, 3), np.uint8), np.eye(4)
        >>> [out.shape for out in vision.MixUpBatch()(images, labels)]
        [(4, 8, 9, 3), (4, 4)]
    """

    @checked
    def __init__(self, alpha: PositiveReal32 = 1.0):
        self.alpha = alpha

    def _mixed(self, images, labels, draw):
        share, partners = _beta(Gamma(self.alpha), Gamma(self.alpha), draw), list(range(len(images)))
        draw.shuffle(partners)
        wide = np.float64 if images.dtype == np.float64 else np.float32
        mixed = share * images.astype(wide) + (1 - share) * images[partners].astype(wide)
        return saturate(mixed, images.dtype), share * labels + (1 - share) * labels[partners]


class MixUp(ImageOperation):
    """Mix each image of a batch, and its label, with the next one or with that of the batch before.

    Args:
        batch_size (int): images in a batch.
        alpha (float): both parameters of the beta distribution of the share of each image.
        is_single (bool, optional): mix within the batch, else with the batch before. Default: ``True``.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: `batch_size` or `alpha` is not positive.

    Examples:
        >>> import numpy as np
        >>> from msjax.dataset import vision
        >>> images, labels = np.zeros((4, 8, 9, 3)), np.eye(4)
        >>> [out.shape for out in vision.MixUp(4, 0.2)(images, labels)]
        [(4, 8, 9, 3), (4, 4)]
    """

    deterministic = False
    implementation = Implementation.PY

    @checked
    def __init__(
        self, batch_size: PositiveSize, alpha: Annotated[int | float, Within("(0, inf]")], is_single: bool = True
    ):
        self.batch_size = batch_size
        self.alpha = alpha
        self.is_single = is_single
        self.before = None  # the mixed batch before

    def __call__(self, image: Any, label: Any):
        return self._apply_anew(image, label)

    def apply(self, image: np.ndarray, label: Any):
        share = numpy_draws().beta(self.alpha, self.alpha, self.batch_size)
        if self.is_single:
            others = np.roll(image, -1, 0), np.roll(label, -1, 0)
        elif self.before is None:
            others, share = (image, label), np.ones(self.batch_size)
        else:
            others = self.before
        mixed = tuple(
            part * own + (1 - part) * other
            for own, other, part in (
                (image, others[0], share.reshape(-1, 1, 1, 1)),
                (label, others[1], share.reshape(-1, 1)),
            )
        )
        if not self.is_single:
            self.before = mixed
        return mixed
