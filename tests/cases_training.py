"""Whole nets trained from fixed weights on fixed data: the losses of every step are recorded."""

import zlib

import numpy as np
from mindspore import Tensor, nn

STEPS = 50


def numbers(name, shape, scale=1.0):
    """Reproducible float32 values for this name."""
    return (np.random.RandomState(zlib.crc32(name.encode())).uniform(-1, 1, shape) * scale).astype(np.float32)


def fill(net):
    """Fixed weights: uniform within 1 / sqrt(fan in); scales near one, variances one."""
    for name, parameter in net.parameters_and_names():
        shape = parameter.shape
        if name.endswith(("gamma", "variance")):
            value = np.ones(shape, np.float32)
        else:
            value = numbers(name, shape, 1 / np.sqrt(max(int(np.prod(shape[1:])), 1)) if len(shape) > 1 else 0.05)
        parameter.set_data(Tensor(value))
    return net


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(4, 8, 3, pad_mode="valid", has_bias=True)
        self.bn = nn.BatchNorm2d(8)
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(32, 16)
        self.fc2 = nn.Dense(16, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.bn(self.conv2(x))))
        return self.fc2(self.relu(self.fc1(self.flatten(x))))


class Recurrent(nn.Cell):
    """Two LSTM layers and a classifier of the last step."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(6, 8, num_layers=2, batch_first=True)
        self.fc = nn.Dense(8, 4)

    def construct(self, x):
        y, _ = self.lstm(x)
        return self.fc(y[:, -1])


class Encoder(nn.Cell):
    """A Transformer encoder of four layers, averaged over time."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 4)
        self.fc = nn.Dense(8, 4)

    def construct(self, x):
        return self.fc(self.encoder(x).mean(1))


def mlp():
    return nn.SequentialCell(nn.Dense(8, 16), nn.ReLU(), nn.LayerNorm((16,)), nn.Dense(16, 4))


NETS = {  # name: (net, shape of a batch, optimizer)
    "mlp momentum": (mlp, (16, 8), lambda p: nn.Momentum(p, 0.05, 0.9, weight_decay=1e-3)),
    "mlp adam": (mlp, (16, 8), lambda p: nn.Adam(p, nn.ExponentialDecayLR(0.01, 0.9, 10))),
    "mlp adam weight decay": (mlp, (16, 8), lambda p: nn.AdamWeightDecay(p, 0.01, weight_decay=0.01)),
    "lenet": (LeNet, (8, 1, 16, 16), lambda p: nn.Momentum(p, nn.cosine_decay_lr(0.0, 0.05, STEPS, 10, 5), 0.9)),
    "lstm": (Recurrent, (8, 5, 6), lambda p: nn.Adam(p, 0.01)),
    "transformer": (Encoder, (8, 5, 8), lambda p: nn.Adam(p, 0.005)),
}


def losses(name):
    """The loss of each step, and the sum of squares of all weights at the end."""
    build, shape, optimizer = NETS[name]
    net = fill(build())
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(True, "mean")), optimizer(net.trainable_params())
    )
    step.set_train()
    found = []
    for i in range(STEPS):
        label = np.random.RandomState(i % 5).randint(0, 4, shape[0]).astype(np.int32)
        data = numbers(f"data {i % 5}", shape) + label.reshape(-1, *[1] * (len(shape) - 1)).astype(np.float32) * 0.3
        found.append(float(step(Tensor(data), Tensor(label)).asnumpy()))
    return [*found, float(sum((p.asnumpy().astype(np.float64) ** 2).sum() for p in net.get_parameters()))]
