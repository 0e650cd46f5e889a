"""The pipeline's nodes: Dataset.

A node gives, for each epoch, a stream of Blocks. Consumers pull; nothing runs before somebody asks. The nodes made by
`map`, `batch`, ... are subclasses in the neighbouring files; they register themselves by name (`registry.py`), so that the
methods of Dataset can make them without this file importing those.
"""

import copy
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias, TypedDict, Unpack, overload

from ...core.spec.checking import checked
from ...core.spec.rules import Length, Like, Raises, Within
from ...mindrecord import save_rows
from ..check import check, check_columns, check_list_of, check_workers
from ..recorded import Recorded
from .iterators import DictIterator, TupleIterator
from .lists import to_list
from .peers import PeerBatches
from .registry import find_node, register_node
from .row_facts import RowFacts

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor
    from .cache import DatasetCache

log = logging.getLogger("msjax.dataset")


Share = Annotated[float, Within("(0, 1]")]
Sizes: TypeAlias = Annotated[
    Annotated[list[Annotated[int | bool, Within("[1, inf)")]], Length(at_least=1)]
    | Annotated[list[Share], Length(at_least=1)],
    Raises(item=ValueError),
]


class MapOptions(TypedDict, total=False):
    """The keywords of `Dataset.map`, for editors; what they take is compared by the MapDataset that it makes."""

    python_multiprocessing: bool
    max_rowsize: int | list[int] | None
    cache: Any
    callbacks: Any
    offload: bool | None
    column_order: Sequence[str] | None


class BatchOptions(TypedDict, total=False):
    """The keywords of `Dataset.batch`, for editors."""

    per_batch_map: Callable | None
    input_columns: str | list[str] | None
    output_columns: str | list[str] | None
    python_multiprocessing: bool
    max_rowsize: int | list[int] | None
    pad_info: dict | None
    column_order: Sequence[str] | None


class Dataset(PeerBatches, RowFacts, Recorded):
    """A node of a pipeline: the base class of every source and every operation.

    Args:
        children (Union[Dataset, list[Dataset]], optional): the nodes that this one reads from.
        num_parallel_workers (int, optional): workers that this node may use; None: `config.get_num_parallel_workers()`.
        cache (DatasetCache, optional): accepted; rows are not cached.

    Example:
        >>> import msjax.dataset as ds
        >>> pipeline = ds.NumpySlicesDataset([1, 2, 3, 4], "x", shuffle=False).batch(2)
        >>> [row["x"].tolist() for row in pipeline.create_dict_iterator(num_epochs=1, output_numpy=True)]
        [[1, 2], [3, 4]]
    """

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        register_node(cls)

    def __init__(
        self,
        children: "Dataset | list[Dataset] | None" = None,
        num_parallel_workers: int | None = None,
        cache: "DatasetCache | None" = None,
    ):
        if num_parallel_workers is not None:
            check_workers(num_parallel_workers)
        self.children = to_list(children)
        self.parent = []
        for child in self.children:
            check(
                isinstance(child, Dataset),
                f"Invalid dataset, expected Dataset object, but got {type(child)}!",
                TypeError,
            )
            child.parent.append(self)
        self.num_parallel_workers = num_parallel_workers
        self.cache = cache
        self._input_indexs = ()
        self._global_step = None
        self.last_run_seed = self.last_run_draws = None  # of the run that an iterator began last; see Run.draws_at
        self.next_run_seed = self.next_run_draws = None  # of the run that the next iterator goes on with
        self._peers = None  # the iterator behind send() and recv()
        self._forget()

    def _forget(self):
        self.dataset_size = None
        self._first_row = None

    # --- the stream -------------------------------------------------------------------------------------------------

    @property
    def column_names(self):
        """Names of the columns of the rows this node gives."""
        return self.children[0].column_names

    repeats_children = 1  # how often the children are run through in an epoch of this node

    def blocks(self, run: Any, epoch: int):
        """The Blocks of one epoch (int, counted from 0) of `run`."""
        raise NotImplementedError(f"{type(self).__name__} has to implement blocks().")

    def _count(self):
        """Rows in an epoch, or None where only running the pipeline tells."""
        raise NotImplementedError(f"{type(self).__name__} has to implement _count().")

    def _column_index(self, names, what="input_columns"):
        """Positions of the columns `names`; RuntimeError that lists the columns, for one that does not exist."""
        have = self.children[0].column_names
        for name in names:
            check(
                name in have,
                f"Invalid parameter, {what}: column '{name}' does not exist in the dataset, "
                f"which has the columns {list(have)}.",
                RuntimeError,
            )
        return [have.index(name) for name in names]

    def __copy__(self):
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.parent, new._peers = [], None
        new.children = [copy.copy(child) for child in self.children]
        for child in new.children:
            child.parent.append(new)
        return new

    def __deepcopy__(self, memo):
        # User data and functions are shared between copies, not copied: they may be large, or open files.
        if id(self) not in memo:
            memo[id(self)] = copy.copy(self)
        return memo[id(self)]

    # --- operations -------------------------------------------------------------------------------------------------
    # `Self` is for type checkers: after `data = MnistDataset(...)`, mypy would refuse a Dataset in `data = data.batch(3)`.

    def map(
        self,
        operations: Any,
        input_columns: str | list[str] | None = None,
        output_columns: str | list[str] | None = None,
        num_parallel_workers: int | None = None,
        **kwargs: Unpack[MapOptions],
    ) -> Self:
        """Applies operations, one after another, to columns of each row.

        Args:
            operations (Union[Operation, function, list]): each takes the columns that the one before gave.
            input_columns (Union[str, list[str]], optional): columns for the first operation; None: the first ones.
            output_columns (Union[str, list[str]], optional): names for what the last one gives; None: `input_columns`.
            num_parallel_workers (int, optional): threads (or processes) that the operations may run in.
            **kwargs: `python_multiprocessing` (bool: where operations are slow, processes instead of threads),
                `callbacks` (DSCallback or list of them), `column_order` (list[str]: of the result, as in 1.x), `cache`,
                `offload` and `max_rowsize` (the last three are accepted and change nothing).

        Returns:
            Dataset with the operations applied.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: an operation is a class or cannot be called.

        Example:
            >>> import msjax.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2, 3], "x", shuffle=False).map(lambda x: x * 2, "x")
            >>> [int(row[0]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
            [2, 4, 6]
        """
        return find_node("MapDataset")(self, operations, input_columns, output_columns, num_parallel_workers, **kwargs)

    def batch(
        self,
        batch_size: int | Callable,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        **kwargs: Unpack[BatchOptions],
    ) -> Self:
        """Joins consecutive rows into batches.

        Args:
            batch_size (Union[int, function]): rows a batch, or a function of a BatchInfo that gives it.
            drop_remainder (bool): whether a last batch with fewer rows is dropped.
            num_parallel_workers (int, optional): workers for `per_batch_map`.
            **kwargs: `per_batch_map` (function of one list of arrays per column, and a BatchInfo), `input_columns`,
                `output_columns`, `python_multiprocessing`, `column_order` (as in 1.x), `max_rowsize` (accepted).

        Returns:
            Dataset whose rows are batches.
        """
        return find_node("BatchDataset")(self, batch_size, drop_remainder, num_parallel_workers, **kwargs)

    def padded_batch(
        self,
        batch_size: int | Callable,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict | None = None,
    ) -> Self:
        """Joins consecutive rows into batches after padding them to one shape.

        Args:
            batch_size (Union[int, function]): rows a batch, or a function of a BatchInfo that gives it.
            drop_remainder (bool): whether a last batch with fewer rows is dropped.
            num_parallel_workers (int, optional): accepted; padding is done in place.
            pad_info (dict, optional): column name to (shape or None, value or None); `{}` pads every column to the
                largest of the batch with 0; None pads nothing.

        Returns:
            Dataset whose rows are batches.
        """
        return find_node("PaddedBatchDataset")(self, batch_size, drop_remainder, num_parallel_workers, pad_info)

    def bucket_batch_by_length(
        self,
        column_names: str | list[str],
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable | None = None,
        pad_info: dict | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> Self:
        """Batches rows of like length together.

        Args:
            column_names (Union[str, list[str]]): columns given to `element_length_function`.
            bucket_boundaries (list[int]): ascending upper bounds (excluded) of the buckets' lengths.
            bucket_batch_sizes (list[int]): batch size of each bucket, one more than there are boundaries.
            element_length_function (function, optional): length of a row; by default the size of the column's first
                axis.
            pad_info (dict, optional): as in `padded_batch`.
            pad_to_bucket_boundary (bool): pad unspecified axes to the bucket's boundary minus 1.
            drop_remainder (bool): whether incomplete batches at the end are dropped.

        Returns:
            Dataset whose rows are batches.
        """
        return find_node("BucketBatchByLengthDataset")(
            self,
            column_names,
            bucket_boundaries,
            bucket_batch_sizes,
            element_length_function,
            pad_info,
            pad_to_bucket_boundary,
            drop_remainder,
        )

    def shuffle(self, buffer_size: Any) -> Self:
        """Shuffles rows through a buffer of `buffer_size` (int, at least 2) rows."""
        return find_node("ShuffleDataset")(self, buffer_size)

    def repeat(self, count: int | None = None) -> Self:
        """Repeats the rows `count` times; None or -1: for ever."""
        return find_node("RepeatDataset")(self, count)

    def take(self, count: int = -1) -> Self:
        """The first `count` rows; -1: all."""
        return find_node("TakeDataset")(self, count)

    def skip(self, count: int) -> Self:
        """All but the first `count` rows."""
        return find_node("SkipDataset")(self, count)

    def filter(
        self, predicate: Callable, input_columns: str | list[str] | None = None, num_parallel_workers: int | None = None
    ) -> Self:
        """The rows for which `predicate` of `input_columns` (None: all) is true."""
        return find_node("FilterDataset")(self, predicate, input_columns, num_parallel_workers)

    @checked
    def zip(self, datasets: "tuple[Dataset, ...] | Dataset") -> Self:
        """Puts the columns of this dataset and of `datasets` (Dataset or tuple of them) side by side."""
        return find_node("ZipDataset")((self, *datasets) if isinstance(datasets, tuple) else (self, datasets))

    @checked
    def concat(self, datasets: "Dataset | list[Dataset]") -> Self:
        """The rows of this dataset, then those of `datasets` (Dataset or list of them)."""
        if isinstance(datasets, list):
            check_list_of(datasets, Dataset, "dataset")
        return find_node("ConcatDataset")([self, *to_list(datasets)])

    def __add__(self, datasets) -> Self:
        return self.concat(datasets)

    def rename(self, input_columns: str | list[str] | None, output_columns: str | list[str] | None) -> Self:
        """Gives the columns `input_columns` the names `output_columns` (str or list of them)."""
        return find_node("RenameDataset")(self, input_columns, output_columns)

    def project(self, columns: str | Sequence[str]) -> Self:
        """Only `columns` (str or list of them), in that order."""
        return find_node("ProjectDataset")(self, columns)

    def sync_wait(self, condition_name: str, num_batch: int | None = 1, callback: Callable | None = None) -> Self:
        """Holds rows back until `sync_update(condition_name)` releases the next `num_batch` batches."""
        return find_node("SyncWaitDataset")(self, condition_name, num_batch, callback)

    @checked
    def device_que(
        self, send_epoch_end: bool = True, create_data_info_queue: bool = False, queue_name: str = ""
    ) -> Self:
        """The pipeline as a queue for data sinking."""
        return find_node("TransferDataset")(self, send_epoch_end, create_data_info_queue, queue_name)

    def to_device(self, send_epoch_end: bool = True, create_data_info_queue: bool = False) -> Self:
        """The 1.x name of `device_que`."""
        return self.device_que(send_epoch_end, create_data_info_queue)

    @checked
    def apply(self, apply_func: Callable) -> Self:
        """`apply_func(self)`, a function from Dataset to Dataset."""
        dataset = apply_func(self)
        check(isinstance(dataset, Dataset), "apply_func must return a dataset.", TypeError)
        return dataset

    @checked
    def flat_map(self, func: Callable) -> Self:
        """Joins the datasets that `func` gives for each row (one array per column)."""
        parts = [func(*row) for row in self.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        check(
            parts and all(isinstance(part, Dataset) for part in parts),
            "flat_map must return a Dataset object.",
            TypeError,
        )
        return parts[0] if len(parts) == 1 else parts[0].concat(parts[1:])

    @checked
    def split(self, sizes: Sizes, randomize: bool = True):
        """Splits the rows into datasets.

        Args:
            sizes (Union[list[int], list[float]]): rows of each part, or fractions that sum up to 1.
            randomize (bool): whether rows are shuffled first, the same way in every epoch.

        Returns:
            tuple[Dataset], one for each size.

        Raises:
            RuntimeError: the size is unknown or not the sum of `sizes`, or the dataset is sharded.
            ValueError: `sizes` is empty or holds a value out of range.
        """
        parts, start = [], 0
        for size in self._split_sizes(sizes, randomize):
            parts.append(self._part(start, size, randomize))
            start += size
        return tuple(parts)

    def _part(self, start, size, randomize):
        part = copy.copy(self)
        if randomize:
            part = part.shuffle(10000)
            part.reshuffle_each_epoch = False
        return (part.skip(start) if start else part).take(size)

    def _split_sizes(self, sizes, randomize):
        whole = all(isinstance(size, int) for size in sizes)
        check(whole or abs(sum(sizes) - 1) < 1e-5, "sizes is a list of float, but the percentages do not sum up to 1.")
        if self.is_shuffled():
            log.warning("Dataset is shuffled before split.")
        check(not self.is_sharded(), "Dataset should not be sharded before split.", RuntimeError)
        rows = self.get_dataset_size()
        check(rows and rows > 0, "dataset_size is unknown, unable to split.", RuntimeError)
        if whole:
            check(
                sum(sizes) == rows,
                f"Sum of split sizes {sum(sizes)} is not equal to dataset size {rows}.",
                RuntimeError,
            )
            return sizes
        counts = [int(round(size * rows)) for size in sizes]
        for size, count in zip(sizes, counts, strict=True):
            check(count, f"Split percentage {size} is too small.", RuntimeError)
        rest = rows - sum(counts)  # what rounding left over goes to the first part that can take it
        at = 0 if rest > 0 else next((i for i, count in enumerate(counts) if count + rest > 0), 0)
        counts[at] += rest
        return counts

    @checked
    def save(
        self,
        file_name: str,
        num_files: Annotated[int, Within("[1, 1000]")] = 1,
        file_type: Literal["mindrecord"] = "mindrecord",
    ) -> None:
        """Writes the rows to MindRecord files; see `mindrecord.FileWriter`.

        Args:
            file_name (str): path of the file; with several files a number is appended.
            num_files (int): from 1 to 1000.
            file_type (str): "mindrecord".
        """
        save_rows(self.create_dict_iterator(num_epochs=1, output_numpy=True), file_name, num_files)

    # --- iteration --------------------------------------------------------------------------------------------------

    @overload
    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: Literal[False] = False, do_copy: bool = False
    ) -> "Iterator[dict[str, Tensor]]": ...
    @overload
    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> Iterator[dict[str, Any]]: ...
    def create_dict_iterator(
        self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False
    ) -> Iterator[dict[str, Any]]:
        """An iterator that gives each row as a dict from column name to Tensor.

        Args:
            num_epochs (int): how many times it can be run through; -1: any number.
            output_numpy (bool): NumPy arrays instead of Tensors.
            do_copy (bool): accepted; a row never shares memory with another.

        Returns:
            DictIterator.
        """
        return DictIterator(self, num_epochs, output_numpy, do_copy)

    def create_tuple_iterator(
        self,
        columns: str | list[str] | None = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
    ) -> Iterator[list[Any]]:
        """An iterator that gives each row as a list of Tensors.

        Args:
            columns (Union[str, list[str]], optional): which columns, and in what order; None: all.
            num_epochs (int): how many times it can be run through; -1: any number.
            output_numpy (bool): NumPy arrays instead of Tensors.
            do_copy (bool): accepted; a row never shares memory with another.

        Returns:
            TupleIterator.
        """
        if columns is not None:
            check_columns(columns, "column_names")
        return TupleIterator(self, columns, num_epochs, output_numpy, do_copy)

    def __iter__(self):
        return self.create_tuple_iterator(num_epochs=1)

    def __len__(self):
        return self.get_dataset_size()

    # --- where a run starts -----------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Makes the next epoch the first again; each new iterator starts there anyway."""
        self._forget()

    def set_init_step(self, init_step: Any):
        """Makes iterators start at step `init_step` (int), to continue from a checkpoint."""
        self._global_step = init_step

    def get_init_step(self):
        """The step at which iterators start."""
        if self._global_step is not None:
            return self._global_step
        return self.children[0].get_init_step() if len(self.children) == 1 else 0

    # --- synchronisation with training ------------------------------------------------------------------------------

    def get_sync_notifiers(self):
        """Condition names of `sync_wait` to the functions that release it."""
        return self.children[0].get_sync_notifiers() if self.children else {}

    def disable_sync(self):
        """Lets all rows through from now on."""
        return self.children[0].disable_sync() if self.children else {}

    def is_sync(self):
        """Whether the pipeline contains a `sync_wait`."""
        return bool(self.children) and self.children[0].is_sync()

    @checked
    def sync_update(self, condition_name: str, num_batch: Like[int | None] = None, data: Any = None):
        """Lets the next batches through a `sync_wait`.

        Args:
            condition_name (str): the name given to `sync_wait`.
            num_batch (int, optional): how many batches; None: the number given to `sync_wait`.
            data (Any, optional): handed to the callback of `sync_wait`.

        Raises:
            TypeError: `condition_name` is not a str.
            RuntimeError: there is no such condition, or `num_batch` is not a positive int.
        """
        if num_batch is not None and (not isinstance(num_batch, int) or num_batch <= 0):
            self.disable_sync()
            raise RuntimeError(f"Sync_update batch size can only be positive integer, got: {num_batch}.")
        notifiers = self.get_sync_notifiers()
        if condition_name not in notifiers:
            self.disable_sync()
            raise RuntimeError(f"Condition name not found: '{condition_name}'; there are {list(notifiers)}.")
        notifiers[condition_name](None if num_batch is None else num_batch * self.get_batch_size(), data)

    # MindSpore's way to its C++ runtime, for code that overrides or calls parts of it: the tree is described, not
    # compiled.

    def create_ir_tree(self, getter_mode: bool = False):
        """(description of the pipeline, a copy of it)."""
        return self.parse_tree(getter_mode), copy.copy(self)

    def parse_tree(self, getter_mode: bool = False):
        """The description of this node and of all below, a dict."""
        return self.parse([child.parse_tree(getter_mode) for child in self.children])

    def parse(self, children: "Dataset | list[Dataset] | None" = None):
        """The description of this node, over descriptions of its children."""
        return {**super().parse(), "children": children or []}

    def pre_process(self, dataset: "Dataset"):
        """The pipeline before it is parsed: `dataset` itself."""
        return dataset

    def pre_parse(self, getter_mode: Any):
        """Called before `parse` in MindSpore; nothing to prepare."""

    def post_parse(self, ir_node: Any):
        """A description after `parse`: itself."""
        return ir_node

    def iterator_bootstrap(self):
        """Called before workers start in MindSpore; nothing to prepare."""

    prepare_multiprocessing = iterator_bootstrap

    def to_json(self, filename: str = "") -> dict:
        """The pipeline as a dict that `deserialize` understands; also written to `filename` if given."""
        tree = find_node("Serializer").describe(self)
        if filename:
            with open(filename, "w", encoding="utf-8") as stream:
                json.dump(tree, stream, indent=2)
        return tree
