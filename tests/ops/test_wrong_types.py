"""Arguments of types that a Tensor method does not take: TypeError in MindSpore 2.10, which looks at the types before anything else."""

import mindspore as ms
import mindspore.numpy as mnp
import numpy as np
import pytest
from mindspore import Parameter, Tensor, mint, nn, ops
from mindspore.common.api import _no_recursive

OTHER = object()
CALLS = [
    ("addmm", ("T", OTHER)),
    ("addr", ("T", "a")),
    ("bincount", ("a",)),
    ("bmm", (["a"],)),
    ("broadcast_to", ()),
    ("cholesky", ("a",)),
    ("cholesky_solve", (OTHER,)),
    ("dot", (["a"],)),
    ("flip", ()),
    ("gather_nd", (OTHER,)),
    ("histc", ("T", "a")),
    ("logical_and", (OTHER,)),
    ("masked_scatter", ("T", ["a"])),
    ("matmul", (OTHER,)),
    ("outer", ("a",)),
    ("scatter_add", ("T", "a")),
    ("svd", (["a"],)),
    ("tile", ()),
]


@pytest.mark.parametrize("name, given", CALLS, ids=[c[0] for c in CALLS])
def test_type_error(name, given):
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    with pytest.raises(TypeError):
        getattr(x, name)(*(x if isinstance(a, str) and a == "T" else a for a in given))


LISTS = {"AddN": ops.AddN(), "addn": ops.addn, "IdentityN": ops.IdentityN(), "Meshgrid": ops.Meshgrid()}


@pytest.mark.parametrize("call", LISTS.values(), ids=LISTS)
def test_one_tensor_is_no_list_of_tensors(call):
    """Its rows are not taken for the Tensors of a list."""
    with pytest.raises(TypeError, match="must be a (list or )?tuple of Tensors"):
        call(Tensor([[1.0], [2.0]]))


MEANS = {"Tensor": Tensor.mean, "ops": ops.mean, "Primitive": ops.ReduceMean(), "mint": mint.mean, "numpy": mnp.mean}


@pytest.mark.parametrize("mean", [*MEANS.values(), mnp.average], ids=[*MEANS, "average"])
def test_bools_have_no_mean(mean):
    """The mean of their dtype would be True or False."""
    right = Tensor([[True, False], [True, True]])
    with pytest.raises(RuntimeError, match="cast it"):
        mean(right)
    assert mean(right.astype(ms.float32)).asnumpy() == 0.75


def test_rows_of_a_gradient_that_do_not_fit():
    """The gradient of some rows holds a row for each index; the indices are a Tensor. No text of JAX is in the errors."""
    state = [Parameter(Tensor(np.ones((3, 2), np.float32)), name=n) for n in "abc"]
    rates = [Tensor(v, ms.float32) for v in (0.9, 0.99, 0.01, 0.9, 0.99, 1e-8)]
    rows, places = np.ones((2, 2), np.float32), Tensor([0, 1], ms.int32)
    for grad in (rows[0], rows[:1], np.float32(1)):
        with pytest.raises(ValueError, match="the shape of 'grad' must be"):
            ops.FusedSparseAdam()(*state, *rates, Tensor(grad), places)
        with pytest.raises(ValueError, match="the shape of 'grad' must be"):  # rates may be numbers
            ops.FusedSparseAdam()(*state, *(rate.item() for rate in rates), Tensor(grad), places)
    with pytest.raises(TypeError, match="the type of 'indices' must be a Tensor, but got list\n"):
        ops.FusedSparseAdam()(*state, *rates, Tensor(rows), [0, 1])
    assert state[0].asnumpy().tolist() == [[1, 1]] * 3


def test_inputs_of_jvp_and_vjp():
    x = Tensor(np.ones((2, 2), np.float32))
    for given in (1, 1.0, None, np.ones(2)):
        for inputs, v in ((given, given), (x, given), (given, x)):
            with pytest.raises(TypeError):
                ms.jvp(lambda x: x * x, inputs, v)
        with pytest.raises(TypeError):
            ms.vjp(lambda x: x * x, given)


def test_the_cotangent_of_vjp_is_nested_as_the_output():
    x = Tensor(np.ones((2, 2), np.float32))
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert nn.Vjp(nn.ReLU())(x, x)[1].shape == (2, 2)
        for v in ((x,), (x, x), [x]):
            with pytest.raises(TypeError, match="Type Join Failed"):
                nn.Vjp(nn.ReLU())(x, v)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_list_where_an_operator_takes_a_tensor():
    state = [Parameter(Tensor(np.ones((3, 2), np.float32)), name=n) for n in "abc"]
    rates = [Tensor(v, ms.float32) for v in (0.9, 0.99, 0.01, 0.9, 0.99, 1e-8)]
    rows, places = Tensor(np.ones((2, 2), np.float32)), Tensor([0, 1], ms.int32)
    with pytest.raises(TypeError, match="but got list"):
        ops.FusedSparseAdam()(*state, *rates, rows, [places, places])
    with pytest.raises(ValueError):
        ops.FusedSparseAdam()(*state, *rates, Tensor(3.0, ms.float32), places)


def test_mark_of_what_is_not_recursive():
    def function(x):
        return x * 2

    assert _no_recursive(function) is function and _no_recursive(ms.nn.Dense) is ms.nn.Dense
    for given in (ms.nn.Dense(1, 1), 1, int):
        with pytest.raises(TypeError):
            _no_recursive(given)


def test_numbers_of_segments():
    """A Tensor of one number counts for sums, as in MindSpore 2.10."""
    x, ids = Tensor(np.ones((3, 2), np.float32)), Tensor([0, 1, 0], ms.int32)
    for count in (Tensor([2]), Tensor(2), Tensor([2], ms.int32)):
        assert ops.unsorted_segment_sum(x, ids, count).asnumpy().tolist() == [[2, 2], [1, 1]]
    for call in (ops.UnsortedSegmentSum(), ops.UnsortedSegmentMin(), ops.UnsortedSegmentProd()):
        for count, error in ((0, ValueError), (-1, ValueError), (True, TypeError), (2.5, TypeError), (None, TypeError)):
            with pytest.raises(error):
                call(x, ids, count)


def test_sixths_are_rounded_once():
    """Recorded: the last bit of these four."""
    x = Tensor(np.array([-1, -2, 2, 1], np.float32))
    swish, sigmoid = ops.HSwish()(x).asnumpy(), ops.HSigmoid()(x).asnumpy()
    assert swish.tolist() == np.array([-0.33333334, -0.33333334, 1.6666666, 0.6666667], np.float32).tolist()
    assert sigmoid.tolist() == (np.array([2, 1, 5, 4], np.float32) / np.float32(6)).tolist()


class Writing(nn.Cell):
    """An operator that writes a Parameter, with a value in the place of what it is given."""

    def __init__(self, operator, value):
        super().__init__()
        self.operator, self.value = operator, value
        self.p = Parameter(Tensor(np.ones(3, np.float32)), name="p")
        self.state = Parameter(Tensor(np.ones(3, np.float32)), name="state")
        self.places = Tensor(np.array([0, 2, 1], np.int32))
        self.rows = Tensor(np.array([[0], [2], [1]], np.int32))
        self.delta = Tensor(np.ones(3, np.float32))

    def construct(self):
        p, value, operator = self.p, self.value, self.operator
        if operator == "Assign":
            ops.Assign()(p, value)
        elif operator == "AssignAdd":
            ops.AssignAdd()(p, value)
        elif operator == "assign_sub":
            ops.assign_sub(p, value)
        elif operator == "ScatterAdd":
            ops.ScatterAdd()(p, self.places, value)
        elif operator == "ScatterNdUpdate":
            ops.ScatterNdUpdate()(p, self.rows, value)
        elif operator == "ApplyMomentum":
            ops.ApplyMomentum()(p, self.state, 0.1, value, 0.9)
        elif operator == "ApplyGradientDescent":
            ops.ApplyGradientDescent()(p, value, self.delta)
        else:
            ops.InplaceAdd((0, 1, 2))(p, value)
        return p


WRITERS = (
    *("Assign", "AssignAdd", "assign_sub", "ScatterAdd", "ScatterNdUpdate", "ApplyMomentum"),
    *("ApplyGradientDescent", "InplaceAdd"),
)
NO_TENSORS = {"tuple": (1.0, 2.0, 3.0), "list": [1.0, 2.0, 3.0], "Tensors": (Tensor(1.0), Tensor(2.0), Tensor(3.0)), "text": "a", "none": None}  # fmt: skip
OTHER_TENSORS = {
    "wider": (Tensor(np.ones(3)), TypeError),
    "more axes": (Tensor(np.ones((1, 3), np.float32)), ValueError),
    "shorter": (Tensor(np.ones(2, np.float32)), ValueError),
    "one": (Tensor(np.ones(1, np.float32)), ValueError),
}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("operator", WRITERS)
def test_what_is_written_is_a_tensor_that_fits(operator, mode):
    """MindSpore looks at the types before an operator runs, in both modes, and no Parameter gets another shape."""
    ms.set_context(mode=mode)
    given = {name: (value, TypeError) for name, value in NO_TENSORS.items()}
    for name, (value, error) in (given | OTHER_TENSORS).items():
        if operator == "ApplyGradientDescent":  # the value is a rate: one number, of any width
            error = {"wider": ValueError, "one": None}.get(name, error)
        net = Writing(operator, value)
        if error is None:
            net()
            continue
        with pytest.raises(error):
            net()
        assert net.p.asnumpy().tolist() == [1, 1, 1], (operator, name)
    if operator.startswith(("assign", "Assign", "Scatter")):
        with pytest.raises(ValueError, match="shape"):  # a number is a Tensor without axes
            Writing(operator, 2)()


REDUCED = {
    "Tensor.max": lambda x, v: x.max(axis=0, initial=v),
    "Tensor.min, by position": lambda x, v: x.min(0, True, initial=v),
    "Tensor.max, index": lambda x, v: x.max(axis=0, initial=v, return_indices=True),
    "Tensor.sum": lambda x, v: x.sum(0, None, False, initial=v),
    "ops.max": lambda x, v: ops.max(x, 0, True, initial=v),
    "numpy.max": lambda x, v: mnp.max(x, 0, initial=v),
    "numpy.amin": lambda x, v: mnp.amin(x, 0, initial=v),
    "numpy.sum": lambda x, v: mnp.sum(x, 0, initial=v),
}


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("reduce", REDUCED.values(), ids=REDUCED)
def test_initial_is_a_number(reduce, mode):
    ms.set_context(mode=mode)
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    net = nn.Cell()
    for value in ([1], (1,), np.ones(1, np.float32), Tensor([2.0]), 1j, "a"):
        net.construct = lambda x, value=value: reduce(x, value)
        with pytest.raises(TypeError):
            net(x)
    for value in (2, 2.0, True):
        net.construct = lambda x, value=value: reduce(x, value)
        net(x)


def test_initial_of_amax_has_one_element():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert ops.amax(x, 1, initial=Tensor([2.5])).asnumpy().tolist() == [2.5, 4]
    assert x.amin(1, initial=Tensor(2.5)).asnumpy().tolist() == [1, 2.5]
    with pytest.raises(ValueError, match="one element"):
        ops.amax(x, 1, initial=Tensor([2.5, 3.5]))


def test_a_tensor_names_what_it_can_not_hold():
    with pytest.raises(TypeError, match=r"that contain unsupported element\. Its rows have unequal lengths"):
        Tensor([[3], [4, 5]])
    for held, kind in ((np.zeros(2, [("name", "<U10"), ("value", "<i4")]), "void"), (np.array([None]), "object_")):
        with pytest.raises(TypeError, match=f"by numpy array failed.*<class 'numpy.{kind}'>"):
            Tensor(held)


FLOATS_ONLY = (
    "ops.cdist(x, x)",
    "ops.pdist(x)",
    "ops.avg_pool2d(x.reshape(1, 1, 2, 2), 2)",
    "ops.batch_norm(x, x[0], x[0] + x[0], x[0], x[0])",
    "ops.group_norm(x, 2)",
    "ops.lerp(x, x, 0.5)",
    "ops.gelu(x)",
)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
@pytest.mark.parametrize("call", FLOATS_ONLY)
def test_operators_of_floats_refuse_integers(call, dtype):
    """MindSpore 2.10 refuses them; distances and means of integers were integers, cut off."""
    x = Tensor([[1, 2], [3, 4]], getattr(ms, dtype))
    with pytest.raises(TypeError):
        eval(call, {"ops": ops, "x": x})
    assert eval(call, {"ops": ops, "x": x.astype(ms.float32)}).dtype == ms.float32


NORMS_AND_SIZES = {
    "BatchNorm1d": (nn.BatchNorm1d(3), (2, 3)),
    "BatchNorm2d in evaluation": (nn.BatchNorm2d(3).set_train(False), (2, 3, 2, 2)),
    "LayerNorm": (nn.LayerNorm((3,)), (2, 3)),
    "InstanceNorm2d": (nn.InstanceNorm2d(3), (2, 3, 2, 2)),
    "rms_norm": (lambda x: ops.rms_norm(x, Tensor([1.0, 1.0, 1.0])), (2, 3)),
    "lrn": (ops.lrn, (1, 3, 2, 2)),
    "geqrf": (ops.geqrf, (3, 3)),
    "area": (lambda x: ops.interpolate(x, size=(2, 2), mode="area"), (1, 1, 3, 4)),
    "bilinear": (lambda x: ops.interpolate(x, size=(2, 2), mode="bilinear"), (1, 1, 3, 4)),
    "ResizeBicubic": (lambda x: ops.ResizeBicubic()(x, (2, 2)), (1, 1, 3, 4)),
    "UpsampleTrilinear3D": (lambda x: ops.UpsampleTrilinear3D()(x, (2, 2, 2), None), (1, 1, 3, 4, 4)),
}


@pytest.mark.parametrize("call, shape", NORMS_AND_SIZES.values(), ids=NORMS_AND_SIZES)
def test_results_that_whole_numbers_cannot_hold(call, shape):
    """In the dtype of the input they would all be rounded: TypeError, as in MindSpore."""
    with pytest.raises(TypeError, match="must be"):
        call(Tensor(np.arange(np.prod(shape)).reshape(shape), ms.int32))


def test_batch_norm_takes_no_float64():
    with pytest.raises(TypeError, match="float32"):
        nn.BatchNorm1d(3)(Tensor(np.ones((2, 3)), ms.float64))
    with pytest.raises(TypeError, match="of one type"):
        ops.clip_by_norm([Tensor([1.0]), Tensor([1])], 1.0)


def test_clip_by_norm_of_a_list_gives_a_tuple():
    assert type(ops.clip_by_norm([Tensor([3.0, 4.0])], 1.0)) is tuple


REFUSED = {
    "prelu: a weight each for no channels": (lambda: ops.prelu(Tensor([1.0, -2.0]), Tensor([0.1, 0.2])), ValueError),
    "prelu: a weight without axes": (lambda: ops.prelu(Tensor([1.0, -2.0]), Tensor(0.1)), ValueError),
    "SoftShrink of -1": (lambda: nn.SoftShrink(-1.0)(Tensor([1.0])), RuntimeError),
    "TripletMarginLoss of one axis": (lambda: nn.TripletMarginLoss()(*[Tensor([1.0])] * 3), ValueError),
}


@pytest.mark.parametrize("call, kind", REFUSED.values(), ids=REFUSED)
def test_refused_as_in_mindspore(call, kind):
    with pytest.raises(kind, match="must"):
        call()


def test_slopes_of_rrelu_may_be_steep():
    assert 3 <= -float(ops.rrelu(Tensor([-1.0]), 3.0, 4.0)) <= 4


@pytest.mark.parametrize("like", [ops.rand_like, ops.randn_like, mint.rand_like, mint.randn_like])
def test_numbers_are_like_a_tensor_only(like):
    with pytest.raises(TypeError, match="'input' must be a Tensor, but got list"):
        like([1.0])


def test_numbers_like_a_tensor_of_another_kind():
    with pytest.raises(ValueError, match="'dtype' must be a float type, but got Int32"):
        ops.rand_like(Tensor([1, 2], ms.int32))
    with pytest.raises(ValueError, match="'dtype' must be an int type, but got Float32"):
        ops.randint_like(Tensor([1.0]), 0, 5)
