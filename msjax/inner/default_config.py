"""What the package was built for, as MindSpore's build writes it: converted code asks `"gpu" in __device_target__`."""

from ..core.settings.device import is_available

__backend__ = "ms"
__package_name__ = "mindspore"


def __getattr__(name):
    if name == "__device_target__":  # of 1.x: the devices that set_context takes, in a text ("gpu or cpu")
        return " or ".join(kind.lower() for kind in ("Ascend", "GPU", "CPU") if is_available(kind))
    raise AttributeError(f"module 'mindspore.default_config' has no attribute '{name}'", name=name)
