"""A Cell as a pure function of its Parameters, for plain JAX; `from_jax` is the way back."""

from collections.abc import Callable

import jax
import jax.numpy as jnp

from ...core.operators import random
from ...core.spec.checking import checked
from ...core.spec.rules import Like
from ...core.trace import control_flow
from ...core.trace.frame import Frame, current
from ...core.trace.state_discovery import reachable_state
from ...core.values.tensor import Tensor, wrap
from .cell import Cell

__all__ = ["functional"]


def _arrays(result):
    """The result with arrays in the places of its Tensors; dicts keep their order, which JAX would sort."""
    if type(result) is dict:
        return {k: _arrays(v) for k, v in result.items()}
    if type(result) in (tuple, list):
        return type(result)(map(_arrays, result))
    return jax.tree.map(
        lambda v: v.jax_array if isinstance(v, Tensor) else v, result, is_leaf=lambda v: isinstance(v, Tensor)
    )


@checked
def functional(cell: Callable, mutable: Like[bool] = False):
    """A Cell (or a function that uses Cells) as a pure function of arrays, for `jax.jit`, `jax.grad`, `jax.vmap`, `shard_map`.

    Args:
        cell: Cell or function.
        mutable: let it write Parameters (statistics of BatchNorm, an optimizer's state); the function then gives (result, all values afterwards).

    Returns:
        (function, values): `function(values, *arguments, rng=None, **keywords)`, and the present values, a dict from the names of
        Parameters to arrays. Tensors in the result are arrays. `rng` is a key of `jax.random`, for Cells that draw random numbers.

    Raises:
        TypeError: `cell` is neither. ValueError: two Parameters have the same name, or (from the function) values are missing.
        RuntimeError: (from the function) a Parameter is written without `mutable`, or random numbers are drawn without `rng`.

    Example:
        >>> import jax
        >>> function, values = msjax.functional(net)
        >>> gradients = jax.grad(lambda values, x: function(values, x).sum())(values, x.asnumpy())
    """
    boxes, generator = _named_state(cell), random.streams().get().box()
    names = {id(box): name for name, box in boxes.items()}

    def run(values, args, kwargs, rng, converting):
        """(Frame, result); `converting`: conditions on traced Tensors become `lax.cond` and `lax.while_loop`."""
        frame = Frame(current())
        frame.converting |= converting
        with frame:
            for name, box in boxes.items():
                frame.given(box, jnp.asarray(values[name]))
            frame.given(generator, generator.jax_array if rng is None else _generator_state(rng))
            result = (cell if isinstance(cell, Cell) else control_flow.resolve(cell))(*args, **kwargs)
        return frame, _arrays(result)

    def function(values, /, *args, rng=None, **kwargs):
        if values.keys() != boxes.keys():
            wrong = sorted(values.keys() ^ boxes.keys())
            raise ValueError(
                f"The values must have the names of the Parameters; these are missing or not known: {wrong}."
            )
        args, kwargs = jax.tree.map(lambda a: wrap(a) if isinstance(a, jax.Array) else a, (args, kwargs))
        try:
            frame, result = run(values, args, kwargs, rng, False)
        except control_flow.NEEDS_STAGING:
            frame, result = run(values, args, kwargs, rng, True)
        written = dict(zip(*map(list, _written(frame))))
        if written.pop(id(generator), None) is not None and rng is None:
            raise RuntimeError(
                f"'{_name(cell)}' draws random numbers: give it a key, function(values, ..., rng=jax.random.key(0)), or "
                "call set_train(False) first where they are those of dropout."
            )
        others = [box for box in frame.written.values() if id(box) in written and id(box) not in names]
        if others or written and not mutable:
            which = [names.get(i, "a Tensor") for i in written]
            raise RuntimeError(
                f"'{_name(cell)}' writes {which}: use functional(cell, mutable=True), which gives the new values beside the result"
                + (", and make Tensors that are written Parameters." if others else ", or call set_train(False) first.")
            )
        if not mutable:
            return result
        return result, {name: written.get(id(box), values[name]) for name, box in boxes.items()}

    function.__name__ = _name(cell)
    function.boxes = boxes
    return function, {name: box.jax_array for name, box in boxes.items()}


def _name(cell):
    return getattr(cell, "__name__", type(cell).__name__)


def _written(frame):
    boxes, arrays = frame.outputs()
    return [id(box) for box in boxes], arrays


def _generator_state(key):
    """The state of the default generator for a key of jax.random."""
    return jnp.concatenate([jax.random.bits(key, (2,), jnp.uint32), jnp.zeros(1, jnp.uint32)])


def _named_state(cell):
    """dict from name to Parameter of all that a Cell or function reaches; those of a Cell in its own order."""
    named = {}
    pairs = []
    if isinstance(cell, Cell):
        pairs += [(p.name, p) for p in cell.get_parameters()]
        pairs += [(name, b) for name, b in cell.named_buffers() if b is not None]
    pairs += [(p.name, p) for p in reachable_state(cell).values() if getattr(p, "stream", None) != ()]
    for name, box in pairs:
        if any(box is known for known in named.values()):
            continue
        if name in named:
            raise ValueError(f"For 'functional', two Parameters have the name '{name}'. Set their `name`.")
        named[name] = box
    return named
