"""Weights whose names say nothing go where their layer stands, if it can stand nowhere else (`msjax/train/weights/sequences.py`)."""

import numpy as np
import pytest

from msjax.train.weights import Entry, match
from msjax.train.weights.matching import UncertainMatch

KERNELS = {"out": (8, 4, 1, 1), "wide": (4, 8, 1, 1), "depth": (8, 1, 3, 3), "same": (8, 8, 1, 1), "dense": (8, 8)}
NORM = {
    True: ("weight", "bias", "running_mean", "running_var"),
    False: ("moving_mean", "moving_variance", "gamma", "beta"),
}


def value(shape):
    return Entry.of(np.random.rand(*np.atleast_1d(shape)).astype(np.float32))


def side(layers, torch):
    """Entries of `{name of a layer: kernel, or "norm"}`, as PyTorch or MindSpore names them."""
    found = {}
    for name, kind in layers.items():
        if kind == "norm":
            found |= {f"{name}.{last}": value(8) for last in NORM[torch]}
        else:
            found[f"{name}.weight"] = value(KERNELS[kind])
    return found


def partners(file, net):
    return {
        pair.target.rpartition(".")[0]: pair.sources[0].rpartition(".")[0]
        for pair in match(side(file, True), side(net, False))
    }


def block(*names):
    return dict(zip(names, ("out", "norm", "depth", "norm", "wide")))


def test_blocks_that_are_counted_otherwise():
    file = {
        **block("f.1.c.0.0", "f.1.c.0.1", "f.1.c.1.0", "f.1.c.1.1", "f.1.c.2"),
        **block("f.2.c.0.0", "f.2.c.0.1", "f.2.c.1.0", "f.2.c.1.1", "f.2.c.2"),
    }
    net = {
        **block("g.3.l.0", "g.3.l.1", "g.3.l.3", "g.3.l.4", "g.3.l.6"),
        **block("g.4.l.0", "g.4.l.1", "g.4.l.3", "g.4.l.4", "g.4.l.6"),
    }
    assert partners(file, net) == dict(zip(net, file))


def test_a_norm_stands_behind_its_product():
    file = {"a.left.0": "out", "a.left.1": "norm", "a.right.0": "out", "a.right.1": "norm"}
    net = {"b.left": "out", "b.bn": "norm", "b.right": "out", "b.right_bn": "norm"}
    assert partners(file, net) == dict(zip(net, file))


@pytest.mark.parametrize(
    "file, net",
    [
        ("a.first b.first", "x.one x.two"),  # either could have been made first
        ("a.branch1 a.branch2", "b.main b.shortcut"),
        ("a.0 a.1", "b.query b.key"),
    ],
)
@pytest.mark.parametrize("with_norms", [False, True])
def test_layers_that_could_be_exchanged_are_a_doubt(file, net, with_norms):
    def of(names):
        kinds = {}
        for name in names.split():
            kinds |= {f"{name}.product": "same", f"{name}.norm": "norm"} if with_norms else {name: "same"}
        return kinds

    with pytest.raises(UncertainMatch):
        match(side(of(file), True), side(of(net), False))


def test_words_that_speak_against_the_order_are_a_doubt_or_win():
    """Whatever decides, the keys are never the queries."""
    file = {"a.to_query": "dense", "stem": "out", "a.to_key": "dense", "end": "depth"}
    net = {"b.key_part": "dense", "root": "out", "b.query_part": "dense", "last": "depth"}
    try:
        found = partners(file, net)
    except UncertainMatch:
        return
    assert found["b.key_part"] == "a.to_key" and found["b.query_part"] == "a.to_query"


def test_layers_that_one_side_lists_otherwise_are_not_taken_by_their_place():
    file = {"p": "norm", "q": "depth", "r": "norm", "s": "wide"}
    net = {"u": "depth", "v": "norm", "w": "norm", "x": "wide"}
    with pytest.raises(UncertainMatch):
        partners(file, net)
