"""Runs that are stopped and started again: bit for bit the losses of a run that was not, in three kinds of loop, in both modes."""

import os
import random

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import nn, ops
from mindspore.dataset import vision
from mindspore.train import Callback, DynamicLossScaleManager, Model

import msjax

EPOCHS, STEPS = 3, 5
LONG = os.environ.get("MSJAX_LONG_TESTS")
STOPS = range(1, EPOCHS * STEPS) if LONG else (7,)
SAMPLE = [("with_model", "graph"), ("with_cell", "pynative"), ("with_function", "graph")]


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm, self.drop, self.fc = nn.BatchNorm2d(1), nn.Dropout(p=0.3), nn.Dense(36, 3)

    def construct(self, x):
        return self.fc(self.drop(ops.flatten(self.norm(x))))


def data(seeded):
    rng = np.random.RandomState(0)
    rows = [(rng.randint(0, 255, (8, 8, 1)).astype(np.uint8), np.int32(i % 3)) for i in range(4 * STEPS)]
    made = ds.GeneratorDataset(rows, ["image", "label"], shuffle=True).shuffle(7)
    made = made.map([vision.RandomCrop(6), vision.ToTensor()], "image")
    return made.batch(4, drop_remainder=True)


def start(seeded):
    """A fresh process, as far as this one can be one."""
    if seeded:
        ms.set_seed(3)
    else:
        ms.dataset.config._settings["seed"] = ms.dataset.config._UNSEEDED
        msjax.core.settings.random._restart(random.randrange(1 << 30))
    net = Net()
    rate = nn.ExponentialDecayLR(0.05, 0.9, 2)
    groups = [{"params": [net.fc.weight], "weight_decay": 0.01}, {"params": [net.norm.gamma, net.fc.bias]}]
    return net, nn.Adam(groups, rate), data(seeded)


class Killed(Exception):
    pass


class Watch(Callback):
    def __init__(self, losses, model, path, stop):
        super().__init__()
        self.losses, self.model, self.path, self.stop = losses, model, path, stop

    def on_train_step_end(self, run_context):
        out = run_context.original_args().net_outputs
        self.losses.append((out[0] if isinstance(out, tuple) else out).asnumpy().item())
        if self.path is not None:
            msjax.save_run(self.path, self.model, note="x")
        if len(self.losses) == self.stop:
            raise Killed


def with_model(path, stop, seeded, scaled=False):
    net, optimizer, dataset = start(seeded)
    scale = {"loss_scale_manager": DynamicLossScaleManager(2**10, scale_window=3)} if scaled else {}
    model = Model(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), optimizer, **scale)
    losses, run = [], path and msjax.load_run(path, model, dataset=dataset)
    assert run is None or run.note == "x"
    try:
        model.train(EPOCHS, dataset, callbacks=Watch(losses, model, path, stop), initial_epoch=run.epoch if run else 0)
    except Killed:
        pass
    return losses


def with_scaled_model(path, stop, seeded):
    return with_model(path, stop, seeded, scaled=True)


def with_cell(path, stop, seeded):
    net, optimizer, dataset = start(seeded)
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    cell = nn.TrainOneStepCell(loss, optimizer).set_train()
    run = path and msjax.load_run(path, cell, dataset=dataset)
    return _loop(path, stop, run, cell, (cell,), dataset)


def with_function(path, stop, seeded):
    net, optimizer, dataset = start(seeded)
    net.set_train()
    loss_of = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    gradient = ms.value_and_grad(lambda x, y: loss_of(net(x), y), None, optimizer.parameters)

    def step(x, y):
        loss, gradients = gradient(x, y)
        optimizer(gradients)
        return loss

    if ms.get_context("mode") == ms.GRAPH_MODE:
        step = ms.jit(step)
    run = path and msjax.load_run(path, net, optimizer, dataset=dataset)
    return _loop(path, stop, run, step, (net, optimizer), dataset)


def _loop(path, stop, run, step, objects, dataset):
    losses, done = [], run.step if run else 0
    batches = dataset.create_tuple_iterator(num_epochs=EPOCHS)
    for _ in range(run.epoch if run else 0, EPOCHS):
        for batch in batches:
            losses.append(step(*batch).asnumpy().item())
            done += 1
            if path is not None:
                msjax.save_run(path, *objects, dataset=dataset, step=done)
            if len(losses) == stop:
                return losses
    return losses


@pytest.mark.parametrize("loop", [with_model, with_scaled_model, with_cell, with_function])
def test_resumed_losses_are_the_same_bits(loop, mode, tmp_path):
    if not LONG and (loop.__name__, mode) not in SAMPLE:
        pytest.skip("one of MSJAX_LONG_TESTS=1")
    whole = loop(None, None, True)
    assert len(whole) == EPOCHS * STEPS and len(set(whole)) > STEPS
    for stop in STOPS if loop is not with_scaled_model else (7,):
        path = str(tmp_path / f"{stop}.ckpt")
        first = loop(path, stop, True)
        np.random.rand(5), random.random(), ms.ops.rand(3)  # another process has other states
        second = loop(path, None, True)
        assert first + second == whole, stop


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
        msjax.save_run(path, net, dataset=data(True))
