"""Saving checkpoints while training."""

import os
import stat
import time

from ... import log
from ...core.operators.check import check_bool, check_isinstance, check_non_negative_int
from ...core.settings import context
from ...core.settings.random import Generator
from ...core.values.tensor import Tensor
from ...nn.cell.cell import Cell
from ...parallel import group_size
from ..checkpoint_saving import checked_async_save, finish_writing, save_checkpoint
from ..summary.summary_record import make_folder
from .base import Callback
from .flops import lowered_step, step_call


class CheckpointConfig:
    """When to save checkpoints, and what goes into them.

    Args:
        save_checkpoint_steps, save_checkpoint_seconds: save every so many steps or seconds (steps count if both are
            given).
        keep_checkpoint_max: keep the newest N files; 0 (and no minutes): 1, as in MindSpore. keep_checkpoint_per_n_minutes: keep one file
            for each N minutes.
        integrated_save, async_save: as for `save_checkpoint`. saved_network: Cell to save instead of the trained one.
        append_info: list of "epoch_num", "step_num" and dicts. enc_key, enc_mode, crc_check, format: as for
            `save_checkpoint`.
        exception_save: save `..._breakpoint.ckpt` when training ends with an error.

    Raises:
        ValueError: nothing says when to save, a number is negative, or safetensors with options that they have not.
        TypeError: other arguments of the wrong kind.
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
        if not keep_checkpoint_max and not keep_checkpoint_per_n_minutes:
            self.keep_checkpoint_max = 1  # so MindSpore has it, though 0 is said to keep all
        self.integrated_save = check_bool(integrated_save, "integrated_save", "CheckpointConfig")
        self.async_save = checked_async_save(async_save, "CheckpointConfig")
        self.saved_network = saved_network
        self.append_dict = self._append_dict(append_info)
        self.enc_key = check_isinstance("enc_key", enc_key, (type(None), bytes))
        self.enc_mode = check_isinstance("enc_mode", enc_mode, str)
        self.exception_save = check_bool(exception_save, "exception_save", "CheckpointConfig")
        self.crc_check = check_isinstance("crc_check", crc_check, bool)
        self.format = check_isinstance("format", format, str)
        self.map_param_inc = kwargs.get("incremental", False)
        self.enable_redundance = kwargs.get("enable_redundance", False)  # of a file service that is not there
        self.remove_redundancy = check_isinstance("remove_redundancy", remove_redundancy, bool)
        if format == "safetensors" and (
            enc_key is not None or enc_mode != "AES-GCM" or crc_check or exception_save or self.map_param_inc
        ):
            raise ValueError("For 'save_checkpoint', when format is 'safetensors', other param must be default.")

    @staticmethod
    def _append_dict(append_info):
        """What goes into each file beside the weights, as a dict; None for nothing."""
        if append_info is None or append_info == []:
            return None
        if not isinstance(append_info, list):
            raise TypeError(
                f"For 'CheckpointConfig', the type of 'append_info' must be list, but got {type(append_info)}."
            )
        made = {name: 0 for name in ("epoch_num", "step_num") if name in append_info}
        dicts = 0
        for item in append_info:
            if not isinstance(item, (str, dict)):
                raise TypeError(
                    f"For 'CheckpointConfig', the type of 'append_info' element must be str or dict, but got {type(item)}."
                )
            if isinstance(item, str):
                if item not in ("epoch_num", "step_num"):
                    raise ValueError(
                        "For 'CheckpointConfig', the value of element in the argument 'append_info' must be in "
                        f"['epoch_num', 'step_num'], but got {item}."
                    )
                continue
            dicts += 1
            if dicts > 1:
                raise TypeError(
                    f"For 'CheckpointConfig', the element of 'append_info' must has only one dict, but got {dicts}"
                )
            for key, value in item.items():
                if not isinstance(key, str) or not isinstance(value, (int, float, str, Tensor, Generator)):
                    raise TypeError(
                        "For 'CheckpointConfig', the key type of the dict 'append_info' must be string, the value type must be "
                        f"int or float or bool, but got key type {type(key)}, value type {type(value)}"
                    )
                made[key] = value
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
    """Saves checkpoints `<prefix>-<epoch>_<step>.ckpt` while training, and keeps the newest; in GRAPH_MODE once the compiled step as
    StableHLO, `<prefix>-graph.meta`.

    Args:
        prefix: start of the file names, or a function that makes the whole name from the parameters of the run. Where the folder has files
            of that prefix already it becomes `<prefix>_1`, and so on.
        directory: folder, or a function that gives it; None: the current one. It is made. config: CheckpointConfig.

    Raises:
        ValueError: the prefix is neither, or has a "/" in it. TypeError: other arguments of the wrong kind.
    """

    def __init__(self, prefix="CKP", directory=None, config=None):
        super().__init__()
        if not callable(prefix):
            _checked_prefix(prefix, "must be callable or string that does not contain '/'")
        if config is not None and not isinstance(config, CheckpointConfig):
            raise TypeError(
                f"For 'ModelCheckpoint', the type of argument 'config' should be 'CheckpointConfig', but got {type(config)}."
            )
        self._config = config or CheckpointConfig()
        self._name_of, self._folder_of = (f if callable(f) else None for f in (prefix, directory))
        self._prefix = self._first_prefix = prefix
        self._folder = None if self._folder_of else make_folder(directory or os.getcwd(), "directory")
        if not self._name_of and not self._folder_of:
            self._prefix = _free_prefix(self._folder, prefix)
        self._last_step, self._last_time, self._last_kept = 0, time.time(), time.time()
        self._append = self._config.append_dict or {}
        self._first = {name: self._append.get(name, 0) for name in ("epoch_num", "step_num")}
        self._latest, self._saved, self._graph_saved = "", [], False

    @property
    def latest_ckpt_file_name(self):
        """Path of the file that was saved last."""
        return self._latest

    @property
    def get_ckpt_path(self):
        """The folder."""
        return self._folder

    def step_end(self, run_context):
        """Save if it is time."""
        params = run_context.original_args()
        if self._name_of:
            self._prefix = _checked_prefix(
                self._name_of(params), "is callable, it must return a string that does not contain '/'"
            )
        if self._folder_of:
            self._folder = make_folder(self._folder_of(params), "directory")
        if not self._graph_saved:
            _write_graph(params, os.path.join(self._folder, f"{self._prefix}-graph.meta"))
            self._graph_saved = True
        self._save_if_due(params)

    def end(self, run_context):
        """Save the last state, if it is not saved yet."""
        self._save_if_due(run_context.original_args(), last=True)
        if self._config.async_save:
            finish_writing()

    def save_breakpoint(self, network, epoch, step):
        """Save `<prefix>-<epoch>_<step>_breakpoint.ckpt` if `exception_save` asks for it: an exception ends the training."""
        if not self._config.exception_save or self._folder is None:
            return
        prefix = _free_prefix(self._folder, self._first_prefix, breakpoints=True)
        self._write(network, os.path.join(self._folder, f"{prefix}-{epoch}_{step}_breakpoint.ckpt"), epoch, step)

    def _save_if_due(self, params, last=False):
        if params.cur_step_num == self._last_step or not self._due(params, last):
            return
        config = self._config
        step = (params.cur_step_num - 1) % params.batch_num + 1
        name = self._prefix if self._name_of else f"{self._prefix}-{params.cur_epoch_num}_{step}"
        path = os.path.join(self._folder, f"{name}.{config.format}")
        self._make_room()
        self._last_kept, self._last_step = time.time(), params.cur_step_num
        network = params.train_network if config.saved_network is None else config.saved_network
        self._write(network, path, params.cur_epoch_num, params.cur_step_num, config.format)
        self._latest = path
        self._saved.append(path)

    def _due(self, params, last):
        config = self._config
        if config.save_checkpoint_steps:
            return last or params.cur_step_num >= self._last_step + config.save_checkpoint_steps
        if config.save_checkpoint_seconds:
            now = time.time()
            if last or now - self._last_time > config.save_checkpoint_seconds:
                self._last_time = now
                return True
        return False

    def _write(self, network, path, epoch, step, format="ckpt"):
        config = self._config
        for name, value in (("epoch_num", epoch), ("step_num", step)):
            if name in self._append:
                self._append[name] = self._first[name] + value
        if config.remove_redundancy and group_size() == 1:
            raise TypeError(
                "The deduplication feature for saving checkpoint can only be used in parallel scenarios, but got 'stand_alone'."
            )
        save_checkpoint(
            network,
            path,
            config.integrated_save,
            config.async_save,
            self._append,
            config.enc_key,
            config.enc_mode,
            crc_check=config.crc_check and format == config.format,
            format=format,
            remove_redundancy=config.remove_redundancy,
        )

    def _make_room(self):
        """Remove the files that are no longer kept; a file of each step is one `<prefix>-<numbers>` in the folder."""
        config = self._config
        end = f".{config.format}"
        names = [n for n in os.listdir(self._folder) if n.startswith(f"{self._prefix}-") and n.endswith(end)]
        names = [n for n in names if not any(c.isalpha() for c in n[len(self._prefix) : -len(end)])]
        order = {path: i for i, path in enumerate(self._saved)}  # where the clock of the disk is too coarse
        paths = [os.path.join(self._folder, n) for n in names]
        times = {path: (os.stat(path).st_mtime, order.get(path, -1)) for path in paths}
        paths.sort(key=times.get)
        if config.keep_checkpoint_max:
            if len(paths) >= config.keep_checkpoint_max:
                _remove(paths[0])
        elif config.keep_checkpoint_per_n_minutes:
            span, now = 60 * config.keep_checkpoint_per_n_minutes, time.time()
            if now - self._last_kept < span:
                for path in [p for p in paths if now - times[p][0] < span][1:]:
                    _remove(path)


def _checked_prefix(prefix, what):
    if not isinstance(prefix, str) or "/" in prefix:
        raise ValueError(
            f"For 'ModelCheckpoint', the argument 'prefix' for checkpoint file name is invalid, it {what}, but got {prefix}."
        )
    return prefix


def _write_graph(params, path):
    """The compiled step as StableHLO, where there is one."""
    if not context.is_graph_mode() or params.get("train_dataset_element") is None:
        return
    try:
        program = lowered_step(*step_call(params)).as_text()
    except RuntimeError as reason:  # it runs eagerly
        log.info(f"{path} is not written: {reason}")
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(program)


def _remove(path):
    try:
        os.chmod(path, stat.S_IWRITE | stat.S_IREAD)
        os.remove(path)
    except OSError as error:
        log.warning(f"The old checkpoint {path} could not be removed: {error}.")


def _free_prefix(folder, prefix, breakpoints=False):
    """`prefix`, or `prefix_1`, `prefix_2`, ... if there are files of an earlier run (or those of its exceptions)."""
    number = 0
    for name in os.listdir(folder):
        if not name.startswith(prefix) or not name.endswith((".ckpt", ".safetensors")):
            continue
        rest = name[len(prefix) :]
        if rest.endswith("_breakpoint.ckpt") != breakpoints or rest[:1].isalpha():
            continue
        before, dash, _ = rest.partition("-")
        if dash and not before:
            number = max(number, 1)
        elif dash and before[1:].isdigit():
            number = max(number, int(before[1:]) + 1)
    return f"{prefix}_{number}" if number else prefix
