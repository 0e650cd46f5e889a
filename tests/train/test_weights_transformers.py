"""Weights of small random networks of `transformers`: over to MindSpore's names and back bit for bit; the same logits in a twin network.

Needs the packages torch and transformers: `python -m pytest tests/train/test_weights_transformers.py`.
"""

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn, ops

from msjax.train.weights import Entry, match, match_network, open_weights, torch_to_mindspore, write_weights

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore")

TEXT = dict(vocab_size=96, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48)
LLAMA = {**TEXT, "num_key_value_heads": 2, "max_position_embeddings": 64, "tie_word_embeddings": False}
IMAGE = dict(
    hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, image_size=16, patch_size=8
)
SPEECH = dict(vocab_size=96, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4,
              encoder_ffn_dim=48, decoder_ffn_dim=48, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1)  # fmt: skip
MODELS = {  # class: (configuration, its arguments)
    "LlamaForCausalLM": ("LlamaConfig", LLAMA),
    "MistralForCausalLM": ("MistralConfig", LLAMA),
    "Qwen2ForCausalLM": ("Qwen2Config", LLAMA),
    "Qwen3ForCausalLM": ("Qwen3Config", {**LLAMA, "head_dim": 8}),
    "GemmaForCausalLM": ("GemmaConfig", {**LLAMA, "head_dim": 8}),
    "Gemma2ForCausalLM": ("Gemma2Config", {**LLAMA, "head_dim": 8}),
    "PhiForCausalLM": ("PhiConfig", TEXT),
    "Phi3ForCausalLM": ("Phi3Config", {**LLAMA, "pad_token_id": 0}),
    "GPT2LMHeadModel": ("GPT2Config", dict(vocab_size=96, n_embd=32, n_layer=2, n_head=4, n_positions=64)),
    "GPTNeoXForCausalLM": ("GPTNeoXConfig", TEXT),
    "BloomForCausalLM": ("BloomConfig", dict(vocab_size=96, hidden_size=32, n_layer=2, n_head=4)),
    "OPTForCausalLM": ("OPTConfig", dict(vocab_size=96, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, ffn_dim=48, word_embed_proj_dim=32)),
    "BertForMaskedLM": ("BertConfig", TEXT),
    "RobertaForMaskedLM": ("RobertaConfig", TEXT),
    "DistilBertForMaskedLM": ("DistilBertConfig", dict(vocab_size=96, dim=32, n_layers=2, n_heads=4, hidden_dim=48)),
    "T5ForConditionalGeneration": ("T5Config", dict(vocab_size=96, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, decoder_start_token_id=0)),
    "ViTForImageClassification": ("ViTConfig", IMAGE),
    "CLIPModel": ("CLIPConfig", dict(text_config={**TEXT, "max_position_embeddings": 16}, vision_config=IMAGE, projection_dim=16)),
    "WhisperForConditionalGeneration": ("WhisperConfig", SPEECH),
    "ResNetForImageClassification": ("ResNetConfig", dict(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 2], layer_type="basic")),
}  # fmt: skip


def made(name, seed=0):
    torch.manual_seed(seed)
    config, given = MODELS[name]
    net = getattr(transformers, name)(getattr(transformers, config)(**given)).eval()
    with torch.no_grad():
        for p in net.parameters():
            p.add_(0.05 * torch.randn_like(p))  # biases and scales that begin equal do not stay so
    return net


def arrays(net):
    return {name: tensor.numpy() for name, tensor in net.state_dict().items()}


@pytest.mark.parametrize("name", MODELS)
def test_over_and_back_bit_for_bit(name, tmp_path):
    net = made(name)
    wanted = arrays(net)
    net.save_pretrained(tmp_path / "hf", max_shard_size="30KB")
    torch.save(net.state_dict(), tmp_path / "net.pth")
    from_folder, from_torch = open_weights(tmp_path / "hf"), open_weights(tmp_path / "net.pth")
    assert from_torch.keys() == wanted.keys()
    assert all(e.read().tobytes() == wanted[n].tobytes() and e.dtype == wanted[n].dtype for n, e in from_torch.items())
    contents = {a.tobytes() for a in wanted.values()}  # some networks are saved under older names
    assert all(e.read().tobytes() in contents for e in from_folder.values()) and len(from_folder) > 10
    write_weights(tmp_path / "net.ckpt", torch_to_mindspore(from_torch))
    there, shapes = (
        open_weights(tmp_path / "net.ckpt"),
        {n: Entry.of(a) for n, a in wanted.items() if "num_batches" not in n},
    )
    back = {p.target: p.entry(there, shapes[p.target].shape) for p in match(there, shapes)}
    assert back.keys() == shapes.keys()
    assert all(back[n].read().tobytes() == wanted[n].tobytes() for n in back)


@pytest.mark.parametrize(
    "one, other",
    [("BertForMaskedLM", "LlamaForCausalLM"), ("ViTForImageClassification", "ResNetForImageClassification")],
)
def test_a_wrong_pair_is_refused(one, other):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            for name, array in arrays(made(other)).items():
                self.insert_param_to_cell(name.replace(".", "_"), ms.Parameter(ms.Tensor(array), name=name), False)

    with pytest.raises(ValueError, match="another network|several possible"):
        match_network(Net(), {n: Entry.of(a) for n, a in arrays(made(one)).items()})


# --- twins under MindFormers' names
class Table(nn.Cell):
    def __init__(self, rows, size, word="embedding_weight"):
        super().__init__()
        self.insert_param_to_cell(word, ms.Parameter(ms.ops.zeros((rows, size)), name=word))
        self.word = word

    def construct(self, ids):
        return ops.gather(getattr(self, self.word), ids, 0)


class Linear(nn.Cell):
    """x @ weight, of shape (in, out)."""

    def __init__(self, size, out):
        super().__init__()
        self.weight, self.bias = ms.Parameter(ops.zeros((size, out))), ms.Parameter(ops.zeros(out))

    def construct(self, x):
        return ops.matmul(x, self.weight) + self.bias


class Scale(nn.Cell):
    def __init__(self, size, eps=1e-6):
        super().__init__()
        self.weight, self.eps = ms.Parameter(ops.ones(size)), eps

    def construct(self, x):
        return self.weight * (x * ops.rsqrt((x * x).mean(-1, keep_dims=True) + self.eps))


def holder(**cells):
    """A Cell of these Cells; they are in it before it goes into another one, which names their Parameters."""
    cell = nn.Cell()
    for name, inside in cells.items():
        setattr(cell, name, inside)
    return cell


def attention(q, k, v, heads, rotary=None):
    """Causal attention of (batch, length, heads * size); fewer heads of k and v are repeated."""
    batch, length, width = q.shape
    size = width // heads
    q, k, v = (a.reshape(batch, length, -1, size).transpose(0, 2, 1, 3) for a in (q, k, v))
    if rotary is not None:
        cos, sin = rotary
        half = size // 2
        q, k = (a * cos + ops.concat([-a[..., half:], a[..., :half]], -1) * sin for a in (q, k))
    k, v = (a.repeat_interleave(heads // a.shape[1], 1) if a.shape[1] < heads else a for a in (k, v))
    scores = ops.matmul(q, k.swapaxes(-1, -2)) / size**0.5
    mask = ms.Tensor(np.triu(np.full((length, length), -1e9, np.float32), 1))
    return ops.matmul(ops.softmax(scores + mask, -1), v).transpose(0, 2, 1, 3).reshape(batch, length, width)


class LlamaLayer(nn.Cell):
    def __init__(self, bias):
        super().__init__()
        self.attention_norm, self.ffn_norm = Scale(32), Scale(32)
        self.attention = holder(
            wq=nn.Dense(32, 32, has_bias=bias),
            wk=nn.Dense(32, 16, has_bias=bias),
            wv=nn.Dense(32, 16, has_bias=bias),
            wo=nn.Dense(32, 32, has_bias=False),
        )
        sizes = {"w1": (32, 48), "w2": (48, 32), "w3": (32, 48)}
        self.feed_forward = holder(**{n: nn.Dense(*s, has_bias=False) for n, s in sizes.items()})

    def construct(self, x, rotary):
        a, f, y = self.attention, self.feed_forward, self.attention_norm(x)
        x = x + a.wo(attention(a.wq(y), a.wk(y), a.wv(y), 4, rotary))
        y = self.ffn_norm(x)
        return x + f.w2(ops.silu(f.w1(y)) * f.w3(y))


class Llama(nn.Cell):
    def __init__(self, bias=False):
        super().__init__()
        layers = nn.CellList([LlamaLayer(bias) for _ in range(2)])
        self.model = holder(tok_embeddings=Table(96, 32), layers=layers, norm_out=Scale(32))
        self.lm_head = nn.Dense(32, 96, has_bias=False)

    def construct(self, ids):
        x = self.model.tok_embeddings(ids)
        angles = np.outer(np.arange(ids.shape[1]), 1 / 10000.0 ** (np.arange(0, 8, 2) / 8)).astype(np.float32)
        rotary = ms.Tensor(np.cos(np.tile(angles, 2))), ms.Tensor(np.sin(np.tile(angles, 2)))
        for layer in self.model.layers:
            x = layer(x, rotary)
        return self.lm_head(self.model.norm_out(x))


class GPT2Layer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layernorm1, self.layernorm2 = nn.LayerNorm([32], epsilon=1e-5), nn.LayerNorm([32], epsilon=1e-5)
        products = {f"dense{i}": nn.Dense(32, 32) for i in (1, 2, 3)}
        self.attention = holder(**products, projection=Linear(32, 32))
        self.output = holder(mapping=Linear(32, 128), projection=Linear(128, 32))

    def construct(self, x):
        a, y = self.attention, self.layernorm1(x)
        x = x + a.projection(attention(a.dense1(y), a.dense2(y), a.dense3(y), 4))
        return x + self.output.projection(ops.gelu(self.output.mapping(self.layernorm2(x)), approximate="tanh"))


class GPT2(nn.Cell):
    def __init__(self):
        super().__init__()
        tables = {
            "word_embedding": Table(96, 32, "embedding_table"),
            "position_embedding": Table(64, 32, "embedding_table"),
        }
        blocks = nn.CellList([GPT2Layer() for _ in range(2)])
        self.backbone = holder(embedding=holder(**tables), blocks=blocks, layernorm=nn.LayerNorm([32], epsilon=1e-5))
        self.head = nn.Dense(32, 96, has_bias=False)

    def construct(self, ids):
        b = self.backbone
        x = b.embedding.word_embedding(ids) + b.embedding.position_embedding(ms.Tensor(np.arange(ids.shape[1])))
        for block in b.blocks:
            x = block(x)
        return self.head(b.layernorm(x))


TWINS = {
    "LlamaForCausalLM": Llama,
    "MistralForCausalLM": Llama,
    "Qwen2ForCausalLM": lambda: Llama(bias=True),
    "GPT2LMHeadModel": GPT2,
}


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("name", TWINS)
def test_logits_of_a_twin(name, graph, tmp_path):
    theirs, ours = made(name), TWINS[name]()
    torch.save(theirs.state_dict(), tmp_path / "net.pth")
    if graph:
        ms.set_context(mode=ms.GRAPH_MODE)
    ms.load_checkpoint(str(tmp_path / "net.pth"), ours)
    ids = np.random.RandomState(1).randint(0, 96, (2, 12))
    with torch.no_grad():
        wanted = theirs(torch.from_numpy(ids)).logits.numpy()
    got = ours.set_train(False)(ms.Tensor(ids.astype(np.int32))).asnumpy()
    np.testing.assert_allclose(got, wanted, rtol=1e-5, atol=1e-5 * np.abs(wanted).max())
    # and back, bit for bit
    write_weights(tmp_path / "ours.ckpt", {p.name: p.asnumpy() for p in ours.get_parameters()})
    there = open_weights(tmp_path / "ours.ckpt")
    from msjax.train.weights.families import family_of

    shapes = {n: Entry.of(a) for n, a in arrays(theirs).items()}
    _, pairs = family_of(there, shapes)
    for pair in pairs:
        assert pair.entry(there, shapes[pair.target].shape).read().tobytes() == shapes[pair.target].read().tobytes()
