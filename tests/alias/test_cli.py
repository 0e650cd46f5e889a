"""The command line itself, and `doctor`."""

import pytest

from msjax.cli import doctor
from msjax.cli import main as cli
from msjax.core.settings import context


@pytest.mark.parametrize("arguments, code", [(["--help"], 0), (["-h"], 0), ([], 2)])
def test_help(arguments, code, capsys):
    assert cli.main(arguments) == code
    assert "python -m msjax SCRIPT [args]" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["-x"], ["-m"], ["-c"]])
def test_unknown_option(arguments, capsys):
    assert cli.main(arguments) == 2
    assert f"unknown option or missing argument: {arguments[0]}" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_version(option, capsys):
    assert cli.main([option]) == 0
    assert "API of MindSpore 2.10.0" in capsys.readouterr().out


def test_doctor(capsys):
    assert cli.main(["doctor"]) == 0
    out = capsys.readouterr().out
    for words in ("API of MindSpore 2.10.0", "\n  jax ", "\nDevices\n  cpu:0", "PYNATIVE_MODE", "save_graphs_path"):
        assert words in out
    for keyword in context.MEANINGFUL:
        assert f"\n  {keyword}: " in out
    assert cli.main(["doctor", "now"]) == 2


def test_doctor_goes_on_after_a_failure(capsys, monkeypatch):
    def broken():
        raise RuntimeError("no driver")
        yield

    monkeypatch.setitem(doctor._SECTIONS, "Devices", broken)
    assert doctor.main([]) == 1
    out = capsys.readouterr().out
    assert "FAILED: RuntimeError: no driver" in out and "set_context keywords" in out
