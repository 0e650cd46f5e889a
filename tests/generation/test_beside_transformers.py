"""Tokens beside `transformers`' own `generate` on the same weights: greedy, beams, penalties; what top-k and top-p leave.

Needs the packages torch and transformers: `python -m pytest tests/generation/test_beside_transformers.py`.
"""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn
from twins_text import TEXT_TWINS

import msjax
from msjax.generation import sampling

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore")

ENDS = dict(bos_token_id=1, eos_token_id=2, pad_token_id=0)
MODELS = {
    "LlamaForCausalLM": ("LlamaConfig", dict(vocab_size=96, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
                                             num_key_value_heads=2, max_position_embeddings=64, tie_word_embeddings=False, **ENDS)),
    "GPT2LMHeadModel": ("GPT2Config", dict(vocab_size=96, n_embd=32, n_layer=2, n_head=4, n_positions=64, **ENDS)),
    "T5ForConditionalGeneration": ("T5Config", dict(vocab_size=96, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, decoder_start_token_id=0,
                                                    pad_token_id=0, eos_token_id=2)),
}  # fmt: skip
WAYS = {
    "greedy": {},
    "greedy, each token less likely again": dict(repetition_penalty=1.4),
    "greedy, no end before 8": dict(min_new_tokens=8),
    "three beams": dict(num_beams=3, num_return_sequences=3),
    "beams, short texts": dict(num_beams=4, length_penalty=-1.0, num_return_sequences=2),
    "beams, until all ended": dict(num_beams=2, early_stopping="never", length_penalty=2.0),
    "beams that stop early": dict(num_beams=3, early_stopping=True),
    "beams, each token less likely again": dict(num_beams=2, repetition_penalty=1.3),
}


class Decoder(nn.Cell):
    def __init__(self, twin):
        super().__init__()
        self.twin = twin

    def construct(self, input_ids):
        return self.twin(input_ids)


class Both(Decoder):
    def construct(self, input_ids, decoder_input_ids):
        return self.twin(input_ids, decoder_input_ids)


_pairs = {}


def pair(name, folder):
    """(transformers' network, its twin here), made once; some scores are near each other, none equal."""
    if name not in _pairs:
        torch.manual_seed(0)
        config, given = MODELS[name]
        theirs = getattr(transformers, name)(getattr(transformers, config)(**given)).eval()
        with torch.no_grad():
            for p in theirs.parameters():
                p.add_(0.25 * torch.randn_like(p))
        torch.save(theirs.state_dict(), folder / "net.pth")
        twin = TEXT_TWINS[name]()
        ms.load_checkpoint(str(folder / "net.pth"), twin)
        _pairs[name] = theirs, (Both if name.startswith("T5") else Decoder)(twin.set_train(False))
    return _pairs[name]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", MODELS)
def test_the_same_tokens(name, way, tmp_path):
    theirs, ours = pair(name, tmp_path)
    ids = np.random.RandomState(3).randint(3, 95, (1, 16))
    options = {"max_new_tokens": 12, **WAYS[way]}
    with torch.no_grad():
        wanted = theirs.generate(torch.from_numpy(ids), do_sample=False, **options).numpy()
    more = {"decoder_input_ids": [0]} if name.startswith("T5") else {}
    got = msjax.generate(
        ours, ids.astype(np.int32), eos_token_id=2, pad_token_id=0, length=32, check=False, **options, **more
    )
    assert got.tolist() == wanted.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_what_top_k_and_top_p_leave(seed):
    random = np.random.RandomState(seed)
    scores = (random.standard_normal((3, 50)) * random.choice([0.5, 2, 6])).astype(np.float32)
    k, p = int(random.choice([0, 1, 5, 20])), float(random.choice([0.1, 0.5, 0.9, 1.0]))
    kept = torch.from_numpy(scores)
    if k:
        kept = transformers.TopKLogitsWarper(k)(None, kept)
    if p < 1:
        kept = transformers.TopPLogitsWarper(p)(None, kept)
    ours = np.asarray(sampling.filtered(scores, np.full(3, k, np.int32), np.full(3, p, np.float32)))
    np.testing.assert_array_equal(ours, kept.numpy())
