"""Tensors in one memory; what is expected was seen in MindSpore 2.10."""

import numpy as np
import pytest
from mindspore import Tensor
from mindspore.hal.contiguous_tensors_handle import combine_tensor_list_contiguous


def test_parts_of_contiguous_tensors():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    handle = combine_tensor_list_contiguous([x, Tensor(np.array([4, 5, 6], np.float32)), Tensor(np.float32(7))])
    assert (handle.before_padding_sizes, handle.total_padding_size, handle.handle_shape) == ([24, 12, 4], 40, 10.0)
    assert handle[5].asnumpy().tolist() == [5] and handle[4:8].asnumpy().tolist() == [4, 5, 4, 5]
    assert handle[:].shape == (10,) and str(handle).startswith("Handle total size: 40\nTensor[0]: [[0. 1. 2.]")
    for given, shape in {(0, 1): 6, (1,): 3, (): 10, (None, 2): 9, (1, 3): 4}.items():
        assert handle.slice_by_tensor_index(*given).shape == (shape,)
    x += 1
    assert handle[0].asnumpy().tolist() == [0]


def test_what_contiguous_tensors_refuse():
    x, half = Tensor(np.arange(6, dtype=np.float32)), Tensor(np.array([1, 2], np.float16))
    handle = combine_tensor_list_contiguous((half, x))
    assert handle.slice_by_tensor_index(1, 2).asnumpy().tolist() == [0, 1, 2, 3, 4, 5]
    for item in (-1, slice(2, 2), slice(0, 99)):
        with pytest.raises(ValueError):
            handle[item]
    with pytest.raises(ValueError):
        handle.slice_by_tensor_index(2, 1)
    for call in (
        lambda: handle[1.5],
        lambda: handle[1:"b"],
        lambda: combine_tensor_list_contiguous([x, 1]),
        lambda: combine_tensor_list_contiguous([x], 1),
    ):
        with pytest.raises(TypeError):
            call()
