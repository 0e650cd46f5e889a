"""The generator behind random operators: its state is a hidden Parameter, so every transform lifts it like any other.

Under jit each step therefore draws new numbers, and `set_seed` makes a run repeat. The state is (key, key, counter) as uint32; the
key of one operator is the generator's key folded with the counter.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from ..above import above
from ..host import wide
from ..settings import seed as global_seed
from ..settings.execution_state import change, here
from ..values.ownership import keep
from ..values.parameter import Parameter
from ..values.tensor import Tensor, device_array, wrap
from .own_seeds import OwnSeed, keepers

if TYPE_CHECKING:
    from ..settings.seed import Seeds


def _next(state):
    """(next state, raw key for one operator)"""
    key = jax.random.fold_in(jax.random.wrap_key_data(state[:2]), state[2])
    return state.at[2].add(np.uint32(1)), jax.random.key_data(key)


class _State(Parameter):
    """State of a generator."""

    _of_engine = True
    stream = None  # of a stream that each thread has its own of: the seeds that it is found by
    __hash__ = Parameter.__hash__


def _entropy(seed):
    """A seed for NumPy, which takes none below 0: its two's complement."""
    return seed if seed >= 0 else seed % (1 << 64)


class RandomState:
    """A stream of keys. Its Parameter is made on first use, so importing starts no device."""

    def __init__(self, name: str):
        self.name, self.parameter, self._seed, self._seed_box, self._advance = name, None, None, None, None

    @property
    def seed(self) -> int:
        """The seed that the stream started from."""
        return self._seed

    @seed.setter
    def seed(self, number: int):
        self._seed = number
        if self._seed_box is not None:
            self._seed_box._assign(device_array(np.int64(number)))

    @wide
    def reset(self, number: int):
        """Restart the stream from a seed (an int)."""
        self.seed = int(number)
        if self.parameter is not None:
            self.parameter._assign(self._initial())

    def _initial(self):
        words = np.random.SeedSequence(_entropy(self.seed)).generate_state(2, np.uint32)
        return device_array(np.array([words[0], words[1], 0], np.uint32))

    @wide
    def box(self):
        """The Parameter with the stream's state."""
        if self.parameter is None:
            if self.seed is None:
                self.seed = (
                    global_seed.get_seed()
                    if global_seed.get_seed() is not None
                    else int(np.random.SeedSequence().entropy) % (1 << 63)
                )
            self.parameter = _State(0, name=self.name, requires_grad=False)
            keep(self.parameter, self._initial())
        return self.parameter

    @wide
    def next_key(self):
        """Raw key (uint32[2]) of the next random operator."""
        box = self.box()
        active = here().recorder
        if active is not None and active.is_frame:
            new, key = _next(active.read_box(box))
            active.write_box(box, new)
            return key
        if self._advance is None:
            self._advance = jax.jit(_next)
        new, key = self._advance(box._raw)
        keep(box, new)
        return key

    @wide
    def step(self, count: int | jax.Array):
        """(seed, counter) before the step, arrays of int64; the counter increases by `count`."""
        box = self.box()  # first: it makes the seed
        if self._seed_box is None:  # a Parameter, so that a compiled program sees the seed of its call
            self._seed_box = _State(0, name=f"{self.name}_seed", requires_grad=False)
            keep(self._seed_box, device_array(np.int64(self.seed)))
        active = here().recorder
        frame = active if active is not None and active.is_frame else None
        state = frame.read_box(box) if frame else box._raw
        seed = frame.read_box(self._seed_box) if frame else self._seed_box._data
        new = state.at[2].add(jnp.asarray(count, jnp.uint32))
        if frame:
            frame.write_box(box, new)
        else:
            keep(box, new)
        return seed, state[2].astype(jnp.int64)

    def get_state(self):
        """State as a NumPy array, for checkpoints."""
        return np.asarray(self.box()._lent)

    @wide
    def set_state(self, state: Tensor):
        """Continue from a state that `get_state` gave."""
        self.box()._assign(jnp.asarray(np.asarray(state), jnp.uint32))


class _Drawn(RandomState):
    """A stream that belongs to Streams: of the operators that were given the seeds `own`, or () for all others."""

    def __init__(self, streams, own):
        super().__init__("_".join(map(str, ("operator_seed", *own))) if own else "default_generator")
        self.streams, self.own = streams, own

    def box(self):
        box = super().box()
        box.stream = self.own
        return box

    def _initial(self):
        if self.own:  # depends on them and on the global seed only
            self.seed = global_seed.get_seed() or 0
        words = [self.seed, *(number for number in self.own if number >= 0)] if self.own else _entropy(self.seed)
        made = np.random.SeedSequence(words, spawn_key=self.streams.branch).generate_state(2, np.uint32)
        return device_array(np.array([made[0], made[1], 0], np.uint32))


class Streams:
    """The streams of one thread: own seeds of operators (() for the default stream) -> stream. Those of one Primitive end with a number
    below 0, which tells it from others. branch: see `streams`.
    """

    def __init__(self, seeds: "Seeds", branch: Sequence = ()):
        self.seeds, self.branch, self.version = seeds, branch, seeds.version
        self.thread, self.by_seeds = threading.get_ident(), {}
        keepers.add(self)

    def forget(self, number: int):
        """Drop the stream of a Primitive that is no more."""
        for own in [own for own in self.by_seeds if own and own[-1] == -number]:
            del self.by_seeds[own]

    def get(self, own: Sequence = ()):
        """The stream of operators that were given these seeds."""
        found = self.by_seeds.get(own)
        if found is None:
            found = self.by_seeds[own] = _Drawn(self, own)
        return found


def streams():
    """The Streams of this thread.

    The thread that has set the seed that holds here (for the seed of the process: the main thread) draws what that seed gives. Others draw
    numbers of their own from it, (their number,): they repeat if the threads begin to draw in the same order.
    """
    seeds, thread = global_seed.seeds(), threading.get_ident()
    if seeds.thread == thread:
        if seeds.streams is None:
            seeds.streams = Streams(seeds)
        return seeds.streams
    found = here().streams
    if found is None or found.thread != thread or found.seeds is not seeds or found.version != seeds.version:
        found = Streams(seeds, (seeds.next_branch(),))
        change(streams=found)
    return found


def _restart(number):
    for stream in streams().by_seeds.values():
        stream.reset(number)


def stream(*sources):
    """The stream for an operator: `sources` are its seeds and Generators. None, 0 and -1 are not seeds; without a seed
    the default stream is used.
    """
    own, number = [], 0
    for source in sources:
        if isinstance(source, Generator):
            return source._stream
        if source is not None and not isinstance(source, (int, np.integer)):
            raise TypeError(f"the 'seed' must be int, but got {type(source).__name__}.")
        own.append(max(int(source or 0), 0))
        if isinstance(source, OwnSeed):
            number = source.number
    return streams().get((*own, *([-number] if number else [])) if any(own) else ())


class Generator:
    """A stream of random numbers of its own, for the operators that take `generator=`.

    Example:
        >>> generator = mindspore.Generator()
        >>> generator.manual_seed(5)
        >>> generator.initial_seed()
        5
    """

    def __init__(self):
        self._stream = RandomState("generator")
        self._stream.seed = 0

    def manual_seed(self, seed: int):
        """Restart from an int; returns the generator."""
        if not isinstance(seed, int):
            raise TypeError("Seed must be an integer.")
        self._stream.reset(seed)
        return self

    def seed(self) -> int:
        """Restart from a random seed, and return it."""
        self._stream.reset(int(np.random.SeedSequence().entropy) % (1 << 63))
        return self._stream.seed

    def initial_seed(self) -> int:
        """The seed that the stream started from."""
        self._stream.box()
        return self._stream.seed

    def get_state(self):
        """The state with its seed, as a uint8 Tensor."""
        state = self._stream.get_state().astype(np.uint32).tobytes()  # first: it makes the seed
        return Tensor(np.frombuffer(state + np.uint64(self._stream.seed % (1 << 64)).tobytes(), np.uint8).copy())

    def set_state(self, state: Tensor):
        """Continue from a state that `get_state` gave."""
        content = np.asarray(state.asnumpy() if isinstance(state, Tensor) else state, np.uint8)
        if content.size != 20:
            raise ValueError(
                f"For 'set_state', the 'state' must be the result of 'get_state', 20 bytes, but got {content.size}."
            )
        self._stream.set_state(np.frombuffer(content.tobytes()[:12], np.uint32))
        self._stream.seed = int(np.frombuffer(content.tobytes()[12:], np.int64)[0])

    def _step(self, step):
        """(seed, offset), int64 Tensors for the operators that take both; the offset goes on by `step`."""
        return tuple(map(wrap, self._stream.step(step._data if isinstance(step, Tensor) else step)))


class At(Generator):
    """Random numbers for (seed, offset) of `Generator._step`: the same numbers each time."""

    def __init__(self, seed: int | Tensor, offset: int | Tensor):
        self._stream = _Place(seed, offset)


class _Place:
    """The stream of `At`."""

    def __init__(self, *numbers):
        self.numbers = numbers

    def next_key(self):
        """Raw key of a random operator."""
        seed, offset = (n._data if isinstance(n, Tensor) else np.int64(n) for n in self.numbers)
        return _place_key(jnp.asarray(seed).reshape(()), jnp.asarray(offset).reshape(()))


@jax.jit
def _place_key(seed, offset):
    key = jax.random.key(0)
    for number in (seed, seed >> 32, offset):
        key = jax.random.fold_in(key, number.astype(jnp.uint32))
    return jax.random.key_data(key)


class _DefaultGenerator(Generator):
    """The generator of all operators that are given none."""

    def __init__(self):
        """The streams are made when they are first drawn from."""

    _stream = property(lambda self: streams().get())


_DefaultGenerator.__name__ = _DefaultGenerator.__qualname__ = "Generator"  # as it is shown
default_generator = _DefaultGenerator()


def manual_seed(seed: int) -> "Generator":
    """Restart the default generator from an int; returns the generator."""
    return default_generator.manual_seed(seed)


def initial_seed() -> int:
    """The seed that the default generator started from."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator as a uint8 Tensor."""
    return default_generator.get_state()


def set_rng_state(state: Tensor):
    """Continue the default generator from a state that `get_rng_state` gave."""
    default_generator.set_state(state)


def seed() -> int:
    """Restart the default generator from a random seed, and return it."""
    return default_generator.seed()


# `mindspore.common.seed` was the module until 2.2.
seed.set_seed, seed.get_seed = global_seed.set_seed, global_seed.get_seed


above.next_key = lambda *sources: stream(*sources).next_key()
above.seeded = _restart


__all__ = ["Generator", "default_generator", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state"]
