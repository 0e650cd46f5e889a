"""Modules that `import mindspore` loads in MindSpore itself, so that scripts use them without importing them: `import PIL; PIL.Image.open(...)`.

They are loaded when they are asked for: Pillow takes 70 ms, which a script without images need not pay.
"""

import importlib
import importlib.util
import sys

# package -> its modules that MindSpore loads
_CARRIED = {
    "PIL": "ExifTags Image ImageColor ImageDraw ImageEnhance ImageFile ImageFilter ImageMode ImageOps ImageStat".split(),
    "concurrent": ["futures"],
    "multiprocessing": "connection dummy managers pool queues shared_memory".split(),
}


_lent = {}  # package -> the function that it was given


def _loading(package, names):
    def __getattr__(name):
        if name in names:
            return importlib.import_module(f"{package}.{name}")
        raise AttributeError(f"module '{package}' has no attribute '{name}'", name=name)

    return __getattr__


def offer():
    """Let the packages, where they are installed, load these modules on demand."""
    for package, names in _CARRIED.items():
        if package in sys.modules or importlib.util.find_spec(package) is not None:
            module = importlib.import_module(package)  # 1 ms: the package alone
            if "__getattr__" not in vars(module):
                module.__getattr__ = _lent[package] = _loading(package, names)


def withdraw():
    """Undo `offer`; modules that were loaded stay."""
    while _lent:
        package, lent = _lent.popitem()
        module = sys.modules.get(package)
        if vars(module).get("__getattr__") is lent:
            del module.__getattr__
