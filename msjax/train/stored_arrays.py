"""Arrays in files, of which parts can be read alone, by runs of bytes. A file stays open as long as one of its arrays may still be read.

So it may be replaced (`save_checkpoint` does) or removed meanwhile: what was opened is read. Where other programs write into the file
itself, reading says so.
"""

from __future__ import annotations

import bisect
import math
import mmap
import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..core.values.filled import aligned, everything
from .protobuf import Damaged

_AT_ONCE = 8 << 20  # bytes that are read at a time where they must be picked or cast
_SHORT_RUN = 16 << 10  # bytes: rather than many runs shorter than this, all between them is read


def unreadable(path: str | os.PathLike, why: object) -> ValueError:
    """The error for a damaged file; the message names it."""
    return ValueError(f"Failed to read the checkpoint file {os.fspath(path)}. {why}")


_open: weakref.WeakSet[Source] = weakref.WeakSet()
_MOST_OPEN = 200  # a process may have 1024 open files, of all kinds


def may_stay_open() -> bool:
    """Whether so few files are open that another one may wait to be read."""
    return len(_open) <= _MOST_OPEN


class Source:
    """The bytes of an open file, or of `data`.

    Args:
        path: The file; messages name it.
        data: Its content, where that is not what the file holds (it was encrypted).
    """

    def __init__(self, path: str | os.PathLike, data: bytes | None = None):
        self.path, self._bytes, self._turns = os.fspath(path), data, threading.Lock()
        self._file = None
        if data is None:
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0))
            weakref.finalize(self, os.close, self._file)  # open as long as an array refers to it
            _open.add(self)
        self._was = self._now()

    def _now(self):
        if self._file is None:
            return None
        status = os.fstat(self._file)
        return status.st_size, status.st_mtime_ns

    def content(self) -> memoryview:
        """All bytes, for one who looks at few of them; empty for an empty file."""
        if self._file is None:
            return memoryview(self._bytes)
        return memoryview(mmap.mmap(self._file, 0, access=mmap.ACCESS_READ) if self._was[0] else b"")

    def read_into(self, target: memoryview, at: int) -> None:
        """Read bytes from this place on.

        Raises:
            Damaged: the file is shorter than it was.
        """
        if self._file is None:
            target[:] = memoryview(self._bytes)[at : at + len(target)]
            return
        while target:  # not through a mapping: touching its pages is slower, and holds memory
            if hasattr(os, "preadv"):
                count = os.preadv(self._file, [target[: 1 << 30]], at)
            else:
                with self._turns:
                    os.lseek(self._file, at, os.SEEK_SET)
                    part = os.read(self._file, min(len(target), _AT_ONCE))
                count = len(part)
                target[:count] = part
            if not count:
                raise Damaged("It became shorter while it was read.")
            at, target = at + count, target[count:]

    def blocks(self, end: int) -> Iterator[memoryview]:
        """The bytes up to `end`, some at a time."""
        memory = memoryview(bytearray(min(end, _AT_ONCE)))
        for at in range(0, end, _AT_ONCE):
            part = memory[: min(_AT_ONCE, end - at)]
            self.read_into(part, at)
            yield part

    def check(self) -> None:
        """Raises Damaged where something was written into the file since it was opened."""
        if self._now() != self._was:
            raise Damaged(
                "Another program wrote into it after it was opened, before all was read. Load it again; files that are in use are to be "
                "replaced (written under another name, then renamed)."
            )


@dataclass(frozen=True)
class StoredArray:
    """An array in a file.

    Args:
        source: The file.
        runs: (where it begins, how many bytes) of each piece of its content, which is in C order.
        shape: The axes.
        dtype: The NumPy dtype.
    """

    source: Source
    runs: Sequence[tuple[int, int]]
    shape: tuple[int, ...]
    dtype: np.dtype

    @property
    def nbytes(self) -> int:
        """The size of the values in bytes."""
        return math.prod(self.shape) * self.dtype.itemsize

    def read(self) -> np.ndarray:
        """The values, in memory that JAX takes over on the CPU.

        Raises:
            ValueError: the file was changed meanwhile.
        """
        array = aligned(self.shape, self.dtype)
        self.fill(array, everything(self.shape))
        return array

    def fill(self, target: np.ndarray, index: tuple[slice, ...]) -> None:
        """Read a part into an array, in its dtype.

        Raises:
            ValueError: the file was changed meanwhile.
        """
        try:
            self._fill(target, index, self.shape, 0)
            self.source.check()
        except Damaged as why:
            raise unreadable(self.source.path, why) from None

    def _fill(self, target, index, shape, at):
        """The part `index` of an array of this shape that begins at byte `at` of the content."""
        if not target.size:
            return
        row = math.prod(shape[1:]) * self.dtype.itemsize
        if target.flags.c_contiguous and all(s.stop - s.start == n for s, n in zip(index[1:], shape[1:])):
            self._run(target.reshape(-1), at + (index[0].start * row if index else 0))
            return
        if len(shape) > 1 and (row > _AT_ONCE or math.prod(target.shape[1:]) * self.dtype.itemsize >= _SHORT_RUN):
            for number in range(index[0].start, index[0].stop):
                self._fill(target[number - index[0].start], index[1:], shape[1:], at + number * row)
            return
        together = max(1, _AT_ONCE // row)
        memory = np.empty((min(together, len(target)), *shape[1:]), self.dtype)
        for start in range(0, len(target), together):
            rows = memory[: min(together, len(target) - start)]
            self._run(rows.reshape(-1), at + (index[0].start + start) * row)
            _cast(rows[(slice(None), *index[1:])], target[start : start + len(rows)])

    def _run(self, target, at):
        """Read a flat array from byte `at` of the content on."""
        if target.dtype == self.dtype:
            self._copy(memoryview(target.view(np.uint8)), at)
            return
        count = _AT_ONCE // self.dtype.itemsize
        memory = np.empty(min(count, target.size), self.dtype)
        for start in range(0, target.size, count):
            part = memory[: min(count, target.size - start)]
            self._copy(memoryview(part.view(np.uint8)), at + start * self.dtype.itemsize)
            _cast(part, target[start : start + part.size])

    def _copy(self, target, at):
        ends = np.cumsum([count for _, count in self.runs]).tolist()
        number = bisect.bisect_right(ends, at)
        while target:
            begin, count = self.runs[number]
            inside = at - (ends[number] - count)
            part = target[: count - inside]
            self.source.read_into(part, begin + inside)
            at, target, number = at + len(part), target[len(part) :], number + 1


def _cast(values, target):
    with np.errstate(all="ignore"):  # as on a device, what is too large becomes infinite without a word
        target[...] = values
