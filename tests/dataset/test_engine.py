"""The pipeline engine: rows do not depend on how they are computed; getters, callbacks, sampling, resuming, sync."""

import doctest
import importlib
import os
import sys
import threading
import time

import mindspore.dataset as ds
import mindspore.dataset.transforms as T
import numpy as np
import pytest

from msjax.dataset.engine import block as block_module
from msjax.dataset.engine.run import Run
from msjax.dataset.operation import Operation, draws

pytestmark = pytest.mark.usefixtures("clean_config")


@pytest.fixture
def clean_config():
    ds.config.set_seed(5489)
    yield
    ds.config.set_seed(5489)
    ds.config.set_debug_mode(False)
    ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)
    ds.config.set_enable_progress(False)


def rows(data, epochs=1):
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [[[column.tolist() for column in row] for row in iterator] for _ in range(epochs)]


def numbers(count=10, **kwargs):
    return ds.NumpySlicesDataset({"x": np.arange(count)}, shuffle=False, **kwargs)


class Noise(Operation):
    """Adds a random number."""

    deterministic = False

    def apply(self, x):
        return x + draws().uniform()


class Slow:
    """Source whose rows take a while, so that workers are used."""

    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        time.sleep(0.001)
        return np.array(float(index))


# --- the same rows, however computed
# -----------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("per_block", [1, 3, 64])
def test_random_rows_depend_on_the_seed_only(monkeypatch, workers, per_block):
    def run():
        ds.config.set_seed(7)
        data = ds.GeneratorDataset(Slow(12), "x", num_parallel_workers=workers, python_multiprocessing=False)
        data = data.map([Noise(), T.TypeCast("float32"), Noise()], "x", num_parallel_workers=workers)
        return rows(data, 2)

    expected = run()
    monkeypatch.setattr(block_module, "ROWS_PER_BLOCK", per_block)
    assert run() == expected
    assert expected[0] != expected[1]


def test_random_operations_of_one_worker_draw_alike():
    ds.config.set_seed(3)
    data = numbers(4).map([lambda x: (x * 0.0, x * 0.0)], "x", ["a", "b"]).map([Noise()], "a").map(Noise(), "b")
    first = [row for row in rows(data)[0]]
    assert len({a for a, _ in first}) == 4
    assert all(a == b for a, b in first), "operations of one worker begin with the same seed, as in MindSpore"


def test_without_a_seed_runs_differ():
    data = numbers(50).shuffle(50)
    assert rows(data) != rows(data)


@pytest.mark.parametrize("shapes", ["alike", "ragged"])
def test_elementwise_chain_equals_row_by_row(shapes):
    values = [np.arange(i % 3 + 2 if shapes == "ragged" else 4) / 3 for i in range(70)]
    chain = [
        T.TypeCast("float32"),
        T.Fill(2) if shapes == "ragged" else T.TypeCast("float16"),
        T.TypeCast("int32"),
        T.OneHot(5),
    ]
    data = ds.GeneratorDataset(values, "x", shuffle=False).map(chain, "x")
    expected = []
    for value in values:
        for operation in chain:
            value = operation(value)
        expected.append([value.tolist()])
    assert rows(data)[0] == expected


def test_operation_that_is_not_elementwise_after_all_is_run_by_row():
    class Center(Operation):
        elementwise = True  # a mistake: the mean is over the row

        def apply(self, x):
            return x - x.mean()

    data = ds.NumpySlicesDataset(np.arange(20.0).reshape(10, 2), "x", shuffle=False).map(Center(), "x")
    assert rows(data)[0] == [[[-0.5, 0.5]]] * 10


def test_user_functions_may_write_to_their_input():
    kept = np.arange(6.0).reshape(3, 2)

    def halve(x):
        x /= 2
        return x

    for data in (ds.NumpySlicesDataset(kept, "x", shuffle=False), ds.GeneratorDataset(list(kept), "x", shuffle=False)):
        assert rows(data.map(halve, "x"), 2)[1] == [[[0.0, 0.5]], [[1.0, 1.5]], [[2.0, 2.5]]]
    assert kept.tolist() == [[0, 1], [2, 3], [4, 5]]


def test_rows_given_do_not_share_memory():
    seen = [
        row[0] for row in numbers(8).map(lambda x: x * 1.0, "x").create_tuple_iterator(num_epochs=1, output_numpy=True)
    ]
    seen[0][...] = 99
    assert [float(x) for x in seen[1:]] == [1, 2, 3, 4, 5, 6, 7]


# --- operations
# ----------------------------------------------------------------------------------------------------------


def test_column_order_of_1x():
    data = numbers(2).map(lambda x: (x, x + 1), ["x"], ["a", "b"], column_order=["b", "a"])
    assert data.get_col_names() == ["b", "a"] and rows(data)[0] == [[1, 0], [2, 1]]


def test_to_device_and_device_que():
    queue = numbers(4).batch(2).device_que()
    queue.send(num_epochs=2)
    assert [queue.next_batch()[0].asnumpy().tolist() for _ in range(4)] == [[0, 1], [2, 3]] * 2
    assert [row[:2] for row in queue.get_send_info()] == [[1, 2], [2, 2]]
    queue.release()
    with pytest.raises(RuntimeError, match="not iterable"):
        iter(numbers(2).to_device())


def test_iterator_gives_tensors_and_strings_as_arrays():
    data = ds.NumpySlicesDataset({"x": np.ones((2, 3), np.uint8), "s": ["a", "b"]}, shuffle=False)
    row = next(data.create_dict_iterator())
    assert type(row["x"]).__name__ == "Tensor" and str(row["x"].dtype) == "UInt8" and row["x"].shape == (3,)
    assert isinstance(row["s"], np.ndarray) and row["s"] == "a"


def test_getters_run_no_more_than_one_row():
    calls = []
    data = ds.GeneratorDataset(lambda: iter(range(100)), "x").map(lambda x: calls.append(1) or x, "x")
    assert data.output_shapes() == [[]] and data.output_types() == [np.dtype("int64")]
    assert len(calls) == 1


def test_estimated_shapes():
    data = ds.GeneratorDataset([np.zeros((i + 1, 2)) for i in range(3)], "x", shuffle=False)
    assert data.output_shapes(estimate=True) == [[None, 2]] and data.output_shapes() == [[1, 2]]


def test_the_shape_of_a_dict():
    data = ds.GeneratorDataset([({"a": np.ones(3)}, 1), ({}, 2)], ["x", "y"])
    assert data.output_shapes() == data.output_shapes(estimate=True) == [[0], []]


def test_epochs_of_one_iterator():
    iterator = numbers(2).create_tuple_iterator(num_epochs=2, output_numpy=True)
    assert [len(list(iterator)) for _ in range(2)] == [2, 2]
    with pytest.raises(RuntimeError, match="beyond the specified number of epochs"):
        next(iterator)
    endless = numbers(2).create_tuple_iterator(output_numpy=True)
    assert [len(list(endless)) for _ in range(5)] == [2] * 5


def test_init_step_and_reset():
    data = numbers(6).batch(2)
    data.set_init_step(4)
    iterator = data.create_tuple_iterator(num_epochs=3, output_numpy=True)
    assert [row[0].tolist() for row in iterator] == [[2, 3], [4, 5]]
    iterator._reset(2, 3)
    assert [row[0].tolist() for row in iterator] == [[4, 5]]


def test_reset_repeats_the_random_order():
    ds.config.set_seed(5)
    data = numbers(9).shuffle(4).batch(3)
    expected = rows(data, 3)
    data.set_init_step(7)
    iterator = data.create_tuple_iterator(num_epochs=3, output_numpy=True)
    ours = [[row[0].tolist()] for row in iterator]
    assert sorted(sum((row[0] for row in ours), [])) != list(range(9)) and len(ours) == 2
    assert len(expected[2]) == 3


def test_sync_wait_lets_no_row_through_early():
    seen, released = [], []

    class Augment:
        level = 0

        def preprocess(self, x):
            seen.append(int(x))
            return x + self.level

        def update(self, data):
            released.append(data["loss"])
            self.level = data["loss"]

    augment = Augment()
    data = numbers(8).sync_wait("policy", num_batch=1, callback=augment.update).map(augment.preprocess, "x").batch(2)
    given = []
    for i, row in enumerate(data.create_tuple_iterator(num_epochs=1, output_numpy=True)):
        assert len(seen) == 2 * (i + 1)
        given.append(row[0].tolist())
        data.sync_update("policy", data={"loss": 100 * (i + 1)})
    assert given == [[0, 1], [102, 103], [204, 205], [306, 307]] and released == [100, 200, 300, 400]
    with pytest.raises(RuntimeError, match="Condition name not found"):
        data.sync_update("other")


def test_shuffle_after_sync_wait_is_refused():
    with pytest.raises(RuntimeError, match="No shuffle after sync"):
        numbers().sync_wait("a").shuffle(3)


def test_callbacks_around_steps():
    calls = []

    class Log(ds.DSCallback):
        def ds_epoch_begin(self, context):
            calls.append(("epoch", context.cur_epoch_num))

        def ds_step_begin(self, context):
            calls.append(("step", context.cur_step_num, context.cur_step_num_in_epoch))

    rows(numbers(3).map(lambda x: x, "x", callbacks=[Log(2)]), 2)
    assert calls == [("epoch", 1), ("step", 1, 1), ("step", 3, 3), ("epoch", 2), ("step", 4, 1), ("step", 6, 3)]

    class Both(ds.DSCallback):
        def ds_step_begin(self, context):
            calls.append(context.cur_step_num)

        def ds_step_end(self, context):
            calls.append(-context.cur_step_num)

    calls.clear()
    rows(numbers(3).map(lambda x: calls.append(f"row {x}") or x, "x", callbacks=Both()))
    assert calls == [1, 2, "row 0", -1, 3, "row 1", -2, "row 2", -3]
    with pytest.raises(AttributeError, match="without overriding"):
        rows(numbers(3).map(lambda x: x, "x", callbacks=ds.DSCallback()))


def test_waited_callback_keeps_in_step_with_training():
    order = []

    class Waited(ds.WaitedDSCallback):
        def sync_step_begin(self, train, data):
            order.append(("data", data.cur_step_num))

    callback = Waited()
    data = numbers(3).map(lambda x: x, "x", callbacks=callback)
    for i, _ in enumerate(data.create_tuple_iterator(num_epochs=1, output_numpy=True)):
        order.append(("train", i + 1))
        callback.step_end(None)
    assert order == [("train", 1), ("data", 2), ("train", 2), ("data", 3), ("train", 3)]


def test_debug_mode_runs_in_this_thread(capsys):
    ds.config.set_debug_mode(True)
    threads = []
    data = numbers(2).map([lambda x: threads.append(threading.current_thread()) or x], "x", num_parallel_workers=4)
    rows(data)
    assert set(threads) == {threading.main_thread()}
    assert "[INPUT] of the operation [<lambda>]" in capsys.readouterr().out


def test_debug_mode_sets_the_seed_1_where_none_was_set():
    ds.config.set_debug_mode(True)
    told = ds.config.get_seed()
    # as MindSpore shuffles with the seed 1
    order = [row[0] for row in rows(ds.NumpySlicesDataset(list(range(6)), "x"))[0]]
    assert (told, order, ds.config.get_seed()) == (5489, [1, 0, 2, 5, 3, 4], 1)


def test_progress_bar(capsys):
    ds.config.set_enable_progress(True)
    data = numbers(5)
    data.get_dataset_size()
    rows(data)
    assert "epoch 1 [##############################] 5/5" in capsys.readouterr().err


# --- what is written down
# ------------------------------------------------------------------------------------------------


def test_serialize_and_back(tmp_path):
    data = ds.NumpySlicesDataset(np.arange(6), "x", shuffle=False).map(
        [T.TypeCast("float32"), T.Compose([T.Fill(3)])], "x"
    )
    data = data.skip(1).rename("x", "y").batch(2, drop_remainder=True).repeat(2)
    file = tmp_path / "pipeline.json"
    tree = ds.serialize(data, str(file))
    for again in (ds.deserialize(tree), ds.deserialize(json_filepath=str(file))):
        assert ds.compare(data, again) and rows(again) == rows(data) and again.get_col_names() == ["y"]
    with pytest.raises(RuntimeError, match="user-defined Python functions"):
        ds.deserialize(ds.serialize(numbers().map(lambda x: x, "x")))


def test_split_parts_keep_their_samplers_when_written_down():
    ds.config.set_seed(4)
    part = numbers(10).split([0.3, 0.7])[0]
    assert rows(ds.deserialize(ds.serialize(part))) == rows(part)


def test_dataset_package_does_not_import_jax():
    code = (
        "import sys, types; p = types.ModuleType('msjax'); p.__path__ = [sys.argv[1]]; sys.modules['msjax'] = p; "
        "import msjax.dataset as ds; d = ds.NumpySlicesDataset([1, 2], 'x').batch(2); "
        "list(d.create_tuple_iterator(num_epochs=1, output_numpy=True)); "
        "sys.exit([m for m in ('jax', 'cv2', 'PIL', 'scipy') if m in sys.modules] or 0)"
    )
    import subprocess

    import msjax.dataset

    package = os.path.dirname(os.path.dirname(msjax.dataset.__file__))
    done = subprocess.run([sys.executable, "-c", code, package], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "module",
    [
        "",
        ".check",
        ".config",
        ".debug",
        ".operation",
        ".recorded",
        ".dataloader.collate",
        ".dataloader.loader",
        ".engine.callbacks",
        ".engine.dataset",
        ".engine.samplers",
        ".engine.serialize",
        ".engine.source",
        ".engine.transfer",
        ".sources.generator",
        ".sources.graph",
        ".sources.mnist",
        ".sources.slices",
        ".transforms.py_transforms",
        ".transforms.compose",
        ".transforms.transforms",
        ".transforms.user_operations",
        ".utils.browse_dataset",
        ".utils.line_reader",
    ],
)
def test_examples(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # examples write files
    assert doctest.testmod(importlib.import_module(f"msjax.dataset{module}")).failed == 0


def test_global_seed_is_the_seed_of_datasets():
    import random

    import mindspore as ms

    def order():
        ms.set_seed(3)
        return (
            ds.config.get_seed(),
            random.random(),
            np.random.rand(),
            rows(ds.NumpySlicesDataset(list(range(10)), "x")),
        )

    assert order() == order() and order()[0] == 3
    assert order()[3] == [[[i] for i in (3, 1, 8, 5, 2, 6, 9, 7, 0, 4)]]


def test_operations_of_networks_are_refused():
    import mindspore as ms

    for wrong in (ms.nn.ReLU(), ms.ops.ReLU()):
        with pytest.raises(ValueError, match="network computing operator"):
            numbers().map([lambda x: x, wrong], "x")


def test_random_operations_are_never_run_on_blocks():
    class Draw(Noise):
        elementwise = True

    ds.config.set_seed(3)
    given = rows(numbers(64).map(Draw(), "x"))[0]
    assert len({row[0] % 1 for row in given}) == 64


def test_networks_may_be_called_in_functions():
    import mindspore as ms

    relu = ms.ops.ReLU()
    data = numbers(4).map(lambda x: relu(ms.Tensor(x - 2)).asnumpy(), "x", num_parallel_workers=2)
    assert rows(data)[0] == [[0], [0], [0], [1]]


def test_sampler_that_can_be_run_through_once():
    data = ds.GeneratorDataset(list(range(6)), "x", sampler=(i for i in (4, 2, 5)))
    assert data.get_dataset_size() == 3 and rows(data, 2) == [[[4], [2], [5]]] * 2


def test_own_sampler_is_not_copied_deeply():
    class Holder(ds.Sampler):
        def __init__(self, data):
            super().__init__()
            self.data = data
            self.lock = threading.Lock()

        def __iter__(self):
            yield from self.data

    data = ds.GeneratorDataset(list(range(6)), "x", sampler=Holder([1, 3]))
    assert data.get_dataset_size() == 2 and rows(data.repeat(2))[0] == [[1], [3], [1], [3]]


def test_lists_of_an_own_sampler_are_handed_to_the_source():
    """As in 1.x (MindSpore's NCF reads its batches so), whatever the numbers mean to the source; 2.10 stops, as it counts six rows."""

    class Batches(ds.Sampler):
        def __iter__(self):
            return iter([np.array([5, 9, 1]), np.array([100, 2, 3])])

    class Source:
        def __len__(self):
            return 2

        def __getitem__(self, index):
            return index * 2

    data = ds.GeneratorDataset(Source(), ["x"], sampler=Batches(2))
    assert data.get_dataset_size() == 2 and rows(data) == [[[[10, 18, 2]], [[200, 4, 6]]]]


class Places:
    """A sampler by Python's old protocol: no `__iter__`."""

    def __getitem__(self, index):
        return [3, 1, 2][index]

    def __len__(self):
        return 3


def test_a_sampler_needs_no_iter():
    source = [np.array(10 * i) for i in range(5)]
    assert rows(ds.NumpySlicesDataset(list(range(5)), sampler=Places())) == [[[3], [1], [2]]]
    assert rows(ds.GeneratorDataset(source, ["x"], sampler=Places())) == [[[30], [10], [20]]]


def test_python_objects_in_a_row():
    """Recorded from MindSpore: numbers and texts within a dict come out as arrays or Tensors, None stays."""

    def source():
        yield {"n": 1, "s": "ab", "l": [1, (2.5,)], "none": None, "d": {"a": np.ones(2)}}, 1

    row = next(ds.GeneratorDataset(source, ["a", "b"]).create_dict_iterator(output_numpy=True))["a"]
    assert isinstance(row["n"], np.ndarray) and row["s"].dtype.kind == "U" and row["none"] is None
    assert isinstance(row["l"][1], tuple) and row["l"][1][0] == 2.5 and row["d"]["a"].shape == (2,)
    tensors = next(ds.GeneratorDataset(source, ["a", "b"]).create_dict_iterator())["a"]
    assert repr(tensors["n"]) == "Tensor(shape=[], dtype=Int64, value= 1)" and isinstance(tensors["s"], np.ndarray)
    batched = numbers(4).batch(
        2, per_batch_map=lambda x, info: ({"old": x}, {"n": info.get_batch_num()}), output_columns=["a", "b"]
    )
    last = list(batched.create_dict_iterator(num_epochs=1, output_numpy=True))[-1]
    assert last["b"] == {"n": 1} and [v.item() for v in last["a"]["old"]] == [2, 3]


def test_sizes_of_zipped_datasets():
    """A dataset of several others says 1, as in MindSpore."""
    rows = ds.NumpySlicesDataset({"a": np.arange(6)}, shuffle=False)
    others = ds.NumpySlicesDataset({"b": np.arange(6)}, shuffle=False)
    zipped = ds.zip((rows.repeat(3).batch(2), others))
    assert (zipped.get_repeat_count(), zipped.get_batch_size(), zipped.get_dataset_size()) == (1, 1, 6)
    again = zipped.repeat(2).batch(3)
    assert (again.get_repeat_count(), again.get_batch_size()) == (2, 3)


def test_rows_of_dicts_that_per_batch_map_gives():
    """They become one dict of lists, as in MindSpore 2.10; a dict alone is the batch."""

    def run(function):
        data = ds.NumpySlicesDataset({"a": [1, 2], "b": [3, 4]}, shuffle=False).batch(2, per_batch_map=function)
        return next(data.create_dict_iterator(num_epochs=1, output_numpy=True))

    row = run(lambda a, b, info: ([{"n": v, "l": [v, {"q": v}]} for v in a], np.array([5, 6])))
    assert row == {"a": {"n": [1, 2], "l": [[1, {"q": 1}], [2, {"q": 2}]]}, "b": row["b"]}
    assert row["b"].tolist() == [5, 6] and isinstance(row["a"]["n"][0], np.ndarray)
    row = run(lambda a, b, info: ({"z": 1, "y": [1, 2]}, np.array([5])))
    assert row == {"a": {"z": 1, "y": [1, 2]}, "b": row["b"]} and row["b"].tolist() == [5]


@pytest.mark.parametrize("size", [3, 4, 5, 8])
@pytest.mark.parametrize("shapes", ["alike", "last differs"])
def test_large_values_are_put_into_the_batch_as_they_come(size, shapes):
    """Rows above the size at which they are stacked: the same batches, each with memory of its own."""
    images = [np.full((3, 100, 100), i, np.float32) for i in range(20)]
    if shapes == "last differs":
        images[-1] = images[-1][:2]
    data = ds.GeneratorDataset(lambda: ((i,) for i in range(20)), ["at"], shuffle=False)
    data = data.map(lambda i: (images[int(i)], i), ["at"], ["image", "at"], num_parallel_workers=1).batch(size)
    batches = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    seen = []
    if shapes == "last differs":
        with pytest.raises(RuntimeError, match="Cannot batch tensors with different shapes in column 0"):
            seen.extend(batches)
        assert len(seen) == 19 // size
    else:
        seen.extend(batches)
        assert [len(image) for image, _ in seen] == [min(size, 20 - i) for i in range(0, 20, size)]
    for number, (image, at) in enumerate(seen):
        np.testing.assert_array_equal(image, np.stack(images[number * size : number * size + len(image)]))
        np.testing.assert_array_equal(at, np.arange(20)[number * size : number * size + len(image)])
        image += 1  # the next batches and the rows themselves stay as they are
    assert all((row == i).all() for i, row in enumerate(images))


def test_a_map_hands_on_large_rows_in_small_portions():
    """What a map has made and nobody has taken yet does not grow with the block that it reads."""
    made = []

    def enlarge(i):
        made.append(int(i))
        return np.zeros((1 << 18,), np.float32)

    data = ds.NumpySlicesDataset(list(range(64)), ["at"], shuffle=False).map(enlarge, num_parallel_workers=1)
    blocks = data.blocks(Run(data), 0)
    assert next(blocks).count == 1
    assert next(blocks).count == 2
    assert made == [0, 1, 2]


@pytest.mark.parametrize(
    "sizes, error", [([3, 6], None), (3, None), ((3, 6), TypeError), ([3], TypeError), ([3.0, 6], TypeError)]
)
@pytest.mark.parametrize(
    "node", [lambda data, sizes: data.map(abs, max_rowsize=sizes), lambda data, sizes: data.batch(1, max_rowsize=sizes)]
)
def test_max_rowsize_is_one_size_or_two(node, sizes, error):
    """Recorded from MindSpore."""
    data = ds.NumpySlicesDataset([1, 2], ["x"])
    if error is None:
        node(data, sizes)
        return
    with pytest.raises(error, match="max_rowsize"):
        node(data, sizes)


def test_a_collate_fn_may_give_a_dict():
    data = ds.GeneratorDataset(
        list(range(6)), ["x"], batch_sampler=[[3, 1], [4]], collate_fn=lambda rows: {"x": np.stack(rows)}
    )
    data = data.map(lambda batch: batch["x"] + 1, ["x"])
    assert [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [[4, 2], [5]]
