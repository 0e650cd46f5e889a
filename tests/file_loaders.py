"""Every loader of the package in one table: a valid file, how it is read, and what such a file may decide.

`tests/trust` hands each a payload and makes the table of SECURITY.md from it, `tests/fuzz/files.py` mutates its files, which
`loader_files.py` writes.
"""

import dataclasses
import os
import pathlib
from collections.abc import Callable

import loader_files

from msjax.mindrecord.exceptions import MindRecordException

ERRORS = (ValueError, RuntimeError, TypeError, MindRecordException)  # those of MindSpore's loaders


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


NUMBERS = "Names, shapes and numbers. No code."
_IN_SOURCES = tuple(
    f"dataset/sources/{name}.py"
    for name in "annotated arrays audio base detection faces folders manifest matlab matlab_process mnist paired tables texts turns".split()
)

LOADERS = [
    Loader(
        "Checkpoint `.ckpt`",
        "load_checkpoint, Checkpoint.ParseFromString",
        ("train/checkpoint_format.py", "train/protobuf.py", "train/checkpoint_loading.py", "train/stored_arrays.py"),
        NUMBERS,
        loader_files.plain_ckpt,
        loader_files.parameters,
    ),
    Loader(
        "Checkpoint with its CRC",
        "load_checkpoint(crc_check=True)",
        ("train/checkpoint_format.py",),
        NUMBERS,
        *loader_files.ckpt(crc=True),
    ),
    Loader(
        "Checkpoint, AES-GCM",
        "load_checkpoint(dec_key=)",
        ("train/checkpoint_cipher.py", "mindrecord/cipher.py"),
        NUMBERS + " A changed frame is refused; frames left out are not noticed.",
        *loader_files.ckpt(loader_files.KEY),
        sealed=True,
    ),
    Loader(
        "Checkpoint, AES-CBC or SM4-CBC",
        "load_checkpoint(dec_key=, dec_mode=)",
        ("train/checkpoint_cipher.py",),
        NUMBERS + " These modes hide, they do not seal: a changed file may be read.",
        *loader_files.ckpt(loader_files.KEY, "AES-CBC"),
    ),
    Loader(
        "Checkpoint as a message",
        "Checkpoint.ParseFromString",
        ("train/checkpoint_messages.py",),
        NUMBERS,
        loader_files.plain_ckpt,
        loader_files.message,
    ),
    Loader(
        "safetensors",
        "load_checkpoint(format='safetensors'), convert",
        ("train/safetensors_format.py",),
        NUMBERS,
        loader_files.safetensors,
        loader_files.read_safetensors,
    ),
    Loader(
        "Shards of weights and their index",
        "msjax convert, open_weights",
        ("train/weights/files.py",),
        NUMBERS + " The shards lie beside the index.",
        loader_files.shards,
        loader_files.weights("model.safetensors.index.json"),
    ),
    Loader(
        "NumPy `.npz`",
        "msjax convert",
        ("train/weights/files.py", "files/archives.py"),
        NUMBERS + " Arrays of Python objects (pickles) are refused.",
        loader_files.npz,
        loader_files.weights("net.npz"),
    ),
    Loader(
        "PyTorch `.pth`, `.pt`, `.bin`",
        "msjax convert",
        ("train/weights/torch_files.py", "files/unpickling.py"),
        (
            "A pickle. It may ask for storages, tensors and dicts; whatever else it names is refused and "
            "neither imported nor run."
        ),
        loader_files.torch,
        loader_files.weights("net.pth"),
    ),
    Loader(
        "MindIR of MindSpore",
        "msjax.train.mindir.load_weights, convert",
        ("train/mindir.py",),
        NUMBERS + " Its graph is never run.",
        loader_files.mindir,
        loader_files.read_mindir,
    ),
    Loader(
        "Network of `export` (`.stablehlo`, `.mindir`)",
        "load, nn.GraphCell",
        ("train/export.py", "train/stored_program.py"),
        (
            "**A program for the device**: time and memory are its to use. It can not call into the process:"
            " custom calls other than linear algebra, random bits, sharding and TPU kernels are refused."
        ),
        loader_files.network,
        loader_files.read_network,
    ),
    Loader(
        "Strategy file (protobuf)",
        "build_searched_strategy, merge_pipeline_strategys",
        ("train/strategy_files.py",),
        "Names and numbers.",
        *loader_files.strategy("strategy.ckpt"),
    ),
    Loader(
        "Strategy file (JSON)",
        "build_searched_strategy",
        ("train/strategy_files.py",),
        "Names and numbers.",
        *loader_files.strategy("strategy.json"),
    ),
    Loader(
        "Group file",
        "restore_group_info_list",
        ("train/strategy_files.py",),
        "Numbers of ranks.",
        loader_files.groups,
        loader_files.read_groups,
    ),
    Loader(
        "Checkpoint and layouts of hyper_parallel",
        "hyper_parallel.load, hyper_parallel.load_layout",
        ("hyper_parallel/checkpoint.py",),
        "Names, shapes, numbers and texts. No code.",
        *loader_files.distributed(),
    ),
    Loader(
        "State of a run",
        "load_run",
        ("train/run_state.py",),
        (
            "Values of Parameters, states of random generators, and values (numbers, texts, lists) of "
            "attributes that the given objects have."
        ),
        loader_files.run,
        loader_files.read_run,
    ),
    Loader(
        "Recording",
        "msjax diff",
        ("cli/msjax_record.py", "cli/diff.py"),
        NUMBERS,
        loader_files.recording,
        loader_files.read_recording,
    ),
    Loader(
        "Pipeline as JSON",
        "dataset.deserialize, DeserializedDataset",
        ("dataset/engine/serialize.py", "dataset/engine/named_classes.py"),
        (
            "Datasets, operations, samplers and enumerations of this package, from a closed table, with "
            "their arguments; **so which files are read**. No functions, nothing that writes, no server."
        ),
        loader_files.pipeline,
        loader_files.read_pipeline,
    ),
    Loader(
        "Operation as JSON",
        "Compose.from_json, ImageOperation.from_json",
        ("dataset/transforms/compose.py", "dataset/vision/operation.py"),
        "As a pipeline.",
        loader_files.operation,
        loader_files.read_operation,
    ),
    Loader(
        "MindRecord and its index",
        "MindDataset, FileReader, GraphData",
        ("mindrecord/shard.py", "mindrecord/index.py", "mindrecord/codec.py", "mindrecord/reader.py"),
        (
            "Rows. The index is SQLite, opened read-only without trust in its schema: a view, a virtual "
            "table or computed columns are refused. Other shards lie beside the file."
        ),
        loader_files.mindrecord,
        loader_files.read_mindrecord,
    ),
    Loader(
        "MindRecord that rows are added to",
        "FileWriter.open_for_append",
        ("mindrecord/writer.py",),
        "Rows.",
        loader_files.mindrecord,
        loader_files.append_mindrecord,
    ),
    Loader(
        "MindRecord, encrypted",
        "MindDataset, FileReader",
        ("mindrecord/crypt.py",),
        "Rows.",
        lambda folder: loader_files.mindrecord(folder, loader_files.KEY.decode()),
        lambda folder: loader_files.read_mindrecord(folder, loader_files.KEY.decode()),
    ),
    Loader(
        "TFRecord",
        "TFRecordDataset, TFRecordToMR",
        ("mindrecord/tfrecord.py", "dataset/sources/tfrecord.py"),
        "Rows.",
        *loader_files.tfrecord(),
    ),
    Loader(
        "TFRecord, gzip",
        "TFRecordDataset(compression_type='GZIP')",
        ("mindrecord/tfrecord.py",),
        "Rows, within the bound of unpacking.",
        *loader_files.tfrecord("GZIP"),
    ),
    Loader(
        "TFRecord, zlib",
        "TFRecordDataset(compression_type='ZLIB')",
        ("mindrecord/tfrecord.py",),
        "Rows, within the bound of unpacking.",
        *loader_files.tfrecord("ZLIB"),
    ),
    Loader(
        "CIFAR for Python",
        "mindrecord.Cifar10ToMR, Cifar100ToMR",
        ("mindrecord/cifar.py", "mindrecord/convert.py"),
        (
            "A pickle. It may ask for arrays, which this package makes itself from dtype, shape and bytes; "
            "whatever else it names is refused."
        ),
        loader_files.cifar,
        loader_files.read_cifar,
    ),
    Loader(
        "Vocabulary, vectors",
        "text.Vocab.from_file, text.Vectors.from_file",
        ("dataset/text/vocabulary.py", "dataset/text/vectors.py"),
        "Words and numbers.",
        loader_files.vocabulary,
        loader_files.read_vocabulary,
    ),
    Loader(
        "Words of Jieba",
        "text.JiebaTokenizer",
        ("dataset/text/jieba.py",),
        "Words and numbers.",
        loader_files.jieba,
        loader_files.read_jieba,
    ),
    Loader(
        "Schema, settings of datasets",
        "Schema, dataset.config.load",
        ("dataset/sources/schema.py", "dataset/config.py"),
        "Names, types and shapes; the five settings.",
        loader_files.schema,
        loader_files.read_schema,
    ),
    Loader(
        "Graphs",
        "InMemoryGraphDataset",
        ("dataset/sources/graph.py",),
        NUMBERS,
        loader_files.graphs,
        loader_files.read_graphs,
    ),
    Loader(
        "Rank table",
        "RANK_TABLE_FILE",
        ("parallel/processes.py",),
        "**Which address the processes of a run connect to.**",
        loader_files.rank_table,
        loader_files.read_rank_table,
    ),
    Loader(
        "Notes of a loss landscape",
        "SummaryLandscape",
        ("train/callback/landscape.py",),
        "Names of checkpoints to read.",
        loader_files.summary_folder,
        loader_files.read_summary_folder,
    ),
    Loader(
        "Trace of the profiler",
        "Profiler.analyse",
        ("train/profile_analysis.py",),
        "Names and times.",
        loader_files.trace,
        loader_files.read_trace,
    ),
    *(
        Loader(f"Files of {kind}", f"dataset.{kind}", _IN_SOURCES, "Rows, texts, pictures, sounds.", make, read)
        for kind, (make, read) in loader_files.SOURCES.items()
    ),
]


def files_of(folder):
    """The files that a loader made, in order."""
    return sorted(pathlib.Path(where) / name for where, _, names in os.walk(folder) for name in names)
