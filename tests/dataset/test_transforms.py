"""Transforms beyond what the goldens hold: both spellings, bad arguments, probabilities, use in a pipeline."""

import mindspore.dataset as ds
import mindspore.dataset.transforms as T
import numpy as np
import pytest
from mindspore.common import dtype as mstype
from rows_of_maps import in_a_map


@pytest.fixture(autouse=True)
def seed():
    ds.config.set_seed(1)
    yield
    ds.config.set_seed(5489)


def test_1x_names():
    import mindspore.dataset.transforms.c_transforms as C
    import mindspore.dataset.transforms.py_transforms as P

    assert C.TypeCast is T.TypeCast and C.OneHot is T.OneHot and P.Compose is T.Compose
    hot = P.OneHotOp(num_classes=3, smoothing_rate=0.3)(np.array([0, 2]))
    np.testing.assert_allclose(hot, [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]])
    with pytest.raises(ValueError, match="smaller than the category number:3"):
        P.OneHotOp(3)(np.array(3))
    with pytest.raises(ValueError, match="should be int"):
        P.OneHotOp(3)(np.array(1.0))


@pytest.mark.parametrize(
    "make,error,words",
    [
        (lambda: T.TypeCast(mstype.bfloat16), TypeError, "not a type that columns"),
        (lambda: T.Concatenate(1), ValueError, "must be 0 or -1"),
        (lambda: T.Concatenate(0, [1]), TypeError, "prepend"),
        (lambda: T.OneHot(2)(np.array(-1)), RuntimeError, "negative"),
        (lambda: T.PadEnd([2, 2])(np.zeros(3)), RuntimeError, "rank of input is: 1"),
        (lambda: T.RandomApply([]), ValueError, "at least 1 items"),
        (lambda: T.RandomChoice(abs), TypeError, "list"),
        (lambda: T.Compose([abs])(), RuntimeError, "no input"),
        (lambda: T.Plugin("lib.so", "add")(np.zeros(1)), RuntimeError, "C\\+\\+ headers"),
        (lambda: T.Duplicate()({1: 2}), TypeError, "cannot be converted into tensor"),
        (lambda: T.Duplicate()([[1], [1, 2]]), TypeError, "cannot be converted into tensor"),
        (lambda: T.transforms.PyTensorOperation()(1), NotImplementedError, "_execute_py"),
    ],
)
def test_errors(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_pad_end_keeps_axes_given_as_none():
    assert T.PadEnd([None, 4], 7)(np.ones((2, 3))).tolist() == [[1, 1, 1, 7]] * 2


# column, value: what MindSpore 2.10 pads with, through float32
PADS = [
    ("float64", 0.1, 0.10000000149011612),
    ("int64", 2**24 + 1, 2**24),
    ("int8", 2**24 + 1, 0),
    ("uint8", -1, 255),
    ("uint64", -1, 2**64 - 1),
    ("int32", 3.7, 3),
    ("S1", b"bc", b"bc"),
    ("U1", None, ""),
]


@pytest.mark.parametrize("kind, value, padded", PADS)
def test_what_pads(kind, value, padded):
    column = np.array([1]).astype(kind)
    assert T.PadEnd([2], value)(column).tolist() == [column[0], padded]
    data = ds.GeneratorDataset([(column,)], ["x"]).padded_batch(1, pad_info={"x": ([2], value)})
    assert next(data.create_tuple_iterator(output_numpy=True))[0].tolist() == [[column[0], padded]]


@pytest.mark.parametrize("column, value", [("a", 3), ("a", b"b"), (b"a", "b"), (1, "b")])
def test_text_and_numbers_do_not_pad_each_other(column, value):
    with pytest.raises(RuntimeError, match="can not pad numeric and string tensors together"):
        T.PadEnd([2], value)(np.array([column]))
    data = ds.GeneratorDataset([(np.array([column]),)], ["x"]).padded_batch(1, pad_info={"x": ([2], value)})
    with pytest.raises(RuntimeError, match="can not pad numeric and string tensors together"):
        next(data.create_tuple_iterator(output_numpy=True))


# column, constant, which of 0, 1, 2, 3, 200 equal it, which are greater, in MindSpore 2.10
MASKS = [
    ("int32", 2.5, [2], [3, 200]),
    ("uint8", 300, [], [200]),
    ("uint16", -1, [], []),
    ("int8", 0.1, [0], [1, 2, 3]),
    ("bool", 7, [1, 2, 3, 200], []),
    ("float32", 2.5, [], [3, 200]),
]


@pytest.mark.parametrize("kind, constant, equal, greater", MASKS)
def test_a_mask_compares_in_the_type_of_the_column(kind, constant, equal, greater):
    numbers = np.array([0, 1, 2, 3, 200])
    for operator, chosen in ((T.Relational.EQ, equal), (T.Relational.GT, greater)):
        assert numbers[T.Mask(operator, constant)(numbers.astype(kind))].tolist() == chosen


def test_tensors_go_in():
    import mindspore as ms

    assert T.TypeCast(np.int32)(ms.Tensor([1.5, 2.5])).tolist() == [1, 2]


def test_random_apply_has_its_probability():
    draws = in_a_map(T.RandomApply([lambda x: x + 1], 0.3), 4000, np.array(0))
    assert abs(np.mean(draws) - 0.3) < 0.03


def test_random_choice_is_even_and_random_order_takes_all_orders():
    choice = T.RandomChoice([lambda x, i=i: np.array(i) for i in range(4)])
    counts = np.bincount(in_a_map(choice, 4000, np.array(0)))
    assert counts.min() > 850
    order = T.RandomOrder([lambda x, i=i: x * 10 + i for i in (1, 2, 3)])
    assert {int(order(np.array(0))) for _ in range(200)} == {123, 132, 213, 231, 312, 321}


def test_seed_repeats_eager_randomness():
    def draws():
        ds.config.set_seed(9)
        return [int(T.RandomChoice([lambda x: np.array(0), lambda x: np.array(1)])(np.array(0))) for _ in range(30)]

    assert draws() == draws()


def test_compose_in_a_pipeline_is_run_flat():
    inner = T.Compose([T.TypeCast("float32"), T.Compose([lambda x: x * 2])])
    data = ds.NumpySlicesDataset([1, 2, 3], "x", shuffle=False).map([inner, T.Duplicate()], "x", ["a", "b"])
    assert [[float(v) for v in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [
        [2, 2],
        [4, 4],
        [6, 6],
    ]
    assert len(T.Compose.decompose([inner, inner])) == 4


def test_own_python_operation():
    class Double(T.transforms.PyTensorOperation):
        def _execute_py(self, x):
            return x * 2

    class Triple(T.transforms.PyTensorOperation):
        def __call__(self, x):
            return x * 3

    data = ds.NumpySlicesDataset([1, 2], "x", shuffle=False).map([Double(), Triple()], "x")
    assert [int(row[0]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [6, 12]


def test_not_random_marks():
    @T.not_random
    def same(x):
        return x

    assert same.random is False


def test_operations_as_json():
    chain = T.Compose(
        [
            T.OneHot(3, 0.1),
            T.PadEnd([4], 2),
            T.Slice(slice(0, 2), [0]),
            T.TypeCast(np.float16),
            T.Mask(T.Relational.LT, 3, mstype.int32),
            T.Concatenate(prepend=np.array([1, 2])),
        ]
    )
    again = T.Compose.from_json(chain.to_json())
    assert again.to_json() == chain.to_json() and len(again.transforms) == 6
    assert again.transforms[4].operator is T.Relational.LT and again.transforms[4].dtype == mstype.int32
