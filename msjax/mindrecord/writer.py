"""`FileWriter`: writes rows to record files."""

import copy
import logging
import os
import re
import stat
from typing import Any

import numpy as np

from ..core.spec.checking import checked
from . import codec, crypt, index
from .constants import (
    MAX_HEADER_SIZE,
    MAX_PAGE_SIZE,
    MIN_HEADER_SIZE,
    MIN_PAGE_SIZE,
    VALID_ARRAY_ATTRIBUTES,
    VALID_ATTRIBUTES,
    VALUE_TYPE_MAP,
    FileName,
    Flag,
    ShardCount,
)
from .exceptions import MRMAddSchemaError, MRMDefineIndexError, MRMGetMetaError, MRMInvalidSchemaError, ParamTypeError
from .shard import Header, ShardWriter, scan

_log = logging.getLogger("msjax")


class FileWriter:
    """Writes rows to one record file, or spread over several shards.

    Args:
        file_name (str): the file; with several shards the number of the shard is appended to it.
        shard_num (int, optional): number of files, in [1, 1000]. Default: 1.
        overwrite (bool, optional): replace files that are there. Default: False.

    Raises:
        ParamValueError: `file_name`, `shard_num` or `overwrite` is not valid.

    Examples:
        >>> import os, tempfile
        >>> from msjax.mindrecord import FileReader, FileWriter
        >>> path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
        >>> writer = FileWriter(path)
        >>> writer.add_schema({"label": {"type": "int32"}, "data": {"type": "bytes"}}, "example")
        >>> writer.add_index(["label"])
        >>> writer.write_raw_data([{"label": 3, "data": b"abc"}])
        >>> writer.commit()
        >>> list(FileReader(path).get_next())
        [{'label': 3, 'data': b'abc'}]
    """

    @checked
    def __init__(self, file_name: FileName, shard_num: ShardCount = 1, overwrite: Flag = False):
        if shard_num > 1 and crypt.get_enc_key() is not None:
            raise RuntimeError("When encode mode is enabled, the automatic sharding function is unavailable.")
        width = len(str(shard_num - 1))
        self._paths = [file_name] if shard_num == 1 else [f"{file_name}{i:0{width}d}" for i in range(shard_num)]
        self._overwrite = overwrite
        self._header = Header()
        self._has_schema = False
        self._shards = None  # the open `ShardWriter`s, one for each path
        self._append = self._flushed = False
        self._parallel = None
        self._failed = set()  # shards that an error left half written
        self._turn = 0  # which shard gets the next odd row

    @classmethod
    @checked
    def open_for_append(cls, file_name: FileName):
        """Open a file that was written before, to add rows to it.

        Args:
            file_name (str): one record file.

        Returns:
            FileWriter, whose `write_raw_data` adds rows; end with `commit`.

        Raises:
            ParamValueError: `file_name` is not a valid name.
            RuntimeError: the file cannot be read.
        """
        crypt.decrypt_in_place(file_name)
        header = Header.from_file(file_name)
        writer = cls(file_name)
        writer.init_append(file_name, header)
        return writer

    def init_append(self, file_name: str, header: Any):
        """Go on with a file that was written before; `open_for_append` reads its header and calls this.

        Args:
            file_name (str): the file.
            header (Header): its header.
        """
        self._paths, self._header = [file_name], header
        self._has_schema = self._append = True
        self._shards = [ShardWriter(file_name, header)]

    def add_schema(self, content: dict, desc: str | None = None):
        """Say which fields a row has.

        Args:
            content (dict): for each field ``{"type": t}``, with t one of int32, int64, float32, float64, string,
                bytes, or ``{"type": t, "shape": [...]}`` for an array of numbers (-1 for one unknown length).
            desc (str, optional): a description. Default: None.

        Raises:
            MRMInvalidSchemaError: `content` is not valid.
            MRMAddSchemaError: there is a schema already.
        """
        _check_schema(content)
        if self._has_schema:
            _log.error("The schema is added repeatedly. Please remove the redundant 'add_schema' function.")
            raise MRMAddSchemaError
        self._header.fields = {name: dict(field) for name, field in content.items()}
        self._header.description = desc or ""
        self._has_schema = True

    def add_index(self, index_fields: list[str]):
        """Choose the fields that rows can be looked up by; without this call it is all scalar fields.

        Args:
            index_fields (list[str]): names of scalar fields of the schema.

        Raises:
            ParamTypeError: it is not a list, or holds something else than str.
            MRMDefineIndexError: a field is bytes or an array.
            MRMGetMetaError: there is no schema yet.
            RuntimeError: a field is not in the schema, or was given before.
        """
        if not index_fields or not isinstance(index_fields, list):
            raise ParamTypeError("index_fields", "list")
        for name in index_fields:
            if not self._has_schema:
                raise MRMGetMetaError
            if name in self._header.blob_fields:
                raise MRMDefineIndexError(f"Failed to set field {name} since it's not primitive type.")
            if not isinstance(name, str):
                raise ParamTypeError("index field", "str")
            if name not in self._header.fields:
                raise RuntimeError(
                    f"[ERROR] Invalid input, 'index_fields': {name} can not found in schema: "
                    f"{self._header.fields}.\n Please use 'add_index' function to add proper "
                    f"'index_fields'."
                )
            if name in self._header.index_fields:
                raise RuntimeError(
                    f"[ERROR] The 'index_fields': {name} is added repeatedly. Please remove the "
                    f"redundant 'add_index' function."
                )
            self._header.index_fields.append(name)

    def set_header_size(self, header_size: int):
        """Set the bytes that the header may take: in [16 KiB, 128 MiB], a multiple of 4. Default: 16 MiB.

        Raises:
            RuntimeError: `header_size` is out of range.
        """
        self._header.header_size = _size("header", header_size, MIN_HEADER_SIZE, MAX_HEADER_SIZE)

    def set_page_size(self, page_size: int):
        """Set the bytes of a page, at least the largest row: in [32 KiB, 256 MiB], a multiple of 4. Default: 32 MiB.

        Raises:
            RuntimeError: `page_size` is out of range.
        """
        self._header.page_size = _size("page", page_size, MIN_PAGE_SIZE, MAX_PAGE_SIZE)

    @checked
    def write_raw_data(self, raw_data: Any, parallel_writer: bool = False):
        """Write rows. Rows that do not fit the schema are left out, with a warning for each.

        Args:
            raw_data (list[dict]): the rows, each a dict with a value for every field of the schema.
            parallel_writer (bool, optional): accepted as in MindSpore; the list then goes to one shard as a whole, the
                next list to the next. Default: False.

        Raises:
            TypeError: `parallel_writer` is not bool.
            ParamTypeError: `raw_data` is not a list of dicts.
            RuntimeError: the files are there already, no row is valid, or the writer was committed before.
        """
        if self._parallel is None:
            self._parallel = parallel_writer
        if self._parallel != parallel_writer:
            raise RuntimeError("The parameter `parallel_writer` must be consistent during use.")
        self._open()
        if not isinstance(raw_data, list):
            raise ParamTypeError("raw_data", "list")
        if self._flushed and not self._append:
            raise RuntimeError(
                "Not allowed to call `write_raw_data` on flushed MindRecord files. When creating new "
                "MindRecord files, please remove `commit` before `write_raw_data`. In other cases, when "
                "appending to existing MindRecord files, please call `open_for_append` first and then "
                "`write_raw_data`."
            )
        for row in raw_data:
            if not isinstance(row, dict):
                raise ParamTypeError("raw_data item", "dict")
        rows = self._valid_rows(raw_data)
        if not rows:
            raise RuntimeError(
                "There is no valid data which can be written by 'write_raw_data' to mindrecord file. "
                "Please check the abnormal input data indicated in the warning log above."
            )
        parts, saved = zip(*(self._encode(row) for row in rows))
        for shard in self._shards:
            shard.header.compression_size += sum(saved)
        count = len(self._shards)
        if parallel_writer:
            self._write(self._turn, list(parts))
            self._turn = (self._turn + 1) % count
            return
        # Even blocks; the rows that remain go round, so that writing one row at a time fills all shards alike.
        size, odd = divmod(len(parts), count)
        start = 0
        for number in range(count):
            end = start + size + ((number - self._turn) % count < odd)
            self._write(number, list(parts[start:end]))
            start = end
        self._turn = (self._turn + odd) % count

    def _write(self, number, rows):
        self.check_worker_status(number)
        try:
            self._shards[number].write(rows)
        except BaseException:
            self._failed.add(number)
            raise

    def check_worker_status(self, index: int):
        """Refuse to go on with shard `index` after writing it has failed.

        Raises:
            RuntimeError: an earlier write of that shard failed.
        """
        if index in self._failed:
            raise RuntimeError(f"Writing {self._paths[index]} has stopped abnormally. Please check the earlier error.")

    def check_all_worker_status(self):
        """`check_worker_status` of all shards."""
        for number in range(len(self._paths)):
            self.check_worker_status(number)

    def commit(self):
        """Write the headers and the index files; the files can be read after that.

        Raises:
            RuntimeError: there is no schema, or the files cannot be written.
        """
        self._open()
        self.check_all_worker_status()
        for path, shard in zip(self._paths, self._shards):
            shard.flush()
            index.build(path + ".db", os.path.basename(path), shard.header, scan(path, shard.header))
        self._flushed = True
        if not self._append:
            self.close()
        for path in self._paths:
            for name in (path, path + ".db"):
                os.chmod(name, stat.S_IRUSR | stat.S_IWUSR)
                crypt.encrypt_in_place(name)

    @property
    def paths(self):
        """The files that are written."""
        return list(self._paths)

    def close(self):
        """Close the files without finishing them; `commit` does it for finished ones."""
        for shard in self._shards or ():
            shard.close()

    def __del__(self):
        if getattr(self, "_shards", None):
            self.close()

    def _open(self):
        """Create the files."""
        if self._shards is not None:
            return
        if not self._has_schema:
            raise RuntimeError(
                "[ERROR] Invalid data, schema is not found in header, please use 'add_schema' to add a "
                "schema for new mindrecord files."
            )
        if not self._header.index_fields:  # as MindSpore does: every scalar field is indexed
            self._header.index_fields = sorted(set(self._header.fields) - set(self._header.blob_fields))
        self._header.shard_addresses = [os.path.basename(path) for path in self._paths]
        for path in self._paths:
            folder = os.path.dirname(path) or "."
            if not os.path.isdir(folder):
                raise RuntimeError(
                    f"[ERROR] Invalid dir, failed to get the realpath of mindrecord file dir. "
                    f"Please check path: {folder}"
                )
            if not self._overwrite and (os.path.exists(path) or os.path.exists(path + ".db")):
                raise RuntimeError(
                    f"[ERROR] Invalid file, mindrecord files already exist. Please check file path: "
                    f"{os.path.realpath(path)}.\nIf you do not want to keep the files, set the "
                    f"'overwrite' parameter to True and try again."
                )
        shards = []
        for number, path in enumerate(self._paths):
            with open(path, "wb"):
                pass
            if os.path.exists(path + ".db"):
                os.remove(path + ".db")
            header = copy.deepcopy(self._header)
            header.shard_id = number
            shards.append(ShardWriter(path, header))
        self._shards = shards

    def _valid_rows(self, rows):
        valid = []
        for number, row in enumerate(rows):
            error = next(
                (error for name, field in self._header.fields.items() if (error := _value_error(row, name, field))),
                None,
            )
            if error:
                _log.warning("for schema, %d th data is wrong, %s", number, error)
            else:
                valid.append(row)
        return valid

    def _encode(self, row):
        header = self._header
        blob_fields = header.blob_fields
        raw = {name: _plain(row[name]) for name in header.fields if name not in blob_fields}
        blob, saved = codec.join_blob(row, blob_fields, header.fields) if blob_fields else (codec.NO_BLOB, 0)
        if not blob:
            raise RuntimeError(
                f"[ERROR] Invalid data, the blob data of a row is empty: field '{blob_fields[0]}' is "
                f"the only field of its kind and may not be empty bytes."
            )
        return (codec.pack_map(raw or codec.NO_RAW), blob), saved


def _plain(value):
    return value.item() if isinstance(value, np.generic) else value


def _size(what, size, least, most):
    if not isinstance(size, int) or isinstance(size, bool):
        raise TypeError(f"The {what} size should be int, but got {type(size)}.")
    if not least <= size <= most:
        raise RuntimeError(
            f"[ERROR] Invalid data, {what} size: {size} should be in range [{least} bytes, {most} bytes]."
        )
    if size % 4:
        raise RuntimeError(f"[ERROR] Invalid data, {what} size {size} should be divided by four.")
    return size


def _check_schema(content):
    if not content:
        raise MRMInvalidSchemaError("Schema content is empty.")
    if not isinstance(content, dict):
        raise MRMInvalidSchemaError("Schema content should be dict.")
    for name, field in content.items():
        if not isinstance(name, str) or not re.match(r"^[0-9a-zA-Z_]+$", name):
            raise MRMInvalidSchemaError(f"Field '{name}' should be composed of '0-9' or 'a-z' or 'A-Z' or '_'.")
        if not field or not isinstance(field, dict):
            raise MRMInvalidSchemaError(f"Field '{name}' should be dict.")
        if "type" not in field or not set(field) <= {"type", "shape"}:
            raise MRMInvalidSchemaError(f"Field '{field}' contains illegal attributes.")
        if field["type"] not in (VALID_ARRAY_ATTRIBUTES if "shape" in field else VALID_ATTRIBUTES):
            raise MRMInvalidSchemaError(f"Field '{name}' contain illegal attribute '{field['type']}'.")
        if not isinstance(field.get("shape", []), list):
            raise MRMInvalidSchemaError(f"Field '{name}' contain illegal attribute '{field['shape']}'.")


def _value_error(row, name, field):
    """The error in the value of one field of a row; None if it fits."""
    if name not in row:
        return f"there is not field: '{name}' in the raw data."
    value = row[name]
    kind = type(value).__name__
    if kind not in VALUE_TYPE_MAP:
        return f"data type: '{kind}' for field: '{name}' is not matched."
    if field["type"] not in VALUE_TYPE_MAP[kind]:
        return f"data type: '{field['type']}' for field: '{name}' is not matched."
    if kind != "ndarray":
        return f"data for field: '{name}' should be an array." if "shape" in field else None
    if "shape" not in field:
        return f"data shape for field: '{name}' is not specified."
    if field["type"] != str(value.dtype):
        return f"data type: '{value.dtype}' for field: '{name}' is not matched."
    try:
        np.reshape(value, field["shape"])
    except ValueError:
        return f"data shape: '{value.shape}' for field: '{name}' is not matched."
    return None
