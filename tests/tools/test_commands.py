"""`msjax new-op` writes a skeleton that works; `msjax explain` tells what a script compiled."""

import importlib
import re
import sys

import pytest

from msjax.cli import explain, new_op, source_tree
from msjax.cli.scripts import NotNamed, named


def test_new_op(tmp_path, capsys):
    (tmp_path / "msjax" / "ops" / "elementwise").mkdir(parents=True)
    (tmp_path / "tests" / "cases_ops").mkdir(parents=True)
    cases = tmp_path / "tests" / "cases_ops" / "elementwise.py"
    cases.write_text("C = []\n")
    assert new_op.main(["signed_fifth_root", "--root", str(tmp_path)]) == 0
    assert "wrote msjax/ops/elementwise/signed_fifth_root.py" in capsys.readouterr().out
    assert cases.read_text() == 'C = []\nC("ops.signed_fifth_root", arr(2, 3))\n'
    module = tmp_path / "msjax" / "ops" / "elementwise" / "signed_fifth_root.py"
    text = module.read_text()
    assert 'prim="SignedFifthRoot"' in text and "from ...core.operators.record import op" in text
    compile(text, str(module), "exec")
    with pytest.raises(SystemExit):
        new_op.main(["signed_fifth_root", "--root", str(tmp_path)])


def test_new_op_names_the_table_that_has_the_cases_of_a_family(tmp_path, capsys):
    (tmp_path / "msjax" / "ops" / "loss").mkdir(parents=True)
    (tmp_path / "tests" / "cases_ops").mkdir(parents=True)
    for name, text in (("norm", "C = ['ops.huber_loss', 'ops.mse_loss']\n"), ("shape", "C = ['ops.concat']\n")):
        (tmp_path / "tests" / "cases_ops" / f"{name}.py").write_text(text)
    assert new_op.main(["fifth_loss", "--family", "loss", "--root", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "wrote tests/cases_ops/norm.py" in said and "record_cases.py norm " in said
    assert 'C("ops.fifth_loss"' in (tmp_path / "tests" / "cases_ops" / "norm.py").read_text()


@pytest.mark.parametrize("arguments, said", [
    (["relu"], "ops.relu is there already"), (["Wrong"], "is not the name of a function"), (["lambda"], "is not the name of a function"),
    (["new_one", "--family", "nowhere"], "the families are"),
])  # fmt: skip
def test_new_op_refuses(arguments, said, capsys):
    with pytest.raises(SystemExit, match="2"):
        new_op.main(arguments)
    assert said in capsys.readouterr().err


def test_explain(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("MSJAX", "PYTHONPATH"):
        monkeypatch.setenv(name, "")
    script = tmp_path / "double.py"
    script.write_text(
        "import sys\nimport mindspore as ms\n@ms.jit\ndef double(x):\n    return x * 2\n"
        "double(ms.Tensor([1.0]))\ndouble(ms.Tensor([1.0, 2.0]))\nsys.exit(5)\n"
    )
    page, figures = tmp_path / "page.html", tmp_path / "figures.json"
    hook = sys.excepthook
    assert explain.main(["--html", str(page), "--json", str(figures), str(script)]) == 5
    sys.excepthook = hook
    out = capsys.readouterr().out
    assert "double was traced again: x: a Tensor of shape (1,)" in out and " MB" in out
    assert "<h2>double</h2>" in page.read_text() and '"functions"' in figures.read_text()


def test_a_misspelt_command_is_told(capsys):
    from msjax.cli import main

    assert main.main(["scna", "folder"]) == 2
    assert "did you mean 'scan'?" in capsys.readouterr().err


@pytest.mark.parametrize("command", [
    "plot events", "scan folder", "explain train.py", "plan train.py --topology v5e:1x1", "record train.py", "diff run.npz train.py",
    "run --worker-num 2 train.py", "run --worker-num 2 --join train.py", "run --worker-num 2 python -u train.py",
])  # fmt: skip
def test_a_file_that_is_not_there_is_told(command, tmp_path, monkeypatch, capsys):
    from msjax.cli import main

    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main.main(command.split())
    assert ended.value.code == 2 and "error: there is no " in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_info_names_the_nearest_name(capsys):
    from msjax.cli import info

    assert info.main(["Conv2dd"]) == 1
    assert "missing: the nearest name is mindspore.nn.Conv2d\n" in capsys.readouterr().out


@pytest.mark.parametrize("place, said", [
    ("make_a_net.py", "FILE.py:NAME"), ("no.py:make", "There is no file no.py."), ("no.net:make", "There is no module no.net."),
    ("make_a_net.py:mak", "Did you mean 'make'?"),
])  # fmt: skip
def test_a_network_that_is_not_there_is_told(place, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    (tmp_path / "make_a_net.py").write_text("def make():\n    return 1\n")
    with pytest.raises(NotNamed, match=re.escape(said)):
        named(place)


@pytest.mark.parametrize("arguments", [["matrix"], ["matrix", "--check"], ["new-op", "my_root"], ["stubs"]])
def test_what_writes_source_files_refuses_an_installation(arguments, tmp_path, monkeypatch, capsys):
    """A file that a command leaves beside the installed package stays when it is uninstalled."""
    (tmp_path / "msjax").mkdir()
    monkeypatch.setattr(source_tree.need, "__defaults__", (tmp_path,))
    monkeypatch.setattr(new_op, "ROOT", tmp_path)
    command = importlib.import_module(f"msjax.cli.{arguments[0].replace('-', '_')}")
    with pytest.raises(SystemExit, match="2"):
        command.main(arguments[1:])
    assert "source tree of msjax" in capsys.readouterr().err and list(tmp_path.rglob("*")) == [tmp_path / "msjax"]
