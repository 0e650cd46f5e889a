"""Networks of an encoder and a decoder, in each spelling that generation knows: positions as distances (T5) or of a table (BART, Whisper)."""

import math

import mindspore as ms
import numpy as np
from decoders import Config, DynamicCache, Output, RMSNorm
from mindspore import Tensor, nn, ops


class EncoderDecoderCache:
    """A cache of two halves, as Hugging Face's; the second holds what the encoder made."""

    def __init__(self):
        self.self_attention_cache, self.cross_attention_cache, self.is_updated = DynamicCache(), DynamicCache(), {}

    def get_seq_length(self, layer_idx=0):
        return self.self_attention_cache.get_seq_length(layer_idx)


class Attention(nn.Cell):
    def __init__(self, config, index, cross):
        super().__init__()
        size = config.hidden_size
        self.index, self.cross, self.heads, self.head_size = index, cross, config.num_heads, config.head_size
        self.q, self.k, self.v, self.o = (nn.Dense(size, size, has_bias=False) for _ in range(4))

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.heads, self.head_size).transpose(0, 2, 1, 3)

    def construct(self, x, memory, bias, past=None, cache_position=None):
        query = self.split(self.q(x))
        half = None
        if past is not None:
            half = past.cross_attention_cache if self.cross else past.self_attention_cache
        if self.cross and past is not None and past.is_updated.get(self.index):
            key, value = half.key_cache[self.index], half.value_cache[self.index]
        else:
            seen = memory if self.cross else x
            key, value = self.split(self.k(seen)), self.split(self.v(seen))
            if half is not None:
                key, value = half.update(key, value, self.index, {"cache_position": cache_position})
                if self.cross:
                    past.is_updated[self.index] = True
        scores = ops.matmul(query, key.swapaxes(-1, -2)) / math.sqrt(self.head_size) + bias
        out = ops.matmul(ops.softmax(scores, axis=-1), value)
        return self.o(out.transpose(0, 2, 1, 3).reshape(x.shape))


class Block(nn.Cell):
    def __init__(self, config, index, decoder):
        super().__init__()
        size = config.hidden_size
        self.decoder = decoder
        self.norms = nn.CellList([RMSNorm(size) for _ in range(3 if decoder else 2)])
        self.attention = Attention(config, index, False)
        if decoder:
            self.cross = Attention(config, index, True)
        self.up, self.down = nn.Dense(size, 2 * size), nn.Dense(2 * size, size)

    def construct(self, x, bias, memory=None, hidden=None, past=None, cache_position=None):
        x = x + self.attention(self.norms[0](x), None, bias, past, cache_position)
        if self.decoder:
            x = x + self.cross(self.norms[2](x), memory, hidden, past, cache_position)
        return x + self.down(ops.relu(self.up(self.norms[1](x))))


def hidden_from(mask, rows):
    """What is added to scores so that tokens of the mask 0 are not seen."""
    return 0.0 if mask is None else (1.0 - mask.reshape(rows, 1, 1, -1).astype(ms.float32)) * -1e9


class Encoder(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.config = config
        if config.sound:
            self.stem = nn.Conv1d(8, config.hidden_size, 3, 2, pad_mode="pad", padding=1)
        else:
            self.embed = nn.Embedding(config.vocab_size, config.hidden_size)
        self.distances = nn.Embedding(64, config.num_heads)
        self.blocks = nn.CellList([Block(config, i, False) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.hidden_size)

    def construct(self, input_ids, attention_mask=None, return_dict=True):
        x = self.stem(input_ids).swapaxes(1, 2) if self.config.sound else self.embed(input_ids)
        places = ops.arange(x.shape[1])
        bias = self.distances(ops.clip(places - places.reshape(-1, 1), -31, 31) + 31).transpose(2, 0, 1)
        bias = bias + (0.0 if self.config.sound else hidden_from(attention_mask, x.shape[0]))
        for block in self.blocks:
            x = block(x, bias)
        return Output(last_hidden_state=self.norm(x))


class Objects(nn.Cell):
    """As Hugging Face has T5: `past_key_values` is an object of two halves, and `cache_position` tells distances."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.encoder = Encoder(config)
        self.embed = nn.Embedding(config.vocab_size, config.hidden_size)
        self.distances = nn.Embedding(64, config.num_heads)
        self.blocks = nn.CellList([Block(config, i, True) for i in range(config.num_layers)])
        self.norm = RMSNorm(config.hidden_size)
        self.head = nn.Dense(config.hidden_size, config.vocab_size, has_bias=False)

    def construct(
        self,
        input_ids=None,
        attention_mask=None,
        decoder_input_ids=None,
        decoder_attention_mask=None,
        encoder_outputs=None,
        past_key_values=None,
        use_cache=False,
        cache_position=None,
        return_dict=True,
    ):
        memory = encoder_outputs.last_hidden_state if encoder_outputs is not None else None
        if memory is None:
            memory = self.encoder(input_ids, attention_mask).last_hidden_state
        rows, new = decoder_input_ids.shape
        if use_cache and past_key_values is None:
            past_key_values = EncoderDecoderCache()
        past = past_key_values.get_seq_length() if past_key_values is not None else 0
        if cache_position is None:
            cache_position = ops.arange(past, past + new)
        keys, own = ops.arange(past + new), cache_position.reshape(-1, 1)
        bias = self.distances(ops.clip(keys - own, -31, 31) + 31).transpose(2, 0, 1)
        bias = bias + ops.where(keys <= own, 0.0, -1e9) + hidden_from(decoder_attention_mask, rows)
        hidden = 0.0 if self.config.sound else hidden_from(attention_mask, rows)
        x = self.embed(decoder_input_ids)
        for block in self.blocks:
            x = block(x, bias, memory, hidden, past_key_values, cache_position)
        return Output(logits=self.head(self.norm(x)), past_key_values=past_key_values if use_cache else None)


class Once(Objects):
    """Without a cache; the encoder's output can be given."""

    def construct(
        self,
        input_ids=None,
        attention_mask=None,
        decoder_input_ids=None,
        decoder_attention_mask=None,
        encoder_outputs=None,
    ):
        return (
            super()
            .construct(input_ids, attention_mask, decoder_input_ids, decoder_attention_mask, encoder_outputs)
            .logits
        )


class Whole(Objects):
    """Two inputs and nothing else."""

    def construct(self, input_ids, decoder_input_ids, attention_mask=None):
        return super().construct(input_ids, attention_mask, decoder_input_ids).logits


class Sound(Objects):
    """As Whisper: the encoder sees floats of one shape."""

    def construct(
        self,
        input_features=None,
        decoder_input_ids=None,
        decoder_attention_mask=None,
        encoder_outputs=None,
        past_key_values=None,
        use_cache=False,
        cache_position=None,
    ):
        return super().construct(
            input_features, None, decoder_input_ids, decoder_attention_mask, encoder_outputs, past_key_values, use_cache, cache_position
        )  # fmt: skip


KINDS = {"objects": Objects, "once": Once, "whole": Whole, "sound": Sound}


def make(kind, **sizes):
    ms.set_seed(3)
    given = {"num_layers": 2, "sound": kind == "sound", "decoder_start_token_id": 1, "max_position_embeddings": None}
    net = KINDS[kind](Config(**{**given, **sizes}))
    random = np.random.RandomState(0)
    for p in net.get_parameters():  # scores that are far apart
        if p.ndim == 2 and "norm" not in p.name:
            p.set_data(
                Tensor(
                    random.standard_normal(p.shape).astype(np.float32)
                    * (0.05 if "embed" in p.name else 3.0 if "distances" in p.name else 1.0)
                )
            )
    return net


def alone(net, source, new, start=(1,)):
    """The tokens of whole forward passes of a source, without a cache and without padding."""
    tokens = list(start)
    given = Tensor(np.asarray(source)[None].astype(np.float32 if np.asarray(source).ndim > 1 else np.int32))
    for _ in range(new):
        kept = {"decoder_input_ids": Tensor(np.array([tokens], np.int32))}
        out = net(given, **kept)
        scores = out.logits if isinstance(out, dict) else out
        tokens.append(int(scores.asnumpy()[0, -1].argmax()))
    return tokens
