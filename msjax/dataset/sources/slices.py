"""NumpySlicesDataset and PaddedDataset: rows that are in memory already."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Given, That
from ..check import check, check_type
from ..engine.node import to_list
from ..rules import Columns, NumSamples, PositiveInt32
from .generator import GeneratorDataset

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike


class _Columns:
    """A tuple of columns (lists or arrays) with random access to rows."""

    def __init__(self, data: Any, column_names: str | list[str] | None):
        names = None
        if isinstance(data, dict):
            names = list(data)
            data = tuple(list(getattr(column, "values", column)) for column in data.values())
        self.data = data if isinstance(data, tuple) else (data,)
        check(len({len(column) for column in self.data}) == 1, "Data length in each column is not equal.")
        self.names = to_list(column_names) or names or [f"column_{i}" for i in range(len(self.data))]
        self._stacked = None

    def __getitem__(self, index):
        return tuple(column[index] for column in self.data)

    def __len__(self):
        return len(self.data[0])

    def stacked(self):
        """The columns as arrays; None for a column whose rows differ in shape or type."""
        if self._stacked is None:
            self._stacked = [_as_one(column) for column in self.data]
        return self._stacked


def _as_one(column):
    if isinstance(column, np.ndarray):
        return None if column.dtype.kind in "USO" else column
    if not all(isinstance(value, (int, float, bool, np.number)) for value in column):
        return None
    # Only where one array of all values has the type that each value has alone.
    kinds = {np.asarray(value).dtype for value in column}
    return np.array(column) if len(kinds) == 1 else None


class NumpySlicesDataset(GeneratorDataset):
    """Rows are slices of arrays, lists or the values of a dict along their first axis.

    Args:
        data (Union[list, tuple, dict, numpy.ndarray]): a tuple holds one column an item, a dict one a key; else one
            column.
        column_names (Union[str, list[str]], optional): by default the keys of the dict, or column_0, column_1, ...
        num_samples (int, optional): at most so many rows.
        num_parallel_workers (int): accepted; slicing needs no workers.
        shuffle (bool, optional): None and True: shuffle.
        sampler (Union[Sampler, Iterable], optional): chooses rows.
        num_shards (int, optional): number of parts the data is divided into.
        shard_id (int, optional): which part.

    Raises:
        TypeError: `data` is of another type.
        ValueError: `data` is empty, its columns differ in length, or the number of names is not that of columns.

    Example:
        >>> import msjax.dataset as ds
        >>> data = ds.NumpySlicesDataset({"a": [1, 2], "b": [3, 4]}, shuffle=False)
        >>> [{k: int(v) for k, v in row.items()} for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
        [{'a': 1, 'b': 3}, {'a': 2, 'b': 4}]
    """

    @checked
    def __init__(
        self,
        data: Annotated[list | tuple | dict | np.ndarray, That("that is not empty", lambda data: len(data) > 0)],
        column_names: Columns | None = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = 1,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
    ):
        if isinstance(data, tuple):
            check_type(data[0], (list, np.ndarray), "data[0]")
        if column_names is not None:
            needed = len(data) if isinstance(data, (dict, tuple)) else 1
            given = len(to_list(column_names))
            check(
                given == needed,
                f"Num of input column names is {given}, but required is {needed}"
                f"{'' if isinstance(data, (dict, tuple)) else ' as data is list'}.",
            )
        source = _Columns(data, column_names)
        super().__init__(
            source,
            column_names=source.names,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            python_multiprocessing=False,
        )

    def rows_at(self, indices: Sequence[int]):
        stacked = self.source.stacked()
        return None if any(column is None for column in stacked) else [column[indices] for column in stacked]


class _Padding:
    """The rows of PaddedDataset."""

    def __init__(self, samples: Any):
        self.names = list(samples[0])
        self.samples = samples

    def __getitem__(self, index):
        return tuple(self.samples[index][name] for name in self.names)

    def __len__(self):
        return len(self.samples)


class PaddedDataset(GeneratorDataset):
    """Filling rows, to be joined to another dataset so that its size suits the number of shards.

    Args:
        padded_samples (list[dict]): the rows, dicts from column name to value.

    Raises:
        TypeError: `padded_samples` is not a list of dicts.
        ValueError: it is empty.

    Example:
        >>> import numpy as np
        >>> import msjax.dataset as ds
        >>> data = ds.NumpySlicesDataset({"x": np.zeros((3, 1), np.uint8)}, shuffle=False)
        >>> (data + ds.PaddedDataset([{"x": np.zeros(1, np.uint8)}])).get_dataset_size()
        4
    """

    @checked
    def __init__(
        self,
        padded_samples: Given[
            Annotated[
                Annotated[Any, That("that is not empty", bool)],
                That(
                    "a list of dicts",
                    lambda samples: isinstance(samples, list) and isinstance(samples[0], dict),
                    is_type=True,
                ),
            ]
        ],
    ):
        source = _Padding(padded_samples)
        super().__init__(source, column_names=source.names, shuffle=False)
        self.padded_samples = padded_samples
