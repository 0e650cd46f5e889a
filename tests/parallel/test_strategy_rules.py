"""What MindSpore's compiler demands of the strategies of single operators: which axes stay whole, which are split alike."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops import auto_generate as generated


@pytest.fixture(autouse=True)
def eight():
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, global_rank=0, full_batch=True)
    yield
    ms.reset_auto_parallel_context()
    ms.set_context(mode=before)


def T(*shape, whole=False):
    """A Tensor of this shape; `whole`: of int32 zeros."""
    if whole:
        return Tensor(np.zeros(shape, np.int32))
    return Tensor(np.linspace(0.1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape))


X = T(8, 8)
I = T(2, whole=True)
# (name, the operator, its arguments, a strategy that fits, strategies that do not)
RULES = [
    ("strided", ops.StridedSlice, (X, (0, 2), (8, 8), (1, 1)), ((8, 1),), [((1, 2),), ((2, 2),)]),
    ("strided_steps", ops.StridedSlice, (X, (0, 0), (8, 8), (1, 2)), ((8, 1),), [((1, 2),)]),
    ("strided_begin", lambda: ops.StridedSlice(begin_mask=1), (X, (5, 0), (8, 8), (1, 1)), ((2, 4),), []),
    ("strided_end", lambda: ops.StridedSlice(end_mask=2), (X, (0, 0), (8, 3), (1, 1)), ((2, 4),), []),
    ("strided_shrink", lambda: ops.StridedSlice(shrink_axis_mask=1), (X, (0, 0), (8, 8), (1, 1)), ((1, 8),), [((2, 4),)]),
    ("strided_new", lambda: ops.StridedSlice(new_axis_mask=1), (X, (0, 0), (3, 4), (1, 1)), ((1, 8),), [((2, 4),)]),
    ("strided_ellipsis", lambda: ops.StridedSlice(ellipsis_mask=1), (X, (0, 0), (8, 8), (1, 1)), None, [((2, 4),)]),
    ("relu", ops.ReLU, (X,), ((4, 2),), [((4, 2), (4,)), ((1, 4), (1,))]),
    ("softplus", generated.SoftplusExt, (X, 0.5, 20.0), ((4, 2), (), ()), [((4, 2), (1,))]),
    ("pool", lambda: ops.MaxPool3D(2, 2), (T(1, 2, 4, 4, 4),), ((1, 2, 2, 2, 1),), [((1, 1, 1, 1, 2),)]),
    ("slice", ops.Slice, (X, (0, 2), (8, 4)), ((8, 1),), [((1, 2),)]),
    ("split", lambda: ops.Split(1, 2), (X,), ((8, 1),), [((2, 2),)]),
    ("split_tensor", generated.SplitTensor, (X, 4, 0), ((1, 8),), [((2, 4),)]),
    ("split_sizes", generated.SplitWithSize, (X, (6, 2), 1), ((8, 1),), [((4, 2),)]),
    ("topk", ops.TopK, (X, 2), ((8, 1),), [((4, 2),)]),
    ("topk_ext", generated.TopkExt, (X, 2), ((8, 1),), [((1, 8),)]),
    ("topk_first", generated.TopkExt, (X, 2, 0), ((1, 8),), [((8, 1),)]),
    ("cumsum", ops.CumSum, (X, 1), ((8, 1),), [((1, 8),)]),
    ("l2", lambda: ops.L2Normalize(axis=1), (X,), ((8, 1),), [((4, 2),)]),
    ("select", ops.Select, (X > 0.5, X, X), ((4, 2),) * 3, [((4, 2), (4, 1), (4, 2))]),
    ("kl", ops.KLDivLoss, (X, X), ((4, 2),) * 2, [((4, 2), (8, 1))]),
    ("masked", ops.MaskedFill, (X, X > 0.5, 1.0), ((4, 2), (4, 2), ()), [((4, 2), (8, 1), ())]),
    ("gather_d", ops.GatherD, (X, 1, T(8, 8, whole=True)), ((4, 1), (4, 1)), [((4, 1), (4, 2)), ((4, 1), (2, 1))]),
    ("gather_nd", ops.GatherNd, (X, T(8, 2, whole=True)), ((1, 1), (8, 1)), [((2, 1), (8, 1)), ((1, 1), (4, 2))]),
    ("tensor_scatter", ops.TensorScatterUpdate, (X, T(2, 1, whole=True), T(2, 8)), ((1, 8), (1, 1), (1, 8)),
     [((8, 1), (1, 1), (1, 1)), ((1, 8), (2, 1), (1, 8)), ((1, 8), (1, 1), (1, 4))]),
    ("tensor_add", ops.TensorScatterAdd, (X, T(2, 1, whole=True), T(2, 8)), ((1, 8), (1, 1), (1, 8)),
     [((1, 8), (2, 1), (1, 8)), ((1, 8), (1, 1), (2, 4))]),
    ("segments", ops.UnsortedSegmentSum, (X, T(8, whole=True), 2), ((4, 2), (4,)), [((4, 2), (2,))]),
    ("crop", ops.CropAndResize, (T(2, 4, 4, 2), T(2, 4), I, (2, 2)), ((2, 1, 1, 2), (2, 1), (2,)),
     [((2, 2, 1, 1), (2, 1), (2,)), ((2, 1, 1, 1), (2, 1), (1,))]),
    ("iou", ops.IOU, (T(8, 4), T(8, 4)), ((4, 1), (2, 1)), [((4, 2), (2, 1))]),
    ("tile", ops.Tile, (T(1, 8), (8, 1)), ((8, 1),), [((16, 1),), ((3, 1),)]),
    ("hot", ops.OneHot, (T(4, 2, whole=True), 4, Tensor(1.0), Tensor(0.0)), ((4, 1, 1), (), ()), [((1, 2, 1), (), ())]),
    ("sparse", ops.SparseSoftmaxCrossEntropyWithLogits, (X, T(8, whole=True)), ((8, 1), (8,)), [((4, 1), (4,)), ((8, 1), (4,))]),
    ("stack", ops.Stack, ((X, X),), ((4, 2), (4, 2)), [((4, 2), (8, 1))]),
]  # fmt: skip


def called(make, strategy, args):
    """The results of the operator in a compiled function, with a strategy or without."""
    primitive = make()
    if strategy is not None:
        primitive.shard(strategy)
    given = [a for a in args if isinstance(a, Tensor)]

    @ms.jit
    def run(*tensors):
        left = iter(tensors)
        out = primitive(*[next(left) if isinstance(a, Tensor) else a for a in args])
        return out if isinstance(out, tuple) else (out,)

    return [out.asnumpy() for out in run(*given)]


@pytest.mark.parametrize("name, make, args, fits, wrong", RULES, ids=[rule[0] for rule in RULES])
def test_operators_demand_of_their_strategies(name, make, args, fits, wrong):
    if fits is not None:
        assert [a.tolist() for a in called(make, fits, args)] == [a.tolist() for a in called(make, None, args)]
    for strategy in wrong:
        with pytest.raises(RuntimeError, match="the strategy .* is wrong"):
            called(make, strategy, args)


def test_parts_that_stay_where_they_are():
    """`skip_redistribution`: each device takes pieces of its own part, which MindSpore does not check."""
    for make, args in ((lambda: ops.Split(1, 2), (X,)), (generated.SplitTensor, (X, 4, 1))):
        marked = lambda make=make: make().add_prim_attr("skip_redistribution", True)  # noqa: E731
        assert [a.tolist() for a in called(marked, ((4, 2),), args)] == [a.tolist() for a in called(make, None, args)]


@pytest.mark.parametrize(
    "make, inputs, out, said",
    [
        (ops.MatMul, ((2, 2), (2, 2)), ((2, 2),), None),
        (ops.MatMul, ((2, 2), (2, 2)), ((4, 2),), None),  # the sum is scattered over the rows
        (ops.MatMul, ((2, 2), (2, 2)), ((8, 1),), "not \\(8, 1\\)"),
        (ops.MatMul, ((2, 2), (2, 2)), ((1, 2),), "not \\(1, 2\\)"),
        (ops.Add, ((2, 2), (2, 2)), ((2, 2),), "no strategy of its result"),
    ],
    ids=str,
)
def test_strategies_of_results(make, inputs, out, said):
    primitive = make().shard(inputs, out)
    run = ms.jit(lambda x, y: primitive(x, y))
    if said is None:
        np.testing.assert_allclose(run(X, X).asnumpy(), make()(X, X).asnumpy(), rtol=1e-6)
        return
    with pytest.raises(RuntimeError, match=said):
        run(X, X)


class Scaled(nn.Cell):
    """Its backward has an operator whose strategy does not fit: MindSpore does not look at it there."""

    def __init__(self):
        super().__init__()
        self.product, self.sum = ops.Mul().shard(((4, 1), (4, 1))), ops.Add().shard(((4, 1), (4, 1)))

    def construct(self, x, y):
        return self.product(x, y)

    def bprop(self, x, y, out, dout):
        return self.sum(5.0, x), self.sum(y, 8.0)


def test_strategies_in_a_backward_of_a_users_own():
    gx, gy = ms.jit(ms.grad(Scaled(), (0, 1)))(X, X)
    assert gx.asnumpy().tolist() == (X + 5).asnumpy().tolist() and gy.asnumpy().tolist() == (X + 8).asnumpy().tolist()


def test_whole_batches_are_for_the_modes_of_one_program():
    """As MindSpore tells it, when a network is compiled."""

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(np.ones((8, 8), np.float32), name="weight")

        def construct(self, x):
            return x * self.weight

    assert Net()(X).shape == (8, 8)
    for mode in ("stand_alone", "data_parallel"):
        ms.set_auto_parallel_context(parallel_mode=mode, full_batch=True)
        with pytest.raises(
            RuntimeError, match="full_batch could only be used under semi_auto_parallel or auto_parallel"
        ):
            Net()(X)
        assert ms.jit(lambda x: x * 2)(X).shape == (8, 8)


def test_a_network_that_is_compiled_for_devices_that_are_not_there():
    """`AutoParallel` where `device_num` alone says that there are several."""
    from mindspore.parallel.auto_parallel import AutoParallel

    net = AutoParallel(nn.ReLU(), parallel_mode="recursive_programming")
    assert ms.get_auto_parallel_context("search_mode") == "recursive_programming"
    assert net(X).shape == (8, 8)
