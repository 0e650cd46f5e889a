"""Results of compiled code that are no new Tensors: an argument, a Parameter, an attribute; as recorded with MindSpore 2.10."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops


class Returns(nn.Cell):
    """Gives what `what` makes of (Cell, input)."""

    def __init__(self, what):
        super().__init__()
        self.p = Parameter(ops.ones((2, 3), ms.float32), name="p")
        self.q = Parameter(ops.ones((2, 3), ms.float32), name="q")
        self.t, self.n = ops.ones((2, 3), ms.float32), 0
        self.held = [self.t]
        self.what = what

    def construct(self, x):
        return getattr(self, self.what)(x)

    def argument(self, x):
        y = x
        return y

    def unchanged(self, x):
        return ops.reshape(x, (2, 3)).astype(ms.float32)

    def parameter(self, x):
        return self.p

    def written(self, x):
        self.p += 1
        return self.p

    def value(self, x):
        return self.p.value()

    def beside(self, x):
        self.q += 1
        return self.p

    def counted(self, x):
        self.n = self.n + 1
        return self.p

    def argument_beside(self, x):
        self.q += 1
        return x

    def printed(self, x):
        print("shown", x.sum())
        return x

    def changed(self, x):
        x[0, 0] = 5
        return x

    def pair(self, x):
        return x, self.p

    def chosen(self, x):
        return x if x.sum() > 0 else x + 1

    def attribute(self, x):
        return self.t

    def in_a_dict(self, x):
        return {"t": self.held[0]}

    def rebound(self, x):
        t = self.t
        self.t = self.t + x
        return t


@pytest.fixture(params=["GRAPH_MODE", "jit"])
def made(request):
    def make(what):
        net = Returns(what)
        if request.param == "GRAPH_MODE":
            ms.set_context(mode=ms.GRAPH_MODE)
            return net, net
        return net, ms.jit(net.construct)

    yield make
    ms.set_context(mode=ms.PYNATIVE_MODE)


def ones():
    return Tensor(np.ones((2, 3), np.float32))


@pytest.mark.parametrize("what", ["argument", "unchanged"])
def test_an_argument_is_itself(made, what):
    _, call = made(what)
    x, other = ones(), ones()
    assert call(x) is x and call(other) is other


def test_a_parameter_is_itself(made):
    net, call = made("parameter")
    found = call(ones())
    assert found is net.p
    found[0, 0] = 7
    assert net.p.asnumpy()[0, 0] == 7


BESIDE = ["beside", "counted", "argument_beside", "printed"]  # what does something besides


@pytest.mark.parametrize("what", ["written", "value", "changed", "pair", "chosen", *BESIDE])
def test_others_are_new(made, what):
    net, call = made(what)
    x = ones()
    for _ in range(2):
        found = call(x)
        for result in found if isinstance(found, tuple) else [found]:
            before = net.p.asnumpy().copy(), x.asnumpy().copy()
            result[1, 1] = 9
            assert type(result) is Tensor
            assert np.array_equal(net.p.asnumpy(), before[0]) and np.array_equal(x.asnumpy(), before[1])


@pytest.mark.parametrize("what", ["attribute", "in_a_dict"])
def test_a_tensor_of_an_attribute_shares_its_memory(made, what):
    net, call = made(what)
    found = call(ones())
    found = found["t"] if isinstance(found, dict) else found
    found[0, 0] = 7
    assert net.t.asnumpy()[0, 0] == 7
    net.t[1, 1] = 9
    assert found.asnumpy()[1, 1] == 9
    again = call(ones())
    assert (again["t"] if isinstance(again, dict) else again).asnumpy()[1, 1] == 9


def test_an_attribute_that_is_re_bound(made):
    net, call = made("rebound")
    found = [call(ones()).asnumpy()[0, 0] for _ in range(4)]
    assert found == [1, 2, 3, 4] and net.t.asnumpy()[0, 0] == 5


def test_gradient_through_a_returned_argument():
    net = Returns("argument")
    compiled = ms.jit(net.construct)
    assert ms.grad(lambda x: (compiled(x) * x).sum())(ones() * 3).asnumpy().tolist() == [[6.0] * 3] * 2
    p = Returns("parameter")
    weight = ms.grad(lambda x: (ms.jit(p.construct)(x) * x).sum(), None, [p.p])(ones() * 3)[0]
    assert weight.asnumpy().tolist() == [[3.0] * 3] * 2


class Local(nn.Cell):
    def __init__(self, how):
        super().__init__()
        self.w = Parameter(Tensor([4.0, 8.0]), name="w")
        self.k = Parameter(Tensor([4, 8], ms.int32), name="k", requires_grad=False)
        self.ws = ms.ParameterTuple([Parameter(Tensor([1.0, 2.0]), name=f"ws{i}") for i in range(2)])
        self.how = how

    def construct(self, x):
        return getattr(self, self.how)(x)

    def name(self, x):
        p = self.w
        p -= x
        return p * 1

    def helper(self, x):
        return self.halve(self.w) * 1

    def halve(self, p):
        p /= 2
        return p

    def loop(self, x):
        for p in self.ws:
            p -= x
        return self.ws[0] * 1 + self.ws[1]

    def condition(self, x):
        p = self.w
        if x.sum() > 0:
            p -= x
        return p * 1


@pytest.mark.parametrize(
    "how, first, second, after",
    [
        ("name", [3, 7], [2, 6], [2, 6]),
        ("helper", [2, 4], [1, 2], [1, 2]),
        ("loop", [0, 2], [-2, 0], [4, 8]),
        ("condition", [3, 7], [2, 6], [2, 6]),
    ],
)
def test_a_parameter_in_a_variable_is_written_in_place(how, first, second, after):
    """As in MindSpore's graphs; in PYNATIVE_MODE the variable gets a new Tensor there, too."""
    net = Local(how)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        found = [net(Tensor([1.0, 1.0])).asnumpy().tolist() for _ in range(2)]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert found == [first, second] and net.w.asnumpy().tolist() == after
    eager = Local(how)
    assert eager(Tensor([1.0, 1.0])) is not None and eager.w.asnumpy().tolist() == [4, 8]


@pytest.mark.parametrize("kind", [ms.float16, ms.float64, ms.int32])
def test_sens_of_another_dtype(kind):
    """A TypeError in compiled code; in PYNATIVE_MODE it is taken for an output without axes."""

    def square(x):
        return (x * x).sum()

    gradient, sens = ops.GradOperation(sens_param=True)(square), Tensor(1, kind)
    assert gradient(Tensor([3.0]), sens).asnumpy().tolist() == [6]
    assert gradient(Tensor([3.0]), Tensor([1], kind)).asnumpy().tolist() == [6]
    for given, error in ((Tensor([1], kind), TypeError), (sens, RuntimeError), (Tensor([1, 1], kind), ValueError)):
        with pytest.raises(error):
            ops.GradOperation(sens_param=True)(lambda x: x * x)(Tensor([3.0]), given)
    with pytest.raises(TypeError, match=f"dtype1 = {kind}, dtype2 = Float32"):
        ms.jit(lambda x: gradient(x, sens))(Tensor([3.0]))
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(TypeError, match="Type Join Failed"):
            ms.vjp(square, Tensor([3.0]))[1](sens)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


class Halves(nn.Cell):
    def __init__(self):
        super().__init__()
        self.q = Tensor(2.0, ms.float32)

    def construct(self, x):
        if x.sum() > 0:
            self.q *= 0.5
        return x * self.q


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_an_attribute_that_changes_under_a_traced_condition(mode):
    net, x = Halves(), Tensor([1.0, 2.0])
    ms.set_context(mode=mode)
    try:
        found = [net(v).asnumpy().tolist() for v in (x, -x, x)]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert found == [[1, 2], [-1, -2], [0.5, 1]] and net.q.asnumpy() == 0.5


def _twice(out, x):
    out *= x
    out *= x
    return out


def _and_then(out, x):
    out *= x
    return out * x


def _in_a_branch(out, x):
    if x > 0:
        out *= x
    return out


def _in_a_loop(out, x):
    i = x * 0
    while i < 3:
        out *= x
        i = i + 1
    return out


def _minus(out, x):
    out -= x * x
    return out * out


@pytest.mark.parametrize(
    ("change", "of_input", "of_parameter", "after"),
    [
        (_twice, 40.0, 25.0, 100.0),
        (_and_then, 40.0, 25.0, 20.0),
        (_in_a_branch, 4.0, 5.0, 20.0),
        (_in_a_loop, 300.0, 125.0, 500.0),
        (_minus, 420.0, -42.0, -21.0),
    ],
)
def test_gradients_flow_through_a_variable_that_names_a_parameter(change, of_input, of_parameter, after):
    """The numbers are those of MindSpore 2.10 in GRAPH_MODE."""

    @ms.jit
    def both(p, x):
        def forward(x):
            return change(p, x)

        return ops.GradOperation(get_all=True, get_by_list=True)(forward, [p])(x)

    p = Parameter(Tensor(4.0), name="p")
    (of_x,), (of_p,) = both(p, Tensor(5.0))
    assert (float(of_x), float(of_p), float(p)) == (of_input, of_parameter, after)
