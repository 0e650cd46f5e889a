"""Saving checkpoints while training."""

import os
import stat
import time

from ... import log
from ...core.operators.check import check_bool, check_non_negative_int
from ...nn.cell.cell import Cell
from ..serialization import save_checkpoint
from .base import Callback

_EPOCH_STEP = "{prefix}-{epoch}_{step}.{suffix}"


class CheckpointConfig:
    """When to save checkpoints, and what goes into them.

    Args:
        save_checkpoint_steps, save_checkpoint_seconds: save every so many steps or seconds (steps count if both are
            given).
        keep_checkpoint_max: keep the newest N files; 0: all. keep_checkpoint_per_n_minutes: keep one file for each N
            minutes.
        integrated_save, async_save: as for `save_checkpoint`. saved_network: Cell to save instead of the trained one.
        append_info: list of "epoch_num", "step_num" and dicts. enc_key, enc_mode, crc_check, format: as for
            `save_checkpoint`.
        exception_save: save once more when training ends with an error.

    Raises:
        ValueError: nothing says when to save, or a number is negative.
    """

    # what a made one tells
    append_dict = async_save = crc_check = enc_key = enc_mode = format = integrated_save = keep_checkpoint_max = None
    keep_checkpoint_per_n_minutes = map_param_inc = save_checkpoint_seconds = save_checkpoint_steps = saved_network = (
        None
    )

    def __init__(
        self,
        save_checkpoint_steps=1,
        save_checkpoint_seconds=0,
        keep_checkpoint_max=5,
        keep_checkpoint_per_n_minutes=0,
        integrated_save=True,
        async_save=False,
        saved_network=None,
        append_info=None,
        enc_key=None,
        enc_mode="AES-GCM",
        exception_save=False,
        crc_check=False,
        remove_redundancy=False,
        format="ckpt",
        **kwargs,
    ):
        for name, value in (
            ("save_checkpoint_steps", save_checkpoint_steps),
            ("save_checkpoint_seconds", save_checkpoint_seconds),
            ("keep_checkpoint_max", keep_checkpoint_max),
            ("keep_checkpoint_per_n_minutes", keep_checkpoint_per_n_minutes),
        ):
            if value is not None:
                check_non_negative_int(value, name, "CheckpointConfig")
        if not any(
            (save_checkpoint_steps, save_checkpoint_seconds, keep_checkpoint_max, keep_checkpoint_per_n_minutes)
        ):
            raise ValueError(
                "For 'CheckpointConfig', at least one of the parameters 'save_checkpoint_steps', 'save_checkpoint_seconds', "
                "'keep_checkpoint_max' and 'keep_checkpoint_per_n_minutes' must be set, but all of them are None or 0."
            )
        if saved_network is not None and not isinstance(saved_network, Cell):
            raise TypeError(
                f"For 'CheckpointConfig', the type of 'saved_network' must be None or Cell, but got {type(saved_network)}."
            )
        self.save_checkpoint_steps = save_checkpoint_steps
        self.save_checkpoint_seconds = None if save_checkpoint_steps else save_checkpoint_seconds
        self.keep_checkpoint_max = keep_checkpoint_max
        self.keep_checkpoint_per_n_minutes = None if keep_checkpoint_max else keep_checkpoint_per_n_minutes
        self.integrated_save = check_bool(integrated_save, "integrated_save", "CheckpointConfig")
        self.async_save, self.saved_network, self.enc_key, self.enc_mode = async_save, saved_network, enc_key, enc_mode
        self.exception_save = check_bool(exception_save, "exception_save", "CheckpointConfig")
        self.crc_check, self.remove_redundancy, self.format = crc_check, remove_redundancy, format
        self.map_param_inc = kwargs.get("incremental", False)
        self.append_dict = self._append_dict(append_info)

    @staticmethod
    def _append_dict(append_info):
        if not append_info:
            return {}
        made = {}
        for item in append_info:
            if isinstance(item, dict):
                made.update(item)
            elif item in ("epoch_num", "step_num"):
                made[item] = 0
            else:
                raise TypeError(
                    f"For 'CheckpointConfig', the type of 'append_info' must be one of 'epoch_num', 'step_num' or dict, but got {item!r}."
                )
        return made

    def get_checkpoint_policy(self):
        """Dict of the settings that say when to save and what to keep."""
        return {
            "save_checkpoint_steps": self.save_checkpoint_steps,
            "save_checkpoint_seconds": self.save_checkpoint_seconds,
            "keep_checkpoint_max": self.keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": self.keep_checkpoint_per_n_minutes,
            "saved_network": self.saved_network,
        }


class ModelCheckpoint(Callback):
    """Saves checkpoints `<prefix>-<epoch>_<step>.ckpt` while training, and keeps the newest.

    Args:
        prefix: start of the file names, or a function that makes the whole name from the parameters of the run.
        directory: folder; None: the current one. It is made. config: CheckpointConfig.

    Raises:
        ValueError: the prefix has a "/" in it. TypeError: arguments of the wrong kind.
    """

    def __init__(self, prefix="CKP", directory=None, config=None):
        super().__init__()
        if not isinstance(prefix, str) and not callable(prefix):
            raise TypeError(
                f"For 'ModelCheckpoint', the argument 'prefix' must be string or function, but got {type(prefix)}."
            )
        if isinstance(prefix, str) and "/" in prefix:
            raise ValueError(
                f"For 'ModelCheckpoint', the argument 'prefix' for checkpoint file name is invalid, it must be string and does not "
                f"contain '/', but got {prefix}."
            )
        if directory is not None and not isinstance(directory, (str, os.PathLike)) and not callable(directory):
            raise TypeError(
                f"For 'ModelCheckpoint', the argument 'directory' must be string or function, but got {type(directory)}."
            )
        if config is not None and not isinstance(config, CheckpointConfig):
            raise TypeError(
                f"For 'ModelCheckpoint', the type of argument 'config' must be 'CheckpointConfig', but got {type(config)}."
            )
        self._prefix, self._config = prefix, config or CheckpointConfig()
        self._directory = directory
        self._folder = None if callable(directory) else os.path.abspath(directory or os.getcwd())
        self._last_step, self._last_time, self._minute_start = 0, time.time(), time.time()
        self._latest = ""
        self._kept = []
        self._graph_saved = False

    @property
    def latest_ckpt_file_name(self):
        """Path of the file that was saved last."""
        return self._latest

    @property
    def get_ckpt_path(self):
        """The folder."""
        return self._folder

    def begin(self, run_context):
        """Make the folder, and a prefix that no file has yet."""
        if self._folder is not None:
            os.makedirs(self._folder, exist_ok=True)
        if isinstance(self._prefix, str) and self._folder is not None:
            self._prefix = _free_prefix(self._folder, self._prefix, self._config.format)

    def step_end(self, run_context):
        """Save if it is time."""
        params = run_context.original_args()
        if self._due(params):
            self._save(params)

    def end(self, run_context):
        """Save the last state, if it is not saved yet."""
        params = run_context.original_args()
        if params.cur_step_num != self._last_step:
            self._save(params)

    def _due(self, params):
        config = self._config
        if config.save_checkpoint_steps:
            return params.cur_step_num >= self._last_step + config.save_checkpoint_steps
        if config.save_checkpoint_seconds:
            return time.time() - self._last_time > config.save_checkpoint_seconds
        return False

    def _save(self, params):
        if params.cur_step_num == self._last_step:
            return
        path = self._path(params)
        config = self._config
        for name, value in (("epoch_num", params.cur_epoch_num), ("step_num", params.cur_step_num)):
            if name in config.append_dict:
                config.append_dict[name] = value
        network = config.saved_network or params.train_network
        save_checkpoint(
            network,
            path,
            config.integrated_save,
            config.async_save,
            config.append_dict,
            config.enc_key,
            config.enc_mode,
            crc_check=config.crc_check,
            format=config.format,
        )
        self._last_step, self._last_time, self._latest = params.cur_step_num, time.time(), path
        self._kept.append(path)
        self._drop_old()

    def _path(self, params):
        folder = self._directory(params) if callable(self._directory) else self._folder
        os.makedirs(folder, exist_ok=True)
        if callable(self._prefix):
            name = self._prefix(params)
            return os.path.join(
                folder, name if name.endswith(f".{self._config.format}") else f"{name}.{self._config.format}"
            )
        step = (params.cur_step_num - 1) % params.batch_num + 1
        return os.path.join(
            folder,
            _EPOCH_STEP.format(prefix=self._prefix, epoch=params.cur_epoch_num, step=step, suffix=self._config.format),
        )

    def _drop_old(self):
        config = self._config
        if config.keep_checkpoint_max:
            while len(self._kept) > config.keep_checkpoint_max:
                _remove(self._kept.pop(0))
        elif config.keep_checkpoint_per_n_minutes:
            if time.time() - self._minute_start >= config.keep_checkpoint_per_n_minutes * 60:
                self._minute_start = time.time()
                for path in self._kept[:-1]:
                    _remove(path)
                self._kept = []

    def __exit__(self, kind, error, traceback):
        if kind is not None and self._config.exception_save and self._latest:
            log.warning(f"Training ended with an error; the last checkpoint is {self._latest}.")


def _remove(path):
    try:
        os.chmod(path, stat.S_IWRITE | stat.S_IREAD)
        os.remove(path)
    except OSError as error:
        log.warning(f"The old checkpoint {path} could not be removed: {error}.")


def _free_prefix(folder, prefix, suffix):
    """`prefix`, or `prefix_1`, `prefix_2`, … if there are files of an earlier run."""
    taken = set()
    for name in os.listdir(folder):
        if name.startswith(prefix) and name.endswith(f".{suffix}"):
            rest = name[len(prefix) :]
            if rest[:1] == "-":
                taken.add(0)
            elif rest[:1] == "_" and rest[1:].split("-")[0].isdigit():
                taken.add(int(rest[1:].split("-")[0]))
    return f"{prefix}_{max(taken) + 1}" if taken else prefix
