"""The gradient operators that MindSpore's own backward is made of (`ReluGrad`, `MaxPoolGrad`, `Conv2DBackpropFilter`, ...).

Public code imports them from `ops.operations._grad_ops` and `ops.auto_generate`. Most are the vector-Jacobian product of the
operator that they belong to: one row of `ROWS`. Those that are made of what the forward saved are in `adjoint_formulas.py`, and in
`window_adjoints.py` those of pooling and convolution.
"""

import functools
import inspect
import re

import jax
import numpy as np
from jax import numpy as jnp

from ...core.grad.reals import conjugate
from ...core.operators import faces
from ...core.operators import record as registry
from ...core.settings.execution_state import within
from ...core.values.tensor import Tensor, wrap
from .. import generated


def on_arrays(operator):
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


def prim(name, **settings):
    """The Primitive `name` as a function of arrays."""
    return on_arrays(_class_of(name)(**settings))


def func(name, **settings):
    """The function `mint.name`, or else `ops.name`, as a function of arrays."""
    return on_arrays(functools.partial(generated.by_rule(f"{name}_op"), **settings))


def pull(forward, inputs, cotangent):
    """Gradients of the inputs (of the one input, if they are no tuple), given those of the forward's first outputs.

    JAX multiplies by complex derivatives as they are, MindSpore by their conjugates.
    """
    many = isinstance(inputs, tuple)
    cotangent = jax.tree.map(conjugate, cotangent)
    out, backward = jax.vjp(forward, *(inputs if many else (inputs,)))
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


def _without_ones(array):
    return [n for n in array.shape if n != 1]


def _nothing(out):
    """The cotangent of an output that nothing depends on."""
    inexact = jnp.issubdtype(out.dtype, jnp.inexact)
    return jnp.zeros(out.shape, out.dtype) if inexact else np.zeros(out.shape, jax.dtypes.float0)


def of_shape(shape, like):
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


class _Gradient:
    """The function of a gradient operator. Its parameters are read from the face when somebody asks: importing reads no faces."""

    def __init__(self, spec, fn):
        self.spec, self.fn, self.__name__, self.__module__ = spec, fn, _operator(spec), fn.__module__
        self.__doc__ = f"What MindSpore's backward computes as {spec.split('(', 1)[0]}."

    def __call__(self, *args, **kwargs):
        return self.fn(*args, **kwargs)

    @functools.cached_property
    def __signature__(self):
        *settings, call = faces.Face(self.spec).groups
        return inspect.Signature([*call, *(p.replace(kind=p.KEYWORD_ONLY) for p in (settings[0] if settings else ()))])

    def operands(self):
        """Parameters that take numbers as arrays."""
        call = faces.Face(self.spec).groups[-1]
        return tuple(p.name for p in call if p.default is p.empty and p.name not in _STATIC)

    def static(self):
        """Parameters that are Python values."""
        return tuple(p.name for p in faces.Face(self.spec).groups[-1] if p.name in _STATIC)


def _operator(spec):
    """The record's name of a Primitive's face."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", spec.split("(", 1)[0]).lower()


def adjoint(spec):
    """Register a gradient operator: `spec` is its face, the decorated function gets the arrays of the call, and the settings by name."""

    def register(fn):
        gradient = _Gradient(spec, fn)
        registry.op(
            gradient, name=gradient.__name__, ops=False, prim=spec, operands=gradient.operands, static=gradient.static
        )
        return fn

    return register


_POOL = "kernel_size=1, strides=1, pad_mode='VALID', data_format='NCHW'"
_CALL = re.compile(r"([\w ]+) of (\w+)\(([\w, ]*)\)(?: by ([\w, ]+))?")

# face -> "cotangent of Forward(its arguments) by the inputs wanted" (the first, if none are named); settings go by their names
ROWS = {
    "ACosGrad()(x, dout)": "dout of ACos(x)",
    "AsinGrad()(x, dout)": "dout of Asin(x)",
    "AtanGrad()(x, dout)": "dout of Atan(x)",
    "FastGeLUGrad()(dy, x)": "dy of FastGeLU(x)",
    "GeLUGrad()(dy, x, y)": "dy of GeLU(x)",
    "GluGrad(axis)(grads, x)": "grads of GLU(x)",
    "HSigmoidGrad()(grads, input_x)": "grads of HSigmoid(input_x)",
    "HSwishGrad()(y_grad, x)": "y_grad of HSwish(x)",
    "LRNGrad(depth_radius=5, bias=1.0, alpha=1.0, beta=0.5)(grads, x, y)": "grads of LRN(x)",
    "LogitGrad(eps=-1.0)(grad, input)": "grad of Logit(input)",
    "MvlgammaGrad(p)(y_grad, x)": "y_grad of Mvlgamma(x)",
    "SiLUGrad()(dout, x)": "dout of SiLU(x)",
    "SoftplusGrad()(gradients, features)": "gradients of Softplus(features)",
    "GatherDGradV2()(x, dim, index, dout)": "dout of GatherD(x, dim, index)",
    "MaximumGrad(grad_x=True, grad_y=True)(x, y, grads)": "grads of Maximum(x, y) by x, y",
    "MinimumGrad(grad_x=True, grad_y=True)(x1, x2, grads)": "grads of Minimum(x1, x2) by x1, x2",
    "PReLUGrad()(dy, x, weight)": "dy of PReLU(x, weight) by x, weight",
    f"AvgPoolGrad({_POOL})(x, out, dout)": "dout of AvgPool(x)",
    f"MaxPoolGrad({_POOL})(x_origin, out_origin, grad)": "grad of MaxPool(x_origin)",
    f"MaxPoolGradV1({_POOL})(x_origin, out_origin, grad)": "grad of MaxPool(x_origin)",
    "Dilation2DBackpropInput(stride, dilation, pad_mode='SAME', data_format='NCHW')(x, filter, out_backprop)": (
        "out_backprop of Dilation2D(x, filter)"
    ),
    "Dilation2DBackpropFilter(stride, dilation, pad_mode='SAME', data_format='NCHW')(x, filter, out_backprop)": (
        "out_backprop of Dilation2D(x, filter) by filter"
    ),
    "KLDivLossGrad(reduction='mean')(grad, input_x, input_target)": "grad of KLDivLoss(input_x, input_target)",
    "MultiMarginLossGrad(p=1, margin=1.0, reduction='mean')(y_grad, x, target, weight=None)": (
        "y_grad of MultiMarginLoss(x, target, weight)"
    ),
    "MultilabelMarginLossGrad(reduction='mean')(y_grad, x, target, is_target)": (
        "y_grad of MultilabelMarginLoss(x, target)"
    ),
    "SmoothL1LossGrad(beta=1.0, reduction='none')(prediction, target, dout)": "dout of SmoothL1Loss(prediction, target)",
    "SoftMarginLossGrad(reduction='mean')(predict, label, dout)": "dout of SoftMarginLoss(predict, label)",
    **{
        f"GridSampler{n}DGrad(interpolation_mode='bilinear', padding_mode='zeros', align_corners=False, output_mask=(1, 1))"
        "(grad, input_x, grid)": f"grad of GridSampler{n}D(input_x, grid) by input_x, grid"
        for n in (2, 3)
    },
    "LSTMGrad(input_size, hidden_size, num_layers, has_bias, bidirectional, dropout, proj_size=0)"
    "(x, hx, cx, w, y, hy, cy, dy, dhy, dcy, reserve)": "dy dhy dcy of LSTM(x, hx, cx, w) by x, hx, cx, w",
    # the kinds that mint is made of
    "GeluGradExt()(grad, input, approximate='none')": "grad of GeluExt(input, approximate)",
    "HardtanhGrad()(dout, input, min_val=-1, max_val=1)": "dout of Hardtanh(input, min_val, max_val)",
    "LogSigmoidGrad()(dy, input, buffer)": "dy of LogSigmoid(input)",
    "MishGradExt()(dout, x)": "dout of Mish(x)",
    "SoftplusGradExt()(dout, x, beta=1, threshold=20)": "dout of SoftplusExt(x, beta, threshold)",
    "SwigluGrad()(grad_output, input, dim=-1)": "grad_output of Swiglu(input, dim)",
}


def _vector_jacobian(spec, row):
    """The gradient that a row of `ROWS` describes."""
    cotangents, forward, arguments, wanted = _CALL.fullmatch(row).groups()
    arguments = arguments.split(", ")
    wanted = wanted.split(", ") if wanted else arguments[:1]

    @functools.cache
    def names():
        return [p.name for p in faces.Face(spec).groups[-1]]

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


for _spec, _row in ROWS.items():
    adjoint(_spec)(_vector_jacobian(_spec, _row))
