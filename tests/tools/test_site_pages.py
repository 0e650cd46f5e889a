"""Pages that are made when the site is built: what a parameter may be comes from what is checked; a search gives the shortest name first."""

import importlib.util
import json
import pathlib
import re
import shutil
import subprocess

import pytest
from mindspore import nn, ops

from msjax.cli.parameters import plain_signature, rows

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def pages():
    spec = importlib.util.spec_from_file_location("site_pages", ROOT / "tools" / "site_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_parameter_says_what_it_may_be():
    told = {name: (words, default) for name, words, default in rows(nn.Conv2d)}
    assert told["kernel_size"] == ("an int >= 1 or a tuple of 2 items, each an int >= 1", "")
    assert told["pad_mode"] == ("one of 'valid', 'same', 'pad'", "'same'") and told["has_bias"] == ("a bool", "False")
    assert ("keepdim", "bool", "False") in [(n, w.replace(" | Tensor", ""), d) for n, w, d in rows(ops.sum)]


def test_no_signature_shows_addresses_or_annotations():
    for value in (nn.Conv2d, nn.Adam, nn.LSTM, ops.sum, ops.ReduceSum, nn.Dense):
        assert not re.search(r" at 0x|Annotated|:", plain_signature(value)), plain_signature(value)
    assert plain_signature(nn.Dropout1d) == "(p=0.5)"


def test_a_search_gives_the_name_itself_first(pages):
    names = [
        (name, "mindspore.nn", name.lower()) for name in ("Conv2dThor", "Conv2dTranspose", "Conv2d", "Conv2dBnAct")
    ]
    assert [row[0] for row in pages.ranked(names)] == ["Conv2d", "Conv2dThor", "Conv2dBnAct", "Conv2dTranspose"]


def test_the_page_of_a_package_has_parameters_devices_and_differences(pages):
    text = pages.reference("mindspore.nn", [("Conv2d", nn.Conv2d)])
    assert "| `stride` | an int >= 1 or" in text.replace("\\", "") and "lowers for GPU and TPU" in text
    assert "Conv2d(in_channels, out_channels, kernel_size, stride=1" in text


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_scripts_of_the_pages_are_javascript(pages, tmp_path):
    for name, text in (
        ("filter", pages._FILTER),
        ("find", pages._FIND.replace("NAMES", json.dumps([["a", "b", "c"]]))),
    ):
        (tmp_path / f"{name}.js").write_text(re.search(r"<script>(.*?)</script>", text, re.DOTALL)[1])
        assert subprocess.run(["node", "--check", tmp_path / f"{name}.js"], capture_output=True).returncode == 0, name
