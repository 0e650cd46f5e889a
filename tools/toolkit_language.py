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


# ---- mindformers 1.0 ----------------------------------------------------------------------------------------------------------------

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


def _former(toolkit, config, network, sizes, inputs, cached=False):
    """cached: the network that generates is a second one with use_past, which shares the Parameters' values."""

    def build():
        import mindspore as ms

        configuration, kind = member("mindformers.models", config), member("mindformers.models", network)
        options = {"checkpoint_name_or_path": "", **sizes}
        net = kind(configuration(**options))

        def generate(trained):
            past = kind(configuration(**options, use_past=True))
            ms.load_param_into_net(past, {p.name: p for p in trained.get_parameters()})
            return _generate(past)

        return Model(net, inputs(), None, generate if cached else None)

    CASES.setdefault(toolkit, {})[network] = build


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
    "mindformers 1.0", "GPT2Config", "GPT2LMHeadModel", {**_DECODER, **_NO_DROP}, lambda: (tokens(1, 17),), cached=True
)
_former(
    "mindformers 1.0",
    "LlamaConfig",
    "LlamaForCausalLM",
    {**_DECODER, "multiple_of": 8},
    lambda: (tokens(1, 17),),
    cached=True,
)
_former(
    "mindformers 1.0",
    "BloomConfig",
    "BloomLMHeadModel",
    {**_DECODER, **_NO_DROP, "use_seq_parallel": False, "use_flash_attention": False},
    lambda: (tokens(1, 17),),
    cached=True,
)
_former(
    "mindformers 1.0",
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
    "mindformers 1.0",
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


def _masked():
    """Positions, tokens and weights of what BERT is to guess."""
    import mindspore as ms

    return tokens(2, 4, below=16, first=0), tokens(2, 4), ms.Tensor(np.ones((2, 4), np.float32))


@case("mindformers 1.0", "ViTForImageClassification")
def _vit():
    import mindspore as ms

    kind, config = member("mindformers.models", "ViTForImageClassification"), member("mindformers.models", "ViTConfig")
    sizes = {"image_size": 32, "patch_size": 8, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    net = kind(config(**sizes, intermediate_size=48, num_labels=5, drop_path_rate=0.0, checkpoint_name_or_path=""))
    return Model(net, (numbers(2, 3, 32, 32), ms.Tensor(np.eye(5, dtype=np.float32)[[1, 3]])))


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
