"""Registrations of adapters with MindSpore's parser: the function that an operator of Python stands for in a graph.

Here Python itself calls a class's methods in a graph too, so an adapter's own classes mean in a graph what they mean outside. The
tables are kept, and MindSpore's functions behind the operators are Python's.
"""

import builtins
from operator import (  # noqa: F401
    abs,
    add,
    and_,
    contains,
    eq,
    floordiv,
    ge,
    getitem,
    gt,
    inv,
    invert,
    is_,
    is_not,
    le,
    lshift,
    lt,
    matmul,
    mod,
    mul,
    ne,
    neg,
    not_,
    or_,
    pos,
    pow,
    rshift,
    setitem,
    sub,
    truediv,
    xor,
)
from typing import Any

convert_object_map = {}  # operator or object -> what adapters put in its place
adapter_config = {}
pow_ = pow
round, max, min, sum = builtins.round, builtins.max, builtins.min, builtins.sum


def set_adapter_config(config: Any):
    """Keep the classes of an adapter: {"Tensor": ..., "Parameter": ..., "convert_object_map": ...}."""
    if not isinstance(config, dict):
        raise TypeError(f"The config of an adapter must be a dict, but got {type(config).__name__}.")
    adapter_config.update(config)


def in_(x: Any, y: Any):
    """x in y"""
    return x in y


def not_in_(x: Any, y: Any):
    """x not in y"""
    return x not in y


def not_contains(y: Any, x: Any):
    """x not in y"""
    return x not in y


def tensor_index_by_number(data: Any, number: Any):
    """data[number]"""
    return data[number]


tensor_index_by_slice = tensor_index_by_tensor = tensor_index_by_list = tensor_index_by_tuple = tensor_index_by_number


def tensor_setitem_by_number(data: Any, index: Any, value: Any):
    """data[index] = value; gives `data`."""
    data[index] = value
    return data


def convert_to_ms_tensor(x: Any):
    """A Tensor of the class Tensor itself, of one of a subclass."""
    from ...core.values.parameter import Parameter
    from ...core.values.tensor import Tensor

    return (Parameter if isinstance(x, Parameter) else Tensor).value(x)  # gradients flow through it


def convert_to_adapter_tensor(x: Any):
    """A Tensor of the adapter's class, of any Tensor."""
    made = adapter_config.get("Tensor")
    return x if made is None or isinstance(x, made) else made(x)


ConvertToMsTensor, ConvertToAdapterTensor = (lambda: convert_to_ms_tensor), (lambda: convert_to_adapter_tensor)
