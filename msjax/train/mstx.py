"""`mindspore.profiler.mstx` as a module: marks in the trace."""

from .profiler import mstx as Mstx

__all__ = ["Mstx", "mark", "range_end", "range_start"]

mark, range_start, range_end = Mstx.mark, Mstx.range_start, Mstx.range_end
