"""A valid file of each format that the package reads, and how it is read: what `file_loaders.py` makes its table of.

Functions named for a format write files into a folder; those that begin with `read_` read them; those with arguments give both.
"""

import gzip
import itertools
import json
import pathlib
import pickle
import shutil
import zlib

import numpy as np
import source_formats_text
import source_formats_vision
from source_files import fill
from torch_files import torch_file

GOLDENS = pathlib.Path(__file__).resolve().parent / "goldens"
KEY = b"0123456789abcdef"
ENTRIES = [
    ("a.weight", np.arange(600, dtype=np.float32).reshape(20, 30), "Float32"),
    ("b", np.arange(9), "Int64"),
    ("s", "text", "str"),
    ("m", [np.arange(4, dtype=np.int32), np.ones((4, 3), np.float32), np.zeros(4, np.int32)], "mapparameter"),
]


def ckpt(key=None, mode="AES-GCM", crc=False):
    from msjax.train import checkpoint_format as files

    def make(folder):
        files.write(folder / "net.ckpt", ENTRIES, crc_check=crc, enc_key=key, enc_mode=mode)

    def read(folder):
        return files.read(folder / "net.ckpt", crc_check=crc, dec_key=key, dec_mode=mode)

    return make, read


def parameters(folder):
    import mindspore as ms

    return {
        name: p.asnumpy() for name, p in ms.load_checkpoint(str(folder / "net.ckpt")).items() if hasattr(p, "asnumpy")
    }


def plain_ckpt(folder):
    from msjax.train import checkpoint_format as files

    files.write(folder / "net.ckpt", ENTRIES[:3])


def message(folder):
    from msjax.train.checkpoint_messages import Checkpoint

    made = Checkpoint()
    made.ParseFromString((folder / "net.ckpt").read_bytes())
    return [value.tag for value in made.value]


def safetensors(folder):
    from msjax.train import safetensors_format

    safetensors_format.write_safetensors(folder / "net.safetensors", ENTRIES[:2], crc_check=True)


def read_safetensors(folder):
    from msjax.train import safetensors_format

    return safetensors_format.read_safetensors(folder / "net.safetensors", crc_check=True)[0]


def weights(name):
    def read(folder):
        from msjax.train.weights import read_weights

        return read_weights(folder / name)

    return read


def shards(folder):
    from msjax.train.weights import write_weights

    arrays = {"a": np.arange(4, dtype=np.float32), "b": np.ones(3, np.int32)}
    write_weights(folder / "model.safetensors.index.json", arrays, shard_bytes=16)


def npz(folder):
    np.savez_compressed(
        folder / "net.npz", a=np.arange(12.0).reshape(3, 4), b=np.arange(3, dtype=np.int32), t=np.array(["x", "yz"])
    )


def torch(folder):
    content = {
        "conv.weight": ("FloatStorage", np.arange(18, dtype=np.float32), (2, 1, 3, 3), (9, 9, 3, 1)),
        "bn.bias": ("LongStorage", np.zeros(2, np.int64), (2,), (1,)),
    }
    torch_file(folder / "net.pth", content)


def mindir(folder):
    shutil.copy(GOLDENS / "net.mindir", folder / "net.mindir")


def read_mindir(folder):
    from msjax.train.mindir import load_weights

    return {name: p.asnumpy() for name, p in load_weights(folder / "net.mindir").items()}


def network(folder):
    import mindspore as ms
    from mindspore import nn

    ms.set_seed(1)
    ms.export(
        nn.Dense(3, 2), ms.Tensor(np.ones((1, 3), np.float32)), file_name=str(folder / "net"), file_format="STABLEHLO"
    )


def read_network(folder):
    import mindspore as ms

    graph = ms.load(str(folder / "net.stablehlo"))
    return {p.name: p.asnumpy() for p in graph.parameters}


def strategy(name):
    def make(folder):
        from msjax.train import strategy_files as files

        layout = files.ParallelLayouts(
            *[[files.Dims([2, 4])], [files.Dims([1, 0])], [files.Dims([2, -1])], [files.Dims([0])]], 0, 0, 0
        )
        files.write(
            str(folder / name), files.StrategyFile({"MatMul-op1": (0, [[2, 4], [4, 1]])}, {"fc.weight": layout}, 1)
        )

    def read(folder):
        from msjax.train import strategy_files as files

        return files.read(str(folder / name))

    return make, read


def groups(folder):
    from msjax.train import strategy_files as files

    files.write_groups(str(folder / "groups.pb"), {"hccl_world_group": [0, 1]}, [0, 1])


def read_groups(folder):
    from msjax.train import strategy_files as files

    return files.read_groups(str(folder / "groups.pb"))


def distributed():
    """A folder as `hyper_parallel.save` writes it, and a file of layouts."""
    from mindspore import Tensor

    from msjax.hyper_parallel import checkpoint

    def state():
        return {"w": Tensor(np.zeros((3, 4), np.float32)), "note": {"step": 0}}

    def make(folder):
        checkpoint.save(state(), checkpoint_id=folder / "saved")
        checkpoint.save_layout({"0": {"w": {"type": "Float32", "full_shape": [3, 4]}}}, folder / "all.layout")

    def read(folder):
        found = state()
        checkpoint.load(found, checkpoint_id=folder / "saved")
        return found["w"].asnumpy(), found["note"], checkpoint.load_layout(folder / "all.layout")

    return make, read


def _run_objects():
    import mindspore as ms
    from mindspore import nn

    class Step(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2, 2)

    class Warmup:
        def __init__(self):
            self.count, self.rate, self.milestones = 3, 0.5, [1, 2]

    ms.set_seed(1)
    return Step(), Warmup()


def run(folder):
    import msjax

    msjax.save_run(str(folder / "run.ckpt"), *_run_objects(), note=3)


def read_run(folder):
    import msjax

    cell, warmup = _run_objects()
    run = msjax.load_run(str(folder / "run.ckpt"), cell, warmup)
    return [run and vars(run), vars(warmup), cell.dense.weight.asnumpy()]


def recording(folder):
    from msjax.cli.msjax_record import Recording

    recording = Recording()
    recording.meta["steps"] = 1
    recording.events, recording.arrays = [{"at": "a0"}], {"a0": np.arange(9.0)}
    recording.save(folder / "run.npz")


def read_recording(folder):
    from msjax.cli.msjax_record import Recording
    from msjax.files.archives import read_npz

    found = Recording.load(folder / "run.npz", read_npz)
    return [found.meta, found.events, found.arrays]


def pipeline(folder):
    import msjax.dataset as ds
    from msjax.dataset import transforms

    data = ds.NumpySlicesDataset(np.arange(6), "x", sampler=ds.SubsetSampler([1, 2, 3])).map(
        [transforms.TypeCast("float32"), transforms.Compose([transforms.Fill(3)])], "x"
    )
    ds.serialize(data.skip(1).rename("x", "y").batch(2).repeat(2), str(folder / "pipeline.json"))


def read_pipeline(folder):
    import msjax.dataset as ds

    return _rows(ds.deserialize(json_filepath=str(folder / "pipeline.json")))


def operation(folder):
    from msjax.dataset import transforms, vision

    text = transforms.Compose(
        [transforms.RandomApply([vision.RandomColorAdjust((0.5, 1), (0.4, 1)), vision.Invert()])]
    ).to_json()
    (folder / "operation.json").write_text(text)
    choice = vision.UniformAugment([vision.HorizontalFlip(), vision.Invert()], 1)
    (folder / "image.json").write_text(json.dumps(json.loads(choice.to_json())["tensor_op_params"]))


def read_operation(folder):
    from msjax.dataset import transforms, vision

    return [
        transforms.Compose.from_json((folder / "operation.json").read_text("latin-1")) and None,
        vision.UniformAugment.from_json((folder / "image.json").read_text("latin-1")) and None,
    ]


def mindrecord(folder, key=None):
    from msjax import mindrecord

    mindrecord.set_enc_key(key)
    try:
        writer = mindrecord.FileWriter(str(folder / "rows.mindrecord"), overwrite=True)
        writer.set_header_size(1 << 14)
        writer.set_page_size(1 << 15)
        writer.add_schema({"a": {"type": "int32"}, "b": {"type": "bytes"}, "c": {"type": "int64", "shape": [-1]}})
        writer.add_index(["a"])
        writer.write_raw_data([{"a": i, "b": bytes(i + 1), "c": np.arange(i + 1) * 300} for i in range(9)])
        writer.commit()
    finally:
        mindrecord.set_enc_key(None)


def read_mindrecord(folder, key=None):
    from msjax import mindrecord

    mindrecord.set_enc_key(key)
    try:
        reader = mindrecord.FileReader(str(folder / "rows.mindrecord"))
        try:
            return list(reader.get_next())
        finally:
            reader.close()
    finally:
        mindrecord.set_enc_key(None)


def append_mindrecord(folder):
    """The second way in: rows are added to a file, whose pages are read for its index."""
    from msjax import mindrecord

    copy = folder / "again"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    try:
        writer = mindrecord.FileWriter.open_for_append(str(copy / "rows.mindrecord"))
        try:
            writer.write_raw_data([{"a": 9, "b": b"more", "c": np.arange(2)}])
            writer.commit()
        finally:
            writer.close()
    finally:
        shutil.rmtree(copy)


def tfrecord(compression=""):
    def make(folder):
        import mindspore as ms

        from msjax.train.protobuf import field
        from msjax.train.summary.event_file import record

        def feature(name, kind, content):
            return field(1, field(1, name) + field(2, field(kind, content)))

        floats = np.arange(5, dtype="<f4").tobytes()
        example = field(
            1,
            feature(b"i", 3, field(1, b"\x05\xac\x02\x07"))
            + feature(b"f", 2, field(1, floats))
            + feature(b"s", 1, field(1, b"text")),
        )
        content = record(example) * 4
        packed = {"": bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress}[compression](content)
        (folder / "rows.tfrecord").write_bytes(packed)
        assert ms

    def read(folder):
        import msjax.dataset as ds

        return _rows(
            ds.TFRecordDataset(str(folder / "rows.tfrecord"), shuffle=False, compression_type=compression or None)
        )

    return make, read


def cifar(folder):
    data = np.arange(2 * 3072, dtype=np.uint32).astype(np.uint8).reshape(2, 3072)
    for name in ("data_batch_1", "test_batch"):
        content = {b"data": data, b"labels": [1, 2], b"filenames": [b"a", b"b"]}
        (folder / name).write_bytes(pickle.dumps(content, 2))


def read_cifar(folder):
    from msjax.mindrecord.cifar import Cifar10

    return Cifar10(str(folder)).load_data()


def vocabulary(folder):
    (folder / "vocab.txt").write_text("one,1\ntwo,2\nthree,3\n")
    (folder / "vectors.txt").write_text("one 0.1 0.2\ntwo 0.3 0.4\n")


def read_vocabulary(folder):
    from msjax.dataset import text

    return [
        text.Vocab.from_file(str(folder / "vocab.txt"), ",").vocab(),
        text.Vectors.from_file(str(folder / "vectors.txt")) and None,
    ]


def schema(folder):
    (folder / "schema.json").write_text(
        json.dumps({"datasetType": "TF", "numRows": 3, "columns": {"a": {"type": "int64", "rank": 1, "shape": [2]}}})
    )
    (folder / "config.json").write_text(json.dumps({"numParallelWorkers": 2, "seed": 5, "callbackTimeout": 60}))


def read_schema(folder):
    import msjax.dataset as ds

    workers, seed = ds.config.get_num_parallel_workers(), ds.config.get_seed()
    try:
        ds.config.load(str(folder / "config.json"))
        return ds.Schema(str(folder / "schema.json")).to_json()
    finally:
        ds.config.set_num_parallel_workers(workers)
        ds.config.set_seed(seed)
        ds.config.set_callback_timeout(60)


def rank_table(folder):
    server = {"server_id": "10.0.0.1", "device": [{"device_id": str(i), "rank_id": str(i)} for i in range(2)]}
    (folder / "table.json").write_text(json.dumps({"server_list": [server]}))


def read_rank_table(folder):
    from msjax.parallel.processes import find_world

    return find_world({"RANK_TABLE_FILE": str(folder / "table.json"), "RANK_ID": "1"})


def summary_folder(folder):
    saved = folder / "ckpt_dir"
    saved.mkdir()
    about = {"epoch_group": {"0": [1, 2]}, "model_params_file_map": {"1": "a.ckpt"}, "unit": "epoch", "num_samples": 4}
    (saved / "train_metadata.json").write_text(json.dumps(about))


def read_summary_folder(folder):
    from mindspore import SummaryLandscape

    return SummaryLandscape(str(folder))._saved(str(folder / "ckpt_dir" / "train_metadata.json"))


def trace(folder):
    from msjax.train.protobuf import field, varint

    instruction = field(1, b"add.1") + field(7, field(2, b"jit(f)/add"))
    computation = field(1, b"main") + field(2, instruction) + varint(5 << 3) + varint(1)
    module = field(1, b"jit_f") + field(3, computation)
    plane = field(2, b"/host:metadata") + field(4, field(2, field(5, field(6, field(1, module)))))
    where = folder / "plugins" / "profile" / "1"
    where.mkdir(parents=True)
    (where / "a.xplane.pb").write_bytes(field(1, plane))
    events = [
        {
            "ph": "X",
            "pid": 1,
            "tid": 1,
            "ts": 1.0,
            "dur": 2.0,
            "name": "add.1",
            "args": {"hlo_op": "add.1", "hlo_module": "jit_f"},
        }
    ]
    (where / "a.trace.json.gz").write_bytes(gzip.compress(json.dumps({"traceEvents": events}).encode()))


def read_trace(folder):
    from msjax.train.profile_analysis import events_of

    return [str(event) for event in events_of(str(folder))]


def jieba(folder):
    (folder / "hmm.txt").write_text(
        "# heads\n-0.26 -3.14e+100 -3.14e+100 -1.46\n"
        "-3.14e+100 -0.51 -0.91 -3.14e+100\n-0.58 -3.14e+100 -3.14e+100 -0.80\n-3.14e+100 -0.33 -1.26 -3.14e+100\n-0.72 -3.14e+100 -3.14e+100 -0.66\n"
        + "\n".join(["a:-1.0,b:-2.0"] * 4) + "\n"
    )  # fmt: skip
    (folder / "words.txt").write_text("ab 10 n\nba 5 v\na 3 n\nb 2 n\n")


def read_jieba(folder):
    from msjax.dataset import text

    return text.JiebaTokenizer(str(folder / "hmm.txt"), str(folder / "words.txt"))("abba").tolist()


def graphs(folder):
    from msjax.dataset import Graph

    data = _graph_kind()(str(folder), "processed")
    assert isinstance(data[0], Graph)


def _graph_kind():
    from msjax.dataset import Graph, InMemoryGraphDataset

    class Kept(InMemoryGraphDataset):
        def process(self):
            self.graphs = [Graph(np.array([[0, 1], [1, 0]], np.int32), node_feat={"x": np.ones((2, 3), np.float32)})]

        def __getitem__(self, index):
            return self.graphs[index]

    return Kept


def read_graphs(folder):
    return [graph.edges for graph in _graph_kind()(str(folder), "processed").graphs]


def _rows(dataset):
    """The first rows: how often a pipeline repeats is for its file to say."""
    iterator = dataset.create_tuple_iterator(num_epochs=1, output_numpy=True)
    rows = list(itertools.islice(iterator, 1000))
    iterator.stop()
    return rows


def _source(make, kind, arguments):
    def read(folder):
        import msjax.dataset as ds

        return _rows(getattr(ds, kind)(**fill(arguments, str(folder))))

    return lambda folder: make(str(folder)), read


SOURCES = {
    kind: _source(make, kind, arguments)
    for _, make, kind, arguments in [*source_formats_vision.CASES, *source_formats_text.CASES]
}
