"""`msjax convert`: each kind of file to each, PyTorch's files without executing anything, names, --match."""

import pickle

import mindspore as ms
import ml_dtypes
import numpy as np
import pytest
from mindspore import nn
from torch_files import torch_file

from msjax.cli import main as cli
from msjax.train.weights import read_weights, torch_to_mindspore

ARRAYS = {
    "fc.weight": np.arange(6, dtype=np.float32).reshape(2, 3),
    "fc.bias": np.array([1.5, -1.5], np.float16),
    "step": np.array(7, np.int64),
}


@pytest.fixture
def torch_net(tmp_path):
    f32 = np.float32
    content = {
        "conv.weight": ("FloatStorage", np.arange(18, dtype=f32), (2, 1, 3, 3), (9, 9, 3, 1)),
        "bn.weight": ("FloatStorage", np.ones(2, f32), (2,), (1,)),
        "bn.bias": ("FloatStorage", np.zeros(2, f32), (2,), (1,)),
        "bn.running_mean": ("FloatStorage", np.full(2, 3, f32), (2,), (1,)),
        "bn.running_var": ("FloatStorage", np.full(2, 4, f32), (2,), (1,)),
        "bn.num_batches_tracked": ("LongStorage", np.array([5]), (), ()),
        "embed.weight": ("FloatStorage", np.arange(6, dtype=f32), (3, 2), (2, 1)),
        "head.weight": ("BFloat16Storage", np.arange(6).astype(ml_dtypes.bfloat16), (3, 2), (1, 3)),
        "head.bias": ("HalfStorage", np.ones(3, np.float16), (3,), (1,)),
    }
    return torch_file(tmp_path / "net.pth", content)


@pytest.mark.parametrize("kind", ["ckpt", "safetensors", "npz"])
def test_each_kind_to_each(kind, tmp_path, capsys):
    np.savez(tmp_path / "start.npz", **ARRAYS)
    assert cli.main(["convert", str(tmp_path / "start.npz"), str(tmp_path / f"a.{kind}")]) == 0
    assert "3 arrays" in capsys.readouterr().out
    cli.main(["convert", str(tmp_path / f"a.{kind}"), str(tmp_path / "end.ckpt")])
    again = ms.load_checkpoint(str(tmp_path / "end.ckpt"))
    for name, array in ARRAYS.items():
        got = again[name].asnumpy()
        assert got.dtype == array.dtype and got.shape == array.shape and (got == array).all()


def test_orbax_both_ways(tmp_path):
    pytest.importorskip("orbax.checkpoint")
    np.savez(tmp_path / "start.npz", **ARRAYS)
    cli.main(["convert", str(tmp_path / "start.npz"), str(tmp_path / "folder")])
    again = read_weights(tmp_path / "folder")
    assert all((again[name] == array).all() for name, array in ARRAYS.items())


def test_pytorch_under_mindspores_names(torch_net, tmp_path):
    assert cli.main(["convert", torch_net, str(tmp_path / "net.ckpt")]) == 0
    got = ms.load_checkpoint(str(tmp_path / "net.ckpt"))
    assert list(got) == [
        "conv.weight", "bn.gamma", "bn.beta", "bn.moving_mean", "bn.moving_variance", "embed.embedding_table",
        "head.weight", "head.bias",
    ]  # fmt: skip
    assert got["head.weight"].dtype == ms.bfloat16
    assert got["head.weight"].float().asnumpy().tolist() == [[0, 3], [1, 4], [2, 5]], "strides"
    cli.main(["convert", torch_net, str(tmp_path / "as_it_is.ckpt"), "--keep-names"])
    assert "bn.running_mean" in ms.load_checkpoint(str(tmp_path / "as_it_is.ckpt"))


def test_match_gives_a_network_its_names(torch_net, tmp_path, capsys):
    (tmp_path / "net.py").write_text(
        "from mindspore import nn\n"
        "class Net(nn.Cell):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.conv1, self.bn = nn.Conv2d(1, 2, 3, has_bias=False), nn.BatchNorm2d(2)\n"
        "        self.table, self.classifier, self.new = nn.Embedding(3, 2), nn.Dense(2, 3), nn.Dense(7, 7, has_bias=False)\n"
    )
    target = str(tmp_path / "net.ckpt")
    assert cli.main(["convert", torch_net, target, "--match", f"{tmp_path / 'net.py'}:Net"]) == 1
    out = capsys.readouterr().out
    assert "conv.weight -> conv1.weight" in out and "head.bias -> classifier.bias" in out
    assert "without a value: new.weight" in out and "not used" not in out
    got = ms.load_checkpoint(target)
    assert got["classifier.bias"].asnumpy().tolist() == [1, 1, 1]
    with pytest.raises(SystemExit):
        cli.main(["convert", torch_net, target, "--match", f"{tmp_path / 'net.py'}:Nett"])
    assert "Did you mean 'Net'" in capsys.readouterr().err


class Evil:
    def __reduce__(self):
        return print, ("executed",)


def test_nothing_in_a_pytorch_file_is_executed(tmp_path, capsys):
    path = torch_file(tmp_path / "evil.pth", {}, {"x": Evil()})
    with pytest.raises(ValueError, match="builtins.print|__builtin__.print"):
        read_weights(path)
    assert capsys.readouterr().out == ""
    outside = torch_file(tmp_path / "o.pth", {"w": ("FloatStorage", np.ones(2, np.float32), (2, 2), (2, 1))})
    with pytest.raises(ValueError, match="past its storage"):
        read_weights(outside)
    (tmp_path / "old.pth").write_bytes(pickle.dumps({"x": 1}))
    with pytest.raises(ValueError, match="1.6 or later"):
        read_weights(tmp_path / "old.pth")


def test_wrong_names_are_told(tmp_path, capsys):
    for arguments in (["nothing.ckpt", "b.ckpt"], [str(tmp_path / "a.txt"), "b.ckpt"]):
        (tmp_path / "a.txt").touch()
        with pytest.raises(SystemExit) as ended:
            cli.main(["convert", *arguments])
        assert ended.value.code == 1 and "msjax convert: " in capsys.readouterr().err


def test_rules_leave_other_weights_alone():
    names = ["fc.weight", "fc.bias", "lstm.weight_ih_l0", "scale", "proj.weight"]
    arrays = {name: np.zeros((2,) if name == "fc.bias" else (2, 2), np.float32) for name in names}
    assert list(torch_to_mindspore(arrays)) == names
    arrays["fc.bias"] = arrays["fc.weight"]  # of one shape with the weight, as a norm of two axes has it
    assert list(torch_to_mindspore(arrays))[:2] == ["fc.gamma", "fc.beta"]
    assert nn.LayerNorm((2,)).parameters_dict().keys() == {"gamma", "beta"}
