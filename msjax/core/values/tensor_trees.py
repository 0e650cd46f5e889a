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
    """All Tensors of a nested structure, in order."""
    return [v for v in jax.tree_util.tree_leaves(tree, is_leaf=is_tensor) if is_tensor(v)]


def map_tensors(fn: Callable, tree: list | Tensor | tuple[Tensor, ...]):
    """The structure with `fn` applied to its Tensors."""
    if is_tensor(tree):
        return fn(tree)
    made = jax.tree_util.tree_map(lambda v: fn(v) if is_tensor(v) else v, tree, is_leaf=is_tensor)
    return _in_order_of(tree, made)


def _in_order_of(tree, made):
    """`made`, whose dicts have the order of those of `tree`: JAX sorts their keys, users go through their items."""
    if type(tree) is dict:
        return {key: _in_order_of(value, made[key]) for key, value in tree.items()}
    named = isinstance(tree, tuple) and hasattr(tree, "_fields")
    if (named or type(tree) in (tuple, list)) and any(isinstance(value, (dict, tuple, list)) for value in tree):
        parts = map(_in_order_of, tree, made)
        return type(tree)(*parts) if named else type(tree)(parts)
    return made


def described(tree: Tensor | tuple):
    """The structure with Tensors that have a shape and dtype only: traced values end with their trace."""
    return map_tensors(lambda b: wrap(_description(b._lent.shape, b._lent.dtype)), tree)


_description = functools.lru_cache(1024)(jax.ShapeDtypeStruct)  # to make one takes longer than to find it
