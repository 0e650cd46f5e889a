"""Runs pages of tutorials block by block, each page in a process of its own that is forked from this one. See tutorials.py.

    python tools/tutorial_pages.py PAGES.json RESULTS.jsonl SECONDS

A page finds small copies of what its text downloads: digits in MNIST's files, pictures in CIFAR-10's.
"""

import json
import linecache
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import types
import warnings

import mindspore
import mindspore.dataset
import mindspore.train  # noqa: F401
import numpy as np
import project_pictures

SHARE = 0.6  # of a page's seconds that one block may take


def data(folder):
    """The files that pages read."""
    for place in (folder, folder / "datasets"):
        project_pictures.mnist(place / "MNIST_Data", split=True)
        project_pictures.cifar10(place / "cifar-10-batches-bin", train=320, test=64)


def run_page(blocks, seconds):
    """[{"error", "printed"}] of the blocks, as far as the time goes."""
    text = "\n".join(blocks) + "\n"
    for device in ("Ascend", "GPU"):
        text = text.replace(f'"{device}"', '"CPU"').replace(f"'{device}'", "'CPU'")
    file, lines = os.path.abspath("page.py"), text.split("\n")
    pathlib.Path(file).write_text(text, encoding="utf-8")  # compiled code is read from its file
    linecache.checkcache(file)
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    module.__file__, sys.argv = file, ["page.py"]
    sys.path.insert(0, os.getcwd())
    signal.signal(signal.SIGALRM, _too_late)
    results, end, start = [], time.monotonic() + seconds, 0
    for block in blocks:
        after = start + block.count("\n") + 1
        code = "\n" * start + "\n".join(lines[start:after]) + "\n"
        start, left = after, end - time.monotonic()
        if left < 1:
            break
        signal.alarm(int(min(left, SHARE * seconds)) + 1)
        error = _error_of(code, file, module.__dict__)
        signal.alarm(0)
        results.append({"error": error, "printed": pathlib.Path("printed").read_text(errors="replace")[:6000]})
        if error == "out of time":
            break
    return results


def _error_of(code, file, names):
    """What a block raises, as a text, or None; what it prints goes to the file `printed`, also what is printed below Python."""
    sys.stdout.flush()
    target = os.open("printed", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    os.dup2(target, 1)
    os.close(target)
    try:
        exec(compile(code, file, "exec"), names)
    except _OutOfTime:
        return "out of time"
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    finally:
        sys.stdout.flush()
    return None


class _OutOfTime(BaseException):
    """Raised by the alarm."""


def _too_late(*_):
    raise _OutOfTime


def in_child(blocks, seconds, given):
    """The results of a page that runs in a fork, none if it had to be killed. given: the folder with its data."""
    with tempfile.TemporaryDirectory() as folder:
        child = os.fork()
        if not child:
            os.setpgid(0, 0)
            os.chdir(folder)
            nothing = os.open(os.devnull, os.O_RDWR)
            os.dup2(nothing, 0)
            os.dup2(nothing, 2)
            shutil.copytree(given, ".", dirs_exist_ok=True)
            np.random.seed(1)
            mindspore.set_seed(1)
            try:
                pathlib.Path("results.json").write_text(json.dumps(run_page(blocks, seconds)), encoding="utf-8")
            finally:
                os._exit(0)
        end = time.monotonic() + seconds + 20
        while time.monotonic() < end and not os.waitpid(child, os.WNOHANG)[0]:
            time.sleep(0.05)
        try:
            os.killpg(child, signal.SIGKILL)
        except ProcessLookupError:
            pass
        kept = pathlib.Path(folder, "results.json")
        return json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else []


def main():
    told, out, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    warnings.simplefilter("ignore")
    os.environ.update(MPLBACKEND="Agg", DEVICE_TARGET="CPU")
    with open(out, "w", encoding="utf-8") as file, tempfile.TemporaryDirectory() as given:
        data(pathlib.Path(given))
        for page, blocks in json.loads(pathlib.Path(told).read_text(encoding="utf-8")).items():
            file.write(json.dumps({"page": page, "blocks": in_child(blocks, seconds, given)}) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
