"""The generator of random JAX programs: its texts run, and the comparison tells a right program from a wrong one."""

import compilers
import jax
import numpy as np


def test_texts_run():
    shapes = set()
    for number in range(40):
        space = dict(compilers.NAMES)
        exec(next(compilers.Generator(f"texts {number}")), space)
        found = jax.eval_shape(space["f"], *compilers.given(0))
        shapes |= {v.shape for v in found}
    assert len(shapes) > 3


def test_a_difference_is_found():
    source = "def f(x, k, m, h):\n    return x * (1 if isinstance(x, jax.core.Tracer) else 2),\n"
    far, seen = compilers.difference(source)
    assert np.isclose(far, 0.5) and not seen
    assert compilers.difference("def f(x, k, m, h):\n    return lax.rev(x, (0,)) * 0.5,\n") == (0.0, False)
