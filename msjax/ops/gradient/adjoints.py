"""The gradient operators that MindSpore's own backward is made of (`ReluGrad`, `MaxPoolGrad`, `Conv2DBackpropFilter`, ...).

Public code imports them from `ops.operations._grad_ops` and `ops.auto_generate`. Most are the vector-Jacobian product of the
operator that they belong to: one row of `ROWS`. Those that are made of what the forward saved are in `adjoint_formulas.py`, and in
`window_adjoints.py` those of pooling and convolution.
"""

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp

from ...core.grad.integers import vjp
from ...core.grad.reals import conjugate, is_integral
from ...core.operators import faces
from ...core.operators import record as registry
from ...core.operators.rows import Prim, args
from ...core.settings.execution_state import within
from ...core.spec import Array, Static
from ...core.values.tensor import Tensor, wrap
from .. import generated
from ..shapes import same_shape


def on_arrays(operator: Any):
    """An operator on Tensors as a function of arrays."""

    def call(*arrays):
        # the gradient operator around these is what tapes and policies see
        with within(recorder=None, casts=(), modes=()):
            out = operator(*[jax.tree.map(lambda a: wrap(a) if isinstance(a, jax.Array) else a, a) for a in arrays])
        return jax.tree.map(lambda t: t.jax_array, out, is_leaf=lambda t: isinstance(t, Tensor))

    return call


@functools.cache
def _class_of(name):
    return faces.primitive(name) if name in registry.primitives else generated.by_rule(name)


def prim(name: str, **settings):
    """The Primitive `name` as a function of arrays."""
    return on_arrays(_class_of(name)(**settings))


def func(name: str, **settings):
    """The function `mint.name`, or else `ops.name`, as a function of arrays."""
    return on_arrays(functools.partial(generated.by_rule(f"{name}_op"), **settings))


def pull(forward: Callable, inputs: Any, cotangent: Any):
    """Gradients of the inputs (of the one input, if they are not a tuple), given those of the forward's first outputs.

    JAX multiplies by complex derivatives as they are, MindSpore by their conjugates.
    """
    many = isinstance(inputs, tuple)
    inputs = inputs if many else (inputs,)
    cotangent = jax.tree.map(conjugate, cotangent)
    out, backward = (_of_integers if any(map(is_integral, jax.tree.leaves(inputs))) else jax.vjp)(forward, *inputs)
    if isinstance(out, tuple):
        given = cotangent if isinstance(cotangent, tuple) else (cotangent,)
        cotangent = (*[g.astype(o.dtype) for g, o in zip(given, out)], *[_nothing(o) for o in out[len(given) :]])
    else:
        cotangent = jnp.asarray(cotangent, out.dtype)
        if _without_ones(cotangent) == _without_ones(out):
            cotangent = cotangent.reshape(out.shape)  # MindSpore's kernels read the memory, whatever axes of one it has
        if cotangent.shape != out.shape:
            raise ValueError(f"the gradient must have the shape of the result, {out.shape}, but got {cotangent.shape}")
    grads = jax.tree.map(conjugate, backward(cotangent))
    return grads if many else grads[0]


def _of_integers(forward, *inputs):
    """As `jax.vjp`, but integers and bools have gradients of their dtype."""
    note = {}

    def flat(*arrays):
        outs, note["structure"] = jax.tree.flatten(forward(*arrays))
        return outs, ()

    outs, differentiable, backward, _ = vjp(flat, inputs)

    def pull_back(cotangents):
        given = zip(jax.tree.leaves(cotangents), outs, differentiable)
        return backward([jnp.zeros_like(o) if c.dtype == jax.dtypes.float0 else c for c, o, wanted in given if wanted])

    return jax.tree.unflatten(note["structure"], outs), pull_back


def _without_ones(array):
    return [n for n in array.shape if n != 1]


def _nothing(out):
    """The cotangent of an output that nothing depends on."""
    inexact = jnp.issubdtype(out.dtype, jnp.inexact)
    return jnp.zeros(out.shape, out.dtype) if inexact else np.zeros(out.shape, jax.dtypes.float0)


def of_shape(shape: Any, like: Any):
    """Where of an input only the shape matters."""
    return jnp.zeros(tuple(shape), like.dtype)


# parameters of gradient operators that are Python values: shapes, positions, axes
_STATIC = frozenset(
    """
    begin col_pooling_sequence dim end filter_size filter_sizes input_size input_sizes kernel_size num_groups num_topk orig_input_shape
    orig_input_tensor_shape origin_input_shape output_dim0 output_size padding paddings row_pooling_sequence shape shapex size stride
    strides x_shape x_size xdiff_shape normalized_shape repeats threshold p
    """.split()
)


# Gradients of elementwise operators, whose inputs have one shape: the exception of MindSpore where they do not.
_ELEMENTWISE = {
    **dict.fromkeys(
        ("ACosGrad", "AbsGrad", "AcoshGrad", "AsinGrad", "AsinhGrad", "AtanGrad", "FastGeLUGrad"), RuntimeError
    ),
    **dict.fromkeys(
        (
            *("EluGrad", "HShrinkGrad", "HSigmoidGrad", "HSwishGrad", "InvGrad", "L2NormalizeGrad", "LRNGrad"),
            *("MaximumGradGrad", "MinimumGradGrad", "ReLU6Grad", "ReciprocalGrad", "ReluGrad", "RsqrtGrad"),
            *(
                "SigmoidCrossEntropyWithLogitsGrad",
                "SigmoidGrad",
                "SoftShrinkGrad",
                "SoftplusGrad",
                "SqrtGrad",
                "TanhGrad",
            ),
        ),
        ValueError,
    ),
}


def _check_elementwise(name, kind, arrays):
    """Raises where an array has another shape than the first. MindSpore reads beyond its end in some of these kernels."""
    for array in arrays[1:]:
        same_shape(name, kind, first=arrays[0].shape, another=array.shape)


class _Gradient:
    """The function of a gradient operator. Its parameters are read from the face when somebody asks: importing reads no faces."""

    def __init__(self, face, fn):
        self.face, self.fn, self.__name__, self.__module__ = face, fn, _operator(face.name), fn.__module__
        self.__doc__ = f"What MindSpore's backward computes as {face.name}."

    def __call__(self, *args, **kwargs):
        kind = _ELEMENTWISE.get(self.face.name)
        if kind is not None:
            _check_elementwise(self.face.name, kind, args)
            out = self.fn(*args, **kwargs)
            return (
                out.astype(args[0].dtype) if isinstance(out, jax.Array) else out
            )  # the type of the first, in MindSpore
        return self.fn(*args, **kwargs)

    @functools.cached_property
    def __signature__(self):
        settings = [p.replace(kind=p.KEYWORD_ONLY, annotation=Any) for p in self.face.settings(())]
        return inspect.Signature([*map(_annotated, self.face.call.listed()), *settings])


def _annotated(p):
    given = Static[Any] if p.name in _STATIC else Array if p.default is p.empty else Any
    return p.replace(annotation=given)


def _operator(primitive):
    """The record's name of a Primitive."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", primitive).lower()


def adjoint(face: Any):
    """Register a gradient operator: `face` is its row, the decorated function gets the arrays of the call, and the settings by name."""

    def register(fn):
        gradient = _Gradient(face, fn)
        registry.op(gradient, name=gradient.__name__, ops=False, prim=face)
        return fn

    return register


_CALL = re.compile(r"([\w ]+) of (\w+)\(([\w, ]*)\)(?: by ([\w, ]+))?")

# face -> "cotangent of Forward(its arguments) by the inputs wanted" (the first, if none are named); settings go by their names
ROWS = {
    Prim("ACosGrad", call=args("x", "dout")): "dout of ACos(x)",
    Prim("AsinGrad", call=args("x", "dout")): "dout of Asin(x)",
    Prim("AtanGrad", call=args("x", "dout")): "dout of Atan(x)",
    Prim("FastGeLUGrad", call=args("dy", "x")): "dy of FastGeLU(x)",
    Prim("GeLUGrad", call=args("dy", "x", "y")): "dy of GeLU(x)",
    Prim("GluGrad", init=args("axis"), call=args("grads", "x")): "grads of GLU(x)",
    Prim("HSigmoidGrad", call=args("grads", "input_x")): "grads of HSigmoid(input_x)",
    Prim("HSwishGrad", call=args("y_grad", "x")): "y_grad of HSwish(x)",
    Prim(
        "LRNGrad", init=args(depth_radius=5, bias=1.0, alpha=1.0, beta=0.5), call=args("grads", "x", "y")
    ): "grads of LRN(x)",
    Prim("LogitGrad", init=args(eps=-1.0), call=args("grad", "input")): "grad of Logit(input)",
    Prim("MvlgammaGrad", init=args("p"), call=args("y_grad", "x")): "y_grad of Mvlgamma(x)",
    Prim("SiLUGrad", call=args("dout", "x")): "dout of SiLU(x)",
    Prim("SoftplusGrad", call=args("gradients", "features")): "gradients of Softplus(features)",
    Prim("GatherDGradV2", call=args("x", "dim", "index", "dout")): "dout of GatherD(x, dim, index)",
    Prim(
        "MaximumGrad", init=args(grad_x=True, grad_y=True), call=args("x", "y", "grads")
    ): "grads of Maximum(x, y) by x, y",
    Prim(
        "MinimumGrad", init=args(grad_x=True, grad_y=True), call=args("x1", "x2", "grads")
    ): "grads of Minimum(x1, x2) by x1, x2",
    Prim("PReLUGrad", call=args("dy", "x", "weight")): "dy of PReLU(x, weight) by x, weight",
    Prim(
        "AvgPoolGrad",
        init=args(kernel_size=1, strides=1, pad_mode="VALID", data_format="NCHW"),
        call=args("x", "out", "dout"),
    ): "dout of AvgPool(x)",
    Prim(
        "MaxPoolGrad",
        init=args(kernel_size=1, strides=1, pad_mode="VALID", data_format="NCHW"),
        call=args("x_origin", "out_origin", "grad"),
    ): "grad of MaxPool(x_origin)",
    Prim(
        "MaxPoolGradV1",
        init=args(kernel_size=1, strides=1, pad_mode="VALID", data_format="NCHW"),
        call=args("x_origin", "out_origin", "grad"),
    ): "grad of MaxPool(x_origin)",
    Prim(
        "Dilation2DBackpropInput",
        init=args("stride", "dilation", pad_mode="SAME", data_format="NCHW"),
        call=args("x", "filter", "out_backprop"),
    ): ("out_backprop of Dilation2D(x, filter)"),
    Prim(
        "Dilation2DBackpropFilter",
        init=args("stride", "dilation", pad_mode="SAME", data_format="NCHW"),
        call=args("x", "filter", "out_backprop"),
    ): ("out_backprop of Dilation2D(x, filter) by filter"),
    Prim(
        "KLDivLossGrad", init=args(reduction="mean"), call=args("grad", "input_x", "input_target")
    ): "grad of KLDivLoss(input_x, input_target)",
    Prim(
        "MultiMarginLossGrad",
        init=args(p=1, margin=1.0, reduction="mean"),
        call=args("y_grad", "x", "target", weight=None),
    ): ("y_grad of MultiMarginLoss(x, target, weight)"),
    Prim("MultilabelMarginLossGrad", init=args(reduction="mean"), call=args("y_grad", "x", "target", "is_target")): (
        "y_grad of MultilabelMarginLoss(x, target)"
    ),
    Prim(
        "SmoothL1LossGrad", init=args(beta=1.0, reduction="none"), call=args("prediction", "target", "dout")
    ): "dout of SmoothL1Loss(prediction, target)",
    Prim(
        "SoftMarginLossGrad", init=args(reduction="mean"), call=args("predict", "label", "dout")
    ): "dout of SoftMarginLoss(predict, label)",
    **{
        Prim(
            f"GridSampler{n}DGrad",
            init=args(interpolation_mode="bilinear", padding_mode="zeros", align_corners=False, output_mask=(1, 1)),
            call=args("grad", "input_x", "grid"),
        ): f"grad of GridSampler{n}D(input_x, grid) by input_x, grid"
        for n in (2, 3)
    },
    Prim(
        "LSTMGrad",
        init=args("input_size", "hidden_size", "num_layers", "has_bias", "bidirectional", "dropout", proj_size=0),
        call=args("x", "hx", "cx", "w", "y", "hy", "cy", "dy", "dhy", "dcy", "reserve"),
    ): "dy dhy dcy of LSTM(x, hx, cx, w) by x, hx, cx, w",
    # the kinds that mint is made of
    Prim("GeluGradExt", call=args("grad", "input", approximate="none")): "grad of GeluExt(input, approximate)",
    Prim(
        "HardtanhGrad", call=args("dout", "input", min_val=-1, max_val=1)
    ): "dout of Hardtanh(input, min_val, max_val)",
    Prim("LogSigmoidGrad", call=args("dy", "input", "buffer")): "dy of LogSigmoid(input)",
    Prim("MishGradExt", call=args("dout", "x")): "dout of Mish(x)",
    Prim("SoftplusGradExt", call=args("dout", "x", beta=1, threshold=20)): "dout of SoftplusExt(x, beta, threshold)",
    Prim("SwigluGrad", call=args("grad_output", "input", dim=-1)): "grad_output of Swiglu(input, dim)",
}


def _vector_jacobian(face, row):
    """The gradient that a row of `ROWS` describes."""
    cotangents, forward, arguments, wanted = _CALL.fullmatch(row).groups()
    arguments = arguments.split(", ")
    wanted = wanted.split(", ") if wanted else arguments[:1]

    @functools.cache
    def names():
        return [p.name for p in face.call.listed()]

    def gradient(*args, **settings):
        given = dict(zip(names(), args))
        operator = prim(forward, **{k: v for k, v in settings.items() if k in _class_of(forward)._attributes})

        def of_wanted(*values):
            now = {**given, **dict(zip(wanted, values))}
            return operator(*[now[a] for a in arguments])

        inputs = tuple(given[n] for n in wanted)
        by = tuple(given[n] for n in cotangents.split())
        return pull(of_wanted, inputs if len(inputs) > 1 else inputs[0], by if len(by) > 1 else by[0])

    return gradient


for _face, _row in ROWS.items():
    adjoint(_face)(_vector_jacobian(_face, _row))
