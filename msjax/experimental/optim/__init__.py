"""Optimizers with torch-like arguments: each group of Parameters is a dict of options that may be changed between
steps.
"""

from . import lr_scheduler
from .adam import Adam, Adamax, AdamW, NAdam, RAdam, SpeedAdamW  # noqa: F401
from .adaptive import ASGD, SGD, Adadelta, Adagrad, RMSprop, Rprop
from .optimizer import Optimizer

__all__ = [
    "ASGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SGD",
    "lr_scheduler",
]
