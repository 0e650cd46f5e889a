"""Schema: names, types and shapes of the columns of a dataset."""

from __future__ import annotations

import json

from msjax.core import dtype as mstype
from msjax.dataset.check import check, check_file, check_list_of, check_type

_TYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
          "string")


def type_name(value):
    """The name of a column type given as a MindSpore type or a name."""
    if isinstance(value, mstype.Type):
        name = "string" if value == mstype.string else str(mstype.to_numpy(value))
    else:
        name = value
    check(name in _TYPES, "Unknown column type.", TypeError)
    return name


class Schema:
    """Names, types and shapes of columns.

    Args:
        schema_file (str, optional): a JSON file with "columns" and perhaps "numRows" and "datasetType".

    Raises:
        ValueError: the file does not exist.
        RuntimeError: it holds something else.

    Example:
        >>> import msjax.dataset as ds
        >>> schema = ds.Schema()
        >>> schema.add_column(name="x", de_type="int64", shape=[2])
        >>> schema.names()
        ['x']
    """

    def __init__(self, schema_file=None):
        if schema_file:
            check_file(schema_file)
        self.schema_file = schema_file or ""
        self.columns = {}
        self.num_rows = 0
        self.dataset_type = ""
        if schema_file:
            with open(schema_file, encoding="utf-8") as stream:
                try:
                    self.from_json(json.load(stream))
                except json.JSONDecodeError as err:
                    raise RuntimeError(f"Invalid file, failed to parse schema file: {schema_file}: {err}") from err

    def add_column(self, name, de_type, shape=None):
        """Adds a column.

        Args:
            name (str): its name.
            de_type (Union[str, mindspore.dtype]): its type.
            shape (list[int], optional): its shape, -1 for an axis of any size; None: any shape.

        Raises:
            TypeError: the type is unknown, or an argument is of the wrong type.
        """
        check_type(name, str, "name")
        check(name, "Expected non-empty string for column name.", TypeError)
        check(de_type is not None, "Expected non-empty string for de_type.", TypeError)
        if shape is not None:
            check_list_of(shape, int, "shape")
        column = {"type": type_name(de_type), "rank": 0 if shape is None else len(shape)}
        if shape is not None:
            column["shape"] = list(shape)
        self.columns[name] = column

    def parse_columns(self, columns):
        """Adds the columns of a dict from name to {"type", "shape"}, or of a list of dicts with "name" too.

        Raises:
            RuntimeError: a column has no name or no type.
        """
        check_type(columns, (dict, list), "columns")
        items = list(columns.items()) if isinstance(columns, dict) else [(item.get("name"), item) for item in columns]
        for name, item in items:
            check(name, "Invalid data, column name is missing.", RuntimeError)
            check("type" in item, f"Invalid data, column type is missing for column: {name}.", RuntimeError)
            self.add_column(name, item["type"], item.get("shape"))

    def from_json(self, json_obj):
        """Takes over "datasetType", "numRows" and "columns" of a dict."""
        check_type(json_obj, dict, "json_obj")
        check("columns" in json_obj, "Invalid data, \"columns\" is missing in the schema.", RuntimeError)
        self.dataset_type = json_obj.get("datasetType", "")
        self.num_rows = json_obj.get("numRows", 0)
        check(self.num_rows >= 0, "Invalid data, numRows must be greater than or equal to 0.", RuntimeError)
        self.columns = {}
        self.parse_columns(json_obj["columns"])

    def to_json(self):
        """The schema as a JSON string."""
        described = {"columns": self.columns}
        if self.dataset_type:
            described["datasetType"] = self.dataset_type
        if self.num_rows:
            described["numRows"] = self.num_rows
        return json.dumps(described, indent=2)

    def names(self):
        """Names of the columns, a list of str."""
        return list(self.columns)

    def __str__(self):
        return self.to_json()

    @staticmethod
    def get_num_rows(schema):
        """Rows that a Schema, or the schema file of that path, tells of."""
        return (schema if isinstance(schema, Schema) else Schema(schema)).num_rows
