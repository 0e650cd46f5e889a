"""Three trainings written for MindSpore, which run on MindSpore and on msjax alike: the last line printed is the figure that is reached.

    python [-m msjax] convergence_tasks.py {lenet|gpt|lstm} SEED [DATA]

lenet: accuracy on MNIST's 10,000 test images after an epoch; DATA has folders `train` and `test` of its files. gpt: bits a character of a
text that it has not seen, in a made language. lstm: accuracy on unseen sentences whose mood a negation turns.
"""

import sys

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import Normal


def lenet(folder):
    """Accuracy of LeNet-5 after an epoch of batches of 32, SGD with momentum."""

    def batches(usage, size):
        images = ds.MnistDataset(f"{folder}/{usage}", shuffle=usage == "train")
        images = images.map(ds.vision.Resize((32, 32)), "image")
        images = images.map([ds.vision.Rescale(1 / 255, 0), ds.vision.HWC2CHW()], "image")
        return images.map(ds.transforms.TypeCast(ms.int32), "label").batch(size, drop_remainder=True)

    net = nn.SequentialCell(
        *(nn.Conv2d(1, 6, 5, pad_mode="valid", weight_init=Normal(0.1)), nn.ReLU(), nn.MaxPool2d(2, 2)),
        *(nn.Conv2d(6, 16, 5, pad_mode="valid", weight_init=Normal(0.1)), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()),
        *(nn.Dense(400, 120, Normal(0.05)), nn.ReLU(), nn.Dense(120, 84, Normal(0.05)), nn.ReLU()),
        nn.Dense(84, 10, Normal(0.05)),
    )
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = ms.Model(net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9), metrics={"accuracy"})
    model.train(1, batches("train", 32), dataset_sink_mode=False)
    return model.eval(batches("test", 500), dataset_sink_mode=False)["accuracy"]


def words(draw, count):
    """Sentences of a made language: the verb tells which object may follow."""
    subjects, verbs = (
        ("cat", "dog", "child", "man"),
        {"eats": "bread", "sees": "river", "likes": "music", "reads": "books"},
    )
    said = []
    for _ in range(count):
        verb = list(verbs)[draw.integers(4)]
        said.append(f"the {subjects[draw.integers(4)]} {verb} {'the ' if draw.random() < 0.5 else ''}{verbs[verb]}. ")
    return "".join(said)


class Block(nn.Cell):
    """One layer of a decoder."""

    def __init__(self, width, heads, length):
        super().__init__()
        self.heads, self.scale = heads, (width // heads) ** -0.5
        self.norm1, self.norm2 = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.qkv, self.out = nn.Dense(width, 3 * width), nn.Dense(width, width)
        self.mlp = nn.SequentialCell(nn.Dense(width, 4 * width), nn.GELU(), nn.Dense(4 * width, width))
        self.mask = Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))

    def construct(self, x):
        b, t, width = x.shape
        q, k, v = ops.split(self.qkv(self.norm1(x)), width, 2)
        q, k, v = (a.reshape(b, t, self.heads, -1).transpose(0, 2, 1, 3) for a in (q, k, v))
        weights = ops.softmax(ops.matmul(q, k.transpose(0, 1, 3, 2)) * self.scale + self.mask)
        x = x + self.out(ops.matmul(weights, v).transpose(0, 2, 1, 3).reshape(b, t, width))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Cell):
    """A decoder over characters."""

    def __init__(self, characters, width=64, heads=4, layers=2, length=32):
        super().__init__()
        self.token, self.place = nn.Embedding(characters, width), nn.Embedding(length, width)
        self.blocks = nn.CellList([Block(width, heads, length) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm((width,)), nn.Dense(width, characters)
        self.places = Tensor(np.arange(length, dtype=np.int32))

    def construct(self, x):
        x = self.token(x) + self.place(self.places)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def step_of(net, loss_of, optimizer):
    """A compiled function of a batch that trains the network and gives the loss."""
    gradients = ms.value_and_grad(loss_of, None, optimizer.parameters)

    @ms.jit
    def step(x, y):
        loss, found = gradients(x, y)
        optimizer(found)
        return loss

    net.set_train()
    return step


def gpt(_):
    """Bits a character after 400 steps of Adam on batches of 32 pieces of 32 characters."""
    draw = np.random.default_rng(7)
    text, unseen = words(draw, 4000), words(draw, 400)
    letters = {c: i for i, c in enumerate(sorted(set(text)))}
    seen, unseen = (np.array([letters[c] for c in part], np.int32) for part in (text, unseen))
    net = GPT(len(letters))

    def loss_of(x, y):
        return ops.cross_entropy(net(x).reshape(-1, len(letters)), y.reshape(-1))

    step, order = step_of(net, loss_of, nn.Adam(net.trainable_params(), 3e-3)), np.random.default_rng(SEED)

    def pieces(source, starts):
        at = starts[:, None] + np.arange(33)
        return Tensor(source[at[:, :-1]]), Tensor(source[at[:, 1:]])

    for _ in range(400):
        step(*pieces(seen, order.integers(0, len(seen) - 33, 32)))
    net.set_train(False)
    return float(loss_of(*pieces(unseen, np.arange(0, len(unseen) - 33, 33))).asnumpy()) / np.log(2)


class Mood(nn.Cell):
    """An LSTM that reads a sentence and tells its mood."""

    def __init__(self, vocabulary):
        super().__init__()
        self.embedding, self.lstm, self.head = (
            nn.Embedding(vocabulary, 16),
            nn.LSTM(16, 32, batch_first=True),
            nn.Dense(32, 2),
        )

    def construct(self, x):
        return self.head(self.lstm(self.embedding(x))[0][:, -1])


def lstm(_):
    """Accuracy after 600 steps of Adam on batches of 32 sentences of 10 words; 5 % of the labels are wrong."""
    draw = np.random.default_rng(7)

    def sentences(count, wrong):
        x = draw.integers(8, 40, (count, 10)).astype(np.int32)
        at = draw.integers(1, 10, count)
        mood, negated = draw.integers(0, 2, count), draw.random(count) < 0.5
        x[np.arange(count), at] = 4 * mood + draw.integers(1, 4, count)
        x[np.arange(count)[negated], at[negated] - 1] = 0
        return x, ((mood ^ negated) ^ (draw.random(count) < wrong)).astype(np.int32)

    (x, y), (unseen, mood) = sentences(2000, 0.05), sentences(1000, 0)
    net = Mood(40)

    def loss_of(x, y):
        return ops.cross_entropy(net(x), y)

    step, order = step_of(net, loss_of, nn.Adam(net.trainable_params(), 5e-3)), np.random.default_rng(SEED)
    for _ in range(600):
        rows = order.integers(0, len(x), 32)
        step(Tensor(x[rows]), Tensor(y[rows]))
    net.set_train(False)
    return float((net(Tensor(unseen)).asnumpy().argmax(1) == mood).mean())


if __name__ == "__main__":
    SEED = int(sys.argv[2])
    ms.set_context(mode=ms.PYNATIVE_MODE if sys.argv[1] != "lenet" else ms.GRAPH_MODE, device_target="CPU")
    ms.set_seed(SEED)
    print(f"reached {({'lenet': lenet, 'gpt': gpt, 'lstm': lstm}[sys.argv[1]])(*sys.argv[3:] or [None])}")
