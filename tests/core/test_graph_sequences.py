"""What ranges, zips, maps and views of dicts are in a compiled function: tuples, as in MindSpore's graphs, and Python's own elsewhere."""

import itertools

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, ops

X = Tensor(np.arange(6, dtype=np.float32).reshape(1, 2, 3))

# Each as MindSpore 2.10 prints it in GRAPH_MODE.
CASES = [
    (lambda x: range(3) + (4,), "(0, 1, 2, 4)"),
    (lambda x: range(2) * 2, "(0, 1, 0, 1)"),
    (lambda x: isinstance(range(3), tuple), "True"),
    (lambda x: range(3) == (0, 1, 2), "True"),
    (lambda x: str(range(3)), "(0, 1, 2)"),
    (lambda x: Tensor(range(3)), "[0 1 2]"),
    (lambda x: ops.tuple_to_array(range(3)), "[0 1 2]"),
    (lambda x: x.transpose(range(2, -1, -1)).shape, "(3, 2, 1)"),
    (lambda x: x.reshape(range(1, 4)).shape, "(1, 2, 3)"),
    (lambda x: x.sum(range(2)), "[3. 5. 7.]"),
    (lambda x: x[range(1)].shape, "(2, 3)"),
    (lambda x: zip((1, 2), (3, 4))[0], "(1, 3)"),
    (lambda x: zip((1,), (2,)) + ((3, 4),), "((1, 2), (3, 4))"),
    (lambda x: len(enumerate((5, 6))), "2"),
    (lambda x: enumerate((5, 6))[1], "(1, 6)"),
    (lambda x: map(lambda a: a + 1, (1, 2))[0], "2"),
    (lambda x: map(lambda a: a + 1, [1, 2]) + [3], "[2, 3, 3]"),
    (lambda x: isinstance(map(lambda a: a, (1,)), tuple), "True"),
    (lambda x: filter(lambda a: a > 1, (1, 2, 3)), "[2, 3]"),
    (lambda x: {"a": 1}.keys() + ("c",), "('a', 'c')"),
    (lambda x: {"a": 1, "b": 2}.values() + (4,), "(1, 2, 4)"),
    (lambda x: {"a": 1, "b": 2}.items()[0], "('a', 1)"),
    (lambda x: {"a": 1, "b": 2}.items(), "[('a', 1), ('b', 2)]"),
    (lambda x: {"a": 1}.items() + [3], "[('a', 1), 3]"),
    (lambda x: ({"a": x}.has_key("a"), {"a": x}.has_key("b")), "(True, False)"),
    (lambda x: [None, True, 1, 1.0].count(1), "1"),  # constants of another kind are others
    (lambda x: (1, True, 1).count(True), "1"),
    (lambda x: [[1], [True]].count([1]), "1"),
    (lambda x: (True, 1).index(1), "1"),
    (lambda x: [1, 2, 1].index(1, 1), "2"),
    (lambda x: [Tensor(1), Tensor(2)].count(2), "0"),
    (lambda x: [Tensor([1]), Tensor([2])].count(Tensor([1.0])), "0"),
    (lambda x: ["a", {"k": 1}, 20, Tensor([1, 3]), Tensor([1, 2])].index(Tensor([1, 2])), "4"),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_sequences_of_a_graph(number):
    function, printed = CASES[number]
    assert str(ms.jit(function)(X)) == printed


def test_what_may_have_no_end_stays_lazy():
    assert ms.jit(lambda x: [i for i, _ in zip(itertools.count(), range(3))])(X) == [0, 1, 2]


def test_python_keeps_its_ranges():
    assert ops.tuple_to_array(range(3)).asnumpy().tolist() == [0, 1, 2]
    with pytest.raises(TypeError):
        X.reshape(range(1, 4))
