"""Two interpreters that run the same cases: one with MindSpore itself, one with msjax.

A side is a long-lived process. It imports one module of this folder, which has a function `run(case)`: cases and results
are plain Python data (numbers, strings, bytes, lists, dicts). A process that dies or hangs over a case is started again.

    with Side(python, "indexing") as mindspore, Side(None, "indexing") as msjax:
        print(mindspore.ask(case), msjax.ask(case))
"""

import contextlib
import functools
import importlib
import os
import pathlib
import pickle
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MEMORY = 4 << 30  # bytes that a case may take
QUICK = "--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false"  # compiles many small programs faster
DEFAULT_FLAGS = (
    "laid",
    "networks",
    "training",
    "scripts",
    "uses",
    "edits",
    "graphs",
)  # fuzzers that look for a compiler that errs, too: they run what users run
FORKED = ("kinds", "plain", "wrong")  # fuzzers whose cases end MindSpore's process: a child runs them
EIGHT = "--xla_force_host_platform_device_count=8"  # for `laid`
LOOK = 30  # seconds between looks at a process that is past its limit
IDLE = 0.05  # seconds that it must have worked in between
SETUP = 1800  # seconds that an interpreter may take to import its package: minutes where the machine is loaded


class Side:
    """One of the two interpreters.

    Args:
        python: the Python in which MindSpore is installed; None is this one, with msjax.
        module: name of the module of this folder that has `run`.
        limit: seconds for one case; ten may take twice as long.
        most: bytes; a process that has become larger is started afresh.
        rounded: msjax with MindSpore's `tanh`, see `_round_as_mindspore`.
    """

    def __init__(self, python, module, limit=30, most=5 << 29, rounded=False):
        self.python, self.module, self.limit, self.most, self.rounded = python, module, limit, most, rounded
        self.process = None

    def _start(self):
        self.folder = tempfile.TemporaryDirectory()  # MindSpore leaves files where it runs
        environment = dict(os.environ, GLOG_v="4", JAX_PLATFORMS="cpu", PYTHONPATH=str(HERE.parent.parent))
        environment["PYTHONHASHSEED"] = "0"  # the order of sets of names, as of metrics, is the same on both sides
        environment.setdefault("JAX_TRACEBACK_FILTERING", "off")  # the filter takes 40 ms an exception
        if self.module not in DEFAULT_FLAGS:
            environment.setdefault("XLA_FLAGS", QUICK)
        if self.module == "laid":
            environment["XLA_FLAGS"] = f"{environment.get('XLA_FLAGS', '')} {EIGHT}"
        package = "mindspore" if self.python else "rounded" if self.rounded else "msjax"
        self.process = subprocess.Popen(
            [self.python or sys.executable, str(HERE / "sides.py"), package, self.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder.name,
            env=environment,
        )
        if self._receive(SETUP) != "ready":
            raise RuntimeError(f"the side of {package} does not start; run {HERE / 'sides.py'} {package} {self.module}")

    def ask(self, case):
        """The result of a case; ["!", "Crash"] or ["!", "Hang"] where the process died or took longer than the limit."""
        return self.ask_all([case])[0]

    def ask_all(self, cases):
        """The results of several cases."""
        self.send(cases)
        return self.receive(cases)

    def send(self, cases):
        """Begin with several cases."""
        if self.process is None or _size(self.process.pid) > self.most:
            self.close()
            self._start()
        data = pickle.dumps(cases)
        with contextlib.suppress(BrokenPipeError):  # it surfaces when the answers are read
            self.process.stdin.write(struct.pack("<Q", len(data)) + data)
            self.process.stdin.flush()

    def receive(self, cases):
        """The results of the cases that were sent. After a crash each is asked alone, but those that call what crashed."""
        try:
            return self._receive(self.limit * (1 + len(cases) / 10))
        except (EOFError, BrokenPipeError, TimeoutError) as error:
            self.close()
            fatal = ["!", "Hang" if isinstance(error, TimeoutError) else "Crash"]
            if len(cases) == 1:
                return [fatal]
            found, called = [], []
            for case in cases:
                call = case.get("expression", case)
                found.append(fatal if call in called else self.ask(case))
                if found[-1] == fatal:
                    called.append(call)
            return found

    def _receive(self, limit):
        stream = self.process.stdout.fileno()
        self._wait(stream, limit)
        (size,) = struct.unpack("<Q", _exactly(stream, 8, limit))
        return pickle.loads(_exactly(stream, size, limit))

    def _wait(self, stream, limit):
        """Until an answer begins. Past the limit a process that works on a loaded machine has time as long as it has not
        worked `limit` seconds itself; one that does nothing hangs.
        """
        start = before = _worked(self.process.pid)
        wait = limit
        while not select.select([stream], [], [], wait)[0]:
            now = _worked(self.process.pid)
            if now - start > limit or now - before < IDLE:
                raise TimeoutError
            before, wait = now, min(limit, LOOK)

    def close(self):
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.folder.cleanup()
            self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


def _size(process):
    """Bytes of memory that the process holds."""
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _worked(process):
    """Seconds of processor time that the process has used."""
    with open(f"/proc/{process}/stat") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _exactly(stream, count, limit):
    parts = b""
    while len(parts) < count:
        if not select.select([stream], [], [], limit)[0]:
            raise TimeoutError
        part = os.read(stream, count - len(parts))
        if not part:
            raise EOFError
        parts += part
    return parts


def _round_as_mindspore():
    """Give JAX the `tanh` of MindSpore's CPU kernels, before msjax is imported: a continued fraction that is off by 1e-4 at 5, and 1 beyond.

    What then agrees with MindSpore differed by its `tanh` alone, which is a line of the deviations.
    """
    import jax
    import jax.numpy as jnp

    @jax.custom_jvp
    def tanh(x):
        s = x * x
        above = (((s + 378) * s + 17325) * s + 135135) * x
        below = ((28 * s + 3150) * s + 62370) * s + 135135
        return jnp.where(jnp.abs(x) > 5, jnp.sign(x), above / below)

    @tanh.defjvp
    def _(primals, tangents):
        y = tanh(*primals)
        return y, (1 - y * y) * tangents[0]

    jnp.tanh = tanh


def _serve(package, module):
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the package prints must not come between the answers
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    if package == "rounded":
        _round_as_mindspore()
    if package != "mindspore":
        import msjax

        msjax.install()
    else:
        import mindspore

        mindspore.runtime.launch_blocking()  # or an error surfaces at some later case
    run = importlib.import_module(module).run

    def send(value):
        data = pickle.dumps(value)
        answers.write(struct.pack("<Q", len(data)) + data)
        answers.flush()

    send("ready")
    run_all = functools.partial(_in_children, run) if package == "mindspore" and module in FORKED else _here(run)
    requests = sys.stdin.buffer
    while head := requests.read(8):
        send(run_all(pickle.loads(requests.read(struct.unpack("<Q", head)[0]))))


def _here(run):
    return lambda cases: [run(case) for case in cases]


def _in_children(run, cases, limit=20):
    """The results of cases that a child process runs; where one ends it, or takes longer than `limit` seconds, another goes on after it.

    This process itself runs none, so that its children begin where the package was imported.
    """
    found = []
    while len(found) < len(cases):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            for case in cases[len(found) :]:
                data = pickle.dumps(run(case))
                data = struct.pack("<Q", len(data)) + data
                while data:
                    data = data[os.write(writing, data) :]
            os._exit(0)
        os.close(writing)
        try:
            while len(found) < len(cases):
                (size,) = struct.unpack("<Q", _exactly(reading, 8, limit))
                found.append(pickle.loads(_exactly(reading, size, limit)))
        except (EOFError, TimeoutError) as error:
            found.append(["!", "Hang" if isinstance(error, TimeoutError) else "Crash"])
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
    return found


if __name__ == "__main__":
    _serve(*sys.argv[1:])
