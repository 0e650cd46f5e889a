"""Runs documented examples, each in a process of its own, and compares their output with the documented output.

`python example_worker.py mindspore|msjax SECONDS`: jobs come on stdin, results go to stdout, one JSON object a line. Nothing but
Python's own library, so that a Python with MindSpore can run it, too.
"""

import ast
import builtins
import importlib
import io
import json
import linecache
import math
import os
import re
import select
import signal
import sys
import tempfile
import time
from collections.abc import Sequence

RTOL, ATOL = 1e-3, 1e-4
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![A-Za-z_0-9])|[-+]?(?:nan|inf)\b"
_TOKEN = re.compile(
    r"(?P<gap>\.\.\.)|(?P<number>(?<![A-Za-z_0-9.])(?:%s))|(?P<word>[A-Za-z_]\w*)|(?P<sign>\S)".replace("%s", _NUMBER)
)
_IMPORTS = {
    "mindspore": "mindspore", "ms": "mindspore", "np": "numpy", "nn": "mindspore.nn", "ops": "mindspore.ops",
    "mint": "mindspore.mint", "ds": "mindspore.dataset", "mnp": "mindspore.numpy", "P": "mindspore.ops", "F": "mindspore.ops",
    "C": "mindspore.ops", "context": "mindspore.context", "mstype": "mindspore.dtype", "vision": "mindspore.dataset.vision",
    "transforms": "mindspore.dataset.transforms", "text": "mindspore.dataset.text", "audio": "mindspore.dataset.audio",
    "Tensor": "mindspore:Tensor", "Parameter": "mindspore:Parameter", "jit": "mindspore:jit", "Model": "mindspore.train:Model",
    "initializer": "mindspore.common.initializer:initializer", "ParameterTuple": "mindspore:ParameterTuple",
    "set_context": "mindspore:set_context",
}  # fmt: skip

# What texts take from elsewhere ("refer to lenet.py"): a network and data of that shape.
_BORROWED = """
import numpy as np
import mindspore.dataset as ds
from mindspore import nn

class LeNet5(nn.Cell):
    def __init__(self, num_class=10, num_channel=1):
        super().__init__()
        self.conv1 = nn.Conv2d(num_channel, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * 5 * 5, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, num_class)

    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.flatten(self.max_pool2d(self.relu(self.conv2(x))))
        return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))

LeNet = Net = LeNet5

def create_dataset(*args, batch_size=32, num_samples=64, **kwargs):
    images = np.random.RandomState(0).rand(num_samples, 1, 32, 32).astype(np.float32)
    labels = np.arange(num_samples, dtype=np.int32) % 10
    data = ds.NumpySlicesDataset((images, labels), column_names=["image", "label"], shuffle=False)
    return data.batch(batch_size, drop_remainder=True)
"""
_BLOCKS = (ast.For, ast.While, ast.With, ast.If, ast.Try)
_BORROWS = ("LeNet5", "LeNet", "Net", "create_dataset")


def tokens(text: str):
    """The tokens of a text for comparison: numbers by value, words and signs literally; commas and memory addresses are
    ignored.
    """
    text = re.sub(r"\x1b\[[0-9;]*m|<BLANKLINE>|\b0x[0-9a-fA-F]{4,}\b", "", text)
    text = re.sub(r"\bnp\.\w+\(((?:[^()]|\([^()]*\))*)\)", r"\1", text)
    found = [(m.lastgroup, m.group()) for m in _TOKEN.finditer(text)]
    return [(kind, "'" if word == '"' else word) for kind, word in found if word != ","]


def _alike(got, want, atol):
    if got[0] != want[0]:
        return False
    if got[0] != "number":
        return got[1] == want[1]
    if re.fullmatch(r"[-+]?\d+", got[1]) and re.fullmatch(r"[-+]?\d+", want[1]):
        return int(got[1]) == int(want[1])
    a, b = float(got[1]), float(want[1])
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= atol + RTOL * abs(b)


def same_output(want: str, got: str):
    """Whether an output is the documented one: numbers to 1e-3, "..." for anything.

    Example:
        >>> from msjax.cli.example_worker import same_output
        >>> same_output("[1. 2.]", "[1.0001, 2.0]"), same_output("Float32", "Float16")
        (True, False)
    """
    want, got = tokens(want), tokens(got)
    sizes = [abs(float(v)) for kind, v in want if kind == "number" and math.isfinite(float(v))]
    atol = ATOL * min(1.0, max(sizes)) if sizes and max(sizes) else ATOL
    pieces = [[]]
    for token in want:
        if token[0] == "gap":
            pieces.append([])
        else:
            pieces[-1].append(token)
    if len(pieces) == 1:
        return len(want) == len(got) and all(_alike(g, w, atol) for g, w in zip(got, want))
    place = 0
    for i, piece in enumerate(pieces):
        starts = [place] if i == 0 else [len(got) - len(piece)] if i == len(pieces) - 1 else range(place, len(got))
        for start in starts:
            part = got[start : start + len(piece)]
            if start >= place and len(part) == len(piece) and all(_alike(g, w, atol) for g, w in zip(part, piece)):
                place = start + len(piece)
                break
        else:
            return False
    return True


def unbound(statements: Sequence[tuple[str, str]]):
    """Names that an example reads and nowhere binds: a few texts leave their imports out."""
    read, bound = set(), set(dir(builtins))
    for source, _ in statements:
        try:
            tree = ast.parse(source)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
            elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                bound.add(node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                bound.update(a.asname or a.name.split(".")[0] for a in node.names)
    return read - bound


def _given(name):
    module, _, attribute = _IMPORTS[name].partition(":")
    value = importlib.import_module(module)
    return getattr(value, attribute) if attribute else value


def _sourced(file, source):
    """Register `source` under the name `file`, so that code that reads sources (graphs, rewritten networks) finds it as
    in a script.
    """
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    return file


def run_example(statements: Sequence[tuple[str, str]], given: dict | None = None, home: str = ""):
    """{"status": "pass" | "runs" | "wrong" | "error", ...}: an example's statements, one after another, as at the prompt.

    given (dict): names that the text takes for granted, besides imports under their usual names. home: the module of the documented
    name; a few texts take its names for granted.
    """
    scope = {"__name__": "__main__", **(given or {})}
    missing = unbound(statements)
    if missing & set(_BORROWS):
        borrowed = {}
        exec(compile(_BORROWED, _sourced("<borrowed>", _BORROWED), "exec"), borrowed)
        scope.update((name, borrowed[name]) for name in _BORROWS)
    for name in missing & set(_IMPORTS):
        try:
            scope[name] = _given(name)
        except (ImportError, AttributeError):
            continue  # the statement that needs it says so
    for name in missing - set(scope):
        value = getattr(sys.modules.get(home), name, None)
        if value is not None:
            scope[name] = value
    compared = 0
    for number, (source, want) in enumerate(statements):
        out, error = io.StringIO(), None
        file = _sourced("<example %d>" % number, source)  # noqa: UP031
        before, sys.stdout = sys.stdout, out
        try:
            tree = ast.parse(source)
            for node in tree.body:
                if isinstance(node, _BLOCKS):  # texts do not show what the prompt echoes within a loop
                    exec(compile(ast.Module([node], []), file, "exec"), scope)
                else:
                    exec(compile(ast.Interactive([node]), file, "single"), scope)
        except BaseException as raised:
            error = raised
        finally:
            sys.stdout = before
        if want.lstrip().startswith("Traceback"):
            if error is None or type(error).__name__ not in want:
                return {"status": "wrong", "source": source, "want": want, "got": repr(error)}
            compared += 1
        elif error is not None:
            return {"status": "error", "source": source, "got": "%s: %s" % (type(error).__name__, str(error)[:300])}  # noqa: UP031
        elif want.strip():
            if not same_output(want, out.getvalue()):
                return {"status": "wrong", "source": source, "want": want[:500], "got": out.getvalue()[:500]}
            compared += 1
    return {"status": "pass" if compared else "runs"}


def _in_child(job, seconds):
    """The result of an example that runs in a forked process."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
            try:
                result = run_example(job["statements"], home=job["id"].rpartition(".")[0])
            except BaseException as error:
                result = {"status": "error", "got": repr(error)[:300]}
            with os.fdopen(write, "w") as pipe:
                pipe.write(json.dumps(result))
            os.chdir("/")
        os._exit(0)
    os.close(write)
    text, end = b"", time.time() + seconds
    while time.time() < end:
        ready, _, _ = select.select([read], [], [], max(0.0, end - time.time()))
        part = os.read(read, 1 << 16) if ready else b""
        if ready and not part:
            break
        text += part
    os.close(read)
    try:
        os.kill(child, signal.SIGKILL)
    except ProcessLookupError:
        text += b""
    os.waitpid(child, 0)
    return json.loads(text) if text else {"status": "error", "got": "no result after %d s" % seconds}  # noqa: UP031


def main(backend: str, seconds: float):
    """Answer jobs until stdin ends."""
    if not hasattr(os, "fork"):
        raise SystemExit(
            "msjax conformance runs each example in a forked process, which Windows does not have: use Linux or macOS."
        )
    sys.path.pop(0)  # the folder of this file: its names are not meant
    if backend == "msjax":
        import msjax

        msjax.install()
    for name in sorted({path.partition(":")[0] for path in _IMPORTS.values()}):
        try:
            importlib.import_module(name)
        except ImportError:
            continue  # an example that needs it says so
    for line in sys.stdin:
        job = json.loads(line)
        print(json.dumps({"id": job["id"], **_in_child(job, seconds)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
