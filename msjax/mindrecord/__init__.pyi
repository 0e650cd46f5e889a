"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
FAILED: Any
SUCCESS: Any

class Cifar100ToMR:
    """Converts the Python version of CIFAR to two record files, one of them with ``_test`` behind its name."""
    def __init__(self, source, destination) -> None: ...
    reader: Any
    required: Any
    def run(self, fields=None) -> Any: """Convert."""
    def transform(self, *args, **kwargs) -> None: """Convert; see `run` for arguments and errors."""
    source: Any
    destination: Any
class Cifar10ToMR:
    """Converts the Python version of CIFAR to two record files, one of them with ``_test`` behind its name."""
    def __init__(self, source, destination) -> None: ...
    reader: Any
    required: Any
    def run(self, fields=None) -> Any: """Convert."""
    def transform(self, *args, **kwargs) -> None: """Convert; see `run` for arguments and errors."""
    source: Any
    destination: Any
class CsvToMR:
    """Converts a CSV file, whose first line names the columns, to record files."""
    def __init__(self, source: str, destination: str, columns_list=None, partition_number: int | bool=1) -> None: ...
    def run(self) -> int: """Convert; columns of integers, numbers and True/False keep their kind, all others become strings."""
    def transform(self, *args, **kwargs) -> None: """Convert; see `run` for arguments and errors."""
    source: Any
    destination: Any
    columns_list: Any
    writer: Any
class FileReader:
    """Reads the rows of record files one after another."""
    def __init__(self, file_name: str | list[str], num_consumer: int=4, columns: list[str] | None=None, operator: list | None=None) -> None: ...
    def close(self) -> None: """Close the files."""
    def get_next(self) -> Iterator[Any]: """Yield each row as a dict: scalars as Python values, bytes, arrays in the shape of the schema; none after `close`."""
    def len(self) -> int: """Number of rows."""
    def schema(self) -> Any: """The fields: a dict from name to ``{'type': ..., 'shape': ...}``."""
class FileWriter:
    """Writes rows to one record file, or spread over several shards."""
    def __init__(self, file_name: str, shard_num: int | bool=1, overwrite: bool=False) -> None: ...
    def add_index(self, index_fields: list[str]) -> None: """Choose the fields that rows can be looked up by; without this call it is all scalar fields."""
    def add_schema(self, content: dict, desc: str | None=None) -> None: """Say which fields a row has."""
    def check_all_worker_status(self) -> None: """`check_worker_status` of all shards."""
    def check_worker_status(self, index: int) -> None: """Refuse to go on with shard `index` after writing it has failed."""
    def close(self) -> None: """Close the files without finishing them; `commit` does it for finished ones."""
    def commit(self) -> None: """Write the headers and the index files; the files can be read after that."""
    def init_append(self, file_name: str, header) -> None: """Go on with a file that was written before; `open_for_append` reads its header and calls this."""
    @classmethod
    def open_for_append(cls, file_name: str) -> Self: """Open a file that was written before, to add rows to it."""
    @property
    def paths(self) -> list[Any]: ...
    def set_header_size(self, header_size: int) -> None: """Set the bytes that the header may take: in [16 KiB, 128 MiB], a multiple of 4. Default: 16 MiB."""
    def set_page_size(self, page_size: int) -> None: """Set the bytes of a page, at least the largest row: in [32 KiB, 256 MiB], a multiple of 4. Default: 32 MiB."""
    def write_raw_data(self, raw_data, parallel_writer: bool=False) -> None: """Write rows. Rows that do not fit the schema are left out, with a warning for each."""
class ImageNetToMR:
    """Converts ImageNet, a folder of JPEG files for each class, to record files."""
    def __init__(self, map_file: str, image_dir: str, destination: str, partition_number: int | bool=1) -> None: ...
    def run(self) -> int: """Convert."""
    def transform(self, *args, **kwargs) -> None: """Convert; see `run` for arguments and errors."""
    map_file: Any
    image_dir: Any
    destination: Any
    writer: Any
class MindPage:
    """Reads the rows of record files by category: all rows with one value of an indexed field."""
    def __init__(self, file_name: str | list[str], num_consumer: int=4) -> None: ...
    @property
    def candidate_fields(self) -> list[Any]: ...
    @property
    def category_field(self) -> Any: ...
    @category_field.setter
    def category_field(self, value) -> None: ...
    def read_at_page_by_id(self, category_id: int | bool, page: int | bool, num_row: int | bool) -> list[Any]: """One page of the rows of a category."""
    def read_at_page_by_name(self, category_name: str, page: int | bool, num_row: int | bool) -> list[Any]: """One page of the rows of a category."""
    def read_category_info(self) -> Any: """JSON text that gives the name, number and number of rows of each category."""
class MnistToMR:
    """Converts MNIST to the record files ``<destination>_train.mindrecord`` and ``<destination>_test.mindrecord``."""
    def __init__(self, source: str, destination: str, partition_number: int | bool=1) -> None: ...
    def run(self) -> Any: """Convert."""
    def transform(self, *args, **kwargs) -> None: """Convert; see `run` for arguments and errors."""
    source: Any
    writer_train: Any
    writer_test: Any
class RecordSet:
    """The rows of record files of one schema, numbered through; safe to use from several threads."""
    def __init__(self, files: str | list[str]) -> None: ...
    def __len__(self) -> Any: ...
    def check_columns(self, columns: Sequence[str]) -> None: """Refuse names that the schema does not have."""
    def close(self) -> None: """Close the files and remove decrypted copies."""
    def field_values(self, field: str) -> list[Any]: """Values of one scalar field for all rows, from the index if the field is indexed."""
    @property
    def fields(self) -> dict[Any, Any]: ...
    def row(self, number: int, columns: Sequence[str] | None=None) -> Any: """Fields of row `number` as a dict; `columns` names those to read, None all."""
    shards: Any
    header: Any
    ends: Any
class TFRecordToMR:
    """Converts a TFRecord file to a record file; TensorFlow is not needed."""
    def __init__(self, source: str, destination: str, feature_dict: dict, bytes_fields: list[str] | None=None) -> None: ...
    def run(self) -> Any: """Convert."""
    def tfrecord_iterator(self) -> Iterator[Any]: """Yield each record as a dict from field to value."""
    def tfrecord_iterator_oldversion(self) -> Iterator[Any]: """Yield each record as a dict from field to value."""
    def transform(self, *args, **kwargs) -> None: """Convert; see `run` for arguments and errors."""
    source: Any
    destination: Any
    features: Any
def save_rows(rows: Iterable[dict], file_name: str, num_files: int=1) -> None: """Write rows to record files; where that fails, the files are removed."""
def set_dec_mode(dec_mode: str | Callable[..., Any]='AES-GCM') -> None: """Set how record files are decrypted."""
def set_enc_key(enc_key: str) -> None: """Set the key that record files are encrypted with when written and decrypted with when read."""
def set_enc_mode(enc_mode: str | Callable[..., Any]='AES-GCM') -> None: """Set how record files are encrypted."""
