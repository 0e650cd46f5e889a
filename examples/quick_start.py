"""The functional style of MindSpore 2: `value_and_grad` and a train step of one's own.

python -m msjax examples/quick_start.py [graph|pynative]
"""

import os
import sys

import mindspore as ms
from mindspore import nn
from mindspore.dataset import MnistDataset, transforms, vision

HERE = os.path.dirname(os.path.abspath(__file__))
MODE = sys.argv[1] if len(sys.argv) > 1 else "graph"


def digits(split):
    data = MnistDataset(os.path.join(HERE, "data", "mnist", split))
    data = data.map([vision.Rescale(1 / 255.0, 0), vision.Normalize((0.1307,), (0.3081,)), vision.HWC2CHW()], "image")
    return data.map(transforms.TypeCast(ms.int32), "label").batch(64)


class Network(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.layers = nn.SequentialCell(nn.Dense(28 * 28, 256), nn.ReLU(), nn.Dense(256, 10))

    def construct(self, x):
        return self.layers(self.flatten(x))


def main():
    ms.set_seed(0)
    ms.set_context(mode=ms.GRAPH_MODE if MODE == "graph" else ms.PYNATIVE_MODE)
    network, loss_fn = Network(), nn.CrossEntropyLoss()
    optimizer = nn.Adam(network.trainable_params(), 1e-3)

    def forward(images, labels):
        logits = network(images)
        return loss_fn(logits, labels), logits

    gradient = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
    accuracy = 0.0
    for epoch in range(4):
        network.set_train()
        for images, labels in digits("train").create_tuple_iterator():
            (loss, _), grads = gradient(images, labels)
            optimizer(grads)
        network.set_train(False)
        right = total = 0
        for images, labels in digits("test").create_tuple_iterator():
            right += int((network(images).argmax(1) == labels).sum())
            total += len(labels)
        accuracy = right / total
        print(f"epoch {epoch + 1}: loss {float(loss):.4f}, accuracy {accuracy:.1%}")
    return accuracy


if __name__ == "__main__":
    main()
