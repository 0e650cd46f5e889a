"""MindSpore's logger: levels, format, files, all by environment variables."""

import logging
import os
import re

import pytest

from msjax import log

VARIABLES = (
    "GLOG_v",
    "GLOG_logtostderr",
    "GLOG_log_dir",
    "GLOG_stderrthreshold",
    "logger_maxBytes",
    "logger_backupCount",
    "RANK_ID",
)


@pytest.fixture
def configure(monkeypatch):
    """Set environment variables; the next use of the logger reads them."""
    monkeypatch.setattr(log, "GLOBAL_LOGGER", None)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)

    def set_all(**values):
        for name, value in values.items():
            monkeypatch.setenv(name, value)

    yield set_all
    for handler in list(logging.getLogger(f"ME.mindspore.log.{os.getpid()}").handlers):
        handler.close()


def test_default(configure, capsys):
    assert log.get_level() == "2" and log.get_log_config() == {"GLOG_v": "2", "GLOG_logtostderr": "1"}
    log.info("not shown")
    log.warning("shown %d", 3)
    line = capsys.readouterr().err
    assert re.fullmatch(
        r"\[WARNING\] ME\(\d+:\d+,MainProcess\):\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.000 "
        r"\[.*test_log\.py:\d+\] shown 3\n",
        line,
    )


@pytest.mark.parametrize("level, shown", [("0", "diwec"), ("1", "iwec"), ("3", "ec"), ("4", "c")])
def test_levels(level, shown, configure, capsys):
    configure(GLOG_v=level)
    for function in (log.debug, log.info, log.warning, log.error, log.critical):
        function("%s", function.__name__[0])
    lines = [line[-1] for line in capsys.readouterr().err.splitlines()]
    assert "".join(lines) == shown
    assert log.get_level() == level


def test_files(configure, capsys, tmp_path):
    configure(GLOG_v="1", GLOG_logtostderr="0", GLOG_log_dir=str(tmp_path), GLOG_stderrthreshold="3", RANK_ID="5")
    log.info("to the file")
    log.error("to both")
    folder = tmp_path / "rank_5" / "logs"
    (file,) = folder.iterdir()
    assert [line[-9:] for line in file.read_text().splitlines()] == [" the file", "] to both"]
    assert capsys.readouterr().err.endswith("to both\n")
    assert log.get_log_config() == {
        "GLOG_v": "1",
        "GLOG_logtostderr": "0",
        "GLOG_log_dir": str(folder),
        "logger_maxBytes": 52428800,
        "logger_backupCount": 30,
        "GLOG_stderrthreshold": "3",
    }


@pytest.mark.parametrize(
    "values, message",
    [
        ({"GLOG_v": "9"}, "Incorrect log level.*But got 9"),
        ({"GLOG_v": "abc"}, "Incorrect log level.*But got abc"),
        ({"GLOG_logtostderr": "2"}, "GLOG_logtostderr must be 0 or 1, but got 2"),
        ({"GLOG_logtostderr": "0"}, "GLOG_log_dir must be set, but got it empty"),
        (
            {"GLOG_logtostderr": "0", "GLOG_log_dir": "/tmp", "logger_maxBytes": "many"},
            "logger_maxBytes must be positive",
        ),
    ],
)
def test_wrong_settings(values, message, configure):
    configure(**values)
    with pytest.raises(ValueError, match=message):
        log.warning("x")
