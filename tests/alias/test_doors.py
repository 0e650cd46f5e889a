"""Doors into msjax: processes that a script starts, pytest, IPython; the old names of NumPy; whose frames errors show."""

import os
import pathlib
import re
import subprocess
import sys
import textwrap

import numpy
import pytest

import msjax
from msjax.alias import children, old_names, old_numpy, tracebacks

ROOT = pathlib.Path(msjax.__file__).parents[1]


def run(folder, *command, **variables):
    """The outcome of a command in another folder, with no alias inherited from this process."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("MSJAX", "PYTHONPATH", "PYTEST"))}
    environment = {**clean, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_processes_of_a_script_inherit_the_alias(tmp_path):
    (tmp_path / "child.py").write_text("import numpy as np, mindspore\nprint(mindspore.__name__, np.float_(2))\n")
    (tmp_path / "parent.py").write_text(
        textwrap.dedent("""
        import subprocess, sys
        import numpy as np
        print(np.int, np.product([2, 3]))
        for command in (["child.py"], ["-c", "import sys; print('msjax' in sys.modules)"]):
            print(subprocess.run([sys.executable, *command], capture_output=True, text=True).stdout.strip())
        """)
    )
    done = run(tmp_path, sys.executable, "-m", "msjax", "parent.py")
    assert done.stdout.splitlines() == ["<class 'int'> 6", "mindspore 2.0", "False"], done.stderr
    assert done.stderr.count("np.int (today: int) is not in NumPy") == 1 == done.stderr.count("is not in NumPy")


def test_the_environment_of_children_comes_and_goes(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.delenv("MSJAX_PREFIX", raising=False)
    monkeypatch.delenv("MSJAX", raising=False)
    children.inherit()
    children.inherit()
    startup, other = os.environ["PYTHONPATH"].split(os.pathsep)
    assert other == "elsewhere" and (pathlib.Path(startup) / "sitecustomize.py").exists()
    assert os.environ["MSJAX_PREFIX"] == sys.prefix and "MSJAX" not in os.environ
    children.leave()
    assert os.environ["PYTHONPATH"] == "elsewhere" and "MSJAX_PREFIX" not in os.environ


STARTUP = str(ROOT / "msjax" / "alias" / "startup")
ASKS = "import sys; print([type(f).__name__ for f in sys.meta_path if type(f).__name__ == 'FirstImport'], 'also' in sys.argv)"


def test_another_installation_is_left_alone(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.argv.append('also')\n")
    paths = os.pathsep.join([STARTUP, str(tmp_path)])
    for prefix, expected in ((sys.prefix, "['FirstImport'] "), ("/elsewhere", "[] ")):
        done = run(tmp_path, sys.executable, "-c", ASKS, PYTHONPATH=paths, MSJAX_PREFIX=prefix)
        assert done.stdout.startswith(expected), done.stderr


def test_autostart(tmp_path, monkeypatch):
    monkeypatch.setattr(children, "autostart_file", lambda: tmp_path / "msjax_autostart.pth")
    line = children.write_autostart().read_text()
    for value, expected in (("1", "['FirstImport'] False"), ("0", "[] False")):
        done = run(tmp_path, sys.executable, "-S", "-c", f"exec({line!r}); {ASKS}", MSJAX=value)
        assert done.stdout.strip() == expected, done.stderr


def test_autostart_of_an_msjax_that_is_gone_is_silent(tmp_path, monkeypatch):
    monkeypatch.setattr(children, "autostart_file", lambda: tmp_path / "msjax_autostart.pth")
    monkeypatch.setattr(children, "__file__", str(tmp_path / "gone" / "children.py"))
    line = children.write_autostart().read_text()
    done = run(tmp_path, sys.executable, "-S", "-c", f"exec({line!r}); print('starts')", MSJAX="1")
    assert (done.stdout.strip(), done.stderr) == ("starts", "")


# --- names of NumPy 1
@pytest.fixture
def numpy_of_a_script(monkeypatch):
    """NumPy with its old names, taken away again afterwards."""
    monkeypatch.setattr(numpy, "__getattr__", getattr(numpy.__getattr__, "before", numpy.__getattr__))
    before = set(vars(numpy))
    with numpy.printoptions():
        old_names.give_back()
        yield numpy
    for name in (set(vars(numpy)) - before) & old_numpy.NAMES:
        delattr(numpy, name)


@pytest.mark.parametrize("name", sorted(old_numpy.NAMES))
def test_old_name(name, numpy_of_a_script, recwarn):
    assert getattr(numpy_of_a_script, name) is not None
    assert not recwarn.list


@pytest.mark.filterwarnings("ignore:.*(in1d|trapz).*:DeprecationWarning")  # NumPy 2.3 itself has them still
def test_old_names_do_what_they_did(numpy_of_a_script, capsys):
    np = numpy_of_a_script
    assert (np.int, np.float, np.bool, np.object) == (int, float, np.bool_, object)
    assert (np.float_, np.complex_, np.unicode_) == (np.float64, np.complex128, np.str_)
    assert np.in1d([1, 4], [1, 2]).tolist() == [True, False] and np.in1d([[1], [4]], [1]).tolist() == [True, False]
    assert np.asfarray([1, 2]).dtype == np.float64 and np.asfarray([1], np.float32).dtype == np.float32
    assert np.asscalar(np.array([3])) == 3 and np.alen(np.zeros((4, 2))) == 4 and np.NINF == -np.inf
    assert np.cast["float32"]([1]).dtype == np.float32 and np.msort(np.array([2, 1])).tolist() == [1, 2]
    assert np.find_common_type([np.float32], [np.int64]) == np.float32
    assert np.find_common_type([np.int32], [np.float32]) == np.float32
    assert np.issubsctype(np.float32, np.floating) and np.obj2sctype(np.zeros(1, np.int8)) is np.int8
    assert np.trapz([1.0, 2.0, 3.0]) == 4.0 and np.math.sqrt(4) == 2
    assert capsys.readouterr().err.count("not in NumPy") == 1
    with pytest.raises(AttributeError, match="no attribute 'flaot'"):
        np.flaot


def test_numbers_print_as_they_did(numpy_of_a_script):
    np = numpy_of_a_script
    assert str([np.float32(1.5), np.int64(3), np.bool_(True), np.str_("a")]) == "[1.5, 3, True, 'a']"
    assert (
        repr(np.float32(0.1)) == "0.1" and repr(np.arange(2000)) == "array([   0,    1,    2, ..., 1997, 1998, 1999])"
    )


def test_arrays_without_a_copy_are_copied_where_it_has_to_be(tmp_path):
    (tmp_path / "old.py").write_text(
        "import numpy as np\nfrom PIL import Image\nheld = np.arange(3.0)\n"
        "image = Image.new('L', (3, 2))\n"
        "print(np.array(image, np.float32, copy=False).shape, np.array([1, 2], copy=False).tolist())\n"
        "assert np.array(held, copy=False) is held and np.array(held) is not held\n"
        "try:\n    np.array([[1], [1, 2]], copy=False)\nexcept ValueError as error:\n    assert 'inhomogeneous' in str(error)\n"
        "import pickle\nassert pickle.loads(pickle.dumps(np.array)) is np.array\n"
    )
    done = run(tmp_path, sys.executable, "-m", "msjax", "old.py")
    assert done.stdout.splitlines() == ["(2, 3) [1, 2]"], done.stderr
    assert done.stderr.count("copy=False") == 1, done.stderr


def test_old_names_of_python_and_pillow(tmp_path):
    (tmp_path / "old.py").write_text(
        "import collections, time\nfrom collections import Iterable, OrderedDict, abc\nfrom PIL import Image\n"
        "assert Iterable is abc.Iterable and collections.Mapping is abc.Mapping and time.clock() >= 0\n"
        "assert Image.ANTIALIAS == Image.LANCZOS and Image.LINEAR == Image.BILINEAR\n"
        "for module in (collections, time, Image):\n    assert not hasattr(module, 'never_there')\n"
    )
    done = run(tmp_path, sys.executable, "-m", "msjax", "old.py")
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if "this script gets it" in line]
    assert [line.split()[1] for line in lines] == ["collections.Iterable", "time.clock", "PIL.Image.ANTIALIAS"]


def test_old_names_of_scipy(tmp_path):
    """SciPy had NumPy's names until 1.12, and roots that are complex for negative numbers."""
    (tmp_path / "old.py").write_text(
        "import scipy, scipy.sparse\nwith scipy.errstate(divide='ignore'):\n    assert scipy.sqrt(-1) == 1j and scipy.array([1, 2]).sum() == 3\n"
        "assert scipy.randn(2).shape == (2,) and scipy.linalg.__name__ == 'scipy.linalg' and scipy.sparse.eye(2).sum() == 2\n"
        "assert not hasattr(scipy, 'never_there')\n"
    )
    done = run(tmp_path, sys.executable, "-m", "msjax", "old.py")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("this script gets it") == 1 and "scipy.errstate (today: numpy.errstate)" in done.stderr


def test_old_modules_of_numpy(tmp_path):
    (tmp_path / "old.py").write_text(
        "import numpy as np\nfrom numpy.lib.shape_base import expand_dims\nfrom numpy.lib.function_base import trapz, average\n"
        "from numpy.linalg.linalg import norm, LinAlgError\nimport numpy.lib.index_tricks\nfrom numpy.compat.py3k import asbytes\n"
        "from numpy.fft.helper import fftfreq\nfrom numpy.lib.utils import *\n"
        "assert expand_dims is np.expand_dims and average is np.average and norm is np.linalg.norm and asbytes('a') == b'a'\n"
        "assert fftfreq is np.fft.fftfreq and trapz([1.0, 2.0, 3.0]) == 4 and numpy.lib.index_tricks.ndindex is np.ndindex\n"
        "try:\n    from numpy.lib.shape_base import never_there\nexcept ImportError:\n    print('no such name')\n"
        "try:\n    import numpy.lib.never_there\nexcept ImportError:\n    print('no such module')\n"
    )
    done = run(tmp_path, sys.executable, "-m", "msjax", "old.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:2] == ["no such name", "no such module"]


# --- pytest
def test_pytest_plugin(tmp_path):
    (tmp_path / "conftest.py").write_text("import mindspore\n")
    (tmp_path / "test_net.py").write_text(
        textwrap.dedent("""
        import numpy as np, pytest
        from mindspore import Tensor, nn, set_context

        class Net(nn.Cell):
            def __init__(self):
                super().__init__()
                self.dense = nn.Dense(3, 4)

            def construct(self, x):
                return self.dense(x)

        @pytest.mark.parametrize("mode", [0, 1])
        def test_wrong_width(mode):
            set_context(mode=mode)
            Net()(Tensor(np.ones((2, 5), np.float32)))

        def test_right():
            assert np.float(2) == Tensor(2.0)
        """)
    )
    done = run(tmp_path, sys.executable, "-m", "pytest", "-p", "msjax", "-n", "1", "-q", "-p", "no:cacheprovider")
    assert "2 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) < 70
    assert set(re.findall(r"^([\w/.]+\.py):\d+:", done.stdout, re.MULTILINE)) == {"test_net.py"}


# --- whose frames are shown
def failing(name):
    """A traceback through frames of these files, outermost first, and the files that are shown of it."""
    places = {
        "user": "/home/me/train.py", "ours": str(ROOT / "msjax" / "nn" / "cell.py"), "jax": str(pathlib.Path(sys.modules["jax"].__file__)),
        "python": str(pathlib.Path(os.__file__).with_name("contextlib.py")), "launcher": tracebacks._LAUNCHER,
        "numpy": numpy.__file__,
    }  # fmt: skip
    call = int
    for place in reversed(name.split()):
        scope = {"inner": call}
        exec(compile("def call(x):\n    inner(x)", places[place], "exec"), scope)
        call = scope["call"]
    try:
        call("x")
    except ValueError as error:
        own = {places[n]: n for n in places}
        shown = tracebacks.tidy(error).__traceback__
        files = []
        while shown is not None:
            files.append(own.get(shown.tb_frame.f_code.co_filename, "user"))
            shown = shown.tb_next
        return " ".join(files)


@pytest.mark.parametrize("frames, shown", [
    ("user ours jax user ours", "user user user"),
    ("user ours python ours user python", "user user user python"),
    ("user numpy", "user user numpy"),
    ("user ours numpy", "user user"),
    ("ours launcher user ours", "user"),
])  # fmt: skip
def test_frames(frames, shown, monkeypatch):
    monkeypatch.delenv("MSJAX_TRACEBACK", raising=False)
    assert failing(frames) == shown  # the first one is this test


def test_all_frames(monkeypatch):
    monkeypatch.setenv("MSJAX_TRACEBACK", "full")
    assert failing("user ours jax user ours") == "user user ours jax user ours"


def test_what_was_caught_inside_is_not_told():
    source = "def call():\n    try:\n        int('x')\n    except ValueError:\n        raise KeyError('y')"
    for file, hidden in ((str(ROOT / "msjax" / "x.py"), True), ("/home/me/train.py", False)):
        scope = {}
        exec(compile(source, file, "exec"), scope)
        with pytest.raises(KeyError) as caught:
            scope["call"]()
        assert tracebacks.tidy(caught.value).__suppress_context__ is hidden


def test_ipython_shows_the_cell_alone(tmp_path):
    ipython = pytest.importorskip("IPython", reason="needs IPython")
    assert ipython
    (tmp_path / "cells.py").write_text(
        textwrap.dedent("""
        from IPython.core.interactiveshell import InteractiveShell
        shell = InteractiveShell.instance(colors="NoColor")
        shell.run_cell("%load_ext msjax")
        shell.run_cell("import numpy as np, mindspore as ms\\nfrom mindspore import nn, Tensor\\nnet = nn.SequentialCell(nn.Dense(3, 4))")
        shell.run_cell("ms.set_context(mode=0)\\nnet(Tensor(np.ones((2, 5), np.float32)))")
        """)
    )
    done = run(tmp_path, sys.executable, "cells.py")
    assert "ValueError" in done.stdout, done.stderr
    assert "msjax/" not in done.stdout and len(done.stdout.splitlines()) < 20


def test_a_breakpoint_shows_the_line_of_construct(tmp_path):
    (tmp_path / "train.py").write_text(
        textwrap.dedent("""
        import mindspore as ms
        from mindspore import Tensor, nn

        ms.set_context(mode=ms.PYNATIVE_MODE)

        class Net(nn.Cell):
            def construct(self, x):
                y = x + 1
                breakpoint()
                return y * 2

        print(ms.grad(Net())(Tensor([1.0])))
        """)
    )
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("MSJAX", "PYTHONPATH", "PYTEST"))}
    done = subprocess.run(
        [sys.executable, "-m", "msjax", "train.py"],
        cwd=tmp_path,
        env={**clean, "PYTHONPATH": str(ROOT)},
        input="p y\nc\n",
        capture_output=True,
        text=True,
    )
    stops = (
        "train.py(10)construct()\n-> breakpoint()",
        "train.py(11)construct()\n-> return y * 2",
    )  # from Python 3.13 on, and before
    assert any(stop in done.stdout for stop in stops), done.stderr
    assert "value= [ 2.00000000e+00]" in done.stdout and done.stdout.endswith("[2.]\n")
