"""A Transformer block with dropout on random sequences; GRAPH_MODE and a train Cell, as in scripts of the 1.x time.

A larger epsilon: the gradient of the keys' bias is zero but for rounding, and Adam would make steps of that.
"""

import mindspore as ms
from mindspore import nn, ops
from mindspore.common.initializer import Normal, initializer

ms.set_context(mode=ms.GRAPH_MODE)


class Block(nn.Cell):
    def __init__(self, width=16, heads=4):
        super().__init__()
        self.norm1 = nn.LayerNorm((width,))
        self.attention = nn.MultiheadAttention(width, heads, dropout=0.0, batch_first=True)
        self.norm2 = nn.LayerNorm((width,))
        self.up = nn.Dense(width, 4 * width, activation="gelu")
        self.down = nn.Dense(4 * width, width)
        self.dropout = nn.Dropout(p=0.1)

    def construct(self, x):
        y = self.norm1(x)
        x = x + self.dropout(self.attention(y, y, y)[0])
        return x + self.dropout(self.down(self.up(self.norm2(x))))


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.position = ms.Parameter(initializer(Normal(0.02), (6, 16)), name="position")
        self.block = Block()
        self.head = nn.Dense(16, 5)

    def construct(self, x):
        x = x + self.position
        x = ops.dropout(x, p=0.2, training=self.training)
        return self.head(self.block(x).mean(1))


net = Model()
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
optimizer = nn.AdamWeightDecay(
    net.trainable_params(), learning_rate=nn.CosineDecayLR(1e-4, 1e-2, 10), weight_decay=0.01, eps=1e-4
)
train = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer)
train.set_train()
for _ in range(5):
    x = ops.standard_normal((3, 6, 16))
    y = ops.cast(ops.uniform((3,), ms.Tensor(0, ms.float32), ms.Tensor(5, ms.float32)), ms.int32)
    print(train(x, y))
