"""The checkpoint files in a folder: whose name is free, and which are removed first."""

import os
import re
import stat
from typing import Any

from ... import log


def free_prefix(folder: str, prefix: str, breakpoints: bool = False):
    """`prefix`, or `prefix_1`, `prefix_2`, ... if there are files of an earlier run (or those of its exceptions)."""
    number = 0
    for name in os.listdir(folder):
        match = re.match(re.escape(prefix) + r"(?:_(\d+))?-", name)
        if match and name.endswith((".ckpt", ".safetensors")) and name.endswith("_breakpoint.ckpt") == breakpoints:
            number = max(number, int(match[1] or 0) + 1)
    return f"{prefix}_{number}" if number else prefix


class CheckpointManager:
    """The checkpoint files of one run: those saved, and the order of removal."""

    def __init__(self, format: str = "ckpt"):
        self._files, self._format = [], format

    @property
    def ckpoint_filelist(self):
        """The files' paths."""
        return self._files

    @property
    def ckpoint_num(self):
        """How many files there are."""
        return len(self._files)

    def update_ckpoint_filelist(self, directory: Any, prefix: str):
        """Look for the files of `prefix` in a folder."""
        numbered = re.compile(rf"{re.escape(prefix)}-[^A-Za-z]*\.{self._format}")
        self._files = [os.path.join(directory, name) for name in os.listdir(directory) if numbered.fullmatch(name)]

    def remove_ckpoint_file(self, file_name: str):
        """Remove one file, from the folder and from the list."""
        try:
            os.chmod(file_name, stat.S_IWRITE | stat.S_IREAD)
            os.remove(file_name)
            self._files.remove(file_name)
        except (OSError, ValueError) as error:
            log.warning(f"The checkpoint {file_name} could not be removed: {error}.")

    def remove_oldest_ckpoint_file(self):
        """Remove the file that was written first."""
        self.remove_ckpoint_file(min(self._files, key=_age))

    def keep_one_ckpoint_per_minutes(self, minutes: int, cur_time: int):
        """Of the files of the last `minutes` keep only the first."""
        recent = sorted((f for f in self._files if cur_time - os.path.getmtime(f) < 60 * minutes), key=_age)
        for name in recent[1:]:
            self.remove_ckpoint_file(name)


def _age(path):
    """When a file was written; where the clock of the disk is too coarse its epoch and step tell."""
    return os.path.getmtime(path), [int(number) for number in re.findall(r"\d+", os.path.basename(path))]
