"""A progress bar on the terminal for iterators; off unless `config.set_enable_progress(True)`."""

import sys
import time


class Progress:
    """One line on standard error, redrawn at most ten times a second.

    Args:
        total (int, optional): how many steps; None: only the count and the rate are shown.
        label (str): what stands before the bar.
    """

    width = 30

    def __init__(self, total: int, label: str):
        self.total, self.label = total, label
        self.done = 0
        self.note = ""  # shown at the end of the line
        self.started = time.perf_counter()
        self.shown, self._drawn = 0.0, 0
        self.stream = sys.stderr

    def step(self, count: int = 1):
        """Counts `count` more."""
        self.done += count
        now = time.perf_counter()
        if now - self.shown >= 0.1:
            self.shown = now
            self._draw("\r")

    def close(self):
        """Draws the last state and ends the line."""
        self._draw("\n")

    def _draw(self, end):
        seconds = max(time.perf_counter() - self.started, 1e-9)
        rate = f"{self.done / seconds:.1f}/s {seconds:.0f}s"
        if self.total:
            filled = self.width * min(self.done, self.total) // self.total
            text = f"{self.label} [{'#' * filled}{'.' * (self.width - filled)}] {self.done}/{self.total} {rate}"
            if 0 < self.done < self.total:
                text += f", {seconds / self.done * (self.total - self.done):.0f}s left"
        else:
            text = f"{self.label} {self.done} {rate}"
        text += self.note
        self.stream.write(f"\r{text.ljust(self._drawn)}{end}")  # over what the last state was longer
        self._drawn = len(text)
        self.stream.flush()
