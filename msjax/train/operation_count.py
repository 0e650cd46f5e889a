"""Floating-point operations of a program: those of its products of matrices and its convolutions, as MindSpore counts them."""

import math


def operations(jaxpr):
    """(operations of the model, operations that are done) of a jaxpr: the second counts what is computed again, too.

    A multiplication and an addition count as two. Of branches the one with the most operations counts; a loop of unknown length
    counts once.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from msjax.train.operation_count import operations
        >>> operations(jax.make_jaxpr(lambda x: x @ x.T)(jnp.ones((3, 4))).jaxpr)
        (72, 72)
    """
    model = done = 0
    for equation in jaxpr.eqns:
        name = equation.primitive.name
        if name == "dot_general":
            count = _product(equation)
        elif name == "conv_general_dilated":
            count = _convolution(equation)
        else:
            inner = _of_parts(equation)
            model, done = model + inner[0], done + inner[1]
            continue
        done += count
        # the name that JAX gives to what `jax.checkpoint` computes once more for the gradient
        if "rematted_computation" not in str(equation.source_info.name_stack):
            model += count
    return model, done


def _of_parts(equation):
    """Operations of the programs inside an equation."""
    parts = []
    for value in equation.params.values():
        for part in value if isinstance(value, (tuple, list)) else (value,):
            part = getattr(part, "jaxpr", part)
            if hasattr(part, "eqns"):
                parts.append(operations(part))
    if not parts:
        return 0, 0
    if equation.primitive.name == "cond":
        return max(parts, key=lambda counts: counts[1])
    times = equation.params["length"] if equation.primitive.name == "scan" else 1
    return times * sum(p[0] for p in parts), times * sum(p[1] for p in parts)


def _product(equation):
    ((contracted, _), _) = equation.params["dimension_numbers"]
    left = equation.invars[0].aval.shape
    return 2 * math.prod(equation.outvars[0].aval.shape) * math.prod(left[i] for i in contracted)


def _convolution(equation):
    left, right = (v.aval.shape for v in equation.invars)
    spec = equation.params["dimension_numbers"]
    window = math.prod(right[i] for i in spec.rhs_spec[2:])
    outputs, inputs = right[spec.rhs_spec[0]], right[spec.rhs_spec[1]]
    if (
        max(equation.params["lhs_dilation"], default=1) > 1
    ):  # a gradient of strides: zeros between the elements do not count
        return 2 * math.prod(left) * window * outputs // equation.params["feature_group_count"]
    return 2 * math.prod(equation.outvars[0].aval.shape) * window * inputs
