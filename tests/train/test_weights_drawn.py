"""Networks drawn at random, named and listed in two ways: what is matched is right, or it is refused (`msjax/train/weights/matching.py`)."""

import os
import random

import numpy as np
import pytest

from msjax.train.weights import Entry, match
from msjax.train.weights.matching import UncertainMatch

# the layers of a block, and how five authors would call them
RESIDUAL = {
    "conv1": "conv1 conv_1 f.a branch.0 conv_a",
    "bn1": "bn1 norm1 f.a_bn branch.1 bn_a",
    "conv2": "conv2 conv_2 f.b branch.3 conv_b",
    "bn2": "bn2 norm2 f.b_bn branch.4 bn_b",
    "conv3": "conv3 conv_3 f.c branch.6 conv_c",
    "bn3": "bn3 norm3 f.c_bn branch.7 bn_c",
    "down": "downsample.0 shortcut.conv proj down_sample.0 skip.0",
    "downbn": "downsample.1 shortcut.bn proj_bn down_sample.1 skip.1",
}
ATTENTION = {
    "norm1": "norm1 ln_1 layernorm_before attn_norm pre_norm_mha.0",
    "q": "attn.q attention.query self_attn.q_proj attn.to_q attn.query",
    "k": "attn.k attention.key self_attn.k_proj attn.to_k attn.key",
    "v": "attn.v attention.value self_attn.v_proj attn.to_v attn.value",
    "o": "attn.proj attention.output.dense self_attn.out_proj attn.to_out.0 attn.out",
    "norm2": "norm2 ln_2 layernorm_after ffn_norm pre_norm_ffn.0",
    "fc1": "mlp.fc1 intermediate.dense ffn.0 mlp.c_fc mlp.up",
    "fc2": "mlp.fc2 output.dense ffn.3 mlp.c_proj mlp.down",
}
BLOCKS = (
    "layers.{s}.blocks.{b}",
    "layer{s1}.{b}",
    "stages.{s}.{b}",
    "features.{at}",
    "s{s1}.b{b1}",
    "encoder.{at}",
    "{s}.{b}",
)
ENDS = {
    "stem": "stem.conv conv1 patch_embed.proj",
    "stem_norm": "stem.bn bn1 patch_embed.norm",
    "head": "head fc classifier",
}
ORDERS = (
    lambda name: 0,
    lambda name: "down" not in name,
    lambda name: "bn" not in name and "norm" not in name,
    lambda name: name,
)


def residual_block(draw, inner, outer, first):
    kernel = draw.choice([1, 3])
    layers = {
        "conv1": (outer, inner, kernel, kernel), "bn1": outer, "conv2": (outer, outer, 3, 3), "bn2": outer, "conv3": (outer, outer, 1, 1), "bn3": outer,
    }  # fmt: skip
    return layers | ({"down": (outer, inner, 1, 1), "downbn": outer} if first else {})


def attention_block(width):
    square = dict.fromkeys(("q", "k", "v", "o"), (width, width))
    return {"norm1": width, **square, "norm2": width, "fc1": (4 * width, width), "fc2": (width, 4 * width)}


def network(draw):
    """{(stage, block): {layer: its kernel, or the size of a norm}}."""
    width = draw.choice([8, 12, 16])
    found = {(None, "stem"): {"stem": (width, 3, 3, 3), "stem_norm": width}}
    kind = draw.choice([(True,), (False,), (True, False)])
    for stage in range(draw.randint(1, 4)):
        inner, width = width, draw.choice([8, 12, 16, 24])
        for block in range(draw.randint(1, 4)):
            residual = kind[stage % len(kind)]
            layers = (
                residual_block(draw, inner if block == 0 else width, width, block == 0)
                if residual
                else attention_block(width)
            )
            found[stage, block] = layers
    return found | {(None, "head"): {"head": (10, width)}}


def named(net, draw, words):
    """({name: Entry}, {name: which value it is}) as one author would write the network."""
    author, block_name, order = draw.randrange(5), draw.choice(BLOCKS), draw.choice(ORDERS)
    ends = {layer: draw.choice(names.split()) for layer, names in ENDS.items()}
    spelled = {layer: names.split()[author] for layer, names in (RESIDUAL | ATTENTION).items()}
    entries, truth = {}, {}
    for at, ((s, b), layers) in enumerate(net.items()):
        block = "" if s is None else block_name.format(s=s, b=b, s1=s + 1, b1=b + 1, at=at) + "."
        for layer in sorted(layers, key=lambda layer: order(spelled.get(layer, layer))):
            size = layers[layer]
            statistics = "bn" in layer or layer == "stem_norm"
            kinds = (words if statistics else words[:2]) if isinstance(size, int) else ("weight", "bias")
            for i, kind in enumerate(kinds if isinstance(size, int) or len(size) == 2 else kinds[:1]):
                name = f"{block}{ends.get(layer) or spelled[layer]}.{kind}"
                shape = (size,) if isinstance(size, int) else size if i == 0 else size[:1]
                entries[name] = Entry.of(np.random.rand(*shape).astype(np.float32) + 0.1)
                truth[name] = s, b, layer, i
    return entries, truth


# 154: one side counts blocks within stages from 1, the other one all of them; the first block of a stage went to the last one
@pytest.mark.parametrize("seed", range(300) if os.environ.get("MSJAX_TEST_ALL") else [*range(16), 154])
def test_what_is_matched_is_right(seed):
    draw = random.Random(seed)
    net = network(draw)
    file, of_file = named(net, draw, ("weight", "bias", "running_mean", "running_var"))
    ours, of_ours = named(net, draw, ("gamma", "beta", "moving_mean", "moving_variance"))
    try:
        pairs = match(file, ours)
    except UncertainMatch:
        return  # names and orders that tell nothing are refused
    assert {pair.target for pair in pairs} == set(ours)
    assert [pair for pair in pairs if of_file[pair.sources[0]] != of_ours[pair.target]] == []
