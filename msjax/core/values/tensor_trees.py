"""Nested structures with Tensors among their leaves."""

import functools
from collections.abc import Callable
from typing import Any

import jax

from .tensor import Tensor, wrap


def is_tensor(value: Any):
    """Whether a pytree leaf is a Tensor (Parameters too)."""
    return isinstance(value, Tensor)


def tensor_leaves(tree: Tensor | list | tuple):
    """All Tensors of a nested structure, in order; those of a dict in the order of its keys."""
    try:
        leaves = jax.tree_util.tree_leaves(tree, is_leaf=is_tensor)
    except ValueError:  # of a dict whose keys cannot be compared
        found = []
        map_tensors(found.append, tree)
        return found
    return [v for v in leaves if is_tensor(v)]


def map_tensors(fn: Callable, tree: Any) -> Any:
    """The structure with `fn` applied to its Tensors, in the order of `tensor_leaves`. Dicts keep the order of their items: users go through them."""
    if is_tensor(tree):
        return fn(tree)
    kind = type(tree)
    if kind is tuple or kind is list:
        return kind([map_tensors(fn, value) for value in tree])
    if kind is dict:
        made = {key: map_tensors(fn, tree[key]) for key in _ordered(tree)}
        return {key: made[key] for key in tree}
    # another node of JAX's, such as a named tuple, or no node
    return jax.tree_util.tree_map(
        lambda value: value if value is tree else map_tensors(fn, value), tree, is_leaf=lambda value: value is not tree
    )


def _ordered(keys):
    try:
        return sorted(keys)
    except TypeError:
        return sorted(keys, key=lambda key: (type(key).__name__, repr(key)))


def described(tree: Tensor | tuple):
    """The structure with Tensors that have a shape and dtype only: traced values end with their trace."""
    return map_tensors(lambda b: wrap(_description(b._lent.shape, b._lent.dtype)), tree)


_description = functools.lru_cache(1024)(jax.ShapeDtypeStruct)  # to make one takes longer than to find it
