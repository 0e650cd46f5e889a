"""The door to plain JAX: a Cell as a pure function of its Parameters, and a pure function as a Cell."""

import jax
import jax.numpy as jnp

from ...core.settings import random
from ...core.trace import control_flow
from ...core.trace.frame import Frame, current
from ...core.trace.state_discovery import reachable_state
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor, wrap
from .cell import Cell

__all__ = ["from_jax", "functional"]


def functional(cell, mutable=False):
    """A Cell (or a function that uses Cells) as a pure function of arrays, for `jax.jit`, `jax.grad`, `jax.vmap`, `shard_map`.

    Args:
        cell: Cell or function. mutable: let it write Parameters (statistics of BatchNorm, an optimizer's state); the function then gives
            (result, all values afterwards).

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
    if not callable(cell):
        raise TypeError(f"For 'functional', the 'cell' must be a Cell or a function, but got {type(cell).__name__}.")
    boxes, generator = _named_state(cell), random.streams().get().box()
    names = {id(box): name for name, box in boxes.items()}

    def run(values, args, kwargs, rng, converting):
        """(Frame, result); `converting`: conditions on traced Tensors become `lax.cond` and `lax.while_loop`."""
        frame = Frame(current())
        frame.converting |= converting
        with frame:
            for name, box in boxes.items():
                frame.given(box, jnp.asarray(values[name]))
            frame.given(generator, generator._raw if rng is None else _generator_state(rng))
            result = (cell if isinstance(cell, Cell) else control_flow.resolve(cell))(*args, **kwargs)
        return frame, jax.tree.map(
            lambda v: v.jax_array if isinstance(v, Tensor) else v, result, is_leaf=lambda v: isinstance(v, Tensor)
        )

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
    return function, {name: box._made() for name, box in boxes.items()}


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


def from_jax(function, params=None, name=None):
    """A Cell around a pure JAX function, which is trained, saved and differentiated like any other Cell.

    Args:
        function: called as function(params, *arrays), or as function(*arrays) without `params`; what it returns is a pytree of arrays.
        params: pytree of arrays (of flax, haiku, equinox, ...); they become Parameters named by their path, floats with gradients.
        name: of the Cell's class, for what is printed; the function's by default.

    Raises:
        TypeError: `function` is no function, or a leaf is no array.

    Example:
        >>> values = {"w": np.ones((3, 2), np.float32), "b": np.zeros(2, np.float32)}
        >>> net = msjax.from_jax(lambda params, x: x @ params["w"] + params["b"], values)
        >>> nn.Momentum(net.trainable_params(), 0.1, 0.9)
    """
    if not callable(function):
        raise TypeError(f"For 'from_jax', the 'function' must be a function, but got {type(function).__name__}.")
    kind = type(name or _name(function), (_FromJax,), {"__module__": __name__, "__doc__": function.__doc__})
    return kind(function, params)


class _FromJax(Cell):
    """What `from_jax` gives: one compiled program in both modes."""

    def __init__(self, function, params):
        super().__init__()
        self.__dict__["function"] = function
        leaves, self.__dict__["structure"] = jax.tree_util.tree_flatten_with_path(params)
        self.__dict__["boxes"] = boxes = []
        for path, leaf in leaves:
            if not hasattr(leaf, "shape") or not hasattr(leaf, "dtype"):
                raise TypeError(
                    f"For 'from_jax', the 'params' must be arrays, but got {type(leaf).__name__} at {path}."
                )
            name = ".".join(str(getattr(k, "key", getattr(k, "name", getattr(k, "idx", k)))) for k in path) or "param"
            box = Parameter(Tensor(leaf), name=name, requires_grad=jnp.issubdtype(leaf.dtype, jnp.floating))
            self.insert_param_to_cell(name, box, check_name_contain_dot=False)
            boxes.append(box)
        self._has_params = params is not None
        self.__dict__["_always_compile"] = True

    def construct(self, *args, **kwargs):
        args, kwargs = jax.tree.map(
            lambda v: v.jax_array if isinstance(v, Tensor) else v,
            (args, kwargs),
            is_leaf=lambda v: isinstance(v, Tensor),
        )
        params = [jax.tree.unflatten(self.structure, [p.jax_array for p in self.boxes])] if self._has_params else []
        return jax.tree.map(wrap, self.function(*params, *args, **kwargs))
