"""Operators and layers lower for GPU and TPU on a machine that has neither: cases of the goldens, forward and backward, in float32 and the half
types.

By default a part of them, against the table that the matrix shows; all with MSJAX_TEST_LOWERING=1.
"""

import json
import os

import lowering
import pytest

WHOLE = os.environ.get("MSJAX_TEST_LOWERING", "0") not in ("", "0")
CASES = lowering.chosen()
RECORDED = json.loads(lowering.TABLE.read_text())


@pytest.mark.parametrize("case", CASES if WHOLE else CASES[7::57], ids=lambda case: case.id)
def test_lowers(case):
    found = lowering.look(case)
    for name in lowering.named(case.id.split("|")[0]):
        for platform in lowering.HALF:
            if platform not in RECORDED.get(name, {}):
                assert found.get(platform) is None and found.get(f"{platform} half") is None


def test_the_table_says_what_was_found():
    lines = [
        {"case": "ops.sum|arr(3)", "tpu": None, "cuda": None, "records": ["sum", "cast"]},
        {"case": "ops.svd|arr(3,3)", "tpu": "computes in float64", "cuda": None, "records": ["svd", "cast"]},
        {"case": "lambda x: x|arr(3)", "tpu": "computes in float64", "cuda": None, "records": ["exp"]},
        {"case": "nn.ReLU()|arr(3)", "tpu": None, "cuda": "ValueError: 1", "records": ["relu"]},
    ]
    tpu = {"tpu": "computes in float64"}
    assert lowering.table(lines) == {"cast": {}, "nn.ReLU": {"cuda": "ValueError: 1"}, "sum": {}, "svd": tpu}
