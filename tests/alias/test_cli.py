"""The command line itself, and `doctor`."""

import json
import sys

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
    with pytest.raises(SystemExit, match="2"):
        cli.main(["doctor", "now"])


def test_doctor_as_json(capsys):
    assert cli.main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert not report["failed"] and not report["advice"]
    assert "GFLOP/s" in report["sections"]["Speed"][0]


def test_doctor_sees_a_gpu_that_is_not_used(capsys, monkeypatch):
    monkeypatch.setattr(doctor, "_nvidia_gpus", lambda: ["GPU 0: NVIDIA H200"])
    assert cli.main(["doctor"]) == 3
    assert "GPU 0: NVIDIA H200 is here, but jaxlib is for the CPU alone" in (out := capsys.readouterr().out)
    assert f"{sys.executable} -m pip install --upgrade 'jax[cuda12]==" in out


def test_doctor_goes_on_after_a_failure(capsys, monkeypatch):
    def broken():
        raise RuntimeError("no driver")
        yield

    monkeypatch.setitem(doctor._SECTIONS, "Devices", broken)
    assert doctor.main([]) == 1
    out = capsys.readouterr().out
    assert "FAILED: RuntimeError: no driver" in out and "set_context keywords" in out
