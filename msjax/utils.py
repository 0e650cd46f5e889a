"""`mindspore.utils`: exchange of Tensors with other packages, and checks of Ascend hardware, which are accepted."""

import os
from typing import Literal

from . import log
from .alias.names import MissingNames
from .core.operators.dispatch import MsDispatchMode
from .core.spec.checking import checked
from .core.spec.rules import AsValue
from .core.values.interop import from_dlpack, to_dlpack
from .nn.wrap.exit_request import ExitByRequest
from .parallel.execution_order import comm_exec_order_check, runtime_execution_order_check

__all__ = [
    "ExitByRequest",
    "MsDispatchMode",
    "RSCPluginHandle",
    "TFTCommValue",
    "comm_exec_order_check",
    "from_dlpack",
    "get_sdc_detect_result",
    "runtime_execution_order_check",
    "sdc_detect_start",
    "sdc_detect_stop",
    "stress_detect",
    "to_dlpack",
]
__getattr__ = MissingNames(__name__)


@checked
def stress_detect(detect_type: Literal["aic", "hccs"] = "aic"):
    """Test Ascend hardware under load: returns 0 (no fault), because there is no such hardware.

    Raises:
        TypeError, ValueError: `detect_type` is none of "aic", "hccs".
    """
    return 0


def sdc_detect_start():
    """Start the detection of silent faults of Ascend hardware: without such hardware it only logs a notice."""
    log.warning("'sdc_detect_start' checks Ascend hardware; there is none here.")


def sdc_detect_stop():
    """Stop looking for silent faults."""


def get_sdc_detect_result():
    """Whether a silent fault was found: False."""
    return False


class TFTCommValue:
    """The settings of MS_ENABLE_TFT that MindSpore's fault tolerance on Ascend clusters knows."""

    ENABLE_MINDX = ["TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1", "RSC:1"]
    NEED_MINDIO = ENABLE_MINDX[:-1]
    DISABLE_WATCHDOG = ["ARF:1", "TSP:1", "HCCE:1"]


class RSCPluginHandle:
    """The agent of an Ascend cluster that restarts training after a fault: msjax has none."""

    def check_enable(self):
        """Whether the agent is on: False."""
        return False

    @checked
    def register_callback(self, func_map: AsValue[dict]):
        """False: no agent takes the functions. ValueError: `func_map` is not a dict."""
        return False

    def start(self):
        """RuntimeError: msjax has no agent."""
        raise RuntimeError(
            "'RSCPluginHandle.start' needs MindX, which is for Ascend clusters: use the callbacks "
            "OnRequestExit and ModelCheckpoint, and load the last checkpoint when training starts again."
        )


class _FaultTolerance:
    """Handle of MindIO's fault tolerance on Ascend clusters: there is none here."""

    def get_tft(self):
        """The package: None."""
        return None

    def init(self, **kwargs):
        """ValueError: the switch is not set. RuntimeError: it is set, but MindIO is not available."""
        if not any(option in os.environ.get("MS_ENABLE_TFT", "") for option in TFTCommValue.NEED_MINDIO):
            raise ValueError(f"MindIO TFT register need custom switch on one of:{TFTCommValue.NEED_MINDIO}")
        raise RuntimeError(
            "MindIO's fault tolerance is for Ascend clusters: use the callbacks OnRequestExit and ModelCheckpoint."
        )

    def unregister_tft(self):
        """Nothing was registered."""


_tft_handler = _FaultTolerance()


def _reuse_data_ptr(dst, src):
    """RuntimeError: memory is JAX's."""
    raise RuntimeError(
        "'_reuse_data_ptr' gives two Tensors one memory, which is JAX's here: use dst.assign_value(src)."
    )
