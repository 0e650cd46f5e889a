"""A function or a module of JAX as a Cell: its arrays are Parameters, its state is kept, its random keys are drawn."""

import functools
import sys
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from ...core.operators import random
from ...core.spec.checking import checked
from ...core.spec.rules import Like
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor, wrap
from .cell import Cell

__all__ = ["from_jax"]


@checked
def from_jax(
    function: Callable,
    params: Any = None,
    name: Like[str | None] = None,
    *,
    state: Any = None,
    rng: Like[bool | str | tuple[str, ...] | None] = None,
) -> Cell:
    """A Cell around a function or a module of JAX, which is trained, saved and differentiated like any other Cell.

    | what | how |
    |---|---|
    | a function | `from_jax(f)`, called as f(*arrays) |
    | with weights | `from_jax(f, params)`: f(params, *arrays) |
    | with state that it changes | `from_jax(f, params, state=state)`: f(params, state, *arrays) gives (result, new state) |
    | with random numbers | `rng="key"`: f(..., key=a new key at each call); `rng=True`: the key stands before the arrays (Haiku's `apply`) |
    | an Equinox module | `from_jax(module)`; under a transform `from_jax(lambda m, x: jax.vmap(m)(x), module)` |
    | a Flax NNX module | `from_jax(module)`: Params are trained, statistics and keys are kept; `set_train` means `train()` and `eval()` |
    | a Flax Linen module | `from_jax(module, variables)`: other collections than "params" are kept, and change in training; `rng=("dropout",)` |

    Args:
        function: The function or module; arrays go in and come out as pytrees.
        params: A pytree of arrays; they become Parameters named by their path. Floats have gradients.
        name: Of the Cell's class, for what is printed; the function's by default.
        state: A pytree of arrays without gradients.
        rng: How the function takes random keys, which come from the generator that `ms.set_seed` seeds. For Linen the names of the keys.

    Raises:
        TypeError: `function` cannot be called, or a leaf is not an array.
        ValueError: the function hides a module, whose weights would not be trained.

    Example:
        >>> values = {"w": np.ones((3, 2), np.float32), "b": np.zeros(2, np.float32)}
        >>> net = msjax.from_jax(lambda params, x: x @ params["w"] + params["b"], values)
        >>> [p.name for p in net.trainable_params()]
        ['b', 'w']
    """
    call = _of_nnx(function) or _of_linen(function, params, rng) or _of_module(function, params, rng)
    if call is None:
        hidden = _hidden_module(function)
        if hidden is not None:
            raise ValueError(
                f"For 'from_jax', the 'function' holds a {type(hidden).__name__}, whose weights would not be trained. Give the module: "
                "msjax.from_jax(module), or, under a transform, msjax.from_jax(lambda module, x: jax.vmap(module)(x), module)."
            )
        call = _of_function(function, params, state, rng)
    title = name or getattr(function, "__name__", type(function).__name__)
    kind = type(title, (_FromJax,), {"__module__": __name__, "__doc__": getattr(function, "__doc__", None)})
    return kind(*call)


# Each of the following gives (run, params, state): `run(params, state, training, args, kwargs)` gives (result, new state).
def _of_function(function, params, state, rng):
    def run(held, kept, training, args, kwargs):
        before = [tree for tree, given in ((held, params), (kept, state)) if given is not None]
        if rng is True:
            before.append(_key())
        elif rng is not None:
            kwargs = {**kwargs, **{name: _key() for name in _names(rng)}}
        result = function(*before, *args, **kwargs)
        if state is None:
            return result, kept
        if not isinstance(result, tuple) or len(result) != 2:
            raise TypeError(
                f"For 'from_jax', a function with 'state' must return (result, new state), but got {type(result).__name__}."
            )
        return result

    return run, params, state


def _of_module(module, params, rng):
    """A callable pytree with arrays in it: an Equinox module."""
    if params is not None or jax.tree.structure(module) == jax.tree.structure(0):
        return None
    if not any(map(_is_array, jax.tree.leaves(module))):
        return None
    return _of_function(lambda held, *args, **kwargs: held(*args, **kwargs), module, None, rng)


def _of_nnx(module):
    nnx = sys.modules.get("flax.nnx")
    if nnx is None or not isinstance(module, nnx.Module):
        return None
    graph, params, state = nnx.split(module, nnx.Param, ...)

    def run(held, kept, training, args, kwargs):
        made = nnx.merge(graph, held, kept)
        made.train() if training else made.eval()
        result = made(*args, **kwargs)
        return result, nnx.split(made, nnx.Param, ...)[2]

    return run, params, state


def _of_linen(function, variables, rng):
    linen = sys.modules.get("flax.linen")
    module = getattr(function, "__self__", None) if getattr(function, "__name__", "") == "apply" else function
    if linen is None or not isinstance(module, linen.Module):
        return None
    if not isinstance(variables, dict) or "params" not in variables:
        raise TypeError(
            "For 'from_jax', a Flax Linen module needs its variables, {'params': ...}: from_jax(module, module.init(key, x))."
        )
    others = {collection: tree for collection, tree in variables.items() if collection != "params"}

    def run(held, kept, training, args, kwargs):
        keys = {name: _key() for name in _names(rng)} if rng and training else None
        given = {"params": held, **(kept or {})}
        if not training or not others:
            return module.apply(given, *args, rngs=keys, **kwargs), kept
        return module.apply(given, *args, rngs=keys, mutable=list(others), **kwargs)

    return run, variables["params"], others or None


def _names(rng):
    return (rng,) if isinstance(rng, str) else tuple(rng)


def _key():
    """A new key of `jax.random`, from the default generator."""
    words = random.streams().get().next_key()
    return jax.random.wrap_key_data(jnp.asarray(words, jnp.uint32), impl="threefry2x32")


def _is_array(leaf):
    return hasattr(leaf, "shape") and hasattr(leaf, "dtype")


def _hidden_module(function):
    """A module with arrays that a function was made of (`jax.vmap(module)`, a partial, a closure), if there is one."""
    linen = sys.modules.get("flax.linen")
    nnx = sys.modules.get("flax.nnx")
    inside = [getattr(function, "__wrapped__", None), getattr(function, "__self__", None)]
    if isinstance(function, functools.partial):
        inside += [function.func, *function.args, *function.keywords.values()]
    for cell in getattr(function, "__closure__", None) or ():
        try:
            inside.append(cell.cell_contents)
        except ValueError:  # not bound yet
            continue
    for value in inside:
        if value is None or isinstance(value, (type, Cell, Tensor)) or _is_array(value) or not callable(value):
            continue
        if nnx is not None and isinstance(value, nnx.Module) or linen is not None and isinstance(value, linen.Module):
            return value
        if any(map(_is_array, jax.tree.leaves(value))):
            return value
        found = _hidden_module(value)
        if found is not None:
            return found
    return None


class _Tree:
    """A pytree whose arrays are Parameters of a Cell; other leaves of modules stay as they are."""

    def __init__(self, cell, tree, trained):
        leaves, self.structure = jax.tree_util.tree_flatten_with_path(tree)
        module = not isinstance(tree, (dict, list, tuple, type(None))) and not _is_array(tree)
        self.leaves, self.boxes, self.keys = [leaf for _, leaf in leaves], {}, {}
        for i, (path, leaf) in enumerate(leaves):
            if not _is_array(leaf):
                if module:
                    continue
                raise TypeError(
                    f"For 'from_jax', the 'params' must be arrays, but got {type(leaf).__name__} at {path}."
                )
            if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
                self.keys[i] = jax.random.key_impl(leaf)
                leaf = jax.random.key_data(leaf)
            self.leaves[i] = None
            words = [str(getattr(k, "key", getattr(k, "name", getattr(k, "idx", k)))) for k in path]
            if words[1:] and words[-1] == "value":  # of a variable of NNX
                words.pop()
            name = ".".join(words) or "param"
            wanted = trained and jnp.issubdtype(leaf.dtype, jnp.floating)
            box = self.boxes[i] = Parameter(Tensor(leaf), name=name, requires_grad=bool(wanted))
            cell.insert_param_to_cell(name, box, check_name_contain_dot=False)

    def values(self):
        """The pytree with the present values."""
        leaves = list(self.leaves)
        for i, box in self.boxes.items():
            array = box.jax_array
            leaves[i] = jax.random.wrap_key_data(array, impl=self.keys[i]) if i in self.keys else array
        return jax.tree.unflatten(self.structure, leaves)

    def put(self, tree):
        """Write the arrays of such a pytree into the Parameters."""
        leaves, structure = jax.tree.flatten(tree)
        if structure != self.structure:
            raise ValueError(
                f"For 'from_jax', the new state must be a pytree like the old one, {self.structure}, but got {structure}."
            )
        for i, box in self.boxes.items():
            array = jax.random.key_data(leaves[i]) if i in self.keys else jnp.asarray(leaves[i])
            if array is not box.jax_array:
                box._assign(array.astype(box.jax_array.dtype))


class _FromJax(Cell):
    """The result of `from_jax`: one compiled program in both modes."""

    def __init__(self, run, params, state):
        super().__init__()
        self.__dict__["run"] = run
        self.__dict__["held"] = _Tree(self, params, trained=True)
        self.__dict__["kept"] = _Tree(self, state, trained=False)
        self.__dict__["_always_compile"] = True

    def construct(self, *args, **kwargs):
        args, kwargs = jax.tree.map(
            lambda v: v.jax_array if isinstance(v, Tensor) else v,
            (args, kwargs),
            is_leaf=lambda v: isinstance(v, Tensor),
        )
        result, new = self.run(self.held.values(), self.kept.values(), self.training, args, kwargs)
        if self.kept.boxes:
            self.kept.put(new)
        return jax.tree.map(wrap, result)
