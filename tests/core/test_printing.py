"""str(), repr(), dtype and shape of Tensors, Parameters, dtypes and Cells as MindSpore prints them."""

import cases_printing
import golden_files
import pytest

GOLDEN = golden_files.read("printing")
CASES = [
    (group, expression)
    for group, expressions in cases_printing.GROUPS.items()
    for expression in dict.fromkeys(expressions)
]


@pytest.mark.parametrize("group, expression", CASES, ids=[f"{g}:{e}" for g, e in CASES])
def test_printed(group, expression):
    want = GOLDEN[group][expression]
    found = cases_printing.describe(expression)
    if want[0].startswith("!"):
        assert found[0] == want[0], f"{found}, MindSpore {want}"
    else:
        assert found == want
