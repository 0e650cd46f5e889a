"""The 1.x names `mindspore.dataset.transforms.py_transforms`."""

import numpy as np

from ..check import check
from ..engine.block import type_text
from .compose import Compose, RandomApply, RandomChoice, RandomOrder, not_random
from .transforms import OneHot
from .user_operations import PyTensorOperation

__all__ = ["Compose", "OneHotOp", "PyTensorOperation", "RandomApply", "RandomChoice", "RandomOrder", "not_random"]


class OneHotOp(OneHot):
    """Labels as one-hot vectors of type float64.

    Args:
        num_classes (int): length of the vectors; more than the largest label.
        smoothing_rate (float): from 0 to 1.

    Raises:
        ValueError: a label is not an integer, or out of range.

    Example:
        >>> import numpy as np
        >>> from msjax.dataset.transforms.py_transforms import OneHotOp
        >>> OneHotOp(num_classes=3)(np.array(1))
        array([0., 1., 0.])
    """

    def _vectors(self, labels):
        check(labels.dtype.kind in "iu", f"the input numpy type should be int, but the input is: {type_text(labels)}")
        for bad in labels[labels >= self.num_classes].ravel()[:1]:
            raise ValueError(f"the num_classes:{self.num_classes} is smaller than the category number:{bad}")
        hot = np.eye(self.num_classes)[labels]
        return (1 - self.smoothing_rate) * hot + self.smoothing_rate / self.num_classes

    def apply(self, *columns):
        return self._vectors(columns[0])

    apply_block = apply
