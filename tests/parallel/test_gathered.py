"""New weights that are computed in parts: which of them get a pass of their own for a TPU's compiler, and that it changes nothing."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AbstractMesh, AxisType, NamedSharding, PartitionSpec

from msjax.parallel.gathered import rounded_as_it_is, written

MESH = AbstractMesh((4, 2), ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def array(*spec, shape=(1 << 15, 1 << 12), dtype=jnp.float32):
    """The shape of an array that lies so."""
    return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(MESH, PartitionSpec(*spec)))


def passes(state):
    """For each array of state whether its new value gets the pass."""
    step = written(lambda state, x: (x, [a + 1 for a in state]), state)
    with jax.enable_x64(False):
        jaxpr = jax.make_jaxpr(step)([jax.ShapeDtypeStruct(a.shape, a.dtype) for a in state], 1.0).jaxpr
    made = {e.outvars[0]: e.primitive.name for e in jaxpr.eqns}
    return [made.get(v) == "reduce_precision" for v in jaxpr.outvars[1:]]


def test_weights_whose_moments_lie_in_more_parts():
    weight, moment = array(None, "model"), array("data", "model")
    assert passes([weight, moment, moment]) == [True, False, False]
    assert passes([array(), array("data")]) == [True, False]
    assert passes([array(dtype=jnp.bfloat16), array("data", dtype=jnp.float32)]) == [True, False]


def test_not_those_that_lie_as_their_moments():
    assert passes([array("data"), array("data"), array(None, "model", shape=(1 << 15, 1 << 13))]) == [False] * 3
    assert passes([array(), array()]) == [False, False]


def test_not_small_ones_nor_integers():
    small = [array(shape=(512, 64)), array("data", shape=(512, 64))]
    assert passes([*small, array(dtype=jnp.int32), array("data", dtype=jnp.int32)]) == [False] * 4
    assert passes([*small, array(), array("data")]) == [False, False, True, False]


def test_not_those_that_fit_the_fast_memory_together():
    few = [array(shape=(1 << 12, 1 << 12)), array("data", shape=(1 << 12, 1 << 12))]
    assert passes(few) == [False, False] and passes(few[:1] * 3 + few[1:]) == [True] * 3 + [False]


def test_what_a_step_leaves_alone_stays_alone():
    state = [array(), array("data")]
    step = written(lambda state, x: (x, [state[0], state[1] + 1]), state)
    given = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in state]
    assert "reduce_precision" not in str(jax.make_jaxpr(step)(given, 1.0))


def test_no_number_changes():
    numbers = np.array([0.0, -0.0, 1.1, -3e38, 1e-38, 1e-44, np.inf, -np.inf, np.nan], np.float32)
    for dtype in (jnp.float32, jnp.bfloat16, jnp.float16):
        a = np.asarray(jnp.asarray(numbers).astype(dtype))
        rounded = np.asarray(jax.jit(rounded_as_it_is)(a))
        assert rounded.tobytes() == a.tobytes()
