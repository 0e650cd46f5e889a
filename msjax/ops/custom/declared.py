"""Primitives of a user's own that say of which shape and dtype their result is, and have nothing that computes it.

MindSpore finds the kernel by the Primitive's name: one that is named like an operator is that operator, with the settings of the same names. For
other names a network is compiled, and no kernel is found when it is run. So is it here: the error comes with the run.
"""

import functools
from collections.abc import Sequence
from typing import Any

import jax

from ...core.above import above
from ...core.grad.own_gradient import call_with_gradient
from ...core.operators import faces
from ...core.operators.record import op, primitives, records
from ...core.spec import Array
from ...core.trace.frame import current
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ...core.values.tensor_trees import tensor_leaves


class _Missing:
    """The body of an operator without a computation: it raises."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *arrays):
        raise RuntimeError(
            f"The operator '{self.name}' has no implementation: it only declares shape and dtype of its result. Define it as a function of "
            "JAX arrays with msjax.register_op, or as a Cell."
        )


@op(ops=False, name="declared_only")
def _declared_only(arrays: Array, name: Any, outs: Any):
    shapes = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in outs]
    made = jax.pure_callback(_Missing(name), shapes, *arrays)
    return tuple(made) if len(made) > 1 else made[0]


def _dtype(value):
    value = value.element_type() if hasattr(value, "element_type") else value
    return mstype.to_numpy(mstype.of(value))


def _outputs(primitive, args):
    """((shape, dtype), ...) of the results, as the Primitive says."""
    if hasattr(primitive, "__infer__"):
        given = [
            {"shape": list(a.shape), "dtype": a.dtype, "value": None}
            if isinstance(a, Tensor)
            else {"shape": (), "dtype": type(a), "value": a}
            for a in args
        ]
        found = primitive.__infer__(*given)
        shapes, dtypes = found["shape"], found["dtype"]
    else:
        shapes = primitive.infer_shape(*[list(a.shape) if isinstance(a, Tensor) else () for a in args])
        dtypes = primitive.infer_dtype(*[a.dtype if isinstance(a, Tensor) else type(a) for a in args])
    several = bool(shapes) and isinstance(shapes[0], (list, tuple))
    if not several:
        shapes, dtypes = [shapes], [dtypes]
    return tuple((tuple(s), _dtype(d)) for s, d in zip(shapes, dtypes))


@functools.cache
def _class_of(name):
    return faces.primitive(name) if name in primitives else None


def _kernel(primitive):
    """The operator whose name a Primitive has, with its settings; None if there is none."""
    made = _class_of(primitive.name)
    if made is None:
        return None
    return made(**{name: getattr(primitive, name) for name in made._attributes if hasattr(primitive, name)})


def call_declared(primitive: Any, args: Sequence):
    """The Tensors that stand for the result of such a Primitive in a program, or the result of the operator whose name it has.

    NotImplementedError: there is no such operator, outside of a program.
    """
    kernel = _kernel(primitive)
    if kernel is None and current() is None:
        raise NotImplementedError(f"The operator '{primitive.name}' has no implementation that eager code can call.")
    own_bprop = hasattr(primitive, "get_bprop")
    if kernel is not None and not own_bprop:
        return kernel(*args)
    outs = None if kernel else _outputs(primitive, args)
    tensors = tensor_leaves(args)

    def forward(*given):
        if outs is None:
            rest = iter(given)
            return kernel(*[next(rest) if isinstance(a, Tensor) else a for a in args])
        return records["declared_only"](tuple(given), primitive.name, outs)

    if not own_bprop:
        return forward(*tensors)
    bprop = primitive.get_bprop()

    def pull(inputs, out, cotangents):
        found = bprop(*inputs, out, cotangents)
        return list(found) if isinstance(found, (list, tuple)) else [found]

    return call_with_gradient(forward, pull, tensors)


above.call_declared = call_declared
