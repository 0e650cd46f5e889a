"""`MindPage`: looks rows up by the value of an indexed field, page by page."""

import json

from ..core.spec.checking import checked
from .constants import SUCCESS, Name, Position, RowCount, check_parameter
from .exceptions import MRMDefineCategoryError, ParamTypeError
from .index import column
from .reader import RecordSet


class MindPage:
    """Reads the rows of record files by category: all rows with one value of an indexed field.

    Args:
        file_name (Union[str, list[str]]): one file, which stands for all its shards, or exactly the files of a list.
        num_consumer (int, optional): accepted; number of readers, in [1, number of cores]. Default: 4.

    Raises:
        ParamValueError: `file_name` or `num_consumer` is not valid.
        RuntimeError: a file is missing or damaged.

    Examples:
        >>> import os, tempfile
        >>> from msjax.mindrecord import FileWriter, MindPage
        >>> path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
        >>> writer = FileWriter(path)
        >>> writer.add_schema({"label": {"type": "int32"}})
        >>> writer.add_index(["label"])
        >>> writer.write_raw_data([{"label": 1}, {"label": 2}, {"label": 1}])
        >>> writer.commit()
        >>> pages = MindPage(path)
        >>> pages.category_field = "label"
        >>> pages.read_category_info()
        '{"categories":[{"count":2,"id":0,"name":"1"},{"count":1,"id":1,"name":"2"}],"key":"label_0"}'
        >>> pages.read_at_page_by_name("1", 0, 10)
        [{'label': 1}, {'label': 1}]
    """

    @check_parameter
    def __init__(self, file_name: str | list[str], num_consumer: int = 4):
        self._records = RecordSet(file_name)
        self._category_field = None
        self._categories = None

    @property
    def candidate_fields(self):
        """Names of the indexed fields."""
        return list(self._records.header.index_fields)

    @property
    def category_field(self):
        """The field that rows are grouped by; None before it is set."""
        return self._category_field

    @category_field.setter
    def category_field(self, category_field: str):
        """Choose the field that rows are grouped by.

        Raises:
            ParamTypeError: it is not a str.
            MRMDefineCategoryError: it is not indexed.
        """
        if not category_field or not isinstance(category_field, str):
            raise ParamTypeError("category_fields", "str")
        if category_field not in self.candidate_fields:
            raise MRMDefineCategoryError(f"Field '{category_field}' is not a candidate category field.")
        self._category_field, self._categories = category_field, None
        return SUCCESS

    def _groups(self):
        """Name of each category to the numbers of its rows, sorted by name."""
        if self._category_field is None:
            if not self.candidate_fields:
                raise RuntimeError(
                    "Invalid data, there is no indexed field in the mindrecord files. Please use "
                    "'FileWriter.add_index' when writing them."
                )
            self._category_field = self.candidate_fields[0]
        if self._categories is None:
            groups = {}
            for number, value in enumerate(self._records.field_values(self._category_field)):
                groups.setdefault(_name(value), []).append(number)
            self._categories = dict(sorted(groups.items()))
        return self._categories

    def read_category_info(self):
        """JSON text that gives the name, number and number of rows of each category."""
        groups = self._groups()
        categories = [
            {"count": len(rows), "id": number, "name": name} for number, (name, rows) in enumerate(groups.items())
        ]
        return json.dumps(
            {"categories": categories, "key": column(self._category_field)}, separators=(",", ":"), ensure_ascii=False
        )

    @checked
    def read_at_page_by_id(self, category_id: Position, page: Position, num_row: RowCount):
        """One page of the rows of a category.

        Args:
            category_id (int): number of the category, from 0.
            page (int): number of the page, from 0.
            num_row (int): rows in a page.

        Returns:
            list[dict], the rows.

        Raises:
            ParamValueError: an argument is not valid.
            RuntimeError: there is no such category.
        """
        groups = list(self._groups().values())
        if category_id >= len(groups):
            raise RuntimeError(f"Invalid data, category_id: {category_id} must be in the range [0, {len(groups)}].")
        return self._page(groups[category_id], page, num_row)

    @checked
    def read_at_page_by_name(self, category_name: Name, page: Position, num_row: RowCount):
        """One page of the rows of a category.

        Args:
            category_name (str): the value of the field, as text.
            page (int): number of the page, from 0.
            num_row (int): rows in a page.

        Returns:
            list[dict], the rows.

        Raises:
            ParamValueError: an argument is not valid.
            RuntimeError: there is no such category.
        """
        rows = self._groups().get(category_name)
        if rows is None:
            raise RuntimeError(f"Invalid data, category_name: {category_name} could not found.")
        return self._page(rows, page, num_row)

    def _page(self, rows, page, num_row):
        return [self._records.row(number) for number in rows[page * num_row : (page + 1) * num_row]]


def _name(value):
    """The text of a category, which for a float is SQLite's: 15 digits, always with a point."""
    if not isinstance(value, float):
        return str(value)
    digits, e, exponent = f"{value:.15g}".partition("e")
    return digits + ("" if "." in digits else ".0") + e + exponent
