"""A sentence classifier: embedding, LSTM, Dense; trained with a function and value_and_grad."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops


class Classifier(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(50, 8)
        self.lstm = nn.LSTM(8, 12, batch_first=True, bidirectional=True)
        self.dense = nn.Dense(24, 2)

    def construct(self, tokens):
        x = self.embedding(tokens)
        x, _ = self.lstm(x)
        return self.dense(x[:, -1])


net = Classifier()
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Adam(net.trainable_params(), learning_rate=1e-2)


def forward(tokens, labels):
    return loss_fn(net(tokens), labels)


grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)


@ms.jit
def step(tokens, labels):
    loss, grads = grad_fn(tokens, labels)
    optimizer(grads)
    return loss


for i in range(10):
    tokens = Tensor(np.random.randint(0, 50, (4, 7)), ms.int32)
    labels = ops.cast(tokens.sum(axis=1) % 2, ms.int32)
    print(step(tokens, labels))
