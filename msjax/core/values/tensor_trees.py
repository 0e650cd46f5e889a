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
    return jax.tree_util.tree_map(lambda v: fn(v) if is_tensor(v) else v, tree, is_leaf=is_tensor)


def described(tree: Tensor | tuple):
    """The structure with Tensors that have a shape and dtype only: traced values end with their trace."""
    return map_tensors(lambda b: wrap(_description(b._lent.shape, b._lent.dtype)), tree)


_description = functools.lru_cache(1024)(jax.ShapeDtypeStruct)  # to make one takes longer than to find it
