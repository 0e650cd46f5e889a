"""The order of a traced program's flat inputs and outputs: written state, read state, arguments, numbers."""

import dataclasses
from collections.abc import Callable, Sequence

import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Arrangement:
    """The places of a program's inputs and outputs.

    state: number of boxes of state, which come first. written, read: places of those that are given. unread: (place, shape, dtype) of the
    others. results, changed: numbers of outputs that are results, and of arguments that were changed; the new state comes last.
    """

    state: int
    written: tuple
    read: tuple
    unread: tuple
    results: int
    changed: int

    def program(self, call: Callable, name: str):
        """A function (written, read, arguments, numbers, ...) -> (groups of results, new state) from one of all inputs in a list."""

        def pure(mut, ro, leaves, numbers=(), *more):
            arrays = [None] * self.state
            for i, a in zip(self.written, mut):
                arrays[i] = a
            for i, a in zip(self.read, ro):
                arrays[i] = a
            for i, shape, dtype in self.unread:
                arrays[i] = jnp.zeros(shape, dtype)  # never used: XLA drops it
            return self.groups(call([*arrays, *leaves, *numbers], *more))

        pure.__name__ = pure.__qualname__ = name
        return pure

    def groups(self, outs: Sequence):
        """((results, changed arguments, made for effects), new state) from one entry for each output."""
        n, m, state = self.results, self.changed, len(outs) - len(self.written)
        return (outs[:n], outs[n : n + m], outs[n + m : state]), outs[state:]


__all__ = ["Arrangement"]
