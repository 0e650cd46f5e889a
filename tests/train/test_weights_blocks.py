"""What is left of two blocks that belong together is paired within them (`msjax/train/weights/blocks.py`)."""

import numpy as np
import pytest

from msjax.train.weights import Entry, match
from msjax.train.weights.blocks import Blocks
from msjax.train.weights.matching import UncertainMatch
from msjax.train.weights.templates import templates


def side(shapes):
    return {name: Entry.of(np.random.rand(*np.atleast_1d(shape)).astype(np.float32)) for name, shape in shapes.items()}


def norm(name, size, torch):
    last = ("weight", "bias") if torch else ("gamma", "beta")
    return {f"{name}.{word}": size for word in last}


def pairs(file, net):
    return {pair.target: pair.sources[0] for pair in match(side(file), side(net))}


def blocks(*known):
    return Blocks((dict(known), {other: one for one, other in known}))


def test_a_block_is_told_by_its_layers():
    found = blocks(
        ("s.0.b.1.conv1", "layer1.1.conv1"), ("s.0.b.1.conv2", "layer1.1.conv2"), ("s.0.b.2.conv1", "layer1.2.conv1")
    )
    assert found.same("s.0.b.1.norm", "layer1.1.bn")
    assert not found.same("s.0.b.1.norm", "layer1.2.bn") and not found.same("s.1.b.0.norm", "layer1.1.bn")


def test_the_sides_may_nest_their_blocks_otherwise():
    found = blocks(("f.1.0.mlp.0", "0.blocks.0.mlp.fc1"), ("f.1.1.mlp.0", "0.blocks.1.mlp.fc1"))
    assert found.same("f.1.0.norm1", "0.blocks.0.norm1") and not found.same("f.1.0.norm1", "0.blocks.1.norm1")


def test_layers_that_are_in_two_blocks_of_the_other_side_tell_what_is_around_both():
    found = blocks(("m.a.0.x", "n.p.0.x"), ("m.a.0.y", "n.p.1.y"), ("m.a.1.x", "n.p.1.x"), ("m.b.0.x", "n.q.0.x"))
    assert found.same("m.a.0.z", "n.p.0.z") and found.same("m.a.0.z", "n.p.1.z")
    assert not found.same("m.a.0.z", "n.q.0.z")


def test_norms_of_one_size_go_where_their_products_are():
    file, net = {}, {}
    for i, kernel in enumerate([(8, 4), (8, 6), (8, 5)]):
        one, other = (
            ("stages.0.blocks.0", "stages.0.blocks.1", "stages.1.blocks.0")[i],
            ("layer1.0", "layer1.1", "layer2.0")[i],
        )
        file |= {f"{one}.conv1.weight": (*kernel, 1, 1), **norm(f"{one}.norm1", 8, True)}
        net = {
            f"{other}.conv1.weight": (*kernel, 1, 1),
            **norm(f"{other}.bn1", 8, False),
        } | net  # listed in another order
    found = pairs(file, net)
    assert found["layer1.1.bn1.gamma"] == "stages.0.blocks.1.norm1.weight" and len(found) == len(net)


def test_two_layers_of_a_block_that_nothing_tells_apart_are_a_doubt():
    file = {"a.0.conv.weight": (8, 4, 3, 3), **norm("a.0.first", 8, True), **norm("a.0.second", 8, True)}
    net = {**norm("b.0.one", 8, False), **norm("b.0.two", 8, False), "b.0.conv.weight": (8, 4, 3, 3)}
    with pytest.raises(UncertainMatch):
        pairs(file, net)


def test_q_k_and_v_are_cut_from_the_matrix_of_their_block():
    file, net = {}, {}
    for i in range(2):
        file |= {
            f"features.{2 * i + 1}.0.attn.qkv.weight": (24, 8),
            f"features.{2 * i + 1}.0.mlp.0.weight": (16 + i, 8),
        }
        net |= {f"layers.{i}.attn.{word}.weight": (8, 8) for word in "qkv"} | {
            f"layers.{i}.mlp.fc1.weight": (16 + i, 8)
        }
    found = {pair.target: pair for pair in match(side(file), side(net))}
    assert found["layers.1.attn.k.weight"].sources == ("features.3.0.attn.qkv.weight",) and found[
        "layers.1.attn.k.weight"
    ].part == (8, 16)


def test_a_name_with_the_other_framework_s_word_for_its_role_is_the_same_name():
    file = {k: 8 for i in (1, 2) for k in norm(f"layer.{i}.0.bn{i}", 8, True)}
    net = {k: 8 for i in (2, 1) for k in norm(f"layer.{i}.0.bn{i}", 8, False)}
    assert {pair.why for pair in match(side(file), side(net))} == {"name"}


def test_high_kernels_are_no_flat_ones():
    file = {"a.x.weight": (4, 4, 1, 3), "a.y.weight": (4, 4, 3, 1)}
    net = {"b.one.weight": (4, 4, 3, 1), "b.two.weight": (4, 4, 1, 3)}
    assert pairs(file, net) == {"b.one.weight": "a.y.weight", "b.two.weight": "a.x.weight"}


def test_words_that_say_another_part_are_no_partners_whatever_their_place():
    file = {f"a.{word}.weight": (8, 8) for word in ("value", "to_k", "to_q")}
    net = {f"b.{word}.weight": (8, 8) for word in ("query", "to_k", "to_v")}
    found = pairs(file, net)
    assert found["b.query.weight"] == "a.to_q.weight" and found["b.to_v.weight"] == "a.value.weight"


def test_layers_of_a_row_are_counted_among_their_kind():
    net = side(
        {"r.0.weight": (8, 8, 3, 3), "r.3.weight": (8, 8, 3, 3), **norm("r.1", 8, False), **norm("r.4", 8, False)}
    )
    found = {template.names[0]: template.words for template in templates(net, False, net)}
    assert found["r.3.weight"] == found["r.4.gamma"] == ("r", "1") and found["r.1.gamma"] == ("r", "0")
