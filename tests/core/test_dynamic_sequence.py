"""`mutable(..., dynamic_len=True)`: items of one type; what is made of such a sequence is one too. As MindSpore's graphs have it."""

import mindspore as ms
import pytest
from mindspore import Tensor, mutable, ops
from mindspore.ops import functional as F


def unknown(fn):
    made = ms.jit(lambda: F.is_sequence_shape_unknown(fn()))()
    return made


def test_what_is_made_of_one_is_one():
    assert unknown(lambda: mutable([1, 2, 3], True) + mutable([4], True))
    assert unknown(lambda: [1, 2] + mutable([4], True)) and unknown(lambda: mutable((1, 2), True) + ())
    assert unknown(lambda: mutable([1, 2, 3, 4], True)[0:2]) and unknown(lambda: [1, 2, 3][: mutable(2)])
    assert not unknown(lambda: mutable([1, 2])) and not unknown(lambda: [1, 2, 3][:2])

    @ms.jit
    def fn():
        a = mutable([1, 2, 3, 4], True)
        a[0], a[1:2] = 20, [2, 3]
        a.append(5)
        a += [6]
        return F.is_sequence_shape_unknown(a), F.is_sequence_value_unknown(a), F.isconstant(a.count(3)), a

    assert fn() == (True, True, False, [20, 2, 3, 3, 4, 5, 6])
    assert ms.jit(lambda: mutable(mutable((1, 2, 3), True), True))() == (1, 2, 3)


def changed(items, change):
    @ms.jit
    def fn():
        a = items()
        change(a)
        return a

    return fn


def assigned(a, key, value):
    a[key] = value


@pytest.mark.parametrize(
    ("error", "text", "call"),
    [
        (ValueError, "The element type do not match", lambda: mutable((1, Tensor([1, 2, 3]), 2.0), True)),
        (TypeError, "is not same with the element of second input", lambda: mutable([1], True) + [Tensor([1])]),
        (TypeError, "is not same with the element of second input", lambda: [(1, 2)] + mutable([(1, 2, 3)], True)),
        (RuntimeError, "can not convert a dynamic length sequence", lambda: mutable(mutable((1, 2, 3), True))),
        (
            TypeError,
            "when the queue is dynamic length",
            changed(lambda: mutable([1, 2], True), lambda a: assigned(a, 0, 1.5)),
        ),
        (
            TypeError,
            "when the queue is dynamic length",
            changed(lambda: mutable([1, 2], True), lambda a: a.append(1.5)),
        ),
        (TypeError, "sequence.0. item", changed(lambda: [1, 2.0], lambda a: assigned(a, mutable(0), 10))),
        (TypeError, "element within constant length", changed(lambda: [1, 2], lambda a: assigned(a, mutable(0), 1.5))),
        (TypeError, "within origin", changed(lambda: [1.0, 2.0], lambda a: assigned(a, slice(mutable(0), 2), [1, 2]))),
        (ValueError, "do not match", changed(lambda: [1, 4.0], lambda a: assigned(a, slice(0, 1), mutable([1], True)))),
    ],
)
def test_refused(error, text, call):
    with pytest.raises(error, match=text):
        ms.jit(call)()


def test_custom_vjp_and_cosine_transforms():
    from mindspore.ops.function.grad.grad_func import custom_vjp
    from mindspore.scipy.fft import dct, dctn, idct

    @custom_vjp
    def fn(x, y):
        return 2 * x + y

    fn.defbwd(lambda x, y, out, dout: (2 * dout, 2 * y))
    value, pull = ms.vjp(fn, Tensor(1.0), Tensor(2.0))
    assert (value, *pull(Tensor(1.0))) == (4, 2, 4)
    x = Tensor([[1, 2, 4, 3], [0, 1, -1, 2]])
    assert dct(x).asnumpy()[0].round(4).tolist() == pytest.approx([5.0, -1.8478, -1.0, 0.7654], abs=1e-4)
    assert idct(dct(x)).asnumpy().round(4).tolist() == x.asnumpy().tolist() and dct(x).dtype == ms.float32
    assert dctn(x, 2, (3,)).asnumpy()[0].round(4).tolist() == pytest.approx([4.0415, -2.1213, 0.4082], abs=1e-4)
    with pytest.raises(ValueError, match="can only be 2"):
        dct(x, 1)


@pytest.mark.parametrize("dynamic", [False, True])
def test_an_array_of_mutable_numbers(dynamic):
    made = (
        ops.tuple_to_array(mutable((1, 2, 3), dynamic)),
        ms.jit(lambda: ops.tuple_to_array(mutable((1, 2), dynamic)))(),
    )
    assert [str(t.dtype) for t in made] == ["Int32"] * 2 and made[0].asnumpy().tolist() == [1, 2, 3]
