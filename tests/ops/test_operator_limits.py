"""Values that operators refuse because of their annotations: the sentence says where, what, what is allowed, and what was given."""

import inspect
import types
from typing import Annotated, Literal

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mint, ops

from msjax.core.operators.limits import limits_of
from msjax.core.spec import Number, Static
from msjax.core.spec.rules import LOOSE, AsValue, Like, PositiveInt, Within

X = Tensor(np.ones((2, 3), np.float32))
IMAGE = Tensor(np.ones((1, 2, 3, 3), np.float32))
# call, exception type, the beginning of the sentence
REFUSED = {
    "words": (lambda: ops.gelu(X, "erf"), ValueError, "For 'GeLU', the 'approximate' must be 'none' or 'tanh', but got 'erf'"),
    "words or None": (lambda: mint.div(X, 2, rounding_mode="up"), ValueError, "'rounding_mode' must be 'floor' or 'trunc' or None"),
    "words of a method": (lambda: X.div(2, rounding_mode="up"), ValueError, "'rounding_mode' must be 'floor' or 'trunc' or None"),
    "words by the other type": (lambda: ops.qr(X, "all"), TypeError, "'mode' must be 'reduced' or 'complete'"),
    "no word": (lambda: ops.flatten(X, order=1), TypeError, "For 'flatten', the 'order' must be 'C' or 'F'"),
    "any case": (lambda: ops.iou(X, X, mode="area"), ValueError, "'mode' must be 'iou' or 'iof'"),
    "composite": (lambda: X.move_to("disk"), ValueError, "'to' must be one of 'CPU', 'GPU'"),
    "method that calls another": (lambda: X[0].searchsorted(X[0], side="up"), ValueError, "For 'searchsorted', the 'side' must be"),
    "whole number": (lambda: ops.chunk(X, 0), ValueError, "For 'chunk', the 'chunks' must be an int >= 1, but got '0'"),
    "bool for a whole number": (lambda: ops.chunk(X, True), TypeError, "the 'chunks' must be an int >= 1, but got 'True'"),
    "number": (lambda: ops.huber_loss(X, X, delta=-1), ValueError, "'delta' must be a number > 0, but got '-1'"),
    "second number": (lambda: [ops.celu(X, alpha) for alpha in (1.0, 2.0, 0.0)], ValueError, "a number except 0, but got '0.0'"),
    "text for a whole number": (lambda: ops.cross_entropy(X, Tensor([0, 1]), ignore_index="1"), TypeError, "'ignore_index' must be an int"),
    "text for a flag": (lambda: ops.stft(X, 2, onesided="no"), TypeError, "'onesided' must be a bool"),
    "axes": (lambda: ops.pixel_shuffle(X, 2), ValueError, "the 'input' must be a Tensor with at least 3 axes, but got a Tensor of shape (2, 3) and Float32"),
    "dtype": (lambda: ops.masked_fill(X, X, 1.0), TypeError, "For 'MaskedFill', the 'mask' must be a Tensor of bool, but got"),
    "no such dtype": (lambda: ops.cov(Tensor([True])), TypeError, "the 'input' must be a Tensor with at most 2 axes, not of bool"),
    "a Tensor's size": (lambda: ops.is_nonzero(X), ValueError, "For 'is_nonzero', the 'input' must be a Tensor of one element"),
    "range": (lambda: ops.lrn(IMAGE, -1), ValueError, "For 'LRN', the 'depth_radius' must be an int >= 0"),
}  # fmt: skip


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["eager", "graph"])
@pytest.mark.parametrize("call, kind, text", REFUSED.values(), ids=REFUSED)
def test_refused(call, kind, text, mode):
    run = ms.jit(call) if mode == ms.GRAPH_MODE else call
    with pytest.raises(kind) as error:
        run()
    assert text in str(error.value) and "\nArguments: " in str(error.value)


def test_what_is_allowed_runs():
    assert ops.iou(Tensor([[0.0, 0, 1, 1]]), Tensor([[0.0, 0, 1, 1]]), mode="IOF").shape == (1, 1)
    assert [float(ops.huber_loss(X, X * 3, delta=delta)) for delta in (1, 2.0, 4)] == [1.5, 2, 2]
    assert mint.nn.functional.nll_loss(X, Tensor([0, 1]), ignore_index=np.int64(1)).shape == ()
    assert ops.chunk(X, Tensor(2))[0].shape == (1, 3)  # a Tensor is read


def test_only_annotations_of_values_make_limits():
    def f(x: Static[int], y: Number, z: str, u: Like[PositiveInt] = 1, v: AsValue[Literal["a"] | None] = None): ...

    def g(x: Static[int], y: Number): ...

    def h(rate: Annotated[Number, LOOSE, Within("[0, 1]")]): ...

    found = [limits_of(inspect.signature(one).parameters.values()) for one in (f, g, h)]
    assert [name for _, name, *_ in found[0].rules] == ["u", "v"] and found[1] is None
    with pytest.raises(ValueError, match="'rate' must be a number in"):
        found[2].check((2,), types.SimpleNamespace(title="f", explain=lambda error, args: error))
