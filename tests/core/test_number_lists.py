"""The type of a Tensor made of a list that holds NumPy's numbers, arrays and Tensors (recorded from MindSpore 2.10)."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

# NumPy's type: [v], [v, 1], [v, 1.5], [array of it], [array of it, a list of integers]
TYPES = {
    "int8": "Int8 Int64 Float32 Int8 Int64",
    "int16": "Int16 Int64 Float32 Int16 Int64",
    "int32": "Int64 Int64 Float32 Int64 Int64",
    "int64": "Int64 Int64 Float32 Int64 Int64",
    "uint8": "UInt8 Int64 Float32 UInt8 Int64",
    "uint16": "UInt16 Int64 Float32 UInt16 Int64",
    "uint32": "UInt32 Int64 Float32 UInt32 Int64",
    "uint64": "UInt64 Float32 Float32 UInt64 Float32",
    "float16": "Float16 Float32 Float32 Float16 Float32",
    "float32": "Float32 Float32 Float32 Float32 Float32",
    "float64": "Float32 Float32 Float32 Float32 Float32",
    "complex64": "Complex64 Complex128 Complex128 Complex64 Complex128",
    "complex128": "Complex128 Complex128 Complex128 Complex128 Complex128",
    "bool_": "Bool Int64 Float32 Bool Int64",
}


@pytest.mark.parametrize("name", TYPES)
def test_type_of_a_list(name):
    v, whole = getattr(np, name)(1), np.ones(2, getattr(np, name))
    made = [v], [v, 1], [v, 1.5], [whole], [whole, [1, 2]]
    found = [str(Tensor(x).dtype) for x in made]
    assert found == TYPES[name].split()
    assert [str(ms.tensor(tuple(x)).dtype) for x in made] == found


MADE = {
    "Tensor([Tensor(1.5, ms.float64), 1.5])": "Float32",
    "Tensor([Tensor(1, ms.int32)])": "Int64",
    "Tensor([np.float64(1.5)], ms.float64)": "Float64",
    "Tensor([np.int32(2)], ms.int32)": "Int32",
    "Tensor(np.float64(1.5))": "Float64",
    "ms.Parameter([np.float64(1.5)])": "Float32",
    "Tensor([1.0, 2.0], ms.float32) + [np.float64(1.5), np.float64(2.5)]": "Float32",
    "Tensor([1, 2], ms.int32) + [np.int32(1), np.int32(2)]": "Int32",
}


@pytest.mark.parametrize("made", MADE)
def test_type_of_what_is_made_of_a_list(made):
    assert str(eval(made).dtype) == MADE[made]
