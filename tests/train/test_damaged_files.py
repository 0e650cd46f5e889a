"""Damaged files: each loads or raises this package's error, in bounded time and memory; a save that is killed leaves a whole file.

`MSJAX_LONG_TESTS=1` runs ten thousand files and two hundred kills instead of a sample.
"""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
import tracemalloc

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn

from msjax.mindrecord import FileReader, FileWriter, MRMOpenError
from msjax.mindrecord.tfrecord import read_records
from msjax.train import checkpoint_format as files
from msjax.train import safetensors_format

LONG = bool(os.environ.get("MSJAX_LONG_TESTS"))
FILES, KILLS = (2500, 200) if LONG else (40, 1)
ENTRIES = [
    ("a.weight", np.arange(600, dtype=np.float32).reshape(20, 30), "Float32"),
    ("b", np.arange(9), "Int64"),
    ("s", "text", "str"),
]


def mutated(content, rng):
    """The content with bytes changed, cut, doubled, or numbers made large."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5))):
        kind, at = rng.randrange(5), rng.randrange(max(len(data), 1))
        if kind == 0 and data:
            data[at % len(data)] = rng.randrange(256)
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            data[at:at] = data[max(at - 20, 0) : at + rng.randrange(60)]
        elif kind == 3:
            data[at : at + 9] = b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
        else:
            at %= min(len(data), 200) or 1  # headers are in front
            data[at : at + 1] = bytes([rng.randrange(256)])
    return bytes(data)


def make_ckpt(path):
    files.write(path, ENTRIES, crc_check=True)


def make_safetensors(path):
    safetensors_format.write_safetensors(path, ENTRIES[:2])


def make_tfrecord(path):
    from msjax.train.summary.event_file import record

    path.write_bytes(b"".join(record(os.urandom(50)) for _ in range(20)))


def make_mindrecord(path):
    writer = FileWriter(str(path), overwrite=True)
    writer.add_schema({"a": {"type": "int32"}, "b": {"type": "bytes"}})
    writer.write_raw_data([{"a": i, "b": bytes(i + 1)} for i in range(20)])
    writer.commit()


def read_mindrecord(path):
    reader = FileReader(str(path))
    rows = list(reader.get_next())
    reader.close()
    return rows


KINDS = {
    "ckpt": (make_ckpt, lambda p: files.read(p, crc_check=False), (ValueError,)),
    "safetensors": (make_safetensors, safetensors_format.read_safetensors, (ValueError,)),
    "tfrecord": (make_tfrecord, lambda p: list(read_records(str(p))), (RuntimeError, ValueError)),
    "mindrecord": (make_mindrecord, read_mindrecord, (RuntimeError, ValueError, MRMOpenError)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_load_or_raise(kind, tmp_path):
    make, read, errors = KINDS[kind]
    path = tmp_path / f"file.{kind}"
    make(path)
    whole = path.read_bytes()
    read(path)
    rng, refused = random.Random(7), 0
    for number in range(FILES if LONG or kind != "mindrecord" else 8):  # an index beside each of these is opened, too
        content = mutated(whole, rng)
        path.chmod(0o600)
        path.write_bytes(content)
        measured = number % 20 == 0
        if measured:
            tracemalloc.start()
        started = time.process_time()
        try:
            read(path)
        except errors as error:
            refused += 1
            assert str(error)
        finally:
            if measured:
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                assert peak < 4 * len(content) + (3 << 20), number
        assert time.process_time() - started < 5, number
    assert refused > number // 10


SAVING = """
    import sys
    import numpy as np
    from msjax.train import checkpoint_format as files
    path, seed = sys.argv[1], int(sys.argv[2])
    print("ready", flush=True)
    for i in range(10**6):
        files.write(path, [("w", np.full(1 << 19, i, np.float32), "Float32"), ("i", np.array(i), "Int64")], crc_check=True)
"""


def test_a_killed_save_leaves_the_old_file_or_the_new(tmp_path):
    path = tmp_path / "net.ckpt"
    files.write(
        path, [("w", np.full(1 << 19, -1, np.float32), "Float32"), ("i", np.array(-1), "Int64")], crc_check=True
    )
    rng = random.Random(1)
    for number in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(SAVING), str(path), str(number)], stdout=subprocess.PIPE, text=True
        )
        with process:
            assert process.stdout.readline() == "ready\n"
            time.sleep(rng.random() * 0.2)
            process.send_signal(signal.SIGKILL)
        found = files.read(path, crc_check=True)
        assert (found["w"][0] == found["i"][0]).all()


@pytest.mark.skipif(not LONG, reason="one of MSJAX_LONG_TESTS=1")
def test_a_full_disk_leaves_the_old_file(tmp_path):
    import resource

    net = nn.Dense(300, 300)
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(net, path)
    before = ms.load_checkpoint(path)["weight"].asnumpy()
    net.weight.set_data(ms.Tensor(np.zeros((300, 300), np.float32)))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))  # writes fail half way, as on a full disk
    try:
        with pytest.raises(OSError):
            ms.save_checkpoint(net, path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, old)
    assert (ms.load_checkpoint(path)["weight"].asnumpy() == before).all()
    assert os.listdir(tmp_path) == ["net.ckpt"]
