"""Callbacks that save the state of an interrupted training."""

import json
import os
import signal
import stat
from typing import TYPE_CHECKING, Any

import jax

from ... import log
from ...core.operators.check import check_positive_int
from ...core.settings import context
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Like
from ...core.values.tensor_trees import tensor_leaves
from ...parallel.processes import store, world
from ..checkpoint_loading import load_checkpoint
from ..checkpoint_saving import save_checkpoint
from ..export import export
from .base import Callback

if TYPE_CHECKING:
    from .base import RunContext


def _folder(path):
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"The folder must be a str, but got {type(path).__name__}.")
    os.makedirs(path, exist_ok=True)
    return os.path.realpath(path)


class BackupAndRestore(Callback):
    """Saves `backup.ckpt` while training, and loads it when training is started again.

    Args:
        backup_dir: folder. save_freq: "epoch", or every so many epochs. delete_checkpoint: remove the file at the end.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.

    Example:
        >>> from mindspore.train import BackupAndRestore
        >>> model.train(3, dataset, callbacks=[BackupAndRestore("backup")])
    """

    @checked
    def __init__(self, backup_dir: Any, save_freq: Like[int | str] = "epoch", delete_checkpoint: bool = True):
        super().__init__()
        self.backup_file = os.path.join(_folder(backup_dir), "backup.ckpt")
        self.save_freq = 1 if save_freq == "epoch" else check_positive_int(save_freq, "save_freq", "BackupAndRestore")
        self.delete_checkpoint = delete_checkpoint

    def on_train_begin(self, run_context: "RunContext"):
        """Load the file of an interrupted run."""
        if os.path.exists(self.backup_file):
            load_checkpoint(self.backup_file, net=run_context.original_args().train_network)

    def on_train_epoch_end(self, run_context: "RunContext"):
        """Save if it is time."""
        params = run_context.original_args()
        if params.cur_epoch_num % self.save_freq == 0:
            save_checkpoint(params.train_network, self.backup_file)

    def on_train_end(self, run_context: "RunContext"):
        """Remove the file: training came to its end."""
        if self.delete_checkpoint and os.path.exists(self.backup_file):
            os.chmod(self.backup_file, stat.S_IWRITE)
            os.remove(self.backup_file)


def _rank():
    """The suffix of this process's folder: its rank among several, else its device."""
    return world().rank if world().size > 1 else context.get_context("device_id")


class OnRequestExit(Callback):
    """Ends training or evaluation after the present step when a signal comes or a file says so, and saves the network.

    Args:
        save_ckpt, save_mindir: what to save, `<directory>/rank_<device>/<file_name>_train.ckpt` and `.mindir`; a
            checkpoint that is there is loaded at the begin. config_file: JSON file whose `"GracefulExit": 1` asks for
            the end too. sig: the signal.

    Raises:
        TypeError, ValueError: arguments of the wrong kind; SIGKILL.

    Example:
        >>> from mindspore.train import OnRequestExit
        >>> model.train(3, dataset, callbacks=OnRequestExit(file_name="LeNet5"))
    """

    key = "GracefulExit"

    @checked
    def __init__(
        self,
        save_ckpt: AsValue[bool] = True,
        save_mindir: AsValue[bool] = True,
        file_name: Like[str] = "Net",
        directory: str | os.PathLike | None = "./",
        config_file: Any = None,
        sig: AsValue[int | bool] = signal.SIGTERM,
    ):
        super().__init__()
        self.save_ckpt, self.save_mindir, self.sig = save_ckpt, save_mindir, sig
        if sig == getattr(signal, "SIGKILL", None):
            raise ValueError("Not support send exit request by signal SIGKILL.")
        self.exit = False
        self.remote_config_file = config_file
        self.train_name = self.eval_name = None
        if save_ckpt or save_mindir:
            folder = _folder(os.path.join(directory or os.getcwd(), f"rank_{_rank()}"))
            self.train_name, self.eval_name = (
                os.path.join(folder, f"{file_name}_{kind}") for kind in ("train", "eval")
            )
        self._before = None

    def _listen(self):
        self._before = signal.signal(self.sig, self._handle_signal)

    def _handle_signal(self, signum, frame):
        log.warning(f"Signal {signum}: ending after this step.")
        self.exit = True

    def __exit__(self, *error):
        if self._before is not None:
            signal.signal(self.sig, self._before)
            self._before = None

    def _asked_anywhere(self, run_context):
        """Whether this step is the last. Of several processes each hears of a signal to one, and all end after the same step.

        Nobody is more than one step ahead, since a step waits for what the others give to it: so the step after is the last.
        """
        kept = store()
        if kept is None:
            return self._asked()
        params = run_context.original_args()
        jax.block_until_ready([tensor.jax_array for tensor in tensor_leaves(params.get("net_outputs"))])
        step = params.cur_step_num
        if self._asked():
            kept.first("exit after step", str(step + 1).encode())
        last = kept.get("exit after step")
        self.exit = last is not None and step >= int(last)
        return self.exit

    def _asked(self):
        if not self.exit and self.remote_config_file is not None and os.path.exists(self.remote_config_file):
            with open(self.remote_config_file, encoding="utf-8") as file:
                try:
                    content = json.load(file)
                    self.exit = isinstance(content, dict) and content.get(self.key) == 1
                except (ValueError, RecursionError) as error:
                    log.warning(f"Parse json file failed: {error}, please check json file: {self.remote_config_file}")
        return self.exit

    def on_train_begin(self, run_context: "RunContext"):
        """Listen for the signal; load the state that an earlier run saved."""
        self._listen()
        if self.save_ckpt and os.path.isfile(f"{self.train_name}.ckpt"):
            load_checkpoint(f"{self.train_name}.ckpt", net=run_context.original_args().train_network)

    def on_train_step_end(self, run_context: "RunContext"):
        """Stop if it was asked for."""
        if self._asked_anywhere(run_context):
            run_context.request_stop()

    def on_train_epoch_end(self, run_context: "RunContext"):
        """Stop if it was asked for."""
        if self.exit or store() is None and self._asked():
            run_context.request_stop()

    def on_train_end(self, run_context: "RunContext"):
        """Save, if the end was asked for."""
        params = run_context.original_args()
        self._save(params.train_network, self.train_name, params.get("train_dataset_element"))

    def on_eval_begin(self, run_context: "RunContext"):
        """Listen for the signal; load the state that an earlier run saved."""
        self._listen()
        if self.save_ckpt:
            for name in (self.eval_name, self.train_name):
                if os.path.isfile(f"{name}.ckpt"):
                    load_checkpoint(f"{name}.ckpt", net=run_context.original_args().eval_network)
                    break

    def on_eval_step_end(self, run_context: "RunContext"):
        """Stop if it was asked for."""
        if self._asked():
            run_context.request_stop()

    def on_eval_end(self, run_context: "RunContext"):
        """Save, if the end was asked for."""
        params = run_context.original_args()
        self._save(params.eval_network, self.eval_name, params.get("eval_dataset_element"))

    def _save(self, network, name, inputs):
        if not self.exit:
            return
        if self.save_ckpt:
            save_checkpoint(network, f"{name}.ckpt")
        if self.save_mindir and inputs is not None:
            export(network, *inputs, file_name=name, file_format="MINDIR")


class TrainFaultTolerance(Callback):
    """Saves a last checkpoint when training ends with an error: `ttp_rank_0-<epoch>_<step>.ckpt`.

    Args:
        ckpt_save_path: folder. Keywords: ckpt_save_fn: function of (parameters of the run, dict of epoch and step)
            that saves in its own way.

    Raises:
        ValueError: neither `ckpt_save_path` nor `ckpt_save_fn` is given.
    """

    def __init__(self, ckpt_save_path: str | None = None, **kwargs):
        super().__init__()
        self._save_fn = kwargs.get("ckpt_save_fn")
        if ckpt_save_path is None and self._save_fn is None:
            raise ValueError("TrainFaultTolerance construct need to set ckpt_save_fn or ckpt_save_path!")
        self._path = ckpt_save_path
        self._params = None

    @classmethod
    def get_optimizer_wrapper(cls, origin_opt_cls: Any):
        """The optimizer class itself: a step here is one program, whose failure leaves all Parameters as they were."""
        return origin_opt_cls

    def on_train_begin(self, run_context: "RunContext"):
        """Remember the run's network and optimizer."""
        self._params = run_context.original_args()

    def on_train_step_begin(self, run_context: "RunContext"):
        """Remember the run's network and optimizer."""
        self._params = run_context.original_args()

    def on_train_step_end(self, run_context: "RunContext"):
        """Remember the run's network and optimizer."""
        self._params = run_context.original_args()

    def end(self, run_context: "RunContext"):
        """Training came to its end: there is nothing to save."""
        self._params = None

    def __exit__(self, kind, error, traceback):
        params, self._params = self._params, None
        if kind is None or params is None:
            return
        step = params.cur_step_num - 1  # the step that failed changed nothing
        append = {"epoch_num": params.cur_epoch_num, "step_num": step}
        if self._save_fn is not None:
            self._save_fn(params, append)
            return
        name = f"ttp_rank_0-{params.cur_epoch_num}_{step}.ckpt"
        save_checkpoint(params.train_network, os.path.join(_folder(self._path), name), append_dict=append)
        log.warning(f"Training ended with {kind.__name__}: saved {name} in {self._path}.")
