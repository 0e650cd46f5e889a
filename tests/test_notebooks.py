"""The notebooks of examples/ run from top to bottom. With MSJAX_TEST_NOTEBOOKS=1: they train."""

import json
import os
import pathlib
import shutil

import pytest

import msjax

ROOT = pathlib.Path(msjax.__file__).parents[1]


@pytest.mark.skipif(os.environ.get("MSJAX_TEST_NOTEBOOKS") != "1", reason="trains networks: MSJAX_TEST_NOTEBOOKS=1")
@pytest.mark.parametrize("name", ["lenet", "fine_tuning", "port_checked_with_diff", "colab"])
def test_notebook(name, tmp_path):
    nbclient = pytest.importorskip("nbclient", reason="needs nbclient and ipykernel")
    nbformat = pytest.importorskip("nbformat", reason="needs nbclient and ipykernel")
    shutil.copy(ROOT / "examples" / f"{name}.ipynb", tmp_path)
    book = nbformat.read(tmp_path / f"{name}.ipynb", as_version=4)
    environment = {**os.environ, "EXAMPLES": str(ROOT / "examples"), "PYTHONPATH": str(ROOT)}
    client = nbclient.NotebookClient(book, timeout=900, resources={"metadata": {"path": str(tmp_path)}})
    assert client.execute(env=environment) is book  # a cell that raises raises here


def test_the_cells_for_colab_run(tmp_path, monkeypatch):
    """Cell by cell as Colab has them, without Jupyter: what begins with % is its own."""
    monkeypatch.chdir(tmp_path)
    book, names = json.loads((ROOT / "examples" / "colab.ipynb").read_text(encoding="utf-8")), {"__name__": "__main__"}
    for cell in book["cells"]:
        if cell["cell_type"] == "code" and not cell["source"][0].startswith("%"):
            exec("".join(cell["source"]), names)
    assert names["accuracy"] > 0.9 and (tmp_path / "rings.ckpt").exists()
