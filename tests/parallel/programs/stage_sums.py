"""Copies of weights for the shares of the rows give the results and gradients of the weights, on eight devices."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

from msjax.parallel.stage_sums import Shares, Sums

MESH = Mesh(np.array(jax.devices()).reshape(2, 2, 2), ("data", "length", "model"))
ROWS = Shares(MESH, ((0, ("data",)),))
BOTH = Shares(MESH, ((0, ("data",)), (1, ("length",))))
rng = np.random.default_rng(0)
X = jnp.asarray(rng.normal(size=(4, 6, 8)), jnp.float32)


def laid(x, *spec):
    return jax.lax.with_sharding_constraint(x, NamedSharding(MESH, P(*spec)))


def weight(*shape):
    return jnp.asarray(rng.normal(size=shape), jnp.float32)


def check(name, f, weights, shares, whole=(), tolerance=2e-5):
    """shares: what is found for each weight; whole: the numbers of those that are taken as they are."""
    closed = jax.make_jaxpr(lambda *given: [f(*given)])(*weights, X)
    sums = Sums(closed, range(len(weights)), MESH, "data", closed.jaxpr.invars[-1:])
    assert [sums.shares.get(i) for i in range(len(weights))] == shares, (name, sums.shares)
    assert sums.whole == set(whole), (name, sums.whole)

    def apart(*given):
        copies = {i: s.copies(given[i], 0) for i, s in sums.shares.items()}
        return sums([g if i in sums.whole or i == len(weights) else None for i, g in enumerate(given)], copies)[0]

    def gradients(g):
        return jax.grad(lambda *given: jnp.square(g(*given)).sum(), tuple(range(len(weights) + 1)))

    for one, other in ((f, apart), (gradients(f), gradients(apart))):
        found, wanted = (jax.tree_util.tree_leaves(g(*weights, X)) for g in (jax.jit(other), one))
        for a, b in zip(found, wanted):
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=10 * tolerance, err_msg=name)
    print(f"{name}: equal", flush=True)


def dense(w, b, x):
    return laid(x, "data", None, None) @ w.T + b


if __name__ == "__main__":
    w, b, norm = weight(5, 8), weight(5), weight(8)
    check("a product and what is added, without constraints", lambda w, b, x: x @ w.T + b, [w, b], [ROWS, ROWS])
    check("rows that a constraint lays", lambda w, x: dense(w, 0.0, x), [w], [ROWS])
    check("a cast", lambda w, x: dense(w.astype(jnp.bfloat16).astype(x.dtype), 0.0, x), [w], [ROWS], tolerance=0.05)
    check("rows in two dimensions", lambda w, x: laid(x, "data", "length", None) @ w.T, [w], [BOTH])
    check(
        "a weight that is split over the same axis",
        lambda w, x: laid(x, "data", None, None) @ laid(w, "data", None).T,
        [w[:4]],
        [None],
        [0],
    )
    check(
        "a weight that is split over another axis",
        lambda w, x: laid(x, "data", None, None) @ laid(w, "model", None).T,
        [w[:4]],
        [ROWS],
    )
    check("rows that are not divided evenly", lambda w, x: x[:3] @ w.T, [w], [None], [0])
    check("a weight of two products", lambda w, x: dense(w, 0.0, x) @ w, [w], [ROWS], [0])
    check("computed again", jax.checkpoint(lambda w, x: jnp.tanh(dense(w, 0.0, x))), [w], [ROWS])
    check("within a call", jax.jit(lambda w, x: jnp.tanh(dense(w, 0.0, x))), [w], [ROWS])
    check("rows that come last", lambda w, x: (w @ x.reshape(4, -1).T[:8]).T, [w], [None], [0])
    check("positions that are looked up", lambda w, x: x[:, :5] + jnp.take(w, jnp.arange(5), axis=0), [w], [None], [0])
    check("rows behind the time", lambda w, x: x.transpose(1, 0, 2) @ w.T, [w], [Shares(MESH, ((1, ("data",)),))])
    check("a norm's scale", lambda n, x: laid(x, "data", None, None) * n, [norm], [ROWS])
    ids = jnp.asarray(rng.integers(0, 5, (4, 6)))
    check("rows that are looked up", lambda w, x: laid(x * jnp.take(w, ids, axis=0), "data", None, None), [w], [ROWS])
    check(
        "rows in two dimensions that are looked up",
        lambda w, x: laid(jnp.take(w, ids, axis=0, mode="clip"), "data", "length", None) * x,
        [w],
        [BOTH],
    )
    check(
        "columns that are looked up",
        lambda w, x: laid(jnp.take(w, ids, axis=1).transpose(1, 2, 0), "data", None, None) * x[..., :5],
        [w],
        [None],
        [0],
    )
    check("taken otherwise, too", lambda w, x: dense(w, 0.0, x) * jnp.tanh(w).sum(), [w], [ROWS], [0])
