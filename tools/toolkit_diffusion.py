"""Small models of mindone (diffusers and transformers for MindSpore): more rows of `toolkit_models.CASES`."""

import numpy as np
from toolkit_models import CASES, Model, member, numbers, square, tokens


def _diffusion(module, name, inputs, keywords=None, **options):
    """A model of mindone.diffusers; its first output through `square`."""

    def build():
        net = member(f"mindone.diffusers.models.{module}", name)(**options)
        given = {key: value() for key, value in (keywords or {}).items()}
        return Model(net, inputs(), lambda outputs: square(outputs[0]), None, {**given, "return_dict": False})

    return build


def _steps(*values):
    import mindspore as ms

    return ms.Tensor(np.array(values, np.int32))


def _transformer(module, name, config, inputs, keywords=None, **options):
    """A model of mindone.transformers, whose configurations are those of transformers."""

    def build():
        net = member(f"mindone.transformers.models.{module}", name)(
            member("transformers", config)(attn_implementation="eager", **options)
        )
        given = {key: value() for key, value in (keywords or {}).items()}
        return Model(net, inputs(), lambda outputs: square(outputs[0]), None, {**given, "return_dict": False})

    return build


_SMALL = {
    "vocab_size": 60,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
}
_SMALL |= {"max_position_embeddings": 32, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 59}
_STILL = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
_BLOCKS = {"block_out_channels": (16, 32), "layers_per_block": 1, "norm_num_groups": 4}

CASES["mindone"] = {
    "UNet2DModel": _diffusion(
        "unets.unet_2d",
        "UNet2DModel",
        lambda: (numbers(2, 3, 8, 8), _steps(3, 70)),
        sample_size=8,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
        attention_head_dim=8,
        **_BLOCKS,
    ),
    "UNet2DConditionModel": _diffusion(
        "unets.unet_2d_condition",
        "UNet2DConditionModel",
        lambda: (numbers(2, 4, 8, 8), _steps(3, 70), numbers(2, 5, 12, seed=2)),
        sample_size=8,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        cross_attention_dim=12,
        attention_head_dim=4,
        **_BLOCKS,
    ),
    "AutoencoderKL": _diffusion(
        "autoencoders.autoencoder_kl",
        "AutoencoderKL",
        lambda: (numbers(2, 3, 16, 16),),
        down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2,
        latent_channels=4,
        **_BLOCKS,
    ),
    "DiTTransformer2DModel": _diffusion(
        "transformers.dit_transformer_2d",
        "DiTTransformer2DModel",
        lambda: (numbers(2, 4, 8, 8),),
        {"timestep": lambda: _steps(3, 70), "class_labels": lambda: _steps(1, 4)},
        num_attention_heads=2,
        attention_head_dim=8,
        in_channels=4,
        out_channels=4,
        num_layers=2,
        sample_size=8,
        num_embeds_ada_norm=10,
    ),
    "SD3Transformer2DModel": _diffusion(
        "transformers.transformer_sd3",
        "SD3Transformer2DModel",
        lambda: (numbers(2, 4, 8, 8), numbers(2, 5, 16, seed=2), numbers(2, 24, seed=3), _steps(3, 70)),
        sample_size=8,
        patch_size=2,
        in_channels=4,
        num_layers=2,
        attention_head_dim=8,
        num_attention_heads=2,
        joint_attention_dim=16,
        caption_projection_dim=16,
        pooled_projection_dim=24,
        out_channels=4,
        pos_embed_max_size=8,
    ),
    "BertForMaskedLM": _transformer(
        "bert.modeling_bert", "BertForMaskedLM", "BertConfig", lambda: (tokens(2, 12),), **_SMALL, **_STILL
    ),
    "LlamaForCausalLM": _transformer(
        "llama.modeling_llama", "LlamaForCausalLM", "LlamaConfig", lambda: (tokens(2, 12),), use_cache=False, **_SMALL
    ),
    "CLIPTextModel": _transformer(
        "clip.modeling_clip", "CLIPTextModel", "CLIPTextConfig", lambda: (tokens(2, 12),), **_SMALL
    ),
    "T5EncoderModel": _transformer(
        "t5.modeling_t5",
        "T5EncoderModel",
        "T5Config",
        lambda: (tokens(2, 12),),
        vocab_size=60,
        d_model=32,
        d_kv=8,
        d_ff=48,
        num_layers=2,
        num_heads=4,
        dropout_rate=0.0,
    ),
}
