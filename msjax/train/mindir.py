"""MindSpore's own MindIR files: recognized, and their weights read. Their graphs need MindSpore's compiler.

The file is the protobuf message `ModelProto` {graph 7 {node 1 {op_type 4}, parameter 3 {dims 1, data_type 2, name 7,
raw_data 9, external_data 12}}}.
"""

import math
import os
import zipfile
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor
from .protobuf import fields, integers, text

__all__ = ["is_mindir", "load_weights", "read_mindir"]

_TYPES = {
    1: np.float32, 2: np.uint8, 3: np.int8, 4: np.uint16, 5: np.int16, 6: np.int32, 7: np.int64, 9: np.bool_, 10: np.float16,
    11: np.float64, 12: np.uint32, 13: np.uint64, 14: np.complex64, 15: np.complex128, 16: ml_dtypes.bfloat16, 17: np.float64,
}  # fmt: skip


class MindIR(NamedTuple):
    """The content of a MindIR file: names of the operators, dict from name to array."""

    operators: list
    weights: dict


def is_mindir(path: Any):
    """Whether a file is a MindIR file of MindSpore, by its content."""
    if not os.path.isfile(path) or zipfile.is_zipfile(path):
        return False
    with open(path, "rb") as file:
        return b"MindSpore" in file.read(64)  # the producer's name is among the first fields


def read_mindir(path: Any):
    """The content of a MindIR file.

    Raises:
        ValueError: the file is damaged, or its weights lie in other files.
    """
    with open(path, "rb") as file:
        data = memoryview(file.read())
    operators, weights = [], {}
    try:
        for number, value in fields(data, "the model"):
            if number == 7:
                for part, content in fields(value, "the graph"):
                    if part == 1:
                        operators += [text(v, "an operator") for n, v in fields(content, "an operator") if n == 4]
                    elif part == 3:
                        name, array = _weight(content)
                        weights[name] = array
    except ValueError as error:
        raise ValueError(f"Failed to read the MindIR file {os.fspath(path)}. {error}") from None
    return MindIR(operators, weights)


def _weight(message):
    name, kind, dims, raw = "", None, [], None
    for number, value in fields(message, "a weight"):
        if number == 1:
            dims += integers(value, "the shape of a weight")
        elif number == 2:
            kind = _TYPES.get(value) if isinstance(value, int) else None
        elif number == 7:
            name = text(value, "a weight").rpartition(":")[2]  # the graph's name stands before
        elif number == 9:
            raw = value
        elif number == 12:
            raise ValueError(f"The weight '{name}' lies in another file, which can not be read.")
    if kind is None or not isinstance(raw, memoryview) or len(raw) != math.prod(dims) * np.dtype(kind).itemsize:
        raise ValueError(f"The weight '{name}' is damaged, or has a type that can not be read.")
    return name, np.frombuffer(raw, kind).reshape(dims)


def load_weights(path: Any):
    """The weights of a MindIR file of MindSpore: dict from name to Parameter, for `load_param_into_net`.

    Raises:
        ValueError: no MindIR file of MindSpore, or a damaged one.
    """
    if not is_mindir(path):
        raise ValueError(f"For 'load_weights', {os.fspath(path)} is no MindIR file of MindSpore.")
    return {name: Parameter(Tensor(array), name=name) for name, array in read_mindir(path).weights.items()}
