"""LineReader: random access to the lines of a text file."""

import logging
import os

from ...core.spec.checking import checked
from ..check import check, check_interval

_log = logging.getLogger("msjax.dataset")


class LineReader:
    r"""A text file as a sequence of lines; where each begins is looked up once.

    Args:
        filename (str): path of the file.

    Raises:
        TypeError: `filename` is not a str.
        RuntimeError: there is no such file.

    Example:
        >>> import os, tempfile
        >>> from msjax.dataset import LineReader
        >>> path = os.path.join(tempfile.mkdtemp(), "lines.txt")
        >>> with open(path, "w") as stream:
        ...     _ = stream.write("one\ntwo\n")
        >>> with LineReader(path) as reader:
        ...     print(reader.readline(2), reader.len())
        two 2
    """

    _stream = None

    @checked
    def __init__(self, filename: str):
        self.filename = os.path.realpath(filename)
        check(os.path.exists(self.filename), f"The input file [{filename}] does not exist.", RuntimeError)
        check(os.path.isfile(self.filename), f"The input file [{filename}] is not a regular file.", RuntimeError)
        self.offsets, place = [], 0
        with open(self.filename, "rb") as stream:
            for line in stream:
                self.offsets.append(place)
                place += len(line)
        if not self.offsets:
            _log.warning("The input file [%s] is empty.", filename)

    def len(self):
        """Number of lines."""
        return len(self.offsets)

    @checked
    def readline(self, line: int):
        """Line number `line` (int, from 1) without its line break.

        Raises:
            TypeError: `line` is not an int.
            ValueError: there is no such line.
        """
        check_interval(line, 1, len(self.offsets), "line")
        if self._stream is None:
            self._stream = open(self.filename, "rb")
        self._stream.seek(self.offsets[line - 1])
        content = self._stream.readline().decode()
        for end in ("\r\n", "\n", "\r"):
            if content.endswith(end):
                return content.removesuffix(end)
        return content

    def close(self):
        """Closes the file; reading opens it again."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def __getitem__(self, line):
        return self.readline(line)

    def __len__(self):
        return self.len()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def __del__(self):
        self.close()

    def __getstate__(self):  # a file handle cannot go to another process
        return {"filename": self.filename, "offsets": self.offsets}
