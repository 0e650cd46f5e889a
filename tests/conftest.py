"""Options and fixtures of all tests: `import mindspore` gives msjax; mode and seed are fresh for each test."""

import atexit
import ctypes
import gc
import itertools
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import threading

import pytest

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["MSJAX_CACHE_DIR"] = ""  # neither use nor fill the user's programs, here and in processes started by tests
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None) and "PYTHONPYCACHEPREFIX" not in os.environ:
    # Some hundred processes are started by tests, and each would spend a second on compiling msjax's sources.
    os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="msjax-bytecode-")
    atexit.register(shutil.rmtree, os.environ["PYTHONPYCACHEPREFIX"], ignore_errors=True)
import jax  # noqa: E402  after its settings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))  # helpers, golden_cases and the case tables
import rotating  # noqa: E402
from differences import INTENDED, OPEN  # noqa: E402

import msjax  # noqa: E402
from msjax.alias import old_names  # noqa: E402
from msjax.core import host  # noqa: E402
from msjax.core.operators.record import records  # noqa: E402
from msjax.core.settings import context  # noqa: E402
from msjax.core.settings.execution_state import change  # noqa: E402
from msjax.ops.gradient import sharing  # noqa: E402

msjax.install()
old_names.give_back()
if not os.environ.get("MSJAX_TEST_GUEST"):  # else as a guest in a process of the host's, who uses JAX with 32 bits
    host.own()


def pytest_addoption(parser):
    parser.addoption(
        "--mindspore-python",
        metavar="PYTHON",
        help="a Python in which MindSpore 2.10 is installed: also run the tests that ask MindSpore itself",
    )


def pytest_collection_modifyitems(config, items):
    """A run of the whole suite takes a part of large tables (rotating.py). Tests of recorded differences are expected to fail (differences.py)."""
    if rotating.is_whole(config):
        number = rotating.commit()
        others = [item for item in items if not rotating.runs(item.nodeid, number)]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if rotating.runs(item.nodeid, number)]
    for item in items:
        reason = INTENDED.get(item.nodeid) or OPEN.get(item.nodeid)
        if reason:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=item.nodeid in INTENDED))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    """With MSJAX_TEST_SECONDS=FILE each case's CPU seconds are added to the file, for `rotating.py`."""
    began = rotating.seconds()
    result = yield
    if kept := os.environ.get("MSJAX_TEST_SECONDS"):
        with open(kept, "a", encoding="utf-8") as file:
            file.write(f"{rotating.seconds() - began:.2f}\t{item.nodeid}\n")
    return result


def pytest_collection_finish(session):
    """Let no later collection of garbage walk the 16,000 tests and what they imported: these stay until the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def mindspore_python(request):
    """The Python of MindSpore itself; a test that takes it is skipped without the option."""
    python = request.config.getoption("--mindspore-python")
    if not python:
        pytest.skip("asks MindSpore itself: needs --mindspore-python")
    return python


@pytest.fixture(scope="session", autouse=True)
def ctrl_c_is_heard():
    """A suite that a shell runs in the background ignores it; child processes inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def fresh_state():
    """PYNATIVE_MODE, seed 1 and an overflow register that nobody cleared before each test, no gradient function called; afterwards the mode
    is put back, and the device that a script asked for, which says how its sinks count, is forgotten.
    """
    msjax.set_context(mode=msjax.PYNATIVE_MODE)
    msjax.set_seed(1)
    change(overflow=None)
    sharing._MADE.clear()
    yield
    msjax.set_context(mode=msjax.PYNATIVE_MODE)
    context.process.values.pop("device_target", None)


@pytest.fixture(params=["pynative", "graph"])
def mode(request):
    """Run the test in both modes; the value is the mode's name."""
    msjax.set_context(mode=msjax.GRAPH_MODE if request.param == "graph" else msjax.PYNATIVE_MODE)
    return request.param


_MOST_PROGRAMS = 500  # of operators, in the process of a worker
_MOST_GROWN = 400 << 20  # bytes by which a worker grows before it forgets its programs
_trim = (
    getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
)  # glibc keeps what is freed
_LOOK_EACH = 8  # tests: to count the programs of all operators takes 0.15 ms
_tests = itertools.count(1)
_forgotten_at = []  # bytes of the worker when it last forgot its programs


def resident():
    """Bytes of memory that this process has; 0 where the system does not tell."""
    try:
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


@pytest.fixture(autouse=True)
def few_programs():
    """All compiled programs are forgotten when they are many, or large: thousands of them take gigabytes."""
    if not _forgotten_at:
        _forgotten_at.append(resident())
    yield
    if next(_tests) % _LOOK_EACH:
        return
    grown = resident() - _forgotten_at[0] > _MOST_GROWN
    if grown or sum(len(record._forward) for record in records.values()) > _MOST_PROGRAMS:
        for record in records.values():
            record.forget()
        jax.clear_caches()
        gc.collect()
        if _trim is not None:
            _trim(0)
        _forgotten_at[0] = resident()


@pytest.fixture
def compiled():
    """(program, thread) of what is compiled within the test."""
    events = []

    def note(event, duration, **options):
        if event == "/jax/core/compile/backend_compile_duration":
            events.append((options.get("fun_name"), threading.current_thread().name))

    jax.monitoring.register_event_duration_secs_listener(note)
    yield events
    jax.monitoring.unregister_event_duration_listener(note)
