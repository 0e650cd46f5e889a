"""The runner of tutorials: which blocks a page has, and what counts as equal."""

import importlib
import json
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = """
Text.

```python
import mindspore
print(1)
```

1. In a list:

    ```Python
    !pip install something
    x = 2
    ```

```text
1
```

```python
not Python at all
```
"""


@pytest.fixture
def tutorials(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return importlib.import_module("tutorials")


def test_blocks_of_a_page(tutorials):
    assert tutorials.blocks_of("a.md", PAGE) == ["import mindspore\nprint(1)", "pass  # !pip install something\nx = 2"]


def test_blocks_of_a_notebook(tutorials):
    cells = [
        {"cell_type": "markdown", "source": ["```python\n", "y = 1\n", "```\n"]},
        {"cell_type": "code", "source": ["%env A=1\n", "import mindspore"]},
    ]
    assert tutorials.blocks_of("a.ipynb", json.dumps({"cells": cells})) == [
        "y = 1",
        "pass  # %env A=1\nimport mindspore",
    ]


def side(printed="", error=None):
    return {"printed": printed, "error": error}


@pytest.mark.parametrize(
    "there, here, drawn, why",
    [
        (side("1.0"), side("1.0"), False, None),
        (side("[1.0001]"), side("[1.0002]"), False, None),
        (side("1.0"), side("2.0"), False, "other numbers"),
        (side("1.0"), side("2.0"), True, None),
        (side("a 1"), side("b 1"), False, "prints 'b 1' for 'a 1'"),
        (side("<class 'mindspore.nn.Dense'>"), side("<class 'msjax.nn.layer.basic.Dense'>"), False, None),
        (side("1"), side("1", "TypeError: no"), True, "TypeError: no"),
        (side("nan"), side("nan"), False, None),
    ],
)
def test_verdict(tutorials, there, here, drawn, why):
    assert tutorials.verdict(there, here, drawn) == why


def test_what_is_asked(tutorials):
    texts = {"master:a": ["import x", "print(1)", "np.random.rand()", "print(2)"]}
    there = {"master:a": [side(error="NameError: x"), side("1"), side("0.3"), side("2")]}
    here = {"master:a": [side(), side("3"), side("0.4")]}
    found = tutorials.compared(texts, there, here)
    assert (found["asked"], found["passed"], found["with numbers"]) == (3, 1, 1)
    assert found["failures"] == [["master:a, block 2", "other numbers"], ["master:a, block 4", "not reached in time"]]
