"""Operators around the user's own functions and gradients: `Morph`, and `DumpGradient` to look at a gradient."""

import inspect
from collections.abc import Callable
from typing import Any

from ...core.grad.own_gradient import call_with_gradient
from ...core.operators.primitive import Primitive
from ...core.values.tensor import Tensor
from ..gradient.hooks import InsertGradientOf
from ..host_output import TensorDump


class Morph(Primitive):
    """The function `fn` as an operator: called, it is `fn` that runs, with its own gradient or with that of `bprop_fn`.

    Args:
        fn: function of Tensors. infer_shape, infer_dtype: functions that tell shapes and dtypes of the results from those of the
        inputs; kept, since tracing finds both. bprop_fn: function (inputs..., output, gradient) that gives the inputs' gradients.

    Raises:
        TypeError: an argument is not a function. ValueError: with `bprop_fn`, `fn` has defaults or takes any number of arguments.

    Example:
        >>> double = ops.Morph(lambda x: x * 2, lambda shape: shape, lambda dtype: dtype)
        >>> print(double(Tensor([1.0])))
        [2.]
    """

    def __init__(self, fn: Callable, infer_shape: Callable, infer_dtype: Callable, bprop_fn: Callable | None = None):
        super().__init__()
        for what, value in (
            ("fn", fn),
            ("infer_shape", infer_shape),
            ("infer_dtype", infer_dtype),
            ("bprop_fn", bprop_fn),
        ):
            if not callable(value) and not (what == "bprop_fn" and value is None):
                raise TypeError(f"For 'Morph', the '{what}' must be a function, but got {type(value).__name__}.")
        if bprop_fn is not None:
            for p in inspect.signature(fn).parameters.values():
                if p.kind is not p.POSITIONAL_OR_KEYWORD or p.default is not p.empty:
                    raise ValueError(
                        f"For 'Morph' with 'bprop_fn', the 'fn' must have plain parameters without defaults, but got '{p}'."
                    )
        self.fn, self.infer_shape, self.infer_dtype, self.bprop_fn = fn, infer_shape, infer_dtype, bprop_fn

    def __call__(self, *args, **kwargs):
        if self.bprop_fn is None:
            return self.fn(*args, **kwargs)
        args = inspect.signature(self.fn).bind(*args, **kwargs).args
        places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]

        def whole(tensors):
            full = list(args)
            for i, tensor in zip(places, tensors):
                full[i] = tensor
            return full

        def pull(tensors, out, gradient):
            grads = self.bprop_fn(*whole(tensors), out, gradient)
            grads = tuple(grads) if isinstance(grads, (tuple, list)) else (grads,)
            if len(grads) != len(args):
                raise TypeError(
                    f"For 'Morph', the 'bprop_fn' must give a gradient for each of the {len(args)} inputs, but gave {len(grads)}."
                )
            return [grads[i] for i in places]

        return call_with_gradient(lambda *tensors: self.fn(*whole(tensors)), pull, [args[i] for i in places])


class DumpGradient(Primitive):
    """Identity whose gradient is saved on the way back, as `TensorDump` saves it: `<path>_<dtype>_<number>.npy`.

    Called with path (str), x (Tensor) and input_output ("in" or "out", which on one device are the same).

    Raises:
        TypeError, ValueError: the arguments are of another kind, the path is empty.

    Example:
        >>> y = ops.DumpGradient()("x_gradient", x, "out")
        >>> print(y)
        [[0.         0.16666667 0.33333334]
         [0.5        0.6666667  0.8333333 ]]
    """

    def __init__(self):
        super().__init__()

    def __call__(self, path: Any, x: Any, input_output: str):
        dump = TensorDump(input_output)
        if not isinstance(path, str) or not isinstance(x, Tensor):
            raise TypeError(
                f"For 'DumpGradient', the 'path' must be str and 'x' a Tensor, but got {type(path).__name__} and {type(x).__name__}."
            )
        if not path:
            raise ValueError("For 'DumpGradient', the 'path' must not be empty.")

        def save(gradient):
            dump(path, gradient)
            return gradient

        return InsertGradientOf(save)(x)
