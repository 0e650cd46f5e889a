"""None where an operator that calls others wants a Tensor: TypeError, as MindSpore has it."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import ops

X, C = ms.Tensor(np.ones((2, 2, 1, 1), np.float32)), ms.Tensor([1.0, 1.0])


@pytest.mark.parametrize("at", range(5))
def test_none_for_a_tensor_of_a_composed_operator(at):
    given = [X, C, C, C, C]
    given[at] = None
    with pytest.raises(TypeError, match="must be a Tensor, but got None"):
        ops.BatchNorm(is_training=True)(*given)
