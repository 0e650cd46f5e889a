"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import ParallelMode as ParallelMode
from msjax.train.callback import CallbackList as _CallbackList
_CallbackManager = _CallbackList
from msjax.train.callback.checkpoint_files import CheckpointManager as _CheckpointManager_
_CheckpointManager = _CheckpointManager_
from msjax.train.callback import InternalCallbackParam as _InternalCallbackParam_
_InternalCallbackParam = _InternalCallbackParam_
from msjax.train.inner import _StepSync as _StepSync
from msjax.train.inner import checkpoint_cb_for_save_op as _checkpoint_cb_for_save_op_
_checkpoint_cb_for_save_op = _checkpoint_cb_for_save_op_
from msjax.train.inner import _chg_ckpt_file_name_if_same_exist as _chg_ckpt_file_name_if_same_exist
from msjax.train.inner import _construct_tensor_list as _construct_tensor_list
from msjax.train.inner import _enable_distributed_mindrt as _enable_distributed_mindrt
from msjax.train.inner import _exec_save as _exec_save
from msjax.train.inner import _get_merged_param_data as _get_merged_param_data
from msjax.train.inner import _is_auto_parallel_mode as _is_auto_parallel_mode
from msjax.train.inner import _make_directory as _make_directory
from msjax.train.inner import _pynative_executor as _pynative_executor
from msjax.train.inner import _save_final_ckpt as _save_final_ckpt
from msjax.train.inner import _save_graph as _save_graph
from msjax.train.inner import set_cur_net as _set_cur_net_
_set_cur_net = _set_cur_net_
from msjax.train.inner import _set_training_dataset as _set_training_dataset
from msjax.train.inner import _transfer_tensor_to_tuple as _transfer_tensor_to_tuple
from msjax.core.spec.texts import complete as _complete_
_complete = _complete_
from msjax.train.callback.base import _handle_loss as _handle_loss
from msjax.train.callback._summary_collector import *
from msjax.train.callback import *
from msjax.train import *
from msjax.train.inner import *
from msjax import *
from msjax import *
from msjax.train.inner import *
from msjax.train import *
from msjax.train.callback import *
from msjax.train.callback._summary_collector import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import ParallelMode as ParallelMode
from msjax.train.callback import CallbackList as _CallbackList
_CallbackManager = _CallbackList
from msjax.train.callback.checkpoint_files import CheckpointManager as _CheckpointManager_
_CheckpointManager = _CheckpointManager_
from msjax.train.callback import InternalCallbackParam as _InternalCallbackParam_
_InternalCallbackParam = _InternalCallbackParam_
from msjax.train.inner import _StepSync as _StepSync
from msjax.train.inner import checkpoint_cb_for_save_op as _checkpoint_cb_for_save_op_
_checkpoint_cb_for_save_op = _checkpoint_cb_for_save_op_
from msjax.train.inner import _chg_ckpt_file_name_if_same_exist as _chg_ckpt_file_name_if_same_exist
from msjax.train.inner import _construct_tensor_list as _construct_tensor_list
from msjax.train.inner import _enable_distributed_mindrt as _enable_distributed_mindrt
from msjax.train.inner import _exec_save as _exec_save
from msjax.train.inner import _get_merged_param_data as _get_merged_param_data
from msjax.train.inner import _is_auto_parallel_mode as _is_auto_parallel_mode
from msjax.train.inner import _make_directory as _make_directory
from msjax.train.inner import _pynative_executor as _pynative_executor
from msjax.train.inner import _save_final_ckpt as _save_final_ckpt
from msjax.train.inner import _save_graph as _save_graph
from msjax.train.inner import set_cur_net as _set_cur_net_
_set_cur_net = _set_cur_net_
from msjax.train.inner import _set_training_dataset as _set_training_dataset
from msjax.train.inner import _transfer_tensor_to_tuple as _transfer_tensor_to_tuple
from msjax.core.spec.texts import complete as _complete_
_complete = _complete_
from msjax.train.callback.base import _handle_loss as _handle_loss
from typing import Any
def __getattr__(name: str) -> Any: ...
