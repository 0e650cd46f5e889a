"""The same networks in PyTorch: modules that give the loss."""

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    """A layer of a Transformer, normalized first."""

    def __init__(self, width, heads, mask):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.up, self.down, self.mask = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), mask

    def forward(self, h):
        x = self.norm1(h)
        h = h + self.attention(x, x, x, need_weights=False, attn_mask=self.mask)[0]
        return h + self.down(functional.gelu(self.up(self.norm2(h))))


class Transformer(nn.Module):
    """GPT-2 (causal) or BERT, without dropout: the loss of predicting tokens."""

    def __init__(self, vocabulary, width, layers, heads, length, causal):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        nn.init.normal_(self.tokens.weight, std=0.02)
        self.places = nn.Parameter(torch.randn(length, width) * 0.02)
        mask = torch.triu(torch.ones(length, length), 1).bool() if causal else None
        self.blocks = nn.Sequential(*[Block(width, heads, mask) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)

    def forward(self, x, y):
        h = self.norm(self.blocks(self.tokens(x) + self.places))
        return functional.cross_entropy((h @ self.tokens.weight.T).flatten(0, 1), y.flatten().long())


class Unit(nn.Module):
    """A residual unit of two or (bottleneck) three convolutions."""

    def __init__(self, n_in, n_out, stride, bottleneck):
        super().__init__()
        if bottleneck:
            sizes = [(n_in, n_out, 1, 1), (n_out, n_out, 3, stride), (n_out, 4 * n_out, 1, 1)]
        else:
            sizes = [(n_in, n_out, 3, stride), (n_out, n_out, 3, 1)]
        layers = []
        for a, b, size, s in sizes:
            layers += [nn.Conv2d(a, b, size, s, size // 2, bias=False), nn.BatchNorm2d(b), nn.ReLU()]
        self.layers, last = nn.Sequential(*layers[:-1]), sizes[-1][1]
        self.short = nn.Identity()
        if stride != 1 or n_in != last:
            self.short = nn.Sequential(nn.Conv2d(n_in, last, 1, stride, bias=False), nn.BatchNorm2d(last))

    def forward(self, x):
        return functional.relu(self.layers(x) + self.short(x))


class ResNet(nn.Module):
    """ResNet (He et al., 2016) that gives the loss. small: the first layers of CIFAR's."""

    def __init__(self, blocks, bottleneck, classes, small):
        super().__init__()
        size, stride = (3, 1) if small else (7, 2)
        layers = [nn.Conv2d(3, 64, size, stride, size // 2, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
        if not small:
            layers.append(nn.MaxPool2d(3, 2, 1))
        width = 64
        for stage, count in enumerate(blocks):
            for i in range(count):
                layers.append(Unit(width, 64 << stage, 2 if stage and not i else 1, bottleneck))
                width = (64 << stage) * (4 if bottleneck else 1)
        self.features, self.head = nn.Sequential(*layers), nn.Linear(width, classes)

    def forward(self, x, y):
        return functional.cross_entropy(self.head(self.features(x).mean((2, 3))), y.long())


class Expanded(nn.Module):
    """MBConv: wider by `expand`, a depthwise convolution, channels weighed (squeeze and excitation), narrow again."""

    def __init__(self, n_in, n_out, expand, size, stride):
        super().__init__()
        wide, squeezed = n_in * expand, max(1, n_in // 4)
        layers = [nn.Conv2d(n_in, wide, 1, bias=False), nn.BatchNorm2d(wide), nn.SiLU()] if expand > 1 else []
        layers += [nn.Conv2d(wide, wide, size, stride, size // 2, groups=wide, bias=False), nn.BatchNorm2d(wide)]
        self.layers = nn.Sequential(*layers, nn.SiLU())
        self.weights = nn.Sequential(nn.Conv2d(wide, squeezed, 1), nn.SiLU(), nn.Conv2d(squeezed, wide, 1))
        self.narrow = nn.Sequential(nn.Conv2d(wide, n_out, 1, bias=False), nn.BatchNorm2d(n_out))
        self.adds = stride == 1 and n_in == n_out

    def forward(self, x):
        h = self.layers(x)
        h = self.narrow(h * torch.sigmoid(self.weights(h.mean((2, 3), True))))
        return x + h if self.adds else h


class EfficientNet(nn.Module):
    """EfficientNet (Tan and Le, 2019), without dropout, that gives the loss. stages: (expand, width, blocks, size, stride) of each."""

    def __init__(self, stages, head, classes):
        super().__init__()
        layers, width = [nn.Conv2d(3, 32, 3, 2, 1, bias=False), nn.BatchNorm2d(32), nn.SiLU()], 32
        for expand, wide, blocks, size, stride in stages:
            for i in range(blocks):
                layers.append(Expanded(width, wide, expand, size, 1 if i else stride))
                width = wide
        layers += [nn.Conv2d(width, head, 1, bias=False), nn.BatchNorm2d(head), nn.SiLU()]
        self.features, self.head = nn.Sequential(*layers), nn.Linear(head, classes)

    def forward(self, x, y):
        return functional.cross_entropy(self.head(self.features(x).mean((2, 3))), y.long())


class Recurrent(nn.Module):
    """A classifier of sequences (time, batch, width)."""

    def __init__(self, width, layers, classes):
        super().__init__()
        self.lstm, self.head = nn.LSTM(width, width, layers), nn.Linear(width, classes)

    def forward(self, x, y):
        return functional.cross_entropy(self.head(self.lstm(x)[0][-1]), y.long())


class WithLoss(nn.Module):
    """The loss of a classifier."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x, y):
        return functional.cross_entropy(self.net(x), y.long())


def training(net, optimizer):
    """The step of a network that gives its loss: a function of a batch, eager as torch is by default."""
    net.train()

    def step(x, y):
        optimizer.zero_grad()
        loss = net(x, y)
        loss.backward()
        optimizer.step()
        return loss

    return step
