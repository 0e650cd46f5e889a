"""`msjax conformance`: examples are read from a wheel, run and compared; here a wheel of three small modules."""

import json
import sys
import zipfile

import pytest

from msjax.cli import conformance, documented, example_worker

RELU = '''
class ReLU(Cell):
    """Rectifier.

    Examples:
        >>> import mindspore as ms
        >>> print(ms.nn.ReLU()(Tensor([-1.0, 2.0])))
        [0. 2.]
    """
'''
ADD = '''
def add(input, other):
    """Sum.

    Examples:
        >>> print(Tensor([1.0]) + 1)
        [3.]
    """

def sub_ext(input, other):
    """Difference.

    Examples:
        >>> Tensor([1.0]).nothing
        1
    """
'''


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "mindspore-2.10.0-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mindspore/nn/layer/activation.py", RELU)
        archive.writestr("mindspore/ops/function/math_func.py", ADD)
        archive.writestr("mindspore/mint/__init__.py", "from mindspore.ops.function.math_func import sub_ext as sub\n")
    return path


def test_read(wheel, tmp_path):
    found = {e.id: e for e in documented.examples(wheel)}
    assert {"mindspore.nn.ReLU", "mindspore.ops.add", "mindspore.mint.sub"} <= set(found)
    assert found["mindspore.nn.ReLU"].statements[1][1] == "[0. 2.]\n"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    assert documented.examples(tmp_path / "installed") == documented.examples(wheel)
    with pytest.raises(FileNotFoundError):
        documented.examples(tmp_path / "installed" / "mindspore" / "nn")


def test_run(wheel, tmp_path, capsys):
    page, kept = tmp_path / "page.md", tmp_path / "kept"
    command = [
        "--wheel",
        str(wheel),
        "--all",
        "--markdown",
        str(page),
        "--keep",
        str(kept),
        "--json",
        "--at-least",
        "90",
    ]
    assert conformance.main(command) == 1
    results = json.loads(capsys.readouterr().out)["results"]
    statuses = {name: result["status"] for name, result in results.items()}
    assert statuses["mindspore.nn.ReLU"] == "pass" and statuses["mindspore.ops.add"] == "wrong"
    assert (
        statuses["mindspore.mint.sub"] == "error"
        and "has no attribute 'nothing'" in results["mindspore.mint.sub"]["got"]
    )
    assert "| mindspore.nn | 1 | 1 | 0 | 0 | 0 |" in page.read_text()
    assert conformance.run([], python=sys.executable) == {} and len(conformance._kept(str(kept))) == len(results)


@pytest.mark.parametrize("want, got, same", [
    ("[[1. 2.]\n [3. 4.]]", "[[1.0 2.0]\n [3.0 4.0]]", True), ("[1 2]", "[1, 2]", True), ("(1, 2)", "[1 2]", False),
    ("[0.1234]", "[0.12341]", True), ("[0.1234]", "[0.13]", False), ("1000", "1001", False), ("nan", "nan", True),
    ("[1. 2. ... 9.]", "[1. 2. 3. 4. 9.]", True), ("[1. ... 9.]", "[1. 2. 8.]", False), ("...", "anything", True),
    ("3.0", "np.float32(3.0)", True), ("1e-5", "9e-5", False), ("int64", "int32", False), ("-1", "1", False),
    ("Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])",
     "Tensor(shape=[2], dtype=Float32, value=[1., 2.])", True), ("True", "np.True_", False), ("'a'", '"a"', True),
])  # fmt: skip
def test_same_output(want, got, same):
    assert example_worker.same_output(want, got) is same


def test_list_of_reproduced():
    names = conformance.reproduced()
    assert len(names) > 1000 and "mindspore.nn.ReLU" in names
