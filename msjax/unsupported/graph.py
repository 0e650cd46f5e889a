"""`mindspore.graph`: plug-ins for MindSpore's graph compiler, which refuse, for XLA compiles here; and `Symbol`."""

import enum
import os

from ..alias.names import MissingNames
from ..core.values.symbol import Symbol as Symbol  # of mindspore.graph.symbol

__all__ = [
    "CustomPassType",
    "clear_op_infer",
    "clear_op_wrapper",
    "register_custom_backend",
    "register_custom_pass",
    "register_op_infer",
    "register_op_wrapper",
]
__getattr__ = MissingNames(__name__)


class CustomPassType(enum.IntEnum):
    """Where MindSpore's compiler would apply a custom pass."""

    PATTERN, FULL_GRAPH = 0, 1


def _refuse(name, use):
    raise RuntimeError(f"'{name}' plugs into MindSpore's graph compiler; XLA compiles here: {use}")


def register_custom_pass(
    pass_name: str, plugin_so_path: str, device: str = "all", pass_type: CustomPassType = CustomPassType.PATTERN
):
    """RuntimeError: graphs are XLA's. TypeError: `pass_type` is not a CustomPassType."""
    if not isinstance(pass_type, CustomPassType):
        raise TypeError(f"pass_type must be of type CustomPassType, got {type(pass_type).__name__}")
    _refuse("register_custom_pass", "XLA fuses operators by itself; use msjax.register_op for a kernel of your own.")


def register_custom_backend(backend_name: str, backend_path: str):
    """RuntimeError: JAX's backends are used. ValueError: the path is not that of an absolute .so file."""
    if backend_name is None or backend_path is None:
        raise ValueError("Both backend_name and backend_path must be provided.")
    if not os.path.isabs(backend_path):
        raise ValueError(f"The backend_path must be an absolute path, got: {backend_path}")
    if not os.path.isfile(backend_path):
        raise ValueError(f"The file {backend_path} does not exist or permission denied!")
    if not backend_path.endswith(".so"):
        raise ValueError(f"The file {backend_path} is not a shared library!")
    _refuse("register_custom_backend", "JAX finds its own backends (plug-ins for PJRT).")


def _check_name(name, value):
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} must be a non-empty string")


def register_op_infer(op_name: str, infer_name: str):
    """RuntimeError: operators carry no attributes of a graph. ValueError: a name is empty or no str."""
    _check_name("op_name", op_name)
    _check_name("infer_name", infer_name)
    _refuse("register_op_infer", "shapes and dtypes are known when Python runs; compute what follows from them there.")


def register_op_wrapper(op_name: str):
    """RuntimeError: operators of compiled code are not replaced. ValueError: the name is empty or no str."""
    _check_name("op_name", op_name)
    _refuse("register_op_wrapper", "use mindspore.MsDispatchMode, which gets every operator call.")


def clear_op_infer():
    """Nothing can be registered, so nothing is to be cleared."""


def clear_op_wrapper():
    """Nothing can be registered, so nothing is to be cleared."""
