"""The generator behind random operators: its state is a hidden Parameter, so every transform lifts it like any other.

Under jit each step therefore draws new numbers, and `set_seed` makes a run repeat. The state is (key, key, counter) as uint32; the
key of one operator is the generator's key folded with the counter.
"""
import jax
import jax.numpy as jnp
import numpy as np

from . import op, seed
from .frame import recorder
from .parameter import Parameter
from .tensor import device_array


def _next(state):
    """(next state, raw key for one operator)"""
    key = jax.random.fold_in(jax.random.wrap_key_data(state[:2]), state[2])
    return state.at[2].add(np.uint32(1)), jax.random.key_data(key)


class RandomState:
    """A stream of keys. Its Parameter is made on first use, so importing starts no device."""

    def __init__(self, name):
        self.name, self.parameter, self.seed, self._advance = name, None, None, None

    def reset(self, number):
        """Start the stream anew from a seed (an int)."""
        self.seed = int(number)
        if self.parameter is not None:
            self.parameter._assign(self._initial())

    def _initial(self):
        words = np.random.SeedSequence(self.seed).generate_state(2, np.uint32)
        return device_array(np.array([words[0], words[1], 0], np.uint32))

    def box(self):
        """The Parameter that holds the state."""
        if self.parameter is None:
            if self.seed is None:
                self.seed = seed.get_seed() if seed.get_seed() is not None else int(np.random.SeedSequence().entropy) % (1 << 63)
            self.parameter = Parameter(0, name=self.name, requires_grad=False)
            self.parameter._rebind_raw(self._initial(), None)
        return self.parameter

    def next_key(self):
        """Raw key (uint32[2]) of the next random operator."""
        box = self.box()
        active = recorder.get()
        if active is not None and active.is_frame:
            new, key = _next(active.read_box(box))
            active.write_box(box, new)
            return key
        if self._advance is None:
            self._advance = jax.jit(_next)
        new, key = self._advance(box._raw)
        box._rebind_raw(new, None)
        return key

    def get_state(self):
        """State as a NumPy array, for checkpoints."""
        return np.asarray(self.box()._data)

    def set_state(self, state):
        """Continue from a state that `get_state` gave."""
        self.box()._assign(jnp.asarray(np.asarray(state), jnp.uint32))


default = RandomState("default_generator")
op.key_source = default.next_key
seed.listeners.append(default.reset)


__all__ = []
