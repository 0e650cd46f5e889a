"""Ctrl-C between a program that was given the state and the moment when its results stand in the boxes would lose the state: it waits that long."""

import _signal  # what the module `signal` is made of: its own functions make enumerations, and take ten times as long
import threading

_MAIN = threading.main_thread().ident
_INTERRUPT = _signal.SIGINT


class uninterrupted:
    """Context in which Ctrl-C is noted, and takes effect at its end. Handlers of other kinds than Python functions stay as they are."""

    __slots__ = ("before", "noted")

    def __enter__(self):
        self.before = self.noted = None
        if threading.get_ident() == _MAIN and callable(before := _signal.getsignal(_INTERRUPT)):
            _signal.signal(_INTERRUPT, self._note)
            self.before = before
        return self

    def _note(self, number, frame):
        self.noted = number, frame

    def __exit__(self, *error):
        if self.before is None:
            return
        _signal.signal(_INTERRUPT, self.before)
        if self.noted is not None:
            self.before(*self.noted)
