"""Summaries: event files record by record, values, summary operators in both modes, SummaryCollector, landscapes."""

import glob
import io
import os
import struct

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
import pytest
from mindspore import Tensor, nn, ops
from mindspore.train import Loss, Model, SummaryCollector, SummaryLandscape, SummaryRecord
from PIL import Image

from msjax.mindrecord.tfrecord import read_records
from msjax.train.summary import event_file


def fields(data):
    """Message -> list of (number, value): a second, independent reader of the format."""
    found, at = [], 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            value = varint()
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = struct.unpack("<d" if kind == 1 else "<f", data[at : at + size])[0], at + size
        else:
            size = varint()
            value, at = data[at : at + size], at + size
        found.append((key >> 3, value))
    return found


def one(message, *path):
    """The value of a field, given by its numbers."""
    for number in path:
        message = dict(fields(message))[number]
    return message


def events(folder):
    """{(step, tag): Value} of the event files of a folder."""
    found = {}
    for path in sorted(glob.glob(f"{folder}/*tfevents*")):
        for number, data in enumerate(read_records(path)):
            event = dict(fields(data))
            if number == 0:
                assert event[3] == b"brain.Event:2"
                continue
            for value in fields(event[5]):
                found[event.get(2), one(value[1], 1).decode()] = value[1]
    return found


def scalars(folder):
    return {key: one(value, 2) for key, value in events(folder).items() if 2 in dict(fields(value))}


def test_record_has_length_and_masked_checksums():
    # CRC-32C of "123456789" is 0xE3069283 (RFC 3720, appendix B.4 lists the polynomial's other check values)
    crc = 0xE3069283
    assert event_file.masked_crc32c(b"123456789") == ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    data = event_file.record(b"123456789")
    assert data[:8] == struct.pack("<Q", 9) and data[12:21] == b"123456789" and len(data) == 25
    assert struct.unpack("<I", data[21:])[0] == event_file.masked_crc32c(b"123456789")
    assert struct.unpack("<I", data[8:12])[0] == event_file.masked_crc32c(data[:8])


def test_values_come_back(tmp_path):
    rng = np.random.RandomState(0)
    pixels = rng.randint(0, 255, (2, 3, 4, 5)).astype(np.uint8)
    numbers = np.append(rng.randn(100), [np.nan, np.inf]).astype(np.float32)
    with SummaryRecord(str(tmp_path), network=nn.Dense(2, 3)) as record:
        assert record.log_dir.startswith(str(tmp_path)) and "tfevents" in record.log_dir
        record.add_value("scalar", "loss", Tensor(0.25))
        record.add_value("image", "digits", Tensor(pixels))
        record.add_value("tensor", "weights", Tensor([[1.5, 2.5]]))
        record.add_value("histogram", "spread", Tensor(numbers))
        assert record.record(7) is True
        record.add_value("scalar", "loss", Tensor([0.125]))
        record.record(8)
        record.flush()
    assert scalars(tmp_path) == {(7, "loss"): 0.25, (8, "loss"): 0.125}
    found = events(tmp_path)
    image = dict(fields(one(found[7, "digits"], 4)))
    assert (image[1], image[2], image[3]) == (4, 10, 3)
    decoded = np.asarray(Image.open(io.BytesIO(image[4])))
    np.testing.assert_array_equal(decoded, np.concatenate(pixels.transpose(0, 2, 3, 1), axis=1))
    tensor = one(found[7, "weights"], 8)
    assert np.frombuffer(one(tensor, 4), np.float32).tolist() == [1.5, 2.5]
    assert [one(size, 1) for number, size in fields(one(tensor, 2)) if number == 2] == [1, 2]
    histogram = dict(fields(one(found[7, "spread"], 5)))
    limits, counts = (np.frombuffer(histogram[n], "<f8") for n in (6, 7))
    finite = numbers[np.isfinite(numbers)]
    assert counts.sum() == histogram[3] == 100 and len(limits) == len(counts) == 11
    assert histogram[1] == finite.min() and histogram[2] == finite.max() == limits[-1]
    np.testing.assert_allclose(
        [histogram[4], histogram[5]], [finite.sum(dtype=float), (finite.astype(float) ** 2).sum()]
    )
    assert b"Dense" in one(found[7, "network"], 8, 8)


def test_summary_operators_of_a_network(mode, tmp_path):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scalar, self.histogram, self.image, self.tensor = (
                ops.ScalarSummary(),
                ops.HistogramSummary(),
                ops.ImageSummary(),
                ops.TensorSummary(),
            )

        def construct(self, x):
            y = x * 2
            self.scalar("mean", y.mean())
            self.histogram("spread", y)
            self.image("picture", y)
            self.tensor("all", y)
            return y

    net = Net()
    with SummaryRecord(str(tmp_path)) as record:
        for step in (1, 2):
            net(Tensor(np.full((1, 1, 2, 2), step, np.float32)))
            record.record(step)
    assert scalars(tmp_path) == {(1, "mean"): 2.0, (2, "mean"): 4.0}
    assert {tag for step, tag in events(tmp_path) if step == 2} == {"mean", "spread", "picture", "all"}


def test_summary_operator_inside_a_gradient(mode, tmp_path):
    weight = ms.Parameter(Tensor(3.0), name="w")

    def loss(x):
        y = x * weight
        ops.ScalarSummary()("y", y)
        return y

    with SummaryRecord(str(tmp_path)) as record:
        assert float(ms.grad(loss, None, [weight])(Tensor(2.0))[0]) == 2
        record.record(1)
    assert scalars(tmp_path) == {(1, "y"): 6.0}


def test_eval_mode_leaves_operators_alone_and_filter(tmp_path):
    with SummaryRecord(str(tmp_path)) as record:
        record.set_mode("eval")
        ops.ScalarSummary()("train", Tensor(1.0))
        record.add_value("scalar", "a", Tensor(1.0))
        record.add_value("histogram", "b", Tensor([1.0]))
        record.record(1, plugin_filter=lambda plugin: plugin == "scalar")
        record.set_mode("train")
        record.record(2)
    assert set(events(tmp_path)) == {(1, "a"), (2, "train")}


def test_export_and_size_limit(tmp_path):
    with SummaryRecord(str(tmp_path), export_options={"tensor_format": "npy"}, max_file_size=400) as record:
        for step in range(20):
            record.add_value("tensor", "net/x", Tensor([1.0, 2.0]))
            record.record(step)
    files = glob.glob(f"{tmp_path}/export_*/tensor/net_x_*.npy")
    assert len(files) == 20 and np.load(files[0]).tolist() == [1, 2]
    (path,) = glob.glob(f"{tmp_path}/*tfevents*")
    assert 300 < os.path.getsize(path) <= 400


def test_tensor_dump_numbers_its_files(mode, tmp_path):
    @ms.jit
    def compiled(x):
        ops.TensorDump()(f"{tmp_path}/inside", x + 1)
        return x

    compiled(Tensor([1.0]))
    ops.tensordump(f"{tmp_path}/outside", Tensor([1, 2], ms.int32))
    ms.runtime.synchronize()
    (inside,) = glob.glob(f"{tmp_path}/inside_float32_*.npy")
    (outside,) = glob.glob(f"{tmp_path}/outside_int32_*.npy")
    assert np.load(inside).tolist() == [2.0] and np.load(outside).tolist() == [1, 2]


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda r: r.add_value("sound", "x", Tensor(1.0)), ValueError, 'no such "plugin"'),
        (lambda r: r.add_value("scalar", "x", 1.0), TypeError, "expect to be Tensor"),
        (lambda r: r.add_value("scalar", "", Tensor(1.0)), ValueError, "name"),
        (lambda r: r.add_value("scalar", "x", Tensor([1.0, 2.0])), ValueError, "one element"),
        (lambda r: r.add_value("image", "x", Tensor([1.0])), ValueError, "N, 1, H, W"),
        (lambda r: r.set_mode("test"), ValueError, "must be 'train' or 'eval'"),
        (lambda r: r.record("1"), TypeError, "step"),
        (lambda r: SummaryRecord(r.base_log_dir), RuntimeError, "only one instance"),
        (lambda r: ops.ScalarSummary()("x", Tensor([1.0, 2.0])), ValueError, "one element"),
        (lambda r: ops.ScalarSummary()(1, Tensor(1.0)), TypeError, "name"),
        (lambda r: ops.ImageSummary()("x", Tensor([1.0])), ValueError, "dimension"),
    ],
)
def test_wrong_arguments(make, error, text, tmp_path):
    with SummaryRecord(str(tmp_path)) as record, pytest.raises(error, match=text):
        make(record)


@pytest.mark.parametrize(
    "kwargs, error",
    [
        ({"file_prefix": "a/b"}, ValueError),
        ({"max_file_size": "1"}, TypeError),
        ({"export_options": {"image_format": "png"}}, ValueError),
        ({"raise_exception": 1}, TypeError),
    ],
)
def test_failed_record_is_not_open(kwargs, error, tmp_path):
    with pytest.raises(error):
        SummaryRecord(str(tmp_path), **kwargs)
    SummaryRecord(str(tmp_path)).close()


def training(tmp_path, sink=False, epochs=2, **kwargs):
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Dense(32, 3))
    rng = np.random.RandomState(0)
    data = ds.NumpySlicesDataset(
        (rng.rand(24, 1, 4, 4).astype(np.float32), rng.randint(0, 3, 24).astype(np.int32)), ["x", "y"]
    ).batch(4)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9), metrics={"loss": Loss()})
    model.train(epochs, data, callbacks=[SummaryCollector(str(tmp_path), **kwargs)], dataset_sink_mode=sink)
    return model, net, data


@pytest.mark.parametrize("sink", [False, True])
def test_collector_records_a_run(sink, mode, tmp_path):
    training(tmp_path, sink, collect_freq=1 if sink else 4, custom_lineage_data={"author": "me"})
    found = events(tmp_path)
    steps = {step for step, tag in found if tag == "loss/auto"}
    assert steps == (set(range(1, 13)) if sink else {1, 4, 8, 12})  # on the CPU each step is told, sunk or not
    tags = {tag for _, tag in found}
    assert {
        "0.weight/auto",
        "2.bias/auto",
        "train_network/auto",
        "train_dataset",
        "train_lineage",
        "custom_lineage_data",
    } <= tags
    assert "input_data/auto" in tags
    lineage = one(next(v for (_, tag), v in found.items() if tag == "train_lineage"), 8, 8)
    assert b"Momentum" in lineage and b"SoftmaxCrossEntropyWithLogits" in lineage and b"| batch_size | 4 |" in lineage


def test_collector_takes_only_what_is_wanted(tmp_path):
    training(
        tmp_path,
        collect_freq=5,
        keep_default_action=False,
        collect_specified_data={"collect_metric": True, "histogram_regular": ".*bias"},
    )
    assert {tag for _, tag in events(tmp_path)} == {"loss/auto", "2.bias/auto"}


def test_landscape_around_the_path(tmp_path):
    model, net, data = training(
        tmp_path,
        keep_default_action=False,
        collect_specified_data={
            "collect_landscape": {"landscape_size": 3, "unit": "step", "num_samples": 24, "intervals": [[2, 5, 9]]}
        },
    )
    before = [p.asnumpy().copy() for p in net.get_parameters()]
    landscape = SummaryLandscape(str(tmp_path))
    landscape.gen_landscapes_with_multi_process(
        lambda: (model, net, data, {"loss": Loss()}), output=str(tmp_path / "out")
    )
    assert all((a == p.asnumpy()).all() for a, p in zip(before, net.get_parameters(), strict=True))
    found = events(tmp_path / "out")
    loss = np.frombuffer(one(found[0, "landscape_0/loss"], 8, 4), np.float32)
    assert loss.shape == (9,) and np.isfinite(loss).all() and len(set(loss.tolist())) == 9
    landscape.clean_ckpt()
    with pytest.raises(ValueError, match="train with SummaryCollector"):
        landscape.gen_landscapes_with_multi_process(lambda: None)
    with pytest.raises(FileNotFoundError):  # settings are looked at first, as in MindSpore
        landscape.gen_landscapes_with_multi_process(lambda: None, collect_landscape={"landscape_size": 40})
    with pytest.raises(TypeError, match="'num_samples' must be an int"):
        landscape.gen_landscapes_with_multi_process(lambda: None, collect_landscape={"num_samples": None})


@pytest.mark.parametrize(
    "kwargs, error, text",
    [
        ({"collect_freq": 0}, ValueError, "collect_freq"),
        ({"collect_freq": "1"}, TypeError, "collect_freq"),
        ({"collect_specified_data": {"collect_all": True}}, ValueError, "unsupported"),
        ({"collect_specified_data": {"collect_metric": 1}}, TypeError, "collect_metric"),
        ({"collect_specified_data": {"histogram_regular": "("}}, ValueError, "regular"),
        (
            {"collect_specified_data": {"collect_landscape": {"intervals": [[1]]}}},
            ValueError,
            "a list of at least 3 items",
        ),
        ({"custom_lineage_data": {"a": []}}, TypeError, "custom_lineage_data"),
    ],
)
def test_collector_refuses(kwargs, error, text, tmp_path):
    with pytest.raises(error, match=text):
        SummaryCollector(str(tmp_path), **kwargs)


def test_operator_in_sunk_training(mode, tmp_path):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense, self.summary = nn.Dense(3, 1), ops.ScalarSummary()

        def construct(self, x):
            y = self.dense(x)
            self.summary("mean", y.mean())
            return y

    net = Net()
    data = ds.NumpySlicesDataset((np.ones((8, 3), np.float32), np.ones((8, 1), np.float32)), ["x", "y"]).batch(2)
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.01))
    model.train(2, data, callbacks=[SummaryCollector(str(tmp_path), collect_freq=1)], dataset_sink_mode=True)
    assert {(4, "mean"), (8, "mean"), (4, "loss/auto")} <= set(scalars(tmp_path))
