"""A network of MindCV, fine-tuned on few pictures: RegNet learns seven of the ten digits, keeps its body, and learns the other three
from 15 pictures each; beside it the same network learns these from nothing.

python -m msjax examples/mindcv_fine_tuning.py [--out fine_tuning_out]

A port: blocks, names of Parameters and initial values are those of MindCV's `regnet_y`, narrow and for pictures of 32 x 32; training is
MindCV's, with label smoothing, warm-up and cosine decay, and no decay of biases and normalizations. It prints the share that is right
among new pictures of the three, and saves a picture.
"""

import argparse
import os

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from lenet import save_picture
from mindspore import Tensor, nn, ops
from mindspore.common import initializer as init
from mindspore.dataset import transforms, vision
from mindspore.train import Accuracy, Callback, LossMonitor, Model  # noqa: F401

HERE = os.path.dirname(os.path.abspath(__file__))
KNOWN, NEW, SHOTS = (0, 1, 2, 3, 4, 5, 6), (7, 8, 9), 15


# --- the network
class ConvNorm(nn.SequentialCell):
    def __init__(self, c1, c2, k=1, stride=1, groups=1, act=True):
        padding = (k - 1) // 2
        cells = [nn.Conv2d(c1, c2, k, stride, "pad", padding, group=groups), nn.BatchNorm2d(c2)]
        super().__init__([*cells, nn.ReLU()] if act else cells)


class SqueezeExcite(nn.Cell):
    def __init__(self, c, hidden):
        super().__init__()
        self.reduce, self.expand = nn.Conv2d(c, hidden, 1, has_bias=True), nn.Conv2d(hidden, c, 1, has_bias=True)
        self.relu, self.gate = nn.ReLU(), nn.Sigmoid()

    def construct(self, x):
        return x * self.gate(self.expand(self.relu(self.reduce(x.mean((2, 3), True)))))


class YBlock(nn.Cell):
    """1 x 1, grouped 3 x 3, attention over the channels, 1 x 1, and the way round them."""

    def __init__(self, c1, c2, stride, group):
        super().__init__()
        self.a, self.b = ConvNorm(c1, c2), ConvNorm(c2, c2, 3, stride, c2 // group)
        self.se, self.c = SqueezeExcite(c2, c1 // 4), ConvNorm(c2, c2, act=False)
        self.shortcut = ConvNorm(c1, c2, 1, stride, act=False) if stride > 1 or c1 != c2 else nn.Identity()
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.c(self.se(self.b(self.a(x)))) + self.shortcut(x))


class RegNet(nn.Cell):
    def __init__(self, num_classes, widths=(24, 48, 96), depths=(1, 2, 2), group=8):
        super().__init__()
        self.stem = ConvNorm(1, 16, 3, 2)
        blocks, c1 = [], 16
        for width, depth in zip(widths, depths):
            blocks += [YBlock(c1 if i == 0 else width, width, 2 if i == 0 else 1, group) for i in range(depth)]
            c1 = width
        self.blocks = nn.SequentialCell(blocks)
        self.classifier = nn.Dense(c1, num_classes)
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Conv2d):
                fan_out = cell.kernel_size[0] * cell.kernel_size[1] * cell.out_channels // cell.group
                cell.weight.set_data(init.initializer(init.Normal((2 / fan_out) ** 0.5), cell.weight.shape))
            elif isinstance(cell, nn.Dense):
                cell.weight.set_data(init.initializer(init.Normal(0.01), cell.weight.shape))

    def forward_features(self, x):
        return self.blocks(self.stem(x)).mean((2, 3))

    def construct(self, x):
        return self.classifier(self.forward_features(x))


# --- pictures
def read(split):
    """{digit: pictures (n, 28, 28, 1)}"""
    data = ds.MnistDataset(os.path.join(HERE, "data", "mnist", split), shuffle=False)
    found = {}
    for image, label in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        found.setdefault(int(label), []).append(image)
    return found


def dataset(pictures, digits, training, batch_size, count=None):
    images = np.concatenate([pictures[d][:count] for d in digits])
    labels = np.concatenate([np.full(len(pictures[d][:count]), i, np.int32) for i, d in enumerate(digits)])
    data = ds.NumpySlicesDataset((images, labels), ["image", "label"], shuffle=training)
    steps = [vision.Resize((32, 32))]
    if training:
        steps += [vision.RandomAffine(degrees=10, translate=(0.08, 0.08), scale=(0.9, 1.1))]
    steps += [vision.Rescale(1 / 255.0, 0), vision.Normalize((0.1307,), (0.3081,), is_hwc=True), vision.HWC2CHW()]
    data = data.map(steps, "image", num_parallel_workers=1).map(transforms.TypeCast(ms.int32), "label")
    return data.batch(batch_size)


class Curve(Callback):
    """The share that is right among the test pictures after each epoch."""

    def __init__(self, model, test):
        super().__init__()
        self.model, self.test, self.values = model, test, []

    def on_train_epoch_end(self, run_context):
        self.values.append(self.model.eval(self.test)["accuracy"])
        run_context.original_args().train_network.set_train()


def train(network, data, test, epochs, rate, body_rate=None):
    """Curve of the accuracy; `body_rate`: another learning rate for all but the last layer."""
    steps = data.get_dataset_size()

    def schedule(top):
        warm = min(2, epochs - 1)
        return nn.warmup_lr(top, warm * steps, 1, warm * steps) + nn.cosine_decay_lr(
            top / 100, top, (epochs - warm) * steps, 1, (epochs - warm) * steps
        )

    def groups(parameters, top):
        plain = [p for p in parameters if p.name.endswith(("gamma", "beta", "bias"))]
        rest = [p for p in parameters if not any(p is q for q in plain)]
        rates = Tensor(np.array(schedule(top), np.float32))
        return [
            {"params": rest, "weight_decay": 1e-4, "lr": rates},
            {"params": plain, "weight_decay": 0.0, "lr": rates},
        ]

    head = [p for p in network.trainable_params() if p.name.startswith("classifier")]
    body = [p for p in network.trainable_params() if not p.name.startswith("classifier")]
    optimizer = nn.Momentum(groups(head, rate) + groups(body, body_rate or rate), rate, 0.9, use_nesterov=True)
    model = Model(network, nn.CrossEntropyLoss(label_smoothing=0.1), optimizer, metrics={"accuracy": Accuracy()})
    curve = Curve(model, test)
    model.train(epochs, data, callbacks=[curve])
    return curve.values


def picture(plt, network, curves, pictures):
    test = next(dataset(pictures, NEW, False, 300).create_tuple_iterator())
    network.set_train(False)
    chance = ops.softmax(network(test[0]), -1).asnumpy()
    features = network.forward_features(test[0]).asnumpy()
    features -= features.mean(0)
    flat = features @ np.linalg.svd(features, full_matrices=False)[2][:2].T
    figure, (left, middle) = plt.subplots(
        1, 2, figsize=(13, 5), gridspec_kw={"right": 0.62, "left": 0.05, "wspace": 0.2}
    )
    for name, values in curves.items():
        left.plot(range(1, len(values) + 1), values, label=name)
    left.set(xlabel="epoch", title="right among new pictures", ylim=(0.2, 1.02))
    left.legend(loc="lower right")
    labels = test[1].asnumpy()
    for i, digit in enumerate(NEW):
        middle.scatter(*flat[labels == i].T, s=8, label=str(digit))
    middle.set(title="what the body makes of them, in two dimensions", xticks=[], yticks=[])
    middle.legend()
    for i, at in enumerate(np.linspace(0, len(labels) - 1, 16).astype(int)):
        axis = figure.add_axes((0.64 + 0.09 * (i % 4), 0.72 - 0.23 * (i // 4), 0.08, 0.18))
        guess = int(chance[at].argmax())
        axis.imshow(test[0].asnumpy()[at, 0], cmap="gray_r")
        axis.set_title(
            f"{NEW[guess]}  {chance[at, guess]:.2f}", fontsize=8, color="black" if guess == labels[at] else "red"
        )
        axis.axis("off")
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--epochs", type=int, default=4, help="of the training on seven digits; five times as many on three"
    )
    parser.add_argument("--out", default="fine_tuning_out", help="folder of the checkpoints and the picture")
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    ms.set_seed(1)
    ms.set_context(mode=ms.GRAPH_MODE)
    training, testing = read("train"), read("test")

    network = RegNet(len(KNOWN))
    values = train(network, dataset(training, KNOWN, True, 64), dataset(testing, KNOWN, False, 100), given.epochs, 0.1)
    print(f"seven digits, {sum(len(training[d]) for d in KNOWN)} pictures: {values[-1]:.1%} right", flush=True)
    trained = os.path.join(given.out, "regnet_seven.ckpt")
    ms.save_checkpoint(network, trained)

    def few():
        return dataset(training, NEW, True, 15, SHOTS), dataset(testing, NEW, False, 100, 100)

    tuned, plain = RegNet(len(NEW)), RegNet(len(NEW))
    body = {k: v for k, v in ms.load_checkpoint(trained).items() if not k.startswith("classifier")}
    left, _ = ms.load_param_into_net(tuned, body)
    print(f"not in the checkpoint: {', '.join(left)}")
    curves = {
        "with the trained body": train(tuned, *few(), 5 * given.epochs, 0.05, 0.01),
        "from nothing": train(plain, *few(), 5 * given.epochs, 0.05),
    }
    for name, values in curves.items():
        print(f"three new digits, {SHOTS} pictures each, {name}: {values[-1]:.1%} right")
    checkpoint, path = (os.path.join(given.out, name) for name in ("regnet_three.ckpt", "fine_tuning.png"))
    ms.save_checkpoint(tuned, checkpoint)
    save_picture(picture, checkpoint, path, tuned, curves, {d: testing[d][:100] for d in NEW})
    return {name: values[-1] for name, values in curves.items()}


if __name__ == "__main__":
    main()
