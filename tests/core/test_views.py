"""Views: what MindSpore 2.10 gives where a Tensor and a part of it share their content (PYNATIVE_MODE), or do not (compiled)."""

import mindspore as ms
import pytest
from mindspore import Parameter, Tensor, mint, nn, ops
from mindspore import numpy as mnp


def chained(x):
    x[0][1] = 5.0
    return x


def chained_in_place(x):
    x[0] += 1.0
    x[1][2] += 3
    return x


def row(x):
    v = x[0]
    v[1] = 5.0
    return x


def read_later(x):
    v = x[0]
    x[0] = 5.0
    return v


def new_object(x):
    v = x[0]
    v += 1.0
    return x


def iterated(x):
    for v in x:
        v[0] = 7.0
    return x


def of_a_view(x):
    v = x[0]
    w = v[1:]
    w[0] = 9.0
    return x, v


def column(x):
    v = x[..., 1]
    v[0] = 5.0
    return x


def both_ways(x):
    v = x[0]
    x[0, 0] = 3.0
    v[1] = 4.0
    return x, v


def by_positions(x):
    v = x[Tensor([0])]
    v[0] = 5.0
    return x


def reshaped(x):
    v = x.reshape((3, 2))
    v[0] = 5.0
    return x


def turned(x):
    v = x.T
    v[0] = 5.0
    return x


def part(x):
    v = mint.split(x, 1)[0]
    v[0, 0] = 5.0
    return x


def turned_and_reshaped(x):
    v, w = x.T.reshape(6), x.T.reshape((3, 1, 2))  # the first is a copy, the second is not
    v[0] = 5.0
    w[2] = 9.0
    return x


def split_across(x):
    v = ops.hsplit(x, 3)[1]
    v[1] = 5.0
    return x


def replaced_whole(x):
    v = x[0]
    x[...] = 5.0  # a new memory, the view keeps the old one
    return x, v


def written_whole(x):
    v = x[0]
    x[:] = 5.0
    return x, v


def copied(x):
    v = x.copy()
    v[0] = 5.0
    return x


def all_of_a_row(x):
    v = x[0]
    v[...] = 5.0
    x[0, 1] = 7.0  # in the memory that x keeps
    return x, v


def all_of_a_reshape(x):
    v = x.reshape((3, 2))
    v[...] = 5.0
    return x, v


def written_where_looked_up(x):
    v, w = x[0], x.reshape(-1)
    x[Tensor([0, 1])] = 5.0
    v[0] = 7.0  # an item still writes to its parent
    w[5] = 9.0
    return x, v, w


def masked(x):
    v = x[1]
    v[v > 1] = 5.0
    x[x > 1] = 6.0
    return x, v


def looked_up_and_reshaped(x):
    v = x[[0, 1]].reshape(-1)
    v[0] = 5.0
    return x


def looked_up_and_chained(x):
    v = x[0]
    x[[0, 1]][0] = 5.0  # x gets a new memory
    x[0, 1] = 6.0
    return x, v


def replaced_twice(x):
    v = x[0]
    x[[0, 1]] = 5.0
    v[[0]] = 7.0
    v[1] = 8.0
    return x, v


def flattened(x):
    v, w = x.flatten(), ops.flatten(x)
    v[4] = 5.0
    x[0] = 6.0
    return x, v, w[0]


def flattened_by_mint(x):
    v = mint.flatten(x)
    v[4] = 5.0
    return x, x.T.flatten()


def of_the_same_type(x):
    v = x.astype(ms.float32)
    v[0] = 5.0
    w = ops.cast(x[1], ms.float32)
    w[0] = 6.0
    x[1].float()[1] = 7.0  # of a part it is a copy
    return x, v


def stopped(x):
    v = ops.stop_gradient(x)
    v[0, 1] = 5.0
    return x


def repeated(x):
    v = x[:1].broadcast_to((2, 3))
    v[1, 0] = 5.0
    x[0, 2] = 6.0
    return x, v


def strided(x):
    x[::3, :2][None, ::2] = 5.0
    return x


def two_levels(x):
    v = x[0:2]
    v[0][1] = 5.0
    return x, v


def three_levels(x):
    x = x[None]
    v = x[0]
    x[0][0][1] = 5.0
    v[0, 2] = 6.0
    return x


def looked_up_of_the_same_type(x):
    v = x[[0, 1]]
    w = v.astype(ms.float32)
    w[0] = 5.0  # what was looked up is no part: it is given itself
    v.float()[1, 0] = 6.0
    return x, v, w


def item_with_its_own_memory(x):
    v, w = x.reshape(-1), x[...]
    w[...] = 5.0  # w has a memory of its own, and is then assigned to x
    v[0] = 6.0
    return x, v


def item_in_the_same_memory(x):
    v = x.reshape(-1)
    x[...][0] = 5.0
    x[None][0, 1] = 6.0
    v[5] = 7.0
    return x, v


def nothing_written(x):
    v = x.reshape(-1)
    x[[0], :0] = 5.0
    v[0] = 6.0
    return x


def given_itself(x):
    v = ops.swapaxes(ops.atleast_2d(ops.cast(mnp.asarray(x)[...], ms.float32)[:, 0:]), 1, -1)
    v[...] = 5.0  # a new memory, which is that of x, too
    x[0, 1] = 6.0
    return x, v, ops.dropout(x[0].T, 0.5, False)


def exchanged_by_mint(x):
    v = mint.transpose(x, 0, 0)  # not x itself
    v[...] = 6.0
    return x, v


def with_a_new_axis(x):
    v, w = x[None], x[None]
    v[0, 0] = 5.0
    w[...] = 6.0  # an item of None is not assigned to its place
    return x, v, w


def twins(x):
    v = x[[0, 1]]
    w = v.astype(ms.float32)
    u = w[1]
    w[...] = 5.0
    v[0, 1] = 6.0
    u[0] = 7.0  # in the old memory, and as an item of w
    return x, v, w, u


def twins_of_a_parameter(x):
    v, w = x.float(), x[0]
    v[...] = 5.0
    w[0] = 6.0
    x[...] = x + 1.0
    return x, v, w


ONES = [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]
# (function, results in PYNATIVE_MODE, results under ms.jit), as MindSpore gives them
CASES = [
    (chained, [[[1.0, 5.0, 1.0], [2.0, 2.0, 2.0]]], [[[1.0, 5.0, 1.0], [2.0, 2.0, 2.0]]]),
    (chained_in_place, [[[2.0, 2.0, 2.0], [2.0, 2.0, 5.0]]], [[[2.0, 2.0, 2.0], [2.0, 2.0, 5.0]]]),
    (row, [[[1.0, 5.0, 1.0], [2.0, 2.0, 2.0]]], [ONES]),
    (read_later, [[5.0, 5.0, 5.0]], [[1.0, 1.0, 1.0]]),
    (new_object, [ONES], [ONES]),
    (iterated, [[[7.0, 1.0, 1.0], [7.0, 2.0, 2.0]]], [ONES]),
    (of_a_view, [[[1.0, 9.0, 1.0], [2.0, 2.0, 2.0]], [1.0, 9.0, 1.0]], [ONES, [1.0, 1.0, 1.0]]),
    (column, [[[1.0, 5.0, 1.0], [2.0, 2.0, 2.0]]], [ONES]),
    (
        both_ways,
        [[[3.0, 4.0, 1.0], [2.0, 2.0, 2.0]], [3.0, 4.0, 1.0]],
        [[[3.0, 1.0, 1.0], [2.0, 2.0, 2.0]], [1.0, 4.0, 1.0]],
    ),
    (by_positions, [[[5.0, 5.0, 5.0], [2.0, 2.0, 2.0]]], [ONES]),
    (reshaped, [[[5.0, 5.0, 1.0], [2.0, 2.0, 2.0]]], [ONES]),
    (turned, [[[5.0, 1.0, 1.0], [5.0, 2.0, 2.0]]], [ONES]),
    (part, [[[5.0, 1.0, 1.0], [2.0, 2.0, 2.0]]], [ONES]),
    (turned_and_reshaped, [[[1.0, 1.0, 9.0], [2.0, 2.0, 9.0]]], [ONES]),
    (split_across, [[[1.0, 1.0, 1.0], [2.0, 5.0, 2.0]]], [ONES]),
    (replaced_whole, [[[5.0] * 3] * 2, [1.0] * 3], [[[5.0] * 3] * 2, [1.0] * 3]),
    (written_whole, [[[5.0] * 3] * 2, [5.0] * 3], [[[5.0] * 3] * 2, [1.0] * 3]),
    (copied, [ONES], [ONES]),
    (
        all_of_a_row,
        [[[5.0, 7.0, 5.0], [2.0, 2.0, 2.0]], [5.0, 5.0, 5.0]],
        [[[1.0, 7.0, 1.0], [2.0, 2.0, 2.0]], [5.0, 5.0, 5.0]],
    ),
    (
        all_of_a_reshape,
        [[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]], [[5.0, 5.0], [5.0, 5.0], [5.0, 5.0]]],
        [[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]], [[5.0, 5.0], [5.0, 5.0], [5.0, 5.0]]],
    ),
    (
        masked,
        [[[1.0, 1.0, 1.0], [6.0, 6.0, 6.0]], [5.0, 5.0, 5.0]],
        [[[1.0, 1.0, 1.0], [6.0, 6.0, 6.0]], [5.0, 5.0, 5.0]],
    ),
    (looked_up_and_reshaped, [[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]], [[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]]),
    (
        replaced_twice,
        [[[7.0, 8.0, 1.0], [5.0, 5.0, 5.0]], [7.0, 8.0, 1.0]],
        [[[5.0, 5.0, 5.0], [5.0, 5.0, 5.0]], [7.0, 8.0, 1.0]],
    ),
    (
        looked_up_and_chained,
        [[[5.0, 6.0, 5.0], [2.0, 2.0, 2.0]], [1.0, 1.0, 1.0]],
        [[[5.0, 6.0, 5.0], [2.0, 2.0, 2.0]], [1.0, 1.0, 1.0]],
    ),
    (
        flattened,
        [[[6.0, 6.0, 6.0], [2.0, 5.0, 2.0]], [6.0, 6.0, 6.0, 2.0, 5.0, 2.0], [1.0, 1.0, 1.0]],
        [[[6.0, 6.0, 6.0], [2.0, 2.0, 2.0]], [1.0, 1.0, 1.0, 2.0, 5.0, 2.0], [1.0, 1.0, 1.0]],
    ),
    (
        flattened_by_mint,
        [[[1.0, 1.0, 1.0], [2.0, 5.0, 2.0]], [1.0, 2.0, 1.0, 5.0, 1.0, 2.0]],
        [[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]], [1.0, 2.0, 1.0, 2.0, 1.0, 2.0]],
    ),
    (
        of_the_same_type,
        [[[5.0, 5.0, 5.0], [6.0, 2.0, 2.0]], [[5.0, 5.0, 5.0], [6.0, 2.0, 2.0]]],
        [[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]], [[5.0, 5.0, 5.0], [2.0, 2.0, 2.0]]],
    ),
    (stopped, [[[1.0, 5.0, 1.0], [2.0, 2.0, 2.0]]], [[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]]),
    (
        repeated,
        [[[5.0, 1.0, 6.0], [2.0, 2.0, 2.0]], [[5.0, 1.0, 6.0], [5.0, 1.0, 6.0]]],
        [[[1.0, 1.0, 6.0], [2.0, 2.0, 2.0]], [[1.0, 1.0, 1.0], [5.0, 1.0, 1.0]]],
    ),
    (strided, [[[5.0, 5.0, 1.0], [2.0, 2.0, 2.0]]], [[[5.0, 5.0, 1.0], [2.0, 2.0, 2.0]]]),
    (
        two_levels,
        [[[1.0, 5.0, 1.0], [2.0, 2.0, 2.0]], [[1.0, 5.0, 1.0], [2.0, 2.0, 2.0]]],
        [[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]], [[1.0, 5.0, 1.0], [2.0, 2.0, 2.0]]],
    ),
    (
        written_where_looked_up,
        [[[7.0, 1.0, 1.0], [5.0, 5.0, 5.0]], [7.0, 1.0, 1.0], [7.0, 1.0, 1.0, 2.0, 2.0, 9.0]],
        [[[5.0, 5.0, 5.0], [5.0, 5.0, 5.0]], [7.0, 1.0, 1.0], [1.0, 1.0, 1.0, 2.0, 2.0, 9.0]],
    ),
    (three_levels, [[[[1.0, 5.0, 6.0], [2.0, 2.0, 2.0]]]], [[[[1.0, 5.0, 1.0], [2.0, 2.0, 2.0]]]]),
    (
        looked_up_of_the_same_type,
        [ONES, [[5.0] * 3, [6.0, 2.0, 2.0]], [[5.0] * 3, [6.0, 2.0, 2.0]]],
        [ONES, ONES, [[5.0] * 3, [2.0] * 3]],
    ),
    (
        item_with_its_own_memory,
        [[[5.0] * 3] * 2, [6.0, 1.0, 1.0, 2.0, 2.0, 2.0]],
        [ONES, [6.0, 1.0, 1.0, 2.0, 2.0, 2.0]],
    ),
    (
        item_in_the_same_memory,
        [[[5.0] * 3, [6.0, 6.0, 7.0]], [5.0, 5.0, 5.0, 6.0, 6.0, 7.0]],
        [[[5.0] * 3, [6.0] * 3], [1.0, 1.0, 1.0, 2.0, 2.0, 7.0]],
    ),
    (nothing_written, [[[6.0, 1.0, 1.0], [2.0, 2.0, 2.0]]], [ONES]),
    (
        given_itself,
        [[[5.0, 6.0, 5.0], [5.0] * 3], [[5.0, 6.0, 5.0], [5.0] * 3], [5.0, 6.0, 5.0]],
        [[[1.0, 6.0, 1.0], [2.0] * 3], [[5.0] * 3] * 2, [1.0, 6.0, 1.0]],
    ),
    (exchanged_by_mint, [ONES, [[6.0] * 3] * 2], [ONES, [[6.0] * 3] * 2]),
    (
        with_a_new_axis,
        [[[5.0] * 3, [2.0] * 3], [[[5.0] * 3, [2.0] * 3]], [[[6.0] * 3] * 2]],
        [ONES, [[[5.0] * 3, [2.0] * 3]], [[[6.0] * 3] * 2]],
    ),
    (
        twins,
        [[[5.0, 6.0, 5.0], [5.0] * 3], *[[[5.0, 6.0, 5.0], [7.0, 2.0, 2.0]]] * 2, [7.0, 2.0, 2.0]],
        [ONES, [[1.0, 6.0, 1.0], [2.0] * 3], [[5.0] * 3] * 2, [7.0, 2.0, 2.0]],
    ),
    (
        twins_of_a_parameter,
        [*[[[7.0, 2.0, 2.0], [6.0] * 3]] * 2, [6.0, 1.0, 1.0]],
        [[[2.0] * 3, [3.0] * 3], [[5.0] * 3] * 2, [6.0, 1.0, 1.0]],
    ),
]


def contents(found):
    return [t.asnumpy().tolist() for t in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("function, eager, compiled", CASES, ids=[c[0].__name__ for c in CASES])
def test_views(function, eager, compiled):
    assert contents(function(Tensor(ONES))) == eager
    assert contents(function(Parameter(Tensor(ONES), name="p"))) == eager
    assert contents(ms.jit(function)(Tensor(ONES))) == compiled


def test_layout():
    """Steps, first element and contiguity of views, as MindSpore tells them."""
    x = Tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    parts = (x, x.T, x[:, 1], x[1], x[:, :2], x.T.T, x.T.reshape(6), x.T[1:], x.diagonal(), x[:, 1:].reshape(2, 2, 1))
    told = [(p.stride(), p.storage_offset(), p.is_contiguous()) for p in parts]
    assert told == [
        ([3, 1], 0, True),
        ([1, 3], 0, False),
        ([3], 1, False),
        ([1], 3, True),
        ([3, 1], 0, False),
        ([3, 1], 0, True),
        ([1], 0, True),
        ([1, 3], 1, False),
        ([4], 0, False),
        ([3, 1, 1], 1, False),
    ]
    copy = x.T.contiguous()
    copy[0] = 9.0
    assert x.asnumpy()[0, 0] == 0.0 and copy.is_contiguous()
    assert x.contiguous() is x


def test_code_that_falls_back_copies_as_compiled_code_does():
    @ms.jit
    def swap(x):
        first = x[0]
        x[0] = x[1]
        x[1] = first
        if float(x.sum()) > 0:  # needs a value
            x = x * 1
        return x

    with pytest.warns(RuntimeWarning, match="runs eagerly"):
        assert contents(swap(Tensor(ONES))) == [[[2.0, 2.0, 2.0], [1.0, 1.0, 1.0]]]


def test_gradient_goes_around_what_was_written():
    weights = Tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    grad = ms.grad(lambda x: (row(x * 1) * weights).sum())(Tensor(ONES))
    assert contents(grad) == [[[0.0, 0.0, 2.0], [3.0, 4.0, 5.0]]]
    grad = ms.grad(lambda x, s: (_placed(x * 1, s) * weights).sum(), 1)(Tensor(ONES), Tensor(2.0))
    assert contents(grad) == [1.0]


def _placed(x, value):
    x[0][1] = value
    return x


def test_assign_reaches_views_of_a_parameter():
    p = Parameter(Tensor(ONES), name="p")
    v = p[0]
    ops.assign(p, Tensor([[7.0, 7.0, 7.0], [1.0, 1.0, 1.0]]))
    assert contents(v) == [[7.0, 7.0, 7.0]]


def test_chains_of_slices_end():
    """`x = x[1:]` in a loop keeps few of the Tensors that were."""
    x = Tensor([float(i) for i in range(30)])
    first = x
    for _ in range(20):
        x = x[1:]
    x[0] = 100.0
    assert first[20].asnumpy() == 20.0
    assert x.shape == (10,)


def test_vjp_runs_its_function_once():
    calls = []
    w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")

    def f(a):
        calls.append(1)
        ops.assign_add(w, a)
        return (w * a).sum()

    value, pull = ms.vjp(f, Tensor([1.0, 1.0, 1.0]))
    assert (value.asnumpy(), len(calls)) == (9.0, 1)
    assert contents(pull(Tensor(1.0))) == [[2.0, 3.0, 4.0]]
    assert len(calls) == 1
    assert contents(w) == [[2.0, 3.0, 4.0]]


def test_a_mask_without_a_true_element():
    x = Tensor([1.0, 2.0])
    x[x > 5] = x[x > 5] * 2
    assert contents(x) == [[1.0, 2.0]]


def test_the_gradient_of_a_repeated_row_goes_to_what_was_written():
    grad = ms.grad(lambda x, s: (_repeated(x * 1, s) * Tensor(ONES)).sum(), (0, 1))(Tensor(ONES), Tensor(3.0))
    assert contents(grad) == [[[0.0, 3.0, 1.0], [2.0, 2.0, 2.0]], 2.0]


def _repeated(x, value):
    v = x[:1].broadcast_to((2, 3))
    v[1, 0] = value
    v[0, 1] = v[0, 1] * value
    return x


@pytest.mark.parametrize(
    ("statement", "through"),
    [
        ("x[0][1] = v", True),
        ("x[0][1 if v else 2] = v", True),
        ("x[0][1] += v", True),
        ("x[0][1:2] = v", True),
        ("x[0:1][0] = v", True),
        ("box.x[0][1] = v", True),
        ("y = x[0]; y[1] = v", False),
        ("same(x[0])[1] = v", False),
        ("x[same(0)] = v", True),
    ],
)
def test_what_writes_through_in_compiled_code_is_seen_without_its_source(statement, through):
    """As in code that `exec` runs, or that came without its file."""
    names = {"same": lambda x: x}
    exec(f"def f(x, v):\n    box = Box(x)\n    {statement}\n    return x", names | {"Box": _Box}, names)
    names["f"].__globals__.update(names)
    before = Tensor(ONES)
    assert (contents(ms.jit(names["f"])(before, 7.0)) != contents(Tensor(ONES))) is through


class _Box:
    def __init__(self, x):
        self.x = x


def test_methods_in_place_do_not_assign_a_part_to_its_place():
    """MindSpore assigns `v` to `x[0]` where v is written by an index; a method writes to memory alone, which x has left."""
    x = Tensor(ONES, ms.float32)
    v, looked_up = x[0], x[[1]]
    x[[0]] = 4.0
    v.add_(2.0)
    looked_up.fill_(9.0)
    assert x.asnumpy().tolist() == [[4.0, 4.0, 4.0], [2.0, 2.0, 2.0]]
    assert v.asnumpy().tolist() == [3.0, 3.0, 3.0]
    v[1] = 7.0
    assert x.asnumpy().tolist() == [[3.0, 7.0, 3.0], [2.0, 2.0, 2.0]]


@pytest.mark.parametrize("select", [ops.masked_select, mint.masked_select, Tensor.masked_select])
def test_what_masked_select_gives_is_no_part(select):
    x = Tensor([0.0, 1.0, 2.0])
    taken = select(x, x > 0)
    taken[:1] += 10
    assert x.asnumpy().tolist() == [0, 1, 2] and taken.asnumpy().tolist() == [11, 2]


@pytest.mark.parametrize(
    "flat", ("ops.flatten(x, start_dim={})", "x.flatten({})", "x.flatten('C', start_dim={})", "nn.Flatten({})(x)")
)
@pytest.mark.parametrize("start", (0, 1, 2, -1))
def test_flattened_is_a_part_but_for_all_axes_after_the_first(flat, start):
    """Those as one axis are a Primitive of MindSpore, whose result is new; the others are reshapes."""
    x = Tensor([[[5.0, 5.0]]])
    taken = eval(flat.format(start), {"ops": ops, "nn": nn, "x": x})
    x[0, 0, 0] = 2.0
    assert (taken.asnumpy().reshape(-1)[0] == 5.0) == (start == 1)
