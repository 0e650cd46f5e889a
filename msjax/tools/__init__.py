"""Commands for people: doctor, scan, and the generators of the reference pages; and the names of `mindspore.tools`."""

from ..core.device_settings import set_dump
from ..utils import get_sdc_detect_result, sdc_detect_start, sdc_detect_stop, stress_detect

__all__ = ["get_sdc_detect_result", "sdc_detect_start", "sdc_detect_stop", "set_dump", "stress_detect"]
