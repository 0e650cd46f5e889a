"""A signal between a program that was given the state and the moment when its results stand in the boxes would lose the state: it waits that long.

Ctrl-C is such a signal, and so is every other one for which a program has a handler of its own that raises: an alarm, a SIGTERM.
"""

import _signal  # what the module `signal` is made of: its own functions make enumerations, and take ten times as long
import threading

_MAIN = threading.main_thread().ident
_NAMES = "SIGINT SIGALRM SIGTERM SIGHUP SIGUSR1 SIGUSR2 SIGVTALRM SIGPROF SIGBREAK"
_SIGNALS = tuple(getattr(_signal, name) for name in _NAMES.split() if hasattr(_signal, name))

_TRIES = 1000  # each signal that comes in between costs one


class uninterrupted:
    """Context in which signals are noted, and take effect at its end. Handlers of other kinds than Python functions stay as they are."""

    __slots__ = ("before", "noted")

    def __enter__(self):
        self.before, self.noted = [], []
        if threading.get_ident() == _MAIN:
            try:
                for number in _SIGNALS:
                    if callable(before := _signal.getsignal(number)):
                        self.before.append((number, before))  # first, so that it is put back whatever comes between
                        _signal.signal(number, self._note)
            except BaseException:  # the handler of a signal that comes later in the list has raised
                self._put_back()
                raise
        return self

    def _note(self, number, frame):
        self.noted.append((number, frame))

    def _put_back(self):
        """The handlers of before. A handler that is there again may raise while the others are put back; that error is given."""
        raised = None
        for _ in range(_TRIES):
            if not self.before:
                break
            try:
                _signal.signal(*self.before[-1])
                self.before.pop()
            except BaseException as error:
                raised = error
        return raised

    def __exit__(self, *error):
        if not self.before:
            return
        handlers = dict(self.before)
        raised = self._put_back()
        for number, frame in self.noted:
            handlers[number](number, frame)
        if raised is not None:
            raise raised
