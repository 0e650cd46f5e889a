"""`import mindspore` is msjax: identity, views, missing names, reload, metadata, install and uninstall."""

import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import pathlib
import pickle
import subprocess
import sys
import textwrap
import types

import mindspore
import mindspore.nn as nn
import pytest

import msjax
from msjax.alias import finder, names, paths


def run(code, *options):
    """What a fresh Python prints for a piece of code."""
    done = subprocess.run([sys.executable, *options, "-c", textwrap.dedent(code)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_identity():
    assert mindspore is msjax and nn is msjax.nn and mindspore.nn is nn
    assert sys.modules["mindspore"] is sys.modules["msjax"] and sys.modules["mindspore.nn"] is sys.modules["msjax.nn"]
    assert msjax.__spec__.name == "msjax" and nn.__spec__.name == "msjax.nn"  # the alias leaves no trace in them
    assert importlib.util.find_spec("mindspore.nn").name == "msjax.nn"


def test_version_that_programs_are_told():
    told = "import importlib.metadata as m, mindspore as ms; print(ms.__version__, m.version('mindspore'))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "MSJAX_VERSION": "2.2.14"}
    command = [sys.executable, "-m", "msjax", "-c", told]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2.2.14", "2.2.14"]


def test_version():
    assert mindspore.__version__ == "2.10.0"
    assert importlib.metadata.version("mindspore") == "2.10.0"
    assert importlib.metadata.metadata("MindSpore")["Name"] == "mindspore"
    assert importlib.metadata.distribution("mindspore").requires is None
    assert "mindspore" in {d.name for d in importlib.metadata.distributions()}
    assert importlib.metadata.version("jax")  # the others are found as before
    with pytest.raises(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("mindspore-lite")


@pytest.mark.parametrize(
    "statement, error, message",
    [
        (
            "import mindspore.opss",
            ModuleNotFoundError,
            "No module named 'mindspore.opss'; the nearest is 'mindspore.ops'.",
        ),
        (
            "import mindspore.nn.wrap.cell_wraper",
            ModuleNotFoundError,
            "No module named 'mindspore.nn.wrap.cell_wraper'; the nearest is 'mindspore.nn.wrap.cell_wrapper'.",
        ),
        ("import mindspore.core", ModuleNotFoundError, "No module named 'mindspore.core'; the nearest is "),
        (
            "from mindspore import Tensr",
            ImportError,
            "cannot import name 'Tensr' from 'mindspore'; the nearest is 'Tensor'.",
        ),
        (
            "from mindspore.nn import Dens",
            ImportError,
            "cannot import name 'Dens' from 'mindspore.nn'; the nearest is 'Dense'.",
        ),
        (
            "from mindspore.common.dtype import float33",
            ImportError,
            "cannot import name 'float33' from 'mindspore.dtype'; the nearest is 'float32'.",
        ),
        (
            "from mindspore.nn.wrap.cell_wrapper import WithLosCell",
            ImportError,
            "cannot import name 'WithLosCell' from 'mindspore.nn.wrap.cell_wrapper'; the nearest is 'WithLossCell'.",
        ),
        (
            "mindspore.nn.Module",
            AttributeError,
            "module 'mindspore.nn' has no attribute 'Module'. It is 'Cell', whose method is 'construct'.",
        ),
        (
            "from mindspore.nn import Sequential",
            ImportError,
            "cannot import name 'Sequential' from 'mindspore.nn'. It is 'SequentialCell'.",
        ),
        ("mindspore.Tensr", AttributeError, "module 'mindspore' has no attribute 'Tensr'; the nearest is 'Tensor'."),
        (
            "mindspore.nn.Conv2D",
            AttributeError,
            "module 'mindspore.nn' has no attribute 'Conv2D'; the nearest is 'Conv2d'.",
        ),
        ("mindspore.save", AttributeError, "module 'mindspore' has no attribute 'save'. It is 'save_checkpoint'."),
        (
            "mindspore.nn.dense",
            AttributeError,
            "module 'mindspore.nn' has no attribute 'dense'; 'dense' is in mindspore.ops.",
        ),
        (
            "mindspore.nn.relu6",
            AttributeError,
            "module 'mindspore.nn' has no attribute 'relu6'; 'relu6' is in mindspore.ops.",
        ),
        ("mindspore.nn.Qzxw", AttributeError, "module 'mindspore.nn' has no attribute 'Qzxw'."),
        (
            "import mindspore.common; mindspore.common.Tensr",
            AttributeError,
            "module 'mindspore.common' has no attribute 'Tensr'; the nearest is 'Tensor'.",
        ),
        (
            "mindspore.nn.__path_to_nowhere__",
            AttributeError,
            "module 'msjax.nn' has no attribute '__path_to_nowhere__'",
        ),
    ],
)
def test_missing_names(statement, error, message):
    with pytest.raises(error) as caught:
        exec(statement, {"mindspore": mindspore})
    assert type(caught.value) is error and str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_inner_modules_by_attribute():
    # Scripts write `mindspore.train.serialization.load_checkpoint` without importing the module.
    assert mindspore.train.serialization.load_checkpoint is mindspore.load_checkpoint
    assert mindspore.common.parameter.Parameter is mindspore.Parameter
    assert mindspore.ops.operations.Add is mindspore.ops.Add
    assert mindspore.ops._inner_ops.Add is mindspore.ops.Add  # where it lies in MindSpore does not matter


@pytest.fixture
def package(monkeypatch):
    """A package `msjax.zoo` with a function `shard`, served as `mindspore.zoo`, with inner modules below it."""
    module = types.ModuleType("msjax.zoo")
    module.__path__ = []
    module.__spec__ = importlib.machinery.ModuleSpec("msjax.zoo", None, is_package=True)
    exec("def shard(): return 1\nclass Lion: pass\n_hidden = 3", vars(module))
    monkeypatch.setitem(sys.modules, "msjax.zoo", module)
    for path, modules, same in (
        ("zoo", ("msjax.zoo",), True),
        ("zoo.shard", ("msjax.zoo", "msjax"), False),
        ("zoo.cats", ("msjax.zoo.cats", "msjax.zoo", "msjax"), False),
        ("zoo.big", ("msjax.zoo",), True),
        ("zoo.big.cats", ("msjax.zoo",), True),
    ):
        monkeypatch.setitem(paths.PATHS, f"mindspore.{path}", paths.Path(f"mindspore.{path}", modules, same))
    yield module
    for name in [name for name in sys.modules if name.startswith("mindspore.zoo")]:
        del sys.modules[name]
    del msjax.zoo


def test_modules_by_attribute_of_packages_that_came_with_another():
    import mindspore.dataset as dataset
    from mindspore.dataset import ds  # leaked: MindSpore's modules import the package under these names
    from mindspore.ops import P

    assert ds is dataset and P is importlib.import_module("mindspore.ops.operations")
    assert dataset.callback.DSCallback is importlib.import_module("mindspore.dataset").DSCallback
    assert dataset.engine.datasets.Dataset is dataset.Dataset
    assert dataset.core.config.set_seed is dataset.config.set_seed
    assert importlib.import_module("mindspore").mindrecord.filewriter.FileWriter is mindspore.mindrecord.FileWriter
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_this_name'"):
        dataset.nothing_of_this_name


def test_a_submodule_does_not_hide_a_name(package):
    import mindspore.zoo.shard as by_attribute
    from mindspore.zoo.shard import Lion

    assert by_attribute is package.shard and package.shard() == 1  # as in MindSpore, where the function wins
    assert Lion is package.Lion and sys.modules["mindspore.zoo.shard"].shard is package.shard
    package.new = 5  # names are otherwise set as ever
    package.shard = 6
    assert (mindspore.zoo.new, mindspore.zoo.shard) == (5, 6)


def test_views(package):
    import mindspore.zoo.cats as cats

    assert cats.Lion is package.Lion and cats._hidden == 3  # the missing msjax.zoo.cats does not matter
    assert cats.Tensor is mindspore.Tensor  # what inner modules leak
    assert {"Lion", "shard"} <= set(dir(cats)) and "_hidden" not in cats.__all__
    scope = {}
    exec("from mindspore.zoo.cats import *", scope)
    assert scope["Lion"] is package.Lion and "Tensor" not in scope
    package.Tiger = int
    assert cats.Tiger is int  # names are looked up at every use
    cats.Lion = str  # a patch of the view stays there
    assert cats.Lion is str and package.Lion is not str
    assert importlib.reload(cats) is cats and cats.shard is package.shard
    assert repr(cats).startswith("<module 'mindspore.zoo.cats'")
    with pytest.raises(AttributeError):
        cats.__file__
    with pytest.raises(AttributeError, match="no attribute 'Lyon'; the nearest is 'Lion'"):
        cats.Lyon


def test_one_module_by_many_paths(package):
    import mindspore.zoo.big.cats
    from mindspore.zoo import big

    assert big is package and mindspore.zoo.big.cats is package and package.__spec__.name == "msjax.zoo"


def test_an_error_in_a_serving_module_is_shown(package, monkeypatch):
    class Broken(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path=None, target=None):
            if name == "msjax.zoo.cats":
                raise ModuleNotFoundError("No module named 'left_pad'", name="left_pad")

    monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    import mindspore.zoo.cats as cats

    with pytest.raises(ModuleNotFoundError, match="left_pad"):
        cats.Lion


def test_reload():
    before = nn.Dense
    importlib.reload(importlib.import_module("mindspore.log"))
    assert nn.Dense is before and mindspore.log is sys.modules["msjax.log"]


def test_inspection_and_pickle():
    assert inspect.getsource(importlib.import_module("mindspore.log").info).startswith("def info(")
    assert inspect.getmodule(mindspore.nn.Dense).__name__.startswith("msjax.nn")
    assert pickle.loads(pickle.dumps(mindspore.nn.Dense)) is mindspore.nn.Dense
    assert pickle.loads(b"cmindspore.common.dtype\nfloat32\n.") is mindspore.float32  # from MindSpore itself


def test_install_is_idempotent_and_says_when_it_is_too_late(monkeypatch):
    before = list(sys.meta_path)
    msjax.install()
    assert sys.meta_path == before and finder.is_installed()
    monkeypatch.setattr(sys, "meta_path", [f for f in sys.meta_path if f is not finder.FINDER])
    real = types.ModuleType("mindspore")
    real.__file__ = "/site-packages/mindspore/__init__.py"
    monkeypatch.setitem(sys.modules, "mindspore", real)
    message = r"was imported already, from /site-packages/mindspore/__init__\.py\..*python -m msjax"
    with pytest.raises(ImportError, match=message):
        msjax.install()
    assert not finder.is_installed()
    msjax.uninstall()  # nothing to do
    assert sys.modules["mindspore"] is real


def test_uninstall_and_notebook():
    assert run("""
        import sys, types, msjax
        shell = types.SimpleNamespace(set_custom_exc=lambda kinds, show: None)
        msjax.load_ipython_extension(shell)
        import mindspore.nn.cell, mindspore.common
        print(mindspore is msjax)
        msjax.uninstall()
        print([m for m in sys.modules if m.startswith("mindspore")])
        try:
            import mindspore.nn
        except ModuleNotFoundError as error:
            print(error)
        from msjax.alias.notebook import unload_ipython_extension
        msjax.install()
        import mindspore
        print(mindspore.nn is msjax.nn)
        unload_ipython_extension(shell)
        print("mindspore" in sys.modules)
        """) == ["True", "[]", "No module named 'mindspore'", "True", "False"]


def test_threads_import_at_once():
    assert run("""
        import importlib, threading, msjax
        from msjax.alias.paths import PATHS
        msjax.install()
        packages = ("mindspore.nn", "mindspore.ops", "mindspore.common", "mindspore.train")
        wanted = [path for path in PATHS if path.startswith(packages)]
        failed = []
        def work(paths):
            for path in paths:
                try:
                    importlib.import_module(path)
                except ModuleNotFoundError as error:
                    "which this msjax does not have" in str(error) or failed.append(error)
                except BaseException as error:
                    failed.append(error)
        threads = [threading.Thread(target=work, args=(wanted[i:] + wanted[:i],)) for i in range(0, 160, 20)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        print(failed, msjax.__spec__.name, msjax.nn.__spec__.name)
        """) == ["[] msjax msjax.nn"]


def test_nearest_ignores_case_and_gives_up():
    assert names.nearest("dense", ["Dense", "Conv2d"]) == "Dense"
    assert names.nearest("Tensr", ["tensor", "Tensor"]) == "Tensor"
    assert names.nearest("zzz", ["Dense", "Conv2d"]) is None


def test_processes_of_multiprocessing_have_the_alias(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
        import multiprocessing, sys
        def light(_):
            return "jax" in sys.modules
        def name(_):
            import mindspore
            return mindspore.__name__
        if __name__ == "__main__":
            import mindspore
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(light, [0]), pool.map(name, [0]))
        """)
    )
    done = subprocess.run(
        [sys.executable, "-m", "msjax", str(script)],
        capture_output=True,
        text=True,
        cwd=pathlib.Path(msjax.__file__).parents[1],
    )
    assert (done.stdout, done.returncode) == ("[False] ['mindspore']\n", 0), done.stderr


def test_a_folder_of_the_same_name_does_not_hide_a_path():
    """`nn.layer` is MindSpore's module with all layers, also where nobody imports it by its path."""
    same = """
        import msjax; msjax.install()
        from mindspore import nn
        print(nn.layer.CellList is nn.CellList, nn.layer.basic.Dense is nn.Dense)
        print(nn.wrap.cell_wrapper.WithLossCell is nn.WithLossCell, nn.loss.loss.MSELoss is nn.MSELoss)
    """
    assert run(same) == ["True True"] * 2
