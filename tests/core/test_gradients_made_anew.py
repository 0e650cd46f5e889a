"""A gradient in GRAPH_MODE gives what MindSpore's gives at each call: also where it is made so often that it is not compiled any more."""

import mindspore as ms
import pytest
from mindspore import Parameter, Tensor, nn, ops

ONES = [[1.0, 3.0], [2.0, 5.0]]


def part(x, t):
    y = x[0]
    y[1] = 7.0
    return (x * x * t).sum()


def scaled(x, t):
    x[0] = x[0] * 2
    return (x * x * t).sum()


def largest(x, t):
    return (x.max(1) * t).sum()


def returned(x, t):
    x[0] = x[0] * 2
    return (x * t).sum(), x


def _lists(found):
    return [_lists(v) for v in found] if isinstance(found, tuple) else found.asnumpy().tolist()


@pytest.mark.parametrize(
    ("function", "slopes"),
    [  # MindSpore 2.10's
        (part, [[[2.0, 18.0], [4.0, 30.0]], [5.0, 34.0]]),
        (scaled, [[[8.0, 72.0], [4.0, 30.0]], [8.0, 61.0]]),
        (largest, [[[0.0, 1.0], [0.0, 3.0]], [3.0, 5.0]]),
    ],
)
def test_a_gradient_in_a_loop(function, slopes):
    ms.set_context(mode=ms.GRAPH_MODE)
    x, t = Tensor(ONES, ms.float32), Tensor([1.0, 3.0], ms.float32)
    for _ in range(6):
        assert _lists(ms.grad(function, (0, 1))(x, t)) == slopes
        assert x.asnumpy().tolist() == ONES


def test_a_written_input_that_is_returned():
    ms.set_context(mode=ms.GRAPH_MODE)
    x, t = Tensor([1.0, 3.0], ms.float32), Tensor([1.0, 3.0], ms.float32)
    for _ in range(6):
        found = ms.value_and_grad(returned, 0, has_aux=True)(x, t)
        assert _lists(found) == [[11.0, [2.0, 3.0]], [2.0, 3.0]]
        assert x.asnumpy().tolist() == [1.0, 3.0]


def cubed(a, b):
    return (a * b * b).sum()


def test_one_tensor_twice():
    """In GRAPH_MODE each argument is a variable of its own; in PYNATIVE_MODE the Tensor is."""
    ms.set_context(mode=ms.GRAPH_MODE)
    x = Tensor([1.0, 2.0], ms.float32)
    for _ in range(6):
        assert _lists(ms.grad(cubed)(x, x)) == [1.0, 4.0]
        assert _lists(ms.grad(cubed, (0, 1))(x, x)) == [[1.0, 4.0], [2.0, 8.0]]
        assert _lists(ops.GradOperation(get_all=True)(cubed)(x, x)) == [[1.0, 4.0], [2.0, 8.0]]
        assert _lists(ms.vjp(cubed, x, x)[1](Tensor(1.0, ms.float32))) == [[1.0, 4.0], [2.0, 8.0]]
        assert _lists(ms.grad(ms.grad(cubed))(x, x)) == [0.0, 0.0]
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert _lists(ms.grad(cubed, (0, 1))(x, x)) == [[3.0, 12.0], [3.0, 12.0]]


def test_an_input_with_a_hook():
    ms.set_context(mode=ms.GRAPH_MODE)
    x, t = Tensor(ONES, ms.float32), Tensor([1.0, 3.0], ms.float32)
    x.register_hook(lambda slope: slope * 2)
    gradient = ms.grad(part)
    for _ in range(3):
        assert gradient(x, t).asnumpy().tolist() == [[4.0, 36.0], [8.0, 60.0]]


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_vjp_begins_where_the_function_did(mode):
    ms.set_context(mode=mode)
    for _ in range(5):
        x = Tensor([1.0, 3.0], ms.float32)
        out, back = ms.vjp(lambda v: scaled(v, 1.0), x)
        for _ in range(3):
            assert _lists(back(ops.ones_like(out))) == [[8.0, 6.0]]
        # a compiled function writes to an x of its own, also where it runs operator by operator
        assert out.asnumpy() == 13.0 and x.asnumpy().tolist() == ([1.0, 3.0] if mode == ms.GRAPH_MODE else [2.0, 3.0])


class _Steps(nn.Cell):
    """The step of many GANs: a loss, an update of a weight that it reads, then the loss's gradient."""

    def __init__(self):
        super().__init__(auto_prefix=False)
        self.w, self.v = Parameter(Tensor([2.0]), name="w"), Parameter(Tensor([3.0]), name="v")
        self.update = nn.SGD([self.w], 1.0)
        self.grad = ops.GradOperation(get_by_list=True)

    def loss(self, x):
        return (self.w * self.v * x).sum()

    def construct(self, x):
        loss = self.loss(x)
        ops.depend(loss, self.update((ops.ones_like(self.w),)))
        return loss, self.grad(self.loss, [self.v])(x)


@pytest.mark.parametrize("mode", (ms.GRAPH_MODE, ms.PYNATIVE_MODE))
def test_a_gradient_after_an_update_is_that_at_the_new_weights(mode):
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        loss, (gradient,) = _Steps()(Tensor([1.0]))
    finally:
        ms.set_context(mode=before)
    assert (float(loss), float(gradient)) == (6.0, 1.0)
