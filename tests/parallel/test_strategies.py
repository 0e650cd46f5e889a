"""Strategies that do not fit: MindSpore's errors, when they are given and when the program is compiled."""

import gc
import weakref

import mindspore as ms
import numpy as np
import pytest
from mindspore import Layout, Parameter, Tensor, nn, ops
from mindspore.common.api import _cell_graph_executor
from mindspore.ops import auto_generate as generated

from msjax.parallel import device_axes


@pytest.fixture(autouse=True)
def eight():
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, global_rank=0, full_batch=True)
    yield
    ms.reset_auto_parallel_context()
    ms.set_context(mode=before)


L = Layout((2, 2), ("a", "b"))
# [in_strategy, out_strategy, what MindSpore raises]
GIVEN = [
    ([(2, 1)], None, TypeError, "in_strategy must be tuple type, but got:<class 'list'>"),
    ((2, 1), None, TypeError, "The element of strategy must be tuple/Layout type, but got:<class 'int'>"),
    (((2.0, 1), (1, 2)), None, TypeError, "the value of strategy must be int type, but got:<class 'float'>"),
    ((L("a", "b"), (1, 2)), None, TypeError, "The in_strategy item should be a object of class Layout."),
    (None, ((2, 1),), ValueError, "The out_strategy of MatMul is .*, need to set in_strategy, but got none"),
    ((L("a", "b"), L("b", "None")), ((2, 1),), ValueError, "The in_strategy type must equal to the out_strategy type"),
]


@pytest.mark.parametrize("inputs, outputs, kind, said", GIVEN)
def test_what_is_no_strategy(inputs, outputs, kind, said):
    with pytest.raises(kind, match=said):
        ops.MatMul().shard(inputs, outputs)


def test_a_primitive_tells_its_strategy():
    assert ops.MatMul().shard(((2, 1), (1, 4))).in_strategy == ((2, 1), (1, 4))
    told = ops.MatMul().shard((L("a", "b"), L("b", "None"))).in_layout
    assert [(one["device_matrix"], one["tensor_map"]) for one in told] == [((2, 2), (1, 0)), ((2, 2), (0, -1))]


def test_an_operator_with_a_tuple_of_tensors_tells_its_layouts():
    concat = ops.Concat(2).add_prim_attr("self_define_shard", True)
    concat.shard(in_strategy=((L("a", "b", "None"), L("b", "a", "None")),), out_strategy=(L("a", "b", "None"),))
    ((one, other),) = concat.in_layout
    (out,) = concat.out_layout
    maps = [told["tensor_map"] for told in (one, other, out)]
    assert maps == [(1, 0, -1), (0, 1, -1), (1, 0, -1)]  # as recorded


def test_layouts_of_numbers_and_of_arguments_that_are_left_out():
    """As MindFormers writes them: a number takes a Layout that splits nothing."""
    x = Tensor(np.ones((4, 4), np.float32))
    scaled = ops.Mul().shard((L("a", "b"), L("None")))
    hot = generated.OneHotExt().shard((L("a", "b"), *[L()] * 4))

    class Net(nn.Cell):
        def construct(self, x):
            return scaled(x, 2.0), hot(x.astype(ms.int64), 3, Tensor(1), Tensor(0))

    one, other = Net()(x)
    assert one.asnumpy().sum() == 32 and other.shape == (4, 4, 3)


def test_tensors_are_named():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    two, one = ((1, 1), (1, 1)), ((1, 1),)
    calls = [
        (generated.AddExt().shard(two)(input=x, other=x), x + x),
        (generated.SumExt().shard(one)(input=x, dim=1), x.sum(1)),
        (generated.MeanExt().shard(one)(x, dim=1, keepdim=True), x.mean(1, keep_dims=True)),
        (ops.MatMul(transpose_b=True).shard(two)(input=x, mat2=x), ops.matmul(x, x.T)),
        (ops.Cast().shard(one)(input_x=x, dtype=ms.int32), x.astype(ms.int32)),
    ]
    for found, wanted in calls:
        np.testing.assert_allclose(found.asnumpy(), wanted.asnumpy())
    with pytest.raises(TypeError, match=r"Softmax.__call__\(\) got an unexpected keyword argument 'nothing'"):
        ops.Softmax().shard(one)(nothing=x)


def compiled(primitive, strategy, *shapes):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(np.ones(shapes[-1], np.float32), name="w")
            self.primitive = primitive.shard(strategy)

        def construct(self, *inputs):
            return self.primitive(*inputs, self.weight) if len(shapes) > 1 else self.primitive(*inputs)

    given = shapes[:-1] if len(shapes) > 1 else shapes
    return Net()(*[Tensor(np.ones(shape, np.float32)) for shape in given])


FITS = [
    (ops.MatMul(), ((2, 2), (2, 2)), (8, 8), (8, 8)),
    (ops.MatMul(transpose_b=True), ((2, 4), (1, 4)), (8, 8), (8, 8)),
    (ops.Add(), ((4, 2), (2,)), (8, 8), (8,)),
    (ops.Add(), ((4, 2), (1, 2)), (8, 8), (1, 8)),
    (ops.Softmax(), ((8, 1),), (8, 8)),
    (ops.ReLU(), ((1, 1),), (3, 5)),
    (ops.Conv2D(8, 3, pad_mode="same"), ((2, 1, 2, 1), (2, 1, 1, 1)), (8, 4, 8, 8), (8, 4, 3, 3)),
    (ops.Conv2D(8, 3, pad_mode="same"), ((1, 1, 1, 8), (1, 1, 1, 1)), (8, 4, 8, 8), (8, 4, 3, 3)),
    (ops.Conv2D(8, 3, pad_mode="same"), ((1, 2, 1, 1), (4, 2, 1, 1)), (8, 4, 8, 8), (8, 4, 3, 3)),
    (ops.MaxPool(2, 2), ((2, 1, 2, 2),), (8, 4, 8, 8)),
    (ops.MatMul(), ((4, 2), (4, 2)), (8, 8), (8, 8)),  # the second factor is gathered
    (ops.Cdist(), ((4, 1), (2, 1)), (8, 8), (8, 8)),
]
# what MindSpore's compiler refuses, each with RuntimeError
DIFFERS = [
    (ops.MatMul(), ((2, 2), (4, 2)), (8, 8), (8, 8)),  # the axis of the sum
    (ops.MatMul(), ((2, 2),), (8, 8), (8, 8)),  # one is missing
    (ops.Add(), ((4, 2), (4,)), (8, 8), (8,)),  # axes that meet
    (ops.Softmax(), ((4, 2),), (8, 8)),  # along which it is computed
    (ops.ReLU(), ((2, 2, 2),), (8, 8)),  # an axis that there is not
    (ops.ReLU(), ((3, 1),), (8, 8)),  # into parts that are not even
    (ops.ReLU(), ((4, 4),), (8, 8)),  # more devices than there are
    (ops.ReLU(), ((0, 1),), (8, 8)),
    (
        ops.Conv2D(8, 3, pad_mode="same"),
        ((2, 2, 1, 1), (2, 1, 1, 1)),
        (8, 4, 8, 8),
        (8, 4, 3, 3),
    ),  # the axis of the sum
    (ops.Conv2D(8, 2, pad_mode="same"), ((2, 1, 1, 1), (1, 1, 2, 1)), (8, 4, 8, 8), (8, 4, 2, 2)),  # the kernel
    (ops.Conv2D(8, 2, group=2), ((1, 1, 1, 1), (2, 1, 1, 1)), (8, 4, 8, 8), (8, 2, 2, 2)),  # in groups
    (
        ops.Conv2D(8, 2, stride=4),
        ((1, 1, 1, 8), (1, 1, 1, 1)),
        (8, 4, 16, 16),
        (8, 4, 2, 2),
    ),  # a result that is not even
    (
        ops.Conv2D(8, 5, pad_mode="same"),
        ((1, 1, 1, 8), (1, 1, 1, 1)),
        (8, 4, 8, 8),
        (8, 4, 5, 5),
    ),  # more than a part holds
    (ops.MaxPool(3, 2), ((1, 1, 2, 1),), (8, 4, 8, 8)),  # windows that overlap
    (ops.MaxPool(1, 3), ((1, 1, 2, 1),), (8, 4, 10, 10)),  # parts that are no multiple of the stride
    (ops.AvgPool(2, 2), ((1, 1, 1, 8),), (8, 4, 8, 8)),
    (ops.Cdist(), ((2, 2), (2, 1)), (8, 8), (8, 8)),  # along which distances are measured
    (ops.RmsNorm(), ((2, 4), (2,)), (8, 8), (8,)),  # the scale as the axis that it scales
    (generated.SumExt(), ((2, 4), (2,)), (8, 8)),  # more strategies than Tensors
    (ops.ResizeNearestNeighbor((4, 4), align_corners=True), ((1, 1, 2, 1),), (8, 4, 8, 8)),
    (ops.ResizeNearestNeighbor((4, 4), align_corners=True), ((1, 1, 1, 4),), (8, 4, 8, 8)),
]


@pytest.mark.parametrize("case", FITS, ids=str)
def test_a_strategy_that_fits_changes_nothing(case):
    primitive, strategy, *shapes = case
    alone = primitive(*[Tensor(np.ones(shape, np.float32)) for shape in shapes])
    assert compiled(primitive, strategy, *shapes).asnumpy().tolist() == alone.asnumpy().tolist()


@pytest.mark.parametrize("case", DIFFERS, ids=str)
def test_a_strategy_that_does_not_fit_is_told(case):
    primitive, strategy, *shapes = case
    with pytest.raises(RuntimeError, match=f"For '{primitive.name}', the strategy"):
        compiled(primitive, strategy, *shapes)
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    ms.set_context(mode=ms.PYNATIVE_MODE)  # strategies are for those modes alone
    compiled(primitive, strategy, *shapes)


def test_shapes_that_follow_from_a_part_of_the_batch_are_not_known():
    ms.set_auto_parallel_context(full_batch=False)
    assert compiled(ops.ReLU(), ((8, 1),), (1, 8)).shape == (1, 8)


def test_plans_for_parameters():
    for plan, said in (({"weight": (3, 1)}, "cannot be divisible"), ({"self.weight": (2,)}, "is not equal to")):
        with pytest.raises(ValueError, match=said):
            nn.Dense(4, 4).shard(((1, 1),), parameter_plan=plan)
    with pytest.raises(TypeError, match="must be mindspore.nn.Cell"):
        ms.shard(lambda x: x, ((1, 1),), parameter_plan={"weight": (1, 1)})
    net = nn.Dense(4, 4)
    net.shard(((1, 1),), parameter_plan={"nothing": (1,)})  # said in the log
    assert net(Tensor(np.ones((2, 4), np.float32))).shape == (2, 4)


@pytest.mark.parametrize(
    "name, wanted, places",
    [
        ("SparseSoftmaxCrossEntropyWithLogits", [(2, 4), (2,)], [[(0,), (1,)], [(0,)]]),
        ("UnsortedSegmentSum", [(2, 4), (2,)], [[(0,), (1,)], [(0,)]]),
        ("NLLLoss", [(2, 4), (2,), (4,)], [[(0,), (1,)], [(0,)], [(1,)]]),
    ],
)
def test_rows_of_labels_are_split_like_those_of_what_they_label(name, wanted, places):
    assert device_axes.of(name, wanted, (False, False), 8) == ([2, 4], places)


class TwoUses(nn.Cell):
    """One Parameter for two operators."""

    def __init__(self, first, second):
        super().__init__()
        self.weight = Parameter(np.ones((8, 8), np.float32), name="w")
        self.product, self.relu = ops.MatMul().shard(first), ops.ReLU().shard(second)

    def construct(self, x):
        return self.product(x, self.weight) + self.relu(self.weight)


def test_a_network_with_strategies_is_let_go():
    net = nn.Dense(4, 8, has_bias=False)
    net.matmul.shard(((2, 1), (4, 1)))
    net(Tensor(np.ones((2, 4), np.float32)))
    weight = weakref.ref(net.weight)
    del net
    gc.collect()
    assert weight() is None


def test_operators_of_one_parameter_split_it_alike():
    x = Tensor(np.ones((8, 8), np.float32))
    assert TwoUses(((1, 2), (2, 4)), ((2, 4),))(x).shape == (8, 8)
    with pytest.raises(RuntimeError, match=r"'w' is split by \(2, 4\) for 'MatMul' and by \(4, 2\) for 'ReLU'"):
        TwoUses(((1, 2), (2, 4)), ((4, 2),))(x)
    with pytest.raises(RuntimeError, match="operator MatMul init failed"):
        TwoUses(((1, 2), (4, 2)), ((4, 2),))(x)


def test_layouts_where_an_operator_takes_none():
    scatter = ops.TensorScatterUpdate().shard((L("a", "b"), L("a", "None"), L("a")))
    scatter.add_prim_attr("self_define_shard", False)

    class Net(nn.Cell):
        def construct(self, x, i, u):
            return scatter(x, i, u)

    given = Tensor(np.ones((4, 4), np.float32)), Tensor(np.zeros((2, 2), np.int32)), Tensor(np.ones(2, np.float32))
    with pytest.raises(RuntimeError, match="only where 'self_define_shard' is True"):
        Net()(*given)


def test_inner_names_of_batches():
    """What scripts set on the Cells that MindSpore puts around a network."""
    from mindspore.nn.wrap.cell_wrapper import _MicroBatch, _VirtualDatasetCell
    from mindspore.parallel._parallel_serialization import _get_param_list_when_first_dim_sharded

    net = _VirtualDatasetCell(nn.ReLU())
    assert net._virtual_dataset.add_prim_attr("repeat_dim_direct", "right").repeat_dim_direct == "right"
    x = Tensor(np.arange(8, dtype=np.float32).reshape(4, 2))
    assert net(x).asnumpy().tolist() == x.asnumpy().tolist()
    part = _MicroBatch(2)
    part.strided_slice.add_prim_attr("skip_redistribution", True)
    assert part(1, x)[0].asnumpy().tolist() == x.asnumpy()[2:].tolist()
    assert _get_param_list_when_first_dim_sharded([64, 8], 1, 19) == list(range(16, 24))


def test_where_strategies_of_a_search_are_kept():
    from mindspore.parallel import set_op_strategy_config

    for options, said in (
        ({"path": "x.json"}, "absolute"),
        ({"path": "/x.yaml"}, ".json"),
        ({"mode": "READ", "path": "/x.json"}, "'LOAD'"),
    ):
        with pytest.raises(KeyError, match=said):
            set_op_strategy_config(**options)


def test_a_parameter_lies_on_the_same_devices_for_all_operators():
    """Of four parts on eight devices: a product repeats them over its rows, which come first; ReLU behind them."""
    x = Tensor(np.ones((8, 8), np.float32))
    with pytest.raises(RuntimeError, match="other devices hold the same part"):
        TwoUses(((2, 2), (2, 2)), ((2, 2),))(x)
    assert TwoUses(((1, 2), (2, 2)), ((2, 2),))(x).shape == (8, 8)  # repeated behind, by both


def test_results_have_a_layout_each():
    layout = L("a", "b")
    norm = ops.LayerNorm(-1, -1).shard((L("a", "None"), L("None"), L("None")), (layout, layout))

    class Net(nn.Cell):
        def construct(self, x, scale, shift):
            return norm(x, scale, shift)[0]

    given = [Tensor(np.ones(shape, np.float32)) for shape in ((4, 4), (4,), (4,))]
    with pytest.raises(RuntimeError, match="2 strategies .* for 3 results"):
        Net()(*given)


class AddsRows(nn.Cell):
    """Weights with as many rows as the batch of all devices."""

    def __init__(self, strategy):
        super().__init__()
        self.add, self.weight = ops.Add().shard(strategy), Parameter(np.ones((32, 4), np.float32), name="w")

    def construct(self, x):
        return self.add(x, self.weight).mean()


def test_a_part_of_the_batch_is_repeated_for_devices_that_are_not_there():
    """MindSpore compiles a part of the batch as the batch of all devices; eight of them, here each with the same rows."""
    ms.set_auto_parallel_context(full_batch=False)
    x = Tensor(np.arange(16, dtype=np.float32).reshape(4, 4))
    net = AddsRows(((8, 1), (8, 1)))
    assert [float(net(x)) for _ in range(2)] == [8.5, 8.5]
    with pytest.raises(RuntimeError, match="can not be split"):
        _cell_graph_executor.compile(AddsRows(((1, 8), (1, 8))), x)
    _cell_graph_executor.compile(AddsRows(((8, 1), (8, 1))), x)
    ms.set_auto_parallel_context(full_batch=True)
    with pytest.raises(ValueError, match="broadcast"):
        AddsRows(((4, 1), (4, 1)))(x)


def test_dataset_strategies_say_what_part_a_process_has():
    ms.set_auto_parallel_context(dataset_strategy=((4, 2),))
    net = AddsRows(((4, 2), (4, 2)))
    assert float(net(Tensor(np.ones((8, 2), np.float32)))) == 2


class LogSum(nn.Cell):
    """A loss whose gradient a user wrote as MindFormers writes it: times the parts of the axis that it adds up."""

    def __init__(self, dp, mp, axis=-1):
        super().__init__()
        self.mul = ops.Mul().shard(((dp, mp), (dp, mp)))
        self.sum, self.parts, self.axis = ops.ReduceSum().shard(((dp, mp),)), mp, axis

    def construct(self, x, y):
        return self.sum(self.mul(x, y), self.axis)

    def bprop(self, x, y, out, dout):
        return y * ops.ExpandDims()(dout, self.axis) * self.parts, ops.ZerosLike()(y)


@pytest.mark.parametrize("dp, mp", [(1, 1), (4, 2), (2, 4), (8, 1)])
def test_a_gradient_of_a_users_own_counts_on_its_share(dp, mp):
    """As in MindSpore, where each of `mp` devices has a part of the gradient of what they all hold."""
    x = Tensor(np.arange(64, dtype=np.float32).reshape(8, 8))
    y = Tensor(np.linspace(0, 1, 64, dtype=np.float32).reshape(8, 8))
    loss = LogSum(dp, mp)
    found = ms.jit(ms.grad(lambda x: loss(x, y).mean()))(x)
    np.testing.assert_allclose(found.asnumpy(), y.asnumpy() / 8, rtol=1e-6)


def test_a_gradient_of_a_users_own_without_strategies_is_as_it_is():
    class Halved(nn.Cell):
        def construct(self, x):
            return x * 3

        def bprop(self, x, out, dout):
            return (dout / 2,)

    assert ms.jit(ms.grad(Halved()))(Tensor([2.0])).asnumpy().tolist() == [0.5]


def test_a_number_has_a_strategy_of_its_own():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.sub, self.mul = ops.Sub().shard(((), (4, 2))), ops.Mul().shard(((4, 2), ()))

        def construct(self, x):
            return self.mul(self.sub(1.0, x), 2.0)

    assert Net()(Tensor(np.full((8, 8), 3, np.float32))).asnumpy().tolist() == [[-4.0] * 8] * 8


class ExtendedSum(nn.Cell):
    """As `LogSum`, by an extended reduction with Layouts or with strategies."""

    def __init__(self, reduction, dp, mp, by_layouts, axis=-1):
        super().__init__()
        lay, self.axis, self.parts = Layout((dp, mp), ("dp", "mp")), axis, mp if axis in (-1, [1]) else dp * mp
        split = lay("dp", "mp") if by_layouts else (dp, mp)
        self.mul, self.sum = ops.Mul().shard((split, split)), reduction().shard((split,))

    def construct(self, x, y):
        return self.sum(self.mul(x, y), self.axis) if self.axis is not None else self.sum(self.mul(x, y))

    def bprop(self, x, y, out, dout):
        wide = dout if self.axis is None else ops.expand_dims(dout, -1)
        return y * wide * self.parts, ops.zeros_like(y)


@pytest.mark.parametrize("by_layouts", [False, True])
@pytest.mark.parametrize("dp, mp", [(4, 2), (2, 4)])
@pytest.mark.parametrize("name, axis", [("SumExt", -1), ("SumExt", [1]), ("SumExt", None), ("MeanExt", -1)])
def test_a_gradient_of_a_users_own_counts_on_its_share_of_extended_reductions(name, axis, dp, mp, by_layouts):
    x = Tensor(np.arange(64, dtype=np.float32).reshape(8, 8))
    y = Tensor(np.linspace(0, 1, 64, dtype=np.float32).reshape(8, 8))
    loss = ExtendedSum(getattr(generated, name), dp, mp, by_layouts, axis)
    found = ms.jit(ms.grad(lambda x: loss(x, y).sum()))(x)
    np.testing.assert_allclose(found.asnumpy(), y.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize(
    "indices, out", [(("dp", "None"), ("dp", "None", "None")), (("dp", "mp"), ("dp", "mp", "None"))]
)
def test_one_hot_ext_with_layouts(indices, out):
    """As MindFormers' routers count tokens: Layouts are of the indices, strategies of the result."""
    lay, ids = Layout((2, 4), ("dp", "mp")), Tensor(np.arange(32).reshape(8, 4) % 5, ms.int32)
    on, off = Tensor(1, ms.int32), Tensor(0, ms.int32)
    prim = generated.OneHotExt(-1).add_prim_attr("self_define_shard", True)
    prim.shard(in_strategy=(lay(*indices), lay(), lay()), out_strategy=(lay(*out),))
    found = ms.jit(lambda x: prim(x, 5, on, off))(ids)
    assert found.asnumpy().tolist() == np.eye(5, dtype=int)[ids.asnumpy()].tolist()


def test_counts_of_all_to_all():
    """In a group of one all stays, so the program may compute the counts; given ones are checked."""
    exchange, x = ops.AlltoAllV(), Tensor(np.arange(4, dtype=np.float32))
    computed = ms.jit(lambda x, n: exchange(x, n, n))(x, Tensor([4]))
    assert computed.asnumpy().tolist() == exchange(x, [4], [4]).asnumpy().tolist() == [0, 1, 2, 3]
    for send, receive in (([3, 1], [4]), ([3], [3]), ([5], [5])):
        with pytest.raises(ValueError, match="AlltoAllV"):
            exchange(x, send, receive)


@pytest.mark.parametrize("target", ["", "CPU", "GPU", "Ascend"])
def test_a_device_of_an_operator(target):
    assert ops.Gather().set_device(target).attrs["primitive_target"] == target


@pytest.mark.parametrize("target", ["PS", "cpu", None, 3])
def test_what_is_no_device_of_an_operator(target):
    """As MindSpore says it, however the attribute is set."""
    for give in (ops.Gather().set_device, lambda value: ops.Gather().add_prim_attr("primitive_target", value)):
        with pytest.raises(RuntimeError, match=f"must be CPU.GPU.Ascend but got {target}"):
            give(target)


def test_shard_needs_the_propagation_of_strategies():
    ms.set_auto_parallel_context(parallel_mode="auto_parallel", search_mode="recursive_programming")
    doubled = ms.jit(ms.shard(lambda x: x * 2, in_strategy=((4, 1),)))
    with pytest.raises(RuntimeError, match="'search_mode' must be 'sharding_propagation' for 'Shard'"):
        doubled(Tensor(np.ones((8, 8), np.float32)))
    ms.set_auto_parallel_context(search_mode="sharding_propagation")
    assert float(doubled(Tensor(np.ones((8, 8), np.float32)))[0, 0]) == 2


def test_shard_leaves_an_argument_to_the_compiler():
    product = ms.shard(lambda x, y: x * y, in_strategy=((4, 1), None), out_strategy=(None,))
    assert np.array_equal(product(Tensor(np.ones((8, 2))), Tensor([2.0, 3.0])).asnumpy(), [[2, 3]] * 8)


W = Layout((2, 2, 2), ("dp", "sp", "mp"))
BOTH = W(("dp", "sp"), "mp")
# [Layouts of the inputs, that of the result, shape of the second input, whether MindSpore compiles it]
MEETINGS = [
    ((BOTH, BOTH), None, (8, 8), True),
    ((BOTH, W("None", "mp")), None, (1, 8), True),
    ((BOTH, W("mp")), None, (8,), True),
    ((BOTH, W(("dp", "mp"), "sp")), None, (8, 8), False),
    ((BOTH, W("None")), None, (8,), False),
    ((BOTH, BOTH), (BOTH,), (8, 8), False),
]


@pytest.mark.parametrize("kind", [ops.Add, ops.Sub, ops.Mul, ops.Div, ops.RealDiv])
@pytest.mark.parametrize(
    "layouts, out, shape, fits", MEETINGS, ids=["alike", "repeated", "fewer axes", "turned", "whole", "of the result"]
)
def test_layouts_of_axes_that_meet(kind, layouts, out, shape, fits):
    """As `test_layout_extend_arithmetic.py` of MindSpore's own tests has it."""
    prim, x, y = kind().shard(layouts, out), Tensor(np.ones((8, 8), np.float32)), Tensor(np.ones(shape, np.float32))
    call = ms.jit(lambda x, y: prim(x, y))
    if fits:
        assert call(x, y).shape == (8, 8)
    else:
        with pytest.raises(RuntimeError, match="is wrong"):
            call(x, y)
