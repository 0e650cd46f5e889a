"""Arguments by the names of MindSpore's overloads: each name means the form that it belongs to."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops


def x():
    return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda: x().gather(dim=0, index=Tensor([[0, 1, 0]])), [[0, 4, 2]]),
        (lambda: x().gather(0, index=Tensor([[0, 1, 0]])), [[0, 4, 2]]),
        (lambda: x().gather(0, Tensor([[0, 1, 0]])), [[0, 4, 2]]),
        (lambda: x().gather(Tensor([1]), 0), [[3, 4, 5]]),
        (lambda: x().gather(input_indices=Tensor([1]), axis=1), [[1], [4]]),
        (lambda: x().select(condition=x() > 2, y=x() * 0), [[0, 0, 0], [3, 4, 5]]),
        (lambda: x().select(dim=0, index=1), [3, 4, 5]),
        (lambda: x().select(1, 2), [2, 5]),
        (lambda: x().remainder(divisor=2), [[0, 1, 0], [1, 0, 1]]),
        (lambda: x().split(split_size=1, dim=0)[1], [[3, 4, 5]]),
        (lambda: x().argsort(dim=0, descending=True, stable=True), [[1, 1, 1], [0, 0, 0]]),
        (lambda: x().transpose(dim0=0, dim1=1), [[0, 3], [1, 4], [2, 5]]),
        (lambda: x().transpose(0, 1), [[0, 3], [1, 4], [2, 5]]),
        (lambda: x().transpose((0, 1)), [[0, 1, 2], [3, 4, 5]]),
        (lambda: x().to(device="CPU"), [[0, 1, 2], [3, 4, 5]]),
        (lambda: Tensor([1.0, 2.0]).set_(x(), 1, (2, 2), (3, 1)), [[1, 2], [4, 5]]),
        (lambda: Tensor([1.0, 2.0]).set_(x(), 2, (2,)), [2, 3]),
        (lambda: Tensor([1.0, 2.0]).set_(x()), [[0, 1, 2], [3, 4, 5]]),
        (lambda: Tensor([1.0, 2.0]).set_(), []),
        (lambda: ms.from_numpy(np.array([1, 2])), [1, 2]),
        (lambda: x().reshape(1, 2, 3).flatten(0, 1), [[0, 1, 2], [3, 4, 5]]),
        (lambda: x().reshape(1, 2, 3).flatten("C", start_dim=1), [[0, 1, 2, 3, 4, 5]]),
        (lambda: x().sum(1, True, dtype=ms.int32), [[3], [12]]),
        (lambda: x().sum(1, ms.int32, True, 1), [[4], [13]]),
        (lambda: x().sum(axis=1, keep_dims=True), [[3], [12]]),
        (lambda: x().index_add(indices=Tensor([1], ms.int32), y=x()[:1], axis=0), [[0, 1, 2], [3, 5, 7]]),
        (lambda: x().index_add(Tensor([1], ms.int32), x()[:1], axis=0), [[0, 1, 2], [3, 5, 7]]),
        (lambda: x().scatter_add(dim=0, index=Tensor([[1, 0, 0]]), src=x()[1:]), [[0, 5, 7], [6, 4, 5]]),
        (lambda: x().new_ones(size=(2, 1), dtype=ms.int32), [[1], [1]]),
        (lambda: x().new_zeros(1, 2), [[0, 0]]),
        (lambda: Tensor([1, 2]).repeat(repeats=(2, 2)), [[1, 2, 1, 2]] * 2),
        (lambda: Tensor([1, 2]).repeat(2, axis=0), [1, 1, 2, 2]),
        (lambda: Tensor([1, 2]).diag(diagonal=1), [[0, 1, 0], [0, 0, 2], [0, 0, 0]]),
        (lambda: x().to("CPU", ms.int32, False, True), [[0, 1, 2], [3, 4, 5]]),
    ],
)
def test_forms(call, expected):
    assert call().asnumpy().tolist() == expected


def test_to_the_dtype_of_another():
    assert Tensor([1, 2]).to(other=x()).dtype == ms.float32 and x().to("CPU", ms.float16).dtype == ms.float16


@pytest.mark.parametrize(
    "call, kind",
    [
        (lambda: x().gather(Tensor([1])), TypeError),
        (lambda: x().select(condition=x() > 2), TypeError),
        (lambda: x().to(device=3), TypeError),
        (lambda: x().set_(3), TypeError),
        (lambda: x().set_(x(), 1), ValueError),
        (lambda: x().set_(x(), 4, (3,)), ValueError),
        (lambda: ms.from_numpy([1, 2]), TypeError),
        (lambda: x().index_add(0, y=x()), TypeError),
        (lambda: x().scatter_add(dim=0), TypeError),
    ],
)
def test_what_fits_no_form(call, kind):
    with pytest.raises(kind):
        call()


def test_gradients_go_through_set():
    def f(a):
        b = Tensor(np.zeros(2, np.float32))
        b.set_(a, 1, (2, 2), (3, 1))
        return b.sum()

    assert ops.grad(f)(x()).asnumpy().tolist() == [[0, 1, 1], [0, 1, 1]]


def test_cotangents_as_the_last_input(mode):
    def square(a):
        return a * a

    a, sens = Tensor(np.array([1, 2], np.float32)), Tensor(np.array([1, 10], np.float32))
    assert ops.grad(square, sens_param=True)(a, sens).asnumpy().tolist() == [2, 40]
    value, gradient = ops.value_and_grad(square, sens_param=True)(a, sens=sens)
    assert value.asnumpy().tolist() == [1, 4] and gradient.asnumpy().tolist() == [2, 40]
    with pytest.raises(ValueError, match="sens_param"):
        ops.grad(lambda: a, None, [ms.Parameter(a, name="a")], sens_param=True)()
    with pytest.raises(TypeError, match="sens_param"):
        ops.grad(square, sens_param=1)


def test_hooks_and_names_by_keyword():
    for name in ("hook", "hook_fn"):
        assert len([x().register_hook(**{name: lambda g: g})]) == 1
    with pytest.raises(TypeError, match="register_hook"):
        x().register_hook(3)
    assert ops.ReLU().set_prim_instance_name(instance_name="a").instance_name == "a"


@pytest.mark.parametrize("name", ["new_zeros", "new_ones", "new_empty"])
def test_the_dtype_of_a_new_tensor_by_position(name):
    made = getattr(Tensor([1], ms.int32), name)
    for shape in ((2, 3), 2):
        assert made(shape, ms.float32).dtype == ms.float32 and made(shape).dtype == ms.int32
    assert made((2, 3), ms.float32).shape == made((2, 3), dtype=ms.float32).shape == (2, 3)


@pytest.mark.parametrize("name", ["float32", "CPU:0", "disk"])
def test_to_takes_names_of_devices_alone(name):
    with pytest.raises(ValueError, match="'device' must be one of"):
        x().to(name)


@pytest.mark.parametrize("draw", [ms.mint.rand, ms.mint.randn])
def test_a_shape_and_what_stands_behind_it(draw):
    assert draw((2, 3), ms.float32).shape == draw([2, 3]).shape == draw(2, 3).shape == (2, 3)
