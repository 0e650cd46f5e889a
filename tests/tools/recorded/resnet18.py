"""MindCV's resnet18 as its `create_model("resnet18")` builds it, in full width, on small pictures; Model and GRAPH_MODE.

With MindCV installed its own class is taken; without, the same Cells under the same names.
"""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops

try:
    from mindcv.models import resnet18
except ImportError:

    class BasicBlock(nn.Cell):
        def __init__(self, inputs, channels, stride=1, down_sample=None):
            super().__init__()
            self.conv1 = nn.Conv2d(inputs, channels, kernel_size=3, stride=stride, padding=1, pad_mode="pad")
            self.bn1 = nn.BatchNorm2d(channels)
            self.relu = nn.ReLU()
            self.conv2 = nn.Conv2d(channels, channels, kernel_size=3, stride=1, padding=1, pad_mode="pad")
            self.bn2 = nn.BatchNorm2d(channels)
            self.down_sample = down_sample

        def construct(self, x):
            identity = x
            out = self.relu(self.bn1(self.conv1(x)))
            out = self.bn2(self.conv2(out))
            if self.down_sample is not None:
                identity = self.down_sample(x)
            out += identity
            return self.relu(out)

    class GlobalAvgPooling(nn.Cell):
        def construct(self, x):
            return ops.mean(x, axis=(2, 3))

    def stage(inputs, channels, stride):
        down_sample = None
        if stride != 1:
            down_sample = nn.SequentialCell([
                nn.Conv2d(inputs, channels, kernel_size=1, stride=stride), nn.BatchNorm2d(channels)
            ])  # fmt: skip
        return nn.SequentialCell([BasicBlock(inputs, channels, stride, down_sample), BasicBlock(channels, channels)])

    class ResNet(nn.Cell):
        def __init__(self, num_classes):
            super().__init__()
            self.conv1 = nn.Conv2d(3, 64, kernel_size=7, stride=2, pad_mode="pad", padding=3)
            self.bn1 = nn.BatchNorm2d(64)
            self.relu = nn.ReLU()
            self.max_pool = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
            self.layer1 = stage(64, 64, 1)
            self.layer2 = stage(64, 128, 2)
            self.layer3 = stage(128, 256, 2)
            self.layer4 = stage(256, 512, 2)
            self.pool = GlobalAvgPooling()
            self.classifier = nn.Dense(512, num_classes)

        def construct(self, x):
            x = self.max_pool(self.relu(self.bn1(self.conv1(x))))
            x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
            return self.classifier(self.pool(x))

    def resnet18(num_classes):
        return ResNet(num_classes)


ms.set_context(mode=ms.GRAPH_MODE)
ms.set_seed(1)
rng = np.random.RandomState(6)  # with most others an element lies on the kink of a ReLU
pictures = {
    "image": (
        np.round(16 * (np.repeat(np.repeat(rng.randn(48, 3, 4, 4), 8, 2), 8, 3) + 0.1 * rng.randn(48, 3, 32, 32))) / 16
    ).astype(np.float32),
    "label": rng.randint(0, 10, 48).astype(np.int32),
}
data = ds.NumpySlicesDataset(pictures, shuffle=False).batch(16)
net = resnet18(num_classes=10)
loss = nn.CrossEntropyLoss(label_smoothing=0.1)
optimizer = nn.Momentum(net.trainable_params(), nn.cosine_decay_lr(0.0, 0.0005, 6, 3, 2), 0.9, weight_decay=1e-4)
ms.Model(net, loss, optimizer).train(1, data, dataset_sink_mode=False)
