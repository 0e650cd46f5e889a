"""Kernels of MindSpore's eager mode by their names in `ops.auto_generate`: each is an operator that has goldens of its own."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, mint, ops
from mindspore.mint.nn import functional
from mindspore.ops import auto_generate as kernels
from mindspore.ops.operations import _scalar_ops


def draw(seed, *shape):
    return Tensor(np.random.RandomState(seed).randn(*shape).astype(np.float32))


X, IMAGE, WEIGHT = draw(0, 2, 3, 4), draw(1, 2, 3, 8, 8), draw(2, 5, 3, 3, 3)

SAME = {
    "MaxDim": (lambda k: k(X, 1), lambda: mint.max(X, 1)),
    "MinDim": (lambda k: k(X, 1, True), lambda: mint.min(X, 1, True)),
    "MedianDim": (lambda k: k(X, 1), lambda: mint.median(X, 1)),
    "AvgPool1D": (lambda k: k(X, 2), lambda: functional.avg_pool1d(X, 2)),
    "AvgPool2D": (lambda k: k(IMAGE, 2, 1), lambda: functional.avg_pool2d(IMAGE, 2, 1)),
    "AdaptiveAvgPool2DExt": (lambda k: k(IMAGE, (2, 3)), lambda: functional.adaptive_avg_pool2d(IMAGE, (2, 3))),
    "ConstantPadND": (lambda k: k(X, (1, 2), 3.0), lambda: functional.pad(X, (1, 2), "constant", 3.0)),
    "ReflectionPad1D": (lambda k: k(X, (1, 2)), lambda: functional.pad(X, (1, 2), "reflect")),
    "ReplicationPad2D": (lambda k: k(IMAGE, (1, 0, 2, 1)), lambda: functional.pad(IMAGE, (1, 0, 2, 1), "replicate")),
    "Conv2DPadding": (
        lambda k: k(IMAGE, WEIGHT, None, 1, "same"),
        lambda: functional.conv2d(IMAGE, WEIGHT, padding="same"),
    ),
    "LinalgQr": (lambda k: k(X), lambda: mint.linalg.qr(X)),
    "LinalgVectorNorm": (lambda k: k(X, 1, 2), lambda: mint.linalg.vector_norm(X, 1, 2)),
    "DivMod": (lambda k: k(X, 2.0, "floor"), lambda: mint.div(X, 2.0, rounding_mode="floor")),
    "FillScalar": (lambda k: k((2, 2), 3.0, ms.float16), lambda: mint.full((2, 2), 3.0, dtype=ms.float16)),
    "Index": (lambda k: k(X, [Tensor([0, 1]), Tensor([1, 2])]), lambda: X[Tensor([0, 1]), Tensor([1, 2])]),
    "View": (lambda k: k(X, (4, 6)), lambda: X.reshape(4, 6)),
    "TypeAs": (lambda k: k(X, Tensor([1])), lambda: X.astype(ms.int64)),
    "Repeat": (lambda k: k(X, (2, 1, 1)), lambda: ops.tile(X, (2, 1, 1))),
    "Contiguous": (lambda k: k(X), lambda: X),
    "Diagonal": (lambda k: k(X[0]), lambda: mint.diag(X[0])),
    "Unique2": (lambda k: k(Tensor([3, 1, 3])), lambda: mint.unique(Tensor([3, 1, 3]), True, True, True)),
    "UniqueDim": (
        lambda k: k(Tensor([[1, 2], [1, 2]]), True, True, 0),
        lambda: mint.unique(Tensor([[1, 2], [1, 2]]), True, True, True, 0),
    ),
    "UpsampleNearest2D": (lambda k: k(IMAGE, (4, 4)), lambda: functional.interpolate(IMAGE, (4, 4))),
    "UpsampleBilinear2D": (
        lambda k: k(IMAGE, (4, 4), None, True),
        lambda: functional.interpolate(IMAGE, (4, 4), None, "bilinear", True),
    ),
    "LogSigmoid": (lambda k: k(X), lambda: (functional.logsigmoid(X), mint.exp(-mint.abs(X)))),
    "SoftmaxBackward": (
        lambda k: k(draw(9, 2, 3, 4), ops.softmax(X)),
        lambda: ms.grad(lambda x: (ops.softmax(x) * draw(9, 2, 3, 4)).sum())(X),
    ),
    "XLogYScalarSelf": (lambda k: k(2.0, X * X), lambda: mint.xlogy(2.0, X * X)),
    "TensorCopySlices": (
        lambda k: k(X, mint.ones((1, 3, 4)), (1,), (2,), (1,)),
        lambda: mint.cat([X[:1], mint.ones((1, 3, 4))]),
    ),
}


def leaves(tree):
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, tuple | list) else [tree]


@pytest.mark.parametrize("name", SAME)
def test_kernel_is_its_operator(name):
    call, operator = SAME[name]
    got, wanted = leaves(call(getattr(kernels, name)())), leaves(operator())
    assert [(g.shape, g.dtype) for g in got] == [(w.shape, w.dtype) for w in wanted]
    for g, w in zip(got, wanted, strict=True):
        np.testing.assert_allclose(g.asnumpy(), w.asnumpy(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    "name,method", [("InplaceReLU", functional.relu), ("InplaceElu", functional.elu), ("InplaceSiLU", functional.silu)]
)
def test_kernels_in_place(name, method):
    x = X.copy()
    wanted = method(x).asnumpy()
    getattr(kernels, name)()(x)
    np.testing.assert_array_equal(x.asnumpy(), wanted)


def test_functions_of_kernels():
    np.testing.assert_array_equal(kernels.view(X, (6, 4)).asnumpy(), X.asnumpy().reshape(6, 4))
    np.testing.assert_array_equal(kernels.max_dim_op(X, 0)[0].asnumpy(), X.asnumpy().max(0))
    numbers = [_scalar_ops.ScalarAdd()(1, 2), _scalar_ops.ScalarFloorDiv()(7, 2), _scalar_ops.ScalarLe()(2, 1)]
    assert numbers == [3, 3, False] and all(type(n) in (int, bool) for n in numbers)


def test_layer_norm_v3_gives_the_inverse_deviation():
    gamma, beta = draw(3, 4), draw(4, 4)
    out, mean, scale = kernels.LayerNormV3(-1, -1, 1e-5)(X, gamma, beta)
    rows = X.asnumpy()
    np.testing.assert_allclose(scale.asnumpy()[..., 0], 1 / np.sqrt(rows.var(-1) + 1e-5), rtol=1e-5)
    np.testing.assert_allclose(mean.asnumpy()[..., 0], rows.mean(-1), rtol=1e-5, atol=1e-6)
    wanted = ops.LayerNorm(-1, -1, 1e-5)(X, gamma, beta)[0]
    np.testing.assert_allclose(out.asnumpy(), wanted.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("amsgrad", [False, True])
def test_adamw_is_the_optimizer(amsgrad):
    start, gradients = draw(5, 3).asnumpy(), [draw(s, 3) for s in (6, 7, 8)]
    weight = ms.Parameter(Tensor(start), name="w")
    optimizer = mint.optim.AdamW([weight], lr=0.1, weight_decay=0.2, amsgrad=amsgrad)
    var, m, v, largest = Tensor(start), *(mint.zeros(3) for _ in range(3))
    for number, gradient in enumerate(gradients):
        optimizer((gradient,))
        kernels.AdamW()(var, m, v, largest, gradient, Tensor(float(number)), 0.1, 0.9, 0.999, 0.2, 1e-8, amsgrad)
        np.testing.assert_allclose(var.asnumpy(), weight.asnumpy(), rtol=1e-5)


@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_one_hot_ext_is_the_primitive(axis):
    labels, on, off = Tensor([1, 0, 2], ms.int32), Tensor(2.5), Tensor(-1.0)
    found = kernels.OneHotExt(axis)(labels, 4, on, off)
    np.testing.assert_array_equal(found.asnumpy(), ops.OneHot(axis)(labels, 4, on, off).asnumpy())


def test_a_kernel_takes_no_hidden_names_by_position():
    with pytest.raises(TypeError, match="positional arguments"):
        kernels.OneHotExt()(Tensor([1]), 4, 1, 0, -1, 7)
