"""Singular values as TPUs compute them, of public parts of JAX, beside JAX's own: values, factors and gradients."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from msjax.ops.linalg import singular

SHAPES = [(3, 3), (5, 3), (3, 5), (2, 4, 3), (1, 4), (4, 1), (2, 2, 6, 6)]
EXTRA = [((5, 3), False, np.float32), ((3, 5), False, np.complex64), ((5, 3), True, np.complex64)]


@pytest.fixture
def on_a_tpu(monkeypatch):
    monkeypatch.setattr(singular, "present_device", lambda: "TPU")


def matrix(*shape, dtype=np.float32):
    drawn = np.random.RandomState(sum(shape)).randn(2, *shape)
    return jnp.asarray((drawn[0] + 1j * drawn[1] if np.dtype(dtype).kind == "c" else drawn[0]).astype(dtype))


@pytest.mark.parametrize("shape, whole, dtype", [*((shape, True, np.float32) for shape in SHAPES), *EXTRA])
def test_factors(on_a_tpu, shape, whole, dtype):
    a = matrix(*shape, dtype=dtype)
    u, s, vh = singular.factors(a, whole)
    expected = jnp.linalg.svd(a, full_matrices=whole)
    assert [part.shape for part in (u, s, vh)] == [part.shape for part in expected]
    assert [part.dtype for part in (u, s, vh)] == [part.dtype for part in expected]
    np.testing.assert_allclose(s, expected[1], 1e-5, 1e-5)
    count = s.shape[-1]
    np.testing.assert_allclose((u[..., :count] * s[..., None, :]) @ vh[..., :count, :], a, 1e-4, 1e-5)
    for square in (jnp.swapaxes(u, -1, -2).conj() @ u, vh @ jnp.swapaxes(vh, -1, -2).conj()):
        np.testing.assert_allclose(square, jnp.broadcast_to(jnp.eye(square.shape[-1]), square.shape), 1e-4, 1e-5)


def of_values(svd, a):
    return (svd(a)[1] ** 3).sum()


def of_vectors(svd, a):
    u, s, vh = svd(a)
    return (
        (jnp.abs(u) ** 4).sum() + (jnp.abs(vh) ** 4).sum() + jnp.sin(jnp.abs(u @ (jnp.sqrt(s)[..., None] * vh))).sum()
    )


@pytest.mark.parametrize("of", [of_values, of_vectors])
@pytest.mark.parametrize("shape", SHAPES)
def test_gradients(on_a_tpu, shape, of):
    a = matrix(*shape)
    found = jax.grad(lambda a: of(singular.factors, a))(a)
    expected = jax.grad(lambda a: of(lambda a: jnp.linalg.svd(a, full_matrices=False), a))(a)
    np.testing.assert_allclose(found, expected, 2e-3, 2e-4)


def test_without_full_rank(on_a_tpu):
    a = matrix(5, 2) @ matrix(2, 4)
    u, s, vh = singular.factors(a)
    np.testing.assert_allclose(s, jnp.linalg.svd(a, compute_uv=False), 1e-5, 1e-5)
    np.testing.assert_allclose(u.T @ u, np.eye(4), 1e-4, 1e-5)
    np.testing.assert_allclose((u * s) @ vh, a, 1e-4, 1e-5)


def test_infinities_and_empty_ones(on_a_tpu):
    assert np.isnan(singular.singular_values(matrix(3, 3).at[0, 1].set(jnp.inf))).all()
    assert [part.shape for part in singular.factors(jnp.zeros((3, 0)))] == [(3, 0), (0,), (0, 0)]


def test_least_squares(on_a_tpu):
    for a in (matrix(5, 3), matrix(3, 5), matrix(5, 2) @ matrix(2, 4)):
        b = matrix(a.shape[0], 2)
        x, rank, s = singular.least_squares(a, b)
        expected = jnp.linalg.lstsq(a, b)
        np.testing.assert_allclose(x, expected[0], 1e-3, 1e-4)
        assert rank == expected[2]
        np.testing.assert_allclose(s, expected[3], 1e-5, 1e-5)
