"""Folders of safetensors files with whole Parameters, and ranks that hold the same; what MindSpore does with each was asked of it."""

import base64
import pathlib

import golden_files
import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn
from mindspore.train._utils import get_parameter_redundancy

STRATEGIES = golden_files.read("strategies")["files"]
W, B = np.arange(256, dtype=np.float32).reshape(16, 16), np.arange(3, dtype=np.float32)


class Net(nn.Cell):
    def __init__(self, name="w"):
        super().__init__()
        self.w = Parameter(Tensor(np.zeros((16, 16), np.float32)), name=name)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "whole").mkdir()
    rows = [{"name": "w", "data": Tensor(W)}, {"name": "b", "data": Tensor(B)}]
    ms.save_checkpoint(rows, str(tmp_path / "whole" / "part0.safetensors"), format="safetensors")
    for name in ("grid", "repeated", "rows4"):
        (tmp_path / f"{name}.ckpt").write_bytes(base64.b64decode(STRATEGIES[name]))
    return tmp_path


def load(network, folder, **options):
    options = {"format": "safetensors", "unified_safetensors_dir": str(folder / "whole"), **options}
    return ms.load_distributed_checkpoint(network, **options)


def test_a_network_loads_them_and_the_rest_is_told(folder):
    net = Net()
    assert load(net, folder) == ([], ["b"])
    np.testing.assert_array_equal(net.w.asnumpy(), W)


def test_the_map_gives_the_name_in_the_files(folder):
    for name_map, left, total in (({"v": "w"}, [], W.sum()), ({"w": "v"}, ["v"], 0)):
        net = Net("v")
        assert load(net, folder, name_map=name_map) == (left, ["b"])
        assert net.w.asnumpy().sum() == total


def test_the_parameters_are_given_instead_of_loaded(folder):
    net = Net()
    assert set(load(net, folder, return_param_dict=True)) == {"w", "b"}
    assert not net.w.asnumpy().any()


@pytest.mark.parametrize("kind", ["safetensors", "ckpt"])
def test_each_rank_gets_a_file_of_its_slices(folder, kind):
    assert load(None, folder, dst_safetensors_dir=str(folder / "cut"), output_format=kind, predict_strategy=str(folder / "rows4.ckpt"))  # fmt: skip
    for rank in range(4):
        found = ms.load_checkpoint(str(folder / "cut" / f"rank_{rank}" / f"net.{kind}"), format=kind)
        np.testing.assert_array_equal(found["w"].asnumpy(), W[4 * rank : 4 * rank + 4])
        np.testing.assert_array_equal(found["b"].asnumpy(), B)


def test_the_file_of_one_rank(folder):
    load(None, folder, dst_safetensors_dir=str(folder / "cut"), rank_id=1)
    assert [p.name for p in (folder / "cut").iterdir()] == ["rank_1"]


@pytest.mark.parametrize(
    "options",
    [{}, {"checkpoint_filenames": ["a"]}, {"strict_load": True}, {"output_format": "onnx"}, {"unified_safetensors_dir": None}],
)  # fmt: skip
def test_what_is_not_done_is_refused(folder, options):
    with pytest.raises(ValueError):
        load(None, folder, **options)


def test_ranks_that_hold_the_same():
    layouts = {
        "rows": [[2, 2], [0, -1]],
        "grid": [[2, 2], [1, 0]],
        "deep": [[2, 2, 2], [-1, 1]],
        "whole": [[2, 4], [-1, -1]],
    }
    assert get_parameter_redundancy(layouts, initial_rank=8) == {
        "deep": ((8, 9, 12, 13), (10, 11, 14, 15)),
        "grid": ((8,), (10,), (9,), (11,)),
        "rows": ((8, 10), (9, 11)),
        "whole": ((8, 9, 10, 11, 12, 13, 14, 15),),
    }


@pytest.mark.parametrize("strategy, other", [("grid", None), ("repeated", 1)])
def test_the_checkpoint_of_another_that_holds_the_same(folder, monkeypatch, strategy, other):
    monkeypatch.setattr("msjax.train.redundancy.get_rank", lambda: 0)
    paths = [str(folder / f"rank_{rank}" / "a.ckpt") for rank in range(3)]

    def write(path):
        pathlib.Path(path).parent.mkdir()
        pathlib.Path(path).write_bytes(b"x")

    for path in paths[1:]:
        write(path)
    given = paths[0], str(folder / f"{strategy}.ckpt")
    assert ms.get_ckpt_path_with_strategy(*given) == (None if other is None else paths[other])
    write(paths[0])
    assert ms.get_ckpt_path_with_strategy(*given) == paths[0]
