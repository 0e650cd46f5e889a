"""`FileReader`, and `RecordSet`: the rows of several record files under one numbering."""

import bisect
import os
from collections.abc import Sequence

from . import crypt, index
from .constants import check_parameter
from .exceptions import ParamTypeError
from .shard import Shard


class RecordSet:
    """The rows of record files of one schema, numbered through; safe to use from several threads.

    Args:
        files (Union[str, list[str]]): one file, which stands for all the shards that were written with it, or exactly
            the files of a list.

    Raises:
        RuntimeError: a file or its index is missing or damaged, or the schemas differ.
    """

    def __init__(self, files: str | list[str]):
        if isinstance(files, str):
            # Decryption needs the names before the header can be read: then a single file stands for itself.
            self._plain = crypt.PlainFiles([files])
            first = Shard(self._plain.paths[0])
            paths = [os.path.join(os.path.dirname(files), name) for name in first.header.shard_addresses]
            paths = self._plain.paths if len(paths) < 2 else paths
        else:
            self._plain = crypt.PlainFiles(files)
            paths = self._plain.paths
        self.shards = [Shard(path) for path in paths]
        self.header = self.shards[0].header
        for shard in self.shards[1:]:
            if shard.header.fields != self.header.fields:
                raise RuntimeError(
                    f"Invalid data, mindrecord files meta data is not consistent: the schema of "
                    f"{shard.path} is {shard.header.fields}, that of {self.shards[0].path} is "
                    f"{self.header.fields}."
                )
        self.ends = []
        for shard in self.shards:
            self.ends.append(len(shard) + (self.ends[-1] if self.ends else 0))

    def __len__(self):
        return self.ends[-1]

    @property
    def fields(self):
        """The schema: a dict from the name of a field to its type and shape, sorted by name."""
        return {name: self.header.fields[name] for name in sorted(self.header.fields)}

    def check_columns(self, columns: Sequence[str]):
        """Refuse names that the schema does not have.

        Raises:
            RuntimeError: a name is unknown.
        """
        for name in columns or ():
            if name not in self.header.fields:
                raise RuntimeError(
                    f"Invalid data, column name: {name} can not found in schema of mindrecord files, "
                    f"which has {sorted(self.header.fields)}. Please check the 'columns_list'."
                )

    def row(self, number: int, columns: Sequence[str] | None = None):
        """Fields of row `number` as a dict; `columns` names those to read, None all."""
        shard = bisect.bisect_right(self.ends, number)
        start = self.ends[shard - 1] if shard else 0
        return self.shards[shard].row(number - start, columns)

    def field_values(self, field: str):
        """Values of one scalar field for all rows, from the index if the field is indexed."""
        if field in self.header.index_fields:
            return [value for shard in self.shards for value in index.read_field(shard.path + ".db", field)]
        return [self.row(number, [field])[field] for number in range(len(self))]

    def close(self):
        """Close the files and remove decrypted copies."""
        for shard in self.shards:
            shard.close()
        self._plain.close()


class FileReader:
    """Reads the rows of record files one after another.

    Args:
        file_name (Union[str, list[str]]): one file, which stands for all its shards, or exactly the files of a list.
        num_consumer (int, optional): accepted; number of readers, in [1, number of cores]. Default: 4.
        columns (list[str], optional): the fields to read; None for all. Default: None.
        operator (list, optional): accepted, without effect. Default: None.

    Raises:
        ParamValueError: `file_name` or `num_consumer` is not valid.
        ParamTypeError: `columns` is not a list.
        RuntimeError: a file is missing, damaged, or encrypted with another key.

    Examples:
        >>> import os, tempfile
        >>> from msjax.mindrecord import FileReader, FileWriter
        >>> path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
        >>> writer = FileWriter(path)
        >>> writer.add_schema({"label": {"type": "int32"}})
        >>> writer.write_raw_data([{"label": 1}, {"label": 2}])
        >>> writer.commit()
        >>> reader = FileReader(path)
        >>> [row["label"] for row in reader.get_next()]
        [1, 2]
        >>> reader.close()
    """

    @check_parameter
    def __init__(
        self,
        file_name: str | list[str],
        num_consumer: int = 4,
        columns: list[str] | None = None,
        operator: list | None = None,
    ):
        if columns and not isinstance(columns, list):
            raise ParamTypeError("columns", "list")
        self._columns = columns or None
        self._records, self._closed = RecordSet(file_name), False
        self._records.check_columns(self._columns)
        self._numbers = iter(range(len(self._records)))

    def get_next(self):
        """Yield each row as a dict: scalars as Python values, bytes, arrays in the shape of the schema; none after `close`.

        All iterators of a reader share its position: another call goes on where the one before has stopped.
        """
        for number in self._numbers:
            if self._closed:
                return
            row = self._records.row(number, self._columns)
            yield row if self._columns is None else {name: row[name] for name in row if name in self._columns}

    def schema(self):
        """The fields: a dict from name to ``{"type": ..., "shape": ...}``."""
        return self._records.fields

    def len(self):
        """Number of rows."""
        return len(self._records)

    def close(self):
        """Close the files."""
        self._closed = True
        self._records.close()
