"""The index of a record file: an SQLite database beside it that tells where each row is, with its indexed fields."""

import contextlib
import os
import re
import sqlite3
import urllib.parse
from collections.abc import Sequence
from typing import Any

import numpy as np

_PLACE = (
    "PAGE_ID_RAW",
    "PAGE_OFFSET_RAW",
    "PAGE_OFFSET_RAW_END",
    "PAGE_ID_BLOB",
    "PAGE_OFFSET_BLOB",
    "PAGE_OFFSET_BLOB_END",
)
_SQL_TYPE = {"int32": "INTEGER", "int64": "INTEGER", "float32": "REAL", "float64": "REAL", "string": "TEXT"}


def _connect(path):
    return contextlib.closing(sqlite3.connect(path))


_LEAST_BYTES = 1 << 20


@contextlib.contextmanager
def _reading(path):
    """A connection to a database that somebody else may have made: nothing is written, and only a plain table is asked.

    Raises:
        sqlite3.Error: it is not a database. ValueError: its INDEXES is a view, a virtual table, or computed.
    """
    address = "file:" + urllib.parse.quote(os.path.abspath(path)) + "?mode=ro&immutable=1"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, max(_LEAST_BYTES, os.path.getsize(path)))
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        database.execute("PRAGMA trusted_schema=OFF")
        database.execute("PRAGMA cell_size_check=ON")
        made = database.execute("SELECT type, sql FROM sqlite_master WHERE name = 'INDEXES' COLLATE NOCASE").fetchall()
        if [kind for kind, _ in made] != ["table"] or not str(made[0][1]).upper().startswith("CREATE TABLE"):
            raise ValueError("it has no plain table INDEXES")
        if any(hidden for *_, hidden in database.execute("PRAGMA table_xinfo(INDEXES)")):
            raise ValueError("its table INDEXES has computed columns")
        yield database


def column(field: str):
    """Name of an indexed field in the database: the field, then the number of its schema (always the first)."""
    return f"{field}_0"


def quoted(name: str):
    """A name as SQL takes it; plain ones bare, as MindSpore writes them."""
    return name if re.fullmatch(r"\w+", name) else '"' + name.replace('"', '""') + '"'


def build(path: str, name: str, header: Any, rows: Sequence):
    """Write the index database at `path`.

    Args:
        path: the database; replaced if it is there.
        name: base name of the record file.
        header: the file's header (schema and index fields).
        rows: what `shard.scan` gives.

    Raises:
        RuntimeError: the database cannot be written.
    """
    if os.path.exists(path):
        os.remove(path)
    fields = header.index_fields
    extra = "".join(
        f",INC_{number} INT, {quoted(column(field))} {_SQL_TYPE[header.fields[field]['type']]}"
        for number, field in enumerate(fields)
    )
    key = ",".join(["ROW_ID", *(f"INC_{number}" for number in range(len(fields)))])
    create = (
        f"CREATE TABLE INDEXES(  ROW_ID               INT  NOT NULL, PAGE_ID_RAW          INT  NOT NULL, "
        f"PAGE_OFFSET_RAW      INT  NOT NULL, PAGE_OFFSET_RAW_END  INT  NOT NULL, ROW_GROUP_ID         INT  NOT "
        f"NULL, PAGE_ID_BLOB         INT  NOT NULL, PAGE_OFFSET_BLOB     INT  NOT NULL, PAGE_OFFSET_BLOB_END INT "
        f" NOT NULL{extra}, PRIMARY KEY({key}))"
    )
    places = ",".join("?" * (8 + 2 * len(fields)))

    def entries():
        for number, (group, raw_page, raw_at, raw_end, blob_page, blob_at, blob_end, raw) in enumerate(rows):
            values = [part for field in fields for part in (0, raw[field])]
            yield (number, raw_page, raw_at, raw_end, group, blob_page, blob_at, blob_end, *values)

    try:
        with _connect(path) as database, database:
            database.execute(create)
            database.executemany(f"INSERT INTO INDEXES VALUES({places})", entries())
            database.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
            database.execute("INSERT INTO SHARD_NAME VALUES(?)", (name,))
    except sqlite3.Error as error:
        raise RuntimeError(f"Failed to write the index file {path}: {error}.") from error


def _query(path, sql, parameters=()):
    try:
        with _reading(f"{path}") as database:
            return database.execute(sql, parameters).fetchall()
    except (sqlite3.Error, ValueError, MemoryError) as error:
        raise RuntimeError(
            f"Invalid file, the index file {path} can not be read: {error}. Please use 'FileWriter' "
            f"to generate valid mindrecord files."
        ) from error


def read_places(path: str):
    """Where each row is: int64 array of shape (rows, 6): raw page, start, end, blob page, start, end."""
    rows = _query(path, f"SELECT {','.join(_PLACE)} FROM INDEXES ORDER BY ROW_ID")
    try:
        return np.array(rows, np.int64).reshape(-1, 6)
    except (TypeError, ValueError, OverflowError) as error:
        raise RuntimeError(
            f"Invalid file, the index file {path} has a position that is not a number: {error}."
        ) from error


def read_field(path: str, field: str):
    """Values of an indexed field for all rows, in order."""
    return [value for (value,) in _query(path, f"SELECT {quoted(column(field))} FROM INDEXES ORDER BY ROW_ID")]
