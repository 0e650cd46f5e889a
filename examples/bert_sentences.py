"""A BERT fine-tuned on a few hundred sentences: it is first trained to fill in hidden words of sentences without labels, then, with a
new head, to tell the mood of 240 sentences, and is asked about 160 others.

python -m msjax examples/bert_sentences.py [--out bert_out]

A port: the encoder has the layers, the names of Parameters and the initial values of the MindSpore model zoo's BERT, of two layers and
a width of 96. The sentences are made by a grammar in this file: what is said of a thing decides, and "not" before it turns it round. It prints
the share that is right, with and without the first training, and saves a picture.
"""

import argparse
import os

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from lenet import save_picture
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer
from mindspore.train import Accuracy, Callback, Model

GOOD = "good great lovely brilliant charming fresh wonderful excellent superb delightful pleasant splendid".split()
BAD = "bad awful boring terrible stale dull horrible poor dreadful tedious unpleasant weak".split()
THINGS = "film book meal song story play hotel train garden concert lesson game".split()
START = "the,this,that,our,their,my".split(",")
FILLER = "really quite very rather so truly".split()
END = ["", "last night", "in the end", "for once", "to me", "this year", "by all accounts", "at home"]
LENGTH = 14


def sentence(rng):
    """(words, whether the mood is good)"""
    good, turned = bool(rng.integers(2)), rng.random() < 0.3
    word = str(rng.choice(GOOD if good != turned else BAD))
    parts = [rng.choice(START), rng.choice(THINGS), "was", "not" if turned else ""]
    parts += [rng.choice(FILLER) if rng.integers(2) else "", word]
    if rng.integers(2):  # a second remark of the same mood
        other = rng.random() < 0.3
        parts += ["and", "not" if other else "", str(rng.choice(GOOD if good != other else BAD))]
    parts.append(rng.choice(END))
    return " ".join(p for p in map(str, parts) if p).split(), good


WORDS = ["[PAD]", "[CLS]", "[SEP]", "[MASK]", "was", "not", "and", *START, *THINGS, *GOOD, *BAD, *FILLER]
WORDS += sorted({w for end in END for w in end.split()} - set(WORDS))
NUMBER = {word: i for i, word in enumerate(WORDS)}


def corpus(seed, count):
    """(ids (count, LENGTH), moods (count,)); what begins or ends a sentence is a word of its own."""
    rng = np.random.default_rng(seed)
    ids, moods = np.zeros((count, LENGTH), np.int32), np.zeros(count, np.int32)
    for i in range(count):
        words, moods[i] = sentence(rng)
        row = [NUMBER[w] for w in ["[CLS]", *words, "[SEP]"]][:LENGTH]
        ids[i, : len(row)] = row
    return ids, moods


# --- the network
class SelfAttention(nn.Cell):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query, self.key, self.value = (nn.Dense(width, width, Normal(0.02)) for _ in range(3))
        self.dropout = nn.Dropout(p=dropout)
        self.softmax = nn.Softmax()

    def construct(self, x, mask):
        batch, length, width = x.shape
        split = (batch, length, self.heads, self.size)
        q, k, v = (f(x).reshape(split).transpose(0, 2, 1, 3) for f in (self.query, self.key, self.value))
        scores = ops.matmul(q, k.swapaxes(2, 3)) / self.size**0.5 + mask
        out = ops.matmul(self.dropout(self.softmax(scores)), v)
        return out.transpose(0, 2, 1, 3).reshape(batch, length, width)


class EncoderLayer(nn.Cell):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.attention = SelfAttention(width, heads, dropout)
        self.output, self.norm1 = nn.Dense(width, width, Normal(0.02)), nn.LayerNorm((width,), epsilon=1e-12)
        self.intermediate = nn.Dense(width, 4 * width, Normal(0.02), activation="gelu")
        self.back, self.norm2 = nn.Dense(4 * width, width, Normal(0.02)), nn.LayerNorm((width,), epsilon=1e-12)
        self.dropout = nn.Dropout(p=dropout)

    def construct(self, x, mask):
        x = self.norm1(x + self.dropout(self.output(self.attention(x, mask))))
        return self.norm2(x + self.dropout(self.back(self.intermediate(x))))


class Bert(nn.Cell):
    """(outputs (batch, length, width), outputs of the first word through a layer)"""

    def __init__(self, width=96, layers=2, heads=4, dropout=0.1):
        super().__init__()
        self.word, self.position = (nn.Embedding(n, width, embedding_table=Normal(0.02)) for n in (len(WORDS), LENGTH))
        self.norm, self.dropout = nn.LayerNorm((width,), epsilon=1e-12), nn.Dropout(p=dropout)
        self.layers = nn.CellList([EncoderLayer(width, heads, dropout) for _ in range(layers)])
        self.pooler = nn.Dense(width, width, Normal(0.02), activation="tanh")
        self.places = Tensor(np.arange(LENGTH), ms.int32)

    def construct(self, ids):
        mask = ((ids == 0).astype(ms.float32) * -10000.0).expand_dims(1).expand_dims(1)
        x = self.dropout(self.norm(self.word(ids) + self.position(self.places)))
        for layer in self.layers:
            x = layer(x, mask)
        return x, self.pooler(x[:, 0])


class MaskedWords(nn.Cell):
    """The loss of telling hidden words: ids with hidden words, the true ids, which are hidden."""

    def __init__(self, bert):
        super().__init__()
        self.bert = bert
        width = bert.word.embedding_size
        self.dense, self.norm = nn.Dense(width, width, Normal(0.02), activation="gelu"), nn.LayerNorm((width,))
        self.bias = ms.Parameter(initializer("zeros", len(WORDS)), name="bias")

    def construct(self, hidden, ids, which):
        x, _ = self.bert(hidden)
        scores = ops.matmul(self.norm(self.dense(x)), self.bert.word.embedding_table.T) + self.bias
        each = ops.cross_entropy(scores.reshape(-1, len(WORDS)), ids.reshape(-1), reduction="none")
        return (each * which.reshape(-1)).sum() / which.sum()


class Classifier(nn.Cell):
    def __init__(self, bert):
        super().__init__()
        self.bert, self.dropout = bert, nn.Dropout(p=0.1)
        self.dense = nn.Dense(bert.word.embedding_size, 2, Normal(0.02))

    def construct(self, ids):
        return self.dense(self.dropout(self.bert(ids)[1]))


class Noting(Callback):
    """The losses, for the picture."""

    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_step_end(self, run_context):
        self.losses.append(run_context.original_args().net_outputs)

    def values(self):
        return [float(loss.asnumpy()) for loss in self.losses]


def hide(ids, rng):
    """What masked-word training is given: one word in six is hidden (of these one in ten is another word, one in ten stays)."""
    which = (rng.random(ids.shape) < 0.17) & (ids > 3)
    which[:, 1] |= ~which.any(1)
    how = rng.random(ids.shape)
    hidden = np.where(which & (how < 0.8), NUMBER["[MASK]"], ids)
    hidden = np.where(which & (how > 0.9), rng.integers(4, len(WORDS), ids.shape), hidden)
    return hidden.astype(np.int32), which.astype(np.float32)


def pretrain(bert, epochs):
    rng = np.random.default_rng(5)
    ids, _ = corpus(1, 3000)

    def rows():
        hidden, which = hide(ids, rng)
        yield from zip(hidden, ids, which)

    data = ds.GeneratorDataset(rows, ["hidden", "ids", "which"], shuffle=False).batch(60, drop_remainder=True)
    network, steps = MaskedWords(bert), epochs * len(ids) // 60
    rate = nn.cosine_decay_lr(1e-6, 8e-4, steps, 1, steps)
    noting = Noting()
    Model(network, optimizer=nn.AdamWeightDecay(network.trainable_params(), rate)).train(
        epochs, data, callbacks=[noting]
    )
    return noting.values()


def fine_tune(bert, epochs):
    """(losses, share that is right, what it says of the first new sentences)"""
    network = Classifier(bert)
    data = ds.NumpySlicesDataset(corpus(2, 240), ["ids", "mood"], shuffle=True).batch(24)
    test = ds.NumpySlicesDataset(corpus(3, 160), ["ids", "mood"], shuffle=False).batch(40)
    steps = epochs * data.get_dataset_size()
    warm = steps // 10
    rate = nn.warmup_lr(3e-4, warm, 1, warm) + nn.cosine_decay_lr(1e-6, 3e-4, steps - warm, 1, steps - warm)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(network, loss, nn.AdamWeightDecay(network.trainable_params(), rate), {"accuracy": Accuracy()})
    noting = Noting()
    model.train(epochs, data, callbacks=[noting])
    right = model.eval(test)["accuracy"]
    said = ops.softmax(network(Tensor(corpus(3, 12)[0])), -1).asnumpy()[:, 1]
    return network, noting.values(), right, said


def picture(plt, losses, first, plain, said):
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(14, 4.2), gridspec_kw={"width_ratios": (1, 1, 1.9)})
    left.plot(losses)
    left.set(xlabel="step", ylabel="loss", title="hidden words, 3,000 sentences")
    middle.plot(first, label="after the first training")
    middle.plot(plain, label="without it")
    middle.set(xlabel="step", title="mood, 240 sentences")
    middle.legend()
    rows, moods = corpus(3, 12)
    right.set(
        xlim=(0, 1),
        ylim=(11.6, -0.6),
        xticks=[],
        yticks=[],
        title="new sentences: how sure it is that the mood is good",
    )
    for i, (row, mood, sure) in enumerate(zip(rows, moods, said)):
        right.barh(i, sure, color="#70b870" if mood else "#d07070", alpha=0.55)
        right.text(0.01, i, " ".join(WORDS[n] for n in row if n > 2), va="center", fontsize=9)
        right.text(0.99, i, f"{sure:.2f}", va="center", ha="right", fontsize=9)
    figure.tight_layout()
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--epochs", type=int, default=10, help="of the first training; five times as many of the second"
    )
    parser.add_argument("--out", default="bert_out", help="folder of the checkpoint and the picture")
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    ms.set_seed(1)
    ms.set_context(mode=ms.GRAPH_MODE)
    bert = Bert()
    losses = pretrain(bert, given.epochs)
    print(f"hidden words: loss {losses[0]:.2f} -> {np.mean(losses[-20:]):.2f}", flush=True)
    network, first, right, said = fine_tune(bert, 5 * given.epochs)
    print(f"mood of 160 new sentences, after the first training: {right:.1%} right", flush=True)
    _, plain, without, _ = fine_tune(Bert(), 5 * given.epochs)
    print(f"the same without it: {without:.1%} right")
    checkpoint, path = (os.path.join(given.out, name) for name in ("bert.ckpt", "bert.png"))
    ms.save_checkpoint(network, checkpoint)
    save_picture(picture, checkpoint, path, losses, first, plain, said)
    return right, without


if __name__ == "__main__":
    main()
