"""What a user does runs where Python lacks what POSIX alone has: modules, calls of `os`, signals, /proc, inherited descriptors.

Windows is not at hand, so a process hides all of it before msjax is imported.
"""

import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

HIDE = """
    import builtins, ctypes, io, os, signal, subprocess, sys, tempfile
    import asyncio, concurrent.futures, multiprocessing.connection, multiprocessing.shared_memory, random, shutil, socketserver, threading
    import numpy, jax, scipy.optimize, cv2, PIL.Image, cloudpickle  # they know Windows themselves

    for name in ("fcntl", "grp", "pwd", "resource", "termios", "posix_ipc"):
        sys.modules[name] = None
    for name in ("fork", "forkpty", "killpg", "getpgid", "setpgid", "setsid", "pread", "pwrite", "getuid", "geteuid", "getgid", "getegid", "statvfs",
                 "sched_getaffinity", "sched_setaffinity", "mkfifo", "posix_fallocate", "posix_fadvise", "register_at_fork", "fchown", "chown",
                 "uname", "getloadavg", "sysconf", "nice", "O_NOFOLLOW", "O_DIRECTORY", "sendfile", "wait4", "wait3"):
        if hasattr(os, name):
            delattr(os, name)
    for name in ("SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGPIPE", "SIGQUIT", "SIGCHLD", "pthread_kill", "pthread_sigmask",
                 "setitimer", "alarm", "sigwait"):
        if hasattr(signal, name):
            delattr(signal, name)

    class Popen(subprocess.Popen):
        def __init__(self, *args, **options):
            assert not options.get("pass_fds") and not options.get("preexec_fn"), "Windows knows neither pass_fds nor preexec_fn"
            super().__init__(*args, **options)

        kill = subprocess.Popen.terminate

    plain_open, subprocess.Popen = builtins.open, Popen

    def open_without_proc(file, *args, **options):
        if isinstance(file, (str, os.PathLike)) and os.fspath(file).startswith(("/proc", "/sys", "/dev/shm")):
            raise FileNotFoundError(2, "No such file", file)
        return plain_open(file, *args, **options)

    builtins.open = io.open = open_without_proc
    ctypes.CDLL = lambda *a, **k: (_ for _ in ()).throw(OSError("not here"))
    import msjax.dataset.engine.processes as processes

    processes._INHERITS = False
"""

USE = """
    import msjax
    msjax.install()
    import mindspore as ms, mindspore.dataset as ds, numpy as np
    from mindspore import nn
    from mindspore.mindrecord import FileReader, FileWriter

    def doubled(x):
        return x * 2

    class Rows:
        def __getitem__(self, i):
            return np.full(4, i, np.float32), np.array([i % 2], np.int32)

        def __len__(self):
            return 16

    data = ds.GeneratorDataset(Rows(), ["x", "y"], shuffle=False, num_parallel_workers=2, python_multiprocessing=True)
    data = data.map(doubled, "x", num_parallel_workers=2, python_multiprocessing=True).batch(4)
    assert next(data.create_tuple_iterator(output_numpy=True, num_epochs=1))[0][1].tolist() == [2] * 4

    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        rows = ds.GeneratorDataset(Rows(), ["x", "y"], shuffle=False).map(lambda y: y[0], "y").batch(4)
        model = ms.Model(net, loss, nn.Adam(net.trainable_params()), metrics={"loss"})
        model.train(1, rows, callbacks=[ms.LossMonitor(), ms.TimeMonitor()], dataset_sink_mode=False)
        model.eval(rows, dataset_sink_mode=False)
    ms.save_checkpoint(net, "net.ckpt")
    ms.load_param_into_net(net, ms.load_checkpoint("net.ckpt"))
    writer = FileWriter("rows.mindrecord", overwrite=True)
    writer.add_schema({"n": {"type": "int32"}, "a": {"type": "float32", "shape": [-1]}})
    writer.write_raw_data([{"n": i, "a": np.ones(3, np.float32)} for i in range(5)])
    writer.commit()
    assert [int(row["n"]) for row in FileReader("rows.mindrecord").get_next()] == list(range(5))
    assert sum(1 for _ in ds.MindDataset("rows.mindrecord", shuffle=False).create_dict_iterator(num_epochs=1)) == 5
    from msjax.cli import main
    assert main.script_entry is not None
    from msjax.cli import doctor, explain, run
    assert doctor.main(["--json"]) in (0, 1)
    print("done")
"""


@pytest.mark.skipif(os.name != "posix", reason="hides what POSIX has")
def test_a_program_runs_without_what_posix_alone_has(tmp_path):
    (tmp_path / "rows.py").write_text(textwrap.dedent(HIDE) + textwrap.dedent(USE))
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "MSJAX_CACHE_DIR": str(tmp_path / "programs"),
        "HOME": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "rows.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0 and done.stdout.endswith("done\n"), done.stderr[-3000:]


@pytest.mark.skipif(os.name != "posix", reason="hides what POSIX has")
def test_processes_of_a_run_are_ended_without_groups(tmp_path):
    (tmp_path / "fails.py").write_text(
        "import os, time\nif os.environ['RANK_ID'] == '0': raise ValueError('mine')\ntime.sleep(100)\n"
    )
    launch = "import sys\nfrom msjax.cli import run\nsys.exit(run.main(['--worker-num', '2', '--master-port', '0', '--join', 'True', 'fails.py']))\n"
    (tmp_path / "launch.py").write_text(textwrap.dedent(HIDE) + launch)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "launch.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1 and "mine" in done.stdout + done.stderr, done.stderr[-3000:]
