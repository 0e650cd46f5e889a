"""The newest mindformers' networks for training, built of its GPTModel: more rows of `toolkit_models.CASES`.

Their attention is FlashAttentionScore, which MindSpore's CPU build lacks. Sizes: 2 layers, width 32, 60 tokens.
"""

from toolkit_models import CASES, Model, member, tokens

_FLOAT32 = {
    f"{what}_dtype": "float32" for what in ("params", "compute", "layernorm_compute", "softmax_compute", "rotary")
}
_SIZES = {
    "vocab_size": 60,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "max_position_embeddings": 32,
    "seq_length": 16,
    "pad_token_id": 0,
    "hidden_dropout": 0.0,
    "attention_dropout": 0.0,
    "use_flash_attention": False,  # or it casts to float16 first
    **_FLOAT32,
}
_HEADS = {"head_dim": 8}
_EXPERTS = {
    "moe_intermediate_size": 24,
    "num_experts_per_tok": 2,
    "moe_grouped_gemm": True,
    "routed_scaling_factor": 1.0,
}
_LATENT = {
    "mtp_loss_scaling_factor": 0.3,
    "q_lora_rank": 16,
    "kv_lora_rank": 8,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 8,
    "v_head_dim": 8,
}


def _losses(outputs):
    """The loss of the next token, and those of its experts and further tokens."""
    return sum(part.sum() for part in outputs)


def _former(network, where, config, **sizes):
    def build():
        module = f"mindformers.models.{where[0]}"
        member("mindformers.core.context.build_context", "build_context")(
            {"use_legacy": False, "run_mode": "train", "context": {"mode": _mode()}, "parallel": {}}
        )
        kind = member(f"{module}.modeling_{where[1]}_train", f"Training{network}")
        net = kind(member(f"{module}.configuration_{where[1]}", config)(**_SIZES, **sizes))
        return Model(net, (tokens(2, 16),), _losses, None, {"labels": tokens(2, 16, seed=2)})

    CASES.setdefault("mindformers", {})[network] = build


def _mode():
    import mindspore as ms

    return ms.get_context("mode")


_former("Qwen3ForCausalLM", ("qwen3", "qwen3"), "Qwen3Config", **_HEADS)
_former("Qwen3MoeForCausalLM", ("qwen3_moe", "qwen3_moe"), "Qwen3MoeConfig", **_HEADS, **_EXPERTS, num_experts=4)
_former(
    "DeepseekV3ForCausalLM",
    ("deepseek3", "deepseek_v3"),
    "DeepseekV3Config",
    **_LATENT,
    **_EXPERTS,
    n_routed_experts=4,
    n_shared_experts=0,  # 2.1.0 unpacks two of three values there
    n_group=1,
    topk_group=1,
    first_k_dense_replace=1,
    num_nextn_predict_layers=1,
)
_former("TeleChat3ForCausalLM", ("telechat3", "telechat3"), "TeleChat3Config", **_HEADS)
_former(
    "TeleChat3MoeForCausalLM",
    ("telechat3_moe", "telechat3_moe"),
    "TeleChat3MoeConfig",
    **_LATENT,
    **_EXPERTS,
    n_routed_experts=4,
    n_shared_experts=0,  # 2.1.0 unpacks two of three values there
    n_group=1,
    topk_group=1,
    first_k_dense_replace=1,
)
