"""Every loader of the package in one table: a valid file, how it is read, and what such a file may decide.

`tests/trust` hands each a payload and makes the table of SECURITY.md from it, `tests/fuzz/files.py` mutates its files.
"""

import dataclasses
import gzip
import itertools
import json
import os
import pathlib
import pickle
import shutil
import zlib
from collections.abc import Callable

import numpy as np
import source_formats_text
import source_formats_vision
from source_files import fill
from torch_files import torch_file

from msjax.mindrecord.exceptions import MindRecordException

GOLDENS = pathlib.Path(__file__).resolve().parent / "goldens"
ERRORS = (ValueError, RuntimeError, TypeError, MindRecordException)  # those of MindSpore's loaders
KEY = b"0123456789abcdef"


@dataclasses.dataclass(frozen=True)
class Loader:
    """One loader.

    name: of the format. calls: the public functions that read it. modules: files of the package that do. decides: what a file of it may
    decide, a sentence for SECURITY.md. make(folder) writes valid files; read(folder) reads all of them and returns what was read.
    sealed: a changed file can not be read as something else.
    """

    name: str
    calls: str
    modules: tuple
    decides: str
    make: Callable
    read: Callable
    sealed: bool = False


ENTRIES = [
    ("a.weight", np.arange(600, dtype=np.float32).reshape(20, 30), "Float32"),
    ("b", np.arange(9), "Int64"),
    ("s", "text", "str"),
    ("m", [np.arange(4, dtype=np.int32), np.ones((4, 3), np.float32), np.zeros(4, np.int32)], "mapparameter"),
]
NUMBERS = "Names, shapes and numbers. No code."


def _ckpt(key=None, mode="AES-GCM", crc=False):
    from msjax.train import checkpoint_format as files

    def make(folder):
        files.write(folder / "net.ckpt", ENTRIES, crc_check=crc, enc_key=key, enc_mode=mode)

    def read(folder):
        return files.read(folder / "net.ckpt", crc_check=crc, dec_key=key, dec_mode=mode)

    return make, read


def _parameters(folder):
    import mindspore as ms

    return {
        name: p.asnumpy() for name, p in ms.load_checkpoint(str(folder / "net.ckpt")).items() if hasattr(p, "asnumpy")
    }


def _plain_ckpt(folder):
    from msjax.train import checkpoint_format as files

    files.write(folder / "net.ckpt", ENTRIES[:3])


def _message(folder):
    from msjax.train.checkpoint_messages import Checkpoint

    made = Checkpoint()
    made.ParseFromString((folder / "net.ckpt").read_bytes())
    return [value.tag for value in made.value]


def _safetensors(folder):
    from msjax.train import safetensors_format

    safetensors_format.write_safetensors(folder / "net.safetensors", ENTRIES[:2], crc_check=True)


def _read_safetensors(folder):
    from msjax.train import safetensors_format

    return safetensors_format.read_safetensors(folder / "net.safetensors", crc_check=True)[0]


def _weights(name):
    def read(folder):
        from msjax.train.weights import read_weights

        return read_weights(folder / name)

    return read


def _shards(folder):
    from msjax.train.weights import write_weights

    arrays = {"a": np.arange(4, dtype=np.float32), "b": np.ones(3, np.int32)}
    write_weights(folder / "model.safetensors.index.json", arrays, shard_bytes=16)


def _npz(folder):
    np.savez_compressed(
        folder / "net.npz", a=np.arange(12.0).reshape(3, 4), b=np.arange(3, dtype=np.int32), t=np.array(["x", "yz"])
    )


def _torch(folder):
    content = {
        "conv.weight": ("FloatStorage", np.arange(18, dtype=np.float32), (2, 1, 3, 3), (9, 9, 3, 1)),
        "bn.bias": ("LongStorage", np.zeros(2, np.int64), (2,), (1,)),
    }
    torch_file(folder / "net.pth", content)


def _mindir(folder):
    shutil.copy(GOLDENS / "net.mindir", folder / "net.mindir")


def _read_mindir(folder):
    from msjax.train.mindir import load_weights

    return {name: p.asnumpy() for name, p in load_weights(folder / "net.mindir").items()}


def _network(folder):
    import mindspore as ms
    from mindspore import nn

    ms.set_seed(1)
    ms.export(
        nn.Dense(3, 2), ms.Tensor(np.ones((1, 3), np.float32)), file_name=str(folder / "net"), file_format="STABLEHLO"
    )


def _read_network(folder):
    import mindspore as ms

    graph = ms.load(str(folder / "net.stablehlo"))
    return {p.name: p.asnumpy() for p in graph.parameters}


def _strategy(name):
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


def _groups(folder):
    from msjax.train import strategy_files as files

    files.write_groups(str(folder / "groups.pb"), {"hccl_world_group": [0, 1]}, [0, 1])


def _read_groups(folder):
    from msjax.train import strategy_files as files

    return files.read_groups(str(folder / "groups.pb"))


def _distributed():
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


def _run(folder):
    import msjax

    msjax.save_run(str(folder / "run.ckpt"), *_run_objects(), note=3)


def _read_run(folder):
    import msjax

    cell, warmup = _run_objects()
    run = msjax.load_run(str(folder / "run.ckpt"), cell, warmup)
    return [run and vars(run), vars(warmup), cell.dense.weight.asnumpy()]


def _recording(folder):
    from msjax.cli.msjax_record import Recording

    recording = Recording()
    recording.meta["steps"] = 1
    recording.events, recording.arrays = [{"at": "a0"}], {"a0": np.arange(9.0)}
    recording.save(folder / "run.npz")


def _read_recording(folder):
    from msjax.cli.msjax_record import Recording
    from msjax.files.archives import read_npz

    found = Recording.load(folder / "run.npz", read_npz)
    return [found.meta, found.events, found.arrays]


def _pipeline(folder):
    import msjax.dataset as ds
    from msjax.dataset import transforms

    data = ds.NumpySlicesDataset(np.arange(6), "x", sampler=ds.SubsetSampler([1, 2, 3])).map(
        [transforms.TypeCast("float32"), transforms.Compose([transforms.Fill(3)])], "x"
    )
    ds.serialize(data.skip(1).rename("x", "y").batch(2).repeat(2), str(folder / "pipeline.json"))


def _read_pipeline(folder):
    import msjax.dataset as ds

    return _rows(ds.deserialize(json_filepath=str(folder / "pipeline.json")))


def _operation(folder):
    from msjax.dataset import transforms, vision

    text = transforms.Compose(
        [transforms.RandomApply([vision.RandomColorAdjust((0.5, 1), (0.4, 1)), vision.Invert()])]
    ).to_json()
    (folder / "operation.json").write_text(text)
    choice = vision.UniformAugment([vision.HorizontalFlip(), vision.Invert()], 1)
    (folder / "image.json").write_text(json.dumps(json.loads(choice.to_json())["tensor_op_params"]))


def _read_operation(folder):
    from msjax.dataset import transforms, vision

    return [
        transforms.Compose.from_json((folder / "operation.json").read_text("latin-1")) and None,
        vision.UniformAugment.from_json((folder / "image.json").read_text("latin-1")) and None,
    ]


def _mindrecord(folder, key=None):
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


def _read_mindrecord(folder, key=None):
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


def _append_mindrecord(folder):
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


def _tfrecord(compression=""):
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


def _cifar(folder):
    data = np.arange(2 * 3072, dtype=np.uint32).astype(np.uint8).reshape(2, 3072)
    for name in ("data_batch_1", "test_batch"):
        content = {b"data": data, b"labels": [1, 2], b"filenames": [b"a", b"b"]}
        (folder / name).write_bytes(pickle.dumps(content, 2))


def _read_cifar(folder):
    from msjax.mindrecord.cifar import Cifar10

    return Cifar10(str(folder)).load_data()


def _vocabulary(folder):
    (folder / "vocab.txt").write_text("one,1\ntwo,2\nthree,3\n")
    (folder / "vectors.txt").write_text("one 0.1 0.2\ntwo 0.3 0.4\n")


def _read_vocabulary(folder):
    from msjax.dataset import text

    return [
        text.Vocab.from_file(str(folder / "vocab.txt"), ",").vocab(),
        text.Vectors.from_file(str(folder / "vectors.txt")) and None,
    ]


def _schema(folder):
    (folder / "schema.json").write_text(
        json.dumps({"datasetType": "TF", "numRows": 3, "columns": {"a": {"type": "int64", "rank": 1, "shape": [2]}}})
    )
    (folder / "config.json").write_text(json.dumps({"numParallelWorkers": 2, "seed": 5, "callbackTimeout": 60}))


def _read_schema(folder):
    import msjax.dataset as ds

    workers, seed = ds.config.get_num_parallel_workers(), ds.config.get_seed()
    try:
        ds.config.load(str(folder / "config.json"))
        return ds.Schema(str(folder / "schema.json")).to_json()
    finally:
        ds.config.set_num_parallel_workers(workers)
        ds.config.set_seed(seed)
        ds.config.set_callback_timeout(60)


def _rank_table(folder):
    server = {"server_id": "10.0.0.1", "device": [{"device_id": str(i), "rank_id": str(i)} for i in range(2)]}
    (folder / "table.json").write_text(json.dumps({"server_list": [server]}))


def _read_rank_table(folder):
    from msjax.parallel.processes import find_world

    return find_world({"RANK_TABLE_FILE": str(folder / "table.json"), "RANK_ID": "1"})


def _summary_folder(folder):
    saved = folder / "ckpt_dir"
    saved.mkdir()
    about = {"epoch_group": {"0": [1, 2]}, "model_params_file_map": {"1": "a.ckpt"}, "unit": "epoch", "num_samples": 4}
    (saved / "train_metadata.json").write_text(json.dumps(about))


def _read_summary_folder(folder):
    from mindspore import SummaryLandscape

    return SummaryLandscape(str(folder))._saved(str(folder / "ckpt_dir" / "train_metadata.json"))


def _trace(folder):
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


def _read_trace(folder):
    from msjax.train.profile_analysis import events_of

    return [str(event) for event in events_of(str(folder))]


def _jieba(folder):
    (folder / "hmm.txt").write_text(
        "# heads\n-0.26 -3.14e+100 -3.14e+100 -1.46\n"
        "-3.14e+100 -0.51 -0.91 -3.14e+100\n-0.58 -3.14e+100 -3.14e+100 -0.80\n-3.14e+100 -0.33 -1.26 -3.14e+100\n-0.72 -3.14e+100 -3.14e+100 -0.66\n"
        + "\n".join(["a:-1.0,b:-2.0"] * 4) + "\n"
    )  # fmt: skip
    (folder / "words.txt").write_text("ab 10 n\nba 5 v\na 3 n\nb 2 n\n")


def _read_jieba(folder):
    from msjax.dataset import text

    return text.JiebaTokenizer(str(folder / "hmm.txt"), str(folder / "words.txt"))("abba").tolist()


def _graphs(folder):
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


def _read_graphs(folder):
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
_IN_SOURCES = tuple(
    f"dataset/sources/{name}.py"
    for name in "annotated arrays audio base detection faces folders manifest matlab mnist paired tables texts turns".split()
)

LOADERS = [
    Loader(
        "Checkpoint `.ckpt`",
        "load_checkpoint, Checkpoint.ParseFromString",
        ("train/checkpoint_format.py", "train/protobuf.py", "train/checkpoint_loading.py"),
        NUMBERS,
        _plain_ckpt,
        _parameters,
    ),
    Loader(
        "Checkpoint with its CRC",
        "load_checkpoint(crc_check=True)",
        ("train/checkpoint_format.py",),
        NUMBERS,
        *_ckpt(crc=True),
    ),
    Loader(
        "Checkpoint, AES-GCM",
        "load_checkpoint(dec_key=)",
        ("train/checkpoint_cipher.py", "mindrecord/cipher.py"),
        NUMBERS + " A changed frame is refused; frames left out are not noticed.",
        *_ckpt(KEY),
        sealed=True,
    ),
    Loader(
        "Checkpoint, AES-CBC or SM4-CBC",
        "load_checkpoint(dec_key=, dec_mode=)",
        ("train/checkpoint_cipher.py",),
        NUMBERS + " These modes hide, they do not seal: a changed file may be read.",
        *_ckpt(KEY, "AES-CBC"),
    ),
    Loader(
        "Checkpoint as a message",
        "Checkpoint.ParseFromString",
        ("train/checkpoint_messages.py",),
        NUMBERS,
        _plain_ckpt,
        _message,
    ),
    Loader(
        "safetensors",
        "load_checkpoint(format='safetensors'), convert",
        ("train/safetensors_format.py",),
        NUMBERS,
        _safetensors,
        _read_safetensors,
    ),
    Loader(
        "Shards of weights and their index",
        "msjax convert, open_weights",
        ("train/weights/files.py",),
        NUMBERS + " The shards lie beside the index.",
        _shards,
        _weights("model.safetensors.index.json"),
    ),
    Loader(
        "NumPy `.npz`",
        "msjax convert",
        ("train/weights/files.py", "files/archives.py"),
        NUMBERS + " Arrays of Python objects (pickles) are refused.",
        _npz,
        _weights("net.npz"),
    ),
    Loader(
        "PyTorch `.pth`, `.pt`, `.bin`",
        "msjax convert",
        ("train/weights/torch_files.py", "files/unpickling.py"),
        (
            "A pickle. It may ask for storages, tensors and dicts; whatever else it names is refused and "
            "neither imported nor run."
        ),
        _torch,
        _weights("net.pth"),
    ),
    Loader(
        "MindIR of MindSpore",
        "msjax.train.mindir.load_weights, convert",
        ("train/mindir.py",),
        NUMBERS + " Its graph is never run.",
        _mindir,
        _read_mindir,
    ),
    Loader(
        "Network of `export` (`.stablehlo`, `.mindir`)",
        "load, nn.GraphCell",
        ("train/export.py", "train/stored_program.py"),
        (
            "**A program for the device**: time and memory are its to use. It can not call into the process:"
            " custom calls other than linear algebra, random bits, sharding and TPU kernels are refused."
        ),
        _network,
        _read_network,
    ),
    Loader(
        "Strategy file (protobuf)",
        "build_searched_strategy, merge_pipeline_strategys",
        ("train/strategy_files.py",),
        "Names and numbers.",
        *_strategy("strategy.ckpt"),
    ),
    Loader(
        "Strategy file (JSON)",
        "build_searched_strategy",
        ("train/strategy_files.py",),
        "Names and numbers.",
        *_strategy("strategy.json"),
    ),
    Loader(
        "Group file",
        "restore_group_info_list",
        ("train/strategy_files.py",),
        "Numbers of ranks.",
        _groups,
        _read_groups,
    ),
    Loader(
        "Checkpoint and layouts of hyper_parallel",
        "hyper_parallel.load, hyper_parallel.load_layout",
        ("hyper_parallel/checkpoint.py",),
        "Names, shapes, numbers and texts. No code.",
        *_distributed(),
    ),
    Loader(
        "State of a run",
        "load_run",
        ("train/run_state.py",),
        (
            "Values of Parameters, states of random generators, and values (numbers, texts, lists) of "
            "attributes that the given objects have."
        ),
        _run,
        _read_run,
    ),
    Loader("Recording", "msjax diff", ("cli/msjax_record.py", "cli/diff.py"), NUMBERS, _recording, _read_recording),
    Loader(
        "Pipeline as JSON",
        "dataset.deserialize, DeserializedDataset",
        ("dataset/engine/serialize.py", "dataset/engine/named_classes.py"),
        (
            "Datasets, operations, samplers and enumerations of this package, from a closed table, with "
            "their arguments; **so which files are read**. No functions, nothing that writes, no server."
        ),
        _pipeline,
        _read_pipeline,
    ),
    Loader(
        "Operation as JSON",
        "Compose.from_json, ImageOperation.from_json",
        ("dataset/transforms/compose.py", "dataset/vision/operation.py"),
        "As a pipeline.",
        _operation,
        _read_operation,
    ),
    Loader(
        "MindRecord and its index",
        "MindDataset, FileReader, GraphData",
        ("mindrecord/shard.py", "mindrecord/index.py", "mindrecord/codec.py", "mindrecord/reader.py"),
        (
            "Rows. The index is SQLite, opened read-only without trust in its schema: a view, a virtual "
            "table or computed columns are refused. Other shards lie beside the file."
        ),
        _mindrecord,
        _read_mindrecord,
    ),
    Loader(
        "MindRecord that rows are added to",
        "FileWriter.open_for_append",
        ("mindrecord/writer.py",),
        "Rows.",
        _mindrecord,
        _append_mindrecord,
    ),
    Loader(
        "MindRecord, encrypted",
        "MindDataset, FileReader",
        ("mindrecord/crypt.py",),
        "Rows.",
        lambda folder: _mindrecord(folder, KEY.decode()),
        lambda folder: _read_mindrecord(folder, KEY.decode()),
    ),
    Loader(
        "TFRecord",
        "TFRecordDataset, TFRecordToMR",
        ("mindrecord/tfrecord.py", "dataset/sources/tfrecord.py"),
        "Rows.",
        *_tfrecord(),
    ),
    Loader(
        "TFRecord, gzip",
        "TFRecordDataset(compression_type='GZIP')",
        ("mindrecord/tfrecord.py",),
        "Rows, within the bound of unpacking.",
        *_tfrecord("GZIP"),
    ),
    Loader(
        "TFRecord, zlib",
        "TFRecordDataset(compression_type='ZLIB')",
        ("mindrecord/tfrecord.py",),
        "Rows, within the bound of unpacking.",
        *_tfrecord("ZLIB"),
    ),
    Loader(
        "CIFAR for Python",
        "mindrecord.Cifar10ToMR, Cifar100ToMR",
        ("mindrecord/cifar.py", "mindrecord/convert.py"),
        (
            "A pickle. It may ask for arrays, which this package makes itself from dtype, shape and bytes; "
            "whatever else it names is refused."
        ),
        _cifar,
        _read_cifar,
    ),
    Loader(
        "Vocabulary, vectors",
        "text.Vocab.from_file, text.Vectors.from_file",
        ("dataset/text/vocabulary.py", "dataset/text/vectors.py"),
        "Words and numbers.",
        _vocabulary,
        _read_vocabulary,
    ),
    Loader(
        "Words of Jieba", "text.JiebaTokenizer", ("dataset/text/jieba.py",), "Words and numbers.", _jieba, _read_jieba
    ),
    Loader(
        "Schema, settings of datasets",
        "Schema, dataset.config.load",
        ("dataset/sources/schema.py", "dataset/config.py"),
        "Names, types and shapes; the five settings.",
        _schema,
        _read_schema,
    ),
    Loader("Graphs", "InMemoryGraphDataset", ("dataset/sources/graph.py",), NUMBERS, _graphs, _read_graphs),
    Loader(
        "Rank table",
        "RANK_TABLE_FILE",
        ("parallel/processes.py",),
        "**Which address the processes of a run connect to.**",
        _rank_table,
        _read_rank_table,
    ),
    Loader(
        "Notes of a loss landscape",
        "SummaryLandscape",
        ("train/callback/landscape.py",),
        "Names of checkpoints to read.",
        _summary_folder,
        _read_summary_folder,
    ),
    Loader(
        "Trace of the profiler",
        "Profiler.analyse",
        ("train/profile_analysis.py",),
        "Names and times.",
        _trace,
        _read_trace,
    ),
    *(
        Loader(f"Files of {kind}", f"dataset.{kind}", _IN_SOURCES, "Rows, texts, pictures, sounds.", make, read)
        for kind, (make, read) in SOURCES.items()
    ),
]


def files_of(folder):
    """The files that a loader made, in order."""
    return sorted(pathlib.Path(where) / name for where, _, names in os.walk(folder) for name in names)
