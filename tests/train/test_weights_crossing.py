"""Weights of equal shapes are never crossed, and products never turned, in silence: what decides is the bias beside, the kind of norm, relatives."""

import numpy as np
import pytest
from mindspore import nn

from msjax.train.weights import Entry, UncertainMatch, match, match_network, torch_to_mindspore
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
    """Neither does the order in the file, which is another one: the products may lie there the other way round."""
    file = dict(reversed(mlp("fc1", "fc2", bias=False).items()))
    with pytest.raises(UncertainMatch, match=r"mlp\.mapping\.weight"):
        match(file, mlp("mapping", "linear2", bias=False))


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


# --- what is of one layer stays together
def convolution(owner, out, size, bias=True):
    return {f"{owner}.weight": entry(out, size, 3, 3), **({f"{owner}.bias": entry(out)} if bias else {})}


def batch_norm(owner, size, words=("weight", "bias", "running_mean", "running_var")):
    return {f"{owner}.{word}": Entry.of(RANDOM.random_sample(size).astype(np.float32)) for word in words}


def batch_norm_here(owner, size):
    return batch_norm(owner, size, ("gamma", "beta", "moving_mean", "moving_variance"))


def layers_of(file, net):
    """{layer of the network: the layers of the file that its values are of}"""
    found = {}
    for name, (source, _) in over(file, net).items():
        found.setdefault(name.rpartition(".")[0], set()).add(source.rpartition(".")[0])
    return found


def test_scales_of_a_row_of_layers_go_with_their_statistics():
    """PyTorch's Sequential names its layers 0, 1, 3, 4, 8 and 10: kernels, scales and products under one pattern."""
    file = convolution("0", 8, 3, False) | batch_norm("1", 8) | convolution("3", 8, 8, False) | batch_norm("4", 8)
    file |= product("8", 24, 24) | product("10", 4, 24)
    net = {f"{i}.{n}": e for i, size in enumerate((3, 8)) for n, e in (convolution("conv", 8, size, False) | batch_norm_here("bn", 8)).items()}  # fmt: skip
    net |= product("3", 24, 24) | product("4", 4, 24)
    assert layers_of(file, net) == {
        "0.conv": {"0"},
        "0.bn": {"1"},
        "1.conv": {"3"},
        "1.bn": {"4"},
        "3": {"8"},
        "4": {"10"},
    }


def test_ordinals_inside_of_words_count():
    """bn1d and bn2d are the first and the second norm, as bn1 and bn2 are (the blocks of the model zoo's ResNet-18)."""
    file, net = batch_norm("bn1", 8), batch_norm_here("bn1", 8)
    for block in ("layer1.0", "layer1.1"):
        for i in (1, 2):
            file |= convolution(f"{block}.conv{i}", 8, 8, False) | batch_norm(f"{block}.bn{i}", 8)
            net |= convolution(f"{block}.conv{i}", 8, 8, False) | batch_norm_here(f"{block}.bn{i}d", 8)
    assert layers_of(file, net) == {n: {n.removesuffix("d")} for n in layers_of(net, net)}


def double(owner, inside, out, norm):
    return {**convolution(f"{owner}.0", out, inside), **norm(f"{owner}.1", out), **convolution(f"{owner}.3", out, out), **norm(f"{owner}.4", out)}  # fmt: skip


def test_a_kernel_that_fits_one_layer_alone_tells_of_its_row():
    """The two halves of a U-Net, of which one has the words of neither."""
    file = double("inc", 3, 4, batch_norm) | double("down1", 4, 8, batch_norm) | double("conv1", 8, 4, batch_norm)
    net = (
        double("c1", 3, 4, batch_norm_here) | double("c2", 4, 8, batch_norm_here) | double("c3", 8, 4, batch_norm_here)
    )
    rows = {"c1": "inc", "c2": "down1", "c3": "conv1"}
    assert layers_of(file, net) == {n: {n.replace(n[:2], rows[n[:2]])} for n in layers_of(net, net)}


def test_a_norm_of_single_images_has_no_statistics_in_pytorch():
    file = convolution("up", 4, 8) | batch_norm("i", 4, ("weight", "bias"))
    net = convolution("deconv", 4, 8) | batch_norm_here("inorm", 4)
    assert layers_of(file, net) == {"deconv": {"up"}, "inorm": {"i"}}


def test_a_counter_of_batches_goes_where_the_network_has_one():
    file = {**batch_norm("bn", 4), "bn.num_batches_tracked": Entry.of(np.int64(7))}
    assert set(over(file, dict(file))) == set(file)
    assert "bn.num_batches_tracked" not in over(file, batch_norm("bn", 4))


# --- weights that are made of parts
class Critic(nn.Cell):
    def __init__(self):
        super().__init__()
        self.up = nn.Conv1dTranspose(6, 6, 2, has_bias=True)
        self.dense = nn.Dense(6, 4)


SPELLINGS = [("weight_orig", "weight_u", "weight_v"), tuple(f"parametrizations.weight.{w}" for w in ("original", "0._u", "0._v"))]  # fmt: skip


@pytest.mark.parametrize("names", SPELLINGS)
@pytest.mark.parametrize("axis", [0, 1])
def test_a_weight_is_divided_by_its_singular_value(names, axis):
    weight = RANDOM.standard_normal((6, 6, 2)).astype(np.float32)
    left, values, right = np.linalg.svd(np.moveaxis(weight, axis, 0).reshape(6, 12), full_matrices=False)
    file = {f"up.{n}": Entry.of(v) for n, v in zip(names, (weight, left[:, 0], right[0]))}
    file |= {"up.bias": entry(6), **product("dense", 4, 6)}
    net = Critic()
    pairs = match_network(net, file)
    assert unmatched(pairs, net, file) == ([], [])
    got = matched(pairs, net, file)["up.weight"].read()
    np.testing.assert_allclose(got.reshape(weight.shape), weight / values[0], rtol=1e-5)


def test_a_pruned_weight_has_its_mask():
    weight, mask = RANDOM.standard_normal((4, 6)).astype(np.float32), np.float32(RANDOM.random_sample((4, 6)) > 0.5)
    file = {"up.weight": entry(6, 6, 2), "up.bias": entry(6), "dense.bias": entry(4)}
    file |= {"dense.weight_orig": Entry.of(weight), "dense.weight_mask": Entry.of(mask)}
    net = Critic()
    np.testing.assert_array_equal(matched(match_network(net, file), net, file)["dense.weight"].read(), weight * mask)


def test_other_parametrizations_are_refused():
    file = {"up.weight": entry(6, 6, 2), "up.bias": entry(6), "dense.bias": entry(4)}
    file |= {"dense.parametrizations.weight.original": entry(4, 6), "dense.parametrizations.weight.0.base": entry(4, 6)}
    with pytest.raises(ValueError, match="remove_parametrizations"):
        match_network(Critic(), file)


def test_a_norm_after_attention_has_several_spellings():
    """GLM-4's `post_attention_layernorm` stands before the products of its second half."""
    theirs = ("input_layernorm", "post_self_attn_layernorm", "post_attention_layernorm", "post_mlp_layernorm")
    ours = ("attention_norm", "post_attention_norm", "ffn_norm", "post_ffn_norm")
    file, net = (
        {f"layers.{i}.{n}.{w}": entry(8) for i in range(2) for n in side}
        for side, w in ((theirs, "weight"), (ours, "gamma"))
    )
    with pytest.raises(UncertainMatch, match="post_attention_norm"):
        over(file, net)


@pytest.mark.parametrize("shape, bias", [((4, 8), False), ((3, 5, 7), True)])
def test_a_norm_of_several_axes(shape, bias):
    words = [("weight", "gamma"), *[("bias", "beta")] * bias]
    file = {f"q_norm.{theirs}": entry(*shape) for theirs, _ in words} | product("q_proj", 6, 3)
    net = {f"q_norm.{ours}": Entry.of(np.ones((shape[0], 1, *shape[1:]))) for _, ours in words} | product("wq", 6, 3)
    got = over(file, net)
    assert all(got[f"q_norm.{ours}"] == (f"q_norm.{theirs}", False) for theirs, ours in words) and len(got) == len(net)
    assert f"q_norm.{words[0][1]}" in torch_to_mindspore(file)
