"""Gradients where JAX has none: through integers and casts, hooks, gradients that users write, loops on traced conditions, state.

`EXPRESSIONS` are differentiated with respect to all their inputs (x, then y); `CASES` are functions as in `cases_autodiff`. The recorder
runs both on MindSpore in PYNATIVE_MODE (its GRAPH_MODE agrees where it accepts them), the test on msjax in both modes.
"""

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from cases_autodiff import plain
from mindspore import Parameter, Tensor

# the expression, and its inputs
EXPRESSIONS = {
    "x * x * 3": "Tensor(2, ms.int32)",
    "(x.astype(ms.float32) * 1.5).sum()": "Tensor([1, 2, 3], ms.int32)",
    "(x.astype(ms.float32) ** 2 * 0.3).sum()": "Tensor([1, 2, 3], ms.int32)",
    "(x.astype(ms.int32) * 3).astype(ms.float32).sum()": "Tensor([1.5, 2.5], ms.float32)",
    "x.astype(ms.bool_).astype(ms.float32) * 2.5": "Tensor([1.5, 0.0], ms.float32)",
    "x.astype(ms.float32) * 2.5": "Tensor([True, False])",
    "y * x": "Tensor([True, False, True]), Tensor([0.4, 2.5, -0.3], ms.float32)",
    "x.astype(ms.float32) * y * 0.5": "Tensor([True, False, True]), Tensor([0.4, 0.0, -0.3], ms.float32)",
    "x * y": "Tensor([2, 3], ms.int32), Tensor([1.5, 2.5], ms.float32)",
    "x * y + x": "Tensor([2, 3], ms.int32), Tensor([1.5, 2.5], ms.float32)",
    "x / y": "Tensor([7, 2], ms.int32), Tensor([2, 3], ms.int32)",
    "x // 3": "Tensor([7, 2], ms.int32)",
    "x % y": "Tensor([7, 2], ms.int32), Tensor([3, 3], ms.int32)",
    "x ** 3": "Tensor([7, 2], ms.int32)",
    # quotients by numbers whose squares do not fit
    "x / (y + 1e-20)": "Tensor([0.0, 1e-20, 1.0], ms.float32), Tensor([0.0, 0.0, 1e-20], ms.float32)",
    "x / (x.abs().sum() + 1e-30)": "Tensor([0.0, 0.0], ms.float32)",
    "ops.div(x, y)": "Tensor([1e20, 2e20], ms.float32), Tensor([1e20, 3e20], ms.float32)",
    "ops.reciprocal(x) + 2 / x": "Tensor([1e20, 1e-15], ms.float32)",
    "ops.reciprocal(x)": "Tensor([299.5, 1e-3], ms.float16)",
    "ops.hypot(x, y)": "Tensor([3e20, 3.0], ms.float32), Tensor([4e20, 4.0], ms.float32)",
    "ops.xdivy(x, y)": "Tensor([0.0, 1e20], ms.float32), Tensor([1e-25, 2e20], ms.float32)",
    "ops.RealDiv()(x, y)": "Tensor([1e-21, 3.0], ms.float32), Tensor([1e-21, 4.0], ms.float32)",
    "x.sum()": "Tensor([7, 2], ms.int32)",
    "ops.mean(x)": "Tensor([7, 2], ms.int32)",
    "x[1] * x[0]": "Tensor([7, 2], ms.int32)",
    "ops.gather(x, y, 0)": "Tensor([1.0, 2.0, 3.0], ms.float32), Tensor([1, 2], ms.int32)",
    "(x > 2).astype(ms.float32) * x": "Tensor([7, 2], ms.int32)",
    "ops.where(x > 2, x * 2, x * 3)": "Tensor([7, 2], ms.int32)",
    "ops.abs(x)": "Tensor([-7, 2], ms.int32)",
    "-x": "Tensor([-7, 2], ms.int32)",
    "ops.maximum(x, y)": "Tensor([-7, 2], ms.int32), Tensor([1, 2], ms.int32)",
    "x.max()": "Tensor([-7, 2, 2], ms.int32)",
    "ops.masked_select(x, x > 1) * x.sum()": "Tensor([3, 1, 3, 2], ms.int32)",
    "ops.MaskedSelect()(x, x > 1).astype(ms.float32) * 2": "Tensor([3, 1, 3, 2], ms.int32)",
    "ops.masked_select(x, y > 0)": "Tensor([3, 1, 2], ms.int32), Tensor([[1.0], [0.0], [2.0]], ms.float32)",
    "ops.matmul(x, y)": "Tensor([[1, 2], [3, 4]], ms.int32), Tensor([[1, 2], [3, 4]], ms.int32)",
    "ops.argmax(x).astype(ms.float32) * 2": "Tensor([1.0, 2.0], ms.float32)",
    "x * x.astype(ms.int32)": "Tensor([1.5, 2.6], ms.float32)",
    "(x.astype(ms.float32) * 0.5).astype(ms.int32) * 4": "Tensor([3, 5], ms.int32)",
    "((x.astype(ms.float32) * 0.5).astype(ms.int32) * 4).astype(ms.float32) * 0.7": "Tensor([3, 5], ms.int32)",
    "ops.cross_entropy(x, y)": "Tensor([[1.0, 2.0], [3.0, 1.0]], ms.float32), Tensor([0, 1], ms.int32)",
    "ops.concat((x, x * 2))": "Tensor([0, 1], ms.int32)",
    "ops.stack((x, x * 2)).sum()": "Tensor([0, 1], ms.int32)",
    "ops.cumsum(x, 0)": "Tensor([0, 1, 2], ms.int32)",
    "ops.clamp(x, 0, 1)": "Tensor([0, 1, 2], ms.int32)",
    "x.reshape(3, 1) * x": "Tensor([0, 1, 2], ms.int32)",
    "x & 3": "Tensor([4, 9], ms.int32)",
    "x * 2": "Tensor([4, 9], ms.int32), Tensor([4, 9], ms.int32)",
    "x * 1.5": "Tensor([7, 2], ms.int32)",
    "ops.div(x, 2)": "Tensor([7, 2], ms.int32)",
    "x / Tensor(3, ms.int32)": "Tensor([7, 2], ms.int32)",
    "x * 2 / 3": "Tensor([7, 2], ms.int32)",
    "ops.sqrt(x * 2)": "Tensor([7, 2], ms.int32)",
    "x ** 0.5": "Tensor([7, 2], ms.int32)",
    "ops.softmax(x.astype(ms.float32))": "Tensor([7, 2], ms.int32)",
    "x.cumprod(0)": "Tensor([7, 2], ms.int32)",
    "ops.maximum(x, Tensor([7, 7], ms.int32)) * 4": "Tensor([7, 2], ms.int32)",
    "x.max() * 4": "Tensor([2, 2, 1], ms.int32)",
    "x.int() * 2.5": "Tensor([1.5, 2.5], ms.float32)",
    "ops.sort(x)[0] * Tensor([1.0, 2, 3], ms.float32)": "Tensor([3, 1, 2], ms.int32)",
    "ops.topk(x, 2)[0] * Tensor([1, 2], ms.int32)": "Tensor([3, 1, 2], ms.int32)",
    "ops.stop_gradient(x) * x": "Tensor([7, 2], ms.int32)",
    "ops.tile(x, (2,)) * Tensor([1, 2, 3, 4], ms.int32)": "Tensor([7, 2], ms.int32)",
    "ops.gather(x, Tensor([0, 0, 1], ms.int32), 0) * Tensor([1, 2, 3], ms.int32)": "Tensor([7, 2], ms.int32)",
    "ops.tensor_scatter_elements(x, Tensor([0], ms.int32), x[1:] * 5)": "Tensor([7, 2], ms.int32)",
    "ops.split(x, 1)[1] * 3": "Tensor([7, 2], ms.int32)",
    "ops.masked_fill(x, x > 3, 0)": "Tensor([7, 2], ms.int32)",
    "ops.logical_not(x.astype(ms.bool_)).astype(ms.float32)": "Tensor([7, 2], ms.int32)",
    "x[x > 3] * 3": "Tensor([7, 2], ms.int32)",
    "ops.repeat_interleave(x, 2, 0) * 2": "Tensor([7, 2], ms.int32)",
    "ops.pad(x, (1, 1)) * 2": "Tensor([7, 2], ms.int32)",
    "ops.trunc(x) * 2": "Tensor([1.5, 0], ms.float32)",
    "ops.floor_mod(x, 3) * 2": "Tensor([7, 2], ms.int32)",
    "ops.sign(x) * 2": "Tensor([7, 2], ms.int32)",
    "ops.matmul(x, Tensor([1, 2], ms.int32)) * 2": "Tensor([7, 2], ms.int32)",
    "ops.sub(x, 1) * x": "Tensor([7, 2], ms.uint8)",
    "x * x * x": "Tensor([100], ms.int8)",
    "x - 2 * x": "Tensor([100], ms.uint8)",
    "ops.div(x, x, rounding_mode='floor')": "Tensor([7, 2], ms.int32)",
    "x.int() * x.bool()": "Tensor([1.5, 2.5], ms.float32)",
    "ops.where(x.bool(), x, -x)": "Tensor([7, 2], ms.int32)",
    "x.expand_dims(0).squeeze().transpose().view(2, 1).swapaxes(0, 1) * 2": "Tensor([7, 2], ms.int32)",
}

# where a function has a kink, or elements are equal
EDGES = "Tensor([-6.0, -3, -1, -0.5, 0, 0.5, 1, 3, 6, 20], ms.float32)"
FAR = 'Tensor([-float("inf"), -20.0, 20.0, float("inf")], ms.float32)'
TIES = "Tensor([[1.0, 2.0, 2.0], [3.0, 3.0, 3.0]], ms.float32)"
EXPRESSIONS |= {
    f"ops.{name}(x)": EDGES for name in "relu relu6 elu celu hardsigmoid hardswish hardtanh hardshrink".split()
}
EXPRESSIONS |= {f"ops.{name}(x)": EDGES for name in "softshrink leaky_relu bessel_i0 digamma lgamma acosh".split()}
EXPRESSIONS |= {
    "ops.hardswish(x) * 1.0": FAR,
    "ops.leaky_relu(x, 0.1)": EDGES,
    "ops.leaky_relu(x, 1.5)": EDGES,
    "ops.rrelu(x, 0.25, 0.25)": EDGES,
    "abs(x)": EDGES,
    "ops.selu(x)": "Tensor([0.0, 1.0], ms.float32)",
    "ops.fmax(x, y)": f"{EDGES}, Tensor([1.0], ms.float32)",
    "ops.copysign(x, -1.0)": EDGES,
    "ops.bessel_k0(x)": 'Tensor([1.0, float("inf")], ms.float32)',
    **{f"x.{name}(axis={axis}, keepdims=True)": TIES for name in ("max", "min") for axis in (0, 1, (0, 1))},
    "x.max(axis=1, initial=2.0)": TIES,
    "x.min(axis=1, initial=3.0, where=x > 1.5)": TIES,
    "x.max(axis=1, return_indices=True)[0]": TIES,
    "ops.max(x, 1)[0]": TIES,
    "ops.amax(x, 1)": TIES,
    "sum(ops.aminmax(x, axis=1))": TIES,
    **{f"ops.norm(x - y, {order}, 1)": f"{TIES}, {TIES}" for order in (1, 2, 3)},
    "ops.dist(x, y)": f"{TIES}, {TIES}",
    "ops.LpNorm(1, 2)(x - y)": f"{TIES}, {TIES}",
    "ops.clip_by_norm(x - y, 1.0)": f"{TIES}, {TIES}",
    "ops.renorm(x - y, 2, 0, 1.0)": f"{TIES}, {TIES}",
}
# float16, where squares and sums are too large for it, or the rounded result is too rough for a derivative
HALVES = "Tensor([0.5, -1.5, 17, -250, 300, 2000, -9000, 30000, 60000, 60000], ms.float16)"
EXPRESSIONS |= {
    "ops.std(x)": HALVES,
    "ops.cdist(x.reshape(-1, 1), y.reshape(-1, 1))": f"{HALVES}, Tensor([1.0, -2.0], ms.float16)",
    "ops.avg_pool1d(x.reshape(1, 1, -1), 2, 2) * ops.avg_pool1d(x.reshape(1, 1, -1), 2, 2)": HALVES,
    "ops.logaddexp(x, y)": f"{HALVES}, {HALVES}",
    "x * ops.stop_gradient(ops.norm(x, 3, 0))": "Tensor([0.5, -1.5, 17, -250, 300, 2000, 30000], ms.float16)",
    "ops.pdist(x.reshape(-1, 1))": "Tensor([30000, -9000], ms.float16)",
    "ops.cov(x.reshape(1, -1)).astype(ms.float16)": "Tensor([1, 2, 4], ms.float16)",
    "ms.numpy.cov(x) * 2": "Tensor([1, 2, 4], ms.float64)",
    "ms.numpy.cov(x).astype(ms.float16)": "Tensor([1, 2, 4], ms.float16)",
    "ops.fast_gelu(x)": "Tensor([-3, 3, 60, 300, 30000], ms.float16)",
    "ops.asinh(x)": HALVES,
    "ops.LRN(2)(x.reshape(1, -1, 1, 1))": "Tensor([0.5, -1.5, 17, -250, 300], ms.float16)",
    "ops.logaddexp2(x, y)": "Tensor([1e6, 2e5], ms.float32), Tensor([1e6, 2e5 + 0.5], ms.float32)",
}
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def f32(*values):
    return Tensor(np.array(values, np.float32))


def gradient_of(expression):
    """Gradients of one of the EXPRESSIONS, as plain data."""
    names = {"ops": ops, "ms": ms, "Tensor": Tensor}
    body = eval(f"lambda x, y=None: {expression}", names)
    inputs = eval(f"({EXPRESSIONS[expression]},)", names)

    def function(*inputs):  # MindSpore asks a function for its file
        return body(*inputs)

    return plain(ms.grad(function, tuple(range(len(inputs))))(*inputs))


def run(name):
    """A case's result as plain data, or its exception's type."""
    try:
        return plain(CASES[name]())
    except Exception as error:
        return "!" + type(error).__name__


def double(g):
    return g * 2


@case
def hook_leaf():
    x = f32(1.0, 2.0)
    x.register_hook(double)

    def fn1(x):
        return x * 3

    return ms.grad(fn1)(x)


@case
def hook_leaf_inside():

    def f(x):
        x.register_hook(double)
        return x * 3

    return ms.grad(f)(f32(1.0, 2.0))


@case
def hook_two():

    def f(x):
        y = x * x
        y.register_hook(double)

        def fn2(g):
            return g + 1

        y.register_hook(fn2)
        return y * 3

    return ms.grad(f)(f32(1.0, 2.0))


@case
def hook_two_order():

    def h1(g):
        return g + 1

    def f(x):
        y = x * x
        y.register_hook(h1)
        y.register_hook(double)
        return y * 3

    return ms.grad(f)(f32(1.0, 2.0))


@case
def hook_removed():

    def f(x):
        y = x * x
        h = y.register_hook(double)
        h.remove()
        return y * 3

    return ms.grad(f)(f32(1.0, 2.0))


@case
def hook_removed2():

    def f(x):
        y = x * x
        h1 = y.register_hook(double)
        y.register_hook(double)
        h1.remove()
        return y * 3

    return ms.grad(f)(f32(1.0, 2.0))


@case
def hook_loop():

    def f(x):
        y = x
        for i in range(3):
            y = y * x
            y.register_hook(double)
        return y

    return ms.grad(f)(f32(1.0, 2.0))


@case
def hook_none():
    seen = []

    def h(g):
        seen.append(g.asnumpy().tolist())

    def f(x):
        y = x * x
        y.register_hook(h)
        return y * 3

    r = ms.grad(f)(f32(1.0, 2.0))
    return (r, seen)


def hif(g):
    if g[0] < 4:
        return g * 10
    return g


@case
def hook_if():

    def f(x):
        y = x * x
        y.register_hook(hif)
        return y * 3

    return ms.grad(f)(f32(1.0, 2.0))


@case
def hook_ifjit():

    @ms.jit
    def f(x):
        y = x * x
        y.register_hook(hif)
        return y * 3

    return ms.grad(f)(f32(1.0, 2.0))


@case
def hook_ifjit2():

    @ms.jit
    def g(x):

        def f(x):
            y = x * x
            y.register_hook(hif)
            return y * 3

        return ms.grad(f)(x)

    return g(f32(1.0, 2.0))


@case
def hook_jit_mid():

    @ms.jit
    def f(x):
        y = x * x
        y.register_hook(double)
        return y * 3

    return ms.grad(f)(f32(1.0, 2.0))


class PNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(f32(2.0, 3.0), name="w")

    def construct(self, x):
        return self.w * x


@case
def hook_param():
    n = PNet()
    n.w.register_hook(double)
    return ms.grad(n, 0, [n.w])(f32(1.0, 2.0))


@case
def hook_param_rm():
    n = PNet()
    h = n.w.register_hook(double)
    a = ms.grad(n, 0, [n.w])(f32(1.0, 2.0))
    h.remove()
    return (a, ms.grad(n, 0, [n.w])(f32(1.0, 2.0)))


@case
def hook_param_two():
    n = PNet()
    n.w.register_hook(double)

    def fn3(g):
        return g + 1

    n.w.register_hook(fn3)
    return ms.grad(n, 0, [n.w])(f32(1.0, 2.0))


@case
def hook_nograd():
    x = f32(1.0, 2.0)
    x.register_hook(double)
    return x * 2


@case
def hook_frozen():
    p = Parameter(f32(1.0, 2.0), requires_grad=False)
    p.register_hook(double)
    return 1


@case
def hook_int_hook():
    x = Tensor([1, 2], ms.int32)
    x.register_hook(double)

    def fn4(x):
        return x * 3

    return ms.grad(fn4)(x)


@case
def hook_nocall():
    f32(1.0).register_hook(3)
    return 1


@case
def hook_notensor():

    def f(x):
        y = x * x

        def fn7(g):
            return 3

        y.register_hook(fn7)
        return y * 3

    return ms.grad(f)(f32(1.0, 2.0))


@case
def hook_second():

    def f(x):
        y = x * x * x
        y.register_hook(double)
        return y

    return ms.grad(ms.grad(f))(f32(1.0, 2.0))


@case
def hook_second_sq():

    def sq(g):
        return g * g

    def f(x):
        y = x * x * x
        y.register_hook(sq)
        return y

    return ms.grad(ms.grad(f))(f32(1.0, 2.0))


@case
def hook_handle_outside():
    x = f32(1.0, 2.0)
    h = x.register_hook(double)

    def f(x):
        return x * 3

    a = ms.grad(f)(x)
    h.remove()
    return (a, ms.grad(f)(x))


@case
def hook_leaf_closure():
    x = f32(1.0, 2.0)
    x.register_hook(double)

    def f(z):
        return x * z

    return ms.grad(f)(f32(3.0, 4.0))


@case
def hook_inplace():

    def f(x):
        y = x * x
        y.register_hook(double)
        y += x
        return y * 3

    return ms.grad(f)(f32(1.0, 2.0))


class Mul(nn.Cell):
    def construct(self, x, y):
        return x * y


class Two(nn.Cell):
    def construct(self, x, y):
        return (x * y, x + y)


class One(nn.Cell):
    def construct(self, x):
        return x * x


class Net(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x, y):
        z = self.inner(x, y)
        return z * 2 if isinstance(z, Tensor) else z[0] * 2 + z[1]


def call(n, *a):
    return ms.grad(n, (0, 1))(f32(1.0, 2.0), f32(3.0, 4.0))


@case
def hook_bh_ret():
    m = Mul()

    def h(cell, gi, go):
        return (gi[0] * 2, gi[1] * 3)

    m.register_backward_hook(h)
    return call(Net(m))


@case
def hook_bh_ret_list():
    m = Mul()

    def h(cell, gi, go):
        return [gi[0] * 2, gi[1] * 3]

    m.register_backward_hook(h)
    return call(Net(m))


@case
def hook_bh_single():
    o = One()

    def h(cell, gi, go):
        return gi[0] * 2

    o.register_backward_hook(h)

    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.o = o

        def construct(self, x):
            return self.o(x) * 3

    return ms.grad(N())(f32(1.0, 2.0))


@case
def hook_bh_two():
    o = One()

    def fn1(c, gi, go):
        return (gi[0] * 2,)

    o.register_backward_hook(fn1)

    def fn2(c, gi, go):
        return (gi[0] + 1,)

    o.register_backward_hook(fn2)

    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.o = o

        def construct(self, x):
            return self.o(x) * 3

    return ms.grad(N())(f32(1.0, 2.0))


@case
def hook_bh_wrongcount():
    m = Mul()

    def fn3(c, gi, go):
        return (gi[0],)

    m.register_backward_hook(fn3)
    return call(Net(m))


@case
def hook_bph_two_out():
    m = Two()
    seen = []

    def h(cell, go):
        seen.append(len(go))
        return (go[0] * 2, go[1] * 3)

    m.register_backward_pre_hook(h)
    r = call(Net(m))
    return (r, seen)


@case
def hook_bph_wrong():
    m = Two()

    def h(cell, go):
        return go[0] * 2

    m.register_backward_pre_hook(h)
    return call(Net(m))


@case
def hook_both():
    o = One()

    def fn5(c, go):
        return go[0] * 5

    o.register_backward_pre_hook(fn5)

    def fn6(c, gi, go):
        return (gi[0] + go[0],)

    o.register_backward_hook(fn6)

    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.o = o

        def construct(self, x):
            return self.o(x) * 3

    return ms.grad(N())(f32(1.0, 2.0))


@case
def hook_fph_one():
    o = One()

    def fn8(c, i):
        return i[0] * 2

    o.register_forward_pre_hook(fn8)
    return (o(f32(3.0)), ms.grad(o)(f32(3.0)))


@case
def hook_fh_many():
    m = Mul()

    def fn10(c, i, o):
        return o * 2

    m.register_forward_hook(fn10)

    def fn11(c, i, o):
        return o + 1

    h = m.register_forward_hook(fn11)
    a = Net(m)(f32(1.0, 2.0), f32(3.0, 4.0))
    h.remove()
    return (a, Net(m)(f32(1.0, 2.0), f32(3.0, 4.0)))


@case
def hook_weights():
    d = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")

    def fn13(c, gi, go):
        return (gi[0] * 2,)

    d.register_backward_hook(fn13)

    def fn14(c, go):
        return (go[0] * 3,)

    d.register_backward_pre_hook(fn14)

    class N(nn.Cell):
        def __init__(self):
            super().__init__()
            self.d = d

        def construct(self, x):
            return self.d(x)

    n = N()
    return ms.grad(n, 0, n.trainable_params())(Tensor([[1.0, 2.0]], ms.float32))


@case
def hook_bh_type():
    One().register_backward_hook(3)
    return 1


@case
def hook_insert_if():

    def h(g):
        if g[0] < 4:
            return g * 10
        return g

    ig = ops.InsertGradientOf(h)

    def fn18(x):
        return ig(x * x) * 3

    return ms.grad(fn18)(f32(1.0, 2.0))


@case
def hook_insert_jit():

    def h(g):
        if g[0] < 4:
            return g * 10
        return g

    ig = ops.InsertGradientOf(h)

    @ms.jit
    def f(x):
        return ig(x * x) * 3

    return ms.grad(f)(f32(1.0, 2.0))


@case
def hook_hb_none():

    def fn22(g):
        return None

    hb = ops.HookBackward(fn22)

    def fn23(x):
        return hb(x * x) * 3

    return ms.grad(fn23)(f32(1.0, 2.0))


class B2(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return (dout * 2,)


@case
def bprop_few():
    return ms.grad(B2(), (0, 1))(f32(1.0, 2.0), f32(3.0, 4.0))


class B3(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 2, dout)


@case
def bprop_many():
    return ms.grad(B3())(f32(1.0, 2.0))


class B5(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout[0],)


@case
def bprop_shape():
    return ms.grad(B5())(f32(1.0, 2.0))


class B7(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(f32(2.0, 3.0), name="w")

    def construct(self, x):
        return x * self.w

    def bprop(self, x, out, dout):
        return (dout * self.w * 10,)


@case
def bprop_w():
    b = B7()
    return ms.grad(b, 0, [b.w])(f32(1.0, 2.0))


class B8(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        if x[0] > 0:
            return (dout * 2,)
        return (dout * 3,)


@case
def bprop_if():
    return (ms.grad(B8())(f32(1.0, 2.0)), ms.grad(B8())(f32(-1.0, 2.0)))


class B9(nn.Cell):
    def construct(self, x):
        return x * x * x

    def bprop(self, x, out, dout):
        return (dout * x * x,)


@case
def bprop_second():
    return ms.grad(ms.grad(B9()))(f32(1.0, 2.0))


class B10(nn.Cell):
    def construct(self, x):
        return x * 3

    def bprop(self, x, out, dout):
        return (dout * 5,)


@case
def bprop_int():
    return ms.grad(B10())(Tensor([1, 2], ms.int32))


@case
def bprop_jit():
    b = B8()

    @ms.jit
    def f(x):
        return b(x) * 2

    return ms.grad(f)(f32(1.0, 2.0))


@case
def state_getall_list():

    class N(nn.Cell):
        def construct(self, x, l, y):
            return x * l[0] * y + l[1]

    return ops.GradOperation(get_all=True)(N())(f32(1.0, 2.0), [f32(3.0, 4.0), f32(5.0, 6.0)], f32(7.0, 8.0))


@case
def state_getall_num():

    class N(nn.Cell):
        def construct(self, x, k, y):
            return x * k * y

    return ops.GradOperation(get_all=True)(N())(f32(1.0, 2.0), 3, f32(7.0, 8.0))


class RetW(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(f32(2.0, 3.0), name="w")

    def construct(self, x):
        return self.w


@case
def state_retw():
    n = RetW()
    return ops.GradOperation(get_by_list=True)(n, ms.ParameterTuple(n.trainable_params()))(f32(1.0))


class RetW2(RetW):
    def construct(self, x):
        return (self.w, x * self.w)


@case
def state_retw3():
    n = RetW2()
    return ms.grad(n, 0, n.trainable_params())(f32(1.0, 5.0))


@case
def state_retx():

    def fn1(x):
        return x

    return ms.grad(fn1)(f32(1.0, 2.0))


class ByUse(nn.Cell):
    """Parameters that are used in another order than they were made in, one only for some inputs, one never, one for nothing."""

    def __init__(self):
        super().__init__()
        self.last = Parameter(f32(5.0), name="last")
        self.never = Parameter(f32(7.0), name="never")
        self.first = Parameter(f32(11.0), name="first")
        self.negative = Parameter(f32(13.0), name="negative")
        self.frozen = Parameter(f32(17.0), name="frozen", requires_grad=False)
        self.lost = Parameter(f32(19.0), name="lost")

    def construct(self, x):
        y = x * self.first * self.frozen
        _ = y * self.lost
        if y.sum() < 0:
            y = y * self.negative
        return y * self.first * self.last


@case
def weights_by_use():
    n = ByUse()
    by_use = ops.GradOperation(get_by_list=True)(n)
    both = ops.GradOperation(get_all=True, get_by_list=True)
    returned = ops.GradOperation(get_by_list=True)(RetW2())(f32(1.0, 5.0))
    return by_use(f32(1.0)), by_use(f32(-1.0)), both(lambda x: n(x) * n.never)(f32(2.0)), returned, by_use_alone(RetW())


def by_use_alone(net):
    """A Parameter that is returned as it is."""
    return ops.GradOperation(get_by_list=True)(net)(f32(1.0))


class Keywords(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(f32(2.0), name="w")

    def construct(self, x, y=None, *, z=3.0, **more):
        return x * y * z * self.w + sum(more.values())


@case
def keyword_inputs():
    n = Keywords()
    x, y, z = f32(5.0), f32(7.0), f32(11.0)
    every = ops.GradOperation(get_all=True)
    first = ops.GradOperation()
    return (
        every(n)(x, z=z, y=y),
        every(n)(x, y=y, z=2.0, a=f32(13.0)),
        every(n)(y=y, x=x),
        first(n)(y=y, x=x),
        first(lambda *, a, b: a * b * b)(b=x, a=y),
        ops.GradOperation(get_all=True, get_by_list=True)(n, n.trainable_params())(x, y=y),
        ms.grad(n, 1)(x, y=y),
        ms.grad(n, (0, 2), n.trainable_params())(x, z=z, y=y),
        ms.value_and_grad(n, (1, 2))(x, z=z, y=y),
    )


class BN(nn.Cell):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(2, momentum=0.5)
        self.d = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")

    def construct(self, x):
        return self.d(self.bn(x)).sum()


class Step(nn.TrainOneStepCell):
    def construct(self, x):
        loss = self.network(x)
        g = self.grad(self.network, self.weights)(x, ops.fill(loss.dtype, loss.shape, self.sens))
        return ops.depend(loss, self.optimizer(g))


@case
def state_step():
    n = BN()
    n.set_train()
    s = Step(n, nn.SGD(n.trainable_params(), 0.1))
    s.set_train()
    x = Tensor([[1.0, 2.0], [3.0, 5.0]], ms.float32)
    r = s(x)
    return (r, n.bn.moving_mean.value(), s(x), n.bn.moving_mean.value())


class Step3(nn.Cell):
    def __init__(self, n, o):
        super().__init__(auto_prefix=False)
        self.network = n
        self.optimizer = o
        self.weights = o.parameters
        self.grad = ops.GradOperation(get_by_list=True)

    def construct(self, x):
        loss = self.network(x)
        g = self.grad(self.network, self.weights)(x)
        self.optimizer(g)
        return loss


@case
def state_step3():
    n = BN()
    n.set_train()
    s = Step3(n, nn.SGD(n.trainable_params(), 0.1))
    x = Tensor([[1.0, 2.0], [3.0, 5.0]], ms.float32)
    r = s(x)
    return (r, n.bn.moving_mean.value())


@case
def state_step3g():
    n = BN()
    n.set_train()
    n.set_grad()
    s = Step3(n, nn.SGD(n.trainable_params(), 0.1))
    x = Tensor([[1.0, 2.0], [3.0, 5.0]], ms.float32)
    r = s(x)
    return (r, n.bn.moving_mean.value())


@case
def state_freeze():
    d = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    o = nn.SGD(d.trainable_params(), 0.1)
    d.weight.requires_grad = False

    def fn3(x):
        return d(x).sum()

    vg = ms.value_and_grad(fn3, None, o.parameters)
    l, g = vg(Tensor([[1.0, 2.0]], ms.float32))
    o(g)
    return (g, d.weight.value(), d.bias.value())


@case
def state_freeze_mid():
    d = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    o = nn.SGD(d.trainable_params(), 0.1)
    s = nn.TrainOneStepCell(nn.WithLossCell(d, nn.MSELoss()), o)
    s.set_train()
    x = Tensor([[1.0, 2.0]], ms.float32)
    y = Tensor([[1.0]], ms.float32)
    s(x, y)
    a = d.weight.value().asnumpy().tolist()
    d.weight.requires_grad = False
    s(x, y)
    return (a, d.weight.value(), d.bias.value())


@case
def state_freeze_grad2():
    n = RetW2()
    w = n.trainable_params()
    n.w.requires_grad = False
    return ops.GradOperation(get_by_list=True)(n, ms.ParameterTuple(w))(f32(1.0, 5.0))


@case
def state_csr():

    def f(a):
        return a.values * 2

    c = ms.CSRTensor(Tensor([0, 1, 2], ms.int32), Tensor([0, 1], ms.int32), f32(1.0, 2.0), (2, 2))
    return ms.grad(f)(c)


@case
def state_csr3():

    def f(v):
        c = ms.CSRTensor(Tensor([0, 1, 2], ms.int32), Tensor([0, 1], ms.int32), v, (2, 2))
        return c.to_dense() * 3 if hasattr(c, "to_dense") else c.values * 3

    return ms.grad(f)(f32(1.0, 2.0))


@case
def state_coojit():

    @ms.jit
    def f(v):
        c = ms.COOTensor(Tensor([[0, 0], [1, 1]], ms.int32), v, (2, 2))
        return c.values * 3

    return ms.grad(f)(f32(1.0, 2.0))


def squares(x):
    while x < 100:
        x = x * x
    return x


def nested(x):
    y = x * 1.0
    while y < 50:
        z = y
        while z < 10:
            z = z * x
        y = y + z
    return y


def with_break(x):
    i = Tensor(0, ms.int32)
    while i < 10:
        x = x * 1.5
        if x > 10:
            break
        i = i + 1
    return x


def integer_loop(x):
    while x < 50:
        x = x * 3
    return x


def newton(x, eps):
    error = Tensor(1.0, ms.float32)
    y = x * 0.5
    while error > eps:
        better = 0.5 * (y + x / y)
        error = ops.abs(better - y)
        y = better
    return y


class Steps(nn.Cell):
    """n rounds; n is a Tensor."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(f32(0.5, 0.25), name="w")

    def construct(self, x, n):
        i = Tensor(0, ms.int32)
        while i < n:
            x = x * self.w + ops.sin(x)
            i = i + 1
        return x


@case
def loop_squares():
    return ms.value_and_grad(ms.jit(squares))(f32(3.0))


@case
def loop_nested():
    return ms.value_and_grad(ms.jit(nested))(f32(1.5))


@case
def loop_break():
    return ms.value_and_grad(ms.jit(with_break))(f32(1.5))


@case
def loop_integer():
    return ms.grad(ms.jit(integer_loop))(Tensor(2, ms.int32))


@case
def loop_newton():
    return ms.grad(ms.jit(newton), (0, 1))(f32(7.0), Tensor(1e-3, ms.float32))


@case
def loop_weights():
    net = Steps()
    return ms.grad(net, 0, net.trainable_params())(f32(1, 2), Tensor(4, ms.int32))


@case
def loop_jvp():
    return ms.jvp(squares, f32(3.0), f32(1.0))


class Written(nn.Cell):
    """A Parameter that is written, in one of several ways, and used after it: no gradient flows through what it was given."""

    def __init__(self, how, dtype=ms.float32):
        super().__init__()
        self.how = how
        self.p = Parameter(Tensor([5], dtype), name="p")

    def construct(self, x):
        if self.how == "attribute":
            self.p = x * 2
        elif self.how == "item":
            self.p[0] = x[0] * 2
        elif self.how == "add_":
            self.p.add_(x * 2)
        elif self.how == "scatter":
            ops.scatter_update(self.p, Tensor([0]), x * 2)
        elif self.how == "branch":
            if x > 0:
                self.p = x * 2
        elif self.how == "loop":
            i = Tensor(0, ms.int32)
            while i < 3:
                self.p = x * i
                i = i + 1
        return self.p * 3 + x


def _written(how, dtype=ms.float32):
    def run():
        net = Written(how, dtype)
        x = Tensor([2], dtype)
        return ms.grad(net)(x), ms.grad(net, None, [net.p])(x)

    run.__name__ = f"written_{how}_{dtype}".lower()
    case(run)


for _how in ("attribute", "item", "add_", "scatter", "branch", "loop"):
    _written(_how)
for _how in ("attribute", "branch"):
    _written(_how, ms.int32)


# An input is the same variable wherever the function meets it: as a global, in a list, as a second input.
_X = f32(3.0, 4.0)


@case
def same_captured():
    return ms.grad(lambda a: a * _X)(_X), ms.grad(ms.grad(lambda a: a * _X))(_X)


@case
def same_twice():
    return ms.grad(lambda a, b: a * b * b)(_X, _X), ms.grad(lambda a, b: a * b * b, (0, 1))(_X, _X)


@case
def same_in_list():
    return ms.grad(lambda a, items: a * items[0])(_X, [_X])


@case
def same_object():
    seen = []
    ms.grad(lambda a: (seen.append(a is _X), a * 1)[1])(_X)
    return seen


def _product(x, y):
    return x * y


@case
def inputs_left_out():
    """What is no input is left out, and one gradient is no tuple."""
    x = f32(2.0)
    return (
        ms.grad(_product, (0, 1))(x, 2.0),
        ms.grad(_product)(1.5, 2.5),
        ops.GradOperation()(_product)(1.5, x),
        ops.GradOperation(get_all=True)(_product)(x, 2.0),
        ms.grad(lambda t, y: t[0] * y)((x, x), f32(3.0)),
        ops.GradOperation()(lambda: f32(1.0))(),
    )


class Weighted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(f32(3.0), name="w")

    def construct(self, x, y):
        return self.w * x * y


@case
def no_weights():
    x, y = f32(2.0), f32(5.0)
    return (
        ms.grad(Weighted(), 0, [])(x, y),
        ms.grad(Weighted(), (0, 1), [])(x, y),
        ms.grad(Weighted(), None, [])(x, y),
        ms.value_and_grad(Weighted(), 0, [])(x, y),
    )


@case
def empty_position():
    return ms.grad(Weighted(), (), None)(f32(2.0), f32(5.0))


class OwnBprop(nn.Cell):
    """A Cell whose gradient its user wrote."""

    def construct(self, x):
        return ops.sin(x) * 0.5

    def bprop(self, x, out, dout):
        return (dout * out,)


def tanh_of(cell, given, out):
    return ops.tanh(out)


@case
def forward_hook_of_bprop():
    cell = OwnBprop()
    cell.register_forward_hook(tanh_of).remove()
    cell.register_forward_hook(tanh_of)
    outer = nn.SequentialCell(cell)
    x = f32(0.5, -1.25)
    return cell(x), outer(x), ms.grad(cell)(x), ms.grad(outer)(x)


def _through_part(write):
    def f(x):
        y = x * 2
        z = ops.stop_gradient(y)
        write(y, z)
        return (x * y * z).sum(), y, z

    return ms.value_and_grad(f, 0, has_aux=True)(f32(3.0, 4.0))


def _first_of_stopped(y, z):
    z[0] = 9.0


def _first_of_value(y, z):
    y[0] = 9.0


@case
def write_to_stopped():
    return _through_part(_first_of_stopped), _through_part(_first_of_value)


@case
def write_to_stopped_input():
    def f(x, t):
        z = ops.stop_gradient(x)
        z[0] = 9.0
        return (z * t).sum() + (x * t).sum()

    x = f32(1.0, 2.0)
    return ms.grad(f, (0, 1))(x, f32(5.0, 6.0)), x
