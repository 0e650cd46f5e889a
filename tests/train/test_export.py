"""Exported networks give the same numbers when they are loaded again, also in plain JAX; ONNX; MindSpore's own files."""

import os
import pathlib
import subprocess
import sys
import textwrap

import cases_networks
import mindspore as ms
import numpy as np
import pytest
from mindspore import COOTensor, Tensor, nn, ops

from msjax.train import mindir, stored_results

pytest.importorskip("flatbuffers", reason="jax.export writes with flatbuffers")
GOLDENS = pathlib.Path(__file__).parents[1] / "goldens"


class Small(nn.Cell):
    """A convolution, statistics, pooling, and a second function of the same weights."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.fc = nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3), nn.Dense(3, 2)
        self.drop, self.pool = nn.Dropout(p=0.5), nn.AvgPool2d(4, 4)

    def encode(self, x):
        return ops.flatten(self.pool(ops.relu(self.norm(self.conv(x)))))

    def construct(self, x):
        return self.fc(self.drop(self.encode(x)))


def images(count):
    return Tensor(np.random.RandomState(count).rand(count, 1, 4, 4).astype(np.float32))


@pytest.mark.parametrize("file_format", ["MINDIR", "STABLEHLO"])
def test_round_trip(tmp_path, file_format, mode):
    net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.ReLU())
    x = Tensor(np.random.rand(2, 3).astype(np.float32))
    ms.export(net, x, file_name=str(tmp_path / "net"), file_format=file_format)
    graph = ms.load(str(tmp_path / f"net.{file_format.lower()}"))
    again = nn.GraphCell(graph)
    net.set_train(False)
    np.testing.assert_allclose(again(x).asnumpy(), net(x).asnumpy(), rtol=1e-6)
    assert {p.name for p in again.get_parameters()} == {p.name for p in net.get_parameters()}
    with pytest.raises(ValueError, match=r"must be float32 of shape \(2, 3\), but got float32 of shape \(3, 3\)"):
        graph(Tensor(np.zeros((3, 3), np.float32)))
    ms.save_mindir(graph, str(tmp_path / "again"))
    np.testing.assert_allclose(ms.load_mindir(str(tmp_path / "again.mindir"))(x).asnumpy(), again(x).asnumpy())


@pytest.mark.parametrize(
    "given, error",
    [
        (np.zeros(4, np.float32), TypeError),
        (Tensor(np.zeros((4, 1), np.float32)), ValueError),
        (Tensor(np.zeros(4, np.float64)), ValueError),
    ],
)
def test_weights_instead_of_the_stored_ones_must_fit(given, error, tmp_path):
    """Recorded from MindSpore: what does not fit raises, as the Cell is made."""
    net = nn.Dense(3, 4)
    ms.export(net, Tensor(np.zeros((2, 3), np.float32)), file_name=str(tmp_path / "net"), file_format="MINDIR")
    with pytest.raises(error, match="'params_init'"):
        nn.GraphCell(ms.load(str(tmp_path / "net.mindir")), params_init={net.bias.name: given})


class Loop(nn.Cell):
    """Conditions on Tensors, and a list of inputs."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2)

    def construct(self, pair, count):
        x = pair[0] + pair[1]
        while count < 3:
            count = count + 1
            x = self.fc(x)
            if x.sum() > 0:
                x = x - 1
        return x, count


def test_conditions_and_lists(tmp_path):
    net, pair = Loop(), [Tensor(np.ones((1, 2), np.float32)), Tensor(np.full((1, 2), 0.5, np.float32))]
    ms.export(net, ms.mutable(pair), Tensor(0), file_name=str(tmp_path / "net"), file_format="MINDIR")
    found = nn.GraphCell(ms.load(str(tmp_path / "net.mindir")))(ms.mutable(pair), Tensor(0))
    for one, other in zip(found, net(pair, Tensor(0))):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6)


class Sized(nn.Cell):
    def construct(self, x, rows, add, sizes):
        y = x.reshape(rows, -1) * sizes[1]
        return y + 1 if add else y


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_numbers_among_the_inputs_stand_in_the_program(tmp_path, mode):
    """MindSpore 2.10 gives these numbers, and its loaded network takes the Tensor alone."""
    ms.set_context(mode=mode)
    x = Tensor(np.arange(6), ms.float32)
    ms.export(Sized(), x, 2, True, (None, 2.5), file_name=str(tmp_path / "net"), file_format="MINDIR")
    loaded = nn.GraphCell(ms.load(str(tmp_path / "net.mindir")))
    np.testing.assert_array_equal(loaded(x).asnumpy(), [[1, 3.5, 6], [8.5, 11, 13.5]])
    with pytest.raises(TypeError, match="must be Tensors"):
        loaded(x, 2, True, (None, 2.5))
    with pytest.raises(TypeError, match="position 1"):
        ms.export(Sized(), x, np.ones(2), True, (1, 2.5), file_name=str(tmp_path / "net"), file_format="MINDIR")


def test_any_batch_and_several_functions(tmp_path):
    net = Small()
    net.set_train()
    x = Tensor(shape=[None, 1, 4, 4], dtype=ms.float32)
    path = str(tmp_path / "net.stablehlo")
    ms.export(net, x, file_name=path, file_format="STABLEHLO", functions={"encode": (net.encode, (x,))})
    assert net.training, "left as it was"
    graph = ms.load(path)
    net.set_train(False)
    for count in (1, 5):
        np.testing.assert_allclose(graph(images(count)).asnumpy(), net(images(count)).asnumpy(), rtol=1e-5, atol=1e-6)
        features = graph.call("encode", images(count)).asnumpy()
        np.testing.assert_allclose(features, net.encode(images(count)).asnumpy(), rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match="no function 'decode'"):
        graph.call("decode", images(1))


def test_plain_jax_runs_it(tmp_path):
    net = Small().set_train(False)
    x = Tensor(shape=[None, 1, 4, 4], dtype=ms.float32)
    ms.export(net, x, file_name=str(tmp_path / "net"), file_format="STABLEHLO")
    np.save(tmp_path / "x.npy", images(3).asnumpy())
    program = """
        import io, json, sys, zipfile
        import jax, numpy as np
        import jax.export
        archive = zipfile.ZipFile("net.stablehlo")
        about = json.loads(archive.read("network.json"))
        weights = np.load(io.BytesIO(archive.read("weights.npz")))
        program = jax.export.deserialize(bytearray(archive.read("program.stablehlo")))
        outs = program.call([weights[f"w{i}"] for i in range(len(about["weights"]))], [np.load("x.npy")])
        assert not any(name.startswith("msjax") for name in sys.modules)
        assert program.platforms == ("cpu", "cuda", "tpu")
        np.save("y.npy", outs[0])
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=tmp_path, env=environment, check=True)
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), net(images(3)).asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("file_format", ["AIR", "PNG"])
def test_other_formats_are_refused(tmp_path, file_format):
    with pytest.raises(ValueError, match=file_format):
        ms.export(nn.ReLU(), Tensor([1.0]), file_name=str(tmp_path / "net"), file_format=file_format)


def test_onnx(tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("jax2onnx")
    net = Small().set_train(False)
    ms.export(net, images(2), file_name=str(tmp_path / "net"), file_format="ONNX")
    session = runtime.InferenceSession(str(tmp_path / "net.onnx"), providers=["CPUExecutionProvider"])
    (out,) = session.run(None, {session.get_inputs()[0].name: images(2).asnumpy()})
    np.testing.assert_allclose(out, net(images(2)).asnumpy(), atol=1e-5)


IMAGES = Tensor(np.random.RandomState(0).randn(2, 3, 64, 64).astype(np.float32))
WORDS = Tensor(np.arange(32).reshape(2, 16) % 7, ms.int32), Tensor(np.arange(32).reshape(2, 16) % 5 > 0, ms.int32)


@pytest.mark.skipif(not os.environ.get("MSJAX_TEST_ALL"), reason="one of MSJAX_TEST_ALL=1")
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "name, inputs", [("ResNet50", (IMAGES,)), ("MobileNetV2", (IMAGES,)), ("Bert", WORDS)], ids=lambda v: str(v)[:12]
)
def test_onnx_of_known_networks(name, inputs, tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("jax2onnx")
    net, rng = getattr(cases_networks, name)().set_train(False), np.random.RandomState(0)
    for p in net.get_parameters():
        if "moving" in p.name:  # as training leaves them
            p.set_data(Tensor((0.5 + rng.rand(*p.shape)).astype(np.float32)))
    names = [f"x{i}" for i in range(len(inputs))]
    ms.onnx.export(net, *inputs, file_name=str(tmp_path / "net"), input_names=names)
    session = runtime.InferenceSession(str(tmp_path / "net.onnx"), providers=["CPUExecutionProvider"])
    outs, wanted = session.run(None, dict(zip(names, (x.asnumpy() for x in inputs)))), net(*inputs)
    for out, want in zip(outs, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        np.testing.assert_allclose(out, want.asnumpy(), atol=1e-5)


def test_onnx_with_names_and_any_batch(tmp_path):
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("jax2onnx")
    net, path = Small().set_train(False), str(tmp_path / "net.onnx")
    options = {"input_names": ["x"], "output_names": ["y"], "dynamic_axes": {"x": {0: "batch"}}}
    ms.onnx.export(net, images(2), file_name=path, **options)
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (out,) = session.run(["y"], {"x": images(3).asnumpy()})
    np.testing.assert_allclose(out, net(images(3)).asnumpy(), atol=1e-5)
    with pytest.raises(ValueError, match="constants of the file"):
        ms.onnx.export(net, images(2), file_name=path, export_params=False)


def test_a_training_step_is_exported_and_goes_on(tmp_path, mode):
    def step():
        net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
        return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.03, 0.5))

    x, y = Tensor(np.ones((2, 3), np.float32)), Tensor(np.full((2, 2), 0.25, np.float32))
    whole, exported = step(), step()
    ms.export(exported, x, y, file_name=str(tmp_path / "step"), file_format="MINDIR")
    loaded = nn.GraphCell(ms.load(str(tmp_path / "step.mindir")))
    losses = [loaded(x, y).asnumpy() for _ in range(3)]
    np.testing.assert_allclose(losses, [whole(x, y).asnumpy() for _ in range(3)], rtol=1e-5)
    np.testing.assert_allclose(
        {p.name: p for p in loaded.get_parameters()}["weight"].asnumpy(),
        whole.network._backbone.weight.asnumpy(),
        rtol=1e-5,
    )


def test_onnx_without_its_package_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jax2onnx", None)
    with pytest.raises(ImportError, match=r"pip install 'msjax\[onnx\]'"):
        ms.export(nn.ReLU(), Tensor([1.0]), file_name=str(tmp_path / "net"), file_format="ONNX")


def test_a_foreign_file_is_refused(tmp_path):
    (tmp_path / "net.mindir").write_bytes(b"something else")
    with pytest.raises(ValueError, match="was not written by msjax"):
        ms.load(str(tmp_path / "net.mindir"))
    with pytest.raises(ValueError, match="no MindIR file"):
        mindir.load_weights(tmp_path / "net.mindir")


def test_weights_of_a_mindir_file_of_mindspore():
    path = GOLDENS / "net.mindir"
    with pytest.raises(ValueError, match=r"MindIR file of MindSpore.*2 weights can be read"):
        ms.load(str(path))
    weights = mindir.load_weights(path)
    net = nn.SequentialCell(nn.Dense(3, 2), nn.ReLU())
    assert ms.load_param_into_net(net, weights) == ([], [])
    assert net[0].weight.asnumpy().tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


class Several(nn.Cell):
    def construct(self, x):
        at = ops.cast(ops.stack((x, x)), ms.int32)
        return (x, [x + 1, {"b": x, "a": x + 2}]), COOTensor(at, x, (4, 4)), 3


def test_results_keep_their_form(tmp_path):
    """As in MindSpore: nested tuples and lists, sparse Tensors and numbers; a dict is the tuple of its values."""
    x = Tensor([1.0, 2.0])
    ms.export(Several(), x, file_name=str(tmp_path / "net"), file_format="MINDIR")
    (first, (second, third)), sparse, number = nn.GraphCell(ms.load(str(tmp_path / "net.mindir")))(x)
    assert [t.asnumpy().tolist() for t in (first, second, *third)] == [[1, 2], [2, 3], [1, 2], [3, 4]]
    assert type(third) is tuple and number == 3 and type(number) is int
    assert isinstance(sparse, COOTensor) and sparse.shape == (4, 4) and sparse.values.asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize(
    "form", ["all", {"sparse": "os", "parts": [], "shape": []}, {"tuple": "array"}, {"constant": []}]
)
def test_a_form_that_is_none_is_refused(form):
    with pytest.raises(ValueError, match="its results are described"):
        stored_results.number_of_arrays(form)
