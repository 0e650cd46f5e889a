"""What the fuzzers whose cases are texts share: modules made of a text, and a quiet MindSpore after an exception."""

import itertools
import linecache
import pathlib
import re
import sys
import types

import mindspore as ms
from mindspore import Tensor
from mindspore.common.api import _pynative_executor

HERE = pathlib.Path(__file__).resolve().parent
KEPT = 50  # modules whose source can be asked for
_numbers = itertools.count()


def module_of(source, names, folder=None):
    """A module of a source text that `inspect.getsource` finds, as MindSpore's compiler wants it; the last KEPT are kept.

    folder: where the text becomes a file, which MindSpore's `rewrite` wants.
    """
    number = next(_numbers)
    module = types.ModuleType(f"fuzz_{number}")  # MindSpore's compiler asks for the function's module and file
    module.__file__ = f"<fuzz {number}>"
    if folder is not None:
        path = pathlib.Path(folder).resolve() / f"{module.__name__}.py"
        path.write_text(source)
        module.__file__ = str(path)
    module.__dict__.update(names)
    linecache.cache[module.__file__] = len(source), None, source.splitlines(keepends=True), module.__file__
    sys.modules[module.__name__] = module
    old = sys.modules.pop(f"fuzz_{number - KEPT}", None)
    linecache.cache.pop(old and old.__file__, None)
    exec(compile(source, module.__file__, "exec"), module.__dict__)
    return module


def tables_of(name):
    """{name of a table: texts} of a file of this folder: `%% NAME` begins a table, `%%` the next text of it."""
    found = {}
    for table in re.split(r"(?m)^%% ", (HERE / name).read_text())[1:]:
        title, _, texts = table.partition("\n")
        found[title] = [text.strip("\n") for text in re.split(r"(?m)^%%\n", texts)]
    return found


def guarded(call):
    """What `call` gives, as plain data; ["!", built-in type, message] of an exception."""
    try:
        return call()
    except Exception as error:
        settle()
        kind = next(t for t in type(error).__mro__ if t.__module__ == "builtins")
        return ["!", kind.__name__, str(error)[:300]]


def settle():
    """Leave nothing of an exception for the next case: no error of MindSpore's asynchronous execution, and no gradient half way.

    After a gradient that raised, MindSpore would take each number of an index in the next one for something else, and raise ever after.
    """
    if hasattr(_pynative_executor, "clear_res"):  # MindSpore: msjax leaves no gradient half way
        _pynative_executor.clear_res()
    for _ in range(100):
        try:
            return (Tensor([1.0], ms.float32) + 1).asnumpy()
        except Exception:
            continue
