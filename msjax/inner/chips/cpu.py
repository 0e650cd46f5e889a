"""`mindspore.device_context.cpu`: the processor."""

from ..runtime_options import threads_num as threads_num  # a setting of the CPU

__all__ = ["device_count", "is_available"]


def is_available():
    """True."""
    return True


def device_count():
    """1: the processor counts as one device."""
    return 1
