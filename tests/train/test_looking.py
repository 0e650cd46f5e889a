"""Looking at training: msjax.summary, the progress bar, msjax plot, TensorBoard's own reader, LossMonitor's lines."""

import io
import pathlib

import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import Tensor, nn
from mindspore.train import LossMonitor, Model, SummaryRecord, TimeMonitor

import msjax
from msjax.cli import main as cli
from msjax.train.callback import progress


def model():
    net = nn.SequentialCell(nn.Dense(4, 3), nn.Dropout(p=0.5))
    return Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})


def data(rows=8):
    return ds.NumpySlicesDataset((np.ones((rows, 4), np.float32), np.ones((rows, 3), np.float32)), shuffle=False).batch(
        2
    )


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.fc = nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.Dense(8, 10)

    def construct(self, x):
        return self.fc(self.norm(self.conv(x)).mean((2, 3)))


def test_summary(mode):
    net = Net()
    before = [p.asnumpy() for p in net.get_parameters()]
    found = msjax.summary(net, Tensor(np.zeros((2, 1, 16, 16), np.float32)))
    assert [(x.name, x.kind, x.shape, x.parameters) for x in found.layers] == [
        ("conv", "Conv2d", "(2, 8, 16, 16)", 72),
        ("norm", "BatchNorm2d", "(2, 8, 16, 16)", 32),
        ("fc", "Dense", "(2, 10)", 90),
        ("(all)", "Net", "(2, 10)", 0),
    ]
    assert found.parameters == 194 and found.trainable == 178 and found.weight_bytes == 776
    assert 2 * 2 * 8 * 16 * 16 * 9 * 0.7 < found.layers[0].flops < found.flops
    text = str(found)
    assert "conv" in text and "194 (178 trainable)" in text
    assert all((a == p.asnumpy()).all() for a, p in zip(before, net.get_parameters()))
    assert net(Tensor(np.zeros((1, 1, 16, 16), np.float32))).shape == (1, 10), "no hook is left"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_bar_where_nothing_else_prints(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    m = model()
    m.fit(2, data(), data())
    shown = terminal.getvalue()
    assert "epoch 1/2 [" in shown and "epoch 2/2 [" in shown and "4/4" in shown and "eval" in shown and "loss" in shown
    for quiet in (LossMonitor(), TimeMonitor()):
        assert progress.progress_bars([quiet]) == []
    monkeypatch.setenv("MSJAX_PROGRESS", "0")
    assert progress.progress_bars([]) == []
    assert capsys.readouterr().out == ""


def test_loss_monitor_prints_mindspores_lines(capsys):
    m = model()
    m.train(2, data(), callbacks=LossMonitor(3))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(", loss is ")[0] for line in lines] == ["epoch: 1 step: 3", "epoch: 2 step: 2"]
    assert all(repr(float(line.rpartition(" ")[2])) == line.rpartition(" ")[2] for line in lines)


@pytest.fixture
def events(tmp_path):
    values = {"scalar": ("loss", 2.5), "histogram": ("weights", np.arange(20.0)), "tensor": ("row", np.arange(3)),
              "image": ("picture", np.random.rand(2, 3, 4, 4).astype(np.float32))}  # fmt: skip
    with SummaryRecord(str(tmp_path)) as record:
        for step in (1, 2):
            for kind, (tag, value) in values.items():
                record.add_value(kind, tag, Tensor(np.asarray(value, np.float32) * step))
            record.record(step)
    return tmp_path


def test_plot(events, capsys):
    out = str(events / "out.png")
    assert not cli.main(["plot", str(events), "-o", out])
    assert pathlib.Path(out).read_bytes()[:4] == b"\x89PNG" and "loss" in capsys.readouterr().out
    (events / "empty").mkdir()
    with pytest.raises(SystemExit):
        cli.main(["plot", str(events / "empty")])
    assert "no event file" in capsys.readouterr().err


def test_tensorboards_reader_gives_back_what_was_written(events):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    every = dict.fromkeys(accumulator.DEFAULT_SIZE_GUIDANCE, 0)
    read = accumulator.EventAccumulator(str(events), size_guidance=every).Reload()
    tags = read.Tags()
    (loss,) = [t for t in tags["scalars"] if "loss" in t]
    assert [(e.step, e.value) for e in read.Scalars(loss)] == [(1, 2.5), (2, 5.0)]
    (weights,) = tags["histograms"]
    assert read.Histograms(weights)[1].histogram_value.max == 38.0
    (picture,) = tags["images"]
    assert read.Images(picture)[0].encoded_image_string[:4] == b"\x89PNG"
    (row,) = tags["tensors"]
    assert read.Tensors(row)[1].tensor_proto.tensor_content == np.arange(0, 6, 2).astype(np.float32).tobytes()
