"""Three training loops that go on where an earlier run of theirs was stopped.

python cases_resume.py LOOP MODE FILE runs one of them in a process of its own, which prints each step's number and loss.
"""

import random
import sys

import msjax

if __name__ == "__main__":
    msjax.install()

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops
from mindspore.dataset import vision
from mindspore.train import Callback, DynamicLossScaleManager, Model

EPOCHS, STEPS = 3, 5


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm, self.drop, self.fc = nn.BatchNorm2d(1), nn.Dropout(p=0.3), nn.Dense(36, 3)

    def construct(self, x):
        return self.fc(self.drop(ops.flatten(self.norm(x))))


def data():
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
        msjax.core.operators.random._restart(random.randrange(1 << 30))
    net = Net()
    rate = nn.ExponentialDecayLR(0.05, 0.9, 2)
    groups = [{"params": [net.fc.weight], "weight_decay": 0.01}, {"params": [net.norm.gamma, net.fc.bias]}]
    return net, nn.Adam(groups, rate), data()


class Killed(Exception):
    pass


def note(losses, step, loss):
    """Keep a loss; a process that will be killed tells it at once."""
    losses.append(loss.asnumpy().item())
    if __name__ == "__main__":
        print(step, losses[-1].hex(), flush=True)


class Watch(Callback):
    def __init__(self, losses, model, path, stop):
        super().__init__()
        self.losses, self.model, self.path, self.stop = losses, model, path, stop

    def on_train_step_end(self, run_context):
        out = run_context.original_args().net_outputs
        step = run_context.original_args().cur_step_num
        note(self.losses, step, out[0] if isinstance(out, tuple) else out)
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
            done += 1
            note(losses, done, step(*batch))
            if path is not None:
                msjax.save_run(path, *objects, dataset=dataset, step=done)
            if len(losses) == stop:
                return losses
    return losses


LOOPS = {loop.__name__: loop for loop in (with_model, with_scaled_model, with_cell, with_function)}

if __name__ == "__main__":
    ms.set_context(mode=ms.GRAPH_MODE if sys.argv[2] == "graph" else ms.PYNATIVE_MODE)
    LOOPS[sys.argv[1]](sys.argv[3], None, True)
