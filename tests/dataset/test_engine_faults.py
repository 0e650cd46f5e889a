"""What goes wrong in a pipeline is told, ends it, and leaves nothing behind."""

import gc
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time

import mindspore.dataset as ds
import mindspore.dataset.transforms as T
import numpy as np
import pytest
from worker_cases import Source, fail_at_five

from msjax.dataset.engine import lanes, workers


def pairs():
    return ds.NumpySlicesDataset({"a": [1, 2], "b": [3, 4]}, shuffle=False)


def numbers(count=10):
    return ds.NumpySlicesDataset({"x": np.arange(count)}, shuffle=False)


def drain(data):
    return [int(row[0]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


@pytest.fixture(autouse=True)
def nothing_left_behind():
    def state():
        gc.collect()
        return (
            {thread.name for thread in threading.enumerate() if thread.name.startswith("msjax")},
            len(os.listdir("/proc/self/fd")),
            children(),
        )

    before = state()
    yield
    deadline = time.monotonic() + 5
    while state()[0] - before[0] or state()[2] - before[2] or state()[1] > before[1]:
        assert time.monotonic() < deadline, f"left behind: {state()}, before: {before}"
        time.sleep(0.02)


def children():
    found = set()
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/children") as stream:
                found |= set(stream.read().split())
        except FileNotFoundError:
            continue
    return found


@pytest.mark.parametrize("processes", [False, True])
def test_user_function_that_raises(processes):
    data = ds.GeneratorDataset(Source(), "x", shuffle=False)
    data = data.map(fail_at_five, "x", num_parallel_workers=2, python_multiprocessing=processes)
    given = []
    with pytest.raises(RuntimeError) as error:
        for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
            given.append(int(row[0]))
    message = str(error.value)
    assert given == [0, 1, 2, 3, 4]
    for part in ("[fail_at_five] failed on row 5", "['x']", "worker_cases.py", 'raise KeyError("no five")', "int64[]"):
        assert part in message
    assert "msjax/dataset/engine" not in message


def test_own_operation_that_raises_names_itself():
    with pytest.raises(RuntimeError, match=r"\[OneHot\] failed on row 3.*\n(.*\n)*.*index values should not bigger"):
        list(numbers().map(T.OneHot(3), "x").create_tuple_iterator(num_epochs=1, output_numpy=True))


@pytest.mark.parametrize("workers,processes", [(1, False), (3, False), (3, True)])
def test_source_that_raises(workers, processes):
    data = ds.GeneratorDataset(
        Source(bad=7), "x", shuffle=False, num_parallel_workers=workers, python_multiprocessing=processes
    )
    with pytest.raises(RuntimeError, match="source Source of GeneratorDataset failed on row 7.*\n(.*\n)*.*bad row"):
        drain(data)


def test_error_stays_until_a_new_iterator():
    iterator = numbers().map(fail_at_five, "x").create_tuple_iterator(num_epochs=1, output_numpy=True)
    with pytest.raises(RuntimeError):
        list(iterator)
    with pytest.raises(RuntimeError, match="failed on row 5"):
        next(iterator)


@pytest.mark.parametrize("mode,expected", [("SKIP", [0, 1, 2, 3, 4, 6, 7]), ("REPLACE", [0, 1, 2, 3, 4, 6, 7, 0])])
def test_error_samples_mode(mode, expected):
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode[mode])
    try:
        for one_by_one in (False, True):
            data = numbers(8).map(fail_at_five, "x")
            data = ds.GeneratorDataset(Source(8), "x", shuffle=False).map(fail_at_five, "x") if one_by_one else data
            assert drain(data) == expected and data.get_dataset_size() == len(expected)
    finally:
        ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)


def test_columns_that_exist_are_named():
    for data in (
        numbers().map(lambda x: x, "y"),
        numbers().project("y"),
        numbers().rename("y", "z"),
        numbers().filter(lambda y: True, "y"),
        numbers().batch(2, per_batch_map=lambda y, info: y, input_columns="y"),
    ):
        with pytest.raises(RuntimeError, match=r"column 'y' does not exist.*\['x'\]"):
            drain(data)


def test_worker_process_that_dies():
    def die(x):
        time.sleep(0.002)
        if x == 7:
            os.kill(os.getpid(), signal.SIGKILL)
        return x

    data = ds.GeneratorDataset(Source(), "x", shuffle=False).map(
        die, "x", num_parallel_workers=2, python_multiprocessing=True
    )
    with pytest.raises(RuntimeError, match=r"worker process \d+ of map .* died \(exit code -9\)"):
        drain(data)


def test_functions_that_cannot_be_sent_run_in_threads(caplog):
    lock = threading.Lock()

    def guarded(x):
        time.sleep(0.002)
        with lock:
            return x + 1

    data = numbers(8).map(guarded, "x", num_parallel_workers=2, python_multiprocessing=True)
    assert drain(data) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert "threads are used instead" in caplog.text


def test_processes_see_neither_the_script_nor_jax():
    def look(x):
        import sys

        time.sleep(0.002)
        return np.array([int("jax" in sys.modules), int(hasattr(sys.modules["__main__"], "pytest")), os.getpid()])

    data = numbers(12).map(look, "x", num_parallel_workers=2, python_multiprocessing=True)
    seen = [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)][4:]
    assert all(row[:2] == [0, 0] for row in seen) and len({row[2] for row in seen} - {os.getpid()}) == 2


@pytest.mark.parametrize("seconds", [0, 0.002], ids=["cheap", "dear"])
def test_processes_give_the_same_random_numbers(monkeypatch, seconds):
    """Whether processes pay must not change a number: a seed belongs to a process, and to the rows that it would have."""

    def run(trials):
        for module in (lanes, workers):
            monkeypatch.setattr(module, "TRIALS", trials)
        ds.config.set_seed(11)
        work = [lambda x: x + np.random.rand(), lambda x: time.sleep(seconds) or x]
        return drain(numbers(30).map(work, "x", num_parallel_workers=3, python_multiprocessing=True))

    try:
        assert run(4) == run(8) == run(100)
    finally:
        ds.config.set_seed(5489)


@pytest.mark.parametrize("processes", [False, True], ids=["threads", "processes"])
def test_iterator_that_is_dropped_stops_everything(processes):
    before = set(threading.enumerate())
    data = ds.GeneratorDataset(Source(1000), "x", num_parallel_workers=2, python_multiprocessing=processes)
    seen = data.map(lambda x: time.sleep(0.001) or x, "x", num_parallel_workers=2)
    iterator = seen.create_dict_iterator(output_numpy=True)
    next(iterator)
    started = set(threading.enumerate()) - before
    assert started
    del iterator
    gc.collect()
    for thread in started:
        thread.join(timeout=20)
    assert [thread.name for thread in started if thread.is_alive()] == []


def test_stopped_iterator_says_so():
    iterator = numbers().create_tuple_iterator(output_numpy=True)
    next(iterator)
    iterator.stop()
    with pytest.raises(AttributeError, match="it was stopped"):
        next(iterator)


def test_sync_wait_does_not_hold_up_the_end():
    data = numbers(100).sync_wait("never").batch(2)
    iterator = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    next(iterator)
    started = time.monotonic()
    iterator.stop()
    assert time.monotonic() - started < 2


def run_script(code, **kwargs):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "JAX_PLATFORMS": "cpu"}
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **kwargs,
    )


@pytest.mark.parametrize("processes", [False, True])
def test_ctrl_c_stops_at_once(processes):
    script = run_script(
        f"""
        import time
        import numpy as np
        import msjax.dataset as ds
        def slow(x):
            time.sleep(0.05)
            return x
        data = ds.GeneratorDataset(list(range(10000)), "x").map(slow, "x", num_parallel_workers=2,
                                                                python_multiprocessing={processes})
        for i, row in enumerate(data.create_tuple_iterator(output_numpy=True)):
            print(i, flush=True)
    """,
        start_new_session=True,
    )
    script.stdout.readline()
    started = time.monotonic()
    os.killpg(script.pid, signal.SIGINT)
    _, errors = script.communicate(timeout=20)
    assert time.monotonic() - started < 5
    assert "KeyboardInterrupt" in errors and "Fatal" not in errors
    with pytest.raises(ProcessLookupError):  # no worker outlives the script
        for _ in range(100):
            os.killpg(script.pid, 0)
            time.sleep(0.02)


def test_script_that_ends_in_the_middle_of_an_epoch():
    script = run_script("""
        import msjax.dataset as ds
        data = ds.GeneratorDataset(list(range(100000)), "x").map(lambda x: x + 1, "x").batch(10)
        iterator = data.create_tuple_iterator(output_numpy=True)
        next(iterator)
    """)
    output, errors = script.communicate(timeout=30)
    assert script.returncode == 0 and not errors


def test_many_epochs_use_no_more_memory():
    import resource

    data = (
        ds.NumpySlicesDataset(np.zeros((3000, 28, 28), np.uint8), "x")
        .map(T.TypeCast("float32"), "x")
        .shuffle(500)
        .batch(50)
    )
    iterator = data.create_tuple_iterator(num_epochs=20, output_numpy=True)
    peaks = []
    for _ in range(20):
        for _ in iterator:
            pass
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert peaks[-1] - peaks[4] < 8 * 1024  # KB


def test_functions_may_use_mindspore_in_processes(tmp_path, monkeypatch):
    (tmp_path / "augment.py").write_text(
        textwrap.dedent("""
        import time
        import mindspore as ms
        import numpy as np
        from mindspore.dataset import vision
        flip = vision.HorizontalFlip()

        def augment(x):
            time.sleep(0.002)
            return np.array(flip(x)[0, 0, 0]), np.array(ms.__version__)
    """)
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import augment

    data = ds.NumpySlicesDataset(np.arange(96, dtype=np.uint8).reshape(8, 2, 2, 3), "x", shuffle=False)
    data = data.map(augment.augment, "x", ["x", "v"], num_parallel_workers=2, python_multiprocessing=True)
    rows = [(int(x), str(v)) for x, v in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert rows == [(3 + 12 * i, "2.10.0") for i in range(8)]


def test_cheap_functions_start_no_process(monkeypatch):
    from msjax.dataset.engine import processes

    monkeypatch.setattr(processes, "pool_for", None)
    data = ds.GeneratorDataset(list(range(200)), "x", shuffle=False, num_parallel_workers=4)
    data = data.map(lambda x: x + 1, "x", num_parallel_workers=4, python_multiprocessing=True)
    assert drain(data) == list(range(1, 201))


def test_long_runs_of_cheap_functions_do(monkeypatch):
    from msjax.dataset.engine import workers

    monkeypatch.setattr(workers, "_LONG_RUN", 0.0)
    monkeypatch.setattr(workers, "_CHEAPEST", 0.0)
    data = numbers(300).map(lambda x: np.array(os.getpid()), "x", num_parallel_workers=2, python_multiprocessing=True)
    assert len(set(drain(data))) == 3


@pytest.mark.parametrize("processes", [False, True])
def test_seed_repeats_draws_from_the_global_generators(processes):
    class Noisy(Source):
        def __getitem__(self, index):
            time.sleep(0.002)
            return np.array([np.random.rand(), random.random()])

    def add(x):
        time.sleep(0.002)
        return x + np.random.rand()

    def run(workers):
        ds.config.set_seed(5)
        data = ds.GeneratorDataset(Noisy(16), "x", num_parallel_workers=workers, python_multiprocessing=processes)
        data = data.map(add, "x", num_parallel_workers=workers, python_multiprocessing=processes)
        iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
        return [[row[0].tolist() for row in iterator] for _ in range(2)]

    try:
        first = run(2)
        assert first == run(2) and first[0] != first[1]
        assert (first == run(3)) is not processes, "each process has a seed of its own, as in MindSpore"
        assert len({x for row in first[0] for x in row}) == 32
    finally:
        ds.config.set_seed(5489)


class Announced:
    """An iterable of 3 rows whose `len` is another number."""

    def __init__(self, length):
        self.length = length

    def __len__(self):
        return self.length

    def __iter__(self):
        return iter([(1,), (2,), (3,)])


class Dividing(ds.Sampler):
    def __iter__(self):
        yield 1 / 0


def buckets(length):
    return numbers().bucket_batch_by_length(["x"], [2, 4], [2, 2, 3], length)


@pytest.mark.parametrize(
    "make, text",
    [
        (lambda: ds.GeneratorDataset(Announced(5), ["a"]), "read from generator 3 is different from generator.len 5"),
        (lambda: ds.GeneratorDataset(Announced(2), ["a"]), "read from generator 3 is different from generator.len 2"),
        (
            lambda: ds.GeneratorDataset(Announced(5), ["a"], num_samples=4),
            "generator 3 is different from generator.len 4",
        ),
        (lambda: numbers().batch(2, per_batch_map=lambda a, info: ([1],)), "expects: 2 rows returned .* got: 1"),
        (lambda: numbers().batch(2, per_batch_map=lambda a, info: ([],)), "expects: 2 rows returned .* got: 0"),
        (
            lambda: pairs().batch(2, per_batch_map=lambda a, b, info: ({"z": 1}, b)),
            "mismatched types returned from per",
        ),
        (lambda: pairs().batch(2, per_batch_map=lambda a, b, info: (a, {1})), "mismatched types returned from per"),
        (
            lambda: pairs().batch(2, per_batch_map=lambda a, b, info: (np.array([1]), b)),
            "expects: 2 rows returned .* got: 1",
        ),
        (
            lambda: pairs().batch(2, per_batch_map=lambda a, b, info: ([{"z": 1}, {"y": 1}], b)),
            "dicts with the same keys",
        ),
        (lambda: numbers().batch(lambda info: 1 / 0), "(?s)user defined Python function.*ZeroDivisionError"),
        (lambda: buckets(lambda a: 1 / 0), "(?s)user defined Python function.*ZeroDivisionError"),
        (lambda: buckets(lambda a: (1,)), "must return an integer greater than or equal to 0"),
        (lambda: buckets(lambda a: 2.5), "must return an integer greater than or equal to 0"),
        (lambda: ds.NumpySlicesDataset(np.arange(3), ["a"], sampler=Dividing()), "(?s)user defined.*ZeroDivisionError"),
    ],
)
def test_what_users_hand_in_is_checked_as_by_mindspore(make, text):
    """Recorded: a RuntimeError each; lists of another length, a generator that ends early, errors of functions and samplers."""
    with pytest.raises(RuntimeError, match=text):
        list(make().create_tuple_iterator(num_epochs=1))


@pytest.mark.parametrize("announced, limit, rows", [(3, None, 3), (5, 3, 3), (2, 1, 1), (3, 9, 3)])
def test_a_generator_as_long_as_it_says(announced, limit, rows):
    made = ds.GeneratorDataset(Announced(announced), ["a"], num_samples=limit)
    assert len(list(made.create_tuple_iterator(num_epochs=1))) == rows
