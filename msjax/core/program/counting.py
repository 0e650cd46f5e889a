"""Operations and bytes of a program, equation by equation; the operations are those of products and convolutions, as MindSpore counts."""

import dataclasses
import math
from typing import Any

from .sites import sites
from .tables import Table

COUNTING = Table("counting operations")


@dataclasses.dataclass(frozen=True)
class Cost:
    """Of one equation, for all times that it runs. site: the equation; operations: floating-point ones; bytes: read and written."""

    site: object
    operations: int
    bytes: int


def costs(program: Any):
    """A list of the Cost of each equation; of the branches of a condition only that with the most operations is in it.

    Bytes are those of an equation alone: a compiler that fuses it with others moves fewer.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from msjax.core.program.counting import costs
        >>> [
        ...     (c.site.name, c.operations, c.bytes)
        ...     for c in costs(jax.make_jaxpr(lambda x: x @ x)(np.ones((4, 4), np.float32)))
        ... ]
        [('dot_general', 128, 192)]
    """
    return [Cost(s, s.times * _operations(s.eqn), s.times * _bytes(s.eqn)) for s in sites(program, _weight)]


def operations(program: Any):
    """(operations of the model, operations executed) of a program; the second includes recomputation.

    A multiplication and an addition count as two. Of branches the one with the most operations counts; a loop of unknown length
    counts once.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from msjax.core.program.counting import operations
        >>> operations(jax.make_jaxpr(lambda x: x @ x.T)(jnp.ones((3, 4))))
        (72, 72)
    """
    model = done = 0
    for site in sites(program, _weight):
        count = site.times * _operations(site.eqn)
        done += count
        # asked of what counts alone: texts of name stacks take time
        model += 0 if count and site.again else count
    return model, done


def _weight(found):
    return sum(site.times * _operations(site.eqn) for site in found)


def _operations(eqn):
    rule = COUNTING.of(eqn)
    return rule(eqn) if rule is not None else 0


def _bytes(eqn):
    return sum(_size(v.aval) for v in (*eqn.invars, *eqn.outvars))


def _size(aval):
    dtype = getattr(aval, "dtype", None)
    return math.prod(getattr(aval, "shape", ())) * getattr(dtype, "itemsize", 0)


# --- the table
@COUNTING.rule("dot_general")
def _product(eqn):
    ((contracted, _), _) = eqn.params["dimension_numbers"]
    left = eqn.invars[0].aval.shape
    return 2 * math.prod(eqn.outvars[0].aval.shape) * math.prod(left[i] for i in contracted)


@COUNTING.rule("ragged_dot_general")
def _product_of_groups(eqn):
    """Each row of the left side meets one of the groups of the right side."""
    numbers = eqn.params["ragged_dot_dimension_numbers"]
    ((contracted, _), _) = numbers.dot_dimension_numbers
    left, ragged = eqn.invars[0].aval.shape, numbers.lhs_ragged_dimensions
    count = 2 * math.prod(eqn.outvars[0].aval.shape) * math.prod(left[i] for i in contracted)
    groups = eqn.invars[2].aval.shape[-1]
    # groups along the axis of the sum: each of the results takes the rows of its group alone
    return count // groups if set(ragged) <= set(contracted) else count


@COUNTING.rule("conv_general_dilated")
def _convolution(eqn):
    left, right = (v.aval.shape for v in eqn.invars)
    spec = eqn.params["dimension_numbers"]
    window = math.prod(right[i] for i in spec.rhs_spec[2:])
    outputs, inputs = right[spec.rhs_spec[0]], right[spec.rhs_spec[1]]
    if max(eqn.params["lhs_dilation"], default=1) > 1:  # a gradient of strides: zeros between the elements do not count
        return 2 * math.prod(left) * window * outputs // eqn.params["feature_group_count"]
    return 2 * math.prod(eqn.outvars[0].aval.shape) * window * inputs


@COUNTING.rule("pallas_call")
def _kernel(eqn):
    """The operation count that the kernel's author declared."""
    estimate = eqn.params.get("cost_estimate")
    return estimate.flops if estimate is not None else 0


COUNTING.leave(
    "its programs are counted", "own", "calls", "branches", "loops", "mapped", "solvers", "custom_partitioning"
)
COUNTING.leave("a kernel that MindSpore's count does not know", "attention", "sparse", "transforms", "matrices")
COUNTING.leave(
    "products of numbers with common scales, which no operator here makes",
    "scaled_dot",
    "scaled_matmul",
    "scaled_matmul_wrapper",
)
COUNTING.leave(
    "opaque: nothing says how much it computes",
    *("call_exported", "call_hi_primitive", "call_hi_primitive_linearized", "ffi_call", "tpu_custom_call"),
)
COUNTING.leave(
    "no product of matrices",
    *(
        "elementwise",
        "moving",
        "making",
        "placing",
        "reducing",
        "cumulative",
        "windows",
        "indexing",
        "ordering",
        "random",
        "places",
    ),
    *("collectives", "split collectives", "host", "tokens", "references", "shapes", "extended types", "kernels"),
)
