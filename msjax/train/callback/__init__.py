"""Callbacks of `Model`."""

from .base import Callback, CallbackList, InternalCallbackParam, RunContext, _handle_loss  # noqa: F401
from .checkpoint import CheckpointConfig, ModelCheckpoint
from .flops import FlopsUtilizationCollector
from .functions import History, LambdaCallback, LearningRateScheduler
from .landscape import SummaryLandscape
from .monitor import LossMonitor, TimeMonitor
from .recovery import BackupAndRestore, OnRequestExit, TrainFaultTolerance
from .summary_collector import SummaryCollector
from .watching import EarlyStopping, ReduceLROnPlateau

__all__ = [
    "BackupAndRestore",
    "Callback",
    "CallbackList",
    "CheckpointConfig",
    "EarlyStopping",
    "FlopsUtilizationCollector",
    "History",
    "InternalCallbackParam",
    "LambdaCallback",
    "LearningRateScheduler",
    "LossMonitor",
    "ModelCheckpoint",
    "OnRequestExit",
    "ReduceLROnPlateau",
    "RunContext",
    "SummaryCollector",
    "SummaryLandscape",
    "TimeMonitor",
    "TrainFaultTolerance",
]
