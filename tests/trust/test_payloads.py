"""Each loader is handed what would create a file: it refuses in MindSpore's words, and nothing was executed, imported or set."""

import collections
import io
import json
import os
import pickle
import sqlite3
import struct
import sys
import zipfile

import file_loaders
import jax
import loader_files
import numpy as np
import pytest
from file_loaders import ERRORS, LOADERS, files_of
from jax import export as jax_export

import msjax.dataset as ds
from msjax.files import unpickling
from msjax.files.archives import read_npz

BY_NAME = {loader.name: loader for loader in LOADERS}


@pytest.fixture
def trap(tmp_path, monkeypatch):
    """A file that must not come into being, and a module that makes it when it is imported."""
    marker, modules = tmp_path / "executed", tmp_path / "modules"
    modules.mkdir()
    (modules / "trap_module.py").write_text(f"open({str(marker)!r}, 'w')\n")
    monkeypatch.syspath_prepend(modules)
    yield marker
    assert not marker.exists() and "trap_module" not in sys.modules


class Calls:
    """Pickled as a call of a function."""

    def __init__(self, function, *args):
        self.call = function, args

    def __reduce__(self):
        return self.call


def pickles(marker):
    """Pickles that would create a file, in the ways that there are."""
    touch = f"open({str(marker)!r}, 'w')"
    by_name = f"cos\nsystem\n(S'touch {marker}'\ntR.".encode()
    return {
        "a call": pickle.dumps(Calls(os.system, f"touch {marker}")),
        "a call in protocol 0": pickle.dumps(Calls(exec, touch), 0),
        "a call within data": pickle.dumps({b"data": [1, Calls(eval, touch)], "labels": Calls(eval, touch)}),
        "an import": b"ctrap_module\nanything\n.",
        "a nested name": b"\x80\x04\x8c\x02os\x8c\x04path\x93.",
        "a call by text": by_name,
        "INST": f"(S'touch {marker}'\nios\nsystem\n.".encode(),
        "OBJ": f"(cos\nsystem\nS'touch {marker}'\no.".encode(),
        "a builtin that gives attributes": b"cbuiltins\ngetattr\n(cos\npath\nS'x'\ntR.",
    }


PICKLES = list(pickles("x"))


@pytest.mark.parametrize("loader", LOADERS, ids=lambda loader: loader.name)
def test_a_pickle_in_place_of_a_file(loader, tmp_path, trap):
    folder = tmp_path / "files"
    folder.mkdir()
    loader.make(folder)
    content = pickles(trap)["a call within data"]
    for path in files_of(folder)[:4]:
        whole = path.read_bytes()
        path.chmod(0o600)
        path.write_bytes(content)
        try:  # a format without marks of its own (pixels, lines of text) may take any bytes
            loader.read(folder)
        except ERRORS as error:
            assert str(error)
        path.write_bytes(whole)


@pytest.mark.parametrize("kind", PICKLES)
def test_what_a_pickle_may_not_do(kind, trap):
    with pytest.raises(pickle.UnpicklingError) as told:
        unpickling.unpickle(pickles(trap)[kind])
    assert str(told.value)


def test_a_refusal_says_what_was_refused(trap):
    with pytest.raises(unpickling.Refused, match=r"it asks for (posix|nt)\.system, which is not plain data"):
        unpickling.unpickle(pickles(trap)["a call"])


@pytest.mark.parametrize("kind", PICKLES)
def test_cifar(kind, tmp_path, trap):
    loader = BY_NAME["CIFAR for Python"]
    loader.make(tmp_path)
    (tmp_path / "test_batch").write_bytes(pickles(trap)[kind])
    with pytest.raises(RuntimeError, match="Not a valid Cifar10 Dataset"):
        loader.read(tmp_path)


@pytest.mark.parametrize("kind", PICKLES)
def test_pytorch(kind, tmp_path, trap):
    with zipfile.ZipFile(tmp_path / "net.pth", "w") as archive:
        archive.writestr("archive/data.pkl", pickles(trap)[kind])
    with pytest.raises(ValueError, match="can not be read"):
        BY_NAME["PyTorch `.pth`, `.pt`, `.bin`"].read(tmp_path)


def test_numpy_objects(tmp_path, trap):
    stream = io.BytesIO()
    array = np.empty(1, object)
    array[0] = Calls(os.system, f"touch {trap}")
    np.lib.format.write_array(stream, array, allow_pickle=True)
    with zipfile.ZipFile(tmp_path / "net.npz", "w") as archive:
        archive.writestr("a.npy", stream.getvalue())
    (tmp_path / "run.npz").write_bytes((tmp_path / "net.npz").read_bytes())
    with pytest.raises(ValueError, match="holds Python objects"):
        BY_NAME["NumPy `.npz`"].read(tmp_path)
    with pytest.raises(ValueError, match="not a recorded run"):
        BY_NAME["Recording"].read(tmp_path)


# --- what only looks like data
def test_states_in_pickles_change_nothing_here(trap):
    """BUILD on a class, a function or a foreign object would change the process."""
    for target in (b"ccollections\nOrderedDict\n", b"cnumpy\ndtype\n"):
        with pytest.raises(pickle.UnpicklingError):
            unpickling.unpickle(
                target + b"(dS'injected'\nI1\nsb.",
                {**unpickling.NUMPY, ("collections", "OrderedDict"): collections.OrderedDict},
            )
    assert not hasattr(collections.OrderedDict, "injected") and not hasattr(unpickling.PickledDtype, "injected")


def test_dtypes_in_pickles_do_not_lie():
    """NumPy believes the flags of a state: a dtype of objects without the mark would be read as addresses."""
    dtype = pickle.dumps(np.dtype([("a", object)]), 2)
    with pytest.raises(pickle.UnpicklingError):
        unpickling.unpickle(dtype)
    for array in (np.array([None, 1], object), np.zeros(2, [("a", "i4")])):
        with pytest.raises(pickle.UnpicklingError):
            unpickling.unpickle(pickle.dumps(array))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_arrays_in_pickles_come_as_they_are(protocol):
    arrays = [
        np.arange(6, dtype=">i4").reshape(2, 3),
        np.asfortranarray(np.eye(3)),
        np.array(["x", "yz"]),
        np.zeros(0),
        np.array(2.5),
    ]
    found = unpickling.unpickle(pickle.dumps({"a": arrays, "n": np.float32(2.5)}, protocol))
    assert found["n"] == np.float32(2.5) and type(found["n"]) is np.float32
    for array, got in zip(arrays, found["a"], strict=True):
        got = np.asarray(got)
        assert got.dtype == array.dtype and got.shape == array.shape and (got == array).all()


TOUCH = "touch {marker}"


def described(**more):
    return {"class": "NumpySlicesDataset", "children": [], "arguments": {"data": [1, 2], "column_names": "x"}, **more}


@pytest.mark.parametrize(
    "tree",
    [
        {"object": "os.system", "module": "msjax.dataset.engine.serialize", "arguments": {"*": [TOUCH]}},
        {"object": "system", "module": "os", "arguments": {"*": [TOUCH]}},
        {"object": "anything", "module": "trap_module", "arguments": {}},
        {"object": "anything", "module": "msjax.dataset.trap_module", "arguments": {}},
        {"object": "Invert.__init__.__globals__", "module": "msjax.dataset.vision.transforms", "arguments": {}},
        {"enum": "mro", "module": "msjax.dataset.engine.samplers", "name": "x"},
        {"enum": "Shuffle", "module": "msjax.dataset.engine.samplers", "name": "__class__"},
        {"schema": {}, "module": "msjax.dataset.sources.schema", "name": "json.codecs.open"},
        {"schema": {}, "module": "msjax.dataset.sources.generator", "name": "GeneratorDataset"},
        described(**{"class": "Serializer"}),
        described(**{"class": "InMemoryGraphDataset"}),
        described(**{"class": "OBSMindDataset"}),
        described(sampler={"object": "exit", "module": "sys", "arguments": {}}),
        {"array": [1], "dtype": "O"},
        {"array": [1], "dtype": "V900000000000"},
        {"array": ["a"], "dtype": "<U900000000"},
        {"dtype": "object"},
        {"slice": ["a", {}, 0]},
        {"function": "system"},
        {"class": None},
        {"object": {"x": 1}, "module": ["os"], "arguments": 3},
    ],
    ids=str,
)
def test_pipelines(tree, tmp_path, trap):
    text = json.dumps(tree).replace(TOUCH, f"touch {trap}")
    (tmp_path / "pipeline.json").write_text(text)
    for given in ({"input_dict": json.loads(text)}, {"json_filepath": str(tmp_path / "pipeline.json")}):
        with pytest.raises(RuntimeError, match=r"Invalid json content|not supported|build it in Python"):
            ds.deserialize(**given)
    with pytest.raises(RuntimeError):
        ds.transforms.Compose.from_json(text)


def test_every_public_operation_may_be_named():
    from msjax.dataset.engine.named_classes import named_class

    for face in (ds.transforms, ds.vision, ds.text, ds.audio):
        kinds = [k for k in vars(face).values() if isinstance(k, type) and issubclass(k, ds.operation.Operation)]
        assert kinds
        for kind in kinds:
            assert named_class(kind.__module__, kind.__qualname__, object) is kind


def test_operations_of_images(trap):
    bad = {"transforms": [{"python_module": "os", "tensor_op_name": "system", "tensor_op_params": {}}]}
    with pytest.raises(RuntimeError, match=r"os\.system is not one of the classes"):
        ds.vision.UniformAugment.from_json(json.dumps(bad))


def test_networks(tmp_path, trap):
    """A program that calls back into Python is refused before anything is compiled."""
    loader = BY_NAME["Network of `export` (`.stablehlo`, `.mindir`)"]
    loader.make(tmp_path)
    target, like = "xla_ffi_python_cpu_callback", jax.ShapeDtypeStruct((1, 3), np.float32)
    specs = [jax.ShapeDtypeStruct((2, 3), np.float32), jax.ShapeDtypeStruct((2,), np.float32)], [like]
    reaching = jax.jit(lambda weights, inputs: [jax.ffi.ffi_call(target, like)(inputs[0], index=np.uint64(0))])
    unchecked = [jax_export.DisabledSafetyCheck.custom_call(target)]
    exported = jax_export.export(reaching, disabled_checks=unchecked)(*specs)
    replace(tmp_path / "net.stablehlo", "program.stablehlo", bytes(exported.serialize()))
    with pytest.raises(ValueError, match="calls xla_ffi_python_cpu_callback, which is not allowed"):
        loader.read(tmp_path)


def replace(path, member, content):
    """Put another content into a member of a zip archive."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members[member] = content
    path.chmod(0o600)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE INDEXES; CREATE VIEW INDEXES AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT x AS ROW_ID FROM c",
        "ALTER TABLE INDEXES RENAME TO T; CREATE VIEW INDEXES AS SELECT * FROM T",
        "ALTER TABLE INDEXES ADD COLUMN Z INT GENERATED ALWAYS AS (zeroblob(900000000)) VIRTUAL",
        "UPDATE INDEXES SET PAGE_OFFSET_BLOB_END = 4611686018427387904",
        "UPDATE INDEXES SET PAGE_ID_RAW = 'text'",
        "UPDATE INDEXES SET PAGE_OFFSET_RAW = -5",
    ],
)
def test_indexes_of_mindrecord(change, tmp_path):
    loader = BY_NAME["MindRecord and its index"]
    loader.make(tmp_path)
    with sqlite3.connect(tmp_path / "rows.mindrecord.db") as database:
        database.executescript(change)
    database.close()
    with pytest.raises((RuntimeError, file_loaders.MindRecordException)):
        loader.read(tmp_path)


def test_names_in_a_header_are_no_sql(tmp_path):
    loader = BY_NAME["MindRecord and its index"]
    loader.make(tmp_path)
    path = tmp_path / "rows.mindrecord"
    content = path.read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    text = json.loads(content[8 : 8 + size])
    text["index_fields"][0]["index_field"] = 'a_0" FROM INDEXES; --'
    new = json.dumps(text, separators=(",", ":")).encode()
    path.write_bytes(
        struct.pack("<Q", len(new))
        + new
        + bytes(size - len(new) if size > len(new) else 0)
        + content[8 + max(size, len(new)) :]
    )
    with pytest.raises((RuntimeError, file_loaders.MindRecordException)):
        loader.read(tmp_path)


def test_states_of_runs_set_only_what_is_there(tmp_path):
    from msjax.train import checkpoint_format as files

    loader = BY_NAME["State of a run"]
    loader.make(tmp_path)
    content = files.read(tmp_path / "run.ckpt")
    state = json.loads(content["msjax.run.state"][0])
    state["others"][0]["__call__"] = "x"
    entries = [(name, *value) for name, value in content.items() if name != "msjax.run.state"]
    (tmp_path / "run.ckpt").unlink()
    files.write(tmp_path / "run.ckpt", [*entries, ("msjax.run.state", json.dumps(state), files.STRING)])
    with pytest.raises(ValueError, match=r"Warmup has no attributes \['__call__'\]"):
        loader.read(tmp_path)


# --- sizes
def test_archives_have_a_bound(tmp_path, monkeypatch):
    monkeypatch.setenv("MSJAX_UNPACK_BYTES", "1000000")
    np.savez_compressed(tmp_path / "net.npz", a=np.zeros(10_000_000, np.uint8))
    with pytest.raises(ValueError, match="above the bound of .* set MSJAX_UNPACK_BYTES"):
        BY_NAME["NumPy `.npz`"].read(tmp_path)
    monkeypatch.delenv("MSJAX_UNPACK_BYTES")
    assert read_npz(tmp_path / "net.npz")["a"].size == 10_000_000


def test_tensors_of_pytorch_do_not_repeat_their_storage(tmp_path):
    content = {"a": ("FloatStorage", np.zeros(1, np.float32), (1 << 40,), (0,))}
    loader_files.torch_file(tmp_path / "net.pth", content)
    with pytest.raises(ValueError, match="repeats the elements of its storage"):
        BY_NAME["PyTorch `.pth`, `.pt`, `.bin`"].read(tmp_path)


def test_a_header_can_not_claim_more_than_is_there(tmp_path):
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999,), }".ljust(117) + b"\n"
    with zipfile.ZipFile(tmp_path / "net.npz", "w") as archive:
        archive.writestr("a.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
    with pytest.raises(ValueError, match="0 are there"):
        BY_NAME["NumPy `.npz`"].read(tmp_path)
