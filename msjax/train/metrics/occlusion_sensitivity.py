"""Which parts of an image a classifier looks at."""

import numpy as np

from ...core.operators.check import check_value_type
from ...core.spec.checking import checked
from ...core.values.tensor import Tensor
from ...nn.cell.cell import Cell
from .metric import Metric, rearrange_inputs


class OcclusionSensitivity(Metric):
    """How much the chance of the label falls when a patch of the image is covered, for each place of the patch.

    Args:
        pad_val: what covers the patch. margin: half the size of the patch, an int or one for each axis. n_batch: images
            at once.
        b_box: [min, max] of each axis but the batch in one list: only these places; None: all.

    Raises:
        TypeError: arguments of the wrong kind.

    Example:
        >>> from mindspore.train import OcclusionSensitivity
        >>> net = nn.Dense(4, 2)
        >>> metric = OcclusionSensitivity()
        >>> metric.update(net, Tensor(np.ones((1, 4), np.float32)), Tensor([1], mindspore.int32))
        >>> metric.eval().dtype.name
        'float32'
    """

    @checked
    def __init__(self, pad_val: float = 0.0, margin: int | list = 2, n_batch: int = 128, b_box: list | None = None):
        super().__init__()
        self.pad_val, self.margin, self.n_batch, self.b_box = pad_val, margin, n_batch, b_box
        self.clear()

    def clear(self):
        """Forget the image."""
        self._baseline = self._sensitivity_im = 0
        self._is_update = False

    @rearrange_inputs
    def update(self, *inputs):
        """Take in a network that gives (N, classes), an image (1, …) and its label."""
        self._check_inputs(3, inputs)
        model = check_value_type("model", inputs[0], [Cell])
        image, label = (self._convert_data(v) for v in inputs[1:])
        if image.shape[0] > 1:
            raise RuntimeError(
                "For 'OcclusionSensitivity.update', the shape at index 0 of the predicted value (input[1]) must be 1, "
                f"but got {image.shape[0]}."
            )
        if label.size != image.shape[0]:
            raise RuntimeError(
                "For 'OcclusionSensitivity.update', the number of the label (input[2]) must be same as the batches, "
                f"but got the label number {label.size}, and batches {image.shape[0]}."
            )
        label, shape = int(label.reshape(-1)[0]), np.array(image.shape[1:])
        low, high = self._box(shape)
        margin = np.broadcast_to(self.margin, shape.shape)
        self._baseline = self._chances(model, image, label)[0]
        places = np.array(list(np.ndindex(*(high - low + 1)))) + low
        chances = []
        for start in range(0, len(places), self.n_batch):
            batch = places[start : start + self.n_batch]
            images = np.repeat(image, len(batch), axis=0)
            for covered, place in zip(images, batch, strict=True):
                patch = zip(np.maximum(place - margin, 0), np.minimum(place + margin, shape), strict=True)
                covered[tuple(slice(a, b) for a, b in patch)] = self.pad_val
            chances.append(self._chances(model, images, label))
        self._sensitivity_im = np.concatenate(chances).reshape(high - low + 1)
        self._is_update = True

    @staticmethod
    def _chances(model, images, label):
        return model(Tensor(images)).asnumpy()[:, label]

    def _box(self, shape):
        if self.b_box is None:
            return np.zeros_like(shape), shape - 1
        if len(self.b_box) != 2 * len(shape):
            raise ValueError(
                "For 'OcclusionSensitivity', the bounding box must contain upper and lower for all dimensions (except "
                f"batch number), so the length of 'b_box' must be {2 * len(shape)}, but got {len(self.b_box)}."
            )
        low, high = np.maximum(self.b_box[::2], 0), np.array(self.b_box[1::2])
        high = np.where(high < 0, shape - 1, high)
        if (high >= shape).any():
            raise ValueError(
                "For 'OcclusionSensitivity', maximum bounding box must be smaller than image size for all values."
            )
        if (low > high).any():
            raise ValueError(
                "For 'OcclusionSensitivity', minimum bounding box must be smaller than maximum bounding box for all "
                "values."
            )
        return low, high

    def eval(self):
        """The decrease of the probability at each place; RuntimeError before any update."""
        self._require_update()
        return self._baseline - np.squeeze(self._sensitivity_im)
