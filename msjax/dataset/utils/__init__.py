"""Helpers around datasets: `mindspore.dataset.utils`."""

from msjax.dataset.utils.browse_dataset import imshow_det_bbox
from msjax.dataset.utils.line_reader import LineReader

__all__ = ["LineReader", "imshow_det_bbox"]
