"""Inner names of `mindspore.train` that libraries take over into training loops of their own."""

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import log
from ..core.operators.check import Validator as Validator
from ..core.settings import context
from ..core.settings.context import ParallelMode as ParallelMode  # leaked by `train.model`
from ..core.settings.execution_state import change, here
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor
from ..inner.compile_options import _pynative_executor
from .callback.base import Callback, CallbackList, InternalCallbackParam
from .callback.checkpoint_files import CheckpointManager, free_prefix
from .checkpoint_loading import load_param_into_net
from .checkpoint_messages import Checkpoint as Checkpoint  # leaked by `train.serialization`
from .checkpoint_saving import save_checkpoint
from .redundancy import get_parameter_redundancy as get_parameter_redundancy
from .summary.checks import check_value_type as check_value_type  # the first is a name of `train._utils`
from .summary.checks import make_folder as make_folder

if TYPE_CHECKING:
    from ..nn.cell.cell import Cell

_InternalCallbackParam, _CallbackManager, CallbackManager = InternalCallbackParam, CallbackList, CallbackList


def set_cur_net(net: "Cell"):
    """Note the network that `checkpoint_cb_for_save_op` loads into."""
    change(network=net)


def checkpoint_cb_for_save_op(parameter_list: Any):
    """Load [{"name": ..., "data": Tensor}, ...] into the noted network; whether there was one."""
    net = here().network
    if net is None:
        log.warning("There is no current network; no parameters are updated.")
        return False
    given = {row["name"]: Parameter(Tensor(row["data"].asnumpy()), name=row["name"]) for row in parameter_list}
    parameter_list.clear()
    load_param_into_net(net, given, strict_load=True)
    set_cur_net(None)
    return True


_set_cur_net, _checkpoint_cb_for_save_op = set_cur_net, checkpoint_cb_for_save_op


def _chg_ckpt_file_name_if_same_exist(directory, prefix, exception=False):
    """`prefix`, or `prefix_N` if files of earlier runs lie in the folder."""
    return prefix if callable(prefix) or callable(directory) else free_prefix(directory, prefix, exception)


_CheckpointManager = CheckpointManager


def _make_directory(path, arg_name="path"):
    """The absolute path of a folder, which is made if it is not there."""
    return make_folder(path, arg_name)


def _construct_tensor_list(types, shapes, batch_expand_num=1):
    """[[Tensor of ones for each column]] of the given types and shapes."""
    if len(types) != len(shapes):
        raise ValueError(f"There are {len(types)} types, but {len(shapes)} shapes.")
    row = []
    for kind, shape in zip(types, shapes):
        if any(n is None or n <= 0 for n in shape):
            raise ValueError(f"The shape of a column must be known and positive, but got {shape}.")
        expanded = (shape[0] * batch_expand_num, *shape[1:])
        row.append(Tensor(np.zeros(expanded), kind))
    return [row]


def remove_param_redundancy(param_redundancy_dict: Any, keep_redundancy: int = 1):
    """{rank: names that it saves}, so that each group of ranks saves a Parameter `keep_redundancy` times, spread evenly."""
    saved = {}
    for name, groups in param_redundancy_dict.items():
        for group in groups:
            for rank in group:
                saved.setdefault(rank, set())
            by_load = sorted(group, key=lambda rank: (len(saved[rank]), group.index(rank)))
            for rank in by_load[:keep_redundancy]:
                saved[rank].add(name)
    return saved


def _exec_save(ckpt_file_name, data_list, enc_key=None, enc_mode="AES-GCM", format="ckpt", **options):
    """Write {name: [shape, type, array or Tensor]} as a checkpoint file."""
    arrays = [(name, row[-1]) for name, row in data_list.items()]
    whole = [{"name": n, "data": a if isinstance(a, Tensor) else Tensor(np.asarray(a))} for n, a in arrays]
    save_checkpoint(whole, ckpt_file_name, enc_key=enc_key, enc_mode=enc_mode, format=format)


def _is_auto_parallel_mode(save_obj=None):
    """Whether MindSpore would cut the Parameters of this network itself."""
    return context.get_auto_parallel_context("parallel_mode") in ("semi_auto_parallel", "auto_parallel")


def _get_merged_param_data(net, parameter_layout_dict, param_name, param_data, integrated_save=True):
    """The whole of a Parameter: every process holds it so."""
    return param_data


def _save_graph(network, file_name):
    """Write the graph of a network; the compiled program is XLA's, see `msjax.explain`."""
    log.info(f"There is no graph of MindSpore's compiler to be written to {file_name}.")


class _StepSync(Callback):
    """Waits for the device after every step."""

    def step_end(self, run_context):
        _pynative_executor.sync()


def _transfer_tensor_to_tuple(inputs):
    """(inputs,), or the inputs themselves if they are several already."""
    return inputs if isinstance(inputs, (tuple, list)) else (inputs,)


def _enable_distributed_mindrt():
    """Whether MindSpore's runtime spreads one graph over processes: no."""
    return False


def _set_training_dataset(dataset):
    """MindSpore's hook that follows the dataset in use: nothing follows it here."""


def _save_final_ckpt(func):
    """Decorator of training loops: saves nothing by itself; use callbacks (OnRequestExit)."""

    @functools.wraps(func)
    def train(self, *args, **kwargs):
        return func(self, *args, **kwargs)

    return train
