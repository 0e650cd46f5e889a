"""Well-known networks, written with mindspore.nn as people write them."""

import mindspore as ms
from mindspore import nn, ops


def convolution(inner, outer, kernel, stride=1, group=1, activation=None):
    layers = [nn.Conv2d(inner, outer, kernel, stride, pad_mode="pad", padding=(kernel - 1) // 2, group=group)]
    return nn.SequentialCell([*layers, nn.BatchNorm2d(outer), *([] if activation is None else [activation()])])


class Bottleneck(nn.Cell):
    def __init__(self, inner, middle, stride=1):
        super().__init__()
        outer = 4 * middle
        self.body = nn.SequentialCell(
            convolution(inner, middle, 1, activation=nn.ReLU),
            convolution(middle, middle, 3, stride, activation=nn.ReLU),
            convolution(middle, outer, 1),
        )
        self.down = convolution(inner, outer, 1, stride) if stride != 1 or inner != outer else None
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.body(x) + (x if self.down is None else self.down(x)))


class ResNet50(nn.Cell):
    def __init__(self, layers=(3, 4, 6, 3), classes=1000):
        super().__init__()
        self.stem = convolution(3, 64, 7, 2, activation=nn.ReLU)
        self.pool = nn.MaxPool2d(3, 2, pad_mode="same")
        blocks, inner = [], 64
        for stage, (middle, count) in enumerate(zip((64, 128, 256, 512), layers)):
            for number in range(count):
                blocks.append(Bottleneck(inner, middle, 2 if stage and not number else 1))
                inner = 4 * middle
        self.blocks, self.fc = nn.SequentialCell(blocks), nn.Dense(inner, classes)

    def construct(self, x):
        return self.fc(ops.mean(self.blocks(self.pool(self.stem(x))), (2, 3)))


class Inverted(nn.Cell):
    def __init__(self, inner, outer, stride, times):
        super().__init__()
        middle = inner * times
        layers = [convolution(inner, middle, 1, activation=nn.ReLU6)] if times != 1 else []
        layers += [convolution(middle, middle, 3, stride, middle, nn.ReLU6), convolution(middle, outer, 1)]
        self.body, self.residual = nn.SequentialCell(layers), stride == 1 and inner == outer

    def construct(self, x):
        return x + self.body(x) if self.residual else self.body(x)


class MobileNetV2(nn.Cell):
    STAGES = (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)

    def __init__(self, classes=1000):
        super().__init__()
        layers, inner = [convolution(3, 32, 3, 2, activation=nn.ReLU6)], 32
        for times, outer, count, stride in self.STAGES:
            for number in range(count):
                layers.append(Inverted(inner, outer, 1 if number else stride, times))
                inner = outer
        layers.append(convolution(inner, 1280, 1, activation=nn.ReLU6))
        self.features, self.pool = nn.SequentialCell(layers), nn.AdaptiveAvgPool2d(1)
        self.head = nn.SequentialCell(nn.Flatten(), nn.Dropout(p=0.2), nn.Dense(1280, classes))

    def construct(self, x):
        return self.head(self.pool(self.features(x)))


class Bert(nn.Cell):
    """Embeddings, one block, and the pooler."""

    def __init__(self, vocabulary=100, size=64, heads=4, length=32):
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, size), nn.Embedding(length, size)
        self.query, self.key, self.value, self.out = (nn.Dense(size, size) for _ in range(4))
        self.up, self.down = nn.Dense(size, 4 * size), nn.Dense(4 * size, size)
        self.norm, self.norm1, self.norm2 = (nn.LayerNorm((size,)) for _ in range(3))
        self.gelu, self.drop = nn.GELU(approximate=False), nn.Dropout(p=0.1)
        self.pooler, self.tanh = nn.Dense(size, size), nn.Tanh()
        self.heads, self.size = heads, size

    def split(self, x):
        batch, length, _ = x.shape
        return x.reshape(batch, length, self.heads, self.size // self.heads).transpose(0, 2, 1, 3)

    def construct(self, ids, mask):
        batch, length = ids.shape
        x = self.norm(self.words(ids) + self.places(ops.arange(length)))
        query, key, value = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = ops.matmul(query, key.swapaxes(2, 3)) / (self.size // self.heads) ** 0.5
        scores = scores + (1.0 - mask.astype(ms.float32)).reshape(batch, 1, 1, length) * -1e4
        mixed = ops.matmul(self.drop(ops.softmax(scores, -1)), value).transpose(0, 2, 1, 3)
        x = self.norm1(x + self.out(mixed.reshape(batch, length, self.size)))
        x = self.norm2(x + self.down(self.gelu(self.up(x))))
        return x, self.tanh(self.pooler(x[:, 0]))
