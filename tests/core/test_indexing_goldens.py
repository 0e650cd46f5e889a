"""Reading and writing with every form of index, against MindSpore.

Where MindSpore raises, msjax may raise too or give NumPy's answer; where its CPU build is wrong, NumPy's answer counts.
"""

import cases_indexing as cases
import golden_files
import numpy as np
import pytest
from mindspore import Tensor

GOLDEN = golden_files.read("indexing")
NUMPY = {"get | (3, 4) | ::2, ::-1": "the build forgets the negative step"}
ERRORS = ("IndexError", "TypeError", "ValueError", "RuntimeError")


def numpy_answer(case):
    """[dtype, shape, values] that NumPy gives, or None when it raises."""
    x, names = cases.make(case[0])
    names = {k: v.asnumpy() if isinstance(v, Tensor) else v for k, v in names.items()}
    names["Tensor"] = lambda value, *dtype: np.array(value)
    try:
        if len(case) == 2:
            found = eval(f"X[{case[1]}]".replace(".asnumpy()", ""), names)
        else:
            exec(f"X[{case[1]}] = {case[2]}", names)
            found = names["X"]
        return ["Float32", list(np.shape(found)), np.asarray(found).reshape(-1).tolist()]
    except Exception:
        return None


@pytest.mark.parametrize("case", cases.MASKED, ids=" | ".join)
def test_masked(case):
    want, found = GOLDEN["masked"][" | ".join(case)], cases.write_masked(*case)
    if want == found:
        return
    mode, mask, value = case
    if mode == "pynative":  # many values by a mask of another shape: MindSpore writes zeros besides, or drops them
        assert found == ["!ValueError"] if mask in ("column", "row", "one", "too long") else want == ["!ValueError"]
    else:  # a row for each True row, as in PYNATIVE_MODE
        assert want == ["!ValueError"] and found == cases.write_masked("pynative", mask, value)


def test_an_array_of_another_length_than_the_mask_takes():
    x = Tensor([0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="3 True elements, but got 2 values"):
        x[Tensor([True, True, True])] = np.array([1.0, 2.0], np.float32)
    assert x.asnumpy().tolist() == [0, 1, 2]


@pytest.mark.parametrize("shape, index", cases.REFUSED)
def test_refused(shape, index):
    assert cases.read(shape, index)[0] == GOLDEN["refused"][index]


@pytest.mark.parametrize("case", cases.GETS + cases.SETS, ids=" | ".join)
def test_index(case):
    part, function = ("get", cases.read) if len(case) == 2 else ("set", cases.write)
    want = GOLDEN[part][" | ".join(case)]
    found = function(*case)
    if f"{part} | {' | '.join(case)}" in NUMPY:
        assert found == numpy_answer(case)
    elif want[0].startswith("!"):
        assert found[0][1:] in ERRORS or found == numpy_answer(case), f"{found}, MindSpore {want}"
    else:
        assert found == want
