"""Singular values of a matrix that holds an infinity are NaN: LAPACK would never come to an end."""

import mindspore as ms
import mindspore.numpy as mnp
import mindspore.scipy as mscipy
import numpy as np
import pytest
from mindspore import Tensor, ops

CALLS = {
    "svd": lambda x: ops.svd(x)[0],
    "svd without factors": lambda x: ops.svd(x, compute_uv=False),
    "svd, all columns": lambda x: ops.svd(x, full_matrices=True)[1],
    "pinv": ops.pinv,
    "cond": ops.cond,
    "nuclear norm": lambda x: ops.norm(x, "nuc", (0, 1)),
    "matrix_norm": lambda x: ops.matrix_norm(x, 2),
    "numpy.norm": lambda x: mnp.norm(x, 2),
    "numpy.norm of axes": lambda x: mnp.norm(x, "nuc", (1, 0)),
    "lstsq": lambda x: ops.lstsq(x, ops.ones((3, 1), ms.float32)),
    "scipy.linalg.lstsq": lambda x: mscipy.linalg.lstsq(x, ops.ones((3, 1), ms.float32))[0],
}


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("name", CALLS)
def test_a_matrix_that_holds_an_infinity_gives_nan(name, value):
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    array[1, 0] = value
    assert np.isnan(CALLS[name](Tensor(array)).asnumpy()).all()


def test_the_gradient_is_nan_and_other_matrices_of_the_batch_keep_theirs():
    array = np.stack([np.diag([3.0, 2.0]), np.diag([np.inf, 1.0])]).astype(np.float32)
    out, grad = ms.value_and_grad(lambda x: ops.svd(x, compute_uv=False).sum(-1))(Tensor(array))
    assert out.asnumpy()[0] == 5 and np.isnan(out.asnumpy()[1])
    assert np.allclose(grad.asnumpy()[0], np.eye(2)) and np.isnan(grad.asnumpy()[1]).all()
