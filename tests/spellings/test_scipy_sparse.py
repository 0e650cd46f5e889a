"""`mindspore.scipy.sparse.linalg` of MindSpore 1.x: solutions against NumPy's."""

import numpy as np
import pytest

import msjax as ms
from msjax import CSRTensor, Tensor, ops
from msjax.scipy.sparse.linalg import bicgstab, cg, gmres

RNG = np.random.default_rng(0)
HALF = RNG.normal(size=(6, 6))
MATRIX = (HALF @ HALF.T + 3 * np.eye(6)).astype(np.float32)
RIGHT = RNG.normal(size=6).astype(np.float32)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("solve", [cg, gmres, bicgstab])
def test_solutions(solve, mode):
    ms.set_context(mode=mode)
    wanted = np.linalg.solve(MATRIX, RIGHT)
    a, b = Tensor(MATRIX), Tensor(RIGHT)
    for given in (a, lambda x: ops.matmul(a, x)):
        x, info = solve(given, b, tol=1e-6)
        np.testing.assert_allclose(x.asnumpy(), wanted, atol=1e-4)
        assert int(info) == 0
    x, _ = solve(a, b, Tensor(wanted.astype(np.float32)), M=Tensor(np.diag(1 / np.diag(MATRIX)).astype(np.float32)))
    np.testing.assert_allclose(x.asnumpy(), wanted, atol=1e-4)
    gradient = ms.grad(lambda b: solve(a, b, tol=1e-6)[0].sum())(b)
    np.testing.assert_allclose(gradient.asnumpy(), np.linalg.inv(MATRIX).sum(0), atol=1e-3)


def test_documented_example_and_wrong_arguments():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    x, info = cg(Tensor(np.array([[1, 2], [2, 1]], np.float32)), Tensor(np.array([1, -1], np.float32)))
    assert x.asnumpy().tolist() == [-1, 1] and int(info) == 0
    columns, values = np.tile(np.arange(6), 6), MATRIX.ravel()
    sparse = CSRTensor(Tensor(np.arange(0, 37, 6), ms.int32), Tensor(columns, ms.int32), Tensor(values), (6, 6))
    np.testing.assert_allclose(cg(sparse, Tensor(RIGHT))[0].asnumpy(), np.linalg.solve(MATRIX, RIGHT), atol=1e-3)
    assert int(cg(Tensor(MATRIX), Tensor(RIGHT), tol=1e-6, maxiter=1)[1]) == 1
    with pytest.raises(ValueError, match="square"):
        cg(Tensor(MATRIX[:3]), Tensor(RIGHT))
    with pytest.raises(TypeError, match="'tol'"):
        gmres(Tensor(MATRIX), Tensor(RIGHT), tol=1)
