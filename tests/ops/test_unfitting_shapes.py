"""Shapes that do not fit: refused where MindSpore refuses them, and not computed with by broadcasting."""

import cases_shapes
import golden_files
import mindspore as ms
import pytest
from mindspore import ops

from msjax.core.settings import context

# In MindSpore the kernel refuses what here the operator does, or an inner call of Python fails.
OTHER_TYPES = {
    "ops.conv1d(f(2,2,6),f(3,2,3),Tensor(1.0),1,'pad',1)": "ValueError",
    "ops.cross_entropy(f(3,2),i(0,1,1),f(1))": "ValueError",
    "ops.nll_loss(f(3,2),i(0,1,1),f(1))": "ValueError",
    "ops.roll(f(3,2),(1,2))": "ValueError",
    "ops.roll(f(3,2),(1,2),(0,))": "ValueError",
    "ops.roll(f(3,2),(1,),(0,1))": "ValueError",
    "ops.roll(f(3,2),1,(0,1))": "ValueError",
    "ops.Roll(1,(0,1))(f(3,2))": "ValueError",
    "ops.Roll((1,2),(0,))(f(3,2))": "ValueError",
    "nn.LSTM(3,4,2,bidirectional=True)(f(5,2,3),(f(2,2,4),f(2,2,4)))": "ValueError",
}


@pytest.mark.parametrize("expression", cases_shapes.EXPRESSIONS)
def test_outcome(expression):
    recorded = golden_files.read("shapes")[expression]
    assert cases_shapes.outcome(expression) == OTHER_TYPES.get(expression, recorded)


def test_batches_of_matrices_broadcast_in_scripts_for_ascend():
    """MindSpore refuses them on CPU and GPU alone; MindFormers' rotary embedding multiplies by one matrix."""
    try:
        ms.set_context(device_target="Ascend")
        assert ops.BatchMatMul()(ops.ones((2, 3, 4, 5)), ops.ones((5, 6))).shape == (2, 3, 4, 6)
    finally:
        context.reset()
    with pytest.raises(ValueError):
        ops.BatchMatMul()(ops.ones((3, 3, 4, 5)), ops.ones((5, 6)))
