"""`python -m msjax X` is `python X`: output, errors, exit codes, and what the script sees of itself."""

import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

import msjax

ROOT = pathlib.Path(msjax.__file__).parents[1]

# Runs the command line without the second that `import jax` takes: only the package itself is left out.
LAUNCHER = f"""
import sys, types
package = types.ModuleType("msjax")
package.__path__ = [{str(ROOT / "msjax")!r}]
sys.modules["msjax"] = package
from msjax.cli.main import script_entry
script_entry()
"""

PROBE = """\
import atexit, pickle, sys, threading
main = sys.modules["__main__"]
print(__name__, sys.argv, __file__, __spec__, type(__loader__).__name__, __package__, vars(main) is globals())
print(sys.path[0], sorted(name for name in globals() if name != "__annotations__"), __builtins__)
atexit.register(lambda: print("exit handler", sys.argv))
class A: pass
print(type(pickle.loads(pickle.dumps(A()))))
def fail(): raise ValueError("boom")
what = sys.argv[1] if len(sys.argv) > 1 else ""
if what == "code": sys.exit(int(sys.argv[2]))
if what == "message": sys.exit("some message")
if what == "raise":
    try: fail()
    except ValueError as error: raise KeyError("x") from error
if what == "interrupt": raise KeyboardInterrupt
if what == "hook":
    sys.excepthook = lambda kind, value, traceback: print("hook", kind.__name__, traceback.tb_lineno)
    fail()
if what == "input": print(input())
threading.Timer(0.05, lambda: print("thread", __name__, A)).start()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    here = tmp_path_factory.mktemp("scripts")
    (here / "probe.py").write_text(PROBE)
    (here / "link").mkdir()
    (here / "link" / "linked.py").symlink_to(here / "probe.py")
    (here / "latin.py").write_bytes("# -*- coding: latin-1 -*-\nprint(ascii('é'))\n".encode("latin-1"))
    (here / "wrong.py").write_text("def f(:\n")
    (here / "launch.py").write_text(LAUNCHER)
    show = "import sys\nprint(sys.argv, __file__, __package__, sys.path[0], __spec__.name, __name__)\n"
    for package in ("package", "package/inner", "folder"):
        (here / package).mkdir()
    (here / "package" / "__init__.py").write_text("print('package')\n")
    (here / "package" / "__main__.py").write_text(show)
    (here / "package" / "module.py").write_text(show)
    (here / "package" / "inner" / "__init__.py").write_text("import nowhere\n")
    (here / "folder" / "__main__.py").write_text(show)
    with zipfile.ZipFile(here / "archive.zip", "w") as archive:
        archive.writestr("__main__.py", show)
    return here


def outcome(folder, *command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, input="typed\n")
    # `python -m` shows its own frames; with us the user's stand alone.
    error = re.sub(r'  File "<frozen runpy>", line \d+, in \w+\n', "", done.stderr)
    return re.sub(r" at 0x\w+", "", done.stdout), error, done.returncode


COMMANDS = """
probe.py
probe.py a -b --c
probe.py code 3
probe.py message
probe.py raise
probe.py interrupt
probe.py hook
probe.py input
../{here}/probe.py
link/linked.py
latin.py
wrong.py
nowhere.py
folder x
archive.zip y
link
-m package a
-m package.module b
-mpackage
-m probe raise
-m nowhere
-m nowhere.inside
-m package.nowhere
-m package.inner.module
-m package.module.inside
-m link
-c import(sys);print(sys.argv,repr(sys.path[0]),__spec__,__name__) k
-c 1/0
"""


@pytest.mark.parametrize("command", COMMANDS.strip().splitlines())
def test_same_as_python(command, folder):
    arguments = [part.replace("import(sys)", "import sys").replace("{here}", folder.name) for part in command.split()]
    plain = outcome(folder, sys.executable, *arguments)
    assert outcome(folder, sys.executable, "launch.py", *arguments) == plain


@pytest.mark.parametrize("command", ["probe.py raise", "-m package a", "probe.py interrupt"])
def test_same_as_python_with_the_real_command(command, folder):
    arguments = command.split()
    environment = ["env", f"PYTHONPATH={ROOT}"]
    assert outcome(folder, *environment, sys.executable, "-m", "msjax", *arguments) == outcome(
        folder, *environment, sys.executable, *arguments
    )


def test_our_frames_are_hidden(folder):
    path = folder / "missing.py"
    path.write_text("import mindspore\ndef f():\n    from mindspore.common.dtype import float33\nf()\n")
    done = subprocess.run(
        ["env", f"PYTHONPATH={ROOT}", sys.executable, "-m", "msjax", "missing.py"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert re.findall(r'File "(.*?)", line (\d+)', done.stderr) == [(str(path), "4"), (str(path), "3")]
    last = done.stderr.splitlines()[-1]
    assert last == "ImportError: cannot import name 'float33' from 'mindspore.dtype'; the nearest is 'float32'."
