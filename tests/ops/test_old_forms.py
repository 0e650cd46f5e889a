"""Calls with keywords that only MindSpore 1.x has, and the names of MindSpore's generated operator code."""

import inspect

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

X = Tensor(np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4))


def test_split_into_a_number_of_pieces():
    for pieces in (
        ops.split(X, axis=3, output_num=2),
        ops.split(input_x=X, axis=3, output_num=2),
        ops.split(X, 3, output_num=2),
    ):
        assert [p.shape for p in pieces] == [(1, 2, 3, 2)] * 2
    assert [p.shape for p in ops.split(X, 3, axis=3)] == [(1, 2, 3, 3), (1, 2, 3, 1)]


def test_interpolate_by_sizes_and_scales():
    line = Tensor([[[1.0, 2.0, 3.0]]])  # the example of 1.9's documentation
    assert ops.interpolate(line, sizes=(6,), mode="linear").asnumpy().tolist() == pytest.approx(
        np.array([[[1, 1.4, 1.8, 2.2, 2.6, 3]]])
    )
    out = ops.interpolate(X, sizes=(6, 8), coordinate_transformation_mode="asymmetric", mode="bilinear")
    assert out[0, 0, 0].asnumpy().tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3]
    scaled = ops.interpolate(X, scales=(1, 1, 2, 2), mode="bilinear", coordinate_transformation_mode="half_pixel")
    today = ops.interpolate(X, size=(6, 8), mode="bilinear", align_corners=False)
    np.testing.assert_array_equal(scaled.asnumpy(), today.asnumpy())
    for wrong in ({"sizes": (6, 8), "mode": "linear"}, {"mode": "bilinear", "sizes": (6, 8), "scales": (1, 1, 2, 2)}):
        with pytest.raises(ValueError, match="interpolate"):
            ops.interpolate(X, **wrong)


def test_names_of_modules_that_became_functions():
    from mindspore.common.initializer import _calculate_gain
    from mindspore.nn.layer.conv import _check_input_3d

    assert ms.common.tensor.Tensor is Tensor and ms.common.seed.set_seed is ms.set_seed
    assert ms.common.initializer.initializer("ones", (2,)).to_tensor().asnumpy().tolist() == [1, 1]
    assert [_calculate_gain("tanh"), _calculate_gain("leaky_relu", 1)] == [5 / 3, 1.0]
    assert _check_input_3d((1, 2, 3)) is None
    with pytest.raises(ValueError, match="should be 3d, but got 2d"):
        _check_input_3d((1, 2))


def test_checks_of_old_layers():
    from mindspore.nn.layer import conv, normalization

    assert conv._check_input_5dims((1, 2, 3, 4, 5)) is None
    with pytest.raises(ValueError, match="should be 5d, but got 4d"):
        conv._check_input_5dims((1, 2, 3, 4))
    for shape, dims in (((1, 2), "1d"), ((1, 2, 3, 4), "2d"), ((1, 2, 3, 4, 5), "3d"), ((1, 2), "both")):
        assert normalization._shape_check_bn(shape, dims) is None
        with pytest.raises(ValueError, match=r"but got 3d: \(1, 2, 3\)"):
            normalization._shape_check_bn((1, 2, 3), dims)
    assert normalization._channel_check(4, 4) is None
    with pytest.raises(ValueError, match="must be 4, but got 3"):
        normalization._channel_check(3, 4)
    assert normalization._shape_infer((8, 3, 4, 4), 3) == ((0, 2, 3), (1, 3, 1, 1))
    assert normalization._shape_infer((8, 3), 3) == ((0,), (1, 3))


def test_checks_that_take_the_name_first():
    """MindSpore 0.x's; 1.x has others in their place, which take the value first."""
    from mindspore._checkparam import Rel, Validator

    assert Validator.check_integer("decay_steps", 4, 0, Rel.GT, "Lr") == 4
    assert Validator.check_float_positive("power", 0.5, "Lr") == 0.5
    assert Validator.check_float_legal_value("power", -0.5, "Lr") == -0.5
    with pytest.raises(ValueError, match="For 'Lr', the 'decay_steps' must be int and must > 0, but got '0'"):
        Validator.check_integer("decay_steps", 0, 0, Rel.GT, "Lr")
    with pytest.raises(ValueError, match="'power'"):
        Validator.check_float_positive("power", -0.5, "Lr")
    with pytest.raises(ValueError, match="must be a legal float"):
        Validator.check_float_legal_value("power", float("inf"), "Lr")


def test_pad_with_a_pair_for_each_axis():
    """`ops.pad(x, paddings)` of MindSpore 1.x, as `ops.Pad(paddings)(x)`."""
    pairs = ((0, 0),) * (X.ndim - 1) + ((1, 2),)
    for given in (pairs, [list(p) for p in pairs]):
        np.testing.assert_array_equal(ops.pad(X, given).asnumpy(), ops.pad(X, (1, 2)).asnumpy())
    with pytest.raises(TypeError, match="must be int"):
        ops.pad(X, ((1, 2), (0, 0)))


def test_other_old_keywords():
    np.testing.assert_allclose(ops.norm(X, 1, p=1).asnumpy(), np.abs(X.asnumpy()).sum(1))
    assert ops.norm(X, axis=1, p=2, keep_dims=True).shape == (1, 1, 3, 4)
    assert ops.argmax(X, axis=1, output_type=ms.int32).dtype == ms.int32
    assert ops.linspace(0, 1, num=3).asnumpy().tolist() == [0, 0.5, 1]
    assert ops.mul(x=X, y=X).shape == X.shape
    with pytest.raises(TypeError, match="output_nums"):
        ops.split(X, 1, output_nums=2)


def test_old_keywords_of_methods():
    """Methods of Tensor under the parameters that they have in MindSpore 1.x."""
    x, n = Tensor(np.array([[-1.0, 0.5], [2.0, 3.0]], np.float32)), Tensor(np.array([5, 6], np.int32))
    values = x.asnumpy()
    for given, expected in (
        (x.clip(xmin=0, xmax=2), values.clip(0, 2)),
        (x.clip(xmin=None, xmax=1), values.clip(None, 1)),
        (x.clip(0, xmax=2), values.clip(0, 2)),
        (x.clip(xmin=0, xmax=2, dtype=ms.int32), values.clip(0, 2).astype(np.int32)),
        (x.norm(axis=1, p=1, keep_dims=True), np.abs(values).sum(1, keepdims=True)),
        (x.swapaxes(axis1=0, axis2=1), values.T),
        (x.swapaxes(0, axis2=1), values.T),
        (ops.swapaxes(x, axis1=0, axis2=1), values.T),
        (x.split(axis=1, output_num=2)[1], values[:, 1:]),
        (x.median(global_median=True)[0], np.float32(0.5)),
        (x.pow(power=2), values**2),
        (n.bitwise_and(x=n), n.asnumpy()),
        (x.addcmul(x1=x, x2=x, value=2.0), values + 2 * values**2),
    ):
        assert given.shape == expected.shape and given.asnumpy().dtype == expected.dtype
        np.testing.assert_allclose(given.asnumpy(), expected, rtol=1e-6)
    assert set(x.bernoulli(p=0.5, seed=1).asnumpy().ravel()) <= {0.0, 1.0}
    with pytest.raises(TypeError, match="ymin"):
        x.clip(ymin=1)


@pytest.mark.parametrize(
    ("primitive", "inputs"),
    [
        (ops.ReLU(), {"input": X}),
        (ops.Add(), {"input": X, "other": X}),
        (ops.Concat(1), {"tensors": (X, X)}),
        (ops.MatMul(), {"input": X[0, 0], "mat2": X[0, 0].T}),
        (ops.Pow(), {"input": X, "exponent": 2}),
        (ops.Tile(), {"input": X, "dims": (1, 1, 2, 1)}),
        (ops.Select(), {"condition": X > 1, "input": X, "other": X}),
        (ops.Reshape(), {"input": X, "shape": (-1,)}),
        (ops.Eye(), {"n": 2, "m": 3, "dtype": ms.int32}),
        (ops.Softmax(), {"input": X}),
    ],
    ids=lambda value: value.name if isinstance(value, ops.Primitive) else "",
)
def test_inputs_of_primitives_by_the_names_of_today(primitive, inputs):
    by_place = primitive(*inputs.values())
    assert (by_place.asnumpy() == primitive(**inputs).asnumpy()).all()
    with pytest.raises(TypeError, match=r"__call__\(\) got an unexpected keyword argument 'wrong'"):
        primitive(**inputs, wrong=1)


def test_generated_names():
    from mindspore.ops.auto_generate.gen_ops_prim import InplaceDiv, StackExt, inplace_muls_op
    from mindspore.ops.auto_generate.pyboost_inner_prim import argmax_with_value_impl, elu_ext_impl, stack_ext_impl

    y = Tensor([2.0, 4.0])
    inplace_muls_op(y, 3.0)
    InplaceDiv()(y, Tensor([2.0, 2.0]))
    assert y.asnumpy().tolist() == [3, 6]
    assert StackExt(dim=1)((y, y)).shape == (2, 2) and stack_ext_impl((y, y), 0).shape == (2, 2)
    index, value = argmax_with_value_impl(X[0, 0], 1, False)
    assert (index.asnumpy().tolist(), value.asnumpy().tolist()) == ([3, 3, 3], [3, 7, 11])
    assert elu_ext_impl(Tensor([1.0]), 1.0).asnumpy().tolist() == [1]
    starred = {}
    exec("from mindspore.ops.auto_generate.gen_ops_prim import *", starred)
    assert {"AcosExt", "AddScalar", "Add", "acos_ext_op", "MaxDim"} <= starred.keys()
    with pytest.raises(NotImplementedError, match="mint.max"):
        starred["Correlate"]()(y)


def test_functions_behind_mint():
    """The functions that `mint` imports under other names, from the modules that define them."""
    from mindspore import mint
    from mindspore.ops.function.array_func import chunk_view, gather_ext, unsqueeze_view
    from mindspore.ops.function.math_func import norm_ext
    from mindspore.ops.function.nn_func import softmax_ext
    from mindspore.ops.function.random_func import randint_ext

    assert [t.shape for t in chunk_view(X, 2, -1)] == [t.shape for t in mint.chunk(X, 2, -1)]
    assert unsqueeze_view(X, 0).shape == (1, *X.shape) and norm_ext(X, 2).shape == ()
    assert softmax_ext(X, dim=-1).asnumpy().sum() == pytest.approx(X.size / X.shape[-1])
    assert gather_ext(X, 0, X.astype(ms.int32) * 0).shape == X.shape and randint_ext(0, 5, (3,)).shape == (3,)


def test_psroi_pooling():
    """Each bin of each output channel is the mean of a channel of its own."""
    features = np.broadcast_to(np.arange(8, dtype=np.float32)[:, None, None], (1, 8, 6, 6))
    rois = Tensor(np.array([[[0.0], [0.0], [0.0], [5.0], [5.0]]], np.float32))
    out = ops.PSROIPooling(spatial_scale=1.0, group_size=2, output_dim=2)(Tensor(features), rois)
    assert out.asnumpy().reshape(-1).tolist() == list(range(8))
    with pytest.raises(ValueError, match="PSROIPooling"):
        ops.PSROIPooling(1.0, 3, 2)(Tensor(features), rois)
    for wrong in (rois[:, :4], rois[0]):
        with pytest.raises(ValueError, match="PSROIPooling"):
            ops.PSROIPooling(1.0, 2, 2)(Tensor(features), wrong)
    with pytest.raises(TypeError, match="PSROIPooling"):
        ops.PSROIPooling(1.0, 2, 2)(Tensor(features), rois.astype(ms.int32))
    wide = ops.PSROIPooling(1.0, 2, 2)(Tensor(features.astype(np.float64)), rois.astype(ms.float64))
    assert wide.dtype == ms.float64 and wide.shape == out.shape


def test_signatures_hold_every_name_that_is_taken_and_read_as_documented():
    assert str(inspect.signature(ops.sum)) == "(input, dim=None, keepdim=False, *, dtype=None)"
    taken = inspect.signature(ops.sum).parameters
    assert list(taken)[:4] == ["input", "dim", "keepdim", "dtype"] and {"axis", "keep_dims"} < set(taken)
    assert taken["axis"].kind is inspect.Parameter.KEYWORD_ONLY and "output_num" not in taken
    assert "output_num" in inspect.signature(ops.split).parameters
    assert "exponent" not in inspect.signature(ops.sqrt).parameters
    method = inspect.signature(X.sum)
    assert "dim" in method.parameters and str(method) == str(inspect.signature(Tensor.sum)).replace("self, ", "")
    inspect.signature(ops.sum).bind(X, axis=1)


def test_keywords_of_old_functions():
    x = X.asnumpy()
    assert ops.eye(2, 2, t=ms.int32).dtype == ms.int32
    assert ops.range(start=Tensor(0), limit=Tensor(6), delta=Tensor(2)).asnumpy().tolist() == [0, 2, 4]
    assert ops.tile(Tensor([1, 2]), multiples=(2,)).asnumpy().tolist() == [1, 2, 1, 2]
    assert ops.pow(Tensor([2.0]), y=3).asnumpy().tolist() == [8]
    assert ops.pad(Tensor([[1, 2]]), paddings=((0, 0), (1, 0))).asnumpy().tolist() == [[0, 1, 2]]
    parts = [Tensor(v) for v in ([1.0], [2.0], [4.0])]
    assert ops.addcdiv(input_data=parts[0], x1=parts[1], x2=parts[2], value=Tensor([2.0])).asnumpy().tolist() == [2]
    np.testing.assert_allclose(ops.std(X, axis=3, unbiased=True).asnumpy(), x.std(3, ddof=1), rtol=1e-6)
    np.testing.assert_allclose(ops.std(X, axis=3, unbiased=False).asnumpy(), x.std(3), rtol=1e-6)
    assert ops.avg_pool2d(X, kernel_size=2, strides=1, pad_mode="same").shape == (1, 2, 3, 4)
    value, _ = ops.median(Tensor([3.0, 1.0, 2.0]), global_median=True)
    assert float(value.asnumpy()) == 2
    assert ops.select(cond=Tensor([True, False]), x=Tensor([1, 2]), y=Tensor([3, 4])).asnumpy().tolist() == [1, 4]


def test_attributes_of_old_primitives():
    assert ops.MaxPool(ksize=2, strides=2, padding="VALID")(X[:, :, :2]).shape == (1, 2, 1, 2)
    assert ops.Roll(shift=1, axis=0)(Tensor([1, 2, 3])).asnumpy().tolist() == [3, 1, 2]
    assert ops.SearchSorted(out_int32=True)(Tensor([1.0, 2.0]), Tensor([1.5])).dtype == ms.int32
    with pytest.raises(ValueError, match="'data_format' can only be 'NCHW'"):
        ops.ResizeNearestNeighborV2(data_format="NHWC")
    with pytest.raises(TypeError, match="unexpected keyword"):
        ops.Roll(shifts=1, dims=0, way=1)


def test_keywords_of_old_layers():
    loss = nn.SoftmaxCrossEntropyWithLogits(is_grad=False, sparse=True, reduction="mean", smooth_factor=0)
    assert loss(Tensor([[0.0, 0.0]]), Tensor([1])).asnumpy() == pytest.approx(np.log(2))
    assert nn.SmoothL1Loss(sigma=2.0).beta == 2.0
    assert nn.BatchNorm3d(2, data_format="NCDHW").bn2d.num_features == 2
    with pytest.raises(ValueError, match="For 'EmbeddingLookup', 'vocab_cache_size' can only be 0, but got 4"):
        nn.EmbeddingLookup(4, 2, vocab_cache_size=4)
    assert ms.SparseTensor(indices=Tensor([[0, 1]]), values=Tensor([1.0]), dense_shape=(2, 3)).shape == (2, 3)
    with pytest.raises(TypeError, match="'dense_shape' is MindSpore 1.x's name of 'shape'"):
        ms.SparseTensor(indices=Tensor([[0, 1]]), values=Tensor([1.0]), shape=(2, 3), dense_shape=(2, 3))
    assert ms.ms_function(obj=lambda x: x + 1)(Tensor(1)) == 2
    with pytest.raises(TypeError, match="unexpected keyword"):
        nn.SmoothL1Loss(sigmas=2.0)


@pytest.mark.parametrize(
    "padding, error",  # recorded from MindSpore 2.10: an odd number is told before what its elements are
    [
        (((0, 0),) * 5, ValueError),
        ((1.0,), ValueError),
        ([1, 2, 3], ValueError),
        (((0, 0), (1, 1)), TypeError),
        ((1.0, 2.0), TypeError),
        ((True, True), TypeError),
        ("ab", TypeError),
    ],
)
def test_paddings_that_are_refused(padding, error):
    with pytest.raises(error):
        ops.pad(Tensor(np.ones((1, 2, 4), np.float32)), padding)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize(
    "promised, given, seen",  # recorded from MindSpore 2.10
    [((), (1,), "float"), ((1,), (), (1,)), ((2, 3), (6,), (2, 3)), ((1, 2), (2, 1), (1, 2))],
)
def test_py_func_gets_the_shapes_that_were_promised(mode, promised, given, seen):
    ms.set_context(mode=mode)
    got = []

    def fn(x):
        got.append(getattr(x, "shape", type(x).__name__))
        return np.ones((2,), np.float32)

    run = ops.operations.PyFunc(fn, [ms.float32], [promised], [ms.float32], [(2,)])
    (out,) = ms.jit(lambda x: run(x))(Tensor(np.ones(given, np.float32)))
    assert out.asnumpy().tolist() == [1, 1] and got[-1] == seen


def test_py_func_refuses_other_sizes():
    run = ops.operations.PyFunc(lambda x: (x,), [ms.float32], [(2,)], [ms.float32], [(2,)])
    with pytest.raises(RuntimeError, match=r"the inputs must have the shapes \[\(2,\)\], but got \[\(3,\)\]"):
        run(Tensor(np.ones(3, np.float32)))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_item_at_a_place(mode):
    """As documented from 1.1 to 2.2; MindSpore 2.10 takes no place."""
    ms.set_context(mode=mode)

    class Net(nn.Cell):
        def construct(self, x):
            return x.item((0, 1, 2, 3)), x.item(5), x.item(-1)

    found = Net()(X)
    assert [(v.asnumpy().tolist(), v.shape, v.dtype) for v in found] == [(v, (), ms.float32) for v in (23.0, 5.0, 23.0)]
    for index, error in ((24, IndexError), ((0, 2, 0, 0), IndexError), ((0, 1), ValueError), (1.5, TypeError)):
        with pytest.raises(error):
            X.item(index)
    with pytest.raises(ValueError, match="only one element"):
        X.item()
