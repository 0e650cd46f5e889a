"""Programs kept between runs: the second start compiles nothing; the folder is bounded, and can be chosen or refused."""

import json
import os
import subprocess
import sys
import time
import zlib

import jax

from msjax.core.settings import compile_cache

TRAINING = """
import json
import numpy as np, jax
counts = {}
jax.monitoring.register_event_listener(lambda name, **_: counts.__setitem__(name, counts.get(name, 0) + 1))
import msjax; msjax.install()
import mindspore as ms
from mindspore import nn, dataset, train
ms.set_seed(0)
data = dataset.NumpySlicesDataset((np.ones((8, 4), np.float32), np.zeros(8, np.int32)), ["x", "y"]).batch(4)
net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
train.Model(net, loss, nn.Momentum(net.trainable_params(), 0.1, 0.9)).train(1, data, dataset_sink_mode=False)
value = float(ms.ops.relu(net(ms.Tensor(np.ones((2, 4), np.float32)))).sum().asnumpy())
print(json.dumps({"value": value, **{n.rsplit("/", 1)[-1]: c for n, c in counts.items()}}))
"""


def run(code, **environment):
    env = {**os.environ, **environment}
    found = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return json.loads(found.stdout.splitlines()[-1])


def test_the_second_start_compiles_nothing(tmp_path):
    first, second = (run(TRAINING, MSJAX_CACHE_DIR=str(tmp_path)) for _ in range(2))
    assert first["cache_misses"] > 0 and len(list(tmp_path.glob("programs-*/*-cache"))) == first["cache_misses"]
    assert "cache_misses" not in second
    assert second["cache_hits"] >= first["cache_misses"]
    assert second["value"] == first["value"]


def test_the_folder_is_the_users_or_none(monkeypatch, tmp_path):
    assert jax.config.jax_compilation_cache_dir is None, "the tests would fill the user's folder"
    assert compile_cache.default_folder() is None  # what conftest asks for
    monkeypatch.setenv("MSJAX_CACHE_DIR", str(tmp_path))
    assert compile_cache.default_folder().parent == tmp_path
    monkeypatch.delenv("MSJAX_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "new"))
    assert compile_cache.default_folder().parent == tmp_path / "new" / "msjax"
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert compile_cache.default_folder() is None


def test_unfinished_and_old_entries_go(tmp_path):
    def entry(name, content, age):
        path = tmp_path / f"{name}-cache"
        path.write_bytes(content)
        os.utime(path, (time.time() - age, time.time() - age))

    whole = zlib.compress(os.urandom(1000))
    for number, age in enumerate((400, 300, 200, 100)):
        entry(f"whole{number}", whole, age)
    entry("torn", whole[:500], 150)
    entry("being written", whole[:500], 0)
    compile_cache.tidy(tmp_path, bound=3 * len(whole))
    assert sorted(p.name for p in tmp_path.glob("*-cache")) == ["being written-cache", "whole2-cache", "whole3-cache"]


def test_set_context_turns_it_on_and_off(tmp_path):
    import mindspore as ms

    try:
        ms.set_context(enable_compile_cache=True, compile_cache_path=str(tmp_path))
        assert jax.config.jax_compilation_cache_dir == str(tmp_path)
        ms.ops.exp(ms.Tensor([1.5] * 1237))  # a length that no other test compiles
        assert list(tmp_path.glob("*-cache"))
        ms.set_context(enable_compile_cache=False)
        assert jax.config.jax_compilation_cache_dir is None
    finally:
        ms.set_context(enable_compile_cache=None, compile_cache_path="")
        compile_cache.use(None)


def test_a_process_that_kept_nothing_ends_without_a_look(tmp_path):
    entry = tmp_path / "program-cache"
    entry.write_bytes(b"")
    compile_cache.tidy(tmp_path)
    entry.write_bytes(b"")  # as if another process had kept one, long ago
    os.utime(tmp_path, (time.time() - 600,) * 2)
    compile_cache.tidy(tmp_path, bound=-1)
    assert entry.exists()
    os.utime(tmp_path)
    compile_cache.tidy(tmp_path, bound=-1)
    assert not entry.exists()


def test_only_the_users_own_entries_are_loaded(tmp_path, monkeypatch):
    folder = tmp_path / "programs"
    assert compile_cache.own(folder) and folder.stat().st_mode & 0o777 == 0o700
    kept, link = folder / "a-cache", folder / "b-cache"
    kept.write_bytes(b"own")
    kept.chmod(0o664)  # as a umask of 002 leaves it: nobody else can reach it
    link.symlink_to(tmp_path / "elsewhere")
    assert compile_cache.own(folder) and kept.exists() and not link.is_symlink()
    folder.chmod(0o755)
    assert compile_cache.own(folder) and not kept.exists(), "the group could have changed it"
    kept.write_bytes(b"own")
    folder.chmod(0o777)
    assert compile_cache.own(folder) and not kept.exists() and folder.stat().st_mode & 0o777 == 0o700
    kept.write_bytes(b"own")
    uid = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: uid + 1)
    assert not compile_cache.own(folder)
    (tmp_path / "file").touch()
    assert not compile_cache.own(tmp_path / "file")


def test_cut_and_foreign_entries_change_no_result(tmp_path):
    first = run(TRAINING, MSJAX_CACHE_DIR=str(tmp_path))
    for number, entry in enumerate(sorted(tmp_path.glob("programs-*/*-cache"))):
        content = entry.read_bytes()
        entry.write_bytes((content[: len(content) // 2], b"", b"\x80\x04cos\nsystem\n.")[number % 3])
    assert run(TRAINING, MSJAX_CACHE_DIR=str(tmp_path))["value"] == first["value"]
