"""Callbacks of `Model`."""
from .base import Callback, CallbackList, InternalCallbackParam, RunContext
from .checkpoint import CheckpointConfig, ModelCheckpoint
from .monitor import LossMonitor, TimeMonitor

__all__ = ["Callback", "CallbackList", "CheckpointConfig", "InternalCallbackParam", "LossMonitor", "ModelCheckpoint", "RunContext", "TimeMonitor"]
