"""Products of Householder reflections: the orthogonal matrices of a QR decomposition in its compact form."""

import jax
import jax.numpy as jnp
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Method, Prim, args
from ...core.spec import Array
from ..shapes import ANY, number_of_axes


@jax.custom_jvp
def _orthogonal(vectors, factors):
    """First columns of the product of the reflections I - factor v v^H, whose v stand below the diagonal of `vectors`."""
    return lax.linalg.householder_product(vectors, factors)


@_orthogonal.defjvp
def _orthogonal_jvp(primals, tangents):
    return _orthogonal(*primals), jax.jvp(_reflections, primals, tangents)[1]


def _reflections(vectors, factors):
    """As `_orthogonal`, one reflection after the other: JAX's own operator has no derivative."""
    rows, columns = vectors.shape[-2:]
    count = factors.shape[-1]
    one = jnp.eye(rows, columns, dtype=vectors.dtype)
    v = (jnp.tril(vectors, -1) + one)[..., :count]

    def reflect(q, step):
        v, factor = step
        return q - factor[..., None, None] * v[..., None] * (jnp.conj(v)[..., None, :] @ q), None

    steps = jnp.moveaxis(v, -1, 0), jnp.moveaxis(factors, -1, 0)
    return lax.scan(reflect, jnp.broadcast_to(one, vectors.shape), steps, reverse=True)[0]


@op(prim=Prim("Orgqr", call=args("x", "tau"), to={"x": "input", "tau": "input2"}), ops=True, tensor="orgqr")
def orgqr(input: Array, input2: Array) -> Array:
    """First columns of the orthogonal matrix of Householder vectors (below the diagonal of input) and their factors
    input2.

    Example:
        >>> print(ops.orgqr(Tensor([[1.0], [0.5]]), Tensor([1.6])))
        [[-0.6]
         [-0.8]]
    """
    return _orthogonal(input, input2)


@op(
    prim=Prim("Ormqr", init=args(left=True, transpose=False), call=args("x", "tau", "other"), to={"x": "input"}),
    ops=True,
    tensor=Method(
        "ormqr", args("input2", "input3", left=True, transpose=False), to={"input2": "tau", "input3": "other"}
    ),
)
def ormqr(input: Array, tau: Array, other: Array, left: bool = True, transpose: bool = False):
    """Product of the orthogonal matrix of Householder vectors (full size) with another matrix.

    Example:
        >>> print(ops.ormqr(Tensor([[1.0], [0.5]]), Tensor([1.6]), ops.ones((2, 2))))
        [[-1.4000001  -1.4000001 ]
         [-0.19999999 -0.19999999]]
    """
    number_of_axes("Ormqr", range(2, ANY), other=other.shape)
    number_of_axes("Ormqr", input.ndim, other=other.shape)
    rows = input.shape[-2]
    wide = jnp.concatenate([input, jnp.zeros((*input.shape[:-1], rows - input.shape[-1]), input.dtype)], -1)
    q = _orthogonal(wide, tau)
    q = jnp.conj(q.mT) if transpose else q
    return jnp.matmul(q, other) if left else jnp.matmul(other, q)
