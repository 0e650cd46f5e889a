"""Files that are not as their format says: whatever a reader stumbles over becomes one kind of error."""

import struct
from typing import Any

_STUMBLES = (LookupError, AttributeError, ArithmeticError, TypeError, struct.error, EOFError, RecursionError)


class read_as_told:
    """Context in which a source reads its files; a missing file or one of another format is a RuntimeError that names
    the source.

    A ValueError and an OSError say what they mean already and stay.
    """

    __slots__ = ("source",)

    def __init__(self, source: Any):
        self.source = source

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, _STUMBLES):
            source = self.source
            where = getattr(source, "dataset_dir", None) or getattr(source, "dataset_file", None)
            raise RuntimeError(
                f"Invalid file, the files of {type(source).__name__} in {where} are damaged, or do not belong together: {error!r}."
            ) from error


def rows_as_told(source: Any, file: str):
    """The rows of one file of a source, read so."""
    with read_as_told(source):
        yield from source.file_rows(file)
