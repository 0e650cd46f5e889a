"""Small language models, and ViT, of public toolkits: more rows of `toolkit_models.CASES`. Sizes: 2 layers, width 32, 60 tokens."""

import numpy as np
from toolkit_models import CASES, Model, case, member, numbers, tokens

_PROMPT = np.array([[5, 9, 4, 7, 11, 6]], np.int32)


def _zeros(*shape):
    import mindspore as ms

    return ms.Tensor(np.zeros(shape, np.int32))


def _ones(*shape):
    import mindspore as ms

    return ms.Tensor(np.ones(shape, np.int32))


# ---- mindformers 1.x ----------------------------------------------------------------------------------------------------------------

_FORMERS = {
    "param_init_type": "float32",
    "layernorm_compute_type": "float32",
    "softmax_compute_type": "float32",
    "compute_dtype": "float32",
}


def _generate(net):
    """What mindformers' own loop generates, greedily, with its key-value cache."""
    net.set_train(False)
    return np.asarray(net.generate(_PROMPT.tolist(), do_sample=False, max_length=12))


_FORMERS_1 = ("mindformers 1.0", "mindformers 1.3")


def _former(toolkits, config, network, sizes, inputs, cached=()):
    """toolkits: versions that have it. cached: those in which a second network generates, with use_past, that shares the weights."""
    for toolkit in toolkits:
        CASES.setdefault(toolkit, {})[network] = lambda past=toolkit in cached: _built(
            config, network, sizes, inputs, past
        )


def _built(config, network, sizes, inputs, cached):
    import mindspore as ms

    configuration, kind = member("mindformers.models", config), member("mindformers.models", network)
    options = {"checkpoint_name_or_path": "", **sizes}
    net = kind(configuration(**options))

    def generate(trained):
        past = kind(configuration(**options, use_past=True))
        ms.load_param_into_net(past, {p.name: p for p in trained.get_parameters()})
        return _generate(past)

    return Model(net, inputs(), None, generate if cached else None)


_DECODER = {
    "batch_size": 1,
    "seq_length": 16,
    "vocab_size": 60,
    "hidden_size": 32,
    "num_layers": 2,
    "num_heads": 4,
    **_FORMERS,
}
_NO_DROP = {"hidden_dropout_rate": 0.0, "attention_dropout_rate": 0.0, "embedding_dropout_prob": 0.0}
_DECODER |= {"eos_token_id": 59, "pad_token_id": 0, "bos_token_id": 1}
_former(
    _FORMERS_1, "GPT2Config", "GPT2LMHeadModel", {**_DECODER, **_NO_DROP}, lambda: (tokens(1, 17),), cached=_FORMERS_1
)
_former(
    _FORMERS_1,
    "LlamaConfig",
    "LlamaForCausalLM",
    {**_DECODER, "multiple_of": 8},
    lambda: (tokens(1, 17),),
    cached=_FORMERS_1,
)
_former(
    _FORMERS_1,
    "BloomConfig",
    "BloomLMHeadModel",
    {**_DECODER, **_NO_DROP, "use_seq_parallel": False, "use_flash_attention": False},
    lambda: (tokens(1, 17),),
    cached=("mindformers 1.0",),
)
_former(
    _FORMERS_1,
    "T5Config",
    "T5ForConditionalGeneration",
    {
        "vocab_size": 60,
        "hidden_size": 32,
        "d_kv": 8,
        "d_ff": 48,
        "num_layers": 2,
        "num_heads": 4,
        "batch_size": 2,
        "seq_length": 12,
        "max_decode_length": 8,
        "max_position_embeddings": 16,
        "hidden_dropout_rate": 0.0,
        "attention_dropout_rate": 0.0,
        "embedding_dropout_prob": 0.0,
        **_FORMERS,
    },
    lambda: (tokens(2, 12), _ones(2, 12), tokens(2, 8)),
)
_former(
    _FORMERS_1,
    "BertConfig",
    "BertForPreTraining",
    {
        "batch_size": 2,
        "seq_length": 16,
        "vocab_size": 60,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 48,
        "max_position_embeddings": 16,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "dropout_prob": 0.0,
        "dtype": "float32",
        "compute_dtype": "float32",
    },
    lambda: (tokens(2, 16), _ones(2, 16), _zeros(2, 16), tokens(2, below=2, first=0), *_masked()),
)


def _one_hot(classes, *labels):
    import mindspore as ms

    return ms.Tensor(np.eye(classes, dtype=np.float32)[list(labels)])


def _masked():
    """Positions, tokens and weights of what BERT is to guess."""
    import mindspore as ms

    return tokens(2, 4, below=16, first=0), tokens(2, 4), ms.Tensor(np.ones((2, 4), np.float32))


@case("mindformers 1.0", "ViTForImageClassification")
@case("mindformers 1.3", "ViTForImageClassification")
def _vit():
    kind, config = member("mindformers.models", "ViTForImageClassification"), member("mindformers.models", "ViTConfig")
    sizes = {"image_size": 32, "patch_size": 8, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    net = kind(
        config(
            **sizes, intermediate_size=48, num_labels=5, num_classes=5, drop_path_rate=0.0, checkpoint_name_or_path=""
        )
    )
    return Model(net, (numbers(2, 3, 32, 32), _one_hot(5, 1, 3)))


_former(
    ("mindformers 1.3",),
    "ChatGLM2Config",
    "ChatGLM2ForConditionalGeneration",
    {
        **{k: v for k, v in _DECODER.items() if k not in ("vocab_size", "num_heads")},
        "padded_vocab_size": 60,
        "ffn_hidden_size": 48,
        "kv_channels": 8,
        "num_attention_heads": 4,
        "rotary_dtype": "float32",
    },
    lambda: (tokens(1, 16), tokens(1, 16)),
    cached=_FORMERS_1,
)
_former(
    ("mindformers 1.3",),
    "SwinConfig",
    "SwinForImageClassification",
    {
        "image_size": 32,
        "patch_size": 4,
        "embed_dim": 16,
        "depths": [2, 2],
        "num_heads": [2, 4],
        "window_size": 4,
        "drop_path_rate": 0.0,
        "num_labels": 5,
    },
    lambda: (numbers(2, 3, 32, 32), _one_hot(5, 1, 3)),
)
_former(
    ("mindformers 1.3",),
    "WhisperConfig",
    "WhisperForConditionalGeneration",
    {
        "vocab_size": 60,
        "num_mel_bins": 8,
        "encoder_layers": 2,
        "decoder_layers": 2,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_ffn_dim": 48,
        "decoder_ffn_dim": 48,
        "d_model": 32,
        "max_source_positions": 12,
        "max_target_positions": 16,
        "decoder_start_token_id": 1,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 59,
        "compute_dtype": "float32",
        "param_init_type": "float32",
        "embedding_init_type": "float32",
    },
    lambda: (numbers(2, 8, 24), tokens(2, 17)),
)


@case("mindformers 1.3", "ViTMAEForPreTraining")
def _mae():
    import mindspore as ms

    kind, config = member("mindformers.models", "ViTMAEForPreTraining"), member("mindformers.models", "ViTMAEConfig")
    sizes = {"image_size": 32, "patch_size": 8, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    decoder = {"decoder_hidden_size": 16, "decoder_num_hidden_layers": 1, "decoder_num_attention_heads": 2}
    sizes |= {"intermediate_size": 48, "decoder_intermediate_size": 24, "mask_ratio": 0.75}
    order = np.stack([np.random.default_rng(i).permutation(16) for i in range(2)]).astype(np.int32)
    back = np.argsort(order, axis=1).astype(np.int32)
    masked = (back >= 4).astype(np.float32)
    inputs = numbers(2, 3, 32, 32), ms.Tensor(masked), ms.Tensor(back), ms.Tensor(order[:, :4].copy())
    return Model(kind(config(**sizes, **decoder)), inputs)


@case("mindformers 1.3", "CLIPModel")
def _clip():
    kinds = ("CLIPModel", "CLIPConfig", "CLIPTextConfig", "CLIPVisionConfig")
    kind, config, text, vision = (member("mindformers.models.clip", name) for name in kinds)
    sizes = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4}
    text = text(**sizes, vocab_size=60, max_position_embeddings=12)
    vision = vision(**sizes, image_size=32, patch_size=8)
    net = kind(config(text, vision, projection_dim=16, dtype="float32", checkpoint_name_or_path=""))
    return Model(net, (numbers(2, 3, 32, 32), tokens(2, 12)))


# ---- mindformers, newest ------------------------------------------------------------------------------------------------------------


@case("mindformers", "LlamaForCausalLM")
def _llama():
    kind, config = (
        member("mindformers.models.llama", "LlamaForCausalLM"),
        member("mindformers.models.llama", "LlamaConfig"),
    )
    sizes = {**_DECODER, "multiple_of": 8, "fused_rms_norm": False, "use_flash_attention": False}
    return Model(kind(config(**sizes, checkpoint_name_or_path="")), (tokens(1, 17),))


# ---- mindnlp 0.2 -------------------------------------------------------------------------------------------------------------------

_SMALL = {
    "vocab_size": 60,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 32,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 59,
    "attn_implementation": "eager",
}
_STILL = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def _nlp(name, config, sizes, inputs, generates=False):
    def build():
        networks = "mindnlp.transformers"
        net = member(networks, name)(member(networks, config)(**sizes))

        def generate(trained):
            import mindspore as ms

            trained.set_train(False)
            return trained.generate(ms.Tensor(_PROMPT), max_length=12, do_sample=False, use_cache=True).asnumpy()

        return Model(net, (), None, generate if generates else None, {**inputs(), "return_dict": False})

    CASES.setdefault("mindnlp 0.2", {})[name] = build


def _labelled(*shape):
    ids = tokens(*shape)
    return {"input_ids": ids, "labels": ids}


_GPT2 = {
    "vocab_size": 60,
    "n_embd": 32,
    "n_layer": 2,
    "n_head": 4,
    "n_positions": 32,
    "bos_token_id": 1,
    "eos_token_id": 59,
}
_GPT2 |= {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0, "pad_token_id": 0}
_T5 = {"vocab_size": 60, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4, "dropout_rate": 0.0}
_T5 |= {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 59}
_nlp("BertForMaskedLM", "BertConfig", {**_SMALL, **_STILL}, lambda: _labelled(2, 12))
_nlp("RobertaForMaskedLM", "RobertaConfig", {**_SMALL, **_STILL}, lambda: _labelled(2, 12))
_nlp("GPT2LMHeadModel", "GPT2Config", _GPT2, lambda: _labelled(2, 12), generates=True)
_nlp("LlamaForCausalLM", "LlamaConfig", _SMALL, lambda: _labelled(2, 12), generates=True)
_nlp("Qwen2ForCausalLM", "Qwen2Config", {**_SMALL, "num_key_value_heads": 2}, lambda: _labelled(2, 12), generates=True)
_nlp(
    "T5ForConditionalGeneration",
    "T5Config",
    _T5,
    lambda: {"input_ids": tokens(2, 12), "labels": tokens(2, 8, seed=2)},
    generates=True,
)
