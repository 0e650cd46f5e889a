"""Writes the rows of a dataset to record files."""

import itertools
import os
from collections.abc import Iterable

import numpy as np

from .writer import FileWriter

_BATCH = 1000
# NumPy type: the field type that keeps it, for scalars and arrays
_FIELD_TYPE = {
    "bool": "int32",
    "int8": "int32",
    "uint8": "int32",
    "int16": "int32",
    "uint16": "int32",
    "int32": "int32",
    "uint32": "int64",
    "int64": "int64",
    "uint64": "int64",
    "float16": "float32",
    "float32": "float32",
    "float64": "float64",
}


def _field(name, value):
    value = np.asarray(value)
    if value.dtype.kind in "US":
        if value.size != 1:
            raise RuntimeError(
                f"Invalid data, mindrecord can not support multi-dimensional string tensor, but column "
                f"'{name}' has the shape {value.shape}."
            )
        return {"type": "string" if value.dtype.kind == "U" else "bytes"}
    if value.dtype.name not in _FIELD_TYPE:
        raise RuntimeError(f"Invalid dtype, column '{name}' of {value.dtype} can not be saved to a mindrecord file.")
    kind = _FIELD_TYPE[value.dtype.name]
    if value.ndim == 0:
        return {"type": kind}
    # The first axis may differ from row to row.
    return {"type": kind, "shape": [-1, *value.shape[1:]]}


def _value(name, value, field):
    value = np.asarray(value)
    kind = field["type"]
    if kind == "string":
        return str(value.reshape(-1)[0])
    if kind == "bytes":
        return value.tobytes()
    if "shape" not in field:
        if value.ndim:
            raise RuntimeError(f"Invalid data, column '{name}' has rows of different rank.")
        return value.astype(kind).item()
    if value.ndim == 0 or value.shape[1:] != tuple(field["shape"][1:]):
        raise RuntimeError(
            f"Invalid data, column '{name}' has rows of shape {value.shape} and of shape "
            f"{tuple(field['shape'])}; only the first axis may differ."
        )
    return value.astype(kind)


def save_rows(rows: Iterable[dict], file_name: str, num_files: int = 1):
    """Write rows to record files; where that fails, the files are removed.

    Args:
        rows (Iterable[dict]): each a dict from a column's name to an array (a scalar, a string, or numbers).
        file_name (str): the file; with several files the number of the file is appended to it.
        num_files (int, optional): number of files, in [1, 1000]. Default: 1.

    Raises:
        RuntimeError: there is no row, a column cannot be kept, or a file cannot be written.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> from msjax.mindrecord import FileReader, save_rows
        >>> path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
        >>> save_rows([{"x": np.arange(2)}, {"x": np.arange(3)}], path)
        >>> [row["x"].tolist() for row in FileReader(path).get_next()]
        [[0, 1], [0, 1, 2]]
    """
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        raise RuntimeError(f"There is no row to save to {file_name}.")
    schema = {name: _field(name, value) for name, value in first.items()}
    writer = FileWriter(file_name, num_files)
    writer.add_schema(schema)
    scalars = sorted(name for name, field in schema.items() if "shape" not in field and field["type"] != "bytes")
    if scalars:
        writer.add_index(scalars)
    existed = {path for path in writer.paths if os.path.exists(path)}
    try:
        source = itertools.chain([first], rows)
        while batch := [
            {name: _value(name, value, schema[name]) for name, value in row.items()}
            for row in itertools.islice(source, _BATCH)
        ]:
            writer.write_raw_data(batch)
        writer.commit()
    except BaseException as error:
        writer.close()
        for path in set(writer.paths) - existed:
            for name in (path, path + ".db"):
                if os.path.exists(name):
                    os.remove(name)
        if isinstance(error, OSError):
            raise RuntimeError(f"Failed to save the dataset to {file_name}: {error}.") from error
        raise
