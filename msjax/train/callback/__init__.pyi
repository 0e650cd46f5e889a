"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.train.callback.base import Callback as Callback
from msjax.train.callback.base import RunContext as RunContext

from msjax.nn.cell.cell import Cell as Cell
from msjax.train.callback.base import Callback as Callback
class BackupAndRestore(Callback):
    """Saves `backup.ckpt` while training, and loads it when training is started again."""
    def __init__(self, backup_dir, save_freq: int | str='epoch', delete_checkpoint: bool=True) -> None: ...
    def on_train_begin(self, run_context: RunContext) -> None: """Load the file of an interrupted run."""
    def on_train_end(self, run_context: RunContext) -> None: """Remove the file: training came to its end."""
    def on_train_epoch_end(self, run_context: RunContext) -> None: """Save if it is time."""
    backup_file: Any
    save_freq: Any
    delete_checkpoint: Any
class CallbackList(Callback):
    """Several callbacks as one: each method calls that of each callback in turn, and leaving the list (`__exit__`) leaves each."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error) -> Any: ...
    def __init__(self, callbacks) -> None: ...
    def begin(self, run_context) -> None: """Before training or evaluation."""
    def call(self, moment, run_context: RunContext) -> None: """Call one moment on all callbacks."""
    def end(self, run_context) -> None: """After training or evaluation."""
    def epoch_begin(self, run_context) -> None: """Before each epoch."""
    def epoch_end(self, run_context) -> None: """After each epoch."""
    def on_eval_begin(self, run_context) -> None: """Before training or evaluation (evaluation)."""
    def on_eval_end(self, run_context) -> None: """After training or evaluation (evaluation)."""
    def on_eval_epoch_begin(self, run_context) -> None: """Before each epoch (evaluation)."""
    def on_eval_epoch_end(self, run_context) -> None: """After each epoch (evaluation)."""
    def on_eval_step_begin(self, run_context) -> None: """Before each step (sunk: before each call) (evaluation)."""
    def on_eval_step_end(self, run_context) -> None: """After each step (sunk: after each call) (evaluation)."""
    def on_train_begin(self, run_context) -> None: """Before training or evaluation (training)."""
    def on_train_end(self, run_context) -> None: """After training or evaluation (training)."""
    def on_train_epoch_begin(self, run_context) -> None: """Before each epoch (training)."""
    def on_train_epoch_end(self, run_context) -> None: """After each epoch (training)."""
    def on_train_step_begin(self, run_context) -> None: """Before each step (sunk: before each call) (training)."""
    def on_train_step_end(self, run_context) -> None: """After each step (sunk: after each call) (training)."""
    def step_begin(self, run_context) -> None: """Before each step (sunk: before each call)."""
    def step_end(self, run_context) -> None: """After each step (sunk: after each call)."""
    callbacks: Any
class CheckpointConfig:
    """When to save checkpoints, and their content."""
    def __init__(self, save_checkpoint_steps: int | None=1, save_checkpoint_seconds: int | None=0, keep_checkpoint_max: int | None=5, keep_checkpoint_per_n_minutes: int | None=0, integrated_save: bool=True, async_save: bool | Literal['process', 'thread']=False, saved_network: Cell | None=None, append_info: list[Any] | None=None, enc_key: bytes | None=None, enc_mode: str='AES-GCM', exception_save: bool=False, crc_check: bool=False, remove_redundancy: bool=False, format: str='ckpt', *, incremental: bool=..., enable_redundance: bool=...) -> None: ...
    append_dict: Any
    async_save: Any
    crc_check: Any
    enc_key: Any
    enc_mode: Any
    format: Any
    def get_checkpoint_policy(self) -> dict[str, Any]: """Dict of the settings for saving and for removing old files."""
    integrated_save: Any
    keep_checkpoint_max: Any
    keep_checkpoint_per_n_minutes: Any
    map_param_inc: Any
    save_checkpoint_seconds: Any
    save_checkpoint_steps: Any
    saved_network: Any
    exception_save: Any
    enable_redundance: Any
    remove_redundancy: Any
class EarlyStopping(Callback):
    """Stops training when the watched number has not got better for `patience` epochs."""
    def __init__(self, monitor: str='eval_loss', min_delta: int | float=0, patience: int=0, verbose: bool=False, mode: Literal['auto', 'min', 'max']='auto', baseline=None, restore_best_weights: bool=False) -> None: ...
    def is_improvement(self, value, best) -> Any: """Whether a value is better than another by at least `min_delta`."""
    def on_train_begin(self, run_context: RunContext) -> None: """Forget an earlier run."""
    def on_train_end(self, run_context: RunContext) -> None: """Say at which epoch training was stopped."""
    def on_train_epoch_end(self, run_context: RunContext) -> None: """Look at the number; stop if it is time."""
    baseline: Any
    restore_best_weights: Any
    stopped_epoch: Any
    best_weights_param_dict: Any
    best: Any
    wait: Any
    monitor: Any
    mode: Any
    min_delta: Any
    patience: Any
    verbose: Any
class FlopsUtilizationCollector(Callback):
    """Prints the operations of a step, and with steps their time and the share of the device's peak: for the model's"""
    def __init__(self, data_size: int, computility: int | float=1, full_flops: bool=True, enable_ma_collector: bool=False) -> None: ...
    def step_begin(self, run_context: RunContext) -> None: """Note the time."""
    def step_end(self, run_context: RunContext) -> None: """Count the operations at the first step; print."""
    full_flops: Any
    ma: Any
    data_size: Any
    computility: Any
    verbose: Any
    full_model_flops: Any
    full_hardware_flops: Any
    shard_model_flops: Any
    shard_hardware_flops: Any
    full_mfu: Any
    full_hfu: Any
    shard_mfu: Any
    shard_hfu: Any
    mfu_calculated: Any
    batch_step_size: Any
    step_time: Any
class History(Callback):
    """Keeps the network's output (the loss) and the metrics of `Model.fit` for each epoch: `history` is a dict of"""
    def __init__(self) -> None: ...
    def begin(self, run_context: RunContext) -> None: """Begin a list of epochs."""
    def epoch_end(self, run_context: RunContext) -> None: """Receive the epoch's result."""
    history: Any
    epoch: Any
class InternalCallbackParam(dict):
    """The values that callbacks read: a dict whose items are also attributes."""
    def __getattr__(self, name) -> Any: ...
    def __setattr__(self, name, value) -> None: ...
class LambdaCallback(Callback):
    """Calls the given functions at their moments; each gets the RunContext."""
    def __init__(self, on_train_epoch_begin=None, on_train_epoch_end=None, on_train_step_begin=None, on_train_step_end=None, on_train_begin=None, on_train_end=None, on_eval_epoch_begin=None, on_eval_epoch_end=None, on_eval_step_begin=None, on_eval_step_end=None, on_eval_begin=None, on_eval_end=None) -> None: ...
class LearningRateScheduler(Callback):
    """Changes the learning rate after each step: `learning_rate_function(rate, step)` gives the new one."""
    def __init__(self, learning_rate_function: Callable[..., Any]) -> None: ...
    def step_end(self, run_context: RunContext) -> None: """Ask for the rate, and set it if it is a new one."""
    learning_rate_function: Any
class LossMonitor(Callback):
    """Prints the loss every `per_print_times` steps (sunk: epochs); stops with ValueError when it is NaN or infinite."""
    def __init__(self, per_print_times: int=1) -> None: ...
    def on_train_epoch_end(self, run_context: RunContext) -> None: """Print the metrics of an evaluation that ran between epochs."""
    def step_end(self, run_context: RunContext) -> None: """Print the loss if it is time. Other losses are looked at once the device has them: no step waits for them."""
class ModelCheckpoint(Callback):
    """Saves checkpoints `<prefix>-<epoch>_<step>.ckpt` while training, and keeps the newest; in GRAPH_MODE once the compiled step as"""
    def __init__(self, prefix: str | Callable[..., Any]='CKP', directory=None, config: CheckpointConfig | None=None) -> None: ...
    def end(self, run_context: RunContext) -> None: """Save the last state, if it is not saved yet."""
    @property
    def get_ckpt_path(self) -> Any: ...
    @property
    def latest_ckpt_file_name(self) -> Any: ...
    def save_breakpoint(self, network: Cell, epoch: int, step) -> None: """Save `<prefix>-<epoch>_<step>_breakpoint.ckpt` if `exception_save` asks for it: an exception ends the training."""
    def step_end(self, run_context: RunContext) -> None: """Save if it is time."""
class OnRequestExit(Callback):
    """Ends training or evaluation after the present step when a signal comes or a file says so, and saves the network."""
    def __exit__(self, *error) -> None: ...
    def __init__(self, save_ckpt: bool=True, save_mindir: bool=True, file_name: str='Net', directory: Any='./', config_file=None, sig: int | bool=...) -> None: ...
    key: Any
    def on_eval_begin(self, run_context: RunContext) -> None: """Listen for the signal; load the state that an earlier run saved."""
    def on_eval_end(self, run_context: RunContext) -> None: """Save, if the end was asked for."""
    def on_eval_step_end(self, run_context: RunContext) -> None: """Stop if it was asked for."""
    def on_train_begin(self, run_context: RunContext) -> None: """Listen for the signal; load the state that an earlier run saved."""
    def on_train_end(self, run_context: RunContext) -> None: """Save, if the end was asked for."""
    def on_train_epoch_end(self, run_context: RunContext) -> None: """Stop if it was asked for."""
    def on_train_step_end(self, run_context: RunContext) -> None: """Stop if it was asked for."""
    save_ckpt: Any
    save_mindir: Any
    sig: Any
    exit: Any
    remote_config_file: Any
    train_name: Any
    eval_name: Any
class ReduceLROnPlateau(Callback):
    """Multiplies the learning rate by `factor` when the watched number has not got better for `patience` epochs."""
    def __init__(self, monitor: str='eval_loss', factor: Any=0.1, patience: int=10, verbose: bool=False, mode: Literal['auto', 'min', 'max']='auto', min_delta: int | float=0.0001, cooldown: int=0, min_lr: int | float=0) -> None: ...
    def is_improvement(self, value, best) -> Any: """Whether a value is better than another by at least `min_delta`."""
    def on_train_begin(self, run_context: RunContext) -> None: """Forget an earlier run."""
    def on_train_epoch_end(self, run_context: RunContext) -> None: """Look at the number; lower the rate if it is time."""
    factor: Any
    cooldown: Any
    min_lr: Any
    cooldown_counter: Any
    wait: Any
    best: Any
    monitor: Any
    mode: Any
    min_delta: Any
    patience: Any
    verbose: Any
class SummaryCollector(Callback):
    """Records a training run for TensorBoard: `tensorboard --logdir <summary_dir>`."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error) -> None: ...
    def __init__(self, summary_dir: str, collect_freq: int=10, num_process: Any=32, collect_specified_data: dict[str, Any] | None=None, keep_default_action: bool=True, custom_lineage_data: dict[str, int | str | float] | None=None, collect_tensor_freq: int | None=None, max_file_size: int | None=None, export_options: dict[Literal['tensor_format'], Literal['npy'] | None] | None=None) -> None: ...
    def begin(self, run_context: RunContext) -> None: """Check that there is no other SummaryCollector."""
    def end(self, run_context: RunContext) -> None: """Record settings and results."""
    def epoch_end(self, run_context: RunContext) -> None: """Record the values that are due; write to the disk."""
    def step_end(self, run_context: RunContext) -> None: """Record the values that are due."""
class SummaryLandscape:
    """Computes the loss on a plane through the weights that `SummaryCollector(collect_landscape=…)` saved."""
    def __init__(self, summary_dir: str) -> None: ...
    def clean_ckpt(self) -> None: """Remove the saved weights."""
    def gen_landscapes_with_multi_process(self, callback_fn: Callable[..., Any], collect_landscape: dict | None=None, device_ids: Sequence[int] | None=None, output=None) -> None: """Compute and write the landscapes: Tensors `landscape_<interval>/x`, `/y`, `/loss` and `/path`."""
class TimeMonitor(Callback):
    """Prints the time of each epoch and the mean time of a step."""
    def __init__(self, data_size=None, data_time: bool=False) -> None: ...
    data_size: Any
    data_time: Any
    def epoch_begin(self, run_context: RunContext) -> None: """Note the time."""
    def epoch_end(self, run_context: RunContext) -> None: """Print the time since the epoch began."""
    epoch_time: Any
    def on_train_step_begin(self, run_context: RunContext) -> None: """The data is there."""
    def on_train_step_end(self, run_context: RunContext) -> None: """The next data is asked for."""
class TrainFaultTolerance(Callback):
    """Saves a last checkpoint when training ends with an error: `ttp_rank_0-<epoch>_<step>.ckpt`."""
    def __exit__(self, kind, error, traceback) -> None: ...
    def __init__(self, ckpt_save_path: str | None=None, **kwargs) -> None: ...
    def end(self, run_context: RunContext) -> None: """Training came to its end: there is nothing to save."""
    @classmethod
    def get_optimizer_wrapper(cls, origin_opt_cls) -> Any: """The optimizer class itself: a step here is one program, whose failure leaves all Parameters as they were."""
    def on_train_begin(self, run_context: RunContext) -> None: """Remember the run's network and optimizer."""
    def on_train_step_begin(self, run_context: RunContext) -> None: """Remember the run's network and optimizer."""
    def on_train_step_end(self, run_context: RunContext) -> None: """Remember the run's network and optimizer."""
