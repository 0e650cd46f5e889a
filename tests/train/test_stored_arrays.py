"""Arrays that are read from their file when they are asked for, and written when their turn comes; whole or in parts."""

import os
import threading

import jax
import ml_dtypes
import numpy as np
import pytest

import msjax as ms
from msjax import Parameter, Tensor, nn
from msjax.core.values.deferred import Deferred
from msjax.core.values.filled import Filled
from msjax.core.values.rows import Row
from msjax.train import checkpoint_format as files
from msjax.train import checkpoint_loading, safetensors_format, saved_arrays, stored_arrays
from msjax.train.stored_arrays import Source, StoredArray


@pytest.mark.parametrize("short, at_once", [(16 << 10, 8 << 20), (64, 256), (8, 64)])
def test_any_part_of_any_array(tmp_path, monkeypatch, short, at_once):
    """Content in several runs, cut anywhere; read in another dtype, and into memory with gaps."""
    monkeypatch.setattr(stored_arrays, "_SHORT_RUN", short)
    monkeypatch.setattr(stored_arrays, "_AT_ONCE", at_once)
    rng = np.random.default_rng(0)
    for _ in range(60):
        shape = tuple(rng.integers(1, 9, rng.integers(0, 4)).tolist())
        kind = np.dtype([np.float32, np.int8, ml_dtypes.bfloat16, np.float64][rng.integers(4)])
        whole = rng.integers(-100, 100, shape).astype(kind)
        raw, file, runs = whole.tobytes(), b"", []
        cuts = [0, *sorted(rng.integers(0, len(raw), rng.integers(0, 3)).tolist()), len(raw)]
        for begin, end in zip(cuts, cuts[1:]):
            file += b"x" * int(rng.integers(0, 9))
            runs.append((len(file), end - begin))
            file += raw[begin:end]
        (tmp_path / "file").write_bytes(file)
        stored = StoredArray(Source(tmp_path / "file"), runs, shape, kind)
        np.testing.assert_array_equal(stored.read(), whole)
        for taken in (kind, np.dtype(np.float32)):
            index = tuple(slice(*sorted(rng.integers(0, n + 1, 2).tolist())) for n in shape)
            part = whole[index].astype(taken)
            for target in (np.empty(part.shape, taken), np.empty((*part.shape, 2), taken)[..., 0]):
                stored.fill(target, index)
                np.testing.assert_array_equal(target, part)


@pytest.fixture(params=["ckpt", "safetensors"])
def saved(request, tmp_path, monkeypatch):
    """(path of a checkpoint, its arrays, how to load it); also small arrays, and those for one CPU, are read later."""
    monkeypatch.setattr(checkpoint_loading, "READ_LATER", 1)
    monkeypatch.setattr(checkpoint_loading, "_may_wait", lambda: True)
    arrays = {"weight": np.arange(12, dtype=np.float32).reshape(3, 4), "bias": np.ones(3, np.float32)}
    path = str(tmp_path / f"net.{request.param}")
    ms.save_checkpoint(arrays, path, format=request.param)
    return path, arrays, lambda **options: ms.load_checkpoint(path, format=request.param, **options)


def waits(parameter):
    return type(parameter._raw) is Deferred


def test_what_waits_is_a_parameter_like_any_other(saved):
    _, arrays, load = saved
    given = load()
    assert all(map(waits, given.values()))
    assert {n: (p.name, p.shape, p.dtype, p.nbytes) for n, p in given.items()} == {
        n: (n, a.shape, ms.float32, a.nbytes) for n, a in arrays.items()
    }
    assert all(map(waits, given.values()))  # what is asked so far is known without reading
    given["twice"] = Parameter(given["weight"] * 2, name="twice")
    given["half"] = Parameter(given["weight"], name="half")
    assert given["half"].set_dtype(ms.float16) == ms.float16
    bias = given.pop("bias")
    bias[0] = 5.0
    bias += 1
    assert bias.asnumpy().tolist() == [6, 2, 2] and repr(given["weight"]).startswith("Parameter (name=weight")
    np.testing.assert_array_equal(given["twice"].asnumpy(), arrays["weight"] * 2)
    np.testing.assert_array_equal(given["half"].asnumpy(), arrays["weight"].astype(np.float16))
    ms.save_checkpoint(list(given.values()), saved[0].replace("net.", "other."), format=saved[0].rpartition(".")[2])
    assert list(given) == sorted(["weight", "twice", "half"], key=["weight", "twice", "half"].index)


def test_a_network_takes_its_values_from_the_file_and_the_dict_reads_none(saved):
    path, arrays, load = saved
    net, half = nn.Dense(4, 3), nn.Dense(4, 3).to_float(ms.float16)
    for parameter in half.get_parameters():
        parameter.set_dtype(ms.float16)
    given = load()
    for target in (net, half):
        assert ms.load_param_into_net(target, given) == ([], [])
    assert all(map(waits, given.values()))
    ms.save_checkpoint({name: array + 1 for name, array in arrays.items()}, path, format=path.rpartition(".")[2])
    for name, array in arrays.items():  # the file was replaced: what was opened is read
        for box in (getattr(net, name), getattr(half, name), given[name]):
            np.testing.assert_array_equal(box.asnumpy(), array.astype(box.asnumpy().dtype))
    again = load(net=net)
    os.chmod(path, 0o600)
    os.remove(path)
    for name, array in arrays.items():
        np.testing.assert_array_equal(net.parameters_dict()[name].asnumpy(), array + 1)
        np.testing.assert_array_equal(again[name].asnumpy(), array + 1)


@pytest.mark.parametrize("change", [lambda f: f.write(b"x"), lambda f: f.truncate(60)], ids=["written", "cut"])
def test_a_file_that_is_written_over_is_told(saved, change):
    path, _, load = saved
    given = load()
    before = os.stat(path)
    os.chmod(path, 0o600)
    with open(path, "r+b") as file:
        change(file)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))  # clocks of disks are coarse
    with pytest.raises(ValueError, match=r"net\.(ckpt|safetensors)\. .*(opened|shorter)"):
        given["weight"].asnumpy()
    net = nn.Dense(4, 3)
    weight = net.weight.asnumpy()
    with pytest.raises(ValueError, match="Failed to read the checkpoint file"):
        ms.load_param_into_net(net, given)
    np.testing.assert_array_equal(net.weight.asnumpy(), weight)  # nothing was given up for what cannot be read


def test_the_only_cpu_reads_at_once(tmp_path, monkeypatch):
    """So the file may be written over in place, as MindSpore allows."""
    monkeypatch.setattr(checkpoint_loading, "READ_LATER", 1)
    monkeypatch.setattr(jax, "device_count", lambda: 1)
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint({"x": np.ones(3, np.float32)}, path)
    given = ms.load_checkpoint(path)
    assert not waits(given["x"])
    os.chmod(path, 0o600)
    with open(path, "r+b") as file:
        file.truncate(3)
    assert given["x"].asnumpy().tolist() == [1, 1, 1]


def test_axes_of_length_one_at_the_end_are_left_out(saved):
    path, arrays, load = saved
    ms.save_checkpoint({"weight": arrays["weight"][..., None, None]}, path, format=path.rpartition(".")[2])
    net = nn.Dense(4, 3, has_bias=False)
    ms.load_param_into_net(net, load())
    np.testing.assert_array_equal(net.weight.asnumpy(), arrays["weight"])


def test_a_file_is_closed_when_nothing_of_it_is_left_to_read(saved):
    _, _, load = saved
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("open files are counted as Linux lists them")

    def open_files():
        return len(os.listdir("/proc/self/fd"))

    before = open_files()
    given = load()
    assert open_files() == before + 1
    for parameter in given.values():
        parameter.asnumpy()
    del parameter
    assert open_files() == before and Tensor(given["bias"]).shape == (3,)


def test_a_second_cast_does_not_bring_back_what_the_first_one_lost():
    content = Deferred((2,), np.float32, Filled(lambda target, index: np.copyto(target, 1.0001)))
    np.testing.assert_array_equal(content.astype(np.dtype(np.float16)).astype(np.dtype(np.float32)).host(), [1, 1])


def _paused(monkeypatch, module):
    """Writing of files waits for the event."""
    go, replace = threading.Event(), files.replace_file

    def later(path, write_to):
        assert go.wait(60)
        replace(path, write_to)

    monkeypatch.setattr(module, "replace_file", later)
    return go


@pytest.mark.parametrize("suffix", ["ckpt", "safetensors"])
def test_what_is_saved_in_the_background_is_the_state_of_the_call(tmp_path, monkeypatch, suffix):
    """Steps go on, and write over what is saved already; what is not is left alone, in a stack of equal layers too."""
    go = _paused(monkeypatch, files if suffix == "ckpt" else safetensors_format)
    ms.set_context(mode=ms.GRAPH_MODE, fold_layers=True)
    try:
        net = nn.SequentialCell(*[nn.SequentialCell(nn.Dense(4, 4), nn.Tanh()) for _ in range(8)])
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.1))
        x, y = Tensor(np.ones((2, 4), np.float32)), Tensor(np.zeros((2, 4), np.float32))
        step(x, y)
        assert any(type(p._raw) is Row for p in step.get_parameters())
        kept = {p.name: p.asnumpy() for p in step.get_parameters()}
        path = str(tmp_path / f"step.{suffix}")
        ms.save_checkpoint(step, path, async_save=True, format=suffix)
        for _ in range(2):
            step(x, y)
        go.set()
        found = ms.load_checkpoint(path, format=suffix)
        assert {n: p.asnumpy().tobytes() for n, p in found.items()} == {n: v.tobytes() for n, v in kept.items()}
        assert (net[0][0].weight.asnumpy() != kept["0.0.weight"]).any()
    finally:
        ms.set_context(fold_layers=False)


def test_a_large_array_is_written_block_by_block(tmp_path, monkeypatch):
    monkeypatch.setattr(saved_arrays, "_BLOCK", 100)
    monkeypatch.setattr(files, "SLICE_BYTES", 130)
    values = np.arange(90, dtype=np.float32).reshape(6, 5, 3)
    mesh = jax.sharding.Mesh(np.array(jax.devices()), ("x",))
    in_parts = jax.device_put(values, jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x")))
    blocks = saved_arrays.saved(Deferred(values.shape, values.dtype, Filled(lambda t, i: np.copyto(t, values[i]))))
    assert len(list(blocks.pieces())) == 6
    for number, array in enumerate((blocks, saved_arrays.saved(in_parts))):
        files.write(tmp_path / f"{number}.ckpt", [("w", array, "Float32"), ("none", np.ones((0, 2)), "Float64")])
    files.write(tmp_path / "2.ckpt", [("w", values, "Float32"), ("none", np.ones((0, 2)), "Float64")])
    assert len({(tmp_path / f"{number}.ckpt").read_bytes() for number in range(3)}) == 1
    np.testing.assert_array_equal(files.read(tmp_path / "2.ckpt")["w"][0], values)
