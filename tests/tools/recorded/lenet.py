"""LeNet with dropout on random pictures, trained by Model; GRAPH_MODE, shuffled data."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn

ms.set_context(mode=ms.GRAPH_MODE)
ms.set_seed(3)


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * 5 * 5, 120)
        self.drop = nn.Dropout(p=0.5)
        self.fc2 = nn.Dense(120, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.flatten(x)
        x = self.drop(self.relu(self.fc1(x)))
        return self.fc2(x)


class Digits:
    def __init__(self):
        rng = np.random.RandomState(0)
        self.x = rng.randn(64, 1, 32, 32).astype(np.float32)
        self.y = rng.randint(0, 10, 64).astype(np.int32)

    def __len__(self):
        return 64

    def __getitem__(self, i):
        return self.x[i], self.y[i]


data = ds.GeneratorDataset(Digits(), ["image", "label"], shuffle=True).batch(8)
net = LeNet()
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
opt = nn.Momentum(net.trainable_params(), 0.01, 0.9)
model = ms.Model(net, loss, opt)
model.train(1, data, dataset_sink_mode=True)
print("trained")
