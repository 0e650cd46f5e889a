"""mindspore.scipy: factorizations multiply back, results as MindSpore's, gradients, errors."""

import numpy as np
import pytest

import msjax as ms
from msjax import Tensor
from msjax.scipy import linalg, optimize

A = np.array([[4.0, 1.0, 2.0], [1.0, 3.0, 0.0], [2.0, 0.0, 5.0]], np.float32)
G = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 10]], np.float32)
B = np.array([1.0, 2.0, 3.0], np.float32)
a, g, b = Tensor(A), Tensor(G), Tensor(B)
# recorded from MindSpore 2.10
RECORDED = [
    (lambda: linalg.inv(a)[0], [0.34884, -0.11628, -0.13953]),
    (lambda: linalg.cholesky(a)[0], [2.0, 0.5, 1.0]),
    (lambda: linalg.cholesky(a, lower=True)[2], [1.0, -0.30151, 1.97714]),
    (lambda: linalg.eigh(a, eigvals_only=True), [1.8549, 3.47602, 6.66908]),
    (lambda: linalg.cho_solve(linalg.cho_factor(a), b), [-0.30233, 0.76744, 0.72093]),
    (lambda: linalg.lu_factor(g)[1], [2, 2, 2]),
    (lambda: linalg.lu_factor(g)[0][2], [0.57143, 0.5, -0.5]),
    (lambda: linalg.lu(g)[0], [[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    (lambda: linalg.solve_triangular(g, b), [0.02, 0.04, 0.3]),
    (lambda: linalg.solve_triangular(g, b, lower=True, trans="T"), [-0.78, -0.08, 0.3]),
    (lambda: linalg.solve_triangular(g, b, unit_diagonal=True, trans=1), [1.0, 0.0, 0.0]),
    (lambda: linalg.det(g), -3.0),
    (lambda: linalg.block_diag(Tensor([[1.0, 2.0]]), b), [[1, 2, 0, 0, 0], [0, 0, 1, 2, 3]]),
    (lambda: optimize.linear_sum_assignment(Tensor([[4.0, 1, 3], [2, 0, 5], [3, 2, 2]]), False)[1], [1, 0, 2]),
    (lambda: optimize.linear_sum_assignment(Tensor([[4.0, 1, 3], [2, 0, 5]]), True)[1], [0, 2]),
]


@pytest.mark.parametrize("case", range(len(RECORDED)))
def test_as_mindspore(case):
    value, expected = RECORDED[case]
    np.testing.assert_allclose(value().asnumpy(), expected, rtol=1e-4, atol=1e-5)


def test_factors_multiply_back():
    p, lower, upper = (x.asnumpy() for x in linalg.lu(g))
    np.testing.assert_allclose(p @ lower @ upper, G, rtol=1e-5)
    w, v = (x.asnumpy() for x in linalg.eigh(a))
    np.testing.assert_allclose(v @ np.diag(w) @ v.T, A, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(G @ linalg.lu_solve(linalg.lu_factor(g), b).asnumpy(), B, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(
        G.T @ linalg.lu_solve(linalg.lu_factor(g), b, trans=1).asnumpy(), B, rtol=1e-3, atol=1e-4
    )


def test_integers_are_computed_in_64_bits():
    assert linalg.inv(Tensor(A.astype(np.int32))).dtype == ms.float64


def test_gradient_of_inverse():
    slope = ms.grad(lambda x: linalg.inv(x).sum())(a).asnumpy()
    inverse = np.linalg.inv(A)
    np.testing.assert_allclose(slope, -inverse.T @ np.ones((3, 3)) @ inverse.T, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("method", ["BFGS", "LBFGS"])
def test_minimum_of_himmelblau(method):
    def func(p):
        x, y = p
        return (x**2 + y - 11.0) ** 2 + (x + y**2 - 7.0) ** 2

    found = optimize.minimize(func, Tensor(np.zeros(2, np.float32)), method=method, options={"gtol": 1e-6})
    assert found.success and found.nit < 20
    np.testing.assert_allclose(found.x.asnumpy(), [3.0, 2.0], rtol=1e-4)


def test_minimum_with_a_constraint():
    found = optimize.minimize(
        lambda x: (x**2).sum(),
        Tensor([2.0, 1.0]),
        method="LAGRANGE",
        constraints=(lambda x: x[0] + x[1] - 1.0,),
        tol=(0.05,),
        options={"rounds": 4, "steps": 40},
    )
    assert found.succeeded
    np.testing.assert_allclose(found.best_value, [0.5, 0.5], atol=0.1)


def test_line_search_finds_a_lower_value():
    found = optimize.line_search(lambda x: (x**2).sum(), Tensor([1.0, 2.0]), Tensor([-1.0, -2.0]))
    assert not found.failed and found.f_k < 5.0


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: linalg.inv([1]), TypeError, "should be Tensor"),
        (lambda: linalg.inv(b), ValueError, "dimension of 'a' should be 2, but got 1"),
        (lambda: linalg.eigh(a, b=a), ValueError, "b=None"),
        (lambda: linalg.solve_triangular(a, b, trans="X"), ValueError, "'trans'"),
        (lambda: optimize.minimize(lambda x: x, b), ValueError, "specify a solver"),
        (lambda: optimize.minimize(lambda x: x, b, method="x"), ValueError, "not recognized"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize(
    "left, right, error",
    [
        ((2, 3, 3), (2, 3), None),
        ((2, 3, 3), (2, 3, 4), None),
        ((2, 3, 3), (3,), ValueError),
        ((2, 3, 3), (3, 4), ValueError),
        ((3, 3), (2, 3, 4), ValueError),
        ((1, 3, 3), (2, 3, 4), ValueError),
        ((3, 3), (4,), ValueError),
        ((3, 4), (3,), ValueError),
    ],
)
def test_shapes_of_solve_triangular(left, right, error):
    """Nothing is broadcast, as in MindSpore 2.10."""
    matrices, values = Tensor(np.eye(*left[-2:]) + np.zeros(left), ms.float32), Tensor(np.ones(right), ms.float32)
    if error is None:
        assert linalg.solve_triangular(matrices, values).shape == right
    else:
        with pytest.raises(error):
            linalg.solve_triangular(matrices, values)
    with pytest.raises(TypeError):
        linalg.solve_triangular(a, Tensor(B.astype(np.float64)))


@pytest.mark.parametrize(
    "driver, residuals, rank, values",  # shapes recorded from MindSpore 2.10, for A (2, 4, 3) and B (2, 4)
    [
        (None, (0,), (2,), (0,)),
        ("gels", (2, 1), (0,), (0,)),
        ("gelsy", (0,), (2,), (0,)),
        ("gelss", (2, 1), (2,), (2, 3)),
        ("gelsd", (2, 1), (2,), (2, 3)),
    ],
)
def test_lstsq_gives_what_its_driver_computes(driver, residuals, rank, values):
    rs = np.random.RandomState(0)
    matrices, right = rs.randn(2, 4, 3).astype(np.float32), rs.randn(2, 4).astype(np.float32)
    found = linalg.lstsq(Tensor(matrices), Tensor(right), driver=driver)
    assert [f.shape for f in found] == [(2, 3), residuals, rank, values]
    for x, matrix, side in zip(found[0].asnumpy(), matrices, right, strict=True):
        np.testing.assert_allclose(x, np.linalg.lstsq(matrix, side, rcond=None)[0], rtol=1e-4, atol=1e-5)
    square = linalg.lstsq(Tensor(matrices[:, :3]), Tensor(right[:, :3]), driver=driver)
    assert square[1].shape == (0,)  # no more rows than columns: no residuals


def test_lstsq_refuses_what_does_not_fit():
    for first, second, driver, error in (
        (A, B, "svd", ValueError),
        (A, B[:2], None, ValueError),
        (B, B, None, ValueError),
        (A, B.astype(np.float64), None, TypeError),
        (A.astype(np.int32), B.astype(np.int32), None, TypeError),
    ):
        with pytest.raises(error):
            linalg.lstsq(Tensor(first), Tensor(second), driver=driver)
