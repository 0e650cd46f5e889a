"""Weights of equal shapes are never crossed, and products never turned, in silence: what decides is the bias beside, the kind of norm, relatives."""

import numpy as np
import pytest
from mindspore import nn

from msjax.train.weights import Entry, UncertainMatch, match, match_network
from msjax.train.weights.network import matched, unmatched

RANDOM = np.random.RandomState(5)


def entry(*shape):
    return Entry.of(RANDOM.standard_normal(shape).astype(np.float32))


def product(owner, out, size, bias=True):
    return {f"{owner}.weight": entry(out, size), **({f"{owner}.bias": entry(out)} if bias else {})}


def over(file, net):
    return {p.target: (p.sources[0] if len(p.sources) == 1 else p.sources, p.transposed) for p in match(file, net)}


def mlp(*names, layer="layers", bias=True):
    found = {}
    for i in range(2):
        found |= product(f"{layer}.{i}.mlp.{names[0]}", 48, 32, bias) | product(
            f"{layer}.{i}.mlp.{names[1]}", 32, 48, bias
        )
    return found


@pytest.mark.parametrize(
    "names", [("mapping", "fc2"), ("intermediate", "dense2"), ("fc1", "output"), ("w1", "linear2")]
)
def test_the_second_of_two_products_is_not_the_first_turned(names):
    got = over(mlp("fc1", "fc2"), mlp(*names))
    for i in range(2):
        for word in ("weight", "bias"):
            assert got[f"layers.{i}.mlp.{names[0]}.{word}"] == (f"layers.{i}.mlp.fc1.{word}", False)
            assert got[f"layers.{i}.mlp.{names[1]}.{word}"] == (f"layers.{i}.mlp.fc2.{word}", False)


def test_without_biases_names_alone_do_not_turn_products():
    with pytest.raises(UncertainMatch, match=r"mlp\.mapping\.weight"):
        match(mlp("fc1", "fc2", bias=False), mlp("mapping", "linear2", bias=False))


def test_a_norm_with_statistics_is_not_one_without():
    words = {"gamma": "weight", "beta": "bias", "moving_mean": "running_mean", "moving_variance": "running_var"}
    file = {
        "a.weight": entry(8),
        "a.bias": entry(8),
        **{f"b.{w}": Entry.of(np.ones(8, np.float32)) for w in words.values()},
    }
    net = {"x.gamma": entry(8), "x.beta": entry(8), **{f"y.{w}": entry(8) for w in words}}
    got = over(file, net)
    assert got["x.gamma"][0] == "a.weight" and all(
        got[f"y.{ours}"][0] == f"b.{theirs}" for ours, theirs in words.items()
    )


def gpt(dense, head=False):
    """Products as GPT-2's file has them, (in, out), or as dense layers, (out, in); the one of attention is square."""
    found = {}
    for i in range(2):
        for name, size, out in (
            ("attn.c_attn", 32, 96),
            ("attn.c_proj", 32, 32),
            ("mlp.c_fc", 32, 128),
            ("mlp.c_proj", 128, 32),
        ):
            found[f"h.{i}.{name}.weight"] = entry(*((out, size) if dense else (size, out)))
            found[f"h.{i}.{name}.bias"] = entry(out)
    return found | (product("score", 2, 32, False) if head else {})


@pytest.mark.parametrize("head", [False, True])
@pytest.mark.parametrize("back", [False, True])
def test_a_square_product_is_turned_as_its_relatives_are(head, back):
    got = over(gpt(back, head), gpt(not back, head))
    assert {n for n, (_, turned) in got.items() if turned} == {n for n in gpt(True) if n.endswith("weight")}
    assert not any(turned for _, turned in over(gpt(back, head), gpt(back, head)).values())


def test_a_square_product_whose_relatives_differ_is_a_doubt():
    file, net = gpt(False), gpt(True)
    for i in range(2):
        net[f"h.{i}.attn.c_attn.weight"] = entry(32, 96)
    file = {n.replace("c_proj", "proj") if "attn" in n else n: e for n, e in file.items()}
    net = {n.replace("attn.c_attn", "attn.proj_in"): e for n, e in net.items()}
    file = {n.replace("attn.c_attn", "attn.proj_in").replace("attn.proj.", "attn.c_proj."): e for n, e in file.items()}
    for i in range(2):  # one product of attention beside it is turned, the other one is not
        file[f"h.{i}.attn.more.weight"], net[f"h.{i}.attn.more.weight"] = entry(32, 40), entry(40, 32)
    with pytest.raises(
        UncertainMatch, match=r"h\.0\.attn\.c_proj\.weight: h\.0\.attn\.c_proj\.weight \(turned or not\)"
    ):
        match(file, net)


def test_a_bare_square_matrix_for_a_layer_is_a_doubt():
    """x @ text_projection in PyTorch; a dense layer multiplies with the other axis."""
    file = {"text_projection": entry(16, 16), "ln.weight": entry(16)}
    with pytest.raises(UncertainMatch, match=r"turned or not"):
        match(file, {"text_projection.weight": entry(16, 16), "ln.gamma": entry(16)})
    assert over(file, {"projection": entry(16, 16), "ln.gamma": entry(16)})["projection"] == ("text_projection", False)


@pytest.mark.parametrize("joined, certain", [
    ("attn.qkv", True), ("attn.c_attn", True), ("self_attn.W_pack", True), ("attention.w_qkv", True), ("self_attn.qkv_proj", True),
    ("attention.wqkv", False), ("attention.query_key_value", False), ("attn.in_proj", False), ("attn.queries_keys_values", False),
])  # fmt: skip
def test_the_order_in_a_matrix_of_q_k_and_v_is_a_doubt_where_its_name_has_several(joined, certain):
    file = {f"layers.{i}.{joined}.weight": entry(96, 32) for i in range(2)}
    net = {f"layers.{i}.attention.{name}.weight": entry(32, 32) for i in range(2) for name in "qkv"}
    for one, other in ((file, net), (net, file)):
        if certain:
            assert {p.why for p in match(one, other)} == {"joined"}
        else:
            with pytest.raises(UncertainMatch, match="the order of q, k and v in it"):
                match(one, other)


def test_a_matrix_of_q_v_and_k_is_a_doubt():
    """CodeGen's."""
    file = {
        "h.0.attn.qkv_proj.weight": entry(96, 32),
        **product("h.0.mlp.fc_in", 128, 32),
        **product("h.0.mlp.fc_out", 32, 128),
    }
    net = {f"h.0.attn.{name}.weight": entry(32, 32) for name in "qkv"}
    net |= product("h.0.mlp.fc_in", 128, 32) | product("h.0.mlp.fc_out", 32, 128)
    with pytest.raises(UncertainMatch, match="the order of q, k and v in it"):
        match(file, net)


def test_a_name_that_only_lacks_words_is_not_certain():
    def of(*names, words):
        return {f"layers.{i}.{name}.{word}": entry(32) for i in range(2) for name in names for word in words}

    file = of("self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm", words=("weight", "bias"))
    net = of("self_attn_norm", "ln2", "ffn_norm", words=("gamma", "beta"))
    with pytest.raises(UncertainMatch, match=r"ln2\.gamma"):
        match(file, net)


# --- weight normalization
class Speech(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(8, 6, 5, pad_mode="pad", has_bias=True)
        self.dense = nn.Dense(6, 4)


@pytest.mark.parametrize(
    "direction, length",
    [("weight_v", "weight_g"), ("parametrizations.weight.original1", "parametrizations.weight.original0")],
)
@pytest.mark.parametrize("axis", [0, 2])
def test_a_direction_and_its_length_become_the_weight(direction, length, axis):
    v = RANDOM.standard_normal((6, 8, 5)).astype(np.float32)
    others = tuple(i for i in range(3) if i != axis)
    g = RANDOM.random_sample([n if i == axis else 1 for i, n in enumerate(v.shape)]).astype(np.float32)
    file = {
        f"conv.{direction}": Entry.of(v),
        f"conv.{length}": Entry.of(g),
        "conv.bias": entry(6),
        **product("dense", 4, 6),
    }
    net = Speech()
    pairs = match_network(net, file)
    assert unmatched(pairs, net, file) == ([], [])
    got = matched(pairs, net, file)["conv.weight"].read()
    np.testing.assert_allclose(got.reshape(v.shape), g * v / np.sqrt((v * v).sum(others, keepdims=True)), rtol=1e-6)


def test_a_direction_alone_is_no_weight():
    file = {"conv.weight_v": entry(6, 8, 5), "conv.weight_g": entry(6, 1, 1), "conv.bias": entry(6)}
    assert "conv.weight" not in over(file, {"conv.weight": entry(6, 8, 1, 5), "conv.bias": entry(6)})
    net = {"k.weight_v": entry(6, 8, 5), "k.weight_g": entry(6, 1, 1), "k.bias": entry(6)}
    assert over(file, net) == {n: (n.replace("k.", "conv."), False) for n in net}


def test_a_bias_goes_where_its_product_goes():
    """`output` is the second product of the mlp there, and sounds as the product of attention."""
    file, net = {}, {}
    for i in range(2):
        file |= (
            product(f"layers.{i}.self_attn.out_proj", 32, 32)
            | product(f"layers.{i}.fc1", 48, 32)
            | product(f"layers.{i}.fc2", 32, 48)
        )
        net |= (
            product(f"layers.{i}.attention.o", 32, 32)
            | product(f"layers.{i}.inside", 48, 32)
            | product(f"layers.{i}.output", 32, 48)
        )
    got = over(file, net)
    assert {got[f"layers.1.output.{word}"][0] for word in ("weight", "bias")} == {
        "layers.1.fc2.weight",
        "layers.1.fc2.bias",
    }
