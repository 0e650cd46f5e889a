"""The operator behind a generator of random numbers, as libraries with generators of their own drive it."""

from typing import Any

from ...core.operators import random
from ...core.operators.primitive import Primitive
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor

STEP, SEED, GET_STATE, SET_STATE, MANUAL_SEED, INITIAL_SEED = range(6)


class Generator(Primitive):
    """`generator(command, (seed, offset, more))` gives (seed, offset, state): 0 step, 1 a new seed, 2 get and 3 set the state,
    4 seed by hand, 5 the first seed.

    Example:
        >>> from mindspore.ops import Generator
        >>> Generator()(4, (Tensor(0), Tensor(0), Tensor(7)))[0]
        Tensor(shape=[], dtype=Int64, value= 7)
    """

    def __init__(self, seed: Any = None, offset: Any = None):
        super().__init__("Generator")
        self._generator = random.Generator()
        self._steps = 0

    def __call__(self, cmd: int, inputs: Any):
        if cmd == STEP:
            before, self._steps = self._steps, self._steps + int(inputs[2])
            return self._seen(before)
        if cmd == SEED:
            self._generator.seed()
        elif cmd == SET_STATE:
            self._generator.set_state(inputs[2])
        elif cmd == MANUAL_SEED:
            self._generator.manual_seed(int(inputs[2]))
        elif cmd not in (GET_STATE, INITIAL_SEED):
            raise ValueError(f"For 'Generator', the command must be 0 to 5, but got {cmd}.")
        self._steps = 0 if cmd in (SEED, MANUAL_SEED) else self._steps
        return self._seen(self._steps)

    def _seen(self, steps):
        seed, offset = (Tensor(value, mstype.int64) for value in (self._generator.initial_seed(), steps))
        return seed, offset, self._generator.get_state()
