"""`ops.CustomOpBuilder`: operators written in C++ against MindSpore's own classes, which can be described here but not built."""

from typing import Any

_WAY_OUT = (
    "its C++ sources use classes of MindSpore, which JAX does not have. Write the operator as a function of JAX arrays with "
    "msjax.register_op, or as a function of NumPy arrays with ops.Custom(func_type='pyfunc'); compiled code can be called from either "
    "(jax.ffi, ctypes)."
)


def _texts(name, value):
    """List of str from a str, a list, a tuple, or None (stays None)."""
    if value is None:
        return None
    value = [value] if isinstance(value, str) else value
    if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
        raise TypeError(f"For 'CustomOpBuilder', the '{name}' must be str or a list of str, but got {value!r}.")
    return list(value)


def _typed(name, value, kind):
    if not isinstance(value, kind):
        raise TypeError(
            f"For 'CustomOpBuilder', the '{name}' must be {kind[0].__name__}, but got {type(value).__name__}."
        )
    return value


class CustomOpBuilder:
    """Describes a module of operators in C++. `build` and `load` raise, and name the alternative.

    Args:
        name: name of the module. sources: path or paths of C++ files. backend: "CPU", "Ascend" or None. include_paths: path or paths.
        cflags, ldflags: more flags for compiler and linker. kwargs: build_dir (path), debug_mode, enable_atb, enable_asdsip (bools), op_def, op_doc
        (paths of YAML files).

    Raises:
        TypeError: an argument of another type. ValueError: another backend, or one that the enabled libraries do not have.

    Example:
        >>> ops.CustomOpBuilder("my_ops", "my_ops.cpp", backend="CPU").get_sources()
        ['my_ops.cpp']
    """

    def __init__(
        self,
        name: str,
        sources: Any,
        backend: str | None = None,
        include_paths: Any = None,
        cflags: Any = None,
        ldflags: Any = None,
        **kwargs,
    ):
        maybe = (str, type(None))
        self.name, self.source = (
            _typed("name", name, (str,)),
            _texts("sources", _typed("sources", sources, (str, list, tuple))),
        )
        self.backend, self.include_paths = _typed("backend", backend, maybe), _texts("include_paths", include_paths)
        if backend not in (None, "CPU", "Ascend"):
            raise ValueError(f"For 'CustomOpBuilder', the 'backend' must be 'CPU' or 'Ascend', but got {backend!r}.")
        self.cflags, self.ldflags = _typed("cflags", cflags, maybe), _typed("ldflags", ldflags, maybe)
        self.build_dir, self.debug_mode = (
            _typed("build_dir", kwargs.get("build_dir"), maybe),
            _typed("debug_mode", kwargs.get("debug_mode", False), (bool,)),
        )
        self.yaml, self.doc = _texts("op_def", kwargs.get("op_def")), _texts("op_doc", kwargs.get("op_doc"))
        for option in ("enable_atb", "enable_asdsip"):
            setattr(self, option, _typed(option, kwargs.get(option, False), (bool,)))
            if getattr(self, option) and backend == "CPU":
                raise ValueError(
                    f"For 'CustomOpBuilder' with '{option}', the 'backend' must be 'Ascend' or None, but got 'CPU'."
                )
        if self.enable_atb or self.enable_asdsip:
            self.backend = "Ascend"

    def get_sources(self):
        """List of the C++ files."""
        return list(self.source)

    def get_include_paths(self):
        """List of the paths that were given; there are no headers to add."""
        return list(self.include_paths or ())

    def get_cflags(self):
        """List of the compiler's flags."""
        flags = [f"-DMS_EXTENSION_NAME={self.name}", "-std=c++17", "-fPIC", "-g" if self.debug_mode else "-O2"]
        return flags + ([] if self.cflags is None else [self.cflags])

    def get_ldflags(self):
        """List of the linker's flags; there are no libraries to add."""
        return ["-shared"] + ([] if self.ldflags is None else [self.ldflags])

    def build(self):
        """Would compile the sources: raises RuntimeError with the nearest way out."""
        raise RuntimeError(f"For 'CustomOpBuilder', the module '{self.name}' can not be built: {_WAY_OUT}")

    def load(self):
        """Would compile the sources and import the module: raises RuntimeError with the nearest way out."""
        raise RuntimeError(f"For 'CustomOpBuilder', the module '{self.name}' can not be loaded: {_WAY_OUT}")
