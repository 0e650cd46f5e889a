"""LeNet on a small real MNIST: trains, evaluates, saves a checkpoint and a picture of predictions and the loss curve.

python -m msjax examples/lenet.py [--epochs 12] [--data FOLDER] [--out lenet_out]
"""

import argparse
import os

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn
from mindspore.dataset import transforms, vision
from mindspore.train import Accuracy, Callback, Model

HERE = os.path.dirname(os.path.abspath(__file__))


class LeNet5(nn.Cell):
    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * 5 * 5, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, classes)

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.flatten(x)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


def digits(folder, batch_size, shuffle):
    data = ds.MnistDataset(folder, shuffle=shuffle)
    data = data.map(
        [
            vision.Resize((32, 32)),
            vision.Rescale(1 / 255.0, 0),
            vision.Normalize((0.1307,), (0.3081,)),
            vision.HWC2CHW(),
        ],
        "image",
    )
    data = data.map(transforms.TypeCast(ms.int32), "label")
    return data.batch(batch_size)


class Progress(Callback):
    """One line an epoch, and the losses for the picture."""

    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_step_end(self, run_context):
        self.losses.append(run_context.original_args().net_outputs)

    def on_train_epoch_end(self, run_context):
        params = run_context.original_args()
        recent = np.mean([float(loss.asnumpy()) for loss in self.losses[-params.batch_num :]])
        done = params.cur_epoch_num * 24 // params.epoch_num
        print(f"epoch {params.cur_epoch_num:2d}/{params.epoch_num} [{'#' * done:24s}] loss {recent:.4f}", flush=True)


def picture(plt, network, losses, test_data):
    images, labels = next(test_data.create_tuple_iterator())
    network.set_train(False)
    predicted = network(images).asnumpy().argmax(1)
    figure, axes = plt.subplots(2, 8, figsize=(13, 5.2), gridspec_kw={"bottom": 0.42})
    for axis, image, label, guess in zip(axes.flat, images.asnumpy(), labels.asnumpy(), predicted):
        axis.imshow(image[0], cmap="gray_r")
        axis.set_title(
            f"{guess}" + ("" if guess == label else f" (is {label})"), color="black" if guess == label else "red"
        )
        axis.axis("off")
    curve = figure.add_axes((0.07, 0.1, 0.88, 0.26))
    curve.plot([float(loss.asnumpy()) for loss in losses])
    curve.set_yscale("log")
    curve.set_xlabel("step")
    curve.set_ylabel("training loss")
    return figure


def save_picture(draw, checkpoint, path, *drawn):
    """`draw(pyplot, *drawn)` gives a figure, which is saved at `path` where matplotlib is installed. Says what there is now: the checkpoint too."""
    try:
        import matplotlib
    except ImportError:
        print(f"saved {checkpoint} (for the picture: pip install matplotlib)")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    draw(pyplot, *drawn).savefig(path, dpi=90)
    print(f"saved {checkpoint} and {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument(
        "--data", default=os.path.join(HERE, "data", "mnist"), help="folder with the folders train and test"
    )
    parser.add_argument("--out", default="lenet_out", help="folder of the checkpoint and the picture")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    ms.set_seed(1)
    ms.set_context(mode=ms.GRAPH_MODE)

    network = LeNet5()
    train_data = digits(os.path.join(args.data, "train"), 32, shuffle=True)
    test_data = digits(os.path.join(args.data, "test"), 100, shuffle=False)
    rate = nn.cosine_decay_lr(
        0.001, 0.05, args.epochs * train_data.get_dataset_size(), train_data.get_dataset_size(), args.epochs
    )
    optimizer = nn.Momentum(network.trainable_params(), rate, 0.9, weight_decay=1e-4)
    model = Model(network, nn.CrossEntropyLoss(), optimizer, metrics={"accuracy": Accuracy()})
    progress = Progress()
    model.train(args.epochs, train_data, callbacks=[progress])
    accuracy = model.eval(test_data)["accuracy"]
    checkpoint, path = (os.path.join(args.out, name) for name in ("lenet.ckpt", "lenet.png"))
    ms.save_checkpoint(network, checkpoint)
    print(f"accuracy on {test_data.get_dataset_size() * 100} test digits: {accuracy:.1%}")
    save_picture(picture, checkpoint, path, network, progress.losses, test_data)
    return accuracy


if __name__ == "__main__":
    main()
