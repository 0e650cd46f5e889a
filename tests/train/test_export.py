"""Exported networks give the same numbers when they are loaded again."""

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn

pytest.importorskip("flatbuffers", reason="jax.export writes with flatbuffers")


@pytest.mark.parametrize("file_format", ["MINDIR", "STABLEHLO"])
def test_round_trip(tmp_path, file_format):
    net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.ReLU())
    x = Tensor(np.random.rand(2, 3).astype(np.float32))
    ms.export(net, x, file_name=str(tmp_path / "net"), file_format=file_format)
    graph = ms.load(str(tmp_path / f"net.{file_format.lower()}"))
    again = nn.GraphCell(graph)
    net.set_train(False)
    np.testing.assert_allclose(again(x).asnumpy(), net(x).asnumpy(), rtol=1e-6)
    assert {p.name for p in again.get_parameters()} == {p.name for p in net.get_parameters()}


@pytest.mark.parametrize("file_format", ["ONNX", "AIR", "PNG"])
def test_other_formats_are_refused(tmp_path, file_format):
    with pytest.raises(ValueError, match=file_format):
        ms.export(nn.ReLU(), Tensor([1.0]), file_name=str(tmp_path / "net"), file_format=file_format)


def test_a_foreign_file_is_refused(tmp_path):
    (tmp_path / "net.mindir").write_bytes(b"something else")
    with pytest.raises(ValueError, match="was not written by msjax"):
        ms.load(str(tmp_path / "net.mindir"))
