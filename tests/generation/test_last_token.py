"""Networks that score the last token alone, and networks whose scores follow from how long the padding is."""

import decoders
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn, ops

import msjax

PROMPTS = [[3, 5, 2], [7, 1, 2, 9, 4]]
TAKE = {
    "list": lambda x: x[:, [-1], :],
    "part": lambda x: x[:, -1:, :],
    "one": lambda x: x[:, x.shape[1] - 1],
    "gather": lambda x: ops.gather(x, Tensor([x.shape[1] - 1]), 1),
    "columns": lambda x: ops.cat((x[:, -1, 8:], x[:, -1, :8]), -1),
}


class Nano(nn.Cell):
    """As nanoGPT: all scores for a training step, else those of the last token."""

    def __init__(self, take, divide=False):
        super().__init__()
        self.take, self.divide, self.block_size = take, divide, 64
        self.token, self.place = nn.Embedding(31, 16), nn.Embedding(64, 16)
        self.head = nn.Dense(16, 31, has_bias=False)

    def construct(self, idx, targets=None):
        count = idx.shape[1]
        x = ops.tanh(ops.cumsum(self.token(idx) * 3 + self.place(ops.arange(count)), 1))
        if self.divide:
            x = x / count * 8 + 0.1 * self.place(ops.arange(count))
        if targets is not None:
            return self.head(x), ops.cross_entropy(self.head(x).reshape(-1, 31), targets.reshape(-1))
        return self.head(self.take(x)), None


def by_hand(net, count):
    found = []
    for row in PROMPTS:
        row = list(row)
        for _ in range(count):
            scores = net(Tensor([row], ms.int32))[0].asnumpy().reshape(-1, 31)
            row.append(int(scores[-1].argmax()))
        found.append(row)
    return found


@pytest.mark.parametrize("way", TAKE)
def test_a_network_that_scores_the_last_token_alone_generates_what_it_scores(way):
    net = Nano(TAKE[way])
    net.set_train(False)
    made = msjax.generate(net, PROMPTS, 6, check=way == "list")
    assert [row.tolist() for row in made] == by_hand(net, 6)


def test_a_recurrent_network_that_scores_its_last_state_generates():
    class Recurrent(Nano):
        def __init__(self):
            super().__init__(lambda x: self.layers(x)[0][:, -1])
            self.layers = nn.LSTM(16, 16, batch_first=True)

    net = Recurrent()
    net.set_train(False)
    assert [row.tolist() for row in msjax.generate(net, PROMPTS, 6)] == by_hand(net, 6)


@pytest.mark.parametrize(("net", "text"), [
    (lambda: Nano(lambda x: x, divide=True), "padding behind a prompt changes its scores"),
    (lambda: Nano(lambda x: x.mean(1)), "tokens behind a prompt change its scores.*give the scores of all tokens"),
    (lambda: Nano(lambda x: ops.split(x, 1, 1)[-1]), "tokens behind a prompt change its scores.*give the scores of all tokens"),
])  # fmt: skip
def test_what_can_not_be_padded_is_told(net, text):
    with pytest.raises(ValueError, match=text):
        msjax.generate(net(), PROMPTS, 4)


def test_a_network_with_a_cache_that_scores_the_last_token_alone_keeps_its_cache():
    class Last(decoders.GPT2):
        def construct(self, input_ids, past_key_values=None, attention_mask=None, position_ids=None, use_cache=False):
            scores, *past = super().construct(input_ids, past_key_values, attention_mask, position_ids, use_cache)
            return scores[:, -1:], *past

    net, whole = Last(decoders.Config()), decoders.make("tuples")
    for own, other in zip(net.get_parameters(), whole.get_parameters()):
        own.set_data(other.value())
    generator = msjax.TextGenerator(net, slots=2, length=16)
    assert generator.spelling == "past_key_values as tuples"
    made, wanted = (msjax.generate(one, PROMPTS, 6) for one in (net, whole))
    assert all(np.array_equal(one, other) for one, other in zip(made, wanted))
