"""One record file on disk: a header, then pages of equal size; raw pages and blob pages alternate as they fill.

Layout: 8 bytes length of the header text (little endian), the text (JSON), zeros up to ``header_size``; page number k
begins at ``header_size + k * page_size``. In a page, each part of a row stands behind its length (8 bytes, little
endian). A *row group* is the rows of one blob page; its raw parts always lie together in one raw page.
"""

import json
import os
import struct
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from . import codec, index
from .constants import (
    DEFAULT_HEADER_SIZE,
    DEFAULT_PAGE_SIZE,
    MAX_HEADER_SIZE,
    MAX_PAGE_SIZE,
    VALID_ARRAY_ATTRIBUTES,
    VALID_ATTRIBUTES,
    check_record_file,
)

_LENGTH = struct.Struct("<Q")
_VERSION = "3.0"
_RAW, _BLOB = "RAW_DATA", "BLOB_DATA"


@dataclass
class Page:
    """The header's record of one page; sizes in bytes."""

    number: int
    kind: str
    kind_number: int
    start_row: int = 0
    end_row: int = 0
    size: int = 0
    groups: list = field(default_factory=lambda: [[0, 0]])  # of a raw page: [row group, offset at which it begins]

    def to_json(self, shard: int):
        return {
            "end_row_id": self.end_row,
            "page_id": self.number,
            "page_size": self.size,
            "page_type": self.kind,
            "page_type_id": self.kind_number,
            "row_group_ids": [{"id": i, "offset": at} for i, at in self.groups],
            "shard_id": shard,
            "start_row_id": self.start_row,
        }

    @classmethod
    def from_json(cls, entry: dict):
        groups = [[group["id"], group["offset"]] for group in entry["row_group_ids"]]
        return cls(
            entry["page_id"],
            entry["page_type"],
            entry["page_type_id"],
            entry["start_row_id"],
            entry["end_row_id"],
            entry["page_size"],
            groups,
        )


@dataclass
class Header:
    """The header of one file: the schema and index fields, the pages, and where the other shards are."""

    fields: dict = field(default_factory=dict)  # name: {"type": ..., "shape": [...]}
    description: str = ""
    index_fields: list = field(default_factory=list)
    header_size: int = DEFAULT_HEADER_SIZE
    page_size: int = DEFAULT_PAGE_SIZE
    shard_addresses: list = field(default_factory=list)
    shard_id: int = 0
    pages: list = field(default_factory=list)
    compression_size: int = 0

    @property
    def blob_fields(self):
        """Names of the fields that are kept in blob pages (bytes and arrays), sorted."""
        return sorted(name for name, kind in self.fields.items() if kind["type"] == "bytes" or "shape" in kind)

    def to_bytes(self):
        """The header as it stands at the beginning of the file, its length in front.

        Raises:
            RuntimeError: it is longer than ``header_size``.
        """

        def dump(value):
            return json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=True)

        schema = [{"blob_fields": self.blob_fields, "desc": self.description, "schema": self.fields}]
        indexes = [{"index_field": name, "schema_id": 0} for name in self.index_fields] or None
        pages = [page.to_json(self.shard_id) for page in self.pages]
        parts = (
            ("header_size", self.header_size),
            ("index_fields", indexes),
            ("page", pages),
            ("page_size", self.page_size),
            ("compression_size", self.compression_size),
            ("schema", schema),
            ("shard_addresses", self.shard_addresses),
            ("shard_id", self.shard_id),
            ("statistics", None),
            ("version", _VERSION),
        )
        text = ("{" + ",".join(f'"{name}":{dump(value)}' for name, value in parts) + "}").encode("utf-8")
        if 8 + len(text) > self.header_size:
            raise RuntimeError(
                f"Invalid data, the header needs {8 + len(text)} bytes but header size is "
                f"{self.header_size}. Please use 'set_header_size' to enlarge it, or 'set_page_size' "
                f"to have fewer pages."
            )
        return _LENGTH.pack(len(text)) + text

    @classmethod
    def from_file(cls, path: str):
        """Read the header of the file at `path`.

        Raises:
            RuntimeError: the file is missing, too small or not a record file.
        """
        size = check_record_file(path)
        with open(path, "rb") as stream:
            length = _LENGTH.unpack(stream.read(8))[0]
            if length > min(MAX_HEADER_SIZE, size):
                raise RuntimeError(
                    f"Invalid file, the size of mindrecord file header is larger than the upper limit.\n"
                    f" The invalid mindrecord file is [{path}].\n"
                    f" Please use 'FileWriter' to generate valid mindrecord files."
                )
            text = stream.read(length)
        try:
            content = json.loads(text)
            schema = content["schema"][0]
            header = cls(
                schema["schema"],
                schema["desc"],
                [entry["index_field"] for entry in content["index_fields"] or []],
                content["header_size"],
                content["page_size"],
                content["shard_addresses"],
                content["shard_id"],
                [Page.from_json(entry) for entry in content["page"] or []],
                content.get("compression_size", 0),
            )
            header.check()
            return header
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
            raise RuntimeError(
                f"Invalid file, the header of the mindrecord file [{path}] is damaged ({error!r}). "
                f"Please use 'FileWriter' to generate valid mindrecord files."
            ) from error

    def check(self):
        """Raise ValueError unless everything is of the kind that a writer gives it: later code relies on it."""
        for name, kind in self.fields.items():
            shape = kind.get("shape", [-1])
            if (
                kind["type"] not in (VALID_ARRAY_ATTRIBUTES if "shape" in kind else VALID_ATTRIBUTES)
                or not isinstance(shape, list)
                or not all(type(length) is int and length >= -1 for length in shape)
            ):
                raise ValueError(f"the field {name!r} has the form {kind}")
        scalars = set(self.fields) - set(self.blob_fields)
        if not isinstance(self.description, str) or not set(self.index_fields) <= scalars:
            raise ValueError(f"the index fields {self.index_fields} are not scalar fields")
        if not all(isinstance(name, str) and os.path.basename(name) == name for name in self.shard_addresses):
            raise ValueError("the files of the other shards are not beside this one")
        numbers = [self.header_size, self.page_size, self.shard_id]
        for page in self.pages:
            numbers += [page.number, page.kind_number, page.start_row, page.end_row, page.size, *sum(page.groups, [])]
        numbers.append(abs(self.compression_size))  # packing may also cost
        if not all(type(number) is int and 0 <= number < 1 << 48 for number in numbers):
            raise ValueError("a size or a number is not an int")
        if {page.kind for page in self.pages} not in (set(), {_RAW, _BLOB}):
            raise ValueError("its pages are not raw pages and blob pages")
        if self.page_size > MAX_PAGE_SIZE or self.header_size > MAX_HEADER_SIZE:
            raise ValueError(f"pages of {self.page_size} bytes, a header of {self.header_size}")


class ShardWriter:
    """Appends rows to the pages of one record file.

    Args:
        path: the file, which must exist.
        header: its `Header`; pages and sizes in it are kept up to date, `flush` writes it.
    """

    def __init__(self, path: str, header: Any):
        self.header = header
        self.path = path
        self._stream = open(path, "r+b")

    def write(self, rows: Sequence):
        """Append rows.

        Args:
            rows: list of (raw part, blob part), both bytes.

        Raises:
            RuntimeError: a part of a row does not fit into a page.
        """
        rows = [(_LENGTH.pack(len(raw)) + raw, _LENGTH.pack(len(blob)) + blob) for raw, blob in rows]
        for raw, blob in rows:
            for kind, part in (("raw", raw), ("blob", blob)):
                if len(part) > self.header.page_size:
                    raise RuntimeError(
                        f"[ERROR] Invalid data, Page size: {self.header.page_size} is too small to save a {kind} row. "
                        f"Please try to use the mindrecord api 'set_page_size(value)' to enable larger page size, and "
                        f"the value range is in [32768 bytes, 268435456 bytes]."
                    )
        raw_page, blob_page = self._last(_RAW), self._last(_BLOB)
        chunks = self._cut(rows, raw_page, blob_page)
        for number, chunk in enumerate(chunks):
            if number:  # chunk 0 is what still fits into the open blob page
                row = blob_page.end_row if blob_page else 0
                blob_page = self._new_page(_BLOB, start_row=row, end_row=row)
            if chunk:
                self._append(blob_page, b"".join(blob for _, blob in chunk), len(chunk))
        self._write_raw(chunks, raw_page)

    def _last(self, kind):
        return next((page for page in reversed(self.header.pages) if page.kind == kind), None)

    def _new_page(self, kind, **values):
        last = self._last(kind)
        # MindSpore counts blob pages, but numbers a raw page after the place of the raw page before it.
        number = 0 if last is None else 1 + (last.kind_number if kind == _BLOB else last.number)
        page = Page(len(self.header.pages), kind, number, **values)
        self.header.pages.append(page)
        return page

    def _seek(self, page, offset):
        self._stream.seek(self.header.header_size + page.number * self.header.page_size + offset)

    def _append(self, page, data, rows=0):
        self._seek(page, page.size)
        self._stream.write(data)
        page.size += len(data)
        page.end_row += rows

    def _cut(self, rows, raw_page, blob_page):
        """Split rows where a blob page, or the raw parts of its row group, would grow over a page."""
        limit = self.header.page_size
        blob_size = blob_page.size if blob_page else 0
        raw_size = raw_page.size - raw_page.groups[-1][1] if raw_page else 0
        chunks = [[]]
        for raw, blob in rows:
            if blob_size == 0 or blob_size + len(blob) > limit or raw_size + len(raw) > limit:
                chunks.append([])
                blob_size = raw_size = 0
            blob_size += len(blob)
            raw_size += len(raw)
            chunks[-1].append((raw, blob))
        return chunks

    def _write_raw(self, chunks, page):
        group = page.groups[-1][0] if page else -1
        for number, chunk in enumerate(chunks):
            data = b"".join(raw for raw, _ in chunk)
            if not data:
                continue
            if number == 0 and page.size + len(data) > self.header.page_size:
                page = self._shift(page)  # the row group may not be torn apart
            elif page is None or page.size + len(data) > self.header.page_size:
                page = self._new_page(_RAW, groups=[])
            if number:
                group += 1
                page.groups.append([group, page.size])
            self._append(page, data)

    def _shift(self, page):
        """Move the last row group of a full raw page to a new one."""
        group, offset = page.groups.pop()
        self._seek(page, offset)
        data = self._stream.read(page.size - offset)
        page.size = offset
        page = self._new_page(_RAW, groups=[[group, 0]])
        self._append(page, data)
        return page

    def flush(self):
        """Write the header, so that the file can be read."""
        self._stream.seek(0)
        self._stream.write(self.header.to_bytes())
        self._stream.flush()

    def close(self):
        self._stream.close()


def _cut_short(path, page, end):
    return RuntimeError(
        f"Invalid file, the mindrecord file [{path}] is cut short: page {page} should hold {end} bytes."
    )


def _raw_parts(stream, header, page, start, end):
    """The parts between two offsets of a page: (offset, end, content)."""
    stream.seek(header.header_size + page * header.page_size + start)
    size = end - start
    data = stream.read(size) if 0 <= size <= header.page_size else b""  # reading sets aside what it is told to read
    if len(data) != size:
        raise _cut_short(stream.name, page, end)
    at = 0
    while at < len(data):
        size = 8 + _LENGTH.unpack_from(data, at)[0] if at + 8 <= len(data) else len(data) + 1
        if at + size > len(data):
            raise _cut_short(stream.name, page, end)
        yield start + at, start + at + size, data[at + 8 : at + size]
        at += size


_seeking = threading.Lock()


def _read_at(file, count, at):
    """So many bytes of a descriptor from a place on; threads may read one descriptor at once."""
    if hasattr(os, "pread"):
        return os.pread(file, count, at)
    with _seeking:  # Windows
        os.lseek(file, at, os.SEEK_SET)
        return os.read(file, count)


def _bounds(stream, header, page, end):
    """The bounds of the parts of a page, from their lengths alone: blob pages may be larger than the memory."""
    at = 0
    while at < end:
        length = _read_at(stream.fileno(), 8, header.header_size + page * header.page_size + at)
        if len(length) < 8:
            raise _cut_short(stream.name, page, end)
        size = 8 + _LENGTH.unpack(length)[0]
        if at + size > end:
            raise _cut_short(stream.name, page, end)
        yield at, at + size
        at += size


def scan(path: str, header: Header):
    """All rows of a file in order: (row group, raw page, raw offsets, blob page, blob offsets, raw fields).

    Used to build the index; `raw fields` is the unpacked raw part.
    """
    groups = {}
    for page in header.pages:
        if page.kind == _RAW:
            bounds = [offset for _, offset in page.groups] + [page.size]
            for (group, start), end in zip(page.groups, bounds[1:]):
                groups[group] = (page.number, start, end)
    with open(path, "rb") as stream:
        for blob_page in (page for page in header.pages if page.kind == _BLOB):
            if blob_page.kind_number not in groups:
                raise RuntimeError(f"Invalid file, the mindrecord file [{path}] lacks the raw page of a blob page.")
            raw_page, *raw_span = groups[blob_page.kind_number]
            raws = _raw_parts(stream, header, raw_page, *raw_span)
            blobs = _bounds(stream, header, blob_page.number, blob_page.size)
            for (raw_at, raw_end, raw), (blob_at, blob_end) in zip(raws, blobs, strict=True):
                yield (
                    blob_page.kind_number,
                    raw_page,
                    raw_at,
                    raw_end,
                    blob_page.number,
                    blob_at,
                    blob_end,
                    codec.unpack(raw),
                )


class Shard:
    """Random access to the rows of one record file; safe to use from several threads.

    Args:
        path: the record file; its index is beside it at ``path + ".db"``.
    """

    def __init__(self, path: str):
        self.path = path
        self.header = Header.from_file(path)
        check_record_file(path + ".db")
        self.places = index.read_places(path + ".db")
        self._blob_fields = self.header.blob_fields
        self._file, self._close, self._lock = None, None, threading.Lock()

    def __len__(self):
        return len(self.places)

    def __getstate__(self):
        return {**self.__dict__, "_file": None, "_close": None, "_lock": None}

    def __setstate__(self, state):
        self.__dict__.update(state, _lock=threading.Lock())

    def _part(self, page, start, end):
        with self._lock:
            if self._file is None:
                self._file = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
                self._close = weakref.finalize(self, os.close, self._file)
        at = self.header.header_size + page * self.header.page_size + start
        told = min(page, start, end - start) >= 0 and max(start, end) <= self.header.page_size and at < 1 << 60
        data = _read_at(self._file, end - start, at) if told else b""  # reading sets aside what it is told to read
        if len(data) < 8 or len(data) != 8 + _LENGTH.unpack_from(data)[0]:
            raise RuntimeError(
                f"Invalid file, the mindrecord file [{self.path}] is cut short or does not belong to "
                f"its index file [{self.path}.db]."
            )
        return data[8:]

    def row(self, number: int, columns: Sequence[str] | None = None):
        """Fields of one row as a dict: scalars as Python values, bytes, arrays.

        Args:
            number: the row in this file.
            columns: names to read; None for all.
        """
        raw_page, raw_start, raw_end, blob_page, blob_start, blob_end = self.places[number].tolist()
        try:
            return self._row(raw_page, raw_start, raw_end, blob_page, blob_start, blob_end, columns)
        except ValueError as error:
            raise RuntimeError(
                f"Invalid file, row {number} of the mindrecord file [{self.path}] is damaged: {error}"
            ) from error

    def _row(self, raw_page, raw_start, raw_end, blob_page, blob_start, blob_end, columns):
        fields = self.header.fields
        row = {}
        if len(self._blob_fields) < len(fields) and (columns is None or set(columns) - set(self._blob_fields)):
            raw = codec.unpack(self._part(raw_page, raw_start, raw_end))
            if not isinstance(raw, dict):
                raise ValueError("its raw part is not a map")
            row = {name: value for name, value in raw.items() if name in fields}
        wanted = [name for name in self._blob_fields if columns is None or name in columns]
        if wanted:
            row.update(codec.split_blob(self._part(blob_page, blob_start, blob_end), self._blob_fields, wanted, fields))
        return row

    def close(self):
        """Close the file; a later read opens it again."""
        with self._lock:
            if self._file is not None:
                self._close()
                self._file = None
