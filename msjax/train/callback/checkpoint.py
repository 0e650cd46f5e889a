"""Saving checkpoints while training."""

import os
import time
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, Unpack

from ... import log
from ...core.operators.random import Generator
from ...core.settings import context
from ...core.spec.checking import checked
from ...core.spec.kinds import Shown
from ...core.spec.rules import AsValue, Function, NonNegativeInt
from ...core.values.tensor import Tensor
from ...nn.cell.cell import Cell
from ...parallel import group_size
from ..checkpoint_saving import AsyncSave, finish_writing, save_checkpoint
from ..summary.summary_record import make_folder
from .base import Callback
from .checkpoint_files import CheckpointManager, free_prefix
from .flops import lowered_step, step_call

if TYPE_CHECKING:
    from .base import RunContext


class ConfigOptions(TypedDict, total=False):
    """Further keywords of a CheckpointConfig."""

    incremental: bool
    enable_redundance: bool


class CheckpointConfig:
    """When to save checkpoints, and their content.

    Args:
        save_checkpoint_steps, save_checkpoint_seconds: save every so many steps or seconds (steps count if both are
            given).
        keep_checkpoint_max: keep the newest N files; 0 without `keep_checkpoint_per_n_minutes` means 1, as in MindSpore.
        keep_checkpoint_per_n_minutes: keep one file for each N minutes.
        integrated_save, async_save: as for `save_checkpoint`. saved_network: Cell to save instead of the trained one.
        append_info: list of "epoch_num", "step_num" and dicts. enc_key, enc_mode, crc_check, format: as for
            `save_checkpoint`.
        exception_save: save `..._breakpoint.ckpt` when training ends with an error.

    Raises:
        ValueError: nothing says when to save, a number is negative, or an option that safetensors files do not have.
        TypeError: other arguments of the wrong kind.
    """

    # readable on the class, too, as in MindSpore
    append_dict = async_save = crc_check = enc_key = enc_mode = format = integrated_save = keep_checkpoint_max = None
    keep_checkpoint_per_n_minutes = map_param_inc = save_checkpoint_seconds = save_checkpoint_steps = saved_network = (
        None
    )

    @checked
    def __init__(
        self,
        save_checkpoint_steps: NonNegativeInt | None = 1,
        save_checkpoint_seconds: NonNegativeInt | None = 0,
        keep_checkpoint_max: NonNegativeInt | None = 5,
        keep_checkpoint_per_n_minutes: NonNegativeInt | None = 0,
        integrated_save: bool = True,
        async_save: AsyncSave = False,
        saved_network: Cell | None = None,
        append_info: list[Literal["epoch_num", "step_num"] | dict] | None = None,
        enc_key: AsValue[bytes | None] = None,
        enc_mode: AsValue[str] = "AES-GCM",
        exception_save: bool = False,
        crc_check: AsValue[bool] = False,
        remove_redundancy: AsValue[bool] = False,
        format: AsValue[str] = "ckpt",
        **kwargs: Unpack[ConfigOptions],
    ):
        if not any(
            (save_checkpoint_steps, save_checkpoint_seconds, keep_checkpoint_max, keep_checkpoint_per_n_minutes)
        ):
            raise ValueError(
                "For 'CheckpointConfig', at least one of the parameters 'save_checkpoint_steps', 'save_checkpoint_seconds', "
                "'keep_checkpoint_max' and 'keep_checkpoint_per_n_minutes' must be set, but all of them are None or 0."
            )
        self.save_checkpoint_steps = save_checkpoint_steps
        self.save_checkpoint_seconds = None if save_checkpoint_steps else save_checkpoint_seconds
        self.keep_checkpoint_max = keep_checkpoint_max
        self.keep_checkpoint_per_n_minutes = None if keep_checkpoint_max else keep_checkpoint_per_n_minutes
        if not keep_checkpoint_max and not keep_checkpoint_per_n_minutes:
            self.keep_checkpoint_max = 1  # as in MindSpore, though its documentation says that 0 keeps all files
        self.integrated_save, self.async_save = integrated_save, async_save
        self.saved_network = saved_network
        self.append_dict = self._handle_append_info(append_info)
        self.enc_key, self.enc_mode = enc_key, enc_mode
        self.exception_save, self.crc_check, self.format = exception_save, crc_check, format
        self.map_param_inc = kwargs.get("incremental", False)
        self.enable_redundance = kwargs.get(
            "enable_redundance", False
        )  # kept for callers that read it: it belongs to a file service of Ascend
        self.remove_redundancy = remove_redundancy
        if format == "safetensors" and (
            enc_key is not None or enc_mode != "AES-GCM" or crc_check or exception_save or self.map_param_inc
        ):
            raise ValueError("For 'save_checkpoint', when format is 'safetensors', other param must be default.")

    @staticmethod
    def _handle_append_info(append_info):
        """The extra entries of each file beside the weights, as a dict; None for nothing."""
        if not append_info:
            return None
        made = {name: 0 for name in ("epoch_num", "step_num") if name in append_info}
        dicts = 0
        for item in append_info:
            if isinstance(item, str):
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
        """Dict of the settings for saving and for removing old files."""
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
        ValueError: the prefix is neither a str nor a function, or has a "/" in it. TypeError: other arguments of the wrong kind.
    """

    @checked
    def __init__(
        self,
        prefix: Annotated[Any, Shown("str | Callable[..., Any]")] = "CKP",
        directory: str | os.PathLike | Function | None = None,
        config: CheckpointConfig | None = None,
    ):
        super().__init__()
        if not callable(prefix):
            _checked_prefix(prefix, "must be callable or string that does not contain '/'")
        # MindSpore's names, here and below: programs write callbacks of their own that inherit from this one and replace `_save_ckpt`
        self._config = config or CheckpointConfig()
        self._prefix_func, self._directory_func = (f if callable(f) else None for f in (prefix, directory))
        self._prefix = self._exception_prefix = prefix
        if not self._directory_func:
            self._directory = make_folder(directory or os.getcwd(), "directory")
            if not self._prefix_func:
                self._prefix = free_prefix(self._directory, prefix)
        self._manager = CheckpointManager(self._config.format)
        self._last_triggered_step, self._latest_ckpt_file_name = 0, ""
        self._init_time = self._last_time = self._last_time_for_keep = time.time()
        self._append_dict = self._config.append_dict or {}
        self._append_epoch_num, self._append_step_num = (
            self._append_dict.get(name, 0) for name in ("epoch_num", "step_num")
        )
        self._map_param_inc = self._config.map_param_inc
        self._graph_saved, self._need_flush_from_cache = False, True

    @property
    def latest_ckpt_file_name(self):
        """Path of the file that was saved last."""
        return self._latest_ckpt_file_name

    @property
    def get_ckpt_path(self):
        """The folder."""
        return getattr(self, "_directory", None)

    _get_save_checkpoint_steps = property(lambda self: self._config.save_checkpoint_steps)
    _get_last_trigger_step = property(lambda self: self._last_triggered_step)

    def step_end(self, run_context: "RunContext"):
        """Save if it is time."""
        params = run_context.original_args()
        if self._prefix_func:
            self._prefix = _checked_prefix(
                self._prefix_func(params), "is callable, it must return a string that does not contain '/'"
            )
        if self._directory_func:
            self._directory = make_folder(self._directory_func(params), "directory")
        if not self._graph_saved:
            _write_graph(params, os.path.join(self._directory, f"{self._prefix}-graph.meta"))
            self._graph_saved = True
        self._save_ckpt(params)

    def end(self, run_context: "RunContext"):
        """Save the last state, if it is not saved yet."""
        self._save_ckpt(run_context.original_args(), True)
        if self._config.async_save:
            finish_writing()

    def save_breakpoint(self, network: Cell, epoch: int, step: Any):
        """Save `<prefix>-<epoch>_<step>_breakpoint.ckpt` if `exception_save` asks for it: an exception ends the training."""
        if not self._config.exception_save or self.get_ckpt_path is None:
            return
        prefix = free_prefix(self._directory, self._exception_prefix, True)
        self._append_dict_content(epoch, step)
        self._write(network, os.path.join(self._directory, f"{prefix}-{epoch}_{step}_breakpoint.ckpt"))

    def _save_ckpt(self, cb_params, force_to_save=False):
        """Save if it is time, or at the end."""
        if cb_params.cur_step_num == self._last_triggered_step:
            return
        if self._need_flush_from_cache:
            self._flush_from_cache(cb_params)
        if not self._check_save_ckpt(cb_params, force_to_save):
            return
        config = self._config
        step = (cb_params.cur_step_num - 1) % cb_params.batch_num + 1
        name = self._prefix if self._prefix_func else f"{self._prefix}-{cb_params.cur_epoch_num}_{step}"
        path = os.path.join(self._directory, f"{name}.{config.format}")
        self._make_room()
        self._last_time_for_keep, self._last_triggered_step = time.time(), cb_params.cur_step_num
        self._append_dict_content(cb_params.cur_epoch_num, cb_params.cur_step_num)
        network = cb_params.train_network if config.saved_network is None else config.saved_network
        self._write(network, path, config.format)
        self._latest_ckpt_file_name = path

    def _check_save_ckpt(self, cb_params, force_to_save):
        """Whether it is time."""
        config = self._config
        if config.save_checkpoint_steps:
            return force_to_save or cb_params.cur_step_num >= self._last_triggered_step + config.save_checkpoint_steps
        if config.save_checkpoint_seconds:
            self._cur_time = time.time()
            if force_to_save or self._cur_time - self._last_time > config.save_checkpoint_seconds:
                self._last_time = self._cur_time
                return True
        return False

    def _append_dict_content(self, epoch_num, step_num):
        """Update the numbers of `append_info`, counted on from those that the run began with."""
        counted = {"epoch_num": self._append_epoch_num + epoch_num, "step_num": self._append_step_num + step_num}
        self._append_dict.update({name: count for name, count in counted.items() if name in self._append_dict})

    def _flush_from_cache(self, cb_params):
        """Fetch Parameters from parameter servers: there are none here."""
        self._need_flush_from_cache = False

    def _write(self, network, path, format="ckpt"):
        config = self._config
        if config.remove_redundancy and group_size() == 1:
            raise TypeError(
                "The deduplication feature for saving checkpoint can only be used in parallel scenarios, but got 'stand_alone'."
            )
        save_checkpoint(
            network,
            path,
            config.integrated_save,
            config.async_save,
            self._append_dict,
            config.enc_key,
            config.enc_mode,
            crc_check=config.crc_check and format == config.format,
            format=format,
            remove_redundancy=config.remove_redundancy,
        )

    def _make_room(self):
        """Remove the files that are no longer kept."""
        config, manager = self._config, self._manager
        manager.update_ckpoint_filelist(self._directory, self._prefix)
        if config.keep_checkpoint_max:
            if manager.ckpoint_num >= config.keep_checkpoint_max:
                manager.remove_oldest_ckpoint_file()
        elif config.keep_checkpoint_per_n_minutes:
            self._cur_time_for_keep = time.time()
            if self._cur_time_for_keep - self._last_time_for_keep < 60 * config.keep_checkpoint_per_n_minutes:
                manager.keep_one_ckpoint_per_minutes(config.keep_checkpoint_per_n_minutes, self._cur_time_for_keep)


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
    except RuntimeError as reason:  # the step runs eagerly, so there is no program
        log.info(f"{path} is not written: {reason}")
        return
    with open(path, "w", encoding="utf-8") as file:
        file.write(program)
