"""The network that compression methods change: in a module of its own, for MindSpore reads its source from there."""

from mindspore import nn


class Block(nn.Cell):
    """A convolution with BatchNorm and ReLU."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, pad_mode="same")
        self.bn = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.conv(x)
        x = self.bn(x)
        x = self.relu(x)
        return x


class Net(nn.Cell):
    """Two blocks and a dense layer, for <N, 3, 8, 8>."""

    def __init__(self):
        super().__init__()
        self.first, self.second = Block(3, 8), Block(8, 8)
        self.flatten, self.dense = nn.Flatten(), nn.Dense(8 * 8 * 8, 5)

    def construct(self, x):
        return self.dense(self.flatten(self.second(self.first(x))))
