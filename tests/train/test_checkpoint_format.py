"""Checkpoint files: MindSpore's are read, ours are the same bytes, damage is named."""

import fcntl
import json
import os
import pathlib
import subprocess
import tracemalloc

import golden_files
import ml_dtypes
import numpy as np
import pytest

from msjax.train import checkpoint_format as fmt
from msjax.train import safetensors_format

try:
    import cryptography
except ImportError:
    cryptography = None

GOLDENS = pathlib.Path(__file__).parent.parent / "goldens"
KEY = b"0123456789abcdef"
MODES = ("AES-GCM", "AES-CBC", "SM4-CBC")
NET = [
    ("conv.weight", np.arange(24, dtype=np.float32).reshape(2, 3, 4), "Float32"),
    ("moments.fc.bias", np.array([-1.5, 2.5], np.float16), "Float16"),
    ("global_step", np.array(7, np.int32), "Int32"),
]
EXTRA = [
    ("epoch", np.array(3), "Int64"),
    ("lr", np.array(0.5, np.float32), "Float32"),
    ("flag", np.array(True), "Bool"),
    ("note", "héllo 世", "str"),
    ("nothing", "", "str"),
    ("more", np.array([1, 2]), "Int64"),
]
TYPES = {
    "int8": "Int8",
    "uint8": "UInt8",
    "int16": "Int16",
    "uint16": "UInt16",
    "int32": "Int32",
    "uint32": "UInt32",
    "int64": "Int64",
    "uint64": "UInt64",
    "float16": "Float16",
    "float32": "Float32",
    "float64": "Float64",
    "bool_": "Bool",
    "bfloat16": "BFloat16",
    "complex64": "Complex64",
    "float8_e4m3fn": "Float8E4M3FN",
}


def type_entries():
    kinds = {
        **{k: getattr(np, k, None) for k in TYPES},
        "bfloat16": ml_dtypes.bfloat16,
        "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
    }
    return [(name, np.array([[0, 1, 2]]).astype(kinds[name]), kind) for name, kind in TYPES.items()]


# What the golden files hold, with the options that write and read them.
FILES = {
    "plain": (NET, {}, {}),
    "crc": (NET, {"crc_check": True}, {"crc_check": True}),
    "types": (type_entries(), {}, {}),
    "append_dict": (NET + EXTRA, {}, {}),
} | {mode: (NET, {"enc_key": KEY, "enc_mode": mode}, {"dec_key": KEY, "dec_mode": mode}) for mode in MODES}


def golden(name):
    return golden_files.read("checkpoint")[name].tobytes()


def needs_cipher(name):
    if name.endswith("CBC") and cryptography is None:
        pytest.skip("AES-CBC and SM4-CBC need the extra 'crypto'")


def assert_same(read, entries):
    assert list(read) == [name for name, _, _ in entries]
    for name, value, kind in entries:
        got, got_kind = read[name]
        assert got_kind == kind, name
        if kind == "str":
            assert got == value
            continue
        assert (got.dtype, got.shape) == (value.dtype, value.shape), name
        np.testing.assert_array_equal(got, value, err_msg=name)
        assert got.flags.writeable


@pytest.mark.parametrize("name", FILES)
def test_reads_files_of_mindspore(name, tmp_path):
    needs_cipher(name)
    entries, _, options = FILES[name]
    path = tmp_path / "file.ckpt"
    path.write_bytes(golden(name))
    assert_same(fmt.read(path, **options), entries)


@pytest.mark.parametrize("name", [name for name in FILES if name not in MODES])
def test_writes_the_bytes_of_mindspore(name, tmp_path):
    entries, options, _ = FILES[name]
    path = tmp_path / "file.ckpt"
    fmt.write(path, entries, **options)
    assert path.read_bytes() == golden(name)
    assert oct(path.stat().st_mode & 0o777) == "0o400"  # as MindSpore leaves it


@pytest.mark.parametrize("mode", MODES)
def test_encrypted_round_trip(mode, tmp_path):
    needs_cipher(mode)
    path = tmp_path / "file.ckpt"
    fmt.write(path, NET + EXTRA, enc_key=KEY, enc_mode=mode)
    assert_same(fmt.read(path, dec_key=KEY, dec_mode=mode), NET + EXTRA)
    with pytest.raises(ValueError, match=r"file\.ckpt\. It is encrypted.*'dec_key'"):
        fmt.read(path)
    # With a wrong key CBC leaves a valid padding once in 256 times; the content is then no checkpoint.
    with pytest.raises(ValueError, match=r"file\.ckpt\. The file"):
        fmt.read(path, dec_key=KEY[::-1], dec_mode=mode)
    with pytest.raises(ValueError, match="not an encrypted|another key"):
        fmt.read(path, dec_key=KEY, dec_mode=MODES[MODES.index(mode) - 1])


def test_frames_of_an_encrypted_file_hold_64_mib(tmp_path, monkeypatch):
    monkeypatch.setattr(fmt.cipher, "_CONTENT", 100)
    path = tmp_path / "file.ckpt"
    fmt.write(path, NET, enc_key=KEY)
    assert path.read_bytes().count(b"\xd8\x5e\x3a\x7f") == 2  # 190 bytes of content
    assert_same(fmt.read(path, dec_key=KEY), NET)


@pytest.mark.parametrize(
    "key, mode, error, message",
    [
        ("text", "AES-GCM", TypeError, "'enc_key' must be bytes, but got str"),
        (b"short", "AES-GCM", ValueError, "must be 16, 24, 32 bytes for AES-GCM, but got 5"),
        (b"x" * 24, "SM4-CBC", ValueError, "must be 16 bytes for SM4-CBC, but got 24"),
        (KEY, "ROT13", ValueError, "must be one of .*'AES-GCM'.*, but got 'ROT13'"),
    ],
)
def test_wrong_keys(key, mode, error, message, tmp_path):
    with pytest.raises(error, match=message):
        fmt.write(tmp_path / "file.ckpt", NET, enc_key=key, enc_mode=mode)
    assert os.listdir(tmp_path) == []


def test_big_tensors_are_sliced(tmp_path, monkeypatch):
    monkeypatch.setattr(fmt, "SLICE_BYTES", 40)
    path = tmp_path / "file.ckpt"
    fmt.write(path, NET, crc_check=True)
    assert path.read_bytes().count(b"conv.weight") == 3  # 96 bytes
    assert_same(fmt.read(path, crc_check=True), NET)


def test_shapes_and_layouts(tmp_path):
    entries = [
        ("empty", np.zeros((0, 3), np.float32), "Float32"),
        ("none", np.zeros(0, np.int64), "Int64"),
        ("transposed", np.arange(6.0).reshape(2, 3).T, "Float64"),
        ("strided", np.arange(10)[::3], "Int64"),
        ("big_endian", np.arange(3, dtype=">i4"), "Int32"),
    ]
    path = tmp_path / "file.ckpt"
    fmt.write(path, entries)
    assert_same(fmt.read(path), entries[:-1] + [("big_endian", np.arange(3, dtype=np.int32), "Int32")])


def test_a_scalar_as_1x_wrote_it(tmp_path):
    path = tmp_path / "file.ckpt"
    path.write_bytes(b"\x0a\x16\x0a\x01a\x12\x11\x08\x00\x12\x07Float32\x1a\x04\x00\x00\x60\x40")  # dims [0], 4 bytes
    assert_same(fmt.read(path), [("a", np.array(3.5, np.float32), "Float32")])


def test_map_parameters(tmp_path):
    columns = [np.array([1, 2], np.int32), np.ones((2, 3), np.float32), np.array([0, 1], np.int32)]
    path = tmp_path / "file.ckpt"
    fmt.write(path, [("table", columns, fmt.MAP), *NET])
    read = fmt.read(path)
    assert list(read) == ["table", *(name for name, _, _ in NET)] and read["table"][1] == fmt.MAP
    for got, wanted in zip(read["table"][0], columns, strict=True):
        np.testing.assert_array_equal(got, wanted)
        assert got.dtype == wanted.dtype


def test_only_chosen_names(tmp_path):
    path = tmp_path / "file.ckpt"
    fmt.write(path, NET)
    assert_same(fmt.read(path, choose=lambda name: name.startswith("moments")), NET[1:2])


def test_an_array_that_does_not_fit_its_type_leaves_the_old_file(tmp_path):
    path = tmp_path / "file.ckpt"
    fmt.write(path, NET)
    before = path.read_bytes()
    with pytest.raises(TypeError, match="parameter 'bad' must fit the type Float32, but got dtype float64"):
        fmt.write(path, [*NET, ("bad", np.zeros(2), "Float32")])
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["file.ckpt"]
    with pytest.raises(TypeError, match="must be one of .*but got datetime64"):
        fmt.type_name(np.array("2020", "datetime64"))


def entry(**changes):
    """One entry of a file, with a part changed or left out (None)."""
    whole = {"tag": b"\x0a\x01w", "dims": b"\x08\x02", "kind": b"\x12\x07Float32", "content": b"\x1a\x08" + bytes(8)}
    parts = whole | changes
    tensor = b"".join(parts[k] for k in ("dims", "kind", "content") if parts[k] is not None)
    value = (parts["tag"] or b"") + b"\x12" + bytes([len(tensor)]) + tensor
    return b"\x0a" + bytes([len(value)]) + value


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "It is empty"),
        (b"hello, this is no checkpoint at all", "is not a checkpoint, or is damaged"),
        (b"PK\x03\x04" + bytes(30), "is not a checkpoint, or is damaged"),
        (b"\x0a", "ends within a number"),
        (b"\x0a" + b"\xff" * 12, "a number does not end"),
        (entry(tag=None), "damaged in the parameter at byte 0"),
        (entry(tag=b"\x0a\x01\xff"), "a name is not text"),
        (entry(kind=None), "damaged in parameter 'w'"),
        (entry(content=None), "damaged in parameter 'w'"),
        (entry(content=b"\x18\x05"), "damaged in parameter 'w'"),
        (entry(kind=b"\x12\x07Float31"), "type 'Float31', which must be one of"),
        (entry(dims=b"\x08\x03"), r"Float32 of shape \(3,\) takes 12 bytes, 8 are there"),
        (entry(dims=b"\x08" + b"\xff" * 9 + b"\x01"), "damaged in parameter 'w'"),  # -1
        (entry(kind=b"\x12\x03str", content=b"\x1a\x04" + b"\xff" * 4), "its content is not text"),
    ],
)
def test_damage_is_named(content, message, tmp_path):
    path = tmp_path / "file.ckpt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"Failed to read the checkpoint file .*file\.ckpt\. .*{message}"):
        fmt.read(path)


def test_a_file_cut_anywhere_is_noticed(tmp_path):
    path = tmp_path / "file.ckpt"
    whole = golden("append_dict")
    ends = set()  # a cut between two entries cannot be seen without the crc code
    at = 0
    while at < len(whole):
        at += 2 + whole[at + 1] if whole[at + 1] < 128 else 3 + (whole[at + 1] & 127) + 128 * whole[at + 2]
        ends.add(at)
    for size in range(1, len(whole)):
        path.write_bytes(whole[:size])
        if size in ends:
            assert len(fmt.read(path)) < len(NET + EXTRA)
        else:
            with pytest.raises(ValueError, match=r"file\.ckpt\. "):
                fmt.read(path)


@pytest.mark.parametrize("name", ["append_dict", "map", "AES-GCM"])
def test_any_damage_is_a_value_error_or_another_content(name, tmp_path):
    path = tmp_path / "file.ckpt"
    if name == "map":
        fmt.write(path, [("table", [np.arange(3), np.ones((3, 2)), np.zeros(3, np.int32)], fmt.MAP), *NET])
        whole = path.read_bytes()
        path.unlink()
    else:
        whole = golden(name)
    options = FILES[name][2] if name in FILES else {}
    random = np.random.default_rng(0)
    damaged = 0
    for _ in range(60 if options else 400):
        content = bytearray(whole)
        for at in random.integers(len(whole), size=random.integers(1, 4)):
            content[at] = random.integers(256)
        path.write_bytes(content)
        try:
            fmt.read(path, **options)
        except ValueError as error:
            assert "file.ckpt. " in str(error)
            damaged += 1
    assert damaged > 10


def test_crc(tmp_path, capfd):
    path = tmp_path / "file.ckpt"
    whole = bytearray(golden("crc"))
    whole[60] ^= 1  # a bit of the values of conv.weight
    path.write_bytes(whole)
    with pytest.raises(ValueError, match=r"file\.ckpt\. The crc check has failed"):
        fmt.read(path, crc_check=True)
    assert len(fmt.read(path)) == len(NET)
    path.write_bytes(golden("plain"))
    assert_same(fmt.read(path, crc_check=True), NET)
    assert "does not contain the crc code" in capfd.readouterr().err


def test_memory_is_that_of_the_arrays(tmp_path):
    path = tmp_path / "file.ckpt"
    entries = [(f"w{i}", np.full((250_000,), i, np.float32), "Float32") for i in range(8)]
    tracemalloc.start()
    try:
        fmt.write(path, entries)
        written = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        read = fmt.read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert_same(read, entries)
    assert peak - written < 1.2 * 8_000_000 and written < 8_000_000 + 500_000 + 300_000


def test_safetensors(tmp_path, capfd):
    pytest.importorskip("safetensors", reason="needs the extra 'safetensors'")
    path = tmp_path / "file.safetensors"
    path.write_bytes(golden("safetensors"))
    net = sorted(NET)
    read, metadata = safetensors_format.read_safetensors(path, crc_check=True)
    assert_same(read, net)
    assert metadata["format"] == "ms"
    safetensors_format.write_safetensors(path, NET, crc_check=True)
    again, ours = safetensors_format.read_safetensors(path, crc_check=True)
    assert_same(again, net)
    assert ours == metadata  # the same crc
    with_bfloat16 = [*net, ("x", np.ones(3, ml_dtypes.bfloat16), "BFloat16"), ("y", np.ones(3, np.int8), "Int4")]
    safetensors_format.write_safetensors(path, with_bfloat16, remove_redundancy=False)
    read, metadata = safetensors_format.read_safetensors(path)
    assert_same(read, with_bfloat16)
    assert metadata == {"format": "ms", "remove_redundancy": "False", "y": "Int4"}
    assert_same(safetensors_format.read_safetensors(path, choose=lambda name: name == "x")[0], with_bfloat16[-2:-1])
    assert capfd.readouterr().err == ""
    safetensors_format.read_safetensors(path, crc_check=True)
    assert "does not contain the crc code" in capfd.readouterr().err
    with pytest.raises(TypeError, match="the data of 'note' must be a Tensor, but got a string"):
        safetensors_format.write_safetensors(path, EXTRA)


def test_damaged_safetensors(tmp_path):
    pytest.importorskip("safetensors", reason="needs the extra 'safetensors'")
    path = tmp_path / "file.safetensors"
    whole = golden("safetensors")
    path.write_bytes(whole[:-3])
    with pytest.raises(ValueError, match=r"file\.safetensors\. The file is cut or damaged"):
        safetensors_format.read_safetensors(path)
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ValueError, match=r"file\.safetensors\. The crc check has failed"):
        safetensors_format.read_safetensors(path, crc_check=True)


def test_mindspore_reads_our_files(mindspore_python, tmp_path):
    unread = ("Complex64", "Float8E4M3FN")  # it writes them only
    entries = [entry for entry in NET + EXTRA + type_entries() if entry[2] not in unread]
    wanted = {
        name: value if kind == "str" else [kind, list(value.shape), value.astype(float).ravel().tolist()]
        for name, value, kind in entries
    }
    arguments, expected = [], []

    def file(name, options="", read=wanted):
        arguments.append(str(tmp_path / name) + options)
        expected.append(read)
        return tmp_path / name

    fmt.write(file("plain.ckpt"), entries)
    fmt.write(file("crc.ckpt", ",crc"), entries, crc_check=True)
    for mode in MODES:
        if mode == "AES-GCM" or cryptography is not None:
            fmt.write(file(f"{mode}.ckpt", f",{KEY.decode()},{mode}"), entries, enc_key=KEY, enc_mode=mode)
    arrays = [e for e in entries if e[2] not in ("str", "BFloat16")]
    tensors = file("net.safetensors", ",crc", {name: wanted[name] for name, _, _ in arrays})
    safetensors_format.write_safetensors(tensors, arrays, crc_check=True)
    run = subprocess.run([mindspore_python, GOLDENS / "read_checkpoint.py", *arguments], capture_output=True, text=True)
    lines = [json.loads(line[5:]) for line in run.stdout.splitlines() if line.startswith("READ ")]
    assert run.returncode == 0, run.stderr[-2000:]
    assert lines == expected


def test_what_a_killed_save_left_is_removed_by_the_next(tmp_path):
    left, held, young, other = (
        tmp_path / name
        for name in (".a.ckpt.abcd1234.tmp", ".a.ckpt.held1234.tmp", ".a.ckpt.new_1234.tmp", ".b.ckpt.abcd1234.tmp")
    )
    for path in (left, held, young, other):
        path.write_bytes(b"half")
    for path in (left, held, other):
        os.utime(path, (0, 0))
    with open(held, "rb") as file:  # as one that writes it
        fcntl.flock(file, fcntl.LOCK_EX)
        fmt.write(tmp_path / "a.ckpt", [("w", np.ones(2, np.float32), "Float32")])
    assert {p.name for p in tmp_path.iterdir()} == {"a.ckpt", held.name, young.name, other.name}
