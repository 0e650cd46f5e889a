"""Lets toolkits that MindSpore 2.10 cannot import run on it, so that they can be compared: names that it no longer has become
placeholders, and so do packages that need a newer NumPy than it allows (pyarrow, pandas, datasets, ...).
"""

import importlib
import importlib.machinery
import re
import sys
import types

PACKAGES = ("pyarrow", "pandas", "datasets", "evaluate", "_pytest.doctest", "numba", "librosa")


class _Kind(type):
    """A class with every attribute."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return cls


class Placeholder(metaclass=_Kind):
    """A base class, a decorator, a function, an instance: whatever the toolkit takes it for while it is imported."""

    def __new__(cls, *args, **kwargs):
        if len(args) == 1 and not kwargs and isinstance(args[0], (types.FunctionType, type)):
            return args[0]
        return super().__new__(cls)

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and not kwargs else self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __mro_entries__(self, bases):
        return (Placeholder,)


class _Package(types.ModuleType):
    """A module in which every name is a placeholder, and every submodule such a module."""

    def __init__(self, name):
        super().__init__(name)
        self.__path__, self.__spec__, self.__version__ = [], importlib.machinery.ModuleSpec(name, None), "99"

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Placeholder,), {})


class _Finder:
    def find_spec(self, name, path=None, target=None):
        known = any(name == p or name.startswith(f"{p}.") for p in PACKAGES)
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if known else None

    def create_module(self, spec):
        return _Package(spec.name)

    def exec_module(self, module):
        pass


def initialize_at_once():
    """`initializer` gives Tensors that hold their numbers: 2.10 itself refuses `set_data` of one that does not (rexnet of MindCV)."""
    module = importlib.import_module("mindspore.common.initializer")
    lazy = module.initializer

    def initializer(*args, **kwargs):
        made = lazy(*args, **kwargs)
        return made.init_data() if made.has_init else made

    module.initializer = initializer


def pad_by_pairs():
    """`ops.pad` takes a pair for each axis too, as in MindSpore 1.x (volo of MindCV): as the Primitive still does."""
    ops = importlib.import_module("mindspore.ops")
    pad = ops.pad

    def pad_(x, padding=None, *args, paddings=None, **kwargs):
        pairs = padding if paddings is None else paddings
        if isinstance(pairs, tuple) and pairs and isinstance(pairs[0], tuple):
            return ops.Pad(pairs)(x)
        return pad(x, padding, *args, **kwargs)

    ops.pad = pad_


def unfold_on_cpu():
    """`nn.Unfold` (the valid places, as toolkits have it), whose kernel MindSpore's CPU build lacks (volo of MindCV), by `ops.unfold`."""
    nn, ops = importlib.import_module("mindspore.nn"), importlib.import_module("mindspore.ops")

    class Unfold(nn.Cell):
        def __init__(self, ksizes, strides, rates, padding="valid"):
            super().__init__()
            self.sizes = ksizes[1:3], strides[1:3], rates[1:3]

        def construct(self, x):
            (n, c, height, width), ((kh, kw), stride, rate) = x.shape, self.sizes
            h, w = (height - (kh - 1) * rate[0] - 1) // stride[0] + 1, (width - (kw - 1) * rate[1] - 1) // stride[1] + 1
            columns = ops.unfold(x, (kh, kw), tuple(rate), 0, tuple(stride)).reshape(n, c, kh * kw, h, w)
            return columns.transpose(0, 2, 1, 3, 4).reshape(n, c * kh * kw, h, w)

    nn.Unfold = Unfold


def cells_cast():
    """`Cell.cast`, which every Cell had before 2.6 (Swin, Whisper and MAE of mindformers 1.3)."""
    nn, ops = importlib.import_module("mindspore.nn"), importlib.import_module("mindspore.ops")
    nn.Cell.cast = lambda self, x, dtype: ops.cast(x, dtype)


def missing(text):
    """(module, name) that an error says MindSpore lacks; the name is None for a module; None if it says something else."""
    for pattern, order in (
        (r"cannot import name '(\w+)' from '(mindspore[\w.]*)'", (2, 1)),
        (r"module '(mindspore[\w.]*)' has no attribute '(\w+)'", (1, 2)),
        (r"No module named '(mindspore[\w.]*)'", (1, None)),
        (r"type object '(_stub_tensor)' has no attribute '(\w+)'", (None, 2)),
    ):
        found = re.search(pattern, text)
        if found:
            module, name = (found.group(i) if i else None for i in order)
            return module or "mindspore.common._stub_tensor", name
    return None


def import_with_stand_ins(name, limit=300):
    """Import a toolkit again and again, with one more placeholder each time, until nothing is missing; the names that were."""
    sys.meta_path.insert(0, _Finder())
    added, package = [], name.split(".")[0]
    for _ in range(limit):
        try:
            importlib.import_module(name)
            return added
        except (ImportError, AttributeError) as error:
            found = missing(str(error))
            if found is None:
                raise
            module, member = found
            if member is None:
                above, _, member = module.rpartition(".")
                sys.modules[module] = _Package(module)
                setattr(importlib.import_module(above), member, sys.modules[module])
            else:
                owner = importlib.import_module(module) if module in sys.modules else None
                owner = owner if owner is not None else importlib.import_module(module)
                setattr(owner, member, type(member, (Placeholder,), {}))
            added.append(f"{module}.{member}")
            for key in [k for k in sys.modules if k == package or k.startswith(f"{package}.")]:
                del sys.modules[key]
    raise ImportError(f"{name}: more than {limit} names are missing")
