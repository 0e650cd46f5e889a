"""`Schema`: names, types and shapes of the columns of a dataset."""

import json
from typing import Annotated

from ...core.spec.checking import checked
from ...core.spec.rules import Nothing, Raises
from ...core.values import dtype as mstype
from ..check import check
from ..rules import ColumnName, ReadableFile

_TYPES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "string",
)


def _type_name(kind):
    """Name of a column's type, given by name or as a MindSpore type."""
    check(kind is not None, "Expected non-empty string for de_type.", TypeError)
    if not isinstance(kind, str):
        kind = "string" if kind == mstype.string else mstype.to_numpy(kind).name
    check(kind in _TYPES, "Unknown column type.", TypeError)
    return kind


class Schema:
    """Names, types and shapes of columns, for datasets whose files do not contain them.

    Args:
        schema_file (str, optional): a JSON file with a schema. Default: None, an empty one.

    Raises:
        ValueError: there is no such file.
        RuntimeError: the file holds no schema.

    Examples:
        >>> from msjax.dataset import Schema
        >>> schema = Schema()
        >>> schema.add_column("col1", "int64", shape=[2])
        >>> schema.columns
        {'col1': ('int64', [2])}
    """

    @checked
    def __init__(self, schema_file: ReadableFile | Nothing = None):
        self.columns = {}  # name: (type, shape; None for a shape that is not known)
        self.dataset_type, self.num_rows = None, 0
        if schema_file:
            with open(schema_file, encoding="utf-8") as stream:
                try:
                    content = json.load(stream)
                except (ValueError, RecursionError) as error:
                    raise RuntimeError(
                        f"Invalid file, failed to parse the schema file {schema_file}: {error}."
                    ) from error
            self.from_json(content)

    @checked
    def add_column(
        self,
        name: Annotated[ColumnName, Raises(value=TypeError)],
        de_type: str | mstype.Type,
        shape: list[int] | None = None,
    ):
        """Add a column.

        Args:
            name (str): its name.
            de_type (Union[str, mindspore.dtype]): its type.
            shape (list[int], optional): its shape; -1 for a size that is not known. Default: None: one dimension of a
                size that is not known.

        Raises:
            TypeError: an argument is of the wrong type, or the type is unknown.
        """
        kind = _type_name(de_type)
        self.columns[name] = (kind, None if shape is None else list(shape))

    @checked
    def parse_columns(self, columns: Annotated[dict | list, Raises(RuntimeError)]):
        """Add columns.

        Args:
            columns (Union[dict, list[dict]]): name to {"type": ..., "shape": [...]}, or a list of such dicts that have
                a "name" too.

        Raises:
            RuntimeError: `columns` is neither, or a column lacks its type or name.
        """
        entries = columns if isinstance(columns, list) else [{**entry, "name": name} for name, entry in columns.items()]
        for entry in entries:
            check(isinstance(entry, dict), f"A column has to be a dict, but got {entry}.", RuntimeError)
            for key in ("name", "type"):
                check(entry.get(key), f"Column's {key} is missing: {entry}.", RuntimeError)
            shape = entry.get("shape")
            if shape is None and entry.get("rank") == 0:
                shape = []
            self.add_column(entry["name"], entry["type"], shape)

    @checked
    def from_json(self, json_obj: Annotated[dict, Raises(RuntimeError, value=RuntimeError)]):
        """Take over the columns, the type of dataset and the number of rows of a dict.

        Args:
            json_obj (dict): with "columns", and perhaps "datasetType" and "numRows".

        Raises:
            RuntimeError: it has other keys or no columns, or the number of rows is not positive.
        """
        for key in json_obj:
            check(key in ("datasetType", "numRows", "columns"), f"Unknown field {key}", RuntimeError)
        check("columns" in json_obj, "Columns are missing", RuntimeError)
        rows = json_obj.get("numRows", 0)
        check(
            "numRows" not in json_obj or (isinstance(rows, int) and rows > 0),
            "numRows must be greater than 0",
            RuntimeError,
        )
        self.dataset_type, self.num_rows = json_obj.get("datasetType"), rows
        columns = json_obj["columns"]
        # MindSpore sorts the columns of a dict by name and keeps the order of a list.
        self.parse_columns(dict(sorted(columns.items())) if isinstance(columns, dict) else columns)

    def to_json(self):
        """The schema as JSON text."""
        columns = []
        for name, (kind, shape) in self.columns.items():
            known = {} if shape is None else {"shape": shape}
            columns.append({"name": name, "rank": 1 if shape is None else len(shape), **known, "type": kind})
        content = {"columns": columns}
        if self.dataset_type:
            content["datasetType"] = self.dataset_type
        if self.num_rows:
            content["numRows"] = self.num_rows
        return json.dumps(content, indent=2)

    def __str__(self):
        return self.to_json()

    @staticmethod
    def get_num_rows(schema: "str | Schema | None"):
        """The number of rows in a schema, or in a JSON file with one; 0 if it has none."""
        return (schema if isinstance(schema, Schema) else Schema(schema)).num_rows
