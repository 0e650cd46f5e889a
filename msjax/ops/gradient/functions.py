"""Gradients as MindSpore spells them: `grad`, `value_and_grad`, `GradOperation`, `vjp`, `jvp`, `jacfwd`, `jacrev`, `vmap`, `get_grad`.

All are adapters over `core.grad.autodiff.differentiate`. Called from Python in GRAPH_MODE they are compiled; in PYNATIVE_MODE they run on the
tape, where every value is concrete; inside a compiled function they are part of its trace.
"""

import operator
from collections.abc import Callable
from typing import Any, Literal, overload

from ...core.grad.autodiff import Contents, differentiate, run_forward
from ...core.grad.hooks import has_hooks
from ...core.grad.transforms import forward_jacobian, forward_product, reverse_jacobian, vectorize
from ...core.operators import views
from ...core.settings import context
from ...core.settings.execution_state import here
from ...core.settings.parallel_context import GLOBAL_MODES
from ...core.spec.checking import checked
from ...core.spec.rules import Like
from ...core.trace import control_flow
from ...core.trace.call_structure import MutableContainer
from ...core.trace.compile import Compiled
from ...core.trace.frame import current
from ...core.trace.state_discovery import reachable_state
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ...core.values.tensor_trees import is_tensor
from .sharing import first_call, made_anew, program_like

__all__ = ["GradOperation", "get_grad", "grad", "jacfwd", "jacrev", "jvp", "value_and_grad", "vjp", "vmap"]


def _gradient_function(fn, body):
    """A callable for users around `body(*args, **kwargs)`; keeps one compiled form."""
    own = Compiled(body, name=f"grad of {getattr(fn, '__qualname__', type(fn).__name__)}")
    called = False  # whether `own` ran, or the tape in its place

    def as_compiled(*args, **kwargs):
        with views.copying():
            return body(*args, **kwargs)

    def gradient(*args, **kwargs):
        nonlocal called
        # a hook on an input is a Python function that belongs to that very Tensor: such a call runs on the tape
        if not context.is_graph_mode():
            return body(*args, **kwargs)
        if here().recorder is not None or has_hooks(args):
            return as_compiled(*args, **kwargs)
        if called or current() is not None:
            return own(*args, **kwargs)
        like = program_like(fn, body)
        if like is not None:
            gradient._compiled = like
            return like(*args, **kwargs)
        called = True
        return as_compiled(*args, **kwargs) if made_anew(fn) else first_call(fn, body, own, args, kwargs)

    gradient.__wrapped__ = fn  # lets `reach` find the state behind it
    gradient._compiled = own
    return gradient


def _check_function(name, fn):
    if not callable(fn):
        raise TypeError(f"For '{name}', the 'fn' must be a function or a Cell, but got {type(fn).__name__}.")


def _positions(name, grad_position):
    """Tuple of positions."""
    if grad_position is None:
        return ()
    if isinstance(grad_position, bool) or not isinstance(grad_position, (int, tuple, list)):
        raise TypeError(
            f"For '{name}', the 'grad_position' must be int or tuple of int, but got {type(grad_position).__name__}."
        )
    positions = grad_position if isinstance(grad_position, (tuple, list)) else (grad_position,)
    for p in positions:
        if isinstance(p, bool) or not isinstance(p, int):
            raise TypeError(f"For '{name}', the elements of 'grad_position' must be int, but got {type(p).__name__}.")
        if p < 0:
            raise ValueError(f"For '{name}', the elements of 'grad_position' must be >= 0, but got {p}.")
    return tuple(positions)


def _weights(name, weights):
    """(list of Parameters, whether the result is a tuple)"""
    if weights is None:
        return [], False
    if isinstance(weights, Parameter):
        return [weights], False
    if isinstance(weights, (tuple, list)):
        for w in weights:
            if not isinstance(w, Parameter):
                raise TypeError(
                    f"For '{name}', the elements of 'weights' must be Parameter, but got {type(w).__name__}."
                )
        return list(weights), True
    raise TypeError(
        f"For '{name}', the 'weights' must be None, a Parameter, or a ParameterTuple or list of them, but got {type(weights).__name__}."
    )


def _pack(derivative, positions, many_inputs, weights, many_weights, args, return_ids):
    """Gradients nested as MindSpore nests them: (inputs, weights), either alone, single or tuple; gradients of other
    values are left out.

    many_inputs: whether one gradient is a tuple as well.
    """
    found = [(p, g) for p, g in zip(positions, derivative.inputs) if is_input(args[p])]
    if return_ids:
        inputs = tuple(found)
        params = tuple(zip([w.name for w in weights], derivative.weights))
    else:
        inputs, params = tuple(g for _, g in found), tuple(derivative.weights)
    inputs = inputs if many_inputs or len(inputs) != 1 else inputs[0]
    params = params if many_weights else (params[0] if params else None)
    if positions and (weights or many_weights):
        return inputs, params
    return params if weights or many_weights else inputs


@overload
def grad(
    fn: Callable,
    grad_position: int = 0,
    weights: None = None,
    has_aux: Literal[False] = False,
    return_ids: Literal[False] = False,
    sens_param: bool = False,
) -> Callable[..., Tensor]: ...
@overload
def grad(
    fn: Callable,
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]: ...
def grad(
    fn: Callable,
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """Function that computes the gradient of `fn` with respect to inputs and Parameters.

    Args:
        fn: function or Cell; all its outputs are summed (with `has_aux`: only the first is differentiated).
        grad_position: index or tuple of indices of inputs, or None for none.
        weights: None, a Parameter, or a ParameterTuple or list of them.
        has_aux: `fn` returns extra values; the result is then (gradient, extra values).
        return_ids: give each gradient with its position or Parameter name.
        sens_param: the last input of the function is the cotangent of the output.

    Returns:
        Function with the arguments of `fn`.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, or both `grad_position` and `weights` None.

    Example:
        >>> print(ops.grad(lambda x: x**2)(Tensor([3.0])))
        [6.]
    """
    body = _value_and_gradient("grad", fn, grad_position, weights, has_aux, return_ids, sens_param)

    def gradient_only(*args, **kwargs):
        value, gradient = body(*args, **kwargs)
        return (gradient, value[1:]) if has_aux else gradient

    return _gradient_function(fn, gradient_only)


@overload
def value_and_grad(
    fn: Callable,
    grad_position: int = 0,
    weights: None = None,
    has_aux: Literal[False] = False,
    return_ids: Literal[False] = False,
    sens_param: bool = False,
) -> Callable[..., tuple[Any, Tensor]]: ...
@overload
def value_and_grad(
    fn: Callable,
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]: ...
def value_and_grad(
    fn: Callable,
    grad_position: int | tuple[int, ...] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
    return_ids: bool = False,
    sens_param: bool = False,
) -> Callable[..., Any]:
    """Function that computes the value of `fn` and its gradient; arguments as for `grad`.

    Returns:
        Function with the arguments of `fn` that returns (value, gradient).
    """
    return _gradient_function(
        fn, _value_and_gradient("value_and_grad", fn, grad_position, weights, has_aux, return_ids, sens_param)
    )


def _value_and_gradient(name, fn, grad_position, weights, has_aux, return_ids, sens_param):
    _check_function(name, fn)
    positions = _positions(name, grad_position)
    boxes, many_weights = _weights(name, weights)
    if grad_position is None and weights is None:
        raise ValueError(f"For '{name}', 'grad_position' and 'weights' can not be None at the same time.")
    for flag, given in (("has_aux", has_aux), ("return_ids", return_ids), ("sens_param", sens_param)):
        if not isinstance(given, bool):
            raise TypeError(f"For '{name}', the '{flag}' must be bool, but got {type(given).__name__}.")

    def value_and_gradient(*args, **kwargs):
        args, sens = _without_sens(name, args, kwargs) if sens_param else (args, None)
        if grad_position is not None and not positions:
            raise RuntimeError("grad_position should not be empty when grad by position.")
        derivative = differentiate(fn, args, kwargs, positions, boxes, sens=sens, has_aux=has_aux)
        given = (*args, *kwargs.values())
        return derivative.value, _pack(derivative, positions, False, boxes, many_weights, given, return_ids)

    return value_and_gradient


def _without_sens(name, args, kwargs):
    """(the other inputs, the cotangent of the output): it is the last input, or the keyword `sens`, which is taken out."""
    if "sens" not in kwargs and not args:
        raise ValueError(
            f"For '{name}' with sens_param=True, the last input must be the cotangent of the output, but got no input."
        )
    args, sens = (args, kwargs.pop("sens")) if "sens" in kwargs else (args[:-1], args[-1])
    if sens is None:
        raise (RuntimeError if current() is None else TypeError)(
            f"For '{name}' with sens_param=True, the last input must be the cotangent of the output, but got None."
        )
    return args, sens


class GradOperation:
    """Makes gradient functions in the style of MindSpore 1.x: `GradOperation(get_all, get_by_list, sens_param)(fn, weights)(*inputs)`.

    Args:
        get_all: gradients of all inputs, as a tuple, instead of the first only.
        get_by_list: gradients of the Parameters `weights`; with `get_all` both: (inputs, weights). Without `weights` those of the
            trainable Parameters: in PYNATIVE_MODE of those that the result depends on, in the order of their use.
        sens_param: the last input of the gradient function is the cotangent of the output.

    Raises:
        TypeError: an argument that is not a bool.

    Example:
        >>> gradients = ops.GradOperation(get_by_list=True)(net, net.trainable_params())(x)
        >>> [g.shape for g in gradients]
        [(4, 3), (4,), (2, 4), (2,)]
    """

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False):
        for name, given in (("get_all", get_all), ("get_by_list", get_by_list), ("sens_param", sens_param)):
            if not isinstance(given, bool):
                raise TypeError(f"For 'GradOperation', the '{name}' should be bool, but got {type(given).__name__}")
        self.get_all, self.get_by_list, self.sens_param = get_all, get_by_list, sens_param
        self.grad_fn, self.fn, self.given = None, None, ()

    def _as_settings(self):
        return self.get_all, self.get_by_list, self.sens_param

    def __call__(self, fn: Callable, weights: Any = None) -> Callable[..., Any]:
        given = tuple(weights) if isinstance(weights, (tuple, list)) else (weights,)
        same = self.fn is fn and len(self.given) == len(given) and all(map(operator.is_, self.given, given))
        if self.grad_fn is None or not same:
            self.fn, self.given, self.grad_fn = fn, given, self._make(fn, weights)
        return self.grad_fn

    def _make(self, fn, weights):
        if not callable(fn):
            raise RuntimeError(
                f"For 'GradOperation', the first argument must be a 'Function' or 'Cell', but got {type(fn).__name__}."
            )
        boxes, many, named = [], True, weights is not None
        if self.get_by_list:
            if weights is None and hasattr(fn, "trainable_params"):
                weights = fn.trainable_params()
            elif weights is None:  # those that the function uses
                weights = tuple(p for p in reachable_state(fn).values() if p.requires_grad)
            boxes, many = _weights("GradOperation", weights)

        def gradient(*args, **kwargs):
            args, sens = _without_sens("GradOperation", args, kwargs) if self.sens_param else (args, None)
            given = (*args, *kwargs.values())
            inputs = () if self.get_by_list and not self.get_all else range(len(given)) if self.get_all else range(1)
            positions = tuple(i for i in inputs if i < len(given) and is_input(given[i]))
            derivative = differentiate(fn, tuple(args), kwargs, positions, boxes, sens=sens)
            grads = tuple(derivative.inputs)
            grads = grads if self.get_all or not grads else grads[0]
            params = tuple(derivative.weights) if many else derivative.weights[0]
            if not named and derivative.used is not None:
                params = tuple(derivative.weights[i] for i in derivative.used)
            if self.get_by_list:
                _accumulate(boxes, derivative.weights)
                return (grads, params) if self.get_all else params
            return grads

        return _gradient_function(fn, gradient)


def _accumulate(weights, grads):
    """Add gradients to the Parameters `accu_grads`, as MindSpore does where a step has several parts: a step of a user's own reads them."""
    steps = (context.get_auto_parallel_context(name) for name in ("pipeline_stages", "grad_accumulation_step"))
    if context.get_auto_parallel_context("parallel_mode") not in GLOBAL_MODES or max(steps) == 1:
        return
    for weight, grad in zip(weights, grads):
        sums = weight.__dict__.get("_accu_grad")
        if sums is not None and (total := sums()) is not None:
            total._assign(total.jax_array + grad.jax_array.astype(total.jax_array.dtype))


class _Grad:
    """All forms of a gradient function in one class, as MindSpore makes them inside: `_Grad(get_by_position=True)(fn, weights, 0)(*inputs)`.

    Args:
        get_all, get_by_list, sens_param: as for GradOperation. get_by_position: the inputs at `grad_position`. has_aux: `fn` returns
            extra values, which come after the gradient. get_value: give (value, gradient). return_ids: give each gradient with its
            position or name. merge_forward: recorded.

    Raises:
        TypeError: an argument that is not a bool.

    Example:
        >>> ops._Grad(get_by_position=True)(lambda x, y: x * y, None, (0, 1))(Tensor([2.0]), Tensor([3.0]))
        (Tensor(shape=[1], dtype=Float32, value= [ 3.00000000e+00]), Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00]))
    """

    def __init__(
        self,
        get_all=False,
        get_by_list=False,
        sens_param=False,
        get_by_position=False,
        has_aux=False,
        get_value=False,
        return_ids=False,
        merge_forward=False,
    ):
        flags = dict(
            get_all=get_all,
            get_by_list=get_by_list,
            sens_param=sens_param,
            get_by_position=get_by_position,
            has_aux=has_aux,
            get_value=get_value,
            return_ids=return_ids,
            merge_forward=merge_forward,
        )
        for name, given in flags.items():
            if not isinstance(given, bool):
                raise TypeError(f"For '_Grad', the '{name}' should be bool, but got {type(given).__name__}")
        self.__dict__.update(flags)

    def _as_settings(self):
        return tuple(vars(self).items())

    def __call__(self, fn, weights=None, grad_position=0):
        _check_function("_Grad", fn)
        boxes, many_weights = _weights("_Grad", weights if self.get_by_list else None)

        def gradient(*args, **kwargs):
            args, sens = _without_sens("_Grad", args, kwargs) if self.sens_param else (args, None)
            if self.get_by_position:
                positions, many = _positions("_Grad", grad_position), False
            elif self.get_all:
                positions, many = tuple(i for i, a in enumerate((*args, *kwargs.values())) if is_input(a)), True
            else:
                positions, many = () if self.get_by_list else (0,), False
            derivative = differentiate(fn, tuple(args), kwargs, positions, boxes, sens=sens, has_aux=self.has_aux)
            given = (*args, *kwargs.values())
            found = _pack(derivative, positions, many, boxes, many_weights, given, self.return_ids)
            if self.get_value:
                return derivative.value, found
            return (found, derivative.value[1:]) if self.has_aux else found

        return _gradient_function(fn, gradient)


class _Vmap:
    """The class form of `vmap`: `_Vmap()(fn, in_axes, out_axes)`."""

    def __call__(self, fn, in_axes=0, out_axes=0):
        return vmap(fn, in_axes, out_axes)


def is_input(value: Any):
    """Whether an argument has a gradient: a Tensor, also a sparse one, or a tuple, list or dict that was made `mutable`."""
    return is_tensor(value) or hasattr(value, "_tensor_parts") or isinstance(value, MutableContainer)


def get_grad(gradients: Any, identifier: Any):
    """The gradient of one input (its position) or Parameter (itself or its name) out of the result of `grad(..., return_ids=True)`.

    Raises:
        RuntimeError: there is no such gradient.
    """
    wanted = identifier.name if isinstance(identifier, Parameter) else identifier
    if isinstance(wanted, bool) or not isinstance(wanted, (int, str)):
        raise TypeError(
            f"For 'get_grad', the 'identifier' must be int, str or Parameter, but got {type(identifier).__name__}."
        )

    def search(node):
        if isinstance(node, tuple) and len(node) == 2 and isinstance(node[0], (int, str)) and not is_tensor(node[0]):
            return node[1] if node[0] == wanted else None
        if isinstance(node, (tuple, list)):
            for part in node:
                hit = search(part)
                if hit is not None:
                    return hit
        return None

    hit = search(gradients)
    if hit is None:
        raise RuntimeError(f"Can not find the gradient for position or Parameter {wanted!r}.")
    return hit


@checked
def vjp(fn: Callable, *inputs: Any, weights: Any = None, has_aux: Like[bool] = False) -> Any:
    """Value of `fn` at `inputs` and a function that multiplies a cotangent with its Jacobian from the left.

    Returns:
        (value, vjp function), with `has_aux` (value, vjp function, extra values). With `weights` the function returns (inputs, weights).
    """
    boxes, many = _weights("vjp", weights)
    for given in inputs:
        if not (is_input(given) or isinstance(given, (tuple, list))):
            raise TypeError(f"For 'vjp', the inputs type must be Tensor, but got {type(given).__name__}.")
    positions = tuple(range(len(inputs)))

    def forward(*args):
        return control_flow.resolve(fn)(*args)

    given = Contents(inputs)
    ready = None  # the pull of the run below: in eager code the function runs once
    if context.is_graph_mode() or views.copies() or any(hasattr(a, "_tensor_parts") for a in inputs):
        value = _gradient_function(fn, forward)(*inputs)
    else:
        value, ready = run_forward(fn, inputs, {}, positions, boxes, has_aux)
    given.of_written()  # later runs begin where the first did, though `fn` wrote to an input
    value, aux = (value[0], value[1:]) if has_aux else (value, None)

    def packed(derivative):
        grads = tuple(derivative.inputs)
        if weights is not None:
            return grads, tuple(derivative.weights) if many else derivative.weights[0]
        return grads

    def pull(args, sens):
        return packed(differentiate(fn, args, {}, positions, boxes, sens=sens, has_aux=has_aux))

    compiled = _gradient_function(fn, pull)

    def vjp_function(*sens):
        nonlocal ready
        if any(v is None or isinstance(v, (bool, int, float)) for v in sens):
            raise TypeError(f"For 'vjp', the inputs type must be Tensor, but got {sens}.")
        sens = sens if len(sens) > 1 else sens[0]
        if ready is None:
            return compiled(given.as_they_were(inputs), sens)
        first, ready = ready, None
        return packed(first(sens))

    return (value, vjp_function, aux if len(aux) > 1 else aux[0]) if has_aux else (value, vjp_function)


@checked
def jvp(fn: Callable, inputs: Any, v: Any, has_aux: Like[bool] = False) -> Any:
    """Value of `fn` at `inputs` and its Jacobian times the tangent `v`; with `has_aux` also the extra values."""
    return forward_product(fn, inputs, v, has_aux)


@checked
def jacfwd(
    fn: Callable, grad_position: Like[int | tuple[int, ...]] = 0, has_aux: Like[bool] = False
) -> Callable[..., Any]:
    """Function that computes the Jacobian of `fn` column by column (forward mode): good where inputs are few."""
    positions = _positions("jacfwd", grad_position)
    many = len(positions) > 1
    return forward_jacobian(fn, positions, many, has_aux)


@checked
def jacrev(
    fn: Callable, grad_position: Like[int | tuple[int, ...]] = 0, has_aux: Like[bool] = False
) -> Callable[..., Any]:
    """Function that computes the Jacobian of `fn` row by row (reverse mode): good where outputs are few."""
    positions = _positions("jacrev", grad_position)
    many = len(positions) > 1
    return reverse_jacobian(fn, positions, many, has_aux)


def vmap(fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """Function that maps `fn` over an axis of its arguments, as one batched computation.

    in_axes: axis (or None: not mapped) of each argument, nested as the arguments are. out_axes: where the axis is in the outputs.
    fn may be a list of Cells of the same structure (model ensembling): each gets its own slice.
    """
    return vectorize(fn, in_axes, out_axes)
