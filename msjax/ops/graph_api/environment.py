"""Environments: the tables from Parameters to gradients of MindSpore's own automatic differentiation, as immutable mappings.

They are eager values of Python. Gradients here do not need them (`ops.grad`, `ops.GradOperation`).
"""

from typing import Any

from ...core.operators.record import composite, records
from ...core.operators.rows import Prim
from ...core.spec import Number
from ...core.spec.rules import OfType
from ...core.values.tensor import Tensor

__all__ = ["Environment"]


class _Key:
    """The key of a Parameter in an environment: the Parameter itself, whatever its content."""

    __slots__ = ("box",)

    def __init__(self, box):
        self.box = box

    def __eq__(self, other):
        return isinstance(other, _Key) and other.box is self.box

    def __hash__(self):
        return id(self.box)

    def __repr__(self):
        return f"SymbolicKey({getattr(self.box, 'name', None) or f'Tensor of shape {self.box.shape}'})"


class Environment:
    """A table that never changes: `ops.environ_set` gives a new one with one more entry.

    Example:
        >>> env = ops.environ_set(ops.environ_create(), "w", Tensor([1.0]))
        >>> ops.environ_get(env, "w", Tensor([0.0]))
        Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    __slots__ = ("_entries",)

    def __init__(self, entries: Any = ()):
        self._entries = dict(entries)

    def __len__(self):
        return len(self._entries)

    def __contains__(self, key):
        return key in self._entries

    def __repr__(self):
        return f"Environment({self._entries})"


def _entries(name, env):
    if not isinstance(env, Environment):
        raise TypeError(
            f"For '{name}', the 'env' must be the result of environ_create(), but got {type(env).__name__}."
        )
    return env._entries


@composite(ops=True)
def environ_create():
    """An empty environment."""
    return Environment()


@composite(ops=True)
def environ_set(env: Any, key: Any, value: Number):
    """A new environment with the value for the key; the given one stays as it is."""
    return Environment({**_entries("environ_set", env), key: value})


@composite(ops=True)
def environ_get(env: Any, key: Any, default: Any):
    """The value for the key, or `default`."""
    return _entries("environ_get", env).get(key, default)


@composite(ops=True)
def environ_add(env: Any, other: Any):
    """A new environment with the entries of both; values for one key are added up."""
    left, right = _entries("environ_add", env), _entries("environ_add", other)
    return Environment({k: left[k] + right[k] if k in left and k in right else (left | right)[k] for k in left | right})


@composite(ops=("embed", "ref_to_embed"), prim=Prim("RefToEmbed"), name="ref_to_embed")
def ref_to_embed(x: OfType[Tensor]):
    """The key of a Parameter (or Tensor) for an environment. TypeError for anything else."""
    return _Key(x)


@composite(ops=True)
def env_get(env: Any, parameter: Any):
    """The value for a Parameter; zeros like it if there is none.

    Example:
        >>> ops.env_get(ops.environ_create(), Parameter(Tensor([1.0])))
        Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
    return environ_get(env, ref_to_embed(parameter), records["zeros_like"](parameter, None))
