"""`mindspore.utils`: exchange of Tensors with other packages, and checks of Ascend hardware, which are accepted."""
from . import log
from .alias.names import MissingNames
from .core.exchange import from_dlpack, to_dlpack
from .train.callback import OnRequestExit

__all__ = ["ExitByRequest", "comm_exec_order_check", "from_dlpack", "get_sdc_detect_result",
           "runtime_execution_order_check", "sdc_detect_start", "sdc_detect_stop", "stress_detect", "to_dlpack"]
__getattr__ = MissingNames(__name__)


def stress_detect(detect_type="aic"):
    """Test Ascend hardware under load: there is none here, so 0, no fault.

    Raises:
        TypeError, ValueError: `detect_type` is none of "aic", "hccs".
    """
    if not isinstance(detect_type, str):
        raise TypeError(f"For 'stress_detect', the 'detect_type' must be str, but got {type(detect_type).__name__}.")
    if detect_type not in ("aic", "hccs"):
        raise ValueError(f"For 'stress_detect', the 'detect_type' must be 'aic' or 'hccs', but got {detect_type}.")
    return 0


def sdc_detect_start():
    """Look for silent faults of Ascend hardware from now on: there is none here, which is said."""
    log.warning("'sdc_detect_start' checks Ascend hardware; there is none here.")


def sdc_detect_stop():
    """Stop looking for silent faults."""


def get_sdc_detect_result():
    """Whether a silent fault was found: False."""
    return False


def comm_exec_order_check(action):
    """Check the order of communication between processes: "start" or "end". One program has one order.

    Raises:
        TypeError, ValueError: `action` is neither.
    """
    if not isinstance(action, str):
        raise TypeError(f"Please input the correct action, but got {type(action).__name__}.")
    if action not in ("start", "end"):
        raise ValueError(f"Please input the correct action, 'start' or 'end', but got {action}.")


def runtime_execution_order_check(folders_, all_rank=None):
    """RuntimeError: the files that it compares are written by MindSpore's own runtime."""
    raise RuntimeError("'runtime_execution_order_check' compares files of MindSpore's own runtime; one program here "
                       "has one "
                       "order, which mindspore.explain(net) and the profiler show.")


class ExitByRequest:
    """RuntimeError: use the callback OnRequestExit."""

    def __init__(self):
        raise RuntimeError("'ExitByRequest' needs MindSpore's cluster manager: use the callback "
                           f"{OnRequestExit.__name__}.")
