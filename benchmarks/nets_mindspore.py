"""The same networks with MindSpore's API: Cells that give the loss."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops


class Block(nn.Cell):
    """A layer of a Transformer, normalized first."""

    def __init__(self, width, heads, mask):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm((width,), epsilon=1e-5), nn.LayerNorm((width,), epsilon=1e-5)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.up, self.down, self.gelu = nn.Dense(width, 4 * width), nn.Dense(4 * width, width), nn.GELU()
        self.mask = mask

    def construct(self, h):
        x = self.norm1(h)
        h = h + self.attention(x, x, x, need_weights=False, attn_mask=self.mask)[0]
        return h + self.down(self.gelu(self.up(self.norm2(h))))


class Transformer(nn.Cell):
    """GPT-2 (causal) or BERT, without dropout: the loss of predicting tokens."""

    def __init__(self, vocabulary, width, layers, heads, length, causal):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width, embedding_table="normal")
        self.places = ms.Parameter(
            Tensor(np.random.RandomState(0).randn(length, width).astype(np.float32) * 0.02), name="places"
        )
        mask = Tensor(np.triu(np.ones((length, length)), 1).astype(bool)) if causal else None
        self.blocks = nn.SequentialCell([Block(width, heads, mask) for _ in range(layers)])
        self.norm = nn.LayerNorm((width,), epsilon=1e-5)
        self.loss = nn.CrossEntropyLoss()
        self.vocabulary = vocabulary

    def construct(self, x, y):
        h = self.norm(self.blocks(self.tokens(x) + self.places))
        table = self.tokens.embedding_table.astype(h.dtype)
        logits = ops.matmul(h, table.swapaxes(0, 1))
        return self.loss(logits.astype(ms.float32).reshape(-1, self.vocabulary), y.reshape(-1))


class Unit(nn.Cell):
    """A residual unit of two or (bottleneck) three convolutions."""

    def __init__(self, n_in, n_out, stride, bottleneck):
        super().__init__()
        if bottleneck:
            sizes = [(n_in, n_out, 1, 1), (n_out, n_out, 3, stride), (n_out, 4 * n_out, 1, 1)]
        else:
            sizes = [(n_in, n_out, 3, stride), (n_out, n_out, 3, 1)]
        layers = []
        for a, b, size, s in sizes:
            layers += [nn.Conv2d(a, b, size, s, "pad", size // 2), nn.BatchNorm2d(b), nn.ReLU()]
        self.layers, self.relu = nn.SequentialCell(layers[:-1]), nn.ReLU()
        last = sizes[-1][1]
        self.short = None
        if stride != 1 or n_in != last:
            self.short = nn.SequentialCell([nn.Conv2d(n_in, last, 1, stride, "pad", 0), nn.BatchNorm2d(last)])

    def construct(self, x):
        return self.relu(self.layers(x) + (x if self.short is None else self.short(x)))


class ResNet(nn.Cell):
    """ResNet (He et al., 2016) that gives the loss. small: the first layers of CIFAR's."""

    def __init__(self, blocks, bottleneck, classes, small):
        super().__init__()
        size, stride = (3, 1) if small else (7, 2)
        layers = [nn.Conv2d(3, 64, size, stride, "pad", size // 2), nn.BatchNorm2d(64), nn.ReLU()]
        if not small:
            layers.append(nn.MaxPool2d(3, 2, "pad", 1))
        width = 64
        for stage, count in enumerate(blocks):
            for i in range(count):
                layers.append(Unit(width, 64 << stage, 2 if stage and not i else 1, bottleneck))
                width = (64 << stage) * (4 if bottleneck else 1)
        self.features, self.head = nn.SequentialCell(layers), nn.Dense(width, classes)
        self.loss = nn.CrossEntropyLoss()

    def construct(self, x, y):
        return self.loss(self.head(self.features(x).mean((2, 3))).astype(ms.float32), y)


class Expanded(nn.Cell):
    """MBConv: wider by `expand`, a depthwise convolution, channels weighed (squeeze and excitation), narrow again."""

    def __init__(self, n_in, n_out, expand, size, stride):
        super().__init__()
        wide, squeezed = n_in * expand, max(1, n_in // 4)
        layers = [nn.Conv2d(n_in, wide, 1), nn.BatchNorm2d(wide), nn.SiLU()] if expand > 1 else []
        layers += [nn.Conv2d(wide, wide, size, stride, "pad", size // 2, group=wide), nn.BatchNorm2d(wide), nn.SiLU()]
        self.layers = nn.SequentialCell(layers)
        self.squeeze, self.excite = (
            nn.Conv2d(wide, squeezed, 1, has_bias=True),
            nn.Conv2d(squeezed, wide, 1, has_bias=True),
        )
        self.silu, self.sigmoid = nn.SiLU(), nn.Sigmoid()
        self.narrow = nn.SequentialCell([nn.Conv2d(wide, n_out, 1), nn.BatchNorm2d(n_out)])
        self.adds = stride == 1 and n_in == n_out

    def construct(self, x):
        h = self.layers(x)
        weights = self.sigmoid(self.excite(self.silu(self.squeeze(h.mean((2, 3), True)))))
        h = self.narrow(h * weights)
        return x + h if self.adds else h


class EfficientNet(nn.Cell):
    """EfficientNet (Tan and Le, 2019), without dropout, that gives the loss. stages: (expand, width, blocks, size, stride) of each."""

    def __init__(self, stages, head, classes):
        super().__init__()
        layers, width = [nn.Conv2d(3, 32, 3, 2, "pad", 1), nn.BatchNorm2d(32), nn.SiLU()], 32
        for expand, wide, blocks, size, stride in stages:
            for i in range(blocks):
                layers.append(Expanded(width, wide, expand, size, 1 if i else stride))
                width = wide
        layers += [nn.Conv2d(width, head, 1), nn.BatchNorm2d(head), nn.SiLU()]
        self.features, self.head = nn.SequentialCell(layers), nn.Dense(head, classes)
        self.loss = nn.CrossEntropyLoss()

    def construct(self, x, y):
        return self.loss(self.head(self.features(x).mean((2, 3))), y)


class Recurrent(nn.Cell):
    """A classifier of sequences (time, batch, width)."""

    def __init__(self, width, layers, classes):
        super().__init__()
        self.lstm, self.head = nn.LSTM(width, width, layers), nn.Dense(width, classes)
        self.loss = nn.CrossEntropyLoss()

    def construct(self, x, y):
        return self.loss(self.head(self.lstm(x)[0][-1]).astype(ms.float32), y)


def training(net, optimizer):
    """The step of a network that gives its loss."""
    step = nn.TrainOneStepCell(net, optimizer(net.trainable_params()))
    return step.set_train()
