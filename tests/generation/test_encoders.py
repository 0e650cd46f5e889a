"""Generation with an encoder and a decoder: each spelling gives the tokens of whole forward passes; the encoder runs once a request."""

import os
import re

import encoders
import jax
import numpy as np
import pytest
from mindspore import Tensor

import msjax
from msjax.core.settings.context import computing_for

LONG = pytest.mark.skipif(not os.environ.get("MSJAX_TEST_ALL"), reason="programs of its own: set MSJAX_TEST_ALL=1")
NAMES = {
    "objects": "encoded once, past_key_values with update",
    "once": "encoded once and padded lengths",
    "whole": "source and padded lengths",
    "sound": "encoded once, past_key_values with update",
}
_made = {}


def generator(kind):
    """A generator of a spelling's network, made once: its programs are what takes time here."""
    if kind not in _made:
        size = (8, 32) if kind == "sound" else 16
        _made[kind] = (
            msjax.TextGenerator(encoders.make(kind), slots=2, length=16, steps=4, source=size),
            encoders.make(kind),
        )
    return _made[kind]


def sources(kind):
    random = np.random.RandomState(1)
    if kind == "sound":
        return list(random.standard_normal((4, 8, 32)).astype(np.float32))
    return [random.randint(2, 97, n).astype(np.int32) for n in (5, 16, 1, 9)]


@pytest.mark.parametrize("kind", ["objects", *(pytest.param(k, marks=LONG) for k in ("once", "whole", "sound"))])
def test_requests_of_all_sources_give_the_tokens_of_the_network_alone(kind):
    made, net = generator(kind)
    assert made.spelling == NAMES[kind]
    given = sources(kind)
    requests = [made.submit(source, max_new_tokens=9 - 2 * i) for i, source in enumerate(given)]
    got = [request.result().tolist() for request in requests]
    assert got == [encoders.alone(net, source, 9 - 2 * i)[1:] for i, source in enumerate(given)]
    assert len({tuple(g[:3]) for g in got}) > 1
    begun = made.submit(given[0], max_new_tokens=4, decoder_input_ids=[1, 7, 8]).result().tolist()
    assert begun == encoders.alone(net, given[0], 4, (1, 7, 8))[3:]
    assert len(made.programs.used) <= 8


def test_texts_with_an_encoder_are_the_same_in_the_order_of_a_tpu():
    """There a step stores its tokens when all is read."""
    (made, net), given = generator("objects"), sources("objects")

    def texts(made):
        return [r.result().tolist() for r in [made.submit(source, max_new_tokens=7) for source in given[:3]]]

    here = texts(made)
    with computing_for("TPU"):
        assert texts(msjax.TextGenerator(net, slots=2, length=16, steps=4, source=16, check=False)) == here


def test_the_cache_of_the_decoder_is_changed_in_place_and_the_encoder_runs_once():
    made, _ = generator("objects")
    compiled = made.programs.lowered(made._weights.now(), view=16).compile()
    own = {tuple(a.shape) for arrays in made._cache["own"] for a in arrays}
    text = compiled.as_text()
    assert [s for s in own if re.search(rf"f32\[{','.join(map(str, s))}\]\S* copy\(", text)] == []
    assert compiled.memory_analysis().alias_size_in_bytes >= sum(a.nbytes for a in jax.tree.leaves(made._cache))
    assert "encoder" not in " ".join(re.findall(r'op_name="([^"]*)"', text))  # no step computes what the encoder made


@LONG
def test_generate_takes_arrays_lists_and_what_the_decoder_begins_with():
    net = encoders.make("objects")
    given = sources("objects")
    texts = msjax.generate(net, [s.tolist() for s in given], max_new_tokens=5, length=16)
    assert [t.tolist() for t in texts] == [encoders.alone(net, s, 5) for s in given]
    padded = np.zeros((2, 9), np.int32)
    padded[0, :5], padded[1] = given[0], given[3]
    out = msjax.generate(net, Tensor(padded), max_new_tokens=5, length=16, pad_token_id=0)
    assert isinstance(out, Tensor) and out.asnumpy().tolist() == [texts[0].tolist(), texts[3].tolist()]
    beams = msjax.generate(net, [given[0].tolist()], max_new_tokens=5, length=16, num_beams=2, num_return_sequences=2)
    assert len({tuple(b.tolist()) for b in beams}) == 2 and all(b[0] == 1 and len(b) == 6 for b in beams)


def test_what_does_not_fit_an_encoder_is_refused():
    made, _ = generator("objects")
    with pytest.raises(ValueError, match="encoder has at most 16 tokens, but got 17"):
        made.submit(np.ones(17, np.int32))
    with pytest.raises(ValueError, match="what the encoder sees must be token numbers"):
        made.submit(np.ones((2, 3), np.float32))
    with pytest.raises(ValueError, match="more than the length of 16 tokens"):
        made.submit([3, 4], max_new_tokens=16)
    with pytest.raises(ValueError, match="'decoder_input_ids' must be token numbers"):
        made.submit([3, 4], decoder_input_ids=[])
    with pytest.raises(TypeError, match="'source' must be a number of tokens or the shape"):
        msjax.TextGenerator(encoders.make("objects"), source="16")
