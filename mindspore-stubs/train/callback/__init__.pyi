"""Made by `python -m msjax stubs`: do not edit."""
from . import _backup_and_restore as _backup_and_restore
from . import _callback as _callback
from . import _checkpoint as _checkpoint
from . import _dataset_graph as _dataset_graph
from . import _early_stop as _early_stop
from . import _fl_manager as _fl_manager
from . import _flops_collector as _flops_collector
from . import _history as _history
from . import _lambda_callback as _lambda_callback
from . import _landscape as _landscape
from . import _loss_monitor as _loss_monitor
from . import _lr_scheduler_callback as _lr_scheduler_callback
from . import _on_request_exit as _on_request_exit
from . import _reduce_lr_on_plateau as _reduce_lr_on_plateau
from . import _summary_collector as _summary_collector
from . import _time_monitor as _time_monitor
from . import _train_fault_tolerance as _train_fault_tolerance
from msjax import *
from msjax.train.inner import *
from msjax.train import *
from msjax.train.callback import *
