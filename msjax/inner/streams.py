"""MindSpore's streams and events, on a device that orders its work by data dependencies."""

import time

from ..core.operators.check import check_bool
from ..core.settings import context
from ..core.settings.device import synchronize
from ..core.spec.checking import checked

__all__ = ["Event", "Stream", "StreamCtx", "communication_stream", "current_stream", "default_stream", "set_cur_stream"]


class Stream:
    """A queue of work. msjax has one, in which JAX orders the work; `synchronize` waits for all of it.

    Raises:
        TypeError: `priority` is not an int.
    """

    @checked
    def __init__(self, priority: int = 0, **kwargs):
        self.priority, self.id = priority, 0
        self.device_name, self.device_id = context.present_device(), context.get_context("device_id")

    def synchronize(self):
        """Wait for all work."""
        synchronize()

    def query(self):
        """Whether all work is done: waits for it, so True."""
        synchronize()
        return True

    @checked
    def record_event(self, event: "Event | None" = None):
        """Record an event now, and return it."""
        event = Event() if event is None else event
        event.record(self)
        return event

    @checked
    def wait_event(self, event: "Event"):
        """Later work waits for the event, as it always does in the only stream."""

    @checked
    def wait_stream(self, stream: "Stream"):
        """Later work waits for the other stream, as it always does in the only stream."""

    def __eq__(self, other):
        if not isinstance(other, Stream):
            raise TypeError(f"For '__eq__', the argument 'other' should be Stream, but got {type(other)}.")
        return self.id == other.id

    def __hash__(self):
        return hash((self.id, self.device_id))

    def __repr__(self):
        return f"Stream(device_name={self.device_name}, device_id:{self.device_id}, stream id:{self.id})"


def current_stream():
    """The one stream."""
    return Stream()


default_stream = communication_stream = current_stream


@checked
def set_cur_stream(stream: "Stream | None"):
    """Choose the stream; msjax has one."""


class StreamCtx:
    """`with StreamCtx(stream):` work inside runs in that stream; msjax has one."""

    @checked
    def __init__(self, ctx_stream: "Stream | None"):
        self.stream = ctx_stream

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class Event:
    """A point in time: `record` waits for the work before it and notes the time.

    Raises:
        TypeError: an argument is not a bool.
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False):
        self.enable_timing = check_bool(enable_timing, "enable_timing", "Event")
        self.blocking, self.time = check_bool(blocking, "blocking", "Event"), None

    @checked
    def record(self, stream: "Stream | None" = None):
        """Wait for the work before it and note the time."""
        synchronize()
        self.time = time.perf_counter()

    @checked
    def wait(self, stream: "Stream | None" = None):
        """Later work waits for the event, as it always does in the only stream."""

    def synchronize(self):
        """Wait for the event: `record` did."""

    def query(self):
        """Whether the event has happened: always."""
        return True

    @checked
    def elapsed_time(self, end_event: "Event"):
        """Milliseconds from this event to another.

        Raises:
            TypeError: no Event. RuntimeError: one of them was not recorded, or without timing.
        """
        created = [int(event.time is not None and event.enable_timing) for event in (self, end_event)]
        if not all(created):
            raise RuntimeError(
                f"event_ or other_event has not been recorded yet, event is created:{created[0]}other_event is created:{created[1]}: "
                "Event.elapsed_time needs two recorded events with enable_timing=True."
            )
        return (end_event.time - self.time) * 1000

    def __repr__(self):
        recorded = int(self.time is not None)
        return f"Event(enable_timing={int(self.enable_timing)}, blocking:{int(self.blocking)}, is_created:{recorded}, event:0)"
