"""Every form of gradient over small nets with fixed weights. Each case is a function that returns Tensors.

The recorder runs them on MindSpore in both modes, the test on msjax; a function's name is the case's name.
"""

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def f32(*values):
    return Tensor(np.array(values, np.float32))


def matrix():
    return Tensor(np.array([[1.0, -2.0], [0.5, 3.0]], np.float32))


class Net(nn.Cell):
    """y = (x @ w) * z + b with w (2, 2), b (2,)."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(matrix(), name="w")
        self.b = Parameter(f32(0.25, -0.75), name="b")
        self.frozen = Parameter(f32(2.0), name="frozen", requires_grad=False)

    def construct(self, x, z):
        return ops.matmul(x, self.w) * z + self.b * self.frozen


class Two(nn.Cell):
    """Two outputs: a loss and something that is only carried along."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(matrix(), name="w")

    def construct(self, x):
        y = ops.matmul(x, self.w)
        return (y * y).sum(), y


class GradOp(nn.Cell):
    """The 1.x recipe: a Cell around GradOperation."""

    def __init__(self, net, grad, by_list=False):
        super().__init__()
        self.net = net
        self.grad = grad
        self.by_list = by_list
        self.params = ParameterTuple(net.trainable_params())

    def construct(self, *inputs):
        if self.by_list:
            return self.grad(self.net, self.params)(*inputs)
        return self.grad(self.net)(*inputs)


def xz():
    return Tensor(np.array([[1.0, 2.0], [3.0, -1.0]], np.float32)), f32(0.5, -2.0)


def scalar_function(x, z):
    return (x * x * z).sum()


def vector_function(x, z):
    return x * x * z, ops.sin(x)


# ---------------------------------------------------------------- ops.grad / value_and_grad
@case
def grad_default():
    return ops.grad(scalar_function)(f32(1, 2), f32(3, 4))


@case
def grad_position_1():
    return ops.grad(scalar_function, 1)(f32(1, 2), f32(3, 4))


@case
def grad_position_tuple():
    return ops.grad(scalar_function, (0, 1))(f32(1, 2), f32(3, 4))


@case
def grad_position_tuple_one():
    return ops.grad(scalar_function, (1,))(f32(1, 2), f32(3, 4))


@case
def grad_position_reversed():
    return ops.grad(scalar_function, (1, 0))(f32(1, 2), f32(3, 4))


@case
def grad_non_scalar_output():
    return ops.grad(vector_function, (0, 1))(f32(1, 2), f32(3, 4))


@case
def grad_cell():
    return ops.grad(Net())(*xz())


@case
def grad_weights_tuple():
    net = Net()
    return ops.grad(net, None, net.trainable_params())(*xz())


@case
def grad_weights_parameter_tuple():
    net = Net()
    return ops.grad(net, None, ParameterTuple(net.trainable_params()))(*xz())


@case
def grad_weights_single():
    net = Net()
    return ops.grad(net, None, net.w)(*xz())


@case
def grad_weights_list_of_one():
    net = Net()
    return ops.grad(net, None, [net.w])(*xz())


@case
def grad_position_and_weights():
    net = Net()
    return ops.grad(net, 0, net.trainable_params())(*xz())


@case
def grad_positions_and_weights():
    net = Net()
    return ops.grad(net, (0, 1), net.trainable_params())(*xz())


@case
def grad_position_and_single_weight():
    net = Net()
    return ops.grad(net, 1, net.b)(*xz())


@case
def grad_unused_weight():
    net = Net()
    other = Parameter(f32(1, 2), name="other")
    return ops.grad(net, None, [net.w, other])(*xz())


@case
def grad_frozen_weight():
    net = Net()
    return ops.grad(net, None, [net.frozen])(*xz())


@case
def grad_unused_input():
    def f(x, z):
        return x * 2.0

    return ops.grad(f, (0, 1))(f32(1, 2), f32(3, 4))


@case
def grad_has_aux():
    def f(x, z):
        return (x * z).sum(), x + z, z

    return ops.grad(f, 0, None, True)(f32(1, 2), f32(3, 4))


@case
def grad_has_aux_positions():
    def f(x, z):
        return (x * z).sum(), x + z

    return ops.grad(f, (0, 1), None, True)(f32(1, 2), f32(3, 4))


@case
def grad_return_ids():
    return ops.grad(scalar_function, 0, return_ids=True)(f32(1, 2), f32(3, 4))


@case
def grad_return_ids_positions():
    return ops.grad(scalar_function, (0, 1), return_ids=True)(f32(1, 2), f32(3, 4))


@case
def grad_return_ids_weights():
    net = Net()
    return ops.grad(net, 0, net.trainable_params(), return_ids=True)(*xz())


@case
def get_grad_by_position():
    grads = ops.grad(scalar_function, (0, 1), return_ids=True)(f32(1, 2), f32(3, 4))
    return ops.get_grad(grads, 1)


@case
def get_grad_by_parameter():
    net = Net()
    grads = ops.grad(net, (0, 1), net.trainable_params(), return_ids=True)(*xz())
    return ops.get_grad(grads, net.b), ops.get_grad(grads, net.w), ops.get_grad(grads, 0)


@case
def get_grad_single():
    grads = ops.grad(scalar_function, 1, return_ids=True)(f32(1, 2), f32(3, 4))
    return ops.get_grad(grads, 1)


@case
def get_grad_missing():
    grads = ops.grad(scalar_function, (0,), return_ids=True)(f32(1, 2), f32(3, 4))
    return ops.get_grad(grads, 1)


@case
def value_and_grad_default():
    return ops.value_and_grad(scalar_function)(f32(1, 2), f32(3, 4))


@case
def value_and_grad_positions():
    return ops.value_and_grad(scalar_function, (0, 1))(f32(1, 2), f32(3, 4))


@case
def value_and_grad_position_tuple_one():
    return ops.value_and_grad(scalar_function, (1,))(f32(1, 2), f32(3, 4))


@case
def value_and_grad_weights():
    net = Net()
    return ops.value_and_grad(net, None, net.trainable_params())(*xz())


@case
def value_and_grad_single_weight():
    net = Net()
    return ops.value_and_grad(net, None, net.w)(*xz())


@case
def value_and_grad_both():
    net = Net()
    return ops.value_and_grad(net, 0, net.trainable_params())(*xz())


@case
def value_and_grad_has_aux():
    net = Two()
    return ops.value_and_grad(net, None, net.trainable_params(), has_aux=True)(xz()[0])


@case
def value_and_grad_has_aux_position():
    return ops.value_and_grad(Two(), 0, None, has_aux=True)(xz()[0])


@case
def value_and_grad_two_outputs():
    return ops.value_and_grad(Two(), 0)(xz()[0])


@case
def value_and_grad_return_ids():
    net = Net()
    return ops.value_and_grad(net, 0, net.trainable_params(), return_ids=True)(*xz())


@case
def value_and_grad_forward_function():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    loss = nn.MSELoss()

    def forward(data, label):
        logits = net(data)
        return loss(logits, label), logits

    step = ms.value_and_grad(forward, None, net.trainable_params(), has_aux=True)
    return step(xz()[0], Tensor(np.ones((2, 1), np.float32)))


@case
def value_and_grad_list_weights():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")

    def forward(data):
        return net(data).sum()

    return ms.value_and_grad(forward, None, list(net.trainable_params()))(xz()[0])


@case
def value_and_grad_no_position_no_weights():
    return ops.value_and_grad(scalar_function, None, None)(f32(1, 2), f32(3, 4))


@case
def grad_no_position_no_weights():
    return ops.grad(scalar_function, None, None)(f32(1, 2), f32(3, 4))


@case
def grad_position_out_of_range():
    return ops.grad(scalar_function, 5)(f32(1, 2), f32(3, 4))


@case
def grad_position_not_int():
    return ops.grad(scalar_function, "x")(f32(1, 2), f32(3, 4))


@case
def grad_position_negative():
    return ops.grad(scalar_function, -1)(f32(1, 2), f32(3, 4))


@case
def grad_scalar_input():
    def f(x, k):
        return x * k

    return ops.grad(f, 0)(f32(1, 2), 3.0)


@case
def grad_wrt_python_float():
    def f(x, k):
        return x * k

    return ops.grad(f, 1)(f32(1, 2), 3.0)


@case
def grad_integer_input():
    def f(x, n):
        return (x * n).sum()

    return ops.grad(f, (0, 1))(f32(1, 2), Tensor([3, 4], ms.int32))


@case
def grad_integer_input_only():
    def f(n):
        return n * n

    return ops.grad(f)(Tensor([3, 4], ms.int32))


@case
def grad_bool_input():
    def f(x, mask):
        return ops.where(mask, x, x * 3.0)

    return ops.grad(f, (0, 1))(f32(1, 2), Tensor([True, False]))


@case
def grad_through_int_cast():
    def f(x):
        return x.astype(ms.int32).astype(ms.float32) * x

    return ops.grad(f)(f32(1.5, 2.5))


@case
def grad_float16_input():
    def f(x, z):
        return x * z

    return ops.grad(f, (0, 1))(Tensor([1.0, 2.0], ms.float16), f32(3, 4))


@case
def grad_float64_input():
    def f(x):
        return x * x * x

    return ops.grad(f)(Tensor([1.0, 2.0], ms.float64))


@case
def grad_broadcast():
    def f(x, z):
        return x * z

    return ops.grad(f, (0, 1))(matrix(), f32(2))


@case
def grad_tuple_input():
    def f(pair):
        return (pair[0] * pair[1]).sum()

    return ops.grad(f)(ms.mutable((f32(1, 2), f32(3, 4))))


@case
def grad_dict_output():
    def f(x):
        return {"a": x * 2.0, "b": x * x}

    return ops.grad(f)(f32(1, 2))


@case
def grad_none_output():
    def f(x):
        return None

    return ops.grad(f)(f32(1, 2))


@case
def grad_constant_output():
    def f(x):
        return f32(1, 2)

    return ops.grad(f)(f32(1, 2))


@case
def grad_identity():
    def f(x):
        return x

    return ops.grad(f)(f32(1, 2))


@case
def grad_of_parameter_only():
    w = Parameter(f32(1, 2), name="w")

    def f(x):
        return (w * w * x).sum()

    return ops.grad(f, None, w)(f32(3, 4))


@case
def grad_parameter_as_input():
    w = Parameter(f32(1, 2), name="w")
    return ops.grad(scalar_function, 0)(w, f32(3, 4))


@case
def grad_shared_weight_twice():
    w = Parameter(f32(1, 2), name="w")

    def f(x):
        return w * x + w * w

    return ops.grad(f, (0,), [w])(f32(3, 4))


# ---------------------------------------------------------------- stop_gradient, ties, edges
@case
def stop_gradient():
    def f(x, z):
        return ops.stop_gradient(x * z) * x

    return ops.grad(f, (0, 1))(f32(1, 2), f32(3, 4))


@case
def stop_gradient_tuple():
    def f(x, z):
        a, b = ops.stop_gradient((x * z, x))
        return a * x + b * z

    return ops.grad(f, (0, 1))(f32(1, 2), f32(3, 4))


@case
def stop_gradient_all():
    def f(x):
        return ops.stop_gradient(x * x)

    return ops.grad(f)(f32(1, 2))


@case
def relu_at_zero():
    return ops.grad(ops.relu)(f32(-1, 0, 1))


@case
def abs_at_zero():
    return ops.grad(ops.abs)(f32(-1, 0, 1))


@case
def maximum_tie():
    return ops.grad(ops.maximum, (0, 1))(f32(1, 2, 3), f32(3, 2, 1))


@case
def minimum_tie():
    return ops.grad(ops.minimum, (0, 1))(f32(1, 2, 3), f32(3, 2, 1))


@case
def reduce_max_tie():
    def f(x):
        return x.max()

    return ops.grad(f)(f32(3, 1, 3))


@case
def sqrt_at_zero():
    return ops.grad(ops.sqrt)(f32(0, 4))


@case
def norm_at_zero():
    def f(x):
        return ops.norm(x)

    return ops.grad(f)(f32(0, 0))


@case
def clip_edges():
    def f(x):
        return ops.clip_by_value(x, -1.0, 1.0)

    return ops.grad(f)(f32(-2, -1, 0, 1, 2))


@case
def where_nan():
    def f(x):
        return ops.where(x > 0, ops.log(x), x)

    return ops.grad(f)(f32(-1, 0, 2))


@case
def gather_duplicates():
    def f(x):
        return ops.gather(x, Tensor([0, 1, 0], ms.int32), 0) * f32(1, 10, 100)

    return ops.grad(f)(f32(1, 2, 3))


@case
def getitem_slice():
    def f(x):
        return x[0, 1:] * 2.0

    return ops.grad(f)(matrix())


@case
def power_at_zero():
    def f(x, y):
        return x**y

    return ops.grad(f, (0, 1))(f32(0, 2), f32(2, 3))


@case
def division():
    def f(x, y):
        return x / y

    return ops.grad(f, (0, 1))(f32(1, 2), f32(4, -2))


@case
def floor_and_round():
    def f(x):
        return ops.floor(x) * x + ops.round(x)

    return ops.grad(f)(f32(1.5, -2.25))


# ---------------------------------------------------------------- GradOperation, 8 combinations
def grad_operation(get_all, get_by_list, sens_param):
    def run():
        net = Net()
        grad = ops.GradOperation(get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)
        inputs = xz()
        if sens_param:
            inputs = (*inputs, Tensor(np.array([[1.0, 0.5], [-1.0, 2.0]], np.float32)))
        return GradOp(net, grad, get_by_list)(*inputs)

    run.__name__ = f"grad_operation_{int(get_all)}{int(get_by_list)}{int(sens_param)}"
    return run


for flags in range(8):
    case(grad_operation(bool(flags & 4), bool(flags & 2), bool(flags & 1)))


@case
def grad_operation_function():
    return ops.GradOperation()(scalar_function)(f32(1, 2), f32(3, 4))


@case
def grad_operation_function_all():
    return ops.GradOperation(get_all=True)(scalar_function)(f32(1, 2), f32(3, 4))


@case
def grad_operation_one_parameter():
    net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
    return ops.GradOperation(get_by_list=True)(net, net.weight)(xz()[0])


@case
def grad_operation_list_of_parameters():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    return ops.GradOperation(get_by_list=True)(net, net.trainable_params())(xz()[0])


@case
def grad_operation_all_integer_inputs():
    def f(x, n):
        return x * n

    return ops.GradOperation(get_all=True)(f)(f32(1, 2), Tensor([3, 4], ms.int32))


@case
def grad_operation_sens_two_outputs():
    net = Two()
    x = xz()[0]
    sens = (Tensor(2.0, ms.float32), ops.ones_like(x))
    return ops.GradOperation(sens_param=True)(net)(x, sens)


@case
def grad_operation_sens_number():
    grad = ops.GradOperation(get_all=True, sens_param=True)
    return grad(scalar_function)(f32(1, 2), f32(3, 4), Tensor(3.0, ms.float32))


@case
def grad_operation_two_outputs():
    return ops.GradOperation()(Two())(xz()[0])


@case
def grad_operation_sens_missing():
    return ops.GradOperation(sens_param=True)(ops.relu)(f32(1, 2))


class Pair(nn.Cell):
    """Two outputs of unlike kinds, chosen by a word."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def construct(self, x):
        if self.kind == "tensor":
            return x * 2.0
        if self.kind == "pair":
            return x * 2.0, x * 3.0
        if self.kind == "nested":
            return x * 2.0, (x * 3.0, x)
        return x * 2.0, 3


def given_sens(kind, name, make):
    def run():
        return ops.GradOperation(sens_param=True)(Pair(kind))(f32(1, 2), make())

    def by_vjp():
        return ops.vjp(Pair(kind), f32(1, 2))[1](make())

    run.__name__, by_vjp.__name__ = f"sens_of_{kind}_{name}", f"sens_of_{kind}_{name}_by_vjp"
    return run, by_vjp


for row in (
    ("tensor", "in_a_tuple", lambda: (f32(1, 2),)),
    ("tensor", "two", lambda: (f32(1, 2), f32(1, 2))),
    ("tensor", "list", lambda: [f32(1, 2), f32(1, 2)]),
    ("tensor", "number", lambda: 1.0),
    ("tensor", "none", lambda: None),
    ("tensor", "half", lambda: f32(1, 2).astype(ms.float16)),
    ("tensor", "integers", lambda: Tensor([1, 2], ms.int32)),
    ("pair", "one", lambda: f32(1, 2)),
    ("pair", "list", lambda: [f32(1, 2), f32(3, 4)]),
    ("pair", "nested", lambda: (f32(1, 2), (f32(1, 2), f32(3, 4)))),
    ("pair", "half", lambda: (f32(1, 2), f32(3, 4).astype(ms.float16))),
    ("nested", "flat", lambda: (f32(1, 2), f32(3, 4), f32(5, 6))),
    ("nested", "like", lambda: (f32(1, 2), (f32(3, 4), f32(5, 6)))),
    ("number", "like", lambda: (f32(1, 2), 3)),
    ("number", "one", lambda: f32(1, 2)),
    ("number", "two", lambda: (f32(1, 2), f32(1, 2))),
):
    for made in given_sens(*row):
        case(made)


# ---------------------------------------------------------------- jvp, vjp, jacobians, vmap
@case
def jvp_one():
    def f(x):
        return x * x * x

    return ops.jvp(f, f32(1, 2), f32(1, 0.5))


@case
def jvp_two_inputs():
    return ops.jvp(scalar_function, (f32(1, 2), f32(3, 4)), (f32(1, 1), f32(0, 2)))


@case
def jvp_two_outputs():
    return ops.jvp(vector_function, (f32(1, 2), f32(3, 4)), (f32(1, 1), f32(0, 2)))


@case
def jvp_has_aux():
    def f(x):
        return x * x, x + 1.0

    return ops.jvp(f, f32(1, 2), f32(1, 1), has_aux=True)


@case
def vjp_one():
    def f(x):
        return x * x * x

    out, pull = ops.vjp(f, f32(1, 2))
    return out, pull(f32(1, 0.5))


@case
def vjp_two_inputs():
    out, pull = ops.vjp(scalar_function, f32(1, 2), f32(3, 4))
    return out, pull(Tensor(2.0, ms.float32))


@case
def vjp_two_outputs():
    out, pull = ops.vjp(vector_function, f32(1, 2), f32(3, 4))
    return out, pull((f32(1, 0.5), f32(2, 2)))


@case
def vjp_weights():
    net = Net()
    out, pull = ops.vjp(net, *xz(), weights=net.trainable_params())
    return out, pull(Tensor(np.ones((2, 2), np.float32)))


@case
def vjp_has_aux():
    def f(x):
        return x * x, x + 1.0

    out, pull, aux = ops.vjp(f, f32(1, 2), has_aux=True)
    return out, pull(f32(1, 1)), aux


@case
def jacfwd_one():
    def f(x):
        return x * x

    return ops.jacfwd(f)(f32(1, 2, 3))


@case
def jacfwd_positions():
    def f(x, z):
        return ops.matmul(x, z)

    return ops.jacfwd(f, (0, 1))(matrix(), f32(3, 4))


@case
def jacfwd_two_outputs():
    return ops.jacfwd(vector_function, (0, 1))(f32(1, 2), f32(3, 4))


@case
def jacfwd_has_aux():
    def f(x):
        return x * x, x + 1.0

    return ops.jacfwd(f, 0, has_aux=True)(f32(1, 2))


@case
def jacrev_one():
    def f(x):
        return x * x

    return ops.jacrev(f)(f32(1, 2, 3))


@case
def jacrev_positions():
    def f(x, z):
        return ops.matmul(x, z)

    return ops.jacrev(f, (0, 1))(matrix(), f32(3, 4))


@case
def jacrev_scalar():
    return ops.jacrev(scalar_function)(f32(1, 2), f32(3, 4))


@case
def jacrev_two_outputs():
    return ops.jacrev(vector_function, (0, 1))(f32(1, 2), f32(3, 4))


@case
def jacrev_has_aux():
    def f(x):
        return x * x, x + 1.0

    return ops.jacrev(f, 0, has_aux=True)(f32(1, 2))


@case
def vmap_default():
    def f(x, y):
        return x * y + 1.0

    return ops.vmap(f)(matrix(), matrix())


@case
def vmap_in_axes():
    def f(x, y):
        return (x * y).sum()

    return ops.vmap(f, in_axes=(1, None))(matrix(), f32(1, 2))


@case
def vmap_out_axes():
    def f(x):
        return x * 2.0

    return ops.vmap(f, in_axes=1, out_axes=1)(matrix())


@case
def vmap_two_outputs():
    def f(x, y):
        return x + y, x.sum()

    return ops.vmap(f, in_axes=(0, None), out_axes=(1, 0))(matrix(), f32(10, 20))


@case
def vmap_nested():
    def f(x, y):
        return x * y

    return ops.vmap(ops.vmap(f, in_axes=(0, None)), in_axes=(None, 0))(f32(1, 2, 3), f32(10, 20))


@case
def vmap_of_grad():
    def f(x):
        return (x * x * x).sum()

    return ops.vmap(ops.grad(f))(matrix())


@case
def grad_of_vmap():
    def f(x):
        return ops.vmap(ops.sin)(x).sum()

    return ops.grad(f)(f32(1, 2))


@case
def vmap_list_of_cells():
    cells = nn.CellList(
        [nn.Dense(2, 2, weight_init="ones", bias_init="zeros"), nn.Dense(2, 2, weight_init="zeros", bias_init="ones")]
    )
    return ops.vmap(cells, in_axes=(0,))(matrix())


# ---------------------------------------------------------------- second order
@case
def second_order():
    def f(x):
        return x * x * x

    return ops.grad(ops.grad(f))(f32(1, 2))


@case
def third_order():
    def f(x):
        return ops.sin(x) * x

    return ops.grad(ops.grad(ops.grad(f)))(f32(1, 2))


@case
def second_order_mixed():
    def f(x, z):
        return x * x * z * z

    return ops.grad(ops.grad(f, 0), 1)(f32(1, 2), f32(3, 4))


@case
def second_order_cell():
    class Inner(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = nn.Dense(2, 1, weight_init="ones", has_bias=False, activation=nn.Tanh())
            self.grad = ops.GradOperation()

        def construct(self, x):
            return self.grad(self.net)(x)

    inner = Inner()
    return ops.grad(inner)(f32(0.5, -0.25).reshape(1, 2))


@case
def hessian():
    def f(x):
        return (x[0] * x[0] * x[1]).sum()

    return ops.jacfwd(ops.jacrev(f))(f32(1, 2))


@case
def gradient_penalty():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")

    def critic(x):
        return (net(x) * net(x)).sum()

    def penalty(x):
        g = ops.grad(critic)(x)
        return (g * g).sum()

    return ops.grad(penalty, None, net.trainable_params())(xz()[0])


# ---------------------------------------------------------------- custom bprop, hooks, state
@case
def cell_bprop():
    class Custom(nn.Cell):
        def construct(self, x, y):
            return x * y

        def bprop(self, x, y, out, dout):
            return dout * 10.0, out + dout

    return ops.grad(Custom(), (0, 1))(f32(1, 2), f32(3, 4))


@case
def cell_bprop_inside():
    class Custom(nn.Cell):
        def construct(self, x):
            return ops.sign(x)

        def bprop(self, x, out, dout):
            return (dout * 3.0,)

    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.custom = Custom()

        def construct(self, x):
            return self.custom(x * 2.0) * x

    return ops.grad(Outer())(f32(1, -2))


@case
def cell_bprop_two_outputs():
    class Custom(nn.Cell):
        def construct(self, x):
            return x * 2.0, x * 3.0

        def bprop(self, x, out, dout):
            return (dout[0] + dout[1] * 10.0,)

    return ops.grad(Custom())(f32(1, 2))


@case
def grad_of_sequential():
    net = nn.SequentialCell(
        nn.Dense(2, 2, weight_init="ones", bias_init="zeros"),
        nn.ReLU(),
        nn.Dense(2, 1, weight_init="ones", bias_init="ones"),
    )
    return ops.grad(net, 0, net.trainable_params())(xz()[0])


@case
def grad_in_cell_with_state():
    class Counting(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = Parameter(Tensor(0.0, ms.float32), name="count", requires_grad=False)
            self.w = Parameter(f32(2, 3), name="w")

        def construct(self, x):
            ops.assign_add(self.count, Tensor(1.0, ms.float32))
            return (self.w * x).sum()

    net = Counting()
    grad = ops.grad(net, 0, [net.w])
    grad(f32(1, 2))
    return grad(f32(1, 2)), net.count.value()


@case
def train_one_step():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    step.set_train()
    losses = [step(xz()[0], Tensor(np.ones((2, 1), np.float32))) for _ in range(3)]
    return losses, net.weight.value(), net.bias.value()


@case
def train_one_step_sens():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), sens=2.0)
    return step(xz()[0], Tensor(np.ones((2, 1), np.float32))), net.weight.value()


@case
def forward_value_and_grad():
    net = Net()
    return nn.ForwardValueAndGrad(net, ParameterTuple(net.trainable_params()), get_all=True, get_by_list=True)(*xz())


@case
def forward_value_and_grad_sens():
    net = Net()
    return nn.ForwardValueAndGrad(net, ParameterTuple(net.trainable_params()), get_by_list=True, sens_param=True)(
        *xz(), Tensor(np.full((2, 2), 2.0, np.float32))
    )


@case
def control_flow_concrete():
    def f(x, n):
        for _ in range(n):
            x = x * x
        return x

    return ops.grad(f)(f32(1, 2), 2)


@case
def control_flow_if():
    def f(x):
        if x.sum() > 0:
            return x * 2.0
        return x * 5.0

    return ops.grad(f)(f32(1, 2)), ops.grad(f)(f32(-1, -2))


@case
def control_flow_while():
    def f(x):
        i = 0
        while i < 3:
            x = x * 2.0
            i = i + 1
        return x

    return ops.grad(f)(f32(1, 2))


@case
def grad_with_keyword():
    def f(x, scale=2.0):
        return x * scale

    return ops.grad(f)(f32(1, 2), scale=3.0)


@case
def grad_under_jit():
    @ms.jit
    def f(x):
        return ops.grad(ops.sin)(x)

    return f(f32(0.5, 1.5))


@case
def jit_under_grad():
    @ms.jit
    def f(x):
        return ops.sin(x) * x

    return ops.grad(f)(f32(0.5, 1.5))


@case
def cast_in_net():
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros").to_float(ms.float16)
    return ops.value_and_grad(net, 0, net.trainable_params())(xz()[0])


@case
def parameter_hook():
    net = nn.Dense(2, 1, weight_init="ones", has_bias=False)
    net.weight.register_hook(double_gradient)
    return ops.grad(net, None, net.trainable_params())(xz()[0])


def double_gradient(grad):
    return grad * 2.0


@case
def insert_gradient_of():
    def double(dx):
        return dx * 2.0

    op = ops.InsertGradientOf(double)

    def f(x):
        return op(x * 3.0)

    return ops.grad(f)(f32(1, 2))


@case
def hook_backward():
    def hook(grad):
        return grad[0] * 4.0

    op = ops.HookBackward(hook)

    def f(x):
        return op(x * 3.0)

    return ops.grad(f)(f32(1, 2))


# Where the two modes of MindSpore disagree: which of them the test wants from msjax in both, and why.
CHOICE = {
    "grad_tuple_input": ("graph", "PYNATIVE gives an empty tuple"),
    "get_grad_single": ("graph", "PYNATIVE indexes into the gradient itself"),
    "grad_position_out_of_range": ("either", "RuntimeError or IndexError"),
    "grad_with_keyword": ("pynative", "keywords work as in a plain call"),
    "hook_backward": ("pynative", "GRAPH_MODE ignores the hook"),
    "parameter_hook": ("pynative", "GRAPH_MODE ignores the hook"),
    "grad_operation_sens_missing": ("either", "the message differs"),
}


def plain(value):
    """Tensors as [dtype, shape, values], containers as {"tuple": [...]} etc., everything else as its repr."""
    if isinstance(value, Tensor):
        array = value.astype(ms.float32).asnumpy() if value.dtype == ms.bfloat16 else value.asnumpy()
        flat = array.reshape(-1)
        values = [[v.real, v.imag] for v in flat.tolist()] if np.iscomplexobj(flat) else flat.tolist()
        return [str(value.dtype), list(value.shape), values]
    if isinstance(value, (tuple, list)):
        return {type(value).__name__ if type(value) in (tuple, list) else "tuple": [plain(v) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[plain(k), plain(v)] for k, v in value.items()]}
    return repr(value)


def run(name):
    """The case's result as plain data, or ["!Exception", message]."""
    try:
        return plain(CASES[name]())
    except Exception as error:
        text = str(error).strip().split("\n")[0].split(", , sens gradient abs")[0]  # then come addresses
        return ["!" + type(error).__name__, text[:240]]
