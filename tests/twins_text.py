"""Networks of language that compute as those of `transformers` do, under the names of other toolkits. Width 32, 4 heads, 2 layers."""

import math
from dataclasses import dataclass, field

import mindspore as ms
import numpy as np
from mindspore import ops
from twins import Linear, Scale, Twin, attention, by_heads, causal, dense, gelu, gelu_tanh, norm, turned, value

WORDS, WIDTH, HEADS, LAYERS = 96, 32, 4, 2


# --- names: of MindFormers, of its newer networks, and of our own in the toolkits' manner
MINDFORMERS = {
    "embed": "model.tok_embeddings.embedding_weight", "norm": "model.norm_out", "head": "lm_head",
    **{role: f"model.layers.{{}}.{path}" for role, path in {
        "norm1": "attention_norm", "norm2": "ffn_norm", "q": "attention.wq", "k": "attention.wk", "v": "attention.wv",
        "qkv": "attention.w_qkv", "o": "attention.wo", "gate": "feed_forward.w1", "down": "feed_forward.w2",
        "up": "feed_forward.w3", "gate_up": "feed_forward.w_gate_hidden"}.items()},
}  # fmt: skip
MCORE = {
    "embed": "embedding.word_embeddings.weight", "norm": "decoder.final_layernorm", "head": "output_layer",
    **{role: f"decoder.layers.{{}}.{path}" for role, path in {
        "norm1": "input_layernorm", "norm2": "pre_mlp_layernorm", "q": "self_attention.linear_q", "k": "self_attention.linear_k",
        "v": "self_attention.linear_v", "qkv": "self_attention.linear_qkv", "qn": "self_attention.q_layernorm",
        "kn": "self_attention.k_layernorm", "o": "self_attention.linear_proj", "gate": "mlp.gating", "up": "mlp.hidden",
        "gate_up": "mlp.linear_fc1", "down": "mlp.linear_fc2"}.items()},
}  # fmt: skip
PLAIN = {
    "embed": "token_embedding.embedding_table", "pos": "position_embedding.embedding_table", "embed_norm": "embedding_norm",
    "norm": "final_norm", "head": "head",
    **{role: f"blocks.{{}}.{path}" for role, path in {
        "norm1": "input_norm", "norm2": "post_attention_norm", "norm3": "pre_mlp_norm", "norm4": "post_mlp_norm",
        "q": "attention.query", "k": "attention.key", "v": "attention.value", "qkv": "attention.qkv", "o": "attention.out",
        "gate": "mlp.gate", "up": "mlp.up", "down": "mlp.down"}.items()},
}  # fmt: skip
GPT = {
    "embed": "backbone.embedding.word_embedding.embedding_table", "pos": "backbone.embedding.position_embedding.embedding_table",
    "norm": "backbone.layernorm", "head": "head",
    **{role: f"backbone.blocks.{{}}.{path}" for role, path in {
        "norm1": "layernorm1", "norm2": "layernorm2", "q": "attention.dense1", "k": "attention.dense2", "v": "attention.dense3",
        "o": "attention.projection", "up": "output.mapping", "down": "output.projection"}.items()},
}  # fmt: skip


# --- decoders
@dataclass
class Decoder:
    """What a decoder has, and how it computes."""

    names: dict
    scale: type = Scale  # its norms: Scale, or norm
    groups: int = HEADS  # heads of k and v
    head: int = WIDTH // HEADS  # elements of a head
    bias: tuple = ()  # roles that have a bias
    joined: bool = False  # q, k and v, and gate and up, are one matrix each
    by_head: bool = False
    gated: bool = True
    inside: int = 48
    act: object = ops.silu
    rotary: float = 1.0
    base: float = 10000.0
    positions: int = 0  # rows of a table of positions
    offset: int = 0  # where it begins
    first_norm: bool = False  # of the embeddings
    query_norm: bool = False
    four_norms: bool = False
    parallel: str = ""  # "one": of one norm, "two": each its own
    alibi: bool = False
    eps: float = 1e-6
    plus: float = 0.0
    times: float = 1.0  # of the embeddings
    caps: tuple = (None, None)
    attention_scale: float | None = None
    turned_products: tuple = ()  # roles of products of shape (in, out)
    tied: bool = False
    extra: dict = field(default_factory=dict)

    def made(self):
        p = {"embed": value(WORDS, WIDTH)}
        if self.positions:
            p["pos"] = value(self.positions, WIDTH)
        if self.first_norm:
            p["embed_norm"] = self._norm()
        for i in range(LAYERS):
            norms = ["norm1"] if self.parallel == "one" else ["norm1", "norm2"] + ["norm3", "norm4"] * self.four_norms
            p.update({(n, i): self._norm() for n in norms})
            q, kv = HEADS * self.head, self.groups * self.head
            up = (
                {"gate": (WIDTH, self.inside), "up": (WIDTH, self.inside)}
                if self.gated
                else {"up": (WIDTH, self.inside)}
            )
            if self.joined:
                products = {"qkv": (WIDTH, q + 2 * kv)}
                up = {"gate_up": (WIDTH, 2 * self.inside)} if self.gated else up
            else:
                products = {"q": (WIDTH, q), "k": (WIDTH, kv), "v": (WIDTH, kv)}
            products |= {"o": (q, WIDTH), **up, "down": (self.inside, WIDTH)}
            for role, (size, out) in products.items():
                p[role, i] = Linear(size, out) if role in self.turned_products else dense(size, out, role in self.bias)
            if self.query_norm:
                p.update({(n, i): Scale(self.head, self.eps, self.plus) for n in ("qn", "kn")})
        p["norm"] = self._norm()
        if not self.tied:
            p["head"] = dense(WIDTH, WORDS, "head" in self.bias)
        return Twin(p, self.names, self.forward)

    def _norm(self):
        return norm(WIDTH, self.eps) if self.scale is norm else Scale(WIDTH, self.eps, self.plus)

    def forward(self, p, ids):
        x = ops.gather(p["embed"], ids, 0) * self.times
        length = ids.shape[1]
        if self.positions:
            x = x + ops.gather(p["pos"], ms.Tensor(np.arange(length) + self.offset), 0)
        if self.first_norm:
            x = p["embed_norm"](x)
        added = causal(length)
        if self.alibi:
            slopes = np.float32(2.0) ** (-8.0 / HEADS * np.arange(1, HEADS + 1))
            added = added + ms.Tensor((slopes[:, None, None] * np.arange(length)).astype(np.float32))
        for i in range(LAYERS):
            y = p["norm1", i](x)
            a = self.attend(p, i, y, added)
            if self.four_norms:
                x = x + p["norm2", i](a)
                x = x + p["norm4", i](self.feed(p, i, p["norm3", i](x)))
            elif self.parallel:
                x = x + a + self.feed(p, i, y if self.parallel == "one" else p["norm2", i](x))
            else:
                x = x + a
                x = x + self.feed(p, i, p["norm2", i](x))
        x = p["norm"](x)
        logits = ops.matmul(x, p["embed"].T) if self.tied else p["head"](x)
        return logits if self.caps[1] is None else ops.tanh(logits / self.caps[1]) * self.caps[1]

    def attend(self, p, i, y, added):
        q_size, kv_size = HEADS * self.head, self.groups * self.head
        if self.by_head:
            q, k, v = by_heads(p["qkv", i](y), HEADS)
        elif self.joined:
            q, k, v = ops.split(p["qkv", i](y), [q_size, kv_size, kv_size], -1)
        else:
            q, k, v = (p[n, i](y) for n in "qkv")

        def change(a, which):
            a = p[("qn", "kn")[which], i](a) if self.query_norm else a
            return turned(a, self.rotary, self.base) if self.rotary else a

        return p["o", i](attention(q, k, v, HEADS, added, self.attention_scale, self.caps[0], change))

    def feed(self, p, i, y):
        if not self.gated:
            return p["down", i](self.act(p["up", i](y)))
        gate, up = ops.split(p["gate_up", i](y), self.inside, -1) if self.joined else (p["gate", i](y), p["up", i](y))
        return p["down", i](self.act(gate) * up)


_ALL = ("q", "k", "v", "qkv", "o", "up", "down")
_GEMMA = dict(groups=2, act=gelu_tanh, times=WIDTH**0.5, plus=1.0)
DECODERS = {
    "LlamaForCausalLM": Decoder(MINDFORMERS, groups=2),
    "LlamaForCausalLM joined": Decoder(MINDFORMERS, groups=2, joined=True),
    "MistralForCausalLM": Decoder(MINDFORMERS, groups=2, joined=True),
    "Qwen2ForCausalLM": Decoder(MINDFORMERS, groups=2, bias=("q", "k", "v")),
    "Qwen3ForCausalLM": Decoder(MCORE, groups=2, query_norm=True),
    "LlamaForCausalLM mcore": Decoder(MCORE, groups=2),
    "GemmaForCausalLM": Decoder(PLAIN, **_GEMMA),
    "Gemma2ForCausalLM": Decoder(PLAIN, four_norms=True, attention_scale=256**-0.5, caps=(50.0, 30.0), **_GEMMA),
    "Gemma3ForCausalLM": Decoder(PLAIN | {"qn": "blocks.{}.attention.query_norm", "kn": "blocks.{}.attention.key_norm"}, four_norms=True,
                                 query_norm=True, attention_scale=256**-0.5, **_GEMMA),
    "PhiForCausalLM": Decoder(PLAIN, norm, bias=(*_ALL, "head"), gated=False, act=gelu_tanh, rotary=0.5, parallel="one", eps=1e-5),
    "Phi3ForCausalLM": Decoder(PLAIN, groups=2, eps=1e-5),
    "GPT2LMHeadModel": Decoder(GPT, norm, bias=_ALL, gated=False, inside=128, act=gelu_tanh, rotary=0, positions=64, eps=1e-5,
                               turned_products=("o", "up", "down")),
    "GPTNeoXForCausalLM": Decoder(PLAIN, norm, bias=_ALL, gated=False, act=gelu, rotary=0.25, parallel="two", joined=True, by_head=True, eps=1e-5),
    "BloomForCausalLM": Decoder(PLAIN, norm, bias=_ALL, gated=False, inside=128, act=gelu_tanh, rotary=0, alibi=True, joined=True, by_head=True,
                                first_norm=True, eps=1e-5),
    "OPTForCausalLM": Decoder(PLAIN | {"norm1": "blocks.{}.attention_norm", "norm2": "blocks.{}.ffn_norm"}, norm,
                              bias=_ALL, gated=False, act=ops.relu, rotary=0, positions=2050, offset=2, eps=1e-5),
    "FalconForCausalLM": Decoder(PLAIN, norm, groups=1, bias=_ALL, gated=False, inside=128, act=gelu, parallel="one", joined=True, eps=1e-5),
    "StableLmForCausalLM": Decoder(PLAIN, norm, groups=2, rotary=0.25, eps=1e-5),
    "Starcoder2ForCausalLM": Decoder(PLAIN, norm, groups=2, bias=_ALL, gated=False, act=gelu_tanh, eps=1e-5),
    "GraniteForCausalLM": Decoder(MINDFORMERS, groups=2, attention_scale=1.0),
}  # fmt: skip


# --- encoders
BERT = {
    "embed": "bert.word_embedding.embedding_table", "pos": "bert.embedding_postprocessor.full_position_embedding.embedding_table",
    "type": "bert.embedding_postprocessor.token_type_embedding.embedding_table", "embed_norm": "bert.embedding_postprocessor.layernorm",
    **{role: f"bert.bert_encoder.encoder.blocks.{{}}.{path}" for role, path in {
        "q": "attention.dense1", "k": "attention.dense2", "v": "attention.dense3", "o": "attention.projection",
        "norm1": "layernorm1", "norm2": "layernorm2", "up": "output.mapping", "down": "output.projection"}.items()},
    "dense": "mlmloss.dense", "dense_norm": "mlmloss.layernorm", "bias": "mlmloss.bias",
}  # fmt: skip
ENCODER = {
    "embed": "embedding.token.embedding_table", "pos": "embedding.position.embedding_table", "type": "embedding.token_type.embedding_table",
    "embed_norm": "embedding.norm", "widen": "embedding.projection",
    **{role: f"encoder.blocks.{{}}.{path}" for role, path in {
        "q": "attn.query", "k": "attn.key", "v": "attn.value", "o": "attn.out", "norm1": "attn_norm", "norm2": "out_norm",
        "up": "ffn.intermediate", "down": "ffn.output"}.items()},
    "dense": "head.dense", "dense_norm": "head.norm", "bias": "head.bias",
}  # fmt: skip


@dataclass
class Encoder:
    """A network of BERT's kind that fills in masked words; the table of embeddings is its last product."""

    names: dict
    eps: float = 1e-12
    types: int = 2
    positions: int = 512
    offset: int = 0
    narrow: int = WIDTH  # elements of an embedding
    layers: int = LAYERS  # with weights of their own
    act: object = gelu

    def made(self):
        p = {"embed": value(WORDS, self.narrow), "pos": value(self.positions, self.narrow)}
        if self.types:
            p["type"] = value(self.types, self.narrow)
        p["embed_norm"] = norm(self.narrow, self.eps)
        if self.narrow != WIDTH:
            p["widen"] = dense(self.narrow, WIDTH)
        for i in range(self.layers):
            p.update({(n, i): dense(WIDTH, WIDTH) for n in "qkvo"})
            p.update({(n, i): norm(WIDTH, self.eps) for n in ("norm1", "norm2")})
            p.update({("up", i): dense(WIDTH, 48), ("down", i): dense(48, WIDTH)})
        p.update({"dense": dense(WIDTH, self.narrow), "dense_norm": norm(self.narrow, self.eps), "bias": value(WORDS)})
        return Twin(p, self.names, self.forward)

    def forward(self, p, ids):
        x = ops.gather(p["embed"], ids, 0) + ops.gather(p["pos"], ms.Tensor(np.arange(ids.shape[1]) + self.offset), 0)
        x = p["embed_norm"](x + p["type"][0] if self.types else x)
        x = p["widen"](x) if "widen" in p else x
        for i in (n % self.layers for n in range(LAYERS)):
            x = p["norm1", i](x + p["o", i](attention(*(p[n, i](x) for n in "qkv"), HEADS)))
            x = p["norm2", i](x + p["down", i](self.act(p["up", i](x))))
        return ops.matmul(p["dense_norm"](self.act(p["dense"](x))), p["embed"].T) + p["bias"]


ENCODERS = {
    "BertForMaskedLM": Encoder(ENCODER),
    "RobertaForMaskedLM": Encoder(ENCODER, offset=2, eps=1e-12),
    "DistilBertForMaskedLM": Encoder(ENCODER, types=0),
    "AlbertForMaskedLM": Encoder(ENCODER, narrow=16, layers=1, act=gelu_tanh),
    "ElectraForMaskedLM": Encoder(ENCODER, narrow=16),
}


# --- encoder and decoder
T5 = {  # of MindFormers
    "embed": "t5_model.tfm_embedding_lookup.embedding_table",
    **{(role if side == "encoder" else f"d_{role}"): f"t5_model.tfm_{side}.blocks.{{}}.{path}" for side in ("encoder", "decoder") for role, path in {
        "norm1": "layernorm1", "norm2": "layernorm2", "norm3": "cross_attention_layernorm", "q": "attention.dense1", "k": "attention.dense2",
        "v": "attention.dense3", "o": "attention.projection", "cq": "cross_attention.dense1", "ck": "cross_attention.dense2",
        "cv": "cross_attention.dense3", "co": "cross_attention.projection", "up": "output.mapping", "down": "output.projection",
        "bias": "attention.bias_generator.embeddings_table"}.items()},
    "norm": "t5_model.encoder_layernorm", "d_norm": "t5_model.decoder_layernorm",
}  # fmt: skip


def _buckets(length, both):
    """(length, length): the bucket of each distance, as T5 counts them."""
    away = np.arange(length)[None] - np.arange(length)[:, None]
    count, found = 32, np.zeros_like(away)
    if both:
        count //= 2
        found, away = found + (away > 0) * count, np.abs(away)
    else:
        away = -np.minimum(away, 0)
    exact = count // 2
    far = exact + (np.log(np.maximum(away, 1) / exact) / math.log(128 / exact) * (count - exact)).astype(np.int64)
    return found + np.where(away < exact, away, np.minimum(far, count - 1))


def t5():
    p = {"embed": value(WORDS, WIDTH)}
    for d, cross in (("", False), ("d_", True)):
        p[f"{d}bias", 0] = value(32, HEADS)
        for i in range(LAYERS):
            roles = ("q", "k", "v", *(("cq", "ck", "cv") if cross else ()))
            p.update({(f"{d}{n}", i): dense(WIDTH, WIDTH, False) for n in roles})
            p.update({(f"{d}{n}", i): Linear(WIDTH, WIDTH, False) for n in ("o", *(("co",) if cross else ()))})
            p.update(
                {(f"{d}{n}", i): Scale(WIDTH, word="gamma") for n in ("norm1", "norm2", *(("norm3",) if cross else ()))}
            )
            p.update({(f"{d}up", i): Linear(WIDTH, 48, False), (f"{d}down", i): Linear(48, WIDTH, False)})
        p[f"{d}norm"] = Scale(WIDTH, word="gamma")

    def forward(p, ids, wanted):
        def side(d, ids, memory):
            x = ops.gather(p["embed"], ids, 0)
            bias = p[f"{d}bias", 0][ms.Tensor(_buckets(ids.shape[1], memory is None))].transpose(2, 0, 1)
            bias = bias if memory is None else bias + causal(ids.shape[1])
            for i in range(LAYERS):
                y = p[f"{d}norm1", i](x)
                x = x + p[f"{d}o", i](attention(*(p[f"{d}{n}", i](y) for n in "qkv"), HEADS, bias, 1.0))
                if memory is not None:
                    y = p[f"{d}norm3", i](x)
                    k, v = p[f"{d}ck", i](memory), p[f"{d}cv", i](memory)
                    x = x + p[f"{d}co", i](attention(p[f"{d}cq", i](y), k, v, HEADS, None, 1.0))
                x = x + p[f"{d}down", i](ops.relu(p[f"{d}up", i](p[f"{d}norm2", i](x))))
            return p[f"{d}norm"](x)

        return ops.matmul(side("d_", wanted, side("", ids, None)) * WIDTH**-0.5, p["embed"].T)

    return Twin(p, T5, forward)


WHISPER = {
    "conv1": "encoder.stem1", "conv2": "encoder.stem2", "pos": "encoder.position.embedding_table", "norm": "encoder.norm",
    "embed": "decoder.token.embedding_table", "d_pos": "decoder.position.embedding_table", "d_norm": "decoder.norm",
    **{(role if side == "encoder" else f"d_{role}"): f"{side}.blocks.{{}}.{path}" for side in ("encoder", "decoder") for role, path in {
        "norm1": "attn_ln", "norm2": "mlp_ln", "norm3": "cross_attn_ln", "q": "attn.query", "k": "attn.key", "v": "attn.value",
        "o": "attn.out", "cq": "cross_attn.query", "ck": "cross_attn.key", "cv": "cross_attn.value", "co": "cross_attn.out",
        "up": "mlp.fc1", "down": "mlp.fc2"}.items()},
}  # fmt: skip


def whisper():
    from mindspore import nn

    p = {"conv1": nn.Conv1d(8, WIDTH, 3, pad_mode="pad", padding=1, has_bias=True),
         "conv2": nn.Conv1d(WIDTH, WIDTH, 3, 2, pad_mode="pad", padding=1, has_bias=True),
         "pos": value(16, WIDTH), "embed": value(WORDS, WIDTH), "d_pos": value(24, WIDTH)}  # fmt: skip
    for d, cross in (("", False), ("d_", True)):
        for i in range(LAYERS):
            roles = (*"qkvo", *(("cq", "ck", "cv", "co") if cross else ()))
            p.update({(f"{d}{n}", i): dense(WIDTH, WIDTH, n[-1] != "k") for n in roles})
            p.update({(f"{d}{n}", i): norm(WIDTH) for n in ("norm1", "norm2", *(("norm3",) if cross else ()))})
            p.update({(f"{d}up", i): dense(WIDTH, 48), (f"{d}down", i): dense(48, WIDTH)})
        p[f"{d}norm"] = norm(WIDTH)

    def side(p, d, x, memory):
        for i in range(LAYERS):
            y = p[f"{d}norm1", i](x)
            added = None if memory is None else causal(x.shape[1])
            x = x + p[f"{d}o", i](attention(*(p[f"{d}{n}", i](y) for n in "qkv"), HEADS, added))
            if memory is not None:
                y = p[f"{d}norm3", i](x)
                x = x + p[f"{d}co", i](
                    attention(p[f"{d}cq", i](y), p[f"{d}ck", i](memory), p[f"{d}cv", i](memory), HEADS)
                )
            x = x + p[f"{d}down", i](gelu(p[f"{d}up", i](p[f"{d}norm2", i](x))))
        return p[f"{d}norm"](x)

    def forward(p, sound, ids):
        heard = gelu(p["conv2"](gelu(p["conv1"](sound)))).swapaxes(1, 2) + p["pos"]
        said = ops.gather(p["embed"], ids, 0) + p["d_pos"][: ids.shape[1]]
        return ops.matmul(side(p, "d_", said, side(p, "", heard, None)), p["embed"].T)

    return Twin(p, WHISPER, forward)


BART = {
    **{role: path.replace("encoder", side) for side, d in (("encoder", ""), ("decoder", "d_")) for role, path in {
        f"{d}pos": "encoder.position.embedding_table", f"{d}embed_norm": "encoder.embed_norm",
        **{d + role: f"encoder.blocks.{{}}.{path}" for role, path in {
            "norm1": "attn_norm", "norm2": "cross_attn_norm", "norm3": "final_norm", "q": "attn.query", "k": "attn.key", "v": "attn.value",
            "o": "attn.out", "cq": "cross_attn.query", "ck": "cross_attn.key", "cv": "cross_attn.value", "co": "cross_attn.out",
            "up": "mapping", "down": "dense2"}.items()}}.items()},
    "embed": "token.embedding_table", "bias": "final_logits_bias",
}  # fmt: skip


def bart():
    p = {"embed": value(WORDS, WIDTH), "bias": value(1, WORDS)}
    for d, cross in (("", ()), ("d_", ("cq", "ck", "cv", "co"))):
        p |= {f"{d}pos": value(66, WIDTH), f"{d}embed_norm": norm(WIDTH)}
        for i in range(LAYERS):
            p.update({(f"{d}{n}", i): dense(WIDTH, WIDTH) for n in (*"qkvo", *cross)})
            p.update({(f"{d}{n}", i): norm(WIDTH) for n in ("norm1", "norm3", *(("norm2",) if cross else ()))})
            p.update({(f"{d}up", i): dense(WIDTH, 48), (f"{d}down", i): dense(48, WIDTH)})

    def side(p, d, ids, memory):
        x = p[f"{d}embed_norm"](ops.gather(p["embed"], ids, 0) + p[f"{d}pos"][2 : ids.shape[1] + 2])
        for i in range(LAYERS):
            added = None if memory is None else causal(x.shape[1])
            x = p[f"{d}norm1", i](x + p[f"{d}o", i](attention(*(p[f"{d}{n}", i](x) for n in "qkv"), HEADS, added)))
            if memory is not None:
                heard = attention(p["d_cq", i](x), p["d_ck", i](memory), p["d_cv", i](memory), HEADS)
                x = p["d_norm2", i](x + p["d_co", i](heard))
            x = p[f"{d}norm3", i](x + p[f"{d}down", i](gelu(p[f"{d}up", i](x))))
        return x

    def forward(p, ids, wanted):
        return ops.matmul(side(p, "d_", wanted, side(p, "", ids, None)), p["embed"].T) + p["bias"]

    return Twin(p, BART, forward)


TEXT_TWINS = {
    "BartForConditionalGeneration": bart,
    **{name: row.made for name, row in (DECODERS | ENCODERS).items()},
    "T5ForConditionalGeneration": t5,
    "WhisperForConditionalGeneration": whisper,
}
