"""The known facts about a pipeline's rows: columns, shapes, types, counts."""

import logging
from typing import Any

import numpy as np

from ..check import check, check_type
from .block import values
from .run import Run

log = logging.getLogger("msjax.dataset")


class RowFacts:
    """The known facts about the rows of a node."""

    def get_col_names(self) -> list[str]:
        """Names of the columns, a list of str."""
        return list(self.column_names)

    def _peek(self):
        """The first row, as arrays; None where there is none."""
        if self._first_row is None:
            run = Run(self, getter=True, block_rows=1)
            try:
                block = next(iter(self.blocks(run, 0)), None)
            finally:
                run.close()
            self._first_row = () if block is None else tuple(values(column)[0] for column in block.columns)
        return self._first_row or None

    def output_shapes(self, estimate: bool = False) -> list:
        """Shapes of the columns of the first row, a list of lists; with `estimate` an axis that varies is None."""
        check_type(estimate, bool, "estimate")
        first = self._peek()
        if first is None:
            return []
        shapes = [_shape(value) for value in first]
        if estimate:
            for row in self.create_tuple_iterator(num_epochs=1, output_numpy=True):
                for i, value in enumerate(row):
                    shape = _shape(value)
                    check(
                        len(shape) == len(shapes[i]),
                        "Inconsistent shapes, expect same shape for each data row: the rank of the columns differs.",
                        RuntimeError,
                    )
                    shapes[i] = [a if a == b else None for a, b in zip(shapes[i], shape, strict=True)]
        return shapes

    def output_types(self) -> list:
        """NumPy types of the columns of the first row, a list."""
        first = self._peek()
        if first is None:
            return []
        types = [np.asarray(value).dtype for value in first]
        return [np.dtype(dtype.kind) if dtype.kind in "US" else dtype for dtype in types]

    def get_dataset_size(self) -> int:
        """Rows in an epoch (after batching: batches), an int."""
        if self.dataset_size is None:
            count = self._count()
            if count is None:
                run = Run(self, getter=True)
                try:
                    count = sum(block.count for block in self.blocks(run, 0))
                finally:
                    run.close()
            self.dataset_size = count
            if count == 0:
                log.warning("Got 0 sample from dataset pipeline, check if drop all data or load dataset fail.")
        return self.dataset_size

    def get_batch_size(self) -> int:
        """Rows in a batch; 1 without a batch."""
        return self.children[0].get_batch_size() if len(self.children) == 1 else 1

    def get_repeat_count(self) -> int:
        """The count given to `repeat`; 1 without one."""
        return self.children[0].get_repeat_count() if len(self.children) == 1 else 1

    def num_classes(self) -> int | None:
        """Number of classes of the source, or None."""
        return self.children[0].num_classes() if self.children else None

    def get_class_indexing(self) -> dict:
        """Class names to labels of the source, a dict."""
        return self.children[0].get_class_indexing() if self.children else {}

    def is_shuffled(self):
        """Whether the rows are in random order."""
        return any(child.is_shuffled() for child in self.children)

    def is_sharded(self):
        """Whether this is one of several shards."""
        return any(child.is_sharded() for child in self.children)

    @property
    def input_indexs(self):
        """Which columns go where in the network, as set by the user."""
        if self._input_indexs != ():
            return self._input_indexs
        return next((child.input_indexs for child in self.children if child.input_indexs != ()), ())

    @input_indexs.setter
    def input_indexs(self, value: Any):
        self._input_indexs = value

    def copy_batch_size(self, value: Any):
        """Overrides the result of `get_batch_size`."""
        self.get_batch_size = lambda: value

    def set_dynamic_columns(self, columns: dict | None = None):
        """Accepted (a dict from column to shape with None); shapes may always differ from row to row."""
        check_type(columns, dict, "columns")


def _shape(value):
    """The shape of a value; of a dict `[0]`, as MindSpore has it."""
    return [0] if isinstance(value, dict) else list(np.shape(value))
