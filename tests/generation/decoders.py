"""Decoders in each spelling of the cache, as networks for MindSpore are written: what the tests and the benchmark generate with."""

import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer


class Config:
    """Sizes of a decoder."""

    def __init__(self, **sizes):
        self.vocab_size, self.hidden_size, self.num_layers, self.num_heads, self.num_kv_heads = 97, 32, 1, 4, 2
        self.intermediate_size, self.max_position_embeddings, self.sliding_window = 64, 128, None
        self.dtype = ms.float32
        vars(self).update(sizes)
        self.head_size = self.hidden_size // self.num_heads


def weight(*shape):
    return Parameter(initializer(Normal(0.5 / math.sqrt(shape[-1])), shape), name="weight")


# --- GPT-2, with tuples
class GPT2Block(nn.Cell):
    def __init__(self, config):
        super().__init__()
        size = config.hidden_size
        self.heads, self.head_size = config.num_heads, config.head_size
        self.ln_1, self.ln_2 = nn.LayerNorm([size], epsilon=1e-5), nn.LayerNorm([size], epsilon=1e-5)
        self.c_attn, self.c_proj = nn.Dense(size, 3 * size), nn.Dense(size, size)
        self.c_fc, self.mlp_proj = nn.Dense(size, 4 * size), nn.Dense(4 * size, size)

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.heads, self.head_size).transpose(0, 2, 1, 3)

    def construct(self, x, bias, layer_past=None):
        query, key, value = ops.split(self.c_attn(self.ln_1(x)), x.shape[-1], axis=-1)
        query, key, value = self.split(query), self.split(key), self.split(value)
        if layer_past is not None:
            key = ops.cat((layer_past[0], key), axis=-2)
            value = ops.cat((layer_past[1], value), axis=-2)
        scores = ops.matmul(query, key.swapaxes(-1, -2)) / math.sqrt(self.head_size) + bias
        out = ops.matmul(ops.softmax(scores.astype(ms.float32), axis=-1).astype(value.dtype), value)
        out = out.transpose(0, 2, 1, 3).reshape(x.shape)
        x = x + self.c_proj(out)
        return x + self.mlp_proj(ops.gelu(self.c_fc(self.ln_2(x)), approximate="tanh")), (key, value)


class GPT2(nn.Cell):
    """As mindnlp has it: `past_key_values` is a tuple of (keys, values), which grow with each step."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.wte = nn.Embedding(config.vocab_size, config.hidden_size)
        self.wpe = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.h = nn.CellList([GPT2Block(config) for _ in range(config.num_layers)])
        self.ln_f = nn.LayerNorm([config.hidden_size], epsilon=1e-5)

    def construct(
        self,
        input_ids,
        past_key_values=None,
        attention_mask=None,
        position_ids=None,
        use_cache=False,
        logits_to_keep=None,
    ):
        batch, new = input_ids.shape
        past = past_key_values[0][0].shape[-2] if past_key_values is not None else 0
        if position_ids is None:
            position_ids = ops.arange(past, past + new).expand_dims(0)
        x = self.wte(input_ids) + self.wpe(position_ids)
        visible = ops.arange(past + new) <= ops.arange(past, past + new).reshape(-1, 1)
        if attention_mask is not None:
            visible = visible.logical_and(attention_mask.reshape(batch, 1, 1, -1).astype(ms.bool_))
        bias = ops.where(visible, 0.0, -1e9).astype(x.dtype)
        kept = ()
        for i, block in enumerate(self.h):
            x, present = block(x, bias, past_key_values[i] if past_key_values is not None else None)
            kept += (present,)
        x = x if logits_to_keep is None else x[:, logits_to_keep]
        scores = ops.matmul(self.ln_f(x), self.wte.embedding_table.T)
        return (scores, kept) if use_cache else (scores,)


# --- Llama, with a cache object
class DynamicCache:
    """A cache that grows, as Hugging Face's."""

    def __init__(self):
        self.key_cache, self.value_cache = [], []

    def update(self, keys, values, layer_idx, cache_kwargs=None):
        if len(self.key_cache) <= layer_idx:
            self.key_cache.append(keys)
            self.value_cache.append(values)
        else:
            self.key_cache[layer_idx] = ops.cat((self.key_cache[layer_idx], keys), axis=-2)
            self.value_cache[layer_idx] = ops.cat((self.value_cache[layer_idx], values), axis=-2)
        return self.key_cache[layer_idx], self.value_cache[layer_idx]

    def get_seq_length(self, layer_idx=0):
        return self.key_cache[layer_idx].shape[-2] if self.key_cache else 0


class Output(dict):
    """A model's output, whose items are attributes too."""

    __getattr__ = dict.get


class RMSNorm(nn.Cell):
    def __init__(self, size):
        super().__init__()
        self.weight = Parameter(Tensor(np.ones(size, np.float32)), name="weight")

    def construct(self, x):
        wide = x.astype(ms.float32)
        wide = wide * ops.rsqrt(wide.square().mean(-1, keep_dims=True) + 1e-6)
        return self.weight * wide.astype(x.dtype)


def rotary(x, positions, base=10000.0):
    """x (B, N, S, D) turned by its positions (B, S)."""
    half = x.shape[-1] // 2
    frequencies = Tensor((base ** (-np.arange(half) / half)).astype(np.float32))
    angles = positions.expand_dims(-1).astype(ms.float32) * frequencies
    cos, sin = angles.cos().expand_dims(1).astype(x.dtype), angles.sin().expand_dims(1).astype(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return ops.cat((a * cos - b * sin, b * cos + a * sin), axis=-1)


class LlamaBlock(nn.Cell):
    def __init__(self, config, index):
        super().__init__()
        size, kv = config.hidden_size, config.num_kv_heads * config.head_size
        self.index, self.heads, self.kv_heads, self.head_size = (
            index,
            config.num_heads,
            config.num_kv_heads,
            config.head_size,
        )
        self.input_layernorm, self.post_attention_layernorm = RMSNorm(size), RMSNorm(size)
        self.q_proj = nn.Dense(size, size, has_bias=False)
        self.k_proj, self.v_proj = nn.Dense(size, kv, has_bias=False), nn.Dense(size, kv, has_bias=False)
        self.o_proj = nn.Dense(size, size, has_bias=False)
        self.gate_proj = nn.Dense(size, config.intermediate_size, has_bias=False)
        self.up_proj = nn.Dense(size, config.intermediate_size, has_bias=False)
        self.down_proj = nn.Dense(config.intermediate_size, size, has_bias=False)

    def construct(self, x, bias, positions, cache, cache_position):
        batch, new, _ = x.shape
        normed = self.input_layernorm(x)
        query, key, value = (
            dense(normed).reshape(batch, new, -1, self.head_size).transpose(0, 2, 1, 3)
            for dense in (self.q_proj, self.k_proj, self.v_proj)
        )
        query, key = rotary(query, positions), rotary(key, positions)
        if cache is not None:
            key, value = cache.update(key, value, self.index, {"cache_position": cache_position})
        # Heads that share keys stand together, so that keys are not repeated.
        query = query.reshape(batch, self.kv_heads, -1, self.head_size)
        scores = ops.matmul(query, key.swapaxes(-1, -2)) / math.sqrt(self.head_size)
        scores = scores.reshape(batch, self.heads, new, -1) + bias
        probs = ops.softmax(scores.astype(ms.float32), axis=-1).astype(value.dtype)
        out = ops.matmul(probs.reshape(batch, self.kv_heads, -1, probs.shape[-1]), value)
        out = out.reshape(batch, self.heads, new, -1).transpose(0, 2, 1, 3).reshape(x.shape)
        x = x + self.o_proj(out)
        normed = self.post_attention_layernorm(x)
        return x + self.down_proj(ops.silu(self.gate_proj(normed)) * self.up_proj(normed))


class Llama(nn.Cell):
    """As Hugging Face has it: `past_key_values` is an object, `cache_position` the places of the new tokens; with a sliding window."""

    cache_kind = DynamicCache

    def __init__(self, config):
        super().__init__()
        self.config, self.window = config, config.sliding_window
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.CellList([LlamaBlock(config, i) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.hidden_size)
        self.lm_head = nn.Dense(config.hidden_size, config.vocab_size, has_bias=False)

    def construct(
        self,
        input_ids,
        attention_mask=None,
        position_ids=None,
        past_key_values=None,
        use_cache=None,
        cache_position=None,
        return_dict=True,
        logits_to_keep=None,
    ):
        batch, new = input_ids.shape
        if use_cache and past_key_values is None:
            past_key_values = self.cache_kind()
        past = past_key_values.get_seq_length() if past_key_values is not None else 0
        if cache_position is None:
            cache_position = ops.arange(past, past + new)
        if position_ids is None:
            position_ids = cache_position.expand_dims(0)
        keys = ops.arange(past + new)
        visible = keys <= cache_position.reshape(-1, 1)
        if self.window:
            visible = visible.logical_and(keys > cache_position.reshape(-1, 1) - self.window)
        if attention_mask is not None:
            visible = visible.logical_and(attention_mask.reshape(batch, 1, 1, -1).astype(ms.bool_))
        x = self.embed_tokens(input_ids)
        bias = ops.where(visible, 0.0, -1e9).astype(x.dtype)
        for layer in self.layers:
            x = layer(x, bias, position_ids, past_key_values, cache_position)
        x = x if logits_to_keep is None else x[:, logits_to_keep]
        return Output(logits=self.lm_head(self.norm(x)), past_key_values=past_key_values if use_cache else None)


# --- Llama, with pages
class PagedBlock(nn.Cell):
    def __init__(self, config):
        super().__init__()
        size, kv = config.hidden_size, config.num_kv_heads * config.head_size
        self.heads, self.kv_heads, self.head_size = config.num_heads, config.num_kv_heads, config.head_size
        self.is_first_iteration = True
        self.attention_norm, self.ffn_norm = RMSNorm(size), RMSNorm(size)
        self.wq = nn.Dense(size, size, has_bias=False)
        self.wk, self.wv = nn.Dense(size, kv, has_bias=False), nn.Dense(size, kv, has_bias=False)
        self.wo = nn.Dense(size, size, has_bias=False)
        self.w1 = nn.Dense(size, config.intermediate_size, has_bias=False)
        self.w3 = nn.Dense(size, config.intermediate_size, has_bias=False)
        self.w2 = nn.Dense(config.intermediate_size, size, has_bias=False)
        shape = (config.num_blocks, config.block_size, self.kv_heads, self.head_size)
        self.key_cache = Parameter(Tensor(np.zeros(shape, np.float32)), name="key_cache", requires_grad=False)
        self.value_cache = Parameter(Tensor(np.zeros(shape, np.float32)), name="value_cache", requires_grad=False)
        scale = 1 / math.sqrt(self.head_size)
        self.reshape_and_cache = ops.auto_generate.ReshapeAndCache()
        self.paged_attention = ops.auto_generate.PagedAttention(self.heads, scale, self.kv_heads)
        self.flash_attention = ops.operations.nn_ops.FlashAttentionScore(
            head_num=self.heads, scale_value=scale, input_layout="BSH"
        )

    def construct(self, x, positions, mask, batch_valid_length, block_tables, slot_mapping):
        batch, new, size = x.shape
        normed = self.attention_norm(x)
        query, key, value = self.wq(normed), self.wk(normed), self.wv(normed)
        split = lambda a: a.reshape(batch, new, -1, self.head_size).transpose(0, 2, 1, 3)  # noqa: E731
        merge = lambda a: a.transpose(0, 2, 1, 3).reshape(batch, new, -1)  # noqa: E731
        query, key = merge(rotary(split(query), positions)), merge(rotary(split(key), positions))
        key = ops.depend(key, self.reshape_and_cache(key, value, self.key_cache, self.value_cache, slot_mapping))
        if self.is_first_iteration:
            out = self.flash_attention(query, key, value, None, None, None, mask)[3]
        else:
            out = self.paged_attention(query, self.key_cache, self.value_cache, block_tables, batch_valid_length)
        x = x + self.wo(out)
        normed = self.ffn_norm(x)
        return x + self.w2(ops.silu(self.w1(normed)) * self.w3(normed))


class PagedLlama(nn.Cell):
    """As MindFormers has it: `use_past`, block tables, one flag for the first iteration; the last token's scores of a prompt."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.use_past, self.is_first_iteration = True, True
        self.tok_embeddings = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.CellList([PagedBlock(config) for _ in range(config.num_layers)])
        self.norm_out = RMSNorm(config.hidden_size)
        self.lm_head = nn.Dense(config.hidden_size, config.vocab_size, has_bias=False)

    def construct(self, input_ids, labels=None, batch_valid_length=None, block_tables=None, slot_mapping=None):
        batch, new = input_ids.shape
        if self.is_first_iteration:
            positions = ops.arange(new).expand_dims(0)
        else:
            positions = (batch_valid_length - 1).reshape(-1, 1)
        mask = ops.ones((new, new), ms.uint8).triu(1)
        x = self.tok_embeddings(input_ids)
        for layer in self.layers:
            x = layer(x, positions, mask, batch_valid_length, block_tables, slot_mapping)
        if self.is_first_iteration:
            x = ops.gather(x, batch_valid_length - 1, 1, 1)
        scores = self.lm_head(self.norm_out(x)).reshape(batch, -1).astype(ms.float32)
        return scores, input_ids, ops.ones_like(input_ids)


class NormedHead(nn.Cell):
    """A product whose matrix the first call divides by the norms of its rows, for good (as Baichuan 2 has it)."""

    def __init__(self, config):
        super().__init__()
        self.weight = Parameter(Tensor(np.ones((config.vocab_size, config.hidden_size), np.float32)), name="weight")
        self.is_first_iteration = True

    def construct(self, x):
        if self.is_first_iteration:
            weight = self.weight / ops.sqrt(ops.square(self.weight).sum(1, keepdims=True) + 1e-5)
            weight = ops.depend(weight, ops.assign(self.weight, weight))
        else:
            weight = self.weight
        return ops.matmul(x, weight.T)


class NormedPagedLlama(PagedLlama):
    """A network with block tables that writes a weight, too."""

    def __init__(self, config):
        super().__init__(config)
        self.lm_head = NormedHead(config)


# --- with the past in Parameters, a row for each of a fixed batch
class RowsDecoder(nn.Cell):
    """A network around `nn.transformer`, whose encoder keeps its keys and values for `batch_size` rows of `seq_length` tokens."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.use_past = True
        self.batch_size, self.seq_length = config.batch_size, config.seq_length
        self.embedding = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position = nn.Embedding(config.seq_length, config.hidden_size)
        self.blocks = nn.transformer.TransformerEncoder(
            batch_size=config.batch_size,
            num_layers=config.num_layers,
            hidden_size=config.hidden_size,
            ffn_hidden_size=config.intermediate_size,
            seq_length=config.seq_length,
            num_heads=config.num_heads,
            use_past=True,
            attention_dropout_rate=0.0,
            hidden_dropout_rate=0.0,
        )
        self.head = nn.Dense(config.hidden_size, config.vocab_size)
        self.add_flags_recursive(is_first_iteration=True)

    def construct(self, input_ids, init_reset=True, batch_valid_length=None):
        batch, new = input_ids.shape
        if self.is_first_iteration:
            positions = ops.arange(new).expand_dims(0)
            mask = ops.ones((batch, new, new), ms.float32).tril()
        else:
            positions = batch_valid_length.reshape(-1, 1)
            mask = ops.ones((batch, 1, self.seq_length), ms.float32)
        x = self.embedding(input_ids) + self.position(positions)
        x, _ = self.blocks(x, mask, init_reset, batch_valid_length)
        return self.head(x.astype(ms.float32))


# --- without a cache
class Plain(nn.Cell):
    """A GPT-2 that takes token numbers alone."""

    def __init__(self, config):
        super().__init__()
        self.inner = GPT2(config)

    def construct(self, input_ids):
        return self.inner(input_ids)[0]


def config_for(kind, **sizes):
    """Sizes that a spelling's network needs besides the usual ones."""
    pages = {"num_blocks": 80, "block_size": 8}
    more = {"paged": pages, "normed": pages, "rows": {"batch_size": 4, "seq_length": 32}}.get(kind, {})
    return Config(**more, **sizes)


KINDS = {
    "tuples": GPT2,
    "objects": Llama,
    "paged": PagedLlama,
    "normed": NormedPagedLlama,
    "rows": RowsDecoder,
    "plain": Plain,
}


def make(kind="tuples", seed=0, **sizes):
    """A network of a spelling with random weights that tell its tokens apart."""
    ms.set_seed(seed)
    net = KINDS[kind](config_for(kind, **sizes))
    random = np.random.default_rng(seed)
    for p in net.get_parameters():
        if p.ndim == 2:
            p.set_data(
                Tensor(random.normal(0, 1.5 / math.sqrt(p.shape[-1]), p.shape).astype(np.float32)).astype(p.dtype)
            )
    return net.set_train(False)


def alone(net, prompt, new, kind):
    """The best `new` tokens after a prompt, by eager calls: whole forward passes, or the network's own steps with its own cache."""
    step = {"paged": _paged_step, "normed": _paged_step, "rows": _rows_step}.get(kind, _whole)
    ids = list(map(int, prompt))
    for i in range(new):
        ids.append(int(step(net, ids, i == 0).argmax()))
    return ids[len(prompt) :]


def _padded(ids):
    """Token numbers behind which are zeros, to one of few lengths: each length is another program for each operator."""
    return np.pad(np.array(ids, np.int32), (0, -len(ids) % 32))


def _whole(net, ids, first):
    out = net(Tensor(_padded(ids)[None]))
    scores = out["logits"] if isinstance(out, dict) else out[0] if isinstance(out, tuple) else out
    return scores.asnumpy()[0, len(ids) - 1]


def _paged_step(net, ids, first):
    """As the text generator of MindFormers calls: one row in the pages 3, 4, ..."""
    size = net.config.block_size
    tables = Tensor(np.arange(3, 3 + 12, dtype=np.int32)[None])
    net.add_flags_recursive(is_first_iteration=first)
    new = _padded(ids) if first else np.array(ids[-1:], np.int32)
    places = np.arange(len(new)) if first else np.array([len(ids) - 1])
    slots = Tensor(np.where(places < len(ids), places + 3 * size, -1).astype(np.int32))
    length = Tensor(np.array([len(ids)], np.int32))
    return net(Tensor(new[None]), batch_valid_length=length, block_tables=tables, slot_mapping=slots)[0].asnumpy()[0]


def _rows_step(net, ids, first):
    """As programs around `nn.transformer` call: all rows at once, here the same in each."""
    net.add_flags_recursive(is_first_iteration=first)
    rows, width = net.batch_size, net.seq_length
    new = np.zeros((rows, width if first else 1), np.int32)
    new[:, : len(ids) if first else 1] = ids if first else ids[-1:]
    length = Tensor(np.full(rows, len(ids) if first else len(ids) - 1, np.int32))
    out = net(Tensor(new), Tensor([not first], ms.bool_), length).asnumpy()
    return out[0, len(ids) - 1 if first else 0]
