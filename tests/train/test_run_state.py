"""Runs that are stopped and started again: bit for bit the losses of a run that was not, in three kinds of loop, in both modes."""

import os
import random
import signal
import subprocess
import sys

import cases_resume
import mindspore as ms
import numpy as np
import pytest
from cases_resume import EPOCHS, LOOPS, STEPS, data, start
from mindspore import nn
from mindspore.dataset import transforms, vision

import msjax

LONG = os.environ.get("MSJAX_TEST_ALL")
STOPS = range(1, EPOCHS * STEPS) if LONG else (7,)
SAMPLE = [("with_model", "graph"), ("with_cell", "pynative"), ("with_function", "graph")]


@pytest.mark.parametrize("loop", LOOPS.values())
def test_resumed_losses_are_the_same_bits(loop, mode, tmp_path):
    if not LONG and (loop.__name__, mode) not in SAMPLE:
        pytest.skip("one of MSJAX_TEST_ALL=1")
    whole = loop(None, None, True)
    assert len(whole) == EPOCHS * STEPS and len(set(whole)) > STEPS
    for stop in STOPS if loop.__name__ != "with_scaled_model" else (7,):
        path = str(tmp_path / f"{stop}.ckpt")
        first = loop(path, stop, True)
        np.random.rand(5), random.random(), ms.ops.rand(3)  # another process has other states
        second = loop(path, None, True)
        assert first + second == whole, stop


@pytest.mark.parametrize("loop", ["with_function", "with_cell", "with_model"])
def test_processes_that_are_killed_go_on(loop, mode, tmp_path):
    """SIGKILL at random moments: each step's loss, also of steps that are made again, has the bits of the uninterrupted run."""
    if not LONG and (loop, mode) != ("with_function", "graph"):
        pytest.skip("one of MSJAX_TEST_ALL=1")
    whole = [loss.hex() for loss in LOOPS[loop](None, None, True)]
    rng, seen = random.Random(3), {}
    command = [sys.executable, cases_resume.__file__, loop, mode]
    environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(msjax.__file__))}
    for run in range(2 if LONG else 1):
        path = str(tmp_path / f"{run}.ckpt")
        for kills_left in range(10 if LONG else 1, -1, -1):
            with subprocess.Popen([*command, path], stdout=subprocess.PIPE, text=True, env=environment) as process:
                wanted = rng.randrange(1, 3 if LONG else 9) if kills_left else EPOCHS * STEPS
                for line in process.stdout:
                    step, loss = line.split()
                    seen.setdefault(int(step), set()).add(loss)
                    wanted -= 1
                    if not wanted:
                        break
                if kills_left:
                    process.kill()
                for line in process.stdout:  # what it did before it was killed
                    if line.endswith("\n"):
                        step, loss = line.split()
                        seen.setdefault(int(step), set()).add(loss)
            if int(step) == EPOCHS * STEPS:  # it may be killed after the last step
                break
        assert process.returncode in (0, -signal.SIGKILL)
    assert seen == {i + 1: {loss} for i, loss in enumerate(whole)}


def test_without_a_seed_the_data_go_on_in_the_order_they_had(tmp_path):
    seen = []

    def run(path, stop):
        _, optimizer, dataset = start(False)
        state = msjax.load_run(path, optimizer, dataset=dataset)
        done = state.step if state else 0
        batches = dataset.create_tuple_iterator(num_epochs=EPOCHS, output_numpy=True)
        for _ in range(state.epoch if state else 0, EPOCHS):
            for _, labels in batches:
                done += 1
                msjax.save_run(path, optimizer, dataset=dataset, step=done)
                seen.append(tuple(labels))
                if len(seen) == stop:
                    return dataset.last_run_seed
        return dataset.last_run_seed

    path = str(tmp_path / "run.ckpt")
    assert run(path, 7) == run(path, None)
    assert len(seen) == EPOCHS * STEPS
    for epoch in range(EPOCHS):
        labels = np.concatenate(seen[epoch * STEPS : (epoch + 1) * STEPS])
        assert (np.bincount(labels) == np.bincount(np.arange(4 * STEPS) % 3)).all(), "each row once an epoch"


def test_other_objects_are_refused_and_nothing_is_changed(tmp_path):
    path = str(tmp_path / "run.ckpt")
    net, other = nn.Dense(2, 2), nn.Dense(2, 3)
    msjax.save_run(path, net, losses=[1.5], name="first")
    before = other.weight.asnumpy()
    with pytest.raises(ValueError, match="'weight' is float32"):
        msjax.load_run(path, other)
    with pytest.raises(ValueError, match="lacks .*0.weight"):
        msjax.load_run(path, nn.SequentialCell(nn.Dense(2, 2)))
    assert (other.weight.asnumpy() == before).all()
    run = msjax.load_run(path, net)
    assert run.losses == [1.5] and run.name == "first" and run.step is None
    assert msjax.load_run(str(tmp_path / "none.ckpt"), net) is None
    assert "weight" in ms.load_checkpoint(path), "a checkpoint like any other"
    ms.save_checkpoint(net, str(tmp_path / "net.ckpt"))
    with pytest.raises(ValueError, match="not written by save_run"):
        msjax.load_run(str(tmp_path / "net.ckpt"), net)
    with pytest.raises(ValueError, match="needs the 'step'"):
        msjax.save_run(path, net, dataset=data())


PIPELINES = {
    "operations": {"operations": [vision.RandomCrop(2), vision.RandomLighting(0.5), vision.RandomHorizontalFlip()]},
    "held by others": {"operations": [transforms.RandomApply([vision.RandomCrop(2), vision.Resize(3)], 0.5)]},
    "in processes": {
        "operations": [lambda x: x + np.random.randint(0, 9), vision.RandomPosterize((1, 7))],
        "python_multiprocessing": True,
    },
}


@pytest.mark.parametrize("stop", [3, 8, 10, 13])
@pytest.mark.parametrize("kind", PIPELINES)
@pytest.mark.parametrize("repeat", [1, 2])
def test_augmentation_goes_on_where_it_stood(kind, repeat, stop, tmp_path):
    if not LONG and (stop, repeat) not in ((13, 1), (8, 2)):
        pytest.skip("one of MSJAX_TEST_ALL=1")
    images = np.random.RandomState(3).randint(0, 255, (10, 4, 5, 3)).astype(np.uint8)

    def run(path, stop):
        ms.set_seed(5)
        rows = ms.dataset.NumpySlicesDataset(images, "image", shuffle=True)
        dataset = rows.map(input_columns="image", num_parallel_workers=3, **PIPELINES[kind]).repeat(repeat).batch(1)
        net = nn.Dense(1, 1)
        state = msjax.load_run(path, net, dataset=dataset)
        done, seen = state.step if state else 0, []
        size = dataset.get_dataset_size()
        batches = dataset.create_tuple_iterator(num_epochs=3, output_numpy=True)
        for _ in range(done // size, 3):
            for (image,) in batches:
                done += 1
                seen.append(image.tobytes())
                if done == stop:
                    msjax.save_run(path, net, dataset=dataset, step=done)
                    return seen
        return seen

    whole = run(str(tmp_path / "none.ckpt"), None)
    stop = stop * repeat + 1
    path = str(tmp_path / "run.ckpt")
    assert len(whole) == 30 * repeat and run(path, stop) + run(path, None) == whole
    assert len(set(whole)) > 20
