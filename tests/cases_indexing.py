"""Reading and writing with every form of index. Each case is [shape, index]; `SET` adds what is written."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

A = "(4,)"
B = "(3, 4)"
D = "(2, 3, 4)"
E = "(2, 1, 3, 2)"
INDICES = {
    A: [
        "0",
        "-1",
        "3",
        "4",
        "-5",
        ":",
        "1:",
        ":2",
        "::2",
        "::-1",
        "2::-1",
        "-2:",
        "1:1",
        "3:1",
        "10:",
        ":-1",
        "...",
        "None",
        "True",
        "False",
        "()",
        "(1,)",
        "[0, 2]",
        "[0, -1, 0]",
        "[True, False, True, False]",
        "Tensor(1)",
        "Tensor([0, 2])",
        "Tensor([[0, 1], [2, 3]])",
        "Tensor([0, -1], ms.int32)",
        "Tensor([True, False, True, False])",
        "Tensor(True)",
        "np.array([0, 2])",
        "np.array([True, False, True, True])",
        "np.int64(2)",
        "1.5",
        "'a'",
        "[]",
        "Tensor([], ms.int64)",
        "Tensor([4])",
        "[4]",
        "Tensor([True, False])",
        "slice(Tensor(1), Tensor(3))",
        "slice(None, None, 0)",
        "1:3:2",
        "range(2)",
        "[1.5]",
        "0, 0",
        "Tensor([1.0])",
        "[[0, 1]]",
    ],
    B: [
        "0",
        "-1",
        "0, 1",
        "0, -1",
        "3",
        "0, 4",
        ":",
        ":, 1",
        "1, :",
        "..., 1",
        "1, ...",
        "..., 1:3",
        "1:, :2",
        "::2, ::-1",
        "::-1",
        "None",
        "None, 0",
        "0, None",
        ":, None",
        "..., None",
        "None, ..., None",
        "(0, 1)",
        "[0, 1]",
        "([0, 1], [1, 2])",
        "[0, 1], 1",
        "[0, 1], 1:3",
        "1, [0, 2]",
        ":, [0, 2]",
        ":, [0, -1, 0]",
        "..., [0, 2]",
        "[[0, 1], [1, 2]]",
        "([[0, 1], [1, 2]], [[0, 0], [3, 3]])",
        "[0, 1], None, [1, 2]",
        "Tensor([0, 2])",
        "Tensor([0, 2]), 1",
        "Tensor([0, 2]), Tensor([1, 3])",
        "Tensor([[0], [2]]), Tensor([1, 3])",
        ":, Tensor([0, 2])",
        "Tensor(1)",
        "Tensor(1), 2",
        "Tensor(1), :2",
        "Tensor([True, False, True])",
        "[True, False, True]",
        ":, [True, False, True, False]",
        "Tensor([True, False, True]), 1",
        "MASK",
        "MASK.asnumpy()",
        "[True, False, True], [0, 1]",
        "X > 0",
        "True",
        "None, True",
        "0, 0, 0",
        "0, 'a'",
        "..., ...",
        "1:2, 0:0",
        "np.array([0, 2]), np.array([1, 3])",
        "(slice(None), 1)",
        "1:, [0, 1]",
        "[0, 2], ...",
        "..., [0, 1], [1, 2]",
        "Tensor([0, 5])",
        "-1:-3:-1",
        "np.newaxis, 1",
    ],
    D: [
        "0",
        "0, 1",
        "0, 1, 2",
        ":, 1",
        "..., 0",
        "0, ..., 0",
        "1, ..., ::2",
        ":, None, :, 1",
        "::-1, 1:, ::2",
        "[0, 1]",
        "[0, 1], [1, 2]",
        "[0, 1], :, [1, 2]",
        ":, [0, 2]",
        ":, [0, 2], [1, 3]",
        "0, [0, 2]",
        "0, :, [0, 2]",
        "[0, 1], 1, [2, 3]",
        ":, :, [1, 0, 3]",
        "[0, 1], ..., 1",
        "..., [0, 1]",
        "Tensor([[0, 1], [1, 0]])",
        "Tensor([0, 1]), 1:",
        "Tensor([0, 1]), :, Tensor([1, 2])",
        "None, [0, 1], None",
        "MASK3",
        "Tensor([True, False])",
        ":, Tensor([True, False, True])",
        "Tensor([True, False]), :, 0",
        "0, MASK34",
        "MASK23",
        "1:, [0, 1], None, ::2",
        "..., None, 0",
        "0, None, 1, None, 2",
        "[[0, 1], [1, 0]], 0",
    ],
    E: [
        "0, 0",
        "..., 0, :",
        ":, 0",
        ":, :, 1",
        "1, ..., None",
        "[0, 1], 0, [1, 2]",
        "..., [1, 0]",
        ":, 0, [0, 2], :",
        "::-1, :, ::-1, ::-1",
    ],
}
SET = {
    A: [
        ("0", "9"),
        ("-1", "9.5"),
        ("1:3", "7"),
        ("1:3", "[7, 8]"),
        ("::2", "Tensor([7., 8.])"),
        ("::-1", "Tensor([1., 2., 3., 4.])"),
        (":", "0"),
        ("...", "5"),
        ("[0, 2]", "Tensor([7., 8.])"),
        ("[0, 2]", "9"),
        ("[0, 0]", "Tensor([7., 8.])"),
        ("Tensor([0, 2])", "9"),
        ("Tensor([True, False, True, False])", "9"),
        ("[True, False, True, False]", "Tensor([7., 8.])"),
        ("X > 0", "0.0"),
        ("X > 0", "X"),
        ("4", "1"),
        ("None", "3"),
        ("True", "3"),
        ("1:3", "Tensor([1., 2., 3.])"),
        ("1:3", "(7, 8)"),
        ("1:3", "(7.5, Tensor(8.0, ms.float32))"),
        ("[0, 2]", "[Tensor(8.0, ms.float32), 7]"),
        ("Tensor([0, 2])", "[True, Tensor(8.0, ms.float32)]"),
        ("1:3", "[Tensor([1.0, 2.0], ms.float32), 7]"),
        ("1:3", "(Tensor(8, ms.int32), 7)"),
        ("0", "Tensor([1.])"),
        ("0", "Tensor(1)"),
        ("0", "True"),
        ("1:3", "np.array([7., 8.])"),
        ("0", "'a'"),
        ("'a'", "1"),
        ("1:1", "5"),
        ("np.array([1, 2])", "4"),
        ("1.5", "1"),
        ("Tensor(1)", "6"),
        ("[]", "1"),
        ("-5", "1"),
        ("0", "None"),
        ("::2", "Tensor([7, 8], ms.int32)"),
    ],
    B: [
        ("0", "9"),
        ("0", "Tensor([1., 2., 3., 4.])"),
        ("0", "[1, 2, 3, 4]"),
        ("0, 1", "9"),
        (":, 1", "9"),
        (":, 1", "Tensor([1., 2., 3.])"),
        ("1, :", "Tensor(5.)"),
        ("..., 0", "1.5"),
        ("1:, :2", "Tensor([[1., 2.], [3., 4.]])"),
        ("1:, :2", "Tensor([1., 2.])"),
        ("::2, ::-1", "7"),
        ("[0, 2]", "9"),
        ("[0, 2]", "Tensor([1., 2., 3., 4.])"),
        ("[0, 2], 1", "Tensor([1., 2.])"),
        ("[0, 2], [1, 3]", "9"),
        ("[0, 2], [1, 3]", "Tensor([5., 6.])"),
        (":, [0, 2]", "9"),
        (":, [0, 2]", "Tensor([5., 6.])"),
        ("MASK", "9"),
        ("MASK", "Tensor(9.)"),
        ("Tensor([True, False, True])", "8"),
        ("Tensor([True, False, True]), 1", "8"),
        ("Tensor([0, 2])", "Tensor([[1.], [2.]])"),
        ("Tensor([0, 2]), Tensor([1, 3])", "Tensor([1., 2.])"),
        ("None, 0", "3"),
        ("0, None", "3"),
        (":, None", "3"),
        ("..., None", "4"),
        ("1, ...", "Tensor([1., 2., 3., 4.])"),
        ("3", "1"),
        ("0, 4", "1"),
        ("0", "Tensor([1., 2., 3.])"),
        ("0, 0, 0", "1"),
        ("Tensor(1), 2", "6"),
        ("Tensor(1)", "6"),
        ("1, [0, 2]", "Tensor([5., 6.])"),
        ("([0, 1], [1, 1])", "X[0, :2]"),
        ("1", "X[2]"),
        (":, ::2", "X[:, 1::2]"),
        ("0:0", "1"),
        ("..., 1:3", "Tensor([[1., 2.]])"),
        (":", "X * 2"),
        ("1:3", "[[1, 2, 3, 4], [5, 6, 7, 8]]"),
        ("MASK", "Tensor([1., 2., 3., 4., 5., 6.])"),
    ],
    D: [
        ("0", "1"),
        ("0, 1, 2", "9"),
        (":, 1", "Tensor([1., 2., 3., 4.])"),
        ("..., 0", "Tensor([1., 2., 3.])"),
        ("0, ..., 0", "7"),
        ("[0, 1], [1, 2]", "5"),
        ("[0, 1], :, [1, 2]", "5"),
        ("[0, 1], :, [1, 2]", "Tensor([[1., 2., 3.], [4., 5., 6.]])"),
        (":, [0, 2]", "Tensor(3.)"),
        ("0, [0, 2]", "Tensor([[1.], [2.]])"),
        ("1, :, ::2", "8"),
        ("MASK3", "0"),
        ("MASK23", "4"),
        ("Tensor([[0, 1], [1, 0]])", "2"),
        ("0, MASK34", "6"),
        ("None, 0", "1"),
        ("..., None, 0", "2"),
        ("::-1, 1:, ::2", "Tensor([1., 2.])"),
        (":, 0, [0, 2]", "Tensor([[1., 2.], [3., 4.]])"),
    ],
}


# Reading with these is refused: what counts is the type of the exception.
REFUSED = """
False | (False,) | (0, False) | (None, False) | (True, False) | [] | ([],) | (0, []) | [False] * 3 | (0, [False] * 4) | range(0)
np.zeros(3, bool) | [0, 3] | [-4] | [[0, 3]] | ([0], [4]) | (slice(None), [4]) | (..., [-5]) | ([0, 3], slice(None)) | [True, 3]
range(2, 5) | (range(4),) | np.array([0, 3]) | np.array([-4]) | 1.5 | (1.5,) | (0, 1.5) | [1.5] | 'a' | (0, 'a') | {} | (0,) * 3
"""
REFUSED = [(B, index.strip()) for line in REFUSED.split("\n") for index in line.split("|") if index.strip()]


def make(shape):
    """The Tensor that is indexed, and the names that expressions use."""
    shape = eval(shape)
    count = int(np.prod(shape))
    x = Tensor((np.arange(count).reshape(shape) - count // 2).astype(np.float32))
    masks = {
        name: Tensor((np.arange(int(np.prod(s))).reshape(s) % 2).astype(bool))
        for name, s in {"MASK": (3, 4), "MASK3": (2, 3, 4), "MASK34": (3, 4), "MASK23": (2, 3)}.items()
    }
    return x, {"Tensor": Tensor, "ms": ms, "np": np, "X": x, **masks}


def plain(tensor):
    return [str(tensor.dtype), list(tensor.shape), tensor.asnumpy().reshape(-1).tolist()]


def read(shape, index):
    """x[index] as [dtype, shape, values], or the exception."""
    x, names = make(shape)
    try:
        return plain(eval(f"X[{index}]", names))
    except Exception as error:
        return ["!" + type(error).__name__, str(error).strip().split("\n")[0][:160]]


def write(shape, index, value):
    """What x is after x[index] = value."""
    x, names = make(shape)
    try:
        exec(f"X[{index}] = {value}", names)
        return plain(names["X"])
    except Exception as error:
        return ["!" + type(error).__name__, str(error).strip().split("\n")[0][:160]]


# x[mask] = value: compiled code chooses where PYNATIVE_MODE counts the True elements
MASKS = {
    "of x": [[True, False, True], [False, True, False]],
    "of rows": [True, False],
    "column": [[True], [False]],
    "row": [[True, False, True]],
    "one": [True],
    "none": [[False] * 3] * 2,
    "too long": [True, False, True],
    "too wide": [[True, False, True, False]] * 2,
    "too deep": [[[True]] * 3] * 2,
}
MASK_VALUES = {
    "number": 7.0,
    "0-d": Tensor(7.0),
    "1": Tensor([7.0]),
    "2": Tensor([8.0, 9.0]),
    "3": Tensor([7.0, 8.0, 9.0]),
    "4": Tensor([7.0, 8.0, 9.0, 10.0]),
    "1x3": Tensor([[7.0, 8.0, 9.0]]),
    "2x1": Tensor([[8.0], [9.0]]),
    "2x3": Tensor([[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]),
    "ints": Tensor([[1, 2, 3], [4, 5, 6]]),
}
MASKED = [(mode, mask, value) for mode in ("graph", "pynative") for mask in MASKS for value in MASK_VALUES]


class Masked(nn.Cell):
    def construct(self, x, mask, value):
        y = x * 1
        y[mask] = value
        return y


def write_masked(mode, mask, value):
    """What x of shape (2, 3) is after x[mask] = value, or the exception's type."""
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    try:
        return plain(Masked()(x, Tensor(np.array(MASKS[mask])), MASK_VALUES[value]))
    except Exception as error:
        return ["!" + type(error).__name__]


GETS = [(shape, index) for shape, indices in INDICES.items() for index in indices]
SETS = [(shape, index, value) for shape, pairs in SET.items() for index, value in pairs]
