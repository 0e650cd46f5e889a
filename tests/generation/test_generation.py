"""Generation: each spelling of a cache gives the tokens of whole forward passes, by few programs, which change the cache in place."""

import os
import re

import decoders
import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor

import msjax

LENGTH = 32
# Each network and each kind of storage is some programs more, a second or two each to compile.
LONG = pytest.mark.skipif(not os.environ.get("MSJAX_TEST_ALL"), reason="programs of its own: set MSJAX_TEST_ALL=1")
_nets, _made = {}, {}


def network(kind):
    """A spelling's network, made once."""
    if kind not in _nets:
        _nets[kind] = decoders.make(kind)
    return _nets[kind]


def generator(kind, **more):
    """A generator of a spelling's network, made once: its programs are what takes time here."""
    key = (kind, *sorted(more.items()))
    if key not in _made:
        _made[key] = msjax.TextGenerator(network(kind), slots=4, length=LENGTH, steps=4, **more)
    return _made[key]


NAMES = {
    "tuples": "past_key_values as tuples",
    "objects": "past_key_values with update",
    "paged": "block tables",
    "rows": "batch_valid_length as a place",
    "plain": "padded lengths",
}


@pytest.mark.parametrize("kind", [pytest.param(k, marks=LONG if k == "rows" else ()) for k in NAMES])
def test_requests_of_all_lengths_give_the_tokens_of_the_network_alone(kind):
    net = network(kind)
    before = {p.name: p.asnumpy().copy() for p in net.get_parameters()}
    net.set_train(True)
    made = generator(kind)
    assert made.spelling == NAMES[kind]
    random = np.random.default_rng(0)
    texts = [random.integers(1, 97, n).astype(np.int32) for n in (3, 11, 7, 1, 17)]
    requests = [made.submit(text, max_new_tokens=15 - 3 * i) for i, text in enumerate(texts)]
    got = [request.result().tolist() for request in requests]
    assert len(made.programs.used) <= 8
    # The network is as it was.
    assert all(cell.training for _, cell in net.cells_and_names())
    for p in net.get_parameters():
        np.testing.assert_array_equal(p.asnumpy(), before[p.name])
    if kind == "paged":
        assert "is_first_iteration" not in vars(net.lm_head) and net.is_first_iteration is True
    net.set_train(False)
    assert got == [decoders.alone(net, text, 15 - 3 * i, kind) for i, text in enumerate(texts)]
    assert {request.finished for request in requests} == {"length"}
    for p in net.get_parameters():  # what its own steps wrote
        p.set_data(Tensor(before[p.name]))


def test_new_weights_are_seen_by_the_next_call():
    made, net = generator("plain"), network("plain")
    before = {p.name: p.value() for p in net.get_parameters()}
    first = made.submit([1, 2, 3], max_new_tokens=4).result()
    for p in net.get_parameters():
        if p.ndim == 2:
            p.set_data(Tensor(p.asnumpy()[::-1].copy()))
    again = made.submit([1, 2, 3], max_new_tokens=4).result()
    assert again.tolist() == decoders.alone(net, [1, 2, 3], 4, "plain") != first.tolist()
    for p in net.get_parameters():
        p.set_data(before[p.name])


def test_every_prompt_length_is_served_by_few_programs():
    made = msjax.TextGenerator(network("plain"), slots=4, length=128, steps=2, check=False)
    requests = [made.submit(np.arange(1, n) % 97, max_new_tokens=2) for n in range(2, 128)]
    assert [len(r.result()) for r in requests] == [min(2, 128 - len(r.prompt)) for r in requests]
    assert made.programs._prefill._cache_size() + made.programs._decode._cache_size() <= 8


@pytest.mark.parametrize(
    "kind, slots, length, view",
    [
        ("tuples", 4, LENGTH, LENGTH // 2),
        ("tuples", 1, 128, 128),
        pytest.param("objects", 4, LENGTH, LENGTH // 2, marks=LONG),
        pytest.param("objects", 1, 128, 128, marks=LONG),
        pytest.param("paged", 4, LENGTH, LENGTH // 2, marks=LONG),
    ],
)
def test_the_cache_is_changed_in_place(kind, slots, length, view):
    """In the compiled program each array of the cache is an output in the memory of its input, and is never copied."""
    made = msjax.TextGenerator(network(kind), slots, length, check=False)
    compiled = made.programs.lowered(made._weights.now(), view=view).compile()
    text = compiled.as_text()
    shapes = {tuple(a.shape) for a in _arrays(made._cache)}
    copies = [s for s in shapes if re.search(rf"f32\[{','.join(map(str, s))}\]\S* copy\(", text)]
    assert copies == []
    size = sum(a.nbytes for a in _arrays(made._cache))
    memory = compiled.memory_analysis()
    assert memory.alias_size_in_bytes >= size
    # A step over a part of the cache reads a copy of that part, which for a single row is nearly all.
    assert memory.temp_size_in_bytes < size * (2 if slots == 1 else 1)


def _arrays(tree):
    import jax

    return jax.tree.leaves(tree)


@LONG
def test_a_sliding_window_is_each_rows_own():
    net = decoders.make("objects", sliding_window=6)
    made = msjax.TextGenerator(net, slots=3, length=24)
    requests = [made.submit(np.arange(1, n), max_new_tokens=m) for n, m in ((4, 9), (12, 7), (9, 15))]
    for r in requests:
        assert r.result().tolist() == decoders.alone(net, r.prompt, len(r.tokens), "objects")


class OwnCache:
    """A cache that grows, with a user's own names."""

    def __init__(self):
        self.keys, self.values = [], []

    def update(self, keys, values, layer_idx, cache_kwargs=None):
        for kept, new in ((self.keys, keys), (self.values, values)):
            if len(kept) <= layer_idx:
                kept.append(new)
            else:
                kept[layer_idx] = ms.ops.cat((kept[layer_idx], new), axis=-2)
        return self.keys[layer_idx], self.values[layer_idx]

    def get_seq_length(self, layer_idx=0):
        return self.keys[layer_idx].shape[-2] if self.keys else 0


def test_a_window_of_which_the_network_says_nothing_and_a_cache_with_names_of_its_own():
    net = decoders.make("objects", sliding_window=6)
    net.window, net.config.sliding_window, net.cache_kind = 6, None, OwnCache
    made = msjax.TextGenerator(net, slots=2, length=24, steps=4)
    assert made.spelling == "past_key_values with update, each row alone"
    requests = [made.submit(np.arange(1, n), max_new_tokens=m) for n, m in ((4, 9), (12, 7))]
    for r in requests:
        assert r.result().tolist() == decoders.alone(net, r.prompt, len(r.tokens), "objects")


@pytest.mark.parametrize("cache", ["int8", pytest.param("float8", marks=LONG)])
def test_a_quantised_cache_is_smaller_and_close(cache):
    exact, made = generator("tuples"), generator("tuples", cache=cache)
    sizes = [sum(a.nbytes for a in _arrays(g._cache)) for g in (exact, made)]
    assert sizes[1] == sizes[0] * (1 + 4 / 8) / 4  # a byte for four, and a scale for each head of 8
    text = np.arange(1, 12)
    shares = [g.submit(text, max_new_tokens=1) for g in (exact, made)]
    assert shares[0].result().tolist() == shares[1].result().tolist()
    one, other = (g.submit(text, max_new_tokens=6) for g in (exact, made))
    one.result(), other.result()
    np.testing.assert_allclose(one.log_probabilities[:2], other.log_probabilities[:2], atol=0.3)
    assert one.log_probabilities[1:3] != other.log_probabilities[1:3]


@LONG
def test_weights_of_8_bits_and_of_bfloat16():
    net = decoders.make("tuples", hidden_size=64)
    first = {}
    for kind in (None, "int8", "bfloat16"):
        made = msjax.TextGenerator(net, slots=1, length=16, weights=kind, check=False)
        request = made.submit([5, 6, 7, 8], max_new_tokens=2)
        request.result()
        first[kind] = request.log_probabilities[0]
        sizes = sum(a.nbytes for a in _arrays(made._weights.now()))
        first[kind, "bytes"] = sizes
    whole = first[None, "bytes"]
    assert first["bfloat16", "bytes"] == whole / 2 and first["int8", "bytes"] < whole * 0.45
    assert abs(first["int8"] - first[None]) < 0.2 and abs(first["bfloat16"] - first[None]) < 0.2


# --- generate
def test_generate_of_an_array_pads_and_stops():
    net = network("plain")
    ids = np.array([[3, 4, 5, 0], [9, 8, 7, 6]], np.int32)
    free = msjax.generate(net, ids, max_new_tokens=6, length=LENGTH, pad_token_id=0)
    assert free.dtype == np.int32 and free.shape == (2, 10)
    assert free[0, :9].tolist() == [3, 4, 5, *decoders.alone(net, [3, 4, 5], 6, "plain")] and free[0, 9] == 0
    stop = int(free[1, 6])
    stopped = msjax.generate(net, Tensor(ids), max_new_tokens=6, length=LENGTH, pad_token_id=0, eos_token_id=[stop, 98])
    assert isinstance(stopped, Tensor) and stopped.dtype == ms.int32
    row = stopped.asnumpy()[1].tolist()
    assert row[: row.index(stop) + 1] == free[1, : row.index(stop) + 1].tolist() and not any(row[row.index(stop) + 1 :])
    later = msjax.generate(net, ids[1:], max_new_tokens=6, length=LENGTH, eos_token_id=stop, min_new_tokens=6)
    assert later.shape == (1, 10) and stop not in later[0, 4:9]


def test_padding_at_the_front_stays_there():
    net = network("plain")
    ids = np.array([[0, 0, 5], [9, 8, 7]], np.int32)
    out = msjax.generate(net, ids, max_new_tokens=3, length=LENGTH, attention_mask=(ids != 0).astype(np.int32))
    assert out[0].tolist() == [0, 0, 5, *decoders.alone(net, [5], 3, "plain")]
    lists = msjax.generate(net, [[5], [9, 8, 7]], max_length=4, length=LENGTH)
    assert [row.tolist() for row in lists] == [out[0, 2:6].tolist() if n == 1 else out[1, :4].tolist() for n in (1, 3)]


def test_draws_follow_from_the_seed_and_the_settings():
    net = network("plain")

    def drawn(**more):
        return msjax.generate(net, np.array([[1, 2, 3]]), max_new_tokens=12, length=LENGTH, do_sample=True, **more)

    one, again, other = drawn(seed=1), drawn(seed=1), drawn(seed=2)
    assert one.tolist() == again.tolist() != other.tolist()
    best = msjax.generate(net, np.array([[1, 2, 3]]), max_new_tokens=12, length=LENGTH)
    assert drawn(top_k=1, seed=3).tolist() == best.tolist() == drawn(top_p=1e-6, temperature=5.0).tolist()
    several = drawn(num_return_sequences=3, seed=1)
    assert several.shape[0] == 3 and several[0].tolist() == one[0].tolist() and several[1].tolist() == other[0].tolist()


def test_a_streamer_sees_each_token():
    net, seen = network("plain"), []
    out = msjax.generate(
        net, [[1, 2], [3, 4, 5]], max_new_tokens=5, length=LENGTH, streamer=lambda row, token: seen.append((row, token))
    )
    for row, text in enumerate(out):
        assert [token for r, token in seen if r == row] == text[-5:].tolist()


def _beams(net, prompt, new, beams, stop, penalty, early):
    """Beam search in plain Python over whole forward passes."""

    def shares(ids):
        padded = np.pad(np.array([ids], np.int32), ((0, 0), (0, 16 - len(ids))))
        scores = net(Tensor(padded)).asnumpy()[0, len(ids) - 1].astype(np.float64)
        return scores - np.log(np.exp(scores - scores.max()).sum()) - scores.max()

    running, done = [(0.0, list(prompt))], []
    for length in range(1, new + 1):
        options = sorted(
            ((total + s, ids + [t]) for total, ids in running for t, s in enumerate(shares(ids))), key=lambda o: -o[0]
        )[: 2 * beams]
        for rank, (total, ids) in enumerate(options):
            if ids[-1] == stop and rank < beams:
                done.append((total / length**penalty, ids))
        done = sorted(done, key=lambda o: -o[0])[:beams]
        running = [o for o in options if o[1][-1] != stop][:beams]
        full = len(done) == beams
        if full and (early or running[0][0] / length**penalty <= done[-1][0]):
            return done
    done += [(total / new**penalty, ids) for total, ids in running]
    return sorted(done, key=lambda o: -o[0])[:beams]


@pytest.mark.parametrize("penalty, early", [(1.0, False), pytest.param(0.3, True, marks=LONG)])
def test_beam_search_is_that_of_plain_python(penalty, early):
    kind = "tuples"
    net = _nets.setdefault("beams", decoders.make(kind, vocab_size=11))
    twin = lambda ids: net(ids)[0]  # noqa: E731
    want = _beams(twin, [1, 2, 3], 6, 3, 4, penalty, early)
    got = msjax.generate(
        net, [[1, 2, 3]], max_new_tokens=6, num_beams=3, num_return_sequences=3, eos_token_id=4, length_penalty=penalty,
        early_stopping=early, length=16,
    )  # fmt: skip
    assert [text.tolist() for text in got] == [ids for _, ids in want]


# --- what is refused
def test_what_does_not_fit_is_refused_with_the_lengths():
    made = generator("plain")
    with pytest.raises(ValueError, match="prompt of 30 tokens and 9 new ones are more than the length of 32"):
        made.submit(np.ones(30, np.int32), max_new_tokens=9)
    with pytest.raises(ValueError, match="prompt of 32 tokens"):
        made.submit(np.ones(32, np.int32))
    with pytest.raises(ValueError, match="at least one token"):
        made.submit(np.ones(0, np.int32))
    with pytest.raises(ValueError, match="'length' must not be above 128, the tokens that GPT2 can see, but got 200"):
        msjax.TextGenerator(decoders.make("tuples"), length=200)


@pytest.mark.parametrize(
    "wrong, kind, text",
    [
        ({"temperature": -1.0}, ValueError, "'temperature' must be a number of at least 0, but got -1.0"),
        ({"top_p": 0.0}, ValueError, r"'top_p' must be in \(0, 1\], but got 0.0"),
        ({"top_k": 1.5}, TypeError, r"'top_k' must be an int in \[0, 2 \*\* 31\), but got 1.5 of type float"),
        ({"top_k": 2**31}, ValueError, "'top_k' must be an int in"),
        ({"eos_token_id": [2, 2**31]}, ValueError, "'eos_token_id' must be an int of 32 bits or a list of these"),
        ({"repetition_penalty": 0}, ValueError, "'repetition_penalty' must be a number above 0"),
        ({"eos_token_id": list(range(65))}, ValueError, "can be 64 tokens in 'eos_token_id', but got 65"),
        ({"max_new_tokens": 0}, ValueError, "'max_new_tokens' must be at least 1, but got 0"),
        ({"num_beams": 2, "do_sample": True}, ValueError, "takes neither 'do_sample'"),
        ({"num_return_sequences": 2}, ValueError, "needs do_sample=True or as many beams"),
    ],
)
def test_settings_out_of_range_are_refused(wrong, kind, text):
    with pytest.raises(kind, match=text):
        msjax.generate(network("plain"), [[1, 2]], check=False, length=LENGTH, **{"max_new_tokens": 2, **wrong})


def test_a_network_that_no_spelling_fits_says_what_was_wrong_with_each():
    class Looks(ms.nn.Cell):
        """Sees the tokens behind, as an encoder does."""

        def __init__(self):
            super().__init__()
            self.inner = network("plain")

        def construct(self, input_ids):
            return self.inner(input_ids[:, ::-1])

    with pytest.raises(ValueError, match="padded lengths: ValueError: tokens behind a prompt change its scores"):
        msjax.TextGenerator(Looks(), slots=1, length=16)
    with pytest.raises(TypeError, match="'net' must be a Cell, but got function"):
        msjax.generate(lambda x: x, [[1]])


def test_a_wrong_cache_is_found_and_left():
    class Forgets(decoders.GPT2):
        """A mistake of its author: positions start again with each token."""

        def construct(self, input_ids, past_key_values=None, attention_mask=None, position_ids=None, use_cache=False):
            return super().construct(input_ids, past_key_values, attention_mask, None, use_cache)

    net = Forgets(decoders.Config())
    for own, other in zip(net.get_parameters(), decoders.make("tuples").get_parameters()):
        own.set_data(other.value())
    assert msjax.TextGenerator(net, slots=1, length=16).spelling == "padded lengths"


class Bounded(ms.nn.Cell):
    """As nanoGPT: more tokens than its table of places has are refused by the network itself."""

    def __init__(self, places, **said):
        super().__init__()
        vars(self).update(said)
        self.places = places
        self.table, self.position = ms.nn.Embedding(17, 8), ms.nn.Embedding(places, 8)
        self.head = ms.nn.Dense(8, 17)

    def construct(self, idx, targets=None):
        length = idx.shape[1]
        assert length <= self.places, "the sequence is too long"
        x = self.table(idx) + self.position(ms.ops.arange(length))
        return self.head(ms.ops.cumsum(x, 1)), None


def test_scores_that_are_nan_are_refused():
    class Nothing(decoders.Plain):
        def construct(self, input_ids):
            return super().construct(input_ids) * float("nan")

    with pytest.raises(ValueError, match="scores after a prompt are NaN"):
        msjax.TextGenerator(Nothing(decoders.Config()), slots=1, length=8, steps=2)


def test_a_network_that_takes_one_length_alone():
    """As MindFormers' without `use_past`: its mask has `seq_length` rows."""

    class Whole(decoders.Plain):
        def construct(self, input_ids):
            return super().construct(input_ids) + ms.ops.zeros((1, 16, 1)) * ms.ops.reshape(input_ids, (-1, 16, 1))

    ms.set_seed(0)
    net = Whole(decoders.Config())
    net.seq_length = 16
    made = msjax.TextGenerator(net, slots=2, length=16, steps=4)
    assert made.spelling == "its whole length"
    request = made.submit([5, 9, 2], max_new_tokens=6)
    ids = [5, 9, 2]
    for _ in range(6):
        padded = np.pad(np.array(ids, np.int32), (0, 16 - len(ids)))
        ids.append(int(net(Tensor(padded[None])).asnumpy()[0, len(ids) - 1].argmax()))
    assert request.result().tolist() == ids[3:]


@pytest.mark.parametrize("said", [{}, {"block_size": 24}, {"max_seq_length": 24}])
def test_a_network_that_refuses_longer_texts_generates_within_its_own_length(said):
    net = Bounded(24, **said)
    net.set_train(False)
    wanted = [3, 5, 2]
    for _ in range(20):
        wanted.append(int(net(Tensor([wanted]))[0][0, -1].asnumpy().argmax()))
    assert (
        msjax.generate(net, [[3, 5, 2]], 4)[0].tolist() == wanted[:7]
    )  # first of a short text: the next one is longer
    assert msjax.generate(net, [[3, 5, 2]], 20)[0].tolist() == wanted
    with pytest.raises(ValueError, match="the sequence is too long|24"):
        msjax.generate(net, [[3, 5, 2]], 40)


def test_a_weight_that_the_network_writes_is_no_cache():
    prompt = np.array([5, 17, 3, 42], np.int32)
    net = decoders.make("normed")
    for seed in (1, 2):
        head = np.random.default_rng(seed).normal(size=net.lm_head.weight.shape).astype(np.float32)
        net.lm_head.weight.set_data(Tensor(head))
        tokens = [msjax.generate(net, prompt[None], max_new_tokens=6, num_beams=beams)[0].tolist() for beams in (1, 2)]
        np.testing.assert_array_equal(net.lm_head.weight.asnumpy(), head)
        assert tokens[0] == [*prompt, *decoders.alone(net, prompt, 6, "normed")]
        assert len(set(tokens[1])) > 5
