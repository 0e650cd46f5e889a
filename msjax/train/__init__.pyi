"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.train import amp as amp
from msjax.train.callback import BackupAndRestore as BackupAndRestore
from msjax.train.callback import CallbackList as CallbackList
from msjax.train.callback import CheckpointConfig as CheckpointConfig
from msjax.train.callback import EarlyStopping as EarlyStopping
from msjax.train.callback import FlopsUtilizationCollector as FlopsUtilizationCollector
from msjax.train.callback import History as History
from msjax.train.callback import InternalCallbackParam as InternalCallbackParam
from msjax.train.callback import LambdaCallback as LambdaCallback
from msjax.train.callback import LearningRateScheduler as LearningRateScheduler
from msjax.train.callback import LossMonitor as LossMonitor
from msjax.train.callback import ModelCheckpoint as ModelCheckpoint
from msjax.train.callback import OnRequestExit as OnRequestExit
from msjax.train.callback import ReduceLROnPlateau as ReduceLROnPlateau
from msjax.train.callback import SummaryCollector as SummaryCollector
from msjax.train.callback import SummaryLandscape as SummaryLandscape
from msjax.train.callback import TimeMonitor as TimeMonitor
from msjax.train.callback import TrainFaultTolerance as TrainFaultTolerance
from msjax.train.callback.base import Callback as Callback
from msjax.train.callback.base import RunContext as RunContext
from msjax.train.metrics import Accuracy as Accuracy
from msjax.train.metrics import BleuScore as BleuScore
from msjax.train.metrics import ConfusionMatrix as ConfusionMatrix
from msjax.train.metrics import ConfusionMatrixMetric as ConfusionMatrixMetric
from msjax.train.metrics import CosineSimilarity as CosineSimilarity
from msjax.train.metrics import Dice as Dice
from msjax.train.metrics import EvaluationBase as EvaluationBase
from msjax.train.metrics import F1 as F1
from msjax.train.metrics import Fbeta as Fbeta
from msjax.train.metrics import HausdorffDistance as HausdorffDistance
from msjax.train.metrics import Loss as Loss
from msjax.train.metrics import MAE as MAE
from msjax.train.metrics import MSE as MSE
from msjax.train.metrics import MeanSurfaceDistance as MeanSurfaceDistance
from msjax.train.metrics import Metric as Metric
from msjax.train.metrics import OcclusionSensitivity as OcclusionSensitivity
from msjax.train.metrics import Perplexity as Perplexity
from msjax.train.metrics import Precision as Precision
from msjax.train.metrics import ROC as ROC
from msjax.train.metrics import Recall as Recall
from msjax.train.metrics import RootMeanSquareDistance as RootMeanSquareDistance
from msjax.train.metrics import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from msjax.train.metrics import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from msjax.train.metrics import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from msjax.train.metrics import auc as auc
from msjax.train.metrics import get_metric_fn as get_metric_fn
from msjax.train.metrics import get_metrics as get_metrics
from msjax.train.metrics import names as names
from msjax.train.metrics import rearrange_inputs as rearrange_inputs
rank_list_for_transform = rank_list_for_convert
transform_checkpoint_by_rank = convert_checkpoint_by_rank
transform_checkpoints = convert_checkpoints

from msjax.core.values.parameter import Parameter as Parameter
from msjax.core.values.tensor import Tensor as Tensor
from msjax.nn import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
from msjax.nn.cell.cell import Cell as Cell
from msjax.train.checkpoint_loading import ParamDictFuture as ParamDictFuture
from msjax.train.export import Graph as Graph
from msjax.train.profiler import profile as profile
class ConvertModelUtils:
    """Turns a Model into one for the second-order optimizer."""
    @staticmethod
    def convert_to_thor_model(model, network: Cell, loss_fn=None, optimizer: Cell | None=None, metrics=None, amp_level: str='O0', loss_scale_manager=None, keep_batchnorm_fp32: bool=False) -> Any: """A ModelThor with these parts where the optimizer is `nn.thor`, else `model` as it is."""
class ConvertNetUtils:
    """Replaces the layers of a network by layers that record their Kronecker factors."""
    def convert_to_thor_net(self, net: Cell) -> None: """Replace Dense, Conv2d, Embedding and EmbeddingLookup inside `net`, which keep their Parameters."""
class DatasetHelper:
    """Iterates over a dataset, one epoch each time it is iterated."""
    def __init__(self, dataset, dataset_sink_mode: bool=True, sink_size: int=-1, epoch_num: int=1) -> None: ...
    def __iter__(self) -> Any: ...
    def batches(self, count: int) -> list[Any]: """The next `count` batches as tuples of host arrays; epochs follow each other without a break."""
    def continue_send(self) -> None: """Go on with the data stream: it is continuous by itself."""
    def dynamic_min_max_shapes(self) -> tuple[Any, Any]: """Smallest and largest shapes: those of a batch."""
    def get_data_info(self) -> tuple[list[Any], list[Any]]: """(dtypes, shapes) of a batch."""
    def get_send_info(self, run_context: RunContext) -> Any: """The times that sunk training waited for data: `info.epoch(number)` is a dict of one epoch."""
    def last_batch(self) -> Any: """The last batch that was sunk, as host arrays."""
    def release(self) -> None: """End the data stream."""
    def sink_count(self) -> Any: """Calls of the sunk network in one epoch."""
    def sink_size(self) -> Any: """Steps that are sunk together; 1 without sinking."""
    def steps_of_call(self) -> Any: """Steps that one call of the network runs: in PYNATIVE_MODE each step is a call, also in sink mode."""
    def stop_send(self) -> None: """End the data stream."""
    def types_shapes(self) -> tuple[list[Any], list[Any]]: """(dtypes, shapes) of a batch."""
    dataset: Any
    sink_mode: Any
    epoch_num: Any
class DynamicLossScaleManager(LossScaleManager):
    """A scale that grows after `scale_window` good steps, and is divided by `scale_factor` at an overflow."""
    def __init__(self, init_loss_scale: float=16777216, scale_factor: int=2, scale_window: int=2000) -> None: ...
    def get_loss_scale(self) -> Any: """The present scale."""
    def get_update_cell(self) -> DynamicLossScaleUpdateCell: """A DynamicLossScaleUpdateCell with these settings."""
    def update_loss_scale(self, overflow) -> None: """Learn whether a step overflowed; RuntimeError after 1000 overflows in a row."""
    loss_scale: Any
    scale_window: Any
    scale_factor: Any
    increase_ratio: Any
    decrease_ratio: Any
    cur_iter: Any
    last_overflow_iter: Any
    bad_step_max: Any
    bad_step: Any
class FixedLossScaleManager(LossScaleManager):
    """A scale that never changes."""
    def __init__(self, loss_scale: float=128.0, drop_overflow_update: bool=True) -> None: ...
    def get_drop_overflow_update(self) -> Any: """Whether steps that overflow are left out."""
    def get_loss_scale(self) -> Any: """The scale."""
    def get_update_cell(self) -> Any: """A FixedLossScaleUpdateCell, or None where overflowing steps are not left out."""
    def update_loss_scale(self, overflow) -> None: """Nothing: the scale is fixed."""
class LossScaleManager:
    """Base class: a subclass defines the scale, and is told about overflows."""
    def get_drop_overflow_update(self) -> bool: """Whether steps that overflow are left out."""
    def get_loss_scale(self) -> Any: """The present scale."""
    def get_update_cell(self) -> Any: """Cell that updates the scale on the device, or None."""
    def update_loss_scale(self, overflow) -> Any: """Learn whether a step overflowed."""
class Model:
    """Trains and evaluates a network."""
    def __init__(self, network: Cell, loss_fn=None, optimizer: Cell | None=None, metrics=None, eval_network: Cell | None=None, eval_indexes: list[int] | None=None, amp_level: Literal['O0', 'O1', 'O2', 'O3', 'auto']='O0', boost_level: Literal['O0', 'O1', 'O2']='O0', *, loss_scale_manager: LossScaleManager | None=..., keep_batchnorm_fp32: bool | None=..., boost_config_dict: Any=...) -> None: ...
    def build(self, train_dataset=None, valid_dataset=None, sink_size: int=-1, epoch: int=1, sink_mode: bool=True) -> None: """Compile the training and evaluation networks ahead of `train`, where a dataset is given."""
    def eval(self, valid_dataset, callbacks=None, dataset_sink_mode: bool=False) -> Any: """Evaluate the metrics on a dataset: dict from name to value. The network is left in evaluation mode."""
    @property
    def eval_network(self) -> Any: ...
    def fit(self, epoch: int, train_dataset, valid_dataset=None, valid_frequency: int | bool | list=1, callbacks=None, dataset_sink_mode: bool=False, valid_dataset_sink_mode: bool=False, sink_size: Literal[-1] | int=-1, initial_epoch: int=0) -> None: """Train, and evaluate on `valid_dataset` every `valid_frequency` epochs (a number, or a list of epochs)."""
    def infer_predict_layout(self, *predict_data, skip_backend_compile: bool=False) -> Any: """Layout of the Parameters in prediction, dict from name to layout."""
    def infer_train_layout(self, train_dataset, dataset_sink_mode: bool=True, sink_size: int=-1) -> Any: """Layout of the Parameters in training, dict from name to layout."""
    def predict(self, *predict_data, backend: Literal['lite'] | None=None, config=None) -> Any: """Output of the network, in evaluation mode, for the given Tensors. `backend`, `config`: accepted."""
    @property
    def predict_network(self) -> Cell: ...
    def train(self, epoch: int, train_dataset, callbacks=None, dataset_sink_mode: bool=False, sink_size: Literal[-1] | int=-1, initial_epoch: int=0) -> None: """Train for a number of epochs."""
    @property
    def train_network(self) -> Cell: ...
class Profiler(profile):
    """Records a trace from `start` (at once, if `start_profile`) to `stop`; `analyse` writes a table of the times."""
    def __init__(self, **kwargs) -> None: ...
    def analyse(self, offline_path=None, pretty: bool=False, step_list: list | None=None, mode: str='sync') -> None: """Stop, and write MindSpore's tables of operators, the timeline and the flame picture into the run's folder."""
    @classmethod
    def offline_analyse(cls, path, pretty: bool=False, step_list: list | None=None, data_simplification: bool=True) -> None: """The same for the runs below a folder."""
    def op_analyse(self, op_name: str | list, device_id=None) -> Any: """Times of some types of operators, as JSON: {type: [{'op_side', 'input_shape', 'op_occurrences', 'op_total_time(us)', ...}], 'device_id'}."""
    output_path: Any
class SummaryRecord:
    """Writes TensorBoard event files: `tensorboard --logdir <log_dir>` shows them."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error) -> None: ...
    def __init__(self, log_dir, file_prefix: str='events', file_suffix: str='_MS', num_process: Any=32, network: Cell | None=None, max_file_size: int | None=None, raise_exception: bool=False, export_options: dict[Literal['tensor_format'], Literal['npy'] | None] | None=None, *, queue_max_size: Any=..., flush_time: Any=...) -> None: ...
    def add_value(self, plugin, name: str, value) -> None: """Note a value for the next `record`; of several with one name the last counts."""
    def close(self) -> None: """Close the file."""
    count: Any
    def flush(self) -> None: """Write buffered data to the disk."""
    @property
    def log_dir(self) -> Any: ...
    def record(self, step: int, train_network: Cell | None=None, plugin_filter=None) -> bool: """Write all values that were noted since the last call."""
    def set_mode(self, mode: Literal['train', 'eval']) -> None: """Either 'train' or 'eval': in training `record` writes the values of the network's summary operators."""
    base_log_dir: Any
    network: Any
    max_file_size: Any
    raise_exception: Any
def async_ckpt_thread_status() -> bool: """Whether a checkpoint is being written in the background."""
def build_searched_strategy(strategy_filename) -> Any: """How Parameters are cut, read from a strategy file: {name: ParallelLayouts}, or None for None."""
def build_train_network(network: Cell, optimizer: Cell, loss_fn=None, level: Literal['O0', 'O1', 'O2', 'O3', 'auto']='O0', boost_level: Literal['O0', 'O1', 'O2']='O0', *, cast_model_type: Any=..., keep_batchnorm_fp32: bool=..., loss_scale_manager: LossScaleManager | None=...) -> Any: """A training step in mixed precision."""
def check_checkpoint(ckpt_file_name: str) -> bool: """Whether a file can be read as a checkpoint."""
def ckpt_to_safetensors(file_path: str, save_path: str | None=None, name_map: dict | None=None, file_name_regex=None, processes_num: int=1) -> None: """Convert a `.ckpt` file, or those in the folders `rank_*` of a folder, to `.safetensors`, beside them or in `save_path`."""
def connect_network_with_dataset(network: Cell, dataset_helper: DatasetHelper) -> Any: """A network that takes its data from a DatasetHelper: each call without arguments runs `sink_size` steps."""
def convert_checkpoint_by_rank(rank_id: int, checkpoint_files_map, save_checkpoint_file_name, src_strategy_file: str | None=None, dst_strategy_file: str | None=None) -> None: """Write the file of one rank under another strategy, of the files that `rank_list_for_transform` names."""
def convert_checkpoints(src_checkpoints_dir, dst_checkpoints_dir, ckpt_prefix, src_strategy_file: str | None=None, dst_strategy_file: str | None=None, process_num: int=1, output_format: str='ckpt') -> None: """Write the last file of each folder `rank_<n>` under another strategy, to `rank_<n>/<ckpt_prefix><n>.<format>` elsewhere."""
def data_sink(fn: Callable[..., Any], dataset, sink_size: int=1, jit_config: dict | None=None, input_signature=None, *, steps: Any=..., jit: Any=...) -> Callable[..., Any]: """Function without arguments that runs `fn` on the next `sink_size` batches of a dataset, and returns the last result."""
def export(net: Callable[..., Any], *inputs, file_name: str, file_format, functions=None, enc_key: bytes=..., enc_mode: str | Callable[..., Any]=..., dataset: Any=..., incremental: bool=..., custom_func: Callable[..., Any] | None=..., obf_config: dict=..., quant_mode: str=..., mean: float=..., std_dev: float=...) -> None: """Write a network with its weights to a file."""
def export_split_mindir(file_name: str, device_num: int=8, rank_id: int=0, dynamic: bool=True, sapp: bool=True) -> Any: """RuntimeError: a graph is not cut for several devices."""
def flops_collection(phase: str='train') -> Any: """RuntimeError: graphs have no phases to count."""
def get_ckpt_path_with_strategy(cur_ckpt_path: str, cur_strategy_path: str) -> Any: """The checkpoint to go on with after a failure: the process's own file, or that of a rank that holds the same; None if there is none."""
def load(file_name: str, *, dec_key: bytes=..., dec_mode: str | Callable[..., Any]=..., obf_func: Callable[..., Any]=...) -> Graph: """Read a network that `export` wrote, for `nn.GraphCell`."""
def load_checkpoint(ckpt_file_name: str, net: Cell | None=None, strict_load: bool=False, filter_prefix=None, dec_key: bytes | None=None, dec_mode: str='AES-GCM', specify_prefix=None, choice_func: Callable[..., Any] | None=None, crc_check: bool=False, remove_redundancy: bool=False, format: str='ckpt') -> dict[str, Parameter]: """Read a checkpoint file."""
def load_checkpoint_async(ckpt_file_name: str, net: Cell | None=None, strict_load: bool=False, filter_prefix=None, dec_key: bytes | None=None, dec_mode: Any='AES-GCM', specify_prefix=None, choice_func: Callable[..., Any] | None=None) -> ParamDictFuture: """As `load_checkpoint`, in the background: a ParamDictFuture, whose `result()` is the dict."""
def load_distributed_checkpoint(network: Cell, checkpoint_filenames=None, predict_strategy=None, train_strategy_filename=None, strict_load: bool=False, dec_key: bytes | None=None, dec_mode: Any='AES-GCM', format: str='ckpt', unified_safetensors_dir=None, dst_safetensors_dir=None, rank_id: int | None=None, output_format: str='safetensors', name_map: dict | None=None, max_process_num: int=64, return_param_dict: bool=False) -> Any: """Load a network from the files of several processes, or from a folder of safetensors files."""
def load_mindir(file_name: str) -> Graph: """As `load`."""
def load_obf_params_into_net(network, target_modules: list[str] | None=None, obf_ratios: Tensor | None=None, obf_config: dict | None=None, data_parallel_num: int=1, **kwargs) -> None: """RuntimeError: encrypt the file instead."""
def load_param_into_net(net: Cell, parameter_dict: dict, strict_load: bool=False, remove_redundancy: bool=False) -> tuple[list[Any], list[Any]]: """Give a Cell's Parameters the values of a dict. If one does not fit, nothing is changed."""
def load_run(path, *objects, dataset=None) -> Any: """Go on with the run of a file of `save_run`: everything is as it was after the step that it was written at."""
def load_segmented_checkpoints(ckpt_file_dir: str, net: Cell | None=None, strict_load: bool=False, filter_prefix=None, dec_key: bytes | None=None, dec_mode: Any='AES-GCM', specify_prefix=None, choice_func: Callable[..., Any] | None=None) -> dict[Any, Any]: """All `.ckpt` files of a folder as one dict of Parameters; arguments as for `load_checkpoint`."""
def merge_pipeline_strategys(src_strategy_dirs, dst_strategy_file: str | None) -> None: """Write the strategy files of a folder, one for each stage of a pipeline, as one; names get their stage in front."""
def merge_sliced_parameter(sliced_parameters: list, strategy=None) -> Parameter: """One Parameter of its slices."""
def mindio_preload(ckpt_file_name: str) -> bool: """Whether MindIO has read a checkpoint ahead: False; `load_checkpoint` reads it."""
def obfuscate_ckpt(network, ckpt_files: str, target_modules: list[str] | None=None, obf_config: dict | None=None, saved_path: str='./', obfuscate_scale: int=100) -> None: """RuntimeError: encrypt the file instead."""
def parse_print(print_file_name) -> Any: """Content of a file that `ops.Print` wrote: printing goes to the standard output here, so there is no such file to read."""
def rank_list_for_convert(rank_id: int, src_strategy_file: str | None=None, dst_strategy_file: str | None=None) -> list[Any]: """The ranks whose files MindSpore needs to make that of `rank_id` under another strategy; `transform_checkpoint_by_rank` reads"""
def register_saved_tensors_hooks(pack_hook: Callable[..., Any], unpack_hook: Callable[..., Any]) -> None: """RuntimeError: hooks cannot reach the values that XLA keeps."""
def restore_group_info_list(group_info_file_name: str) -> Any: """The ranks that hold the same Parameters, read from a group file."""
def safetensors_to_ckpt(file_path: str, save_path: str | None=None, name_map: dict | None=None, file_name_regex=None, processes_num: int=1) -> None: """As `ckpt_to_safetensors`, the other way."""
def save_checkpoint(save_obj: Cell | list | dict, ckpt_file_name, integrated_save: bool=True, async_save: bool | Literal['process', 'thread']=False, append_dict=None, enc_key: bytes | None=None, enc_mode: str='AES-GCM', choice_func: Callable[..., Any] | None=None, crc_check: bool=False, format: Literal['ckpt', 'safetensors']='ckpt', *, incremental: bool=..., global_step_num: int | None=..., remove_redundancy: bool | None=...) -> None: """Write Parameters to a file. It is written under another name first, so a crash leaves the old file as it was."""
def save_mindir(model: Graph, file_name: str) -> None: """Write a loaded network again."""
def save_run(path, *objects, dataset=None, step=None, **notes) -> None: """Write everything that the next step of a training run depends on. The file is replaced at once: a crash leaves the old one."""
class saved_tensors_hooks:
    """RuntimeError: hooks cannot reach the values that XLA keeps."""
    def __init__(self, pack_hook: Callable[..., Any], unpack_hook: Callable[..., Any]) -> None: ...
def set_mindio_server_info(data_block_pool_capacity_in_gb: int | float=100) -> None: """Size of MindIO's cache of checkpoint files: files are read directly here."""
def unified_safetensors(src_dir, src_strategy_file: str | None, dst_dir: str, merge_with_redundancy: bool=True, file_suffix=None, max_process_num: int=64, choice_func: Callable[..., Any] | None=None, split_dst_file: tuple=()) -> None: """Write all Parameters of the safetensors files below a folder into one, `part0.safetensors`."""
