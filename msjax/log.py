"""MindSpore's logger: `mindspore.log.info/warning/...`, steered by the environment variables of MindSpore.

GLOG_v: level, 0 debug, 1 info, 2 warning (default), 3 error, 4 critical. GLOG_logtostderr=0 with GLOG_log_dir=FOLDER
writes to FOLDER/rank_N/logs instead; then GLOG_stderrthreshold is the level from which lines also go to stderr, and
logger_maxBytes, logger_backupCount say when the file is rotated. They are read at the first use.
"""

from __future__ import annotations

import functools
import logging
import os
import sys
import threading
import time

__all__ = ["get_level", "get_log_config"]

_LEVELS = {"0": logging.DEBUG, "1": logging.INFO, "2": logging.WARNING, "3": logging.ERROR, "4": logging.CRITICAL}
_NUMBERS = {level: number for number, level in _LEVELS.items()}
_FORMAT = "[%(levelname)s] ME(%(process)d:%(thread)d,%(processName)s):%(asctime)s [%(place)s:%(lineno)d] %(message)s"
_PACKAGE = os.path.dirname(os.path.abspath(__file__))

_lock = threading.Lock()
GLOBAL_LOGGER: logging.Logger | None = None


class _Formatter(logging.Formatter):
    def __init__(self):
        super().__init__(_FORMAT)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 (logging's name)
        return f"{time.strftime('%Y-%m-%d-%H:%M:%S', self.converter(record.created))}.{int(record.msecs):03d}.000"

    def format(self, record: logging.LogRecord) -> str:
        path = record.pathname
        inside = path.startswith(_PACKAGE + os.sep)
        record.place = os.path.relpath(path, os.path.dirname(_PACKAGE)) if inside else path
        return super().format(record)


class _Stderr(logging.StreamHandler):
    """Writes to the present `sys.stderr`, so that redirection and capture by a test work."""

    def __init__(self, level: int = logging.NOTSET):
        logging.Handler.__init__(self, level)
        self.setFormatter(_Formatter())

    @property
    def stream(self):
        return sys.stderr


def _setting(name: str, default: str) -> str:
    return (os.environ.get(name) or default).strip()


def _level(variable: str) -> int:
    value = _setting(variable, "2")
    if value not in _LEVELS:
        raise ValueError(
            "Incorrect log level, please check the configuration of GLOG_v or GLOG_stderrthreshold, desired log level: "
            f"4-CRITICAL, 3-ERROR, 2-WARNING, 1-INFO, 0-DEBUG. But got {value}."
        )
    return _LEVELS[value]


def _count(variable: str, default: str) -> int:
    value = _setting(variable, default)
    if not value.isdigit():
        raise ValueError(f"Incorrect value, the value of {variable} must be positive integer. But got {value}.")
    return int(value)


def _file_handler() -> logging.FileHandler:
    from logging.handlers import RotatingFileHandler  # brings sockets and queues: only for those who log into files

    folder = _setting("GLOG_log_dir", "")
    if not folder:
        raise ValueError(
            "When GLOG_logtostderr is set to 0, the directory of saving log GLOG_log_dir must be set, but got it empty."
        )
    rank = os.environ.get("RANK_ID") or os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ.get("MS_NODE_ID") or "0"
    folder = os.path.join(os.path.realpath(folder), f"rank_{rank}", "logs")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    handler = RotatingFileHandler(
        os.path.join(folder, f"mindspore.log.{os.getpid()}"),
        maxBytes=_count("logger_maxBytes", "52428800"),
        backupCount=_count("logger_backupCount", "30"),
        encoding="utf8",
    )
    handler.setFormatter(_Formatter())
    return handler


def _get_logger() -> logging.Logger:
    """The logger itself, made and configured at the first call."""
    global GLOBAL_LOGGER
    with _lock:
        if GLOBAL_LOGGER is None:
            logger = logging.getLogger(f"ME.mindspore.log.{os.getpid()}")
            logger.setLevel(_level("GLOG_v"))
            logger.propagate = False
            target = _setting("GLOG_logtostderr", "1")
            if target not in ("0", "1"):
                raise ValueError(f"Incorrect value, the value of GLOG_logtostderr must be 0 or 1, but got {target}.")
            handlers = [_Stderr()] if target == "1" else [_file_handler(), _Stderr(_level("GLOG_stderrthreshold"))]
            for old in list(logger.handlers):
                logger.removeHandler(old)
            for handler in handlers:
                logger.addHandler(handler)
            GLOBAL_LOGGER = logger
    return GLOBAL_LOGGER


def _log(level: int, msg, args, kwargs) -> None:
    # Two frames lie between the caller and the logger's method: this one and the named function.
    _get_logger().log(level, msg, *args, **{**kwargs, "stacklevel": kwargs.get("stacklevel", 1) + 2})


def debug(msg: str, *args, **kwargs) -> None:
    """Log `msg % args` at level DEBUG."""
    _log(logging.DEBUG, msg, args, kwargs)


def info(msg: str, *args, **kwargs) -> None:
    """Log `msg % args` at level INFO."""
    _log(logging.INFO, msg, args, kwargs)


def warning(msg: str, *args, **kwargs) -> None:
    """Log `msg % args` at level WARNING."""
    _log(logging.WARNING, msg, args, kwargs)


def error(msg: str, *args, **kwargs) -> None:
    """Log `msg % args` at level ERROR."""
    _log(logging.ERROR, msg, args, kwargs)


def critical(msg: str, *args, **kwargs) -> None:
    """Log `msg % args` at level CRITICAL."""
    _log(logging.CRITICAL, msg, args, kwargs)


class _LogActionOnce:
    """Decorator, under the name that projects import: inside the function each text is logged by `logger.warning` in
    the first call only.
    """

    is_logged: dict = {}

    def __init__(self, logger, key, no_warning=False):
        self.logger = logger
        self.key = key
        self.no_warning = no_warning

    def __call__(self, func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            warn = getattr(self.logger, "warning", None)
            if warn is None:
                return func(*args, **kwargs)
            if self.no_warning or self.key in self.is_logged:
                self.logger.warning = lambda *_, **__: None
            self.is_logged[self.key] = True
            try:
                return func(*args, **kwargs)
            finally:
                self.logger.warning = warn

        return wrapper


def get_level() -> str:
    """The level of the logger as MindSpore numbers it: "0" debug, "1" info, "2" warning, "3" error, "4" critical.

    Example:
        >>> import msjax
        >>> msjax.get_level() in {"0", "1", "2", "3", "4"}
        True
    """
    return _NUMBERS[_get_logger().getEffectiveLevel()]


def get_log_config() -> dict:
    """The configuration in force, under the names of the environment variables.

    Example:
        >>> import msjax
        >>> sorted(msjax.get_log_config())[:2]
        ['GLOG_logtostderr', 'GLOG_v']
    """
    first, *rest = _get_logger().handlers
    if not isinstance(first, logging.FileHandler):
        return {"GLOG_v": get_level(), "GLOG_logtostderr": "1"}
    return {
        "GLOG_v": get_level(),
        "GLOG_logtostderr": "0",
        "GLOG_log_dir": os.path.dirname(first.baseFilename),
        "logger_maxBytes": first.maxBytes,
        "logger_backupCount": first.backupCount,
        "GLOG_stderrthreshold": _NUMBERS[rest[0].level],
    }


# --- inner names: the logger itself (None before the first message), and the environment that configures it
_ENVIRONMENT = {
    "level": "GLOG_v",
    "console": "GLOG_logtostderr",
    "filepath": "GLOG_log_dir",
    "maxBytes": "logger_maxBytes",
    "backupCount": "logger_backupCount",
    "stderr_level": "GLOG_stderrthreshold",
}


def _get_env_config() -> dict:
    """The settings of the environment, by MindSpore's inner names."""
    return {key: os.environ[name].strip() for key, name in _ENVIRONMENT.items() if os.environ.get(name)}


def _verify_config(kwargs: dict) -> None:
    """ValueError if a setting of `_get_env_config` is none."""
    for key in ("level", "stderr_level"):
        if kwargs.get(key) is not None and kwargs[key] not in _LEVELS:
            raise ValueError(f"Incorrect log level, desired is 0 to 4, but got {kwargs[key]}.")
    console = kwargs.get("console")
    if console is None:
        return
    if console not in ("0", "1"):
        raise ValueError(f"Incorrect value, the value of GLOG_logtostderr must be 0 or 1, but got {console}.")
    if console == "0":
        if not kwargs.get("filepath"):
            raise ValueError("When GLOG_logtostderr is set to 0, the directory GLOG_log_dir must be set.")
        for key in ("maxBytes", "backupCount"):
            if not kwargs.get(key, "1").isdigit():
                raise ValueError(f"The value of {_ENVIRONMENT[key]} must be a positive integer, but got {kwargs[key]}.")
