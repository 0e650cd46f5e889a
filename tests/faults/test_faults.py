"""Faults: kills, full disks, closed folders, two writers, interruptions, threads, forks, abandoned iterators, long runs.

The default form is a sample; `MSJAX_TEST_FAULTS=1` runs the whole: 200 kills, 500 interruptions, 10,000 steps, 2,000 networks.
"""

import gc
import itertools
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn, ops

import msjax
import msjax.dataset as ds
from msjax import mindrecord
from msjax.train import checkpoint_format as files
from msjax.train.weights import write_weights

ALL = bool(os.environ.get("MSJAX_TEST_FAULTS"))
KILLS, SAVES, INTERRUPTIONS, STEPS, NETWORKS = (200, 500, 500, 10_000, 2_000) if ALL else (1, 10, 12, 60, 6)


whole_only = pytest.mark.skipif(not ALL, reason="one of MSJAX_TEST_FAULTS=1")


def python(code, *words, **more):
    """A process that runs a piece of code with this package."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *map(str, words)],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        **more,
    )


# --- files
SAVING = """
    import sys
    import numpy as np
    from msjax.train import checkpoint_format as files
    path, seed = sys.argv[1], int(sys.argv[2])
    print("ready", flush=True)
    for i in range(int(sys.argv[3])):
        files.write(path, [("w", np.full(1 << 18, i, np.float32), "Float32"), ("i", np.array(i), "Int64")], crc_check=True)
"""


def whole(path):
    """Whether a file of SAVING is one that was written to its end."""
    found = files.read(path, crc_check=True)
    return bool((found["w"][0] == found["i"][0]).all())


def start_saving(path, seed=0, times=10**6):
    files.write(path, [("w", np.full(9, -1, np.float32), "Float32"), ("i", np.array(-1), "Int64")], crc_check=True)
    process = python(SAVING, path, seed, times)
    assert process.stdout.readline() == "ready\n"
    return process


def test_a_killed_save_leaves_the_old_file_or_the_new(tmp_path):
    rng = random.Random(1)
    for number in range(KILLS):
        with start_saving(tmp_path / "net.ckpt", number) as process:
            time.sleep(rng.random() * 0.2)
            process.send_signal(signal.SIGKILL)
        assert whole(tmp_path / "net.ckpt"), number


TRAINING = """
    import os, random, signal, sys, time
    import numpy as np
    import msjax as ms
    from msjax import nn
    from msjax.train import checkpoint_format, safetensors_format
    path, background, kills = sys.argv[1], sys.argv[2] == "True", int(sys.argv[3])
    suffix, rng, found = path.rpartition(".")[2], random.Random(2), set()

    def train(number):
        net = nn.SequentialCell(*[nn.Dense(256, 256, has_bias=False) for _ in range(4)])
        while True:
            number += 1
            for parameter in net.get_parameters():
                parameter.set_data(ms.Tensor(np.full((256, 256), number, np.float32)))
            ms.save_checkpoint(net, path, async_save=background, append_dict={"i": number}, crc_check=True, format=suffix)

    def saved():
        return os.stat(path).st_ino if os.path.exists(path) else None

    def content():  # NumPy alone: a process that has computed can not be forked
        if suffix == "ckpt":
            return checkpoint_format.read(path, crc_check=True)
        return safetensors_format.read_safetensors(path, crc_check=True)[0]

    for kill in range(kills):
        before, child = saved(), os.fork()
        if not child:
            train(1000 * kill)
        while saved() == before:
            assert os.waitpid(child, os.WNOHANG)[0] == 0
            time.sleep(0.001)
        time.sleep(rng.random() * 0.1)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        steps = {float(value) for array, _ in content().values() for value in np.unique(array)}
        assert len(steps) == 1, (kill, steps)
        found |= steps
    print(len(found), "whole")
"""


@whole_only
@pytest.mark.parametrize("background", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("suffix", ["ckpt", "safetensors"])
def test_a_killed_training_leaves_the_old_checkpoint_or_the_new(suffix, background, tmp_path):
    """All that is in the file is of one step, after each of 13 kills."""
    with python(TRAINING, tmp_path / f"net.{suffix}", background, 13) as process:
        assert process.stdout.read() == "13 whole\n"


def test_two_writers_leave_a_whole_file(tmp_path):
    path = tmp_path / "net.ckpt"
    with start_saving(path, 1, SAVES) as one, start_saving(path, 2, SAVES) as other:
        while one.poll() is None or other.poll() is None:
            assert whole(path)
        assert one.returncode == other.returncode == 0
    assert os.listdir(tmp_path) == ["net.ckpt"]


def _export(path):
    ms.export(nn.Dense(200, 200), ms.Tensor(np.ones((1, 200), np.float32)), file_name=path, file_format="STABLEHLO")


def _save_run(path):
    msjax.save_run(path, nn.Dense(200, 200))


def _record(path):
    writer = mindrecord.FileWriter(path, overwrite=True)
    writer.add_schema({"a": {"type": "bytes"}})
    writer.write_raw_data([{"a": bytes(60_000)}] * 4)
    writer.commit()


WRITERS = {
    "net.ckpt": lambda path: ms.save_checkpoint(nn.Dense(200, 200), path),
    "net.safetensors": lambda path: ms.save_checkpoint(nn.Dense(200, 200), path, format="safetensors"),
    "weights.npz": lambda path: write_weights(path, {"a": np.random.rand(40_000)}),
    "run.ckpt": _save_run,
    "net.stablehlo": _export,
}


@pytest.fixture
def full_disk():
    """No file may grow over 100,000 bytes, as on a disk that is full."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    signal.signal(signal.SIGXFSZ, old)


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_leaves_the_old_file(name, tmp_path, full_disk):
    path = tmp_path / name
    WRITERS[name](str(path))
    before = path.read_bytes()
    full_disk()
    with pytest.raises(Exception) as told:
        WRITERS[name](str(path))
    assert (
        isinstance(told.value, (OSError, RuntimeError)) or "space" in str(told.value) or "large" in str(told.value)
    ), told.value
    assert path.read_bytes() == before and os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_can_not_be_written(name):
    with pytest.raises((OSError, RuntimeError, ValueError)) as told:
        WRITERS[name](f"/proc/{name}")
    assert str(told.value)


def test_a_full_disk_while_records_are_written(tmp_path, full_disk):
    full_disk()
    with pytest.raises((OSError, RuntimeError)):
        _record(str(tmp_path / "rows.mindrecord"))


# --- an interrupted step
def _interrupt(*_):
    """At the time that an alarm is set to: Ctrl-C."""
    signal.raise_signal(signal.SIGINT)


def _time_out(*_):
    """At the time that an alarm is set to: an exception of the handler of another signal."""
    raise TimeoutError


def values(step):
    """{name: values} of all Parameters."""
    return {p.name: p.asnumpy().copy() for p in step.get_parameters()}


@whole_only  # how many of the interruptions meet a step depends on the machine's speed
@pytest.mark.parametrize("handler", [_interrupt, _time_out])
@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def test_an_interrupted_step_loses_no_parameter(mode, handler):
    """Ctrl-C, or a signal whose handler raises, at a random microsecond: each Parameter is as before or as after the step."""
    ms.set_context(mode=mode)
    net = nn.SequentialCell(nn.Dense(16, 32), nn.ReLU(), nn.Dense(32, 4))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    x, y = ms.Tensor(np.ones((8, 16), np.float32)), ms.Tensor(np.zeros((8, 4), np.float32))
    for _ in range(3):
        step(x, y).asnumpy()
    started = time.perf_counter()
    step(x, y).asnumpy()
    duration, rng = time.perf_counter() - started, random.Random(1)
    old, hit = signal.signal(signal.SIGALRM, handler), 0
    try:
        for number in range(INTERRUPTIONS):
            before = values(step)
            try:
                signal.setitimer(signal.ITIMER_REAL, max(1e-6, rng.random() * duration))
                step(x, y)
                signal.setitimer(signal.ITIMER_REAL, 0)
            except (
                KeyboardInterrupt,
                Exception,
            ):  # CPython makes an UnboundLocalError of what comes within a comprehension
                hit += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            found = values(step)
            for parameter in step.get_parameters():
                parameter.set_data(ms.Tensor(before[parameter.name]))
            step(x, y).asnumpy()
            after = values(step)
            for name, value in found.items():
                assert (value == before[name]).all() or np.allclose(value, after[name], rtol=1e-5, atol=1e-6), (
                    number,
                    name,
                )
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert hit, "no interruption met a step"


# --- threads, processes
def test_eight_threads_on_one_network(mode):
    net = nn.SequentialCell(nn.Dense(8, 16), nn.Tanh(), nn.Dense(16, 3))
    inputs = [ms.Tensor(np.full((2, 8), i, np.float32)) for i in range(8)]
    expected, found = [net(x).asnumpy() for x in inputs], [[] for _ in inputs]
    start = threading.Barrier(8)

    def work(i):
        start.wait()
        for _ in range(200 if ALL else 10):
            found[i].append(net(inputs[i]).asnumpy())

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, results in enumerate(found):
        assert len(results) == (200 if ALL else 10) and all(np.allclose(r, expected[i], atol=1e-6) for r in results)


AFTER_USE = """
    import multiprocessing, os, sys, warnings
    warnings.simplefilter("ignore")
    import numpy as np
    import mindspore as ms
    from mindspore import nn
    import msjax.dataset as ds

    def child(sent):
        rows = list(ds.NumpySlicesDataset(np.arange(4), "x", shuffle=False).create_tuple_iterator(output_numpy=True, num_epochs=1))
        sent.put([int(row[0]) for row in rows])

    if __name__ == "__main__":
        nn.Dense(3, 2)(ms.Tensor(np.ones((1, 3), np.float32))).asnumpy()
        context = multiprocessing.get_context(sys.argv[1])
        sent = context.Queue()
        process = context.Process(target=child, args=(sent,))
        process.start()
        print(sent.get(timeout=120))
        process.join(60)
        print(process.exitcode)
"""


@pytest.mark.parametrize("how", ["fork", pytest.param("spawn", marks=whole_only)])
def test_processes_after_use(how, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(AFTER_USE))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "msjax", str(script), how], env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.stdout.splitlines() == ["[0, 1, 2, 3]", "0"], done.stderr


FORKED = """
    import os, sys, warnings
    warnings.simplefilter("ignore")
    import numpy as np
    import mindspore as ms
    from mindspore import nn

    ms.set_context(mode=getattr(ms, sys.argv[1]))
    net, x = nn.Dense(3, 2), ms.Tensor(np.ones((1, 3), np.float32))
    for _ in range(10):
        net(x).asnumpy()
    child = os.fork()
    if child:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    try:
        net(x)
    except RuntimeError as error:
        print(error, flush=True)
        os._exit(7)
    os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize("mode", ["PYNATIVE_MODE", "GRAPH_MODE"])
def test_a_computation_in_a_forked_process_is_refused_and_does_not_hang(mode, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(FORKED))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-m", "msjax", str(script), mode], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 7 and "set_start_method('spawn')" in done.stdout, done


# --- what is left behind
def held():
    """(threads, child processes, descriptors) of this process."""
    me, children = os.getpid(), 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    children += int(file.read().rpartition(")")[2].split()[1]) == me
            except OSError:
                continue
    return threading.active_count(), children, len(os.listdir("/proc/self/fd"))


def double(x):
    return x * 2


@pytest.mark.parametrize("processes", [False, True], ids=["threads", "processes"])
def test_an_abandoned_iterator_leaves_nothing(processes):
    def abandon():
        data = ds.GeneratorDataset(list(range(1000)), "x", shuffle=False, num_parallel_workers=2)
        data = data.map(double, "x", num_parallel_workers=2, python_multiprocessing=processes).batch(2)
        assert next(iter(data.create_tuple_iterator(num_epochs=3, output_numpy=True)))

    abandon()
    gc.collect()
    before = held()
    for _ in range(20 if ALL else 2):
        abandon()
    gc.collect()
    end = time.monotonic() + 30
    while held() > before and time.monotonic() < end:
        time.sleep(0.1)
    assert all(now <= then for now, then in zip(held(), before)), (held(), before)


def resident():
    """Bytes of memory that this process holds now."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_many_steps_with_flat_memory():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.Dense(64, 64)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
    x = ms.Tensor(np.ones((8, 64), np.float32))
    for _ in range(STEPS // 10):
        step(x, x)
    before = resident()
    for _ in range(STEPS):
        step(x, x)
    step(x, x).asnumpy()
    assert resident() - before < 16 << 20


def test_many_networks_with_flat_memory():
    """Networks that are gone take their programs with them."""
    ms.set_context(mode=ms.GRAPH_MODE)

    def one():
        net = nn.SequentialCell(nn.Dense(8, 8), nn.ReLU())
        assert ops.reduce_sum(net(ms.Tensor(np.ones((2, 8), np.float32)))).asnumpy() >= 0

    for _ in itertools.repeat(None, max(NETWORKS // 10, 3)):
        one()
    before = resident()
    for _ in itertools.repeat(None, NETWORKS):
        one()
    assert resident() - before < (64 << 20 if ALL else 32 << 20)
