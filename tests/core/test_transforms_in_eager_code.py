"""Jacobians and `vmap` of what is not compiled (check mode, functions that need values) have derivatives, as those that are."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

pytestmark = pytest.mark.filterwarnings("ignore:.* runs eagerly")
X = np.array([[0.5, 1.0, -2.0], [1.5, -0.25, 3.0]], np.float32)


def cubes(v):
    return (v**3).sum()


def cubes_by_value(v):
    return (v**3).sum() if float(v.sum().asnumpy()) < 1e9 else v.sum()  # a value that only eager code has


def row(v):
    return v * v * v.sum() if float(v.sum().asnumpy()) < 1e9 else v


PAIRS = [(outer, inner) for outer in (ms.jacrev, ms.jacfwd) for inner in (ms.jacrev, ms.jacfwd)]


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], autouse=True)
def mode(request):
    ms.set_context(mode=request.param)
    yield
    ms.set_context(check_indices=False)


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("function", [cubes, cubes_by_value])
@pytest.mark.parametrize(("outer", "inner"), PAIRS)
def test_a_jacobian_of_a_jacobian(outer, inner, function, check):
    ms.set_context(check_indices=check)
    found = outer(inner(function))(Tensor(X)).asnumpy().reshape(6, 6)
    np.testing.assert_allclose(found, np.diag(6 * X.ravel()), rtol=1e-5)


@pytest.mark.parametrize("function", [cubes, cubes_by_value])
def test_a_gradient_of_a_jacobian(function):
    ms.set_context(check_indices=True)
    for jacobian in (ms.jacrev, ms.jacfwd):
        found = ms.grad(lambda v: (jacobian(function)(v) * Tensor(X)).sum())(Tensor(X))  # noqa: B023
        np.testing.assert_allclose(found.asnumpy(), 6 * X * X, rtol=1e-5)


@pytest.mark.parametrize("check", [False, True])
def test_a_gradient_through_vmap(check):
    ms.set_context(check_indices=check)
    expected = 2 * X * X.sum(1, keepdims=True) + (X * X).sum(1, keepdims=True)
    for axes, x in ((0, X), (1, X.T)):
        found = ms.grad(lambda v: ms.vmap(row, axes, 0)(v).sum())(Tensor(x)).asnumpy()  # noqa: B023
        np.testing.assert_allclose(found if axes == 0 else found.T, expected, rtol=1e-5)
    found = ms.vmap(ms.grad(lambda v: row(v).sum()))(Tensor(X))
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize("check", [False, True])
def test_a_gradient_through_an_ensemble(check):
    class Scaled(nn.Cell):
        def __init__(self, k):
            super().__init__()
            self.w = ms.Parameter(Tensor([k] * 3, ms.float32), name="w")

        def construct(self, v):
            return ops.sin(v) * self.w if float(v.sum().asnumpy()) < 1e9 else v

    ms.set_context(check_indices=check)
    cells = [Scaled(2.0), Scaled(3.0)]
    found = ms.grad(lambda v: ms.vmap(cells, 0)(v).sum())(Tensor(X))
    np.testing.assert_allclose(found.asnumpy(), np.cos(X) * [[2], [3]], rtol=1e-5)
    slopes = ms.grad(lambda v: ms.vmap(cells, 0)(v).sum(), None, weights=[c.w for c in cells])(Tensor(X))
    np.testing.assert_allclose([s.asnumpy() for s in slopes], np.sin(X), rtol=1e-5)
