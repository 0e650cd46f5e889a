"""Options of save_checkpoint, load_checkpoint and load_param_into_net: what MindSpore 2.10 does with each, memory, sharing."""

import io
import os
import tracemalloc

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    net = nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3))
    ms.save_checkpoint(net, str(folder / "net.ckpt"))
    ms.save_checkpoint(net, str(folder / "net"), format="safetensors")
    ms.save_checkpoint(net, str(folder / "myckpt"))  # the name ends in "ckpt" already
    (folder / "empty.ckpt").touch()
    (folder / "junk.ckpt").write_bytes(b"junkjunk")
    (folder / "junk.safetensors").write_bytes(b"junkjunkjunkjunk")
    os.makedirs(folder / "multi" / "rank_0")
    ms.save_checkpoint(net, str(folder / "multi" / "rank_0" / "net.ckpt"))
    return folder


NET = nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3))
ALL = ["0.bias", "0.weight", "1.beta", "1.gamma", "1.moving_mean", "1.moving_variance"]
ST = {"format": "safetensors"}


def weights(**shapes):
    return {n: Parameter(Tensor(np.ones(s, k)), name=n) for n, (s, k) in shapes.items()}


LOADS = [
    ("net.ckpt", {}, ALL),
    ("net.safetensors", ST, ALL),
    ("myckpt", {}, ALL),
    ("net.safetensors", {}, ValueError),
    ("net.ckpt", ST, ValueError),
    ("net.ckpt", {"format": "npz"}, ValueError),
    ("nothing.ckpt", {}, ValueError),
    ("empty.ckpt", {}, ValueError),
    ("junk.ckpt", {}, ValueError),
    ("junk.safetensors", ST, ValueError),
    ("net.ckpt", {"filter_prefix": "0"}, ALL[2:]),
    ("net.ckpt", {"filter_prefix": ["0", "1.g"]}, ["1.beta", "1.moving_mean", "1.moving_variance"]),
    ("net.ckpt", {"filter_prefix": ["0", "1"]}, ValueError),
    ("net.ckpt", {"filter_prefix": []}, ValueError),
    ("net.ckpt", {"filter_prefix": ""}, ValueError),
    ("net.ckpt", {"filter_prefix": 3}, TypeError),
    ("net.ckpt", {"specify_prefix": ("0", "1"), "filter_prefix": "1.b"}, ALL[:2] + ALL[3:]),
    ("net.ckpt", {"choice_func": lambda n: n[0] == "0"}, ALL[:2]),
    ("net.ckpt", {"specify_prefix": "1", "choice_func": lambda n: n[0] == "0"}, ALL[2:]),
    ("net.safetensors", ST | {"choice_func": lambda n: n[0] == "0"}, ALL[:2]),
    ("net.ckpt", {"choice_func": lambda n: n.startswith(1)}, ValueError),
    ("net.ckpt", {"choice_func": 3}, ValueError),
    ("net.safetensors", ST | {"dec_key": b"0" * 16}, ValueError),
    ("net.ckpt", {"crc_check": True}, ALL),
    ("net.ckpt", {"net": NET, "remove_redundancy": True}, TypeError),
    ("net.ckpt", {"net": NET, "strict_load": 1}, TypeError),
]


@pytest.mark.parametrize("name, options, expected", LOADS)
def test_load(name, options, expected, folder):
    if isinstance(expected, list):
        assert sorted(ms.load_checkpoint(str(folder / name), **options)) == expected
    else:
        with pytest.raises(expected):
            ms.load_checkpoint(str(folder / name), **options)


@pytest.mark.parametrize(
    "options, error",
    [
        ({"format": "npz"}, ValueError),
        (ST | {"enc_key": b"0" * 16}, ValueError),
        (ST | {"enc_mode": "AES-CBC"}, ValueError),
        ({"async_save": 1}, TypeError),
        ({"async_save": "fork"}, ValueError),
        ({"integrated_save": 1}, TypeError),
        ({"append_dict": {"epoch": [1]}}, TypeError),
        ({"append_dict": {1: 1}}, TypeError),
    ],
)
def test_save_refuses(options, error, tmp_path):
    with pytest.raises(error):
        ms.save_checkpoint(NET, str(tmp_path / "net"), **options)
    assert os.listdir(tmp_path) == []


def test_a_folder_is_no_file_name(tmp_path):
    with pytest.raises(IsADirectoryError):
        ms.save_checkpoint(NET, str(tmp_path))


F32, F64, F16, I32 = np.float32, np.float64, np.float16, np.int32
SQUARE = (2, 2)


@pytest.mark.parametrize(
    "given, strict, expected",
    [
        (weights(weight=(SQUARE, F32)), False, (["bias"], [])),
        (weights(weight=(SQUARE, F64)), False, (["bias"], [])),
        (weights(weight=(SQUARE, F64)), True, RuntimeError),
        (weights(weight=(SQUARE, F16)), False, (["bias"], [])),
        (weights(weight=(SQUARE, I32)), False, RuntimeError),
        (weights(weight=(SQUARE, bool)), False, RuntimeError),
        (weights(weight=((3, 2), F32)), False, RuntimeError),
        (weights(weight=((2, 2, 1, 1), F32)), False, (["bias"], [])),
        (weights(weight=((1, 2, 2), F32)), False, RuntimeError),
        ({"weight": "text"}, False, (["bias"], ["weight"])),
        ({"weight": Tensor(1.0)}, False, TypeError),
        ({}, False, (["weight", "bias"], [])),
        ({"a.b.weight": weights(weight=(SQUARE, F32))["weight"]}, False, (["bias"], ["a.b.weight"])),
        ({"a.b.weight": weights(weight=(SQUARE, F32))["weight"]}, True, (["weight", "bias"], ["a.b.weight"])),
        (
            {"a.weight": weights(weight=(SQUARE, F32))["weight"], "b.bias": weights(bias=((2,), F32))["bias"]},
            False,
            ([], ["a.weight", "b.bias"]),
        ),
    ],
)
def test_into_a_net(given, strict, expected):
    net = nn.Dense(2, 2)
    if isinstance(expected, tuple):
        assert ms.load_param_into_net(net, given, strict) == expected
        assert net.weight.dtype == ms.float32
    else:
        with pytest.raises(expected):
            ms.load_param_into_net(net, given, strict)


def test_a_stream_of_safetensors(folder):
    content = io.BytesIO((folder / "net.safetensors").read_bytes())
    assert sorted(ms.load_checkpoint(content, format="safetensors")) == ALL
    with pytest.raises(TypeError):
        ms.load_checkpoint(content)


def test_converting_files(folder, tmp_path):
    ms.ckpt_to_safetensors(str(folder / "net.ckpt"), str(tmp_path), {"0.weight": "W"})
    assert "W" in ms.load_checkpoint(str(tmp_path / "net.safetensors"), format="safetensors")
    ms.safetensors_to_ckpt(str(tmp_path / "net.safetensors"))
    assert "W" in ms.load_checkpoint(str(tmp_path / "net.ckpt"))
    ms.ckpt_to_safetensors(str(folder / "multi"), str(tmp_path))
    assert (tmp_path / "rank_0" / "net.safetensors").exists()
    for wrong in (
        {"file_path": str(folder)},
        {"file_path": str(folder / "nothing.ckpt")},
        {"file_path": str(folder / "net.safetensors")},
        {"file_path": str(folder / "net.ckpt"), "name_map": ["W"]},
        {"file_path": str(folder / "net.ckpt"), "save_path": str(tmp_path / "new.safetensors")},
        {"file_path": str(folder / "net.ckpt"), "file_name_regex": "^other"},
    ):
        with pytest.raises(ValueError):
            ms.ckpt_to_safetensors(**wrong)


def test_checking_files(folder):
    names = ("net.ckpt", "net.safetensors", "junk.ckpt", "junk.safetensors", "empty.ckpt")
    assert [ms.check_checkpoint(str(folder / name)) for name in names] == [True, True, False, False, False]


@pytest.mark.parametrize("suffix", ["ckpt", "safetensors"])
def test_loading_holds_each_weight_once(suffix, tmp_path):
    path = str(tmp_path / f"big.{suffix}")
    size = 8 << 20
    ms.save_checkpoint({f"p{i}": np.ones(size // 4, np.float32) for i in range(4)}, path, format=suffix)
    ms.load_checkpoint(path, format=suffix)  # what is made once
    tracemalloc.start()
    loaded = ms.load_checkpoint(path, format=suffix)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(loaded) == 4 and peak < 4 * size * 1.1


def test_what_was_loaded_is_trained_and_kept(tmp_path, mode):
    """The net and the dict share arrays; a step that overwrites the net's leaves the dict's alone."""
    net = nn.Dense(4, 4)
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(net, path)
    given = ms.load_checkpoint(path, net=net)
    before = given["weight"].asnumpy().copy()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.1))
    for _ in range(2):
        step(Tensor(np.ones((2, 4), np.float32)), Tensor(np.zeros((2, 4), np.float32)))
    assert (given["weight"].asnumpy() == before).all() and (net.weight.asnumpy() != before).any()
    del given
    step(Tensor(np.ones((2, 4), np.float32)), Tensor(np.zeros((2, 4), np.float32)))
