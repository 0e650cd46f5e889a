"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.core.spec.checking import checked as checked
from msjax.core.spec.rules import Length as Length
from msjax.core.spec.rules import Raises as Raises
from msjax.core.spec.rules import Within as Within
from msjax.dataset import DictIterator as DictIterator
from msjax.dataset import TupleIterator as TupleIterator
from msjax.dataset import to_list as to_list
from msjax.dataset.check import check as check
from msjax.dataset.check import check_columns as check_columns
from msjax.dataset.check import check_list_of as check_list_of
from msjax.dataset.check import check_workers as check_workers
from msjax.dataset.engine.peers import PeerBatches as PeerBatches
from msjax.dataset.engine.registry import find_node as find_node
from msjax.dataset.engine.registry import register_node as register_node
from msjax.dataset.engine.row_facts import RowFacts as RowFacts
from msjax.dataset.recorded import Recorded as Recorded
from msjax.mindrecord import save_rows as save_rows
BatchOptions: Any
MapOptions: Any

from msjax.core.values.tensor import Tensor as Tensor
from msjax.dataset import DatasetCache as DatasetCache
class Dataset:
    """A node of a pipeline: the base class of every source and every operation."""
    def __add__(self, datasets) -> Self: ...
    def __init__(self, children: Dataset | list[Dataset] | None=None, num_parallel_workers: int | None=None, cache: DatasetCache | None=None) -> None: ...
    def __iter__(self) -> Iterator[list[Any]]: ...
    def __len__(self) -> int: ...
    def apply(self, apply_func: Callable[..., Any]) -> Self: """`apply_func(self)`, a function from Dataset to Dataset."""
    def arguments(self) -> dict[Any, Any]: """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    def batch(self, batch_size: int | Callable[..., Any], drop_remainder: bool=False, num_parallel_workers: int | None=None, *, per_batch_map: Callable[..., Any] | None=..., input_columns: str | list[str] | None=..., output_columns: str | list[str] | None=..., python_multiprocessing: bool=..., max_rowsize: int | list[int] | None=..., pad_info: dict | None=..., column_order: Sequence[str] | None=...) -> Self: """Joins consecutive rows into batches."""
    def blocks(self, run, epoch: int) -> Any: """The Blocks of one epoch (int, counted from 0) of `run`."""
    def bucket_batch_by_length(self, column_names: str | list[str], bucket_boundaries: list[int], bucket_batch_sizes: list[int], element_length_function: Callable[..., Any] | None=None, pad_info: dict | None=None, pad_to_bucket_boundary: bool=False, drop_remainder: bool=False) -> Self: """Batches rows of like length together."""
    @property
    def column_names(self) -> Any: ...
    def concat(self, datasets: Dataset | list[Dataset]) -> Self: """The rows of this dataset, then those of `datasets` (Dataset or list of them)."""
    def copy_batch_size(self, value) -> None: """Overrides the result of `get_batch_size`."""
    @overload
    def create_dict_iterator(self, num_epochs: int=-1, output_numpy: Literal[False]=False, do_copy: bool=False) -> Iterator[dict[str, Tensor]]: ...
    @overload
    def create_dict_iterator(self, num_epochs: int=-1, output_numpy: bool=False, do_copy: bool=False) -> Iterator[dict[str, Any]]: ...
    def create_ir_tree(self, getter_mode: bool=False) -> tuple[dict[Any, Any], Any]: """(description of the pipeline, a copy of it)."""
    def create_tuple_iterator(self, columns: str | list[str] | None=None, num_epochs: int=-1, output_numpy: bool=False, do_copy: bool=False) -> Iterator[list[Any]]: """An iterator that gives each row as a list of Tensors."""
    def device_que(self, send_epoch_end: bool=True, create_data_info_queue: bool=False, queue_name: str='') -> Self: """The pipeline as a queue for data sinking."""
    def disable_sync(self) -> Any: """Lets all rows through from now on."""
    def filter(self, predicate: Callable[..., Any], input_columns: str | list[str] | None=None, num_parallel_workers: int | None=None) -> Self: """The rows for which `predicate` of `input_columns` (None: all) is true."""
    def flat_map(self, func: Callable[..., Any]) -> Self: """Joins the datasets that `func` gives for each row (one array per column)."""
    def get_batch_size(self) -> int: """Rows in a batch; 1 without a batch."""
    def get_class_indexing(self) -> dict: """Class names to labels of the source, a dict."""
    def get_col_names(self) -> list[str]: """Names of the columns, a list of str."""
    def get_dataset_size(self) -> int: """Rows in an epoch (after batching: batches), an int."""
    def get_init_step(self) -> Any: """The step at which iterators start."""
    def get_repeat_count(self) -> int: """The count given to `repeat`; 1 without one."""
    def get_sync_notifiers(self) -> Any: """Condition names of `sync_wait` to the functions that release it."""
    @property
    def input_indexs(self) -> Any: ...
    @input_indexs.setter
    def input_indexs(self, value) -> None: ...
    def is_sharded(self) -> bool: """Whether this is one of several shards."""
    def is_shuffled(self) -> bool: """Whether the rows are in random order."""
    def is_sync(self) -> Any: """Whether the pipeline contains a `sync_wait`."""
    def iterator_bootstrap(self) -> None: """Called before workers start in MindSpore; nothing to prepare."""
    def map(self, operations, input_columns: str | list[str] | None=None, output_columns: str | list[str] | None=None, num_parallel_workers: int | None=None, *, python_multiprocessing: bool=..., max_rowsize: int | list[int] | None=..., cache: Any=..., callbacks: Any=..., offload: bool | None=..., column_order: Sequence[str] | None=...) -> Self: """Applies operations, one after another, to columns of each row."""
    def num_classes(self) -> int | None: """Number of classes of the source, or None."""
    def output_shapes(self, estimate: bool=False) -> list: """Shapes of the columns of the first row, a list of lists; with `estimate` an axis that varies is None."""
    def output_types(self) -> list: """NumPy types of the columns of the first row, a list."""
    def padded_batch(self, batch_size: int | Callable[..., Any], drop_remainder: bool=False, num_parallel_workers: int | None=None, pad_info: dict | None=None) -> Self: """Joins consecutive rows into batches after padding them to one shape."""
    def parse(self, children: Dataset | list[Dataset] | None=None) -> dict[Any, Any]: """The description of this node, over descriptions of its children."""
    def parse_tree(self, getter_mode: bool=False) -> dict[Any, Any]: """The description of this node and of all below, a dict."""
    def post_parse(self, ir_node) -> Any: """A description after `parse`: itself."""
    def pre_parse(self, getter_mode) -> None: """Called before `parse` in MindSpore; nothing to prepare."""
    def pre_process(self, dataset: Dataset) -> Any: """The pipeline before it is parsed: `dataset` itself."""
    def prepare_multiprocessing(self) -> None: """Called before workers start in MindSpore; nothing to prepare."""
    def project(self, columns: str | Sequence[str]) -> Self: """Only `columns` (str or list of them), in that order."""
    def recv(self, src: int | list[int]=0, group: str | None=None) -> Any: """A batch from the process `src` (a list from several); its own next batch where that is this process."""
    def rename(self, input_columns: str | list[str] | None, output_columns: str | list[str] | None) -> Self: """Gives the columns `input_columns` the names `output_columns` (str or list of them)."""
    def repeat(self, count: int | None=None) -> Self: """Repeats the rows `count` times; None or -1: for ever."""
    repeats_children: Any
    def reset(self) -> None: """Makes the next epoch the first again; each new iterator starts there anyway."""
    def save(self, file_name: str, num_files: int=1, file_type: Literal['mindrecord']='mindrecord') -> None: """Writes the rows to MindRecord files; see `mindrecord.FileWriter`."""
    def send(self, tensor=None, dst: int | list[int]=0, group: str | None=None) -> None: """Sends the next batch, or `tensor` (Tensor or list of them), to the processes `dst` (int or list of them)."""
    def set_dynamic_columns(self, columns: dict | None=None) -> None: """Accepted (a dict from column to shape with None); shapes may always differ from row to row."""
    def set_init_step(self, init_step) -> None: """Makes iterators start at step `init_step` (int), to continue from a checkpoint."""
    def shuffle(self, buffer_size) -> Self: """Shuffles rows through a buffer of `buffer_size` (int, at least 2) rows."""
    def skip(self, count: int) -> Self: """All but the first `count` rows."""
    def split(self, sizes: list[Any], randomize: bool=True) -> tuple[Any, ...]: """Splits the rows into datasets."""
    def sync_update(self, condition_name: str, num_batch: int | None=None, data=None) -> None: """Lets the next batches through a `sync_wait`."""
    def sync_wait(self, condition_name: str, num_batch: int | None=1, callback: Callable[..., Any] | None=None) -> Self: """Holds rows back until `sync_update(condition_name)` releases the next `num_batch` batches."""
    def take(self, count: int=-1) -> Self: """The first `count` rows; -1: all."""
    def to_device(self, send_epoch_end: bool=True, create_data_info_queue: bool=False) -> Self: """The 1.x name of `device_que`."""
    def to_json(self, filename: str='') -> dict: """The pipeline as a dict that `deserialize` understands; also written to `filename` if given."""
    def zip(self, datasets: tuple[Dataset, ...] | Dataset) -> Self: """Puts the columns of this dataset and of `datasets` (Dataset or tuple of them) side by side."""
    children: Any
    parent: Any
    num_parallel_workers: Any
    cache: Any
    last_run_seed: Any
    last_run_draws: Any
    next_run_seed: Any
    next_run_draws: Any
    dataset_size: Any
def __getattr__(name: str) -> Any: ...
