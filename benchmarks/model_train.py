"""LeNet through `Model.train`, an epoch a step, against a hand-written JAX loop over the same data, and MindSpore if it is there.

    python benchmarks/model_train.py [--mindspore-python PYTHON] [--only lenet,lenet_sunk] [--bursts 9] [--starts 1]

The hand-written loop takes its batches from the same pipeline as NumPy arrays, and asks for the loss once an epoch. Data: the first 1,920
digits of the examples' MNIST, padded to 32x32; batches of 64, so that an epoch is 30 steps.
"""

import gzip
import pathlib

import numpy as np
from contenders import main, mindspore_of

STEPS = {"lenet": 1, "lenet_sunk": 1}
BATCH, ROWS = 64, 64 * 30
MNIST = pathlib.Path(__file__).parents[1] / "examples" / "data" / "mnist" / "train"


def data():
    with gzip.open(MNIST / "train-images-idx3-ubyte.gz") as file:
        images = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 1, 28, 28)[:ROWS]
    with gzip.open(MNIST / "train-labels-idx1-ubyte.gz") as file:
        labels = np.frombuffer(file.read(), np.uint8, offset=8)[:ROWS]
    padded = np.pad(images / np.float32(255), ((0, 0), (0, 0), (2, 2), (2, 2)))
    return (padded - np.float32(0.1307)) / np.float32(0.3081), labels.astype(np.int32)


def pipeline(dataset):
    return dataset.NumpySlicesDataset(data(), ["image", "label"], shuffle=True).batch(BATCH, drop_remainder=True)


def jax_epoch():
    import jax
    import train_step

    import msjax.dataset as dataset

    batches = pipeline(dataset).create_tuple_iterator(output_numpy=True)
    update = train_step.jax_step("lenet", feed=True)

    def epoch(wait):
        for x, y in batches:
            loss = update(jax.device_put(x), jax.device_put(y))
        loss.block_until_ready()

    return epoch


def model_epoch(worker, sunk):
    ms = mindspore_of(worker)
    import mindspore.dataset as dataset
    from mindspore import nn
    from mindspore.train import Model

    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    net = nn.SequentialCell(
        nn.Conv2d(1, 6, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2),
        nn.Conv2d(6, 16, 5, pad_mode="valid"), nn.ReLU(), nn.MaxPool2d(2, 2),
        nn.Flatten(), nn.Dense(400, 120), nn.ReLU(), nn.Dense(120, 84), nn.ReLU(), nn.Dense(84, 10),
    )  # fmt: skip
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9))
    batches = pipeline(dataset)

    def epoch(wait):
        model.train(1, batches, dataset_sink_mode=sunk)
        net.trainable_params()[0].asnumpy()

    return epoch


def build(contender, workload):
    return jax_epoch if contender == "jax" else lambda: model_epoch(contender, workload.endswith("sunk"))


if __name__ == "__main__":
    main(__file__, __doc__, STEPS, build, starts=1)
