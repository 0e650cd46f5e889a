"""`msjax diff`: runs recorded under MindSpore 2.10 beside the same scripts here, and errors planted into them."""

import json
import os
import pathlib
import re
import sys

import numpy as np
import pytest

from msjax.cli import diff, error_picture, msjax_record, record
from msjax.cli.msjax_record import Recording

HERE = pathlib.Path(__file__).parent / "recorded"


@pytest.fixture(autouse=True)
def process_as_before(monkeypatch):
    """The launcher takes the whole process: give it back."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(np, "__getattr__", np.__getattr__)
    for name in ("MSJAX", "PYTHONPATH"):
        monkeypatch.setenv(name, "")
    hook = sys.excepthook
    yield
    sys.excepthook = hook


def planted(tmp_path, name, old, new):
    """A script with a mistake in it, and the number of its line."""
    text = (HERE / f"{name}.py").read_text()
    assert text.count(old) == 1
    path = tmp_path / f"{name}.py"
    path.write_text(text.replace(old, new))
    return path, text[: text.index(old)].count("\n") + 1


@pytest.mark.parametrize("graph", [False, True], ids=["operator by operator", "compiled"])
@pytest.mark.parametrize("name", ["lenet", "lstm", "transformer", "resnet18"])
def test_three_steps_as_mindspore(name, graph, capsys):
    if name == "resnet18" and graph and not os.environ.get("MSJAX_TEST_ALL"):
        pytest.skip("one of MSJAX_TEST_ALL=1")
    assert diff.main([str(HERE / f"{name}.npz"), str(HERE / f"{name}.py"), *["--graph"] * graph]) == 0
    out = capsys.readouterr().out
    assert " 0 beyond rtol 1e-05, atol 1e-05" in out
    assert "site-packages" not in out and "partial_eval" not in out


MISTAKES = [
    ("lenet", "self.relu(self.conv2(x))", "self.relu(self.conv2(x) * 1.001)", "network._backbone.relu (ReLU)"),
    ("transformer", "nn.LayerNorm((width,))\n        self.up", "nn.LayerNorm((width,), epsilon=1e-2)\n        self.up", "block.norm2"),
    ("lstm", "self.dense(x[:, -1])", "self.dense(x[:, -2])", "dense (Dense)"),
]  # fmt: skip


@pytest.mark.parametrize("graph", [False, True], ids=["operator by operator", "compiled"])
@pytest.mark.parametrize("name, old, new, where", MISTAKES)
def test_planted_mistake(name, old, new, where, graph, tmp_path, capsys):
    path, line = planted(tmp_path, name, old, new)
    page = tmp_path / "page.html"
    assert diff.main([str(HERE / f"{name}.npz"), str(path), "--html", str(page), *["--graph"] * graph]) == 1
    out = capsys.readouterr().out
    said = re.search(r"first divergence: the output of (.*), step 1, called at (.*):(\d+)\n", out)
    assert where in said[1] and said[2] == str(path)
    called = line if name != "transformer" else next(
        i for i, text in enumerate(path.read_text().splitlines(), 1) if "self.norm2(x)" in text
    )  # fmt: skip
    assert int(said[3]) == called
    html = page.read_text()
    assert "<svg" in html and 'class="first"' in html and "beyond the tolerance" in html


def test_two_recorded_runs(tmp_path, capsys):
    path = str(tmp_path / "here.npz")
    assert record.main([str(HERE / "lenet.py"), "--out", path, "--steps", "1", "--formula"]) == 0
    assert diff.main([path, path, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out.partition("[\n")[2].join(["[", ""]))
    assert rows and all(row["absolute"] == 0 for row in rows)
    whole, sampled = Recording.load(path), Recording.load(HERE / "lenet.npz")
    assert whole.meta["made_with"]["framework"] == "msjax" and sampled.meta["made_with"]["framework"] == "MindSpore"


def test_a_recording_of_nothing_is_no_agreement(tmp_path, capsys):
    path, script = str(tmp_path / "empty.npz"), tmp_path / "fails.py"
    script.write_text("import mindspore.no_such_module\n")
    with pytest.raises(ModuleNotFoundError):
        record.main([str(script), "--out", path])
    assert diff.main([path, path]) == 2
    assert "nothing was compared" in capsys.readouterr().err


def test_a_run_recorded_from_compiled_functions(tmp_path, capsys):
    path = str(tmp_path / "here.npz")
    assert record.main([str(HERE / "lstm.py"), "--out", path, "--graph", "--formula"]) == 0
    there, here = Recording.load(HERE / "lstm.npz"), Recording.load(path)
    assert [(e["kind"], e["path"], e["number"], e["step"]) for e in here.events] == [
        (e["kind"], e["path"], e["number"], e["step"]) for e in there.events
    ]


def test_a_formula_leaves_settings_alone(tmp_path):
    """Learning rates of a schedule are a Parameter of several values: no initial value to be drawn."""
    script = tmp_path / "train.py"
    script.write_text(
        "import numpy as np\nfrom mindspore import Tensor, nn\n"
        "net = nn.Dense(2, 1)\n"
        "optimizer = nn.Adam(net.trainable_params(), nn.cosine_decay_lr(0.0, 0.1, 4, 2, 2))\n"
        "step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)\n"
        "for _ in range(2):\n    step(Tensor(np.ones((3, 2), np.float32)), Tensor(np.ones((3, 1), np.float32)))\n"
    )
    path = str(tmp_path / "run.npz")
    assert record.main([str(script), "--out", path, "--formula"]) == 0
    run = Recording.load(path)
    rates = [e for e in run.events if e["kind"] == "parameter" and e["path"] == "learning_rate"]
    moments = [e for e in run.events if e["kind"] == "parameter" and e["path"] == "moment1.weight"]
    np.testing.assert_allclose(run.arrays[rates[0]["outputs"][0]["at"]], [0.1, 0.1, 0.05, 0.05], rtol=1e-6)
    assert len(moments) == 2 and abs(run.arrays[moments[0]["outputs"][0]["at"]]).max() < 2


def made(values, dtype="float32", kind="call"):
    recording = Recording()
    for number, value in enumerate(values):
        kept = recording.store((np.asarray(value), dtype))
        recording.events.append(
            {
                "kind": kind,
                "path": "a.b",
                "number": number,
                "step": 0,
                "line": "x.py:3",
                "inputs": [],
                "outputs": [kept],
            }
        )
    return recording


@pytest.mark.parametrize("there, here, wrong, said", [
    ([1.0, 2.0], [1.0, 2.00001], False, ""),
    ([1.0, 2.0], [1.0, 2.001], True, "at [1]: 2 there, 2.001 here"),
    ([np.nan, np.inf], [np.nan, np.inf], False, ""),
    ([np.nan, 1.0], [1.0, 1.0], True, "nan there"),
    ([[1.0, 2.0]], [1.0, 2.0], True, "shape (1, 2) there, shape (2,) here"),
    ([True, False], [True, True], True, ""),
    ([1 + 1j], [1 + 1.1j], True, ""),
    ([], [], False, ""),
])  # fmt: skip
def test_compared(there, here, wrong, said):
    (row,) = diff.compare(made([there]), made([here]))
    assert row.wrong is wrong
    if said:
        assert said in diff.told(row, [row])


def test_dtypes_and_missing_calls():
    first, second = made([1.0]), made([1.0], "float64")
    assert diff.compare(first, second)[0].wrong and not diff.compare(first, second, any_dtype=True)[0].wrong
    assert diff.compare(made([1.0, 2.0]), made([1.0]))[1].note == "did not happen here"
    assert diff.first_divergence(diff.compare(first, first)) is None
    assert error_picture.picture(diff.compare(first, first), None).startswith("<svg")


def test_gradients_part_at_the_last_layer():
    rows = diff.compare(made([1.0, 2.0], kind="gradient"), made([1.5, 2.5], kind="gradient"))
    assert diff.first_divergence(rows) is rows[1]


def test_the_recorder_stands_alone(tmp_path, capsys):
    assert record.main(["--copy", str(tmp_path / "msjax_record.py")]) == 0
    text = (tmp_path / "msjax_record.py").read_text()
    imported = set(re.findall(r"^ *(?:import|from) (\w+)", text, re.MULTILINE))
    assert imported <= {*sys.stdlib_module_names, "numpy", "mindspore"}
    compile(text, "msjax_record.py", "exec")
    with pytest.raises(SystemExit):
        record.main(["nowhere.py"])
    np.savez(tmp_path / "other.npz", x=np.ones(1))
    with pytest.raises(ValueError, match="is not a recorded run"):
        msjax_record.Recording.load(tmp_path / "other.npz")
