"""`msjax.explain(fn)`: compiled variants, reasons for recompilation, fallbacks to eager execution, and costs."""

from collections.abc import Callable

from ..traceable import is_traceable
from .compile import Compiled

__all__ = ["explain"]


class Explanation:
    """Report on one compiled function or Cell: `signatures`, `reasons`, `fallbacks`, `memory()`; printed as a table."""

    def __init__(self, compiled: Compiled):
        self.name = compiled.name
        self.reasons = [reason for _, reason in compiled.history]
        self.signatures = [(key, entry) for key, entries in compiled.entries.items() for entry in entries]
        self.fallbacks = [entry.reason for _, entry in self.signatures if entry.fallback]

    def memory(self):
        """Bytes that a run of each signature needs at most (None where XLA does not tell); compiles each once more.

        Example:
            >>> msjax.explain(net).memory()
            []
        """
        return [None if entry.fallback else entry.memory() for _, entry in self.signatures]

    def __repr__(self):
        traces = len(self.reasons)
        lines = [f"{self.name}: {traces} trace{'s' if traces != 1 else ''}, {len(self.signatures)} kept"]
        lines += [f"  trace {i + 1}: {reason}" for i, reason in enumerate(self.reasons)]
        for key, entry in self.signatures:
            shown = ", ".join(_text(part) for part in key) or "no arguments"
            if entry.fallback:
                lines.append(f"  ({shown}): runs eagerly, {entry.calls} calls; {entry.reason}")
            else:
                written, read = len(entry.state.written), len(entry.state.read)
                donated = written if entry.program.donate else 0
                lines.append(
                    f"  ({shown}): {entry.calls} calls, traced in {entry.trace_seconds * 1000:.0f} ms, first call in "
                    f"{entry.first_seconds * 1000:.0f} ms; {written} Parameters written ({donated} donated), {read} read"
                )
        return "\n".join(lines)

    __str__ = __repr__


def _text(part):
    if isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], tuple):
        return f"{part[1]}{list(part[0])}"
    return repr(part[1]) if isinstance(part, tuple) and len(part) == 2 else repr(part)


def explain(fn: Callable):
    """Report the compiled variants of a `@jit` function, a Cell called in GRAPH_MODE, or a gradient function.

    Raises:
        TypeError: nothing was ever compiled for `fn`, and nothing can be.

    Example:
        >>> print(msjax.explain(net))
        Net: 0 traces, 0 kept
    """
    compiled = fn if isinstance(fn, Compiled) else None if is_traceable(fn) else getattr(fn, "_compiled", None)
    if compiled is None and is_traceable(fn):
        compiled = fn._compiled_form()
    if not isinstance(compiled, Compiled):
        raise TypeError(
            f"For 'explain', the 'fn' must be a function made by ms.jit, a gradient function or a Cell, but got {type(fn).__name__}."
        )
    return Explanation(compiled)
